//! What holds for every database: nothing is lost, nothing depends on the machine, answers about
//! the past stay, and a killed process leaves the old state or the new one.

use crate::support;
use crate::support::this_test;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use asof_index::{Options, Silent, refresh};
use asof_model::{FileFacts, NodeKind};
use asof_store::{Relation, Store};
use asof_syntax::parse_file;
use serde_json::Value as Json;
use support::edits::{Rng, edit};
use support::{
    Copy, Dump, FIXTURES, differences, differences_from_fresh, dump, dump_at, fresh, index, newest,
    texts,
};

fn rows(dump: &Dump, relation: &str) -> Vec<Vec<Json>> {
    dump[relation].iter().map(|row| serde_json::from_str(row).unwrap()).collect()
}

fn text(cell: &Json) -> String {
    cell.as_str().unwrap_or_else(|| panic!("{cell} is no text")).to_owned()
}

/// Facts of every Rust file that is stored.
fn parsed(root: &Path, dump: &Dump) -> BTreeMap<String, FileFacts> {
    let paths = rows(dump, "file").into_iter().map(|row| text(&row[0]));
    let facts = |path: String| {
        let facts = parse_file(&path, &std::fs::read(root.join(&path)).unwrap());
        (path, facts)
    };
    paths.map(facts).collect()
}

/// Compares the stored layout of a module's file with the parser's facts.
struct Places<'a> {
    layouts: &'a BTreeMap<String, Vec<Json>>,
    /// File of each node.
    files: &'a BTreeMap<String, String>,
    path: &'a str,
    facts: &'a FileFacts,
    /// The next item of the parser.
    next: usize,
}

impl Places<'_> {
    fn below(&mut self, owner: &str, start_byte: u64, start_line: u64) {
        let Some(children) = self.layouts.get(owner) else { return };
        for child in children {
            let number = |at: usize| child[1][at].as_u64().unwrap();
            let id = text(&child[0]);
            let (start, line) = (start_byte + number(0), start_line + number(2));
            let mut item = &self.facts.items[self.next];
            let span = |item: &asof_model::ItemFacts| {
                (u64::from(item.span.start_byte), u64::from(item.span.start_line))
            };
            if span(item) != (start, line) && self.next > 0 {
                // A further file of the same declaration.
                self.next -= 1;
                item = &self.facts.items[self.next];
            }
            self.next += 1;
            assert_eq!(span(item), (start, line), "{} in {}", item.name, self.path);
            assert_eq!(u64::from(item.span.end_byte), start_byte + number(1), "{}", item.name);
            assert_eq!(u64::from(item.span.end_line), start_line + number(3), "{}", item.name);
            assert_eq!(u64::from(item.name_start), start + number(4), "{}", item.name);
            assert_eq!(u64::from(item.name_line), line + number(5), "{}", item.name);
            let hash = item.text.as_ref().map(|(hash, _)| hash.as_str());
            assert_eq!(child[1][6].as_str(), hash, "{}", item.name);
            if self.files[&id] == self.path {
                self.below(&id, start, line);
            }
        }
    }
}

/// Target, file, source, kind of every use, from `refs_by_source` and from `refs_by_target`.
fn both_sides_of_uses_agree(fixture: &str, dump: &Dump, files: &BTreeMap<String, String>) {
    let mut one = BTreeSet::new();
    for row in rows(dump, "refs_by_source") {
        let source = text(&row[0]);
        let file = files.get(&source).unwrap_or_else(|| panic!("{fixture}: no node {source}"));
        for entry in row[1].as_array().unwrap() {
            let how = &entry[1];
            let places = how[4].as_array().unwrap().len();
            assert!(places > 0 && how[3].as_u64() == Some(places as u64 / 3), "{fixture}: {entry}");
            assert!(how[2].as_u64().unwrap() <= 100, "{fixture}: {entry}");
            one.insert((text(&entry[0]), file.clone(), source.clone(), text(&how[0])));
        }
    }
    let mut other = BTreeSet::new();
    for row in rows(dump, "refs_by_target") {
        for entry in row[2].as_array().unwrap() {
            other.insert((text(&row[0]), text(&row[1]), text(&entry[0]), text(&entry[1])));
        }
    }
    assert_eq!(one, other, "{fixture}");
}

#[test]
fn every_fact_of_the_parser_has_its_row() {
    let mut empty: BTreeSet<&str> =
        Relation::all().filter(|relation| relation.versioned).map(|r| r.name).collect();
    for fixture in FIXTURES {
        let copy = Copy::of_fixture(fixture);
        let store = fresh(&copy.root);
        let dump = dump(&store);
        empty.retain(|relation| dump[*relation].is_empty());
        let facts = parsed(&copy.root, &dump);
        assert_eq!(facts.len(), asof_workspace::walk(&copy.root).unwrap().files.len());

        // A module in a file of its own is an item of two files, further files of a
        // declaration are nodes of their own.
        let twins = if matches!(fixture, "modules" | "cfg") { 1 } else { 0 };
        let owners = rows(&dump, "file_mod");
        let items: usize = owners.iter().map(|row| facts[&text(&row[1])].items.len()).sum();
        let roots = rows(&dump, "target").len();
        let declared = owners.len() - roots - twins;
        let nodes = rows(&dump, "node");
        assert_eq!(nodes.len(), items - declared, "{fixture}");

        let ids: BTreeSet<String> = nodes.iter().map(|row| text(&row[0])).collect();
        assert_eq!(ids.len(), nodes.len(), "{fixture}");
        let kind = |row: &Vec<Json>| text(&row[1]).parse::<NodeKind>().unwrap();
        let named = nodes.iter().filter(|row| !kind(row).is_anonymous()).count();
        assert_eq!(dump["node_by_name"].len(), named, "{fixture}");
        let with_path = nodes.iter().filter(|row| !row[3].is_null()).count();
        assert_eq!(dump["node_by_path"].len(), with_path, "{fixture}");
        let measured = |row: &Vec<Json>| {
            let items = &facts[&text(&row[1])].items;
            items.iter().filter(|item| item.metrics.is_some()).count()
        };
        assert_eq!(dump["metric"].len(), owners.iter().map(measured).sum::<usize>(), "{fixture}");
        let modules = nodes.iter().filter(|row| kind(row) == NodeKind::Module).count();
        assert_eq!(dump["module"].len(), modules, "{fixture}");
        assert_eq!(dump["mod_by_file"].len(), owners.len(), "{fixture}");
        assert_eq!(dump["target_by_crate"].len(), roots, "{fixture}");
        assert_eq!(dump["edge_in"].len(), dump["edge"].len(), "{fixture}");
        assert_eq!(dump["unresolved_by_text"].len(), dump["unresolved"].len(), "{fixture}");

        // What has a `cfg`, or is in something that has, exists under a condition.
        let cfg: BTreeMap<&str, (&str, Option<&str>)> = nodes
            .iter()
            .map(|row| (row[0].as_str().unwrap(), (row[10].as_str().unwrap(), row[5].as_str())))
            .collect();
        let under = |id: &str| -> bool {
            let mut above = std::iter::successors(Some(id), |id| cfg[id].1);
            above.any(|id| !cfg[id].0.is_empty())
        };
        let conditional: BTreeSet<&str> = cfg.keys().copied().filter(|id| under(id)).collect();
        let conditions = rows(&dump, "condition");
        let stored: BTreeSet<&str> =
            conditions.iter().map(|row| row[0].as_str().unwrap()).collect();
        assert!(stored.is_superset(&conditional), "{fixture}");
        // Files that a `cfg_attr` names have one without a `cfg`.
        assert!(twins > 0 || stored == conditional, "{fixture}");

        let files: BTreeMap<_, _> =
            nodes.iter().map(|row| (text(&row[0]), text(&row[6]))).collect();
        both_sides_of_uses_agree(fixture, &dump, &files);

        let mut layouts = BTreeMap::new();
        let mut children = BTreeSet::new();
        let mut count = 0;
        for row in rows(&dump, "layout") {
            let list: Vec<Json> = row[2].as_array().unwrap().clone();
            assert_eq!(row[1].as_object().unwrap().len(), list.len(), "{fixture}");
            count += list.len();
            for (at, child) in list.iter().enumerate() {
                assert_eq!(row[1][child[0].as_str().unwrap()], Json::from(at));
                children.insert(text(&child[0]));
            }
            layouts.insert(text(&row[0]), list);
        }
        assert_eq!(children.len(), count, "{fixture}: a node has two places");
        assert_eq!(count, nodes.len() - roots, "{fixture}");

        for row in &nodes {
            for above in [&row[4], &row[5]] {
                assert!(above.is_null() || ids.contains(&text(above)), "{fixture}: {row:?}");
            }
        }
        for row in rows(&dump, "edge") {
            for end in [&row[0], &row[3], &row[4]] {
                assert!(ids.contains(&text(end)), "{fixture}: {row:?}");
            }
        }
        for row in &owners {
            let path = text(&row[1]);
            let facts = &facts[&path];
            let mut places =
                Places { layouts: &layouts, files: &files, path: &path, facts, next: 1 };
            places.below(&text(&row[0]), 0, facts.items[0].span.start_line.into());
            assert_eq!(places.next, facts.items.len(), "{fixture}: {path}");
        }
        let stored = texts(&store);
        for (hash, text) in facts.values().flat_map(|f| &f.items).filter_map(|i| i.text.as_ref()) {
            assert_eq!(stored.get(hash.as_str()), Some(text), "{fixture}: text {hash}");
        }
    }
    // Every fixture parses, and has no dependency.
    let lock = "[[package]]\nname = \"a\"\nversion = \"0.1.0\"\ndependencies = [\"none\"]\n\
        [[package]]\nname = \"none\"\nversion = \"0.0.0\"\nsource = \"registry+https://none\"\n";
    let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n[dependencies]\nnone = \"0\"\n";
    let files = [("Cargo.toml", manifest), ("Cargo.lock", lock), ("src/lib.rs", "pub fn f( {}\n")];
    let broken = dump(&fresh(&Copy::with(&files).root));
    empty.retain(|relation| broken[*relation].is_empty());
    assert!(empty.is_empty(), "no workspace has rows of {empty:?}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for fixture in FIXTURES {
        let copy = Copy::of_fixture(fixture);
        let with = |threads: usize| {
            let store = Store::in_memory().unwrap();
            let options = Options { threads: Some(threads), ..Options::default() };
            refresh(&store, &copy.root, &options, &Silent).unwrap();
            dump(&store)
        };
        let one = with(1);
        assert!(!one["node"].is_empty());
        for threads in [2, 8] {
            assert_eq!(differences(&one, &with(threads)), "", "{fixture}, {threads} threads");
        }
    }
}

#[test]
fn the_place_of_the_workspace_changes_nothing() {
    for fixture in FIXTURES {
        let (here, there) = (Copy::of_fixture(fixture), Copy::of_fixture(fixture));
        assert_ne!(here.root, there.root);
        let (here_dump, there_dump) = (dump(&fresh(&here.root)), dump(&fresh(&there.root)));
        assert_eq!(differences(&here_dump, &there_dump), "", "{fixture}");
        let place = here.root.parent().unwrap().to_str().unwrap();
        let absolute = here_dump.values().flatten().find(|row| row.contains(place));
        assert_eq!(absolute, None, "{fixture}");
    }
}

#[test]
fn answers_about_the_past_stay() {
    for (seed, fixture) in (500..).zip(FIXTURES) {
        let mut copy = Copy::of_fixture(fixture);
        let store = Store::in_memory().unwrap();
        index(&store, &copy.root);
        let mut kept = vec![(newest(&store), dump_at(&store, newest(&store)), String::new())];
        let mut rng = Rng::new(seed);
        for _ in 0..8 {
            let told = edit(&mut copy, &mut rng);
            if support::try_index(&store, &copy.root).is_ok_and(|r| r.revision.is_some()) {
                kept.push((newest(&store), dump_at(&store, newest(&store)), told));
            }
        }
        assert!(kept.len() > 3, "{fixture}");
        assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
        for (at, then, told) in &kept {
            let now = dump_at(&store, *at);
            assert_eq!(differences(then, &now), "", "{fixture} after {told}");
        }
    }
}

/// A workspace with enough files that texts are written before the transaction.
fn many_files() -> Copy {
    let mut copy =
        Copy::with(&[("Cargo.toml", "[package]\nname = \"many\"\nedition = \"2021\"\n")]);
    let mut library = String::new();
    for n in 0..70 {
        library.push_str(&format!("pub mod m{n};\n"));
    }
    copy.write("src/lib.rs", library);
    write_all(&mut copy, 0);
    copy
}

fn write_all(copy: &mut Copy, round: usize) {
    for n in 0..70 {
        let text = format!(
            "pub struct S{round};\nimpl S{round} {{ pub fn go(&self) -> u64 {{ {n} + {round} }} }}\n\
             pub fn same_{n}() {{}}\npub use super::m0::same_0 as other_{round};\n"
        );
        copy.write(&format!("src/m{n}.rs"), text);
    }
}

const CHILD: &str = "ASOF_TEST_CHILD";

/// Rounds of kills: in the first at once, in the last not at all.
const FIRST: usize = 2;
const LAST: usize = 13;

/// Run by [`a_killed_process_leaves_the_old_state_or_the_new_one`] in a process of its own.
#[test]
#[ignore = "is started by another test"]
fn child_that_indexes() {
    let Ok(root) = std::env::var(CHILD) else { return };
    let root = Path::new(&root);
    let store = Store::open(&root.with_file_name("db")).unwrap();
    index(&store, root);
}

#[test]
fn a_killed_process_leaves_the_old_state_or_the_new_one() {
    let mut copy = many_files();
    let path = copy.root.with_file_name("db");
    index(&Store::create(&path).unwrap(), &copy.root);
    let child = |root: &Path| {
        Command::new(std::env::current_exe().unwrap())
            .args([&this_test(module_path!(), "child_that_indexes"), "--exact", "--ignored"])
            .env(CHILD, root)
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    // How long it takes undisturbed: kills come at moments of this time.
    write_all(&mut copy, 1);
    let start = Instant::now();
    assert!(child(&copy.root).wait().unwrap().success());
    let whole = start.elapsed();
    let mut rng = Rng::new(u64::from(std::process::id()));
    let (mut old, mut new) = (0, 0);
    for round in FIRST..=LAST {
        let before = dump(&Store::open(&path).unwrap());
        write_all(&mut copy, round);
        let after = dump(&fresh(&copy.root));
        assert_ne!(differences(&before, &after), "");
        let mut process = child(&copy.root);
        let part = match round {
            FIRST => 0.0,
            // Nothing is killed that has ended.
            LAST => f64::INFINITY,
            _ => 0.3 + 0.8 * (rng.below(1_000) as f64 / 1_000.0),
        };
        if part.is_finite() {
            std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * part));
            process.kill().unwrap();
        }
        process.wait().unwrap();
        let store = Store::open(&path).unwrap();
        let found = dump(&store);
        if differences(&before, &found).is_empty() {
            old += 1;
        } else {
            new += 1;
            assert_eq!(differences(&after, &found), "", "round {round}, killed at {part:.2}");
        }
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "round {round}");
    }
    println!("killed 11 times: {old} times the old state, {new} times the new one");
    assert!(old > 0 && new > 0, "{old} times the old state, {new} times the new one");
}
