//! The head of an item, read from its tokens: which kind it is, where its name, generics,
//! parameters and body are, and where it ends. It takes any text, valid or not.

use super::lexer::Kind;
use super::parts::{behind_angles, is_equals};
use super::source::{Source, Toks};
use super::split::find;
use asof_model::NodeKind;

/// What the item is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enclosing {
    /// A file, module, or body.
    Module,
    Impl,
    Trait,
    Foreign,
}

/// Where the parts of an item are; indices of tokens.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub kind: NodeKind,
    pub visibility: Toks,
    /// The name, or the keyword where there is none.
    pub anchor: usize,
    /// Whether `anchor` is a name.
    pub named: bool,
    /// Head without attributes, body and value.
    pub signature: Toks,
    /// Between `<` and `>`.
    pub generics: Toks,
    /// Between `(` and `)`.
    pub params: Toks,
    /// Inside the braces, or the parentheses of a tuple struct or macro call.
    pub body: Option<Toks>,
    /// Trait and type of an impl, tree of a `use`, path of a macro call, rename of a crate.
    pub first: Toks,
    pub second: Toks,
    pub negative: bool,
    /// After the last token.
    pub end: usize,
}

struct Reader<'a, 's> {
    source: &'a Source<'s>,
    at: usize,
    end: usize,
    head: Head,
}

/// Reads the head that begins at `start`, after the attributes.
pub(super) fn read(source: &Source<'_>, start: usize, end: usize, place: Enclosing) -> Head {
    let none = start..start;
    let head = Head {
        kind: NodeKind::Unknown,
        visibility: none.clone(),
        anchor: start,
        named: false,
        signature: none.clone(),
        generics: none.clone(),
        params: none.clone(),
        body: None,
        first: none.clone(),
        second: none,
        negative: false,
        end,
    };
    let mut reader = Reader { source, at: start, end, head };
    reader.visibility();
    reader.item(place);
    let mut head = reader.head;
    head.end = head.end.clamp((start + 1).min(end), end);
    // An attribute or visibility without an item.
    head.anchor = head.anchor.min(head.end.max(1) - 1);
    head.named &= head.anchor >= start;
    head.signature = start..head.signature.end.clamp(start, head.end);
    head
}

/// Index after a visibility at `at`.
pub(super) fn behind_visibility(source: &Source<'_>, at: usize) -> usize {
    match source.word(at) {
        "pub" if source.is(at + 1, b'(') => {
            let first = source.word(at + 2);
            let close = source.skip(at + 1);
            let single = close == at + 4;
            let restricts = first == "in" || single && matches!(first, "crate" | "self" | "super");
            if restricts { close } else { at + 1 }
        }
        "pub" => at + 1,
        "crate" if source.token(at + 1).kind == Kind::Word => at + 1,
        _ => at,
    }
}

impl Reader<'_, '_> {
    fn visibility(&mut self) {
        let behind = behind_visibility(self.source, self.at);
        self.head.visibility = self.at..behind;
        self.at = behind;
    }

    fn word(&self, ahead: usize) -> &str {
        if self.at + ahead < self.end { self.source.word(self.at + ahead) } else { "" }
    }

    fn next_is_word(&self) -> bool {
        !self.word(1).is_empty()
    }

    fn item(&mut self, place: Enclosing) {
        loop {
            let (word, next) = (self.word(0), self.word(1));
            match word {
                "fn" if !next.is_empty() => return self.function(place),
                "struct" | "union" if !next.is_empty() => return self.structure(word == "union"),
                "enum" => return self.braced(NodeKind::Enum),
                "trait" => return self.braced(NodeKind::Trait),
                "mod" => return self.braced(NodeKind::Module),
                "type" => return self.type_alias(place),
                "use" => return self.import(),
                "static" if !next.is_empty() => return self.value(NodeKind::Static),
                "macro" if !next.is_empty() => return self.macro_definition(),
                "impl" if self.restricts_impl() => self.at = self.source.skip(self.at + 1),
                "impl" => return self.implementation(),
                "extern" if next == "crate" => return self.extern_crate(),
                "extern" => {
                    let literal = self.source.token(self.at + 1).kind == Kind::Literal;
                    let behind = self.at + 1 + usize::from(literal);
                    if self.source.is(behind, b'{') {
                        return self.foreign_mod(behind);
                    }
                    self.at = behind;
                }
                "const" if !is_qualified(next) && !next.is_empty() => {
                    let assoc = matches!(place, Enclosing::Impl | Enclosing::Trait);
                    let kind = if assoc { NodeKind::AssocConst } else { NodeKind::Const };
                    return self.value(kind);
                }
                "const" | "unsafe" | "async" | "default" | "safe" | "auto" | "gen" | "final"
                    if self.next_is_word() =>
                {
                    self.at += 1;
                }
                _ => return self.macro_call(),
            }
        }
    }

    /// `impl(crate) trait`: a restriction, not an impl.
    fn restricts_impl(&self) -> bool {
        let behind = self.source.skip(self.at + 1);
        self.source.is(self.at + 1, b'(')
            && matches!(self.source.word(behind), "trait" | "unsafe" | "auto" | "const")
    }

    fn name_here(&mut self) {
        self.head.anchor = self.at;
        self.head.named = self.source.token(self.at).kind == Kind::Word && self.at < self.end;
        self.at += usize::from(self.head.named);
    }

    fn generics(&mut self) {
        if self.source.is(self.at, b'<') && self.at < self.end {
            let behind = behind_angles(self.source, self.at, self.end);
            let close = if self.source.closes_angle(behind - 1) { behind - 1 } else { behind };
            self.head.generics = self.at + 1..close;
            self.at = behind;
        }
    }

    /// Moves to the `{` of a body or to the `;`; sets the end of the signature there.
    fn seek_body(&mut self) {
        let source = self.source;
        self.at = find(source, self.at..self.end, |at| source.is(at, b'{') || source.is(at, b';'));
        self.head.signature = self.at..self.at;
    }

    /// Takes the group at the cursor as the body and end of the item, or the `;`.
    fn body(&mut self) {
        if self.at < self.end && self.source.token(self.at).kind == Kind::Open {
            let behind = self.source.skip(self.at).min(self.end);
            let closed = self.source.token(self.at).mate as usize > self.at;
            let inside = if closed { behind - 1 } else { self.end };
            self.head.body = Some(self.at + 1..inside);
            self.at = if closed { behind } else { self.end };
            self.head.end = self.at;
        } else {
            self.semicolon();
        }
    }

    /// Ends the item after the next `;`.
    fn semicolon(&mut self) {
        while self.at < self.end && !self.source.is(self.at, b';') {
            self.at = self.source.skip(self.at);
        }
        self.head.end = (self.at + 1).min(self.end);
    }

    fn function(&mut self, place: Enclosing) {
        let assoc = matches!(place, Enclosing::Impl | Enclosing::Trait);
        self.head.kind = if assoc { NodeKind::Method } else { NodeKind::Function };
        self.at += 1;
        self.name_here();
        self.generics();
        if self.source.is(self.at, b'(') && self.at < self.end {
            let behind = self.source.skip(self.at).min(self.end);
            self.head.params = self.at + 1..(behind - 1).max(self.at + 1);
            self.at = behind;
        }
        self.seek_body();
        self.body();
    }

    fn structure(&mut self, union: bool) {
        self.head.kind = if union { NodeKind::Union } else { NodeKind::Struct };
        self.at += 1;
        self.name_here();
        self.generics();
        if self.source.is(self.at, b'(') && self.at < self.end {
            let behind = self.source.skip(self.at).min(self.end);
            self.head.body = Some(self.at + 1..(behind - 1).max(self.at + 1));
            self.at = behind;
            self.semicolon();
            self.head.signature = self.at..self.at;
        } else {
            self.seek_body();
            self.body();
        }
    }

    fn braced(&mut self, kind: NodeKind) {
        self.head.kind = kind;
        self.at += 1;
        self.name_here();
        self.generics();
        let source = self.source;
        if kind == NodeKind::Trait && is_equals(source, self.at) {
            self.head.kind = NodeKind::TraitAlias;
            self.semicolon();
            self.head.signature = self.at..self.at;
            return;
        }
        self.seek_body();
        self.body();
    }

    fn type_alias(&mut self, place: Enclosing) {
        self.head.kind = match place {
            Enclosing::Module => NodeKind::TypeAlias,
            Enclosing::Impl | Enclosing::Trait => NodeKind::AssocType,
            Enclosing::Foreign => NodeKind::ForeignType,
        };
        self.at += 1;
        self.name_here();
        self.generics();
        self.semicolon();
        self.head.signature = self.at..self.at;
    }

    /// A constant or static; `static ref` is that of `lazy_static!`.
    fn value(&mut self, kind: NodeKind) {
        self.head.kind = kind;
        self.at += 1;
        if kind == NodeKind::Static && matches!(self.word(0), "mut" | "ref") {
            self.at += 1;
        }
        self.name_here();
        self.generics();
        let source = self.source;
        let value =
            find(source, self.at..self.end, |at| is_equals(source, at) || source.is(at, b';'));
        self.at = value;
        self.head.signature = value..value;
        self.semicolon();
        if is_equals(source, value) {
            let inside = self.head.end - usize::from(source.is(self.head.end - 1, b';'));
            self.head.body = Some(value + 1..inside.max(value + 1));
        }
    }

    fn import(&mut self) {
        self.head.kind = NodeKind::Import;
        self.head.anchor = self.at;
        let tree = self.at + 1;
        self.semicolon();
        self.head.first = tree..self.at.max(tree);
        self.head.signature = self.at..self.at;
    }

    fn extern_crate(&mut self) {
        self.head.kind = NodeKind::ExternCrate;
        self.at += 2;
        if self.word(1) == "as" {
            // The name that code uses is the second one; the first says which crate it is.
            self.head.first = self.at..self.at + 1;
            self.at += 2;
        }
        self.name_here();
        self.semicolon();
        self.head.signature = self.at..self.at;
    }

    fn foreign_mod(&mut self, brace: usize) {
        self.head.kind = NodeKind::ForeignMod;
        self.head.anchor = self.at;
        self.head.first = self.at..brace;
        self.at = brace;
        self.head.signature = brace..brace;
        self.body();
    }

    fn implementation(&mut self) {
        let source = self.source;
        self.head.kind = NodeKind::Impl;
        self.head.anchor = self.at;
        self.at += 1;
        if self.begins_generics() {
            self.generics();
        }
        if self.word(0) == "const" {
            self.at += 1;
        }
        if source.is(self.at, b'!') {
            self.head.negative = true;
            self.at += 1;
        }
        let start = self.at;
        self.seek_body();
        let end = self.at;
        let clause = find(source, start..end, |at| source.word(at) == "where");
        // The `for` of `dyn for<'a> Fn(&'a T)` follows no operand.
        let split = find(source, start..clause, |at| {
            let before = source.token(at.saturating_sub(1));
            source.word(at) == "for"
                && at > start
                && !super::source::is_keyword(source.word(at - 1))
                && (before.kind != Kind::Punct || before.is(b'>'))
        });
        if split < clause {
            self.head.first = start..split;
            self.head.second = split + 1..clause;
        } else {
            self.head.second = start..clause;
        }
        self.body();
    }

    /// Whether the `<` after `impl` begins generics: `impl <T as Trait>::Type { … }` has none.
    fn begins_generics(&self) -> bool {
        let source = self.source;
        let (first, second) = (self.at + 1, self.at + 2);
        let name = matches!(source.token(first).kind, Kind::Word | Kind::Lifetime);
        let behind = source.token(second);
        let ends = behind.is(b':') && !behind.glued
            || [b',', b'>', b'='].iter().any(|&byte| behind.is(byte));
        source.is(self.at, b'<')
            && (source.is(first, b'>')
                || source.is(first, b'#')
                || source.word(first) == "const"
                || name && ends)
    }

    /// `macro name(…) { … }`.
    fn macro_definition(&mut self) {
        self.head.kind = NodeKind::Macro;
        self.at += 1;
        self.name_here();
        self.head.signature = self.at..self.at;
        if self.source.is(self.at, b'(') {
            self.at = self.source.skip(self.at);
        }
        self.body();
    }

    /// `path! { … }`, `macro_rules! name { … }`, or what is not an item at all.
    fn macro_call(&mut self) {
        let source = self.source;
        let start = self.at;
        while self.at < self.end && (!source.word(self.at).is_empty() || source.is(self.at, b':')) {
            self.at += 1;
        }
        if self.at == start || !source.is(self.at, b'!') || self.at >= self.end {
            return self.unknown(start);
        }
        self.head.first = start..self.at;
        self.head.anchor = start;
        self.head.kind = NodeKind::MacroCall;
        let definition = source.word(self.at - 1) == "macro_rules";
        self.at += 1;
        if definition && !source.word(self.at).is_empty() {
            self.head.kind = NodeKind::Macro;
            self.name_here();
        } else if !source.word(self.at).is_empty() {
            // `name! ident { … }`, an old form.
            self.at += 1;
        }
        self.head.signature = self.at..self.at;
        let brace = source.is(self.at, b'{');
        self.body();
        let behind = self.head.end;
        if !brace && self.head.body.is_some() && behind < self.end && source.is(behind, b';') {
            self.head.end += 1;
        }
    }

    /// Something else: up to the `;` or the end of the first braces. A word before an opening
    /// bracket or the last word before the braces is its name.
    fn unknown(&mut self, start: usize) {
        let source = self.source;
        self.at = start;
        self.head.anchor = start;
        let stop = find(source, start..self.end, |at| source.is(at, b'{') || source.is(at, b';'));
        self.head.signature = stop..stop;
        let name = (start..stop)
            .find(|&at| !source.word(at).is_empty() && !super::source::is_keyword(source.word(at)));
        if let Some(name) = name {
            self.head.anchor = name;
            self.head.named = true;
        }
        self.at = stop;
        self.body();
    }
}

/// Whether `const` before this word is a qualifier.
fn is_qualified(next: &str) -> bool {
    matches!(
        next,
        "fn" | "unsafe" | "async" | "extern" | "trait" | "impl" | "auto" | "gen" | "safe"
    )
}
