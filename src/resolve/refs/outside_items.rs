//! Items that calls of other crates' macros make, and the scopes that have their names.

use std::collections::HashMap;

use super::types::Def;
use crate::model::NodeKind;

/// An item that a call makes.
#[derive(Debug)]
pub(super) struct MadeItem {
    pub call: Def,
    pub kind: NodeKind,
    pub name: String,
    pub text: String,
}

/// What calls of macros of other crates make.
#[derive(Debug, Default)]
pub(super) struct OutsideCalls {
    pub items: Vec<MadeItem>,
    /// Calls by scope and name, with the namespaces.
    pub names: HashMap<(Def, String), Vec<(Def, u8)>>,
}

impl OutsideCalls {
    /// Calls that make a name of a scope.
    pub(super) fn named(&self, scope: Def, name: &str, spaces: u8) -> Option<Vec<(Def, u8)>> {
        if self.names.is_empty() {
            return None;
        }
        let found = self.names.get(&(scope, name.to_owned()))?.iter();
        let found: Vec<(Def, u8)> = found.filter(|(_, of)| of & spaces != 0).copied().collect();
        (!found.is_empty()).then_some(found)
    }
}
