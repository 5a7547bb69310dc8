//! Whether anything changed since the last run, and what a tree consists of now.

use std::collections::BTreeSet;

use super::dependencies::{self, DependencySources};
use super::error::IndexError;
use super::state::{self, State};
use super::stats::suspects;
use asof_model::{Issue, WorkspaceKind, WorkspaceLayout};
use asof_workspace::{SourceTree, Walk};

/// The walk, with the files that manifests name and the walk leaves out, as far as they are known
/// without reading the manifests.
pub(super) fn with_known_targets(walk: &Walk, tree: &dyn SourceTree, state: &State) -> Walk {
    let mut walk = walk.clone();
    walk.include(tree, state.named_files());
    walk
}

/// Whether nothing changed since the last run. `walk` is the plain walk, `known` includes the
/// targets that it leaves out.
pub(super) fn is_current(
    state: &State,
    tree: &dyn SourceTree,
    sources: &DependencySources,
    walk: &Walk,
    known: &Walk,
) -> bool {
    has_same_walk(state, tree, sources, walk) && are_current(state, known)
}

/// Whether nothing changed but, perhaps, contents of files.
pub(super) fn has_same_walk(
    state: &State,
    tree: &dyn SourceTree,
    sources: &DependencySources,
    walk: &Walk,
) -> bool {
    if state.has_other_library() || !has_same_dependencies(state, tree, sources) {
        return false;
    }
    let seen = state.roots.as_ref().map(|roots| roots.seen.as_str());
    seen == Some(state::seen(walk).as_str())
}

fn has_same_dependencies(
    state: &State,
    tree: &dyn SourceTree,
    sources: &DependencySources,
) -> bool {
    state.roots.as_ref().is_some_and(|roots| {
        dependencies::are_current(tree, &roots.layout, sources, &roots.dependencies)
    })
}

fn are_current(state: &State, walk: &Walk) -> bool {
    let lists = [&walk.files, &walk.manifests, &walk.documents];
    lists.iter().map(|list| list.len()).sum::<usize>() == state.stats.len()
        && lists.iter().all(|list| suspects(list, &state.stats).is_empty())
}

/// Packages and targets, the issues of their manifests, and whether these are the stored ones instead.
/// Their manifests and roots that the walk leaves out are added to it.
pub(super) fn layout(
    tree: &dyn SourceTree,
    state: Option<&State>,
    seen: &str,
    walk: &mut Walk,
) -> Result<(WorkspaceLayout, Vec<Issue>, bool), IndexError> {
    if let Some(state) = state
        && let Some(roots) = state.roots.as_ref().filter(|roots| roots.seen == seen)
    {
        let known = with_known_targets(walk, tree, state);
        // Those of a plain folder depend on what its files declare.
        let is_plain = roots.layout.kind == WorkspaceKind::Folder;
        let has_issues = known.issues.iter().any(|issue| is_manifest(&issue.file_path));
        if !is_plain && !has_issues && suspects(&known.manifests, &state.stats).is_empty() {
            *walk = known;
            return Ok((roots.layout.clone(), Vec::new(), true));
        }
    }
    let (layout, issues) = full_layout(tree, walk)?;
    Ok((layout, issues, false))
}

pub(super) fn is_manifest(path: &str) -> bool {
    path.rsplit('/').next() == Some("Cargo.toml")
}

/// Packages and targets of any tree, and the issues of their manifests.
pub(super) fn full_layout(
    tree: &dyn SourceTree,
    walk: &mut Walk,
) -> Result<(WorkspaceLayout, Vec<Issue>), IndexError> {
    let (layout, issues) = asof_workspace::layout_of(tree, walk)?;
    let roots = layout.packages.iter().flat_map(|p| &p.targets).map(|t| t.root.clone());
    let seen_manifests: BTreeSet<&str> =
        walk.manifests.iter().map(|file| file.path.as_str()).collect();
    let unseen = |path: &&String| !seen_manifests.contains(path.as_str());
    let manifests = layout.manifests.keys().filter(unseen).cloned();
    let hidden: Vec<String> = roots.filter(|path| !walk.has_file(path)).chain(manifests).collect();
    if hidden.is_empty() {
        return Ok((layout, issues));
    }
    walk.include(tree, hidden.iter().map(String::as_str));
    Ok(asof_workspace::layout_of(tree, walk)?)
}

/// The files of a tree.
pub(super) fn walk_tree(tree: &dyn SourceTree) -> Result<Walk, IndexError> {
    let _span = tracing::debug_span!("walk").entered();
    Ok(asof_workspace::walk_tree(tree)?)
}
