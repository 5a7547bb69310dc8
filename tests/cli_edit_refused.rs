//! `asof edit` through the binary: what is refused and why, and what warnings say.

use crate::support::cli;
use crate::support::edit_demo;
use crate::support::shell;
use crate::support::tempdir;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use cli::{code, err};
use edit_demo::{LIB, canonical, demo};
use serde_json::{Value as Json, json};
use shell::Workspace;

#[test]
fn bad_requests_are_refused_with_what_to_do() {
    let ws = demo();
    let add = |code: &str| json!([canonical("crate::add", code)]);
    ws.refused(json!([]), 2, "empty");
    ws.refused(json!([{ "mode": "canonical", "path": "crate::add", "kode": "" }]), 2, "kode");
    ws.refused(json!([{ "mode": "replace", "path": "crate::add" }]), 2, "replace");
    ws.refused(json!([{ "mode": "canonical", "code": "fn f() {}" }]), 2, "path");
    let mut both = canonical("crate::add", "fn add() {}");
    both["start_byte"] = 3.into();
    ws.refused(json!([both]), 2, "start_byte");
    ws.refused(add("pub fn add( {}"), 2, "does not parse");
    ws.refused(add("pub struct Add;"), 2, "is a function");
    ws.refused(add("pub fn add() {}\npub fn other() {}"), 2, "is a function");
    ws.refused(add("  \n"), 2, "empty");
    ws.refused(add("pub fn add() {} /*"), 2, "does not parse");
    ws.refused(add("pub fn add() {}\nmod x {"), 2, "does not parse");
    ws.refused(
        json!([canonical(
            "crate::retry::Policy::next_delay",
            "fn next_delay() {} } impl Kind { fn x() {}"
        )]),
        2,
        "would change items outside",
    );
    ws.refused(
        json!([{ "mode": "canonical", "path": "crate::retry::Policy::next_delay", "part": "body",
        "code": "} pub(crate) fn zz(&self) {" }]),
        2,
        "is not one body and nothing else",
    );
    ws.refused(json!([canonical("crate::none", "fn none() {}")]), 1, "no item named");
    ws.refused(
        json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 4;")]),
        2,
        "changes nothing",
    );
    ws.refused(
        json!([{ "mode": "canonical", "path": "crate::LIMIT", "part": "docs", "code": "" }]),
        2,
        "changes nothing",
    );
    ws.refused(
        json!([{ "mode": "canonical", "path": "crate::retry::Kind::Fixed", "part": "body",
        "code": "{}" }]),
        2,
        "has no body",
    );
    ws.refused(
        json!([{ "mode": "insert", "anchor": "crate::add", "position": "last_child",
        "code": "fn f() {}" }]),
        2,
        "cannot have children",
    );
    ws.refused(
        json!([canonical("crate::add", "pub fn add() {}"),
        { "mode": "canonical", "path": "crate::add", "part": "body", "code": "{ }" }]),
        2,
        "overlap",
    );
    let docs = json!({ "mode": "canonical", "path": "crate::LIMIT", "part": "docs", "code": "A." });
    ws.refused(json!([docs, docs]), 2, "overlap");
    let command = cli::command(ws.root(), &["edit", "apply", "--file", "-"]);
    let bytes = cli::with_input(command, b"{\xff}");
    assert_eq!(code(&bytes), 2);
    let missing = ws.asof(&["edit", "plan", "--file", "none.json"]);
    assert_eq!(code(&missing), 5);
}

#[test]
fn bad_splices_are_refused_with_what_to_do() {
    let ws = demo();
    ws.write("src/lib.rs", &LIB.replace("Demo", "Dämo"));
    let splice = |more: Json| {
        let mut edit = json!({ "mode": "splice", "file_path": "src/lib.rs",
            "expected_file_hash": ws.hash("src/lib.rs"), "start_byte": 4, "end_byte": 5,
            "replacement": "d" });
        edit.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([edit])
    };
    ws.refused(splice(json!({ "start_byte": 6 , "end_byte": 7 })), 2, "multi-byte");
    ws.refused(splice(json!({ "end_byte": 70000 })), 2, "the file has");
    ws.refused(splice(json!({ "start_byte": 9 })), 2, "before it starts");
    ws.refused(
        splice(json!({ "expected_file_hash": "1AAAAAAAAAAAAAAAAAAAAAA" })),
        7,
        "never indexed",
    );
    ws.refused(splice(json!({ "expected_file_hash": "abc" })), 2, "hash");
    ws.refused(splice(json!({ "namespace": "x" })), 2, "project");
    ws.refused(splice(json!({ "replacement": "}" , "start_byte": 0, "end_byte": 2 })), 2, "parse");
    ws.refused(splice(json!({ "file_path": "Cargo.toml" })), 1, "not indexed");
    ws.refused(splice(json!({ "file_path": "src/none.rs" })), 1, "does not exist");
}

#[test]
fn nothing_outside_of_the_root_is_touched() {
    let ws = demo();
    let outside = tempdir();
    fs::write(outside.path().join("x.rs"), "fn x() {}\n").unwrap();
    let absolute = outside.path().join("x.rs").to_str().unwrap().to_owned();
    std::os::unix::fs::symlink(outside.path(), ws.root().join("src/out")).unwrap();
    std::os::unix::fs::symlink(&absolute, ws.root().join("src/link.rs")).unwrap();
    let inside = ws.root().join(".git/hooks/x.rs");
    for path in [
        "../x.rs",
        "src/../../x.rs",
        &absolute,
        "src/out/x.rs",
        "src/link.rs",
        ".git/x.rs",
        ".asof/x.rs",
        inside.to_str().unwrap(),
        "",
        "src",
    ] {
        let create = json!([{ "mode": "create_file", "file_path": path, "code": "fn y() {}" }]);
        let output = ws.edit("apply", &create, &[]);
        assert_eq!(code(&output), 2, "{path}: {output:?}");
        let delete = json!([{ "mode": "delete_file", "file_path": path }]);
        let output = ws.edit("apply", &delete, &[]);
        assert_eq!(code(&output), 2, "{path}: {output:?}");
    }
    assert_eq!(fs::read_to_string(&absolute).unwrap(), "fn x() {}\n");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn a_read_only_file_is_refused() {
    let ws = demo();
    let path = ws.root().join("src/lib.rs");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    ws.refused(json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")]), 5, "read-only");
}

#[test]
fn a_proposal_from_before_a_restore_is_refused() {
    let ws = demo();
    let edit = json!([canonical("crate::LIMIT", "pub const LIMIT: u32 = 5;")]);
    let planned = ws.done("plan", edit, &[]);
    let id = planned["proposal_id"].as_str().unwrap();
    assert_eq!(code(&ws.asof(&["backup", "create", "b.asof"])), 0);
    let restored = ws.asof(&["backup", "restore", "b.asof"]);
    assert_eq!(code(&restored), 0, "{restored:?}");
    let refused = ws.asof(&["edit", "apply", id]);
    assert_eq!(code(&refused), 7);
    assert!(err(&refused).contains("older than the restore"));
    assert_eq!(ws.read("src/lib.rs"), LIB);
}

/// A workspace with uses of `add`, `LIMIT` and `Policy` in a second file.
fn with_uses() -> Workspace {
    let ws = demo();
    ws.write("src/lib.rs", &LIB.replace("pub mod retry;", "pub mod retry;\npub mod user;"));
    ws.write(
        "src/user.rs",
        "use crate::{LIMIT, add};\nuse crate::retry::Policy;\n\n\
         pub fn one() -> u32 {\n    add(1, LIMIT)\n}\n\npub fn two(p: &Policy) -> u64 {\n    \
         p.next_delay(add(2, 3))\n}\n",
    );
    ws
}

#[track_caller]
fn warns(edits: Json, expected: &[&str]) {
    let done = with_uses().done("plan", edits, &[]);
    let warnings: Vec<&str> =
        done["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(warnings, expected);
}

#[test]
fn warnings_name_the_uses_that_are_left_and_only_those() {
    let sum = "/// Adds.\n#[inline]\npub fn sum(a: u32, b: u32) -> u32 {\n    a + b\n}";
    warns(
        json!([canonical("crate::add", sum)]),
        &["`demo::add` is renamed to `sum`; 3 uses are left as before: src/user.rs:1, \
           src/user.rs:5, src/user.rs:9"],
    );
    let fixed = |edits: Json| -> Json {
        let mut all = edits.as_array().unwrap().clone();
        all.push(json!({ "mode": "canonical", "path": "crate::user::one", "find": "add(1, LIMIT)", "code": "sum(1, LIMIT)" }));
        all.push(json!({ "mode": "canonical", "path": "crate::user", "find": "{LIMIT, add}", "code": "{LIMIT, sum}" }));
        Json::Array(all)
    };
    warns(
        fixed(json!([canonical("crate::add", sum)])),
        &["`demo::add` is renamed to `sum`; 1 use is left as before: src/user.rs:9"],
    );
    // Imports need no edit for another signature, and what the request edits is its own business.
    let wider = json!({ "mode": "canonical", "path": "crate::add", "part": "signature",
        "code": "pub fn add(a: u64, b: u32) -> u32" });
    warns(
        json!([wider, { "mode": "canonical", "path": "crate::user::one", "part": "body", "code": "{ 3 }" }]),
        &["the signature of `demo::add` changes; 1 use is left as before: src/user.rs:9"],
    );
    // Names of parameters are no part of it.
    let renamed = json!({ "mode": "canonical", "path": "crate::add", "part": "signature",
        "code": "pub fn add(a: u32, c: u32) -> u32" });
    warns(json!([renamed]), &[]);
    warns(
        json!([{ "mode": "canonical", "path": "crate::add", "part": "body", "code": "{ 1 }" }]),
        &[],
    );
}

const CALLS: &str = "\
pub mod m {
    pub fn a(x: u32) -> u32 {
        x
    }
}
pub mod n {}

pub fn b() -> u32 {
    let one = m::a(1);
    let two = m::a(2);
    one + two
}

pub fn c() -> u32 {
    m::a(3)
}

pub fn fact(n: u32) -> u32 {
    match n {
        0 => 1,
        n => n * fact(n - 1),
    }
}

pub trait Sized2 {
    fn size(&self) -> u32;
}

impl Sized2 for u32 {
    fn size(&self) -> u32 {
        1
    }
}

pub struct Node {
    pub next: Option<Box<Node>>,
}

impl Node {
    pub fn depth(&self) -> u32 {
        1 + self.next.as_ref().map_or(0, |next| next.depth())
    }
}

mod user {
    use crate::m::a;
    use crate::fact;

    pub fn d() -> u32 {
        a(4) + fact(5)
    }
}
";

#[track_caller]
fn calls_warn(edits: Json, expected: &[&str]) {
    let ws = Workspace::with(&[("src/lib.rs", CALLS)]);
    let done = ws.done("plan", edits, &[]);
    let warnings: Vec<&str> =
        done["warnings"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(warnings, expected);
}

fn finds(path: &str, find: &str, code: &str) -> Json {
    json!({ "mode": "canonical", "path": path, "find": find, "code": code })
}

fn heads(path: &str, code: &str) -> Json {
    json!({ "mode": "canonical", "path": path, "part": "signature", "code": code })
}

/// Not all uses in an item that the request edits: those whose bytes it changes.
#[test]
fn a_use_is_updated_if_its_own_bytes_change() {
    let wider = || heads("crate::m::a", "pub fn a(x: u32, y: u32) -> u32");
    let says = |uses: &str, lines: &[u32]| {
        let places: Vec<String> = lines.iter().map(|n| format!("src/lib.rs:{n}")).collect();
        format!("the signature of `demo::m::a` changes; {uses} as before: {}", places.join(", "))
    };
    calls_warn(json!([wider()]), &[&says("4 uses are left", &[9, 10, 15, 50])]);
    let three = says("3 uses are left", &[10, 15, 50]);
    for code in [
        finds("crate::b", "m::a(1)", "m::a(1, 0)"),
        finds("crate::b", "(1)", "(1, 0)"),
        finds("crate::b", "let one = m::a(1)", "let one = m::a(1, 0)"),
        // The second call is in the new text as it was.
        json!({ "mode": "canonical", "path": "crate::b", "part": "body",
                "code": "let one = m::a(1, 0);\nlet two = m::a(2);\none + two" }),
        canonical(
            "crate::b",
            "pub fn b() -> u32 {\n    let one = m::a(1, 0);\n    let two = m::a(2);\n    one + two\n}",
        ),
    ] {
        calls_warn(json!([wider(), code]), &[&three]);
    }
    // What is beside the call is another place.
    calls_warn(
        json!([
            wider(),
            finds("crate::b", "one + two", "two + one"),
            finds("crate::b", "let two = ", "let _ = ")
        ]),
        &[&says("4 uses are left", &[9, 10, 15, 50])],
    );
    calls_warn(
        json!([
            wider(),
            finds("crate::b", "(1)", "(1, 0)"),
            finds("crate::b", "(2)", "(2, 0)"),
            finds("crate::c", "a(3)", "a(3, 0)"),
            finds("crate::user::d", "a(4)", "a(4, 0)"),
        ]),
        &[],
    );
    // So is a call of the function in itself.
    calls_warn(
        json!([heads("crate::fact", "pub fn fact(n: u32, m: u32) -> u32")]),
        &["the signature of `demo::fact` changes; 2 uses are left as before: src/lib.rs:21, \
           src/lib.rs:50"],
    );
    // An implementation follows its trait by its own signature.
    let method = || heads("crate::Sized2::size", "fn size(&self, n: u32) -> u32");
    calls_warn(
        json!([method()]),
        &["the signature of `demo::Sized2::size` changes; 1 use is left as before: src/lib.rs:30"],
    );
    calls_warn(
        json!([method(), heads("<u32 as crate::Sized2>::size", "fn size(&self, n: u32) -> u32")]),
        &[],
    );
}

#[test]
fn a_renamed_item_that_uses_itself_warns() {
    let renamed = || heads("crate::fact", "pub fn factorial(n: u32) -> u32");
    calls_warn(
        json!([renamed()]),
        &["`demo::fact` is renamed to `factorial`; 3 uses are left as before: src/lib.rs:21, \
           src/lib.rs:47, src/lib.rs:50"],
    );
    calls_warn(
        json!([renamed(), finds("crate::fact", "fact(n - 1)", "factorial(n - 1)")]),
        &["`demo::fact` is renamed to `factorial`; 2 uses are left as before: src/lib.rs:47, \
           src/lib.rs:50"],
    );
    let import = |code: &str| {
        json!({ "mode": "canonical", "path": "crate::user", "kind": "import",
        "has": "fact", "code": code })
    };
    calls_warn(
        json!([renamed(), import("use crate::factorial as fact;")]),
        &["`demo::fact` is renamed to `factorial`; 1 use is left as before: src/lib.rs:21"],
    );
    calls_warn(
        json!([renamed(), import("#[rustfmt::skip]\nuse crate::fact;")]),
        &["`demo::fact` is renamed to `factorial`; 3 uses are left as before: src/lib.rs:21, \
           src/lib.rs:47, src/lib.rs:50"],
    );
    calls_warn(
        json!([
            heads("crate::Node", "pub struct Knot"),
            finds("<crate::Node>", "impl Node", "impl Knot")
        ]),
        &["`demo::Node` is renamed to `Knot`; 1 use is left as before: src/lib.rs:36"],
    );
}

#[test]
fn uses_of_an_item_that_is_deleted_or_moved_are_counted_by_place() {
    let delete = || json!({ "mode": "delete", "path": "crate::m::a" });
    calls_warn(
        json!([delete(), finds("crate::b", "m::a(1)", "1")]),
        &["`demo::m::a` is deleted; 4 uses are left as before: src/lib.rs:10, src/lib.rs:15, \
           src/lib.rs:46, src/lib.rs:50"],
    );
    // To another module; only the path of a use changes.
    let insert = || {
        json!({ "mode": "insert", "anchor": "crate::n", "position": "last_child",
        "code": "pub fn a(x: u32) -> u32 {\n    x\n}" })
    };
    calls_warn(
        json!([delete(), insert(), finds("crate::b", "m::a(2)", "n::a(2)")]),
        &["`demo::m::a` is deleted; 4 uses are left as before: src/lib.rs:9, src/lib.rs:15, \
           src/lib.rs:46, src/lib.rs:50"],
    );
    calls_warn(
        json!([
            delete(),
            insert(),
            finds("crate::b", "one = m", "one = n"),
            finds("crate::b", "two = m", "two = n"),
            finds("crate::c", "m::", "n::"),
            finds("crate::user", "m::a", "n::a"),
        ]),
        &[],
    );
    // The function goes with the calls in it.
    calls_warn(
        json!([{ "mode": "delete", "path": "crate::fact" }]),
        &["`demo::fact` is deleted; 2 uses are left as before: src/lib.rs:47, src/lib.rs:50"],
    );
}

#[test]
fn deleting_what_is_in_use_warns() {
    warns(
        json!([{ "mode": "delete", "path": "crate::LIMIT" }]),
        &["`demo::LIMIT` is deleted; 2 uses are left as before: src/user.rs:1, src/user.rs:5"],
    );
    warns(json!([{ "mode": "delete", "path": "crate::retry::Kind" }]), &[]);
    warns(
        json!([canonical("<crate::retry::Policy>", "impl Policy {}")]),
        &["`demo::retry::Policy::next_delay` is deleted; 1 use is left as before: src/user.rs:9"],
    );
    // It stays where it was under its name.
    warns(
        json!([{ "mode": "delete", "path": "crate::LIMIT" },
               { "mode": "insert", "anchor": "crate::add", "position": "after", "code": "pub use retry::LIMIT;" },
               { "mode": "insert", "anchor": "crate::retry::Kind", "position": "after", "code": "pub const LIMIT: u32 = 4;" }]),
        &[],
    );
    let gone = with_uses().done(
        "plan",
        json!([{ "mode": "delete_file", "file_path": "src/retry.rs" }]),
        &[],
    );
    let warnings = gone["warnings"].to_string();
    assert!(
        warnings.contains("the declaration in src/lib.rs:2 still names src/retry.rs"),
        "{warnings}"
    );
    assert!(
        warnings.contains("5 uses are left as before: src/lib.rs:2, src/user.rs:2, src/user.rs:8"),
        "{warnings}"
    );
    warns(json!([{ "mode": "delete", "path": "crate::user" }]), &[]);
}

#[test]
fn errors_of_a_request_point_at_the_field() {
    let ws = demo();
    let insert = |position: &str| json!({ "mode": "insert", "anchor": "crate::add", "position": position, "code": "fn f() {}" });
    let delete = |path: &str| json!({ "mode": "delete", "path": path });
    for (edits, code, says) in [
        (
            json!([delete("crate::add"), insert("behind")]),
            2,
            "edits[1].position: unknown variant `behind`",
        ),
        (
            json!([{ "mode": "replace", "path": "x" }]),
            2,
            "edits[0].mode: unknown variant `replace`",
        ),
        (json!([{ "path": "x" }]), 2, "edits[0].mode: missing field `mode`"),
        (json!([{ "mode": "delete", "cannon": "x" }]), 2, "edits[0]: unknown field `cannon`"),
        (json!([{ "mode": "delete" }]), 2, "edits[0]: missing field `path`"),
        (json!([{ "mode": "delete", "path": 3 }]), 2, "edits[0].path: invalid type"),
        (json!([3]), 2, "edits[0]: "),
        (json!([insert("after"), delete("crate::nothing")]), 1, "edits[1].path: no item named"),
        // What only the code shows is told by the number, too.
        (
            json!([delete("crate::LIMIT"), canonical("crate::add", " ")]),
            2,
            "edits[1]: canonical of `crate::add`: the code is empty",
        ),
        (
            json!([delete("crate::LIMIT"), canonical("crate::add", "pub struct Add;")]),
            2,
            "edits[1]: `demo::add` is a function",
        ),
        (
            json!([delete("crate::LIMIT"), canonical("crate::add", "pub fn add( {}")]),
            2,
            "edits[1]: src/lib.rs does not parse",
        ),
        (
            json!([delete("crate::LIMIT"), { "mode": "delete_file", "file_path": "src/no.rs" }]),
            1,
            "edits[1]: src/no.rs does not exist",
        ),
        (
            json!([delete("crate::LIMIT"),
                { "mode": "canonical", "path": "crate::add", "find": "u32", "code": "u64" }]),
            2,
            "edits[1]: the text to find occurs 3 times in `crate::add`: src/lib.rs:6",
        ),
    ] {
        ws.refused(edits, code, says);
    }
    // Every edit of the help reads as a request.
    let help = cli::text(ws.root(), &["edit", "plan", "--help"]);
    let request = help.split("all edits are applied, or none):\n").nth(1).unwrap();
    let request =
        request.split("\n  canonical:").next().unwrap().replace("HASH", &ws.hash("src/lib.rs"));
    let read = asof_wire::EditRequest::parse(&request).unwrap();
    let modes: std::collections::BTreeSet<&str> =
        read.edits.iter().map(asof_edit::Edit::mode).collect();
    assert_eq!(modes.len(), asof_edit::Edit::MODES.len());
}

#[test]
fn a_plan_that_changes_what_cargo_runs_says_so() {
    let ws = demo();
    ws.write("Cargo.toml", "[workspace]\nmembers = [\".\", \"derive\"]\n[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\nbuild = \"make/run.rs\"\n");
    ws.write("make/run.rs", "mod steps;\nfn main() { steps::all(); }\n");
    ws.write("make/steps.rs", "pub fn all() {}\n");
    ws.write("derive/Cargo.toml", "[package]\nname = \"derive\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n");
    ws.write("derive/src/lib.rs", "mod parse;\n");
    ws.write("derive/src/parse.rs", "pub fn one() {}\n");
    let warnings = |edits: Json| ws.done("plan", edits, &[])["warnings"].clone();
    let create = |path: &str| json!([{ "mode": "create_file", "file_path": path, "code": "" }]);
    let script = "is code of a build script: whoever builds the workspace runs it";
    let body = |path: &str| json!([{ "mode": "canonical", "path": path, "part": "body", "code": "{ drop(1) }" }]);
    assert_eq!(warnings(body("make/steps.rs:1")), json!([format!("make/steps.rs {script}")]));
    assert_eq!(warnings(create("build.rs")), json!([format!("build.rs {script}")]));
    let derive = "is code of a procedural macro: whoever builds its users runs it";
    assert_eq!(
        warnings(body("derive/src/parse.rs:1")),
        json!([format!("derive/src/parse.rs {derive}")])
    );
    assert_eq!(
        warnings(create("derive/src/more.rs")),
        json!([format!("derive/src/more.rs {derive}")])
    );
    let moved = json!([{ "mode": "rename_file", "file_path": "src/retry.rs", "to": "build.rs" }]);
    assert!(warnings(moved).to_string().contains(&format!("build.rs {script}")));
    for (path, says) in [
        (".cargo/config.toml", "decides which programs Cargo runs"),
        ("sub/.cargo/config", "decides which programs Cargo runs"),
        ("rust-toolchain.toml", "decides which compiler runs"),
        ("sub/Cargo.toml", "decides what Cargo builds, and which code it runs then"),
    ] {
        assert_eq!(warnings(create(path)), json!([format!("{path} {says}")]));
    }
    // What only tests and programs run is no such code.
    for path in ["src/other.rs", "docs/config.toml", "tests/build_it.rs"] {
        assert_eq!(warnings(create(path)), json!([]), "{path}");
    }
    // It is part of the proposal, for whoever decides about it later.
    let id = ws.done("plan", create("build.rs"), &[])["proposal_id"].clone();
    let shown = ws.json(&["edit", "show", id.as_str().unwrap()]).to_string();
    assert!(shown.contains(script), "{shown}");
}
