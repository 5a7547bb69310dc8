//! Checks the files of a repository before gix opens them: gix waits forever for the other end of a
//! named pipe. A clone contains none, but an archive or a shared folder may.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use asof_files::plain::Links;

/// Bytes of the small files that name another folder.
const MAX_POINTER: u64 = 64 << 10;
/// Bytes of the configuration of a repository.
const MAX_CONFIG: u64 = 4 << 20;
/// Bytes of a file of references, or of the boundary of a shallow clone.
const MAX_FILE: u64 = 256 << 20;
/// Bytes of a reference in a file of its own.
const MAX_REF: u64 = 64 << 10;
/// Files and folders that are checked.
const MAX_ENTRIES: usize = 4_000_000;
/// Depth of folders, and of object databases that name one another.
const MAX_DEPTH: usize = 64;
const MAX_ALTERNATES: usize = 5;

/// Files of a git folder that gix may open, besides `*HEAD` and the shared part of a split index.
const FILES: [&str; 7] =
    ["commondir", "config", "config.worktree", "gitdir", "index", "packed-refs", "shallow"];

/// Checks that everything that gix may open below `.git`, a folder or a file that names one, is a
/// regular file.
///
/// # Errors
/// The first path that is not.
pub(super) fn check(dot_git: &Path) -> Result<(), WorkspaceError> {
    let mut look = Look { left: MAX_ENTRIES };
    let meta = fs::metadata(dot_git).map_err(|error| refuse(dot_git, error))?;
    let git_dir = if meta.is_dir() {
        dot_git.to_owned()
    } else {
        let text = pointer(dot_git)?;
        let named = text.trim().strip_prefix("gitdir:").map(str::trim);
        let named = named.ok_or_else(|| refuse(dot_git, "it does not name a Git folder"))?;
        dot_git.parent().unwrap_or(Path::new("")).join(named)
    };
    look.git_dir(&git_dir)?;
    let common = git_dir.join("commondir");
    if fs::symlink_metadata(&common).is_err() {
        return check_format(&git_dir);
    }
    let common = git_dir.join(pointer(&common)?.trim());
    look.git_dir(&common)?;
    check_format(&common)
}

/// Refuses hash algorithms that this build of gix does not have.
fn check_format(git_dir: &Path) -> Result<(), WorkspaceError> {
    let path = git_dir.join("config");
    let text = match asof_files::plain::read(&path, MAX_CONFIG, Links::Follow) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).to_ascii_lowercase(),
        Err(error) if error.is_missing() => return Ok(()),
        Err(error) => return Err(refuse(&path, error)),
    };
    let is_sha256 = |line: &str| {
        let (key, value) = line.split_once('=').unwrap_or_default();
        key.trim() == "objectformat" && value.trim().trim_matches('"') == "sha256"
    };
    if text.lines().any(is_sha256) {
        Err(refuse(git_dir, "it uses SHA-256; only SHA-1 repositories are supported"))
    } else {
        Ok(())
    }
}

struct Look {
    left: usize,
}

impl Look {
    fn git_dir(&mut self, dir: &Path) -> Result<(), WorkspaceError> {
        for (path, name) in self.entries(dir)? {
            let is_shared = name.starts_with("sharedindex.");
            if FILES.contains(&name.as_str()) || name.ends_with("HEAD") || is_shared {
                // Old versions of Git made `HEAD` a link to a branch.
                check_file(&path, MAX_FILE)?;
            }
        }
        for (name, cap) in [("refs", MAX_REF), ("logs", MAX_FILE), ("reftable", MAX_FILE)] {
            self.files(&dir.join(name), cap, 0)?;
        }
        self.objects(&dir.join("objects"), 0)
    }

    fn objects(&mut self, dir: &Path, depth: usize) -> Result<(), WorkspaceError> {
        if depth > MAX_ALTERNATES {
            return Err(refuse(dir, "too many object databases name one another"));
        }
        self.files(dir, u64::MAX, 0)?;
        let alternates = dir.join("info/alternates");
        if fs::symlink_metadata(&alternates).is_err() {
            return Ok(());
        }
        for line in pointer(&alternates)?.lines().filter(|line| !line.is_empty()) {
            if line.starts_with('"') {
                return Err(refuse(&alternates, "it has a quoted path, which is not supported"));
            }
            if !line.starts_with('#') {
                self.objects(&dir.join(line), depth + 1)?;
            }
        }
        Ok(())
    }

    /// Checks all files within a folder, if it is there. The folder itself may be a link, those
    /// in it may not.
    fn files(&mut self, dir: &Path, cap: u64, depth: usize) -> Result<(), WorkspaceError> {
        if !dir.is_dir() {
            return match fs::symlink_metadata(dir) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                _ => Err(refuse(dir, "it is not a folder")),
            };
        }
        if depth > MAX_DEPTH {
            return Err(refuse(dir, "it is nested too deeply"));
        }
        for (path, _) in self.entries(dir)? {
            let kind = fs::symlink_metadata(&path).map_err(|error| refuse(&path, error))?;
            if kind.is_dir() {
                self.files(&path, cap, depth + 1)?;
            } else if !kind.is_file() || kind.len() > cap {
                check_file(&path, cap)?;
            }
        }
        Ok(())
    }

    fn entries(&mut self, dir: &Path) -> Result<Vec<(PathBuf, String)>, WorkspaceError> {
        let mut found = Vec::new();
        for entry in fs::read_dir(dir).map_err(|error| refuse(dir, error))? {
            let entry = entry.map_err(|error| refuse(dir, error))?;
            self.left = self.left.checked_sub(1).ok_or_else(|| {
                refuse(dir, format!("the repository has more than {MAX_ENTRIES} files"))
            })?;
            found.push((entry.path(), entry.file_name().to_string_lossy().into_owned()));
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// The text of a small file that names a folder.
pub(super) fn pointer(path: &Path) -> Result<String, WorkspaceError> {
    asof_files::plain::read_text(path, MAX_POINTER, Links::Follow)
        .map_err(|error| refuse(path, error))
}

fn check_file(path: &Path, cap: u64) -> Result<(), WorkspaceError> {
    let file = asof_files::plain::open(path, Links::Follow).map_err(|error| refuse(path, error))?;
    let len = file.metadata().map_err(|error| refuse(path, error))?.len();
    if len <= cap {
        Ok(())
    } else {
        Err(refuse(path, format!("{len} bytes; at most {cap} bytes are read")))
    }
}

fn refuse(path: &Path, reason: impl std::fmt::Display) -> WorkspaceError {
    WorkspaceError::Git { what: path.display().to_string(), reason: reason.to_string() }
}
