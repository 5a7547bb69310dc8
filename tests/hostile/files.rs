//! Pipes, devices, sockets, endless files and links under every name that is opened below the
//! root, and manifests whose members would never end.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use super::{MANIFEST, done, pipe, refused};
use crate::support::Copy;

fn package() -> Copy {
    Copy::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn f() {}\n")])
}

/// Path and message of every issue.
fn issues(root: &Path) -> Vec<(String, String)> {
    done(root, &["index", "-q"]);
    let text = done(root, &["inspect", "issues", "--limit", "1000000", "--format", "json"]);
    let answer: Json = serde_json::from_str(&text).unwrap();
    let text = |issue: &Json, key: &str| issue[key].as_str().unwrap().to_owned();
    let items = answer["items"].as_array().unwrap().iter();
    items.map(|issue| (text(issue, "file_path"), text(issue, "message"))).collect()
}

/// A way to put something at a path that is no plain file.
type Place = fn(&Path);

/// Each with a word of the message about it.
const PLACES: [(Place, &str); 4] = [
    (pipe, "a named pipe"),
    (|path| drop(UnixListener::bind(path).unwrap()), "a socket"),
    (|path| symlink("/dev/zero", path).unwrap(), "points outside the workspace"),
    (|path| fs::File::create(path).unwrap().set_len(5 << 30).unwrap(), "at most"),
];

#[test]
fn what_is_no_plain_file_is_an_issue_under_every_name_that_a_walk_opens() {
    let names = [
        ".gitignore", ".ignore", ".git/info/exclude", "src/.gitignore", "src/a.rs", "x/Cargo.toml",
    ];
    for (place, word) in PLACES {
        let copy = package();
        for name in names {
            let path = copy.root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            place(&path);
        }
        let told = issues(&copy.root);
        for name in names {
            let found = told.iter().find(|(path, _)| path == name);
            let message = found.map(|(_, message)| message.as_str()).unwrap_or_default();
            assert!(message.contains(word), "{name}: {told:?}");
        }
    }
}

#[test]
fn a_cache_tag_that_is_no_plain_file_marks_nothing() {
    for (place, _) in PLACES {
        let copy = package();
        place(&copy.root.join("src/CACHEDIR.TAG"));
        done(&copy.root, &["index", "-q"]);
        assert!(done(&copy.root, &["resolve", "demo::f"]).contains("src/lib.rs"));
    }
}

#[test]
fn the_manifest_of_the_root_must_be_a_plain_file() {
    for (place, word) in PLACES {
        let copy = package();
        copy.remove("Cargo.toml");
        place(&copy.root.join("Cargo.toml"));
        let error = refused(&copy.root, &["index"], 5);
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn files_that_are_named_must_be_plain_files() {
    let copy = package();
    done(&copy.root, &["index", "-q"]);
    let queries = copy.root.join(".asof/queries");
    fs::create_dir(&queries).unwrap();
    for (number, (place, _)) in PLACES.iter().enumerate() {
        place(&queries.join(format!("q{number}.cozo")));
    }
    // The library is there all the same, and says what is wrong.
    let found = done(&copy.root, &["query", "--name", "resolve/by_name", "--param", "name=f"]);
    assert!(found.contains("f"), "{found}");
    done(&copy.root, &["query", "--list"]);
    pipe(&copy.root.join("pipe"));
    for args in [
        &["query", "-f", "pipe"][..],
        &["edit", "plan", "--file", "pipe"],
        &["backup", "verify", "pipe"],
        &["backup", "inspect", "pipe"],
        &["backup", "restore", "pipe"],
    ] {
        let output = super::asof(&copy.root, args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{args:?}");
        assert!(error.contains("a named pipe"), "{args:?}: {error}");
    }
    assert!(refused(&copy.root, &["query", "-f", "pipe"], 2).contains("a named pipe"));
    symlink("/dev/zero", copy.root.join("endless")).unwrap();
    assert!(refused(&copy.root, &["query", "-f", "endless"], 2).contains("a device"));
    pipe(&copy.root.join("src/pipe.rs"));
    assert!(refused(&copy.root, &["file", "src/pipe.rs"], 1).contains("no file"));
}

/// What `asof file` says of a link that leads out tells nothing of what is there.
#[test]
fn metadata_is_not_read_through_links_that_lead_out() {
    let copy = package();
    symlink("/etc/passwd", copy.root.join("src/out.rs")).unwrap();
    done(&copy.root, &["index", "-q"]);
    assert!(refused(&copy.root, &["file", "src/out.rs"], 1).contains("no file"));
}

#[test]
fn patterns_of_members_pass_no_link() {
    let outside = package();
    fs::create_dir_all(outside.root.join("deep/secret")).unwrap();
    fs::write(outside.root.join("deep/secret/Cargo.toml"), MANIFEST).unwrap();
    let members = "[workspace]\nmembers = ['r/*/*', 'r/*', '*/deep/*', 's/*/*/*/*/*/*/*/*/*']\n";
    let copy =
        Copy::with(&[("Cargo.toml", members), ("m/src/lib.rs", ""), ("m/Cargo.toml", MANIFEST)]);
    symlink(&outside.root, copy.root.join("r")).unwrap();
    fs::create_dir(copy.root.join("s")).unwrap();
    for name in ["a", "b", "c", "d", "e"] {
        symlink(".", copy.root.join("s").join(name)).unwrap();
    }
    let begin = Instant::now();
    assert_eq!(issues(&copy.root), []);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    let found = done(&copy.root, &["query", "?[path] := *package{manifest_path: path @ $at}"]);
    assert!(found.contains("m/Cargo.toml") && !found.contains("secret"), "{found}");
}

/// A workspace of a hundred folders with these members.
fn with_members(members: impl Iterator<Item = String>) -> Copy {
    let mut text = "[workspace]\nmembers = [".to_owned();
    members.for_each(|member| write!(text, "\"{member}\",").unwrap());
    text.push(']');
    let copy =
        Copy::with(&[("Cargo.toml", &text), ("m/src/lib.rs", ""), ("m/Cargo.toml", MANIFEST)]);
    for number in 0..100 {
        fs::create_dir_all(copy.root.join(format!("d{number}/e/f"))).unwrap();
    }
    copy
}

#[test]
fn patterns_of_members_have_a_budget() {
    let begin = Instant::now();
    let copies: Vec<(PathBuf, Copy)> = [
        with_members((0..30_000).map(|n| format!("*{n}*/x{n}*"))),
        with_members((0..30_000).map(|_| "*/*/*".to_owned())),
        with_members((0..60_000).map(|_| "m".to_owned())),
        with_members([format!("{}{}", "*{".repeat(2_000), "}".repeat(2_000))].into_iter()),
    ]
    .into_iter()
    .map(|copy| (copy.root.clone(), copy))
    .collect();
    let words = [
        "different patterns",
        "folders compared",
        "more than 50000 members",
        "is not a valid pattern",
    ];
    for ((root, _), word) in copies.iter().zip(words) {
        let told = issues(root);
        assert_eq!(told.len(), 1, "{word}: {told:?}");
        assert!(told[0].1.contains(word), "{told:?}");
        let found = done(root, &["query", "?[path] := *package{manifest_path: path @ $at}"]);
        assert!(found.contains("m/Cargo.toml"), "{found}");
    }
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn ignore_files_have_a_budget() {
    let copy = package();
    let nested = "{".repeat(100_000);
    fs::write(copy.root.join(".ignore"), format!("{nested}\nhidden.rs\n\u{fffd}\n")).unwrap();
    fs::write(copy.root.join(".gitignore"), "a\n".repeat(60_000)).unwrap();
    fs::write(copy.root.join("hidden.rs"), "fn hidden() {}\n").unwrap();
    let told = issues(&copy.root);
    let messages: Vec<&str> = told.iter().map(|(_, message)| message.as_str()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("not used from line") && messages[1].contains("too many braces"));
    let found = done(&copy.root, &["query", "?[path] := *file{path @ $at}"]);
    assert!(!found.contains("hidden"), "{found}");
}
