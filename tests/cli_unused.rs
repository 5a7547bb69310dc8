//! `asof unused` through the binary: what nothing uses, and why it is thought so.

use crate::support;

use serde_json::{Value, json as value};
use support::cli::{asof, code, err, fails, json, text};
use support::repository::Repository;

const LIB: &str = "//! A library.
mod inner;
#[macro_use]
mod macros;
pub fn api() -> u8 { called() }
fn called() -> u8 { 1 }
fn dead() {}
fn recursive(n: u8) -> u8 { if n == 0 { 0 } else { recursive(n - 1) } }
fn _kept() {}
#[allow(dead_code)]
fn allowed() {}
#[unsafe(no_mangle)]
extern \"C\" fn exported() {}
#[get(\"/\")]
fn routed() {}
macro_rules! rules { () => { in_macro(); own.dotted() }; }
pub fn expands() { rules!(); }
fn in_macro() {}
fn preset() -> u8 { 1 }
#[derive(Deserialize)]
pub struct Options {
    #[serde(default = \"preset\")]
    pub width: u8,
}
#[derive(Debug, Clone, Serialize)]
struct Plain;
impl Options {
    fn dotted(&self) {}
    fn silent(&self) {}
    pub fn open(&self) {}
}
const UNREAD: u8 = 1;
struct Only;
impl Clone for Only {
    fn clone(&self) -> Self { Only }
}
#[cfg(test)]
mod tests {
    fn helper() {}
    #[test]
    fn works() {}
    #[tokio::test]
    async fn waits() {}
}
";

const INNER: &str = "//! Private.
pub fn unnameable() {}
pub(crate) fn shared() {}
";

fn workspace() -> Repository {
    let mut repo = Repository::new();
    let manifest = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
    };
    repo.write("Cargo.toml", "[workspace]\nmembers = [\"lib\", \"tool\"]\nresolver = \"2\"\n");
    repo.write("lib/Cargo.toml", &manifest("demo"));
    repo.write("lib/src/lib.rs", LIB);
    repo.write("lib/src/inner.rs", INNER);
    repo.write("lib/src/macros.rs", "//! Macros.\nmacro_rules! lost { () => {}; }\n");
    repo.write("tool/Cargo.toml", &manifest("tool"));
    repo.write("tool/src/main.rs", "fn main() {}\npub fn forgotten() {}\n");
    repo.commit("all");
    text(&repo.root, &["index"]);
    repo
}

/// Path and reason of each item.
fn listed(found: &Value) -> Vec<(String, String)> {
    let items = found["items"].as_array().unwrap();
    let part = |item: &Value, key: &str| item[key].as_str().unwrap().to_owned();
    items.iter().map(|item| (part(item, "path"), part(item, "reason"))).collect()
}

#[test]
fn certain_ones_are_listed_and_guesses_on_request() {
    let repo = workspace();
    let root = &repo.root;
    let found = json(root, &["unused"]);
    let paths: Vec<String> = listed(&found).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        paths,
        [
            "demo::inner::shared",
            "demo::inner::unnameable",
            "demo::Options::silent",
            "demo::Plain",
            "demo::UNREAD",
            "demo::dead",
            "demo::recursive",
            "demo::tests::helper",
            "demo::macros::lost",
            "tool::forgotten",
        ]
    );
    assert_eq!((&found["certain"], &found["uncertain"]), (&value!(10), &value!(2)));
    let dead = found["items"].as_array().unwrap().iter().find(|i| i["path"] == "demo::dead");
    let dead = dead.unwrap();
    assert_eq!((&dead["kind"], &dead["package"]), (&value!("function"), &value!("demo")));
    assert_eq!((&dead["file_path"], &dead["line"]), (&value!("lib/src/lib.rs"), &value!(7)));

    let all = json(root, &["unused", "--guesses"]);
    assert_eq!(all["items"].as_array().unwrap()[..10], found["items"].as_array().unwrap()[..]);
    let rest: Vec<_> = listed(&all).split_off(10);
    let rest: Vec<_> = rest.iter().map(|(path, why)| (path.as_str(), why.as_str())).collect();
    assert_eq!(
        rest,
        [("demo::routed", "attribute"), ("demo::Options::dotted", "unresolved_name"),]
    );
    let shown = text(root, &["unused", "--guesses", "--package", "demo"]);
    assert!(shown.contains("its name is used where it is not resolved"), "{shown}");
    let said = asof(root, &["unused"]);
    assert!(
        err(&said).contains("2 items that something uncertain may use: `--guesses` lists them")
    );
}

#[test]
fn requests_narrow_and_widen_the_list() {
    let repo = workspace();
    let root = &repo.root;
    let paths = |args: &[&str]| -> Vec<String> {
        let found = json(root, &[&["unused"], args].concat());
        listed(&found).into_iter().map(|(path, _)| path).collect()
    };
    assert_eq!(paths(&["--kind", "macro"]), ["demo::macros::lost"]);
    assert_eq!(paths(&["--package", "tool"]), ["tool::forgotten"]);
    assert_eq!(paths(&["lib/src/inner.rs", "--limit", "1"]), ["demo::inner::shared"]);
    assert!(!paths(&["--exclude-tests"]).contains(&"demo::tests::helper".to_owned()));
    assert!(paths(&["--allowed"]).contains(&"demo::allowed".to_owned()));
    let public = paths(&["--public", "--kind", "method"]);
    assert_eq!(public, ["demo::Options::silent", "demo::Options::open"]);
    fails(root, &["unused", "--kind", "field"], 2, "a field is never listed as unused");
    fails(root, &["unused", "--package", "none"], 1, "no package `none`");
    fails(root, &["unused", "demo::nowhere"], 1, "no item");
    assert_eq!(
        text(root, &["unused", "lib/src/inner.rs", "--kind", "trait"]).lines().next(),
        Some("no item that certainly nothing uses")
    );
}

#[test]
fn a_file_that_does_not_parse_leaves_a_doubt_about_what_it_can_name() {
    let repo = workspace();
    repo.write("lib/src/inner.rs", "//! Private.\nfn hidden() {}\nfn broken( {\n");
    let found = json(&repo.root, &["unused", "--guesses", "--package", "demo"]);
    let reason = |path: &str| {
        let all = listed(&found);
        all.into_iter().find(|(found, _)| found == path).map(|(_, reason)| reason)
    };
    // `inner` is below the root, so it can name what is private there.
    assert_eq!(reason("demo::dead").as_deref(), Some("partial"));
    assert_eq!(reason("demo::tests::helper").as_deref(), Some("unmentioned"));
}

#[test]
fn checks_fail_for_scripts() {
    let repo = workspace();
    let root = &repo.root;
    let found = asof(root, &["unused", "--check", "--package", "tool"]);
    assert_eq!(code(&found), 8, "{}", err(&found));
    assert!(err(&found).contains("nothing uses 1 item"), "{}", err(&found));
    assert_eq!(code(&asof(root, &["unused", "--check", "--kind", "trait"])), 0);
    assert_eq!(code(&asof(root, &["quality", "--check", "--max-complexity", "1"])), 8);
    assert_eq!(code(&asof(root, &["quality", "--check", "--max-complexity", "50"])), 0);
    fails(root, &["quality", "--check"], 2, "`--check` needs a limit");
}

/// Findings of commands that have some, for code scanning.
#[test]
fn findings_are_written_as_sarif() {
    let repo = Repository::two_commits();
    text(&repo.root, &["index"]);
    let log = |args: &[&str]| -> Vec<String> {
        let output = asof(&repo.root, &[args, &["--format", "sarif"]].concat());
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(log["version"], "2.1.0", "{}", err(&output));
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap().iter();
        let line = |result: &Value| {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"], "{log}");
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            format!("{} {} {}", text(&result["level"]), text(&result["ruleId"]), text(place))
        };
        results.map(line).collect()
    };
    let removed = "error item_removed src/lib.rs".to_owned();
    assert!(log(&["api", "--diff", "v1..HEAD"]).contains(&removed));
    assert!(log(&["review", "v1..HEAD"]).contains(&"note removed src/lib.rs".to_owned()));
    repo.write("src/lib.rs", "pub fn new() {}\nfn dead() {}\n");
    assert_eq!(log(&["unused"]), ["warning unmentioned src/lib.rs"]);
    for args in [&["outline", "."][..], &["api"]] {
        let output = asof(&repo.root, &[args, &["--format", "sarif"]].concat());
        assert_eq!((code(&output), output.stdout.len()), (2, 0), "{}", err(&output));
    }
}

/// `tests/common.rs` is the body of three modules: of the target that Cargo makes of it, and of
/// `mod common;` in two others.
fn shared_file() -> Repository {
    let repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    repo.write("Cargo.toml", manifest);
    repo.write("src/lib.rs", "//! Nothing.\n");
    let common = "pub fn setup() { step(0) }\nfn step(n: u8) { step(n) }\npub fn only() {}\n\
                  pub fn idle() {}\npub trait Case {}\npub struct Kept;\n";
    repo.write("tests/common.rs", common);
    let one = "mod common;\nuse common::setup;\nstruct One;\nimpl common::Case for One {}\n\
               #[test]\nfn t() { setup(); let _ = One; }\n";
    repo.write("tests/one.rs", one);
    repo.write(
        "tests/two.rs",
        "#[allow(unused)]\nmod common;\n#[test]\nfn t() { common::only() }\n",
    );
    text(&repo.root, &["index"]);
    repo
}

#[test]
fn what_one_module_of_a_shared_file_uses_is_used() {
    let repo = shared_file();
    let root = &repo.root;
    // `two` allows that `idle` and `Kept` are not used.
    assert_eq!(listed(&json(root, &["unused"])), []);
    // Once, although three modules have it.
    let idle = |path: &str| (path.to_owned(), "unmentioned".to_owned());
    let all = json(root, &["unused", "--allowed"]);
    assert_eq!(listed(&all), [idle("common::Kept"), idle("common::idle")]);
    assert_eq!(all["certain"], 2);
    assert_eq!(
        listed(&json(root, &["unused", "--allowed", "two"])),
        [idle("two::common::Kept"), idle("two::common::idle")]
    );
    repo.write("tests/two.rs", "mod common;\n#[test]\nfn t() { common::only() }\n");
    assert_eq!(code(&asof(root, &["unused", "--check"])), 8);
    assert_eq!(listed(&json(root, &["unused"])), [idle("common::Kept"), idle("common::idle")]);
    // An equal text in another file is another item.
    repo.write("tests/alone.rs", "mod own { pub fn only() {} }\n");
    assert!(listed(&json(root, &["unused"])).contains(&idle("alone::own::only")));
    fails(root, &["refs", "only"], 3, "means 4 definitions");
}

#[test]
fn questions_about_one_module_of_a_shared_file_are_about_its_text() {
    let repo = shared_file();
    let root = &repo.root;
    let places = |args: &[&str]| -> Vec<String> {
        let found = json(root, args);
        let place =
            |item: &Value| format!("{}:{}", item["file_path"].as_str().unwrap(), item["line"]);
        found["items"].as_array().unwrap().iter().map(place).collect()
    };
    for path in ["common::setup", "one::common::setup", "two::common::setup", "setup"] {
        assert_eq!(places(&["refs", path]), ["tests/one.rs:2", "tests/one.rs:6"], "{path}");
        assert_eq!(places(&["callers", path]), ["tests/one.rs:6"], "{path}");
        assert_eq!(places(&["lineage", path]), ["tests/one.rs:6"], "{path}");
        assert_eq!(places(&["impact", path]), ["tests/one.rs:6"], "{path}");
    }
    assert_eq!(json(root, &["refs", "two::common::setup"])["symbol"]["path"], "two::common::setup");
    assert_eq!(places(&["implementations", "two::common::Case"]), ["tests/one.rs:4"]);
    // A place of the file is one, although three modules have it.
    let steps = ["tests/common.rs:1", "tests/common.rs:2"];
    assert_eq!(places(&["refs", "one::common::step"]), steps);
    let way = text(root, &["path", "one::t", "common::setup"]);
    assert!(way.contains("tests/one.rs:6"), "{way}");
    let shown = asof(root, &["refs", "common::idle"]);
    assert!(err(&shown).contains("no use in the workspace (proven)"), "{}", err(&shown));
    for (query, answer) in [("is common::only unused?", "no"), ("is common::idle unused?", "yes")] {
        let found = json(root, &["verify", "--query", query, "--answer", answer]);
        assert_eq!(found["verdict"], "ExactMatch", "{found}");
    }
}

#[test]
fn a_file_that_two_declarations_name_has_each_item_once() {
    let repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    repo.write("Cargo.toml", manifest);
    let program = "#[path = \"parts/shared.rs\"]\nmod shared;\n";
    repo.write("src/bin/a.rs", &format!("{program}fn main() {{ shared::used() }}\n"));
    repo.write("src/bin/b.rs", &format!("{program}fn main() {{}}\n"));
    repo.write("src/bin/parts/shared.rs", "pub fn used() {}\nfn dead() {}\n");
    let root = &repo.root;
    text(root, &["index"]);
    let dead = ("a::shared::dead".to_owned(), "unmentioned".to_owned());
    assert_eq!(listed(&json(root, &["unused"])), [dead]);
    let unreachable = text(root, &["query", "--name", "graph/unreachable"]);
    assert!(unreachable.contains("::dead") && !unreachable.contains("::used"), "{unreachable}");
    assert_eq!(json(root, &["refs", "b::shared::used"])["total"], 1);
}
