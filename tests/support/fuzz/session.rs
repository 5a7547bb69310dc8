//! One copy of a workspace, and edits of it one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;

use asof::{Database, EditOptions, EngineError};
use asof_edit::EditError;
use asof_edit::files::FilesError;
use asof_index::{Options, Silent};
use asof_wire::EditSummary;

use super::chain::{self, Step};
use super::content::{Content, Event, Job, Tree, Wire, scan};
use super::oracle::{self, Changed};
use super::reasons::{Around, Cache};
use super::requests::{Case, Expect, Maker, Seen, Spec};
use super::table::{Fault, Table, count};
use crate::support::edits::Rng;
use crate::support::{copy_tree, differences_from_fresh};

/// Requests of a session.
const STEPS: usize = 120;
/// Edits between two comparisons of NOW with a fresh index.
const FRESH: u64 = 200;

/// When the other process changes files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Company {
    None,
    BetweenPlanAndApply,
    DuringApply,
    Both,
    DuringAll,
}

pub struct Session<'a> {
    pub name: String,
    pub(super) rng: Rng,
    pub(super) database: Database,
    pub(super) root: PathBuf,
    pub(super) outside: PathBuf,
    pub(super) pristine: Tree,
    pub(super) now: Tree,
    pub(super) wire: &'a mut Wire<UnixStream>,
    pub(super) cache: Cache,
    pub table: Table,
    /// Microseconds that applying takes, roughly.
    pub(super) usual: u32,
    /// When the other process changes files, in this request.
    company: Company,
    number: u64,
    checked: u64,
}

impl<'a> Session<'a> {
    pub fn new(
        name: String,
        from: &Path,
        folder: &Path,
        seed: u64,
        wire: &'a mut Wire<UnixStream>,
    ) -> Self {
        let root = folder.join("ws");
        let outside = folder.join("outside");
        copy_tree(from, &root);
        let _ = fs::remove_dir_all(root.join(asof::STATE_DIR));
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret.rs"), SECRET).unwrap();
        let root = fs::canonicalize(root).unwrap();
        let database = Database::create_or_open(&root).unwrap();
        database.refresh(&Options::default(), &Silent).unwrap();
        let pristine = scan(&root);
        Self {
            name,
            rng: Rng::new(seed),
            database,
            root,
            outside,
            now: pristine.clone(),
            pristine,
            wire,
            cache: Cache::default(),
            table: Table::default(),
            usual: 4_000,
            company: Company::None,
            number: 1,
            checked: 0,
        }
    }

    pub fn run(mut self, most: u64) -> Table {
        for _ in 0..STEPS {
            if self.table.edits >= most {
                break;
            }
            self.step();
            self.heal();
        }
        self.table.sessions = 1;
        self.table
    }

    pub(super) fn fault(&mut self, fault: Fault, what: String) {
        let (name, requests, company) = (&self.name, self.table.requests, self.company);
        let what = format!("{name}, request {requests}, {company:?}: {what}");
        self.table.fault(fault, what);
    }

    fn step(&mut self) {
        self.database.refresh(&Options::default(), &Silent).unwrap();
        let planned = self.seen();
        let mut maker = Maker {
            rng: &mut self.rng,
            database: &self.database,
            files: &planned,
            number: self.number,
            unknown: Vec::new(),
            known: BTreeMap::new(),
        };
        let spec = maker.make();
        self.number = maker.number;
        for unknown in maker.unknown {
            self.fault(Fault::Lookup, unknown);
        }
        let Some(spec) = spec else { return };
        let company = match self.rng.below(20) {
            0..5 => Company::None,
            5..10 => Company::BetweenPlanAndApply,
            10..15 => Company::DuringApply,
            15..18 => Company::Both,
            _ => Company::DuringAll,
        };
        self.company = company;
        count(&mut self.table.company, &format!("{company:?}"), 1);
        let (result, events) = self.play(&spec, company);
        self.table.requests += 1;
        self.table.edits += spec.cases.len() as u64;
        for event in &events {
            count(&mut self.table.changes, &event.what, 1);
        }
        let before = std::mem::replace(&mut self.now, scan(&self.root));
        let known = company != Company::DuringAll;
        let during = !matches!(company, Company::None | Company::BetweenPlanAndApply);
        self.judge(&spec, &planned, (&before, &events), &result, (known, during));
        if fs::read(self.outside.join("secret.rs")).ok().as_deref() != Some(SECRET.as_bytes()) {
            self.fault(Fault::Outside, "the file that links lead to".to_owned());
            fs::write(self.outside.join("secret.rs"), SECRET).unwrap();
        }
        if company == Company::None && self.table.edits >= self.checked + FRESH {
            self.checked = self.table.edits;
            self.table.fresh += 1;
            let found = differences_from_fresh(self.database.store(), &self.root);
            if !found.is_empty() {
                let request = serde_json::to_string(&spec.request).unwrap();
                self.fault(Fault::NotFresh, format!("{request}\n{found}"));
            }
        }
        if let (Ok(summary), 0) = (&result, self.rng.below(8)) {
            self.undo(summary, &before, events.is_empty());
        }
    }

    /// The request, planned and applied, in the company of the other process.
    fn play(
        &mut self,
        spec: &Spec,
        company: Company,
    ) -> (Result<EditSummary, EngineError>, Vec<Event>) {
        let options = EditOptions::default();
        let mut events = Vec::new();
        if company == Company::DuringAll {
            self.start(spec, 2.0);
            let result = self.database.edit(&spec.request, &options);
            events.extend(self.wire.take_events().unwrap());
            return (result, events);
        }
        if company == Company::None && self.rng.below(2) == 0 {
            return (self.database.edit(&spec.request, &options), events);
        }
        let plan = match self.database.plan_edit(&spec.request, &options) {
            Ok(plan) => plan,
            Err(error) => return (Err(error), events),
        };
        let id = plan.proposal_id.unwrap();
        if matches!(company, Company::BetweenPlanAndApply | Company::Both) {
            self.start(spec, 0.0);
            events.extend(self.wire.take_events().unwrap());
        }
        let started = Instant::now();
        let meddled = matches!(company, Company::DuringApply | Company::Both);
        if meddled {
            self.start(spec, 1.0);
        }
        let result = self.database.apply_edit(&id, &options);
        let took = started.elapsed().as_micros() as u32;
        self.usual = (self.usual * 7 + took.min(50_000)) / 8;
        if meddled {
            events.extend(self.wire.take_events().unwrap());
        }
        (result, events)
    }

    /// Asks the other process for changes in the time that applying takes, times `span`.
    fn start(&mut self, spec: &Spec, span: f64) {
        let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for case in &spec.cases {
            let more = match &case.expect {
                Expect::Splice { keys, .. } => keys.first().cloned(),
                _ => case.key().map(str::to_owned),
            };
            keys.entry(case.path.clone()).or_default().extend(more);
        }
        if self.rng.below(4) == 0 {
            let rust: Vec<&String> = self.now.keys().filter(|p| p.ends_with(".rs")).collect();
            if let Some(path) = self.rng.pick(&rust) {
                keys.entry((*path).clone()).or_default();
            }
        }
        let storm = span > 0.0 && self.rng.below(60) == 0;
        let changes = if storm { 10 + self.rng.below(30) } else { 1 + self.rng.below(3) };
        let most = (f64::from(self.usual) * span) as usize;
        let first = self.rng.below(most + 1) as u32;
        let mut delays = vec![if storm { 0 } else { first }];
        for _ in 1..changes {
            let most = if storm { most / 12 } else { most / 2 };
            delays.push(self.rng.below(most + 1) as u32);
        }
        let job = Job {
            root: self.root.to_str().unwrap().to_owned(),
            outside: self.outside.to_str().unwrap().to_owned(),
            seed: self.rng.next(),
            files: keys.into_iter().collect(),
            delays,
            gentle: self.rng.below(2) == 0,
        };
        self.wire.send_job(&job).unwrap();
    }

    fn seen(&mut self) -> BTreeMap<String, Seen> {
        let mut seen = BTreeMap::new();
        for (path, content) in &self.now {
            let Some(bytes) = content.bytes() else { continue };
            let rust = path.ends_with(".rs");
            let parsed = if rust { self.cache.parse(bytes) } else { None };
            seen.insert(path.clone(), Seen { bytes: Rc::from(bytes), parsed });
        }
        seen
    }

    fn judge(
        &mut self,
        spec: &Spec,
        planned: &BTreeMap<String, Seen>,
        (before, events): (&Tree, &[Event]),
        result: &Result<EditSummary, EngineError>,
        (known, during): (bool, bool),
    ) {
        let request = serde_json::to_string(&spec.request).unwrap();
        let what: Vec<String> = events
            .iter()
            .map(|e| format!("{} {:?}→{:?}: {}", e.path, e.from, e.to, e.what))
            .collect();
        let told = |what_: &str| format!("{what_}\n  {request}\n  {}", what.join("\n  "));
        let steps: BTreeMap<String, Step> = match result {
            Ok(summary) => summary
                .files
                .iter()
                .map(|file| (file.file_path.clone(), (file.before_hash, file.after_hash)))
                .collect(),
            Err(_) => BTreeMap::new(),
        };
        let conflict = is_conflict(result.as_ref().err());
        let (pairs, lost) = self.explain(before, events, &steps, conflict);
        for path in lost {
            let said = result.as_ref().map(|_| "applied").map_err(ToString::to_string);
            let found = (before.get(&path), self.now.get(&path), steps.get(&path));
            self.fault(Fault::Torn, told(&format!("{path}: {said:?}, {found:?}")));
        }
        match result {
            Ok(summary) => {
                for edited in &summary.edits {
                    count(&mut self.table.results, edited.status.as_str(), 1);
                }
                for case in &spec.cases {
                    count(&mut self.table.modes, case.mode(), 1);
                }
                if let Err(found) = self.spans(spec, planned, summary, &pairs, known) {
                    self.fault(Fault::WrongSpan, told(&found));
                }
            }
            Err(error) => {
                let mut states: BTreeMap<String, Vec<Content>> = BTreeMap::new();
                for (path, content) in before {
                    states.entry(path.clone()).or_default().push(content.clone());
                }
                for event in events {
                    let all = states.entry(event.path.clone()).or_default();
                    all.extend([event.from.clone(), event.to.clone()]);
                }
                let around = Around {
                    cases: &spec.cases,
                    planned,
                    states: &states,
                    events: events.len(),
                    during,
                };
                let class = around.class(&mut self.cache, error);
                let name = format!("refused: {}", class.unwrap_or("nothing bears it out"));
                count(&mut self.table.results, &name, spec.cases.len());
                if class.is_none() {
                    let (hint, known) = (error.hint(), known);
                    self.fault(
                        Fault::FalseRefusal,
                        told(&format!("{error}\n  ({hint:?}; {known})")),
                    );
                }
            }
        }
    }

    /// What the edit found and left in each of its files; and the files that no order of events
    /// explains.
    pub(super) fn explain(
        &mut self,
        before: &Tree,
        events: &[Event],
        steps: &BTreeMap<String, Step>,
        conflict: bool,
    ) -> (BTreeMap<String, chain::Pair>, Vec<String>) {
        let mut pairs = BTreeMap::new();
        let mut lost = Vec::new();
        let paths: BTreeSet<&String> =
            before.keys().chain(self.now.keys()).chain(steps.keys()).collect();
        let mut left: Vec<String> = Vec::new();
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or_default();
            if name.starts_with(".asof-") {
                left.push(path.clone());
                if !conflict {
                    lost.push(path.clone());
                }
                continue;
            }
            let at = |tree: &Tree| tree.get(path).cloned().unwrap_or(Content::Gone);
            let (first, last) = (at(before), at(&self.now));
            let mine: Vec<&Event> = events.iter().filter(|e| e.path == *path).collect();
            let step = steps.get(path).copied();
            match chain::order(&first, &mine, step, &last) {
                Ok(Some(pair)) => {
                    pairs.insert(path.clone(), pair);
                }
                Ok(None) => {}
                // It says so: both texts are kept aside.
                Err(()) if conflict && !mine.is_empty() => {}
                Err(()) => lost.push(path.clone()),
            }
        }
        for path in left {
            let _ = fs::remove_file(self.root.join(&path));
            self.now.remove(&path);
        }
        (pairs, lost)
    }

    fn spans(
        &mut self,
        spec: &Spec,
        planned: &BTreeMap<String, Seen>,
        summary: &EditSummary,
        pairs: &BTreeMap<String, chain::Pair>,
        known: bool,
    ) -> Result<(), String> {
        let mut by_file: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for (case, edited) in spec.cases.iter().zip(&summary.edits) {
            let pair =
                |path: &String| pairs.get(path).ok_or_else(|| format!("{path} was not written"));
            match &case.expect {
                Expect::Create { code } => {
                    if pair(&case.path)?.1.bytes() != Some(code.as_bytes()) {
                        return Err("the new file holds something else".to_owned());
                    }
                }
                Expect::Remove => {
                    if pair(&case.path)?.1 != Content::Gone {
                        return Err("the file is still there".to_owned());
                    }
                }
                Expect::Rename { to } => {
                    if pair(to)?.1 != pair(&case.path)?.0 || pair(&case.path)?.1 != Content::Gone {
                        return Err("the file did not move".to_owned());
                    }
                }
                _ => by_file.entry(&case.path).or_default().push((case, edited)),
            }
        }
        for (path, cases) in by_file {
            let Some((old, new)) = pairs.get(path) else {
                let held = &planned[path].bytes;
                let same = |case: &Case| match &case.expect {
                    Expect::Splice { range, replacement, .. } => {
                        held.get(range.clone()) == Some(replacement.as_bytes())
                    }
                    _ => false,
                };
                if cases.iter().all(|(case, _)| same(case)) {
                    continue;
                } else {
                    return Err(format!("{path} was not written"));
                }
            };
            let (Some(before), Some(after)) = (old.bytes(), new.bytes()) else {
                return Err(format!("{path} held no text"));
            };
            let file = Changed { path, before, after, planned: &planned[path], known };
            oracle::judge(&file, &cases).map_err(|found| format!("{}: {found}", file.path))?;
        }
        Ok(())
    }
}

const SECRET: &str = "fn secret() {}\n";

pub fn is_conflict(error: Option<&EngineError>) -> bool {
    matches!(error, Some(EngineError::Edit(EditError::Files(FilesError::Conflict { .. }))))
}
