//! The registry of projects: a file of the user, with the roots of workspaces by name.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::handle::Database;
use crate::error::EngineError;
use asof_files::state::Folder;
use asof_model::Hint;
use asof_store::StoreError;
use asof_wire::{Project, ProjectList};
use asof_workspace::{FoundWorkspaces, Reach, workspaces_below};

/// The registry, in the folder of the user's configuration.
const FILE: &str = "projects.toml";
const NEW: &str = ".projects.toml.new";
const LOCK: &str = "projects.lock";

/// Bytes of the registry.
const MAX_FILE: u64 = 1 << 20;

/// Characters of a name.
const MAX_NAME: usize = 100;

/// How long to wait for another process that writes the registry.
const PATIENCE: Duration = Duration::from_secs(5);

/// The registry of projects in a folder.
#[derive(Debug, Clone)]
pub struct Projects {
    folder: PathBuf,
}

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    /// Roots by name.
    #[serde(default)]
    projects: BTreeMap<String, PathBuf>,
}

impl Projects {
    /// The registry in a folder, which need not exist yet.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// All projects, by name.
    ///
    /// # Errors
    /// The registry cannot be read.
    pub fn list(&self) -> Result<Vec<Project>, EngineError> {
        Ok(self.read()?.projects.into_iter().map(|(name, root)| project(name, &root)).collect())
    }

    /// The projects with these names, each once.
    ///
    /// # Errors
    /// A name that is not registered.
    pub fn named(&self, names: &[String]) -> Result<Vec<Project>, EngineError> {
        let known = self.read()?.projects;
        let mut found: BTreeMap<String, Project> = BTreeMap::new();
        for name in names {
            let root = known.get(name).ok_or_else(|| unknown(name, &known))?;
            found.insert(name.clone(), project(name.clone(), root));
        }
        Ok(found.into_values().collect())
    }

    /// Registers the workspace that a folder belongs to; under the name of its package or folder if
    /// none is given. Registering it again under the same name changes nothing.
    ///
    /// # Errors
    /// The folder does not exist, the name is not valid, it is the name of another project, or the
    /// workspace is registered under another name; the registry cannot be written.
    pub fn add(&self, folder: &Path, name: Option<&str>) -> Result<Project, EngineError> {
        let root = canonical(&Database::root_of(folder))?;
        let name = match name {
            Some(name) => name.to_owned(),
            None => {
                let here = Reach { depth: 0, ..Reach::default() };
                let found = workspaces_below(&root, here)?.list.pop();
                found.map_or_else(|| folder_name(&root), |found| found.name)
            }
        };
        self.change(|registry| insert(registry, &name, &root))
    }

    /// Removes a project from the registry; its files and its database stay.
    ///
    /// # Errors
    /// No such project; the registry cannot be written.
    pub fn remove(&self, name: &str) -> Result<Project, EngineError> {
        self.change(|registry| match registry.projects.remove(name) {
            Some(root) => Ok(project(name.to_owned(), &root)),
            None => Err(unknown(name, &registry.projects)),
        })
    }

    /// The Cargo workspaces in a folder and below it, under the names that they are registered by, or
    /// would be.
    ///
    /// # Errors
    /// The folder or the registry cannot be read.
    pub fn discover(&self, folder: &Path, reach: Reach) -> Result<ProjectList, EngineError> {
        Ok(listed(&mut self.read()?, workspaces_below(folder, reach)?))
    }

    /// Registers what [`Projects::discover`] finds and is not registered yet. Of two workspaces with
    /// one name, the second gets a number.
    ///
    /// # Errors
    /// The folder or the registry cannot be read, or the registry not written.
    pub fn add_below(&self, folder: &Path, reach: Reach) -> Result<ProjectList, EngineError> {
        let found = workspaces_below(folder, reach)?;
        self.change(|registry| Ok(listed(registry, found)))
    }

    fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    fn read(&self) -> Result<Registry, EngineError> {
        match Folder::open(&self.folder).map_err(StoreError::from)? {
            Some(folder) => self.read_in(&folder),
            None => Ok(Registry::default()),
        }
    }

    fn read_in(&self, folder: &Folder) -> Result<Registry, EngineError> {
        let Some(bytes) = folder.read(FILE, MAX_FILE).map_err(StoreError::from)? else {
            return Ok(Registry::default());
        };
        let damaged = |reason: String| EngineError::BadRegistry { path: self.path(), reason };
        let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
        toml::from_str(&text).map_err(|error| damaged(error.message().to_owned()))
    }

    /// Changes the registry, under its lock: the file is replaced as a whole, or stays.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Registry) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        if let Some(above) = self.folder.parent() {
            fs::create_dir_all(above).map_err(|source| self.io("create", above, source))?;
        }
        let folder = Folder::create(&self.folder).map_err(StoreError::from)?;
        let lock = asof_files::state::acquire(&self.folder.join(LOCK), PATIENCE);
        let _lock = lock.map_err(StoreError::from)?;
        let mut registry = self.read_in(&folder)?;
        let changed = change(&mut registry)?;
        let text = toml::to_string(&registry).map_err(|error| EngineError::State {
            what: "registry of projects",
            reason: error.to_string(),
        })?;
        // Left behind by a process that died; the lock says that nobody writes it.
        folder.remove_file(NEW).map_err(StoreError::from)?;
        let file = folder.create_private_file(NEW).map_err(StoreError::from)?;
        self.write(file, &text)?;
        folder.rename(NEW, FILE).map_err(StoreError::from)?;
        folder.sync().map_err(StoreError::from)?;
        Ok(changed)
    }

    fn write(&self, mut file: File, text: &str) -> Result<(), EngineError> {
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(|source| self.io("write", &self.folder.join(NEW), source))
    }

    fn io(&self, action: &'static str, path: &Path, source: std::io::Error) -> EngineError {
        EngineError::Io { action, path: path.to_owned(), source }
    }
}

fn project(name: String, root: &Path) -> Project {
    Project { name, root: root.to_string_lossy().into_owned() }
}

fn folder_name(root: &Path) -> String {
    root.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn insert(registry: &mut Registry, name: &str, root: &Path) -> Result<Project, EngineError> {
    check_name(name)?;
    let refuse = |what: String, advice: &str| {
        Err(EngineError::BadRequest { what, hint: Hint::advice(advice) })
    };
    if root.to_str().is_none() {
        let what = format!("the path {} is not UTF-8", root.display());
        return refuse(what, "rename the folder");
    }
    if let Some((other, _)) = registry.projects.iter().find(|(_, known)| *known == root)
        && other != name
    {
        let what = format!("{} is registered as `{other}`", root.display());
        return refuse(what, "remove that project first to give it another name");
    }
    match registry.projects.get(name) {
        Some(other) if other != root => {
            let what = format!("the project `{name}` is {}", other.display());
            refuse(what, "give another name")
        }
        _ => {
            registry.projects.insert(name.to_owned(), root.to_owned());
            Ok(project(name.to_owned(), root))
        }
    }
}

/// Adds workspaces that are not registered yet, and lists all.
fn listed(registry: &mut Registry, found: FoundWorkspaces) -> ProjectList {
    let mut list =
        ProjectList { truncated: found.truncated, notes: found.unreadable, ..Default::default() };
    for one in found.list {
        match free(registry, &one.name, &one.root) {
            Ok(project) => list.items.push(project),
            Err(error) => list.notes.push(error.to_string()),
        }
    }
    list.total = list.items.len();
    list
}

/// Adds a workspace under its own name, or with a number behind it if that is taken; gives the one
/// that is there if it is registered.
fn free(registry: &mut Registry, name: &str, root: &Path) -> Result<Project, EngineError> {
    if let Some((known, _)) = registry.projects.iter().find(|(_, known)| *known == root) {
        return Ok(project(known.clone(), root));
    }
    let plain: String = name.chars().map(|c| if is_name_char(c) { c } else { '-' }).collect();
    let plain: String = plain.trim_start_matches('-').chars().take(MAX_NAME - 8).collect();
    let plain = if plain.is_empty() { "project".to_owned() } else { plain };
    let mut chosen = plain.clone();
    let mut number = 1;
    while registry.projects.contains_key(&chosen) {
        number += 1;
        chosen = format!("{plain}-{number}");
    }
    insert(registry, &chosen, root)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn check_name(name: &str) -> Result<(), EngineError> {
    let fits = name.chars().count() <= MAX_NAME && name.chars().all(is_name_char);
    if fits && name.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return Ok(());
    }
    let shown: String = name.chars().take(40).collect();
    Err(EngineError::BadRequest {
        what: format!("`{}` is not a name of a project", shown.escape_debug()),
        hint: Hint::advice(
            "use letters, digits, `-`, `_` and `.`, at most 100, a letter or digit first",
        ),
    })
}

fn unknown(name: &str, known: &BTreeMap<String, PathBuf>) -> EngineError {
    let mut names: Vec<&String> = known.keys().collect();
    names.sort_by_key(|have| strsim::levenshtein(have, name));
    let names: Vec<String> = names.into_iter().take(3).cloned().collect();
    let hint = if names.is_empty() {
        Hint::advice("no project is registered yet")
    } else {
        Hint::DidYouMean(names)
    };
    EngineError::NotFound { what: format!("no project named `{name}`"), hint }
}

fn canonical(root: &Path) -> Result<PathBuf, EngineError> {
    let missing = || asof_workspace::WorkspaceError::NotFound { path: root.to_owned() };
    let full = fs::canonicalize(root).map_err(|_| missing())?;
    if full.is_dir() { Ok(full) } else { Err(missing().into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_survives_a_process_that_died_and_refuses_what_is_not_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("config/asof");
        let projects = Projects::at(&config);
        assert_eq!(projects.list().unwrap(), []);
        let work = folder.path().join("work");
        fs::create_dir(&work).unwrap();
        fs::write(work.join("Cargo.toml"), "[package]\nname = \"demo\"\n").unwrap();
        assert_eq!(projects.add(&work, None).unwrap().name, "demo");
        fs::write(config.join(NEW), "half").unwrap();
        assert_eq!(projects.add(&work, Some("demo")).unwrap().name, "demo");
        assert!(!config.join(NEW).exists());
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(config.join(FILE)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        for name in ["", "-x", "a/b", "a b", "..", "\u{1b}[31m"] {
            assert!(projects.add(&work, Some(name)).is_err(), "{name}");
        }
        assert!(projects.add(&work, Some("other")).is_err());
        assert!(projects.remove("dmo").is_err());
        fs::write(config.join(FILE), "projects = 3").unwrap();
        assert!(matches!(projects.list(), Err(EngineError::BadRegistry { .. })));
        assert!(projects.add(&work, None).is_err());
        assert_eq!(fs::read_to_string(config.join(FILE)).unwrap(), "projects = 3");
        fs::remove_file(config.join(FILE)).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", config.join(FILE)).unwrap();
        assert!(projects.list().is_err());
    }
}
