//! `asof export --what scip`, through the binary, read back without the crate that writes it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::cli;
use crate::support::scip;
use crate::support::tempdir;

use cli::{fails, json, text};

/// Fields of a message: number and value; numbers as bytes of themselves.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = match key & 7 {
            0 => varint(&mut bytes).to_le_bytes().to_vec(),
            2 => {
                let len = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(len);
                bytes = rest;
                value.to_vec()
            }
            other => panic!("wire type {other}"),
        };
        found.push((key >> 3, value));
    }
    found
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return value;
        }
    }
}

fn numbers(mut bytes: &[u8]) -> Vec<u64> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        found.push(varint(&mut bytes));
    }
    found
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Lines of an index: the text of each occurrence, `=` for definitions and `>` for imports, and its
/// symbol; then what is said of symbols.
fn read(root: &Path, index: &[u8]) -> String {
    let mut out = String::new();
    for (number, message) in fields(index) {
        let parts = fields(&message);
        let all = |wanted: u64| parts.iter().filter(move |(n, _)| *n == wanted).map(|(_, v)| v);
        let one = |wanted: u64| all(wanted).next().map(|v| string(v)).unwrap_or_default();
        match number {
            1 => assert!(all(3).all(|v| string(v).starts_with("file:///"))),
            2 => {
                let path = one(1);
                let source = fs::read_to_string(root.join(&path)).unwrap();
                let lines: Vec<&str> = source.lines().collect();
                // Positions are bytes of UTF-8.
                assert_eq!((one(4).as_str(), all(6).next().unwrap()[0]), ("rust", 1));
                out.push_str(&format!("{path}\n"));
                for occurrence in all(2) {
                    let parts: BTreeMap<u64, Vec<u8>> = fields(occurrence).into_iter().collect();
                    let range: Vec<usize> =
                        numbers(&parts[&1]).into_iter().map(|n| n as usize).collect();
                    let roles = parts.get(&3).map_or(0, |bytes| bytes[0]);
                    let named = &lines[range[0]][range[1]..range[2]];
                    let mark = match roles {
                        role if role & 1 != 0 => '=',
                        role if role & 2 != 0 => '>',
                        _ => ' ',
                    };
                    let test = if roles & 32 != 0 { " test" } else { "" };
                    let at = range[0] + 1;
                    out.push_str(&format!("{at:3}{mark}{named} {}{test}\n", string(&parts[&2])));
                }
                for symbol in all(3) {
                    let parts = fields(symbol);
                    let of = |n| parts.iter().filter(move |(number, _)| *number == n);
                    let related = of(4).map(|(_, v)| string(&fields(v)[0].1));
                    let related: Vec<String> = related.collect();
                    let docs: Vec<String> = of(3).map(|(_, v)| string(v)).collect();
                    let line = format!("{} {docs:?} implements {related:?}\n", string(&parts[0].1));
                    if !docs.is_empty() || !related.is_empty() {
                        out.push_str(&line);
                    }
                }
            }
            3 => out.push_str(&format!("external {}\n", one(1))),
            other => panic!("field {other}"),
        }
    }
    out
}

#[test]
fn an_index_has_every_name_with_its_symbol() {
    let work = tempdir();
    let root = work.path().join("a b");
    fs::create_dir_all(root.join("src")).unwrap();
    let manifest = "[package]\nname = \"one-two\"\nversion = \"0.3.0\"\nedition = \"2021\"\n";
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    let source = "\
use std::fmt::Display;
/// A shape.
pub struct Shape { pub r#type: u8 }
pub trait Named { fn name(&self) -> String; }
impl Named for Shape { fn name(&self) -> String { /* ä */ format(self.r#type) } }
fn format(what: impl Display) -> String { what.to_string() }
#[test]
fn checks() { assert_eq!(Shape { r#type: \"ab\".len() as u8 }.name(), \"2\"); }
";
    fs::write(root.join("src/lib.rs"), source).unwrap();
    fails(&root, &["export", "--what", "scip", "--out", "x.scip"], 5, "asof index");
    text(&root, &["index"]);
    text(&root, &["export", "--what", "scip", "--out", "x.scip"]);
    let first = fs::read(root.join("x.scip")).unwrap();
    insta::assert_snapshot!(read(&root, &first));

    // The past is exported as it was.
    let before = text(&root, &["log", "--limit", "1", "--fields", "at"]);
    fs::write(root.join("src/lib.rs"), "pub fn other() {}\n").unwrap();
    text(&root, &["index"]);
    text(&root, &["export", "--what", "scip", "--out", "now.scip"]);
    assert_ne!(fs::read(root.join("now.scip")).unwrap(), first);
    let at = before.split_whitespace().last().unwrap();
    text(&root, &["export", "--what", "scip", "--out", "then.scip", "--at", at]);
    assert!(fs::read(root.join("then.scip")).unwrap() == first, "{before}");

    fails(&root, &["export", "--what", "scip", "--out", "no/such/x.scip"], 5, "no/such");
}

/// Crates of one name, methods of impls for several arguments, alternatives under conditions, and items
/// in functions and blocks have one path, and each a symbol of its own.
#[test]
fn each_symbol_is_of_one_item() {
    const LIB: &str = "\
pub struct G<T>(pub T);
impl G<u8> { pub fn w(&self) -> u8 { self.0 } }
impl G<u16> { pub fn w(&self) -> u16 { self.0 } }
#[cfg(unix)] pub struct S { pub x: u8 }
#[cfg(not(unix))] pub struct S { pub x: u16 }
#[cfg(unix)] impl S { pub fn new() -> Self { S { x: 1 } } }
#[cfg(not(unix))] impl S { pub fn new() -> Self { S { x: 2 } } }
#[cfg(unix)] pub mod m { pub fn f() {} }
#[cfg(not(unix))] pub mod m { pub fn f() {} }
pub fn run() -> u16 {
    { const LIMIT: u8 = 1; let _ = LIMIT; }
    { const LIMIT: u8 = 2; let _ = LIMIT; }
    fn inner() {}
    inner(); m::f();
    u16::from(G(1u8).w()) + G(1u16).w() + u16::from(S::new().x)
}
";
    let dir = tempdir();
    let write = |path: &str, text: &str| fs::write(dir.path().join(path), text).unwrap();
    fs::create_dir_all(dir.path().join("src")).unwrap();
    fs::create_dir_all(dir.path().join("tests")).unwrap();
    write("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write("src/lib.rs", LIB);
    write("src/main.rs", "fn run() -> u16 { demo::run() }\nfn main() { run(); }\n");
    write("tests/demo.rs", "fn run() {}\n#[test]\nfn works() { run(); demo::run(); }\n");
    text(dir.path(), &["index"]);
    text(dir.path(), &["export", "--what", "scip", "--out", "own.scip"]);
    let index = scip::Index::read(&fs::read(dir.path().join("own.scip")).unwrap());
    let names = index.documents.iter().flat_map(|document| &document.names);
    let mut symbols: Vec<&str> =
        names.filter(|name| name.defines()).map(|name| name.symbol.as_str()).collect();
    symbols.sort();
    let all = symbols.len();
    symbols.dedup();
    assert_eq!(symbols.len(), all, "{symbols:#?}");
    for part in [
        "demo/run().",
        "bin:demo/run().",
        "test:demo/run().",
        "demo/G#`impl G<u8>`:w().",
        "demo/G#`impl G<u16>`:w().",
        "demo/`cfg(unix)`:S#",
        "demo/`cfg(unix)`:S#x.",
        "demo/`cfg(not(unix))`:m/f().",
    ] {
        let symbol = format!("asof cargo demo 0.1.0 {part}");
        assert!(symbols.contains(&symbol.as_str()), "{symbol}: {symbols:#?}");
    }
    // What we say of ourselves is what we know.
    let told = text(dir.path(), &["import", "scip", "own.scip"]);
    assert!(!told.contains("ambiguous") && !told.contains("left out"), "{told}");
    let differ = json(dir.path(), &["diff-edges", "own.scip"]);
    assert_eq!(differ["total"], 0, "{differ}");
}
