//! A definition at one moment.

use std::collections::BTreeSet;

use asof_model::{NodeId, NodeKind, ShapeHash, TextHash, TrackingHash};
use asof_syntax::{TokenClass, code_tokens};

/// What a definition was at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemState {
    pub id: NodeId,
    pub kind: NodeKind,
    pub name: String,
    /// None for imports, extern blocks and macro calls.
    pub canonical_path: Option<String>,
    pub module_id: NodeId,
    /// None for crate roots.
    pub parent_id: Option<NodeId>,
    pub file_path: String,
    pub visibility: String,
    pub signature: String,
    pub docs: String,
    pub cfg: String,
    pub tracking_hash: TrackingHash,
    pub shape_hash: ShapeHash,
    /// As written, one per string.
    pub attrs: Vec<String>,
    /// Hash of its own text without its children; none where the parent's text contains it.
    pub text_hash: Option<TextHash>,
}

/// Kinds that may turn into each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    Function,
    Value,
    Other(u8),
}

impl ItemState {
    /// Its path, or its name where it has none.
    pub fn label(&self) -> &str {
        self.canonical_path.as_deref().unwrap_or(&self.name)
    }

    /// The path of its container: everything before the last `::` outside of brackets.
    pub fn holder(&self) -> &str {
        let path = self.label();
        let mut depth = 0_i32;
        for (at, byte) in path.bytes().enumerate().rev() {
            match byte {
                b'>' if path.as_bytes().get(at.wrapping_sub(1)).is_none_or(|b| *b != b'-') => {
                    depth += 1;
                }
                b'<' => depth -= 1,
                b':' if depth == 0 => {
                    return path.get(..at.saturating_sub(1)).unwrap_or_default();
                }
                _ => {}
            }
        }
        ""
    }

    /// The path of the type that a method or associated constant belongs to, without generic
    /// arguments, whatever the impl: `a::S` of `a::S::m` and of `<a::S as a::T>::m`.
    pub(super) fn self_type(&self) -> &str {
        bare_type(self.holder())
    }

    /// The path of an impl, or of that which an item is in.
    pub(super) fn impl_path(&self) -> &str {
        if self.kind == NodeKind::Impl { self.label() } else { self.holder() }
    }

    /// The names in the path of an impl, without those of modules.
    pub(super) fn impl_names(&self) -> BTreeSet<&str> {
        let tokens = code_tokens(self.impl_path());
        let next = tokens.iter().skip(1).map(|token| token.text).chain([""]);
        let names = tokens.iter().zip(next);
        let names =
            names.filter(|(token, next)| token.class == TokenClass::Word && !next.starts_with(':'));
        names.map(|(token, _)| token.text).collect()
    }

    /// The path of the type of an impl, without generic arguments.
    pub(super) fn impl_type(&self) -> &str {
        bare_type(self.label())
    }

    /// The first name of its path.
    pub(super) fn crate_name(&self) -> &str {
        let path = self.label().trim_start_matches('<');
        path.split("::").next().unwrap_or_default()
    }

    /// Whether it is the impl of a trait, or in one.
    pub fn is_of_trait(&self) -> bool {
        self.impl_path().contains(" as ")
    }

    /// Whether it is in the impl of a trait.
    pub(super) fn is_in_trait_impl(&self) -> bool {
        self.holder().contains(" as ")
    }

    /// The folder of its package, as far as the path of its file tells.
    pub(super) fn package_folder(&self) -> &str {
        const FOLDERS: [&str; 4] = ["src", "tests", "benches", "examples"];
        let mut end = 0;
        for part in self.file_path.split('/') {
            if FOLDERS.contains(&part) {
                break;
            }
            end += part.len() + 1;
        }
        self.file_path.get(..end).unwrap_or_default()
    }

    pub(super) fn family(&self) -> Family {
        match self.kind {
            NodeKind::Function | NodeKind::Method => Family::Function,
            NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => Family::Value,
            kind => Family::Other(kind as u8),
        }
    }

    /// Whether it usually contains items with texts of their own.
    pub(super) fn is_container(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Module | NodeKind::Impl | NodeKind::Trait | NodeKind::ForeignMod
        )
    }

    /// Whether there may be impls for it.
    pub(super) fn is_type(&self) -> bool {
        matches!(
            self.kind,
            NodeKind::Struct
                | NodeKind::Enum
                | NodeKind::Union
                | NodeKind::Trait
                | NodeKind::TypeAlias
        )
    }

    /// Whether it is part of a type and has no text of its own.
    pub fn is_part(&self) -> bool {
        matches!(self.kind, NodeKind::Field | NodeKind::Variant)
    }
}

/// The type's path of `a::S`, `<a::S>` or `<a::S<T> as a::T>`.
fn bare_type(holder: &str) -> &str {
    let path = holder.strip_prefix('<').unwrap_or(holder);
    let end = path.find(['<', '>', ' ']).unwrap_or(path.len());
    path.get(..end).unwrap_or_default().trim_end_matches("::")
}
