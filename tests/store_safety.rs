//! Processes that die, full disks, damaged files and hostile scripts.
//! Dangerous parts run in a child: this very binary, started again for one ignored test.

use crate::support::this_test;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use asof_model::Hint;
use asof_model::Micros;
use asof_store::{Batch, Limits, Params, Store, StoreError, Value};
use uuid::Uuid;

const DATABASE: &str = "ASOF_TEST_DATABASE";
const SCRIPT: &str = "ASOF_TEST_SCRIPT";

/// Starts an ignored test of this file as a process of its own, after some shell commands.
fn child(test: &str, shell: &str, variables: &[(&str, &Path)]) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!(
        "{shell} exec '{}' --exact {} --ignored --nocapture",
        program.display(),
        this_test(module_path!(), test)
    ));
    for (name, value) in variables {
        command.env(name, value);
    }
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn database() -> Option<PathBuf> {
    std::env::var_os(DATABASE).map(PathBuf::from)
}

/// A batch of 1,000 rows that belong together: half of it must never be seen.
fn thousand(time: i64) -> Batch {
    let mut batch = Batch::new();
    for n in 0..1000u128 {
        let key = [Value::from(format!("name {n}")), Uuid::from_u128(n).into()];
        batch.assert("node_by_name", Micros(time), key, []).unwrap();
    }
    batch.put("meta", [Value::from("last"), Value::from(time.to_string())]).unwrap();
    batch
}

fn count(store: &Store) -> (i64, Vec<String>) {
    let rows = store.run("?[count(id)] := *node_by_name{id}", &Params::new()).unwrap();
    let last = store.run("?[value] := *meta{key: 'last', value}", &Params::new()).unwrap();
    (rows.column("count(id)").unwrap()[0], last.column("value").unwrap())
}

#[test]
#[ignore = "runs as a child of the tests below"]
fn child_writes_until_killed() {
    let Some(path) = database() else { return };
    let store = Store::open(&path).unwrap();
    for time in 1.. {
        if store.commit(thousand(time)).is_err() {
            std::process::exit(3);
        }
        fs::write(path.with_extension("done"), time.to_string()).unwrap();
    }
}

#[test]
fn a_killed_writer_leaves_whole_commits_and_loses_none() {
    let dir = tempfile::tempdir().unwrap();
    for wait in [60, 90, 130, 170, 230] {
        let path = dir.path().join(format!("db{wait}"));
        drop(Store::create(&path).unwrap());
        let mut writer = child("child_writes_until_killed", "", &[(DATABASE, &path)]);
        let begin = Instant::now();
        while !path.with_extension("done").exists() && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(wait));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let done: i64 =
            fs::read_to_string(path.with_extension("done")).unwrap().parse().unwrap_or(0);
        let store = Store::open(&path).unwrap();
        let (rows, last) = count(&store);
        assert_eq!(last, [(rows / 1000).to_string()]);
        assert_eq!(rows % 1000, 0);
        assert!(rows / 1000 >= done, "{rows} rows, {done} commits were acknowledged");
        store.commit(thousand(i64::MAX)).unwrap();
    }
}

#[test]
fn a_full_disk_leaves_the_old_state() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    drop(Store::create(&path).unwrap());
    // Files may grow to 2 MB; the signal that says so is ignored, as on a full disk.
    let mut writer =
        child("child_writes_until_killed", "trap '' XFSZ; ulimit -f 4096;", &[(DATABASE, &path)]);
    let status = writer.wait().unwrap();
    assert_eq!(status.code(), Some(3), "the writer got an error, no signal");
    let done: i64 = fs::read_to_string(path.with_extension("done")).unwrap().parse().unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(count(&store), (done * 1000, vec![done.to_string()]));
    store.commit(thousand(i64::MAX)).unwrap();
}

#[test]
#[ignore = "runs as a child of the test below"]
fn child_meets_a_full_disk() {
    let Some(path) = database() else { return };
    let store = Store::open(&path).unwrap();
    let error = (1..).find_map(|time| store.commit(thousand(time)).err()).unwrap();
    assert!(matches!(error, StoreError::Full { .. } | StoreError::Io { .. }), "{error:?}");
    // The same process still reads the old state.
    let (rows, last) = count(&store);
    assert_eq!((rows % 1000, last), (0, vec![(rows / 1000).to_string()]));
    std::process::exit(4);
}

#[test]
fn a_full_disk_is_told_as_such_and_reading_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    drop(Store::create(&path).unwrap());
    let mut writer =
        child("child_meets_a_full_disk", "trap '' XFSZ; ulimit -f 4096;", &[(DATABASE, &path)]);
    assert_eq!(writer.wait().unwrap().code(), Some(4));
}

#[test]
fn a_process_reads_while_another_writes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let store = Store::create(&path).unwrap();
    let mut writer = child("child_writes_until_killed", "", &[(DATABASE, &path)]);
    let begin = Instant::now();
    let mut seen = Vec::new();
    while begin.elapsed() < Duration::from_secs(2) {
        // Two atoms in one query: they must see one state.
        let script = "n[count(id)] := *node_by_name{id} ?[rows, last] := n[rows], *meta{key: 'last', value: last}";
        let rows = store.run(script, &Params::new()).unwrap();
        if let (Some(rows), Some(last)) = (
            rows.column::<i64>("rows").unwrap().pop(),
            rows.column::<String>("last").unwrap().pop(),
        ) {
            assert_eq!((rows / 1000).to_string(), last);
            seen.push(rows);
        }
    }
    writer.kill().unwrap();
    writer.wait().unwrap();
    seen.dedup();
    assert!(seen.len() > 2, "the reader saw the writer's progress: {seen:?}");
}

#[test]
#[ignore = "runs as a child of the test below"]
fn child_holds_the_lock() {
    let Some(path) = database() else { return };
    let store = Store::open(&path).unwrap();
    let _lock = store.write_lock(Duration::ZERO).unwrap();
    fs::write(path.with_extension("held"), "").unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn one_writer_at_a_time_and_a_dead_one_holds_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let store = Store::create(&path).unwrap();
    let mut holder = child("child_holds_the_lock", "", &[(DATABASE, &path)]);
    while !path.with_extension("held").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let error = store.write_lock(Duration::from_millis(50)).map(|_| ()).unwrap_err();
    assert!(
        matches!(error, StoreError::Locked { pid: Some(pid), .. } if pid == holder.id()),
        "{error:?}"
    );
    count(&store);
    holder.kill().unwrap();
    holder.wait().unwrap();
    let lock = store.write_lock(Duration::from_secs(2)).unwrap();
    lock.commit(thousand(1)).unwrap();
    let other = store.write_lock(Duration::ZERO).map(|_| ()).unwrap_err();
    assert!(matches!(other, StoreError::Locked { .. }), "threads of one process wait too");
    drop(lock);
    store.commit(thousand(2)).unwrap();
}

#[test]
fn a_file_that_is_no_database_is_told_apart_from_a_damaged_one() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let store = Store::create(&path).unwrap();
    store.commit(thousand(1)).unwrap();
    drop(store);
    let good = fs::read(&path).unwrap();
    let open = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        let outcome = Store::open(&path).and_then(|store| {
            store.run("?[count(id)] := *node_by_name{id}", &Params::new())?;
            store.run("?[value] := *meta{key: 'last', value}", &Params::new())
        });
        outcome.map(|rows| rows.len())
    };
    assert_eq!(open("same", &good).unwrap(), 1);
    for (name, bytes) in
        [("empty", &b""[..]), ("short", b"SQLite format 3\0"), ("junk", &[65; 9999])]
    {
        let error = open(name, bytes).unwrap_err();
        assert!(matches!(error, StoreError::NotADatabase { .. }), "{name}: {error:?}");
    }
    for len in [good.len() - 1, good.len() / 2, 16384, 200] {
        let error = open(&format!("cut{len}"), &good[..len]).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{len}: {error:?}");
    }
    let mut wrong = 0;
    for page in 0..good.len() / 16384 {
        for at in [page * 16384, page * 16384 + 3, page * 16384 + 8000, page * 16384 + 16000] {
            let mut rotten = good.clone();
            rotten[at..at + 200].fill(0xee);
            // A typed error or an answer, never a panic.
            wrong += usize::from(open("rotten", &rotten).is_err());
        }
    }
    assert!(wrong > 2, "{wrong}");
    let foreign = dir.path().join("foreign");
    drop(Store::create(&foreign).unwrap());
    assert!(matches!(
        Store::open(dir.path()),
        Err(StoreError::NotOurs { .. } | StoreError::Io { .. })
    ));
    assert!(matches!(Store::open(&dir.path().join("no")), Err(StoreError::Missing { .. })));
}

#[test]
fn another_schema_version_is_refused_with_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    let store = Store::create(&path).unwrap();
    let mut batch = Batch::new();
    batch.put("meta", ["schema_version", "999"].map(Value::from)).unwrap();
    store.commit(batch).unwrap();
    drop(store);
    let error = Store::open(&path).unwrap_err();
    assert!(
        matches!(&error, StoreError::SchemaVersion { found, .. } if found == "999"),
        "{error:?}"
    );
    assert_eq!(error.hint(), Hint::OtherVersion);
}

#[test]
fn opening_is_quick() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    Store::create(&path).unwrap().commit(thousand(1)).unwrap();
    let best = (0..10)
        .map(|_| {
            let begin = Instant::now();
            drop(Store::open(&path).unwrap());
            begin.elapsed()
        })
        .min()
        .unwrap();
    assert!(best < Duration::from_millis(5), "{best:?}");
}

#[test]
#[ignore = "runs as a child of the test below"]
fn child_runs_scripts() {
    let Some(path) = std::env::var_os(SCRIPT).map(PathBuf::from) else { return };
    let store = Store::in_memory().unwrap();
    let limits = Limits { time: Duration::from_millis(500), memory_bytes: 64 << 20, rows: 1000 };
    let mut passed = 0;
    for script in fs::read_to_string(&path).unwrap().split('\u{1}') {
        fs::write(path.with_extension("at"), script).unwrap();
        let begin = Instant::now();
        let outcome = store.run_bounded(script, &Params::new(), limits);
        passed += usize::from(!matches!(outcome, Err(StoreError::Guard { .. })));
        if begin.elapsed() > Duration::from_secs(5) {
            std::process::exit(5);
        }
    }
    fs::write(path.with_extension("passed"), passed.to_string()).unwrap();
    std::process::exit(0);
}

/// A xorshift generator: the same scripts every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn script(&mut self) -> String {
        const PARTS: [&str; 44] = [
            "?[a] := ", "?[a] <- ", "r[a] := ", "r[a]", "*meta{key: a}", "*meta[a, b]",
            "*node{id @ 'NOW'}", "(", "(", "[", "[", "{", ")", "]", "}", ", ", ", ", " or ",
            " or ", " and ", "not ", "a == ", "a = ", "1", "-", "!", "+", "^", "'x'", "\"\\\"",
            "_\"", "# c\n", "/*", "*/", "f(", "concat(", "->", "~", ":limit 5", ":put meta",
            "::relations", "<~ PageRank(", "a in ", "$p",
        ];
        let mut script = String::from("?[a] := *meta{key: a}, ");
        for _ in 0..self.roll(12) {
            let part = PARTS[self.roll(PARTS.len())];
            let open = script.len();
            let times = [1, 1, 2, 5, 11, 13, 40, 300, 5000][self.roll(9)];
            script += &part.repeat(times);
            if self.roll(3) > 0 {
                script += "a == 1";
                let close = match part {
                    "(" | "f(" | "concat(" => ")",
                    "[" => "]",
                    "{" => "}",
                    _ if open % 2 == 0 => ", ",
                    _ => " ",
                };
                script += &close.repeat(times);
            }
        }
        script
    }
}

#[test]
#[ignore = "takes a minute"]
fn no_script_takes_the_process_down() {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut bad = Vec::new();
    let rounds = 60;
    let mut passed = 0;
    for round in 0..rounds {
        let path = dir.path().join(format!("scripts{round}"));
        let scripts: Vec<String> = (0..100).map(|_| dice.script()).collect();
        fs::write(&path, scripts.join("\u{1}")).unwrap();
        let mut runner = child("child_runs_scripts", "ulimit -v 4000000;", &[(SCRIPT, &path)]);
        let begin = Instant::now();
        let status = loop {
            match runner.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if begin.elapsed() > Duration::from_secs(60) => {
                    runner.kill().unwrap();
                    runner.wait().unwrap();
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        let text = fs::read_to_string(path.with_extension("passed")).unwrap_or_default();
        passed += text.parse::<usize>().unwrap_or(0);
        if !status.is_some_and(|status| status.success()) {
            let script = fs::read_to_string(path.with_extension("at")).unwrap();
            bad.push(format!("{status:?}: {}", script.chars().take(300).collect::<String>()));
        }
    }
    println!("{passed} of {} scripts passed the guard", rounds * 100);
    assert!(passed > rounds, "the engine saw {passed} scripts");
    assert!(bad.is_empty(), "{} of {rounds}:\n{}", bad.len(), bad.join("\n"));
}
