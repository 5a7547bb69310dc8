//! Damaged journals, and what recovery reports.

use super::*;

fn died(point: &str) -> Space {
    let space = Space::new();
    assert!(dies(point, 1, || space.apply("e1", space.mixed())));
    space
}

#[test]
fn recovered_files_are_reported() {
    let space = died("mid-prepare");
    assert_eq!(space.recover().unwrap()[0].outcome, Outcome::Discarded);
    let space = died("after-steps");
    let recovered = space.recover().unwrap();
    assert_eq!((recovered[0].id.as_str(), &recovered[0].outcome), ("e1", &Outcome::RolledBack));
    assert_eq!(recovered[0].files.len(), 6);
    assert!(recovered[0].files.iter().all(|file| file.fate == FileFate::Old));
    let space = died("after-commit");
    assert_eq!(space.recover().unwrap()[0].outcome, Outcome::Completed);
    // The next edit recovers by itself.
    let space = died("after-steps");
    let done = space.apply("e2", vec![space.create("n.rs", "")]).unwrap();
    assert_eq!(done.recovered[0].outcome, Outcome::RolledBack);
    assert_eq!(space.text("src/a.rs"), "fn a() {}\n");
}

#[test]
fn no_damage_to_a_journal_harms_a_source_file() {
    for name in ["manifest", "bytes.zst"] {
        for damage in 0..40u8 {
            let space = died("after-steps");
            let path = space.state.join("journal/e1.open").join(name);
            let mut bytes = fs::read(&path).unwrap();
            let at = bytes.len() * usize::from(damage) / 40;
            match damage % 4 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 0x10,
                2 => drop(bytes.splice(at..at, *b"garbage")),
                _ => bytes.clear(),
            }
            fs::write(&path, &bytes).unwrap();
            let before = space.picture();
            let recovered = space.recover().unwrap();
            let Outcome::Damaged { kept, reason } = &recovered[0].outcome else {
                panic!("{name}, damage {damage}: {recovered:?}");
            };
            assert!(!reason.is_empty() && kept.ends_with("e1.damaged"), "{reason}");
            assert_eq!(space.picture(), before);
            assert_eq!(space.recover().unwrap(), []);
        }
    }
}

#[test]
fn strange_things_in_the_journal_are_left_alone() {
    let space = Space::new();
    let journal = space.state.join("journal");
    fs::create_dir_all(journal.join("empty.open")).unwrap();
    fs::create_dir_all(journal.join("some thing")).unwrap();
    fs::write(journal.join("note.txt"), "").unwrap();
    fs::create_dir_all(journal.join("half.new/bytes.zst")).unwrap();
    fs::create_dir_all(journal.join("half.gone")).unwrap();
    let recovered = space.recover().unwrap();
    assert_eq!(recovered.len(), 2);
    assert!(matches!(recovered[0].outcome, Outcome::Damaged { .. }));
    assert_eq!(recovered[1].outcome, Outcome::Discarded);
    assert_eq!(space.journals(), ["empty.damaged", "note.txt", "some thing"]);

    let space = Space::new();
    std::os::unix::fs::symlink(space.at("src"), space.state.join("journal")).unwrap();
    let old = space.picture();
    assert!(matches!(space.recover(), Err(FilesError::NotOurs { .. })));
    assert!(space.apply("e1", space.mixed()).is_err());
    assert_eq!(space.picture(), old);
}

/// A repository can contain a journal: no name in it is followed to another place.
#[test]
fn links_in_a_journal_are_not_followed() {
    // In place of the journal of a transaction, and of what is in it.
    for name in ["e1.open", "e1.open/manifest", "e1.open/bytes.zst"] {
        let space = died("after-steps");
        let path = space.state.join("journal").join(name);
        let moved = space.root.parent().unwrap().join("moved");
        fs::rename(&path, &moved).unwrap();
        std::os::unix::fs::symlink(&moved, &path).unwrap();
        let before = space.picture();
        let recovered = space.recover().unwrap();
        let Outcome::Damaged { reason, .. } = &recovered[0].outcome else {
            panic!("{name}: {recovered:?}");
        };
        assert!(reason.contains("symbolic link"), "{name}: {reason}");
        assert_eq!(space.picture(), before, "{name}");
    }
    // Where the texts of a conflict are laid out.
    let space = died("after-steps");
    let outside = space.root.parent().unwrap().join("precious");
    fs::write(&outside, "precious").unwrap();
    for index in 0..4 {
        for suffix in ["old", "new"] {
            let link = space.state.join(format!("journal/e1.open/{index}.{suffix}"));
            std::os::unix::fs::symlink(&outside, link).unwrap();
        }
    }
    fs::write(space.at("src/a.rs"), "theirs").unwrap();
    let recovered = space.recover().unwrap();
    assert!(matches!(recovered[0].outcome, Outcome::Conflict { .. }), "{recovered:?}");
    assert_eq!(fs::read(&outside).unwrap(), b"precious");
}

/// A journal cannot be used to get around the rules for paths, whoever wrote it.
#[test]
fn a_forged_journal_reaches_nothing_outside() {
    for path in ["../outside.rs", "/etc/asof", ".git/config", "src/../../outside.rs", ""] {
        let space = Space::new();
        let outside = space.root.parent().unwrap().join("outside.rs");
        fs::write(&outside, "new").unwrap();
        fs::create_dir(space.at(".git")).unwrap();
        fs::write(space.at(".git/config"), "new").unwrap();
        let before = space.picture();
        let manifest = manifest::Manifest {
            id: "e1".into(),
            at: 0,
            folders: vec!["../made".into(), ".git".into()],
            emptied: vec![],
            files: vec![manifest::Entry {
                path: path.into(),
                before: Some(RawHash::hash(b"old")),
                after: Some(RawHash::hash(b"new")),
                rights: None,
                new_rights: None,
                temporary: "../../stolen".into(),
                stage: manifest::Stage::Beside,
                old: Some((0, 3)),
                new: Some((3, 3)),
                patch: None,
            }],
        };
        journal::Journal::open(&space.state).unwrap().prepare(&manifest, b"oldnew").unwrap();
        let _ = space.recover();
        assert_eq!(space.picture(), before, "{path}");
        assert_eq!(fs::read(&outside).unwrap(), b"new", "{path}");
    }
}
