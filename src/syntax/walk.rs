//! Walks syn's tree: where each item begins, and how they nest.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{ForeignItem, ImplItem, Item, Stmt, TraitItem, Visibility};

use super::build::{Builder, Context};
use super::head::{Enclosing, Head};
use super::lexer::Kind;
use super::macros;
use super::metrics::{Scope, complexity};
use super::source::{Source, Toks};
use asof_model::{Block, ItemFacts, Metrics, NodeKind};

/// Walks trees whose text begins at byte `base` of the source.
pub(super) struct Walker<'b, 'a> {
    pub build: &'b mut Builder<'a>,
    pub base: u32,
}

impl Walker<'_, '_> {
    /// Index of the token where this span begins.
    pub(super) fn token_at(&self, span: Span) -> usize {
        let source = self.build.source;
        source.at_byte(source.byte_of(span.start(), self.base))
    }

    /// Adds the item that begins at this span, unless it is one too many or too deep.
    fn add(&mut self, span: Span, context: &Context) -> Option<(u32, Head)> {
        if self.build.refuses(context) {
            return None;
        }
        let start = self.token_at(span);
        (start < context.limit).then(|| self.build.add(start, context))
    }

    /// Items of a file, module or macro.
    pub(super) fn items(&mut self, items: &[Item], context: &Context) {
        for item in items {
            self.item(item, context);
        }
    }

    pub(super) fn item(&mut self, item: &Item, context: &Context) {
        let Some((index, head)) = self.add(item_start(item), context) else { return };
        let Some(body) = &head.body else { return };
        match item {
            Item::Mod(module) => {
                let items = module.content.as_ref().map_or(&[][..], |content| &content.1);
                self.items(items, &context.within(index, Enclosing::Module, body));
            }
            Item::Impl(item) => {
                self.impl_items(&item.items, &context.within(index, Enclosing::Impl, body));
            }
            Item::Trait(item) => {
                self.trait_items(&item.items, &context.within(index, Enclosing::Trait, body));
            }
            Item::ForeignMod(item) => {
                self.foreign_items(&item.items, &context.within(index, Enclosing::Foreign, body));
            }
            Item::Fn(item) => {
                self.measure(index, Scope::Free, &item.sig, &item.block);
                self.body(index, body, context, |v| v.visit_block(&item.block));
            }
            Item::Const(item) => self.body(index, body, context, |v| v.visit_expr(&item.expr)),
            Item::Static(item) => self.body(index, body, context, |v| v.visit_expr(&item.expr)),
            Item::Macro(item) if head.kind == NodeKind::MacroCall => {
                macros::descend(self, index, &item.mac, &head, context);
            }
            Item::Verbatim(tokens) => self.verbatim(index, tokens, &head, context),
            _ => {}
        }
    }

    pub(super) fn impl_items(&mut self, items: &[ImplItem], context: &Context) {
        for item in items {
            let Some((index, head)) = self.add(impl_item_start(item), context) else { continue };
            let Some(body) = &head.body else { continue };
            match item {
                ImplItem::Fn(item) => {
                    self.measure(index, Scope::Associated, &item.sig, &item.block);
                    self.body(index, body, context, |v| v.visit_block(&item.block));
                }
                ImplItem::Const(item) => {
                    self.body(index, body, context, |v| v.visit_expr(&item.expr));
                }
                ImplItem::Macro(item) => {
                    macros::descend(self, index, &item.mac, &head, context);
                }
                _ => {}
            }
        }
    }

    pub(super) fn trait_items(&mut self, items: &[TraitItem], context: &Context) {
        for item in items {
            let Some((index, head)) = self.add(trait_item_start(item), context) else { continue };
            let Some(body) = &head.body else { continue };
            match item {
                TraitItem::Fn(item) => {
                    if let Some(block) = &item.default {
                        self.measure(index, Scope::Associated, &item.sig, block);
                        self.body(index, body, context, |v| v.visit_block(block));
                    }
                }
                TraitItem::Const(item) => {
                    if let Some((_, value)) = &item.default {
                        self.body(index, body, context, |v| v.visit_expr(value));
                    }
                }
                TraitItem::Macro(item) => {
                    macros::descend(self, index, &item.mac, &head, context);
                }
                _ => {}
            }
        }
    }

    pub(super) fn foreign_items(&mut self, items: &[ForeignItem], context: &Context) {
        for item in items {
            let Some((index, head)) = self.add(foreign_item_start(item), context) else {
                continue;
            };
            if let ForeignItem::Macro(item) = item {
                macros::descend(self, index, &item.mac, &head, context);
            }
        }
    }

    /// What syn keeps as bare tokens: `const trait`, `impl const Trait for …`, `macro`.
    fn verbatim(&mut self, index: u32, tokens: &TokenStream, head: &Head, context: &Context) {
        let Some(body) = &head.body else { return };
        let Some(TokenTree::Group(group)) = tokens.clone().into_iter().last() else { return };
        match head.kind {
            NodeKind::Impl => {
                if let Ok(items) = macros::parse_all::<ImplItem>(group.stream()) {
                    self.impl_items(&items, &context.within(index, Enclosing::Impl, body));
                }
            }
            NodeKind::Trait => {
                if let Ok(items) = macros::parse_all::<TraitItem>(group.stream()) {
                    self.trait_items(&items, &context.within(index, Enclosing::Trait, body));
                }
            }
            _ => {}
        }
    }

    /// Measures the body of a function.
    fn measure(&mut self, index: u32, scope: Scope, sig: &syn::Signature, body: &syn::Block) {
        let name = sig.ident.to_string();
        let complexity = complexity(&name, scope, body);
        if let Some(item) = self.build.items.get_mut(index as usize) {
            let metrics = Metrics { complexity: Some(complexity), ..Metrics::default() };
            item.metrics = Some(Box::new(metrics));
        }
    }

    /// Items in the body of a function, constant or static.
    fn body(
        &mut self,
        index: u32,
        body: &Toks,
        context: &Context,
        visit: impl FnOnce(&mut Bodies<'_, '_, '_>),
    ) {
        if may_hold_items(self.build.source, body) {
            let context =
                Context { in_body: true, ..context.within(index, Enclosing::Module, body) };
            let first = self.build.items.len();
            let mut bodies = Bodies { walker: self, context, around: Vec::new() };
            visit(&mut bodies);
            let around = bodies.around;
            let items = self.build.items.iter_mut().skip(first);
            number_blocks(items.filter(|item| item.parent == index), &around);
        }
    }
}

/// Finds the items in a body.
struct Bodies<'w, 'b, 'a> {
    walker: &'w mut Walker<'b, 'a>,
    context: Context,
    /// For each block so far, the one around it.
    around: Vec<Option<u32>>,
}

/// Numbers the blocks that declare these items, and no others: an edit of a body that declares the
/// same items in the same blocks changes no item tree. `around`: for each block of the body, the one
/// around it.
fn number_blocks<'i>(items: impl Iterator<Item = &'i mut ItemFacts>, around: &[Option<u32>]) {
    let items: Vec<_> = items.collect();
    let declaring = items.iter().filter_map(|item| Some(item.block?.number));
    let declaring: BTreeSet<u32> = declaring.collect();
    let numbers: BTreeMap<u32, u32> = declaring.into_iter().zip(0..).collect();
    for item in items {
        let Some(block) = item.block else { continue };
        let outer = |at: &u32| around.get(*at as usize).copied().flatten();
        let outers = std::iter::successors(outer(&block.number), outer);
        let outer = outers.into_iter().find_map(|at| numbers.get(&at).copied());
        item.block = numbers.get(&block.number).map(|&number| Block { number, outer });
    }
}

impl<'ast> Visit<'ast> for Bodies<'_, '_, '_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let own = Block { number: self.around.len() as u32, outer: None };
        let outer = self.context.block.replace(own);
        self.around.push(outer.map(|outer| outer.number));
        syn::visit::visit_block(self, block);
        self.context.block = outer;
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        match stmt {
            Stmt::Item(item) => self.walker.item(item, &self.context),
            Stmt::Macro(call) => macros::statement(self.walker, call, &self.context),
            _ => syn::visit::visit_stmt(self, stmt),
        }
    }

    // These contain no items of interest, and are most of a tree's nodes.
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
    fn visit_lit(&mut self, _: &'ast syn::Lit) {}
}

/// Whether an item can begin with this word.
pub(super) fn begins_item(source: &Source<'_>, at: usize) -> bool {
    let next = source.token(at + 1);
    match source.word(at) {
        "fn" | "struct" | "enum" | "trait" | "mod" | "type" | "use" | "impl" | "extern" | "pub"
        | "static" | "macro" | "crate" => true,
        "const" | "unsafe" | "async" | "union" | "default" | "auto" | "safe" => {
            next.kind == Kind::Word
        }
        "macro_rules" => next.is(b'!'),
        _ => false,
    }
}

/// A cheap check of a body's tokens: most bodies contain no item, and need no visit. It may say yes
/// for nothing, but never no wrongly: an item in a body begins after `{`, `}`, `;`, an
/// attribute or documentation.
pub(super) fn may_hold_items(source: &Source<'_>, body: &Toks) -> bool {
    body.clone().any(|at| {
        let token = source.token(at);
        if token.kind != Kind::Word {
            return false;
        }
        let before = source.token(at.wrapping_sub(1));
        let starts = matches!(before.byte, b'{' | b'}' | b';' | b']') || before.doc;
        if starts && begins_item(source, at) {
            return true;
        }
        // A macro call whose tokens might be items.
        let inside = at + 3;
        source.is(at + 1, b'!')
            && source.token(at + 2).kind == Kind::Open
            && (source.is(inside, b'#')
                || source.token(inside).kind == Kind::Doc
                || source.word(inside) == "if"
                || begins_item(source, inside))
    })
}

/// The start of the first of these that exists.
macro_rules! first {
    ($attrs:expr, $($part:expr),+ ; $last:expr) => {{
        if let Some(attr) = outer(&$attrs) {
            return attr;
        }
        $(if let Some(span) = $part {
            return span;
        })+
        $last
    }};
}

fn outer(attrs: &[syn::Attribute]) -> Option<Span> {
    let first = attrs.first()?;
    matches!(first.style, syn::AttrStyle::Outer).then_some(first.pound_token.spans[0])
}

fn vis(visibility: &Visibility) -> Option<Span> {
    match visibility {
        Visibility::Public(token) => Some(token.span),
        Visibility::Restricted(restricted) => Some(restricted.pub_token.span),
        Visibility::Inherited => None,
    }
}

fn path(path: &syn::Path) -> Span {
    match (&path.leading_colon, path.segments.first()) {
        (Some(colon), _) => colon.spans[0],
        (None, Some(segment)) => segment.ident.span(),
        (None, None) => Span::call_site(),
    }
}

fn verbatim(tokens: &TokenStream) -> Span {
    tokens.clone().into_iter().next().map_or_else(Span::call_site, |tree| tree.span())
}

fn signature(sig: &syn::Signature) -> Span {
    let safety = match &sig.safety {
        syn::Safety::Safe(token) => Some(token.span),
        syn::Safety::Unsafe(token) => Some(token.span),
        syn::Safety::Default => None,
    };
    let abi = sig.abi.as_ref().map(|abi| abi.extern_token.span);
    let constness = sig.constness.as_ref().map(|token| token.span);
    let asyncness = sig.asyncness.as_ref().map(|token| token.span);
    constness.or(asyncness).or(safety).or(abi).unwrap_or(sig.fn_token.span)
}

macro_rules! span {
    ($token:expr) => {
        $token.as_ref().map(|token| token.span)
    };
}

fn item_start(item: &Item) -> Span {
    match item {
        Item::Const(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            i.const_token.span),
        Item::Enum(i) => first!(i.attrs, vis(&i.vis); i.enum_token.span),
        Item::ExternCrate(i) => first!(i.attrs, vis(&i.vis); i.extern_token.span),
        Item::Fn(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            signature(&i.sig)),
        Item::ForeignMod(i) => first!(i.attrs, span!(i.unsafety); i.abi.extern_token.span),
        Item::Impl(i) => first!(i.attrs, span!(i.modifiers.defaultness), span!(i.unsafety);
            i.impl_token.span),
        Item::Macro(i) => first!(i.attrs, None::<Span>; path(&i.mac.path)),
        Item::Mod(i) => first!(i.attrs, vis(&i.vis), span!(i.unsafety); i.mod_token.span),
        Item::Static(i) => first!(i.attrs, vis(&i.vis); i.static_token.span),
        Item::Struct(i) => first!(i.attrs, vis(&i.vis); i.struct_token.span),
        Item::Trait(i) => first!(i.attrs, vis(&i.vis), span!(i.unsafety),
            span!(i.modifiers.auto_token); i.trait_token.span),
        Item::TraitAlias(i) => first!(i.attrs, vis(&i.vis); i.trait_token.span),
        Item::Type(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            i.type_token.span),
        Item::Union(i) => first!(i.attrs, vis(&i.vis); i.union_token.span),
        Item::Use(i) => first!(i.attrs, vis(&i.vis); i.use_token.span),
        Item::Verbatim(tokens) => verbatim(tokens),
        _ => Span::call_site(),
    }
}

fn impl_item_start(item: &ImplItem) -> Span {
    match item {
        ImplItem::Const(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            i.const_token.span),
        ImplItem::Fn(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            signature(&i.sig)),
        ImplItem::Type(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            i.type_token.span),
        ImplItem::Macro(i) => first!(i.attrs, None::<Span>; path(&i.mac.path)),
        ImplItem::Verbatim(tokens) => verbatim(tokens),
        _ => Span::call_site(),
    }
}

fn trait_item_start(item: &TraitItem) -> Span {
    match item {
        TraitItem::Const(i) => first!(i.attrs, span!(i.modifiers.defaultness);
            i.const_token.span),
        TraitItem::Fn(i) => first!(i.attrs, span!(i.modifiers.defaultness); signature(&i.sig)),
        TraitItem::Type(i) => first!(i.attrs, span!(i.modifiers.defaultness); i.type_token.span),
        TraitItem::Macro(i) => first!(i.attrs, None::<Span>; path(&i.mac.path)),
        TraitItem::Verbatim(tokens) => verbatim(tokens),
        _ => Span::call_site(),
    }
}

fn foreign_item_start(item: &ForeignItem) -> Span {
    match item {
        ForeignItem::Fn(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            signature(&i.sig)),
        ForeignItem::Static(i) => {
            let safety = match &i.safety {
                syn::Safety::Safe(token) => Some(token.span),
                syn::Safety::Unsafe(token) => Some(token.span),
                syn::Safety::Default => None,
            };
            first!(i.attrs, vis(&i.vis), safety; i.static_token.span)
        }
        ForeignItem::Type(i) => first!(i.attrs, vis(&i.vis), span!(i.modifiers.defaultness);
            i.type_token.span),
        ForeignItem::Macro(i) => first!(i.attrs, None::<Span>; path(&i.mac.path)),
        ForeignItem::Verbatim(tokens) => verbatim(tokens),
        _ => Span::call_site(),
    }
}

/// Where a macro call in statement position begins.
pub(super) fn statement_start(call: &syn::StmtMacro) -> Span {
    first!(call.attrs, None::<Span>; path(&call.mac.path))
}
