//! Large values are compressed before they reach SQLite. A row of more than a quarter of a page
//! takes pages of its own, and a history has thousands of them: the full history of ripgrep took
//! 132 MB, of which 29 MB were unused parts of such pages.

use std::borrow::Cow;
use std::cell::RefCell;

use miette::{Result, miette};
use zstd::bulk::{Compressor, Decompressor};

use crate::DAMAGED;

/// First byte of a packed value, before its length and a zstd frame. The engine's own begin with
/// the number of a relation, far below this, or with a map or list of MessagePack.
const MARK: u8 = 0xff;
const HEAD: usize = 5;
/// Shorter values stay as they are: there is little space to save, and time to lose.
const FROM: usize = 512;
/// A length above this is not valid.
const MAX: usize = 1 << 30;
/// What a frame may stand for: a byte may be a value of its own, which takes a hundred bytes in memory,
/// so that a short frame of zeros would take gigabytes. Rows of real workspaces shrink to a quarter.
const fn most(frame: usize) -> usize {
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
            None => slot.insert(Compressor::new(LEVEL).ok()?),
        };
        compressor.compress(value).ok()
    });
    let len = u32::try_from(value.len()).ok();
    match frame.zip(len) {
        // Data that is compressed already stays as it is, and so does what a reader would refuse.
        Some((frame, len))
            if frame.len() + HEAD < value.len() / 8 * 7 && value.len() <= most(frame.len()) =>
        {
            let mut packed = Vec::with_capacity(HEAD + frame.len());
            packed.push(MARK);
            packed.extend_from_slice(&len.to_le_bytes());
            packed.extend_from_slice(&frame);
            Cow::Owned(packed)
        }
        _ => Cow::Borrowed(value),
    }
}

/// A value as it was before it was written.
pub(crate) fn unpack(stored: Vec<u8>) -> Result<Vec<u8>> {
    let Some((&[MARK, a, b, c, d], frame)) = stored.split_first_chunk::<HEAD>() else {
        return Ok(stored);
    };
    let len = u32::from_le_bytes([a, b, c, d]) as usize;
    if len > MAX || len > most(frame.len()) {
        return Err(miette!("{DAMAGED}: a value of {len} bytes in {}", frame.len()));
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let damaged = |error: std::io::Error| miette!("{DAMAGED}: {error}");
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new().map_err(damaged)?),
        };
        let value = decompressor.decompress(frame, len).map_err(damaged)?;
        match value.len() == len {
            true => Ok(value),
            false => Err(miette!("{DAMAGED}: {} bytes of {len}", value.len())),
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

    #[test]
    fn a_frame_stands_for_so_much_and_no_more() {
        let len = 16_000_000_u32;
        let frame = zstd::bulk::compress(&vec![0; len as usize], LEVEL).unwrap();
        let packed = [&[MARK][..], &len.to_le_bytes(), &frame].concat();
        assert!(packed.len() < 1_000);
        assert!(unpack(packed).is_err());
    }

    #[test]
    fn damage_is_an_error() {
        let packed = pack(&[7; 4_000]).into_owned();
        for len in HEAD..packed.len() {
            assert!(unpack(packed[..len].to_vec()).is_err(), "{len}");
        }
        let mut wrong = packed;
        wrong[1] ^= 1;
        assert!(unpack(wrong.clone()).is_err());
        wrong[4] = 0xff;
        assert!(unpack(wrong).is_err());
    }
}
