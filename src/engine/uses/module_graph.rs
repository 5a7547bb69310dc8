//! The graph of dependencies between modules, with its cycles.

use std::collections::{BTreeSet, HashMap};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, OrNever, RefKind};
use asof_query::Queries;
use asof_wire::{GraphModule, ModuleEdge, ModuleGraph};

impl Snapshot<'_> {
    /// Which modules use which others, by the uses in their items of at least this confidence, from
    /// 0 to 1.
    ///
    /// # Errors
    /// The store failed.
    pub fn module_graph(&self, min_confidence: f64) -> Result<ModuleGraph, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        // Both read the whole workspace.
        let (items, users) = rayon::join(|| queries.modules_of(), || queries.all_users());
        let module: HashMap<NodeId, NodeId> =
            items?.into_iter().map(|row| (row.id, row.module_id)).collect();
        let mut pairs: HashMap<(NodeId, NodeId), u32> = HashMap::new();
        for row in users? {
            let Some(to) = module.get(&row.target) else { continue };
            let sure = row
                .sources
                .iter()
                .filter(|one| one.confidence >= min_confidence && one.kind != RefKind::Keyword);
            let mut sources: Vec<NodeId> = sure.map(|one| one.source).collect();
            // An item that uses another in several ways counts once.
            sources.sort_unstable();
            sources.dedup();
            for from in sources.iter().filter_map(|source| module.get(source)) {
                if from != to {
                    *pairs.entry((*from, *to)).or_default() += 1;
                }
            }
        }
        let ids: BTreeSet<NodeId> = pairs.keys().flat_map(|(from, to)| [*from, *to]).collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let mut names = queries.target_names(&ids)?;
        names.sort_by(|a, b| (&a.path, a.id).cmp(&(&b.path, b.id)));
        let index: HashMap<NodeId, usize> =
            names.iter().enumerate().map(|(at, row)| (row.id, at)).collect();
        let mut edges: Vec<ModuleEdge> = pairs
            .into_iter()
            .filter_map(|((from, to), uses)| {
                Some(ModuleEdge { from: *index.get(&from)?, to: *index.get(&to)?, uses })
            })
            .collect();
        edges.sort_by_key(|edge| (edge.from, edge.to));
        let cycles = cycles(names.len(), &edges);
        let modules = names.into_iter().zip(cycles);
        let modules =
            modules.map(|(row, cycle)| GraphModule { id: row.id, path: row.path, cycle }).collect();
        Ok(ModuleGraph { modules, edges })
    }
}

/// For each of `count` modules, the number of its strongly connected component if that has several
/// (Tarjan's algorithm with a stack of its own: a chain of modules may be long).
fn cycles(count: usize, edges: &[ModuleEdge]) -> Vec<Option<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in edges {
        if let Some(list) = next.get_mut(edge.from) {
            list.push(edge.to);
        }
    }
    let get = |list: &[usize], at: usize| list.get(at).copied().unwrap_or(UNSEEN);
    let mut order = vec![UNSEEN; count];
    let mut low = vec![UNSEEN; count];
    let mut open = vec![false; count];
    let mut path: Vec<usize> = Vec::new();
    let mut parts: Vec<Option<usize>> = vec![None; count];
    let (mut seen, mut found) = (0, 0);
    for root in 0..count {
        if get(&order, root) != UNSEEN {
            continue;
        }
        // A module, and how many of its edges were followed.
        let mut work = vec![(root, 0usize)];
        while let Some((at, done)) = work.pop() {
            if done == 0 {
                set(&mut order, at, seen);
                set(&mut low, at, seen);
                set(&mut open, at, true);
                path.push(at);
                seen += 1;
            }
            match next.get(at).and_then(|list| list.get(done)).copied() {
                Some(to) => {
                    work.push((at, done + 1));
                    if get(&order, to) == UNSEEN {
                        work.push((to, 0));
                    } else if open.get(to) == Some(&true) {
                        let least = get(&low, at).min(get(&order, to));
                        set(&mut low, at, least);
                    }
                }
                None => {
                    if let Some((above, _)) = work.last() {
                        let least = get(&low, *above).min(get(&low, at));
                        set(&mut low, *above, least);
                    }
                    if get(&low, at) != get(&order, at) {
                        continue;
                    }
                    let begin = path
                        .iter()
                        .rposition(|one| *one == at)
                        .or_never("a module of a cycle is on the path");
                    let part = path.split_off(begin);
                    for one in &part {
                        set(&mut open, *one, false);
                        if part.len() > 1 {
                            set(&mut parts, *one, Some(found));
                        }
                    }
                    found += usize::from(part.len() > 1);
                }
            }
        }
    }
    parts
}

fn set<T>(list: &mut [T], at: usize, value: T) {
    if let Some(slot) = list.get_mut(at) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(count: usize, pairs: &[(usize, usize)], expected: &[Option<usize>]) {
        let edges: Vec<ModuleEdge> =
            pairs.iter().map(|&(from, to)| ModuleEdge { from, to, uses: 1 }).collect();
        assert_eq!(cycles(count, &edges), expected, "{pairs:?}");
    }

    #[test]
    fn modules_in_a_circle_share_a_number() {
        check(3, &[(0, 1), (1, 2)], &[None, None, None]);
        check(4, &[(0, 1), (1, 2), (2, 0), (2, 3)], &[Some(0), Some(0), Some(0), None]);
        let two = [(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)];
        check(4, &two, &[Some(1), Some(1), Some(0), Some(0)]);
        check(5, &[(0, 2), (2, 4), (4, 0), (1, 3)], &[Some(0), None, Some(0), None, Some(0)]);
        let long: Vec<(usize, usize)> = (0..9_999).map(|at| (at, at + 1)).collect();
        check(10_000, &long, &vec![None; 10_000]);
    }
}
