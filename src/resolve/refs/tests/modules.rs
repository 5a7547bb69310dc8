//! Modules in paths: every segment, and the keywords that a path begins with.

use super::*;

const TEXT: &str = "
    //- a/lib.rs
    #[macro_export] macro_rules! made { () => { $crate::m::inner() } }
    #[macro_use] mod macros { macro_rules! own { () => {} } }
    pub mod m;
    mod own {
        pub(crate) mod deep { pub(in crate::own) fn shown() {} pub(super) struct S { pub(in super::super) x: super::T } }
        pub struct T;
        use self::deep::{self, S as Other};
        use super::m::{self as renamed, Kind::{self, *}, *};
        fn f() -> crate::m::Kind { super::m::inner(); self::g::<super::super::a_thing>(); <super::m::Kind as crate::Named>::name(); Kind::A }
        fn g<T>() { crate::made!(); }
        #[derive(crate::m::Made)] #[crate::m::attribute] struct D;
        impl crate::Named for self::T { fn name() {} }
    }
    trait Named { fn name(); }
    //- a/m.rs
    pub fn inner() {}
    pub enum Kind { A }
";

#[test]
fn the_keywords_of_a_path_mean_modules() {
    compare(
        Workspace::parse(TEXT).keywords(),
        "
        super::m::{self as renamed, Kind::{self, *}, *} keyword a
        super::m::{self as renamed, Kind::{self, *}, *} keyword a::m::Kind
        super::m::{self as renamed, Kind::{self, *}, *} keyword a::m
        self::deep::{self, S as Other} keyword a::own
        self::deep::{self, S as Other} keyword a::own::deep
        a::own::D keyword a
        a::own::f keyword a::own
        a::own::f keyword a
        a::own::g keyword a
        a::made keyword a [template]
        a::own::deep::S keyword a::own
        a::own::deep::S keyword a
        <a::own::T as Named> keyword a::own
        <a::own::T as Named> keyword a
        a::own::deep::shown keyword a
        a::own::deep keyword a
        ",
    );
}

#[test]
fn every_segment_of_a_path_means_something() {
    check(
        TEXT,
        "
        super::m::{self as renamed, Kind::{self, *}, *} path a::m
        super::m::{self as renamed, Kind::{self, *}, *} use a::m::Kind
        super::m::{self as renamed, Kind::{self, *}, *} use a::m
        self::deep::{self, S as Other} path a::own::deep
        self::deep::{self, S as Other} use a::own::deep::S
        self::deep::{self, S as Other} use a::own::deep
        a::own::D path a::m
        <a::own::T as Named>::name overrides a::Named::name
        a::own::f call a::m::inner
        a::own::f call a::Named::name
        a::own::f call a::own::g
        a::own::f value a::m::Kind::A
        a::own::f type a::m::Kind
        a::own::f bound a::Named
        a::own::f path a::m::Kind
        a::own::f path a::m
        a::own::g macro a::made
        a::made call a::m::inner [template]
        a::made path a::m [template]
        a::own::deep::S type a::own::T
        <a::own::T as Named> type a::own::T
        <a::own::T as Named> bound a::Named
        a::own::deep::shown path a::own
        a path a::m
        ",
    );
}
