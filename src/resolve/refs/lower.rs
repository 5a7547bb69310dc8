//! Lowers types as written to inferred types, and computes the signatures of definitions.

use std::sync::Arc;

use super::item_index::ItemIndex;
use super::paths::PathResolver;
use super::types::{Borrow, Bound, Def, Name, SELF, Sig, TraitRef, Type, none};
use asof_model::{ItemUses, NodeKind, Ty, TypeId};

/// Definitions whose generic parameters can be named in this one, from the inside out.
pub(super) fn owners(world: &ItemIndex<'_>, def: Def) -> Vec<Def> {
    let mut owners = vec![def];
    let mut at = def;
    while let Some(parent) = world.owner(at) {
        let shares = match world.kind(parent) {
            NodeKind::Impl | NodeKind::Trait => true,
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Variant => {
                matches!(world.kind(at), NodeKind::Field | NodeKind::Variant)
            }
            _ => false,
        };
        if !shares {
            break;
        }
        owners.push(parent);
        at = parent;
    }
    owners
}

/// The type `Self` in the text of a definition with these owners.
pub(super) fn self_type(world: &ItemIndex<'_>, owners: &[Def]) -> Option<Type> {
    let &outer = owners.last()?;
    match world.kind(outer) {
        NodeKind::Trait => Some(Type::Param(outer, SELF)),
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union => Some(applied(world, outer)),
        NodeKind::Impl => Some(impl_type(world, outer)),
        _ => None,
    }
}

/// The type that an impl is for.
pub(super) fn impl_type(world: &ItemIndex<'_>, def: Def) -> Type {
    let Some((file, at)) = world.raw_sig(def) else { return Type::Unknown };
    let Some(ty) = file.uses.items.get(at).and_then(|item| item.ty) else { return Type::Unknown };
    PathResolver::new(world, &file.uses, &file.names, def, vec![def], None).ty(ty)
}

/// A type definition with its own parameters as arguments.
pub(super) fn applied(world: &ItemIndex<'_>, def: Def) -> Type {
    let count = generic_names(world, def).len() as u32;
    Type::Adt(world.twins.first(def), (0..count).map(|at| Type::Param(def, at)).collect())
}

/// Names of the generic parameters of a definition.
pub(super) fn generic_names(world: &ItemIndex<'_>, def: Def) -> Vec<Name> {
    world.raw_sig(def).map_or_else(Vec::new, |(file, at)| file.generic_names(at))
}

/// Of the signature of an impl, the type that it is for and its trait.
pub(super) fn impl_ends(world: &ItemIndex<'_>, def: Def) -> Sig {
    let Some((file, at)) = world.raw_sig(def) else { return Sig::default() };
    let Some(item) = file.uses.items.get(at) else { return Sig::default() };
    let (owners, own) = (vec![def], Some(impl_type(world, def)));
    let mut paths = PathResolver::new(world, &file.uses, &file.names, def, owners, own);
    let ty = item.ty.map(|ty| paths.ty(ty));
    Sig { ty, of_trait: item.of_trait.map(|ty| paths.bound(ty)), ..Sig::default() }
}

/// Of the signature of a type, what its attributes derive and name.
pub(super) fn attributes(world: &ItemIndex<'_>, def: Def) -> Sig {
    let mut sig = Sig::default();
    if let Some((file, at)) = world.raw_sig(def)
        && let Some(item) = file.uses.items.get(at)
        && !item.attrs.is_empty()
    {
        let owners = owners(world, def);
        let own = self_type(world, &owners);
        let mut paths = PathResolver::new(world, &file.uses, &file.names, def, owners, own);
        lower_attributes(&mut paths, item, &mut sig);
    }
    sig
}

/// The signature of a definition.
pub(super) fn signature(world: &ItemIndex<'_>, def: Def) -> Sig {
    let Some((file, at)) = world.raw_sig(def) else { return Sig::default() };
    let Some(item) = file.uses.items.get(at) else { return Sig::default() };
    let owners = owners(world, def);
    let own = self_type(world, &owners);
    let mut paths = PathResolver::new(world, &file.uses, &file.names, def, owners, own);
    let mut sig = Sig { generics: generic_names(world, def), ..Sig::default() };
    lower(&mut paths, item, world.kind(def), &mut sig);
    if world.is_library(def) {
        name_traits(world, &mut sig);
    }
    sig
}

/// `I::Output` with `I: SliceIndex<[T]>` is `<I as SliceIndex<[T]>>::Output`: the trait's arguments
/// tell its impls apart.
fn name_traits(world: &ItemIndex<'_>, sig: &mut Sig) {
    let Sig { preds, params, ty, .. } = sig;
    for ty in params.iter_mut().chain(ty) {
        *ty = ty.map(&mut |part| {
            let Type::Assoc(of) = part else { return None };
            let (base @ Type::Param(..), None, name) = &**of else { return None };
            let bounds = preds.iter().filter(|(on, _)| on == base).flat_map(|(_, all)| all);
            let has = |bound: &&Bound| {
                let of = bound.def();
                of.is_some_and(|of| world.child(of, *name, &[NodeKind::AssocType]).is_some())
            };
            let bound = bounds.into_iter().find(has)?;
            Some(Type::Assoc(Arc::new((base.clone(), Some(bound.clone()), *name))))
        });
    }
}

fn lower(paths: &mut PathResolver<'_, '_>, item: &ItemUses, kind: NodeKind, sig: &mut Sig) {
    let uses = paths.uses;
    for generic in uses.generics(item.generics) {
        sig.defaults.push(generic.default.map(|ty| paths.ty(ty)));
    }
    for pred in uses.preds(item.preds) {
        let ty = paths.ty(pred.ty);
        let bounds = uses.type_ids(pred.bounds).map(|bound| paths.bound(bound)).collect();
        sig.preds.push((ty, bounds));
    }
    for param in uses.params(item.params) {
        sig.receiver |= param.receiver;
        let ty = param.ty.map_or(Type::Unknown, |ty| paths.ty(ty));
        sig.params.push(ty);
    }
    sig.ty = match kind {
        NodeKind::Function | NodeKind::Method => {
            let ret = item.ret.map_or_else(Type::unit, |ty| paths.ty(ty));
            Some(if item.is_async { paths.world.future_of(ret) } else { ret })
        }
        _ => item.ty.map(|ty| paths.ty(ty)),
    };
    match kind {
        NodeKind::Impl => sig.of_trait = item.of_trait.map(|ty| paths.bound(ty)),
        _ => {
            sig.bounds = uses.type_ids(item.bounds).map(|bound| paths.bound(bound)).collect();
        }
    }
    sig.is_pinned = kind == NodeKind::Field && !item.attrs.is_empty();
    if kind != NodeKind::Field {
        lower_attributes(paths, item, sig);
    }
}

fn lower_attributes(paths: &mut PathResolver<'_, '_>, item: &ItemUses, sig: &mut Sig) {
    for attr in paths.uses.attrs(item.attrs) {
        let Some([argument, name]) = attr.named else {
            sig.derives.push(paths.derive(attr.path));
            continue;
        };
        if paths.makes_projection(attr.path, argument) {
            sig.projections.push(paths.name(name));
        }
    }
}

impl ItemIndex<'_> {
    /// A future with this output.
    pub(super) fn future_of(&self, output: Type) -> Type {
        let of = match self.known.future {
            Some(def) => TraitRef::Def(def),
            None => TraitRef::Unknown,
        };
        let assoc = vec![(self.known.output, output)];
        Type::Bounded(Arc::from([Bound { of, args: none(), assoc }]))
    }
}

impl PathResolver<'_, '_> {
    /// A type as written.
    pub(super) fn ty(&mut self, id: TypeId) -> Type {
        let uses = self.uses;
        match uses.ty(id) {
            Ty::Path(path) => self.path_type(path),
            Ty::Ref(to, mutable) => Type::reference(Borrow::from_mutability(mutable), self.ty(to)),
            Ty::Ptr(to, mutable) => {
                Type::Ptr(Borrow::from_mutability(mutable), Arc::new(self.ty(to)))
            }
            Ty::Slice(of) => Type::Slice(Arc::new(self.ty(of))),
            Ty::Array(of, len) => {
                self.consts.push(len);
                Type::Array(Arc::new(self.ty(of)))
            }
            Ty::Tuple(list) => Type::Tuple(uses.type_ids(list).map(|ty| self.ty(ty)).collect()),
            Ty::Fn(params, ret) => {
                let params = uses.type_ids(params).map(|ty| self.ty(ty)).collect();
                let ret = ret.map_or_else(Type::unit, |ty| self.ty(ty));
                Type::Fn(Arc::new(super::types::Callable { params, ret }))
            }
            Ty::Dyn(bounds) | Ty::Impl(bounds) => {
                Type::Bounded(uses.type_ids(bounds).map(|bound| self.bound(bound)).collect())
            }
            Ty::Never => Type::Never,
            Ty::Infer => self.hole(),
            Ty::Macro(path, list, call) => {
                if self.sink.is_none() {
                    return Type::Unknown;
                }
                self.type_of_call(path, call).unwrap_or_else(|| {
                    uses.type_ids(list).for_each(|ty| drop(self.ty(ty)));
                    self.hole()
                })
            }
        }
    }
}
