//! Text of what items reach.

use super::plural;
use super::times::local;
use asof_wire::{ReachPath, ReachResult, ReachSince, ReachStep};

/// Each item with its path, and how many there are.
pub fn reach(found: &ReachResult) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for path in &found.answer.items {
        let ReachPath { path: name, file_path, line, .. } = path;
        out.push_str(&format!("{bold}{name}{bold:#}  {file_path}:{line}{}\n", doubt_of(path)));
        if let Some(since) = &path.since {
            out.push_str(&format!("  {dim}{}{dim:#}\n", since_line(since)));
        }
        for step in &path.steps {
            let place = match (&step.file_path, step.line) {
                (Some(file), Some(line)) => format!("  {file}:{line}"),
                _ => String::new(),
            };
            let notes = notes_of(step);
            out.push_str(&format!("  → {}{dim}{place}{notes}{dim:#}\n", step.target));
        }
    }
    if found.answer.items.is_empty() {
        out.push_str("no certain path\n");
    }
    out
}

fn doubt_of(path: &ReachPath) -> String {
    match &path.other_condition {
        Some(condition) => format!("  (only under {condition})"),
        None if path.certain => String::new(),
        None => "  (possible)".to_owned(),
    }
}

fn since_line(since: &ReachSince) -> String {
    let ReachSince { event, present_at_start } = since;
    if *present_at_start {
        return format!("since {} or before", local(&event.at));
    }
    let commit = event.commit.as_deref().and_then(|hash| hash.get(..8)).unwrap_or(&event.cause);
    let message = event.message.as_deref().unwrap_or_default();
    format!("since {} {commit} {message}", local(&event.at)).trim_end().to_owned()
}

/// How a step is known, where that is no plain call, and under which condition.
fn notes_of(step: &ReachStep) -> String {
    let how = match step.how.as_str() {
        "call" | "method_call" | "text" => String::new(),
        "dispatch" => "  may be dispatched to".to_owned(),
        other => format!("  {other}"),
    };
    let confidence = step.confidence.filter(|one| *one < 1.0);
    let confidence = confidence.map_or_else(String::new, |one| format!("  confidence {one:.2}"));
    let condition =
        step.condition.as_ref().map_or_else(String::new, |cfg| format!("  under {cfg}"));
    format!("{how}{confidence}{condition}")
}

/// How many items reach a set, and what is not known; a line each. `guesses`: the argument that lists
/// possible paths.
pub fn reach_notes(found: &ReachResult, guesses: &str) -> Vec<String> {
    let mut notes = vec![format!(
        "{} from {}",
        plural(found.certain, "certain path"),
        plural(found.starts, "item")
    )];
    let has_guesses = found.answer.total > found.certain + found.other_conditions;
    if found.possible > 0 && !has_guesses {
        let paths = plural(found.possible, "possible path");
        notes.push(format!("{paths} more: `{guesses}` lists them"));
    }
    if found.other_conditions > 0 {
        let paths = plural(found.other_conditions, "path");
        notes.push(format!("{paths} only under other conditions"));
    }
    if found.unresolved + found.outside > 0 {
        let open = plural(found.open, "item");
        notes.push(format!(
            "not complete: {} on the ways not resolved, {} of dependencies not followed; {open} \
             without a path may have one there",
            plural(found.unresolved, "call"),
            plural(found.outside, "call"),
        ));
    }
    if !found.unparsed.is_empty() {
        notes.push(format!("operators are not read in {}", found.unparsed.join(", ")));
    }
    notes
}
