//! Tokens of macros, and the fragments that their variables match (Rust reference, "Macros By
//! Example"). Fragments end where the language lets them be followed by something else; they are
//! not checked to be valid.

use asof_model::OrNever;
use asof_syntax::{Kind, lex};

/// A token: its text, and how many tokens a group has that opens here, its brackets included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    kind: Kind,
    len: usize,
    /// Whether the next token belongs to the same operator.
    joint: bool,
    /// First byte where it is written; none of what rules write.
    pub at: Option<u32>,
    /// Whether an expression was matched that it is part of.
    pub in_value: bool,
}

impl<'a> Token<'a> {
    pub(super) fn plain(text: &'a str) -> Self {
        let word = text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let kind = if word { Kind::Word } else { Kind::Punct };
        Token { text, kind, len: 1, joint: false, at: None, in_value: false }
    }

    /// The same as the rules of a macro write it.
    pub(super) fn of_rules(self) -> Self {
        Token { at: None, ..self }
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    /// Whether the text of the next token follows without a blank.
    pub(super) fn is_joint(&self) -> bool {
        self.joint
    }

    pub(super) fn is_literal(&self) -> bool {
        self.kind == Kind::Literal
    }
}

/// Operators of more than one character that separate parts.
const JOINED: &[&str] = &["=>", "->", "::", "..=", "...", "..", "&&", "||", "==", "!=", "<=", ">="];

/// The tokens of a text; operators are one token each as far as matching needs it.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    tokens_at(text, 0)
}

/// [`tokens`] of a text that begins at a byte.
pub(super) fn tokens_at(text: &str, first: u32) -> Vec<Token<'_>> {
    let lexed = lex(text, 0);
    let mut found: Vec<Token<'_>> = Vec::with_capacity(lexed.len());
    let mut at = 0;
    while let Some(token) = lexed.get(at) {
        at += 1;
        if token.kind == Kind::End || token.kind == Kind::Doc {
            continue;
        }
        let start = token.start as usize;
        let mut end = token.end as usize;
        let mut joint = token.glued;
        if token.kind == Kind::Punct && token.glued {
            let rest = text.get(start..).or_never("a token begins in its text");
            if let Some(op) = JOINED.iter().find(|op| rest.starts_with(**op)) {
                end = start + op.len();
                at += op.len() - 1;
                joint = lexed.get(at - 1).is_some_and(|last| last.glued);
            }
        }
        let text = text.get(start..end).or_never("a token lies in its text");
        let (at, in_value) = (Some(first + token.start), false);
        found.push(Token { text, kind: token.kind, len: 1, joint, at, in_value });
    }
    paired(&found)
}

/// The same tokens with the lengths of their groups.
pub(super) fn paired<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut all = tokens.to_vec();
    let mut open: Vec<usize> = Vec::new();
    for at in 0..all.len() {
        let Some(token) = all.get_mut(at) else { break };
        token.len = 1;
        match token.text {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                if let Some(start) = open.pop()
                    && let Some(first) = all.get_mut(start)
                {
                    first.len = at - start + 1;
                }
            }
            _ => {}
        }
    }
    all
}

/// A repetition: `$( … ) separator mark`.
pub(super) struct Repetition<'t, 'a> {
    pub inside: &'t [Token<'a>],
    pub separator: Option<&'a str>,
    pub mark: &'a str,
}

/// A position in tokens.
pub(super) struct Cursor<'t, 'a> {
    tokens: &'t [Token<'a>],
    pub at: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    pub(super) fn new(tokens: &'t [Token<'a>]) -> Self {
        Cursor { tokens, at: 0 }
    }

    pub(super) fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn ahead(&self, by: usize) -> Option<Token<'a>> {
        self.tokens.get(self.at + by).copied()
    }

    fn text(&self, by: usize) -> &'a str {
        self.ahead(by).map_or("", |token| token.text)
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.ahead(0)
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Whether the next token is this.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text(0) == text && !self.done()
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let here = self.text(0) == text && !self.done();
        self.at += usize::from(here);
        here
    }

    /// The tokens in the group that opens here.
    pub(super) fn group(&mut self) -> Option<&'t [Token<'a>]> {
        let token = self.peek().filter(|token| token.len > 1)?;
        let inside = self.tokens.get(self.at + 1..self.at + token.len - 1);
        self.at += token.len;
        inside
    }

    pub(super) fn group_with_bracket(&mut self) -> Option<(&'a str, &'t [Token<'a>])> {
        let bracket = self.text(0);
        self.group().map(|inside| (bracket, inside))
    }

    /// `$( … ) separator mark`, if it is next.
    pub(super) fn repetition(&mut self) -> Option<Repetition<'t, 'a>> {
        if self.text(0) != "$" || self.text(1) != "(" {
            return None;
        }
        let start = self.at;
        self.at += 1;
        let inside = self.group();
        let is_mark = |text: &str| matches!(text, "*" | "+" | "?");
        let found = match (self.text(0), self.text(1)) {
            (mark, _) if is_mark(mark) => Some((None, mark, 1)),
            (separator, mark) if is_mark(mark) => Some((Some(separator), mark, 2)),
            _ => None,
        };
        let (Some(inside), Some((separator, mark, len))) = (inside, found) else {
            self.at = start;
            return None;
        };
        self.at += len;
        Some(Repetition { inside, separator, mark })
    }

    /// `$name:fragment`, if it is next.
    pub(super) fn variable(&mut self) -> Option<(&'a str, &'a str)> {
        let name = self.ahead(1).filter(|name| name.is_word())?;
        let fragment = self.ahead(3).filter(|kind| kind.is_word())?;
        if self.text(0) != "$" || self.text(2) != ":" {
            return None;
        }
        self.at += 4;
        Some((name.text, fragment.text))
    }

    /// `$name`, if it is next.
    pub(super) fn used_variable(&mut self) -> Option<&'a str> {
        let name = self.ahead(1).filter(|name| self.text(0) == "$" && name.is_word())?;
        self.at += 2;
        Some(name.text)
    }

    /// Skips a token or group.
    fn skip(&mut self) {
        self.at += self.peek().map_or(1, |token| token.len);
    }

    pub(super) fn attributes(&mut self) {
        while self.text(0) == "#" && (self.text(1) == "[" || self.text(1) == "!") {
            self.at += 1 + usize::from(self.text(1) == "!");
            self.skip();
        }
    }

    pub(super) fn visibility(&mut self) {
        if self.take("pub") && self.text(0) == "(" {
            self.skip();
        }
    }

    /// Moves after the item that is here: after `;` or a group in braces.
    pub(super) fn item_end(&mut self) -> usize {
        while let Some(token) = self.peek() {
            self.skip();
            let braces = token.text == "{" && self.text(0) != ";";
            if token.text == ";" || braces {
                break;
            }
        }
        self.at
    }

    /// The tokens that a variable of this kind matches.
    pub(super) fn fragment(&mut self, kind: &str) -> Option<&'t [Token<'a>]> {
        let start = self.at;
        let found = match kind {
            "ident" => self.eat_if(|token| token.is_word() && token.text != "_"),
            "lifetime" => self.eat_if(|token| token.kind == Kind::Lifetime),
            "literal" => {
                self.take("-");
                self.eat_if(|t| t.is_literal() || matches!(t.text, "true" | "false"))
            }
            "tt" => {
                let any = !self.done();
                self.skip();
                any
            }
            "vis" => {
                self.visibility();
                true
            }
            "block" => self.text(0) == "{" && self.group().is_some(),
            "item" => {
                let any = !self.done();
                self.item_end();
                any
            }
            "meta" => self.until(&[",", ";"]),
            "ty" | "path" => self.ty(),
            "pat" | "pat_param" => self.until(&["=>", ",", "=", "if"]),
            "stmt" => self.until(&[";"]),
            _ => self.until(&[",", ";", "=>"]),
        };
        if !found {
            self.at = start;
            return None;
        }
        self.tokens.get(start..self.at)
    }

    fn eat_if(&mut self, fits: impl Fn(Token<'a>) -> bool) -> bool {
        let here = self.peek().is_some_and(fits);
        self.at += usize::from(here);
        here
    }

    /// Skips to one of these; whether anything was skipped.
    fn until(&mut self, ends: &[&str]) -> bool {
        let start = self.at;
        while !self.done() && !ends.contains(&self.text(0)) {
            self.skip();
        }
        self.at > start
    }

    fn ty(&mut self) -> bool {
        let start = self.at;
        let mut angles = 0usize;
        while let Some(token) = self.peek() {
            match token.text {
                "<" => angles += 1,
                ">" if angles > 0 => angles -= 1,
                ">" | "," | ";" | "=" | "|" | ":" | "=>" | "{" | "where" | "as" if angles == 0 => {
                    break;
                }
                "for" if angles == 0 && self.at > start && self.text(1) != "<" => break,
                // A group belongs to a type only where one can be: at its start, or after a path.
                "[" if angles == 0 && self.at > start && !self.continues() => break,
                _ => {}
            }
            if self.at > start && angles == 0 && token.is_word() && !self.continues() {
                break;
            }
            self.skip();
        }
        self.at > start
    }

    /// Whether the token before cannot end a type.
    fn continues(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.is_some_and(|token| {
            matches!(
                token.text,
                "::" | "&"
                    | "&&"
                    | "*"
                    | "->"
                    | "+"
                    | "dyn"
                    | "impl"
                    | "mut"
                    | "const"
                    | "<"
                    | "unsafe"
                    | "extern"
                    | "fn"
            ) || token.kind == Kind::Lifetime
                || token.is_literal()
        })
    }
}
