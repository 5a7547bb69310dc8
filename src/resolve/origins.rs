//! What calls of macros expand to, and which of its tokens are those of the call.

use super::fragment::Token;

/// What a call expands to.
#[derive(Debug, Clone, Default)]
pub(super) struct Expansion {
    pub text: String,
    pub origins: Origins,
    /// First byte of the tokens of the call.
    pub at: u32,
    /// Whether the macro is one of a body, whose rules see the variables around it.
    pub in_body: bool,
}

/// Which tokens of an expansion the call has.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins {
    /// In the order of the text.
    tokens: Vec<Origin>,
}

/// A token of the call.
#[derive(Debug, Clone, Copy)]
struct Origin {
    /// First byte in the expansion.
    from: u32,
    len: u32,
    /// First byte where the call has it.
    at: u32,
    /// Whether the rules took it as part of an expression.
    in_value: bool,
}

impl Expansion {
    pub(super) fn from_tokens(tokens: &[Token<'_>]) -> Self {
        let mut expansion = Expansion::default();
        for token in tokens {
            let (from, len) = (expansion.text.len() as u32, token.text.len() as u32);
            let in_value = token.in_value;
            expansion.origins.tokens.extend(token.at.map(|at| Origin { from, len, at, in_value }));
            expansion.text.push_str(token.text);
            // A lifetime's quote is a token of its own.
            if token.text != "'" && !token.is_joint() {
                expansion.text.push(' ');
            }
        }
        expansion
    }

    /// Where the text around the call has what is at a byte of the expansion; nowhere
    /// ([`u32::MAX`]) if the rules wrote it.
    pub(super) fn place(&self, byte: u32) -> u32 {
        self.origins.find(byte).unwrap_or(u32::MAX)
    }

    /// The expansion between two texts.
    pub(super) fn between(mut self, before: &str, after: &str) -> Self {
        self.text = format!("{before}{}{after}", self.text);
        self.origins.tokens.iter_mut().for_each(|token| token.from += before.len() as u32);
        self
    }
}

impl Origins {
    /// Where the call has what is at a byte of the expansion; none if the rules wrote it.
    pub(super) fn find(&self, byte: u32) -> Option<u32> {
        let behind = self.tokens.partition_point(|token| token.from <= byte);
        let token = self.tokens.get(behind.checked_sub(1)?)?;
        let within = byte - token.from;
        (within < token.len).then(|| token.at + within)
    }

    /// Whether an expression of the call has what is at a byte of the expansion, and the rules took it as
    /// one.
    pub(super) fn is_value(&self, byte: u32) -> bool {
        let behind = self.tokens.partition_point(|token| token.from <= byte);
        let token = behind.checked_sub(1).and_then(|at| self.tokens.get(at));
        token.is_some_and(|token| byte - token.from < token.len && token.in_value)
    }

    /// The origins of an expansion of these tokens: where the outer call has them.
    pub(super) fn after(mut self, outer: &Origins) -> Self {
        self.tokens.retain_mut(|token| match outer.find(token.at) {
            Some(at) => {
                token.at = at;
                true
            }
            None => false,
        });
        self
    }

    /// First bytes of the call's tokens, in the expansion and in the call, as often as it has them.
    pub(super) fn places(&self) -> impl Iterator<Item = (u32, u32)> {
        self.tokens.iter().map(|token| (token.from, token.at))
    }
}

/// Who wrote the tokens of an expansion (Rust reference, "Hygiene").
#[derive(Debug, Clone, Copy)]
pub(super) struct Hygiene<'h> {
    pub origins: &'h Origins,
    /// Number of the expansion: how many are around it, and itself.
    pub expansion: u32,
    /// Of the text of the call.
    pub outer: Option<&'h Hygiene<'h>>,
}

impl Hygiene<'_> {
    /// The expansion that wrote the token at a byte; 0 if it is in the file.
    pub(super) fn writer(&self, byte: u32) -> u32 {
        match self.origins.find(byte) {
            Some(at) => self.outer.map_or(0, |outer| outer.writer(at)),
            None => self.expansion,
        }
    }
}
