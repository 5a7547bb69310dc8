//! Values are compressed before they reach SQLite. A row of more than a quarter of a page takes pages
//! of its own, and a history has thousands of them: the full history of ripgrep took 132 MB, of which
//! 29 MB were unused parts of such pages. Rows are short, so most of what they repeat is in others:
//! the compressor begins with a dictionary that is part of the program.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use miette::{Result, miette};
use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CParameter, get_frame_content_size};

use crate::DAMAGED;

/// Made of rows by `examples/row_dictionary`. Its bytes are part of the stored form: a change needs
/// another version of the schema.
const DICTIONARY: &[u8] = include_bytes!("dictionary.bin");

static TO_PACK: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static TO_UNPACK: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));

/// First byte of a packed value, before a zstd frame without its first four bytes, which are always
/// the same. The engine's own begin with the number of a relation, far below this, or with a map or
/// list of MessagePack.
const MARK: u8 = 0xff;
/// First bytes of a zstd frame.
pub(crate) const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// Shorter values stay as they are: there is little space to save, and time to lose.
const FROM: usize = 192;
/// A length above this is not valid.
const MAX: usize = 1 << 30;
/// What a frame may stand for: a byte may be a value of its own, which takes a hundred bytes in memory,
/// so that a short frame of zeros would take gigabytes. Rows of real workspaces shrink to a quarter.
pub(crate) const fn most(frame: usize) -> usize {
    frame.saturating_mul(8).saturating_add(4_096)
}
const LEVEL: i32 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// A value as it is written: the same bytes for the same value.
pub(crate) fn pack(value: &[u8]) -> Cow<'_, [u8]> {
    if value.len() < FROM {
        return Cow::Borrowed(value);
    }
    let frame = COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(compressor()?),
        };
        compressor.compress(value).ok()
    });
    match frame.as_deref().and_then(|frame| frame.strip_prefix(&MAGIC)) {
        // Data that is compressed already stays as it is, and so does what a reader would refuse.
        Some(frame) if frame.len() < value.len() / 8 * 7 && value.len() <= most(frame.len()) => {
            Cow::Owned([&[MARK], frame].concat())
        }
        _ => Cow::Borrowed(value),
    }
}

fn compressor() -> Option<Compressor<'static>> {
    let mut compressor = Compressor::with_prepared_dictionary(&TO_PACK).ok()?;
    compressor.set_parameter(CParameter::DictIdFlag(false)).ok()?;
    Some(compressor)
}

/// A value as it was before it was written.
pub(crate) fn unpack(mut stored: Vec<u8>) -> Result<Vec<u8>> {
    if stored.first() != Some(&MARK) {
        return Ok(stored);
    }
    stored.splice(..1, MAGIC);
    let len = get_frame_content_size(&stored).ok().flatten();
    let len = len.and_then(|len| usize::try_from(len).ok());
    let len = len.ok_or_else(|| miette!("{DAMAGED}: a value of unknown length"))?;
    if len > MAX || len > most(stored.len() - MAGIC.len()) {
        return Err(miette!("{DAMAGED}: a value of {len} bytes in {}", stored.len()));
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let damaged = |error: std::io::Error| miette!("{DAMAGED}: {error}");
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => {
                let new = Decompressor::with_prepared_dictionary(&TO_UNPACK).map_err(damaged)?;
                slot.insert(new)
            }
        };
        let value = decompressor.decompress(&stored, len).map_err(damaged)?;
        if value.len() == len {
            Ok(value)
        } else {
            Err(miette!("{DAMAGED}: {} bytes of {len}", value.len()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &[u8], smaller: bool) {
        let packed = pack(value).into_owned();
        assert_eq!(packed.len() < value.len(), smaller);
        assert_eq!(unpack(packed).unwrap(), value);
    }

    #[test]
    fn a_value_comes_back_as_it_was() {
        check(b"", false);
        check(&[0; FROM - 1], false);
        check(&[0; FROM], true);
        let list: String = (0..1_000).map(|n| format!("[{n}, {}]", n * n % 997)).collect();
        check(list.as_bytes(), true);
        // More than a reader takes from so few bytes.
        check(&[0; 100_000], false);
        // Random data stays as it is.
        let mut noise = vec![0; 4_000];
        blake3::Hasher::new().finalize_xof().fill(&mut noise);
        check(&noise, false);
    }

    /// Databases that were written with other bytes could not be read.
    #[test]
    fn the_dictionary_is_that_of_this_version_of_the_schema() {
        let hash = blake3::hash(DICTIONARY).to_hex();
        assert_eq!(DICTIONARY.len(), 16_384);
        assert!(hash.starts_with("d3ed5ad979becd06"), "{hash}");
    }

    #[test]
    fn a_short_row_shrinks_by_what_others_have() {
        let row = b"pub(crate) fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> \
            use std::collections::{BTreeMap, HashMap} \
            impl std::fmt::Display for Error fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result";
        assert!(row.len() >= FROM);
        let alone = zstd::bulk::compress(row, LEVEL).unwrap();
        assert!(pack(row).len() < alone.len() * 2 / 3, "{} {}", pack(row).len(), alone.len());
    }

    #[test]
    fn a_frame_stands_for_so_much_and_no_more() {
        let len = 16_000_000;
        let frame = zstd::bulk::compress(&vec![0; len], LEVEL).unwrap();
        let packed = [&[MARK], frame.strip_prefix(&MAGIC).unwrap()].concat();
        assert!(packed.len() < 1_000);
        assert!(unpack(packed).is_err());
    }

    #[test]
    fn damage_is_an_error() {
        let packed = pack(&[7; 4_000]).into_owned();
        for len in 1..packed.len() {
            assert!(unpack(packed[..len].to_vec()).is_err(), "{len}");
        }
        // The flags of a frame, and its length.
        for at in [1, 2, 3] {
            let mut wrong = packed.clone();
            wrong[at] ^= 0x41;
            assert!(unpack(wrong).map_or(true, |value| value != [7; 4_000]), "{at}");
        }
    }
}
