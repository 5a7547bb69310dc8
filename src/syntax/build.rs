//! Builds the facts of items from their heads. A parser only says where an item begins; its facts,
//! hashes and text are made here.

use super::attrs::{Attributes, all};
use super::hashes::TokenHashes;
use super::head::{Enclosing, Head, behind_visibility, read};
use super::metrics;
use super::parts::{generics, is_equals, params, path_ref, use_leaves};
use super::source::{Source, Toks};
use super::spacing::{join, join_bare};
use super::split::{commas, find};
use super::test_code::marks_test;
use super::uses::{self, ItemSyntax};
use asof_model::{Block, FileUses, Header, ItemFacts, NodeKind, ShapeHash, TextHash, TrackingHash};

/// Nesting of items above which no further ones are recognised: the cost of hashing is the depth
/// times the length of the text.
pub(super) const MAX_ITEM_DEPTH: u32 = 128;

/// Items of a file, fields and variants included. Each costs kilobytes while its rows are written,
/// and a file may consist of items of ten bytes.
pub(super) const MAX_ITEMS: usize = 100_000;

/// What surrounds an item.
#[derive(Debug, Clone)]
pub(super) struct Context {
    pub parent: u32,
    pub in_body: bool,
    /// The block that it is a statement of.
    pub block: Option<Block>,
    pub place: Enclosing,
    pub depth: u32,
    /// Macro invocations around it whose tokens were parsed.
    pub macros: u32,
    /// Predicates of the macro branch that it is in.
    pub cfg: Vec<String>,
    /// Tokens of the surrounding body.
    pub limit: usize,
}

impl Context {
    /// The context of what is in the body of this item.
    pub(super) fn within(&self, index: u32, place: Enclosing, body: &Toks) -> Context {
        Context {
            parent: index,
            in_body: self.in_body,
            block: None,
            place,
            depth: self.depth + 1,
            macros: self.macros,
            cfg: Vec::new(),
            limit: body.end,
        }
    }
}

/// Items of a file while they are built.
pub(super) struct Builder<'a> {
    pub source: &'a Source<'a>,
    pub items: Vec<ItemFacts>,
    /// Tokens and name of each item.
    places: Vec<(Toks, Option<usize>)>,
    /// Parts of each item.
    origins: Vec<ItemSyntax>,
    /// Whether an item was nested too deeply to be recognised.
    pub too_deep: bool,
    /// Whether there are more items than are recognised.
    pub too_many: bool,
}

impl<'a> Builder<'a> {
    /// Begins with item 0, the file.
    pub(super) fn new(source: &'a Source<'a>) -> Self {
        let mut builder = Builder {
            source,
            items: vec![],
            places: vec![],
            origins: vec![],
            too_deep: false,
            too_many: false,
        };
        let end = source.tokens.len();
        let mut attrs = Attributes::default();
        attrs.inner(source, 0, end);
        let mut file = empty_item();
        file.span = source.span(0, source.text.len() as u32);
        file.text = Some((TextHash::hash(b""), Vec::new()));
        file.docs = attrs.docs();
        file.attrs = attrs.relative(&file.span);
        file.header = Header::Module {
            inline: false,
            path: None,
            cfg_path: Vec::new(),
            macro_use: attrs.macro_use,
        };
        file.cfg = all(std::mem::take(&mut attrs.cfg));
        builder.items.push(file);
        builder.places.push((0..end, None));
        builder.origins.push(ItemSyntax::File);
        builder
    }

    /// The context of the file's own items.
    pub(super) fn top(&self) -> Context {
        Context {
            parent: 0,
            in_body: false,
            block: None,
            place: Enclosing::Module,
            depth: 0,
            macros: 0,
            cfg: Vec::new(),
            limit: self.source.tokens.len(),
        }
    }

    /// Whether no further item is recognised here.
    pub(super) fn refuses(&mut self, context: &Context) -> bool {
        self.too_deep |= context.depth >= MAX_ITEM_DEPTH;
        context.depth >= MAX_ITEM_DEPTH || self.is_full()
    }

    fn is_full(&mut self) -> bool {
        let is_full = self.items.len() >= MAX_ITEMS;
        self.too_many |= is_full;
        is_full
    }

    /// Adds the item that begins at this token, attributes included, and its fields or variants.
    pub(super) fn add(&mut self, start: usize, context: &Context) -> (u32, Head) {
        let source = self.source;
        let mut attrs = Attributes::default();
        let at = attrs.outer(source, start, context.limit);
        let head = read(source, at, context.limit, context.place);
        if let (Some(body), true) = (&head.body, takes_inner_attributes(head.kind)) {
            attrs.inner(source, body.start, body.end);
        }
        let toks = start..head.end;
        let mut item = empty_item();
        item.kind = head.kind;
        item.parent = context.parent;
        item.in_body = context.in_body;
        item.block = context.block;
        item.visibility = join(source, head.visibility.clone());
        item.signature = join_bare(source, head.signature.clone());
        item.span = source.span_of(&toks);
        item.docs = attrs.docs();
        item.attrs = attrs.relative(&item.span);
        item.generics = generics(source, head.generics.clone(), &item.span);
        item.params = params(source, head.params.clone(), &item.span);
        item.name_start = source.token(head.anchor).start;
        item.name_line = source.line(item.name_start);
        item.header = self.header(&head, &mut attrs);
        item.name = self.name(&head, &item.header);
        item.cfg = all([context.cfg.clone(), std::mem::take(&mut attrs.cfg)].concat());
        item.text = Some((TextHash::hash(b""), Vec::new()));
        let name = head.named.then_some(head.anchor);
        let index = self.push(item, toks, name, ItemSyntax::Item(Box::new(head.clone())));
        match (head.kind, &head.body) {
            (NodeKind::Struct | NodeKind::Union, Some(body)) => {
                self.fields(body.clone(), index, context.in_body);
            }
            (NodeKind::Enum, Some(body)) => self.variants(body.clone(), index, context.in_body),
            _ => {}
        }
        (index, head)
    }

    fn push(
        &mut self,
        item: ItemFacts,
        toks: Toks,
        name: Option<usize>,
        origin: ItemSyntax,
    ) -> u32 {
        self.items.push(item);
        self.origins.push(origin);
        self.places.push((toks, name));
        self.items.len() as u32 - 1
    }

    fn header(&self, head: &Head, attrs: &mut Attributes) -> Header {
        let source = self.source;
        match head.kind {
            NodeKind::Module => Header::Module {
                inline: head.body.is_some(),
                path: attrs.path.take(),
                cfg_path: std::mem::take(&mut attrs.cfg_path),
                macro_use: attrs.macro_use,
            },
            NodeKind::Import => Header::Import { leaves: use_leaves(source, head.first.clone()) },
            NodeKind::ExternCrate => {
                let of = source.name(head.first.start);
                let of = (!head.first.is_empty()).then(|| of.to_owned());
                Header::ExternCrate { of, macro_use: attrs.macro_use }
            }
            NodeKind::Impl => Header::Impl {
                self_type: path_ref(source, head.second.clone()),
                of_trait: (!head.first.is_empty()).then(|| path_ref(source, head.first.clone())),
                negative: head.negative,
            },
            NodeKind::Struct => match &head.body {
                Some(body) if source.is(body.end, b'}') => Header::Braced,
                _ => Header::None,
            },
            NodeKind::Macro => Header::Macro { exported: attrs.macro_export },
            NodeKind::MacroCall => Header::MacroCall { items: false },
            _ => Header::None,
        }
    }

    fn name(&self, head: &Head, header: &Header) -> String {
        match (head.kind, header) {
            (NodeKind::Impl, Header::Impl { self_type, of_trait: Some(of_trait), negative }) => {
                let mark = if *negative { "!" } else { "" };
                format!("impl {mark}{} for {}", of_trait.text, self_type.text)
            }
            (NodeKind::Impl, Header::Impl { self_type, .. }) => {
                format!("impl {}", self_type.text)
            }
            (NodeKind::Import | NodeKind::ForeignMod | NodeKind::MacroCall, _) => {
                join(self.source, head.first.clone())
            }
            _ if head.named => self.source.name(head.anchor).to_owned(),
            _ => String::new(),
        }
    }

    /// The fields of a struct, union or variant: in braces they are named, else numbered.
    fn fields(&mut self, body: Toks, parent: u32, in_body: bool) {
        let source = self.source;
        let tuple = source.is(body.start.wrapping_sub(1), b'(');
        for (ordinal, toks) in commas(source, body).into_iter().enumerate() {
            if self.is_full() {
                return;
            }
            let mut item = empty_item();
            let (mut attrs, head) = self.member(&mut item, &toks);
            if head >= toks.end {
                continue;
            }
            let behind = behind_visibility(source, head).min(toks.end - 1);
            item.kind = NodeKind::Field;
            item.parent = parent;
            item.in_body = in_body;
            item.visibility = join(source, head..behind);
            // A default value (unstable) is not part of the head.
            let value = find(source, behind..toks.end, |at| is_equals(source, at));
            item.signature = join_bare(source, head..value);
            item.cfg = all(std::mem::take(&mut attrs.cfg));
            item.name_start = source.token(behind).start;
            item.name_line = source.line(item.name_start);
            item.name = if tuple { ordinal.to_string() } else { source.name(behind).to_owned() };
            let name = (!tuple).then_some(behind);
            let ty = if tuple { behind } else { (behind + 2).min(value) };
            self.push(item, toks, name, ItemSyntax::Field(head..behind, ty..value));
        }
    }

    fn variants(&mut self, body: Toks, parent: u32, in_body: bool) {
        let source = self.source;
        let mut start = body.start;
        while start < body.end && !self.is_full() {
            let mut end =
                find(source, start..body.end, |at| source.is(at, b',') || is_equals(source, at));
            // A discriminant is an expression: `<` may compare or shift there.
            if is_equals(source, end) {
                while end < body.end && !source.is(end, b',') {
                    let turbofish = source.is_op(end, b"::") && source.is(end + 2, b'<');
                    end = if turbofish {
                        super::parts::behind_angles(source, end + 2, body.end)
                    } else {
                        source.skip(end)
                    };
                }
            }
            let toks = start..end.min(body.end);
            start = end + 1;
            let equals = find(source, toks.clone(), |at| is_equals(source, at)).saturating_add(1);
            if toks.is_empty() {
                continue;
            }
            let mut item = empty_item();
            let (mut attrs, head) = self.member(&mut item, &toks);
            if head >= toks.end {
                continue;
            }
            let name = behind_visibility(source, head).min(toks.end - 1);
            item.kind = NodeKind::Variant;
            item.parent = parent;
            item.in_body = in_body;
            item.signature = join_bare(source, head..toks.end);
            item.cfg = all(std::mem::take(&mut attrs.cfg));
            item.name_start = source.token(name).start;
            item.name_line = source.line(item.name_start);
            item.name = source.name(name).to_owned();
            let end = toks.end;
            let value = equals.min(end)..end;
            let open = name + 1;
            if open < end && source.is(open, b'{') {
                item.header = Header::Braced;
            }
            let index = self.push(item, toks, Some(name), ItemSyntax::Variant(value));
            if open < end && (source.is(open, b'{') || source.is(open, b'(')) {
                self.fields(open + 1..(source.skip(open) - 1).min(end), index, in_body);
            }
        }
    }

    /// What fields and variants share; returns the index after the attributes.
    fn member(&self, item: &mut ItemFacts, toks: &Toks) -> (Attributes, usize) {
        let mut attrs = Attributes::default();
        let head = attrs.outer(self.source, toks.start, toks.end);
        item.span = self.source.span_of(toks);
        item.docs = attrs.docs();
        item.attrs = attrs.relative(&item.span);
        (attrs, head)
    }

    /// Fills in hashes, texts and signatures. Returns the items, what they use, and the hash of
    /// the file.
    pub(super) fn finish(mut self) -> (Vec<ItemFacts>, FileUses, TrackingHash) {
        let hashes = TokenHashes::new(self.source);
        for (item, (toks, name)) in self.items.iter_mut().zip(&self.places) {
            item.tracking_hash = hashes.tracking(toks.clone());
            item.shape_hash = hashes.shape(toks.clone(), *name);
            item.start_column = self.source.column(item.span.start_byte);
            item.marks_test = marks_test(&item.cfg, &item.attrs);
        }
        self.texts();
        let heads: Vec<u32> =
            self.origins.iter().zip(&self.items).map(|(o, i)| self.head(o, i)).collect();
        metrics::measure(self.source, &mut self.items, &heads);
        let uses = uses::extract(self.source, &mut self.items, &self.places, &self.origins);
        let token_hash = hashes.tracking(0..self.source.tokens.len());
        (self.items, uses, token_hash)
    }

    /// First byte of an item after documentation and attributes.
    fn head(&self, origin: &ItemSyntax, item: &ItemFacts) -> u32 {
        match origin {
            ItemSyntax::Item(head) => self.source.token(head.signature.start).start,
            _ => item.span.start_byte,
        }
    }

    /// Text of every item but fields and variants, with holes where its children are.
    fn texts(&mut self) {
        let bytes = self.source.text.as_bytes();
        let mut texts: Vec<(Vec<u8>, u32)> =
            self.items.iter().map(|item| (Vec::new(), item.span.start_byte)).collect();
        for (i, item) in self.items.iter().enumerate() {
            if i == 0 || item.text.is_none() {
                continue;
            }
            if let Some((text, from)) = texts.get_mut(item.parent as usize) {
                let part = bytes.get(*from as usize..item.span.start_byte as usize);
                text.extend_from_slice(part.unwrap_or_default());
                *from = item.span.end_byte;
            }
        }
        for (item, (mut text, from)) in self.items.iter_mut().zip(texts) {
            if item.text.is_some() {
                let rest = bytes.get(from as usize..item.span.end_byte as usize);
                text.extend_from_slice(rest.unwrap_or_default());
                text.shrink_to_fit();
                item.text = Some((TextHash::hash(&text), text));
            }
        }
    }
}

fn takes_inner_attributes(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Module
            | NodeKind::Function
            | NodeKind::Method
            | NodeKind::Impl
            | NodeKind::Trait
            | NodeKind::ForeignMod
    )
}

/// An item about which nothing is known yet: the file's module.
pub(super) fn empty_item() -> ItemFacts {
    ItemFacts {
        kind: NodeKind::Module,
        name: String::new(),
        parent: 0,
        in_body: false,
        block: None,
        visibility: String::new(),
        signature: String::new(),
        docs: String::new(),
        cfg: String::new(),
        attrs: Vec::new(),
        marks_test: false,
        generics: Vec::new(),
        params: Vec::new(),
        span: Default::default(),
        start_column: 0,
        name_start: 0,
        name_line: 1,
        tracking_hash: TrackingHash::hash(b""),
        shape_hash: ShapeHash::hash(b""),
        text: None,
        metrics: None,
        header: Header::None,
        sig: String::new(),
        made: false,
    }
}
