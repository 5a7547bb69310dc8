//! `asof review` through the binary: refactorings are proven, and what a change hides in one is read.

use crate::support;

use serde_json::Value;
use support::cli::{asof, code, err, json, out, text};
use support::repository::Repository;

const MANIFEST: &str = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";

const LIB: &str = "//! A library.
mod money;
mod other;
mod report;
pub use money::Price;
use report::{fee, minus};

/// The sum of prices.
pub fn total(prices: &[Price], tax: u64) -> Result<u64, std::fmt::Error> {
    let mut sum = 0u64;
    for price in prices {
        sum += money::cents(price, tax)? - fee(tax);
    }
    Ok(sum)
}
pub fn swapped(a: u64, b: u64) -> u64 {
    minus(a, b)
}
pub fn doubled(n: u64) -> u64 {
    let shown = format!(\"{n}\");
    if shown.len() == 1 { n * 2 } else { n }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles() {
        assert_eq!(doubled(2), 4);
        assert_eq!(Price::new(1, 2).fits(), true);
    }
}
";

const MONEY: &str = "//! Money.
use std::fmt::Error;

#[derive(Clone, PartialEq)]
pub struct Price {
    pub net: u64,
    gross: u64,
}

impl Price {
    pub fn new(net: u64, gross: u64) -> Self {
        Self { net, gross }
    }
    pub fn fits(&self) -> bool {
        self.net < self.gross
    }
}

pub(crate) fn cents(price: &Price, tax: u64) -> Result<u64, Error> {
    if price.net > tax { Ok(price.gross * 100) } else { Err(Error) }
}

/// How a number is called.
#[inline]
pub(crate) fn word<'a, T: Into<u64>>(n: T, few: &'a str) -> &'a str {
    match n.into() {
        0 => \"none\",
        1 | 2 => few,
        _ => \"many\",
    }
}
";

const OTHER: &str = "pub(crate) fn fee(tax: u64) -> u64 {
    tax / 3
}
";

const REPORT: &str = "pub(crate) fn fee(tax: u64) -> u64 {
    tax / 2
}
pub(crate) fn minus(a: u64, b: u64) -> u64 {
    a - b
}
pub(crate) fn titled(n: u8) -> String {
    crate::money::word(n, \"few\").to_owned()
}
";

/// The same program: `cents` is `in_cents`, `Price` is `Amount` with a field `whole`, `report` is
/// `lines::table`, `word` is in `lines`, variables have other names, and everything is formatted and
/// imported in another way.
const NEW_LIB: &str = "//! A library.
pub(crate) mod lines;
mod money;
mod other;
use self::lines::table;
pub use money::Amount;

/// The sum of prices.
pub fn total(all: &[Amount], tax: u64) -> Result<u64, std::fmt::Error> {
    let mut sum = 0u64;
    for one in all {
        sum += crate::money::in_cents(
            one,
            tax,
        )? - table::fee(tax);
    }
    Ok(sum)
}
pub fn swapped(a: u64, b: u64) -> u64 { table::minus(a, b) }
pub fn doubled(number: u64) -> u64 {
    let shown = format!(\"{number}\");
    if shown.len() == 1 { number * 2 } else { number }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles() {
        assert_eq!(doubled(2), 4);
        assert_eq!(Amount::new(1, 2).fits(), true);
    }
}
";

const NEW_MONEY: &str = "//! Money.
use std::fmt;

#[derive(Clone, PartialEq)]
pub struct Amount {
    pub net: u64,
    whole: u64,
}

impl Amount {
    pub fn new(net: u64, gross: u64) -> Self {
        Self { net, whole: gross }
    }
    pub fn fits(&self) -> bool {
        self.net < self.whole
    }
}

pub(crate) fn in_cents(price: &Amount, tax: u64) -> Result<u64, fmt::Error> {
    if price.net > tax {
        Ok(price.whole * 100)
    } else {
        Err(fmt::Error)
    }
}
";

const LINES: &str = "pub(crate) mod table;

/// How a number is called.
#[inline]
pub(crate) fn word<'s, N: Into<u64>>(n: N, few: &'s str) -> &'s str {
    match n.into() {
        0 => \"none\",
        1 | 2 => few,
        _ => \"many\",
    }
}
";

const TABLE: &str = "pub(crate) fn fee(tax: u64) -> u64 {
    tax / 2
}
pub(crate) fn minus(a: u64, b: u64) -> u64 {
    a - b
}
pub(crate) fn titled(n: u8) -> String {
    super::word(n, \"few\").to_owned()
}
";

/// Files of a state.
type Files = [(&'static str, String)];

fn old_files() -> Vec<(&'static str, String)> {
    vec![
        ("Cargo.toml", MANIFEST.to_owned()),
        ("src/lib.rs", LIB.to_owned()),
        ("src/money.rs", MONEY.to_owned()),
        ("src/other.rs", OTHER.to_owned()),
        ("src/report.rs", REPORT.to_owned()),
    ]
}

fn new_files() -> Vec<(&'static str, String)> {
    vec![
        ("Cargo.toml", MANIFEST.to_owned()),
        ("src/lib.rs", NEW_LIB.to_owned()),
        ("src/money.rs", NEW_MONEY.to_owned()),
        ("src/other.rs", OTHER.to_owned()),
        ("src/lines.rs", LINES.to_owned()),
        ("src/lines/table.rs", TABLE.to_owned()),
    ]
}

/// A repository with two commits.
fn commits(old: &Files, new: &Files) -> Repository {
    let mut repo = Repository::new();
    for (path, text) in old {
        repo.write(path, text);
    }
    repo.commit("old");
    for (path, _) in old {
        if !new.iter().any(|(kept, _)| kept == path) {
            std::fs::remove_file(repo.root.join(path)).unwrap();
        }
    }
    for (path, text) in new {
        repo.write(path, text);
    }
    repo.commit("new");
    repo
}

fn review(repo: &Repository) -> Value {
    json(&repo.root, &["review", "HEAD~1..HEAD"])
}

fn list<'v>(found: &'v Value, name: &str) -> Vec<&'v Value> {
    found[name].as_array().unwrap().iter().collect()
}

/// Paths of the items to read, each with its reasons.
fn to_read(found: &Value) -> Vec<String> {
    let line = |one: &&Value| {
        let reasons: Vec<&str> =
            list(one, "reasons").iter().map(|one| one["reason"].as_str().unwrap()).collect();
        format!("{}: {}", one["path"].as_str().unwrap(), reasons.join(", "))
    };
    list(found, "read").iter().map(line).collect()
}

/// Paths of the proven items, each with what became of it.
fn proven(found: &Value) -> Vec<String> {
    let line = |one: &&Value| {
        let what: Vec<&str> = list(one, "what").iter().map(|one| one.as_str().unwrap()).collect();
        format!("{}: {}", one["path"].as_str().unwrap(), what.join(", "))
    };
    list(found, "proven").iter().map(line).collect()
}

#[test]
fn refactorings_are_proven_to_be_the_same_code() {
    let repo = commits(&old_files(), &new_files());
    let found = review(&repo);
    assert_eq!(to_read(&found), ["demo::lines: added"], "{found:#}");
    assert_eq!(proven(&found), EXPECTED, "{found:#}");
    let printed = text(&repo.root, &["review", "HEAD~1..HEAD"]);
    assert_eq!(printed.lines().next().unwrap(), HEADLINE, "{printed}");
    // Backwards as well.
    repo.git(&["checkout", "-q", "HEAD~1", "--", "."]);
    for path in ["src/lines.rs", "src/lines/table.rs"] {
        std::fs::remove_file(repo.root.join(path)).unwrap();
    }
    let back = json(&repo.root, &["review"]);
    assert_eq!(to_read(&back), ["demo::lines: removed"], "{back:#}");
}

const EXPECTED: &[&str] = &[
    "<demo::money::Amount>: adapted",
    "demo::doubled: signature",
    "demo::lines::table: renamed, moved",
    "demo::lines::table::titled: adapted",
    "demo::lines::word: moved, signature",
    "demo::money::Amount: renamed",
    "demo::money::Amount::fits: adapted",
    "demo::money::Amount::new: adapted",
    "demo::money::in_cents: renamed",
    "demo::swapped: adapted",
    "demo::tests::doubles: adapted",
    "demo::total: signature",
];
const HEADLINE: &str = "11 of 12 changed items are proven to be the same code: 3 renamed, 1 moved, \
                        2 with another signature, 5 adapted to others; read this one";

/// A change in the refactored program: where, what, and the item that has to be read for it, with
/// its reasons.
type Mutation = (&'static str, &'static str, &'static str, &'static [&'static str]);

const MUTATIONS: &[Mutation] = &[
    // Tokens.
    ("src/lines/table.rs", "a - b", "a + b", &["demo::lines::table::minus: code"]),
    ("src/lines/table.rs", "tax / 2", "tax / 3", &["demo::lines::table::fee: code"]),
    ("src/lib.rs", "0u64", "0u32", &["demo::total: code"]),
    ("src/lib.rs", "        )? -", "        ).unwrap_or(0) -", &["demo::total: code"]),
    ("src/lib.rs", "minus(a, b)", "minus(b, a)", &["demo::swapped: code, code"]),
    ("src/lib.rs", "number * 2", "shown.len() as u64 * 2", &["demo::doubled: code"]),
    (
        "src/lines.rs",
        "0 => \"none\",\n        1 | 2 => few,",
        "1 | 2 => few,\n        0 => \"none\",",
        &["demo::lines::word: code, code"],
    ),
    (
        "src/money.rs",
        "Self { net, whole: gross }",
        "Self { net: gross, whole: net }",
        &["demo::money::Amount::new: code, code"],
    ),
    (
        "src/money.rs",
        "self.net < self.whole",
        "self.whole < self.net",
        &["demo::money::Amount::fits: meaning, meaning"],
    ),
    (
        "src/money.rs",
        "pub net: u64,\n    whole: u64,",
        "whole: u64,\n    pub net: u64,",
        &["demo::money::Amount: code, code"],
    ),
    // What is around the code.
    ("src/lines.rs", "#[inline]\n", "", &["demo::lines::word: code"]),
    ("src/lines.rs", "N: Into<u64>", "N: Into<u64> + Copy", &["demo::lines::word: code"]),
    (
        "src/lines.rs",
        "few: &'s str) -> &'s str",
        "few: &'static str) -> &'s str",
        &["demo::lines::word: code"],
    ),
    (
        "src/lines/table.rs",
        "pub(crate) fn minus",
        "pub fn minus",
        &["demo::lines::table::minus: visibility"],
    ),
    (
        "src/lines/table.rs",
        "pub(crate) fn minus",
        "pub(crate) unsafe fn minus",
        &["demo::lines::table::minus: code"],
    ),
    (
        "src/lines/table.rs",
        "pub(crate) fn minus",
        "pub(crate) const fn minus",
        &["demo::lines::table::minus: code"],
    ),
    (
        "src/lines/table.rs",
        "pub(crate) fn minus",
        "#[cfg(unix)]\npub(crate) fn minus",
        &["demo::lines::table::minus: condition"],
    ),
    // Names.
    ("src/lib.rs", "table::fee(tax)", "other::fee(tax)", &["demo::total: meaning"]),
    ("src/lib.rs", "use self::lines::table;", "use self::lines::table;\nuse other as table2;", &[]),
    (
        "src/lib.rs",
        "let shown =",
        "let number = 3;\n    let shown =",
        &["demo::doubled: code, code, code, meaning"],
    ),
    ("src/money.rs", "fmt::Error>", "std::io::Error>", &["demo::money::in_cents: meaning"]),
];

#[test]
fn what_a_refactoring_hides_is_read() {
    for (file, old, new, expected) in MUTATIONS {
        let mut files = new_files();
        let text = &mut files.iter_mut().find(|(path, _)| path == file).unwrap().1;
        assert!(text.contains(old), "{file} has no {old}");
        *text = text.replacen(old, new, 1);
        let found = review(&commits(&old_files(), &files));
        let mut read = to_read(&found);
        read.retain(|one| one != "demo::lines: added");
        assert_eq!(read, *expected, "{old} -> {new}: {found:#}");
    }
}

#[test]
fn the_gate_fails_for_what_is_left_to_read() {
    let mut files = old_files();
    files[1].1 = LIB.replace("n * 2", "n * 3");
    let repo = commits(&old_files(), &files);
    let output = asof(&repo.root, &["review", "HEAD~1..HEAD", "--check", "--patch"]);
    assert_eq!(code(&output), 8);
    assert!(err(&output).contains("1 item left to read"), "{}", err(&output));
    let printed = out(&output);
    assert!(printed.contains("code: `3` in the place of `2` (line 21)"), "{printed}");
    assert!(printed.contains("-    if shown.len() == 1 { n * 2 } else { n }\n"), "{printed}");
    assert!(printed.contains("tests: 1 of 1 test reach it"), "{printed}");
    let same = asof(&repo.root, &["review", "HEAD..HEAD", "--check"]);
    assert_eq!(
        (code(&same), out(&same).lines().next().unwrap()),
        (0, "no items differ outside of tests")
    );
    assert_eq!(code(&asof(&repo.root, &["review", "nothing..HEAD"])), 1);
}

#[test]
fn a_diff_is_against_the_earlier_text_with_the_later_names() {
    let mut files = new_files();
    files[2].1 = NEW_MONEY.replace("price.whole * 100", "price.whole * 10");
    let found = json(&commits(&old_files(), &files).root, &["review", "HEAD~1..HEAD", "--patch"]);
    let item = list(&found, "read")[1];
    assert_eq!(item["path"], "demo::money::in_cents");
    let patch = item["patch"].as_str().unwrap();
    let changed: Vec<&str> = patch
        .lines()
        .filter(|line| {
            line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
        })
        .collect();
    assert_eq!(
        changed,
        ["-        Ok(price.whole * 100)", "+        Ok(price.whole * 10)"],
        "{patch}"
    );
    let commands: Vec<&str> =
        list(&found, "commands").iter().map(|one| one.as_str().unwrap()).collect();
    assert_eq!(
        commands,
        [
            "asof rename demo::report table",
            "asof move demo::table demo::lines",
            "asof move demo::money::word demo::lines",
            "asof rename demo::money::Price Amount",
            "asof change-signature demo::doubled --rename n=number",
            "asof change-signature demo::total --rename prices=all"
        ]
    );
    let markdown = out(&asof(
        &commits(&old_files(), &files).root,
        &["review", "HEAD~1..HEAD", "--format", "markdown"],
    ));
    assert!(markdown.starts_with("**10 of 12 changed items are proven"), "{markdown}");
}

#[test]
fn a_planned_edit_is_reviewed_before_it_is_applied() {
    let mut repo = Repository::new();
    for (path, text) in old_files() {
        repo.write(path, &text);
    }
    repo.commit("old");
    text(&repo.root, &["index"]);
    let planned = json(&repo.root, &["rename", "demo::money::cents", "in_cents", "--plan"]);
    let id = planned["proposal_id"].as_str().unwrap();
    let found = json(&repo.root, &["review", "--proposal", id]);
    assert_eq!(to_read(&found), Vec::<String>::new(), "{found:#}");
    assert_eq!(proven(&found), ["demo::money::in_cents: renamed", "demo::total: adapted"]);
    assert_eq!(found["commands"], serde_json::json!(["asof rename demo::money::cents in_cents"]));
}
