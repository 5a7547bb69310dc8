//! Declarations of the standard library: types that its functions return, and what it does not have.

use super::*;

const TYPES: &str = "
    use std::{char::ToUppercase, collections::HashMap, fs::File, io::{self, Read}};
    use std::{ops::{Range, RangeInclusive}, time::{Duration, Instant}};
    pub trait P { fn p(&self); }
    impl P for u8 { fn p(&self) {} }
    impl P for u32 { fn p(&self) {} }
    impl P for i32 { fn p(&self) {} }
    impl P for u64 { fn p(&self) {} }
    impl P for Duration { fn p(&self) {} }
    impl P for Instant { fn p(&self) {} }
    impl P for ToUppercase { fn p(&self) {} }
    impl<A, B> P for io::Chain<A, B> { fn p(&self) {} }
    impl<A> P for io::Take<A> { fn p(&self) {} }
";

/// Method calls of a statement.
fn calls(statement: &str) -> Vec<String> {
    let text = format!(
        "{TYPES} fn f(file: File, other: File, map: HashMap<u8, u8>, second: HashMap<u8, u8>,
         range: Range<u8>, closed: RangeInclusive<u8>, i: Instant, d: Duration, list: &[u8]) {{
             {statement};
         }}"
    );
    let lines = Workspace::parse(&text).lines();
    let calls = lines.iter().filter_map(|line| line.strip_prefix("a::f method_call "));
    calls.map(str::to_owned).collect()
}

#[test]
fn the_librarys_functions_return_what_it_declares() {
    let cases = [
        ("1i32.abs_diff(2).p()", "<u32 as P>::p"),
        ("1u8.abs_diff(2).p()", "<u8 as P>::p"),
        ("1i32.unsigned_abs().p()", "<u32 as P>::p"),
        ("1f32.to_bits().p()", "<u32 as P>::p"),
        ("1f64.to_bits().p()", "<u64 as P>::p"),
        ("closed.start().p()", "<u8 as P>::p"),
        ("file.chain(other).p()", "<Chain as P>::p"),
        ("file.take(1).p()", "<Take as P>::p"),
        ("'a'.to_uppercase().p()", "<ToUppercase as P>::p"),
        ("(i - i).p()", "<Duration as P>::p"),
        ("(i - d).p()", "<Instant as P>::p"),
        ("(d * 2).p()", "<Duration as P>::p"),
        ("list.get(0).unwrap().p()", "<u8 as P>::p"),
        ("list.get(1..).unwrap()[0].p()", "<u8 as P>::p"),
        ("list.first_chunk::<2>().unwrap()[0].p()", "<u8 as P>::p"),
        ("closed.into_inner().0.p()", "<u8 as P>::p"),
        ("(1u8..=2).start().p()", "<u8 as P>::p"),
        ("(1u8..2).start.p()", "<u8 as P>::p"),
        ("list.iter().copied().next().unwrap().p()", "<u8 as P>::p"),
        ("list.iter().cloned().map(|one| one.p())", "<u8 as P>::p"),
        ("vec![list.to_vec()].into_iter().flatten().next().unwrap().p()", "<u8 as P>::p"),
        ("for one in list.iter().rev().skip(1).cloned() { one.p(); }", "<u8 as P>::p"),
        ("vec![String::new()].join(\"\").into_bytes()[0].p()", "<u8 as P>::p"),
        ("1u8.to_string().into_bytes()[0].p()", "<u8 as P>::p"),
        ("1i128.to_string().into_bytes()[0].p()", "<u8 as P>::p"),
        ("1.5f32.to_string().into_bytes()[0].p()", "<u8 as P>::p"),
    ];
    let failed = cases.iter().filter_map(|(statement, target)| {
        let calls = calls(statement);
        let found = calls.iter().any(|call| call.starts_with(&format!("{target} [")));
        (!found).then(|| format!("{statement}: {target} is not among {calls:?}"))
    });
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn what_the_library_does_not_have_is_not_found() {
    for statement in ["1u8.abs()", "range.start()", "range.into_inner()", "map.cmp(&second)"] {
        let calls = calls(statement);
        assert!(calls.iter().all(|call| call.starts_with("? ")), "{statement}: {calls:?}");
    }
}

#[test]
fn types_are_found_through_their_modules_and_have_their_derives() {
    let text = "
        use std::{iter, str::Chars};
        pub struct Text<'t> { chars: iter::Peekable<Chars<'t>> }
        impl Text<'_> {
            pub fn peek(&mut self) -> Option<&char> { self.chars.peek() }
            pub fn copy(&self) { self.chars.clone().next(); }
            pub fn some() { iter::from_fn(|| Some(1u8)).next(); }
            pub fn wrong(text: &str) { text.parse::<f64>().unwrap_err().clone(); }
        }
    ";
    let lines = Workspace::parse(text).lines();
    let calls: Vec<&String> = lines.iter().filter(|line| line.contains(" method_call ")).collect();
    for call in [
        "peek method_call extern std::iter::Peekable::peek [member]",
        "copy method_call extern std::clone::Clone::clone [bound]",
        "copy method_call extern std::iter::Iterator::next [bound]",
        "some method_call extern std::iter::Iterator::next [bound]",
        "wrong method_call extern std::clone::Clone::clone [bound]",
    ] {
        assert!(calls.iter().any(|line| line.ends_with(call)), "{call}: {calls:?}");
    }
}
