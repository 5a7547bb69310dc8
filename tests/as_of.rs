//! Whatever is done to a database, questions about a moment get the same answers again.
//!
//! Random sequences of scans, edits, undo, imports of older and newer commits, backups, restores,
//! garbage collection, rebuilds and failing requests, on a small Git repository.
//! `ASOF_SEQUENCES=200 cargo test --test suite as_of::` runs more, `ASOF_SEED` starts elsewhere.
//! Without `ASOF_SEQUENCES`, an operation that may not change any answer is followed by some of the
//! questions; all are asked after the others, before moments are dropped, and at the end.

use crate::support;

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use asof::{Check, Database, EditOptions, EngineError, GcMode, Keep, Refresh, Snapshot, When};
use asof_edit::EditRequest;
use asof_index::{Options, Progress, Silent};
use asof_model::Micros;
use asof_query::Queries;
use asof_wire::Phase;
use asof_wire::{HistoryRequest, QueryRequest, ResolveRequest, Script, Spans, UseRequest};
use asof_workspace::Selection;
use serde_json::Value as Json;
use support::edits::{Rng, edit};
use support::{Copy, dump_at};

/// Operations of a sequence.
const STEPS: usize = 10;

/// What was answered about a moment.
#[derive(Debug, Clone, PartialEq)]
struct Answers {
    /// Hash of all rows.
    rows: u64,
    /// By path: what it means, its text, its uses.
    items: BTreeMap<String, Json>,
    query: Json,
    /// By path: its versions, the newest first.
    histories: BTreeMap<String, Vec<Json>>,
}

/// How histories may differ after an operation. Nothing else may.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Past {
    Same,
    /// Older commits were imported: the oldest version that was known is explained again, and
    /// others come before it.
    Longer,
    /// Versions were dropped: what the oldest remaining one changed is not known.
    Shorter,
}

/// Which of the earlier questions are repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Asked {
    All,
    /// Others after each operation.
    Some,
}

struct World {
    copy: Copy,
    database: Option<Database>,
    rng: Rng,
    /// Seconds since 1970 of the last commit.
    clock: u64,
    kept: BTreeMap<Micros, Answers>,
    /// The backup, what was known when it was made, and the newest revision then.
    backup: PathBuf,
    backed_up: Option<(BTreeMap<Micros, Answers>, Micros)>,
    told: Vec<String>,
}

fn options() -> Options {
    Options { threads: Some(1), ..Options::default() }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn items(answer: impl serde::Serialize) -> Json {
    serde_json::to_value(answer).unwrap()["items"].clone()
}

/// An answer, or the error that was given instead.
fn outcome<T: serde::Serialize>(answer: Result<T, EngineError>) -> Json {
    answer.map_or_else(|error| Json::from(error.to_string()), items)
}

fn ask(database: &Database, at: Micros, paths: &BTreeSet<String>) -> Answers {
    let snapshot = database.snapshot(&When::At(at), Refresh::Skip).unwrap();
    assert_eq!(snapshot.at(), at);
    let script = "?[kind, count(id)] := *node{id, kind @ $at}";
    let request = QueryRequest::new(Script::Text(script.to_owned()));
    Answers {
        rows: hash(&dump_at(database.store(), at)),
        items: paths.iter().map(|path| (path.clone(), item(&snapshot, path))).collect(),
        query: items(snapshot.query(&request).unwrap()),
        histories: paths.iter().map(|path| (path.clone(), history(&snapshot, path))).collect(),
    }
}

fn item(snapshot: &Snapshot<'_>, path: &str) -> Json {
    let request = ResolveRequest::new(path);
    let found = match snapshot.resolve(&request) {
        Ok(found) => found,
        Err(error) => return Json::from(error.to_string()),
    };
    let used = snapshot.symbols(&request).and_then(|symbols| {
        let used = snapshot.where_used(&symbols, &UseRequest::default())?;
        Ok(used.answer)
    });
    serde_json::json!({
        "resolve": items(&found.answer),
        "show": outcome(snapshot.show(found.items())),
        "refs": outcome(used),
    })
}

fn history(snapshot: &Snapshot<'_>, path: &str) -> Vec<Json> {
    let item = ResolveRequest::new(path);
    let request = HistoryRequest { item, spans: Spans::With, ..HistoryRequest::default() };
    match snapshot.history(&request) {
        Ok(history) => items(history).as_array().unwrap().clone(),
        Err(_) => Vec::new(),
    }
}

/// The part of a history that must stay.
fn stays(past: Past, then: &[Json], now: &[Json]) -> bool {
    // A version that the past had already is from there.
    let facts = |version: &Json| ["id", "tracking_hash"].map(|field| version[field].clone());
    let alike = |n: usize| n == 0 || facts(&then[n - 1]) == facts(&now[n - 1]);
    match past {
        Past::Same => then == now,
        Past::Longer => {
            let n = then.len();
            now.len() >= n && n.checked_sub(1).is_none_or(|n| then[..n] == now[..n]) && alike(n)
        }
        Past::Shorter => {
            let n = now.len();
            let told = |n: usize| then[..n] == now[..n];
            then.len() >= n && n.checked_sub(1).is_none_or(told) && alike(n)
        }
    }
}

/// Stops an import after this many commits.
struct StopAfter(AtomicUsize, Options);

impl Progress for StopAfter {
    fn begin(&self, _: Phase, _: Option<u64>) {}
    fn step(&self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.1.stop.store(true, Ordering::Relaxed);
        }
    }
}

impl World {
    fn new(seed: u64) -> Self {
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        let copy = Copy::with(&[
            ("Cargo.toml", manifest),
            ("src/lib.rs", "pub mod a;\npub mod b;\npub use a::f as g;\npub fn h() { a::f(); }\n"),
            ("src/a.rs", "/// F.\npub fn f() -> u8 { 1 }\npub struct S { x: u8 }\n"),
            ("src/b.rs", "use crate::a::S;\nimpl S { pub fn s(&self) -> u8 { crate::a::f() } }\n"),
        ]);
        let backup = copy.root.with_file_name("kept.backup");
        let mut world = Self {
            copy,
            database: None,
            rng: Rng::new(seed),
            clock: 1_600_000_000,
            kept: BTreeMap::new(),
            backup,
            backed_up: None,
            told: Vec::new(),
        };
        world.git(&["init", "-q", "-b", "main"]);
        for n in 0..5 {
            if n > 0 {
                edit(&mut world.copy, &mut world.rng);
            }
            world.commit();
        }
        edit(&mut world.copy, &mut world.rng);
        world.database = Some(Database::create_or_open(&world.copy.root).unwrap());
        world
    }

    fn git(&self, args: &[&str]) {
        let date = format!("@{} +0000", self.clock);
        let mut command = Command::new("git");
        command.current_dir(&self.copy.root).args(["-c", "user.name=Ana", "-c"]);
        command.args(["user.email=a@b.c", "-c", "commit.gpgsign=false"]).args(args);
        command.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
    }

    fn commit(&mut self) {
        self.clock += 60;
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "work"]);
    }

    fn database(&self) -> &Database {
        self.database.as_ref().unwrap()
    }

    fn revisions(&self) -> Vec<Micros> {
        let all = (Micros(i64::MIN), Micros(i64::MAX));
        let rows = Queries::revisions_between(self.database().store(), all.0, all.1).unwrap();
        rows.into_iter().map(|row| row.at).collect()
    }

    fn import(&mut self) -> String {
        let max = Some(1 + self.rng.below(8));
        let selection = Selection { max, ..Selection::default() };
        match self.database().import_history(&selection, &options(), &Silent) {
            Ok(report) => {
                format!("import of {max:?}: {} new, {} left out", report.imported, report.skipped)
            }
            Err(error) => format!("import of {max:?}: {error}"),
        }
    }

    fn add_function(&mut self) -> String {
        let n = self.rng.below(1000);
        let code = format!("pub fn edited_{n}() -> usize {{ {n} }}");
        let request = serde_json::json!({ "edits": [
            { "mode": "insert", "anchor": "crate", "position": "last_child", "code": code },
        ]});
        let request: EditRequest = serde_json::from_value(request).unwrap();
        let done = self.database().edit(&request, &EditOptions::default());
        format!("edit {:?}", done.map(|_| ()).map_err(|error| error.to_string()))
    }

    /// A request that must not do anything.
    fn fail(&mut self) -> String {
        let _ = self.database().refresh(&options(), &Silent);
        let before = self.revisions();
        let what = self.rng.below(6);
        let database = self.database();
        let replace = |canon: &str, code: &str| -> EditRequest {
            let edit = serde_json::json!({ "mode": "canonical", "path": canon, "code": code });
            serde_json::from_value(serde_json::json!({ "edits": [edit] })).unwrap()
        };
        let create = serde_json::json!({ "edits": [
            { "mode": "create_file", "file_path": "src/refused.rs", "code": "fn refused() {}" },
        ]});
        let create: EditRequest = serde_json::from_value(create).unwrap();
        let checked = EditOptions { check: Some(Check::new("false")), ..EditOptions::default() };
        let plain = EditOptions::default();
        let all = options();
        let stop = StopAfter(2.into(), all.clone());
        let garbage = self.backup.with_extension("garbage");
        fs::write(&garbage, "no backup").unwrap();
        let nowhere = Selection { range: Some("nowhere".into()), ..Selection::default() };
        let root = &self.copy.root;
        // An edit may leave a file broken that was broken before.
        let broken = {
            let now = database.snapshot(&When::Now, Refresh::Skip).unwrap();
            !now.issues(None).unwrap().items.is_empty()
        };
        let failed = match what {
            0 => database.edit(&replace("crate::nowhere::f", "fn f() {}"), &plain).is_err(),
            1 => database.edit(&replace("crate::h", "pub fn h( {"), &plain).is_err(),
            2 => database.edit(&create, &checked).is_err(),
            3 => database.import_history(&nowhere, &all, &Silent).is_err(),
            4 => Database::restore(&garbage, root, None).is_err(),
            // Where little is left to import it is done before it is stopped.
            _ => database.import_history(&Selection::default(), &all, &stop).is_err(),
        };
        if failed {
            assert_eq!(self.revisions(), before, "refused request {what}");
        }
        let may_succeed = what == 5 || what == 1 && broken;
        assert!(failed || may_succeed, "request {what} was not refused");
        format!("refused request {what}: {failed}")
    }

    fn restore(&mut self) -> String {
        let Some((kept, newest)) = self.backed_up.clone() else { return "no backup".into() };
        self.check(Past::Same, Asked::All);
        let gone: Vec<Micros> =
            self.revisions().into_iter().filter(|at| !kept.contains_key(at)).collect();
        let ids = Queries::revisions_at(self.database().store(), &gone).unwrap();
        self.database = None;
        Database::restore(&self.backup, &self.copy.root, None).unwrap();
        self.database = Some(Database::open(&self.copy.root).unwrap());
        // The database is that of the backup, and its newest state lasts until the restore. What
        // came after is known no more, also by its id.
        for revision in ids {
            let database = self.database();
            let by_id = database.snapshot(&When::Revision(revision.id), Refresh::Skip);
            assert!(matches!(by_id, Err(EngineError::NoRevision { .. })), "{revision:?}");
            if revision.at > newest {
                let then = database.snapshot(&When::At(revision.at), Refresh::Skip).unwrap();
                assert_eq!(then.at(), newest);
            }
        }
        self.kept = kept;
        format!("restore of {newest}")
    }

    fn step(&mut self) {
        let first = self.revisions().first().copied();
        let floor = self.database().floor().unwrap();
        let told = match self.rng.below(14) {
            0 => self.add_function(),
            1 => match self.database().undo_edit(None, &EditOptions::default()) {
                Ok(_) => "undo".to_owned(),
                Err(error) => format!("undo: {error}"),
            },
            2 | 3 => self.import(),
            4 | 5 => {
                let done = edit(&mut self.copy, &mut self.rng);
                self.commit();
                format!("{done}, committed; {}", self.import())
            }
            6 | 7 if self.rng.below(2) == 0 || self.backed_up.is_none() => {
                let _ = fs::remove_file(&self.backup);
                self.database().backup(&self.backup).unwrap();
                let newest = *self.revisions().last().unwrap();
                self.backed_up = Some((self.kept.clone(), newest));
                "backup".to_owned()
            }
            6 | 7 => self.restore(),
            // What is dropped early takes much of the rest with it.
            8 if self.told.len() >= STEPS / 2 => {
                let keep = 1 + self.rng.below(8);
                self.check(Past::Same, Asked::All);
                let done = self.database().gc(Keep::Revisions(keep), GcMode::Drop);
                format!("gc of all but {keep}, from {}", done.unwrap().floor)
            }
            9 => {
                let rebuild = Options { rebuild: true, ..options() };
                format!("rebuild {}", self.database().refresh(&rebuild, &Silent).is_ok())
            }
            10 | 11 => self.fail(),
            _ => edit(&mut self.copy, &mut self.rng),
        };
        let restored = told.starts_with("restore");
        self.told.push(told);
        let _ = self.database().refresh(&options(), &Silent);
        let past = match self.database().floor().unwrap() {
            now if now != floor && !restored => Past::Shorter,
            _ if self.revisions().first() != first.as_ref() && !restored => Past::Longer,
            _ => Past::Same,
        };
        let some = past == Past::Same && !restored && std::env::var_os("ASOF_SEQUENCES").is_none();
        self.check(past, if some { Asked::Some } else { Asked::All });
    }

    /// Repeats earlier questions, and asks about new moments for the first time.
    fn check(&mut self, past: Past, asked: Asked) {
        let database = self.database.as_ref().unwrap();
        let floor = database.floor().unwrap();
        let told = self.told.join("\n");
        for (place, (at, then)) in std::mem::take(&mut self.kept).into_iter().enumerate() {
            if asked == Asked::Some && !(place + self.told.len()).is_multiple_of(3) {
                self.kept.insert(at, then);
                continue;
            }
            if floor.is_some_and(|floor| at < floor) {
                let refused = database.snapshot(&When::At(at), Refresh::Skip).unwrap_err();
                assert!(refused.to_string().contains("were dropped"), "{refused}\n{told}");
                continue;
            }
            let now = ask(database, at, &then.items.keys().cloned().collect());
            assert_eq!(now.rows, then.rows, "rows of {at} changed after\n{told}");
            assert_eq!(now.items, then.items, "{at} after\n{told}");
            assert_eq!(now.query, then.query, "{at} after\n{told}");
            for (path, then) in &then.histories {
                let now = &now.histories[path];
                let said = |versions: &[Json]| serde_json::to_string_pretty(versions).unwrap();
                assert!(
                    stays(past, then, now),
                    "{past:?}: history of {path} up to {at} was\n{}\nis\n{}\nafter\n{told}",
                    said(then),
                    said(now),
                );
            }
            self.kept.insert(at, now);
        }
        for at in self.revisions() {
            if self.kept.contains_key(&at) || floor.is_some_and(|floor| at < floor) {
                continue;
            }
            let database = self.database.as_ref().unwrap();
            let items = Queries::at(database.store(), at).definitions().unwrap();
            let paths: Vec<String> = items.into_iter().map(|d| d.canonical_path).collect();
            let some = (0..1).filter_map(|_| self.rng.pick(&paths).cloned()).collect();
            let answers = ask(database, at, &some);
            self.kept.insert(at, answers);
        }
    }
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

#[test]
fn answers_about_the_past_never_change() {
    let (seed, sequences) = (number("ASOF_SEED", 7), number("ASOF_SEQUENCES", 4));
    for seed in seed..seed + sequences {
        let outcome = std::panic::catch_unwind(|| {
            let mut world = World::new(seed);
            if world.database().refresh(&options(), &Silent).is_err() {
                // It began with a manifest that does not parse: there is no past to ask about.
                return;
            }
            world.check(Past::Same, Asked::All);
            for _ in 0..STEPS {
                world.step();
            }
            world.check(Past::Same, Asked::All);
            assert!(world.kept.len() > 1 || world.database().floor().unwrap().is_some());
            if std::env::var("ASOF_SEQUENCES").is_ok() {
                println!(
                    "seed {seed}: {} moments\n  {}",
                    world.kept.len(),
                    world.told.join("\n  ")
                );
            }
        });
        assert!(outcome.is_ok(), "ASOF_SEED={seed} ASOF_SEQUENCES=1 shows it alone");
    }
}
