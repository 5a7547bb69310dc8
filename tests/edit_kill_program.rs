//! `asof edit apply` and `asof edit undo` are killed, at random times and at named points.
//! The next command finds every file old or every file new, proposals that say which, and a
//! database whose NOW equals a fresh index of these files.
//!
//! `ASOF_KILLS=1000 ASOF_KILLS_LOG=kills cargo test --test suite edit_kill_program:: -- --nocapture`
//! makes the recorded run, and continues it if it was stopped.

use crate::support;
use crate::support::kills;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use asof::Database;
use asof_model::RawHash;
use asof_store::Store;
use kills::{Fate, Picture, Rng, Run, When, differences, kill, median, picture};
use serde_json::{Value, json};
use support::cli::{self, answer};
use tempfile::TempDir;

/// Points of applying and undoing.
const POINTS: &[&str] = &[
    "mid-prepare", "before-prepare", "after-prepare", "made-folder", "mid-stage", "after-stage",
    "before-step", "at-step", "mid-step", "after-step", "after-steps", "after-write",
    "before-commit", "after-commit", "mid-tidy",
];

/// Points of the recovery that the next command begins with.
const BACK: &[&str] =
    &["recover", "mid-back", "after-back", "after-backs", "mid-delete", "mid-tidy"];

const MODULES: usize = 8;

/// Trials that share a workspace: it and its history grow with each.
const SHARED: usize = 25;

/// The program, which stops where `order` says.
fn command(root: &Path, order: &str, args: &[&str]) -> Command {
    let mut command = cli::command(root, &[&["--format", "json"], args].concat());
    command.env("ASOF_FAULT", order);
    command
}

fn start(root: &Path, order: &str, args: &[&str]) -> Child {
    let mut command = command(root, order, args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// The workspace in this folder, indexed.
fn workspace(dir: TempDir) -> TempDir {
    let write = |path: &str, text: String| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n".into(),
    );
    let modules: String = (0..MODULES).map(|n| format!("pub mod m{n};\n")).collect();
    write("src/lib.rs", format!("{modules}\npub fn first() -> u64 {{ m0::f0() }}\n"));
    for n in 0..MODULES {
        let mut text = String::from("\u{feff}");
        for f in 0..12 {
            text.push_str(&format!("pub fn f{f}() -> u64 {{\r\n    {n} + {f}\r\n}}\r\n"));
        }
        write(&format!("src/m{n}.rs"), text);
    }
    for n in 0..3 {
        write(&format!("notes/n{n}.rs"), format!("pub fn note_{n}() {{}}\n"));
    }
    cli::text(dir.path(), &["index"]);
    dir
}

/// A request over three to six files.
fn request(rng: &mut Rng, root: &Path, number: usize) -> Value {
    let mut edits = Vec::new();
    let mut modules: Vec<usize> = (0..MODULES).collect();
    for _ in 0..3 + rng.below(2) {
        let (m, f) = (modules.remove(rng.below(modules.len())), rng.below(12));
        let code = format!("pub fn f{f}() -> u64 {{\n    {} + {number}\n}}", rng.below(1_000));
        edits.push(
            json!({ "mode": "canonical", "path": format!("crate::m{m}::f{f}"), "code": code }),
        );
    }
    let note = format!("notes/n{}.rs", rng.below(3));
    let there = root.join(&note).exists();
    match rng.below(4) {
        0 => {
            let file_path = format!("new/t{number}/x.rs");
            let code = format!("pub fn made_{number}() {{}}\n");
            edits.push(json!({ "mode": "create_file", "file_path": file_path, "code": code }));
        }
        1 if there => {
            let to = format!("moved/t{number}.rs");
            edits.push(json!({ "mode": "rename_file", "file_path": note, "to": to }));
        }
        2 if there => edits.push(json!({ "mode": "delete_file", "file_path": note })),
        3 if !there => {
            let code = format!("pub fn note_again_{number}() {{}}\n");
            edits.push(json!({ "mode": "create_file", "file_path": note, "code": code }));
        }
        _ => {}
    }
    json!({ "edits": edits })
}

/// Stores a proposal; its id, and the bytes that each of its files will have.
fn plan(rng: &mut Rng, root: &Path, number: usize) -> (String, Vec<(String, Option<RawHash>)>) {
    let text = request(rng, root, number).to_string();
    let planning = command(root, "", &["edit", "plan", "--file", "-"]);
    let output = cli::with_input(planning, text.as_bytes());
    assert!(output.status.success(), "{text}\n{}", cli::err(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = summary["files"].as_array().unwrap().iter().map(|file| {
        let hash = file["after_hash"].as_str().map(|hash| hash.parse().unwrap());
        (file["file_path"].as_str().unwrap().to_owned(), hash)
    });
    (summary["proposal_id"].as_str().unwrap().to_owned(), files.collect())
}

/// Files only: empty folders do not matter.
fn files(picture: Picture) -> Picture {
    picture.into_iter().filter(|(_, (_, bytes))| bytes.is_some()).collect()
}

fn is_edited(found: &Picture, old: &Picture, after: &[(String, Option<RawHash>)]) -> bool {
    let untouched = |path: &String| after.iter().all(|(it, _)| it != path);
    let rest =
        |p: &Picture| p.clone().into_iter().filter(|(k, _)| untouched(k)).collect::<Picture>();
    rest(found) == rest(old)
        && after.iter().all(|(path, hash)| {
            let file = found.get(path);
            let kept = match (file, old.get(path)) {
                (Some((mode, _)), Some((before, _))) => mode == before,
                _ => true,
            };
            let bytes = file.and_then(|(_, bytes)| bytes.as_deref());
            kept && bytes.map(RawHash::hash) == *hash
        })
}

struct Bench {
    dir: TempDir,
    /// Applied proposals, each with the files before it.
    applied: Vec<(String, Picture)>,
    whole: Duration,
}

impl Bench {
    fn new() -> Self {
        // On disk, where writing takes a larger part of the time in which kills fall.
        let dir = workspace(tempfile::tempdir().unwrap());
        let mut times = Vec::new();
        for number in 0..3 {
            let (id, _) = plan(&mut Rng(number), dir.path(), 1_000_000 + number as usize);
            let begin = Instant::now();
            answer(dir.path(), &["edit", "apply", &id]);
            times.push(begin.elapsed());
        }
        Self { dir, applied: Vec::new(), whole: median(times) }
    }

    fn trial(&mut self, rng: &mut Rng, number: usize, name: &str) -> Fate {
        let root = self.dir.path().to_owned();
        let undoing = !self.applied.is_empty() && rng.below(2) == 0;
        let (job, id, after) = if undoing {
            ("undo", self.applied.last().unwrap().0.clone(), Vec::new())
        } else {
            let (id, after) = plan(rng, &root, number);
            ("apply", id, after)
        };
        let old = files(picture(&root));
        let when = When::random(rng, self.whole, POINTS, 5);
        let exchange = rng.below(4) != 0;
        let died = kill(start(&root, &when.order(exchange), &["edit", job, &id]), &when);
        // Tells what it finds, whatever that is.
        answer(&root, &["status"]);
        let mut again = 0;
        while again < 3 && rng.below(2) == 0 && !settled(&root) {
            let when = When::random(rng, self.whole / 2, BACK, 5);
            let next = start(&root, &when.order(exchange), &["resolve", "crate::first"]);
            again += usize::from(kill(next, &when));
        }
        let found = answer(&root, &["resolve", "crate::first"]);
        assert_eq!(found["items"][0]["name"], "first", "{name}: {found}");
        assert!(settled(&root), "{name}: something is left to recover");
        let now = files(picture(&root));
        let new = if undoing {
            now == self.applied.last().unwrap().1
        } else {
            is_edited(&now, &old, &after)
        };
        assert!(new || now == old, "{name}: torn, {job}: {:?}", differences(&now, &old));
        assert!(died || new, "{name}: it ended well, and nothing was done");
        let left: Vec<&String> = now.keys().filter(|path| path.contains(".asof-")).collect();
        assert!(left.is_empty(), "{name}: {left:?}");
        self.check_database(&root, name);
        let shown = answer(&root, &["edit", "show", &id]);
        let status = shown["proposal"]["status"].as_str().unwrap().to_owned();
        let expected = match (undoing, new) {
            (false, false) => "planned",
            (false, true) | (true, false) => "applied",
            (true, true) => "undone",
        };
        assert_eq!(status, expected, "{name}: {job}, new: {new}");
        match (undoing, new) {
            (false, true) => self.applied.push((id, old)),
            (true, true) => drop(self.applied.pop()),
            (false, false) => {
                assert_eq!(answer(&root, &["edit", "deny", &id])["status"], "denied", "{name}");
            }
            (true, false) => {}
        }
        Fate { job, when: when.name(), died, new, again }
    }

    fn check_database(&self, root: &Path, name: &str) {
        let status = answer(root, &["status"]);
        assert_eq!(status["basis"]["freshness_state"], "fresh", "{name}: {status}");
        let store = Store::open(&Database::path_of(root)).unwrap();
        assert_eq!(support::differences_from_fresh(&store, root), "", "{name}: NOW is wrong");
    }
}

/// Whether there is nothing to recover.
fn settled(root: &Path) -> bool {
    let state = root.join(".asof");
    !asof_edit::files::unfinished(&state).unwrap() && !state.join("edit.pending").exists()
}

#[test]
fn a_killed_edit_command_leaves_all_old_or_all_new_and_the_database_knows() {
    let mut run = Run::from_environment("program", 12);
    let mut bench = Bench::new();
    for number in run.left() {
        if number % SHARED == 0 {
            bench = Bench::new();
        }
        let mut rng = run.rng(number);
        let fate = bench.trial(&mut rng, number, &format!("seed {}, trial {number}", run.seed));
        run.record(number, &fate);
    }
    run.tell(&format!("program (an edit takes {:.1?})", bench.whole));
}

/// Until the next command that may write, an interrupted edit is named by `status`, and nothing that
/// it staged can be committed, indexed or taken for a source.
#[cfg(debug_assertions)]
#[test]
fn a_killed_edit_is_named_by_status_and_nothing_of_it_reaches_git() {
    let dir = workspace(support::tempdir());
    let root = dir.path();
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", cli::err(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    let sources = || {
        let mut found = files(picture(root));
        found.retain(|path, _| !path.starts_with(".git/"));
        found
    };
    let mut rng = Rng(5);
    for (number, point) in
        ["mid-prepare", "mid-stage", "after-stage", "mid-step", "after-steps", "after-commit"]
            .into_iter()
            .enumerate()
    {
        let (id, after) = plan(&mut rng, root, number);
        assert_eq!(answer(root, &["status"]).get("interrupted_edit"), None, "{point}");
        let old = sources();
        assert!(kill(start(root, point, &["edit", "apply", &id]), &When::At(point, 1)), "{point}");
        let status = answer(root, &["status"]);
        assert_eq!(status["interrupted_edit"], id.as_str(), "{point}: {status}");
        let said = cli::command(root, &["status"]).output().unwrap();
        let said = cli::err(&said);
        assert!(said.contains("was interrupted") && said.contains("`asof index`"), "{said}");
        // Status wrote nothing: it is still to be settled.
        assert!(!settled(root), "{point}");
        let left = git(&["status", "--porcelain", "-uall"]);
        assert!(!left.contains(".asof"), "{point}: {left}");
        assert_eq!(answer(root, &["resolve", "crate::first"])["items"][0]["name"], "first");
        let now = sources();
        let new = point == "after-commit";
        assert!(if new { is_edited(&now, &old, &after) } else { now == old }, "{point}");
        assert!(settled(root), "{point}");
        assert_eq!(answer(root, &["status"]).get("interrupted_edit"), None, "{point}");
    }
}

/// Whatever else writes to the database settles an interrupted edit first.
#[cfg(debug_assertions)]
#[test]
fn every_command_that_writes_recovers_a_killed_edit_first() {
    let dir = workspace(support::tempdir());
    let root = dir.path();
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(root).args(["-c", "user.name=Ana", "-c", "user.email=a@b.c"]).args(args);
        let output = git.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", cli::err(&output));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "begin"]);
    let mut rng = Rng(11);
    let (other, _) = plan(&mut rng, root, 100);
    cli::text(root, &["export", "--what", "scip", "--out", "own.scip"]);
    let commands: [&[&str]; 7] = [
        &["--no-refresh", "import", "scip", "own.scip"],
        &["--no-refresh", "import", "remove", "asof"],
        &["index", "--history"],
        &["edit", "deny", &other],
        &["edit", "list"],
        &["gc", "--keep-revisions", "1"],
        &["index"],
    ];
    for (number, args) in commands.into_iter().enumerate() {
        let (id, after) = plan(&mut rng, root, number);
        for (point, new) in [("after-step", false), ("after-commit", true)] {
            let old = files(picture(root));
            let name = format!("{args:?} after {point}");
            let killed = kill(start(root, point, &["edit", "apply", &id]), &When::At(point, 1));
            assert!(killed && !settled(root), "{name}");
            let output = command(root, "", args).output().unwrap();
            assert!(settled(root), "{name}: {}", cli::err(&output));
            let now = files(picture(root));
            assert!(if new { is_edited(&now, &old, &after) } else { now == old }, "{name}");
            let status = answer(root, &["edit", "show", &id])["proposal"]["status"].clone();
            assert_eq!(status, if new { "applied" } else { "planned" }, "{name}");
        }
    }
}
