//! Dependencies whose declarations names are resolved with: chosen by the lock file, read from where
//! Cargo keeps their sources, kept in a cache.
//!
//! Only what is named is read: crates that a package of the workspace depends on, and those that
//! their declarations name. A name that means different crates in different packages is left alone.

pub mod cache;
mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use self::read::{About, ReadCrate};
use super::error::IndexError;
use super::threads::pool;
use asof_model::{HashMap, Micros, RawHash, WorkspaceLayout};
use asof_resolve::{Declarations, Dependencies, Dependency, library_version};
use asof_store::{Batch, StoreError, Value};
use asof_workspace::{LockedCrate, SourceFolders, SourceTree, locked_crates};

/// Raised when the same sources are read differently.
const FORMAT: &str = "asof-crate-11";

/// The lock file.
const LOCK: &str = "Cargo.lock";

/// Longest lock file that is read, in bytes.
const MAX_LOCK: u64 = 16 << 20;

/// Crates that are read.
const MAX_CRATES: usize = 500;

/// Where declarations of dependencies come from. States that are compared have to share them: which
/// crates can be read is no difference between two states of a workspace.
#[derive(Debug, Clone, Default)]
pub struct DependencySources {
    folders: SourceFolders,
    /// For a tree without a lock file, as that of a commit is if Git ignores the file.
    lock: Option<Arc<[u8]>>,
}

impl DependencySources {
    /// Those of a tree by itself.
    pub(super) fn from_tree(tree: &dyn SourceTree) -> Self {
        Self::below(&tree.place())
    }

    /// The folders that Cargo would use below a root; for trees of its past.
    pub fn below(root: &Path) -> Self {
        DependencySources { folders: SourceFolders::find(root), lock: None }
    }

    /// What trees of one workspace share. A lock file of the last tree that has one stands in where
    /// another has none.
    pub fn shared(root: &Path, trees: &[&dyn SourceTree]) -> Self {
        let lock = trees.iter().rev().find_map(|tree| tree.bytes(LOCK, MAX_LOCK).ok());
        DependencySources { lock: lock.map(Arc::from), ..Self::below(root) }
    }

    pub(super) fn folders(&self) -> &SourceFolders {
        &self.folders
    }

    /// The bytes of a tree's lock file, or of the one that stands in for it.
    fn lock(&self, tree: &dyn SourceTree) -> Option<Vec<u8>> {
        let own = tree.bytes(LOCK, MAX_LOCK).ok();
        own.or_else(|| self.lock.as_ref().map(|lock| lock.to_vec()))
    }
}

/// The dependencies of a state, as stored: [`load`] makes the same of them again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct UsedCrates {
    /// Hash of what they were chosen by.
    basis: String,
    pub crates: Vec<UsedCrate>,
    /// Numbers of crates by the names that the workspace has for them.
    pub names: BTreeMap<String, usize>,
    /// Crates whose sources were looked for, and are not there.
    pub missing: BTreeSet<LockedCrate>,
}

/// A crate that is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct UsedCrate {
    pub locked: LockedCrate,
    /// Numbers of crates by the names that its code has for them; none for those not known.
    names: BTreeMap<String, Option<usize>>,
    /// Why it declares nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<String>,
}

/// A crate that was read.
#[derive(Debug)]
struct KnownCrate {
    about: Arc<About>,
    declarations: Arc<Declarations>,
}

/// A crate that is in memory while a state uses it.
type KeptCrate = (Arc<About>, Weak<Declarations>);

/// Crates in memory, by key: while a state uses a crate, its process reads it once.
static READ: Mutex<BTreeMap<String, KeptCrate>> = Mutex::new(BTreeMap::new());

/// The dependencies of a tree. `old`: those of the last state, which are returned if nothing that
/// they depend on changed.
pub(super) fn choose(
    tree: &dyn SourceTree,
    layout: &WorkspaceLayout,
    sources: &DependencySources,
    old: Option<&UsedCrates>,
    threads: Option<usize>,
) -> Result<UsedCrates, IndexError> {
    let Some(lock) = sources.lock(tree) else { return Ok(UsedCrates::default()) };
    let folders = &sources.folders;
    let basis = basis(&lock, layout);
    if let Some(old) = old.filter(|old| old.basis == basis && old.is_current(folders)) {
        return Ok(old.clone());
    }
    let locked = String::from_utf8(lock).ok().and_then(|lock| locked_crates(&lock).ok());
    let locked = locked.unwrap_or_default();
    // Its threads can parse anything.
    Ok(pool(threads)?.install(|| Chooser::new(&locked, folders).choose(layout, basis)))
}

/// The crates outside of a workspace whose sources are known, read or from the cache.
///
/// # Errors
/// If sources went away meanwhile, or no thread can be had.
pub fn dependencies_of(
    tree: &dyn SourceTree,
    layout: &WorkspaceLayout,
) -> Result<Dependencies, IndexError> {
    let sources = DependencySources::from_tree(tree);
    choose(tree, layout, &sources, None, None)?.load(&sources.folders, None)
}

/// Whether the dependencies of a tree are those that were chosen.
pub(super) fn are_current(
    tree: &dyn SourceTree,
    layout: &WorkspaceLayout,
    sources: &DependencySources,
    old: &UsedCrates,
) -> bool {
    match sources.lock(tree) {
        Some(lock) => old.basis == basis(&lock, layout) && old.is_current(&sources.folders),
        None => *old == UsedCrates::default(),
    }
}

/// Hash of what dependencies are chosen by.
fn basis(lock: &[u8], layout: &WorkspaceLayout) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    add(FORMAT.as_bytes());
    add(library_version().as_bytes());
    add(lock);
    for package in &layout.packages {
        add(package.name.as_bytes());
        add(package.version.as_bytes());
        for (name, package) in &package.dependencies {
            add(name.as_bytes());
            add(package.as_bytes());
        }
    }
    hasher.finalize().to_hex().to_string()
}

impl UsedCrates {
    /// What names depend on: another lock file, or another version of a crate whose sources are
    /// missing, changes none.
    pub fn meaning(&self) -> impl PartialEq + Serialize {
        (&self.crates, &self.names)
    }

    /// Whether sources are there, or missing, as they were.
    fn is_current(&self, folders: &SourceFolders) -> bool {
        self.crates.iter().all(|one| is_known(&one.locked, folders))
            && self.missing.iter().all(|one| !is_known(one, folders))
    }

    /// Reads the declarations.
    ///
    /// # Errors
    /// If sources went away since they were chosen.
    pub fn load(
        &self,
        folders: &SourceFolders,
        threads: Option<usize>,
    ) -> Result<Dependencies, IndexError> {
        let read = || self.crates.par_iter().map(|one| known(&one.locked, folders)).collect();
        let known: Vec<Option<KnownCrate>> = match self.crates.as_slice() {
            [] => Vec::new(),
            _ => pool(threads)?.install(read),
        };
        let mut crates = Vec::new();
        for (one, known) in self.crates.iter().zip(known) {
            let gone = || IndexError::Dependency {
                name: one.locked.name.clone(),
                version: one.locked.version.clone(),
            };
            let known = known.ok_or_else(gone)?;
            crates.push(Dependency::new(known.declarations, one.names.clone()));
        }
        Ok(Dependencies::new(crates, self.names.clone()))
    }
}

/// Rows of `dependency`: key and values.
type DependencyRows = BTreeMap<[String; 3], (bool, Vec<String>, Option<String>)>;

impl UsedCrates {
    fn rows(&self) -> DependencyRows {
        let key = |locked: &LockedCrate| {
            [&locked.name, &locked.version, locked.source.as_ref().unwrap_or(&locked.name)]
                .map(String::clone)
        };
        let missing = self.missing.iter().map(|locked| (key(locked), (false, Vec::new(), None)));
        let mut rows: DependencyRows = missing.collect();
        for (number, one) in self.crates.iter().enumerate() {
            let called = self.names.iter().filter(|(_, of)| **of == number);
            let called = called.map(|(name, _)| name.clone()).collect();
            let is_known = one.left_out.is_none();
            rows.insert(key(&one.locked), (is_known, called, one.left_out.clone()));
        }
        rows
    }

    /// Writes the differences from those of the last state.
    ///
    /// # Errors
    /// If the rows do not fit their relation.
    pub fn write(&self, old: &UsedCrates, at: Micros, batch: &mut Batch) -> Result<(), StoreError> {
        let (new, old) = (self.rows(), old.rows());
        let values = |(is_known, called, left_out): &(bool, Vec<String>, Option<String>)| {
            let called = Value::list(called.iter().map(String::as_str));
            [(*is_known).into(), called, left_out.as_deref().into()]
        };
        let keys = |key: &[String; 3]| key.each_ref().map(|part| Value::from(part.as_str()));
        for (key, row) in new.iter().filter(|(key, row)| old.get(*key) != Some(row)) {
            batch.assert("dependency", at, keys(key), values(row))?;
        }
        for (key, row) in old.iter().filter(|(key, _)| !new.contains_key(*key)) {
            batch.retract("dependency", at, keys(key), values(row))?;
        }
        Ok(())
    }
}

/// What identifies the declarations of a crate.
fn key(krate: &LockedCrate) -> String {
    let LockedCrate { name, version, source, checksum, .. } = krate;
    let parts = [
        FORMAT,
        library_version(),
        name,
        version,
        source.as_deref().unwrap_or_default(),
        checksum.as_deref().unwrap_or_default(),
    ];
    RawHash::hash(parts.join("\n").as_bytes()).to_string()
}

fn is_known(krate: &LockedCrate, folders: &SourceFolders) -> bool {
    cache::has(&key(krate)) || folders.folder_of(krate).is_some()
}

/// The declarations of a crate: from memory, from the cache, or from its sources.
fn known(krate: &LockedCrate, folders: &SourceFolders) -> Option<KnownCrate> {
    let key = key(krate);
    let all = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((about, declarations)) = all().get(&key)
        && let Some(declarations) = declarations.upgrade()
    {
        return Some(KnownCrate { about: Arc::clone(about), declarations });
    }
    let cached = cache::read(&key).and_then(|bytes| known_of(ReadCrate::from_bytes(&bytes)?));
    let known = match cached {
        Some(known) => known,
        None => {
            let read = read::read(&folders.folder_of(krate)?, krate);
            cache::write(&key, &read.to_bytes());
            known_of(read)?
        }
    };
    let kept = (Arc::clone(&known.about), Arc::downgrade(&known.declarations));
    all().insert(key, kept);
    Some(known)
}

fn known_of(read: ReadCrate) -> Option<KnownCrate> {
    let declarations = match read.about.left_out {
        None => Declarations::read(&read.declarations)?,
        Some(_) => Declarations::default(),
    };
    Some(KnownCrate { about: Arc::new(read.about), declarations: Arc::new(declarations) })
}

/// Crates of a lock file, and those of them that are used so far.
struct Chooser<'l> {
    locked: &'l [LockedCrate],
    folders: &'l SourceFolders,
    by_name: HashMap<&'l str, Vec<usize>>,
    /// By index in `locked`: the number of a used crate, or none if its sources are missing.
    numbers: HashMap<usize, Option<usize>>,
    used: Vec<(usize, KnownCrate)>,
}

impl<'l> Chooser<'l> {
    fn new(locked: &'l [LockedCrate], folders: &'l SourceFolders) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::default();
        for (at, krate) in locked.iter().enumerate() {
            by_name.entry(&krate.name).or_default().push(at);
        }
        Chooser { locked, folders, by_name, numbers: HashMap::default(), used: Vec::new() }
    }

    fn choose(mut self, layout: &WorkspaceLayout, basis: String) -> UsedCrates {
        let mut named: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for package in &layout.packages {
            let own = self.own(&package.name, &package.version);
            for (name, of) in &package.dependencies {
                if let Some(at) = self.dependency(own, of) {
                    named.entry(name.replace('-', "_")).or_default().insert(at);
                }
            }
        }
        // A name that means several crates is none that can be followed.
        let named = named.into_iter().filter(|(_, crates)| crates.len() == 1);
        let named: BTreeMap<String, usize> =
            named.filter_map(|(name, crates)| Some((name, crates.into_iter().next()?))).collect();
        let mut open: BTreeSet<usize> = named.values().copied().collect();
        while !open.is_empty() && self.used.len() < MAX_CRATES {
            open = self.read(&open);
        }
        let number = |at: &usize| self.numbers.get(at).copied().flatten();
        let names = named.iter().filter_map(|(name, at)| Some((name.clone(), number(at)?)));
        let names = names.collect();
        let crates = self.used.iter().map(|(at, known)| {
            let names = self.names_of(*at, known).into_iter();
            let names = names.map(|(name, at)| (name, at.as_ref().and_then(number))).collect();
            let left_out = known.about.left_out.clone();
            Some(UsedCrate { locked: self.locked.get(*at)?.plain(), names, left_out })
        });
        let crates: Vec<UsedCrate> = crates.flatten().collect();
        let missing = self.numbers.iter().filter(|(_, number)| number.is_none());
        let missing = missing.filter_map(|(at, _)| Some(self.locked.get(*at)?.plain())).collect();
        cache::trim_what_was_written();
        UsedCrates { basis, crates, names, missing }
    }

    /// Reads crates; returns those that they lead to.
    fn read(&mut self, open: &BTreeSet<usize>) -> BTreeSet<usize> {
        let open: Vec<usize> = open.iter().copied().take(MAX_CRATES).collect();
        let read: Vec<_> = open
            .par_iter()
            .map(|at| self.locked.get(*at).and_then(|one| known(one, self.folders)))
            .collect();
        let mut next = BTreeSet::new();
        for (at, known) in open.into_iter().zip(read) {
            let Some(known) = known else {
                self.numbers.insert(at, None);
                continue;
            };
            self.numbers.insert(at, Some(self.used.len()));
            let led_to = known.declarations.crates();
            for (name, at) in self.names_of(at, &known) {
                next.extend(at.filter(|_| led_to.contains(name.as_str())));
            }
            self.used.push((at, known));
        }
        next.retain(|at| !self.numbers.contains_key(at));
        next
    }

    /// Crates by the names that the code of a crate has for them.
    fn names_of(&self, at: usize, known: &KnownCrate) -> BTreeMap<String, Option<usize>> {
        let names = known.about.names.iter();
        let of = |package: &String| self.dependency(Some(at), package);
        names.map(|(name, package)| (name.replace('-', "_"), of(package))).collect()
    }

    /// The entry of a package of the workspace.
    fn own(&self, name: &str, version: &str) -> Option<usize> {
        let all = self.by_name.get(name)?;
        let is_own = |at: &&usize| {
            self.locked.get(**at).is_some_and(|k| k.source.is_none() && k.version == version)
        };
        all.iter().find(is_own).copied()
    }

    /// What a crate of the lock file depends on under the name of a package.
    fn dependency(&self, of: Option<usize>, package: &str) -> Option<usize> {
        let all = self.by_name.get(package)?;
        let fits = |at: &usize, version: Option<&str>| {
            self.locked.get(*at).is_some_and(|k| {
                k.source.is_some() && version.is_none_or(|version| k.version == version)
            })
        };
        let listed = of.and_then(|of| self.locked.get(of)).into_iter();
        // `name`, `name version` or `name version (source)`: as much as tells them apart.
        let mut listed = listed.flat_map(|k| &k.dependencies).filter_map(|text| {
            let mut words = text.split(' ');
            (words.next() == Some(package)).then(|| words.next())
        });
        let version = listed.next().flatten();
        if listed.next().is_some() {
            return None;
        }
        let mut fitting = all.iter().filter(|at| fits(at, version));
        let only = *fitting.next()?;
        fitting.next().is_none().then_some(only)
    }
}
