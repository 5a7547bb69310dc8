//! Time: the past is ordered by the graph of commits and not by clocks, whether a scan or the
//! history came first, and whatever the dates of commits; and wrong clocks do not make answers
//! wrong.

use crate::support;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use asof::{Database, EngineError, Refresh, When};
use asof_index::{Options, Silent};
use asof_model::Micros;
use asof_store::{Params, Relation};
use asof_wire::{
    HistoryReport, HistoryRequest, Log, LogRequest, QueryRequest, ResolveRequest, Script,
};
use asof_workspace::Selection;
use support::edits::Rng;
use support::repository::Repository;
use support::{Dump, differences, dump_at};

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const SECOND: i64 = 1_000_000;

/// Commits the work tree with a date that Git itself would refuse.
fn commit(repo: &Repository, date: &str) -> String {
    repo.git(&["add", "-A"]);
    let tree = repo.git(&["write-tree"]);
    let head = repo.git(&["for-each-ref", "--format=%(objectname)", "refs/heads/main"]);
    let parent = if head.is_empty() { String::new() } else { format!("parent {head}\n") };
    let who = format!("Ana <a@b.c> {date} +0000");
    let text = format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n\nat {date}\n");
    let mut git = Command::new("git");
    git.current_dir(&repo.root)
        .args(["hash-object", "-t", "commit", "-w", "--stdin", "--literally"]);
    let mut git = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let hash = String::from_utf8(git.wait_with_output().unwrap().stdout).unwrap();
    let hash = hash.trim().to_owned();
    repo.git(&["update-ref", "refs/heads/main", &hash]);
    hash
}

/// Files that no commit changes, one with documentation that is stored in parts.
fn write_same_files(repo: &Repository) {
    let mut rng = Rng::new(11);
    let words: Vec<String> = (0..1500).map(|_| format!("w{}", rng.below(1 << 30))).collect();
    repo.write("src/long.rs", &format!("/// {}\npub struct Long;\n", words.join(" ")));
    repo.write("README.md", "# Demo\n\nSee `demo::f`.\n");
}

/// A repository with a commit a date; their hashes.
fn repository(dates: &[&str]) -> (Repository, Vec<String>) {
    let repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    write_same_files(&repo);
    let commits = dates.iter().enumerate().map(|(n, date)| {
        let old = if n % 3 == 2 { "" } else { "pub fn old() {}\n" };
        let text = format!("mod long;\n{old}pub fn f() -> usize {{ {n} }}\n");
        repo.write("src/lib.rs", &text);
        commit(&repo, date)
    });
    let commits = commits.collect();
    (repo, commits)
}

fn import(database: &Database) -> HistoryReport {
    database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap()
}

fn scan(database: &Database) -> Micros {
    let report = database.refresh(&Options::default(), &Silent).unwrap();
    assert!(report.revision.is_some(), "nothing changed");
    report.at.unwrap()
}

fn f(database: &Database, when: &When) -> Result<String, EngineError> {
    let snapshot = database.snapshot(when, Refresh::Skip)?;
    let found = snapshot.resolve(&ResolveRequest::new("demo::f"))?;
    Ok(snapshot.show(found.items())?.items[0].text.clone())
}

fn says(database: &Database, when: &str) -> String {
    f(database, &When::parse(when).unwrap()).unwrap()
}

fn log(database: &Database) -> Log {
    database.snapshot(&When::Newest, Refresh::Skip).unwrap().log(&LogRequest::default()).unwrap()
}

/// The past in answers: each commit with its time and its rows, the number of versions, and the
/// history of an item. Times of scans are left out.
#[derive(Debug, PartialEq)]
struct Told {
    commits: Vec<(String, Micros, Dump)>,
    versions: Vec<(&'static str, usize)>,
    history: Vec<(String, Option<String>)>,
    causes: Vec<(String, usize)>,
}

fn answers(database: &Database) -> Told {
    let rows =
        database.store().run("?[at, hash] := *git_commit{hash, at} :order at", &Params::new());
    let rows = rows.unwrap();
    let commits = rows.iter().map(|row| {
        let at: Micros = row.get("at").unwrap();
        (row.get("hash").unwrap(), at, dump_at(database.store(), at))
    });
    let versions = Relation::all().filter(|relation| relation.versioned).map(|relation| {
        let key: Vec<&str> = relation.key.iter().map(|column| column.name).collect();
        let key = key.join(", ");
        let script = format!("?[{key}, at] := *{}{{{key}, at}}", relation.name);
        (relation.name, database.store().run(&script, &Params::new()).unwrap().len())
    });
    let item = ResolveRequest::new("demo::f");
    let request = HistoryRequest { item, ..HistoryRequest::default() };
    let now = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
    let history = now.history(&request).unwrap().answer.items;
    let causes = log(database).answer.items;
    Told {
        commits: commits.collect(),
        versions: versions.collect(),
        history: history.into_iter().map(|v| (v.event.cause, v.event.commit)).collect(),
        causes: causes.into_iter().map(|o| (o.event.cause, o.changed.unwrap_or(0))).collect(),
    }
}

/// A scan and then the history, or the history and then the scan: the past is the same.
#[track_caller]
fn check_both_orders(dates: &[&str]) {
    let (repo, commits) = repository(dates);
    let edited = format!("mod long;\npub fn f() -> usize {{ {} }}\nfn new() {{}}\n", dates.len());
    repo.write("src/lib.rs", &edited);

    let database = repo.database();
    let scanned = scan(&database);
    let before = dump_at(database.store(), scanned);
    let report = import(&database);
    assert_eq!((report.imported, report.skipped), (dates.len(), 0), "{dates:?}");
    assert_eq!(differences(&dump_at(database.store(), scanned), &before), "", "{dates:?}");
    let scan_first = answers(&database);
    drop(database);
    fs::remove_dir_all(repo.root.join(".asof")).unwrap();

    let head = repo.git(&["show", "HEAD:src/lib.rs"]);
    repo.write("src/lib.rs", &format!("{head}\n"));
    let database = repo.database();
    import(&database);
    repo.write("src/lib.rs", &edited);
    scan(&database);
    let history_first = answers(&database);

    let order: Vec<&String> = history_first.commits.iter().map(|(hash, ..)| hash).collect();
    assert_eq!(order, commits.iter().collect::<Vec<_>>(), "{dates:?}");
    // Without any date that fits there is only the moment of the import.
    let none_fits = report.moved == dates.len();
    for (one, other) in scan_first.commits.iter().zip(&history_first.commits) {
        assert_eq!((&one.0, differences(&one.2, &other.2)), (&other.0, String::new()), "{dates:?}");
        assert!(none_fits || one.1 == other.1, "{dates:?}: {} at {} and {}", one.0, one.1, other.1);
    }
    assert_eq!(scan_first.versions, history_first.versions, "{dates:?}");
    assert_eq!(scan_first.history, history_first.history, "{dates:?}");
    assert_eq!(scan_first.causes, history_first.causes, "{dates:?}");
    let times = scan_first.commits.iter().map(|(_, at, _)| *at);
    assert!(times.is_sorted_by(|a, b| a < b), "{dates:?}");
}

#[test]
fn whichever_came_first_the_past_is_the_same() {
    check_both_orders(&["1600000300", "1600000100", "1600000200", "1600000200", "1600000400"]);
    check_both_orders(&["4102444800", "1600000100", "-5", "99999999999", "1600000200"]);
    check_both_orders(&["99999999999999999999", "4102444800"]);
}

#[test]
fn whichever_came_first_the_past_is_the_same_for_random_dates() {
    let cases = std::env::var("ASOF_SEQUENCES").map_or(3, |n| n.parse().unwrap());
    let seed = std::env::var("ASOF_SEED").map_or(7, |n| n.parse().unwrap());
    let mut rng = Rng::new(seed);
    for _ in 0..cases {
        let dates = (0..1 + rng.below(5)).map(|_| match rng.below(8) {
            0 => "-86400".to_owned(),
            1 => "4102444800".to_owned(),
            2 => "9223372036854775807".to_owned(),
            _ => format!("{}", 1_600_000_000 + 60 * rng.below(6)),
        });
        let dates: Vec<String> = dates.collect();
        check_both_orders(&dates.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn what_head_was_at_is_before_the_scan_and_what_came_later_is_after() {
    // All in the future, by clocks that were wrong.
    let (repo, commits) = repository(&["4102444800", "4102444900"]);
    let database = repo.database();
    let scanned = scan(&database);
    // The new commit has an old date.
    repo.write("src/lib.rs", "pub fn f() -> usize { 9 }\n");
    let late = commit(&repo, "1600000000");
    assert_eq!(import(&database).imported, 3);
    let at =
        |name: &str| database.snapshot(&When::parse(name).unwrap(), Refresh::Skip).unwrap().at();
    assert!(at(&commits[0]) < at(&commits[1]) && at(&commits[1]) < scanned);
    assert!(at(&late) > scanned);
    assert!(says(&database, "NOW").contains("{ 9 }"));

    // Nothing is before a scan that was made before the first commit.
    let repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", "pub fn f() -> usize { 0 }\n");
    let database = repo.database();
    let scanned = scan(&database);
    let first = commit(&repo, "1600000000");
    assert_eq!(import(&database).imported, 1);
    let at = database.snapshot(&When::parse(&first).unwrap(), Refresh::Skip).unwrap().at();
    assert!(at > scanned);
}

#[test]
fn a_commit_between_the_imported_ones_and_a_scan_is_left_out() {
    let (repo, commits) = repository(&["1600000100", "1600000200", "1600000300"]);
    let database = repo.database();
    repo.write("src/lib.rs", "pub fn f() -> usize { 9 }\n");
    let scanned = scan(&database);
    let early = Selection { range: Some(commits[0].clone()), ..Selection::default() };
    let report = database.import_history(&early, &Options::default(), &Silent).unwrap();
    assert_eq!(report.imported, 1);
    let report = import(&database);
    assert_eq!((report.imported, report.known, report.skipped), (0, 1, 2));
    assert_eq!(support::newest(database.store()), scanned);
}

#[test]
fn a_commit_in_the_future_makes_no_old_answer() {
    let (repo, commits) = repository(&["1600000000", "4102444800"]);
    let database = repo.database();
    let report = import(&database);
    assert_eq!((report.moved, report.problems.len()), (1, 0));
    assert!(says(&database, "-1s").contains("{ 1 }"));
    assert!(says(&database, "NOW").contains("{ 1 }"));
    // It is right after its parent, and the log tells both.
    let log = log(&database).answer.items;
    assert_eq!(log[0].event.commit.as_ref(), Some(&commits[1]));
    assert_eq!(log[0].event.time, Micros(1_600_000_000 * SECOND + 1));
    assert_eq!(log[0].committed.as_deref(), Some("2100-01-01T00:00:00.000000Z"));
    assert!(!log[0].in_future && log[1].committed.is_none());
    let status = database.status().unwrap();
    assert_eq!((status.moved_commits, status.ahead_of_clock_s), (Some(1), None));
    // What comes later is later.
    repo.write("src/lib.rs", "pub fn f() -> usize { 7 }\n");
    let later = commit(&repo, "1600000500");
    import(&database);
    let at = database.snapshot(&When::parse(&later).unwrap(), Refresh::Skip).unwrap().at();
    assert_eq!(at, Micros(1_600_000_500 * SECOND));
}

#[test]
fn impossible_dates_are_problems_of_their_commits() {
    let dates = ["-5", "1600000000", "99999999999", "99999999999999999999999"];
    let (repo, commits) = repository(&dates);
    let database = repo.database();
    let report = import(&database);
    assert_eq!((report.imported, report.moved), (4, 3));
    let bad: Vec<&String> = report.problems.iter().map(|problem| &problem.commit).collect();
    assert_eq!(bad, [&commits[0], &commits[2], &commits[3]]);
    assert!(report.problems[0].message.contains("-5 seconds"), "{report:?}");
    assert!(says(&database, &commits[2]).contains("{ 2 }"));
    for at in database.store().run("?[at] := *revision{at}", &Params::new()).unwrap().iter() {
        let at: Micros = at.get("at").unwrap();
        assert!(at < Micros::now(), "{at}");
    }
}

#[test]
fn an_age_is_not_told_from_times_that_the_clock_is_behind_of() {
    let repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    let write = |n: usize| repo.write("src/lib.rs", &format!("pub fn f() -> usize {{ {n} }}\n"));
    write(0);
    let database = repo.database();
    let first = scan(&database);
    // The clock was nine years ahead for a moment.
    let ahead = Micros(first.0 + 9 * 365 * 86_400 * SECOND);
    write(1);
    let wrong = Options { at: Some(ahead), ..Options::default() };
    assert_eq!(database.refresh(&wrong, &Silent).unwrap().at, Some(ahead));
    let refused = f(&database, &When::parse("-0s").unwrap()).unwrap_err();
    assert!(matches!(&refused, EngineError::NoRevision { reason, .. } if reason.contains("clock")));
    assert!(f(&database, &When::parse("-1h").unwrap()).is_err(), "nothing was there");
    assert!(says(&database, "NOW").contains("{ 1 }"));
    assert!(database.status().unwrap().ahead_of_clock_s.unwrap() > 8 * 365 * 86_400);
    assert!(log(&database).answer.items[0].in_future);

    // What is written since has the clock's time beside its own.
    write(2);
    assert_eq!(scan(&database), Micros(ahead.0 + 1));
    assert!(log(&database).answer.items[0].clock.is_some());
    sleep(Duration::from_millis(1_000));
    write(3);
    assert_eq!(scan(&database), Micros(ahead.0 + 2));
    assert!(says(&database, "NOW").contains("{ 3 }"));
    assert!(says(&database, "-0s").contains("{ 3 }"));
    let clock = |nth: usize| -> i64 {
        let clock = log(&database).answer.items[nth].clock.clone().unwrap();
        clock.parse::<jiff::Timestamp>().unwrap().as_microsecond()
    };
    let between = (clock(0) + clock(1)) / 2;
    let then = f(&database, &When::Ago(Micros::now().0 - between)).unwrap();
    assert!(then.contains("{ 2 }"), "{then}");

    // To the engine `'NOW'` is the clock's time.
    let script =
        "?[signature] := *node{name: \"f\", signature @ 'NOW'}, *file{path, len @ \"NOW\"}";
    let request = QueryRequest::new(Script::Text(script.to_owned()));
    assert_eq!(
        database.snapshot(&When::Now, Refresh::First).unwrap().query(&request).unwrap().total,
        1
    );
    let texts =
        "?[text_hash] := *file{path: 'src/lib.rs', text_hash, raw_hash @ 'NOW'}, raw_hash == $hash";
    let hash = asof_model::RawHash::hash(b"pub fn f() -> usize { 3 }\n").to_string();
    let mut request = QueryRequest::new(Script::Text(texts.to_owned()));
    request.params.push(("hash".to_owned(), hash.into()));
    assert_eq!(
        database.snapshot(&When::Now, Refresh::First).unwrap().query(&request).unwrap().total,
        1
    );
}

#[test]
fn a_database_at_the_end_of_time_goes_on() {
    let repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    let write = |n: usize| repo.write("src/lib.rs", &format!("pub fn f() -> usize {{ {n} }}\n"));
    write(0);
    let database = repo.database();
    let late = Options { at: Some(Micros(i64::MAX)), ..Options::default() };
    assert_eq!(database.refresh(&late, &Silent).unwrap().at, Some(Micros::LATEST));
    for n in 1..4 {
        write(n);
        assert_eq!(scan(&database), Micros(Micros::LATEST.0 + n as i64));
        assert!(says(&database, "NOW").contains(&format!("{{ {n} }}")));
        let before = f(&database, &When::At(Micros(Micros::LATEST.0 + n as i64 - 1))).unwrap();
        assert!(before.contains(&format!("{{ {} }}", n - 1)));
    }
    let item = ResolveRequest::new("demo::f");
    let request = HistoryRequest { item, ..HistoryRequest::default() };
    let now = database.snapshot(&When::Now, Refresh::First).unwrap();
    assert_eq!(now.history(&request).unwrap().answer.items.len(), 4);
}
