//! Checked claims and matches of syntax queries.

use asof_wire::{AstMatch, AstMatches, CheckedClaim, Verdict};

use super::plural;

/// Entries of a verdict that are listed.
const LISTED: usize = 20;

/// The verdict, with what is wrong and what is missing, and what else the asker should know.
pub fn verdict(checked: &CheckedClaim) -> String {
    let mut out = format!("{}  {}\n", checked.verdict.name(), checked.verification_method);
    let mut list = |title: &str, entries: &[String]| {
        if entries.is_empty() {
            return;
        }
        out.push_str(&format!("{title}:\n"));
        for entry in entries.iter().take(LISTED) {
            out.push_str(&format!("  {entry}\n"));
        }
        if entries.len() > LISTED {
            out.push_str(&format!("  … {} more\n", entries.len() - LISTED));
        }
    };
    match &checked.verdict {
        Verdict::SubsetMatch { missing } | Verdict::HasFalseNegatives { missing } => {
            list("missing", missing);
        }
        Verdict::HasFalsePositives { extra } => list("not true", extra),
        Verdict::Mismatch { extra, missing } => {
            list("not true", extra);
            list("missing", missing);
        }
        Verdict::CannotVerify { reason } => out.push_str(&format!("{reason}\n")),
        Verdict::ExactMatch | Verdict::UnorderedMatch => {}
    }
    if let Some(detail) = &checked.detail {
        out.push_str(&format!("{detail}\n"));
    }
    out
}

/// A match, with a line for each capture.
pub fn syntax_match(found: &AstMatch) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for capture in &found.captures {
        let first = capture.text.lines().next().unwrap_or_default();
        let more = if capture.end_line > capture.start_line { " …" } else { "" };
        let (line, column) = (capture.start_line, capture.start_column);
        let place = format!("{}:{line}:{column}", found.file_path);
        out.push_str(&format!("{dim}{place}{dim:#}  @{}  {first}{more}\n", capture.name));
    }
    if found.captures.is_empty() {
        out.push_str(&format!("{}  pattern {}\n", found.file_path, found.pattern));
    }
    out
}

/// How many matches there are, and in which files some may be missing.
pub fn syntax_summary(found: &AstMatches) -> String {
    let total = match found.answer.total {
        1 => "1 match".to_owned(),
        total => format!("{total} matches"),
    };
    let files = plural(found.files, "file");
    match found.incomplete_files.as_slice() {
        [] => format!("{total} in {files}"),
        gave_up => {
            let gave_up = super::some(gave_up);
            format!("{total} in {files}; the query gave up in {gave_up}: matches may be missing")
        }
    }
}
