//! Items that calls of macros make: what they use, where the call has the tokens. The items themselves
//! are items of the file like others; their texts are only in the expansion.

use super::super::expansion::surroundings;
use super::super::origins::Expansion;
use super::call_places::CallInFile;
use super::infer::InferenceContext;
use asof_model::NodeKind;

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
        for (number, _) in made {
            let def = world.sibling(call, number + shift)?;
            let item = facts.uses.items.get(number as usize)?;
            let mut inner = InferenceContext::new(world, &facts.uses, &names, def);
            inner.p.within_call = Some(within_call);
            inner.expansions = self.expansions + 1;
            inner.budget = self.budget;
            inner.depth = self.depth;
            inner.item(def, item);
            self.budget = inner.budget;
            self.p.take_over(inner.into_found().collect(), &expansion);
            unread.extend(facts.uses.mentions(item.mentions).iter().map(|mention| mention.at));
        }
        // The bytes before the items are not of the expansion as the caller knows it.
        let before = surroundings.before.len() as u32;
        let mut unread: Vec<u32> =
            unread.into_iter().filter_map(|at| at.checked_sub(before)).collect();
        unread.sort_unstable();
        Some(unread)
    }
}
