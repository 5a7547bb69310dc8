//! The history of git as revisions: as of a commit the rows are those of a fresh index of its
//! checkout; imports before, after and between scans; runs that are cut off.
//!
//! `ASOF_HISTORY=path,path ASOF_COMMITS=100 cargo test --release --test history -- --nocapture`
//! does the first for real repositories.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;

use asof::engine::{Database, EngineError, HistoryReport, Keep, When};
use asof::index::{Options, Phase, Progress, Silent};
use asof::model::Micros;
use asof::workspace::Selection;
use support::{Dump, differences, dump, dump_at, fresh};
use tempfile::TempDir;

/// A repository whose clock is its own.
struct Repository {
    root: PathBuf,
    clock: u64,
    _folder: TempDir,
}

impl Repository {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().join("demo");
        fs::create_dir(&root).unwrap();
        let repository = Self { root, clock: 1_600_000_000, _folder: folder };
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    fn git(&self, args: &[&str]) -> String {
        let date = format!("@{} +0000", self.clock);
        let mut command = Command::new("git");
        command.current_dir(&self.root).args(["-c", "user.name=Ana", "-c", "user.email=a@b.c"]);
        command.args(["-c", "commit.gpgsign=false", "-c", "core.autocrlf=false"]).args(args);
        command.env("GIT_COMMITTER_DATE", &date).env("GIT_AUTHOR_DATE", &date);
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&mut self, message: &str) -> String {
        self.clock += 60;
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Commits of all kinds; their hashes, the oldest first.
    fn scripted() -> (Self, Vec<String>) {
        let mut repo = Self::new();
        let mut commits = Vec::new();
        repo.write("README.md", "no code yet\n");
        commits.push(repo.commit("begin"));
        repo.write("lib.rs", "pub fn loose() {}\n");
        commits.push(repo.commit("a file without a manifest"));
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        repo.write("Cargo.toml", manifest);
        repo.git(&["mv", "lib.rs", "main.rs"]);
        repo.write("src/lib.rs", "mod a;\npub use a::f;\n");
        repo.write("src/a.rs", "/// F.\npub fn f() -> u8 { 1 }\nstruct S { x: u8 }\n");
        commits.push(repo.commit("a package"));
        repo.git(&["tag", "-a", "v0.1", "-m", "first"]);
        repo.write("src/a.rs", "/// F.\npub fn f() -> u8 { 2 }\nstruct S { x: u8 }\n");
        commits.push(repo.commit("a body"));
        repo.write(
            "src/a.rs",
            "// moved down\n\n/// F.\npub fn f() -> u8 { 2 }\nstruct S { x: u8 }\n",
        );
        commits.push(repo.commit("a comment"));
        fs::create_dir(repo.root.join("src/a")).unwrap();
        repo.git(&["mv", "src/a.rs", "src/a/mod.rs"]);
        repo.write("src/a/b.rs", "pub struct B;\nimpl B { pub fn new() -> Self { B } }\n");
        repo.write(
            "src/a/mod.rs",
            "mod b;\n/// F.\npub fn f() -> u8 { 2 }\n#[cfg(unix)]\nfn g() {}\n",
        );
        commits.push(repo.commit("files move"));
        repo.write("Cargo.toml", "[package\n");
        commits.push(repo.commit("a broken manifest"));
        repo.write("Cargo.toml", &manifest.replace("2021", "2024"));
        repo.write("src/lib.rs", "mod a;\npub use a::f as renamed;\nfn broken( {\n");
        commits.push(repo.commit("broken code"));
        repo.write("src/lib.rs", "mod a;\npub use a::f as renamed;\n");
        repo.write(".gitignore", "ignored.rs\n");
        repo.write("src/ignored.rs", "fn ignored() {}\n");
        commits.push(repo.commit("mended, with an ignored file"));
        // A side branch: of a merge the first parent counts.
        repo.git(&["checkout", "-q", "-b", "side"]);
        repo.write("src/a/b.rs", "pub struct B;\nimpl B { pub fn make() -> Self { B } }\n");
        repo.commit("on the side");
        repo.git(&["checkout", "-q", "main"]);
        repo.write("src/c.rs", "pub const C: u8 = 3;\n");
        repo.write("src/lib.rs", "mod a;\nmod c;\npub use a::f as renamed;\n");
        commits.push(repo.commit("a constant"));
        repo.clock += 60;
        repo.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
        commits.push(repo.git(&["rev-parse", "HEAD"]));
        commits.push(repo.commit("nothing"));
        (repo, commits)
    }

    fn database(&self) -> Database {
        Database::create_or_open(&self.root).unwrap()
    }
}

fn import(database: &Database, selection: &Selection) -> HistoryReport {
    database.import_history(selection, &Options::default(), &Silent).unwrap()
}

/// The files of a commit, in a folder of the root's name.
fn checkout(root: &Path, commit: &str, work: &Path) -> PathBuf {
    let to = work.join(commit).join(root.file_name().unwrap());
    fs::create_dir_all(&to).unwrap();
    let mut archive = Command::new("git");
    let archive = archive.current_dir(root).args(["archive", "--format=tar", commit]);
    let tar = archive.output().unwrap().stdout;
    let file = work.join("tar");
    fs::write(&file, tar).unwrap();
    let status = Command::new("tar").arg("-xf").arg(&file).current_dir(&to).status().unwrap();
    assert!(status.success());
    to
}

/// Rows as of a commit.
fn rows_of(database: &Database, name: &str) -> Dump {
    let snapshot = database.snapshot(&When::parse(name).unwrap(), false).unwrap();
    dump_at(database.store(), snapshot.at())
}

#[track_caller]
fn check_commit(database: &Database, root: &Path, commit: &str) {
    let work = TempDir::new().unwrap();
    let folder = checkout(root, commit, work.path());
    let store = asof::store::Store::in_memory().unwrap();
    let options = Options::default();
    if asof::index::refresh(&store, &folder, &options, &Silent).is_err() {
        return; // No workspace at that commit.
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
    let problems: Vec<&str> = report.problems.iter().map(|(c, _)| c.as_str()).collect();
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

#[test]
fn names_of_git_are_moments() {
    let (repo, commits) = Repository::scripted();
    let database = repo.database();
    import(&database, &Selection::default());
    let at = |name: &str| database.snapshot(&When::parse(name)?, false).map(|s| s.at());
    assert_eq!(at("v0.1").unwrap(), at(&commits[2]).unwrap());
    assert_eq!(at(&commits[2][..8]).unwrap(), at(&commits[2]).unwrap());
    assert_eq!(at("main").unwrap(), at("HEAD").unwrap());
    assert_eq!(at("HEAD~1").unwrap(), at(&commits[10]).unwrap());
    let error = at("side").unwrap_err();
    assert!(error.to_string().contains("asof index --history side"), "{error}");
    for unknown in ["nowhere", "deadbeef", "", "-x"] {
        assert!(matches!(at(unknown), Err(EngineError::NoRevision { .. })), "{unknown}");
    }
    let snapshot = database.snapshot(&When::parse("v0.1").unwrap(), false).unwrap();
    let found = snapshot.resolve(&asof::engine::ResolveRequest::new("demo::f")).unwrap();
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

/// Stops a run after so many commits.
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
        assert!(outcome.is_err());
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
    let folder = TempDir::new().unwrap();
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

/// Real repositories, if they are named.
#[test]
fn as_of_equals_fresh_in_real_repositories() {
    let Ok(named) = std::env::var("ASOF_HISTORY") else { return };
    let wanted: usize = std::env::var("ASOF_COMMITS").map_or(30, |n| n.parse().unwrap());
    for path in named.split(',') {
        let database = Database::create_or_open(Path::new(path)).unwrap();
        let report = import(&database, &Selection::default());
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
    let counted = database.gc(Keep::Revisions(4), true).unwrap();
    assert!(counted.versions.values().sum::<usize>() > 0);
    assert_eq!(database.floor().unwrap(), None);
    let dropped = database.gc(Keep::Revisions(4), false).unwrap();
    assert_eq!(dropped.versions, counted.versions);
    assert!(dropped.texts > 0);
    for (at, answer) in kept.iter().zip(&answers) {
        assert_eq!(differences(&dump_at(database.store(), *at), answer), "");
    }
    let early = database.snapshot(&When::parse(&commits[2]).unwrap(), false);
    assert!(early.unwrap_err().to_string().contains("asof gc"));
    // Every text that is left is whole, and a second run finds nothing.
    let now = database.snapshot(&When::Now, true).unwrap();
    let found = now.resolve(&asof::engine::ResolveRequest::new("demo::a::f")).unwrap();
    assert!(now.show(found.items()).unwrap().items[0].text.contains("{ 2 }"));
    assert!(database.gc(Keep::Revisions(4), false).unwrap().versions.is_empty());
    assert_eq!(
        support::differences_from_fresh(database.store(), &repo.root)
            .lines()
            .filter(|l| !l.contains("file_stat"))
            .count(),
        0
    );
}
