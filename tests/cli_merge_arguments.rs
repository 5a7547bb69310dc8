//! Parameters that one side of a merge adds, and new calls of the other side.

use std::fs;

use crate::cli_merge::{adapted, forked, predicted, semantic};
use crate::support::cli::{asof, code, err, text};

/// A case: our side adds calls in `b`, theirs changes `a` and its callers in `c`.
struct Case {
    old: &'static str,
    new: &'static str,
    /// The callers of theirs, before and after.
    callers: [&'static str; 2],
    added: &'static str,
    adapted: &'static [&'static str],
    /// What is listed.
    semantic: &'static [&'static str],
}

#[track_caller]
fn check(case: &Case) {
    let lib = "pub mod a;\npub mod b;\npub mod c;\n";
    let [before, after] = case.callers;
    let base =
        [("src/lib.rs", lib), ("src/a.rs", case.old), ("src/c.rs", before), ("src/b.rs", "")];
    let theirs = [("src/a.rs", case.new), ("src/c.rs", after)];
    let repo = forked(&base, &[("src/b.rs", case.added)], &theirs);
    let found = predicted(&repo);
    assert_eq!(adapted(&found), case.adapted, "{found}");
    assert_eq!(semantic(&found), case.semantic, "{found}");
}

const OLD: &str = "pub fn f(a: u8) {}\n";
const NEW: &str = "pub fn f(a: u8, b: u8) {}\npub const ONE: u8 = 1;\n";

#[test]
fn a_literal_of_all_callers_is_given() {
    check(&Case {
        old: OLD,
        new: NEW,
        callers: [
            "pub fn g() {\n    crate::a::f(1);\n}\n",
            "pub fn g() {\n    crate::a::f(1, 0);\n}\n",
        ],
        added: "use crate::a::f;\npub fn h() {\n    f(f2(2));\n}\nfn f2(n: u8) -> u8 {\n    f(n);\n    assert!(f(\n        n,\n    ) == ());\n    n\n}\n",
        adapted: &[
            "src/b.rs:3 ours: f(f2(2)) -> f(f2(2), 0)",
            "src/b.rs:6 ours: f(n) -> f(n, 0)",
            "src/b.rs:7 ours: f(\n        n,\n    ) -> f(\n        n,\n        0,\n    )",
        ],
        semantic: &[],
    });
}

#[test]
fn arguments_are_put_where_the_parameters_are() {
    check(&Case {
        old: "pub struct S;\nimpl S {\n    pub fn m(&self, a: u8) {}\n}\npub fn k() {}\n",
        new: "pub struct S;\nimpl S {\n    pub fn m(&self, on: bool, a: u8, name: Option<u8>) {}\n}\npub fn k(n: i8) {}\n",
        callers: [
            "pub fn g(s: &crate::a::S) {\n    s.m(1);\n    crate::a::k();\n}\n",
            "pub fn g(s: &crate::a::S) {\n    s.m(true, 1, None);\n    crate::a::k(-1);\n}\n",
        ],
        added: "use crate::a::{S, k};\npub fn h(s: &S) {\n    s.m(7);\n    S::m(s, 8);\n    k()\n}\n",
        adapted: &[
            "src/b.rs:3 ours: s.m(7) -> s.m(true, 7, None)",
            "src/b.rs:4 ours: S::m(s, 8) -> S::m(s, true, 8, None)",
            "src/b.rs:5 ours: k() -> k(-1)",
        ],
        semantic: &[],
    });
}

#[test]
fn a_name_is_given_where_it_means_the_same() {
    let callers = [
        "pub fn g() {\n    crate::a::f(1);\n}\n",
        "pub fn g() {\n    crate::a::f(1, crate::a::ONE);\n}\n",
    ];
    check(&Case {
        old: OLD,
        new: NEW,
        callers,
        added: "pub fn h() {\n    crate::a::f(2);\n}\n",
        adapted: &["src/b.rs:2 ours: crate::a::f(2) -> crate::a::f(2, crate::a::ONE)"],
        semantic: &[],
    });
}

#[test]
fn a_name_that_means_something_else_is_a_conflict_with_both_meanings() {
    let callers = [
        "pub fn g() {\n    crate::a::f(1);\n}\n",
        "use crate::a::ONE;\npub fn g() {\n    crate::a::f(1, ONE);\n}\n",
    ];
    check(&Case {
        old: OLD,
        new: NEW,
        callers,
        added: "const ONE: u8 = 2;\npub fn h() {\n    crate::a::f(ONE);\n}\n",
        adapted: &[],
        semantic: &[
            "src/b.rs:3 arguments ours: demo::a::f | 1 | 2 in the place of 1: `ONE` means `demo::a::ONE` there, and `demo::b::ONE` here",
        ],
    });
    check(&Case {
        old: OLD,
        new: NEW,
        callers,
        added: "pub fn h(ONE: u8) {\n    crate::a::f(2);\n}\n",
        adapted: &[],
        semantic: &[
            "src/b.rs:2 arguments ours: demo::a::f | 1 | 2 in the place of 1: `ONE` means `demo::a::ONE` there, and nothing here",
        ],
    });
}

#[test]
fn what_depends_on_its_place_is_not_given() {
    let before =
        "pub fn g(n: u8) {\n    crate::a::f(1);\n}\npub fn k() {\n    crate::a::f(2);\n}\n";
    let listed = |callers: &'static str, is: &str| {
        let semantic: &'static str =
            format!("src/b.rs:2 arguments ours: demo::a::f | 1 | 2 in the place of 1: {is}").leak();
        check(&Case {
            old: OLD,
            new: NEW,
            callers: [before, callers],
            added: "pub fn h(n: u8) {\n    crate::a::f(2);\n}\n",
            adapted: &[],
            semantic: vec![semantic].leak(),
        });
    };
    listed(
        "pub fn g(n: u8) {\n    crate::a::f(1, n);\n}\npub fn k() {\n}\n",
        "`n` there depends on its place",
    );
    listed(
        "pub fn g(n: u8) {\n    crate::a::f(1, 0);\n}\npub fn k() {\n    crate::a::f(2, 1);\n}\n",
        "the calls there pass `0` and `1`",
    );
    listed(
        "pub fn g(n: u8) {\n    crate::a::f(1, line!() as u8);\n}\npub fn k() {\n}\n",
        "`line!() as u8` there depends on its place",
    );
}

/// The parameters that were there have other places, too.
#[test]
fn reordered_parameters_are_not_guessed() {
    check(&Case {
        old: "pub fn f(a: u8, b: u8) {}\n",
        new: "pub fn f(b: u8, a: u8, c: u8) {}\n",
        callers: [
            "pub fn g() {\n    crate::a::f(1, 2);\n}\n",
            "pub fn g() {\n    crate::a::f(2, 1, 0);\n}\n",
        ],
        added: "pub fn h() {\n    crate::a::f(3, 4);\n}\n",
        adapted: &[],
        semantic: &["src/b.rs:2 arguments ours: demo::a::f | 2 | 3 in the place of 2"],
    });
}

#[test]
fn arguments_are_written_when_a_merge_is_finished() {
    let lib = "pub mod a;\npub mod b;\n";
    let a = "pub fn f(a: u8) {}\npub fn g() {\n    f(1)\n}\n";
    let repo = forked(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", "")],
        &[("src/b.rs", "pub fn h() {\n    crate::a::f(2);\n}\n")],
        &[("src/a.rs", "pub fn f(a: u8, b: bool) {}\npub fn g() {\n    f(1, false)\n}\n")],
    );
    repo.write(".gitignore", ".asof\n");
    repo.git(&["merge", "-q", "--no-edit", "topic"]);
    text(&repo.root, &["index"]);
    let done = asof(&repo.root, &["merge", "--finish"]);
    assert_eq!(code(&done), 0, "{}", err(&done));
    let b = fs::read_to_string(repo.root.join("src/b.rs")).unwrap();
    assert_eq!(b, "pub fn h() {\n    crate::a::f(2, false);\n}\n");
}
