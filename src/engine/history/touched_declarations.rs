//! Which declarations may differ between two public interfaces: most items of a library are as they
//! were, and so is what they name. What is left out here is the same at both moments.
//!
//! A declaration is touched if its head differs, its condition, or a type that it names; with it the
//! type, trait or impl that it is in.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::library_crates;
use crate::past::item_state;
use asof_item_tracking::ItemState;
use asof_model::{NodeId, NodeKind};
use asof_query::{NamedType, Queries};

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// Ids at either moment, with those of what they are in.
    pub items: BTreeSet<NodeId>,
    /// Whether modules and imports differ so that something may have another public path.
    pub may_have_other_names: bool,
}

impl Touched {
    /// Of two moments, in either order.
    ///
    /// # Errors
    /// The store failed.
    pub fn find(one: &Snapshot<'_>, other: &Snapshot<'_>) -> Result<Self, EngineError> {
        let (from, to) = if one.at() <= other.at() { (one, other) } else { (other, one) };
        let [old, new] = [from, to].map(|one| Queries::at(one.store(), one.at()));
        let (libraries, mut old, mut new) = (BTreeSet::new(), State::new(old), State::new(new));
        let mut search = Search { libraries, ..Search::default() };
        for state in [&old, &new] {
            let crates = library_crates(&state.queries)?;
            search.libraries.extend(crates.map(|row| row.root_id));
        }
        let steps = Queries::changes_between(to.store(), from.at(), to.at())?;
        let parts = steps.into_iter().map(|step| [step.added, step.removed, step.changed].concat());
        let changed: BTreeSet<NodeId> = parts.flatten().collect();
        search.by_heads(&mut old, &mut new, &changed)?;
        let other_conditions = new.queries.conditions_since(from.at())?;
        search.all(&mut old, &mut new, &other_conditions)?;
        let other_uses = new.queries.uses_since(from.at())?;
        search.by_names(&mut old, &mut new, &other_uses)?;
        // Private aliases stand for other types, too.
        let all = search.found.iter().chain(search.hiding.keys()).copied();
        let aliases: Vec<NodeId> = all.filter(|id| old.is_alias(id) || new.is_alias(id)).collect();
        for state in [&old, &new] {
            let users = state.queries.users_of(&aliases)?.into_iter().map(|row| row.source);
            search.found.extend(users);
        }
        search.finish(&mut old, &mut new)
    }

    /// Whether the interfaces are the same.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && !self.may_have_other_names
    }
}

/// The items of a moment that were read.
struct State<'s> {
    queries: Queries<'s>,
    items: BTreeMap<NodeId, ItemState>,
}

impl<'s> State<'s> {
    fn new(queries: Queries<'s>) -> Self {
        Self { queries, items: BTreeMap::new() }
    }

    fn read(&mut self, ids: impl IntoIterator<Item = NodeId>) -> Result<(), EngineError> {
        let ids = ids.into_iter().filter(|id| !self.items.contains_key(id));
        let ids: BTreeSet<NodeId> = ids.collect();
        let rows = self.queries.states(&ids.into_iter().collect::<Vec<_>>())?;
        self.items.extend(rows.into_iter().map(|row| (row.id, item_state(row))));
        Ok(())
    }

    fn read_with_parents<'i>(
        &mut self,
        ids: impl IntoIterator<Item = &'i NodeId> + Clone,
    ) -> Result<(), EngineError> {
        self.read(ids.clone().into_iter().copied())?;
        let known = ids.into_iter().filter_map(|id| self.items.get(id));
        let parents: Vec<NodeId> = known.filter_map(|item| item.parent_id).collect();
        self.read(parents)
    }

    fn parent(&self, item: &ItemState) -> Option<&ItemState> {
        self.items.get(&item.parent_id?)
    }

    fn is_alias(&self, id: &NodeId) -> bool {
        let kind = self.items.get(id).map(|item| item.kind);
        matches!(kind, Some(NodeKind::TypeAlias | NodeKind::TraitAlias))
    }

    /// Whether users of a library may see an item. Private ones are in no interface, and members of
    /// impls of traits have their heads there.
    fn may_be_seen(&self, item: &ItemState) -> bool {
        let around = self.parent(item);
        let is_in_impl = around.is_some_and(|around| around.kind == NodeKind::Impl);
        let of_trait = around.and_then(|around| around.canonical_path.as_ref());
        let of_trait = is_in_impl && of_trait.is_some_and(|path| path.contains(" as "));
        match item.kind {
            NodeKind::Method if of_trait => false,
            NodeKind::Method | NodeKind::AssocConst if is_in_impl => item.visibility == "pub",
            NodeKind::Module | NodeKind::Import | NodeKind::ExternCrate => false,
            NodeKind::MacroCall | NodeKind::ForeignMod | NodeKind::Unknown => false,
            _ => !is_private(item),
        }
    }

    /// What touched items are in, and the types that impls are for.
    fn around(&mut self, ids: &BTreeSet<NodeId>) -> Result<BTreeSet<NodeId>, EngineError> {
        let mut all = BTreeSet::new();
        let mut open = ids.clone();
        while !open.is_empty() {
            self.read(open.iter().copied())?;
            let known: Vec<&ItemState> = open.iter().filter_map(|id| self.items.get(id)).collect();
            let inside = known.iter().filter(|item| item.kind != NodeKind::Module);
            let mut above: BTreeSet<NodeId> = inside.filter_map(|item| item.parent_id).collect();
            let impls = known.iter().filter(|item| item.kind == NodeKind::Impl);
            let impls: Vec<NodeId> = impls.map(|item| item.id).collect();
            above.extend(self.queries.impl_types(&impls)?.into_iter().map(|row| row.type_id));
            all.append(&mut open);
            open = above.difference(&all).copied().collect();
        }
        Ok(all)
    }
}

/// Items that no other crate can name: those of modules that are not `pub`. Traits count as well, since
/// impls of private ones are no part of an interface.
fn is_private(item: &ItemState) -> bool {
    let is_of_module = matches!(
        item.kind,
        NodeKind::Function
            | NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::TypeAlias
            | NodeKind::Const
            | NodeKind::Static
    );
    is_of_module && item.visibility != "pub"
}

/// Whether the heads differ: all but the text and documentation of an item.
fn has_other_head(old: &ItemState, new: &ItemState) -> bool {
    fn head(item: &ItemState) -> impl PartialEq {
        let names = (&item.name, &item.canonical_path, &item.signature, &item.visibility);
        (names, item.kind, item.module_id, item.parent_id, &item.cfg, &item.attrs)
    }
    head(old) != head(new)
}

#[derive(Default)]
struct Search {
    /// The roots of the libraries at either moment.
    libraries: BTreeSet<NodeId>,
    found: BTreeSet<NodeId>,
    /// What may give or take names, or change who sees a module.
    naming: BTreeSet<NodeId>,
    /// Private items that come or go in a module, and so may hide names of globs there.
    hiding: BTreeMap<NodeId, NodeId>,
}

impl Search {
    /// Items whose own rows differ.
    fn by_heads<'s>(
        &mut self,
        old: &mut State<'s>,
        new: &mut State<'s>,
        ids: &BTreeSet<NodeId>,
    ) -> Result<(), EngineError> {
        for state in [&mut *old, &mut *new] {
            state.read_with_parents(ids)?;
        }
        for id in ids {
            match (old.items.get(id), new.items.get(id)) {
                (Some(was), Some(is)) => {
                    let has_other_text = was.tracking_hash != is.tracking_hash;
                    let may_show = match is.kind {
                        // A list of fields, or none.
                        NodeKind::Struct => true,
                        NodeKind::Field | NodeKind::Variant | NodeKind::AssocType => true,
                        // Whether an item of a trait has a default.
                        NodeKind::Method | NodeKind::AssocConst => {
                            new.parent(is).is_some_and(|around| around.kind == NodeKind::Trait)
                        }
                        NodeKind::Import | NodeKind::ExternCrate => true,
                        _ => false,
                    };
                    if has_other_head(was, is) || has_other_text && may_show {
                        self.add(old, new, *id);
                    }
                }
                (None, None) => {}
                _ => self.add(old, new, *id),
            }
        }
        Ok(())
    }

    /// Items of which something else than their rows differs.
    fn all<'s>(
        &mut self,
        old: &mut State<'s>,
        new: &mut State<'s>,
        ids: &[NodeId],
    ) -> Result<(), EngineError> {
        for state in [&mut *old, &mut *new] {
            state.read_with_parents(ids)?;
        }
        for id in ids {
            self.add(old, new, *id);
        }
        Ok(())
    }

    /// Items that name other types. Of what a function names, its signature counts.
    fn by_names<'s>(
        &mut self,
        old: &mut State<'s>,
        new: &mut State<'s>,
        ids: &[NodeId],
    ) -> Result<(), EngineError> {
        old.read(ids.iter().copied())?;
        new.read(ids.iter().copied())?;
        let is_function = |kind| matches!(kind, NodeKind::Function | NodeKind::Method);
        let mut differ = Vec::new();
        let [before, after] = [&*old, &*new].map(|state| state.queries.named_types(ids));
        let (before, after) = (by_item(before?), by_item(after?));
        for id in ids {
            let states = || [old.items.get(id), new.items.get(id)].into_iter().flatten();
            let counts = |named: &&NamedType| {
                let name = named.path.rsplit("::").next().unwrap_or_default();
                states().any(|item| !is_function(item.kind) || item.signature.contains(name))
            };
            let names = |rows: Option<&Vec<NamedType>>| -> Vec<NamedType> {
                rows.into_iter().flatten().filter(counts).cloned().collect()
            };
            if names(before.get(id)) != names(after.get(id)) {
                differ.push(*id);
            }
        }
        self.all(old, new, &differ)
    }

    fn add(&mut self, old: &State<'_>, new: &State<'_>, id: NodeId) {
        for state in [old, new] {
            let Some(item) = state.items.get(&id) else { continue };
            let is_public = item.visibility == "pub";
            match item.kind {
                NodeKind::Module => _ = self.naming.insert(id),
                NodeKind::Import | NodeKind::ExternCrate if is_public => {
                    self.naming.insert(id);
                }
                NodeKind::Import | NodeKind::ExternCrate => {
                    self.hiding.insert(id, item.module_id);
                }
                _ if is_private(item) => _ = self.hiding.insert(id, item.module_id),
                _ if state.may_be_seen(item) => _ = self.found.insert(id),
                _ => {}
            }
        }
    }

    /// Leaves out what is in no library, and adds what the rest is in.
    fn finish<'s>(
        mut self,
        old: &mut State<'s>,
        new: &mut State<'s>,
    ) -> Result<Touched, EngineError> {
        let ids = self.found.iter().chain(&self.naming).chain(self.hiding.keys());
        let ids: Vec<NodeId> = ids.copied().collect();
        let mut in_libraries = BTreeSet::new();
        for state in [&*old, &*new] {
            let rows = state.queries.conditions_of_items(&ids, &ids)?.into_iter();
            let rows = rows.filter(|row| !row.in_test && self.libraries.contains(&row.root_id));
            in_libraries.extend(rows.map(|row| row.id));
        }
        self.found.retain(|id| in_libraries.contains(id));
        self.naming.retain(|id| in_libraries.contains(id));
        self.hiding.retain(|id, _| in_libraries.contains(id));
        let modules: BTreeSet<NodeId> = self.hiding.values().copied().collect();
        let modules: Vec<NodeId> = modules.into_iter().collect();
        let mut may_have_other_names = !self.naming.is_empty();
        let mut items = BTreeSet::new();
        for state in [old, new] {
            let imports = state.queries.scope_imports(&modules)?;
            may_have_other_names |= imports.iter().any(|row| row.kind == "glob_reexports");
            items.append(&mut state.around(&self.found)?);
        }
        Ok(Touched { items, may_have_other_names })
    }
}

fn by_item(rows: Vec<NamedType>) -> BTreeMap<NodeId, Vec<NamedType>> {
    let mut found: BTreeMap<NodeId, Vec<NamedType>> = BTreeMap::new();
    for row in rows {
        found.entry(row.item).or_default().push(row);
    }
    found
}
