//! The explorer's pages: who may see them, their headers and sizes.

use super::client::{Response, Server};
use super::{indexed, write};

/// A request without the token.
fn stranger(server: &Server, method: &str, target: &str, headers: &[(&str, &str)]) -> Response {
    let headers = [&[("Authorization", "")], headers].concat();
    server.request(method, target, &headers, "")
}

/// A session that begins with the token, as the value of `Cookie`.
fn signed_in(server: &Server) -> String {
    let body = format!("token={}&next=%2Ff%2F", server.token.clone().unwrap());
    let headers = [("Authorization", ""), ("Content-Type", "application/x-www-form-urlencoded")];
    let response = server.request("POST", "/login", &headers, &body);
    assert_eq!((response.status, response.header("location")), (303, Some("/f/")), "{response:?}");
    let cookie = response.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

#[test]
fn pages_want_a_session_and_the_api_the_token() {
    let (work, _) = indexed();
    let server = Server::start(work.path(), &[]);
    for target in ["/", "/f/src/lib.rs", "/i/crate::wait", "/query?script=x", "/proposals"] {
        let refused = stranger(&server, "GET", target, &[]);
        assert_eq!(refused.status, 401, "{target}");
        assert!(refused.body.contains("Sign in") && !refused.body.contains("wait("), "{target}");
    }
    let wrong = stranger(&server, "GET", "/login?code=0", &[]);
    assert!(wrong.header("set-cookie").is_none(), "{wrong:?}");
    let cookie = signed_in(&server);
    let with = |target: &str| stranger(&server, "GET", target, &[("Cookie", &cookie)]);
    assert_eq!(with("/f/src/lib.rs").status, 200);
    for target in ["/api/status", "/openapi.json", "/metrics", "/mcp"] {
        assert_eq!(with(target).status, 401, "{target}");
    }
    // A page elsewhere cannot be where signing in leads.
    let out = stranger(&server, "GET", "/login?next=//evil.example", &[]);
    assert!(out.body.contains("value=\"/\""), "{out:?}");
    let foreign = [("Cookie", cookie.as_str()), ("Origin", "https://evil.example")];
    assert_eq!(stranger(&server, "GET", "/", &foreign).status, 403);
    let rebound = [("Cookie", cookie.as_str()), ("Host", "evil.example")];
    assert_eq!(stranger(&server, "GET", "/", &rebound).status, 421);
}

#[test]
fn only_forms_of_the_explorer_edit() {
    let (work, _) = indexed();
    let reading = Server::start(work.path(), &[]);
    let cookie = signed_in(&reading);
    let own = format!("http://{}", reading.address);
    let headers = [("Cookie", cookie.as_str()), ("Origin", own.as_str())];
    let refused = stranger(&reading, "POST", "/proposals/0/apply", &headers);
    assert_eq!(refused.status, 404, "edits are off: {refused:?}");
    let server = Server::start(work.path(), &["--allow-edits"]);
    let cookie = signed_in(&server);
    let own = format!("http://{}", server.address);
    let post = |headers: &[(&str, &str)]| stranger(&server, "POST", "/proposals/0/apply", headers);
    assert_eq!(post(&[("Cookie", &cookie)]).status, 403);
    assert_eq!(post(&[("Cookie", &cookie), ("Origin", "null")]).status, 403);
    assert_eq!(post(&[("Origin", &own)]).status, 401);
    let known = post(&[("Cookie", &cookie), ("Origin", &own)]);
    assert_eq!(known.status, 404, "no such proposal: {known:?}");
}

#[test]
fn a_page_names_its_revision_and_runs_nothing_of_the_workspace() {
    let (work, revision) = indexed();
    let server = Server::start(work.path(), &[]);
    let first = server.get("/i/crate::wait");
    assert_eq!(first.status, 200, "{first:?}");
    assert!(first.body.contains(&revision) && first.body.contains("/i/demo::retry::next_delay"));
    let policy = first.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let tag = first.header("etag").unwrap().to_owned();
    let again = || server.request("GET", "/i/crate::wait", &[("If-None-Match", &tag)], "");
    assert_eq!((again().status, again().body.as_str()), (304, ""));
    let hostile =
        "/// <script>alert(1)</script>\npub fn evil() -> &'static str { \"</pre><b>\" }\n";
    write(work.path(), "src/retry.rs", hostile);
    assert_eq!(again().status, 200);
    let page = server.get("/i/demo::retry::evil");
    assert!(page.body.contains("&lt;script&gt;alert(1)"), "{page:?}");
    assert_eq!(page.body.matches("<script").count(), 1, "{page:?}");
    // The revision before has the other text.
    let before = server.get(&format!("/i/demo::retry::next_delay?at={revision}"));
    assert_eq!(before.status, 200);
    let gone = server.get("/i/demo::retry::next_delay");
    assert!(gone.body.contains("does not exist at this moment"), "{gone:?}");
}

#[test]
fn a_review_lists_what_is_to_be_read_and_what_is_proven() {
    let (work, revision) = indexed();
    let text = std::fs::read_to_string(work.path().join("src/retry.rs")).unwrap();
    let renamed = text.replace("next_delay", "later_delay");
    let added = format!("{renamed}\npub fn evil() -> &'static str {{ \"</pre><b>\" }}\n");
    write(work.path(), "src/retry.rs", &added);
    let server = Server::start(work.path(), &[]);
    server.get("/");
    let page = server.get(&format!("/review/{revision}..NOW"));
    assert_eq!(page.status, 200, "{page:?}");
    assert!(page.body.contains("proven to be the same code"), "{page:?}");
    assert!(page.body.contains(">demo::retry::evil</a>"), "{page:?}");
    let proven = page.body.find("Proven to be the same code").unwrap_or_else(|| panic!("{page:?}"));
    assert!(page.body[proven..].contains("later_delay"), "{page:?}");
    // The comparison leads to it.
    let diff = server.get(&format!("/diff/{revision}..NOW"));
    assert!(diff.body.contains(&format!("href=\"/review/{revision}..NOW\"")), "{diff:?}");
    assert_eq!(server.get("/review/nowhere").status, 400);
}

#[test]
fn names_of_other_crates_lead_to_what_is_known_of_them() {
    let (work, _) = indexed();
    let text =
        "use std::fs::read;\n\npub fn load() {\n    let _ = read(\"a\");\n    missing();\n}\n";
    write(work.path(), "src/retry.rs", text);
    let server = Server::start(work.path(), &[]);
    for page in ["/f/src/retry.rs", "/i/demo::retry::load"] {
        let page = server.get(page);
        let link = "<a href=\"/i/std::fs::read\" class=\"x\">read</a>";
        assert!(page.body.contains(link), "{page:?}");
        assert!(!page.body.contains(">missing</a>"), "{page:?}");
    }
    let page = server.get("/i/std::fs::read");
    assert_eq!(page.status, 200, "{page:?}");
    let docs = "<a href=\"https://doc.rust-lang.org/std/?search=std::fs::read\" \
                rel=\"noopener noreferrer\">Documentation</a>";
    for part in [docs, "belongs to the crate <code>std</code>.", "/f/src/retry.rs?line=4#L4"] {
        assert!(page.body.contains(part), "{part}: {page:?}");
    }
    // Nothing is known of a name that nothing uses.
    let hostile = server.get("/i/std::%22%3E%3Cscript%3E");
    assert_eq!(hostile.status, 400, "{hostile:?}");
    assert!(!hostile.body.contains("\"><script>"), "{hostile:?}");
}

#[test]
fn pages_are_cut_and_what_is_missing_is_said() {
    let (work, _) = indexed();
    let many: String = (0..3_000).map(|at| format!("pub const N{at}: u32 = {at};\n")).collect();
    let text = format!("{many}pub const TEXT: &str = \"{}\";\n", "x".repeat(300_000));
    write(work.path(), "src/retry.rs", &text);
    let server = Server::start(work.path(), &[]);
    for target in
        ["/f/src/retry.rs", "/f/src/retry.rs?line=3001", "/i/demo::retry", "/log", "/query"]
    {
        let page = server.get(target);
        assert_eq!(page.status, 200, "{target}: {page:?}");
        assert!(page.body.len() <= 200_000, "{target}: {}", page.body.len());
    }
    assert!(server.get("/f/src/retry.rs?line=3001").body.contains("the line goes on"));
    for (target, status, says) in [
        ("/i/demo::nothing", 404, "no item named"),
        ("/f/src/nothing.rs", 404, "no indexed file"),
        ("/diff/a", 400, "two moments are needed"),
        ("/graph/other/demo", 404, "no graph"),
        ("/?at=1999-13-45", 400, "moment"),
        ("/query?script=nonsense", 200, "role=\"alert\""),
    ] {
        let page = server.get(target);
        assert_eq!(page.status, status, "{target}: {page:?}");
        assert!(page.body.contains(says), "{target}: {page:?}");
    }
    let other = server.request("GET", "/no/such", &[("Accept", "text/html")], "");
    assert_eq!(other.header("content-type"), Some("application/problem+json"));
}
