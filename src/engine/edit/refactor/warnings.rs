//! Warns of contracts outside the code that depend on an item's name.

use std::collections::BTreeSet;

use super::group::Group;
use crate::database::Snapshot;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use crate::items::library_crates;
use crate::items::source_texts;
use asof_edit::line_of;
use asof_model::{FileFacts, ItemFacts, NodeId, NodeKind};
use asof_query::{Described, Queries};
use asof_refactor::words;
use asof_wire::SemverLevel;

/// Derives that make names of fields and variants part of a format, and what that is.
const DERIVES: [(&str, &str); 9] = [
    ("Serialize", "what serde writes"),
    ("Deserialize", "what serde reads"),
    ("Parser", "what clap reads"),
    ("Args", "what clap reads"),
    ("Subcommand", "what clap reads"),
    ("ValueEnum", "what clap reads"),
    ("JsonSchema", "a schema"),
    ("Row", "a row of a database"),
    ("FromRow", "a row of a database"),
];

/// A warning for each contract with the outside that the names of a group are part of.
pub(super) fn collect_warnings(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
) -> Result<Vec<String>, Halt> {
    let mut found = Vec::new();
    for item in &group.items {
        let path = item.canonical_path.as_deref().unwrap_or(&item.name);
        let facts = &files.loaded(snapshot, &item.file_path)?.facts;
        let own = facts.items.iter().find(|one| {
            (one.span.start_byte, one.span.end_byte, one.kind)
                == (item.start_byte, item.end_byte, item.kind)
        });
        let Some(own) = own else { continue };
        for attribute in ["no_mangle", "export_name"] {
            if own.attrs.iter().any(|one| one.text.contains(attribute)) {
                found.push(format!("`{path}` is a symbol that other languages link to"));
            }
        }
        found.extend(
            derived(facts, own).map(|what| format!("the name of `{path}` is part of {what}")),
        );
        if derives(facts, own, "Debug") {
            found.push(format!("`Debug` prints the name of `{path}`"));
        }
    }
    found.extend(printed_elsewhere(snapshot, group)?);
    Ok(found)
}

/// A warning if the workspace asks for names of types, functions and modules as texts.
fn printed_elsewhere(
    snapshot: &Snapshot<'_>,
    group: &Group,
) -> Result<Option<String>, EngineError> {
    let has = |kind: NodeKind| group.items.iter().any(|item| item.kind == kind);
    let printing: &[&str] = if has(NodeKind::Module) {
        &["type_name", "module_path"]
    } else if group.items.iter().all(|item| is_owned(item.kind)) {
        return Ok(None);
    } else {
        &["type_name"]
    };
    for (path, text) in source_texts(snapshot)? {
        let mut places = printing.iter().flat_map(|name| words(&text, name));
        if let Some(at) = places.next() {
            let line = line_of(&text, at as u32);
            return Ok(Some(format!("names are printed at {path}:{line}")));
        }
    }
    Ok(None)
}

/// A warning for each item of a group that other crates can name. `why`: what breaks them.
pub(super) fn public(
    snapshot: &Snapshot<'_>,
    group: &Group,
    why: &str,
) -> Result<Vec<String>, EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let roots: BTreeSet<NodeId> = group.items.iter().map(|item| item.root_id).collect();
    let libraries = library_crates(&queries)?.map(|krate| krate.root_id);
    let roots: Vec<NodeId> = libraries.filter(|root| roots.contains(root)).collect();
    let is_private = |item: &Described| {
        item.visibility != "pub" && !matches!(item.kind, NodeKind::Variant) && !is_of_trait(item)
    };
    if roots.is_empty() || group.items.iter().all(is_private) {
        return Ok(Vec::new());
    }
    // A member has the path of its owner before its name, and is public with it.
    let mut asked: Vec<NodeId> = group.items.iter().map(|item| item.id).collect();
    for item in group.items.iter().filter(|item| is_owned(item.kind)) {
        asked.extend(queries.by_path(owner(item))?.into_iter().map(|hit| hit.id));
    }
    let named = snapshot.public_paths(&roots, &asked)?;
    let mut found = Vec::new();
    for item in group.items.iter().filter(|item| !is_private(item)) {
        let owner = owner(item);
        let is_member = is_owned(item.kind);
        let path = named.iter().find_map(|one| {
            if is_member {
                let is_owner = one.canonical_path.as_deref() == Some(owner);
                is_owner.then(|| format!("{}::{}", one.path, item.name))
            } else {
                (one.id == Some(item.id)).then(|| one.path.clone())
            }
        });
        found.extend(path.map(|path| breaking(&path, why)));
    }
    Ok(found)
}

/// The path of what a member belongs to.
fn owner(item: &Described) -> &str {
    let own = item.canonical_path.as_deref().unwrap_or_default();
    own.rsplit_once("::").map_or("", |(owner, _)| owner)
}

/// A warning of a public path that is gone afterwards.
pub(super) fn lost(path: &str) -> String {
    breaking(path, "without this name")
}

fn breaking(path: &str, why: &str) -> String {
    let level = SemverLevel::Major.as_str();
    format!("`{path}` is public: {why} the next version is a {level} one")
}

fn is_owned(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Method
            | NodeKind::AssocConst
            | NodeKind::AssocType
            | NodeKind::Variant
            | NodeKind::Field
    )
}

/// Whether the visibility of an item is that of its trait.
fn is_of_trait(item: &Described) -> bool {
    matches!(item.kind, NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType)
        && item.visibility.is_empty()
}

/// Whether an item, or what it belongs to, derives a trait.
fn derives(facts: &FileFacts, own: &ItemFacts, name: &str) -> bool {
    let derives = |item: &ItemFacts| {
        item.attrs.iter().any(|one| {
            one.text.contains("derive")
                && one.text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
        })
    };
    let mut around = vec![own];
    while let Some(last) = around.last()
        && matches!(last.kind, NodeKind::Field | NodeKind::Variant)
        && let Some(parent) = facts.items.get(last.parent as usize)
    {
        around.push(parent);
    }
    around.into_iter().any(derives)
}

/// What the derives around a field or variant make its name part of.
fn derived<'f>(
    facts: &'f FileFacts,
    own: &'f ItemFacts,
) -> impl Iterator<Item = &'static str> + 'f {
    let is_member = matches!(own.kind, NodeKind::Field | NodeKind::Variant);
    let renamed = own.attrs.iter().any(|one| one.text.contains("rename"));
    let mut at = own.parent as usize;
    let mut around = facts.items.get(at);
    while let Some(item) = around.filter(|item| item.kind == NodeKind::Variant) {
        at = item.parent as usize;
        around = facts.items.get(at);
    }
    let around = around.filter(|_| is_member && !renamed);
    let has = move |name: &str| around.is_some_and(|item| derives(facts, item, name));
    DERIVES.into_iter().filter(move |(name, _)| has(name)).map(|(_, what)| what)
}
