//! Items in macro calls: `cfg_rt! { … }`, `cfg_if! { if #[cfg(…)] { … } else { … } }`,
//! `thread_local! { … }`, `lazy_static! { … }`. The tokens of a call count as items only if all
//! of them parse as such. Bodies of `macro_rules!` are templates, and are not parsed.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, ForeignItem, ImplItem, Item, Macro, StmtMacro, TraitItem};

use super::attrs::Attributes;
use super::build::Context;
use super::head::{Enclosing, Head};
use super::lexer::Kind;
use super::macro_arguments::MAX_MACRO_DEPTH;
use super::source::{Source, Toks};
use super::spacing::join;
use super::walk::{Walker, begins_item, statement_start};
use asof_model::{Header, NodeKind};

/// Calls in calls that are looked into for items, before any item is found.
const MAX_NESTED_CALLS: u32 = 4;

/// All of the tokens as items, inner attributes before them allowed.
pub fn parse_all<T: Parse>(tokens: TokenStream) -> syn::Result<Vec<T>> {
    let parser = |input: ParseStream<'_>| {
        input.call(Attribute::parse_inner)?;
        let mut items = Vec::new();
        while !input.is_empty() {
            items.push(input.parse::<T>()?);
        }
        Ok(items)
    };
    parser.parse2(tokens)
}

/// Items of one stretch of tokens.
enum Items {
    Module(Vec<Item>),
    Impl(Vec<ImplItem>),
    Trait(Vec<TraitItem>),
    Foreign(Vec<ForeignItem>),
}

impl Items {
    fn parse(tokens: TokenStream, place: Enclosing) -> Option<Self> {
        match place {
            Enclosing::Module => parse_all(tokens).ok().map(Self::Module),
            Enclosing::Impl => parse_all(tokens).ok().map(Self::Impl),
            Enclosing::Trait => parse_all(tokens).ok().map(Self::Trait),
            Enclosing::Foreign => parse_all(tokens).ok().map(Self::Foreign),
        }
    }

    /// Whether one of them is more than a macro call, or such a call holds what is.
    fn any_real(&self, depth: u32) -> bool {
        let holds = |call: &Macro, place| {
            depth > 0
                && Self::parse(call.tokens.clone(), place)
                    .is_some_and(|items| items.any_real(depth - 1))
        };
        match self {
            Self::Module(items) => items.iter().any(|item| match item {
                Item::Macro(call) => call.ident.is_some() || holds(&call.mac, Enclosing::Module),
                _ => true,
            }),
            Self::Impl(items) => items.iter().any(|item| match item {
                ImplItem::Macro(call) => holds(&call.mac, Enclosing::Impl),
                _ => true,
            }),
            Self::Trait(items) => items.iter().any(|item| match item {
                TraitItem::Macro(call) => holds(&call.mac, Enclosing::Trait),
                _ => true,
            }),
            Self::Foreign(items) => items.iter().any(|item| match item {
                ForeignItem::Macro(call) => holds(&call.mac, Enclosing::Foreign),
                _ => true,
            }),
        }
    }

    fn walk(&self, walker: &mut Walker<'_, '_>, context: &Context) {
        match self {
            Self::Module(items) => walker.items(items, context),
            Self::Impl(items) => walker.impl_items(items, context),
            Self::Trait(items) => walker.trait_items(items, context),
            Self::Foreign(items) => walker.foreign_items(items, context),
        }
    }
}

/// Contents of a macro call.
enum Content {
    /// Items, or branches of items with their predicates and tokens.
    Parsed(Vec<(Items, Vec<String>, Toks)>),
    /// Statics of `lazy_static!` and `thread_local!`: where each begins and ends.
    Statics(Vec<Toks>),
}

/// Adds the items in a macro call that is itself an item.
pub(super) fn descend(
    walker: &mut Walker<'_, '_>,
    index: u32,
    call: &Macro,
    head: &Head,
    context: &Context,
) {
    let Some(body) = &head.body else { return };
    if head.kind == NodeKind::MacroCall
        && let Some(content) = content(walker, call, body, context)
    {
        fill(walker, index, content, body, context);
    }
}

/// Adds a macro call in statement position if it holds items; else it is an expression.
pub(super) fn statement(walker: &mut Walker<'_, '_>, call: &StmtMacro, context: &Context) {
    let start = walker.token_at(statement_start(call));
    let source = walker.build.source;
    let at = Attributes::default().outer(source, start, context.limit);
    let head = super::head::read(source, at, context.limit, Enclosing::Module);
    let Some(body) = &head.body else { return };
    if head.kind != NodeKind::MacroCall || start >= context.limit {
        return;
    }
    if let Some(content) = content(walker, &call.mac, body, context) {
        if walker.build.refuses(context) {
            return;
        }
        let (index, head) = walker.build.add(start, context);
        if let Some(body) = &head.body {
            fill(walker, index, content, body, context);
        }
    }
}

fn fill(walker: &mut Walker<'_, '_>, index: u32, content: Content, body: &Toks, context: &Context) {
    if let Some(item) = walker.build.items.get_mut(index as usize) {
        item.header = Header::MacroCall { items: true };
    }
    let inner =
        Context { macros: context.macros + 1, ..context.within(index, context.place, body) };
    match content {
        Content::Parsed(branches) => {
            for (items, cfg, toks) in branches {
                items.walk(walker, &Context { cfg, limit: toks.end, ..inner.clone() });
            }
        }
        Content::Statics(statics) => {
            for toks in statics {
                if walker.build.refuses(&inner) {
                    return;
                }
                walker.build.add(toks.start, &Context { limit: toks.end, ..inner.clone() });
            }
        }
    }
}

fn content(
    walker: &Walker<'_, '_>,
    call: &Macro,
    body: &Toks,
    context: &Context,
) -> Option<Content> {
    let source = walker.build.source;
    if context.macros >= MAX_MACRO_DEPTH {
        return None;
    }
    if may_begin(source, body) {
        let items = Items::parse(call.tokens.clone(), context.place);
        if let Some(items) = items.filter(|items| items.any_real(MAX_NESTED_CALLS)) {
            return Some(Content::Parsed(vec![(items, Vec::new(), body.clone())]));
        }
    }
    let name = call.path.segments.last().map(|segment| segment.ident.to_string());
    if context.place == Enclosing::Module
        && matches!(name.as_deref(), Some("thread_local" | "lazy_static"))
    {
        return statics(source, body).map(Content::Statics);
    }
    branches(walker, call, body, context)
}

/// Whether the tokens may begin a list of items: most macro calls are refused here.
fn may_begin(source: &Source<'_>, body: &Toks) -> bool {
    let mut attrs = Attributes::default();
    let at = attrs.inner(source, body.start, body.end);
    let at = attrs.outer(source, at, body.end);
    let call = source.is(at + 1, b'!') || source.is_op(at + 1, b"::");
    let word = source.token(at).kind == Kind::Word;
    at < body.end && (begins_item(source, at) || word && call)
}

/// The statics of a body for which syn has no grammar: `static ref A: T = …;` and a last static
/// without its semicolon.
fn statics(source: &Source<'_>, body: &Toks) -> Option<Vec<Toks>> {
    let mut found = Vec::new();
    let mut start = body.start;
    while start < body.end {
        let mut end = start;
        while end < body.end && !source.is(end, b';') {
            end = source.skip(end);
        }
        let end = (end + 1).min(body.end);
        let at = Attributes::default().outer(source, start, end);
        let at = super::head::behind_visibility(source, at);
        if source.word(at) != "static" {
            return None;
        }
        found.push(start..end);
        start = end;
    }
    (!found.is_empty()).then_some(found)
}

/// Branches in braces, each with its predicate: those of `cfg_if!` (`if #[cfg(…)] { … } else …`)
/// and of `match`-like macros (`predicate => { … }`). All of them must parse as items.
fn branches(
    walker: &Walker<'_, '_>,
    call: &Macro,
    body: &Toks,
    context: &Context,
) -> Option<Content> {
    let source = walker.build.source;
    let conditions = conditions(source, body)?;
    let mut groups = call.tokens.clone().into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
        _ => None,
    });
    let mut parsed = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for (condition, toks) in conditions {
        let items = Items::parse(groups.next()?.stream(), context.place)?;
        let mut cfg = Vec::new();
        match before.as_slice() {
            [] => {}
            [one] => cfg.push(format!("not({one})")),
            several => cfg.push(format!("not(any({}))", several.join(", "))),
        }
        if let Some(condition) = condition {
            cfg.push(condition.clone());
            before.push(condition);
        }
        parsed.push((items, cfg, toks));
    }
    parsed
        .iter()
        .any(|(items, ..)| items.any_real(MAX_NESTED_CALLS))
        .then_some(Content::Parsed(parsed))
}

/// The conditions and the tokens of the branches; `None` for another shape.
fn conditions(source: &Source<'_>, body: &Toks) -> Option<Vec<(Option<String>, Toks)>> {
    let mut found = Vec::new();
    let mut at = body.start;
    while at < body.end {
        let condition = match source.word(at) {
            "if" => {
                at += 1;
                Some(attribute_predicate(source, &mut at)?)
            }
            "else" if source.word(at + 1) == "if" => {
                at += 2;
                Some(attribute_predicate(source, &mut at)?)
            }
            "else" => {
                at += 1;
                None
            }
            _ => {
                let start = at;
                while at < body.end && !source.is_op(at, b"=>") {
                    at = source.skip(at);
                }
                let text = join(source, start..at);
                at += 2;
                let predicate = match text.strip_prefix("cfg(") {
                    Some(inner) => inner.strip_suffix(')').unwrap_or(inner).to_owned(),
                    None => text,
                };
                (predicate != "_").then_some(predicate)
            }
        };
        let behind = source.skip(at);
        if at >= body.end || !source.is(at, b'{') || behind <= at + 1 {
            return None;
        }
        found.push((condition, at + 1..behind - 1));
        at = behind + usize::from(source.is(behind, b',') && behind < body.end);
    }
    (!found.is_empty()).then_some(found)
}

/// The predicate of `#[cfg(…)]` at `at`; moves after it.
fn attribute_predicate(source: &Source<'_>, at: &mut usize) -> Option<String> {
    let mut attrs = Attributes::default();
    *at = attrs.outer(source, *at, source.skip(*at + 1));
    (!attrs.cfg.is_empty()).then(|| super::attrs::all(attrs.cfg))
}
