//! Every kind of item, as text and as its facts.

use super::*;

#[test]
fn imports_and_crates() {
    check(
        r##"
use std::{fmt, io::{self, Read as R}, collections::*};
pub use ::foo::bar as _;
use crate::{self as me, a::b};
use self::x::{self};
use super::*;
extern crate serde as serde_crate;
#[macro_use]
pub extern crate log;
"##,
        r##"
import std::{fmt, io::{self, Read as R}, collections::*} `use std::{fmt, io::{self, Read as R}, collections::*}`
import ::foo::bar as _ `pub use ::foo::bar as _` vis=pub
import crate::{self as me, a::b} `use crate::{self as me, a::b}`
import self::x::{self} `use self::x::{self}`
import super::* `use super::*`
extern_crate serde_crate `extern crate serde as serde_crate`
extern_crate log `pub extern crate log` vis=pub attrs=#[macro_use]
"##,
    );
}

#[test]
fn structs_and_unions() {
    check(
        r##"
/// A point.
#[derive(Debug , Clone)]
#[cfg(feature="a")]
#[cfg( not( test ) )]
pub(crate) struct Point<'a, T: Clone + 'a = u8, const N: usize = { 1 + 2 }>
where
    T: Into<Vec<u8>>,
{
    /// x of it
    pub x: &'a mut T,
    #[serde(rename = "why")]
    pub(in crate::a) y : Vec<Vec<[u8; N]>>,
    r#type: fn(&str) -> Box<dyn for<'b> Fn(&'b str) -> u8 + Send>, // end
}
pub struct Tup<T>(pub T, pub(crate) (u8, i8), pub (A, B)) where T: Copy;
struct Unit;
union U { a: u32, b: f32 }
"##,
        r##"
struct Point `pub(crate) struct Point<'a, T: Clone + 'a = u8, const N: usize = { 1 + 2 }> where T: Into<Vec<u8>>` vis=pub(crate) cfg=all(feature = "a", not(test)) docs=A point. attrs=#[derive(Debug, Clone)]
  field x `pub x: &'a mut T` vis=pub docs=x of it
  field y `pub(in crate::a) y: Vec<Vec<[u8; N]>>` vis=pub(in crate::a) attrs=#[serde(rename = "why")]
  field type `r#type: fn(&str) -> Box<dyn for<'b> Fn(&'b str) -> u8 + Send>`
struct Tup `pub struct Tup<T>(pub T, pub(crate) (u8, i8), pub (A, B)) where T: Copy` vis=pub
  field 0 `pub T` vis=pub
  field 1 `pub(crate) (u8, i8)` vis=pub(crate)
  field 2 `pub (A, B)` vis=pub
struct Unit `struct Unit`
union U `union U`
  field a `a: u32`
  field b `b: f32`
"##,
    );
}

#[test]
fn enums_and_variants() {
    check(
        r##"
/** Block docs
 * with stars

 *   and more
 */
#[non_exhaustive]
enum E<T> {
    A = 1 << 3,
    #[doc = " A b"]
    B(T, #[cfg(x)] u8),
    C { a: u8, b: Option<T> },
    r#D,
    E = f::<u8, 4>() as isize,
}
"##,
        r##"
enum E `enum E<T>` docs=Block docs⏎with stars⏎⏎  and more attrs=#[non_exhaustive]
  variant A `A = 1 << 3`
  variant B `B(T, u8)` docs=A b
    field 0 `T`
    field 1 `u8` cfg=x
  variant C `C { a: u8, b: Option<T> }`
    field a `a: u8`
    field b `b: Option<T>`
  variant D `r#D`
  variant E `E = f::<u8, 4>() as isize`
"##,
    );
}

#[test]
fn functions_and_what_is_in_them() {
    check(
        r##"
#[doc(hidden)]
pub const fn next<T: Clone, U>(mut self_: &T, (a, b): (u8, u16), n : usize,) -> Option<Result<T, !>> where T: X + ?Sized, U: for<'a> Fn(&'a T) -> U { 
    struct Inner { z: u8 }
    fn deep() { const Q: u8 = { fn dd() {} 1 }; }
    let _ = || { enum X {} };
    match n { 1 => { use a::b; } _ => {} }
    if n == 1 { println!("{}", 1); }
    cfg_rt! { fn in_macro() {} }
    None
}
unsafe extern "C" fn ext(a: *const u8, ...) {}
pub async unsafe fn au() {}
"##,
        r##"
function next `pub const fn next<T: Clone, U>(mut self_: &T, (a, b): (u8, u16), n: usize) -> Option<Result<T, !>> where T: X + ?Sized, U: for<'a> Fn(&'a T) -> U` vis=pub attrs=#[doc(hidden)]
  struct Inner `struct Inner` in_body
    field z `z: u8` in_body
  function deep `fn deep()` in_body
    const Q `const Q: u8` in_body
      function dd `fn dd()` in_body
  enum X `enum X` in_body
  import a::b `use a::b` in_body
  macro_call cfg_rt `cfg_rt!` in_body
    function in_macro `fn in_macro()` in_body
function ext `unsafe extern "C" fn ext(a: *const u8, ...)`
function au `pub async unsafe fn au()` vis=pub
"##,
    );
}

#[test]
fn traits_and_impls() {
    check(
        r##"
pub trait Tr<T = Self>: Sized + 'static where T: X {
    /// doc of K
    const K: usize = 1;
    const L: u8;
    type Out<'a>: Iterator<Item = &'a u8> + ?Sized where Self: 'a;
    fn req(&self, x: u8) -> u8;
    fn prov(self: Box<Self>) where Self: Sized { fn nested() {} }
    fn anon(&'a mut self, _: &[u8]);
    mac! { fn x(); }
}
trait Alias<T> = Foo<T> + Send;
unsafe impl<T: ?Sized, 'a> Tr for &'a mut Point<T, 3> where T: X { const K: usize = 2; type Out<'b> = u8; fn req(&mut self) {} pub(super) default fn z() {} }
impl<T> !Send for a::b::Wrap<T> {}
impl<const N: usize> [u8; N] {}
impl Foo for (A, B) {}
impl ::x::Tr<u8> for (::y::Z<'static>) {}
impl<F> Handler for F where F: FnMut(Result<notify::Event, E>) {}
impl<T> <T as A>::B {}
"##,
        r##"
trait Tr `pub trait Tr<T = Self>: Sized + 'static where T: X` vis=pub
  assoc_const K `const K: usize` docs=doc of K
  assoc_const L `const L: u8`
  assoc_type Out `type Out<'a>: Iterator<Item = &'a u8> + ?Sized where Self: 'a`
  method req `fn req(&self, x: u8) -> u8`
  method prov `fn prov(self: Box<Self>) where Self: Sized`
    function nested `fn nested()` in_body
  method anon `fn anon(&'a mut self, _: &[u8])`
  macro_call mac `mac!`
    method x `fn x()`
trait_alias Alias `trait Alias<T> = Foo<T> + Send`
impl impl Tr for &'a mut Point<T, 3> `unsafe impl<T: ?Sized, 'a> Tr for &'a mut Point<T, 3> where T: X`
  assoc_const K `const K: usize`
  assoc_type Out `type Out<'b> = u8`
  method req `fn req(&mut self)`
  method z `pub(super) default fn z()` vis=pub(super)
impl impl !Send for a::b::Wrap<T> `impl<T> !Send for a::b::Wrap<T>`
impl impl [u8; N] `impl<const N: usize> [u8; N]`
impl impl Foo for (A, B) `impl Foo for (A, B)`
impl impl ::x::Tr<u8> for ::y::Z<'static> `impl ::x::Tr<u8> for (::y::Z<'static>)`
impl impl Handler for F `impl<F> Handler for F where F: FnMut(Result<notify::Event, E>)`
impl impl <T as A>::B `impl<T> <T as A>::B`
"##,
    );
}

#[test]
fn values_aliases_and_foreign_items() {
    check(
        r##"
type Al<T: X> = Vec<T>;
pub static mut S: [u8; 4] = [0; 4];
const _: () = assert!(1 < 2);
const fnp: fn(u8, &mut [u8]) -> &'static mut str = x;
extern "C" { pub fn puts(s: *const c_char, ...) -> c_int; static X: u8; type T; foo! {} }
unsafe extern { safe fn s(); pub safe static Y: u8; }
"##,
        r##"
type_alias Al `type Al<T: X> = Vec<T>`
static S `pub static mut S: [u8; 4]` vis=pub
const _ `const _: ()`
const fnp `const fnp: fn(u8, &mut [u8]) -> &'static mut str`
foreign_mod extern "C" `extern "C"`
  function puts `pub fn puts(s: *const c_char, ...) -> c_int` vis=pub
  static X `static X: u8`
  foreign_type T `type T`
  macro_call foo `foo!`
foreign_mod extern `unsafe extern`
  function s `safe fn s()`
  static Y `pub safe static Y: u8` vis=pub
"##,
    );
}

#[test]
fn modules_and_macro_definitions() {
    check(
        r##"
mod a;
#[path = "b/x.rs"] #[cfg_attr(unix, path = "u.rs")] #[cfg_attr(windows, allow(x), path="w.rs")] #[macro_use] pub mod b;
/// outer
mod c {
    //! inner
    #![allow(x)]
    pub fn f() {}
    pub(self) mod d {}
}
#[macro_export]
macro_rules! mm { ($x:expr) => { fn no() {} }; }
pub macro m2($a:ident) { struct No; }
"##,
        r##"
module a `mod a`
module b `pub mod b` vis=pub attrs=#[path = "b/x.rs"] #[cfg_attr(unix, path = "u.rs")] #[cfg_attr(windows, allow(x), path = "w.rs")] #[macro_use]
module c `mod c` docs=outer⏎inner attrs=#![allow(x)]
  function f `pub fn f()` vis=pub
  module d `pub(self) mod d` vis=pub(self)
macro mm `macro_rules! mm` attrs=#[macro_export]
macro m2 `pub macro m2` vis=pub
"##,
    );
}

#[test]
fn items_in_macro_calls() {
    check(
        r##"
cfg_rt! {
    pub mod rt;
    #[cfg(a)] fn g() {}
}
std::println!("x {}", 1);
cfg_if::cfg_if! {
    if #[cfg(unix)] { mod unix; pub use unix::*; }
    else if #[cfg(windows)] { mod windows; #[cfg(x)] fn w() {} }
    else { fn other() {} }
}
cfg_select! { unix => { fn u() {} } _ => { fn e() {} } }
thread_local! { static A: u8 = const { 1 }; pub static B: Cell<u8> = Cell::new(2) }
thread_local!(static C: u8 = 1);
lazy_static! { /// d
 pub static ref REG: Regex = Regex::new("a").unwrap(); static ref Q: u8 = 1; }
"##,
        r##"
macro_call cfg_rt `cfg_rt!`
  module rt `pub mod rt` vis=pub
  function g `fn g()` cfg=a
macro_call std::println `std::println!`
macro_call cfg_if::cfg_if `cfg_if::cfg_if!`
  module unix `mod unix` cfg=unix
  import unix::* `pub use unix::*` vis=pub cfg=unix
  module windows `mod windows` cfg=all(not(unix), windows)
  function w `fn w()` cfg=all(not(unix), windows, x)
  function other `fn other()` cfg=not(any(unix, windows))
macro_call cfg_select `cfg_select!`
  function u `fn u()` cfg=unix
  function e `fn e()` cfg=not(unix)
macro_call thread_local `thread_local!`
  static A `static A: u8`
  static B `pub static B: Cell<u8>` vis=pub
macro_call thread_local `thread_local!`
  static C `static C: u8`
macro_call lazy_static `lazy_static!`
  static REG `pub static ref REG: Regex` vis=pub docs=d
  static Q `static ref Q: u8`
"##,
    );
}

#[test]
fn items_in_macro_calls_in_macro_calls() {
    check(
        r##"
cfg_rt! { cfg_metrics! { pub fn top() {} } }
impl X { cfg_rt! { cfg_metrics! { pub fn method(&self) {} } } }
print_all! { println!("{}", 1); }
"##,
        r##"
macro_call cfg_rt `cfg_rt!`
  macro_call cfg_metrics `cfg_metrics!`
    function top `pub fn top()` vis=pub
impl impl X `impl X`
  macro_call cfg_rt `cfg_rt!`
    macro_call cfg_metrics `cfg_metrics!`
      method method `pub fn method(&self)` vis=pub
macro_call print_all `print_all!`
"##,
    );
}

#[test]
fn unstable_and_rare_forms() {
    check(
        r##"
const impl Default for X { fn default() -> Self { X } }
impl dyn Fn(u8) -> u8 + Send {}
impl dyn (Fn(u8) -> u8) + Send {}
pub const trait CT { fn x(&self) {} }
impl(crate) trait Restr { fn y(); }
fn no_body();
auto trait At {}
bitflags! { pub struct F: u32 { const A = 1; const B = 2; } }
static X: u8;
fn empty<T>() -> [u8; { 3 }] where [(); 4]: Sized, { [0; 3] }
"##,
        r##"
impl impl Default for X `const impl Default for X`
  method default `fn default() -> Self`
impl impl dyn Fn(u8) -> u8 + Send `impl dyn Fn(u8) -> u8 + Send`
impl impl dyn (Fn(u8) -> u8) + Send `impl dyn (Fn(u8) -> u8) + Send`
trait CT `pub const trait CT` vis=pub
  method x `fn x(&self)`
trait Restr `impl(crate) trait Restr`
  method y `fn y()`
function no_body `fn no_body()`
trait At `auto trait At`
macro_call bitflags `bitflags!`
static X `static X: u8`
function empty `fn empty<T>() -> [u8; { 3 }] where [(); 4]: Sized`
"##,
    );
}

#[test]
fn spacing_of_signatures() {
    check(
        r##"
fn g(f: impl Fn(&u8) -> bool + 'static, p: *mut *const T, x: &&'a mut U, y: &dyn A) -> impl Iterator<Item = (u8,)> + '_ { x }
fn h(_: (), Foo { a, b: &c, .. }: Foo, [x, y @ ..]: [u8; 2], &(ref mut z, _): &(u8, u8), #[cfg(a)] q: u8) -> ! { loop {} }
struct Gen<T>(PhantomData<fn() -> T>, Option<Box<dyn Fn(&str) -> Result<(), Error> + Send + Sync + 'static>>);
impl<'a, T: 'a + Iterator<Item = &'a [u8]>> From<Vec<T>> for X<'a, T> where for<'b> &'b T: Into<u8> {}
fn k() -> <T as Iterator>::Item {}
fn l<const N: usize>(a: [u8; N - 1], b: A<{ N + 1 }>, c: [[f32; 4]; 4], d: Foo<-1>) -> Option<&'static str> {}
type F = extern "C" fn(*mut c_void, ...) -> *const u8;
type G<'a> = &'a (dyn Any + 'a);
const R: std::ops::RangeInclusive<u8> = 1..=2;
struct Wh<T> where T: X, { a: T }
"##,
        r##"
function g `fn g(f: impl Fn(&u8) -> bool + 'static, p: *mut *const T, x: &&'a mut U, y: &dyn A) -> impl Iterator<Item = (u8,)> + '_`
function h `fn h(_: (), Foo { a, b: &c, .. }: Foo, [x, y @ ..]: [u8; 2], &(ref mut z, _): &(u8, u8), q: u8) -> !`
struct Gen `struct Gen<T>(PhantomData<fn() -> T>, Option<Box<dyn Fn(&str) -> Result<(), Error> + Send + Sync + 'static>>)`
  field 0 `PhantomData<fn() -> T>`
  field 1 `Option<Box<dyn Fn(&str) -> Result<(), Error> + Send + Sync + 'static>>`
impl impl From<Vec<T>> for X<'a, T> `impl<'a, T: 'a + Iterator<Item = &'a [u8]>> From<Vec<T>> for X<'a, T> where for<'b> &'b T: Into<u8>`
function k `fn k() -> <T as Iterator>::Item`
function l `fn l<const N: usize>(a: [u8; N - 1], b: A<{ N + 1 }>, c: [[f32; 4]; 4], d: Foo<-1>) -> Option<&'static str>`
type_alias F `type F = extern "C" fn(*mut c_void, ...) -> *const u8`
type_alias G `type G<'a> = &'a (dyn Any + 'a)`
const R `const R: std::ops::RangeInclusive<u8>`
struct Wh `struct Wh<T> where T: X`
  field a `a: T`
"##,
    );
}
