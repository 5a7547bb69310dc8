//! Edges by the file whose items say them.

use serde::{Deserialize, Serialize};

use super::ids::InstanceId;
use super::mentioned_names::MentionedNames;
use super::shared_files::SharedFiles;
use asof_model::NodeId;

/// Kind of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EdgeKind {
    /// A private `use`.
    Imports,
    /// A `use` that others can see.
    Reexports,
    GlobImports,
    GlobReexports,
    /// From an impl to the type it is for.
    ImplFor,
    /// From an impl to the trait it is of.
    ImplOf,
}

impl EdgeKind {
    /// Whether it brings all names of its target.
    pub const fn is_glob(self) -> bool {
        matches!(self, Self::GlobImports | Self::GlobReexports)
    }

    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Imports => "imports",
            Self::Reexports => "reexports",
            Self::GlobImports => "glob_imports",
            Self::GlobReexports => "glob_reexports",
            Self::ImplFor => "impl_for",
            Self::ImplOf => "impl_of",
        }
    }
}

/// A relation between two definitions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Edge {
    pub source: NodeId,
    pub kind: EdgeKind,
    /// Name under which the target is known at the source; empty for globs and impls.
    pub name: String,
    pub target: NodeId,
    /// The item whose text says so.
    pub origin: NodeId,
    pub provenance: Provenance,
}

/// What kind of declaration says an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Provenance {
    ExternCrate,
    Impl,
    Use,
}

impl Provenance {
    /// The stored and printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ExternCrate => "extern crate",
            Self::Impl => "impl",
            Self::Use => "use",
        }
    }
}

/// A name that is not of the workspace, or was not found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Unresolved {
    pub source: NodeId,
    pub kind: EdgeKind,
    pub text: String,
    pub name: String,
    pub origin: NodeId,
    /// Whether it is known to be in a dependency or a standard crate.
    pub external: bool,
}

/// What the declarations of a file say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileEdges {
    /// Sorted, without duplicates, as is the next.
    pub edges: Vec<Edge>,
    pub unresolved: Vec<Unresolved>,
    /// Names in headers of impls.
    pub mentions: MentionedNames,
}

/// The edges of all files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdgeTable(pub(super) SharedFiles<FileEdges>);

/// What one of two states has and the other may not have; sorted.
#[derive(Debug, Default)]
pub struct OwnEdges<'t> {
    pub edges: Vec<&'t Edge>,
    pub unresolved: Vec<&'t Unresolved>,
}

impl EdgeTable {
    pub fn iter(&self) -> impl Iterator<Item = &Edge> {
        self.0.iter().flat_map(|file| &file.edges)
    }

    /// Names that are not of the workspace, or were not found.
    pub fn unresolved(&self) -> impl Iterator<Item = &Unresolved> {
        self.0.iter().flat_map(|file| &file.unresolved)
    }

    pub(super) fn edges_of(&self, file: InstanceId, source: NodeId) -> impl Iterator<Item = &Edge> {
        let all = self.0.get(file).map_or(&[][..], |file| file.edges.as_slice());
        let from = all.partition_point(|edge| edge.source < source);
        all.iter().skip(from).take_while(move |edge| edge.source == source)
    }

    pub(super) fn unresolved_of(
        &self,
        file: InstanceId,
        source: NodeId,
    ) -> impl Iterator<Item = &Unresolved> {
        let all = self.0.get(file).map_or(&[][..], |file| file.unresolved.as_slice());
        let from = all.partition_point(|one| one.source < source);
        all.iter().skip(from).take_while(move |one| one.source == source)
    }

    /// What files have that the other table does not share, and what files there have that this one does not.
    pub fn differences<'t>(&'t self, other: &'t Self) -> [OwnEdges<'t>; 2] {
        [(self, other), (other, self)].map(|(own, other)| {
            let mut found = OwnEdges::default();
            for file in own.0.not_in(&other.0) {
                found.edges.extend(&file.edges);
                found.unresolved.extend(&file.unresolved);
            }
            found.edges.sort_unstable();
            found.unresolved.sort_unstable();
            found
        })
    }
}

impl<'t> IntoIterator for &'t EdgeTable {
    type Item = &'t Edge;
    type IntoIter = Box<dyn Iterator<Item = &'t Edge> + 't>;
    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}
