//! Projections of pinned types, as `pin_project` and `pin_project_lite` make them: fields that
//! `#[pin]` marks are pinned, the others are borrowed. What is found through the name of a
//! projection has a rule of expansions: no text of the macro was read.

use super::super::known_macros::names_projection;
use super::super::namespaces::MACROS;
use super::infer::InferenceContext;
use super::item_index::ItemIndex;
use super::paths::{End, PathResolver, Target};
use super::rules::Rule;
use super::types::{Borrow, Def, Name, PROJECTION, Type};
use asof_model::{NodeKind, PathId, RefKind, Seg, Sym};

/// Methods that make one.
const METHODS: [&str; 2] = ["project", "project_ref"];

impl PathResolver<'_, '_> {
    /// Whether an argument of an attribute names a projection of its item.
    pub(super) fn makes_projection(&mut self, attribute: PathId, argument: Sym) -> bool {
        let argument = self.text(argument).to_owned();
        let path = match self.resolve(attribute, MACROS, RefKind::Attribute, false).0 {
            End::External(path) => path.to_string(),
            End::Defs(defs, _) => match defs.first() {
                Some(def) => self.world.path(*def).into_owned(),
                None => return false,
            },
            End::Type(_) | End::Nothing => return false,
        };
        names_projection(&self.world.other_names.packaged(&path), &argument)
    }

    /// The projection of this name that an attribute makes in a module around: its variants and
    /// fields are those of the type that has the attribute.
    pub(super) fn projection_named(&mut self, seg: &Seg, kind: RefKind) -> Option<End> {
        let own = self.world.projection_in(self.scope, self.name(seg.name))?;
        if self.sink.is_some() {
            self.note(kind, Target::Def(own), Rule::Expanded, seg.at);
        }
        let own = self.apply(own, Vec::new(), true);
        Some(End::Type(Type::External(PROJECTION.into(), [own].into())))
    }

    /// A variant of a projection.
    pub(super) fn projected_variant(&mut self, ty: &Type, seg: &Seg, kind: RefKind) -> Option<End> {
        let Type::Adt(def, _) = ty.projected()? else { return None };
        let variant = self.world.child(*def, self.name(seg.name), &[NodeKind::Variant])?;
        self.note(kind, Target::Def(variant), Rule::Expanded, seg.at);
        Some(End::Defs(vec![variant], Some(ty.clone())))
    }
}

impl InferenceContext<'_, '_> {
    /// The type of a field of a projection.
    pub(super) fn projected_type(&mut self, field: Def, own: &Type) -> Type {
        let ty = Type::reference(Borrow::Unknown, self.field_type(field, own));
        let world = self.p.world;
        if world.is_pinned(field) { self.library(world.known.pin, vec![ty]) } else { ty }
    }

    /// What `project` on this receiver returns, if its type is a struct with such fields. Notes the
    /// macro call that the struct is in.
    pub(super) fn projection(&mut self, receiver: &Type, name: &str, at: u32) -> Option<Type> {
        if !METHODS.contains(&name) {
            return None;
        }
        let world = self.p.world;
        let Type::Adt(pin, args) = self.p.normal(receiver) else { return None };
        let pointer = args.first().filter(|_| Some(pin) == world.known.pin)?;
        let Type::Ref(_, own) = self.p.normal(pointer) else { return None };
        let own = self.p.normal(&own);
        let Type::Adt(def, _) = &own else { return None };
        let mut fields = world.children(*def).iter();
        if !fields.any(|field| world.is_pinned(*field)) && world.sig(*def).projections.is_empty() {
            return None;
        }
        let call = world.parent(*def).filter(|call| world.kind(*call) == NodeKind::MacroCall);
        let target = match call {
            Some(call) => Target::Def(call),
            None => Target::Unknown(format!(".{name}").into()),
        };
        let rule = if call.is_some() { Rule::Expansion } else { Rule::Nothing };
        self.p.note(RefKind::MethodCall, target, rule, at);
        Some(Type::External(PROJECTION.into(), [own].into()))
    }

    /// A field of a projection.
    pub(super) fn projected_field(&mut self, on: &Type, sym: Sym, at: u32) -> Option<Type> {
        let own = on.projected()?;
        let Type::Adt(def, _) = own else { return None };
        let world = self.p.world;
        let fields = world.fields(self.p.def, *def, self.p.name(sym));
        self.p.note_each(RefKind::Field, &fields, Rule::Member, at);
        let field = fields.first()?.0;
        Some(self.projected_type(field, own))
    }
}

impl ItemIndex<'_> {
    /// The type of which an attribute makes a projection of this name, in a scope or around it.
    fn projection_in(&self, scope: Def, name: Name) -> Option<Def> {
        if self.is_library(scope) || name == Name::NONE {
            return None;
        }
        self.impls.projections.get(&(self.module(scope), name)).copied()
    }

    fn is_pinned(&self, field: Def) -> bool {
        self.kind(field) == NodeKind::Field && self.sig(field).is_pinned
    }
}
