//! What imports bring under conditions, told by ids: two states can be compared.

use super::crate_maps::CrateMaps;
use super::ids::Def;
use super::scope::Scopes;
use asof_model::{Condition, HashMap, NodeId};

/// What an import leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportTarget<'s> {
    Item(NodeId),
    /// A path that begins outside of the workspace.
    Outside(&'s [String]),
}

/// Names that imports bring under conditions, by scope and name: targets with their conditions, sorted.
pub type ConditionalImports<'s> =
    HashMap<(NodeId, &'s str), Vec<(ImportTarget<'s>, &'s Condition)>>;

impl Scopes<'_> {
    /// The names that imports bring under conditions. What globs bring is not among them.
    pub fn conditional_imports<'s>(&'s self, assembly: &CrateMaps) -> ConditionalImports<'s> {
        let mut all = ConditionalImports::default();
        let id = |def: Def| assembly.node(def).map(|node| node.id);
        for (scope, name, meanings) in self.conditional.names.iter() {
            let Some(scope) = id(scope) else { continue };
            let items = meanings.nodes.iter().filter_map(|(target, under)| {
                Some((ImportTarget::Item(id(*target)?), self.conditions.get(*under)))
            });
            let outside = meanings.outside.iter();
            let outside = outside
                .map(|(path, under)| (ImportTarget::Outside(path), self.conditions.get(*under)));
            all.entry((scope, name)).or_default().extend(items.chain(outside));
        }
        all.values_mut().for_each(|targets| targets.sort_unstable());
        all
    }

    /// Globs under conditions, by the ids of their scope and of the one whose names they bring.
    pub fn conditional_globs<'s>(
        &'s self,
        assembly: &CrateMaps,
    ) -> HashMap<(NodeId, NodeId), &'s Condition> {
        let id = |def: Def| assembly.node(def).map(|node| node.id);
        let globs = self.conditional.globs.iter().filter_map(|((scope, target), under)| {
            Some(((id(*scope)?, id(*target)?), self.conditions.get(*under)))
        });
        globs.collect()
    }
}
