pub mod signed {
    impl TryFrom<u64> for i8 {
        type Error = crate::num::TryFromIntError;
    }
    impl i8 {
        pub const MAX: i8 = 0;
        pub const MIN: i8 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<i8, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: i8) -> Option<i8>;
        pub fn checked_sub(self, rhs: i8) -> Option<i8>;
        pub fn checked_mul(self, rhs: i8) -> Option<i8>;
        pub fn checked_div(self, rhs: i8) -> Option<i8>;
        pub fn checked_rem(self, rhs: i8) -> Option<i8>;
        pub fn checked_shl(self, rhs: u32) -> Option<i8>;
        pub fn checked_pow(self, exp: u32) -> Option<i8>;
        pub fn saturating_add(self, rhs: i8) -> i8;
        pub fn saturating_sub(self, rhs: i8) -> i8;
        pub fn saturating_mul(self, rhs: i8) -> i8;
        pub fn wrapping_add(self, rhs: i8) -> i8;
        pub fn wrapping_sub(self, rhs: i8) -> i8;
        pub fn wrapping_mul(self, rhs: i8) -> i8;
        pub fn overflowing_add(self, rhs: i8) -> (i8, bool);
        pub fn overflowing_mul(self, rhs: i8) -> (i8, bool);
        pub fn pow(self, exp: u32) -> i8;
        pub fn abs(self) -> i8;
        pub fn abs_diff(self, other: i8) -> i8;
        pub fn div_ceil(self, rhs: i8) -> i8;
        pub fn rem_euclid(self, rhs: i8) -> i8;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> i8;
        pub fn rotate_left(self, n: u32) -> i8;
        pub fn swap_bytes(self) -> i8;
        pub fn is_multiple_of(self, rhs: i8) -> bool;
        pub fn max_value() -> i8;
        pub fn min_value() -> i8;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for i16 {
        type Error = crate::num::TryFromIntError;
    }
    impl i16 {
        pub const MAX: i16 = 0;
        pub const MIN: i16 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<i16, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: i16) -> Option<i16>;
        pub fn checked_sub(self, rhs: i16) -> Option<i16>;
        pub fn checked_mul(self, rhs: i16) -> Option<i16>;
        pub fn checked_div(self, rhs: i16) -> Option<i16>;
        pub fn checked_rem(self, rhs: i16) -> Option<i16>;
        pub fn checked_shl(self, rhs: u32) -> Option<i16>;
        pub fn checked_pow(self, exp: u32) -> Option<i16>;
        pub fn saturating_add(self, rhs: i16) -> i16;
        pub fn saturating_sub(self, rhs: i16) -> i16;
        pub fn saturating_mul(self, rhs: i16) -> i16;
        pub fn wrapping_add(self, rhs: i16) -> i16;
        pub fn wrapping_sub(self, rhs: i16) -> i16;
        pub fn wrapping_mul(self, rhs: i16) -> i16;
        pub fn overflowing_add(self, rhs: i16) -> (i16, bool);
        pub fn overflowing_mul(self, rhs: i16) -> (i16, bool);
        pub fn pow(self, exp: u32) -> i16;
        pub fn abs(self) -> i16;
        pub fn abs_diff(self, other: i16) -> i16;
        pub fn div_ceil(self, rhs: i16) -> i16;
        pub fn rem_euclid(self, rhs: i16) -> i16;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> i16;
        pub fn rotate_left(self, n: u32) -> i16;
        pub fn swap_bytes(self) -> i16;
        pub fn is_multiple_of(self, rhs: i16) -> bool;
        pub fn max_value() -> i16;
        pub fn min_value() -> i16;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for i32 {
        type Error = crate::num::TryFromIntError;
    }
    impl i32 {
        pub const MAX: i32 = 0;
        pub const MIN: i32 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<i32, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: i32) -> Option<i32>;
        pub fn checked_sub(self, rhs: i32) -> Option<i32>;
        pub fn checked_mul(self, rhs: i32) -> Option<i32>;
        pub fn checked_div(self, rhs: i32) -> Option<i32>;
        pub fn checked_rem(self, rhs: i32) -> Option<i32>;
        pub fn checked_shl(self, rhs: u32) -> Option<i32>;
        pub fn checked_pow(self, exp: u32) -> Option<i32>;
        pub fn saturating_add(self, rhs: i32) -> i32;
        pub fn saturating_sub(self, rhs: i32) -> i32;
        pub fn saturating_mul(self, rhs: i32) -> i32;
        pub fn wrapping_add(self, rhs: i32) -> i32;
        pub fn wrapping_sub(self, rhs: i32) -> i32;
        pub fn wrapping_mul(self, rhs: i32) -> i32;
        pub fn overflowing_add(self, rhs: i32) -> (i32, bool);
        pub fn overflowing_mul(self, rhs: i32) -> (i32, bool);
        pub fn pow(self, exp: u32) -> i32;
        pub fn abs(self) -> i32;
        pub fn abs_diff(self, other: i32) -> i32;
        pub fn div_ceil(self, rhs: i32) -> i32;
        pub fn rem_euclid(self, rhs: i32) -> i32;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> i32;
        pub fn rotate_left(self, n: u32) -> i32;
        pub fn swap_bytes(self) -> i32;
        pub fn is_multiple_of(self, rhs: i32) -> bool;
        pub fn max_value() -> i32;
        pub fn min_value() -> i32;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for i64 {
        type Error = crate::num::TryFromIntError;
    }
    impl i64 {
        pub const MAX: i64 = 0;
        pub const MIN: i64 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<i64, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: i64) -> Option<i64>;
        pub fn checked_sub(self, rhs: i64) -> Option<i64>;
        pub fn checked_mul(self, rhs: i64) -> Option<i64>;
        pub fn checked_div(self, rhs: i64) -> Option<i64>;
        pub fn checked_rem(self, rhs: i64) -> Option<i64>;
        pub fn checked_shl(self, rhs: u32) -> Option<i64>;
        pub fn checked_pow(self, exp: u32) -> Option<i64>;
        pub fn saturating_add(self, rhs: i64) -> i64;
        pub fn saturating_sub(self, rhs: i64) -> i64;
        pub fn saturating_mul(self, rhs: i64) -> i64;
        pub fn wrapping_add(self, rhs: i64) -> i64;
        pub fn wrapping_sub(self, rhs: i64) -> i64;
        pub fn wrapping_mul(self, rhs: i64) -> i64;
        pub fn overflowing_add(self, rhs: i64) -> (i64, bool);
        pub fn overflowing_mul(self, rhs: i64) -> (i64, bool);
        pub fn pow(self, exp: u32) -> i64;
        pub fn abs(self) -> i64;
        pub fn abs_diff(self, other: i64) -> i64;
        pub fn div_ceil(self, rhs: i64) -> i64;
        pub fn rem_euclid(self, rhs: i64) -> i64;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> i64;
        pub fn rotate_left(self, n: u32) -> i64;
        pub fn swap_bytes(self) -> i64;
        pub fn is_multiple_of(self, rhs: i64) -> bool;
        pub fn max_value() -> i64;
        pub fn min_value() -> i64;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for i128 {
        type Error = crate::num::TryFromIntError;
    }
    impl i128 {
        pub const MAX: i128 = 0;
        pub const MIN: i128 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<i128, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: i128) -> Option<i128>;
        pub fn checked_sub(self, rhs: i128) -> Option<i128>;
        pub fn checked_mul(self, rhs: i128) -> Option<i128>;
        pub fn checked_div(self, rhs: i128) -> Option<i128>;
        pub fn checked_rem(self, rhs: i128) -> Option<i128>;
        pub fn checked_shl(self, rhs: u32) -> Option<i128>;
        pub fn checked_pow(self, exp: u32) -> Option<i128>;
        pub fn saturating_add(self, rhs: i128) -> i128;
        pub fn saturating_sub(self, rhs: i128) -> i128;
        pub fn saturating_mul(self, rhs: i128) -> i128;
        pub fn wrapping_add(self, rhs: i128) -> i128;
        pub fn wrapping_sub(self, rhs: i128) -> i128;
        pub fn wrapping_mul(self, rhs: i128) -> i128;
        pub fn overflowing_add(self, rhs: i128) -> (i128, bool);
        pub fn overflowing_mul(self, rhs: i128) -> (i128, bool);
        pub fn pow(self, exp: u32) -> i128;
        pub fn abs(self) -> i128;
        pub fn abs_diff(self, other: i128) -> i128;
        pub fn div_ceil(self, rhs: i128) -> i128;
        pub fn rem_euclid(self, rhs: i128) -> i128;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> i128;
        pub fn rotate_left(self, n: u32) -> i128;
        pub fn swap_bytes(self) -> i128;
        pub fn is_multiple_of(self, rhs: i128) -> bool;
        pub fn max_value() -> i128;
        pub fn min_value() -> i128;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for isize {
        type Error = crate::num::TryFromIntError;
    }
    impl isize {
        pub const MAX: isize = 0;
        pub const MIN: isize = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<isize, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: isize) -> Option<isize>;
        pub fn checked_sub(self, rhs: isize) -> Option<isize>;
        pub fn checked_mul(self, rhs: isize) -> Option<isize>;
        pub fn checked_div(self, rhs: isize) -> Option<isize>;
        pub fn checked_rem(self, rhs: isize) -> Option<isize>;
        pub fn checked_shl(self, rhs: u32) -> Option<isize>;
        pub fn checked_pow(self, exp: u32) -> Option<isize>;
        pub fn saturating_add(self, rhs: isize) -> isize;
        pub fn saturating_sub(self, rhs: isize) -> isize;
        pub fn saturating_mul(self, rhs: isize) -> isize;
        pub fn wrapping_add(self, rhs: isize) -> isize;
        pub fn wrapping_sub(self, rhs: isize) -> isize;
        pub fn wrapping_mul(self, rhs: isize) -> isize;
        pub fn overflowing_add(self, rhs: isize) -> (isize, bool);
        pub fn overflowing_mul(self, rhs: isize) -> (isize, bool);
        pub fn pow(self, exp: u32) -> isize;
        pub fn abs(self) -> isize;
        pub fn abs_diff(self, other: isize) -> isize;
        pub fn div_ceil(self, rhs: isize) -> isize;
        pub fn rem_euclid(self, rhs: isize) -> isize;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> isize;
        pub fn rotate_left(self, n: u32) -> isize;
        pub fn swap_bytes(self) -> isize;
        pub fn is_multiple_of(self, rhs: isize) -> bool;
        pub fn max_value() -> isize;
        pub fn min_value() -> isize;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl u8 {
        pub fn is_ascii(&self) -> bool;
        pub fn to_ascii_uppercase(&self) -> u8;
        pub fn to_ascii_lowercase(&self) -> u8;
        pub fn eq_ignore_ascii_case(&self, other: &u8) -> bool;
        pub fn is_ascii_alphabetic(&self) -> bool;
        pub fn is_ascii_digit(&self) -> bool;
        pub fn is_ascii_alphanumeric(&self) -> bool;
        pub fn is_ascii_hexdigit(&self) -> bool;
        pub fn is_ascii_punctuation(&self) -> bool;
        pub fn is_ascii_whitespace(&self) -> bool;
        pub fn is_ascii_uppercase(&self) -> bool;
        pub fn is_ascii_lowercase(&self) -> bool;
        pub fn is_ascii_graphic(&self) -> bool;
        pub fn is_ascii_control(&self) -> bool;
    }
    impl f32 {
        pub const MAX: f32 = 0;
        pub const MIN: f32 = 0;
        pub const NAN: f32 = 0;
        pub const INFINITY: f32 = 0;
        pub const EPSILON: f32 = 0;
        pub fn floor(self) -> f32;
        pub fn ceil(self) -> f32;
        pub fn round(self) -> f32;
        pub fn trunc(self) -> f32;
        pub fn abs(self) -> f32;
        pub fn sqrt(self) -> f32;
        pub fn powi(self, n: i32) -> f32;
        pub fn powf(self, n: f32) -> f32;
        pub fn ln(self) -> f32;
        pub fn log10(self) -> f32;
        pub fn log2(self) -> f32;
        pub fn exp(self) -> f32;
        pub fn sin(self) -> f32;
        pub fn cos(self) -> f32;
        pub fn max(self, other: f32) -> f32;
        pub fn min(self, other: f32) -> f32;
        pub fn clamp(self, min: f32, max: f32) -> f32;
        pub fn is_nan(self) -> bool;
        pub fn is_finite(self) -> bool;
        pub fn to_bits(self) -> u64;
        pub fn total_cmp(&self, other: &f32) -> crate::cmp::Ordering;
    }
    impl f64 {
        pub const MAX: f64 = 0;
        pub const MIN: f64 = 0;
        pub const NAN: f64 = 0;
        pub const INFINITY: f64 = 0;
        pub const EPSILON: f64 = 0;
        pub fn floor(self) -> f64;
        pub fn ceil(self) -> f64;
        pub fn round(self) -> f64;
        pub fn trunc(self) -> f64;
        pub fn abs(self) -> f64;
        pub fn sqrt(self) -> f64;
        pub fn powi(self, n: i32) -> f64;
        pub fn powf(self, n: f64) -> f64;
        pub fn ln(self) -> f64;
        pub fn log10(self) -> f64;
        pub fn log2(self) -> f64;
        pub fn exp(self) -> f64;
        pub fn sin(self) -> f64;
        pub fn cos(self) -> f64;
        pub fn max(self, other: f64) -> f64;
        pub fn min(self, other: f64) -> f64;
        pub fn clamp(self, min: f64, max: f64) -> f64;
        pub fn is_nan(self) -> bool;
        pub fn is_finite(self) -> bool;
        pub fn to_bits(self) -> u64;
        pub fn total_cmp(&self, other: &f64) -> crate::cmp::Ordering;
    }
    impl bool {
        pub fn then<T, F: FnOnce() -> T>(self, f: F) -> Option<T>;
        pub fn then_some<T>(self, t: T) -> Option<T>;
    }
    impl From<u8> for char {}
    impl From<char> for u32 {}
}
