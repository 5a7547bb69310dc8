//! Types that are declared again under another condition: what reads one of them has read all.

use std::collections::BTreeSet;

use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::{HashMap, HashSet, NodeId, NodeKind};

/// Types of two states that have a path together.
#[derive(Default)]
pub(super) struct Twins {
    groups: Vec<BTreeSet<NodeId>>,
    /// Index of the group of each.
    group: HashMap<NodeId, usize>,
}

impl Twins {
    pub fn new(before: &ResolvedWorkspace<'_>, after: &ResolvedWorkspace<'_>) -> Self {
        let mut by_path: HashMap<&str, BTreeSet<NodeId>> = HashMap::default();
        for node in before.assembly.nodes.iter().chain(&after.assembly.nodes) {
            if matches!(node.kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union) {
                by_path.entry(&node.path).or_default().insert(node.id);
            }
        }
        let mut twins = Twins::default();
        for group in by_path.into_values().filter(|group| group.len() > 1) {
            twins.group.extend(group.iter().map(|id| (*id, twins.groups.len())));
            twins.groups.push(group);
        }
        twins
    }

    /// Definitions with their twins.
    pub fn of_all(&self, ids: impl IntoIterator<Item = NodeId>) -> HashSet<NodeId> {
        let mut all: HashSet<NodeId> = ids.into_iter().collect();
        let groups: BTreeSet<usize> =
            all.iter().filter_map(|id| self.group.get(id)).copied().collect();
        all.extend(groups.iter().filter_map(|at| self.groups.get(*at)).flatten());
        all
    }
}
