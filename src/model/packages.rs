//! Packages, targets and source files of a workspace, as Cargo sees them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::hash::RawHash;

/// What was indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceKind {
    /// A manifest with a `[workspace]` table.
    Workspace,
    /// One package.
    Crate,
    /// A folder of `.rs` files without a manifest.
    Folder,
}

/// Packages, targets and Rust files below a root. Every path is relative to the root,
/// with `/` between its parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkspaceLayout {
    pub kind: WorkspaceKind,
    /// Name of the project: of the root package, else of the folder.
    pub name: String,
    /// Sorted by manifest path.
    pub packages: Vec<Package>,
    /// Every manifest that was read, with its hash: when one changes, targets may.
    pub manifests: BTreeMap<String, RawHash>,
}

/// One package of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Package {
    /// `Cargo.toml` relative to the root; empty for a plain folder.
    pub manifest_path: String,
    pub name: String,
    pub version: String,
    pub edition: String,
    /// Names of dependencies as code sees them, mapped to the package's own name:
    /// `rename = "package"`. Sorted.
    pub dependencies: Vec<(String, String)>,
    /// Sorted by kind, then name.
    pub targets: Vec<Target>,
    pub features: Features,
}

/// The features of a package, as its manifest has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Features {
    /// Each with what it enables (`x`, `dep:x`, `x/y`, `x?/y`); those of optional dependencies are
    /// among them.
    pub declared: BTreeMap<String, Vec<String>>,
    /// Dependencies on packages of the workspace.
    pub members: Vec<MemberDependency>,
}

/// A dependency on another package of the workspace, in one entry of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemberDependency {
    /// The key of the entry, by which features name it.
    pub key: String,
    pub manifest_path: String,
    pub optional: bool,
    pub default_features: bool,
    pub features: Vec<String>,
}

impl Package {
    /// What identifies the crates of the package for those who name them.
    pub fn crates(&self) -> (&str, &str, &str, &[Target]) {
        (&self.manifest_path, &self.name, &self.edition, &self.targets)
    }
}

/// One target of a package: a crate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Target {
    pub kind: TargetKind,
    /// Name in the manifest, or that Cargo derives from the file.
    pub name: String,
    /// Name of the crate in paths: the name with `-` turned to `_`;
    /// `build_script_build` for a build script.
    pub crate_name: String,
    /// Root file relative to the workspace.
    pub root: String,
    pub edition: String,
}

crate::named! {
    /// Kind of a Cargo target.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TargetKind {
        Lib => "lib",
        ProcMacro => "proc_macro",
        Bin => "bin",
        Example => "example",
        Test => "test",
        Bench => "bench",
        BuildScript => "build_script",
        /// A file that no target reaches, or any file of a plain folder: a crate of its own.
        Detached => "detached",
    }
}

impl TargetKind {
    /// Whether other crates can name it.
    pub const fn is_library(self) -> bool {
        matches!(self, Self::Lib | Self::ProcMacro)
    }

    /// Whether all of its code is test code. Examples and benchmarks are code that people read and
    /// run.
    pub const fn is_test(self) -> bool {
        matches!(self, Self::Test)
    }
}

/// A Rust file on disk.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceFile {
    /// Relative to the root, `/` between its parts.
    pub path: String,
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change, nanoseconds since 1970; 0 where the system has none.
    pub modified_ns: i64,
    /// Time of the last change of the file or of its inode (ctime), nanoseconds since 1970: no
    /// program can set it. 0 where the system has none.
    pub changed_ns: i64,
    /// Inode of the file; 0 where the system has none.
    pub inode: u64,
}

impl SourceFile {
    /// A file of which only size and time are known.
    pub fn new(path: impl Into<String>, size: u64, modified_ns: i64) -> Self {
        Self { path: path.into(), size, modified_ns, changed_ns: 0, inode: 0 }
    }
}
