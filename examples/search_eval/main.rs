//! Asks every question of a file, and writes the ranked answers: for scoring, see docs/search.md.
//!
//! `cargo run --release --example search_eval -- WORKSPACE QUESTIONS.tsv [--kind fn] [--explain]
//! [--by words|meaning|both]`
//!
//! QUESTIONS.tsv has a header with the columns `qid` and `query`. Of a question that is listed more
//! than once, the first line counts. Each line of the output is
//! `{"qid": …, "results": [[file, line, name], …], "files": [file, …]}`; times go to standard error.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "its output is its purpose")]

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use asof::{Database, IndexOptions, Refresh, Silent, When};
use asof_model::NodeKind;
use asof_wire::{SearchBy, SearchRequest};

/// Results for each question.
const LIMIT: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [root, questions, options @ ..] = args.as_slice() else {
        return Err("WORKSPACE QUESTIONS.tsv [--kind fn] [--explain] [--by WHAT]".into());
    };
    let explain = options.iter().any(|option| option == "--explain");
    let only_functions = options.iter().any(|option| option == "fn");
    let has = |word: &str| options.iter().any(|option| option == word);
    let by = match (has("words"), has("meaning")) {
        (true, _) => SearchBy::Words,
        (_, true) => SearchBy::Meaning,
        _ => SearchBy::Both,
    };
    let limit = if explain { 200 } else { LIMIT };
    let database = Database::create_or_open(Path::new(root))?;
    database.refresh(&IndexOptions::default(), &Silent)?;
    let snapshot = database.snapshot(&When::Newest, Refresh::Skip)?;
    let text = std::fs::read_to_string(questions)?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().ok_or("no header")?;
    let column = |name: &str| header.iter().position(|have| *have == name).ok_or("no column");
    let (qid, query) = (column("qid")?, column("query")?);
    let mut seen = BTreeSet::new();
    let mut times = Vec::new();
    for line in lines {
        let (Some(qid), Some(query)) = (line.get(qid), line.get(query)) else { continue };
        if !seen.insert((*qid).to_owned()) {
            continue;
        }
        let kinds =
            if only_functions { vec![NodeKind::Function, NodeKind::Method] } else { Vec::new() };
        let request = SearchRequest {
            query: (*query).to_owned(),
            by,
            kinds,
            limit: Some(limit),
            explain,
            ..SearchRequest::default()
        };
        let started = Instant::now();
        let found = snapshot.search(&request)?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
        let files = snapshot.search_files(&request)?;
        let result = |hit: &asof_wire::Hit| {
            let mut row = vec![
                hit.file_path.clone().into(),
                hit.line.into(),
                hit.function_name.clone().into(),
            ];
            if explain {
                row.extend([hit.relevance_score.into(), hit.kind.as_str().into()]);
                row.extend(hit.features.clone());
            }
            serde_json::Value::Array(row)
        };
        let file = |file: &asof_wire::FileHit| match &file.features {
            Some(features) => serde_json::json!([file.file_path, file.relevance_score, features]),
            None => file.file_path.clone().into(),
        };
        println!(
            "{}",
            serde_json::json!({
                "qid": qid,
                "results": found.results.iter().map(result).collect::<Vec<_>>(),
                "files": files.results.iter().map(file).collect::<Vec<_>>(),
            })
        );
    }
    if let Some(first) = times.first() {
        let first = *first;
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times.get((share * (times.len() - 1) as f64) as usize).copied();
        eprintln!(
            "{} questions: first {first:.1} ms, p50 {:.1} ms, p95 {:.1} ms",
            times.len(),
            at(0.5).unwrap_or_default(),
            at(0.95).unwrap_or_default()
        );
    }
    Ok(())
}
