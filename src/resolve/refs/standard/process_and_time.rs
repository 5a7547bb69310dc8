pub mod env {
    pub fn current_dir() -> crate::io::Result<crate::path::PathBuf>;
    pub fn set_current_dir<P>(path: P) -> crate::io::Result<()>;
    pub fn vars() -> crate::iter::Same<(String, String)>;
    pub fn var<K>(key: K) -> Result<String, VarError>;
    pub fn var_os<K>(key: K) -> Option<crate::ffi::OsString>;
    pub fn set_var<K, V>(key: K, value: V);
    pub fn remove_var<K>(key: K);
    pub fn split_paths<T>(unparsed: &T) -> crate::iter::Same<crate::path::PathBuf>;
    pub fn join_paths<I, T>(paths: I) -> Result<crate::ffi::OsString, JoinPathsError>;
    pub fn home_dir() -> Option<crate::path::PathBuf>;
    pub fn temp_dir() -> crate::path::PathBuf;
    pub fn current_exe() -> crate::io::Result<crate::path::PathBuf>;
    pub fn args() -> Args;
    pub fn args_os() -> ArgsOs;
    #[derive(Debug)]
    pub struct Args;
    impl Iterator for Args {
        type Item = String;
    }
    #[derive(Debug)]
    pub struct ArgsOs;
    impl Iterator for ArgsOs {
        type Item = crate::ffi::OsString;
    }
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum VarError {
        NotPresent,
        NotUnicode(crate::ffi::OsString),
    }
    #[derive(Debug)]
    pub struct JoinPathsError;
    pub mod consts {
        pub const OS: &str = "";
        pub const ARCH: &str = "";
    }
}
pub mod process {
    #[derive(Debug)]
    pub struct Command;
    impl Command {
        pub fn new<S>(program: S) -> Command;
        pub fn arg<S>(&mut self, arg: S) -> &mut Command;
        pub fn args<I, S>(&mut self, args: I) -> &mut Command;
        pub fn env<K, V>(&mut self, key: K, val: V) -> &mut Command;
        pub fn envs<I>(&mut self, vars: I) -> &mut Command;
        pub fn env_remove<K>(&mut self, key: K) -> &mut Command;
        pub fn env_clear(&mut self) -> &mut Command;
        pub fn current_dir<P>(&mut self, dir: P) -> &mut Command;
        pub fn stdin<T>(&mut self, cfg: T) -> &mut Command;
        pub fn stdout<T>(&mut self, cfg: T) -> &mut Command;
        pub fn stderr<T>(&mut self, cfg: T) -> &mut Command;
        pub fn spawn(&mut self) -> crate::io::Result<Child>;
        pub fn output(&mut self) -> crate::io::Result<Output>;
        pub fn status(&mut self) -> crate::io::Result<ExitStatus>;
        pub fn get_program(&self) -> &crate::ffi::OsStr;
        pub fn get_args(&self) -> crate::iter::Same<&crate::ffi::OsStr>;
    }
    #[derive(Debug)]
    pub struct Child {
        pub stdin: Option<ChildStdin>,
        pub stdout: Option<ChildStdout>,
        pub stderr: Option<ChildStderr>,
    }
    impl Child {
        pub fn kill(&mut self) -> crate::io::Result<()>;
        pub fn id(&self) -> u32;
        pub fn wait(&mut self) -> crate::io::Result<ExitStatus>;
        pub fn try_wait(&mut self) -> crate::io::Result<Option<ExitStatus>>;
        pub fn wait_with_output(self) -> crate::io::Result<Output>;
    }
    #[derive(Debug)]
    pub struct ChildStdin;
    impl crate::io::Write for ChildStdin {}
    #[derive(Debug)]
    pub struct ChildStdout;
    impl crate::io::Read for ChildStdout {}
    #[derive(Debug)]
    pub struct ChildStderr;
    impl crate::io::Read for ChildStderr {}
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Output {
        pub status: ExitStatus,
        pub stdout: Vec<u8>,
        pub stderr: Vec<u8>,
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ExitStatus;
    impl ExitStatus {
        pub fn success(&self) -> bool;
        pub fn code(&self) -> Option<i32>;
    }
    impl crate::fmt::Display for ExitStatus {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ExitCode;
    impl ExitCode {
        pub const SUCCESS: ExitCode = ExitCode;
        pub const FAILURE: ExitCode = ExitCode;
        pub fn exit_process(self) -> !;
    }
    impl From<u8> for ExitCode {}
    #[derive(Debug)]
    pub struct Stdio;
    impl Stdio {
        pub fn piped() -> Stdio;
        pub fn inherit() -> Stdio;
        pub fn null() -> Stdio;
    }
    pub fn exit(code: i32) -> !;
    pub fn abort() -> !;
    pub fn id() -> u32;
    pub trait Termination {
        fn report(self) -> ExitCode;
    }
}
pub mod time {
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Duration;
    impl Duration {
        pub const ZERO: Duration = Duration;
        pub const MAX: Duration = Duration;
        pub fn new(secs: u64, nanos: u32) -> Duration;
        pub fn from_secs(secs: u64) -> Duration;
        pub fn from_millis(millis: u64) -> Duration;
        pub fn from_micros(micros: u64) -> Duration;
        pub fn from_nanos(nanos: u64) -> Duration;
        pub fn from_secs_f64(secs: f64) -> Duration;
        pub fn as_secs(&self) -> u64;
        pub fn as_millis(&self) -> u128;
        pub fn as_micros(&self) -> u128;
        pub fn as_nanos(&self) -> u128;
        pub fn subsec_nanos(&self) -> u32;
        pub fn subsec_millis(&self) -> u32;
        pub fn as_secs_f64(&self) -> f64;
        pub fn as_secs_f32(&self) -> f32;
        pub fn checked_add(self, rhs: Duration) -> Option<Duration>;
        pub fn checked_sub(self, rhs: Duration) -> Option<Duration>;
        pub fn saturating_sub(self, rhs: Duration) -> Duration;
        pub fn saturating_add(self, rhs: Duration) -> Duration;
        pub fn mul_f64(self, rhs: f64) -> Duration;
        pub fn is_zero(&self) -> bool;
    }
    impl crate::ops::Add for Duration {
        type Output = Duration;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant;
    impl Instant {
        pub fn now() -> Instant;
        pub fn duration_since(&self, earlier: Instant) -> Duration;
        pub fn elapsed(&self) -> Duration;
        pub fn checked_add(&self, duration: Duration) -> Option<Instant>;
        pub fn checked_sub(&self, duration: Duration) -> Option<Instant>;
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct SystemTime;
    impl SystemTime {
        pub const UNIX_EPOCH: SystemTime = SystemTime;
        pub fn now() -> SystemTime;
        pub fn duration_since(&self, earlier: SystemTime) -> Result<Duration, SystemTimeError>;
        pub fn elapsed(&self) -> Result<Duration, SystemTimeError>;
        pub fn checked_add(&self, duration: Duration) -> Option<SystemTime>;
        pub fn checked_sub(&self, duration: Duration) -> Option<SystemTime>;
    }
    pub const UNIX_EPOCH: SystemTime = SystemTime;
    #[derive(Clone, Debug)]
    pub struct SystemTimeError;
}
pub mod thread {
    pub fn spawn<F: FnOnce() -> T, T>(f: F) -> JoinHandle<T>;
    pub fn sleep(dur: crate::time::Duration);
    pub fn current() -> Thread;
    pub fn yield_now();
    pub fn park();
    pub fn park_timeout(dur: crate::time::Duration);
    pub fn panicking() -> bool;
    pub fn available_parallelism() -> crate::io::Result<crate::num::NonZeroUsize>;
    pub fn scope<F: FnOnce(&Scope) -> T, T>(f: F) -> T;
    pub struct Scope;
    impl Scope {
        pub fn spawn<F: FnOnce() -> T, T>(&self, f: F) -> ScopedJoinHandle<T>;
    }
    pub struct ScopedJoinHandle<T>;
    impl<T> ScopedJoinHandle<T> {
        pub fn join(self) -> Result<T>;
        pub fn thread(&self) -> &Thread;
    }
    pub struct JoinHandle<T>;
    impl<T> JoinHandle<T> {
        pub fn join(self) -> Result<T>;
        pub fn thread(&self) -> &Thread;
        pub fn is_finished(&self) -> bool;
    }
    pub type Result<T> = crate::result::Result<T, Box<dyn crate::any::Any>>;
    #[derive(Clone, Debug)]
    pub struct Thread;
    impl Thread {
        pub fn unpark(&self);
        pub fn id(&self) -> ThreadId;
        pub fn name(&self) -> Option<&str>;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct ThreadId;
    #[derive(Debug)]
    pub struct Builder;
    impl Builder {
        pub fn new() -> Builder;
        pub fn name(self, name: String) -> Builder;
        pub fn stack_size(self, size: usize) -> Builder;
        pub fn spawn<F: FnOnce() -> T, T>(self, f: F) -> crate::io::Result<JoinHandle<T>>;
    }
    pub struct LocalKey<T>;
    impl<T> LocalKey<T> {
        pub fn with<R, F: FnOnce(&T) -> R>(&self, f: F) -> R;
        pub fn try_with<R, F: FnOnce(&T) -> R>(
            &self,
            f: F,
        ) -> crate::result::Result<R, AccessError>;
    }
    pub struct AccessError;
}
pub mod num {
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ParseIntError;
    impl ParseIntError {
        pub fn kind(&self) -> &IntErrorKind;
    }
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum IntErrorKind {
        Empty,
        InvalidDigit,
        PosOverflow,
        NegOverflow,
        Zero,
    }
    impl crate::fmt::Display for ParseIntError {}
    impl crate::error::Error for ParseIntError {}
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ParseFloatError;
    impl crate::fmt::Display for ParseFloatError {}
    impl crate::error::Error for ParseFloatError {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TryFromIntError;
    impl crate::fmt::Display for TryFromIntError {}
    impl crate::error::Error for TryFromIntError {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct NonZero<T>;
    impl<T> NonZero<T> {
        pub fn new(n: T) -> Option<NonZero<T>>;
        pub fn new_unchecked(n: T) -> NonZero<T>;
        pub fn get(self) -> T;
    }
    pub type NonZeroUsize = NonZero<usize>;
    pub type NonZeroU8 = NonZero<u8>;
    pub type NonZeroU16 = NonZero<u16>;
    pub type NonZeroU32 = NonZero<u32>;
    pub type NonZeroU64 = NonZero<u64>;
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Wrapping<T>(pub T);
}
pub mod net {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum SocketAddr {
        V4(SocketAddrV4),
        V6(SocketAddrV6),
    }
    impl SocketAddr {
        pub fn new(ip: IpAddr, port: u16) -> SocketAddr;
        pub fn ip(&self) -> IpAddr;
        pub fn port(&self) -> u16;
        pub fn set_port(&mut self, port: u16);
    }
    impl crate::fmt::Display for SocketAddr {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct SocketAddrV4;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct SocketAddrV6;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum IpAddr {
        V4(Ipv4Addr),
        V6(Ipv6Addr),
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Ipv4Addr;
    impl Ipv4Addr {
        pub const LOCALHOST: Ipv4Addr = Ipv4Addr;
        pub fn new(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Ipv6Addr;
    #[derive(Debug)]
    pub struct TcpStream;
    impl TcpStream {
        pub fn connect<A>(addr: A) -> crate::io::Result<TcpStream>;
        pub fn peer_addr(&self) -> crate::io::Result<SocketAddr>;
        pub fn local_addr(&self) -> crate::io::Result<SocketAddr>;
        pub fn set_nonblocking(&self, nonblocking: bool) -> crate::io::Result<()>;
        pub fn try_clone(&self) -> crate::io::Result<TcpStream>;
    }
    impl crate::io::Read for TcpStream {}
    impl crate::io::Write for TcpStream {}
    #[derive(Debug)]
    pub struct TcpListener;
    impl TcpListener {
        pub fn bind<A>(addr: A) -> crate::io::Result<TcpListener>;
        pub fn accept(&self) -> crate::io::Result<(TcpStream, SocketAddr)>;
        pub fn local_addr(&self) -> crate::io::Result<SocketAddr>;
        pub fn set_nonblocking(&self, nonblocking: bool) -> crate::io::Result<()>;
        pub fn incoming(&self) -> crate::iter::Same<crate::io::Result<TcpStream>>;
    }
    #[derive(Debug)]
    pub struct UdpSocket;
    pub trait ToSocketAddrs {
        type Iter;
        fn to_socket_addrs(&self) -> crate::io::Result<Self::Iter>;
    }
}
pub mod panic {
    pub fn catch_unwind<F: FnOnce() -> R, R>(f: F) -> crate::thread::Result<R>;
    pub fn set_hook<T>(hook: T);
    pub fn resume_unwind<T>(payload: T) -> !;
    pub struct AssertUnwindSafe<T>(pub T);
    pub trait UnwindSafe {}
    pub trait RefUnwindSafe {}
    #[derive(Debug)]
    pub struct Location;
    impl Location {
        pub fn caller() -> &Location;
        pub fn file(&self) -> &str;
        pub fn line(&self) -> u32;
        pub fn column(&self) -> u32;
    }
}
pub mod hint {
    pub fn black_box<T>(dummy: T) -> T;
    pub fn spin_loop();
    pub fn unreachable_unchecked() -> !;
}
