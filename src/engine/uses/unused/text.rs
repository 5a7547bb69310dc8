//! Candidates that have one text.

use std::collections::HashSet;

use super::candidate::{Best, Candidate};
use crate::error::EngineError;
use crate::items::SharedTexts;
use asof_model::NodeId;
use asof_query::Queries;

/// A candidate, and the other definitions of its text.
pub(super) struct Text<'d> {
    pub shown: Candidate<'d>,
    others: Vec<Candidate<'d>>,
}

impl<'d> Text<'d> {
    /// The texts of candidates that nothing uses. Left out are those of which something uses another
    /// definition, or of which one is no candidate: what a target exports, or is allowed not to use,
    /// is not unused in another one.
    pub(super) fn collect(
        queries: &Queries<'_>,
        mut idle: Vec<Candidate<'d>>,
        best: &mut Best,
        candidate: impl Fn(NodeId) -> Option<Candidate<'d>>,
    ) -> Result<Vec<Self>, EngineError> {
        let mut shared = SharedTexts::default();
        for one in &idle {
            shared.read(queries, &one.item.file_path)?;
        }
        let of_texts = idle.iter().flat_map(|one| shared.definitions(one.item.id)).copied();
        let of_texts: HashSet<NodeId> = of_texts.collect();
        best.read(queries, &of_texts.into_iter().collect::<Vec<_>>())?;
        idle.sort_by(|a, b| (a.path, a.item.id).cmp(&(b.path, b.item.id)));
        let mut known: HashSet<NodeId> = HashSet::new();
        let mut texts = Vec::with_capacity(idle.len());
        for shown in idle {
            if !known.insert(shown.item.id) {
                continue;
            }
            let others = shared.definitions(shown.item.id);
            let others = others.iter().copied().filter(|id| *id != shown.item.id);
            let others: Vec<NodeId> = others.collect();
            known.extend(&others);
            if others.iter().any(|id| best.is_use(*id)) {
                continue;
            }
            let others: Option<Vec<Candidate<'d>>> = others.into_iter().map(&candidate).collect();
            texts.extend(others.map(|others| Self { shown, others }));
        }
        Ok(texts)
    }

    /// All definitions of the text.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &Candidate<'d>> {
        std::iter::once(&self.shown).chain(&self.others)
    }
}
