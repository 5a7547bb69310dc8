//! Inspecting the database and files.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Instant, UNIX_EPOCH};

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::{NodeId, RawHash, Span};
use asof_query::Queries;
use asof_wire::{
    Answer, Condition, FileMetadata, IssueRow, Item, KindCount, ModuleFile, NodePresence,
    OutlineItem, RelationCount, UnresolvedRow,
};

/// Which undefined names are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndefinedNames {
    /// Names of dependencies and standard crates.
    External,
    /// Names without a known definition.
    Unknown,
}

impl Snapshot<'_> {
    fn queries(&self) -> Queries<'_> {
        Queries::at(self.store(), self.at)
    }

    /// Metadata of a file, indexed or not. The path is relative to the root, or absolute below it.
    pub fn file(&self, path: &str) -> Result<Answer<FileMetadata>, EngineError> {
        let started = Instant::now();
        let root = self.database.need_root()?;
        let relative = relative(root, path)?;
        let row = self.queries().file(&relative)?;
        let meta = asof_workspace::real_file(root, &relative);
        let meta = meta.and_then(|full| std::fs::symlink_metadata(full).ok());
        let bytes = asof_workspace::read_file(root, &relative, u64::MAX);
        let file_hash = bytes.as_ref().ok().map(|bytes| RawHash::hash(bytes));
        let modified = meta.as_ref().and_then(|m| m.modified().ok());
        let modified = modified.and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        let item = FileMetadata {
            ok: file_hash.is_some(),
            exists: meta.is_some(),
            byte_len: meta.as_ref().map(std::fs::Metadata::len),
            modified_ms: modified.and_then(|d| i64::try_from(d.as_millis()).ok()),
            file_hash,
            tracking_hash: row.as_ref().map(|r| r.token_hash),
            indexed: row.is_some(),
            in_sync: row.as_ref().is_some_and(|r| Some(r.raw_hash) == file_hash),
            partial: row.as_ref().is_some_and(|r| r.partial),
            file_path: relative,
        };
        Ok(self.answer(started, vec![item], None))
    }

    /// Files of the modules at a canonical path.
    pub fn module_files(&self, items: &[Item]) -> Result<Answer<ModuleFile>, EngineError> {
        let started = Instant::now();
        let queries = self.queries();
        let mut files = Vec::new();
        let mut paths: Vec<&str> = items.iter().filter_map(|i| i.path.as_deref()).collect();
        paths.dedup();
        for path in paths {
            files.extend(queries.module_files(path)?.into_iter().map(|m| ModuleFile {
                id: m.id,
                module_path: m.module_path,
                module_kind: m.module_kind,
                file_path: m.file_path,
                namespace: m.namespace,
                tracking_hash: m.tracking_hash,
            }));
        }
        files.retain(|f| items.iter().any(|i| i.id == f.id));
        Ok(self.answer(started, files, None))
    }

    /// Whether these nodes exist, with hash and span. Absence is an answer.
    pub fn nodes(&self, ids: &[NodeId]) -> Result<Answer<NodePresence>, EngineError> {
        let started = Instant::now();
        let found = self.queries().node_at(ids)?;
        let items = ids.iter().map(|id| {
            let row = found.iter().find(|row| row.id == *id);
            NodePresence {
                id: *id,
                present: row.is_some(),
                kind: row.map(|r| r.kind),
                tracking_hash: row.map(|r| r.tracking_hash),
                file_path: row.map(|r| r.file_path.clone()),
                span: row.map(|r| Span {
                    start_byte: r.start_byte,
                    end_byte: r.end_byte,
                    start_line: r.start_line,
                    end_line: r.end_line,
                }),
            }
        });
        Ok(self.answer(started, items.collect(), None))
    }

    /// Definitions by id.
    pub fn items(&self, ids: &[NodeId]) -> Result<Vec<Item>, EngineError> {
        Ok(self.queries().describe(ids)?.into_iter().map(Item::from).collect())
    }

    /// Number of rows of each relation.
    pub fn counts(&self) -> Result<Answer<RelationCount>, EngineError> {
        let started = Instant::now();
        let counts = self.queries().counts()?.into_iter();
        let counts = counts.map(|c| RelationCount { relation: c.relation, rows: c.rows });
        Ok(self.answer(started, counts.collect(), None))
    }

    /// Number of definitions by kind.
    pub fn kinds(&self) -> Result<Answer<KindCount>, EngineError> {
        let started = Instant::now();
        let kinds = self.queries().kinds()?.into_iter();
        let kinds = kinds.map(|k| KindCount { kind: k.kind, definitions: k.definitions });
        Ok(self.answer(started, kinds.collect(), None))
    }

    /// The conditions under which definitions exist, the most frequent first.
    ///
    /// # Errors
    /// A failure of the database.
    pub fn conditions(&self, limit: Option<usize>) -> Result<Answer<Condition>, EngineError> {
        let started = Instant::now();
        let rows = self.queries().conditions()?;
        let mut found: BTreeMap<String, (Condition, BTreeSet<&str>)> = BTreeMap::new();
        for row in &rows {
            let own = asof_model::Condition::parse(&row.own);
            let own = (!own.is_always()).then(|| own.to_string());
            let mut count = |condition: &str, add: fn(&mut Condition, u64)| {
                let (one, files) = found.entry(condition.to_owned()).or_default();
                add(one, row.definitions);
                files.insert(&row.file_path);
            };
            count(&row.condition, |one, definitions| one.effective += definitions);
            if let Some(own) = own {
                count(&own, |one, definitions| one.definitions += definitions);
            }
        }
        let files = |files: BTreeSet<&str>| files.len() as u64;
        let mut all: Vec<Condition> = found
            .into_iter()
            .map(|(condition, (one, of))| Condition { condition, files: files(of), ..one })
            .collect();
        all.sort_by_key(|one| (Reverse(one.effective), Reverse(one.definitions)));
        Ok(self.answer(started, all, limit))
    }

    /// What could not be read or parsed.
    pub fn issues(&self, limit: Option<usize>) -> Result<Answer<IssueRow>, EngineError> {
        let started = Instant::now();
        let issues = self.queries().issues()?.into_iter().map(|i| IssueRow {
            span: match (i.start_byte, i.end_byte, i.start_line, i.end_line) {
                (Some(start_byte), Some(end_byte), Some(start_line), Some(end_line)) => {
                    Some(Span { start_byte, end_byte, start_line, end_line })
                }
                _ => None,
            },
            file_path: i.file_path,
            kind: i.kind,
            message: i.message,
        });
        Ok(self.answer(started, issues.collect(), limit))
    }

    /// Names that the workspace does not define: those of other crates, or those without a known
    /// definition.
    pub fn unresolved(
        &self,
        names: UndefinedNames,
        limit: Option<usize>,
    ) -> Result<Answer<UnresolvedRow>, EngineError> {
        let started = Instant::now();
        let rows =
            self.queries().unresolved(names == UndefinedNames::External)?.into_iter().map(|u| {
                UnresolvedRow {
                    text: u.text,
                    kind: u.kind,
                    name: u.name,
                    source_path: u.source_path,
                    file_path: u.file_path,
                    external: u.external,
                }
            });
        Ok(self.answer(started, rows.collect(), limit))
    }

    /// Items of a file around a byte, innermost first.
    pub fn item_at(&self, path: &str, byte: u32) -> Result<Answer<OutlineItem>, EngineError> {
        let started = Instant::now();
        let path = self.indexed(path)?;
        let items = self.queries().item_at(&path, byte)?.into_iter().map(in_file);
        Ok(self.answer(started, items.collect(), None))
    }

    /// Path of an indexed file, relative to the root.
    pub(crate) fn indexed(&self, path: &str) -> Result<String, EngineError> {
        let path = match &self.database.root {
            Some(root) => relative(root, path)?,
            None => path.to_owned(),
        };
        match self.queries().file(&path)? {
            Some(_) => Ok(path),
            None => Err(EngineError::NotFound {
                what: format!("{path} is not indexed"),
                hint: Hint::DescribeFile,
            }),
        }
    }
}

fn in_file(i: asof_query::FileItem) -> OutlineItem {
    OutlineItem {
        id: i.id,
        parent_id: i.parent_id,
        kind: i.kind,
        name: i.name,
        path: i.canonical_path,
        signature: i.signature,
        cfg: i.cfg,
        tracking_hash: i.tracking_hash,
        span: Some(Span {
            start_byte: i.start_byte,
            end_byte: i.end_byte,
            start_line: i.start_line,
            end_line: i.end_line,
        }),
    }
}

/// Path relative to the root, without `.` and `..`. Paths outside are refused.
pub(crate) fn relative(root: &Path, path: &str) -> Result<String, EngineError> {
    let outside = || EngineError::BadRequest {
        what: format!("{path} is outside {}", root.display()),
        hint: "give a file of the workspace, relative to its root".into(),
    };
    let given = Path::new(path);
    let inside =
        if given.is_absolute() { given.strip_prefix(root).map_err(|_| outside())? } else { given };
    let mut parts: Vec<String> = Vec::new();
    for part in inside.components() {
        match part {
            std::path::Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                parts.pop().ok_or_else(outside)?;
            }
            _ => return Err(outside()),
        }
    }
    if parts.is_empty() { Err(outside()) } else { Ok(parts.join("/")) }
}
