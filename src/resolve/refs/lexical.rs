//! Resolves single-segment paths by blocks, generic parameters, scopes and the order of the text.

use super::item_index::Hit;
use super::paths::{End, PathResolver};
use super::reads;
use super::types::{Def, Name, Type};
use asof_model::{NodeKind, Seg, Sym};

impl PathResolver<'_, '_> {
    /// The generic parameter of this name.
    pub(super) fn generic(&self, name: Name) -> Option<Type> {
        if name == Name::NONE {
            return None;
        }
        let found = |owner: &Def| Some(Type::Param(*owner, self.world.generic(*owner, name)?));
        self.owners.iter().find_map(found)
    }

    /// The primitive type that a path begins with although a module has its name: what the module
    /// does not have is looked up in the type.
    pub(super) fn hidden_primitive(&self, segs: &[Seg], first: &End, spaces: u8) -> Option<Type> {
        let ([first_seg, seg, ..], End::Defs(defs, _)) = (segs, first) else { return None };
        let world = self.world;
        let prim = self.name(first_seg.name);
        if !world.known.prims.contains_key(&prim) {
            return None;
        }
        let lacks = |def: &Def| {
            let found = world.lookup(*def, self.text(seg.name), spaces, self.scope);
            world.kind(*def) == NodeKind::Module && found == Hit::Nothing
        };
        defs.iter().all(lacks).then_some(Type::Prim(prim))
    }

    /// The macros by example that a name means by the order of the text.
    pub(super) fn textual_macros(&self, seg: &Seg) -> Vec<Def> {
        let world = self.world;
        // An expansion has the place of its call.
        let (uses, at) = match self.within_call {
            Some(call) => (call.uses, call.at),
            None => (self.uses, seg.at),
        };
        let is_before = |item: u32| {
            let starts_before =
                uses.items.get(item as usize).is_some_and(|item| item.span.start_byte < at);
            let block = world.sibling(self.def, item).and_then(|def| world.block_of(def));
            starts_before && block.is_none_or(|block| self.blocks.contains(&block))
        };
        world.textual_macros(self.def, self.name(seg.name), &is_before)
    }

    /// Whether a block around, from this one on, declares or imports a name: it hides variables and
    /// generic parameters from outside of the block.
    pub(super) fn is_declared_since(&self, block: usize, sym: Sym, spaces: u8) -> bool {
        let blocks = self.blocks.iter().skip(block);
        let meaning = |scope: &Def| self.world.lookup(*scope, self.text(sym), spaces, *scope);
        blocks.into_iter().any(|scope| meaning(scope) != Hit::Nothing)
    }

    /// Meaning of a single name here.
    pub(super) fn lexical(&mut self, sym: Sym, spaces: u8) -> Hit {
        let text = self.text(sym);
        // The same is recorded whether another item looked up the name before or not.
        self.world.look_up(self.scope, text, self.scope);
        self.world.look_up_in_flavours(self.def, text);
        if let Some(hit) = self.cache.get(&(sym, spaces)) {
            return hit.clone();
        }
        let hit = reads::share(|| match self.world.in_flavours(self.def, text, spaces) {
            Hit::Nothing => self.world.lexical(self.scope, text, spaces),
            hit => hit,
        });
        if self.sink.is_some() {
            self.cache.insert((sym, spaces), hit.clone());
        }
        hit
    }
}
