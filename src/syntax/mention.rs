//! Paths of items in prose: what a text in backticks names, and what a qualified name does.

/// Longer texts are no paths.
const MAX_PATH: usize = 200;

/// The path that a text in backticks names, without arguments: `Vec::new` for `Vec::<u8>::new()`.
/// None for code that is more than a path, and for a keyword.
pub fn named_path(text: &str) -> Option<String> {
    if text.len() > MAX_PATH {
        return None;
    }
    let mut text = text.trim();
    for prefix in ["&mut ", "&", "dyn ", "impl ", "fn ", "struct ", "enum ", "trait ", "::", "."] {
        text = text.strip_prefix(prefix).unwrap_or(text);
    }
    let text = without_generics(text)?;
    let (path, rest) = match text.find(['(', '!', '[', '{', '?', ';']) {
        Some(at) => text.split_at_checked(at)?,
        None => (text.as_str(), ""),
    };
    // Of a turbofish.
    let path = path.trim_end_matches("::");
    // Arguments are fine, further code is not.
    let closed = rest.trim_end_matches([';', '?']);
    let is_call = closed.is_empty() || closed.ends_with([')', '!', ']', '}']);
    // A single letter is a type parameter or a variable.
    (is_call && path.len() > 1 && is_path(path)).then(|| path.to_owned())
}

/// The qualified paths in a text: `tokio::spawn` in `see tokio::spawn.`
pub fn qualified_paths(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    if !text.contains("::") {
        return Vec::new();
    }
    let words = text.split(|c| !is_part(c)).map(|word| word.trim_matches(':'));
    let paths = words.filter(|word| word.contains("::") && word.len() <= MAX_PATH && is_path(word));
    paths.map(str::to_owned).collect()
}

/// The text without what is between angle brackets; none if they do not match.
fn without_generics(text: &str) -> Option<String> {
    let mut depth = 0usize;
    let mut out = String::new();
    let mut before = ' ';
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            // Of an arrow.
            '>' if before == '-' => {}
            '>' => depth = depth.checked_sub(1)?,
            c if depth == 0 => out.push(c),
            _ => {}
        }
        before = c;
    }
    (depth == 0).then(|| out.replace("::::", "::"))
}

fn is_path(text: &str) -> bool {
    let is_name = |name: &str| {
        let mut chars = name.chars();
        chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    let last = text.rsplit("::").next().unwrap_or_default();
    text.split("::").all(is_name) && !asof_model::is_keyword(last) && last != "_"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(named_path(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn a_text_in_backticks_names_a_path_or_nothing() {
        check("JoinSet", Some("JoinSet"));
        check("JoinSet<T>", Some("JoinSet"));
        check("Router::route(path)", Some("Router::route"));
        check("Vec::<u8>::new()", Some("Vec::new"));
        check("spawn::<T>()", Some("spawn"));
        check("&mut Wheel", Some("Wheel"));
        check(".push()", Some("push"));
        check("select!", Some("select"));
        check("select! { .. }", Some("select"));
        check("fn(x) -> y", None);
        check("a b", None);
        check("true", None);
        check("self.len", None);
        check("--flag", None);
        check("a < b", None);
        check("src/lib.rs", None);
        check("x = 1", None);
        check("", None);
        check("3", None);
        check("T", None);
    }

    #[test]
    fn qualified_names_are_found_in_prose() {
        assert_eq!(
            qualified_paths("see tokio::spawn, std::fs: or a:b"),
            ["tokio::spawn", "std::fs"]
        );
        assert!(qualified_paths("a common word").is_empty());
        assert_eq!(qualified_paths("use a::b::{c, d};"), ["a::b"]);
    }
}
