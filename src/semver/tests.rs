//! Each rule on the smallest pair of declarations.

use std::collections::BTreeMap;
use std::slice;

use super::head::Head;
use super::*;
use asof_model::NodeKind;
use asof_wire::SemverLevel;

fn declaration(kind: NodeKind, signature: &str, name: &str) -> Declaration {
    Declaration {
        name: name.to_owned(),
        kind: Some(kind),
        is_public: true,
        signature: signature.to_owned(),
        ..Declaration::default()
    }
}

fn field(name: &str, ty: &str, is_public: bool) -> Declaration {
    let signature = format!("{}{name}: {ty}", if is_public { "pub " } else { "" });
    Declaration { is_public, ..declaration(NodeKind::Field, &signature, name) }
}

fn variant(name: &str) -> Declaration {
    declaration(NodeKind::Variant, name, name)
}

fn other(_: &str, _: &str) -> Sameness {
    Sameness::Other
}

/// The rules that apply, with their levels, `path rule level` each.
fn changes(old: &[Declaration], new: &[Declaration]) -> Vec<String> {
    let interface = |items: &[Declaration]| {
        let items = items.iter().map(|d| ((format!("c::{}", d.name), 't'), d.clone()));
        Interface { items: items.collect(), ..Interface::default() }
    };
    let found = compare(&interface(old), interface(new), &mut other);
    found.iter().map(|c| format!("{} {} {}", c.path, c.rule, c.level.as_str())).collect()
}

fn functions(old: &str, new: &str) -> String {
    let function = |signature: &str| declaration(NodeKind::Function, signature, "f");
    changes(&[function(old)], &[function(new)]).join(", ")
}

#[test]
fn functions_are_compared_by_what_callers_see() {
    let base = "pub fn f(a: u8, b: &str) -> u8";
    assert_eq!(functions(base, "pub fn f(x: u8, y: &str) -> u8"), "");
    assert_eq!(functions(base, "pub fn f(a: std::primitive::u8, b: &str,) -> u8"), "");
    assert_eq!(functions(base, "pub fn f(a: u8) -> u8"), "c::f parameter_count_changed major");
    assert_eq!(
        functions(base, "pub fn f(a: u16, b: &str) -> u8"),
        "c::f parameter_type_changed major"
    );
    assert_eq!(functions(base, "pub fn f(a: u8, b: &str)"), "c::f return_type_changed major");
    assert_eq!(functions(base, "pub unsafe fn f(a: u8, b: &str) -> u8"), "c::f unsafe_added major");
    assert_eq!(functions(base, "pub const fn f(a: u8, b: &str) -> u8"), "c::f const_added minor");
    assert_eq!(functions("pub const fn f()", "pub fn f()"), "c::f const_removed major");
    assert_eq!(functions("pub unsafe fn f()", "pub fn f()"), "c::f unsafe_removed minor");
    assert_eq!(functions("pub extern \"C\" fn f()", "pub fn f()"), "c::f extern_removed major");
}

#[test]
fn an_async_function_returns_a_future() {
    let old = "pub async fn f(a: u8) -> u16";
    assert_eq!(functions(old, "pub fn f(a: u8) -> impl std::future::Future<Output = u16>"), "");
    assert_eq!(functions("pub async fn f()", "pub fn f() -> impl Future<Output = ()>"), "");
    assert_eq!(
        functions("pub fn f() -> u16", "pub async fn f() -> u16"),
        "c::f return_type_changed major"
    );
}

#[test]
fn an_alias_of_a_documentation_is_not_hidden() {
    let with = |attr: &str| Declaration {
        attrs: vec![attr.to_owned()],
        ..declaration(NodeKind::Function, "pub fn f()", "f")
    };
    assert!(with("#[doc(hidden)]").is_hidden());
    assert!(with("#[doc(hidden, inline)]").is_hidden());
    assert!(!with("#[doc(alias = \"hidden\")]").is_hidden());
}

#[test]
fn generic_parameters_are_known_by_their_position() {
    let base = "pub fn f<'a, T: Clone>(t: &'a T) -> Vec<T>";
    assert_eq!(functions(base, "pub fn f<'b, U: Clone>(u: &'b U) -> Vec<U>"), "");
    assert_eq!(functions(base, "pub fn f<'a, T>(t: &'a T) -> Vec<T> where T: Clone"), "");
    assert_eq!(
        functions(base, "pub fn f<'a, T: Clone + Ord>(t: &'a T) -> Vec<T>"),
        "c::f bound_added major"
    );
    assert_eq!(functions(base, "pub fn f<'a, T>(t: &'a T) -> Vec<T>"), "c::f bound_removed minor");
    assert_eq!(
        functions(base, "pub fn f<'a, T: Clone, U>(t: &'a T) -> Vec<T>"),
        "c::f generic_parameter_count_changed major"
    );
    let text = "pub fn f<F: Fn(u8) -> Vec<u8>>(&self, g: F, [a, b]: [u8; 2])";
    let head = Head::parse(text, "f", "", &Default::default());
    assert_eq!(head.receiver.as_deref(), Some("& self"));
    assert_eq!(head.params, ["$0", "[ u8 ; 2 ]"]);
    assert_eq!(
        head.bounds.iter().collect::<Vec<_>>(),
        ["$0: Fn ( u8 ) - > Vec < u8 >", "$0: Sized"]
    );
}

#[test]
fn fields_matter_if_users_can_see_or_build_them() {
    let with = |fields: &[Declaration], attrs: &[&str]| {
        let attrs = attrs.iter().map(|attr| (*attr).to_owned()).collect();
        let of = declaration(NodeKind::Struct, "pub struct S", "S");
        vec![Declaration { members: fields.to_vec(), attrs, ..of }]
    };
    let (a, b) = (field("a", "u8", true), field("b", "u8", true));
    let hidden = field("h", "u8", false);
    let open = with(std::slice::from_ref(&a), &[]);
    assert_eq!(
        changes(&open, &with(&[a.clone(), b.clone()], &[])),
        ["c::S::b constructible_struct_adds_field major"]
    );
    assert_eq!(
        changes(&open, &with(&[a.clone(), hidden.clone()], &[])),
        ["c::S::h constructible_struct_adds_field major"]
    );
    let closed = with(&[a.clone(), hidden.clone()], &[]);
    assert_eq!(
        changes(&closed, &with(&[a.clone(), hidden.clone(), b.clone()], &[])),
        ["c::S::b field_added minor"]
    );
    assert_eq!(
        changes(&closed, &with(std::slice::from_ref(&a), &[])),
        ["c::S struct_became_constructible minor"]
    );
    assert_eq!(
        changes(&open, &with(&[field("a", "u16", true)], &[])),
        ["c::S::a field_type_changed major"]
    );
    assert_eq!(
        changes(&open, &with(&[field("a", "u8", false)], &[])),
        ["c::S::a field_removed major"]
    );
    assert_eq!(
        changes(&open, &with(std::slice::from_ref(&a), &["#[non_exhaustive]"])),
        ["c::S non_exhaustive_added major"]
    );
    assert_eq!(
        changes(
            &with(std::slice::from_ref(&a), &["#[derive(Clone, Debug)]"]),
            &with(&[a], &["#[derive(Debug)]"])
        ),
        ["c::S impl_removed Clone major"]
    );
}

#[test]
fn a_derive_may_become_an_impl() {
    let of = declaration(NodeKind::Struct, "pub struct S", "S");
    let derived = Declaration { attrs: vec!["#[derive(Clone)]".to_owned()], ..of.clone() };
    let written = with_impls(&["impl<T> std::clone::Clone for S<T>"]);
    assert_eq!(changes(&[derived], &[written]), [""; 0]);
}

fn implementation(text: &str) -> Implementation {
    let (header, types) = text.split_once('{').unwrap_or((text, ""));
    let types = types.trim_end_matches('}').split(';').filter(|one| !one.trim().is_empty());
    let name = |one: &str| one.split_whitespace().nth(1).unwrap().to_owned();
    let types = types.map(|one| (name(one), one.trim().to_owned())).collect();
    Implementation { header: header.trim().to_owned(), types, ..Implementation::default() }
}

fn with_impls(impls: &[&str]) -> Declaration {
    let impls = impls.iter().map(|text| implementation(text)).collect();
    Declaration { impls, ..declaration(NodeKind::Struct, "pub struct S", "S") }
}

#[test]
fn impls_are_compared_with_arguments_bounds_and_types() {
    let check = |old: &[&str], new: &[&str], expected: &[&str]| {
        let found = changes(&[with_impls(old)], &[with_impls(new)]);
        assert_eq!(found, expected, "{old:?} -> {new:?}");
    };
    check(
        &["impl From<u8> for S", "impl From<u16> for S"],
        &["impl From<u8> for S"],
        &["c::S impl_removed From<u16> major"],
    );
    check(
        &["impl AsRef<str> for S"],
        &["impl AsRef<[u8]> for S"],
        &["c::S impl_added AsRef<[u8]> minor", "c::S impl_removed AsRef<str> major"],
    );
    let item = |ty: &str| format!("impl Iterator for S {{ type Item = {ty}; }}");
    check(&[&item("u8")], &[&item("u16")], &["c::S impl_type_changed Iterator::Item major"]);
    check(&[&item("S")], &[&item("Self")], &[]);
    check(
        &["impl<T> Clone for S<T>"],
        &["impl<T: Clone> Clone for S<T>"],
        &["c::S impl_bound_added Clone major"],
    );
    check(&["impl<T: Clone> Clone for S<T>"], &["impl<T> Clone for S<T>"], &[]);
    check(&["impl<T> Clone for S<T>"], &["impl<T: ?Sized> Clone for S<T>"], &[]);
    check(&["impl<A, B> Clone for S<A, B>"], &["impl<Y, X> Clone for S<X, Y>"], &[]);
    check(&["impl Clone for S<u8>"], &["impl<T> Clone for S<T>"], &["c::S impl_added Clone minor"]);
    check(
        &["impl<T> Clone for S<T>"],
        &["impl Clone for S<u8>"],
        &["c::S impl_added Clone minor", "c::S impl_removed Clone major"],
    );
}

#[test]
fn members_are_compared_with_the_parameters_of_their_owners() {
    let methods = |old: [&str; 2], new: [&str; 2]| {
        let of = |[owner, signature]: [&str; 2]| Declaration {
            members: vec![Declaration {
                owner: owner.to_owned(),
                ..declaration(NodeKind::Method, signature, "f")
            }],
            ..declaration(NodeKind::Struct, "pub struct S<T>", "S")
        };
        changes(&[of(old)], &[of(new)])
    };
    let base = ["impl<T> S<T>", "pub fn f(&self, t: T) -> S<T>"];
    assert_eq!(methods(base, ["impl<U> S<U>", "pub fn f(&self, u: U) -> Self"]), [""; 0]);
    assert_eq!(methods(base, ["impl<T> S<T>", "pub fn f(self: &Self, t: T) -> Self"]), [""; 0]);
    assert_eq!(methods(base, ["impl<T> S<T>", "pub fn f(self: &S<T>, t: T) -> Self"]), [""; 0]);
    let bound = ["c::S::f bound_added major"];
    assert_eq!(methods(base, ["impl<T: Clone> S<T>", "pub fn f(&self, t: T) -> Self"]), bound);
    assert_eq!(methods(["impl S<u8>", "pub fn f()"], ["impl S<u16>", "pub fn f()"]), bound);
    let receiver = ["c::S::f receiver_changed major"];
    let by_value = ["impl<T> S<T>", "pub fn f(self: Self, t: T) -> Self"];
    assert_eq!(methods(base, by_value), receiver);
}

#[test]
fn a_relaxed_bound_accepts_more() {
    let base = "pub fn f<T>(t: &T)";
    assert_eq!(functions(base, "pub fn f<T: ?Sized>(t: &T)"), "c::f bound_removed minor");
    assert_eq!(functions("pub fn f<T: ?Sized>(t: &T)", base), "c::f bound_added major");
    assert_eq!(functions(base, "pub fn f<T: Sized>(t: &T)"), "");
    assert_eq!(functions("pub fn f<T>(t: T)", "pub fn f<'a, T>(t: T)"), "");
}

#[test]
fn a_module_may_get_a_shorter_path() {
    let function = declaration(NodeKind::Function, "pub fn f()", "f");
    let at = |path: &str| BTreeMap::from([((path.to_owned(), 'v'), function.clone())]);
    let old = Interface { items: at("c::long::m::f"), ..Interface::default() };
    let aliases = BTreeMap::from([("c::long::m".to_owned(), "c::m".to_owned())]);
    let new = Interface { items: at("c::m::f"), aliases, ..Interface::default() };
    let rules = |old: &Interface, new: &Interface| -> Vec<String> {
        compare(old, new.clone(), &mut other)
            .iter()
            .map(|c| format!("{} {}", c.path, c.rule))
            .collect()
    };
    assert_eq!(rules(&old, &new), ["c::m::f item_added"]);
    assert_eq!(rules(&new, &old), ["c::m::f item_removed"]);
}

#[test]
fn a_unit_struct_is_a_value() {
    let unit = Declaration { is_unit: true, ..declaration(NodeKind::Struct, "pub struct S", "S") };
    let named = Declaration { is_unit: false, ..unit.clone() };
    let (unit, named) = (std::slice::from_ref(&unit), std::slice::from_ref(&named));
    assert_eq!(changes(unit, named), ["c::S struct_form_changed major"]);
    assert_eq!(changes(named, unit), [""; 0], "empty braces build and match it, too");
}

#[test]
fn variants_matter_unless_the_enum_is_open() {
    let with = |variants: &[Declaration], attrs: &[&str]| {
        let attrs = attrs.iter().map(|attr| (*attr).to_owned()).collect();
        let of = declaration(NodeKind::Enum, "pub enum E", "E");
        vec![Declaration { members: variants.to_vec(), attrs, ..of }]
    };
    let (a, b) = (variant("A"), variant("B"));
    let one = with(std::slice::from_ref(&a), &[]);
    assert_eq!(
        changes(&one, &with(&[a.clone(), b.clone()], &[])),
        ["c::E::B exhaustive_enum_adds_variant major"]
    );
    let open = with(std::slice::from_ref(&a), &["#[non_exhaustive]"]);
    assert_eq!(
        changes(&open, &with(&[a.clone(), b], &["#[non_exhaustive]"])),
        ["c::E::B variant_added minor"]
    );
    assert_eq!(changes(&one, &with(&[], &[])), ["c::E::A variant_removed major"]);
    let full = Declaration { members: vec![field("x", "u8", false)], ..a };
    assert_eq!(
        changes(&one, &with(&[full], &[])),
        ["c::E discriminants_undefined major", "c::E::A::x variant_adds_field major"]
    );
}

#[test]
fn items_of_traits_matter_to_implementors() {
    let with = |items: &[Declaration], head: &str| {
        vec![Declaration { members: items.to_vec(), ..declaration(NodeKind::Trait, head, "T") }]
    };
    let method = |signature: &str, has_default: bool| Declaration {
        has_default,
        ..declaration(NodeKind::Method, signature, "m")
    };
    let none = with(&[], "pub trait T");
    assert_eq!(
        changes(&none, &with(&[method("fn m(&self)", false)], "pub trait T")),
        ["c::T::m trait_item_without_default_added major"]
    );
    assert_eq!(
        changes(&none, &with(&[method("fn m(&self)", true)], "pub trait T")),
        ["c::T::m trait_item_added minor"]
    );
    assert_eq!(
        changes(
            &with(&[], "pub trait T: private::Sealed"),
            &with(&[method("fn m(&self)", false)], "pub trait T: private::Sealed")
        ),
        ["c::T::m trait_item_added minor"]
    );
    assert_eq!(
        changes(
            &with(&[method("fn m(&self)", true)], "pub trait T"),
            &with(&[method("fn m(&mut self)", false)], "pub trait T")
        ),
        ["c::T::m receiver_changed major", "c::T::m trait_item_default_removed major"]
    );
    assert_eq!(
        changes(&none, &with(&[], "pub trait T: Send + Sync")),
        ["c::T supertrait_added major"]
    );
    assert!(has_default(NodeKind::Method, "fn m(&self) {}"));
    assert!(!has_default(NodeKind::Method, "fn m(&self) -> [u8; { 1 }];"));
    assert!(!has_default(NodeKind::AssocType, "type A: Iterator<Item = u8>;"));
    assert!(has_default(NodeKind::AssocConst, "const N: usize = 3;"));
}

#[test]
fn paths_appear_disappear_and_change_their_kind() {
    let f = declaration(NodeKind::Function, "pub fn f()", "f");
    let s = declaration(NodeKind::Struct, "pub struct f", "f");
    assert_eq!(changes(std::slice::from_ref(&f), &[]), ["c::f item_removed major"]);
    assert_eq!(changes(&[], std::slice::from_ref(&f)), ["c::f item_added minor"]);
    assert_eq!(changes(&[f], &[s]), ["c::f kind_changed major"]);
}

#[test]
fn versions_allow_what_cargo_takes_for_compatible() {
    let check = |old: &str, new: &str| allowed(old, new);
    assert_eq!(check("1.2.3", "2.0.0"), Some(SemverLevel::Major));
    assert_eq!(check("1.2.3", "1.3.0"), Some(SemverLevel::Minor));
    assert_eq!(check("1.2.3", "1.2.4"), Some(SemverLevel::Patch));
    assert_eq!(check("0.2.3", "0.3.0"), Some(SemverLevel::Major));
    assert_eq!(check("0.2.3", "0.2.4"), Some(SemverLevel::Minor));
    assert_eq!(check("0.0.3", "0.0.4"), Some(SemverLevel::Major));
    assert_eq!(check("1.2.3", "1.2.3"), None);
    assert_eq!(check("1.2.3", "1.2.2"), None);
    assert_eq!(check("1.2", "nonsense"), None);
    assert!(is_enough(None, SemverLevel::Patch));
    assert!(!is_enough(None, SemverLevel::Minor));
}

/// A declaration whose names mean types at these paths, each also in the other state.
fn with_names(of: Declaration, names: &[(&str, &str)]) -> Declaration {
    let mut found = Named::new();
    for (name, path) in names {
        let meaning = TypeName { path: (*path).to_owned(), stays: true, ..TypeName::default() };
        found.entry((*name).to_owned()).or_default().insert(meaning);
    }
    Declaration { names: found, ..of }
}

#[test]
fn types_of_one_name_are_told_apart() {
    let function = declaration(NodeKind::Function, "pub fn f(e: Error) -> fmt::Result", "f");
    let named = |path: &str| with_names(function.clone(), &[("Error", path)]);
    let (fmt, io) = (named("std::fmt::Error"), named("std::io::Error"));
    assert_eq!(changes(slice::from_ref(&fmt), slice::from_ref(&fmt)).join(""), "");
    assert_eq!(
        changes(slice::from_ref(&fmt), slice::from_ref(&io)).join(""),
        "c::f parameter_type_changed major"
    );
    let found = compare(
        &Interface {
            items: BTreeMap::from([(("c::f".into(), 'v'), fmt.clone())]),
            ..Interface::default()
        },
        Interface {
            items: BTreeMap::from([(("c::f".into(), 'v'), io.clone())]),
            ..Interface::default()
        },
        &mut other,
    );
    let reason = "; `Error` means `std::io::Error`, not `std::fmt::Error`";
    assert!(found[0].reason.ends_with(reason), "{}", found[0].reason);
    // Of a signature that names two, which one a place means is not known.
    let both =
        with_names(function.clone(), &[("Error", "std::fmt::Error"), ("Error", "std::io::Error")]);
    assert_eq!(changes(&[both], &[io]).join(""), "");
    // A type that is gone from its path was moved.
    let mut moved = fmt;
    let gone = |one: &TypeName| TypeName { stays: false, ..one.clone() };
    moved.names.values_mut().for_each(|all| *all = all.iter().map(gone).collect());
    assert_eq!(changes(&[moved], &[named("c::Error")]).join(""), "");
}

#[test]
fn a_private_alias_may_stand_for_another_type() {
    let alias = |definition: &str| {
        let mut of = declaration(NodeKind::Function, "pub fn f() -> Inner", "f");
        let definition = definition.to_owned();
        let meaning =
            TypeName { path: "c::Inner".to_owned(), definition, outside: None, stays: true };
        of.names.insert("Inner".to_owned(), [meaning].into());
        of
    };
    let found = changes(&[alias("type Inner = u8")], &[alias("type Inner = u16")]).join("");
    assert_eq!(found, "c::f return_type_changed major");
    assert_eq!(changes(&[alias("type Inner = u8")], &[alias("type Inner = u8")]).join(""), "");
}

#[test]
fn fields_and_impls_name_types_too() {
    let with = |path: &str| {
        let field = with_names(field("id", "Id", true), &[("Id", path)]);
        let mut of = declaration(NodeKind::Struct, "pub struct S", "S");
        let names = with_names(of.clone(), &[("Id", path)]).names;
        let header = "impl From<Id> for S".to_owned();
        of.impls.push(Implementation { header, names, ..Implementation::default() });
        Declaration { members: vec![field], ..of }
    };
    assert_eq!(
        changes(&[with("c::a::Id")], &[with("c::b::Id")]),
        [
            "c::S impl_added From<Id> minor",
            "c::S impl_removed From<Id> major",
            "c::S::id field_type_changed major"
        ]
    );
}

#[test]
fn what_users_have_to_write_may_grow() {
    let types = |old: &str, new: &str| -> String {
        let name = "S";
        let both = [old, new].map(|head| declaration(NodeKind::Struct, head, name));
        let [old, new] = both;
        changes(&[old], &[new]).join("; ")
    };
    assert_eq!(
        types("pub struct S<T = u8>", "pub struct S<T>"),
        "c::S generic_default_removed major"
    );
    assert_eq!(types("pub struct S<T>", "pub struct S<T = u8>"), "");
    assert_eq!(functions("pub safe fn f()", "pub fn f()"), "c::f unsafe_added major");
    assert_eq!(functions("pub safe fn f()", "pub unsafe fn f()"), "c::f unsafe_added major");
    assert_eq!(functions("pub fn f()", "pub safe fn f()"), "c::f unsafe_removed minor");
    let alias = |target: &str| -> String {
        let was = declaration(NodeKind::Struct, "pub struct S<'a, const N: usize, T>", "S");
        changes(&[was], &[declaration(NodeKind::TypeAlias, target, "S")]).join("; ")
    };
    let same = "pub type S<'a, const N: usize, T> = inner::S<'a, N, T>";
    assert_eq!(alias(same), "c::S became_alias minor");
    let swapped = "pub type S<'a, T, const N: usize> = inner::S<'a, N, T>";
    assert_eq!(alias(swapped), "c::S became_alias major");
    let fixed = "pub type S<'a, T> = inner::S<'a, 1, T>";
    assert_eq!(alias(fixed), "c::S became_alias major");
}

#[test]
fn procedural_macros_are_known_by_their_names() {
    let function = |attr: &str| -> Vec<Declaration> {
        let of = declaration(
            NodeKind::Function,
            "pub fn expand(input: TokenStream) -> TokenStream",
            "expand",
        );
        let of = Declaration { attrs: vec![attr.to_owned()], ..of };
        of.as_procedural_macro().into_iter().collect()
    };
    let derive = function("#[proc_macro_derive(Build, attributes(build, skip))]");
    assert_eq!(derive[0].name, "Build");
    assert_eq!(changes(&derive, &[]), ["c::Build item_removed major"]);
    assert_eq!(
        changes(&derive, &function("#[proc_macro_derive(Build, attributes(build))]")),
        ["c::Build::skip associated_item_removed major"]
    );
    assert_eq!(function("#[proc_macro]")[0].name, "expand");
    assert!(function("#[inline]").is_empty());
}
