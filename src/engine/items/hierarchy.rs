//! Traits, their impls, and their supertraits.

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{Queries, UseFilter};
use asof_wire::{Item, LinkTarget};

impl Snapshot<'_> {
    /// The items of traits that an item of an impl implements.
    ///
    /// # Errors
    /// The store failed.
    pub fn overridden(&self, id: NodeId) -> Result<Vec<LinkTarget>, EngineError> {
        let rows = Queries::at(self.store(), self.at).uses_of(&[id])?;
        let all = rows.into_iter().flat_map(|row| row.refs);
        let all = all.filter(|one| one.kind == RefKind::Overrides).map(|one| one.target);
        self.link_targets(&all.collect::<Vec<_>>())
    }

    /// The impls of a trait.
    ///
    /// # Errors
    /// The store failed.
    pub fn impls_of_trait(&self, of_trait: &Item) -> Result<Vec<NodeId>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.implementations(&[of_trait.id], &of_trait.name, false)?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// The traits that a type implements or a trait requires.
    ///
    /// # Errors
    /// The store failed.
    pub fn supertypes(&self, id: NodeId) -> Result<Vec<NodeId>, EngineError> {
        self.related_types(id, 1)
    }

    /// The types that implement a trait, and the traits that require it.
    ///
    /// # Errors
    /// The store failed.
    pub fn subtypes(&self, id: NodeId) -> Result<Vec<NodeId>, EngineError> {
        self.related_types(id, 0)
    }

    /// By impls; and for a trait, by the bounds of traits.
    fn related_types(&self, id: NodeId, above: u32) -> Result<Vec<NodeId>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.type_hierarchy(&[id])?;
        let by_impls = rows.into_iter().filter(|row| row.above == above).map(|row| row.related);
        let mut found: Vec<NodeId> = by_impls.collect();
        if self.items(&[id])?.iter().any(|item| item.kind == NodeKind::Trait) {
            let bounds: Vec<NodeId> = match above {
                1 => {
                    let all = queries.uses_of(&[id])?.into_iter().flat_map(|row| row.refs);
                    all.filter(|one| one.kind == RefKind::Bound).map(|one| one.target).collect()
                }
                _ => {
                    let filter = UseFilter { kinds: vec![RefKind::Bound], min_confidence: 0.0 };
                    queries.where_used(&[id], &filter)?.into_iter().map(|row| row.source).collect()
                }
            };
            let traits = self.items(&bounds)?.into_iter();
            found.extend(traits.filter(|one| one.kind == NodeKind::Trait).map(|one| one.id));
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|one| *one != id);
        Ok(found)
    }
}
