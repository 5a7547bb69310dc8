pub mod sync {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Arc<T>;
    impl<T> Arc<T> {
        pub fn new(data: T) -> Arc<T>;
        pub fn pin(data: T) -> crate::pin::Pin<Arc<T>>;
        pub fn try_unwrap(this: Arc<T>) -> Result<T, Arc<T>>;
        pub fn into_raw(this: Arc<T>) -> *const T;
        pub fn from_raw(ptr: *const T) -> Arc<T>;
        pub fn as_ptr(this: &Arc<T>) -> *const T;
        pub fn downgrade(this: &Arc<T>) -> Weak<T>;
        pub fn strong_count(this: &Arc<T>) -> usize;
        pub fn get_mut(this: &mut Arc<T>) -> Option<&mut T>;
        pub fn ptr_eq(this: &Arc<T>, other: &Arc<T>) -> bool;
        pub fn make_mut(this: &mut Arc<T>) -> &mut T;
        pub fn into_inner(this: Arc<T>) -> Option<T>;
    }
    impl<T> crate::ops::Deref for Arc<T> {
        type Target = T;
    }
    impl<T> AsRef<T> for Arc<T> {}
    impl<T> From<T> for Arc<T> {}
    #[derive(Clone, Debug, Default)]
    pub struct Weak<T>;
    impl<T> Weak<T> {
        pub fn new() -> Weak<T>;
        pub fn upgrade(&self) -> Option<Arc<T>>;
        pub fn strong_count(&self) -> usize;
    }
    pub type LockResult<G> = Result<G, PoisonError<G>>;
    #[derive(Debug)]
    pub struct PoisonError<G>;
    impl<G> PoisonError<G> {
        pub fn into_inner(self) -> G;
        pub fn get_ref(&self) -> &G;
    }
    #[derive(Debug)]
    pub enum TryLockError<G> {
        Poisoned(PoisonError<G>),
        WouldBlock,
    }
    #[derive(Debug, Default)]
    pub struct Mutex<T>;
    impl<T> Mutex<T> {
        pub fn new(t: T) -> Mutex<T>;
        pub fn lock(&self) -> LockResult<MutexGuard<T>>;
        pub fn try_lock(&self) -> Result<MutexGuard<T>, TryLockError<MutexGuard<T>>>;
        pub fn into_inner(self) -> LockResult<T>;
        pub fn get_mut(&mut self) -> LockResult<&mut T>;
        pub fn is_poisoned(&self) -> bool;
    }
    pub struct MutexGuard<T>;
    impl<T> crate::ops::Deref for MutexGuard<T> {
        type Target = T;
    }
    #[derive(Debug, Default)]
    pub struct RwLock<T>;
    impl<T> RwLock<T> {
        pub fn new(t: T) -> RwLock<T>;
        pub fn read(&self) -> LockResult<RwLockReadGuard<T>>;
        pub fn write(&self) -> LockResult<RwLockWriteGuard<T>>;
        pub fn into_inner(self) -> LockResult<T>;
        pub fn get_mut(&mut self) -> LockResult<&mut T>;
    }
    pub struct RwLockReadGuard<T>;
    pub struct RwLockWriteGuard<T>;
    impl<T> crate::ops::Deref for RwLockReadGuard<T> {
        type Target = T;
    }
    impl<T> crate::ops::Deref for RwLockWriteGuard<T> {
        type Target = T;
    }
    #[derive(Debug, Default)]
    pub struct Condvar;
    impl Condvar {
        pub fn new() -> Condvar;
        pub fn wait<T>(&self, guard: MutexGuard<T>) -> LockResult<MutexGuard<T>>;
        pub fn wait_timeout<T>(
            &self,
            guard: MutexGuard<T>,
            dur: crate::time::Duration,
        ) -> LockResult<(MutexGuard<T>, WaitTimeoutResult)>;
        pub fn wait_while<T, F: FnMut(&mut T) -> bool>(
            &self,
            guard: MutexGuard<T>,
            condition: F,
        ) -> LockResult<MutexGuard<T>>;
        pub fn notify_one(&self);
        pub fn notify_all(&self);
    }
    pub struct WaitTimeoutResult;
    impl WaitTimeoutResult {
        pub fn timed_out(&self) -> bool;
    }
    #[derive(Debug, Default)]
    pub struct OnceLock<T>;
    impl<T> OnceLock<T> {
        pub fn new() -> OnceLock<T>;
        pub fn get(&self) -> Option<&T>;
        pub fn get_mut(&mut self) -> Option<&mut T>;
        pub fn set(&self, value: T) -> Result<(), T>;
        pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T;
        pub fn into_inner(self) -> Option<T>;
        pub fn take(&mut self) -> Option<T>;
    }
    #[derive(Debug)]
    pub struct LazyLock<T, F = ()>;
    impl<T, F> LazyLock<T, F> {
        pub fn new(f: F) -> LazyLock<T, F>;
        pub fn force(this: &LazyLock<T, F>) -> &T;
    }
    impl<T, F> crate::ops::Deref for LazyLock<T, F> {
        type Target = T;
    }
    pub struct Once;
    impl Once {
        pub fn new() -> Once;
        pub fn call_once<F: FnOnce()>(&self, f: F);
    }
    pub struct Barrier;
    impl Barrier {
        pub fn new(n: usize) -> Barrier;
        pub fn wait(&self) -> BarrierWaitResult;
    }
    pub struct BarrierWaitResult;
    impl BarrierWaitResult {
        pub fn is_leader(&self) -> bool;
    }
    pub mod mpsc {
        pub fn channel<T>() -> (Sender<T>, Receiver<T>);
        pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>);
        #[derive(Clone, Debug)]
        pub struct Sender<T>;
        #[derive(Clone, Debug)]
        pub struct SyncSender<T>;
        #[derive(Debug)]
        pub struct Receiver<T>;
        impl<T> Sender<T> {
            pub fn send(&self, t: T) -> Result<(), SendError<T>>;
        }
        impl<T> SyncSender<T> {
            pub fn send(&self, t: T) -> Result<(), SendError<T>>;
            pub fn try_send(&self, t: T) -> Result<(), TrySendError<T>>;
        }
        impl<T> Receiver<T> {
            pub fn recv(&self) -> Result<T, RecvError>;
            pub fn try_recv(&self) -> Result<T, TryRecvError>;
            pub fn recv_timeout(
                &self,
                timeout: crate::time::Duration,
            ) -> Result<T, RecvTimeoutError>;
            pub fn iter(&self) -> crate::iter::Same<T>;
            pub fn try_iter(&self) -> crate::iter::Same<T>;
        }
        impl<T> IntoIterator for Receiver<T> {
            type Item = T;
            type IntoIter = crate::iter::Same<T>;
        }
        impl<T> IntoIterator for &Receiver<T> {
            type Item = T;
            type IntoIter = crate::iter::Same<T>;
        }
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct SendError<T>(pub T);
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct RecvError;
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TryRecvError {
            Empty,
            Disconnected,
        }
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RecvTimeoutError {
            Timeout,
            Disconnected,
        }
        pub enum TrySendError<T> {
            Full(T),
            Disconnected(T),
        }
    }
    pub mod atomic {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Ordering {
            Relaxed,
            Release,
            Acquire,
            AcqRel,
            SeqCst,
        }
        pub fn fence(order: Ordering);
        pub fn compiler_fence(order: Ordering);

        #[derive(Debug, Default)]
        pub struct AtomicBool;
        impl AtomicBool {
            pub fn new(v: bool) -> AtomicBool;
            pub fn load(&self, order: Ordering) -> bool;
            pub fn store(&self, val: bool, order: Ordering);
            pub fn swap(&self, val: bool, order: Ordering) -> bool;
            pub fn fetch_add(&self, val: bool, order: Ordering) -> bool;
            pub fn fetch_sub(&self, val: bool, order: Ordering) -> bool;
            pub fn fetch_or(&self, val: bool, order: Ordering) -> bool;
            pub fn fetch_and(&self, val: bool, order: Ordering) -> bool;
            pub fn fetch_max(&self, val: bool, order: Ordering) -> bool;
            pub fn compare_exchange(
                &self,
                current: bool,
                new: bool,
                success: Ordering,
                failure: Ordering,
            ) -> Result<bool, bool>;
            pub fn compare_exchange_weak(
                &self,
                current: bool,
                new: bool,
                success: Ordering,
                failure: Ordering,
            ) -> Result<bool, bool>;
            pub fn into_inner(self) -> bool;
            pub fn get_mut(&mut self) -> &mut bool;
        }
        #[derive(Debug, Default)]
        pub struct AtomicUsize;
        impl AtomicUsize {
            pub fn new(v: usize) -> AtomicUsize;
            pub fn load(&self, order: Ordering) -> usize;
            pub fn store(&self, val: usize, order: Ordering);
            pub fn swap(&self, val: usize, order: Ordering) -> usize;
            pub fn fetch_add(&self, val: usize, order: Ordering) -> usize;
            pub fn fetch_sub(&self, val: usize, order: Ordering) -> usize;
            pub fn fetch_or(&self, val: usize, order: Ordering) -> usize;
            pub fn fetch_and(&self, val: usize, order: Ordering) -> usize;
            pub fn fetch_max(&self, val: usize, order: Ordering) -> usize;
            pub fn compare_exchange(
                &self,
                current: usize,
                new: usize,
                success: Ordering,
                failure: Ordering,
            ) -> Result<usize, usize>;
            pub fn compare_exchange_weak(
                &self,
                current: usize,
                new: usize,
                success: Ordering,
                failure: Ordering,
            ) -> Result<usize, usize>;
            pub fn into_inner(self) -> usize;
            pub fn get_mut(&mut self) -> &mut usize;
        }
        #[derive(Debug, Default)]
        pub struct AtomicIsize;
        impl AtomicIsize {
            pub fn new(v: isize) -> AtomicIsize;
            pub fn load(&self, order: Ordering) -> isize;
            pub fn store(&self, val: isize, order: Ordering);
            pub fn swap(&self, val: isize, order: Ordering) -> isize;
            pub fn fetch_add(&self, val: isize, order: Ordering) -> isize;
            pub fn fetch_sub(&self, val: isize, order: Ordering) -> isize;
            pub fn fetch_or(&self, val: isize, order: Ordering) -> isize;
            pub fn fetch_and(&self, val: isize, order: Ordering) -> isize;
            pub fn fetch_max(&self, val: isize, order: Ordering) -> isize;
            pub fn compare_exchange(
                &self,
                current: isize,
                new: isize,
                success: Ordering,
                failure: Ordering,
            ) -> Result<isize, isize>;
            pub fn compare_exchange_weak(
                &self,
                current: isize,
                new: isize,
                success: Ordering,
                failure: Ordering,
            ) -> Result<isize, isize>;
            pub fn into_inner(self) -> isize;
            pub fn get_mut(&mut self) -> &mut isize;
        }
        #[derive(Debug, Default)]
        pub struct AtomicU64;
        impl AtomicU64 {
            pub fn new(v: u64) -> AtomicU64;
            pub fn load(&self, order: Ordering) -> u64;
            pub fn store(&self, val: u64, order: Ordering);
            pub fn swap(&self, val: u64, order: Ordering) -> u64;
            pub fn fetch_add(&self, val: u64, order: Ordering) -> u64;
            pub fn fetch_sub(&self, val: u64, order: Ordering) -> u64;
            pub fn fetch_or(&self, val: u64, order: Ordering) -> u64;
            pub fn fetch_and(&self, val: u64, order: Ordering) -> u64;
            pub fn fetch_max(&self, val: u64, order: Ordering) -> u64;
            pub fn compare_exchange(
                &self,
                current: u64,
                new: u64,
                success: Ordering,
                failure: Ordering,
            ) -> Result<u64, u64>;
            pub fn compare_exchange_weak(
                &self,
                current: u64,
                new: u64,
                success: Ordering,
                failure: Ordering,
            ) -> Result<u64, u64>;
            pub fn into_inner(self) -> u64;
            pub fn get_mut(&mut self) -> &mut u64;
        }
        #[derive(Debug, Default)]
        pub struct AtomicU32;
        impl AtomicU32 {
            pub fn new(v: u32) -> AtomicU32;
            pub fn load(&self, order: Ordering) -> u32;
            pub fn store(&self, val: u32, order: Ordering);
            pub fn swap(&self, val: u32, order: Ordering) -> u32;
            pub fn fetch_add(&self, val: u32, order: Ordering) -> u32;
            pub fn fetch_sub(&self, val: u32, order: Ordering) -> u32;
            pub fn fetch_or(&self, val: u32, order: Ordering) -> u32;
            pub fn fetch_and(&self, val: u32, order: Ordering) -> u32;
            pub fn fetch_max(&self, val: u32, order: Ordering) -> u32;
            pub fn compare_exchange(
                &self,
                current: u32,
                new: u32,
                success: Ordering,
                failure: Ordering,
            ) -> Result<u32, u32>;
            pub fn compare_exchange_weak(
                &self,
                current: u32,
                new: u32,
                success: Ordering,
                failure: Ordering,
            ) -> Result<u32, u32>;
            pub fn into_inner(self) -> u32;
            pub fn get_mut(&mut self) -> &mut u32;
        }
        #[derive(Debug, Default)]
        pub struct AtomicU8;
        impl AtomicU8 {
            pub fn new(v: u8) -> AtomicU8;
            pub fn load(&self, order: Ordering) -> u8;
            pub fn store(&self, val: u8, order: Ordering);
            pub fn swap(&self, val: u8, order: Ordering) -> u8;
            pub fn fetch_add(&self, val: u8, order: Ordering) -> u8;
            pub fn fetch_sub(&self, val: u8, order: Ordering) -> u8;
            pub fn fetch_or(&self, val: u8, order: Ordering) -> u8;
            pub fn fetch_and(&self, val: u8, order: Ordering) -> u8;
            pub fn fetch_max(&self, val: u8, order: Ordering) -> u8;
            pub fn compare_exchange(
                &self,
                current: u8,
                new: u8,
                success: Ordering,
                failure: Ordering,
            ) -> Result<u8, u8>;
            pub fn compare_exchange_weak(
                &self,
                current: u8,
                new: u8,
                success: Ordering,
                failure: Ordering,
            ) -> Result<u8, u8>;
            pub fn into_inner(self) -> u8;
            pub fn get_mut(&mut self) -> &mut u8;
        }
        #[derive(Debug, Default)]
        pub struct AtomicI64;
        impl AtomicI64 {
            pub fn new(v: i64) -> AtomicI64;
            pub fn load(&self, order: Ordering) -> i64;
            pub fn store(&self, val: i64, order: Ordering);
            pub fn swap(&self, val: i64, order: Ordering) -> i64;
            pub fn fetch_add(&self, val: i64, order: Ordering) -> i64;
            pub fn fetch_sub(&self, val: i64, order: Ordering) -> i64;
            pub fn fetch_or(&self, val: i64, order: Ordering) -> i64;
            pub fn fetch_and(&self, val: i64, order: Ordering) -> i64;
            pub fn fetch_max(&self, val: i64, order: Ordering) -> i64;
            pub fn compare_exchange(
                &self,
                current: i64,
                new: i64,
                success: Ordering,
                failure: Ordering,
            ) -> Result<i64, i64>;
            pub fn compare_exchange_weak(
                &self,
                current: i64,
                new: i64,
                success: Ordering,
                failure: Ordering,
            ) -> Result<i64, i64>;
            pub fn into_inner(self) -> i64;
            pub fn get_mut(&mut self) -> &mut i64;
        }
        #[derive(Debug, Default)]
        pub struct AtomicI32;
        impl AtomicI32 {
            pub fn new(v: i32) -> AtomicI32;
            pub fn load(&self, order: Ordering) -> i32;
            pub fn store(&self, val: i32, order: Ordering);
            pub fn swap(&self, val: i32, order: Ordering) -> i32;
            pub fn fetch_add(&self, val: i32, order: Ordering) -> i32;
            pub fn fetch_sub(&self, val: i32, order: Ordering) -> i32;
            pub fn fetch_or(&self, val: i32, order: Ordering) -> i32;
            pub fn fetch_and(&self, val: i32, order: Ordering) -> i32;
            pub fn fetch_max(&self, val: i32, order: Ordering) -> i32;
            pub fn compare_exchange(
                &self,
                current: i32,
                new: i32,
                success: Ordering,
                failure: Ordering,
            ) -> Result<i32, i32>;
            pub fn compare_exchange_weak(
                &self,
                current: i32,
                new: i32,
                success: Ordering,
                failure: Ordering,
            ) -> Result<i32, i32>;
            pub fn into_inner(self) -> i32;
            pub fn get_mut(&mut self) -> &mut i32;
        }
        #[derive(Debug, Default)]
        pub struct AtomicPtr<T>;
        impl<T> AtomicPtr<T> {
            pub fn new(p: *mut T) -> AtomicPtr<T>;
            pub fn load(&self, order: Ordering) -> *mut T;
            pub fn store(&self, ptr: *mut T, order: Ordering);
            pub fn swap(&self, ptr: *mut T, order: Ordering) -> *mut T;
        }
    }
}
pub mod cell {
    #[derive(Clone, Debug, Default)]
    pub struct Cell<T>;
    impl<T> Cell<T> {
        pub fn new(value: T) -> Cell<T>;
        pub fn get(&self) -> T;
        pub fn set(&self, val: T);
        pub fn replace(&self, val: T) -> T;
        pub fn take(&self) -> T;
        pub fn into_inner(self) -> T;
        pub fn get_mut(&mut self) -> &mut T;
        pub fn as_ptr(&self) -> *mut T;
        pub fn swap(&self, other: &Cell<T>);
    }
    #[derive(Clone, Debug, Default)]
    pub struct RefCell<T>;
    impl<T> RefCell<T> {
        pub fn new(value: T) -> RefCell<T>;
        pub fn borrow(&self) -> Ref<T>;
        pub fn borrow_mut(&self) -> RefMut<T>;
        pub fn try_borrow(&self) -> Result<Ref<T>, BorrowError>;
        pub fn try_borrow_mut(&self) -> Result<RefMut<T>, BorrowMutError>;
        pub fn into_inner(self) -> T;
        pub fn replace(&self, t: T) -> T;
        pub fn take(&self) -> T;
        pub fn get_mut(&mut self) -> &mut T;
    }
    pub struct Ref<T>;
    pub struct RefMut<T>;
    #[derive(Debug)]
    pub struct BorrowError;
    #[derive(Debug)]
    pub struct BorrowMutError;
    impl<T> crate::ops::Deref for Ref<T> {
        type Target = T;
    }
    impl<T> crate::ops::Deref for RefMut<T> {
        type Target = T;
    }
    #[derive(Debug)]
    pub struct UnsafeCell<T>;
    impl<T> UnsafeCell<T> {
        pub fn new(value: T) -> UnsafeCell<T>;
        pub fn get(&self) -> *mut T;
        pub fn get_mut(&mut self) -> &mut T;
        pub fn into_inner(self) -> T;
    }
    #[derive(Clone, Debug, Default)]
    pub struct OnceCell<T>;
    impl<T> OnceCell<T> {
        pub fn new() -> OnceCell<T>;
        pub fn get(&self) -> Option<&T>;
        pub fn set(&self, value: T) -> Result<(), T>;
        pub fn get_or_init<F: FnOnce() -> T>(&self, f: F) -> &T;
    }
    pub struct LazyCell<T, F = ()>;
    impl<T, F> LazyCell<T, F> {
        pub fn new(f: F) -> LazyCell<T, F>;
    }
    impl<T, F> crate::ops::Deref for LazyCell<T, F> {
        type Target = T;
    }
}
pub mod pin {
    #[derive(Clone, Copy, Debug)]
    pub struct Pin<P>;
    impl<P: crate::ops::Deref> Pin<P> {
        pub fn new(pointer: P) -> Pin<P>;
        pub fn new_unchecked(pointer: P) -> Pin<P>;
        pub fn as_ref(&self) -> Pin<&P::Target>;
        pub fn as_mut(&mut self) -> Pin<&mut P::Target>;
        pub fn set(&mut self, value: P::Target);
        pub fn into_inner(pin: Pin<P>) -> P;
    }
    impl<T> Pin<&mut T> {
        pub fn get_mut(self) -> &mut T;
        pub fn get_unchecked_mut(self) -> &mut T;
        pub fn map_unchecked_mut<U, F: FnOnce(&mut T) -> &mut U>(self, func: F) -> Pin<&mut U>;
    }
    impl<P: crate::ops::Deref> crate::ops::Deref for Pin<P> {
        type Target = P::Target;
    }
    #[macro_export]
    macro_rules! pin {
        () => {};
    }
}
