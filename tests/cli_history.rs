//! `asof history`, `diff`, `log` and `blame` through the binary.

use crate::support::cli;
use crate::support::tempdir;

use std::fs;

use cli::{asof, err, json, out};
use tempfile::TempDir;

const LOAD: &str = "/// Reads.
pub fn load(path: &str) -> Result<String, std::io::Error> {
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    Ok(lines.join(\"\\n\"))
}
";

/// A function is documented, moved with its file to another module, renamed and edited.
fn workspace() -> TempDir {
    let dir = tempdir();
    let at = |path: &str| dir.path().join(path);
    let index = || assert!(asof(dir.path(), &["index", "-q"]).status.success());
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(at("Cargo.toml"), manifest).unwrap();
    fs::create_dir(at("src")).unwrap();
    fs::write(at("src/lib.rs"), "pub mod a;\npub mod b;\n").unwrap();
    fs::write(at("src/a.rs"), LOAD).unwrap();
    fs::write(at("src/b.rs"), "").unwrap();
    index();
    fs::write(at("src/a.rs"), LOAD.replace("Reads.", "Reads all but comments.")).unwrap();
    index();
    fs::rename(at("src/a.rs"), at("src/b.rs")).unwrap();
    fs::write(at("src/a.rs"), "").unwrap();
    index();
    let text = fs::read_to_string(at("src/b.rs")).unwrap();
    let text = text.replace("fn load", "fn read_config").replace("'#'", "\"//\"");
    fs::write(at("src/b.rs"), text).unwrap();
    index();
    dir
}

/// Text with times and ids made equal.
fn settled(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words: Vec<String> = Vec::new();
        for word in line.split_whitespace() {
            let digits = word.bytes().filter(u8::is_ascii_digit).count();
            let date = word.len() == 10 && digits == 8 && word.contains('-');
            let time = word.len() == 8 && digits == 6 && word.contains(':');
            let zone = word.len() == 6 && digits == 4 && word.starts_with(['+', '-']);
            if zone {
                continue;
            }
            let hex = word.len() == 8 && word.bytes().all(|b| b.is_ascii_hexdigit());
            words.push(match (date, time, hex) {
                (true, ..) => "DATE".into(),
                (_, true, _) => "TIME".into(),
                (_, _, true) => "REV".into(),
                _ => word.to_owned(),
            });
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

#[test]
fn what_people_read() {
    let dir = workspace();
    let dir = dir.path();
    let told = |args: &[&str]| {
        let output = asof(dir, args);
        assert!(output.status.success(), "{args:?}: {}", err(&output));
        settled(&out(&output))
    };
    insta::assert_snapshot!(told(&["history", "crate::b::read_config", "--lines"]), @r"
    when rev what path file lines who message note
    DATE TIME REV renamed, body demo::b::read_config src/b.rs 1-6 scan was demo::b::load
    DATE TIME REV moved demo::b::load src/b.rs 1-6 scan was demo::a::load
    DATE TIME REV documentation demo::a::load src/a.rs 1-6 scan
    DATE TIME REV present when the history begins demo::a::load src/a.rs 1-6
    ");
    insta::assert_snapshot!(told(&["history", "crate::a::load", "--limit", "2"]), @r"
    when rev what path file who message note
    DATE TIME REV removed demo::a::load src/a.rs scan now demo::b::load
    DATE TIME REV documentation demo::a::load src/a.rs scan
    ");
    insta::assert_snapshot!(told(&["log"]), @r"
    when rev cause actor files added removed changed message
    DATE TIME REV scan 1 1 1 1
    DATE TIME REV scan 2 1 1 2
    DATE TIME REV scan 1 0 0 2
    DATE TIME REV scan 3 0 0 0 (the history begins here; its items may be older)
    ");
    let one = json(dir, &["log", "--limit", "1"]);
    assert_eq!((one["items"].as_array().unwrap().len(), &one["truncated"]), (1, &true.into()));
    assert_eq!(one["total"], json(dir, &["log"])["total"]);
    let log = json(dir, &["log"]);
    let first = log["items"][3]["revision"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(told(&["diff", &first, "NOW"]), @r"
    what kind path file note
    moved, renamed, documentation, body function demo::b::read_config src/b.rs was demo::a::load; from file src/a.rs
    ");
    insta::assert_snapshot!(told(&["diff", &first, "NOW", "--patch"]), @r#"
    # function demo::b::read_config (was demo::a::load): moved, renamed, documentation, body
    --- a/src/a.rs
    +++ b/src/b.rs
    @@ -1,6 +1,6 @@
    -/// Reads.
    -pub fn load(path: &str) -> Result<String, std::io::Error> {
    +/// Reads all but comments.
    +pub fn read_config(path: &str) -> Result<String, std::io::Error> {
    let text = std::fs::read_to_string(path)?;
    - let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    + let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("//")).collect();
    Ok(lines.join("\n"))
    }
    "#);
    let blame = told(&["blame", "src/b.rs"]);
    assert!(blame.contains("scan renamed, body 1-6 function demo::b::read_config"), "{blame}");
    let markdown = told(&["history", "crate::b::read_config", "--format", "markdown"]);
    assert!(markdown.starts_with("| when"), "{markdown}");
}

#[test]
fn what_programs_read() {
    let dir = workspace();
    let dir = dir.path();
    let history = json(dir, &["history", "crate::b::read_config"]);
    assert_eq!((history["total"].as_u64(), history["present"].as_bool()), (Some(4), Some(true)));
    assert_eq!(history["basis"]["freshness_state"], "fresh");
    let newest = &history["items"][0];
    assert_eq!(newest["classes"], serde_json::json!(["renamed", "body"]));
    assert_eq!(newest["previous_path"], "demo::b::load");
    assert!(newest["similarity"].as_f64().unwrap() > 0.8);
    for field in
        ["revision", "at", "cause", "id", "kind", "file_path", "signature", "tracking_hash"]
    {
        assert!(newest[field].is_string(), "{field}: {newest}");
    }
    let first = history["items"][3]["revision"].as_str().unwrap();
    let then = json(dir, &["history", "crate::a::load", "--at", first]);
    assert_eq!((then["total"].as_u64(), then["source"].as_str()), (Some(1), Some("AS_OF")));
    let diff = json(dir, &["diff", first, "NOW", "src/b.rs"]);
    assert_eq!(diff["summary"]["moved"], 1);
    assert_eq!(diff["from"]["revision"], first);
    assert_eq!(diff["items"][0]["previous_file_path"], "src/a.rs");
    assert_eq!(json(dir, &["diff", first, "NOW", "--kind", "struct"])["total"], 0);
    let log = json(dir, &["log", "--path", "src/a.rs", "--cause", "scan"]);
    assert_eq!(log["total"], 3);
    // Two moments in one argument: the log lists what the difference is made of.
    let range = format!("{first}..NOW");
    let ranged = json(dir, &["diff", &range, "src/b.rs"]);
    assert_eq!(ranged["summary"], diff["summary"]);
    assert_eq!(
        (json(dir, &["log", &range])["total"].as_u64(), ranged["total"].as_u64()),
        (Some(3), Some(1))
    );
    assert_eq!(ranged["items"][0]["matched"], "revisions");
    assert_eq!(ranged["guesses_left_out"], 0);
    let blame = json(dir, &["blame", "crate::b::read_config"]);
    assert_eq!(blame["items"][0]["depth"], 0);
    assert!(blame["items"][0]["age_s"].as_i64().is_some());
}

#[test]
fn what_is_refused() {
    let dir = workspace();
    let dir = dir.path();
    let fails = |args: &[&str], code: i32, says: &str| {
        let output = asof(dir, args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", err(&output));
        assert!(err(&output).contains(says) && out(&output).is_empty(), "{}", err(&output));
    };
    fails(&["history", "crate::b::nothing"], 1, "`nothing` was not found");
    fails(&["history", "crate::b::"], 2, "error");
    fails(&["diff", "2001-01-01T00:00:00Z", "NOW"], 1, "no revision from that time");
    fails(&["diff", "NOW", "-1h"], 1, "no revision from that time");
    fails(&["diff", "yesterday", "NOW"], 1, "no revision from that time");
    // What cannot be read is a fault of the request; what is not known is no match.
    for text in ["5 parsecs ago", "2026-13-01", "-x", "a b"] {
        let says = format!("cannot read `{text}` as a moment");
        for args in [["diff", text, "NOW"], ["log", "--since", text], ["status", "--at", text]] {
            fails(&args, 2, &says);
        }
    }
    // A name that nothing has is not told to be imported.
    fails(&["diff", "v1.0"], 1, "no revision, Git commit, branch or tag has this name");
    fails(&["diff", "v1.0"], 1, "`asof log` lists the revisions");
    fails(&["diff", "-1d..NOW", "src", "b"], 2, "already names both moments");
    fails(&["diff", "a...b"], 1, "no revision for `a...b`");
    fails(&["diff", "-1d...b"], 2, "cannot read");
    fails(&["log", "-1d"], 2, "is one moment; a range has two");
    fails(&["blame", "src/none.rs"], 1, "is not indexed");
    fails(&["blame", "crate::none"], 1, "was not found");
    fails(&["log", "--path", "crate::none"], 1, "was not found");
    let since = json(dir, &["log", "--since", "yesterday"]);
    assert_eq!(since["total"], 4);
    let log = json(dir, &["log"]);
    let first = log["items"][3]["revision"].as_str().unwrap().to_owned();
    fails(&["diff", "NOW", &first], 2, "give the earlier moment first");
    fails(&["diff", &first, "NOW", "crate::none"], 1, "was not found");
}

/// What differs because a macro does, and what one call makes, has one row with a number; what other
/// calls make has its own.
#[test]
fn what_a_macro_makes_has_one_row() {
    const RULES: &str =
        "macro_rules! t { ($($name:ident)*) => { $(pub fn $name() -> u8 { 1 })* } }\n";
    let dir = tempdir();
    let files = |rules: &str, calls: &str| {
        fs::write(dir.path().join("lib.rs"), format!("{rules}{calls}")).unwrap();
        assert!(asof(dir.path(), &["index", "-q"]).status.success());
        let log = json(dir.path(), &["log", "-n", "1"]);
        log["items"][0]["revision"].as_str().unwrap().to_owned()
    };
    let rows = |args: &[&str]| -> Vec<String> {
        let found = json(dir.path(), args);
        let row = |item: &serde_json::Value| {
            let path = item["path"].as_str().unwrap().rsplit("::").next().unwrap().to_owned();
            let many = item["expansion"].as_object();
            let many = many.map(|e| format!(" ×{} {}", e["items"], e["macro"].as_str().unwrap()));
            let class = item["classes"][0].as_str().unwrap_or("-").to_owned();
            format!("{class} {path}{}", many.unwrap_or_default())
        };
        found["items"].as_array().unwrap().iter().map(row).collect()
    };
    let (one, two) = ("t! { a b }\nt! { c }\n", "t! { a b }\nt! { c }\nt! { x y z }\n");
    let first = files(RULES, one);
    let second = files(&RULES.replace("{ 1 }", "{ 2 }"), one);
    let third = files(&RULES.replace("{ 1 }", "{ 2 }"), two);
    assert_eq!(rows(&["diff", &first, &second]), ["body a ×3 t", "body t"]);
    let all = ["contents lib", "body a", "body b", "body c", "body t"];
    assert_eq!(rows(&["diff", &first, &second, "--all"]), all);
    assert_eq!(rows(&["diff", &first, &second, "--kind", "function"]), all[1..4]);
    assert_eq!(rows(&["diff", &second, &third]), ["added x ×3 t"]);
    let blame = rows(&["blame", "lib.rs"]);
    assert_eq!(blame, ["body t", "body a ×3 t", "added x ×3 t"]);
    let shown = out(&asof(dir.path(), &["diff", &second, &third]));
    assert!(shown.contains("3 items that `t!` makes"), "{shown}");
}
