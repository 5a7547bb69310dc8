//! Which changed items are proven to be the same code, and which are left to read: the obligations
//! of a refactoring, read off two states (`docs/review.md`).
//!
//! `identities.rs` says what became of each item, `side.rs` reads the texts of a state with what their
//! names mean, and `judge.rs` compares the normal forms of a pair and everything that they do not
//! show. An item that is not proven is to be read, with its reasons.

mod commands;
mod file_rows;
mod identities;
mod judge;
mod names;
mod pair;
mod parameters;
mod population;
mod scopes;
mod side;
mod sides;
mod signatures;
mod standing;

pub(super) use identities::{Identities, State as SideState};
pub(super) use side::{Loaded, Side};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use self::commands::{NewSignature, commands};
use self::judge::{Judge, Judgement};
use self::pair::Pair;
use self::parameters::NewLists;
use self::population::{Listed, Population};
use self::sides::Sides;
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use crate::history::{Between, FilesAt, FollowedDiff, index_states, with_both};
use asof_edit::unified;
use asof_index::{FactSet, Progress};
use asof_model::{Class, NodeId, NodeKind};
use asof_review::with_later_names;
use asof_wire::{
    Detail, DiffRequest, Guesses, ItemToRead, Patch, ProvenItem, ReadReason, ReasonToRead, Review,
    ReviewCounts, ReviewRequest, ReviewSummary, ReviewedItem, SameCode, When,
};
use asof_workspace::{ChangedFiles, Git, SourceTree, WhichFiles, changed_files};

/// What a review has found so far.
#[derive(Default)]
struct Findings {
    summary: ReviewSummary,
    proven: Vec<ProvenItem>,
    read: Vec<ItemToRead>,
    signatures: Vec<NewSignature>,
}

/// What is known of the files of two states beside what is stored of them.
#[derive(Clone, Copy)]
struct ReviewedFiles<'t> {
    /// The files other than Rust's that differ.
    others: Option<&'t ChangedFiles>,
    /// The files of both states, the earlier one first: texts are read from them.
    trees: Option<[&'t dyn SourceTree; 2]>,
}

impl Snapshot<'_> {
    /// Which of the items that differ from an earlier snapshot are proven to be the same code.
    /// `files`: the other files that differ; `None` if that is not known.
    ///
    /// # Errors
    /// `from` is later or of another database, or the store failed.
    pub fn review(
        &self,
        from: &Snapshot<'_>,
        request: &ReviewRequest,
        files: Option<&ChangedFiles>,
    ) -> Result<Review, EngineError> {
        self.review_with(from, request, ReviewedFiles { others: files, trees: None })
    }

    fn review_with(
        &self,
        from: &Snapshot<'_>,
        request: &ReviewRequest,
        given: ReviewedFiles<'_>,
    ) -> Result<Review, EngineError> {
        let files = given.others;
        let started = Instant::now();
        let asked = DiffRequest {
            detail: Detail::All,
            guesses: Guesses::LeaveOut,
            limit: None,
            ..DiffRequest::default()
        };
        let FollowedDiff { diff, followed } = self.followed_diff(from, &asked)?;
        let identities = Identities::new(&diff.answer.items, &followed);
        let mut sides = Sides::new(from, self, &identities, given.trees);
        let mut population = Population::find(&mut sides, &diff.answer.items, &followed)?;
        let lists = NewLists::find(&mut sides, &mut population)?;
        let mut judge = Judge::new(sides, lists, &population)?;
        let mut findings = Findings::default();
        findings.summary.imports = diff.imports;
        for one in &population.listed {
            findings.list(one);
        }
        for pair in population.pairs.values() {
            let judgement = judge.judge(pair)?;
            findings.note(&mut judge, &population, pair, judgement, request.patch)?;
        }
        let Findings { summary, mut proven, mut read, mut signatures } = findings;
        let place = |item: &ReviewedItem| (item.file_path.clone(), item.line, item.path.clone());
        read.sort_by_cached_key(|one| place(&one.item));
        proven.sort_by(|a, b| a.item.cmp(&b.item));
        signatures.sort_by(|a, b| a.path.cmp(&b.path));
        let residue = |is_gone: bool| read.iter().filter(move |one| is_removed(one) == is_gone);
        let changed: BTreeMap<NodeId, Vec<Class>> = residue(false)
            .filter(|one| one.item.kind != NodeKind::Module)
            .map(|one| (one.item.id, one.item.classes.clone()))
            .collect();
        let gone: BTreeSet<NodeId> = residue(true).map(|one| one.item.id).collect();
        let (tests, api) = rayon::join(
            || self.affected_tests(from, changed, gone, files),
            || match self.api_diff(from, None) {
                Ok(found) => Ok(found.answer.items),
                Err(EngineError::NotFound { .. }) => Ok(Vec::new()),
                Err(error) => Err(error),
            },
        );
        let (tests, mut api) = (tests?, api?);
        api.retain(|package| !package.changes.is_empty());
        let others = |files: &ChangedFiles| files.paths.iter().cloned().collect();
        Ok(Review {
            from: from.basis.clone(),
            basis: self.basis.clone(),
            source: self.origin,
            summary,
            commands: commands(&proven, &signatures),
            read,
            proven,
            other_files: files.map(others),
            api,
            tests,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }
}

fn is_removed(one: &ItemToRead) -> bool {
    one.reasons.iter().any(|reason| reason.reason == ReadReason::Removed)
}

impl Findings {
    /// Notes an item that only one side has.
    fn list(&mut self, one: &Listed) {
        let reason = if one.is_gone { ReadReason::Removed } else { ReadReason::Added };
        let what = match &one.other {
            Some(other) if one.is_gone => format!("merged into `{other}`"),
            Some(other) => format!("split off from `{other}`"),
            None => reason.as_str().to_owned(),
        };
        let reasons = vec![ReasonToRead { reason, what, line: None, previous_line: None }];
        self.count(&one.item).read += 1;
        self.count(&one.item).changed += 1;
        self.read.push(ItemToRead { item: one.item.clone(), reasons, patch: None });
    }

    fn count(&mut self, item: &ReviewedItem) -> &mut ReviewCounts {
        if item.in_test { &mut self.summary.tests } else { &mut self.summary.code }
    }

    /// Notes what was found of an item that both sides have.
    fn note(
        &mut self,
        judge: &mut Judge<'_>,
        population: &Population,
        pair: &Pair,
        judgement: Judgement,
        patch: Patch,
    ) -> Result<(), EngineError> {
        let documented = pair.classes.contains(&Class::Documentation);
        self.summary.documentation += usize::from(documented);
        if judgement.reasons.is_empty() {
            let is_implied = population.is_implied(pair);
            let what = same_code(pair, &judgement, is_implied);
            if what.is_empty() && pair.classes.contains(&Class::Comments) {
                self.summary.comments += 1;
            }
            if what.is_empty() || !pair.is_listed {
                return Ok(());
            }
            let item = judge.sides.reviewed(pair)?;
            if !item.in_test {
                self.count_same(&what);
            }
            self.count(&item).proven += 1;
            self.count(&item).changed += 1;
            if what.contains(&SameCode::Signature) {
                let changes = judge.signature_changes(pair)?;
                self.signatures.push(NewSignature { path: item.path.clone(), changes });
            }
            self.proven.push(ProvenItem { item, what });
            return Ok(());
        }
        let item = judge.sides.reviewed(pair)?;
        let patch = (patch == Patch::Unified).then(|| {
            let (old, new) = (&judgement.old, &judgement.new);
            let named = with_later_names(old, new, &judgement.differences);
            let (mut before, mut after) = (named, new.text.clone());
            for text in [&mut before, &mut after] {
                if !text.ends_with('\n') {
                    text.push('\n');
                }
            }
            unified(Some(&item.file_path), &before, Some(&item.file_path), &after)
        });
        self.count(&item).read += 1;
        self.count(&item).changed += 1;
        self.read.push(ItemToRead { item, reasons: judgement.reasons, patch });
        Ok(())
    }

    fn count_same(&mut self, what: &[SameCode]) {
        let summary = &mut self.summary;
        let counter = match what.first() {
            Some(SameCode::Renamed) => &mut summary.renamed,
            Some(SameCode::Moved) => &mut summary.moved,
            Some(SameCode::Signature) => &mut summary.signature,
            Some(SameCode::Adapted) => &mut summary.adapted,
            Some(SameCode::Reformatted) | None => &mut summary.reformatted,
        };
        *counter += 1;
    }
}

/// What became of an item that is the same code; nothing if only documentation or comments differ.
/// `is_implied`: it is only where its container is, which is listed.
fn same_code(pair: &Pair, judgement: &Judgement, is_implied: bool) -> Vec<SameCode> {
    let mut what = Vec::new();
    let only_refers =
        matches!(pair.kind, NodeKind::Impl | NodeKind::MacroCall | NodeKind::ForeignMod);
    let mut add = |is: bool, same: SameCode| {
        if is {
            what.push(same);
        }
    };
    add(pair.classes.contains(&Class::Renamed) && !only_refers, SameCode::Renamed);
    add(pair.classes.contains(&Class::Moved) && !is_implied, SameCode::Moved);
    let has_other_words = judgement.old.facts.locals != judgement.new.facts.locals;
    let has_other_head = has_other_words || judgement.has_other_list;
    add(pair.classes.contains(&Class::Signature) && has_other_head, SameCode::Signature);
    if what.is_empty() {
        let quiet = [
            Class::Documentation,
            Class::Comments,
            Class::Contents,
            Class::Reordered,
            Class::Moved,
        ];
        if judgement.has_other_tokens {
            what.push(SameCode::Adapted);
        } else if !pair.classes.iter().all(|class| quiet.contains(class)) {
            what.push(SameCode::Reformatted);
        }
    }
    what
}

impl Database {
    /// [`Snapshot::review`] of two moments, the earlier one first; by their files if a commit is not
    /// imported, or other sources of dependencies could be read at one of them.
    ///
    /// # Errors
    /// As [`Self::between`], or the moments are not in order.
    pub fn review_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        request: &ReviewRequest,
        progress: &dyn Progress,
    ) -> Result<Review, EngineError> {
        let by_files = |earlier: &FilesAt, later: &FilesAt| {
            let root = self.need_root()?;
            Self::review_files(root, Some(self), earlier, later, request, progress)
        };
        match self.between(from, to, refresh)? {
            Between::Files { earlier, later } => by_files(&earlier, &later),
            Between::Stored { earlier, later } => {
                let both = FilesAt::from_when(from).zip(FilesAt::from_when(to));
                let in_git = match &self.root {
                    Some(root) => Git::find(root)?.is_some(),
                    None => false,
                };
                match both.filter(|_| in_git) {
                    Some((from, to)) if !later.has_same_sources(&earlier)? => by_files(&from, &to),
                    Some((from, to)) => with_both(self.need_root()?, &from, &to, |old, new| {
                        let files = changed_files(old, new, WhichFiles::Others);
                        let given = ReviewedFiles { others: Some(&files), trees: Some([old, new]) };
                        later.review_with(&earlier, request, given)
                    }),
                    None => later.review(&earlier, request, None),
                }
            }
        }
    }

    /// [`Snapshot::review`] of a planned edit, compared with the files on disk. Both are indexed in
    /// memory.
    ///
    /// # Errors
    /// No such proposal, one that is applied or denied, or the files cannot be read.
    pub fn proposal_review(
        &self,
        id: &str,
        request: &ReviewRequest,
        progress: &dyn Progress,
    ) -> Result<Review, EngineError> {
        let (database, earlier, later, changed) = self.index_proposal(id, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.review(&earlier, request, Some(&changed))
    }

    /// [`Snapshot::review`] of two states of the files of a workspace that no database has. Both are
    /// indexed in memory.
    ///
    /// # Errors
    /// As [`Snapshot::review`], and if a state cannot be read.
    pub fn review_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        request: &ReviewRequest,
        progress: &dyn Progress,
    ) -> Result<Review, EngineError> {
        with_both(root, earlier, later, |old, new| {
            let files = changed_files(old, new, WhichFiles::Others);
            let (database, earlier, later) =
                index_states(root, known, earlier, later, FactSet::All, progress)?;
            let later = database.snapshot(&later, Refresh::Skip)?;
            let earlier = database.snapshot(&earlier, Refresh::Skip)?;
            let given = ReviewedFiles { others: Some(&files), trees: Some([old, new]) };
            later.review_with(&earlier, request, given)
        })
    }
}
