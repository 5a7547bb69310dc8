//! `asof merge`: as Git's driver, and what a merge would be.

use crate::support;

use std::fs;
use std::process::Command;

use serde_json::Value;
use support::cli::{asof, code, err, out, text};
use support::repository::Repository;
use support::tempdir;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

/// Files by path.
pub(crate) type Files<'f> = &'f [(&'f str, &'f str)];

/// `main` and `topic` with different changes of one base.
pub(crate) fn forked(base: Files<'_>, ours: Files<'_>, theirs: Files<'_>) -> Repository {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    let write = |repo: &Repository, files: Files<'_>| {
        for (path, text) in files {
            repo.write(path, text);
        }
    };
    write(&repo, base);
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    write(&repo, theirs);
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    write(&repo, ours);
    repo.commit("ours");
    repo
}

/// The prediction of merging `topic` into `main`.
pub(crate) fn predicted(repo: &Repository) -> Value {
    let args = ["merge", "--predict", "topic", "--into", "main", "--format", "json"];
    let output = asof(&repo.root, &args);
    let found: Value =
        serde_json::from_str(&out(&output)).unwrap_or_else(|_| panic!("{}", err(&output)));
    let summary = &found["summary"];
    let is_clean = summary["conflicts"] == 0 && summary["semantic"] == 0;
    assert_eq!(code(&output), if is_clean { 0 } else { 8 }, "{found}");
    found
}

/// Conflicts of names, each in a line.
pub(crate) fn semantic(found: &Value) -> Vec<String> {
    let all = found["semantic"].as_array().unwrap().iter();
    all.map(|one| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        format!(
            "{}:{} {} {}: {} | {} | {}",
            text("file_path"),
            one["line"],
            text("kind"),
            text("side"),
            text("name"),
            text("was"),
            text("is")
        )
    })
    .collect()
}

/// Uses that follow a rename, each in a line.
pub(crate) fn adapted(found: &Value) -> Vec<String> {
    let all = found["adapted"].as_array().unwrap().iter();
    all.map(|one| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        let (file, side) = (text("file_path"), text("side"));
        format!("{file}:{} {side}: {} -> {}", one["line"], text("before"), text("after"))
    })
    .collect()
}

#[track_caller]
fn conflicts(base: Files<'_>, ours: Files<'_>, theirs: Files<'_>, expected: &[&str]) {
    let found = predicted(&forked(base, ours, theirs));
    assert_eq!(semantic(&found), expected, "{found}");
    assert_eq!(found["summary"]["conflicts"], 0, "{found}");
}

const LIB: &str = "mod a;\nmod b;\n";

#[test]
fn a_new_caller_of_what_the_other_side_renames_follows_it() {
    let repo = forked(
        &[("src/lib.rs", LIB), ("src/a.rs", "pub fn old() -> u8 {\n    1\n}\n"), ("src/b.rs", "")],
        &[("src/b.rs", "use crate::a::old;\npub fn caller() -> u8 {\n    old()\n}\n")],
        &[("src/a.rs", "pub fn new() -> u8 {\n    1\n}\n")],
    );
    let before = repo.git(&["count-objects"]);
    let found = predicted(&repo);
    assert_eq!(semantic(&found), [""; 0], "{found}");
    assert_eq!(adapted(&found), ["src/b.rs:1 ours: old -> new", "src/b.rs:3 ours: old -> new"]);
    // Nothing is written.
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(repo.git(&["count-objects"]), before);
}

#[test]
fn a_new_impl_follows_the_rename_of_a_method() {
    let found = predicted(&forked(
        &[
            ("src/lib.rs", LIB),
            ("src/a.rs", "pub trait T {\n    fn old(&self);\n}\n"),
            ("src/b.rs", "pub struct S;\n"),
        ],
        &[("src/b.rs", "pub struct S;\nimpl crate::a::T for S {\n    fn old(&self) {}\n}\n")],
        &[("src/a.rs", "pub trait T {\n    fn new(&self);\n}\n")],
    ));
    assert_eq!(semantic(&found), [""; 0], "{found}");
    assert_eq!(adapted(&found), ["src/b.rs:3 ours: old -> new"]);
}

#[test]
fn a_new_caller_of_what_the_other_side_moves_follows_it() {
    let found = predicted(&forked(
        &[
            ("src/lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("src/a.rs", "pub fn f() -> u8 {\n    17\n}\npub fn k() {}\n"),
            ("src/b.rs", ""),
            ("src/c.rs", ""),
        ],
        &[(
            "src/b.rs",
            "use crate::a::{f, k};\npub fn g() -> u8 {\n    k();\n    crate::a::f()\n}\n",
        )],
        &[("src/a.rs", "pub fn k() {}\n"), ("src/c.rs", "pub fn f() -> u8 {\n    17\n}\n")],
    ));
    assert_eq!(adapted(&found), ["src/b.rs:4 ours: crate::a::f -> crate::c::f"], "{found}");
    let is = "which is `demo::c::f` in the merge, and not found by this name here";
    assert_eq!(semantic(&found), [format!("src/b.rs:1 lost ours: f | demo::a::f | {is}")]);
}

#[test]
fn a_new_caller_of_what_the_other_side_removes() {
    conflicts(
        &[
            ("src/lib.rs", LIB),
            ("src/a.rs", "pub fn old() -> u8 {\n    1\n}\npub fn k() {}\n"),
            ("src/b.rs", ""),
        ],
        &[("src/b.rs", "pub fn caller() -> u8 {\n    crate::a::old()\n}\n")],
        &[("src/a.rs", "pub fn k() {}\n")],
        &["src/b.rs:2 lost ours: old | demo::a::old | which the other side removes"],
    );
}

#[test]
fn two_items_of_one_name() {
    let between = "pub fn a() {}\npub fn b() {}\npub fn c() {}\npub fn d() {}\n";
    conflicts(
        &[("src/lib.rs", between)],
        &[("src/lib.rs", &format!("pub struct X;\n{between}"))],
        &[("src/lib.rs", &format!("{between}pub enum X {{}}\n"))],
        &["src/lib.rs:6 duplicate theirs: demo::X | enum | struct (src/lib.rs:1)"],
    );
}

#[test]
fn an_override_that_overrides_no_more() {
    let with = "pub trait T {\n    fn m(&self) {}\n    fn k(&self) {}\n}\n";
    let without = "pub trait T {\n    fn k(&self) {}\n}\n";
    conflicts(
        &[("src/lib.rs", LIB), ("src/a.rs", with), ("src/b.rs", "pub struct S;\n")],
        &[("src/b.rs", "pub struct S;\nimpl crate::a::T for S {\n    fn m(&self) {}\n}\n")],
        &[("src/a.rs", without)],
        &["src/b.rs:3 override ours: <demo::b::S as T>::m | demo::a::T::m | nothing"],
    );
}

#[test]
fn a_match_that_lacks_a_new_variant() {
    let of = |variants: &str| format!("pub enum E {{\n{variants}}}\n");
    let (old, new) = (of("    A,\n    B,\n"), of("    A,\n    B,\n    C,\n"));
    let matching = "use crate::a::E;\npub fn f(e: E) -> u8 {\n    match e {\n        E::A => 1,\n        E::B => 2,\n    }\n}\npub fn g(e: E) -> u8 {\n    match e {\n        E::A => 1,\n        _ => 2,\n    }\n}\n";
    conflicts(
        &[("src/lib.rs", LIB), ("src/a.rs", &old), ("src/b.rs", "")],
        &[("src/b.rs", matching)],
        &[("src/a.rs", &new)],
        &["src/b.rs:3 exhaustiveness ours: match | all variants of `demo::a::E` | `C`"],
    );
}

#[test]
fn a_new_impl_lacks_a_newly_required_method() {
    let (old, new) = (
        "pub trait T {\n    fn a(&self);\n}\n",
        "pub trait T {\n    fn a(&self);\n    fn b(&self);\n    fn c(&self) {}\n}\n",
    );
    conflicts(
        &[("src/lib.rs", LIB), ("src/a.rs", old), ("src/b.rs", "pub struct S;\n")],
        &[("src/a.rs", new)],
        &[("src/b.rs", "pub struct S;\nimpl crate::a::T for S {\n    fn a(&self) {}\n}\n")],
        &["src/b.rs:2 required theirs: impl crate::a::T for S | demo::a::T | `b`"],
    );
}

#[test]
fn a_new_call_has_the_old_number_of_arguments() {
    conflicts(
        &[("src/lib.rs", LIB), ("src/a.rs", "pub fn f(a: u8) {}\n"), ("src/b.rs", "")],
        &[("src/b.rs", "pub fn g() {\n    crate::a::f(1);\n}\n")],
        &[("src/a.rs", "pub fn f(a: u8, b: u8) {}\n")],
        &["src/b.rs:2 arguments ours: demo::a::f | 1 | 2 in the place of 1"],
    );
}

#[test]
fn a_name_that_means_something_else() {
    conflicts(
        &[
            ("src/lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("src/a.rs", "pub fn f() {}\n"),
            ("src/c.rs", "pub fn f() {}\n"),
            ("src/b.rs", "use crate::a::f;\n\n\n\n\n\npub fn k() {}\n"),
        ],
        &[("src/b.rs", "use crate::a::f;\n\n\n\n\n\npub fn k() {}\npub fn g() {\n    f();\n}\n")],
        &[("src/b.rs", "use crate::c::f;\n\n\n\n\n\npub fn k() {}\n")],
        &["src/b.rs:9 meaning ours: f | demo::a::f | `demo::c::f`"],
    );
}

#[test]
fn changes_that_fit_together_are_no_conflict() {
    let found = predicted(&forked(
        &[
            ("src/lib.rs", LIB),
            ("src/a.rs", "pub fn f() {}\n"),
            ("src/b.rs", "use crate::a::f;\npub fn g() {\n    f()\n}\n"),
        ],
        &[("src/b.rs", "use crate::a::f;\npub fn g() {\n    f()\n}\npub fn h() {\n    g()\n}\n")],
        &[("src/a.rs", "pub fn f() {\n    g()\n}\npub fn g() {}\n")],
    ));
    let summary = &found["summary"];
    assert_eq!((&summary["one_sided"], &summary["semantic"]), (&2.into(), &0.into()), "{found}");
}

#[test]
fn conflicts_of_lines_are_listed_with_what_resolves_them() {
    let found = predicted(&forked(
        &[
            ("src/lib.rs", "pub fn a() {}\n"),
            ("src/x.rs", "fn x() {\n    1;\n}\n"),
            ("data.txt", "a\n"),
        ],
        &[
            ("src/lib.rs", "pub fn a() {}\npub fn b() {}\n"),
            ("src/x.rs", "fn x() {\n    2;\n}\n"),
            ("data.txt", "b\n"),
        ],
        &[
            ("src/lib.rs", "pub fn a() {}\npub fn c() {}\n"),
            ("src/x.rs", "fn x() {\n    3;\n}\n"),
            ("data.txt", "c\n"),
        ],
    ));
    let files = found["files"].as_array().unwrap().iter();
    let files: Vec<String> =
        files.map(|one| format!("{} {}", one["file_path"], one["outcome"])).collect();
    assert_eq!(
        files,
        ["\"data.txt\" \"conflict\"", "\"src/lib.rs\" \"resolved\"", "\"src/x.rs\" \"conflict\""]
    );
    let summary = &found["summary"];
    assert_eq!((&summary["resolved"], &summary["conflicts"]), (&1.into(), &2.into()), "{found}");
}

/// A manifest with conflict markers cannot be read.
#[test]
fn a_manifest_in_conflict_hides_no_conflict_of_names() {
    let version = |n: u8| MANIFEST.replace("0.1.0", &format!("0.{n}.0"));
    let (ours, theirs) = (version(2), version(3));
    let found = predicted(&forked(
        &[("src/lib.rs", LIB), ("src/a.rs", "pub fn old() {}\n"), ("src/b.rs", "")],
        &[("Cargo.toml", &ours), ("src/b.rs", "pub fn g() {\n    crate::a::old()\n}\n")],
        &[("Cargo.toml", &theirs), ("src/a.rs", "")],
    ));
    let lost = "src/b.rs:2 lost ours: old | demo::a::old | which the other side removes";
    assert_eq!(semantic(&found), [lost]);
    assert_eq!(found["summary"]["conflicts"], 1, "{found}");
}

/// What the crates are is decided with the manifest.
#[test]
fn names_of_other_crates_wait_for_the_manifest() {
    let with = |name: &str| format!("{MANIFEST}\n[dependencies]\n{name} = \"1\"\n");
    let (ours, theirs) = (with("other"), with("ext"));
    let found = predicted(&forked(
        &[("src/lib.rs", LIB), ("src/a.rs", ""), ("src/b.rs", "")],
        &[("Cargo.toml", &ours)],
        &[("Cargo.toml", &theirs), ("src/a.rs", "use ext::E;\npub fn f(_: E) {}\n")],
    ));
    assert_eq!(semantic(&found), [""; 0], "{found}");
    assert_eq!(found["summary"]["conflicts"], 1, "{found}");
}

/// The module has another file, and what was in it is in a third one.
#[test]
fn impls_that_the_other_side_moves_still_implement() {
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", "pub mod a;\n");
    let text = "pub struct S(u8);\n\nimpl Drop for S {\n    fn drop(&mut self) {}\n}\n\nimpl Default for S {\n    fn default() -> S {\n        S(1)\n    }\n}\n";
    repo.write("src/a.rs", text);
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("src/b.rs", "");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["rm", "-q", "src/a.rs"]);
    repo.write("src/a/mod.rs", "pub mod s;\npub use self::s::S;\n");
    repo.write("src/a/s.rs", text);
    repo.commit("ours");
    let found = predicted(&repo);
    assert_eq!(semantic(&found), [""; 0], "{found}");
}

#[test]
fn a_worktree_is_merged_with_what_is_not_committed_there() {
    let repo = forked(&[("src/lib.rs", "pub fn a() {}\n"), ("src/m.rs", "fn m() {}\n")], &[], &[]);
    let other = repo.root.with_file_name("other");
    repo.git(&["worktree", "add", "-q", other.to_str().unwrap(), "topic"]);
    fs::write(other.join("src/lib.rs"), "pub fn a() {}\npub fn c() {}\n").unwrap();
    repo.write("src/lib.rs", "pub fn a() {}\npub fn b() {}\n");
    let shown = text(&repo.root, &["merge", "--predict", "../other"]);
    let first = "1 file differs on both sides: 1 merged by items; no conflict of names\n";
    assert_eq!(shown, format!("{first}  resolved: src/lib.rs\n"));
    let output = asof(&repo.root, &["merge", "--predict", "../nothing"]);
    assert_eq!(code(&output), 1, "{}", err(&output));
}

#[test]
fn git_merges_with_the_driver_until_it_is_uninstalled() {
    let repo = forked(
        &[("src/lib.rs", "pub fn a() {}\n")],
        &[("src/lib.rs", "pub fn a() {}\npub fn b() {}\n")],
        &[("src/lib.rs", "pub fn a() {}\npub fn c() {}\n")],
    );
    let config = fs::read(repo.root.join(".git/config")).unwrap();
    let shown = text(&repo.root, &["merge", "--install"]);
    assert!(shown.starts_with("merge driver installed in "), "{shown}");
    assert!(text(&repo.root, &["merge", "--install"]).contains("was installed in"));
    assert_eq!(repo.git(&["check-attr", "merge", "src/lib.rs"]), "src/lib.rs: merge: asof");
    repo.git(&["merge", "-q", "--no-edit", "topic"]);
    let merged = fs::read_to_string(repo.root.join("src/lib.rs")).unwrap();
    assert_eq!(merged, "pub fn a() {}\npub fn b() {}\npub fn c() {}\n");
    text(&repo.root, &["merge", "--uninstall"]);
    assert_eq!(fs::read(repo.root.join(".git/config")).unwrap(), config);
    assert_eq!(repo.git(&["check-attr", "merge", "src/lib.rs"]), "src/lib.rs: merge: unspecified");
    assert!(text(&repo.root, &["merge", "--uninstall"]).contains("was not installed in"));
}

/// Git takes the codes up to 128 for conflicts.
#[test]
fn a_driver_that_fails_is_no_conflict() {
    let repo = forked(
        &[("src/lib.rs", "pub fn a() {}\n")],
        &[("src/lib.rs", "pub fn a() {}\npub fn b() {}\n")],
        &[("src/lib.rs", "pub fn a() {}\npub fn c() {}\n")],
    );
    text(&repo.root, &["merge", "--install"]);
    let command = repo.git(&["config", "merge.asof.driver"]);
    let ends = |files: &str| {
        let command = command.replace("%O %A %B", files);
        let words = [("%P", "x"), ("%L", "7"), ("%S", "b"), ("%X", "o"), ("%Y", "t")];
        let command = words.iter().fold(command, |all, (from, to)| all.replace(from, to));
        let status = Command::new("sh").args(["-c", &command]).current_dir(&repo.root).status();
        status.unwrap().code()
    };
    assert_eq!(ends("src/lib.rs src/lib.rs src/lib.rs"), Some(0));
    assert_eq!(ends("nowhere.rs src/lib.rs src/lib.rs"), Some(129));
}

#[test]
fn three_files_are_merged_into_the_second() {
    let folder = tempdir();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("base.rs", "fn a() {\n    1\n}\n");
    write("ours.rs", "fn a() {\n    2\n}\n");
    write("theirs.rs", "fn a() {\n    3\n}\n");
    let files = ["merge", "base.rs", "ours.rs", "theirs.rs", "--marker-size", "9"];
    let labels = ["--labels", "%S", "HEAD", "topic"];
    let output = asof(folder.path(), &[&files[..], &labels[..], &["--print"]].concat());
    let expected = "fn a() {\n<<<<<<<<< HEAD\n    2\n=========\n    3\n>>>>>>>>> topic\n}\n";
    assert_eq!((code(&output), out(&output).as_str()), (8, expected));
    assert_eq!(fs::read_to_string(folder.path().join("ours.rs")).unwrap(), "fn a() {\n    2\n}\n");
    write("theirs.rs", "fn a( {\n    3\n}\n");
    let output = asof(folder.path(), &files);
    assert_eq!(code(&output), 8);
    assert!(
        err(&output).contains("their side does not parse: it is merged by lines"),
        "{}",
        err(&output)
    );
    assert!(fs::read_to_string(folder.path().join("ours.rs")).unwrap().contains("<<<<<<<<< ours"));
    write("theirs.rs", "fn a() {\n    1\n}\n");
    write("ours.rs", "fn a() {\n    1\n}\nfn b() {}\n");
    assert_eq!(code(&asof(folder.path(), &files)), 0);
}

/// A file that one side renames is compared with what the other side has in it.
#[test]
fn new_code_in_a_file_that_the_other_side_renames_follows_it() {
    let base = "pub fn f() -> u8 {\n    1\n}\n\npub fn g() -> u8 {\n    2\n}\n";
    let mut repo = Repository::new();
    repo.write("Cargo.toml", MANIFEST);
    repo.write("src/lib.rs", LIB);
    repo.write("src/a.rs", base);
    repo.write("src/b.rs", "pub fn old() -> u8 {\n    3\n}\n");
    repo.commit("base");
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.git(&["mv", "src/a.rs", "src/c.rs"]);
    repo.write("src/lib.rs", "mod b;\nmod c;\n");
    repo.write("src/b.rs", "pub fn new() -> u8 {\n    3\n}\n");
    repo.commit("theirs");
    repo.git(&["checkout", "-q", "main"]);
    repo.write(
        "src/a.rs",
        &format!("{base}\npub fn h() -> u8 {{\n    crate::b::old() + f()\n}}\n"),
    );
    repo.commit("ours");
    let found = predicted(&repo);
    assert_eq!(semantic(&found), [""; 0], "{found}");
    assert_eq!(adapted(&found), ["src/c.rs:10 ours: old -> new"]);
}
