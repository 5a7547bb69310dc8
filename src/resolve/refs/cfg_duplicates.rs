//! Groups of definitions of which each build has one: types declared again under another `cfg`, and
//! macros that `#[macro_use]` on their module or crate makes visible outside; and which of them a
//! use may mean.

use std::sync::{Arc, OnceLock};

use crate::ids::ConditionId;
use serde::{Deserialize, Serialize};

use super::super::bindings::PathTarget;
use super::super::conditions::ALWAYS;
use super::super::namespaces::{ANY, MACROS};
use super::item_index::{Hit, ItemIndex, TypeItem};
use super::paths::Target;
use super::reads;
use super::types::{Def, Name};
use asof_model::{Condition, Flags, HashMap, Header, NodeKind};

/// Declarations of the same thing.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct CfgDuplicates {
    /// For each further declaration of a type, the first.
    first: HashMap<Def, Def>,
    /// The others of each group, by the first one.
    #[serde(skip)]
    others: OnceLock<HashMap<Def, Vec<Def>>>,
    /// Fields of the other declarations, by the first one and name.
    fields: HashMap<(Def, Name), Def>,
    /// Macros of modules with `#[macro_use]`, by the module that declares those.
    macros: HashMap<(Def, Name), Vec<Def>>,
    /// Roots of crates of which a crate uses all macros, by its own root.
    crates: HashMap<Def, Vec<Def>>,
}

impl CfgDuplicates {
    pub(super) fn collect(world: &ItemIndex<'_>) -> Self {
        let mut twins = CfgDuplicates::default();
        let mut seen: HashMap<(Def, Name), Def> = HashMap::default();
        // Types in bodies have their module's path, and are different types.
        for TypeItem { def, .. } in world.own_types().filter(|item| !item.in_body) {
            let key = (world.module(def), world.name(def));
            let first = *seen.entry(key).or_insert(def);
            if first != def {
                twins.first.insert(def, first);
                let fields = world.members(def).into_iter();
                for field in fields.filter(|field| world.kind(*field) == NodeKind::Field) {
                    twins.fields.entry((first, world.name(field))).or_insert(field);
                }
            }
        }
        for def in world.own_macros() {
            twins.bring_out(world, world.module(def), world.name(def), def);
        }
        for def in world.macro_crates() {
            twins.bring_in(world, def);
        }
        twins
    }

    /// Binds a macro in the enclosing modules, as long as each has the attribute.
    fn bring_out(&mut self, world: &ItemIndex<'_>, module: Def, name: Name, def: Def) {
        let mut at = module;
        while uses_macros(world, at) {
            let Some(parent) = world.parent_module(at) else { break };
            // Called once for each macro.
            self.macros.entry((parent, name)).or_default().push(def);
            at = parent;
        }
    }

    /// Binds the macros of a crate that is declared with `#[macro_use] extern crate`.
    fn bring_in(&mut self, world: &ItemIndex<'_>, def: Def) {
        let Some(item) = world.item_tree(def) else { return };
        let Header::ExternCrate { of, macro_use: true } = &item.header else { return };
        let (root, name) = (world.root(def), of.as_deref().unwrap_or(&item.name));
        if let Hit::Defs(found) = world.krate(def, name) {
            self.crates.entry(root).or_default().extend(found.iter().map(|(def, _)| *def));
        }
    }

    /// Roots of crates of which a crate uses all macros, by its root.
    pub(super) fn crates_of_macros(&self, root: Def) -> &[Def] {
        self.crates.get(&root).map_or(&[], Vec::as_slice)
    }

    /// The declaration that represents all declarations of a type.
    pub(super) fn first(&self, def: Def) -> Def {
        self.first.get(&def).copied().unwrap_or(def)
    }

    /// The other declarations of the type that a first one represents.
    pub(super) fn others(&self, first: Def) -> impl Iterator<Item = Def> + '_ {
        let others = self.others.get_or_init(|| {
            let mut others: HashMap<Def, Vec<Def>> = HashMap::default();
            self.first.iter().for_each(|(def, first)| others.entry(*first).or_default().push(*def));
            others
        });
        others.get(&first).into_iter().flatten().copied()
    }

    /// A field that another declaration of a type has.
    pub(super) fn field_of_others(&self, def: Def, name: Name) -> Option<Def> {
        self.fields.get(&(def, name)).copied()
    }

    /// Macros of this name that textual scope brings into a module.
    pub(super) fn macros(&self, module: Def, name: Name) -> &[Def] {
        self.macros.get(&(module, name)).map_or(&[], Vec::as_slice)
    }
}

/// Whether a module is declared with `#[macro_use]`.
fn uses_macros(world: &ItemIndex<'_>, module: Def) -> bool {
    let marked =
        |header: Option<&Header>| matches!(header, Some(Header::Module { macro_use: true, .. }));
    marked(world.item_tree(module).map(|item_tree| &item_tree.header))
        || marked(world.declaration(module))
}

impl ItemIndex<'_> {
    /// A macro that a module with `#[macro_use]` brings into an enclosing one.
    pub(super) fn textual(&self, scope: Def, name: &str) -> Option<Hit> {
        let name = self.find_name(name)?;
        let mut module = Some(self.module(scope));
        while let Some(at) = module {
            let found = self.twins.macros(at, name);
            if !found.is_empty() {
                return Some(Hit::Defs(found.iter().map(|def| (*def, MACROS)).collect()));
            }
            module = self.parent_module(at);
        }
        None
    }

    /// A macro of a crate that the root declares with `#[macro_use]`.
    pub(super) fn of_crates(&self, scope: Def, name: &str) -> Option<Hit> {
        let crates = self.twins.crates_of_macros(self.root(scope)).iter();
        let found = crates.map(|root| self.lookup(*root, name, MACROS, scope));
        found.into_iter().find(|hit| matches!(hit, Hit::Defs(_)))
    }

    /// A definition; of a choice, the first.
    pub(super) fn one_of(&self, def: Def) -> Def {
        self.choices.first(def)
    }

    /// Each of a choice; of a definition, itself.
    pub(super) fn each_of(&self, def: Def) -> Arc<[Def]> {
        self.choices.alternatives(def).unwrap_or_else(|| Arc::from([def]))
    }

    /// A field of a type, whichever of its declarations has it.
    pub(super) fn field(&self, def: Def, name: Name) -> Option<Def> {
        let own = self.child(def, name, &[NodeKind::Field]);
        own.or_else(|| self.twins.field_of_others(self.one_of(def), name))
    }

    /// What imports bring by a name into a scope from outside of the workspace under conditions.
    pub(super) fn imports_of_outside(&self, scope: Def, name: &str) -> Vec<(Hit, ConditionId)> {
        if self.is_library(scope) {
            return Vec::new();
        }
        let conditional = self.conditional();
        let mut found = conditional.outside(scope, name);
        if found.is_empty() {
            found = conditional.outside(self.module(scope), name);
        }
        let hit = |path| self.hit(PathTarget::External(path), ANY);
        found.into_iter().map(|(path, under)| (hit(path), under)).collect()
    }

    /// Whether no build has a definition where a part of the text of another is.
    pub(super) fn excludes_under(&self, user: Def, target: &Target, own: &Condition) -> bool {
        let Target::Def(def) = target else { return false };
        let Some(target) = self.node(*def).filter(|node| node.condition != ALWAYS) else {
            return false;
        };
        let flags = if self.root(user) == self.root(*def) { Flags::All } else { Flags::OfTarget };
        !own.is_never() && self.conditions().get(target.condition).contradicts(own, flags)
    }

    /// Whether no build has both a definition and what its text seems to use. Features and flags
    /// of build scripts are those of a package, and `test` is that of a crate: between crates, only
    /// the target counts.
    pub(super) fn excludes(&self, user: Def, def: Def) -> bool {
        reads::read(def);
        let (Some(a), Some(b)) = (self.node(user), self.node(def)) else { return false };
        let pair = (a.condition, b.condition);
        if pair.0 == pair.1 || pair.0 == ALWAYS || pair.1 == ALWAYS {
            return false;
        }
        let conditions = self.conditions();
        // Code that no build has is read as if it were there.
        if conditions.get(pair.0).is_never() {
            return false;
        }
        let flags = if self.root(user) == self.root(def) { Flags::All } else { Flags::OfTarget };
        self.exclusions.contradict(conditions, pair, flags)
    }
}
