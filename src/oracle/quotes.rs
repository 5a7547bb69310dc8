//! Masks quoted parts of questions: code, patterns, paths.

/// A quoted part of a question.
#[derive(Debug)]
pub(super) struct Quoted {
    pub text: String,
    /// Between slashes: a regular expression.
    pub slashes: bool,
}

/// Replaces what is quoted by marks, so that its words are not read as words of the question.
pub(super) fn masked(question: &str) -> (String, Vec<Quoted>) {
    let (mut out, mut quoted) = (String::new(), Vec::new());
    let question: String = question.chars().filter(|c| !matches!(c, '\u{1}' | '\u{2}')).collect();
    let mut rest = question.as_str();
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let opens = out.chars().last().is_none_or(|before: char| !before.is_alphanumeric());
        let closing = match c {
            '`' => after.find('`'),
            '"' | '\'' if opens => after.find(c),
            '“' => after.find('”'),
            '/' if opens => {
                after.find('/').filter(|at| !after.get(..*at).unwrap_or(" ").contains(' '))
            }
            _ => None,
        };
        // A lifetime or an apostrophe is no quotation.
        let end = closing.filter(|at| *at > 0 && (c != '\'' || closes(after, *at)));
        match end {
            Some(end) => {
                out.push_str(&format!("\u{1}{}\u{2}", quoted.len()));
                let text = after.get(..end).unwrap_or_default().to_owned();
                quoted.push(Quoted { text, slashes: c == '/' });
                let mark = after.get(end..).and_then(|rest| rest.chars().next());
                rest = after.get(end + mark.map_or(0, char::len_utf8)..).unwrap_or_default();
            }
            None => {
                out.push(c);
                rest = after;
            }
        }
    }
    (out, quoted)
}

/// Whether a single quote at a place ends a quotation: no letter follows.
fn closes(text: &str, at: usize) -> bool {
    text.get(at + 1..).and_then(|rest| rest.chars().next()).is_none_or(|c| !c.is_alphanumeric())
}

/// Puts the quoted parts back in place of their marks.
pub(super) fn unmasked(text: &str, quoted: &[Quoted]) -> String {
    let mut out = text.to_owned();
    for (at, quoted) in quoted.iter().enumerate() {
        out = out.replace(&format!("\u{1}{at}\u{2}"), &quoted.text);
    }
    out
}
