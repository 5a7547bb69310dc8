//! The crates that a package can come upon: those of the lock file, with their sources.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use asof_dependencies::{Definition, MacroSource, has_word};
use asof_model::{Package, TargetKind};
use asof_workspace::{
    Disk, LockedCrate, SourceFolders, SourceTree, declared_dependencies, discover, walk_tree,
};

/// Longest source of a crate that is read, in bytes.
const MAX_TEXT: u64 = 4 << 20;

/// Crates by which macros make tokens.
const MAKERS: [&str; 3] = ["proc-macro2", "quote", "syn"];

/// The crates of a lock file.
pub(super) struct Crates {
    root: PathBuf,
    locked: Vec<LockedCrate>,
    folders: SourceFolders,
    /// Folders of the packages of the workspace, by name.
    members: BTreeMap<String, String>,
    known: RefCell<BTreeMap<usize, Option<Rc<About>>>>,
    read: RefCell<BTreeMap<usize, Option<Rc<CrateSource>>>>,
}

/// What the manifest of a crate says.
#[derive(Debug)]
pub(super) struct About {
    folder: PathBuf,
    /// Folder of its manifest below that, with a `/`; or empty.
    below: String,
    /// Name of its library in code.
    pub library: Option<String>,
    /// Whether it links a native library or is for one.
    pub links: bool,
    is_proc_macro: bool,
    /// Whether macros may make tokens with it.
    makes_tokens: bool,
}

/// The macros of a crate, and what they are made of.
#[derive(Debug, Default)]
pub(super) struct CrateSource {
    is_proc_macro: bool,
    rules: BTreeMap<String, Vec<MacroSource>>,
    procedural: BTreeSet<String>,
    helpers: BTreeSet<String>,
    /// Old names of imports by new ones.
    renamed: BTreeMap<String, BTreeSet<String>>,
    reads_files: bool,
    defines_any: bool,
    /// All of its text, if macros may be made of it.
    text: String,
}

/// The macros that code of a package may call, and what is not known of them.
#[derive(Debug, Default)]
pub(super) struct CalledMacros {
    /// Rules by the name of the macro.
    rules: Vec<(String, MacroSource)>,
    /// Texts that a procedural macro is made of, by its name.
    procedural: Vec<(String, Vec<Rc<CrateSource>>)>,
    /// A crate whose sources are not there, although it may define a macro that is called.
    missing: Option<String>,
}

/// What a macro that is called may do with the name of a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MayName {
    /// By its own tokens.
    Macro(String),
    /// By code that it includes.
    Included(String),
    /// It is of a crate like this one, whose sources are not there.
    Missing(String),
}

impl Crates {
    pub fn new(root: &Path, locked: Vec<LockedCrate>, members: BTreeMap<String, String>) -> Self {
        let folders = SourceFolders::find(root);
        let (known, read) = (RefCell::default(), RefCell::default());
        Self { root: root.to_owned(), locked, folders, members, known, read }
    }

    /// The crate that a package of the workspace gets for the name of a package.
    pub fn dependency(&self, package: &str, wanted: &str) -> Option<usize> {
        let own = self.locked.iter().find(|one| self.is_member(one) && one.name == package)?;
        let mut found = self
            .dependencies(own)
            .filter(|at| self.locked.get(*at).is_some_and(|one| one.name == wanted));
        let first = found.next();
        if found.next().is_none() { first } else { None }
    }

    pub fn version(&self, at: usize) -> Option<&str> {
        self.locked.get(at).map(|one| one.version.as_str())
    }

    /// Whether a crate that is not of the workspace depends on this one.
    pub fn is_shared(&self, at: usize) -> bool {
        let others = self.locked.iter().filter(|one| !self.is_member(one));
        others.into_iter().any(|one| self.dependencies(one).any(|other| other == at))
    }

    fn is_member(&self, one: &LockedCrate) -> bool {
        one.source.is_none() && self.members.contains_key(&one.name)
    }

    /// Numbers of the crates that a crate depends on.
    fn dependencies<'a>(&'a self, one: &'a LockedCrate) -> impl Iterator<Item = usize> + 'a {
        one.dependencies.iter().filter_map(|written| {
            let mut parts = written.split(' ');
            let (name, version) = (parts.next()?, parts.next());
            let first = self.locked.partition_point(|other| other.name.as_str() < name);
            let same = self.locked.iter().enumerate().skip(first);
            let mut same = same.take_while(|(_, other)| other.name == name);
            let is_it =
                |other: &LockedCrate| version.is_none_or(|version| other.version == version);
            same.find(|(_, other)| is_it(other)).map(|(at, _)| at)
        })
    }

    /// All crates that some lead to, these included.
    fn closure(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut waiting: Vec<usize> = from.into_iter().collect();
        let mut found = BTreeSet::new();
        while let Some(at) = waiting.pop() {
            if found.insert(at)
                && let Some(one) = self.locked.get(at)
            {
                waiting.extend(self.dependencies(one));
            }
        }
        found
    }

    /// What the manifest of a crate says; none if its sources are not there.
    pub fn about(&self, at: usize) -> Option<Rc<About>> {
        if let Some(known) = self.known.borrow().get(&at) {
            return known.clone();
        }
        let about = self.locked.get(at).and_then(|one| self.read_manifest(one)).map(Rc::new);
        self.known.borrow_mut().insert(at, about.clone());
        about
    }

    fn read_manifest(&self, one: &LockedCrate) -> Option<About> {
        let is_member = self.is_member(one);
        let folder = if is_member {
            self.root.join(self.members.get(&one.name)?)
        } else {
            self.folders.folder_of(one)?
        };
        let (layout, _) = discover(&folder).ok()?;
        // The version of a member may be inherited from the workspace.
        let is_it = |package: &&Package| {
            package.name == one.name && (is_member || package.version == one.version)
        };
        let package = layout.packages.iter().find(is_it)?;
        let manifests = BTreeSet::from([package.manifest_path.clone()]);
        let (declared, _) = declared_dependencies(&Disk::open(&folder).ok()?, &manifests);
        let is_library = |kind: TargetKind| matches!(kind, TargetKind::Lib | TargetKind::ProcMacro);
        let library = package.targets.iter().find(|target| is_library(target.kind));
        let is_proc_macro = library.is_some_and(|one| one.kind == TargetKind::ProcMacro);
        let dependencies = self.dependencies(one).filter_map(|at| self.locked.get(at));
        let mut dependencies = dependencies.map(|other| other.name.as_str());
        Some(About {
            below: package.manifest_path.strip_suffix("Cargo.toml").unwrap_or_default().to_owned(),
            library: library.map(|library| library.crate_name.clone()),
            links: declared.iter().any(|one| one.links) || one.name.ends_with("-sys"),
            is_proc_macro,
            makes_tokens: is_proc_macro || dependencies.any(|name| MAKERS.contains(&name)),
            folder,
        })
    }

    /// The macros of a crate; none if its sources are not there.
    fn source(&self, at: usize) -> Option<Rc<CrateSource>> {
        if let Some(known) = self.read.borrow().get(&at) {
            return known.clone();
        }
        let read = self.about(at).and_then(|about| read_source(&about)).map(Rc::new);
        self.read.borrow_mut().insert(at, read.clone());
        read
    }

    /// The macros that code which calls these names may mean, in the crates that a package leads to.
    pub fn called(&self, package: &str, names: &BTreeSet<String>) -> CalledMacros {
        let own = self.locked.iter().find(|one| self.is_member(one) && one.name == package);
        let below = own.map(|own| self.closure(self.dependencies(own))).unwrap_or_default();
        let known: Vec<(usize, Option<Rc<CrateSource>>)> =
            below.iter().map(|at| (*at, self.source(*at))).collect();
        let mut called = CalledMacros::default();
        let mut waiting: Vec<String> = names.iter().cloned().collect();
        let mut seen = BTreeSet::new();
        let mut is_unknown = own.is_none();
        while let Some(name) = waiting.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let mut is_found = false;
            for (at, source) in &known {
                let Some(source) = source else { continue };
                waiting.extend(source.renamed.get(&name).into_iter().flatten().cloned());
                is_found |= source.helpers.contains(&name);
                for rules in source.rules.get(&name).into_iter().flatten() {
                    is_found = true;
                    waiting.extend(rules.calls());
                    called.rules.push((name.clone(), rules.clone()));
                }
                if source.is_proc_macro && (source.defines_any || source.procedural.contains(&name))
                {
                    is_found |= !source.defines_any;
                    let made_of = self.closure([*at]);
                    let made_of = made_of.into_iter().filter_map(|at| self.source(at));
                    called.procedural.push((name.clone(), made_of.collect()));
                }
            }
            is_unknown |= !is_found;
        }
        let missing = known.iter().find(|(_, source)| source.is_none());
        if is_unknown {
            let name = missing.and_then(|(at, _)| self.locked.get(*at)).map(|one| one.name.clone());
            called.missing = name.or_else(|| own.is_none().then(|| package.to_owned()));
        }
        called
    }
}

/// Reads what is not for tests of a crate.
fn read_source(about: &About) -> Option<CrateSource> {
    let tree = Disk::open(&about.folder).ok()?;
    let is_proc_macro = about.is_proc_macro;
    let mut source = CrateSource { is_proc_macro, ..CrateSource::default() };
    for file in walk_tree(&tree).ok()?.files {
        let Some(path) = file.path.strip_prefix(&about.below) else { continue };
        if ["tests/", "benches/", "examples/"].iter().any(|other| path.starts_with(other)) {
            continue;
        }
        let bytes = tree.bytes(&file.path, MAX_TEXT).ok()?;
        source.add(&String::from_utf8_lossy(&bytes), about.makes_tokens);
    }
    Some(source)
}

impl CrateSource {
    fn add(&mut self, text: &str, makes_tokens: bool) {
        for Definition { name, source } in asof_dependencies::definitions(text) {
            match source {
                MacroSource::Rules(_) => self.rules.entry(name).or_default().push(source),
                MacroSource::Procedural => {
                    self.procedural.insert(name);
                }
                MacroSource::Helper => {
                    self.helpers.insert(name);
                }
            }
        }
        for (new, old) in asof_dependencies::renamed_imports(text) {
            self.renamed.entry(new.to_owned()).or_default().insert(old.to_owned());
        }
        if makes_tokens {
            self.reads_files |= asof_dependencies::reads_files(text);
            self.defines_any |= asof_dependencies::defines_any(text);
            self.text.push_str(text);
            self.text.push('\n');
        }
    }
}

impl CalledMacros {
    /// Whether one of the macros may name a crate, by its name in code or its package.
    pub fn may_name(&self, names: &[&str]) -> Option<MayName> {
        let named = |text: &str| names.iter().any(|name| has_word(text, name));
        for (name, source) in &self.rules {
            if source.includes() {
                return Some(MayName::Included(name.clone()));
            }
            if matches!(source, MacroSource::Rules(rules) if named(rules)) {
                return Some(MayName::Macro(name.clone()));
            }
        }
        for (name, made_of) in &self.procedural {
            if made_of.iter().any(|source| named(&source.text)) {
                return Some(MayName::Macro(name.clone()));
            }
            if made_of.iter().any(|source| source.is_proc_macro && source.reads_files) {
                return Some(MayName::Included(name.clone()));
            }
        }
        self.missing.clone().map(MayName::Missing)
    }
}
