//! Parses operands: what is between operators, with its postfixes (`.f()`, `?`, `[i]`).

use super::super::lexer::Kind;
use super::reader::Reader;
use asof_model::{
    Arm, BlockKind, Expr, ExprId, FieldUse, List, Lit, ParamUse, PathId, Sym, TypeId, UnOp,
};

impl<'a> Reader<'_, 'a> {
    pub(super) fn unary(&mut self, bare: bool) -> ExprId {
        self.skip_attributes();
        let token = self.token();
        let op = match token.byte {
            _ if token.kind != Kind::Punct => return self.operand(bare),
            b'&' => None,
            b'*' => Some(UnOp::Deref),
            b'!' => Some(UnOp::Not),
            b'-' => Some(UnOp::Neg),
            _ => return self.operand(bare),
        };
        self.at += 1;
        let mut mutable = false;
        if op.is_none() {
            mutable = self.take_word("mut");
            if self.word() == "raw" && matches!(self.word_at(1), "const" | "mut") {
                self.at += 2;
            }
        }
        let Some(inner) = self.deeper(|r| r.unary(bare)) else {
            return self.add_expr(Expr::Missing);
        };
        self.add_expr(match op {
            Some(op) => Expr::Unary(op, inner, token.start),
            None => Expr::Ref(inner, mutable),
        })
    }

    fn operand(&mut self, bare: bool) -> ExprId {
        let operand = self.primary(bare);
        self.postfix(operand)
    }

    /// Calls, methods, fields, indices, `?` and `.await` after an operand.
    pub(super) fn postfix(&mut self, mut expr: ExprId) -> ExprId {
        loop {
            let at = self.token().start;
            if self.take(b'?') {
                expr = self.add_expr(Expr::Try(expr, at));
            } else if self.is(b'(') {
                let inside = self.group();
                let args = self.comma_exprs(inside);
                expr = self.add_expr(Expr::Call(expr, args));
            } else if self.is(b'[') {
                let inside = self.group();
                let index = self.inside(inside, |r| r.expr(false));
                expr = self.add_expr(Expr::Index(expr, index, at));
            } else if self.is(b'.') && !self.token().glued {
                self.at += 1;
                expr = self.member(expr);
            } else {
                return expr;
            }
        }
    }

    /// What follows a `.`.
    pub(super) fn member(&mut self, base: ExprId) -> ExprId {
        if self.token().kind == Kind::Literal {
            // `x.0.1` has a number for both.
            let token = self.token();
            let text = self.source.str(self.at);
            self.at += 1;
            let mut expr = base;
            let mut at = token.start;
            for part in text.split('.').filter(|part| !part.is_empty()) {
                let name = self.names.number(part);
                expr = self.add_expr(Expr::Field(expr, name, at));
                at += part.len() as u32 + 1;
            }
            return expr;
        }
        match self.word() {
            "" => base,
            "await" => {
                let at = self.token().start;
                self.at += 1;
                self.add_expr(Expr::Await(base, at))
            }
            _ => {
                let (name, at) = self.name();
                let mut generics = List::default();
                if self.is_op(b"::") && self.is_at(2, b'<') {
                    self.at += 2;
                    generics = self.angles();
                }
                if !self.is(b'(') {
                    return self.add_expr(Expr::Field(base, name, at));
                }
                let inside = self.group();
                let args = self.comma_exprs(inside);
                self.add_expr(Expr::Method { receiver: base, name, at, generics, args })
            }
        }
    }

    /// Expressions between commas; ids of expressions.
    pub(super) fn comma_exprs(&mut self, toks: super::super::source::Toks) -> List {
        self.inside(toks, |r| {
            let mark = r.ids.len();
            while !r.done() {
                let start = r.at;
                let expr = r.expr(false);
                r.ids.push(expr.0);
                if !r.take(b',') && r.at == start {
                    r.at = r.source.skip(r.at);
                }
            }
            r.close_ids(mark)
        })
    }

    /// An operand without its postfixes.
    pub(super) fn primary(&mut self, bare: bool) -> ExprId {
        let expr = self.deeper(|r| r.primary_here(bare)).unwrap_or(Expr::Missing);
        self.add_expr(expr)
    }

    fn primary_here(&mut self, bare: bool) -> Expr {
        let token = self.token();
        match token.kind {
            Kind::Literal => {
                let literal = self.literal();
                return self.uses.expr(literal);
            }
            Kind::Lifetime => {
                let label = self.number_at(self.source.str(self.at), token.start);
                self.at += 1;
                if self.take(b':') {
                    return match self.primary_here(bare) {
                        Expr::Loop(body, _) => Expr::Loop(body, Some(label)),
                        other => other,
                    };
                }
                return Expr::Missing;
            }
            Kind::Open => return self.bracketed(token.byte),
            Kind::Punct if token.byte == b'|' => return self.closure(),
            Kind::Punct if self.is(b'<') || self.is_op(b"::") => return self.path_expr(bare),
            Kind::Punct if self.is(b'$') && self.word_at(1) == "crate" => {
                return self.path_expr(bare);
            }
            Kind::Word => {}
            _ => return Expr::Missing,
        }
        match self.word() {
            "true" | "false" => {
                self.at += 1;
                Expr::Lit(Lit::Bool)
            }
            "if" => self.if_expr(),
            "match" => self.match_expr(),
            "loop" => {
                self.at += 1;
                Expr::Loop(self.block_expr(), None)
            }
            "while" => {
                self.at += 1;
                let condition = self.condition();
                Expr::While(condition, self.block_expr())
            }
            "for" if self.is_at(1, b'<') => {
                self.at += 1;
                self.skip_angles();
                self.primary_here(bare)
            }
            "for" => {
                let at = self.token().start;
                self.at += 1;
                let pat = self.pat();
                self.take_word("in");
                let over = self.expr(true);
                Expr::For(pat, over, self.block_expr(), at)
            }
            "unsafe" | "const" | "try" if self.is_at(1, b'{') => self.marked_block(),
            "async" if self.is_at(1, b'{') => self.marked_block(),
            "async" if self.word_at(1) == "move" && self.is_at(2, b'{') => {
                self.at += 1;
                let (stmts, value) = self.after_word();
                Expr::Block(stmts, value, BlockKind::Async)
            }
            // Names before edition 2018.
            "async" | "dyn" | "try" if self.is_name_of_2015() => self.path_expr(bare),
            "async" | "move" | "static" => {
                while matches!(self.word(), "async" | "move" | "static") {
                    self.at += 1;
                }
                if self.is(b'|') { self.closure() } else { Expr::Missing }
            }
            "return" | "break" | "yield" | "do" | "become" => {
                let is_break = self.word() == "break";
                self.at += 1;
                let mut label = None;
                if is_break && self.token().kind == Kind::Lifetime {
                    label = Some(self.number_at(self.source.str(self.at), self.token().start));
                    self.at += 1;
                }
                let value = self.begins_expr(bare).then(|| self.expr(bare));
                if is_break { Expr::Break(label, value) } else { Expr::Return(value) }
            }
            "continue" => {
                self.at += 1;
                if self.token().kind == Kind::Lifetime {
                    self.at += 1;
                }
                Expr::Continue
            }
            // A condition of a chain: `a && let B = c`.
            "let" => {
                self.at += 1;
                let pat = self.pat();
                self.take(b'=');
                // Binds more tightly than `&&`.
                let value = self.let_value();
                Expr::Let(pat, value)
            }
            _ if self.is_name() => self.path_expr(bare),
            _ => Expr::Missing,
        }
    }

    /// Whether a keyword of edition 2018 stands where only a name can.
    fn is_name_of_2015(&self) -> bool {
        [b'(', b'.', b'!', b',', b';', b'?', b')'].iter().any(|byte| self.is_at(1, *byte))
            || self.is_op_at(1, b"::")
            || self.peek(1).kind == Kind::End
    }

    fn let_value(&mut self) -> ExprId {
        let first = self.unary(true);
        self.operators(first, 5, true)
    }

    fn after_word(&mut self) -> (List, bool) {
        self.at += 1;
        self.block()
    }

    fn marked_block(&mut self) -> Expr {
        let kind = match self.word() {
            "async" => BlockKind::Async,
            "const" => BlockKind::Const,
            _ => BlockKind::Unsafe,
        };
        let (stmts, value) = self.after_word();
        Expr::Block(stmts, value, kind)
    }

    fn bracketed(&mut self, open: u8) -> Expr {
        if open == b'{' {
            let (stmts, value) = self.block();
            return Expr::Block(stmts, value, BlockKind::Plain);
        }
        let inside = self.group();
        self.inside(inside, |r| {
            let mark = r.ids.len();
            let mut comma = false;
            while !r.done() {
                let start = r.at;
                let expr = r.expr(false);
                if open == b'[' && r.take(b';') {
                    r.ids.truncate(mark);
                    let len = r.expr(false);
                    return Expr::Repeat(expr, len);
                }
                r.ids.push(expr.0);
                comma |= r.take(b',');
                if r.at == start {
                    r.at = r.source.skip(r.at);
                }
            }
            if open == b'[' {
                return Expr::Array(r.close_ids(mark));
            }
            if let (false, Some(&only), 1) = (comma, r.ids.get(mark), r.ids.len() - mark) {
                r.ids.truncate(mark);
                return r.uses.expr(ExprId(only));
            }
            Expr::Tuple(r.close_ids(mark))
        })
    }

    fn path_expr(&mut self, bare: bool) -> Expr {
        let path = self.path(true);
        if self.is(b'!') && self.peek(1).kind == Kind::Open && !self.token().glued {
            self.at += 1;
            let inside = self.group();
            return self.macro_call(path, inside);
        }
        if self.is(b'{') && !bare && self.begins_literal() {
            let inside = self.group();
            return self.inside(inside, |r| r.struct_literal(path));
        }
        Expr::Path(path)
    }

    /// Whether the braces here contain fields.
    fn begins_literal(&self) -> bool {
        let mut ahead = 1;
        while self.is_at(ahead, b'#') && self.is_at(ahead + 1, b'[') {
            let behind = self.source.skip(self.at + ahead + 1);
            ahead = behind.saturating_sub(self.at).max(ahead + 1);
        }
        if self.is_at(ahead, b'}') || self.is_op_at(ahead, b"..") {
            return true;
        }
        let field = self.is_name_at(ahead) || self.peek(ahead).kind == Kind::Literal;
        let behind = ahead + 1;
        field
            && (self.is_at(behind, b',')
                || self.is_at(behind, b'}')
                || self.is_at(behind, b':') && !self.peek(behind).glued)
    }

    /// Name of a field: a word or a number.
    pub(super) fn field_name(&mut self) -> (Sym, u32) {
        if self.token().kind == Kind::Literal {
            let (text, at) = (self.source.str(self.at), self.token().start);
            self.at += 1;
            return (self.names.number(text), at);
        }
        self.name()
    }

    fn struct_literal(&mut self, path: PathId) -> Expr {
        let mark = self.fields.len();
        let mut base = None;
        while !self.done() {
            let start = self.at;
            self.skip_attributes();
            if self.take_op(b"..") {
                base = self.begins_expr(false).then(|| self.expr(false));
                continue;
            }
            if !self.is_name() && self.token().kind != Kind::Literal {
                self.at = self.source.skip(self.at);
                continue;
            }
            let (name, at) = self.field_name();
            let shorthand = !self.is_colon();
            let value = if shorthand {
                let path = self.add_name(name, at);
                self.add_expr(Expr::Path(path))
            } else {
                self.at += 1;
                self.expr(false)
            };
            self.fields.push(FieldUse { name, at, value: value.0, shorthand });
            if !self.take(b',') && self.at == start {
                self.at = self.source.skip(self.at);
            }
        }
        Expr::Struct(path, self.close_fields(mark), base)
    }

    /// The condition of `if` and `while`.
    fn condition(&mut self) -> ExprId {
        self.expr(true)
    }

    fn if_expr(&mut self) -> Expr {
        self.at += 1;
        let condition = self.condition();
        let then = self.block_expr();
        let or = self.take_word("else").then(|| match self.word() {
            "if" => {
                let expr = self.deeper(Self::if_expr).unwrap_or(Expr::Missing);
                self.add_expr(expr)
            }
            _ => self.block_expr(),
        });
        Expr::If(condition, then, or)
    }

    fn match_expr(&mut self) -> Expr {
        self.at += 1;
        let value = self.expr(true);
        if !self.is(b'{') {
            return Expr::Match(value, List::default());
        }
        let inside = self.group();
        let arms = self.inside(inside, |r| {
            let mut arms = Vec::new();
            while !r.done() {
                let start = r.at;
                r.skip_attributes();
                if r.done() {
                    break;
                }
                arms.push(r.arm());
                if r.at == start {
                    r.at = r.source.skip(r.at);
                }
            }
            let list = List { start: r.uses.arms.len() as u32, len: arms.len() as u32 };
            r.uses.arms.append(&mut arms);
            list
        });
        Expr::Match(value, arms)
    }

    fn arm(&mut self) -> Arm {
        let pat = self.pat();
        let guard = self.take_word("if").then(|| self.expr(false));
        // What could not be read.
        while !self.done() && !self.is_op(b"=>") && !self.is(b',') {
            self.at = self.source.skip(self.at);
        }
        if !self.take_op(b"=>") {
            self.take(b',');
            let body = self.add_expr(Expr::Missing);
            return Arm { pat, guard, body };
        }
        let body = if self.is(b'{') { self.block_expr() } else { self.expr(false) };
        if !self.take(b',') && !self.source.is(self.at.saturating_sub(1), b'}') {
            while !self.done() && !self.take(b',') {
                self.at = self.source.skip(self.at);
            }
        }
        Arm { pat, guard, body }
    }

    fn closure(&mut self) -> Expr {
        let mark = self.params.len();
        if self.is_op(b"||") {
            self.at += 2;
        } else {
            self.at += 1;
            while !self.done() && !self.is(b'|') {
                let start = self.at;
                let pat = self.single_pat();
                let ty: Option<TypeId> = self.is_colon().then(|| {
                    self.at += 1;
                    self.ty()
                });
                self.params.push(ParamUse { pat, ty, receiver: false });
                if !self.take(b',') && (self.at == start || !self.is(b'|')) {
                    break;
                }
            }
            self.take(b'|');
        }
        let params = self.close_params(mark);
        let ret = self.returned();
        let body = if ret.is_some() { self.block_expr() } else { self.expr(false) };
        Expr::Closure(params, ret, body)
    }

    /// A literal.
    pub(super) fn literal(&mut self) -> ExprId {
        let text = self.source.str(self.at);
        let word = self.word();
        self.at += 1;
        let lit = if !word.is_empty() {
            Lit::Bool
        } else {
            match text.as_bytes() {
                [b'"', ..] | [b'r', b'"' | b'#', ..] => Lit::Str,
                [b'b', b'\'', ..] => Lit::Byte,
                [b'b', ..] => Lit::Bytes,
                [b'c', ..] => Lit::CStr,
                [b'\'', ..] => Lit::Char,
                _ => self.number(text),
            }
        };
        self.add_expr(Expr::Lit(lit))
    }

    fn number(&mut self, text: &'a str) -> Lit {
        let hex = text.starts_with("0x");
        let suffix = text.find(['i', 'u']).or(if hex { None } else { text.find('f') });
        let name = suffix.and_then(|at| text.get(at..)).map(|name| self.names.number(name));
        let float = !hex
            && (text.contains('.')
                || text.contains(['e', 'E']) && suffix.is_none()
                || suffix.is_some_and(|at| text.get(at..).is_some_and(|s| s.starts_with('f'))));
        if float { Lit::Float(name) } else { Lit::Int(name) }
    }
}
