//! Results of a search.

use asof_wire::{Alike, Hit, SearchBy, SearchMode, SearchRequest, SearchSummary, SectionHit};
use serde_json::Value as Json;

use super::plural;

/// Places of results like one that are named.
const LIKE: usize = 3;

/// What is known of a result beside its place, indented.
pub fn details(hit: &Hit) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    if !hit.signature.is_empty() {
        out.push_str(&format!("    {}\n", hit.signature));
    }
    if let Some(line) = hit.doc_comment.lines().find(|line| !line.trim().is_empty()) {
        out.push_str(&format!("    {dim}{line}{dim:#}\n"));
    }
    // Who doubts an order asks for its features; the others only read past the reasons.
    if !hit.why.is_empty() && hit.features.is_some() {
        out.push_str(&format!("    {dim}by {}{dim:#}\n", hit.why.join(", ")));
    }
    if let Some(like) = alike(hit) {
        out.push_str(&format!("    {dim}{like}{dim:#}\n"));
    }
    if let Some(condition) = &hit.other_condition {
        out.push_str(&format!("    {dim}under {condition}{dim:#}\n"));
    }
    if let Some(value) = hit.rank_value {
        out.push_str(&format!("    {dim}ranked by {value}{dim:#}\n"));
    }
    for found in &hit.matches {
        out.push_str(&format!("    {:>5}: {}\n", found.line, found.text));
    }
    for (name, value) in hit.features.iter().filter_map(Json::as_object).flatten() {
        out.push_str(&format!("    {dim}{name} {value}{dim:#}\n"));
    }
    for link in hit.doc_backlinks.iter().flatten() {
        let place = format!("{}:{}", link.file_path, link.start_line);
        let heading = link.heading.join(" > ");
        out.push_str(&format!("    {dim}see {place} {heading}{dim:#}\n"));
    }
    for line in hit.source.iter().flat_map(|source| source.lines()) {
        out.push_str(&format!("    {line}\n"));
    }
    out
}

/// What the result stands for: how many others, and where the first of them are.
fn alike(hit: &Hit) -> Option<String> {
    let place = |one: &Alike| {
        let under = one.other_condition.as_ref().map(|condition| format!(" (under {condition})"));
        format!("{}:{}{}", one.file_path, one.line, under.unwrap_or_default())
    };
    let places: Vec<String> = hit.alike.iter().take(LIKE).map(place).collect();
    let more = if hit.alike.len() > LIKE { ", …" } else { "" };
    let count = hit.alike.len();
    (count > 0).then(|| format!("and {count} like it: {}{more}", places.join(", ")))
}

/// What is known of a section beside its place, indented.
pub fn section_details(hit: &SectionHit) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    if !hit.excerpt.is_empty() {
        out.push_str(&format!("    {dim}{}{dim:#}\n", hit.excerpt));
    }
    if !hit.mentions.is_empty() {
        let paths: Vec<String> = hit.mentions.iter().map(|item| item.path.clone()).collect();
        out.push_str(&format!("    mentions {}\n", super::some(&paths)));
    }
    for (name, value) in hit.features.iter().filter_map(Json::as_object).flatten() {
        out.push_str(&format!("    {dim}{name} {value}{dim:#}\n"));
    }
    for line in hit.source.iter().flat_map(|source| source.lines()) {
        out.push_str(&format!("    {line}\n"));
    }
    out
}

/// Characters of a query that are repeated.
const SHOWN: usize = 60;

/// What to say instead of results: what was searched, and what to try next. `sought`: `item`,
/// `file`, `item or section`.
pub fn nothing(request: &SearchRequest, sought: &str) -> String {
    let mut query: String = request.query.trim().chars().take(SHOWN).collect();
    if query.len() < request.query.trim().len() {
        query.push('…');
    }
    let (mut out, next) = match (request.mode, request.by) {
        (SearchMode::Regex, _) => (
            format!("no line of the source matches the regular expression `{query}`"),
            "a literal search takes it letter by letter, a search by words finds other forms",
        ),
        (SearchMode::Literal, _) => (
            format!("no line of the source contains `{query}` letter by letter"),
            "check case and blanks, or search by words",
        ),
        (SearchMode::Relevance, SearchBy::Meaning) => {
            (format!("no {sought} has a vector to compare with `{query}`"), "search by words")
        }
        (SearchMode::Relevance, _) => (
            format!(
                "no {sought} has a word of `{query}` in its name, path, signature, documentation, \
                 code or comments, or a similar name"
            ),
            "try other words; a regular expression finds parts of words",
        ),
    };
    let filters = filters(request);
    if filters.is_empty() {
        out.push_str(&format!("\n{next}\n"));
    } else {
        out.push_str(&format!(", within {}\nsearch without filters, or ", filters.join(", ")));
        out.push_str(&format!("{next}\n"));
    }
    out
}

fn filters(request: &SearchRequest) -> Vec<String> {
    let kinds: Vec<&str> = request.kinds.iter().map(|kind| kind.as_str()).collect();
    let named = [
        ("kind", (!kinds.is_empty()).then(|| kinds.join(" or "))),
        ("path", request.path.clone()),
        ("package", request.package.clone()),
        ("grade", request.min_grade.as_ref().map(|grade| format!("{grade} or better"))),
        ("complexity", request.max_complexity.map(|most| format!("up to {most}"))),
    ];
    let named = named.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?)));
    named.chain(request.exclude_tests.then(|| "code that is no test".to_owned())).collect()
}

/// `Summary: 3A 2B 1C | Avg complexity: 5.2 | Total SATD: 2 | Complexity: 1-12`
pub fn summary(summary: &SearchSummary) -> String {
    if summary.grades.is_empty() {
        let count = plural(summary.count, "result");
        return format!("Summary: {count} without grades | Total SATD: {}", summary.total_satd);
    }
    // Best first: `A+`, `A`, `A-`, `B+`, …
    let mut grades: Vec<(&String, &usize)> = summary.grades.iter().collect();
    grades.sort_by_key(|(grade, _)| {
        let sign = if grade.ends_with('+') { 0 } else { 1 + u8::from(grade.ends_with('-')) };
        (grade.chars().next(), sign)
    });
    let grades: Vec<String> =
        grades.into_iter().map(|(grade, count)| format!("{count}{grade}")).collect();
    let mean = summary.avg_complexity.map_or("-".to_owned(), |mean| format!("{mean:.1}"));
    let range = summary.complexity_range.map_or("-".to_owned(), |[a, b]| format!("{a}-{b}"));
    format!(
        "Summary: {} | Avg complexity: {mean} | Total SATD: {} | Complexity: {range}",
        grades.join(" "),
        summary.total_satd
    )
}
