//! The shape of answers, through the binary: limits, fields, lines of JSON, terminals, pagers.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use crate::support::cli;

use cli::{code, err, out, run, shell};
use serde_json::Value as Json;
use tempfile::TempDir;

/// A git repository of two commits. The second one adds 60 callers of `target`.
fn workspace() -> &'static Path {
    static READY: OnceLock<TempDir> = OnceLock::new();
    let dir = READY.get_or_init(|| {
        // On disk: it outlives the process, as statics are not dropped.
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| fs::write(dir.path().join(path), text).unwrap();
        write(
            "Cargo.toml",
            "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        fs::create_dir(dir.path().join("src")).unwrap();
        let target = "/// Docs.\npub fn target() -> u8 {\n    1 // one\n}\n";
        write("src/lib.rs", target);
        run(dir.path(), "git init -q -b main && git add . && git commit -qm begin");
        let caller = |n| format!("pub fn caller_{n:02}() {{\n    target();\n}}\n");
        let callers: String = (0..60).map(caller).collect();
        write("src/lib.rs", &format!("{}{callers}", target.replace('1', "2")));
        run(dir.path(), "git commit -qam callers");
        let told = run(dir.path(), "asof index --history");
        assert!(told.starts_with("imported 2 commits as 2 revisions; "), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        dir
    });
    dir.path()
}

/// On a terminal 70 columns wide: what it shows, both streams.
#[track_caller]
fn on_terminal(line: &str) -> String {
    let line = format!("script -qec 'stty cols 70 rows 24; {line}' /dev/null < /dev/null");
    run(workspace(), &line).replace('\r', "")
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn json(line: &str) -> Json {
    serde_json::from_str(&run(workspace(), &format!("{line} --format json"))).unwrap()
}

/// Listings, each with the number of its items.
const LISTINGS: &[(&str, usize)] = &[
    ("asof refs demo::target", 60),
    ("asof refs demo::target --snippets", 60),
    ("asof lineage demo::target", 60),
    ("asof impact demo::target", 60),
    ("asof blame src/lib.rs", 61),
    ("asof diff HEAD~1 NOW", 61),
    ("asof diff HEAD~1 NOW --patch", 0),
    ("asof inspect outline src/lib.rs", 62),
    ("asof inspect outline demo", 62),
    ("asof outline demo", 62),
    ("asof callers demo::target", 60),
    ("asof api demo", 61),
    ("asof inspect unresolved --external", 0),
    ("asof history demo::target --lines", 2),
    ("asof log", 2),
    ("asof resolve demo::target", 1),
    ("asof inspect issues", 0),
    ("asof inspect counts", 0),
    ("asof inspect kinds", 0),
    ("asof inspect at src/lib.rs 30", 0),
    ("asof inspect modules demo", 1),
    ("asof edit list", 0),
    ("asof query --list", 0),
];

#[test]
fn a_listing_has_a_limit_and_says_what_is_beyond() {
    for (line, total) in LISTINGS.iter().filter(|(_, total)| *total > 50) {
        let answer = json(line);
        let shown = answer["items"].as_array().unwrap().len();
        assert_eq!((shown, &answer["total"]), (50, &(*total).into()), "{line}");
        assert_eq!(answer["truncated"], true, "{line}");
        let rest = format!("… {} more; `--limit 0` shows all", total - 50);
        for form in ["", "-q", "--format csv"] {
            let output = shell(workspace(), &format!("{line} {form}"));
            assert!(err(&output).contains(&rest), "{line} {form}: {}", err(&output));
        }
        let markdown = run(workspace(), &format!("{line} --format markdown"));
        assert!(markdown.contains(&format!("\n_{rest}_\n")), "{line}: {markdown}");
        let all = json(&format!("{line} --limit 0"));
        assert_eq!(all["items"].as_array().unwrap().len(), *total, "{line}");
        assert_eq!(all["truncated"], false, "{line}");
        let output = shell(workspace(), &format!("{line} -n 0"));
        assert!(!err(&output).contains("more;"), "{line}: {}", err(&output));
    }
    let patches = json("asof diff HEAD~1 NOW --patch");
    assert_eq!((patches["items"].as_array().unwrap().len(), &patches["total"]), (20, &61.into()));
    assert_eq!(json("asof log -n 1")["items"].as_array().unwrap().len(), 1);
    assert_eq!(json("asof history demo::target -n 1")["truncated"], true);
    let rows = json("asof query '?[a] := a in int_range(2000)'");
    assert_eq!((&rows["truncated"], rows["items"].as_array().unwrap().len()), (&true.into(), 1000));
    let rows = json("asof query '?[a] := a in int_range(2000)' --limit 0");
    assert_eq!(
        (&rows["truncated"], rows["items"].as_array().unwrap().len()),
        (&false.into(), 2000)
    );
    let drawn = shell(workspace(), "asof refs demo::target --graph dot");
    assert!(err(&drawn).contains("… 10 more"), "{}", err(&drawn));
}

/// Names of all values below an item, dotted.
fn keys(item: &Json, prefix: &str, all: &mut Vec<String>) {
    for (key, value) in item.as_object().into_iter().flatten() {
        all.push(format!("{prefix}{key}"));
        if prefix.is_empty() {
            keys(value, &format!("{key}."), all);
        }
    }
}

#[test]
fn every_listing_knows_its_fields() {
    for (line, total) in LISTINGS {
        let refused = shell(workspace(), &format!("{line} --fields no_such_field"));
        assert_eq!(code(&refused), 2, "{line}: {}", err(&refused));
        assert_eq!(out(&refused), "", "{line}");
        let hint = err(&refused);
        assert!(hint.contains("no field `no_such_field`"), "{line}: {hint}");
        let fields: Vec<&str> =
            hint.trim().split_once("hint: the fields are ").unwrap().1.split(", ").collect();
        let answer = json(line);
        let mut found = Vec::new();
        for item in answer["items"].as_array().unwrap() {
            keys(item, "", &mut found);
        }
        assert!(!found.is_empty() || *total == 0, "{line}");
        for key in found {
            assert!(fields.contains(&key.as_str()), "{line}: {key} is missing in {hint}");
        }
        // Each of them can be asked for, in every form.
        let all = fields.join(",");
        let table = run(workspace(), &format!("{line} --fields '{all}' --format csv"));
        assert_eq!(table.lines().next().unwrap(), all, "{line}");
        json(&format!("{line} --fields '{all}'"));
    }
}

#[test]
fn fields_are_selected_in_every_form() {
    let check = |line: &str, expected: &str| assert_eq!(run(workspace(), line), expected, "{line}");
    let refs = "asof refs demo::target -n 2 --fields";
    check(
        &format!("{refs} in,place"),
        "in               place\ndemo::caller_00  src/lib.rs:6:5\ndemo::caller_01  src/lib.rs:9:5\n",
    );
    check(
        &format!("{refs} item.path,line --format jsonl"),
        "{\"item\":{\"path\":\"demo::caller_00\"},\"line\":6}\n\
         {\"item\":{\"path\":\"demo::caller_01\"},\"line\":9}\n",
    );
    check(
        &format!("{refs} place --format markdown -q | head -3"),
        "| place |\n|---|\n| src/lib.rs:6:5 |\n",
    );
    let query = "asof query '?[a, b] <- [[1, null]]' --fields b";
    check(query, "b\nnull\n");
    check(&format!("{query} --format jsonl"), "[null]\n");
    check("asof status --fields basis.freshness_state", "basis.freshness_state  fresh\n");
    let refused = shell(workspace(), "asof query '?[a] <- [[1]]' --fields b");
    assert!(err(&refused).contains("the fields are a"), "{}", err(&refused));
    let refused = shell(workspace(), "asof index --fields a");
    assert_eq!(code(&refused), 2, "{}", err(&refused));
}

#[test]
fn json_is_compact_and_lines_keep_the_rest_beside_them() {
    for line in ["asof refs demo::target", "asof log", "asof lineage demo::caller_00 -d upstream"] {
        let text = run(workspace(), &format!("{line} --format json"));
        assert_eq!(text.lines().count(), 1, "{line}");
        assert!(!text.contains(":null") && !text.contains("\": "), "{line}: {text}");
    }
    let lines = shell(workspace(), "asof refs demo::target --format jsonl");
    assert_eq!(out(&lines).lines().count(), 50);
    for line in out(&lines).lines() {
        assert!(serde_json::from_str::<Json>(line).unwrap()["file_path"].is_string(), "{line}");
    }
    let rest: Json = serde_json::from_str(&err(&lines)).unwrap();
    assert_eq!((&rest["truncated"], &rest["total"]), (&true.into(), &60.into()));
    assert!(rest["basis"]["revision"].is_string() && rest.get("items").is_none(), "{rest}");
    // Quiet leaves out what rests, but not that the list was cut.
    let quiet = shell(workspace(), "asof refs demo::target --format jsonl -q");
    assert!(err(&quiet).contains("\"truncated\":true"), "{}", err(&quiet));
    let all = shell(workspace(), "asof refs demo::target --format jsonl -q -n 0");
    assert_eq!((out(&all).lines().count(), err(&all).as_str()), (60, ""));
    let failed = shell(workspace(), "asof refs demo::none --format jsonl");
    assert!(err(&failed).starts_with("{\"error\":"), "{}", err(&failed));
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_its_width_colours_and_pager() {
    let table = on_terminal("asof --no-pager diff HEAD~1 NOW");
    assert!(table.contains("\x1b[36m"), "{table}");
    let table = plain(&table);
    assert!(table.lines().all(|line| line.chars().count() <= 70), "{table}");
    let signature =
        "asof --no-pager inspect at src/lib.rs 30 --fields kind,path,signature,tracking_hash,id";
    let table = plain(&on_terminal(signature));
    assert!(table.contains('…') && table.lines().next().unwrap().len() <= 70, "{table}");
    assert!(!run(workspace(), signature).contains('…'));

    let pretty = on_terminal("asof --no-pager status --format json");
    assert!(pretty.starts_with("{\n  \""), "{pretty}");

    let paged = |line: &str| on_terminal(&format!("export ASOF_PAGER=\"sed s/^/@/\"; {line}"));
    assert!(paged("asof log -q").starts_with('@'));
    assert!(!paged("asof log -q --no-pager").starts_with('@'));
    assert!(!paged("asof index").contains('@'));
    // What is said beside the answer comes behind it, and not in between.
    assert!(paged("asof log").contains("\n@\u{1b}[2mNOW "), "{}", paged("asof log"));
    assert!(!run(workspace(), "ASOF_PAGER='sed s/^/@/' asof log").contains('@'));
    // A pager that ends early is no error; one that is not there does no harm.
    assert_eq!(on_terminal("ASOF_PAGER=\"head -n 1\" asof query --list -q").lines().count(), 1);
    let none = on_terminal("PAGER=no_such_pager asof log -q");
    assert!(
        none.contains("cannot run the pager `no_such_pager`") && none.contains("callers"),
        "{none}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn patches_and_sources_have_colours_where_they_are_seen() {
    let patch = "asof diff HEAD~1 NOW demo::target --patch";
    let source = "asof show demo::target";
    let (added, comment) = ("\x1b[32m+    2 // one\x1b[0m", "\x1b[2m // one\x1b[0m");
    for (line, expected) in [(patch, added), (source, comment)] {
        let coloured = on_terminal(&format!("{line} --no-pager"));
        assert!(coloured.contains(expected), "{line}: {coloured:?}");
        let forced = run(workspace(), &format!("{line} --color always"));
        assert!(forced.contains(expected), "{line}: {forced:?}");
        for quiet in ["asof --color never --no-pager", "NO_COLOR=1 asof --no-pager"] {
            let shown = on_terminal(&line.replacen("asof", quiet, 1));
            assert!(!shown.contains('\x1b'), "{line}: {shown:?}");
        }
        assert_eq!(run(workspace(), line), plain(&forced), "{line}");
    }
}

#[test]
fn commands_have_the_names_that_people_type() {
    for (alias, name) in [
        ("references", "refs"),
        ("uses", "refs"),
        ("where-used", "refs"),
        ("dependents", "impact"),
        ("def", "resolve"),
        ("cat", "show"),
        ("revisions", "log"),
        ("annotate", "blame"),
        ("st", "status"),
        ("init", "index"),
        ("completion", "completions"),
    ] {
        let help = |command: &str| run(workspace(), &format!("asof {command} --help"));
        assert_eq!(help(alias), help(name), "{alias}");
    }
    let help = run(workspace(), "asof --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[aliases: references, uses, where-used]"), "{help}");
}
