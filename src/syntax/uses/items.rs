//! What each item uses: attributes, head and body, read where its head was found.

use super::super::head::Head;
use super::super::lexer::Kind;
use super::super::source::{Source, Toks};
use super::super::split::commas;
use super::reader::{Reader, close};
use super::regions::regions;
use super::signature;
use super::templates::macro_text;
use asof_model::{
    AttrUse, Binding, Expr, ExprId, FileUses, GenericUse, Header, ItemFacts, ItemUses, List,
    Mention, NodeKind, ParamUse, Pat, PathId, Pred, Seg, Ty, UsePath,
};

/// Where the parts of an item are.
#[derive(Debug)]
pub(in super::super) enum ItemSyntax {
    File,
    Item(Box<Head>),
    /// The visibility and the type.
    Field(Toks, Toks),
    /// The value.
    Variant(Toks),
}

/// Reads the uses of all items, and enters into each item what other files can see of it.
pub(in super::super) fn extract(
    source: &Source<'_>,
    items: &mut [ItemFacts],
    places: &[(Toks, Option<usize>)],
    origins: &[ItemSyntax],
) -> FileUses {
    let mut reader = Reader::new(source);
    for (at, (item, (toks, _))) in items.iter().zip(places).enumerate() {
        if item.in_body && item.text.is_some() {
            reader.inner.push((toks.start, toks.end, at as u32));
        }
    }
    reader.inner.sort_unstable();
    for ((item, (toks, _)), origin) in items.iter().zip(places).zip(origins) {
        let mut uses =
            ItemUses { span: item.span, own_text: item.text.is_some(), ..ItemUses::default() };
        reader.depth = 0;
        reader.names.begin_item();
        let mut mentions = Vec::new();
        if !matches!(origin, ItemSyntax::File) {
            reader.inside(toks.clone(), |r| r.attributes(&mut uses, &mut mentions));
        }
        match origin {
            ItemSyntax::File => {}
            ItemSyntax::Field(visibility, ty) => {
                uses.within = reader.within(visibility.clone());
                uses.ty = Some(reader.inside(ty.clone(), Reader::ty));
            }
            ItemSyntax::Variant(value) if value.is_empty() => {}
            ItemSyntax::Variant(value) => {
                uses.body = Some(reader.inside(value.clone(), |r| r.expr(false)));
            }
            ItemSyntax::Item(head) => {
                reader.item(item, head, &mut uses);
                reader.unread(item, head, &mut mentions);
            }
        }
        if matches!(item.header, Header::Module { inline: false, .. }) {
            // A declaration is not part of the module's own file, whose rows these are.
            mentions.clear();
            uses.declares = Some(item.name_start);
        }
        uses.mentions = close(&mut mentions, 0, &mut reader.uses.mentions);
        uses.named = close(&mut reader.names.in_item, 0, &mut reader.uses.named);
        reader.uses.items.push(uses);
    }
    let mut uses = reader.uses;
    uses.names = reader.names.texts;
    uses.lines = source.line_starts().to_vec();
    uses.regions = regions(source);
    for ((at, item), origin) in items.iter_mut().enumerate().zip(origins) {
        item.sig = match origin {
            ItemSyntax::Item(head)
                if matches!(item.kind, NodeKind::Macro | NodeKind::MacroCall) =>
            {
                macro_text(source, item, head)
            }
            _ => signature::signature_text(&uses, at, item.kind),
        };
    }
    uses.fit();
    uses
}

/// Attributes of well-known crates for tests (`rstest`, `test-case`) whose arguments are expressions.
const CASES: &[&str] = &["case", "test_case", "test_matrix"];

/// The attribute that lists macros of a crate.
const MACRO_USE: &str = "macro_use";

impl Reader<'_, '_> {
    /// Outer attributes: their paths, the names of derives, and values.
    fn attributes(&mut self, uses: &mut ItemUses, mentions: &mut Vec<Mention>) {
        let mut attrs = Vec::new();
        let mark = self.ids.len();
        loop {
            if self.token().kind == Kind::Doc && !self.done() {
                self.at += 1;
                continue;
            }
            if !self.is(b'#') || !self.is_at(1, b'[') {
                break;
            }
            self.at += 1;
            let inside = self.group();
            self.inside(inside.clone(), |r| r.attribute(uses, &mut attrs, 0));
            self.unread_arguments(inside, 0, mentions);
        }
        uses.attrs = close(&mut attrs, 0, &mut self.uses.attrs);
        uses.attr_values = self.close_ids(mark);
    }

    fn attribute(&mut self, uses: &mut ItemUses, attrs: &mut Vec<AttrUse>, depth: u32) {
        match self.word() {
            "doc" | "cfg" | "" => {}
            "unsafe" | "derive" | "cfg_attr" if self.is_at(1, b'(') && depth < 4 => {
                let word = self.word();
                self.at += 1;
                let inside = self.group();
                let mut parts = commas(self.source, inside).into_iter();
                if word == "cfg_attr" {
                    parts.next();
                }
                for part in parts {
                    self.inside(part, |r| {
                        if word == "derive" {
                            let path = r.path(true);
                            attrs.push(AttrUse { path, derive: true, named: None });
                        } else {
                            r.attribute(uses, attrs, depth + 1);
                        }
                    });
                }
            }
            word => {
                match word {
                    "proc_macro_derive" if self.is_at(1, b'(') => {
                        let name = self.source.name(self.at + 2);
                        uses.makes_macro = Some(self.names.number(name));
                    }
                    "proc_macro" | "proc_macro_attribute" => {
                        uses.makes_macro = Some(self.names.number(""));
                    }
                    _ => {}
                }
                let path = self.path(true);
                let last = self.source.name(self.at.saturating_sub(1));
                attrs.push(AttrUse { path, derive: false, named: None });
                if word == "macro_use" && self.is(b'(') {
                    let inside = self.group();
                    self.listed_macros(inside, attrs);
                } else if self.is(b'(') {
                    let inside = self.group();
                    self.named_arguments(path, inside.clone(), attrs);
                    if CASES.contains(&word) || CASES.contains(&last) {
                        self.cases(inside)
                    } else {
                        self.attribute_values(inside)
                    }
                }
            }
        }
    }

    /// Arguments of a case of a test: `#[case(Flex::Start, 10)]`, `#[test_case(1, 2 => 3)]`.
    fn cases(&mut self, toks: Toks) {
        for part in commas(self.source, toks) {
            self.inside(part, |r| {
                let value = r.expr(false);
                r.ids.push(value.0);
                if r.is_op(b"=>") {
                    r.at += 2;
                    let expected = r.expr(false);
                    r.ids.push(expected.0);
                }
            });
        }
    }

    /// `#[macro_use(name, …)]` of an `extern crate`.
    fn listed_macros(&mut self, toks: Toks, attrs: &mut Vec<AttrUse>) {
        let argument = self.names.number(MACRO_USE);
        for part in commas(self.source, toks) {
            let name = self.names.number(self.source.name(part.start));
            let path = self.inside(part, |r| r.path(true));
            attrs.push(AttrUse { path, derive: false, named: Some([argument, name]) });
        }
    }

    /// Arguments of an attribute that name a type alone: `#[attribute(name = Name)]`.
    fn named_arguments(&mut self, path: PathId, toks: Toks, attrs: &mut Vec<AttrUse>) {
        for part in commas(self.source, toks) {
            let at = part.start;
            let is_named = part.len() == 3
                && super::super::parts::is_equals(self.source, at + 1)
                && [at, at + 2].iter().all(|at| self.source.token(*at).kind == Kind::Word);
            let name = self.source.name(at + 2);
            if is_named && name.starts_with(char::is_uppercase) {
                let argument = self.names.number(self.source.name(at));
                let named = Some([argument, self.names.number(name)]);
                attrs.push(AttrUse { path, derive: false, named });
            }
        }
    }

    /// Expressions after `=` in `#[attribute(name = value)]`, onto the stack.
    fn attribute_values(&mut self, toks: Toks) {
        for part in commas(self.source, toks) {
            let behind = part.start + 2;
            let named = super::super::parts::is_equals(self.source, part.start + 1);
            if named && behind < part.end && self.source.token(behind).kind != Kind::Literal {
                let value = self.inside(behind..part.end, |r| r.expr(false));
                self.ids.push(value.0);
            }
        }
    }

    fn item(&mut self, item: &ItemFacts, head: &Head, uses: &mut ItemUses) {
        uses.within = self.within(head.visibility.clone());
        uses.generics = self.inside(head.generics.clone(), Reader::generics);
        let end = head.signature.end;
        match head.kind {
            NodeKind::Function | NodeKind::Method => self.function(head, uses),
            NodeKind::Struct | NodeKind::Union | NodeKind::Enum => {
                let from = behind_name(head);
                uses.preds = self.inside(from..end, |r| {
                    r.seek_where();
                    r.predicates()
                });
            }
            NodeKind::Trait | NodeKind::TraitAlias => self.inside(behind_name(head)..end, |r| {
                if r.take(b':') || r.take(b'=') {
                    uses.bounds = r.bounds();
                }
                uses.preds = r.predicates();
            }),
            NodeKind::TypeAlias | NodeKind::AssocType => {
                self.inside(behind_name(head)..head.end, |r| {
                    if r.take(b':') {
                        uses.bounds = r.bounds();
                    }
                    uses.preds = r.predicates();
                    if r.take(b'=') {
                        uses.ty = Some(r.ty());
                    }
                });
            }
            NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => {
                uses.ty = self.inside(behind_name(head)..end, |r| r.take(b':').then(|| r.ty()));
                let body = head.body.clone();
                uses.body = body.map(|body| self.inside(body, |r| r.expr(false)));
            }
            NodeKind::Impl => self.implementation(head, uses),
            NodeKind::Import => uses.uses = self.use_tree(head.first.clone()),
            NodeKind::ExternCrate => {
                let named = if head.first.is_empty() { head.anchor } else { head.first.start };
                let path = self.inside(named..named + 1, |r| r.path(true));
                self.ids.push(path.0);
                uses.uses = self.close_ids(self.ids.len() - 1);
            }
            NodeKind::MacroCall => self.macro_item(item, head, uses),
            NodeKind::Macro => self.macro_rules(head, uses),
            _ => {}
        }
    }

    /// The path in `pub(in path)`, `pub(crate)` and the like.
    fn within(&mut self, visibility: Toks) -> Option<PathId> {
        let start = match self.source.word(visibility.start + 2) {
            "in" => visibility.start + 3,
            _ => visibility.start + 2,
        };
        (visibility.end > start).then(|| self.inside(start..visibility.end - 1, |r| r.path(true)))
    }

    fn macro_item(&mut self, item: &ItemFacts, head: &Head, uses: &mut ItemUses) {
        let path = self.inside(head.first.clone(), |r| r.path(true));
        let tokens = match (&item.header, &head.body) {
            (Header::MacroCall { items: false }, Some(body)) => body.clone(),
            _ => 0..0,
        };
        let call = self.macro_call(path, tokens);
        uses.body = Some(self.add_expr(call));
    }

    fn function(&mut self, head: &Head, uses: &mut ItemUses) {
        uses.is_async = self.inside(head.signature.start..head.anchor, |r| {
            (r.at..r.end).any(|at| r.source.word(at) == "async")
        });
        uses.params = self.inside(head.params.clone(), Reader::parameters);
        self.inside(behind_params(head)..head.signature.end, |r| {
            uses.ret = r.returned();
            uses.preds = r.predicates();
        });
        if let Some(body) = &head.body {
            uses.body = Some(self.body(body.clone()));
        }
    }

    /// The block of a function.
    fn body(&mut self, toks: Toks) -> ExprId {
        let (stmts, value) = self.statements(toks);
        self.add_expr(Expr::Block(stmts, value, asof_model::BlockKind::Plain))
    }

    fn implementation(&mut self, head: &Head, uses: &mut ItemUses) {
        if !head.first.is_empty() {
            uses.of_trait = Some(self.inside(head.first.clone(), Reader::ty));
        }
        if !head.second.is_empty() {
            uses.ty = Some(self.inside(head.second.clone(), Reader::ty));
        }
        let from = head.second.end.max(head.first.end);
        uses.preds = self.inside(from..head.signature.end, Reader::predicates);
    }

    /// Parameters between `<` and `>`.
    fn generics(&mut self) -> List {
        let mut found = Vec::new();
        while !self.done() {
            let start = self.at;
            self.skip_attributes();
            if self.token().kind == Kind::Lifetime {
                // `'a: 'b + 'c`.
                while !self.done() && !self.is(b',') {
                    self.at += 1;
                }
            } else {
                let constant = self.take_word("const");
                if self.is_name() {
                    found.push(self.generic(constant));
                }
            }
            if !self.take(b',') && self.at == start {
                self.at = self.source.skip(self.at);
            }
        }
        close(&mut found, 0, &mut self.uses.generics)
    }

    fn generic(&mut self, constant: bool) -> GenericUse {
        let (name, _) = self.name();
        let mut generic =
            GenericUse { name, const_ty: None, bounds: List::default(), default: None };
        if self.take(b':') {
            if constant {
                generic.const_ty = Some(self.ty())
            } else {
                generic.bounds = self.bounds()
            }
        }
        if self.take(b'=') {
            if constant {
                self.expr(true);
            } else {
                generic.default = Some(self.ty())
            }
        }
        generic
    }

    fn seek_where(&mut self) {
        while !self.done() && self.word() != "where" {
            self.at = self.source.skip(self.at);
        }
    }

    /// `where …`, if it is next.
    fn predicates(&mut self) -> List {
        let mut found = Vec::new();
        if self.take_word("where") {
            while !self.done() && !self.is(b'=') {
                let start = self.at;
                if self.token().kind == Kind::Lifetime {
                    while !self.done() && !self.is(b',') {
                        self.at += 1;
                    }
                } else {
                    if self.take_word("for") {
                        self.skip_angles();
                    }
                    let ty = self.ty();
                    let bounds = if self.take(b':') { self.bounds() } else { List::default() };
                    found.push(Pred { ty, bounds });
                }
                if !self.take(b',') && (self.at == start || self.is(b'{')) {
                    break;
                }
            }
        }
        close(&mut found, 0, &mut self.uses.preds)
    }

    /// Parameters between `(` and `)`.
    pub(super) fn parameters(&mut self) -> List {
        let mark = self.params.len();
        while !self.done() {
            let start = self.at;
            self.skip_attributes();
            let param = self.receiver().unwrap_or_else(|| {
                let pat = self.single_pat();
                let colon = self.is_colon();
                if colon {
                    self.at += 1;
                    return ParamUse { pat, ty: Some(self.ty()), receiver: false };
                }
                // Edition 2015: a type without a name.
                self.at = start;
                let ty = (!self.is_op(b"...")).then(|| self.ty());
                let pat = self.add_pat(Pat::Wild);
                ParamUse { pat, ty, receiver: false }
            });
            self.params.push(param);
            while !self.done() && !self.is(b',') {
                self.at = self.source.skip(self.at);
            }
            self.take(b',');
        }
        self.close_params(mark)
    }

    fn receiver(&mut self) -> Option<ParamUse> {
        let start = self.at;
        let by_ref = self.take(b'&');
        if by_ref && self.token().kind == Kind::Lifetime {
            self.at += 1;
        }
        let mutable = self.take_word("mut");
        if self.word() != "self" || self.is_op_at(1, b"::") {
            self.at = start;
            return None;
        }
        let (name, at) = self.name();
        let pat = self.add_pat(Pat::Bind { name, at, by: Binding::Value, sub: None });
        let ty = if self.is_colon() {
            self.at += 1;
            self.ty()
        } else {
            let own = self.names.number("Self");
            let path = self.add_name(own, u32::MAX);
            let own = self.add_type(Ty::Path(path));
            if by_ref { self.add_type(Ty::Ref(own, mutable)) } else { own }
        };
        Some(ParamUse { pat, ty: Some(ty), receiver: true })
    }

    /// Every path of a `use` tree; ids of paths.
    fn use_tree(&mut self, toks: Toks) -> List {
        let mark = self.ids.len();
        // Subtrees with the path before them; a stack, since trees nest as the text likes.
        let mut todo: Vec<(Toks, bool, Vec<Seg>)> = vec![(toks, false, Vec::new())];
        while let Some((toks, mut global, mut path)) = todo.pop() {
            let group = self.inside(toks, |r| {
                if r.is_op(b"::") {
                    global |= path.is_empty();
                    r.at += 2;
                }
                loop {
                    if r.is(b'{') {
                        return Some(r.group());
                    }
                    if r.word().is_empty() {
                        return None;
                    }
                    let (name, at) = r.name();
                    path.push(Seg { name, at, args: List::default() });
                    if !r.take_op(b"::") {
                        return None;
                    }
                }
            });
            match group {
                Some(group) => {
                    let parts = commas(self.source, group);
                    let parts = parts.into_iter().rev();
                    todo.extend(parts.map(|part| (part, global, path.clone())));
                }
                None if path.is_empty() => {}
                None => {
                    let segs = close(&mut path, 0, &mut self.uses.segs);
                    let path = self.add_path(UsePath { global, qself: None, segs });
                    self.ids.push(path.0);
                }
            }
        }
        self.close_ids(mark)
    }
}

/// Index after the name and the generics.
fn behind_name(head: &Head) -> usize {
    if head.generics.is_empty() { head.anchor + 1 } else { head.generics.end + 1 }
}

fn behind_params(head: &Head) -> usize {
    match head.params.end {
        0 => head.anchor + 1,
        end => end + 1,
    }
}
