//! Three files, as Git gives them to a merge driver.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::merged_file::describe;
use super::operation::named_by;
use super::states::Settled;
use super::whole::{MergedSides, merge_states};
use crate::database::{Database, repository};
use crate::error::EngineError;
use asof_files::plain::{Links, read};
use asof_index::Progress;
use asof_merge::merge_file;
use asof_wire::{AdaptedUse, MergeOutcome, MergedFile, SemanticConflict};
use asof_workspace::{Commits, EditedFiles, Git, Markers, MergeBase, SourceTree, ThreeTexts};

/// The largest file that is merged, bytes.
const MAX_BYTES: u64 = 256 << 20;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverFiles {
    pub base: PathBuf,
    pub ours: PathBuf,
    pub theirs: PathBuf,
    /// What the file is called in the workspace.
    pub path: String,
}

/// The names with which Git calls a driver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriverCall {
    pub markers: Markers,
    /// Hashes of merged commits by their names, as Git tells them to the programs that it runs.
    pub heads: BTreeMap<String, String>,
}

/// Why the names in a merged file were not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamesUnknown {
    /// It has conflicts, which are to be decided first.
    Conflicts,
    /// Which commits are merged is not known.
    Commits,
    /// The file is not below the root.
    Outside,
    /// The commits have other texts of the file.
    OtherTexts,
    /// The states could not be read.
    Failed(String),
}

/// A file that was merged for Git.
#[derive(Debug, Clone, PartialEq)]
pub struct DriverMerge {
    pub file: MergedFile,
    pub bytes: Vec<u8>,
    /// Uses in the file that follow the other side.
    pub adapted: Vec<AdaptedUse>,
    /// What does not fit together in the file.
    pub semantic: Vec<SemanticConflict>,
    /// Uses to adapt and conflicts in files that Git passes to no driver: one side changed them.
    pub elsewhere: usize,
    pub unknown: Option<NamesUnknown>,
}

impl DriverMerge {
    /// Of three texts alone.
    pub fn of_texts(file: MergedFile, bytes: Vec<u8>) -> Self {
        let (adapted, semantic) = (Vec::new(), Vec::new());
        Self { file, bytes, adapted, semantic, elsewhere: 0, unknown: None }
    }
}

/// Merges three files. The result is in the answer; nothing is written.
///
/// # Errors
/// A file cannot be read.
pub fn merge_driver(
    files: &DriverFiles,
    markers: &Markers,
) -> Result<(MergedFile, Vec<u8>), EngineError> {
    let texts = Texts::read(files)?;
    let merged = merge_file(texts.three(), markers);
    Ok((describe(files.path.clone(), &merged), merged.bytes))
}

impl Database {
    /// [`merge_driver`] within a merge of whole commits: uses in the file follow what the other side
    /// does in other files.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn merge_for_git(
        root: &Path,
        known: Option<&Self>,
        files: &DriverFiles,
        call: &DriverCall,
        progress: &dyn Progress,
    ) -> Result<DriverMerge, EngineError> {
        let texts = Texts::read(files)?;
        let merged = merge_file(texts.three(), &call.markers);
        let file = describe(files.path.clone(), &merged);
        let mut found = DriverMerge::of_texts(file, merged.bytes);
        if found.file.outcome == MergeOutcome::Conflict {
            found.unknown = Some(NamesUnknown::Conflicts);
            return Ok(found);
        }
        // Whatever happens there, the file is merged.
        found.unknown = match adapt_names(root, known, &texts, call, progress, &mut found) {
            Ok(unknown) => unknown,
            Err(error) => Some(NamesUnknown::Failed(error.to_string())),
        };
        Ok(found)
    }
}

/// Compares the names in a merged file with what they mean in the whole merge.
fn adapt_names(
    root: &Path,
    known: Option<&Database>,
    texts: &Texts,
    call: &DriverCall,
    progress: &dyn Progress,
    found: &mut DriverMerge,
) -> Result<Option<NamesUnknown>, EngineError> {
    let git = repository(root)?;
    let Some(sides) = named_by(&git, &call.markers.labels, &call.heads)? else {
        return Ok(Some(NamesUnknown::Commits));
    };
    let Some(path) = git.below(&found.file.file_path) else {
        return Ok(Some(NamesUnknown::Outside));
    };
    if !texts.are_of(&git, root, &sides, &path)? {
        return Ok(Some(NamesUnknown::OtherTexts));
    }
    let whole = merge_states(&git, root, known, &sides, progress)?;
    let text = |files: &EditedFiles| match files.get(&path) {
        Some(bytes) => bytes.clone().unwrap_or_default(),
        None => texts.ours.clone(),
    };
    if text(&whole.merged) != found.bytes {
        return Ok(Some(NamesUnknown::OtherTexts));
    }
    let both: BTreeSet<&String> = whole.files.iter().map(|one| &one.file_path).collect();
    let elsewhere = |path: &String| !both.contains(path);
    let Settled { adapted, semantic, merged } = &whole.settled;
    found.elsewhere = adapted.iter().filter(|one| elsewhere(&one.file_path)).count()
        + semantic.iter().filter(|one| elsewhere(&one.file_path)).count();
    found.adapted = adapted.iter().filter(|one| one.file_path == path).cloned().collect();
    found.semantic = semantic.iter().filter(|one| one.file_path == path).cloned().collect();
    found.bytes = text(merged);
    if !found.semantic.is_empty() {
        found.file.outcome = MergeOutcome::Conflict;
        found.file.conflicts = found.semantic.len();
    }
    Ok(None)
}

/// The texts of a file.
struct Texts {
    base: Vec<u8>,
    ours: Vec<u8>,
    theirs: Vec<u8>,
}

impl Texts {
    fn read(files: &DriverFiles) -> Result<Self, EngineError> {
        let bytes = |path: &Path| {
            read(path, MAX_BYTES, Links::Follow).map_err(|error| EngineError::Io {
                action: "read",
                path: path.to_owned(),
                source: error.into(),
            })
        };
        let (base, ours) = (bytes(&files.base)?, bytes(&files.ours)?);
        Ok(Self { base, ours, theirs: bytes(&files.theirs)? })
    }

    fn three(&self) -> ThreeTexts<'_> {
        ThreeTexts { base: &self.base, ours: &self.ours, theirs: &self.theirs }
    }

    /// Whether the commits have these texts. A side on which the file has another path says nothing.
    fn are_of(
        &self,
        git: &Git,
        root: &Path,
        sides: &MergedSides,
        path: &str,
    ) -> Result<bool, EngineError> {
        let commits = Commits::new(git, root)?;
        let mut compared = vec![(&sides.ours.commit, &self.ours)];
        compared.push((&sides.theirs.commit, &self.theirs));
        if let MergeBase::Commit(base) = &sides.base {
            compared.push((base, &self.base));
        }
        let mut is_found = false;
        for (commit, text) in compared {
            let Ok(bytes) = commits.tree(commit)?.bytes(path, MAX_BYTES) else { continue };
            if bytes != *text {
                return Ok(false);
            }
            is_found = true;
        }
        Ok(is_found)
    }
}
