//! What is used without being named: functions that the compiler, a test runner or a linker calls,
//! and impls of traits for types that stay.

use super::super::group::Group;
use super::places::place;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_edit::line_of;
use asof_model::{FileFacts, Header, ItemFacts, NodeKind, TargetKind};
use asof_query::Queries;
use asof_wire::{Doubt, Obligation};

/// Attributes that leave it to the uses in the code whether an item is needed (Reference, "Built-in
/// attributes index"), by their first names. Any other may hand the item to somebody.
const INERT: [&str; 29] = [
    "allow",
    "allow_internal_unstable",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "clippy",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "diagnostic",
    "doc",
    "expect",
    "forbid",
    "inline",
    "macro_export",
    "macro_use",
    "must_use",
    "non_exhaustive",
    "path",
    "repr",
    "rustfmt",
    "serde",
    "target_feature",
    "track_caller",
    "transparent",
    "type_length_limit",
    "warn",
];

pub(super) fn check(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let mut checked = 0;
    for item in &group.items {
        let path = item.canonical_path.as_deref().unwrap_or(&item.name);
        let loaded = files.loaded(snapshot, &item.file_path)?;
        let is_program = item.name == "main" && item.module_path.len() == 1;
        if item.kind == NodeKind::Function && is_program {
            let line = line_of(&loaded.text, item.start_byte);
            out.wrong.push(format!("{}:{line}: a program begins with `{path}`", item.file_path));
        }
        for own in within(&loaded.facts, item.start_byte, item.end_byte) {
            checked += 1;
            let at = own.name_start;
            if let Some(name) = handed_over(own) {
                let line = line_of(&loaded.text, at);
                let reason = format!("`#[{name}]` hands `{}` to others", own.name);
                out.wrong.push(format!("{}:{line}: {reason}", item.file_path));
            }
            if is_for_others(&loaded.facts, own, item.start_byte, item.end_byte) {
                let line = line_of(&loaded.text, at);
                let reason = format!("`{}` is for a type that stays", own.signature);
                out.wrong.push(format!("{}:{line}: {reason}", item.file_path));
            }
            if matches!(own.header, Header::MacroCall { items: false }) {
                out.look_at.push(place(&item.file_path, &loaded.text, at, Doubt::EntryPoint));
            }
        }
    }
    out.check(Obligation::EntryPoints, checked);
    Ok(())
}

/// Checks the renamed items of a group that are found by their names: the function that a program
/// begins with, and symbols that are linked.
pub(in super::super) fn check_renamed(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let crates = Queries::at(snapshot.store(), snapshot.at).crates().map_err(EngineError::from)?;
    let is_linked = |kind| matches!(kind, NodeKind::Function | NodeKind::Static);
    for item in group.items.iter().filter(|item| is_linked(item.kind)) {
        out.check(Obligation::EntryPoints, 1);
        let loaded = files.loaded(snapshot, &item.file_path)?;
        let mut own = within(&loaded.facts, item.start_byte, item.end_byte);
        let is_symbol = own.any(|one| {
            let has = |name: &str| one.attrs.iter().any(|attr| attr.text.contains(name));
            let parent = loaded.facts.items.get(one.parent as usize);
            let is_foreign = parent.is_some_and(|parent| parent.kind == NodeKind::ForeignMod);
            let start = (one.span.start_byte, one.kind);
            start == (item.start_byte, item.kind)
                && (has("no_mangle") || is_foreign && !has("link_name"))
        });
        if is_symbol {
            let (path, at) = (item.file_path.as_str(), item.name_start);
            out.look_at.push(place(path, &loaded.text, at, Doubt::EntryPoint));
        }
        // `use start::main;` in the root of a program.
        let root = crates.iter().find(|krate| {
            krate.target_kind != TargetKind::Lib.as_str()
                && out.elsewhere.contains_key(&krate.root_file)
        });
        if let Some(krate) = root.filter(|_| item.name == "main") {
            out.wrong.push(format!("{}: the program may begin with it", krate.root_file));
        }
    }
    Ok(())
}

/// The items in a range of a file.
fn within(facts: &FileFacts, start: u32, end: u32) -> impl Iterator<Item = &ItemFacts> {
    let whole = start == 0 && facts.items.first().is_some_and(|file| file.span.end_byte <= end);
    let items = facts.items.iter().skip(usize::from(!whole));
    items.filter(move |item| {
        start <= item.span.start_byte && item.span.end_byte <= end && !item.made
    })
}

/// The attribute by which something else finds an item.
fn handed_over(item: &ItemFacts) -> Option<&str> {
    let names = item.attrs.iter().filter_map(|attr| {
        let inside = attr.text.strip_prefix("#[")?.trim_start();
        let inside = inside
            .strip_prefix("unsafe")
            .map_or(inside, |rest| rest.trim_start().strip_prefix('(').unwrap_or(inside));
        let end = inside.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        inside.get(..end.unwrap_or(inside.len()))
    });
    let is_item = matches!(
        item.kind,
        NodeKind::Function | NodeKind::Method | NodeKind::Static | NodeKind::Const
    );
    let mut names = names.filter(|_| is_item);
    names.find(|name| {
        let first = name.split("::").next().unwrap_or_default();
        !INERT.contains(&first) && !first.is_empty()
    })
}

/// Whether an item is an impl of a trait for a type, neither of which is in the range.
fn is_for_others(facts: &FileFacts, item: &ItemFacts, start: u32, end: u32) -> bool {
    let Header::Impl { self_type, of_trait: Some(of_trait), .. } = &item.header else {
        return false;
    };
    let declared = |path: &asof_model::PathRef| {
        let name = path.path.last().map(String::as_str).unwrap_or_default();
        within(facts, start, end).any(|one| one.name == name && !one.kind.is_anonymous())
    };
    !declared(self_type) && !declared(of_trait)
}
