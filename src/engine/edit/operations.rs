//! Edits of whole files: create, move, delete.

use std::collections::BTreeMap;

use super::choose::{self, Target};
use super::edit_target::Resolved;
use super::target::{self, Files, Halt};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_edit::{
    Change, CreateFileEdit, DeleteFileEdit, EditError, Expected, FileOp, FileView, ManifestEdit,
    Plan, PlannedFile, RenameFileEdit, StaleTarget,
};
use asof_model::RawHash;
use asof_query::Queries;
use asof_wire::{DependencyTable, Item};
use asof_workspace::{DeclaredTable, EntryEdit, edit_entries};

/// Operations on whole files, by path.
#[derive(Debug, Default)]
pub(super) struct Operations {
    files: BTreeMap<String, (usize, Operation)>,
}

#[derive(Debug, Clone)]
enum Operation {
    Create {
        code: String,
    },
    Delete {
        hash: RawHash,
        text: String,
    },
    /// To another path.
    Leave {
        hash: RawHash,
        to: String,
    },
    /// From another path.
    Arrive {
        text: String,
        from: String,
    },
    /// To another text.
    Rewrite {
        hash: RawHash,
        text: String,
        after: String,
    },
}

impl Operations {
    /// Adds the creation of a file.
    pub(super) fn create(
        &mut self,
        snapshot: &Snapshot<'_>,
        edit: &CreateFileEdit,
        number: usize,
    ) -> Result<Resolved, Halt> {
        let path = target::relative(snapshot, &edit.file_path)?;
        if snapshot.database.need_root()?.join(&path).exists() {
            return Err(EditError::FileExists { file_path: path }.into());
        }
        self.put(&path, number, Operation::Create { code: edit.code.clone() })?;
        Ok(of_file(path, None))
    }

    /// Adds the deletion of a file.
    pub(super) fn delete(
        &mut self,
        snapshot: &Snapshot<'_>,
        edit: &DeleteFileEdit,
        number: usize,
    ) -> Result<Resolved, Halt> {
        let path = target::relative(snapshot, &edit.file_path)?;
        let (hash, text) = read(snapshot, &path, edit.expected_file_hash.as_ref())?;
        self.put(&path, number, Operation::Delete { hash, text })?;
        Ok(of_file(path, Some(hash)))
    }

    /// Adds the move of a file.
    pub(super) fn rename(
        &mut self,
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        edit: &RenameFileEdit,
        number: usize,
    ) -> Result<Resolved, Halt> {
        let path = match (&edit.file_path, &edit.path) {
            (Some(path), None) => target::relative(snapshot, path)?,
            (None, Some(canon)) => {
                let target = Target { path: canon, kind: None, file: None, has: None };
                choose::item(snapshot, files, target)?.file_path
            }
            (given, _) => {
                let both = if given.is_some() { "both" } else { "neither" };
                let reason = format!("rename_file takes `file_path` or `path`: {both} is given");
                return Err(EditError::Malformed { reason }.into());
            }
        };
        let to = target::relative(snapshot, &edit.to)?;
        if snapshot.database.need_root()?.join(&to).exists() {
            return Err(EditError::FileExists { file_path: to }.into());
        }
        let (hash, text) = read(snapshot, &path, edit.expected_file_hash.as_ref())?;
        self.put(&path, number, Operation::Leave { hash, to: to.clone() })?;
        let from = path.clone();
        self.put(&to, number, Operation::Arrive { text, from })?;
        Ok(of_file(path, Some(hash)))
    }

    /// Adds the edit of a manifest's dependencies.
    pub(super) fn edit_manifest(
        &mut self,
        snapshot: &Snapshot<'_>,
        edit: &ManifestEdit,
        number: usize,
    ) -> Result<Resolved, Halt> {
        let path = target::relative(snapshot, &edit.file_path)?;
        if path.rsplit('/').next() != Some("Cargo.toml") {
            let reason = format!("{path} is no manifest: its name is not `Cargo.toml`");
            return Err(EditError::Malformed { reason }.into());
        }
        let (hash, text) = read(snapshot, &path, edit.expected_file_hash.as_ref())?;
        let entries: Vec<EntryEdit> = edit
            .entries
            .iter()
            .map(|entry| EntryEdit {
                table: declared_table(entry.table),
                platform: entry.platform.clone(),
                key: entry.key.clone(),
                to: entry.to.map(declared_table),
            })
            .collect();
        let malformed =
            |reason: String| EditError::Malformed { reason: format!("{path}: {reason}") };
        let after = edit_entries(&text, &entries).map_err(malformed)?;
        self.put(&path, number, Operation::Rewrite { hash, text, after })?;
        Ok(of_file(path, Some(hash)))
    }

    /// Deletes a module in its own file: the file and the declaration.
    pub(super) fn delete_module(
        &mut self,
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        item: &Item,
        number: usize,
    ) -> Result<Resolved, Halt> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let path = item.path.as_deref().unwrap_or(&item.name);
        let Some((declared_in, index)) = target::declaration(snapshot, files, item)? else {
            let reason = format!("`{path}` is the root of a crate: it has no declaration");
            return Err(EditError::Malformed { reason }.into());
        };
        let children = queries.children(&[item.id]).map_err(EngineError::from)?;
        let ids: Vec<_> = children.iter().map(|child| child.id).collect();
        if !queries.declared_at(&ids).map_err(EngineError::from)?.is_empty() {
            let reason = format!("`{path}` has modules in files of their own: delete those first");
            return Err(EditError::Malformed { reason }.into());
        }
        let (hash, text) = read(snapshot, &item.file_path, None)?;
        self.put(&item.file_path, number, Operation::Delete { hash, text: text.clone() })?;
        let Some(loaded) = files.get(&declared_in) else {
            return Err(Halt::Again { file_path: declared_in });
        };
        let view = FileView::new(&declared_in, &loaded.text, &loaded.facts);
        let change = asof_edit::delete(&view, index, number);
        let own = loaded.facts.items.get(index as usize).and_then(|item| {
            loaded.text.get(item.span.start_byte as usize..item.span.end_byte as usize)
        });
        let own = own.ok_or_else(|| EditError::internal("a declaration lies in its file"))?;
        let expected = Expected {
            id: Some(item.id),
            replaced: Vec::new(),
            own_text: Some(format!("{own}{text}")),
            start: None,
        };
        Ok(Resolved {
            file_path: declared_in,
            index: None,
            item: Some(item.clone()),
            change,
            moved: false,
            expected,
            refactored: None,
        })
    }

    fn put(&mut self, path: &str, number: usize, operation: Operation) -> Result<(), EditError> {
        match self.files.insert(path.to_owned(), (number, operation)) {
            None => Ok(()),
            Some((first, _)) => {
                let file_path = path.to_owned();
                Err(EditError::Conflict { file_path, first, second: number })
            }
        }
    }

    /// Refuses edits within files that are created, moved or deleted by the same request.
    pub(super) fn refuse_conflicts(&self, resolved: &[Resolved]) -> Result<(), EditError> {
        for (second, one) in resolved.iter().enumerate() {
            let moves = one.refactored.iter().flat_map(|all| &all.moves);
            let moved = moves.flat_map(|(from, to)| [from.as_str(), to.as_str()]);
            let created = one.refactored.iter().flat_map(|all| all.created.keys());
            for path in one.spliced_files().chain(moved).chain(created.map(String::as_str)) {
                if let Some((first, _)) = self.files.get(path) {
                    let file_path = path.to_owned();
                    return Err(EditError::Conflict { file_path, first: *first, second });
                }
            }
        }
        Ok(())
    }

    /// Adds the files to the plan.
    pub(super) fn plan(&self, plan: &mut Plan) -> Result<(), EditError> {
        for (path, (_, operation)) in &self.files {
            let name = Some(path.as_str());
            let (op, before_hash, after, diff) = match operation {
                Operation::Create { code } => {
                    create_file(plan, path, code)?;
                    continue;
                }
                Operation::Delete { hash, text } => {
                    let diff = asof_edit::unified(name, text, None, "");
                    (FileOp::Delete, Some(*hash), None, diff)
                }
                Operation::Leave { hash, to } => {
                    let diff = asof_edit::unified(name, "", Some(to), "");
                    (FileOp::RenameTo { to: to.clone() }, Some(*hash), None, diff)
                }
                Operation::Rewrite { hash, text, after } => {
                    let diff = asof_edit::unified(name, text, name, after);
                    (FileOp::Modify, Some(*hash), Some(after.clone()), diff)
                }
                Operation::Arrive { text, from } => {
                    let op = FileOp::RenameFrom { from: from.clone() };
                    (op, None, Some(text.clone()), String::new())
                }
            };
            let after_hash = after.as_ref().map(|text| RawHash::hash(text.as_bytes()));
            let file_path = path.clone();
            plan.files.push(PlannedFile {
                file_path,
                op,
                before_hash,
                after_hash,
                after,
                patch: None,
                diff,
            });
        }
        Ok(())
    }
}

fn declared_table(table: DependencyTable) -> DeclaredTable {
    match table {
        DependencyTable::Normal => DeclaredTable::Normal,
        DependencyTable::Dev => DeclaredTable::Dev,
        DependencyTable::Build => DeclaredTable::Build,
        DependencyTable::Workspace => DeclaredTable::Workspace,
    }
}

/// An edit of a whole file. What it replaces is the text with this hash.
fn of_file(file_path: String, hash: Option<RawHash>) -> Resolved {
    let replaced = hash.map(|hash| hash.to_string()).into_iter().collect();
    Resolved {
        file_path,
        index: None,
        item: None,
        change: Change::of_bytes(Vec::new()),
        moved: false,
        expected: Expected { replaced, ..Expected::default() },
        refactored: None,
    }
}

/// Adds a file that does not exist yet.
pub(super) fn create_file(plan: &mut Plan, path: &str, code: &str) -> Result<(), EditError> {
    parses(path, code, plan)?;
    plan.files.push(PlannedFile {
        file_path: path.to_owned(),
        op: FileOp::Create,
        before_hash: None,
        after_hash: Some(RawHash::hash(code.as_bytes())),
        after: Some(code.to_owned()),
        patch: None,
        diff: asof_edit::unified(None, "", Some(path), code),
    });
    Ok(())
}

/// Moves a file whose changes are planned already, or that has none.
pub(super) fn move_file(plan: &mut Plan, from: &str, to: &str, text: &str, hash: RawHash) {
    let at = plan.files.iter().position(|file| file.file_path == from);
    let changed = at.map(|at| plan.files.remove(at)).and_then(|file| file.after);
    let after = changed.unwrap_or_else(|| text.to_owned());
    plan.files.push(PlannedFile {
        file_path: from.to_owned(),
        op: FileOp::RenameTo { to: to.to_owned() },
        before_hash: Some(hash),
        after_hash: None,
        after: None,
        patch: None,
        diff: asof_edit::unified(Some(from), text, Some(to), &after),
    });
    plan.files.push(PlannedFile {
        file_path: to.to_owned(),
        op: FileOp::RenameFrom { from: from.to_owned() },
        before_hash: None,
        after_hash: Some(RawHash::hash(after.as_bytes())),
        after: Some(after),
        patch: None,
        diff: String::new(),
    });
}

fn read(
    snapshot: &Snapshot<'_>,
    path: &str,
    expected: Option<&RawHash>,
) -> Result<(RawHash, String), EngineError> {
    let root = snapshot.database.need_root()?;
    if !root.join(path).exists() {
        return Err(EditError::NoFile { file_path: path.to_owned() }.into());
    }
    let bytes = asof_workspace::read_file(root, path, asof_syntax::MAX_FILE_BYTES as u64);
    let bytes = bytes.map_err(|source| EngineError::Io {
        action: "read",
        path: root.join(path),
        source: std::io::Error::other(source.message),
    })?;
    let hash = RawHash::hash(&bytes);
    if expected.is_some_and(|expected| *expected != hash) {
        let stale = StaleTarget {
            subject: path.to_owned(),
            file_path: path.to_owned(),
            reason: "the file is not the one that the edit was made for".to_owned(),
            span: None,
            tracking_hash: None,
            file_hash: Some(hash.to_string()),
            diff: String::new(),
        };
        return Err(EditError::Stale(Box::new(stale)).into());
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| EditError::NotIndexed { file_path: path.to_owned() })?;
    Ok((hash, text))
}

fn parses(path: &str, code: &str, plan: &mut Plan) -> Result<(), EditError> {
    if !path.ends_with(".rs") {
        return Ok(());
    }
    let facts = asof_syntax::parse_file_isolated(path, code.as_bytes());
    match asof_edit::does_not_parse(&facts, code) {
        Some(error) if plan.allow_broken => plan.warnings.push(error.to_string()),
        Some(error) => return Err(error),
        None => {}
    }
    Ok(())
}
