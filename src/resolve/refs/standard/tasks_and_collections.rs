pub mod future {
    pub trait Future {
        type Output;
        fn poll(
            self: crate::pin::Pin<&mut Self>,
            cx: &mut crate::task::Context,
        ) -> crate::task::Poll<Self::Output>;
    }
    pub trait IntoFuture {
        type Output;
        type IntoFuture;
        fn into_future(self) -> Self::IntoFuture;
    }
    pub fn ready<T>(t: T) -> Ready<T>;
    pub fn pending<T>() -> Ready<T>;
    pub fn poll_fn<T, F: FnMut(&mut crate::task::Context) -> crate::task::Poll<T>>(
        f: F,
    ) -> Ready<T>;
    pub struct Ready<T>;
    impl<T> Future for Ready<T> {
        type Output = T;
    }
}
pub mod task {
    pub struct Context;
    impl Context {
        pub fn from_waker(waker: &Waker) -> Context;
        pub fn waker(&self) -> &Waker;
    }
    #[derive(Clone, Debug)]
    pub struct Waker;
    impl Waker {
        pub fn wake(self);
        pub fn wake_by_ref(&self);
        pub fn will_wake(&self, other: &Waker) -> bool;
        pub fn noop() -> &Waker;
        pub fn from_raw(waker: RawWaker) -> Waker;
    }
    pub struct RawWaker;
    pub struct RawWakerVTable;
    impl RawWaker {
        pub fn new(data: *const (), vtable: &RawWakerVTable) -> RawWaker;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Poll<T> {
        Ready(T),
        Pending,
    }
    impl<T> Poll<T> {
        pub fn map<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<U>;
        pub fn is_ready(&self) -> bool;
        pub fn is_pending(&self) -> bool;
    }
    impl<T, E> Poll<Result<T, E>> {
        pub fn map_ok<U, F: FnOnce(T) -> U>(self, f: F) -> Poll<Result<U, E>>;
        pub fn map_err<U, F: FnOnce(E) -> U>(self, f: F) -> Poll<Result<T, U>>;
    }
    pub trait Wake {
        fn wake(self: crate::sync::Arc<Self>);
        fn wake_by_ref(self: &crate::sync::Arc<Self>);
    }
    #[macro_export]
    macro_rules! ready {
        () => {};
    }
}
pub mod mem {
    pub fn drop<T>(x: T);
    pub fn size_of<T>() -> usize;
    pub fn size_of_val<T>(val: &T) -> usize;
    pub fn align_of<T>() -> usize;
    pub fn swap<T>(x: &mut T, y: &mut T);
    pub fn replace<T>(dest: &mut T, src: T) -> T;
    pub fn take<T>(dest: &mut T) -> T;
    pub fn forget<T>(t: T);
    pub fn transmute<S, D>(src: S) -> D;
    pub fn zeroed<T>() -> T;
    pub fn discriminant<T>(v: &T) -> Discriminant<T>;
    pub fn needs_drop<T>() -> bool;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Discriminant<T>;
    pub struct ManuallyDrop<T>;
    impl<T> ManuallyDrop<T> {
        pub fn new(value: T) -> ManuallyDrop<T>;
        pub fn into_inner(slot: ManuallyDrop<T>) -> T;
        pub fn drop(slot: &mut ManuallyDrop<T>);
        pub fn take(slot: &mut ManuallyDrop<T>) -> T;
    }
    impl<T> crate::ops::Deref for ManuallyDrop<T> {
        type Target = T;
    }
    pub struct MaybeUninit<T>;
    impl<T> MaybeUninit<T> {
        pub fn new(val: T) -> MaybeUninit<T>;
        pub fn uninit() -> MaybeUninit<T>;
        pub fn zeroed() -> MaybeUninit<T>;
        pub fn as_ptr(&self) -> *const T;
        pub fn as_mut_ptr(&mut self) -> *mut T;
        pub fn assume_init(self) -> T;
        pub fn write(&mut self, val: T) -> &mut T;
        pub fn assume_init_ref(&self) -> &T;
    }
}
pub mod ptr {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct NonNull<T>;
    impl<T> NonNull<T> {
        pub fn new(ptr: *mut T) -> Option<NonNull<T>>;
        pub fn new_unchecked(ptr: *mut T) -> NonNull<T>;
        pub fn dangling() -> NonNull<T>;
        pub fn as_ptr(self) -> *mut T;
        pub fn as_ref(&self) -> &T;
        pub fn as_mut(&mut self) -> &mut T;
        pub fn cast<U>(self) -> NonNull<U>;
    }
    impl<T> *mut T {
        pub fn is_null(self) -> bool;
        pub fn cast<U>(self) -> *mut U;
        pub fn add(self, count: usize) -> *mut T;
        pub fn sub(self, count: usize) -> *mut T;
        pub fn offset(self, count: isize) -> *mut T;
        pub fn read(self) -> T;
        pub fn write(self, val: T);
        pub fn as_ref(self) -> Option<&T>;
        pub fn as_mut(self) -> Option<&mut T>;
    }
    pub fn null<T>() -> *const T;
    pub fn null_mut<T>() -> *mut T;
    pub fn read<T>(src: *const T) -> T;
    pub fn write<T>(dst: *mut T, src: T);
    pub fn eq<T>(a: *const T, b: *const T) -> bool;
    pub fn drop_in_place<T>(to_drop: *mut T);
    pub fn addr_of<T>(a: T) -> *const T;
}
pub mod collections {
    pub use binary_heap::BinaryHeap;
    pub use btree_map::BTreeMap;
    pub use btree_set::BTreeSet;
    pub use hash_map::HashMap;
    pub use hash_set::HashSet;
    pub use linked_list::LinkedList;
    pub use vec_deque::VecDeque;

    pub mod hash_map {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct HashMap<K, V, S = crate::hash::RandomState>;
        impl<K, V, S> HashMap<K, V, S> {
            pub fn new() -> Self;
            pub fn with_capacity(capacity: usize) -> Self;
            pub fn with_hasher(hash_builder: S) -> Self;
            pub fn with_capacity_and_hasher(capacity: usize, hasher: S) -> Self;
            pub fn reserve(&mut self, additional: usize);
            pub fn capacity(&self) -> usize;
            pub fn shrink_to_fit(&mut self);
            pub fn drain(&mut self) -> crate::iter::Same<(K, V)>;
            pub fn keys(&self) -> crate::iter::Same<&K>;
            pub fn values(&self) -> crate::iter::Same<&V>;
            pub fn values_mut(&mut self) -> crate::iter::Same<&mut V>;
            pub fn into_keys(self) -> crate::iter::Same<K>;
            pub fn into_values(self) -> crate::iter::Same<V>;
            pub fn iter(&self) -> crate::iter::Same<(&K, &V)>;
            pub fn iter_mut(&mut self) -> crate::iter::Same<(&K, &mut V)>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn clear(&mut self);
            pub fn entry(&mut self, key: K) -> Entry<K, V>;
            pub fn get<Q>(&self, k: &Q) -> Option<&V>;
            pub fn get_key_value<Q>(&self, k: &Q) -> Option<(&K, &V)>;
            pub fn contains_key<Q>(&self, k: &Q) -> bool;
            pub fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V>;
            pub fn insert(&mut self, k: K, v: V) -> Option<V>;
            pub fn remove<Q>(&mut self, k: &Q) -> Option<V>;
            pub fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)>;
            pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F);
        }
        impl<K, V, S> IntoIterator for HashMap<K, V, S> {
            type Item = (K, V);
            type IntoIter = crate::iter::Same<(K, V)>;
        }
        impl<K, V, S> IntoIterator for &HashMap<K, V, S> {
            type Item = (&K, &V);
            type IntoIter = crate::iter::Same<(&K, &V)>;
        }
        impl<K, V, S> FromIterator<(K, V)> for HashMap<K, V, S> {}
        impl<K, V, S> From<[(K, V); 1]> for HashMap<K, V, S> {}
        impl<K, V, S> Extend<(K, V)> for HashMap<K, V, S> {}
        impl<K, V, S, Q> crate::ops::Index<&Q> for HashMap<K, V, S> {
            type Output = V;
        }
        pub enum Entry<K, V> {
            Occupied(OccupiedEntry<K, V>),
            Vacant(VacantEntry<K, V>),
        }
        impl<K, V> Entry<K, V> {
            pub fn or_insert(self, default: V) -> &mut V;
            pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &mut V;
            pub fn or_default(self) -> &mut V;
            pub fn key(&self) -> &K;
            pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Self;
            pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &mut V;
        }
        pub struct OccupiedEntry<K, V>;
        pub struct VacantEntry<K, V>;
        impl<K, V> OccupiedEntry<K, V> {
            pub fn key(&self) -> &K;
            pub fn get(&self) -> &V;
            pub fn get_mut(&mut self) -> &mut V;
            pub fn into_mut(self) -> &mut V;
            pub fn insert(&mut self, value: V) -> V;
            pub fn remove(self) -> V;
            pub fn remove_entry(self) -> (K, V);
        }
        impl<K, V> VacantEntry<K, V> {
            pub fn key(&self) -> &K;
            pub fn into_key(self) -> K;
            pub fn insert(self, value: V) -> &mut V;
        }
        pub type Iter<K, V> = crate::iter::Same<(&K, &V)>;
        pub type IntoIter<K, V> = crate::iter::Same<(K, V)>;
        pub type Keys<K, V> = crate::iter::Same<&K>;
        pub type Values<K, V> = crate::iter::Same<&V>;
        pub use crate::hash::{DefaultHasher, RandomState};
    }
    pub mod btree_map {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct BTreeMap<K, V>;
        impl<K, V> BTreeMap<K, V> {
            pub fn new() -> Self;
            pub fn first_key_value(&self) -> Option<(&K, &V)>;
            pub fn last_key_value(&self) -> Option<(&K, &V)>;
            pub fn pop_first(&mut self) -> Option<(K, V)>;
            pub fn pop_last(&mut self) -> Option<(K, V)>;
            pub fn range<T, R>(&self, range: R) -> crate::iter::Same<(&K, &V)>;
            pub fn range_mut<T, R>(&mut self, range: R) -> crate::iter::Same<(&K, &mut V)>;
            pub fn append(&mut self, other: &mut Self);
            pub fn split_off<Q>(&mut self, key: &Q) -> Self;
            pub fn keys(&self) -> crate::iter::Same<&K>;
            pub fn values(&self) -> crate::iter::Same<&V>;
            pub fn values_mut(&mut self) -> crate::iter::Same<&mut V>;
            pub fn into_keys(self) -> crate::iter::Same<K>;
            pub fn into_values(self) -> crate::iter::Same<V>;
            pub fn iter(&self) -> crate::iter::Same<(&K, &V)>;
            pub fn iter_mut(&mut self) -> crate::iter::Same<(&K, &mut V)>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn clear(&mut self);
            pub fn entry(&mut self, key: K) -> Entry<K, V>;
            pub fn get<Q>(&self, k: &Q) -> Option<&V>;
            pub fn get_key_value<Q>(&self, k: &Q) -> Option<(&K, &V)>;
            pub fn contains_key<Q>(&self, k: &Q) -> bool;
            pub fn get_mut<Q>(&mut self, k: &Q) -> Option<&mut V>;
            pub fn insert(&mut self, k: K, v: V) -> Option<V>;
            pub fn remove<Q>(&mut self, k: &Q) -> Option<V>;
            pub fn remove_entry<Q>(&mut self, k: &Q) -> Option<(K, V)>;
            pub fn retain<F: FnMut(&K, &mut V) -> bool>(&mut self, f: F);
        }
        impl<K, V> IntoIterator for BTreeMap<K, V> {
            type Item = (K, V);
            type IntoIter = crate::iter::Same<(K, V)>;
        }
        impl<K, V> IntoIterator for &BTreeMap<K, V> {
            type Item = (&K, &V);
            type IntoIter = crate::iter::Same<(&K, &V)>;
        }
        impl<K, V> FromIterator<(K, V)> for BTreeMap<K, V> {}
        impl<K, V> From<[(K, V); 1]> for BTreeMap<K, V> {}
        impl<K, V> Extend<(K, V)> for BTreeMap<K, V> {}
        impl<K, V, Q> crate::ops::Index<&Q> for BTreeMap<K, V> {
            type Output = V;
        }
        pub enum Entry<K, V> {
            Occupied(OccupiedEntry<K, V>),
            Vacant(VacantEntry<K, V>),
        }
        impl<K, V> Entry<K, V> {
            pub fn or_insert(self, default: V) -> &mut V;
            pub fn or_insert_with<F: FnOnce() -> V>(self, default: F) -> &mut V;
            pub fn or_default(self) -> &mut V;
            pub fn key(&self) -> &K;
            pub fn and_modify<F: FnOnce(&mut V)>(self, f: F) -> Self;
            pub fn or_insert_with_key<F: FnOnce(&K) -> V>(self, default: F) -> &mut V;
        }
        pub struct OccupiedEntry<K, V>;
        pub struct VacantEntry<K, V>;
        impl<K, V> OccupiedEntry<K, V> {
            pub fn key(&self) -> &K;
            pub fn get(&self) -> &V;
            pub fn get_mut(&mut self) -> &mut V;
            pub fn into_mut(self) -> &mut V;
            pub fn insert(&mut self, value: V) -> V;
            pub fn remove(self) -> V;
            pub fn remove_entry(self) -> (K, V);
        }
        impl<K, V> VacantEntry<K, V> {
            pub fn key(&self) -> &K;
            pub fn into_key(self) -> K;
            pub fn insert(self, value: V) -> &mut V;
        }
        pub type Iter<K, V> = crate::iter::Same<(&K, &V)>;
        pub type IntoIter<K, V> = crate::iter::Same<(K, V)>;
        pub type Keys<K, V> = crate::iter::Same<&K>;
        pub type Values<K, V> = crate::iter::Same<&V>;
        pub use crate::hash::{DefaultHasher, RandomState};
    }
    pub mod hash_set {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct HashSet<T, S = crate::hash::RandomState>;
        impl<T, S> HashSet<T, S> {
            pub fn new() -> Self;
            pub fn with_capacity(capacity: usize) -> Self;
            pub fn with_hasher(hasher: S) -> Self;
            pub fn reserve(&mut self, additional: usize);
            pub fn drain(&mut self) -> crate::iter::Same<T>;
            pub fn iter(&self) -> crate::iter::Same<&T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn clear(&mut self);
            pub fn difference(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn symmetric_difference(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn intersection(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn union(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn contains<Q>(&self, value: &Q) -> bool;
            pub fn get<Q>(&self, value: &Q) -> Option<&T>;
            pub fn is_subset(&self, other: &Self) -> bool;
            pub fn is_superset(&self, other: &Self) -> bool;
            pub fn is_disjoint(&self, other: &Self) -> bool;
            pub fn insert(&mut self, value: T) -> bool;
            pub fn replace(&mut self, value: T) -> Option<T>;
            pub fn remove<Q>(&mut self, value: &Q) -> bool;
            pub fn take<Q>(&mut self, value: &Q) -> Option<T>;
            pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
        }
        impl<T, S> IntoIterator for HashSet<T, S> {
            type Item = T;
            type IntoIter = crate::iter::Same<T>;
        }
        impl<T, S> IntoIterator for &HashSet<T, S> {
            type Item = &T;
            type IntoIter = crate::iter::Same<&T>;
        }
        impl<T, S> FromIterator<T> for HashSet<T, S> {}
        impl<T, S> From<[T; 1]> for HashSet<T, S> {}
        impl<T, S> Extend<T> for HashSet<T, S> {}
    }
    pub mod btree_set {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct BTreeSet<T>;
        impl<T> BTreeSet<T> {
            pub fn new() -> Self;
            pub fn first(&self) -> Option<&T>;
            pub fn last(&self) -> Option<&T>;
            pub fn pop_first(&mut self) -> Option<T>;
            pub fn pop_last(&mut self) -> Option<T>;
            pub fn range<K, R>(&self, range: R) -> crate::iter::Same<&T>;
            pub fn iter(&self) -> crate::iter::Same<&T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn clear(&mut self);
            pub fn difference(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn symmetric_difference(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn intersection(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn union(&self, other: &Self) -> crate::iter::Same<&T>;
            pub fn contains<Q>(&self, value: &Q) -> bool;
            pub fn get<Q>(&self, value: &Q) -> Option<&T>;
            pub fn is_subset(&self, other: &Self) -> bool;
            pub fn is_superset(&self, other: &Self) -> bool;
            pub fn is_disjoint(&self, other: &Self) -> bool;
            pub fn insert(&mut self, value: T) -> bool;
            pub fn replace(&mut self, value: T) -> Option<T>;
            pub fn remove<Q>(&mut self, value: &Q) -> bool;
            pub fn take<Q>(&mut self, value: &Q) -> Option<T>;
            pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
        }
        impl<T> IntoIterator for BTreeSet<T> {
            type Item = T;
            type IntoIter = crate::iter::Same<T>;
        }
        impl<T> IntoIterator for &BTreeSet<T> {
            type Item = &T;
            type IntoIter = crate::iter::Same<&T>;
        }
        impl<T> FromIterator<T> for BTreeSet<T> {}
        impl<T> From<[T; 1]> for BTreeSet<T> {}
        impl<T> Extend<T> for BTreeSet<T> {}
    }
    pub mod vec_deque {
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct VecDeque<T>;
        impl<T> VecDeque<T> {
            pub fn new() -> Self;
            pub fn with_capacity(capacity: usize) -> Self;
            pub fn get(&self, index: usize) -> Option<&T>;
            pub fn get_mut(&mut self, index: usize) -> Option<&mut T>;
            pub fn capacity(&self) -> usize;
            pub fn reserve(&mut self, additional: usize);
            pub fn truncate(&mut self, len: usize);
            pub fn iter(&self) -> crate::iter::Same<&T>;
            pub fn iter_mut(&mut self) -> crate::iter::Same<&mut T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn drain<R>(&mut self, range: R) -> crate::iter::Same<T>;
            pub fn clear(&mut self);
            pub fn contains(&self, x: &T) -> bool;
            pub fn front(&self) -> Option<&T>;
            pub fn front_mut(&mut self) -> Option<&mut T>;
            pub fn back(&self) -> Option<&T>;
            pub fn back_mut(&mut self) -> Option<&mut T>;
            pub fn pop_front(&mut self) -> Option<T>;
            pub fn pop_back(&mut self) -> Option<T>;
            pub fn push_front(&mut self, value: T);
            pub fn push_back(&mut self, value: T);
            pub fn insert(&mut self, index: usize, value: T);
            pub fn remove(&mut self, index: usize) -> Option<T>;
            pub fn append(&mut self, other: &mut Self);
            pub fn retain<F: FnMut(&T) -> bool>(&mut self, f: F);
            pub fn make_contiguous(&mut self) -> &mut [T];
            pub fn as_slices(&self) -> (&[T], &[T]);
            pub fn swap(&mut self, i: usize, j: usize);
        }
        impl<T> IntoIterator for VecDeque<T> {
            type Item = T;
            type IntoIter = crate::iter::Same<T>;
        }
        impl<T> IntoIterator for &VecDeque<T> {
            type Item = &T;
            type IntoIter = crate::iter::Same<&T>;
        }
        impl<T> FromIterator<T> for VecDeque<T> {}
        impl<T> Extend<T> for VecDeque<T> {}
        impl<T> From<Vec<T>> for VecDeque<T> {}
        impl<T> crate::ops::Index<usize> for VecDeque<T> {
            type Output = T;
        }
    }
    pub mod binary_heap {
        #[derive(Clone, Debug, Default)]
        pub struct BinaryHeap<T>;
        impl<T> BinaryHeap<T> {
            pub fn new() -> Self;
            pub fn with_capacity(capacity: usize) -> Self;
            pub fn peek(&self) -> Option<&T>;
            pub fn pop(&mut self) -> Option<T>;
            pub fn push(&mut self, item: T);
            pub fn into_sorted_vec(self) -> Vec<T>;
            pub fn into_vec(self) -> Vec<T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
            pub fn iter(&self) -> crate::iter::Same<&T>;
            pub fn clear(&mut self);
        }
        impl<T> FromIterator<T> for BinaryHeap<T> {}
        impl<T> IntoIterator for BinaryHeap<T> {
            type Item = T;
            type IntoIter = crate::iter::Same<T>;
        }
    }
    pub mod linked_list {
        #[derive(Clone, Debug, Default)]
        pub struct LinkedList<T>;
        impl<T> LinkedList<T> {
            pub fn new() -> Self;
            pub fn push_back(&mut self, elt: T);
            pub fn push_front(&mut self, elt: T);
            pub fn pop_back(&mut self) -> Option<T>;
            pub fn pop_front(&mut self) -> Option<T>;
            pub fn iter(&self) -> crate::iter::Same<&T>;
            pub fn len(&self) -> usize;
            pub fn is_empty(&self) -> bool;
        }
    }
}
