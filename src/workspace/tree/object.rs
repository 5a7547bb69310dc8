//! Parses Git tree objects. Entries that no checkout may have are marked and never followed: Git
//! checks names when it writes files, not when it fetches them, so a clone may contain any bytes.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::validate::path::component;

use super::{Kind, Refusal};

/// Hash algorithm of the object ids of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HashKind {
    Sha1,
    Sha256,
}

/// The entries of a tree, sorted by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listing {
    pub(super) entries: Vec<TreeEntry>,
}

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeEntry {
    /// Lossy if it is not UTF-8.
    pub name: String,
    pub is_utf8: bool,
    pub kind: Kind,
    pub id: ObjectId,
    /// A submodule: an empty folder in a checkout.
    pub is_submodule: bool,
}

impl Listing {
    /// The entry of a name, if it may be followed.
    pub(super) fn get(&self, name: &str) -> Option<&TreeEntry> {
        let at = self.entries.binary_search_by(|entry| entry.name.as_str().cmp(name)).ok()?;
        let entry = self.entries.get(at)?;
        (entry.is_utf8 && !matches!(entry.kind, Kind::Refused(_))).then_some(entry)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Names and kinds of the entries.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Kind)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.kind))
    }
}

/// Reads the bytes of a tree object.
///
/// # Errors
/// What is wrong with the bytes, if they are no tree.
pub fn parse_tree(bytes: &[u8], hash: HashKind) -> Result<Listing, String> {
    let hash_len = match hash {
        HashKind::Sha1 => 20,
        HashKind::Sha256 => 32,
    };
    let mut entries: BTreeMap<&[u8], TreeEntry> = BTreeMap::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let cut = |what: &str| format!("the tree is cut off in {what}");
        let (mode, after) = rest.split_once_str(" ").ok_or_else(|| cut("a mode"))?;
        let (name, after) = after.split_once_str("\0").ok_or_else(|| cut("a name"))?;
        let (id, after) = after.split_at_checked(hash_len).ok_or_else(|| cut("an id"))?;
        rest = after;
        let mode = octal(mode).ok_or("the tree has a mode that is not a number")?;
        let id = ObjectId::try_from(id).map_err(|error| error.to_string())?;
        let entry = entry(mode, name, id);
        entries
            .entry(name)
            .and_modify(|first| first.kind = Kind::Refused(Refusal::Duplicate))
            .or_insert(entry);
    }
    let mut entries: Vec<TreeEntry> = entries.into_values().collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Listing { entries })
}

fn octal(mode: &[u8]) -> Option<u32> {
    let digits =
        !mode.is_empty() && mode.len() <= 7 && mode.iter().all(|b| (b'0'..=b'7').contains(b));
    digits.then(|| mode.iter().fold(0, |mode, digit| mode << 3 | u32::from(digit - b'0')))
}

/// The entry of a mode, as trees and the index have it.
pub(super) fn entry(mode: u32, name: &[u8], id: ObjectId) -> TreeEntry {
    let is_submodule = mode & 0o170_000 == 0o160_000;
    let kind = match mode & 0o170_000 {
        0o100_000 => Kind::File,
        0o040_000 => Kind::Folder,
        0o120_000 => Kind::Link,
        _ if is_submodule => Kind::Folder,
        _ => Kind::Refused(Refusal::Mode),
    };
    let options = component::Options {
        protect_windows: cfg!(windows),
        protect_hfs: true,
        protect_ntfs: true,
    };
    let checked = gix::validate::path::component(name.as_bstr(), None, options);
    let kind = match checked {
        Ok(_) => kind,
        Err(component::Error::DotGitDir) => Kind::Refused(Refusal::DotGit),
        Err(_) => Kind::Refused(Refusal::NoName),
    };
    let text = std::str::from_utf8(name);
    TreeEntry {
        name: text.map_or_else(|_| String::from_utf8_lossy(name).into_owned(), str::to_owned),
        is_utf8: text.is_ok(),
        kind,
        id,
        is_submodule,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (mode, name) in entries {
            bytes.extend_from_slice(mode.as_bytes());
            bytes.push(b' ');
            bytes.extend_from_slice(name);
            bytes.push(0);
            bytes.extend_from_slice(&[7; 20]);
        }
        bytes
    }

    #[test]
    fn entries_that_no_checkout_may_have_are_refused() {
        let bytes = tree(&[
            ("120000", b"a"),
            ("40000", b"a"),
            ("100644", b"b.rs"),
            ("100644", b"b"),
            ("40000", b".GiT"),
            ("40000", b"git~1"),
            ("40000", ".g\u{200c}it".as_bytes()),
            ("40000", b".git::$INDEX_ALLOCATION"),
            ("100644", b"/etc/x"),
            ("40000", b".."),
            ("40000", b"."),
            ("40000", b""),
            ("20000", b"device"),
            ("160000", b"module"),
            ("100755", b"\xff.rs"),
        ]);
        let listing = parse_tree(&bytes, HashKind::Sha1).unwrap();
        let followed: Vec<&str> =
            ["a", "b", "b.rs", ".GiT", "git~1", "/etc/x", "..", ".", "", "device", "module"]
                .into_iter()
                .filter(|name| listing.get(name).is_some())
                .collect();
        assert_eq!(followed, ["b", "b.rs", "module"]);
        let refused = listing.iter().filter(|(_, kind)| matches!(kind, Kind::Refused(_))).count();
        assert_eq!((listing.iter().count(), refused), (14, 10));
        let duplicate = listing.iter().find(|(name, _)| *name == "a").unwrap().1;
        assert_eq!(duplicate, Kind::Refused(Refusal::Duplicate));
    }

    /// Any bytes are read or refused: every beginning of a tree, and every tree with one byte
    /// changed.
    #[test]
    fn any_bytes_are_a_listing_or_an_error() {
        let bytes = tree(&[("100644", b"a.rs"), ("40000", b"b"), ("120000", b"c")]);
        for end in 0..=bytes.len() {
            let whole = [0, 32, 60, 89].contains(&end);
            assert_eq!(parse_tree(&bytes[..end], HashKind::Sha1).is_ok(), whole, "{end}");
        }
        for at in 0..bytes.len() {
            for value in [0, b' ', b'/', b'8', 255] {
                let mut changed = bytes.clone();
                changed[at] = value;
                for hash in [HashKind::Sha1, HashKind::Sha256] {
                    let _ = parse_tree(&changed, hash).map(|listing| listing.iter().count());
                }
            }
        }
    }
}
