//! Classifies lines of an answer: announcements, "there is none", code.

use super::lines::without_numbering;

/// Whether a line only says that something follows.
pub(super) fn announces(line: &str) -> bool {
    line.trim_end_matches(['*', '_']).ends_with(':') && !without_numbering(line).starts_with('`')
        || line.trim_start().starts_with('#') && !line.contains("#[")
}

/// Whether a text says that there is nothing.
pub(super) fn is_none(text: &str) -> bool {
    let text = text.trim().trim_matches(['.', '(', ')', '*', '`', '!', '"']).to_ascii_lowercase();
    let starts = ["there are none", "there are no ", "there is no ", "it has no ", "no "];
    let nouns = [
        "callers", "uses", "fields", "variants", "methods", "parameters", "arguments",
        "implementors", "implementations", "matches", "match", "occurrences", "results", "callees",
        "lines", "files", "types", "traits", "functions",
    ];
    let says_none = || {
        let rest = starts.iter().find_map(|start| text.strip_prefix(start))?;
        let word = rest.split(|c: char| !c.is_alphanumeric()).next()?;
        (rest.is_empty() || nouns.contains(&word)).then_some(())
    };
    matches!(
        text.as_str(),
        "" | "none" | "nothing" | "no one" | "nobody" | "nowhere" | "empty" | "n/a" | "[]" | "{}"
    ) || says_none().is_some()
}

pub(super) fn backticked(text: &str) -> Vec<String> {
    let parts = text.split('`').collect::<Vec<_>>();
    let code = parts.iter().enumerate().filter(|(at, _)| at % 2 == 1 && at + 1 < parts.len());
    code.map(|(_, code)| code.trim().to_owned()).filter(|code| !code.is_empty()).collect()
}
