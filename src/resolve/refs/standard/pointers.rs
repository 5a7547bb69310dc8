pub mod char {
    impl char {
        pub fn is_digit(self, radix: u32) -> bool;
        pub fn to_digit(self, radix: u32) -> Option<u32>;
        pub fn len_utf8(self) -> usize;
        pub fn len_utf16(self) -> usize;
        pub fn encode_utf8(self, dst: &mut [u8]) -> &mut str;
        pub fn is_alphabetic(self) -> bool;
        pub fn is_lowercase(self) -> bool;
        pub fn is_uppercase(self) -> bool;
        pub fn is_whitespace(self) -> bool;
        pub fn is_alphanumeric(self) -> bool;
        pub fn is_control(self) -> bool;
        pub fn is_numeric(self) -> bool;
        pub fn to_lowercase(self) -> crate::str::Chars;
        pub fn to_uppercase(self) -> crate::str::Chars;
        pub fn is_ascii(&self) -> bool;
        pub fn to_ascii_uppercase(&self) -> char;
        pub fn to_ascii_lowercase(&self) -> char;
        pub fn eq_ignore_ascii_case(&self, other: &char) -> bool;
        pub fn is_ascii_alphabetic(&self) -> bool;
        pub fn is_ascii_digit(&self) -> bool;
        pub fn is_ascii_alphanumeric(&self) -> bool;
        pub fn is_ascii_punctuation(&self) -> bool;
        pub fn is_ascii_hexdigit(&self) -> bool;
        pub fn is_ascii_whitespace(&self) -> bool;
        pub fn is_ascii_uppercase(&self) -> bool;
        pub fn is_ascii_lowercase(&self) -> bool;
        pub fn from_u32(i: u32) -> Option<char>;
        pub fn from_digit(num: u32, radix: u32) -> Option<char>;
        pub fn escape_default(self) -> crate::str::Chars;
        pub fn escape_unicode(self) -> crate::str::Chars;
    }
    pub fn from_u32(i: u32) -> Option<char>;
    pub fn from_digit(num: u32, radix: u32) -> Option<char>;
}
pub mod boxed {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Box<T>;
    impl<T> Box<T> {
        pub fn new(x: T) -> Box<T>;
        pub fn pin(x: T) -> crate::pin::Pin<Box<T>>;
        pub fn into_raw(b: Box<T>) -> *mut T;
        pub fn from_raw(raw: *mut T) -> Box<T>;
        pub fn leak(b: Box<T>) -> &mut T;
        pub fn into_pin(b: Box<T>) -> crate::pin::Pin<Box<T>>;
    }
    impl<T> crate::ops::Deref for Box<T> {
        type Target = T;
    }
    impl<T> crate::ops::DerefMut for Box<T> {}
    impl<T> AsRef<T> for Box<T> {}
    impl<T> From<T> for Box<T> {}
    impl<T: crate::fmt::Display> crate::fmt::Display for Box<T> {}
}
pub mod rc {
    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Rc<T>;
    impl<T> Rc<T> {
        pub fn new(value: T) -> Rc<T>;
        pub fn try_unwrap(this: Rc<T>) -> Result<T, Rc<T>>;
        pub fn downgrade(this: &Rc<T>) -> Weak<T>;
        pub fn strong_count(this: &Rc<T>) -> usize;
        pub fn get_mut(this: &mut Rc<T>) -> Option<&mut T>;
        pub fn ptr_eq(this: &Rc<T>, other: &Rc<T>) -> bool;
        pub fn make_mut(this: &mut Rc<T>) -> &mut T;
        pub fn into_inner(this: Rc<T>) -> Option<T>;
    }
    impl<T> crate::ops::Deref for Rc<T> {
        type Target = T;
    }
    impl<T> AsRef<T> for Rc<T> {}
    impl<T> From<T> for Rc<T> {}
    #[derive(Clone, Debug, Default)]
    pub struct Weak<T>;
    impl<T> Weak<T> {
        pub fn new() -> Weak<T>;
        pub fn upgrade(&self) -> Option<Rc<T>>;
    }
}
