//! Paths of uses.

use asof::wire::{PathResult, UsePath};

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
