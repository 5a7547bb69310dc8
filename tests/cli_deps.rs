//! `asof deps` through the binary: what names each dependency, what is wrong with its entry, and what
//! may contradict that.

use crate::support;

use serde_json::{Value, json as value};
use support::cli::{asof, code, fails, json, text};
use support::repository::Repository;

const MANIFEST: &str = "[package]
name = \"app\"
version = \"0.1.0\"
edition = \"2021\"

[features]
fast = []
named = [\"enabled/x\"]

[dependencies]
used = { path = \"../used\" }
# nothing names it
dead = { path = \"../dead\" }
tested = { path = \"../tested\" }
gated = { path = \"../gated\" }
enabled = { path = \"../enabled\" }
ruled = { path = \"../ruled\" }
scripted = { path = \"../scripted\" }
other-name = { path = \"../renamed\", package = \"renamed\" }
kept = { path = \"../kept\" }
serde = \"1\"
serde_derive = \"1\"
plain = \"1\"
native-sys = \"1\"
absent = \"1\"

[dev-dependencies]
used = { path = \"../used\" }

[build-dependencies]
scripted = { path = \"../scripted\" }

[package.metadata.cargo-machete]
ignored = [\"kept\"]
";

const LIB: &str = "//! An application.
//!
//! ```
//! tested::check();
//! ```
use serde_derive::Serialize;
pub use used::T;
#[derive(Serialize)]
pub struct S;
#[cfg(feature = \"fast\")]
pub fn fast() { gated::run() }
macro_rules! rules { () => { ruled::f() }; }
pub fn renamed() { other_name::f() }
#[cfg(test)]
mod tests {
    use tested::check;
}
";

const LOCK: &str = "version = 4
[[package]]
name = \"app\"
version = \"0.1.0\"
dependencies = [\"absent\", \"native-sys\", \"plain\", \"serde\", \"serde_derive\"]
";

/// A package in the folder of sources that Cargo was told of.
fn vendor(repo: &Repository, name: &str, manifest: &str, code: &str) {
    let folder = format!("vendor/{name}");
    repo.write(&format!("{folder}/.cargo-checksum.json"), "{\"files\":{}}");
    let head = format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\n{manifest}");
    repo.write(&format!("{folder}/Cargo.toml"), &head);
    repo.write(&format!("{folder}/src/lib.rs"), code);
}

fn workspace() -> Repository {
    let mut repo = Repository::new();
    let members =
        ["used", "dead", "tested", "gated", "enabled", "ruled", "scripted", "renamed", "kept"];
    let listed: Vec<String> = members.iter().map(|name| format!("\"{name}\"")).collect();
    repo.write(
        "Cargo.toml",
        &format!(
            "[workspace]\nmembers = [\"app\", {}]\nexclude = [\"vendor\"]\nresolver = \"2\"\n\
             [workspace.dependencies]\nlonely = \"1\"\n",
            listed.join(", ")
        ),
    );
    repo.write(
        ".cargo/config.toml",
        "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n",
    );
    repo.write("app/Cargo.toml", MANIFEST);
    repo.write("app/src/lib.rs", LIB);
    repo.write("app/build.rs", "fn main() { scripted::run() }\n");
    for name in members {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\n");
        repo.write(&format!("{name}/Cargo.toml"), &manifest);
        repo.write(&format!("{name}/src/lib.rs"), "pub struct T;\n");
    }
    vendor(&repo, "serde", "", "pub trait Serialize {}\n");
    vendor(
        &repo,
        "serde_derive",
        "[lib]\nproc-macro = true\n",
        "#[proc_macro_derive(Serialize, attributes(serde))]\n\
         pub fn derive(_: proc_macro::TokenStream) -> proc_macro::TokenStream {\n\
         \"extern crate serde as _serde;\".parse().unwrap()\n}\n",
    );
    vendor(&repo, "plain", "", "pub fn f() {}\n");
    vendor(&repo, "native-sys", "links = \"native\"\n", "pub fn f() {}\n");
    let mut lock = LOCK.to_owned();
    for name in ["absent", "native-sys", "plain", "serde", "serde_derive"] {
        let source = "registry+https://github.com/rust-lang/crates.io-index";
        lock.push_str(&format!(
            "[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\nsource = \"{source}\"\n"
        ));
    }
    repo.write("Cargo.lock", &lock);
    repo.commit("all");
    text(&repo.root, &["index"]);
    repo
}

/// The findings of the table of each key: `key table: finding doubt about`.
fn findings(found: &Value) -> Vec<String> {
    let items = found["items"].as_array().unwrap().iter();
    let found = items.filter(|item| item.get("finding").is_some()).map(|item| {
        let part = |key: &str| item.get(key).and_then(Value::as_str).unwrap_or("-").to_owned();
        let keys = ["key", "table", "finding", "doubt", "about"];
        keys.map(part).join(" ")
    });
    found.collect()
}

#[test]
fn each_entry_is_judged() {
    let repo = workspace();
    let root = &repo.root;
    let found = json(root, &["deps"]);
    assert_eq!(
        findings(&found),
        [
            "lonely workspace unused - -",
            "absent normal unused unknown_sources -",
            "dead normal unused - -",
            "enabled normal unused feature named",
            "gated normal only_feature - fast",
            "kept normal unused ignored -",
            "native-sys normal unused links -",
            "plain normal unused - -",
            "scripted normal only_build_script - -",
            "serde normal unused macro Serialize",
            "tested normal only_tests - -",
            "used dev duplicate - used",
        ]
    );
    assert_eq!((&found["certain"], &found["uncertain"]), (&value!(7), &value!(5)));
    let item = |key: &str| {
        let items = found["items"].as_array().unwrap();
        items.iter().find(|item| item["key"] == key && item["table"] == "normal").unwrap().clone()
    };
    let used = item("used");
    assert_eq!(
        used["uses"],
        value!([{
            "item": "used::T", "how": "reexport", "target_kind": "lib", "in_test": false,
            "places": 1, "file_path": "app/src/lib.rs", "line": 7,
        }])
    );
    assert_eq!((&used["manifest_path"], &used["line"]), (&value!("app/Cargo.toml"), &value!(11)));
    assert_eq!(item("other-name")["uses"][0]["item"], "other_name::f");
    assert_eq!(item("gated")["uses"][0]["condition"], "feature = \"fast\"");
    assert_eq!(item("ruled")["uses"][0]["how"], "tokens");
    assert_eq!(item("plain")["locked"], "1.0.0");
    let tested: Vec<Value> =
        item("tested")["uses"].as_array().unwrap().iter().map(|one| one["how"].clone()).collect();
    assert_eq!(tested, ["import", "doc_test"]);
}

#[test]
fn certain_ones_are_listed_and_guesses_on_request() {
    let repo = workspace();
    let root = &repo.root;
    let certain = json(root, &["deps", "--unused"]);
    assert_eq!(certain["total"], 7);
    assert!(certain["items"].as_array().unwrap().iter().all(|item| item["certain"] == true));
    let all = json(root, &["deps", "--unused", "--guesses"]);
    assert_eq!(all["total"], 12);
    let one = json(root, &["deps", "renamed"]);
    assert_eq!(
        (one["total"].clone(), one["items"][0]["key"].clone()),
        (value!(1), value!("other-name"))
    );
    let shown = text(root, &["deps", "--unused", "--guesses", "--package", "app"]);
    for line in ["unused? what a macro makes may name it: Serialize", "only tests use it"] {
        assert!(shown.contains(line), "{shown}");
    }
    assert_eq!(code(&asof(root, &["deps", "--unused", "--check"])), 8);
    assert_eq!(code(&asof(root, &["deps", "--package", "used", "--check"])), 0);
    fails(root, &["deps", "--package", "nowhere"], 1, "no package `nowhere`");
    fails(root, &["deps", "nowhere"], 1, "no dependency `nowhere`");
}

#[test]
fn a_moment_of_the_past_is_a_commit() {
    let mut repo = workspace();
    let root = repo.root.clone();
    text(&root, &["index", "--history"]);
    repo.write("app/src/lib.rs", &format!("{LIB}pub fn more() {{ dead::f() }}\n"));
    repo.commit("a use");
    text(&root, &["index", "--history"]);
    assert!(!findings(&json(&root, &["deps"])).iter().any(|one| one.starts_with("dead ")));
    let past = json(&root, &["deps", "--at", "HEAD~1"]);
    assert!(findings(&past).iter().any(|one| one == "dead normal unused - -"));
    repo.write("app/Cargo.toml", "[package\n");
    let broken = json(&root, &["deps"]);
    assert!(broken["broken"][0].as_str().unwrap().starts_with("app/Cargo.toml: "), "{broken}");
    fails(&root, &["deps", "--package", "app"], 1, "no package `app`");
}

#[test]
fn a_fix_edits_all_manifests_or_none() {
    let repo = workspace();
    let root = &repo.root;
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let shown = text(root, &["deps", "--fix", "--dry-run"]);
    assert!(shown.contains("-dead = { path"), "{shown}");
    assert_eq!(read("app/Cargo.toml"), MANIFEST);
    fails(root, &["deps", "--fix", "--at", "HEAD"], 2, "as they are now");

    let applied = json(root, &["deps", "--fix"]);
    let edited = read("app/Cargo.toml");
    for gone in ["dead", "# nothing names it", "plain", "[dev-dependencies]\nused"] {
        assert!(!edited.contains(gone), "{gone}: {edited}");
    }
    for kept in [
        "used = { path = \"../used\" }\n",
        "[dev-dependencies]\ntested = { path = \"../tested\" }",
        "[build-dependencies]\nscripted",
        "serde = \"1\"",
        "native-sys",
        "absent",
        "enabled",
        "kept",
        "gated = { path = \"../gated\" }",
    ] {
        assert!(edited.contains(kept), "{kept}: {edited}");
    }
    assert!(!read("Cargo.toml").contains("lonely"));
    let left = json(root, &["deps", "--unused"]);
    assert_eq!(findings(&left), ["gated normal only_feature - fast"]);
    text(root, &["edit", "undo", applied["proposal_id"].as_str().unwrap()]);
    assert_eq!(read("app/Cargo.toml"), MANIFEST);
}
