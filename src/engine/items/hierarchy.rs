//! Traits, what implements them, and what they are built on.

use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::model::{NodeId, RefKind};
use crate::query::Queries;
use crate::wire::Item;

impl Snapshot<'_> {
    /// The items of traits that items of impls implement, as far as the traits are of the workspace.
    ///
    /// # Errors
    /// The store failed.
    pub fn overridden(&self, id: NodeId) -> Result<Vec<NodeId>, EngineError> {
        let rows = Queries::at(self.store(), self.at).uses_of(&[id])?;
        let all = rows.into_iter().flat_map(|row| row.refs);
        Ok(all.filter(|one| one.kind == RefKind::Overrides).map(|one| one.target).collect())
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

    fn related_types(&self, id: NodeId, above: u32) -> Result<Vec<NodeId>, EngineError> {
        let rows = Queries::at(self.store(), self.at).type_hierarchy(&[id])?;
        Ok(rows.into_iter().filter(|row| row.above == above).map(|row| row.related).collect())
    }
}
