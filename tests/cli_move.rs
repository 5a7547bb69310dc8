//! `asof move` through the binary: the text in its new place, imports, uses, visibilities, refusals,
//! undo.

use crate::support::cli;
use crate::support::shell::{self, Workspace};

use cli::{code, err};
use serde_json::{Value as Json, json};

/// Moves an item, and compares every file; then takes it back. Returns the answer.
#[track_caller]
fn check(before: &[(&str, &str)], args: &[&str], after: &[(&str, &str)]) -> Json {
    let workspace = Workspace::with(before);
    let output = workspace.asof(&[&["--format", "json", "move"], args].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    workspace.has(after);
    for (name, text) in before.iter().filter(|(name, _)| after.iter().all(|(n, _)| n != name)) {
        assert_eq!(workspace.read(name), *text, "{name}");
    }
    workspace.undone(before);
    let made = after.iter().filter(|(name, _)| before.iter().all(|(n, _)| n != name));
    for (name, _) in made {
        assert!(!workspace.root().join(name).exists(), "{name}");
    }
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The same, and everything is proven.
#[track_caller]
fn proven(before: &[(&str, &str)], args: &[&str], after: &[(&str, &str)]) -> Json {
    let done = check(before, args, after);
    assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
    done
}

/// Refused with this message; nothing is written.
#[track_caller]
fn refused(files: &[(&str, &str)], args: &[&str], expected: i32, says: &str) {
    shell::refused(files, &[&["move"], args].concat(), expected, says);
}

#[test]
fn an_item_goes_to_a_new_module_with_its_impls_and_imports() {
    let lib = "pub mod a;\nmod c;\npub use a::Policy;\n";
    let a = "\
use std::collections::HashMap;
use std::time::Duration;

const LIMIT: u32 = 3;

/// How often, unless [`next`] is called for a [`Duration`].
// A note.
#[derive(Clone)]
pub struct Policy {
    tries: u32,
    seen: HashMap<String, u32>,
}

impl Policy {
    pub fn new() -> Self {
        Self { tries: LIMIT, seen: HashMap::new() }
    }

    fn delay(&self) -> Duration {
        Duration::from_secs(u64::from(self.tries))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}

pub fn next(policy: &Policy) -> Duration {
    policy.delay()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries() {
        assert_eq!(Policy::new().tries, 3);
        assert_eq!(next(&Policy::default()), Duration::from_secs(3));
    }
}
";
    let c = "use crate::a::{self, Policy};\nfn f() -> (a::Policy, Policy) { (crate::a::Policy::new(), a::Policy::new()) }\n";
    let new_a = "\
use std::time::Duration;
use crate::policy::Policy;

pub(crate) const LIMIT: u32 = 3;

pub fn next(policy: &Policy) -> Duration {
    policy.delay()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tries() {
        assert_eq!(Policy::new().tries, 3);
        assert_eq!(next(&Policy::default()), Duration::from_secs(3));
    }
}
";
    let policy = "\
use std::collections::HashMap;
use std::time::Duration;
use crate::a::LIMIT;

/// How often, unless [`crate::a::next`] is called for a [`Duration`].
// A note.
#[derive(Clone)]
pub struct Policy {
    pub(crate) tries: u32,
    seen: HashMap<String, u32>,
}

impl Policy {
    pub fn new() -> Self {
        Self { tries: LIMIT, seen: HashMap::new() }
    }

    pub(crate) fn delay(&self) -> Duration {
        Duration::from_secs(u64::from(self.tries))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::new()
    }
}
";
    let new_c = "use crate::a::{self};\nuse crate::policy::Policy;\nfn f() -> (crate::policy::Policy, Policy) { (crate::policy::Policy::new(), crate::policy::Policy::new()) }\n";
    let done = proven(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/c.rs", c)],
        &["crate::a::Policy", "crate::policy"],
        &[
            ("src/lib.rs", "pub mod a;\nmod c;\nmod policy;\npub use policy::Policy;\n"),
            ("src/a.rs", new_a),
            ("src/policy.rs", policy),
            ("src/c.rs", new_c),
        ],
    );
    let warnings = done["warnings"].to_string();
    for says in ["LIMIT` becomes `pub(crate)`", "tries` becomes `pub(crate)`", "next version"] {
        assert!(warnings.contains(says), "{warnings}");
    }
}

#[test]
fn paths_in_the_text_lead_to_what_they_meant() {
    let lib = "mod a { pub mod b; pub fn up() {} }\nmod c;\nfn root() {}\n";
    let b = "\
fn own() -> u8 { 1 }
pub fn moved() -> u8 {
    use super::up as above;
    above();
    super::up();
    self::own();
    super::super::root();
    crate::root();
    own()
}
";
    let c = "//! Of c.\n\nuse std::fmt;\n\npub fn first(_: fmt::Error) {}\n\n#[cfg(test)]\nmod tests {}\n";
    let new_c = "\
//! Of c.

use std::fmt;
use crate::a::b::own;

pub fn first(_: fmt::Error) {}

pub fn moved() -> u8 {
    use super::a::up as above;
    above();
    super::a::up();
    super::a::b::own();
    super::root();
    crate::root();
    own()
}

#[cfg(test)]
mod tests {}
";
    proven(
        &[("src/lib.rs", lib), ("src/a/b.rs", b), ("src/c.rs", c)],
        &["crate::a::b::moved", "crate::c"],
        &[("src/a/b.rs", "pub(crate) fn own() -> u8 { 1 }\n"), ("src/c.rs", new_c)],
    );
}

#[test]
fn a_module_in_braces_has_its_indentation() {
    let lib = "\
fn moved() -> &'static str {
    let text = \"
  kept\";

    text
}

mod inner {
    pub fn other() {}
}

fn f() {
    moved();
    inner::other();
}
";
    let new = "\
use crate::inner::moved;

mod inner {
    pub fn other() {}

    pub(crate) fn moved() -> &'static str {
        let text = \"
  kept\";

        text
    }
}

fn f() {
    moved();
    inner::other();
}
";
    proven(&[("src/lib.rs", lib)], &["crate::moved", "crate::inner"], &[("src/lib.rs", new)]);
}

#[test]
fn traits_that_the_text_calls_are_imported() {
    let lib = "mod a;\nmod b;\nmod c;\n";
    let a = "\
use std::fmt::Write;
use crate::b::Shout;

pub fn moved(text: &mut String) {
    text.write_str(\"x\").unwrap();
    text.shout();
}
";
    let b = "pub trait Shout { fn shout(&self) {} }\nimpl Shout for String {}\n";
    let c = "\
use std::fmt::Write;
use crate::b::Shout;

pub fn moved(text: &mut String) {
    text.write_str(\"x\").unwrap();
    text.shout();
}
";
    proven(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", b), ("src/c.rs", "")],
        &["crate::a::moved", "src/c.rs"],
        &[("src/a.rs", ""), ("src/c.rs", c)],
    );
}

#[test]
fn a_trait_from_outside_is_imported_for_an_impl_of_the_workspace() {
    let lib = "mod a;\nmod b;\nmod c;\n";
    let a = "\
use crate::b::Out;
use std::fmt::{self, Write};

pub fn moved(out: &mut Out) -> fmt::Result {
    out.write_str(\"x\")
}

pub fn other() -> fmt::Result {
    Ok(())
}
";
    let b = "\
use std::fmt;
pub struct Out;
impl fmt::Write for Out {
    fn write_str(&mut self, _: &str) -> fmt::Result {
        Ok(())
    }
}
";
    let new_a = "\
use std::fmt::{self};

pub fn other() -> fmt::Result {
    Ok(())
}
";
    let c = "\
use std::fmt;
use std::fmt::Write;
use crate::b::Out;

pub fn moved(out: &mut Out) -> fmt::Result {
    out.write_str(\"x\")
}
";
    proven(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", b), ("src/c.rs", "")],
        &["crate::a::moved", "crate::c"],
        &[("src/a.rs", new_a), ("src/c.rs", c)],
    );
}

#[test]
fn a_reexport_is_left_if_it_is_asked_for() {
    let files =
        [("src/lib.rs", "pub mod a;\n"), ("src/a.rs", "pub struct S;\npub const T: S = S;\n")];
    let done = proven(
        &files,
        &["crate::a::S", "crate::a::s", "--keep-old"],
        &[
            ("src/a.rs", "mod s;\n\npub use crate::a::s::S;\n\npub const T: S = S;\n"),
            ("src/a/s.rs", "pub struct S;\n"),
        ],
    );
    assert_eq!(done["warnings"], json!([]));
}

#[test]
fn a_glob_that_others_have_the_item_by_is_joined_by_an_import() {
    let lib = "mod a;\nmod b;\npub use a::*;\nfn f() -> S { crate::S }\n";
    proven(
        &[("src/lib.rs", lib), ("src/a.rs", "pub struct S;\npub struct T;\n"), ("src/b.rs", "")],
        &["crate::a::S", "crate::b"],
        &[
            (
                "src/lib.rs",
                "mod a;\nmod b;\npub use a::*;\npub use crate::b::S;\nfn f() -> S { crate::S }\n",
            ),
            ("src/a.rs", "pub struct T;\n"),
            ("src/b.rs", "pub struct S;\n"),
        ],
    );
}

#[test]
fn a_name_that_is_taken_is_written_in_full_or_refused() {
    let lib = "mod a;\nmod b;\n";
    let a = "pub struct Error;\npub fn moved() -> Error { Error }\n";
    let b = "pub struct Error;\n";
    proven(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", b)],
        &["crate::a::moved", "crate::b"],
        &[
            ("src/a.rs", "pub struct Error;\n"),
            (
                "src/b.rs",
                "pub struct Error;\n\npub fn moved() -> crate::a::Error { crate::a::Error }\n",
            ),
        ],
    );
    refused(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", b)],
        &["crate::a::Error", "crate::b"],
        2,
        "has the struct `demo::b::Error` in the same scope",
    );
}

#[test]
fn what_cannot_be_moved_is_refused() {
    let lib = "\
mod a;
#[cfg(test)]
mod t {}
pub struct S { f: u8 }
impl S { fn m(&self) {} }
macro_rules! m { () => {} }
fn f() {}
";
    let files = [("src/lib.rs", lib), ("src/a.rs", "")];
    refused(&files, &["crate::S::f", "crate::a"], 2, "belongs to the item that it is in");
    refused(&files, &["crate::S::m", "crate::a"], 2, "belongs to the item that it is in");
    refused(&files, &["crate::m", "crate::a"], 2, "where it is defined in the text");
    refused(&files, &["crate::a", "crate::a::b"], 2, "in the module itself");
    refused(&files, &["crate::f", "crate"], 2, "changes nothing");
    refused(&files, &["crate::f", "crate::t"], 2, "different conditions");
    refused(&files, &["crate::f", "crate::x::y"], 2, "no module `demo::x`");
    refused(&files, &["crate::f", "other::y"], 2, "begins with `crate::`");
    refused(&files, &["crate::f", "crate::a b"], 2, "not an identifier");
    refused(&files, &["crate::f", "src/x/y.rs"], 2, "no module would have that file");
    refused(&files, &["crate::none", "crate::a"], 1, "crate::none");
}

#[test]
fn a_module_goes_to_another_with_its_files() {
    let lib = "pub mod a;\npub mod c;\nfn f() -> u8 { a::b::one() + crate::a::b::d::two() }\n";
    let a = "pub(crate) mod b;\nfn own() -> u8 { 3 }\npub struct S;\nfn g() -> u8 { b::one() }\n";
    let b = "\
pub mod d;
use super::S;
pub(super) fn one() -> u8 {
    let _ = S;
    super::own() + d::two() + crate::a::b::d::two()
}
";
    let d = "use super::super::S;\npub fn two() -> u8 { let _ = S; super::one(); 2 }\n";
    let new_lib = lib.replace("a::b", "c::b");
    let new_a = "\
use crate::c::b;

pub(crate) fn own() -> u8 { 3 }
pub struct S;
fn g() -> u8 { b::one() }
";
    let new_b = "\
pub mod d;
use crate::a::S;
pub(crate) fn one() -> u8 {
    let _ = S;
    crate::a::own() + d::two() + crate::c::b::d::two()
}
";
    let new_d = d.replace("super::super::S", "crate::a::S");
    let files = [
        ("src/lib.rs", lib.replace("a::b::one()", "0")),
        ("src/a.rs", a.to_owned()),
        ("src/a/b.rs", b.to_owned()),
        ("src/a/b/d.rs", d.to_owned()),
        ("src/c.rs", "pub mod z {}\n".to_owned()),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let workspace = Workspace::with(&files);
    let output = workspace.asof(&["--format", "json", "move", "crate::a::b", "crate::c"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let done: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(done["proof"]["proven"], true, "{}", done["proof"]);
    let after = [
        ("src/lib.rs", new_lib.replace("c::b::one()", "0")),
        ("src/a.rs", new_a.to_owned()),
        ("src/c/b.rs", new_b.to_owned()),
        ("src/c/b/d.rs", new_d),
        ("src/c.rs", "pub mod z {}\n\npub(crate) mod b;\n".to_owned()),
    ];
    for (name, text) in &after {
        assert_eq!(workspace.read(name), *text, "{name}");
    }
    assert!(!workspace.root().join("src/a/b.rs").exists());
    workspace.undone(&files);
}

#[test]
fn a_module_in_braces_moves_as_text() {
    let lib = "\
mod a {
    pub(crate) fn own() {}

    pub(crate) mod b {
        use super::own;

        pub(super) fn one() {
            own();
            super::own();
        }

        mod deep {
            use super::super::own;

            fn f() {
                own();
                super::one();
            }
        }
    }

    fn g() {
        b::one();
    }
}

mod c {}
";
    let new = "\
mod a {
    use crate::c::b;

    pub(crate) fn own() {}

    fn g() {
        b::one();
    }
}

mod c {
    pub(crate) mod b {
        use crate::a::own;

        pub(crate) fn one() {
            own();
            crate::a::own();
        }

        mod deep {
            use crate::a::own;

            fn f() {
                own();
                super::one();
            }
        }
    }
}
";
    proven(&[("src/lib.rs", lib)], &["crate::a::b", "crate::c"], &[("src/lib.rs", new)]);
}

#[test]
fn a_trait_is_imported_where_its_methods_are_called() {
    let lib = "mod a;\nmod b;\nmod c;\n";
    let a = "\
pub trait Shout {
    fn shout(&self) {}
}

impl Shout for u8 {}

fn f() {
    1u8.shout();
}
";
    let new_a = "\
use crate::b::Shout;

impl Shout for u8 {}

fn f() {
    1u8.shout();
}
";
    let c = "use crate::a::*;\nfn g() { 2u8.shout() }\n";
    let new_c = "use crate::a::*;\nuse crate::b::Shout;\nfn g() { 2u8.shout() }\n";
    proven(
        &[("src/lib.rs", lib), ("src/a.rs", a), ("src/b.rs", ""), ("src/c.rs", c)],
        &["crate::a::Shout", "crate::b"],
        &[
            ("src/a.rs", new_a),
            ("src/b.rs", "pub trait Shout {\n    fn shout(&self) {}\n}\n"),
            ("src/c.rs", new_c),
        ],
    );
}

#[test]
fn another_crate_of_the_workspace_has_the_new_path() {
    let lib = "pub mod a;\npub mod b;\n";
    let main = "use demo::a::{S, T};\nfn main() { let _ = (S, T, demo::a::S); }\n";
    proven(
        &[
            ("src/lib.rs", lib),
            ("src/a.rs", "pub struct S;\npub struct T;\n"),
            ("src/b.rs", ""),
            ("src/main.rs", main),
        ],
        &["demo::a::S", "crate::b"],
        &[
            ("src/a.rs", "pub struct T;\n"),
            ("src/b.rs", "pub struct S;\n"),
            (
                "src/main.rs",
                "use demo::a::T;\nuse demo::b::S;\nfn main() { let _ = (S, T, demo::b::S); }\n",
            ),
        ],
    );
}

#[test]
fn a_request_with_a_move_is_planned_and_applied_to_the_files_as_they_then_are() {
    let a = "pub fn moved() {}\n\npub fn other() {}\n";
    let workspace =
        Workspace::with(&[("src/lib.rs", "mod a;\nmod b;\n"), ("src/a.rs", a), ("src/b.rs", "")]);
    let planned = workspace.done(
        "plan",
        json!([
            { "mode": "move", "path": "crate::a::moved", "to": "crate::b" },
            { "mode": "canonical", "path": "crate::a::other", "part": "body", "code": "{ let _ = 1; }" },
        ]),
        &[],
    );
    assert_eq!(planned["proof"]["proven"], true, "{planned}");
    assert_eq!(workspace.read("src/a.rs"), a);
    let id = planned["proposal_id"].as_str().unwrap();
    // A use that is written meanwhile is rewritten too.
    workspace.write("src/lib.rs", "mod a;\nmod b;\nfn f() { a::moved() }\n");
    let applied = workspace.json(&["edit", "apply", id]);
    assert_eq!(applied["status"], "applied", "{applied}");
    assert_eq!(workspace.read("src/lib.rs"), "mod a;\nmod b;\nfn f() { b::moved() }\n");
    assert_eq!(workspace.read("src/a.rs"), "pub fn other() { let _ = 1; }\n");
    assert_eq!(workspace.read("src/b.rs"), "pub fn moved() {}\n");
    let history = workspace.json(&["history", "crate::b::moved"]);
    assert!(history.to_string().contains("a::moved"), "{history}");
}
