//! The cursor over the tokens and the arenas that it fills. Members of a list are gathered on
//! a stack, so that lists within lists end up side by side without allocations of their own.

use super::super::lexer::{Kind, Token};
use super::super::source::{Source, Toks};
use super::names::Names;
use asof_model::{
    Arg, Expr, ExprId, FieldUse, FileUses, List, ParamUse, Pat, PatId, PathId, Seg, Stmt, Sym, Ty,
    TypeId, UsePath,
};

/// Nesting of brackets and operators beyond which tokens are skipped. Resolution recurses as deep
/// as this, on stacks of ordinary size.
pub(super) const MAX_DEPTH: u32 = 160;

pub(super) struct Reader<'s, 'a> {
    pub source: &'s Source<'a>,
    pub uses: FileUses,
    pub names: Names<'a>,
    pub at: usize,
    pub end: usize,
    pub depth: u32,
    /// Macro calls around.
    pub calls: u32,
    /// Items in bodies: first token, the one after, item. Sorted.
    pub inner: Vec<(usize, usize, u32)>,
    pub ids: Vec<u32>,
    pub segs: Vec<Seg>,
    pub args: Vec<Arg>,
    pub fields: Vec<FieldUse>,
    pub params: Vec<ParamUse>,
    pub stmts: Vec<Stmt>,
    /// Whether a token was read as a name, for each token.
    pub read: Vec<bool>,
    /// Of what macros expand to, the expansion that wrote the token at a byte.
    pub writer: Option<&'s dyn Fn(u32) -> u32>,
}

/// Moves the members above `mark` from the stack into their table.
pub(super) fn close<T>(stack: &mut Vec<T>, mark: usize, table: &mut Vec<T>) -> List {
    let list = List { start: table.len() as u32, len: (stack.len() - mark) as u32 };
    table.extend(stack.drain(mark..));
    list
}

impl<'s, 'a> Reader<'s, 'a> {
    pub(super) fn new(source: &'s Source<'a>) -> Self {
        Reader {
            source,
            uses: FileUses::default(),
            names: Names::default(),
            at: 0,
            end: 0,
            depth: 0,
            calls: 0,
            inner: Vec::new(),
            ids: Vec::new(),
            segs: Vec::new(),
            args: Vec::new(),
            fields: Vec::new(),
            params: Vec::new(),
            stmts: Vec::new(),
            read: vec![false; source.tokens.len()],
            writer: None,
        }
    }

    /// Reads these tokens only, then returns to where it was.
    pub(super) fn inside<T>(&mut self, toks: Toks, read: impl FnOnce(&mut Self) -> T) -> T {
        let was = (self.at, self.end);
        (self.at, self.end) = (toks.start, toks.end);
        let result = read(self);
        (self.at, self.end) = was;
        result
    }

    /// The tokens in the group that opens here; moves after it.
    pub(super) fn group(&mut self) -> Toks {
        let behind = self.source.skip(self.at).min(self.end);
        let closed = self.source.token(self.at).mate as usize > self.at;
        let inside = self.at + 1..(if closed { behind - 1 } else { behind }).max(self.at + 1);
        self.at = behind;
        inside
    }

    /// Reads one level deeper, or skips the next token or group where that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.at = self.source.skip(self.at).min(self.end);
            return None;
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        Some(result)
    }

    #[inline]
    pub(super) fn done(&self) -> bool {
        self.at >= self.end
    }

    #[inline]
    pub(super) fn token(&self) -> Token {
        self.peek(0)
    }

    #[inline]
    pub(super) fn peek(&self, ahead: usize) -> Token {
        let at = self.at + ahead;
        self.source.token(if at < self.end { at } else { usize::MAX - 1 })
    }

    /// The word here, or nothing.
    #[inline]
    pub(super) fn word(&self) -> &'a str {
        self.word_at(0)
    }

    #[inline]
    pub(super) fn word_at(&self, ahead: usize) -> &'a str {
        if self.at + ahead < self.end { self.source.word(self.at + ahead) } else { "" }
    }

    #[inline]
    pub(super) fn is(&self, byte: u8) -> bool {
        self.at < self.end && self.source.is(self.at, byte)
    }

    #[inline]
    pub(super) fn is_at(&self, ahead: usize, byte: u8) -> bool {
        self.at + ahead < self.end && self.source.is(self.at + ahead, byte)
    }

    /// Whether a lone `:` is next.
    pub(super) fn is_colon(&self) -> bool {
        self.is(b':') && !self.token().glued
    }

    #[inline]
    pub(super) fn is_op(&self, op: &[u8]) -> bool {
        self.at + op.len() <= self.end && self.source.is_op(self.at, op)
    }

    #[inline]
    pub(super) fn is_op_at(&self, ahead: usize, op: &[u8]) -> bool {
        self.at + ahead + op.len() <= self.end && self.source.is_op(self.at + ahead, op)
    }

    /// Skips this word if it is next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let here = self.word() == word;
        self.at += usize::from(here);
        here
    }

    /// Skips this punctuation if it is next.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let here = self.is(byte);
        self.at += usize::from(here);
        here
    }

    pub(super) fn take_op(&mut self, op: &[u8]) -> bool {
        let here = self.is_op(op);
        self.at += if here { op.len() } else { 0 };
        here
    }

    /// Whether a name is next: a word that is not a keyword.
    pub(super) fn is_name(&self) -> bool {
        self.is_name_at(0)
    }

    pub(super) fn is_name_at(&self, ahead: usize) -> bool {
        let word = self.word_at(ahead);
        !word.is_empty() && !is_reserved(word)
    }

    /// Number of the name here, and where it begins; moves over it.
    pub(super) fn name(&mut self) -> (Sym, u32) {
        let token = self.token();
        let name = self.source.name(self.at);
        // `r#` is not part of the name.
        let at = token.end.saturating_sub(name.len() as u32);
        if let Some(read) = self.read.get_mut(self.at) {
            *read = true;
        }
        self.at += 1;
        (self.number_at(name, token.start), at)
    }

    /// The number of a name in the token at a byte: what the rules of a macro write is another name
    /// than the caller's (Rust reference, "Hygiene").
    pub(super) fn number_at(&mut self, name: &'a str, at: u32) -> Sym {
        match self.writer {
            Some(writer) => self.names.number_of(name, writer(at)),
            None => self.names.number(name),
        }
    }

    /// Skips attributes.
    pub(super) fn skip_attributes(&mut self) {
        while self.is(b'#') {
            let open = self.at + 1 + usize::from(self.is_at(1, b'!'));
            if !self.source.is(open, b'[') || open >= self.end {
                break;
            }
            self.at = self.source.skip(open).min(self.end);
        }
        while self.at < self.end && self.token().kind == Kind::Doc {
            self.at += 1;
            self.skip_attributes();
        }
    }

    pub(super) fn add_type(&mut self, ty: Ty) -> TypeId {
        self.uses.types.push(ty);
        TypeId(self.uses.types.len() as u32 - 1)
    }

    pub(super) fn add_expr(&mut self, expr: Expr) -> ExprId {
        self.uses.exprs.push(expr);
        ExprId(self.uses.exprs.len() as u32 - 1)
    }

    pub(super) fn add_pat(&mut self, pat: Pat) -> PatId {
        self.uses.pats.push(pat);
        PatId(self.uses.pats.len() as u32 - 1)
    }

    pub(super) fn add_path(&mut self, path: UsePath) -> PathId {
        self.uses.paths.push(path);
        PathId(self.uses.paths.len() as u32 - 1)
    }

    /// A path of one segment.
    pub(super) fn add_name(&mut self, name: Sym, at: u32) -> PathId {
        let mark = self.segs.len();
        self.segs.push(Seg { name, at, args: List::default() });
        let segs = close(&mut self.segs, mark, &mut self.uses.segs);
        self.add_path(UsePath { global: false, qself: None, segs })
    }

    pub(super) fn close_ids(&mut self, mark: usize) -> List {
        close(&mut self.ids, mark, &mut self.uses.ids)
    }

    pub(super) fn close_args(&mut self, mark: usize) -> List {
        close(&mut self.args, mark, &mut self.uses.args)
    }

    pub(super) fn close_fields(&mut self, mark: usize) -> List {
        close(&mut self.fields, mark, &mut self.uses.fields)
    }

    pub(super) fn close_params(&mut self, mark: usize) -> List {
        close(&mut self.params, mark, &mut self.uses.params)
    }

    pub(super) fn close_stmts(&mut self, mark: usize) -> List {
        close(&mut self.stmts, mark, &mut self.uses.stmts)
    }
}

/// Keywords that neither begin a path nor are names.
pub(super) fn is_reserved(word: &str) -> bool {
    !matches!(word, "crate" | "self" | "super" | "Self" | "union" | "auto" | "default" | "macro")
        && super::super::source::is_keyword(word)
}
