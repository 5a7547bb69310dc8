//! What edits came to.

use anstyle::Style;
use asof::model::Span;
use asof::wire::EditSummary;

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
    out.push_str(&format!("{}\n", last_line(summary)));
    out
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
