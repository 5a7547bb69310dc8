//! Resolves paths to associated items: `Type::name`, `<T as Trait>::name`.

use std::sync::Arc;

use super::super::namespaces::{TYPES, VALUES};
use super::members::Pick;
use super::paths::{End, PathResolver, Target};
use super::rules::Rule;
use super::types::{Bound, Callable, Def, Name, PROJECTION, TraitRef, Type};
use crate::ids::ConditionId;
use asof_model::{Arg, List, NodeKind, RefKind, Seg};

/// Supertraits that are looked at.
const MAX_SUPERTRAITS: usize = 32;

impl PathResolver<'_, '_> {
    /// `Type::name`.
    pub(super) fn associated(&mut self, ty: Type, seg: &Seg, spaces: u8, kind: RefKind) -> End {
        let world = self.world;
        let name = self.name(seg.name);
        if self.sink.is_none() {
            // Signatures: nothing is looked up that depends on another signature.
            return if spaces & TYPES != 0 {
                End::Type(Type::Assoc(Arc::new((ty, None, name))))
            } else {
                End::Nothing
            };
        }
        // What is below a projection is that of the type that the impl gives it.
        let ty = match self.table.resolve(&ty) {
            projection @ Type::Assoc(_) => self.normal(&projection),
            ty => ty,
        };
        if let Some(variant) = self.projected_variant(&ty, seg, kind) {
            return variant;
        }
        if let Type::Adt(def, _) = &ty
            && world.kind(*def) == NodeKind::Enum
        {
            let variant = |(def, under): (Def, ConditionId)| {
                Some((world.child(def, name, &[NodeKind::Variant])?, under))
            };
            let each = world.each_under(self.def, *def).into_iter();
            let variants: Vec<(Def, ConditionId)> = each.filter_map(variant).collect();
            if !variants.is_empty() {
                self.note_each(kind, &variants, Rule::Path, seg.at);
                return End::Defs(variants.into_iter().map(|(def, _)| def).collect(), Some(ty));
            }
        }
        if let Some(pick) = self.member(&ty, name, spaces) {
            let target = self.declared_outside(&pick).unwrap_or(Target::Def(pick.item));
            self.note_under(kind, target, pick.rule, seg.at, pick.under);
            self.note_each(kind, &pick.also, pick.rule, seg.at);
            if pick.rule == Rule::Ambiguous
                && let Some(sink) = &mut self.sink
            {
                let several = 1 + pick.also.len();
                for found in sink.iter_mut().rev().take(several) {
                    found.several = several as u8;
                }
            }
            if world.kind(pick.item) == NodeKind::AssocType {
                return End::Type(Type::Assoc(Arc::new((ty, None, name))));
            }
            return End::Defs(vec![pick.item], Some(ty));
        }
        let text = self.text(seg.name);
        if let Some(path) = self.external_path(&ty) {
            let path: Arc<str> = format!("{path}::{text}").into();
            self.note(kind, Target::External(path.clone()), Rule::Member, seg.at);
            return End::External(path);
        }
        self.note(kind, Target::Unknown(format!("::{text}").into()), Rule::Nothing, seg.at);
        if spaces & VALUES != 0 && self.has_foreign_derive(&ty) {
            // `Args::parse()`: a function that a derive adds usually returns the type.
            return End::Defs(Vec::new(), Some(callable(ty)));
        }
        if spaces & TYPES != 0 {
            End::Type(Type::Assoc(Arc::new((ty, None, name))))
        } else {
            End::Nothing
        }
    }

    /// `Self::Name` in an impl of a trait: the trait's associated type, whatever other traits of the
    /// type have one of this name.
    pub(super) fn type_of_own_trait(
        &mut self,
        segs: &[Seg],
        spaces: u8,
        kind: RefKind,
    ) -> Option<End> {
        let [own, seg, ..] = segs else { return None };
        if self.sink.is_none() || spaces & TYPES == 0 || self.text(own.name) != "Self" {
            return None;
        }
        let world = self.world;
        let ty = self.own_type.clone()?;
        let of_impl = |owner: &Def| world.kind(*owner) == NodeKind::Impl;
        let owner = self.owners.iter().copied().find(of_impl)?;
        let name = self.name(seg.name);
        let mut bounds = vec![world.sig(owner).of_trait.clone()?];
        let mut at = 0;
        while let Some(bound) = bounds.get(at).filter(|_| at < MAX_SUPERTRAITS).cloned() {
            at += 1;
            let Some(of) = bound.def() else { continue };
            if let Some(item) = world.child(of, name, &[NodeKind::AssocType]) {
                self.note(kind, Target::Def(item), Rule::TraitImpl, seg.at);
                // Arguments of a supertrait are those of the trait's own parameters.
                let bound = (at == 1).then_some(bound);
                return Some(End::Type(Type::Assoc(Arc::new((ty, bound, name)))));
            }
            bounds.extend(world.sig(of).bounds.iter().cloned());
        }
        None
    }

    /// `Name` of `Trait<Name = Type>` and `Trait<Name: Bounds>`: the type that the trait or one of its
    /// supertraits declares.
    pub(super) fn names_in_args(&mut self, of: &End, args: List) {
        let uses = self.uses;
        if self.sink.is_none() || args.is_empty() {
            return;
        }
        for arg in uses.args(args) {
            let (Arg::Assoc(sym, at, _) | Arg::Bound(sym, at, _)) = *arg else { continue };
            match of {
                End::Defs(defs, _) => {
                    let name = self.name(sym);
                    let found = defs.iter().find_map(|def| self.declares(*def, name));
                    if let Some(item) = found {
                        self.note(RefKind::Type, Target::Def(item), Rule::Path, at);
                    }
                }
                End::External(path) => {
                    let path = format!("{path}::{}", self.text(sym)).into();
                    self.note(RefKind::Type, Target::External(path), Rule::Path, at);
                }
                End::Type(_) | End::Nothing => {}
            }
        }
    }

    /// The associated type of a trait or of its supertraits.
    fn declares(&self, of: Def, name: Name) -> Option<Def> {
        let mut traits = vec![of];
        let mut at = 0;
        while let Some(&of) = traits.get(at).filter(|_| at < MAX_SUPERTRAITS) {
            if let Some(item) = self.world.child(of, name, &[NodeKind::AssocType]) {
                return Some(item);
            }
            traits.extend(self.world.sig(of).bounds.iter().filter_map(Bound::def));
            at += 1;
        }
        None
    }

    /// The type that a trait of another crate declares, in place of that of an impl: `Self::Name`
    /// means the trait's everywhere.
    fn declared_outside(&self, pick: &Pick) -> Option<Target> {
        let world = self.world;
        let owner = world.owner(pick.item)?;
        let assoc = world.kind(pick.item) == NodeKind::AssocType;
        match world.sig(owner).of_trait.as_ref().map(|bound| &bound.of) {
            Some(TraitRef::External(path)) if assoc => {
                let name = world.text(world.name(pick.item));
                Some(Target::External(format!("{path}::{name}").into()))
            }
            _ => None,
        }
    }

    /// Whether a type has a derive that is neither of the workspace nor of the library.
    fn has_foreign_derive(&self, ty: &Type) -> bool {
        let Type::Adt(def, _) = ty else { return false };
        let sig = self.world.sig(*def);
        sig.derives.iter().any(|of| !matches!(of, TraitRef::Def(_)))
    }

    /// Path of a type that is not of the workspace.
    pub(super) fn external_path(&self, ty: &Type) -> Option<Arc<str>> {
        match ty {
            Type::External(path, _) if **path == *PROJECTION => None,
            Type::External(path, _) => Some(path.clone()),
            Type::Adt(def, _) if self.world.is_library(*def) => Some(self.world.path(*def).into()),
            Type::Prim(name) => Some(self.world.text(*name).into()),
            Type::Bounded(bounds) => bounds.iter().find_map(|bound| match &bound.of {
                TraitRef::External(path) => Some(path.clone()),
                _ => None,
            }),
            _ => None,
        }
    }

    /// `<T as Trait>::name`.
    pub(super) fn qualified(
        &mut self,
        base: Type,
        bound: Bound,
        seg: &Seg,
        spaces: u8,
        kind: RefKind,
    ) -> End {
        let world = self.world;
        let name = self.name(seg.name);
        if spaces & VALUES == 0 {
            if let Some(def) =
                bound.def().and_then(|t| world.child(t, name, &[NodeKind::AssocType]))
            {
                self.note(kind, Target::Def(def), Rule::Path, seg.at);
            }
            return End::Type(Type::Assoc(Arc::new((base, Some(bound), name))));
        }
        match &bound.of {
            TraitRef::Def(of) => {
                let kinds = [NodeKind::Method, NodeKind::AssocConst];
                let own = world.child(*of, name, &kinds);
                let found = self.implemented(&base, *of, name).or(own);
                match found {
                    Some(def) => {
                        self.note(kind, Target::Def(def), Rule::Path, seg.at);
                        End::Defs(vec![def], Some(base))
                    }
                    None => End::Nothing,
                }
            }
            TraitRef::External(path) => {
                let path: Arc<str> = format!("{path}::{}", self.text(seg.name)).into();
                self.note(kind, Target::External(path.clone()), Rule::Path, seg.at);
                End::External(path)
            }
            TraitRef::Unknown => End::Nothing,
        }
    }
}

/// A function as a value, whose parameters are not known.
fn callable(ret: Type) -> Type {
    Type::Fn(Arc::new(Callable { params: Vec::new(), ret }))
}
