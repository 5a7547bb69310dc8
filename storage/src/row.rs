//! Rows in the form in which they are stored: a key that compares as bytes as its columns do, in
//! the engine's own encoding, and the other columns in a compact form of ours. The engine's form of
//! a value names the type of each (`{"Num":{"Int":5}}` is 11 bytes, here it is one), and its reader
//! formats each key for an error that it rarely has.
//!
//! The writer of a row does not know the number of its relation: it leaves room for it.

use cozo::{DataValue, JsonData, Num, UuidWrapper};
use miette::{Result, miette};
use serde_json::{Map, Number, Value as Json};

use crate::DAMAGED;
use crate::versions::{VALIDITY_TAG, inverted};

/// Bytes at the begin of a key for the number of the relation.
pub(crate) const NUMBER: usize = 8;

/// First byte of the columns. See `large.rs` for what other values begin with.
pub(crate) const MARK: u8 = 0xfd;

/// Values in values. No JSON text that could be parsed is deeper.
const MAX_DEPTH: u32 = 256;

/// A number of 0 to 127 is its own tag.
const SMALL: u8 = 0x80;
/// With the length of a text below [`SHORT`].
const TEXT: u8 = 0x80;
/// With the length of a list below [`SHORT`].
const LIST: u8 = 0xa0;
const SHORT: usize = 0x20;
const NULL: u8 = 0xc0;
const FALSE: u8 = 0xc1;
const TRUE: u8 = 0xc2;
/// A number of 128 or more follows, less 128.
const INT: u8 = 0xc3;
/// A number below 0 follows, as the distance from -1.
const NEGATIVE: u8 = 0xc4;
/// Eight bytes follow.
const FLOAT: u8 = 0xc5;
const LONG_TEXT: u8 = 0xc6;
const BYTES: u8 = 0xc7;
/// 16 bytes follow.
const UUID: u8 = 0xc8;
const LONG_LIST: u8 = 0xc9;
/// A value of JSON follows.
const JSON: u8 = 0xca;
/// In JSON: a number of pairs, and a text and a value for each.
const OBJECT: u8 = 0xcb;
/// In JSON: a number above those of 64 bits with a sign.
const UNSIGNED: u8 = 0xcc;

/// A row, encoded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredRow {
    /// Key and columns. The length of the key does not matter in the order, as no key is a prefix
    /// of another of its relation.
    bytes: Box<[u8]>,
    key_len: u32,
}

impl StoredRow {
    /// The key, with room for the number of the relation.
    pub fn key(&self) -> &[u8] {
        self.bytes.get(..self.key_len as usize).unwrap_or(&self.bytes)
    }

    /// The columns as they are stored; empty for a removal.
    pub(crate) fn value(&self) -> &[u8] {
        self.bytes.get(self.key_len as usize..).unwrap_or_default()
    }

    /// Fills in the number of the relation.
    pub(crate) fn set_relation(&mut self, number: u64) {
        if let Some(room) = self.bytes.first_chunk_mut::<NUMBER>() {
            *room = number.to_be_bytes();
        }
    }

    /// Columns of the key.
    pub fn key_columns(&self) -> Result<Vec<DataValue>> {
        crate::sqlite_file::decode(self.key(), &[])
    }
}

/// Writes the key of a row, then its columns.
#[derive(Debug)]
pub struct RowWriter {
    out: Vec<u8>,
}

impl Default for RowWriter {
    fn default() -> Self {
        let mut out = Vec::with_capacity(256);
        out.resize(NUMBER, 0);
        Self { out }
    }
}

impl RowWriter {
    /// Ends the key.
    pub fn end_key(self) -> ColumnWriter {
        let key_len = self.out.len();
        let mut out = self.out;
        out.push(MARK);
        ColumnWriter { out, key_len }
    }

    /// The row of a removal: a key alone.
    pub fn removal(self) -> StoredRow {
        stored(&self.out, self.out.len())
    }

    pub fn null(&mut self) {
        self.out.push(0x01);
    }

    pub fn bool(&mut self, value: bool) {
        self.out.push(if value { 0x03 } else { 0x02 });
    }

    pub fn int(&mut self, value: i64) {
        const EXACT: i64 = 1 << 53;
        self.out.push(0x05);
        self.float_bits(value as f64);
        if value > -EXACT && value < EXACT {
            self.out.push(0);
        } else {
            self.out.push(0x04);
            self.out.extend_from_slice(&(value.cast_unsigned() ^ (1 << 63)).to_be_bytes());
        }
    }

    pub fn float(&mut self, value: f64) {
        self.out.push(0x05);
        self.float_bits(value);
        self.out.push(0x10);
    }

    fn float_bits(&mut self, value: f64) {
        let bits = value.to_bits();
        let sortable = if value.is_sign_positive() { bits | (1 << 63) } else { !bits };
        self.out.extend_from_slice(&sortable.to_be_bytes());
    }

    pub fn text(&mut self, value: &str) {
        self.out.push(0x06);
        self.groups(value.as_bytes());
    }

    pub fn bytes(&mut self, value: &[u8]) {
        self.out.push(0x07);
        self.groups(value);
    }

    /// Groups of eight bytes, each followed by 255 less the zeros that fill it up; the last one is
    /// not full.
    fn groups(&mut self, value: &[u8]) {
        let (full, rest) = value.as_chunks::<8>();
        for group in full {
            self.out.extend_from_slice(group);
            self.out.push(0xff);
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        self.out.extend_from_slice(&last);
        self.out.push(0xff - (8 - rest.len()) as u8);
    }

    /// The high part of the time of version 1 comes first.
    pub fn uuid(&mut self, value: [u8; 16]) {
        let [a, b, c, d, e, f, g, h, rest @ ..] = value;
        self.out.push(0x08);
        self.out.extend_from_slice(&[g, h, e, f, a, b, c, d]);
        self.out.extend_from_slice(&rest);
    }

    pub fn begin_list(&mut self) {
        self.out.push(0x0a);
    }

    pub fn end_list(&mut self) {
        self.out.push(0);
    }

    pub fn json(&mut self, value: &Json) {
        self.out.push(0x0d);
        self.groups(value.to_string().as_bytes());
    }

    /// A time in microseconds, and whether the row holds from then on. Later times come first.
    pub fn time(&mut self, micros: i64, asserted: bool) {
        self.out.push(VALIDITY_TAG);
        self.out.extend_from_slice(&inverted(micros));
        self.out.push(u8::from(!asserted));
    }
}

/// Writes the columns after the key.
#[derive(Debug)]
pub struct ColumnWriter {
    out: Vec<u8>,
    key_len: usize,
}

impl ColumnWriter {
    /// The row, its columns compressed if they are long.
    pub fn end(self) -> StoredRow {
        let columns = self.out.get(self.key_len..).unwrap_or_default();
        match crate::large::pack(columns) {
            std::borrow::Cow::Borrowed(_) => stored(&self.out, self.key_len),
            std::borrow::Cow::Owned(packed) => {
                let mut out = Vec::with_capacity(self.key_len + packed.len());
                out.extend_from_slice(self.out.get(..self.key_len).unwrap_or_default());
                out.extend_from_slice(&packed);
                stored(&out, self.key_len)
            }
        }
    }

    pub fn null(&mut self) {
        self.out.push(NULL);
    }

    pub fn bool(&mut self, value: bool) {
        self.out.push(if value { TRUE } else { FALSE });
    }

    pub fn int(&mut self, value: i64) {
        match u64::try_from(value) {
            Ok(small) if small < u64::from(SMALL) => self.out.push(small as u8),
            Ok(large) => {
                self.out.push(INT);
                self.length(large - u64::from(SMALL));
            }
            Err(_) => {
                self.out.push(NEGATIVE);
                self.length((!value).cast_unsigned());
            }
        }
    }

    pub fn float(&mut self, value: f64) {
        self.out.push(FLOAT);
        self.out.extend_from_slice(&value.to_bits().to_le_bytes());
    }

    pub fn text(&mut self, value: &str) {
        self.begin(TEXT, LONG_TEXT, value.len());
        self.out.extend_from_slice(value.as_bytes());
    }

    pub fn bytes(&mut self, value: &[u8]) {
        self.out.push(BYTES);
        self.length(value.len() as u64);
        self.out.extend_from_slice(value);
    }

    pub fn uuid(&mut self, value: [u8; 16]) {
        self.out.push(UUID);
        self.out.extend_from_slice(&value);
    }

    /// Begins a list of so many values, which come next.
    pub fn list(&mut self, len: usize) {
        self.begin(LIST, LONG_LIST, len);
    }

    pub fn json(&mut self, value: &Json) {
        self.out.push(JSON);
        self.in_json(value);
    }

    fn in_json(&mut self, value: &Json) {
        match value {
            Json::Null => self.null(),
            Json::Bool(value) => self.bool(*value),
            Json::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(int), _) => self.int(int),
                (None, Some(unsigned)) => {
                    self.out.push(UNSIGNED);
                    self.length(unsigned);
                }
                // JSON has no other numbers than these.
                (None, None) => self.float(number.as_f64().unwrap_or_default()),
            },
            Json::String(text) => self.text(text),
            Json::Array(items) => {
                self.list(items.len());
                items.iter().for_each(|item| self.in_json(item));
            }
            Json::Object(pairs) => {
                self.out.push(OBJECT);
                self.length(pairs.len() as u64);
                for (name, value) in pairs {
                    self.text(name);
                    self.in_json(value);
                }
            }
        }
    }

    fn begin(&mut self, short: u8, long: u8, len: usize) {
        if len < SHORT {
            self.out.push(short | len as u8);
        } else {
            self.out.push(long);
            self.length(len as u64);
        }
    }

    /// Seven bits a byte, the lowest first; all but the last byte have the eighth set.
    fn length(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.out.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }
}

fn stored(bytes: &[u8], key_len: usize) -> StoredRow {
    // SQLite refuses a key of 4 GB: so the length does not matter then.
    StoredRow { bytes: bytes.into(), key_len: u32::try_from(key_len).unwrap_or(u32::MAX) }
}

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
        TEXT..LIST => DataValue::Str(text(rest, usize::from(tag - TEXT))?.into()),
        LONG_TEXT => {
            let len = size(rest)?;
            DataValue::Str(text(rest, len)?.into())
        }
        BYTES => {
            let len = size(rest)?;
            DataValue::Bytes(take(rest, len)?.to_vec())
        }
        UUID => {
            let bytes = take(rest, 16)?.first_chunk::<16>()?;
            DataValue::Uuid(UuidWrapper(uuid::Uuid::from_bytes(*bytes)))
        }
        LIST..NULL => list(rest, usize::from(tag - LIST), depth)?,
        LONG_LIST => {
            let len = size(rest)?;
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
    // Each value is a byte at least, so a wrong length reserves no more than the row has.
    let mut items = Vec::with_capacity(len.min(rest.len()));
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
        let mut items = Vec::with_capacity(len.min(rest.len()));
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
        TEXT..LIST => text(rest, usize::from(tag - TEXT))?.into(),
        LONG_TEXT => {
            let len = size(rest)?;
            text(rest, len)?.into()
        }
        LIST..NULL => array(rest, usize::from(tag - LIST))?,
        LONG_LIST => {
            let len = size(rest)?;
            array(rest, len)?
        }
        NULL => Json::Null,
        FALSE => false.into(),
        TRUE => true.into(),
        OBJECT => {
            let len = size(rest)?;
            let mut pairs = Map::with_capacity(len.min(rest.len()));
            for _ in 0..len {
                let len = match byte(rest)? {
                    short @ TEXT..LIST => usize::from(short - TEXT),
                    LONG_TEXT => size(rest)?,
                    _ => return None,
                };
                let name = text(rest, len)?.to_owned();
                pairs.insert(name, json(rest, depth + 1)?);
            }
            Json::Object(pairs)
        }
        _ => return None,
    })
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

fn text<'a>(rest: &mut &'a [u8], len: usize) -> Option<&'a str> {
    std::str::from_utf8(take(rest, len)?).ok()
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

fn size(rest: &mut &[u8]) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use cozo::{Db, MemStorage, NamedRows, Storage, StoreTx};

    fn samples() -> Vec<(DataValue, Json)> {
        let json = |json: Json| (DataValue::Json(JsonData(json.clone())), json);
        let int = |n: i64| (DataValue::from(n), Json::from(n));
        let text = |text: &str| (DataValue::from(text), Json::from(text));
        let mut all = vec![
            (DataValue::Null, Json::Null),
            (DataValue::from(true), true.into()),
            (DataValue::from(false), false.into()),
            (DataValue::from(0.1), 0.1.into()),
            (DataValue::from(-1e300), (-1e300).into()),
            json(serde_json::json!({"b": [1, {"a": null}], "a": "x".repeat(40), "c": u64::MAX})),
            json(serde_json::json!((0..40).collect::<Vec<_>>())),
            json(serde_json::json!([])),
        ];
        for n in [0, 1, 127, 128, 129, 16_511, 16_512, 1 << 53, i64::MAX] {
            all.extend([int(n), int(-n), int(!n)]);
        }
        for len in [0, 1, 7, 8, 9, 16, 31, 32, 200] {
            all.push(text(&"é".repeat(len)));
            all.push(text(&"\0".repeat(len)));
        }
        all
    }

    fn push_column(writer: &mut ColumnWriter, value: &DataValue) {
        match value {
            DataValue::Null => writer.null(),
            DataValue::Bool(value) => writer.bool(*value),
            DataValue::Num(Num::Int(value)) => writer.int(*value),
            DataValue::Num(Num::Float(value)) => writer.float(*value),
            DataValue::Str(value) => writer.text(value),
            DataValue::Bytes(value) => writer.bytes(value),
            DataValue::Uuid(value) => writer.uuid(*value.0.as_bytes()),
            DataValue::Json(value) => writer.json(&value.0),
            DataValue::List(items) => {
                writer.list(items.len());
                items.iter().for_each(|item| push_column(writer, item));
            }
            other => panic!("{other:?}"),
        }
    }

    fn push_key(writer: &mut RowWriter, value: &DataValue) {
        match value {
            DataValue::Null => writer.null(),
            DataValue::Bool(value) => writer.bool(*value),
            DataValue::Num(Num::Int(value)) => writer.int(*value),
            DataValue::Num(Num::Float(value)) => writer.float(*value),
            DataValue::Str(value) => writer.text(value),
            DataValue::Bytes(value) => writer.bytes(value),
            DataValue::Uuid(value) => writer.uuid(*value.0.as_bytes()),
            DataValue::Json(value) => writer.json(&value.0),
            DataValue::List(items) => {
                writer.begin_list();
                items.iter().for_each(|item| push_key(writer, item));
                writer.end_list();
            }
            other => panic!("{other:?}"),
        }
    }

    fn all() -> Vec<DataValue> {
        let mut all: Vec<DataValue> = samples().into_iter().map(|(value, _)| value).collect();
        let id = uuid::Uuid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
        all.push(DataValue::Uuid(UuidWrapper(id)));
        all.extend([0, 8, 100].map(|len| DataValue::Bytes(vec![7; len])));
        all.push(DataValue::List(all.clone()));
        all.push(DataValue::List(Vec::new()));
        all
    }

    #[test]
    fn columns_come_back_in_our_form_and_in_the_engines() {
        for row in [all(), Vec::new()] {
            let mut writer = RowWriter::default().end_key();
            row.iter().for_each(|value| push_column(&mut writer, value));
            let stored = writer.end();
            let value = crate::large::unpack(stored.value().to_vec()).unwrap();
            let mut found = Vec::new();
            columns(&value, &mut found).unwrap();
            assert_eq!(found, row);
            let engine = for_engine(stored.key(), value).unwrap();
            assert_eq!(cozo::decode_tuple_from_kv(&[0; 8], &engine, None), row);
        }
    }

    #[test]
    fn values_in_json_come_back() {
        for (_, value) in samples() {
            let mut writer = RowWriter::default().end_key();
            writer.json(&value);
            let stored = writer.end();
            let mut found = Vec::new();
            columns(stored.value(), &mut found).unwrap();
            assert_eq!(found, [DataValue::Json(JsonData(value))]);
        }
    }

    /// The engine writes each value as a key, and we the same; the bytes are equal.
    #[test]
    fn keys_are_those_of_the_engine() {
        let storage = MemStorage::default();
        let db = Db::new(storage.clone()).unwrap();
        db.initialize().unwrap();
        let create = ":create one {a: Any?, at: Validity}";
        db.run_script(create, Default::default(), cozo::ScriptMutability::Mutable).unwrap();
        for value in all() {
            for (time, asserted) in [(0, true), (1_700_000_000_000_000, false)] {
                let at = DataValue::Validity((time, asserted).into());
                let headers = vec!["a".to_owned(), "at".to_owned()];
                let rows = NamedRows::new(headers, vec![vec![value.clone(), at]]);
                db.import_relations([("one".to_owned(), rows)].into()).unwrap();
                let tx = storage.transact(false).unwrap();
                let rows: Vec<_> = tx.range_scan(&1u64.to_be_bytes(), &[0xff]).collect();
                let [Ok((key, _))] = rows.as_slice() else { panic!("{rows:?}") };
                let mut writer = RowWriter::default();
                push_key(&mut writer, &value);
                writer.time(time, asserted);
                let mut row = writer.removal();
                assert_eq!(&row.key_columns().unwrap()[..1], std::slice::from_ref(&value));
                row.set_relation(u64::from_be_bytes(*key.first_chunk().unwrap()));
                assert_eq!(row.key(), key, "{value:?}");
                drop(tx);
                let mut tx = storage.transact(true).unwrap();
                tx.del(key).unwrap();
                tx.commit().unwrap();
            }
        }
    }

    #[test]
    fn damage_is_an_error() {
        let mut writer = RowWriter::default().end_key();
        all().iter().for_each(|value| push_column(&mut writer, value));
        let whole = crate::large::unpack(writer.end().value().to_vec()).unwrap();
        let count = all().len();
        for end in 1..whole.len() {
            // Ends between two columns cannot be told from the end of a row.
            let mut found = Vec::new();
            assert!(columns(&whole[..end], &mut found).is_err() || found.len() < count);
        }
        let deep = [&[MARK][..], &[LIST | 1; 100_000]].concat();
        assert!(columns(&deep, &mut Vec::new()).is_err());
        let deep = [&[MARK, JSON][..], &[LIST | 1; 100_000]].concat();
        assert!(columns(&deep, &mut Vec::new()).is_err());
        for wrong in
            [&[0xcd][..], &[OBJECT, 0], &[JSON, UUID], &[LONG_LIST, 0xff, 0xff, 0xff, 0x7f]]
        {
            assert!(columns(&[&[MARK][..], wrong].concat(), &mut Vec::new()).is_err(), "{wrong:?}");
        }
        let longest = [&[MARK, INT][..], &[0xff; 9], &[1]].concat();
        assert!(columns(&longest, &mut Vec::new()).is_err());
    }
}
