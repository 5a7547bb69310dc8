//! How a difference spreads through declarations to names.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::resolved_workspace::ResolvedWorkspace;
use crate::model::{Header, NodeKind, PathRef, TreeItem, UseLeaf};
use crate::resolve::is_called_implicitly;

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
    /// The name is brought by an import: no item came or went.
    pub const IMPORTED: Effect = Effect(1 | 2 | 16);

    fn has(self, other: Effect) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn of_import(self) -> bool {
        self.0 & 16 != 0
    }

    fn is_only_named(self) -> bool {
        self.0 & !16 == 1
    }

    pub fn with(self, other: Effect) -> Effect {
        // That an item came or went is stronger.
        let imported = self.0 & other.0 & 16;
        Effect((self.0 | other.0) & !16 | imported)
    }
}

/// An impl that came, went or differs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ChangedImpl {
    /// Words of the type that it is for; none that are its own parameters.
    pub heads: Vec<String>,
    /// Words of the trait, and its name.
    pub of_trait: Option<(Vec<String>, String)>,
}

impl ChangedImpl {
    pub fn of(item: &TreeItem) -> Option<Self> {
        let Header::Impl { self_type, of_trait, .. } = &item.header else { return None };
        let own = |word: &&str| !item.generics.iter().any(|generic| generic == word);
        let own_words = |end: &PathRef| -> Vec<String> {
            words(&end.text).filter(own).map(str::to_owned).collect()
        };
        let name = |end: &PathRef| match end.path.last() {
            Some(last) => last.clone(),
            None => words(&end.text).last().unwrap_or_default().to_owned(),
        };
        let of_trait = of_trait.as_ref().map(|end| (own_words(end), name(end)));
        Some(Self { heads: own_words(self_type), of_trait })
    }
}

type At = (usize, usize);

/// The items of a state by the names that they are declared with.
pub(super) struct Declared<'s> {
    side: &'s ResolvedWorkspace<'s>,
    /// Items by the words of their signatures.
    by_word: HashMap<&'s str, Vec<At>>,
    /// Names of imports by the segments of their paths.
    imported: HashMap<&'s str, Vec<(usize, &'s UseLeaf)>>,
    /// Names of macros by the words of their rules.
    macros: HashMap<&'s str, BTreeSet<&'s str>>,
    traits: HashMap<&'s str, Vec<At>>,
    types: HashSet<&'s str>,
}

impl<'s> Declared<'s> {
    pub fn of<'a: 's>(side: &'s ResolvedWorkspace<'a>) -> Self {
        let mut declared = Declared {
            side,
            by_word: HashMap::new(),
            imported: HashMap::new(),
            macros: HashMap::new(),
            traits: HashMap::new(),
            types: HashSet::new(),
        };
        for (file, (_, item_tree)) in side.files.iter().enumerate() {
            for (number, item) in item_tree.items.iter().enumerate() {
                declared.enter((file, number), item, &item_tree.items);
            }
        }
        declared
    }

    fn enter(&mut self, at: At, item: &'s TreeItem, items: &'s [TreeItem]) {
        match item.kind {
            NodeKind::Macro => {
                for word in words(&item.sig) {
                    self.macros.entry(word).or_default().insert(&item.name);
                }
                return;
            }
            // What it makes is among the items.
            NodeKind::MacroCall => return,
            NodeKind::Trait | NodeKind::TraitAlias => {
                self.traits.entry(&item.name).or_default().push(at);
                self.types.insert(&item.name);
            }
            NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::ForeignType
            | NodeKind::TypeAlias
            | NodeKind::AssocType => {
                self.types.insert(&item.name);
            }
            _ => {}
        }
        if let Header::Import { leaves } = &item.header {
            for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                for segment in &leaf.path {
                    self.imported.entry(segment).or_default().push((at.0, leaf));
                }
            }
            return;
        }
        let mut found: BTreeSet<&str> = words(&item.sig).collect();
        match &item.header {
            Header::ExternCrate { of: Some(of), .. } => {
                found.insert(of);
            }
            Header::Impl { self_type, of_trait, .. } => {
                let ends: [Option<&PathRef>; 2] = [Some(self_type), of_trait.as_ref()];
                found.extend(ends.into_iter().flatten().flat_map(|end| words(&end.text)));
            }
            _ => {}
        }
        if item.kind == NodeKind::Variant
            && let Some(owner) = items.get(item.parent as usize)
        {
            found.insert(&owner.name);
        }
        for word in found {
            self.by_word.entry(word).or_default().push(at);
        }
    }

    fn item(&self, (file, number): At) -> Option<(&'s TreeItem, &'s [TreeItem])> {
        let (_, item_tree) = self.side.files.get(file)?;
        Some((item_tree.items.get(number)?, &item_tree.items))
    }

    /// A name with those of the macros that may expand to it.
    pub fn with_macros<'n>(&self, name: &'n str) -> Vec<&'n str>
    where
        's: 'n,
    {
        let mut all = vec![name];
        let mut at = 0;
        while let Some(name) = all.get(at).copied() {
            at += 1;
            for one in self.macros.get(name).into_iter().flatten() {
                if !all.contains(one) {
                    all.push(one);
                }
            }
        }
        all
    }
}

/// Names with what differs for their users.
#[derive(Debug, Default)]
pub(super) struct Effects {
    names: HashMap<String, Effect>,
    open: Vec<(String, Effect)>,
    /// Whether something differs that no name tells.
    pub unknown: bool,
}

impl Effects {
    pub fn add(&mut self, name: &str, effect: Effect) {
        if name.is_empty() || name == "_" || is_keyword(name) {
            return;
        }
        let known = self.names.get(name).copied().unwrap_or_default();
        let both = known.with(effect);
        if both != known {
            self.names.insert(name.to_owned(), both);
            self.open.push((name.to_owned(), effect));
        }
    }

    /// Whoever uses a type that an impl is for may find something else.
    pub fn of_impl(&mut self, declared: &Declared<'_>, one: &ChangedImpl) {
        let Some((words, of_trait)) = &one.of_trait else { return };
        let of_workspace = one.heads.iter().filter(|head| declared.types.contains(head.as_str()));
        let heads: Vec<&String> = of_workspace.collect();
        for head in &heads {
            self.add(head, Effect::VALUES);
        }
        if heads.is_empty() {
            if !declared.traits.contains_key(of_trait.as_str()) {
                // Neither the type nor the trait is of the workspace.
                self.unknown = true;
            }
            self.add(of_trait, Effect::TYPES_WITH);
            for word in words.iter().filter(|word| declared.types.contains(word.as_str())) {
                self.add(word, Effect::VALUES);
            }
        }
    }

    /// What a name that only some files can mean does there.
    pub fn within(
        &mut self,
        declared: &Declared<'_>,
        name: &str,
        effect: Effect,
        files: &BTreeSet<&str>,
    ) {
        let inside = |file: usize| {
            let file = declared.side.files.get(file);
            file.is_some_and(|(path, _)| files.contains(path))
        };
        for at in declared.by_word.get(name).into_iter().flatten() {
            if inside(at.0) {
                self.through(declared, *at, effect);
            }
        }
        for (file, leaf) in declared.imported.get(name).into_iter().flatten() {
            if inside(*file) && leaf.name != name {
                self.add(&leaf.name, effect);
            }
        }
        // What they expand to is looked up where they are called.
        for one in declared.macros.get(name).into_iter().flatten() {
            self.add(one, Effect::NAMED);
        }
    }

    /// All names, with those that are reached through declarations.
    pub fn closed(mut self, declared: &Declared<'_>) -> impl Iterator<Item = String> {
        while let Some((name, effect)) = self.open.pop() {
            for one in declared.macros.get(name.as_str()).into_iter().flatten() {
                self.add(one, Effect::NAMED);
            }
            for (_, leaf) in declared.imported.get(name.as_str()).into_iter().flatten() {
                let is_last = leaf.path.last() == Some(&name);
                if is_last || effect.has(Effect::MEANING) {
                    self.add(&leaf.name, effect);
                }
            }
            if effect.is_only_named() {
                continue;
            }
            for at in declared.by_word.get(name.as_str()).into_iter().flatten() {
                self.through(declared, *at, effect);
            }
            if effect.has(Effect::TYPES_WITH) {
                self.items_of_traits(declared, &name);
            }
        }
        self.names.into_keys()
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
        if effect.is_only_named() {
            return;
        }
        let owner = items.get(item.parent as usize);
        match item.kind {
            NodeKind::Impl if means => {
                if let Some(one) = ChangedImpl::of(item) {
                    self.of_impl(declared, &one);
                    let of_impl = |child: &&TreeItem| child.parent as usize == at.1;
                    for child in items.iter().skip(1).filter(of_impl) {
                        self.add(&child.name, Effect::NAMED);
                    }
                }
            }
            NodeKind::Impl => {}
            NodeKind::TypeAlias | NodeKind::TraitAlias => self.add(&item.name, Effect::TYPE),
            NodeKind::Trait => {
                let types_with = effect.has(Effect::TYPES_WITH);
                self.add(&item.name, if types_with { effect } else { Effect::VALUES });
            }
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
                // Its derives, or the bounds of its parameters.
                self.add(&item.name, if means { Effect::VALUES } else { Effect::NAMED });
            }
            NodeKind::ExternCrate => self.add(&item.name, effect),
            NodeKind::AssocType => {
                self.add(&item.name, Effect::NAMED);
                self.owner(owner);
            }
            NodeKind::Field if is_unnamed(item) => self.owner(owner),
            NodeKind::Method => {
                self.add(&item.name, Effect::NAMED);
                if is_called_implicitly(&item.name) {
                    self.owner(owner.filter(|owner| owner.kind == NodeKind::Impl));
                }
            }
            _ => self.add(&item.name, Effect::NAMED),
        }
    }

    /// Values of the owner of what is used without being named.
    pub fn owner(&mut self, owner: Option<&TreeItem>) {
        for name in owner.into_iter().flat_map(reached_by) {
            self.add(name, Effect::VALUES);
        }
    }
}

/// Names under which the owner of a field or associated type is known: its own, or those in the
/// type of an impl; for a blanket impl, the trait's.
pub(super) fn reached_by(owner: &TreeItem) -> Vec<&str> {
    let Header::Impl { self_type, of_trait, .. } = &owner.header else {
        return vec![owner.name.as_str()];
    };
    let named: Vec<&str> =
        words(&self_type.text).filter(|w| !owner.generics.iter().any(|g| g == w)).collect();
    match of_trait {
        Some(of_trait) if named.is_empty() => words(&of_trait.text).collect(),
        _ => named,
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

/// Identifiers in a text; no lifetimes.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let parts = text.split(move |c: char| !in_word(c));
    let is_lifetime = |part: &str| part.starts_with('\'') && !part.ends_with('\'');
    let words = parts.filter(move |part| !is_lifetime(part)).flat_map(|part| part.split('\''));
    words.filter(|word| !word.is_empty())
}
