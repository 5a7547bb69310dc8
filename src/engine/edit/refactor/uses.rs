//! The places where the name of an item is written.

use std::collections::{BTreeMap, BTreeSet};

use super::group::Group;
use crate::edit::Splice;
use crate::engine::database::Snapshot;
use crate::engine::edit::resolved::Refactored;
use crate::engine::edit::target::{Files, Halt};
use crate::engine::error::EngineError;
use crate::model::{NodeId, NodeKind, RefKind};
use crate::query::{Queries, UseFilter, UseRow};
use crate::refactor::{NewName, Role, Writer};
use crate::wire::{Doubt, PlaceToLookAt};

/// Uses with at least this confidence are rewritten, if a request says nothing else.
const REWRITTEN: f64 = 0.9;

/// What is written instead of what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub old: &'a str,
    pub new: &'a NewName,
    /// Of the item.
    pub kind: NodeKind,
}

/// A place that may be rewritten.
#[derive(Debug, Clone, Copy)]
struct Place {
    role: Role,
    confidence: f64,
    doubt: Doubt,
}

type Found = BTreeMap<String, BTreeMap<u32, Place>>;

/// Splices of every place of a group by file, and the places that nothing is certain about.
pub(super) fn splices(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    names: Names<'_>,
    (number, include): (usize, Option<f64>),
) -> Result<Refactored, Halt> {
    let least = include.unwrap_or(REWRITTEN);
    let found = places(snapshot, group, names)?;
    let mut out = Refactored { ids: group.ids.clone(), ..Refactored::default() };
    for (path, places) in found {
        let loaded = files.loaded(snapshot, &path)?;
        let writer = Writer::new(&loaded.text, &loaded.facts.uses);
        let mut splices = BTreeMap::new();
        for (byte, place) in places {
            let Some(new) = writer.rewrite(byte, names.old, names.new, place.role) else {
                continue;
            };
            if new.in_literal && !may_be_in_literal(names.kind, place.doubt) {
                continue;
            }
            let is_raw = new.in_literal && names.new.written.starts_with("r#");
            let rewritten = place.confidence >= least && !is_raw;
            if place.confidence < 1.0 || is_raw {
                let before = loaded.text.as_bytes().get(..new.start as usize).unwrap_or_default();
                out.look_at.push(PlaceToLookAt {
                    file_path: path.clone(),
                    line: 1 + before.iter().filter(|byte| **byte == b'\n').count() as u32,
                    byte: new.start,
                    reason: if new.in_literal { Doubt::Text } else { place.doubt },
                    confidence: place.confidence,
                    rewritten,
                });
            }
            if rewritten {
                let (start, end) = (new.start, new.end);
                splices.insert((start, end), Splice { start, end, text: new.text, edit: number });
            }
        }
        if !splices.is_empty() {
            out.elsewhere.insert(path, splices.into_values().collect());
        }
    }
    Ok(out)
}

/// Whether a literal can name such an item: what a format string captures is a value.
fn may_be_in_literal(kind: NodeKind, _doubt: Doubt) -> bool {
    !matches!(kind, NodeKind::Field)
}

fn places(
    snapshot: &Snapshot<'_>,
    group: &Group,
    names: Names<'_>,
) -> Result<Found, EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let mut found = Found::new();
    for item in &group.items {
        let role = if item.kind == NodeKind::Field { Role::Field } else { Role::Other };
        // The file of a module has no name in it.
        let is_file = item.kind == NodeKind::Module
            && queries.file_modules(&item.file_path)?.iter().any(|module| module.id == item.id);
        if !is_file {
            let place = Place { role, confidence: 1.0, doubt: Doubt::Unresolved };
            add(&mut found, item.file_path.clone(), item.name_start, place);
        }
    }
    let kinds = RefKind::ALL.iter().copied();
    let kinds = kinds.filter(|kind| !matches!(kind, RefKind::Overrides | RefKind::Keyword));
    let filter = UseFilter { kinds: kinds.collect(), min_confidence: 0.0 };
    let ids: Vec<NodeId> = group.ids.iter().copied().collect();
    for row in queries.where_used(&ids, &filter)? {
        let role = if row.use_kind == RefKind::Field { Role::Field } else { Role::Other };
        let doubt = doubt(&row);
        let place = Place { role, confidence: row.confidence, doubt };
        add(&mut found, row.file_path, row.start_byte, place);
    }
    let unresolved = queries.unresolved_uses(&[names.old.to_owned()])?;
    let relevant = unresolved.iter().filter(|one| may_mean(&one.text, names));
    let texts: BTreeSet<NodeId> = relevant.map(|one| one.id).collect();
    if !texts.is_empty() {
        let texts: Vec<NodeId> = texts.into_iter().collect();
        for row in queries.where_used(&texts, &filter)? {
            let role = if row.use_kind == RefKind::Field { Role::Field } else { Role::Other };
            let doubt = match row.use_kind {
                RefKind::Mention => Doubt::Tokens,
                RefKind::MethodCall | RefKind::Field => Doubt::UnknownReceiver,
                _ => Doubt::Unresolved,
            };
            add(&mut found, row.file_path, row.start_byte, Place { role, confidence: 0.0, doubt });
        }
    }
    Ok(found)
}

/// Adds a place; of several findings the most certain counts.
fn add(found: &mut Found, path: String, byte: u32, place: Place) {
    let there = found.entry(path).or_default().entry(byte).or_insert(place);
    if there.confidence < place.confidence {
        *there = place;
    }
}

/// Whether an unresolved text may mean an item of this kind.
fn may_mean(text: &str, names: Names<'_>) -> bool {
    let is_member = matches!(names.kind, NodeKind::Method | NodeKind::Field);
    match text {
        text if text.starts_with('.') => is_member,
        text if text.starts_with("::") => names.kind != NodeKind::Field,
        text if text.ends_with('!') => names.kind == NodeKind::Macro,
        _ => true,
    }
}

fn doubt(row: &UseRow) -> Doubt {
    match row.provenance.as_str() {
        "template" => Doubt::MacroRules,
        "expanded" | "expansion" => Doubt::Expansion,
        "ambiguous" | "unscoped" => Doubt::Ambiguous,
        "outside" | "wrapped" | "candidate" | "common_candidate" => Doubt::UnknownReceiver,
        _ => Doubt::Unresolved,
    }
}
