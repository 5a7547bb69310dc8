//! Items: in a line, and in full.

use asof_wire::{ErrorReport, FailedPath, Item};

/// An item in a line: kind, path, place, cfg.
pub fn item_head(item: &Item) -> String {
    let path = item.path.as_deref().unwrap_or(&item.name);
    let cfg = if item.cfg.is_empty() { String::new() } else { format!(" cfg({})", item.cfg) };
    let span = &item.span;
    let of = item.dependency.as_ref().map(|of| format!("{} {} ", of.name, of.version));
    let of = of.unwrap_or_default();
    let place = format!("{}:{}-{}", item.file_path, span.start_line, span.end_line);
    let made = if item.made { " made by this macro call" } else { "" };
    format!("{} {path} {of}{place}{cfg}{made}", item.kind)
}

/// A path without items, and why.
pub fn failed(failed: &FailedPath) -> String {
    format!("not shown: {}: {}\n", failed.path, sentence(&failed.error))
}

/// An error with what to do about it.
pub fn sentence(error: &ErrorReport) -> String {
    match error.hint.as_str() {
        "" => error.message.clone(),
        hint => format!("{}; {hint}", error.message),
    }
}

/// An item in full, a field a line.
pub fn item(item: &Item) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let cyan = anstyle::AnsiColor::Cyan.on_default();
    let path = item.path.as_deref().unwrap_or(&item.name);
    let mut out = format!("{cyan}{}{cyan:#} {bold}{path}{bold:#}\n", item.kind);
    let mut field = |name: &str, value: &str| {
        if !value.is_empty() {
            out.push_str(&format!("  {dim}{name:<10}{dim:#}{value}\n"));
        }
    };
    let span = &item.span;
    let place = format!("{}:{}-{}", item.file_path, span.start_line, span.end_line);
    if let Some(of) = &item.dependency {
        field("crate", &format!("{} {}", of.name, of.version));
    }
    let made = if item.made { ", made by the macro call there" } else { "" };
    field("place", &format!("{place}{made}"));
    field("bytes", &format!("{}..{}", span.start_byte, span.end_byte));
    field("signature", &item.signature);
    field("cfg", &item.cfg);
    field("module", &item.module_path.join("::"));
    field("tracking", &item.tracking_hash.to_string());
    field("file hash", &item.file_hash.to_string());
    field("id", &item.id.to_string());
    out
}
