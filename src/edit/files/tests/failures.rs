//! Steps that fail: everything is as before, and the error says why.

use super::*;

#[test]
fn a_failure_at_any_point_takes_everything_back() {
    for exchange in [true, false] {
        let trace = {
            let space = Space::new();
            if !exchange {
                fault::force("no-exchange");
            }
            points(|| drop(space.apply("e1", space.mixed()).unwrap()))
        };
        assert!(trace.len() > 25, "{trace:?}");
        for point in &trace {
            let space = Space::new();
            let old = space.picture();
            let _hooked = at_point(&point.0, point.1, || Err(io::ErrorKind::StorageFull.into()));
            if !exchange {
                fault::force("no-exchange");
            }
            let result = space.apply("e1", space.mixed());
            fault::clear();
            if ["after-commit", "mid-tidy", "mid-step", "linked"].contains(&point.0.as_str())
                && result.is_ok()
            {
                continue;
            }
            if point.0 == "after-commit" || point.0 == "mid-tidy" {
                panic!("{point:?} is after the commit: {result:?}");
            }
            let error = result.unwrap_err();
            assert!(matches!(error, FilesError::Full { .. }), "{point:?}: {error:?}");
            assert_eq!(space.picture(), old, "{point:?}");
            assert_eq!(space.journals(), Vec::<String>::new(), "{point:?}");
            assert_eq!(space.recover().unwrap(), []);
            // The id can be used again.
            space.apply("e1", space.mixed()).unwrap();
        }
    }
}

#[test]
fn a_failed_check_takes_everything_back() {
    let space = Space::new();
    let old = space.picture();
    let root = space.root.clone();
    let error = space
        .apply_then("e1", space.mixed(), || {
            // The check sees the new files.
            assert_eq!(fs::read_to_string(root.join("src/a.rs")).unwrap(), "fn a() { 1 }\n");
            assert!(root.join("src/new/inner/script.rs").exists());
            Err(FilesError::after_write("cargo check failed"))
        })
        .unwrap_err();
    assert_eq!(error.to_string(), "cargo check failed");
    assert_eq!(space.picture(), old);
    assert_eq!(space.journals(), Vec::<String>::new());
}

#[test]
fn a_rollback_that_fails_is_done_by_the_next_start() {
    let space = Space::new();
    let old = space.picture();
    let mut backs = 0;
    fault::hook(move |name| {
        backs += usize::from(name == "mid-back");
        if name == "after-steps" || backs == 2 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    });
    let error = space.apply("e1", space.mixed()).unwrap_err();
    fault::clear();
    assert!(matches!(error, FilesError::Unfinished { .. }), "{error:?}");
    assert_eq!(space.journals(), ["e1.open"]);
    let recovered = space.recover().unwrap();
    assert_eq!(recovered[0].outcome, Outcome::RolledBack);
    assert_eq!(space.picture(), old);
}

#[test]
fn a_folder_that_others_use_stays() {
    let space = Space::new();
    let (root, state) = (space.root.clone(), space.state.clone());
    space
        .apply_then("e1", space.mixed(), || {
            fs::write(root.join("src/new/theirs.rs"), "").unwrap();
            assert!(unfinished(&state).unwrap());
            Err(FilesError::after_write("no"))
        })
        .unwrap_err();
    assert!(space.at("src/new/theirs.rs").exists() && !space.at("src/new/inner").exists());
}
