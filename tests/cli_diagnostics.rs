//! `ASOF_LOG` through the binary: what it logs, on standard error only, and that nothing is logged
//! without it.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;
use std::path::Path;
use std::process::Output;

use asof::EngineError;
use asof_edit::EditError;
use asof_model::ErrorKind;
use cli::{asof, code, command, err, out};
use tempfile::TempDir;

const SOURCE: &str = "pub struct S;\nimpl S {\n    pub fn m(&self) {}\n}\npub fn f(s: &S) {\n    s.m();\n    gone();\n}\n";

fn folder() -> TempDir {
    let dir = tempdir();
    fs::write(dir.path().join("a.rs"), SOURCE).unwrap();
    dir
}

fn logging(dir: &Path, wanted: &str, args: &[&str]) -> Output {
    command(dir, args).env("ASOF_LOG", wanted).output().unwrap()
}

#[test]
fn the_phases_of_a_refresh_are_spans_with_their_times() {
    let dir = folder();
    let found = logging(dir.path(), "asof_index=debug", &["index"]);
    let said = err(&found);
    assert_eq!(code(&found), 0, "{said}");
    for span in ["walk", "parse{files=1}", "wide", "write"] {
        let line = said.lines().find(|line| line.contains(&format!("}}:{span}: asof_index::")));
        let line = line.unwrap_or_else(|| panic!("no {span}: {said}"));
        assert!(line.contains("DEBUG refresh{root="), "{line}");
        assert!(line.contains("close time.busy="), "{line}");
    }
    // The rest is of layers that were not asked about.
    let mut logged = said.lines().filter(|line| !line.starts_with("next: "));
    assert!(logged.all(|line| line.contains(" asof_index::")), "{said}");
    assert!(out(&found).starts_with("revision "), "{}", out(&found));
}

#[test]
fn transactions_programs_and_questions_have_names() {
    let dir = folder();
    let found = logging(dir.path(), "asof_store=debug", &["index"]);
    assert!(err(&found).contains("transaction{rows="), "{}", err(&found));
    let found = logging(dir.path(), "asof_surface=debug,asof_query=debug", &["refs", "a::S::m"]);
    let said = err(&found);
    assert!(said.contains("question{endpoint=\"/api/refs\"}"), "{said}");
    assert!(
        said.contains("program{name=\"resolve/by_path\" rows=1}: asof_query::library"),
        "{said}"
    );
}

#[test]
fn a_trace_says_why_a_name_resolved() {
    let dir = folder();
    let found = logging(dir.path(), "asof_resolve=trace", &["index"]);
    let said = err(&found);
    assert_eq!(code(&found), 0, "{said}");
    let line = |at: &str, target: &str| {
        let (at, target) = (format!("at=\"{at}\""), format!("target=\"{target}\""));
        let line = said.lines().find(|line| line.contains(&at) && line.contains(&target));
        line.unwrap_or_else(|| panic!("no {at} {target}: {said}"))
    };
    let method = line("6:7", "a::S::m");
    assert!(
        method.contains("file{path=\"a.rs\"}: asof_resolve::refs::trace: resolved"),
        "{method}"
    );
    assert!(method.contains("kind=\"method_call\""), "{method}");
    assert!(method.contains("rule=\"member\" confidence=100"), "{method}");
    assert!(method.contains("within=\"a::f\""), "{method}");
    assert!(line("7:5", "?gone").contains("rule=\"unresolved\""), "{said}");
}

#[test]
fn nothing_is_logged_unless_it_is_asked_for() {
    let dir = folder();
    let found = asof(dir.path(), &["index"]);
    let said = err(&found);
    assert_eq!(code(&found), 0, "{said}");
    assert!(said.lines().all(|line| line.starts_with("next: ")), "{said}");
    let plain = err(&asof(dir.path(), &["refs", "a::S::m"]));
    for wanted in ["", "off", "asof_index=error"] {
        let found = logging(dir.path(), wanted, &["refs", "a::S::m"]);
        assert_eq!((code(&found), err(&found)), (0, plain.clone()), "{wanted}");
    }
}

#[test]
fn a_level_that_is_none_is_a_usage_error_that_names_it() {
    let dir = folder();
    let found = logging(dir.path(), "asof_index=loud", &["index"]);
    let said = err(&found);
    assert_eq!(code(&found), 2, "{said}");
    assert!(said.contains("`ASOF_LOG` must say what to log, got `asof_index=loud`"), "{said}");
    assert!(said.contains("asof_resolve=trace,asof_store=debug"), "{said}");
    assert!(!dir.path().join(".asof").exists());
}

#[test]
fn a_fault_of_the_program_is_a_failure_and_not_a_bad_request() {
    let place = std::panic::Location::caller();
    let error = EngineError::from(EditError::Internal { place, what: "a rename has a target" });
    assert_eq!(error.kind(), ErrorKind::Failure);
    let said = format!("internal error at {place}: a rename has a target");
    assert_eq!(error.to_string(), said);
    assert!(format!("{:?}", error.hint()).contains("report it"), "{:?}", error.hint());
}
