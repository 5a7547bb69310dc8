//! Text of an answer with context for a task.

use asof_model::NodeKind;
use asof_wire::{
    CodeContext, CodeForm, ContextAnswer, ContextFile, ContextRanking, Example, ExampleRole,
};

use super::plural;

/// Files with the score that they are ordered by, their confidence, items and snippets. `threshold`:
/// the least confidence that was asked for.
pub fn context(answer: &ContextAnswer, threshold: f64) -> String {
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
    if let Some(shown) = &answer.example {
        out.push_str(&example(shown));
    }
    answer.files.iter().for_each(|one| out.push_str(&file(one)));
    if answer.files.is_empty() {
        out.push_str(&format!(
            "\nno file has a confidence of {threshold:.2} or more: use other keywords, or a lower \
             threshold\n"
        ));
        return out;
    }
    let (total, returned) = (answer.aggregate.total_matches, answer.aggregate.returned);
    let sum = if total > returned {
        format!("{returned} of {}", plural(total, "file"))
    } else {
        plural(returned, "file")
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

/// What to follow: each item with what it shows.
fn example(example: &Example) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let what = match example.kind {
        NodeKind::Trait => "types implement it",
        NodeKind::Enum => "variants",
        _ => "fields",
    };
    let (path, members) = (&example.path, example.members);
    let mut out = format!("\n{bold}one more of {path}{bold:#}  {dim}{members} {what}{dim:#}\n");
    for item in &example.items {
        let role = match item.role {
            ExampleRole::Registry => "listed in",
            ExampleRole::Member => "follow",
            ExampleRole::Kind => "has to be",
            ExampleRole::Test => "tested by",
            ExampleRole::Reader => "read in",
        };
        out.push_str(&format!(
            "  {dim}{role:<9}{dim:#} {} {dim}{} {}:{}-{}{dim:#}\n",
            item.path, item.kind, item.file_path, item.start_line, item.end_line
        ));
    }
    out
}

fn file(file: &ContextFile) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut out = format!(
        "\n{:.2}  {bold}{}{bold:#}  {dim}confidence {:.2}",
        file.score.composite, file.path, file.confidence
    );
    if !file.tags.is_empty() {
        out.push_str(&format!("; {}", file.tags.join(", ")));
    }
    out.push_str(&format!("{dim:#}\n"));
    for item in &file.items {
        out.push_str(&format!(
            "      {} {dim}{}:{}{}{dim:#}\n",
            item.path,
            item.kind,
            item.start_line,
            super::uses::under(item.other_condition.as_deref())
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
    if answer.items.is_empty() && answer.left_out.items == 0 {
        out.push_str("no item answers the hint: use other words, or no hint for central code\n");
        return out;
    }
    let count = |form| answer.items.iter().filter(|item| item.form == form).count();
    let sources = count(CodeForm::Source);
    let parts = [
        (CodeForm::Excerpt, "excerpt"),
        (CodeForm::Signature, "signature"),
        (CodeForm::Name, "name"),
    ];
    let parts = parts.map(|(form, word)| (count(form), word));
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let rest: String = parts.map(|(count, word)| format!(", {}", plural(*count, word))).collect();
    let tokens = &answer.tokens;
    out.push_str(&format!(
        "{dim}{}{rest} in {} of {} tokens ({}){dim:#}\n",
        plural(sources, "source"),
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
    (!parts.is_empty()).then(|| format!("did not fit in the budget: {}", parts.join(" and ")))
}
