//! Splices of one text.

use super::super::splice::{Splice, compose};
use super::{apply, part, refused, splice, whole};
use crate::{EditError, Part};

fn composed(text: &str, ranges: &[(u32, u32, &str)]) -> String {
    let splices = ranges.iter().enumerate().map(|(edit, (start, end, text))| Splice {
        start: *start,
        end: *end,
        text: (*text).to_owned(),
        edit,
    });
    match compose("a.rs", text, &mut splices.collect::<Vec<_>>()) {
        Ok((text, places)) => {
            let places: Vec<(u32, u32)> =
                places.iter().map(|place| (place.start, place.end)).collect();
            format!("{text} {places:?}")
        }
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
    insta::assert_snapshot!(composed("abcdef", &[(2, 4, ""), (0, 3, "")]), @r"edits 0 and 1 of the request overlap in a.rs");
    insta::assert_snapshot!(composed("abcdef", &[(2, 4, "x"), (2, 4, "x")]), @r"edits 0 and 1 of the request overlap in a.rs");
    insta::assert_snapshot!(composed("abcdef", &[(0, 6, ""), (3, 3, "x")]), @r"edits 0 and 1 of the request overlap in a.rs");
    let text = "impl S {\n    fn it() {}\n}\n";
    let edits = [("it", whole("fn it() { 1 }")), ("it", part(Part::Body, "{ 2 }"))];
    insta::assert_snapshot!(apply(text, &edits).unwrap_err(), @r"edits 0 and 1 of the request overlap in src/lib.rs");
}

#[test]
fn ranges_that_the_text_does_not_have_are_refused() {
    insta::assert_snapshot!(composed("aé", &[(0, 2, "")]), @r"bytes 0..2 are not a valid range of a.rs: it splits a multi-byte character");
    insta::assert_snapshot!(composed("aé", &[(0, 4, "")]), @r"bytes 0..4 are not a valid range of a.rs: the file has 3 bytes");
    insta::assert_snapshot!(composed("aé", &[(3, 1, "")]), @r"bytes 3..1 are not a valid range of a.rs: it ends before it starts");
    insta::assert_snapshot!(composed("aé", &[(u32::MAX, u32::MAX, "")]), @r"bytes 4294967295..4294967295 are not a valid range of a.rs: the file has 3 bytes");
    insta::assert_snapshot!(refused("// é\n", "", splice(4, 4, "")), @r"
    bytes 4..4 are not a valid range of src/lib.rs: it splits a multi-byte character
    = TakeSpan
    ");
}

#[test]
#[should_panic(expected = "internal error: splices are in order")]
fn what_cannot_happen_ends_a_test() {
    let _ = EditError::internal("splices are in order");
}
