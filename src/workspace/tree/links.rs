//! Following links, for every kind of tree in the same way: part by part, within the tree, with
//! a limit. An absolute link always points outside, wherever the tree is, so that a copy of a
//! workspace elsewhere gives the same answer.

use std::fmt;
use std::path::Path;

use super::{Kind, SourceTree, within};
use crate::paths;

/// Links that one path may pass, as many as Linux allows.
const MAX_LINKS: usize = 40;

/// Why a path cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    Nowhere,
    Outside,
    TooMany,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nowhere => "is dangling",
            Self::Outside => "points outside the workspace",
            Self::TooMany => "goes through too many links",
        })
    }
}

/// The real path of `path`, relative to the root, and what is there: never a link.
pub(crate) fn resolve(tree: &dyn SourceTree, path: &str) -> Result<(String, Kind), Lost> {
    let mut waiting: Vec<String> = Vec::new();
    push(&mut waiting, path)?;
    let mut found = String::new();
    let mut links = 0;
    while let Some(part) = waiting.pop() {
        match part.as_str() {
            "" | "." => continue,
            ".." => {
                if found.is_empty() {
                    return Err(Lost::Outside);
                }
                found = paths::parent(&found).to_owned();
                continue;
            }
            _ => {}
        }
        let at = within(&found, &part);
        match tree.look(&at) {
            None | Some(Kind::Refused(_)) => return Err(Lost::Nowhere),
            Some(Kind::Folder) => found = at,
            Some(Kind::Link) => {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Lost::TooMany);
                }
                let target = tree.target(&at).map_err(|_| Lost::Nowhere)?;
                if target.is_empty() || target.contains('\0') {
                    return Err(Lost::Nowhere);
                }
                push(&mut waiting, &target)?;
            }
            // Even a trailing `.` requires a folder.
            Some(_) if !waiting.is_empty() => return Err(Lost::Nowhere),
            Some(kind) => return Ok((at, kind)),
        }
    }
    Ok((found, Kind::Folder))
}

/// The parts of a path as a stack, the first on top.
fn push(waiting: &mut Vec<String>, path: &str) -> Result<(), Lost> {
    if path.starts_with('/') || Path::new(path).is_absolute() {
        return Err(Lost::Outside);
    }
    waiting.extend(path.split('/').rev().map(str::to_owned));
    Ok(())
}
