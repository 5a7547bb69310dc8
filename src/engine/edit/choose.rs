//! Resolves the target of an edit: an item by its path, or one without a name by its container and
//! by text that only it contains.

use super::target::{Files, Halt, relative};
use crate::canonical::squeeze;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_edit::{EditError, ItemEdit};
use asof_model::{Filter, Hint};
use asof_model::{NodeId, NodeKind};
use asof_query::Queries;
use asof_syntax::without_lifetimes;
use asof_wire::{Item, Resolution, ResolveRequest};

/// How an edit names its item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    pub path: &'a str,
    pub kind: Option<NodeKind>,
    pub file: Option<&'a str>,
    pub has: Option<&'a str>,
}

impl<'a> Target<'a> {
    pub(super) fn from_edit(edit: ItemEdit<'a>) -> Self {
        let (path, kind, file, has) = match edit {
            ItemEdit::Canonical(edit) => (&edit.path, edit.kind, &edit.file_path, &edit.has),
            ItemEdit::Delete(edit) => (&edit.path, edit.kind, &edit.file_path, &edit.has),
            ItemEdit::Insert(edit) => (&edit.anchor, edit.kind, &edit.file_path, &edit.has),
        };
        Self { path, kind, file: file.as_deref(), has: has.as_deref() }
    }
}

/// The item at a path, for edits: one place in one file.
pub(super) fn item(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    target: Target<'_>,
) -> Result<Item, Halt> {
    let file = match target.file {
        Some(file) => Some(relative(snapshot, file)?),
        None => None,
    };
    let request = ResolveRequest {
        path: target.path.to_owned(),
        kind: target.kind,
        file_path: file.clone(),
        package: None,
    };
    let found = snapshot.resolve(&request)?;
    let nameless = target.kind.filter(|kind| kind.is_anonymous() && found.items().is_empty());
    let Some(kind) = nameless else {
        return match target.has {
            Some(has) if !found.items().is_empty() => {
                let items = holding(snapshot, files, found.items().to_vec(), has)?;
                unique_item(target, items)
            }
            _ => match exactly(target.path, found.items()) {
                Some(item) => Ok(item.clone()),
                None => Ok(one_place(&found)?),
            },
        };
    };
    let request = ResolveRequest { kind: None, file_path: None, ..request };
    let containers = snapshot.resolve(&request)?;
    if containers.items().is_empty() {
        return Err(match containers.unique() {
            Err(error) => error.into(),
            Ok(_) => EditError::internal("a path without a definition is not found").into(),
        });
    }
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let ids: Vec<NodeId> = containers.items().iter().map(|item| item.id).collect();
    let found = queries.nameless(&ids, kind).map_err(EngineError::from)?;
    let mut items: Vec<Item> = found.into_iter().map(Item::from).collect();
    if let Some(file) = &file {
        items.retain(|item| item.file_path == *file);
    }
    if let Some(has) = target.has {
        items = holding(snapshot, files, items, has)?;
    }
    unique_item(target, snapshot.with_conditions(snapshot.of_configuration(items)?)?)
}

/// The only definition; those of a file shared by several crates count as one, since they are the
/// same bytes.
fn one_place(found: &Resolution) -> Result<Item, EngineError> {
    match same_place(found.items()) {
        Some(item) => Ok(item.clone()),
        None => found.unique().cloned().map_err(|error| in_request(error.into(), found)),
    }
}

/// Adapts the error's filter to edits, which have no ids.
fn in_request(error: EngineError, found: &Resolution) -> EngineError {
    let EngineError::Ambiguous { what, candidates, .. } = error else { return error };
    let hint = match &found.disambiguator {
        Some(Filter::Id(_)) | None => Hint::NarrowByText,
        Some(_) => Hint::NarrowField(found.filters()),
    };
    EngineError::Ambiguous { what, hint, candidates }
}

/// The item with exactly this canonical path: `<T as Eq>::eq` beside `<T as Eq<str>>::eq`, which a
/// path without arguments matches too.
fn exactly<'i>(path: &str, items: &'i [Item]) -> Option<&'i Item> {
    let path = squeeze(&without_lifetimes(path));
    let is = |item: &&Item| {
        let Some(canonical) = item.path.as_deref().map(squeeze) else { return false };
        let name = canonical.trim_start_matches(['<', '&']).split("::").next().unwrap_or_default();
        canonical == path || canonical == path.replace("crate::", &format!("{name}::"))
    };
    let mut exact = items.iter().filter(is);
    exact.next().filter(|_| exact.next().is_none())
}

fn same_place(items: &[Item]) -> Option<&Item> {
    let place = |item: &Item| (item.file_path.clone(), item.span, item.kind);
    let (first, rest) = items.split_first()?;
    rest.iter().all(|item| place(item) == place(first)).then_some(first)
}

fn unique_item(target: Target<'_>, items: Vec<Item>) -> Result<Item, Halt> {
    if let Some(item) = same_place(&items) {
        return Ok(item.clone());
    }
    let kind = target.kind.map_or("definition", NodeKind::as_str);
    let has = target.has.map(|has| format!(" that has `{has}`")).unwrap_or_default();
    if items.is_empty() {
        return Err(EngineError::NotFound {
            what: format!("there is no {kind} `{}`{has}", target.path),
            hint: Hint::ListOutline,
        }
        .into());
    }
    Err(EngineError::Ambiguous {
        what: format!("`{}`{has} means {} of kind {kind}", target.path, items.len()),
        hint: Hint::NarrowByText,
        candidates: items.iter().map(Resolution::line).collect(),
    }
    .into())
}

/// Items whose text contains the given one; if none does, items in a container whose head does:
/// `impl Frame<u8>`, where both have the same method. White space between tokens is ignored.
fn holding(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    items: Vec<Item>,
    has: &str,
) -> Result<Vec<Item>, Halt> {
    let has = squeeze(has);
    let mut own = Vec::new();
    for item in &items {
        let loaded = files.loaded(snapshot, &item.file_path)?;
        let (start, end) = (item.span.start_byte as usize, item.span.end_byte as usize);
        if loaded.text.get(start..end).is_some_and(|text| squeeze(text).contains(&has)) {
            own.push(item.clone());
        }
    }
    if !own.is_empty() {
        return Ok(own);
    }
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let parents: Vec<NodeId> = items.iter().filter_map(|item| item.parent_id).collect();
    let parents = queries.describe(&parents).map_err(EngineError::from)?;
    let heads = |id| parents.iter().filter(move |parent| Some(parent.id) == id);
    Ok(items
        .into_iter()
        .filter(|item| {
            heads(item.parent_id).any(|head| {
                squeeze(&format!("{} cfg({})", head.signature, head.cfg)).contains(&has)
            })
        })
        .collect())
}
