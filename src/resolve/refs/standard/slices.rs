pub mod slice {
    impl<T> [T] {
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn first(&self) -> Option<&T>;
        pub fn first_mut(&mut self) -> Option<&mut T>;
        pub fn last(&self) -> Option<&T>;
        pub fn last_mut(&mut self) -> Option<&mut T>;
        pub fn split_first(&self) -> Option<(&T, &[T])>;
        pub fn split_last(&self) -> Option<(&T, &[T])>;
        pub fn get<I>(&self, index: I) -> Option<&<[T] as Got<I>>::Out>;
        pub fn get_mut<I>(&mut self, index: I) -> Option<&mut <[T] as Got<I>>::Out>;
        pub fn get_unchecked<I>(&self, index: I) -> &<[T] as Got<I>>::Out;
        pub fn swap(&mut self, a: usize, b: usize);
        pub fn reverse(&mut self);
        pub fn iter(&self) -> Iter<T>;
        pub fn iter_mut(&mut self) -> IterMut<T>;
        pub fn as_ptr(&self) -> *const T;
        pub fn as_mut_ptr(&mut self) -> *mut T;
        pub fn windows(&self, size: usize) -> crate::iter::Same<&[T]>;
        pub fn chunks(&self, size: usize) -> crate::iter::Same<&[T]>;
        pub fn chunks_mut(&mut self, size: usize) -> crate::iter::Same<&mut [T]>;
        pub fn chunks_exact(&self, size: usize) -> crate::iter::Same<&[T]>;
        pub fn rchunks(&self, size: usize) -> crate::iter::Same<&[T]>;
        pub fn split_at(&self, mid: usize) -> (&[T], &[T]);
        pub fn split_at_mut(&mut self, mid: usize) -> (&mut [T], &mut [T]);
        pub fn split<F: FnMut(&T) -> bool>(&self, pred: F) -> crate::iter::Same<&[T]>;
        pub fn splitn<F: FnMut(&T) -> bool>(&self, n: usize, pred: F) -> crate::iter::Same<&[T]>;
        pub fn contains(&self, x: &T) -> bool;
        pub fn starts_with(&self, needle: &[T]) -> bool;
        pub fn ends_with(&self, needle: &[T]) -> bool;
        pub fn strip_prefix(&self, prefix: &[T]) -> Option<&[T]>;
        pub fn strip_suffix(&self, suffix: &[T]) -> Option<&[T]>;
        pub fn binary_search(&self, x: &T) -> Result<usize, usize>;
        pub fn binary_search_by<F: FnMut(&T) -> crate::cmp::Ordering>(
            &self,
            f: F,
        ) -> Result<usize, usize>;
        pub fn binary_search_by_key<B, F: FnMut(&T) -> B>(
            &self,
            b: &B,
            f: F,
        ) -> Result<usize, usize>;
        pub fn partition_point<P: FnMut(&T) -> bool>(&self, pred: P) -> usize;
        pub fn sort(&mut self);
        pub fn sort_by<F: FnMut(&T, &T) -> crate::cmp::Ordering>(&mut self, compare: F);
        pub fn sort_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
        pub fn sort_by_cached_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
        pub fn sort_unstable(&mut self);
        pub fn sort_unstable_by<F: FnMut(&T, &T) -> crate::cmp::Ordering>(&mut self, compare: F);
        pub fn sort_unstable_by_key<K, F: FnMut(&T) -> K>(&mut self, f: F);
        pub fn is_sorted(&self) -> bool;
        pub fn rotate_left(&mut self, mid: usize);
        pub fn rotate_right(&mut self, k: usize);
        pub fn fill(&mut self, value: T);
        pub fn copy_from_slice(&mut self, src: &[T]);
        pub fn clone_from_slice(&mut self, src: &[T]);
        pub fn copy_within<R>(&mut self, src: R, dest: usize);
        pub fn to_vec(&self) -> Vec<T>;
        pub fn into_vec(self) -> Vec<T>;
        pub fn repeat(&self, n: usize) -> Vec<T>;
        pub fn concat<I>(&self) -> Vec<I>;
        pub fn join<S>(&self, sep: S) -> <T as Joined>::Out;
        pub fn map<U, F: FnMut(T) -> U>(self, f: F) -> [U; 1];
        pub fn as_slice(&self) -> &[T];
        pub fn each_ref(&self) -> [&T; 1];
        pub fn chunk_by<F: FnMut(&T, &T) -> bool>(&self, f: F) -> crate::iter::Same<&[T]>;
    }
    // What an index gets, and what joining gives: there are other names for these.
    pub trait Got<I> {
        type Out;
    }
    impl<T> Got<usize> for [T] {
        type Out = T;
    }
    impl<T, R> Got<crate::ops::Range<R>> for [T] {
        type Out = [T];
    }
    pub trait Joined {
        type Out;
    }
    impl Joined for str {
        type Out = String;
    }
    impl Joined for String {
        type Out = String;
    }
    impl Joined for &str {
        type Out = String;
    }
    impl<T> Joined for Vec<T> {
        type Out = Vec<T>;
    }
    impl Joined for crate::ffi::OsString {
        type Out = crate::ffi::OsString;
    }
    impl [u8] {
        pub fn is_ascii(&self) -> bool;
        pub fn eq_ignore_ascii_case(&self, other: &[u8]) -> bool;
        pub fn to_ascii_lowercase(&self) -> Vec<u8>;
        pub fn to_ascii_uppercase(&self) -> Vec<u8>;
        pub fn make_ascii_lowercase(&mut self);
        pub fn trim_ascii(&self) -> &[u8];
        pub fn trim_ascii_start(&self) -> &[u8];
        pub fn trim_ascii_end(&self) -> &[u8];
        pub fn escape_ascii(&self) -> crate::iter::Same<u8>;
    }
    impl<T> IntoIterator for &[T] {
        type Item = &T;
        type IntoIter = Iter<T>;
    }
    impl<T> IntoIterator for &[T; 1] {
        type Item = &T;
        type IntoIter = Iter<T>;
    }
    impl<T> IntoIterator for [T; 1] {
        type Item = T;
        type IntoIter = crate::iter::Same<T>;
    }
    impl<T> AsRef<[T]> for [T] {}
    impl crate::io::Read for &[u8] {}
    impl crate::io::BufRead for &[u8] {}
    impl<T> Default for &[T] {}
    #[derive(Clone, Debug)]
    pub struct Iter<T>;
    impl<T> Iter<T> {
        pub fn as_slice(&self) -> &[T];
    }
    impl<T> Iterator for Iter<T> {
        type Item = &T;
    }
    impl<T> DoubleEndedIterator for Iter<T> {}
    impl<T> ExactSizeIterator for Iter<T> {}
    #[derive(Debug)]
    pub struct IterMut<T>;
    impl<T> Iterator for IterMut<T> {
        type Item = &mut T;
    }
    impl<T> DoubleEndedIterator for IterMut<T> {}
    pub type Chunks<T> = crate::iter::Same<&[T]>;
    pub type Windows<T> = crate::iter::Same<&[T]>;
    pub fn from_ref<T>(s: &T) -> &[T];
    pub fn from_raw_parts<T>(data: *const T, len: usize) -> &[T];
}
pub mod array {
    pub fn from_fn<T, F: FnMut(usize) -> T>(f: F) -> [T; 1];
    pub struct TryFromSliceError;
}
pub mod str {
    impl str {
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn is_char_boundary(&self, index: usize) -> bool;
        pub fn as_bytes(&self) -> &[u8];
        pub fn as_ptr(&self) -> *const u8;
        pub fn as_str(&self) -> &str;
        pub fn get<I>(&self, i: I) -> Option<&str>;
        pub fn get_mut<I>(&mut self, i: I) -> Option<&mut str>;
        pub fn split_at(&self, mid: usize) -> (&str, &str);
        pub fn split_at_checked(&self, mid: usize) -> Option<(&str, &str)>;
        pub fn chars(&self) -> Chars;
        pub fn char_indices(&self) -> CharIndices;
        pub fn bytes(&self) -> crate::iter::Same<u8>;
        pub fn split_whitespace(&self) -> crate::iter::Same<&str>;
        pub fn split_ascii_whitespace(&self) -> crate::iter::Same<&str>;
        pub fn lines(&self) -> Lines;
        pub fn contains<P>(&self, pat: P) -> bool;
        pub fn starts_with<P>(&self, pat: P) -> bool;
        pub fn ends_with<P>(&self, pat: P) -> bool;
        pub fn find<P>(&self, pat: P) -> Option<usize>;
        pub fn rfind<P>(&self, pat: P) -> Option<usize>;
        pub fn split<P>(&self, pat: P) -> crate::iter::Same<&str>;
        pub fn split_inclusive<P>(&self, pat: P) -> crate::iter::Same<&str>;
        pub fn rsplit<P>(&self, pat: P) -> crate::iter::Same<&str>;
        pub fn split_terminator<P>(&self, pat: P) -> crate::iter::Same<&str>;
        pub fn splitn<P>(&self, n: usize, pat: P) -> crate::iter::Same<&str>;
        pub fn rsplitn<P>(&self, n: usize, pat: P) -> crate::iter::Same<&str>;
        pub fn split_once<P>(&self, delimiter: P) -> Option<(&str, &str)>;
        pub fn rsplit_once<P>(&self, delimiter: P) -> Option<(&str, &str)>;
        pub fn matches<P>(&self, pat: P) -> crate::iter::Same<&str>;
        pub fn match_indices<P>(&self, pat: P) -> crate::iter::Same<(usize, &str)>;
        pub fn trim(&self) -> &str;
        pub fn trim_start(&self) -> &str;
        pub fn trim_end(&self) -> &str;
        pub fn trim_left(&self) -> &str;
        pub fn trim_right(&self) -> &str;
        pub fn trim_matches<P>(&self, pat: P) -> &str;
        pub fn trim_start_matches<P>(&self, pat: P) -> &str;
        pub fn trim_end_matches<P>(&self, pat: P) -> &str;
        pub fn strip_prefix<P>(&self, prefix: P) -> Option<&str>;
        pub fn strip_suffix<P>(&self, suffix: P) -> Option<&str>;
        pub fn parse<F: FromStr>(&self) -> Result<F, F::Err>;
        pub fn is_ascii(&self) -> bool;
        pub fn eq_ignore_ascii_case(&self, other: &str) -> bool;
        pub fn to_lowercase(&self) -> String;
        pub fn to_uppercase(&self) -> String;
        pub fn to_ascii_lowercase(&self) -> String;
        pub fn to_ascii_uppercase(&self) -> String;
        pub fn make_ascii_lowercase(&mut self);
        pub fn repeat(&self, n: usize) -> String;
        pub fn replace<P>(&self, from: P, to: &str) -> String;
        pub fn replacen<P>(&self, pat: P, to: &str, count: usize) -> String;
        pub fn into_string(self) -> String;
        pub fn into_boxed_bytes(self) -> Box<[u8]>;
        pub fn escape_debug(&self) -> Chars;
        pub fn escape_default(&self) -> Chars;
        pub fn encode_utf16(&self) -> crate::iter::Same<u16>;
    }
    impl crate::fmt::Display for str {}
    impl crate::fmt::Debug for str {}
    impl AsRef<str> for str {}
    impl AsRef<[u8]> for str {}
    impl Default for &str {}
    pub trait FromStr {
        type Err;
        fn from_str(s: &str) -> Result<Self, Self::Err>;
    }
    #[derive(Clone, Debug)]
    pub struct Chars;
    impl Chars {
        pub fn as_str(&self) -> &str;
    }
    impl Iterator for Chars {
        type Item = char;
    }
    impl DoubleEndedIterator for Chars {}
    #[derive(Clone, Debug)]
    pub struct CharIndices;
    impl CharIndices {
        pub fn offset(&self) -> usize;
        pub fn as_str(&self) -> &str;
    }
    impl Iterator for CharIndices {
        type Item = (usize, char);
    }
    impl DoubleEndedIterator for CharIndices {}
    #[derive(Clone, Debug)]
    pub struct Lines;
    impl Iterator for Lines {
        type Item = &str;
    }
    impl DoubleEndedIterator for Lines {}
    pub type Split<P> = crate::iter::Same<&str>;
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Utf8Error;
    impl Utf8Error {
        pub fn valid_up_to(&self) -> usize;
        pub fn error_len(&self) -> Option<usize>;
    }
    impl crate::fmt::Display for Utf8Error {}
    impl crate::error::Error for Utf8Error {}
    #[derive(Debug)]
    pub struct ParseBoolError;
    pub fn from_utf8(v: &[u8]) -> Result<&str, Utf8Error>;
    pub fn from_utf8_unchecked(v: &[u8]) -> &str;
}
