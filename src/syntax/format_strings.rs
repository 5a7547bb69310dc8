//! Finds the names that format strings capture.

use std::borrow::Cow;

/// Macros of the standard library, and of crates that many use, which take a format string: the
/// arguments before it.
const MACROS: &[(&str, usize)] = &[
    ("anyhow", 0),
    ("assert", 1),
    ("assert_eq", 2),
    ("assert_ne", 2),
    ("bail", 0),
    ("debug", 0),
    ("debug_assert", 1),
    ("debug_assert_eq", 2),
    ("debug_assert_ne", 2),
    ("ensure", 1),
    ("eprint", 0),
    ("eprintln", 0),
    ("error", 0),
    ("format", 0),
    ("format_args", 0),
    ("info", 0),
    ("log", 0),
    ("panic", 0),
    ("print", 0),
    ("println", 0),
    ("todo", 0),
    ("trace", 0),
    ("unimplemented", 0),
    ("unreachable", 0),
    ("warn", 0),
    ("write", 1),
    ("writeln", 1),
];

/// How many arguments of a macro come before its format string, at least; none if it takes none.
pub fn before_format(name: &str) -> Option<usize> {
    MACROS.iter().find(|(one, _)| *one == name).map(|(_, before)| *before)
}

/// The names that the source text of a literal captures, each with its first byte: `{name}`,
/// `{:width$}`.
pub fn captured(source: &str) -> Vec<(usize, &str)> {
    let is_raw = source.starts_with('r');
    let shown = if is_raw { Cow::Borrowed(source) } else { with_braces(source) };
    let found = captured_in(&shown, is_raw).into_iter();
    found.filter_map(|(at, len)| Some((at, source.get(at..at + len)?))).collect()
}

/// The text with its escaped braces as such; each byte keeps its place.
fn with_braces(source: &str) -> Cow<'_, str> {
    const ESCAPES: [(&str, &str); 8] = [
        ("\\u{7b}", "     {"),
        ("\\u{7B}", "     {"),
        ("\\u{7d}", "}     "),
        ("\\u{7D}", "}     "),
        ("\\x7b", "   {"),
        ("\\x7B", "   {"),
        ("\\x7d", "}   "),
        ("\\x7D", "}   "),
    ];
    let escapes = ESCAPES.iter().filter(|(escape, _)| source.contains(escape));
    escapes.fold(Cow::Borrowed(source), |text, (escape, brace)| text.replace(escape, brace).into())
}

/// First byte and length of each captured name.
fn captured_in(source: &str, is_raw: bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = source.get(at..).and_then(|rest| rest.find('{')).map(|from| at + from) {
        // `\u{1F600}` is a character.
        let before = source.get(..open).unwrap_or_default();
        if !is_raw && before.strip_suffix('u').is_some_and(is_escaping) {
            at = open + 1;
            continue;
        }
        if source.get(open + 1..).is_some_and(|rest| rest.starts_with('{')) {
            at = open + 2;
            continue;
        }
        let Some(close) = source.get(open..).and_then(|rest| rest.find('}')) else { break };
        let inside = source.get(open + 1..open + close).unwrap_or_default();
        let (name, how) = inside.split_once(':').unwrap_or((inside, ""));
        if is_name(name) {
            found.push((open + 1, name.len()));
        }
        let how_at = open + 1 + name.len() + 1;
        let mut from = 0;
        while let Some(mark) = how.get(from..).and_then(|rest| rest.find('$')).map(|to| from + to) {
            let before = how.get(..mark).unwrap_or_default();
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
            // `0` before a width is a flag.
            let name = name.unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_digit());
            if is_name(name) {
                found.push((how_at + mark - name.len(), name.len()));
            }
            from = mark + 1;
        }
        at = open + close + 1;
    }
    found
}

/// Whether a text ends with a backslash that is not escaped itself.
fn is_escaping(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text != "_"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_captured() {
        let check = |source: &str, expected: &[&str]| {
            let found = captured(source);
            let names: Vec<&str> = found.iter().map(|(_, name)| *name).collect();
            assert_eq!(names, expected, "{source}");
            for (at, name) in found {
                assert_eq!(source.get(at..at + name.len()), Some(name));
            }
        };
        check("\"{a} {{b}} {} {0} {c:?} {d:>width$.prec$}\"", &["a", "c", "d", "width", "prec"]);
        check("\"{:0width$}\"", &["width"]);
        check("\"{ a b {\"", &[]);
        check("\"{größe:x}\"", &["größe"]);
        check(r#""\u{7b}a} \x7Bb\x7d""#, &["a", "b"]);
        check(r#""\u{AB}{a}\\u{b}""#, &["a", "b"]);
        check(r#"r"\u{AB}""#, &["AB"]);
    }
}
