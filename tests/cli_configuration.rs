//! Questions under configurations, through the binary: features, targets, flags, tests.

use std::collections::BTreeMap;
use std::fs;

use crate::support::cli;
use crate::support::tempdir;

use asof_wire::ConfigurationRequest;
use cli::{asof, code, err, fails, json, out};
use serde_json::Value as Json;
use tempfile::TempDir;

const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
[features]\ndefault = [\"rt\"]\nrt = []\nnet = [\"rt\"]\n";

const LIB: &str = "\
#[cfg(unix)]
pub mod sys {
    pub fn open() {}
}
#[cfg(windows)]
pub mod sys {
    pub fn open() {}
}
#[cfg(feature = \"net\")]
pub fn dial() {
    sys::open()
}
#[cfg(feature = \"rt\")]
pub fn run() {
    #[cfg(loom)]
    model();
    sys::open();
}
pub fn top() {
    run();
    helper();
}
pub fn model() {}
#[cfg(test)]
fn helper() {}
#[cfg(not(test))]
fn helper() {}
#[cfg(test)]
mod tests {
    #[test]
    fn runs() {
        super::helper();
    }
}
";

fn workspace() -> TempDir {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    fs::write(dir.path().join("Cargo.toml"), MANIFEST).unwrap();
    fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
    assert_eq!(code(&asof(dir.path(), &["index"])), 0);
    dir
}

const LINUX: &[&str] = &["--target", "x86_64-unknown-linux-gnu"];
const WINDOWS: &[&str] = &["--target", "x86_64-pc-windows-msvc"];

/// Each item with the condition that the configuration does not have.
#[track_caller]
fn check(question: &[&str], configuration: &[&str], expected: &[(&str, Option<&str>)]) {
    let dir = workspace();
    let found = json(dir.path(), &[question, configuration].concat());
    let items = found["items"].as_array().unwrap().iter();
    let items: Vec<(&str, Option<&str>)> = items
        .map(|item| (item["item"]["path"].as_str().unwrap(), item["other_condition"].as_str()))
        .collect();
    assert_eq!(items, expected, "{configuration:?}");
    let others = expected.iter().filter(|(_, other)| other.is_some()).count();
    assert_eq!(found["other_conditions"].as_u64().unwrap_or_default(), others as u64);
}

const OPEN: &[&str] = &["callers", "a::sys::open", "--all"];
const NET: &str = "all(feature = \"net\", unix)";
const LOOM: &str = "all(feature = \"rt\", loom)";
const RT: &str = "all(feature = \"rt\", unix)";

#[test]
fn default_features_are_set() {
    check(OPEN, LINUX, &[("a::run", None), ("a::dial", Some(NET))]);
}

#[test]
fn features_are_chosen() {
    let none = [LINUX, &["--no-default-features"]].concat();
    check(OPEN, &none, &[("a::dial", Some(NET)), ("a::run", Some(RT))]);
    let all = [("a::dial", None), ("a::run", None)];
    check(OPEN, &[LINUX, &["--all-features"]].concat(), &all);
    check(OPEN, &[LINUX, &["--features", "net"]].concat(), &all);
    check(OPEN, &[LINUX, &["--no-default-features", "--features", "a/net"]].concat(), &all);
    check(OPEN, &["--any-cfg"], &all);
}

#[test]
fn a_target_is_chosen() {
    let dir = workspace();
    let places = |target: &[&str]| {
        let found = json(dir.path(), &[&["refs", "a::sys::open", "--all"], target].concat());
        let items = found["items"].as_array().unwrap().clone();
        items
            .iter()
            .filter(|item| item["other_condition"].is_null())
            .map(|item| item["target"].clone())
            .collect::<Vec<Json>>()
    };
    let (linux, windows) = (places(LINUX), places(WINDOWS));
    assert_eq!((linux.len(), windows.len()), (1, 1));
    assert_ne!(linux, windows);
}

#[test]
fn of_several_definitions_a_configuration_has_one() {
    let dir = workspace();
    fails(dir.path(), &["show", "a::sys::open"], 3, "means 2 definitions");
    for (target, line) in [(LINUX, 3), (WINDOWS, 7)] {
        let found = json(dir.path(), &[&["resolve", "a::sys::open"], target].concat());
        assert_eq!(found["items"][0]["span"]["start_line"], line, "{found}");
        assert_eq!(found["total"], 1, "{found}");
    }
    // Where it has none, all are named.
    let wasm = ["resolve", "a::sys::open", "--target", "wasm32-unknown-unknown"];
    assert_eq!(json(dir.path(), &wasm)["total"], 2);
}

#[test]
fn a_statement_has_its_own_condition() {
    check(&["callers", "a::model"], LINUX, &[("a::run", Some(LOOM))]);
    check(&["callers", "a::model"], &[LINUX, &["--cfg", "loom"]].concat(), &[("a::run", None)]);
    check(
        &["callees", "a::run", "--kind", "call"],
        &[LINUX, &["--cfg", "loom"]].concat(),
        &[
            ("a::model", None),
            ("a::sys::open", None),
            ("a::sys::open", Some("all(feature = \"rt\", windows)")),
        ],
    );
}

#[test]
fn test_is_set_for_test_code() {
    check(
        &["refs", "a::helper", "--all"],
        LINUX,
        &[("a::top", None), ("a::tests::runs", None), ("a::top", Some("test"))],
    );
}

#[test]
fn a_way_that_the_configuration_has_comes_before_a_shorter_one() {
    let dir = workspace();
    let lib = "pub fn end() {}\npub fn middle() { end() }\n\
               pub fn far() {\n#[cfg(loom)]\nend();\nmiddle() }\npub fn last() { far() }\n";
    fs::write(dir.path().join("src/lib.rs"), lib).unwrap();
    let lineage = |more: &[&str]| {
        let found = json(dir.path(), &[&["lineage", "a::end"], more].concat());
        let items = found["items"].as_array().unwrap().clone();
        items
            .iter()
            .map(|item| {
                assert!(item["other_condition"].is_null(), "{item}");
                (item["depth"].as_u64().unwrap(), item["item"]["path"].as_str().unwrap().to_owned())
            })
            .collect::<Vec<_>>()
    };
    let item = |depth, path: &str| (depth, path.to_owned());
    let here = [item(1, "a::middle"), item(2, "a::far"), item(3, "a::last")];
    assert_eq!(lineage(&[]), here);
    let loom = [item(1, "a::far"), item(1, "a::middle"), item(2, "a::last")];
    assert_eq!(lineage(&["--cfg", "loom"]), loom);
}

#[test]
fn text_names_the_condition() {
    let dir = workspace();
    let run = asof(dir.path(), &[&["refs", "a::model"], LINUX].concat());
    let text = out(&run);
    assert!(text.contains("under other conditions:\n"), "{text}");
    assert!(text.contains("in a::run  under all(feature = \"rt\", loom)\n"), "{text}");
    assert!(
        err(&run).contains("1 use in 1 file, 1 of them under other conditions"),
        "{}",
        err(&run)
    );
    let lineage = out(&asof(dir.path(), &[&["impact", "a::model"], LINUX].concat()));
    assert!(lineage.contains("under other conditions:\n"), "{lineage}");
}

#[test]
fn a_bad_configuration_is_an_error_with_what_to_do() {
    let dir = workspace();
    let top = ["callers", "a::top"];
    for (arguments, expected) in [
        (["--features", "nett"], "did you mean `net`?"),
        (["--features", "b/net"], "no package of the workspace has the feature `b/net`"),
        (["--target", "linux-gnu"], "targets with a similar name: "),
        (["--cfg", "not(loom)"], "`not(loom)` is not a flag"),
        (["--cfg", ""], "`` is not a flag"),
    ] {
        fails(dir.path(), &[&top[..], &arguments].concat(), 2, expected);
    }
    fails(dir.path(), &["index", "--all-features"], 2, "this command has no configuration");
    fails(dir.path(), &["serve", "--any-cfg"], 2, "with each request");
}

#[test]
fn features_of_a_manifest_that_changes_are_read_again() {
    let dir = workspace();
    let callers = |features: &str| {
        let manifest = MANIFEST.replace("default = [\"rt\"]", features);
        fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
        let found = json(dir.path(), &[OPEN, LINUX].concat());
        found["other_conditions"].as_u64().unwrap_or_default()
    };
    assert_eq!(callers("default = [\"rt\"]"), 1);
    assert_eq!(callers("default = [\"net\"]"), 0);
    assert_eq!(callers("default = []"), 2);
}

#[test]
fn a_configuration_that_is_written_reads_as_itself() {
    for text in [
        "",
        "--any-cfg",
        "--cfg loom --cfg 'backend=\"mock\"' --all-features",
        "--no-default-features --features a,p/b --target wasm32-unknown-unknown",
    ] {
        let request: ConfigurationRequest = text.parse().unwrap();
        assert_eq!(request.to_string().parse(), Ok(request), "{text}");
    }
    for text in ["full", "--feature x", "--cfg", "--cfg 'a", "--target a --target b"] {
        let error = serde_json::from_value::<ConfigurationRequest>(text.into()).unwrap_err();
        assert!(error.to_string().contains("all-features"), "{error}");
    }
}

const SYS: &str = "pub mod sys {\n    pub fn open() {}\n}\n";

/// Plans an edit of `a::sys::open`, of which there are two.
fn edit(dir: &TempDir, configuration: &[&str]) -> std::process::Output {
    let request = r#"{"edits": [{"mode": "canonical", "path": "a::sys::open", "part": "body",
        "code": "{ let _ = 1; }"}]}"#;
    let file = dir.path().join("edit.json");
    fs::write(&file, request).unwrap();
    let plan = ["edit", "plan", "--file", file.to_str().unwrap(), "--format", "json"];
    asof(dir.path(), &[&plan[..], configuration].concat())
}

#[test]
fn an_edit_means_the_definition_of_its_configuration() {
    let dir = workspace();
    let run = edit(&dir, &[]);
    assert_eq!(code(&run), 3, "{}", err(&run));
    for line in ["src/lib.rs:3 cfg(unix)", "src/lib.rs:7 cfg(windows)"] {
        assert!(err(&run).contains(line), "{}", err(&run));
    }
    let planned = |configuration: &[&str]| -> Json {
        let run = edit(&dir, configuration);
        assert_eq!(code(&run), 0, "{}", err(&run));
        serde_json::from_str(&out(&run)).unwrap()
    };
    assert_eq!(planned(LINUX)["edits"][0]["span_before"]["start_line"], 3);
    let plan = planned(WINDOWS);
    assert_eq!(plan["edits"][0]["span_before"]["start_line"], 7);
    // The proposal keeps it: the file is another one now, so the path is resolved again.
    let file = dir.path().join("src/lib.rs");
    fs::write(&file, format!("// New.\n{LIB}")).unwrap();
    let id = plan["proposal_id"].as_str().unwrap();
    let run = asof(dir.path(), &["edit", "apply", id]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    let changed = format!("// New.\n{LIB}").replacen(
        &format!("#[cfg(windows)]\n{SYS}"),
        &format!("#[cfg(windows)]\n{}", SYS.replace("{}", "{ let _ = 1; }")),
        1,
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), changed);
    fails(dir.path(), &["edit", "list", "--all-features"], 2, "this command has no configuration");
}

#[test]
fn candidates_have_their_conditions() {
    let dir = workspace();
    let run = asof(dir.path(), &["show", "a::sys::open"]);
    for line in ["src/lib.rs:3 cfg(unix)", "src/lib.rs:7 cfg(windows)"] {
        assert!(err(&run).contains(line), "{}", err(&run));
    }
    let found = json(dir.path(), &["resolve", "a::sys::open"]);
    let conditions = found["items"].as_array().unwrap().iter().map(|item| &item["condition"]);
    assert_eq!(conditions.collect::<Vec<_>>(), ["unix", "windows"]);
}

/// Paths and lines of results, with the condition that the configuration does not have.
fn results(found: &Json, list: &str, line: &str) -> Vec<(String, u64, Option<String>)> {
    let items = found[list].as_array().unwrap().iter();
    let path = |item: &Json| {
        let path = item["canonical_path"].as_str().or(item["path"].as_str());
        path.unwrap().to_owned()
    };
    let other = |item: &Json| item["other_condition"].as_str().map(str::to_owned);
    items.map(|item| (path(item), item[line].as_u64().unwrap(), other(item))).collect()
}

#[test]
fn a_search_says_what_the_configuration_does_not_have() {
    let dir = workspace();
    let open = |configuration: &[&str]| {
        let words = ["search", "open", "--kind", "function", "--path", "src"];
        let found = json(dir.path(), &[&words[..], configuration].concat());
        let results = found["results"].as_array().unwrap();
        let one = results.iter().find(|one| one["canonical_path"] == "a::sys::open").unwrap();
        let place = |one: &Json, line: &str| {
            (one[line].as_u64().unwrap(), one["other_condition"].as_str().map(str::to_owned))
        };
        let alike = one["alike"].as_array().unwrap().iter().map(|like| place(like, "line"));
        std::iter::once(place(one, "start_line")).chain(alike).collect::<Vec<_>>()
    };
    let windows = Some("windows".to_owned());
    let unix = Some("unix".to_owned());
    // One entry stands for both, and what the configuration has for what it does not have.
    assert_eq!(open(LINUX), [(3, None), (7, windows)]);
    // An answer that was kept is not that of another one.
    assert_eq!(open(WINDOWS), [(7, None), (3, unix)]);
    assert_eq!(open(&["--any-cfg"]), [(3, None), (7, None)]);
    let text = out(&asof(dir.path(), &[&["search", "open"], WINDOWS].concat()));
    assert!(text.contains("    and 1 like it: src/lib.rs:3 (under unix)\n"), "{text}");
}

#[test]
fn an_answer_that_was_kept_is_that_of_its_configuration() {
    let dir = workspace();
    let database = asof::Database::open(dir.path()).unwrap();
    let others = |configuration: &[&str]| {
        let snapshot = database.snapshot(&asof::When::Now, asof::Refresh::Skip).unwrap();
        let snapshot = snapshot.under(configuration.join(" ").parse().unwrap()).unwrap();
        let intent = "open sys".to_owned();
        let found = snapshot.context(&asof_wire::ContextRequest { intent, ..Default::default() });
        let files = found.unwrap().files;
        let items = files.iter().flat_map(|file| &file.items);
        let open = items.filter(|item| item.path == "a::sys::open");
        open.map(|item| (item.start_line, item.other_condition.clone())).collect::<BTreeMap<_, _>>()
    };
    let of = |line: u32, condition: &str| {
        let other = 10 - line;
        BTreeMap::from([(other, None), (line, Some(condition.to_owned()))])
    };
    assert_eq!(others(LINUX), of(7, "windows"));
    assert_eq!(others(WINDOWS), of(3, "unix"));
    assert_eq!(others(LINUX), of(7, "windows"));
}

#[test]
fn context_says_what_the_configuration_does_not_have() {
    let dir = workspace();
    let of_windows = [&["context", "--token-budget", "500", "--hint", "open"], WINDOWS].concat();
    let found = json(dir.path(), &of_windows);
    let items = results(&found, "items", "start_line");
    let open = items.iter().filter(|(path, ..)| path == "a::sys::open");
    let lines: Vec<(u64, Option<&str>)> =
        open.map(|(_, line, other)| (*line, other.as_deref())).collect();
    assert_eq!(lines, [(7, None), (3, Some("unix"))]);
    let first = items.iter().position(|(_, _, other)| other.is_some()).unwrap();
    assert!(items.iter().skip(first).all(|(_, _, other)| other.is_some()), "{items:?}");
    let text = out(&asof(dir.path(), &of_windows));
    assert!(text.contains("// a::sys::open src/lib.rs:3-3 under unix  ["), "{text}");
    let files = json(dir.path(), &[&["context", "open sys"], WINDOWS].concat());
    let items = results(&files["files"][0], "items", "start_line");
    assert!(items.iter().any(|(_, line, other)| *line == 3 && other.is_some()), "{files}");
}
