//! An older version of a fact as a difference from the next newer one, which is the row before it
//! in the order of keys: most versions of a long list differ in a few of its elements, and on fd
//! they took half of a full history. The newest version is always whole, so NOW costs nothing more.
//!
//! The rows between a difference and the next whole version make up its chain. A new version turns
//! the one before it into a difference, unless the chain would be too long: each difference counts
//! itself and those of its fact that directly follow it.

use std::cell::RefCell;

use miette::{Result, miette};
use twox_hash::XxHash3_64;
use zstd::bulk::{Compressor, Decompressor};

use crate::DAMAGED;
use crate::large::{self, MAGIC};
use crate::row::{is_compact, put_length, take_size};

/// First byte of a difference, before its place in the chain, a hash of the value that it stands
/// for, that value's length (as in `row`, seven bits a byte) and a zstd frame without its magic
/// number. See `large.rs` for what other values begin with.
const MARK: u8 = 0xfc;
const HASH: usize = 4;
/// Differences in a row: reading an old version takes so many steps at most.
pub(crate) const MAX_RUN: u8 = 16;
/// A shorter value stays as it is.
const FROM: usize = 40;
const LEVEL: i32 = 1;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// How many differences in a row end with this value; 0 for a whole one.
pub(crate) fn run_of(stored: &[u8]) -> u8 {
    match stored {
        [MARK, run, ..] => *run,
        _ => 0,
    }
}

pub(crate) fn is_delta(stored: &[u8]) -> bool {
    stored.first() == Some(&MARK)
}

/// A value as a difference from the next newer one, if it is much smaller than `whole`, the bytes
/// that it takes otherwise. Both values are unpacked. `older_run` is that of the next older one.
pub(crate) fn encode(value: &[u8], newer: &[u8], older_run: u8, whole: usize) -> Option<Vec<u8>> {
    let run = older_run.saturating_add(1);
    if run > MAX_RUN || whole < FROM || !is_compact(value) || !is_compact(newer) {
        return None;
    }
    let frame = COMPRESSOR.with_borrow_mut(|slot| {
        let compressor = match slot {
            Some(compressor) => compressor,
            None => slot.insert(Compressor::new(LEVEL).ok()?),
        };
        compressor.set_dictionary(LEVEL, newer).ok()?;
        compressor.compress(value).ok()
    })?;
    let frame = frame.strip_prefix(&MAGIC)?;
    if frame.len() + 2 + HASH + 5 > whole / 8 * 7 || value.len() > most(newer.len(), frame.len()) {
        return None;
    }
    let mut out = Vec::with_capacity(frame.len() + 2 + HASH + 5);
    out.extend_from_slice(&[MARK, run]);
    out.extend_from_slice(&hash(value));
    put_length(&mut out, value.len() as u64);
    out.extend_from_slice(frame);
    Some(out)
}

/// The value that a difference from this newer one stands for.
pub(crate) fn decode(stored: &[u8], newer: &[u8]) -> Result<Vec<u8>> {
    let damaged =
        |reason: &str| miette!("{DAMAGED}: a version that differs from a newer: {reason}");
    let Some((&[MARK, _, a, b, c, d], mut rest)) = stored.split_first_chunk::<6>() else {
        return Err(damaged("it is cut off"));
    };
    let len = take_size(&mut rest).ok_or_else(|| damaged("it is cut off"))?;
    if len > most(newer.len(), rest.len()) {
        return Err(damaged("it claims too many bytes"));
    }
    let frame = [&MAGIC[..], rest].concat();
    let value = DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new()?),
        };
        decompressor.set_dictionary(newer)?;
        decompressor.decompress(&frame, len)
    });
    let value = value.map_err(|error| damaged(&error.to_string()))?;
    if value.len() == len && hash(&value) == [a, b, c, d] {
        Ok(value)
    } else {
        Err(damaged("it is of another one"))
    }
}

/// What a frame may stand for: the newer value, and new bytes as far as `large.rs` lets them
/// shrink.
const fn most(newer: usize, frame: usize) -> usize {
    large::most(frame).saturating_add(newer)
}

fn hash(value: &[u8]) -> [u8; HASH] {
    let [a, b, c, d, ..] = XxHash3_64::oneshot(value).to_le_bytes();
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(of: impl IntoIterator<Item = u32>) -> Vec<u8> {
        let mut value = vec![0xfd];
        of.into_iter().for_each(|n| value.extend(blake3::hash(&n.to_le_bytes()).as_bytes()));
        value
    }

    #[test]
    fn a_changed_element_costs_an_element() {
        let (newer, older) = (list(0..100), list((0..50).chain(200..201).chain(51..100)));
        let delta = encode(&older, &newer, 3, older.len()).unwrap();
        assert_eq!((run_of(&delta), is_delta(&delta)), (4, true));
        assert!(delta.len() < 80, "{}", delta.len());
        assert_eq!(decode(&delta, &newer).unwrap(), older);
        // Of another value, it is damage, and never a third one.
        let error = decode(&delta, &list(1..101)).unwrap_err().to_string();
        assert!(error.starts_with(DAMAGED), "{error}");
    }

    #[test]
    fn what_is_short_or_different_or_far_stays_whole() {
        let (a, b) = (list(0..3), list(10..13));
        assert_eq!(encode(&a, &b, 0, a.len()), None);
        assert_eq!(encode(&a, &a, MAX_RUN, a.len()), None);
        assert!(encode(&a, &a, MAX_RUN - 1, a.len()).is_some());
        assert_eq!(encode(&a[..30], &a, 0, 30), None);
        // Not in our form: the engine's own rows.
        assert_eq!(encode(&a[1..], &a, 0, a.len()), None);
    }

    #[test]
    fn damage_is_an_error() {
        let (newer, older) = (list(0..100), list(1..99));
        let delta = encode(&older, &newer, 0, older.len()).unwrap();
        for len in 0..delta.len() {
            assert!(decode(&delta[..len], &newer).is_err(), "{len}");
        }
        for at in 2..delta.len() {
            let mut wrong = delta.clone();
            wrong[at] ^= 0x41;
            assert!(decode(&wrong, &newer).map_or(true, |value| value == older), "{at}");
        }
        // A length that no such frame can have.
        let mut wrong = delta[..6].to_vec();
        wrong.extend([0xff, 0xff, 0xff, 0x7f]);
        wrong.extend(&delta[8..]);
        assert!(decode(&wrong, &newer).unwrap_err().to_string().contains("too many"));
    }
}
