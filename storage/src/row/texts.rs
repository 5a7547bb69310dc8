//! Texts that are stored in a short form: frequent words by their number, hashes and ids as the bytes
//! that they stand for.

use std::sync::LazyLock;

/// Words of our own rows (kinds, rules, names in JSON), and of nearly every workspace, by the bytes
/// that they save in the least favourable of three. A number is part of the stored form: a change
/// needs another version of the schema.
#[rustfmt::skip]
const WORDS: [&str; 128] = [
    "method_call", "path", "member", "call", "type", "field", "macro", "attribute", "value",
    "bound", "keyword", "pattern", "function", "O(1)", "use", "mention", "unresolved", "import",
    "method", "name", "glob", "overrides", "crate", "impl", "is", "self", "A+", "leaves",
    "self_type", "&Self", "of_trait", "negative", "module", "macro_use", "pub", "trait_impl",
    "args", "text", "cfg_path", "&mut Self", "inline", "macro_call", "test", "header", "struct",
    "std", "common_candidate", "lifetime", "O(n)", "#[test]", "windows", "implicit", "variant",
    "unix", "template", "outside", "file", "loop", "pub(crate)", "iterator chain", "not(windows)",
    "const", "super", "candidate", "items",
    "fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result", "#[derive(Debug)]",
    "2 nested loops", "use super::*", "Self", "util", "assoc_type", "Error", "#[inline]", "process",
    "fmt", "tests", "fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result", "collections",
    "pub(super)", "new", "Write", "super::*", "O(n^2)", "Context", "Display", "Duration",
    "target_os = \"linux\"", "use std::path::Path", "conversion", "root", "enum", "std::path::Path",
    "&mut std::fmt::Formatter<'_>", "static", "mod tests", "exported", "context",
    "#[derive(Clone)]", "Path", "sync", "Ordering", "#[derive(Debug, Clone)]", "bool", "type_alias",
    "std::error::Error", "'a", "use std::time::Duration", "usize", "default", "std::time::Duration",
    "default_features", "error", "#[derive(Clone, Debug)]", "target_arch = \"x86_64\"",
    "iterator chain in loop", "fn drop(&mut self)", "use std::sync::atomic::{AtomicBool, Ordering}",
    "Debug", "File", "std::sync::atomic::{AtomicBool, Ordering}", "manifest_path", "Default", "io",
    "impl AsRef<Path>", "RefCell", "&mut fmt::Formatter<'_>", "PathBuf",
];

/// Slots of the table of words: a power of two, and most are empty.
const SLOTS: usize = 1024;
const EMPTY: u8 = u8::MAX;

/// Numbers of words by their hash, at the first empty slot from there on.
static TABLE: LazyLock<[u8; SLOTS]> = LazyLock::new(|| {
    let mut table = [EMPTY; SLOTS];
    for (number, word) in (0..).zip(WORDS) {
        let slot = slots(word).find(|slot| table.get(*slot) == Some(&EMPTY));
        if let Some(slot) = slot.and_then(|slot| table.get_mut(slot)) {
            *slot = number;
        }
    }
    table
});

/// Length of a hash as text: its version, and 128 bits in base64url.
const HASH_LEN: usize = 23;
const HASH_VERSION: u8 = b'1';
/// Length of an id as text.
const ID_LEN: usize = 36;
/// Where an id has its hyphens.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Value of a character in base64url; 64 of others.
const FROM_BASE64: [u8; 256] = values(BASE64, 64);
const HEX: &[u8; 16] = b"0123456789abcdef";
/// Value of a lower-case hexadecimal digit; 16 of others.
const FROM_HEX: [u8; 256] = values(HEX, 16);

#[expect(
    clippy::indexing_slicing,
    reason = "it runs when the program is compiled, and a byte is below 256"
)]
const fn values<const N: usize>(alphabet: &[u8; N], none: u8) -> [u8; 256] {
    let mut values = [none; 256];
    let mut at = 0;
    while at < N {
        values[alphabet[at] as usize] = at as u8;
        at += 1;
    }
    values
}

/// The short form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Short {
    /// The number of a word.
    Word(u8),
    /// A hash, as `asof` writes them.
    Hash([u8; 16]),
    /// An id in lower case, with hyphens.
    Id([u8; 16]),
}

impl Short {
    /// The short form of a text that has one.
    pub fn from_text(text: &str) -> Option<Self> {
        match text.len() {
            HASH_LEN if text.as_bytes().first() == Some(&HASH_VERSION) => {
                hash(text).map(Self::Hash)
            }
            ID_LEN => id(text).map(Self::Id),
            _ => None,
        }
        .or_else(|| number(text).map(Self::Word))
    }
}

/// The word of a number.
pub(super) fn word(number: u8) -> Option<&'static str> {
    WORDS.get(usize::from(number)).copied()
}

fn number(text: &str) -> Option<u8> {
    let found = slots(text).find_map(|slot| match TABLE.get(slot).copied()? {
        EMPTY => Some(None),
        number => (word(number) == Some(text)).then_some(Some(number)),
    });
    found.flatten()
}

/// The slots that a word may be in, in order.
fn slots(word: &str) -> impl Iterator<Item = usize> {
    let mut hash = word.len() as u64;
    for chunk in word.as_bytes().chunks(8).take(3) {
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
        let mixed = hash.rotate_left(5) ^ u64::from_le_bytes(bytes);
        hash = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    let first = (hash >> 54) as usize;
    (0..SLOTS).map(move |step| (first + step) % SLOTS)
}

/// The bits of a hash; none if the text is not just what [`hash_text`] makes of them.
fn hash(text: &str) -> Option<[u8; 16]> {
    let mut bits = 0u128;
    let (last, others) = text.as_bytes().get(1..)?.split_last()?;
    for byte in others {
        let value = FROM_BASE64.get(usize::from(*byte)).copied().filter(|value| *value < 64)?;
        bits = bits << 6 | u128::from(value);
    }
    // The last character has two bits.
    let value = FROM_BASE64.get(usize::from(*last)).copied()?;
    (value < 64 && value & 0xf == 0).then(|| (bits << 2 | u128::from(value >> 4)).to_be_bytes())
}

/// A hash as text.
pub(super) fn hash_text(hash: [u8; 16]) -> String {
    let bits = u128::from_be_bytes(hash);
    let mut text = String::with_capacity(HASH_LEN);
    text.push(char::from(HASH_VERSION));
    let sixes = (0..21).map(|at| bits >> (122 - 6 * at) & 0x3f);
    for six in sixes.chain([(bits & 3) << 4]) {
        text.push(char::from(BASE64.get(six as usize).copied().unwrap_or_default()));
    }
    text
}

/// The bytes of an id; none if the text is not just what [`id_text`] makes of them.
fn id(text: &str) -> Option<[u8; 16]> {
    let mut bits = 0u128;
    for (at, byte) in text.bytes().enumerate() {
        if HYPHENS.contains(&at) {
            if byte != b'-' {
                return None;
            }
            continue;
        }
        let value = FROM_HEX.get(usize::from(byte)).copied().filter(|value| *value < 16)?;
        bits = bits << 4 | u128::from(value);
    }
    Some(bits.to_be_bytes())
}

/// An id as text.
pub(super) fn id_text(id: [u8; 16]) -> String {
    uuid::Uuid::from_bytes(id).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_by_its_number() {
        for (at, text) in (0..).zip(WORDS) {
            assert_eq!(Short::from_text(text), Some(Short::Word(at)), "{text}");
            assert_eq!(word(at), Some(text));
        }
        assert_eq!(word(128), None);
        for other in ["", "a", "paths", "method_cal", "method_call ", "PATH"] {
            assert_eq!(Short::from_text(other), None, "{other}");
        }
    }

    #[test]
    fn hashes_and_ids_come_back_as_they_were() {
        for seed in 0..64u8 {
            let mut bytes = [0; 16];
            blake3::Hasher::new().update(&[seed]).finalize_xof().fill(&mut bytes);
            let (hash, id) = (hash_text(bytes), id_text(bytes));
            assert_eq!((hash.len(), id.len()), (HASH_LEN, ID_LEN));
            assert_eq!(Short::from_text(&hash), Some(Short::Hash(bytes)), "{hash}");
            assert_eq!(Short::from_text(&id), Some(Short::Id(bytes)), "{id}");
        }
        assert_eq!(hash_text([0xff; 16]), "1_____________________w");
    }

    #[test]
    fn what_only_looks_like_one_stays_a_text() {
        // Bits that a hash does not have, another version, another alphabet, capital letters.
        for text in [
            "1_____________________x",
            "2_____________________w",
            "1+++++++++++++++++++++w",
            "AEF6FACC-6F6D-5CF6-A867-5757D12D41A0",
            "aef6facc06f6d-5cf6-a867-5757d12d41a0",
            "aef6facc-6f6d-5cf6-a867-5757d12d41a-",
        ] {
            assert_eq!(Short::from_text(text), None, "{text}");
        }
    }
}
