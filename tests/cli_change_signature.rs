//! `asof change-signature` through the binary: declarations, calls, places to look at, refusals, undo.
//!
//! A text with marks is two texts: `«f(1)|f(1, 0)»` is a place with its result.

use crate::support::cli;
use crate::support::shell::{self, Workspace, marked};

use cli::{code, err, out};
use serde_json::{Value as Json, json};

/// Changes the signature of `path`, and compares every file; then takes it back. `places`: line and
/// reason of what is to be looked at, in the order of the text.
#[track_caller]
fn check(files: &[(&str, &str)], args: &[&str], places: &[(u32, &str)]) -> Json {
    let texts: Vec<_> = files.iter().map(|(name, text)| (*name, marked(text, None))).collect();
    let before: Vec<_> = texts.iter().map(|(name, (before, _))| (*name, before.as_str())).collect();
    let workspace = Workspace::with(&before);
    let output = workspace.asof(&[&["--format", "json", "change-signature"], args].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    for (name, (_, after)) in &texts {
        assert_eq!(workspace.read(name), *after, "{name}");
    }
    let done: Json = serde_json::from_slice(&output.stdout).unwrap();
    let found = done["proof"]["look_at"].as_array().unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["reason"].as_str().unwrap()))
        .collect();
    let expected: Vec<_> =
        places.iter().map(|(line, reason)| (u64::from(*line), *reason)).collect();
    assert_eq!(found, expected, "{}", done["proof"]);
    workspace.undone(&before);
    done
}

/// The same in one file, and everything is proven.
#[track_caller]
fn proven(lib: &str, args: &[&str]) -> Json {
    check(&[("src/lib.rs", lib)], args, &[])
}

/// Refused with this message; nothing is written.
#[track_caller]
fn refused(lib: &str, args: &[&str], expected: i32, says: &str) {
    let args = [&["change-signature"], args].concat();
    shell::refused(&[("src/lib.rs", lib)], &args, expected, says);
}

#[test]
fn a_parameter_is_added_at_every_call() {
    let lib = "\
mod a;
pub use a::f;
use a::f as g;
fn h(x: u8) -> u8 {
    let y = f(«x|0, x») + g(«1|0, 1») + crate::a::f::<>(«2|0, 2»);
    assert_eq!(f(«x|0, x»), 3);
    f(
        «x, // one|0,
        x, // one»
    ) + y
}
";
    let a = "/// Says it.\npub fn f(«x: u8|n: u16, x: u8») -> u8 { x }\nfn i() -> u8 { f(«f(1)|0, f(0, 1)») }\n";
    let files = &[("src/lib.rs", lib), ("src/a.rs", a)];
    let done = check(files, &["crate::a::f", "--add", "n: u16 = 0", "--before", "x"], &[]);
    assert_eq!(done["proof"]["rewritten"], 8, "{}", done["proof"]);
    let lib = "\
pub fn f() {}
fn g() { f(«|None»); f(«|None»); }
";
    let lib = &lib.replace("pub fn f()", "pub fn f(«|n: Option<u8>»)");
    proven(lib, &["crate::f", "--add", "n: Option<u8> = None"]);
}

#[test]
fn a_method_changes_with_its_trait_and_every_form_of_call() {
    let lib = "\
pub trait T { fn f(&self, a: u8«|, b: bool») -> u8; fn twice(&self) -> u8 { self.f(1«|, true») } }
pub struct A;
impl T for A { fn f(&self, _: u8«|, b: bool») -> u8 { 1 } }
impl<X: T> T for Vec<X> { fn f(&self, n: u8«|, b: bool») -> u8 { self[0].f(n«|, true») } }
fn g<X: T>(x: &X, d: &dyn T) -> u8 {
    x.f(1«|, true») + d.f(2«|, true») + T::f(&A, 3«|, true») + <A as T>::f(&A, 4«|, true») + X::f(x, 5«|, true»)
}
";
    proven(lib, &["crate::T::f", "--add", "b: bool = true"]);
    proven(lib, &["<crate::A as crate::T>::f", "--add", "b: bool = true"]);
}

#[test]
fn parameters_are_removed_and_moved() {
    let lib = "\
fn f(«a: u8, b: u16, c: bool|c: bool, b: u16») -> bool { c && b > 1 }
fn g(x: &(u8, u16)) -> bool { f(«x.0, x.1, true|true, x.1») && f(«1, 2, f(3, 4, false)|f(false, 4), 2») }
";
    let args = &["crate::f", "--remove", "a", "--order", "c,b"];
    // An inner call is evaluated earlier.
    check(&[("src/lib.rs", lib)], args, &[(2, "evaluation")]);
    let lib = "\
struct S;
impl S { fn f(&mut self, a: u8«, (b, _): (u8, u8)|») -> u8 { a } }
fn g(s: &mut S) -> u8 { s.f(1«, (2, 3)|») + S::f(s, 4«, h()|») }
fn h() -> (u8, u8) { (1, 2) }
";
    let places = &[(3, "evaluation")];
    check(&[("src/lib.rs", lib)], &["crate::S::f", "--remove", "1"], places);
}

#[test]
fn a_parameter_is_renamed_in_every_body() {
    let lib = "\
pub trait T { fn f(&self, «a|b»: u8) -> u8 { «a|b» + 1 } }
pub struct A { a: u8 }
impl T for A { fn f(&self, «a|b»: u8) -> u8 { let s = A { «a|a: b» }; println!(\"{«a|b»}\"); s.a } }
impl T for u8 { fn f(&self, other: u8) -> u8 { other } }
fn g(a: u8) -> u8 { A { a }.f(a) }
";
    proven(lib, &["crate::T::f", "--rename", "a=b"]);
    let lib = "fn f(«a|b»: u8, «b|a»: u8) -> u8 { «a|b» - «b|a» }\nfn g() -> u8 { f(1, 2) }\n";
    proven(lib, &["crate::f", "--rename", "a=x", "--rename", "b=a", "--rename", "x=b"]);
}

#[test]
fn types_change_and_their_values_are_listed() {
    let lib = "\
fn f(a: «u8|u16») -> u16 { a.into() }
fn g() -> u16 { f(1) }
";
    check(
        &[("src/lib.rs", lib)],
        &["crate::f", "--retype", "a: u16"],
        &[(1, "retyped"), (2, "retyped")],
    );
    let lib = "\
fn f()« -> u8|» { h() }
fn g() { f(); let _ = f(); let x = f(); }
fn h() -> u8 { 1 }
";
    let places = &[(1, "retyped"), (2, "retyped")];
    check(&[("src/lib.rs", lib)], &["crate::f", "--returns", "()"], places);
    let lib = "fn f(a: u8)«| -> u8» { a }\n";
    check(&[("src/lib.rs", lib)], &["crate::f", "--returns", "u8"], &[(1, "retyped")]);
}

#[test]
fn calls_wait_where_they_can() {
    let lib = "\
pub «fn|async fn» f(a: u8) -> u8 { a }
async fn g() -> u8 { let h = || f(1); f(2)«|.await» + f(f(3)«|.await»)«|.await» + h() }
fn h() -> u8 { f(4) }
";
    let places = &[(2, "not_async"), (3, "not_async")];
    check(&[("src/lib.rs", lib)], &["crate::f", "--async", "true"], places);
    let lib = "\
pub «async fn|fn» f(a: u8) -> u8 { a }
async fn g() -> u8 { f(1)«.await|» + f(f(2)«.await|»)«
    .await|» }
fn h() { let _ = f(3); }
";
    check(&[("src/lib.rs", lib)], &["crate::f", "--async", "false"], &[(4, "not_awaited")]);
    let lib = "async fn f() { g().await }\nasync fn g() {}\n";
    refused(lib, &["crate::f", "--async", "false"], 2, "its body waits:\n  src/lib.rs:1");
}

#[test]
fn calls_get_unsafe_blocks() {
    let lib = "\
pub «fn|unsafe fn» f(a: u8) -> u8 { if a > 0 { f(a - 1) } else { a } }
fn g() -> u8 { unsafe { f(1) }; «f(2)|(unsafe { f(2) })» + «f(3)|unsafe { f(3) }» }
unsafe fn h() -> u8 { f(4) }
";
    check(
        &[("src/lib.rs", lib)],
        &["crate::f", "--unsafe", "true"],
        &[(2, "unsafe"), (2, "unsafe")],
    );
    let lib = "pub «unsafe extern \"C\" fn|extern \"C\" fn» f() {}\nfn g() { unsafe { f() } }\n";
    check(&[("src/lib.rs", lib)], &["crate::f", "--unsafe", "false"], &[(1, "was_unsafe")]);
    let lib = "pub «const fn|fn» f() -> u8 { 1 }\nconst A: [u8; f() as usize] = [f(); 1];\nfn g() -> u8 { f() }\n";
    check(&[("src/lib.rs", lib)], &["crate::f", "--const", "false"], &[(2, "const"), (2, "const")]);
}

#[test]
fn what_is_not_a_certain_call_is_listed_and_left() {
    let lib = "\
/// ```
/// use demo::f;
/// assert_eq!(f(1), 1);
/// ```
pub fn f(a: u8«|, n: u8») -> u8 { a }
fn g() -> Vec<u8> { vec![1].into_iter().map(f).collect() }
macro_rules! m { ($x:expr) => { f($x) } }
use gone::t;
fn h() -> u8 { m!(1) + t!(f(1) =>) }
#[serde(default = \"f\")]
struct S;
";
    let places =
        &[(3, "documentation"), (6, "value"), (7, "macro_rules"), (9, "expansion"), (10, "value")];
    check(&[("src/lib.rs", lib)], &["crate::f", "--add", "n: u8 = 0"], places);
    let lib = "\
pub struct A;
impl A { pub fn f(&self, n: u8«|, m: u8») -> u8 { n } }
fn g(a: A) -> u8 { let x = unknown(); x.f(1); x.f(1, 2); x.f; a.f(1«|, 2») }
#[tool]
fn h() {}
";
    let done = check(
        &[("src/lib.rs", lib)],
        &["crate::A::f", "--add", "m: u8 = 2"],
        &[(3, "unknown_receiver")],
    );
    assert_eq!(done["proof"]["look_at"][0]["rewritten"], false, "{}", done["proof"]);
}

#[test]
fn names_of_new_code_must_resolve() {
    let lib = "\
mod m { pub const N: u8 = 1; const P: u8 = 2; }
use m::N;
pub fn f(a: u8«|, n: u8») -> u8 { a }
fn g() -> u8 { f(1«|, N») }
mod o { fn h() -> u8 { super::f(2«|, N») } }
";
    check(&[("src/lib.rs", lib)], &["crate::f", "--add", "n: u8 = N"], &[(5, "new_code")]);
    let lib = "\
mod m { pub mod n { pub fn p() -> u8 { 1 } } }
pub fn f(a: u8«|, n: u8») -> u8 { a }
fn g(x: &str) -> u8 { f(1«|, x.len() as u8 + m::n::p() + y») }
";
    let args = &["crate::f", "--add", "n: u8 = x.len() as u8 + m::n::p() + y"];
    check(&[("src/lib.rs", lib)], args, &[(3, "new_code")]);
}

#[test]
fn an_attribute_that_may_read_the_signature_is_listed() {
    let lib = "#[tool(skip(a))]\nfn f(a: u8«|, n: u8») {}\n#[inline]\nfn g() {}\n";
    check(&[("src/lib.rs", lib)], &["crate::f", "--add", "n: u8 = 0"], &[(2, "attribute")]);
    let lib = "struct S;\n#[tool]\nimpl S { fn f(&self«|, n: u8») {} }\n";
    check(&[("src/lib.rs", lib)], &["crate::S::f", "--add", "n: u8 = 0"], &[(3, "attribute")]);
    let lib = "#[unsafe(no_mangle)]\npub extern \"C\" fn f(a: u8«|, n: u8») {}\n";
    let done =
        check(&[("src/lib.rs", lib)], &["crate::f", "--add", "n: u8 = 0"], &[(2, "attribute")]);
    let warnings = done["warnings"].to_string();
    assert!(warnings.contains("other languages") && warnings.contains("major"), "{warnings}");
}

#[test]
fn what_cannot_be_is_refused() {
    let lib = "\
pub struct A;
impl A { fn f(&self, a: u8) -> u8 { a } }
impl Clone for A { fn clone(&self) -> A { A } }
fn g(a: u8, b: u8) -> u8 { let n = K; a + n + one() }
fn one() -> u8 { 1 }
const K: u8 = 1;
static L: u8 = 1;
fn h(x: &str) -> &str { x }
fn main() {}
trait T { fn t(&self); }
#[test]
fn check() {}
";
    let f = |args: &[&str], says: &str| refused(lib, &[&["crate::A::f"], args].concat(), 2, says);
    f(&["--remove", "self"], "how the function is called");
    f(&["--remove", "a"], "its body uses `a`:\n  src/lib.rs:2");
    f(&["--remove", "b"], "no parameter `b`; it has a");
    f(&["--add", "a: u8 = 1"], "two parameters would have the name `a`");
    f(&["--add", "b: u8 = 1 +"], "`1 +` is not an expression");
    f(&["--add", "b: u8 = 1 // x"], "is not an expression");
    f(&["--add", "b: [u8 = 1"], "takes");
    f(&["--retype", "a: 1"], "`1` is not a type");
    f(&["--rename", "a=1"], "not an identifier");
    f(&["--returns", "u8"], "changes nothing");
    let g = |args: &[&str], says: &str| refused(lib, &[&["crate::g"], args].concat(), 2, says);
    g(&["--order", "a"], "each parameter once: a, b");
    g(&["--rename", "a=n"], "means something else");
    g(&["--rename", "b=L"], "would be a pattern for `demo::L`");
    g(&["--add", "one: u8 = 1"], "`one` in its body means something else");
    g(&["--add", "K: u8 = 1"], "would be a pattern for `demo::K`");
    g(&["--const", "true", "--async", "true"], "`const` and `async`");
    refused(lib, &["crate::h", "--add", "y: &str = \"\""], 2, "name the lifetime first");
    refused(lib, &["<crate::A as Clone>::clone", "--add", "n: u8 = 1"], 2, "of another crate");
    refused(lib, &["crate::A", "--add", "n: u8 = 1"], 2, "it is a struct");
    refused(lib, &["crate::check", "--add", "n: u8 = 1"], 2, "it is a test");
    refused(lib, &["crate::T::t", "--const", "true"], 2, "functions of traits");
    refused(lib, &["crate::g"], 2, "give one of --add");
    refused(lib, &["crate::none", "--remove", "a"], 1, "crate::none");
}

#[test]
fn functions_under_conditions_change_together() {
    let lib = "\
#[cfg(unix)]
pub fn f(a: u8«|, n: u8») -> u8 { a }
#[cfg(not(unix))]
pub fn f(_: u8«|, n: u8») -> u8 { 2 }
pub fn g() -> u8 { f(1«|, 0») }
";
    proven(lib, &["crate::f", "--add", "n: u8 = 0"]);
}

#[test]
fn a_request_is_planned_composed_and_stale_as_others() {
    let lib =
        "pub fn f(a: u8) -> u8 { a }\n\npub fn other() -> u8 { 2 }\n\nfn g() -> u8 { f(1) }\n";
    let edits = json!([
        { "mode": "change_signature", "path": "crate::f", "changes": [
            { "add": { "name": "n", "type": "u16", "value": "0", "before": "a" } },
            { "rename": { "from": "a", "to": "b" } },
        ] },
        { "mode": "rename", "path": "crate::other", "to": "another" },
    ]);
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let planned = workspace.done("plan", edits.clone(), &[]);
    assert_eq!(planned["proof"]["proven"], true, "{planned}");
    let id = planned["proposal_id"].as_str().unwrap();
    // A call that is written meanwhile, above it.
    workspace.write("src/lib.rs", &format!("fn h() -> u8 {{ f(2) }}\n{lib}"));
    let applied = workspace.json(&["edit", "apply", id]);
    assert_eq!(applied["status"], "applied", "{applied}");
    assert_eq!(
        workspace.read("src/lib.rs"),
        "fn h() -> u8 { f(0, 2) }\npub fn f(n: u16, b: u8) -> u8 { b }\n\npub fn another() -> u8 { 2 }\n\nfn g() -> u8 { f(0, 1) }\n"
    );
    // Another signature meanwhile.
    let workspace = Workspace::with(&[("src/lib.rs", lib)]);
    let planned = workspace.done("plan", edits, &[]);
    workspace.write("src/lib.rs", &lib.replace("f(a: u8)", "f(a: u32)"));
    let output = workspace.asof(&["edit", "apply", planned["proposal_id"].as_str().unwrap()]);
    assert_ne!(code(&output), 0, "{}", out(&output));
    assert!(err(&output).contains("has changed since"), "{}", err(&output));
    let returns = json!([{ "mode": "change_signature", "path": "crate::f", "changes": [
        { "returns": null }, { "async": true },
    ] }]);
    let planned = workspace.done("plan", returns, &[]);
    assert_eq!(planned["proof"]["proven"], false, "{planned}");
}
