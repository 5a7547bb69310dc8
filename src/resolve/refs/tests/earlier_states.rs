//! With an earlier state, names mean what they do without one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{StoredTree, with_input};
use crate::bindings::{Binding, OutsidePath, PathTarget};
use crate::crate_maps::{CrateMaps, Input};
use crate::file_scopes::FileScopes;
use crate::ids::{ConditionId, Def, InstanceId};
use crate::passes::assemble_with_scopes;
use crate::shared_files::Shared;
use crate::{EarlierState, Scopes};
use asof_model::ItemTree;
use asof_syntax::parse_file;

/// Lines of files by path: each line is an item or several.
type Files = BTreeMap<String, Vec<String>>;

fn with_files<T>(files: &BTreeMap<&str, &StoredTree>, with: impl FnOnce(Input<'_>) -> T) -> T {
    let all: Vec<(&str, &StoredTree)> = files.iter().map(|(path, tree)| (*path, *tree)).collect();
    let crates = files.keys().filter_map(|path| path.strip_suffix("/lib.rs"));
    with_input(&all, &crates.collect::<Vec<_>>(), vec!["outside"], with)
}

/// Resolves the names of states, each after the one before, and without it.
fn check(states: &[Files], before: Option<EarlierState<'_>>) {
    let Some((files, others)) = states.split_first() else { return };
    let tree = |(path, lines): (&String, &Vec<String>)| {
        let facts = parse_file(path, lines.join("\n").as_bytes());
        (path.clone(), StoredTree::from(ItemTree::from_facts(&facts)))
    };
    let trees: BTreeMap<String, StoredTree> = files.iter().map(tree).collect();
    let then = before.map(|before| before.input.files.iter().copied().collect());
    let then: BTreeMap<&str, &StoredTree> = then.unwrap_or_default();
    let present = trees.iter().map(|(path, tree)| {
        let same = then.get(path.as_str()).filter(|then| **then == tree);
        (path.as_str(), same.copied().unwrap_or(tree))
    });
    with_files(&present.collect(), |input| {
        let (expected, expected_scopes) = assemble_with_scopes(input, None);
        let (found, scopes) = assemble_with_scopes(input, before);
        let state = format!("{files:#?}");
        assert_eq!(found.edges, expected.edges, "{state}");
        assert!(found.nodes.is_sound(), "{state}");
        assert_eq!(definitions(&found), definitions(&expected), "{state}");
        let meanings = Meanings::new(&found, &scopes);
        assert_eq!(meanings, Meanings::new(&expected, &expected_scopes), "{state}");
        check(others, Some(EarlierState { input, assembly: &found, scopes: &scopes }));
    });
}

/// A definition or scope by its instance, and its place there: numbers of an earlier state may leave more
/// room between instances.
type Place = (usize, usize);

fn place(maps: &CrateMaps, def: Def) -> Place {
    let instance = maps.nodes.instance(def).expect("each number is of an instance");
    let first = maps.nodes.file(instance).expect("each instance has numbers").first;
    (instance.index(), def.index() - first.index())
}

/// All that is known of definitions, numbers as places and conditions as texts.
fn definitions(maps: &CrateMaps) -> Vec<String> {
    let at = |def: Def| place(maps, def);
    let nodes = maps.nodes.iter_enumerated().map(|(def, node)| {
        let (parent, module) = (node.parent.map(at), at(node.module));
        let condition = maps.condition(node).to_string();
        let own = (node.id, node.kind, &node.name, &node.path, node.in_test, node.declared_in);
        let item = (node.instance, node.item);
        format!("{:?} {parent:?} {module:?} {condition} {own:?} {item:?}", at(def))
    });
    let files = (0..maps.nodes.instances()).map(InstanceId::new);
    let blocks = files.flat_map(|file| maps.nodes.blocks_in(file));
    let blocks = blocks.map(|(scope, of)| format!("{:?}", (at(scope), at(of.item), at(of.outer))));
    let variants = maps.variants.iter().map(|(place, modules)| {
        format!("{place:?} {:?}", modules.iter().map(|module| at(*module)).collect::<Vec<_>>())
    });
    nodes.chain(blocks).chain(variants).collect()
}

/// What names mean in scopes, numbers as places and conditions as texts.
#[derive(Debug, PartialEq)]
struct Meanings<'s> {
    /// Whether an import declares it, and bindings.
    bound: BTreeMap<(Place, &'s str), (bool, Vec<String>)>,
    globs: BTreeMap<Place, Vec<(Place, bool)>>,
    nodes: BTreeMap<(Place, &'s str), BTreeMap<Place, String>>,
    outside: BTreeMap<(Place, &'s str), BTreeMap<OutsidePath, String>>,
    glob_conditions: BTreeMap<(Place, Place), String>,
    conditional: BTreeSet<Place>,
    unnamed: BTreeMap<Place, Vec<String>>,
    targets: Vec<Vec<String>>,
    file_globs: Vec<Vec<(Place, Place, Option<Place>)>>,
}

impl<'s> Meanings<'s> {
    fn new(maps: &CrateMaps, scopes: &'s Scopes<'_>) -> Self {
        let at = |def: Def| place(maps, def);
        let target = |target: &PathTarget| match target {
            PathTarget::Nodes(found) => {
                format!(
                    "{:?}",
                    found.iter().map(|(def, bits)| (at(*def), *bits)).collect::<Vec<_>>()
                )
            }
            other => format!("{other:?}"),
        };
        let binding = |one: &Binding| {
            format!("{} {:?} {}", target(&one.target), one.within.map(at), one.import)
        };
        let text = |under: &ConditionId| scopes.conditions.get(*under).to_string();
        let conditional = &scopes.conditional;
        let mut globs: BTreeMap<Place, Vec<(Place, bool)>> = BTreeMap::new();
        for (scope, target, is_public) in scopes.all_globs() {
            globs.entry(at(scope)).or_default().push((at(target), is_public));
        }
        let bound = scopes.all_bound_names().map(|(scope, name, bound)| {
            let bindings = bound.bindings.list.iter().map(binding);
            ((at(scope), name), (bound.is_declared, bindings.collect()))
        });
        let of_node = |(def, under): (&Def, &ConditionId)| (at(*def), text(under));
        let nodes = conditional.names.iter();
        let nodes = nodes
            .map(|(scope, name, of)| ((at(scope), name), of.nodes.iter().map(of_node).collect()));
        let outside = conditional.names.iter().map(|(scope, name, of)| {
            let of = of.outside.iter().map(|(path, under)| (path.clone(), text(under)));
            ((at(scope), name), of.collect())
        });
        let opened = conditional.globs.iter();
        let opened =
            opened.map(|((scope, target), under)| ((at(*scope), at(*target)), text(under)));
        let files = maps.nodes.instances();
        let files = (0..files).filter_map(|file| scopes.file_of(InstanceId::new(file)));
        let unnamed_in = |file: &Arc<Shared<FileScopes>>| -> BTreeMap<Place, Vec<String>> {
            let unnamed = file.unnamed.iter();
            unnamed.map(|(scope, of)| (at(*scope), of.iter().map(target).collect())).collect()
        };
        let globs_of = |file: &FileScopes| -> Vec<_> {
            let globs = file.globs.iter();
            globs.map(|glob| (at(glob.scope), at(glob.target), glob.within.map(at))).collect()
        };
        Meanings {
            bound: bound.collect(),
            globs,
            nodes: nodes.collect(),
            outside: outside.collect(),
            glob_conditions: opened.collect(),
            conditional: conditional.scopes.iter().map(|scope| at(*scope)).collect(),
            unnamed: files.clone().flat_map(unnamed_in).collect(),
            targets: files.clone().map(|of| of.targets.iter().map(target).collect()).collect(),
            file_globs: files.map(|file| globs_of(file)).collect(),
        }
    }
}

/// Random changes after each other.
const STATES: usize = 4;

/// Random numbers below a limit (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % count
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// An item or several, with names of few, so that they meet.
    fn line(&mut self) -> String {
        let names = ["A", "B", "C", "D", "m0", "m1", "inner"];
        let name = self.pick(&names);
        let other = self.pick(&names);
        let cfg = self.pick(&["", "", "", "#[cfg(unix)] ", "#[cfg(windows)] ", "#[cfg(test)] "]);
        let seen = self.pick(&["", "pub ", "pub ", "pub(crate) ", "pub(in crate::m0) "]);
        let from = self.pick(&["crate", "super", "self", "crate::m0", "crate::m1", "crate::m2"]);
        let from = match self.below(6) {
            0 => self.pick(&["a", "a::m0", "b", "outside", "outside::x", "::outside"]).to_owned(),
            1 => format!("{from}::inner"),
            2 => self.pick(&names).to_owned(),
            _ => from.to_owned(),
        };
        match self.below(20) {
            0..3 => format!("{cfg}{seen}struct {name};"),
            3 => format!("{cfg}{seen}fn {name}() {{}}"),
            4 => format!("{cfg}{seen}enum {name} {{ A, {other}x }}"),
            5 => format!("{cfg}{seen}mod inner {{ {seen}use super::*; pub struct {other}; }}"),
            6 => format!("{cfg}{seen}mod inner {{ pub use {from}::{other}; }}"),
            7 => format!("impl {name} {{ fn new() {{}} }}"),
            8 => format!("fn f() {{ use {from}::{name}; fn g() {{ use {other}::A; }} struct C; }}"),
            9 => format!("fn h() {{ mod k {{ use super::*; }} use {from}::*; }}"),
            10 => format!("{seen}use {from}::{name} as {other};"),
            11 => format!("{cfg}{seen}use {from}::{{{name}, {other}}};"),
            12..14 => format!("{cfg}{seen}use {from}::*;"),
            14 => format!("{seen}use {from}::{name} as _;"),
            15 => format!("#[macro_export] macro_rules! {name} {{ () => {{}} }}"),
            16 => format!("{seen}extern crate outside as {name};"),
            17 => format!("{cfg}impl {from}::{name} {{ fn new() {{}} }}"),
            18 => format!("{cfg}impl {other} for {from}::{name} {{ fn new() {{}} }}"),
            _ => format!("{cfg}{seen}use {from}::{name};"),
        }
    }

    fn files(&mut self) -> Files {
        let mut files = Files::new();
        for module in ["m0", "m1", "m2"] {
            let lines = (0..self.below(7)).map(|_| self.line()).collect();
            files.insert(format!("a/{module}.rs"), lines);
        }
        let mut root: Vec<String> =
            ["pub mod m0;", "mod m1;", "pub mod m2;"].map(str::to_owned).into();
        root.extend((0..self.below(5)).map(|_| self.line()));
        files.insert("a/lib.rs".to_owned(), root);
        if self.below(2) == 0 {
            files.insert("b/lib.rs".to_owned(), (0..self.below(4)).map(|_| self.line()).collect());
        }
        files
    }

    /// Adds a module with a file of its own, or removes it.
    fn toggle(&mut self, files: &mut Files, path: &str, declaration: &str) {
        if files.remove(path).is_some() {
            files.values_mut().for_each(|lines| lines.retain(|line| line != declaration));
        } else if let Some(root) = files.get_mut("a/lib.rs") {
            root.insert(self.below(root.len() + 1), declaration.to_owned());
            let lines = (0..self.below(4)).map(|_| self.line()).collect();
            files.insert(path.to_owned(), lines);
        }
    }

    /// Gives a module a file of its own, or takes it away.
    fn toggle_inline(&mut self, files: &mut Files, path: &str, name: &str) {
        let (declaration, begin) = (format!("pub mod {name};"), format!("pub mod {name} {{ "));
        let Some(mut root) = files.remove("a/lib.rs") else { return };
        if let Some(declared) = root.iter_mut().find(|line| **line == declaration) {
            let mut lines = files.remove(path).unwrap_or_default();
            lines.extend((0..self.below(2)).map(|_| self.line()));
            *declared = format!("{begin}{} }}", lines.join(" "));
        } else if let Some(declared) = root.iter_mut().find(|line| line.starts_with(&begin)) {
            let body = declared.strip_prefix(&begin).and_then(|body| body.strip_suffix('}'));
            let body = body.expect("it was made above").to_owned();
            let more = (0..self.below(2)).map(|_| self.line());
            files.insert(path.to_owned(), more.chain([body]).collect());
            *declared = declaration;
        }
        files.insert("a/lib.rs".to_owned(), root);
    }

    fn change(&mut self, files: &mut Files) {
        for _ in 0..=self.below(2) {
            let at = self.below(files.len());
            let Some((path, lines)) = files.iter_mut().nth(at) else { continue };
            match self.below(13) {
                12 => self.toggle_inline(files, "a/m2.rs", "m2"),
                // Files in front of others: of a crate, and of modules.
                11 => {
                    if files.remove("Z/lib.rs").is_none() {
                        files.insert("Z/lib.rs".to_owned(), vec![self.line(), self.line()]);
                    }
                }
                9 => self.toggle(files, "a/m3.rs", "mod m3;"),
                10 => self.toggle(files, "a/inner.rs", "pub(crate) mod inner;"),
                0..3 => lines.insert(self.below(lines.len() + 1), self.line()),
                3..5 if !lines.is_empty() => {
                    lines.remove(self.below(lines.len()));
                }
                5..7 if !lines.is_empty() => {
                    let at = self.below(lines.len());
                    lines[at] = self.line();
                }
                7 if path == "b/lib.rs" => {
                    files.remove("b/lib.rs");
                }
                7 => {
                    files.insert("b/lib.rs".to_owned(), vec![self.line(), self.line()]);
                }
                _ => lines.reverse(),
            }
        }
    }
}

fn files(all: &[(&str, &str)]) -> Files {
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    all.iter().map(|(path, text)| ((*path).to_owned(), lines(text))).collect()
}

#[test]
fn a_change_leads_to_the_names_of_a_fresh_state() {
    for (root, before, after) in [
        // An item, and what is behind its name.
        ("mod m; use m::A; use A as B;", "", "pub struct A;"),
        ("mod m; use m::A; use A as B;", "pub struct A;", "pub enum A {}"),
        ("mod m; use m::A; use A as B;", "pub struct A;", "struct A;"),
        // A glob comes, goes, and leads elsewhere.
        ("mod m; mod n { pub struct A; } use m::A as B;", "", "pub use crate::n::*;"),
        ("mod m; mod n { pub struct A; } use m::A as B;", "pub use crate::n::*;", ""),
        (
            "mod m; mod n { pub use super::o::*; } mod o { pub struct A; } use m::k::A;",
            "pub mod k { pub use crate::n::*; }",
            "pub mod k {}",
        ),
        (
            "mod m; mod n { pub struct A; } use m::A;",
            "pub use crate::k::*;",
            "pub use crate::n::*;",
        ),
        // A named import hides a glob.
        (
            "mod m; mod n { pub struct A; } use m::A;",
            "pub use crate::n::*;",
            "pub use crate::n::*; use x::A;",
        ),
        // Conditions.
        ("mod m; use m::A; use A as B;", "pub struct A;", "#[cfg(unix)] pub struct A;"),
        (
            "mod m; use m::A; use A as B;",
            "pub use k::A; mod k { pub struct A; }",
            "#[cfg(unix)] pub use k::A; mod k { pub struct A; }",
        ),
        // An import of a name that two bind.
        (
            "mod m; #[cfg(unix)] use m::A as B; #[cfg(windows)] use outside::B; use B as C;",
            "pub struct A;",
            "",
        ),
        // A module comes and goes, with its names.
        ("mod m; use m::k::A; use A as B;", "", "pub mod k { pub struct A; }"),
        ("mod m; use m::k::A; use A as B;", "pub mod k { pub struct A; }", ""),
        ("mod m; use m::k::*; use A as B;", "pub mod k { pub use outside::A; }", ""),
        (
            "mod m; use m::k::*; use A as B;",
            "pub mod k { pub use super::l::*; } mod l { pub use outside::A; }",
            "",
        ),
        ("mod m; use m::*; use A as B;", "", "pub use k::*; mod k { pub struct A; }"),
        ("mod m; use m::*; use A as B;", "pub use k::*; mod k { pub struct A; }", ""),
        (
            "mod m; use m::*; use A as B;",
            "pub use k::*; mod k { pub use super::l::*; } mod l { pub struct A; }",
            "",
        ),
        ("mod m; use A as B;", "", "pub mod k { #[macro_export] macro_rules! A { () => {} } }"),
        // In blocks.
        (
            "mod m; pub struct A;",
            "fn f() { use crate::A; fn g() { use A as B; } }",
            "fn f() { use crate::m as A; fn g() { use A as B; } }",
        ),
    ] {
        let states = [before, after].map(|text| files(&[("a/lib.rs", root), ("a/m.rs", text)]));
        check(&states, None);
    }
}

#[test]
fn a_module_gets_a_file_of_its_own() {
    let root = "pub use x::*; use A as B; use C as D;";
    let inline = files(&[("a/lib.rs", &format!("{root} mod x {{ pub struct A; }}"))]);
    let own = [("a/lib.rs", &*format!("{root} mod x;")), ("a/x.rs", "pub struct A; pub struct C;")];
    let own = files(&own);
    check(&[inline.clone(), own.clone(), inline], None);
}

#[test]
fn random_changes_lead_to_the_names_of_fresh_states() {
    let count = std::env::var("ASOF_STATES").ok().and_then(|count| count.parse().ok());
    let seed = std::env::var("ASOF_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    for seed in seed..seed + count.unwrap_or(400) {
        let mut random = Random::new(seed);
        let mut states = vec![random.files()];
        for _ in 0..STATES {
            let mut next = states[states.len() - 1].clone();
            random.change(&mut next);
            states.push(next);
        }
        check(&states, None);
    }
}

#[test]
fn a_file_outgrows_its_numbers() {
    let root = |count: usize| -> String {
        let items: Vec<String> = (0..count).map(|at| format!("pub struct S{at};")).collect();
        format!("mod m;\n{}\nmod n;", items.join("\n"))
    };
    let state = |count| {
        let uses = "pub use crate::S0; fn f() { use crate::m::S0 as T; }";
        files(&[("a/lib.rs", &root(count)), ("a/m.rs", uses), ("a/n.rs", uses)])
    };
    check(&(1..60).chain((1..60).rev()).map(state).collect::<Vec<_>>(), None);
}
