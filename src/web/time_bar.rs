//! The bar of time: revisions around the moment of the page as bars, with the size of their
//! change, and marks where what the page shows has changed. Every bar is a link; the script makes a
//! slider of them.

use std::collections::BTreeSet;

use asof_model::Micros;
use asof_wire::TimelineEntry;
use maud::{Markup, html};

use super::address::Links;
use super::parts;
use super::visit::Visit;
use asof_surface::problem::Problem;

/// Revisions that the bar shows: as many as fit into its bytes. Long names of items and long
/// messages take more of them.
const WINDOWS: [usize; 3] = [120, 40, 8];
const BYTES: usize = 70_000;
/// Units of the drawing: width of a bar with its gap, and height of the bar.
const STEP: usize = 8;
const HEIGHT: usize = 40;

/// What a page says about its past.
#[derive(Debug, Default)]
pub struct Here {
    /// Times at which it changed.
    pub marks: BTreeSet<Micros>,
    /// What changed then, as in "this item".
    pub subject: &'static str,
    /// Address of its older and newer version.
    pub older: Option<String>,
    pub newer: Option<String>,
    /// What to compare: the path of an item or file; empty for the workspace.
    pub path: String,
    /// Of a comparison: its earlier moment as in the address, and the time of the later one, which
    /// is that of the bar.
    pub compared: Option<(String, Micros)>,
}

/// The bar.
///
/// # Errors
/// The revisions could not be read.
pub fn bar(visit: &Visit<'_>, here: &Here) -> Result<Markup, Problem> {
    let mut bar = Markup::default();
    for window in WINDOWS {
        bar = bar_of(visit, here, window)?;
        if bar.0.len() <= BYTES {
            break;
        }
    }
    Ok(bar)
}

fn bar_of(visit: &Visit<'_>, here: &Here, window: usize) -> Result<Markup, Problem> {
    let at = here.compared.as_ref().map_or(visit.snapshot.at(), |(_, later)| *later);
    let line = visit.database.timeline(at, window)?;
    let now = line.entries.iter().position(|entry| entry.event.time >= at);
    let now = now.unwrap_or(line.entries.len().saturating_sub(1));
    let address = |name: &str| match &here.compared {
        Some((earlier, _)) => Links::diff(earlier, name, &here.path),
        None => same_page(visit, Some(name)),
    };
    let entry = |at: usize| line.entries.get(at);
    let step = |to: Option<usize>| to.and_then(entry).map(|e| address(&parts::name_of(&e.event)));
    let (before, after) = (step(now.checked_sub(1)), step(Some(now + 1)));
    let older = here.older.clone().or_else(|| before.clone().filter(|_| here.marks.is_empty()));
    let newer = here.newer.clone().or_else(|| after.clone().filter(|_| here.marks.is_empty()));
    let current = entry(now);
    let subject = if here.subject.is_empty() { "revision" } else { here.subject };
    Ok(html! {
        section #time aria-label="Time" {
            div .moment {
                @match current {
                    Some(current) => { (described(current)) }
                    None => { "no revision yet" }
                }
                @if here.compared.is_some() {}
                @else if visit.request.at.is_some() { " " a .now href=(same_page(visit, None)) { "to now" } }
                @else { " " span .now { "now" } }
            }
            @if line.total > 0 {
                (strip(&line.entries, now, here, &address))
                input #slider type="range" min="0" max=(line.entries.len().saturating_sub(1)) value=(now)
                    aria-label="Revision" aria-valuetext=[current.map(plain)] hidden;
                div .steps {
                    @if let Some(older) = older { a #older rel="prev" href=(older) title="key [" { "‹ older " (subject) } }
                    @if let Some(newer) = newer { a #newer rel="next" href=(newer) title="key ]" { "newer " (subject) " ›" } }
                    button #play type="button" hidden { "Play" }
                    @if line.first > 0 { @if let Some(first) = line.entries.first() {
                        a href=(address(&parts::name_of(&first.event))) { "« earlier" }
                    } }
                    @if line.first + line.entries.len() < line.total { @if let Some(last) = line.entries.last() {
                        a href=(address(&parts::name_of(&last.event))) { "later »" }
                    } }
                    details {
                        summary { "Compare" }
                        form action="/diff" {
                            label { "from " input name="a" required value=[before_change(&line.entries, now, here)]; }
                            label { " to " input name="b" required value=[current.map(|e| parts::name_of(&e.event))]; }
                            @if !here.path.is_empty() { input type="hidden" name="path" value=(here.path); }
                            " " button { "Compare" }
                        }
                        form {
                            @for (name, value) in &visit.request.query { input type="hidden" name=(name) value=(value); }
                            label { "Moment " input name="at" placeholder="v1.0, 2026-01-31, -2w" value=[visit.request.at.as_deref()]; }
                            " " button { "Go" }
                        }
                    }
                }
            }
        }
    })
}

/// The revision before the last change at or before the moment of the page.
fn before_change(entries: &[TimelineEntry], now: usize, here: &Here) -> Option<String> {
    let shown = entries.get(..=now).unwrap_or_default();
    let changed = shown.iter().rposition(|entry| here.marks.contains(&entry.event.time));
    let before = changed.unwrap_or(now).saturating_sub(1);
    entries.get(before).map(|entry| parts::name_of(&entry.event))
}

/// The address of the same page at another moment.
fn same_page(visit: &Visit<'_>, at: Option<&str>) -> String {
    let query: Vec<(&str, &str)> =
        visit.request.query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let path = super::address::encoded(&visit.request.path);
    Links::new(at.map(str::to_owned)).with(&path, &query)
}

fn strip(
    entries: &[TimelineEntry],
    now: usize,
    here: &Here,
    address: &dyn Fn(&str) -> String,
) -> Markup {
    let width = entries.len() * STEP;
    html! {
        svg #strip viewBox={ "0 0 " (width) " " (HEIGHT) } preserveAspectRatio="none" aria-hidden="true" {
            @for (at, entry) in entries.iter().enumerate() {
                @let marked = here.marks.contains(&entry.event.time);
                @let high = height(entry);
                a href=(address(&parts::name_of(&entry.event))) tabindex="-1"
                    class=[class(at == now, marked)] {
                    title { (plain(entry)) }
                    rect .all x=(at * STEP) y="0" width=(STEP) height=(HEIGHT) {}
                    rect .bar x=(at * STEP + 1) y=(HEIGHT - high) width=(STEP - 2) height=(high) {}
                    @if marked { rect .dot x=(at * STEP) y="0" width=(STEP) height="5" {} }
                }
            }
        }
    }
}

fn class(now: bool, marked: bool) -> Option<&'static str> {
    match (now, marked) {
        (true, true) => Some("here mark"),
        (true, false) => Some("here"),
        (false, true) => Some("mark"),
        (false, false) => None,
    }
}

/// Grows with the logarithm of the change: one item can be seen beside a thousand.
fn height(entry: &TimelineEntry) -> usize {
    let size = entry.added + entry.removed + entry.changed;
    let log = (usize::BITS - size.leading_zeros()) as usize;
    (3 + 3 * log).min(HEIGHT - 6)
}

fn plain(entry: &TimelineEntry) -> String {
    let event = &entry.event;
    let name = parts::name_of(event);
    format!(
        "{} {} {}: {} (+{} −{} ~{})",
        event.at.get(..10).unwrap_or_default(),
        name.get(..8).unwrap_or(&name),
        event.actor.as_deref().unwrap_or(&event.cause),
        parts::cut(event.message.as_deref().unwrap_or_default(), 100),
        entry.added,
        entry.removed,
        entry.changed,
    )
}

fn described(entry: &TimelineEntry) -> Markup {
    let event = &entry.event;
    let name = parts::name_of(event);
    html! {
        b { (parts::time(&event.at)) } " " code { (name.get(..8).unwrap_or(&name)) } " "
        span .who { (event.actor.as_deref().unwrap_or(&event.cause)) } " "
        span .what { (parts::cut(event.message.as_deref().unwrap_or_default(), 200)) }
        " " span .size { "+" (entry.added) " −" (entry.removed) " ~" (entry.changed) }
    }
}
