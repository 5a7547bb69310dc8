//! Splices of one text.

use super::super::splice::{Splice, compose};
use super::{apply, part, refused, splice, whole};
use crate::edit::Part;

fn composed(text: &str, ranges: &[(u32, u32, &str)]) -> String {
    let splices = ranges.iter().enumerate().map(|(edit, (start, end, text))| Splice {
        start: *start,
        end: *end,
        text: (*text).to_owned(),
        edit,
    });
    match compose("a.rs", text, &mut splices.collect::<Vec<_>>()) {
        Ok((text, places)) => format!("{text} {places:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn splices_are_applied_in_one_pass() {
    assert_eq!(composed("abc", &[(2, 3, "C"), (0, 1, "")]), "bC [(0, 0), (1, 2)]");
    assert_eq!(
        composed("abc", &[(1, 1, "x"), (1, 1, "y"), (1, 2, "B")]),
        "axyBc [(1, 2), (2, 3), (3, 4)]"
    );
    assert_eq!(composed("", &[(0, 0, "x")]), "x [(0, 1)]");
}

#[test]
fn overlaps_are_refused() {
    insta::assert_snapshot!(composed("abcdef", &[(2, 4, ""), (0, 3, "")]), @"");
    insta::assert_snapshot!(composed("abcdef", &[(2, 4, "x"), (2, 4, "x")]), @"");
    insta::assert_snapshot!(composed("abcdef", &[(0, 6, ""), (3, 3, "x")]), @"");
    let text = "impl S {\n    fn it() {}\n}\n";
    let edits = [("it", whole("fn it() { 1 }")), ("it", part(Part::Body, "{ 2 }"))];
    insta::assert_snapshot!(apply(text, &edits).unwrap_err(), @"");
}

#[test]
fn ranges_that_the_text_does_not_have_are_refused() {
    insta::assert_snapshot!(composed("aé", &[(0, 2, "")]), @"");
    insta::assert_snapshot!(composed("aé", &[(0, 4, "")]), @"");
    insta::assert_snapshot!(composed("aé", &[(3, 1, "")]), @"");
    insta::assert_snapshot!(composed("aé", &[(u32::MAX, u32::MAX, "")]), @"");
    insta::assert_snapshot!(refused("// é\n", "", splice(4, 4, "")), @"");
}
