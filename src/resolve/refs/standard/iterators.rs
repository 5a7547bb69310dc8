pub mod iter {
    pub trait Iterator {
        type Item;
        fn next(&mut self) -> Option<Self::Item>;
        fn size_hint(&self) -> (usize, Option<usize>);
        fn count(self) -> usize;
        fn last(self) -> Option<Self::Item>;
        fn nth(&mut self, n: usize) -> Option<Self::Item>;
        fn step_by(self, step: usize) -> Same<Self::Item>;
        fn chain<U: IntoIterator<Item = Self::Item>>(self, other: U) -> Same<Self::Item>;
        fn zip<U: IntoIterator>(self, other: U) -> Same<(Self::Item, U::Item)>;
        fn map<B, F: FnMut(Self::Item) -> B>(self, f: F) -> Same<B>;
        fn for_each<F: FnMut(Self::Item)>(self, f: F);
        fn filter<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Same<Self::Item>;
        fn filter_map<B, F: FnMut(Self::Item) -> Option<B>>(self, f: F) -> Same<B>;
        fn enumerate(self) -> Same<(usize, Self::Item)>;
        fn peekable(self) -> Peekable<Self>;
        fn skip_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Same<Self::Item>;
        fn take_while<P: FnMut(&Self::Item) -> bool>(self, predicate: P) -> Same<Self::Item>;
        fn map_while<B, P: FnMut(Self::Item) -> Option<B>>(self, predicate: P) -> Same<B>;
        fn skip(self, n: usize) -> Same<Self::Item>;
        fn take(self, n: usize) -> Same<Self::Item>;
        fn scan<St, B, F: FnMut(&mut St, Self::Item) -> Option<B>>(
            self,
            initial_state: St,
            f: F,
        ) -> Same<B>;
        fn flat_map<U: IntoIterator, F: FnMut(Self::Item) -> U>(self, f: F) -> Same<U::Item>;
        fn flatten(self) -> Same<<Self::Item as IntoIterator>::Item>;
        fn fuse(self) -> Same<Self::Item>;
        fn inspect<F: FnMut(&Self::Item)>(self, f: F) -> Same<Self::Item>;
        fn by_ref(&mut self) -> &mut Self;
        fn collect<B: FromIterator<Self::Item>>(self) -> B;
        fn partition<B: FromIterator<Self::Item>, F: FnMut(&Self::Item) -> bool>(
            self,
            f: F,
        ) -> (B, B);
        fn try_fold<B, R, F: FnMut(B, Self::Item) -> R>(&mut self, init: B, f: F) -> R;
        fn try_for_each<R, F: FnMut(Self::Item) -> R>(&mut self, f: F) -> R;
        fn fold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B;
        fn reduce<F: FnMut(Self::Item, Self::Item) -> Self::Item>(self, f: F)
        -> Option<Self::Item>;
        fn all<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool;
        fn any<F: FnMut(Self::Item) -> bool>(&mut self, f: F) -> bool;
        fn find<P: FnMut(&Self::Item) -> bool>(&mut self, predicate: P) -> Option<Self::Item>;
        fn find_map<B, F: FnMut(Self::Item) -> Option<B>>(&mut self, f: F) -> Option<B>;
        fn position<P: FnMut(Self::Item) -> bool>(&mut self, predicate: P) -> Option<usize>;
        fn rposition<P: FnMut(Self::Item) -> bool>(&mut self, predicate: P) -> Option<usize>;
        fn max(self) -> Option<Self::Item>;
        fn min(self) -> Option<Self::Item>;
        fn max_by_key<B, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>;
        fn max_by<F: FnMut(&Self::Item, &Self::Item) -> crate::cmp::Ordering>(
            self,
            compare: F,
        ) -> Option<Self::Item>;
        fn min_by_key<B, F: FnMut(&Self::Item) -> B>(self, f: F) -> Option<Self::Item>;
        fn min_by<F: FnMut(&Self::Item, &Self::Item) -> crate::cmp::Ordering>(
            self,
            compare: F,
        ) -> Option<Self::Item>;
        fn rev(self) -> Same<Self::Item>;
        fn unzip<A, B, FromA: FromIterator<A>, FromB: FromIterator<B>>(self) -> (FromA, FromB);
        fn copied<T>(self) -> Same<T>
        where
            Self: Iterator<Item = &T>;
        fn cloned<T>(self) -> Same<T>
        where
            Self: Iterator<Item = &T>;
        fn cycle(self) -> Same<Self::Item>;
        fn sum<S>(self) -> S;
        fn product<P>(self) -> P;
        fn eq<I: IntoIterator>(self, other: I) -> bool;
        fn ne<I: IntoIterator>(self, other: I) -> bool;
        fn cmp<I: IntoIterator>(self, other: I) -> crate::cmp::Ordering;
        fn is_sorted(self) -> bool;
    }
    pub trait DoubleEndedIterator: Iterator {
        fn next_back(&mut self) -> Option<Self::Item>;
        fn nth_back(&mut self, n: usize) -> Option<Self::Item>;
        fn rfind<P: FnMut(&Self::Item) -> bool>(&mut self, predicate: P) -> Option<Self::Item>;
        fn rfold<B, F: FnMut(B, Self::Item) -> B>(self, init: B, f: F) -> B;
    }
    pub trait ExactSizeIterator: Iterator {
        fn len(&self) -> usize;
    }
    pub trait FusedIterator: Iterator {}
    pub trait IntoIterator {
        type Item;
        type IntoIter: Iterator<Item = Self::Item>;
        fn into_iter(self) -> Self::IntoIter;
    }
    pub trait FromIterator<A> {
        fn from_iter<T: IntoIterator<Item = A>>(iter: T) -> Self;
    }
    pub trait Extend<A> {
        fn extend<T: IntoIterator<Item = A>>(&mut self, iter: T);
    }
    pub trait Sum<A> {
        fn sum<I: Iterator<Item = A>>(iter: I) -> Self;
    }
    impl<I: Iterator> IntoIterator for I {
        type Item = I::Item;
        type IntoIter = I;
    }
    impl<I: Iterator> Iterator for &mut I {
        type Item = I::Item;
    }
    impl<I: Iterator> Iterator for Box<I> {
        type Item = I::Item;
    }
    // Stands for every adaptor: its own type says no more than what it gives.
    #[derive(Clone, Debug)]
    pub struct Same<T>;
    impl<T> Iterator for Same<T> {
        type Item = T;
    }
    impl<T> DoubleEndedIterator for Same<T> {}
    impl<T> ExactSizeIterator for Same<T> {}
    #[derive(Clone, Debug)]
    pub struct Peekable<I>;
    impl<I: Iterator> Peekable<I> {
        pub fn peek(&mut self) -> Option<&I::Item>;
        pub fn peek_mut(&mut self) -> Option<&mut I::Item>;
        pub fn next_if<F: FnOnce(&I::Item) -> bool>(&mut self, func: F) -> Option<I::Item>;
        pub fn next_if_eq<T>(&mut self, expected: &T) -> Option<I::Item>;
    }
    impl<I: Iterator> Iterator for Peekable<I> {
        type Item = I::Item;
    }
    pub fn once<T>(value: T) -> Same<T>;
    pub fn repeat<T>(value: T) -> Same<T>;
    pub fn empty<T>() -> Same<T>;
    pub fn from_fn<T, F: FnMut() -> Option<T>>(f: F) -> Same<T>;
    pub fn successors<T, F: FnMut(&T) -> Option<T>>(first: Option<T>, f: F) -> Same<T>;
    pub fn repeat_with<T, F: FnMut() -> T>(f: F) -> Same<T>;
    pub fn zip<A: IntoIterator, B: IntoIterator>(a: A, b: B) -> Same<(A::Item, B::Item)>;
}
pub mod vec {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Vec<T>;
    impl<T> Vec<T> {
        pub fn new() -> Self;
        pub fn with_capacity(capacity: usize) -> Self;
        pub fn capacity(&self) -> usize;
        pub fn reserve(&mut self, additional: usize);
        pub fn reserve_exact(&mut self, additional: usize);
        pub fn shrink_to_fit(&mut self);
        pub fn into_boxed_slice(self) -> Box<[T]>;
        pub fn truncate(&mut self, len: usize);
        pub fn as_slice(&self) -> &[T];
        pub fn as_mut_slice(&mut self) -> &mut [T];
        pub fn as_ptr(&self) -> *const T;
        pub fn as_mut_ptr(&mut self) -> *mut T;
        pub fn set_len(&mut self, new_len: usize);
        pub fn swap_remove(&mut self, index: usize) -> T;
        pub fn insert(&mut self, index: usize, element: T);
        pub fn remove(&mut self, index: usize) -> T;
        pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
        pub fn retain_mut<F: FnMut(&mut T) -> bool>(&mut self, f: F);
        pub fn dedup(&mut self);
        pub fn dedup_by_key<K, F: FnMut(&mut T) -> K>(&mut self, key: F);
        pub fn dedup_by<F: FnMut(&mut T, &mut T) -> bool>(&mut self, f: F);
        pub fn push(&mut self, value: T);
        pub fn pop(&mut self) -> Option<T>;
        pub fn append(&mut self, other: &mut Vec<T>);
        pub fn drain<R>(&mut self, range: R) -> crate::iter::Same<T>;
        pub fn clear(&mut self);
        pub fn len(&self) -> usize;
        pub fn is_empty(&self) -> bool;
        pub fn split_off(&mut self, at: usize) -> Self;
        pub fn resize(&mut self, new_len: usize, value: T);
        pub fn resize_with<F: FnMut() -> T>(&mut self, new_len: usize, f: F);
        pub fn leak(self) -> &mut [T];
        pub fn extend_from_slice(&mut self, other: &[T]);
        pub fn splice<R, I>(&mut self, range: R, replace_with: I) -> crate::iter::Same<T>;
        pub fn first(&self) -> Option<&T>;
        pub fn spare_capacity_mut(&mut self) -> &mut [T];
    }
    impl<T> crate::ops::Deref for Vec<T> {
        type Target = [T];
    }
    impl<T> crate::ops::DerefMut for Vec<T> {}
    impl<T> IntoIterator for Vec<T> {
        type Item = T;
        type IntoIter = crate::iter::Same<T>;
    }
    impl<T> IntoIterator for &Vec<T> {
        type Item = &T;
        type IntoIter = crate::iter::Same<&T>;
    }
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
