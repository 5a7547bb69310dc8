//! What a reach leads to: named sets, and paths.

use std::collections::HashMap;

use asof_syntax::HazardKind;

/// What can panic in the standard library; says of which version.
const PANICS: &str = include_str!("panics.txt");

/// Other named sets.
const SETS: &str = include_str!("sets.txt");

/// Names of sets, for errors.
pub(super) const NAMES: [&str; 8] =
    ["unsafe", "panic", "indexing", "arithmetic", "blocking", "process", "net", "fs"];

/// Every integer type has the methods of `{integer}`.
const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// A named set, or a path and what is below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// `unsafe` blocks and functions.
    Unsafe,
    /// Calls and macros that can panic.
    Panic,
    Indexing,
    Arithmetic,
    /// Calls that block the thread, from `async` code.
    Blocking,
    /// A section of [`SETS`].
    Paths(&'static str),
    /// What a path names.
    Path,
}

impl Set {
    pub fn parse(word: &str) -> Self {
        match word {
            "unsafe" => Self::Unsafe,
            "panic" => Self::Panic,
            "indexing" => Self::Indexing,
            "arithmetic" => Self::Arithmetic,
            "blocking" => Self::Blocking,
            "process" => Self::Paths("process"),
            "net" => Self::Paths("net"),
            "fs" => Self::Paths("fs"),
            _ => Self::Path,
        }
    }
}

/// The members of sets. Numbers are those of the sets, as asked for.
#[derive(Debug, Default)]
pub(super) struct Members {
    names: HashMap<String, usize>,
    /// Paths that stand for what is below them, too.
    paths: Vec<(String, usize)>,
    hazards: HashMap<HazardKind, usize>,
}

impl Members {
    pub fn new(words: &[String]) -> Self {
        let mut members = Self::default();
        for (number, word) in words.iter().enumerate() {
            match Set::parse(word) {
                Set::Unsafe => members.add_hazard(HazardKind::Unsafe, number),
                Set::Indexing => members.add_hazard(HazardKind::Indexing, number),
                Set::Arithmetic => members.add_hazard(HazardKind::Arithmetic, number),
                Set::Panic => members.add_panics(number),
                Set::Blocking => members.add_section("blocking", number),
                Set::Paths(section) => members.add_section(section, number),
                Set::Path => members.add_path(word, number),
            }
        }
        members
    }

    fn add_hazard(&mut self, kind: HazardKind, number: usize) {
        self.hazards.entry(kind).or_insert(number);
    }

    fn add_panics(&mut self, number: usize) {
        for line in PANICS.lines().filter(|line| !line.starts_with('#')) {
            if let Some(method) = line.strip_prefix("{integer}") {
                let each = INTEGERS.iter().map(|integer| format!("{integer}{method}"));
                self.names.extend(each.map(|name| (name, number)));
            } else {
                self.names.insert(line.trim_end_matches('!').to_owned(), number);
            }
        }
    }

    fn add_section(&mut self, name: &str, number: usize) {
        let head = format!("[{name}]");
        let lines = SETS.lines().skip_while(|line| *line != head).skip(1);
        for path in lines.take_while(|line| !line.starts_with('[')) {
            self.paths.push((path.to_owned(), number));
        }
    }

    /// Adds a path. What `core` and `alloc` have is named by `std`.
    pub fn add_path(&mut self, path: &str, number: usize) {
        let path = path.trim_start_matches("::").trim_end_matches("::*").trim_end_matches('!');
        let of_std = path.strip_prefix("core::").or_else(|| path.strip_prefix("alloc::"));
        self.paths.extend(of_std.map(|rest| (format!("std::{rest}"), number)));
        self.paths.push((path.to_owned(), number));
    }

    /// The set that a name belongs to: the path of an item, or that of another crate's.
    pub fn find_name(&self, path: &str) -> Option<usize> {
        let path = path.trim_end_matches('!');
        let is_below = |above: &str| {
            path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let by_path = || self.paths.iter().find(|(above, _)| is_below(above)).map(|(_, set)| *set);
        self.names.get(path).copied().or_else(by_path)
    }

    /// The set that a place of a text belongs to.
    pub fn find_hazard(&self, kind: HazardKind) -> Option<usize> {
        self.hazards.get(&kind).copied()
    }

    /// Whether places of texts are members.
    pub fn has_hazards(&self) -> bool {
        !self.hazards.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stands_for_what_is_below_it() {
        let words = ["panic", "fs", "core::net"].map(str::to_owned);
        let members = Members::new(&words);
        for (path, set) in [
            ("std::option::Option::unwrap", Some(0)),
            ("std::panic", Some(0)),
            ("u8::div_euclid", Some(0)),
            ("std::option::Option::unwrap_or", None),
            ("std::fs", Some(1)),
            ("std::fs::File::open", Some(1)),
            ("std::fsx::f", None),
            ("std::path::Path::exists", Some(1)),
            ("std::path::Path::join", None),
            ("std::net::TcpStream::connect", Some(2)),
        ] {
            assert_eq!(members.find_name(path), set, "{path}");
        }
    }

    #[test]
    fn every_section_has_paths() {
        for name in ["process", "net", "fs", "blocking"] {
            let members = Members::new(&[name.to_owned()]);
            assert!(!members.paths.is_empty(), "{name}");
            assert!(members.paths.iter().all(|(path, _)| path.starts_with("std::")), "{name}");
        }
    }
}
