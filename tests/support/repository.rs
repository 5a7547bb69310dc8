//! Small git repositories with a scripted past.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use asof::Database;
use tempfile::TempDir;

use super::tempdir;

/// A repository whose clock is its own.
pub struct Repository {
    pub root: PathBuf,
    pub clock: u64,
    _folder: TempDir,
}

impl Repository {
    pub fn new() -> Self {
        let folder = tempdir();
        let root = folder.path().join("demo");
        fs::create_dir(&root).unwrap();
        let repository = Self { root, clock: 1_600_000_000, _folder: folder };
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    pub fn git(&self, args: &[&str]) -> String {
        let date = format!("@{} +0000", self.clock);
        let mut command = Command::new("git");
        command.current_dir(&self.root).args(["-c", "user.name=Ana", "-c", "user.email=a@b.c"]);
        command.args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"]).args(args);
        command.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn commit(&mut self, message: &str) -> String {
        self.clock += 60;
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// `old` calls `gone` in the first commit, which has the tag `v1`; the second has neither.
    pub fn two_commits() -> Self {
        let mut repo = Self::new();
        repo.write(
            "Cargo.toml",
            "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        );
        repo.write("src/lib.rs", "pub fn old() -> u8 { gone() }\nfn gone() -> u8 { 1 }\n");
        repo.commit("old");
        repo.git(&["tag", "v1"]);
        repo.write("src/lib.rs", "pub fn new() {}\n");
        repo.commit("new");
        repo
    }

    /// Commits of all kinds; their hashes, the oldest first.
    pub fn scripted() -> (Self, Vec<String>) {
        let mut repo = Self::new();
        let mut commits = Vec::new();
        repo.write("README.md", "no code yet\n");
        commits.push(repo.commit("begin"));
        repo.write("lib.rs", "pub fn loose() {}\n");
        commits.push(repo.commit("a file without a manifest"));
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        repo.write("Cargo.toml", manifest);
        repo.git(&["mv", "lib.rs", "main.rs"]);
        repo.write("src/lib.rs", "mod a;\npub use a::f;\n");
        repo.write("src/a.rs", "/// F.\npub fn f() -> u8 { 1 }\nstruct S { x: u8 }\n");
        commits.push(repo.commit("a package"));
        repo.git(&["tag", "-a", "v0.1", "-m", "first"]);
        repo.write("src/a.rs", "/// F.\npub fn f() -> u8 { 2 }\nstruct S { x: u8 }\n");
        commits.push(repo.commit("a body"));
        repo.write(
            "src/a.rs",
            "// moved down\n\n/// F.\npub fn f() -> u8 { 2 }\nstruct S { x: u8 }\n",
        );
        commits.push(repo.commit("a comment"));
        fs::create_dir(repo.root.join("src/a")).unwrap();
        repo.git(&["mv", "src/a.rs", "src/a/mod.rs"]);
        repo.write("src/a/b.rs", "pub struct B;\nimpl B { pub fn new() -> Self { B } }\n");
        repo.write(
            "src/a/mod.rs",
            "mod b;\n/// F.\npub fn f() -> u8 { 2 }\n#[cfg(unix)]\nfn g() {}\n",
        );
        commits.push(repo.commit("files move"));
        repo.write("Cargo.toml", "[package\n");
        commits.push(repo.commit("a broken manifest"));
        repo.write("Cargo.toml", &manifest.replace("2021", "2024"));
        repo.write("src/lib.rs", "mod a;\npub use a::f as renamed;\nfn broken( {\n");
        commits.push(repo.commit("broken code"));
        repo.write("src/lib.rs", "mod a;\npub use a::f as renamed;\n");
        repo.write(".gitignore", "ignored.rs\n");
        repo.write("src/ignored.rs", "fn ignored() {}\n");
        commits.push(repo.commit("mended, with an ignored file"));
        // A side branch: of a merge the first parent counts.
        repo.git(&["checkout", "-q", "-b", "side"]);
        repo.write("src/a/b.rs", "pub struct B;\nimpl B { pub fn make() -> Self { B } }\n");
        repo.commit("on the side");
        repo.git(&["checkout", "-q", "main"]);
        repo.write("src/c.rs", "pub const C: u8 = 3;\n");
        repo.write("src/lib.rs", "mod a;\nmod c;\npub use a::f as renamed;\n");
        commits.push(repo.commit("a constant"));
        repo.clock += 60;
        repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
        commits.push(repo.git(&["rev-parse", "HEAD"]));
        commits.push(repo.commit("nothing"));
        (repo, commits)
    }

    pub fn database(&self) -> Database {
        Database::create_or_open(&self.root).unwrap()
    }
}

/// The files of a commit, in a folder of the root's name.
pub fn checkout(root: &Path, commit: &str, work: &Path) -> PathBuf {
    let to = work.join(commit).join(root.file_name().unwrap());
    fs::create_dir_all(&to).unwrap();
    let mut archive = Command::new("git");
    let archive = archive.current_dir(root).args(["archive", "--format=tar", commit]);
    let tar = archive.output().unwrap().stdout;
    let file = work.join("tar");
    fs::write(&file, tar).unwrap();
    let status = Command::new("tar").arg("-xf").arg(&file).current_dir(&to).status().unwrap();
    assert!(status.success());
    to
}
