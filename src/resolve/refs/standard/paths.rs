pub mod path {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Path;
    impl Path {
        pub fn new<S>(s: &S) -> &Path;
        pub fn as_os_str(&self) -> &crate::ffi::OsStr;
        pub fn to_str(&self) -> Option<&str>;
        pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>;
        pub fn to_path_buf(&self) -> PathBuf;
        pub fn is_absolute(&self) -> bool;
        pub fn is_relative(&self) -> bool;
        pub fn has_root(&self) -> bool;
        pub fn parent(&self) -> Option<&Path>;
        pub fn ancestors(&self) -> Ancestors;
        pub fn file_name(&self) -> Option<&crate::ffi::OsStr>;
        pub fn strip_prefix<P>(&self, base: P) -> Result<&Path, StripPrefixError>;
        pub fn starts_with<P>(&self, base: P) -> bool;
        pub fn ends_with<P>(&self, child: P) -> bool;
        pub fn file_stem(&self) -> Option<&crate::ffi::OsStr>;
        pub fn extension(&self) -> Option<&crate::ffi::OsStr>;
        pub fn join<P>(&self, path: P) -> PathBuf;
        pub fn with_file_name<S>(&self, file_name: S) -> PathBuf;
        pub fn with_extension<S>(&self, extension: S) -> PathBuf;
        pub fn components(&self) -> Components;
        pub fn iter(&self) -> crate::iter::Same<&crate::ffi::OsStr>;
        pub fn display(&self) -> Display;
        pub fn metadata(&self) -> crate::io::Result<crate::fs::Metadata>;
        pub fn symlink_metadata(&self) -> crate::io::Result<crate::fs::Metadata>;
        pub fn canonicalize(&self) -> crate::io::Result<PathBuf>;
        pub fn read_link(&self) -> crate::io::Result<PathBuf>;
        pub fn read_dir(&self) -> crate::io::Result<crate::fs::ReadDir>;
        pub fn exists(&self) -> bool;
        pub fn try_exists(&self) -> crate::io::Result<bool>;
        pub fn is_file(&self) -> bool;
        pub fn is_dir(&self) -> bool;
        pub fn is_symlink(&self) -> bool;
        pub fn into_path_buf(self) -> PathBuf;
    }
    impl AsRef<Path> for Path {}
    impl AsRef<crate::ffi::OsStr> for Path {}
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct PathBuf;
    impl PathBuf {
        pub fn new() -> PathBuf;
        pub fn as_path(&self) -> &Path;
        pub fn push<P>(&mut self, path: P);
        pub fn pop(&mut self) -> bool;
        pub fn set_file_name<S>(&mut self, file_name: S);
        pub fn set_extension<S>(&mut self, extension: S) -> bool;
        pub fn into_os_string(self) -> crate::ffi::OsString;
        pub fn into_boxed_path(self) -> Box<Path>;
        pub fn clear(&mut self);
        pub fn as_mut_os_string(&mut self) -> &mut crate::ffi::OsString;
    }
    impl crate::ops::Deref for PathBuf {
        type Target = Path;
    }
    impl AsRef<Path> for PathBuf {}
    impl<T> From<&T> for PathBuf {}
    impl From<String> for PathBuf {}
    impl From<crate::ffi::OsString> for PathBuf {}
    impl crate::str::FromStr for PathBuf {
        type Err = crate::convert::Infallible;
    }
    impl<P> FromIterator<P> for PathBuf {}
    impl crate::borrow::Borrow<Path> for PathBuf {}
    #[derive(Clone, Debug)]
    pub struct Components;
    impl Components {
        pub fn as_path(&self) -> &Path;
    }
    impl Iterator for Components {
        type Item = Component;
    }
    impl DoubleEndedIterator for Components {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Component {
        Prefix(PrefixComponent),
        RootDir,
        CurDir,
        ParentDir,
        Normal(&crate::ffi::OsStr),
    }
    impl Component {
        pub fn as_os_str(self) -> &crate::ffi::OsStr;
    }
    impl AsRef<Path> for Component {}
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct PrefixComponent;
    impl PrefixComponent {
        pub fn kind(&self) -> Prefix;
        pub fn as_os_str(&self) -> &crate::ffi::OsStr;
    }
    pub enum Prefix {
        Verbatim(&crate::ffi::OsStr),
        Disk(u8),
    }
    pub struct Ancestors;
    impl Iterator for Ancestors {
        type Item = &Path;
    }
    #[derive(Debug)]
    pub struct Display;
    impl crate::fmt::Display for Display {}
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct StripPrefixError;
    impl crate::fmt::Display for StripPrefixError {}
    pub const MAIN_SEPARATOR: char = '/';
    pub const MAIN_SEPARATOR_STR: &str = "/";
    pub fn is_separator(c: char) -> bool;
    pub fn absolute<P>(path: P) -> crate::io::Result<PathBuf>;
}
pub mod ffi {
    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct OsStr;
    impl OsStr {
        pub fn new<S>(s: &S) -> &OsStr;
        pub fn to_str(&self) -> Option<&str>;
        pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>;
        pub fn to_os_string(&self) -> OsString;
        pub fn is_empty(&self) -> bool;
        pub fn len(&self) -> usize;
        pub fn as_encoded_bytes(&self) -> &[u8];
        pub fn eq_ignore_ascii_case<S>(&self, other: S) -> bool;
        pub fn to_ascii_lowercase(&self) -> OsString;
        pub fn display(&self) -> crate::path::Display;
        pub fn into_os_string(self) -> OsString;
    }
    impl AsRef<OsStr> for OsStr {}
    impl AsRef<crate::path::Path> for OsStr {}
    impl AsRef<OsStr> for str {}
    impl crate::os::unix::ffi::OsStrExt for OsStr {}
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct OsString;
    impl OsString {
        pub fn new() -> OsString;
        pub fn as_os_str(&self) -> &OsStr;
        pub fn into_string(self) -> Result<String, OsString>;
        pub fn push<T>(&mut self, s: T);
        pub fn clear(&mut self);
        pub fn into_encoded_bytes(self) -> Vec<u8>;
        pub fn with_capacity(capacity: usize) -> OsString;
        pub fn from_encoded_bytes_unchecked(bytes: Vec<u8>) -> OsString;
    }
    impl crate::ops::Deref for OsString {
        type Target = OsStr;
    }
    impl AsRef<OsStr> for OsString {}
    impl AsRef<crate::path::Path> for OsString {}
    impl<T> From<&T> for OsString {}
    impl From<String> for OsString {}
    impl crate::os::unix::ffi::OsStringExt for OsString {}
    impl crate::borrow::Borrow<OsStr> for OsString {}
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CString;
    impl CString {
        pub fn new<T>(t: T) -> Result<CString, NulError>;
        pub fn as_ptr(&self) -> *const i8;
        pub fn as_c_str(&self) -> &CStr;
        pub fn into_bytes(self) -> Vec<u8>;
    }
    #[derive(Debug)]
    pub struct NulError;
    #[derive(Debug)]
    pub struct CStr;
    impl CStr {
        pub fn from_ptr(ptr: *const i8) -> &CStr;
        pub fn to_bytes(&self) -> &[u8];
        pub fn to_str(&self) -> Result<&str, crate::str::Utf8Error>;
        pub fn to_string_lossy(&self) -> crate::borrow::Cow<str>;
    }
}
pub mod os {
    pub mod unix {
        pub mod ffi {
            pub trait OsStrExt {
                fn as_bytes(&self) -> &[u8];
                fn from_bytes(slice: &[u8]) -> &Self;
            }
            pub trait OsStringExt {
                fn from_vec(vec: Vec<u8>) -> Self;
                fn into_vec(self) -> Vec<u8>;
            }
        }
        pub mod fs {
            pub trait MetadataExt {
                fn dev(&self) -> u64;
                fn ino(&self) -> u64;
                fn mode(&self) -> u32;
                fn uid(&self) -> u32;
                fn gid(&self) -> u32;
                fn size(&self) -> u64;
            }
            impl MetadataExt for crate::fs::Metadata {}
            pub trait FileTypeExt {
                fn is_block_device(&self) -> bool;
                fn is_char_device(&self) -> bool;
                fn is_fifo(&self) -> bool;
                fn is_socket(&self) -> bool;
            }
            impl FileTypeExt for crate::fs::FileType {}
            pub trait PermissionsExt {
                fn mode(&self) -> u32;
                fn set_mode(&mut self, mode: u32);
                fn from_mode(mode: u32) -> Self;
            }
            impl PermissionsExt for crate::fs::Permissions {}
            pub fn symlink<P, Q>(original: P, link: Q) -> crate::io::Result<()>;
        }
    }
}
