//! Small workspaces, resolved in memory.

use std::collections::{BTreeMap, BTreeSet};

use super::{Crate, CrateMaps, Input, Instance, Node, assemble};
use crate::ids::{CrateId, FileId, InstanceId, PackageId};
use asof_model::{Header, ItemTree, NodeKind, Package, StoredTree, Target, TargetKind};
use asof_syntax::parse_file;
use index_vec::{IndexSlice, IndexVec};

/// Workspaces of one library a folder: `a/lib.rs`, `a/sub.rs`, `a/sub/deep.rs`, …
struct World {
    assembly: CrateMaps,
}

/// Where a module's file is, by the name of its declaration.
fn child_path(declaring: &str, name: &str) -> String {
    let (folder, file) = declaring.rsplit_once('/').unwrap();
    match file {
        "lib.rs" => format!("{folder}/{name}.rs"),
        _ => format!("{folder}/{}/{name}.rs", file.trim_end_matches(".rs")),
    }
}

impl World {
    /// `manifests`: folder of each package, its edition, and its dependencies as
    /// `(name in code, package)`. A package is named as its folder.
    #[expect(clippy::type_complexity, reason = "literals at the call are easiest to read so")]
    fn with(manifests: &[(&str, &str, &[(&str, &str)])], texts: &[(&str, &str)]) -> Self {
        let item_trees: BTreeMap<&str, StoredTree> = texts
            .iter()
            .map(|(path, text)| {
                (*path, ItemTree::from_facts(&parse_file(path, text.as_bytes())).into())
            })
            .collect();
        let files: Vec<(&str, &StoredTree)> =
            item_trees.iter().map(|(path, item_tree)| (*path, item_tree)).collect();
        let number = |path: &str| files.iter().position(|(p, _)| *p == path);
        let target = |folder: &str, edition: &str| Target {
            kind: TargetKind::Lib,
            name: folder.to_owned(),
            crate_name: folder.replace('-', "_"),
            root: format!("{folder}/lib.rs"),
            edition: edition.to_owned(),
        };
        let package = |(folder, edition, dependencies): &(&str, &str, &[(&str, &str)])| Package {
            manifest_path: format!("{folder}/Cargo.toml"),
            name: (*folder).to_owned(),
            version: String::new(),
            edition: (*edition).to_owned(),
            dependencies: dependencies
                .iter()
                .map(|(name, package)| ((*name).to_owned(), (*package).to_owned()))
                .collect(),
            targets: vec![target(folder, edition)],
            features: Default::default(),
        };
        let packages: Vec<Package> = manifests.iter().map(package).collect();
        let mut crates = IndexVec::<CrateId, Crate>::new();
        let mut instances = IndexVec::<InstanceId, Instance>::new();
        for (at, package) in packages.iter().enumerate() {
            let target = package.targets[0].clone();
            let mut open = vec![(target.root.clone(), None)];
            while let Some((path, declared_in)) = open.pop() {
                let Some(file) = number(&path) else { continue };
                let own = instances.next_idx();
                instances.push(Instance {
                    file: FileId::new(file),
                    krate: CrateId::new(at),
                    declared_in,
                    variant: None,
                    cfg: String::new(),
                    made: None,
                });
                for (item, item_tree) in files[file].1.items.iter().enumerate().skip(1) {
                    if let Header::Module { inline: false, path: given, .. } = &item_tree.header {
                        let child = match given {
                            Some(given) => format!("{}/{given}", package.name),
                            None => child_path(&path, &item_tree.name),
                        };
                        open.push((child, Some((own, item as u32))));
                    }
                }
            }
            crates.push(Crate { package: Some(PackageId::new(at)), target });
        }
        let input = Input {
            packages: IndexSlice::new(&packages),
            crates: &crates,
            files: IndexSlice::new(&files),
            instances: &instances,
            repeats: &Default::default(),
        };
        Self { assembly: assemble(input) }
    }

    /// One crate `a`.
    fn single_crate(texts: &[(&str, &str)]) -> Self {
        Self::with(&[("a", "2021", &[])], texts)
    }

    fn ids(&self) -> BTreeMap<asof_model::NodeId, &Node> {
        let ids: BTreeMap<_, _> = self.assembly.nodes.iter().map(|node| (node.id, node)).collect();
        assert_eq!(ids.len(), self.assembly.nodes.iter().count(), "two nodes have one id");
        ids
    }

    fn paths(&self) -> Vec<&str> {
        self.ids();
        let nodes = self.assembly.nodes.iter().map(|node| node.path.as_str());
        let mut paths: Vec<_> = nodes.filter(|path| !path.is_empty()).collect();
        paths.sort();
        paths
    }

    /// Targets of edges as `source kind name target`, where the path of what has none is its
    /// name; without the crate root's containment in tests that ask for less.
    fn edges(&self) -> BTreeSet<String> {
        let ids = self.ids();
        let edges = self.assembly.edges.iter().map(|edge| {
            let of = |id| {
                let node: &Node = ids[&id];
                if node.path.is_empty() { node.name.as_str() } else { node.path.as_str() }
            };
            let name = if edge.name.is_empty() { "*" } else { edge.name.as_str() };
            format!("{} {} {name} {}", of(edge.source), edge.kind.as_str(), of(edge.target))
        });
        edges.collect()
    }

    fn unresolved(&self) -> BTreeSet<String> {
        let unresolved = self.assembly.edges.unresolved();
        unresolved
            .map(|one| {
                let external = if one.external { " external" } else { "" };
                format!("{} {}{external}", one.kind.as_str(), one.text)
            })
            .collect()
    }

    /// Ids of the items of this path and kind, in the order of the text.
    fn find(&self, kind: NodeKind, path: &str) -> Vec<asof_model::NodeId> {
        let nodes = self.assembly.nodes.iter().filter(|n| n.kind == kind && n.path == path);
        nodes.map(|node| node.id).collect()
    }
}

/// All edges of a crate `a` with these files, and everything that it could not resolve.
fn check(texts: &[(&str, &str)], edges: &[&str], unresolved: &[&str]) {
    let world = World::single_crate(texts);
    assert_eq!(world.edges().iter().collect::<Vec<_>>(), edges);
    assert_eq!(world.unresolved().iter().collect::<Vec<_>>(), unresolved);
}

fn check_paths(texts: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(World::single_crate(texts).paths(), expected);
}

#[test]
fn methods_are_named_by_the_type_wherever_the_impl_is() {
    check_paths(
        &[
            ("a/lib.rs", "mod ty; mod imp;"),
            ("a/ty.rs", "pub struct S { x: u8 } pub enum E { V(u8) } pub trait T { fn t(&self); }"),
            (
                "a/imp.rs",
                "use super::ty::{S as Alias, E, T};
                 impl Alias { fn m() {} const C: u8 = 1; }
                 impl T for E { fn t(&self) {} }
                 impl<X> From<X> for Alias { fn from(x: X) {} }
                 impl<X> T for X { fn t(&self) {} }
                 impl T for [u8] { fn t(&self) {} }",
            ),
        ],
        &[
            "<X as T>",
            "<X as T>::t",
            "<[u8] as T>",
            "<[u8] as T>::t",
            "<a::ty::E as T>",
            "<a::ty::E as T>::t",
            "<a::ty::S as From<X>>",
            "<a::ty::S as From<X>>::from",
            "<a::ty::S>",
            "a",
            "a::imp",
            "a::ty",
            "a::ty::E",
            "a::ty::E::V",
            "a::ty::E::V::0",
            "a::ty::S",
            "a::ty::S::C",
            "a::ty::S::m",
            "a::ty::S::x",
            "a::ty::T",
            "a::ty::T::t",
        ],
    );
}

#[test]
fn items_in_bodies_carry_the_modules_path() {
    check_paths(
        &[("a/lib.rs", "fn f() { struct In; impl In { fn m() {} } fn g() { const K: u8 = 1; } }")],
        &["<a::In>", "a", "a::In", "a::In::m", "a::K", "a::f", "a::g"],
    );
}

#[test]
fn chains_of_re_exports_lead_to_the_definition() {
    check(
        &[(
            "a/lib.rs",
            "pub use one::Z; pub mod one { pub use super::two::Y as Z; }
             pub mod two { pub use crate::three::X as Y; } pub mod three { pub struct X; }",
        )],
        &[
            "a reexports Z a::three::X",
            "a::one reexports Z a::three::X",
            "a::two reexports Y a::three::X",
        ],
        &[],
    );
}

#[test]
fn cycles_of_globs_terminate() {
    check(
        &[(
            "a/lib.rs",
            "pub mod x { pub use super::y::*; pub fn of_x() {} }
             pub mod y { pub use super::x::*; pub fn of_y() {} }
             use x::of_y; use y::of_x; use x::none;",
        )],
        &[
            "a imports of_x a::x::of_x",
            "a imports of_y a::y::of_y",
            "a::x glob_reexports * a::y",
            "a::y glob_reexports * a::x",
        ],
        &["imports x::none"],
    );
}

#[test]
fn named_imports_shadow_globs() {
    check(
        &[(
            "a/lib.rs",
            "mod l { pub fn f() {} pub fn g() {} } mod r { pub fn f() {} }
             mod m { pub use super::l::*; pub use super::r::f; fn g() {} }
             use m::f; mod n { use super::l::*; fn g() {} mod o { use super::g; } }",
        )],
        &[
            "a imports f a::r::f",
            "a::m glob_reexports * a::l",
            "a::m reexports f a::r::f",
            "a::n glob_imports * a::l",
            "a::n::o imports g a::n::g",
        ],
        &[],
    );
}

#[test]
fn a_definition_hides_a_glob_only_in_its_namespace() {
    check(
        &[(
            "a/lib.rs",
            "mod l { pub mod both {} } mod m { pub use super::l::*; pub fn both() {} }
             use m::both;",
        )],
        &["a imports both a::l::both", "a imports both a::m::both", "a::m glob_reexports * a::l"],
        &[],
    );
}

#[test]
fn private_names_are_seen_from_below_only() {
    check(
        &[(
            "a/lib.rs",
            "mod m { fn secret() {} pub(super) fn half() {} mod below { use super::secret; } }
             use m::half; mod n { use crate::m::half; use crate::m::secret; }",
        )],
        &[
            "a imports half a::m::half",
            "a::m::below imports secret a::m::secret",
            "a::n imports half a::m::half",
        ],
        &["imports crate::m::secret"],
    );
}

#[test]
fn a_visibility_names_a_module_around_wherever_that_is_declared() {
    check(
        &[(
            "a/lib.rs",
            "mod o { pub mod i { pub(in crate::o) fn f() {} pub(in super::super) fn g() {} }
             use i::f; } use o::i::{f, g};",
        )],
        &["a imports g a::o::i::g", "a::o imports f a::o::i::f"],
        &["imports o::i::f"],
    );
}

#[test]
fn globs_open_enums() {
    check(
        &[("a/lib.rs", "pub enum E { A, B } mod m { pub use super::E::*; } use m::B; use E::A;")],
        &["a imports A a::E::A", "a imports B a::E::B", "a::m glob_reexports * a::E"],
        &[],
    );
}

#[test]
fn exported_macros_are_at_the_crate_root() {
    check(
        &[(
            "a/lib.rs",
            "mod m { #[macro_export] macro_rules! mac { () => {} } } mod n { use crate::mac; }",
        )],
        &["a::n imports mac a::m::mac"],
        &[],
    );
}

#[test]
fn crates_of_the_workspace_under_other_names() {
    let world = World::with(
        &[("app", "2021", &[("thing", "lib-b"), ("serde", "serde")]), ("lib-b", "2021", &[])],
        &[
            (
                "app/lib.rs",
                "extern crate thing as other; pub use thing::S; use other::S as T;
                 use serde::de; use std::fmt; impl ::thing::Tr for S {} impl S { pub fn m() {} }",
            ),
            ("lib-b/lib.rs", "pub struct S; pub trait Tr {}"),
        ],
    );
    let edges: Vec<String> = world.edges().into_iter().collect();
    assert_eq!(
        edges,
        [
            "<lib_b::S as Tr> impl_for * lib_b::S",
            "<lib_b::S as Tr> impl_of * lib_b::Tr",
            "<lib_b::S> impl_for * lib_b::S",
            "app imports T lib_b::S",
            "app imports other lib_b",
            "app reexports S lib_b::S",
        ]
    );
    let unresolved: Vec<String> = world.unresolved().into_iter().collect();
    assert_eq!(unresolved, ["imports serde::de external", "imports std::fmt external"]);
    assert_eq!(world.find(NodeKind::Method, "lib_b::S::m").len(), 1);
}

#[test]
fn relative_paths() {
    check(
        &[
            ("a/lib.rs", "fn top() {} mod m;"),
            ("a/m.rs", "fn mid() {} mod deep;"),
            (
                "a/m/deep.rs",
                "fn own() {} mod b { use self::super::own; use super::super::mid;
                 use super::super::super::top; use crate::m::mid as again;
                 use super::super::super::super::beyond; }",
            ),
        ],
        &[
            "a::m::deep::b imports again a::m::mid",
            "a::m::deep::b imports mid a::m::mid",
            "a::m::deep::b imports own a::m::deep::own",
            "a::m::deep::b imports top a::top",
        ],
        &["imports super::super::super::super::beyond"],
    );
}

#[test]
fn in_the_edition_of_2015_imports_begin_at_the_root() {
    let texts = [("a/lib.rs", "mod m { use n::f; use ::n::f as g; } mod n { pub fn f() {} }")];
    let old = World::with(&[("a", "2015", &[])], &texts);
    let edges: Vec<String> = old.edges().into_iter().collect();
    assert_eq!(edges, ["a::m imports f a::n::f", "a::m imports g a::n::f"]);
    let new = World::with(&[("a", "2021", &[])], &texts);
    assert!(new.edges().is_empty());
    let unresolved: Vec<String> = new.unresolved().into_iter().collect();
    assert_eq!(unresolved, ["imports ::n::f", "imports n::f"]);
}

#[test]
fn cfg_duplicates_keep_their_ids_when_reordered() {
    let unix = "#[cfg(unix)] fn f() {}";
    let other = "#[cfg(not(unix))] fn f() {}";
    let of = |text: String| {
        World::single_crate(&[("a/lib.rs", text.as_str())]).find(NodeKind::Function, "a::f")
    };
    let (first, second) = (of(format!("{unix}\n{other}")), of(format!("{other}\n{unix}")));
    assert_eq!(first.len(), 2);
    assert_ne!(first[0], first[1]);
    assert_eq!(first, [second[1], second[0]]);
}

/// Path and condition of every item with both.
fn conditions(texts: &[(&str, &str)]) -> Vec<String> {
    let world = World::single_crate(texts);
    let of = |node: &Node| format!("{} {}", node.path, world.assembly.condition(node));
    let nodes = world.assembly.nodes.iter();
    let nodes = nodes.filter(|node| !world.assembly.condition(node).is_always());
    nodes.filter(|node| !node.path.is_empty()).map(of).collect()
}

#[test]
fn items_exist_under_the_conditions_of_everything_that_they_are_in() {
    let lib = "#![cfg(a)] #[cfg(unix)] mod m; #[cfg(any())] fn never() {}
        #[cfg(b)] impl S { #[cfg(not(unix))] fn f() {} } #[cfg(any(c, not(c)))] struct S;
        cfg_if! { if #[cfg(c)] { fn g() {} } else { mod n { #[cfg(not(c))] fn h() {} } } }
        fn body() { #[cfg(d)] fn inside() {} }";
    let m = "#![cfg(any(c, d))] #[cfg(windows)] struct W { f: u8 } enum E { #[cfg(a)] V }";
    assert_eq!(
        conditions(&[("a/lib.rs", lib), ("a/m.rs", m)]),
        [
            "a a",
            "a::never false",
            "<a::S> all(a, b)",
            "a::S::f all(a, b, not(unix))",
            "a::S a",
            "a::g all(a, c)",
            "a::n all(a, not(c))",
            "a::n::h all(a, not(c))",
            "a::body a",
            "a::inside all(a, d)",
            "a::m any(all(a, c, unix), all(a, d, unix))",
            "a::m::W false",
            "a::m::W::f false",
            "a::m::E any(all(a, c, unix), all(a, d, unix))",
            "a::m::E::V any(all(a, c, unix), all(a, d, unix))",
        ]
    );
}

#[test]
fn many_large_conditions_in_each_other_stay_small() {
    let mut text = String::new();
    for n in 0..300 {
        let flags: Vec<String> = (0..40).map(|k| format!("any(a{n}_{k}, b{n}_{k})")).collect();
        text.push_str(&format!(
            "#[cfg(all({}))] #[cfg(any(c{n}, d{n}))] mod m {{",
            flags.join(", ")
        ));
    }
    text.push_str(&"}".repeat(300));
    let found = conditions(&[("a/lib.rs", &text)]);
    assert!(!found.is_empty());
    assert!(found.iter().all(|line| line.len() < 8_000), "{:?}", found.last());
}

#[test]
fn a_block_of_the_same_header_above_changes_no_ids_of_methods() {
    let below = "impl S { fn m() {} fn n() {} }";
    let of = |text: String| {
        let world = World::single_crate(&[("a/lib.rs", text.as_str())]);
        let find = |name: &str| world.find(NodeKind::Method, &format!("a::S::{name}"));
        (find("m"), find("n"))
    };
    let before = of(format!("struct S; {below}"));
    assert_eq!((before.0.len(), before.1.len()), (1, 1));
    assert_eq!(before, of(format!("struct S; impl S {{ fn new() {{}} }} {below}")));
}

#[test]
fn a_call_of_the_same_macro_above_changes_no_ids_inside() {
    let below = "cfg_rt! { pub fn f() {} mod m { fn g() {} } }";
    let of = |text: &str| {
        let world = World::single_crate(&[("a/lib.rs", text)]);
        let find = |path: &str| world.find(NodeKind::Function, path);
        (find("a::f"), find("a::m::g"))
    };
    let before = of(below);
    assert_eq!((before.0.len(), before.1.len()), (1, 1));
    assert_eq!(before, of(&format!("cfg_rt! {{ fn other() {{}} }}\n{below}")));
}

#[test]
fn a_change_of_one_body_changes_no_id_elsewhere() {
    let of =
        |text: &str| World::single_crate(&[("a/lib.rs", text)]).find(NodeKind::Struct, "a::In");
    let before = of("fn f() { struct In; } fn g() { struct In; }");
    assert_eq!(before.len(), 2);
    let after = of("fn f() { struct In; fn new() {} } fn g() { struct In; }");
    assert_eq!(before, after);
}

#[test]
fn imports_in_bodies_see_the_enclosing_scopes() {
    check(
        &[(
            "a/lib.rs",
            "mod m { pub fn f() {} } fn b() { use m::f; use self::m as n; { use n::f as g; } }",
        )],
        &["a::b imports f a::m::f", "a::b imports g a::m::f", "a::b imports n a::m"],
        &[],
    );
}

#[test]
fn impls_follow_a_type_that_is_renamed_in_an_import() {
    let with = |name: &str| {
        World::single_crate(&[
            ("a/lib.rs", "mod t; mod i;"),
            ("a/t.rs", &format!("pub struct {name};")),
            ("a/i.rs", "use crate::t::*; impl S { fn m() {} }"),
        ])
    };
    assert_eq!(with("S").find(NodeKind::Method, "a::t::S::m").len(), 1);
    let other = with("R");
    assert_eq!(other.find(NodeKind::Method, "S::m").len(), 1);
    assert_eq!(other.unresolved().into_iter().collect::<Vec<_>>(), ["impl_for S"]);
}

/// A glob passes on only what is visible at its place, and a second glob may see more.
#[test]
fn every_way_through_globs_is_tried() {
    check(
        &[(
            "a/lib.rs",
            "pub mod c { pub mod d { pub(super) fn f() {} } pub mod e { pub use super::super::b::*;
               pub use super::inner::*; } mod inner { pub(super) use super::d::*; } use e::f; }
             pub mod b { pub use crate::c::d::*; }",
        )],
        &[
            "a::b glob_reexports * a::c::d",
            "a::c imports f a::c::d::f",
            "a::c::e glob_reexports * a::b",
            "a::c::e glob_reexports * a::c::inner",
            "a::c::inner glob_reexports * a::c::d",
        ],
        &[],
    );
}
