//! Context for a task.

use asof::wire::{CodeContext, CodeForm, ContextAnswer, ContextFile, ContextRanking};

use super::plural;

/// Files with their confidence, items and snippets.
pub fn context(answer: &ContextAnswer) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = format!("{dim}keywords: {}{dim:#}\n", answer.keywords.join(", "));
    out.push_str(&match answer.ranking {
        ContextRanking::Tags => {
            format!("{dim}tags: {}{dim:#}\n", answer.tags_matched.join(", "))
        }
        ContextRanking::TextAndRecency => {
            format!("{dim}no tag matches: ranked by text and recency{dim:#}\n")
        }
    });
    answer.files.iter().for_each(|one| out.push_str(&file(one)));
    let (total, returned) = (answer.aggregate.total_matches, answer.aggregate.returned);
    let sum = match total > returned {
        true => format!("{returned} of {}", plural(total, "file")),
        false => plural(returned, "file"),
    };
    out.push_str(&format!(
        "\n{dim}{sum}, average confidence {:.2}{dim:#}\n",
        answer.aggregate.avg_confidence
    ));
    if let Some(tokens) = &answer.tokens {
        let (used, budget) = (tokens.used, tokens.budget);
        out.push_str(&format!(
            "{dim}snippets: {used} of {budget} tokens ({}){dim:#}\n",
            tokens.tokenizer
        ));
    }
    out
}

fn file(file: &ContextFile) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut out = format!("\n{:.2}  {bold}{}{bold:#}", file.confidence, file.path);
    if !file.tags.is_empty() {
        out.push_str(&format!("  {dim}{}{dim:#}", file.tags.join(", ")));
    }
    out.push('\n');
    for item in &file.items {
        out.push_str(&format!(
            "      {} {dim}{}:{}{dim:#}\n",
            item.path, item.kind, item.start_line
        ));
    }
    let Some(snippet) = &file.snippet else { return out };
    let width = snippet.end_line.to_string().len();
    for (line, text) in (snippet.start_line..).zip(snippet.content.lines()) {
        out.push_str(&format!("  {dim}{line:>width$} |{dim:#} {text}\n"));
    }
    out
}

/// The code itself, then what it cost and what did not fit.
pub fn code(answer: &CodeContext) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for item in &answer.items {
        out.push_str(&item.text);
        out.push('\n');
    }
    let sources = answer.items.iter().filter(|item| item.form == CodeForm::Source).count();
    let signatures = answer.items.len() - sources;
    let tokens = &answer.tokens;
    out.push_str(&format!(
        "{dim}{} and {} in {} of {} tokens ({}){dim:#}\n",
        plural(sources, "source"),
        plural(signatures, "signature"),
        tokens.used,
        tokens.budget,
        tokens.tokenizer
    ));
    if let Some(line) = left_out(answer) {
        out.push_str(&format!("{dim}{line}{dim:#}\n"));
    }
    out
}

/// What did not fit in the budget.
pub fn left_out(answer: &CodeContext) -> Option<String> {
    let left = &answer.left_out;
    let mut parts = Vec::new();
    if left.bodies > 0 {
        parts.push(match left.bodies {
            1 => "1 body".to_owned(),
            n => format!("{n} bodies"),
        });
    }
    if left.items > 0 {
        let more = if left.items > left.next.len() { ", …" } else { "" };
        parts.push(format!("{} ({}{more})", plural(left.items, "item"), left.next.join(", ")));
    }
    (!parts.is_empty()).then(|| format!("left out for want of budget: {}", parts.join(" and ")))
}
