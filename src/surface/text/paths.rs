//! Paths of uses.

use asof_wire::{PathGap, PathResult, Symbol, UsePath};

use super::uses::{doubt, place};
use super::words::plural;

/// Each path with its steps.
pub fn paths(found: &PathResult) -> String {
    let mut out = String::new();
    for path in &found.answer.items {
        if !out.is_empty() {
            out.push('\n');
        }
        way(&mut out, path);
    }
    out
}

fn way(out: &mut String, path: &UsePath) {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    if let Some(first) = path.steps.first() {
        let place = place(&first.source);
        out.push_str(&format!("{bold}{}{bold:#}{place}\n", first.source.path));
    }
    for step in &path.steps {
        let place = match &step.site {
            Some(site) => format!("  {}:{}", site.file_path, site.line),
            None => String::new(),
        };
        let doubt = step.confidence.map_or_else(|| "  may be dispatched to".to_owned(), doubt);
        let kind = match step.use_kind.as_str() {
            "call" | "method_call" | "dispatch" => String::new(),
            other => format!("  {other}"),
        };
        let target = &step.target.path;
        out.push_str(&format!("  → {bold}{target}{bold:#}{dim}{place}{kind}{doubt}{dim:#}\n"));
    }
    let count = plural(path.steps.len(), "step");
    let sure = if path.sure { "" } else { "; not sure: a step is a guess" };
    out.push_str(&format!("{dim}{count}{sure}{dim:#}\n"));
}

/// Gaps that are listed.
const LISTED: usize = 5;

/// Without a path: whether that is proven, and what may hide one, a line each.
pub fn no_path(found: &PathResult) -> Vec<String> {
    if !found.answer.items.is_empty() {
        return Vec::new();
    }
    let name = |symbols: &[Symbol]| symbols.first().map_or(String::new(), |s| s.path.clone());
    let (from, to) = (name(&found.from), name(&found.to));
    let Some(reason) = &found.reason else {
        return vec![format!("no path from {from} to {to} (proven)")];
    };
    let mut out = vec![format!("no path from {from} to {to} found; not proven: {reason}")];
    out.extend(found.gaps.iter().take(LISTED).map(gap));
    if found.gaps.len() > LISTED {
        out.push("  … (JSON lists more)".to_owned());
    }
    out
}

fn gap(gap: &PathGap) -> String {
    let (text, source) = (&gap.text, &gap.source);
    match gap.reason.as_str() {
        "value" => format!("  {text} is passed as a value in {source}"),
        "implicit" => format!("  {text} may be called without being named"),
        "generated" => format!("  {text}, called in {source}, may be defined by a macro"),
        "mention" => format!("  {text} is mentioned in {source}"),
        _ => format!("  {text} in {source} is not resolved"),
    }
}
