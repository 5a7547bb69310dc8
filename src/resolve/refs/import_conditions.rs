//! Computes the conditions under which a name is in a scope, as seen from its users.

use super::super::conditions::ALWAYS;
use super::item_index::ItemIndex;
use super::types::{Def, Name};
use crate::ids::ConditionId;
use asof_model::{Condition, Flags};

impl ItemIndex<'_> {
    /// A condition by its number.
    pub(super) fn condition(&self, number: ConditionId) -> Condition {
        self.joined.read().conditions.get(number).clone()
    }

    /// The number of a condition.
    pub(super) fn number_of(&self, condition: Condition) -> ConditionId {
        if condition.is_always() {
            ALWAYS
        } else {
            self.joined.write().conditions.number(condition)
        }
    }

    /// The condition, by its number, under which imports bring a definition by a name into a scope.
    pub(super) fn import_condition(&self, scope: Def, name: &str, def: Def) -> ConditionId {
        if self.is_library(scope) {
            return ALWAYS;
        }
        let under = self.enclosing(scope).map(|at| self.brought(at, name, def));
        under.into_iter().find(|under| *under != ALWAYS).unwrap_or(ALWAYS)
    }

    fn brought(&self, scope: Def, name: &str, def: Def) -> ConditionId {
        let conditional = self.conditional();
        if !conditional.scopes.contains(&scope) {
            return ALWAYS;
        }
        let key = (scope, self.find_name(name).unwrap_or(Name::NONE), def);
        if let Some(known) = self.joined.read().imports.get(&key) {
            return *known;
        }
        let mut known = self.joined.write();
        let conditions = &mut known.conditions;
        let under = conditional.condition(self.scopes(), conditions, (scope, name), def);
        known.imports.insert(key, under);
        under
    }

    /// What a condition of one definition's text says where another is compiled: features are those
    /// of a package, and `test` that of a crate.
    pub(super) fn seen_from(&self, user: Def, at: Def, under: ConditionId) -> ConditionId {
        if under == ALWAYS || self.root(user) == self.root(at) {
            return under;
        }
        let package = |def: Def| {
            let node = self.node(def)?;
            let instance = self.input().instances.get(node.instance)?;
            self.input().crates.get(instance.krate)?.package
        };
        let same = package(user).is_some() && package(user) == package(at);
        if let Some(known) = self.joined.read().elsewhere.get(&(under, same)) {
            return *known;
        }
        let flags = if same { Flags::OfPackage } else { Flags::OfTarget };
        let number = self.number_of(self.condition(under).only(flags));
        self.joined.write().elsewhere.insert((under, same), number);
        number
    }

    /// Whether no build has both a definition and something under a condition.
    pub(super) fn excludes_import(&self, user: Def, under: ConditionId) -> bool {
        let Some(user) = self.node(user).filter(|_| under != ALWAYS) else { return false };
        let conditions = self.conditions();
        if user.condition == ALWAYS || conditions.get(user.condition).is_never() {
            return false;
        }
        if under < conditions.all().len() {
            self.exclusions.contradict(conditions, (user.condition, under), Flags::All)
        } else {
            let own = conditions.get(user.condition);
            own.contradicts(&self.condition(under), Flags::All)
        }
    }
}
