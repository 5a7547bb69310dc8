//! Rules of macros: their text for resolution, the paths in their expansions, and parsed
//! expansions.

use super::super::head::Head;
use super::super::lexer::Kind;
use super::super::normal_names::NormalNames;
use super::super::source::{Source, Toks};
use super::reader::{Reader, close};
use asof_model::{
    BlockKind, Expr, ExprId, FileUses, Header, ItemFacts, ItemUses, RefKind, TemplateUse,
};

/// Longest text of a macro or call that is expanded, in bytes.
const MAX_MACRO: usize = 32_000;
const MAX_CALL: usize = 64_000;

/// The same with its documentation.
const MAX_WRITTEN: u32 = 256_000;

/// What resolution expands: the rules of a macro, and the tokens of a call among items.
pub(super) fn macro_text(source: &Source<'_>, item: &ItemFacts, head: &Head) -> String {
    let most = match &item.header {
        Header::Macro { .. } => MAX_MACRO,
        Header::MacroCall { items: false } if !item.in_body => MAX_CALL,
        _ => return String::new(),
    };
    let Some(body) = head.body.clone() else { return String::new() };
    if body.is_empty() {
        // A call without tokens may still make items: an empty text says that there is none.
        return " ".to_owned();
    }
    let bytes = source.token(body.end - 1).end.saturating_sub(source.token(body.start).start);
    if bytes > MAX_WRITTEN {
        return String::new();
    }
    let text = super::super::spacing::join_documented(source, body.clone());
    let documented = |at| source.token(at).doc;
    if text.len() > most {
        String::new()
    } else if body.clone().any(documented) {
        super::super::spacing::join_with_docs(source, body)
    } else {
        text
    }
}

/// What a macro call among expressions expands to.
#[derive(Debug)]
pub struct ExpandedCode {
    pub uses: FileUses,
    /// The block of its statements, the last of which may be their value. Items among them are left
    /// out.
    pub body: ExprId,
    /// For each name of the uses, the expansion that wrote it.
    pub writers: Vec<u32>,
    /// First bytes of words that are not read, in order.
    pub unread: Vec<u32>,
}

/// Reads what a call expands to. `writer`: the number of the expansion whose rules wrote the token at
/// a byte; 0 if it is the caller's.
pub fn read_expansion(text: &str, writer: &dyn Fn(u32) -> u32) -> ExpandedCode {
    let normal = NormalNames::read(text);
    let source = Source::with_names(text, &normal);
    let mut reader = Reader { writer: Some(writer), ..Reader::new(&source) };
    let (stmts, value) = reader.statements(0..source.tokens.len());
    let body = reader.add_expr(Expr::Block(stmts, value, BlockKind::Plain));
    let unread = reader.read.iter().zip(&source.tokens).enumerate();
    let unread = unread
        .filter(|(at, (read, token))| {
            !**read && token.kind == Kind::Word && !super::reader::is_reserved(source.word(*at))
        })
        .map(|(_, (_, token))| token.start)
        .collect();
    let mut uses = reader.uses;
    let writers = reader.names.writers();
    uses.names = reader.names.texts;
    ExpandedCode { uses, body, writers, unread }
}

impl Reader<'_, '_> {
    /// The paths in what the rules of a macro expand to.
    pub(super) fn macro_rules(&mut self, head: &Head, uses: &mut ItemUses) {
        let Some(body) = head.body.clone() else { return };
        let mut found = Vec::new();
        let mut at = body.start;
        while at < body.end {
            let arrow = self.source.skip(at);
            let opens = self.source.token(arrow + 2).kind == Kind::Open;
            if self.source.is_op(arrow, b"=>") && opens && arrow + 2 < body.end {
                let behind = self.source.skip(arrow + 2);
                self.template(arrow + 3..behind.saturating_sub(1), &mut found);
                at = behind.max(at + 1);
            } else {
                at = arrow.max(at + 1);
            }
        }
        uses.template = close(&mut found, 0, &mut self.uses.templates);
    }

    fn template(&mut self, toks: Toks, found: &mut Vec<TemplateUse>) {
        let source = self.source;
        let mut at = toks.start;
        while at < toks.end {
            let attribute = source.is(at, b'#') && source.is(at + 1, b'[');
            if attribute {
                at = source.skip(at + 1);
                continue;
            }
            let krate = source.is(at, b'$') && source.word(at + 1) == "crate";
            if !krate && !self.begins_template_path(at, toks.start) {
                at += 1;
                continue;
            }
            let (path, behind) = self.inside(at..toks.end, |r| {
                let path = r.path(true);
                (path, r.at)
            });
            let single = self.uses.segs(path).len() == 1;
            // `name: value`: a field, a parameter.
            let named = single && source.is(behind, b':') && !source.token(behind).glued;
            let kind = if source.is(behind, b'!') && !source.token(behind).glued {
                RefKind::Macro
            } else if source.is(behind, b'(') {
                RefKind::Call
            } else {
                RefKind::Value
            };
            if !named {
                found.push(TemplateUse { path, kind });
            }
            at = behind.max(at + 1);
        }
    }

    fn begins_template_path(&self, at: usize, first: usize) -> bool {
        let source = self.source;
        let word = source.word(at);
        let starts = matches!(word, "crate" | "self" | "super") && source.is_op(at + 1, b"::");
        if word.is_empty()
            || !starts
                && (super::reader::is_reserved(word) || matches!(word, "self" | "Self" | "_"))
            || matches!(word, "crate" | "super") && !starts
        {
            return false;
        }
        if at == first {
            return true;
        }
        let before = at - 1;
        !(source.is(before, b'$')
            || source.is(before, b'.') && !source.is(before.wrapping_sub(1), b'.')
            || source.is(before, b':') && source.is_op(before.wrapping_sub(1), b"::")
            || matches!(
                source.word(before),
                "fn" | "struct"
                    | "enum"
                    | "union"
                    | "trait"
                    | "mod"
                    | "type"
                    | "let"
                    | "mut"
                    | "ref"
                    | "const"
                    | "static"
                    | "macro_rules"
                    | "for"
                    | "as"
            ))
    }
}
