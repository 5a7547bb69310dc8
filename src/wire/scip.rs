//! Imported indexes in the form of SCIP, and where they disagree with our references.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::{Answer, Basis};
use super::resolve::{ItemRef, Symbol};
use asof_model::{NodeId, RefKind};

/// Report of an import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportReport {
    /// The program that made the index.
    pub tool: String,
    /// Its version, as it says it.
    pub version: String,
    /// The snapshot whose texts the index was compared with.
    pub basis: Basis,
    /// Files that were imported.
    pub files: usize,
    /// Of these, how many were imported before with the same text, and are replaced.
    pub replaced: usize,
    /// Names of these files, definitions and names of dependencies included.
    pub names: usize,
    /// Uses of items of the workspace among them.
    pub uses: usize,
    /// Uses whose symbol several items share, so that it is not known which one is used.
    pub ambiguous: usize,
    /// Names that the text does not have where the index says, or that cannot be placed because the
    /// index does not say how it counts characters. They are left out.
    pub left_out: usize,
    /// Files of the index that were not imported.
    pub skipped: Vec<SkippedFile>,
    /// Wall time, in milliseconds.
    pub ms: f64,
}

/// A file of an index that says nothing about the snapshot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct SkippedFile {
    /// As the index names it.
    pub file_path: String,
    /// Why it was left out.
    pub reason: SkipReason,
}

/// Why a file of an index is left out.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Its path is absolute or leads out of the root.
    OutsideRoot,
    /// The snapshot has no such Rust file.
    NotIndexed,
    /// The index is of another text: its names are not where it says.
    OtherText,
    /// It was imported for another text than the snapshot's.
    Stale,
}

/// The files that indexes were imported for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedFile {
    /// Path of the file.
    pub file_path: String,
    /// The program that made the index.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// When it was imported, RFC 3339.
    pub imported: String,
    /// Hash of the text that the index says something of.
    pub raw_hash: String,
    /// Whether the file has another text in the snapshot, or is gone.
    pub stale: bool,
}

/// A place where an imported index says that an item is used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedUse {
    /// File of the place, relative to the root.
    pub file_path: String,
    /// Line of the place, from 1.
    pub line: u32,
    /// Column of the place, from 1, in bytes.
    pub column: u32,
    /// Offset of the place in the file, in bytes.
    pub byte: u32,
    /// Who says so: `scip`.
    pub provenance: String,
    /// The program that made the index.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// How our own reference uses the item at this place; null if we have none.
    pub use_kind: Option<RefKind>,
    /// The rule of our own reference; null if we have none.
    pub our_rule: Option<String>,
    /// The item around the place.
    pub item: Option<ItemRef>,
    /// Id of the item that is used.
    pub target: NodeId,
}

/// The uses of an item that imported indexes know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImportedUses {
    /// The first of `symbols`.
    pub symbol: Symbol,
    /// The symbols that the path means.
    pub symbols: Vec<Symbol>,
    #[serde(flatten)]
    pub answer: Answer<ImportedUse>,
    /// Places that only an imported index knows.
    pub unknown_to_us: usize,
    /// Files with uses in an imported index of another text: they are not listed.
    pub stale_imports: Vec<String>,
}

asof_model::named! {
    /// How two sets of references differ at a place.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum EdgeClass {
        /// Only we say that an item of the workspace is used.
        OnlyOurs => "only_ours",
        /// Only the index says so.
        OnlyTheirs => "only_theirs",
        /// Both say what the name means, and not the same.
        OtherTarget => "other_target",
        /// We name the item of the index, and others besides.
        FurtherTarget => "further_target",
        /// Agreed, but the index cannot tell the item from others: a known fault of such indexes.
        SharedSymbol => "shared_symbol",
        /// We name the item of the index, and others of the same path under another `cfg`.
        CfgDuplicate => "cfg_duplicate",
        /// The index has no definition of a symbol of this workspace.
        UndefinedSymbol => "undefined_symbol",
        /// The symbol is defined in a file that the index knows in another text.
        StaleTarget => "stale_target",
    }
}

impl EdgeClass {
    /// Those in which one side is wrong. What an index cannot say is no disagreement.
    pub const DISAGREEMENTS: &'static [EdgeClass] =
        &[Self::OnlyOurs, Self::OnlyTheirs, Self::OtherTarget, Self::FurtherTarget];
}

asof_model::named! {
    /// More exactly, how they differ.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum EdgeReason {
        /// The index has this file, and no name there: rust-analyzer is silent in bodies of macros and
        /// under a `cfg` that is off.
        NoName => "no_name",
        /// The index does not have this file.
        NoFile => "no_file",
        /// We have nothing there.
        Nothing => "nothing",
        /// We have an unresolved name there.
        Unresolved => "unresolved",
        /// An item of the workspace on both sides.
        AnotherItem => "another_item",
        /// We say that it is a name of another crate.
        OursOutside => "ours_outside",
        /// The index says so.
        TheirsOutside => "theirs_outside",
        /// The index says that it is a local variable.
        TheirsLocal => "theirs_local",
        /// Several items of ours.
        Several => "several",
        /// The crates of one package share a symbol.
        CrateRoot => "crate_root",
        /// Items of one macro call share a range.
        MacroCall => "macro_call",
        /// Several items share a symbol: those in function bodies, and in tests or examples of one name.
        SameSymbol => "same_symbol",
        /// Nothing more is known.
        None => "",
    }
}

/// A comparison with an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EdgeDiffRequest {
    /// Classes to list; if empty, those in which one side is wrong.
    pub classes: Vec<EdgeClass>,
    /// Only our references of at least this confidence, from 0 to 1.
    pub min_confidence: f64,
    /// Only this file, or files below this folder.
    pub path: Option<String>,
    /// Maximum number of items; all if null.
    pub limit: Option<usize>,
}

impl Default for EdgeDiffRequest {
    fn default() -> Self {
        Self { classes: Vec::new(), min_confidence: 0.5, path: None, limit: None }
    }
}

impl EdgeDiffRequest {
    /// The classes that are listed.
    pub fn listed(&self) -> &[EdgeClass] {
        if self.classes.is_empty() { EdgeClass::DISAGREEMENTS } else { &self.classes }
    }
}

/// A reference of ours at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OurEdge {
    /// Path of what is used; an unresolved name as written.
    pub path: String,
    /// Kind of the item; `external` or `unknown` if it is none of the workspace.
    pub kind: String,
    /// How it is used.
    pub use_kind: RefKind,
    /// The rule that found it.
    pub provenance: String,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
}

/// What an index says of a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TheirEdge {
    /// The symbol, as the index writes it.
    pub symbol: String,
    /// Paths of the items that are defined where the index says; empty if there is none.
    pub paths: Vec<String>,
}

/// A place where our references and an index differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EdgeDifference {
    /// File of the place, relative to the root.
    pub file_path: String,
    /// Line of the place, from 1.
    pub line: u32,
    /// Column of the place, from 1, in bytes.
    pub column: u32,
    /// What the text has there; empty for an operator.
    pub name: String,
    /// How the sides differ.
    pub class: EdgeClass,
    /// Why, as far as it is known.
    pub reason: EdgeReason,
    /// What we say.
    pub ours: Vec<OurEdge>,
    /// What the index says.
    pub theirs: Vec<TheirEdge>,
}

/// Number of places of a class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EdgeCount {
    /// How they differ.
    pub class: EdgeClass,
    /// Why, as far as it is known.
    pub reason: EdgeReason,
    /// Places.
    pub places: usize,
}

/// Where our references and an index differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EdgeDiff {
    /// The program that made the index.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Files that both sides have in the same text.
    pub files: usize,
    /// Places where both name the same item of the workspace, those of shared symbols included.
    pub agreed: usize,
    /// Places by class, whether listed or not.
    pub counts: Vec<EdgeCount>,
    /// Names that are left out because the text does not have them where the index says.
    pub left_out: usize,
    /// Files of the index that are not compared.
    pub skipped: Vec<SkippedFile>,
    #[serde(flatten)]
    pub answer: Answer<EdgeDifference>,
}
