//! What a server gave to a model, as a trace.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value as Json, json};

use super::cli::{self, fails};
use super::client::Client;
use super::indexed;

#[test]
fn calls_are_traced_for_asof_trace() {
    let work = indexed();
    let file = work.path().join("trace.jsonl");
    let mut client = Client::start(work.path(), &["--trace", "trace.jsonl"]);
    client.tools();
    let text = client.text("show", json!({ "path": ["crate::wait"] }));
    client.error("show", json!({ "path": ["no_such_item"] }));
    client.close();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let lines = fs::read_to_string(&file).unwrap();
    let mut events: Vec<Json> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    // The list of tools is counted beside the first call.
    events.sort_by_key(|event| (event["iteration"].as_u64(), event["kind"] == "tool_result"));
    let seen: Vec<_> = events.iter().map(|event| (&event["kind"], &event["label"])).collect();
    let (call, result, show) = (json!("tool_call"), json!("tool_result"), json!("show"));
    assert!(seen.contains(&(&json!("system_prompt"), &json!("tools/list"))), "{seen:?}");
    assert_eq!(seen.iter().filter(|one| **one == (&call, &show)).count(), 2, "{seen:?}");
    let answer = events.iter().find(|event| event["kind"] == result && event["iteration"] == 0);
    let expected = asof_search::count_tokens(&text);
    assert_eq!(answer.unwrap()["tokens"], expected, "{events:?}");
    let summary = cli::answer(work.path(), &["trace", "trace.jsonl", "--budget", "4000"]);
    assert_eq!(
        (&summary["events"], summary["iterations"].as_array().unwrap().len()),
        (&5.into(), 2)
    );
}

#[test]
fn a_trace_that_cannot_be_written_fails_no_call() {
    let work = indexed();
    std::os::unix::fs::symlink("elsewhere", work.path().join("link")).unwrap();
    let options = ["mcp", "--trace", "link"];
    fails(work.path(), &options, 2, "is not a regular file of its own");
    assert!(!work.path().join("elsewhere").exists());
    // A full disk.
    if fs::metadata("/dev/full").is_ok() {
        fails(work.path(), &["mcp", "--trace", "/dev/full"], 2, "is not a regular file");
    }
}
