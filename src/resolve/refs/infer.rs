//! Type inference of one item: its head, then its body.

use super::super::namespaces::{MACROS, TYPES, VALUES};
use super::super::origins::Hygiene;
use super::call_places::CallPlace;
use super::item_index::{Hit, ItemIndex};
use super::lower;
use super::observations::Trace;
use super::paths::{End, PathResolver, ResolvedName, Target};
use super::rules::Rule;
use super::types::{Bound, Def, Name, Type};
use asof_model::{
    Expr, ExprId, FileUses, HashMap, ItemUses, NodeKind, PatId, RefKind, Sym, TemplateUse, Ty,
    TypeId,
};

/// Nesting of expressions that is followed.
pub(super) const MAX_DEPTH: u32 = 220;

/// Tokens that the calls of one item may expand to, and how many more for each byte of the item.
const BUDGET: usize = 10_000;
const BUDGET_A_BYTE: usize = 50;

/// The tokens that the calls of an item may expand to.
fn budget(item: &ItemUses) -> usize {
    let bytes = item.span.end_byte.saturating_sub(item.span.start_byte) as usize;
    BUDGET.saturating_add(bytes.saturating_mul(BUDGET_A_BYTE))
}

/// A method call whose receiver was not known when it was reached.
pub(super) struct Pending {
    pub receiver: Type,
    pub sym: Sym,
    pub at: u32,
    pub generics: Vec<Type>,
    pub args: Vec<Type>,
    pub result: Type,
}

/// Variables in scope, the innermost last. A function may have thousands.
#[derive(Default)]
pub(super) struct Locals {
    all: Vec<Local>,
    innermost: HashMap<Sym, usize>,
    /// Whether what is bound now has its type from the expansion of a macro.
    pub expanded: bool,
}

struct Local {
    name: Sym,
    ty: Type,
    expanded: bool,
    /// First byte of its name where it is bound.
    at: u32,
    /// Index of the variable of the same name that it shadows.
    hidden: Option<usize>,
    /// Its number, if variables are traced.
    number: u32,
}

impl Locals {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// A name that hides those around it.
    pub(super) fn push(&mut self, name: Sym, ty: Type, at: u32) {
        self.push_variable(name, ty, at, 0);
    }

    pub(super) fn push_variable(&mut self, name: Sym, ty: Type, at: u32, number: u32) {
        let hidden = self.innermost.insert(name, self.all.len());
        self.all.push(Local { name, ty, expanded: self.expanded, at, hidden, number });
    }

    /// The number of a variable; 0 if it is not traced.
    pub(super) fn number(&self, name: Sym) -> u32 {
        self.innermost(name).map_or(0, |local| local.number)
    }

    /// Variables after this many are those of the first alternative of a pattern that has their names;
    /// returns the numbers of both.
    pub(super) fn join_since(&mut self, first: usize, later: usize) -> Vec<(u32, u32)> {
        let mut joined = Vec::new();
        let later = later.min(self.all.len());
        let (before, behind) = self.all.split_at_mut(later);
        for local in behind {
            let mut same = before.iter().skip(first).filter(|one| one.name == local.name);
            if let Some(one) = same.next() {
                joined.push((local.number, one.number));
                local.number = one.number;
            }
        }
        joined
    }

    /// A variable's type and the byte where it is bound.
    pub(super) fn bound(&self, name: Sym) -> Option<(Type, u32)> {
        self.innermost(name).map(|local| (local.ty.clone(), local.at))
    }

    /// Leaves scopes, down to this many variables.
    pub(super) fn truncate(&mut self, len: usize) {
        while self.all.len() > len {
            let Some(Local { name, hidden, .. }) = self.all.pop() else { return };
            match hidden {
                Some(hidden) => self.innermost.insert(name, hidden),
                None => self.innermost.remove(&name),
            };
        }
    }

    /// Those after this many.
    pub(super) fn since(&self, len: usize) -> impl Iterator<Item = (Sym, &Type, u32)> {
        self.all.iter().skip(len).map(|local| (local.name, &local.ty, local.number))
    }

    fn innermost(&self, name: Sym) -> Option<&Local> {
        self.all.get(*self.innermost.get(&name)?)
    }

    pub(super) fn get(&self, name: Sym) -> Option<Type> {
        self.innermost(name).map(|local| local.ty.clone())
    }

    /// Whether the type of a variable is from the expansion of a macro.
    pub(super) fn is_expanded(&self, name: Sym) -> bool {
        self.innermost(name).is_some_and(|local| local.expanded)
    }

    /// Whether as many variables as this were bound when the innermost of a name was.
    fn is_bound_after(&self, name: Sym, len: usize) -> bool {
        self.innermost.get(&name).is_some_and(|at| *at >= len)
    }

    /// All that no other shadows.
    pub(super) fn visible(&self) -> impl Iterator<Item = (Sym, &Type)> {
        let seen = |(at, local): &(usize, &Local)| self.innermost.get(&local.name) == Some(at);
        self.all.iter().enumerate().filter(seen).map(|(_, local)| (local.name, &local.ty))
    }
}

/// The item that is being resolved.
pub(super) struct InferenceContext<'w, 'a> {
    pub p: PathResolver<'w, 'a>,
    /// Variables in scope.
    pub locals: Locals,
    /// Variables in scope where each of [`PathResolver::blocks`] begins.
    pub block_starts: Vec<usize>,
    /// Return type of the enclosing function or closure.
    pub ret: Type,
    pub depth: u32,
    /// Whether the tokens of a macro call are being resolved.
    pub in_macro: u32,
    /// Calls around of macros whose rules are not known: their tokens may mean anything.
    pub unknown_calls: u32,
    /// Of an expansion: who wrote its tokens, and its names.
    pub hygiene: Option<&'w Hygiene<'w>>,
    pub writers: &'w [u32],
    /// Expansions around, and the tokens that further ones may have.
    pub expansions: u32,
    pub budget: usize,
    /// How many were expanded here.
    pub expanded_calls: u32,
    /// Whether the type that was inferred last is from the expansion of a macro.
    pub expanded: bool,
    /// Whether what the last call returned depends on the types of its arguments.
    pub by_arguments: bool,
    /// Bounds of types that were not known when they were reached.
    pub open: Vec<(Type, Bound)>,
    pub pending: Vec<Pending>,
    /// Fields of receivers that were not known: receiver, name, position, result.
    pub pending_fields: Vec<(Type, Sym, u32, Type)>,
    /// Labels and values of the enclosing `loop`s, the innermost last.
    pub loops: Vec<(Option<Sym>, Type)>,
    /// Types of literals like `1.0`: `f64` if nothing else is known.
    pub floats: Vec<Type>,
    /// Methods that are called without being named.
    pub implicit: super::implicit::Implicit,
    /// Functions of traits named by path: index in the sink, trait, name, type.
    pub by_trait: Vec<(usize, Bound, Name, Type)>,
    /// What is found out beside references, if it is wanted.
    pub trace: Option<Trace>,
}

impl<'w, 'a> InferenceContext<'w, 'a> {
    pub(super) fn new(
        world: &'w ItemIndex<'a>,
        uses: &'w FileUses,
        names: &'w [Name],
        def: Def,
    ) -> Self {
        let owners = lower::owners(world, def);
        let own = lower::self_type(world, &owners);
        let mut p = PathResolver::new(world, uses, names, def, owners, own);
        p.sink = Some(Vec::new());
        InferenceContext::from_paths(p)
    }

    pub(super) fn from_paths(p: PathResolver<'w, 'a>) -> Self {
        InferenceContext {
            p,
            locals: Locals::default(),
            block_starts: Vec::new(),
            ret: Type::Unknown,
            depth: 0,
            in_macro: 0,
            unknown_calls: 0,
            hygiene: None,
            writers: &[],
            expansions: 0,
            budget: 0,
            expanded_calls: 0,
            expanded: false,
            by_arguments: false,
            open: Vec::new(),
            pending: Vec::new(),
            pending_fields: Vec::new(),
            loops: Vec::new(),
            floats: Vec::new(),
            implicit: super::implicit::Implicit::default(),
            by_trait: Vec::new(),
            trace: None,
        }
    }

    /// Everything that the item uses.
    pub(super) fn item(&mut self, def: Def, item: &ItemUses) {
        let uses = self.p.uses;
        if self.expansions == 0 {
            self.budget = budget(item);
        }
        for attr in uses.attrs(item.attrs) {
            if let Some([argument, _]) = attr.named {
                if self.p.world.kind(def) == NodeKind::ExternCrate
                    && self.p.text(argument) == "macro_use"
                {
                    self.p.listed_macro(def, attr.path);
                }
                continue;
            }
            if attr.derive {
                self.p.derive(attr.path);
            } else {
                self.attribute(attr.path);
            }
        }
        self.in_macro += 1;
        for value in uses.expr_ids(item.attr_values) {
            self.value_of(value);
        }
        self.in_macro -= 1;
        if let Some(path) = item.within {
            self.p.resolve(path, TYPES, RefKind::Path, false);
        }
        for path in uses.path_ids(item.uses) {
            self.p.import(path);
        }
        for one in uses.templates(item.template) {
            self.template(one);
        }
        for generic in uses.generics(item.generics) {
            for bound in uses.type_ids(generic.bounds) {
                self.p.bound(bound);
            }
            for ty in [generic.const_ty, generic.default].into_iter().flatten() {
                self.p.ty(ty);
            }
        }
        if let Some(ty) = item.of_trait {
            self.p.bound(ty);
        }
        for pred in uses.preds(item.preds) {
            self.p.ty(pred.ty);
            for bound in uses.type_ids(pred.bounds) {
                self.p.bound(bound);
            }
        }
        for bound in uses.type_ids(item.bounds) {
            self.p.bound(bound);
        }
        let own = item.ty.map(|ty| self.p.ty(ty));
        let mut params = Vec::new();
        for param in uses.params(item.params) {
            let ty = param.ty.map_or(Type::Unknown, |ty| self.p.ty(ty));
            params.push((param.pat, ty));
        }
        self.ret = match (item.ret, own) {
            (Some(ret), _) => self.p.ty(ret),
            (None, Some(own)) => own,
            (None, None) => Type::unit(),
        };
        self.overrides(def);
        for (pat, ty) in params {
            let ty = self.p.normal(&ty);
            self.bind(pat, &ty);
        }
        if let Some(body) = item.body
            && let Expr::Macro(path, list, call) = uses.expr(body)
            && self.p.world.kind(def) == NodeKind::MacroCall
        {
            self.macro_call(path, list, call, CallPlace::Items, &Type::Unknown);
        } else if let Some(body) = item.body {
            let ret = self.p.normal(&self.ret.clone());
            self.ret = ret.clone();
            let ty = self.infer(body, &ret);
            self.coerce(&ret, &ty);
        }
        while let Some(value) = self.p.consts.pop() {
            self.infer(value, &Type::Unknown);
        }
        self.fallback();
    }

    /// A path in the rules of a macro.
    fn template(&mut self, one: &TemplateUse) {
        let mark = self.p.sink.as_ref().map_or(0, Vec::len);
        let spaces = match one.kind {
            RefKind::Macro => MACROS,
            _ => TYPES | VALUES,
        };
        self.p.resolve(one.path, spaces, one.kind, false);
        let world = self.p.world;
        for noted in self.p.sink.iter_mut().flatten().skip(mark) {
            if noted.rule == Rule::Nothing {
                continue;
            }
            noted.rule = Rule::Template;
            if let Target::Def(def) = noted.target
                && !matches!(noted.kind, RefKind::Macro | RefKind::Keyword)
            {
                use NodeKind::{Enum, Module, Struct, Trait, TypeAlias, Union};
                noted.kind = match world.kind(def) {
                    Module => RefKind::Path,
                    Struct | Enum | Union | TypeAlias if noted.kind == RefKind::Value => {
                        RefKind::Type
                    }
                    Trait => RefKind::Bound,
                    _ => noted.kind,
                };
            }
        }
    }

    fn attribute(&mut self, path: asof_model::PathId) {
        let mark = self.p.sink.as_ref().map_or(0, Vec::len);
        let (end, _) = self.p.resolve(path, MACROS, RefKind::Attribute, false);
        // `inline`, `test`, `serde(…)`: names of the compiler and of derives, one of which may
        // also be the name of a crate.
        let known = match &end {
            // A macro by example is no attribute.
            End::Defs(defs, _) => !defs
                .iter()
                .any(|def| matches!(self.p.world.kind(*def), NodeKind::Module | NodeKind::Macro)),
            // Attributes of a field or variant are of the compiler or of a derive.
            End::External(path) => path.contains("::") && !is_part(self.p.world.kind(self.p.def)),
            End::Type(_) | End::Nothing => false,
        };
        if !known && let Some(sink) = &mut self.p.sink {
            sink.truncate(mark);
        }
    }

    /// Notes that an item of a trait's impl implements that of the trait.
    fn overrides(&mut self, def: Def) {
        let world = self.p.world;
        let assoc = [NodeKind::Method, NodeKind::AssocConst, NodeKind::AssocType];
        let kind = world.kind(def);
        if !assoc.contains(&kind) {
            return;
        }
        let Some(owner) = world.owner(def).filter(|o| world.kind(*o) == NodeKind::Impl) else {
            return;
        };
        let Some(of) = world.sig(owner).of_trait.as_ref().and_then(Bound::def) else { return };
        if let Some(declared) = world.child(of, world.name(def), &[kind]) {
            self.p.note(RefKind::Overrides, Target::Def(declared), Rule::Header, NAME);
        }
    }

    /// The type of a variable that a name means here.
    pub(super) fn local(&self, name: Sym) -> Option<Type> {
        let local = self.locals.get(name)?;
        let is_inside = |start: &usize| self.locals.is_bound_after(name, *start);
        let block = self.block_starts.partition_point(is_inside);
        (!self.p.is_declared_since(block, name, VALUES)).then_some(local)
    }

    /// The type written here, or a type variable.
    pub(super) fn written(&mut self, ty: Option<TypeId>) -> Type {
        match ty {
            Some(id) if self.p.uses.ty(id) != Ty::Infer => {
                let ty = self.p.ty(id);
                self.p.normal(&ty)
            }
            _ => self.p.table.fresh(),
        }
    }

    /// Binds the names of a pattern to the value that was inferred last.
    pub(super) fn bind_value(&mut self, pat: PatId, ty: &Type) {
        let outer = std::mem::replace(&mut self.locals.expanded, self.expanded);
        self.bind(pat, ty);
        self.locals.expanded = outer;
    }

    /// Binds the names of a pattern with their types.
    pub(super) fn bind(&mut self, pat: PatId, ty: &Type) {
        super::pats::bind(self, pat, ty);
    }

    pub(super) fn value_of(&mut self, expr: ExprId) -> Type {
        self.infer(expr, &Type::Unknown)
    }

    /// What a single name in a pattern means if it is that of a const, static, variant or unit
    /// struct. Else it binds a variable: how it is spelled says nothing (Rust reference,
    /// "Identifier patterns").
    pub(super) fn pattern_name(&mut self, sym: Sym) -> Option<Vec<Def>> {
        let Hit::Defs(found) = self.p.lexical(sym, VALUES) else { return None };
        let world = self.p.world;
        let fits = |def: &Def| {
            world.kind(*def).is_identifier_pattern() && !world.excludes(self.p.def, *def)
        };
        let defs: Vec<Def> = found.into_iter().map(|(def, _)| def).filter(fits).collect();
        (!defs.is_empty()).then_some(defs)
    }

    /// The noted references. What the rules of macros write has no place here.
    pub(super) fn into_found(self) -> impl Iterator<Item = ResolvedName> {
        self.p.sink.into_iter().flatten().filter(|found| found.at != u32::MAX)
    }
}

/// The start of the item: references of the item as a whole are placed there.
pub(super) const NAME: u32 = u32::MAX - 1;

/// Whether an item is a part of a type.
fn is_part(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Field | NodeKind::Variant)
}
