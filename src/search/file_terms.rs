//! The stored terms of one file. They depend on the file's text alone, so a save replaces one row,
//! and a search reads them without unpacking: a binary search for each term of the question.
//!
//! ```text
//! version: u8 = 3
//! items, terms, length of the path, tags: varint each
//! tags: [length: varint, UTF-8]
//! hash of each term, sorted: u32 little-endian
//! bytes of each term's postings: varint
//! items: [steps from the item before in the file's facts: varint, kind: u8, flags: u8,
//!         lines from the start of the item before, to the name, to the end: varint each,
//!         number of terms in each field but the path: varint, name: varint and UTF-8]
//! vectors: [`DIMENSION` numbers, i8] of the items with the flag `VECTOR`
//! postings: [steps from the document before: varint, fields: u8, count in each field: varint]
//! ```
//!
//! Document 0 of the postings is the path, which belongs to all items; item `n` is document
//! `n + 1`.

use std::collections::BTreeMap;

use super::meaning;
use super::terms::Term;
use super::words::DIMENSION;
use asof_model::NodeKind;

/// Version of the format, and of the word vectors that the vectors in it are made of.
const VERSION: u8 = 3;

asof_model::named! {
    /// Where a term is found.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    #[repr(u8)]
    pub enum Field {
        /// Name of the item.
        Name => "name",
        /// Type, trait or inline module around it.
        Container => "container",
        /// Path of the file.
        Path => "path",
        /// Signature.
        Signature => "signature",
        /// Documentation.
        Docs => "docs",
        /// Code of the body.
        Body => "body",
        /// Comments in the body.
        Comments => "comments",
    }
}

impl Field {
    /// Its place in arrays.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What is known of an item from its file alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u8);

impl Flags {
    /// Its own attributes, or those of an item around it, make it test code.
    pub const TEST: u8 = 1;
    /// It is `pub`.
    pub const PUBLIC: u8 = 2;
    /// It is in the impl of a trait.
    pub const TRAIT_IMPL: u8 = 4;
    /// It has documentation.
    pub const DOCUMENTED: u8 = 8;
    /// It is in the body of a function.
    pub const IN_BODY: u8 = 16;
    /// It has a vector.
    pub const VECTOR: u8 = 32;

    /// Whether a flag is set.
    pub const fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// A document: an item, and how often each term is in each of its fields.
#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    pub item: u32,
    pub kind: u8,
    pub flags: Flags,
    /// Lines of its start, name and end.
    pub lines: [u32; 3],
    pub name: String,
    pub terms: BTreeMap<Term, [u16; 7]>,
    /// What it means; none if that is not stored.
    pub vector: Option<meaning::Vector>,
}

/// Terms of a file, as they are stored.
pub(super) fn encode(
    path: &BTreeMap<Term, [u16; 7]>,
    documents: &[Document],
    tags: &[String],
) -> Vec<u8> {
    let mut postings: BTreeMap<Term, (u32, Vec<u8>)> = BTreeMap::new();
    let numbered = (0u32..).zip(std::iter::once(path).chain(documents.iter().map(|d| &d.terms)));
    for (number, terms) in numbered {
        for (term, counts) in terms {
            let (last, out) = postings.entry(*term).or_default();
            varint(out, number - *last);
            *last = number;
            let mask = (0..7u8).zip(counts).filter(|(_, n)| **n > 0).map(|(bit, _)| 1 << bit);
            out.push(mask.fold(0, |mask, bit: u8| mask | bit));
            counts.iter().filter(|n| **n > 0).for_each(|n| varint(out, u32::from(*n)));
        }
    }
    let length = |terms: &BTreeMap<Term, [u16; 7]>, field: usize| -> u32 {
        terms.values().filter_map(|counts| counts.get(field)).map(|n| u32::from(*n)).sum()
    };
    let mut out = vec![VERSION];
    varint(&mut out, documents.len() as u32);
    varint(&mut out, postings.len() as u32);
    varint(&mut out, length(path, Field::Path.index()));
    varint(&mut out, tags.len() as u32);
    for tag in tags {
        varint(&mut out, tag.len() as u32);
        out.extend(tag.as_bytes());
    }
    postings.keys().for_each(|term| out.extend(term.0.to_le_bytes()));
    postings.values().for_each(|(_, bytes)| varint(&mut out, bytes.len() as u32));
    let (mut last, mut last_line) = (0, 0);
    for document in documents {
        varint(&mut out, document.item - last);
        last = document.item;
        let vector = if document.vector.is_some() { Flags::VECTOR } else { 0 };
        out.extend([document.kind, document.flags.0 | vector]);
        let [start, name, end] = document.lines;
        varint(&mut out, start.saturating_sub(last_line));
        varint(&mut out, name.saturating_sub(start));
        varint(&mut out, end.saturating_sub(start));
        last_line = start;
        for field in Field::ALL.iter().filter(|field| **field != Field::Path) {
            varint(&mut out, length(&document.terms, field.index()));
        }
        varint(&mut out, document.name.len() as u32);
        out.extend(document.name.as_bytes());
    }
    for vector in documents.iter().filter_map(|document| document.vector.as_ref()) {
        out.extend(vector.iter().map(|number| *number as u8));
    }
    postings.values().for_each(|(_, bytes)| out.extend(bytes));
    out
}

fn varint(out: &mut Vec<u8>, mut n: u32) {
    while n >= 0x80 {
        out.push((n as u8) | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads numbers and bytes from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut n = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            n |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }
}

/// An item of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemTerms {
    /// Its index in the file's facts.
    pub item: u32,
    /// Kind of the item.
    pub kind: NodeKind,
    /// What is known of it from its file alone.
    pub flags: Flags,
    /// First line, from 1.
    pub start_line: u32,
    /// Line of the name.
    pub name_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Terms in each field, those of the file's path included.
    pub lengths: [u32; 7],
    /// Name of the item; of a file's own module, that of the file.
    pub name: String,
    /// Which of the file's vectors is its own.
    vector: Option<u32>,
}

/// The stored terms of a file, ready to be searched.
#[derive(Debug, Clone)]
pub struct FileTerms {
    /// File, relative to the root.
    pub path: String,
    /// Its items, in the order of the text.
    pub items: Vec<ItemTerms>,
    /// Dependencies and attributes, in lower case, sorted.
    pub tags: Vec<String>,
    terms: Vec<Term>,
    /// Where the postings of each term end.
    ends: Vec<u32>,
    data: Vec<u8>,
    /// Where the vectors begin in `data`.
    vectors: usize,
    /// Where the postings begin in `data`.
    postings: usize,
}

/// A document that has a term, and how often in each field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    /// Index in [`FileTerms::items`]; none for the path.
    pub item: Option<u32>,
    pub counts: [u16; 7],
}

impl FileTerms {
    /// Reads stored terms; `None` if they are not in this format.
    pub fn decode(path: &str, data: Vec<u8>) -> Option<Self> {
        let mut reader = Reader(&data);
        if reader.byte()? != VERSION {
            return None;
        }
        let (items, terms) = (reader.number()? as usize, reader.number()? as usize);
        let path_length = reader.number()?;
        let count = reader.number()? as usize;
        let mut tags = Vec::with_capacity(count.min(data.len()));
        for _ in 0..count {
            let len = reader.number()? as usize;
            tags.push(std::str::from_utf8(reader.bytes(len)?).ok()?.to_owned());
        }
        let hashes = reader.bytes(terms.checked_mul(4)?)?;
        let hashes = hashes.chunks_exact(4).filter_map(|chunk| chunk.try_into().ok());
        let terms_read: Vec<Term> = hashes.map(|chunk| Term(u32::from_le_bytes(chunk))).collect();
        let mut ends = Vec::with_capacity(terms);
        let mut end = 0u32;
        for _ in 0..terms {
            end = end.checked_add(reader.number()?)?;
            ends.push(end);
        }
        let mut read = Vec::with_capacity(items.min(data.len()));
        let (mut item, mut start_line, mut vectors) = (0u32, 0u32, 0u32);
        for _ in 0..items {
            item = item.checked_add(reader.number()?)?;
            let kind = *NodeKind::ALL.get(usize::from(reader.byte()?))?;
            let flags = Flags(reader.byte()?);
            start_line = start_line.checked_add(reader.number()?)?;
            let name_line = start_line.checked_add(reader.number()?)?;
            let end_line = start_line.checked_add(reader.number()?)?;
            let mut lengths = [0; 7];
            for field in Field::ALL {
                *lengths.get_mut(field.index())? = match field {
                    Field::Path => path_length,
                    _ => reader.number()?,
                };
            }
            let len = reader.number()? as usize;
            let name = std::str::from_utf8(reader.bytes(len)?).ok()?.to_owned();
            let vector = flags.has(Flags::VECTOR).then_some(vectors);
            vectors += u32::from(vector.is_some());
            read.push(ItemTerms {
                item,
                kind,
                flags,
                start_line,
                name_line,
                end_line,
                lengths,
                name,
                vector,
            });
        }
        let begin = data.len() - reader.0.len();
        reader.bytes((vectors as usize).checked_mul(DIMENSION)?)?;
        let postings = data.len() - reader.0.len();
        let whole = reader.0.len() == end as usize;
        whole.then(|| Self {
            path: path.to_owned(),
            items: read,
            tags,
            terms: terms_read,
            ends,
            data,
            vectors: begin,
            postings,
        })
    }

    /// Whether nothing but modules and their like is in it: it collects items of other files.
    pub fn only_collects(&self) -> bool {
        let is_own = |item: &&ItemTerms| {
            item.item != 0 && !matches!(item.kind, NodeKind::Module | NodeKind::MacroCall)
        };
        self.items.iter().filter(is_own).count() == 0
    }

    /// The vector of an item, in bytes that are `i8`.
    pub(super) fn vector(&self, item: &ItemTerms) -> Option<&[u8]> {
        let start = self.vectors + item.vector? as usize * DIMENSION;
        self.data.get(start..start + DIMENSION)
    }

    /// Bytes in the stored form.
    pub fn stored_len(&self) -> usize {
        self.data.len()
    }

    /// Whether a term is in any of its fields.
    pub(super) fn has(&self, term: Term) -> bool {
        self.terms.binary_search(&term).is_ok()
    }

    /// Calls `visit` for each document that has a term.
    pub(super) fn postings(&self, term: Term, mut visit: impl FnMut(Posting)) -> Option<()> {
        let at = self.terms.binary_search(&term).ok()?;
        let end = self.postings + *self.ends.get(at)? as usize;
        let start = match at {
            0 => self.postings,
            at => self.postings + *self.ends.get(at - 1)? as usize,
        };
        let mut reader = Reader(self.data.get(start..end)?);
        let mut number = 0u32;
        while !reader.0.is_empty() {
            number = number.checked_add(reader.number()?)?;
            let mask = reader.byte()?;
            let mut counts = [0; 7];
            for (bit, count) in counts.iter_mut().enumerate() {
                if mask & (1 << bit) != 0 {
                    *count = reader.number()?.min(u32::from(u16::MAX)) as u16;
                }
            }
            visit(Posting { item: number.checked_sub(1), counts });
        }
        Some(())
    }

    /// Terms of an item, in order: those of the path are not among them.
    #[cfg(test)]
    pub(super) fn terms_of(&self, item: u32) -> Vec<(Term, [u16; 7])> {
        let mut found = Vec::new();
        for term in &self.terms {
            self.postings(*term, |posting| {
                if posting.item == Some(item) {
                    found.push((*term, posting.counts));
                }
            });
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> (BTreeMap<Term, [u16; 7]>, Vec<Document>) {
        let path = BTreeMap::from([(Term(7), [0, 0, 2, 0, 0, 0, 0])]);
        let document = |item, name: &str, terms: &[(u32, [u16; 7])]| Document {
            item,
            kind: 1,
            flags: Flags(Flags::PUBLIC),
            lines: [item + 1, item + 2, item + 9],
            name: name.to_owned(),
            terms: terms.iter().map(|(term, counts)| (Term(*term), *counts)).collect(),
            vector: (item > 0).then_some([item as i8; DIMENSION]),
        };
        let first = document(0, "file", &[(1, [1, 0, 0, 0, 0, 0, 0])]);
        let second = document(300, "größe", &[(1, [0, 0, 0, 0, 0, 900, 0]), (7, [1; 7])]);
        (path, vec![first, second])
    }

    #[test]
    fn what_is_stored_is_read() {
        let (path, documents) = documents();
        let file =
            FileTerms::decode("a.rs", encode(&path, &documents, &["serde".to_owned()])).unwrap();
        assert_eq!(file.tags, ["serde"]);
        let names: Vec<_> = file.items.iter().map(|i| (i.item, i.name.as_str())).collect();
        assert_eq!(names, [(0, "file"), (300, "größe")]);
        assert_eq!(file.items[1].lengths, [1, 1, 2, 1, 1, 901, 1]);
        let item = &file.items[1];
        assert_eq!([item.start_line, item.name_line, item.end_line], [301, 302, 309]);
        assert_eq!(file.vector(item), Some([44; DIMENSION].as_slice()));
        assert_eq!(file.vector(&file.items[0]), None);
        let postings = |term| {
            let mut found = Vec::new();
            file.postings(Term(term), |p| found.push((p.item, p.counts)));
            found
        };
        assert_eq!(
            postings(1),
            [(Some(0), [1, 0, 0, 0, 0, 0, 0]), (Some(1), [0, 0, 0, 0, 0, 900, 0]),]
        );
        assert_eq!(postings(7), [(None, [0, 0, 2, 0, 0, 0, 0]), (Some(1), [1; 7])]);
        assert_eq!(postings(8), []);
        assert_eq!(file.terms_of(0), [(Term(1), [1, 0, 0, 0, 0, 0, 0])]);
    }

    #[test]
    fn what_is_cut_off_or_of_another_version_is_refused() {
        let (path, documents) = documents();
        let data = encode(&path, &documents, &["größe".to_owned()]);
        for len in 0..data.len() {
            assert!(FileTerms::decode("a.rs", data[..len].to_vec()).is_none(), "{len}");
        }
        let mut other = data;
        other[0] = 1;
        assert!(FileTerms::decode("a.rs", other).is_none());
    }
}
