//! Questions with typed answers: one method a program, the rows as structs.

use super::error::QueryError;
use super::library::run;
use crate::model::{
    Micros, Namespace, NodeId, NodeKind, RawHash, RevisionId, ShapeHash, TextHash, TrackingHash,
};
use crate::store::{FromRow, Params, Row, Store, StoreError, Value};

/// Structs that decode from rows by the names of their fields.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name { $(pub $field: $kind,)* }

        impl FromRow for $name {
            fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {
                Ok(Self { $($field: row.get(stringify!($field))?,)* })
            }
        }
    )*};
}
pub(super) use rows;

rows! {
    /// A definition at a path.
    PathHit {
        id: NodeId,
        kind: NodeKind,
        name: String,
    }

    /// A definition of a name.
    NameHit {
        id: NodeId,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        file_path: String,
    }

    /// A definition below a path.
    BelowPath {
        path: String,
        id: NodeId,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
    }

    /// A name with one of its definitions.
    Suggestion {
        name: String,
        canonical_path: String,
    }

    /// A crate with its root module.
    CrateRoot {
        root_id: NodeId,
        crate_name: String,
        target_kind: String,
        target: String,
        root_file: String,
        manifest_path: String,
        package: Option<String>,
        edition: String,
    }

    /// What there is to say of a definition.
    Described {
        id: NodeId,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        file_path: String,
        file_hash: RawHash,
        tracking_hash: TrackingHash,
        start_byte: u32,
        end_byte: u32,
        start_line: u32,
        end_line: u32,
        name_line: u32,
        name_start: u32,
        namespace: Namespace,
        module_path: Vec<String>,
        visibility: String,
        signature: String,
        cfg: String,
        docs: String,
        shape_hash: ShapeHash,
        parent_id: Option<NodeId>,
        module_id: NodeId,
        root_id: NodeId,
        text_hash: Option<TextHash>,
        in_test: bool,
    }

    /// An item of a container. `ordinal` grows in the order of the text.
    Child {
        parent_id: NodeId,
        ordinal: u32,
        id: NodeId,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        visibility: String,
        signature: String,
        cfg: String,
        docs: String,
        tracking_hash: TrackingHash,
    }

    /// A module with its file.
    ModuleFile {
        id: NodeId,
        module_kind: String,
        file_path: String,
        namespace: Namespace,
        module_path: Vec<String>,
        tracking_hash: TrackingHash,
    }

    /// A node that is there.
    NodeAt {
        id: NodeId,
        kind: NodeKind,
        tracking_hash: TrackingHash,
        file_path: String,
        start_byte: u32,
        end_byte: u32,
        start_line: u32,
        end_line: u32,
    }

    /// Rows of a relation.
    RelationCount {
        relation: String,
        rows: u64,
    }

    /// Definitions of a kind.
    KindCount {
        kind: NodeKind,
        definitions: u64,
    }

    /// What could not be known.
    StoredIssue {
        file_path: String,
        ordinal: u32,
        kind: String,
        message: String,
        start_byte: Option<u32>,
        end_byte: Option<u32>,
        start_line: Option<u32>,
        end_line: Option<u32>,
    }

    /// A name that was not found.
    UnresolvedRow {
        text: String,
        kind: String,
        source: NodeId,
        source_path: Option<String>,
        name: String,
        origin: NodeId,
        file_path: String,
        external: bool,
    }

    /// A file.
    FileRow {
        file_path: String,
        raw_hash: RawHash,
        token_hash: TrackingHash,
        len: u32,
        lines: u32,
        partial: bool,
        text_hash: TextHash,
    }

    /// A module that a file is the body of.
    FileModule {
        id: NodeId,
        canonical_path: Option<String>,
        module_kind: String,
        root_id: NodeId,
        namespace: Namespace,
    }

    /// An item of a file.
    FileItem {
        id: NodeId,
        parent_id: NodeId,
        kind: NodeKind,
        name: String,
        canonical_path: Option<String>,
        signature: String,
        cfg: String,
        tracking_hash: TrackingHash,
        start_byte: u32,
        end_byte: u32,
        start_line: u32,
        end_line: u32,
        name_start: u32,
        name_line: u32,
    }

    /// A piece of a source, to be put where the layout says; `source` is compressed.
    TextPart {
        top_id: NodeId,
        id: NodeId,
        parent_id: Option<NodeId>,
        start_byte: u32,
        end_byte: u32,
        text_hash: Option<TextHash>,
        source: Option<Vec<u8>>,
    }

    /// A revision.
    Revision {
        at: Micros,
        id: RevisionId,
        cause: String,
        actor: Option<String>,
        message: Option<String>,
        commit: Option<String>,
        files: u32,
        rows: u32,
        clock: Option<Micros>,
    }
}

/// The store as of one time: every answer of one value is of one snapshot.
#[derive(Debug, Clone, Copy)]
pub struct Queries<'a> {
    store: &'a Store,
    at: Micros,
}

impl<'a> Queries<'a> {
    /// The store as of this time.
    pub fn at(store: &'a Store, at: Micros) -> Self {
        Self { store, at }
    }

    /// The time that answers are of.
    pub fn time(&self) -> Micros {
        self.at
    }

    pub(super) fn ask<T: FromRow>(
        &self,
        name: &str,
        given: &[(&str, Value)],
    ) -> Result<Vec<T>, QueryError> {
        let mut params = Params::new().with("at", self.at);
        for (name, value) in given {
            params.insert(name, value.clone());
        }
        Ok(run(self.store, name, params)?.decode()?)
    }

    /// Crates of this name.
    pub fn roots(&self, crate_name: &str) -> Result<Vec<CrateRoot>, QueryError> {
        self.ask("resolve/roots", &[("crate_name", crate_name.into())])
    }

    /// Every crate.
    pub fn crates(&self) -> Result<Vec<CrateRoot>, QueryError> {
        self.ask("resolve/crates", &[])
    }

    /// Definitions at a canonical path.
    pub fn by_path(&self, path: &str) -> Result<Vec<PathHit>, QueryError> {
        self.ask("resolve/by_path", &[("path", path.into())])
    }

    /// Definitions of a bare name.
    pub fn by_name(&self, name: &str) -> Result<Vec<NameHit>, QueryError> {
        self.ask("resolve/by_name", &[("name", name.into())])
    }

    /// What stands directly below the definitions at these paths.
    pub fn children_of_paths(&self, paths: &[String]) -> Result<Vec<BelowPath>, QueryError> {
        self.ask("resolve/children_of_paths", &[("paths", Value::list(paths.iter().cloned()))])
    }

    /// Names that begin with these letters.
    pub fn names_starting(&self, prefix: &str, limit: i64) -> Result<Vec<Suggestion>, QueryError> {
        self.ask("resolve/names_starting", &[("prefix", prefix.into()), ("limit", limit.into())])
    }

    /// What stands directly in containers.
    pub fn children(&self, ids: &[NodeId]) -> Result<Vec<Child>, QueryError> {
        self.ask("inspect/children", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// What there is to say of definitions.
    pub fn describe(&self, ids: &[NodeId]) -> Result<Vec<Described>, QueryError> {
        self.ask("resolve/describe", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Files of the modules at a path.
    pub fn module_files(&self, path: &str) -> Result<Vec<ModuleFile>, QueryError> {
        self.ask("inspect/module_files", &[("path", path.into())])
    }

    /// Those of the nodes that are there.
    pub fn node_at(&self, ids: &[NodeId]) -> Result<Vec<NodeAt>, QueryError> {
        self.ask("inspect/node_at", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Rows of each versioned relation.
    pub fn counts(&self) -> Result<Vec<RelationCount>, QueryError> {
        self.ask("inspect/counts", &[])
    }

    /// Definitions of each kind.
    pub fn kinds(&self) -> Result<Vec<KindCount>, QueryError> {
        self.ask("inspect/kinds", &[])
    }

    /// Every issue.
    pub fn issues(&self) -> Result<Vec<StoredIssue>, QueryError> {
        self.ask("inspect/issues", &[])
    }

    /// Names that were not found, or those that lie outside.
    pub fn unresolved(&self, external: bool) -> Result<Vec<UnresolvedRow>, QueryError> {
        self.ask("inspect/unresolved", &[("external", external.into())])
    }

    /// A file.
    pub fn file(&self, file_path: &str) -> Result<Option<FileRow>, QueryError> {
        Ok(self.ask("inspect/file", &[("file_path", file_path.into())])?.pop())
    }

    /// Modules that a file is the body of.
    pub fn file_modules(&self, file_path: &str) -> Result<Vec<FileModule>, QueryError> {
        self.ask("inspect/file_modules", &[("file_path", file_path.into())])
    }

    /// Everything in a file, in the order of the text.
    pub fn file_items(&self, file_path: &str) -> Result<Vec<FileItem>, QueryError> {
        self.ask("inspect/file_items", &[("file_path", file_path.into())])
    }

    /// Items that hold a byte, the innermost first.
    pub fn item_at(&self, file_path: &str, byte: u32) -> Result<Vec<FileItem>, QueryError> {
        self.ask("inspect/item_at", &[("file_path", file_path.into()), ("byte", byte.into())])
    }

    /// Pieces that the sources of items are put together from.
    pub fn texts(&self, ids: &[NodeId]) -> Result<Vec<TextPart>, QueryError> {
        self.ask("show/texts", &[("ids", Value::list(ids.iter().copied()))])
    }

    /// Revisions before a time, the newest first.
    pub fn revisions(&self, limit: i64, before: Micros) -> Result<Vec<Revision>, QueryError> {
        self.ask("history/revisions", &[("limit", limit.into()), ("before", before.into())])
    }

    /// The newest revision, whatever the time of the others.
    pub fn newest_revision(store: &Store) -> Result<Option<Revision>, QueryError> {
        Ok(Queries::at(store, Micros(0)).ask("history/newest", &[])?.pop())
    }
}
