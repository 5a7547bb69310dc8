//! Text of the results of edits.

use anstyle::Style;
use asof_model::Span;
use asof_wire::{Discharge, EditSummary, EditedFile, PlaceToLookAt, Proof};

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

/// Bytes of the diffs of an answer that are shown unless all of them are asked for.
pub const DIFFS: usize = 6_000;

/// Places of a file that are named in the place of its diff.
const PLACES: usize = 5;

/// Files that are named in the place of their diffs.
const NAMED: usize = 40;

/// Keeps the diffs of the first files, up to a number of bytes, and puts a line in the place of each
/// other one: how many lines come and go, and where the first are. Returns the number of these.
pub fn shorten_diffs(files: &mut [EditedFile], bytes: usize) -> usize {
    let mut left = bytes;
    let mut cut = 0;
    for file in files {
        if cut == 0 && file.diff.len() <= left {
            left -= file.diff.len();
            continue;
        }
        cut += 1;
        file.diff = if cut <= NAMED { counted(file) } else { String::new() };
    }
    cut
}

/// A file with what its diff changes, in a line.
fn counted(file: &EditedFile) -> String {
    let mut places = Vec::new();
    let (mut added, mut removed, mut at) = (0_usize, 0_usize, 0_usize);
    for line in file.diff.lines().skip_while(|line| !line.starts_with("@@")) {
        match line.as_bytes().first() {
            Some(b'@') => {
                let first = line.split('+').nth(1).unwrap_or_default();
                let first: String = first.chars().take_while(char::is_ascii_digit).collect();
                at = first.parse().unwrap_or_default();
            }
            Some(b'-') => removed += 1,
            Some(b'+') => {
                added += 1;
                places.push(at);
                at += 1;
            }
            _ => at += 1,
        }
    }
    let shown: Vec<String> = places.iter().take(PLACES).map(usize::to_string).collect();
    let more = if places.len() > PLACES { ", …" } else { "" };
    let lines = if shown.is_empty() { String::new() } else { format!(" at {}", shown.join(", ")) };
    format!("{}: +{added} -{removed}{lines}{more}\n", file.file_path)
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
    let [risky, others] = proof.split_by_risk();
    if !risky.is_empty() {
        let bold = Style::new().bold();
        let places = count(risky.len(), "place", "places");
        out.push_str(&format!("{bold}may no longer compile{bold:#}: {places}\n"));
    }
    let between = (!risky.is_empty() && !others.is_empty())
        .then(|| format!("other places: {}\n", others.len()));
    let line = |place: &PlaceToLookAt| {
        let rewritten = if place.rewritten { "rewritten" } else { "not rewritten" };
        let (path, line, reason) = (&place.file_path, place.line, place.reason.as_str());
        format!("  {path}:{line} {dim}{rewritten}: {reason}{dim:#}\n")
    };
    out.extend(risky.into_iter().map(line));
    out.extend(between);
    out.extend(others.into_iter().map(line));
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
