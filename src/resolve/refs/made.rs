//! Items that calls of macros make: types by their names, and impls with their members. The call
//! stands for all of them.

use std::collections::HashMap;
use std::sync::Arc;

use super::impls::Head;
use super::paths::Paths;
use super::rules::Rule;
use super::types::{Bound, Def, Name, Type};
use super::world::World;
use crate::model::{NodeKind, RefKind};

/// Begins the path of a type that a call makes: no path of another crate begins like this.
pub(super) const MADE: &str = "!";

/// What impls that calls make add to types.
#[derive(Debug, Default)]
pub(super) struct MadeImpls {
    /// Calls by type and name of a member.
    members: HashMap<(Head, String), Vec<Def>>,
    /// Traits that types have.
    pub traits: Vec<(Head, Def)>,
    /// Calls that make a type, by its path.
    types: HashMap<Arc<str>, Def>,
}

impl MadeImpls {
    pub(super) fn of(world: &World<'_>) -> Self {
        let mut all = MadeImpls::default();
        for expansion in &world.scopes().expansions {
            let call = expansion.call;
            for made in &expansion.items {
                match made.kind {
                    NodeKind::Impl => all.read(world, call, &made.text),
                    _ if made.name.is_empty() => {}
                    _ => {
                        let within = world.owner(call);
                        let owner = within.filter(|of| world.kind(*of) == NodeKind::Impl);
                        let ty = owner.and_then(|owner| world.sig(owner).ty.clone());
                        if let Some(head) = ty.as_ref().and_then(Head::of) {
                            all.member(head, made.name, call);
                        } else {
                            all.types.insert(world.made_path(call, made.name), call);
                        }
                    }
                }
            }
        }
        all
    }

    fn member(&mut self, head: Head, name: &str, call: Def) {
        let calls = self.members.entry((head, name.to_owned())).or_default();
        if !calls.contains(&call) {
            calls.push(call);
        }
    }

    /// Reads the text of an impl.
    fn read(&mut self, world: &World<'_>, call: Def, text: &str) {
        let facts = crate::syntax::parse_file("", text.as_bytes());
        let uses = &facts.uses;
        let names: Vec<Name> =
            uses.names.iter().map(|name| world.find_name(name).unwrap_or(u32::MAX)).collect();
        for (at, (item, used)) in facts.items.iter().zip(&uses.items).enumerate() {
            let (NodeKind::Impl, Some(ty)) = (item.kind, used.ty) else { continue };
            let mut paths = Paths::new(world, uses, &names, call, Vec::new(), None);
            let ty = paths.ty(ty);
            let of = used.of_trait.map(|of| paths.bound(of));
            let Some(head) = Head::of(&ty) else { continue };
            if let Some(of) = of.as_ref().and_then(Bound::def) {
                self.traits.push((head.clone(), of));
            }
            for member in facts.items.iter().filter(|member| member.parent as usize == at) {
                if matches!(member.kind, NodeKind::Method | NodeKind::AssocConst) {
                    self.member(head.clone(), &member.name, call);
                }
            }
        }
    }
}

impl World<'_> {
    fn made_path(&self, call: Def, name: &str) -> Arc<str> {
        format!("{MADE}{}::{name}", self.path(self.module(call))).into()
    }

    /// Whether a static is declared in `thread_local!`: it is a `LocalKey` of its type.
    pub(super) fn is_thread_local(&self, def: Def) -> bool {
        let call = self.parent(def).filter(|call| self.kind(*call) == NodeKind::MacroCall);
        let name = call.and_then(|call| self.item_tree(call)).map(|item| item.name.as_str());
        name.is_some_and(|name| name.rsplit("::").next() == Some("thread_local"))
    }

    /// The type of this name that a call makes.
    pub(super) fn made_type(&self, call: Def, name: &str, args: Vec<Type>) -> Type {
        Type::External(self.made_path(call, name), args.into())
    }

    /// The calls that make a member of a type.
    fn made_members(&self, ty: &Type, name: &str) -> &[Def] {
        let found = Head::of(ty).and_then(|head| self.made.members.get(&(head, name.to_owned())));
        found.map_or(&[], Vec::as_slice)
    }
}

impl Paths<'_, '_> {
    /// Notes the calls that make a member of a type; whether there are any.
    pub(super) fn note_made(&mut self, ty: &Type, name: &str, kind: RefKind, at: u32) -> bool {
        let world = self.world;
        if world.made.members.is_empty() {
            return false;
        }
        let mut step = self.table.resolve(ty);
        for _ in 0..8 {
            let calls = world.made_members(&step, name);
            if !calls.is_empty() {
                self.note_defs(kind, calls, Rule::Expansion, at);
                return true;
            }
            match self.deref(&step) {
                Some(next) => step = next,
                None => return false,
            }
        }
        false
    }
}
