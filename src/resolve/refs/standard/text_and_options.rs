pub mod string {
    pub trait ToString {
        fn to_string(&self) -> String;
    }
    impl<T: crate::fmt::Display> ToString for T {}
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct String;
    impl String {
        pub fn new() -> String;
        pub fn with_capacity(capacity: usize) -> String;
        pub fn from_utf8(vec: Vec<u8>) -> Result<String, FromUtf8Error>;
        pub fn from_utf8_lossy(v: &[u8]) -> crate::borrow::Cow<str>;
        pub fn from_utf8_unchecked(bytes: Vec<u8>) -> String;
        pub fn from_utf16(v: &[u16]) -> Result<String, FromUtf16Error>;
        pub fn into_bytes(self) -> Vec<u8>;
        pub fn as_str(&self) -> &str;
        pub fn as_mut_str(&mut self) -> &mut str;
        pub fn push_str(&mut self, string: &str);
        pub fn push(&mut self, ch: char);
        pub fn pop(&mut self) -> Option<char>;
        pub fn capacity(&self) -> usize;
        pub fn reserve(&mut self, additional: usize);
        pub fn shrink_to_fit(&mut self);
        pub fn as_bytes(&self) -> &[u8];
        pub fn truncate(&mut self, new_len: usize);
        pub fn remove(&mut self, idx: usize) -> char;
        pub fn retain<F: FnMut(char) -> bool>(&mut self, f: F);
        pub fn insert(&mut self, idx: usize, ch: char);
        pub fn insert_str(&mut self, idx: usize, string: &str);
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn clear(&mut self);
        pub fn split_off(&mut self, at: usize) -> String;
        pub fn drain<R>(&mut self, range: R) -> crate::str::Chars;
        pub fn into_boxed_str(self) -> Box<str>;
        pub fn leak(self) -> &mut str;
        pub fn replace_range<R>(&mut self, range: R, with: &str);
        pub fn as_mut_vec(&mut self) -> &mut Vec<u8>;
        pub fn extend_from_within<R>(&mut self, src: R);
    }
    impl crate::ops::Deref for String {
        type Target = str;
    }
    impl crate::fmt::Display for String {}
    impl crate::fmt::Write for String {}
    impl AsRef<str> for String {}
    impl From<&str> for String {}
    impl From<char> for String {}
    impl From<Box<str>> for String {}
    impl From<crate::borrow::Cow<str>> for String {}
    impl crate::borrow::Borrow<str> for String {}
    impl crate::str::FromStr for String {
        type Err = crate::convert::Infallible;
    }
    impl FromIterator<char> for String {}
    impl Extend<char> for String {}
    impl crate::ops::Add<&str> for String {
        type Output = String;
    }
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct FromUtf8Error;
    impl FromUtf8Error {
        pub fn into_bytes(self) -> Vec<u8>;
        pub fn as_bytes(&self) -> &[u8];
        pub fn utf8_error(&self) -> crate::str::Utf8Error;
    }
    impl crate::fmt::Display for FromUtf8Error {}
    impl crate::error::Error for FromUtf8Error {}
    #[derive(Debug)]
    pub struct FromUtf16Error;
}
pub mod error {
    pub trait Error: crate::fmt::Debug + crate::fmt::Display {
        fn source(&self) -> Option<&dyn Error>;
        fn description(&self) -> &str;
        fn cause(&self) -> Option<&dyn Error>;
    }
    impl dyn Error {
        pub fn downcast_ref<T>(&self) -> Option<&T>;
        pub fn downcast_mut<T>(&mut self) -> Option<&mut T>;
        pub fn is<T>(&self) -> bool;
        pub fn downcast<T>(self) -> Result<Box<T>, Box<dyn Error>>;
    }
    impl<T> Error for Box<T> {}
}
pub mod any {
    pub trait Any {
        fn type_id(&self) -> TypeId;
    }
    impl dyn Any {
        pub fn downcast_ref<T>(&self) -> Option<&T>;
        pub fn downcast_mut<T>(&mut self) -> Option<&mut T>;
        pub fn is<T>(&self) -> bool;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct TypeId;
    pub fn type_name<T>() -> &str;
}
pub mod option {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Option<T> {
        None,
        Some(T),
    }
    impl<T> Option<T> {
        pub fn is_some(&self) -> bool;
        pub fn is_none(&self) -> bool;
        pub fn is_some_and<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn is_none_or<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn as_ref(&self) -> Option<&T>;
        pub fn as_mut(&mut self) -> Option<&mut T>;
        pub fn as_slice(&self) -> &[T];
        pub fn as_pin_mut(self) -> Option<crate::pin::Pin<&mut T>>;
        pub fn expect(self, msg: &str) -> T;
        pub fn unwrap(self) -> T;
        pub fn unwrap_or(self, default: T) -> T;
        pub fn unwrap_or_else<F: FnOnce() -> T>(self, f: F) -> T;
        pub fn unwrap_or_default(self) -> T;
        pub fn unwrap_unchecked(self) -> T;
        pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Option<U>;
        pub fn inspect<F: FnOnce(&T)>(self, f: F) -> Self;
        pub fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
        pub fn map_or_else<U, D: FnOnce() -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
        pub fn ok_or<E>(self, err: E) -> Result<T, E>;
        pub fn ok_or_else<E, F: FnOnce() -> E>(self, err: F) -> Result<T, E>;
        pub fn as_deref(&self) -> Option<&<T as crate::ops::Deref>::Target>;
        pub fn as_deref_mut(&mut self) -> Option<&mut <T as crate::ops::Deref>::Target>;
        pub fn iter(&self) -> Iter<&T>;
        pub fn iter_mut(&mut self) -> Iter<&mut T>;
        pub fn and<U>(self, optb: Option<U>) -> Option<U>;
        pub fn and_then<U, F: FnOnce(T) -> Option<U>>(self, f: F) -> Option<U>;
        pub fn filter<P: FnOnce(&T) -> bool>(self, predicate: P) -> Self;
        pub fn or(self, optb: Option<T>) -> Option<T>;
        pub fn or_else<F: FnOnce() -> Option<T>>(self, f: F) -> Option<T>;
        pub fn xor(self, optb: Option<T>) -> Option<T>;
        pub fn insert(&mut self, value: T) -> &mut T;
        pub fn get_or_insert(&mut self, value: T) -> &mut T;
        pub fn get_or_insert_with<F: FnOnce() -> T>(&mut self, f: F) -> &mut T;
        pub fn take(&mut self) -> Option<T>;
        pub fn take_if<P>(&mut self, predicate: P) -> Option<T>;
        pub fn replace(&mut self, value: T) -> Option<T>;
        pub fn zip<U>(self, other: Option<U>) -> Option<(T, U)>;
    }
    impl<T> Option<&T> {
        pub fn copied(self) -> Option<T>;
        pub fn cloned(self) -> Option<T>;
    }
    impl<T, E> Option<Result<T, E>> {
        pub fn transpose(self) -> Result<Option<T>, E>;
    }
    impl<T> Option<Option<T>> {
        pub fn flatten(self) -> Option<T>;
    }
    impl<T> IntoIterator for Option<T> {
        type Item = T;
        type IntoIter = Iter<T>;
    }
    impl<T> IntoIterator for &Option<T> {
        type Item = &T;
        type IntoIter = Iter<&T>;
    }
    impl<A, V: FromIterator<A>> FromIterator<Option<A>> for Option<V> {}
    impl<T> From<T> for Option<T> {}
    #[derive(Clone, Debug)]
    pub struct Iter<T>;
    impl<T> Iterator for Iter<T> {
        type Item = T;
    }
    impl<T> DoubleEndedIterator for Iter<T> {}
    pub type IntoIter<T> = Iter<T>;
}
pub mod result {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Result<T, E> {
        Ok(T),
        Err(E),
    }
    impl<T, E> Result<T, E> {
        pub fn is_ok(&self) -> bool;
        pub fn is_err(&self) -> bool;
        pub fn is_ok_and<F: FnOnce(T) -> bool>(self, f: F) -> bool;
        pub fn is_err_and<F: FnOnce(E) -> bool>(self, f: F) -> bool;
        pub fn ok(self) -> Option<T>;
        pub fn err(self) -> Option<E>;
        pub fn as_ref(&self) -> Result<&T, &E>;
        pub fn as_mut(&mut self) -> Result<&mut T, &mut E>;
        pub fn map<U, F: FnOnce(T) -> U>(self, op: F) -> Result<U, E>;
        pub fn map_or<U, F: FnOnce(T) -> U>(self, default: U, f: F) -> U;
        pub fn map_or_else<U, D: FnOnce(E) -> U, F: FnOnce(T) -> U>(self, default: D, f: F) -> U;
        pub fn map_err<F, O: FnOnce(E) -> F>(self, op: O) -> Result<T, F>;
        pub fn inspect<F: FnOnce(&T)>(self, f: F) -> Self;
        pub fn inspect_err<F: FnOnce(&E)>(self, f: F) -> Self;
        pub fn as_deref(&self) -> Result<&<T as crate::ops::Deref>::Target, &E>;
        pub fn iter(&self) -> crate::option::Iter<&T>;
        pub fn expect(self, msg: &str) -> T;
        pub fn unwrap(self) -> T;
        pub fn unwrap_or_default(self) -> T;
        pub fn expect_err(self, msg: &str) -> E;
        pub fn unwrap_err(self) -> E;
        pub fn and<U>(self, res: Result<U, E>) -> Result<U, E>;
        pub fn and_then<U, F: FnOnce(T) -> Result<U, E>>(self, op: F) -> Result<U, E>;
        pub fn or<F>(self, res: Result<T, F>) -> Result<T, F>;
        pub fn or_else<F, O: FnOnce(E) -> Result<T, F>>(self, op: O) -> Result<T, F>;
        pub fn unwrap_or(self, default: T) -> T;
        pub fn unwrap_or_else<F: FnOnce(E) -> T>(self, op: F) -> T;
    }
    impl<T, E> Result<&T, E> {
        pub fn copied(self) -> Result<T, E>;
        pub fn cloned(self) -> Result<T, E>;
    }
    impl<T, E> Result<Option<T>, E> {
        pub fn transpose(self) -> Option<Result<T, E>>;
    }
    impl<T, E> IntoIterator for Result<T, E> {
        type Item = T;
        type IntoIter = crate::option::Iter<T>;
    }
    impl<A, E, V: FromIterator<A>> FromIterator<Result<A, E>> for Result<V, E> {}
}
