//! `asof diff` for people: by file, and as the text of a comment on a pull request.

use std::collections::BTreeMap;

use asof_model::Class;
use asof_wire::{Diff, DiffItem, Expansion};
use serde_json::{Value as Json, json};

use super::context::Context;
use super::output::{self, Listing};
use asof_surface::text;

const FILE: Listing<'_> = Listing {
    columns: &[("file", "{file_path}"), ("items", "{items}"), ("what", "{what}")],
    keys: "file_path items classes what",
};

/// One line that says how many items differ, and how.
pub fn summary(diff: &Diff) -> String {
    let imports = diff.imports;
    let folded = match (diff.folded, imports) {
        (0, _) => String::new(),
        (n, 0) => format!("; {n} more with `--all`"),
        (n, _) => format!("; {n} more with `--all`, of which {imports} `use`"),
    };
    let guesses = match diff.guesses_left_out {
        0 => String::new(),
        1 => "; 1 pair is less than half alike (`--guesses` matches it)".to_owned(),
        n => format!("; {n} pairs are less than half alike (`--guesses` matches them)"),
    };
    if diff.summary.is_empty() {
        format!("no items differ{folded}")
    } else {
        let parts: Vec<String> =
            diff.summary.iter().map(|(class, n)| format!("{n} {}", class.as_str())).collect();
        let items = text::plural(diff.answer.total, "item");
        format!("{items}: {}{folded}{guesses}", parts.join(", "))
    }
}

/// A file that Git lists and that is not compared.
pub fn skipped(context: &Context, path: &str, reason: &str) -> anyhow::Result<()> {
    output::print_plain(context, &format!("{path}: not compared, {reason}\n"))
}

/// The line above the items of a file.
pub fn heading(context: &Context, path: &str, items: usize) -> anyhow::Result<()> {
    let bold = anstyle::Style::new().bold();
    let none = if items == 0 { ": no items differ" } else { "" };
    output::print(context, &format!("{bold}{path}{bold:#}{none}\n"))
}

/// Prints how many items of each file differ, and how.
pub fn stat(context: &Context, diff: &Diff) -> anyhow::Result<()> {
    let row = |(file, items): (&str, Vec<&DiffItem>)| -> Json {
        let mut classes: BTreeMap<Class, usize> = BTreeMap::new();
        for class in items.iter().flat_map(|item| &item.classes) {
            *classes.entry(*class).or_default() += 1;
        }
        let what: Vec<String> =
            classes.iter().map(|(class, n)| format!("{n} {}", words(*class))).collect();
        json!({
            "file_path": file,
            "items": items.len(),
            "classes": classes,
            "what": what.join(", "),
        })
    };
    let rows: Vec<Json> = by_file(diff).into_iter().map(row).collect();
    let mut answer = serde_json::to_value(diff)?;
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("total".to_owned(), rows.len().into());
        answer.insert("items".to_owned(), rows.into());
    }
    output::listing(context, &answer, FILE)
}

/// Prints a list by file that is collapsed at first, with the diff of each item if there is one.
pub fn markdown(context: &Context, diff: &Diff) -> anyhow::Result<()> {
    let mut out = format!("**{}**\n", summary(diff));
    for (file, items) in by_file(diff) {
        let (file, count) = (escaped(file), items.len());
        out.push_str(&format!("\n<details>\n<summary><code>{file}</code> ({count})</summary>\n\n"));
        for item in items {
            out.push_str(&entry(item));
        }
        out.push_str("\n</details>\n");
    }
    output::print_plain(context, &out)?;
    output::basis(context, &serde_json::to_value(diff)?)
}

/// An item of the list.
fn entry(item: &DiffItem) -> String {
    let classes: Vec<&str> = item.classes.iter().map(|class| words(*class)).collect();
    let mut out = format!("- **{}** {} {}", classes.join(", "), item.kind, code(&item.path));
    if let Some(before) = &item.previous_path {
        out.push_str(&format!(", was {}", code(before)));
    }
    if let Some(before) = &item.previous_file_path {
        out.push_str(&format!(", in {}", code(before)));
    }
    if let Some(other) = &item.other {
        let way = if item.classes.contains(&Class::MergedIn) { "into" } else { "from" };
        out.push_str(&format!(", {way} {}", code(other)));
    }
    if let Some(Expansion { macro_name, items }) = &item.expansion {
        out.push_str(&format!(
            ", and {} more that {} makes",
            items - 1,
            code(&format!("{macro_name}!"))
        ));
    }
    out.push('\n');
    if let Some(patch) = item.patch.as_deref().filter(|patch| !patch.is_empty()) {
        let fence = output::fence(patch);
        out.push_str(&format!("\n  {fence}diff\n"));
        for line in patch.lines() {
            out.push_str(&format!("  {line}\n"));
        }
        out.push_str(&format!("  {fence}\n\n"));
    }
    out
}

/// The items by their file, in the order of paths.
fn by_file(diff: &Diff) -> BTreeMap<&str, Vec<&DiffItem>> {
    let mut files: BTreeMap<&str, Vec<&DiffItem>> = BTreeMap::new();
    for item in &diff.answer.items {
        files.entry(&item.file_path).or_default().push(item);
    }
    files
}

fn words(class: Class) -> &'static str {
    match class {
        Class::SplitOff => "split off",
        Class::MergedIn => "merged in",
        class => class.as_str(),
    }
}

/// Text as code in Markdown, whatever it contains.
pub fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let mark = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{mark}{space}{text}{space}{mark}")
}

/// Text in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
