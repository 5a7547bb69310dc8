//! `context`, through the binary and the library: files for an intent, code up to a number of
//! tokens.

use crate::support::cli;
use crate::support::repository::Repository;
use crate::support::tempdir;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use asof::{Database, Refresh, When};
use asof_index::{Options, Silent};
use asof_search::count_tokens;
use asof_wire::{CodeContextRequest, CodeForm, ContextRequest};
use cli::{asof, code, err, fails, json, text};
use serde_json::Value as Json;
use tempfile::TempDir;

const LOGIN: &str = "\
//! Signing in.
use serde::Deserialize;

/// What a user types.
#[derive(Deserialize)]
pub struct Credentials { pub name: String, pub password: String }

/// Checks a password, and opens a session.
pub fn login(credentials: &Credentials) -> Option<u64> {
    let known = credentials.name.len() as u64;
    if credentials.password.is_empty() {
        return None;
    }
    Some(known)
}

/// Closes the session.
pub fn logout(session: u64) -> bool {
    session > 0
}
";

const REPORT: &str = "\
//! Monthly figures.

/// Adds up the sales of a month.
pub fn total(sales: &[u64]) -> u64 {
    // the quorum of shops decides
    sales.iter().sum()
}
";

/// Indexed files, in a folder of their own.
fn indexed() -> TempDir {
    let dir = tempdir();
    fs::create_dir_all(dir.path().join("src/auth")).unwrap();
    let write = |path: &str, text: &str| fs::write(dir.path().join(path), text).unwrap();
    write("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write("src/lib.rs", "pub mod auth;\npub mod report;\n");
    write("src/auth/mod.rs", "pub mod login;\n");
    write("src/auth/login.rs", LOGIN);
    write("src/report.rs", REPORT);
    text(dir.path(), &["index"]);
    dir
}

fn paths(answer: &Json) -> Vec<&str> {
    answer["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect()
}

#[test]
fn an_intent_finds_its_file_with_a_snippet() {
    let dir = indexed();
    let answer = json(dir.path(), &["context", "fix the auth bug in login"]);
    assert_eq!(answer["intent"], "fix the auth bug in login");
    assert_eq!(answer["keywords"], serde_json::json!(["auth", "login"]));
    assert_eq!(answer["tags_matched"], serde_json::json!(["auth", "login"]));
    assert_eq!(answer["ranking"], "tags");
    assert_eq!(paths(&answer)[0], "src/auth/login.rs");
    let file = &answer["files"][0];
    let confidence = file["confidence"].as_f64().unwrap();
    assert!(confidence > 0.5 && confidence <= 1.0, "{file}");
    for score in ["composite", "recency", "frequency", "tag_affinity"] {
        assert!((0.0..=1.0).contains(&file["score"][score].as_f64().unwrap()), "{score}");
    }
    let items = file["items"].as_array().unwrap();
    assert!(items.iter().any(|item| item["path"] == "shop::auth::login::login"), "{file}");
    assert_eq!(file["metadata"]["language"], "rust");
    assert_eq!(file["metadata"]["size"], LOGIN.len());
    assert!(file["metadata"]["last_modified"].as_str().unwrap().ends_with('Z'));
    let files = answer["files"].as_array().unwrap().len();
    assert_eq!(answer["aggregate"]["returned"], files);
    assert_eq!(answer["aggregate"]["cached"], false);
    assert!(answer["aggregate"]["avg_confidence"].as_f64().unwrap() > 0.3);
    assert!(answer["ms"].as_f64().is_some());

    let snippet = &file["snippet"];
    let lines: Vec<&str> = snippet["content"].as_str().unwrap().lines().collect();
    let start = snippet["start_line"].as_u64().unwrap() as usize;
    assert_eq!(snippet["end_line"].as_u64().unwrap() as usize, start + lines.len() - 1);
    assert_eq!(lines, LOGIN.lines().skip(start - 1).take(10).collect::<Vec<_>>());
    let highlights = snippet["highlights"].as_array().unwrap();
    assert!(!highlights.is_empty());
    for highlight in highlights {
        let (line, col) = (highlight["line"].as_u64().unwrap(), highlight["col"].as_u64().unwrap());
        let at = lines[line as usize - start].get(col as usize - 1..).unwrap();
        let term = highlight["term"].as_str().unwrap();
        assert!(at.to_lowercase().starts_with(term), "{highlight}: {at}");
    }
    let shown = text(dir.path(), &["context", "login", "--snippet-lines", "3"]);
    assert!(shown.contains("src/auth/login.rs") && shown.contains("pub fn login"), "{shown}");
    let nothing = text(dir.path(), &["context", "zebra"]);
    assert!(nothing.contains("no file has a confidence of 0.30 or more"), "{nothing}");
}

#[test]
fn text_shows_the_score_that_files_are_ordered_by() {
    let dir = indexed();
    let args = ["context", "login session report", "--threshold", "0", "--snippet-lines", "0"];
    let shown = text(dir.path(), &args);
    let lines = shown.lines().filter(|line| line.contains("  confidence "));
    let scores: Vec<f64> =
        lines.map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(scores.len() > 1 && scores.is_sorted_by(|a, b| a >= b), "{shown}");
    let answer = json(dir.path(), &args);
    let first = answer["files"][0]["score"]["composite"].as_f64().unwrap();
    assert!((scores[0] - first).abs() < 0.01, "{shown}");
}

#[test]
fn dependencies_and_attributes_are_tags() {
    let dir = indexed();
    for intent in ["serde support", "deserialize it"] {
        let answer = json(dir.path(), &["context", intent]);
        assert_eq!(paths(&answer), ["src/auth/login.rs"], "{intent}");
        assert_eq!(answer["files"][0]["tags"], answer["tags_matched"], "{intent}");
    }
}

#[test]
fn without_a_tag_text_and_recency_rank() {
    let dir = indexed();
    let answer = json(dir.path(), &["context", "where is the quorum"]);
    assert_eq!(answer["tags_matched"], serde_json::json!([]));
    assert_eq!(answer["ranking"], "text_and_recency");
    assert_eq!(paths(&answer), ["src/report.rs"]);
    assert_eq!(answer["files"][0]["score"]["tag_affinity"], 0.0);
    // Nothing that is asked for exists: an empty list is an answer.
    let answer = json(dir.path(), &["context", "kubernetes ingress"]);
    assert_eq!((paths(&answer).len(), &answer["aggregate"]["total_matches"]), (0, &0.into()));
}

#[test]
fn recency_and_frequency_are_those_of_history() {
    let dir = indexed();
    let ask = |at: &str| json(dir.path(), &["--at", at, "context", "sales of a month"]);
    let score = |answer: &Json, name: &str| answer["files"][0]["score"][name].as_f64().unwrap();
    let first = ask("NOW");
    assert_eq!((score(&first, "recency"), score(&first, "frequency")), (0.0, 0.0));
    assert!(first["notes"][0].as_str().unwrap().contains("no change"), "{first}");
    let before = first["basis"]["revision"].as_str().unwrap().to_owned();
    for n in 0..2 {
        fs::write(dir.path().join("src/report.rs"), format!("{REPORT}// {n}\n")).unwrap();
        text(dir.path(), &["index"]);
    }
    let now = ask("NOW");
    assert!(score(&now, "recency") > 0.99);
    assert!((score(&now, "frequency") - 2.0 / 6.0).abs() < 1e-3, "{now}");
    assert!(now["files"][0]["confidence"].as_f64() > first["files"][0]["confidence"].as_f64());
    let past = ask(&before);
    assert_eq!(past["source"], "AS_OF");
    assert_eq!(past["files"][0]["metadata"], first["files"][0]["metadata"]);
    assert_eq!(past["files"][0]["score"], first["files"][0]["score"]);
}

#[test]
fn limits_are_kept() {
    let dir = indexed();
    let all = json(dir.path(), &["context", "login session sales", "--threshold", "0"]);
    assert!(paths(&all).len() > 1, "{all}");
    let one = json(dir.path(), &["context", "login session sales", "--threshold", "0", "-n", "1"]);
    assert_eq!(one["aggregate"]["total_matches"], all["aggregate"]["total_matches"]);
    assert_eq!(paths(&one), paths(&all)[..1]);
    let unlimited =
        json(dir.path(), &["context", "login session sales", "--threshold", "0", "-n", "0"]);
    assert_eq!(paths(&unlimited), paths(&all));
    let none = json(dir.path(), &["context", "login", "--threshold", "1"]);
    assert_eq!(none["aggregate"]["returned"], 0);
    let bare = json(dir.path(), &["context", "login", "--snippet-lines", "0"]);
    assert!(bare["files"][0].get("snippet").is_none());
    let tight = json(dir.path(), &["context", "login", "--token-budget", "25"]);
    let tokens = &tight["tokens"];
    assert_eq!((&tokens["budget"], &tokens["tokenizer"]), (&25.into(), &"estimate".into()));
    let used = tokens["used"].as_u64().unwrap();
    assert!(used > 0 && used <= 25, "{tokens}");
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let dir = indexed();
    let check = |args: &[&str], message: &str| {
        fails(dir.path(), &[&["context"], args].concat(), 2, message);
    };
    check(&[""], "the intent is empty");
    check(&["what is the"], "`what is the` contains no keyword");
    check(&["?!"], "`?!` contains no keyword");
    check(&[&"login ".repeat(16_000)], "the limit is 16384");
    check(&["login", "--threshold", "1.5"], "between 0 and 1");
    check(&["login", "--limit", "2000"], "between 1 and 1000");
    check(&["login", "--snippet-lines", "5000"], "at most 1000 lines");
    check(&["--token-budget", "0"], "between 1 and 1000000");
    check(&["--token-budget", "100", "--hint", ""], "the intent is empty");
    check(&[], "<INTENT>");
    let output = asof(dir.path(), &["context", "the", "--format", "json"]);
    assert_eq!(code(&output), 2, "{}", err(&output));
    let error: Json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| serde_json::from_slice(&output.stderr).unwrap());
    assert_eq!(error["error"]["kind"], "bad_request");
}

/// Functions of different sizes in two files.
fn functions() -> TempDir {
    let dir = tempdir();
    for file in ["alpha", "beta"] {
        let mut source = String::new();
        for n in 0..12 {
            writeln!(source, "/// Parses field {n} of a record.").unwrap();
            writeln!(source, "pub fn parse_{file}_{n}(record: &str) -> usize {{").unwrap();
            for line in 0..n * 2 {
                writeln!(source, "    let part_{line} = record.len() + {line};").unwrap();
            }
            writeln!(source, "    record.len()\n}}\n").unwrap();
        }
        fs::write(dir.path().join(format!("{file}.rs")), source).unwrap();
    }
    dir
}

#[test]
fn code_never_exceeds_its_budget() {
    let dir = functions();
    let database = Database::create_or_open(dir.path()).unwrap();
    database.refresh(&Options::default(), &Silent).unwrap();
    let snapshot = database.snapshot(&When::Now, Refresh::Skip).unwrap();
    for hint in [None, Some("parse the fields of a record".to_owned())] {
        for token_budget in (1..40).map(|n| n * n + 3 * n).chain([100_000]) {
            let request =
                CodeContextRequest { token_budget, hint: hint.clone(), exclude_tests: false };
            let answer = snapshot.code_context(&request).unwrap();
            let counted: usize = answer.items.iter().map(|item| count_tokens(&item.text)).sum();
            let whole: String = answer.items.iter().map(|item| item.text.as_str()).collect();
            assert_eq!(answer.tokens.used, counted, "{token_budget}");
            assert!(counted <= token_budget && count_tokens(&whole) <= token_budget);
            if token_budget == 100_000 {
                assert_eq!(answer.items.len(), 24);
                assert!(answer.items.iter().all(|item| item.form == CodeForm::Source));
                assert_eq!((answer.left_out.bodies, answer.left_out.items), (0, 0));
            }
        }
    }
}

#[test]
fn without_a_hint_what_changed_comes_first() {
    let dir = functions();
    text(dir.path(), &["index"]);
    let first = || json(dir.path(), &["context", "--token-budget", "400"])["items"][0].clone();
    assert_ne!(first()["path"], "beta::parse_beta_3");
    let file = dir.path().join("beta.rs");
    let source = fs::read_to_string(&file).unwrap();
    fs::write(&file, source.replace("parse_beta_3(record", "parse_beta_3(other_record")).unwrap();
    assert_eq!(first()["path"], "beta::parse_beta_3");
}

#[test]
fn whole_items_come_first_then_outlines_then_names() {
    let dir = functions();
    let run = |budget: &str| {
        text(dir.path(), &["context", "--token-budget", budget, "--hint", "parse alpha record"])
    };
    text(dir.path(), &["index"]);
    let tight = run("600");
    assert!(tight.contains("of 600 tokens (estimate)"), "{tight}");
    assert!(tight.contains("did not fit in the budget: "), "{tight}");
    let found =
        json(dir.path(), &["context", "--token-budget", "600", "--hint", "parse alpha record"]);
    let forms: Vec<&str> =
        found["items"].as_array().unwrap().iter().map(|i| i["form"].as_str().unwrap()).collect();
    let rank =
        |form: &&str| ["source", "excerpt", "signature", "name"].iter().position(|f| f == form);
    assert!(forms.contains(&"source") && forms.contains(&"signature"), "{forms:?}");
    // The best come whole.
    assert_eq!(rank(&forms[0]), Some(0), "{forms:?}");
    let wide = run("50000");
    assert!(!wide.contains("signature") && !wide.contains("did not fit"), "{wide}");
}

#[test]
fn code_says_why_it_is_listed() {
    let mut repo = Repository::new();
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    let source = |flags: &str, reads: &str| {
        format!(
            "pub struct Level(u8);\n\
             /// Where values are kept.\npub fn table() -> Vec<&'static str> {{ vec![{flags}] }}\n\
             pub fn verbosity(level: Level) -> u8 {{ shift(level.0) }}\n\
             fn shift(by: u8) -> u8 {{ by {reads} }}\n\
             #[test]\nfn loud() {{ verbosity(Level(1)); }}\n"
        )
    };
    repo.write("src/lib.rs", &source("\"quiet\"", "+ 1"));
    repo.commit("Start");
    repo.write("src/lib.rs", &source("\"quiet\", \"colour\"", "+ 1"));
    repo.commit("Add a flag for colour");
    repo.write("src/lib.rs", &source("\"quiet\", \"colour\"", "+ 2"));
    repo.commit("Fix overflow");
    text(&repo.root, &["index", "--history"]);
    let why = |hint: &str| -> BTreeMap<String, String> {
        let found = json(&repo.root, &["context", "--token-budget", "4000", "--hint", hint]);
        let items = found["items"].as_array().unwrap().iter();
        let text = |value: &Json| value.as_str().unwrap().to_owned();
        items.map(|item| (text(&item["path"]), text(&item["why"]))).collect()
    };
    // What a commit changed whose message resembles the task.
    let found = why("add a flag for verbosity");
    let table = &found["demo::table"];
    assert!(table.ends_with("changed in: Add a flag for colour"), "{found:?}");
    assert!(!found["demo::verbosity"].contains("changed"), "{found:?}");
    assert!(found.contains_key("demo::shift") && found.contains_key("demo::Level"), "{found:?}");
    assert!(found.contains_key("demo::loud"), "{found:?}");
}

#[test]
fn the_same_request_is_answered_from_memory_until_the_next_revision() {
    let dir = indexed();
    let database = Database::open(dir.path()).unwrap();
    let request = ContextRequest::new("sales of a month");
    let ask = |request: &ContextRequest| database.context(request, Refresh::First).unwrap();
    let first = ask(&request);
    let second = ask(&request);
    assert_eq!((first.aggregate.cached, second.aggregate.cached), (false, true));
    assert_eq!(first.files, second.files);
    let again = ContextRequest { skip_cache: true, ..request.clone() };
    let other = ContextRequest { limit: 1, ..request.clone() };
    assert!(!ask(&again).aggregate.cached && !ask(&other).aggregate.cached);
    fs::write(dir.path().join("src/report.rs"), REPORT.replace("sales", "returns")).unwrap();
    let changed = ask(&request);
    assert!(!changed.aggregate.cached && changed.files != first.files);
}
