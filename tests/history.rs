//! The history of Git as revisions: as of a commit, the rows are those of a fresh index of its
//! checkout; imports before, after and between scans; interrupted runs.
//!
//! `ASOF_HISTORY=path,path ASOF_COMMITS=100 cargo test --release --test suite history:: -- --nocapture`
//! does the first for real repositories.

use crate::support;
use crate::support::tempdir;

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

use asof::{Database, EngineError, GcMode, Keep, Refresh, When};
use asof_index::{Options, Progress, Silent};
use asof_model::Hint;
use asof_model::Micros;
use asof_store::{Batch, HistorySeam, Relation, Store, Value};
use asof_wire::{
    Detail, DiffRequest, HistoryReport, HistoryRequest, LogRequest, Merges, Phase, ResolveRequest,
    SearchRequest, Spans,
};
use asof_workspace::Selection;
use serde_json::Value as Json;
use support::repository::{Repository, checkout};
use support::{Dump, differences, dump, dump_at, fresh};

pub fn import(database: &Database, selection: &Selection) -> HistoryReport {
    database.import_history(selection, &Options::default(), &Silent).unwrap()
}

/// Rows as of a commit.
fn rows_of(database: &Database, name: &str) -> Dump {
    let snapshot = database.snapshot(&When::parse(name).unwrap(), Refresh::Skip).unwrap();
    dump_at(database.store(), snapshot.at())
}

#[track_caller]
pub fn check_commit(database: &Database, root: &Path, commit: &str) {
    let work = tempdir();
    let folder = checkout(root, commit, work.path());
    let store = asof_store::Store::in_memory().unwrap();
    let options = Options::default();
    if let Err(error) = asof_index::refresh(&store, &folder, &options, &Silent) {
        let no_workspace = matches!(error, asof_index::IndexError::Workspace(_));
        assert!(no_workspace, "{commit}: {error}");
        return;
    }
    let expected = dump_at(&store, support::newest(&store));
    let different = differences(&rows_of(database, commit), &expected);
    assert!(different.is_empty(), "{commit}:\n{different}");
}

#[test]
fn as_of_a_commit_equals_a_fresh_index_of_its_checkout() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    let report = import(&database, &Selection::default());
    assert_eq!((report.selected, report.imported), (commits.len(), commits.len()));
    let problems: Vec<&str> = report.problems.iter().map(|p| p.commit.as_str()).collect();
    assert_eq!(problems, [&commits[0], &commits[6]]);
    for commit in commits.iter().enumerate().filter(|(at, _)| ![0, 6].contains(at)) {
        check_commit(&database, &repo.root, commit.1);
    }
    // A commit that is no workspace keeps what was before it.
    let different = differences(&rows_of(&database, &commits[6]), &rows_of(&database, &commits[5]));
    assert_eq!(different, "");
    let different = differences(&dump(database.store()), &dump(&fresh(&repo.root)));
    assert!(!different.lines().any(|l| !l.contains("file_stat")), "{different}");
    // A second run has nothing to do.
    let report = import(&database, &Selection::default());
    assert_eq!((report.imported, report.known), (0, commits.len()));
}

/// What a checkout has beside plain files: links, ignore files, hidden files, caches, submodules.
#[cfg(unix)]
#[test]
fn links_hidden_files_and_caches_are_as_in_a_checkout() {
    let (mut repo, _) = Repository::scripted();
    let link = |to: &str, path: &str| {
        std::os::unix::fs::symlink(to, repo.root.join(path)).unwrap();
    };
    link("src/c.rs", "build.rs");
    link("../c.rs", "src/a/alias.rs");
    link("/etc/passwd", "src/out.rs");
    link("nowhere.rs", "src/dangling.rs");
    link("src", "sources");
    let mut commits = vec![repo.commit("links")];
    repo.write("src/a/mod.rs", "mod alias;\nmod b;\npub fn f() -> u8 { 5 }\n");
    repo.write(".hidden/x.rs", "fn hidden() {}\n");
    repo.write("cache/x.rs", "fn cached() {}\n");
    repo.write("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    commits.push(repo.commit("a link is a module; a cache"));
    repo.write(".ignore", "src/c.rs\n!.hidden\n");
    repo.write("cache/CACHEDIR.TAG", "Signature: none\n");
    commits.push(repo.commit("what was seen is ignored, what was hidden is seen"));
    fs::remove_file(repo.root.join("build.rs")).unwrap();
    repo.write("build.rs", "fn main() {}\n");
    fs::remove_file(repo.root.join(".ignore")).unwrap();
    commits.push(repo.commit("a file where a link was"));
    let database = repo.database();
    import(&database, &Selection::default());
    for commit in &commits {
        check_commit(&database, &repo.root, commit);
    }
}

#[test]
fn names_of_git_are_moments() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection::default());
    let at = |name: &str| database.snapshot(&When::parse(name)?, Refresh::Skip).map(|s| s.at());
    assert_eq!(at("v0.1").unwrap(), at(&commits[2]).unwrap());
    assert_eq!(at(&commits[2][..8]).unwrap(), at(&commits[2]).unwrap());
    assert_eq!(at("main").unwrap(), at("HEAD").unwrap());
    assert_eq!(at("HEAD~1").unwrap(), at(&commits[10]).unwrap());
    let error = at("side").unwrap_err();
    assert_eq!(error.hint(), Hint::ImportHistory(Some("side".to_owned())));
    for unreadable in ["", "-x"] {
        assert!(matches!(at(unreadable), Err(EngineError::Moment(_))), "{unreadable}");
    }
    for unknown in ["nowhere", "deadbeef"] {
        assert!(matches!(at(unknown), Err(EngineError::NoRevision { .. })), "{unknown}");
    }
    let snapshot = database.snapshot(&When::parse("v0.1").unwrap(), Refresh::Skip).unwrap();
    let found = snapshot.resolve(&asof_wire::ResolveRequest::new("demo::f")).unwrap();
    assert!(snapshot.show(found.items()).unwrap().items[0].text.contains("{ 1 }"));
}

#[test]
fn a_past_enters_before_scans_and_changes_none_of_their_answers() {
    let (mut repo, commits) = Repository::scripted();
    let database = repo.database();
    repo.write("src/c.rs", "pub const C: u8 = 4;\npub const D: u8 = 5;\n");
    database.refresh(&Options::default(), &Silent).unwrap();
    let first = support::newest(database.store());
    repo.write("src/c.rs", "pub const D: u8 = 5;\n");
    database.refresh(&Options::default(), &Silent).unwrap();
    let second = support::newest(database.store());
    let answers: Vec<Dump> =
        [first, second].map(|at| dump_at(database.store(), at)).into_iter().collect();

    // The newest four first, then all.
    let report = import(&database, &Selection { max: Some(4), ..Selection::default() });
    assert_eq!(report.imported, 4);
    let report = import(&database, &Selection::default());
    assert_eq!((report.imported, report.known, report.skipped), (commits.len() - 4, 4, 0));
    for commit in commits.iter().enumerate().filter(|(at, _)| ![0, 6].contains(at)) {
        check_commit(&database, &repo.root, commit.1);
    }
    for (at, answer) in [first, second].into_iter().zip(&answers) {
        assert_eq!(differences(&dump_at(database.store(), at), answer), "");
    }
    // What is committed later comes after.
    let late = repo.commit("late");
    assert_eq!(import(&database, &Selection::default()).imported, 1);
    check_commit(&database, &repo.root, &late);
    for (at, answer) in [first, second].into_iter().zip(&answers) {
        assert_eq!(differences(&dump_at(database.store(), at), answer), "");
    }
    let times: Vec<Micros> = revisions(&database);
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
}

fn revisions(database: &Database) -> Vec<Micros> {
    let rows = database.store().run("?[at] := *revision{at} :order at", &Default::default());
    rows.unwrap().column::<Micros>("at").unwrap()
}

/// Stops a run after this many commits.
struct StopAfter(std::sync::atomic::AtomicUsize, Options);

impl Progress for StopAfter {
    fn begin(&self, _: Phase, _: Option<u64>) {}
    fn step(&self) {
        if self.0.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.1.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_where_it_was() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    database.refresh(&Options::default(), &Silent).unwrap();
    let before = dump(database.store());
    for _ in 0..2 {
        let options = Options::default();
        let stop = StopAfter(4.into(), options.clone());
        let outcome = database.import_history(&Selection::default(), &options, &stop);
        let error = outcome.unwrap_err().to_string();
        assert!(error.starts_with("stopped after"), "{error}");
        // Until it is whole nothing of it is seen.
        assert_eq!(differences(&dump(database.store()), &before), "");
        assert_eq!(revisions(&database).len(), 1);
    }
    let report = import(&database, &Selection::default());
    assert_eq!(report.selected, commits.len());
    assert!(report.imported < commits.len() - 3, "{report:?}");
    for commit in commits.iter().enumerate().filter(|(at, _)| ![0, 6].contains(at)) {
        check_commit(&database, &repo.root, commit.1);
    }
}

#[test]
fn without_a_repository_there_is_no_history() {
    let folder = tempdir();
    fs::write(folder.path().join("a.rs"), "fn a() {}").unwrap();
    let database = Database::create_or_open(folder.path()).unwrap();
    let outcome = database.import_history(&Selection::default(), &Options::default(), &Silent);
    assert!(matches!(outcome, Err(EngineError::NotFound { .. })), "{outcome:?}");
    let (repo, _) = Repository::scripted();
    let range = Some("v9..main".to_owned());
    let selection = Selection { range, ..Selection::default() };
    let outcome = repo.database().import_history(&selection, &Options::default(), &Silent);
    assert!(outcome.unwrap_err().to_string().contains("v9"));
}

/// Real repositories, if they are named. With `ASOF_MAX`, only so many of the newest commits, imported
/// into a database of NOW.
#[test]
fn as_of_equals_fresh_in_real_repositories() {
    let Ok(named) = std::env::var("ASOF_HISTORY") else { return };
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<usize>().unwrap());
    let (wanted, max) = (number("ASOF_COMMITS").unwrap_or(30), number("ASOF_MAX"));
    for path in named.split(',') {
        let database = Database::create_or_open(Path::new(path)).unwrap();
        if max.is_some() {
            database.refresh(&Options::default(), &Silent).unwrap();
        }
        let report = import(&database, &Selection { max, ..Selection::default() });
        println!("{path}: {report:?}");
        let script = "?[hash, at] := *git_commit{hash, at, problem}, is_null(problem) :order at";
        let rows = database.store().run(script, &Default::default()).unwrap();
        let commits = rows.column::<String>("hash").unwrap();
        let step = (commits.len() / wanted).max(1);
        let sample: Vec<&String> = commits.iter().step_by(step).collect();
        for commit in &sample {
            check_commit(&database, Path::new(path), commit);
        }
        println!("{path}: {} commits compared, 0 differences", sample.len());
    }
}

#[test]
fn what_is_kept_answers_as_before_and_what_is_dropped_is_refused() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection::default());
    let all = revisions(&database);
    let kept = &all[all.len() - 4..];
    let answers: Vec<Dump> = kept.iter().map(|at| dump_at(database.store(), *at)).collect();
    let counted = database.gc(Keep::Revisions(4), GcMode::Count).unwrap();
    assert!(counted.versions.values().sum::<usize>() > 0);
    assert_eq!(database.floor().unwrap(), None);
    let dropped = database.gc(Keep::Revisions(4), GcMode::Drop).unwrap();
    assert_eq!(dropped.versions, counted.versions);
    assert!(dropped.texts > 0);
    for (at, answer) in kept.iter().zip(&answers) {
        assert_eq!(differences(&dump_at(database.store(), *at), answer), "");
    }
    let early = database.snapshot(&When::parse(&commits[2]).unwrap(), Refresh::Skip);
    assert!(early.unwrap_err().to_string().contains("were dropped"));
    // Every text that is left is whole, and a second run finds nothing.
    let now = database.snapshot(&When::Now, Refresh::First).unwrap();
    let found = now.resolve(&asof_wire::ResolveRequest::new("demo::a::f")).unwrap();
    assert!(now.show(found.items()).unwrap().items[0].text.contains("{ 2 }"));
    assert!(database.gc(Keep::Revisions(4), GcMode::Drop).unwrap().versions.is_empty());
    assert_eq!(
        support::differences_from_fresh(database.store(), &repo.root)
            .lines()
            .filter(|l| !l.contains("file_stat"))
            .count(),
        0
    );
}

/// Answers about the past of a repository, without times and ids of scans.
fn commit_lines(database: &Database, commits: &[String]) -> Vec<String> {
    let now = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
    let mut told = Vec::new();
    let mut tell = |what: &str, answer: Result<Json, EngineError>| {
        let mut answer = answer.unwrap();
        for item in answer["items"].as_array_mut().unwrap() {
            let item = item.as_object_mut().unwrap();
            if item.get("cause").is_some_and(|cause| cause == "scan") {
                for field in ["revision", "at"] {
                    item.remove(field);
                }
            }
            item.remove("age_s");
            told.push(format!("{what}: {}", Json::from(item.clone())));
        }
    };
    for path in ["demo::a::f", "demo::c::C", "demo::c::D", "demo::a", "demo::a::S"] {
        let item = ResolveRequest::new(path);
        let request = HistoryRequest { item, spans: Spans::With, ..HistoryRequest::default() };
        let history = now.history(&request).map(|found| serde_json::to_value(found).unwrap());
        tell(path, history);
    }
    let all = DiffRequest { detail: Detail::All, ..DiffRequest::default() };
    for commit in [&commits[2], &commits[11]] {
        let from = database.snapshot(&When::parse(commit).unwrap(), Refresh::Skip).unwrap();
        tell("diff", now.diff(&from, &all).map(|diff| serde_json::to_value(diff).unwrap()));
    }
    for file in ["src/c.rs", "src/a/mod.rs"] {
        tell(
            file,
            now.blame_file(file, Merges::Follow).map(|blame| serde_json::to_value(blame).unwrap()),
        );
    }
    for path in [None, Some("src/a/mod.rs"), Some("src/c.rs")] {
        let request = LogRequest { path: path.map(str::to_owned), ..LogRequest::default() };
        tell("log", now.log(&request).map(|log| serde_json::to_value(log).unwrap()));
    }
    told
}

/// Versions in the database, by relation.
fn versions(database: &Database) -> Vec<(&'static str, usize)> {
    let count = |relation: &'static Relation| {
        let key: Vec<&str> = relation.key.iter().map(|column| column.name).collect();
        let key = key.join(", ");
        let script = format!("?[{key}, at] := *{}{{{key}, at}}", relation.name);
        (relation.name, database.store().run(&script, &Default::default()).unwrap().len())
    };
    Relation::all().filter(|relation| relation.versioned).map(count).collect()
}

/// A scan and then its past, or the past and then the scan: there is no difference.
#[test]
fn what_is_told_across_the_seam_is_what_would_be_told_had_the_past_come_first() {
    let (repo, commits) = Repository::scripted();
    repo.write("src/c.rs", "pub const C: u8 = 4;\npub const D: u8 = 5;\n");
    repo.write("src/a/mod.rs", "mod b;\n/// F.\npub fn f() -> u8 { 2 }\nstruct T;\n");
    let late = "pub const C: u8 = 4;\npub const D: u8 = 6;\n";

    let database = repo.database();
    import(&database, &Selection::default());
    repo.write("src/c.rs", late);
    database.refresh(&Options::default(), &Silent).unwrap();
    let (expected, rows) = (commit_lines(&database, &commits), versions(&database));
    drop(database);
    fs::remove_dir_all(repo.root.join(".asof")).unwrap();

    repo.write("src/c.rs", "pub const C: u8 = 4;\npub const D: u8 = 5;\n");
    let database = repo.database();
    database.refresh(&Options::default(), &Silent).unwrap();
    repo.write("src/c.rs", late);
    database.refresh(&Options::default(), &Silent).unwrap();
    // In two parts, so that there are two seams.
    import(&database, &Selection { max: Some(5), ..Selection::default() });
    import(&database, &Selection::default());
    assert_eq!(commit_lines(&database, &commits).join("\n"), expected.join("\n"));
    assert_eq!(versions(&database), rows);
}

#[test]
fn at_the_floor_nobody_says_that_an_item_was_added() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection::default());
    let all = revisions(&database);
    let floor = all[all.len() - 4];
    let now = |path: &str| {
        let item = ResolveRequest::new(path);
        let request = HistoryRequest { item, ..HistoryRequest::default() };
        database.snapshot(&When::Newest, Refresh::Skip).unwrap().history(&request)
    };
    assert!(now("demo::a::S").is_ok() && now("demo::a::f").unwrap().dropped_before.is_none());
    database.gc(Keep::Revisions(4), GcMode::Drop).unwrap();

    let history = now("demo::a::f").unwrap();
    let oldest = history.answer.items.last().unwrap();
    assert!(oldest.classes.is_empty(), "{oldest:?}");
    assert_eq!(history.dropped_before, Some(floor.to_string()));
    let constant = now("demo::c::C").unwrap();
    assert_eq!(constant.answer.items.last().unwrap().classes[0].as_str(), "added");
    assert_eq!(constant.dropped_before, None);
    assert!(now("demo::a::S").is_err(), "it was gone before the floor");

    let snapshot = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
    let blame = snapshot.blame_file("src/a/mod.rs", Merges::Follow).unwrap();
    assert_eq!(blame.dropped_before, Some(floor.to_string()));
    let early = database.snapshot(&When::parse(&commits[5]).unwrap(), Refresh::Skip);
    assert!(matches!(early, Err(EngineError::NoRevision { .. })));
    let start = database.snapshot(&When::At(floor), Refresh::Skip).unwrap();
    let diff = snapshot.diff(&start, &DiffRequest::default()).unwrap();
    assert!(diff.answer.items.iter().any(|item| item.path == "demo::c::C"), "{diff:?}");
    let left = database.store().run("?[at] := *changes{at}", &Default::default()).unwrap();
    assert!(left.column::<Micros>("at").unwrap().iter().all(|at| *at > floor));

    let log = snapshot.log(&LogRequest::default()).unwrap().answer.items;
    assert_eq!(log.len(), all.len() + 1);
    assert_eq!((log[0].event.cause.as_str(), log[0].added), ("gc", Some(0)));
    assert!(log.iter().all(|row| row.added.is_some() == (row.event.time > floor)), "{log:?}");
    // The same request drops nothing more, and says nothing more.
    database.gc(Keep::Revisions(4), GcMode::Drop).unwrap();
    assert_eq!(revisions(&database).len(), all.len() + 1);
    assert_eq!(database.floor().unwrap(), Some(floor));
}

#[test]
fn commits_older_than_the_floor_stay_out() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection { max: Some(4), ..Selection::default() });
    database.gc(Keep::Revisions(2), GcMode::Drop).unwrap();
    let before = dump(database.store());
    let report = import(&database, &Selection::default());
    assert_eq!((report.imported, report.known), (0, 4));
    assert_eq!(report.below_floor, commits.len() - 4);
    assert_eq!(differences(&dump(database.store()), &before), "");
}

/// A row that is asserted again unchanged is not a version; one that differs in a column that is
/// never shown is.
#[test]
fn a_row_that_is_repeated_is_no_version() {
    let (repo, _) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection::default());
    let history = || {
        let item = ResolveRequest::new("demo::c::C");
        let request = HistoryRequest { item, ..HistoryRequest::default() };
        let found =
            database.snapshot(&When::Newest, Refresh::Skip).unwrap().history(&request).unwrap();
        let versions = found.answer.items.into_iter();
        versions.map(|v| (v.event.at, v.classes)).collect::<Vec<_>>()
    };
    let before = history();
    let node = Relation::find("node").unwrap();
    let assert_again = |at: Micros, header: Option<Value>| {
        let rows = database.store().rows_at("node", at).unwrap();
        let row = rows.iter().find(|row| row.get::<String>("name").unwrap() == "C").unwrap();
        let id: Value = row.get("id").unwrap();
        let cells = node.values.iter().map(|column| match (column.name, &header) {
            ("header", Some(header)) => header.clone(),
            (name, _) => row.get(name).unwrap(),
        });
        let mut batch = Batch::new();
        batch.assert("node", at, [id], cells).unwrap();
        database.store().commit(batch).unwrap();
    };
    let times = revisions(&database);
    assert_again(times[times.len() - 2], None);
    assert_eq!(history(), before);
    let last = times[times.len() - 1];
    assert_again(last, Some(Value::Json(serde_json::json!({"other": 1}))));
    let after = history();
    assert_eq!((after.len(), &after[1..]), (before.len() + 1, before.as_slice()));
    assert_eq!((after[0].0.clone(), after[0].1[0].as_str()), (last.to_string(), "signature"));
}

#[test]
fn a_past_that_cannot_enter_leaves_everything_as_it_was() {
    let (repo, _) = Repository::scripted();
    let database = repo.database();
    database.refresh(&Options::default(), &Silent).unwrap();
    let first = support::newest(database.store());
    let before = (dump(database.store()), versions(&database));
    // A database of an earlier time, whose rows are those of the first one.
    let path = repo.root.with_file_name("past.db");
    let past = Store::create(&path).unwrap();
    let earlier = Options { at: Some(Micros(1_000)), ..Options::default() };
    asof_index::refresh(&past, &repo.root, &earlier, &Silent).unwrap();
    drop(past);
    let merge_database = |batch: Batch| {
        let lock = database.store().write_lock(std::time::Duration::from_secs(5)).unwrap();
        database.store().merge_database(&lock, &path, Some(HistorySeam { at: first, batch }))
    };
    let mut wrong = Batch::new();
    for value in ["one", "another"] {
        wrong.put("meta", ["twice".into(), value.into()]).unwrap();
    }
    assert!(merge_database(wrong).is_err());
    assert_eq!(differences(&dump(database.store()), &before.0), "");
    assert_eq!((versions(&database), revisions(&database)), (before.1.clone(), vec![first]));

    merge_database(Batch::new()).unwrap();
    assert_eq!(differences(&dump(database.store()), &before.0), "");
    // Every row is there once: that of the earlier time.
    assert_eq!(versions(&database), before.1);
    let early = dump_at(database.store(), Micros(1_000));
    assert_eq!(differences(&early, &dump_at(database.store(), first)), "");
}

#[test]
fn a_search_of_the_past_does_not_depend_on_earlier_searches() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection::default());
    database.refresh(&Options::default(), &Silent).unwrap();
    let found = |database: &Database, commit: &str, query: &str| -> Vec<(String, String)> {
        let when = When::parse(commit).unwrap();
        let snapshot = database.snapshot(&when, Refresh::Skip).unwrap();
        let request = SearchRequest { query: query.to_owned(), ..SearchRequest::default() };
        let items = snapshot.search(&request).unwrap().results.into_iter();
        items.map(|item| (item.function_name, item.id.to_string())).collect()
    };
    // Forwards and backwards, with NOW in between; a new database knows no earlier search.
    let back = commits.iter().rev();
    let mut some = 0;
    for (round, commit) in commits.iter().chain(back).enumerate() {
        let query = ["f", "B new", "constant c"][round % 3];
        if round % 4 == 0 {
            found(&database, "NOW", query);
        }
        let expected = found(&repo.database(), commit, query);
        some += usize::from(!expected.is_empty());
        assert_eq!(found(&database, commit, query), expected, "{query} at {commit}");
    }
    assert!(some > 8, "{some}");
}
