//! The past of items: answers about scripted and random histories, and that they stay the same.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use asof::{Database, EditOptions, Refresh, Snapshot, When};
use asof_edit::EditRequest;
use asof_index::{Options, Silent};
use asof_model::{Micros, NodeId};
use asof_query::Queries;
use asof_wire::{
    Detail, Diff, DiffRequest, HistoryRequest, LogRequest, Merges, Patch, ResolveRequest, Spans,
};
use serde_json::Value as Json;
use support::edits::{Rng, edit};
use support::{Copy, Dump, FIXTURES, dump_at, newest};

fn refresh(database: &Database) -> Option<Micros> {
    let options = Options { threads: Some(1), ..Options::default() };
    let report = database.refresh(&options, &Silent).unwrap();
    report.revision.and(report.at)
}

fn now(database: &Database) -> Snapshot<'_> {
    database.snapshot(&When::Newest, Refresh::Skip).unwrap()
}

fn asked(path: &str) -> HistoryRequest {
    HistoryRequest { item: ResolveRequest::new(path), ..HistoryRequest::default() }
}

/// Versions of an item, one a line: classes, path and notes.
fn history_text(snapshot: &Snapshot<'_>, path: &str) -> String {
    let history = snapshot.history(&asked(path)).unwrap();
    let lines = history.answer.items.iter().map(|v| {
        let classes: Vec<&str> = v.classes.iter().map(|class| class.as_str()).collect();
        let what = if v.present_at_start { "present".to_owned() } else { classes.join(" ") };
        let mut line = format!("{what} | {}", v.path);
        let notes = [("was", v.previous_path.clone()), ("to", v.to.clone())];
        for (word, note) in notes {
            line.extend(note.map(|note| format!(" {word} {note}")));
        }
        if !v.from.is_empty() {
            line.push_str(&format!(" from {}", v.from.join(", ")));
        }
        line
    });
    let mut lines: Vec<String> = lines.collect();
    if !history.present {
        lines.insert(0, "gone".to_owned());
    }
    lines.join("\n")
}

fn differs(diff: &Diff) -> String {
    let lines = diff.answer.items.iter().map(|item| {
        let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
        let was = item.previous_path.as_ref().map_or(String::new(), |path| format!(" was {path}"));
        let other = item.other.as_ref().map_or(String::new(), |path| format!(" other {path}"));
        format!("{} | {} {}{was}{other}", classes.join(" "), item.kind, item.path)
    });
    lines.collect::<Vec<_>>().join("\n")
}

const RETRY: &str = "\
//! Retries.

/// Says when to try again.
pub struct Policy {
    pub tries: u32,
    pub base_ms: u64,
}

impl Policy {
    pub fn next_delay(&self, attempt: u32) -> Option<u64> {
        if attempt >= self.tries {
            return None;
        }
        Some(self.base_ms * 2u64.pow(attempt))
    }
}

pub fn run(policy: &Policy, mut job: impl FnMut() -> bool) -> u32 {
    let mut attempt = 0;
    while !job() {
        match policy.next_delay(attempt) {
            Some(delay) => std::thread::sleep(std::time::Duration::from_millis(delay)),
            None => break,
        }
        attempt += 1;
    }
    attempt
}
";

/// A workspace with a scripted past. Times of its revisions, in order.
fn scripted() -> (Copy, Database, Vec<Micros>) {
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let mut copy = Copy::with(&[
        ("Cargo.toml", manifest),
        ("src/lib.rs", "pub mod net;\npub mod retry;\n"),
        ("src/net.rs", "pub fn idle() {}\n"),
        ("src/retry.rs", RETRY),
    ]);
    let database = Database::create_or_open(&copy.root).unwrap();
    let mut times = vec![refresh(&database).unwrap()];
    let mut step = |copy: &Copy| {
        assert!(copy.root.exists());
        times.push(refresh(&database).unwrap());
    };
    // 1: a body. 2: a head. 3: a comment. 4: blanks.
    copy.edit("src/retry.rs", "2u64.pow(attempt)", "2u64.saturating_pow(attempt)");
    step(&copy);
    copy.edit("src/retry.rs", "pub fn run(policy", "pub(crate) fn run(policy");
    step(&copy);
    copy.edit("src/retry.rs", "    attempt += 1;", "    // Once more.\n        attempt += 1;");
    step(&copy);
    copy.edit("src/retry.rs", "    let mut attempt = 0;", "    let mut  attempt = 0;");
    step(&copy);
    // 5: a type goes to another module. 6: a function is renamed and edited.
    let text = copy.text("src/retry.rs");
    let (head, rest) = text.split_at(text.find("/// Says").unwrap());
    let (policy, run) = rest.split_at(rest.find("pub(crate) fn run").unwrap());
    copy.write("src/net.rs", format!("pub fn idle() {{}}\n\n{policy}"));
    copy.write("src/retry.rs", format!("{head}use crate::net::Policy;\n\n{run}"));
    step(&copy);
    copy.edit("src/retry.rs", "fn run(policy", "fn persist(policy");
    copy.edit("src/retry.rs", "None => break,", "None => return attempt,");
    step(&copy);
    // 7: it is gone.
    let text = copy.text("src/retry.rs");
    copy.write("src/retry.rs", &text[..text.find("pub(crate)").unwrap()]);
    step(&copy);
    (copy, database, times)
}

#[test]
fn versions_are_told_across_moves_and_renames() {
    let (_copy, database, times) = scripted();
    let now = now(&database);
    let delay = "moved | demo::net::Policy::next_delay was demo::retry::Policy::next_delay
body | demo::retry::Policy::next_delay
present | demo::retry::Policy::next_delay";
    assert_eq!(history_text(&now, "demo::net::Policy::next_delay"), delay);
    let run = "gone
removed | demo::retry::persist
renamed body | demo::retry::persist was demo::retry::run
format | demo::retry::run
comments | demo::retry::run
visibility | demo::retry::run
present | demo::retry::run";
    assert_eq!(history_text(&now, "crate::retry::persist"), run);
    let run = "gone
removed | demo::retry::run to demo::retry::persist
format | demo::retry::run
comments | demo::retry::run
visibility | demo::retry::run
present | demo::retry::run";
    assert_eq!(history_text(&now, "retry::run"), run);
    let then = database.snapshot(&When::At(times[2]), Refresh::Skip).unwrap();
    assert_eq!(
        history_text(&then, "crate::retry::run"),
        "visibility | demo::retry::run\npresent | demo::retry::run"
    );
    let fields = history_text(&now, "demo::net::Policy::tries");
    assert_eq!(
        fields,
        "moved | demo::net::Policy::tries was demo::retry::Policy::tries\npresent | demo::retry::Policy::tries"
    );
}

#[test]
fn limits_and_places_of_versions() {
    let (_copy, database, _) = scripted();
    let now = now(&database);
    let mut request = asked("demo::net::Policy::next_delay");
    request.limit = Some(2);
    request.spans = Spans::With;
    let history = now.history(&request).unwrap();
    assert!(history.answer.truncated && history.present);
    let lines: Vec<_> =
        history.answer.items.iter().map(|v| v.span.map(|s| (s.start_line, s.end_line))).collect();
    assert_eq!(lines, [Some((10, 15)), Some((10, 15))]);
    assert_eq!(history.answer.items[0].file_path, "src/net.rs");
    assert_eq!(history.answer.items[1].file_path, "src/retry.rs");
    assert!(now.history(&asked("demo::net::nothing")).is_err());
}

#[test]
fn two_moments_are_compared_by_their_states() {
    let (_copy, database, times) = scripted();
    let at = |n: usize| database.snapshot(&When::At(times[n]), Refresh::Skip).unwrap();
    let diff =
        |from: usize, to: usize, request: &DiffRequest| at(to).diff(&at(from), request).unwrap();
    let plain = DiffRequest::default();
    let all = diff(0, 6, &plain);
    let expected = "moved contents | impl <demo::net::Policy> was <demo::retry::Policy>
moved | struct demo::net::Policy was demo::retry::Policy
body | method demo::net::Policy::next_delay was demo::retry::Policy::next_delay
renamed visibility body | function demo::retry::persist was demo::retry::run";
    assert_eq!(differs(&all).replace("moved body | method", "body | method"), expected);
    assert_eq!(differs(&diff(6, 7, &plain)), "removed | function demo::retry::persist");
    assert_eq!(differs(&diff(3, 3, &plain)), "");
    let only = DiffRequest { path: Some("demo::retry".into()), ..plain.clone() };
    assert_eq!(differs(&diff(0, 1, &only)), "body | method demo::retry::Policy::next_delay");
    let only = DiffRequest { path: Some("src/net.rs".into()), ..plain.clone() };
    assert_eq!(differs(&diff(0, 4, &only)), "");
    let function = DiffRequest { kind: Some("function".parse().unwrap()), ..plain.clone() };
    assert_eq!(differs(&diff(1, 2, &function)), "visibility | function demo::retry::run");
    let patch = DiffRequest { patch: Patch::Unified, ..function };
    let patch = diff(1, 2, &patch).answer.items[0].patch.clone().unwrap();
    assert!(
        patch.contains("-pub fn run(policy") && patch.contains("+pub(crate) fn run(policy"),
        "{patch}"
    );
    let everything = DiffRequest { detail: Detail::All, ..plain.clone() };
    assert!(diff(0, 6, &everything).answer.total > all.answer.total + all.folded - 1);
    assert!(at(0).diff(&at(1), &plain).is_err(), "the earlier moment comes first");
}

#[test]
fn a_field_is_not_taken_for_another_of_a_later_revision() {
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let lib = "pub struct Config {\n    pub depth: usize,\n    pub full_path: bool,\n}\n";
    let mut copy = Copy::with(&[("Cargo.toml", manifest), ("src/lib.rs", lib)]);
    let database = Database::create_or_open(&copy.root).unwrap();
    let first = refresh(&database).unwrap();
    copy.edit("src/lib.rs", "    pub full_path: bool,\n", "");
    let second = refresh(&database).unwrap();
    copy.edit("src/lib.rs", "usize,\n", "usize,\n    pub hyperlink: bool,\n");
    refresh(&database).unwrap();
    copy.edit("src/lib.rs", "hyperlink", "link");
    let last = refresh(&database).unwrap();
    let renamed = |from: Micros, to: Micros| -> Vec<String> {
        let [from, to] =
            [from, to].map(|at| database.snapshot(&When::At(at), Refresh::Skip).unwrap());
        let request = DiffRequest { detail: Detail::All, ..DiffRequest::default() };
        let items = to.diff(&from, &request).unwrap().answer.items;
        items.into_iter().filter_map(|item| item.previous_path).collect()
    };
    assert_eq!(renamed(first, last), Vec::<String>::new());
    assert_eq!(renamed(Micros(last.0 - 1), last), ["demo::Config::hyperlink"]);
    assert!(renamed(first, second).is_empty());
}

#[test]
fn what_changed_back_is_no_difference() {
    let mut copy = Copy::with(&[("lib.rs", "pub fn a() -> u8 { 1 }\n")]);
    let database = Database::create_or_open(&copy.root).unwrap();
    let first = refresh(&database).unwrap();
    copy.write("lib.rs", "pub fn b() -> u8 { 1 }\n");
    let second = refresh(&database).unwrap();
    copy.write("lib.rs", "pub fn a() -> u8 { 1 }\n");
    refresh(&database).unwrap();
    let at = |at| database.snapshot(&When::At(at), Refresh::Skip).unwrap();
    let request = DiffRequest::default();
    assert_eq!(differs(&now(&database).diff(&at(first), &request).unwrap()), "");
    let back = now(&database).diff(&at(second), &request).unwrap();
    assert_eq!(
        differs(&back),
        "renamed | function lib::a was lib::b".replace("lib::", &crate_of(&database))
    );
    let versions = now(&database).history(&asked("a")).unwrap();
    assert_eq!(versions.answer.items.len(), 3);
}

/// The first crate's name, with `::`.
fn crate_of(database: &Database) -> String {
    let crates = Queries::at(database.store(), now(database).at()).crates().unwrap();
    format!("{}::", crates[0].crate_name)
}

#[test]
fn a_blame_passes_over_what_changes_no_token() {
    let (_copy, database, times) = scripted();
    let at = |n: usize| database.snapshot(&When::At(times[n]), Refresh::Skip).unwrap();
    let blamed = |n: usize, file: &str| -> Vec<(String, usize, String)> {
        let blame = at(n).blame_file(file, Merges::Follow).unwrap();
        let line = |b: &asof_wire::Blamed| {
            let step = times.iter().position(|t| t.to_string() == b.event.at).unwrap();
            let classes: Vec<&str> = b.classes.iter().map(|class| class.as_str()).collect();
            (b.path.clone(), step, classes.join(" "))
        };
        blame.answer.items.iter().map(line).collect()
    };
    let line = |path: &str, step: usize, what: &str| (path.to_owned(), step, what.to_owned());
    let expected = [
        line("demo::retry::Policy", 0, ""),
        line("<demo::retry::Policy>", 0, ""),
        line("demo::retry::Policy::next_delay", 1, "body"),
        line("demo::retry::run", 2, "visibility"),
    ];
    assert_eq!(blamed(4, "src/retry.rs"), expected);
    let moved = blamed(7, "src/net.rs");
    assert!(moved.contains(&line("demo::net::Policy::next_delay", 1, "body")), "{moved:?}");
    assert!(at(7).blame_file("src/none.rs", Merges::Follow).is_err());
    let snapshot = at(4);
    let found = snapshot.resolve(&ResolveRequest::new("<demo::retry::Policy>")).unwrap();
    let blame = snapshot.blame_item("x", found.unique().unwrap(), Merges::Follow).unwrap();
    assert_eq!(blame.answer.items.len(), 2);
    assert!(blame.answer.items.iter().all(|b| b.age_s >= 0));
}

#[test]
fn the_log_tells_operations_of_a_path() {
    let (_copy, database, times) = scripted();
    let now = now(&database);
    let log = |path: Option<&str>| -> Vec<usize> {
        let request = LogRequest { path: path.map(str::to_owned), ..LogRequest::default() };
        let log = now.log(&request).unwrap();
        let step = |at: &String| times.iter().position(|t| t.to_string() == *at).unwrap();
        log.answer.items.iter().map(|op| step(&op.event.at)).collect()
    };
    assert_eq!(log(None), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(log(Some("src/net.rs")), [5, 0]);
    assert_eq!(log(Some("src")), [7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!(log(Some("demo::net::Policy::next_delay")), [5, 1, 0]);
    let request =
        LogRequest { since: Some(When::At(times[6])), limit: Some(1), ..LogRequest::default() };
    let log = now.log(&request).unwrap();
    assert!(log.answer.truncated);
    assert_eq!((log.answer.items[0].removed, log.answer.items[0].files), (Some(1), 1));
    let request = LogRequest { path: Some("demo::nothing".into()), ..LogRequest::default() };
    assert!(now.log(&request).is_err());
}

/// Rows of `node` at a time, by id.
fn nodes(dump: &Dump) -> BTreeMap<NodeId, String> {
    let id = |row: &String| {
        let row: Json = serde_json::from_str(row).unwrap();
        row[0].as_str().unwrap().parse().unwrap()
    };
    dump["node"].iter().map(|row| (id(row), row.clone())).collect()
}

/// `changes` of every revision, and the versions of every item, against dumps of all moments.
#[test]
fn histories_list_just_the_revisions_that_changed_an_item() {
    for (seed, fixture) in (900..).zip(FIXTURES) {
        let mut copy = Copy::of_fixture(fixture);
        let database = Database::create_or_open(&copy.root).unwrap();
        let mut moments = vec![(refresh(&database).unwrap(), BTreeMap::new())];
        moments[0].1 = nodes(&dump_at(database.store(), moments[0].0));
        let mut rng = Rng::new(seed);
        for _ in 0..12 {
            edit(&mut copy, &mut rng);
            if let Some(at) = refresh(&database) {
                moments.push((at, nodes(&dump_at(database.store(), at))));
            }
        }
        for pair in moments.windows(2) {
            let ((_, old), (at, new)) = (&pair[0], &pair[1]);
            let row = Queries::changes_at(database.store(), &[*at]).unwrap().pop();
            let [added, removed, changed] = row.map_or_else(Default::default, |row| {
                [row.added, row.removed, row.changed].map(BTreeSet::from_iter)
            });
            let only = |a: &BTreeMap<NodeId, String>, b: &BTreeMap<NodeId, String>| {
                a.keys().filter(|id| !b.contains_key(id)).copied().collect::<BTreeSet<_>>()
            };
            assert_eq!((added, removed), (only(new, old), only(old, new)), "{fixture}");
            let differ = new.iter().filter(|(id, row)| old.get(id).is_some_and(|old| old != *row));
            assert_eq!(changed, differ.map(|(id, _)| *id).collect(), "{fixture}");
        }
        let snapshot = now(&database);
        let (_, last) = moments.last().unwrap();
        for id in last.keys() {
            let item = Queries::at(database.store(), snapshot.at()).describe(&[*id]).unwrap();
            let Some(path) = item.first().and_then(|item| item.canonical_path.clone()) else {
                continue;
            };
            let request = HistoryRequest { id: Some(id.to_string()), ..asked(&path) };
            let Ok(history) = snapshot.history(&request) else { panic!("{fixture}: {path}") };
            check_history(&history.answer.items, &moments, &format!("{fixture}: {path}"));
        }
    }
}

/// Follows the versions back through the dumps: each change of the row has its entry.
fn check_history(
    versions: &[asof_wire::Version],
    moments: &[(Micros, BTreeMap<NodeId, String>)],
    what: &str,
) {
    let mut told = versions.iter();
    let mut id = versions[0].id;
    for pair in moments.windows(2).rev() {
        let ((_, old), (at, new)) = (&pair[0], &pair[1]);
        if old.get(&id) == new.get(&id) {
            continue;
        }
        let version = told.next().unwrap_or_else(|| panic!("{what}: nothing told of {at}"));
        assert_eq!((version.event.at.clone(), version.id), (at.to_string(), id), "{what}");
        assert!(!version.classes.is_empty(), "{what}: {at} changed, and nothing is told of it");
        if !old.contains_key(&id) && version.previous_path.is_some() || version.similarity.is_some()
        {
            // From here on it had another id.
            match told.as_slice().first() {
                Some(next) => id = next.id,
                None => {
                    assert!(version.classes.iter().any(|c| c.as_str() == "split_off"), "{what}")
                }
            }
        }
    }
    if let Some(version) = told.next() {
        assert_eq!(version.event.at, moments[0].0.to_string(), "{what}");
        assert!(version.present_at_start && version.classes.is_empty(), "{what}");
    }
    assert!(told.next().is_none(), "{what}: more is told than happened");
}

/// Answers about a moment.
fn answers(database: &Database, at: Micros, first: Micros, paths: &BTreeSet<String>) -> Json {
    let snapshot = database.snapshot(&When::At(at), Refresh::Skip).unwrap();
    let start = database.snapshot(&When::At(first), Refresh::Skip).unwrap();
    let untimed = |value: Json| -> Json {
        let mut value = value;
        value.as_object_mut().unwrap().remove("ms");
        value
    };
    let histories = paths.iter().filter_map(|path| {
        let history = snapshot.history(&asked(path)).ok()?;
        Some(untimed(serde_json::to_value(history).unwrap()))
    });
    let diff =
        snapshot.diff(&start, &DiffRequest { detail: Detail::All, ..DiffRequest::default() });
    let log = snapshot.log(&LogRequest::default()).unwrap();
    serde_json::json!({
        "histories": histories.collect::<Vec<_>>(),
        "diff": untimed(serde_json::to_value(diff.unwrap()).unwrap()),
        "log": untimed(serde_json::to_value(log).unwrap()),
    })
}

fn add_function(database: &Database, n: usize) -> bool {
    let code = format!("pub fn edited_{n}() -> usize {{ {n} }}");
    let request = serde_json::json!({ "edits": [
        { "mode": "insert", "anchor": "crate", "position": "last_child", "code": code },
    ]});
    let Ok(request) = serde_json::from_value::<EditRequest>(request) else { return false };
    let options = EditOptions { actor: Some("test".into()), ..EditOptions::default() };
    database.edit(&request, &options).is_ok()
}

/// Whatever happens, questions about the past get the same answers again.
#[test]
fn answers_about_the_past_never_change() {
    for (seed, fixture) in (40..).zip(["modules", "reexports"]) {
        let mut copy = Copy::of_fixture(fixture);
        let mut rng = Rng::new(seed);
        let mut database = Database::create_or_open(&copy.root).unwrap();
        let first = refresh(&database).unwrap();
        let backup = copy.root.with_file_name("kept.backup");
        let mut backed_up: Option<Micros> = None;
        let mut kept: Vec<(Micros, BTreeSet<String>, Json)> = Vec::new();
        let mut done = BTreeSet::new();
        for n in 0..16 {
            let what = rng.below(8);
            done.insert(what);
            let told = match what {
                0 => format!("edit {}", add_function(&database, n)),
                1 => format!("undo {}", database.undo_edit(None, &EditOptions::default()).is_ok()),
                2 => {
                    let _ = std::fs::remove_file(&backup);
                    database.backup(&backup).unwrap();
                    backed_up = Some(newest(database.store()));
                    "backup".to_owned()
                }
                3 if backed_up.is_some() => {
                    drop(database);
                    Database::restore(&backup, &copy.root, None).unwrap();
                    database = Database::open(&copy.root).unwrap();
                    // What came after the backup is no more in the database.
                    kept.retain(|(at, _, _)| Some(*at) <= backed_up);
                    "restore".to_owned()
                }
                _ => edit(&mut copy, &mut rng),
            };
            refresh(&database);
            for (at, paths, then) in &kept {
                let again = answers(&database, *at, first, paths);
                assert_eq!(*then, again, "{fixture}: {at} after {told}");
            }
            let at = newest(database.store());
            let items = Queries::at(database.store(), at).definitions().unwrap();
            let paths: Vec<String> = items.into_iter().map(|d| d.canonical_path).collect();
            let some = (0..4).filter_map(|_| rng.pick(&paths).cloned()).collect();
            let answer = answers(&database, at, first, &some);
            kept.push((at, some, answer));
        }
        assert!(done.len() > 3 && kept.len() > 3, "{fixture}: {done:?}");
        assert!(Path::new(&copy.root).exists());
    }
}
