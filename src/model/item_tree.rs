//! The item tree of a file: the part of its facts that other files' names can depend on.
//! An edit that leaves the item tree unchanged does not change any id, path or edge.

use serde::{Deserialize, Serialize};

use super::facts::{Block, FileFacts, Header, ItemFacts};
use super::hash::RawHash;
use super::kind::NodeKind;
use super::never::OrNever;

/// Items of one file without bodies, texts and places, in the order of
/// [`FileFacts::items`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ItemTree {
    pub items: Vec<TreeItem>,
}

/// An item as name resolution sees it; fields as in [`super::ItemFacts`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeItem {
    #[serde(rename = "k")]
    pub kind: NodeKind,
    #[serde(rename = "n", default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    #[serde(rename = "p", default, skip_serializing_if = "is_zero")]
    pub parent: u32,
    #[serde(rename = "b", default, skip_serializing_if = "is_false")]
    pub in_body: bool,
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Block>,
    #[serde(rename = "v", default, skip_serializing_if = "String::is_empty")]
    pub visibility: String,
    #[serde(rename = "c", default, skip_serializing_if = "String::is_empty")]
    pub cfg: String,
    /// Whether its own attributes or `cfg` make it test code.
    #[serde(rename = "t", default, skip_serializing_if = "is_false")]
    pub marks_test: bool,
    #[serde(rename = "h", default, skip_serializing_if = "is_plain")]
    pub header: Header,
    /// Names of the generic parameters of an impl: they are not types of the workspace.
    #[serde(rename = "g", default, skip_serializing_if = "Vec::is_empty")]
    pub generics: Vec<String>,
    /// Of modules in files of their own, both at the declaration and in the file: documentation
    /// and attributes, since the module's node shows the two together.
    #[serde(rename = "d", default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    #[serde(rename = "a", default, skip_serializing_if = "Vec::is_empty")]
    pub attrs: Vec<String>,
    /// Types and bounds, for inference: without places, lifetimes, names of parameters, bodies.
    /// In this order, each part where there is one: `async `; generic parameters `<T,U=V,#N>`
    /// (`#`: a const); predicates `{T:A+B;U:C}`; then parameters and result `(self:&Self,A)->R`
    /// of functions, `@Name` of a function that is the derive macro `Name`, `@` of other procedural
    /// macros, `#A,B` derives of types, with `A(argument=Name)` for an attribute whose argument
    /// names a type, `#pin` of a field with that attribute, `:A+B` supertraits, bounds of an associated type or
    /// trait of an impl, `=T` type of a field or value, target of an alias, type of an impl.
    /// Of a macro its rules, and of a call among items its tokens, unless they are long.
    /// Types are written as in Rust, but `[T;]`, `dyn(A+B)` and `impl(A+B)`, and `{}` for a const
    /// argument.
    #[serde(rename = "s", default, skip_serializing_if = "String::is_empty")]
    pub sig: String,
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn is_false(b: &bool) -> bool {
    !*b
}

fn is_plain(header: &Header) -> bool {
    *header == Header::None
}

/// Whether the item is half of a module: the file, or the declaration of one.
fn in_two_files(index: usize, item: &ItemFacts) -> bool {
    index == 0 || matches!(&item.header, Header::Module { inline: false, .. })
}

impl ItemTree {
    /// The item tree of these facts.
    pub fn from_facts(facts: &FileFacts) -> Self {
        let items = facts
            .items
            .iter()
            .enumerate()
            .map(|(index, item)| TreeItem {
                kind: item.kind,
                name: item.name.clone(),
                parent: item.parent,
                in_body: item.in_body,
                block: item.block,
                visibility: item.visibility.clone(),
                cfg: item.cfg.clone(),
                marks_test: item.marks_test,
                header: item.header.clone(),
                sig: item.sig.clone(),
                generics: match item.kind {
                    NodeKind::Impl => item.generics.iter().map(|g| g.name.clone()).collect(),
                    _ => Vec::new(),
                },
                docs: if in_two_files(index, item) { item.docs.clone() } else { String::new() },
                attrs: if in_two_files(index, item) {
                    item.attrs.iter().map(|a| a.text.clone()).collect()
                } else {
                    Vec::new()
                },
            })
            .collect();
        ItemTree { items }
    }

    /// The stored form (JSON).
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).or_never("an item tree has a JSON form")
    }

    /// Reads the stored form.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// Hash of the stored form.
    pub fn hash(&self) -> RawHash {
        RawHash::hash(&self.to_bytes())
    }
}
