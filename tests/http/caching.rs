//! Tags of revisions, and answers that never change.

use super::client::Server;
use super::{LIB, indexed, write};

#[test]
fn answers_have_the_tag_of_their_revision() {
    let (work, revision) = indexed();
    let server = Server::start(work.path(), &[]);
    let target = "/api/resolve?path=crate::wait";
    let first = server.get(target);
    let tag = first.header("etag").unwrap().to_owned();
    assert!(tag.starts_with(&format!("W/\"{revision}-")), "{tag}");
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    let again = |tag: &str| server.request("GET", target, &[("If-None-Match", tag)], "");
    let same = again(&tag);
    assert_eq!((same.status, same.body.as_str()), (304, ""));
    assert_eq!(same.header("etag"), Some(tag.as_str()));
    assert_eq!(again("\"other\"").status, 200);
    // After a change the answer is another one.
    write(work.path(), "src/lib.rs", &LIB.replace("unused", "spare"));
    let changed = again(&tag);
    assert_eq!(changed.status, 200);
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

#[test]
fn answers_of_a_pinned_moment_never_change() {
    let (work, revision) = indexed();
    let server = Server::start(work.path(), &[]);
    let caching = |target: &str| {
        let response = server.get(target);
        assert_eq!(response.status, 200, "{target}: {response:?}");
        response.header("cache-control").unwrap().to_owned()
    };
    let pinned = format!("at={revision}");
    let immutable = "private, max-age=31536000, immutable";
    assert_eq!(caching(&format!("/api/resolve?path=crate::wait&{pinned}")), immutable);
    assert_eq!(caching(&format!("/api/diff?from={revision}&{pinned}")), immutable);
    assert_eq!(caching(&format!("/api/log?{pinned}")), immutable);
    // A short form may mean another revision later, an age does, and these depend on the clock.
    let short: String = revision.chars().take(8).collect();
    assert_eq!(caching(&format!("/api/resolve?path=crate::wait&at={short}")), "private, no-cache");
    assert_eq!(caching("/api/log?since=-1d"), "no-store");
    assert_eq!(caching(&format!("/api/blame?path=src/lib.rs&{pinned}")), "no-store");
    assert_eq!(caching("/api/status"), "no-store");
    assert_eq!(server.get("/api/resolve?path=nothing").header("cache-control"), Some("no-store"));
}
