//! Text of what a merge would be.

use super::plural;
use asof_wire::{MergeConflictKind, MergeFrom, MergeOutcome, MergePrediction, SemanticConflict};

/// One line that says whether a merge is clean.
pub fn headline(found: &MergePrediction) -> String {
    let summary = &found.summary;
    let both = summary.clean + summary.resolved + summary.conflicts;
    let parts = [
        (summary.clean, "merged by lines"),
        (summary.resolved, "merged by items"),
        (summary.conflicts, "in conflict"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    let names = match summary.semantic {
        0 => "no conflict of names".to_owned(),
        n => format!("{} of names", plural(n, "conflict")),
    };
    let verb = if both == 1 { "differs" } else { "differ" };
    format!("{} {verb} on both sides{parts}; {names}", plural(both, "file"))
}

/// What does not fit together, in a line.
pub fn conflict_line(one: &SemanticConflict) -> String {
    let side = match one.side {
        MergeFrom::Ours => "ours",
        MergeFrom::Theirs => "theirs",
    };
    let SemanticConflict { name, was, is, .. } = one;
    match one.kind {
        MergeConflictKind::Lost => format!("lost: `{name}` of {side} means `{was}`, {is}"),
        MergeConflictKind::Meaning => {
            format!("meaning: `{name}` of {side} means `{was}`, and in the merge {is}")
        }
        MergeConflictKind::Duplicate => {
            format!("duplicate: `{name}` is defined by {side}, {was}, and by the other side, {is}")
        }
        MergeConflictKind::Override => {
            format!("override: `{name}` of {side} implements `{was}`, and in the merge {is}")
        }
        MergeConflictKind::Exhaustiveness => {
            format!("exhaustiveness: a `match` of {side} names {was}, and not {is}")
        }
        MergeConflictKind::Required => {
            format!("required: `{name}` of {side} implements `{was}`, and lacks {is}")
        }
        MergeConflictKind::Arguments => {
            format!("arguments: `{name}` is called by {side} with {was}; its parameters are {is}")
        }
    }
}

/// The whole prediction.
pub fn prediction(found: &MergePrediction) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = format!("{bold}{}{bold:#}\n", headline(found));
    if found.summary.one_sided > 0 {
        let files = plural(found.summary.one_sided, "file");
        let verb = if found.summary.one_sided == 1 { "differs" } else { "differ" };
        out.push_str(&format!("{files} {verb} on one side\n"));
    }
    for one in found.files.iter().filter(|one| one.outcome != MergeOutcome::Clean) {
        let note = one.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
        let count = match one.conflicts {
            0 => String::new(),
            n => format!(" ({})", plural(n, "conflict")),
        };
        out.push_str(&format!("  {}: {}{count}{note}\n", one.outcome.as_str(), one.file_path));
    }
    for one in &found.semantic {
        out.push_str(&format!("  {}:{}: {}\n", one.file_path, one.line, conflict_line(one)));
    }
    for one in &found.adapted {
        let place = format!("{}:{}", one.file_path, one.line);
        out.push_str(&format!("  {place}: `{}` becomes `{}`\n", one.before, one.after));
    }
    out
}
