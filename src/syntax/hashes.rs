//! Token hashes. The tokens of a file are encoded once into one buffer (and once more without
//! documentation), so that the hash of an item is that of a slice.
//!
//! What counts: class and text of every token, in order, and which characters form an operator.
//! What never counts: blanks, ordinary comments, line ends. `/// x` and `#[doc = "x"]` count as
//! different texts of documentation.

use super::lexer::Kind;
use super::source::{Source, Toks};
use asof_model::{ShapeHash, TrackingHash};

const WORD: u8 = 1;
const LIFETIME: u8 = 2;
const LITERAL: u8 = 3;
const DOC: u8 = 4;
const OTHER: u8 = 5;
/// Takes the place of an item's own name in its shape.
const NAME: u8 = 6;

/// An encoded text with the place of each token in it.
#[derive(Default)]
struct Encoded {
    bytes: Vec<u8>,
    at: Vec<u32>,
}

impl Encoded {
    fn part(&self, toks: Toks) -> &[u8] {
        let place = |i: usize| self.at.get(i).map_or(self.bytes.len(), |&at| at as usize);
        self.bytes.get(place(toks.start)..place(toks.end)).unwrap_or_default()
    }

    fn text(&mut self, tag: u8, text: &[u8]) {
        self.bytes.push(tag);
        match u8::try_from(text.len()) {
            Ok(len) if len < u8::MAX => self.bytes.push(len),
            _ => {
                self.bytes.push(u8::MAX);
                self.bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
            }
        }
        self.bytes.extend_from_slice(text);
    }
}

/// Both encodings of a file.
pub(super) struct TokenHashes {
    full: Encoded,
    bare: Encoded,
}

impl TokenHashes {
    pub(super) fn new(source: &Source<'_>) -> Self {
        let mut full = Encoded::default();
        let mut bare = Encoded::default();
        full.bytes.reserve(source.text.len());
        bare.bytes.reserve(source.text.len());
        full.at.reserve(source.tokens.len() + 1);
        bare.at.reserve(source.tokens.len() + 1);
        for (i, token) in source.tokens.iter().enumerate() {
            full.at.push(full.bytes.len() as u32);
            bare.at.push(bare.bytes.len() as u32);
            let from = full.bytes.len();
            match token.kind {
                Kind::Word => full.text(WORD, source.str(i).as_bytes()),
                Kind::Lifetime => full.text(LIFETIME, source.str(i).as_bytes()),
                Kind::Literal => full.text(LITERAL, source.str(i).as_bytes()),
                Kind::Doc => full.text(DOC, canonical_doc(source.str(i)).as_bytes()),
                Kind::Punct if token.byte.is_ascii() => {
                    // The high bit is free: ASCII operators and tags are below.
                    full.bytes.push(token.byte | if token.glued { 0x80 } else { 0 });
                }
                Kind::Punct => full.text(OTHER, source.str(i).as_bytes()),
                Kind::Open | Kind::Close | Kind::End => full.bytes.push(token.byte),
            }
            if !token.doc {
                bare.bytes.extend_from_slice(full.bytes.get(from..).unwrap_or_default());
            }
        }
        TokenHashes { full, bare }
    }

    /// Hash of these tokens.
    pub(super) fn tracking(&self, toks: Toks) -> TrackingHash {
        TrackingHash::hash(self.full.part(toks))
    }

    /// Hash of these tokens without documentation, and without the name at this place.
    pub(super) fn shape(&self, toks: Toks, name: Option<usize>) -> ShapeHash {
        match name {
            Some(name) if toks.contains(&name) => {
                let mut hasher = blake3::Hasher::new();
                hasher.update(self.bare.part(toks.start..name));
                hasher.update(&[NAME]);
                hasher.update(self.bare.part(name + 1..toks.end));
                ShapeHash::finish(&hasher)
            }
            _ => ShapeHash::hash(self.bare.part(toks)),
        }
    }
}

/// A documentation comment without its layout: line ends, blanks at the end of lines,
/// and in blocks the indentation of lines.
fn canonical_doc(comment: &str) -> std::borrow::Cow<'_, str> {
    if comment.starts_with("//") {
        return comment.trim_end().into();
    }
    comment.lines().map(str::trim).collect::<Vec<_>>().join("\n").into()
}
