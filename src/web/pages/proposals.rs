//! Planned edits: their differences, what they may affect, and applying, denying or undoing them.

use asof_engine::{Database, EditOptions, EngineError};
use asof_wire::{
    EditSummary, EditedItem, FileOp, ProposalRow, ProposalStatus, ResolveRequest, UseRequest,
};
use maud::{Markup, html};

use super::diff::unified;
use crate::address::{Links, encoded};
use crate::visit::{Action, Allowed, Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;

/// Proposals of a page.
const SHOWN: usize = 100;
/// Bytes of a difference that are shown.
const PATCH: usize = 40_000;
/// Steps of the impact.
const DEPTH: u32 = 8;

pub fn list(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let all = visit.database.proposals(None)?;
    let offset = visit.request.number("offset").unwrap_or_default();
    let shown: Vec<&ProposalRow> = all.iter().skip(offset).take(SHOWN).collect();
    let more = |offset: usize| links.with("/proposals", &[("offset", &offset.to_string())]);
    let main = html! {
        h1 { "Edits" }
        p { "Edits are planned by an agent, or with " code { "asof edit plan" } ", and reviewed here." }
        (permission(visit))
        @if shown.is_empty() { p role="status" { "No edit has been planned." } }
        @else {
            div .scroll role="region" aria-label="Proposals" tabindex="0" {
                table .list {
                    thead { tr { th { "Proposal" } th { "State" } th { "Planned" } th { "By" } th { "Edits" } th { "Files" } } }
                    tbody { @for row in &shown { tr {
                        td { a href=(links.to(&format!("/proposals/{}", encoded(&row.proposal_id)))) { code { (row.proposal_id) } } }
                        td { (status(row.status)) }
                        td { (parts::time(&row.created)) }
                        td { (row.actor.as_deref().unwrap_or_default()) @if let Some(reason) = &row.reason { ": " (reason) } }
                        td { @for edit in row.edits.iter().take(3) { div { (edit) } } @if row.edits.len() > 3 { "and " (row.edits.len() - 3) " more" } }
                        td { @for file in row.files.iter().take(3) { div { (file) } } @if row.files.len() > 3 { "and " (row.files.len() - 3) " more" } }
                    } } }
                }
            }
        }
        (parts::pager(offset, shown.len(), all.len(), &more, SHOWN))
    };
    layout::page(visit, "Edits", &Default::default(), &main)
}

fn status(status: ProposalStatus) -> Markup {
    html! { span class={ "class p-" (status.as_str()) } { (status.as_str()) } }
}

fn permission(visit: &Visit<'_>) -> Markup {
    html! {
        @if visit.allowed == Allowed::Reading {
            p .facts { "This server only reads: start it with " code { "--allow-edits" } " to apply edits." }
        }
    }
}

pub fn show(visit: &Visit<'_>, id: &str) -> Result<Content, Problem> {
    let (row, summary) = visit.database.proposal(id)?;
    let links = visit.links();
    let main = html! {
        nav .path aria-label="Path" { a href=(links.to("/proposals")) { "edits" } }
        h1 { "Edit " code { (row.proposal_id) } " " (status(row.status)) }
        p .facts {
            "Planned " (parts::time(&row.created))
            @if let Some(actor) = &row.actor { " by " (actor) }
            @if let Some(reason) = &row.reason { ": " (reason) }
            @if let Some(decided) = &row.decided { " · " (row.status.as_str()) " " (parts::time(decided)) }
            @if let Some(revision) = row.revision { " · " a href=(links.at_moment(&revision.to_string()).to("/")) { "its revision" } }
        }
        @if !summary.warnings.is_empty() {
            section .problem aria-label="Warnings" { h2 { "Warnings" } ul { @for warning in &summary.warnings { li { (warning) } } } }
        }
        @if let Some(proof) = &summary.proof {
            section aria-label="Proof" {
                h2 { (proof.headline()) }
                ul { @for place in &proof.look_at {
                    li { code { (place.file_path) ":" (place.line) } " " (place.reason.as_str())
                        @if !place.rewritten { ", not rewritten" } }
                } }
            }
        }
        (buttons(visit, &row))
        h2 { "What it changes" }
        ul .items { @for edit in &summary.edits { li { (edited(visit, edit, &links)?) } } }
        (files(&summary, &links))
    };
    layout::page(visit, &format!("Edit {}", row.proposal_id), &Default::default(), &main)
}

/// The actions that the state of a proposal allows.
fn buttons(visit: &Visit<'_>, row: &ProposalRow) -> Markup {
    let actions: &[(&str, &str)] = match (visit.allowed, row.status) {
        (Allowed::Reading, _) => return permission(visit),
        (_, ProposalStatus::Planned) => &[("apply", "Apply"), ("deny", "Deny")],
        (_, ProposalStatus::Applied) => &[("undo", "Undo")],
        _ => &[],
    };
    html! {
        div .actions { @for (action, name) in actions {
            form method="post" action={ "/proposals/" (encoded(&row.proposal_id)) "/" (action) } {
                button class={ "do-" (action) } { (name) }
            }
        } }
    }
}

/// An edit with what depends on its item.
fn edited(visit: &Visit<'_>, edit: &EditedItem, links: &Links) -> Result<Markup, Problem> {
    let impact = match edit.kind {
        Some(_) => impact(visit, &edit.path)?,
        None => None,
    };
    Ok(html! {
        span .class { (edit.mode) } " "
        @match edit.kind {
            Some(kind) => { (parts::kind(kind.as_str())) " " a href=(links.item(&edit.path)) { (edit.path) } }
            None => { a href=(links.file(&edit.file_path)) { (edit.path) } }
        }
        @if let Some((direct, all)) = impact {
            " · " a href=(links.to(&format!("/graph/impact/{}", encoded(&edit.path)))) {
                (parts::count(direct, "item")) " use it, " (all) " within " (DEPTH) " steps"
            }
        }
    })
}

/// Items that use an item, and all that depend on it. None if it does not exist any more, or its
/// path means several items.
fn impact(visit: &Visit<'_>, path: &str) -> Result<Option<(usize, usize)>, EngineError> {
    let Ok(symbols) = visit.snapshot.symbols(&ResolveRequest::new(path)) else { return Ok(None) };
    let uses = UseRequest { limit: Some(1), ..UseRequest::default() };
    let summary = visit.snapshot.impact(&symbols, DEPTH, &uses)?.summary;
    Ok(Some((summary.direct, summary.direct + summary.transitive)))
}

fn files(summary: &EditSummary, links: &Links) -> Markup {
    html! {
        @for file in &summary.files {
            h3 {
                a href=(links.file(&file.file_path)) { (file.file_path) }
                @match &file.op {
                    FileOp::Modify => {}
                    FileOp::Create => { " " span .class .c-added { "new file" } }
                    FileOp::Delete => { " " span .class .c-removed { "removed" } }
                    FileOp::RenameTo { to } => { " " span .class .c-moved { "moves to " (to) } }
                    FileOp::RenameFrom { from } => { " " span .class .c-moved { "comes from " (from) } }
                }
            }
            @let end = file.diff.char_indices().map(|(at, _)| at).take_while(|at| *at <= PATCH).last().unwrap_or_default();
            @let whole = file.diff.len() <= PATCH;
            (unified(if whole { &file.diff } else { file.diff.get(..end).unwrap_or_default() }, &file.file_path))
            @if !whole { p { "The rest is too long for a page: " code { "asof edit show" } " prints it." } }
        }
    }
}

/// Applies, denies or undoes a proposal; returns the address of its page.
pub fn act(database: &Database, id: &str, action: Action) -> Result<String, Problem> {
    database.recover_edits()?;
    let options = EditOptions { actor: Some("explorer".to_owned()), ..EditOptions::default() };
    match action {
        Action::Apply => drop(database.apply_edit(id, &options)?),
        Action::Undo => drop(database.undo_edit(Some(id), &options)?),
        Action::Deny => drop(database.deny_edit(id)?),
    }
    Ok(Links::default().to(&format!("/proposals/{}", encoded(id))))
}
