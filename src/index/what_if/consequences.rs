//! Compares two states of all texts: what the change of some means for the rest.

use super::clashes::Clash;
use asof_model::{NodeId, RefKind};

/// Uses with at least this confidence, in percent, are compared.
pub(super) const CERTAIN: i64 = 90;

/// What names mean before and after.
#[derive(Debug, Clone, Default)]
pub struct Consequences {
    /// Number of uses that were compared, and of the files that they are in.
    pub compared: usize,
    pub files: usize,
    /// Items that have another id afterwards: old, new.
    pub renamed: Vec<(NodeId, NodeId)>,
    /// Uses with another meaning, in order.
    pub differences: Vec<Difference>,
    /// Definitions of one name in one scope.
    pub clashes: Vec<Clash>,
    /// Uses that may mean a renamed item, and could not before.
    pub doubts: Vec<Difference>,
    /// Uses of something that is private where it then is.
    pub hidden: Vec<Difference>,
    /// Names in new code that mean nothing that is known, or something that is private there.
    pub new_code: Vec<NewUse>,
}

/// A use in new code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewUse {
    /// Path and byte of the new text.
    pub file_path: String,
    pub byte: u32,
    /// As written, or the path of what is private.
    pub text: String,
    pub fault: NewUseFault,
}

/// What is wrong with a use in new code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NewUseFault {
    /// The path does not resolve.
    Unresolved,
    /// A member of a receiver of unknown type.
    UnknownReceiver,
    /// It is private there.
    Private,
}

/// A use whose meaning differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    pub file_path: String,
    /// In the text before.
    pub byte: u32,
    pub before: Vec<Meaning>,
    pub after: Vec<Meaning>,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meaning {
    pub kind: RefKind,
    /// Canonical path of what it means.
    pub of: String,
}
