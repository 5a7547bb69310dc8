//! The contents of `.asof`: links and special files from a repository, folders that cannot be
//! written, leftovers of killed runs. Through the binary, as a user runs it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::http::client::Server;
use crate::support::cli;
use crate::support::tempdir;
use asof::Database;
use asof_store::{Batch, Value};
use serde_json::Value as Json;

use cli::{code, err, out};
use tempfile::TempDir;

const LIB: &str = "pub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n";
const EDIT: &str =
    r#"{"edits": [{"mode": "canonical", "path": "demo::add", "code": "pub fn add() {}"}]}"#;
/// Longer than any command takes, however busy the machine is, unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A workspace in a folder of its own; beside it is a file of the user's.
struct Space {
    folder: TempDir,
}

impl Space {
    fn new() -> Self {
        let folder = tempdir();
        let root = folder.path().join("ws");
        fs::create_dir_all(root.join("src")).unwrap();
        fs::write(root.join("Cargo.toml"), "[package]\nname = \"demo\"\nversion = \"0.1.0\"\n")
            .unwrap();
        fs::write(root.join("src/lib.rs"), LIB).unwrap();
        Self { folder }
    }

    fn indexed() -> Self {
        let space = Self::new();
        space.ok(&["index"]);
        space
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("ws")
    }

    fn state(&self, name: &str) -> PathBuf {
        self.root().join(".asof").join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        cli::command(&self.root(), args)
    }

    /// Runs a command, which must end by itself.
    fn asof(&self, args: &[&str]) -> Output {
        cli::within(PATIENCE, self.command(args))
    }

    #[track_caller]
    fn ok(&self, args: &[&str]) -> String {
        let output = self.asof(args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
        out(&output)
    }

    fn names(&self, prefix: &str) -> Vec<String> {
        let names = fs::read_dir(self.root().join(".asof")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name.starts_with(prefix)).collect()
    }
}

/// What a hostile repository can put in the place of a file of ours.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Trap {
    Link,
    /// A dangling link: writing through it would create a file.
    Dangling,
    HardLink,
    Pipe,
    Folder,
}

impl Trap {
    const ALL: [Self; 5] = [Self::Link, Self::Dangling, Self::HardLink, Self::Pipe, Self::Folder];

    fn set(self, at: &Path, precious: &Path, nothing: &Path) {
        let _ = fs::remove_file(at);
        let _ = fs::remove_dir_all(at);
        match self {
            Self::Link => symlink(precious, at).unwrap(),
            Self::Dangling => symlink(nothing, at).unwrap(),
            Self::HardLink => fs::hard_link(precious, at).unwrap(),
            Self::Pipe => assert!(Command::new("mkfifo").arg(at).status().unwrap().success()),
            Self::Folder => fs::create_dir(at).unwrap(),
        }
    }
}

/// Whatever is in the place of a file of ours: no file of the user changes, nothing hangs, and the
/// error names what cannot be used.
#[test]
fn nothing_of_ours_leads_to_a_file_of_the_users() {
    // Name, and whether commands can do without it.
    let names = [
        ("asof.db", false),
        ("asof.db.lock", false),
        ("asof.db-wal", false),
        ("asof.db-shm", false),
        ("edit.lock", false),
        ("journal", false),
        ("edit.pending", true),
        (".gitignore", true),
        ("queries", true),
        ("queries/a.cozo", true),
        ("history.db", true),
    ];
    // What a lock file would be taken for one by, too.
    for text in ["precious\n", "12345"] {
        for (name, optional) in names {
            for trap in Trap::ALL {
                let case = format!("{trap:?} as {name}");
                if (trap == Trap::HardLink && ["journal", "queries"].contains(&name))
                    || (text == "12345" && !name.ends_with("lock"))
                {
                    continue;
                }
                let space = Space::indexed();
                let precious = space.folder.path().join("precious");
                let nothing = space.folder.path().join("nothing");
                fs::write(&precious, text).unwrap();
                fs::write(space.root().join("edit.json"), EDIT).unwrap();
                let at = space.state(name);
                fs::create_dir_all(at.parent().unwrap()).unwrap();
                trap.set(&at, &precious, &nothing);
                fs::write(space.root().join("src/new.rs"), "pub fn new() {}\n").unwrap();
                let mut failed = String::new();
                for args in [
                    &["index"][..],
                    &["query", "?[a] <- [[1]]"],
                    &["edit", "apply", "-f", "edit.json"],
                ] {
                    let output = space.asof(args);
                    if code(&output) != 0 {
                        assert_eq!(code(&output), 5, "{case}, {args:?}: {}", err(&output));
                        failed += &err(&output);
                    }
                }
                assert_eq!(fs::read_to_string(&precious).unwrap(), text, "{case}");
                assert!(!nothing.exists(), "{case}: a file was made through it");
                let replaced = !optional && trap != Trap::Folder;
                let named = failed.contains(at.to_str().unwrap());
                // A lock that was gone is made anew, and an empty folder is a journal.
                let fits = name == "journal" && trap == Trap::Folder;
                assert!(optional || named || fits, "{case} ({replaced}): {failed}");
            }
        }
    }
}

#[test]
fn a_state_folder_that_is_a_link_is_refused_by_name() {
    let space = Space::indexed();
    let moved = space.folder.path().join("moved");
    fs::rename(space.root().join(".asof"), &moved).unwrap();
    symlink(&moved, space.root().join(".asof")).unwrap();
    for args in [
        &["index"][..],
        &["status"],
        &["resolve", "add"],
        &["gc", "--keep-revisions", "1"],
        &["serve", "--port", "0"],
    ] {
        let output = space.asof(args);
        let said = err(&output);
        assert_eq!(code(&output), 5, "{args:?}: {said}");
        assert!(said.contains(".asof is a symbolic link to") && said.contains("moved"), "{said}");
    }
}

#[test]
fn a_program_of_the_users_that_is_no_plain_file_is_told() {
    let space = Space::indexed();
    fs::create_dir(space.state("queries")).unwrap();
    symlink("/dev/zero", space.state("queries/zero.cozo")).unwrap();
    let output = space.asof(&["query", "--name", "own/zero"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("zero.cozo"), "{}", err(&output));
}

/// The link is put there while a server runs.
#[test]
fn a_server_refuses_a_state_folder_that_became_a_link_and_goes_on() {
    let space = Space::indexed();
    let server = Server::start(&space.root(), &["--allow-edits"]);
    let ask = || server.get("/api/resolve?path=demo::add");
    let edit = || server.post("/api/edit/plan", &serde_json::from_str(EDIT).unwrap());
    assert_eq!(ask().status, 200);
    let (state, moved) = (space.root().join(".asof"), space.folder.path().join("moved"));
    fs::rename(&state, &moved).unwrap();
    symlink(&moved, &state).unwrap();
    let before = fs::read_dir(&moved).unwrap().count();
    for refused in [ask(), edit()] {
        assert_eq!(refused.status, 500, "{refused:?}");
        assert!(refused.body.contains(".asof is a symbolic link to"), "{refused:?}");
    }
    assert_eq!(fs::read_to_string(space.root().join("src/lib.rs")).unwrap(), LIB);
    assert_eq!(fs::read_dir(&moved).unwrap().count(), before, "something is written there");
    fs::remove_file(&state).unwrap();
    fs::rename(&moved, &state).unwrap();
    assert_eq!(ask().status, 200);
    assert_eq!(edit().status, 200);
}

#[test]
fn a_server_of_a_read_only_folder_answers_and_writes_nothing() {
    let space = Space::indexed();
    // Without a token it cannot start.
    let Some(output) = read_only(&space, &["serve", "--port", "0"]) else { return };
    assert_eq!(code(&output), 5, "{}", err(&output));
    let said = err(&output);
    assert!(said.contains("http-token") && said.contains("Read-only"), "{said}");
    drop(Server::start(&space.root(), &[]));
    let command = read_only_command(&space, &["serve", "--allow-edits"]);
    let server = Server::spawn(command, &space.root());
    let found = server.answer("/api/resolve?path=demo::add");
    assert_eq!(found["items"][0]["name"], "add", "{found}");
    let refused = server.post("/api/edit/plan", &serde_json::from_str(EDIT).unwrap());
    assert_eq!(refused.status, 500, "{refused:?}");
    assert!(refused.body.to_lowercase().contains("read-only"), "{refused:?}");
    // What changes outside is told as what the database does not know yet.
    fs::write(space.root().join("src/lib.rs"), "pub fn added() {}\n").unwrap();
    let found = server.answer("/api/resolve?path=demo::add");
    assert_eq!(found["basis"]["stale_files"], serde_json::json!(["src/lib.rs"]), "{found}");
}

/// Runs a command where the workspace is mounted read-only. `None` if this system does not let
/// us mount: then the reason is printed, or the test fails if the environment says so.
fn read_only(space: &Space, args: &[&str]) -> Option<Output> {
    let able = Command::new("unshare")
        .args(OWN)
        .args(["sh", "-c", MOUNT])
        .current_dir(space.root())
        .output();
    if !able.as_ref().is_ok_and(|output| output.status.success()) {
        let reason = format!("skipped: this system lets nobody mount read-only: {able:?}");
        assert!(std::env::var_os("ASOF_REQUIRE_TMPFS").is_none(), "{reason}");
        println!("{reason}");
        return None;
    }
    Some(cli::within(PATIENCE, read_only_command(space, args)))
}

const OWN: [&str; 3] = ["--user", "--map-root-user", "--mount"];
const MOUNT: &str = "mount --bind . . && mount -o remount,bind,ro . && cd \"$PWD\"";

fn read_only_command(space: &Space, args: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    command.args(OWN).args(["sh", "-c", &format!("{MOUNT} && exec \"$0\" \"$@\"")]);
    command.arg(cli::program()).args(args).current_dir(space.root());
    command
}

const QUESTIONS: &[&[&str]] = &[
    &["status"],
    &["resolve", "demo::add"],
    &["show", "demo::add"],
    &["refs", "demo::add"],
    &["inspect", "counts"],
    &["log"],
    &["history", "demo::add"],
    &["query", "?[name] := *node{name @ $at}"],
    &["lineage", "demo::add"],
];

#[test]
fn a_read_only_folder_can_be_asked() {
    let space = Space::indexed();
    for args in QUESTIONS {
        for more in [&[][..], &["--no-refresh"]] {
            let args = [args, more].concat();
            let Some(output) = read_only(&space, &args) else { return };
            let writable = space.asof(&args);
            assert_eq!(code(&output), code(&writable), "{args:?}: {}", err(&output));
            assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
            let text = |output: &Output| {
                let text = out(output);
                let timeless = text.lines().filter(|line| !line.contains("ms"));
                timeless.map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(text(&output), text(&writable), "{args:?}");
        }
    }
    // Files that differ are named, with the reason why NOW is not newer.
    fs::write(space.root().join("src/lib.rs"), "pub fn added() {}\n").unwrap();
    let output = read_only(&space, &["--format", "json", "resolve", "demo::add"]).unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    let answer: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["basis"]["freshness_state"], "stale");
    assert_eq!(answer["basis"]["stale_files"], serde_json::json!(["src/lib.rs"]));
    assert!(answer["basis"]["note"].as_str().unwrap().contains("read-only"), "{answer}");
    let output = read_only(&space, &["query", "?[a] <- [[1]]"]).unwrap();
    assert!(err(&output).contains("read-only"), "{}", err(&output));
    // Writing says what is wrong.
    for args in [&["index"][..], &["gc", "--keep-revisions", "1"]] {
        let output = read_only(&space, args).unwrap();
        assert_eq!(code(&output), 5, "{args:?}: {}", err(&output));
        assert!(err(&output).contains("read-only"), "{args:?}: {}", err(&output));
    }
    let out = space.folder.path().join("out.backup");
    let output = read_only(&space, &["backup", "create", out.to_str().unwrap()]).unwrap();
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(out.is_file());
}

/// A writer was killed, or still lives elsewhere: what it committed is in the log.
#[test]
fn a_read_only_folder_with_a_log_is_read_in_full() {
    for beside in [&["-wal"][..], &["-wal", "-shm"]] {
        let space = Space::indexed();
        let database = Database::open(&space.root()).unwrap();
        let mut batch = Batch::new();
        batch.put("meta", [Value::from("of the log"), "committed".into()]).unwrap();
        database.store().commit(batch).unwrap();
        // As it is on disk while the writer lives.
        let kept: Vec<(PathBuf, Vec<u8>)> = ["", "-wal", "-shm"]
            .map(|suffix| space.state(&format!("asof.db{suffix}")))
            .map(|path| (path.clone(), fs::read(&path).unwrap()))
            .into();
        drop(database);
        for (path, bytes) in kept {
            if path.ends_with("asof.db")
                || beside.iter().any(|s| path.to_str().unwrap().ends_with(s))
            {
                fs::write(&path, bytes).unwrap();
            }
        }
        assert!(fs::metadata(space.state("asof.db-wal")).unwrap().len() > 0);
        let script = "?[value] := *meta{key: 'of the log', value}";
        let Some(output) = read_only(&space, &["query", script]) else { return };
        assert_eq!(code(&output), 0, "{beside:?}: {}", err(&output));
        let text = out(&output);
        assert!(text.contains("committed"), "{beside:?}: {text}");
    }
}

/// A leftover of a killed run: its lock is free.
fn leftover(folder: &Path, name: &str) -> PathBuf {
    let dir = folder.join(name);
    fs::create_dir(&dir).unwrap();
    for name in ["owner", "database", "database-wal", "payload"] {
        fs::write(dir.join(name), "").unwrap();
    }
    dir
}

#[test]
fn leftovers_of_killed_runs_go_and_those_in_use_stay() {
    let space = Space::indexed();
    let state = space.root().join(".asof");
    let dead: Vec<PathBuf> = ["create", "restore", "backup"]
        .map(|purpose| leftover(&state, &format!(".asof-{purpose}-dead")))
        .into();
    let living = leftover(&state, ".asof-restore-living");
    let owner = fs::File::open(living.join("owner")).unwrap();
    owner.lock().unwrap();
    let strange = leftover(&state, ".asof-restore-strange");
    fs::write(strange.join("notes.txt"), "of the user's").unwrap();
    space.ok(&["index"]);
    for dir in &dead {
        assert!(!dir.exists(), "{} stays", dir.display());
    }
    assert!(living.join("database").exists() && strange.join("notes.txt").exists());
    drop(owner);
    space.ok(&["index"]);
    assert!(!living.exists());

    // Where a backup was being written.
    let elsewhere = space.folder.path().join("backups");
    fs::create_dir(&elsewhere).unwrap();
    let dead = leftover(&elsewhere, ".asof-backup-dead");
    space.ok(&["backup", "create", elsewhere.join("one.backup").to_str().unwrap()]);
    assert!(!dead.exists());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1, "only the backup is left");
}

/// Runs are killed at any moment; the next one removes what they left.
#[test]
fn nothing_is_left_of_runs_that_were_killed() {
    let space = Space::indexed();
    let elsewhere = space.folder.path().join("backups");
    fs::create_dir(&elsewhere).unwrap();
    let out = |n: usize| elsewhere.join(format!("{n}.backup")).to_str().unwrap().to_owned();
    let mut killed = 0;
    for number in 0..12 {
        let mut child = space
            .command(&["backup", "create", &out(number)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Once it has begun, a little later each time.
        let begin = Instant::now();
        let begun = || {
            let names = fs::read_dir(&elsewhere).unwrap();
            names.filter(|e| e.as_ref().unwrap().path().join("owner").exists()).count() > 0
        };
        while !begun() && begin.elapsed() < PATIENCE && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_millis(number as u64));
        killed += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(killed > 0, "all of them had ended");
    space.ok(&["backup", "create", &out(99)]);
    for entry in fs::read_dir(&elsewhere).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.is_file(), "{} is left", path.display());
        space.ok(&["backup", "verify", path.to_str().unwrap()]);
    }
}

#[test]
fn the_rest_of_an_import_goes_with_gc() {
    let space = Space::indexed();
    for name in ["history.db-wal", "history.db.lock"] {
        fs::write(space.state(name), "").unwrap();
    }
    let held = fs::File::open(space.state("history.db.lock")).unwrap();
    held.lock().unwrap();
    space.ok(&["gc", "--keep-revisions", "1"]);
    assert_eq!(space.names("history.db").len(), 2, "another process has it");
    drop(held);
    space.ok(&["gc", "--keep-revisions", "1"]);
    assert_eq!(space.names("history.db"), Vec::<String>::new());
}

/// What edits leave is bounded, and `gc` removes it; what is dropped cannot be undone.
#[test]
fn gc_drops_what_undo_of_old_edits_needs() {
    let space = Space::indexed();
    let apply = |code: &str| {
        let edit = EDIT.replace("pub fn add() {}", code);
        fs::write(space.root().join("edit.json"), edit).unwrap();
        let out = space.ok(&["--format", "json", "edit", "apply", "-f", "edit.json"]);
        let summary: Json = serde_json::from_str(&out).unwrap();
        summary["proposal_id"].as_str().unwrap().to_owned()
    };
    let first = apply("pub fn add() { 1; }");
    let second = apply("pub fn add() { 2; }");
    assert_eq!(fs::read_dir(space.state("journal")).unwrap().count(), 2);
    space.ok(&["gc", "--keep-revisions", "1"]);
    assert_eq!(fs::read_dir(space.state("journal")).unwrap().count(), 0);
    for id in [&second, &first] {
        let output = space.asof(&["edit", "undo", id]);
        assert_eq!(code(&output), 7, "{}", err(&output));
        assert!(err(&output).contains("no longer kept"), "{}", err(&output));
    }
    // It is still told, and nothing is half undone.
    assert!(space.ok(&["edit", "list"]).contains("applied"));
    let third = apply("pub fn add() { 3; }");
    space.ok(&["edit", "undo", &third]);
    assert!(fs::read_to_string(space.root().join("src/lib.rs")).unwrap().contains("{ 2; }"));
}
