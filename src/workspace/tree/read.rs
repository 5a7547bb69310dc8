//! Files of a tree, with links followed within it.

use super::links::{Lost, resolve};
use super::source::{Kind, NoBytes, SourceTree};
use crate::error::issue;
use crate::paths;
use asof_model::{Issue, IssueKind};

/// The file at a path, links followed within the tree; `None` if none is there.
pub(crate) fn file_at(tree: &dyn SourceTree, path: &str) -> Option<String> {
    resolve(tree, path).ok().filter(|(_, kind)| *kind == Kind::File).map(|(path, _)| path)
}

/// The bytes of the file `path`, links followed within the tree.
///
/// # Errors
/// [`IssueKind::Unreadable`] if the path is not relative, leaves the root as text or through
/// symbolic links, is not a regular file, or cannot be read; [`IssueKind::TooLarge`] if the file is
/// longer than `cap` bytes: its content is then not read.
pub fn read_from(tree: &dyn SourceTree, path: &str, cap: u64) -> Result<Vec<u8>, Issue> {
    let unreadable = |message: String| issue(path, IssueKind::Unreadable, message);
    if path.is_empty() || paths::join("", path).as_deref() != Some(path) {
        return Err(unreadable("the path is not inside the workspace".to_owned()));
    }
    let file = match resolve(tree, path) {
        Ok((file, Kind::File)) => file,
        Ok((_, Kind::Other(what))) => return Err(unreadable(not_plain(what))),
        Ok(_) => return Err(unreadable(not_plain("a folder"))),
        Err(Lost::Nowhere) => {
            return Err(unreadable("cannot be read: there is no such file".to_owned()));
        }
        Err(lost) => return Err(unreadable(format!("a symbolic link {lost}"))),
    };
    tree.bytes(&file, cap).map_err(|error| match error {
        NoBytes::Unreadable(reason) => unreadable(reason),
        NoBytes::TooLarge(len) => {
            let message = format!("{len} bytes; at most {cap} bytes are read");
            issue(path, IssueKind::TooLarge, message)
        }
    })
}

/// [`SourceTree::content_id`] of the file `path`, links followed within the tree.
pub fn content_id_of(tree: &dyn SourceTree, path: &str) -> Option<Vec<u8>> {
    tree.content_id(&file_at(tree, path)?)
}

pub(crate) fn not_plain(what: &str) -> String {
    format!("it is {what}, not a regular file")
}
