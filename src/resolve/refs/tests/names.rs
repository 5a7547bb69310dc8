//! Paths, imports, scopes, macros, attributes.

use super::*;

#[test]
fn paths_follow_modules_imports_and_reexports() {
    check(
        "
        //- a/lib.rs
        pub mod m;
        mod own { pub fn f() { super::top(); crate::m::inner(); self::g(); } fn g() {} }
        use m::{inner as renamed, deep::*};
        pub use m::deep::Leaf as Public;
        fn top() { renamed(); leaf(); own::f(); }
        //- a/m.rs
        pub fn inner() {}
        pub mod deep { pub fn leaf() {} pub struct Leaf; }
        //- b/lib.rs
        use a::Public;
        fn f(_: Public) { a::m::inner(); std::fs::read(\"x\"); outside::call(); }
        ",
        "
        a::own::f call a::top [path]
        a::own::f call a::m::inner
        a::own::f path a::m
        a::own::f call a::own::g
        a::top call a::m::inner
        a::top call a::m::deep::leaf
        m::{inner as renamed, deep::*} use a::m::inner
        m::{inner as renamed, deep::*} use a::m::deep
        b::f type a::m::deep::Leaf
        b::f path a
        b::f call a::m::inner
        b::f call extern std::fs::read
        b::f call extern outside::call
        m::deep::Leaf as Public path a::m::deep
        m::deep::Leaf as Public path a::m
        m::deep::Leaf as Public use a::m::deep::Leaf
        b::f path a::m
        a path a::m
        b::f path extern outside
        b::f path extern std
        b::f path extern std::fs
        a::top call a::own::f
        a::top path a::own
        m::{inner as renamed, deep::*} path a::m
        a::Public path a
        a::Public use a::m::deep::Leaf
        ",
    );
}

#[test]
fn variables_parameters_and_generics_hide_items() {
    check(
        "
        fn x() {} const N: u8 = 1; struct T;
        fn f(x: fn()) { x(); }
        fn g<T>(t: T) -> T { let N2 = 1; t }
        fn h() { let x = || (); x(); { fn x() {} } }
        fn i(v: u8) { match v { N => x(), other => {} } }
        fn j(T: u8) { if let x = T { x; } }
        ",
        "
        a::i pattern a::N
        a::i call a::x
        a::j value a::T
        a::j pattern a::T
        ",
    );
}

#[test]
fn items_in_bodies_are_seen_from_there_only() {
    check(
        "
        fn f() { fn inner() { deep() } fn deep() {} inner(); use m::far; far(); }
        fn g() { inner(); }
        mod m { pub fn far() {} }
        ",
        "
        a::f call a::inner
        a::inner call a::deep
        a::f call a::m::far
        a::g call ? inner
        m::far path a::m
        m::far use a::m::far
        ",
    );
}

#[test]
fn types_fields_variants_and_patterns() {
    check(
        "
        pub struct P { x: Q, y: Vec<Q> } pub struct Q(u8); pub enum E { A, B(Q), C { q: Q } }
        const K: E = E::A;
        fn f(p: P, e: E) -> Option<Q> {
            let P { x, y: rest } = p;
            let n = P { x, y: vec![] };
            n.x.0;
            match e { E::A => None, E::B(Q(1)) | E::C { q: Q(2) } => Some(n.x), K => Ok(1).ok() }
        }
        ",
        "
        a::P type a::Q
        a::P type extern std::vec::Vec
        a::K value a::E::A
        a::f pattern a::P
        a::f field a::P::x [member]
        a::f field a::P::y
        a::f field a::Q::0
        a::f pattern a::E::A
        a::f pattern a::E::B
        a::f pattern a::E::C
        a::f field a::E::C::q
        a::f pattern a::K
        a::f value extern std::option::Option::None
        a::f call extern std::option::Option::Some
        a::f call extern std::result::Result::Ok
        a::f macro extern std::vec
        a::K type a::E
        a::K path a::E
        a::f method_call extern std::result::Result::ok
        a::f pattern a::Q
        a::f type a::Q
        a::f type a::P
        a::f type a::E
        a::f type extern std::option::Option
        a::f path a::E
        a::E type a::Q
        ",
    );
}

#[test]
fn macros_by_text_by_path_and_their_tokens() {
    check(
        "
        macro_rules! near { ($($t:tt)*) => {} }
        mod m { #[macro_export] macro_rules! far { () => {} } pub fn f(n: u8) -> u8 { near!(); n } }
        fn g(v: u8) {
            near!(m::f(1), key = m::f(2));
            crate::far!();
            assert_eq!(m::f(1), 2, \"{}\", m::f(v));
            let ok = matches!(S::new(), S { f: K });
            select! { got = m::f(3) => { use_it(got) } else => { m::f(4) } }
        }
        fn use_it(v: u8) {} const K: u8 = 1; struct S { f: u8 } impl S { fn new() -> S { S { f: K } } }
        ",
        "
        a::m::f macro a::near
        a::g macro a::near
        a::g macro a::m::far
        a::g call a::m::f
        a::g call a::S::new
        a::g pattern a::K
        a::g call a::use_it
        a::g macro extern std::assert_eq
        a::g macro ? select!
        a::S::new value a::K
        a::S::new field a::S::f
        a::S::new type a::S
        <a::S> type a::S
        a::g field a::S::f
        a::g pattern a::S
        a::g path a::S
        a::g path a::m
        a::g macro extern std::matches
        ",
    );
}

#[test]
fn attributes_and_derives() {
    check(
        "
        struct Debug;
        #[derive(Debug, Clone, outside::Other)]
        #[outside::attr(default = K, with = \"K\", call = make())]
        #[inline]
        struct S;
        const K: u8 = 1; fn make() {}
        ",
        "
        a::S attribute extern std::fmt::Debug
        a::S attribute extern std::clone::Clone
        a::S attribute extern outside::Other
        a::S attribute extern outside::attr
        a::S value a::K
        a::S call a::make
        a::S path extern outside
        a::S mention ? K
        ",
    );
}

#[test]
fn heads_of_impls_bounds_and_visibilities() {
    check(
        "
        pub mod m { pub struct S<T>(T); pub(in crate::m) struct P; pub trait Tr<A> { type Out; } }
        use m::{S, Tr};
        struct A; struct B;
        impl<X: Tr<A>> Tr<B> for S<X> where X::Out: Clone { type Out = A; }
        fn f<T>(t: impl Tr<A>, d: &dyn Tr<B, Out = A>) where T: Tr<B> {}
        ",
        "
        <a::m::S as Tr<B>> bound a::m::Tr
        <a::m::S as Tr<B>> type a::m::S
        <a::m::S as Tr<B>> type a::B
        <a::m::S as Tr<B>> type a::m::Tr::Out
        <a::m::S as Tr<B>>::Out type a::A
        <a::m::S as Tr<B>>::Out overrides a::m::Tr::Out
        a::m::P path a::m
        a::f bound a::m::Tr
        a::f type a::B
        m::{S, Tr} path a::m
        m::{S, Tr} use a::m::S
        m::{S, Tr} use a::m::Tr
        a::f type a::A
        a::f type a::m::Tr::Out
        <a::m::S as Tr<B>> type a::A
        <a::m::S as Tr<B>> bound extern std::clone::Clone
        ",
    );
}

#[test]
fn cfg_duplicates_of_a_type_are_one_and_macros_leave_macro_use_modules() {
    check(
        "
        //- a/lib.rs
        #[macro_use] mod outer;
        mod user;
        #[cfg(one)] struct S {}
        #[cfg(two)] struct S { t: T }
        struct T; impl T { fn m(&self) {} }
        #[cfg(two)] impl S { fn f(&self) { self.t.m(); } }
        fn g(s: S) { s.f(); }
        //- a/outer.rs
        #[macro_use] mod inner { macro_rules! deep { () => {} } }
        macro_rules! near { () => {} }
        mod closed { macro_rules! hidden { () => {} } }
        //- a/user.rs
        fn h() { deep!(); near!(); hidden!(); }
        ",
        "
        a::S::f field a::S::t
        a::S::f method_call a::T::m
        a::g method_call a::S::f
        a::user::h macro a::outer::inner::deep
        a::user::h macro a::outer::near
        a path a::outer
        a path a::user
        a::user::h macro ? hidden!
        a::S type a::T
        <a::T> type a::T
        <a::S> type a::S
        <a::S> type a::S
        a::g type a::S
        a::g type a::S
        ",
    );
}

#[test]
fn lengths_of_arrays_are_uses() {
    check(
        "pub const N: usize = 1;
        pub struct S { a: [u8; N] }
        pub enum E { A([u8; N]), B { c: [[u8; crate::N]; 2] } }
        pub type A = [u8; N];
        pub static X: [u8; N] = [0; N];
        pub trait Tr { const C: [u8; N]; fn f(&self) -> [u8; N]; }
        impl Tr for [u8; N] { const C: [u8; N] = [0; N]; fn f(&self) -> [u8; N] { [0; N] } }
        pub struct W<V = [u8; N]>(V);
        extern \"C\" { fn h(a: *mut [u8; N]); }",
        "a::S value a::N
        a::E value a::N
        a::A value a::N
        a::X value a::N
        a::Tr::C value a::N
        a::Tr::f value a::N
        <[u8; N] as Tr> bound a::Tr
        <[u8; N] as Tr> value a::N
        <[u8; N] as Tr>::C value a::N
        <[u8; N] as Tr>::C overrides a::Tr::C
        <[u8; N] as Tr>::f value a::N
        <[u8; N] as Tr>::f overrides a::Tr::f
        a::W value a::N
        a::h value a::N",
    );
}
