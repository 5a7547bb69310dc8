//! Propagates the effects of a difference through declarations: to names, and to definitions.
//!
//! A name is noticed by whoever mentions it. A definition is noticed by those for whom inference read
//! it: it means the same that it did, but something that its signature names does not.

use std::rc::Rc;

use super::super::mentions::Names;
use super::implementations::{ChangedImpl, OfTrait, On, OwnType};
use super::names::{At, Declared, Differs};
use super::scopes::Reach;
use super::words::projections;
use asof_model::{HashMap, HashSet, Header, NodeId, NodeKind, TreeItem, UseLeaf};
use asof_resolve::{Reads, is_called_implicitly};

/// What differs for those who use a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Effect(u8);

impl Effect {
    /// A place that names it may mean something else, or have another type.
    pub const NAMED: Effect = Effect(1);
    /// A signature that names it may mean another type or trait.
    pub const MEANING: Effect = Effect(1 | 2);
    /// Values of this type, or with this bound, may act differently where nothing names what differs:
    /// under operators, in loops, by dereferencing, as arguments.
    pub const VALUES: Effect = Effect(1 | 4);
    /// Types that have this trait came or went, and it is not known which.
    pub const TYPES_WITH: Effect = Effect(1 | 2 | 4 | 8);
    pub const TYPE: Effect = Effect(1 | 2 | 4);
    /// A method that can be called because a trait is imported.
    pub const METHOD: Effect = Effect(1 | Self::FOR_ALL);
    /// Calls of a macro of this name may expand to something else.
    pub const EXPANDS: Effect = Effect(1 | 32);
    /// Whoever mentions the name is concerned, whatever inference read.
    const FOR_ALL: u8 = 64;

    fn has(self, other: Effect) -> bool {
        self.0 & other.0 == other.0
    }

    fn is_only_named(self) -> bool {
        self.0 & !(32 | Self::FOR_ALL) == 1
    }

    /// Whether it matters to those whose signatures have the name: it means something else there, or
    /// values differ for whoever has them.
    pub fn spreads(self) -> bool {
        self.has(Self::MEANING) || self.is_for_all() && !self.is_only_named()
    }

    /// For whoever mentions the name.
    pub fn for_all(self) -> Effect {
        Effect(self.0 | Self::FOR_ALL)
    }

    pub fn is_for_all(self) -> bool {
        self.0 & Self::FOR_ALL != 0
    }

    pub fn with(self, other: Effect) -> Effect {
        Effect(self.0 | other.0)
    }
}

/// What a difference spread to.
#[derive(Default)]
pub(super) struct Spread<'s> {
    pub names: Names,
    /// Names with those of macros, and from where they can be looked up.
    pub scoped: Vec<(Names, Rc<Reach<'s>>)>,
    /// What differs for those who read it, by the keys of [`Reads`].
    pub keys: HashSet<u32>,
    /// Whether something differs that no name tells.
    pub unknown: bool,
}

/// Names with what differs for their users.
#[derive(Debug, Default)]
pub(super) struct Effects {
    names: HashMap<String, Effect>,
    items: HashMap<NodeId, Effect>,
    open: Vec<(Option<NodeId>, String, Effect)>,
    keys: HashSet<u32>,
    unknown: bool,
}

impl Effects {
    /// A name that differs for whoever mentions it.
    pub fn add(&mut self, name: &str, effect: Effect) {
        let effect = effect.for_all();
        if name.is_empty() || name == "_" || is_keyword(name) {
            return;
        }
        let known = self.names.get(name).copied().unwrap_or_default();
        let both = known.with(effect);
        if both != known {
            self.names.insert(name.to_owned(), both);
            self.open.push((None, name.to_owned(), effect));
        }
    }

    /// An item that differs, which is named only from where it can be looked up.
    fn add_item(&mut self, (id, name): &OwnType, effect: Effect) {
        self.keys.insert(Reads::definition(*id));
        if !effect.spreads() {
            return;
        }
        let known = self.items.get(id).copied().unwrap_or_default();
        let both = known.with(effect);
        if both != known {
            self.items.insert(*id, both);
            self.open.push((Some(*id), name.clone(), effect));
        }
    }

    fn add_at(&mut self, declared: &Declared<'_>, at: At, name: &str, effect: Effect) {
        for id in declared.ids(at) {
            self.add_item(&(id, name.to_owned()), effect);
        }
    }

    /// Whoever has a value of the type that an impl is for may find something else.
    pub fn of_impl(&mut self, one: &ChangedImpl) {
        match (&one.of_trait, &one.on) {
            (OfTrait::None, _) | (_, On::Nothing) => {}
            (_, On::Types(heads)) => self.of_heads(heads),
            (OfTrait::Own(traits), On::Any) => {
                // Which types it is for is asked of no definition.
                let effect = Effect::TYPES_WITH.for_all();
                traits.iter().for_each(|of_trait| self.add_item(of_trait, effect));
            }
            (OfTrait::Nothing, On::Any) if !one.has_types => {}
            // Neither the type nor the trait is of the workspace.
            (OfTrait::Nothing | OfTrait::Other, On::Any) if !one.mentioned.is_empty() => {
                let effect = Effect::VALUES.for_all();
                one.mentioned.iter().for_each(|head| self.add_item(head, effect));
            }
            (OfTrait::Nothing | OfTrait::Other, On::Any) => {
                tracing::debug!(?one, "an impl differs that may be for any type");
                self.unknown = true;
            }
        }
    }

    /// As [`Self::of_impl`], of an impl that has what is used without being named.
    pub fn of_owner(&mut self, one: &ChangedImpl) {
        if let On::Types(heads) = &one.on {
            self.of_heads(heads);
        }
        self.of_impl(one);
    }

    /// Values of types may act differently.
    pub fn of_heads(&mut self, heads: &[OwnType]) {
        heads.iter().for_each(|head| self.add_item(head, Effect::VALUES));
    }

    /// What differs for those who read it.
    pub fn read(&mut self, keys: impl IntoIterator<Item = u32>) {
        self.keys.extend(keys);
    }

    /// What a name does that differs for those who read it: items that have it in their signatures have
    /// other ones.
    pub fn spread(
        &mut self,
        declared: &Declared<'_>,
        name: &str,
        effect: Effect,
        differs: Differs<'_>,
    ) {
        if !effect.spreads() {
            return;
        }
        for &at in &*declared.items_with(name) {
            if declared.has_read(at, name, differs) {
                self.through(declared, at, effect);
            }
        }
        // Items that have it by another name.
        for (_, leaf) in declared.imported.get(name).into_iter().flatten() {
            if leaf.name != name && leaf.path.last().is_some_and(|last| last == name) {
                for &at in &*declared.items_with(&leaf.name) {
                    if declared.has_read(at, &leaf.name, differs) {
                        self.through(declared, at, effect);
                    }
                }
            }
        }
    }

    /// What a name that only some files can mean does there, whatever was read.
    pub fn within(
        &mut self,
        declared: &Declared<'_>,
        name: &str,
        effect: Effect,
        reach: &Reach<'_>,
    ) {
        if effect.spreads() {
            for &at in &*declared.items_with(name) {
                if declared.can_name(at, reach) {
                    self.through(declared, at, effect);
                }
            }
        }
        for (file, leaf) in declared.imported.get(name).into_iter().flatten() {
            let is_other = leaf.name != name && reach.is_named_by(&leaf.path, name);
            if is_other && declared.can_name((*file, 0), reach) {
                self.add(&leaf.name, effect);
            }
        }
        // What a macro expands to is looked up where it is called, unless its path begins elsewhere. What
        // only these files can see is a matter of the calls in them.
        let through = |one: &&&str| {
            let by = reach.names.iter().filter_map(|path| declared.macros.get(path.as_str()));
            by.into_iter().any(|macros| macros.contains(**one))
        };
        let macros = declared.macros.get(name).into_iter().flatten();
        for one in macros.filter(|one| !reach.is_private && through(one)) {
            self.add(one, Effect::EXPANDS);
        }
        if effect.has(Effect::TYPES_WITH) {
            self.items_of_traits(declared, name);
        }
    }

    /// What any name that only some files can mean does there.
    pub fn within_all(&mut self, declared: &Declared<'_>, reach: &Reach<'_>) {
        for (file, (path, item_tree)) in declared.side.files.iter().enumerate() {
            if !reach.files.contains(path) {
                continue;
            }
            for (number, item) in item_tree.items.iter().enumerate() {
                if !item.sig.is_empty() {
                    self.through(declared, (file, number), Effect::MEANING);
                }
                if let Header::Import { leaves } = &item.header {
                    let goes_through = |leaf: &&UseLeaf| {
                        let first = leaf.path.first().map_or("", String::as_str);
                        matches!(first, "self" | "super")
                            || leaf.path.iter().any(|segment| reach.names.contains(segment))
                    };
                    for leaf in leaves.iter().filter(|leaf| !leaf.glob).filter(goes_through) {
                        let keys = declared.keys_in_scope((file, number), &leaf.name);
                        let differs = Differs::Name(&keys);
                        self.spread(declared, &leaf.name, Effect::MEANING, differs);
                        self.keys.extend(&keys);
                    }
                }
            }
        }
        for path in &reach.names {
            for one in declared.macros.get(path.as_str()).into_iter().flatten() {
                self.add(one, Effect::EXPANDS);
            }
        }
    }

    /// With everything that is reached through declarations.
    pub fn closed<'s>(mut self, declared: &Declared<'s>) -> Spread<'s> {
        let mut scoped: HashMap<NodeId, (Names, Rc<Reach<'s>>)> = HashMap::default();
        while let Some((id, name, effect)) = self.open.pop() {
            tracing::trace!(name, ?effect, is_item = id.is_some(), "users of a name are concerned");
            if let Some(id) = id {
                // A projection of a type has its fields.
                for projection in declared.signature(id).into_iter().flat_map(projections) {
                    self.add(projection, effect);
                }
                if !effect.is_for_all() {
                    self.spread(declared, &name, effect, Differs::Definition(id));
                    continue;
                }
                match declared.reaching(id) {
                    Some(reach) => {
                        self.within(declared, &name, effect, &reach);
                        scoped.entry(id).or_insert_with(|| {
                            (declared.with_macros(&name).into_iter().collect(), reach)
                        });
                    }
                    None => self.add(&name, effect),
                }
                continue;
            }
            let is_expansion = effect == Effect::EXPANDS.for_all();
            let macros = if is_expansion { &declared.calling } else { &declared.macros };
            for one in macros.get(name.as_str()).into_iter().flatten() {
                self.add(one, Effect::EXPANDS);
            }
            for (_, leaf) in declared.imported.get(name.as_str()).into_iter().flatten() {
                let is_last = leaf.path.last() == Some(&name);
                if is_last || effect.has(Effect::MEANING) {
                    self.add(&leaf.name, effect);
                }
            }
            if !effect.spreads() {
                continue;
            }
            for &at in &*declared.items_with(&name) {
                self.through(declared, at, effect);
            }
            if effect.has(Effect::TYPES_WITH) {
                self.items_of_traits(declared, &name);
            }
        }
        let names = self.names.into_keys().collect();
        let scoped = scoped.into_values().collect();
        Spread { names, scoped, keys: self.keys, unknown: self.unknown }
    }

    fn items_of_traits(&mut self, declared: &Declared<'_>, name: &str) {
        for at in declared.traits.get(name).into_iter().flatten() {
            let Some((_, item_tree)) = declared.side.files.get(at.0) else { continue };
            let of_trait = |item: &&TreeItem| item.parent as usize == at.1;
            for item in item_tree.items.iter().skip(1).filter(of_trait) {
                self.add(&item.name, Effect::TYPE);
            }
        }
    }

    /// What an item does to others whose signature has a name with this effect.
    fn through(&mut self, declared: &Declared<'_>, at: At, effect: Effect) {
        let Some((item, items)) = declared.item(at) else { return };
        let means = effect.has(Effect::MEANING);
        if !effect.spreads() || (item.kind == NodeKind::Impl && !means) {
            return;
        }
        self.keys.extend(declared.ids(at).into_iter().map(Reads::definition));
        let name = item.name.as_str();
        match item.kind {
            NodeKind::Impl => {
                for one in declared.impls(at) {
                    match &one.on {
                        On::Types(heads) => {
                            self.keys.extend(heads.iter().map(|(id, _)| Reads::definition(*id)));
                        }
                        On::Nothing => {}
                        On::Any => {
                            let of_impl = |child: &&TreeItem| child.parent as usize == at.1;
                            for child in items.iter().skip(1).filter(of_impl) {
                                self.add(&child.name, Effect::NAMED);
                            }
                        }
                    }
                    self.of_impl(&one);
                }
            }
            NodeKind::TypeAlias | NodeKind::TraitAlias => {
                self.add_at(declared, at, name, Effect::TYPE);
            }
            NodeKind::Trait if effect.has(Effect::TYPES_WITH) => {
                self.add_at(declared, at, name, effect.for_all());
            }
            // Derives, bounds and defaults of parameters.
            NodeKind::Trait | NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
                self.add_at(declared, at, name, Effect::VALUES);
            }
            NodeKind::ExternCrate => self.add(name, effect),
            NodeKind::AssocType => self.owner(declared, at, item, items),
            NodeKind::Field if is_unnamed(item) => self.owner(declared, at, item, items),
            NodeKind::Method if is_called_implicitly(name) => {
                self.owner(declared, at, item, items);
            }
            _ => {}
        }
    }

    /// Values of the owner of what is used without being named.
    fn owner(&mut self, declared: &Declared<'_>, at: At, item: &TreeItem, items: &[TreeItem]) {
        let Some(owner) = items.get(item.parent as usize) else { return };
        if owner.kind == NodeKind::Variant {
            return self.add(&owner.name, Effect::VALUES);
        }
        if owner.kind != NodeKind::Impl {
            let at = (at.0, item.parent as usize);
            return self.add_at(declared, at, &owner.name, Effect::VALUES);
        }
        for one in declared.impls((at.0, item.parent as usize)) {
            self.of_owner(&one);
        }
    }
}

/// A field of a tuple.
pub(super) fn is_unnamed(item: &TreeItem) -> bool {
    item.kind == NodeKind::Field && item.name.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a word is no name that an item can have.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "self" | "Self" | "super" | "crate" | "dyn" | "impl" | "mut" | "fn" | "async" | "as"
    )
}
