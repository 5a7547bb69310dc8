//! Converts a panic of the engine into an error of the script that it was running.
//!
//! Some of the engine's functions index their arguments without counting them, or unwrap a value of
//! the wrong type. In a user's script that is an error of the script, described here. A panic while
//! decoding stored rows says nothing about the script.

use std::sync::{Mutex, PoisonError};

use super::error::StoreError;
use super::excerpt::{excerpt, query_name};
use super::scan::{Scanner, Token};

/// Files of the engine that read what is stored: a panic there is about the database.
const STORED: [&str; 4] = ["memcmp.rs", "tuple.rs", "storage/", "runtime/relation.rs"];
/// Calls that are named in an error.
const NAMED: usize = 5;

/// Where in the engine the last panic began. Panics of its threads are reported as their caller's,
/// so there is one place for all threads.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Records where a panic began.
pub(super) fn note(place: Option<&str>) {
    *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place.map(str::to_owned);
}

/// The error of a script that made the engine panic.
pub(super) fn rejected(script: &str, panic: &str) -> StoreError {
    let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    if STORED.iter().any(|file| place.contains(file)) {
        return StoreError::Engine { reason: panic.to_owned() };
    }
    let mut calls = calls(script);
    // The slice that was indexed has as many elements as the call has arguments.
    if let Some(len) = number_after(panic, "the len is ")
        && calls.iter().any(|call| call.arguments == len)
    {
        calls.retain(|call| call.arguments == len);
    }
    let one = match calls.as_slice() {
        [call] => Some(call),
        _ => None,
    };
    let subject = match calls.as_slice() {
        [] => "an expression".to_owned(),
        [call] => format!("the call of `{}`", call.name),
        many => {
            let mut names: Vec<String> = many.iter().map(|c| format!("`{}`", c.name)).collect();
            names.sort();
            names.dedup();
            let more = if names.len() > NAMED { ", …" } else { "" };
            names.truncate(NAMED);
            format!("one of the calls of {}{more}", names.join(", "))
        }
    };
    StoreError::Query {
        query: query_name(script),
        message: format!("the engine rejected {subject}: {}", reason(panic)),
        span: one.map(|call| (call.at, call.name.len())),
        excerpt: one.map(|call| excerpt(script, call.at, call.name.len())).unwrap_or_default(),
        help: Some("check the number, the types and the range of the arguments".into()),
    }
}

/// Explains a panic's message to the author of the call.
fn reason(panic: &str) -> String {
    let says = |text: &str| panic.contains(text);
    if says("index out of bounds") {
        "wrong number of arguments".to_owned()
    } else if says("Option::unwrap()") || says("Result::unwrap()") || says("unreachable") {
        "an argument has the wrong type or form".to_owned()
    } else if says("overflow") {
        "a number is out of range".to_owned()
    } else if says("divide by zero") || says("divisor of zero") || says("must be non-zero") {
        "a number must not be zero".to_owned()
    } else if says("range") || says("char boundary") {
        "a position or size is out of range".to_owned()
    } else {
        let first = panic.lines().next().unwrap_or_default();
        first.chars().take(200).collect()
    }
}

fn number_after(text: &str, before: &str) -> Option<usize> {
    let (_, rest) = text.split_once(before)?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..digits)?.parse().ok()
}

/// A name with arguments, or of a fixed rule.
#[derive(Debug, PartialEq, Eq)]
struct Call<'a> {
    name: &'a str,
    at: usize,
    arguments: usize,
}

/// The calls of a script, in its order.
fn calls(script: &str) -> Vec<Call<'_>> {
    let mut scanner = Scanner::new(script);
    let mut found: Vec<Call<'_>> = Vec::new();
    // For each open bracket: the call that it belongs to, and whether it has anything in it.
    let mut open: Vec<(Option<usize>, bool)> = Vec::new();
    let mut before = (0, Token::Start);
    while let Ok(Some((at, token))) = scanner.next_token() {
        if !matches!(token, Token::Close(_))
            && let Some((call, filled)) = open.last_mut()
            && !std::mem::replace(filled, true)
            && let Some(call) = call.and_then(|call| found.get_mut(call))
        {
            call.arguments = 1;
        }
        match token {
            Token::Open(bracket) => {
                let call = match before {
                    (at, Token::Word(name)) if bracket == '(' && !is_operator(name) => {
                        found.push(Call { name, at, arguments: 0 });
                        Some(found.len() - 1)
                    }
                    _ => None,
                };
                open.push((call, false));
            }
            Token::Close(_) => drop(open.pop()),
            Token::Char(',') => {
                let call = open.last().and_then(|(call, _)| *call);
                if let Some(call) = call.and_then(|call| found.get_mut(call)) {
                    call.arguments += 1;
                }
            }
            _ => {}
        }
        before = (at, token);
    }
    found
}

/// Words before a bracket that does not open a list of arguments.
fn is_operator(name: &str) -> bool {
    ["or", "and", "not", "in"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_with_their_arguments() {
        let script = "?[x, count(y)] := a(x), x = f(1, g([1, 2]), 'h(1)'), (x or k()) # z(1)";
        let found: Vec<(&str, usize)> =
            calls(script).iter().map(|call| (call.name, call.arguments)).collect();
        assert_eq!(found, [("count", 1), ("a", 1), ("f", 3), ("g", 1), ("k", 0)]);
    }

    #[test]
    fn a_rejection_names_the_call_and_the_likely_cause() {
        note(Some("mnestic-0.18.0/src/data/functions.rs"));
        let panic = "index out of bounds: the len is 0 but the index is 1";
        let error = rejected("?[x] := x = concat(upper('a'), regex_extract())", panic);
        let StoreError::Query { message, span, .. } = &error else { panic!("{error:?}") };
        assert_eq!(
            message,
            "the engine rejected the call of `regex_extract`: wrong number of arguments"
        );
        assert_eq!(*span, Some((31, 13)));
        note(Some("mnestic-0.18.0/src/data/memcmp.rs"));
        assert!(matches!(rejected("?[x] := x = f()", "boom"), StoreError::Engine { .. }));
    }
}
