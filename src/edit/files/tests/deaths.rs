//! The process is killed at every point; then recovery is killed at every point too.

use super::*;

/// Whether all files are old, or all are new.
fn settled(space: &Space, old: &Picture, new: &Picture, case: &str) -> bool {
    let found = space.picture();
    assert!(found == *old || found == *new, "{case}: between old and new: {found:#?}");
    let unfinished = space.journals().into_iter().any(|name| name.contains('.'));
    assert!(!unfinished, "{case}: {:?}", space.journals());
    assert_eq!(space.recover().unwrap(), [], "{case}");
    found == *new
}

fn kill_everywhere(prepare: fn(&Space), job: fn(&Space) -> Result<Done, FilesError>) {
    for mode in ["exchange", "no-exchange", "own-systems"] {
        let force = || fault::force(mode);
        let space = Space::new();
        prepare(&space);
        let old = space.picture();
        force();
        let trace = points(|| drop(job(&space).unwrap()));
        let new = space.picture();
        assert_ne!(old, new);
        let commit = trace.iter().position(|(name, _)| name == "after-commit").unwrap();
        let (mut deaths, mut deaths_in_recovery) = (0, 0);
        for (at, point) in trace.iter().enumerate() {
            let case = format!("{mode}, died at {point:?}");
            let dead = || {
                let space = Space::new();
                prepare(&space);
                force();
                assert!(dies(&point.0, point.1, || job(&space)), "{case}");
                // Git would take what is beside a file for one of the user's.
                if mode != "own-systems" {
                    space.assert_tidy();
                }
                space
            };
            let space = dead();
            force();
            let recovery = points(|| drop(space.recover().unwrap()));
            deaths += 1;
            assert_eq!(settled(&space, &old, &new, &case), at >= commit, "{case}");
            for second in &recovery {
                let case = format!("{case}, then in recovery at {second:?}");
                let space = dead();
                force();
                assert!(dies(&second.0, second.1, || space.recover()), "{case}");
                force();
                space.recover().unwrap();
                fault::clear();
                deaths_in_recovery += 1;
                assert_eq!(settled(&space, &old, &new, &case), at >= commit, "{case}");
            }
        }
        println!("{mode}: {deaths} deaths, {deaths_in_recovery} more in recovery");
        assert!(deaths > 25 && deaths_in_recovery > 150);
    }
}

#[test]
fn dying_while_applying() {
    kill_everywhere(|_| {}, |space| space.apply("e1", space.mixed()));
}

#[test]
fn dying_while_undoing() {
    kill_everywhere(
        |space| drop(space.apply("e1", space.mixed()).unwrap()),
        |space| space.undo("e1", "u1"),
    );
}

/// Another program edits a file between a crash and the recovery: its text is never lost, and the
/// other files are all old.
#[test]
fn dying_and_being_edited_before_the_recovery() {
    let space = Space::new();
    let old = space.picture();
    let trace = points(|| drop(space.apply("e1", space.mixed()).unwrap()));
    let new = space.picture();
    let commit = trace.iter().position(|(name, _)| name == "after-commit").unwrap();
    let mut conflicts = 0;
    for (at, point) in trace.iter().enumerate() {
        for file in ["src/a.rs", "src/b.rs", "src/deep/c.rs", "script.rs", "main.rs"] {
            let case = format!("died at {point:?}, {file} edited");
            let space = Space::new();
            assert!(dies(&point.0, point.1, || space.apply("e1", space.mixed())), "{case}");
            fs::write(space.at(file), "theirs").unwrap();
            let recovered = space.recover().unwrap();
            conflicts += recovered
                .iter()
                .filter(|it| matches!(it.outcome, Outcome::Conflict { .. }))
                .count();
            assert_eq!(space.text(file), "theirs", "{case}");
            let mut found = space.picture();
            let mut expected = if at >= commit { new.clone() } else { old.clone() };
            found.remove(file);
            expected.remove(file);
            assert_eq!(found, expected, "{case}");
            assert_eq!(space.recover().unwrap(), [], "{case}");
        }
    }
    assert!(conflicts > 20, "{conflicts}");
}
