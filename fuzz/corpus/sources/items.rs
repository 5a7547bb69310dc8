#!/usr/bin/env run
//! File.
#![allow(dead_code)]
use std::{fmt::{self, Debug as D}, io::*};
extern crate alloc as a;
/// Doc.
#[derive(Clone)] pub struct S<T: D, const N: usize>(pub T, [u8; N]) where T: Copy;
pub enum E { A = 1 << 2, B { x: u8 }, C(u8, u8) }
union U { a: u8, b: i8 }
impl<T: D, const N: usize> S<T, N> where T: Copy { const K: u8 = { fn inner() {} 1 }; pub async fn m(&self) -> u8 { self.1[0] } }
unsafe impl<T> Send for S<T, 0> where T: Copy + D {}
pub trait Tr: Sized { type O<'a>: D where Self: 'a; fn d(&self) -> u8 { 1 } const C: u8; }
macro_rules! m { ($($t:tt)*) => { $($t)* } }
m! { pub fn generated() { let s = "a\"b"; } }
mod inline { pub(in crate::inline) mod deep { pub const R: &str = r#"raw "x" "#; } }
extern "C" { fn c(x: *const u8, ...); static G: u8; }
pub fn f<'a>(x: &'a [u8], (y, _): (u8, u8)) -> impl Iterator<Item = &'a u8> + 'a { x.iter().filter(move |v| **v > y && { 1 < 2 }) }
const _: () = assert!(true);
type A<T> = Result<T, Box<dyn std::error::Error + Send>>;
static mut ST: u8 = b'\'';
#[cfg(feature = "a")] fn twin() {}
#[cfg(not(feature = "a"))] fn twin() {}
