//! `asof diff` of commits that are not imported.

use crate::support;
use crate::support::tempdir;

use serde_json::Value as Json;
use support::cli::{asof, code, command, err, json, out, with_input};
use support::repository::Repository;

/// What a difference says, without the time that it took and the revisions of its two ends.
fn facts(diff: &Json) -> (Json, Json, Json) {
    (diff["items"].clone(), diff["summary"].clone(), diff["folded"].clone())
}

#[test]
fn neighbours_differ_as_after_an_import() {
    let (repo, commits) = Repository::scripted();
    let run = |from: &str, to: &str| {
        asof(&repo.root, &["diff", from, to, "--all", "--patch", "--format", "json", "-q"])
    };
    let ask = |from: &str, to: &str| -> Json {
        let answer = run(from, to);
        serde_json::from_str(&out(&answer)).unwrap_or_else(|_| panic!("{}", err(&answer)))
    };
    let mut pairs: Vec<(&String, &String)> = commits.iter().zip(commits.iter().skip(1)).collect();
    let count = pairs.len();
    pairs.retain(|(from, to)| {
        let refused = run(from, to);
        let is_broken = code(&refused) == 2 && err(&refused).contains("root manifest");
        !is_broken
    });
    assert_eq!(pairs.len(), count - 2, "one commit has a broken manifest");
    let without: Vec<_> = pairs.iter().map(|(from, to)| facts(&ask(from, to))).collect();
    assert!(!repo.root.join(".asof").exists(), "nothing is written");
    assert!(asof(&repo.root, &["index", "--history", "-q"]).status.success());
    let mut items = 0;
    for ((from, to), without) in pairs.iter().zip(without) {
        items += without.0.as_array().unwrap().len();
        assert_eq!(without, facts(&ask(from, to)), "{from}..{to}");
    }
    assert!(items > 10, "only {items} items differ");
}

#[test]
fn what_comes_as_a_whole_is_listed_once() {
    let (repo, _) = Repository::scripted();
    let text = "pub struct A { field: u8 }
impl Clone for A {
    fn clone(&self) -> A { A { field: 1 } }
}
impl A {
    fn own() {}
}
trait T {
    fn given() {}
}
";
    repo.write("src/lib.rs", text);
    let labels = |more: &[&str]| -> Vec<String> {
        let diff = ["diff", "HEAD", "NOW", "src/lib.rs"];
        let diff = json(&repo.root, &[&diff, more].concat());
        let items = diff["items"].as_array().unwrap().clone();
        assert_eq!(diff["folded"].as_u64().unwrap() == 0, more == ["--all"]);
        items
            .iter()
            .filter(|item| item["classes"][0] == "added")
            .map(|item| item["path"].as_str().unwrap().to_owned())
            .collect()
    };
    let listed = ["<demo::A as Clone>", "demo::A", "demo::A::own", "demo::T"];
    assert_eq!(labels(&[]), listed);
    let all = labels(&["--all"]);
    for folded in ["<demo::A as Clone>::clone", "<demo::A>", "demo::A::field", "demo::T::given"] {
        assert!(all.iter().any(|path| path == folded), "{folded} in {all:?}");
    }
}

#[test]
fn a_commit_is_compared_with_the_files_on_disk() {
    let (repo, _) = Repository::scripted();
    repo.write("src/lib.rs", "mod a;\npub use a::f;\npub fn fresh() {}\n");
    let found = asof(&repo.root, &["diff", "HEAD", "--fields", "classes,path"]);
    assert!(out(&found).contains("demo::fresh"), "{}", out(&found));
    assert!(!repo.root.join(".asof").exists(), "nothing is written");
}

#[test]
fn a_database_without_the_commit_keeps_its_ids_and_its_rows() {
    let (repo, commits) = Repository::scripted();
    assert!(asof(&repo.root, &["index", "-q"]).status.success());
    let before = json(&repo.root, &["status"]);
    let last = commits.len() - 1;
    let found = json(&repo.root, &["diff", &commits[last - 4], "NOW"]);
    let renamed = &found["items"][0];
    assert_eq!((&renamed["classes"][0], &renamed["kind"]), (&"renamed".into(), &"method".into()));
    let known = json(&repo.root, &["resolve", renamed["path"].as_str().unwrap()]);
    assert_eq!(known["items"][0]["id"], renamed["id"]);
    let after = json(&repo.root, &["status"]);
    assert_eq!(before["revisions"], after["revisions"]);
}

#[test]
fn what_has_no_files_is_an_error() {
    let (repo, _) = Repository::scripted();
    let unknown = asof(&repo.root, &["diff", "v9", "HEAD"]);
    assert_eq!(code(&unknown), 1, "{}", err(&unknown));
    assert!(err(&unknown).contains("`v9`"), "{}", err(&unknown));
    let age = asof(&repo.root, &["diff", "-1h", "HEAD"]);
    assert_eq!(code(&age), 2, "{}", err(&age));
    assert!(err(&age).contains("asof index"), "{}", err(&age));
    let nowhere = tempdir();
    let nowhere = asof(nowhere.path(), &["diff", "HEAD~1", "HEAD"]);
    assert_ne!(code(&nowhere), 0);
    assert!(err(&nowhere).contains("not in a Git repository"), "{}", err(&nowhere));
}

/// A repository with two commits: functions of `src/a.rs` are renamed, moved and changed.
fn two_commits() -> Repository {
    let mut repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    repo.write("Cargo.toml", manifest);
    repo.write("src/lib.rs", "mod a;\nmod b;\n");
    repo.write(
        "src/a.rs",
        "pub fn old_name(n: u8) -> Option<u8> { n.checked_add(1) }\n\npub fn g() -> u8 { 1 }\n",
    );
    repo.write("src/b.rs", "pub struct B;\n");
    repo.commit("first");
    repo.write(
        "src/a.rs",
        "pub fn new_name(n: u8) -> Option<u8> { n.checked_add(1) }\n\npub fn g() -> u8 { 2 }\n",
    );
    repo.write("notes.txt", "not Rust\n");
    repo.commit("second");
    repo
}

fn text(repo: &Repository, args: &[&str]) -> String {
    let answer = asof(&repo.root, args);
    assert!(answer.status.success(), "{args:?}: {}", err(&answer));
    let out = out(&answer);
    let lines = out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn staged_files_are_compared_with_a_commit() {
    let repo = two_commits();
    repo.write("src/b.rs", "pub struct B;\npub struct Staged;\n");
    repo.git(&["add", "src/b.rs"]);
    repo.write("src/b.rs", "pub struct B;\npub struct Staged;\npub struct OnDisk;\n");
    repo.write("src/new.rs", "pub fn untracked() {}\n");
    assert_eq!(text(&repo, &["diff", "--staged", "--fields", "what,path"]), {
        "what path\nadded demo::b::Staged"
    });
    assert_eq!(text(&repo, &["diff", "HEAD", "--fields", "path"]), {
        "path\ndemo::b::OnDisk\ndemo::b::Staged\nnew\nnew::untracked"
    });
    let since_first = text(&repo, &["diff", "--cached", "HEAD~1", "src/b.rs", "--fields", "path"]);
    assert_eq!(since_first, "path\ndemo::b::Staged");
    let item = text(&repo, &["diff", "--staged", "HEAD~1", "demo::b", "--fields", "path"]);
    assert_eq!(item, "path\ndemo::b::Staged");
    assert!(!repo.root.join(".asof").exists(), "nothing is written");
    let usage = asof(&repo.root, &["diff", "--staged", "HEAD~1..HEAD"]);
    assert_eq!(code(&usage), 2, "{}", err(&usage));
}

#[test]
fn files_are_counted_and_listed_for_a_pull_request() {
    let repo = two_commits();
    assert_eq!(text(&repo, &["diff", "HEAD~1", "HEAD", "--stat"]), {
        "file items what\nsrc/a.rs 2 1 renamed, 1 body"
    });
    let markdown =
        out(&asof(&repo.root, &["diff", "HEAD~1", "HEAD", "--format", "markdown", "--patch"]));
    for expected in [
        "**2 items: 1 renamed, 1 body; 1 more with `--all`**\n",
        "<details>\n<summary><code>src/a.rs</code> (2)</summary>\n\n",
        "- **renamed** function `demo::a::new_name`, was `demo::a::old_name`\n\n  ```diff\n  --- a/src/a.rs\n",
        "- **body** function `demo::a::g`\n",
        "  -pub fn g() -> u8 { 1 }\n  +pub fn g() -> u8 { 2 }\n  ```\n\n",
        "\n</details>\n",
    ] {
        assert!(markdown.contains(expected), "{expected}\n---\n{markdown}");
    }
}

#[test]
fn two_files_are_compared() {
    let repo = two_commits();
    repo.write("old.rs", "fn f() { 1 }\nfn gone() {}\n");
    repo.write("new.rs", "fn f() { 2 }\n");
    let listed = text(&repo, &["diff", "old.rs", "new.rs", "--fields", "what,path,file"]);
    assert_eq!(listed, "what path file\nbody new::f new.rs\nremoved new::gone new.rs");
    let added = text(&repo, &["diff", "/dev/null", "./new.rs", "--fields", "what,path"]);
    assert_eq!(added, "what path\nadded new\nadded new::f");
    let none = asof(&repo.root, &["diff", "Cargo.toml", "notes.txt"]);
    assert_eq!(code(&none), 2, "{}", err(&none));
}

/// The set-up lines of docs/diff.md.
#[test]
fn git_runs_it_as_driver_and_tool() {
    let repo = two_commits();
    let program = support::cli::program().to_str().unwrap();
    let lines = |text: String| -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let renamed = "renamed function a::new_name src/a.rs was a::old_name";
    let driver = format!("diff.external={program} -q diff");
    let found = lines(repo.git(&["-c", &driver, "diff", "HEAD~1"]));
    assert_eq!(
        found,
        [
            "notes.txt: not compared, not a Rust file",
            "src/a.rs",
            "what kind path file note",
            "body function a::g src/a.rs",
            renamed,
        ]
    );
    repo.write(".gitattributes", "*.rs diff=asof\n");
    let driver = format!("diff.asof.command={program} -q diff");
    let log = lines(repo.git(&["-c", &driver, "log", "-p", "--ext-diff", "-1"]));
    assert!(log.contains(&renamed.to_owned()) && log.contains(&"+not Rust".to_owned()), "{log:?}");
    let tool = format!("difftool.asof.cmd={program} -q diff \"$LOCAL\" \"$REMOTE\"");
    let args = ["-c", &tool, "difftool", "-y", "-t", "asof", "HEAD~1", "--", "src"];
    let found = lines(repo.git(&args));
    assert!(found.contains(&renamed.to_owned()), "{found:?}");
}

#[test]
#[cfg(unix)]
fn the_action_comments_a_pull_request() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    let repo = two_commits();
    let tools = tempdir();
    let gh = tools.path().join("gh");
    // Lists no comment at first, and records what is sent.
    let script = r#"#!/bin/sh
case "$*" in
*--jq*) cat "$FAKE/known" ;;
*)
    for last; do :; done
    echo "$*" | sed 's/@.*//' >> "$FAKE/calls"
    cp "${last#body=@}" "$FAKE/body"
    ;;
esac
"#;
    std::fs::write(&gh, script).unwrap();
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(tools.path().join("known"), "").unwrap();
    let run = || {
        let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("action/comment.sh");
        let output = std::process::Command::new("bash")
            .arg(script)
            .current_dir(&repo.root)
            .env("PATH", path)
            .env("FAKE", tools.path())
            .env("ASOF", support::cli::program())
            .env("BASE", repo.git(&["rev-parse", "HEAD~1"]))
            .env("HEAD", repo.git(&["rev-parse", "HEAD"]))
            .env("REPOSITORY", "ana/demo")
            .env("NUMBER", "7")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let read = |name: &str| std::fs::read_to_string(tools.path().join(name)).unwrap();
        (read("calls"), read("body"))
    };
    let (calls, body) = run();
    assert_eq!(calls, "api repos/ana/demo/issues/7/comments --method POST -F body=\n");
    assert!(body.starts_with("<!-- asof diff -->\n**") && body.contains("new_name"), "{body}");
    // What is left to read comes first.
    let review = body.find("proven to be the same code").unwrap_or_else(|| panic!("{body}"));
    assert!(body.find("new_name").unwrap() > review, "{body}");
    // The second time, the comment is replaced.
    std::fs::write(tools.path().join("known"), "123\n").unwrap();
    let (calls, _) = run();
    let replaced = "api repos/ana/demo/issues/comments/123 --method PATCH -F body=\n";
    assert!(calls.ends_with(replaced), "{calls}");
}

#[test]
#[cfg(unix)]
fn the_action_installs_a_release() {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    let tools = tempdir();
    let gh = tools.path().join("gh");
    // Makes the archive that is asked for, and a checksum that `$FAKE/damaged` spoils.
    let script = r#"#!/bin/bash
echo "$*" >> "$FAKE/calls"
case "$*" in
"release view"*) echo v1.2.0 ;;
"release download"*)
    for name; do case $name in asof-*.tar.gz) break ;; esac; done
    folder=${name%.tar.gz}
    mkdir -p "$folder" && echo 'echo "asof 1.2.0"' > "$folder/asof" && chmod +x "$folder/asof"
    tar -czf "$name" "$folder" && rm -r "$folder"
    { sha256sum "$name" || shasum -a 256 "$name"; } 2> /dev/null > "$name.sha256"
    [ ! -e "$FAKE/damaged" ] || echo more >> "$name"
    ;;
esac
"#;
    std::fs::write(&gh, script).unwrap();
    std::fs::set_permissions(&gh, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = |version: &str, program: &str| {
        let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("action/install.sh");
        std::process::Command::new("bash")
            .arg(script)
            .env("PATH", path)
            .env("FAKE", tools.path())
            .env("RUNNER_TEMP", tools.path())
            .env("GITHUB_PATH", tools.path().join("path"))
            .env("ASOF", program)
            .env("VERSION", version)
            .env("REPOSITORY", "ana/asof")
            .output()
            .unwrap()
    };
    let read = |name: &str| std::fs::read_to_string(tools.path().join(name)).unwrap_or_default();
    // Without a version, the program of an earlier step is used.
    assert!(run("", "bash").status.success());
    let missing = run("", "no-such-program");
    assert!(!missing.status.success() && out(&missing).contains("give a version"));
    assert_eq!((read("calls"), read("path")), (String::new(), String::new()));
    for version in ["latest", "1.2.0", "v1.2.0"] {
        let output = run(version, "asof");
        assert!(output.status.success(), "{version}: {output:?}");
        let folder = read("path").lines().last().unwrap().to_owned();
        let says = std::process::Command::new("bash").arg(format!("{folder}/asof")).output();
        assert_eq!(out(&says.unwrap()), "asof 1.2.0\n");
    }
    assert!(read("calls").contains("release download v1.2.0 --repo ana/asof"), "{}", read("calls"));
    assert!(read("calls").contains("attestation verify asof-"), "{}", read("calls"));
    // A damaged archive is not unpacked.
    std::fs::write(tools.path().join("damaged"), "").unwrap();
    let damaged = run("1.2.0", "asof");
    assert!(!damaged.status.success(), "{damaged:?}");
    assert!(out(&damaged).contains("is damaged"), "{damaged:?}");
    assert_eq!(read("path").lines().count(), 3);
}

#[test]
fn twins_under_cfgs_are_not_each_others_versions() {
    let mut repo = two_commits();
    let twins = |unix: &str, windows: &str| {
        format!(
            "#[cfg({unix})]\npub fn imp(n: u8) -> u8 {{ unix_call(n, 1) }}\n\
             #[cfg({windows})]\npub fn imp(n: u8) -> u8 {{ windows_call(n, 2) }}\n"
        )
    };
    repo.write("src/b.rs", &twins("unix", "windows"));
    repo.commit("twins");
    repo.write("src/b.rs", &twins("any(unix, target_os = \"wasi\")", "not(unix)"));
    repo.commit("other predicates");
    let found = json(&repo.root, &["diff", "HEAD~1", "HEAD", "--patch"]);
    let items = found["items"].as_array().unwrap();
    assert_eq!(found["summary"], serde_json::json!({ "attributes": 2 }), "{found}");
    for item in items {
        let patch = item["patch"].as_str().unwrap();
        assert_ne!(patch.contains("unix_call"), patch.contains("windows_call"), "{patch}");
    }
}

#[test]
fn alternatives_keep_their_texts_in_files_of_their_own() {
    let mut repo = two_commits();
    let body = |set: &str, end: &str| {
        format!(
            "impl I for P {{\n    fn set(path: &str) -> u32 {{ {set} }}\n    fn end(n: u32) -> Option<u32> {{ {end} }}\n}}\n"
        )
    };
    let unix = body("let mode = path.len() as u32; mode.count_ones() + 7", "n.checked_add(1)");
    let windows = body("0", "None");
    let traits = "pub struct P;\npub trait I { fn set(path: &str) -> u32; fn end(n: u32) -> Option<u32>; }\n";
    repo.write("src/b.rs", &format!("{traits}#[cfg(unix)]\n{unix}#[cfg(windows)]\n{windows}"));
    repo.commit("both in one file");
    repo.write(
        "src/b.rs",
        &format!("{traits}#[cfg(unix)]\nmod unix;\n#[cfg(windows)]\nmod windows;\n"),
    );
    repo.write("src/b/unix.rs", &format!("use super::*;\n{unix}"));
    repo.write("src/b/windows.rs", &format!("use super::*;\n{windows}"));
    repo.commit("in files of their own");
    let found = json(&repo.root, &["diff", "HEAD~1", "HEAD", "--patch"]);
    assert_eq!(
        found["summary"],
        serde_json::json!({ "added": 2, "attributes": 2, "moved": 2 }),
        "{found:#}"
    );
}

#[test]
fn the_head_of_an_impl_is_told() {
    let between = |old: &str, new: &str| {
        let texts = serde_json::json!([{ "file_path": "a.rs", "before": old, "after": new }]);
        let folder = tempdir();
        let command = command(folder.path(), &["diff", "--stdin", "--format", "json"]);
        let found = with_input(command, texts.to_string().as_bytes());
        let found: Json = serde_json::from_str(&out(&found)).unwrap();
        let line = |i: &Json| format!("{} {}", i["signature"].as_str().unwrap(), i["classes"]);
        found["items"].as_array().unwrap().iter().map(line).collect::<Vec<_>>()
    };
    let text = |head: &str, body: &str| {
        format!(
            "pub struct D<T>(T);\npub trait F {{ fn f(&self) -> u8; }}\n{head} {{ fn f(&self) -> u8 {{ {body} }} }}\n"
        )
    };
    let other_type = between(&text("impl F for D<u8>", "1"), &text("impl F for D<u16>", "1"));
    assert_eq!(other_type, ["impl F for D<u16> [\"signature\"]"]);
    let and_body = between(&text("impl F for D<u8>", "1"), &text("impl F for D<u16>", "2"));
    assert_eq!(and_body, ["impl F for D<u16> [\"signature\"]", "fn f(&self) -> u8 [\"body\"]"]);
    let renamed = text("impl F for D<u8>", "1");
    let renamed = between(&renamed, &renamed.replace("D<", "E<"));
    assert_eq!(
        renamed,
        ["impl F for E<u8> [\"renamed\",\"contents\"]", "pub struct E<T>(T) [\"renamed\"]"],
        "a head that only repeats the new name is not another head"
    );
    let marker = "pub struct W;\nimpl Iterator for W { type Item = u8; fn next(&mut self) -> Option<u8> { None } }\n";
    let imported =
        format!("use std::iter::FusedIterator;\n{marker}impl FusedIterator for W {{}}\n");
    let qualified = format!("{marker}impl std::iter::FusedIterator for W {{}}\n");
    let qualified = between(&imported, &qualified);
    assert_eq!(qualified, ["impl std::iter::FusedIterator for W [\"signature\"]"]);
}

#[test]
fn blank_lines_of_a_module_are_listed_only_with_all() {
    let mut repo = two_commits();
    repo.write("src/b.rs", "use std::fmt;\npub struct B;\npub struct C;\n");
    repo.commit("two structs");
    repo.write("src/b.rs", "use std::fmt;\npub struct B;\n\n\npub struct C;\n");
    repo.commit("blank lines");
    assert_eq!(json(&repo.root, &["diff", "HEAD~1", "HEAD"])["total"], 0);
    let all = json(&repo.root, &["diff", "HEAD~1", "HEAD", "--all"]);
    assert_eq!(all["summary"], serde_json::json!({ "format": 1 }));
    let import = asof(&repo.root, &["diff", "HEAD~2", "HEAD"]);
    assert!(err(&import).contains("with `--all`, of which 1 `use`"), "{}", err(&import));
}

#[test]
fn items_in_another_order_are_reordered() {
    let mut repo = two_commits();
    let text = |items: [&str; 2]| format!("pub struct B;\nimpl B {{\n{}\n}}\n", items.join("\n"));
    let (one, two) = ("    pub fn one() {}", "    pub fn two() {}");
    repo.write("src/b.rs", &text([one, two]));
    repo.commit("two methods");
    repo.write("src/b.rs", &text([two, one]));
    repo.commit("in the other order");
    let diff = json(&repo.root, &["diff", "HEAD~1", "HEAD"]);
    let items = diff["items"].as_array().unwrap();
    let found: Vec<_> = items.iter().map(|i| (i["kind"].as_str(), &i["classes"])).collect();
    assert_eq!(found, [(Some("impl"), &serde_json::json!(["reordered"]))]);
    repo.write("src/b.rs", &text([one, "    pub fn two() { one() }"]));
    repo.commit("and changed");
    let diff = json(&repo.root, &["diff", "HEAD~1", "HEAD"]);
    assert_eq!(diff["summary"], serde_json::json!({ "body": 1 }), "the order is not compared");
}

#[test]
fn texts_on_standard_input_are_compared() {
    let texts = |texts: Json| {
        let folder = tempdir();
        let command = command(folder.path(), &["diff", "--stdin", "--format", "json"]);
        with_input(command, texts.to_string().as_bytes())
    };
    let found = texts(serde_json::json!([
        { "file_path": "src/lib.rs", "before": "fn a() {}\nfn b() { 1; }\n", "after": "fn b() { 2; }\n" },
        { "file_path": "src/new.rs", "after": "fn c() {}\n" },
    ]));
    let found: Json = serde_json::from_str(&out(&found)).unwrap();
    let line = |item: &Json| format!("{} {}", item["path"].as_str().unwrap(), item["classes"][0]);
    let lines: Vec<String> = found["items"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        ["lib::a \"removed\"", "lib::b \"body\"", "new \"added\"", "new::c \"added\""]
    );
    for wrong in [
        serde_json::json!({}),
        serde_json::json!([{ "file_path": "../a.rs", "after": "" }]),
        serde_json::json!([{ "file_path": "a.rs", "after": "" }, { "file_path": "a.rs", "after": "" }]),
    ] {
        let refused = texts(wrong);
        assert_eq!(code(&refused), 2, "{}", err(&refused));
    }
}

/// The bug: `diff A..B globset` listed what differs in a folder that was gone long before.
#[test]
fn a_folder_of_the_past_does_not_hide_a_crate_of_its_name() {
    let mut repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    repo.write("demo/Cargo.toml", manifest);
    repo.write("demo/src/lib.rs", "pub fn f() -> u8 { 1 }\n");
    repo.write("Cargo.toml", "[workspace]\nmembers = [\"*/demo\", \"demo\"]\n");
    repo.commit("at the root");
    std::fs::create_dir(repo.root.join("crates")).unwrap();
    repo.git(&["mv", "demo", "crates/demo"]);
    repo.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
    repo.commit("moved");
    repo.write("crates/demo/src/lib.rs", "pub fn f() -> u8 { 2 }\n");
    repo.commit("a body");
    let listed = || {
        let found = json(&repo.root, &["diff", "HEAD~1..HEAD", "demo"]);
        (found["items"][0]["path"].clone(), found["total"].clone())
    };
    let expected = ("demo::f".into(), 1.into());
    assert_eq!(listed(), expected, "without a database");
    assert!(asof(&repo.root, &["index", "--history", "-q"]).status.success());
    assert_eq!(listed(), expected);
    // At one of the moments, it is a folder.
    let found = json(&repo.root, &["diff", "HEAD~2..HEAD", "demo", "--all"]);
    assert!(found["total"].as_u64().unwrap() > 0, "{found}");
}

/// The bug: a call that was inserted took the number of the next one, so all after it had other
/// bodies.
#[test]
fn calls_of_a_macro_are_paired_by_what_is_written() {
    const RULES: &str = "macro_rules! t { ($n:ident, $e:expr) => { fn $n() -> u8 { $e } } }\n";
    let dir = tempdir();
    let listed = |old: &str, new: &str, more: &[&str]| -> Vec<String> {
        std::fs::write(dir.path().join("old.rs"), format!("{RULES}{old}")).unwrap();
        std::fs::write(dir.path().join("new.rs"), format!("{RULES}{new}")).unwrap();
        let found = json(dir.path(), &[&["diff", "old.rs", "new.rs"], more].concat());
        let items = found["items"].as_array().unwrap().iter();
        let listed =
            items.filter(|one| one["path"] != "new" && one["path"] != "new::t").map(|one| {
                let word = |key: &str| one[key].as_str().unwrap().to_owned();
                format!("{} {} {}", one["classes"][0].as_str().unwrap(), word("kind"), word("path"))
            });
        let mut listed: Vec<String> = listed.collect();
        listed.sort();
        listed
    };
    let (old, first) = ("t!(a, 1);\nt!(b, 2);\n", "t!(z, 0);\nt!(a, 1);\nt!(b, 2);\n");
    assert_eq!(listed(old, first, &[]), ["added function new::z"]);
    let all = ["added function new::z", "added macro_call t"];
    assert_eq!(listed(old, first, &["--all"]), all);
    assert_eq!(listed(first, old, &["--all"]), ["removed function new::z", "removed macro_call t"]);
    let changed = "t!(a, 1);\nt!(z, 0);\nt!(b, 3);\n";
    let all = [
        "added function new::z",
        "added macro_call t",
        "body function new::b",
        "body macro_call t",
    ];
    assert_eq!(listed(old, changed, &["--all"]), all);
}

#[test]
fn without_moments_the_files_are_compared_with_the_last_commit() {
    let repo = Repository::two_commits();
    repo.write("src/lib.rs", "pub fn new() -> u8 { 1 }\n");
    let found = json(&repo.root, &["diff"]);
    assert_eq!((&found["items"][0]["path"], &found["total"]), (&"demo::new".into(), &1.into()));
}
