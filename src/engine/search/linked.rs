//! Candidates that the best candidates use, or that use them. A function whose name has the words of
//! a question often leaves the work to the one that it calls.

use std::collections::BTreeMap;

use super::corpus::Loaded;
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::model::{NodeId, NodeKind, RefKind};
use crate::query::Queries;
use crate::search::Candidate;

/// Candidates whose uses are looked at: the first ones.
const SEEDS: usize = 8;

/// More users say that it is a helper, not that they do the same.
const MAX_USERS: usize = 40;

/// Uses that are less sure are not followed.
const SURE: f64 = 0.5;

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
    let places: Vec<(usize, usize)> = candidates.iter().map(|one| (one.file, one.item)).collect();
    let ids = snapshot.ids_of(queries, loaded, &places)?;
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
    for row in queries.uses_of(&seed_ids)? {
        let Some(seed) = numbers.get(&row.source).copied() else { continue };
        for one in row.refs.iter().filter(|one| is_call(one.kind)) {
            let Some(target) = numbers.get(&one.target).copied() else { continue };
            let Some(link) = links.get_mut(target).filter(|_| one.confidence >= SURE) else {
                continue;
            };
            if target != seed && share(seed) > link.used {
                link.used = share(seed);
                link.why = Some(format!("called by {}", name(seed)));
            }
        }
    }
    let mut users: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
    for row in queries.users_of(&seed_ids)? {
        users.entry(row.target).or_default().push(row.source);
    }
    for (target, sources) in users.into_iter().filter(|(_, sources)| sources.len() <= MAX_USERS) {
        let Some(seed) = numbers.get(&target).copied() else { continue };
        for source in sources.iter().filter_map(|source| numbers.get(source).copied()) {
            let Some(link) = links.get_mut(source).filter(|_| source != seed) else { continue };
            if share(seed) > link.uses {
                link.uses = share(seed);
                if link.uses > link.used {
                    link.why = Some(format!("calls {}", name(seed)));
                }
            }
        }
    }
    Ok(links)
}

fn is_call(kind: RefKind) -> bool {
    matches!(kind, RefKind::Call | RefKind::MethodCall | RefKind::Macro)
}
