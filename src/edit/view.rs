//! The file that an edit is about: its text, facts and tokens.

use super::fit::newline_of;
use asof_model::{FileFacts, ItemFacts, OrNever};
use asof_syntax::{Anatomy, Scan};

/// A file that is being edited: its text, and the facts and tokens of the text.
#[allow(missing_debug_implementations)]
pub struct FileView<'a> {
    pub path: &'a str,
    pub text: &'a str,
    pub facts: &'a FileFacts,
    pub scan: Scan<'a>,
}

/// The line of a byte of a text, from 1.
pub fn line_of(text: &str, byte: u32) -> u32 {
    let before = text.as_bytes().get(..byte as usize).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count() as u32
}

impl<'a> FileView<'a> {
    /// The view of a parsed text.
    pub fn new(path: &'a str, text: &'a str, facts: &'a FileFacts) -> Self {
        Self { path, text, facts, scan: Scan::new(text) }
    }

    pub(super) fn slice(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).or_never("a part of an item lies in its text")
    }

    pub(super) fn item(&self, index: u32) -> Option<&'a ItemFacts> {
        self.facts.items.get(index as usize)
    }

    pub(super) fn anatomy(&self, index: u32) -> Anatomy {
        match self.item(index) {
            Some(item) => self.scan.anatomy(&item.span, item.kind, index == 0),
            None => Anatomy::default(),
        }
    }

    pub(super) fn newline(&self) -> &'static str {
        newline_of(self.text)
    }

    pub(super) fn children(&self, index: u32) -> impl Iterator<Item = (u32, &'a ItemFacts)> {
        let items = self.facts.items.iter().enumerate().skip(1);
        items.map(|(at, item)| (at as u32, item)).filter(move |(_, item)| item.parent == index)
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, byte: u32) -> u32 {
        line_of(self.text, byte)
    }

    /// The same code with the line endings of this file.
    pub(super) fn with_newlines(&self, code: &str) -> String {
        match self.newline() {
            "\n" => code.to_owned(),
            newline => code.replace("\r\n", "\n").replace('\n', newline),
        }
    }
}
