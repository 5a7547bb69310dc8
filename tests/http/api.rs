//! Each endpoint answers with the JSON of its command.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::client::Server;
use super::{cli, indexed};
use crate::support::repository::Repository;

/// Fields whose values are those of one run, or in the words of the interface.
const OWN: [&str; 4] = ["ms", "hint", "cached", "age_s"];

fn comparable(value: &mut Json) {
    match value {
        Json::Object(fields) => {
            fields.retain(|name, _| !OWN.contains(&name.as_str()));
            fields.values_mut().for_each(comparable);
        }
        Json::Array(items) => items.iter_mut().for_each(comparable),
        _ => {}
    }
}

/// Endpoints with their commands.
const SAME: &[(&str, &[&str])] = &[
    ("/api/resolve?path=crate::wait", &["resolve", "crate::wait"]),
    ("/api/resolve?path=next&kind=method", &["resolve", "next", "--kind", "method"]),
    (
        "/api/show?paths=crate::wait&paths=src/retry.rs:9",
        &["show", "crate::wait", "src/retry.rs:9"],
    ),
    (
        "/api/show?paths=crate::retry::Backoff&form=signature&with_impls=true",
        &["show", "crate::retry::Backoff", "--signature", "--with-impls"],
    ),
    ("/api/outline?path=crate", &["outline", "crate"]),
    ("/api/outline?path=src/retry.rs&depth=1", &["outline", "src/retry.rs", "--depth", "1"]),
    ("/api/api?members=true", &["api", "--members"]),
    ("/api/file?path=src/lib.rs", &["file", "src/lib.rs"]),
    ("/api/search?query=delay", &["search", "delay"]),
    ("/api/search?query=fn+wait&mode=literal", &["search", "fn wait", "--literal"]),
    ("/api/search/files?query=delay", &["search", "delay", "--files"]),
    ("/api/search/docs?query=delay", &["search", "delay", "--docs"]),
    ("/api/context/code?token_budget=200", &["context", "--token-budget", "200"]),
    ("/api/refs?path=crate::retry::next_delay", &["refs", "crate::retry::next_delay"]),
    (
        "/api/refs?path=crate::retry::next_delay&use_kinds=call&snippets=lines",
        &["refs", "crate::retry::next_delay", "--kind", "call", "--snippets"],
    ),
    ("/api/refs?path=crate::wait&unresolved=true", &["refs", "crate::wait", "--unresolved"]),
    (
        "/api/callers?path=crate::retry::next_delay&depth=2",
        &["callers", "crate::retry::next_delay", "--depth", "2"],
    ),
    (
        "/api/callers?path=crate::retry::next_delay&configuration=--any-cfg",
        &["callers", "crate::retry::next_delay", "--any-cfg"],
    ),
    (
        "/api/refs?path=crate::retry::next_delay&configuration=--all-features+--cfg+loom",
        &["refs", "crate::retry::next_delay", "--all-features", "--cfg", "loom"],
    ),
    ("/api/callees?path=crate::wait", &["callees", "crate::wait"]),
    (
        "/api/path?from=crate::wait&to=crate::retry::next_delay",
        &["path", "crate::wait", "crate::retry::next_delay"],
    ),
    (
        "/api/lineage?path=crate::retry::LIMIT&direction=downstream",
        &["lineage", "crate::retry::LIMIT", "--direction", "downstream"],
    ),
    ("/api/impact?path=crate::retry::LIMIT", &["impact", "crate::retry::LIMIT"]),
    ("/api/impact/diff?from=-1s", &["impact", "--diff", "-1s"]),
    ("/api/interface/diff?from=-1s", &["api", "--diff", "-1s"]),
    ("/api/review?from=-1s", &["review", "-1s"]),
    ("/api/quality?max_complexity=1", &["quality", "--max-complexity", "1"]),
    (
        "/api/refs/summary?path=crate::retry::next_delay",
        &["refs", "crate::retry::next_delay", "--summary"],
    ),
    ("/api/implementations?path=crate::Shape", &["implementations", "crate::Shape"]),
    ("/api/unused?guesses=true&public=true", &["unused", "--guesses", "--public"]),
    (
        "/api/reach?sets=panic&sets=arithmetic&guesses=true",
        &["reach", "panic", "arithmetic", "--guesses"],
    ),
    ("/api/reach/new?earlier=-1s&sets=panic", &["reach", "panic", "--new", "-1s..NOW"]),
    ("/api/deps?unused=true&guesses=true", &["deps", "--unused", "--guesses"]),
    ("/api/hotspots?tests=exclude", &["hotspots", "--exclude-tests"]),
    ("/api/hotspots/pairs?path=src/lib.rs", &["hotspots", "--pairs", "src/lib.rs"]),
    ("/api/hotspots/owners?since=-1h", &["hotspots", "--owners", "--since", "-1h"]),
    (
        "/api/verify?query=who+calls+next_delay&answer=wait",
        &["verify", "--query", "who calls next_delay", "--answer", "wait"],
    ),
    ("/api/ast-query?query=functions", &["ast-query", "functions"]),
    ("/api/history?path=crate::wait", &["history", "crate::wait"]),
    ("/api/diff?from=-1s", &["diff", "-1s"]),
    ("/api/log", &["log"]),
    ("/api/blame?path=crate::retry::Backoff", &["blame", "crate::retry::Backoff"]),
    ("/api/status", &["status"]),
    ("/api/inspect/modules?path=crate::retry", &["inspect", "modules", "crate::retry"]),
    ("/api/cfg", &["cfg"]),
    ("/api/inspect/counts", &["inspect", "counts"]),
    ("/api/inspect/kinds", &["inspect", "kinds"]),
    ("/api/inspect/issues", &["inspect", "issues"]),
    ("/api/inspect/unresolved?external=true", &["inspect", "unresolved", "--external"]),
    ("/api/inspect/at?file_path=src/lib.rs&byte=60", &["inspect", "at", "src/lib.rs", "60"]),
    ("/api/queries", &["query", "--list"]),
    ("/api/schema", &["query", "--schema"]),
    ("/api/schema/columns?name=node", &["query", "--schema", "node"]),
];

#[test]
fn every_endpoint_answers_as_its_command() {
    let (work, revision) = indexed();
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let spare = super::LIB.replace("unused", "spare");
    let shape = "pub trait Shape {}\nimpl Shape for u8 {}\nimpl<T: Shape> Shape for [T] {}\n";
    super::write(work.path(), "src/lib.rs", &format!("{spare}{shape}"));
    let server = Server::start(work.path(), &[]);
    let same = |target: &str, arguments: &[&str]| {
        let (mut here, mut there) = (server.answer(target), cli::answer(work.path(), arguments));
        comparable(&mut here);
        comparable(&mut there);
        assert_eq!(here, there, "{target}");
    };
    for (target, arguments) in SAME {
        same(target, arguments);
    }
    let id = server.answer("/api/resolve?path=crate::wait")["items"][0]["id"].clone();
    let id = id.as_str().unwrap();
    same(&format!("/api/inspect/nodes?ids={id}"), &["inspect", "node", id]);
    // As of a moment.
    let at = format!("&at={revision}");
    for (target, arguments) in SAME
        .iter()
        .filter(|(target, _)| target.starts_with("/api/resolve") || target.contains("refs"))
    {
        same(&format!("{target}{at}"), &[arguments, &["--at", revision.as_str()][..]].concat());
    }
    // A query is in the body.
    let script = "?[name] := *package{name}";
    let mut here = server.post("/api/query", &json!({ "script": { "text": script } })).json();
    let mut there = cli::answer(work.path(), &["query", script]);
    comparable(&mut here);
    comparable(&mut there);
    assert_eq!(here, there);

    let mut here = server.post("/context", &json!({ "intent": "delay of retry" })).json();
    let mut there = cli::answer(work.path(), &["context", "delay of retry"]);
    comparable(&mut here);
    comparable(&mut there);
    assert_eq!(here, there);

    // No endpoint is left out above.
    let known: BTreeSet<&str> =
        SAME.iter().filter_map(|(target, _)| target.split('?').next()).collect();
    let document = server.answer("/openapi.json");
    let paths = document["paths"].as_object().unwrap();
    let rest: Vec<&String> = paths.keys().filter(|path| !known.contains(path.as_str())).collect();
    let others = [
        "/api/affected", "/api/inspect/nodes", "/api/merge", "/api/query", "/context", "/healthz",
        "/metrics",
    ];
    assert_eq!(rest, others);
}

#[test]
fn what_a_difference_reaches_is_as_its_command_says() {
    let repo = Repository::two_commits();
    cli::text(&repo.root, &["index"]);
    let server = Server::start(&repo.root, &[]);
    let mut here = server.answer("/api/affected?from=v1&to=main&packages=demo");
    let mut there = cli::answer(&repo.root, &["affected", "v1..main", "-p", "demo"]);
    comparable(&mut here);
    comparable(&mut there);
    assert_eq!(here, there);
    assert_eq!(here["items"][0]["package"], "demo", "{here}");
    assert_eq!(server.get("/api/affected?from=nothing").status, 404);
    assert_eq!(server.get("/api/affected?from=v1&packages=demi").status, 404);
    assert_eq!(server.get("/api/affected?from=-1d").status, 400);
}

#[test]
fn a_merge_is_predicted_as_by_its_command() {
    let repo = Repository::two_commits();
    cli::text(&repo.root, &["index"]);
    let server = Server::start(&repo.root, &[]);
    let mut here = server.answer("/api/merge?theirs=v1");
    let mut there = cli::answer(&repo.root, &["merge", "--predict", "v1"]);
    comparable(&mut here);
    comparable(&mut there);
    assert_eq!(here, there);
    assert_eq!(here["summary"]["conflicts"], 0, "{here}");
    assert_eq!(server.get("/api/merge?theirs=nothing").status, 404);
}

#[test]
fn errors_are_problems() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    let problem = |target: &str, status: u16, kind: &str, detail: &str, hint: &str| {
        let response = server.get(target);
        assert_eq!(response.status, status, "{target}: {response:?}");
        assert_eq!(response.header("content-type"), Some("application/problem+json"));
        let problem = response.json();
        assert_eq!(problem["status"], status);
        assert_eq!(problem["kind"], kind, "{problem}");
        assert_eq!(problem["type"], format!("urn:asof:error:{kind}"));
        assert!(problem["detail"].as_str().unwrap().contains(detail), "{problem}");
        assert!(problem["hint"].as_str().unwrap().contains(hint), "{problem}");
    };
    problem("/api/resolve?path=crate::wiat", 404, "no_match", "wiat", "did you mean");
    problem("/api/resolve?path=a::::b", 400, "bad_request", "a::::b", "");
    problem("/api/resolve", 400, "bad_request", "missing field `path`", "/openapi.json");
    problem("/api/resolve?path=a&kind=thing", 400, "bad_request", "thing", "");
    problem("/api/resolve?path=a&paht=b", 400, "bad_request", "`paht`", "package, path");
    problem("/api/refs?path=crate::wait&limit=0", 400, "bad_request", "from 1 to 1000", "");
    problem("/api/callers?path=crate::wait&depth=x", 400, "bad_request", "an integer", "");
    let unread = "/api/callers?path=crate::wait&configuration=full";
    problem(unread, 400, "bad_request", "`full` as a configuration", "all-features");
    problem("/api/log?at=5+parsecs+ago", 400, "bad_request", "5 parsecs ago", "");
    problem("/api/file?path=../outside.rs", 400, "bad_request", "outside", "");
    problem("/api/show?paths=crate::nothing", 404, "no_match", "nothing", "");
    problem("/no/such", 404, "no_match", "no such endpoint", "/openapi.json");
    problem("/api/edit/list", 404, "no_match", "no such endpoint", "");
    assert_eq!(server.post("/api/resolve", &json!({})).status, 405);
    let query = |body: Json| server.post("/api/query", &body);
    let refused = query(json!({ "script": { "text": "?[a] := *nothing{a}" } }));
    assert_eq!(refused.status, 400, "{refused:?}");
    let script = json!({ "text": "?[a] <- [[1]]" });
    assert_eq!(query(json!({ "script": script, "time_ms": 60_001 })).status, 400);
    assert_eq!(query(json!({ "script": script, "rows": 10_001 })).status, 400);
    assert_eq!(query(json!([])).status, 400);
    let empty = server.post("/context", &json!({ "intent": " " }));
    assert_eq!(empty.status, 400, "{empty:?}");
    assert!(empty.json()["error"].is_string(), "{empty:?}");
}

#[test]
fn lists_come_in_pages() {
    let (work, revision) = indexed();
    let server = Server::start(work.path(), &[]);
    let whole = server.answer("/api/outline?path=crate&depth=3");
    let whole = whole["items"].as_array().unwrap().clone();
    let (mut items, mut pages) = (Vec::new(), 0);
    let mut target = "/api/outline?path=crate&depth=3&limit=2".to_owned();
    loop {
        let response = server.get(&target);
        let answer = response.json();
        let page = answer["items"].as_array().unwrap();
        assert!(page.len() <= 2);
        assert_eq!(answer["total"], whole.len());
        items.extend(page.iter().cloned());
        pages += 1;
        let Some(link) = response.header("link") else {
            assert_eq!(answer["truncated"], false);
            break;
        };
        assert!(link.contains(&revision) && link.ends_with("; rel=\"next\""), "{link}");
        target = link[1..link.find('>').unwrap()].to_owned();
    }
    assert_eq!(items, whole);
    assert_eq!(pages, whole.len().div_ceil(2));
}

#[test]
fn the_document_describes_requests_and_answers() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &["--allow-edits"]);
    let document = server.answer("/openapi.json");
    assert_eq!(document["openapi"], "3.1.0");
    let refs = &document["paths"]["/api/refs"]["get"];
    let parameter = |name: &str| {
        let all = refs["parameters"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
    };
    assert_eq!(parameter("path")["required"], true);
    assert_eq!(parameter("limit")["schema"]["maximum"], 1_000);
    assert_eq!(parameter("use_kinds")["schema"]["type"], "array");
    assert!(parameter("at")["description"].as_str().unwrap().contains("NOW"));
    // Every reference leads somewhere.
    let text = document.to_string();
    for name in text.split("\"$ref\":\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        let target = name.strip_prefix('#').unwrap();
        assert!(document.pointer(target).is_some(), "{name}");
    }
    let plan = &document["paths"]["/api/edit/plan"]["post"];
    assert!(plan["requestBody"]["content"]["application/json"]["schema"].is_object(), "{plan}");
}

#[test]
fn health_and_metrics() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    assert_eq!(server.get("/healthz").body, "ok\n");
    server.answer("/api/status");
    server.get("/api/resolve?path=nothing");
    let metrics = server.get("/metrics").body;
    for line in [
        "asof_http_requests_total{endpoint=\"/api/status\",status=\"200\"} 1",
        "asof_http_requests_total{endpoint=\"/api/resolve\",status=\"404\"} 1",
        "asof_http_request_seconds_count{endpoint=\"/api/status\"} 1",
        "asof_http_requests_running 1",
    ] {
        assert!(metrics.lines().any(|known| known == line), "{line}: {metrics}");
    }
}
