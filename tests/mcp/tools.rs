//! Every tool: a good call and a bad one.

use serde_json::{Value as Json, json};

use super::client::{Client, text_of};
use super::repository::Repository;
use super::{RETRY, index, indexed, write};

/// A call that answers with these texts, and one that fails with this one.
#[track_caller]
fn check(client: &mut Client, tool: &str, good: Json, says: &[&str], bad: Json, fails: &str) {
    let text = client.text(tool, good);
    for part in says {
        assert!(text.contains(part), "{tool} does not say {part:?}: {text}");
    }
    let error = client.error(tool, bad);
    assert!(error.starts_with("error: ") && error.contains(fails), "{tool}: {error}");
}

#[test]
fn tools_answer_and_refuse() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &["--all-tools"]);
    check(
        client,
        "show",
        json!({ "path": ["crate::retry::next_delay", "src/lib.rs:6"], "form": "without_docs" }),
        &["// function demo::retry::next_delay src/retry.rs:3-6", "n * 2", "pub fn wait", "fresh]"],
        json!({ "path": ["crate::retry::next_dely"] }),
        "did you mean demo::retry::next_delay",
    );
    check(
        client,
        "search",
        json!({ "query": "next delay" }),
        &["function demo::retry::next_delay src/retry.rs:3-6", "The next delay."],
        json!({ "query": "!" }),
        "a word has a letter",
    );
    check(
        client,
        "search",
        json!({ "query": "n \\* \\d", "mode": "regex", "kind": "function" }),
        &["demo::retry::next_delay", "5: "],
        json!({ "query": "(", "mode": "regex" }),
        "(",
    );
    check(
        client,
        "request_code_context",
        json!({ "hint": "next delay", "token_budget": 200 }),
        &["n * 2", " of 200 tokens (", "fresh]"],
        json!({ "token_budget": 0 }),
        "token budget must be between 1",
    );
    check(
        client,
        "quality",
        json!({ "path": "src/retry.rs" }),
        &["2 functions | Avg score", "demo::retry::next_delay  src/retry.rs:4"],
        json!({ "min_grade": "Z" }),
        "Z",
    );
    check(
        client,
        "verify",
        json!({ "query": "return type of Backoff::next", "answer": "u64" }),
        &["Mismatch", "not true:\n  u64", "missing:\n  u32"],
        json!({ "query": "", "answer": "" }),
        "the question is empty",
    );
    check(
        client,
        "ast_query",
        json!({ "query": "functions", "files": ["retry.rs"] }),
        &["@name  next_delay", "2 matches in 1 file"],
        json!({ "query": "(function_item" }),
        "the query is wrong at line 1",
    );
    check(
        client,
        "outline",
        json!({ "path": "src/retry.rs" }),
        &["pub const LIMIT", "pub fn next(&mut self) -> u32"],
        json!({ "path": "src/none.rs" }),
        "src/none.rs",
    );
    check(
        client,
        "resolve",
        json!({ "path": "Backoff::next" }),
        &["method", "src/retry.rs:13-16", "relaxed match", "tracking"],
        json!({ "path": "crate::wait", "kind": "funktion" }),
        "funktion",
    );
    check(
        client,
        "where_used",
        json!({ "path": "crate::retry::next_delay" }),
        &["in demo::wait", "2 uses in 2 files"],
        json!({ "path": "crate::retry::next_delay", "relation": "friends" }),
        "unknown variant `friends`",
    );
    check(
        client,
        "history",
        json!({ "path": "crate::wait" }),
        &["present when the history begins", "src/lib.rs"],
        json!({ "path": "crate::nothing" }),
        "crate::nothing",
    );
    check(
        client,
        "diff",
        json!({ "from": "NOW" }),
        &["no item differs"],
        json!({ "from": "the day before" }),
        "cannot read `the day before` as a moment",
    );
    check(
        client,
        "query",
        json!({ "script": "?[path] := *file{path}" }),
        &["path\nsrc/lib.rs\nsrc/retry.rs\n"],
        json!({ "script": ":create x {a}" }),
        "quer",
    );
    check(
        client,
        "query",
        json!({ "name": "resolve/by_name", "params": { "name": "wait" } }),
        &["function"],
        json!({ "name": "resolve/none" }),
        "`query` without arguments lists",
    );
    assert!(
        client.text("query", json!({})).contains("resolve/\n")
            && client
                .text("query", json!({ "name": "resolve/" }))
                .contains("resolve/by_name(name: String")
    );
    check(
        client,
        "call_path",
        json!({ "from": "crate::wait", "to": "crate::retry::next_delay" }),
        &["→ demo::retry::next_delay  src/lib.rs:7"],
        json!({ "from": "crate::wait" }),
        "missing field `to`",
    );
    check(
        client,
        "lineage",
        json!({ "path": "crate::wait", "direction": "upstream" }),
        &["demo::retry::next_delay", "demo::retry::LIMIT"],
        json!({ "path": "crate::wait", "direction": "sideways" }),
        "sideways",
    );
    check(
        client,
        "public_api",
        json!({ "members": true }),
        &["pub fn wait(n: u32)", "demo::retry::Backoff"],
        json!({ "path": "crate::none" }),
        "crate::none",
    );
    check(
        client,
        "log",
        json!({}),
        &["scan", "files 2"],
        json!({ "since": "??" }),
        "cannot read `??`",
    );
    check(
        client,
        "blame",
        json!({ "path": "src/lib.rs" }),
        &["demo::wait", "function"],
        json!({ "path": "src/none.rs" }),
        "src/none.rs",
    );
    check(
        client,
        "get_file_metadata",
        json!({ "file_path": "src/lib.rs" }),
        &["indexed true, in_sync true", "file_hash"],
        json!({ "file_path": "../outside" }),
        "outside",
    );
    check(
        client,
        "status",
        json!({}),
        &["files 2", "fresh]"],
        json!({ "verbose": true }),
        "unknown field `verbose`",
    );
}

#[test]
fn paths_without_a_match_do_not_hide_the_others() {
    let work = indexed();
    let paths = ["crate::wait", "crate::wiat", "crate::retry::LIMIT", "src/none.rs:3"];
    let client = &mut Client::start(work.path(), &["--structured"]);
    let result = client.result("show", json!({ "path": paths, "form": "signature" }));
    let text = text_of(&result);
    assert_eq!(result["isError"], false, "{text}");
    assert!(text.contains("pub fn wait") && text.contains("pub const LIMIT"), "{text}");
    let missing = "not shown: crate::wiat: no item named `crate::wiat`: `wiat` was not found; did \
                   you mean demo::wait?\nnot shown: src/none.rs:3: ";
    assert!(text.contains(missing), "{text}");
    let failed = &result["structuredContent"]["failed"];
    assert_eq!((&failed[0]["path"], failed.as_array().unwrap().len()), (&json!(paths[1]), 2));
    // The command line gives the same, and its exit code says so.
    let args = [&["show", "--signature"], paths.as_slice()].concat();
    let ours = super::cli::json(work.path(), &args);
    assert_eq!(ours["items"], result["structuredContent"]["items"]);
    assert_eq!(ours["failed"][0]["path"], paths[1]);
    super::cli::fails(work.path(), &["show", "crate::wait", "crate::wiat"], 1, "crate::wiat");
    super::cli::fails(work.path(), &args, 1, "2 paths could not be answered");
    let error = client.error("show", json!({ "path": ["crate::a", "crate::b"] }));
    assert!(error.contains("2 paths could not be answered"), "{error}");
    assert!(error.contains("`crate::a`") && error.contains("`crate::b`"), "{error}");
}

#[test]
fn code_for_a_task_stays_within_its_tokens() {
    let work = indexed();
    let function = |n: usize| {
        format!(
            "/// Step {n} of a retry.\npub fn retry_step_{n}(a: u32) -> u32 {{\n    a + {n}\n}}\n"
        )
    };
    write(work.path(), "src/lib.rs", &(0..60).map(function).collect::<String>());
    let client = &mut Client::start(work.path(), &["--structured"]);
    for budget in [100, 400, 4_000] {
        let arguments = json!({ "hint": "retry step", "token_budget": budget });
        let result = client.result("request_code_context", arguments);
        let (text, structured) = (text_of(&result), &result["structuredContent"]);
        let used = structured["tokens"]["used"].as_u64().unwrap();
        assert!(0 < used && used <= budget, "{text}");
        assert!(text.contains(&format!("in {used} of {budget} tokens")), "{text}");
        for item in structured["items"].as_array().unwrap() {
            assert!(text.contains(item["text"].as_str().unwrap()), "{item}");
        }
        assert_eq!(text.contains("did not fit in the budget"), budget < 4_000, "{text}");
    }
}

#[test]
fn searches_say_how_many_match() {
    let work = indexed();
    let functions: String = (0..30).map(|n| format!("fn retry_step_{n}() {{}}\n")).collect();
    write(work.path(), "src/lib.rs", &functions);
    let client = &mut Client::start(work.path(), &["--structured"]);
    let result = client.result("search", json!({ "query": "retry step", "limit": 5 }));
    let (text, structured) = (text_of(&result), &result["structuredContent"]);
    assert_eq!(structured["results"].as_array().unwrap().len(), 5, "{text}");
    assert_eq!((&structured["result_count"], &structured["truncated"]), (&json!(5), &json!(true)));
    assert!(text.contains("items match; raise `limit` for more"), "{text}");
    // Pages of one search have each result once.
    let mut arguments = json!({ "query": "retry step", "limit": 30, "max_tokens": 300 });
    let mut seen = Vec::new();
    loop {
        let result = client.result("search", arguments.clone());
        let results = result["structuredContent"]["results"].as_array().unwrap().clone();
        seen.extend(results.iter().map(|hit| hit["canonical_path"].to_string()));
        match result["structuredContent"].get("cursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((all, seen.len()), (30, 30));
    let nothing = client.text("search", json!({ "query": "zebra" }));
    assert!(nothing.starts_with("no item has a word of `zebra`"), "{nothing}");
}

#[test]
fn relations_of_uses() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &[]);
    let mut ask = |relation: &str, path: &str| {
        client.text("where_used", json!({ "path": path, "relation": relation }))
    };
    let callers = ask("callers", "crate::retry::next_delay");
    assert!(callers.contains("demo::retry::Backoff::next  src/retry.rs:15"), "{callers}");
    assert!(callers.contains("2 callers"), "{callers}");
    let callees = ask("callees", "crate::wait");
    assert!(callees.contains("demo::retry::next_delay") && callees.contains("1 callee"));
    let impact = ask("impact", "crate::retry::LIMIT");
    assert!(impact.contains("demo::wait") && impact.contains("1 item directly"), "{impact}");
    // What is empty says why.
    assert!(ask("uses", "crate::unused").contains("proven"));
    let error = client.error("where_used", json!({ "path": "crate::no" }));
    assert!(error.contains("no item named `crate::no`"), "{error}");
}

#[test]
fn answers_are_of_the_files_as_they_are_now() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &[]);
    let show = json!({ "path": ["crate::retry::LIMIT"] });
    assert!(client.text("show", show.clone()).contains("= 8;"));
    write(work.path(), "src/retry.rs", &RETRY.replace("= 8;", "= 16;"));
    assert!(client.text("show", show.clone()).contains("= 16;"));
    let error = client.error("diff", json!({ "from": "-1h" }));
    assert!(error.contains("the database has no revision from that time"), "{error}");
    let rows = client.text("query", json!({ "script": "?[at, id] := *revision{at, id}" }));
    let first = rows.lines().nth(1).unwrap().split('\t').nth(1).unwrap();
    let diff = client.text("diff", json!({ "from": first, "patch": true }));
    assert!(diff.contains("# const demo::retry::LIMIT: body\n"), "{diff}");
    assert!(diff.contains("+pub const LIMIT: u32 = 16;"), "{diff}");
    let history = client.text("history", json!({ "path": "crate::retry::LIMIT" }));
    assert!(history.contains("body"), "{history}");
}

#[test]
fn several_matches_are_an_error_that_tells_them_apart() {
    let work = indexed();
    write(work.path(), "src/lib.rs", "mod a { fn f() {} struct f2; }\nmod b { fn f() {} }\n");
    let client = &mut Client::start(work.path(), &[]);
    let error = client.error("where_used", json!({ "path": "f" }));
    assert!(error.contains("means 2 definitions") && error.contains("\"all\": true"), "{error}");
    let id = error.split(" id ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let one = client.text("where_used", json!({ "path": "f", "id": id }));
    assert!(one.contains("demo::a::f") && !one.contains("demo::b::f"), "{one}");
    let all = client.text("where_used", json!({ "path": "f", "all": true }));
    assert!(all.contains("demo::a::f") && all.contains("demo::b::f"), "{all}");
}

#[test]
fn text_that_hides_is_shown() {
    let work = indexed();
    write(work.path(), "src/lib.rs", "/// a\u{202e}b \u{1b}[31m\nfn f() {}\n");
    let client = &mut Client::start(work.path(), &["--structured"]);
    let result = client.result("show", json!({ "path": ["crate::f"] }));
    let text = text_of(&result);
    assert!(text.contains(r"/// a\u{202e}b \u{1b}[31m"), "{text}");
    let raw = result["structuredContent"]["items"][0]["text"].as_str().unwrap();
    assert!(raw.contains("a\u{202e}b"), "bytes as they are: {raw}");
}

#[test]
fn structured_answers_have_the_items_of_the_text() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &["--structured"]);
    let result = client.result("where_used", json!({ "path": "crate::retry::next_delay" }));
    let structured = &result["structuredContent"];
    assert_eq!(structured["total"], 2);
    assert_eq!(structured["items"][0]["file_path"], "src/lib.rs");
    assert_eq!(structured["truncated"], false);
    assert!(structured["basis"]["revision"].is_string());
    // The command line gives the same.
    let uses = ["refs", "crate::retry::next_delay"];
    let mut same = super::cli::json(work.path(), &uses);
    let mut ours = structured.clone();
    for answer in [&mut same, &mut ours] {
        answer.as_object_mut().unwrap().remove("ms");
    }
    assert_eq!(ours, same);
}

#[test]
fn resources() {
    let work = indexed();
    let client = &mut Client::start(work.path(), &[]);
    let list = client.request("resources/list", json!({}));
    assert_eq!(list["result"]["resources"][0]["uri"], "asof://schema");
    let templates = client.request("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"].as_array().unwrap().len(), 3);
    let mut read = |uri: &str| client.request("resources/read", json!({ "uri": uri }));
    let text = |answer: &Json| answer["result"]["contents"][0]["text"].as_str().unwrap().to_owned();
    assert!(text(&read("asof://schema")).contains("\nrelation node: "));
    assert_eq!(text(&read("asof://file/src/retry.rs")), RETRY);
    let node = text(&read("asof://node/crate%3A%3Aretry::LIMIT"));
    assert_eq!(node, "pub const LIMIT: u32 = 8;");
    let rows = text(&read("asof://query/resolve/by_name?name=wait"));
    assert!(rows.contains("function"), "{rows}");
    for uri in ["asof://file/../secret.rs", "asof://file/Cargo.toml", "asof://none", "file:///etc"]
    {
        let answer = read(uri);
        assert!(answer["error"]["message"].is_string(), "{uri}: {answer}");
    }
}

#[test]
fn a_commit_that_is_not_imported() {
    let repo = Repository::two_commits();
    index(&repo.root);
    let client = &mut Client::start(&repo.root, &["--all-tools"]);
    let shown = client.text("show", json!({ "path": ["demo::gone"], "at": "v1" }));
    assert!(shown.contains("fn gone() -> u8 { 1 }"), "{shown}");
    assert!(shown.contains("is not imported"), "{shown}");
    let uses = client.text("where_used", json!({ "path": "demo::gone", "at": "HEAD~1" }));
    assert!(uses.contains("demo::old"), "{uses}");
    // NOW is the database's, as before.
    assert!(client.error("show", json!({ "path": ["demo::gone"] })).contains("no item"));
    let diff = client.text("diff", json!({ "from": "v1" }));
    assert!(diff.contains("demo::new") && diff.contains("demo::gone"), "{diff}");
    let between = client.text("diff", json!({ "from": "v1", "to": "HEAD" }));
    assert!(between.contains("demo::gone"), "{between}");
    // What needs a history says how to get one.
    let history = client.error("history", json!({ "path": "demo::old", "at": "v1" }));
    assert!(history.contains("not imported") && history.contains("asof index"), "{history}");
    let query = client.error("query", json!({ "script": "?[id] := *node{id}", "at": "v1" }));
    assert!(query.contains("not imported"), "{query}");
}

#[test]
fn what_agents_type_is_understood() {
    let work = indexed();
    let methods: String = (0..40)
        .map(|n| format!("pub struct S{n};\nimpl S{n} {{\n    pub fn new() -> u32 {{ {n} }}\n}}\n"))
        .collect();
    write(work.path(), "src/many.rs", &methods);
    write(work.path(), "src/lib.rs", "pub mod many;\npub mod retry;\npub fn wait() {}\n");
    let client = &mut Client::start(work.path(), &["--all-tools"]);
    let shown = client.text("show", json!({ "path": ["src/retry.rs:4-5"] }));
    assert!(shown.contains("// function demo::retry::next_delay src/retry.rs:3-6"), "{shown}");
    let shown = client.text("show", json!({ "path": ["src/retry.rs:1-9"] }));
    assert!(shown.contains("pub const LIMIT") && shown.contains("pub struct Backoff"), "{shown}");
    let outline = client.text("outline", json!({ "path": "src" }));
    assert!(outline.contains("next_delay") && outline.contains("wait"), "{outline}");
    // Many items of one name are listed, not shown.
    let many = client.error("show", json!({ "path": ["new"] }));
    assert!(many.contains("40 items have this name"), "{many}");
    assert!(many.contains("method demo::many::S0::new src/many.rs:3"), "{many}");
    assert!(many.contains("and 10 more") && many.len() < 3_000, "{many}");
    let queries = client.text("query", json!({}));
    assert!(queries.len() < 10_000 && queries.contains("by_name(name)"), "{queries}");
    let graph = client.text("query", json!({ "name": "graph/" }));
    assert!(graph.contains("graph/users(") && !graph.contains("resolve/by_name"), "{graph}");
}

#[test]
fn moments_that_no_one_has_get_the_nearest_names() {
    let mut repo = Repository::new();
    repo.write("src/lib.rs", "pub fn a() {}\n");
    let first = repo.commit("first");
    repo.git(&["tag", "v1.0"]);
    repo.write("src/lib.rs", "pub fn a() {}\npub fn b() {}\n");
    repo.commit("second");
    index(&repo.root);
    let client = &mut Client::start(&repo.root, &[]);
    for (tool, arguments, near) in [
        ("show", json!({ "path": ["a"], "at": "mian" }), "main"),
        ("diff", json!({ "from": "v1.O" }), "v1.0"),
    ] {
        let error = client.error(tool, arguments);
        assert!(error.contains("no revision, Git commit, branch or tag"), "{error}");
        assert!(error.contains(&format!("did you mean {near}?")), "{error}");
        assert!(!error.contains("imports it"), "{error}");
    }
    let error = client.error("diff", json!({ "from": "nothing-like-it" }));
    assert!(!error.contains("imports it") && !error.contains("did you mean"), "{error}");
    // Commits that are not imported are compared by their files, and the answer says so.
    let text = client.text("diff", json!({ "from": first }));
    assert!(text.contains("demo::b") || text.contains("::b"), "{text}");
    assert!(text.contains("[files on disk, fresh"), "{text}");
    let text = client.text("diff", json!({ "from": first, "to": "HEAD" }));
    assert!(text.contains("[files of a commit that is not imported"), "{text}");
    assert!(!text.contains("nothing is indexed"), "{text}");
}

#[test]
fn uses_of_implementations_are_counted_and_listed_on_request() {
    let work = indexed();
    write(
        work.path(),
        "src/lib.rs",
        "pub trait T {\n    fn m(&self);\n}\npub struct A;\nimpl T for A {\n    fn m(&self) {}\n}\n\
         pub fn one() {\n    A.m();\n    A.m();\n}\n",
    );
    let client = &mut Client::start(work.path(), &[]);
    let mut ask = |more: Json| {
        let mut arguments = json!({ "path": "T::m" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.text("where_used", arguments)
    };
    let says = "2 uses of implementations left out (`implementations` lists them)";
    let text = ask(json!({}));
    assert!(text.contains(says), "{text}");
    let text = ask(json!({ "relation": "callers" }));
    assert!(text.contains("0 callers") && text.contains(says), "{text}");
    let text = ask(json!({ "relation": "callers", "implementations": true, "snippets": true }));
    assert!(text.contains("demo::one  src/lib.rs:9,10") && text.contains("A.m();"), "{text}");
}

#[test]
fn uses_are_those_of_a_configuration() {
    let work = indexed();
    let lib = "pub fn f() {}\npub fn g() { #[cfg(loom)] f() }\n";
    write(work.path(), "src/lib.rs", lib);
    let client = &mut Client::start(work.path(), &["--all-tools"]);
    let path = "crate::f";
    let plain = client.text("where_used", json!({ "path": path, "relation": "callers" }));
    assert!(plain.contains("demo::g  src/lib.rs:2 under loom"), "{plain}");
    for configuration in ["--cfg loom", "--any-cfg"] {
        let given = json!({ "path": path, "relation": "callers", "configuration": configuration });
        let text = client.text("where_used", given);
        assert!(text.contains("demo::g") && !text.contains("other conditions"), "{text}");
        let given = json!({ "path": path, "configuration": configuration });
        let text = client.text("lineage", given);
        assert!(text.contains("demo::g") && !text.contains("other conditions"), "{text}");
    }
    let given = json!({ "path": path, "configuration": "loom" });
    let error = client.error("where_used", given);
    assert!(error.contains("`loom` as a configuration"), "{error}");
}
