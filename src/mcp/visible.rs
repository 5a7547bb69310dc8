//! Text of the repository, safe to read: characters that hide or reorder text are shown by their
//! code.

use std::borrow::Cow;

use serde_json::Value as Json;

/// Whether a character shows nothing, or changes how others are shown.
fn hides(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Zero width, marks and overrides of direction, line and paragraph separators.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => {
            true
        }
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        // Tags and further variation selectors: invisible, and read by models.
        '\u{e0000}'..='\u{e0fff}' => true,
        _ => c.is_control(),
    }
}

/// A text with such characters as `\u{202e}`. A line may end in CR LF.
pub fn text(text: &str) -> Cow<'_, str> {
    if !text.chars().any(hides) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => out.push(c),
            c if hides(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The texts in a value, keys apart.
pub fn json(value: &mut Json) {
    match value {
        Json::String(string) => {
            if let Cow::Owned(shown) = text(string) {
                *string = shown;
            }
        }
        Json::Array(items) => items.iter_mut().for_each(json),
        Json::Object(fields) => fields.values_mut().for_each(json),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_shown() {
        let check = |given: &str, shown: &str| assert_eq!(text(given), shown);
        check("let a = 1;\n\tb\r\n", "let a = 1;\n\tb\r\n");
        check("a\u{202e}b\u{2066}", r"a\u{202e}b\u{2066}");
        check("\u{1b}[31mred", r"\u{1b}[31mred");
        check("old\rnew", r"old\u{d}new");
        check("zero\u{200b}width \u{e0041}", r"zero\u{200b}width \u{e0041}");
        check("Grüße, 世界", "Grüße, 世界");
        let mut value = serde_json::json!({"a": ["\u{7f}"], "b": {"c": "\u{202a}"}});
        json(&mut value);
        assert_eq!(value, serde_json::json!({"a": [r"\u{7f}"], "b": {"c": r"\u{202a}"}}));
    }
}
