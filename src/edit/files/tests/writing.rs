//! What a transaction does when nothing goes wrong, and what it refuses before it begins.

use std::os::unix::fs::{MetadataExt, symlink};
use std::time::{Duration, Instant};

use super::*;

#[test]
fn everything_changes_and_can_be_undone_and_redone() {
    let space = Space::new();
    let old = space.picture();
    let done = space.apply("e1", space.mixed()).unwrap();
    assert_eq!(done.files.len(), 6);
    assert_eq!(space.text("src/a.rs"), "fn a() { 1 }\n");
    assert_eq!(space.text("src/b.rs"), "\u{feff}fn b() { 2 }\r\n");
    assert!(!space.at("src/deep/c.rs").exists() && !space.at("script.rs").exists());
    let moved = fs::metadata(space.at("src/new/inner/script.rs")).unwrap();
    assert_eq!(moved.mode() & 0o7777, 0o750);
    assert_eq!(space.journals(), ["e1"]);
    let new = space.picture();

    let saved = previous(&space.state, "e1").unwrap();
    assert_eq!(saved.files[0].bytes.as_deref(), Some(&b"fn a() {}\n"[..]));
    assert_eq!(saved.files[0].after, Some(RawHash::hash(b"fn a() { 1 }\n")));
    assert_eq!((saved.files[5].after, saved.files[5].mode), (None, Some(0o750)));
    assert_eq!(saved.folders, ["src/new", "src/new/inner"]);

    space.undo("e1", "u1").unwrap();
    assert_eq!(space.picture(), old);
    space.undo("u1", "r1").unwrap();
    let mut again = space.picture();
    // Files that a redo creates again have the rights of before the undo.
    assert_eq!(
        again.remove("src/new/inner/script.rs"),
        new.get("src/new/inner/script.rs").cloned()
    );
    again.insert("src/new/inner/script.rs".into(), new["src/new/inner/script.rs"].clone());
    assert_eq!(again, new);
    assert_eq!(space.journals(), ["e1", "r1", "u1"]);
}

#[test]
fn undo_leaves_what_was_edited_since() {
    let space = Space::new();
    space.apply("e1", space.mixed()).unwrap();
    space.put("src/b.rs", "fn b() { 3 }");
    let before = space.picture();
    let error = space.undo("e1", "u1").unwrap_err();
    assert!(matches!(&error, FilesError::Changed { path, .. } if path == "src/b.rs"), "{error}");
    assert_eq!(space.picture(), before);
    assert!(matches!(space.undo("e9", "u9"), Err(FilesError::Unknown { .. })));
}

#[test]
fn a_replaced_file_is_newer_by_its_time_even_if_the_old_one_lies_in_the_future() {
    let space = Space::new();
    let future = std::time::SystemTime::now() + Duration::from_secs(10_000);
    fs::File::options()
        .write(true)
        .open(space.at("main.rs"))
        .unwrap()
        .set_modified(future)
        .unwrap();
    space.apply("e1", vec![space.modify("main.rs", "fn niam() {}\n")]).unwrap();
    assert!(fs::metadata(space.at("main.rs")).unwrap().modified().unwrap() > future);
}

#[test]
fn extended_attributes_and_hard_links() {
    let space = Space::new();
    let path = space.at("main.rs");
    let with_attributes =
        rustix::fs::setxattr(&path, "user.note", b"kept", rustix::fs::XattrFlags::empty()).is_ok();
    fs::hard_link(&path, space.at("other.rs")).unwrap();
    let done = space.apply("e1", vec![space.modify("main.rs", "fn main() { 1 }\n")]).unwrap();
    assert_eq!(done.files[0].hard_links, 1);
    assert_eq!(space.text("other.rs"), "fn main() {}\n");
    if with_attributes {
        let mut value = [0; 16];
        let len = rustix::fs::getxattr(&path, "user.note", &mut value[..]).unwrap();
        assert_eq!(&value[..len], b"kept");
    }
}

#[test]
fn nothing_is_written_for_a_bad_transaction() {
    let space = Space::new();
    let old = space.picture();
    let (a, b) = (space.modify("src/a.rs", "1"), space.modify("src/./a.rs", "2"));
    let stale = FileChange { before: Some(RawHash::hash(b"other")), ..a.clone() };
    let there = space.create("src/a.rs", "3");
    let missing = FileChange { path: "src/none.rs".into(), ..a.clone() };
    let nowhere = FileChange { path: "no/none.rs".into(), ..a.clone() };
    let good = space.modify("main.rs", "good");
    type Test = fn(&FilesError) -> bool;
    let cases: Vec<(&str, Vec<FileChange>, Test)> = vec![
        ("x", vec![], |e| matches!(e, FilesError::BadTransaction { .. })),
        ("", vec![good.clone()], |e| matches!(e, FilesError::BadTransaction { .. })),
        ("../x", vec![good.clone()], |e| matches!(e, FilesError::BadTransaction { .. })),
        ("x.open", vec![good.clone()], |e| matches!(e, FilesError::BadTransaction { .. })),
        ("x", vec![a.clone(), b], |e| matches!(e, FilesError::BadTransaction { .. })),
        ("x", vec![good.clone(), stale], |e| matches!(e, FilesError::Changed { .. })),
        ("x", vec![good.clone(), there], |e| matches!(e, FilesError::Changed { .. })),
        ("x", vec![good.clone(), missing], |e| matches!(e, FilesError::Changed { .. })),
        ("x", vec![good, nowhere], |e| matches!(e, FilesError::Changed { .. })),
    ];
    for (id, changes, expected) in cases {
        let error = space.apply(id, changes).unwrap_err();
        assert!(expected(&error), "{error}");
        assert_eq!(space.picture(), old);
        assert_eq!(space.journals(), Vec::<String>::new());
    }
    space.apply("e1", vec![a]).unwrap();
    let again = space.apply("e1", vec![space.modify("src/a.rs", "4")]).unwrap_err();
    assert!(matches!(again, FilesError::Applied { .. }));
}

#[test]
fn read_only_files_and_folders_are_refused_whoever_asks() {
    let space = Space::new();
    let mode = |path: &str, mode: u32| {
        fs::set_permissions(space.at(path), PermissionsExt::from_mode(mode)).unwrap();
    };
    let changes = |space: &Space| {
        [
            ("src/a.rs", space.modify("src/a.rs", "x")),
            ("src/a.rs", space.delete("src/a.rs")),
            ("src/deep", space.modify("src/deep/c.rs", "x")),
            ("src/deep", space.create("src/deep/n.rs", "x")),
            ("src/deep", space.create("src/deep/n/m/n.rs", "x")),
            ("src/deep", space.delete("src/deep/c.rs")),
        ]
    };
    let changes = changes(&space);
    mode("src/a.rs", 0o444);
    mode("src/deep", 0o555);
    let old = space.picture();
    for (culprit, change) in changes {
        let error = space.apply("x", vec![space.modify("main.rs", "y"), change]).unwrap_err();
        assert!(matches!(&error, FilesError::ReadOnly { path } if path == culprit), "{error}");
        assert_eq!(space.picture(), old);
    }
    mode("src/deep", 0o755);
}

#[test]
fn another_process_has_to_wait_and_recovers_nothing() {
    let space = Space::new();
    let (root, state) = (space.root.clone(), space.state.clone());
    let done = space.apply_then("e1", space.mixed(), || {
        assert!(unfinished(&state).unwrap());
        assert_eq!(try_recover(&root, &state).unwrap(), None);
        let begin = Instant::now();
        let busy = lock::acquire(&state, Duration::from_millis(30)).unwrap_err();
        assert!(begin.elapsed() >= Duration::from_millis(30));
        assert!(
            matches!(busy, FilesError::Locked { pid: Some(pid), .. } if pid == std::process::id())
        );
        Ok(())
    });
    done.unwrap();
    assert!(!unfinished(&space.state).unwrap());
    assert_eq!(try_recover(&space.root, &space.state).unwrap(), Some(vec![]));
}

fn newest(count: usize) -> Retention {
    Retention { count, ..Retention::default() }
}

#[test]
fn only_the_newest_are_kept() {
    let space = Space::new();
    for number in 0..6 {
        let change = space.modify("main.rs", &format!("fn main() {{ {number} }}"));
        space.apply(&format!("e{}", 9 - number), vec![change]).unwrap();
    }
    assert_eq!(prune(&space.state, &newest(6)).unwrap(), 0);
    assert_eq!(prune(&space.state, &newest(2)).unwrap(), 4);
    assert_eq!(space.journals(), ["e4", "e5"]);
    assert!(matches!(previous(&space.state, "e9"), Err(FilesError::Unknown { .. })));
    assert_eq!(prune(&space.state.join("none"), &newest(2)).unwrap(), 0);
}

/// Bytes that do not compress, so that the size of a journal is known.
fn noise(seed: u64, len: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b' ' + (state >> 40) as u8 % 64)
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn what_is_kept_for_undo_is_bounded_in_bytes_and_time() {
    let space = Space::new();
    for number in 0..6 {
        let change = space.modify("main.rs", &noise(number, 8 << 10));
        space.apply(&format!("e{number}"), vec![change]).unwrap();
    }
    let keep = |bytes, least, since| Retention { bytes, least, since, ..Retention::default() };
    assert_eq!(prune(&space.state, &keep(1 << 20, 0, 0)).unwrap(), 0);
    // Each takes some 13 KiB: six bits in eight, before and after.
    assert_eq!(prune(&space.state, &keep(30 << 10, 0, 0)).unwrap(), 4);
    assert_eq!(space.journals(), ["e4", "e5"]);
    assert_eq!(prune(&space.state, &keep(1, 2, 0)).unwrap(), 0, "the newest stay, however large");
    let at = previous(&space.state, "e5").unwrap().at;
    assert_eq!(prune(&space.state, &keep(1 << 20, 2, at)).unwrap(), 1);
    assert_eq!(space.journals(), ["e5"]);
}

/// A function changes in a file of a megabyte: the journal must not contain the file twice.
#[test]
fn a_journal_takes_a_fraction_of_its_files() {
    let space = Space::new();
    let big = noise(7, 3 << 20);
    space.apply("e0", vec![space.modify("main.rs", &big)]).unwrap();
    let edited = format!("fn f() {{}}\n{big}");
    space.apply("e1", vec![space.modify("main.rs", &edited)]).unwrap();
    let size = fs::metadata(space.state.join("journal/e1/bytes.zst")).unwrap().len();
    assert!(size < 2_700_000, "{size} bytes for two texts of 3 MiB that differ in one line");
    let saved = previous(&space.state, "e1").unwrap();
    assert_eq!(saved.files[0].bytes.as_deref(), Some(big.as_bytes()));
}

/// Journals of earlier versions have uncompressed bytes.
#[test]
fn a_journal_without_compression_can_be_undone() {
    let space = Space::new();
    let old = space.text("main.rs");
    space.apply("e1", vec![space.modify("main.rs", "fn main() {}")]).unwrap();
    let journal = space.state.join("journal/e1");
    fs::remove_file(journal.join("bytes.zst")).unwrap();
    fs::write(journal.join("bytes"), format!("{old}fn main() {{}}")).unwrap();
    undo(&space.root, &space.state, "e1", "u1", &[]).unwrap();
    assert_eq!(space.text("main.rs"), old);
}

#[test]
fn a_path_through_a_link_writes_the_file_itself() {
    let space = Space::new();
    symlink("deep", space.at("src/same")).unwrap();
    let change = FileChange { path: "src/same/c.rs".into(), ..space.modify("src/deep/c.rs", "x") };
    let done = space.apply("e1", vec![change]).unwrap();
    assert_eq!(done.files[0].path, "src/deep/c.rs");
    assert_eq!(space.text("src/deep/c.rs"), "x");
    let twice = vec![
        FileChange { path: "src/same/c.rs".into(), ..space.modify("src/deep/c.rs", "y") },
        space.modify("src/deep/c.rs", "z"),
    ];
    assert!(matches!(space.apply("e2", twice), Err(FilesError::BadTransaction { .. })));
}
