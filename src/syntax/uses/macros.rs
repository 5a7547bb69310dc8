//! The contents of a macro call, as far as its tokens can be read as expressions: arguments
//! between commas, statements, arms (`pattern = value => body`), blocks.

use super::super::format_strings::{before_format, captured};
use super::super::lexer::Kind;
use super::super::parts::is_equals;
use super::super::source::Toks;
use super::super::split::commas;
use super::reader::Reader;
use asof_model::{Arm, CallId, CallTokens, Expr, List, PathId, Stmt};

/// Macros of the standard library whose value is known without their rules.
const KNOWN: &[&str] = &[
    "assert", "assert_eq", "assert_ne", "cfg", "concat", "dbg", "debug_assert", "debug_assert_eq",
    "debug_assert_ne", "env", "eprint", "eprintln", "file", "format", "format_args", "include_str",
    "matches", "offset_of", "panic", "print", "println", "stringify", "todo", "unimplemented",
    "unreachable", "vec", "write", "writeln",
];

/// Longest call whose tokens are kept, in bytes.
const MAX_CALL: usize = 6_000;

/// Calls in calls whose tokens are kept: those of the outer ones have them as well.
const MAX_KEPT_DEPTH: u32 = 3;

impl Reader<'_, '_> {
    /// A call of the macro at `path` with these tokens.
    pub(super) fn macro_call(&mut self, path: PathId, toks: Toks) -> Expr {
        let name = self.uses.segs(path).last().map(|seg| seg.name);
        let name = name.and_then(|n| self.names.texts.get(n.0 as usize)).map_or("", |n| &**n);
        let matches = matches!(name, "matches" | "assert_matches" | "debug_assert_matches");
        let (before, is_text) = (before_format(name), name == "stringify");
        let is_offset = name == "offset_of";
        let call = if KNOWN.contains(&name) { None } else { self.kept(&toks) };
        self.calls += 1;
        let list = self.deeper(|r| {
            r.inside(toks.clone(), |r| match before {
                _ if matches => r.matches_call(),
                Some(before) => r.format_call(before, toks),
                // What is written there means nothing.
                None if is_text => r.as_text(toks),
                None if is_offset => r.offset_of(),
                None => r.loose(),
            })
        });
        self.calls -= 1;
        Expr::Macro(path, list.unwrap_or_default(), call)
    }

    /// Arguments of a macro that takes a format string, and the names that the string captures.
    fn format_call(&mut self, before: usize, toks: Toks) -> List {
        let mark = self.ids.len();
        self.loose_parts();
        let arguments = commas(self.source, toks);
        let is_string =
            |part: &&Toks| part.len() == 1 && self.source.token(part.start).kind == Kind::Literal;
        if let Some(format) = arguments.iter().skip(before).find(is_string) {
            let at = format.start;
            let start = self.source.token(at).start;
            if let Some(read) = self.read.get_mut(at) {
                *read = true;
            }
            for (from, name) in captured(self.source.str(at)) {
                let is_given = |part: &Toks| {
                    is_equals(self.source, part.start + 1) && self.source.word(part.start) == name
                };
                if !arguments.iter().any(is_given) {
                    let name = self.number_at(name, start);
                    let path = self.add_name(name, start + from as u32);
                    let expr = self.add_expr(Expr::Path(path));
                    self.ids.push(expr.0);
                }
            }
        }
        self.close_ids(mark)
    }

    /// `offset_of!(Type, field.field)` names fields as those of a value of the type.
    fn offset_of(&mut self) -> List {
        let mark = self.ids.len();
        let ty = self.ty();
        let value = self.add_expr(Expr::Missing);
        let mut place = self.add_expr(Expr::Cast(value, ty));
        if self.take(b',') {
            while !self.done() {
                place = self.member(place);
                if !self.take(b'.') {
                    break;
                }
            }
        }
        self.ids.push(place.0);
        self.close_ids(mark)
    }

    /// Tokens of which only the text counts. In a file, the names among them stay mentioned.
    fn as_text(&mut self, toks: Toks) -> List {
        if self.writer.is_some() {
            self.read.iter_mut().take(toks.end).skip(toks.start).for_each(|read| *read = true);
        }
        List::default()
    }

    /// Keeps the tokens of a call.
    pub(super) fn kept(&mut self, toks: &Toks) -> Option<CallId> {
        let at = self.source.token(toks.start).start;
        let text = if toks.is_empty() {
            ""
        } else {
            self.source.slice(at, self.source.token(toks.end - 1).end)
        };
        if self.calls >= MAX_KEPT_DEPTH || text.len() > MAX_CALL {
            return None;
        }
        self.uses.calls.push(CallTokens { at, text: text.into() });
        Some(CallId(self.uses.calls.len() as u32 - 1))
    }

    /// `matches!(value, pattern if guard)` is a `match` of one arm.
    fn matches_call(&mut self) -> List {
        let mark = self.ids.len();
        let value = self.expr(false);
        self.take(b',');
        let pat = self.pat();
        let guard = self.take_word("if").then(|| self.expr(false));
        let body = self.add_expr(Expr::Missing);
        let arms = List { start: self.uses.arms.len() as u32, len: 1 };
        self.uses.arms.push(Arm { pat, guard, body });
        let found = self.add_expr(Expr::Match(value, arms));
        self.ids.push(found.0);
        while self.take(b',') && !self.done() {
            let rest = self.expr(false);
            self.ids.push(rest.0);
        }
        self.close_ids(mark)
    }

    /// Everything that can be read as an expression; ids of expressions.
    pub(super) fn loose(&mut self) -> List {
        let mark = self.ids.len();
        self.loose_parts();
        self.close_ids(mark)
    }

    fn loose_parts(&mut self) {
        let arms = self.has_arms();
        while !self.done() {
            let start = self.at;
            self.loose_part(arms);
            if self.at == start {
                self.at += 1;
            }
        }
    }

    /// Whether `=>` is among the tokens, outside of brackets.
    fn has_arms(&self) -> bool {
        let mut at = self.at;
        while at < self.end {
            if self.source.is_op(at, b"=>") {
                return true;
            }
            at = self.source.skip(at);
        }
        false
    }

    fn loose_part(&mut self, arms: bool) {
        let token = self.token();
        match token.kind {
            Kind::Punct if self.is(b'#') => {
                self.skip_attributes();
                return;
            }
            Kind::Doc | Kind::Close | Kind::End => return,
            Kind::Lifetime if !self.is_at(1, b':') => return,
            _ => {}
        }
        // `name = value`, `name: value`: only the macro knows the name.
        let named = self.is_name() && self.is_at(1, b'=') && !self.peek(1).glued;
        if arms && self.begins_arm() {
            let pat = self.pat();
            self.take(b'=');
            let value = self.expr(false);
            let bound = self.add_expr(Expr::Let(pat, value));
            self.ids.push(bound.0);
            return;
        }
        if named {
            self.at += 2;
            return;
        }
        if self.word() == "let" {
            let stmts = self.stmts.len();
            self.one_statement();
            for stmt in self.stmts.split_off(stmts) {
                if let Stmt::Let(pat, _, Some(init), _) = stmt {
                    let bound = self.add_expr(Expr::Let(pat, init));
                    self.ids.push(bound.0);
                }
            }
            return;
        }
        if self.definition() || self.word() == "else" || !self.begins_expr(false) {
            return;
        }
        let expr = self.expr(false);
        self.ids.push(expr.0);
    }

    /// An item among the tokens of a call: its name is defined there, and no use of another. False if
    /// none begins here.
    fn definition(&mut self) -> bool {
        let word = self.word();
        let has_name = self.is_name_at(1);
        match word {
            "fn" if has_name => self.as_closure(),
            "struct" | "enum" | "union" if has_name => {
                self.at += 2;
                self.skip_to_group();
                self.group();
            }
            "trait" | "mod" | "impl" | "extern" if has_name || word != "mod" => {
                self.at += 1;
                self.skip_to_group();
                if self.is(b'{') {
                    let inside = self.group();
                    let list = self.inside(inside, Self::loose);
                    let parts: Vec<_> = self.uses.expr_ids(list).collect();
                    self.ids.extend(parts.into_iter().map(|part| part.0));
                }
            }
            "const" | "static" if has_name => {
                self.at += 2;
                if self.is_colon() {
                    self.at += 1;
                    self.ty();
                }
                if self.take(b'=') {
                    let value = self.expr(false);
                    self.ids.push(value.0);
                }
            }
            "type" | "use" if has_name => {
                while !self.done() && !self.is(b';') {
                    self.at = self.source.skip(self.at);
                }
            }
            _ => return false,
        }
        true
    }

    /// Moves to the next bracket, or behind a `;` before it.
    fn skip_to_group(&mut self) {
        while !self.done() && self.token().kind != Kind::Open && !self.take(b';') {
            self.at += 1;
        }
    }

    /// `fn name(a: T) -> U { … }` as the closure `|a: T| -> U { … }`: its parameters are variables of
    /// its body. Types that may name generic parameters are left out.
    fn as_closure(&mut self) {
        self.at += 2;
        let is_generic = self.is(b'<');
        self.skip_angles();
        if !self.is(b'(') {
            return;
        }
        let inside = self.group();
        let params = self.inside(inside, Self::parameters);
        if is_generic {
            let (start, len) = (params.start as usize, params.len as usize);
            self.uses.params.iter_mut().skip(start).take(len).for_each(|param| param.ty = None);
        }
        let ret = self.returned().filter(|_| !is_generic);
        while !self.done() && !self.is(b'{') && !self.is(b';') {
            self.at = self.source.skip(self.at);
        }
        let body = if self.is(b'{') { self.block_expr() } else { self.add_expr(Expr::Missing) };
        let function = self.add_expr(Expr::Closure(params, ret, body));
        self.ids.push(function.0);
    }

    /// Whether `pattern = value => …` begins here.
    fn begins_arm(&self) -> bool {
        let mut at = self.at;
        let mut assigned = false;
        while at < self.end && !self.source.is(at, b',') {
            if self.source.is_op(at, b"=>") {
                return assigned;
            }
            assigned |= super::super::parts::is_equals(self.source, at);
            at = self.source.skip(at);
        }
        false
    }
}
