//! Validates paths of files to write: relative, within the root, with names that every system
//! accepts.

use std::collections::VecDeque;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::error::FilesError;

/// Links that one path may go through.
const MAX_LINKS: usize = 40;

/// Characters that some file systems ignore when they compare names.
const IGNORABLE: [std::ops::RangeInclusive<char>; 5] = [
    '\u{ad}'..='\u{ad}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{206a}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
];

/// The path of a file to be written, relative to the root, with `/` between its parts and without
/// `.`, `..` and links: the file that the system would open now.
///
/// `path` is absolute or relative to the root. The file need not exist. Links to folders are
/// followed as long as they stay inside the root.
///
/// # Errors
/// [`FilesError::Refused`] for a path that is empty, ends in `/`, `.` or `..`, contains a NUL byte,
/// leaves the root by `..`, as an absolute path or through a link, ends in a link or anything else
/// that is not a regular file, or has a part that is `.git` or a state folder, in any spelling that
/// a file system may treat as these; [`FilesError::Io`] if a folder cannot be searched.
pub fn check_path(root: &Path, path: &str) -> Result<String, FilesError> {
    let refuse = |reason: &str| Err(FilesError::refused(path, reason));
    if path.is_empty() {
        return refuse("the path is empty");
    }
    if path.contains('\0') {
        return refuse("the path contains a NUL byte");
    }
    match path.rsplit('/').next() {
        Some("" | "." | "..") | None => return refuse("it names a folder"),
        Some(_) => {}
    }
    let top = fs::canonicalize(root).map_err(|err| FilesError::io("open", root, err))?;
    let rest = if Path::new(path).is_absolute() {
        let Some(rest) = below(&[&top, root], Path::new(path)) else {
            return refuse("it is outside the workspace");
        };
        rest
    } else {
        path.to_owned()
    };
    let mut waiting: VecDeque<String> = rest.split('/').map(str::to_owned).collect();
    let mut found: Vec<String> = Vec::new();
    let mut links = 0;
    while let Some(part) = waiting.pop_front() {
        match part.as_str() {
            "" | "." => continue,
            ".." if found.pop().is_none() => return refuse("it points outside the workspace"),
            ".." => continue,
            _ => {}
        }
        if let Some(reason) = reserved(&part) {
            return refuse(reason);
        }
        let at = found.iter().fold(top.clone(), |dir, part| dir.join(part)).join(&part);
        let meta = match fs::symlink_metadata(&at) {
            Ok(meta) => meta,
            Err(err) if err.kind() == std::io::ErrorKind::NotFound => {
                found.push(part);
                continue;
            }
            Err(err) if err.kind() == std::io::ErrorKind::NotADirectory => {
                return refuse("a part of the path is a file");
            }
            Err(err) => return Err(FilesError::at("look at", path, err)),
        };
        let last = waiting.is_empty();
        if meta.is_symlink() {
            if last {
                return refuse("it is a symbolic link; name the file that it points to");
            }
            links += 1;
            let target = fs::read_link(&at).map_err(|err| FilesError::at("read", path, err))?;
            let Some(mut parts) = target_parts(&top, &target).filter(|_| links <= MAX_LINKS) else {
                return refuse("a symbolic link points outside the workspace");
            };
            if target.is_absolute() {
                found.clear();
            }
            parts.append(&mut waiting);
            waiting = parts;
        } else if last && !meta.is_file() {
            return refuse(if meta.is_dir() {
                "it is a folder"
            } else {
                "it is not a regular file"
            });
        } else if !last && !meta.is_dir() {
            return refuse("a part of the path is not a folder");
        } else {
            found.push(part);
        }
    }
    if found.is_empty() {
        return refuse("it names the root");
    }
    Ok(found.join("/"))
}

/// An absolute path as text below one of these, or below the first one without its links.
fn below(roots: &[&Path], path: &Path) -> Option<String> {
    let as_text = |rest: &Path| rest.to_str().map(str::to_owned);
    for root in roots.iter().filter(|root| root.is_absolute()) {
        if let Ok(rest) = path.strip_prefix(root) {
            return as_text(rest);
        }
    }
    if path.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    // By another name of the root: resolve the links in all but the last part.
    let (mut dir, mut tail) = (path.parent()?, PathBuf::from(path.file_name()?));
    loop {
        if let Ok(real) = fs::canonicalize(dir) {
            return real.join(&tail).strip_prefix(roots.first()?).ok().and_then(as_text);
        }
        tail = Path::new(dir.file_name()?).join(&tail);
        dir = dir.parent()?;
    }
}

/// Parts of a link's target, below the root if it is absolute; `None` if it points outside.
fn target_parts(top: &Path, target: &Path) -> Option<VecDeque<String>> {
    let text = if target.is_absolute() {
        match target.strip_prefix(top) {
            Ok(rest) => rest.to_str()?.to_owned(),
            Err(_) => fs::canonicalize(target).ok()?.strip_prefix(top).ok()?.to_str()?.to_owned(),
        }
    } else {
        target.to_str()?.to_owned()
    };
    Some(text.split('/').map(str::to_owned).collect())
}

/// Why a name must never be written: names of Git and of asof, as compared by the most tolerant
/// file system (case, ignorable characters, trailing dots, streams, short names).
pub(super) fn reserved(name: &str) -> Option<&'static str> {
    let folded: String = name
        .chars()
        .filter(|c| !IGNORABLE.iter().any(|range| range.contains(c)))
        .flat_map(char::to_lowercase)
        .collect();
    let folded = folded.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    match folded {
        ".git" | "git~1" => Some("`.git` belongs to Git"),
        ".asof" => Some("`.asof` is the state folder of asof"),
        _ if folded.starts_with(TEMPORARY) => Some("the name is one of asof's temporary files"),
        _ => None,
    }
}

/// Prefix of the names of temporary files: hidden, and without the suffix of a source, so that no walk
/// takes them for one.
pub(super) const TEMPORARY: &str = ".asof-";

/// Whether a name is one of a temporary file of an edit.
pub fn is_temporary(name: &str) -> bool {
    name.starts_with(TEMPORARY)
}
