//! Processes that write several files are killed, at random times and at named points, and so
//! are the recoveries that follow. Afterwards every file is old or every file is new.
//!
//! `ASOF_KILLS=2000 ASOF_KILLS_LOG=kills cargo test --test suite edit_kill:: -- --nocapture` makes the
//! recorded run, and continues it if it was stopped.

use crate::support::kills;
use crate::support::this_test;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use asof_edit::files::{
    AfterWrite, FileChange, FilesError, Outcome, Transaction, apply, previous, recover, undo,
    unfinished,
};
use asof_model::RawHash;
use kills::{Fate, Rng, Run, When, child, differences, go, kill, median, picture, wait_for_go};

const ROOT: &str = "ASOF_TEST_ROOT";
const TRIAL: &str = "ASOF_TEST_TRIAL";
const JOB: &str = "ASOF_TEST_JOB";

/// Points of applying and undoing.
const POINTS: &[&str] = &[
    "mid-prepare", "before-prepare", "after-prepare", "made-folder", "mid-stage", "after-stage",
    "linked", "before-step", "at-step", "mid-step", "after-step", "after-steps", "after-write",
    "before-commit", "after-commit", "mid-tidy",
];

/// Points of recovery.
const BACK: &[&str] = &[
    "recover", "mid-stage", "linked", "mid-back", "after-back", "after-backs", "mid-delete",
    "mid-tidy",
];

fn text(rng: &mut Rng) -> Vec<u8> {
    let len = *rng.pick(&[0, 3, 40, 900, 5_000, 90_000, 400_000]);
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        bytes.extend_from_slice(&rng.next().to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}

/// A workspace of eight files, and a transaction over three to six.
fn scene(rng: &mut Rng, root: &Path, id: &str) -> Transaction {
    let names =
        ["a.rs", "src/b.rs", "src/c.rs", "src/deep/d.rs", "src/deep/e.rs", "t/f.rs", "t/g", "h"];
    let mut files = Vec::new();
    for name in names {
        let bytes = text(rng);
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &bytes).unwrap();
        let mode = *rng.pick(&[0o644, 0o600, 0o755, 0o664]);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        files.push((name.to_owned(), RawHash::hash(&bytes), bytes));
    }
    let mut changes = Vec::new();
    let count = 3 + rng.below(4);
    // One at least changes: otherwise nobody could tell new from old.
    let (path, hash, _) = files.remove(rng.below(files.len()));
    let after = Some(format!("{}!", rng.next()).into_bytes());
    changes.push(FileChange { path, before: Some(hash), after, ..FileChange::default() });
    while changes.len() < count {
        let (path, hash, bytes) = files.remove(rng.below(files.len()));
        let before = Some(hash);
        let new = format!("{}new{}.rs", rng.pick(&["", "src/", "src/n/", "x/y/z/"]), changes.len());
        match rng.below(8) {
            0..=3 => {
                let after = Some(text(rng));
                changes.push(FileChange { path, before, after, ..FileChange::default() });
            }
            4 => changes.push(FileChange { path, before, ..FileChange::default() }),
            5 => {
                let after = Some(text(rng));
                changes.push(FileChange { path: new, after, ..FileChange::default() });
            }
            6 if changes.len() + 2 <= count => {
                let mode_from = Some(path.clone());
                changes.push(FileChange {
                    path: new,
                    after: Some(bytes),
                    mode_from,
                    ..FileChange::default()
                });
                changes.push(FileChange { path, before, ..FileChange::default() });
            }
            _ => {
                let after = Some(bytes);
                changes.push(FileChange { path, before, after, ..FileChange::default() });
            }
        }
    }
    Transaction { id: id.to_owned(), changes }
}

#[test]
#[ignore = "runs as a child of the test below"]
fn child_that_edits() {
    let (Ok(root), Ok(trial)) = (std::env::var(ROOT), std::env::var(TRIAL)) else { return };
    let (root, state) = (Path::new(&root), Path::new(&root).join(".asof"));
    let scratch = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let job = std::env::var(JOB).unwrap();
    let mut rng = Rng(trial.parse().unwrap());
    let tx = (job == "apply").then(|| scene(&mut rng, scratch.path(), "edit"));
    wait_for_go();
    match job.as_str() {
        "apply" => drop(apply(root, &state, &tx.unwrap(), AfterWrite::Nothing).unwrap()),
        "undo" => drop(undo(root, &state, "edit", "undo", &[]).unwrap()),
        _ => drop(recover(root, &state).unwrap()),
    }
}

fn start(root: &Path, rng: u64, job: &str, order: &str) -> std::process::Child {
    let (root, rng) = (root.to_str().unwrap(), rng.to_string());
    let variables = [(ROOT, root), (TRIAL, rng.as_str()), (JOB, job), ("ASOF_FAULT", order)];
    let mut child = child(&this_test(module_path!(), "child_that_edits"), &variables);
    go(&mut child);
    child
}

/// How long a job takes undisturbed.
fn whole() -> Duration {
    let times = (0..5).map(|trial| {
        let dir = tempfile::tempdir().unwrap();
        scene(&mut Rng(trial), dir.path(), "edit");
        let begin = Instant::now();
        let child = start(dir.path(), trial, "apply", "");
        assert!(!kill(child, &When::At("", 1)));
        begin.elapsed()
    });
    median(times.collect())
}

/// One kill, its recovery, and the files afterwards.
fn trial(rng: &mut Rng, whole: Duration, name: &str) -> Fate {
    let dir = tempfile::tempdir().unwrap();
    let twin = tempfile::tempdir().unwrap();
    let (root, state) = (dir.path(), dir.path().join(".asof"));
    let scene_seed = rng.next();
    scene(&mut Rng(scene_seed), root, "edit");
    let before = picture(root);
    // What it comes to undisturbed, in another place.
    let tx = scene(&mut Rng(scene_seed), twin.path(), "edit");
    let done = apply(twin.path(), &twin.path().join(".asof"), &tx, AfterWrite::Nothing).unwrap();
    let edited = picture(twin.path());
    assert_ne!(before, edited, "{name}: nothing changes");
    for change in &tx.changes {
        let found = edited.get(&change.path).and_then(|(_, bytes)| bytes.clone());
        assert_eq!(found, change.after, "{name}: {}", change.path);
    }
    let job = *rng.pick(&["apply", "undo"]);
    let (old, new, id) = match job {
        "apply" => (&before, &edited, "edit"),
        _ => {
            apply(root, &state, &tx, AfterWrite::Nothing).unwrap();
            assert_eq!(picture(root), edited, "{name}");
            (&edited, &before, "undo")
        }
    };
    let exchange = rng.below(4) != 0;
    let when = When::random(rng, whole, POINTS, tx.changes.len());
    let died = kill(start(root, scene_seed, job, &when.order(exchange)), &when);
    let mut again = 0;
    while again < 4 && rng.below(2) == 0 && unfinished(&state).unwrap() {
        let when = When::random(rng, whole / 2, BACK, tx.changes.len());
        again +=
            usize::from(kill(start(root, scene_seed, "recover", &when.order(exchange)), &when));
    }
    let recovered = recover(root, &state).unwrap();
    let harmless = |outcome: &Outcome| {
        matches!(outcome, Outcome::Discarded | Outcome::RolledBack | Outcome::Completed)
    };
    assert!(recovered.iter().all(|one| harmless(&one.outcome)), "{name}: {recovered:?}");
    let found = picture(root);
    let is_new = found == *new;
    assert!(
        is_new || found == *old,
        "{name}: torn. Not old: {:?}. Not new: {:?}",
        differences(&found, old),
        differences(&found, new)
    );
    assert!(died || is_new, "{name}: it ended well, and nothing was done");
    assert_eq!(recover(root, &state).unwrap(), [], "{name}: a second recovery does something");
    // The journal knows which it is, and can be worked with.
    match previous(&state, id) {
        Ok(saved) => {
            assert!(is_new, "{name}: the journal says new");
            let undone = saved.files.iter().zip(&done.files);
            assert!(undone.clone().all(|(a, b)| a.path == b.path), "{name}");
        }
        Err(FilesError::Unknown { .. }) => assert!(!is_new, "{name}: the journal says old"),
        Err(error) => panic!("{name}: {error}"),
    }
    match (job, is_new) {
        ("apply", false) => drop(apply(root, &state, &tx, AfterWrite::Nothing).unwrap()),
        ("apply", true) => drop(undo(root, &state, "edit", "undo", &[]).unwrap()),
        (_, false) => drop(undo(root, &state, "edit", "undo", &[]).unwrap()),
        (_, true) => drop(undo(root, &state, "undo", "redo", &[]).unwrap()),
    }
    let turned = picture(root);
    if (job, is_new) == ("undo", true) {
        // Redo gives new files the rights of new files.
        let bytes = |p: &kills::Picture| {
            p.iter().map(|(k, v)| (k.clone(), v.1.clone())).collect::<Vec<_>>()
        };
        assert_eq!(bytes(&turned), bytes(old), "{name}: redo");
    } else {
        assert_eq!(turned, if is_new { old.clone() } else { new.clone() }, "{name}: going on");
    }
    Fate { job, when: when.name(), died, new: is_new, again }
}

#[test]
fn a_killed_edit_leaves_all_files_old_or_all_new() {
    let mut run = Run::from_environment("files", 40);
    let whole = whole();
    for number in run.left() {
        let mut rng = run.rng(number);
        let fate = trial(&mut rng, whole, &format!("seed {}, trial {number}", run.seed));
        run.record(number, &fate);
    }
    run.tell(&format!("files (an edit takes {whole:.1?})"));
}
