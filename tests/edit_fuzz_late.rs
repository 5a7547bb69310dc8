//! The oracle on one race, step by step: a path means two items of the text that the request was
//! made for, and the other process removes one of them before the edit is planned.

use std::rc::Rc;

use asof::{Database, EditOptions};
use asof_edit::{CanonicalEdit, Edit, EditRequest, Part};
use asof_index::{Options, Silent};

use crate::support::Copy;
use crate::support::fuzz::items::{Item, Parsed};
use crate::support::fuzz::oracle::{self, Changed};
use crate::support::fuzz::requests::{Case, Expect, Seen};

const MANIFEST: &str = "[package]\nname = \"p\"\nedition = \"2021\"\n";
const FIRST: &str = "    fn kind() { 1; }\n";
const SECOND: &str = "    fn kind() { 2; }\n";

fn twins() -> String {
    let impls = [("u8", FIRST), ("char", SECOND)];
    let impls = impls.map(|(of, method)| format!("impl Pair<{of}> {{\n{method}}}\n"));
    format!("struct Pair<A>(A);\n{}", impls.concat())
}

/// What the oracle says of an edit of the second `kind` by its path, planned after the other
/// process has removed `lost`.
fn check_loss(lost: &str, known: bool, guarded: Option<bool>) -> Result<(), String> {
    let mut copy = Copy::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &twins())]);
    let database = Database::create_or_open(&copy.root).unwrap();
    database.refresh(&Options::default(), &Silent).unwrap();
    copy.write("src/lib.rs", twins().replace(lost, ""));
    let before = copy.text("src/lib.rs");
    let (path, code) = ("src/lib.rs".to_owned(), "{ 3; }".to_owned());
    let edit = Edit::Canonical(CanonicalEdit {
        file_path: Some(path.clone()),
        path: "p::Pair::kind".to_owned(),
        kind: None,
        has: None,
        find: None,
        all: false,
        part: Part::Body,
        code: code.clone(),
        expected_tracking_hash: None,
    });
    let request = EditRequest { edits: vec![edit] };
    let summary = database.edit(&request, &EditOptions::default()).unwrap();
    let after = copy.text("src/lib.rs");
    let parsed = Parsed::parse(twins().as_bytes()).unwrap();
    let both: Vec<&Item> = parsed.items.iter().filter(|item| item.name == "kind").collect();
    let (key, other, range) = (both[1].key.clone(), both[0].key.clone(), both[1].range.clone());
    let expect = Expect::Item { part: Part::Body, key, code, flush: true };
    let (bad, with_file, twin) = (false, true, vec![other]);
    let case = Case { path, range, expect, bad, guarded, with_file, twins: twin };
    let planned = Seen { bytes: twins().into_bytes().into(), parsed: Some(Rc::new(parsed)) };
    let (path, before, after) = ("src/lib.rs", before.as_bytes(), after.as_bytes());
    let file = Changed { path, before, after, planned: &planned, known };
    oracle::judge(&file, &[(&case, &summary.edits[0])])
}

#[test]
fn a_path_means_what_is_left_when_the_plan_is_made() {
    assert_eq!(check_loss(FIRST, false, None), Ok(()));
    assert_eq!(check_loss(SECOND, false, None), Ok(()));
}

#[test]
fn a_plan_for_two_items_or_against_the_tracking_hash_is_a_fault() {
    let fault = |result: Result<(), String>, part: &str| {
        let told = result.unwrap_err();
        assert!(told.contains(part), "{told}");
    };
    fault(check_loss(FIRST, true, None), "its path means");
    fault(check_loss(SECOND, true, None), "its path means");
    fault(check_loss(SECOND, false, Some(true)), "tracking hash");
    assert_eq!(check_loss(FIRST, false, Some(true)), Ok(()));
}
