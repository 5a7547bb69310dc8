//! Expansions of macro calls at the places of their calls. What an expansion names is noted where the
//! call has the token; what the rules of the macro write is noted nowhere, since the rules have
//! references of their own.

use super::super::origins::{Expansion, Hygiene};
use super::call_places::{CallInFile, CallPlace};
use super::choices::Reached;
use super::infer::{InferenceContext, Locals, Pending};
use super::observations::Trace;
use super::paths::{PathResolver, ResolvedName};
use super::types::{Def, Name, Type};
use asof_model::{FileUses, HashMap, Sym};
use asof_syntax::{ExpandedCode, read_expansion};

/// Variables in scope that cost as much as a token: all of them are looked at for each call.
const LOCALS_A_TOKEN: usize = 8;

impl<'w, 'a> PathResolver<'w, 'a> {
    /// The same place with the text of an expansion, which takes the types that are known so far.
    /// `at`: the place of the call.
    pub(super) fn in_expansion<'n>(
        &mut self,
        uses: &'n FileUses,
        names: &'n [Name],
        at: u32,
    ) -> PathResolver<'n, 'a>
    where
        'w: 'n,
    {
        PathResolver {
            world: self.world,
            uses,
            names,
            scope: self.scope,
            blocks: self.blocks.clone(),
            def: self.def,
            owners: self.owners.clone(),
            own_type: self.own_type.clone(),
            cache: HashMap::default(),
            sink: Some(Vec::new()),
            table: std::mem::take(&mut self.table),
            consts: Vec::new(),
            aliases: self.aliases,
            importing: false,
            reached: Reached::default(),
            within_call: Some(CallInFile { items: None, ..self.call_in_file(at) }),
        }
    }

    /// The call in the file that a call at a byte of this text is, or is in.
    pub(super) fn call_in_file(&self, at: u32) -> CallInFile<'w> {
        self.within_call.unwrap_or(CallInFile { uses: self.uses, at, items: None })
    }

    /// The item that has a number in this text.
    pub(super) fn item(&self, number: u32) -> Option<Def> {
        let number = match self.within_call {
            Some(call) => number.checked_add(call.items?)?,
            None => number,
        };
        self.world.sibling(self.def, number)
    }

    /// Takes over what an expansion names.
    pub(super) fn take_over(&mut self, found: Vec<ResolvedName>, expansion: &Expansion) {
        self.sink.iter_mut().for_each(|sink| {
            sink.extend(found.iter().cloned().map(|mut found| {
                found.at = expansion.place(found.at);
                found
            }));
        });
    }
}

impl<'w, 'a> InferenceContext<'w, 'a> {
    /// Reads what a call expands to.
    pub(super) fn code_of(&self, expansion: &Expansion) -> ExpandedCode {
        let hygiene = self.hygiene_in(expansion);
        read_expansion(&expansion.text, &|byte| hygiene.writer(byte))
    }

    fn hygiene_in<'h>(&self, expansion: &'h Expansion) -> Hygiene<'h>
    where
        'w: 'h,
    {
        let (origins, expansion) = (&expansion.origins, self.expansions + 1);
        Hygiene { origins, expansion, outer: self.hygiene }
    }

    /// The expansion that wrote a name of this text; 0 for the file.
    fn writer(&self, sym: Sym) -> u32 {
        self.writers.get(sym.0 as usize).copied().unwrap_or(0)
    }

    /// Infers in an expansion where its call is.
    pub(super) fn within_expansion<T>(
        &mut self,
        expansion: &Expansion,
        code: &ExpandedCode,
        place: CallPlace,
        read: impl FnOnce(&mut InferenceContext<'_, 'a>) -> T,
    ) -> T {
        let (uses, names) = (&code.uses, self.p.world.names_of(&code.uses));
        let hygiene = self.hygiene_in(expansion);
        let locals = self.variables_in(expansion, code);
        self.budget = self.budget.saturating_sub(self.locals.len() / LOCALS_A_TOKEN);
        let mut inner = InferenceContext {
            locals,
            block_starts: vec![0; self.block_starts.len()],
            ret: self.ret.clone(),
            depth: self.depth,
            unknown_calls: self.unknown_calls,
            hygiene: Some(&hygiene),
            writers: &code.writers,
            expansions: self.expansions + 1,
            budget: self.budget,
            trace: self.trace.take(),
            ..InferenceContext::from_paths(self.p.in_expansion(uses, &names, expansion.at))
        };
        let mark = inner.locals.len();
        let traced = inner.trace.as_ref().map_or(0, Trace::len);
        let result = read(&mut inner);
        while let Some(value) = inner.p.consts.pop() {
            inner.value_of(value);
        }
        let bound: Vec<(Sym, Type, u32)> = match place {
            CallPlace::Statement => {
                let bound = inner.locals.since(mark);
                bound.map(|(sym, ty, number)| (sym, ty.clone(), number)).collect()
            }
            CallPlace::Value | CallPlace::Items => Vec::new(),
        };
        let InferenceContext { p, open, floats, implicit, budget, trace, .. } = inner;
        self.trace = trace;
        let places = self.trace.iter_mut();
        places.for_each(|trace| trace.moved(traced, |at| expansion.place(at)));
        let (pending, fields) = (inner.pending, inner.pending_fields);
        let base = self.p.sink.as_ref().map_or(0, Vec::len);
        let by_trait = inner.by_trait.into_iter();
        self.by_trait
            .extend(by_trait.map(|(mark, bound, name, ty)| (base + mark, bound, name, ty)));
        self.p.table = p.table;
        self.budget = budget;
        self.p.take_over(p.sink.unwrap_or_default(), expansion);
        self.open.extend(open);
        self.floats.extend(floats);
        self.implicit.take_over(implicit, |at| expansion.place(at));
        for pending in pending {
            if let Some(sym) = self.symbol(uses.name(pending.sym), None) {
                self.pending.push(Pending { sym, at: expansion.place(pending.at), ..pending });
            }
        }
        for (base, sym, at, result) in fields {
            if let Some(sym) = self.symbol(uses.name(sym), None) {
                self.pending_fields.push((base, sym, expansion.place(at), result));
            }
        }
        for (sym, ty, number) in bound {
            let writer = code.writers.get(sym.0 as usize).copied().unwrap_or(0);
            if let Some(sym) = self.symbol(uses.name(sym), Some(writer)) {
                let outer = std::mem::replace(&mut self.locals.expanded, true);
                self.locals.push_variable(sym, ty, u32::MAX, number);
                self.locals.expanded = outer;
            }
        }
        result
    }

    /// The variables that an expansion sees: those of the names that the call gives it, and all if the
    /// macro is one of a body.
    fn variables_in(&self, expansion: &Expansion, code: &ExpandedCode) -> Locals {
        let names = code.uses.names.iter().map(|name| &**name);
        let syms: HashMap<(&str, u32), Sym> =
            names.zip(code.writers.iter().copied()).zip((0..).map(Sym)).collect();
        let mut locals = Locals::default();
        for (outer, ty) in self.locals.visible() {
            let text = self.p.text(outer);
            let own = syms.get(&(text, self.writer(outer)));
            let rules = syms.get(&(text, self.expansions + 1)).filter(|_| expansion.in_body);
            if (own.is_some() || rules.is_some()) && self.local(outer).is_some() {
                locals.expanded = self.locals.is_expanded(outer);
                for sym in own.into_iter().chain(rules) {
                    locals.push_variable(*sym, ty.clone(), u32::MAX, self.locals.number(outer));
                }
            }
        }
        locals.expanded = false;
        locals
    }

    /// A name of this text, of a writer or of any.
    fn symbol(&mut self, text: &str, writer: Option<u32>) -> Option<Sym> {
        self.budget = self.budget.saturating_sub(self.p.uses.names.len() / LOCALS_A_TOKEN);
        let names =
            self.p.uses.names.iter().zip((0..).map(Sym)).filter(|(name, _)| &***name == text);
        let mut syms = names.map(|(_, sym)| sym);
        syms.find(|sym| writer.is_none_or(|writer| self.writer(*sym) == writer))
    }
}
