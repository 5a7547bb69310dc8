//! Method resolution: candidates by receiver type.

use super::super::conditions::ALWAYS;
use super::heads::Head;
use super::impl_tables::Member;
use super::members::{Access, Clauses, MAX_NESTED, Pick, Subst, TYPE, Wanted};
use super::paths::PathResolver;
use super::rules::Rule;
use super::types::{Borrow, Bound, Def, Type};
use asof_model::NodeKind;

impl PathResolver<'_, '_> {
    /// The members whose impls are for the type. There is one, or there are its duplicates under
    /// other `cfg` predicates; or several impls of one trait fit, and the trait's own item is found;
    /// or several impls fit since not all of the type is known.
    pub(super) fn fitting(
        &mut self,
        members: &[Member],
        ty: &Type,
        wanted: &Wanted<'_>,
        rule: Rule,
    ) -> Option<Pick> {
        let world = self.world;
        let mut fits: Vec<Member> = Vec::new();
        for member in members {
            if !wanted.kinds.contains(&world.kind(member.item))
                || !self.takes(member.item, wanted)
                || world.excludes(self.def, member.item)
            {
                continue;
            }
            let of_trait = world.sig(member.of).of_trait.as_ref().and_then(Bound::def);
            if of_trait.is_some_and(|of| !self.counts(of, wanted))
                || wanted.access == Access::Visible
                    && rule == Rule::Member
                    && !world.sees(self.scope, member.item)
            {
                continue;
            }
            let mark = self.table.mark();
            let fit = self.matches(member.of, ty).is_some();
            self.table.undo(mark);
            if fit
                && self.nested_holds(member.of, ty, MAX_NESTED)
                && (wanted.clauses == Clauses::Any || self.clauses_hold(member.of, ty))
            {
                fits.push(*member);
            }
        }
        if fits.len() > 1 {
            // `where` clauses tell impls apart. What is not known of types is not held against them.
            let apart: Vec<Member> =
                fits.iter().filter(|member| self.clauses_hold(member.of, ty)).copied().collect();
            if !apart.is_empty() {
                fits = apart;
            }
        }
        if fits.len() > 1 && wanted.by.is_some() {
            self.prefer_brought(&mut fits);
        }
        let first = *fits.first()?;
        let others = fits.get(1..).unwrap_or_default();
        let (twins, rivals): (Vec<Member>, Vec<Member>) =
            others.iter().partition(|other| world.same_header(first.of, other.of));
        let of_trait = world.sig(first.of).of_trait.as_ref().and_then(Bound::def);
        let one_trait = of_trait.is_some()
            && rivals
                .iter()
                .all(|one| world.sig(one.of).of_trait.as_ref().and_then(Bound::def) == of_trait);
        if !rivals.is_empty()
            && one_trait
            && wanted.kinds != TYPE
            && let Some(item) = self.declared(&first, wanted.kinds)
            && let Some(of) = of_trait
        {
            // Which impl is meant depends on the arguments.
            let count = super::lower::generic_names(world, of).len();
            let args = (0..count).map(|_| self.table.fresh()).collect();
            let subst = Subst { args: vec![(of, args)], own: Some((of, ty.clone())), choice: None };
            return Some(Pick::new(item, Rule::Bound, subst, ty));
        }
        let several_traits = !one_trait && of_trait.is_some() && wanted.by.is_some();
        let unsure =
            !rivals.is_empty() && (several_traits || of_trait.is_none() && partly_unknown(ty));
        let rule = if unsure { Rule::Ambiguous } else { rule };
        let also = if unsure { others } else { twins.as_slice() };
        let also = also.iter().map(|member| (member.item, ALWAYS)).collect();
        let subst = self.matches(first.of, ty)?;
        // An item of the library's own impls is that of the trait, and `Self::Name` is the
        // trait's everywhere.
        let item = if world.is_library(first.of) || wanted.kinds == TYPE {
            self.declared(&first, wanted.kinds).unwrap_or(first.item)
        } else {
            first.item
        };
        Some(Pick { also, ..Pick::new(item, rule, subst, ty) })
    }

    /// Whether a trait is in scope for certain: it is imported, of the prelude, or implemented by the
    /// impl around the call.
    pub(super) fn brings(&self, of: Def) -> bool {
        let world = self.world;
        let is_own = |owner: &Def| {
            *owner == of || world.sig(*owner).of_trait.as_ref().and_then(Bound::def) == Some(of)
        };
        self.owners.iter().any(is_own) || world.brings(self.scope, of)
    }

    /// Of members of several traits, those whose trait is in scope for certain. Of other traits of the
    /// standard library it is not asked where they are imported.
    fn prefer_brought(&self, fits: &mut Vec<Member>) {
        let world = self.world;
        let of = |member: &Member| world.sig(member.of).of_trait.as_ref().and_then(Bound::def);
        let first = fits.first().and_then(of);
        if fits.iter().all(|member| of(member) == first) {
            return;
        }
        let brought = |member: &&Member| of(member).is_none_or(|of| self.brings(of));
        let kept: Vec<Member> = fits.iter().filter(brought).copied().collect();
        if !kept.is_empty() {
            *fits = kept;
        }
    }

    /// Whether the workspace has an impl of a trait for a type, or has the trait.
    pub(super) fn has_own_impl(&self, ty: &Type, of: Def) -> bool {
        let world = self.world;
        let is_own =
            |head: Head| world.impls_of(&head, of).iter().any(|one| !world.is_library(*one));
        !world.is_library(of) || Head::from_type(&self.table.shallow(ty)).is_some_and(is_own)
    }

    /// The item of the trait that a member of an impl implements.
    fn declared(&self, member: &Member, kinds: &[NodeKind]) -> Option<Def> {
        let of = self.world.sig(member.of).of_trait.as_ref()?.def()?;
        self.world.child(of, self.world.name(member.item), kinds)
    }
}

/// Whether parts of a type are unknown: of a reference or pointer, whether it is mutable.
fn partly_unknown(ty: &Type) -> bool {
    ty.any(&mut |part| match part {
        Type::Unknown | Type::Var(_) | Type::Assoc(_) => true,
        Type::Ref(kind, _) | Type::Ptr(kind, _) => *kind == Borrow::Unknown,
        _ => false,
    })
}
