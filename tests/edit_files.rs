//! Files written all or nothing, while disks fill up and other programs write. Dangerous
//! parts run in a child: this very binary, started again for one ignored test.

use crate::support::kills;
use crate::support::{tempdir, this_test};

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Barrier;

use asof_edit::files::{AfterWrite, FileChange, FilesError, Transaction, apply, recover};
use asof_model::Hint;
use asof_model::RawHash;
use kills::{Rng, picture};

const ROOT: &str = "ASOF_TEST_ROOT";
const STATE: &str = "ASOF_TEST_STATE";

fn modify(root: &Path, path: &str, text: &[u8]) -> FileChange {
    let before = Some(RawHash::hash(&fs::read(root.join(path)).unwrap()));
    FileChange { path: path.into(), before, after: Some(text.to_vec()), ..FileChange::default() }
}

fn write(root: &Path, state: &Path, id: &str, changes: Vec<FileChange>) -> Result<(), FilesError> {
    let tx = Transaction { id: id.into(), changes };
    apply(root, state, &tx, AfterWrite::Nothing).map(|_| ())
}

/// Small files, and one change too large for what the child has.
#[test]
#[ignore = "runs as a child of the tests below"]
fn child_that_needs_much_space() {
    let (Some(root), Some(state)) = (std::env::var_os(ROOT), std::env::var_os(STATE)) else {
        return;
    };
    let (root, state) = (PathBuf::from(root), PathBuf::from(state));
    for name in ["a.rs", "b.rs", "c.rs"] {
        fs::write(root.join(name), name).unwrap();
    }
    let before = picture(&root);
    let large = vec![b'/'; 300 << 10];
    let changes = ["a.rs", "b.rs", "c.rs"].map(|name| match name {
        "c.rs" => modify(&root, name, &large),
        _ => modify(&root, name, b"small"),
    });
    let error = write(&root, &state, "e1", changes.to_vec()).unwrap_err();
    assert!(matches!(error, FilesError::Full { .. }), "{error:?}");
    assert!(error.hint() == Hint::from("free some space; all files are as they were"));
    assert_eq!(picture(&root), before);
    assert_eq!(recover(&root, &state).unwrap(), []);
    println!("the disk was full");
}

fn run_child(shell: &str, root: &Path, state: &Path) -> (bool, String) {
    let program = std::env::current_exe().unwrap();
    let test = this_test(module_path!(), "child_that_needs_much_space");
    let test = format!("{test} --exact --ignored --nocapture");
    let output = Command::new("sh")
        .args(["-c", &format!("{shell} exec '{}' {test}", program.display())])
        .env(ROOT, root)
        .env(STATE, state)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_limit_of_file_size_leaves_everything_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join(".asof");
    let (fine, said) = run_child("trap '' XFSZ; ulimit -f 100;", dir.path(), &state);
    assert!(fine && said.contains("the disk was full"), "{said}");
}

/// The journal has space and the sources do not, so the failure comes while new contents are
/// staged.
#[test]
fn a_full_disk_leaves_everything_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let state = tempfile::tempdir().unwrap();
    let own = "unshare --user --map-root-user --mount sh -c";
    let mount = format!("mount -t tmpfs -o size=128k none '{}'", dir.path().display());
    let able = Command::new("sh").args(["-c", &format!("{own} \"{mount}\"")]).output().unwrap();
    if !able.status.success() {
        println!("skipped: this system lets nobody mount a small disk");
        return;
    }
    let program = std::env::current_exe().unwrap();
    let test = this_test(module_path!(), "child_that_needs_much_space");
    let test = format!("{test} --exact --ignored --nocapture");
    let shell = format!("{own} \"{mount} && '{}' {test}\"; exit $?;", program.display());
    let (fine, said) = run_child(&shell, dir.path(), state.path());
    assert!(fine && said.contains("the disk was full"), "{said}");
}

#[test]
fn of_many_that_edit_one_file_one_succeeds() {
    let dir = tempdir();
    let (root, state) = (dir.path(), dir.path().join(".asof"));
    fs::write(root.join("a.rs"), "0").unwrap();
    fs::write(root.join("b.rs"), "0").unwrap();
    for round in 0..10 {
        let changes = |n: usize| {
            vec![
                modify(root, "b.rs", format!("{round} {n}").as_bytes()),
                modify(root, "a.rs", format!("{round} {n}").as_bytes()),
            ]
        };
        let start = Barrier::new(6);
        let done: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..6)
                .map(|n| {
                    let (start, state, changes) = (&start, &state, changes(n));
                    scope.spawn(move || {
                        start.wait();
                        match write(root, state, &format!("e{round}-{n}"), changes) {
                            Ok(()) => true,
                            Err(FilesError::Changed { .. }) => false,
                            Err(error) => panic!("{error:?}"),
                        }
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(done.iter().filter(|done| **done).count(), 1);
        let winner = done.iter().position(|done| *done).unwrap();
        for file in ["a.rs", "b.rs"] {
            assert_eq!(fs::read_to_string(root.join(file)).unwrap(), format!("{round} {winner}"));
        }
    }
}

/// Another program saves a file while it is edited. Whichever comes first, the save is there
/// afterwards: it came after the edit, or the edit was refused.
///
/// `ASOF_SAVES=20000` makes more rounds.
#[test]
fn no_save_by_others_is_lost() {
    let dir = tempdir();
    let (root, state) = (dir.path(), dir.path().join(".asof"));
    let rounds = std::env::var("ASOF_SAVES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut rng = Rng(1);
    let (mut edits, mut refusals) = (0, 0);
    for round in 0..rounds {
        fs::write(root.join("a.rs"), "old").unwrap();
        fs::write(root.join("save"), "theirs").unwrap();
        let changes = vec![modify(root, "a.rs", b"ours")];
        // An edit takes 100 to 500 µs in memory.
        let wait = rng.below(60_000);
        let start = Barrier::new(2);
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                start.wait();
                (0..wait).for_each(|_| std::hint::spin_loop());
                fs::rename(root.join("save"), root.join("a.rs")).unwrap();
            });
            start.wait();
            write(root, &state, &format!("e{round}"), changes)
        });
        match outcome {
            Ok(()) => edits += 1,
            Err(FilesError::Changed { .. } | FilesError::Conflict { .. }) => refusals += 1,
            Err(error) => panic!("{error:?}"),
        }
        let found = fs::read_to_string(root.join("a.rs")).unwrap();
        assert_eq!(found, "theirs", "round {round}: a save was lost");
        let _ = fs::remove_dir_all(state.join("journal"));
    }
    println!(
        "{rounds} saves: {edits} after an edit, {refusals} before one, which was refused; 0 lost"
    );
}
