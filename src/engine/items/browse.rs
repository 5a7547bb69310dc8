//! Data for reading code in the explorer: targets of names, users of definitions, lists of files
//! and crates, revisions around a moment.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use crate::database::{Database, Snapshot};
use crate::error::EngineError;
use asof_model::{HashMap, Micros, NodeId, NodeKind, RefKind, Span};
use asof_query::{Changes, FileItem, FileQuality, Queries, StoredUse, TargetName};
use asof_wire::{
    Answer, CrateSummary, Event, FileSource, FileSummary, LinkTarget, SourceItem, SourceLink,
    Timeline, TimelineEntry,
};

impl Snapshot<'_> {
    /// Items and names of other crates by their ids.
    pub(super) fn link_targets(&self, ids: &[NodeId]) -> Result<Vec<LinkTarget>, EngineError> {
        let rows = Queries::at(self.store(), self.at).target_names(ids)?.into_iter();
        let target = |row: TargetName| LinkTarget {
            id: row.id,
            kind: row.kind,
            path: row.path,
            file_path: row.file_path,
        };
        Ok(rows.map(target).collect())
    }

    /// A file's text at the snapshot's time, with its definitions and references.
    ///
    /// # Errors
    /// The file is not indexed, or the store failed.
    pub fn file_source(&self, path: &str) -> Result<FileSource, EngineError> {
        let path = self.indexed(path)?;
        let queries = Queries::at(self.store(), self.at);
        let bytes = self.source_text(&path)?.bytes;
        let items = queries.file_items(&path)?;
        let begins: HashMap<NodeId, u32> =
            items.iter().map(|item| (item.id, item.start_byte)).collect();
        let (modules, others): (Vec<&FileItem>, Vec<&FileItem>) =
            items.iter().partition(|item| item.kind == NodeKind::Module);
        let ids = |items: Vec<&FileItem>| items.iter().map(|item| item.id).collect::<Vec<_>>();
        // A file that is the body of several modules has each reference once for each.
        let mut places = Places::default();
        for row in queries.file_uses(&path, &ids(others), &ids(modules))? {
            // The file's own modules are none of its items, and begin where it does.
            let begin = begins.get(&row.source).copied().unwrap_or(0);
            for one in &row.refs {
                places.add_stored(begin, one);
            }
        }
        let targets = self.link_targets(&places.targets())?;
        let index: BTreeMap<NodeId, usize> =
            targets.iter().enumerate().map(|(at, target)| (target.id, at)).collect();
        let links = places.links(&index);
        let partial = queries.file(&path)?.is_some_and(|row| row.partial);
        Ok(FileSource {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            partial,
            links,
            targets,
            items: items
                .into_iter()
                .map(|item| SourceItem {
                    id: item.id,
                    parent_id: item.parent_id,
                    kind: item.kind,
                    name: item.name,
                    path: item.canonical_path,
                    span: Span {
                        start_byte: item.start_byte,
                        end_byte: item.end_byte,
                        start_line: item.start_line,
                        end_line: item.end_line,
                    },
                    name_start: item.name_start,
                    line: item.name_line,
                })
                .collect(),
            file_path: path,
        })
    }

    /// How many items use each definition of a file, counted once for each kind of use; those that nothing
    /// uses are left out.
    ///
    /// # Errors
    /// The store failed.
    pub fn user_counts(&self, source: &FileSource) -> Result<BTreeMap<NodeId, u32>, EngineError> {
        let ids: Vec<NodeId> = source.items.iter().map(|item| item.id).collect();
        let counts = Queries::at(self.store(), self.at).user_counts(&ids)?.into_iter();
        Ok(counts.map(|row| (row.id, row.users)).collect())
    }

    /// Paths of the files.
    ///
    /// # Errors
    /// The store failed.
    pub fn file_paths(&self) -> Result<Vec<String>, EngineError> {
        Ok(self.source_files()?.keys().cloned().collect())
    }

    /// Every file with its size and quality.
    ///
    /// # Errors
    /// The store failed.
    pub fn files(&self) -> Result<Answer<FileSummary>, EngineError> {
        let started = Instant::now();
        let files = self.kept_summaries(|| self.summaries())?;
        Ok(self.answer(started, files.to_vec(), None))
    }

    fn summaries(&self) -> Result<Vec<FileSummary>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let measured: BTreeMap<String, FileQuality> = queries
            .quality_by_file()?
            .into_iter()
            .map(|row| (row.file_path.clone(), row))
            .collect();
        let files = queries.file_sizes()?.into_iter().map(|file| {
            let quality = measured.get(&file.file_path);
            FileSummary {
                lines: file.lines,
                partial: file.partial,
                functions: quality.map_or(0, |row| row.functions),
                code_lines: quality.map_or(0, |row| row.code_lines),
                score: quality.map(|row| row.score),
                complexity: quality.map_or(0, |row| row.complexity),
                file_path: file.file_path,
            }
        });
        Ok(files.collect())
    }

    /// The crates of the workspace.
    ///
    /// # Errors
    /// The store failed.
    pub fn crates(&self) -> Result<Answer<CrateSummary>, EngineError> {
        let started = Instant::now();
        let crates = Queries::at(self.store(), self.at).crates()?.into_iter();
        let crates = crates.map(|krate| CrateSummary {
            package: krate.package,
            crate_name: krate.crate_name,
            kind: krate.target_kind,
            root_file: krate.root_file,
        });
        Ok(self.answer(started, crates.collect(), None))
    }
}

/// A use: how, with which confidence, of what.
type How = (RefKind, f64, NodeId);

/// The uses at each byte of a text.
#[derive(Debug, Default)]
pub(super) struct Places(BTreeMap<u32, Vec<How>>);

impl Places {
    fn add_stored(&mut self, base: u32, one: &StoredUse) {
        for [offset, _, _] in &one.occurrences.0 {
            self.add(base.saturating_add(*offset), (one.kind, one.confidence, one.target));
        }
    }

    /// Of one target, the most certain use counts.
    pub fn add(&mut self, at: u32, new: How) {
        let here = self.0.entry(at).or_default();
        match here.iter_mut().find(|one| one.2 == new.2) {
            Some(known) if by_certainty(&new, known).is_lt() => *known = new,
            Some(_) => {}
            None => here.push(new),
        }
    }

    fn targets(&self) -> Vec<NodeId> {
        let ids: BTreeSet<NodeId> = self.0.values().flatten().map(|one| one.2).collect();
        ids.into_iter().collect()
    }

    /// `numbers`: indices of the targets.
    pub fn links(self, numbers: &BTreeMap<NodeId, usize>) -> Vec<SourceLink> {
        let at_each = self.0.into_iter().flat_map(|(start, mut here)| {
            here.sort_by(by_certainty);
            here.into_iter().map(move |one| (start, one))
        });
        let links = at_each.filter_map(|(start, (use_kind, confidence, target))| {
            let target = *numbers.get(&target)?;
            Some(SourceLink { start, use_kind, confidence, target })
        });
        links.collect()
    }
}

/// The most certain first.
fn by_certainty(a: &How, b: &How) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then_with(|| (a.0, a.2).cmp(&(b.0, b.2)))
}

impl Database {
    /// The revisions around a time: at most `window`, as many before as after where there are
    /// enough.
    ///
    /// # Errors
    /// The store failed.
    pub fn timeline(&self, around: Micros, window: usize) -> Result<Timeline, EngineError> {
        let mut revisions =
            Queries::revisions_between(self.store(), Micros(i64::MIN), Micros(i64::MAX))?;
        let total = revisions.len();
        let here = revisions.partition_point(|revision| revision.at < around);
        let first = here.saturating_sub(window / 2).min(total.saturating_sub(window));
        let shown: Vec<_> = revisions.drain(first..total.min(first + window)).collect();
        let times: Vec<Micros> = shown.iter().map(|revision| revision.at).collect();
        let changes = Queries::changes_at(self.store(), &times)?.into_iter();
        let changes: BTreeMap<Micros, Changes> = changes.map(|row| (row.at, row)).collect();
        let entries = shown.into_iter().map(|revision| {
            let touched = changes.get(&revision.at);
            TimelineEntry {
                files: revision.files,
                added: touched.map_or(0, |row| row.added.len()),
                removed: touched.map_or(0, |row| row.removed.len()),
                changed: touched.map_or(0, |row| row.changed.len()),
                event: Event::from(revision),
            }
        });
        Ok(Timeline { total, first, entries: entries.collect() })
    }
}
