//! Colours for unified diffs and Rust source.

use anstyle::{AnsiColor, Style};
use asof_syntax::{Token, TokenClass, code_tokens};

/// A unified diff in its usual colours.
pub fn diff(text: &str) -> String {
    let green = AnsiColor::Green.on_default();
    let red = AnsiColor::Red.on_default();
    let cyan = AnsiColor::Cyan.on_default();
    let bold = Style::new().bold();
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'r', b'e', b'n', ..] => bold,
            [b'@', ..] => cyan,
            [b'+', ..] => green,
            [b'-', ..] => red,
            _ => Style::new(),
        };
        paint(&mut out, line, style);
    }
    out
}

/// Rust with highlighted keywords, literals and comments.
pub fn rust(text: &str) -> String {
    let keyword = AnsiColor::Magenta.on_default();
    let literal = AnsiColor::Green.on_default();
    let comment = Style::new().dimmed();
    let mut out = String::new();
    let mut at = 0;
    for token in code_tokens(text) {
        let start = (token.text.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let style = match token.class {
            TokenClass::Keyword => keyword,
            TokenClass::Word if is_literal(token) => literal,
            TokenClass::Word | TokenClass::Mark => Style::new(),
        };
        // Between tokens there are white space, comments and documentation.
        paint(&mut out, text.get(at..start).unwrap_or_default(), comment);
        paint(&mut out, token.text, style);
        at = start + token.text.len();
    }
    paint(&mut out, text.get(at..).unwrap_or_default(), comment);
    out
}

fn is_literal(token: Token<'_>) -> bool {
    let is_lifetime = token.text.starts_with('\'') && !token.text.ends_with('\'');
    let is_quoted = token.text.ends_with(['"', '\'', '#']);
    !is_lifetime && (is_quoted || token.text.starts_with(|c: char| c.is_ascii_digit()))
}

/// Styles each line separately, as pagers need it.
fn paint(out: &mut String, text: &str, style: Style) {
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if line.trim().is_empty() {
            out.push_str(line)
        } else {
            out.push_str(&format!("{style}{line}{style:#}"))
        }
        out.push_str(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paint_changes_no_letter() {
        let text =
            "/// Docs of `é`.\n#[doc = \"x\"]\npub fn f<'a>() -> char {\n    'x' // one\n}\n";
        let painted = rust(text);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), text);
        for part in ["\x1b[35mfn\x1b[0m", "\x1b[32m'x'\x1b[0m", "\x1b[2m/// Docs of `é`.\x1b[0m\n"]
        {
            assert!(painted.contains(part), "{part:?}: {painted:?}");
        }
        assert!(!painted.contains("\x1b[32m'a"), "{painted:?}");
        let patch = "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n same\n\\ No newline at end of file\n";
        let painted = diff(patch);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), patch);
        assert!(painted.contains("\x1b[32m+two\x1b[0m\n same\n"), "{painted:?}");
    }
}
