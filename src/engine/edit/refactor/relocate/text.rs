//! Writes paths as seen from a module, in the style of the imports around.

use asof_index::{PathMeaning, Place, Viewpoint};
use asof_model::{FileFacts, Header, NodeId};

/// How paths within a crate begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `crate::`.
    Absolute,
    /// A name, or `super::` if that is not too far.
    Relative,
}

/// More of these are not written.
const SUPERS: usize = 1;

impl Style {
    /// That of most imports of a file.
    pub(super) fn from_facts(facts: &FileFacts) -> Self {
        let leaves = facts.items.iter().filter_map(|item| match &item.header {
            Header::Import { leaves } => Some(leaves),
            _ => None,
        });
        let first = leaves.flatten().filter_map(|leaf| leaf.path.first());
        let (mut absolute, mut relative) = (0, 0);
        for segment in first {
            match segment.as_str() {
                "crate" => absolute += 1,
                "super" | "self" => relative += 1,
                _ => {}
            }
        }
        if relative > absolute { Self::Relative } else { Self::Absolute }
    }

    /// That of a path that begins with this, in a file.
    pub(super) fn of_first(segment: &str, facts: &FileFacts) -> Self {
        match segment {
            "crate" | "" => Self::Absolute,
            "super" | "self" => Self::Relative,
            _ => Self::from_facts(facts),
        }
    }
}

/// A canonical path of the same crate as code of a module writes it.
pub(super) fn path_from(view: &Viewpoint, from: &str, at: Place, to: &str, style: Style) -> String {
    let absolute = || match to.split_once("::") {
        Some((_, rest)) => format!("crate::{rest}"),
        None => "crate".to_owned(),
    };
    if let Some(rest) = below(to, from) {
        let first = rest.split("::").next().unwrap_or_default();
        if rest.is_empty() {
            return "self".to_owned();
        }
        let is_crate = || view.meaning(Place { is_new: true, ..at }, first) != PathMeaning::Nothing;
        return match style {
            Style::Absolute => absolute(),
            Style::Relative if is_crate() => format!("self::{rest}"),
            Style::Relative => rest.to_owned(),
        };
    }
    if style == Style::Absolute {
        return absolute();
    }
    let mut above = from;
    for supers in 1..=SUPERS {
        let Some((parent, _)) = above.rsplit_once("::") else { break };
        above = parent;
        if let Some(rest) = below(to, above) {
            // The root is `crate`.
            let up = vec!["super"; supers].join("::");
            return if rest.is_empty() { up } else { format!("{up}::{rest}") };
        }
    }
    absolute()
}

/// What a path has behind that of a module; empty if it is that.
fn below<'p>(path: &'p str, module: &str) -> Option<&'p str> {
    match path.strip_prefix(module)? {
        "" => Some(""),
        rest => rest.strip_prefix("::"),
    }
}

/// A visibility that reaches to a module, of an item in another one.
pub(super) fn visibility(view: &Viewpoint, home: &[NodeId], within: Option<NodeId>) -> String {
    let Some(within) = within else { return "pub".to_owned() };
    match home.iter().position(|module| *module == within) {
        Some(0) => String::new(),
        Some(at) if at + 1 == home.len() => "pub(crate)".to_owned(),
        Some(1) => "pub(super)".to_owned(),
        _ => within_path(view.path(within).unwrap_or_default()),
    }
}

/// The visibility within a module at a canonical path.
pub(super) fn within_path(path: &str) -> String {
    match path.split_once("::") {
        Some((_, rest)) => format!("pub(in crate::{rest})"),
        None => "pub(crate)".to_owned(),
    }
}
