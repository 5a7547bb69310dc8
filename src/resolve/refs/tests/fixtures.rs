//! Every kind of receiver, macro, attribute, `cfg` duplicate and path, each with everything that
//! the function `f` uses. `fixtures/*.txt` has the texts: `//# name` begins one, and `//> kind target`
//! is a reference that is expected. There are no others.

use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/refs/tests/fixtures");
const FILES: &[(&str, &str)] = &[
    ("probing.txt", include_str!("fixtures/probing.txt")),
    ("traits.txt", include_str!("fixtures/traits.txt")),
    ("macros.txt", include_str!("fixtures/macros.txt")),
    ("receivers.txt", include_str!("fixtures/receivers.txt")),
    ("implicit.txt", include_str!("fixtures/implicit.txt")),
    ("rest.txt", include_str!("fixtures/rest.txt")),
    ("conditions.txt", include_str!("fixtures/conditions.txt")),
];

struct Case {
    name: String,
    text: String,
    expected: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("//# ") {
            let (text, expected) = (String::new(), Vec::new());
            cases.push(Case { name: name.to_owned(), text, expected });
            continue;
        }
        let case = cases.last_mut().unwrap();
        match line.strip_prefix("//> ") {
            Some(expected) => case.expected.push(expected.to_owned()),
            None => case.text.extend([line, "\n"]),
        }
    }
    cases
}

/// What `f` uses, the rule only where it is not a sure one.
fn uses(text: &str) -> Vec<String> {
    let lines = Workspace::parse(text).lines();
    let mut found: Vec<String> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("a::f "))
        .map(|line| {
            let sure = ["path", "member", "trait_impl", "bound", "header", "unresolved"];
            let (plain, rule) = line.rsplit_once(" [").unwrap();
            if sure.contains(&rule.trim_end_matches(']')) {
                plain.to_owned()
            } else {
                line.to_owned()
            }
        })
        .collect();
    found.sort();
    found
}

/// `ASOF_BLESS=1` writes the expected lines again: read every one of them.
#[test]
fn each_fixture_uses_what_it_says_and_nothing_else() {
    let bless = std::env::var_os("ASOF_BLESS").is_some();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, text) in FILES {
        let mut written = String::new();
        for case in cases(text) {
            let found = uses(&case.text);
            count += 1;
            let mut expected = case.expected.clone();
            expected.sort();
            if found != expected {
                wrong.push(format!("{file} {}:\n{found:#?}\nnot\n{expected:#?}", case.name));
            }
            written.push_str(&format!("//# {}\n{}", case.name, case.text));
            found.iter().for_each(|line| written.push_str(&format!("//> {line}\n")));
        }
        if bless {
            std::fs::write(format!("{FOLDER}/{file}"), written).unwrap();
        }
    }
    assert!(count >= 120, "only {count}");
    assert!(bless || wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The type of a crate, and what is made of it.
fn output_of(text: &str) -> (&'static str, &'static str) {
    if text.contains("#[proc_macro") { ("proc-macro", "link") } else { ("lib", "metadata") }
}

/// The texts are real Rust. Runs `rustc` for each crate of each.
#[test]
#[ignore = "runs rustc some 150 times"]
fn fixtures_compile() {
    let mut failed = Vec::new();
    let all = FILES.iter().flat_map(|(_, text)| cases(text));
    // No case has that crate.
    for case in all.filter(|case| !case.text.contains("outside::")) {
        let folder = tempfile::tempdir().unwrap();
        let mut crates = Vec::new();
        let mut at = folder.path().join("a/lib.rs");
        let mut texts: BTreeMap<std::path::PathBuf, String> = BTreeMap::new();
        for line in case.text.lines() {
            match line.strip_prefix("//- ") {
                Some(path) => at = folder.path().join(path.trim()),
                None => texts.entry(at.clone()).or_default().extend([line, "\n"]),
            }
            if at.ends_with("lib.rs") && !crates.contains(&at) && texts.contains_key(&at) {
                crates.push(at.clone());
            }
        }
        for (path, text) in &texts {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        for root in &crates {
            let name = root.parent().unwrap().file_name().unwrap().to_str().unwrap();
            let mut rustc = std::process::Command::new("rustc");
            let (kind, emit) = output_of(&texts[root]);
            rustc.args([
                "--edition=2021", "--cap-lints=allow", "--crate-type", kind, "--emit", emit,
            ]);
            rustc.arg(format!("--crate-name={name}")).arg("--out-dir").arg(folder.path());
            rustc.arg("-L").arg(folder.path());
            for other in crates.iter().take_while(|other| *other != root) {
                let name = other.parent().unwrap().file_name().unwrap().to_str().unwrap();
                let extension = if output_of(&texts[other]).1 == "link" { "so" } else { "rmeta" };
                let file = folder.path().join(format!("lib{name}.{extension}"));
                rustc.arg("--extern").arg(format!("{name}={}", file.display()));
            }
            let output = rustc.arg(root).output().unwrap();
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stderr).into_owned();
                failed.push(format!("{}:\n{text}", case.name));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
