//! The tests that a change affects, and what makes them unknowable.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::EngineError;
use asof_model::{Class, NodeId, NodeKind};
use asof_query::{AffectedFact, Queries, TargetFact, TestItem};
use asof_wire::{AffectedTest, AffectedTests, Unknowable};
use asof_workspace::{ChangedFiles, is_for_people};

/// Attributes by which the linker or the runtime finds an item that nothing names.
const HIDDEN_ENTRIES: [&str; 9] = [
    "no_mangle",
    "export_name",
    "link_section",
    "used",
    "global_allocator",
    "panic_handler",
    "alloc_error_handler",
    "ctor",
    "dtor",
];

/// What is known of a change.
pub(super) struct Seen<'a> {
    /// Of every affected item.
    pub facts: &'a BTreeMap<NodeId, AffectedFact>,
    pub depths: &'a BTreeMap<NodeId, u32>,
    pub seeds: &'a BTreeMap<NodeId, Vec<Class>>,
    pub documented: Vec<AffectedFact>,
    pub files: Option<&'a ChangedFiles>,
    /// Whether names were resolved with the same sources of dependencies at both moments.
    pub same_sources: bool,
}

impl Seen<'_> {
    pub fn tests(&self, queries: &Queries<'_>) -> Result<AffectedTests, EngineError> {
        let targets: BTreeMap<NodeId, TargetFact> =
            queries.target_facts()?.into_iter().map(|target| (target.root_id, target)).collect();
        let known = queries.test_items()?;
        let mut found = AffectedTests { total: known.len(), ..AffectedTests::default() };
        let mut reasons = BTreeSet::new();
        self.files(queries, &mut reasons, &mut found.ignored_files)?;
        if !self.same_sources {
            reasons.insert(Unknowable {
                what: "dependencies".to_owned(),
                reason: "the sources of some could be read at one of the moments only".to_owned(),
            });
        }
        // Crates of which every test may be affected, with the item that it is for.
        let mut whole: BTreeMap<NodeId, (u32, String)> = BTreeMap::new();
        let mut libraries = BTreeSet::new();
        for fact in self.facts.values() {
            let depth = self.depths.get(&fact.id).copied().unwrap_or_default();
            let is_seed = self.seeds.contains_key(&fact.id);
            if let Some(reason) = unknowable(fact, depth, is_seed) {
                let what = fact.canonical_path.clone();
                reasons.insert(Unknowable { what, reason: reason.to_owned() });
            }
            if fact.target_kind == "lib" && !fact.in_test {
                libraries.insert(fact.root_id);
            }
            let is_main = fact.kind == NodeKind::Function && fact.name == "main";
            match fact.target_kind.as_str() {
                // Tests of the package may run its programs.
                "bin" if is_main => {
                    let package = targets.get(&fact.root_id).map(|target| &target.package);
                    for (root, target) in &targets {
                        if target.kind == "test" && Some(&target.package) == package {
                            shorter(&mut whole, *root, depth + 1, &fact.file_path);
                        }
                    }
                }
                // What a macro call defines, only its own crate can use.
                "bin" if fact.opaque && !fact.in_test => {
                    shorter(&mut whole, fact.root_id, depth, &fact.file_path);
                }
                // Without the usual harness, the tests are what `main` does.
                "test" if is_main => {
                    shorter(&mut whole, fact.root_id, depth, &fact.file_path);
                }
                _ => {}
            }
        }
        libraries.extend(
            self.documented.iter().filter(|f| f.target_kind == "lib").map(|fact| fact.root_id),
        );
        found.run_everything = reasons.into_iter().collect();
        (found.selected, found.count) = self.selected(&known, &whole, &targets);
        let name = |root: &NodeId| targets.get(root).map(|target| target.package.clone());
        found.doc_tests =
            libraries.iter().filter_map(name).collect::<BTreeSet<_>>().into_iter().collect();
        Ok(found)
    }

    /// The entries of the selection, and how many of the known tests they stand for.
    fn selected(
        &self,
        known: &[TestItem],
        whole: &BTreeMap<NodeId, (u32, String)>,
        targets: &BTreeMap<NodeId, TargetFact>,
    ) -> (Vec<AffectedTest>, usize) {
        let mut found = BTreeMap::new();
        let test =
            |target: &TargetFact, name: Option<String>, depth, file_path: &str| AffectedTest {
                package: target.package.clone(),
                target_kind: target.kind.clone(),
                target: target.name.clone(),
                is_module: false,
                name,
                depth,
                file_path: file_path.to_owned(),
            };
        for (root, (depth, file)) in whole {
            if let Some(target) = targets.get(root) {
                found.insert((root, None), test(target, None, *depth, file));
            }
        }
        let mut modules: BTreeMap<(NodeId, String), (u32, String)> = BTreeMap::new();
        for item in known {
            let Some(&depth) = self.depths.get(&item.id) else { continue };
            if item.kind == NodeKind::MacroCall {
                let place = (item.root_id, module_name(item));
                shorter(&mut modules, place, depth, &item.file_path);
            }
        }
        for ((root, module), (depth, file)) in &modules {
            let name = Some(module.clone()).filter(|module| !module.is_empty());
            if let (Some(target), None) = (targets.get(root), whole.get(root)) {
                let is_module = name.is_some();
                let one = AffectedTest { is_module, ..test(target, name.clone(), *depth, file) };
                found.entry((root, name)).or_insert(one);
            }
        }
        let mut count = 0;
        for item in known {
            let Some(target) = targets.get(&item.root_id) else { continue };
            let name = test_name(item);
            let in_module = |module: &str| modules.contains_key(&(item.root_id, module.to_owned()));
            let stands = whole.contains_key(&item.root_id)
                || in_module("")
                || name.match_indices("::").any(|(at, _)| name.get(..at).is_some_and(in_module));
            let depth = self.depths.get(&item.id).filter(|_| item.kind == NodeKind::Function);
            count += usize::from(stands || depth.is_some());
            if let (Some(&depth), false) = (depth, stands) {
                let one = test(target, Some(name.clone()), depth, &item.file_path);
                // A module may have the name of a function.
                found.entry((&item.root_id, Some(name))).or_insert(one);
            }
        }
        let mut found: Vec<AffectedTest> = found.into_values().collect();
        found.sort_by(|a, b| {
            (a.depth, &a.package, &a.target_kind, &a.target, &a.name)
                .cmp(&(b.depth, &b.package, &b.target_kind, &b.target, &b.name))
        });
        (found, count)
    }

    /// Reasons in files other than Rust's.
    fn files(
        &self,
        queries: &Queries<'_>,
        reasons: &mut BTreeSet<Unknowable>,
        ignored: &mut Vec<String>,
    ) -> Result<(), EngineError> {
        let Some(files) = self.files else {
            reasons.insert(Unknowable {
                what: "other files".to_owned(),
                reason: "only commits and the files on disk can be compared".to_owned(),
            });
            return Ok(());
        };
        for gap in &files.gaps {
            let reason = "not every file could be compared".to_owned();
            reasons.insert(Unknowable { what: gap.clone(), reason });
        }
        let mut includes = None;
        for path in &files.paths {
            let name = path.rsplit('/').next().unwrap_or(path);
            let reason = match name {
                "Cargo.toml" | "Cargo.lock" | "rust-toolchain" | "rust-toolchain.toml" => {
                    "it decides how everything is built"
                }
                _ if path.starts_with(".cargo/") || path.contains("/.cargo/") => {
                    "it decides how everything is built"
                }
                _ if is_for_people(path) => {
                    let any = match includes {
                        Some(any) => any,
                        None => *includes.insert(includes_files(queries)?),
                    };
                    if !any {
                        ignored.push(path.clone());
                        continue;
                    }
                    "the workspace includes files by macros, and this may be one"
                }
                _ => "a test or a build script may read it",
            };
            reasons.insert(Unknowable { what: path.clone(), reason: reason.to_owned() });
        }
        Ok(())
    }
}

/// Why it is not known what an affected item affects.
pub(super) fn unknowable(fact: &AffectedFact, depth: u32, is_seed: bool) -> Option<&'static str> {
    match fact.target_kind.as_str() {
        "build_script" => return Some("a build script decides how everything is built"),
        "proc_macro" if !fact.in_test => {
            return Some("a procedural macro may write code that nothing names");
        }
        "detached" if is_seed => return Some("its file is in no crate, so a test may read it"),
        _ => {}
    }
    if fact.opaque && !fact.in_test && fact.target_kind == "lib" {
        return Some("a macro call may define items that are not known");
    }
    if fact.blanket && is_seed {
        return Some("it is in an impl for types that are not known");
    }
    let named =
        |text: &str| HIDDEN_ENTRIES.iter().any(|entry| words(text).any(|word| word == *entry));
    if fact.attributes.iter().filter_map(|one| one.get(1)?.as_str()).any(named) {
        return Some("it runs without being named");
    }
    let is_static = fact.kind == NodeKind::Static;
    if depth <= 1 && is_static && words(&fact.signature).any(|word| word == "mut") {
        return Some("every test may depend on a mutable static");
    }
    None
}

/// Whether code of the workspace includes files by macros.
fn includes_files(queries: &Queries<'_>) -> Result<bool, EngineError> {
    let names = ["include_str", "include_bytes", "include"];
    let of_std = ["std", "core"].iter().flat_map(|krate| names.map(|n| format!("{krate}::{n}")));
    let texts: Vec<String> = of_std.chain(names.map(|name| format!("{name}!"))).collect();
    Ok(!queries.uses_texts(&texts)?.is_empty())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Keeps the entry with the fewest steps.
fn shorter<K: Ord>(entries: &mut BTreeMap<K, (u32, String)>, key: K, steps: u32, file: &str) {
    let entry = entries.entry(key).or_insert_with(|| (steps, file.to_owned()));
    if steps < entry.0 {
        *entry = (steps, file.to_owned());
    }
}

/// Path of a test's module below the crate's root; empty for the root.
fn module_name(item: &TestItem) -> String {
    item.module_path.get(1..).unwrap_or_default().join("::")
}

/// The name that the test runner prints.
fn test_name(item: &TestItem) -> String {
    match module_name(item) {
        module if module.is_empty() => item.name.clone(),
        module => format!("{module}::{}", item.name),
    }
}
