//! Reading one file of the workspace.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path};

use crate::model::{Issue, IssueKind};

pub(super) fn issue(path: &str, kind: IssueKind, message: impl Into<String>) -> Issue {
    Issue { file_path: path.to_owned(), kind, message: message.into(), span: None }
}

/// The bytes of the file `path`, relative to `root`.
///
/// # Errors
/// [`IssueKind::Unreadable`] if the path is not relative, leaves the root as text or through
/// symbolic links, is no regular file, or the system refuses; [`IssueKind::TooLarge`] if the file
/// is longer than `cap` bytes: its content is then not read.
pub fn read_file(root: &Path, path: &str, cap: u64) -> Result<Vec<u8>, Issue> {
    let unreadable = |message: String| issue(path, IssueKind::Unreadable, message);
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || !inside {
        return Err(unreadable("the path does not lie inside the workspace".to_owned()));
    }
    let failed = |error: io::Error| unreadable(format!("cannot be read: {error}"));
    let root = fs::canonicalize(root).map_err(failed)?;
    let full = fs::canonicalize(root.join(path)).map_err(failed)?;
    if !full.starts_with(&root) {
        return Err(unreadable("a symbolic link leads out of the workspace".to_owned()));
    }
    // Before opening: a named pipe would wait for ever.
    let meta = fs::metadata(&full).map_err(failed)?;
    if !meta.is_file() {
        return Err(unreadable("is no regular file".to_owned()));
    }
    let too_large = |len: u64| {
        issue(path, IssueKind::TooLarge, format!("{len} bytes; at most {cap} bytes are parsed"))
    };
    if meta.len() > cap {
        return Err(too_large(meta.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
    let file = File::open(&full).map_err(failed)?;
    file.take(cap.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    match u64::try_from(bytes.len()) {
        Ok(len) if len <= cap => Ok(bytes),
        _ => Err(too_large(cap.saturating_add(1))),
    }
}
