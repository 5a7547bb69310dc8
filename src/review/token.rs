//! Tokens of a normal form.

use asof_model::{NodeId, RefKind};

/// What a name means, in the terms of the later state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identity {
    /// An item that the later state has, or one of another crate.
    Later(NodeId),
    /// An item that only the earlier state has.
    Gone(NodeId),
}

/// A meaning of a name, and how it is used.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meaning {
    pub target: Identity,
    pub kind: RefKind,
    /// What has to hold beside the conditions of both items.
    pub condition: Option<Box<str>>,
}

/// A token of a normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Token {
    /// As it is written.
    Text(Box<str>),
    /// A name that is resolved with certainty: all that it means, sorted.
    Name(Box<[Meaning]>),
    /// A name of which the meaning is not certain: as it is written, and all that it may mean.
    Unsure(Box<str>, Box<[Meaning]>),
    /// Where an item, field or variant is defined.
    Definition(Identity),
    /// A name that the item binds, by the order of the first places of such names.
    Local(u32),
    /// A name that an item around it binds, by the order of such names there.
    Outer(u32),
    /// `pub` or `pub(…)`, by the module in which it makes something visible; none if everywhere.
    Visible(Option<Identity>),
}
