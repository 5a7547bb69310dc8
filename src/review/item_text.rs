//! The text of a file with what its names mean, and the part of it that is an item's.

use std::collections::BTreeMap;
use std::ops::Range;

use super::groups::{Group, Tokens, groups};
use super::token::{Identity, Meaning};
use asof_model::RefKind;
use asof_refactor::LocalName;
use asof_syntax::{LexToken, lex};

/// A use of a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NameUse {
    pub meaning: Meaning,
    /// Whether it is resolved with certainty.
    pub is_certain: bool,
    /// Whether it means a module or a crate.
    pub is_module: bool,
    /// The path, if it is of another crate, or the text of what is not known.
    pub outside: Option<Box<str>>,
}

/// The text of a file, and what is known of its names by their first bytes.
#[derive(Debug, Clone, Default)]
pub struct FileText {
    pub text: String,
    pub(super) lexed: Vec<LexToken>,
    /// By the token that opens it.
    pub(super) groups: BTreeMap<u32, Group>,
    pub uses: BTreeMap<u32, Vec<NameUse>>,
    /// Items, fields and variants where their names are written.
    pub definitions: BTreeMap<u32, Identity>,
    pub(super) locals: BTreeMap<u32, LocalName>,
    /// Bytes of the items, for names that an item around another one binds.
    pub items: Vec<Range<u32>>,
    /// Whether it could be parsed for the names that it binds.
    pub is_read: bool,
}

impl FileText {
    pub fn new(text: String) -> Self {
        let lexed = lex(&text, 0);
        Self { text, lexed, ..Self::default() }
    }

    /// Finds what the text binds for itself. Uses have to be known.
    pub fn bind(&mut self) {
        let is_item = |at: u32| {
            let uses = self.uses.get(&at).into_iter().flatten();
            let mut others =
                uses.filter(|one| !matches!(one.meaning.kind, RefKind::Field | RefKind::Implicit));
            others.any(|one| one.is_certain)
        };
        let found = asof_refactor::bindings(&self.text, &is_item);
        self.is_read = found.is_some();
        self.locals =
            found.unwrap_or_default().into_iter().map(|local| (local.at, local)).collect();
        let path = |byte: u32| match self.uses_at(byte) {
            [one] if one.is_certain => one.outside.as_deref(),
            _ => None,
        };
        let found = groups(&Tokens { text: &self.text, lexed: &self.lexed, path: &path });
        self.groups = found;
    }

    pub(super) fn token_text(&self, token: &LexToken) -> &str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    pub(super) fn uses_at(&self, byte: u32) -> &[NameUse] {
        self.uses.get(&byte).map_or(&[], Vec::as_slice)
    }

    /// Whether all that a name at a byte means is certain, and it means something.
    pub(super) fn is_certain(&self, byte: u32) -> bool {
        let uses = self.uses_at(byte);
        !uses.is_empty() && uses.iter().all(|one| one.is_certain)
    }

    /// Line of a byte, from 1.
    pub fn line(&self, byte: u32) -> u32 {
        let before = self.text.as_bytes().get(..byte as usize).unwrap_or_default();
        1 + before.iter().filter(|one| **one == b'\n').count() as u32
    }
}

/// The modules around an item.
#[derive(Debug, Clone, Copy)]
pub struct Standpoint {
    pub module: Identity,
    /// The module around `module`.
    pub above: Option<Identity>,
    pub root: Identity,
}

/// The part of a file that is an item's own: without the items in it that have texts of their own.
#[derive(Debug, Clone)]
pub struct ItemText<'a> {
    pub file: &'a FileText,
    /// In order.
    pub ranges: Vec<Range<u32>>,
    pub standpoint: Standpoint,
    /// Whether it is a module: its braces and semicolon say where its text is.
    pub is_module: bool,
}
