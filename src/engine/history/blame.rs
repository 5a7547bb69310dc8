//! The last change of each item.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use super::branch::Branches;
use super::difference::count_made;
use super::walk::{Step, walk};
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::past::Past;
use asof_item_tracking::Class;
use asof_model::{Micros, NodeId, NodeKind, Span};
use asof_query::{FileItem, Queries};
use asof_wire::{AnswerSource, Blame, Blamed, Item, Merges};

/// A file as it is stored: relative to the root.
pub(crate) fn relative(root: Option<&Path>, file: &str) -> String {
    let file = file.replace('\\', "/");
    let inside = root.and_then(|root| Path::new(&file).strip_prefix(root).ok());
    let inside = inside.map(|path| path.to_string_lossy().into_owned()).unwrap_or(file);
    inside.trim_start_matches("./").trim_end_matches('/').to_owned()
}

impl Snapshot<'_> {
    /// The last change of each item of a file. Comments, formatting, changes to nested items, and
    /// moves without a change do not count: the change before them is listed. Fields and variants
    /// are parts of their type. Items that a macro makes in one module and whose last change is the
    /// same have one row.
    ///
    /// # Errors
    /// The file is not indexed, or the store failed.
    pub fn blame_file(&self, file: &str, merges: Merges) -> Result<Blame, EngineError> {
        let started = Instant::now();
        let path = self.relative(file);
        let queries = Queries::at(self.store(), self.at);
        if queries.file(&path)?.is_none() {
            return Err(EngineError::NotFound {
                what: format!("`{file}` is not indexed"),
                hint: "give a Rust file of the workspace, or the path of an item".into(),
            });
        }
        let items = queries.file_items(&path)?;
        self.blame(started, merges, file, &path, items)
    }

    /// [`Snapshot::blame_file`] for an item and its nested items in the same file.
    pub fn blame_item(
        &self,
        query: &str,
        item: &Item,
        merges: Merges,
    ) -> Result<Blame, EngineError> {
        let started = Instant::now();
        let queries = Queries::at(self.store(), self.at);
        let mut items = queries.file_items(&item.file_path)?;
        let (start, end) = (item.span.start_byte, item.span.end_byte);
        items.retain(|i| start <= i.start_byte && i.end_byte <= end);
        self.blame(started, merges, query, &item.file_path, items)
    }

    /// A file as it is stored: relative to the root.
    pub(super) fn relative(&self, file: &str) -> String {
        relative(self.database.root.as_deref(), file)
    }

    fn blame(
        &self,
        started: Instant,
        merges: Merges,
        query: &str,
        file: &str,
        items: Vec<FileItem>,
    ) -> Result<Blame, EngineError> {
        self.need_history()?;
        let mut past = self.past();
        let items: Vec<FileItem> = items.into_iter().filter(|item| is_told(item.kind)).collect();
        let ids: Vec<NodeId> = items.iter().map(|item| item.id).collect();
        past.load(&ids)?;
        let nesting = Nesting::new(&items);
        let mut rows = Rows::default();
        let now = match self.origin {
            AnswerSource::Now | AnswerSource::File => jiff::Timestamp::now().as_microsecond(),
            AnswerSource::AsOf => self.at.0,
        };
        let mut git = match merges {
            Merges::Follow => Branches::load(self)?,
            Merges::FirstParent => None,
        };
        for item in items {
            let Some(step) = last_change(&mut past, item.id, self)? else { continue };
            let event = past.event(step.at)?;
            let (mut branch_commit, mut uncommitted) = (None, false);
            if let (Some(git), false) = (&mut git, step.present_at_start) {
                match &event.commit {
                    Some(commit) => branch_commit = git.changes(commit, &step.state, 1)?.pop(),
                    None if self.origin != AnswerSource::AsOf => {
                        uncommitted = git.is_uncommitted(&step.state);
                    }
                    None => {}
                }
            }
            let at = event.time;
            let row = Blamed {
                id: item.id,
                kind: item.kind,
                path: item.canonical_path.unwrap_or(item.name),
                file_path: file.to_owned(),
                span: Span {
                    start_byte: item.start_byte,
                    end_byte: item.end_byte,
                    start_line: item.start_line,
                    end_line: item.end_line,
                },
                depth: nesting.depth(item.id),
                age_s: now.saturating_sub(event.time.0).max(0) / 1_000_000,
                event: if step.present_at_start { event.without_author() } else { event },
                present_at_start: step.present_at_start,
                branch_commit,
                uncommitted,
                classes: step.classes,
                expansion: None,
            };
            rows.add(row, at, nesting.maker(item.id));
        }
        let blamed = rows.finish();
        let dropped_before = self.dropped_before(blamed.iter().map(|item| &item.classes));
        let answer = self.answer(started, blamed, None);
        let merges_not_followed = git.and_then(Branches::problem);
        Ok(Blame { query: query.to_owned(), dropped_before, merges_not_followed, answer })
    }
}

/// What the items of a file are in.
struct Nesting(BTreeMap<NodeId, Nested>);

struct Nested {
    parent: NodeId,
    /// Name of the macro, if it is a call.
    macro_name: Option<String>,
}

/// A macro call that makes an item.
struct Maker {
    id: NodeId,
    /// What the call is in.
    around: NodeId,
    macro_name: String,
}

impl Nesting {
    fn new(items: &[FileItem]) -> Self {
        let nested = |item: &FileItem| Nested {
            parent: item.parent_id,
            macro_name: (item.kind == NodeKind::MacroCall).then(|| item.name.clone()),
        };
        Self(items.iter().map(|item| (item.id, nested(item))).collect())
    }

    /// The items of the file around an item, the nearest first.
    fn around(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Nested)> {
        let nested = |id: NodeId| Some((id, self.0.get(&id)?));
        let first = self.0.get(&id).and_then(|item| nested(item.parent));
        std::iter::successors(first, move |(_, item)| nested(item.parent)).take(256)
    }

    /// Number of items around an item. Calls are none: what they make stands in their place.
    fn depth(&self, id: NodeId) -> usize {
        self.around(id).filter(|(_, item)| item.macro_name.is_none()).count()
    }

    /// The call that makes an item, as it is written.
    fn maker(&self, id: NodeId) -> Option<Maker> {
        let calls = self.around(id).filter_map(|(id, item)| {
            let macro_name = item.macro_name.clone()?;
            Some(Maker { id, around: item.parent, macro_name })
        });
        calls.last()
    }
}

/// The rows of a blame. Items that a macro makes in one place and that changed together have one row,
/// and a call has none unless it changed after all that it makes.
#[derive(Default)]
struct Rows {
    rows: Vec<Blamed>,
    made: BTreeMap<Cause, usize>,
    /// When what a call makes changed last.
    calls: BTreeMap<NodeId, Micros>,
}

/// What changed items that a macro makes, and where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Cause {
    macro_name: String,
    around: NodeId,
    at: Micros,
    classes: Vec<Class>,
}

impl Rows {
    fn add(&mut self, mut row: Blamed, at: Micros, maker: Option<Maker>) {
        if let Some(Maker { id, around, macro_name }) = maker {
            let last = self.calls.entry(id).or_insert(at);
            *last = at.max(*last);
            let cause =
                Cause { macro_name: macro_name.clone(), around, at, classes: row.classes.clone() };
            if let Some(first) = self.made.get(&cause).and_then(|first| self.rows.get_mut(*first)) {
                // What one call makes is at one place, in no order.
                if (row.span, &row.path) < (first.span, &first.path) {
                    row.expansion = first.expansion.take();
                    *first = row;
                }
                count_made(&mut first.expansion, &macro_name);
                return;
            }
            self.made.insert(cause, self.rows.len());
        }
        self.rows.push(row);
    }

    fn finish(mut self) -> Vec<Blamed> {
        let calls = self.calls;
        self.rows.retain(|row| calls.get(&row.id).is_none_or(|last| row.event.time > *last));
        self.rows
    }
}

/// Kinds that are listed in a blame.
fn is_told(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Field | NodeKind::Variant | NodeKind::Import)
}

/// The newest step that changed one of the item's own tokens.
fn last_change(
    past: &mut Past<'_>,
    id: NodeId,
    snapshot: &Snapshot<'_>,
) -> Result<Option<Step>, EngineError> {
    let mut found = None;
    walk(past, id, snapshot.at, &mut |_, step| {
        let silent = |class: &Class| class.is_quiet() || *class == Class::Moved;
        // The oldest step is an addition, which counts.
        let counts = !step.classes.iter().all(silent);
        found = Some(step);
        Ok(if counts { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found)
}
