//! `asof quality`: grades, debt, changes and SARIF, through the binary.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::cli;
use crate::support::tempdir;

use cli::{asof, code, err, fails, json, out, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const LIB: &str = "\
// TODO: crate docs
pub mod deep;

pub fn small(a: bool) -> u8 {
    if a { 1 } else { 2 }
}

pub struct Meter;

impl Meter {
    /// FIXME: wrong for zero
    pub fn read(&self) -> u8 {
        fn inner() -> u8 {
            // a line
            3
        }
        inner() // HACK: until later
    }
}

impl std::fmt::Display for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, \"{}\", self.read())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads() {
        assert!(super::small(true) == 1 && super::Meter.read() == 3);
    }
}
// BUG: at the end
";

/// Breaks the limits of nesting, parameters and complexity.
fn deep() -> String {
    let mut text =
        "pub fn deep(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8) {\n".to_owned();
    for n in 0..6 {
        text.push_str(&format!("{}if a > {n} && b > {n} || c > {n} {{\n", "    ".repeat(n + 1)));
    }
    text.push_str("drop((d, e, f, g, h));\n");
    text.push_str(&"}".repeat(6));
    text.push_str("\n}\n");
    text
}

fn workspace() -> TempDir {
    let folder = tempdir();
    let root = folder.path();
    fs::create_dir(root.join("src")).unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    fs::write(root.join("src/lib.rs"), LIB).unwrap();
    fs::write(root.join("src/deep.rs"), deep()).unwrap();
    text(root, &["index"]);
    folder
}

fn paths(answer: &Json) -> Vec<&str> {
    answer["items"].as_array().unwrap().iter().map(|i| i["path"].as_str().unwrap()).collect()
}

#[test]
fn grades_scores_and_debt_of_a_workspace() {
    let folder = workspace();
    let root = folder.path();
    let answer = json(root, &["quality"]);
    assert_eq!(paths(&answer)[0], "demo::deep::deep");
    let worst = &answer["items"][0];
    let figures =
        ["complexity", "cognitive", "nesting", "parameters", "code_lines", "line", "end_line"];
    let found: Vec<u64> = figures.iter().map(|name| worst[name].as_u64().unwrap()).collect();
    assert_eq!(found, [19, 33, 6, 8, 10, 1, 10]);
    // 14.0 + 15.6 + 12.0 + 6.7
    assert_eq!((worst["tdg_score"].as_f64(), worst["tdg_grade"].as_str()), (Some(51.8), Some("D")));
    let penalties: f64 = worst["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["penalty"].as_f64().unwrap())
        .sum();
    assert!((penalties - 48.3).abs() < 0.11, "{penalties}");
    assert_eq!(worst["big_o"], "O(1)");

    let summary = &answer["summary"];
    assert_eq!(summary["functions"], 6);
    assert_eq!(summary["complexity_range"], serde_json::json!([1, 19]));
    let grades = summary["grades"].as_array().unwrap();
    let total: u64 = grades.iter().map(|g| g["functions"].as_u64().unwrap()).sum();
    assert_eq!((total, grades.last().unwrap()["grade"].as_str()), (6, Some("D")));

    assert_eq!(summary["total_satd"], 4);
    let debt = answer["satd"].as_array().unwrap();
    let levels: Vec<_> = debt.iter().map(|d| d["severity"].as_str().unwrap()).collect();
    assert_eq!(levels, ["high", "high", "medium", "low"]);
    for marker in debt {
        let file = fs::read_to_string(root.join(marker["file_path"].as_str().unwrap())).unwrap();
        let words = marker["text"].as_str().unwrap();
        let line = file.lines().nth(marker["line"].as_u64().unwrap() as usize - 1).unwrap();
        assert!(line.contains(words), "{marker}: {line}");
        assert!(file[marker["byte"].as_u64().unwrap() as usize..].starts_with(words), "{marker}");
    }

    let shown = text(root, &["quality", "--worst", "1"]);
    for part in
        ["6 functions", "A+", "D", "demo::deep::deep", "src/deep.rs:1", "cognitive 33 −15.6", "BUG"]
    {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let shown = text(root, &["quality", "--format", "markdown"]);
    assert!(shown.contains("### Lowest scores") && shown.contains("| D"), "{shown}");
    let lines = text(root, &["quality", "--format", "jsonl", "--worst", "2"]);
    assert_eq!(lines.lines().count(), 2);
    let csv = text(root, &["quality", "--format", "csv", "--fields", "path,grade", "-n", "1"]);
    assert_eq!(csv, "path,grade\ndemo::deep::deep,D\n");
}

#[test]
fn a_part_of_the_workspace() {
    let folder = workspace();
    let root = folder.path();
    let check = |args: &[&str], expected: &[&str]| {
        let answer = json(root, &[&["quality"], args].concat());
        let found: BTreeSet<&str> = paths(&answer).into_iter().collect();
        assert_eq!(found, expected.iter().copied().collect(), "{args:?}");
    };
    let fmt = "<demo::Meter as Display>::fmt";
    let inner = "demo::inner";
    check(&["src/deep.rs"], &["demo::deep::deep"]);
    check(&["crate::deep"], &["demo::deep::deep"]);
    check(&["demo::small"], &["demo::small"]);
    check(&["demo::Meter", "--kind", "method"], &["demo::Meter::read", fmt]);
    check(
        &["--package", "demo", "--exclude-tests"],
        &["demo::deep::deep", "demo::small", "demo::Meter::read", fmt, inner],
    );
    check(&["demo::tests"], &["demo::tests::reads"]);
    check(&["--max-nesting", "5"], &["demo::deep::deep"]);
    check(&["--min-grade", "D"], &[]);
    check(&["--min-grade", "C-"], &["demo::deep::deep"]);
    check(&["--max-complexity", "1", "crate::tests"], &["demo::tests::reads"]);
    assert_eq!(json(root, &["quality", "--max-nesting", "99"])["total"], 0);

    fails(root, &["quality", "crate::none"], 1, "none");
    fails(root, &["quality", "--package", "other"], 1, "no package `other`");
    fails(root, &["quality", "--min-grade", "E"], 2, "E");
    fails(root, &["quality", "--kind", "thing"], 2, "thing");
    fails(root, &["quality", "--since", "never"], 1, "never");
    // Errors are JSON where the answer would be.
    for (args, says) in [
        (&["quality", "--since", "-1h", "--format", "sarif"][..], "--since"),
        (&["status", "--format", "sarif"][..], "`quality`"),
    ] {
        let output = asof(root, args);
        let error: Json = serde_json::from_str(&err(&output)).unwrap();
        assert_eq!(code(&output), 2, "{error}");
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{error}");
    }
}

#[test]
fn what_does_not_parse_has_no_score() {
    let folder = workspace();
    let root = folder.path();
    fs::write(
        root.join("src/deep.rs"),
        "pub fn good() {}\npub fn bad() {\n    // XXX: mend\n    let = 1;\n}\n",
    )
    .unwrap();
    let answer = json(root, &["quality", "src/deep.rs"]);
    assert_eq!(paths(&answer), ["demo::deep::good"]);
    assert_eq!(
        (&answer["summary"]["not_parsed"], &answer["summary"]["total_satd"]),
        (&1.into(), &1.into())
    );
    assert_eq!(answer["satd"][0]["path"], "demo::deep::bad");
}

fn at(answer: &Json) -> String {
    answer["basis"]["at"].as_str().unwrap().to_owned()
}

#[test]
fn what_became_worse_and_better_since_a_moment() {
    let folder = workspace();
    let root = folder.path();
    let before = at(&json(root, &["quality"]));
    // Worse, gone, moved with no change, new, and a comment that admits debt.
    let worse = "if a {\n        // TODO: one\n        for b in 0..2 { while b > 1 {} }\n        1\n    } else { 2 }";
    let lib = LIB
        .replace("if a { 1 } else { 2 }", worse)
        .replace("pub mod deep;", "pub mod shallow;\n// FIXME: more\n")
        .replace(" // HACK: until later", "");
    fs::write(root.join("src/lib.rs"), lib).unwrap();
    fs::rename(root.join("src/deep.rs"), root.join("src/shallow.rs")).unwrap();
    let answer = json(root, &["quality", "--since", &before]);
    let changes = &answer["changes"];
    let list = |name: &str| -> Vec<(String, Option<f64>)> {
        let list = changes[name].as_array().unwrap();
        list.iter().map(|c| (c["path"].as_str().unwrap().to_owned(), c["delta"].as_f64())).collect()
    };
    assert_eq!(list("worse"), [("demo::small".to_owned(), Some(-5.8)), ("demo".to_owned(), None)]);
    assert_eq!(list("better"), [("demo::Meter::read".to_owned(), Some(3.3))]);
    assert_eq!(list("added"), []);
    assert_eq!((&changes["added_total"], &changes["removed_total"]), (&0.into(), &0.into()));
    assert_eq!(changes["from"]["at"], before.as_str());
    let shown = text(root, &["quality", "--since", &before]);
    assert!(shown.contains("2 worse, 1 better, 0 new, 0 gone"), "{shown}");

    // The past stays as it was.
    let old = json(root, &["quality", "--at", &before]);
    assert_eq!(paths(&old)[0], "demo::deep::deep");
    let now = at(&answer);
    fails(root, &["quality", "--at", &before, "--since", &now], 2, "later");
    fs::write(root.join("src/shallow.rs"), "pub fn other() {}\n").unwrap();
    let changes = &json(root, &["quality", "src/shallow.rs", "--since", &now])["changes"];
    assert_eq!((&changes["added_total"], &changes["removed_total"]), (&1.into(), &1.into()));
}

fn sarif(root: &Path, args: &[&str]) -> Json {
    let output = asof(root, &[&["quality", "--format", "sarif"], args].concat());
    assert_eq!(code(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).unwrap()
}

/// Fingerprints with rule and line.
fn alerts(log: &Json) -> BTreeMap<String, (String, u64)> {
    let results = log["runs"][0]["results"].as_array().unwrap();
    let alert = |result: &Json| {
        let fingerprints = result["partialFingerprints"].as_object().unwrap();
        assert_eq!(fingerprints.len(), 1);
        let line = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
        let rule = result["ruleId"].as_str().unwrap().to_owned();
        let fingerprint = fingerprints.values().next().unwrap().as_str().unwrap();
        (fingerprint.to_owned(), (rule, line.as_u64().unwrap()))
    };
    let alerts: BTreeMap<_, _> = results.iter().map(alert).collect();
    assert_eq!(alerts.len(), results.len(), "two results with one fingerprint");
    alerts
}

#[test]
fn sarif_has_what_its_consumers_need() {
    let folder = workspace();
    let log = sarif(folder.path(), &[]);
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
    let typed: asof_wire::SarifLog = serde_json::from_value(log.clone()).unwrap();
    assert_eq!(serde_json::to_value(typed).unwrap(), log);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len());
    for rule in rules {
        for field in ["/shortDescription/text", "/help/text", "/defaultConfiguration/level"] {
            assert!(
                rule.pointer(field).and_then(Json::as_str).is_some_and(|text| !text.is_empty())
            );
        }
    }
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(["warning", "note"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().unwrap();
        let lines = fs::read_to_string(folder.path().join(file)).unwrap().lines().count() as u64;
        let [first, last] =
            ["startLine", "endLine"].map(|of| place["region"][of].as_u64().unwrap());
        assert!(1 <= first && first <= last && last <= lines, "{result}");
    }
    let expected = [
        "demo quality/debt BUG: at the end",
        "demo quality/debt TODO: crate docs",
        "demo::Meter::read quality/debt FIXME: wrong for zero",
        "demo::Meter::read quality/debt HACK: until later",
        "demo::deep::deep quality/cognitive",
        "demo::deep::deep quality/cyclomatic",
        "demo::deep::deep quality/grade",
        "demo::deep::deep quality/nesting",
        "demo::deep::deep quality/parameters",
    ];
    assert_eq!(alerts(&log).into_keys().collect::<Vec<_>>(), expected);
    let fewer =
        sarif(folder.path(), &["--max-parameters", "8", "--max-complexity", "18", "src/deep.rs"]);
    let rules: BTreeSet<String> = alerts(&fewer).into_values().map(|(rule, _)| rule).collect();
    assert!(!rules.contains("quality/parameters") && rules.contains("quality/cyclomatic"));
}

#[test]
fn alerts_stay_the_same_when_lines_move() {
    let folder = workspace();
    let root = folder.path();
    let before = alerts(&sarif(root, &[]));
    for file in ["src/lib.rs", "src/deep.rs"] {
        let old = fs::read_to_string(root.join(file)).unwrap();
        let moved = old.replace("pub fn ", "\n// a comment above\n\npub fn ");
        fs::write(root.join(file), format!("// new first line\n\n{moved}")).unwrap();
    }
    let after = alerts(&sarif(root, &[]));
    let keys =
        |alerts: &BTreeMap<String, (String, u64)>| alerts.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&before), keys(&after));
    for (fingerprint, (rule, line)) in &after {
        assert_eq!(*rule, before[fingerprint].0);
        assert!(*line > before[fingerprint].1, "{fingerprint}");
    }

    // A second one like the first is another alert.
    let twice =
        format!("{}// BUG: at the end\n", fs::read_to_string(root.join("src/lib.rs")).unwrap());
    fs::write(root.join("src/lib.rs"), twice).unwrap();
    assert_eq!(alerts(&sarif(root, &[])).len(), after.len() + 1);
}
