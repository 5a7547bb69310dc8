//! Names in tokens that are not read as code: bodies of `macro_rules!`, tokens of macro calls that
//! are not expressions, placeholders in format strings, arguments of attributes. They only say
//! that a definition of that name may be used here.

use super::super::head::Head;
use super::super::lexer::Kind;
use super::super::source::Toks;
use super::reader::{Reader, is_reserved};
use asof_model::{Header, ItemFacts, Mention, NodeKind};

/// Attributes of the compiler whose arguments name no item.
const INERT: &[&str] = &[
    "allow", "cfg", "deny", "deprecated", "derive", "doc", "expect", "feature", "forbid", "inline",
    "link", "must_use", "path", "repr", "should_panic", "target_feature", "warn",
];

impl Reader<'_, '_> {
    /// Tokens that were skipped in a body.
    pub(super) fn unread(&mut self, item: &ItemFacts, head: &Head, into: &mut Vec<Mention>) {
        let reads = match head.kind {
            NodeKind::Function
            | NodeKind::Method
            | NodeKind::Const
            | NodeKind::Static
            | NodeKind::AssocConst
            | NodeKind::Macro => true,
            NodeKind::MacroCall => item.header == Header::MacroCall { items: false },
            _ => false,
        };
        let Some(body) = head.body.clone().filter(|_| reads) else { return };
        let mut at = body.start;
        while at < body.end {
            // Items in bodies have mentions of their own.
            let next = self.inner.partition_point(|(start, ..)| *start < at);
            match self.inner.get(next) {
                Some((start, end, _)) if *start == at => at = (*end).max(at + 1),
                _ => {
                    self.unread_token(at, Strings::Placeholders, into);
                    at += 1;
                }
            }
        }
    }

    /// Arguments of an attribute that is not the compiler's: `#[serde(default = "preset")]`.
    pub(super) fn unread_arguments(&mut self, inside: Toks, into: &mut Vec<Mention>) {
        if INERT.contains(&self.source.word(inside.start)) {
            return;
        }
        for at in inside.start + 1..inside.end {
            self.unread_token(at, Strings::Words, into);
        }
    }

    fn unread_token(&mut self, at: usize, strings: Strings, into: &mut Vec<Mention>) {
        let source = self.source;
        let token = source.token(at);
        match token.kind {
            Kind::Word => {
                let name = source.name(at);
                let variable = at > 0 && source.is(at - 1, b'$');
                let own = matches!(name, "self" | "Self" | "super" | "crate" | "_");
                if self.read.get(at) == Some(&true)
                    || own
                    || variable
                    || is_reserved(source.word(at))
                {
                    return;
                }
                let start = token.end.saturating_sub(name.len() as u32);
                into.push(Mention { name: self.names.number(name), at: start });
            }
            Kind::Literal => {
                let text = source.str(at);
                let is_read = self.read.get(at) == Some(&true);
                if !text.ends_with(['"', '#']) || is_read {
                    return;
                }
                for (from, word) in words(text) {
                    let behind = text.get(from + word.len()..).unwrap_or_default();
                    let before = text.get(..from).unwrap_or_default();
                    let placeholder = before.ends_with('{') && behind.starts_with(['}', ':']);
                    // `{:width$}` and `{:.digits$}`.
                    let counted = behind.starts_with('$');
                    if strings == Strings::Words || placeholder || counted {
                        let at = token.start + from as u32;
                        into.push(Mention { name: self.names.number(word), at });
                    }
                }
            }
            _ => {}
        }
    }
}

/// Which words count in the text of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// Names in braces, as in format strings.
    Placeholders,
    /// Every word.
    Words,
}

/// Words of a text that may be names, each with its first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let apart = |c: char| !c.is_alphanumeric() && c != '_';
    let mut next = 0;
    text.split_inclusive(apart).filter_map(move |piece| {
        let at = next;
        next += piece.len();
        let word = piece.trim_end_matches(apart);
        let begins = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        (begins && word != "_").then_some((at, word))
    })
}
