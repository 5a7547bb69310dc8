//! The items that a review is of.

use std::collections::BTreeMap;

use super::identities::{ById, Ids, is_gone, is_new};
use super::pair::{Pair, reviewed};
use super::side::Side;
use super::sides::Sides;
use crate::error::EngineError;
use crate::history::Followed;
use asof_model::{Class, NodeId, NodeKind};
use asof_query::ItemFacts;
use asof_wire::{DiffItem, ReviewedItem};

/// An item that one state has.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub item: ReviewedItem,
    pub is_gone: bool,
    /// What it was split from, or merged into.
    pub other: Option<String>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Population {
    /// By the id at the later moment.
    pub pairs: ById<Pair>,
    pub listed: Vec<Listed>,
    /// Containers of the later state that have the items that they had, by these.
    parents: BTreeMap<NodeId, NodeId>,
}

impl Population {
    /// The items of a difference, those whose names mean something else, and those beside them, of
    /// which what is in scope may differ.
    pub fn find(
        sides: &mut Sides<'_>,
        items: &[DiffItem],
        followed: &[Followed],
    ) -> Result<Self, EngineError> {
        let mut found = Self::default();
        let ids = |of: &dyn Fn(&DiffItem) -> Option<NodeId>| {
            items.iter().filter_map(of).collect::<Vec<_>>()
        };
        sides.new.know(&ids(&|item| (!is_gone(item)).then_some(item.id)))?;
        sides
            .old
            .know(&ids(&|item| (!is_new(item)).then(|| item.previous_id.unwrap_or(item.id))))?;
        let [old, new] = sides.changed_files()?;
        sides.know_files(&old, &new)?;
        for item in items {
            if is_gone(item) || is_new(item) {
                found.list(sides, item)?;
            } else {
                found.pair(sides, item)?;
            }
        }
        found.drop_whole(sides)?;
        let mut unlisted = sides.rebound()?;
        unlisted.extend(followed.iter().map(|one| one.new));
        found.add_all_unlisted(sides, &unlisted)?;
        for path in new {
            let apart = sides.new.file(&path)?.apart();
            found.add_all_unlisted(sides, &apart)?;
        }
        // Whatever the difference says, nothing of a changed file goes without being listed.
        for path in old {
            let apart = sides.old.file(&path)?.apart();
            let later = apart.iter().filter_map(|id| sides.identities.later(*id));
            sides.new.know(&later.collect::<Vec<_>>())?;
            for id in apart {
                found.add_lost(sides, id)?;
            }
        }
        for id in found.pairs.keys().copied().collect::<Vec<_>>() {
            let parent = sides.new.item(id)?.and_then(|item| item.parent_id);
            let old = match found.pairs.get(&id) {
                Some(pair) => sides.old.item(pair.old)?.and_then(|item| item.parent_id),
                None => None,
            };
            if let Some((parent, old)) = parent.zip(old)
                && sides.identities.later(old) == Some(parent)
            {
                found.parents.insert(id, parent);
            }
        }
        Ok(found)
    }

    fn list(&mut self, sides: &mut Sides<'_>, item: &DiffItem) -> Result<(), EngineError> {
        let side = if is_gone(item) { &mut sides.old } else { &mut sides.new };
        let Some(described) = side.item(item.id)? else { return Ok(()) };
        if described.made || item.kind == NodeKind::Import {
            return Ok(());
        }
        if matches!(item.kind, NodeKind::Field | NodeKind::Variant) {
            return self.add_owner(sides, item);
        }
        let line = side.place(&described)?.start_line;
        self.listed.push(Listed {
            item: reviewed(&described, line, item.classes.clone()),
            is_gone: is_gone(item),
            other: item.other.clone(),
        });
        Ok(())
    }

    /// A field or variant is a part of the text of its type.
    fn add_owner(&mut self, sides: &mut Sides<'_>, item: &DiffItem) -> Result<(), EngineError> {
        let owner = if is_gone(item) {
            let owner = sides.old.owner(item.id)?;
            owner.and_then(|owner| sides.identities.later(owner.id))
        } else {
            sides.new.owner(item.id)?.map(|owner| owner.id)
        };
        let Some(owner) = owner else { return Ok(()) };
        self.add(sides, owner, Vec::new(), true)
    }

    fn pair(&mut self, sides: &mut Sides<'_>, item: &DiffItem) -> Result<(), EngineError> {
        match item.kind {
            NodeKind::Import => Ok(()),
            NodeKind::Field | NodeKind::Variant => self.add_owner(sides, item),
            _ => self.add(sides, item.id, item.classes.clone(), true),
        }
    }

    /// [`Self::add_unlisted`] of several, whose facts are read at once.
    pub fn add_all_unlisted(
        &mut self,
        sides: &mut Sides<'_>,
        ids: &[NodeId],
    ) -> Result<(), EngineError> {
        sides.new.know(ids)?;
        let earlier: Vec<NodeId> =
            ids.iter().filter_map(|id| sides.identities.earlier(*id)).collect();
        sides.old.know(&earlier)?;
        ids.iter().try_for_each(|id| self.add_unlisted(sides, *id))
    }

    /// Adds an item that is judged, and listed if it is not proven.
    fn add_unlisted(&mut self, sides: &mut Sides<'_>, id: NodeId) -> Result<(), EngineError> {
        match sides.new.owner(id)? {
            Some(owner) if owner.kind != NodeKind::Import => {
                self.add(sides, owner.id, Vec::new(), false)
            }
            _ => Ok(()),
        }
    }

    /// An item that the later state does not have, although no difference says so.
    fn add_lost(&mut self, sides: &mut Sides<'_>, id: NodeId) -> Result<(), EngineError> {
        let Some(later) = sides.identities.later(id) else { return Ok(()) };
        let Some(item) = sides.old.item(id)?.filter(|item| item.kind != NodeKind::Import) else {
            return Ok(());
        };
        if sides.new.item(later)?.is_none() {
            let line = sides.old.place(&item)?.start_line;
            let item = reviewed(&item, line, vec![Class::Removed]);
            self.listed.push(Listed { item, is_gone: true, other: None });
        }
        Ok(())
    }

    fn add(
        &mut self,
        sides: &mut Sides<'_>,
        new: NodeId,
        classes: Vec<Class>,
        is_listed: bool,
    ) -> Result<(), EngineError> {
        if let Some(known) = self.pairs.get_mut(&new) {
            known.is_listed |= is_listed;
            known.classes.extend(classes);
            known.classes.sort_unstable();
            known.classes.dedup();
            return Ok(());
        }
        let Some(item) = sides.new.item(new)?.filter(|item| !item.made) else { return Ok(()) };
        let Some(old) = sides.identities.earlier(new) else { return Ok(()) };
        if sides.old.item(old)?.is_none() {
            let line = sides.new.place(&item)?.start_line;
            let item = reviewed(&item, line, vec![Class::Added]);
            self.listed.push(Listed { item, is_gone: false, other: None });
            return Ok(());
        }
        self.pairs.insert(new, Pair { old, new, kind: item.kind, classes, is_listed });
        Ok(())
    }

    /// Leaves out what comes or goes with its trait or impl, and impls whose items are listed.
    fn drop_whole(&mut self, sides: &mut Sides<'_>) -> Result<(), EngineError> {
        let all: Ids = self.listed.iter().map(|one| one.item.id).collect();
        let mut kept = Vec::new();
        for one in std::mem::take(&mut self.listed) {
            let side: &mut Side<'_> = if one.is_gone { &mut sides.old } else { &mut sides.new };
            let parent = side.item(one.item.id)?.and_then(|item| item.parent_id);
            let parent = match parent.filter(|parent| all.contains(parent)) {
                Some(parent) => side.item(parent)?,
                None => None,
            };
            let is_own_impl = one.item.kind == NodeKind::Impl && !one.item.path.contains(" as ");
            if !parent.is_some_and(|parent| is_whole(&parent)) && !is_own_impl {
                kept.push(one);
            }
        }
        self.listed = kept;
        Ok(())
    }

    /// Whether an item is only where its container is, which is listed.
    pub fn is_implied(&self, pair: &Pair) -> bool {
        let goes = |classes: &[Class]| {
            classes.contains(&Class::Moved) || classes.contains(&Class::Renamed)
        };
        let parent = self.parents.get(&pair.new).and_then(|parent| self.pairs.get(parent));
        !pair.classes.contains(&Class::Renamed)
            && parent.is_some_and(|parent| goes(&parent.classes))
    }
}

/// Whether all items of an item are what it consists of: a trait, or the impl of one.
fn is_whole(item: &ItemFacts) -> bool {
    let path = item.canonical_path.as_deref().unwrap_or_default();
    item.kind == NodeKind::Trait || item.kind == NodeKind::Impl && path.contains(" as ")
}
