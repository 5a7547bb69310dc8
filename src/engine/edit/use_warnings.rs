//! Warnings about uses that a request does not update: uses of items that it renames, deletes,
//! makes less visible, or gives another signature. A use counts as updated only if the request
//! changes its own bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::target::Files;
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::uses::GUESS;
use asof_edit::{Changed, Plan, Splice};
use asof_model::{FileFacts, Header, ItemFacts, NodeId, NodeKind, RefKind, UseLeaf};
use asof_query::{FileItem, Queries};
use asof_syntax::Scan;
use asof_wire::{FileOp, Symbol, Use, UseRequest};

/// Number of places that a warning names.
const SHOWN: usize = 5;

/// A file whose text the request changes.
#[derive(Debug)]
pub(super) struct ChangedFile {
    pub file_path: String,
    /// Facts of the new text.
    pub after: FileFacts,
    pub splices: Vec<Splice>,
}

/// How an item changes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    Renamed(String),
    Deleted,
    Signature,
    Hidden,
}

/// An item whose uses may need an edit.
#[derive(Debug)]
struct Affected {
    fate: Fate,
    file_path: String,
    name: String,
    ids: BTreeSet<NodeId>,
    /// For a deleted item, also the uses of its nested items.
    inner: BTreeSet<NodeId>,
}

/// Adds a warning for each item with remaining uses, naming the first places.
pub(super) fn warn(
    snapshot: &Snapshot<'_>,
    files: &Files,
    changed: &[ChangedFile],
    plan: &mut Plan,
) -> Result<(), EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let mut affected = Vec::new();
    let mut texts = BTreeMap::new();
    for file in changed {
        let Some(before) = files.get(&file.file_path) else { continue };
        let items = queries.file_items(&file.file_path)?;
        affected.extend(compare(&file.file_path, &before.facts, &file.after, &items));
        let old = Old {
            scan: Scan::new(&before.text),
            changed: Changed::new(&before.text, &file.splices),
            before: &before.facts,
            after: &file.after,
        };
        texts.insert(file.file_path.as_str(), old);
    }
    for file in plan.files.iter().filter(|file| file.op == FileOp::Delete) {
        affected.extend(deleted_file(&queries, &file.file_path)?);
    }
    let gone = plan.files.iter().filter(|file| file.op == FileOp::Delete);
    let places = Places { gone: gone.map(|file| file.file_path.clone()).collect(), texts };
    let mut warnings = declarations(&queries, plan, &places)?;
    let ids: Vec<NodeId> =
        affected.iter().flat_map(|one| one.ids.iter().chain(&one.inner)).copied().collect();
    let symbols: Vec<Symbol> = snapshot.items(&ids)?.iter().map(Symbol::from).collect();
    if !symbols.is_empty() {
        let request = UseRequest { min_confidence: GUESS, ..UseRequest::default() };
        let uses = snapshot.where_used_or_none(&symbols, &symbols, &request)?.answer.items;
        for one in &affected {
            let left = left(one, &uses, &places);
            warnings.extend(describe_affected(one, &symbols, &left));
        }
    }
    plan.warnings.extend(warnings);
    Ok(())
}

/// The texts that a request changes.
struct Places<'a> {
    /// Files that are deleted.
    gone: BTreeSet<String>,
    texts: BTreeMap<&'a str, Old<'a>>,
}

/// An edited file.
struct Old<'a> {
    /// Of the old text.
    scan: Scan<'a>,
    changed: Changed,
    before: &'a FileFacts,
    after: &'a FileFacts,
}

impl Places<'_> {
    /// Whether a use is not as before.
    fn is_changed(&self, one: &Affected, used: &Use) -> bool {
        let path = used.file_path.as_str();
        let Some(old) = self.texts.get(path) else { return self.gone.contains(path) };
        if used.use_kind == RefKind::Use
            && let Some(changed) = old.import_changed(used.byte)
        {
            return changed;
        }
        let extent = match (used.use_kind, &one.fate) {
            (RefKind::Overrides, Fate::Signature) => old.scan.head_at(used.byte),
            (_, Fate::Signature) => old.scan.call_at(used.byte),
            _ => old.scan.path_at(used.byte),
        };
        old.changed.meets(extent.into())
    }

    /// Whether a use names the item by its own name: not as `Self`, and not by an alias.
    fn is_by_name(&self, one: &Affected, used: &Use) -> bool {
        let old = self.texts.get(used.file_path.as_str());
        old.is_none_or(|old| old.scan.name_at(used.byte) == one.name)
    }
}

impl Old<'_> {
    /// Whether the names that an import at a byte brings in through an item are no longer brought
    /// in that way; `None` if there is no such name.
    fn import_changed(&self, byte: u32) -> Option<bool> {
        let at = |item: &&ItemFacts| item.span.start_byte <= byte && byte < item.span.end_byte;
        let import = self.before.items.iter().skip(1).filter(at).find(|item| is_import(item))?;
        let name = self.scan.name_at(byte);
        let through = leaves(import).filter(|leaf| leaf.path.iter().any(|part| part == name));
        let old: Vec<&UseLeaf> = through.collect();
        let place = path_of(self.before, import.parent);
        let now = self.after.items.iter().skip(1);
        let now = now.filter(|item| is_import(item) && path_of(self.after, item.parent) == place);
        let now: Vec<&UseLeaf> = now.flat_map(leaves).collect();
        let left = old.iter().any(|leaf| now.contains(leaf));
        (!old.is_empty()).then_some(!left)
    }

    /// Whether the import at a byte is in scope at another one, and an import in its place brings
    /// in this name.
    fn still_brings(&self, name: &str, import: u32, at: u32) -> bool {
        let holds =
            |item: &ItemFacts, byte| item.span.start_byte <= byte && byte < item.span.end_byte;
        let items = || self.before.items.iter().skip(1);
        let Some(old) = items().find(|item| is_import(item) && holds(item, import)) else {
            return false;
        };
        let scope = self.before.items.get(old.parent as usize).filter(|_| old.parent > 0);
        let module = |byte| {
            let modules = items().filter(|item| item.kind == NodeKind::Module && holds(item, byte));
            modules.map(|item| item.span.start_byte).next_back()
        };
        let place = path_of(self.before, old.parent);
        let brings = |item: &ItemFacts| {
            leaves(item).any(|leaf| leaf.name == name) && path_of(self.after, item.parent) == place
        };
        scope.is_none_or(|scope| holds(scope, at))
            && module(import) == module(at)
            && self.after.items.iter().skip(1).any(brings)
    }

    /// Whether a module that is declared at a byte is declared in the same way as before.
    fn still_declares(&self, byte: u32) -> bool {
        let mut items = self.before.items.iter().skip(1);
        let Some(old) = items.find(|item| item.span.start_byte == byte) else { return true };
        let place = path_of(self.before, old.parent);
        let same = |new: &&ItemFacts| {
            (new.kind, &new.name, &new.header) == (old.kind, &old.name, &old.header)
                && path_of(self.after, new.parent) == place
        };
        self.after.items.iter().skip(1).any(|new| same(&new))
    }
}

fn is_import(item: &ItemFacts) -> bool {
    matches!(item.header, Header::Import { .. })
}

fn leaves(item: &ItemFacts) -> impl Iterator<Item = &UseLeaf> {
    match &item.header {
        Header::Import { leaves } => leaves.as_slice(),
        _ => &[],
    }
    .iter()
}

/// Kinds and names from an item of a file up to the file.
fn path_of(facts: &FileFacts, mut at: u32) -> Vec<(NodeKind, &str)> {
    let mut path = Vec::new();
    while at > 0
        && let Some(item) = facts.items.get(at as usize)
    {
        path.push((item.kind, item.name.as_str()));
        at = item.parent;
    }
    path
}

/// Changed items of a file.
fn compare(
    file_path: &str,
    before: &FileFacts,
    after: &FileFacts,
    items: &[FileItem],
) -> Vec<Affected> {
    let (old, new) = (keys(before), keys(after));
    let old_keys: BTreeSet<&Key> = old.iter().collect();
    let new_at: BTreeMap<&Key, &ItemFacts> = new.iter().zip(&after.items).collect();
    let ids = |item: &ItemFacts| -> BTreeSet<NodeId> {
        let same = items.iter().filter(|row| {
            let place = (row.start_byte, row.end_byte, row.kind);
            place == (item.span.start_byte, item.span.end_byte, item.kind)
        });
        same.map(|row| row.id).collect()
    };
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut affected = Vec::new();
    for (at, (key, item)) in old.iter().zip(&before.items).enumerate().skip(1) {
        // The contents of a deleted item are reported with it.
        if gone.contains(&(item.parent as usize)) {
            gone.insert(at);
            continue;
        }
        if item.in_body || item.kind.is_anonymous() {
            continue;
        }
        let fate = match new_at.get(key) {
            Some(new) => changed_head(item, new),
            None if remains(key, item, &new, after) => None,
            None => {
                gone.insert(at);
                Some(renamed(key, &old, &new, &old_keys, after).unwrap_or(Fate::Deleted))
            }
        };
        let Some(fate) = fate else { continue };
        let inner = match fate {
            Fate::Deleted => within(before, at).iter().flat_map(|item| ids(item)).collect(),
            _ => BTreeSet::new(),
        };
        let (file_path, name) = (file_path.to_owned(), item.name.clone());
        affected.push(Affected { fate, file_path, name, ids: ids(item), inner });
    }
    affected
}

/// Identifies an item within its file: the key of its parent, its kind and name, and its number
/// among items with the same ones.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    parent: String,
    kind: NodeKind,
    name: String,
    number: usize,
}

fn keys(facts: &FileFacts) -> Vec<Key> {
    let mut keys: Vec<Key> = Vec::with_capacity(facts.items.len());
    let mut numbers: BTreeMap<(String, NodeKind, String), usize> = BTreeMap::new();
    let mut paths: Vec<String> = Vec::with_capacity(facts.items.len());
    for (at, item) in facts.items.iter().enumerate() {
        let parent = match at {
            0 => String::new(),
            _ => paths.get(item.parent as usize).cloned().unwrap_or_default(),
        };
        let number = numbers.entry((parent.clone(), item.kind, item.name.clone())).or_default();
        paths.push(format!("{parent}\0{}\0{}\0{number}", item.kind, item.name));
        keys.push(Key { parent, kind: item.kind, name: item.name.clone(), number: *number });
        *number += 1;
    }
    keys
}

/// Whether the name still exists: as a variant under another `cfg`, or as an import.
fn remains(key: &Key, item: &ItemFacts, new: &[Key], after: &FileFacts) -> bool {
    new.iter().zip(&after.items).any(|(other, facts)| {
        other.parent == key.parent
            && match &facts.header {
                Header::Import { leaves } => leaves.iter().any(|leaf| leaf.name == item.name),
                _ => other.kind == key.kind && other.name == key.name,
            }
    })
}

/// The new name, if exactly one item of its kind disappeared and one appeared.
fn renamed(
    key: &Key,
    old: &[Key],
    new: &[Key],
    old_keys: &BTreeSet<&Key>,
    after: &FileFacts,
) -> Option<Fate> {
    let alike = |other: &&Key| other.parent == key.parent && other.kind == key.kind;
    let new_keys: BTreeSet<&Key> = new.iter().collect();
    let mut came = new.iter().zip(&after.items).filter(|(k, _)| alike(k) && !old_keys.contains(k));
    let mut went = old.iter().filter(|k| alike(k) && !new_keys.contains(k));
    let (first, second) = (came.next(), came.next());
    let one_went = went.next().is_some() && went.next().is_none();
    match (first, second) {
        (Some((_, item)), None) if one_went => Some(Fate::Renamed(item.name.clone())),
        _ => None,
    }
}

/// Whether users of an item may have to be updated.
fn changed_head(old: &ItemFacts, new: &ItemFacts) -> Option<Fate> {
    let is_unsafe = |item: &ItemFacts| {
        item.signature.split("fn ").next().is_some_and(|head| head.contains("unsafe"))
    };
    let generics = |item: &ItemFacts| -> Vec<(String, String)> {
        item.generics.iter().map(|g| (g.name.clone(), g.bounds.clone())).collect()
    };
    let other = match old.kind {
        NodeKind::Function | NodeKind::Method => {
            old.sig != new.sig || !is_unsafe(old) && is_unsafe(new)
        }
        // For types, derives are a part of it.
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union => generics(old) != generics(new),
        _ => old.sig != new.sig,
    };
    let hidden = old.visibility == "pub" && new.visibility != "pub"
        || !old.visibility.is_empty() && new.visibility.is_empty();
    match (other, hidden) {
        (true, _) => Some(Fate::Signature),
        (false, true) => Some(Fate::Hidden),
        (false, false) => None,
    }
}

/// All nested items of an item.
fn within(facts: &FileFacts, at: usize) -> Vec<&ItemFacts> {
    let mut inside: BTreeSet<usize> = BTreeSet::from([at]);
    let mut found = Vec::new();
    for (number, item) in facts.items.iter().enumerate().skip(at + 1) {
        if inside.contains(&(item.parent as usize)) {
            inside.insert(number);
            found.push(item);
        }
    }
    found
}

/// The modules of a deleted file with all their items.
fn deleted_file(queries: &Queries<'_>, path: &str) -> Result<Option<Affected>, EngineError> {
    let modules = queries.file_modules(path)?;
    let ids: BTreeSet<NodeId> = modules.iter().map(|module| module.id).collect();
    if ids.is_empty() {
        return Ok(None);
    }
    let inner = queries.file_items(path)?.into_iter().map(|item| item.id).collect();
    let (file_path, name) = (path.to_owned(), path.to_owned());
    Ok(Some(Affected { fate: Fate::Deleted, file_path, name, ids, inner }))
}

/// Declarations that still name files that are moved or deleted.
fn declarations(
    queries: &Queries<'_>,
    plan: &Plan,
    places: &Places<'_>,
) -> Result<Vec<String>, EngineError> {
    let mut warnings = Vec::new();
    for file in &plan.files {
        let says = match &file.op {
            FileOp::Delete => format!("still names {}, which is deleted", file.file_path),
            FileOp::RenameTo { to } => format!("still means {}, not {to}", file.file_path),
            _ => continue,
        };
        let modules = queries.file_modules(&file.file_path)?;
        let modules: Vec<NodeId> = modules.into_iter().map(|module| module.id).collect();
        for place in queries.declared_at(&modules)? {
            let path = place.file_path.as_str();
            let there = match places.texts.get(path) {
                Some(old) => old.still_declares(place.start_byte),
                None => !places.gone.contains(path),
            };
            if there {
                let (path, line) = (&place.file_path, place.start_line);
                warnings.push(format!("the declaration in {path}:{line} {says}"));
            }
        }
    }
    Ok(warnings)
}

/// Uses of an item that need an edit but get none.
fn left<'u>(one: &Affected, uses: &'u [Use], places: &Places<'_>) -> Vec<&'u Use> {
    let mine = |used: &&Use| one.ids.contains(&used.target) || one.inner.contains(&used.target);
    let mine: Vec<&Use> = uses.iter().filter(mine).collect();
    // An import that the request edits may bring in the name as before.
    let imports: Vec<&Use> = mine
        .iter()
        .copied()
        .filter(|used| used.use_kind == RefKind::Use && places.is_changed(one, used))
        .collect();
    let imported = |used: &Use| {
        imports.iter().any(|import| {
            let old = places.texts.get(used.file_path.as_str());
            import.file_path == used.file_path
                && old.is_some_and(|old| old.still_brings(&one.name, import.byte, used.byte))
        })
    };
    let inside = |id: &NodeId| one.ids.contains(id) || one.inner.contains(id);
    let left = mine.iter().filter(|used| match one.fate {
        _ if places.is_changed(one, used) => false,
        // What is in it goes with it.
        Fate::Deleted => !inside(&used.item.id) && !imported(used),
        Fate::Renamed(_) => places.is_by_name(one, used) && !imported(used),
        Fate::Hidden => used.file_path != one.file_path,
        Fate::Signature => {
            !matches!(used.use_kind, RefKind::Use | RefKind::Path | RefKind::Keyword)
        }
    });
    left.copied().collect()
}

fn describe_affected(one: &Affected, symbols: &[Symbol], left: &[&Use]) -> Option<String> {
    let mut places: Vec<String> =
        left.iter().map(|used| format!("{}:{}", used.file_path, used.line)).collect();
    places.dedup();
    let path = symbols.iter().find(|symbol| one.ids.contains(&symbol.id));
    let path = path.map_or(one.name.as_str(), |symbol| symbol.path.as_str());
    let uses = match left.len() {
        0 => return None,
        1 => "1 use is left".to_owned(),
        n => format!("{n} uses are left"),
    };
    let what = match &one.fate {
        Fate::Renamed(name) => format!("`{path}` is renamed to `{name}`"),
        Fate::Deleted => format!("`{path}` is deleted"),
        Fate::Signature => format!("the signature of `{path}` changes"),
        Fate::Hidden => format!("`{path}` becomes less visible"),
    };
    let more = places.len().saturating_sub(SHOWN);
    let places = places.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    Some(format!("{what}; {uses} as before: {places}{more}"))
}
