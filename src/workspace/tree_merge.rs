//! The merge of two states of a repository, as Git makes it, in memory: nothing is written, and no
//! driver or filter that the repository's configuration names is run.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::diff::blob::Algorithm;
use gix::merge::blob::builtin_driver::text::Labels;
use gix::merge::tree::{ResolutionFailure, TreatAsUnresolved};
use gix::object::tree::diff::ChangeDetached;

use super::error::WorkspaceError;
use super::git::{Git, open};
use super::tree::within;

/// Contents of files by path; none for a file that is gone.
pub type EditedFiles = BTreeMap<String, Option<Vec<u8>>>;

/// A side of a merge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergeSide {
    /// The hash of a commit.
    pub commit: String,
    /// Files below the root that differ from the commit's.
    pub edited: EditedFiles,
    /// Its name in conflict markers.
    pub label: String,
}

/// What both sides of a merge come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum MergeBase {
    /// The commits that both have in common.
    #[default]
    Common,
    /// The commit with this hash, as when a commit is applied to another one than its parent.
    Commit(String),
}

/// What a merge would be. Paths are relative to the root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeMerge {
    /// The commits that both sides come from. If they are several, the base is their merge.
    pub bases: Vec<String>,
    /// Files of the base that differ from the commit of our side.
    pub base: EditedFiles,
    /// Files of the result that differ from the commit of our side.
    pub merged: EditedFiles,
    /// Files that both sides changed, and differently.
    pub both: BTreeSet<String>,
    /// Files that one side changed.
    pub one: BTreeSet<String>,
    pub conflicts: Vec<FileConflict>,
    /// Conflicts in files that are not below the root, relative to the top of the repository.
    pub outside: Vec<String>,
}

/// A file that Git cannot merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileConflict {
    pub path: String,
    /// The texts of base, ours and theirs if it is a conflict of lines.
    pub texts: Option<[Vec<u8>; 3]>,
    pub what: String,
}

impl Git {
    /// Merges two states as Git would.
    ///
    /// # Errors
    /// A commit or object is missing or damaged, or the commits have no ancestor in common.
    pub fn merge(
        &self,
        ours: &MergeSide,
        theirs: &MergeSide,
        base: &MergeBase,
    ) -> Result<TreeMerge, WorkspaceError> {
        let failed = |reason: &dyn std::fmt::Display| self.bad("the merge", reason);
        let repository = open(&self.top).map_err(|reason| failed(&reason))?;
        let mut repository = repository.with_object_memory();
        forget_programs(&mut repository);
        let repository = &repository;
        let options = || -> Result<gix::merge::tree::Options, WorkspaceError> {
            let mut options: gix::merge::plumbing::tree::Options =
                repository.tree_merge_options().map_err(|e| failed(&e))?.into();
            options.blob_merge.text.diff_algorithm = Algorithm::Histogram;
            Ok(options.into())
        };
        let id =
            |hash: &str| ObjectId::from_hex(hash.as_bytes()).map_err(|_| failed(&"a hash is none"));
        let (our_commit, their_commit) = (id(&ours.commit)?, id(&theirs.commit)?);
        let bases: Vec<ObjectId> = match base {
            MergeBase::Commit(hash) => vec![id(hash)?],
            MergeBase::Common => repository
                .merge_bases_many(our_commit, &[their_commit])
                .map_err(|e| failed(&e))?
                .into_iter()
                .map(|id| id.detach())
                .collect(),
        };
        if bases.is_empty() {
            return Err(failed(&"the two have no ancestor in common"));
        }
        let base = repository
            .virtual_merge_base(bases.iter().copied(), options()?)
            .map_err(|e| failed(&e))?
            .tree_id
            .detach();
        let our_tree = self.edited_tree(repository, our_commit, ours)?;
        let their_tree = self.edited_tree(repository, their_commit, theirs)?;
        let labels = Labels {
            ancestor: Some("base".into()),
            current: Some(ours.label.as_str().into()),
            other: Some(theirs.label.as_str().into()),
        };
        let mut outcome = repository
            .merge_trees(base, our_tree, their_tree, labels, options()?)
            .map_err(|e| failed(&e))?;
        let merged = outcome.tree.write().map_err(|e| failed(&e))?.detach();
        let commit_tree = self.tree_id(repository, our_commit)?;
        let result = self.changes(repository, commit_tree, merged)?;
        let mut found = TreeMerge {
            bases: bases.iter().map(ToString::to_string).collect(),
            base: self.contents(repository, &self.changes(repository, commit_tree, base)?)?,
            merged: self.contents(repository, &result)?,
            ..TreeMerge::default()
        };
        let our_changes = self.changes(repository, base, our_tree)?;
        let their_changes = self.changes(repository, base, their_tree)?;
        for path in our_changes.keys().chain(their_changes.keys()) {
            let Some(path) = self.below(path) else { continue };
            let full = within(&self.prefix, &path);
            match (our_changes.get(&full), their_changes.get(&full)) {
                (Some(ours), Some(theirs)) if ours != theirs => found.both.insert(path),
                _ => found.one.insert(path),
            };
        }
        let ours_to_merged = self.changes(repository, our_tree, merged)?;
        for conflict in &outcome.conflicts {
            if !conflict.is_unresolved(TreatAsUnresolved::git()) {
                continue;
            }
            let content = conflict.content_merge();
            // Where the merged text is: a rename has other places.
            let blob = content.map(|content| content.merged_blob_id);
            let place = ours_to_merged
                .iter()
                .find(|(_, id)| blob.is_some() && **id == blob)
                .map_or_else(|| conflict.ours.location().to_string(), |(path, _)| path.clone());
            let texts = match content {
                Some(_) => {
                    let mut texts = Vec::new();
                    for entry in conflict.entries() {
                        texts.push(match entry {
                            Some(entry) => self.blob(repository, entry.id)?,
                            None => Vec::new(),
                        });
                    }
                    <[Vec<u8>; 3]>::try_from(texts).ok()
                }
                None => None,
            };
            let what = match &conflict.resolution {
                Ok(_) => "both sides change the same lines",
                Err(failure) => describe(failure),
            };
            match self.below(&place) {
                Some(path) => {
                    found.conflicts.push(FileConflict { path, texts, what: what.to_owned() });
                }
                None => found.outside.push(place),
            }
        }
        found.conflicts.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// A path of the repository, relative to the root; none if it is not below it.
    pub fn below(&self, path: &str) -> Option<String> {
        match self.prefix.as_str() {
            "" => Some(path.to_owned()),
            prefix => path.strip_prefix(prefix)?.strip_prefix('/').map(str::to_owned),
        }
    }

    fn tree_id(
        &self,
        repository: &gix::Repository,
        commit: ObjectId,
    ) -> Result<ObjectId, WorkspaceError> {
        let bad = |e: &dyn std::fmt::Display| self.bad(&format!("the commit {commit}"), e);
        let found = repository.find_commit(commit).map_err(|e| bad(&e))?;
        Ok(found.tree_id().map_err(|e| bad(&e))?.detach())
    }

    /// The tree of a side.
    fn edited_tree(
        &self,
        repository: &gix::Repository,
        commit: ObjectId,
        side: &MergeSide,
    ) -> Result<ObjectId, WorkspaceError> {
        let tree = self.tree_id(repository, commit)?;
        if side.edited.is_empty() {
            return Ok(tree);
        }
        let bad = |e: &dyn std::fmt::Display| self.bad(&side.label, e);
        let mut editor = repository.edit_tree(tree).map_err(|e| bad(&e))?;
        for (path, bytes) in &side.edited {
            let path = within(&self.prefix, path);
            match bytes {
                Some(bytes) => {
                    let kind = match editor.get(path.as_str()) {
                        Some(entry) if entry.mode().is_executable() => {
                            gix::objs::tree::EntryKind::BlobExecutable
                        }
                        _ => gix::objs::tree::EntryKind::Blob,
                    };
                    let id = repository.write_blob(bytes).map_err(|e| bad(&e))?;
                    editor.upsert(path.as_str(), kind, id).map_err(|e| bad(&e))?;
                }
                None => _ = editor.remove(path.as_str()).map_err(|e| bad(&e))?,
            }
        }
        Ok(editor.write().map_err(|e| bad(&e))?.detach())
    }

    /// Files that differ between two trees, by path, with what the second one has.
    fn changes(
        &self,
        repository: &gix::Repository,
        from: ObjectId,
        to: ObjectId,
    ) -> Result<BTreeMap<String, Option<ObjectId>>, WorkspaceError> {
        let bad = |e: &dyn std::fmt::Display| self.bad("a tree", e);
        let from = repository.find_tree(from).map_err(|e| bad(&e))?;
        let to = repository.find_tree(to).map_err(|e| bad(&e))?;
        let options = gix::diff::Options::default().with_rewrites(None);
        let changes = repository.diff_tree_to_tree(&from, &to, options).map_err(|e| bad(&e))?;
        let mut found = BTreeMap::new();
        for change in changes {
            let (location, id, mode) = match change {
                ChangeDetached::Addition { location, id, entry_mode, .. }
                | ChangeDetached::Modification { location, id, entry_mode, .. } => {
                    (location, Some(id), entry_mode)
                }
                ChangeDetached::Deletion { location, entry_mode, .. } => {
                    (location, None, entry_mode)
                }
                ChangeDetached::Rewrite { location, id, entry_mode, .. } => {
                    (location, Some(id), entry_mode)
                }
            };
            if mode.is_blob() {
                found.insert(location.to_string(), id);
            }
        }
        Ok(found)
    }

    /// The contents of changed files below the root.
    fn contents(
        &self,
        repository: &gix::Repository,
        changes: &BTreeMap<String, Option<ObjectId>>,
    ) -> Result<EditedFiles, WorkspaceError> {
        let mut found = EditedFiles::new();
        for (path, id) in changes {
            let Some(path) = self.below(path) else { continue };
            let bytes = match id {
                Some(id) => Some(self.blob(repository, *id)?),
                None => None,
            };
            found.insert(path, bytes);
        }
        Ok(found)
    }

    fn blob(&self, repository: &gix::Repository, id: ObjectId) -> Result<Vec<u8>, WorkspaceError> {
        let found =
            repository.find_blob(id).map_err(|e| self.bad(&format!("the blob {id}"), &e))?;
        Ok(found.detach().data)
    }
}

/// Takes programs out of the configuration: drivers of merges and differences, and filters.
fn forget_programs(repository: &mut gix::Repository) {
    let mut config = repository.config_snapshot_mut();
    for name in ["diff", "filter", "merge"] {
        let sections: Vec<gix::bstr::BString> = config
            .sections_by_name(name)
            .into_iter()
            .flatten()
            .filter_map(|section| section.header().subsection_name().map(ToOwned::to_owned))
            .collect();
        for section in sections {
            config.remove_section(name, Some(section.as_ref() as &gix::bstr::BStr));
        }
    }
}

fn describe(failure: &ResolutionFailure) -> &'static str {
    match failure {
        ResolutionFailure::SubmoduleMerge | ResolutionFailure::SubmoduleAddAdd => {
            "both sides change the commit of a submodule"
        }
        ResolutionFailure::OursRenamedTheirsRenamedToSameLocation => {
            "both sides rename other files to this one"
        }
        ResolutionFailure::OursRenamedTheirsRenamedDifferently { .. } => {
            "both sides rename the file, and differently"
        }
        ResolutionFailure::OursModifiedTheirsDirectoryThenOursRenamed { .. }
        | ResolutionFailure::OursDirectoryTheirsNonDirectoryTheirsRenamed { .. } => {
            "it is a file on one side and a folder on the other"
        }
        ResolutionFailure::OursAddedTheirsAddedTypeMismatch { .. }
        | ResolutionFailure::OursModifiedTheirsRenamedTypeMismatch => {
            "it is a file on one side and a link on the other"
        }
        ResolutionFailure::OursDeletedTheirsRenamed => {
            "one side deletes the file, and the other renames it"
        }
        ResolutionFailure::OursModifiedTheirsDeleted => {
            "one side deletes the file, and the other changes it"
        }
        ResolutionFailure::Unknown => "Git's merge of the two changes is not known",
    }
}
