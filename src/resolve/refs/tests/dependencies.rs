//! Crates outside of the workspace of which the sources are known.

use super::*;

const MEMMEM: &str = "
    //- dep/lib.rs
    pub mod memmem;
    pub use memmem::Finder as Search;
    pub fn start() -> memmem::Finder { loop {} }
    //- dep/memmem.rs
    pub struct Finder { pub needle: Needle }
    pub struct Needle;
    impl Finder {
        pub fn new(needle: &str) -> Finder { loop {} }
        pub fn find(&self, text: &str) -> Option<usize> { None }
        pub fn as_ref(&self) -> Needle { loop {} }
    }
    impl std::ops::Deref for Finder { type Target = Needle; fn deref(&self) -> &Needle { loop {} } }
    impl Needle { pub fn len(&self) -> usize { 0 } }
";

/// References of `a::f`, whose body this is.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    let text = format!("//- a/lib.rs\npub fn f() {{ {body} }}\n{MEMMEM}");
    let mut lines = Workspace::parse(&text).lines();
    lines.retain(|line| line.starts_with("a::f "));
    compare(lines, expected);
}

#[test]
fn methods_of_what_a_dependency_returns() {
    check_body(
        "dep::start().find(\"x\");",
        "a::f path extern dep
         a::f call extern dep::start
         a::f method_call extern dep::memmem::Finder::find",
    );
}

#[test]
fn a_reexport_is_named_by_the_item_that_it_means() {
    check_body(
        "dep::Search::new(\"x\").find(\"y\");",
        "a::f call extern dep::memmem::Finder::new
         a::f method_call extern dep::memmem::Finder::find
         a::f path extern dep
         a::f path extern dep::memmem::Finder",
    );
}

#[test]
fn deref_of_a_dependency_is_followed() {
    check_body(
        "dep::start().len();",
        "a::f path extern dep
         a::f call extern dep::start
         a::f method_call extern dep::memmem::Needle::len",
    );
}

#[test]
fn an_own_trait_on_a_type_of_a_dependency() {
    let text = format!(
        "//- a/lib.rs
        pub trait Twice {{ fn twice(&self); }}
        impl Twice for dep::memmem::Finder {{ fn twice(&self) {{}} }}
        pub fn f() {{ dep::start().twice(); }}
        {MEMMEM}"
    );
    check_source(
        "a::f",
        &text,
        "a::f path extern dep
         a::f call extern dep::start
         a::f method_call <Finder as Twice>::twice",
    );
}

#[test]
fn names_that_only_a_dependency_has_are_no_guess() {
    // The receiver is unknown: a method of this name in a dependency proves nothing.
    check_body(
        "let x = unknown(); x.find(\"x\");",
        "a::f call ? unknown\na::f method_call ? .find",
    );
}

#[test]
fn the_shortest_public_path_with_the_own_name_is_the_one_that_is_told() {
    let text = "
        //- dep/lib.rs
        mod imp { pub struct Hidden; impl Hidden { pub fn go(&self) {} } }
        pub mod long { pub mod way { pub use crate::imp::Hidden; } }
        pub use imp::Hidden as Alias;
        pub fn hidden() -> Alias { loop {} }
        //- a/lib.rs
        pub fn f() { dep::hidden().go(); }
    ";
    check_source(
        "a::f",
        text,
        "a::f path extern dep
         a::f call extern dep::hidden
         a::f method_call extern dep::long::way::Hidden::go",
    );
}

#[test]
fn what_another_dependency_defines_is_followed() {
    let text = "
        //- dep/lib.rs
        pub use dep_core::Thing;
        pub use dep_core::de::*;
        pub fn thing() -> Thing { loop {} }
        //- dep_core/lib.rs
        pub struct Thing;
        impl Thing { pub fn go(&self) -> de::Other { loop {} } }
        pub mod de { pub struct Other; impl Other { pub fn stop(&self) {} } }
        //- a/lib.rs
        pub fn f(o: dep::Other) { dep::thing().go().stop(); o.stop(); }
    ";
    check_source(
        "a::f",
        text,
        "a::f path extern dep
         a::f call extern dep::thing
         a::f type extern dep::Other
         a::f method_call extern dep::Thing::go
         a::f method_call extern dep::Other::stop",
    );
}

#[test]
fn traits_of_dependencies_count_where_they_are_in_scope() {
    let text = "
        //- dep/lib.rs
        pub trait Ext: Iterator { fn twice(self) -> Twice where Self: Sized { loop {} } }
        impl<I: Iterator> Ext for I {}
        pub struct Twice;
        impl Twice { pub fn go(&self) {} }
        pub mod prelude { pub use crate::Ext as _; pub use crate::Ext; }
        //- a/lib.rs
        pub mod with { use dep::Ext; pub fn f(v: Vec<u8>) { v.into_iter().twice().go(); } }
        pub mod glob { use dep::prelude::*; pub fn f(v: Vec<u8>) { v.into_iter().twice().go(); } }
        pub mod without { pub fn f(v: Vec<u8>) { v.into_iter().twice(); } }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.contains(" method_call ") && !line.contains("into_iter"));
    compare(
        lines,
        "a::with::f method_call extern dep::Ext::twice
         a::with::f method_call extern dep::Twice::go
         a::glob::f method_call extern dep::Ext::twice
         a::glob::f method_call extern dep::Twice::go
         a::without::f method_call ? .twice",
    );
}

#[test]
fn what_macros_of_a_dependency_leave_out_is_not_there() {
    let text = "
        //- dep/lib.rs
        macro_rules! cfg_rt { ($($item:item)*) => { $( #[cfg(feature = \"rt\")] $item )* } }
        macro_rules! cfg_not_rt { ($($item:item)*) => { $( #[cfg(not(feature = \"rt\"))] $item )* } }
        pub mod on { pub fn start() {} }
        pub mod off { pub fn start_not() {} }
        cfg_rt! { pub use on::start; }
        cfg_not_rt! { pub use off::start_not as start; pub fn missing() {} }
        //- a/lib.rs
        pub fn f() { dep::start(); dep::missing(); }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.contains(" call "));
    compare(lines, "a::f call extern dep::start\na::f call extern dep::missing");
}

/// The prelude has no `Write`: without an import, another trait is meant.
#[test]
fn a_trait_that_is_brought_comes_before_others_of_the_standard_library() {
    let text = "
        //- a/lib.rs
        pub trait Put { fn write(&mut self, x: u8); }
        impl<T: AsRef<[u8]>> Put for T { fn write(&mut self, x: u8) {} }
        pub mod own { use crate::Put; pub fn f(to: &mut Vec<u8>) { to.write(1); } }
        pub mod std_one { use std::io::Write; pub fn f(to: &mut Vec<u8>) { to.write(b\"\"); } }
        pub mod none { pub fn f(to: &mut Vec<u8>) { to.write(b\"\"); } }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.contains(" method_call "));
    compare(
        lines,
        "a::own::f method_call <T as Put>::write [bound]
         a::std_one::f method_call extern std::io::Write::write [bound]
         a::none::f method_call extern std::io::Write::write [bound]",
    );
}

#[test]
fn a_macro_of_a_dependency_does_not_hide_a_primitive_type() {
    let text = "
        //- dep/lib.rs
        #[macro_export] macro_rules! str { () => { 1 } }
        //- a/lib.rs
        mod prelude { pub use dep::str; }
        use prelude::*;
        pub fn f(x: &str) -> usize { x.len() + str!() }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.starts_with("a::f "));
    compare(
        lines,
        "a::f method_call extern str::len
         a::f macro extern dep::str",
    );
}

#[test]
fn a_function_of_a_trait_that_is_brought_comes_before_those_of_others() {
    let text = "
        //- dep/lib.rs
        pub mod private { pub trait Make { type To; fn from(self) -> Self::To; }
            impl Make for u64 { type To = u8; fn from(self) -> u8 { 0 } } }
        //- a/lib.rs
        pub fn f(x: u32) -> u64 { u64::from(x) }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.contains(" call "));
    compare(lines, "a::f call extern std::convert::From::from");
}

#[test]
fn values_of_the_workspace_go_through_types_of_dependencies() {
    let text = "
        //- dep/lib.rs
        pub type Result<T, E = Error> = core::result::Result<T, E>;
        pub struct Error;
        pub struct Mutex<T: ?Sized> { inner: T }
        pub struct Guard<'a, T: ?Sized> { mutex: &'a Mutex<T> }
        impl<T> Mutex<T> { pub fn new(inner: T) -> Mutex<T> { loop {} } }
        impl<T: ?Sized> Mutex<T> { pub fn lock(&self) -> Guard<'_, T> { loop {} } }
        impl<'a, T: ?Sized> std::ops::Deref for Guard<'a, T> {
            type Target = T;
            fn deref(&self) -> &T { loop {} }
        }
        pub trait Context<T> { fn context(self, text: &str) -> Result<T>; }
        impl<T, E> Context<T> for std::result::Result<T, E> {
            fn context(self, text: &str) -> Result<T> { loop {} }
        }
        //- a/lib.rs
        use dep::Context;
        pub struct State;
        impl State { pub fn go(&self) {} pub fn next(&self) -> dep::Result<State> { loop {} } }
        pub fn f(state: &dep::Mutex<State>) -> dep::Result<()> {
            state.lock().go();
            state.lock().next()?.go();
            state.lock().next().context(\"x\")?.go();
            dep::Mutex::new(State).lock().go();
            Ok(())
        }
    "
    .replace("\\\"", "\"");
    let mut lines = Workspace::parse(&text).lines();
    lines.retain(|line| line.starts_with("a::f method_call "));
    compare(
        lines,
        "a::f method_call extern dep::Mutex::lock
         a::f method_call extern dep::Context::context
         a::f method_call a::State::go
         a::f method_call a::State::next",
    );
}

#[test]
fn crates_that_lead_to_one_another_end() {
    let text = "
        //- dep/lib.rs
        pub use dep_b::Loop;
        pub use dep_b::*;
        //- dep_b/lib.rs
        pub use dep::Loop;
        pub use dep::*;
        //- a/lib.rs
        use dep::Missing;
        pub fn f(l: dep::Loop) { l.go(); Missing::new(); }
    ";
    check_source(
        "a::f",
        text,
        "a::f path extern dep
         a::f type extern dep::Loop
         a::f method_call extern dep::Loop::go
         a::f path extern dep::Missing
         a::f call extern dep::Missing::new",
    );
}

#[test]
fn derives_of_dependencies_name_the_trait() {
    let text = "
        //- dep/lib.rs
        pub use dep_core::ser::Ser;
        pub use dep_macros::Ser;
        pub use dep_macros::Only;
        //- dep_core/lib.rs
        pub mod ser { pub trait Ser { fn ser(&self) -> Out; } pub struct Out; impl Out { pub fn go(&self) {} } }
        //- dep_macros/lib.rs
        #[proc_macro_derive(Ser)] pub fn derive_ser(input: u8) -> u8 { helper() }
        #[proc_macro_derive(Only)] pub fn derive_only(input: u8) -> u8 { helper() }
        pub fn helper() -> u8 { 0 }
        //- a/lib.rs
        use dep::Ser;
        #[derive(Ser, dep::Only)] pub struct Data;
        pub fn f(data: &Data) { data.ser().go(); }
    ";
    check(
        text,
        "dep::Ser path extern dep
         dep::Ser use extern dep::Ser
         dep::Ser use extern dep_macros::Ser
         a::Data attribute extern dep::Ser
         a::Data path extern dep
         a::Data attribute extern dep::Only
         a::f type a::Data
         a::f method_call extern dep::Ser::ser
         a::f method_call extern dep_core::ser::Out::go",
    );
}

#[test]
fn a_trait_and_a_derive_of_one_name_from_two_crates() {
    let text = "
        //- dep/lib.rs
        pub use dep_macros::*;
        //- dep_macros/lib.rs
        #[proc_macro_derive(Display)] pub fn display(input: u8) -> u8 { 0 }
        //- a/lib.rs
        use {dep::Display, std::fmt::{self, Display}};
        mod inner;
        pub struct Data;
        //- a/inner.rs
        use super::*;
        #[derive(Display)] pub struct Own;
        fn f(data: &Data, to: &mut fmt::Formatter<'_>) { Display::fmt(data, to); }
    ";
    check_source(
        "a::inner::f",
        text,
        "a::inner::f type a::Data
         a::inner::f path extern std::fmt
         a::inner::f type extern std::fmt::Formatter
         a::inner::f path extern std::fmt::Display
         a::inner::f call extern std::fmt::Display::fmt",
    );
    check_source("a::inner::Own", text, "a::inner::Own attribute extern dep_macros::Display");
}

#[test]
fn what_macros_of_a_dependency_make() {
    let text = "
        //- dep/lib.rs
        macro_rules! codes {
            ($( $(#[$docs:meta])* ($num:expr, $name:ident); )+) => {
                impl Code { $( $(#[$docs])* pub const $name: Code = Code($num); )+ }
            };
        }
        pub struct Code(u16);
        impl Code { pub fn go(&self) {} }
        codes! {
            /// Fine.
            (200, OK);
            (404, NOT_FOUND);
        }
        macro_rules! getter { ($name:ident) => { pub fn $name(&self) -> Code { Code::OK } }; }
        pub struct Answer;
        impl Answer { getter!(code); }
        macro_rules! kinds { ($($name:ident),*) => { $( pub struct $name { pub code: Code } )* }; }
        kinds!(First, Second);
        //- a/lib.rs
        pub fn f(answer: &dep::Answer, second: dep::Second) {
            dep::Code::OK.go(); answer.code().go(); second.code.go();
        }
    ";
    check_source(
        "a::f",
        text,
        "a::f path extern dep
         a::f type extern dep::Answer
         a::f type extern dep::Second
         a::f path extern dep::Code
         a::f value extern dep::Code::OK
         a::f method_call extern dep::Code::go
         a::f method_call extern dep::Answer::code
         a::f field extern dep::Second::code",
    );
}

#[test]
fn the_value_of_a_call_of_a_dependencys_macro() {
    let text = "
        //- a/lib.rs
        use dep::arg;
        pub fn f() { let a = arg!(-x -y); a.long().short(); dep::private!().long(); }
        //- dep/lib.rs
        pub struct Arg;
        impl Arg {
            pub fn new() -> Self { Arg }
            pub fn short(self) -> Self { self }
            pub fn long(self) -> Self { self }
        }
        #[doc(hidden)]
        pub mod hidden { pub fn make() -> crate::Arg { crate::Arg } }
        #[macro_export]
        macro_rules! arg {
            (@ $a:expr;) => { $a };
            (@ $a:expr; -$c:ident $($t:tt)*) => { $crate::arg!(@ $a.short(); $($t)*) };
            ($($t:tt)*) => {{ let arg = $crate::hidden::make(); $crate::arg!(@ arg; $($t)*) }};
        }
        macro_rules! private { () => { $crate::Arg }; }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.starts_with("a::f method_call"));
    let named: Vec<_> = lines.iter().map(|line| line.as_str()).collect();
    assert_eq!(
        named,
        [
            "a::f method_call extern dep::Arg::long [expanded]",
            "a::f method_call extern dep::Arg::short [expanded]",
            "a::f method_call ? .long [unresolved]",
        ]
    );
}

#[test]
fn a_derive_that_a_crate_exports_beside_its_trait_implements_it() {
    let text = "
        //- a/lib.rs
        use dep::{Factory, Parser};
        #[derive(Parser)]
        pub struct Opt;
        pub fn f() { Opt::parse_it().again(); Opt::command(); let o: Opt = dep::Parser::parse_it(); o.again(); }
        pub mod by_path {
            #[derive(dep::Parser)]
            pub struct Other;
            pub fn f() { use dep::Parser as _; Other::parse_it().again(); }
        }
        //- dep/lib.rs
        pub use dep_core::*;
        pub use dep_macros::Parser;
        //- dep_core/lib.rs
        pub trait Factory { fn command() -> u8 { 1 } }
        pub trait Parser: Factory + Sized { fn parse_it() -> Self { loop {} } fn again(&self) {} }
        //- dep_macros/lib.rs
        #[proc_macro_derive(Parser)]
        pub fn parser(x: u8) -> u8 { x }
    ";
    let mut lines = Workspace::parse(text).lines();
    lines.retain(|line| line.contains("call"));
    compare(
        lines,
        "
        a::by_path::f call extern dep::Parser::parse_it
        a::by_path::f method_call extern dep::Parser::again
        a::f call extern dep::Factory::command
        a::f call extern dep::Parser::parse_it
        a::f method_call extern dep::Parser::again",
    );
}

#[test]
fn known_macros_are_known_under_other_names() {
    check_source(
        "a::f",
        "
        //- dep_as_strum/lib.rs
        pub trait IntoEnumIterator: Sized { type Iterator; fn iter() -> Self::Iterator; }
        //- dep_as_strum_macros/lib.rs
        #[proc_macro_derive(EnumString)]
        pub fn from_str(input: TokenStream) -> TokenStream { input }
        #[proc_macro_derive(EnumIter)]
        pub fn iter(input: TokenStream) -> TokenStream { input }
        //- a/lib.rs
        use dep_as_strum_macros::EnumString;
        use std::str::FromStr;
        #[derive(EnumString, dep_as_strum_macros::EnumIter)]
        pub struct A;
        impl A { fn m(&self) {} }
        fn f() {
            A::from_str(\"\").unwrap().m();
            A::iter();
        }
        ",
        "
        a::f path a::A
        a::f call extern std::str::FromStr::from_str [bound]
        a::f method_call extern std::result::Result::unwrap [member]
        a::f method_call a::A::m [member]
        a::f call extern dep_as_strum::IntoEnumIterator::iter [bound]
        ",
    );
}
