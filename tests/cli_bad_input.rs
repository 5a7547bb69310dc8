//! Bad input through the binary: each gets a clear error or an issue, and the last good state
//! stays readable.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cli::{asof, code, command, err};
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempdir();
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

#[track_caller]
fn ends(dir: &Path, args: &[&str], expected: i32, says: &str) {
    let output = asof(dir, args);
    assert_eq!(output.status.code(), Some(expected), "{args:?}: {}", err(&output));
    assert!(err(&output).contains(says), "{args:?}: {}", err(&output));
}

#[test]
fn what_is_no_workspace_is_said_and_left_as_it_was() {
    let dir = folder(&[]);
    ends(dir.path(), &["index", "nowhere"], 5, "does not exist");
    ends(dir.path(), &["index"], 5, "no Rust file");
    assert!(!dir.path().join(".asof").exists());
    ends(dir.path(), &["resolve", "a::b"], 5, "asof index");
    let dir = folder(&[("Cargo.toml", "[package\nname="), ("src/lib.rs", "")]);
    ends(dir.path(), &["index"], 5, "manifest");
}

/// The bug: `-C DIR index .` indexed the current folder.
#[test]
fn a_path_counts_from_the_root_that_is_given() {
    let dir = folder(&[("a.rs", "pub fn f() {}"), ("one/b.rs", "pub fn g() {}")]);
    ends(dir.path(), &["-C", "one", "index", "."], 0, "");
    assert!(!dir.path().join(".asof").exists());
    ends(dir.path(), &["-C", "one", "resolve", "b::g"], 0, "");
}

#[test]
fn a_database_that_cannot_be_used_is_set_aside_only_when_asked() {
    let dir = folder(&[("a.rs", "pub fn f() {}")]);
    let database = dir.path().join(".asof/asof.db");
    fs::create_dir(dir.path().join(".asof")).unwrap();
    fs::write(&database, "garbage ".repeat(100)).unwrap();
    ends(dir.path(), &["resolve", "a::f"], 5, "is not an asof database");
    ends(dir.path(), &["index"], 5, "--rebuild");
    ends(dir.path(), &["index", "--rebuild"], 0, ".asof/asof.db.old\n");
    ends(dir.path(), &["resolve", "a::f"], 0, "");
    let bytes = fs::read(&database).unwrap();
    fs::write(&database, &bytes[..bytes.len() / 2]).unwrap();
    ends(dir.path(), &["resolve", "a::f"], 5, "damaged");
    ends(dir.path(), &["index", "--rebuild"], 0, ".asof/asof.db.old-2\n");
    let old = fs::read(dir.path().join(".asof/asof.db.old")).unwrap();
    assert_eq!(old, "garbage ".repeat(100).as_bytes());
    // Another process may be writing a database that this one cannot read.
    fs::write(&database, "garbage ".repeat(100)).unwrap();
    let lock = asof_files::state::acquire(&database.with_extension("db.lock"), Duration::ZERO);
    ends(dir.path(), &["index", "--rebuild", "--wait", "0"], 4, "is being written by process");
    drop(lock.unwrap());
    assert!(!dir.path().join(".asof/asof.db.old-3").exists());
}

#[test]
fn a_locked_database_names_who_holds_it() {
    let dir = folder(&[("a.rs", "pub fn f() {}")]);
    ends(dir.path(), &["index"], 0, "");
    let store = asof_store::Store::open(&dir.path().join(".asof/asof.db")).unwrap();
    let lock = store.write_lock(Duration::ZERO).unwrap();
    fs::write(dir.path().join("a.rs"), "pub fn g() {}").unwrap();
    ends(dir.path(), &["index", "--wait", "0"], 4, &std::process::id().to_string());
    ends(dir.path(), &["--no-refresh", "resolve", "a::f"], 0, "stale");
    drop(lock);
    ends(dir.path(), &["index"], 0, "");
}

/// Two runs at once, and then an answer.
fn two_runs(dir: &Path) {
    let spawn = || command(dir, &["index"]).stdout(Stdio::null()).spawn().unwrap();
    let mut children = [spawn(), spawn()];
    let ended = children.each_mut().map(|child| child.wait().unwrap().success());
    assert_eq!(ended, [true, true]);
    ends(dir, &["--no-refresh", "resolve", "a::f"], 0, "fresh");
}

#[test]
fn two_runs_at_once_both_end_well() {
    let dir = folder(&[("a.rs", "pub fn g() {}")]);
    ends(dir.path(), &["index"], 0, "");
    fs::write(dir.path().join("a.rs"), "pub fn f() {}").unwrap();
    two_runs(dir.path());
}

#[test]
fn two_first_runs_at_once_both_end_well() {
    two_runs(folder(&[("a.rs", "pub fn f() {}")]).path());
}

/// Indexes where files may not grow past 256 KB.
#[track_caller]
fn meets_a_full_disk(dir: &Path) {
    // A write past the limit raises SIGXFSZ, unless it is ignored: then it fails with EFBIG.
    let script = "trap '' XFSZ; ulimit -f 256; exec \"$0\" index";
    let output = Command::new("bash")
        .current_dir(dir)
        .args(["-c", script])
        .arg(cli::program())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", err(&output));
    assert!(!err(&output).contains("bug in asof"), "{}", err(&output));
}

fn many_functions() -> String {
    (0..20_000).map(|n| format!("pub fn g{n}() {{}}\n")).collect()
}

#[test]
fn a_full_disk_leaves_the_last_good_state() {
    let dir = folder(&[("a.rs", "pub fn f() {}")]);
    ends(dir.path(), &["index"], 0, "");
    fs::write(dir.path().join("b.rs"), many_functions()).unwrap();
    meets_a_full_disk(dir.path());
    ends(dir.path(), &["--no-refresh", "resolve", "a::f"], 0, "");
    ends(dir.path(), &["index"], 0, "");
    ends(dir.path(), &["resolve", "b::g19999"], 0, "");
}

#[test]
fn a_first_run_on_a_full_disk_leaves_nothing() {
    let dir = folder(&[("b.rs", &many_functions())]);
    meets_a_full_disk(dir.path());
    let revisions = cli::out(&asof(dir.path(), &["--no-refresh", "log", "--format", "csv"]));
    assert!(revisions.lines().count() <= 1, "{revisions}");
    ends(dir.path(), &["index"], 0, "");
    ends(dir.path(), &["resolve", "b::g19999"], 0, "");
}

#[test]
fn odd_files_and_folders_are_issues_or_nothing() {
    let nested = format!("pub const X: u32 = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    let dir = folder(&[
        ("a.rs", "pub fn f() {}"),
        ("deep.rs", &nested),
        ("target/real.rs", "pub fn in_target() {}"),
        ("cache/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55"),
        ("cache/gen.rs", "pub fn in_cache() {}"),
    ]);
    fs::write(dir.path().join("big.rs"), vec![b' '; 50 << 20]).unwrap();
    std::os::unix::fs::symlink(".", dir.path().join("cycle")).unwrap();
    let begin = Instant::now();
    ends(dir.path(), &["index"], 0, "");
    assert!(begin.elapsed() < Duration::from_secs(60));
    let issues = asof(dir.path(), &["inspect", "issues", "--format", "json"]);
    let issues: serde_json::Value = serde_json::from_slice(&issues.stdout).unwrap();
    let files: Vec<_> =
        issues["items"].as_array().unwrap().iter().map(|i| i["file_path"].clone()).collect();
    assert!(files.contains(&"deep.rs".into()), "{issues}");
    ends(dir.path(), &["resolve", "in_target"], 0, "");
    ends(dir.path(), &["resolve", "in_cache"], 1, "");
}

#[test]
fn ctrl_c_ends_a_watch_and_an_index() {
    let dir = folder(&[("a.rs", "pub fn f() {}")]);
    let mut child = command(dir.path(), &["watch"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let interrupt = |child: &std::process::Child| {
        let pid = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    };
    let follows = |path: &str| {
        let begin = Instant::now();
        while code(&asof(dir.path(), &["--no-refresh", "resolve", path])) != 0 {
            assert!(begin.elapsed() < Duration::from_secs(300), "{path} does not come");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    follows("a::f");
    fs::write(dir.path().join("a.rs"), "pub fn watched() {}").unwrap();
    follows("a::watched");
    interrupt(&child);
    assert!(child.wait().unwrap().success());
    ends(dir.path(), &["--no-refresh", "resolve", "a::watched"], 0, "fresh");

    let many: String = (0..20_000).map(|n| format!("pub fn g{n}() {{ {n}; }}\n")).collect();
    for n in 0..8 {
        fs::write(dir.path().join(format!("m{n}.rs")), &many).unwrap();
    }
    let mut child = command(dir.path(), &["index"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    ends(dir.path(), &["--no-refresh", "resolve", "a::watched"], 0, "stale");
}
