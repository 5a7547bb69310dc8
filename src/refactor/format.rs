//! Names that format strings capture.

/// Macros of the standard library, and of crates that many use, which take a format string.
const MACROS: &[&str] = &[
    "anyhow",
    "assert",
    "assert_eq",
    "assert_ne",
    "bail",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "ensure",
    "eprint",
    "eprintln",
    "error",
    "format",
    "format_args",
    "info",
    "log",
    "panic",
    "print",
    "println",
    "todo",
    "trace",
    "unimplemented",
    "unreachable",
    "warn",
    "write",
    "writeln",
];

/// Whether a macro takes a format string.
pub(super) fn is_format(name: &str) -> bool {
    MACROS.contains(&name)
}

/// The names that the source text of a literal captures, each with its first byte: `{name}`,
/// `{:width$}`.
pub(super) fn captured(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = source.get(at..).and_then(|rest| rest.find('{')).map(|from| at + from) {
        if source.get(open + 1..).is_some_and(|rest| rest.starts_with('{')) {
            at = open + 2;
            continue;
        }
        let Some(close) = source.get(open..).and_then(|rest| rest.find('}')) else { break };
        let inside = source.get(open + 1..open + close).unwrap_or_default();
        let (name, how) = inside.split_once(':').unwrap_or((inside, ""));
        if is_name(name) {
            found.push((open + 1, name));
        }
        let how_at = open + 1 + name.len() + 1;
        let mut from = 0;
        while let Some(mark) = how.get(from..).and_then(|rest| rest.find('$')).map(|to| from + to) {
            let before = how.get(..mark).unwrap_or_default();
            let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
            // `0` before a width is a flag.
            let name = name.unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_digit());
            if is_name(name) {
                found.push((how_at + mark - name.len(), name));
            }
            from = mark + 1;
        }
        at = open + close + 1;
    }
    found
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
    }
}
