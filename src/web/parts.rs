//! Small parts of pages.

use asof_engine::Snapshot;
use asof_wire::Event;
use maud::{Markup, html};

use super::address::Links;
use super::visit::Visit;
use asof_surface::problem::Problem;

/// A kind of item, as a tag.
pub fn kind(kind: &str) -> Markup {
    html! { span .kind { (kind.replace('_', " ")) } }
}

/// A grade, in a colour of its own.
pub fn grade(grade: &str) -> Markup {
    html! { span class={ "grade " (grade_class(grade)) } { (grade) } }
}

/// The class of a grade: its letter.
pub fn grade_class(grade: &str) -> &'static str {
    match grade.chars().next() {
        Some('A') => "q-a",
        Some('B') => "q-b",
        Some('C') => "q-c",
        Some('D') => "q-d",
        _ => "q-f",
    }
}

/// Confidence, where a match is not certain.
pub fn confidence(value: f64) -> Markup {
    match value {
        value if value >= 0.995 => html! {},
        value if value < 0.5 => {
            html! { " " span .guess title="a guess" { (format!("{:.0} %?", value * 100.0)) } }
        }
        value => {
            html! { " " span .sure title="confidence" { (format!("{:.0} %", value * 100.0)) } }
        }
    }
}

/// The condition of what the configuration of the page does not have.
pub fn under(other_condition: Option<&str>) -> Markup {
    html! { @if let Some(condition) = other_condition {
        " " span .guess title="the configuration of this page does not have it" { "under " code { (condition) } }
    } }
}

/// Day and time without fractions of a second.
pub fn time(at: &str) -> Markup {
    let day = at.get(..10).unwrap_or(at);
    let clock = at.get(11..16).unwrap_or_default();
    html! { time datetime=(at) { (day) " " (clock) } }
}

/// How a revision is written in an address: by its commit, if it has one.
pub fn name_of(event: &Event) -> String {
    match &event.commit {
        Some(commit) => commit.get(..12).unwrap_or(commit).to_owned(),
        None => event.id.to_string(),
    }
}

/// Says that uses may differ from those of an earlier moment though nobody changed them.
pub fn other_sources(visit: &Visit<'_>, since: Option<&Snapshot<'_>>) -> Result<Markup, Problem> {
    let same = since.map(|since| visit.snapshot.has_same_sources(since)).transpose()?;
    Ok(html! {
        @if same == Some(false) {
            " Other sources of dependencies could be read then, so some uses differ only in what is known. "
        }
    })
}

/// A revision in a line.
pub fn event(event: &Event, links: &Links) -> Markup {
    let name = name_of(event);
    html! {
        a .rev href=(links.at_moment(&name).to("/")) { (name.get(..8).unwrap_or(&name)) }
        " " (time(&event.at))
        @if let Some(actor) = &event.actor { " " span .who { (actor) } }
        " " span .what { (cut(event.message.as_deref().unwrap_or(&event.cause), 200)) }
    }
}

/// Number and word.
pub fn count(n: usize, word: &str) -> String {
    match n {
        1 => format!("1 {word}"),
        n => format!("{} {word}s", grouped(n)),
    }
}

/// A number in groups of three digits.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + 4);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// The first entries of a list that fit into a number of bytes, at least one.
pub fn fitting(entries: impl Iterator<Item = Markup>, bytes: usize) -> Vec<Markup> {
    let mut taken = 0;
    let mut fitting = Vec::new();
    for entry in entries {
        taken += entry.0.len();
        if taken > bytes && !fitting.is_empty() {
            break;
        }
        fitting.push(entry);
    }
    fitting
}

/// Links to the other pages of a list.
pub fn pager(
    offset: usize,
    shown: usize,
    total: usize,
    link: &dyn Fn(usize) -> String,
    size: usize,
) -> Markup {
    html! {
        @if offset > 0 || offset + shown < total {
            nav .pager aria-label="Pages of the list" {
                @if offset > 0 { a rel="prev" href=(link(offset.saturating_sub(size))) { "← previous" } }
                span { (grouped(offset + usize::from(shown > 0))) "–" (grouped(offset + shown)) " of " (grouped(total)) }
                @if offset + shown < total { a rel="next" href=(link(offset + shown)) { "next →" } }
            }
        }
    }
}

/// Text up to a number of letters.
pub fn cut(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
