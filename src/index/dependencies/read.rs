//! Reads the declarations of a dependency from its sources.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use index_vec::{IndexSlice, IndexVec};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::tree::{self, Tree};
use asof_model::{OrNever, Package, SourceFile, StoredTree, TargetKind, WorkspaceLayout};
use asof_resolve::{CrateId, Declarations, FileId, Input};
use asof_workspace::{Disk, LockedCrate, Walk, read_from};

/// Files of a crate's library beyond which it is not read.
const MAX_FILES: usize = 5_000;

/// Bytes of them.
const MAX_SOURCE: u64 = 16 << 20;

/// The crate of the library.
const FIRST: CrateId = CrateId::from_raw_unchecked(0);

/// How often what calls of macros make is followed to further calls, and to files of modules.
const MAX_ROUNDS: u32 = 5;

/// Longest file that is read, in bytes.
const MAX_FILE: u64 = 8 << 20;

/// What is known of a crate, with the bytes of its declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadCrate {
    pub about: About,
    pub declarations: Vec<u8>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct About {
    /// Names by which the crate's code calls others, with the packages of these.
    pub names: Vec<(String, String)>,
    /// Why nothing is declared.
    pub left_out: Option<String>,
}

impl ReadCrate {
    /// A crate of which nothing is read, with the reason.
    fn left_out(reason: impl Into<String>) -> Self {
        let about = About { names: Vec::new(), left_out: Some(reason.into()) };
        ReadCrate { about, declarations: Vec::new() }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes =
            serde_json::to_vec(&self.about).or_never("what is known of a crate has a JSON form");
        bytes.push(b'\n');
        bytes.extend(&self.declarations);
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let about = serde_json::from_slice(bytes.get(..end)?).ok()?;
        Some(ReadCrate { about, declarations: bytes.get(end + 1..)?.to_vec() })
    }
}

/// Reads a crate. What is wrong with it is the reason why it has no declarations.
pub(super) fn read(folder: &Path, krate: &LockedCrate) -> ReadCrate {
    try_read(folder, krate).unwrap_or_else(ReadCrate::left_out)
}

fn try_read(folder: &Path, krate: &LockedCrate) -> Result<ReadCrate, String> {
    let tree = Disk::open(folder).map_err(|error| error.to_string())?;
    let mut walk = asof_workspace::walk_tree(&tree).map_err(|error| error.to_string())?;
    let (layout, _) = asof_workspace::layout_of(&tree, &walk).map_err(|error| error.to_string())?;
    let is_it = |p: &&Package| (&p.name, &p.version) == (&krate.name, &krate.version);
    let package =
        layout.packages.iter().find(is_it).ok_or("no manifest of this name and version")?;
    let is_library = |kind: TargetKind| matches!(kind, TargetKind::Lib | TargetKind::ProcMacro);
    let target = package.targets.iter().find(|target| is_library(target.kind));
    let target = target.ok_or("it has no library")?.clone();
    walk.include(&tree, [target.root.as_str()]);
    let files = files_of(&walk, &target.root)?;
    let exports_macros = target.kind == TargetKind::ProcMacro;
    let package = Package { targets: vec![target], ..package.clone() };
    let names = package.dependencies.clone();
    let layout = WorkspaceLayout { packages: vec![package], ..layout };
    let (trees, built) = reach(&tree, &layout, &walk, &files, exports_macros);
    let files: IndexVec<FileId, (&str, &StoredTree)> =
        trees.iter().map(|(path, tree)| (*path, tree)).collect();
    let declarations = Declarations::compile(input_of(&layout, &built, &files));
    Ok(ReadCrate { about: About { names, left_out: None }, declarations })
}

/// Item trees of the files that the library reaches; the others are empty. Only the former are
/// read: most of a large crate may be for other systems.
fn reach<'w>(
    source: &Disk,
    layout: &WorkspaceLayout,
    walk: &Walk,
    files: &[&'w SourceFile],
    exports_macros: bool,
) -> (BTreeMap<&'w str, StoredTree>, Tree) {
    let empty = files.iter().map(|file| (file.path.as_str(), StoredTree::default()));
    let mut trees: BTreeMap<&str, StoredTree> = empty.collect();
    let mut read: BTreeSet<&str> = BTreeSet::new();
    let mut rounds = 0;
    loop {
        let all: BTreeMap<&str, &StoredTree> =
            trees.iter().map(|(path, tree)| (*path, tree)).collect();
        let mut built = tree::build(layout, &all, &walk.links);
        // Files that the library does not reach are crates of their own.
        let own = built.instances.iter().take_while(|instance| instance.krate == FIRST).count();
        built.instances.truncate(own);
        built.crates.truncate(1);
        let paths: IndexVec<FileId, &str> = all.keys().copied().collect();
        let reached = built.instances.iter().filter_map(|instance| paths.get(instance.file));
        let new: BTreeSet<&str> = reached.copied().filter(|path| !read.contains(path)).collect();
        if new.is_empty() {
            // Calls of macros declare items, and modules in files of their own.
            let files: IndexVec<FileId, (&str, &StoredTree)> =
                all.iter().map(|(path, tree)| (*path, *tree)).collect();
            let grown = if rounds < MAX_ROUNDS {
                Declarations::grown(input_of(layout, &built, &files))
            } else {
                BTreeMap::new()
            };
            if grown.is_empty() {
                return (trees, built);
            }
            rounds += 1;
            let grown = grown.into_iter().filter_map(|(at, tree)| Some((*paths.get(at)?, tree)));
            let grown: Vec<(&str, StoredTree)> = grown.collect();
            trees.extend(grown);
            continue;
        }
        let parsed: Vec<(&str, StoredTree)> = new
            .par_iter()
            .filter_map(|path| {
                let bytes = read_from(source, path, MAX_FILE).ok()?;
                let tree = asof_syntax::parse_declarations(path, &bytes);
                Some((*path, Declarations::prune(tree, exports_macros).into()))
            })
            .collect();
        trees.extend(parsed);
        read.extend(new);
    }
}

fn input_of<'i>(
    layout: &'i WorkspaceLayout,
    built: &'i Tree,
    files: &'i IndexSlice<FileId, [(&'i str, &'i StoredTree)]>,
) -> Input<'i> {
    Input {
        packages: IndexSlice::new(&layout.packages),
        crates: &built.crates,
        files,
        instances: &built.instances,
        repeats: &built.repeats,
    }
}

/// Files in the folder of the library's root.
fn files_of<'w>(walk: &'w Walk, root: &str) -> Result<Vec<&'w SourceFile>, String> {
    let folder = root.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let files: Vec<&SourceFile> =
        walk.files.iter().filter(|file| file.path.starts_with(&folder)).collect();
    let bytes: u64 = files.iter().map(|file| file.size).sum();
    if files.len() > MAX_FILES || bytes > MAX_SOURCE {
        return Err(format!("too large: {} files with {bytes} bytes", files.len()));
    }
    Ok(files)
}
