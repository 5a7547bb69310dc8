//! The record of a transaction in the journal: its steps, and the saved bytes of each file.

use serde::{Deserialize, Serialize};

use crate::patch::Patch;
use asof_model::RawHash;

use super::disk::Rights;

/// Version of the journal's form. Version 1 has no patches, versions 1 and 2 stage everything beside
/// the files; both are read as well.
const FORMAT: u32 = 3;

/// A prepared transaction. Everything that recovery needs to know; no absolute path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub id: String,
    /// When it was prepared, in microseconds since 1970.
    pub at: i64,
    /// Folders that it makes, the outermost first.
    pub folders: Vec<String>,
    /// Folders that are removed after the commit, if they are empty then.
    pub emptied: Vec<String>,
    pub files: Vec<Entry>,
}

/// One file of a transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// Normalised, relative to the root.
    pub path: String,
    pub before: Option<RawHash>,
    pub after: Option<RawHash>,
    /// Rights of the old file.
    pub rights: Option<Rights>,
    /// Rights that the new file gets; none: the system's default.
    pub new_rights: Option<Rights>,
    /// Name under which the new content is staged and the old one set aside.
    pub temporary: String,
    /// Folder of that name.
    #[serde(default)]
    pub stage: Stage,
    /// Position of the old bytes among the saved ones: offset and length.
    pub old: Option<(u64, u64)>,
    /// Position of the new bytes.
    pub new: Option<(u64, u64)>,
    /// Which bytes are replaced, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<Patch>,
}

/// Where new content is staged and old content set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    /// In the folder of the file: Git and other programs see it there.
    #[default]
    Beside,
    /// In the folder of the journal.
    Journal,
}

/// Operation on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing but a check.
    Keep,
    Modify,
    Create,
    Delete,
}

impl Entry {
    pub fn kind(&self) -> Kind {
        match (self.before, self.after) {
            (before, after) if before == after => Kind::Keep,
            (Some(_), Some(_)) => Kind::Modify,
            (None, _) => Kind::Create,
            (_, None) => Kind::Delete,
        }
    }

    /// Name of the new content while it is not complete.
    pub fn part(&self) -> String {
        format!("{}.part", self.temporary)
    }
}

/// First line of the file: says how to read the second and whether it is complete.
#[derive(Serialize, Deserialize)]
struct Head {
    format: u32,
    checksum: RawHash,
}

impl Manifest {
    /// Two lines: a head with the checksum of the second.
    pub fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        let body = serde_json::to_string(self)?;
        let head = Head { format: FORMAT, checksum: RawHash::hash(body.as_bytes()) };
        Ok(format!("{}\n{body}\n", serde_json::to_string(&head)?).into_bytes())
    }

    /// Reads what [`Manifest::encode`] wrote, or says what is wrong with it.
    pub fn decode(text: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|err| err.to_string())?;
        let (head, body) = text.split_once('\n').ok_or("the manifest is cut off")?;
        let head: Head = serde_json::from_str(head).map_err(|err| err.to_string())?;
        if !(1..=FORMAT).contains(&head.format) {
            return Err(format!("version {} of the journal, expected {FORMAT}", head.format));
        }
        let body = body.strip_suffix('\n').ok_or("the manifest is cut off")?;
        if RawHash::hash(body.as_bytes()) != head.checksum {
            return Err("the checksum of the manifest does not match".to_owned());
        }
        serde_json::from_str(body).map_err(|err| err.to_string())
    }

    /// Number of saved bytes, according to the entries.
    pub fn saved_len(&self) -> u64 {
        let pieces = self.files.iter().flat_map(|entry| [entry.old, entry.new]).flatten();
        pieces.map(|(offset, len)| offset.saturating_add(len)).max().unwrap_or(0)
    }

    /// Checks that the saved bytes are those that the manifest describes.
    pub fn check(&self, bytes: &[u8]) -> Result<(), String> {
        for entry in &self.files {
            for (hash, at) in [(entry.before, entry.old), (entry.after, entry.new)] {
                if hash != slice(bytes, at).map(RawHash::hash) {
                    return Err(format!(
                        "the saved bytes of `{}` do not match their hash",
                        entry.path
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A piece of the saved bytes; `None` also if it is not within them.
pub(super) fn slice(bytes: &[u8], at: Option<(u64, u64)>) -> Option<&[u8]> {
    let (offset, len) = at?;
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    bytes.get(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_survives_only_whole() {
        let manifest = Manifest {
            id: "x".into(),
            at: 1,
            folders: vec!["a".into()],
            emptied: vec![],
            files: vec![],
        };
        let text = manifest.encode().unwrap();
        assert_eq!(Manifest::decode(&text).unwrap(), manifest);
        for cut in 0..text.len() {
            assert!(Manifest::decode(&text[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut text = text.clone();
                text[at] ^= 1 << bit;
                let read = Manifest::decode(&text);
                assert!(read.is_err() || read == Ok(manifest.clone()), "bit {bit} of byte {at}");
            }
        }
    }
}
