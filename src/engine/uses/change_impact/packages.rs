//! The packages and targets that a difference can reach. Manifests, the lock file and other files
//! concern whole packages (`asof_workspace::package_changes`). Of a change of items, what other crates
//! can see concerns everything that depends on the package; all else only what can reach it.

mod selection;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use self::selection::Selection;
use super::tests::unknowable;
use super::{Changes, Reach, is_felt};
use crate::database::{Database, Refresh, Snapshot};
use crate::error::EngineError;
use crate::history::{Between, FilesAt, index_states, package_changes_between};
use asof_index::{FactSet, Progress};
use asof_model::{Class, NodeId, NodeKind};
use asof_query::{AffectedFact, Queries, TargetFact};
use asof_wire::{
    AffectedPackages, AffectedRequest, Detail, DiffItem, DiffRequest, Guesses, SelectionReason,
    When,
};
use asof_workspace::{ChangedFiles, PackageChanges, Spread};

impl Database {
    /// The packages and targets that the differences between two moments can reach, the earlier one
    /// first. Both must be commits or the files on disk: manifests are compared, too.
    ///
    /// # Errors
    /// A moment has no files, a manifest or the lock file does not parse, a requested package does
    /// not exist, or as [`Self::between`].
    pub fn affected_between(
        &self,
        from: &When,
        to: &When,
        refresh: Refresh,
        request: &AffectedRequest,
        progress: &dyn Progress,
    ) -> Result<AffectedPackages, EngineError> {
        let Some((earlier, later)) = FilesAt::from_when(from).zip(FilesAt::from_when(to)) else {
            return Err(EngineError::BadRequest {
                what: format!("`{from}` and `{to}`: a moment of the database has no manifests"),
                hint: "name two commits, or one to compare with the files on disk".into(),
            });
        };
        let root = self.need_root()?;
        if let Between::Stored { earlier: old, later: new } = self.between(from, to, refresh)?
            && new.has_same_sources(&old)?
        {
            let found = package_changes_between(root, &earlier, &later)?;
            return new.affected_packages(&old, found, request);
        }
        Self::affected_files(root, Some(self), &earlier, &later, request, progress)
    }

    /// [`Self::affected_between`] of two states of the files of a workspace that no database has. Both
    /// are indexed in memory.
    ///
    /// # Errors
    /// As [`Self::affected_between`].
    pub fn affected_files(
        root: &Path,
        known: Option<&Self>,
        earlier: &FilesAt,
        later: &FilesAt,
        request: &AffectedRequest,
        progress: &dyn Progress,
    ) -> Result<AffectedPackages, EngineError> {
        // First, since it is cheap and finds what is wrong with a request.
        let found = package_changes_between(root, earlier, later)?;
        let (database, earlier, later) =
            index_states(root, known, earlier, later, FactSet::All, progress)?;
        let later = database.snapshot(&later, Refresh::Skip)?;
        let earlier = database.snapshot(&earlier, Refresh::Skip)?;
        later.affected_packages(&earlier, found, request)
    }
}

impl Snapshot<'_> {
    fn affected_packages(
        &self,
        from: &Snapshot<'_>,
        found: PackageChanges,
        request: &AffectedRequest,
    ) -> Result<AffectedPackages, EngineError> {
        let started = Instant::now();
        let mut selection = Selection::new(found);
        selection.check(&request.packages)?;
        if !selection.is_all() {
            self.select_items(from, &mut selection)?;
        }
        selection.propagate();
        let list = selection.list(&request.packages);
        let answer = self.answer(started, list.packages, request.limit);
        Ok(AffectedPackages {
            from: from.basis.clone(),
            packages: list.package_count,
            selected_targets: list.selected_targets,
            targets: list.target_count,
            ignored_files: selection.ignored_files(),
            answer,
        })
    }

    /// Selects what a difference of items can reach.
    fn select_items(
        &self,
        from: &Snapshot<'_>,
        selection: &mut Selection,
    ) -> Result<(), EngineError> {
        let request = DiffRequest {
            detail: Detail::All,
            guesses: Guesses::Show,
            limit: None,
            ..DiffRequest::default()
        };
        let items = self.diff(from, &request)?.answer.items;
        let scopes: Vec<DiffItem> = items.iter().filter(|item| is_scope(item)).cloned().collect();
        let mut changes = Changes::new(items);
        let queries = Queries::at(self.store(), self.at);
        let same_sources = self.has_same_sources(from)?;
        if same_sources {
            for id in queries.rebound(from.at)? {
                changes.seeds.entry(id).or_default();
            }
        } else {
            let reason = "the sources of some could be read at one of the moments only";
            selection.select_all(&because("dependencies", reason));
        }
        let none = ChangedFiles::default();
        let Reach { rows, facts, .. } =
            self.reached_by(from, &changes, Some(&none), same_sources)?;
        let crates = Crates::load(&queries)?;
        for row in rows {
            let Some(fact) = facts.get(&row.id) else { continue };
            let seed = changes.seeds.get(&row.id).filter(|_| row.depth == 0);
            let reason = match facts.get(&row.via).filter(|_| row.depth > 0) {
                Some(via) => {
                    because(&fact.canonical_path, &format!("it can reach {}", via.canonical_path))
                }
                None if row.depth > 0 => because(&fact.canonical_path, "it used what is gone"),
                None if seed.is_some_and(|classes| !classes.is_empty()) => {
                    because(&fact.canonical_path, "it differs")
                }
                None => because(&fact.canonical_path, "its names mean something else"),
            };
            crates.select(selection, fact, row.depth, seed.map(Vec::as_slice), &reason);
        }
        let before = Queries::at(self.store(), from.at);
        let crates_before = Crates::load(&before)?;
        let gone: Vec<NodeId> = changes.gone.iter().copied().collect();
        for fact in before.affected_facts(&gone)? {
            let reason = because(&fact.canonical_path, "it is gone");
            crates_before.select(selection, &fact, 0, Some(&[Class::Removed]), &reason);
        }
        let documented: Vec<NodeId> = changes.documented.iter().copied().collect();
        for fact in queries.affected_facts(&documented)? {
            if let Some(target) = crates.0.get(&fact.root_id) {
                let reason = because(&fact.canonical_path, "its documentation differs");
                selection.select_docs(target, &reason);
            }
        }
        select_scopes(&before, &crates_before, selection, &scopes)?;
        select_scopes(&queries, &crates, selection, &scopes)
    }
}

/// Modules and imports of a moment: what other crates can see of them.
fn select_scopes(
    queries: &Queries<'_>,
    crates: &Crates,
    selection: &mut Selection,
    scopes: &[DiffItem],
) -> Result<(), EngineError> {
    let mut classes: BTreeMap<NodeId, &[Class]> = BTreeMap::new();
    for item in scopes {
        classes.insert(item.id, &item.classes);
        classes.extend(item.previous_id.map(|id| (id, item.classes.as_slice())));
    }
    let ids: Vec<NodeId> = classes.keys().copied().collect();
    for fact in queries.affected_facts(&ids)? {
        // What a private module or import is for is a matter of the items that use it.
        let is_attribute = fact.kind != NodeKind::Import
            && classes.get(&fact.id).is_some_and(|all| all.contains(&Class::Attributes));
        if fact.visibility != "pub" && !is_attribute {
            continue;
        }
        let Some(target) = crates.0.get(&fact.root_id) else { continue };
        let reason = because(&fact.canonical_path, "what it lets others name differs");
        if target.kind == "lib" && !fact.in_test {
            selection.select_package(&target.manifest_path, Spread::Dependents, &reason);
        } else {
            selection.select_target(target, &reason);
        }
    }
    Ok(())
}

/// The crates of a moment, by their root modules.
struct Crates(BTreeMap<NodeId, TargetFact>);

impl Crates {
    fn load(queries: &Queries<'_>) -> Result<Self, EngineError> {
        let targets = queries.target_facts()?;
        Ok(Self(targets.into_iter().map(|target| (target.root_id, target)).collect()))
    }

    /// Selects what an affected item concerns. `seed`: what changed, if it changed itself.
    fn select(
        &self,
        selection: &mut Selection,
        fact: &AffectedFact,
        depth: u32,
        seed: Option<&[Class]>,
        reason: &SelectionReason,
    ) {
        let Some(target) = self.0.get(&fact.root_id) else { return };
        if fact.target_kind == "detached" || !selection.has_package(&target.manifest_path) {
            if seed.is_some() {
                selection.select_data(&fact.file_path);
            }
            return;
        }
        // Nothing else is linked with tests, programs, examples and benchmarks.
        let is_linked = matches!(&*fact.target_kind, "lib" | "proc_macro" | "build_script");
        let is_linked = is_linked && !fact.in_test;
        if let Some(why) = unknowable(fact, depth, seed.is_some()).filter(|_| is_linked) {
            let reason = because(&fact.canonical_path, why);
            selection.select_package(&target.manifest_path, Spread::Dependents, &reason);
            return;
        }
        let is_library = fact.target_kind == "lib" && !fact.in_test;
        if is_library && seed.is_some_and(|classes| is_seen_outside(fact, classes)) {
            let why = "other crates can see that it differs";
            let reason = because(&fact.canonical_path, why);
            selection.select_package(&target.manifest_path, Spread::Dependents, &reason);
            return;
        }
        selection.select_target(target, reason);
        if is_library {
            selection.select_docs(target, reason);
        }
        if fact.target_kind == "bin" && fact.kind == NodeKind::Function && fact.name == "main" {
            selection.select_program(target);
        }
    }
}

fn because(what: &str, reason: &str) -> SelectionReason {
    SelectionReason { what: what.to_owned(), reason: reason.to_owned() }
}

/// Whether a difference is one of a module or an import.
fn is_scope(item: &DiffItem) -> bool {
    matches!(item.kind, NodeKind::Module | NodeKind::Import | NodeKind::ExternCrate)
        && item.classes.iter().any(|class| is_felt(*class, item.kind))
}

/// Whether other crates can see a change of an item of a library, other than by what they reach: by
/// names that they resolve, bounds that they prove, values that they build or patterns that they match.
/// Nobody sees the body of a function or the value of a constant but who uses it.
fn is_seen_outside(fact: &AffectedFact, classes: &[Class]) -> bool {
    if classes.is_empty() {
        return false;
    }
    if fact.kind.has_body() && classes.iter().all(|class| *class == Class::Body) {
        return false;
    }
    let is_private = fact.visibility != "pub";
    let is_own = match fact.kind {
        NodeKind::Function
        | NodeKind::Const
        | NodeKind::Static
        | NodeKind::Struct
        | NodeKind::Enum
        | NodeKind::Union
        | NodeKind::TypeAlias
        | NodeKind::Field
        | NodeKind::Trait => true,
        // Those of traits and of their impls are as visible as these.
        NodeKind::Method | NodeKind::AssocConst => {
            fact.around == "impl" && !fact.canonical_path.starts_with('<')
        }
        _ => false,
    };
    !(is_private && is_own)
}
