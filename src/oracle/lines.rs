//! Claimed lines and counts of a text search.

use super::compare::{self, Fact};
use crate::wire::Verdict;

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

/// Compares a claimed number with the matching lines. Where the question does not say which is
/// counted, lines or matches, either number is right.
pub fn compare_count(claimed: u64, hits: &[Hit], counted: Counted) -> Verdict {
    let lines = hits.len() as u64;
    let matches: u64 = hits.iter().map(|hit| hit.matches).sum();
    let truth = if counted == Counted::Matches { matches } else { lines };
    if claimed == truth || counted == Counted::Either && claimed == matches {
        return Verdict::ExactMatch;
    }
    Verdict::Mismatch { extra: vec![claimed.to_string()], missing: vec![truth.to_string()] }
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Matching lines.
    Lines,
    /// Matches; a line may have several.
    Matches,
    /// The question does not say.
    Either,
}

/// Compares claimed lines with the matching ones. Each claimed line is `path:line:text`,
/// `path:line`, `line:text`, or the text alone; or all of them are paths, of the files with a match.
/// Blanks at the ends and numbering do not count, those within the code do.
pub fn compare_lines(claimed: &[String], hits: &[Hit], complete: bool) -> Verdict {
    if !claimed.is_empty() && claimed.iter().all(|entry| is_path(entry)) {
        return compare_files(claimed, hits, complete);
    }
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
    let bare = claimed.iter().all(|entry| readings(entry).iter().all(|line| line.line.is_none()));
    let missing = hits
        .iter()
        .zip(&covered)
        .filter(|(hit, covered)| !(**covered || bare && covered_texts.contains(&hit.text.trim())));
    let missing: Vec<String> = missing.map(|(hit, _)| hit.shown()).collect();
    compare::verdict(extra, missing, &order, complete)
}

fn compare_files(claimed: &[String], hits: &[Hit], complete: bool) -> Verdict {
    let mut files: Vec<&str> = hits.iter().map(|hit| hit.file_path.as_str()).collect();
    files.dedup();
    let facts: Vec<Fact> = files.into_iter().map(Fact::new).collect();
    let claimed: Vec<String> = claimed
        .iter()
        .map(|entry| {
            let entry = without_numbering(entry);
            let full = facts.iter().find(|fact| is_file(entry, &fact.shown));
            full.map_or_else(|| entry.to_owned(), |fact| fact.shown.clone())
        })
        .collect();
    compare::compare(&claimed, &facts, complete, &|_| None)
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
fn is_file(claimed: &str, path: &str) -> bool {
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

fn read(entry: &str) -> Vec<Line<'_>> {
    let mut out = Vec::new();
    if let Some((file, rest)) = entry.split_once(".rs:") {
        let file = entry.get(..file.len() + 3);
        let (number, rest) = rest.split_once(':').map_or((rest, None), |(a, b)| (a, Some(b)));
        if let Ok(line) = number.trim().parse() {
            let line = Some(line);
            out.push(Line { file, line, text: rest.map(str::trim).filter(|t| !t.is_empty()) });
            // A column may come before the text.
            if let Some((column, text)) = rest.and_then(|rest| rest.split_once(':'))
                && column.trim().parse::<u64>().is_ok()
            {
                out.push(Line { file, line, text: Some(text.trim()).filter(|t| !t.is_empty()) });
            }
        }
    }
    let number = entry.strip_prefix("line ").or(entry.strip_prefix("Line ")).unwrap_or(entry);
    let digits = number.len() - number.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let (Some(line), Some(rest)) = (number.get(..digits), number.get(digits..))
        && let Ok(line) = line.parse()
        && let Some(text) = rest.trim_start().strip_prefix([':', '|'])
    {
        out.push(Line { file: None, line: Some(line), text: Some(text.trim()) });
    }
    out.push(Line { file: None, line: None, text: Some(entry) });
    if let Some(code) = entry.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        out.push(Line { file: None, line: None, text: Some(code.trim()) });
    }
    out
}

/// An entry without a bullet (`-`, `*`, `•`) or number (`1.`, `1)`) before it, and without
/// backticks around it.
pub(super) fn without_numbering(entry: &str) -> &str {
    let entry = entry.trim();
    let rest = entry.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match rest.len() < entry.len() {
        true => rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' ')),
        false => ["- ", "* ", "• ", "+ "].iter().find_map(|bullet| entry.strip_prefix(bullet)),
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
        };
        vec![
            hit("src/a.rs", 3, "    let x = f().unwrap();", 1),
            hit("src/a.rs", 9, "    g().unwrap(); h().unwrap();", 2),
            hit("src/b.rs", 3, "    let x = f().unwrap();", 1),
        ]
    }

    fn check(claimed: &[&str], expected: &str) {
        let claimed: Vec<String> = claimed.iter().map(|&text| text.to_owned()).collect();
        let verdict = compare_lines(&claimed, &hits(), true);
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
    fn a_number_counts_lines_or_matches() {
        assert_eq!(compare_count(3, &hits(), Counted::Either), Verdict::ExactMatch);
        assert_eq!(compare_count(4, &hits(), Counted::Either), Verdict::ExactMatch);
        assert!(matches!(compare_count(4, &hits(), Counted::Lines), Verdict::Mismatch { .. }));
        assert!(matches!(compare_count(3, &hits(), Counted::Matches), Verdict::Mismatch { .. }));
    }
}
