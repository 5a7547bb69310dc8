//! Changes of public interfaces between two moments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use super::commit_trees::{Between, FilesAt, index_states};
use super::outside_types::OutsideTypes;
use super::public_interface::{NamesToRead, aliases, public_path};
use super::touched_declarations::Touched;
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use crate::items::{Hidden, library_crates};
use asof_index::{FactSet, Progress};
use asof_model::NodeId;
use asof_query::{PublicName, Queries};
use asof_semver::Interface;
use asof_wire::{ApiChange, ApiDiff, PackageApi, SemverLevel, When};

/// A package with a library.
struct Library {
    root: NodeId,
    version: Option<String>,
}

/// What users of libraries can name at a moment.
struct PublicNames<'s, 'd> {
    at: &'s Snapshot<'d>,
    /// The moment that it is compared with.
    other: &'s Snapshot<'d>,
    /// By the root of the library, hidden ones too.
    names: BTreeMap<NodeId, Vec<PublicName>>,
    /// The traits of the workspace.
    traits: Vec<(NodeId, String)>,
}

impl<'s, 'd> PublicNames<'s, 'd> {
    fn load(
        at: &'s Snapshot<'d>,
        other: &'s Snapshot<'d>,
        libraries: &BTreeMap<String, Library>,
    ) -> Result<Self, EngineError> {
        let queries = Queries::at(at.store(), at.at());
        let roots: Vec<NodeId> = libraries.values().map(|library| library.root).collect();
        let mut names: BTreeMap<NodeId, Vec<PublicName>> = BTreeMap::new();
        if !roots.is_empty() {
            for row in queries.public_names(&roots, true, &[])? {
                names.entry(row.root).or_default().push(row);
            }
        }
        let traits = if roots.is_empty() { Vec::new() } else { queries.traits()? };
        let traits = traits.into_iter().map(|row| (row.id, row.name)).collect();
        Ok(PublicNames { at, other, names, traits })
    }

    /// Whether a library has names that are hidden.
    fn hides(&self, root: NodeId) -> bool {
        self.names.get(&root).into_iter().flatten().any(|row| row.hidden)
    }

    fn of_library(&self, root: NodeId, hidden: Hidden) -> Vec<&PublicName> {
        let names = self.names.get(&root).into_iter().flatten();
        names.filter(|row| hidden == Hidden::List || !row.hidden).collect()
    }

    fn interface(
        &self,
        names: Vec<&PublicName>,
        paths: &BTreeSet<String>,
    ) -> Result<Interface, EngineError> {
        self.at.interface(&NamesToRead { names, paths }, &self.traits, self.other)
    }
}

/// The public paths of which the declarations may differ: those of touched items, and those that stand
/// for something else or that one interface has. Whatever has the same path is compared.
fn paths_to_compare(
    touched: &Touched,
    old: &[&PublicName],
    new: &[&PublicName],
) -> BTreeSet<String> {
    let by_path = |rows: &[&PublicName]| {
        let mut found: BTreeMap<String, Vec<PublicName>> = BTreeMap::new();
        for row in rows {
            // Where it is written does not matter.
            let row = PublicName { file_path: String::new(), line: None, ..(*row).clone() };
            found.entry(public_path(&row)).or_default().push(row);
        }
        found
    };
    let (before, after) = (by_path(old), by_path(new));
    let is_touched = |rows: Option<&Vec<PublicName>>| {
        let mut ids = rows.into_iter().flatten().filter_map(|row| row.id);
        ids.any(|id| touched.items.contains(&id))
    };
    let all = before.keys().chain(after.keys());
    let mut found: BTreeSet<String> = all
        .filter(|path| {
            let (was, is) = (before.get(*path), after.get(*path));
            was != is || is_touched(was) || is_touched(is)
        })
        .cloned()
        .collect();
    // What is listed under one path of its module may be looked up by another one.
    for aliases in [aliases(old), aliases(new)] {
        let listed: Vec<String> =
            found.iter().map(|path| asof_semver::listed_path(&aliases, path)).collect();
        found.extend(listed);
    }
    found
}

impl Snapshot<'_> {
    /// How the public interfaces of the libraries of the workspace, or of one package, differ from
    /// those at an earlier moment. Items with `#[doc(hidden)]` are no part of an interface.
    ///
    /// # Errors
    /// No package has this name at either moment, neither moment has a library, or the store failed.
    pub fn api_diff(
        &self,
        from: &Snapshot<'_>,
        package: Option<&str>,
    ) -> Result<ApiDiff, EngineError> {
        self.api_diff_with(from, package, self.database.root.as_deref())
    }

    /// [`Snapshot::api_diff`] with the sources of dependencies that a workspace's root leads to.
    fn api_diff_with(
        &self,
        from: &Snapshot<'_>,
        package: Option<&str>,
        root: Option<&Path>,
    ) -> Result<ApiDiff, EngineError> {
        let started = Instant::now();
        let (mut old, mut new) = (from.public_libraries()?, self.public_libraries()?);
        if let Some(package) = package {
            let named = |name: &String, _: &mut Library| {
                name == package || name.replace('-', "_") == package
            };
            old.retain(named);
            new.retain(named);
        }
        if old.is_empty() && new.is_empty() {
            let (what, hint) = match package {
                Some(package) => {
                    (format!("no package `{package}` has a library"), "name a package with one")
                }
                None => (
                    "no package of the workspace has a library, so it has no public interface"
                        .to_owned(),
                    "the difference of the two moments lists all items",
                ),
            };
            return Err(EngineError::NotFound { what, hint: hint.into() });
        }
        let touched = Touched::find(from, self)?;
        let none = BTreeMap::new();
        // Without them, the interfaces are the same.
        let read = |libraries| if touched.is_empty() { &none } else { libraries };
        let (was_named, is_named) = rayon::join(
            || PublicNames::load(from, self, read(&old)),
            || PublicNames::load(self, from, read(&new)),
        );
        let (was_named, is_named) = (was_named?, is_named?);
        let mut outside = OutsideTypes::new(from, self, root)?;
        let mut compare = |was: NodeId, is: NodeId, hidden: Hidden| {
            let (was, is) = (was_named.of_library(was, hidden), is_named.of_library(is, hidden));
            let paths = paths_to_compare(&touched, &was, &is);
            if paths.is_empty() {
                return Ok(Vec::new());
            }
            let (was, is) =
                rayon::join(|| was_named.interface(was, &paths), || is_named.interface(is, &paths));
            let (was, is) = (was?, is?);
            let mut same = |was: &str, is: &str| outside.compare(was, is);
            Ok::<_, EngineError>(asof_semver::compare(&was, is, &mut same))
        };
        let names: BTreeSet<String> = old.keys().chain(new.keys()).cloned().collect();
        let mut packages = Vec::new();
        for name in names {
            let (was, is) = (old.get(&name), new.get(&name));
            let mut hidden_changes = 0;
            let changes = match (was, is) {
                (Some(was), Some(is)) => {
                    let (was, is) = (was.root, is.root);
                    let shown = compare(was, is, Hidden::LeaveOut)?;
                    if was_named.hides(was) || is_named.hides(is) {
                        let is_known = |one: &ApiChange| {
                            shown.iter().any(|c| (&c.path, &c.rule) == (&one.path, &one.rule))
                        };
                        let all = compare(was, is, Hidden::List)?;
                        hidden_changes = all.iter().filter(|one| !is_known(one)).count();
                    }
                    shown
                }
                (Some(_), None) => vec![whole(&name, "package_removed", SemverLevel::Major)],
                _ => vec![whole(&name, "package_added", SemverLevel::Minor)],
            };
            let version = |of: Option<&Library>| of.and_then(|library| library.version.clone());
            let (old_version, new_version) = (version(was), version(is));
            let levels = changes.iter().map(|change| change.level);
            let required = levels.max().unwrap_or(SemverLevel::Patch);
            let both = old_version.as_deref().zip(new_version.as_deref());
            let allowed = both.and_then(|(old, new)| asof_semver::allowed(old, new));
            let sufficient = was.is_none() || asof_semver::is_enough(allowed, required);
            packages.push(PackageApi {
                package: name,
                old_version,
                new_version,
                required,
                allowed,
                sufficient,
                changes,
                hidden_changes,
            });
        }
        outside.finish()?;
        let answer = self.answer(started, packages, None);
        Ok(ApiDiff { from: from.basis().clone(), answer })
    }

    /// The libraries of the workspace by the names of their packages.
    fn public_libraries(&self) -> Result<BTreeMap<String, Library>, EngineError> {
        let queries = Queries::at(self.store(), self.at());
        let versions: BTreeMap<String, String> = queries
            .package_versions()?
            .into_iter()
            .map(|row| (row.manifest_path, row.version))
            .collect();
        let named = library_crates(&queries)?.map(|row| {
            let version = versions.get(&row.manifest_path).filter(|version| !version.is_empty());
            let library = Library { root: row.root_id, version: version.cloned() };
            (row.package.unwrap_or(row.crate_name), library)
        });
        Ok(named.collect())
    }
}

fn whole(package: &str, rule: &str, level: SemverLevel) -> ApiChange {
    ApiChange {
        path: package.to_owned(),
        kind: "package".to_owned(),
        rule: rule.to_owned(),
        level,
        reason: "the package has a library at one of the moments only".to_owned(),
        old_signature: None,
        new_signature: None,
        file_path: String::new(),
        line: None,
    }
}

impl Database {
    /// [`Snapshot::api_diff`] between two moments; of commits that are not imported by their files.
    ///
    /// # Errors
    /// As [`Self::between`], [`Snapshot::api_diff`] and [`Self::api_diff_files`].
    pub fn api_diff_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        package: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<ApiDiff, EngineError> {
        match self.between(from, to, refresh)? {
            Between::Stored { earlier, later } => later.api_diff(&earlier, package),
            Between::Files { earlier, later } => {
                let root = self.need_root()?;
                Self::api_diff_files(root, Some(self), &earlier, &later, package, progress)
            }
        }
    }

    /// [`Snapshot::api_diff`] of two states of the files of a workspace that no database has. Both
    /// are indexed in memory.
    ///
    /// # Errors
    /// As [`Snapshot::api_diff`], and if a state cannot be read.
    pub fn api_diff_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        package: Option<&str>,
        progress: &dyn Progress,
    ) -> Result<ApiDiff, EngineError> {
        let (database, earlier, later) =
            index_states(root, known, earlier, later, FactSet::All, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.api_diff_with(&earlier, package, Some(root))
    }
}
