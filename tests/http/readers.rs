//! Readers while files change: each sees one revision, never a part of it.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::client::{PATIENCE, Server};
use super::indexed;
use super::repository::Repository;

/// Each version has these functions with its number, in two files.
fn version(number: usize) -> (String, String) {
    let lib = format!("pub mod retry;\npub fn a_{number}() {{ retry::b_{number}() }}\n");
    let functions: String = (0..40).map(|i| format!("pub fn f{i}_{number}() {{}}\n")).collect();
    (lib, format!("pub fn b_{number}() {{}}\n{functions}"))
}

#[test]
fn readers_never_see_half_a_revision() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    let stop = AtomicBool::new(false);
    // Both files are renamed into place within one pause of the watcher, but a refresh may come
    // between: a revision with only one of them is a revision, too. Within a file, and between the
    // lists of one answer, versions must not be mixed.
    let check = || {
        let answer = server.answer("/api/outline?path=src/retry.rs&limit=1000");
        let names = answer["items"].as_array().unwrap().iter();
        let names: Vec<&str> = names.filter_map(|item| item["name"].as_str()).collect();
        let versions: Vec<&str> =
            names.iter().filter_map(|name| name.rsplit_once('_')).map(|(_, n)| n).collect();
        assert!(versions.windows(2).all(|two| two[0] == two[1]), "{names:?}");
        let revision = answer["basis"]["revision"].as_str().unwrap().to_owned();
        (revision, names.len())
    };
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        seen.push(check());
                    }
                    seen
                })
            })
            .collect();
        for number in 0..12 {
            let (lib, retry) = version(number);
            for (name, text) in [("lib.rs", lib), ("retry.rs", retry)] {
                let (draft, file) = (work.path().join("draft"), work.path().join("src").join(name));
                fs::write(&draft, text).unwrap();
                fs::rename(draft, file).unwrap();
            }
            std::thread::sleep(Duration::from_millis(60));
        }
        stop.store(true, Ordering::Relaxed);
        let mut all: Vec<(String, usize)> =
            readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect();
        all.sort();
        all.dedup();
        let mut revisions: Vec<&String> = all.iter().map(|(revision, _)| revision).collect();
        revisions.dedup();
        assert_eq!(revisions.len(), all.len(), "one revision, two answers: {all:?}");
        assert!(revisions.len() > 1, "{revisions:?}");
    });
}

#[test]
fn changes_are_recorded_without_a_request() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    let revisions = || server.answer("/api/status")["revisions"].as_u64().unwrap();
    let before = revisions();
    super::write(work.path(), "src/lib.rs", "pub fn other() {}\n");
    let begin = Instant::now();
    while revisions() == before {
        assert!(begin.elapsed() < PATIENCE, "the change is not noticed");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_signal_ends_the_server_after_its_requests() {
    let (work, _) = indexed();
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start(work.path(), &[]);
        let script = "?[count(a)] := a in int_range(0, 1000), b in int_range(0, 1000), \
                      c in int_range(0, 5), a + b + c >= 0";
        let body = serde_json::json!({ "script": { "text": script } });
        let status = std::thread::scope(|scope| {
            let query = scope.spawn(|| server.post("/api/query", &body).status);
            wait_for_query(server.pid());
            server.signal(signal);
            query.join().unwrap()
        });
        assert_eq!(status, 200, "the request is finished");
        assert!(server.wait().success());
    }
}

/// Waits until the process of a query runs.
fn wait_for_query(parent: u32) {
    let begin = Instant::now();
    let children = format!("/proc/{parent}/task");
    while begin.elapsed() < PATIENCE {
        for task in fs::read_dir(&children).unwrap().flatten() {
            let list = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            if !list.trim().is_empty() {
                return;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("no query began");
}

#[test]
fn the_port_of_another_server_is_an_error() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    let port = server.address.port().to_string();
    super::cli::fails(work.path(), &["serve", "--port", &port], 5, "cannot listen on");
}

#[test]
fn a_commit_that_is_not_imported() {
    let repo = Repository::two_commits();
    super::cli::text(&repo.root, &["index"]);
    let server = Server::start(&repo.root, &[]);
    let found = server.get("/api/show?paths=demo::gone&at=v1");
    assert_eq!((found.status, found.header("cache-control")), (200, Some("no-store")));
    assert_eq!(found.json()["items"][0]["text"], "fn gone() -> u8 { 1 }");
    // As the command line says it.
    let paths = |answer: &Json| -> Vec<String> {
        let items = answer["items"].as_array().unwrap().iter();
        items.map(|item| item["path"].as_str().unwrap().to_owned()).collect()
    };
    let expected = paths(&super::cli::json(&repo.root, &["diff", "v1..HEAD"]));
    assert!(expected.contains(&"demo::gone".to_owned()), "{expected:?}");
    for target in ["/api/diff?from=v1", "/api/diff?from=v1&at=HEAD"] {
        assert_eq!(paths(&server.answer(target)), expected, "{target}");
    }
    for target in ["/api/history?path=demo::old&at=v1", "/api/query?at=v1"] {
        let refused = if target.contains("query") {
            server.post(target, &json!({ "script": { "text": "?[id] := *node{id}" } }))
        } else {
            server.get(target)
        };
        assert!(refused.status >= 400 && refused.body.contains("not imported"), "{refused:?}");
    }
}
