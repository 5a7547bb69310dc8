//! Places of a text that no name stands for and that a question about reach asks for: `unsafe` blocks
//! and indexing and arithmetic that may panic; and the regions that decide when code runs: bodies of
//! `async` blocks, and arguments of calls that run elsewhere.

use std::ops::Range;

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, UnOp};

use super::depth;
use super::lexer::Kind;
use super::macro_arguments::{MAX_MACRO_DEPTH, parse_expressions};
use super::source::Source;
use super::strict;
use super::uses::regions;
use asof_model::Region;

/// What a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HazardKind {
    /// An `unsafe` block.
    Unsafe,
    /// `a[i]`: it panics where nothing is at `i`, or calls an impl of `Index`.
    Indexing,
    /// An operator that panics on overflow or division by zero if its operands are integers.
    Arithmetic,
}

/// A place of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hazard {
    pub kind: HazardKind,
    /// First byte: of `unsafe`, of `[`, of the operator.
    pub start: u32,
    /// Its line, from 1.
    pub line: u32,
    /// The regions under `cfg` attributes around it, the innermost first: where each begins, in bytes,
    /// and its predicate.
    pub cfg: Vec<(u32, String)>,
}

/// The places and regions of a text, each in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hazards {
    pub places: Vec<Hazard>,
    /// Bodies of `async` blocks and closures, in bytes.
    pub async_bodies: Vec<Range<u32>>,
    /// Arguments of calls that run a closure on another thread, in bytes: of `spawn_blocking`, of
    /// `block_in_place`, of `thread::spawn`.
    pub elsewhere: Vec<Range<u32>>,
    /// Whether indexing and arithmetic were not read, because the text does not parse.
    pub is_partial: bool,
}

/// Reads the places and regions of a file, and those in arguments of macro calls that are expressions.
/// Runs on a thread with a stack of [`STACK_BYTES`](super::STACK_BYTES).
pub fn hazards(text: &str) -> Hazards {
    let source = Source::new(text);
    let mut found = Hazards::default();
    let mut places: Vec<(HazardKind, u32)> = Vec::new();
    for at in 0..source.tokens.len() {
        match source.word(at) {
            "unsafe" if source.is(at + 1, b'{') => {
                places.push((HazardKind::Unsafe, source.token(at).start));
            }
            "async" => found.async_bodies.extend(async_body(&source, at)),
            "spawn_blocking" | "block_in_place" => found.elsewhere.extend(arguments(&source, at)),
            "spawn" if is_after(&source, at, "thread") => {
                found.elsewhere.extend(arguments(&source, at));
            }
            _ => {}
        }
    }
    let is_deep = depth::too_deep(&source, 0..source.tokens.len()).is_some();
    match (!is_deep).then(|| strict::parse_file(&source)) {
        Some(Ok(file)) => {
            let base = source.prelude as u32;
            let mut operators = Operators { source: &source, base, macros: 0, found: Vec::new() };
            operators.visit_file(&file);
            places.append(&mut operators.found);
        }
        Some(Err(_)) | None => found.is_partial = true,
    }
    proc_macro2::extra::invalidate_current_thread_spans();
    places.sort_unstable_by_key(|(kind, start)| (*start, *kind));
    let regions = regions(&source);
    found.places = places
        .into_iter()
        .map(|(kind, start)| Hazard {
            kind,
            start,
            line: source.line(start),
            cfg: cfg_around(&regions, start),
        })
        .collect();
    found
}

/// The body of an `async` block or of an `async` closure with a block.
fn async_body(source: &Source<'_>, at: usize) -> Option<Range<u32>> {
    let mut next = at + 1;
    if source.word(next) == "move" {
        next += 1;
    }
    if source.is(next, b'|') {
        next += 1;
        while !source.is(next, b'|') {
            if matches!(source.token(next).kind, Kind::End | Kind::Close) {
                return None;
            }
            next = source.skip(next);
        }
        next += 1;
    }
    group(source, next, b'{')
}

/// The arguments of a call whose name is at this place.
fn arguments(source: &Source<'_>, name: usize) -> Option<Range<u32>> {
    group(source, name + 1, b'(')
}

fn group(source: &Source<'_>, at: usize, bracket: u8) -> Option<Range<u32>> {
    if !source.is(at, bracket) {
        return None;
    }
    let (open, behind) = (source.token(at), source.skip(at));
    Some(open.end..source.token(behind.saturating_sub(1)).start.max(open.end))
}

/// Whether a name follows this segment in a path: `thread::spawn`.
fn is_after(source: &Source<'_>, at: usize, segment: &str) -> bool {
    at >= 3 && source.is_op(at - 2, b"::") && source.word(at - 3) == segment
}

/// The regions around a byte, the innermost first.
fn cfg_around(regions: &[Region], byte: u32) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut at = Region::around(regions, byte);
    while let Some(region) = at.and_then(|at| regions.get(at)) {
        found.push((region.start, region.cfg.to_string()));
        at = region.within.map(|within| within as usize);
    }
    found
}

/// Finds operators that may panic. What is evaluated when the program is compiled is left out: there
/// it is an error.
struct Operators<'s> {
    source: &'s Source<'s>,
    base: u32,
    /// Macro calls around the current expression.
    macros: u32,
    found: Vec<(HazardKind, u32)>,
}

impl Operators<'_> {
    fn note(&mut self, kind: HazardKind, span: Span) {
        self.found.push((kind, self.source.byte_of(span.start(), self.base)));
    }
}

impl<'ast> Visit<'ast> for Operators<'_> {
    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        let is_whole = matches!(&*index.index, Expr::Range(range) if range.start.is_none() && range.end.is_none());
        if !is_whole {
            self.note(HazardKind::Indexing, index.bracket_token.span.open());
        }
        visit::visit_expr_index(self, index);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if let Some(span) = overflowing(&binary.op)
            && may_panic(&binary.op, &binary.left, &binary.right)
        {
            self.note(HazardKind::Arithmetic, span);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if let UnOp::Neg(minus) = &unary.op
            && !matches!(*unary.expr, Expr::Lit(_))
        {
            self.note(HazardKind::Arithmetic, minus.span);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if self.macros >= MAX_MACRO_DEPTH {
            return;
        }
        let Some(args) = parse_expressions(call) else { return };
        self.macros += 1;
        args.iter().for_each(|arg| self.visit_expr(arg));
        self.macros -= 1;
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    // What is in these is evaluated by the compiler, or is no expression.
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

/// The place of an operator that panics for some integers.
fn overflowing(op: &BinOp) -> Option<Span> {
    Some(match op {
        BinOp::Add(token) => token.span,
        BinOp::Sub(token) => token.span,
        BinOp::Mul(token) => token.span,
        BinOp::Div(token) => token.span,
        BinOp::Rem(token) => token.span,
        BinOp::Shl(token) => token.spans[0],
        BinOp::Shr(token) => token.spans[0],
        BinOp::AddAssign(token) => token.spans[0],
        BinOp::SubAssign(token) => token.spans[0],
        BinOp::MulAssign(token) => token.spans[0],
        BinOp::DivAssign(token) => token.spans[0],
        BinOp::RemAssign(token) => token.spans[0],
        BinOp::ShlAssign(token) => token.spans[0],
        BinOp::ShrAssign(token) => token.spans[0],
        _ => return None,
    })
}

/// Whether operands leave a doubt: no operand is a float or a text, and not both are literals. A
/// literal divisor other than 0 and a literal shift are never a reason to panic.
fn may_panic(op: &BinOp, left: &Expr, right: &Expr) -> bool {
    let (left, right) = (literal(left), literal(right));
    let is_other = |lit: Option<&Lit>| lit.is_some_and(|lit| !matches!(lit, Lit::Int(_)));
    let is_int = |lit: Option<&Lit>| matches!(lit, Some(Lit::Int(_)));
    if is_other(left) || is_other(right) || is_int(left) && is_int(right) {
        return false;
    }
    let by_right = matches!(
        op,
        BinOp::Div(_)
            | BinOp::Rem(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::Shl(_)
            | BinOp::Shr(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    );
    !(by_right && is_int(right))
}

fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Lit(lit) => Some(&lit.lit),
        Expr::Paren(inner) => literal(&inner.expr),
        Expr::Reference(inner) => literal(&inner.expr),
        _ => None,
    }
}
