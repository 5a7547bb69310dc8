//! Which of the items that differ between two moments are proven to be the same code, and which are left
//! to read.

use asof_model::Hint;
use asof_wire::{ItemToRead, Patch, Review, ReviewRequest, ReviewedItem};
use maud::{Markup, html};

use super::diff::{moments, unified, when};
use crate::address::Links;
use crate::time_bar::Here;
use crate::visit::{Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;
use asof_surface::text::review::{beside, headline, reason_line};

/// Items to read of a page, proven ones, and bytes of differences.
const SHOWN: usize = 40;
const PROVEN: usize = 200;
const BUDGET: usize = 60_000;

pub fn page(visit: &Visit<'_>, range: &str) -> Result<Content, Problem> {
    let Some((a, b)) = range.split_once("..") else {
        let hint = Hint::advice("an address of a review is `/review/A..B`");
        return Err(Problem::bad_request("two moments are needed", hint));
    };
    let (b, _) = moments(visit, b);
    let (first, second) = (visit.moment(a)?, visit.moment(if b.is_empty() { "NOW" } else { b })?);
    let (from, to, a, b) =
        if first.at() <= second.at() { (first, second, a, b) } else { (second, first, b, a) };
    let request = ReviewRequest { patch: Patch::Unified };
    let found = to.review(&from, &request, None)?;
    let offset = visit.request.number("offset").unwrap_or_default();
    let shown: Vec<&ItemToRead> = found.read.iter().skip(offset).take(SHOWN).collect();
    let page = Links::review(a, b);
    let more = |offset: usize| Links::default().with(&page, &[("offset", &offset.to_string())]);
    let (old, new) = (Links::new(Some(a.to_owned())), Links::new(Some(b.to_owned())));
    let mut left = BUDGET;
    let main = html! {
        h1 { "Review" }
        p .range {
            "from " a href=(old.to("/")) { code { (a) } } " " (when(&from))
            " to " a href=(new.to("/")) { code { (b) } } " " (when(&to))
            " · " a href=(Links::diff(a, b, "")) { "all changes" }
        }
        p .summary { strong { (headline(&found)) } }
        @for line in beside(&found) { p { (line) } }
        @for one in &shown { (entry(one, &old, &new, &mut left)) }
        (parts::pager(offset, shown.len(), found.read.len(), &more, SHOWN))
        (proven(&found, &old, &new))
    };
    let compared = Some((a.to_owned(), to.at()));
    let here = Here { compared, ..Here::default() };
    layout::page(visit, &format!("Review of {a}..{b}"), &here, &main)
}

/// An item to read; `left` is how many bytes of differences the page still holds.
fn entry(one: &ItemToRead, old: &Links, new: &Links, left: &mut usize) -> Markup {
    let item = &one.item;
    let is_gone = one.reasons.iter().any(|reason| reason.reason.as_str() == "removed");
    let patch = one.patch.as_deref().filter(|patch| !patch.is_empty());
    let fits = patch.is_some_and(|patch| patch.len() <= *left);
    *left -= patch.filter(|_| fits).map_or(0, str::len);
    html! {
        article .change {
            h2 { (named(item, old, if is_gone { old } else { new })) }
            p .where { (item.file_path) ":" (item.line) }
            ul { @for reason in &one.reasons { li { (reason_line(reason)) } } }
            @if let Some(patch) = patch {
                @if fits { (unified(patch, &item.path)) }
                @else { p { "Its difference does not fit into this page." } }
            }
        }
    }
}

/// `side`: of the state that has the item.
fn named(item: &ReviewedItem, old: &Links, side: &Links) -> Markup {
    let path = item.path.contains("::").then_some(item.path.as_str());
    html! {
        (parts::kind(item.kind.as_str())) " "
        @if let Some(previous) = &item.previous_path {
            a href=(old.item(previous)) { del { (previous) } } " → "
        }
        a href=(side.item_or_id(path, &item.path, item.id)) { (item.path) }
    }
}

fn proven(found: &Review, old: &Links, new: &Links) -> Markup {
    let left_out = found.proven.len().saturating_sub(PROVEN);
    html! {
        @if !found.proven.is_empty() {
            h2 { "Proven to be the same code" }
            ul { @for one in found.proven.iter().take(PROVEN) { li {
                @for what in &one.what { span .class { (what.as_str()) } " " }
                (named(&one.item, old, new))
            } } }
            @if left_out > 0 { p { "… and " (left_out) " more." } }
        }
        @if !found.commands.is_empty() {
            h2 { "The refactorings as commands" }
            pre { @for line in found.commands.iter().take(PROVEN) { (line) "\n" } }
        }
    }
}
