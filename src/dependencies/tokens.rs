//! The tokens of a text, and the paths among them.

use asof_syntax::{Kind, LexToken, lex};

/// Names of a path that are kept.
const MAX_PARTS: usize = 4;

/// Paths that are read from the groups of one `use`.
const MAX_LEAVES: usize = 64;

/// The tokens of a text.
pub struct Tokens<'t> {
    text: &'t str,
    all: Vec<LexToken>,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, all: lex(text, 0) }
    }

    pub fn token(&self, at: usize) -> Option<LexToken> {
        self.all.get(at).copied().filter(|token| token.kind != Kind::End)
    }

    pub fn written(&self, token: LexToken) -> &'t str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    /// The word at a token, without `r#`.
    pub fn word(&self, at: usize) -> Option<&'t str> {
        let token = self.token(at).filter(|token| token.kind == Kind::Word)?;
        let word = self.written(token);
        Some(word.strip_prefix("r#").unwrap_or(word))
    }

    pub fn is(&self, at: usize, byte: u8) -> bool {
        let of = |token: LexToken| !matches!(token.kind, Kind::Word | Kind::Literal | Kind::Doc);
        self.token(at).is_some_and(|token| token.byte == byte && of(token))
    }

    /// Whether `::` is at a token.
    pub fn is_path_sep(&self, at: usize) -> bool {
        let glued = self.token(at).is_some_and(|token| token.glued);
        glued && self.is(at, b':') && self.is(at + 1, b':')
    }

    /// The token behind a group.
    pub fn behind(&self, open: usize) -> usize {
        let mate = self.token(open).map_or(open, |token| token.mate as usize);
        mate.max(open) + 1
    }

    /// The text inside a group.
    pub fn inside(&self, open: usize) -> &'t str {
        let (Some(first), Some(last)) = (self.token(open), self.token(self.behind(open) - 1))
        else {
            return "";
        };
        if first.kind != Kind::Open {
            return "";
        }
        self.text.get(first.end as usize..last.start as usize).unwrap_or_default().trim()
    }

    /// The token behind an item, a statement, a field or an arm.
    pub fn end_of_item(&self, from: usize) -> usize {
        const ITEMS: [&str; 18] = [
            "pub", "fn", "struct", "enum", "union", "trait", "impl", "mod", "use", "const",
            "static", "type", "extern", "unsafe", "async", "macro_rules", "let", "default",
        ];
        let is_item = self.word(from).is_some_and(|word| ITEMS.contains(&word));
        let mut at = from;
        while let Some(token) = self.token(at) {
            match (token.kind, token.byte) {
                (Kind::Close, _) => return at,
                (Kind::Open, b'{') if at < 2 || !self.is_path_sep(at - 2) => {
                    return self.behind(at);
                }
                (Kind::Open, _) => at = self.behind(at),
                (Kind::Punct, b';') => return at + 1,
                (Kind::Punct, b',') if !is_item => return at + 1,
                _ => at += 1,
            }
        }
        at
    }

    /// Whether `pub(…)` ends at a token.
    pub fn is_visibility(&self, close: usize) -> bool {
        let open = self.token(close).map_or(0, |token| token.mate as usize);
        open.checked_sub(1).is_some_and(|before| self.word(before) == Some("pub"))
    }

    /// Whether a name is the first one of a path of a `use`.
    pub fn is_head_of_use(&self, at: usize) -> bool {
        let mut before = at.checked_sub(1);
        while let Some(one) = before {
            if self.word(one) == Some("use") {
                return true;
            }
            let token = self.token(one);
            let Some(token) = token else { return false };
            before = match (token.kind, token.byte) {
                // The group that the name is in.
                (Kind::Open, b'{') => one.checked_sub(1),
                (Kind::Punct, b',') => self.open_before(one).and_then(|open| open.checked_sub(1)),
                (Kind::Punct, b':') => one.checked_sub(1),
                _ => return false,
            };
        }
        false
    }

    /// The open bracket of the group that a token is in.
    pub fn open_before(&self, at: usize) -> Option<usize> {
        let mut at = at.checked_sub(1)?;
        loop {
            let token = self.token(at)?;
            match token.kind {
                Kind::Open => return Some(at),
                Kind::Close => at = (token.mate as usize).min(at).checked_sub(1)?,
                _ => at = at.checked_sub(1)?,
            }
        }
    }

    /// The path that begins at a token.
    pub fn path_from(&self, at: usize) -> String {
        let mut path = self.word(at).unwrap_or_default().to_owned();
        let mut at = at;
        for _ in 1..MAX_PARTS {
            let Some(next) = self.word(at + 3).filter(|_| self.is_path_sep(at + 1)) else { break };
            path.push_str("::");
            path.push_str(next);
            at += 3;
        }
        if self.is_path_sep(at + 1) && self.is(at + 3, b'*') {
            path.push_str("::*");
        }
        path
    }

    /// The paths of a `use` that begin with the name at a token.
    pub fn leaves(&self, at: usize) -> Vec<String> {
        let mut leaves = Vec::new();
        let mut waiting = vec![(String::new(), at)];
        while let Some((prefix, at)) = waiting.pop() {
            if leaves.len() >= MAX_LEAVES {
                break;
            }
            let mut end = at;
            while self.is_path_sep(end + 1) && self.word(end + 3).is_some() {
                end += 3;
            }
            let words = (at..=end).filter_map(|at| self.word(at));
            let path = words.filter(|word| *word != "self").fold(prefix, |path, word| {
                if path.is_empty() { word.to_owned() } else { format!("{path}::{word}") }
            });
            if self.is_path_sep(end + 1) && self.is(end + 3, b'{') {
                let close = self.behind(end + 3) - 1;
                let mut entry = end + 4;
                let mut entries = Vec::new();
                while entry < close && entries.len() < MAX_LEAVES {
                    entries.push((path.clone(), entry));
                    while entry < close && !self.is(entry, b',') {
                        let is_open = self.token(entry).is_some_and(|t| t.kind == Kind::Open);
                        entry = if is_open { self.behind(entry) } else { entry + 1 };
                    }
                    entry += 1;
                }
                waiting.extend(entries.into_iter().rev());
            } else if self.is_path_sep(end + 1) && self.is(end + 3, b'*') || self.is(at, b'*') {
                leaves.push(format!("{path}::*"));
            } else {
                leaves.push(path);
            }
        }
        leaves
    }
}
