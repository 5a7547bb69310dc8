pub mod primitives {
    impl Clone for u8 {}
    impl Copy for u8 {}
    impl crate::fmt::Display for u8 {}
    impl crate::fmt::Debug for u8 {}
    impl PartialEq for u8 {}
    impl Eq for u8 {}
    impl PartialOrd for u8 {}
    impl Ord for u8 {}
    impl Default for u8 {}
    impl crate::hash::Hash for u8 {}
    impl crate::str::FromStr for u8 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for u16 {}
    impl Copy for u16 {}
    impl crate::fmt::Display for u16 {}
    impl crate::fmt::Debug for u16 {}
    impl PartialEq for u16 {}
    impl Eq for u16 {}
    impl PartialOrd for u16 {}
    impl Ord for u16 {}
    impl Default for u16 {}
    impl crate::hash::Hash for u16 {}
    impl crate::str::FromStr for u16 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for u32 {}
    impl Copy for u32 {}
    impl crate::fmt::Display for u32 {}
    impl crate::fmt::Debug for u32 {}
    impl PartialEq for u32 {}
    impl Eq for u32 {}
    impl PartialOrd for u32 {}
    impl Ord for u32 {}
    impl Default for u32 {}
    impl crate::hash::Hash for u32 {}
    impl crate::str::FromStr for u32 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for u64 {}
    impl Copy for u64 {}
    impl crate::fmt::Display for u64 {}
    impl crate::fmt::Debug for u64 {}
    impl PartialEq for u64 {}
    impl Eq for u64 {}
    impl PartialOrd for u64 {}
    impl Ord for u64 {}
    impl Default for u64 {}
    impl crate::hash::Hash for u64 {}
    impl crate::str::FromStr for u64 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for u128 {}
    impl Copy for u128 {}
    impl crate::fmt::Display for u128 {}
    impl crate::fmt::Debug for u128 {}
    impl PartialEq for u128 {}
    impl Eq for u128 {}
    impl PartialOrd for u128 {}
    impl Ord for u128 {}
    impl Default for u128 {}
    impl crate::hash::Hash for u128 {}
    impl crate::str::FromStr for u128 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for usize {}
    impl Copy for usize {}
    impl crate::fmt::Display for usize {}
    impl crate::fmt::Debug for usize {}
    impl PartialEq for usize {}
    impl Eq for usize {}
    impl PartialOrd for usize {}
    impl Ord for usize {}
    impl Default for usize {}
    impl crate::hash::Hash for usize {}
    impl crate::str::FromStr for usize {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for i8 {}
    impl Copy for i8 {}
    impl crate::fmt::Display for i8 {}
    impl crate::fmt::Debug for i8 {}
    impl PartialEq for i8 {}
    impl Eq for i8 {}
    impl PartialOrd for i8 {}
    impl Ord for i8 {}
    impl Default for i8 {}
    impl crate::hash::Hash for i8 {}
    impl crate::str::FromStr for i8 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for i16 {}
    impl Copy for i16 {}
    impl crate::fmt::Display for i16 {}
    impl crate::fmt::Debug for i16 {}
    impl PartialEq for i16 {}
    impl Eq for i16 {}
    impl PartialOrd for i16 {}
    impl Ord for i16 {}
    impl Default for i16 {}
    impl crate::hash::Hash for i16 {}
    impl crate::str::FromStr for i16 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for i32 {}
    impl Copy for i32 {}
    impl crate::fmt::Display for i32 {}
    impl crate::fmt::Debug for i32 {}
    impl PartialEq for i32 {}
    impl Eq for i32 {}
    impl PartialOrd for i32 {}
    impl Ord for i32 {}
    impl Default for i32 {}
    impl crate::hash::Hash for i32 {}
    impl crate::str::FromStr for i32 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for i64 {}
    impl Copy for i64 {}
    impl crate::fmt::Display for i64 {}
    impl crate::fmt::Debug for i64 {}
    impl PartialEq for i64 {}
    impl Eq for i64 {}
    impl PartialOrd for i64 {}
    impl Ord for i64 {}
    impl Default for i64 {}
    impl crate::hash::Hash for i64 {}
    impl crate::str::FromStr for i64 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for i128 {}
    impl Copy for i128 {}
    impl crate::fmt::Display for i128 {}
    impl crate::fmt::Debug for i128 {}
    impl PartialEq for i128 {}
    impl Eq for i128 {}
    impl PartialOrd for i128 {}
    impl Ord for i128 {}
    impl Default for i128 {}
    impl crate::hash::Hash for i128 {}
    impl crate::str::FromStr for i128 {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for isize {}
    impl Copy for isize {}
    impl crate::fmt::Display for isize {}
    impl crate::fmt::Debug for isize {}
    impl PartialEq for isize {}
    impl Eq for isize {}
    impl PartialOrd for isize {}
    impl Ord for isize {}
    impl Default for isize {}
    impl crate::hash::Hash for isize {}
    impl crate::str::FromStr for isize {
        type Err = crate::num::ParseIntError;
    }
    impl Clone for f32 {}
    impl Copy for f32 {}
    impl crate::fmt::Display for f32 {}
    impl crate::fmt::Debug for f32 {}
    impl PartialEq for f32 {}
    impl Eq for f32 {}
    impl PartialOrd for f32 {}
    impl Ord for f32 {}
    impl Default for f32 {}
    impl crate::hash::Hash for f32 {}
    impl crate::str::FromStr for f32 {
        type Err = crate::num::ParseFloatError;
    }
    impl Clone for f64 {}
    impl Copy for f64 {}
    impl crate::fmt::Display for f64 {}
    impl crate::fmt::Debug for f64 {}
    impl PartialEq for f64 {}
    impl Eq for f64 {}
    impl PartialOrd for f64 {}
    impl Ord for f64 {}
    impl Default for f64 {}
    impl crate::hash::Hash for f64 {}
    impl crate::str::FromStr for f64 {
        type Err = crate::num::ParseFloatError;
    }
    impl Clone for bool {}
    impl Copy for bool {}
    impl crate::fmt::Display for bool {}
    impl crate::fmt::Debug for bool {}
    impl PartialEq for bool {}
    impl Eq for bool {}
    impl PartialOrd for bool {}
    impl Ord for bool {}
    impl Default for bool {}
    impl crate::hash::Hash for bool {}
    impl crate::str::FromStr for bool {
        type Err = crate::str::ParseBoolError;
    }
    impl Clone for char {}
    impl Copy for char {}
    impl crate::fmt::Display for char {}
    impl crate::fmt::Debug for char {}
    impl PartialEq for char {}
    impl Eq for char {}
    impl PartialOrd for char {}
    impl Ord for char {}
    impl Default for char {}
    impl crate::hash::Hash for char {}
    impl crate::str::FromStr for char {
        type Err = crate::str::ParseBoolError;
    }
}
