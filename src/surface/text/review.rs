//! Text of a review: what is proven in one line, then what is left to read.

use super::plural;
use asof_wire::{
    ItemToRead, PackageApi, ProvenItem, ReasonToRead, Review, ReviewCounts, ReviewedItem,
};

/// One line that says what is proven, and how much is left to read.
pub fn headline(found: &Review) -> String {
    let summary = &found.summary;
    if summary.code.changed == 0 {
        return "no items differ outside of tests".to_owned();
    }
    let parts = [
        (summary.renamed, "renamed"),
        (summary.moved, "moved"),
        (summary.signature, "with another signature"),
        (summary.adapted, "adapted to others"),
        (summary.reformatted, "reformatted"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{}{parts}; {}", proven(summary.code), left(summary.code.read))
}

fn proven(counts: ReviewCounts) -> String {
    let verb = if counts.changed == 1 { "is" } else { "are" };
    let items = plural(counts.changed, "changed item");
    format!("{} of {items} {verb} proven to be the same code", counts.proven)
}

fn left(read: usize) -> String {
    match read {
        0 => "nothing is left to read".to_owned(),
        1 => "read this one".to_owned(),
        read => format!("read these {read}"),
    }
}

/// The lines below the first: tests, and what differs beside code.
pub fn beside(found: &Review) -> Vec<String> {
    let summary = &found.summary;
    let mut lines = Vec::new();
    if summary.tests.changed > 0 {
        lines.push(format!("tests: {}; {}", proven(summary.tests), left(summary.tests.read)));
    }
    let counts = [
        (summary.documentation, "the documentation of", "item"),
        (summary.comments, "only comments of", "item"),
        (summary.imports, "", "`use` declaration"),
    ];
    let counts = counts.iter().filter(|(n, ..)| *n > 0);
    let counts: Vec<String> = counts
        .map(|(n, of, what)| format!("{of} {}", plural(*n, what)).trim().to_owned())
        .collect();
    if !counts.is_empty() {
        lines.push(format!("beside code: {}", counts.join(", ")));
    }
    if let Some(files) = found.other_files.as_ref().filter(|files| !files.is_empty()) {
        lines.push(format!("not judged: {}", files.join(", ")));
    }
    lines
}

/// The whole review. `limit`: how many proven items, commands and tests are listed.
pub fn review(found: &Review, limit: Option<usize>) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = format!("{bold}{}{bold:#}\n", headline(found));
    for line in beside(found) {
        out.push_str(&format!("{line}\n"));
    }
    for one in &found.read {
        out.push_str(&format!("\n{}", to_read(one)));
    }
    let shown = limit.unwrap_or(usize::MAX);
    section(&mut out, "proven", found.proven.iter().map(proven_line), shown);
    section(&mut out, "refactorings", found.commands.iter().cloned(), shown);
    section(&mut out, "public interface", found.api.iter().map(api_line), usize::MAX);
    if !found.read.is_empty() {
        let tests = &found.tests;
        let everything = tests.run_everything.first();
        let count = match everything {
            Some(one) => format!("run all tests: {}: {}", one.what, one.reason),
            None => format!("{} of {} reach it", tests.count, plural(tests.total, "test")),
        };
        out.push_str(&format!("\n{bold}tests{bold:#}: {count}\n"));
    }
    out
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>, shown: usize) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let bold = anstyle::Style::new().bold();
    out.push_str(&format!("\n{bold}{title}{bold:#}\n"));
    for line in lines.iter().take(shown) {
        out.push_str(&format!("  {line}\n"));
    }
    if let Some(more) = lines.len().checked_sub(shown).filter(|more| *more > 0) {
        out.push_str(&format!("  and {more} more\n"));
    }
}

fn to_read(one: &ItemToRead) -> String {
    let (bold, dim) = (anstyle::Style::new().bold(), anstyle::Style::new().dimmed());
    let item = &one.item;
    let place = format!("{dim}{} {}:{}{dim:#}", item.kind, item.file_path, item.line);
    let mut out = format!("{bold}{}{bold:#}{}  {place}\n", item.path, was(item));
    for reason in &one.reasons {
        out.push_str(&format!("  {}\n", reason_line(reason)));
    }
    if let Some(patch) = &one.patch {
        out.push_str(patch);
    }
    out
}

/// A reason with the line that it is in.
pub fn reason_line(one: &ReasonToRead) -> String {
    let line = one.line.map(|line| format!(" (line {line})")).unwrap_or_default();
    if one.what == one.reason.as_str() {
        format!("{}{line}", one.what)
    } else {
        format!("{}: {}{line}", one.reason.as_str(), one.what)
    }
}

fn was(item: &ReviewedItem) -> String {
    let path = item.previous_path.as_ref().map(|path| format!(", was {path}"));
    path.unwrap_or_default()
}

fn proven_line(one: &ProvenItem) -> String {
    let what: Vec<&str> = one.what.iter().map(|what| what.as_str()).collect();
    format!("{}: {}{}", what.join(", "), one.item.path, was(&one.item))
}

fn api_line(package: &PackageApi) -> String {
    let changes = plural(package.changes.len(), "change");
    format!("{}: {changes}, {}", package.package, package.required.as_str())
}
