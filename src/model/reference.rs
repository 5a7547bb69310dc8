//! References: uses of items that `resolve` finds in the texts, and `index` stores as edges.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::id::NodeId;
use super::kind::NodeKind;

/// A use of an item, with every place of that use in the text of one source item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The innermost item with a text of its own that holds the occurrences: a function, a type, an
    /// impl (for its head), a module (for what is between its items).
    pub source: NodeId,
    pub kind: RefKind,
    pub target: RefTarget,
    /// The rule that found it.
    pub provenance: &'static str,
    /// Confidence of the rule, in percent: the share of such references that are right.
    pub confidence: u8,
    /// What has to hold beside the presence conditions of source and target, in normal form: a
    /// `cfg` on a statement, or on the import that the name came by.
    pub condition: Option<Box<str>>,
    /// Sorted by offset, without duplicates; not empty.
    pub occurrences: Vec<Occurrence>,
}

/// Target of a reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RefTarget {
    /// A definition of the workspace.
    Node(NodeId),
    /// A definition of a dependency or a standard crate, by its full path (`std::fs::read`).
    External(String),
    /// Not known; as written (`.len` for a method of an unknown receiver).
    Unknown(String),
}

crate::named! {
    /// How the target is used.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RefKind {
        /// A function called by path: `f()`, `Type::new()`, and tuple structs and variants.
        Call => "call",
        /// A method called with a dot.
        MethodCall => "method_call",
        /// Used as a value without being called: consts, statics, functions passed on, variants.
        Value => "value",
        /// A field read, written or named in a struct literal or pattern.
        Field => "field",
        /// A pattern: variants and consts matched, structs destructured.
        Pattern => "pattern",
        /// A type, in signatures and in bodies.
        Type => "type",
        /// A trait in a bound, `dyn`, `impl Trait` or the head of an impl.
        Bound => "bound",
        /// A segment of a path before the last, and modules in `pub(in …)`.
        Path => "path",
        /// A name in a `use` declaration or `extern crate`.
        Use => "use",
        /// A macro called.
        Macro => "macro",
        /// A derive or another attribute.
        Attribute => "attribute",
        /// From an item of an impl to the item of the trait that it implements.
        Overrides => "overrides",
        /// A name in tokens that are not read (the body of a macro, arguments of an attribute), or in
        /// a path that does not resolve. What it means is not known.
        Mention => "mention",
        /// A method that an operator, an index, `for` or `.await` calls.
        Implicit => "implicit",
        /// `self`, `super` or `crate` in a path: the module that it means.
        Keyword => "keyword",
    }
}

impl RefKind {
    /// Kinds that questions take if they are asked for none: a keyword at the beginning of a path
    /// says where the path begins, and is no dependency.
    pub const LISTED: &'static [RefKind] = match Self::ALL.split_last() {
        Some((Self::Keyword, others)) => others,
        _ => &Self::ALL,
    };

    /// Kinds that make one function the caller of another.
    pub const CALLS: &'static [RefKind] = &[Self::Call, Self::MethodCall, Self::Implicit];
}

/// One place of a reference, relative to the start of the source item's span, so that it stays
/// the same when the item moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Occurrence {
    /// Bytes from the start of the source item to the name.
    pub offset: u32,
    /// Lines from the first line of the source item.
    pub line: u32,
    /// Bytes from the start of the line to the name; on the first line, from the start of the
    /// source item.
    pub column: u32,
}

/// A text that is not the name of a kind of use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of use `{0}`{offer}; kinds of uses are: {list}", offer = other_kind(.0), list = RefKind::ALL.iter().map(|k| k.as_str()).collect::<Vec<_>>().join(", "))]
pub struct UnknownRefKind(pub String);

/// What a text may mean: a kind of items, or a kind that begins like it.
fn other_kind(text: &str) -> String {
    let singular = text.strip_suffix('s').unwrap_or(text);
    let begins = |kind: &RefKind| singular.len() > 1 && kind.as_str().starts_with(singular);
    match RefKind::ALL.iter().copied().find(begins) {
        _ if NodeKind::parse(text).is_some() => ", which is a kind of items".to_owned(),
        Some(kind) => format!(": did you mean `{}`?", kind.as_str()),
        None => String::new(),
    }
}

impl std::str::FromStr for RefKind {
    type Err = UnknownRefKind;
    fn from_str(text: &str) -> Result<Self, UnknownRefKind> {
        Self::parse(text).ok_or_else(|| UnknownRefKind(text.to_owned()))
    }
}

impl serde::Serialize for RefKind {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for RefKind {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for RefKind {
    fn schema_name() -> Cow<'static, str> {
        "RefKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<&str> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
        json_schema!({ "type": "string", "enum": kinds })
    }
}

impl std::fmt::Display for RefKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl RefTarget {
    /// Identity of the target: of what is not a node, derived from its text.
    pub fn id(&self) -> NodeId {
        match self {
            Self::Node(id) => *id,
            Self::External(path) => NodeId::of_external(path),
            Self::Unknown(text) => NodeId::of_unknown(text),
        }
    }
}
