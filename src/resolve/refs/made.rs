//! Items that calls of macros make: types by their names, and impls with their members. The call
//! stands for all of them.

use std::collections::HashMap;
use std::sync::Arc;

use super::impls::Head;
use super::paths::Paths;
use super::rules::Rule;
use super::types::{Bound, Def, Name, Type};
use super::world::World;
use crate::model::{ItemUses, NodeKind, RefKind};

/// Begins the path of a type that a call makes: no path of another crate begins like this.
pub(super) const MADE: &str = "!";

/// What impls that calls make add to types, and functions that they make.
#[derive(Debug, Default)]
pub(super) struct MadeImpls {
    /// By type and name of a member.
    members: HashMap<(Head, String), Vec<MadeMember>>,
    /// What functions return, by call and name.
    functions: HashMap<(Def, String), Type>,
    /// Traits that types have.
    pub traits: Vec<(Head, Def)>,
    /// Calls that make a type, by its path.
    types: HashMap<Arc<str>, Def>,
}

/// A member of a type that a call makes.
#[derive(Debug, Clone, PartialEq)]
struct MadeMember {
    call: Def,
    /// The impl that the call stands in, whose parameters `ret` names.
    owner: Option<Def>,
    /// The type that its impl is for.
    own: Type,
    /// What a method returns. Its own parameters are unknown.
    ret: Type,
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
                        let own = owner.and_then(|owner| world.sig(owner).ty.clone());
                        let ret = returned(world, call, (owner, &own), &made.text);
                        match own.as_ref().and_then(Head::of).zip(own) {
                            Some((head, own)) => {
                                let ret = ret.unwrap_or(Type::Unknown);
                                all.member(head, made.name, MadeMember { call, owner, own, ret });
                            }
                            None if made.kind == NodeKind::Function => {
                                let ret = ret.unwrap_or(Type::Unknown);
                                all.functions.insert((call, made.name.to_owned()), ret);
                            }
                            None => {
                                all.types.insert(world.made_path(call, made.name), call);
                            }
                        }
                    }
                }
            }
        }
        all
    }

    fn member(&mut self, head: Head, name: &str, member: MadeMember) {
        let members = self.members.entry((head, name.to_owned())).or_default();
        if members.iter().all(|known| known.call != member.call) {
            members.push(member);
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
            paths.own_type = Some(ty.clone());
            let of = used.of_trait.map(|of| paths.bound(of));
            let Some(head) = Head::of(&ty) else { continue };
            if let Some(of) = of.as_ref().and_then(Bound::def) {
                self.traits.push((head.clone(), of));
            }
            for (member, used) in facts.items.iter().zip(&uses.items) {
                let is_member = matches!(member.kind, NodeKind::Method | NodeKind::AssocConst);
                if member.parent as usize == at && is_member {
                    let ret = returns(&mut paths, used);
                    let made = MadeMember { call, owner: None, own: ty.clone(), ret };
                    self.member(head.clone(), &member.name, made);
                }
            }
        }
    }
}

/// What a function that a call makes returns, by its head.
fn returned(
    world: &World<'_>,
    call: Def,
    (owner, own): (Option<Def>, &Option<Type>),
    head: &str,
) -> Option<Type> {
    if head.is_empty() {
        return None;
    }
    let facts = crate::syntax::parse_file("", head.as_bytes());
    let uses = &facts.uses;
    let names: Vec<Name> =
        uses.names.iter().map(|name| world.find_name(name).unwrap_or(u32::MAX)).collect();
    let function = facts.items.iter().position(|item| item.kind == NodeKind::Function)?;
    let owners = owner.into_iter().collect();
    let mut paths = Paths::new(world, uses, &names, call, owners, own.clone());
    Some(returns(&mut paths, uses.items.get(function)?))
}

fn returns(paths: &mut Paths<'_, '_>, item: &ItemUses) -> Type {
    let ret = item.ret.map_or_else(Type::unit, |ty| paths.ty(ty));
    if item.is_async { paths.world.future_of(ret) } else { ret }
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

    /// What a function of this name returns that a call makes.
    pub(super) fn made_function(&self, call: Def, name: &str) -> Option<&Type> {
        self.made.functions.get(&(call, name.to_owned()))
    }

    /// The members of this name that calls make for a type.
    fn made_members(&self, ty: &Type, name: &str) -> &[MadeMember] {
        let found = Head::of(ty).and_then(|head| self.made.members.get(&(head, name.to_owned())));
        found.map_or(&[], Vec::as_slice)
    }
}

impl Paths<'_, '_> {
    /// Notes the calls that make a member of a type, if there are any. Returns what the member
    /// returns.
    pub(super) fn note_made(
        &mut self,
        ty: &Type,
        name: &str,
        kind: RefKind,
        at: u32,
    ) -> Option<Type> {
        let world = self.world;
        if world.made.members.is_empty() {
            return None;
        }
        let mut step = self.table.resolve(ty);
        for _ in 0..8 {
            let members = world.made_members(&step, name);
            if let Some(first) = members.first() {
                let calls: Vec<Def> = members.iter().map(|member| member.call).collect();
                self.note_defs(kind, &calls, Rule::Expansion, at);
                return Some(self.returned_on(first, &step));
            }
            step = self.deref(&step)?;
        }
        None
    }

    /// What a made member returns for this type.
    fn returned_on(&mut self, member: &MadeMember, ty: &Type) -> Type {
        if member.ret == member.own {
            return ty.clone();
        }
        let subst = member.owner.and_then(|owner| self.matches(owner, ty));
        subst.map_or_else(|| member.ret.clone(), |subst| subst.apply(&member.ret))
    }
}
