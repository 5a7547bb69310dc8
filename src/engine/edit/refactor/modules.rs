//! Moves the files of a renamed module.

use std::collections::BTreeMap;

use crate::database::Snapshot;
use crate::edit::target::{self, Files, Halt};
use crate::error::EngineError;
use asof_edit::EditError;
use asof_model::{Header, NodeKind};
use asof_query::{Described, Queries};
use asof_workspace::parent_folder;

/// Where the files of a module go: from, to. Empty if its declaration names its file.
pub(super) fn moves(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    module: &Described,
    new: &str,
    refuse: &dyn Fn(String) -> EditError,
) -> Result<BTreeMap<String, String>, Halt> {
    let Some((_, folder)) = place(snapshot, files, module)? else { return Ok(BTreeMap::new()) };
    let above = parent_folder(&folder);
    let folder_to = if above.is_empty() { new.to_owned() } else { format!("{above}/{new}") };
    moves_to(snapshot, files, module, &folder_to, &|reason| Halt::from(refuse(reason)))
}

/// Where the files of a module go, if this becomes the folder of the modules in it.
pub(super) fn moves_to(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    module: &Described,
    folder_to: &str,
    refuse: &dyn Fn(String) -> Halt,
) -> Result<BTreeMap<String, String>, Halt> {
    let Some((own, folder)) = place(snapshot, files, module)? else { return Ok(BTreeMap::new()) };
    let below = format!("{folder}/");
    let mut found = BTreeMap::new();
    if let Some(own) = own {
        let to = match own.strip_suffix("/mod.rs") {
            Some(_) => format!("{folder_to}/mod.rs"),
            None => format!("{folder_to}.rs"),
        };
        found.insert(own, to);
    }
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let crates = queries.crates().map_err(EngineError::from)?;
    for path in snapshot.file_paths()? {
        let Some(rest) = path.strip_prefix(&below) else { continue };
        if crates.iter().any(|krate| krate.root_file == path) {
            return Err(refuse(format!("its folder has {path}, which is a crate of its own")));
        }
        found.insert(path.clone(), format!("{folder_to}/{rest}"));
    }
    let root = snapshot.database.need_root()?;
    for to in found.values() {
        if root.join(to).exists() {
            return Err(EditError::FileExists { file_path: to.clone() }.into());
        }
    }
    Ok(found)
}

/// The file of a module, if it has one, and the folder of the modules in it, whose names follow its
/// own; none if a `path` attribute says where they are.
pub(super) fn place(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    module: &Described,
) -> Result<Option<(Option<String>, String)>, Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let item = asof_wire::Item::from(module.clone());
    let is_file = |path: &str| -> Result<bool, EngineError> {
        Ok(queries.file_modules(path)?.iter().any(|one| one.id == module.id))
    };
    if is_file(&module.file_path)? {
        let Some((declared_in, index)) = target::declaration(snapshot, files, &item)? else {
            return Ok(None);
        };
        let loaded = files.loaded(snapshot, &declared_in)?;
        let header = loaded.facts.items.get(index as usize).map(|item| &item.header);
        if !matches!(header, Some(Header::Module { path: None, cfg_path, .. }) if cfg_path.is_empty())
        {
            return Ok(None);
        }
        let own = module.file_path.clone();
        let folder = own.strip_suffix("/mod.rs").or_else(|| own.strip_suffix(".rs"));
        let Some(folder) = folder.map(str::to_owned) else { return Ok(None) };
        return Ok(Some((Some(own), folder)));
    }
    // A module in braces: the files of the modules in it are in a folder of its name.
    let loaded = files.loaded(snapshot, &module.file_path)?;
    let own = loaded
        .facts
        .items
        .iter()
        .find(|one| one.kind == NodeKind::Module && one.span.start_byte == module.start_byte);
    if !matches!(own.map(|one| &one.header), Some(Header::Module { path: None, .. })) {
        return Ok(None);
    }
    let Some(parent) = module.parent_id else { return Ok(None) };
    let Some(parent) = queries.describe(&[parent]).map_err(EngineError::from)?.pop() else {
        return Ok(None);
    };
    let folder = match parent.parent_id {
        None => parent_folder(&parent.file_path).to_owned(),
        Some(_) => match place(snapshot, files, &parent)? {
            Some((_, folder)) => folder,
            None => return Ok(None),
        },
    };
    let folder =
        if folder.is_empty() { module.name.clone() } else { format!("{folder}/{}", module.name) };
    Ok(Some((None, folder)))
}
