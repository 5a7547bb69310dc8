//! What a difference between two moments affects, and which tests to run.
//!
//! Seeds are the items whose tokens differ, and those whose names mean something else now.
//! `reach.rs` follows them to everything that may run them. A selection of tests
//! must never be short, so uncertain steps count like certain ones, and where a step cannot be
//! known (`tests.rs`), the answer is to run everything.

mod packages;
mod reach;
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use self::reach::{Reached, reached};
use self::tests::Seen;
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use crate::history::{Between, FilesAt, changed_between, index_edited, index_states};
use asof_edit::EditError;
use asof_index::{FactSet, Progress};
use asof_model::{Class, NodeId, NodeKind};
use asof_query::{AffectedFact, Queries};
use asof_wire::{
    AffectedBy, AffectedItem, AffectedTests, ChangeImpact, Detail, DiffItem, DiffRequest, Guesses,
    ItemRef, ProposalStatus, Symbol, When,
};
use asof_workspace::{ChangedFiles, Git};

/// What changed, by the rules of this module.
#[derive(Default)]
struct Changes {
    /// Items at the later moment, with what changed of each.
    seeds: BTreeMap<NodeId, Vec<Class>>,
    /// Items that only the earlier moment has.
    gone: BTreeSet<NodeId>,
    /// Their paths.
    removed: Vec<String>,
    /// Items whose documentation changed.
    documented: BTreeSet<NodeId>,
}

impl Changes {
    fn new(items: Vec<DiffItem>) -> Self {
        let mut found = Self::default();
        for item in items {
            let felt: Vec<Class> =
                item.classes.iter().copied().filter(|class| is_felt(*class, item.kind)).collect();
            if item.classes.contains(&Class::Documentation) {
                found.documented.insert(item.id);
            }
            // A removed `use` is felt by the items whose names it gave a meaning.
            if felt.is_empty() || matches!(item.kind, NodeKind::Import | NodeKind::ExternCrate) {
                continue;
            }
            if item.classes.contains(&Class::Removed) {
                found.gone.insert(item.id);
                found.removed.push(item.path);
                continue;
            }
            found.gone.extend(item.previous_id.filter(|id| *id != item.id));
            if item.kind != NodeKind::Module {
                found.seeds.insert(item.id, felt);
            }
        }
        found.removed.sort();
        found
    }
}

/// Whether code that runs can notice a change of this class.
fn is_felt(class: Class, kind: NodeKind) -> bool {
    match class {
        Class::Documentation | Class::Comments | Class::Format | Class::Contents => false,
        // The order of fields and variants decides comparisons.
        Class::Reordered => !matches!(kind, NodeKind::Module | NodeKind::Impl),
        _ => true,
    }
}

impl Snapshot<'_> {
    /// The files other than Rust's that differ between two states; `None` if the workspace is in no
    /// Git repository.
    fn changed_files(
        &self,
        earlier: &FilesAt,
        later: &FilesAt,
    ) -> Result<Option<ChangedFiles>, EngineError> {
        match &self.database.root {
            Some(root) if Git::find(root)?.is_some() => {
                changed_between(root, earlier, later).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What the differences between an earlier snapshot and this one affect. `files`: the other files
    /// that differ; `None` if that is not known.
    ///
    /// # Errors
    /// `from` is later or of another database, or the store failed.
    pub fn change_impact(
        &self,
        from: &Snapshot<'_>,
        files: Option<&ChangedFiles>,
        limit: Option<usize>,
    ) -> Result<ChangeImpact, EngineError> {
        let started = Instant::now();
        let request = DiffRequest {
            detail: Detail::All,
            guesses: Guesses::Show,
            limit: None,
            ..DiffRequest::default()
        };
        let diff = self.diff(from, &request)?;
        let mut changes = Changes::new(diff.answer.items);
        let queries = Queries::at(self.store(), self.at);
        // Uses that differ because other crates could be read are no change. Which of them they are
        // is not known.
        let same_sources = self.has_same_sources(from)?;
        if same_sources {
            for id in queries.rebound(from.at)? {
                changes.seeds.entry(id).or_default();
            }
        }
        let Reach { rows, facts, tests } = self.reached_by(from, &changes, files, same_sources)?;
        let mut items = Vec::new();
        for row in rows {
            let Some(fact) = facts.get(&row.id) else { continue };
            let bad = || EngineError::State { what: "step of an impact", reason: row.how.clone() };
            items.push(AffectedItem {
                depth: row.depth,
                item: ItemRef {
                    id: row.id,
                    kind: fact.kind.as_str().to_owned(),
                    name: fact.name.clone(),
                    path: fact.canonical_path.clone(),
                },
                file_path: fact.file_path.clone(),
                classes: changes.seeds.get(&row.id).cloned().unwrap_or_default(),
                how: AffectedBy::parse(&row.how).ok_or_else(bad)?,
                via: row.via,
                in_test: fact.in_test,
            });
        }
        items.sort_by(|a, b| {
            (a.depth, &a.item.path, a.item.id).cmp(&(b.depth, &b.item.path, b.item.id))
        });
        let answer = self.answer(started, items, limit);
        Ok(ChangeImpact { from: from.basis.clone(), removed: changes.removed, tests, answer })
    }
}

/// What changes reach.
struct Reach {
    rows: Vec<Reached>,
    facts: BTreeMap<NodeId, AffectedFact>,
    tests: AffectedTests,
}

impl Snapshot<'_> {
    fn reached_by(
        &self,
        from: &Snapshot<'_>,
        changes: &Changes,
        files: Option<&ChangedFiles>,
        same_sources: bool,
    ) -> Result<Reach, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let seeds: Vec<NodeId> = changes.seeds.keys().copied().collect();
        let gone: Vec<NodeId> = changes.gone.iter().copied().collect();
        let rows = reached(&queries, &seeds, &gone, from.at)?;
        let ids: Vec<NodeId> = rows.iter().map(|row| row.id).collect();
        let facts: BTreeMap<NodeId, _> =
            queries.affected_facts(&ids)?.into_iter().map(|fact| (fact.id, fact)).collect();
        let depths: BTreeMap<NodeId, u32> = rows.iter().map(|row| (row.id, row.depth)).collect();
        let documented: Vec<NodeId> = changes.documented.iter().copied().collect();
        let seen = Seen {
            facts: &facts,
            depths: &depths,
            seeds: &changes.seeds,
            documented: queries.affected_facts(&documented)?,
            files,
            same_sources,
        };
        let tests = seen.tests(&queries)?;
        Ok(Reach { rows, facts, tests })
    }

    /// The tests that a change of these may affect, whatever it is: one of an item, of anything in its
    /// text, and of the impls of a type. Uncertain steps count like certain ones.
    ///
    /// # Errors
    /// A failure of the database.
    pub fn tests_of_change(&self, symbols: &[Symbol]) -> Result<AffectedTests, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> =
            self.with_same_text(symbols)?.into_iter().map(|symbol| symbol.id).collect();
        let mut seeds: BTreeMap<NodeId, Vec<Class>> = BTreeMap::new();
        let parts = queries.parts(&ids)?.into_iter().map(|row| row.part);
        let members = queries.members_of_impls(&ids)?;
        for id in ids.iter().copied().chain(parts).chain(members) {
            seeds.insert(id, Vec::new());
        }
        // No other file changes with them.
        self.affected_tests(self, seeds, BTreeSet::new(), Some(&ChangedFiles::default()))
    }

    /// The tests that changes of these items affect: `seeds` at this moment with what changed of
    /// each, and those that only `from` has.
    pub(crate) fn affected_tests(
        &self,
        from: &Snapshot<'_>,
        seeds: BTreeMap<NodeId, Vec<Class>>,
        gone: BTreeSet<NodeId>,
        files: Option<&ChangedFiles>,
    ) -> Result<AffectedTests, EngineError> {
        let changes = Changes { seeds, gone, ..Changes::default() };
        let same_sources = self.has_same_sources(from)?;
        Ok(self.reached_by(from, &changes, files, same_sources)?.tests)
    }
}

impl Database {
    /// What the differences between two moments affect, the earlier one first; by their files if
    /// a commit is not imported, or other sources of dependencies could be read at one of them.
    ///
    /// # Errors
    /// As [`Self::between`], or the moments are not in order.
    pub fn impact_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        limit: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<ChangeImpact, EngineError> {
        match self.between(from, to, refresh)? {
            Between::Stored { earlier, later } => {
                // Names at the two moments were resolved with other sources of dependencies. Where
                // both can be resolved again, they are.
                if !later.has_same_sources(&earlier)?
                    && let Some(root) = &self.root
                    && let Some((from, to)) = FilesAt::from_when(from).zip(FilesAt::from_when(to))
                    && Git::find(root)?.is_some()
                {
                    return Self::change_impact_files(
                        root,
                        Some(self),
                        &from,
                        &to,
                        limit,
                        progress,
                    );
                }
                let files = match FilesAt::from_when(from).zip(FilesAt::from_when(to)) {
                    Some((from, to)) if self.root.is_some() => later.changed_files(&from, &to)?,
                    _ => None,
                };
                later.change_impact(&earlier, files.as_ref(), limit)
            }
            Between::Files { earlier, later } => {
                let root = self.need_root()?;
                Self::change_impact_files(root, Some(self), &earlier, &later, limit, progress)
            }
        }
    }

    /// [`Snapshot::change_impact`] of two states of the files of a workspace that no database has.
    /// Both are indexed in memory.
    ///
    /// # Errors
    /// As [`Snapshot::change_impact`], and if a state cannot be read.
    pub fn change_impact_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        limit: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<ChangeImpact, EngineError> {
        let files = changed_between(root, earlier, later)?;
        let (database, earlier, later) =
            index_states(root, known, earlier, later, FactSet::All, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.change_impact(&earlier, Some(&files), limit)
    }

    /// [`Snapshot::change_impact`] of a planned edit, compared with the files on disk. Both are
    /// indexed in memory.
    ///
    /// # Errors
    /// No such proposal, one that is applied or denied, or the files cannot be read.
    pub fn proposal_impact(
        &self,
        id: &str,
        limit: Option<usize>,
        progress: &dyn Progress,
    ) -> Result<ChangeImpact, EngineError> {
        let (database, earlier, later, changed) = self.index_proposal(id, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.change_impact(&earlier, Some(&changed), limit)
    }

    /// The files on disk and those with a planned edit in a database in memory, as
    /// [`index_edited`] gives them.
    pub(crate) fn index_proposal(
        &self,
        id: &str,
        progress: &dyn Progress,
    ) -> Result<(Database, When, When, ChangedFiles), EngineError> {
        let proposal = asof_edit::find(&self.store, id)?;
        if proposal.status != ProposalStatus::Planned {
            let status = proposal.status.as_str();
            return Err(EditError::Settled { id: proposal.id, status }.into());
        }
        let root = self.need_root()?;
        let after =
            |file: asof_edit::PlannedFile| (file.file_path, file.after.map(String::into_bytes));
        let files: BTreeMap<_, _> = proposal.plan.files.into_iter().map(after).collect();
        index_edited(root, self, files, progress)
    }
}
