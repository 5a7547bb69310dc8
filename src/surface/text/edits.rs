//! Text of the results of edits.

use anstyle::Style;
use asof_model::Span;
use asof_wire::{Discharge, EditSummary, Proof};

/// The edits, a line each, and the state of the proposal.
pub fn summary(summary: &EditSummary) -> String {
    let dim = Style::new().dimmed();
    let mut out = String::new();
    for edit in &summary.edits {
        let place = |span: &Option<Span>| {
            span.map_or(String::new(), |span| format!(":{}-{}", span.start_line, span.end_line))
        };
        let (from, to) = (place(&edit.span_before), place(&edit.span_after));
        let moved = if from == to { String::new() } else { format!(" → {}", &to) };
        let (mode, path, file, status) =
            (&edit.mode, &edit.path, &edit.file_path, edit.status.as_str());
        out.push_str(&format!("{status} {mode} {path} {dim}{file}{from}{moved}{dim:#}\n"));
    }
    if let Some(proof) = &summary.proof {
        out.push_str(&self::proof(proof));
    }
    out.push_str(&format!("{}\n", last_line(summary)));
    out
}

/// The obligations of a proof, a line each.
pub fn obligations(proof: &Proof) -> String {
    let line = |one: &Discharge| {
        let state = match one.open {
            0 => "shown".to_owned(),
            open => format!("{open} open"),
        };
        format!("  {state}: {} ({} checked)\n", one.obligation.as_str(), one.checked)
    };
    proof.obligations.iter().map(line).collect()
}

/// What is known of every name: a line, and one for each place to look at.
pub fn proof(proof: &Proof) -> String {
    let dim = Style::new().dimmed();
    let mut out = format!(
        "{}: {} rewritten, {} in {} compared\n",
        proof.headline(),
        count(proof.rewritten, "place", "places"),
        count(proof.compared, "use", "uses"),
        count(proof.files, "file", "files"),
    );
    for place in &proof.look_at {
        let rewritten = if place.rewritten { "rewritten" } else { "not rewritten" };
        let (path, line, reason) = (&place.file_path, place.line, place.reason.as_str());
        out.push_str(&format!("  {path}:{line} {dim}{rewritten}: {reason}{dim:#}\n"));
    }
    out
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The state of the proposal.
pub fn last_line(summary: &EditSummary) -> String {
    match (&summary.proposal_id, &summary.revision) {
        (Some(id), Some(revision)) => {
            let revision: String = revision.to_string().chars().take(8).collect();
            format!("proposal {id} {}, revision {revision}", summary.status.as_str())
        }
        (Some(id), None) => format!("proposal {id} {}", summary.status.as_str()),
        (None, _) => "dry run: nothing was stored or written".to_owned(),
    }
}
