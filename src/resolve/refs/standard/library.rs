// Declarations of the standard library, as far as inference uses them: types and signatures,
// no bodies. Written from its documentation, and shortened: lifetimes, unsafe and const are left
// out, and so are bounds that tell nothing about types.

pub mod prelude {
    pub use crate::option::Option::{self, Some, None};
    pub use crate::result::Result::{self, Ok, Err};
    pub use crate::vec::Vec;
    pub use crate::string::{String, ToString};
    pub use crate::boxed::Box;
    pub use crate::clone::Clone;
    pub use crate::marker::{Copy, Send, Sized, Sync, Unpin};
    pub use crate::cmp::{Eq, Ord, PartialEq, PartialOrd};
    pub use crate::convert::{AsMut, AsRef, From, Into, TryFrom, TryInto};
    pub use crate::default::Default;
    pub use crate::iter::{DoubleEndedIterator, ExactSizeIterator, Extend, FromIterator, IntoIterator, Iterator};
    pub use crate::ops::{Drop, Fn, FnMut, FnOnce};
    pub use crate::borrow::ToOwned;
    pub use crate::fmt::Debug;
    pub use crate::hash::Hash;
    pub use crate::mem::{drop, size_of};
}

#[macro_export] macro_rules! println { () => {} }
#[macro_export] macro_rules! print { () => {} }
#[macro_export] macro_rules! eprintln { () => {} }
#[macro_export] macro_rules! eprint { () => {} }
#[macro_export] macro_rules! format { () => {} }
#[macro_export] macro_rules! write { () => {} }
#[macro_export] macro_rules! writeln { () => {} }
#[macro_export] macro_rules! panic { () => {} }
#[macro_export] macro_rules! vec { () => {} }
#[macro_export] macro_rules! assert { () => {} }
#[macro_export] macro_rules! assert_eq { () => {} }
#[macro_export] macro_rules! assert_ne { () => {} }
#[macro_export] macro_rules! debug_assert { () => {} }
#[macro_export] macro_rules! debug_assert_eq { () => {} }
#[macro_export] macro_rules! debug_assert_ne { () => {} }
#[macro_export] macro_rules! matches { () => {} }
#[macro_export] macro_rules! unreachable { () => {} }
#[macro_export] macro_rules! todo { () => {} }
#[macro_export] macro_rules! unimplemented { () => {} }
#[macro_export] macro_rules! dbg { () => {} }
#[macro_export] macro_rules! env { () => {} }
#[macro_export] macro_rules! option_env { () => {} }
#[macro_export] macro_rules! concat { () => {} }
#[macro_export] macro_rules! stringify { () => {} }
#[macro_export] macro_rules! line { () => {} }
#[macro_export] macro_rules! column { () => {} }
#[macro_export] macro_rules! file { () => {} }
#[macro_export] macro_rules! module_path { () => {} }
#[macro_export] macro_rules! include_str { () => {} }
#[macro_export] macro_rules! include_bytes { () => {} }
#[macro_export] macro_rules! include { () => {} }
#[macro_export] macro_rules! cfg { () => {} }
#[macro_export] macro_rules! format_args { () => {} }
#[macro_export] macro_rules! thread_local { () => {} }
#[macro_export] macro_rules! compile_error { () => {} }
#[macro_export] macro_rules! is_x86_feature_detected { () => {} }

pub mod ops {
    pub trait Deref { type Target; fn deref(&self) -> &Self::Target; }
    pub trait DerefMut: Deref { fn deref_mut(&mut self) -> &mut Self::Target; }
    pub trait Drop { fn drop(&mut self); }
    pub trait Fn<A> { type Output; }
    pub trait FnMut<A> { type Output; }
    pub trait FnOnce<A> { type Output; }
    pub trait Index<I> { type Output; fn index(&self, index: I) -> &Self::Output; }
    pub trait IndexMut<I>: Index<I> { fn index_mut(&mut self, index: I) -> &mut Self::Output; }
    pub trait Add<R = Self> { type Output; fn add(self, rhs: R) -> Self::Output; }
    pub trait Sub<R = Self> { type Output; fn sub(self, rhs: R) -> Self::Output; }
    pub trait Mul<R = Self> { type Output; fn mul(self, rhs: R) -> Self::Output; }
    pub trait Div<R = Self> { type Output; fn div(self, rhs: R) -> Self::Output; }
    pub trait Rem<R = Self> { type Output; fn rem(self, rhs: R) -> Self::Output; }
    pub trait BitAnd<R = Self> { type Output; fn bitand(self, rhs: R) -> Self::Output; }
    pub trait BitOr<R = Self> { type Output; fn bitor(self, rhs: R) -> Self::Output; }
    pub trait BitXor<R = Self> { type Output; fn bitxor(self, rhs: R) -> Self::Output; }
    pub trait Shl<R = Self> { type Output; fn shl(self, rhs: R) -> Self::Output; }
    pub trait Shr<R = Self> { type Output; fn shr(self, rhs: R) -> Self::Output; }
    pub trait Neg { type Output; fn neg(self) -> Self::Output; }
    pub trait Not { type Output; fn not(self) -> Self::Output; }
    pub trait AddAssign<R = Self> { fn add_assign(&mut self, rhs: R); }
    pub trait SubAssign<R = Self> { fn sub_assign(&mut self, rhs: R); }
    pub trait BitOrAssign<R = Self> { fn bitor_assign(&mut self, rhs: R); }
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Range<T> { pub start: T, pub end: T }
    impl<T> Range<T> {
        pub fn contains(&self, item: &T) -> bool;
        pub fn is_empty(&self) -> bool;
        pub fn start(&self) -> &T;
        pub fn end(&self) -> &T;
        pub fn into_inner(self) -> (T, T);
        pub fn new(start: T, end: T) -> Self;
    }
    impl<T> Iterator for Range<T> { type Item = T; }
    impl<T> DoubleEndedIterator for Range<T> {}
    impl<T> ExactSizeIterator for Range<T> {}
    pub type RangeInclusive<T> = Range<T>;
    pub type RangeFrom<T> = Range<T>;
    pub type RangeTo<T> = Range<T>;
    pub trait RangeBounds<T> { fn start_bound(&self) -> Bound<&T>; fn end_bound(&self) -> Bound<&T>; fn contains(&self, item: &T) -> bool; }
    pub enum Bound<T> { Included(T), Excluded(T), Unbounded }
    pub enum ControlFlow<B, C = ()> { Continue(C), Break(B) }
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
pub mod clone { pub trait Clone { fn clone(&self) -> Self; fn clone_from(&mut self, source: &Self); } }
pub mod default { pub trait Default { fn default() -> Self; } }
pub mod cmp {
    pub trait PartialEq<R = Self> { fn eq(&self, other: &R) -> bool; fn ne(&self, other: &R) -> bool; }
    pub trait Eq: PartialEq {}
    pub trait PartialOrd<R = Self>: PartialEq<R> {
        fn partial_cmp(&self, other: &R) -> Option<Ordering>;
        fn lt(&self, other: &R) -> bool; fn le(&self, other: &R) -> bool;
        fn gt(&self, other: &R) -> bool; fn ge(&self, other: &R) -> bool;
    }
    pub trait Ord: Eq + PartialOrd {
        fn cmp(&self, other: &Self) -> Ordering;
        fn max(self, other: Self) -> Self; fn min(self, other: Self) -> Self;
        fn clamp(self, min: Self, max: Self) -> Self;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Ordering { Less, Equal, Greater }
    impl Ordering {
        pub fn is_eq(self) -> bool; pub fn is_ne(self) -> bool; pub fn is_lt(self) -> bool;
        pub fn is_gt(self) -> bool; pub fn is_le(self) -> bool; pub fn is_ge(self) -> bool;
        pub fn reverse(self) -> Ordering; pub fn then(self, other: Ordering) -> Ordering;
        pub fn then_with<F: FnOnce() -> Ordering>(self, f: F) -> Ordering;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Reverse<T>(pub T);
    pub fn max<T>(a: T, b: T) -> T;
    pub fn min<T>(a: T, b: T) -> T;
}
pub mod convert {
    pub trait From<T> { fn from(value: T) -> Self; }
    pub trait Into<T> { fn into(self) -> T; }
    pub trait TryFrom<T> { type Error; fn try_from(value: T) -> Result<Self, Self::Error>; }
    pub trait TryInto<T> { type Error; fn try_into(self) -> Result<T, Self::Error>; }
    pub trait AsRef<T> { fn as_ref(&self) -> &T; }
    pub trait AsMut<T> { fn as_mut(&mut self) -> &mut T; }
    impl<T, U: From<T>> Into<U> for T {}
    impl<T, U: TryFrom<T>> TryInto<U> for T { type Error = U::Error; }
    pub enum Infallible {}
}
pub mod borrow {
    pub trait Borrow<T> { fn borrow(&self) -> &T; }
    pub trait BorrowMut<T> { fn borrow_mut(&mut self) -> &mut T; }
    pub trait ToOwned { type Owned; fn to_owned(&self) -> Self::Owned; }
    impl ToOwned for str { type Owned = String; }
    impl<T> ToOwned for [T] { type Owned = Vec<T>; }
    impl ToOwned for crate::path::Path { type Owned = crate::path::PathBuf; }
    impl ToOwned for crate::ffi::OsStr { type Owned = crate::ffi::OsString; }
    impl<T: Clone> ToOwned for T { type Owned = T; }
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Cow<B> { Borrowed(&B), Owned(<B as ToOwned>::Owned) }
    impl<B: ToOwned> Cow<B> {
        pub fn into_owned(self) -> <B as ToOwned>::Owned;
        pub fn to_mut(&mut self) -> &mut <B as ToOwned>::Owned;
        pub fn is_borrowed(&self) -> bool; pub fn is_owned(&self) -> bool;
    }
    impl<B> crate::ops::Deref for Cow<B> { type Target = B; }
    impl<B> AsRef<B> for Cow<B> {}
    impl<B> crate::fmt::Display for Cow<B> {}
}
pub mod fmt {
    pub trait Debug { fn fmt(&self, f: &mut Formatter) -> Result; }
    pub trait Display { fn fmt(&self, f: &mut Formatter) -> Result; }
    pub trait Write { fn write_str(&mut self, s: &str) -> Result; fn write_char(&mut self, c: char) -> Result; fn write_fmt(&mut self, args: Arguments) -> Result; }
    pub trait LowerHex { fn fmt(&self, f: &mut Formatter) -> Result; }
    pub trait UpperHex { fn fmt(&self, f: &mut Formatter) -> Result; }
    pub trait Pointer { fn fmt(&self, f: &mut Formatter) -> Result; }
    pub type Result = crate::result::Result<(), Error>;
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Error;
    impl Display for Error {}
    #[derive(Clone, Copy, Debug)]
    pub struct Arguments;
    pub struct Formatter;
    impl Formatter {
        pub fn write_str(&mut self, s: &str) -> Result; pub fn write_fmt(&mut self, args: Arguments) -> Result;
        pub fn pad(&mut self, s: &str) -> Result; pub fn alternate(&self) -> bool;
        pub fn width(&self) -> Option<usize>; pub fn precision(&self) -> Option<usize>; pub fn fill(&self) -> char;
        pub fn debug_struct(&mut self, name: &str) -> DebugStruct; pub fn debug_tuple(&mut self, name: &str) -> DebugTuple;
        pub fn debug_list(&mut self) -> DebugList; pub fn debug_map(&mut self) -> DebugMap; pub fn debug_set(&mut self) -> DebugSet;
        pub fn sign_plus(&self) -> bool;
    }
    impl Write for Formatter {}
    pub struct DebugStruct; pub struct DebugTuple; pub struct DebugList; pub struct DebugMap; pub struct DebugSet;
    impl DebugStruct { pub fn field(&mut self, name: &str, value: &dyn Debug) -> &mut DebugStruct; pub fn finish(&mut self) -> Result; pub fn finish_non_exhaustive(&mut self) -> Result; }
    impl DebugTuple { pub fn field(&mut self, value: &dyn Debug) -> &mut DebugTuple; pub fn finish(&mut self) -> Result; }
    impl DebugList { pub fn entry(&mut self, value: &dyn Debug) -> &mut DebugList; pub fn entries<I>(&mut self, entries: I) -> &mut DebugList; pub fn finish(&mut self) -> Result; }
    impl DebugMap { pub fn entry(&mut self, key: &dyn Debug, value: &dyn Debug) -> &mut DebugMap; pub fn entries<I>(&mut self, entries: I) -> &mut DebugMap; pub fn finish(&mut self) -> Result; }
    impl DebugSet { pub fn entry(&mut self, value: &dyn Debug) -> &mut DebugSet; pub fn entries<I>(&mut self, entries: I) -> &mut DebugSet; pub fn finish(&mut self) -> Result; }
    pub fn format(args: Arguments) -> String;
}
pub mod hash {
    pub trait Hash { fn hash<H: Hasher>(&self, state: &mut H); }
    pub trait Hasher { fn finish(&self) -> u64; fn write(&mut self, bytes: &[u8]); fn write_u8(&mut self, i: u8); fn write_u32(&mut self, i: u32); fn write_u64(&mut self, i: u64); fn write_usize(&mut self, i: usize); }
    pub trait BuildHasher { type Hasher: Hasher; fn build_hasher(&self) -> Self::Hasher; fn hash_one<T>(&self, x: T) -> u64; }
    #[derive(Clone, Debug, Default)] pub struct DefaultHasher;
    impl DefaultHasher { pub fn new() -> Self; }
    impl Hasher for DefaultHasher {}
    #[derive(Clone, Debug, Default)] pub struct RandomState;
    #[derive(Clone, Debug, Default)] pub struct BuildHasherDefault<H>;
}
pub mod string {
    pub trait ToString { fn to_string(&self) -> String; }
    impl<T: crate::fmt::Display> ToString for T {}
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct String;
    impl String {
        pub fn new() -> String; pub fn with_capacity(capacity: usize) -> String;
        pub fn from_utf8(vec: Vec<u8>) -> Result<String, FromUtf8Error>; pub fn from_utf8_lossy(v: &[u8]) -> crate::borrow::Cow<str>;
        pub fn from_utf8_unchecked(bytes: Vec<u8>) -> String; pub fn from_utf16(v: &[u16]) -> Result<String, FromUtf16Error>;
        pub fn into_bytes(self) -> Vec<u8>; pub fn as_str(&self) -> &str; pub fn as_mut_str(&mut self) -> &mut str;
        pub fn push_str(&mut self, string: &str); pub fn push(&mut self, ch: char); pub fn pop(&mut self) -> Option<char>;
        pub fn capacity(&self) -> usize; pub fn reserve(&mut self, additional: usize); pub fn shrink_to_fit(&mut self);
        pub fn as_bytes(&self) -> &[u8]; pub fn truncate(&mut self, new_len: usize); pub fn remove(&mut self, idx: usize) -> char;
        pub fn retain<F: FnMut(char) -> bool>(&mut self, f: F); pub fn insert(&mut self, idx: usize, ch: char); pub fn insert_str(&mut self, idx: usize, string: &str);
        pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn split_off(&mut self, at: usize) -> String;
        pub fn drain<R>(&mut self, range: R) -> crate::str::Chars; pub fn into_boxed_str(self) -> Box<str>; pub fn leak(self) -> &mut str;
        pub fn replace_range<R>(&mut self, range: R, with: &str); pub fn as_mut_vec(&mut self) -> &mut Vec<u8>; pub fn extend_from_within<R>(&mut self, src: R);
    }
    impl crate::ops::Deref for String { type Target = str; }
    impl crate::fmt::Display for String {}
    impl crate::fmt::Write for String {}
    impl AsRef<str> for String {}
    impl From<&str> for String {}
    impl From<char> for String {}
    impl From<Box<str>> for String {}
    impl From<crate::borrow::Cow<str>> for String {}
    impl crate::borrow::Borrow<str> for String {}
    impl crate::str::FromStr for String { type Err = crate::convert::Infallible; }
    impl FromIterator<char> for String {}
    impl Extend<char> for String {}
    impl crate::ops::Add<&str> for String { type Output = String; }
    #[derive(Clone, Debug, PartialEq, Eq)] pub struct FromUtf8Error;
    impl FromUtf8Error { pub fn into_bytes(self) -> Vec<u8>; pub fn as_bytes(&self) -> &[u8]; pub fn utf8_error(&self) -> crate::str::Utf8Error; }
    impl crate::fmt::Display for FromUtf8Error {}
    impl crate::error::Error for FromUtf8Error {}
    #[derive(Debug)] pub struct FromUtf16Error;
}
pub mod error {
    pub trait Error: crate::fmt::Debug + crate::fmt::Display { fn source(&self) -> Option<&dyn Error>; fn description(&self) -> &str; fn cause(&self) -> Option<&dyn Error>; }
    impl dyn Error { pub fn downcast_ref<T>(&self) -> Option<&T>; pub fn downcast_mut<T>(&mut self) -> Option<&mut T>; pub fn is<T>(&self) -> bool; pub fn downcast<T>(self) -> Result<Box<T>, Box<dyn Error>>; }
    impl<T> Error for Box<T> {}
}
pub mod any {
    pub trait Any { fn type_id(&self) -> TypeId; }
    impl dyn Any { pub fn downcast_ref<T>(&self) -> Option<&T>; pub fn downcast_mut<T>(&mut self) -> Option<&mut T>; pub fn is<T>(&self) -> bool; }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct TypeId;
    pub fn type_name<T>() -> &str;
}
pub mod option {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Option<T> { None, Some(T) }
    impl<T> Option<T> {
        pub fn is_some(&self) -> bool; pub fn is_none(&self) -> bool;
        pub fn is_some_and<F: FnOnce(T) -> bool>(self, f: F) -> bool; pub fn is_none_or<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn as_ref(&self) -> Option<&T>; pub fn as_mut(&mut self) -> Option<&mut T>;
        pub fn as_slice(&self) -> &[T]; pub fn as_pin_mut(self) -> Option<crate::pin::Pin<&mut T>>;
        pub fn expect(self, msg: &str) -> T; pub fn unwrap(self) -> T; pub fn unwrap_or(self, default: T) -> T;
        pub fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T; pub fn unwrap_or_default(self) -> T; pub fn unwrap_unchecked(self) -> T;
        pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U>; pub fn inspect<F: FnOnce(&T)>(self, f: F) -> Self;
        pub fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U; pub fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
        pub fn ok_or<E>(self, err: E) -> Result<T, E>; pub fn ok_or_else<E, F: FnOnce() -> E>(self, err: F) -> Result<T, E>;
        pub fn as_deref(&self) -> Option<&<T as crate::ops::Deref>::Target>; pub fn as_deref_mut(&mut self) -> Option<&mut <T as crate::ops::Deref>::Target>;
        pub fn iter(&self) -> Iter<&T>; pub fn iter_mut(&mut self) -> Iter<&mut T>;
        pub fn and<U>(self, optb: Option<U>) -> Option<U>; pub fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U>;
        pub fn filter<P: FnOnce(&T) -> bool>(self, predicate: P) -> Self; pub fn or(self, optb: Option<T>) -> Option<T>;
        pub fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T>; pub fn xor(self, optb: Option<T>) -> Option<T>;
        pub fn insert(&mut self, value: T) -> &mut T; pub fn get_or_insert(&mut self, value: T) -> &mut T; pub fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T;
        pub fn take(&mut self) -> Option<T>; pub fn take_if<P>(&mut self, predicate: P) -> Option<T>; pub fn replace(&mut self, value: T) -> Option<T>;
        pub fn zip<U>(self, other: Option<U>) -> Option<(T, U)>;
    }
    impl<T> Option<&T> { pub fn copied(self) -> Option<T>; pub fn cloned(self) -> Option<T>; }
    impl<T, E> Option<Result<T, E>> { pub fn transpose(self) -> Result<Option<T>, E>; }
    impl<T> Option<Option<T>> { pub fn flatten(self) -> Option<T>; }
    impl<T> IntoIterator for Option<T> { type Item = T; type IntoIter = Iter<T>; }
    impl<T> IntoIterator for &Option<T> { type Item = &T; type IntoIter = Iter<&T>; }
    impl<A, V: FromIterator<A>> FromIterator<Option<A>> for Option<V> {}
    impl<T> From<T> for Option<T> {}
    #[derive(Clone, Debug)] pub struct Iter<T>;
    impl<T> Iterator for Iter<T> { type Item = T; }
    impl<T> DoubleEndedIterator for Iter<T> {}
    pub type IntoIter<T> = Iter<T>;
}
pub mod result {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Result<T, E> { Ok(T), Err(E) }
    impl<T, E> Result<T, E> {
        pub fn is_ok(&self) -> bool; pub fn is_err(&self) -> bool; pub fn is_ok_and<F: FnOnce(T) -> bool>(self, f: F) -> bool; pub fn is_err_and<F: FnOnce(E) -> bool>(self, f: F) -> bool;
        pub fn ok(self) -> Option<T>; pub fn err(self) -> Option<E>; pub fn as_ref(&self) -> Result<&T, &E>; pub fn as_mut(&mut self) -> Result<&mut T, &mut E>;
        pub fn map<U, F: FnOnce(T) -> U>(self, op: F) -> Result<U, E>; pub fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
        pub fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U; pub fn map_err<F, O: FnOnce(E) -> F>(self, op: O) -> Result<T, F>;
        pub fn inspect<F: FnOnce(&T)>(self, f: F) -> Self; pub fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Self;
        pub fn as_deref(&self) -> Result<&<T as crate::ops::Deref>::Target, &E>; pub fn iter(&self) -> crate::option::Iter<&T>;
        pub fn expect(self, msg: &str) -> T; pub fn unwrap(self) -> T; pub fn unwrap_or_default(self) -> T; pub fn expect_err(self, msg: &str) -> E; pub fn unwrap_err(self) -> E;
        pub fn and<U>(self, res: Result<U, E>) -> Result<U, E>; pub fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, op: F) -> Result<U, E>;
        pub fn or<F>(self, res: Result<T, F>) -> Result<T, F>; pub fn or_else<F, O: FnOnce(E) -> Result<T, F>>(self, op: O) -> Result<T, F>;
        pub fn unwrap_or(self, default: T) -> T; pub fn unwrap_or_else<F: FnOnce(E) -> T>(self, op: F) -> T;
    }
    impl<T, E> Result<&T, E> { pub fn copied(self) -> Result<T, E>; pub fn cloned(self) -> Result<T, E>; }
    impl<T, E> Result<Option<T>, E> { pub fn transpose(self) -> Option<Result<T, E>>; }
    impl<T, E> IntoIterator for Result<T, E> { type Item = T; type IntoIter = crate::option::Iter<T>; }
    impl<A, E, V: FromIterator<A>> FromIterator<Result<A, E>> for Result<V, E> {}
}
pub mod iter {
    pub trait Iterator {
        type Item;
        fn next(&mut self) -> Option<Self::Item>; fn size_hint(&self) -> (usize, Option<usize>); fn count(self) -> usize; fn last(self) -> Option<Self::Item>;
        fn nth(&mut self, n: usize) -> Option<Self::Item>; fn step_by(self, step: usize) -> Same<Self::Item>;
        fn chain<U: IntoIterator<Item = Self::Item>>(self, other: U) -> Same<Self::Item>; fn zip<U: IntoIterator>(self, other: U) -> Same<(Self::Item, U::Item)>;
        fn map<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Same<B>; fn for_each<F: FnMut(Self::Item)>(self, f: F);
        fn filter<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Same<Self::Item>; fn filter_map<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> Same<B>;
        fn enumerate(self) -> Same<(usize, Self::Item)>; fn peekable(self) -> Peekable<Self>;
        fn skip_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Same<Self::Item>; fn take_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Same<Self::Item>;
        fn map_while<B, P: FnMut(Self::Item) -> Option<B>>(self, predicate: P) -> Same<B>; fn skip(self, n: usize) -> Same<Self::Item>; fn take(self, n: usize) -> Same<Self::Item>;
        fn scan<St, B, F: FnMut(&mut St, Self::Item) -> Option<B>>(self, initial_state: St, f: F) -> Same<B>;
        fn flat_map<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, f: F) -> Same<U::Item>; fn flatten(self) -> Same<<Self::Item as IntoIterator>::Item>;
        fn fuse(self) -> Same<Self::Item>; fn inspect<F: FnMut(&Self::Item)>(self, f: F) -> Same<Self::Item>; fn by_ref(&mut self) -> &mut Self;
        fn collect<B: FromIterator<Self::Item>>(self) -> B; fn partition<B: FromIterator<Self::Item>, F: FnMut(&Self::Item) -> bool>(self, f: F) -> (B, B);
        fn try_fold<B, R, F: FnMut(B, Self::Item) -> R>(&mut self, init: B, f: F) -> R; fn try_for_each<R, F: FnMut(Self::Item) -> R>(&mut self, f: F) -> R;
        fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B; fn reduce<F: FnMut(Self::Item, Self::Item) -> Self::Item>(self, f: F) -> Option<Self::Item>;
        fn all<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool; fn any<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool;
        fn find<P: FnMut(&Self::Item) -> bool>(&mut self, predicate: P) -> Option<Self::Item>; fn find_map<B, F: FnMut(Self::Item) -> Option<B>>(&mut self, f: F) -> Option<B>;
        fn position<P: FnMut(Self::Item) -> bool>(&mut self, predicate: P) -> Option<usize>; fn rposition<P: FnMut(Self::Item) -> bool>(&mut self, predicate: P) -> Option<usize>;
        fn max(self) -> Option<Self::Item>; fn min(self) -> Option<Self::Item>;
        fn max_by_key<B, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>; fn max_by<F: FnMut(&Self::Item, &Self::Item) -> crate::cmp::Ordering>(self, compare: F) -> Option<Self::Item>;
        fn min_by_key<B, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>; fn min_by<F: FnMut(&Self::Item, &Self::Item) -> crate::cmp::Ordering>(self, compare: F) -> Option<Self::Item>;
        fn rev(self) -> Same<Self::Item>; fn unzip<A, B, FromA: FromIterator<A>, FromB: FromIterator<B>>(self) -> (FromA, FromB);
        fn copied<T>(self) -> Same<T> where Self: Iterator<Item = &T>; fn cloned<T>(self) -> Same<T> where Self: Iterator<Item = &T>;
        fn cycle(self) -> Same<Self::Item>; fn sum<S>(self) -> S; fn product<P>(self) -> P;
        fn eq<I: IntoIterator>(self, other: I) -> bool; fn ne<I: IntoIterator>(self, other: I) -> bool; fn cmp<I: IntoIterator>(self, other: I) -> crate::cmp::Ordering; fn is_sorted(self) -> bool;
    }
    pub trait DoubleEndedIterator: Iterator { fn next_back(&mut self) -> Option<Self::Item>; fn nth_back(&mut self, n: usize) -> Option<Self::Item>; fn rfind<P: FnMut(&Self::Item) -> bool>(&mut self, predicate: P) -> Option<Self::Item>; fn rfold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B; }
    pub trait ExactSizeIterator: Iterator { fn len(&self) -> usize; }
    pub trait FusedIterator: Iterator {}
    pub trait IntoIterator { type Item; type IntoIter: Iterator<Item = Self::Item>; fn into_iter(self) -> Self::IntoIter; }
    pub trait FromIterator<A> { fn from_iter<T: IntoIterator<Item = A>>(iter: T) -> Self; }
    pub trait Extend<A> { fn extend<T: IntoIterator<Item = A>>(&mut self, iter: T); }
    pub trait Sum<A> { fn sum<I: Iterator<Item = A>>(iter: I) -> Self; }
    impl<I: Iterator> IntoIterator for I { type Item = I::Item; type IntoIter = I; }
    impl<I: Iterator> Iterator for &mut I { type Item = I::Item; }
    impl<I: Iterator> Iterator for Box<I> { type Item = I::Item; }
    // Stands for every adaptor: its own type says no more than what it gives.
    #[derive(Clone, Debug)] pub struct Same<T>;
    impl<T> Iterator for Same<T> { type Item = T; }
    impl<T> DoubleEndedIterator for Same<T> {}
    impl<T> ExactSizeIterator for Same<T> {}
    #[derive(Clone, Debug)] pub struct Peekable<I>;
    impl<I: Iterator> Peekable<I> { pub fn peek(&mut self) -> Option<&I::Item>; pub fn peek_mut(&mut self) -> Option<&mut I::Item>; pub fn next_if<F: FnOnce(&I::Item) -> bool>(&mut self, func: F) -> Option<I::Item>; pub fn next_if_eq<T>(&mut self, expected: &T) -> Option<I::Item>; }
    impl<I: Iterator> Iterator for Peekable<I> { type Item = I::Item; }
    pub fn once<T>(value: T) -> Same<T>; pub fn repeat<T>(value: T) -> Same<T>; pub fn empty<T>() -> Same<T>;
    pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> Same<T>; pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, f: F) -> Same<T>;
    pub fn repeat_with<T, F: FnMut() -> T>(f: F) -> Same<T>; pub fn zip<A: IntoIterator, B: IntoIterator>(a: A, b: B) -> Same<(A::Item, B::Item)>;
}
pub mod vec {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Vec<T>;
    impl<T> Vec<T> {
        pub fn new() -> Self; pub fn with_capacity(capacity: usize) -> Self; pub fn capacity(&self) -> usize; pub fn reserve(&mut self, additional: usize); pub fn reserve_exact(&mut self, additional: usize); pub fn shrink_to_fit(&mut self);
        pub fn into_boxed_slice(self) -> Box<[T]>; pub fn truncate(&mut self, len: usize); pub fn as_slice(&self) -> &[T]; pub fn as_mut_slice(&mut self) -> &mut [T]; pub fn as_ptr(&self) -> *const T; pub fn as_mut_ptr(&mut self) -> *mut T;
        pub fn set_len(&mut self, new_len: usize); pub fn swap_remove(&mut self, index: usize) -> T; pub fn insert(&mut self, index: usize, element: T); pub fn remove(&mut self, index: usize) -> T;
        pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F); pub fn dedup(&mut self); pub fn dedup_by_key<K, F: FnMut(&mut T) -> K>(&mut self, key: F); pub fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, f: F);
        pub fn push(&mut self, value: T); pub fn pop(&mut self) -> Option<T>; pub fn append(&mut self, other: &mut Vec<T>); pub fn drain<R>(&mut self, range: R) -> crate::iter::Same<T>; pub fn clear(&mut self);
        pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn split_off(&mut self, at: usize) -> Self; pub fn resize(&mut self, new_len: usize, value: T); pub fn resize_with<F: FnMut() -> T>(&mut self, new_len: usize, f: F); pub fn leak(self) -> &mut [T];
        pub fn extend_from_slice(&mut self, other: &[T]); pub fn splice<R, I>(&mut self, range: R, replace_with: I) -> crate::iter::Same<T>; pub fn first(&self) -> Option<&T>; pub fn spare_capacity_mut(&mut self) -> &mut [T];
    }
    impl<T> crate::ops::Deref for Vec<T> { type Target = [T]; }
    impl<T> crate::ops::DerefMut for Vec<T> {}
    impl<T> IntoIterator for Vec<T> { type Item = T; type IntoIter = crate::iter::Same<T>; }
    impl<T> IntoIterator for &Vec<T> { type Item = &T; type IntoIter = crate::iter::Same<&T>; }
    impl<T> FromIterator<T> for Vec<T> {}
    impl<T> Extend<T> for Vec<T> {}
    impl<T> AsRef<[T]> for Vec<T> {}
    impl<T> From<&[T]> for Vec<T> {}
    impl<T> From<[T; 1]> for Vec<T> {}
    impl From<&str> for Vec<u8> {}
    impl From<String> for Vec<u8> {}
    impl<T> From<Box<[T]>> for Vec<T> {}
    impl crate::io::Write for Vec<u8> {}
    pub type IntoIter<T> = crate::iter::Same<T>;
    pub type Drain<T> = crate::iter::Same<T>;
}
pub mod slice {
    impl<T> [T] {
        pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn first(&self) -> Option<&T>; pub fn first_mut(&mut self) -> Option<&mut T>; pub fn last(&self) -> Option<&T>; pub fn last_mut(&mut self) -> Option<&mut T>;
        pub fn split_first(&self) -> Option<(&T, &[T])>; pub fn split_last(&self) -> Option<(&T, &[T])>; pub fn get<I>(&self, index: I) -> Option<&<[T] as Got<I>>::Out>; pub fn get_mut<I>(&mut self, index: I) -> Option<&mut <[T] as Got<I>>::Out>; pub fn get_unchecked<I>(&self, index: I) -> &<[T] as Got<I>>::Out;
        pub fn swap(&mut self, a: usize, b: usize); pub fn reverse(&mut self); pub fn iter(&self) -> Iter<T>; pub fn iter_mut(&mut self) -> IterMut<T>; pub fn as_ptr(&self) -> *const T; pub fn as_mut_ptr(&mut self) -> *mut T;
        pub fn windows(&self, size: usize) -> crate::iter::Same<&[T]>; pub fn chunks(&self, size: usize) -> crate::iter::Same<&[T]>; pub fn chunks_mut(&mut self, size: usize) -> crate::iter::Same<&mut [T]>; pub fn chunks_exact(&self, size: usize) -> crate::iter::Same<&[T]>; pub fn rchunks(&self, size: usize) -> crate::iter::Same<&[T]>;
        pub fn split_at(&self, mid: usize) -> (&[T], &[T]); pub fn split_at_mut(&mut self, mid: usize) -> (&mut [T], &mut [T]); pub fn split<F: FnMut(&T) -> bool>(&self, pred: F) -> crate::iter::Same<&[T]>; pub fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> crate::iter::Same<&[T]>;
        pub fn contains(&self, x: &T) -> bool; pub fn starts_with(&self, needle: &[T]) -> bool; pub fn ends_with(&self, needle: &[T]) -> bool; pub fn strip_prefix(&self, prefix: &[T]) -> Option<&[T]>; pub fn strip_suffix(&self, suffix: &[T]) -> Option<&[T]>;
        pub fn binary_search(&self, x: &T) -> Result<usize, usize>; pub fn binary_search_by<F: FnMut(&T) -> crate::cmp::Ordering>(&self, f: F) -> Result<usize, usize>; pub fn binary_search_by_key<B, F: FnMut(&T) -> B>(&self, b: &B, f: F) -> Result<usize, usize>; pub fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize;
        pub fn sort(&mut self); pub fn sort_by<F: FnMut(&T, &T) -> crate::cmp::Ordering>(&mut self, compare: F); pub fn sort_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F); pub fn sort_by_cached_key<K, F: FnMut(&T) -> K>(&mut self, f: F); pub fn sort_unstable(&mut self); pub fn sort_unstable_by<F: FnMut(&T, &T) -> crate::cmp::Ordering>(&mut self, compare: F); pub fn sort_unstable_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F); pub fn is_sorted(&self) -> bool;
        pub fn rotate_left(&mut self, mid: usize); pub fn rotate_right(&mut self, k: usize); pub fn fill(&mut self, value: T); pub fn copy_from_slice(&mut self, src: &[T]); pub fn clone_from_slice(&mut self, src: &[T]); pub fn copy_within<R>(&mut self, src: R, dest: usize); pub fn to_vec(&self) -> Vec<T>; pub fn into_vec(self) -> Vec<T>; pub fn repeat(&self, n: usize) -> Vec<T>;
        pub fn concat<I>(&self) -> Vec<I>; pub fn join<S>(&self, sep: S) -> <T as Joined>::Out;
        pub fn map<U, F: FnMut(T) -> U>(self, f: F) -> [U; 1]; pub fn as_slice(&self) -> &[T]; pub fn each_ref(&self) -> [&T; 1]; pub fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, f: F) -> crate::iter::Same<&[T]>;
    }
    // What an index gets, and what joining gives: there are other names for these.
    pub trait Got<I> { type Out; }
    impl<T> Got<usize> for [T] { type Out = T; }
    impl<T, R> Got<crate::ops::Range<R>> for [T] { type Out = [T]; }
    pub trait Joined { type Out; }
    impl Joined for str { type Out = String; }
    impl Joined for String { type Out = String; }
    impl Joined for &str { type Out = String; }
    impl<T> Joined for Vec<T> { type Out = Vec<T>; }
    impl Joined for crate::ffi::OsString { type Out = crate::ffi::OsString; }
    impl [u8] { pub fn is_ascii(&self) -> bool; pub fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool; pub fn to_ascii_lowercase(&self) -> Vec<u8>; pub fn to_ascii_uppercase(&self) -> Vec<u8>; pub fn make_ascii_lowercase(&mut self); pub fn trim_ascii(&self) -> &[u8]; pub fn trim_ascii_start(&self) -> &[u8]; pub fn trim_ascii_end(&self) -> &[u8]; pub fn escape_ascii(&self) -> crate::iter::Same<u8>; }
    impl<T> IntoIterator for &[T] { type Item = &T; type IntoIter = Iter<T>; }
    impl<T> IntoIterator for &[T; 1] { type Item = &T; type IntoIter = Iter<T>; }
    impl<T> IntoIterator for [T; 1] { type Item = T; type IntoIter = crate::iter::Same<T>; }
    impl<T> AsRef<[T]> for [T] {}
    impl crate::io::Read for &[u8] {}
    impl crate::io::BufRead for &[u8] {}
    impl<T> Default for &[T] {}
    #[derive(Clone, Debug)] pub struct Iter<T>;
    impl<T> Iter<T> { pub fn as_slice(&self) -> &[T]; }
    impl<T> Iterator for Iter<T> { type Item = &T; }
    impl<T> DoubleEndedIterator for Iter<T> {}
    impl<T> ExactSizeIterator for Iter<T> {}
    #[derive(Debug)] pub struct IterMut<T>;
    impl<T> Iterator for IterMut<T> { type Item = &mut T; }
    impl<T> DoubleEndedIterator for IterMut<T> {}
    pub type Chunks<T> = crate::iter::Same<&[T]>;
    pub type Windows<T> = crate::iter::Same<&[T]>;
    pub fn from_ref<T>(s: &T) -> &[T]; pub fn from_raw_parts<T>(data: *const T, len: usize) -> &[T];
}
pub mod array { pub fn from_fn<T, F: FnMut(usize) -> T>(f: F) -> [T; 1]; pub struct TryFromSliceError; }
pub mod str {
    impl str {
        pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn is_char_boundary(&self, index: usize) -> bool; pub fn as_bytes(&self) -> &[u8]; pub fn as_ptr(&self) -> *const u8; pub fn as_str(&self) -> &str;
        pub fn get<I>(&self, i: I) -> Option<&str>; pub fn get_mut<I>(&mut self, i: I) -> Option<&mut str>; pub fn split_at(&self, mid: usize) -> (&str, &str); pub fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)>; pub fn chars(&self) -> Chars; pub fn char_indices(&self) -> CharIndices; pub fn bytes(&self) -> crate::iter::Same<u8>;
        pub fn split_whitespace(&self) -> crate::iter::Same<&str>; pub fn split_ascii_whitespace(&self) -> crate::iter::Same<&str>; pub fn lines(&self) -> Lines; pub fn contains<P>(&self, pat: P) -> bool; pub fn starts_with<P>(&self, pat: P) -> bool; pub fn ends_with<P>(&self, pat: P) -> bool;
        pub fn find<P>(&self, pat: P) -> Option<usize>; pub fn rfind<P>(&self, pat: P) -> Option<usize>; pub fn split<P>(&self, pat: P) -> crate::iter::Same<&str>; pub fn split_inclusive<P>(&self, pat: P) -> crate::iter::Same<&str>; pub fn rsplit<P>(&self, pat: P) -> crate::iter::Same<&str>; pub fn split_terminator<P>(&self, pat: P) -> crate::iter::Same<&str>;
        pub fn splitn<P>(&self, n: usize, pat: P) -> crate::iter::Same<&str>; pub fn rsplitn<P>(&self, n: usize, pat: P) -> crate::iter::Same<&str>; pub fn split_once<P>(&self, delimiter: P) -> Option<(&str, &str)>; pub fn rsplit_once<P>(&self, delimiter: P) -> Option<(&str, &str)>; pub fn matches<P>(&self, pat: P) -> crate::iter::Same<&str>; pub fn match_indices<P>(&self, pat: P) -> crate::iter::Same<(usize, &str)>;
        pub fn trim(&self) -> &str; pub fn trim_start(&self) -> &str; pub fn trim_end(&self) -> &str; pub fn trim_left(&self) -> &str; pub fn trim_right(&self) -> &str; pub fn trim_matches<P>(&self, pat: P) -> &str; pub fn trim_start_matches<P>(&self, pat: P) -> &str; pub fn trim_end_matches<P>(&self, pat: P) -> &str; pub fn strip_prefix<P>(&self, prefix: P) -> Option<&str>; pub fn strip_suffix<P>(&self, suffix: P) -> Option<&str>;
        pub fn parse<F: FromStr>(&self) -> Result<F, F::Err>; pub fn is_ascii(&self) -> bool; pub fn eq_ignore_ascii_case(&self, other: &str) -> bool; pub fn to_lowercase(&self) -> String; pub fn to_uppercase(&self) -> String; pub fn to_ascii_lowercase(&self) -> String; pub fn to_ascii_uppercase(&self) -> String; pub fn make_ascii_lowercase(&mut self); pub fn repeat(&self, n: usize) -> String;
        pub fn replace<P>(&self, from: P, to: &str) -> String; pub fn replacen<P>(&self, pat: P, to: &str, count: usize) -> String; pub fn into_string(self) -> String; pub fn into_boxed_bytes(self) -> Box<[u8]>; pub fn escape_debug(&self) -> Chars; pub fn escape_default(&self) -> Chars; pub fn encode_utf16(&self) -> crate::iter::Same<u16>;
    }
    impl crate::fmt::Display for str {}
    impl crate::fmt::Debug for str {}
    impl AsRef<str> for str {}
    impl AsRef<[u8]> for str {}
    impl Default for &str {}
    pub trait FromStr { type Err; fn from_str(s: &str) -> Result<Self, Self::Err>; }
    #[derive(Clone, Debug)] pub struct Chars;
    impl Chars { pub fn as_str(&self) -> &str; }
    impl Iterator for Chars { type Item = char; }
    impl DoubleEndedIterator for Chars {}
    #[derive(Clone, Debug)] pub struct CharIndices;
    impl CharIndices { pub fn offset(&self) -> usize; pub fn as_str(&self) -> &str; }
    impl Iterator for CharIndices { type Item = (usize, char); }
    impl DoubleEndedIterator for CharIndices {}
    #[derive(Clone, Debug)] pub struct Lines;
    impl Iterator for Lines { type Item = &str; }
    impl DoubleEndedIterator for Lines {}
    pub type Split<P> = crate::iter::Same<&str>;
    #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub struct Utf8Error;
    impl Utf8Error { pub fn valid_up_to(&self) -> usize; pub fn error_len(&self) -> Option<usize>; }
    impl crate::fmt::Display for Utf8Error {}
    impl crate::error::Error for Utf8Error {}
    #[derive(Debug)] pub struct ParseBoolError;
    pub fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error>; pub fn from_utf8_unchecked(v: &[u8]) -> &str;
}
pub mod char {
    impl char {
        pub fn is_digit(self, radix: u32) -> bool; pub fn to_digit(self, radix: u32) -> Option<u32>; pub fn len_utf8(self) -> usize; pub fn len_utf16(self) -> usize; pub fn encode_utf8(self, dst: &mut [u8]) -> &mut str; pub fn is_alphabetic(self) -> bool; pub fn is_lowercase(self) -> bool; pub fn is_uppercase(self) -> bool; pub fn is_whitespace(self) -> bool; pub fn is_alphanumeric(self) -> bool; pub fn is_control(self) -> bool; pub fn is_numeric(self) -> bool;
        pub fn to_lowercase(self) -> crate::str::Chars; pub fn to_uppercase(self) -> crate::str::Chars; pub fn is_ascii(&self) -> bool; pub fn to_ascii_uppercase(&self) -> char; pub fn to_ascii_lowercase(&self) -> char; pub fn eq_ignore_ascii_case(&self, other: &char) -> bool; pub fn is_ascii_alphabetic(&self) -> bool; pub fn is_ascii_digit(&self) -> bool; pub fn is_ascii_alphanumeric(&self) -> bool; pub fn is_ascii_punctuation(&self) -> bool; pub fn is_ascii_hexdigit(&self) -> bool; pub fn is_ascii_whitespace(&self) -> bool; pub fn is_ascii_uppercase(&self) -> bool; pub fn is_ascii_lowercase(&self) -> bool;
        pub fn from_u32(i: u32) -> Option<char>; pub fn from_digit(num: u32, radix: u32) -> Option<char>; pub fn escape_default(self) -> crate::str::Chars; pub fn escape_unicode(self) -> crate::str::Chars;
    }
    pub fn from_u32(i: u32) -> Option<char>; pub fn from_digit(num: u32, radix: u32) -> Option<char>;
}
pub mod boxed {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Box<T>;
    impl<T> Box<T> { pub fn new(x: T) -> Box<T>; pub fn pin(x: T) -> crate::pin::Pin<Box<T>>; pub fn into_raw(b: Box<T>) -> *mut T; pub fn from_raw(raw: *mut T) -> Box<T>; pub fn leak(b: Box<T>) -> &mut T; pub fn into_pin(b: Box<T>) -> crate::pin::Pin<Box<T>>; }
    impl<T> crate::ops::Deref for Box<T> { type Target = T; }
    impl<T> crate::ops::DerefMut for Box<T> {}
    impl<T> AsRef<T> for Box<T> {}
    impl<T> From<T> for Box<T> {}
    impl<T: crate::fmt::Display> crate::fmt::Display for Box<T> {}
}
pub mod rc {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Rc<T>;
    impl<T> Rc<T> { pub fn new(value: T) -> Rc<T>; pub fn try_unwrap(this: Rc<T>) -> Result<T, Rc<T>>; pub fn downgrade(this: &Rc<T>) -> Weak<T>; pub fn strong_count(this: &Rc<T>) -> usize; pub fn get_mut(this: &mut Rc<T>) -> Option<&mut T>; pub fn ptr_eq(this: &Rc<T>, other: &Rc<T>) -> bool; pub fn make_mut(this: &mut Rc<T>) -> &mut T; pub fn into_inner(this: Rc<T>) -> Option<T>; }
    impl<T> crate::ops::Deref for Rc<T> { type Target = T; }
    impl<T> AsRef<T> for Rc<T> {}
    impl<T> From<T> for Rc<T> {}
    #[derive(Clone, Debug, Default)] pub struct Weak<T>;
    impl<T> Weak<T> { pub fn new() -> Weak<T>; pub fn upgrade(&self) -> Option<Rc<T>>; }
}
pub mod sync {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Arc<T>;
    impl<T> Arc<T> { pub fn new(data: T) -> Arc<T>; pub fn pin(data: T) -> crate::pin::Pin<Arc<T>>; pub fn try_unwrap(this: Arc<T>) -> Result<T, Arc<T>>; pub fn into_raw(this: Arc<T>) -> *const T; pub fn from_raw(ptr: *const T) -> Arc<T>; pub fn as_ptr(this: &Arc<T>) -> *const T; pub fn downgrade(this: &Arc<T>) -> Weak<T>; pub fn strong_count(this: &Arc<T>) -> usize; pub fn get_mut(this: &mut Arc<T>) -> Option<&mut T>; pub fn ptr_eq(this: &Arc<T>, other: &Arc<T>) -> bool; pub fn make_mut(this: &mut Arc<T>) -> &mut T; pub fn into_inner(this: Arc<T>) -> Option<T>; }
    impl<T> crate::ops::Deref for Arc<T> { type Target = T; }
    impl<T> AsRef<T> for Arc<T> {}
    impl<T> From<T> for Arc<T> {}
    #[derive(Clone, Debug, Default)] pub struct Weak<T>;
    impl<T> Weak<T> { pub fn new() -> Weak<T>; pub fn upgrade(&self) -> Option<Arc<T>>; pub fn strong_count(&self) -> usize; }
    pub type LockResult<G> = Result<G, PoisonError<G>>;
    #[derive(Debug)] pub struct PoisonError<G>;
    impl<G> PoisonError<G> { pub fn into_inner(self) -> G; pub fn get_ref(&self) -> &G; }
    #[derive(Debug)] pub enum TryLockError<G> { Poisoned(PoisonError<G>), WouldBlock }
    #[derive(Debug, Default)] pub struct Mutex<T>;
    impl<T> Mutex<T> { pub fn new(t: T) -> Mutex<T>; pub fn lock(&self) -> LockResult<MutexGuard<T>>; pub fn try_lock(&self) -> Result<MutexGuard<T>, TryLockError<MutexGuard<T>>>; pub fn into_inner(self) -> LockResult<T>; pub fn get_mut(&mut self) -> LockResult<&mut T>; pub fn is_poisoned(&self) -> bool; }
    pub struct MutexGuard<T>;
    impl<T> crate::ops::Deref for MutexGuard<T> { type Target = T; }
    #[derive(Debug, Default)] pub struct RwLock<T>;
    impl<T> RwLock<T> { pub fn new(t: T) -> RwLock<T>; pub fn read(&self) -> LockResult<RwLockReadGuard<T>>; pub fn write(&self) -> LockResult<RwLockWriteGuard<T>>; pub fn into_inner(self) -> LockResult<T>; pub fn get_mut(&mut self) -> LockResult<&mut T>; }
    pub struct RwLockReadGuard<T>; pub struct RwLockWriteGuard<T>;
    impl<T> crate::ops::Deref for RwLockReadGuard<T> { type Target = T; }
    impl<T> crate::ops::Deref for RwLockWriteGuard<T> { type Target = T; }
    #[derive(Debug, Default)] pub struct Condvar;
    impl Condvar { pub fn new() -> Condvar; pub fn wait<T>(&self, guard: MutexGuard<T>) -> LockResult<MutexGuard<T>>; pub fn wait_timeout<T>(&self, guard: MutexGuard<T>, dur: crate::time::Duration) -> LockResult<(MutexGuard<T>, WaitTimeoutResult)>; pub fn wait_while<T, F: FnMut(&mut T) -> bool>(&self, guard: MutexGuard<T>, condition: F) -> LockResult<MutexGuard<T>>; pub fn notify_one(&self); pub fn notify_all(&self); }
    pub struct WaitTimeoutResult;
    impl WaitTimeoutResult { pub fn timed_out(&self) -> bool; }
    #[derive(Debug, Default)] pub struct OnceLock<T>;
    impl<T> OnceLock<T> { pub fn new() -> OnceLock<T>; pub fn get(&self) -> Option<&T>; pub fn get_mut(&mut self) -> Option<&mut T>; pub fn set(&self, value: T) -> Result<(), T>; pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T; pub fn into_inner(self) -> Option<T>; pub fn take(&mut self) -> Option<T>; }
    #[derive(Debug)] pub struct LazyLock<T, F = ()>;
    impl<T, F> LazyLock<T, F> { pub fn new(f: F) -> LazyLock<T, F>; pub fn force(this: &LazyLock<T, F>) -> &T; }
    impl<T, F> crate::ops::Deref for LazyLock<T, F> { type Target = T; }
    pub struct Once; impl Once { pub fn new() -> Once; pub fn call_once<F: FnOnce()>(&self, f: F); }
    pub struct Barrier; impl Barrier { pub fn new(n: usize) -> Barrier; pub fn wait(&self) -> BarrierWaitResult; } pub struct BarrierWaitResult; impl BarrierWaitResult { pub fn is_leader(&self) -> bool; }
    pub mod mpsc {
        pub fn channel<T>() -> (Sender<T>, Receiver<T>); pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>);
        #[derive(Clone, Debug)] pub struct Sender<T>; #[derive(Clone, Debug)] pub struct SyncSender<T>; #[derive(Debug)] pub struct Receiver<T>;
        impl<T> Sender<T> { pub fn send(&self, t: T) -> Result<(), SendError<T>>; }
        impl<T> SyncSender<T> { pub fn send(&self, t: T) -> Result<(), SendError<T>>; pub fn try_send(&self, t: T) -> Result<(), TrySendError<T>>; }
        impl<T> Receiver<T> { pub fn recv(&self) -> Result<T, RecvError>; pub fn try_recv(&self) -> Result<T, TryRecvError>; pub fn recv_timeout(&self, timeout: crate::time::Duration) -> Result<T, RecvTimeoutError>; pub fn iter(&self) -> crate::iter::Same<T>; pub fn try_iter(&self) -> crate::iter::Same<T>; }
        impl<T> IntoIterator for Receiver<T> { type Item = T; type IntoIter = crate::iter::Same<T>; }
        impl<T> IntoIterator for &Receiver<T> { type Item = T; type IntoIter = crate::iter::Same<T>; }
        #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub struct SendError<T>(pub T); #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub struct RecvError; #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub enum TryRecvError { Empty, Disconnected } #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub enum RecvTimeoutError { Timeout, Disconnected } pub enum TrySendError<T> { Full(T), Disconnected(T) }
    }
    pub mod atomic {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)] pub enum Ordering { Relaxed, Release, Acquire, AcqRel, SeqCst }
        pub fn fence(order: Ordering); pub fn compiler_fence(order: Ordering);

        #[derive(Debug, Default)] pub struct AtomicBool; impl AtomicBool { pub fn new(v: bool) -> AtomicBool; pub fn load(&self, order: Ordering) -> bool; pub fn store(&self, val: bool, order: Ordering); pub fn swap(&self, val: bool, order: Ordering) -> bool; pub fn fetch_add(&self, val: bool, order: Ordering) -> bool; pub fn fetch_sub(&self, val: bool, order: Ordering) -> bool; pub fn fetch_or(&self, val: bool, order: Ordering) -> bool; pub fn fetch_and(&self, val: bool, order: Ordering) -> bool; pub fn fetch_max(&self, val: bool, order: Ordering) -> bool; pub fn compare_exchange(&self, current: bool, new: bool, success: Ordering, failure: Ordering) -> Result<bool, bool>; pub fn compare_exchange_weak(&self, current: bool, new: bool, success: Ordering, failure: Ordering) -> Result<bool, bool>; pub fn into_inner(self) -> bool; pub fn get_mut(&mut self) -> &mut bool; }
        #[derive(Debug, Default)] pub struct AtomicUsize; impl AtomicUsize { pub fn new(v: usize) -> AtomicUsize; pub fn load(&self, order: Ordering) -> usize; pub fn store(&self, val: usize, order: Ordering); pub fn swap(&self, val: usize, order: Ordering) -> usize; pub fn fetch_add(&self, val: usize, order: Ordering) -> usize; pub fn fetch_sub(&self, val: usize, order: Ordering) -> usize; pub fn fetch_or(&self, val: usize, order: Ordering) -> usize; pub fn fetch_and(&self, val: usize, order: Ordering) -> usize; pub fn fetch_max(&self, val: usize, order: Ordering) -> usize; pub fn compare_exchange(&self, current: usize, new: usize, success: Ordering, failure: Ordering) -> Result<usize, usize>; pub fn compare_exchange_weak(&self, current: usize, new: usize, success: Ordering, failure: Ordering) -> Result<usize, usize>; pub fn into_inner(self) -> usize; pub fn get_mut(&mut self) -> &mut usize; }
        #[derive(Debug, Default)] pub struct AtomicIsize; impl AtomicIsize { pub fn new(v: isize) -> AtomicIsize; pub fn load(&self, order: Ordering) -> isize; pub fn store(&self, val: isize, order: Ordering); pub fn swap(&self, val: isize, order: Ordering) -> isize; pub fn fetch_add(&self, val: isize, order: Ordering) -> isize; pub fn fetch_sub(&self, val: isize, order: Ordering) -> isize; pub fn fetch_or(&self, val: isize, order: Ordering) -> isize; pub fn fetch_and(&self, val: isize, order: Ordering) -> isize; pub fn fetch_max(&self, val: isize, order: Ordering) -> isize; pub fn compare_exchange(&self, current: isize, new: isize, success: Ordering, failure: Ordering) -> Result<isize, isize>; pub fn compare_exchange_weak(&self, current: isize, new: isize, success: Ordering, failure: Ordering) -> Result<isize, isize>; pub fn into_inner(self) -> isize; pub fn get_mut(&mut self) -> &mut isize; }
        #[derive(Debug, Default)] pub struct AtomicU64; impl AtomicU64 { pub fn new(v: u64) -> AtomicU64; pub fn load(&self, order: Ordering) -> u64; pub fn store(&self, val: u64, order: Ordering); pub fn swap(&self, val: u64, order: Ordering) -> u64; pub fn fetch_add(&self, val: u64, order: Ordering) -> u64; pub fn fetch_sub(&self, val: u64, order: Ordering) -> u64; pub fn fetch_or(&self, val: u64, order: Ordering) -> u64; pub fn fetch_and(&self, val: u64, order: Ordering) -> u64; pub fn fetch_max(&self, val: u64, order: Ordering) -> u64; pub fn compare_exchange(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>; pub fn compare_exchange_weak(&self, current: u64, new: u64, success: Ordering, failure: Ordering) -> Result<u64, u64>; pub fn into_inner(self) -> u64; pub fn get_mut(&mut self) -> &mut u64; }
        #[derive(Debug, Default)] pub struct AtomicU32; impl AtomicU32 { pub fn new(v: u32) -> AtomicU32; pub fn load(&self, order: Ordering) -> u32; pub fn store(&self, val: u32, order: Ordering); pub fn swap(&self, val: u32, order: Ordering) -> u32; pub fn fetch_add(&self, val: u32, order: Ordering) -> u32; pub fn fetch_sub(&self, val: u32, order: Ordering) -> u32; pub fn fetch_or(&self, val: u32, order: Ordering) -> u32; pub fn fetch_and(&self, val: u32, order: Ordering) -> u32; pub fn fetch_max(&self, val: u32, order: Ordering) -> u32; pub fn compare_exchange(&self, current: u32, new: u32, success: Ordering, failure: Ordering) -> Result<u32, u32>; pub fn compare_exchange_weak(&self, current: u32, new: u32, success: Ordering, failure: Ordering) -> Result<u32, u32>; pub fn into_inner(self) -> u32; pub fn get_mut(&mut self) -> &mut u32; }
        #[derive(Debug, Default)] pub struct AtomicU8; impl AtomicU8 { pub fn new(v: u8) -> AtomicU8; pub fn load(&self, order: Ordering) -> u8; pub fn store(&self, val: u8, order: Ordering); pub fn swap(&self, val: u8, order: Ordering) -> u8; pub fn fetch_add(&self, val: u8, order: Ordering) -> u8; pub fn fetch_sub(&self, val: u8, order: Ordering) -> u8; pub fn fetch_or(&self, val: u8, order: Ordering) -> u8; pub fn fetch_and(&self, val: u8, order: Ordering) -> u8; pub fn fetch_max(&self, val: u8, order: Ordering) -> u8; pub fn compare_exchange(&self, current: u8, new: u8, success: Ordering, failure: Ordering) -> Result<u8, u8>; pub fn compare_exchange_weak(&self, current: u8, new: u8, success: Ordering, failure: Ordering) -> Result<u8, u8>; pub fn into_inner(self) -> u8; pub fn get_mut(&mut self) -> &mut u8; }
        #[derive(Debug, Default)] pub struct AtomicI64; impl AtomicI64 { pub fn new(v: i64) -> AtomicI64; pub fn load(&self, order: Ordering) -> i64; pub fn store(&self, val: i64, order: Ordering); pub fn swap(&self, val: i64, order: Ordering) -> i64; pub fn fetch_add(&self, val: i64, order: Ordering) -> i64; pub fn fetch_sub(&self, val: i64, order: Ordering) -> i64; pub fn fetch_or(&self, val: i64, order: Ordering) -> i64; pub fn fetch_and(&self, val: i64, order: Ordering) -> i64; pub fn fetch_max(&self, val: i64, order: Ordering) -> i64; pub fn compare_exchange(&self, current: i64, new: i64, success: Ordering, failure: Ordering) -> Result<i64, i64>; pub fn compare_exchange_weak(&self, current: i64, new: i64, success: Ordering, failure: Ordering) -> Result<i64, i64>; pub fn into_inner(self) -> i64; pub fn get_mut(&mut self) -> &mut i64; }
        #[derive(Debug, Default)] pub struct AtomicI32; impl AtomicI32 { pub fn new(v: i32) -> AtomicI32; pub fn load(&self, order: Ordering) -> i32; pub fn store(&self, val: i32, order: Ordering); pub fn swap(&self, val: i32, order: Ordering) -> i32; pub fn fetch_add(&self, val: i32, order: Ordering) -> i32; pub fn fetch_sub(&self, val: i32, order: Ordering) -> i32; pub fn fetch_or(&self, val: i32, order: Ordering) -> i32; pub fn fetch_and(&self, val: i32, order: Ordering) -> i32; pub fn fetch_max(&self, val: i32, order: Ordering) -> i32; pub fn compare_exchange(&self, current: i32, new: i32, success: Ordering, failure: Ordering) -> Result<i32, i32>; pub fn compare_exchange_weak(&self, current: i32, new: i32, success: Ordering, failure: Ordering) -> Result<i32, i32>; pub fn into_inner(self) -> i32; pub fn get_mut(&mut self) -> &mut i32; }
        #[derive(Debug, Default)] pub struct AtomicPtr<T>; impl<T> AtomicPtr<T> { pub fn new(p: *mut T) -> AtomicPtr<T>; pub fn load(&self, order: Ordering) -> *mut T; pub fn store(&self, ptr: *mut T, order: Ordering); pub fn swap(&self, ptr: *mut T, order: Ordering) -> *mut T; }
    }
}
pub mod cell {
    #[derive(Clone, Debug, Default)] pub struct Cell<T>;
    impl<T> Cell<T> { pub fn new(value: T) -> Cell<T>; pub fn get(&self) -> T; pub fn set(&self, val: T); pub fn replace(&self, val: T) -> T; pub fn take(&self) -> T; pub fn into_inner(self) -> T; pub fn get_mut(&mut self) -> &mut T; pub fn as_ptr(&self) -> *mut T; pub fn swap(&self, other: &Cell<T>); }
    #[derive(Clone, Debug, Default)] pub struct RefCell<T>;
    impl<T> RefCell<T> { pub fn new(value: T) -> RefCell<T>; pub fn borrow(&self) -> Ref<T>; pub fn borrow_mut(&self) -> RefMut<T>; pub fn try_borrow(&self) -> Result<Ref<T>, BorrowError>; pub fn try_borrow_mut(&self) -> Result<RefMut<T>, BorrowMutError>; pub fn into_inner(self) -> T; pub fn replace(&self, t: T) -> T; pub fn take(&self) -> T; pub fn get_mut(&mut self) -> &mut T; }
    pub struct Ref<T>; pub struct RefMut<T>; #[derive(Debug)] pub struct BorrowError; #[derive(Debug)] pub struct BorrowMutError;
    impl<T> crate::ops::Deref for Ref<T> { type Target = T; }
    impl<T> crate::ops::Deref for RefMut<T> { type Target = T; }
    #[derive(Debug)] pub struct UnsafeCell<T>; impl<T> UnsafeCell<T> { pub fn new(value: T) -> UnsafeCell<T>; pub fn get(&self) -> *mut T; pub fn get_mut(&mut self) -> &mut T; pub fn into_inner(self) -> T; }
    #[derive(Clone, Debug, Default)] pub struct OnceCell<T>; impl<T> OnceCell<T> { pub fn new() -> OnceCell<T>; pub fn get(&self) -> Option<&T>; pub fn set(&self, value: T) -> Result<(), T>; pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T; }
    pub struct LazyCell<T, F = ()>; impl<T, F> LazyCell<T, F> { pub fn new(f: F) -> LazyCell<T, F>; } impl<T, F> crate::ops::Deref for LazyCell<T, F> { type Target = T; }
}
pub mod pin {
    #[derive(Clone, Copy, Debug)] pub struct Pin<P>;
    impl<P: crate::ops::Deref> Pin<P> { pub fn new(pointer: P) -> Pin<P>; pub fn new_unchecked(pointer: P) -> Pin<P>; pub fn as_ref(&self) -> Pin<&P::Target>; pub fn as_mut(&mut self) -> Pin<&mut P::Target>; pub fn set(&mut self, value: P::Target); pub fn into_inner(pin: Pin<P>) -> P; }
    impl<T> Pin<&mut T> { pub fn get_mut(self) -> &mut T; pub fn get_unchecked_mut(self) -> &mut T; pub fn map_unchecked_mut<U, F: FnOnce(&mut T) -> &mut U>(self, func: F) -> Pin<&mut U>; }
    impl<P: crate::ops::Deref> crate::ops::Deref for Pin<P> { type Target = P::Target; }
    #[macro_export] macro_rules! pin { () => {} }
}
pub mod future {
    pub trait Future { type Output; fn poll(self: crate::pin::Pin<&mut Self>, cx: &mut crate::task::Context) -> crate::task::Poll<Self::Output>; }
    pub trait IntoFuture { type Output; type IntoFuture; fn into_future(self) -> Self::IntoFuture; }
    pub fn ready<T>(t: T) -> Ready<T>; pub fn pending<T>() -> Ready<T>; pub fn poll_fn<T, F: FnMut(&mut crate::task::Context) -> crate::task::Poll<T>>(f: F) -> Ready<T>;
    pub struct Ready<T>; impl<T> Future for Ready<T> { type Output = T; }
}
pub mod task {
    pub struct Context; impl Context { pub fn from_waker(waker: &Waker) -> Context; pub fn waker(&self) -> &Waker; }
    #[derive(Clone, Debug)] pub struct Waker; impl Waker { pub fn wake(self); pub fn wake_by_ref(&self); pub fn will_wake(&self, other: &Waker) -> bool; pub fn noop() -> &Waker; pub fn from_raw(waker: RawWaker) -> Waker; }
    pub struct RawWaker; pub struct RawWakerVTable; impl RawWaker { pub fn new(data: *const (), vtable: &RawWakerVTable) -> RawWaker; }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub enum Poll<T> { Ready(T), Pending }
    impl<T> Poll<T> { pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<U>; pub fn is_ready(&self) -> bool; pub fn is_pending(&self) -> bool; }
    impl<T, E> Poll<Result<T, E>> { pub fn map_ok<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<Result<U, E>>; pub fn map_err<U, F: FnOnce(E) -> U>(self, f: F) -> Poll<Result<T, U>>; }
    pub trait Wake { fn wake(self: crate::sync::Arc<Self>); fn wake_by_ref(self: &crate::sync::Arc<Self>); }
    #[macro_export] macro_rules! ready { () => {} }
}
pub mod mem {
    pub fn drop<T>(x: T); pub fn size_of<T>() -> usize; pub fn size_of_val<T>(val: &T) -> usize; pub fn align_of<T>() -> usize; pub fn swap<T>(x: &mut T, y: &mut T); pub fn replace<T>(dest: &mut T, src: T) -> T; pub fn take<T>(dest: &mut T) -> T; pub fn forget<T>(t: T); pub fn transmute<S, D>(src: S) -> D; pub fn zeroed<T>() -> T; pub fn discriminant<T>(v: &T) -> Discriminant<T>; pub fn needs_drop<T>() -> bool;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)] pub struct Discriminant<T>;
    pub struct ManuallyDrop<T>; impl<T> ManuallyDrop<T> { pub fn new(value: T) -> ManuallyDrop<T>; pub fn into_inner(slot: ManuallyDrop<T>) -> T; pub fn drop(slot: &mut ManuallyDrop<T>); pub fn take(slot: &mut ManuallyDrop<T>) -> T; } impl<T> crate::ops::Deref for ManuallyDrop<T> { type Target = T; }
    pub struct MaybeUninit<T>; impl<T> MaybeUninit<T> { pub fn new(val: T) -> MaybeUninit<T>; pub fn uninit() -> MaybeUninit<T>; pub fn zeroed() -> MaybeUninit<T>; pub fn as_ptr(&self) -> *const T; pub fn as_mut_ptr(&mut self) -> *mut T; pub fn assume_init(self) -> T; pub fn write(&mut self, val: T) -> &mut T; pub fn assume_init_ref(&self) -> &T; }
}
pub mod ptr {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct NonNull<T>; impl<T> NonNull<T> { pub fn new(ptr: *mut T) -> Option<NonNull<T>>; pub fn new_unchecked(ptr: *mut T) -> NonNull<T>; pub fn dangling() -> NonNull<T>; pub fn as_ptr(self) -> *mut T; pub fn as_ref(&self) -> &T; pub fn as_mut(&mut self) -> &mut T; pub fn cast<U>(self) -> NonNull<U>; }
    impl<T> *mut T { pub fn is_null(self) -> bool; pub fn cast<U>(self) -> *mut U; pub fn add(self, count: usize) -> *mut T; pub fn sub(self, count: usize) -> *mut T; pub fn offset(self, count: isize) -> *mut T; pub fn read(self) -> T; pub fn write(self, val: T); pub fn as_ref(self) -> Option<&T>; pub fn as_mut(self) -> Option<&mut T>; }
    pub fn null<T>() -> *const T; pub fn null_mut<T>() -> *mut T; pub fn read<T>(src: *const T) -> T; pub fn write<T>(dst: *mut T, src: T); pub fn eq<T>(a: *const T, b: *const T) -> bool; pub fn drop_in_place<T>(to_drop: *mut T); pub fn addr_of<T>(a: T) -> *const T;
}
pub mod collections {
    pub use hash_map::HashMap; pub use hash_set::HashSet; pub use btree_map::BTreeMap; pub use btree_set::BTreeSet; pub use vec_deque::VecDeque; pub use binary_heap::BinaryHeap; pub use linked_list::LinkedList;

    pub mod hash_map {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct HashMap<K, V, S = crate::hash::RandomState>;
        impl<K, V, S> HashMap<K, V, S> {
            pub fn new() -> Self; pub fn with_capacity(capacity: usize) -> Self; pub fn with_hasher(hash_builder: S) -> Self; pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self; pub fn reserve(&mut self, additional: usize); pub fn capacity(&self) -> usize; pub fn shrink_to_fit(&mut self); pub fn drain(&mut self) -> crate::iter::Same<(K, V)>;
            pub fn keys(&self) -> crate::iter::Same<&K>; pub fn values(&self) -> crate::iter::Same<&V>; pub fn values_mut(&mut self) -> crate::iter::Same<&mut V>; pub fn into_keys(self) -> crate::iter::Same<K>; pub fn into_values(self) -> crate::iter::Same<V>; pub fn iter(&self) -> crate::iter::Same<(&K, &V)>; pub fn iter_mut(&mut self) -> crate::iter::Same<(&K, &mut V)>;
            pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn entry(&mut self, key: K) -> Entry<K, V>; pub fn get<Q>(&self, k: &Q) -> Option<&V>; pub fn get_key_value<Q>(&self, k: &Q) -> Option<(&K, &V)>; pub fn contains_key<Q>(&self, k: &Q) -> bool; pub fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V>;
            pub fn insert(&mut self, k: K, v: V) -> Option<V>; pub fn remove<Q>(&mut self, k: &Q) -> Option<V>; pub fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)>; pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F);
        }
        impl<K, V, S> IntoIterator for HashMap<K, V, S> { type Item = (K, V); type IntoIter = crate::iter::Same<(K, V)>; }
        impl<K, V, S> IntoIterator for &HashMap<K, V, S> { type Item = (&K, &V); type IntoIter = crate::iter::Same<(&K, &V)>; }
        impl<K, V, S> FromIterator<(K, V)> for HashMap<K, V, S> {}
        impl<K, V, S> From<[(K, V); 1]> for HashMap<K, V, S> {}
        impl<K, V, S> Extend<(K, V)> for HashMap<K, V, S> {}
        impl<K, V, S, Q> crate::ops::Index<&Q> for HashMap<K, V, S> { type Output = V; }
        pub enum Entry<K, V> { Occupied(OccupiedEntry<K, V>), Vacant(VacantEntry<K, V>) }
        impl<K, V> Entry<K, V> { pub fn or_insert(self, default: V) -> &mut V; pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &mut V; pub fn or_default(self) -> &mut V; pub fn key(&self) -> &K; pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Self; pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &mut V; }
        pub struct OccupiedEntry<K, V>; pub struct VacantEntry<K, V>;
        impl<K, V> OccupiedEntry<K, V> { pub fn key(&self) -> &K; pub fn get(&self) -> &V; pub fn get_mut(&mut self) -> &mut V; pub fn into_mut(self) -> &mut V; pub fn insert(&mut self, value: V) -> V; pub fn remove(self) -> V; pub fn remove_entry(self) -> (K, V); }
        impl<K, V> VacantEntry<K, V> { pub fn key(&self) -> &K; pub fn into_key(self) -> K; pub fn insert(self, value: V) -> &mut V; }
        pub type Iter<K, V> = crate::iter::Same<(&K, &V)>; pub type IntoIter<K, V> = crate::iter::Same<(K, V)>; pub type Keys<K, V> = crate::iter::Same<&K>; pub type Values<K, V> = crate::iter::Same<&V>;
        pub use crate::hash::{DefaultHasher, RandomState};
    }
    pub mod btree_map {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct BTreeMap<K, V>;
        impl<K, V> BTreeMap<K, V> {
            pub fn new() -> Self; pub fn first_key_value(&self) -> Option<(&K, &V)>; pub fn last_key_value(&self) -> Option<(&K, &V)>; pub fn pop_first(&mut self) -> Option<(K, V)>; pub fn pop_last(&mut self) -> Option<(K, V)>; pub fn range<T, R>(&self, range: R) -> crate::iter::Same<(&K, &V)>; pub fn range_mut<T, R>(&mut self, range: R) -> crate::iter::Same<(&K, &mut V)>; pub fn append(&mut self, other: &mut Self); pub fn split_off<Q>(&mut self, key: &Q) -> Self;
            pub fn keys(&self) -> crate::iter::Same<&K>; pub fn values(&self) -> crate::iter::Same<&V>; pub fn values_mut(&mut self) -> crate::iter::Same<&mut V>; pub fn into_keys(self) -> crate::iter::Same<K>; pub fn into_values(self) -> crate::iter::Same<V>; pub fn iter(&self) -> crate::iter::Same<(&K, &V)>; pub fn iter_mut(&mut self) -> crate::iter::Same<(&K, &mut V)>;
            pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn entry(&mut self, key: K) -> Entry<K, V>; pub fn get<Q>(&self, k: &Q) -> Option<&V>; pub fn get_key_value<Q>(&self, k: &Q) -> Option<(&K, &V)>; pub fn contains_key<Q>(&self, k: &Q) -> bool; pub fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V>;
            pub fn insert(&mut self, k: K, v: V) -> Option<V>; pub fn remove<Q>(&mut self, k: &Q) -> Option<V>; pub fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)>; pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F);
        }
        impl<K, V> IntoIterator for BTreeMap<K, V> { type Item = (K, V); type IntoIter = crate::iter::Same<(K, V)>; }
        impl<K, V> IntoIterator for &BTreeMap<K, V> { type Item = (&K, &V); type IntoIter = crate::iter::Same<(&K, &V)>; }
        impl<K, V> FromIterator<(K, V)> for BTreeMap<K, V> {}
        impl<K, V> From<[(K, V); 1]> for BTreeMap<K, V> {}
        impl<K, V> Extend<(K, V)> for BTreeMap<K, V> {}
        impl<K, V, Q> crate::ops::Index<&Q> for BTreeMap<K, V> { type Output = V; }
        pub enum Entry<K, V> { Occupied(OccupiedEntry<K, V>), Vacant(VacantEntry<K, V>) }
        impl<K, V> Entry<K, V> { pub fn or_insert(self, default: V) -> &mut V; pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &mut V; pub fn or_default(self) -> &mut V; pub fn key(&self) -> &K; pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Self; pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &mut V; }
        pub struct OccupiedEntry<K, V>; pub struct VacantEntry<K, V>;
        impl<K, V> OccupiedEntry<K, V> { pub fn key(&self) -> &K; pub fn get(&self) -> &V; pub fn get_mut(&mut self) -> &mut V; pub fn into_mut(self) -> &mut V; pub fn insert(&mut self, value: V) -> V; pub fn remove(self) -> V; pub fn remove_entry(self) -> (K, V); }
        impl<K, V> VacantEntry<K, V> { pub fn key(&self) -> &K; pub fn into_key(self) -> K; pub fn insert(self, value: V) -> &mut V; }
        pub type Iter<K, V> = crate::iter::Same<(&K, &V)>; pub type IntoIter<K, V> = crate::iter::Same<(K, V)>; pub type Keys<K, V> = crate::iter::Same<&K>; pub type Values<K, V> = crate::iter::Same<&V>;
        pub use crate::hash::{DefaultHasher, RandomState};
    }
    pub mod hash_set {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct HashSet<T, S = crate::hash::RandomState>;
        impl<T, S> HashSet<T, S> { pub fn new() -> Self; pub fn with_capacity(capacity: usize) -> Self; pub fn with_hasher(hasher: S) -> Self; pub fn reserve(&mut self, additional: usize); pub fn drain(&mut self) -> crate::iter::Same<T>; pub fn iter(&self) -> crate::iter::Same<&T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn difference(&self, other: &Self) -> crate::iter::Same<&T>; pub fn symmetric_difference(&self, other: &Self) -> crate::iter::Same<&T>; pub fn intersection(&self, other: &Self) -> crate::iter::Same<&T>; pub fn union(&self, other: &Self) -> crate::iter::Same<&T>; pub fn contains<Q>(&self, value: &Q) -> bool; pub fn get<Q>(&self, value: &Q) -> Option<&T>; pub fn is_subset(&self, other: &Self) -> bool; pub fn is_superset(&self, other: &Self) -> bool; pub fn is_disjoint(&self, other: &Self) -> bool; pub fn insert(&mut self, value: T) -> bool; pub fn replace(&mut self, value: T) -> Option<T>; pub fn remove<Q>(&mut self, value: &Q) -> bool; pub fn take<Q>(&mut self, value: &Q) -> Option<T>; pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); }
        impl<T, S> IntoIterator for HashSet<T, S> { type Item = T; type IntoIter = crate::iter::Same<T>; }
        impl<T, S> IntoIterator for &HashSet<T, S> { type Item = &T; type IntoIter = crate::iter::Same<&T>; }
        impl<T, S> FromIterator<T> for HashSet<T, S> {}
        impl<T, S> From<[T; 1]> for HashSet<T, S> {}
        impl<T, S> Extend<T> for HashSet<T, S> {}
    }
    pub mod btree_set {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct BTreeSet<T>;
        impl<T> BTreeSet<T> { pub fn new() -> Self; pub fn first(&self) -> Option<&T>; pub fn last(&self) -> Option<&T>; pub fn pop_first(&mut self) -> Option<T>; pub fn pop_last(&mut self) -> Option<T>; pub fn range<K, R>(&self, range: R) -> crate::iter::Same<&T>; pub fn iter(&self) -> crate::iter::Same<&T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn clear(&mut self); pub fn difference(&self, other: &Self) -> crate::iter::Same<&T>; pub fn symmetric_difference(&self, other: &Self) -> crate::iter::Same<&T>; pub fn intersection(&self, other: &Self) -> crate::iter::Same<&T>; pub fn union(&self, other: &Self) -> crate::iter::Same<&T>; pub fn contains<Q>(&self, value: &Q) -> bool; pub fn get<Q>(&self, value: &Q) -> Option<&T>; pub fn is_subset(&self, other: &Self) -> bool; pub fn is_superset(&self, other: &Self) -> bool; pub fn is_disjoint(&self, other: &Self) -> bool; pub fn insert(&mut self, value: T) -> bool; pub fn replace(&mut self, value: T) -> Option<T>; pub fn remove<Q>(&mut self, value: &Q) -> bool; pub fn take<Q>(&mut self, value: &Q) -> Option<T>; pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); }
        impl<T> IntoIterator for BTreeSet<T> { type Item = T; type IntoIter = crate::iter::Same<T>; }
        impl<T> IntoIterator for &BTreeSet<T> { type Item = &T; type IntoIter = crate::iter::Same<&T>; }
        impl<T> FromIterator<T> for BTreeSet<T> {}
        impl<T> From<[T; 1]> for BTreeSet<T> {}
        impl<T> Extend<T> for BTreeSet<T> {}
    }
    pub mod vec_deque {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct VecDeque<T>;
        impl<T> VecDeque<T> { pub fn new() -> Self; pub fn with_capacity(capacity: usize) -> Self; pub fn get(&self, index: usize) -> Option<&T>; pub fn get_mut(&mut self, index: usize) -> Option<&mut T>; pub fn capacity(&self) -> usize; pub fn reserve(&mut self, additional: usize); pub fn truncate(&mut self, len: usize); pub fn iter(&self) -> crate::iter::Same<&T>; pub fn iter_mut(&mut self) -> crate::iter::Same<&mut T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn drain<R>(&mut self, range: R) -> crate::iter::Same<T>; pub fn clear(&mut self); pub fn contains(&self, x: &T) -> bool; pub fn front(&self) -> Option<&T>; pub fn front_mut(&mut self) -> Option<&mut T>; pub fn back(&self) -> Option<&T>; pub fn back_mut(&mut self) -> Option<&mut T>; pub fn pop_front(&mut self) -> Option<T>; pub fn pop_back(&mut self) -> Option<T>; pub fn push_front(&mut self, value: T); pub fn push_back(&mut self, value: T); pub fn insert(&mut self, index: usize, value: T); pub fn remove(&mut self, index: usize) -> Option<T>; pub fn append(&mut self, other: &mut Self); pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F); pub fn make_contiguous(&mut self) -> &mut [T]; pub fn as_slices(&self) -> (&[T], &[T]); pub fn swap(&mut self, i: usize, j: usize); }
        impl<T> IntoIterator for VecDeque<T> { type Item = T; type IntoIter = crate::iter::Same<T>; } impl<T> IntoIterator for &VecDeque<T> { type Item = &T; type IntoIter = crate::iter::Same<&T>; } impl<T> FromIterator<T> for VecDeque<T> {} impl<T> Extend<T> for VecDeque<T> {} impl<T> From<Vec<T>> for VecDeque<T> {} impl<T> crate::ops::Index<usize> for VecDeque<T> { type Output = T; }
    }
    pub mod binary_heap { #[derive(Clone, Debug, Default)] pub struct BinaryHeap<T>; impl<T> BinaryHeap<T> { pub fn new() -> Self; pub fn with_capacity(capacity: usize) -> Self; pub fn peek(&self) -> Option<&T>; pub fn pop(&mut self) -> Option<T>; pub fn push(&mut self, item: T); pub fn into_sorted_vec(self) -> Vec<T>; pub fn into_vec(self) -> Vec<T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; pub fn iter(&self) -> crate::iter::Same<&T>; pub fn clear(&mut self); } impl<T> FromIterator<T> for BinaryHeap<T> {} impl<T> IntoIterator for BinaryHeap<T> { type Item = T; type IntoIter = crate::iter::Same<T>; } }
    pub mod linked_list { #[derive(Clone, Debug, Default)] pub struct LinkedList<T>; impl<T> LinkedList<T> { pub fn new() -> Self; pub fn push_back(&mut self, elt: T); pub fn push_front(&mut self, elt: T); pub fn pop_back(&mut self) -> Option<T>; pub fn pop_front(&mut self) -> Option<T>; pub fn iter(&self) -> crate::iter::Same<&T>; pub fn len(&self) -> usize; pub fn is_empty(&self) -> bool; } }
}
pub mod path {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Path;
    impl Path {
        pub fn new<S>(s: &S) -> &Path; pub fn as_os_str(&self) -> &crate::ffi::OsStr; pub fn to_str(&self) -> Option<&str>; pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>; pub fn to_path_buf(&self) -> PathBuf; pub fn is_absolute(&self) -> bool; pub fn is_relative(&self) -> bool; pub fn has_root(&self) -> bool; pub fn parent(&self) -> Option<&Path>; pub fn ancestors(&self) -> Ancestors; pub fn file_name(&self) -> Option<&crate::ffi::OsStr>; pub fn strip_prefix<P>(&self, base: P) -> Result<&Path, StripPrefixError>; pub fn starts_with<P>(&self, base: P) -> bool; pub fn ends_with<P>(&self, child: P) -> bool; pub fn file_stem(&self) -> Option<&crate::ffi::OsStr>; pub fn extension(&self) -> Option<&crate::ffi::OsStr>; pub fn join<P>(&self, path: P) -> PathBuf; pub fn with_file_name<S>(&self, file_name: S) -> PathBuf; pub fn with_extension<S>(&self, extension: S) -> PathBuf; pub fn components(&self) -> Components; pub fn iter(&self) -> crate::iter::Same<&crate::ffi::OsStr>; pub fn display(&self) -> Display; pub fn metadata(&self) -> crate::io::Result<crate::fs::Metadata>; pub fn symlink_metadata(&self) -> crate::io::Result<crate::fs::Metadata>; pub fn canonicalize(&self) -> crate::io::Result<PathBuf>; pub fn read_link(&self) -> crate::io::Result<PathBuf>; pub fn read_dir(&self) -> crate::io::Result<crate::fs::ReadDir>; pub fn exists(&self) -> bool; pub fn try_exists(&self) -> crate::io::Result<bool>; pub fn is_file(&self) -> bool; pub fn is_dir(&self) -> bool; pub fn is_symlink(&self) -> bool; pub fn into_path_buf(self) -> PathBuf;
    }
    impl AsRef<Path> for Path {} impl AsRef<crate::ffi::OsStr> for Path {}
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct PathBuf;
    impl PathBuf { pub fn new() -> PathBuf; pub fn as_path(&self) -> &Path; pub fn push<P>(&mut self, path: P); pub fn pop(&mut self) -> bool; pub fn set_file_name<S>(&mut self, file_name: S); pub fn set_extension<S>(&mut self, extension: S) -> bool; pub fn into_os_string(self) -> crate::ffi::OsString; pub fn into_boxed_path(self) -> Box<Path>; pub fn clear(&mut self); pub fn as_mut_os_string(&mut self) -> &mut crate::ffi::OsString; }
    impl crate::ops::Deref for PathBuf { type Target = Path; } impl AsRef<Path> for PathBuf {} impl<T> From<&T> for PathBuf {} impl From<String> for PathBuf {} impl From<crate::ffi::OsString> for PathBuf {} impl crate::str::FromStr for PathBuf { type Err = crate::convert::Infallible; } impl<P> FromIterator<P> for PathBuf {} impl crate::borrow::Borrow<Path> for PathBuf {}
    #[derive(Clone, Debug)] pub struct Components; impl Components { pub fn as_path(&self) -> &Path; } impl Iterator for Components { type Item = Component; } impl DoubleEndedIterator for Components {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub enum Component { Prefix(PrefixComponent), RootDir, CurDir, ParentDir, Normal(&crate::ffi::OsStr) } impl Component { pub fn as_os_str(self) -> &crate::ffi::OsStr; } impl AsRef<Path> for Component {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct PrefixComponent; impl PrefixComponent { pub fn kind(&self) -> Prefix; pub fn as_os_str(&self) -> &crate::ffi::OsStr; } pub enum Prefix { Verbatim(&crate::ffi::OsStr), Disk(u8) }
    pub struct Ancestors; impl Iterator for Ancestors { type Item = &Path; }
    #[derive(Debug)] pub struct Display; impl crate::fmt::Display for Display {} #[derive(Clone, Debug, PartialEq, Eq)] pub struct StripPrefixError; impl crate::fmt::Display for StripPrefixError {}
    pub const MAIN_SEPARATOR: char = '/'; pub const MAIN_SEPARATOR_STR: &str = "/"; pub fn is_separator(c: char) -> bool; pub fn absolute<P>(path: P) -> crate::io::Result<PathBuf>;
}
pub mod ffi {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct OsStr;
    impl OsStr { pub fn new<S>(s: &S) -> &OsStr; pub fn to_str(&self) -> Option<&str>; pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>; pub fn to_os_string(&self) -> OsString; pub fn is_empty(&self) -> bool; pub fn len(&self) -> usize; pub fn as_encoded_bytes(&self) -> &[u8]; pub fn eq_ignore_ascii_case<S>(&self, other: S) -> bool; pub fn to_ascii_lowercase(&self) -> OsString; pub fn display(&self) -> crate::path::Display; pub fn into_os_string(self) -> OsString; }
    impl AsRef<OsStr> for OsStr {} impl AsRef<crate::path::Path> for OsStr {} impl AsRef<OsStr> for str {} impl crate::os::unix::ffi::OsStrExt for OsStr {}
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct OsString;
    impl OsString { pub fn new() -> OsString; pub fn as_os_str(&self) -> &OsStr; pub fn into_string(self) -> Result<String, OsString>; pub fn push<T>(&mut self, s: T); pub fn clear(&mut self); pub fn into_encoded_bytes(self) -> Vec<u8>; pub fn with_capacity(capacity: usize) -> OsString; pub fn from_encoded_bytes_unchecked(bytes: Vec<u8>) -> OsString; }
    impl crate::ops::Deref for OsString { type Target = OsStr; } impl AsRef<OsStr> for OsString {} impl AsRef<crate::path::Path> for OsString {} impl<T> From<&T> for OsString {} impl From<String> for OsString {} impl crate::os::unix::ffi::OsStringExt for OsString {} impl crate::borrow::Borrow<OsStr> for OsString {}
    #[derive(Clone, Debug, PartialEq, Eq)] pub struct CString; impl CString { pub fn new<T>(t: T) -> Result<CString, NulError>; pub fn as_ptr(&self) -> *const i8; pub fn as_c_str(&self) -> &CStr; pub fn into_bytes(self) -> Vec<u8>; } #[derive(Debug)] pub struct NulError; #[derive(Debug)] pub struct CStr; impl CStr { pub fn from_ptr(ptr: *const i8) -> &CStr; pub fn to_bytes(&self) -> &[u8]; pub fn to_str(&self) -> Result<&str, crate::str::Utf8Error>; pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>; }
}
pub mod os { pub mod unix { pub mod ffi { pub trait OsStrExt { fn as_bytes(&self) -> &[u8]; fn from_bytes(slice: &[u8]) -> &Self; } pub trait OsStringExt { fn from_vec(vec: Vec<u8>) -> Self; fn into_vec(self) -> Vec<u8>; } } pub mod fs { pub trait MetadataExt { fn dev(&self) -> u64; fn ino(&self) -> u64; fn mode(&self) -> u32; fn uid(&self) -> u32; fn gid(&self) -> u32; fn size(&self) -> u64; } impl MetadataExt for crate::fs::Metadata {} pub trait FileTypeExt { fn is_block_device(&self) -> bool; fn is_char_device(&self) -> bool; fn is_fifo(&self) -> bool; fn is_socket(&self) -> bool; } impl FileTypeExt for crate::fs::FileType {} pub trait PermissionsExt { fn mode(&self) -> u32; fn set_mode(&mut self, mode: u32); fn from_mode(mode: u32) -> Self; } impl PermissionsExt for crate::fs::Permissions {} pub fn symlink<P, Q>(original: P, link: Q) -> crate::io::Result<()>; } } }
pub mod io {
    pub type Result<T> = crate::result::Result<T, Error>;
    #[derive(Debug)] pub struct Error; impl Error { pub fn new<E>(kind: ErrorKind, error: E) -> Error; pub fn other<E>(error: E) -> Error; pub fn last_os_error() -> Error; pub fn from_raw_os_error(code: i32) -> Error; pub fn raw_os_error(&self) -> Option<i32>; pub fn get_ref(&self) -> Option<&dyn crate::error::Error>; pub fn into_inner(self) -> Option<Box<dyn crate::error::Error>>; pub fn kind(&self) -> ErrorKind; } impl crate::fmt::Display for Error {} impl crate::error::Error for Error {} impl From<ErrorKind> for Error {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub enum ErrorKind { NotFound, PermissionDenied, ConnectionRefused, ConnectionReset, ConnectionAborted, NotConnected, AddrInUse, BrokenPipe, AlreadyExists, WouldBlock, InvalidInput, InvalidData, TimedOut, WriteZero, Interrupted, Unsupported, UnexpectedEof, OutOfMemory, Other, NotADirectory, IsADirectory }
    pub trait Read { fn read(&mut self, buf: &mut [u8]) -> Result<usize>; fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize>; fn read_to_string(&mut self, buf: &mut String) -> Result<usize>; fn read_exact(&mut self, buf: &mut [u8]) -> Result<()>; fn by_ref(&mut self) -> &mut Self; fn bytes(self) -> crate::iter::Same<Result<u8>>; fn chain<R: Read>(self, next: R) -> Take<Self>; fn take(self, limit: u64) -> Take<Self>; }
    pub trait Write { fn write(&mut self, buf: &[u8]) -> Result<usize>; fn flush(&mut self) -> Result<()>; fn write_all(&mut self, buf: &[u8]) -> Result<()>; fn write_fmt(&mut self, args: crate::fmt::Arguments) -> Result<()>; fn by_ref(&mut self) -> &mut Self; fn write_vectored(&mut self, bufs: &[IoSlice]) -> Result<usize>; }
    pub trait BufRead: Read { fn fill_buf(&mut self) -> Result<&[u8]>; fn consume(&mut self, amt: usize); fn read_until(&mut self, byte: u8, buf: &mut Vec<u8>) -> Result<usize>; fn read_line(&mut self, buf: &mut String) -> Result<usize>; fn split(self, byte: u8) -> crate::iter::Same<Result<Vec<u8>>>; fn lines(self) -> crate::iter::Same<Result<String>>; }
    pub trait Seek { fn seek(&mut self, pos: SeekFrom) -> Result<u64>; fn rewind(&mut self) -> Result<()>; fn stream_position(&mut self) -> Result<u64>; } #[derive(Clone, Copy, Debug)] pub enum SeekFrom { Start(u64), End(i64), Current(i64) }
    pub trait IsTerminal { fn is_terminal(&self) -> bool; }
    impl<R: Read> Read for &mut R {} impl<W: Write> Write for &mut W {} impl<R: BufRead> BufRead for &mut R {} impl<R: Read> Read for Box<R> {} impl<W: Write> Write for Box<W> {}
    #[derive(Debug)] pub struct Take<R>; impl<R: Read> Read for Take<R> {} impl<R: BufRead> BufRead for Take<R> {}
    #[derive(Debug)] pub struct BufReader<R>; impl<R> BufReader<R> { pub fn new(inner: R) -> BufReader<R>; pub fn with_capacity(capacity: usize, inner: R) -> BufReader<R>; pub fn get_ref(&self) -> &R; pub fn get_mut(&mut self) -> &mut R; pub fn into_inner(self) -> R; pub fn buffer(&self) -> &[u8]; } impl<R> Read for BufReader<R> {} impl<R> BufRead for BufReader<R> {}
    #[derive(Debug)] pub struct BufWriter<W>; impl<W> BufWriter<W> { pub fn new(inner: W) -> BufWriter<W>; pub fn with_capacity(capacity: usize, inner: W) -> BufWriter<W>; pub fn get_ref(&self) -> &W; pub fn get_mut(&mut self) -> &mut W; pub fn into_inner(self) -> crate::result::Result<W, IntoInnerError<W>>; } impl<W> Write for BufWriter<W> {} #[derive(Debug)] pub struct LineWriter<W>; impl<W> LineWriter<W> { pub fn new(inner: W) -> LineWriter<W>; pub fn get_ref(&self) -> &W; pub fn get_mut(&mut self) -> &mut W; } impl<W> Write for LineWriter<W> {} #[derive(Debug)] pub struct IntoInnerError<W>;
    #[derive(Clone, Debug, Default, PartialEq, Eq)] pub struct Cursor<T>; impl<T> Cursor<T> { pub fn new(inner: T) -> Cursor<T>; pub fn into_inner(self) -> T; pub fn get_ref(&self) -> &T; pub fn get_mut(&mut self) -> &mut T; pub fn position(&self) -> u64; pub fn set_position(&mut self, pos: u64); } impl<T> Read for Cursor<T> {} impl<T> BufRead for Cursor<T> {} impl<T> Write for Cursor<T> {} impl<T> Seek for Cursor<T> {}
    #[derive(Debug)] pub struct Stdin; impl Stdin { pub fn lock(&self) -> StdinLock; pub fn read_line(&self, buf: &mut String) -> Result<usize>; pub fn lines(self) -> crate::iter::Same<Result<String>>; } impl Read for Stdin {} impl IsTerminal for Stdin {} #[derive(Debug)] pub struct StdinLock; impl Read for StdinLock {} impl BufRead for StdinLock {}
    #[derive(Debug)] pub struct Stdout; impl Stdout { pub fn lock(&self) -> StdoutLock; } impl Write for Stdout {} impl IsTerminal for Stdout {} #[derive(Debug)] pub struct StdoutLock; impl Write for StdoutLock {} #[derive(Debug)] pub struct Stderr; impl Stderr { pub fn lock(&self) -> StderrLock; } impl Write for Stderr {} impl IsTerminal for Stderr {} #[derive(Debug)] pub struct StderrLock; impl Write for StderrLock {}
    pub fn stdin() -> Stdin; pub fn stdout() -> Stdout; pub fn stderr() -> Stderr; pub fn copy<R, W>(reader: &mut R, writer: &mut W) -> Result<u64>; pub fn empty() -> Empty; pub fn sink() -> Sink; pub fn repeat(byte: u8) -> Empty; pub fn read_to_string<R: Read>(reader: R) -> Result<String>; #[derive(Debug)] pub struct Empty; impl Read for Empty {} #[derive(Debug)] pub struct Sink; impl Write for Sink {} pub struct IoSlice; pub struct IoSliceMut;
    pub mod prelude { pub use super::{BufRead, Read, Seek, Write}; }
}
pub mod fs {
    #[derive(Debug)] pub struct File; impl File { pub fn open<P>(path: P) -> crate::io::Result<File>; pub fn create<P>(path: P) -> crate::io::Result<File>; pub fn create_new<P>(path: P) -> crate::io::Result<File>; pub fn options() -> OpenOptions; pub fn sync_all(&self) -> crate::io::Result<()>; pub fn set_len(&self, size: u64) -> crate::io::Result<()>; pub fn metadata(&self) -> crate::io::Result<Metadata>; pub fn try_clone(&self) -> crate::io::Result<File>; pub fn set_permissions(&self, perm: Permissions) -> crate::io::Result<()>; } impl crate::io::Read for File {} impl crate::io::Write for File {} impl crate::io::Seek for File {} impl crate::io::Read for &File {} impl crate::io::Write for &File {}
    #[derive(Clone, Debug)] pub struct Metadata; impl Metadata { pub fn file_type(&self) -> FileType; pub fn is_dir(&self) -> bool; pub fn is_file(&self) -> bool; pub fn is_symlink(&self) -> bool; pub fn len(&self) -> u64; pub fn permissions(&self) -> Permissions; pub fn modified(&self) -> crate::io::Result<crate::time::SystemTime>; pub fn accessed(&self) -> crate::io::Result<crate::time::SystemTime>; pub fn created(&self) -> crate::io::Result<crate::time::SystemTime>; }
    #[derive(Debug)] pub struct ReadDir; impl Iterator for ReadDir { type Item = crate::io::Result<DirEntry>; } #[derive(Debug)] pub struct DirEntry; impl DirEntry { pub fn path(&self) -> crate::path::PathBuf; pub fn metadata(&self) -> crate::io::Result<Metadata>; pub fn file_type(&self) -> crate::io::Result<FileType>; pub fn file_name(&self) -> crate::ffi::OsString; }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)] pub struct FileType; impl FileType { pub fn is_dir(&self) -> bool; pub fn is_file(&self) -> bool; pub fn is_symlink(&self) -> bool; } #[derive(Clone, Debug, PartialEq, Eq)] pub struct Permissions; impl Permissions { pub fn readonly(&self) -> bool; pub fn set_readonly(&mut self, readonly: bool); }
    #[derive(Clone, Debug)] pub struct OpenOptions; impl OpenOptions { pub fn new() -> Self; pub fn read(&mut self, read: bool) -> &mut Self; pub fn write(&mut self, write: bool) -> &mut Self; pub fn append(&mut self, append: bool) -> &mut Self; pub fn truncate(&mut self, truncate: bool) -> &mut Self; pub fn create(&mut self, create: bool) -> &mut Self; pub fn create_new(&mut self, create_new: bool) -> &mut Self; pub fn open<P>(&self, path: P) -> crate::io::Result<File>; }
    pub fn read<P>(path: P) -> crate::io::Result<Vec<u8>>; pub fn read_to_string<P>(path: P) -> crate::io::Result<String>; pub fn write<P, C>(path: P, contents: C) -> crate::io::Result<()>; pub fn remove_file<P>(path: P) -> crate::io::Result<()>; pub fn metadata<P>(path: P) -> crate::io::Result<Metadata>; pub fn symlink_metadata<P>(path: P) -> crate::io::Result<Metadata>; pub fn rename<P, Q>(from: P, to: Q) -> crate::io::Result<()>; pub fn copy<P, Q>(from: P, to: Q) -> crate::io::Result<u64>; pub fn hard_link<P, Q>(original: P, link: Q) -> crate::io::Result<()>; pub fn read_link<P>(path: P) -> crate::io::Result<crate::path::PathBuf>; pub fn canonicalize<P>(path: P) -> crate::io::Result<crate::path::PathBuf>; pub fn create_dir<P>(path: P) -> crate::io::Result<()>; pub fn create_dir_all<P>(path: P) -> crate::io::Result<()>; pub fn remove_dir<P>(path: P) -> crate::io::Result<()>; pub fn remove_dir_all<P>(path: P) -> crate::io::Result<()>; pub fn read_dir<P>(path: P) -> crate::io::Result<ReadDir>; pub fn set_permissions<P>(path: P, perm: Permissions) -> crate::io::Result<()>; pub fn exists<P>(path: P) -> crate::io::Result<bool>;
}
pub mod env {
    pub fn current_dir() -> crate::io::Result<crate::path::PathBuf>; pub fn set_current_dir<P>(path: P) -> crate::io::Result<()>; pub fn vars() -> crate::iter::Same<(String, String)>; pub fn var<K>(key: K) -> Result<String, VarError>; pub fn var_os<K>(key: K) -> Option<crate::ffi::OsString>; pub fn set_var<K, V>(key: K, value: V); pub fn remove_var<K>(key: K); pub fn split_paths<T>(unparsed: &T) -> crate::iter::Same<crate::path::PathBuf>; pub fn join_paths<I, T>(paths: I) -> Result<crate::ffi::OsString, JoinPathsError>; pub fn home_dir() -> Option<crate::path::PathBuf>; pub fn temp_dir() -> crate::path::PathBuf; pub fn current_exe() -> crate::io::Result<crate::path::PathBuf>; pub fn args() -> Args; pub fn args_os() -> ArgsOs; #[derive(Debug)] pub struct Args; impl Iterator for Args { type Item = String; } #[derive(Debug)] pub struct ArgsOs; impl Iterator for ArgsOs { type Item = crate::ffi::OsString; } #[derive(Clone, Debug, PartialEq, Eq)] pub enum VarError { NotPresent, NotUnicode(crate::ffi::OsString) } #[derive(Debug)] pub struct JoinPathsError; pub mod consts { pub const OS: &str = ""; pub const ARCH: &str = ""; }
}
pub mod process {
    #[derive(Debug)] pub struct Command; impl Command { pub fn new<S>(program: S) -> Command; pub fn arg<S>(&mut self, arg: S) -> &mut Command; pub fn args<I, S>(&mut self, args: I) -> &mut Command; pub fn env<K, V>(&mut self, key: K, val: V) -> &mut Command; pub fn envs<I>(&mut self, vars: I) -> &mut Command; pub fn env_remove<K>(&mut self, key: K) -> &mut Command; pub fn env_clear(&mut self) -> &mut Command; pub fn current_dir<P>(&mut self, dir: P) -> &mut Command; pub fn stdin<T>(&mut self, cfg: T) -> &mut Command; pub fn stdout<T>(&mut self, cfg: T) -> &mut Command; pub fn stderr<T>(&mut self, cfg: T) -> &mut Command; pub fn spawn(&mut self) -> crate::io::Result<Child>; pub fn output(&mut self) -> crate::io::Result<Output>; pub fn status(&mut self) -> crate::io::Result<ExitStatus>; pub fn get_program(&self) -> &crate::ffi::OsStr; pub fn get_args(&self) -> crate::iter::Same<&crate::ffi::OsStr>; }
    #[derive(Debug)] pub struct Child { pub stdin: Option<ChildStdin>, pub stdout: Option<ChildStdout>, pub stderr: Option<ChildStderr> } impl Child { pub fn kill(&mut self) -> crate::io::Result<()>; pub fn id(&self) -> u32; pub fn wait(&mut self) -> crate::io::Result<ExitStatus>; pub fn try_wait(&mut self) -> crate::io::Result<Option<ExitStatus>>; pub fn wait_with_output(self) -> crate::io::Result<Output>; } #[derive(Debug)] pub struct ChildStdin; impl crate::io::Write for ChildStdin {} #[derive(Debug)] pub struct ChildStdout; impl crate::io::Read for ChildStdout {} #[derive(Debug)] pub struct ChildStderr; impl crate::io::Read for ChildStderr {}
    #[derive(Clone, Debug, PartialEq, Eq)] pub struct Output { pub status: ExitStatus, pub stdout: Vec<u8>, pub stderr: Vec<u8> } #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub struct ExitStatus; impl ExitStatus { pub fn success(&self) -> bool; pub fn code(&self) -> Option<i32>; } impl crate::fmt::Display for ExitStatus {} #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub struct ExitCode; impl ExitCode { pub const SUCCESS: ExitCode = ExitCode; pub const FAILURE: ExitCode = ExitCode; pub fn exit_process(self) -> !; } impl From<u8> for ExitCode {} #[derive(Debug)] pub struct Stdio; impl Stdio { pub fn piped() -> Stdio; pub fn inherit() -> Stdio; pub fn null() -> Stdio; } pub fn exit(code: i32) -> !; pub fn abort() -> !; pub fn id() -> u32; pub trait Termination { fn report(self) -> ExitCode; }
}
pub mod time {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Duration; impl Duration { pub const ZERO: Duration = Duration; pub const MAX: Duration = Duration; pub fn new(secs: u64, nanos: u32) -> Duration; pub fn from_secs(secs: u64) -> Duration; pub fn from_millis(millis: u64) -> Duration; pub fn from_micros(micros: u64) -> Duration; pub fn from_nanos(nanos: u64) -> Duration; pub fn from_secs_f64(secs: f64) -> Duration; pub fn as_secs(&self) -> u64; pub fn as_millis(&self) -> u128; pub fn as_micros(&self) -> u128; pub fn as_nanos(&self) -> u128; pub fn subsec_nanos(&self) -> u32; pub fn subsec_millis(&self) -> u32; pub fn as_secs_f64(&self) -> f64; pub fn as_secs_f32(&self) -> f32; pub fn checked_add(self, rhs: Duration) -> Option<Duration>; pub fn checked_sub(self, rhs: Duration) -> Option<Duration>; pub fn saturating_sub(self, rhs: Duration) -> Duration; pub fn saturating_add(self, rhs: Duration) -> Duration; pub fn mul_f64(self, rhs: f64) -> Duration; pub fn is_zero(&self) -> bool; } impl crate::ops::Add for Duration { type Output = Duration; }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Instant; impl Instant { pub fn now() -> Instant; pub fn duration_since(&self, earlier: Instant) -> Duration; pub fn elapsed(&self) -> Duration; pub fn checked_add(&self, duration: Duration) -> Option<Instant>; pub fn checked_sub(&self, duration: Duration) -> Option<Instant>; pub fn saturating_duration_since(&self, earlier: Instant) -> Duration; } #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct SystemTime; impl SystemTime { pub const UNIX_EPOCH: SystemTime = SystemTime; pub fn now() -> SystemTime; pub fn duration_since(&self, earlier: SystemTime) -> Result<Duration, SystemTimeError>; pub fn elapsed(&self) -> Result<Duration, SystemTimeError>; pub fn checked_add(&self, duration: Duration) -> Option<SystemTime>; pub fn checked_sub(&self, duration: Duration) -> Option<SystemTime>; } pub const UNIX_EPOCH: SystemTime = SystemTime; #[derive(Clone, Debug)] pub struct SystemTimeError;
}
pub mod thread {
    pub fn spawn<F: FnOnce() -> T, T>(f: F) -> JoinHandle<T>; pub fn sleep(dur: crate::time::Duration); pub fn current() -> Thread; pub fn yield_now(); pub fn park(); pub fn park_timeout(dur: crate::time::Duration); pub fn panicking() -> bool; pub fn available_parallelism() -> crate::io::Result<crate::num::NonZeroUsize>; pub fn scope<F: FnOnce(&Scope) -> T, T>(f: F) -> T; pub struct Scope; impl Scope { pub fn spawn<F: FnOnce() -> T, T>(&self, f: F) -> ScopedJoinHandle<T>; } pub struct ScopedJoinHandle<T>; impl<T> ScopedJoinHandle<T> { pub fn join(self) -> Result<T>; pub fn thread(&self) -> &Thread; } pub struct JoinHandle<T>; impl<T> JoinHandle<T> { pub fn join(self) -> Result<T>; pub fn thread(&self) -> &Thread; pub fn is_finished(&self) -> bool; } pub type Result<T> = crate::result::Result<T, Box<dyn crate::any::Any>>; #[derive(Clone, Debug)] pub struct Thread; impl Thread { pub fn unpark(&self); pub fn id(&self) -> ThreadId; pub fn name(&self) -> Option<&str>; } #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)] pub struct ThreadId; #[derive(Debug)] pub struct Builder; impl Builder { pub fn new() -> Builder; pub fn name(self, name: String) -> Builder; pub fn stack_size(self, size: usize) -> Builder; pub fn spawn<F: FnOnce() -> T, T>(self, f: F) -> crate::io::Result<JoinHandle<T>>; } pub struct LocalKey<T>; impl<T> LocalKey<T> { pub fn with<R, F: FnOnce(&T) -> R>(&self, f: F) -> R; pub fn try_with<R, F: FnOnce(&T) -> R>(&self, f: F) -> crate::result::Result<R, AccessError>; } pub struct AccessError;
}
pub mod num { #[derive(Clone, Debug, PartialEq, Eq)] pub struct ParseIntError; impl ParseIntError { pub fn kind(&self) -> &IntErrorKind; } #[derive(Clone, Debug, PartialEq, Eq)] pub enum IntErrorKind { Empty, InvalidDigit, PosOverflow, NegOverflow, Zero } impl crate::fmt::Display for ParseIntError {} impl crate::error::Error for ParseIntError {} #[derive(Clone, Debug, PartialEq, Eq)] pub struct ParseFloatError; impl crate::fmt::Display for ParseFloatError {} impl crate::error::Error for ParseFloatError {} #[derive(Clone, Copy, Debug, PartialEq, Eq)] pub struct TryFromIntError; impl crate::fmt::Display for TryFromIntError {} impl crate::error::Error for TryFromIntError {} #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct NonZero<T>; impl<T> NonZero<T> { pub fn new(n: T) -> Option<NonZero<T>>; pub fn new_unchecked(n: T) -> NonZero<T>; pub fn get(self) -> T; } pub type NonZeroUsize = NonZero<usize>; pub type NonZeroU8 = NonZero<u8>; pub type NonZeroU16 = NonZero<u16>; pub type NonZeroU32 = NonZero<u32>; pub type NonZeroU64 = NonZero<u64>; #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Wrapping<T>(pub T); }
pub mod net { #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub enum SocketAddr { V4(SocketAddrV4), V6(SocketAddrV6) } impl SocketAddr { pub fn new(ip: IpAddr, port: u16) -> SocketAddr; pub fn ip(&self) -> IpAddr; pub fn port(&self) -> u16; pub fn set_port(&mut self, port: u16); } impl crate::fmt::Display for SocketAddr {} #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct SocketAddrV4; #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct SocketAddrV6; #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub enum IpAddr { V4(Ipv4Addr), V6(Ipv6Addr) } #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Ipv4Addr; impl Ipv4Addr { pub const LOCALHOST: Ipv4Addr = Ipv4Addr; pub fn new(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr; } #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)] pub struct Ipv6Addr; #[derive(Debug)] pub struct TcpStream; impl TcpStream { pub fn connect<A>(addr: A) -> crate::io::Result<TcpStream>; pub fn peer_addr(&self) -> crate::io::Result<SocketAddr>; pub fn local_addr(&self) -> crate::io::Result<SocketAddr>; pub fn set_nonblocking(&self, nonblocking: bool) -> crate::io::Result<()>; pub fn try_clone(&self) -> crate::io::Result<TcpStream>; } impl crate::io::Read for TcpStream {} impl crate::io::Write for TcpStream {} #[derive(Debug)] pub struct TcpListener; impl TcpListener { pub fn bind<A>(addr: A) -> crate::io::Result<TcpListener>; pub fn accept(&self) -> crate::io::Result<(TcpStream, SocketAddr)>; pub fn local_addr(&self) -> crate::io::Result<SocketAddr>; pub fn set_nonblocking(&self, nonblocking: bool) -> crate::io::Result<()>; pub fn incoming(&self) -> crate::iter::Same<crate::io::Result<TcpStream>>; } #[derive(Debug)] pub struct UdpSocket; pub trait ToSocketAddrs { type Iter; fn to_socket_addrs(&self) -> crate::io::Result<Self::Iter>; } }
pub mod panic { pub fn catch_unwind<F: FnOnce() -> R, R>(f: F) -> crate::thread::Result<R>; pub fn set_hook<T>(hook: T); pub fn resume_unwind<T>(payload: T) -> !; pub struct AssertUnwindSafe<T>(pub T); pub trait UnwindSafe {} pub trait RefUnwindSafe {} #[derive(Debug)] pub struct Location; impl Location { pub fn caller() -> &Location; pub fn file(&self) -> &str; pub fn line(&self) -> u32; pub fn column(&self) -> u32; } }
pub mod hint { pub fn black_box<T>(dummy: T) -> T; pub fn spin_loop(); pub fn unreachable_unchecked() -> !; }

pub mod primitives {
    impl Clone for u8 {} impl Copy for u8 {} impl crate::fmt::Display for u8 {} impl crate::fmt::Debug for u8 {} impl PartialEq for u8 {} impl Eq for u8 {} impl PartialOrd for u8 {} impl Ord for u8 {} impl Default for u8 {} impl crate::hash::Hash for u8 {}
    impl crate::str::FromStr for u8 { type Err = crate::num::ParseIntError; }
    impl Clone for u16 {} impl Copy for u16 {} impl crate::fmt::Display for u16 {} impl crate::fmt::Debug for u16 {} impl PartialEq for u16 {} impl Eq for u16 {} impl PartialOrd for u16 {} impl Ord for u16 {} impl Default for u16 {} impl crate::hash::Hash for u16 {}
    impl crate::str::FromStr for u16 { type Err = crate::num::ParseIntError; }
    impl Clone for u32 {} impl Copy for u32 {} impl crate::fmt::Display for u32 {} impl crate::fmt::Debug for u32 {} impl PartialEq for u32 {} impl Eq for u32 {} impl PartialOrd for u32 {} impl Ord for u32 {} impl Default for u32 {} impl crate::hash::Hash for u32 {}
    impl crate::str::FromStr for u32 { type Err = crate::num::ParseIntError; }
    impl Clone for u64 {} impl Copy for u64 {} impl crate::fmt::Display for u64 {} impl crate::fmt::Debug for u64 {} impl PartialEq for u64 {} impl Eq for u64 {} impl PartialOrd for u64 {} impl Ord for u64 {} impl Default for u64 {} impl crate::hash::Hash for u64 {}
    impl crate::str::FromStr for u64 { type Err = crate::num::ParseIntError; }
    impl Clone for u128 {} impl Copy for u128 {} impl crate::fmt::Display for u128 {} impl crate::fmt::Debug for u128 {} impl PartialEq for u128 {} impl Eq for u128 {} impl PartialOrd for u128 {} impl Ord for u128 {} impl Default for u128 {} impl crate::hash::Hash for u128 {}
    impl crate::str::FromStr for u128 { type Err = crate::num::ParseIntError; }
    impl Clone for usize {} impl Copy for usize {} impl crate::fmt::Display for usize {} impl crate::fmt::Debug for usize {} impl PartialEq for usize {} impl Eq for usize {} impl PartialOrd for usize {} impl Ord for usize {} impl Default for usize {} impl crate::hash::Hash for usize {}
    impl crate::str::FromStr for usize { type Err = crate::num::ParseIntError; }
    impl Clone for i8 {} impl Copy for i8 {} impl crate::fmt::Display for i8 {} impl crate::fmt::Debug for i8 {} impl PartialEq for i8 {} impl Eq for i8 {} impl PartialOrd for i8 {} impl Ord for i8 {} impl Default for i8 {} impl crate::hash::Hash for i8 {}
    impl crate::str::FromStr for i8 { type Err = crate::num::ParseIntError; }
    impl Clone for i16 {} impl Copy for i16 {} impl crate::fmt::Display for i16 {} impl crate::fmt::Debug for i16 {} impl PartialEq for i16 {} impl Eq for i16 {} impl PartialOrd for i16 {} impl Ord for i16 {} impl Default for i16 {} impl crate::hash::Hash for i16 {}
    impl crate::str::FromStr for i16 { type Err = crate::num::ParseIntError; }
    impl Clone for i32 {} impl Copy for i32 {} impl crate::fmt::Display for i32 {} impl crate::fmt::Debug for i32 {} impl PartialEq for i32 {} impl Eq for i32 {} impl PartialOrd for i32 {} impl Ord for i32 {} impl Default for i32 {} impl crate::hash::Hash for i32 {}
    impl crate::str::FromStr for i32 { type Err = crate::num::ParseIntError; }
    impl Clone for i64 {} impl Copy for i64 {} impl crate::fmt::Display for i64 {} impl crate::fmt::Debug for i64 {} impl PartialEq for i64 {} impl Eq for i64 {} impl PartialOrd for i64 {} impl Ord for i64 {} impl Default for i64 {} impl crate::hash::Hash for i64 {}
    impl crate::str::FromStr for i64 { type Err = crate::num::ParseIntError; }
    impl Clone for i128 {} impl Copy for i128 {} impl crate::fmt::Display for i128 {} impl crate::fmt::Debug for i128 {} impl PartialEq for i128 {} impl Eq for i128 {} impl PartialOrd for i128 {} impl Ord for i128 {} impl Default for i128 {} impl crate::hash::Hash for i128 {}
    impl crate::str::FromStr for i128 { type Err = crate::num::ParseIntError; }
    impl Clone for isize {} impl Copy for isize {} impl crate::fmt::Display for isize {} impl crate::fmt::Debug for isize {} impl PartialEq for isize {} impl Eq for isize {} impl PartialOrd for isize {} impl Ord for isize {} impl Default for isize {} impl crate::hash::Hash for isize {}
    impl crate::str::FromStr for isize { type Err = crate::num::ParseIntError; }
    impl Clone for f32 {} impl Copy for f32 {} impl crate::fmt::Display for f32 {} impl crate::fmt::Debug for f32 {} impl PartialEq for f32 {} impl Eq for f32 {} impl PartialOrd for f32 {} impl Ord for f32 {} impl Default for f32 {} impl crate::hash::Hash for f32 {}
    impl crate::str::FromStr for f32 { type Err = crate::num::ParseFloatError; }
    impl Clone for f64 {} impl Copy for f64 {} impl crate::fmt::Display for f64 {} impl crate::fmt::Debug for f64 {} impl PartialEq for f64 {} impl Eq for f64 {} impl PartialOrd for f64 {} impl Ord for f64 {} impl Default for f64 {} impl crate::hash::Hash for f64 {}
    impl crate::str::FromStr for f64 { type Err = crate::num::ParseFloatError; }
    impl Clone for bool {} impl Copy for bool {} impl crate::fmt::Display for bool {} impl crate::fmt::Debug for bool {} impl PartialEq for bool {} impl Eq for bool {} impl PartialOrd for bool {} impl Ord for bool {} impl Default for bool {} impl crate::hash::Hash for bool {}
    impl crate::str::FromStr for bool { type Err = crate::str::ParseBoolError; }
    impl Clone for char {} impl Copy for char {} impl crate::fmt::Display for char {} impl crate::fmt::Debug for char {} impl PartialEq for char {} impl Eq for char {} impl PartialOrd for char {} impl Ord for char {} impl Default for char {} impl crate::hash::Hash for char {}
    impl crate::str::FromStr for char { type Err = crate::str::ParseBoolError; }
    impl TryFrom<u64> for u8 { type Error = crate::num::TryFromIntError; } impl u8 { pub const MAX: u8 = 0; pub const MIN: u8 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<u8, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: u8) -> Option<u8>; pub fn checked_sub(self, rhs: u8) -> Option<u8>; pub fn checked_mul(self, rhs: u8) -> Option<u8>; pub fn checked_div(self, rhs: u8) -> Option<u8>; pub fn checked_rem(self, rhs: u8) -> Option<u8>; pub fn checked_shl(self, rhs: u32) -> Option<u8>; pub fn checked_pow(self, exp: u32) -> Option<u8>; pub fn saturating_add(self, rhs: u8) -> u8; pub fn saturating_sub(self, rhs: u8) -> u8; pub fn saturating_mul(self, rhs: u8) -> u8; pub fn wrapping_add(self, rhs: u8) -> u8; pub fn wrapping_sub(self, rhs: u8) -> u8; pub fn wrapping_mul(self, rhs: u8) -> u8; pub fn overflowing_add(self, rhs: u8) -> (u8, bool); pub fn overflowing_mul(self, rhs: u8) -> (u8, bool); pub fn pow(self, exp: u32) -> u8; pub fn abs(self) -> u8; pub fn abs_diff(self, other: u8) -> u8; pub fn div_ceil(self, rhs: u8) -> u8; pub fn rem_euclid(self, rhs: u8) -> u8; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> u8; pub fn rotate_left(self, n: u32) -> u8; pub fn swap_bytes(self) -> u8; pub fn is_multiple_of(self, rhs: u8) -> bool; pub fn max_value() -> u8; pub fn min_value() -> u8; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for u16 { type Error = crate::num::TryFromIntError; } impl u16 { pub const MAX: u16 = 0; pub const MIN: u16 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<u16, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: u16) -> Option<u16>; pub fn checked_sub(self, rhs: u16) -> Option<u16>; pub fn checked_mul(self, rhs: u16) -> Option<u16>; pub fn checked_div(self, rhs: u16) -> Option<u16>; pub fn checked_rem(self, rhs: u16) -> Option<u16>; pub fn checked_shl(self, rhs: u32) -> Option<u16>; pub fn checked_pow(self, exp: u32) -> Option<u16>; pub fn saturating_add(self, rhs: u16) -> u16; pub fn saturating_sub(self, rhs: u16) -> u16; pub fn saturating_mul(self, rhs: u16) -> u16; pub fn wrapping_add(self, rhs: u16) -> u16; pub fn wrapping_sub(self, rhs: u16) -> u16; pub fn wrapping_mul(self, rhs: u16) -> u16; pub fn overflowing_add(self, rhs: u16) -> (u16, bool); pub fn overflowing_mul(self, rhs: u16) -> (u16, bool); pub fn pow(self, exp: u32) -> u16; pub fn abs(self) -> u16; pub fn abs_diff(self, other: u16) -> u16; pub fn div_ceil(self, rhs: u16) -> u16; pub fn rem_euclid(self, rhs: u16) -> u16; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> u16; pub fn rotate_left(self, n: u32) -> u16; pub fn swap_bytes(self) -> u16; pub fn is_multiple_of(self, rhs: u16) -> bool; pub fn max_value() -> u16; pub fn min_value() -> u16; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for u32 { type Error = crate::num::TryFromIntError; } impl u32 { pub const MAX: u32 = 0; pub const MIN: u32 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<u32, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: u32) -> Option<u32>; pub fn checked_sub(self, rhs: u32) -> Option<u32>; pub fn checked_mul(self, rhs: u32) -> Option<u32>; pub fn checked_div(self, rhs: u32) -> Option<u32>; pub fn checked_rem(self, rhs: u32) -> Option<u32>; pub fn checked_shl(self, rhs: u32) -> Option<u32>; pub fn checked_pow(self, exp: u32) -> Option<u32>; pub fn saturating_add(self, rhs: u32) -> u32; pub fn saturating_sub(self, rhs: u32) -> u32; pub fn saturating_mul(self, rhs: u32) -> u32; pub fn wrapping_add(self, rhs: u32) -> u32; pub fn wrapping_sub(self, rhs: u32) -> u32; pub fn wrapping_mul(self, rhs: u32) -> u32; pub fn overflowing_add(self, rhs: u32) -> (u32, bool); pub fn overflowing_mul(self, rhs: u32) -> (u32, bool); pub fn pow(self, exp: u32) -> u32; pub fn abs(self) -> u32; pub fn abs_diff(self, other: u32) -> u32; pub fn div_ceil(self, rhs: u32) -> u32; pub fn rem_euclid(self, rhs: u32) -> u32; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> u32; pub fn rotate_left(self, n: u32) -> u32; pub fn swap_bytes(self) -> u32; pub fn is_multiple_of(self, rhs: u32) -> bool; pub fn max_value() -> u32; pub fn min_value() -> u32; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for u64 { type Error = crate::num::TryFromIntError; } impl u64 { pub const MAX: u64 = 0; pub const MIN: u64 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<u64, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: u64) -> Option<u64>; pub fn checked_sub(self, rhs: u64) -> Option<u64>; pub fn checked_mul(self, rhs: u64) -> Option<u64>; pub fn checked_div(self, rhs: u64) -> Option<u64>; pub fn checked_rem(self, rhs: u64) -> Option<u64>; pub fn checked_shl(self, rhs: u32) -> Option<u64>; pub fn checked_pow(self, exp: u32) -> Option<u64>; pub fn saturating_add(self, rhs: u64) -> u64; pub fn saturating_sub(self, rhs: u64) -> u64; pub fn saturating_mul(self, rhs: u64) -> u64; pub fn wrapping_add(self, rhs: u64) -> u64; pub fn wrapping_sub(self, rhs: u64) -> u64; pub fn wrapping_mul(self, rhs: u64) -> u64; pub fn overflowing_add(self, rhs: u64) -> (u64, bool); pub fn overflowing_mul(self, rhs: u64) -> (u64, bool); pub fn pow(self, exp: u32) -> u64; pub fn abs(self) -> u64; pub fn abs_diff(self, other: u64) -> u64; pub fn div_ceil(self, rhs: u64) -> u64; pub fn rem_euclid(self, rhs: u64) -> u64; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> u64; pub fn rotate_left(self, n: u32) -> u64; pub fn swap_bytes(self) -> u64; pub fn is_multiple_of(self, rhs: u64) -> bool; pub fn max_value() -> u64; pub fn min_value() -> u64; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for u128 { type Error = crate::num::TryFromIntError; } impl u128 { pub const MAX: u128 = 0; pub const MIN: u128 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<u128, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: u128) -> Option<u128>; pub fn checked_sub(self, rhs: u128) -> Option<u128>; pub fn checked_mul(self, rhs: u128) -> Option<u128>; pub fn checked_div(self, rhs: u128) -> Option<u128>; pub fn checked_rem(self, rhs: u128) -> Option<u128>; pub fn checked_shl(self, rhs: u32) -> Option<u128>; pub fn checked_pow(self, exp: u32) -> Option<u128>; pub fn saturating_add(self, rhs: u128) -> u128; pub fn saturating_sub(self, rhs: u128) -> u128; pub fn saturating_mul(self, rhs: u128) -> u128; pub fn wrapping_add(self, rhs: u128) -> u128; pub fn wrapping_sub(self, rhs: u128) -> u128; pub fn wrapping_mul(self, rhs: u128) -> u128; pub fn overflowing_add(self, rhs: u128) -> (u128, bool); pub fn overflowing_mul(self, rhs: u128) -> (u128, bool); pub fn pow(self, exp: u32) -> u128; pub fn abs(self) -> u128; pub fn abs_diff(self, other: u128) -> u128; pub fn div_ceil(self, rhs: u128) -> u128; pub fn rem_euclid(self, rhs: u128) -> u128; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> u128; pub fn rotate_left(self, n: u32) -> u128; pub fn swap_bytes(self) -> u128; pub fn is_multiple_of(self, rhs: u128) -> bool; pub fn max_value() -> u128; pub fn min_value() -> u128; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for usize { type Error = crate::num::TryFromIntError; } impl usize { pub const MAX: usize = 0; pub const MIN: usize = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<usize, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: usize) -> Option<usize>; pub fn checked_sub(self, rhs: usize) -> Option<usize>; pub fn checked_mul(self, rhs: usize) -> Option<usize>; pub fn checked_div(self, rhs: usize) -> Option<usize>; pub fn checked_rem(self, rhs: usize) -> Option<usize>; pub fn checked_shl(self, rhs: u32) -> Option<usize>; pub fn checked_pow(self, exp: u32) -> Option<usize>; pub fn saturating_add(self, rhs: usize) -> usize; pub fn saturating_sub(self, rhs: usize) -> usize; pub fn saturating_mul(self, rhs: usize) -> usize; pub fn wrapping_add(self, rhs: usize) -> usize; pub fn wrapping_sub(self, rhs: usize) -> usize; pub fn wrapping_mul(self, rhs: usize) -> usize; pub fn overflowing_add(self, rhs: usize) -> (usize, bool); pub fn overflowing_mul(self, rhs: usize) -> (usize, bool); pub fn pow(self, exp: u32) -> usize; pub fn abs(self) -> usize; pub fn abs_diff(self, other: usize) -> usize; pub fn div_ceil(self, rhs: usize) -> usize; pub fn rem_euclid(self, rhs: usize) -> usize; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> usize; pub fn rotate_left(self, n: u32) -> usize; pub fn swap_bytes(self) -> usize; pub fn is_multiple_of(self, rhs: usize) -> bool; pub fn max_value() -> usize; pub fn min_value() -> usize; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for i8 { type Error = crate::num::TryFromIntError; } impl i8 { pub const MAX: i8 = 0; pub const MIN: i8 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<i8, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: i8) -> Option<i8>; pub fn checked_sub(self, rhs: i8) -> Option<i8>; pub fn checked_mul(self, rhs: i8) -> Option<i8>; pub fn checked_div(self, rhs: i8) -> Option<i8>; pub fn checked_rem(self, rhs: i8) -> Option<i8>; pub fn checked_shl(self, rhs: u32) -> Option<i8>; pub fn checked_pow(self, exp: u32) -> Option<i8>; pub fn saturating_add(self, rhs: i8) -> i8; pub fn saturating_sub(self, rhs: i8) -> i8; pub fn saturating_mul(self, rhs: i8) -> i8; pub fn wrapping_add(self, rhs: i8) -> i8; pub fn wrapping_sub(self, rhs: i8) -> i8; pub fn wrapping_mul(self, rhs: i8) -> i8; pub fn overflowing_add(self, rhs: i8) -> (i8, bool); pub fn overflowing_mul(self, rhs: i8) -> (i8, bool); pub fn pow(self, exp: u32) -> i8; pub fn abs(self) -> i8; pub fn abs_diff(self, other: i8) -> i8; pub fn div_ceil(self, rhs: i8) -> i8; pub fn rem_euclid(self, rhs: i8) -> i8; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> i8; pub fn rotate_left(self, n: u32) -> i8; pub fn swap_bytes(self) -> i8; pub fn is_multiple_of(self, rhs: i8) -> bool; pub fn max_value() -> i8; pub fn min_value() -> i8; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for i16 { type Error = crate::num::TryFromIntError; } impl i16 { pub const MAX: i16 = 0; pub const MIN: i16 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<i16, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: i16) -> Option<i16>; pub fn checked_sub(self, rhs: i16) -> Option<i16>; pub fn checked_mul(self, rhs: i16) -> Option<i16>; pub fn checked_div(self, rhs: i16) -> Option<i16>; pub fn checked_rem(self, rhs: i16) -> Option<i16>; pub fn checked_shl(self, rhs: u32) -> Option<i16>; pub fn checked_pow(self, exp: u32) -> Option<i16>; pub fn saturating_add(self, rhs: i16) -> i16; pub fn saturating_sub(self, rhs: i16) -> i16; pub fn saturating_mul(self, rhs: i16) -> i16; pub fn wrapping_add(self, rhs: i16) -> i16; pub fn wrapping_sub(self, rhs: i16) -> i16; pub fn wrapping_mul(self, rhs: i16) -> i16; pub fn overflowing_add(self, rhs: i16) -> (i16, bool); pub fn overflowing_mul(self, rhs: i16) -> (i16, bool); pub fn pow(self, exp: u32) -> i16; pub fn abs(self) -> i16; pub fn abs_diff(self, other: i16) -> i16; pub fn div_ceil(self, rhs: i16) -> i16; pub fn rem_euclid(self, rhs: i16) -> i16; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> i16; pub fn rotate_left(self, n: u32) -> i16; pub fn swap_bytes(self) -> i16; pub fn is_multiple_of(self, rhs: i16) -> bool; pub fn max_value() -> i16; pub fn min_value() -> i16; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for i32 { type Error = crate::num::TryFromIntError; } impl i32 { pub const MAX: i32 = 0; pub const MIN: i32 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<i32, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: i32) -> Option<i32>; pub fn checked_sub(self, rhs: i32) -> Option<i32>; pub fn checked_mul(self, rhs: i32) -> Option<i32>; pub fn checked_div(self, rhs: i32) -> Option<i32>; pub fn checked_rem(self, rhs: i32) -> Option<i32>; pub fn checked_shl(self, rhs: u32) -> Option<i32>; pub fn checked_pow(self, exp: u32) -> Option<i32>; pub fn saturating_add(self, rhs: i32) -> i32; pub fn saturating_sub(self, rhs: i32) -> i32; pub fn saturating_mul(self, rhs: i32) -> i32; pub fn wrapping_add(self, rhs: i32) -> i32; pub fn wrapping_sub(self, rhs: i32) -> i32; pub fn wrapping_mul(self, rhs: i32) -> i32; pub fn overflowing_add(self, rhs: i32) -> (i32, bool); pub fn overflowing_mul(self, rhs: i32) -> (i32, bool); pub fn pow(self, exp: u32) -> i32; pub fn abs(self) -> i32; pub fn abs_diff(self, other: i32) -> i32; pub fn div_ceil(self, rhs: i32) -> i32; pub fn rem_euclid(self, rhs: i32) -> i32; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> i32; pub fn rotate_left(self, n: u32) -> i32; pub fn swap_bytes(self) -> i32; pub fn is_multiple_of(self, rhs: i32) -> bool; pub fn max_value() -> i32; pub fn min_value() -> i32; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for i64 { type Error = crate::num::TryFromIntError; } impl i64 { pub const MAX: i64 = 0; pub const MIN: i64 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<i64, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: i64) -> Option<i64>; pub fn checked_sub(self, rhs: i64) -> Option<i64>; pub fn checked_mul(self, rhs: i64) -> Option<i64>; pub fn checked_div(self, rhs: i64) -> Option<i64>; pub fn checked_rem(self, rhs: i64) -> Option<i64>; pub fn checked_shl(self, rhs: u32) -> Option<i64>; pub fn checked_pow(self, exp: u32) -> Option<i64>; pub fn saturating_add(self, rhs: i64) -> i64; pub fn saturating_sub(self, rhs: i64) -> i64; pub fn saturating_mul(self, rhs: i64) -> i64; pub fn wrapping_add(self, rhs: i64) -> i64; pub fn wrapping_sub(self, rhs: i64) -> i64; pub fn wrapping_mul(self, rhs: i64) -> i64; pub fn overflowing_add(self, rhs: i64) -> (i64, bool); pub fn overflowing_mul(self, rhs: i64) -> (i64, bool); pub fn pow(self, exp: u32) -> i64; pub fn abs(self) -> i64; pub fn abs_diff(self, other: i64) -> i64; pub fn div_ceil(self, rhs: i64) -> i64; pub fn rem_euclid(self, rhs: i64) -> i64; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> i64; pub fn rotate_left(self, n: u32) -> i64; pub fn swap_bytes(self) -> i64; pub fn is_multiple_of(self, rhs: i64) -> bool; pub fn max_value() -> i64; pub fn min_value() -> i64; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for i128 { type Error = crate::num::TryFromIntError; } impl i128 { pub const MAX: i128 = 0; pub const MIN: i128 = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<i128, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: i128) -> Option<i128>; pub fn checked_sub(self, rhs: i128) -> Option<i128>; pub fn checked_mul(self, rhs: i128) -> Option<i128>; pub fn checked_div(self, rhs: i128) -> Option<i128>; pub fn checked_rem(self, rhs: i128) -> Option<i128>; pub fn checked_shl(self, rhs: u32) -> Option<i128>; pub fn checked_pow(self, exp: u32) -> Option<i128>; pub fn saturating_add(self, rhs: i128) -> i128; pub fn saturating_sub(self, rhs: i128) -> i128; pub fn saturating_mul(self, rhs: i128) -> i128; pub fn wrapping_add(self, rhs: i128) -> i128; pub fn wrapping_sub(self, rhs: i128) -> i128; pub fn wrapping_mul(self, rhs: i128) -> i128; pub fn overflowing_add(self, rhs: i128) -> (i128, bool); pub fn overflowing_mul(self, rhs: i128) -> (i128, bool); pub fn pow(self, exp: u32) -> i128; pub fn abs(self) -> i128; pub fn abs_diff(self, other: i128) -> i128; pub fn div_ceil(self, rhs: i128) -> i128; pub fn rem_euclid(self, rhs: i128) -> i128; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> i128; pub fn rotate_left(self, n: u32) -> i128; pub fn swap_bytes(self) -> i128; pub fn is_multiple_of(self, rhs: i128) -> bool; pub fn max_value() -> i128; pub fn min_value() -> i128; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl TryFrom<u64> for isize { type Error = crate::num::TryFromIntError; } impl isize { pub const MAX: isize = 0; pub const MIN: isize = 0; pub const BITS: u32 = 0; pub fn from_str_radix(src: &str, radix: u32) -> Result<isize, crate::num::ParseIntError>; pub fn count_ones(self) -> u32; pub fn leading_zeros(self) -> u32; pub fn trailing_zeros(self) -> u32; pub fn checked_add(self, rhs: isize) -> Option<isize>; pub fn checked_sub(self, rhs: isize) -> Option<isize>; pub fn checked_mul(self, rhs: isize) -> Option<isize>; pub fn checked_div(self, rhs: isize) -> Option<isize>; pub fn checked_rem(self, rhs: isize) -> Option<isize>; pub fn checked_shl(self, rhs: u32) -> Option<isize>; pub fn checked_pow(self, exp: u32) -> Option<isize>; pub fn saturating_add(self, rhs: isize) -> isize; pub fn saturating_sub(self, rhs: isize) -> isize; pub fn saturating_mul(self, rhs: isize) -> isize; pub fn wrapping_add(self, rhs: isize) -> isize; pub fn wrapping_sub(self, rhs: isize) -> isize; pub fn wrapping_mul(self, rhs: isize) -> isize; pub fn overflowing_add(self, rhs: isize) -> (isize, bool); pub fn overflowing_mul(self, rhs: isize) -> (isize, bool); pub fn pow(self, exp: u32) -> isize; pub fn abs(self) -> isize; pub fn abs_diff(self, other: isize) -> isize; pub fn div_ceil(self, rhs: isize) -> isize; pub fn rem_euclid(self, rhs: isize) -> isize; pub fn is_power_of_two(self) -> bool; pub fn next_power_of_two(self) -> isize; pub fn rotate_left(self, n: u32) -> isize; pub fn swap_bytes(self) -> isize; pub fn is_multiple_of(self, rhs: isize) -> bool; pub fn max_value() -> isize; pub fn min_value() -> isize; pub fn ilog10(self) -> u32; pub fn ilog2(self) -> u32; }
    impl u8 { pub fn is_ascii(&self) -> bool; pub fn to_ascii_uppercase(&self) -> u8; pub fn to_ascii_lowercase(&self) -> u8; pub fn eq_ignore_ascii_case(&self, other: &u8) -> bool; pub fn is_ascii_alphabetic(&self) -> bool; pub fn is_ascii_digit(&self) -> bool; pub fn is_ascii_alphanumeric(&self) -> bool; pub fn is_ascii_hexdigit(&self) -> bool; pub fn is_ascii_punctuation(&self) -> bool; pub fn is_ascii_whitespace(&self) -> bool; pub fn is_ascii_uppercase(&self) -> bool; pub fn is_ascii_lowercase(&self) -> bool; pub fn is_ascii_graphic(&self) -> bool; pub fn is_ascii_control(&self) -> bool; }
    impl f32 { pub const MAX: f32 = 0; pub const MIN: f32 = 0; pub const NAN: f32 = 0; pub const INFINITY: f32 = 0; pub const EPSILON: f32 = 0; pub fn floor(self) -> f32; pub fn ceil(self) -> f32; pub fn round(self) -> f32; pub fn trunc(self) -> f32; pub fn abs(self) -> f32; pub fn sqrt(self) -> f32; pub fn powi(self, n: i32) -> f32; pub fn powf(self, n: f32) -> f32; pub fn ln(self) -> f32; pub fn log10(self) -> f32; pub fn log2(self) -> f32; pub fn exp(self) -> f32; pub fn sin(self) -> f32; pub fn cos(self) -> f32; pub fn max(self, other: f32) -> f32; pub fn min(self, other: f32) -> f32; pub fn clamp(self, min: f32, max: f32) -> f32; pub fn is_nan(self) -> bool; pub fn is_finite(self) -> bool; pub fn to_bits(self) -> u64; pub fn total_cmp(&self, other: &f32) -> crate::cmp::Ordering; }
    impl f64 { pub const MAX: f64 = 0; pub const MIN: f64 = 0; pub const NAN: f64 = 0; pub const INFINITY: f64 = 0; pub const EPSILON: f64 = 0; pub fn floor(self) -> f64; pub fn ceil(self) -> f64; pub fn round(self) -> f64; pub fn trunc(self) -> f64; pub fn abs(self) -> f64; pub fn sqrt(self) -> f64; pub fn powi(self, n: i32) -> f64; pub fn powf(self, n: f64) -> f64; pub fn ln(self) -> f64; pub fn log10(self) -> f64; pub fn log2(self) -> f64; pub fn exp(self) -> f64; pub fn sin(self) -> f64; pub fn cos(self) -> f64; pub fn max(self, other: f64) -> f64; pub fn min(self, other: f64) -> f64; pub fn clamp(self, min: f64, max: f64) -> f64; pub fn is_nan(self) -> bool; pub fn is_finite(self) -> bool; pub fn to_bits(self) -> u64; pub fn total_cmp(&self, other: &f64) -> crate::cmp::Ordering; }
    impl bool { pub fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T>; pub fn then_some<T>(self, t: T) -> Option<T>; }
    impl From<u8> for char {} impl From<char> for u32 {}
    pub const MAX: u8 = 0;
}
