//! Tables of impls.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::heads::Head;
use super::types::{Def, Name};
use asof_model::HashMap;

/// One member of an impl.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    pub of: Def,
    pub item: Def,
}

/// Impls of the workspace, or of all other crates.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Impls {
    pub heads: HashMap<Head, ImplsOfHead>,
    /// Impls for a type parameter, by trait.
    pub blanket: HashMap<Def, Vec<Def>>,
    /// Traits with such impls, those of other crates among them; sorted.
    pub blanket_traits: Vec<Def>,
    /// Types of which an attribute makes projections, by module and the projection's name.
    pub projections: HashMap<(Def, Name), Def>,
}

/// Impls for types with one head. Their members are put into tables when they are asked for first:
/// most types of the library are not used.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ImplsOfHead {
    pub impls: Vec<Def>,
    /// Traits that the type derives.
    pub derived: Vec<Def>,
    #[serde(skip)]
    pub tables: OnceLock<Tables>,
}

#[derive(Debug, Default)]
pub(super) struct Tables {
    pub inherent: HashMap<Name, Vec<Member>>,
    pub of_traits: HashMap<Name, Vec<Member>>,
    pub by_trait: HashMap<Def, Vec<Def>>,
    /// Sorted.
    pub traits: Vec<Def>,
    pub outside: Vec<Def>,
}

impl Impls {
    /// Those for types with a head.
    pub(super) fn head(&mut self, head: Head) -> &mut ImplsOfHead {
        self.heads.entry(head).or_default()
    }
}
