//! Properties of all texts, and of the declarations of the standard library.

use super::*;
use crate::ids::DefIndex;
use crate::refs::References;
use crate::refs::heads::Head;
use crate::refs::impls::head_in;
use crate::refs::library::tables::ImplHead;
use crate::refs::standard;
use crate::refs::types::{TraitRef, Type};

const TEXT: &str = "
    //- a/lib.rs
    mod m;
    use m::Thing;
    pub trait Make { fn make(&self) -> Thing; fn twice(&self) -> Thing { self.make() } }
    pub fn all(list: &[Thing]) -> Vec<u32> { list.iter().map(|t| t.size()).collect() }
    macro_rules! call { ($e:expr) => { $e } }
    fn quoted(t: &Thing) { call!(t.size()); println!(\"{}\", t.size()); }
    //- a/m.rs
    #[derive(Clone, Debug)]
    pub struct Thing { pub parts: Vec<Thing>, name: String }
    impl Thing {
        pub fn size(&self) -> u32 { self.parts.iter().map(Thing::size).sum::<u32>() + 1 }
        pub fn first(&self) -> Option<&Thing> { self.parts.first() }
    }
    impl crate::Make for Thing {
        fn make(&self) -> Thing { self.first().unwrap().clone() }
    }
";

#[test]
fn a_part_of_the_files_or_items_has_its_part_of_the_references() {
    let workspace = Workspace::parse(TEXT);
    workspace.resolved(|world, sources, _| {
        let all = world.references_with_reads(sources);
        let (mut by_file, mut by_item) = (References::default(), References::default());
        for source in sources {
            let of_file = world.references_with_reads(&[*source]);
            by_file.list.extend(of_file.list);
            by_file.reads.extend(of_file.reads);
            for item in 0..source.uses.items.len() as u32 {
                let only = BTreeSet::from([item]);
                let of_item =
                    world.references_with_reads(&[Source { only: Some(&only), ..*source }]);
                by_item.list.extend(of_item.list);
                by_item.reads.extend(of_item.reads);
            }
        }
        for mut part in [by_file, by_item] {
            part.list.sort();
            assert_eq!(part.list, all.list);
            assert_eq!(part.reads, all.reads);
        }
    });
}

#[test]
fn the_number_of_threads_and_the_order_of_files_change_nothing() {
    let workspace = Workspace::parse(TEXT);
    workspace.resolved(|world, sources, _| {
        let all = world.references(sources);
        let reversed: Vec<_> = sources.iter().rev().copied().collect();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| world.references(&reversed)), all);
        }
    });
}

/// What is computed of other crates for one state is what any other would compute.
#[test]
fn states_share_what_is_known_of_other_crates() {
    let outside = "
        //- dep/lib.rs
        pub struct Pair<A, B>(pub A, pub B);
        impl<A: Clone, B> Pair<A, B> { pub fn left(&self) -> A { self.0.clone() } }
        pub trait Make { type Made; fn make(&self) -> Self::Made; }
        impl<T> Make for Vec<T> { type Made = Pair<T, usize>; fn make(&self) -> Self::Made { loop {} } }
        pub type Words = Vec<String>;
        pub fn words() -> Words { Vec::new() }
        //- a/lib.rs
        use dep::{Make, Pair, words};";
    let states = [
        "pub struct S; impl Make for S { type Made = S; fn make(&self) -> S { S } }
        impl Clone for S { fn clone(&self) -> S { S } }
        fn f(p: Pair<S, u8>) { p.left().make(); words().make().left().len(); }",
        "mod vec { pub struct Vec; }
        pub trait Other { fn left(&self) -> u8; } impl<T> Other for Pair<T, u8> { fn left(&self) -> u8 { 0 } }
        fn f() { words().make().left().len(); let v: Vec<u8> = Vec::new(); v.make().1.min(2); }",
        "fn f() { let p = words().make(); p.1.min(1); String::new().len(); }",
    ];
    let states = states.map(|state| Workspace::parse(&format!("{outside}\n{state}")));
    let references = |world: &ItemIndex<'_>, sources: &[Source<'_>]| world.references(sources);
    let alone = states.each_ref().map(|state| state.resolved(|w, s, _| references(w, s)));
    let libraries = states[0].libraries();
    for order in [[0, 1, 2], [2, 1, 0]] {
        for at in order {
            let shared = states[at].resolved_with(&libraries, |w, s, _| references(w, s));
            assert_eq!(shared, alone[at]);
        }
    }
}

#[test]
fn places_count_from_the_source_items_start() {
    let text = "fn g() {}\n/// Doc.\nfn f() {\n    g(); g();\n}\n";
    let workspace = Workspace::parse(text);
    let occurrences = workspace.resolved(|world, sources, called| {
        let all = world.references(sources);
        let call = all.into_iter().find(|one| tell(one, called).starts_with("a::f call a::g"));
        call.unwrap().occurrences
    });
    let told: Vec<_> = occurrences.iter().map(|p| (p.offset, p.line, p.column)).collect();
    assert_eq!(told, [(22, 2, 4), (27, 2, 9)]);
}

/// Chains, nesting and cycles that recursion must not follow to the end.
#[test]
fn hostile_texts_terminate() {
    let chain = format!("struct S; fn f(s: S) {{ s{}; }}", ".clone()".repeat(5_000));
    let nest = format!("fn f() {{ {}1{}; }}", "(".repeat(600), ")".repeat(600));
    let sum = format!("fn f(a: u8) {{ a{}; }}", " + a".repeat(5_000));
    let types = format!("fn f(a: {}u8{}) {{ a.x(); }}", "Vec<".repeat(300), ">".repeat(300));
    let aliases = "type A = B; type B = A; fn f(a: A) { a.x(); }".to_owned();
    let derefs = "
        struct A; struct B;
        impl std::ops::Deref for A { type Target = B; }
        impl std::ops::Deref for B { type Target = A; }
        fn f(a: A) { a.x(); a.y; }"
        .to_owned();
    let traits = "
        trait P: Q {} trait Q: P {}
        impl<T: P> Q for T {} impl<T: Q> P for T {}
        fn f<T: P>(t: T, s: S) { t.x(); s.x(); } struct S;"
        .to_owned();
    let grows = "
        struct W<T>(T);
        impl<T> Iterator for W<T> where W<W<T>>: Iterator { type Item = <W<W<T>> as Iterator>::Item; }
        fn f(w: W<u8>) { for x in w { x.y(); } let mut v = vec![]; v.push(v); v.z(); }"
        .to_owned();
    let twice =
        "macro_rules! r { ($($x:tt)*) => { (r!($($x)* $($x)* a).0, r!($($x)* $($x)*).0) }; }"
            .to_owned()
            + "fn f() { r!(a).x(); let y = r!(r!(r!(r!(a)))); y.z(); }".repeat(200).as_str();
    let endless =
        "macro_rules! r { ($($x:tt)*) => { r!($($x)* ($($x)*)).x() }; } fn f() { r!(a).y(); }"
            .to_owned();
    let greedy = format!(
        "macro_rules! r {{ ($($(a $($x:tt)?)*),* ;) => {{ () }}; }} fn f() {{ r!({}).y(); }}",
        "a ".repeat(2_500),
    );
    let broken = "macro_rules! r { ($x:expr) => { $y $x $ $() { } }; ($) => ; $(a)* => {} }
        fn f() { r!().x(); r!(1).y(); r!($).z(); }"
        .to_owned();
    let odd = "macro_rules! r { () => { __crate_4000000000::x().y() }; }
        fn f() { r!().z(); __crate_0::f(); }"
        .to_owned();
    let calls = format!("fn f() {{ {}1{}.x(); }}", "r!(".repeat(600), ")".repeat(600));
    for text in [twice, endless, greedy, broken, odd, calls] {
        asof_syntax::with_large_stack(|| Workspace::parse(&text).lines()).unwrap();
    }
    for text in [chain, nest, sum, types, aliases, derefs, traits, grows] {
        asof_syntax::with_large_stack(|| Workspace::parse(&text).lines()).unwrap();
    }
}

/// The file names its Rust version, and is small.
#[test]
fn the_stored_library_is_whole() {
    let bytes = include_bytes!("../standard/library.zst");
    let tables = standard::read(bytes).unwrap();
    let head = standard::head(bytes).unwrap();
    assert!(head.split(' ').nth(1).is_some_and(|version| version.starts_with("1.")), "{head}");
    assert_eq!(head, crate::library_version());
    assert!(tables.kinds.len() > 10_000, "only {} definitions", tables.kinds.len());
    assert!(bytes.len() <= 400_000, "{} bytes", bytes.len());
    assert!(standard::read(&bytes[..bytes.len() / 2]).is_none());
    for (child, parent) in tables.parents.iter().enumerate().skip(1) {
        assert!((*parent as usize) < child, "{child} is before its parent {parent}");
    }
}

/// What the tables say of impls and derives is what their signatures say.
#[test]
fn impls_of_the_library_are_those_of_their_signatures() {
    Workspace::parse("").resolved(|world, _, _| {
        let library = world.libraries().next().unwrap();
        for one in library.library.impls() {
            let sig = world.sig(library.def(DefIndex::from_raw(one.def)));
            let head = sig.ty.as_ref().and_then(Head::from_type);
            let head = head.filter(|head| !matches!(head, Head::External(_)));
            assert_eq!(head_in(world, library, one.head), head, "{sig:?}");
            assert_eq!(one.head == ImplHead::Param, matches!(sig.ty, Some(Type::Param(..))));
            let of = sig.of_trait.as_ref().and_then(|bound| bound.def());
            assert_eq!(one.of.map(|of| library.def(DefIndex::from_raw(of))), of, "{sig:?}");
        }
        for def in library.library.defs().map(|own| library.def(own)) {
            let sig = world.sig(def);
            let derives = library.library.derives().filter(|(ty, _)| library.def(*ty) == def);
            let derives: Vec<TraitRef> =
                derives.map(|(_, of)| TraitRef::Def(library.def(DefIndex::from_raw(of)))).collect();
            assert_eq!(sig.derives, derives, "{:?}", world.info(def));
        }
    });
}

/// Every type in a declaration of the library is declared in the library.
#[test]
fn declarations_of_the_library_name_existing_types() {
    Workspace::parse("").resolved(|world, _, _| {
        let library = world.libraries().next().unwrap();
        let count = library.library.len();
        assert!(count > 1_500, "only {count} declarations");
        for path in ["vec::Vec", "option::Option", "iter::Iterator", "collections::HashMap"] {
            assert!(world.library_path(path.split("::")).is_some(), "{path}");
        }
    });
}
