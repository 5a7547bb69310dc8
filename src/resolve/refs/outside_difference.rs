//! What differs between the crates outside of two states, as names: most releases of a crate change few
//! of its declarations, and most of these no code of a workspace mentions.
//!
//! Declarations are compared as texts: where an item is, its signature, the path by which others name
//! it, what names mean in a scope, the heads of impls, derives. What follows for others is found by the
//! words of signatures, in all crates: a function that returns a type which differs has another type.
//!
//! ```text
//! pub fn find(text: &str) -> Match;       // another parameter: who mentions `find`
//! pub struct Match { start: usize }       // another field: who mentions it; `Match` itself is as before
//! impl Deref for Match { … }              // new: who may have a value of it, so who mentions `find`, too
//! ```
//!
//! A crate that is known in one state only has no effect of its own on code that does not name it: its
//! traits are in no scope, and no signature of a crate that is known in both states has its types. What it
//! has for others are impls of their traits for their types. Where one of the others names it, all that
//! names it there differs.
//!
//! A trap: not all that differs has a name that users write. If two versions take the place of one, if
//! another glob of a crate opens a module, or a trait that operators and loops use has another impl for all
//! types, then names cannot tell.

use std::collections::BTreeSet;

use super::crate_pairs::{Alone, Named, Pair, Pairs, begins, differing_names};
use super::dependencies::Dependencies;
use super::implicit_traits::{TRAITS, is_called_implicitly};
use super::library::crates::{Crates, Place};
use super::library::tables::ImplHead;
use super::library::{Known, Library};
use super::standard::standard;
use crate::ids::{DefIndex, LibraryId};
use crate::namespaces::{MACROS, TYPES};
use asof_model::{HashMap, HashSet, NodeKind};

/// Steps from signature to signature that are followed.
const MAX_ROUNDS: usize = 64;

/// Names by which code can notice that crates outside of its workspace differ.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OutsideDifference {
    /// Of what may have another type, or be something else.
    pub named: BTreeSet<String>,
    /// Of types whose values may act differently without being named, and of modules.
    pub types: BTreeSet<String>,
    /// Of traits that other types may have.
    pub traits: BTreeSet<String>,
    /// Of macros that may expand to something else.
    pub macros: BTreeSet<String>,
    /// That the workspace has for crates which are known in one state only.
    pub crates: BTreeSet<String>,
    /// Of what traits have that these crates show: an import of a trait brings them.
    pub trait_items: BTreeSet<String>,
}

impl OutsideDifference {
    /// Between the crates of two states; none if names cannot tell.
    pub fn new(old: &Dependencies, new: &Dependencies) -> Option<Self> {
        let Pairs { pairs, old_only, new_only, named } = Pairs::new(old, new)?;
        let mut found = OutsideDifference::default();
        for one in &named {
            found.add_named(one)?;
        }
        for (all, alone) in [(old, &old_only), (new, &new_only)] {
            let crates = Crates::new(standard(), all);
            alone.iter().try_for_each(|one| found.add_crate(crates, one, alone))?;
        }
        let mut is_same = old_only.is_empty() && new_only.is_empty();
        for pair in &pairs {
            let [(was, old), (is, new)] = [pair.was, pair.is].map(|one| (one, one.library()));
            let others = differing_names(was, is);
            if old.has_same(new) && others.is_empty() {
                continue;
            }
            is_same = false;
            if globs(old) != globs(new) || globs(new).iter().any(|[_, path]| begins(path, &others))
            {
                return None;
            }
            let (was, is) = (Lines::new(old)?, Lines::new(new)?);
            for (line, entry) in was.0.iter().filter(|(line, _)| !is.0.contains_key(*line)) {
                tracing::trace!(?line, "a declaration is gone");
                found.add(old, *entry)?;
            }
            for (line, entry) in is.0.iter().filter(|(line, _)| !was.0.contains_key(*line)) {
                tracing::trace!(?line, "a declaration is new");
                found.add(new, *entry)?;
            }
            for library in [old, new] {
                found.add_naming(library, &others)?;
            }
        }
        if is_same {
            return Some(found);
        }
        let facades = |crates: &Dependencies,
                       side: fn(&Pair<'_>) -> usize|
         -> BTreeSet<[String; 3]> {
            let all = Crates::new(standard(), crates);
            let both: HashSet<usize> = pairs.iter().map(side).collect();
            let path = |((krate, own), path): (Place, String)| {
                krate.dependency().filter(|number| both.contains(number))?;
                let library = all.library(krate)?;
                Some([library.name(DefIndex::ROOT).to_owned(), library.declared_path(own), path])
            };
            all.facades().into_iter().filter_map(path).collect()
        };
        if facades(old, |pair| pair.from) != facades(new, |pair| pair.to) {
            return None;
        }
        found.spread(&pairs)?;
        Some(found)
    }

    /// Adds what a crate that the workspace names in one state only brings without its name.
    fn add_named(&mut self, one: &Named<'_>) -> Option<()> {
        self.crates.insert(one.name.to_owned());
        let crates = Crates::new(standard(), one.crates);
        let krate = LibraryId::from_dependency(one.number);
        let library = crates.library(krate)?;
        // `#[macro_use]` brings them.
        let macros = library.defs().filter(|def| library.kind(*def) == NodeKind::Macro);
        self.macros.extend(macros.map(|def| library.name(def).to_owned()));
        for (scope, _) in library.shown_modules() {
            for (of, own) in crates.traits_shown_by((krate, scope)) {
                let items = crates.library(of)?.names_in(own).into_iter();
                self.trait_items.extend(items.map(str::to_owned));
            }
        }
        Some(())
    }

    /// Adds what a crate that is known in one state only is to code that does not name it.
    fn add_crate(
        &mut self,
        crates: Crates<'_>,
        krate: &Alone<'_>,
        all: &[Alone<'_>],
    ) -> Option<()> {
        let library = krate.dependency.library();
        // Whether a definition is of a crate that is known in both states.
        let is_known = |known: Known<'_>| match known {
            Known::Definition(_) => false,
            Known::Outside(path) => {
                let first = path.split("::").next().unwrap_or(path);
                let number = krate.dependency.crate_named(first);
                number.is_none_or(|number| all.iter().all(|one| one.number != number))
            }
        };
        for def in library.defs() {
            let Some(own) = library.impl_at(def) else { continue };
            let of_others = own.of.is_some_and(|of| is_known(library.known(of)));
            let for_others = match own.head {
                ImplHead::Def(number) | ImplHead::Dyn(number) => is_known(library.known(number)),
                _ => true,
            };
            if !of_others || !for_others || is_for_reference(library, def) {
                continue;
            }
            let number = LibraryId::from_dependency(krate.number);
            let of_trait = own.of.and_then(|of| crates.numbered(number, of));
            if !of_trait.is_some_and(|of| gives_the_same_types(crates, of)) {
                let (at, head) = (library.declared_path(def), library.signature(def));
                tracing::trace!(at, head, "an impl of a crate that comes or goes");
                self.add_impl(library, def)?;
            }
        }
        Some(())
    }

    /// Adds what names a crate in the declarations of another.
    fn add_naming(&mut self, library: &Library, crates: &BTreeSet<&str>) -> Option<()> {
        if crates.is_empty() {
            return Some(());
        }
        let at = library.declared_path(DefIndex::ROOT);
        tracing::trace!(at, ?crates, "crates mean something else to another");
        for (_, name, known, spaces) in library.meanings() {
            if matches!(known, Known::Outside(path) if begins(path, crates)) {
                self.add(library, Entry::Meaning(name, spaces))?;
            }
        }
        for (ty, of_trait) in library.derives() {
            if matches!(library.known(of_trait), Known::Outside(path) if begins(path, crates)) {
                self.add(library, Entry::Derive(ty))?;
            }
        }
        for def in library.defs() {
            let text = [library.rules(def), library.signature(def)].concat();
            if words(&text).any(|word| crates.contains(word)) {
                self.add_definition(library, def)?;
            }
        }
        Some(())
    }

    /// Adds what differs for the users of a declaration.
    fn add(&mut self, library: &Library, entry: Entry<'_>) -> Option<()> {
        match entry {
            Entry::Definition(def) => self.add_definition(library, def)?,
            Entry::Meaning(name, spaces) if spaces & TYPES != 0 => {
                self.types.insert(name.to_owned());
            }
            Entry::Meaning(name, spaces) if spaces & MACROS != 0 => {
                self.macros.insert(name.to_owned());
                self.named.insert(name.to_owned());
            }
            Entry::Meaning(name, _) => {
                self.named.insert(name.to_owned());
            }
            Entry::Derive(ty) => {
                self.types.insert(library.name(ty).to_owned());
            }
        }
        Some(())
    }

    fn add_definition(&mut self, library: &Library, def: DefIndex) -> Option<()> {
        let name = library.name(def).to_owned();
        match library.kind(def) {
            NodeKind::Macro => {
                self.macros.insert(name);
            }
            NodeKind::Trait | NodeKind::TraitAlias => {
                self.traits.insert(name);
            }
            NodeKind::Impl => self.add_impl(library, def)?,
            NodeKind::Method | NodeKind::AssocConst => {
                if is_called_implicitly(&name) {
                    self.add_owner(library, def)?;
                }
                self.named.insert(name);
            }
            NodeKind::AssocType => {
                self.add_owner(library, def)?;
                self.named.insert(name);
            }
            NodeKind::Field => {
                if name.starts_with(|first: char| first.is_ascii_digit()) {
                    self.add_owner(library, def)?;
                }
                self.named.insert(name);
            }
            NodeKind::Function | NodeKind::Const | NodeKind::Static | NodeKind::Variant => {
                self.named.insert(name);
            }
            _ => {
                self.types.insert(name);
            }
        }
        Some(())
    }

    /// Values of what a member is declared in may act differently.
    fn add_owner(&mut self, library: &Library, member: DefIndex) -> Option<()> {
        let owner = library.parent(member)?;
        match library.kind(owner) {
            NodeKind::Impl => self.add_impl(library, owner),
            NodeKind::Trait => {
                self.traits.insert(library.name(owner).to_owned());
                Some(())
            }
            _ => {
                self.types.insert(library.name(owner).to_owned());
                Some(())
            }
        }
    }

    /// What an impl has, and what has it, may be something else; none if it may be any value.
    fn add_impl(&mut self, library: &Library, def: DefIndex) -> Option<()> {
        let members = library.names_in(def).into_iter();
        self.named.extend(members.map(str::to_owned));
        let own = library.impl_at(def)?;
        let last = |number: u32| last_name(library, library.known(number)).to_owned();
        let of_trait = own.of.map(last);
        match own.head {
            ImplHead::Def(number) | ImplHead::Dyn(number) => {
                self.types.insert(last(number));
            }
            _ => {
                let words: BTreeSet<&str> = words(library.signature(def)).collect();
                let types = library.defs().filter(|def| {
                    matches!(
                        library.kind(*def),
                        NodeKind::Struct | NodeKind::Enum | NodeKind::Union
                    )
                });
                let named = types.map(|def| library.name(def)).filter(|name| words.contains(name));
                let mentioned: BTreeSet<String> = named.map(str::to_owned).collect();
                let is_implicit =
                    |of: &str| TRAITS.iter().any(|(path, _)| path.rsplit("::").next() == Some(of));
                if mentioned.is_empty() && of_trait.as_deref().is_some_and(is_implicit) {
                    let at = library.declared_path(def);
                    tracing::debug!(
                        at,
                        "an impl of another crate differs that may be for any type"
                    );
                    return None;
                }
                self.types.extend(mentioned);
                self.traits.extend(of_trait);
            }
        }
        Some(())
    }

    /// Adds what differs for others whose signatures name what differs.
    fn spread(&mut self, pairs: &[Pair<'_>]) -> Option<()> {
        let count = |all: &Self| -> usize {
            [&all.named, &all.types, &all.traits, &all.macros].map(BTreeSet::len).iter().sum()
        };
        for _ in 0..MAX_ROUNDS {
            let known = count(self);
            for pair in pairs {
                let library = pair.is.library();
                for def in library.defs() {
                    let means =
                        |word: &str| self.types.contains(word) || self.traits.contains(word);
                    let expands = |word: &str| {
                        means(word) || self.named.contains(word) || self.macros.contains(word)
                    };
                    let differs = if library.kind(def) == NodeKind::Macro {
                        words(library.rules(def)).any(expands)
                    } else {
                        words(library.signature(def)).any(means)
                    };
                    if differs {
                        self.add_definition(library, def)?;
                    }
                }
                let aliases: Vec<String> = library
                    .meanings()
                    .filter(|(_, name, known, _)| {
                        let own = last_name(library, *known);
                        own != *name && (self.types.contains(own) || self.traits.contains(own))
                    })
                    .map(|(_, name, ..)| name.to_owned())
                    .collect();
                self.types.extend(aliases);
            }
            if count(self) == known {
                return Some(());
            }
        }
        None
    }
}

/// The name of a definition, or the last one of a path that leads to another crate.
fn last_name<'l>(library: &'l Library, known: Known<'l>) -> &'l str {
    match known {
        Known::Definition(def) => library.name(def),
        Known::Outside(path) => path.rsplit("::").next().unwrap_or(path),
    }
}

/// Modules of other crates that scopes open, with the paths of these.
fn globs(library: &Library) -> BTreeSet<[String; 2]> {
    let globs = library.defs().flat_map(|scope| {
        let paths = library.globs(scope, true).map(str::to_owned);
        paths.map(move |path| [library.declared_path(scope), path])
    });
    globs.collect()
}

/// Identifiers in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    parts.filter(|word| !word.is_empty())
}

/// Whether an impl is for a reference to a type of its own crate, or a box of one. To others than that, a
/// trait of another crate cannot be given without arguments.
fn is_for_reference(library: &Library, def: DefIndex) -> bool {
    let Some((_, own)) = library.signature(def).rsplit_once('=') else { return false };
    let mut ty = own;
    while let Some(inner) =
        ["&", "mut ", "Box<", "Pin<"].iter().find_map(|before| ty.strip_prefix(before))
    {
        ty = inner;
    }
    let head = words(ty).next().filter(|word| ty != own && ty.starts_with(word));
    let is_type = |kind| matches!(kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union);
    head.is_some_and(|head| {
        library.defs().any(|def| library.name(def) == head && is_type(library.kind(def)))
    })
}

/// Whether values have the same types whatever the arguments of a trait are, as with `PartialEq` and `From`:
/// one more impl for a type, with arguments that nobody could name, is noticed by nobody.
fn gives_the_same_types(crates: Crates<'_>, (krate, of_trait): Place) -> bool {
    let Some(library) = crates.library(krate) else { return false };
    let parameters =
        library.signature(of_trait).strip_prefix('<').and_then(|text| text.split_once('>'));
    let parameters: BTreeSet<&str> = words(parameters.map_or("", |(text, _)| text)).collect();
    library.kind(of_trait) == NodeKind::Trait
        && library.defs().filter(|def| library.parent(*def) == Some(of_trait)).all(|item| {
            let result = library.signature(item).rsplit_once("->").map_or("", |(_, result)| result);
            library.kind(item) == NodeKind::Method
                && words(result).all(|word| word == "Self" || !parameters.contains(word))
        })
}

/// What a line of a crate's declarations says something of.
#[derive(Debug, Clone, Copy)]
enum Entry<'l> {
    Definition(DefIndex),
    /// What a name means in some namespaces.
    Meaning(&'l str, u8),
    /// A derive of a type.
    Derive(DefIndex),
}

/// The declarations of a crate as texts, which have no numbers in them, each with how many texts before
/// it are the same.
struct Lines<'l>(HashMap<(String, u32), Entry<'l>>);

impl<'l> Lines<'l> {
    fn new(library: &'l Library) -> Option<Self> {
        let mut lines = HashMap::default();
        let mut counts: HashMap<String, u32> = HashMap::default();
        let mut add = |line: String, entry: Entry<'l>| {
            let count = counts.entry(line.clone()).or_default();
            lines.insert((line, *count), entry);
            *count += 1;
        };
        let mut places: Vec<String> = Vec::with_capacity(library.len());
        for def in library.defs() {
            let parent = library.parent(def)?;
            let around = if parent == def { "" } else { places.get(parent.index())?.as_str() };
            places.push(match library.kind(def) {
                NodeKind::Impl => format!("{around}::impl {}", library.signature(def)),
                _ => format!("{around}::{}", library.name(def)),
            });
        }
        let place = |known: Known<'_>| match known {
            Known::Definition(def) => places.get(def.index()).cloned().unwrap_or_default(),
            Known::Outside(path) => format!("!{path}"),
        };
        for def in library.defs() {
            let text = [library.rules(def), library.signature(def)].concat();
            let own = place(Known::Definition(def));
            let line = format!("{own}\0{}\0{text}\0{}", library.kind(def), library.path(def));
            add(line, Entry::Definition(def));
        }
        for (scope, name, known, spaces) in library.meanings() {
            let scope = place(Known::Definition(scope));
            let line = format!("{scope}\0{name}\0{spaces}\0{}", place(known));
            add(line, Entry::Meaning(name, spaces));
        }
        for (ty, of_trait) in library.derives() {
            let own = place(Known::Definition(ty));
            add(format!("{own}\0#{}", place(library.known(of_trait))), Entry::Derive(ty));
        }
        Some(Lines(lines))
    }
}
