//! Which packages and targets are selected, and why.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::EngineError;
use asof_model::{Hint, Target, TargetKind};
use asof_query::TargetFact;
use asof_wire::{AffectedPackage, AffectedTarget, SelectionReason};
use asof_workspace::{
    GraphPackage, PackageChanges, Spread, TestKey, is_of_tests, manifest_of, parent_folder,
};

/// The kind of a package's documentation tests in answers.
const DOC: &str = "doc";

/// Packages and targets that are selected.
pub(super) struct Selection {
    found: PackageChanges,
    /// By folder.
    whole: BTreeMap<String, Whole>,
    /// Kind and name of targets by folder, with the first reason for each.
    targets: BTreeMap<String, BTreeMap<(String, String), SelectionReason>>,
}

/// A package that is selected with all of its targets.
struct Whole {
    spread: Spread,
    reasons: BTreeSet<SelectionReason>,
}

/// What an answer lists.
pub(super) struct Selected {
    pub packages: Vec<AffectedPackage>,
    pub package_count: usize,
    pub selected_targets: usize,
    pub target_count: usize,
}

impl Selection {
    pub fn new(mut found: PackageChanges) -> Self {
        let packages = std::mem::take(&mut found.packages);
        let mut selection = Self { found, whole: BTreeMap::new(), targets: BTreeMap::new() };
        for (dir, change) in packages {
            for cause in change.causes {
                let reason = SelectionReason { what: cause.what, reason: cause.reason };
                selection.select_folder(&dir, change.spread, &reason);
            }
        }
        selection
    }

    /// Whether the packages of these names exist.
    pub fn check(&self, names: &[String]) -> Result<(), EngineError> {
        let members = || self.found.graph.packages.values().filter(|one| one.is_member);
        for name in names {
            if !members().any(|one| one.name == *name) {
                let mut known: Vec<String> = members().map(|one| one.name.clone()).collect();
                known.sort();
                let alike = crate::database::alike(name, known);
                let hint = if alike.is_empty() {
                    "`cargo metadata` lists the packages of the workspace".into()
                } else {
                    Hint::DidYouMean(alike)
                };
                let what = format!("no package named `{name}` in the workspace");
                return Err(EngineError::NotFound { what, hint });
            }
        }
        Ok(())
    }

    /// Whether everything is selected already.
    pub fn is_all(&self) -> bool {
        self.found
            .graph
            .packages
            .keys()
            .all(|dir| self.whole.get(dir).is_some_and(|whole| whole.spread == Spread::Dependents))
    }

    pub fn has_package(&self, manifest_path: &str) -> bool {
        self.found.graph.packages.contains_key(parent_folder(manifest_path))
    }

    pub fn select_all(&mut self, reason: &SelectionReason) {
        let all: Vec<String> = self.found.graph.packages.keys().cloned().collect();
        for dir in all {
            self.select_folder(&dir, Spread::Dependents, reason);
        }
    }

    pub fn select_package(
        &mut self,
        manifest_path: &str,
        spread: Spread,
        reason: &SelectionReason,
    ) {
        self.select_folder(parent_folder(manifest_path), spread, reason);
    }

    fn select_folder(&mut self, dir: &str, spread: Spread, reason: &SelectionReason) {
        if !self.found.graph.packages.contains_key(dir) {
            return;
        }
        let whole = self.whole.entry(dir.to_owned());
        let whole = whole.or_insert(Whole { spread, reasons: BTreeSet::new() });
        whole.spread = whole.spread.max(spread);
        whole.reasons.insert(reason.clone());
    }

    pub fn select_target(&mut self, target: &TargetFact, reason: &SelectionReason) {
        self.select_kind(target, (target.kind.clone(), target.name.clone()), reason);
    }

    /// Selects the documentation tests of a library.
    pub fn select_docs(&mut self, target: &TargetFact, reason: &SelectionReason) {
        if matches!(target.kind.as_str(), "lib" | "proc_macro") {
            self.select_kind(target, (DOC.to_owned(), target.name.clone()), reason);
        }
    }

    fn select_kind(
        &mut self,
        target: &TargetFact,
        key: (String, String),
        reason: &SelectionReason,
    ) {
        let dir = parent_folder(&target.manifest_path);
        let targets = self.targets.entry(dir.to_owned()).or_default();
        targets.entry(key).or_insert_with(|| reason.clone());
    }

    /// Selects what may run a program: the tests of its package, and other code with its name.
    pub fn select_program(&mut self, program: &TargetFact) {
        let what = program.name.clone();
        let dir = parent_folder(&program.manifest_path).to_owned();
        let reason = SelectionReason { what, reason: "tests may run this program".to_owned() };
        let package = self.found.graph.packages.get(&dir);
        let tests = package.into_iter().flat_map(|package| &package.targets);
        let tests = tests.filter(|one| matches!(one.kind, TargetKind::Test | TargetKind::Bench));
        let tests: Vec<_> =
            tests.map(|one| (one.kind.as_str().to_owned(), one.name.clone())).collect();
        for key in tests {
            self.select_kind(program, key, &reason);
        }
        let users = self.found.program_users.get(&program.name).cloned().unwrap_or_default();
        for user in users.into_iter().filter(|user| *user != dir) {
            let reason = "its code has the name of this program, and may run it".to_owned();
            let reason = SelectionReason { what: program.name.clone(), reason };
            self.select_folder(&user, Spread::Package, &reason);
        }
    }

    /// Selects the package that may read a Rust file of no crate.
    pub fn select_data(&mut self, path: &str) {
        let Some((dir, _)) = self.found.graph.owner(path) else {
            let reason = "it is in no package, and any may read it".to_owned();
            return self.select_all(&SelectionReason { what: path.to_owned(), reason });
        };
        let dir = dir.to_owned();
        let spread = if is_of_tests(&dir, path) { Spread::Package } else { Spread::Dependents };
        let reason = "it is in no crate of the package, which may include or read it".to_owned();
        self.select_folder(&dir, spread, &SelectionReason { what: path.to_owned(), reason });
    }

    /// Selects everything that depends on what is selected as a whole.
    pub fn propagate(&mut self) {
        let mut users: BTreeMap<String, Vec<(String, Spread, bool)>> = BTreeMap::new();
        for (dir, package) in &self.found.graph.packages {
            for one in &package.uses {
                let user = (dir.clone(), one.spread, one.is_artifact);
                users.entry(one.of.clone()).or_default().push(user);
            }
        }
        let mut waiting: Vec<String> = self.whole.keys().cloned().collect();
        waiting.extend(self.targets.keys().cloned());
        while let Some(dir) = waiting.pop() {
            let name = self.found.graph.packages.get(&dir).map(|one| one.name.clone());
            let goes_on =
                self.whole.get(&dir).is_some_and(|whole| whole.spread == Spread::Dependents);
            for (user, spread, is_artifact) in users.get(&dir).into_iter().flatten() {
                if !goes_on && !is_artifact {
                    continue;
                }
                let known = self.whole.get(user).map(|whole| whole.spread);
                let reason = SelectionReason {
                    what: name.clone().unwrap_or_default(),
                    reason: "it depends on this package".to_owned(),
                };
                self.select_folder(user, *spread, &reason);
                if known.is_none_or(|known| known < *spread) {
                    waiting.push(user.clone());
                }
            }
        }
    }

    pub fn ignored_files(&self) -> Vec<String> {
        self.found.ignored_files.clone()
    }

    /// The members that are selected, those of these names only if there are some.
    pub fn list(&self, names: &[String]) -> Selected {
        let members = self.found.graph.packages.iter();
        let members = members.filter(|(_, package)| {
            package.is_member && (names.is_empty() || names.contains(&package.name))
        });
        let mut listed = Selected {
            packages: Vec::new(),
            package_count: 0,
            selected_targets: 0,
            target_count: 0,
        };
        for (dir, package) in members {
            listed.package_count += 1;
            let all = targets(package);
            listed.target_count += all.iter().filter(|target| target.is_tested).count();
            let whole = self.whole.get(dir);
            let some = self.targets.get(dir);
            let is_selected = |target: AffectedTarget| {
                if whole.is_some() {
                    return Some(target);
                }
                let key = (target.kind.clone(), target.name.clone());
                let reason = some?.get(&key)?;
                Some(AffectedTarget { reason: Some(reason.clone()), ..target })
            };
            let selected: Vec<AffectedTarget> = all.into_iter().filter_map(is_selected).collect();
            if whole.is_none() && selected.is_empty() {
                continue;
            }
            listed.selected_targets += selected.iter().filter(|target| target.is_tested).count();
            let reasons = whole.map(|whole| whole.reasons.iter().cloned().collect());
            listed.packages.push(AffectedPackage {
                package: package.name.clone(),
                spec: self.found.graph.spec(package),
                manifest_path: manifest_of(dir),
                is_whole: whole.is_some(),
                reasons: reasons.unwrap_or_default(),
                targets: selected,
            });
        }
        listed
            .packages
            .sort_by(|a, b| (&a.package, &a.manifest_path).cmp(&(&b.package, &b.manifest_path)));
        listed
    }
}

/// All targets of a package that can be tested, its documentation tests included.
fn targets(package: &GraphPackage) -> Vec<AffectedTarget> {
    let mut found = Vec::new();
    for target in package.targets.iter().filter(|one| one.kind != TargetKind::BuildScript) {
        found.push(AffectedTarget {
            kind: target.kind.as_str().to_owned(),
            name: target.name.clone(),
            is_tested: package.is_tested(target, TestKey::Test),
            needs_features: package.needs_features(target),
            reason: None,
        });
    }
    let is_library = |target: &&Target| target.kind.is_library();
    if let Some(library) = package.targets.iter().find(is_library) {
        found.push(AffectedTarget {
            kind: DOC.to_owned(),
            name: library.name.clone(),
            is_tested: package.is_tested(library, TestKey::Doctest),
            needs_features: false,
            reason: None,
        });
    }
    found
}
