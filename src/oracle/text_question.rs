//! Reads questions about lines of text.

use super::lines::Counted;
use super::question::TextPattern;
use super::quotes::{Quoted, unmasked};

/// Words that say what is searched for, and nothing else. A question with other words may mean
/// something else than a search for its quoted part.
const NEUTRAL: &[&str] = &[
    "find", "list", "show", "search", "grep", "count", "how", "many", "number", "times", "time",
    "line", "lines", "occurrence", "occurrences", "occurences", "match", "matches", "matching",
    "contain", "contains", "containing", "include", "includes", "including", "mention", "mentions",
    "mentioning", "with", "of", "for", "where", "which", "what", "that", "the", "a", "an", "all",
    "every", "each", "me", "give", "get", "print", "text", "string", "literal", "substring",
    "code", "source", "sources", "file", "files", "do", "does", "is", "are", "there", "appear",
    "appears", "occur", "occurs", "exist", "exists", "any", "to", "have", "has", "instance",
    "instances", "and", "their", "numbers", "places", "place", "found", "in", "locate", "it",
    "case-sensitive", "exact", "exactly", "phrase", "following", "name", "names", "be", "can",
    "on", "located", "total", "use", "pattern", "regex", "regexp", "regular", "expression",
    "expressions", "rust", "word", "words", "whole", "comment", "comments", "marker", "markers",
    "case-insensitive", "case-insensitively", "ignoring", "insensitive", "case", "used", "written",
];

/// Words without which a question is none for a text search.
const SEARCHES: &[&str] = &[
    "find", "list", "show", "search", "grep", "count", "many", "line", "lines", "occurrence",
    "occurrences", "occurences", "matches", "contain", "contains", "containing", "occur", "occurs",
    "appear", "appears", "locate", "mention", "mentions", "mentioning", "comments", "number",
    "instances", "matching", "match", "times",
];

regex!(
    PLACE,
    r"(?i)\s+(?:in|inside|within|under|across|from|of|throughout)\s+(?:the\s+)?(?:(?:file|folder|directory|dir|crate|package|module|function|fn|method|struct|enum|trait|impl)\s+)?(?P<place>\x01\d+\x02|[\w:./*-]+)(?:\s+(?:file|folder|directory|dir|crate|package|module|function|method|struct|enum|trait))?$"
);

/// What a question asks to search for; `None` if it asks something else.
pub(super) fn read(
    text: &str,
    quoted: &[Quoted],
    complete: bool,
    moment: Option<String>,
) -> Option<TextPattern> {
    let (mut text, mut place) = (text.to_owned(), None);
    if let Some(found) = PLACE.as_ref()?.captures(&text) {
        let name = found.name("place")?.as_str().to_owned();
        let marks = text.matches('\u{1}').count();
        let is_place = if name.starts_with('\u{1}') {
            // The only quoted part is what is searched for.
            marks > 1
        } else {
            !is_whole(&name) && !NEUTRAL.contains(&name.to_ascii_lowercase().as_str())
        };
        if is_place {
            let start = found.get(0)?.start();
            text.truncate(start);
            place = Some(unmasked(&name, quoted));
        }
    }
    if place.is_none()
        && let Some((shorter, file)) = file_within(&text, quoted)
    {
        (text, place) = (shorter, Some(file));
    }
    let mut marks = text.split(' ').filter(|word| word.contains('\u{1}'));
    let pattern = match (marks.next(), marks.next()) {
        (Some(mark), None) => {
            let number: usize = mark.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
            quoted.get(number).map(|quoted| (quoted.text.clone(), quoted.slashes))
        }
        (None, None) => marker(&text).map(|marker| (marker.to_owned(), false)),
        _ => None,
    };
    let (pattern, slashes) = pattern?;
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')'))
        .filter(|word| !word.is_empty() && !word.contains('\u{1}'))
        .filter(|word| {
            word.trim_end_matches('s') != pattern.to_ascii_lowercase() && !is_whole(word)
        })
        .collect();
    let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
    if !words.iter().all(|word| NEUTRAL.contains(word)) || !says(SEARCHES) {
        return None;
    }
    let files = says(&["files"]) || says(&["file"]) && says(&["which", "what"]);
    let counted = match () {
        () if files => Counted::Files,
        () if says(&["line", "lines"]) => Counted::Lines,
        () if says(&["occurrence", "occurrences", "matches", "times", "instances"]) => {
            Counted::Matches
        }
        () => Counted::Either,
    };
    let count = says(&["count"]) || lower.starts_with("how many") || says(&["number"]);
    let regex = slashes || says(&["regex", "regexp", "regular", "pattern"]);
    Some(TextPattern {
        pattern,
        regex,
        count,
        counted,
        complete,
        words: says(&["word", "words"]),
        ignore_case: says(&["case-insensitive", "case-insensitively", "ignoring", "insensitive"]),
        comments: says(&["comment", "comments"]),
        rust: says(&["rust"]),
        place,
        moment,
    })
}

/// `lines of a.rs with x`: the question without its file, and the file.
fn file_within(text: &str, quoted: &[Quoted]) -> Option<(String, String)> {
    let mut words: Vec<&str> = text.split(' ').collect();
    let file = |word: &&str| Some(unmasked(word, quoted)).filter(|word| word.ends_with(".rs"));
    let at = words.iter().position(|word| file(word).is_some())?;
    let name = file(words.get(at)?)?;
    let start = (0..at).rev().take(3).find(|at| {
        words.get(*at).is_some_and(|word| matches!(*word, "in" | "of" | "from" | "inside"))
    })?;
    words.drain(start..=at);
    Some((words.join(" "), name))
}

/// Whether a word means the whole workspace.
fn is_whole(word: &str) -> bool {
    let whole =
        ["workspace", "project", "repository", "repo", "codebase", "code", "crate", "sources"];
    whole.contains(&word.to_ascii_lowercase().as_str())
}

/// `find all TODO comments`: a marker in capitals.
fn marker(text: &str) -> Option<&str> {
    let words = text.split(' ').map(|word| word.trim_end_matches('s'));
    let mut found = words
        .filter(|word| word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
