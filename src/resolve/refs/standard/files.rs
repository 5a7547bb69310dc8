pub mod io {
    pub type Result<T> = crate::result::Result<T, Error>;
    #[derive(Debug)]
    pub struct Error;
    impl Error {
        pub fn new<E>(kind: ErrorKind, error: E) -> Error;
        pub fn other<E>(error: E) -> Error;
        pub fn last_os_error() -> Error;
        pub fn from_raw_os_error(code: i32) -> Error;
        pub fn raw_os_error(&self) -> Option<i32>;
        pub fn get_ref(&self) -> Option<&dyn crate::error::Error>;
        pub fn into_inner(self) -> Option<Box<dyn crate::error::Error>>;
        pub fn kind(&self) -> ErrorKind;
    }
    impl crate::fmt::Display for Error {}
    impl crate::error::Error for Error {}
    impl From<ErrorKind> for Error {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ErrorKind {
        NotFound,
        PermissionDenied,
        ConnectionRefused,
        ConnectionReset,
        ConnectionAborted,
        NotConnected,
        AddrInUse,
        BrokenPipe,
        AlreadyExists,
        WouldBlock,
        InvalidInput,
        InvalidData,
        TimedOut,
        WriteZero,
        Interrupted,
        Unsupported,
        UnexpectedEof,
        OutOfMemory,
        Other,
        NotADirectory,
        IsADirectory,
    }
    pub trait Read {
        fn read(&mut self, buf: &mut [u8]) -> Result<usize>;
        fn read_to_end(&mut self, buf: &mut Vec<u8>) -> Result<usize>;
        fn read_to_string(&mut self, buf: &mut String) -> Result<usize>;
        fn read_exact(&mut self, buf: &mut [u8]) -> Result<()>;
        fn by_ref(&mut self) -> &mut Self;
        fn bytes(self) -> crate::iter::Same<Result<u8>>;
        fn chain<R: Read>(self, next: R) -> Take<Self>;
        fn take(self, limit: u64) -> Take<Self>;
    }
    pub trait Write {
        fn write(&mut self, buf: &[u8]) -> Result<usize>;
        fn flush(&mut self) -> Result<()>;
        fn write_all(&mut self, buf: &[u8]) -> Result<()>;
        fn write_fmt(&mut self, args: crate::fmt::Arguments) -> Result<()>;
        fn by_ref(&mut self) -> &mut Self;
        fn write_vectored(&mut self, bufs: &[IoSlice]) -> Result<usize>;
    }
    pub trait BufRead: Read {
        fn fill_buf(&mut self) -> Result<&[u8]>;
        fn consume(&mut self, amt: usize);
        fn read_until(&mut self, byte: u8, buf: &mut Vec<u8>) -> Result<usize>;
        fn read_line(&mut self, buf: &mut String) -> Result<usize>;
        fn split(self, byte: u8) -> crate::iter::Same<Result<Vec<u8>>>;
        fn lines(self) -> crate::iter::Same<Result<String>>;
    }
    pub trait Seek {
        fn seek(&mut self, pos: SeekFrom) -> Result<u64>;
        fn rewind(&mut self) -> Result<()>;
        fn stream_position(&mut self) -> Result<u64>;
    }
    #[derive(Clone, Copy, Debug)]
    pub enum SeekFrom {
        Start(u64),
        End(i64),
        Current(i64),
    }
    pub trait IsTerminal {
        fn is_terminal(&self) -> bool;
    }
    impl<R: Read> Read for &mut R {}
    impl<W: Write> Write for &mut W {}
    impl<R: BufRead> BufRead for &mut R {}
    impl<R: Read> Read for Box<R> {}
    impl<W: Write> Write for Box<W> {}
    #[derive(Debug)]
    pub struct Take<R>;
    impl<R: Read> Read for Take<R> {}
    impl<R: BufRead> BufRead for Take<R> {}
    #[derive(Debug)]
    pub struct BufReader<R>;
    impl<R> BufReader<R> {
        pub fn new(inner: R) -> BufReader<R>;
        pub fn with_capacity(capacity: usize, inner: R) -> BufReader<R>;
        pub fn get_ref(&self) -> &R;
        pub fn get_mut(&mut self) -> &mut R;
        pub fn into_inner(self) -> R;
        pub fn buffer(&self) -> &[u8];
    }
    impl<R> Read for BufReader<R> {}
    impl<R> BufRead for BufReader<R> {}
    #[derive(Debug)]
    pub struct BufWriter<W>;
    impl<W> BufWriter<W> {
        pub fn new(inner: W) -> BufWriter<W>;
        pub fn with_capacity(capacity: usize, inner: W) -> BufWriter<W>;
        pub fn get_ref(&self) -> &W;
        pub fn get_mut(&mut self) -> &mut W;
        pub fn into_inner(self) -> crate::result::Result<W, IntoInnerError<W>>;
    }
    impl<W> Write for BufWriter<W> {}
    #[derive(Debug)]
    pub struct LineWriter<W>;
    impl<W> LineWriter<W> {
        pub fn new(inner: W) -> LineWriter<W>;
        pub fn get_ref(&self) -> &W;
        pub fn get_mut(&mut self) -> &mut W;
    }
    impl<W> Write for LineWriter<W> {}
    #[derive(Debug)]
    pub struct IntoInnerError<W>;
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Cursor<T>;
    impl<T> Cursor<T> {
        pub fn new(inner: T) -> Cursor<T>;
        pub fn into_inner(self) -> T;
        pub fn get_ref(&self) -> &T;
        pub fn get_mut(&mut self) -> &mut T;
        pub fn position(&self) -> u64;
        pub fn set_position(&mut self, pos: u64);
    }
    impl<T> Read for Cursor<T> {}
    impl<T> BufRead for Cursor<T> {}
    impl<T> Write for Cursor<T> {}
    impl<T> Seek for Cursor<T> {}
    #[derive(Debug)]
    pub struct Stdin;
    impl Stdin {
        pub fn lock(&self) -> StdinLock;
        pub fn read_line(&self, buf: &mut String) -> Result<usize>;
        pub fn lines(self) -> crate::iter::Same<Result<String>>;
    }
    impl Read for Stdin {}
    impl IsTerminal for Stdin {}
    #[derive(Debug)]
    pub struct StdinLock;
    impl Read for StdinLock {}
    impl BufRead for StdinLock {}
    #[derive(Debug)]
    pub struct Stdout;
    impl Stdout {
        pub fn lock(&self) -> StdoutLock;
    }
    impl Write for Stdout {}
    impl IsTerminal for Stdout {}
    #[derive(Debug)]
    pub struct StdoutLock;
    impl Write for StdoutLock {}
    #[derive(Debug)]
    pub struct Stderr;
    impl Stderr {
        pub fn lock(&self) -> StderrLock;
    }
    impl Write for Stderr {}
    impl IsTerminal for Stderr {}
    #[derive(Debug)]
    pub struct StderrLock;
    impl Write for StderrLock {}
    pub fn stdin() -> Stdin;
    pub fn stdout() -> Stdout;
    pub fn stderr() -> Stderr;
    pub fn copy<R, W>(reader: &mut R, writer: &mut W) -> Result<u64>;
    pub fn empty() -> Empty;
    pub fn sink() -> Sink;
    pub fn repeat(byte: u8) -> Empty;
    pub fn read_to_string<R: Read>(reader: R) -> Result<String>;
    #[derive(Debug)]
    pub struct Empty;
    impl Read for Empty {}
    #[derive(Debug)]
    pub struct Sink;
    impl Write for Sink {}
    pub struct IoSlice;
    pub struct IoSliceMut;
    pub mod prelude {
        pub use super::{BufRead, Read, Seek, Write};
    }
}
pub mod fs {
    #[derive(Debug)]
    pub struct File;
    impl File {
        pub fn open<P>(path: P) -> crate::io::Result<File>;
        pub fn create<P>(path: P) -> crate::io::Result<File>;
        pub fn create_new<P>(path: P) -> crate::io::Result<File>;
        pub fn options() -> OpenOptions;
        pub fn sync_all(&self) -> crate::io::Result<()>;
        pub fn set_len(&self, size: u64) -> crate::io::Result<()>;
        pub fn metadata(&self) -> crate::io::Result<Metadata>;
        pub fn try_clone(&self) -> crate::io::Result<File>;
        pub fn set_permissions(&self, perm: Permissions) -> crate::io::Result<()>;
    }
    impl crate::io::Read for File {}
    impl crate::io::Write for File {}
    impl crate::io::Seek for File {}
    impl crate::io::Read for &File {}
    impl crate::io::Write for &File {}
    #[derive(Clone, Debug)]
    pub struct Metadata;
    impl Metadata {
        pub fn file_type(&self) -> FileType;
        pub fn is_dir(&self) -> bool;
        pub fn is_file(&self) -> bool;
        pub fn is_symlink(&self) -> bool;
        pub fn len(&self) -> u64;
        pub fn permissions(&self) -> Permissions;
        pub fn modified(&self) -> crate::io::Result<crate::time::SystemTime>;
        pub fn accessed(&self) -> crate::io::Result<crate::time::SystemTime>;
        pub fn created(&self) -> crate::io::Result<crate::time::SystemTime>;
    }
    #[derive(Debug)]
    pub struct ReadDir;
    impl Iterator for ReadDir {
        type Item = crate::io::Result<DirEntry>;
    }
    #[derive(Debug)]
    pub struct DirEntry;
    impl DirEntry {
        pub fn path(&self) -> crate::path::PathBuf;
        pub fn metadata(&self) -> crate::io::Result<Metadata>;
        pub fn file_type(&self) -> crate::io::Result<FileType>;
        pub fn file_name(&self) -> crate::ffi::OsString;
    }
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct FileType;
    impl FileType {
        pub fn is_dir(&self) -> bool;
        pub fn is_file(&self) -> bool;
        pub fn is_symlink(&self) -> bool;
    }
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Permissions;
    impl Permissions {
        pub fn readonly(&self) -> bool;
        pub fn set_readonly(&mut self, readonly: bool);
    }
    #[derive(Clone, Debug)]
    pub struct OpenOptions;
    impl OpenOptions {
        pub fn new() -> Self;
        pub fn read(&mut self, read: bool) -> &mut Self;
        pub fn write(&mut self, write: bool) -> &mut Self;
        pub fn append(&mut self, append: bool) -> &mut Self;
        pub fn truncate(&mut self, truncate: bool) -> &mut Self;
        pub fn create(&mut self, create: bool) -> &mut Self;
        pub fn create_new(&mut self, create_new: bool) -> &mut Self;
        pub fn open<P>(&self, path: P) -> crate::io::Result<File>;
    }
    pub fn read<P>(path: P) -> crate::io::Result<Vec<u8>>;
    pub fn read_to_string<P>(path: P) -> crate::io::Result<String>;
    pub fn write<P, C>(path: P, contents: C) -> crate::io::Result<()>;
    pub fn remove_file<P>(path: P) -> crate::io::Result<()>;
    pub fn metadata<P>(path: P) -> crate::io::Result<Metadata>;
    pub fn symlink_metadata<P>(path: P) -> crate::io::Result<Metadata>;
    pub fn rename<P, Q>(from: P, to: Q) -> crate::io::Result<()>;
    pub fn copy<P, Q>(from: P, to: Q) -> crate::io::Result<u64>;
    pub fn hard_link<P, Q>(original: P, link: Q) -> crate::io::Result<()>;
    pub fn read_link<P>(path: P) -> crate::io::Result<crate::path::PathBuf>;
    pub fn canonicalize<P>(path: P) -> crate::io::Result<crate::path::PathBuf>;
    pub fn create_dir<P>(path: P) -> crate::io::Result<()>;
    pub fn create_dir_all<P>(path: P) -> crate::io::Result<()>;
    pub fn remove_dir<P>(path: P) -> crate::io::Result<()>;
    pub fn remove_dir_all<P>(path: P) -> crate::io::Result<()>;
    pub fn read_dir<P>(path: P) -> crate::io::Result<ReadDir>;
    pub fn set_permissions<P>(path: P, perm: Permissions) -> crate::io::Result<()>;
    pub fn exists<P>(path: P) -> crate::io::Result<bool>;
}
