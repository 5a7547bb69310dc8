//! Removes the documentation from a text.

use super::lexer::Kind;
use super::source::Source;

/// The text without documentation comments and `#[doc = "…"]`; lines that hold nothing else go
/// with them. All other bytes stay.
pub fn without_docs(text: &str) -> String {
    let source = Source::new(text);
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    let mut at = 0;
    while at < source.tokens.len() {
        let token = source.token(at);
        let is_doc = token.kind == Kind::Doc || token.doc;
        let (start, mut end) = (token.start, token.end);
        at += 1;
        if !is_doc {
            continue;
        }
        // The tokens of an attribute are one piece.
        while token.kind != Kind::Doc && source.token(at).doc && source.token(at).kind != Kind::Doc
        {
            end = source.token(at).end;
            at += 1;
            if source.token(at - 1).is(b']') && source.token(at).is(b'#') {
                break;
            }
        }
        let (from, to) = piece(text, start as usize, end as usize);
        out.push_str(text.get(kept..from.max(kept)).unwrap_or_default());
        kept = to.max(kept);
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    let begins = text.starts_with([' ', '\t']);
    if begins { out } else { out.trim_start_matches([' ', '\t']).to_owned() }
}

/// The whole lines, if nothing else is on them; else the bytes and the blanks behind them.
fn piece(text: &str, start: usize, end: usize) -> (usize, usize) {
    let before = text.get(..start).unwrap_or_default();
    let behind = text.get(end..).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = behind.find('\n').map_or(behind.len(), |at| at + 1);
    let is_blank = |part: Option<&str>| part.is_some_and(|part| part.trim().is_empty());
    if is_blank(before.get(line..)) && is_blank(behind.get(..rest)) {
        return (line, end + rest);
    }
    (start, end + behind.len() - behind.trim_start_matches([' ', '\t']).len())
}

/// Text of a documentation comment: the marks, one leading blank, and in blocks the leading `*`
/// of every line removed.
pub(super) fn comment_text(comment: &str) -> String {
    if comment.starts_with("//") {
        let text = comment.get(3..).unwrap_or_default().trim_end();
        return text.strip_prefix(' ').unwrap_or(text).to_owned();
    }
    let text = comment.get(3..).unwrap_or_default();
    let text = text.strip_suffix("*/").unwrap_or(text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let starred = lines
        .iter()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .all(|line| line.trim_start().starts_with('*'));
    let first = lines.first().copied().unwrap_or_default();
    let mut out = vec![first.strip_prefix(' ').unwrap_or(first).to_owned()];
    let rest = lines.get(1..).unwrap_or_default();
    // Without stars the common indentation is removed.
    let indent = rest
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_ascii_start().len())
        .min()
        .unwrap_or(0);
    for line in rest {
        let line = if starred {
            let line = line.trim_start();
            line.strip_prefix('*').unwrap_or(line)
        } else {
            line.get(indent..).unwrap_or_default()
        };
        out.push(if starred { line.strip_prefix(' ').unwrap_or(line) } else { line }.to_owned());
    }
    let blank = |line: &String| line.trim().is_empty();
    let start = out.iter().position(|line| !blank(line)).unwrap_or(out.len());
    let end = out.iter().rposition(|line| !blank(line)).map_or(start, |last| last + 1);
    out.get(start..end).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::without_docs;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_docs(text), expected);
    }

    #[test]
    fn documentation_goes_and_all_else_stays() {
        check("/// A.\n///\n/// B.\npub fn f() {\n    // kept\n}", "pub fn f() {\n    // kept\n}");
        check("/// A.\n    pub fn f() {}", "pub fn f() {}");
        check(
            "struct S {\n    /// A.\n    a: u8, // b\n    /** c */ d: u8,\n}",
            "struct S {\n    a: u8, // b\n    d: u8,\n}",
        );
        check(
            "#[doc = \"A\"]\n#[inline]\nfn f() { let _ = \"/// no\"; }",
            "#[inline]\nfn f() { let _ = \"/// no\"; }",
        );
        check("#[doc = \"A\"]\n#[doc = \"B\"]\nfn f() {}", "fn f() {}");
        check("#[doc(hidden)]\r\n/// A.\r\nfn f() {}\r\n", "#[doc(hidden)]\r\nfn f() {}\r\n");
        check("mod m {\n    //! A.\n\n    fn f() {}\n}", "mod m {\n\n    fn f() {}\n}");
        check("/// only", "");
        check("", "");
    }
}
