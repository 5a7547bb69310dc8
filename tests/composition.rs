//! `diff` is the composition of what `history` says: over whole histories, each move or rename
//! that one of them lists is one of the other's.
//!
//! `ASOF_PAIRS=1 cargo test --test suite composition::` compares every two revisions, instead of a
//! third of them. `ASOF_COMPOSE=path cargo test --test suite composition:: -- --nocapture` asks the same
//! of a database that was indexed with `--history`.

use crate::support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use asof::{Database, Refresh, Snapshot, When};
use asof_index::{Options, Silent};
use asof_model::{Micros, NodeId};
use asof_query::Library;
use asof_store::{Limits, Value};
use asof_wire::{
    Detail, Diff, DiffRequest, Guesses, HistoryRequest, LogRequest, Matched, Merges, ResolveRequest,
};
use asof_workspace::Selection;
use support::edits::Rng;
use support::repository::Repository;

fn at(database: &Database, at: Micros) -> Snapshot<'_> {
    database.snapshot(&When::At(at), Refresh::Skip).unwrap()
}

fn revisions(database: &Database) -> Vec<Micros> {
    let rows = database.store().run("?[at] := *revision{at} :order at", &Default::default());
    rows.unwrap().column::<Micros>("at").unwrap()
}

fn all(guesses: Guesses) -> DiffRequest {
    DiffRequest { detail: Detail::All, guesses, ..DiffRequest::default() }
}

/// The id that an item of this path and id had at an earlier time, as its history says.
fn before(
    database: &Database,
    (path, id): (&str, NodeId),
    to: Micros,
    from: Micros,
) -> Option<NodeId> {
    let request = HistoryRequest {
        item: ResolveRequest::new(path),
        id: Some(id.to_string()),
        ..HistoryRequest::default()
    };
    let history = at(database, to).history(&request).unwrap();
    let time = |text: &str| Micros(text.parse::<jiff::Timestamp>().unwrap().as_microsecond());
    for version in &history.answer.items {
        let ends = |class: &&str| ["added", "removed", "split_off"].contains(class);
        let classes: Vec<&str> = version.classes.iter().map(|class| class.as_str()).collect();
        if time(&version.at_text()) <= from {
            return (!classes.contains(&"removed")).then_some(version.id);
        }
        if classes.iter().any(ends) {
            return None;
        }
    }
    None
}

trait AtText {
    fn at_text(&self) -> String;
}

impl AtText for asof_wire::Version {
    fn at_text(&self) -> String {
        self.event.at.clone()
    }
}

/// Ids at both ends of what a difference says moved or was renamed, with the later path.
fn moves(diff: &Diff) -> BTreeMap<NodeId, (NodeId, String)> {
    let moved = diff.answer.items.iter().filter(|item| item.matched == Some(Matched::Revisions));
    moved.map(|i| (i.id, (i.previous_id.unwrap(), i.path.clone()))).collect()
}

/// Compares the histories of all functions at the newest revision with what the program
/// `history/item` says of them.
#[track_caller]
fn check_program(database: &Database) {
    let to = *revisions(database).last().unwrap();
    let snapshot = at(database, to);
    let functions = "?[id, path] := *node{id, path, kind: 'function' @ $at}";
    let params = asof_store::Params::new().with("at", to);
    let functions = database.store().run(functions, &params).unwrap();
    assert!(functions.len() > 1);
    for function in functions.iter() {
        let (id, path): (NodeId, String) =
            (function.get("id").unwrap(), function.get("path").unwrap());
        let item = ResolveRequest::new(&path);
        let request =
            HistoryRequest { item, id: Some(id.to_string()), ..HistoryRequest::default() };
        let history = snapshot.history(&request).unwrap().answer.items;
        let listed: Vec<(Micros, NodeId, bool)> = history
            .iter()
            .map(|version| {
                let removed = version.classes.iter().any(|class| class.as_str() == "removed");
                (version.event.time, version.id, !removed)
            })
            .collect();
        let given = [("ids".to_owned(), Value::list([id]))];
        let rows = Library::shipped()
            .run(database.store(), "history/item", &given, to, Limits::default())
            .unwrap();
        let row = |row: asof_store::Row<'_>| {
            let asserted: bool = row.get("asserted").unwrap();
            (row.get("since").unwrap(), row.get("id").unwrap(), asserted)
        };
        let asked: Vec<(Micros, NodeId, bool)> = rows.iter().map(row).collect();
        assert_eq!(asked, listed, "{path}");
    }
}

/// Compares one difference with the histories of what it lists, and with those of what is there
/// at its end. Returns how many moves it has.
#[track_caller]
fn check(database: &Database, from: Micros, to: Micros) -> usize {
    let diff = at(database, to).diff(&at(database, from), &all(Guesses::Show)).unwrap();
    let moved = moves(&diff);
    let given = [("from".to_owned(), from.into()), ("to".to_owned(), to.into())];
    let rows = Library::shipped()
        .run(database.store(), "history/moves", &given, to, Limits::default())
        .unwrap();
    let pairs = rows.iter().map(|row| (row.get("new").unwrap(), row.get("old").unwrap()));
    let pairs: BTreeSet<(NodeId, NodeId)> = pairs.collect();
    let listed = moved.iter().map(|(id, (previous, _))| (*id, *previous));
    assert_eq!(pairs, listed.collect(), "{from} to {to}: history/moves");
    let mut wrong = Vec::new();
    for (id, (previous, path)) in &moved {
        let said = before(database, (path, *id), to, from);
        if said != Some(*previous) {
            wrong.push(format!("diff: {path} was {previous}; history: {said:?}"));
        }
    }
    // The other way round: what is there, and was elsewhere.
    let touched: BTreeSet<NodeId> = diff.answer.items.iter().map(|item| item.id).collect();
    for item in &diff.answer.items {
        let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
        let gone = classes.contains(&"removed");
        // Kinds without a path cannot be asked for.
        let pathless = ["import", "extern_crate", "unknown", "macro_call", "foreign_mod"];
        let followed = !pathless.contains(&item.kind.as_str());
        if gone || !followed || item.matched == Some(Matched::Ends) {
            continue;
        }
        let said = before(database, (&item.path, item.id), to, from);
        let listed = match &item.previous_id {
            Some(previous) => Some(*previous),
            None if classes.contains(&"added") || classes.contains(&"split_off") => None,
            None => Some(item.id),
        };
        if said != listed {
            let path = &item.path;
            wrong.push(format!("history: {path} was {said:?}; diff: {listed:?} {classes:?}"));
        }
    }
    assert!(touched.len() <= diff.answer.items.len());
    assert!(wrong.is_empty(), "{from} to {to}:\n{}", wrong.join("\n"));
    moved.len()
}

/// A function that is not similar to any other.
fn function(name: &str, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let words: Vec<String> = (0..8).map(|_| format!("w{}", rng.below(100_000))).collect();
    let lines: Vec<String> =
        words.iter().map(|word| format!("    let {word} = input.{word}(\"{word}\");\n")).collect();
    format!("pub fn {name}(input: &Input) {{\n{}}}\n", lines.concat())
}

/// Functions move between modules and names, disappear, return, and swap places.
fn wandering(seed: u64, commits: usize) -> (Repository, Database) {
    let mut repo = Repository::new();
    let mut rng = Rng::new(seed);
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    repo.write("Cargo.toml", manifest);
    repo.write("src/lib.rs", "pub mod a;\npub mod b;\npub mod c;\npub struct Input;\n");
    // Place (module, name) to body.
    let mut places: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for body in 0..6 {
        places.insert((rng.below(3), body), body as u64);
    }
    let mut kept: Vec<u64> = Vec::new();
    for commit in 0..commits {
        for _ in 0..=rng.below(2) {
            let all: Vec<(usize, usize)> = places.keys().copied().collect();
            let free = (rng.below(3), rng.below(6));
            match rng.below(5) {
                // To another place, which may be one that another left before.
                0..=2 if !all.is_empty() && !places.contains_key(&free) => {
                    let body = places.remove(&all[rng.below(all.len())]).unwrap();
                    places.insert(free, body);
                }
                3 if all.len() > 2 => {
                    kept.push(places.remove(&all[rng.below(all.len())]).unwrap());
                }
                4 if !places.contains_key(&free) => {
                    let body = kept.pop().unwrap_or(100 + commit as u64);
                    places.insert(free, body);
                }
                _ => {}
            }
        }
        for (number, module) in ["a", "b", "c"].into_iter().enumerate() {
            let here = places.iter().filter(|((m, _), _)| *m == number);
            let text: String =
                here.map(|((_, name), body)| function(&format!("f{name}"), *body)).collect();
            repo.write(&format!("src/{module}.rs"), &format!("use crate::Input;\n{text}"));
        }
        repo.commit(&format!("step {commit}"));
    }
    let database = repo.database();
    database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap();
    (repo, database)
}

#[test]
fn what_diff_says_moved_history_says_too() {
    let every = std::env::var_os("ASOF_PAIRS").is_some_and(|value| value == "1");
    let mut moved = 0;
    for seed in 1..=2 {
        let (_repo, database) = wandering(seed, 8);
        check_program(&database);
        let times = revisions(&database);
        for (place, from) in times.iter().enumerate() {
            for (distance, to) in times[place + 1..].iter().enumerate() {
                if every || (place + 2 * distance + seed as usize).is_multiple_of(3) {
                    moved += check(&database, *from, *to);
                }
            }
        }
    }
    assert!(moved > 20, "{moved}");
}

#[test]
fn places_that_are_taken_over_are_not_the_item_that_left_them() {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n");
    repo.write("src/lib.rs", "pub mod a;\npub mod b;\npub struct Input;\n");
    let write = |repo: &Repository, a: &[(&str, u64)], b: &[(&str, u64)]| {
        for (file, items) in [("src/a.rs", a), ("src/b.rs", b)] {
            let text: String = items.iter().map(|(name, body)| function(name, *body)).collect();
            repo.write(file, &text);
        }
    };
    write(&repo, &[("f", 1), ("g", 2)], &[]);
    repo.commit("begin");
    write(&repo, &[("g", 2)], &[("f", 1)]);
    repo.commit("f moves");
    // Another item at the place that was left; g goes.
    write(&repo, &[("f", 3)], &[("f", 1)]);
    repo.commit("another f");
    // g comes back elsewhere: no revision says that it is the same.
    write(&repo, &[("f", 3)], &[("f", 1), ("g", 2)]);
    repo.commit("g is back");
    let database = repo.database();
    database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap();
    let times = revisions(&database);
    let diff =
        at(&database, times[3]).diff(&at(&database, times[0]), &all(Guesses::LeaveOut)).unwrap();
    let lines: Vec<String> = diff
        .answer
        .items
        .iter()
        .filter(|item| item.kind.as_str() == "function")
        .map(|item| {
            let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
            let was = item.previous_path.as_deref().unwrap_or("-");
            format!("{} {} {was} {:?}", item.path, classes.join(" "), item.matched)
        })
        .collect();
    assert_eq!(
        lines,
        [
            "demo::a::f added - None",
            "demo::b::f moved demo::a::f Some(Revisions)",
            "demo::b::g moved demo::a::g Some(Ends)",
        ]
    );
    // Removed and added again at its own path.
    write(&repo, &[], &[("f", 1), ("g", 2)]);
    repo.commit("a::f goes");
    write(&repo, &[("f", 4)], &[("f", 1), ("g", 2)]);
    repo.commit("a::f is back, with another body");
    database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap();
    let times = revisions(&database);
    let diff =
        at(&database, times[5]).diff(&at(&database, times[3]), &all(Guesses::LeaveOut)).unwrap();
    let mut items = diff.answer.items.iter();
    let item = items.find(|item| item.kind.as_str() == "function").unwrap();
    assert_eq!((item.path.as_str(), item.matched), ("demo::a::f", Some(Matched::Ends)));
}

/// Who is named as the author of `a::f`, which no imported commit but the first one touched: by
/// its history, its blame, and the log of it.
fn authors(database: &Database) -> (bool, Vec<Option<String>>) {
    let now = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
    let item = ResolveRequest::new("demo::a::f");
    let history =
        now.history(&HistoryRequest { item, ..HistoryRequest::default() }).unwrap().answer.items;
    let blame = now.blame_file("src/a.rs", Merges::Follow).unwrap().answer.items;
    let blame = blame.into_iter().find(|item| item.path == "demo::a::f").unwrap();
    let log = LogRequest { path: Some("demo::a::f".to_owned()), ..LogRequest::default() };
    let log = now.log(&log).unwrap().answer.items;
    let (history, log) = (history.last().unwrap(), log.last().unwrap());
    assert_eq!(history.present_at_start, blame.present_at_start);
    assert_eq!(history.present_at_start, log.present_at_start);
    assert_eq!(history.event.commit.is_none(), history.event.actor.is_none());
    let events = [&history.event, &blame.event, &log.event];
    (history.present_at_start, events.map(|event| event.actor.clone()).to_vec())
}

#[test]
fn what_was_there_when_an_import_begins_has_no_author() {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n");
    repo.write("src/lib.rs", "pub mod a;\n");
    repo.write("src/a.rs", "pub fn f() -> u8 { 1 }\n");
    repo.commit("root");
    for body in ["2", "3", "4"] {
        repo.write("src/b.rs", &format!("pub fn g() -> u8 {{ {body} }}\n"));
        repo.write("src/lib.rs", "pub mod a;\npub mod b;\n");
        repo.commit(body);
    }
    let unknown = (true, vec![None; 3]);
    let since = Some(repo.clock as i64 - 60);
    let range = Some("HEAD~2..HEAD".to_owned());
    for selection in [
        Selection { max: Some(2), ..Selection::default() },
        Selection { since, ..Selection::default() },
        Selection { range, ..Selection::default() },
    ] {
        let _ = std::fs::remove_dir_all(repo.root.join(".asof"));
        let database = repo.database();
        database.import_history(&selection, &Options::default(), &Silent).unwrap();
        assert_eq!(revisions(&database).len(), 2, "{selection:?}");
        assert_eq!(authors(&database), unknown, "{selection:?}");
        // With the rest of the history, the author is known.
        database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap();
        assert_eq!(authors(&database), (false, vec![Some("Ana".to_owned()); 3]), "{selection:?}");
    }
    // A scan alone knows no author, and a shallow clone ends at a commit that has a parent.
    let _ = std::fs::remove_dir_all(repo.root.join(".asof"));
    let database = repo.database();
    database.refresh(&Options::default(), &Silent).unwrap();
    assert_eq!(authors(&database), unknown);
    let from = format!("file://{}", repo.root.display());
    repo.git(&["clone", "-q", "--depth", "2", &from, "../shallow/demo"]);
    let database = Database::create_or_open(&repo.root.join("../shallow/demo")).unwrap();
    database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap();
    assert_eq!(authors(&database), unknown);
}

#[test]
fn a_real_history_agrees_with_itself() {
    let Ok(path) = std::env::var("ASOF_COMPOSE") else { return };
    let database = Database::open(Path::new(&path)).unwrap();
    let times = revisions(&database);
    check_program(&database);
    for range in [10, 50, times.len() - 1] {
        let steps = times.len() / 4;
        for start in (0..times.len() - range).step_by(steps.max(1)) {
            let moved = check(&database, times[start], times[start + range]);
            println!("{range} revisions from {start}: {moved} moves, 0 contradictions");
        }
    }
}
