//! Resolves paths of types: definitions with their arguments, aliases, bounds, derives.

use std::sync::Arc;

use super::super::bindings::Found;
use super::super::conditions::ALWAYS;
use super::super::namespaces::{MACROS, TYPES};
use super::choices::Share;
use super::item_index::Hit;
use super::paths::{End, PathResolver, as_trait};
use super::rules::Rule;
use super::types::{Bound, Def, TraitRef, Type, none};
use crate::ids::ConditionId;
use asof_model::{NodeKind, PathId, RefKind, Ty, TypeId};

/// Nesting of type aliases that is followed.
const MAX_ALIASES: u32 = 8;

impl PathResolver<'_, '_> {
    /// A type definition with these arguments; those left out are inferred, or the defaults.
    pub(super) fn apply(&mut self, def: Def, mut args: Vec<Type>, infer: bool) -> Type {
        let def = self.world.twins.first(def);
        let count = super::lower::generic_names(self.world, def).len();
        args.truncate(count);
        let given = args.len();
        if given < count {
            let (defaults, open) = if infer && given == 0 {
                (Vec::new(), self.sink.is_some())
            } else {
                (self.defaults(def), false)
            };
            for at in given..count {
                let default = defaults.get(at).cloned().flatten();
                args.push(match default {
                    Some(ty) => ty,
                    None if open => self.table.fresh(),
                    None => Type::Unknown,
                });
            }
        }
        Type::Adt(def, args.into())
    }

    fn defaults(&self, def: Def) -> Vec<Option<Type>> {
        // Defaults that name other parameters are rare, and stay unknown.
        let Some((file, at)) = self.world.raw_sig(def) else { return Vec::new() };
        let Some(item) = file.uses.items.get(at) else { return Vec::new() };
        if self.aliases >= MAX_ALIASES {
            return Vec::new();
        }
        let mut paths =
            PathResolver::new(self.world, &file.uses, &file.names, def, vec![def], None);
        paths.aliases = self.aliases + 1;
        let generics = file.uses.generics(item.generics);
        generics.iter().map(|generic| generic.default.map(|ty| paths.ty(ty))).collect()
    }

    /// Target of an alias.
    fn alias(&mut self, def: Def, args: &[Type]) -> Type {
        let Some((file, at)) = self.world.raw_sig(def) else { return Type::Unknown };
        let ty = file.uses.items.get(at).and_then(|item| item.ty);
        let (Some(ty), true) = (ty, self.aliases < MAX_ALIASES) else { return Type::Unknown };
        let mut paths =
            PathResolver::new(self.world, &file.uses, &file.names, def, vec![def], None);
        paths.aliases = self.aliases + 1;
        let target = paths.ty(ty);
        let defaults = if args.len() < super::lower::generic_names(self.world, def).len() {
            self.defaults(def)
        } else {
            Vec::new()
        };
        target.map(&mut |part| match part {
            Type::Param(owner, at) if *owner == def => {
                let given = args.get(*at as usize).cloned();
                let default = || defaults.get(*at as usize).cloned().flatten();
                Some(given.or_else(default).unwrap_or(Type::Unknown))
            }
            _ => None,
        })
    }

    /// The type of a definition, with these arguments.
    pub(super) fn type_of_def(&mut self, def: Def, args: Vec<Type>, infer: bool) -> Type {
        match self.world.kind(def) {
            NodeKind::Struct | NodeKind::Enum | NodeKind::Union => self.apply(def, args, infer),
            NodeKind::TypeAlias => {
                let count = super::lower::generic_names(self.world, def).len();
                let mut args = args;
                while infer && self.sink.is_some() && args.len() < count {
                    args.push(self.table.fresh());
                }
                self.alias(def, &args)
            }
            NodeKind::Trait => {
                let bound = Bound { of: TraitRef::Def(def), args: args.into(), assoc: vec![] };
                Type::Bounded(Arc::from([bound]))
            }
            NodeKind::Variant => match self.world.owner(def) {
                Some(owner) => self.apply(owner, args, infer),
                None => Type::Unknown,
            },
            _ => Type::Unknown,
        }
    }

    /// The type of what a name means: of several definitions, each build has one.
    pub(super) fn type_of_defs(&mut self, defs: &[Def], args: Vec<Type>, infer: bool) -> Type {
        let reached = std::mem::take(&mut self.reached);
        let mut types: Vec<(Type, ConditionId)> = Vec::new();
        for &def in defs {
            let own = match defs.len() {
                1 => ALWAYS,
                _ => self.world.condition_of(self.def, def),
            };
            let under = self.world.joined.and(reached.under(def), own);
            types.push((self.type_of_def(def, args.clone(), infer), under));
        }
        match types.as_slice() {
            // Where there is one, the text is not there without it.
            [(only, _)] if reached.share == Share::All => only.clone(),
            _ => self.world.choice_of(self.def, &types, reached.share),
        }
    }

    pub(super) fn path_type(&mut self, id: PathId) -> Type {
        let (end, args) = self.resolve(id, TYPES, RefKind::Type, false);
        match end {
            End::Type(ty) => ty,
            End::Defs(defs, through) => match defs.first() {
                Some(&def) if self.world.kind(def) == NodeKind::AssocType => {
                    let base = through.unwrap_or(Type::Unknown);
                    let name = self.world.name(def);
                    Type::Assoc(Arc::new((base, None, name)))
                }
                Some(_) => self.type_of_defs(&defs, args.0, false),
                None => Type::Unknown,
            },
            End::External(path) => self.external_type(path, args.0),
            End::Nothing => Type::Unknown,
        }
    }

    /// A type of a dependency. `Result` with arguments is an alias of that of the library
    /// wherever it is declared, by a convention that crates keep.
    fn external_type(&mut self, path: Arc<str>, mut args: Vec<Type>) -> Type {
        let result = self.world.known.result.filter(|_| path.ends_with("::Result"));
        match (result, args.len()) {
            (Some(result), 1 | 2) => {
                if args.len() == 1 {
                    args.push(Type::Unknown);
                }
                Type::Adt(result, args.into())
            }
            _ => Type::External(path, args.into()),
        }
    }

    /// A bound as written.
    pub(super) fn bound(&mut self, id: TypeId) -> Bound {
        let Ty::Path(path) = self.uses.ty(id) else {
            return Bound { of: TraitRef::Unknown, args: none(), assoc: Vec::new() };
        };
        let (end, (args, assoc)) = self.resolve(path, TYPES, RefKind::Bound, false);
        Bound { of: as_trait(&end), args: args.into(), assoc }
    }

    /// The trait that a derive names: the derive macro of this name is taken for the trait. A type
    /// of the same name is not.
    pub(super) fn derive(&mut self, path: PathId) -> TraitRef {
        let uses = self.uses;
        let [seg] = uses.segs(path) else {
            let mark = self.sink.as_ref().map_or(0, Vec::len);
            let end = self.resolve(path, TYPES, RefKind::Attribute, false).0;
            let is_trait = |def: &Def| self.world.kind(*def) == NodeKind::Trait;
            if matches!(&end, End::Defs(defs, _) if defs.iter().any(is_trait))
                || matches!(end, End::External(_))
            {
                return as_trait(&end);
            }
            // A derive has a name among macros only, if there is no trait of its name.
            self.sink.iter_mut().for_each(|sink| sink.truncate(mark));
            return as_trait(&self.resolve(path, MACROS, RefKind::Attribute, false).0);
        };
        let world = self.world;
        let is_macro =
            |(def, spaces): &(Def, u8)| world.kind(*def) == NodeKind::Macro || *spaces == MACROS;
        let named = |hit: Hit| match hit {
            Hit::Defs(defs) => {
                let is_trait = |def: &Def| world.kind(*def) == NodeKind::Trait;
                let macros: Vec<_> = defs.iter().copied().filter(is_macro).collect();
                let mut found: Found = defs.into_iter().filter(|(def, _)| is_trait(def)).collect();
                // A trait of the workspace has a derive of its name beside it.
                if found.first().is_none_or(|one| !world.is_library(one.0)) {
                    found.extend(macros);
                }
                if found.is_empty() { Hit::Nothing } else { Hit::Defs(found) }
            }
            other => other,
        };
        let mut hit = self.lexical(seg.name, MACROS | TYPES);
        let outside = |found: &(Def, u8)| world.is_library(found.0) && !is_macro(found);
        if matches!(&hit, Hit::Defs(defs) if defs.iter().all(outside)) {
            // A trait of one crate may be imported beside a derive of another.
            match self.lexical(seg.name, MACROS) {
                Hit::Defs(defs) if !defs.iter().any(is_macro) => {}
                other => hit = other,
            }
        }
        hit = named(hit);
        let is_trait = |(def, _): &(Def, u8)| world.kind(*def) == NodeKind::Trait;
        if let Hit::Defs(macros) = &hit
            && !macros.iter().any(is_trait)
            && let Hit::Defs(mut found) = self.lexical(seg.name, TYPES)
        {
            // A trait of the workspace that a glob brings in beside a derive that is imported by name.
            found.retain(|one| is_trait(one) && !world.is_library(one.0));
            found.extend_from_slice(macros);
            hit = Hit::Defs(found);
        }
        if hit == Hit::Nothing {
            hit = named(world.prelude(self.text(seg.name), TYPES));
        }
        as_trait(&self.record(hit, seg, RefKind::Attribute, Rule::Path))
    }
}
