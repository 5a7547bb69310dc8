//! Reads the columns of a row. Whatever the bytes are, this ends with values or an error, and takes
//! no more memory than the bytes can stand for: a byte may be a number, which has a hundred in
//! memory. `large.rs` bounds how many bytes a stored row unpacks to.

use std::borrow::Cow;

use cozo::{DataValue, JsonData, Num, UuidWrapper};
use miette::{Result, miette};
use serde_json::{Map, Number, Value as Json};

use super::texts::{hash_text, id_text, word};
use super::{
    BYTES, FALSE, FLOAT, HASH_TEXT, ID_TEXT, INT, JSON, LIST, LONG_LIST, LONG_TEXT, MARK, MIDDLE,
    MIDDLES, NEGATIVE, NULL, NUMBER, OBJECT, SMALL, TEXT, TRUE, UNSIGNED, UUID, WORD,
};
use crate::DAMAGED;

/// Values in values. No JSON text that could be parsed is deeper.
const MAX_DEPTH: u32 = 256;

/// Tag after those of numbers with their high bits.
const AFTER_MIDDLE: u8 = MIDDLE + (MIDDLES >> 8) as u8;

/// Values that are reserved room for at once: each level of a row may claim a length.
const MAX_RESERVED: usize = 256;

/// Whether a value is in this form, and not in the engine's.
pub(crate) fn is_compact(value: &[u8]) -> bool {
    value.first() == Some(&MARK)
}

/// Appends the columns of a value in this form.
pub(crate) fn columns(value: &[u8], into: &mut Vec<DataValue>) -> Result<()> {
    let mut rest = value.get(1..).unwrap_or_default();
    while !rest.is_empty() {
        let column = pop(&mut rest, 0);
        into.push(column.ok_or_else(|| miette!("{DAMAGED}: a row that cannot be read"))?);
    }
    Ok(())
}

/// The value in the engine's own form.
pub(crate) fn for_engine(key: &[u8], value: Vec<u8>) -> Result<Vec<u8>> {
    if !is_compact(&value) {
        return Ok(value);
    }
    let mut tuple = Vec::new();
    columns(&value, &mut tuple)?;
    let mut out = key.get(..NUMBER).unwrap_or_default().to_vec();
    out.extend(rmp_serde::to_vec(&tuple).map_err(|error| miette!("{error}"))?);
    Ok(out)
}

fn pop(rest: &mut &[u8], depth: u32) -> Option<DataValue> {
    if depth > MAX_DEPTH {
        return None;
    }
    let tag = byte(rest)?;
    Some(match tag {
        0..SMALL => DataValue::Num(Num::Int(i64::from(tag))),
        INT => DataValue::Num(Num::Int(int(rest)?)),
        NEGATIVE => DataValue::Num(Num::Int(negative(rest)?)),
        FLOAT => DataValue::Num(Num::Float(float(rest)?)),
        MIDDLE..AFTER_MIDDLE => DataValue::Num(Num::Int(i64::from(middle(tag, rest)?))),
        TEXT..LIST | LONG_TEXT | HASH_TEXT | ID_TEXT | WORD => {
            DataValue::Str(text(tag, rest)?.into())
        }
        BYTES => {
            let len = take_size(rest)?;
            DataValue::Bytes(take(rest, len)?.to_vec())
        }
        UUID => DataValue::Uuid(UuidWrapper(uuid::Uuid::from_bytes(sixteen(rest)?))),
        LIST..NULL => list(rest, usize::from(tag - LIST), depth)?,
        LONG_LIST => {
            let len = take_size(rest)?;
            list(rest, len, depth)?
        }
        NULL => DataValue::Null,
        FALSE => DataValue::Bool(false),
        TRUE => DataValue::Bool(true),
        JSON => DataValue::Json(JsonData(json(rest, depth)?)),
        _ => return None,
    })
}

fn list(rest: &mut &[u8], len: usize, depth: u32) -> Option<DataValue> {
    let mut items = Vec::with_capacity(reserved(rest, len)?);
    for _ in 0..len {
        items.push(pop(rest, depth + 1)?);
    }
    Some(DataValue::List(items))
}

fn json(rest: &mut &[u8], depth: u32) -> Option<Json> {
    if depth > MAX_DEPTH {
        return None;
    }
    let array = |rest: &mut &[u8], len: usize| {
        let mut items = Vec::with_capacity(reserved(rest, len)?);
        for _ in 0..len {
            items.push(json(rest, depth + 1)?);
        }
        Some(Json::Array(items))
    };
    let tag = byte(rest)?;
    Some(match tag {
        0..SMALL => tag.into(),
        INT => int(rest)?.into(),
        NEGATIVE => negative(rest)?.into(),
        UNSIGNED => length(rest)?.into(),
        FLOAT => Json::Number(Number::from_f64(float(rest)?)?),
        MIDDLE..AFTER_MIDDLE => middle(tag, rest)?.into(),
        TEXT..LIST | LONG_TEXT | HASH_TEXT | ID_TEXT | WORD => text(tag, rest)?.into(),
        LIST..NULL => array(rest, usize::from(tag - LIST))?,
        LONG_LIST => {
            let len = take_size(rest)?;
            array(rest, len)?
        }
        NULL => Json::Null,
        FALSE => false.into(),
        TRUE => true.into(),
        OBJECT => {
            let len = take_size(rest)?;
            let mut pairs = Map::with_capacity(reserved(rest, len)?);
            for _ in 0..len {
                let tag = byte(rest)?;
                let name = text(tag, rest)?.into_owned();
                pairs.insert(name, json(rest, depth + 1)?);
            }
            Json::Object(pairs)
        }
        _ => return None,
    })
}

/// Room for so many values, of which each is a byte at least.
fn reserved(rest: &[u8], len: usize) -> Option<usize> {
    (len <= rest.len()).then_some(len.min(MAX_RESERVED))
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first()?;
    *rest = after;
    Some(*first)
}

fn take<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(taken)
}

/// The text of a tag; none if the tag is that of something else.
fn text<'a>(tag: u8, rest: &mut &'a [u8]) -> Option<Cow<'a, str>> {
    let len = match tag {
        TEXT..LIST => usize::from(tag - TEXT),
        LONG_TEXT => take_size(rest)?,
        WORD => return word(byte(rest)?).map(Cow::Borrowed),
        HASH_TEXT => return sixteen(rest).map(|hash| Cow::Owned(hash_text(hash))),
        ID_TEXT => return sixteen(rest).map(|id| Cow::Owned(id_text(id))),
        _ => return None,
    };
    std::str::from_utf8(take(rest, len)?).ok().map(Cow::Borrowed)
}

fn sixteen(rest: &mut &[u8]) -> Option<[u8; 16]> {
    take(rest, 16)?.first_chunk::<16>().copied()
}

fn middle(tag: u8, rest: &mut &[u8]) -> Option<u32> {
    Some(u32::from(SMALL) + (u32::from(tag - MIDDLE) << 8 | u32::from(byte(rest)?)))
}

fn int(rest: &mut &[u8]) -> Option<i64> {
    i64::try_from(length(rest)?.checked_add(u64::from(SMALL))?).ok()
}

fn negative(rest: &mut &[u8]) -> Option<i64> {
    i64::try_from(length(rest)?).ok().map(|distance| !distance)
}

fn float(rest: &mut &[u8]) -> Option<f64> {
    let bits = u64::from_le_bytes(*take(rest, 8)?.first_chunk::<8>()?);
    Some(f64::from_bits(bits))
}

/// A length, as [`super::put_length`] writes it.
pub(crate) fn take_size(rest: &mut &[u8]) -> Option<usize> {
    usize::try_from(length(rest)?).ok()
}

fn length(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(rest)?;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        value |= bits << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}
