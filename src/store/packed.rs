//! Rows in the compact form of a batch: a third or less of the memory that the engine's values
//! take. Keys compare as bytes nearly as they compare in the engine, which is enough to sort them;
//! other columns carry their lengths.

use std::ffi::CStr;

use cozo::{DataValue, JsonData, Num, UuidWrapper, Validity};

use super::value::Value;

const END: u8 = 0;
const NULL: u8 = 1;
const FALSE: u8 = 2;
const TRUE: u8 = 3;
const INT: u8 = 4;
const FLOAT: u8 = 5;
const STR: u8 = 6;
const BYTES: u8 = 7;
const UUID: u8 = 8;
const LIST: u8 = 9;
const JSON: u8 = 10;
const VALIDITY: u8 = 11;
/// Added to a tag: a length and the plain bytes follow.
const SIZED: u8 = 32;
const SIZED_STR: u8 = STR | SIZED;
const SIZED_BYTES: u8 = BYTES | SIZED;
const SIZED_JSON: u8 = JSON | SIZED;

const SIGN: u64 = 1 << 63;

/// Where a value is: keys sort by their bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPosition {
    Key,
    Column,
}

/// Appends a value.
pub(super) fn push(out: &mut Vec<u8>, value: &Value, place: KeyPosition) {
    match value {
        Value::Null => out.push(NULL),
        Value::Bool(false) => out.push(FALSE),
        Value::Bool(true) => out.push(TRUE),
        Value::Int(int) => {
            out.push(INT);
            out.extend_from_slice(&(int.cast_unsigned() ^ SIGN).to_be_bytes());
        }
        Value::Float(float) => {
            out.push(FLOAT);
            out.extend_from_slice(&float.to_bits().to_be_bytes());
        }
        Value::Str(text) => push_bytes(out, STR, text.as_bytes(), place),
        Value::Bytes(bytes) => push_bytes(out, BYTES, bytes, place),
        Value::Uuid(uuid) => {
            out.push(UUID);
            out.extend_from_slice(&turn(*uuid.as_bytes()));
        }
        Value::List(items) => {
            out.push(LIST);
            items.iter().for_each(|item| push(out, item, place));
            out.push(END);
        }
        Value::Json(json) => push_bytes(out, JSON, json.to_string().as_bytes(), place),
    }
}

/// Appends a time: later ones sort first, as in the engine.
pub(super) fn push_time(out: &mut Vec<u8>, micros: i64, asserted: bool) {
    out.push(VALIDITY);
    out.extend_from_slice(&(!(micros.cast_unsigned() ^ SIGN)).to_be_bytes());
    out.push(u8::from(!asserted));
}

/// The engine sorts identifiers by the high part of their time first, as version 1 has it.
fn turn([a, b, c, d, e, f, g, h, rest @ ..]: [u8; 16]) -> [u8; 16] {
    let [i, j, k, l, m, n, o, p] = rest;
    [g, h, e, f, a, b, c, d, i, j, k, l, m, n, o, p]
}

fn turn_back([g, h, e, f, a, b, c, d, rest @ ..]: [u8; 16]) -> [u8; 16] {
    let [i, j, k, l, m, n, o, p] = rest;
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}

/// Bytes of a key sort: a zero within is followed by 0xff, the end by another zero.
fn push_bytes(out: &mut Vec<u8>, tag: u8, bytes: &[u8], place: KeyPosition) {
    if let (KeyPosition::Column, Ok(len)) = (place, u32::try_from(bytes.len())) {
        out.push(tag | SIZED);
        out.extend_from_slice(&len.to_be_bytes());
        out.extend_from_slice(bytes);
        return;
    }
    out.push(tag);
    let mut parts = bytes.split(|byte| *byte == 0);
    if let Some(first) = parts.next() {
        out.extend_from_slice(first);
    }
    for part in parts {
        out.extend_from_slice(&[0, 0xff]);
        out.extend_from_slice(part);
    }
    out.extend_from_slice(&[0, 0]);
}

/// Reads a row back as the engine's values; `None` if it is not in this form.
pub(super) fn unpack(mut row: &[u8], width: usize) -> Option<Vec<DataValue>> {
    let mut values = Vec::with_capacity(width);
    while !row.is_empty() {
        values.push(pop(&mut row)?);
    }
    Some(values)
}

fn pop(row: &mut &[u8]) -> Option<DataValue> {
    let tag = take::<1>(row)?[0];
    Some(match tag {
        NULL => DataValue::Null,
        FALSE => DataValue::Bool(false),
        TRUE => DataValue::Bool(true),
        INT => {
            let int = (u64::from_be_bytes(take(row)?) ^ SIGN).cast_signed();
            DataValue::Num(Num::Int(int))
        }
        FLOAT => DataValue::Num(Num::Float(f64::from_bits(u64::from_be_bytes(take(row)?)))),
        SIZED_STR => DataValue::Str(std::str::from_utf8(take_sized(row)?).ok()?.into()),
        SIZED_BYTES => DataValue::Bytes(take_sized(row)?.to_vec()),
        SIZED_JSON => DataValue::Json(JsonData(serde_json::from_slice(take_sized(row)?).ok()?)),
        STR => DataValue::Str(String::from_utf8(pop_bytes(row)?).ok()?.into()),
        BYTES => DataValue::Bytes(pop_bytes(row)?),
        UUID => DataValue::Uuid(UuidWrapper(uuid::Uuid::from_bytes(turn_back(take(row)?)))),
        LIST => {
            let mut items = Vec::new();
            while *row.first()? != END {
                items.push(pop(row)?);
            }
            take::<1>(row)?;
            DataValue::List(items)
        }
        JSON => DataValue::Json(JsonData(serde_json::from_slice(&pop_bytes(row)?).ok()?)),
        VALIDITY => {
            let micros = (!u64::from_be_bytes(take(row)?) ^ SIGN).cast_signed();
            DataValue::Validity(Validity::from((micros, take::<1>(row)? == [0])))
        }
        _ => return None,
    })
}

fn take<const N: usize>(row: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = row.split_first_chunk::<N>()?;
    *row = rest;
    Some(*taken)
}

fn take_sized<'a>(row: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = u32::from_be_bytes(take(row)?);
    let (taken, rest) = row.split_at_checked(usize::try_from(len).ok()?)?;
    *row = rest;
    Some(taken)
}

fn pop_bytes(row: &mut &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let part = CStr::from_bytes_until_nul(row).ok()?.to_bytes();
        let zero = part.len();
        bytes.extend_from_slice(part);
        let mark = *row.get(zero + 1)?;
        *row = row.get(zero + 2..)?;
        if mark == 0 {
            return Some(bytes);
        }
        bytes.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::Int),
            (-1e9..1e9).prop_map(Value::Float),
            "[\u{0}-\u{3}a-z\u{e9}]{0,40}".prop_map(Value::Str),
            prop::collection::vec(0u8..3, 0..20).prop_map(Value::Bytes),
            any::<u128>().prop_map(|n| Value::Uuid(uuid::Uuid::from_u128(n))),
            "[a\u{0}\"]{0,9}"
                .prop_map(|text| Value::Json(serde_json::json!({"a": [text, 1, null]}))),
        ];
        leaf.prop_recursive(3, 20, 5, |item| {
            prop::collection::vec(item, 0..5).prop_map(Value::List)
        })
    }

    proptest! {
        #[test]
        fn rows_come_back(row in prop::collection::vec((value(), any::<bool>()), 0..6), time: i64, yes: bool) {
            let mut packed = Vec::new();
            let mut expected = Vec::new();
            for (value, in_key) in row {
                push(&mut packed, &value, if in_key { KeyPosition::Key } else { KeyPosition::Column });
                expected.push(value.into_engine());
            }
            push_time(&mut packed, time, yes);
            expected.push(DataValue::Validity(Validity::from((time, yes))));
            prop_assert_eq!(unpack(&packed, 3), Some(expected));
        }

        #[test]
        fn keys_sort_as_the_engine_sorts_them(a: (i64, u128, String), b: (i64, u128, String)) {
            let key = |(int, id, text): &(i64, u128, String)| {
                let id = uuid::Uuid::from_u128(*id);
                let values = [Value::Int(int % 2), Value::Uuid(id), Value::from(text.as_str())];
                let mut out = Vec::new();
                values.iter().for_each(|value| push(&mut out, value, KeyPosition::Key));
                (out, values.map(Value::into_engine))
            };
            let (a, b) = (key(&a), key(&b));
            prop_assert_eq!(a.0.cmp(&b.0), a.1.cmp(&b.1));
        }
    }

    #[test]
    fn other_bytes_are_not_a_row() {
        assert_eq!(unpack(&[99], 1), None);
        assert_eq!(unpack(&[STR, b'a'], 1), None);
        assert_eq!(unpack(&[LIST, NULL], 1), None);
    }
}
