//! Which method a call means once the receiver's type is known, and what happens if it is not.

use super::*;

#[test]
fn the_impl_for_a_type_the_trait_for_a_bound() {
    check(
        "
        pub trait Tr { fn need(&self); fn have(&self) { self.need() } fn make() -> Self; }
        struct A; struct B;
        impl Tr for A { fn need(&self) {} fn make() -> A { A } }
        impl Tr for B { fn need(&self) {} fn have(&self) {} fn make() -> B { B } }
        impl A { fn own(&self) { self.need(); Self::make(); } }
        fn known(a: A, b: &B) { a.need(); a.have(); b.have(); a.own(); <A as Tr>::make(); }
        fn bound<T: Tr>(t: T, d: &dyn Tr, i: impl Tr, x: Box<dyn Tr>) {
            t.need(); T::make(); d.have(); i.need(); x.need();
        }
        fn later() -> B { let b: B = Tr::make(); b }
        ",
        "
        a::Tr::have method_call a::Tr::need [bound]
        a::A::own method_call <a::A as Tr>::need [trait_impl]
        a::A::own call <a::A as Tr>::make
        a::known method_call <a::A as Tr>::need
        a::known method_call a::Tr::have
        a::known method_call <a::B as Tr>::have
        a::known method_call a::A::own [member]
        a::known call <a::A as Tr>::make
        a::bound method_call a::Tr::need
        a::bound method_call a::Tr::have
        a::bound call a::Tr::make
        a::later call <a::B as Tr>::make
        <a::B as Tr>::have overrides a::Tr::have [header]
        <a::A as Tr> type a::A
        <a::A as Tr> bound a::Tr
        <a::A> type a::A
        a::later type a::B
        a::later path a::Tr
        <a::B as Tr> type a::B
        <a::B as Tr> bound a::Tr
        <a::A as Tr>::need overrides a::Tr::need
        <a::B as Tr>::need overrides a::Tr::need
        a::bound type extern std::boxed::Box
        a::bound bound a::Tr
        <a::A as Tr>::make value a::A
        <a::A as Tr>::make type a::A
        <a::A as Tr>::make overrides a::Tr::make
        a::known type a::A
        a::known type a::B
        a::known bound a::Tr
        <a::B as Tr>::make value a::B
        <a::B as Tr>::make type a::B
        <a::B as Tr>::make overrides a::Tr::make
        ",
    );
}

#[test]
fn inherent_before_trait_and_through_dereferences() {
    check(
        "
        use std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell};
        trait Tr { fn f(&self) {} } struct A; impl Tr for A {} impl A { fn f(&self) {} fn g(&self) {} }
        struct W { a: A } impl Deref for W { type Target = A; fn deref(&self) -> &A { &self.a } }
        fn x(a: A, w: W, s: Arc<Mutex<A>>, r: Rc<RefCell<W>>) {
            a.f();
            w.g();
            s.lock().unwrap().g();
            r.borrow().a.g();
            s.clone().len();
        }
        ",
        "
        a::x method_call a::A::f
        a::x method_call a::A::g
        a::x field a::W::a
        a::x method_call extern std::sync::Mutex::lock
        a::x method_call extern std::result::Result::unwrap
        a::x method_call extern std::clone::Clone::clone
        a::W type a::A
        <a::A as Tr> type a::A
        <a::A as Tr> bound a::Tr
        <a::A> type a::A
        a::x method_call extern std::cell::RefCell::borrow
        a::x method_call ? .len
        a::x type a::W
        a::x type a::A
        a::x type extern std::cell::RefCell
        a::x type extern std::rc::Rc
        a::x type extern std::sync::Arc
        a::x type extern std::sync::Mutex
        <a::W as Deref> type a::W
        <a::W as Deref> bound extern std::ops::Deref
        <a::W as Deref>::Target type a::A
        <a::W as Deref>::Target overrides extern std::ops::Deref::Target
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} path extern std
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} path extern std::cell
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} path extern std::ops
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} path extern std::rc
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} path extern std::sync
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} use extern std::cell::RefCell
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} use extern std::ops::Deref
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} use extern std::rc::Rc
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} use extern std::sync::Arc
        std::{ops::Deref, sync::{Arc, Mutex}, rc::Rc, cell::RefCell} use extern std::sync::Mutex
        <a::W as Deref>::deref field a::W::a
        <a::W as Deref>::deref type a::A
        <a::W as Deref>::deref overrides extern std::ops::Deref::deref
        ",
    );
}

#[test]
fn one_of_several_impls_is_chosen_by_arguments() {
    check(
        "
        struct E; struct A; struct B;
        impl From<A> for E { fn from(a: A) -> E { E } }
        impl From<B> for E { fn from(b: B) -> E { E } }
        fn f(b: B) { E::from(b); }
        fn g(x: outside::Type) { E::from(x.unknown()); }
        ",
        "
        a::f call <a::E as From<B>>::from
        a::g call extern std::convert::From::from
        <a::E as From<B>> type a::E
        <a::E as From<B>> type a::B
        <a::E as From<B>> bound extern std::convert::From
        <a::E as From<B>>::from value a::E
        <a::E as From<B>>::from type a::E
        <a::E as From<B>>::from type a::B
        <a::E as From<B>>::from overrides extern std::convert::From::from
        <a::E as From<A>> type a::A
        <a::E as From<A>> type a::E
        <a::E as From<A>> bound extern std::convert::From
        <a::E as From<A>>::from value a::E
        <a::E as From<A>>::from type a::A
        <a::E as From<A>>::from type a::E
        <a::E as From<A>>::from overrides extern std::convert::From::from
        a::g method_call extern outside::Type::unknown
        a::g type extern outside::Type
        a::g path a::E
        a::g path extern outside
        a::f type a::B
        a::f path a::E
        ",
    );
}

/// Names that the standard library's types have. A type of the workspace has all of them too,
/// and no other type in the workspace does: that is not evidence.
const COMMON: &[&str] = &[
    "len", "push", "join", "get", "insert", "clone", "next", "map", "unwrap", "iter", "into",
    "parse", "write", "read", "is_empty", "as_ref", "as_str", "take", "remove", "contains",
    "collect", "find", "filter", "extend", "pop", "path", "name", "send", "recv", "lock", "flush",
    "to_string", "expect", "and_then", "ok", "borrow", "kind", "status", "split", "count",
];

#[test]
fn a_common_name_alone_is_not_evidence() {
    let methods: String = COMMON.iter().map(|name| format!("fn {name}(&self) {{}} ")).collect();
    let uses = |receiver: &str| -> String {
        COMMON.iter().map(|name| format!("{receiver}.{name}(); ")).collect()
    };
    let text = format!(
        "struct Own; enum Odd {{ Ok, Err, Some, None }}
        impl Own {{ {methods} fn new() -> Own {{ Own }} fn from(x: u8) -> Own {{ Own }} }}
        fn unknown(x: outside::Type) {{ let y = outside::make(); {} }}
        fn outer(x: outside::Type) {{ {} }}
        fn text(s: &str, v: Vec<u8>, p: std::path::PathBuf) {{
            s.len(); v.len(); p.join(s); v.iter().next(); Vec::<u8>::new(); String::from(s);
            Ok::<u8, u8>(1); Some(2); None::<u8>; Err::<u8, u8>(3);
        }}
        fn known(o: Own) {{ {} }}",
        uses("y"),
        uses("x"),
        uses("o"),
    );
    Workspace::parse(&text).resolved(|world, sources, called| {
        let all = world.references(sources);
        for one in &all {
            let told = tell(one, called);
            let to_own = told.contains(" a::Own::") || told.contains(" a::Odd::");
            if to_own && !told.starts_with("a::known ") && one.kind.as_str() != "type" {
                assert!(one.confidence <= 10, "{told}");
            }
        }
        let told: Vec<String> = all.iter().map(|one| tell(one, called)).collect();
        for name in COMMON {
            // `Into` takes its receiver by value, which comes before `&self` of the type's own.
            let wanted = match *name {
                "into" => "a::known method_call extern std::convert::Into::into [bound]".to_owned(),
                _ => format!("a::known method_call a::Own::{name} [member]"),
            };
            assert!(told.contains(&wanted), "{wanted}");
            let outer = |one: &String| {
                one.starts_with("a::outer method_call extern ")
                    && one.contains(&format!("::{name} ["))
            };
            assert!(told.iter().any(outer), "{name} of an outer type");
        }
        for path in ["str::len", "std::vec::Vec::len", "std::path::Path::join"] {
            let wanted = format!("a::text method_call extern {path} [member]");
            assert!(told.contains(&wanted), "{wanted} among\n{}", told.join("\n"));
        }
        assert!(told.contains(&"a::text call extern std::result::Result::Ok [path]".to_owned()));
    });
}

/// Two traits of a type have an associated type of one name; a supertrait's is the trait's, too.
#[test]
fn a_type_of_the_own_trait_comes_before_that_of_another() {
    check(
        "
        trait Up { type Above; }
        trait Tr: Up { type Out; fn make() -> Self::Out; fn above() -> Self::Above; }
        trait Other { type Out; type Above; }
        struct A;
        impl Up for A { type Above = u8; }
        impl Other for A { type Out = u8; type Above = u8; }
        impl Tr for A { type Out = u8; fn make() -> Self::Out { 0 } fn above() -> Self::Above { 0 } }
        impl<F> Up for Vec<F> { type Above = u8; }
        impl<F> Tr for Vec<F> { type Out = F; fn make() -> Self::Out { loop {} } fn above() -> Self::Above { 0 } }
        ",
        "
        <Vec as Tr>::above type a::Up::Above [trait_impl]
        <Vec as Tr>::above overrides a::Tr::above
        <a::A as Other> type a::A
        <a::A as Other> bound a::Other
        <a::A as Up>::Above overrides a::Up::Above
        <a::A as Tr> type a::A
        <a::A as Tr> bound a::Tr
        <Vec as Up> type extern std::vec::Vec
        <Vec as Up> bound a::Up
        a::Tr::above type a::Up::Above [bound]
        <Vec as Tr>::Out overrides a::Tr::Out
        <a::A as Up> type a::A
        <a::A as Up> bound a::Up
        <Vec as Up>::Above overrides a::Up::Above
        a::Tr::make type a::Tr::Out [bound]
        <Vec as Tr>::make type a::Tr::Out [trait_impl]
        <Vec as Tr>::make overrides a::Tr::make
        <a::A as Other>::Above overrides a::Other::Above
        <a::A as Tr>::make type a::Tr::Out [trait_impl]
        <a::A as Tr>::make overrides a::Tr::make
        <a::A as Tr>::Out overrides a::Tr::Out
        a::Tr bound a::Up
        <a::A as Other>::Out overrides a::Other::Out
        <Vec as Tr> type extern std::vec::Vec
        <Vec as Tr> bound a::Tr
        <a::A as Tr>::above type a::Up::Above [trait_impl]
        <a::A as Tr>::above overrides a::Tr::above
        ",
    );
}

#[test]
fn what_is_not_visible_hides_nothing() {
    members(
        "
        pub trait Tr { fn f(&self); fn g(&self); fn h(&self); fn make() {} }
        pub struct In { pub x: u8, pub y: u8 }
        mod m {
            pub struct A { x: u8, pub(crate) y: u8, inner: super::In }
            impl A { fn f(&self) {} pub fn g(&self) {} pub(super) fn h(&self) {} fn make() {} }
            impl super::Tr for A { fn f(&self) {} fn g(&self) {} fn h(&self) {} }
            impl std::ops::Deref for A { type Target = super::In; fn deref(&self) -> &super::In { &self.inner } }
            fn inside(a: &A) { a.f(); a.x; A::make(); }
            mod n { fn below(a: &super::A) { a.f(); a.x; } }
            fn alone() { super::B.p(); }
        }
        pub struct B;
        impl B { fn p(&self) {} }
        mod o { pub struct C; impl C { fn q(&self) {} } }
        fn outside(a: &m::A) { a.f(); a.g(); a.h(); m::A::make(); a.x; a.y; o::C.q(); }
        ",
        "
        <a::m::A as Deref>::deref field a::m::A::inner [member]
        a::m::inside method_call a::m::A::f [member]
        a::m::inside field a::m::A::x [member]
        a::m::inside call a::m::A::make
        a::m::n::below method_call a::m::A::f [member]
        a::m::n::below field a::m::A::x [member]
        a::m::alone method_call a::B::p [member]
        a::outside method_call <a::m::A as Tr>::f [trait_impl]
        a::outside method_call a::m::A::g [member]
        a::outside method_call a::m::A::h [member]
        a::outside call a::Tr::make
        a::outside field a::In::x [member]
        a::outside field a::m::A::y [member]
        a::outside method_call a::o::C::q [member]
        ",
    );
}

/// As [`check`], of members alone.
#[track_caller]
fn members(text: &str, expected: &str) {
    let mut lines = Workspace::parse(text).lines();
    let of_member = |line: &&str| ["method_call", "field", "call"].contains(line);
    lines.retain(|line| line.split(' ').any(|word| of_member(&word)));
    compare(lines, expected);
}
