//! Collects the rows of a run and writes them in its one transaction.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;
use std::sync::mpsc::SyncSender;

use super::changed_definitions::Touched;
use super::content::{Columns, Content, layout_children, text_hash_in};
use super::current::is_manifest;
use super::error::IndexError;
use super::parse::{Packed, Parsed, pack};
use super::revision::Stamp;
use super::stats::FileStat;
use super::texts;
use super::uses::{ExternalNames, FileRows, UsesWriter};
use asof_model::{FileFacts, Issue, Micros, NodeId, TextHash};
use asof_store::{Batch, Store, StoreError, Streamed, Value};

/// Rows that are passed on at once, in the first run: enough that neighbours go to the same page.
const BATCH: usize = 4096;

/// Ordinals of issues: those of the parser from 0, of the module tree from here, …
pub(super) const TREE_ISSUES: i64 = 1_000;
/// … and of walking, reading and manifests from here.
const WALK_ISSUES: i64 = 2_000;

/// The rows of one run.
pub(super) struct Writer {
    /// The timestamp of everything that is written.
    pub at: Micros,
    pub stamp: Stamp,
    pub batch: Batch,
    /// Issues by key, in the new state.
    pub issues: BTreeMap<(String, i64), Columns>,
    old_issues: BTreeMap<(String, i64), Columns>,
    /// Texts that are not known to be stored.
    texts: BTreeMap<TextHash, Packed>,
    /// Texts of earlier versions, and those of the versions that replace them.
    replaced: BTreeMap<TextHash, TextHash>,
    uses: UsesWriter,
    touched: Touched,
    /// Hash of all item trees in the new state, if names were resolved.
    pub item_trees: Option<String>,
    /// Where rows are written while others are made, in the first run.
    stream: Option<SyncSender<Streamed>>,
    /// Versioned rows that went there.
    streamed: usize,
}

impl Writer {
    /// A writer at this time (the clock's if none), or just after `last` if that is later.
    pub fn new(
        now: Option<Micros>,
        last: Option<Micros>,
        old_issues: BTreeMap<(String, i64), Columns>,
        stream: Option<SyncSender<Streamed>>,
    ) -> Result<Self, IndexError> {
        let stamp = Stamp::new(now, last)?;
        Ok(Self {
            at: stamp.at,
            stamp,
            batch: Batch::new(),
            issues: old_issues.clone(),
            old_issues,
            texts: BTreeMap::new(),
            replaced: BTreeMap::new(),
            uses: UsesWriter::default(),
            touched: Touched::default(),
            item_trees: None,
            stream,
            streamed: 0,
        })
    }

    /// Passes the rows so far on, if they are written while others are made. All rows of their
    /// relations have to be among them.
    pub fn pass_on(&mut self) {
        if let Some(stream) = &self.stream {
            self.streamed += self.batch.versioned_len();
            // A writer that failed reports it itself.
            let _ = stream.send(Streamed::Rows(take(&mut self.batch)));
        }
    }

    /// Adds rows that were made on another thread, and passes all on once there are many.
    pub fn add(&mut self, rows: Batch) {
        self.batch.append(rows);
        if self.batch.len() >= BATCH {
            self.pass_on();
        }
    }

    /// Writes the terms of files whose text changed, and removes those of files that are gone.
    pub fn terms(
        &mut self,
        parsed: &mut Parsed,
        gone: &[String],
        known: &BTreeMap<String, FileStat>,
    ) -> Result<(), StoreError> {
        for (path, terms) in take(&mut parsed.terms) {
            if terms.sections.is_none() && known.contains_key(&path) {
                self.batch.remove("section_terms", [path.as_str().into()])?;
            }
            terms.put(&path, &mut self.batch)?;
        }
        for path in gone.iter().chain(parsed.unreadable.keys()) {
            if known.contains_key(path) {
                self.batch.remove("search_terms", [path.as_str().into()])?;
                self.batch.remove("section_terms", [path.as_str().into()])?;
            }
        }
        Ok(())
    }

    /// Number of rows for versioned relations.
    pub fn versioned_len(&self) -> usize {
        self.streamed + self.batch.versioned_len()
    }

    /// Writes the differences between old and new content rows.
    pub fn content(&mut self, old: &Content, new: Content) -> Result<(), StoreError> {
        self.touched.compare(&old.nodes, &new.nodes);
        for (id, columns) in &new.nodes {
            if let Some(old) = old.nodes.get(id).and_then(text_hash_in)
                && let Some(new) = text_hash_in(columns)
            {
                self.replaces_text(old, new);
            }
        }
        self.rows("node", &old.nodes, new.nodes)?;
        self.rows("module", &old.modules, new.modules)?;
        self.rows("metric", &old.metrics, new.metrics)?;
        self.rows("condition", &old.conditions, new.conditions)?;
        self.rows("layout", &old.layouts, new.layouts)
    }

    /// Writes the list of definitions that the run touches. Not for the first revision of a
    /// database, where it would be all of them.
    pub fn changes(&mut self) -> Result<(), StoreError> {
        take(&mut self.touched).write(&mut self.batch, self.at)
    }

    fn rows(
        &mut self,
        relation: &str,
        old: &BTreeMap<NodeId, Columns>,
        new: BTreeMap<NodeId, Columns>,
    ) -> Result<(), StoreError> {
        for (id, values) in old.iter().filter(|(id, _)| !new.contains_key(id)) {
            self.batch.retract(relation, self.at, [(*id).into()], values.iter().cloned())?;
        }
        for (id, values) in new {
            if old.get(&id) != Some(&values) {
                self.batch.assert(relation, self.at, [id.into()], values)?;
            }
        }
        Ok(())
    }

    /// Writes the differences between old and new rows of a file's references.
    pub fn uses(&mut self, path: &str, old: &FileRows, new: FileRows) -> Result<(), IndexError> {
        self.uses.write(&mut self.batch, self.at, path, old, new)
    }

    /// Adds rows of references of a file that has none yet: [`FileRows::first`], and the names of
    /// their targets.
    pub fn first_uses(&mut self, rows: Batch, names: ExternalNames) -> Result<(), StoreError> {
        self.uses.name_all(&mut self.batch, names)?;
        self.add(rows);
        Ok(())
    }

    /// Writes the row of a parsed file if it differs.
    pub fn file(
        &mut self,
        facts: &FileFacts,
        item_tree_hash: &str,
        old: Option<&Columns>,
    ) -> Result<(), StoreError> {
        let text = facts.items.first().and_then(|i| i.text.as_ref()).map(|(hash, _)| hash.as_str());
        let values: Columns = vec![
            facts.raw_hash.into(),
            facts.token_hash.into(),
            item_tree_hash.into(),
            text.unwrap_or_default().into(),
            facts.len.into(),
            facts.lines.into(),
            facts.partial.into(),
        ];
        if old != Some(&values) {
            self.batch.assert("file", self.at, [facts.path.as_str().into()], values)?;
        }
        Ok(())
    }

    /// Adds a text, once.
    pub fn text(&mut self, text: Packed) {
        self.texts.insert(text.0, text);
    }

    /// Notes hashes of the text of an earlier version and of the one that replaces it.
    pub fn replaces_text(&mut self, old: &Value, new: &Value) {
        if old == new {
            return;
        }
        let hash = |value: &Value| match value {
            Value::Str(hash) => hash.parse::<TextHash>().ok(),
            _ => None,
        };
        if let (Some(old), Some(new)) = (hash(old), hash(new)) {
            self.replaced.entry(old).or_insert(new);
        }
    }

    /// Puts the texts into the batch, those of earlier versions as differences.
    pub fn write_texts(&mut self, store: &Store) -> Result<(), IndexError> {
        let (texts, replaced) = (take(&mut self.texts), take(&mut self.replaced));
        texts::write(store, texts, replaced, &mut self.batch)
    }

    /// Adds the texts of parsed files that are not among the known ones.
    pub fn texts(&mut self, parsed: &Parsed, known: &BTreeSet<TextHash>) -> Result<(), IndexError> {
        let known_file =
            |path: &String| parsed.streamed.contains(path) || parsed.for_uses.contains(path);
        let waiting = parsed.facts.iter().filter(|(path, _)| !known_file(path));
        let items = waiting.flat_map(|(_, facts)| &facts.items);
        for (hash, text) in items.filter_map(|item| item.text.as_ref()) {
            if !known.contains(hash) {
                self.text(pack(*hash, text)?);
            }
        }
        Ok(())
    }

    /// Replaces the issues of one class and file; of all files if `file` is none.
    pub fn issues(&mut self, class: i64, file: Option<&str>, issues: &[&Issue]) {
        let end = if class == 0 { TREE_ISSUES } else { class + TREE_ISSUES };
        match file {
            Some(file) => {
                let range = (file.to_owned(), class)..(file.to_owned(), end);
                let old: Vec<_> = self.issues.range(range).map(|(key, _)| key.clone()).collect();
                old.iter().for_each(|key| drop(self.issues.remove(key)));
            }
            None => self.issues.retain(|(_, ordinal), _| !(class..end).contains(ordinal)),
        }
        let mut next: BTreeMap<&str, i64> = BTreeMap::new();
        for issue in issues {
            let ordinal = next.entry(&issue.file_path).or_insert(class);
            if *ordinal < end {
                self.issues.insert((issue.file_path.clone(), *ordinal), issue_columns(issue));
            }
            *ordinal += 1;
        }
    }

    /// Replaces the issues of the walk. `same_manifests`: those of manifests stay.
    pub fn walk_issues(&mut self, issues: &[&Issue], same_manifests: bool) {
        let of_manifests: BTreeMap<_, _> = if same_manifests {
            self.issues
                .iter()
                .filter(|((path, class), _)| *class >= WALK_ISSUES && is_manifest(path))
                .map(|(key, columns)| (key.clone(), columns.clone()))
                .collect()
        } else {
            BTreeMap::new()
        };
        self.issues(WALK_ISSUES, None, issues);
        self.issues.extend(of_manifests);
    }

    /// Drops the issues of a file that is no longer there.
    pub fn remove_issues(&mut self, file: &str) {
        let range = (file.to_owned(), i64::MIN)..=(file.to_owned(), i64::MAX);
        let old: Vec<_> = self.issues.range(range).map(|(key, _)| key.clone()).collect();
        old.iter().for_each(|key| drop(self.issues.remove(key)));
    }

    /// Puts the differences of the issues into the batch.
    pub fn write_issues(&mut self) -> Result<(), StoreError> {
        let key = |(path, ordinal): &(String, i64)| [path.as_str().into(), (*ordinal).into()];
        for (at, values) in &self.old_issues {
            if !self.issues.contains_key(at) {
                self.batch.retract("issue", self.at, key(at), values.iter().cloned())?;
            }
        }
        for (at, values) in &self.issues {
            if self.old_issues.get(at) != Some(values) {
                self.batch.assert("issue", self.at, key(at), values.iter().cloned())?;
            }
        }
        Ok(())
    }
}

fn issue_columns(issue: &Issue) -> Columns {
    let span = issue.span;
    vec![
        issue.kind.as_str().into(),
        issue.message.as_str().into(),
        span.map(|s| s.start_byte).into(),
        span.map(|s| s.end_byte).into(),
        span.map(|s| s.start_line).into(),
        span.map(|s| s.end_line).into(),
    ]
}

/// Texts that layout rows refer to.
pub(super) fn known_texts<'a>(
    layouts: impl IntoIterator<Item = &'a Columns>,
) -> BTreeSet<TextHash> {
    /// Index of the text hash in the position of a child.
    const IN_PLACE: usize = 6;
    let mut known = BTreeSet::new();
    for (_, place) in layouts.into_iter().flat_map(layout_children) {
        if let Some(text) = place.get(IN_PLACE).and_then(serde_json::Value::as_str) {
            known.extend(text.parse::<TextHash>());
        }
    }
    known
}
