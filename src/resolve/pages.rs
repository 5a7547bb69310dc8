//! Which file a number is of.

use super::ids::{Def, InstanceId};

/// Numbers of a page, all of which are of one file.
pub(super) const PAGE: usize = 16;

/// The file of each page of numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pages(Vec<InstanceId>);

impl Pages {
    /// The instance in whose file a number is.
    pub fn instance(&self, def: Def) -> Option<InstanceId> {
        self.0.get(def.index() / PAGE).copied()
    }

    /// Gives the numbers up to one to a file.
    pub fn fill(&mut self, end: Def, number: InstanceId) {
        self.0.resize(end.index() / PAGE, number);
    }

    /// All numbers are less.
    pub fn end(&self) -> Def {
        Def::new(self.0.len() * PAGE)
    }
}
