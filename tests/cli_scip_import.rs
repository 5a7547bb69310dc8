//! `asof import scip`, `asof refs --imported` and `asof diff-edges`, through the binary. The indexes are
//! our own exports, taken apart and put together without the crate that reads them.

use std::fs;
use std::path::Path;

use crate::support::cli;
use crate::support::scip;
use crate::support::tempdir;

use cli::{answer, asof, code, err, fails, text};
use scip::{Document, Index};
use serde_json::Value as Json;
use tempfile::TempDir;

const LIB: &str = "\
mod shapes;
use shapes::Shape;
pub fn area(shape: &Shape) -> u8 { shape.side() * shape.side() }
/* ä𝄞 */ pub fn twice(shape: &Shape) -> u8 { area(shape) + area(shape) }
pub fn one() -> u8 { 1 }
";

const SHAPES: &str = "\
pub struct Shape { pub r#type: u8 }
impl Shape {
    pub fn side(&self) -> u8 { self.r#type }
}
";

/// A workspace, indexed, and an index of it that another tool might have made.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempdir());
        fs::create_dir_all(home.root().join("src")).unwrap();
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(home.root().join("Cargo.toml"), manifest).unwrap();
        home.write("src/lib.rs", LIB);
        home.write("src/shapes.rs", SHAPES);
        text(home.root(), &["index"]);
        home
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, source: &str) {
        fs::write(self.root().join(path), source).unwrap();
    }

    /// What another tool would say: the same as we do.
    fn index(&self) -> Index {
        text(self.root(), &["export", "--what", "scip", "--out", "own.scip"]);
        let mut index = Index::read(&fs::read(self.root().join("own.scip")).unwrap());
        index.tool = "other".to_owned();
        index
    }

    fn save(&self, index: &Index) {
        fs::write(self.root().join("x.scip"), index.bytes()).unwrap();
    }

    fn json(&self, args: &[&str]) -> Json {
        answer(self.root(), args)
    }

    /// Rows that imports have stored.
    fn stored(&self) -> Json {
        let script = "?[relation, rows] := rows = 0, relation = ''
            n_file[count(path)] := *scip_file{path}
            n_use[count(target)] := *scip_use{target}
            ?[relation, rows] := n_file[rows], relation = 'scip_file'
            ?[relation, rows] := n_use[rows], relation = 'scip_use'";
        self.json(&["query", script])["items"].clone()
    }
}

fn lines(listing: &str) -> Vec<&str> {
    listing.lines().map(str::trim).collect()
}

/// Places of the items of an answer: file, line, column.
fn places(answer: &Json) -> Vec<String> {
    let items = answer["items"].as_array().unwrap().iter();
    let place = |item: &Json| {
        format!("{}:{}:{}", item["file_path"].as_str().unwrap(), item["line"], item["column"])
    };
    items.map(place).collect()
}

#[test]
fn an_import_answers_for_the_text_that_it_was_made_of_and_for_no_other() {
    let home = Home::new();
    let root = home.root();
    fails(root, &["refs", "crate::area", "--imported"], 1, "asof import scip");
    home.save(&home.index());
    let told = text(root, &["import", "scip", "x.scip"]);
    assert!(told.starts_with("11 uses of 2 files, by other"), "{told}");

    // Not mixed with our own, and every one of them with its source.
    let ours = home.json(&["refs", "crate::area"]);
    let theirs = home.json(&["refs", "crate::area", "--imported"]);
    assert_eq!(places(&theirs), places(&ours));
    assert_eq!(places(&theirs), ["src/lib.rs:4:50", "src/lib.rs:4:64"]);
    let first = &theirs["items"][0];
    assert_eq!(
        (&first["provenance"], &first["tool"], &first["our_rule"], &first["item"]["path"]),
        (&"scip".into(), &"other".into(), &"path".into(), &"demo::twice".into())
    );
    assert!(ours["items"].as_array().unwrap().iter().all(|one| one["provenance"] == "path"));

    // Another text: the import says nothing of it, and says that.
    let before = home.json(&["status"])["basis"]["at"].as_str().unwrap().to_owned();
    home.write("src/lib.rs", &format!("// a line\n{LIB}"));
    let stale = home.json(&["refs", "crate::area", "--imported"]);
    assert_eq!((places(&stale).len(), &stale["stale_imports"][0]), (0, &"src/lib.rs".into()));
    let listed = text(root, &["import", "list", "--fields", "file,stale"]);
    assert_eq!(
        lines(&listed),
        ["file           stale", "src/lib.rs     true", "src/shapes.rs  false"]
    );
    let output = asof(root, &["refs", "crate::area", "--imported"]);
    assert!(err(&output).contains("changed since the index was imported: src/lib.rs"));
    // An answer about the past stays, and the text that comes back is known.
    assert_eq!(home.json(&["refs", "crate::area", "--imported", "--at", &before])["total"], 2);
    home.write("src/lib.rs", LIB);
    assert_eq!(home.json(&["refs", "crate::area", "--imported"])["total"], 2);
    fails(root, &["refs", "crate::area", "--imported", "--unresolved"], 2, "cannot be used with");
}

#[test]
fn fields_without_a_name_are_where_their_types_stand() {
    let home = Home::new();
    let tuples = "pub struct Pair(pub String, pub Vec<u8>);\npub enum Kind {\n    One(Pair),\n    Two(String, u8),\n}\n";
    home.write("src/shapes.rs", &format!("{SHAPES}{tuples}"));
    home.save(&home.index());
    let told = home.json(&["import", "scip", "x.scip"]);
    assert_eq!((&told["files"], &told["left_out"]), (&2.into(), &0.into()), "{told}");
    assert_eq!(told["skipped"].as_array().map_or(0, Vec::len), 0, "{told}");
}

#[test]
fn an_import_replaces_the_one_before_and_can_be_removed() {
    let home = Home::new();
    let root = home.root();
    let mut index = home.index();
    home.save(&index);
    text(root, &["import", "scip", "x.scip"]);
    let stored = home.stored();
    text(root, &["import", "scip", "x.scip"]);
    assert_eq!(home.stored(), stored);
    // One that knows less takes back what the other said.
    index.each(|_, names| names.retain(|name| !name.symbol.ends_with("area().") || name.defines()));
    home.save(&index);
    let report = home.json(&["import", "scip", "x.scip"]);
    assert_eq!((&report["replaced"], &report["uses"]), (&2.into(), &9.into()));
    assert_eq!(home.json(&["refs", "crate::area", "--imported"])["total"], 0);

    // The index of another tool is kept beside it.
    index.tool = "third".to_owned();
    home.save(&index);
    text(root, &["import", "scip", "x.scip"]);
    fails(root, &["diff-edges"], 3, "--tool");
    text(root, &["diff-edges", "--tool", "third"]);
    fails(root, &["diff-edges", "--tool", "fourth"], 1, "no index of `fourth`");
    text(root, &["import", "remove", "third"]);
    fails(root, &["import", "remove", "third"], 1, "no index of `third`");
    assert_eq!(home.json(&["import", "list"])["total"], 2);

    // What no version of a file needs goes with the versions.
    home.write("src/lib.rs", &format!("// a line\n{LIB}"));
    text(root, &["index"]);
    assert_eq!(home.json(&["gc", "--keep-revisions", "1"])["imports"], 1);
    let left = home.json(&["import", "list"]);
    assert_eq!(
        (&left["total"], &left["items"][0]["file_path"]),
        (&1.into(), &"src/shapes.rs".into())
    );
}

#[test]
fn an_index_of_another_moment_is_imported_for_it() {
    let home = Home::new();
    let root = home.root();
    home.save(&home.index());
    let before = home.json(&["status"])["basis"]["at"].as_str().unwrap().to_owned();
    home.write("src/lib.rs", &LIB.replace("pub fn area", "/// Squared.\npub fn area"));
    let report = home.json(&["import", "scip", "x.scip"]);
    assert_eq!(report["skipped"][0]["reason"], "other_text");
    assert_eq!(
        (&report["skipped"][0]["file_path"], &report["files"]),
        (&"src/lib.rs".into(), &1.into())
    );
    text(root, &["import", "scip", "x.scip", "--at", &before]);
    assert_eq!(home.json(&["refs", "crate::area", "--imported", "--at", &before])["total"], 2);
    assert_eq!(home.json(&["refs", "crate::area", "--imported"])["total"], 0);
}

#[test]
fn places_are_read_in_the_encoding_that_the_index_says() {
    let home = Home::new();
    // 1: bytes; 2: UTF-16; 3: characters.
    for (encoding, narrower) in [(1, 0), (2, 3), (3, 4)] {
        let mut index = home.index();
        index.each(|document, names| {
            document.encoding = encoding;
            for name in names.iter_mut().filter(|name| name.range[0] == 3) {
                if document.path == "src/lib.rs" {
                    // Behind `ä𝄞`, of 6 bytes.
                    name.range[1..].iter_mut().for_each(|column| *column -= narrower);
                }
            }
        });
        home.save(&index);
        let found = home.json(&["diff-edges", "x.scip"]);
        assert_eq!((&found["total"], &found["left_out"]), (&0.into(), &0.into()), "{encoding}");
        assert_eq!(found["agreed"], 11, "{encoding}");
    }
    // Without an encoding, what stands behind `ä` has no known place, and all else has.
    let mut index = home.index();
    index.each(|document, _| document.encoding = 0);
    home.save(&index);
    let report = home.json(&["import", "scip", "x.scip"]);
    assert_eq!((&report["left_out"], &report["files"]), (&4.into(), &2.into()));
}

/// An index that differs from us in every way.
fn differing(home: &Home) -> Index {
    let mut index = home.index();
    index.each(|document, names| {
        if document.path != "src/lib.rs" {
            return;
        }
        let one = "asof cargo demo 0.1.0 demo/one().";
        // Line 3: the second `side` is not known.
        let last = names.iter().rposition(|name| name.symbol.ends_with("#side().")).unwrap();
        names.remove(last);
        // Line 4: one `area` is a local variable, the other is of another crate.
        let mut areas = names.iter_mut().filter(|n| n.symbol.ends_with("area().") && !n.defines());
        areas.next().unwrap().symbol = "local 7".to_owned();
        areas.next().unwrap().symbol = "asof cargo other 1.0 other/area().".to_owned();
        // Line 5: a number that stands for an item, and a name of this package without a definition.
        let definition = names.iter().find(|name| name.symbol == one).unwrap().clone();
        let name = |range: [u64; 3], symbol: &str| {
            let mut name = definition.clone();
            (name.range, name.symbol, name.roles) = (range.into(), symbol.to_owned(), 0);
            name
        };
        names.push(name([4, 11, 13], one));
        names.push(name([4, 16, 18], "asof cargo demo 0.1.0 demo/u8#"));
    });
    index
}

#[test]
fn places_that_differ_are_listed_by_class() {
    let home = Home::new();
    let root = home.root();
    home.save(&home.index());
    text(root, &["diff-edges", "x.scip", "--check"]);
    home.save(&differing(&home));
    insta::assert_snapshot!(text(root, &["diff-edges", "x.scip"]));
    let output =
        asof(root, &["diff-edges", "x.scip", "--format", "markdown", "--check", "-n", "1"]);
    assert_eq!(code(&output), 8, "{}", err(&output));
    insta::assert_snapshot!(cli::out(&output).split("\n_").next().unwrap());

    // What is imported says the same as the file.
    text(root, &["import", "scip", "x.scip"]);
    let [file, imported] = [&["diff-edges", "x.scip"], &["diff-edges", "imported"]].map(|args| {
        let mut found = home.json(args);
        found.as_object_mut().unwrap().remove("ms");
        found
    });
    assert_eq!(file, imported);
    assert_eq!(file["counts"].as_array().unwrap().len(), 5);

    // A place has a side, and a folder has files.
    let only = home.json(&["diff-edges", "--class", "only_ours", "--limit", "1"]);
    assert_eq!(places(&only), ["src/lib.rs:3:57"]);
    assert_eq!(home.json(&["diff-edges", "--path", "src/shapes.rs"])["total"], 0);
    let code_of = |args: &[&str]| code(&asof(root, args));
    assert_eq!(code_of(&["diff-edges", "--path", "src/shapes.rs", "--check"]), 0);
    assert_eq!(code_of(&["diff-edges", "--class", "shared_symbol", "--check"]), 0);
    fails(root, &["diff-edges", "--class", "wrong"], 2, "classes are: only_ours");
    fails(root, &["diff-edges", "x.scip", "--tool", "other"], 2, "`--tool`");

    // A file of another text is not compared, and what it defines is not held against anyone.
    home.write("src/shapes.rs", &format!("// a line\n{SHAPES}"));
    let found = home.json(&["diff-edges"]);
    assert_eq!(found["skipped"][0]["reason"], "stale");
    let classes: Vec<&str> =
        found["counts"].as_array().unwrap().iter().map(|c| c["class"].as_str().unwrap()).collect();
    assert!(classes.contains(&"stale_target"), "{classes:?}");
    assert_eq!(places(&found).iter().filter(|place| place.contains("shapes")).count(), 0);
}

const FAULTS: &str = "\
macro_rules! items { () => { pub fn left() {} pub fn right() {} } }
items!();
pub fn a() -> u8 { const X: u8 = 1; X }
pub fn b() -> u8 { const X: u8 = 2; X }
pub fn c() { left(); right(); }
";

#[test]
fn known_faults_of_indexes_are_counted_apart() {
    let home = Home::new();
    home.write("src/lib.rs", FAULTS);
    home.write("src/main.rs", "fn main() { demo::c(); }\n");
    fs::remove_file(home.root().join("src/shapes.rs")).unwrap();
    let mut index = home.index();
    index.each(|document, names| {
        let name = |range: [u64; 3], name: &str, roles| scip::Name {
            range: range.into(),
            symbol: format!("asof cargo demo 0.1.0 {name}"),
            roles,
        };
        if document.path == "src/main.rs" {
            // Both crates are `demo`.
            names.retain(|name| name.range[1] != 0 && name.range[1] != 12);
            names.extend([name([0, 0, 0], "crate/", 1), name([0, 12, 16], "crate/", 0)]);
            return;
        }
        names.retain(|name| {
            let is_crate = name.range == [0, 0, 0];
            !is_crate && name.range[0] != 4 && !(name.range[0] == 1 && name.defines())
        });
        names.push(name([0, 0, 0], "crate/", 1));
        // What a macro makes is defined at its call.
        names.extend([name([1, 0, 8], "left().", 1), name([1, 0, 8], "right().", 1)]);
        names.extend([name([4, 7, 8], "c().", 1), name([4, 13, 17], "left().", 0)]);
        names.push(name([4, 21, 26], "right().", 0));
        // Items of bodies are told apart by their names alone.
        for name in names.iter_mut().filter(|name| name.symbol.ends_with("X.")) {
            name.symbol = "asof cargo demo 0.1.0 X.".to_owned();
        }
    });
    home.save(&index);
    let found = home.json(&["diff-edges", "x.scip", "--class", "shared_symbol"]);
    let reasons: Vec<String> = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| {
            format!("{} {}", item["name"].as_str().unwrap(), item["reason"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        reasons,
        [
            "X same_symbol", "X same_symbol", "left macro_call", "right macro_call",
            "demo crate_root"
        ],
        "{found}"
    );
    // They agree, so there is nothing to list without asking; an import cannot say which is meant.
    assert_eq!(
        (&home.json(&["diff-edges", "x.scip"])["total"], &found["agreed"]),
        (&0.into(), &6.into())
    );
    assert_eq!(home.json(&["import", "scip", "x.scip"])["ambiguous"], 3);
}

#[test]
fn what_is_no_index_of_this_workspace_is_refused_and_leaves_nothing() {
    let home = Home::new();
    let root = home.root();
    let none = home.stored();
    let check = |bytes: &[u8], code: i32, says: &str| {
        fs::write(root.join("bad.scip"), bytes).unwrap();
        fails(root, &["import", "scip", "bad.scip"], code, says);
        fails(root, &["diff-edges", "bad.scip"], code, says);
        assert_eq!(home.stored(), none, "{says}");
    };
    check(b"", 5, "no SCIP index");
    check(b"pub fn main() {}\n", 5, "no SCIP index");
    check(&[0xff; 4_096], 5, "no SCIP index");
    // A field of two gigabytes, groups that nobody closes.
    check(&[18, 255, 255, 255, 255, 7], 5, "no SCIP index");
    check(&[0x0b; 4_096], 5, "no SCIP index");
    let whole = home.index();
    let bytes = whole.bytes();
    for cut in [3, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        check(&bytes[..cut], 5, "no SCIP index");
    }
    let with = |change: &dyn Fn(&mut Document)| {
        let mut index = home.index();
        index.documents.iter_mut().for_each(change);
        index.bytes()
    };
    check(&[bytes.clone(), bytes.clone()].concat(), 5, "has `src/lib.rs` twice");
    for path in
        ["/etc/passwd", "../src/lib.rs", "src/../src/lib.rs", "src//lib.rs", "", "src\0lib.rs"]
    {
        let mut index = home.index();
        index.documents.truncate(1);
        index.documents[0].path = path.to_owned();
        check(&index.bytes(), 1, "none of the 1 files");
    }
    // Ranges behind the end of a line, of the text, within a name, and of no form.
    let far = u64::from(u32::MAX >> 1);
    for range in
        [vec![0, 100, 101], vec![far, 0, 1], vec![0, far, far], vec![1, 5, 7], vec![0, 0, far, far]]
    {
        check(&with(&|document| document.names[0].range.clone_from(&range)), 1, "--at");
    }
    for range in
        [vec![], vec![1], vec![1, 2], vec![3, 9, 4], vec![0, 0, 1, 1, 1], vec![u64::MAX, 0, 1]]
    {
        check(
            &with(&|document| document.names[0].range.clone_from(&range)),
            5,
            "without a valid range",
        );
    }
    let nobody = Index { tool: String::new(), ..home.index() };
    check(&nobody.bytes(), 5, "which program made it");
    fails(root, &["import", "scip", "no/such"], 5, "no/such");
    fails(root, &["import", "scip", "src"], 2, "a folder");

    // One bad file among good ones is left out with its reason.
    let mut index = home.index();
    index.documents.push(Document { path: "../x.rs".to_owned(), ..index.documents[0].clone() });
    index.documents.push(Document { path: "gen/y.rs".to_owned(), ..index.documents[0].clone() });
    home.save(&index);
    let report = home.json(&["import", "scip", "x.scip"]);
    let reasons: Vec<&Json> =
        report["skipped"].as_array().unwrap().iter().map(|file| &file["reason"]).collect();
    assert_eq!(reasons, ["outside_root", "not_indexed"]);
    assert_eq!(report["files"], 2);
}
