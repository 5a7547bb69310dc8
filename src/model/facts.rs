//! The facts of one file's text: the output of `syntax`, the input of `resolve` and `index`.

use serde::{Deserialize, Serialize};

use super::hash::{RawHash, ShapeHash, TextHash, TrackingHash};
use super::kind::NodeKind;
use super::metrics::Metrics;
use super::span::{PartSpan, Span};
use super::uses::FileUses;

/// Facts of one file. Items are in pre-order: a parent comes before its children, siblings in
/// the order of the text. Item 0 is the file itself, as the module that it is the body of.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFacts {
    /// Relative to the root.
    pub path: String,
    pub raw_hash: RawHash,
    /// Hash of the whole file's tokens.
    pub token_hash: TrackingHash,
    /// Length in bytes.
    pub len: u32,
    /// Number of lines.
    pub lines: u32,
    /// Whether the file did not parse, and its items are what a tolerant parser found.
    pub partial: bool,
    pub items: Vec<ItemFacts>,
    /// What the items use; empty if the text was not parsed.
    pub uses: FileUses,
    pub issues: Vec<Issue>,
}

/// Facts of one item.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemFacts {
    pub kind: NodeKind,
    /// Without `r#`. An impl's, import's or macro call's name is a short description.
    pub name: String,
    /// Index of the parent in [`FileFacts::items`]; 0 for top-level items and for the file itself.
    pub parent: u32,
    /// Whether it is in the body of a function, const or static: reachable by no path
    /// from outside.
    pub in_body: bool,
    /// The block of its parent's body that declares it; none outside of bodies, and where the body
    /// does not parse.
    pub block: Option<Block>,
    /// As written: `pub`, `pub(crate)`, `pub(in a::b)`, or empty. Variants, and items of traits
    /// and trait impls, are empty.
    pub visibility: String,
    /// The head of the item in one line: no attributes, no body.
    pub signature: String,
    /// Text of the documentation comments, lines joined with `\n`, one leading space removed.
    pub docs: String,
    /// Predicate of its own `#[cfg]`s, normalised; several are joined as `all(…)`. Empty if none.
    pub cfg: String,
    /// Attributes as written, in one line each: documentation and `cfg` excluded.
    pub attrs: Vec<Attr>,
    /// Whether its own attributes or `cfg` make it test code; what it is nested in may, too.
    pub marks_test: bool,
    pub generics: Vec<GenericParam>,
    pub params: Vec<Param>,
    /// From the first attribute or documentation comment to the last byte.
    pub span: Span,
    /// Column of the span's first byte: bytes from the start of its line.
    pub start_column: u32,
    /// First byte and line of the name, absolute; of the keyword where there is no name.
    pub name_start: u32,
    pub name_line: u32,
    pub tracking_hash: TrackingHash,
    pub shape_hash: ShapeHash,
    /// Text with the children left out, or `None` where the parent's text holds it
    /// (fields, variants).
    pub text: Option<(TextHash, Vec<u8>)>,
    /// What is measured of it, if anything is.
    pub metrics: Option<Box<Metrics>>,
    pub header: Header,
    /// Its types and bounds as others see them: [`super::TreeItem::sig`].
    pub sig: String,
    /// Whether a call of a macro makes it; it is then where the call is.
    pub made: bool,
}

/// A block that declares items, among those of one body: each is a scope of its own (Rust
/// reference, "Block expressions").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Block {
    /// Number among the blocks of the body that declare items, in the order of the text.
    #[serde(rename = "n", default, skip_serializing_if = "is_first")]
    pub number: u32,
    /// Number of the nearest such block around it.
    #[serde(rename = "o", default, skip_serializing_if = "Option::is_none")]
    pub outer: Option<u32>,
}

fn is_first(number: &u32) -> bool {
    *number == 0
}

impl ItemFacts {
    /// Column of its first byte, counted as an item's owner counts places: on the owner's first
    /// line from the owner's start, on others from the start of the line.
    pub fn column_in(&self, owner: &ItemFacts) -> u32 {
        if self.span.start_line == owner.span.start_line {
            self.start_column.saturating_sub(owner.start_column)
        } else {
            self.start_column
        }
    }
}

/// What resolution needs to know of an item beyond its name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Header {
    #[default]
    None,
    /// A struct or variant with its fields in braces: it has no constructor.
    Braced,
    /// A module: whether its body is in braces, and its `#[path]`, plain or under `cfg_attr`.
    Module {
        inline: bool,
        path: Option<String>,
        cfg_path: Vec<(String, String)>,
        macro_use: bool,
    },
    /// The names that a `use` declaration brings in.
    Import {
        leaves: Vec<UseLeaf>,
    },
    /// The item's name is the one that it brings in; `of`: the crate's own, if that is another.
    ExternCrate {
        of: Option<String>,
        macro_use: bool,
    },
    Impl {
        self_type: PathRef,
        of_trait: Option<PathRef>,
        negative: bool,
    },
    /// `exported`: `#[macro_export]`.
    Macro {
        exported: bool,
    },
    /// An invocation; `items`: whether its tokens parsed as items.
    MacroCall {
        items: bool,
    },
}

/// One name of a `use` tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UseLeaf {
    /// Segments without `r#`, `crate`, `self`, `super` included; a leading `::` is an empty
    /// first segment. For a glob, the path before `::*`.
    pub path: Vec<String>,
    /// The name that is brought in (`_` possible); empty for a glob.
    pub name: String,
    pub glob: bool,
}

/// A type or trait as written in an impl header.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct PathRef {
    /// Tokens in canonical spacing, lifetimes kept.
    pub text: String,
    /// Segments of the path without generic arguments; empty for types that are not paths
    /// (references, tuples, slices, `dyn`). A leading `::` is an empty first segment.
    pub path: Vec<String>,
    /// Generic arguments of the last segment as written, `<…>`, or empty.
    pub args: String,
}

/// An attribute other than documentation and `cfg`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attr {
    /// As written, in one line, with `#[…]`.
    pub text: String,
    pub span: PartSpan,
}

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The pattern as written; `self` for a receiver.
    pub name: String,
    /// The type as written; that of a receiver is spelled out (`&mut Self`).
    pub ty: String,
    pub span: PartSpan,
}

/// A generic parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GenericParam {
    /// With its mark: `'a`, `T`, `N`.
    pub name: String,
    /// `lifetime`, `type` or `const`.
    pub kind: &'static str,
    /// Bounds, or the type of a const parameter, as written.
    pub bounds: String,
    pub span: PartSpan,
}

/// Something that could not be known, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Issue {
    /// Relative to the root.
    pub file_path: String,
    pub kind: IssueKind,
    pub message: String,
    pub span: Option<Span>,
}

crate::named! {
    /// Class of an issue.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum IssueKind {
        /// The file could not be read.
        Unreadable => "unreadable",
        /// The file is not UTF-8.
        NotUtf8 => "not_utf8",
        /// The file is too large to be parsed.
        TooLarge => "too_large",
        /// Brackets are nested too deeply to be parsed.
        TooDeep => "too_deep",
        /// The file does not parse as Rust.
        Syntax => "syntax",
        /// A `mod name;` whose file does not exist.
        MissingModule => "missing_module",
        /// A module that includes itself.
        ModuleCycle => "module_cycle",
        /// A manifest that does not parse.
        Manifest => "manifest",
    }
}
