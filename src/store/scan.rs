//! Tokens of a script, as far as they are needed to check and complete it. A string or comment of
//! the engine must be one here too.

/// A token. Numbers are words; whitespace and comments are not tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    /// Before the first token.
    Start,
    /// `(`, `[` or `{`.
    Open(char),
    /// `)`, `]` or `}`.
    Close(char),
    /// A string without its quotes.
    Str(&'a str),
    /// A name, keyword, number or parameter.
    Word(&'a str),
    /// `:name`.
    Option(&'a str),
    /// `::`.
    System,
    /// `:=`.
    Define,
    /// `<-` or `<~`.
    Arrow,
    /// Anything else.
    Char(char),
}

/// Nesting of comments that is supported.
const MAX_COMMENT_DEPTH: usize = 16;

#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// Where, and what is wrong.
pub type ScanError = (usize, &'static str);

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Where the last token ends.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next token and its offset.
    pub fn next_token(&mut self) -> Result<Option<(usize, Token<'a>)>, ScanError> {
        self.skip_blank()?;
        let start = self.at;
        let rest = self.rest();
        let mut chars = rest.chars();
        let Some(first) = chars.next() else { return Ok(None) };
        let second = chars.next();
        let (token, len) = match (first, second) {
            ('(' | '[' | '{', _) => (Token::Open(first), 1),
            (')' | ']' | '}', _) => (Token::Close(first), 1),
            ('"' | '\'', _) => return self.quoted(start, first).map(Some),
            (':', Some(':')) => (Token::System, 2),
            (':', Some('=')) => (Token::Define, 2),
            (':', Some(c)) if is_word(c) => {
                let name = word(rest.get(1..).unwrap_or_default());
                (Token::Option(name), 1 + name.len())
            }
            ('<', Some('-' | '~')) => (Token::Arrow, 2),
            (c, _) if c.is_ascii_digit() => {
                let number = number(rest);
                (Token::Word(number), number.len())
            }
            (c, _) if c == '$' || is_word(c) => {
                let name = word(rest);
                (Token::Word(name), name.len())
            }
            (c, _) => (Token::Char(c), c.len_utf8()),
        };
        self.at += len;
        if let Token::Word(name) | Token::Option(name) = token
            && name.ends_with('_')
            && self.rest().starts_with('"')
        {
            if name.trim_matches('_').is_empty() && matches!(token, Token::Word(_)) {
                return self.raw(start, name).map(Some);
            }
            // The engine may or may not read a raw string here: do not guess.
            return Err((self.at, "put a space between the name and the string"));
        }
        Ok(Some((start, token)))
    }

    fn skip_blank(&mut self) -> Result<(), ScanError> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\r', '\n']);
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with('#') {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if trimmed.starts_with("/*") {
                self.skip_comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), ScanError> {
        let start = self.at;
        let mut depth = 0;
        while let Some(c) = self.rest().chars().next() {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.at += 2;
                if depth > MAX_COMMENT_DEPTH {
                    return Err((start, "comments are nested too deeply"));
                }
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else {
                self.at += c.len_utf8();
            }
        }
        Err((start, "the comment is not closed"))
    }

    fn quoted(&mut self, start: usize, quote: char) -> Result<(usize, Token<'a>), ScanError> {
        let mut escaped = false;
        for (offset, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    let text = self.rest().get(1..offset).unwrap_or_default();
                    self.at += offset + 1;
                    return Ok((start, Token::Str(text)));
                }
                _ => {}
            }
        }
        Err((start, "the string is not closed"))
    }

    fn raw(&mut self, start: usize, fence: &str) -> Result<(usize, Token<'a>), ScanError> {
        let body = self.rest().get(1..).unwrap_or_default();
        match body.find(&format!("\"{fence}")) {
            Some(end) => {
                self.at += 1 + end + 1 + fence.len();
                Ok((start, Token::Str(body.get(..end).unwrap_or_default())))
            }
            None => Err((start, "the raw string is not closed")),
        }
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn word(text: &str) -> &str {
    let len = text
        .char_indices()
        .find(|&(at, c)| !(is_word(c) || c == '.' || (at == 0 && c == '$')))
        .map_or(text.len(), |(at, _)| at);
    text.get(..len).unwrap_or_default()
}

/// A number ends where it does for the engine: `1or x` is three tokens.
fn number(text: &str) -> &str {
    let run = |from: usize, digit: fn(u8) -> bool| {
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        from + rest.iter().take_while(|&&b| b == b'_' || digit(b)).count()
    };
    let decimal = |from| run(from, |b| b.is_ascii_digit());
    let byte = |at: usize| text.as_bytes().get(at).copied().unwrap_or_default();
    let mut len = match (byte(0), byte(1)) {
        (b'0', b'x') => run(2, |b| b.is_ascii_hexdigit()),
        (b'0', b'o' | b'b') => decimal(2),
        _ => decimal(0),
    };
    if byte(len) == b'.' {
        len = decimal(len + 1);
    }
    if matches!(byte(len), b'e' | b'E') {
        let sign = usize::from(matches!(byte(len + 1), b'+' | b'-'));
        let end = decimal(len + 1 + sign);
        if end > len + 1 + sign {
            len = end;
        }
    }
    text.get(..len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> String {
        let mut scanner = Scanner::new(text);
        let mut out = Vec::new();
        loop {
            match scanner.next_token() {
                Ok(Some((_, token))) => out.push(match token {
                    Token::Word(s) => s.to_owned(),
                    Token::Str(s) => format!("<{s}>"),
                    Token::Option(s) => format!("opt {s}"),
                    Token::Open(c) | Token::Close(c) | Token::Char(c) => c.to_string(),
                    other => format!("{other:?}"),
                }),
                Ok(None) => return out.join(" "),
                Err((at, message)) => return format!("{at}: {message}"),
            }
        }
    }

    #[test]
    fn strings_comments_and_numbers_end_where_the_engine_ends_them() {
        assert_eq!(tokens("a == 1or b"), "a = = 1 or b");
        assert_eq!(tokens("1.5e3or$x 0x1for 1e 0b1or"), "1.5e3 or $x 0x1f or 1 e 0b1 or");
        let text = r##"'a"' "b\"" ___"raw " \"___ x"##;
        assert_eq!(tokens(text), r#"<a"> <b\"> <raw " \> x"#);
        assert_eq!(tokens("a # b 'c\n d /* e /* f */ ' */ g"), "a d g");
        assert_eq!(tokens("?[a] <- b:=c::d :put_x"), "? [ a ] Arrow b Define c System d opt put_x");
        assert_eq!(tokens("x_\"a\""), "2: put a space between the name and the string");
    }
}
