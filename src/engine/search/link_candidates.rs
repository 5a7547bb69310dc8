//! Adds candidates to a search that the best candidates use, or that use them. A function whose
//! name has the words of a question often leaves the work to the one that it calls.

use std::collections::BTreeMap;

use super::corpus::Loaded;
use super::neighbours::{Step, neighbours};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::Queries;
use asof_search::Candidate;

/// Candidates whose uses are looked at: the first ones.
const SEEDS: usize = 8;

/// How a candidate is linked with better ones; shares of the best candidate's plain score.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Link {
    /// Of the best candidate that uses it.
    pub used: f64,
    /// Of the best candidate that it uses.
    pub uses: f64,
    /// The strongest link, in words: `calls X`, `called by X`.
    pub why: Option<String>,
}

/// Links of candidates, which come in their plain order, by their number.
pub(super) fn links(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    loaded: &Loaded,
    candidates: &[Candidate],
) -> Result<Vec<Link>, EngineError> {
    let mut links = vec![Link::default(); candidates.len()];
    let places = candidates.iter().map(|one| (one.file, one.item));
    let ids = snapshot.ids_of(queries, loaded, places)?;
    let numbers: BTreeMap<NodeId, usize> =
        ids.iter().enumerate().filter_map(|(at, id)| Some(((*id)?, at))).collect();
    let item =
        |at: usize| candidates.get(at).and_then(|one| loaded.corpus.item(one.file, one.item));
    let is_seed = |at: &usize| {
        let kind = item(*at).map(|(_, item)| item.kind);
        let aside = candidates.get(*at).is_none_or(|one| one.is_aside);
        !aside && matches!(kind, Some(NodeKind::Function | NodeKind::Method | NodeKind::Macro))
    };
    let seeds: Vec<usize> = (0..candidates.len()).filter(is_seed).take(SEEDS).collect();
    let seed_ids: Vec<NodeId> = seeds.iter().filter_map(|at| *ids.get(*at)?).collect();
    let best = candidates.first().map_or(1.0, Candidate::plain).max(f64::MIN_POSITIVE);
    let share = |at: usize| candidates.get(at).map_or(0.0, |one| one.plain() / best);
    let name = |at: usize| item(at).map_or(String::new(), |(_, item)| item.name.clone());
    for (seed, other, step) in neighbours(queries, &seed_ids)? {
        let (Some(seed), Some(other)) = (numbers.get(&seed), numbers.get(&other)) else { continue };
        let (seed, share) = (*seed, share(*seed));
        let Some(link) = links.get_mut(*other).filter(|_| *other != seed) else { continue };
        match step {
            Step::CalledBy if share > link.used => {
                link.used = share;
                link.why = Some(format!("called by {}", name(seed)));
            }
            Step::Uses if share > link.uses => {
                link.uses = share;
                if link.uses > link.used {
                    link.why = Some(format!("calls {}", name(seed)));
                }
            }
            _ => {}
        }
    }
    Ok(links)
}
