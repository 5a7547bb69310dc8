//! Readers while a history is imported: each answer is about one commit, what was answered about the
//! past stays, and the end is the state of an index without readers.
//!
//! `ASOF_COMMITS=3000 cargo test --test suite history_readers:: -- --nocapture` imports more.

use crate::history::{check_commit, import};
use crate::support;
use crate::support::cli;
use crate::support::repository::Repository;

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use asof::{Database, EngineError, Refresh, When};
use asof_model::Micros;
use asof_wire::ResolveRequest;
use asof_workspace::Selection;
use support::{differences, dump, fresh};

const MODULES: usize = 10;
const READERS: usize = 2;

/// The files that a commit changes. Each has its number in two of them.
fn files(number: usize) -> Vec<(String, String)> {
    let modules: String = (0..MODULES).map(|m| format!("pub mod m{m};\n")).collect();
    let lib = format!("{modules}pub const COMMIT: usize = {number};\n");
    let module = |m: usize| {
        // Bodies change always, names and calls now and then.
        let age = number / 7;
        let other = (m + 1) % MODULES;
        let functions: String = (0..8)
            .map(|f| format!("pub fn f{f}() -> usize {{\n    {number} + {f}\n}}\n"))
            .collect();
        let caller = format!("pub fn named_{age}() -> usize {{\n    crate::m{other}::f0()\n}}\n");
        let commit = format!("pub const COMMIT: usize = {number};\n");
        (format!("src/m{m}.rs"), format!("{commit}{functions}{caller}"))
    };
    let mut files = vec![("src/lib.rs".to_owned(), lib), module(0)];
    match number {
        0 => {
            let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
            files.push(("Cargo.toml".to_owned(), manifest.to_owned()));
            files.extend((1..MODULES).map(module));
        }
        _ => files.push(module(1 + number % (MODULES - 1))),
    }
    files
}

/// A repository with this many commits, and their hashes, the oldest first.
fn generated(commits: usize) -> (Repository, Vec<String>) {
    let repository = Repository::new();
    let mut stream = String::new();
    for number in 0..commits {
        let time = repository.clock + 60 * number as u64;
        stream.push_str("commit refs/heads/main\n");
        stream.push_str(&format!("committer Ana <a@b.c> {time} +0000\ndata 1\nx\n"));
        for (path, text) in files(number) {
            stream.push_str(&format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len()));
        }
    }
    let mut git = Command::new("git");
    git.arg("-C").arg(&repository.root).args(["fast-import", "--quiet"]);
    let output = cli::with_input(git, stream.as_bytes());
    assert!(output.status.success(), "{}", cli::err(&output));
    let hashes = repository.git(&["rev-list", "--reverse", "main"]);
    let hashes: Vec<String> = hashes.lines().map(str::to_owned).collect();
    assert_eq!(hashes.len(), commits);
    (repository, hashes)
}

/// What is answered at a moment: the number of its commit, and who calls a function.
fn ask(database: &Database, when: &When) -> Result<(Micros, String), EngineError> {
    let snapshot = database.snapshot(when, Refresh::Skip)?;
    let mut told = Vec::new();
    for path in ["demo::COMMIT", "demo::m0::COMMIT", "demo::m0::f0", "demo::m5::f0"] {
        let found = snapshot.resolve(&ResolveRequest::new(path))?;
        let shown = snapshot.show(found.items())?;
        let [one] = shown.items.as_slice() else { panic!("{path}: {shown:?}") };
        told.push(one.text.clone());
    }
    assert_eq!(told[0], told[1], "parts of two commits");
    Ok((snapshot.at(), told.join("\n")))
}

/// Asks again and again: the newest moment, and an earlier one, whose answer must be the same.
fn read(root: &std::path::Path, stop: &AtomicBool) -> (usize, BTreeMap<Micros, String>) {
    let database = Database::open(root).unwrap();
    let mut known: BTreeMap<Micros, String> = BTreeMap::new();
    let mut count = 0;
    while !stop.load(Ordering::Relaxed) {
        let (at, told) = ask(&database, &When::Newest).unwrap();
        assert_eq!(*known.entry(at).or_insert_with(|| told.clone()), told);
        let (&earlier, before) = known.iter().nth(count * 7 % known.len()).unwrap();
        assert_eq!(ask(&database, &When::At(earlier)).unwrap(), (earlier, before.clone()));
        count += 1;
    }
    (count, known)
}

#[test]
fn readers_beside_an_import_see_whole_commits_and_a_past_that_stays() {
    let commits = std::env::var("ASOF_COMMITS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let (repository, hashes) = generated(commits);
    let root = repository.root.as_path();
    // With a newer revision than all but the first commits, they are merged in the end; else each
    // is a revision of its own from the beginning.
    for scanned in [false, true] {
        let _ = std::fs::remove_dir_all(root.join(".asof"));
        repository.git(&["checkout", "-q", if scanned { "main" } else { &hashes[0] }]);
        let database = repository.database();
        if scanned {
            drop(database.refresh(&Default::default(), &asof::Silent).unwrap())
        } else {
            let first = Selection { range: Some(hashes[0].clone()), ..Selection::default() };
            assert_eq!(import(&database, &first).imported, 1);
            repository.git(&["checkout", "-q", "main"]);
        }
        let begin = Instant::now();
        let stop = AtomicBool::new(false);
        let (report, read) = std::thread::scope(|scope| {
            let readers: Vec<_> = (0..READERS).map(|_| scope.spawn(|| read(root, &stop))).collect();
            let selection = Selection { range: Some("main".to_owned()), ..Selection::default() };
            let report = database.import_history(&selection, &Default::default(), &asof::Silent);
            stop.store(true, Ordering::Relaxed);
            let read: Vec<_> = readers.into_iter().map(|reader| reader.join().unwrap()).collect();
            (report.unwrap(), read)
        });
        let seen: usize = read.iter().map(|(_, known)| known.len()).sum();
        let asked: usize = read.iter().map(|(count, _)| count).sum();
        println!(
            "{} commits in {:.1?}; {asked} answers about {seen} moments",
            report.imported,
            begin.elapsed(),
        );
        assert_eq!(report.imported + report.known, commits);
        assert!(asked >= READERS && (scanned || seen > READERS), "{asked} answers, {seen} moments");
        for (at, told) in read.into_iter().flat_map(|(_, known)| known) {
            assert_eq!(ask(&database, &When::At(at)).unwrap(), (at, told));
        }
        for part in 1..=4 {
            check_commit(&database, root, &hashes[(commits - 1) * part / 4]);
        }
        let different = differences(&dump(database.store()), &dump(&fresh(root)));
        assert!(!different.lines().any(|line| !line.contains("file_stat")), "{different}");
    }
}
