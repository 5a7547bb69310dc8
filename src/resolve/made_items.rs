//! The items in what a call of a macro expands to.

use super::expand::{Expander, MAX_DEPTH, Made, text_of};
use super::fragment::{Cursor, Token, paired};
use crate::model::NodeKind;

impl<'a> Expander<'a, '_> {
    /// The items in expanded tokens.
    pub(super) fn read(&mut self, out: &[Token<'a>], depth: u32) {
        // Brackets are paired anew.
        let text = paired(out);
        let mut at = Cursor::new(&text);
        while !at.done() {
            let start = at.at;
            at.attributes();
            at.visibility();
            let mut kind = None;
            while let Some(token) = at.peek() {
                kind = match token.text {
                    "struct" => Some(NodeKind::Struct),
                    "enum" => Some(NodeKind::Enum),
                    "union" if at.word_after() => Some(NodeKind::Union),
                    "trait" => Some(NodeKind::Trait),
                    "type" => Some(NodeKind::TypeAlias),
                    "fn" => Some(NodeKind::Function),
                    "static" => Some(NodeKind::Static),
                    "const"
                        if at.word_after()
                            && !at.is_after(&["fn", "unsafe", "async", "extern"]) =>
                    {
                        Some(NodeKind::Const)
                    }
                    "mod" => Some(NodeKind::Module),
                    "impl" => Some(NodeKind::Impl),
                    "use" => Some(NodeKind::Import),
                    "unsafe" | "async" | "extern" | "const" | "default" | "safe" => None,
                    _ if token.is_literal() => None,
                    _ => break,
                };
                if kind.is_some() {
                    break;
                }
                at.next();
            }
            match kind {
                Some(kind @ (NodeKind::Impl | NodeKind::Import)) => {
                    let end = at.item_end();
                    let whole = self.with_members(text.get(start..end).unwrap_or_default(), depth);
                    if kind == NodeKind::Impl || self.hidden == 0 {
                        self.items.push(Made { kind, name: "", text: text_of(&whole) });
                    }
                }
                Some(kind) => {
                    at.next();
                    at.take("mut");
                    let name = at.peek().filter(|token| token.is_word());
                    let head = start..at.head_end();
                    let whole = start..at.item_end();
                    if name.is_some_and(|name| name.text == "_") {
                        self.block(text.get(whole).unwrap_or_default(), depth);
                    } else if let Some(name) = name.filter(|_| self.hidden == 0) {
                        let name = name.text.strip_prefix("r#").unwrap_or(name.text);
                        let part = |part| text_of(text.get(part).unwrap_or_default());
                        let text = match kind {
                            NodeKind::Function => part(head) + "{}",
                            _ => part(whole),
                        };
                        self.items.push(Made { kind, name, text });
                    }
                }
                None => {
                    if let Some((name, inside)) = at.macro_rules() {
                        at.take(";");
                        if self.hidden == 0 {
                            let text = text_of(inside);
                            self.items.push(Made { kind: NodeKind::Macro, name, text });
                        }
                    } else if let Some((path, inside)) = at.macro_call() {
                        self.call(&path, inside, depth + 1);
                        at.take(";");
                    } else {
                        at.item_end();
                    }
                }
            }
            if at.at == start {
                at.next();
            }
        }
    }

    /// The items in `const _: () = { … };`: only their impls matter elsewhere.
    fn block(&mut self, text: &[Token<'a>], depth: u32) {
        let mut at = Cursor::new(text);
        while !at.done() && !at.take("=") {
            at.next();
        }
        if depth < MAX_DEPTH
            && let Some(("{", inside)) = at.group_with_bracket()
        {
            self.hidden += 1;
            self.read(inside, depth + 1);
            self.hidden -= 1;
        }
    }

    /// The tokens of an impl, with what calls of macros among its items make in their places.
    fn with_members(&mut self, text: &[Token<'a>], depth: u32) -> Vec<Token<'a>> {
        let mut at = Cursor::new(text);
        at.attributes();
        let open = at.head_end();
        let Some(("{", inside)) = at.group_with_bracket() else { return text.to_vec() };
        let mut out = text.get(..=open).unwrap_or_default().to_vec();
        self.members(inside, depth, &mut out);
        out.push(Token::plain("}"));
        out
    }

    fn members(&mut self, inside: &[Token<'a>], depth: u32, out: &mut Vec<Token<'a>>) {
        let mut at = Cursor::new(inside);
        while !at.done() {
            let start = at.at;
            at.attributes();
            let Some((path, input)) = at.macro_call() else {
                at.item_end();
                out.extend_from_slice(inside.get(start..at.at).unwrap_or_default());
                continue;
            };
            at.take(";");
            let outer = (self.krate, self.within);
            if let Some(made) = self.expand_path(&path, input, depth + 1) {
                self.members(&paired(&made), depth + 1, out);
            }
            (self.krate, self.within) = outer;
        }
    }
}
