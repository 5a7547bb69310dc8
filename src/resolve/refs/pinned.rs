//! Projections of pinned structs, as `pin_project` and `pin_project_lite` make them: fields that
//! `#[pin]` marks are pinned, the others are borrowed.

use super::body::Body;
use super::paths::Target;
use super::rules::Rule;
use super::types::{Borrow, Def, Type};
use super::world::World;
use crate::model::{NodeKind, RefKind};

/// Path of the type of a projection, whose argument is the struct.
const PROJECTION: &str = "!pin";

/// Methods that make one.
const METHODS: [&str; 2] = ["project", "project_ref"];

impl Body<'_, '_> {
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
        let fields = world.children(*def).iter();
        if !fields.into_iter().any(|field| world.is_pinned(*field)) {
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
    pub(super) fn projected_field(&mut self, on: &Type, sym: u32, at: u32) -> Option<Type> {
        let Type::External(path, args) = on else { return None };
        let own = args.first().filter(|_| **path == *PROJECTION)?;
        let Type::Adt(def, _) = own else { return None };
        let world = self.p.world;
        let fields = world.fields(self.p.def, *def, self.p.name(sym));
        self.p.note_each(RefKind::Field, &fields, Rule::Member, at);
        let field = fields.first()?.0;
        let ty = Type::reference(Borrow::Unknown, self.field_type(field, own));
        Some(if world.is_pinned(field) { self.library(world.known.pin, vec![ty]) } else { ty })
    }
}

impl World<'_> {
    fn is_pinned(&self, field: Def) -> bool {
        self.kind(field) == NodeKind::Field && self.sig(field).is_pinned
    }
}
