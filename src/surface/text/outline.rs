//! Outlines.

use std::collections::BTreeSet;

use asof_model::{NodeId, NodeKind};
use asof_wire::{Answer, ApiItem, OutlineEntry};

use super::words::{plural, some};

/// Items with their lines, indented by depth.
pub fn outline(entries: &[OutlineEntry]) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let opened: BTreeSet<NodeId> = entries.iter().filter_map(|entry| entry.parent_id).collect();
    let last_line = entries.iter().map(|entry| entry.line).max().unwrap_or_default();
    let width = last_line.to_string().len();
    let mut out = String::new();
    let mut file = "";
    for entry in entries {
        let cfg = match entry.cfg.as_str() {
            "" => String::new(),
            cfg => format!("  cfg({cfg})"),
        };
        let (signature, line, end) = (head(entry), entry.line, entry.end_line);
        if entry.depth == 0 {
            file = &entry.file_path;
            out.push_str(&format!(
                "{bold}{signature}{bold:#}{dim}  {file}:{line}-{end}{cfg}{dim:#}\n"
            ));
            continue;
        }
        // Items of a module in another file have line numbers of that file.
        let elsewhere =
            if entry.file_path == file { String::new() } else { format!("  {}", entry.file_path) };
        let closed = match entry.children {
            0 => String::new(),
            _ if opened.contains(&entry.id) => String::new(),
            n if holds_items(entry.kind) => {
                format!("  {}", plural(n as usize, "item"))
            }
            _ => String::new(),
        };
        let indent = "  ".repeat(entry.depth as usize);
        out.push_str(&format!(
            "{dim}{line:>width$}{dim:#}{indent}{signature}{dim}{elsewhere}{closed}{cfg}{dim:#}\n"
        ));
    }
    out
}

/// Whether its items are listed: those in function bodies are not.
fn holds_items(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Function | NodeKind::Method | NodeKind::Const | NodeKind::Static)
}

fn head(entry: &OutlineEntry) -> String {
    match (entry.kind, &entry.path) {
        (NodeKind::Module, Some(path)) if entry.depth == 0 => format!("mod {path}"),
        _ if entry.signature.is_empty() => format!("{} {}", entry.kind, entry.name),
        _ => entry.signature.clone(),
    }
}

/// What other crates can name: public path, signature, place.
pub fn api(found: &Answer<ApiItem>) -> String {
    found.items.iter().map(api_item).collect()
}

fn api_item(item: &ApiItem) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut marks = String::new();
    if let Some(line) = item.line {
        marks.push_str(&format!("  {}:{line}", item.file_path));
    }
    if item.hidden {
        marks.push_str("  hidden");
    }
    if !item.cfg.is_empty() {
        marks.push_str(&format!("  cfg({})", item.cfg));
    }
    if !item.other_paths.is_empty() {
        marks.push_str(&format!("  also {}", some(&item.other_paths)));
    }
    format!("{bold}{}{bold:#}  {}{dim}{marks}{dim:#}\n", item.path, item.signature)
}
