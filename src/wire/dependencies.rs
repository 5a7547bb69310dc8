//! What manifests declare as dependencies, and what code names of them.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::envelope::Answer;

/// Which dependencies are listed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema, Args)]
#[serde(deny_unknown_fields, default)]
pub struct DependenciesRequest {
    /// Only this dependency: its key in the manifest, its package, or its name in code
    pub name: Option<String>,
    /// Only dependencies of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Only those that the manifest should not have, or should have elsewhere
    #[arg(long)]
    pub unused: bool,
    /// With `unused`: also those of which that is not certain, each with the reason
    #[arg(long)]
    pub guesses: bool,
    /// Most dependencies to list; all if null.
    #[arg(skip)]
    pub limit: Option<usize>,
}

/// The dependencies of the packages, by manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PackageDependencies {
    /// Number of dependencies whose finding is certain.
    pub certain: usize,
    /// Number of those with a finding that something may contradict; `guesses` lists them.
    pub uncertain: usize,
    /// Manifests that cannot be read or do not parse, each with the reason: what they declare is not
    /// known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<String>,
    #[serde(flatten)]
    pub answer: Answer<PackageDependency>,
}

/// An entry of a manifest: one dependency in one of its tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackageDependency {
    /// The package that depends on it; null for an entry of `[workspace.dependencies]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Manifest with the entry, relative to the root.
    pub manifest_path: String,
    /// Line of the entry, from 1.
    pub line: u32,
    /// Key of the entry.
    pub key: String,
    /// The package depended on.
    pub dependency: String,
    /// Its name in code; null if its sources are not there to tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The table that the entry is in.
    pub table: DependencyTable,
    /// The platform of the table: a `cfg(…)` or a target triple.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The required version, or the path or repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requirement: Option<String>,
    /// The version in the lock file; null if there is none, or several that it may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<String>,
    /// Whether a feature has to enable it.
    pub optional: bool,
    /// Whether its default features are asked for.
    pub default_features: bool,
    /// Features that are asked for.
    pub features: Vec<String>,
    /// Where the package's code names it, by kind of target, condition and item.
    pub uses: Vec<DependencyUse>,
    /// What is wrong with the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<DependencyFinding>,
    /// Whether nothing contradicts the finding; `false` without one.
    pub certain: bool,
    /// What may contradict the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<DependencyDoubt>,
    /// What the finding or the doubt is about: a feature, a macro, another key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// Places of one kind that name a dependency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DependencyUse {
    /// What is named, as a path from the dependency's name on.
    pub item: String,
    /// How it is named.
    pub how: DependencyMention,
    /// Kind of the target: lib, proc_macro, bin, example, test, bench, build_script; `detached` for
    /// a file of no target.
    pub target_kind: String,
    /// Whether it is test code.
    pub in_test: bool,
    /// Under which `cfg` the places are compiled; null for always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Number of places.
    pub places: usize,
    /// File of the first one.
    pub file_path: String,
    /// Its line, from 1.
    pub line: u32,
}

asof_model::named! {
    /// A table of dependencies.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum DependencyTable {
        /// `[dependencies]`.
        Normal => "normal",
        /// `[dev-dependencies]`.
        Dev => "dev",
        /// `[build-dependencies]`.
        Build => "build",
        /// `[workspace.dependencies]`.
        Workspace => "workspace",
    }
}

asof_model::named! {
    /// How code names a dependency.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum DependencyMention {
        /// A path in code.
        Path => "path",
        /// A `use`.
        Import => "import",
        /// A `pub use`.
        Reexport => "reexport",
        /// `extern crate`.
        ExternCrate => "extern_crate",
        /// An attribute, its arguments, or a path in its strings.
        Attribute => "attribute",
        /// Among the tokens of a macro call or of rules of a macro: the name may mean the crate.
        Tokens => "tokens",
        /// Code in documentation.
        DocTest => "doc_test",
    }
}

asof_model::named! {
    /// What is wrong with an entry of a manifest.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum DependencyFinding {
        /// No code that can use the entry names it.
        Unused => "unused",
        /// Only tests, examples, benches and documentation name it: it belongs in
        /// `[dev-dependencies]`.
        OnlyTests => "only_tests",
        /// Only the build script names it: it belongs in `[build-dependencies]`.
        OnlyBuildScript => "only_build_script",
        /// All places that name it need a feature, and it is not optional.
        OnlyFeature => "only_feature",
        /// Another entry asks for the same package.
        Duplicate => "duplicate",
    }
}

asof_model::named! {
    /// What may contradict a finding.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum DependencyDoubt {
        /// The manifest lists it as not to be reported.
        Ignored => "ignored",
        /// Its sources are not there: its name in code is not known.
        UnknownSources => "unknown_sources",
        /// It has no library: what it is for, code does not say.
        NoLibrary => "no_library",
        /// It links a native library or is for one, which other crates may need.
        Links => "links",
        /// A feature of the package names it.
        Feature => "feature",
        /// It asks for features that other crates of the build may rely on.
        FeatureUnification => "feature_unification",
        /// What a macro that is called makes may name it.
        Macro => "macro",
        /// Sources of a crate that may have a called macro are not there.
        UnknownMacro => "unknown_macro",
        /// Code includes files that are not known.
        IncludedCode => "included_code",
        /// Moving it would change what other packages or features of this one get.
        Placement => "placement",
    }
}

impl DependencyFinding {
    /// In words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::OnlyTests => "only tests use it",
            Self::OnlyBuildScript => "only the build script uses it",
            Self::OnlyFeature => "only used under a feature, and not optional",
            Self::Duplicate => "another entry asks for the same package",
        }
    }
}

impl DependencyDoubt {
    /// In words.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Ignored => "the manifest says to ignore it",
            Self::UnknownSources => "its sources are not there, so its name in code is not known",
            Self::NoLibrary => "it has no library",
            Self::Links => "it links a native library",
            Self::Feature => "a feature names it",
            Self::FeatureUnification => "others may rely on the features that it asks for",
            Self::Macro => "what a macro makes may name it",
            Self::UnknownMacro => "sources of a crate that may have a called macro are not there",
            Self::IncludedCode => "code includes files that are not known",
            Self::Placement => "its place has to be chosen by hand",
        }
    }
}
