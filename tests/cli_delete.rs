//! `asof delete`: what goes with the deleted text.

use crate::support::cli::{code, err, out};
use crate::support::shell::Workspace;

type Files<'a> = &'a [(&'a str, &'a str)];

/// The deletion is proven, leaves these files, and can be taken back.
#[track_caller]
fn check(files: Files<'_>, args: &[&str], after: Files<'_>) {
    let workspace = Workspace::with(files);
    let output = workspace.asof(&[&["delete"], args].concat());
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    assert!(out(&output).contains("\nproven: "), "{}", out(&output));
    workspace.has(after);
    workspace.undone(files);
}

#[test]
fn imports_that_only_the_deleted_text_used_go_too() {
    let text = "\
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

pub fn f() -> BTreeSet<u8> {
    BTreeSet::new()
}

fn gone(text: &mut String, all: Rc<BTreeMap<u8, u8>>) {
    text.write_str(if all.is_empty() { \"\" } else { \"x\" }).ok();
}
";
    let after = "\
use std::collections::BTreeSet;

pub fn f() -> BTreeSet<u8> {
    BTreeSet::new()
}
";
    check(&[("src/lib.rs", text)], &["crate::gone", "--if-unused"], &[("src/lib.rs", after)]);
    // A public import is for others, and a module below may have the names by a glob.
    let text = "\
pub use std::rc::Rc;
use std::sync::Arc;

fn gone() -> (Rc<u8>, Arc<u8>) {
    (Rc::new(1), Arc::new(1))
}

mod below;
";
    let below = "use super::*;\n\npub fn g() -> Arc<u8> {\n    Arc::new(2)\n}\n";
    let after = "pub use std::rc::Rc;\nuse std::sync::Arc;\n\nmod below;\n";
    check(
        &[("src/lib.rs", text), ("src/below.rs", below)],
        &["crate::gone", "--if-unused"],
        &[("src/lib.rs", after), ("src/below.rs", below)],
    );
}

#[test]
fn traits_stay_whose_methods_the_rest_calls() {
    let text = |rest: &str| {
        format!(
            "\
mod m {{
    pub trait Area {{
        fn area(&self) -> u8;
    }}
    impl Area for u8 {{
        fn area(&self) -> u8 {{
            *self
        }}
    }}
}}
use m::Area;

fn gone(side: u8) -> u8 {{
    side.area()
}}

pub fn f(side: u8) -> u8 {{
    {rest}
}}
"
        )
    };
    let without =
        |text: &str| text.replace("fn gone(side: u8) -> u8 {\n    side.area()\n}\n\n", "");
    let args = ["crate::gone", "--if-unused"];
    let used = text("side.area()");
    check(&[("src/lib.rs", &used)], &args, &[("src/lib.rs", &without(&used))]);
    let unused = text("side");
    let after = without(&unused).replace("use m::Area;\n\n", "\n");
    let workspace = Workspace::with(&[("src/lib.rs", &unused)]);
    let output = workspace.asof(&[&["delete"], args.as_slice()].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert_eq!(workspace.read("src/lib.rs").replace("\n\n", "\n"), after.replace("\n\n", "\n"));
}

#[test]
fn items_of_one_request_leave_no_import_behind() {
    let text = "\
use std::rc::Rc;

pub fn f() {}

fn a(x: Rc<u8>) -> u8 {
    b(x)
}

fn b(x: Rc<u8>) -> u8 {
    *x
}
";
    check(
        &[("src/lib.rs", text)],
        &["crate::a", "crate::b", "--if-unused"],
        &[("src/lib.rs", "pub fn f() {}\n")],
    );
}

#[test]
fn a_module_that_becomes_empty_goes_on_request() {
    let lib = "mod m;\npub fn f() {}\n";
    let module = "//! Helpers.\n\nuse std::rc::Rc;\n\nfn a(x: Rc<u8>) -> u8 {\n    *x\n}\n";
    let files = [("src/lib.rs", lib), ("src/m.rs", module)];
    let workspace = Workspace::with(&files);
    let output = workspace.asof(&["delete", "crate::m::a", "--if-unused", "--empty-modules"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(!workspace.root().join("src/m.rs").exists());
    workspace.has(&[("src/lib.rs", "pub fn f() {}\n")]);
    workspace.undone(&files);
    // Without it, the module stays.
    check(
        &files,
        &["crate::m::a", "--if-unused"],
        &[("src/lib.rs", lib), ("src/m.rs", "//! Helpers.\n")],
    );
    // What others name stays, and so does a module with something left in it.
    let named = [("src/lib.rs", "mod m;\npub use m as public;\n"), ("src/m.rs", module)];
    let workspace = Workspace::with(&named);
    let output = workspace.asof(&["delete", "crate::m::a", "--if-unused", "--empty-modules"]);
    assert_eq!(code(&output), 2, "{}", out(&output));
    assert!(err(&output).contains("`demo::m` is used"), "{}", err(&output));
    workspace.has(&named);
    let more = "fn a() {}\npub struct S;\n";
    check(
        &[("src/lib.rs", "pub mod m;\n"), ("src/m.rs", more)],
        &["crate::m::a", "--if-unused", "--empty-modules"],
        &[("src/lib.rs", "pub mod m;\n"), ("src/m.rs", "pub struct S;\n")],
    );
}

/// The bug: a deletion was proven while links led to what it deletes.
#[test]
fn links_to_what_is_deleted_are_listed() {
    let text = "\
pub struct Node;
impl Node {
    /// [`Self::wait`] itself goes with it.
    pub fn wait(&self) {}
}

/// Not [`wait`], but [w].
///
/// [w]: Node::wait()
pub fn f() {}
pub fn wait() {}
";
    let workspace =
        Workspace::with(&[("src/lib.rs", text), ("README.md", "`Node::wait` waits.\n")]);
    let output = workspace.asof(&["delete", "crate::Node::wait", "--if-unused"]);
    assert_eq!(code(&output), 2, "{}", out(&output));
    let says = err(&output);
    assert!(says.contains("src/lib.rs:9 (in documentation)"), "{says}");
    assert!(!says.contains("src/lib.rs:3") && !says.contains("src/lib.rs:7"), "{says}");
    let output = workspace.asof(&["delete", "crate::Node::wait", "--if-unused", "--with-guesses"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    assert!(err(&output).contains("Markdown names `demo::Node::wait`"), "{}", err(&output));
}
