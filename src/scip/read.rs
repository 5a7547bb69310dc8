//! Reads an index file by file, so that memory holds no more than one occurrence of it decoded.
//! An index may be hostile: every length is checked against the bytes that are there, and nothing is
//! allocated that they do not pay for.

use std::collections::BTreeSet;

use prost::Message;

use super::document::Place;
use super::error::ScipError;
use super::messages::{self as types, DEFINITION, IMPORT, TypedRange};
use super::text::Encoding;

/// Numbers of the fields that are read, from `scip.proto`.
const METADATA: u32 = 1;
const DOCUMENTS: u32 = 2;
const PATH: u32 = 1;
const OCCURRENCES: u32 = 2;
const ENCODING: u32 = 6;
/// Of our own.
const TEXT_HASH: u32 = 1001;

/// An index, taken apart into its files.
#[derive(Debug)]
pub struct Index<'b> {
    /// The program that made it.
    pub tool: String,
    /// Its version, as it says it; may be empty.
    pub tool_version: String,
    /// URI of the folder that paths are relative to.
    pub root: String,
    pub files: Vec<IndexedFile<'b>>,
}

/// A file of an index. Its occurrences are not decoded yet.
#[derive(Debug)]
pub struct IndexedFile<'b> {
    /// As the index has it: relative to its root.
    pub path: String,
    pub encoding: Encoding,
    /// Hash of the file's bytes, if the index has one; only ours do.
    pub text_hash: Option<String>,
    body: &'b [u8],
}

/// A name in a file that means a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// In lines, and characters of the file's encoding, both from 0; start not after end.
    pub place: Place,
    pub symbol: String,
    /// Whether the symbol is defined here.
    pub defines: bool,
    pub is_import: bool,
}

/// Takes an index apart.
///
/// # Errors
/// The bytes are no index, the index ends too early, or has a file twice.
pub fn read(bytes: &[u8]) -> Result<Index<'_>, ScipError> {
    let mut metadata = None;
    let mut files = Vec::new();
    let mut paths = BTreeSet::new();
    each_field(bytes, &mut |field, value| {
        match (field, value) {
            (METADATA, Field::Bytes(bytes)) => {
                metadata = Some(types::Metadata::decode(bytes).map_err(unreadable)?);
            }
            (DOCUMENTS, Field::Bytes(body)) => {
                let file = file(body)?;
                if !paths.insert(file.path.clone()) {
                    return Err(ScipError::Twice { path: file.path });
                }
                files.push(file);
            }
            _ => {}
        }
        Ok(())
    })?;
    // Anything that consists of unknown fields is a message; an index says who made it.
    let metadata = metadata.ok_or_else(|| no_index("it does not say which program made it"))?;
    let tool = metadata.tool_info.unwrap_or_default();
    Ok(Index {
        tool: tool.name.trim().to_owned(),
        tool_version: tool.version.trim().to_owned(),
        root: metadata.project_root,
        files,
    })
}

fn file(body: &[u8]) -> Result<IndexedFile<'_>, ScipError> {
    let mut path = String::new();
    let mut encoding = Encoding::Unknown;
    let mut text_hash = None;
    each_field(body, &mut |field, value| {
        match (field, value) {
            (PATH, Field::Bytes(bytes)) => {
                let text = std::str::from_utf8(bytes);
                text.map_err(|_| no_index("the path of a file is not UTF-8"))?
                    .clone_into(&mut path);
            }
            (TEXT_HASH, Field::Bytes(bytes)) => {
                text_hash = std::str::from_utf8(bytes).ok().map(str::to_owned);
            }
            (ENCODING, Field::Number(number)) => {
                encoding = match number {
                    1 => Encoding::Utf8,
                    2 => Encoding::Utf16,
                    3 => Encoding::Utf32,
                    _ => Encoding::Unknown,
                };
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(IndexedFile { path, encoding, text_hash, body })
}

impl IndexedFile<'_> {
    /// Passes every occurrence that means something to `each`, in the order of the index.
    ///
    /// # Errors
    /// An occurrence has no valid range, or `each` failed.
    pub fn occurrences(
        &self,
        each: &mut dyn FnMut(Occurrence) -> Result<(), ScipError>,
    ) -> Result<(), ScipError> {
        each_field(self.body, &mut |field, value| {
            let (OCCURRENCES, Field::Bytes(bytes)) = (field, value) else { return Ok(()) };
            let found = types::Occurrence::decode(bytes).map_err(unreadable)?;
            if found.symbol.is_empty() {
                // It only says how to colour a text.
                return Ok(());
            }
            let place = place(&found).ok_or_else(|| {
                let path = &self.path;
                no_index(format!("`{path}` has an occurrence without a valid range"))
            })?;
            let has = |role: i32| found.symbol_roles & role != 0;
            each(Occurrence {
                place,
                defines: has(DEFINITION),
                is_import: has(IMPORT),
                symbol: found.symbol,
            })
        })
    }
}

fn place(found: &types::Occurrence) -> Option<Place> {
    let numbers = match (&found.typed_range, found.range.as_slice()) {
        (Some(TypedRange::SingleLine(one)), _) => {
            [one.line, one.start_character, one.line, one.end_character]
        }
        (Some(TypedRange::MultiLine(one)), _) => {
            [one.start_line, one.start_character, one.end_line, one.end_character]
        }
        (_, &[line, start, end]) => [line, start, line, end],
        (_, &[line, start, end_line, end]) => [line, start, end_line, end],
        _ => return None,
    };
    let [line, start, end_line, end] = numbers.map(|number| u32::try_from(number).ok());
    let place = Place { start: [line?, start?], end: [end_line?, end?] };
    (place.start <= place.end).then_some(place)
}

/// The value of a field, as far as it is looked at.
enum Field<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    Other,
}

/// Calls `each` with number and value of each field of a message.
fn each_field<'b>(
    bytes: &'b [u8],
    each: &mut dyn FnMut(u32, Field<'b>) -> Result<(), ScipError>,
) -> Result<(), ScipError> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let tag = varint(&mut rest)?;
        let value = match tag & 7 {
            0 => Field::Number(varint(&mut rest)?),
            1 => taken(&mut rest, 8).map(|_| Field::Other)?,
            2 => {
                let len = varint(&mut rest)?;
                Field::Bytes(taken(&mut rest, len)?)
            }
            5 => taken(&mut rest, 4).map(|_| Field::Other)?,
            _ => return Err(no_index("it has a field of an unknown type")),
        };
        let field = u32::try_from(tag >> 3);
        each(field.map_err(|_| no_index("it has a field of an invalid number"))?, value)?;
    }
    Ok(())
}

fn varint(rest: &mut &[u8]) -> Result<u64, ScipError> {
    prost::decode_length_delimiter(rest).map(|number| number as u64).map_err(unreadable)
}

fn taken<'b>(rest: &mut &'b [u8], len: u64) -> Result<&'b [u8], ScipError> {
    let (part, behind) = usize::try_from(len)
        .ok()
        .and_then(|len| rest.split_at_checked(len))
        .ok_or_else(|| no_index("it ends too early"))?;
    *rest = behind;
    Ok(part)
}

fn unreadable(error: prost::DecodeError) -> ScipError {
    no_index(error.to_string())
}

fn no_index(reason: impl Into<String>) -> ScipError {
    ScipError::NoIndex { reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Definition, Document, Reference, document, metadata};

    fn index() -> Vec<u8> {
        let place = Place { start: [1, 4], end: [1, 7] };
        let symbol = "asof cargo a 1.0 a/f().".to_owned();
        let definition =
            Definition { symbol: symbol.clone(), name_place: place, ..Definition::default() };
        let reference = Reference { place, symbol, is_import: true };
        let given = Document {
            text_hash: "h".to_owned(),
            path: "src/lib.rs".to_owned(),
            definitions: vec![definition],
            references: vec![reference],
        };
        [metadata("file:///a"), document(given)].concat()
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = index();
        let index = read(&bytes).unwrap();
        assert_eq!((index.tool.as_str(), index.root.as_str()), ("asof", "file:///a"));
        let [file] = index.files.as_slice() else { panic!("{index:?}") };
        assert_eq!((file.path.as_str(), file.encoding), ("src/lib.rs", Encoding::Utf8));
        let mut found = Vec::new();
        file.occurrences(&mut |one| {
            found.push((one.place.start, one.place.end, one.defines, one.is_import));
            Ok(())
        })
        .unwrap();
        assert_eq!(found, [([1, 4], [1, 7], true, false), ([1, 4], [1, 7], false, true)]);
    }

    #[test]
    fn ranges_come_in_three_forms_and_never_end_before_they_begin() {
        let check = |range: &[i32], expected: Option<[[u32; 2]; 2]>| {
            let found = types::Occurrence { range: range.to_vec(), ..types::Occurrence::default() };
            assert_eq!(place(&found).map(|place| [place.start, place.end]), expected, "{range:?}");
        };
        check(&[3, 1, 4], Some([[3, 1], [3, 4]]));
        check(&[3, 1, 5, 0], Some([[3, 1], [5, 0]]));
        for bad in
            [&[][..], &[3], &[3, 1], &[3, 4, 1], &[3, 1, 2, 9], &[-1, 0, 1], &[1, 2, 3, 4, 5]]
        {
            check(bad, None);
        }
        let one = types::SingleLineRange { line: 2, start_character: 1, end_character: 3 };
        let typed = types::Occurrence {
            typed_range: Some(TypedRange::SingleLine(one)),
            ..Default::default()
        };
        assert_eq!(place(&typed), Some(Place { start: [2, 1], end: [2, 3] }));
    }

    #[test]
    fn what_is_no_index_is_refused_wherever_it_ends() {
        let all = index();
        assert!(matches!(read(b""), Err(ScipError::NoIndex { .. })));
        assert!(matches!(read(b"pub fn main() {}\n"), Err(ScipError::NoIndex { .. })));
        let files = |bytes: &[u8]| read(bytes).map(|index| index.files.len());
        // An index may end after any file; within one it is cut off.
        let cuts: Vec<usize> = (1..all.len()).filter(|at| files(&all[..*at]).is_ok()).collect();
        assert_eq!(cuts, [metadata("file:///a").len()]);
        let twice = [&all[..], &all[..]].concat();
        assert!(matches!(read(&twice), Err(ScipError::Twice { path }) if path == "src/lib.rs"));
        // A length of two gigabytes costs nothing.
        let mut long = all.clone();
        long.extend([18, 255, 255, 255, 255, 7]);
        assert!(files(&long).is_err());
    }
}
