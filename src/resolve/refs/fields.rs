//! Field access: fields of a type, or of what it dereferences to.

use super::calls::MAX_CANDIDATES;
use super::infer::InferenceContext;
use super::reads;
use super::rules::Rule;
use super::types::{Def, Type};
use crate::ids::ConditionId;
use asof_model::{RefKind, Sym};

impl InferenceContext<'_, '_> {
    /// `base.name`.
    pub(super) fn field(&mut self, base: Type, sym: Sym, at: u32) -> Type {
        let mut base = self.p.normal(&base);
        if matches!(self.stripped(&base), Type::Var(_)) {
            self.solve_open();
            base = self.p.normal(&base);
        }
        if matches!(self.stripped(&base), Type::Var(_)) {
            let result = self.p.table.fresh();
            self.pending_fields.push((base, sym, at, result.clone()));
            return result;
        }
        self.known_field(&base, sym, at)
    }

    pub(super) fn known_field(&mut self, base: &Type, sym: Sym, at: u32) -> Type {
        let name = self.p.name(sym);
        let mut on = base.clone();
        // A field that is not visible here does not hide those of what its type dereferences to.
        let mut hidden: Option<(Vec<(Def, ConditionId)>, Type)> = None;
        for _ in 0..8 {
            match &on {
                Type::Adt(def, _) => {
                    let mut fields = self.p.world.fields(self.p.def, *def, name);
                    if !fields.iter().any(|(field, _)| self.p.world.sees(self.p.scope, *field)) {
                        let all = std::mem::take(&mut fields);
                        hidden = hidden.or_else(|| (!all.is_empty()).then(|| (all, on.clone())));
                    }
                    self.p.note_each(RefKind::Field, &fields, Rule::Member, at);
                    if !fields.is_empty() {
                        return self.type_of_fields(&fields, &on);
                    }
                }
                Type::Tuple(parts) => {
                    let number: Option<usize> = self.p.text(sym).parse().ok();
                    return number
                        .and_then(|number| parts.get(number))
                        .map_or(Type::Unknown, |ty| self.p.normal(ty));
                }
                on => {
                    if let Some(ty) = self.projected_field(on, sym, at) {
                        return ty;
                    }
                }
            }
            match self.p.deref(&on) {
                Some(next) => on = self.p.normal(&next),
                None => break,
            }
        }
        if let Some((fields, on)) = hidden {
            self.p.note_each(RefKind::Field, &fields, Rule::Member, at);
            return self.type_of_fields(&fields, &on);
        }
        let unknown = matches!(self.stripped(base), Type::Unknown | Type::Var(_) | Type::Assoc(_));
        if unknown {
            reads::ask(self.p.text(sym));
        }
        let fields = self.p.world.fields.get(name);
        let numbered = self.p.text(sym).starts_with(|c: char| c.is_ascii_digit());
        if unknown && !numbered && !fields.is_empty() && fields.len() <= MAX_CANDIDATES {
            let fields = fields.to_vec();
            let rule = self.guess(&fields);
            self.candidates(RefKind::Field, &fields, rule, at);
        }
        Type::Unknown
    }
}
