//! Rows in the form in which they are stored: a key that compares as bytes as its columns do, in
//! the engine's own encoding, and the other columns in a compact form of ours. The engine's form of
//! a value names the type of each (`{"Num":{"Int":5}}` is 11 bytes, here it is one), and its reader
//! formats each key for an error that it rarely has.
//!
//! The writer of a row does not know the number of its relation: it leaves room for it.

mod read;
#[cfg(test)]
mod tests;
mod texts;

use cozo::{DataValue, try_decode_tuple_from_kv};
use miette::{Result, miette};
use serde_json::Value as Json;

pub(crate) use self::read::{columns, for_engine, is_compact, take_size};
use self::texts::Short;
use crate::DAMAGED;
use crate::key::{VALIDITY_TAG, inverted};

/// Bytes at the begin of a key for the number of the relation.
pub(crate) const NUMBER: usize = 8;

/// First byte of the columns. See `large.rs` for what other values begin with.
pub(crate) const MARK: u8 = 0xfd;

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
/// A text that is a hash: 16 bytes follow.
const HASH_TEXT: u8 = 0xcd;
/// A text that is an id: 16 bytes follow.
const ID_TEXT: u8 = 0xce;
/// A frequent text, by its number, which follows.
const WORD: u8 = 0xcf;
/// With the high bits of a number that begins at 128; its low eight follow.
const MIDDLE: u8 = 0xd0;
/// Such numbers.
const MIDDLES: u64 = 0x20 << 8;

/// The row of a key and its value. A row that cannot be decoded is damaged.
pub(crate) fn decode(key: &[u8], value: &[u8]) -> Result<Vec<DataValue>> {
    let of_engine = if is_compact(value) { &[] } else { value };
    let mut tuple = try_decode_tuple_from_kv(key, of_engine, None)
        .map_err(|error| miette!("{DAMAGED}: {error}"))?;
    if is_compact(value) {
        columns(value, &mut tuple)?;
    }
    Ok(tuple)
}

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
        decode(self.key(), &[])
    }
}

/// Writes values one after the other: those of a key, or of the columns after it.
pub trait ValueWriter {
    fn null(&mut self);
    fn bool(&mut self, value: bool);
    fn int(&mut self, value: i64);
    fn float(&mut self, value: f64);
    fn text(&mut self, value: &str);
    fn bytes(&mut self, value: &[u8]);
    fn uuid(&mut self, value: [u8; 16]);
    fn json(&mut self, value: &Json);
    /// A list; `write` writes each of its items.
    fn list<T>(&mut self, items: &[T], write: impl FnMut(&mut Self, &T));
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

    fn float_bits(&mut self, value: f64) {
        let bits = value.to_bits();
        let sortable = if value.is_sign_positive() { bits | (1 << 63) } else { !bits };
        self.out.extend_from_slice(&sortable.to_be_bytes());
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

    /// A time in microseconds, and whether the row holds from then on. Later times come first.
    pub fn time(&mut self, micros: i64, asserted: bool) {
        self.out.push(VALIDITY_TAG);
        self.out.extend_from_slice(&inverted(micros));
        self.out.push(u8::from(!asserted));
    }
}

impl ValueWriter for RowWriter {
    fn null(&mut self) {
        self.out.push(0x01);
    }

    fn bool(&mut self, value: bool) {
        self.out.push(if value { 0x03 } else { 0x02 });
    }

    fn int(&mut self, value: i64) {
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

    fn float(&mut self, value: f64) {
        self.out.push(0x05);
        self.float_bits(value);
        self.out.push(0x10);
    }

    fn text(&mut self, value: &str) {
        self.out.push(0x06);
        self.groups(value.as_bytes());
    }

    fn bytes(&mut self, value: &[u8]) {
        self.out.push(0x07);
        self.groups(value);
    }

    /// The high part of the time of version 1 comes first.
    fn uuid(&mut self, value: [u8; 16]) {
        let [a, b, c, d, e, f, g, h, rest @ ..] = value;
        self.out.push(0x08);
        self.out.extend_from_slice(&[g, h, e, f, a, b, c, d]);
        self.out.extend_from_slice(&rest);
    }

    fn json(&mut self, value: &Json) {
        self.out.push(0x0d);
        self.groups(value.to_string().as_bytes());
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.out.push(0x0a);
        items.iter().for_each(|item| write(self, item));
        self.out.push(0);
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
                self.list(items, Self::in_json);
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

    fn length(&mut self, value: u64) {
        put_length(&mut self.out, value);
    }
}

/// Seven bits a byte, the lowest first; all but the last byte have the eighth set.
pub(crate) fn put_length(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

impl ValueWriter for ColumnWriter {
    fn null(&mut self) {
        self.out.push(NULL);
    }

    fn bool(&mut self, value: bool) {
        self.out.push(if value { TRUE } else { FALSE });
    }

    fn int(&mut self, value: i64) {
        match u64::try_from(value) {
            Ok(small) if small < u64::from(SMALL) => self.out.push(small as u8),
            Ok(middle) if middle - u64::from(SMALL) < MIDDLES => {
                let from_begin = middle - u64::from(SMALL);
                self.out.push(MIDDLE + (from_begin >> 8) as u8);
                self.out.push(from_begin as u8);
            }
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

    fn float(&mut self, value: f64) {
        self.out.push(FLOAT);
        self.out.extend_from_slice(&value.to_bits().to_le_bytes());
    }

    fn text(&mut self, value: &str) {
        match Short::from_text(value) {
            Some(Short::Word(number)) => self.out.extend_from_slice(&[WORD, number]),
            Some(Short::Hash(hash)) => {
                self.out.push(HASH_TEXT);
                self.out.extend_from_slice(&hash);
            }
            Some(Short::Id(id)) => {
                self.out.push(ID_TEXT);
                self.out.extend_from_slice(&id);
            }
            None => {
                self.begin(TEXT, LONG_TEXT, value.len());
                self.out.extend_from_slice(value.as_bytes());
            }
        }
    }

    fn bytes(&mut self, value: &[u8]) {
        self.out.push(BYTES);
        self.length(value.len() as u64);
        self.out.extend_from_slice(value);
    }

    fn uuid(&mut self, value: [u8; 16]) {
        self.out.push(UUID);
        self.out.extend_from_slice(&value);
    }

    fn json(&mut self, value: &Json) {
        self.out.push(JSON);
        self.in_json(value);
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.begin(LIST, LONG_LIST, items.len());
        items.iter().for_each(|item| write(self, item));
    }
}

fn stored(bytes: &[u8], key_len: usize) -> StoredRow {
    // SQLite refuses a key of 4 GB: so the length does not matter then.
    StoredRow { bytes: bytes.into(), key_len: u32::try_from(key_len).unwrap_or(u32::MAX) }
}
