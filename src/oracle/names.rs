//! Compares code and paths in the forms in which people write them.

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

/// Whether two pieces of code differ only in the paths before names, and in lifetimes.
pub fn is_near(a: &str, b: &str) -> bool {
    let bare = |code: &str| {
        let mut out: Vec<String> = Vec::new();
        let mut tokens = tokens(code).into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token.as_str() {
                ":" if tokens.peek().is_some_and(|next| next == ":") => {
                    tokens.next();
                    out.pop_if(|before| {
                        before.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    });
                }
                "'" => {
                    tokens.next();
                }
                _ => out.push(token),
            }
        }
        out
    };
    let (a, b) = (bare(a), bare(b));
    a == b || {
        // `Cow<'a, str>` without its lifetime.
        let joined = |code: Vec<String>| code.join(" ").replace("< ,", "<").replace(" < >", "");
        joined(a) == joined(b)
    }
}

/// The last segment of a path, without generic arguments, brackets of a call and a macro's mark.
pub fn last_name(path: &str) -> &str {
    let path = path.trim().trim_matches('`').trim_end_matches("()").trim_end_matches('!');
    let path = match path.strip_suffix('>').and_then(|_| path.find('<')) {
        Some(at) if at > 0 => path.get(..at).unwrap_or(path),
        _ => path,
    };
    path.rsplit("::").next().unwrap_or(path).trim_start_matches('&').trim()
}

/// Words of Rust that stand between other words in code.
const CODE_WORDS: [&str; 25] = [
    "mut", "dyn", "impl", "const", "fn", "pub", "unsafe", "async", "extern", "where", "for", "as",
    "ref", "move", "crate", "struct", "enum", "union", "trait", "type", "static", "let", "mod",
    "use", "auto",
];

/// Whether a text has two words in a row that code would not have.
pub fn is_prose(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        let b = b.trim_end_matches(['.', ',', ';', ':', '!', ')']);
        let is_word = |word: &str| {
            !word.is_empty()
                && word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’'))
                && !CODE_WORDS.contains(&word)
        };
        is_word(a) && is_word(b)
    })
}

// Words that turn a statement around, or say that it is about another time.
regex!(
    NEGATION,
    r"(?i)\b(?:not|never|no|nor|neither|without|except|excluding|unlike|instead|rather|but|previously|formerly|used to|was|were|old|before|nowhere|nothing|nobody|none)\b|n't\b"
);

/// Whether prose has such a word outside its code.
pub fn has_negation(text: &str) -> bool {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("x");
    NEGATION.as_ref().is_none_or(|regex| regex.is_match(&prose))
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

    #[test]
    fn prose_is_told_from_code() {
        for prose in ["the configuration", "returns Match.", "used in tests", "both of type `u8`"] {
            assert!(is_prose(prose), "{prose}");
        }
        for code in ["&'a mut S", "impl Fn(u8) -> u8", "args: &HiArgs", "fn f(a: u8)", "dyn A + B"]
        {
            assert!(!is_prose(code), "{code}");
        }
        assert!(has_negation("`a`, but not `b`"));
        assert!(!has_negation("`not` and `never`"));
    }

    #[test]
    fn paths_and_lifetimes_make_no_other_code() {
        assert!(is_near("std::io::Result<()>", "io::Result<()>"));
        assert!(is_near("&'a str", "&str"));
        assert!(is_near("Cow<'a, str>", "Cow<str>"));
        assert!(is_near("Iter<'a>", "Iter"));
        assert!(!is_near("Vec<u8>", "Vec<u16>"));
        assert!(!is_near("&str", "str"));
    }

    #[test]
    fn the_last_name_is_bare() {
        assert_eq!(last_name("crate::a::Foo<T>"), "Foo");
        assert_eq!(last_name("<A as B>::f()"), "f");
        assert_eq!(last_name("println!"), "println");
    }
}
