// Declarations of the standard library, as far as inference uses them: types and signatures,
// no bodies. Written from its documentation, and shortened: lifetimes, unsafe and const are left
// out, and so are bounds that tell nothing about types.

pub mod prelude {
    pub use crate::borrow::ToOwned;
    pub use crate::boxed::Box;
    pub use crate::clone::Clone;
    pub use crate::cmp::{Eq, Ord, PartialEq, PartialOrd};
    pub use crate::convert::{AsMut, AsRef, From, Into, TryFrom, TryInto};
    pub use crate::default::Default;
    pub use crate::fmt::Debug;
    pub use crate::hash::Hash;
    pub use crate::iter::{
        DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, IntoIterator, Iterator,
    };
    pub use crate::marker::{Copy, Send, Sized, Sync, Unpin};
    pub use crate::mem::{drop, size_of};
    pub use crate::ops::{Drop, Fn, FnMut, FnOnce};
    pub use crate::option::Option::{self, None, Some};
    pub use crate::result::Result::{self, Err, Ok};
    pub use crate::string::{String, ToString};
    pub use crate::vec::Vec;
}

#[macro_export]
macro_rules! println {
    () => {};
}
#[macro_export]
macro_rules! print {
    () => {};
}
#[macro_export]
macro_rules! eprintln {
    () => {};
}
#[macro_export]
macro_rules! eprint {
    () => {};
}
#[macro_export]
macro_rules! format {
    () => {};
}
#[macro_export]
macro_rules! write {
    () => {};
}
#[macro_export]
macro_rules! writeln {
    () => {};
}
#[macro_export]
macro_rules! panic {
    () => {};
}
#[macro_export]
macro_rules! vec {
    () => {};
}
#[macro_export]
macro_rules! assert {
    () => {};
}
#[macro_export]
macro_rules! assert_eq {
    () => {};
}
#[macro_export]
macro_rules! assert_ne {
    () => {};
}
#[macro_export]
macro_rules! debug_assert {
    () => {};
}
#[macro_export]
macro_rules! debug_assert_eq {
    () => {};
}
#[macro_export]
macro_rules! debug_assert_ne {
    () => {};
}
#[macro_export]
macro_rules! matches {
    () => {};
}
#[macro_export]
macro_rules! unreachable {
    () => {};
}
#[macro_export]
macro_rules! todo {
    () => {};
}
#[macro_export]
macro_rules! unimplemented {
    () => {};
}
#[macro_export]
macro_rules! dbg {
    () => {};
}
#[macro_export]
macro_rules! env {
    () => {};
}
#[macro_export]
macro_rules! option_env {
    () => {};
}
#[macro_export]
macro_rules! concat {
    () => {};
}
#[macro_export]
macro_rules! stringify {
    () => {};
}
#[macro_export]
macro_rules! line {
    () => {};
}
#[macro_export]
macro_rules! column {
    () => {};
}
#[macro_export]
macro_rules! file {
    () => {};
}
#[macro_export]
macro_rules! module_path {
    () => {};
}
#[macro_export]
macro_rules! include_str {
    () => {};
}
#[macro_export]
macro_rules! include_bytes {
    () => {};
}
#[macro_export]
macro_rules! include {
    () => {};
}
#[macro_export]
macro_rules! cfg {
    () => {};
}
#[macro_export]
macro_rules! format_args {
    () => {};
}
#[macro_export]
macro_rules! thread_local {
    () => {};
}
#[macro_export]
macro_rules! compile_error {
    () => {};
}
#[macro_export]
macro_rules! is_x86_feature_detected {
    () => {};
}

pub mod ops {
    pub trait Deref {
        type Target;
        fn deref(&self) -> &Self::Target;
    }
    pub trait DerefMut: Deref {
        fn deref_mut(&mut self) -> &mut Self::Target;
    }
    pub trait Drop {
        fn drop(&mut self);
    }
    pub trait Fn<A> {
        type Output;
    }
    pub trait FnMut<A> {
        type Output;
    }
    pub trait FnOnce<A> {
        type Output;
    }
    pub trait Index<I> {
        type Output;
        fn index(&self, index: I) -> &Self::Output;
    }
    pub trait IndexMut<I>: Index<I> {
        fn index_mut(&mut self, index: I) -> &mut Self::Output;
    }
    pub trait Add<R = Self> {
        type Output;
        fn add(self, rhs: R) -> Self::Output;
    }
    pub trait Sub<R = Self> {
        type Output;
        fn sub(self, rhs: R) -> Self::Output;
    }
    pub trait Mul<R = Self> {
        type Output;
        fn mul(self, rhs: R) -> Self::Output;
    }
    pub trait Div<R = Self> {
        type Output;
        fn div(self, rhs: R) -> Self::Output;
    }
    pub trait Rem<R = Self> {
        type Output;
        fn rem(self, rhs: R) -> Self::Output;
    }
    pub trait BitAnd<R = Self> {
        type Output;
        fn bitand(self, rhs: R) -> Self::Output;
    }
    pub trait BitOr<R = Self> {
        type Output;
        fn bitor(self, rhs: R) -> Self::Output;
    }
    pub trait BitXor<R = Self> {
        type Output;
        fn bitxor(self, rhs: R) -> Self::Output;
    }
    pub trait Shl<R = Self> {
        type Output;
        fn shl(self, rhs: R) -> Self::Output;
    }
    pub trait Shr<R = Self> {
        type Output;
        fn shr(self, rhs: R) -> Self::Output;
    }
    pub trait Neg {
        type Output;
        fn neg(self) -> Self::Output;
    }
    pub trait Not {
        type Output;
        fn not(self) -> Self::Output;
    }
    pub trait AddAssign<R = Self> {
        fn add_assign(&mut self, rhs: R);
    }
    pub trait SubAssign<R = Self> {
        fn sub_assign(&mut self, rhs: R);
    }
    pub trait BitOrAssign<R = Self> {
        fn bitor_assign(&mut self, rhs: R);
    }
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Range<T> {
        pub start: T,
        pub end: T,
    }
    impl<T> Range<T> {
        pub fn contains(&self, item: &T) -> bool;
        pub fn is_empty(&self) -> bool;
        pub fn start(&self) -> &T;
        pub fn end(&self) -> &T;
        pub fn into_inner(self) -> (T, T);
        pub fn new(start: T, end: T) -> Self;
    }
    impl<T> Iterator for Range<T> {
        type Item = T;
    }
    impl<T> DoubleEndedIterator for Range<T> {}
    impl<T> ExactSizeIterator for Range<T> {}
    pub type RangeInclusive<T> = Range<T>;
    pub type RangeFrom<T> = Range<T>;
    pub type RangeTo<T> = Range<T>;
    pub trait RangeBounds<T> {
        fn start_bound(&self) -> Bound<&T>;
        fn end_bound(&self) -> Bound<&T>;
        fn contains(&self, item: &T) -> bool;
    }
    pub enum Bound<T> {
        Included(T),
        Excluded(T),
        Unbounded,
    }
    pub enum ControlFlow<B, C = ()> {
        Continue(C),
        Break(B),
    }
}
pub mod marker {
    pub trait Copy: Clone {}
    pub trait Send {}
    pub trait Sized {}
    pub trait Sync {}
    pub trait Unpin {}
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct PhantomData<T>;
    pub struct PhantomPinned;
}
pub mod clone {
    pub trait Clone {
        fn clone(&self) -> Self;
        fn clone_from(&mut self, source: &Self);
    }
}
pub mod default {
    pub trait Default {
        fn default() -> Self;
    }
}
pub mod cmp {
    pub trait PartialEq<R = Self> {
        fn eq(&self, other: &R) -> bool;
        fn ne(&self, other: &R) -> bool;
    }
    pub trait Eq: PartialEq {}
    pub trait PartialOrd<R = Self>: PartialEq<R> {
        fn partial_cmp(&self, other: &R) -> Option<Ordering>;
        fn lt(&self, other: &R) -> bool;
        fn le(&self, other: &R) -> bool;
        fn gt(&self, other: &R) -> bool;
        fn ge(&self, other: &R) -> bool;
    }
    pub trait Ord: Eq + PartialOrd {
        fn cmp(&self, other: &Self) -> Ordering;
        fn max(self, other: Self) -> Self;
        fn min(self, other: Self) -> Self;
        fn clamp(self, min: Self, max: Self) -> Self;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Ordering {
        Less,
        Equal,
        Greater,
    }
    impl Ordering {
        pub fn is_eq(self) -> bool;
        pub fn is_ne(self) -> bool;
        pub fn is_lt(self) -> bool;
        pub fn is_gt(self) -> bool;
        pub fn is_le(self) -> bool;
        pub fn is_ge(self) -> bool;
        pub fn reverse(self) -> Ordering;
        pub fn then(self, other: Ordering) -> Ordering;
        pub fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Reverse<T>(pub T);
    pub fn max<T>(a: T, b: T) -> T;
    pub fn min<T>(a: T, b: T) -> T;
}
pub mod convert {
    pub trait From<T> {
        fn from(value: T) -> Self;
    }
    pub trait Into<T> {
        fn into(self) -> T;
    }
    pub trait TryFrom<T> {
        type Error;
        fn try_from(value: T) -> Result<Self, Self::Error>;
    }
    pub trait TryInto<T> {
        type Error;
        fn try_into(self) -> Result<T, Self::Error>;
    }
    pub trait AsRef<T> {
        fn as_ref(&self) -> &T;
    }
    pub trait AsMut<T> {
        fn as_mut(&mut self) -> &mut T;
    }
    impl<T, U: From<T>> Into<U> for T {}
    impl<T, U: TryFrom<T>> TryInto<U> for T {
        type Error = U::Error;
    }
    pub enum Infallible {}
}
pub mod borrow {
    pub trait Borrow<T> {
        fn borrow(&self) -> &T;
    }
    pub trait BorrowMut<T> {
        fn borrow_mut(&mut self) -> &mut T;
    }
    pub trait ToOwned {
        type Owned;
        fn to_owned(&self) -> Self::Owned;
    }
    impl ToOwned for str {
        type Owned = String;
    }
    impl<T> ToOwned for [T] {
        type Owned = Vec<T>;
    }
    impl ToOwned for crate::path::Path {
        type Owned = crate::path::PathBuf;
    }
    impl ToOwned for crate::ffi::OsStr {
        type Owned = crate::ffi::OsString;
    }
    impl<T: Clone> ToOwned for T {
        type Owned = T;
    }
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Cow<B> {
        Borrowed(&B),
        Owned(<B as ToOwned>::Owned),
    }
    impl<B: ToOwned> Cow<B> {
        pub fn into_owned(self) -> <B as ToOwned>::Owned;
        pub fn to_mut(&mut self) -> &mut <B as ToOwned>::Owned;
        pub fn is_borrowed(&self) -> bool;
        pub fn is_owned(&self) -> bool;
    }
    impl<B> crate::ops::Deref for Cow<B> {
        type Target = B;
    }
    impl<B> AsRef<B> for Cow<B> {}
    impl<B> crate::fmt::Display for Cow<B> {}
}
pub mod fmt {
    pub trait Debug {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Display {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Write {
        fn write_str(&mut self, s: &str) -> Result;
        fn write_char(&mut self, c: char) -> Result;
        fn write_fmt(&mut self, args: Arguments) -> Result;
    }
    pub trait LowerHex {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait UpperHex {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub trait Pointer {
        fn fmt(&self, f: &mut Formatter) -> Result;
    }
    pub type Result = crate::result::Result<(), Error>;
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Error;
    impl Display for Error {}
    #[derive(Clone, Copy, Debug)]
    pub struct Arguments;
    pub struct Formatter;
    impl Formatter {
        pub fn write_str(&mut self, s: &str) -> Result;
        pub fn write_fmt(&mut self, args: Arguments) -> Result;
        pub fn pad(&mut self, s: &str) -> Result;
        pub fn alternate(&self) -> bool;
        pub fn width(&self) -> Option<usize>;
        pub fn precision(&self) -> Option<usize>;
        pub fn fill(&self) -> char;
        pub fn debug_struct(&mut self, name: &str) -> DebugStruct;
        pub fn debug_tuple(&mut self, name: &str) -> DebugTuple;
        pub fn debug_list(&mut self) -> DebugList;
        pub fn debug_map(&mut self) -> DebugMap;
        pub fn debug_set(&mut self) -> DebugSet;
        pub fn sign_plus(&self) -> bool;
    }
    impl Write for Formatter {}
    pub struct DebugStruct;
    pub struct DebugTuple;
    pub struct DebugList;
    pub struct DebugMap;
    pub struct DebugSet;
    impl DebugStruct {
        pub fn field(&mut self, name: &str, value: &dyn Debug) -> &mut DebugStruct;
        pub fn finish(&mut self) -> Result;
        pub fn finish_non_exhaustive(&mut self) -> Result;
    }
    impl DebugTuple {
        pub fn field(&mut self, value: &dyn Debug) -> &mut DebugTuple;
        pub fn finish(&mut self) -> Result;
    }
    impl DebugList {
        pub fn entry(&mut self, value: &dyn Debug) -> &mut DebugList;
        pub fn entries<I>(&mut self, entries: I) -> &mut DebugList;
        pub fn finish(&mut self) -> Result;
    }
    impl DebugMap {
        pub fn entry(&mut self, key: &dyn Debug, value: &dyn Debug) -> &mut DebugMap;
        pub fn entries<I>(&mut self, entries: I) -> &mut DebugMap;
        pub fn finish(&mut self) -> Result;
    }
    impl DebugSet {
        pub fn entry(&mut self, value: &dyn Debug) -> &mut DebugSet;
        pub fn entries<I>(&mut self, entries: I) -> &mut DebugSet;
        pub fn finish(&mut self) -> Result;
    }
    pub fn format(args: Arguments) -> String;
}
pub mod hash {
    pub trait Hash {
        fn hash<H: Hasher>(&self, state: &mut H);
    }
    pub trait Hasher {
        fn finish(&self) -> u64;
        fn write(&mut self, bytes: &[u8]);
        fn write_u8(&mut self, i: u8);
        fn write_u32(&mut self, i: u32);
        fn write_u64(&mut self, i: u64);
        fn write_usize(&mut self, i: usize);
    }
    pub trait BuildHasher {
        type Hasher: Hasher;
        fn build_hasher(&self) -> Self::Hasher;
        fn hash_one<T>(&self, x: T) -> u64;
    }
    #[derive(Clone, Debug, Default)]
    pub struct DefaultHasher;
    impl DefaultHasher {
        pub fn new() -> Self;
    }
    impl Hasher for DefaultHasher {}
    #[derive(Clone, Debug, Default)]
    pub struct RandomState;
    #[derive(Clone, Debug, Default)]
    pub struct BuildHasherDefault<H>;
}
