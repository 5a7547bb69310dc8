//! The public interface of a package, as data.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::head::Head;
use asof_model::NodeKind;

/// What users of a package can name.
#[derive(Debug, Clone, Default)]
pub struct Interface {
    /// By public path and namespace (`t`, `v` or `m`).
    pub items: BTreeMap<(String, char), Declaration>,
    /// Other public paths of modules, and those under which their items are.
    pub aliases: BTreeMap<String, String>,
    /// Traits of the workspace that users cannot name: impls of them are no part of the interface.
    pub private_traits: BTreeSet<String>,
}

impl Interface {
    /// Notes which names mean something else than they did in `old`.
    pub(super) fn compare_names(&mut self, old: &Self, outside: CompareOutside<'_>) {
        for ((path, space), declaration) in &mut self.items {
            if let Some(was) = old.find(path, *space) {
                declaration.compare_names(was, outside);
            }
        }
    }

    /// Adds what a path and namespace stand for, beside what they stand for under other `cfg`s.
    pub fn add(&mut self, path: String, space: char, declaration: Declaration) {
        match self.items.entry((path, space)) {
            Entry::Vacant(free) => {
                free.insert(declaration);
            }
            Entry::Occupied(mut first) => {
                let first = first.get_mut();
                let is_known = |one: &Declaration| one.cfg == declaration.cfg;
                if !is_known(first) && !first.twins.iter().any(is_known) {
                    first.twins.push(declaration);
                }
            }
        }
    }

    /// What a path and namespace stand for; a path may go through other paths of modules.
    pub(super) fn find(&self, path: &str, space: char) -> Option<&Declaration> {
        if let Some(found) = self.items.get(&(path.to_owned(), space)) {
            return Some(found);
        }
        self.items.get(&(listed_path(&self.aliases, path), space))
    }
}

/// The path under which an item is listed that is looked up by another path of its module.
pub fn listed_path(aliases: &BTreeMap<String, String>, path: &str) -> String {
    let mut at = String::new();
    for segment in path.split("::") {
        if !at.is_empty() {
            at.push_str("::");
        }
        at.push_str(segment);
        if let Some(listed) = aliases.get(&at) {
            at.clone_from(listed);
        }
    }
    at
}

/// A declaration with everything that matters to users.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declaration {
    pub name: String,
    /// None for the item of another crate.
    pub kind: Option<NodeKind>,
    pub is_public: bool,
    /// The head in one line.
    pub signature: String,
    pub attrs: Vec<String>,
    pub cfg: String,
    pub file_path: String,
    pub line: Option<u32>,
    /// Of an item of a trait: whether it has a default.
    pub has_default: bool,
    /// Of a struct: whether it is declared without a list of fields.
    pub is_unit: bool,
    /// Of a member: the header of the type, trait or impl that it is declared in.
    pub owner: String,
    /// Fields, variants, items of a trait; public items of inherent impls.
    pub members: Vec<Declaration>,
    /// Impls of traits for a type.
    pub impls: Vec<Implementation>,
    /// Types and traits that it names, by their last names.
    pub names: Named,
    /// Names that mean something else than in the declaration that it is compared with, which
    /// [`compare`](crate::compare) finds.
    pub others: BTreeSet<String>,
    /// Names of which that is not known; found in the same way.
    pub unknown: BTreeSet<String>,
    /// Items of the same path and namespace under other `cfg`s.
    pub twins: Vec<Declaration>,
}

/// What names mean: more than one thing where types of several modules have one name.
pub type Named = BTreeMap<String, BTreeSet<TypeName>>;

/// A type or trait that a name means.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeName {
    pub path: String,
    /// Of an alias: its declaration.
    pub definition: String,
    /// Of a dependency's type: its path as it is named at this moment, modules included.
    pub outside: Option<String>,
    /// Whether the other state has it, too: if not, it was moved or renamed, or is gone.
    pub stays: bool,
}

impl TypeName {
    fn is_same(&self, other: &Self) -> bool {
        self.path == other.path && self.definition == other.definition
    }
}

/// Whether a type of a dependency is the one that a name meant before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    Same,
    Other,
    Unknown,
}

/// Compares two types of one name in different dependencies, by [`TypeName::outside`]. A crate may
/// export a type of another one, so paths alone do not tell: `futures::stream::BoxStream` is
/// `futures_core::stream::BoxStream`.
pub type CompareOutside<'c> = &'c mut dyn FnMut(&str, &str) -> Sameness;

/// Names that do not mean what they meant.
#[derive(Default)]
struct ComparedNames {
    others: BTreeSet<String>,
    unknown: BTreeSet<String>,
}

impl ComparedNames {
    fn new(old: &Named, new: &Named, outside: CompareOutside<'_>) -> Self {
        let mut found = Self::default();
        for (name, now) in new {
            let Some(was) = old.get(name) else { continue };
            let stays = |one: &TypeName| one.stays || now.iter().any(|now| now.path == one.path);
            if !was.iter().all(stays) {
                continue;
            }
            let pairs = was.iter().flat_map(|one| now.iter().map(move |other| (one, other)));
            let answers: Vec<Sameness> = pairs
                .map(|(one, other)| match (&one.outside, &other.outside) {
                    _ if one.is_same(other) => Sameness::Same,
                    (Some(one), Some(other)) => outside(one, other),
                    _ => Sameness::Other,
                })
                .collect();
            if answers.contains(&Sameness::Same) {
                continue;
            }
            let is_unknown = answers.contains(&Sameness::Unknown);
            let list = if is_unknown { &mut found.unknown } else { &mut found.others };
            list.insert(name.clone());
        }
        found
    }
}

/// An impl of a trait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Implementation {
    pub header: String,
    /// Own predicate.
    pub cfg: String,
    /// Heads of its associated types, by name.
    pub types: BTreeMap<String, String>,
    /// Types and traits that it names, by their last names.
    pub names: Named,
    /// As in [`Declaration`].
    pub others: BTreeSet<String>,
    pub unknown: BTreeSet<String>,
}

impl Declaration {
    /// It and its twins.
    pub(super) fn alternatives(&self) -> Vec<&Declaration> {
        std::iter::once(self).chain(&self.twins).collect()
    }

    /// Its head, split.
    pub(super) fn head(&self) -> Head {
        Head::parse(&self.signature, &self.name, &self.owner, &self.others)
    }

    /// Notes which names of it, its members and impls mean something else than they did in `old`.
    fn compare_names(&mut self, old: &Self, outside: CompareOutside<'_>) {
        for twin in &mut self.twins {
            if let Some(was) = old.alternatives().into_iter().find(|was| was.cfg == twin.cfg) {
                twin.compare_names(was, outside);
            }
        }
        let compared = ComparedNames::new(&old.names, &self.names, outside);
        (self.others, self.unknown) = (compared.others, compared.unknown);
        for member in &mut self.members {
            let was =
                old.members.iter().find(|was| was.name == member.name && was.kind == member.kind);
            if let Some(was) = was {
                member.compare_names(was, outside);
            }
        }
        for one in &mut self.impls {
            // Two modules may have a trait of one name: impls of one header are of several traits.
            let alike = old.impls.iter().filter(|was| was.header == one.header);
            let compared = alike.map(|was| ComparedNames::new(&was.names, &one.names, outside));
            let nearest = compared.min_by_key(|found| (found.others.len(), found.unknown.len()));
            let compared = nearest.unwrap_or_default();
            (one.others, one.unknown) = (compared.others, compared.unknown);
        }
    }

    /// What the names that mean something else meant and mean, as the end of a sentence.
    pub(super) fn tell_others(&self, old: &Self) -> String {
        let paths = |named: &Named, name: &str| -> String {
            let all = named.get(name).into_iter().flatten();
            let all = all.map(|one| match one.definition.as_str() {
                "" => format!("`{}`", one.path),
                definition => format!("`{definition}`"),
            });
            all.collect::<Vec<_>>().join(" and ")
        };
        let told = self.others.iter().map(|name| {
            format!(
                "; `{name}` means {}, not {}",
                paths(&self.names, name),
                paths(&old.names, name)
            )
        });
        told.collect()
    }

    pub(super) fn has_attr(&self, name: &str) -> bool {
        self.attrs.iter().any(|attr| attr.contains(name))
    }

    pub(super) fn is_non_exhaustive(&self) -> bool {
        self.has_attr("non_exhaustive")
    }

    /// Whether it has `#[doc(hidden)]`, and so is no part of the interface.
    pub fn is_hidden(&self) -> bool {
        let of_doc =
            self.attrs.iter().filter_map(|attr| attr.split_once("doc")).map(|(_, list)| list);
        let mut words = of_doc.flat_map(|list| list.split(['(', ',', ')', ']']));
        words.any(|word| word.trim() == "hidden")
    }

    /// As users see it: hidden members are private.
    #[must_use]
    pub fn shown(mut self) -> Self {
        self.is_public &= !self.is_hidden();
        self
    }

    /// The symbol that the linker sees, if an attribute says so.
    pub(super) fn symbol(&self) -> Option<String> {
        let exported = self.attrs.iter().find_map(|attr| attr.split_once("export_name"));
        let exported = exported.and_then(|(_, rest)| rest.split('"').nth(1));
        let own = self.has_attr("no_mangle").then_some(self.name.as_str());
        exported.or(own).map(str::to_owned)
    }

    /// The features of the processor that it needs.
    pub(super) fn target_features(&self) -> BTreeSet<String> {
        let lists = self.attrs.iter().filter(|attr| attr.contains("target_feature"));
        let quoted = lists.flat_map(|attr| attr.split('"').skip(1).step_by(2));
        let names = quoted.flat_map(|list| list.split(','));
        names.map(|name| name.trim().to_owned()).collect()
    }

    /// Names of the derived traits.
    pub(super) fn derives(&self) -> BTreeSet<String> {
        let lists = self.attrs.iter().filter_map(|attr| attr.split_once("derive"));
        let lists = lists.filter_map(|(_, list)| list.split_once('('));
        let names = lists.flat_map(|(_, list)| list.split([',', ')', ']']));
        let names = names.map(|name| name.rsplit("::").next().unwrap_or(name).trim().to_owned());
        names.filter(|name| !name.is_empty()).collect()
    }

    /// The arguments of `#[repr]`, sorted.
    pub(super) fn repr(&self) -> BTreeSet<String> {
        let lists = self.attrs.iter().filter_map(|attr| attr.split_once("repr"));
        let lists = lists.filter_map(|(_, list)| list.split_once('('));
        let words = lists.flat_map(|(_, list)| list.split([',', ')', ']']));
        words.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    }
}
