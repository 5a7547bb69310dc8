//! Maps bytes of moved texts between their old and new places.

use super::texts::Carried;

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Carriage<'a> {
    all: &'a [Carried<'a>],
}

impl<'a> Carriage<'a> {
    pub(super) fn new(all: &'a [Carried<'a>]) -> Self {
        Self { all }
    }

    /// The text that goes away from a byte of a file before.
    pub(super) fn away(&self, path: &str, byte: u32) -> Option<&'a Carried<'a>> {
        let holds =
            |one: &&Carried<'_>| one.from.0 == path && one.from.1 <= byte && byte < one.from.2;
        self.all.iter().find(holds)
    }

    /// The text that comes to a byte of a file after.
    pub(super) fn here(&self, path: &str, byte: u32) -> Option<&'a Carried<'a>> {
        let holds = |one: &&Carried<'_>| one.to.0 == path && one.to.1 <= byte && byte < one.to.2;
        self.all.iter().find(holds)
    }
}
