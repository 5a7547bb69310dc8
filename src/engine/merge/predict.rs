//! What the merge of two states of a workspace would be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use super::driver::describe;
use super::names::{Rename, Wrong, compare, rename};
use super::sides::Beside;
use super::worktree::{disk_side, named_side};
use super::{calls, matches, structure};
use crate::database::{Database, Refresh, repository};
use crate::error::EngineError;
use crate::history::{State, diff_trees, index_trees};
use crate::review::{Identities, Side, SideState};
use asof_index::{FactSet, Progress};
use asof_merge::{Expressions, merge_file, with_our_side};
use asof_wire::{
    AdaptedUse, AnswerSource, Basis, Detail, DiffRequest, Guesses, MergeFrom, MergeOutcome,
    MergePrediction, MergeRequest, MergeSummary, MergedFile, SemanticConflict,
};
use asof_workspace::{
    Commits, DriverSetup, EditedFiles, Markers, MergeLabels, MergeSide, Overlay, SourceTree,
    ThreeTexts, TreeMerge,
};

/// Names of one side that follow renames of the other are renamed, and the result is compared again:
/// a new name may lead to further ones.
const ROUNDS: usize = 2;

impl Database {
    /// Makes a command the merge driver of the repository around a root.
    ///
    /// # Errors
    /// There is no repository, or its files cannot be written.
    pub fn install_merge_driver(root: &Path, command: &str) -> Result<DriverSetup, EngineError> {
        Ok(repository(root)?.install_merge_driver(command)?)
    }

    /// Undoes [`Self::install_merge_driver`].
    ///
    /// # Errors
    /// There is no repository, or its files cannot be written.
    pub fn uninstall_merge_driver(root: &Path) -> Result<DriverSetup, EngineError> {
        Ok(repository(root)?.uninstall_merge_driver()?)
    }

    /// [`Self::predict_merge`] in the workspace of this database.
    ///
    /// # Errors
    /// As [`Self::predict_merge`], or the database has no root.
    pub fn merge_prediction(
        &self,
        request: &MergeRequest,
        progress: &dyn Progress,
    ) -> Result<MergePrediction, EngineError> {
        Self::predict_merge(self.need_root()?, Some(self), request, progress)
    }

    /// What merging a commit or another worktree would be. Nothing is written.
    ///
    /// # Errors
    /// The root is in no repository, a name means nothing, the two have no ancestor in common, or
    /// something cannot be read.
    pub fn predict_merge(
        root: &Path,
        known: Option<&Self>,
        request: &MergeRequest,
        progress: &dyn Progress,
    ) -> Result<MergePrediction, EngineError> {
        let started = Instant::now();
        let git = repository(root)?;
        let mut ours = match &request.ours {
            Some(name) => named_side(&git, root, name)?,
            None => disk_side(root)?,
        };
        if request.ours.is_none() {
            ours.label = "ours".to_owned();
        }
        let theirs = named_side(&git, root, &request.theirs)?;
        let tree = git.merge(&ours, &theirs)?;
        let mut merged = tree.merged.clone();
        let files = merge_files(&tree, &ours, &theirs, &mut merged);
        let commits = Commits::new(&git, root)?;
        let unsettled = files.iter().filter(|one| one.outcome == MergeOutcome::Conflict);
        let unsettled = unsettled.map(|one| one.file_path.clone()).collect();
        let states =
            States { root, known, commits: &commits, ours: &ours, theirs: &theirs, unsettled };
        let mut adapted: BTreeSet<AdaptedUse> = BTreeSet::new();
        let mut semantic = Vec::new();
        for round in 0..ROUNDS {
            let found = states.compare(&merged, progress)?;
            semantic = found.conflicts;
            if found.renames.is_empty() || round + 1 == ROUNDS {
                break;
            }
            for (from, renames) in found.renames {
                let texts = found
                    .texts
                    .iter()
                    .filter(|(path, _)| renames.iter().any(|one| one.file_path == **path))
                    .map(|(path, text)| (path.clone(), text.clone()))
                    .collect();
                for (path, text) in rename(&texts, &renames) {
                    merged.insert(path, Some(text.into_bytes()));
                }
                adapted.extend(renames.into_iter().map(|one| AdaptedUse {
                    file_path: one.file_path,
                    line: one.line,
                    side: from,
                    before: one.before,
                    after: one.after,
                    path: one.path,
                }));
            }
        }
        semantic.sort();
        semantic.dedup();
        // What still is wrong did not follow.
        adapted.retain(|one| {
            let place = (&one.file_path, one.line);
            !semantic.iter().any(|conflict| (&conflict.file_path, conflict.line) == place)
        });
        let count = |outcome| files.iter().filter(|one| one.outcome == outcome).count();
        let summary = MergeSummary {
            one_sided: tree.one.len(),
            clean: count(MergeOutcome::Clean),
            resolved: count(MergeOutcome::Resolved),
            conflicts: count(MergeOutcome::Conflict),
            adapted: adapted.len(),
            semantic: semantic.len(),
        };
        Ok(MergePrediction {
            ours: request.ours.clone().unwrap_or_else(|| "the files on disk".to_owned()),
            theirs: request.theirs.clone(),
            bases: tree.bases.clone(),
            summary,
            files,
            adapted: adapted.into_iter().collect(),
            semantic,
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }
}

/// The files that both sides change. Those in conflict are merged by items, and put into `merged`.
fn merge_files(
    tree: &TreeMerge,
    ours: &MergeSide,
    theirs: &MergeSide,
    merged: &mut EditedFiles,
) -> Vec<MergedFile> {
    let mut found: BTreeMap<String, MergedFile> = BTreeMap::new();
    for path in &tree.both {
        let file = MergedFile {
            file_path: path.clone(),
            outcome: MergeOutcome::Clean,
            conflicts: 0,
            note: None,
        };
        found.insert(path.clone(), file);
    }
    let markers = Markers {
        labels: MergeLabels {
            base: "base".to_owned(),
            ours: ours.label.clone(),
            theirs: theirs.label.clone(),
        },
        ..Markers::default()
    };
    for one in &tree.conflicts {
        let mut file = MergedFile {
            file_path: one.path.clone(),
            outcome: MergeOutcome::Conflict,
            conflicts: 1,
            note: Some(one.what.clone()),
        };
        if let Some([base, ours, theirs]) = one.texts.as_ref().filter(|_| one.path.ends_with(".rs"))
        {
            let result = merge_file(ThreeTexts { base, ours, theirs }, &markers);
            file = describe(one.path.clone(), &result);
            // Names are compared without the conflicts, which are to be decided first.
            let text = with_our_side(&result.bytes, &markers);
            merged.insert(one.path.clone(), Some(text));
        }
        found.insert(one.path.clone(), file);
    }
    for path in &tree.outside {
        let file = MergedFile {
            file_path: path.clone(),
            outcome: MergeOutcome::Conflict,
            conflicts: 1,
            note: Some("it is not below the root".to_owned()),
        };
        found.insert(path.clone(), file);
    }
    found.into_values().collect()
}

/// What is needed to resolve both sides and a merge.
struct States<'s> {
    root: &'s Path,
    known: Option<&'s Database>,
    commits: &'s Commits,
    ours: &'s MergeSide,
    theirs: &'s MergeSide,
    /// Files with conflicts: what they define is not known yet.
    unsettled: BTreeSet<String>,
}

/// What does not fit together in a merge.
#[derive(Default)]
struct Compared {
    conflicts: Vec<SemanticConflict>,
    renames: Vec<(MergeFrom, BTreeSet<Rename>)>,
    /// The texts of the merge in which something is to be renamed.
    texts: BTreeMap<String, String>,
}

impl States<'_> {
    fn tree<'c>(&'c self, commit: &str, edited: &EditedFiles) -> Result<Overlay<'c>, EngineError> {
        let below = Box::new(self.commits.tree(commit)?);
        Ok(Overlay::over(below, edited.clone())?)
    }

    /// Resolves both sides and a merge, and compares what names mean.
    fn compare(
        &self,
        merged: &EditedFiles,
        progress: &dyn Progress,
    ) -> Result<Compared, EngineError> {
        let ours = self.tree(&self.ours.commit, &self.ours.edited)?;
        let theirs = self.tree(&self.theirs.commit, &self.theirs.edited)?;
        let merged = self.tree(&self.ours.commit, merged)?;
        let trees: [&dyn SourceTree; 3] = [&ours, &theirs, &merged];
        let states = trees.map(|tree| State { tree, commit: None });
        let (database, moments) =
            index_trees(self.root, self.known, &states, FactSet::All, progress)?;
        let mut snapshots = Vec::new();
        for moment in &moments {
            snapshots.push(database.snapshot(moment, Refresh::Skip)?);
        }
        let [our, their, merge] = snapshots.as_slice() else { return Ok(Compared::default()) };
        let identities = [identities(&ours, &merged)?, identities(&theirs, &merged)?];
        let [our_ids, their_ids] = &identities;
        let mut merge = Side::new(merge, &NONE, SideState::Later);
        let mut ours = Beside::new(MergeFrom::Ours, our, our_ids, &mut merge)?;
        let mut theirs = Beside::new(MergeFrom::Theirs, their, their_ids, &mut merge)?;
        let mut files = files_to_compare(&mut ours, &mut theirs, &mut merge)?;
        files.retain(|path| !self.unsettled.contains(path));
        let mut found = Compared::default();
        let mut grown = [Vec::new(), Vec::new()];
        for path in &files {
            let [our, their] = &mut grown;
            our.extend(matches::grown_enums(&mut ours, &mut merge, path)?);
            their.extend(matches::grown_enums(&mut theirs, &mut merge, path)?);
        }
        let mut renames = [BTreeSet::new(), BTreeSet::new()];
        for path in &files {
            let sides = [ours.aligned(&mut merge, path)?, theirs.aligned(&mut merge, path)?];
            let text = merge.file(path)?;
            let expressions = Expressions::read(&text.text.text).unwrap_or_default();
            for n in 0..2 {
                let (one, other) =
                    if n == 0 { (&mut ours, &mut theirs) } else { (&mut theirs, &mut ours) };
                found.conflicts.extend(structure::required(one, other, &mut merge, path)?);
                let [our, their] = &sides;
                let (file, beside) = if n == 0 { (our, their) } else { (their, our) };
                let Some(file) = file else { continue };
                let beside = beside.as_deref();
                let Wrong { renames: new, conflicts } =
                    compare(one, &mut merge, path, file, beside, &self.unsettled)?;
                if !new.is_empty() {
                    found.texts.insert(path.clone(), text.text.text.clone());
                }
                if let Some(list) = renames.get_mut(n) {
                    list.extend(new);
                }
                found.conflicts.extend(conflicts);
                let lost = structure::overrides(one, &mut merge, path, file, beside)?;
                if !lost.renames.is_empty() {
                    found.texts.insert(path.clone(), text.text.text.clone());
                }
                if let Some(list) = renames.get_mut(n) {
                    list.extend(lost.renames);
                }
                found.conflicts.extend(lost.conflicts);
                let enums = grown.get(n).map_or(&[][..], Vec::as_slice);
                found.conflicts.extend(matches::find(one, path, file, beside, &expressions, enums));
                found
                    .conflicts
                    .extend(calls::find(one, &mut merge, path, file, beside, &expressions)?);
            }
        }
        found.conflicts.extend(structure::duplicates(&mut ours, &mut theirs, &mut merge, &files)?);
        let [our, their] = renames;
        // A place that both sides rename is the same place.
        for (from, list) in [(MergeFrom::Ours, our), (MergeFrom::Theirs, their)] {
            if !list.is_empty() {
                found.renames.push((from, list));
            }
        }
        Ok(found)
    }
}

/// No item of the merge has another id in it.
static NONE: std::sync::LazyLock<Identities> = std::sync::LazyLock::new(Identities::default);

/// What became of the items of a side in the merge.
fn identities(side: &dyn SourceTree, merge: &dyn SourceTree) -> Result<Identities, EngineError> {
    let trees = asof_index::compare_trees([side, merge])?;
    let request = DiffRequest {
        detail: Detail::All,
        guesses: Guesses::LeaveOut,
        limit: None,
        ..DiffRequest::default()
    };
    let basis = || Basis::unknown(None, None);
    let diff = diff_trees(&trees, basis(), basis(), AnswerSource::File, &request, None);
    Ok(Identities::new(&diff.answer.items, &[]))
}

/// The files of the merge whose names may mean something else than on a side: those that differ, and
/// those with items whose names do.
fn files_to_compare(
    ours: &mut Beside<'_>,
    theirs: &mut Beside<'_>,
    merge: &mut Side<'_>,
) -> Result<BTreeSet<String>, EngineError> {
    let (our, their, merged) = (ours.side.hashes()?, theirs.side.hashes()?, merge.hashes()?);
    let mut found: BTreeSet<String> = merged
        .iter()
        .filter(|(path, hash)| our.get(*path) != Some(*hash) || their.get(*path) != Some(*hash))
        .map(|(path, _)| path.clone())
        .collect();
    for id in merge.queries.rebound(ours.side.at())? {
        if let Some(item) = merge.item(id)? {
            found.insert(item.file_path.clone());
        }
    }
    Ok(found)
}
