//! Types, paths, generic arguments and bounds.

use super::super::lexer::Kind;
use super::super::source::Toks;
use super::reader::{Reader, close};
use asof_model::{Arg, Expr, List, Lit, PathId, Seg, Ty, TypeId, UsePath};

impl<'a> Reader<'_, 'a> {
    /// A type; one that cannot be read is `_`, and at least one token is skipped.
    pub(super) fn ty(&mut self) -> TypeId {
        let start = self.at;
        let ty = self.deeper(Self::type_here).unwrap_or(Ty::Infer);
        if self.at == start {
            self.at = self.source.skip(self.at).min(self.end);
        }
        self.add_type(ty)
    }

    fn type_here(&mut self) -> Ty {
        if self.is(b'&') {
            // `&&T` is two references.
            self.at += 1;
            if self.token().kind == Kind::Lifetime {
                self.at += 1;
            }
            let mutable = self.take_word("mut");
            return Ty::Ref(self.ty(), mutable);
        }
        if self.is(b'*') {
            self.at += 1;
            let mutable = !self.take_word("const") && self.take_word("mut");
            return Ty::Ptr(self.ty(), mutable);
        }
        if self.take(b'!') {
            return Ty::Never;
        }
        if self.is(b'(') {
            let inside = self.group();
            return self.inside(inside, Self::tuple_type);
        }
        if self.is(b'[') {
            let inside = self.group();
            return self.inside(inside, |r| {
                let element = r.ty();
                if r.take(b';') {
                    let len = r.expr(false);
                    return Ty::Array(element, len);
                }
                Ty::Slice(element)
            });
        }
        if self.is(b'<') || self.is_op(b"::") {
            return self.path_type();
        }
        match self.word() {
            "_" => {
                self.at += 1;
                Ty::Infer
            }
            "dyn" => {
                self.at += 1;
                Ty::Dyn(self.bounds())
            }
            "impl" => {
                self.at += 1;
                Ty::Impl(self.bounds())
            }
            "for" => {
                self.at += 1;
                self.skip_angles();
                self.type_here()
            }
            "fn" | "unsafe" | "extern" => self.fn_type(),
            _ if self.is_name() => self.path_type(),
            _ => Ty::Infer,
        }
    }

    fn path_type(&mut self) -> Ty {
        let path = self.path(false);
        if self.is(b'!') && self.peek(1).kind == Kind::Open {
            self.at += 1;
            let inside = self.group();
            let call = self.kept(&inside);
            return Ty::Macro(path, self.type_list(inside), call);
        }
        Ty::Path(path)
    }

    fn tuple_type(&mut self) -> Ty {
        let mark = self.ids.len();
        let mut comma = false;
        while !self.done() {
            let ty = self.ty();
            self.ids.push(ty.0);
            // `(dyn A + B)`, `(A + B)`.
            while self.take(b'+') {
                self.bound();
            }
            if !self.take(b',') {
                break;
            }
            comma = true;
        }
        if let (false, Some(&only), 1) = (comma, self.ids.get(mark), self.ids.len() - mark) {
            self.ids.truncate(mark);
            return self.uses.ty(TypeId(only));
        }
        Ty::Tuple(self.close_ids(mark))
    }

    fn fn_type(&mut self) -> Ty {
        self.take_word("unsafe");
        if self.take_word("extern") && self.token().kind == Kind::Literal {
            self.at += 1;
        }
        if !self.take_word("fn") || !self.is(b'(') {
            return Ty::Infer;
        }
        let inside = self.group();
        let params = self.inside(inside, |r| {
            let mark = r.ids.len();
            while !r.done() {
                r.skip_attributes();
                // A name before the type.
                if !r.word().is_empty() && r.is_at(1, b':') && !r.peek(1).glued {
                    r.at += 2;
                }
                let ty = r.ty();
                r.ids.push(ty.0);
                if !r.take(b',') {
                    break;
                }
            }
            r.close_ids(mark)
        });
        Ty::Fn(params, self.returned())
    }

    /// `-> T`, if it is next.
    pub(super) fn returned(&mut self) -> Option<TypeId> {
        self.take_op(b"->").then(|| self.ty())
    }

    /// Skips `<…>`.
    pub(super) fn skip_angles(&mut self) {
        if self.is(b'<') {
            self.at = super::super::parts::behind_angles(self.source, self.at, self.end);
        }
    }

    /// Bounds joined by `+`, lifetimes left out; ids of types.
    pub(super) fn bounds(&mut self) -> List {
        let mark = self.ids.len();
        loop {
            if let Some(bound) = self.bound() {
                self.ids.push(bound.0);
            }
            if !self.take(b'+') {
                break;
            }
        }
        self.close_ids(mark)
    }

    fn bound(&mut self) -> Option<TypeId> {
        if self.token().kind == Kind::Lifetime {
            self.at += 1;
            return None;
        }
        if self.is(b'(') {
            let inside = self.group();
            return self.inside(inside, |r| r.deeper(Self::bound).flatten());
        }
        loop {
            match self.word() {
                "for" => {
                    self.at += 1;
                    self.skip_angles();
                }
                "const" | "async" => self.at += 1,
                "use" => {
                    self.at += 1;
                    self.skip_angles();
                    return None;
                }
                _ if self.is(b'?') || self.is(b'~') || self.is(b'!') => self.at += 1,
                _ => break,
            }
        }
        if !(self.is_name() || self.is_op(b"::") || self.is(b'<')) {
            return None;
        }
        let path = self.path(false);
        Some(self.add_type(Ty::Path(path)))
    }

    /// A path. In an expression generic arguments need `::` before them.
    pub(super) fn path(&mut self, in_expr: bool) -> PathId {
        let mark = self.segs.len();
        let mut qself = None;
        let mut global = false;
        if self.is(b'<') {
            self.at += 1;
            let ty = self.ty();
            if self.take_word("as") {
                let _ = self.take_op(b"::");
                self.segments(false);
            }
            qself = Some((ty, (self.segs.len() - mark) as u32));
            // Whatever could not be read.
            while !self.done() && !self.source.closes_angle(self.at) && !self.is(b';') {
                self.at = self.source.skip(self.at);
            }
            self.take(b'>');
            if self.take_op(b"::") {
                self.segments(in_expr);
            }
        } else {
            global = self.take_op(b"::");
            self.segments(in_expr);
        }
        let segs = close(&mut self.segs, mark, &mut self.uses.segs);
        self.add_path(UsePath { global, qself, segs })
    }

    fn segments(&mut self, in_expr: bool) {
        loop {
            // `$crate` in a macro call's tokens.
            self.take(b'$');
            if self.word().is_empty() {
                return;
            }
            let (name, at) = self.name();
            let mut args = List::default();
            if self.is_op(b"::") && self.is_at(2, b'<') {
                self.at += 2;
                args = self.angles();
            } else if !in_expr && self.is(b'<') {
                args = self.angles();
            } else if !in_expr && self.is(b'(') {
                args = self.call_args();
            } else if !in_expr && self.is_op(b"::") && self.is_at(2, b'(') {
                self.at += 2;
                args = self.call_args();
            }
            self.segs.push(Seg { name, at, args });
            let goes_on = self.is_op(b"::") && !self.word_at(2).is_empty()
                || self.is_op(b"::") && self.is_at(2, b'$');
            if !goes_on {
                return;
            }
            self.at += 2;
        }
    }

    /// Types with commas between them, up to what is none.
    fn type_list(&mut self, toks: Toks) -> List {
        let mark = self.ids.len();
        self.inside(toks, |r| {
            while !r.done() {
                let ty = r.ty();
                r.ids.push(ty.0);
                if !r.take(b',') {
                    break;
                }
            }
        });
        self.close_ids(mark)
    }

    /// `(A, B) -> C` of `Fn` traits: the tuple of what it takes, and `Output`.
    fn call_args(&mut self) -> List {
        let inside = self.group();
        let mark = self.args.len();
        let list = self.type_list(inside);
        let tuple = self.add_type(Ty::Tuple(list));
        self.args.push(Arg::Type(tuple));
        if let Some(ret) = self.returned() {
            let output = self.names.number("Output");
            self.args.push(Arg::Assoc(output, u32::MAX, ret));
        }
        self.close_args(mark)
    }

    /// `<…>`: generic arguments, lifetimes left out.
    pub(super) fn angles(&mut self) -> List {
        let mark = self.args.len();
        self.at += 1;
        while !self.done() {
            if self.source.closes_angle(self.at) {
                self.at += 1;
                break;
            }
            let start = self.at;
            if let Some(arg) = self.angle_arg() {
                self.args.push(arg);
            }
            if self.take(b',') {
                continue;
            }
            if self.source.closes_angle(self.at) {
                continue;
            }
            // Not what was expected: stop before what cannot be an argument.
            if self.at == start || self.is(b';') || self.token().kind == Kind::Close {
                break;
            }
        }
        self.close_args(mark)
    }

    fn angle_arg(&mut self) -> Option<Arg> {
        if self.token().kind == Kind::Lifetime {
            self.at += 1;
            return None;
        }
        if self.token().kind == Kind::Literal || self.is(b'-') || self.is(b'{') {
            let value = if self.is(b'{') { self.block_expr() } else { self.literal_or_negative() };
            return Some(Arg::Const(value));
        }
        if self.is_name() {
            let mut behind = 1;
            if self.is_at(1, b'<') {
                // `Item<'a> = T`, or an ordinary type.
                let end = super::super::parts::behind_angles(self.source, self.at + 1, self.end);
                behind = end - self.at;
            }
            let equals = self.is_at(behind, b'=')
                && !self.peek(behind).glued
                && self.peek(behind + 1).kind != Kind::End;
            if equals {
                let (name, at) = self.name();
                self.at += behind;
                if self.token().kind == Kind::Literal || self.is(b'{') {
                    let value = self.literal_or_negative();
                    return Some(Arg::Const(value));
                }
                return Some(Arg::Assoc(name, at, self.ty()));
            }
            if self.is_at(behind, b':') && !self.peek(behind).glued {
                let (name, at) = self.name();
                self.at += behind;
                return Some(Arg::Bound(name, at, self.bounds()));
            }
        }
        let ty = self.ty();
        // Edition 2015: `Box<Read + Send>`.
        while self.take(b'+') {
            self.bound();
        }
        Some(Arg::Type(ty))
    }

    fn literal_or_negative(&mut self) -> asof_model::ExprId {
        if self.is(b'{') {
            return self.block_expr();
        }
        self.take(b'-');
        self.at += 1;
        self.add_expr(Expr::Lit(Lit::Int(None)))
    }
}
