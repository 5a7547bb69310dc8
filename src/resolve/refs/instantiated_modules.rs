//! Items that a macro call puts into several modules: a test suite that is instantiated for each of
//! several flavours. The items have one definition each; a name in them means what it means in each
//! of the modules.

use super::super::bindings::Found;
use super::item_index::{Hit, ItemIndex};
use super::types::Def;
use asof_model::NodeKind;

impl ItemIndex<'_> {
    /// The call that puts a written definition into modules, if there is one.
    pub(super) fn suite_of(&self, def: Def) -> Option<Def> {
        if self.suites.is_empty() {
            return None;
        }
        let mut at = self.parent(def);
        while let Some(above) = at {
            match self.kind(above) {
                NodeKind::MacroCall if self.suites.contains_key(&above) => return Some(above),
                // A module among the items has names of its own.
                NodeKind::Module => return None,
                _ => at = self.parent(above),
            }
        }
        None
    }

    /// Records that a name is looked up in the modules that a definition is put into.
    pub(super) fn look_up_in_flavours(&self, def: Def, name: &str) {
        let call = self.suite_of(def);
        let modules = call.and_then(|call| self.suites.get(&call)).into_iter().flatten();
        modules.for_each(|module| self.look_up(*module, name, *module));
    }

    /// Meaning of a name in the modules that a definition is put into.
    pub(super) fn in_flavours(&self, def: Def, name: &str, spaces: u8) -> Hit {
        let Some(call) = self.suite_of(def) else { return Hit::Nothing };
        let mut found = Found::new();
        for module in self.suites.get(&call).into_iter().flatten() {
            if let Hit::Defs(defs) = self.lookup(*module, name, spaces, *module) {
                found.extend(defs);
            }
        }
        found.dedup();
        if found.is_empty() { Hit::Nothing } else { Hit::Defs(found) }
    }
}
