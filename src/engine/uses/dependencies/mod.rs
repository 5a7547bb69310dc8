//! The dependencies of packages: what each manifest declares, what code names of it, and which entries
//! the manifest should not have. What is certain is that removing the entry breaks nothing: a name that
//! something may mean is a use, and what may name a crate without its name in the code is a doubt.

mod code;
mod crates;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rayon::prelude::*;

use self::code::{code_files, documents, line, uses};
use self::crates::{CalledMacros, Crates, MayName};
use crate::database::{Snapshot, repository};
use crate::error::EngineError;
use asof_dependencies::{CodeFile, Entry, Facts, Found, Package, Scanned, judge};
use asof_model::{Condition, Hint};
use asof_query::Queries;
use asof_store::Params;
use asof_wire::{
    DependenciesRequest, DependencyDoubt, DependencyTable, Edit, PackageDependencies,
    PackageDependency,
};
use asof_workspace::{
    Commits, DeclaredDependency, DeclaredPackage, DeclaredTable, Disk, SourceTree,
    declared_dependencies, join_paths, locked_crates, parent_folder, walk_tree,
};

/// Longest lock file that is read, in bytes.
const MAX_LOCK: u64 = 16 << 20;

impl Snapshot<'_> {
    /// What the manifests declare as dependencies, each entry with the places that name it and what
    /// is thought of it.
    ///
    /// # Errors
    /// A lock file that does not parse, a package or a dependency that does not exist, a moment whose
    /// manifests are not kept; a failure of the database.
    pub fn dependencies(
        &self,
        request: &DependenciesRequest,
    ) -> Result<PackageDependencies, EngineError> {
        let started = Instant::now();
        let state = State::read(self)?;
        let wanted = state.find_package(request.package.as_deref())?;
        let mut found = Vec::new();
        for package in wanted {
            found.extend(state.judge_package(self, package)?);
        }
        if let Some(name) = &request.name {
            let is_it = |one: &PackageDependency| {
                one.key == *name || one.dependency == *name || one.name.as_ref() == Some(name)
            };
            found.retain(is_it);
            if found.is_empty() {
                return Err(EngineError::NotFound {
                    what: format!("no dependency `{name}` in the manifests"),
                    hint: Hint::Advice("without a name, all dependencies are listed".to_owned()),
                });
            }
        }
        let certain = found.iter().filter(|one| one.certain).count();
        let uncertain = found.iter().filter(|one| one.finding.is_some()).count() - certain;
        if request.unused {
            found.retain(|one| one.certain || request.guesses && one.finding.is_some());
            found.sort_by_key(|one| !one.certain);
        }
        let answer = self.answer(started, found, request.limit);
        Ok(PackageDependencies { certain, uncertain, broken: state.broken, answer })
    }

    /// The edits of manifests that certain findings ask for; the limit of the request does not count.
    ///
    /// # Errors
    /// See [`Self::dependencies`].
    pub fn dependency_edits(
        &self,
        request: &DependenciesRequest,
    ) -> Result<Vec<Edit>, EngineError> {
        let request = DependenciesRequest { limit: None, ..request.clone() };
        let found = self.dependencies(&request)?.answer.items;
        Ok(asof_dependencies::manifest_edits(&found).into_iter().map(Edit::from).collect())
    }

    /// The files of this moment as a tree.
    fn tree_then<T>(
        &self,
        read: impl FnOnce(&dyn SourceTree) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let root = self.database.need_root()?;
        if self.source() == asof_wire::AnswerSource::Now {
            return read(&Disk::open(root)?);
        }
        let commit = match (&self.database.commit, self.basis.revision) {
            (Some(commit), _) => Some(commit.clone()),
            (None, Some(id)) => {
                let params = Params::new().with("id", id);
                let rows = asof_query::run(self.store(), "history/revision", params)?;
                rows.iter().next().map(|row| row.get("commit")).transpose()?.flatten()
            }
            (None, None) => None,
        };
        let Some(commit) = commit else {
            return Err(EngineError::BadRequest {
                what: "the manifests of that moment are not kept: it is no commit".to_owned(),
                hint: "name a commit, a branch or a tag".into(),
            });
        };
        let git = repository(root)?;
        let commits = Commits::new(&git, root)?;
        read(&commits.tree(&commit)?)
    }
}

/// What is known of a moment.
struct State {
    packages: Vec<DeclaredPackage>,
    crates: Crates,
    /// Files of each package, by manifest.
    files: BTreeMap<String, Vec<CodeFile>>,
    /// Names of the libraries of packages, by folder.
    libraries: BTreeMap<String, String>,
    /// Texts of documents that code includes, by path.
    documents: BTreeMap<String, String>,
    /// Manifests that cannot be read or do not parse, each with the reason.
    broken: Vec<String>,
}

/// What a file says.
struct ScannedFile<'s> {
    file: &'s CodeFile,
    scanned: Scanned,
    /// Of the places that name a crate.
    lines: Vec<u32>,
    /// Macros that it defines by rules.
    rules: Vec<String>,
}

/// What the files of a package say.
struct Code<'s> {
    files: Vec<ScannedFile<'s>>,
    includes: bool,
    /// Macros that it may call, except those of its own, whose rules are part of it.
    macros: BTreeSet<String>,
}

impl State {
    fn read(snapshot: &Snapshot<'_>) -> Result<Self, EngineError> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let roots = queries.crates()?;
        let root = snapshot.database.need_root()?;
        let mut manifests: BTreeSet<String> = roots
            .iter()
            .map(|one| one.manifest_path.clone())
            .filter(|path| !path.is_empty())
            .collect();
        manifests.insert("Cargo.toml".to_owned());
        let files = code_files(snapshot, &queries, &roots)?;
        let is_library = |kind: &str| matches!(kind, "lib" | "proc_macro");
        let libraries = roots
            .iter()
            .filter(|one| is_library(&one.target_kind))
            .map(|one| (parent_folder(&one.manifest_path).to_owned(), one.crate_name.clone()));
        let libraries = libraries.collect();
        let (packages, issues, lock, documents) = snapshot.tree_then(|tree| {
            let walked = walk_tree(tree)?.manifests.into_iter().map(|file| file.path);
            manifests.extend(walked);
            let (packages, issues) = declared_dependencies(tree, &manifests);
            let lock = tree.bytes("Cargo.lock", MAX_LOCK).ok();
            let documents = documents(snapshot, tree, files.values().flatten())?;
            Ok((packages, issues, lock, documents))
        })?;
        let own_lock = || Disk::open(root).ok()?.bytes("Cargo.lock", MAX_LOCK).ok();
        let lock = lock.or_else(own_lock).and_then(|lock| String::from_utf8(lock).ok());
        let locked = match lock.as_deref().map(locked_crates) {
            Some(Ok(locked)) => locked,
            Some(Err(reason)) => {
                return Err(EngineError::BadRequest {
                    what: format!("Cargo.lock: {reason}"),
                    hint: "let Cargo write the lock file again".into(),
                });
            }
            None => Vec::new(),
        };
        let members = packages.iter().filter_map(|package| {
            Some((package.name.clone()?, parent_folder(&package.manifest_path).to_owned()))
        });
        let crates = Crates::new(root, locked, members.collect());
        let broken = issues.iter().map(|issue| format!("{}: {}", issue.file_path, issue.message));
        Ok(Self { packages, crates, files, libraries, documents, broken: broken.collect() })
    }

    fn find_package(&self, wanted: Option<&str>) -> Result<Vec<&DeclaredPackage>, EngineError> {
        let Some(wanted) = wanted else { return Ok(self.packages.iter().collect()) };
        let named = |package: &&DeclaredPackage| package.name.as_deref() == Some(wanted);
        let found: Vec<&DeclaredPackage> = self.packages.iter().filter(named).collect();
        if found.is_empty() {
            let names: Vec<&str> =
                self.packages.iter().filter_map(|package| package.name.as_deref()).collect();
            return Err(EngineError::NotFound {
                what: format!("no package `{wanted}` in the workspace"),
                hint: Hint::Advice(format!("the packages are: {}", names.join(", "))),
            });
        }
        Ok(found)
    }

    /// The entries of a manifest with what is thought of each.
    fn judge_package(
        &self,
        snapshot: &Snapshot<'_>,
        package: &DeclaredPackage,
    ) -> Result<Vec<PackageDependency>, EngineError> {
        let known = Package {
            entries: package.entries.iter().map(|entry| self.entry(package, entry)).collect(),
            features: package.features.clone(),
            ignored: package.ignored.clone(),
        };
        let names: BTreeSet<String> = known.entries.iter().map(code_name).collect();
        let code = self.code(snapshot, package, &names)?;
        let mut called: Option<CalledMacros> = None;
        let mut answer = Vec::with_capacity(package.entries.len());
        for (declared, entry) in package.entries.iter().zip(&known.entries) {
            let name = code_name(entry);
            let is_workspace = entry.table == Some(DependencyTable::Workspace);
            let found: Vec<(Found<'_>, u32)> =
                if is_workspace { Vec::new() } else { code.places(&name) };
            let places: Vec<Found<'_>> = found.iter().map(|(found, _)| *found).collect();
            let facts = self.facts(package, declared, entry, &code);
            let mut verdict = judge(&known, entry, &places, &facts);
            if is_workspace && self.is_inherited(&entry.key) {
                verdict.finding = None;
            }
            if verdict.finding.is_some() && verdict.doubt.is_none() && !is_workspace {
                let own = package.name.as_deref().unwrap_or_default();
                let called = called.get_or_insert_with(|| self.crates.called(own, &code.macros));
                let is_moot = verdict.finding == Some(asof_wire::DependencyFinding::Duplicate);
                if let Some(may) = called.may_name(&[&name, &entry.package]).filter(|_| !is_moot) {
                    let (doubt, about) = match may {
                        MayName::Macro(name) => (DependencyDoubt::Macro, name),
                        MayName::Included(name) => (DependencyDoubt::IncludedCode, name),
                        MayName::Missing(name) => (DependencyDoubt::UnknownMacro, name),
                    };
                    (verdict.doubt, verdict.about) = (Some(doubt), Some(about));
                }
            }
            let own = package.name.as_deref().unwrap_or_default();
            let locked = self.crates.dependency(own, &entry.package);
            answer.push(PackageDependency {
                package: package.name.clone().filter(|_| !is_workspace),
                manifest_path: package.manifest_path.clone(),
                line: declared.line,
                key: entry.key.clone(),
                dependency: entry.package.clone(),
                name: entry.name.clone(),
                table: entry.table.unwrap_or(DependencyTable::Normal),
                platform: entry.platform.clone(),
                requirement: entry.requirement.clone(),
                locked: locked.and_then(|at| self.crates.version(at)).map(str::to_owned),
                optional: entry.optional,
                default_features: entry.default_features,
                features: declared.features.clone(),
                uses: uses(&found),
                certain: verdict.finding.is_some() && verdict.doubt.is_none(),
                finding: verdict.finding,
                doubt: verdict.doubt,
                about: verdict.about,
            });
        }
        Ok(answer)
    }

    fn entry(&self, package: &DeclaredPackage, declared: &DeclaredDependency) -> Entry {
        let table = match declared.table {
            DeclaredTable::Normal => DependencyTable::Normal,
            DeclaredTable::Dev => DependencyTable::Dev,
            DeclaredTable::Build => DependencyTable::Build,
            DeclaredTable::Workspace => DependencyTable::Workspace,
        };
        let name = if declared.renamed {
            Some(declared.key.replace('-', "_"))
        } else {
            self.library(package, declared).flatten()
        };
        Entry {
            key: declared.key.clone(),
            package: declared.package.clone(),
            table: Some(table),
            platform: declared.platform.clone(),
            requirement: declared.requirement.clone(),
            optional: declared.optional,
            default_features: declared.default_features,
            features: declared.features.iter().cloned().collect(),
            name,
        }
    }

    /// The name of the library of a dependency: none if that is not known, or if it has none.
    fn library(
        &self,
        package: &DeclaredPackage,
        declared: &DeclaredDependency,
    ) -> Option<Option<String>> {
        if let Some(dir) = &declared.dir
            && self.packages.iter().any(|one| parent_folder(&one.manifest_path) == dir)
        {
            return Some(self.libraries.get(dir).cloned());
        }
        let own = package.name.as_deref()?;
        let about = self.crates.about(self.crates.dependency(own, &declared.package)?)?;
        Some(about.library.clone())
    }

    fn facts(
        &self,
        package: &DeclaredPackage,
        declared: &DeclaredDependency,
        entry: &Entry,
        code: &Code<'_>,
    ) -> Facts {
        let own = package.name.as_deref().unwrap_or_default();
        let locked = self.crates.dependency(own, &declared.package);
        let about = locked.and_then(|at| self.crates.about(at));
        let member = declared.dir.as_ref().and_then(|dir| {
            self.packages.iter().find(|one| parent_folder(&one.manifest_path) == dir)
        });
        let links = match member {
            Some(member) => member.links,
            None => about.is_some_and(|about| about.links),
        };
        let others: Vec<Entry> = self
            .packages
            .iter()
            .flat_map(|one| one.entries.iter().map(move |entry| (one, entry)))
            .filter(|(one, other)| {
                other.table != DeclaredTable::Workspace
                    && other.package == declared.package
                    && !(std::ptr::eq(*one, package) && *other == declared)
            })
            .map(|(one, other)| self.entry(one, other))
            .collect();
        let others: Vec<&Entry> = others.iter().collect();
        // A package that depends on itself asks for features of its own.
        let is_own = declared.dir.as_deref() == Some(parent_folder(&package.manifest_path));
        let is_shared = is_own || locked.is_some_and(|at| self.crates.is_shared(at));
        Facts {
            has_library: self.library(package, declared).map(|name| name.is_some()),
            links,
            features_needed: asof_dependencies::features_needed(entry, &others, is_shared),
            includes: code.includes,
        }
    }

    /// Whether a package inherits an entry of the workspace.
    fn is_inherited(&self, key: &str) -> bool {
        let mut entries = self.packages.iter().flat_map(|package| &package.entries);
        entries.any(|entry| entry.inherited && entry.key == key)
    }

    /// What the code of a package names.
    fn code<'s>(
        &'s self,
        snapshot: &Snapshot<'_>,
        package: &DeclaredPackage,
        names: &BTreeSet<String>,
    ) -> Result<Code<'s>, EngineError> {
        let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let documents = &self.documents;
        let files = self.files.get(&package.manifest_path).map(Vec::as_slice).unwrap_or_default();
        let texts = files
            .iter()
            .map(|file| Ok((file, snapshot.source_text(&file.path)?.bytes)))
            .collect::<Result<Vec<_>, EngineError>>()?;
        let files: Vec<ScannedFile<'_>> = texts
            .par_iter()
            .map(|(file, bytes)| {
                let text = String::from_utf8_lossy(bytes);
                let mut scanned = asof_dependencies::scan(&text, &names);
                for document in scanned.documents.clone() {
                    let path = join_paths(parent_folder(&file.path), &document);
                    if let Some(text) = path.and_then(|path| documents.get(&path)) {
                        let always = Condition::default();
                        let found = asof_dependencies::scan_document(text, &names, 0, &always);
                        scanned.mentions.extend(found.mentions);
                        scanned.macros.extend(found.macros);
                    }
                }
                let lines = scanned.mentions.iter().map(|one| line(&text, one.at)).collect();
                let rules = asof_dependencies::defined_rules(&text);
                ScannedFile { file, scanned, lines, rules }
            })
            .collect();
        let own: BTreeSet<&String> = files.iter().flat_map(|one| &one.rules).collect();
        let macros = files.iter().flat_map(|one| &one.scanned.macros);
        let macros = macros.filter(|name| !own.contains(name)).cloned();
        let macros = macros.collect();
        let includes = files.iter().any(|one| one.scanned.includes);
        Ok(Code { files, includes, macros })
    }
}

impl Code<'_> {
    /// The places that name a crate, with their lines.
    fn places(&self, name: &str) -> Vec<(Found<'_>, u32)> {
        let all = self.files.iter().flat_map(|one| {
            let named = one.scanned.mentions.iter().zip(&one.lines);
            named.map(move |(mention, line)| (Found { mention, file: one.file }, *line))
        });
        all.filter(|(found, _)| found.mention.name == name).collect()
    }
}

/// The name that code is searched for: if the library's is not known, the one that it mostly has.
fn code_name(entry: &Entry) -> String {
    entry.name.clone().unwrap_or_else(|| entry.key.replace('-', "_"))
}
