//! Finds the places where the name of an item is written.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use super::editions::is_file_before_2021;
use super::group::Group;
use super::other_files;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt, Loaded};
use crate::error::EngineError;
use crate::items::{WrittenPaths, docs};
use asof_edit::{Splice, line_of};
use asof_index::ReplacedKind;
use asof_model::{FileFacts, Header, ItemFacts, NodeId, NodeKind, RefKind, TargetKind, UseLeaf};
use asof_query::{CrateRoot, Described, Queries, UseFilter, UseRow};
use asof_refactor::{
    MacroCall, Meant, NewName, Role, Writer, is_text_alone, local_names, macro_calls, path_start,
    words,
};
use asof_syntax::before_format;
use asof_wire::{Doubt, PlaceToLookAt};

/// Uses with at least this confidence are rewritten, if a request says nothing else.
pub(super) const REWRITTEN: f64 = 0.9;

/// The rule of a use that may mean each of several with the same confidence.
const AMBIGUOUS: &str = "ambiguous";

/// Confidences of all that a use may mean, which are whole percents.
const ALL: f64 = 0.97;

/// A capture in a text that some macro is given has this confidence, and a name in an example that
/// has the new one, too.
const CAPTURED: f64 = 0.95;

/// Macros that take no format string, or take it before the texts that are left.
const TEXT_MACROS: [&str; 12] = [
    "asm", "concat", "env", "file", "global_asm", "include", "include_bytes", "include_str",
    "naked_asm", "option_env", "stringify", "vec",
];

/// Whether a text in quotes at a byte is no format string: that of a macro of the standard library
/// is a use of its own.
fn is_plain_text(calls: &[MacroCall<'_>], byte: u32) -> bool {
    call_around(calls, byte)
        .is_none_or(|call| before_format(call.name).is_some() || TEXT_MACROS.contains(&call.name))
}

/// Whether a text in quotes at a byte is what a macro panics with, and nothing else.
fn is_panic_text(calls: &[MacroCall<'_>], byte: u32) -> bool {
    call_around(calls, byte).is_some_and(|call| is_text_alone(call.name, call.count))
}

/// The innermost call that has a byte in its arguments.
fn call_around<'c, 't>(calls: &'c [MacroCall<'t>], byte: u32) -> Option<&'c MacroCall<'t>> {
    let around = calls.iter().filter(|call| call.arguments.contains(&byte));
    around.min_by_key(|call| call.arguments.len())
}

/// What is written instead of what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names<'a> {
    pub old: &'a str,
    pub new: &'a NewName,
    /// Of the item.
    pub kind: NodeKind,
    /// Whether public re-exports have the old name too.
    pub keep_old: bool,
}

/// A place that may be rewritten.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub role: Role,
    pub confidence: f64,
    pub doubt: Doubt,
    pub is_import: bool,
}

impl Place {
    /// A place that stays as it is.
    fn left(self, file_path: &str, text: &str, byte: u32) -> PlaceToLookAt {
        PlaceToLookAt {
            file_path: file_path.to_owned(),
            line: line_of(text, byte),
            byte,
            reason: self.doubt,
            confidence: self.confidence,
            rewritten: false,
        }
    }
}

pub(super) type Found = BTreeMap<String, BTreeMap<u32, Place>>;

/// Splices of every place of a group by file, and the places that nothing is certain about.
pub(super) fn splices(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    names: Names<'_>,
    number: usize,
    include: Option<f64>,
) -> Result<Refactored, Halt> {
    let least = include.unwrap_or(REWRITTEN);
    let mut found = places(snapshot, group, names)?;
    let mut out = Refactored::new(ReplacedKind::Name);
    out.ids.clone_from(&group.ids);
    for used in docs::uses(snapshot, group, names.old)? {
        // The example may have the new name for something else.
        let is_taken = words(&used.code, &names.new.bare).next().is_some();
        let confidence = if is_taken { used.confidence.min(CAPTURED) } else { used.confidence };
        let (role, doubt) = (Role::Other, Doubt::Documentation);
        let place = Place { role, confidence, doubt, is_import: false };
        add(&mut found, used.file_path, used.byte, place);
    }
    unparsed(snapshot, names.old, &mut found)?;
    out.look_at = detached(snapshot, group)?;
    out.look_at.extend(other_files::places(snapshot, names.old)?);
    out.look_at.extend(docs::included(snapshot, group, names.old)?);
    let item = group.meant(snapshot, names.kind)?;
    let mut paths = WrittenPaths::new(snapshot);
    for (path_of, places) in found {
        let loaded = files.loaded(snapshot, &path_of)?;
        let writer = Writer::new(&loaded.text, &loaded.facts.uses);
        let calls = LazyCell::new(|| macro_calls(&loaded.text));
        let mut splices = BTreeMap::new();
        for (byte, mut place) in places {
            let is_doc = place.doubt == Doubt::Documentation;
            let Some(new) = writer.rewrite(byte, names.old, names.new, place.role) else {
                if is_doc {
                    out.look_at.push(place.left(&path_of, &loaded.text, byte));
                }
                continue;
            };
            let unread = place.confidence == 0.0 && !new.in_literal;
            if unread && !may_be_meant(loaded, &writer, new.start, item) {
                continue;
            }
            if new.in_literal
                && !is_doc
                && is_panic_text(&calls, byte)
                && is_file_before_2021(snapshot, &path_of)?
            {
                continue;
            }
            if new.in_literal && !is_doc && place.confidence < 1.0 {
                if is_in_attribute(&loaded.facts, &loaded.text, byte) {
                    // A path in the text of an attribute, if the text is one.
                    match writer.path_in_literal(byte, names.old) {
                        Some(path) if paths.mean(&path_of, byte, &path, &group.ids)? => {
                            place.confidence = 1.0;
                        }
                        _ => continue,
                    }
                } else if !names.is_value()
                    || is_variable(loaded, byte)
                    || is_plain_text(&calls, byte)
                {
                    // What a format string captures is a variable or a value.
                    continue;
                } else if paths.mean(&path_of, byte, names.old, &group.ids)? {
                    // Whether a macro takes it for a format string is for its rules to say.
                    place.confidence = CAPTURED;
                }
            }
            let is_raw = new.in_literal && !is_doc && names.new.written.starts_with("r#");
            let rewritten = place.confidence >= least && !is_raw;
            if place.confidence < 1.0 || is_raw {
                out.look_at.push(PlaceToLookAt {
                    file_path: path_of.clone(),
                    line: line_of(&loaded.text, new.start),
                    byte: new.start,
                    reason: if new.in_literal && !is_doc { Doubt::Text } else { place.doubt },
                    confidence: place.confidence,
                    rewritten,
                });
            }
            if rewritten {
                let (start, end) = (new.start, new.end);
                let kept = names.keep_old && place.is_import && is_public(&loaded.facts, start);
                let text = match kept.then(|| writer.kept(start, names.new)).flatten() {
                    Some(both) => both,
                    None => new.text,
                };
                splices.insert((start, end), Splice { start, end, text, edit: number });
            }
        }
        if !splices.is_empty() {
            out.elsewhere.insert(path_of, splices.into_values().collect());
        }
    }
    Ok(out)
}

/// Whether a name in tokens that are not read, or on a receiver of unknown type, may mean an item, by
/// what is written around it.
pub(super) fn may_be_meant(loaded: &Loaded, writer: &Writer<'_>, byte: u32, item: Meant) -> bool {
    if !item.of_trait && is_behind_standard_type(loaded, byte) {
        return false;
    }
    let is_generic = |name: &str| is_generic(&loaded.facts, byte, name);
    let is_key = || writer.is_key(byte) && is_in_attribute(&loaded.facts, &loaded.text, byte);
    writer.may_mean(byte, item, is_generic) && !is_key()
}

/// Whether the name at a byte is behind one that its file imports from the standard library:
/// `OsStr::old` is no item of the workspace, unless a trait has it.
fn is_behind_standard_type(loaded: &Loaded, byte: u32) -> bool {
    let path = loaded.text.get(path_start(&loaded.text, byte as usize)..byte as usize);
    let Some(behind) = path.and_then(|path| path.strip_suffix("::")) else { return false };
    let is_standard = |leaf: &UseLeaf| {
        leaf.name == behind
            && leaf
                .path
                .iter()
                .find(|name| !name.is_empty())
                .is_some_and(|krate| ["std", "core", "alloc"].contains(&krate.as_str()))
    };
    let mut imports = loaded.facts.items.iter().filter_map(|item| match &item.header {
        Header::Import { leaves } => Some(leaves),
        _ => None,
    });
    imports.any(|leaves| leaves.iter().any(is_standard))
}

/// Whether an item around a byte has a type parameter of this name.
fn is_generic(facts: &FileFacts, byte: u32, name: &str) -> bool {
    let holds = |item: &&ItemFacts| item.span.start_byte <= byte && byte < item.span.end_byte;
    let mut around = facts.items.iter().skip(1).filter(holds);
    around.any(|item| item.generics.iter().any(|param| param.name == name))
}

/// Whether the import at a byte is a re-export.
fn is_public(facts: &FileFacts, byte: u32) -> bool {
    let holds = |item: &&ItemFacts| item.span.start_byte <= byte && byte < item.span.end_byte;
    let import = facts.items.iter().filter(|item| item.kind == NodeKind::Import).find(holds);
    import.is_some_and(|item| item.visibility == "pub")
}

impl Names<'_> {
    /// Whether the item is a value that a format string can capture.
    fn is_value(&self) -> bool {
        matches!(self.kind, NodeKind::Const | NodeKind::Static)
    }
}

/// Whether the name at a byte is that of a variable of the function around it.
fn is_variable(loaded: &Loaded, byte: u32) -> bool {
    let holds = |item: &&ItemFacts| item.span.start_byte <= byte && byte < item.span.end_byte;
    let functions = loaded
        .facts
        .items
        .iter()
        .filter(|item| matches!(item.kind, NodeKind::Function | NodeKind::Method));
    let Some(around) = functions.filter(holds).min_by_key(|item| item.span.len()) else {
        return false;
    };
    let (start, end) = (around.span.start_byte, around.span.end_byte);
    let text = loaded.text.get(start as usize..end as usize).unwrap_or_default();
    let names = local_names(text).unwrap_or_default();
    names.iter().any(|one| start + one.at == byte && one.binding.is_some())
}

/// Whether a byte is in an attribute.
pub(super) fn is_in_attribute(facts: &FileFacts, text: &str, byte: u32) -> bool {
    let around = facts
        .items
        .iter()
        .skip(1)
        .filter(|item| item.span.start_byte <= byte && byte < item.span.end_byte);
    let Some(item) = around.min_by_key(|item| item.span.len()) else { return false };
    let before = text.get(item.span.start_byte as usize..byte as usize).unwrap_or_default();
    let (open, closed) = (before.rfind("#["), before.rfind(")]"));
    open.is_some_and(|open| closed.is_none_or(|closed| closed < open))
}

/// Whether an item is in a file that no target has.
fn is_detached(crates: &[CrateRoot], item: &Described) -> bool {
    let krate = crates.iter().find(|krate| krate.root_id == item.root_id);
    krate.is_some_and(|krate| krate.target_kind == TargetKind::Detached.as_str())
}

/// Definitions in files that no target has: what they are compiled as, if at all, is not known.
pub(super) fn detached(
    snapshot: &Snapshot<'_>,
    group: &Group,
) -> Result<Vec<PlaceToLookAt>, EngineError> {
    let crates = Queries::at(snapshot.store(), snapshot.at).crates()?;
    let place = |item: &Described| PlaceToLookAt {
        file_path: item.file_path.clone(),
        line: item.name_line,
        byte: item.name_start,
        reason: Doubt::NoTarget,
        confidence: 0.0,
        rewritten: true,
    };
    Ok(group.items.iter().filter(|item| is_detached(&crates, item)).map(place).collect())
}

/// Files that no target reaches and that do not parse: data of tests, which no build compiles.
pub(super) fn broken_data(snapshot: &Snapshot<'_>) -> Result<BTreeSet<String>, EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let crates = queries.crates()?;
    let mut found = BTreeSet::new();
    for path in queries.partial_files()? {
        let ids: Vec<NodeId> = queries.file_modules(&path)?.iter().map(|one| one.id).collect();
        if queries.describe(&ids)?.iter().all(|module| is_detached(&crates, module)) {
            found.insert(path);
        }
    }
    Ok(found)
}

/// Adds the places of a name in files that do not parse.
pub(super) fn unparsed(
    snapshot: &Snapshot<'_>,
    name: &str,
    found: &mut Found,
) -> Result<(), EngineError> {
    let data = broken_data(snapshot)?;
    let partial = Queries::at(snapshot.store(), snapshot.at).partial_files()?.into_iter();
    for path in partial.filter(|path| !data.contains(path)) {
        let text = snapshot.source_text(&path)?;
        let text = String::from_utf8_lossy(&text.bytes);
        for at in words(&text, name) {
            let (role, doubt) = (Role::Other, Doubt::Unparsed);
            let place = Place { role, confidence: 0.0, doubt, is_import: false };
            add(found, path.clone(), at as u32, place);
        }
    }
    Ok(())
}

/// The places of a group that are code, or may be.
pub(super) fn places(
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
            let (confidence, doubt) = (1.0, Doubt::Unresolved);
            let place = Place { role, confidence, doubt, is_import: false };
            add(&mut found, item.file_path.clone(), item.name_start, place);
        }
    }
    let kinds = RefKind::ALL.iter().copied();
    let kinds = kinds.filter(|kind| !matches!(kind, RefKind::Overrides | RefKind::Keyword));
    let filter = UseFilter { kinds: kinds.collect(), min_confidence: 0.0 };
    let ids: Vec<NodeId> = group.ids.iter().copied().collect();
    let rows = queries.where_used(&ids, &filter)?;
    // A place that means one of several is certain if all of these get the name.
    let mut shares: BTreeMap<(&str, u32, RefKind), f64> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.provenance == AMBIGUOUS) {
        *shares.entry((&row.file_path, row.start_byte, row.use_kind)).or_default() +=
            row.confidence;
    }
    let shares: BTreeSet<(String, u32, RefKind)> = shares
        .into_iter()
        .filter(|(_, share)| *share >= ALL)
        .map(|((path, byte, kind), _)| (path.to_owned(), byte, kind))
        .collect();
    for row in rows {
        let role = if row.use_kind == RefKind::Field { Role::Field } else { Role::Other };
        let doubt = doubt(&row);
        let is_import = row.use_kind == RefKind::Use;
        let place = (row.file_path.clone(), row.start_byte, row.use_kind);
        let confidence = if shares.contains(&place) { 1.0 } else { row.confidence };
        let place = Place { role, confidence, doubt, is_import };
        add(&mut found, row.file_path, row.start_byte, place);
    }
    let unresolved = queries.unresolved_uses(&[names.old.to_owned()])?;
    // A macro that is given the name may make a macro of this name, too.
    let in_call = group.meant(snapshot, names.kind)?.in_call;
    let relevant = unresolved
        .iter()
        .filter(|one| may_mean(&one.text, names) || in_call && one.text.ends_with('!'));
    let texts: BTreeSet<NodeId> = relevant.map(|one| one.id).collect();
    if !texts.is_empty() {
        let texts: Vec<NodeId> = texts.into_iter().collect();
        let data = broken_data(snapshot)?;
        let rows = queries.where_used(&texts, &filter)?.into_iter();
        for row in rows.filter(|row| !data.contains(&row.file_path)) {
            let role = if row.use_kind == RefKind::Field { Role::Field } else { Role::Other };
            let doubt = match row.use_kind {
                RefKind::Mention => Doubt::Tokens,
                RefKind::MethodCall | RefKind::Field => Doubt::UnknownReceiver,
                _ => Doubt::Unresolved,
            };
            let is_import = row.use_kind == RefKind::Use;
            let place = Place { role, confidence: 0.0, doubt, is_import };
            add(&mut found, row.file_path, row.start_byte, place);
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
pub(super) fn may_mean(text: &str, names: Names<'_>) -> bool {
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
        "outside" | "wrapped" | "only_candidate" | "candidate" | "common_candidate" => {
            Doubt::UnknownReceiver
        }
        _ => Doubt::Unresolved,
    }
}
