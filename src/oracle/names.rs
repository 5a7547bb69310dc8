//! Comparison of code and paths as people write them.

/// A text as its tokens, one blank between two: layout, a trailing comma before a closing bracket
/// and backticks do not count.
pub fn tokens(code: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut in_word = false;
    for c in code.chars() {
        let is_word = c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if is_word && in_word => last.push(c),
            _ if c.is_whitespace() || c == '`' => {}
            _ => {
                let closes = matches!(c, ')' | ']' | '}' | '>');
                if closes && out.last().is_some_and(|last| last == ",") {
                    out.pop();
                }
                out.push(c.to_string());
            }
        }
        in_word = is_word;
    }
    while out.last().is_some_and(|last| matches!(last.as_str(), "," | ";" | ".")) {
        out.pop();
    }
    out
}

/// Whether two texts are the same code, apart from layout.
pub fn same_code(a: &str, b: &str) -> bool {
    tokens(a) == tokens(b)
}

/// Whether a claimed name or path means an item with this full path: they are the same, or the
/// claimed one is the end of the other, by whole segments.
pub fn is_end_of(claimed: &str, path: &str) -> bool {
    let claimed = tokens(claimed.trim_end_matches("()").trim_end_matches('!'));
    let claimed = match claimed.as_slice() {
        [krate, a, b, rest @ ..] if krate == "crate" && a == ":" && b == ":" => rest,
        all => all,
    };
    let path = tokens(path);
    if claimed.is_empty() || claimed.len() > path.len() {
        return false;
    }
    let at = path.len() - claimed.len();
    let (before, end) = path.split_at(at);
    end == claimed && before.last().is_none_or(|last| last == ":" || last == "<" || last == "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count() {
        assert!(same_code(
            "fn f(a: u8,b : &'a str ,) -> Vec<u8>",
            "fn f(a:u8, b: &'a str)->Vec< u8 >"
        ));
        assert!(same_code("pub fn f(\n    a: u8,\n) ;", "pub fn f(a: u8)"));
        assert!(!same_code("fn f(a: u8)", "fn f(a: u16)"));
        assert!(!same_code("ab", "a b"));
    }

    #[test]
    fn a_path_is_meant_by_its_end() {
        assert!(is_end_of("lock", "tokio::sync::Mutex::lock"));
        assert!(is_end_of("Mutex::lock()", "tokio::sync::Mutex::lock"));
        assert!(is_end_of("crate::sync::Mutex", "tokio::sync::Mutex"));
        assert!(!is_end_of("ock", "tokio::sync::Mutex::lock"));
        assert!(!is_end_of("", "tokio::sync::Mutex::lock"));
        assert!(!is_end_of("a::tokio::sync", "tokio::sync"));
    }
}
