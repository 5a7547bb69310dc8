//! Expressions with operators, statements and blocks.

use super::super::lexer::Kind;
use super::super::source::Toks;
use super::reader::{Reader, is_reserved};
use asof_model::NodeKind::{Const, Function, Static};
use asof_model::{BinOp, BlockKind, Expr, ExprId, Limits, List, Operator, Stmt};

/// Precedence of an operator; a larger one binds more tightly.
const ASSIGN: u8 = 1;
const RANGE: u8 = 2;
const CAST: u8 = 12;

impl Reader<'_, '_> {
    /// An expression; one that cannot be read is missing. `bare`: a `{` ends it, as in the head
    /// of `if`.
    pub(super) fn expr(&mut self, bare: bool) -> ExprId {
        self.binary(0, bare)
    }

    fn binary(&mut self, least: u8, bare: bool) -> ExprId {
        let Some(expr) = self.deeper(|r| r.binary_here(least, bare)) else {
            return self.add_expr(Expr::Missing);
        };
        expr
    }

    fn binary_here(&mut self, least: u8, bare: bool) -> ExprId {
        let left = if self.is_op(b"..") || self.is_op(b"..=") {
            let (limits, len) =
                if self.is_op(b"..=") { (Limits::Closed, 3) } else { (Limits::HalfOpen, 2) };
            self.at += len;
            let to = self.begins_expr(bare).then(|| self.binary(RANGE + 1, bare));
            self.add_expr(Expr::Range(None, to, limits))
        } else {
            self.unary(bare)
        };
        self.operators(left, least, bare)
    }

    /// What follows an operand.
    pub(super) fn operators(&mut self, mut left: ExprId, least: u8, bare: bool) -> ExprId {
        while let Some((op, strength, len)) = self.operator() {
            if strength < least.max(1) {
                break;
            }
            let method = self.operator_method(len);
            let at = self.token().start;
            self.at += len;
            left = match op {
                None => {
                    let ty = self.ty();
                    self.add_expr(Expr::Cast(left, ty))
                }
                Some(BinOp::Range(limits)) => {
                    let to = self.begins_expr(bare).then(|| self.binary(RANGE + 1, bare));
                    self.add_expr(Expr::Range(Some(left), to, limits))
                }
                Some(op) => {
                    // Assignments group from the right.
                    let next = if strength == ASSIGN { ASSIGN } else { strength + 1 };
                    let right = self.binary(next, bare);
                    let method = self.names.number(method);
                    self.add_expr(Expr::Binary(op, left, right, Operator { method, at }))
                }
            };
        }
        left
    }

    /// The method that the operator at the cursor calls; empty if it calls none.
    fn operator_method(&self, len: usize) -> &'static str {
        let mut text = [0; 3];
        for (n, byte) in text.iter_mut().take(len).enumerate() {
            *byte = self.peek(n).byte;
        }
        match text.get(..len).unwrap_or_default() {
            b"==" => "eq",
            b"!=" => "ne",
            b"<" => "lt",
            b"<=" => "le",
            b">" => "gt",
            b">=" => "ge",
            b"+" => "add",
            b"-" => "sub",
            b"*" => "mul",
            b"/" => "div",
            b"%" => "rem",
            b"&" => "bitand",
            b"|" => "bitor",
            b"^" => "bitxor",
            b"<<" => "shl",
            b">>" => "shr",
            b"+=" => "add_assign",
            b"-=" => "sub_assign",
            b"*=" => "mul_assign",
            b"/=" => "div_assign",
            b"%=" => "rem_assign",
            b"&=" => "bitand_assign",
            b"|=" => "bitor_assign",
            b"^=" => "bitxor_assign",
            b"<<=" => "shl_assign",
            b">>=" => "shr_assign",
            _ => "",
        }
    }

    /// The operator at the cursor: which one (none for `as`), its precedence, its number of tokens.
    fn operator(&self) -> Option<(Option<BinOp>, u8, usize)> {
        if self.word() == "as" {
            return Some((None, CAST, 1));
        }
        let token = self.token();
        if token.kind != Kind::Punct {
            return None;
        }
        let assign = |len| Some((Some(BinOp::Assign), ASSIGN, len));
        let plain = |op, strength| Some((Some(op), strength, 1));
        let assigns = token.glued && self.is_at(1, b'=');
        match token.byte {
            b'=' if self.is_op(b"==") => Some((Some(BinOp::Compare), 5, 2)),
            b'=' if !token.glued => assign(1),
            b'!' if self.is_op(b"!=") => Some((Some(BinOp::Compare), 5, 2)),
            b'|' if self.is_op(b"||") => Some((Some(BinOp::Logic), 3, 2)),
            b'&' if self.is_op(b"&&") => Some((Some(BinOp::Logic), 4, 2)),
            b'|' | b'&' | b'^' | b'+' | b'-' | b'*' | b'/' | b'%' if assigns => assign(2),
            b'|' => plain(BinOp::Arithmetic, 6),
            b'^' => plain(BinOp::Arithmetic, 7),
            b'&' => plain(BinOp::Arithmetic, 8),
            b'-' if token.glued => None,
            b'+' | b'-' => plain(BinOp::Arithmetic, 10),
            b'*' | b'/' | b'%' => plain(BinOp::Arithmetic, 11),
            b'<' if self.is_op(b"<<=") => assign(3),
            b'<' if self.is_op(b"<<") => Some((Some(BinOp::Shift), 9, 2)),
            b'<' if self.is_op(b"<=") => Some((Some(BinOp::Compare), 5, 2)),
            b'<' => plain(BinOp::Compare, 5),
            b'>' => {
                let joined = |n: usize, byte| {
                    self.is_at(n, byte) && self.peek(n - 1).end == self.peek(n).start
                };
                match (joined(1, b'>'), joined(1, b'=')) {
                    (true, _) if joined(2, b'=') => assign(3),
                    (true, _) => Some((Some(BinOp::Shift), 9, 2)),
                    (_, true) => Some((Some(BinOp::Compare), 5, 2)),
                    _ => plain(BinOp::Compare, 5),
                }
            }
            b'.' if self.is_op(b"..=") || self.is_op(b"...") => {
                Some((Some(BinOp::Range(Limits::Closed)), RANGE, 3))
            }
            b'.' if self.is_op(b"..") => Some((Some(BinOp::Range(Limits::HalfOpen)), RANGE, 2)),
            _ => None,
        }
    }

    /// Whether an operand can begin here.
    pub(super) fn begins_expr(&self, bare: bool) -> bool {
        let token = self.token();
        match token.kind {
            Kind::Word => {
                let word = self.word();
                !is_reserved(word)
                    || matches!(
                        word,
                        "if" | "match"
                            | "loop"
                            | "while"
                            | "for"
                            | "unsafe"
                            | "async"
                            | "move"
                            | "return"
                            | "break"
                            | "continue"
                            | "const"
                    )
            }
            Kind::Lifetime | Kind::Literal => true,
            Kind::Open => token.byte != b'{' || !bare,
            Kind::Punct => matches!(token.byte, b'&' | b'*' | b'-' | b'!' | b'|' | b'<' | b':'),
            _ => false,
        }
    }

    /// A block in braces: its statements, and whether the last is its value.
    pub(super) fn block(&mut self) -> (List, bool) {
        if !self.is(b'{') {
            return (List::default(), false);
        }
        let inside = self.group();
        self.statements(inside)
    }

    pub(super) fn block_expr(&mut self) -> ExprId {
        let (stmts, value) = self.deeper(Self::block).unwrap_or_else(|| (List::default(), false));
        self.add_expr(Expr::Block(stmts, value, BlockKind::Plain))
    }

    pub(super) fn statements(&mut self, toks: Toks) -> (List, bool) {
        self.inside(toks, |r| {
            let mark = r.stmts.len();
            let mut value = false;
            while !r.done() {
                let start = r.at;
                value = r.statement();
                if r.at == start {
                    r.at = r.source.skip(r.at);
                }
            }
            (r.close_stmts(mark), value)
        })
    }

    /// Pushes one statement onto the stack; true if it is an expression without `;`.
    fn statement(&mut self) -> bool {
        if self.take(b';') {
            return false;
        }
        if let Some((behind, item)) = self.item_here() {
            self.stmts.push(Stmt::Item(item));
            self.at = behind;
            return false;
        }
        if self.is(b'#') {
            self.statement_attributes();
            if let Some((behind, item)) = self.item_here() {
                self.stmts.push(Stmt::Item(item));
                self.at = behind;
                return false;
            }
        }
        if self.word() == "let" {
            self.one_statement();
            return false;
        }
        if self.begins_other_item() {
            // An item that is not among the facts: in the tokens of a macro call.
            let head = super::super::head::read(
                self.source,
                self.at,
                self.end,
                super::super::head::Enclosing::Module,
            );
            if head.named && matches!(head.kind, Function | Const | Static) {
                let at = self.source.token(head.anchor).start;
                let name = self.number_at(self.source.name(head.anchor), at);
                self.stmts.push(Stmt::Declares(name));
            }
            self.at = head.end.clamp(self.at + 1, self.end);
            return false;
        }
        let (expr, ends) = self.expression_statement();
        self.stmts.push(Stmt::Expr(expr));
        let semicolon = self.take(b';');
        !semicolon && (!ends || self.done())
    }

    fn begins_other_item(&self) -> bool {
        let word = self.word();
        let begins = match word {
            "fn" | "struct" | "enum" | "trait" | "mod" | "type" | "use" | "impl" | "extern"
            | "pub" | "static" => true,
            "const" => !self.word_at(1).is_empty(),
            "unsafe" | "async" => matches!(self.word_at(1), "fn" | "impl" | "extern" | "unsafe"),
            "macro_rules" => self.is_at(1, b'!'),
            _ => false,
        };
        // `static || {}` is a closure.
        begins && !(word == "static" && self.is_at(1, b'|'))
    }

    /// The item of the file that begins here.
    fn item_here(&self) -> Option<(usize, u32)> {
        let found = self.inner.binary_search_by_key(&self.at, |(start, ..)| *start).ok()?;
        let (_, behind, item) = *self.inner.get(found)?;
        (behind > self.at).then_some((behind, item))
    }

    fn statement_attributes(&mut self) {
        while self.is(b'#') && self.item_here().is_none() {
            let open = 1 + usize::from(self.is_at(1, b'!'));
            if !self.is_at(open, b'[') {
                break;
            }
            self.at += open;
            let inside = self.group();
            if self.inside(inside.clone(), |r| r.is_name()) {
                let path = self.inside(inside, |r| r.path(true));
                self.stmts.push(Stmt::Attr(path));
            }
        }
    }

    pub(super) fn one_statement(&mut self) {
        self.at += 1;
        let pat = self.pat();
        let ty = self.is_colon().then(|| {
            self.at += 1;
            self.ty()
        });
        let init = self.take(b'=').then(|| self.expr(false));
        let or = self.take_word("else").then(|| self.block_expr());
        self.stmts.push(Stmt::Let(pat, ty, init, or));
        self.take(b';');
    }

    /// An expression as a statement, and whether it is one that needs no `;`.
    fn expression_statement(&mut self) -> (ExprId, bool) {
        let labelled = self.token().kind == Kind::Lifetime;
        let ahead = if labelled { 2 } else { 0 };
        let block_like = match self.word_at(ahead) {
            "if" | "match" | "while" | "loop" | "for" => true,
            "unsafe" | "async" | "const" => self.is_at(ahead + 1, b'{'),
            "" => self.is_at(ahead, b'{'),
            _ => false,
        };
        if block_like {
            let expr = self.primary(false);
            let goes_on = self.is(b'?') || self.is(b'.') && !self.token().glued;
            if !goes_on {
                return (expr, true);
            }
            let expr = self.postfix(expr);
            return (self.operators(expr, 0, false), false);
        }
        let call = self.is_name() && self.is_at(1, b'!');
        let expr = self.expr(false);
        let braces = call && self.at > 0 && self.source.is(self.at - 1, b'}');
        (expr, braces && matches!(self.uses.expr(expr), Expr::Macro(..)))
    }
}
