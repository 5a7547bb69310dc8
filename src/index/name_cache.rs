//! The names of the newest state in resolved form, in a file beside the database: a command that
//! changes no name reads them from there instead of resolving the workspace. The file can be removed
//! at any time. It is of one state exactly, so another one is never taken for it, and what does not
//! fit is resolved again.

use std::ops::Range;

use super::state::Roots;
use asof_model::OrNever;
use asof_resolve::names_version;
use asof_store::{SideFile, Store, StoreError};

/// What its name ends with.
pub(super) const SUFFIX: &str = "-names";

/// Raised when the stored form changes.
const FORMAT: &str = "asof-names-4";

/// More bytes than the names of any workspace take.
const MAX_BYTES: u64 = 1 << 30;

/// Parts of the file: the module tree; definitions, edges and scopes; what uses are resolved with.
const PARTS: usize = 3;

/// Length of what is before the parts: key, hash of the rest, lengths of the parts.
const HEAD: usize = 2 * blake3::OUT_LEN + PARTS * 8;

/// Which state a file is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(blake3::Hash);

impl Key {
    /// The key of a state with these item trees, by their hash.
    pub fn new(item_trees: &str, roots: &Roots) -> Self {
        let mut hasher = blake3::Hasher::new();
        for text in [FORMAT, env!("CARGO_PKG_VERSION"), names_version(), item_trees] {
            hasher.update(text.as_bytes()).update(&[0]);
        }
        hasher.update(&serde_json::to_vec(&roots.meaning()).or_never("a layout has a JSON form"));
        Key(hasher.finalize())
    }
}

/// The contents of a file.
#[derive(Debug)]
pub(super) struct SavedNames {
    bytes: Vec<u8>,
    parts: [Range<usize>; PARTS],
}

impl SavedNames {
    /// Reads the names of a state; none if they are not there.
    pub fn read(store: &Store, key: Key) -> Option<Self> {
        let bytes = store.side_file(SUFFIX)?.read(MAX_BYTES)?;
        let (own, rest) = bytes.split_at_checked(blake3::OUT_LEN)?;
        let (hash, rest) = rest.split_at_checked(blake3::OUT_LEN)?;
        if own != key.0.as_bytes() || hash != blake3::hash(rest).as_bytes() {
            return None;
        }
        let mut end = HEAD;
        let mut parts = [const { 0..0 }; PARTS];
        for (part, len) in parts.iter_mut().zip(rest.chunks_exact(8)) {
            let len = u64::from_le_bytes(len.try_into().ok()?);
            let start = end;
            end = start.checked_add(usize::try_from(len).ok()?)?;
            *part = start..end;
        }
        (end == bytes.len()).then_some(SavedNames { bytes, parts })
    }

    fn part(&self, number: usize) -> &[u8] {
        let part = self.parts.get(number).and_then(|part| self.bytes.get(part.clone()));
        part.or_never("a part lies in the file, whose length was compared")
    }

    /// The module tree.
    pub fn tree(&self) -> &[u8] {
        self.part(0)
    }

    /// Definitions, edges and scopes.
    pub fn assembly(&self) -> &[u8] {
        self.part(1)
    }

    /// What uses are resolved with.
    pub fn world(&self) -> &[u8] {
        self.part(2)
    }
}

/// Writes the file.
///
/// # Errors
/// If it cannot be written. The names are resolved again then, when they are needed.
pub(super) fn write(file: &SideFile, key: Key, parts: [&[u8]; PARTS]) -> Result<(), StoreError> {
    let lens: Vec<u8> = parts.iter().flat_map(|part| (part.len() as u64).to_le_bytes()).collect();
    let mut hasher = blake3::Hasher::new();
    hasher.update(&lens);
    for part in parts {
        hasher.update(part);
    }
    let hash = hasher.finalize();
    let head: [&[u8]; 3] = [key.0.as_bytes(), hash.as_bytes(), &lens];
    file.write(&[head.as_slice(), parts.as_slice()].concat())
}
