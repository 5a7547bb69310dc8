//! Parses the items of a text that syn refuses. A tolerant parser says where items may begin and
//! end. Each item that parses on its own is handled like any other; only broken ones are read from
//! their tokens alone.

use std::ops::ControlFlow;

use proc_macro2::extra::invalidate_current_thread_spans;
use syn::parse::Parse;
use syn::{ForeignItem, ImplItem, Item, TraitItem};
use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::attrs::Attributes;
use super::build::{Builder, Context};
use super::depth::{begins_anew, too_deep};
use super::head::{self, Enclosing};
use super::lexer::Kind;
use super::source::{Source, Toks};
use super::strict::strictly;
use super::walk::{Walker, begins_item};
use asof_model::NodeKind;

/// Calls of the progress callback (one in about 100 steps of the parser) allowed for every
/// 100 bytes of text. Broken real code takes fewer than 10.
const STEPS: usize = 100;

/// Bytes given to the strict parser, in multiples of the text's length: an item is tried first,
/// and if it is broken, the items in it.
const TRIES: usize = 6;

/// Where the tolerant parser saw an item: bytes of the source.
struct Candidate {
    start: u32,
    end: u32,
}

/// Adds the items of a broken text.
pub(super) fn items(builder: &mut Builder<'_>) {
    let source = builder.source;
    let code = source.text.get(source.prelude..).unwrap_or_default();
    let Some(tree) = parse(code) else { return };
    let mut recovery = Recovery {
        open: vec![(source.tokens.len(), builder.top())],
        behind: 0,
        budget: code.len().saturating_mul(TRIES),
        builder,
    };
    let seen = candidates(&tree, source.prelude as u32);
    for candidate in with_gaps(source, seen) {
        recovery.item(&candidate);
    }
}

/// Levels of modules, impls and traits that are opened to find an item that nests too deeply.
const OPENED: usize = 8;

/// Adds the items that are not too deep to be parsed. Of modules, impls and traits around one that
/// is, the others are added too. Returns where those that are left out are too deep.
pub(super) fn shallow_items(builder: &mut Builder<'_>) -> Vec<u32> {
    let end = builder.source.tokens.len();
    let context = builder.top();
    let budget = builder.source.text.len().saturating_mul(TRIES);
    let mut recovery = Recovery { open: Vec::new(), behind: 0, budget, builder };
    let mut deep = Vec::new();
    recovery.shallow(0..end, &context, OPENED, &mut deep);
    deep
}

/// Stretches of tokens that may be an item each, by brackets, braces and semicolons alone.
fn pieces(source: &Source<'_>, toks: Toks) -> Vec<Toks> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (toks.start, toks.start);
    while at < toks.end {
        let next = source.skip(at).clamp(at + 1, toks.end);
        let ended = source.is(at, b';')
            || source.is(at, b'{') && (next == toks.end || begins_anew(source, next));
        at = next;
        if ended || at == toks.end {
            pieces.push(start..at);
            start = at;
        }
    }
    pieces
}

/// Adds what is between the candidates and begins like an item: the tolerant parser gives up
/// on an item whose brace is never closed.
fn with_gaps(source: &Source<'_>, seen: Vec<Candidate>) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut behind = 0;
    let end = source.text.len() as u32;
    for candidate in seen.into_iter().chain([Candidate { start: end, end }]) {
        if candidate.start >= behind {
            gap(source, behind, candidate.start, &mut all);
        }
        behind = behind.max(candidate.end);
        all.push(candidate);
    }
    all
}

fn gap(source: &Source<'_>, from: u32, to: u32, all: &mut Vec<Candidate>) {
    let last = source.at_byte(to);
    let begins = |&at: &usize| {
        let before = source.token(at.wrapping_sub(1));
        let free = matches!(before.byte, b'{' | b'}' | b';' | b']' | 0) || before.doc;
        free && begins_item(source, at)
    };
    let mut starts = (source.at_byte(from)..last).filter(begins).peekable();
    while let Some(at) = starts.next() {
        let next = starts.peek().copied().unwrap_or(last);
        // Up to what belongs to the next item.
        let next = with_attributes(source, next, at + 1);
        all.push(Candidate { start: source.token(at).start, end: source.token(next - 1).end });
    }
}

/// A tree of the text, broken or not; `None` when it takes too many steps.
fn parse(code: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
    let mut left = 10_000 + code.len() / 100 * STEPS;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = code.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}

/// Every node that is an item, in the order of the text, parents first.
fn candidates(tree: &Tree, base: u32) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if is_item(&node) {
            let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
            found.push(Candidate { start: base + start, end: base + end });
        }
        // Tokens in macro calls and macro definitions are not items.
        let closed = matches!(node.kind(), "token_tree" | "macro_definition");
        if !closed && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn is_item(node: &Node<'_>) -> bool {
    match node.kind() {
        "function_item"
        | "function_signature_item"
        | "struct_item"
        | "enum_item"
        | "union_item"
        | "trait_item"
        | "impl_item"
        | "mod_item"
        | "const_item"
        | "static_item"
        | "type_item"
        | "associated_type"
        | "use_declaration"
        | "extern_crate_declaration"
        | "foreign_mod_item"
        | "macro_definition" => true,
        "macro_invocation" => {
            let parent = node.parent();
            let outer = match parent {
                Some(statement) if statement.kind() == "expression_statement" => statement.parent(),
                other => other,
            };
            outer.is_some_and(|p| matches!(p.kind(), "source_file" | "declaration_list"))
        }
        _ => false,
    }
}

struct Recovery<'b, 'a> {
    builder: &'b mut Builder<'a>,
    /// Items that surround the next: the token after each, and the context in it.
    open: Vec<(usize, Context)>,
    /// The token after the last item that was added.
    behind: usize,
    budget: usize,
}

impl Recovery<'_, '_> {
    /// Adds the items in these tokens that are not too deep.
    fn shallow(&mut self, toks: Toks, context: &Context, levels: usize, deep: &mut Vec<u32>) {
        let source = self.builder.source;
        for piece in pieces(source, toks) {
            let start = Attributes::default().inner(source, piece.start, piece.end);
            let head = Attributes::default().outer(source, start, piece.end);
            if head >= piece.end {
                continue;
            }
            let context = Context { limit: piece.end, ..context.clone() };
            let Some(at) = too_deep(source, piece.clone()) else {
                if !self.strictly(start, piece.end, &context) && begins_item(source, head) {
                    self.builder.add(start, &context);
                }
                continue;
            };
            let read = head::read(source, head, piece.end, context.place);
            let place = match read.kind {
                NodeKind::Impl => Enclosing::Impl,
                NodeKind::Trait => Enclosing::Trait,
                NodeKind::Module => Enclosing::Module,
                _ => {
                    deep.push(at);
                    continue;
                }
            };
            match &read.body {
                Some(body) if levels > 0 && too_deep(source, start..body.start).is_none() => {
                    let (index, _) = self.builder.add(start, &context);
                    let inside = context.within(index, place, body);
                    self.shallow(body.clone(), &inside, levels - 1, deep);
                }
                _ => deep.push(at),
            }
        }
    }

    fn item(&mut self, candidate: &Candidate) {
        let source = self.builder.source;
        let head = source.at_byte(candidate.start);
        while self.open.len() > 1 && self.open.last().is_some_and(|(end, _)| *end <= head) {
            self.open.pop();
        }
        let Some((_, context)) = self.open.last() else { return };
        let mut end = source.at_byte(candidate.end).min(context.limit);
        if source.is(end, b';') && end < context.limit && !ends_item(source, end) {
            end += 1;
        }
        if head < self.behind || head >= end {
            return;
        }
        if self.builder.refuses(context) {
            return;
        }
        let start = with_attributes(source, head, self.behind);
        let context = Context { limit: end, ..context.clone() };
        if self.strictly(start, end, &context) {
            self.behind = end;
            return;
        }
        let (index, head) = self.builder.add(start, &context);
        self.behind = head.end;
        let Some(body) = &head.body else { return };
        let (place, in_body) = match head.kind {
            NodeKind::Impl => (Enclosing::Impl, context.in_body),
            NodeKind::Trait => (Enclosing::Trait, context.in_body),
            NodeKind::ForeignMod => (Enclosing::Foreign, context.in_body),
            NodeKind::Module => (Enclosing::Module, context.in_body),
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union => return,
            _ => (Enclosing::Module, true),
        };
        self.behind = body.start;
        self.open.push((head.end, Context { in_body, ..context.within(index, place, body) }));
    }

    /// Adds the item from syn's tree of its text alone; false if that does not parse.
    fn strictly(&mut self, start: usize, end: usize, context: &Context) -> bool {
        let source = self.builder.source;
        let (from, to) = (source.token(start).start, source.token(end - 1).end);
        let text = source.slice(from, to);
        let Some(left) = self.budget.checked_sub(text.len()) else { return false };
        self.budget = left;
        let mut walker = Walker { build: &mut *self.builder, base: from };
        let told = match context.place {
            Enclosing::Module => parse_one::<Item>(text).map(|item| walker.item(&item, context)),
            Enclosing::Impl => {
                parse_one::<ImplItem>(text).map(|item| walker.impl_items(&[item], context))
            }
            Enclosing::Trait => {
                parse_one::<TraitItem>(text).map(|item| walker.trait_items(&[item], context))
            }
            Enclosing::Foreign => {
                parse_one::<ForeignItem>(text).map(|item| walker.foreign_items(&[item], context))
            }
        };
        invalidate_current_thread_spans();
        told.is_some()
    }
}

fn parse_one<T: Parse>(text: &str) -> Option<T> {
    strictly(|| syn::parse_str::<T>(text)).ok()
}

/// Whether the token before `at` already ended an item, so that a `;` does not belong to it.
fn ends_item(source: &Source<'_>, at: usize) -> bool {
    at == 0 || source.is(at - 1, b';') || source.is(at - 1, b'}')
}

/// The start of the attributes and documentation before an item, not before `floor`.
fn with_attributes(source: &Source<'_>, head: usize, floor: usize) -> usize {
    let mut start = head;
    while start > floor {
        let before = source.token(start - 1);
        let mate = before.mate as usize;
        let outer_doc = || {
            let text = source.str(start - 1);
            !text.starts_with("//!") && !text.starts_with("/*!")
        };
        if before.kind == Kind::Doc && outer_doc() {
            start -= 1;
        } else if before.is(b']') && mate > floor && mate < start && source.is(mate - 1, b'#') {
            start = mate - 1;
        } else {
            break;
        }
    }
    start
}
