//! Compares uses by their places: which of them mean something else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::consequences::{CERTAIN, Consequences, Difference, Meaning, NewUse, NewUseFault};
use super::item_map::Mapping;
use crate::content::Columns;
use crate::error::IndexError;
use crate::resolved_workspace::ResolvedWorkspace;
use asof_model::{FileFacts, NodeId, RefKind};
use asof_store::{Params, Store, Value};

/// How a place uses something: kind, target, confidence, condition.
type How = (RefKind, NodeId, i64, Option<String>);

/// Uses by file, byte and item around them.
#[derive(Debug, Default)]
pub(super) struct Places {
    found: BTreeMap<(String, u32, NodeId), BTreeSet<How>>,
}

impl Places {
    /// Adds a row of `refs_by_source`. `facts`: the files that are compared, by path.
    pub(super) fn add(
        &mut self,
        side: &ResolvedWorkspace<'_>,
        facts: &BTreeMap<&str, &FileFacts>,
        source: NodeId,
        columns: &Columns,
    ) {
        let Some(node) = side.node(source) else { return };
        let Some(path) = side.path_of(node) else { return };
        let Some(facts) = facts.get(path) else { return };
        let Some(item) = facts.items.get(node.item as usize) else { return };
        let start = item.span.start_byte;
        let Some(Value::List(uses)) = columns.first() else { return };
        for used in uses {
            let Some((how, offsets)) = read(used) else { continue };
            for offset in offsets {
                let key = (path.to_owned(), start + offset, source);
                self.found.entry(key).or_default().insert(how.clone());
            }
        }
    }
}

/// How an entry of a row uses its target, and where.
fn read(used: &Value) -> Option<(How, Vec<u32>)> {
    let Value::List(parts) = used else { return None };
    let [Value::Uuid(target), Value::Json(how)] = parts.as_slice() else { return None };
    let kind = how.get(0).and_then(Json::as_str)?.parse().ok()?;
    let confidence = how.get(2).and_then(Json::as_i64)?;
    let condition = how.get(5).and_then(Json::as_str).map(str::to_owned);
    let flat = how.get(4).and_then(Json::as_array)?;
    let offsets = flat.iter().step_by(3).filter_map(Json::as_u64).map(|byte| byte as u32);
    Some(((kind, NodeId(*target), confidence, condition), offsets.collect()))
}

/// Texts of targets.
pub(super) struct Names<'a> {
    pub store: &'a Store,
    pub before: &'a ResolvedWorkspace<'a>,
    pub after: &'a ResolvedWorkspace<'a>,
    /// Names of the new state that are no items, and whether they are known to be of other crates.
    pub external: &'a BTreeMap<NodeId, (String, bool)>,
}

impl Names<'_> {
    fn meanings(
        &self,
        side: &ResolvedWorkspace<'_>,
        all: &BTreeSet<&How>,
    ) -> Result<Vec<Meaning>, IndexError> {
        let mut found = BTreeSet::new();
        for (kind, target, ..) in all {
            let of = match side.node(*target) {
                Some(node) if node.path.is_empty() => node.name.clone(),
                Some(node) => node.path.clone(),
                None => self.outside(*target)?,
            };
            found.insert(Meaning { kind: *kind, of });
        }
        Ok(found.into_iter().collect())
    }

    fn outside(&self, id: NodeId) -> Result<String, IndexError> {
        if let Some((text, _)) = self.external.get(&id) {
            return Ok(text.clone());
        }
        let params = Params::new().with("ids", Value::list([id]));
        let rows = asof_query::run(self.store, "edges/external_symbols", params)?;
        let text = rows.iter().next().map(|row| row.get("text")).transpose()?;
        text.ok_or_else(|| IndexError::State {
            what: "external symbol",
            reason: format!("{id} has no row"),
        })
    }
}

impl Names<'_> {
    /// Whether a use sees its target in the new state; if that is a constructor, the fields too.
    fn sees(&self, source: NodeId, how: &How) -> bool {
        let side = self.after;
        let (Some(source), Some(target)) = (side.node(source), side.node(how.1)) else {
            return true;
        };
        let (scopes, assembly) = (side.scopes(), &side.assembly);
        let is_seen = |node: &asof_resolve::Node| {
            scopes.is_within(assembly, source.module, scopes.visible_within(assembly, node))
        };
        let is_made = matches!(how.0, RefKind::Call | RefKind::Value | RefKind::Pattern);
        let places = if is_made { scopes.places_of(assembly, target) } else { Vec::new() };
        is_seen(target) && places.into_iter().all(is_seen)
    }

    /// What is wrong with a use in new code.
    fn in_new_code(&self, source: NodeId, all: &BTreeSet<How>) -> Option<(String, NewUseFault)> {
        let private = all.iter().find(|how| how.2 >= CERTAIN && !self.sees(source, how));
        if let Some(target) = private.and_then(|how| self.after.node(how.1)) {
            return Some((target.path.clone(), NewUseFault::Private));
        }
        let unknown = |how: &How| match self.external.get(&how.1) {
            Some((text, false)) => Some((how.0, text.clone())),
            _ => None,
        };
        let unknown: Option<Vec<(RefKind, String)>> = all.iter().map(unknown).collect();
        let (kind, text) = unknown?.into_iter().next()?;
        let fault = match kind {
            RefKind::MethodCall | RefKind::Field => NewUseFault::UnknownReceiver,
            _ => NewUseFault::Unresolved,
        };
        Some((text, fault))
    }
}

/// The certain ones, if there are some.
fn best<'h>(all: &BTreeSet<&'h How>) -> BTreeSet<&'h How> {
    let certain: BTreeSet<&How> = all.iter().copied().filter(|how| how.2 >= CERTAIN).collect();
    if certain.is_empty() { all.clone() } else { certain }
}

/// A module on the way of an import is the last name of it, if the rest of a group goes away.
fn alike(kind: RefKind) -> RefKind {
    if kind == RefKind::Path { RefKind::Use } else { kind }
}

/// Instead of the module around a text that goes to another one: the attributes and the visibility of
/// an item are uses of it.
const AROUND: NodeId = NodeId(uuid::Uuid::nil());

/// A use in the coordinates of the old text: file, byte, and the item around it, as it is after.
type Key = (String, u32, NodeId);

/// Compares the uses of two states.
pub(super) fn compare(
    old: &Places,
    new: &Places,
    mapping: &Mapping<'_>,
    renamed: &BTreeSet<NodeId>,
    names: &Names<'_>,
) -> Result<Consequences, IndexError> {
    let mut was: BTreeMap<Key, BTreeSet<&How>> = BTreeMap::new();
    let moved: BTreeSet<NodeId> = mapping.renamed().into_iter().map(|(_, new)| new).collect();
    for ((path, at, source), all) in &old.found {
        let at = *at;
        let (Some(byte), Some(source)) = (mapping.before(path, at), mapping.id(*source, true))
        else {
            continue;
        };
        let is_around = mapping.is_carried(path, at, true) && !moved.contains(&source);
        let source = if is_around { AROUND } else { source };
        was.entry((path.clone(), byte, source)).or_default().extend(all);
    }
    let mut is: BTreeMap<Key, BTreeSet<&How>> = BTreeMap::new();
    let mut found = Consequences::default();
    for ((path, byte, source), all) in &new.found {
        let is_around = mapping.is_carried(path, *byte, false) && !moved.contains(source);
        let Some((path, byte)) = mapping.after(path, *byte) else {
            let fault = names.in_new_code(*source, all);
            found.new_code.extend(fault.map(|(text, fault)| NewUse {
                file_path: path.clone(),
                byte: *byte,
                text,
                fault,
            }));
            continue;
        };
        let source = if is_around { AROUND } else { *source };
        is.entry((path.to_owned(), byte, source)).or_default().extend(all);
    }
    let goals: BTreeSet<NodeId> = renamed.iter().filter_map(|id| mapping.id(*id, true)).collect();
    let none = BTreeSet::new();
    let keys: BTreeSet<&Key> = was.keys().chain(is.keys()).collect();
    for key in keys {
        let (before, after) = (was.get(key).unwrap_or(&none), is.get(key).unwrap_or(&none));
        let certain = |how: &How| how.2 >= CERTAIN;
        let target = |how: &How| mapping.id(how.1, names.before.node(how.1).is_some());
        let old: BTreeSet<_> = before
            .iter()
            .filter(|how| certain(how))
            .map(|how| (alike(how.0), target(how), how.3.as_deref()))
            .collect();
        let new: BTreeSet<_> = after
            .iter()
            .filter(|how| certain(how))
            .map(|how| (alike(how.0), Some(how.1), how.3.as_deref()))
            .collect();
        found.compared += old.len();
        let difference = || -> Result<Difference, IndexError> {
            Ok(Difference {
                file_path: key.0.clone(),
                byte: key.1,
                before: names.meanings(names.before, &best(before))?,
                after: names.meanings(names.after, &best(after))?,
            })
        };
        if old != new {
            found.differences.push(difference()?);
            continue;
        }
        let is_hidden = |how: &&How| {
            (moved.contains(&how.1) || moved.contains(&key.2)) && !names.sees(key.2, how)
        };
        if after.iter().copied().filter(|how| certain(how)).any(|how| is_hidden(&how)) {
            found.hidden.push(difference()?);
            continue;
        }
        let old: BTreeSet<_> = before.iter().filter_map(|how| target(how)).collect();
        let newly = |how: &&How| !certain(how) && goals.contains(&how.1) && !old.contains(&how.1);
        if after.iter().copied().any(|how| newly(&how)) {
            found.doubts.push(difference()?);
        }
    }
    Ok(found)
}
