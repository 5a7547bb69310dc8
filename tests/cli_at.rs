//! `--at` on every reading command and in every form, and the one log, through the binary.
//!
//! `ASOF_PAIRS=1` tries every command with every form; without it, each with some of the others.

use crate::support;

use support::cli::{asof, err, json, text};
use support::repository::Repository;

/// Three commits with a tag and a branch, imported, and a scan of files that differ.
fn workspace() -> (Repository, Vec<String>) {
    let mut repo = Repository::new();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let mut commits = Vec::new();
    repo.write("Cargo.toml", manifest);
    repo.write("src/lib.rs", "pub mod a;\npub fn user() -> u8 { a::f() }\n");
    repo.write("src/a.rs", "pub fn f() -> u8 { 1 }\n");
    commits.push(repo.commit("one"));
    repo.git(&["tag", "-a", "v0.1", "-m", "first"]);
    repo.write("src/a.rs", "pub fn f() -> u8 { 2 }\npub fn g() {}\n");
    commits.push(repo.commit("two"));
    repo.git(&["branch", "stable"]);
    repo.write("src/a.rs", "pub fn f() -> u8 { 3 }\npub fn g() {}\npub fn i() {}\n");
    commits.push(repo.commit("three"));
    repo.git(&["checkout", "-q", "-b", "side"]);
    commits.push(repo.commit("on the side"));
    repo.git(&["checkout", "-q", "main"]);
    repo.write("src/a.rs", "pub fn f() -> u8 { 4 }\n");
    text(&repo.root, &["index", "--history", "main", "-q"]);
    (repo, commits)
}

/// Commands that read, with a word of their answers that tells which body `f` has, if any.
const READING: &[&[&str]] = &[
    &["resolve", "demo::a::f"],
    &["refs", "demo::a::f"],
    &["lineage", "demo::a::f"],
    &["impact", "demo::a::f"],
    &["query", "?[name] := *node{name @ $at}"],
    &["show", "demo::a::f"],
    &["inspect", "item", "demo::a::f"],
    &["inspect", "modules", "demo::a"],
    &["inspect", "counts"],
    &["inspect", "issues"],
    &["inspect", "unresolved"],
    &["inspect", "kinds"],
    &["inspect", "at", "src/a.rs", "3"],
    &["inspect", "outline", "src/a.rs"],
    &["file", "src/a.rs"],
    &["status"],
    &["history", "demo::a::f"],
    &["diff", "v0.1"],
    &["log"],
    &["blame", "src/a.rs"],
];

fn every_pair() -> bool {
    std::env::var_os("ASOF_PAIRS").is_some_and(|value| value == "1")
}

/// Whether a command is tried with a form. All commands have the same code read a form.
fn is_tried(command: usize, form: usize) -> bool {
    every_pair() || (command + form).is_multiple_of(4)
}

#[test]
fn every_reading_command_answers_as_of_every_form_of_a_moment() {
    let (repo, commits) = workspace();
    let dir = repo.root.as_path();
    let log = json(dir, &["log"]);
    let log = log["items"].as_array().unwrap();
    let revision = |nth: usize| log[nth]["revision"].as_str().unwrap();
    let at = |nth: usize| log[nth]["at"].as_str().unwrap();
    let newest_first = ["scan", "commit", "commit", "commit"];
    let causes: Vec<&str> = log.iter().map(|row| row["cause"].as_str().unwrap()).collect();
    assert_eq!(causes, newest_first);
    let forms: &[(&str, usize)] = &[
        ("NOW", 0),
        ("now", 0),
        (at(0), 0),
        (at(2), 2),
        // The commits are years old, the scan is of now.
        ("-10min", 1),
        ("-1h", 1),
        (revision(2), 2),
        (&revision(2)[..9], 2),
        (&commits[1], 2),
        (&commits[1][..8], 2),
        ("stable", 2),
        ("main", 1),
        ("HEAD~1", 2),
        ("v0.1", 3),
    ];
    for (number, command) in READING.iter().enumerate() {
        for (place, (form, nth)) in forms.iter().enumerate() {
            if !is_tried(number, place) {
                continue;
            }
            let answer = json(dir, &[*command, &["--at", form]].concat());
            let basis = &answer["basis"];
            assert_eq!(basis["revision"], revision(*nth), "{command:?} --at {form}: {answer}");
        }
    }
    for (number, (form, nth)) in forms.iter().enumerate() {
        let body = format!("{{ {} }}", 4 - nth);
        assert!(text(dir, &["show", "demo::a::f", "--at", form]).contains(&body), "{form}");
        // Once for each moment.
        let is_first = forms.iter().position(|(_, other)| other == nth) == Some(number);
        if !is_first && !every_pair() {
            continue;
        }
        let functions = [1, 3, 2, 1][*nth];
        for what in ["defs", "rows", "modules", "refs", "calls"] {
            let lines = text(dir, &["export", "--what", what, "--at", form]);
            let found = lines.lines().filter(|line| line.contains("\"demo::a::")).count();
            assert!(!lines.is_empty() && (what != "defs" || found == functions), "{form}: {lines}");
        }
        let told = |args: &[&str]| json(dir, &[args, &["--at", form]].concat());
        assert_eq!(told(&["log"])["total"], 4 - nth, "{form}");
        assert_eq!(told(&["status"])["revisions"], 4 - nth, "{form}");
        assert_eq!(told(&["history", "demo::a::f"])["total"], 4 - nth, "{form}");
        assert_eq!(told(&["diff", "v0.1"])["summary"].get("body").is_some(), *nth < 3, "{form}");
        let id = revision(*nth);
        assert_eq!(told(&["blame", "src/a.rs"])["items"][0]["revision"], id, "{form}");
    }
    let both = asof(dir, &["diff", "v0.1", "NOW", "--at", "stable"]);
    assert_eq!(both.status.code(), Some(2), "{}", err(&both));
}

#[test]
fn a_moment_that_is_not_there_says_how_to_import_it() {
    let (repo, commits) = workspace();
    let dir = repo.root.as_path();
    let zeros = "00000000-0000-0000-0000-000000000000";
    let unknown = [
        "side",
        &commits[3],
        &commits[3][..8],
        "nowhere",
        "feedface",
        zeros,
        "2001-01-01T00:00:00Z",
    ];
    for (number, form) in unknown.into_iter().enumerate() {
        let export: &[&str] = &["export", "--what", "defs"];
        for (place, command) in READING.iter().chain([&export]).enumerate() {
            if !is_tried(place, number) {
                continue;
            }
            // Commits that Git has are read from their files, but those have no history.
            let in_git = form == "side" || commits[3].starts_with(form);
            if in_git && !["history", "log", "blame", "status", "query"].contains(&command[0]) {
                continue;
            }
            let output = asof(dir, &[*command, &["--at", form]].concat());
            let said = err(&output);
            assert_eq!(output.status.code(), Some(1), "{command:?} --at {form}: {said}");
            assert!(said.contains("asof index --history"), "{command:?} --at {form}: {said}");
            let form = form.trim_end_matches('Z');
            assert!(said.contains(&format!("no revision for `{form}")), "{form}: {said}");
            assert!(output.stdout.is_empty());
        }
    }
    let said = err(&asof(dir, &["history", "demo::a::f", "--at", "side"]));
    assert!(said.contains("`asof index --history side` imports it"), "{said}");
    assert!(text(dir, &["show", "demo::a::f", "--at", "side"]).contains("{ 3 }"));
    text(dir, &["index", "--history", "side", "-q"]);
    assert!(text(dir, &["show", "demo::a::f", "--at", "side"]).contains("{ 3 }"));
}

#[test]
fn one_log_tells_of_all_that_was_done() {
    let (repo, _) = workspace();
    let dir = repo.root.as_path();
    let request = dir.with_file_name("request.json");
    let edits =
        r#"{"edits": [{"mode": "canonical", "path": "crate::a::f", "part": "body", "code": "5"}]}"#;
    std::fs::write(&request, edits).unwrap();
    let request = request.to_str().unwrap();
    let backup = dir.with_file_name("kept.backup");
    let backup = backup.to_str().unwrap();
    let apply = ["edit", "apply", "--file", request, "--actor", "ada", "--reason", "why not"];
    let applied = json(dir, &apply);
    text(dir, &["edit", "undo", applied["proposal_id"].as_str().unwrap(), "--actor", "bob"]);
    text(dir, &["backup", "create", backup]);
    text(dir, &["backup", "restore", backup, "--actor", "eve"]);
    // Says nothing, for nothing differs.
    text(dir, &["index", "--rebuild", "-q"]);
    repo.write("src/a.rs", "pub fn f() -> u8 { 6 }\n");
    text(dir, &["index", "-q", "--actor", "ann", "-m", "by hand"]);
    text(dir, &["gc", "--keep", "stable"]);
    let log = json(dir, &["log"]);
    let rows = log["items"].as_array().unwrap().iter().map(|row| {
        let text = |field: &str| row[field].as_str().unwrap_or("-");
        let message = text("message").split(" before").next().unwrap();
        let message = match message.strip_prefix("undo of ") {
            Some(_) => "undo of REV",
            None => message,
        };
        format!("{} {} {message} {}", text("cause"), text("actor"), row["changed"])
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @r"
    gc - versions 0
    scan ann by hand 2
    restore eve - 0
    undo bob undo of REV 2
    edit ada why not 2
    scan - - 2
    commit Ana three 2
    commit Ana two null
    commit Ana one null
    ");
    let history = json(dir, &["history", "demo::a::f"]);
    assert_eq!(
        history["items"].as_array().unwrap().last().unwrap()["classes"],
        serde_json::json!([])
    );
    assert!(history["dropped_before"].is_string());
    let text = asof(dir, &["history", "demo::a::f"]);
    let both = format!("{}{}", String::from_utf8_lossy(&text.stdout), err(&text));
    assert!(both.contains("oldest kept") && both.contains("dropped by `asof gc`"), "{both}");
    let refused = asof(dir, &["diff", "v0.1", "NOW"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("were dropped"), "{}", err(&refused));
    assert!(json(dir, &["log", "--cause", "gc"])["total"] == 1);
}

#[test]
fn scripts_read_the_moment_asked_about_unless_they_name_another() {
    let (repo, commits) = workspace();
    let dir = &repo.root;
    let names = |args: &[&str]| -> String {
        let answer = json(dir, &[&["query"], args].concat());
        let items = answer["items"].as_array().unwrap();
        items.iter().map(|row| row[0].as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    let script = "?[name] := *node{name, kind: 'function', file_path: 'src/a.rs'}";
    assert_eq!(names(&[script]), "f");
    assert_eq!(names(&[script, "--at", "v0.1"]), "f");
    assert_eq!(names(&[script, "--at", "stable"]), "f g");
    let at = |moment: &str| script.replace('}', &format!(" @ {moment}}}"));
    let short = format!("'{}'", &commits[2][..10]);
    for (moment, found) in [
        ("'NOW'", "f"),
        ("\"stable\"", "f g"),
        ("\"HEAD~1\"", "f g"),
        (short.as_str(), "f g i"),
        ("'-1min'", "f g i"),
        ("'2020-09-13T12:28:00Z'", "f"),
        ("ALL", "f g i"),
    ] {
        assert_eq!(names(&[&at(moment)]), found, "{moment}");
        assert_eq!(names(&[&at(moment), "--at", "v0.1"]), found, "{moment} whatever `--at` says");
    }
    // Programs of the user's too, and a plan of them.
    repo.write(
        ".asof/queries/own.cozo",
        "# @name own\n# @doc d\n# @column name: String\n# @cost scan\n\
         ?[name] := *node{name, kind: 'function', file_path: 'src/a.rs'}, \
         *node{name, kind: 'function' @ 'HEAD~1'}\n",
    );
    assert_eq!(names(&["--name", "own"]), "f");
    assert_eq!(names(&["--name", "own", "--at", "stable"]), "f g");
    text(dir, &["query", "--name", "own", "--explain"]);
    for unknown in ["v9.9", "HEAD~99", "-900000h"] {
        let refused =
            asof(dir, &["query", &format!("?[n] := r[n]\nr[n] := *node{{name: n @ '{unknown}'}}")]);
        let said = err(&refused);
        assert_eq!(refused.status.code(), Some(2), "{unknown}: {said}");
        let line = format!("   2 | r[n] := *node{{name: n @ '{unknown}'}}");
        let marks = format!("{}{}", " ".repeat(31), "^".repeat(unknown.len() + 2));
        assert!(said.contains(&format!("{line}\n{marks}")), "{said}");
        assert!(said.contains("no revision for") && said.contains("hint: "), "{said}");
    }
}
