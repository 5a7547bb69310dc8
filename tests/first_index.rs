//! The first run writes rows while it still makes others. Until it ends, nobody sees any of them;
//! and however it ends, they are all there or none.

use crate::support;
use crate::support::this_test;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asof_index::{IndexError, Options, Progress, Silent, refresh};
use asof_store::{Params, Store};
use asof_wire::Phase;
use support::edits::Rng;
use support::{Copy, differences, differences_from_fresh, dump, fresh, index, options};

/// Modules that use each other, so that references take a while.
fn many_files() -> Copy {
    let mut copy =
        Copy::with(&[("Cargo.toml", "[package]\nname = \"many\"\nedition = \"2021\"\n")]);
    const COUNT: usize = 80;
    copy.write("src/lib.rs", (0..COUNT).map(|n| format!("pub mod m{n};\n")).collect::<String>());
    for n in 0..COUNT {
        let mut text = String::from("pub struct S;\nimpl S { pub fn go(&self) -> u64 { 1 } }\n");
        for k in 0..10 {
            let other = (n + 7 * k + 1) % COUNT;
            text.push_str(&format!(
                "/// Adds what module {other} has.\n\
                 pub fn f{k}(x: u64) -> u64 {{ crate::m{other}::f{k}(x) + crate::m{other}::S.go() }}\n"
            ));
        }
        copy.write(&format!("src/m{n}.rs"), text);
    }
    copy
}

/// Which relations have rows. One question, so one snapshot.
fn filled(store: &Store) -> Vec<String> {
    let script = r#"
        ?[relation, count(id)] := *revision{at: id}, relation = "revision"
        ?[relation, count(id)] := *node{id}, relation = "node"
        ?[relation, count(id)] := *refs_by_source{source: id}, relation = "refs_by_source"
        ?[relation, count(id)] := *file{path: id}, relation = "file"
        ?[relation, count(id)] := *meta{key: id}, id = "newest", relation = "meta"
    "#;
    store.run(script, &Params::new()).unwrap().column::<String>("relation").unwrap()
}

const EVERY: [&str; 5] = ["file", "meta", "node", "refs_by_source", "revision"];

const CHILD: &str = "ASOF_TEST_CHILD";

/// Run by the test below in a process of its own.
#[test]
#[ignore = "is started by another test"]
fn child_that_indexes() {
    let Ok(root) = std::env::var(CHILD) else { return };
    let root = Path::new(&root);
    index(&Store::open(&root.with_file_name("db")).unwrap(), root);
}

fn child(root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([&this_test(module_path!(), "child_that_indexes"), "--exact", "--ignored"])
        .env(CHILD, root)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// An empty database in the place of what is there.
fn empty(path: &Path) -> Store {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
    Store::create(path).unwrap()
}

#[test]
fn a_killed_first_run_leaves_nothing_or_all_and_readers_see_no_part() {
    let copy = many_files();
    let path = copy.root.with_file_name("db");
    let expected = dump(&fresh(&copy.root));
    let mut rng = Rng::new(u64::from(std::process::id()));
    let mut whole = Duration::ZERO;
    let (mut none, mut all, mut looks) = (0, 0, 0);
    const ROUNDS: usize = 12;
    for round in 0..ROUNDS {
        let reader = empty(&path);
        let start = Instant::now();
        let mut process = child(&copy.root);
        let end = match round {
            // How long it takes undisturbed: kills come at moments of this time.
            0 => None,
            1 => Some(Duration::ZERO),
            _ => Some(whole.mul_f64(0.2 + 0.9 * (rng.below(1_000) as f64 / 1_000.0))),
        };
        while process.try_wait().unwrap().is_none() {
            if end.is_some_and(|end| start.elapsed() >= end) {
                process.kill().unwrap();
            }
            let found = filled(&reader);
            assert!(found.is_empty() || found == EVERY, "round {round}: {found:?}");
            looks += 1;
            std::thread::sleep(Duration::from_millis(5));
        }
        if end.is_none() {
            whole = start.elapsed();
        }
        drop(reader);
        let store = Store::open(&path).unwrap();
        if filled(&store).is_empty() {
            none += 1;
        } else {
            all += 1;
            assert_eq!(differences(&expected, &dump(&store)), "", "round {round}");
        }
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "round {round}");
    }
    println!("{ROUNDS} first runs, {looks} looks: {none} left nothing, {all} everything");
    assert!(none > 0 && all > 0, "{none} left nothing, {all} everything");
}

/// Interrupts when a phase begins.
struct StopAt(Phase, Arc<AtomicBool>);

impl Progress for StopAt {
    fn begin(&self, phase: Phase, _total: Option<u64>) {
        if phase == self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn an_interrupted_first_run_leaves_nothing() {
    let copy = many_files();
    let path = copy.root.with_file_name("db");
    for phase in [Phase::Parse, Phase::Resolve] {
        let store = empty(&path);
        let options = options();
        let stop = StopAt(phase, Arc::clone(&options.stop));
        let error = refresh(&store, &copy.root, &options, &stop).unwrap_err();
        assert!(matches!(error, IndexError::Interrupted), "{phase:?}: {error:?}");
        assert_eq!(filled(&store), [""; 0], "{phase:?}");
        // The same process goes on: nothing holds the transaction any more.
        index(&store, &copy.root);
        assert_eq!(filled(&store), EVERY);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{phase:?}");
    }
}

#[test]
fn the_report_counts_the_rows_that_are_there() {
    let copy = many_files();
    let path = copy.root.with_file_name("db");
    let mut dumps = Vec::new();
    for threads in [1, 3] {
        let store = empty(&path);
        let options = Options { threads: Some(threads), ..options() };
        let report = refresh(&store, &copy.root, &options, &Silent).unwrap();
        let dump = dump(&store);
        for (relation, rows) in &report.rows {
            // The versions of schema and program are there before.
            if let Some(found) = dump.get(relation.as_str()).filter(|_| relation != "meta") {
                assert_eq!(found.len(), *rows, "{relation}, {threads} threads");
            }
        }
        let texts = store.run("?[count(hash)] := *text{hash}", &Params::new()).unwrap();
        let texts = texts.column::<usize>("count(hash)").unwrap();
        assert_eq!(texts, [report.rows["text"]], "{threads} threads");
        // Many items have the same text.
        assert!(report.rows["text"] < report.rows["node"], "{:?}", report.rows);
        dumps.push(dump);
    }
    assert_eq!(differences(&dumps[0], &dumps[1]), "");
}
