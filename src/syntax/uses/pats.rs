//! Parses patterns.

use super::super::lexer::Kind;
use super::reader::Reader;
use asof_model::{Binding, Expr, ExprId, FieldUse, Pat, PatId, PathId};

impl Reader<'_, '_> {
    /// A pattern with its alternatives.
    pub(super) fn pat(&mut self) -> PatId {
        self.take(b'|');
        let first = self.single_pat();
        if !self.is(b'|') || self.token().glued {
            return first;
        }
        let mark = self.ids.len();
        self.ids.push(first.0);
        while self.is(b'|') && !self.token().glued {
            self.at += 1;
            let next = self.single_pat();
            self.ids.push(next.0);
        }
        let list = self.close_ids(mark);
        self.add_pat(Pat::Or(list))
    }

    /// A pattern without alternatives. One that cannot be read is `_`.
    pub(super) fn single_pat(&mut self) -> PatId {
        self.skip_attributes();
        let pat = self.deeper(Self::pat_here).unwrap_or(Pat::Wild);
        self.add_pat(pat)
    }

    fn pat_here(&mut self) -> Pat {
        if self.is(b'&') {
            self.at += 1;
            self.take_word("mut");
            return Pat::Ref(self.single_pat());
        }
        if self.is(b'(') {
            let inside = self.group();
            return self.inside(inside, |r| {
                let mark = r.ids.len();
                let comma = r.pats();
                if let (false, Some(&only), 1) = (comma, r.ids.get(mark), r.ids.len() - mark) {
                    r.ids.truncate(mark);
                    return r.uses.pat(PatId(only));
                }
                Pat::Tuple(r.close_ids(mark))
            });
        }
        if self.is(b'[') {
            let inside = self.group();
            return self.inside(inside, |r| {
                let mark = r.ids.len();
                r.pats();
                Pat::Slice(r.close_ids(mark))
            });
        }
        if self.is_op(b"..=") || self.is_op(b"...") {
            self.at += 3;
            let to = self.pat_bound();
            return Pat::Range(None, to);
        }
        if self.take_op(b"..") {
            return if self.begins_bound() {
                let to = self.pat_bound();
                Pat::Range(None, to)
            } else {
                Pat::Rest
            };
        }
        if self.token().kind == Kind::Literal || self.is(b'-') || self.is_bool() {
            let from = self.pat_bound();
            return self.range_from(from);
        }
        match self.word() {
            "_" => {
                self.at += 1;
                Pat::Wild
            }
            "ref" | "mut" => {
                let by_ref = self.take_word("ref");
                self.take_word("mut");
                if !self.is_name() {
                    return Pat::Wild;
                }
                let (name, at) = self.name();
                let sub = self.take(b'@').then(|| self.single_pat());
                let by = if by_ref { Binding::Reference } else { Binding::Value };
                Pat::Bind { name, at, by, sub }
            }
            "box" if self.is_name_at(1) => {
                self.at += 1;
                self.pat_here()
            }
            "const" if self.is_at(1, b'{') => {
                self.at += 1;
                let value = self.block_expr();
                Pat::Lit(value)
            }
            _ if self.is_name() || self.is(b'<') || self.is_op(b"::") => self.named_pat(),
            _ => {
                // Not a pattern: what follows is clear without it.
                if self.token().kind == Kind::Open {
                    self.group();
                }
                Pat::Wild
            }
        }
    }

    fn is_bool(&self) -> bool {
        matches!(self.word(), "true" | "false")
    }

    fn named_pat(&mut self) -> Pat {
        let keyword = matches!(self.word(), "self" | "Self" | "crate" | "super");
        let goes_on = self.is_op_at(1, b"::")
            || [b'(', b'{', b'!'].iter().any(|byte| self.is_at(1, *byte))
            || self.is_at(1, b'.') && self.peek(1).glued;
        if self.is_name() && !keyword && !goes_on {
            let (name, at) = self.name();
            let sub = self.take(b'@').then(|| self.single_pat());
            return Pat::Bind { name, at, by: Binding::Plain, sub };
        }
        let path = self.path(true);
        if self.is(b'(') {
            let inside = self.group();
            return self.inside(inside, |r| {
                let mark = r.ids.len();
                r.pats();
                Pat::TupleStruct(path, r.close_ids(mark))
            });
        }
        if self.is(b'{') {
            let inside = self.group();
            return self.inside(inside, |r| r.field_pats(path));
        }
        if self.is(b'!') && self.peek(1).kind == Kind::Open {
            self.at += 1;
            let inside = self.group();
            let call = self.kept(&inside);
            let list = self.inside(inside, Self::loose);
            return Pat::Macro(path, list, call);
        }
        if self.is(b'.') && self.token().glued {
            let from = self.add_expr(Expr::Path(path));
            return self.range_from(Some(from));
        }
        Pat::Path(path)
    }

    fn range_from(&mut self, from: Option<ExprId>) -> Pat {
        let closed = self.is_op(b"..=") || self.is_op(b"...");
        if closed || self.is_op(b"..") {
            self.at += if closed { 3 } else { 2 };
            let to = if self.begins_bound() { self.pat_bound() } else { None };
            return Pat::Range(from, to);
        }
        match from {
            Some(value) => Pat::Lit(value),
            None => Pat::Wild,
        }
    }

    fn begins_bound(&self) -> bool {
        self.token().kind == Kind::Literal
            || self.is(b'-')
            || self.is_bool()
            || self.is_name() && self.word() != "_"
    }

    /// A literal or a path, as the end of a range.
    fn pat_bound(&mut self) -> Option<ExprId> {
        self.take(b'-');
        if self.token().kind == Kind::Literal || self.is_bool() {
            return Some(self.literal());
        }
        self.is_name().then(|| {
            let path = self.path(true);
            self.add_expr(Expr::Path(path))
        })
    }

    /// Pushes the patterns up to the end onto the stack; true if there was a comma among them.
    fn pats(&mut self) -> bool {
        let mut comma = false;
        while !self.done() {
            let start = self.at;
            let pat = self.pat();
            self.ids.push(pat.0);
            comma |= self.take(b',');
            if self.at == start {
                self.at = self.source.skip(self.at);
            }
        }
        comma
    }

    fn field_pats(&mut self, path: PathId) -> Pat {
        let mark = self.fields.len();
        while !self.done() {
            let start = self.at;
            self.skip_attributes();
            if self.take_op(b"..") || self.done() {
                break;
            }
            let by_ref = self.take_word("ref");
            self.take_word("mut");
            let by = if by_ref { Binding::Reference } else { Binding::Value };
            if self.word().is_empty() && self.token().kind != Kind::Literal {
                self.at = self.source.skip(self.at);
                continue;
            }
            let (name, at) = self.field_name();
            let shorthand = !self.is_colon();
            let pat = if shorthand {
                self.add_pat(Pat::Bind { name, at, by, sub: None })
            } else {
                self.at += 1;
                self.pat()
            };
            self.fields.push(FieldUse { name, at, value: pat.0, shorthand });
            if !self.take(b',') && self.at == start {
                self.at = self.source.skip(self.at);
            }
        }
        Pat::Struct(path, self.close_fields(mark))
    }
}
