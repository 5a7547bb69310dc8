//! Finds the derive macros of dependencies in the sources of their crates.

use super::standard::DeclaredItem;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_syntax::{DeriveMacro, derive_macros};
use asof_workspace::{LockedCrate, SourceFolders, locked_crates, read_file};

/// Longest lock file that is read, in bytes.
const MAX_LOCK: u64 = 16 << 20;

impl Snapshot<'_> {
    /// The function of a derive macro. `path` is that of the macro, or of the trait that it is called
    /// after: `serde::Serialize`. The macro is declared in the crate of the path, or in one that this
    /// crate depends on. With a `helper`, it has to understand this attribute.
    ///
    /// # Errors
    /// The database failed.
    pub fn derive_macro(
        &self,
        path: &str,
        helper: Option<&str>,
    ) -> Result<Option<DeclaredItem>, EngineError> {
        let Some(of) = self.dependency_of(path)? else { return Ok(None) };
        let name = path.rsplit("::").next().unwrap_or_default();
        let root = self.database.need_root()?;
        // Without a lock file, no sources are known.
        let lock = read_file(root, "Cargo.lock", MAX_LOCK).ok();
        let lock = lock.and_then(|bytes| String::from_utf8(bytes).ok());
        let locked = lock.and_then(|lock| locked_crates(&lock).ok()).unwrap_or_default();
        let is_own = |krate: &&LockedCrate| krate.name == of.name && krate.version == of.version;
        let Some(own) = locked.iter().find(is_own) else { return Ok(None) };
        let named = |written: &String| {
            let mut parts = written.split(' ');
            let (name, version) = (parts.next(), parts.next());
            locked.iter().find(|krate| {
                Some(&*krate.name) == name && version.is_none_or(|version| krate.version == version)
            })
        };
        let folders = SourceFolders::find(root);
        let all = std::iter::once(own).chain(own.dependencies.iter().filter_map(named));
        let files = all.filter_map(|krate| folders.folder_of(krate)).flat_map(|folder| {
            // Such macros are at the root of their crate.
            ["src/lib.rs", "lib.rs"].map(|file| folder.join(file))
        });
        let is_it = |one: &DeriveMacro<'_>| {
            one.name == name && helper.is_none_or(|helper| one.helpers.contains(&helper))
        };
        let mut found = files.filter_map(|file| {
            DeclaredItem::in_file(file, |text| {
                derive_macros(text).into_iter().find(is_it).map(|one| one.at)
            })
        });
        Ok(found.next())
    }
}
