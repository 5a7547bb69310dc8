//! Each rule on the smallest pair of declarations.

use std::collections::BTreeSet;

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

/// The rules that apply, with their levels, `path rule level` each.
fn changes(old: &[Declaration], new: &[Declaration]) -> Vec<String> {
    let interface = |items: &[Declaration]| {
        let items = items.iter().map(|d| ((format!("c::{}", d.name), 't'), d.clone()));
        Interface { items: items.collect(), private_traits: BTreeSet::new() }
    };
    let found = compare(&interface(old), &interface(new));
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
    let head = Head::parse("pub fn f<F: Fn(u8) -> Vec<u8>>(&self, g: F, [a, b]: [u8; 2])", "f");
    assert_eq!(head.receiver.as_deref(), Some("& self"));
    assert_eq!(head.params, ["$0", "[ u8 ; 2 ]"]);
    assert_eq!(head.bounds.len(), 1);
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
    assert_eq!(changes(&closed, &with(std::slice::from_ref(&a), &[])), [""; 0]);
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
    let impls = BTreeSet::from(["impl<T> std::clone::Clone for S<T>".to_owned()]);
    let written = Declaration { impls, ..of };
    assert_eq!(changes(&[derived], &[written]), [""; 0]);
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
