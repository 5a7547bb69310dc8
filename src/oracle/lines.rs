//! Claimed lines and counts of a text search.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value as Json;

use super::compare::{self, Extra, Fact, Weight};
use super::names;
use asof_wire::Verdict;

/// A line of a file that matches a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// File, relative to the root.
    pub file_path: String,
    /// Line, from 1.
    pub line: u64,
    /// The line without its end.
    pub text: String,
    /// Number of matches in the line.
    pub matches: u64,
    /// Whether the question can be understood so that the line is not meant.
    pub optional: bool,
}

impl Hit {
    /// `path:line:text`.
    pub fn shown(&self) -> String {
        format!("{}:{}:{}", self.file_path, self.line, self.text.trim())
    }
}

/// A claimed line.
#[derive(Debug, PartialEq, Eq)]
struct Line<'a> {
    file: Option<&'a str>,
    line: Option<u64>,
    /// Without blanks at its ends; `None` if only a place is claimed.
    text: Option<&'a str>,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Matching lines.
    Lines,
    /// Matches; a line may have several.
    Matches,
    /// Files with a match.
    Files,
    /// The question does not say.
    Either,
}

/// The matching lines, and what the question asks of them.
#[derive(Debug, Clone, Copy)]
pub struct Hits<'a> {
    pub hits: &'a [Hit],
    pub counted: Counted,
    /// Whether all matches are asked for.
    pub complete: bool,
    /// Why there may be more matches than these.
    pub doubt: Option<&'a str>,
}

impl Hits<'_> {
    /// Compares a claimed number. Where the question does not say what is counted, the number of
    /// lines and of matches are both right; so are those with and without optional lines.
    pub fn compare_count(&self, claimed: u64) -> Verdict {
        let counts = |all: bool| {
            let hits = || self.hits.iter().filter(move |hit| all || !hit.optional);
            let mut files: Vec<&str> = hits().map(|hit| hit.file_path.as_str()).collect();
            files.dedup();
            [hits().count() as u64, hits().map(|hit| hit.matches).sum(), files.len() as u64]
        };
        let truth = |[lines, matches, files]: [u64; 3]| match self.counted {
            Counted::Lines => vec![lines],
            Counted::Matches => vec![matches],
            Counted::Files => vec![files],
            Counted::Either => vec![lines, matches],
        };
        let mut right = truth(counts(true));
        right.extend(truth(counts(false)));
        if right.contains(&claimed) {
            return Verdict::ExactMatch;
        }
        let (least, most) = (right.iter().min(), right.iter().max());
        match self.doubt {
            Some(reason) if most.is_some_and(|most| claimed > *most) => {
                Verdict::CannotVerify { reason: reason.to_owned() }
            }
            _ if least < Some(&claimed) && Some(&claimed) < most && right.len() > 2 => {
                Verdict::CannotVerify { reason: "some of the lines may be meant or not".to_owned() }
            }
            _ => Verdict::Mismatch {
                extra: vec![claimed.to_string()],
                missing: right.first().map(u64::to_string).into_iter().collect(),
            },
        }
    }

    /// Compares claimed lines. Each is `path:line:text`, `path:line`, `line:text`, `line 12`, or
    /// the text alone; or all of them are paths, of the files with a match. Blanks at the ends and
    /// numbering do not count, those within the code do.
    pub fn compare_lines(&self, claimed: &[String]) -> Verdict {
        let json = json_lines(claimed);
        let claimed = json.as_deref().unwrap_or(claimed);
        if self.counted == Counted::Files
            || !claimed.is_empty() && claimed.iter().all(|entry| is_path(entry))
        {
            return self.compare_files(claimed);
        }
        let hits = self.hits;
        let mut covered = vec![false; hits.len()];
        let (mut extra, mut order) = (Vec::new(), Vec::new());
        for entry in claimed {
            let free = |reading: &Line<'_>| {
                (0..hits.len()).find(|at| {
                    covered.get(*at) == Some(&false)
                        && hits.get(*at).is_some_and(|hit| is_same(reading, hit))
                })
            };
            match readings(entry).iter().find_map(free) {
                Some(at) => {
                    if let Some(covered) = covered.get_mut(at) {
                        *covered = true;
                    }
                    order.push(at);
                }
                None => extra.push(entry.trim().to_owned()),
            }
        }
        let text_of = |at: usize| hits.get(at).map(|hit| hit.text.trim());
        let covered_texts: Vec<&str> = order.iter().filter_map(|at| text_of(*at)).collect();
        // Of equal lines without their places, one stands for all.
        let is_bare = |entry: &String| readings(entry).iter().all(|line| line.line.is_none());
        let bare = claimed.iter().all(is_bare);
        let missing = hits.iter().zip(&covered).filter(|(hit, covered)| {
            let stands = bare && covered_texts.contains(&hit.text.trim());
            !(**covered || stands || hit.optional)
        });
        let missing: Vec<String> = missing.map(|(hit, _)| hit.shown()).collect();
        self.judged(extra, missing, &order)
    }

    fn judged(&self, extra: Vec<String>, missing: Vec<String>, order: &[usize]) -> Verdict {
        let unsure = |reason: &str| Verdict::CannotVerify { reason: reason.to_owned() };
        if let Some(reason) = self.doubt
            && extra.iter().any(|entry| is_elsewhere(entry))
        {
            return unsure(reason);
        }
        if extra.iter().any(|entry| is_sentence(entry)) {
            return unsure("the answer is a text that cannot be read as lines");
        }
        compare::verdict(extra, missing, order, self.complete)
    }

    fn compare_files(&self, claimed: &[String]) -> Verdict {
        let mut facts: Vec<Fact> = Vec::new();
        for hit in self.hits {
            let weight = if hit.optional { Weight::Optional } else { Weight::Required };
            match facts.last_mut().filter(|fact| fact.shown == hit.file_path) {
                Some(fact) if weight == Weight::Required => fact.weight = weight,
                Some(_) => {}
                None => facts.push(Fact { weight, ..Fact::new(hit.file_path.clone()) }),
            }
        }
        let mut entries: Vec<Vec<String>> = Vec::new();
        for entry in claimed {
            // `a.rs (3 matches)`, `a.rs: 3`, `a.rs and b.rs`
            let words = entry.split(|c: char| c.is_whitespace() || matches!(c, ',' | '`' | '('));
            let words = words.map(|word| word.trim_matches([':', '*', ')', '.', '"', '[', ']']));
            let words: Vec<&str> = words.map(|w| w.split(".rs:").next().unwrap_or(w)).collect();
            let named: Vec<&&str> =
                words.iter().filter(|word| word.contains(".rs") || word.contains('/')).collect();
            if named.is_empty() && entry.split_whitespace().count() > 1 {
                continue;
            }
            let named = if named.is_empty() { words.iter().take(1).collect() } else { named };
            entries.extend(named.into_iter().map(|name| {
                let full = facts.iter().find(|fact| is_file(name, &fact.shown));
                vec![full.map_or_else(|| (*name).to_owned(), |fact| fact.shown.clone())]
            }));
        }
        let doubt = self.doubt;
        let mut look = |entry: &str, _: &[Fact]| {
            let other = doubt.filter(|_| is_elsewhere(entry));
            let unsure = other.map(|reason| Extra::Unsure(reason.to_owned()));
            Ok::<_, std::convert::Infallible>(unsure.unwrap_or(Extra::Wrong))
        };
        match compare::compare(&entries, &facts, self.complete, &mut look) {
            Ok(verdict) => verdict,
            Err(never) => match never {},
        }
    }
}

/// Whether a claimed line is in a file of another language.
fn is_elsewhere(entry: &str) -> bool {
    let entry = without_numbering(entry);
    let file = entry.split(':').next().unwrap_or(entry);
    !file.contains(char::is_whitespace) && !file.ends_with(".rs") && file.contains('.')
        || !file.contains(char::is_whitespace) && file.contains('/') && !file.ends_with(".rs")
}

/// Whether an entry that is no matching line is a sentence rather than a line of code.
fn is_sentence(entry: &str) -> bool {
    let entry = without_numbering(entry);
    let is_code = entry.starts_with(['/', '*', '#', '"'])
        || entry.ends_with([';', '{', '}', ','])
        || entry.split_once(':').is_some_and(|(place, _)| {
            place.ends_with(".rs") || place.chars().all(|c| c.is_ascii_digit())
        });
    !is_code && names::is_prose(entry) && entry.starts_with(|c: char| c.is_uppercase() || c == '`')
}

/// Lines of a JSON array of texts or of objects with `line`, `text`, `path`; line numbers of a
/// sentence: `lines 3, 5 and 9`.
fn json_lines(claimed: &[String]) -> Option<Vec<String>> {
    let text = claimed.join("\n");
    let text = text.trim();
    if text.starts_with(['[', '{']) {
        let list = match serde_json::from_str(text).ok()? {
            Json::Array(list) => list,
            Json::Object(map) => match map.into_iter().collect::<Vec<_>>().as_slice() {
                [(_, Json::Array(list))] => list.clone(),
                fields => vec![Json::Object(fields.iter().cloned().collect())],
            },
            _ => return None,
        };
        return list.iter().map(json_line).collect();
    }
    let [only] = claimed else { return None };
    let found = NUMBERS.as_ref()?.captures(only)?;
    let rest = found.get(2).map_or("", |rest| rest.as_str());
    let numbers = found.get(1)?.as_str();
    if !rest.trim_matches(['.', ' ']).is_empty() || names::has_negation(only) {
        return None;
    }
    let numbers = numbers.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    Some(numbers.map(|number| format!("line {number}")).collect())
}

static NUMBERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let numbers = r"(\d+(?:(?:, and |, | and )\d+)*)(.*)$";
    Regex::new(&format!(r#"(?i)^(?:[^\d`"':;]*\blines? |(?:on |at )?){numbers}"#)).ok()
});

fn json_line(value: &Json) -> Option<String> {
    if let Json::String(text) = value {
        return Some(text.clone());
    }
    if let Json::Number(number) = value {
        return Some(format!("line {number}"));
    }
    let get = |keys: &[&str]| keys.iter().find_map(|key| value.get(key));
    let file = get(&["path", "file", "file_path"]).and_then(Json::as_str);
    let line = get(&["line", "line_number", "lineno"]).and_then(Json::as_u64);
    let text = get(&["text", "content", "code", "match"]).and_then(Json::as_str);
    Some(match (file, line, text) {
        (Some(file), Some(line), text) => format!("{file}:{line}:{}", text.unwrap_or_default()),
        (Some(file), None, None) => file.to_owned(),
        (None, Some(line), Some(text)) => format!("{line}:{text}"),
        (None, Some(line), None) => format!("line {line}"),
        (_, None, Some(text)) => text.to_owned(),
        (None, None, None) => return None,
    })
}

fn is_path(entry: &str) -> bool {
    let entry = without_numbering(entry);
    entry.ends_with(".rs") && !entry.contains(char::is_whitespace) && !entry.contains(':')
}

fn is_same(claimed: &Line<'_>, hit: &Hit) -> bool {
    claimed.file.is_none_or(|file| is_file(file, &hit.file_path))
        && claimed.line.is_none_or(|line| line == hit.line)
        && claimed.text.is_none_or(|text| text == hit.text.trim())
}

/// Whether a claimed path means a file: the same, or the end of its path by whole parts.
pub fn is_file(claimed: &str, path: &str) -> bool {
    let claimed = claimed.trim_start_matches("./");
    path == claimed || path.strip_suffix(claimed).is_some_and(|rest| rest.ends_with('/'))
}

/// Every way in which an entry can be read, as written first, then without its numbering.
fn readings(entry: &str) -> Vec<Line<'_>> {
    let mut out = read(entry.trim());
    let bare = without_numbering(entry);
    if bare != entry.trim() {
        out.extend(read(bare));
    }
    out
}

/// A line's text as claimed, and without backticks around it.
fn texts(text: &str) -> impl Iterator<Item = Option<&str>> {
    let text = text.trim();
    let code = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    let code = code.map(str::trim).filter(|code| !code.is_empty());
    std::iter::once(Some(text).filter(|text| !text.is_empty())).chain(code.map(Some))
}

fn read(entry: &str) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    if let Some((file, rest)) = entry.split_once(".rs:") {
        let file = entry.get(..file.len() + 3).map(|file| file.trim_start_matches('`'));
        let (number, rest) = rest.split_once(':').map_or((rest, None), |(a, b)| (a, Some(b)));
        if let Ok(line) = number.trim().trim_end_matches('`').parse() {
            let line = Some(line);
            out.extend(texts(rest.unwrap_or_default()).map(|text| Line { file, line, text }));
            // A column may come before the text.
            let (column, text) = rest.map_or(("", ""), |r| r.split_once(':').unwrap_or((r, "")));
            if column.trim().parse::<u64>().is_ok() {
                out.extend(texts(text).map(|text| Line { file, line, text }));
            }
        }
    }
    let number = entry.strip_prefix("line ").or(entry.strip_prefix("Line ")).unwrap_or(entry);
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let (Some(line), Some(rest)) = (number.get(..digits), number.get(digits..))
        && let Ok(line) = line.parse()
    {
        let line = Some(line);
        match rest.trim_start().strip_prefix([':', '|']) {
            Some(rest) => {
                let found = texts(rest).filter(Option::is_some);
                out.extend(found.map(|text| Line { file: None, line, text }));
            }
            None if rest.trim().is_empty() && number.len() < entry.len() => {
                out.push(Line { file: None, line, text: None });
            }
            None => {}
        }
    }
    out.extend(texts(entry).filter(Option::is_some).map(|text| Line {
        file: None,
        line: None,
        text,
    }));
    out
}

/// An entry without a bullet (`-`, `*`, `•`) or number (`1.`, `1)`) before it, and without
/// backticks around it.
pub(super) fn without_numbering(entry: &str) -> &str {
    let entry = entry.trim();
    let rest = entry.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.len() < entry.len() {
        rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' '))
    } else {
        ["- ", "* ", "• ", "+ "].iter().find_map(|bullet| entry.strip_prefix(bullet))
    };
    let rest = rest.unwrap_or(entry).trim();
    let code = rest.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    code.filter(|code| !code.contains('`')).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits() -> Vec<Hit> {
        let hit = |file_path: &str, line, text: &str, matches| Hit {
            file_path: file_path.to_owned(),
            line,
            text: text.to_owned(),
            matches,
            optional: false,
        };
        vec![
            hit("src/a.rs", 3, "    let x = f().unwrap();", 1),
            hit("src/a.rs", 9, "    g().unwrap(); h().unwrap();", 2),
            hit("src/b.rs", 3, "    let x = f().unwrap();", 1),
        ]
    }

    fn asked(hits: &[Hit], counted: Counted) -> Hits<'_> {
        Hits { hits, counted, complete: true, doubt: Some("only Rust") }
    }

    fn check(claimed: &[&str], expected: &str) {
        let claimed: Vec<String> = claimed.iter().map(|&text| text.to_owned()).collect();
        let verdict = asked(&hits(), Counted::Either).compare_lines(&claimed);
        let shown = serde_json::to_string(&verdict).unwrap();
        assert!(shown.starts_with(expected), "{claimed:?}: {shown}");
    }

    #[test]
    fn every_form_of_an_answer_is_read() {
        let (a, b, c) =
            ("let x = f().unwrap();", "g().unwrap(); h().unwrap();", "let x = f().unwrap();");
        let full =
            [format!("src/a.rs:3:    {a}"), format!("src/a.rs:9:{b}"), format!("src/b.rs:3: {c}")];
        let full: Vec<&str> = full.iter().map(String::as_str).collect();
        check(&full, r#""ExactMatch""#);
        check(&[full[2], full[0], full[1]], r#""UnorderedMatch""#);
        check(&full[..2], r#"{"HasFalseNegatives""#);
        check(&["a.rs:3", "a.rs:9", "b.rs:3"], r#""ExactMatch""#);
        check(
            &["src/a.rs:3:13: let x = f().unwrap();", "1. src/a.rs:9", "- b.rs:3"],
            r#""ExactMatch""#,
        );
        check(&[&format!("3: {a}"), &format!("9:{b}"), &format!("3:{c}")], r#""ExactMatch""#);
        check(&["1. let x = f().unwrap();", "2. `g().unwrap(); h().unwrap();`"], r#""ExactMatch""#);
        check(&["src/a.rs", "src/b.rs"], r#""ExactMatch""#);
        check(&["src/a.rs"], r#"{"HasFalseNegatives""#);
    }

    #[test]
    fn blanks_within_the_code_count() {
        check(&["src/a.rs:3:let x  = f().unwrap();", "src/a.rs:9", "src/b.rs:3"], r#"{"Mismatch""#);
        check(&["src/a.rs:4", "src/a.rs:3", "src/a.rs:9", "src/b.rs:3"], r#"{"HasFalsePositives""#);
        check(&["unwrap()"], r#"{"Mismatch""#);
    }

    #[test]
    fn places_alone_are_read() {
        let numbers = ["on lines 3, 9 and 3"];
        check(&numbers, r#""ExactMatch""#);
        check(&["line 3", "line 9", "Line 3"], r#""ExactMatch""#);
        check(&["lines 3 and 9"], r#"{"HasFalseNegatives""#);
        check(&["src/a.rs:3:13", "src/a.rs:9:5", "src/b.rs:3:13"], r#""ExactMatch""#);
        check(
            &[
                r#"[{"path": "src/a.rs", "line": 3}, {"path": "src/a.rs", "line": 9},"#,
                r#""src/b.rs:3"]"#,
            ],
            r#""ExactMatch""#,
        );
        check(&["Line 3: `let x = f().unwrap();`", "9", "src/b.rs:3"], r#"{"Mismatch""#);
    }

    #[test]
    fn sentences_and_other_files_are_not_refuted() {
        check(&["There are matches in the parser and the printer"], r#"{"CannotVerify""#);
        check(&["Cargo.toml:3: unwrap", "src/a.rs:3", "src/a.rs:9"], r#"{"CannotVerify""#);
    }

    #[test]
    fn a_number_counts_lines_or_matches() {
        let check = |claimed, counted, expected: &str| {
            let verdict = asked(&hits(), counted).compare_count(claimed);
            assert_eq!(verdict.name(), expected, "{claimed} {counted:?}");
        };
        check(3, Counted::Either, "ExactMatch");
        check(4, Counted::Either, "ExactMatch");
        check(4, Counted::Lines, "CannotVerify");
        check(2, Counted::Lines, "Mismatch");
        check(3, Counted::Matches, "Mismatch");
        check(2, Counted::Files, "ExactMatch");
    }
}
