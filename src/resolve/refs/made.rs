//! Items that calls of macros make: types by their names, and impls with their members. The call
//! stands for all of them.

use std::collections::HashMap;
use std::sync::Arc;

use super::impls::Head;
use super::paths::Paths;
use super::rules::Rule;
use super::types::{Bound, Callable, Def, TraitRef, Type};
use super::world::World;
use crate::model::{ItemFacts, ItemUses, NodeKind, RefKind};

/// Begins the path of a type that a call makes: no path of another crate begins like this.
pub(super) const MADE: &str = "!";

/// What impls that calls make add to types, and functions that they make.
#[derive(Debug, Default)]
pub(super) struct MadeImpls {
    /// By type and name of a member.
    members: HashMap<(Head, String), Vec<MadeMember>>,
    /// What functions return, by call and name.
    functions: HashMap<(Def, String), Type>,
    /// Rules of macros, by call and name.
    macros: HashMap<(Def, String), String>,
    /// Types of consts and statics, by call and name.
    values: HashMap<(Def, String), Type>,
    /// Fields of types that calls make.
    fields: HashMap<(Head, String), (Def, Type)>,
    /// Traits that types have.
    pub traits: Vec<(Head, Def)>,
}

/// A member of a type that a call makes.
#[derive(Debug, Clone, PartialEq)]
struct MadeMember {
    call: Def,
    /// The impl that the call stands in, whose parameters `ret` names.
    owner: Option<Def>,
    /// The type that its impl is for.
    own: Type,
    /// What a method returns, or the type of a value. Parameters are unknown.
    ret: Type,
    /// Whether it is called.
    callable: bool,
}

impl MadeImpls {
    pub(super) fn of(world: &World<'_>) -> Self {
        let mut all = MadeImpls::default();
        for expansion in &world.scopes().expansions {
            for made in &expansion.items {
                all.item(world, expansion.call, (made.kind, made.name, &made.text));
            }
        }
        for made in &world.outside_calls.items {
            all.item(world, made.call, (made.kind, &made.name, &made.text));
        }
        all
    }

    fn item(&mut self, world: &World<'_>, call: Def, made: (NodeKind, &str, &str)) {
        let (kind, name, text) = made;
        if kind == NodeKind::Impl {
            return self.read(world, call, text);
        }
        if name.is_empty() {
            return;
        }
        let within = world.owner(call);
        let owner = within.filter(|of| world.kind(*of) == NodeKind::Impl);
        let own = owner.and_then(|owner| world.sig(owner).ty.clone());
        if let Some((head, own)) = own.as_ref().and_then(Head::of).zip(own.clone()) {
            let ret = returned(world, call, (owner, &Some(own.clone())), text);
            let ret = ret.unwrap_or(Type::Unknown);
            let callable = kind == NodeKind::Function;
            return self.member(head, name, MadeMember { call, owner, own, ret, callable });
        }
        match kind {
            NodeKind::Function => {
                let ret = returned(world, call, (owner, &own), text).unwrap_or(Type::Unknown);
                self.functions.insert((call, name.to_owned()), ret);
            }
            NodeKind::Const | NodeKind::Static => {
                let ty = returned(world, call, (owner, &own), text).unwrap_or(Type::Unknown);
                self.values.insert((call, name.to_owned()), ty);
            }
            NodeKind::Macro => drop(self.macros.insert((call, name.to_owned()), text.to_owned())),
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
                self.read_type(world, call, (name, text));
            }
            _ => {}
        }
    }

    /// Reads the text of a type: its derives, variants and fields.
    fn read_type(&mut self, world: &World<'_>, call: Def, (name, text): (&str, &str)) {
        let facts = crate::syntax::parse_file("", text.as_bytes());
        let uses = &facts.uses;
        let names = world.names_of(uses);
        let own = world.made_type(call, name, Vec::new());
        let Some(head) = Head::of(&own) else { return };
        let mut paths = Paths::new(world, uses, &names, call, Vec::new(), Some(own.clone()));
        for (at, (item, used)) in facts.items.iter().zip(&uses.items).enumerate() {
            match item.kind {
                NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
                    for attr in uses.attrs(used.attrs).iter().filter(|attr| attr.derive) {
                        if let TraitRef::Def(of) = paths.derive(attr.path) {
                            self.traits.push((head.clone(), of));
                        }
                    }
                }
                NodeKind::Variant => {
                    let (own, ret) = (own.clone(), own.clone());
                    let is_field = |field: &ItemFacts| {
                        field.parent as usize == at && field.name.starts_with('0')
                    };
                    let callable = facts.items.iter().any(is_field);
                    let made = MadeMember { call, owner: None, own, ret, callable };
                    self.member(head.clone(), &item.name, made);
                }
                NodeKind::Field if item.parent == 1 => {
                    let ty = used.ty.map_or(Type::Unknown, |ty| paths.ty(ty));
                    self.fields.insert((head.clone(), item.name.clone()), (call, ty));
                }
                _ => {}
            }
        }
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
        let names = world.names_of(uses);
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
                    let ret = returns(&mut paths, used, member.kind);
                    let callable = member.kind == NodeKind::Method;
                    let own = ty.clone();
                    let made = MadeMember { call, owner: None, own, ret, callable };
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
    let names = world.names_of(uses);
    let is_made = |item: &ItemFacts| {
        matches!(item.kind, NodeKind::Function | NodeKind::Const | NodeKind::Static)
    };
    let made = facts.items.iter().position(is_made)?;
    let owners = owner.into_iter().collect();
    let mut paths = Paths::new(world, uses, &names, call, owners, own.clone());
    Some(returns(&mut paths, uses.items.get(made)?, facts.items.get(made)?.kind))
}

fn returns(paths: &mut Paths<'_, '_>, item: &ItemUses, kind: NodeKind) -> Type {
    if matches!(kind, NodeKind::Const | NodeKind::Static | NodeKind::AssocConst) {
        return item.ty.map_or(Type::Unknown, |ty| paths.ty(ty));
    }
    let ret = item.ret.map_or_else(Type::unit, |ty| paths.ty(ty));
    if item.is_async { paths.world.future_of(ret) } else { ret }
}

/// A function as a value, whose parameters are not known.
pub(super) fn callable(ret: Type) -> Type {
    Type::Fn(Arc::new(Callable { params: Vec::new(), ret }))
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

    /// The type of a function, const or static of this name that a call makes.
    pub(super) fn made_value(&self, call: Def, name: &str) -> Option<Type> {
        let key = (call, name.to_owned());
        let function = self.made.functions.get(&key).map(|ret| callable(ret.clone()));
        function.or_else(|| self.made.values.get(&key).cloned())
    }

    /// The rules of the macro of this name that a call makes.
    pub(super) fn made_macro(&self, call: Def, name: &str) -> Option<&str> {
        self.made.macros.get(&(call, name.to_owned())).map(String::as_str)
    }

    /// The type of a struct that a call makes, used as a value.
    pub(super) fn made_constructor(&self, ty: &Type) -> Option<Type> {
        let Type::External(path, _) = ty else { return None };
        path.starts_with(MADE).then(|| match self.made_field(ty, "0") {
            Some(_) => callable(ty.clone()),
            None => ty.clone(),
        })
    }

    /// The field of a type that a call makes: the call, and the field's type.
    pub(super) fn made_field(&self, ty: &Type, name: &str) -> Option<&(Def, Type)> {
        let Type::External(path, _) = ty else { return None };
        let head = Head::of(ty).filter(|_| path.starts_with(MADE))?;
        self.made.fields.get(&(head, name.to_owned()))
    }

    /// The members of this name that calls make for a type.
    fn made_members(&self, ty: &Type, name: &str) -> &[MadeMember] {
        let found = Head::of(ty).and_then(|head| self.made.members.get(&(head, name.to_owned())));
        found.map_or(&[], Vec::as_slice)
    }
}

impl Paths<'_, '_> {
    /// Notes the calls that make a member of a type, if there are any. Returns what the member
    /// returns, or its type, and whether it is called.
    pub(super) fn note_made(
        &mut self,
        ty: &Type,
        name: &str,
        kind: RefKind,
        at: u32,
    ) -> Option<(Type, bool)> {
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
                return Some((self.returned_on(first, &step), first.callable));
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
