//! `asof affected` through the binary: which packages and targets a change can reach.

use crate::support;

use serde_json::Value;
use support::cli::{asof, code, err, fails, json, out, text};
use support::repository::Repository;

/// `base` has a public function for each of its users; `app` uses one in its library, `side` one in
/// its tests. `derive` is a procedural macro, which `app` depends on.
fn workspace() -> Repository {
    let mut repo = Repository::new();
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}")
    };
    let members = "[workspace]\nmembers = [\"app\", \"base\", \"derive\", \"other\", \"side\"]\n";
    repo.write("Cargo.toml", members);
    repo.write("base/Cargo.toml", &manifest("base", ""));
    repo.write(
        "base/src/lib.rs",
        "mod inner;\npub fn wide() -> u32 {\n    inner::one()\n}\npub fn narrow() -> u32 {\n    3\n}\n\
         pub fn alone() -> u32 {\n    4\n}\nfn own() -> u32 {\n    5\n}\n\
         #[cfg(test)]\nmod tests {\n    #[test]\n    fn own() {\n        assert_eq!(super::own(), 5);\n    }\n}\n",
    );
    repo.write("base/src/inner.rs", "pub fn one() -> u32 {\n    1\n}\n");
    repo.write(
        "base/tests/alone.rs",
        "#[test]\nfn alone() {\n    assert_eq!(base::alone(), 4);\n}\n",
    );
    let deps = "[dependencies]\nbase = { path = \"../base\" }\nderive = { path = \"../derive\" }\n";
    repo.write("app/Cargo.toml", &manifest("app", deps));
    repo.write("app/src/lib.rs", "pub fn twice() -> u32 {\n    base::wide() * 2\n}\n");
    repo.write("app/tests/app.rs", "#[test]\nfn twice() {\n    assert_eq!(app::twice(), 2);\n}\n");
    repo.write("app/tests/words.rs", "#[test]\nfn words() {}\n");
    let deps = "[dev-dependencies]\nbase = { path = \"../base\" }\n";
    repo.write("side/Cargo.toml", &manifest("side", deps));
    repo.write("side/src/lib.rs", "pub fn side() -> u32 {\n    3\n}\n");
    repo.write(
        "side/tests/side.rs",
        "#[test]\nfn side() {\n    assert_eq!(side::side(), base::narrow());\n}\n",
    );
    repo.write("derive/Cargo.toml", &manifest("derive", "[lib]\nproc-macro = true\n"));
    repo.write(
        "derive/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro]\npub fn same(input: TokenStream) -> TokenStream {\n    input\n}\n",
    );
    repo.write("other/Cargo.toml", &manifest("other", ""));
    repo.write("other/src/lib.rs", "//! Alone.\n");
    repo.write("README.md", "A workspace.\n");
    repo.commit("begin");
    repo
}

/// What `--tests` prints after a replacement in a file.
#[track_caller]
fn check(path: &str, from: &str, to: &str, expected: &str) {
    let repo = workspace();
    let before = std::fs::read_to_string(repo.root.join(path)).unwrap();
    assert!(before.contains(from), "{before}");
    repo.write(path, &before.replacen(from, to, 1));
    let found = text(&repo.root, &["affected", "HEAD", "--tests"]);
    assert_eq!(found.trim_end(), expected, "{path}: {from} -> {to}");
}

#[test]
fn a_body_concerns_the_targets_that_can_reach_it() {
    check("base/src/lib.rs", "    4\n", "    5\n", "-p base --doc\n-p base --lib --test alone");
    check(
        "base/src/inner.rs",
        "    1\n",
        "    2\n",
        "-p app -p base --doc\n-p base --lib\n-p app --lib --test app",
    );
    check(
        "base/src/lib.rs",
        "    3\n",
        "    6\n",
        "-p base --doc\n-p base --lib\n-p side --test side",
    );
    check("app/tests/words.rs", "{}", "{ let _ = 1; }", "-p app --test words");
    check("base/src/lib.rs", "super::own(), 5", "super::own(), 6", "-p base --lib");
}

#[test]
fn what_other_crates_can_see_concerns_all_that_depend_on_it() {
    let all = "-p app -p base -p side";
    check("base/src/lib.rs", "pub fn wide() -> u32", "pub fn wide() -> u64", all);
    check(
        "base/src/lib.rs",
        "mod inner;",
        "mod inner;\npub struct S;\nimpl From<S> for u32 {\n    fn from(_: S) -> u32 {\n        0\n    }\n}\n",
        all,
    );
    check("base/src/lib.rs", "mod inner;", "pub mod inner;", all);
    check("base/src/lib.rs", "mod inner;", "#![recursion_limit = \"9\"]\nmod inner;", all);
    // A private function is nobody else's.
    check(
        "base/src/lib.rs",
        "fn own() -> u32 {\n    5",
        "fn own() -> u64 {\n    5",
        "-p base --doc\n-p base --lib",
    );
    // Nobody sees what a procedural macro makes of its input.
    check("derive/src/lib.rs", "    input\n", "    input.clone()\n", "-p app -p derive");
}

#[test]
fn files_and_manifests_concern_packages() {
    check("other/Cargo.toml", "0.1.0", "0.2.0", "-p other");
    check("base/Cargo.toml", "0.1.0", "0.2.0", "-p app -p base -p side");
    check("side/Cargo.toml", "[dev-dep", "[features]\nx = []\n[dev-dep", "-p side");
    check(
        "Cargo.toml",
        "[workspace]",
        "[workspace]\nresolver = \"2\"",
        "-p app -p base -p derive -p other -p side",
    );
    check("README.md", "A workspace", "The workspace", "");
    check("other/src/lib.rs", "//! Alone.", "//! All alone.", "-p other --doc");
    check("base/src/inner.rs", "pub fn", "// One.\npub  fn", "");
}

#[test]
fn each_form_has_the_same_packages() {
    let repo = workspace();
    repo.write("base/src/inner.rs", "pub fn one() -> u32 {\n    2\n}\n");
    repo.write("derive/notes.txt", "x\n");
    let ask = |more: &[&str]| {
        let args: Vec<&str> = ["affected", "HEAD"].iter().chain(more).copied().collect();
        text(&repo.root, &args)
    };
    assert_eq!(ask(&["--packages"]), "-p app -p base -p derive\n");
    assert_eq!(ask(&["--tests"]), "-p app -p derive\n-p base --doc\n-p base --lib\n");
    assert_eq!(
        ask(&["--nextest"]),
        "package(=app) | (package(=base) & kind(lib)) | package(=derive)\n"
    );
    assert_eq!(
        ask(&["--nextest", "--packages"]),
        "package(=app) | package(=base) | package(=derive)\n"
    );
    let found = ask(&["--explain"]);
    assert!(found.contains("derive/notes.txt: the package may include it"), "{found}");
    assert!(found.contains("app  all targets\n    derive: it depends on this package"), "{found}");
    assert!(found.contains("lib: base::inner::one: it differs"), "{found}");
    assert!(found.contains("3 of 5 packages and 8 of 14 targets affected"), "{found}");
    assert_eq!(ask(&["--packages", "-p", "base", "-p", "side"]), "-p base\n");
    let table = ask(&["--format", "markdown"]);
    assert!(table.contains("| base | base/Cargo.toml |"), "{table}");
    let found = json(&repo.root, &["affected", "HEAD"]);
    let names = |found: &Value| -> Vec<String> {
        let items = found["items"].as_array().unwrap();
        items.iter().map(|item| item["package"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&found), ["app", "base", "derive"]);
    assert_eq!(found["items"][1]["targets"][0]["reason"]["what"], "base::inner::one");
    // With a database, and with the commit in it, too.
    text(&repo.root, &["index", "-q"]);
    assert_eq!(names(&json(&repo.root, &["affected", "HEAD"])), ["app", "base", "derive"]);
    text(&repo.root, &["index", "--history", "-q"]);
    assert_eq!(names(&json(&repo.root, &["affected", "HEAD"])), ["app", "base", "derive"]);
}

#[test]
fn nothing_is_no_argument_and_said() {
    let repo = workspace();
    for (args, expected) in [(["--packages"], ""), (["--tests"], ""), (["--nextest"], "none()\n")] {
        let output = asof(&repo.root, &[&["affected", "HEAD"][..], &args].concat());
        assert_eq!((code(&output), out(&output).as_str()), (0, expected), "{args:?}");
        assert!(err(&output).contains("no package is affected"), "{}", err(&output));
    }
}

#[test]
fn three_dots_begin_where_a_branch_left() {
    let mut repo = workspace();
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("other/src/lib.rs", "pub fn new() {}\n");
    repo.commit("on the branch");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("side/src/lib.rs", "pub fn side() -> u32 {\n    4\n}\n");
    repo.commit("on main");
    let ask = |range: &str| text(&repo.root, &["affected", range, "--packages"]);
    assert_eq!(ask("main..topic"), "-p other -p side\n");
    assert_eq!(ask("main...topic"), "-p other\n");
    assert_eq!(ask("topic..."), "-p side\n");
}

#[test]
fn a_program_concerns_the_tests_that_may_run_it() {
    let mut repo = workspace();
    repo.write("app/src/bin/tool.rs", "fn main() {\n    println!(\"{}\", 1);\n}\n");
    repo.write("side/tests/run.rs", "#[test]\nfn run() {\n    let _ = [\"tool\"];\n}\n");
    repo.commit("a program");
    repo.write("app/src/bin/tool.rs", "fn main() {\n    println!(\"{}\", 2);\n}\n");
    let found = text(&repo.root, &["affected", "HEAD", "--tests"]);
    assert_eq!(found, "-p side\n-p app --bin tool --test app --test words\n");
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let mut repo = workspace();
    let root = repo.root.clone();
    let fails = |args: &[&str], expected, says: &str| {
        fails(&root, &[&["affected"], args].concat(), expected, says);
        assert!(!root.join(".asof").exists());
    };
    fails(&["HEAD", "-p", "bas"], 1, "no package named `bas`");
    fails(&["nowhere..HEAD"], 1, "nowhere");
    fails(&["nowhere...HEAD"], 1, "nowhere");
    fails(&["-1d"], 2, "a moment of a database");
    fails(&["HEAD", "--packages", "--tests"], 2, "--tests");
    repo.git(&["checkout", "-q", "--orphan", "new"]);
    repo.commit("another history");
    fails(&["main...new"], 1, "no commit in common");
    repo.write("side/Cargo.toml", "[package\n");
    fails(&["HEAD"], 5, "side/Cargo.toml");
}

#[test]
fn the_action_writes_outputs() {
    let mut repo = workspace();
    let base = repo.git(&["rev-parse", "HEAD"]);
    repo.write("base/src/inner.rs", "pub fn one() -> u32 {\n    2\n}\n");
    let head = repo.commit("a body");
    let outputs = repo.root.join("outputs.txt");
    let script =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("action/affected/outputs.sh");
    let run = |base: &str| {
        let mut command = std::process::Command::new("bash");
        command.current_dir(&repo.root).arg(&script);
        command.env("ASOF", support::cli::program()).env("BASE", base).env("HEAD", &head);
        command.env("GITHUB_OUTPUT", &outputs).output().unwrap()
    };
    let done = run(&base);
    assert_eq!(code(&done), 0, "{}", err(&done));
    assert!(err(&done).contains("base: lib: base::inner::one: it differs"), "{}", err(&done));
    let written = std::fs::read_to_string(&outputs).unwrap();
    assert!(written.starts_with("packages=-p app -p base\nnextest=(package(=app)"), "{written}");
    assert!(
        written.contains("\n-p app -p base --doc\n-p base --lib\n-p app --lib --test app\n"),
        "{written}"
    );
    // An error writes nothing.
    std::fs::remove_file(&outputs).unwrap();
    assert_ne!(code(&run("nowhere")), 0);
    assert!(!outputs.exists());
}
