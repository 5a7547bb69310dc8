//! Items that calls of macros make: what they use, where the call has the tokens. The items themselves
//! are items of the file like others; their texts are only in the expansion.

use super::super::expansion::surroundings;
use super::super::origins::Expansion;
use super::call_places::CallInFile;
use super::infer::InferenceContext;
use super::observations::Trace;
use super::paths::ResolvedName;
use asof_model::{HashSet, NodeKind};

impl InferenceContext<'_, '_> {
    /// Reads the items that a call among items expands to. Returns the first bytes of words that are
    /// not read, in order; none if these are not the items that the call is known to make.
    pub(super) fn read_items(&mut self, expansion: &Expansion) -> Option<Vec<u32>> {
        let (world, call) = (self.p.world, self.p.def);
        // Such blocks are texts of their own.
        if expansion.text.contains("const _") {
            return None;
        }
        let mut around = std::iter::successors(world.parent(call), |def| world.parent(*def));
        let around = around.find(|def| world.kind(*def) != NodeKind::MacroCall);
        let surroundings =
            surroundings(around.map_or(NodeKind::Module, |around| world.kind(around)));
        let expansion = expansion.clone().between(surroundings.before, surroundings.after);
        let facts = asof_syntax::parse_file("", expansion.text.as_bytes());
        let children = world.children(call).iter();
        let first = children.filter_map(|child| Some(world.node(*child)?.item)).min();
        let shift = match first {
            Some(first) => first.checked_sub(surroundings.items)?,
            None if facts.items.len() <= surroundings.items as usize => 0,
            None => return None,
        };
        let made: Vec<(u32, _)> =
            (0u32..).zip(&facts.items).skip(surroundings.items as usize).collect();
        let is_made = |(number, item): &(u32, &asof_model::ItemFacts)| {
            let def = world.sibling(call, number + shift);
            def.is_some_and(|def| world.kind(def) == item.kind)
        };
        if !made.iter().all(is_made) {
            return None;
        }
        let names = world.names_of(&facts.uses);
        let within_call = CallInFile { items: Some(shift), ..self.p.call_in_file(expansion.at) };
        let mut unread = Vec::new();
        let traced = self.trace.as_ref().map_or(0, Trace::len);
        let mut known: HashSet<u32> = HashSet::default();
        for (number, facts_of) in made {
            let def = world.sibling(call, number + shift)?;
            let item = facts.uses.items.get(number as usize)?;
            let item_kind = world.kind(def);
            let mut inner = InferenceContext::new(world, &facts.uses, &names, def);
            inner.p.within_call = Some(within_call);
            inner.expansions = self.expansions + 1;
            inner.budget = self.budget;
            inner.depth = self.depth;
            inner.trace = self.trace.take();
            inner.trace.iter_mut().for_each(|trace| trace.make(facts_of.name_start, def));
            inner.item(def, item);
            inner.settle_trace();
            self.trace = inner.trace.take();
            self.budget = inner.budget;
            let found: Vec<ResolvedName> = inner.into_found().collect();
            if self.trace.is_some() {
                known.extend(found.iter().map(|found| found.at));
            }
            if let Some(trace) = self.trace.as_mut().filter(|_| item_kind != NodeKind::MacroCall) {
                found.iter().for_each(|found| trace.use_within(found.at, def));
            }
            self.p.take_over(found, &expansion);
            unread.extend(facts.uses.mentions(item.mentions).iter().map(|mention| mention.at));
        }
        if let Some(trace) = &mut self.trace {
            known.extend(trace.names(traced));
            for (from, _) in expansion.origins.places().filter(|(from, _)| !known.contains(from)) {
                trace.leave_unread(from);
            }
            trace.moved(traced, |at| expansion.place(at));
        }
        // The bytes before the items are not of the expansion as the caller knows it.
        let before = surroundings.before.len() as u32;
        let mut unread: Vec<u32> =
            unread.into_iter().filter_map(|at| at.checked_sub(before)).collect();
        unread.sort_unstable();
        Some(unread)
    }
}
