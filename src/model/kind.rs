//! Kinds of nodes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// A text that is not the name of a kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind `{0}`{offer}; kinds are: {list}", offer = meant(.0), list = NodeKind::ALL.iter().map(|k| k.as_str()).collect::<Vec<_>>().join(", "))]
pub struct UnknownKind(pub String);

/// The kind that a text may mean, as an offer: a keyword, another word for it, or its beginning.
fn meant(text: &str) -> String {
    let text = text.trim().to_lowercase().replace([' ', '-'], "_");
    let kind = match text.as_str() {
        "fn" => Some(NodeKind::Function),
        "mod" => Some(NodeKind::Module),
        "type" | "alias" | "typedef" => Some(NodeKind::TypeAlias),
        "use" => Some(NodeKind::Import),
        "class" => Some(NodeKind::Struct),
        "interface" => Some(NodeKind::Trait),
        "macro_rules" | "macro_rules!" => Some(NodeKind::Macro),
        "constant" => Some(NodeKind::Const),
        _ => {
            let plural = text.strip_suffix('s').unwrap_or(&text);
            let begins = |kind: &NodeKind| text.len() > 1 && kind.as_str().starts_with(plural);
            NodeKind::ALL.iter().copied().find(begins)
        }
    };
    kind.map(|kind| format!(": did you mean `{kind}`?")).unwrap_or_default()
}

crate::named! {
    /// Kind of a node, as stored and printed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum NodeKind {
        /// A crate root, `mod name;` or `mod name { … }`.
        Module => "module",
        /// A free function, nested functions and foreign functions included.
        Function => "function",
        /// An associated function of an impl or trait, with or without `self`.
        Method => "method",
        Struct => "struct",
        Enum => "enum",
        Union => "union",
        Trait => "trait",
        TraitAlias => "trait_alias",
        TypeAlias => "type_alias",
        Const => "const",
        Static => "static",
        /// `macro_rules! name` or `macro name`.
        Macro => "macro",
        /// A macro invoked in the place of an item.
        MacroCall => "macro_call",
        Impl => "impl",
        /// A `use` declaration.
        Import => "import",
        ExternCrate => "extern_crate",
        /// An `extern "ABI" { … }` block.
        ForeignMod => "foreign_mod",
        ForeignType => "foreign_type",
        AssocConst => "assoc_const",
        AssocType => "assoc_type",
        Field => "field",
        Variant => "variant",
        /// An item that only a tolerant parser could delimit.
        Unknown => "unknown",
    }
}

impl FromStr for NodeKind {
    type Err = UnknownKind;
    fn from_str(text: &str) -> Result<Self, UnknownKind> {
        Self::parse(text).ok_or_else(|| UnknownKind(text.to_owned()))
    }
}

impl NodeKind {
    /// Kinds that introduce no name and so have no canonical path of their own.
    pub const fn is_anonymous(self) -> bool {
        matches!(
            self,
            Self::Impl | Self::Import | Self::ForeignMod | Self::MacroCall | Self::Unknown
        )
    }

    /// Whether such an item has a body that runs, or a value that is computed.
    pub const fn has_body(self) -> bool {
        matches!(
            self,
            Self::Function | Self::Method | Self::Const | Self::Static | Self::AssocConst
        )
    }

    /// Whether a name alone in a pattern means such an item instead of binding a variable: constants,
    /// statics, unit variants and, where they have a constructor, structs (Rust reference,
    /// "Identifier patterns").
    pub const fn is_identifier_pattern(self) -> bool {
        matches!(self, Self::Const | Self::Static | Self::Struct | Self::Variant)
    }

    /// Namespaces that the kind's name is in: `t`ypes, `v`alues, `m`acros, `f`ields,
    /// or `-` for what has no name (Rust reference, "Namespaces").
    pub const fn namespaces(self) -> &'static str {
        match self {
            Self::Module
            | Self::Enum
            | Self::Union
            | Self::Trait
            | Self::TraitAlias
            | Self::TypeAlias
            | Self::ExternCrate
            | Self::ForeignType
            | Self::AssocType => "t",
            Self::Struct | Self::Variant => "tv",
            Self::Function | Self::Method | Self::Const | Self::Static | Self::AssocConst => "v",
            Self::Macro => "m",
            Self::Field => "f",
            Self::MacroCall | Self::Impl | Self::Import | Self::ForeignMod | Self::Unknown => "-",
        }
    }
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for NodeKind {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        if s.is_human_readable() {
            s.serialize_str(self.as_str())
        } else {
            s.serialize_u8(*self as u8)
        }
    }
}

/// Reads a kind by its name, or by its number in a binary form.
struct KindVisitor;

impl serde::de::Visitor<'_> for KindVisitor {
    type Value = NodeKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a kind of node")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<NodeKind, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u8<E: serde::de::Error>(self, number: u8) -> Result<NodeKind, E> {
        let kind = NodeKind::ALL.get(usize::from(number)).copied();
        kind.ok_or_else(|| E::custom(format_args!("no kind has the number {number}")))
    }
}

impl<'de> serde::Deserialize<'de> for NodeKind {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        if d.is_human_readable() {
            d.deserialize_str(KindVisitor)
        } else {
            d.deserialize_u8(KindVisitor)
        }
    }
}

impl JsonSchema for NodeKind {
    fn schema_name() -> Cow<'static, str> {
        "NodeKind".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<&str> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
        json_schema!({ "type": "string", "enum": kinds })
    }
}

/// Types of the language that have a name and methods. Their names begin a path: `str::len`.
pub const PRIMITIVES: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "bool", "char", "str",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RefKind;

    #[test]
    fn an_unknown_kind_is_answered_with_the_one_that_is_meant() {
        let offered = [
            ("fn", "function"),
            ("Functions", "function"),
            ("meth", "method"),
            ("use", "import"),
            ("type alias", "type_alias"),
            ("mod", "module"),
            ("macro-call", "macro_call"),
        ];
        for (text, kind) in offered {
            let said = text.parse::<NodeKind>().unwrap_err().to_string();
            assert!(said.contains(&format!(": did you mean `{kind}`?; kinds are: ")), "{said}");
        }
        let said = "thing".parse::<NodeKind>().unwrap_err().to_string();
        assert!(said.starts_with("unknown kind `thing`; kinds are: "), "{said}");
        let said = "calls".parse::<RefKind>().unwrap_err().to_string();
        assert!(said.starts_with("unknown kind of use `calls`: did you mean `call`?"), "{said}");
        let said = "function".parse::<RefKind>().unwrap_err().to_string();
        assert!(said.contains("`function`, which is a kind of items; kinds of uses"), "{said}");
    }
}
