pub mod unsigned {
    impl TryFrom<u64> for u8 {
        type Error = crate::num::TryFromIntError;
    }
    impl u8 {
        pub const MAX: u8 = 0;
        pub const MIN: u8 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<u8, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: u8) -> Option<u8>;
        pub fn checked_sub(self, rhs: u8) -> Option<u8>;
        pub fn checked_mul(self, rhs: u8) -> Option<u8>;
        pub fn checked_div(self, rhs: u8) -> Option<u8>;
        pub fn checked_rem(self, rhs: u8) -> Option<u8>;
        pub fn checked_shl(self, rhs: u32) -> Option<u8>;
        pub fn checked_pow(self, exp: u32) -> Option<u8>;
        pub fn saturating_add(self, rhs: u8) -> u8;
        pub fn saturating_sub(self, rhs: u8) -> u8;
        pub fn saturating_mul(self, rhs: u8) -> u8;
        pub fn wrapping_add(self, rhs: u8) -> u8;
        pub fn wrapping_sub(self, rhs: u8) -> u8;
        pub fn wrapping_mul(self, rhs: u8) -> u8;
        pub fn overflowing_add(self, rhs: u8) -> (u8, bool);
        pub fn overflowing_mul(self, rhs: u8) -> (u8, bool);
        pub fn pow(self, exp: u32) -> u8;
        pub fn abs(self) -> u8;
        pub fn abs_diff(self, other: u8) -> u8;
        pub fn div_ceil(self, rhs: u8) -> u8;
        pub fn rem_euclid(self, rhs: u8) -> u8;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> u8;
        pub fn rotate_left(self, n: u32) -> u8;
        pub fn swap_bytes(self) -> u8;
        pub fn is_multiple_of(self, rhs: u8) -> bool;
        pub fn max_value() -> u8;
        pub fn min_value() -> u8;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for u16 {
        type Error = crate::num::TryFromIntError;
    }
    impl u16 {
        pub const MAX: u16 = 0;
        pub const MIN: u16 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<u16, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: u16) -> Option<u16>;
        pub fn checked_sub(self, rhs: u16) -> Option<u16>;
        pub fn checked_mul(self, rhs: u16) -> Option<u16>;
        pub fn checked_div(self, rhs: u16) -> Option<u16>;
        pub fn checked_rem(self, rhs: u16) -> Option<u16>;
        pub fn checked_shl(self, rhs: u32) -> Option<u16>;
        pub fn checked_pow(self, exp: u32) -> Option<u16>;
        pub fn saturating_add(self, rhs: u16) -> u16;
        pub fn saturating_sub(self, rhs: u16) -> u16;
        pub fn saturating_mul(self, rhs: u16) -> u16;
        pub fn wrapping_add(self, rhs: u16) -> u16;
        pub fn wrapping_sub(self, rhs: u16) -> u16;
        pub fn wrapping_mul(self, rhs: u16) -> u16;
        pub fn overflowing_add(self, rhs: u16) -> (u16, bool);
        pub fn overflowing_mul(self, rhs: u16) -> (u16, bool);
        pub fn pow(self, exp: u32) -> u16;
        pub fn abs(self) -> u16;
        pub fn abs_diff(self, other: u16) -> u16;
        pub fn div_ceil(self, rhs: u16) -> u16;
        pub fn rem_euclid(self, rhs: u16) -> u16;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> u16;
        pub fn rotate_left(self, n: u32) -> u16;
        pub fn swap_bytes(self) -> u16;
        pub fn is_multiple_of(self, rhs: u16) -> bool;
        pub fn max_value() -> u16;
        pub fn min_value() -> u16;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for u32 {
        type Error = crate::num::TryFromIntError;
    }
    impl u32 {
        pub const MAX: u32 = 0;
        pub const MIN: u32 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<u32, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: u32) -> Option<u32>;
        pub fn checked_sub(self, rhs: u32) -> Option<u32>;
        pub fn checked_mul(self, rhs: u32) -> Option<u32>;
        pub fn checked_div(self, rhs: u32) -> Option<u32>;
        pub fn checked_rem(self, rhs: u32) -> Option<u32>;
        pub fn checked_shl(self, rhs: u32) -> Option<u32>;
        pub fn checked_pow(self, exp: u32) -> Option<u32>;
        pub fn saturating_add(self, rhs: u32) -> u32;
        pub fn saturating_sub(self, rhs: u32) -> u32;
        pub fn saturating_mul(self, rhs: u32) -> u32;
        pub fn wrapping_add(self, rhs: u32) -> u32;
        pub fn wrapping_sub(self, rhs: u32) -> u32;
        pub fn wrapping_mul(self, rhs: u32) -> u32;
        pub fn overflowing_add(self, rhs: u32) -> (u32, bool);
        pub fn overflowing_mul(self, rhs: u32) -> (u32, bool);
        pub fn pow(self, exp: u32) -> u32;
        pub fn abs(self) -> u32;
        pub fn abs_diff(self, other: u32) -> u32;
        pub fn div_ceil(self, rhs: u32) -> u32;
        pub fn rem_euclid(self, rhs: u32) -> u32;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> u32;
        pub fn rotate_left(self, n: u32) -> u32;
        pub fn swap_bytes(self) -> u32;
        pub fn is_multiple_of(self, rhs: u32) -> bool;
        pub fn max_value() -> u32;
        pub fn min_value() -> u32;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for u64 {
        type Error = crate::num::TryFromIntError;
    }
    impl u64 {
        pub const MAX: u64 = 0;
        pub const MIN: u64 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<u64, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: u64) -> Option<u64>;
        pub fn checked_sub(self, rhs: u64) -> Option<u64>;
        pub fn checked_mul(self, rhs: u64) -> Option<u64>;
        pub fn checked_div(self, rhs: u64) -> Option<u64>;
        pub fn checked_rem(self, rhs: u64) -> Option<u64>;
        pub fn checked_shl(self, rhs: u32) -> Option<u64>;
        pub fn checked_pow(self, exp: u32) -> Option<u64>;
        pub fn saturating_add(self, rhs: u64) -> u64;
        pub fn saturating_sub(self, rhs: u64) -> u64;
        pub fn saturating_mul(self, rhs: u64) -> u64;
        pub fn wrapping_add(self, rhs: u64) -> u64;
        pub fn wrapping_sub(self, rhs: u64) -> u64;
        pub fn wrapping_mul(self, rhs: u64) -> u64;
        pub fn overflowing_add(self, rhs: u64) -> (u64, bool);
        pub fn overflowing_mul(self, rhs: u64) -> (u64, bool);
        pub fn pow(self, exp: u32) -> u64;
        pub fn abs(self) -> u64;
        pub fn abs_diff(self, other: u64) -> u64;
        pub fn div_ceil(self, rhs: u64) -> u64;
        pub fn rem_euclid(self, rhs: u64) -> u64;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> u64;
        pub fn rotate_left(self, n: u32) -> u64;
        pub fn swap_bytes(self) -> u64;
        pub fn is_multiple_of(self, rhs: u64) -> bool;
        pub fn max_value() -> u64;
        pub fn min_value() -> u64;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for u128 {
        type Error = crate::num::TryFromIntError;
    }
    impl u128 {
        pub const MAX: u128 = 0;
        pub const MIN: u128 = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<u128, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: u128) -> Option<u128>;
        pub fn checked_sub(self, rhs: u128) -> Option<u128>;
        pub fn checked_mul(self, rhs: u128) -> Option<u128>;
        pub fn checked_div(self, rhs: u128) -> Option<u128>;
        pub fn checked_rem(self, rhs: u128) -> Option<u128>;
        pub fn checked_shl(self, rhs: u32) -> Option<u128>;
        pub fn checked_pow(self, exp: u32) -> Option<u128>;
        pub fn saturating_add(self, rhs: u128) -> u128;
        pub fn saturating_sub(self, rhs: u128) -> u128;
        pub fn saturating_mul(self, rhs: u128) -> u128;
        pub fn wrapping_add(self, rhs: u128) -> u128;
        pub fn wrapping_sub(self, rhs: u128) -> u128;
        pub fn wrapping_mul(self, rhs: u128) -> u128;
        pub fn overflowing_add(self, rhs: u128) -> (u128, bool);
        pub fn overflowing_mul(self, rhs: u128) -> (u128, bool);
        pub fn pow(self, exp: u32) -> u128;
        pub fn abs(self) -> u128;
        pub fn abs_diff(self, other: u128) -> u128;
        pub fn div_ceil(self, rhs: u128) -> u128;
        pub fn rem_euclid(self, rhs: u128) -> u128;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> u128;
        pub fn rotate_left(self, n: u32) -> u128;
        pub fn swap_bytes(self) -> u128;
        pub fn is_multiple_of(self, rhs: u128) -> bool;
        pub fn max_value() -> u128;
        pub fn min_value() -> u128;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
    impl TryFrom<u64> for usize {
        type Error = crate::num::TryFromIntError;
    }
    impl usize {
        pub const MAX: usize = 0;
        pub const MIN: usize = 0;
        pub const BITS: u32 = 0;
        pub fn from_str_radix(src: &str, radix: u32) -> Result<usize, crate::num::ParseIntError>;
        pub fn count_ones(self) -> u32;
        pub fn leading_zeros(self) -> u32;
        pub fn trailing_zeros(self) -> u32;
        pub fn checked_add(self, rhs: usize) -> Option<usize>;
        pub fn checked_sub(self, rhs: usize) -> Option<usize>;
        pub fn checked_mul(self, rhs: usize) -> Option<usize>;
        pub fn checked_div(self, rhs: usize) -> Option<usize>;
        pub fn checked_rem(self, rhs: usize) -> Option<usize>;
        pub fn checked_shl(self, rhs: u32) -> Option<usize>;
        pub fn checked_pow(self, exp: u32) -> Option<usize>;
        pub fn saturating_add(self, rhs: usize) -> usize;
        pub fn saturating_sub(self, rhs: usize) -> usize;
        pub fn saturating_mul(self, rhs: usize) -> usize;
        pub fn wrapping_add(self, rhs: usize) -> usize;
        pub fn wrapping_sub(self, rhs: usize) -> usize;
        pub fn wrapping_mul(self, rhs: usize) -> usize;
        pub fn overflowing_add(self, rhs: usize) -> (usize, bool);
        pub fn overflowing_mul(self, rhs: usize) -> (usize, bool);
        pub fn pow(self, exp: u32) -> usize;
        pub fn abs(self) -> usize;
        pub fn abs_diff(self, other: usize) -> usize;
        pub fn div_ceil(self, rhs: usize) -> usize;
        pub fn rem_euclid(self, rhs: usize) -> usize;
        pub fn is_power_of_two(self) -> bool;
        pub fn next_power_of_two(self) -> usize;
        pub fn rotate_left(self, n: u32) -> usize;
        pub fn swap_bytes(self) -> usize;
        pub fn is_multiple_of(self, rhs: usize) -> bool;
        pub fn max_value() -> usize;
        pub fn min_value() -> usize;
        pub fn ilog10(self) -> u32;
        pub fn ilog2(self) -> u32;
    }
}
