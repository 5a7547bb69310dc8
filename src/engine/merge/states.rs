//! Both sides and a merge, resolved and compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::names::{
    Adaptation, Follow, Wrong, adapt, certain, compare, merge_labels, possible, word,
};
use super::sides::Beside;
use super::{calls, matches, structure};
use crate::database::{Database, Refresh};
use crate::error::EngineError;
use crate::history::{State, diff_trees, index_trees};
use crate::review::{Identities, Side, SideState};
use asof_index::{FactSet, Progress};
use asof_merge::Expressions;
use asof_review::Identity;
use asof_wire::{
    AdaptedUse, AnswerSource, Basis, Detail, DiffRequest, Guesses, MergeConflictKind, MergeFrom,
    SemanticConflict,
};
use asof_workspace::{Commits, EditedFiles, MergeSide, Overlay, SourceTree};

/// How often uses that do not follow after all are left as they were, and the rest is tried.
const ROUNDS: usize = 3;

/// What is needed to resolve both sides and a merge.
pub(super) struct States<'s> {
    pub root: &'s Path,
    pub known: Option<&'s Database>,
    pub commits: &'s Commits,
    pub ours: &'s MergeSide,
    pub theirs: &'s MergeSide,
    /// Files with conflicts: what they define is not known yet.
    pub unsettled: BTreeSet<String>,
}

/// A merge in which the uses of one side follow what the other one does.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled {
    /// Files of the merge that differ from the commit of our side.
    pub merged: EditedFiles,
    pub adapted: BTreeSet<AdaptedUse>,
    pub semantic: Vec<SemanticConflict>,
}

/// What does not fit together in a merge.
#[derive(Default)]
struct Compared {
    conflicts: Vec<SemanticConflict>,
    adaptations: BTreeSet<Adaptation>,
    /// The texts of the merge in which something is to be adapted.
    texts: BTreeMap<String, String>,
    /// Which of the adaptations that were made do not mean what they should, and why.
    failed: BTreeMap<Adaptation, String>,
}

impl Compared {
    /// A place that both sides change is the same place.
    fn add(&mut self, new: Adaptation) {
        let place = |one: &Adaptation| (one.file_path.clone(), one.byte, one.before.clone());
        if !self.adaptations.iter().any(|one| place(one) == place(&new)) {
            self.adaptations.insert(new);
        }
    }
}

/// Adaptations that were made in a merge.
#[derive(Default)]
struct Made<'m> {
    all: Option<&'m BTreeSet<Adaptation>>,
}

impl States<'_> {
    fn tree<'c>(&'c self, commit: &str, edited: &EditedFiles) -> Result<Overlay<'c>, EngineError> {
        let below = Box::new(self.commits.tree(commit)?);
        Ok(Overlay::over(below, edited.clone())?)
    }

    /// Compares what names mean in a merge, and adapts uses of one side to the other. What was adapted
    /// is resolved again: a use that means something else then is left as it was, and listed.
    pub fn settle(
        &self,
        merged: &EditedFiles,
        progress: &dyn Progress,
    ) -> Result<Settled, EngineError> {
        let found = self.compare(merged, &Made::default(), progress)?;
        let (texts, mut kept) = (found.texts, found.adaptations);
        let mut conflicts = found.conflicts;
        let mut settled = merged.clone();
        let mut failed: BTreeMap<(String, u32), String> = BTreeMap::new();
        for round in 0..=ROUNDS {
            // The last attempt is the merge as it was.
            if round == ROUNDS {
                kept.clear();
            }
            if round == 0 && kept.is_empty() {
                break;
            }
            settled.clone_from(merged);
            for (path, text) in adapt(&texts, &kept) {
                settled.insert(path, Some(text.into_bytes()));
            }
            let found = self.compare(&settled, &Made { all: Some(&kept) }, progress)?;
            let before = kept.len();
            kept.retain(|one| {
                let place = (&one.file_path, one.line);
                let is_listed =
                    |conflict: &SemanticConflict| (&conflict.file_path, conflict.line) == place;
                !found.failed.contains_key(one) && !found.conflicts.iter().any(is_listed)
            });
            conflicts = found.conflicts;
            let why = found.failed.into_iter();
            failed.extend(why.map(|(one, why)| ((one.file_path, one.line), why)));
            if kept.len() == before {
                break;
            }
        }
        for one in &mut conflicts {
            let why = failed.get(&(one.file_path.clone(), one.line));
            if let Some(why) = why.filter(|_| one.kind == MergeConflictKind::Arguments) {
                one.is = format!("{}: {why}", one.is);
            }
        }
        conflicts.sort();
        conflicts.dedup();
        let adapted = kept.into_iter().map(Adaptation::into_use).collect();
        Ok(Settled { merged: settled, adapted, semantic: conflicts })
    }

    /// Resolves both sides and a merge, and compares what names mean.
    fn compare(
        &self,
        merged: &EditedFiles,
        made: &Made<'_>,
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
        let merge = Side::new(merge, &NONE, SideState::Later);
        let mut merge = merge.with_tree(Some(&merged));
        let mut ours = Beside::new(MergeFrom::Ours, our, our_ids, &mut merge, &ours)?;
        let mut theirs = Beside::new(MergeFrom::Theirs, their, their_ids, &mut merge, &theirs)?;
        let mut files = files_to_compare(&mut ours, &mut theirs, &mut merge)?;
        files.retain(|path| !self.unsettled.contains(path));
        merge.know_files(&files)?;
        ours.know_files(&merge, &files)?;
        theirs.know_files(&merge, &files)?;
        let mut found = Compared { failed: made.failed(&mut merge)?, ..Compared::default() };
        let mut grown = [Vec::new(), Vec::new()];
        for path in &files {
            let [our, their] = &mut grown;
            our.extend(matches::grown_enums(&mut ours, &mut merge, path)?);
            their.extend(matches::grown_enums(&mut theirs, &mut merge, path)?);
        }
        let follow = if made.all.is_some() { Follow::Nothing } else { Follow::Changes };
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
                let unsettled = &self.unsettled;
                let names = compare(one, &mut merge, path, file, beside, unsettled, follow)?;
                let overrides = structure::overrides(one, &mut merge, path, file, beside, follow)?;
                let calls = calls::find(one, other, &mut merge, path, file, beside, follow)?;
                for Wrong { adaptations, conflicts } in [names, overrides, calls] {
                    if !adaptations.is_empty() {
                        found.texts.insert(path.clone(), text.text.text.clone());
                    }
                    for adaptation in adaptations {
                        found.add(adaptation);
                    }
                    found.conflicts.extend(conflicts);
                }
                let enums = grown.get(n).map_or(&[][..], Vec::as_slice);
                found.conflicts.extend(matches::find(one, path, file, beside, &expressions, enums));
            }
        }
        found.conflicts.extend(structure::duplicates(&mut ours, &mut theirs, &mut merge, &files)?);
        Ok(found)
    }
}

impl Made<'_> {
    /// Those that do not mean what they should in the merge in which they are, and why.
    fn failed(&self, merge: &mut Side<'_>) -> Result<BTreeMap<Adaptation, String>, EngineError> {
        let mut found = BTreeMap::new();
        let (mut path, mut shift) = ("", 0i64);
        for one in self.all.into_iter().flatten() {
            if one.file_path != path {
                (path, shift) = (one.file_path.as_str(), 0);
            }
            let start = i64::from(one.byte) + shift;
            shift += one.after.len() as i64 - one.before.len() as i64;
            for (offset, expected) in &one.meanings {
                let byte = u32::try_from(start + i64::from(*offset)).unwrap_or_default();
                let file = merge.file(path)?;
                let uses = file.text.uses.get(&byte).map_or(&[][..], Vec::as_slice);
                let is_certain = certain(uses).is_some_and(|is| is == *expected);
                if !is_certain {
                    let (there, here) = (called(merge, expected)?, called(merge, &possible(uses))?);
                    let name = word(&file.text.text, byte);
                    let why = format!("`{name}` means {there} there, and {here} here");
                    found.insert(one.clone(), why);
                }
            }
        }
        Ok(found)
    }
}

/// How what a name means is called in a merge.
fn called(merge: &mut Side<'_>, all: &BTreeSet<Identity>) -> Result<String, EngineError> {
    if all.is_empty() {
        return Ok("nothing".to_owned());
    }
    Ok(format!("`{}`", merge_labels(merge, all)?))
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
    let rebound = merge.queries.rebound(ours.side.at())?;
    merge.know(&rebound)?;
    for id in rebound {
        if let Some(item) = merge.item(id)? {
            found.insert(item.file_path.clone());
        }
    }
    Ok(found)
}
