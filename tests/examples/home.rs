//! A home folder, in which commands run as a shell runs them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use crate::support::cli::{self, code, err, out};
use crate::support::tempdir;

/// A home folder with a workspace, and programs of others that examples name.
pub struct Home {
    folder: TempDir,
}

impl Home {
    pub fn new() -> Self {
        let home = Self { folder: tempdir() };
        fs::create_dir(home.path().join("bin")).unwrap();
        let asof = cli::program().display();
        // Some run until Ctrl-C: they get it once they say so. `set -m` lets them see it.
        home.program(
            "asof",
            &format!(
                "for arg; do if [[ $arg = watch || $arg = serve || $arg = web || $arg = --http ]]; then\n\
             set -m; exec 3>&1 4< <(exec '{asof}' \"$@\" 2>&1 >&3); asof=$!; stopped=\n\
             while read -r -t 60 line <&4; do\n\
             echo \"$line\" >&2\n\
             [[ $line = *'Ctrl-C stops'* ]] && kill -INT $asof && stopped=yes\n\
             done\n\
             [ $stopped ] || kill -KILL $asof\n\
             wait $asof; code=$?\n\
             [ $stopped$code = yes130 ] && exit 0; exit $code\n\
             fi; done\nexec '{asof}' \"$@\"\n"
            ),
        );
        // Programs of others that examples name.
        home.program(
            "cargo",
            "case $1 in run | install | test) mkdir -p target;; esac\n\
             [ $1 = run ] || exit 0\n\
             while [ $1 != -- ]; do shift; done; shift; exec asof \"$@\"\n",
        );
        home.program("man", "cat\n");
        home.program("rust-analyzer", "exit 0\n");
        home.program("xdg-open", "exit 0\n");
        home
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn program(&self, name: &str, text: &str) {
        let path = self.path().join("bin").join(name);
        fs::write(&path, format!("#!/usr/bin/env bash\n{text}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A line of the shell in a folder of this home.
    pub fn run(&self, folder: &str, line: &str) -> Output {
        let path = std::env::var("PATH").unwrap();
        let output = Command::new("bash")
            .args(["-c", &format!("set -o pipefail\n{line}")])
            .current_dir(self.path().join(folder))
            .env("HOME", self.path())
            .env("PATH", format!("{}:{path}", self.path().join("bin").display()))
            .env_remove("ASOF_ROOT")
            .stdin(std::process::Stdio::null())
            .output();
        output.unwrap()
    }

    #[track_caller]
    pub fn works(&self, folder: &str, line: &str) {
        let output = self.run(folder, line);
        assert_eq!(code(&output), 0, "{line}: {}", err(&output));
    }

    /// What Git lists as untracked or changed.
    pub fn git_status(&self, folder: &str) -> String {
        out(&self.run(folder, "git status --porcelain"))
    }

    pub fn commit(&self, folder: &str, message: &str, time: u64) {
        self.works(
            folder,
            &format!(
                "export GIT_COMMITTER_DATE='@{time} +0000' GIT_AUTHOR_DATE='@{time} +0000'\n\
             git add -A && git -c user.name=Ana -c user.email=a@b.c -c commit.gpgsign=false \
             commit -q --allow-empty -m '{message}'"
            ),
        );
    }

    /// The same folders again, for a test that changes them.
    pub fn copy(&self) -> Self {
        let copy = Self { folder: tempdir() };
        let from = format!("{}/.", self.path().display());
        let status = Command::new("cp").args(["-a", &from]).arg(copy.path()).status().unwrap();
        assert!(status.success());
        copy
    }
}

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// Midnight of 1 January 2024, UTC.
pub const BEGIN: u64 = 1_704_067_200;

/// Commands and subcommands, each with its help.
pub fn helps(home: &Home, folder: &str) -> Vec<(String, String)> {
    let help = |command: String| {
        let output = home.run(folder, &format!("{command} --help"));
        assert_eq!(code(&output), 0, "{command}");
        (command, out(&output))
    };
    cli::commands().into_iter().map(help).collect()
}
