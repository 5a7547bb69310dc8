//! How crates outside of a workspace differ, as names.

use std::sync::Arc;

use super::{StoredTree, with_input};
use crate::{Declarations, Dependencies, Dependency, OutsideDifference};
use asof_model::ItemTree;
use asof_syntax::parse_file;

/// Crates that the workspace names, each of one file, which can name those before it.
fn crates(texts: &[(&str, &str)]) -> Dependencies {
    let mut crates = Vec::new();
    for (at, (name, text)) in texts.iter().enumerate() {
        let path = format!("{name}/lib.rs");
        let facts = parse_file(&path, text.as_bytes());
        let tree: StoredTree = Declarations::prune(ItemTree::from_facts(&facts), false).into();
        let others = texts[..at].iter().map(|(other, _)| *other);
        let files = [(path.as_str(), &tree)];
        let bytes = with_input(&files, &[name], others.clone().collect(), Declarations::compile);
        let names = others.enumerate().map(|(number, other)| (other.to_owned(), Some(number)));
        let declarations = Arc::new(Declarations::read(&bytes).unwrap());
        crates.push(Dependency::new(declarations, names.collect()));
    }
    let names = texts.iter().enumerate().map(|(at, (name, _))| ((*name).to_owned(), at));
    Dependencies::new(crates, names.collect())
}

/// Compares two states of a crate beside one that uses it.
#[track_caller]
fn check(old: &str, new: &str, expected: &str) {
    let user = "pub fn make() -> dep::Match { loop {} } pub struct Own(pub dep::Match);";
    let base = ("base", "pub struct Base;");
    let [old, new] = [old, new].map(|text| [base, ("dep", text), ("user", user)]);
    check_crates(&old, &new, expected);
}

#[track_caller]
fn check_crates(old: &[(&str, &str)], new: &[(&str, &str)], expected: &str) {
    let text = match OutsideDifference::new(&crates(old), &crates(new)) {
        None => "anything".to_owned(),
        Some(found) => {
            let OutsideDifference { named, types, traits, macros, crates, trait_items } = found;
            let all = [
                ("", named),
                ("types ", types),
                ("traits ", traits),
                ("macros ", macros),
                ("crates ", crates),
                ("trait items ", trait_items),
            ];
            let some = all.into_iter().filter(|(_, names)| !names.is_empty());
            let texts = some.map(|(kind, names)| {
                format!("{kind}{}", names.into_iter().collect::<Vec<_>>().join(" "))
            });
            texts.collect::<Vec<_>>().join(", ")
        }
    };
    assert_eq!(text, expected);
}

const BASE: &str = "pub struct Match { pub start: usize } pub trait Find { fn find(&self); } \
                    pub fn search() -> Match { loop {} } pub fn count() -> usize { 0 }";

#[test]
fn what_is_the_same_has_no_names() {
    check(BASE, BASE, "");
    let private = format!("{BASE} fn private() {{}} #[cfg(test)] mod tests {{ fn a() {{}} }}");
    check(BASE, &private, "");
    // Neither the order nor what is in a body is compared.
    check("pub fn a() {} pub fn b() {}", "pub fn b() { 1; } pub fn a() {}", "");
}

#[test]
fn a_function_that_differs_has_its_name() {
    check(BASE, &BASE.replace("count()", "count(of: u8)"), "count");
    check(BASE, &format!("{BASE} pub fn more() {{}}"), "more");
}

#[test]
fn a_type_that_differs_spreads_through_signatures() {
    // Of a field, the name is all that tells.
    check(BASE, &BASE.replace("start: usize", "start: u32"), "start");
    check(
        BASE,
        &BASE.replace("struct Match {", "struct Match<T = u8> { pub t: T,"),
        "0 make search t, types Match Own",
    );
    check(
        BASE,
        &format!("{BASE} impl std::ops::Deref for Match {{ type Target = u8; }}"),
        "0 Target make search, types Match Own",
    );
}

#[test]
fn members_of_impls_and_traits_have_names() {
    check(
        BASE,
        &format!("{BASE} impl Match {{ pub fn end(&self) {{}} }}"),
        "0 end make search, types Match Own",
    );
    let with = format!("{BASE} impl Match {{ pub fn end(&self) {{}} }}");
    let more = format!("{BASE} impl Match {{ pub fn end(&self) {{}} pub fn len(&self) {{}} }}");
    check(&with, &more, "len");
    check(BASE, &BASE.replace("fn find(&self);", "fn find(&self); fn all(&self);"), "all");
    check(BASE, &format!("{BASE} impl<T> Find for T {{}}"), "traits Find");
}

#[test]
fn macros_expand_to_what_differs() {
    let with = |rule: &str| {
        format!(
            "{BASE} #[macro_export] macro_rules! m {{ () => {{ {rule} }} }} \
                 #[macro_export] macro_rules! outer {{ () => {{ $crate::m!() }} }}"
        )
    };
    check(&with("1"), &with("2"), "macros m outer");
    // What a rule mentions differs.
    check(
        &with("$crate::count()"),
        &with("$crate::count()").replace("count() ->", "count(of: u8) ->"),
        "count, macros m outer",
    );
}

#[test]
fn what_has_no_name_may_be_anything() {
    check(BASE, &format!("{BASE} pub use base::*;"), "anything");
    check(BASE, &format!("{BASE} impl<T: Find> std::ops::Not for T {{}}"), "anything");
}

#[test]
fn a_shorter_path_concerns_all_that_is_named_by_it() {
    let deep = "pub mod a { pub struct S; impl S { pub fn f(&self) {} } }";
    check(deep, &format!("{deep} pub use a::S;"), "f, types S");
}

/// A crate that comes or goes concerns who names it, and what others have through it.
#[test]
fn a_crate_that_comes_or_goes_has_its_name() {
    let new = "pub struct Own; pub trait Find { fn find(&self); } impl Find for String {} \
               impl From<u8> for Own {} impl Iterator for &Own { type Item = u8; } pub fn count() {} #[macro_export] macro_rules! m { () => {} }";
    let check_both = |old: &[(&str, &str)], new: &[(&str, &str)], expected: &str| {
        check_crates(old, new, expected);
        check_crates(new, old, expected);
    };
    let dep = ("dep", BASE);
    check_both(&[dep], &[("new", new), dep], "macros m, crates new, trait items find");
    // What another crate names of it differs.
    let user =
        ("user", "pub use new::Own as Shown; pub fn make() -> Shown { loop {} } pub fn f() {}");
    check_both(
        &[user],
        &[("new", new), user],
        "make, types Shown, macros m, crates new, trait items find",
    );
    check_both(
        &[("user", "pub fn f() -> new::Own { loop {} } pub fn g() {}")],
        &[("new", new), ("user", "pub fn f() -> new::Own { loop {} } pub fn g() {}")],
        "f, macros m, crates new, trait items find",
    );
    // An impl of another crate's trait for another crate's type.
    let with = format!("{new} impl dep::Find<Own> for String {{}} impl dep::Find for Own {{}}");
    let has_output = ("dep", "pub trait Find<T> { type Output; fn find(&self, t: T); }");
    let has_result = ("dep", "pub trait Find<T> { fn find(&self) -> Option<T>; }");
    for dep in [has_output, has_result] {
        check_both(
            &[dep],
            &[dep, ("new", &with)],
            "types String, macros m, crates new, trait items find",
        );
    }
    // With other arguments, it gives no other type.
    let dep = ("dep", "pub trait Find<T> { fn find(&self, t: T) -> Self; }");
    check_both(&[dep], &[dep, ("new", &with)], "macros m, crates new, trait items find");
    let std = format!("{new} impl From<Own> for String {{}} impl PartialEq<Own> for [u8] {{}}");
    check_both(&[dep], &[dep, ("new", &std)], "macros m, crates new, trait items find");
    check_both(
        &[("user", "pub use new::*;")],
        &[("new", new), ("user", "pub use new::*;")],
        "anything",
    );
}
