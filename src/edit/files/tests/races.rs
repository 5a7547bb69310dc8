//! Other programs that change files and folders in the middle of a transaction.

use std::os::unix::fs::symlink;

use super::*;

type Way = (&'static str, fn(&Path));

/// Ways in which another program may change `src/a.rs`.
const WAYS: &[Way] = &[
    ("written in place", |root| fs::write(root.join("src/a.rs"), "theirs").unwrap()),
    ("replaced", |root| {
        fs::write(root.join("src/tmp"), "theirs").unwrap();
        fs::rename(root.join("src/tmp"), root.join("src/a.rs")).unwrap();
    }),
    ("deleted", |root| fs::remove_file(root.join("src/a.rs")).unwrap()),
    ("made a link", |root| {
        fs::remove_file(root.join("src/a.rs")).unwrap();
        symlink("../../outside/a.rs", root.join("src/a.rs")).unwrap();
    }),
    ("made a folder", |root| {
        fs::remove_file(root.join("src/a.rs")).unwrap();
        fs::create_dir(root.join("src/a.rs")).unwrap();
    }),
];

fn outside(space: &Space) -> PathBuf {
    let outside = space.root.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.rs"), "fn a() {}\n").unwrap();
    outside
}

#[test]
fn a_change_before_the_exchange_is_seen_and_kept() {
    for (kind, delete) in [("modify", false), ("delete", true)] {
        for (way, act) in WAYS {
            for point in ["after-prepare", "before-step", "at-step"] {
                let space = Space::new();
                let outside = outside(&space);
                let root = space.root.clone();
                let change =
                    if delete { space.delete("src/a.rs") } else { space.modify("src/a.rs", "new") };
                // The expected picture: theirs, and nothing of ours.
                let theirs = {
                    let twin = Space::new();
                    act(&twin.root);
                    twin.picture()
                };
                let nth = if point == "after-prepare" { 1 } else { 2 };
                let hooked = at_point(point, nth, move || {
                    act(&root);
                    Ok(())
                });
                let changes = vec![space.modify("main.rs", "x"), change, space.delete("script.rs")];
                let result = space.apply("e1", changes);
                drop(hooked);
                let case = format!("{kind}, {way} at {point}");
                let error = result.expect_err(&case);
                let fine = matches!(error, FilesError::Changed { .. } | FilesError::Refused { .. });
                assert!(fine, "{case}: {error:?}");
                assert_eq!(space.picture(), theirs, "{case}");
                assert_eq!(fs::read(outside.join("a.rs")).unwrap(), b"fn a() {}\n");
                assert_eq!(space.journals(), Vec::<String>::new(), "{case}");
            }
        }
    }
}

#[test]
fn a_file_that_appears_is_not_overwritten() {
    for exchange in [true, false] {
        let space = Space::new();
        let path = space.at("src/n.rs");
        let hooked = at_point("at-step", 2, move || fs::write(&path, "theirs"));
        if !exchange {
            fault::force("no-exchange");
        }
        let changes = vec![space.modify("main.rs", "x"), space.create("src/n.rs", "ours")];
        let error = space.apply("e1", changes).unwrap_err();
        drop(hooked);
        assert!(matches!(error, FilesError::Changed { expected: None, .. }), "{error:?}");
        assert_eq!(space.text("src/n.rs"), "theirs");
        assert_eq!(space.text("main.rs"), "fn main() {}\n");
        space.assert_tidy();
    }
}

#[test]
fn a_late_writer_with_an_open_file_is_seen_until_the_commit() {
    use std::io::Write;
    let space = Space::new();
    let mut handle = fs::OpenOptions::new().append(true).open(space.at("src/a.rs")).unwrap();
    let error = space
        .apply_then("e1", space.mixed(), || {
            handle.write_all(b"// late\n").unwrap();
            Ok(())
        })
        .unwrap_err();
    assert!(matches!(error, FilesError::Changed { .. }), "{error:?}");
    assert_eq!(space.text("src/a.rs"), "fn a() {}\n// late\n");
    assert_eq!(space.text("main.rs"), "fn main() {}\n");
    assert!(space.at("script.rs").exists());
    space.assert_tidy();
}

#[test]
fn edits_on_top_of_the_new_text_survive_a_rollback() {
    for (way, act) in WAYS {
        let space = Space::new();
        outside(&space);
        let root = space.root.clone();
        let mut expected = {
            let twin = Space::new();
            act(&twin.root);
            twin.picture()
        };
        let error = space
            .apply_then("e1", space.mixed(), || {
                act(&root);
                Err(FilesError::after_write("no"))
            })
            .unwrap_err();
        let FilesError::Conflict { files, kept, .. } = &error else { panic!("{way}: {error:?}") };
        assert_eq!(files, &["src/a.rs"], "{way}");
        assert_eq!(fs::read(kept.join("0.old")).unwrap(), b"fn a() {}\n");
        assert_eq!(fs::read(kept.join("0.new")).unwrap(), b"fn a() { 1 }\n");
        let found = space.picture();
        expected.retain(|path, _| found.contains_key(path) || path != "src/a.rs");
        assert_eq!(found, expected, "{way}");
        assert_eq!(space.recover().unwrap(), []);
        // The id can be used again, and a second conflict does not replace the first.
        assert_eq!(space.journals(), ["e1.conflict"]);
    }
}

#[test]
fn later_edits_do_not_affect_a_committed_one() {
    let space = Space::new();
    let path = space.at("src/a.rs");
    space
        .apply_then("e1", space.mixed(), || {
            fs::write(&path, "on top").unwrap();
            Ok(())
        })
        .unwrap();
    assert_eq!(space.text("src/a.rs"), "on top");
    assert!(matches!(space.undo("e1", "u1"), Err(FilesError::Changed { .. })));
    assert_eq!(space.text("src/a.rs"), "on top");
}

#[test]
fn a_folder_replaced_by_a_link_is_not_followed() {
    for point in
        ["after-prepare", "after-stage", "before-step", "at-step", "mid-step", "after-steps"]
    {
        let space = Space::new();
        let outside = outside(&space);
        let (root, target) = (space.root.clone(), outside.clone());
        let _hooked = at_point(point, 1, move || {
            fs::rename(root.join("src"), root.join("moved")).unwrap();
            symlink(&target, root.join("src")).unwrap();
            Ok(())
        });
        let changes = vec![space.modify("src/a.rs", "ours"), space.modify("main.rs", "ours")];
        let result = space.apply("e1", changes);
        fault::clear();
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1, "{point}");
        assert_eq!(fs::read(outside.join("a.rs")).unwrap(), b"fn a() {}\n", "{point}");
        // After the last check, the file is written to where the folder was moved: inside the root.
        let (a, main) = if point == "after-steps" {
            result.unwrap();
            ("ours", "ours")
        } else {
            let error = result.unwrap_err();
            assert!(matches!(error, FilesError::Refused { .. }), "{point}: {error:?}");
            ("fn a() {}\n", "fn main() {}\n")
        };
        assert_eq!(space.text("moved/a.rs"), a, "{point}");
        assert_eq!(space.text("main.rs"), main, "{point}");
        space.assert_tidy();
    }
}
