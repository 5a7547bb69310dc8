//! A repository with hostile trees and damaged objects: imported or refused, and only the database
//! is written.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use asof::Database;
use asof_index::{Options, Silent};
use asof_workspace::{HashKind, Selection, parse_tree};
use tempfile::TempDir;

use super::world;

/// A repository of two commits, as the files of its folder.
fn sound() -> &'static TempDir {
    static SOUND: OnceLock<TempDir> = OnceLock::new();
    SOUND.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        world::write_files(root);
        git(root, &["init", "-q", "-b", "main"], b"").unwrap();
        git(root, &["add", "-A"], b"").unwrap();
        git(root, &["commit", "-q", "-m", "one"], b"").unwrap();
        git(root, &["repack", "-q", "-a", "-d"], b"").unwrap();
        fs::write(root.join("src/more.rs"), "pub fn more() {}\n").unwrap();
        git(root, &["add", "-A"], b"").unwrap();
        git(root, &["commit", "-q", "-m", "two"], b"").unwrap();
        folder
    })
}

/// Output of Git; none if it fails.
fn git(root: &Path, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut child = Command::new("git")
        .current_dir(root)
        .args(["-c", "user.name=Ana", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_COMMITTER_DATE", "@1600000000 +0000")
        .env("GIT_AUTHOR_DATE", "@1600000000 +0000")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Git may exit before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    output.status.success().then_some(output.stdout)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            _ = fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The first byte says what the rest is: a tree as Git stores it, with `@` and a digit in the
/// place of an object's bytes, or changes to one of the files below `.git`.
pub fn run(data: &[u8]) {
    for hash in [HashKind::Sha1, HashKind::Sha256] {
        let _ = parse_tree(data, hash).map(|listing| listing.iter().count());
    }
    let Some(([way, which], rest)) = data.split_first_chunk::<2>() else { return };
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("root");
    copy(sound().path(), &root);
    let outside = folder.path().join("outside");
    world::write_files(&outside);
    match way % 2 {
        0 => hostile_tree(&root, rest),
        _ => damaged_object(&root, *which, rest),
    }
    let before = files(folder.path());
    if let Ok(database) = Database::create_or_open(&root) {
        let options = Options { threads: Some(1), ..Options::default() };
        // Both an error and an import are fine.
        let _ = database.import_history(&Selection::default(), &options, &Silent);
    }
    assert!(before == files(folder.path()), "an import wrote something");
}

/// All files but those of the database.
fn files(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut files = world::tree(folder);
    files.retain(|path, _| !path.components().any(|c| c.as_os_str() == ".asof"));
    files
}

/// Commits a tree on top of what is there. Lines of the input are `mode name @n`: n chooses the
/// file's, the folder's or a link's object.
fn hostile_tree(root: &Path, data: &[u8]) {
    let known = |args: &[&str], input: &[u8]| -> Option<Vec<u8>> {
        let hex = git(root, args, input)?;
        let hex = std::str::from_utf8(&hex).ok()?.trim().to_owned();
        (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok())
            .collect()
    };
    let objects = [
        known(&["rev-parse", "HEAD:src/lib.rs"], b""),
        known(&["rev-parse", "HEAD:src"], b""),
        known(&["hash-object", "-w", "--stdin"], b"../outside"),
    ];
    let mut tree = Vec::new();
    for line in data.split(|byte| *byte == b'\n') {
        let Some((last, named)) = line.split_last() else { continue };
        let Some(Some(object)) = objects.get(usize::from(*last % 3)) else { continue };
        tree.extend(named.strip_suffix(b" @").unwrap_or(named));
        tree.push(0);
        tree.extend(object);
    }
    let args = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
    let Some(hash) = git(root, &args, &tree) else { return };
    let hash = String::from_utf8_lossy(&hash).trim().to_owned();
    let commit = format!(
        "tree {hash}\nparent {}\nauthor a <a> 1600000100 +0000\ncommitter a <a> 1600000100 +0000\n\nthree\n",
        String::from_utf8_lossy(&git(root, &["rev-parse", "HEAD"], b"").unwrap()).trim()
    );
    let args = ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"];
    if let Some(hash) = git(root, &args, commit.as_bytes()) {
        fs::write(root.join(".git/refs/heads/main"), hash).unwrap();
    }
}

fn damaged_object(root: &Path, which: u8, changes: &[u8]) {
    let below: Vec<PathBuf> = world::tree(&root.join(".git")).into_keys().collect();
    let kept = |path: &&PathBuf| !path.components().any(|c| c.as_os_str() == "hooks");
    let files: Vec<&PathBuf> = below.iter().filter(kept).collect();
    let path = files[usize::from(which) % files.len()];
    let bytes = world::patched(&fs::read(path).unwrap(), changes);
    // Objects are read-only.
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}
