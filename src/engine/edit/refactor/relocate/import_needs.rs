//! Finds the imports of the old module that the moved text needs.

use std::collections::BTreeSet;

use asof_index::PathMeaning;
use asof_model::NodeId;

/// What the imports of the old module are needed for.
#[derive(Debug, Default)]
pub(super) struct Needed {
    /// Names that the text has.
    pub names: BTreeSet<String>,
    /// Traits whose items it calls: of the workspace, and from outside.
    pub traits: BTreeSet<NodeId>,
    pub outside_traits: BTreeSet<String>,
}

impl Needed {
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.traits.is_empty() && self.outside_traits.is_empty()
    }

    pub(super) fn has_trait(&self, meaning: &PathMeaning) -> bool {
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        match meaning {
            PathMeaning::Items(ids) => !ids.is_disjoint(&self.traits),
            PathMeaning::Outside(path) => {
                self.outside_traits.iter().any(|of| last(of) == last(path))
            }
            PathMeaning::Nothing => false,
        }
    }
}
