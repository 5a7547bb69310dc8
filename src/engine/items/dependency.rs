//! Items of the crates that the workspace depends on. The database has only their names: a crate's
//! sources, where Cargo keeps them, are indexed in memory when one of its items is asked for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::outline::{DEFAULT_OUTLINE_DEPTH, Open};
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use asof_index::{FactSet, Options, Silent};
use asof_model::NodeId;
use asof_query::Queries;
use asof_store::Store;
use asof_wire::{
    Answer, DependencyRef, Item, Mode, OutlineEntry, Resolution, ResolveRequest, When,
};
use asof_workspace::{LockedCrate, SourceFolders};

impl Snapshot<'_> {
    /// As [`Self::resolve`]; a path that no item of the workspace has may be that of an item of a
    /// dependency, as the workspace would write it (`serde::Serialize`). Its version is the one that
    /// names were resolved with at this moment, and paths of files are relative to the crate.
    ///
    /// # Errors
    /// As [`Self::resolve`], or the sources of the crate are not on this machine.
    pub fn resolve_anywhere(&self, request: &ResolveRequest) -> Result<Resolution, EngineError> {
        let found = self.resolve(request)?;
        if !found.items().is_empty() || request.place().is_some() || request.package.is_some() {
            return Ok(found);
        }
        let Some((of, path)) = self.path_in_dependency(&request.path)? else { return Ok(found) };
        let database = self.dependency(&of)?;
        let inside = database.snapshot(&When::Newest, Refresh::Skip)?;
        let ask = |path: &str| {
            inside.resolve(&ResolveRequest { path: path.to_owned(), ..request.clone() })
        };
        // The path is the canonical one: what a part of it fits is something else.
        let is_exact = |found: &Resolution| !found.items().is_empty() && found.mode == Mode::Strict;
        let mut there = ask(&path)?;
        if !is_exact(&there) {
            // A module that the call of a macro declares stands for itself.
            let alone = path.split_once("::").map(|(_, below)| ask(below)).transpose()?;
            let Some(alone) = alone.filter(is_exact) else {
                let failed_segment = path.rsplit("::").next().map(Into::into);
                return Ok(Resolution { failed_segment, suggestions: Vec::new(), ..found });
            };
            there = alone;
            for item in &mut there.answer.items {
                item.path = Some(path.clone());
            }
        }
        for item in &mut there.answer.items {
            item.dependency = Some(of.clone());
        }
        let answer = asof_wire::Answer { basis: found.answer.basis, ..there.answer };
        Ok(Resolution { query: found.query, answer, ..there })
    }

    /// Whether names were resolved with the same sources of dependencies at another moment of this
    /// database. If not, uses may differ although nobody changed the workspace. Another version of
    /// a crate is such a change.
    ///
    /// # Errors
    /// The store failed.
    pub fn has_same_sources(&self, other: &Snapshot<'_>) -> Result<bool, EngineError> {
        let known = |at| -> Result<BTreeMap<_, bool>, EngineError> {
            let all = Queries::at(self.store(), at).dependencies()?.into_iter();
            Ok(all.map(|one| ((one.name, one.version, one.source), one.is_known)).collect())
        };
        let (ours, theirs) = (known(self.at)?, known(other.at)?);
        // Without a lock file, none is known.
        Ok(ours.is_empty() == theirs.is_empty()
            && ours.iter().all(|(key, known)| theirs.get(key).is_none_or(|other| other == known)))
    }

    /// The crate that the workspace calls by the first name of a path, if it is one. No source is
    /// read.
    ///
    /// # Errors
    /// The database failed.
    pub fn dependency_of(&self, path: &str) -> Result<Option<DependencyRef>, EngineError> {
        let krate = path.split("::").next().unwrap_or_default();
        let all = Queries::at(self.store(), self.at).dependencies()?;
        let mut of = all.into_iter().filter(|one| one.called.iter().any(|name| name == krate));
        Ok(match (of.next(), of.next()) {
            (Some(one), None) => {
                Some(DependencyRef { name: one.name, version: one.version, source: one.source })
            }
            _ => None,
        })
    }

    /// The crate and the path there that a path of the workspace's code leads to.
    fn path_in_dependency(
        &self,
        path: &str,
    ) -> Result<Option<(DependencyRef, String)>, EngineError> {
        let Some(root) = self.database.root.as_deref() else { return Ok(None) };
        let Some(found) = asof_index::path_outside(self.store(), root, path)? else {
            return Ok(None);
        };
        let (locked, path) = found;
        // At other moments it may have been another version.
        let all = Queries::at(self.store(), self.at).dependencies()?;
        let mut known = all.iter().filter(|one| one.is_known && one.name == locked.name);
        let is_same = |one: &&asof_query::StoredDependency| one.version == locked.version;
        let version = known.clone().find(is_same).or_else(|| known.next());
        let of = version.map(|one| DependencyRef {
            name: one.name.clone(),
            version: one.version.clone(),
            source: one.source.clone(),
        });
        Ok(of.map(|of| (of, path)))
    }

    /// The outline of items that [`Self::resolve_anywhere`] found in a dependency; `None` for those of
    /// the workspace.
    ///
    /// # Errors
    /// The sources of the crate are not on this machine, or the database failed.
    pub fn outline_of_dependency(
        &self,
        found: &Resolution,
        levels: Option<u32>,
    ) -> Result<Option<Answer<OutlineEntry>>, EngineError> {
        let Some(of) = found.items().first().and_then(|item| item.dependency.as_ref()) else {
            return Ok(None);
        };
        let database = self.dependency(of)?;
        let inside = database.snapshot(&When::Newest, Refresh::Skip)?;
        let ids: Vec<NodeId> = found.items().iter().map(|item| item.id).collect();
        let open = if levels.is_some() { Open::Everything } else { Open::Members };
        let outline = inside.outline(&ids, levels.unwrap_or(DEFAULT_OUTLINE_DEPTH), open)?;
        Ok(Some(Answer { basis: found.answer.basis.clone(), ..outline }))
    }

    /// A file of a crate that the workspace depends on, on this machine.
    ///
    /// # Errors
    /// The database was opened without its files.
    pub fn dependency_file(
        &self,
        of: &DependencyRef,
        file_path: &str,
    ) -> Result<Option<PathBuf>, EngineError> {
        let root = self.database.need_root()?;
        let folder = SourceFolders::find(root).folder_of(&locked(of));
        Ok(folder.map(|folder| folder.join(file_path)))
    }

    /// A database of the sources of a crate.
    fn dependency(&self, of: &DependencyRef) -> Result<Arc<Database>, EngineError> {
        let cache = &self.database.dependencies;
        if let Some(kept) = cache.get(of) {
            return Ok(kept);
        }
        let root = self.database.need_root()?;
        let folder = SourceFolders::find(root).folder_of(&locked(of));
        let folder = folder.ok_or_else(|| EngineError::NotFound {
            what: format!("the sources of {} {} are not on this machine", of.name, of.version),
            hint: "download them: `cargo fetch`".into(),
        })?;
        let store = Store::in_memory()?;
        let lock = store.write_lock(Duration::ZERO)?;
        asof_index::name_project(&lock, &folder)?;
        let options = Options { facts: FactSet::Items, ..Options::default() };
        asof_index::refresh_under(&lock, &store, &folder, &options, &Silent)?;
        drop(lock);
        let database = Arc::new(Database::from_store(store, None));
        cache.put(of.clone(), Arc::clone(&database));
        Ok(database)
    }

    /// Text of an item of a dependency.
    pub(super) fn source_in_dependency(
        &self,
        of: &DependencyRef,
        item: &Item,
    ) -> Result<String, EngineError> {
        let database = self.dependency(of)?;
        let inside = database.snapshot(&When::Newest, Refresh::Skip)?;
        let shown =
            inside.show(std::slice::from_ref(&Item { dependency: None, ..item.clone() }))?;
        let text = shown.items.into_iter().next().map(|shown| shown.text);
        text.ok_or_else(|| EngineError::State { what: "text", reason: "it is missing".to_owned() })
    }
}

fn locked(of: &DependencyRef) -> LockedCrate {
    LockedCrate {
        name: of.name.clone(),
        version: of.version.clone(),
        source: Some(of.source.clone()),
        checksum: None,
        dependencies: Vec::new(),
    }
}
