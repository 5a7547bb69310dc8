//! Collects the items that are renamed together: an item, the same text in other modules and
//! crates, its variants under other conditions, and for an item of a trait those of all impls.

use std::collections::BTreeSet;

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::SharedTexts;
use crate::items::docs::Named;
use asof_edit::EditError;
use asof_model::{ByteRange, Condition, Flags, NodeId, NodeKind, RefKind};
use asof_query::{Described, Queries, UseFilter};
use asof_refactor::Meant;
use asof_store::Store;
use asof_wire::Item;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub ids: BTreeSet<NodeId>,
    pub items: Vec<Described>,
}

impl<'g> From<&'g Group> for Named<'g> {
    fn from(group: &'g Group) -> Self {
        Self { ids: &group.ids, items: &group.items }
    }
}

impl Group {
    /// The items that have one text.
    pub(super) fn of_text(snapshot: &Snapshot<'_>, first: &[Item]) -> Result<Self, EngineError> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let mut group = Self::default();
        let ids: Vec<NodeId> = first.iter().map(|item| item.id).collect();
        let mut ids_of_text: BTreeSet<NodeId> = ids.iter().copied().collect();
        let mut texts = SharedTexts::default();
        for item in first {
            texts.read(&queries, &item.file_path)?;
            ids_of_text.extend(texts.definitions(item.id));
        }
        let ids: Vec<NodeId> = ids_of_text.iter().copied().collect();
        group.items = queries.describe(&ids)?;
        group.ids = ids_of_text;
        Ok(group)
    }

    /// Whether a byte of a file is in the text of one of them.
    pub(super) fn holds(&self, file_path: &str, byte: u32) -> bool {
        self.items.iter().any(|item| {
            item.file_path == file_path && item.start_byte <= byte && byte < item.end_byte.max(1)
        })
    }

    /// What words that are not read as code may mean of it.
    pub(super) fn meant(
        &self,
        snapshot: &Snapshot<'_>,
        kind: NodeKind,
    ) -> Result<Meant, EngineError> {
        let parents: Vec<NodeId> = self.items.iter().filter_map(|item| item.parent_id).collect();
        let parents = Queries::at(snapshot.store(), snapshot.at).describe(&parents)?;
        let any = |of: NodeKind| parents.iter().any(|parent| parent.kind == of);
        Ok(Meant { kind, of_trait: any(NodeKind::Trait), in_call: any(NodeKind::MacroCall) })
    }

    /// Everything that is renamed with an item. `refuse` makes an error of a reason.
    pub(super) fn load(
        snapshot: &Snapshot<'_>,
        first: &[Item],
        refuse: &dyn Fn(String) -> EditError,
    ) -> Result<Self, EngineError> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let mut group = Self::default();
        let mut texts = SharedTexts::default();
        let mut open: Vec<NodeId> = first.iter().map(|item| item.id).collect();
        while !open.is_empty() {
            let ids: BTreeSet<NodeId> = open.drain(..).filter(|id| group.ids.insert(*id)).collect();
            let ids: Vec<NodeId> = ids.into_iter().collect();
            for mut item in queries.describe(&ids)? {
                texts.read(&queries, &item.file_path)?;
                open.extend(texts.definitions(item.id));
                open.extend(variants(&queries, &item)?);
                open.extend(alternatives(&queries, &item)?);
                if is_of_trait(item.kind) {
                    open.extend(of_trait(snapshot.store(), &queries, &item, refuse)?);
                }
                if item.made {
                    match named_by_call(snapshot, &item)? {
                        Some(NamedByCall { at, beside }) => {
                            item.name_start = at;
                            open.extend(beside);
                        }
                        None => {
                            let (file_path, line) = (&item.file_path, item.name_line);
                            let what = item.canonical_path.as_deref().unwrap_or(&item.name);
                            let reason =
                                format!("the macro call at {file_path}:{line} makes `{what}`");
                            return Err(refuse(reason).into());
                        }
                    }
                }
                group.items.push(item);
            }
        }
        Ok(group)
    }
}

/// Where the call of a macro names an item that it makes.
struct NamedByCall {
    /// First byte.
    at: u32,
    /// All items that have their name from there.
    beside: Vec<NodeId>,
}

/// The name of a made item in the tokens of its call, if the rules make nothing else of it than names.
fn named_by_call(
    snapshot: &Snapshot<'_>,
    item: &Described,
) -> Result<Option<NamedByCall>, EngineError> {
    let Some(facts) = snapshot.local_facts(&item.file_path)? else { return Ok(None) };
    let call = ByteRange::new(item.start_byte, item.end_byte);
    let mut own = facts.made.iter().filter(|one| one.item == item.id && call.contains(one.at));
    let (Some(first), None) = (own.next(), own.next()) else { return Ok(None) };
    let beside = facts.made.iter().filter(|one| one.at == first.at).map(|one| one.item);
    Ok(first.is_only.then(|| NamedByCall { at: first.at, beside: beside.collect() }))
}

fn is_of_trait(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Method | NodeKind::AssocType | NodeKind::AssocConst)
}

/// Items of the same path, kind and container under other conditions.
fn variants(queries: &Queries<'_>, item: &Described) -> Result<Vec<NodeId>, EngineError> {
    let Some(path) = &item.canonical_path else { return Ok(Vec::new()) };
    let ids: Vec<NodeId> = queries.by_path(path)?.into_iter().map(|hit| hit.id).collect();
    let mut found = queries.describe(&ids)?;
    found.retain(|one| one.id != item.id && one.kind == item.kind && one.root_id == item.root_id);
    let beside = |one: &Described| one.parent_id == item.parent_id || is_of_trait(item.kind);
    let (mut all, elsewhere): (Vec<Described>, Vec<Described>) =
        found.into_iter().partition(beside);
    for one in elsewhere {
        if are_exclusive(queries, &[item.id, one.id])? {
            all.push(one);
        }
    }
    Ok(all.iter().map(|one| one.id).collect())
}

/// Whether no build has two of these items.
pub(super) fn are_exclusive(queries: &Queries<'_>, ids: &[NodeId]) -> Result<bool, EngineError> {
    let rows = queries.conditions_of_items(ids, &[])?;
    let conditions: Vec<Condition> =
        rows.iter().map(|row| Condition::parse(&row.condition)).collect();
    let pairs = conditions.iter().enumerate();
    let exclusive =
        pairs.flat_map(|(at, one)| conditions.iter().skip(at + 1).map(move |o| (one, o)));
    Ok(conditions.len() == ids.len()
        && exclusive.into_iter().all(|(a, b)| a.contradicts(b, Flags::All)))
}

/// Items that uses of this one mean under other conditions: `sys::Socket`, where each system has a
/// module with one.
fn alternatives(queries: &Queries<'_>, item: &Described) -> Result<Vec<NodeId>, EngineError> {
    let kinds = RefKind::ALL.iter().copied();
    let kinds = kinds.filter(|kind| !matches!(kind, RefKind::Overrides | RefKind::Keyword));
    let filter = UseFilter { kinds: kinds.collect(), min_confidence: 1.0 };
    let rows = queries.where_used(&[item.id], &filter)?;
    let sources = rows.iter().filter(|row| row.condition.is_some()).map(|row| row.source);
    let sources: BTreeSet<NodeId> = sources.collect();
    let sources: Vec<NodeId> = sources.into_iter().collect();
    let mut found = BTreeSet::new();
    for uses in queries.uses_of(&sources)? {
        let certain = || uses.refs.iter().filter(|one| one.confidence >= 1.0);
        let places = |target: NodeId| {
            certain()
                .filter(move |one| one.target == target)
                .flat_map(|one| one.occurrences.0.iter().map(|place| (one.kind, place[0])))
        };
        let mine: BTreeSet<(RefKind, u32)> = places(item.id).collect();
        let others = certain().filter(|one| one.target != item.id && one.condition.is_some());
        let beside = others.filter(|one| places(one.target).any(|place| mine.contains(&place)));
        found.extend(beside.map(|one| one.target));
    }
    let ids: Vec<NodeId> = found.into_iter().collect();
    let alike = |one: &Described| {
        let share = |space| space != '-' && item.kind.namespaces().contains(space);
        one.name == item.name && one.kind.namespaces().chars().any(share)
    };
    Ok(queries.describe(&ids)?.iter().filter(|one| alike(one)).map(|one| one.id).collect())
}

/// The item of the trait that an item implements, and the items that implement it.
fn of_trait(
    store: &Store,
    queries: &Queries<'_>,
    item: &Described,
    refuse: &dyn Fn(String) -> EditError,
) -> Result<Vec<NodeId>, EngineError> {
    let mut found = Vec::new();
    for uses in queries.uses_of(&[item.id])? {
        let above = uses.refs.iter().filter(|used| used.kind == RefKind::Overrides);
        for used in above {
            if let Some(outside) = Queries::external(store, &[used.target])?.first() {
                let text = &outside.text;
                return Err(refuse(format!("it implements `{text}` of another crate")).into());
            }
            found.push(used.target);
        }
    }
    let overrides = UseFilter { kinds: vec![RefKind::Overrides], min_confidence: 0.0 };
    found.extend(queries.where_used(&[item.id], &overrides)?.iter().map(|row| row.source));
    Ok(found)
}
