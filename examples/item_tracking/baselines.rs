//! What git says.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository beside the database.
pub struct Git {
    root: PathBuf,
}

impl Git {
    pub fn init(root: &Path) -> Self {
        let git = Self { root: root.to_owned() };
        git.run(&["init", "-q"]);
        std::fs::write(root.join(".gitattributes"), "*.rs diff=rust\n").unwrap();
        git
    }

    pub fn commit(&self, message: &str) {
        self.run(&["add", "-A"]);
        self.run(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn run(&self, args: &[&str]) -> String {
        let output = Command::new("git")
            .current_dir(&self.root)
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
            .args(args)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Lines that `git log -L` says a range of the newest commit was before it: file, first and
    /// last line. None if it says that the lines are new.
    pub fn line_log(&self, file: &str, lines: [u32; 2]) -> Option<(String, [u32; 2])> {
        let range = format!("{},{}:{file}", lines[0], lines[1]);
        let told = self.run(&["log", "-L", &range, "-n", "1", "--format=%H"]);
        let head = self.run(&["rev-parse", "HEAD"]);
        let first = told.lines().next()?;
        if first.trim() != head.trim() {
            // The newest commit did not touch the lines.
            return Some((file.to_owned(), [0, 0]));
        }
        let old = told.lines().find_map(|line| line.strip_prefix("--- a/"))?;
        let hunk = told.lines().find_map(|line| line.strip_prefix("@@ -"))?;
        let mut numbers = hunk.split([',', ' ']).filter_map(|n| n.parse::<u32>().ok());
        let start = numbers.next()?;
        let length = numbers.next().unwrap_or(1);
        (length > 0).then(|| (old.to_owned(), [start, start + length - 1]))
    }

    /// The file that `git log --follow` says a file of the newest commit was before it.
    pub fn follow(&self, file: &str) -> Option<String> {
        let told = self.run(&["log", "--follow", "-n", "1", "--name-status", "--format=", file]);
        let mut fields = told.lines().find(|line| !line.is_empty())?.split('\t');
        let status = fields.next()?;
        status.starts_with('R').then(|| fields.next().map(str::to_owned))?
    }
}
