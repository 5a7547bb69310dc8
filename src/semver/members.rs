//! Changes of the members of types and traits.

use super::compare::{Changes, Sides};
use super::head::Head;
use super::interface::Declaration;
use asof_model::NodeKind;
use asof_wire::SemverLevel::{Major, Minor};

impl Changes<'_> {
    pub(super) fn fields(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let fields = |of: &Declaration| -> Vec<Declaration> {
            let fields = of.members.iter().filter(|m| m.kind == Some(NodeKind::Field));
            fields.cloned().collect()
        };
        let (was, is) = (fields(old), fields(new));
        let both = Sides::both(old, new);
        let is_open = was.iter().all(|f| f.is_public) && !old.is_non_exhaustive();
        // `S {}` builds and matches a unit struct, too.
        let stays = match (Form::new(old), Form::new(new)) {
            (Form::Named, Form::Unit) => was.is_empty(),
            (before, after) => before == after,
        };
        if is_open && !stays {
            let reason = "it is built and matched in another form: unit, tuple or named fields";
            return self.push(path, both, "struct_form_changed", Major, reason);
        }
        self.public_fields(path, &was, &is);
        let opens = old.kind == Some(NodeKind::Struct)
            && !was.iter().all(|field| field.is_public)
            && is.iter().all(|field| field.is_public)
            && !new.is_non_exhaustive();
        if opens {
            let reason = "users can build and match the type with all of its fields";
            self.push(path, both, "struct_became_constructible", Minor, reason);
        }
        self.order(path, old, new, &was, &is);
        let added = is.iter().filter(|f| !was.iter().any(|w| w.name == f.name));
        for field in added {
            let at = format!("{path}::{}", field.name);
            let is_laid_out = old.kind == Some(NodeKind::Union) && old.repr().contains("C");
            match (is_open, field.is_public) {
                (false, _) if is_laid_out && new.repr().contains("C") => {
                    let reason = "`repr(C)` fixes the size of the union";
                    let rule = "repr_c_union_adds_field";
                    self.push(&at, Sides::added(field), rule, Major, reason);
                }
                (true, _) => {
                    let reason = "users could build and match the type with all of its fields";
                    let rule = "constructible_struct_adds_field";
                    self.push(&at, Sides::added(field), rule, Major, reason);
                }
                (false, true) => {
                    let reason = "a public field of a type that users cannot build";
                    self.push(&at, Sides::added(field), "field_added", Minor, reason);
                }
                (false, false) => {}
            }
        }
    }

    /// Fields or variants in another order, where an attribute or derive makes users see it.
    fn order(
        &mut self,
        path: &str,
        old: &Declaration,
        new: &Declaration,
        was: &[Declaration],
        is: &[Declaration],
    ) {
        let both = Sides::both(old, new);
        let kept = |of: &[Declaration], other: &[Declaration]| -> Vec<String> {
            let kept = of.iter().filter(|m| other.iter().any(|o| o.name == m.name));
            kept.map(|m| m.name.clone()).collect()
        };
        if kept(was, is) == kept(is, was) {
            return;
        }
        if old.repr().contains("C") && new.repr().contains("C") {
            let reason = "`repr(C)` fixes the order of fields";
            self.push(path, both, "repr_c_fields_reordered", Major, reason);
        }
        if old.derives().contains("PartialOrd") && new.derives().contains("PartialOrd") {
            let reason = "the derived order of its values is another";
            self.push(path, both, "partial_ord_reordered", Major, reason);
        }
    }

    /// Values of variants, where users can cast to them.
    fn discriminants(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = Sides::both(old, new);
        // The values of an enum with fields can be read only if its representation is fixed.
        let can_cast = |of: &Declaration| {
            let fixed = of.repr().iter().any(|word| word.starts_with(['i', 'u']) || word == "C");
            fixed || of.members.iter().all(|m| m.members.is_empty())
        };
        if !can_cast(old) {
            return;
        }
        if !can_cast(new) {
            let reason = "its values can no longer be cast to numbers";
            return self.push(path, both, "discriminants_undefined", Major, reason);
        }
        let is = values(new);
        for (name, value) in values(old) {
            let now = is.iter().find(|(other, _)| *other == name).and_then(|(_, now)| *now);
            if value.zip(now).is_some_and(|(value, now)| value != now) {
                let at = format!("{path}::{name}");
                let reason = "the variant has another number";
                self.push(&at, both, "discriminant_changed", Major, reason);
            }
        }
    }

    /// Public fields that are gone or have another type.
    fn public_fields(&mut self, path: &str, was: &[Declaration], is: &[Declaration]) {
        for field in was.iter().filter(|f| f.is_public) {
            let at = format!("{path}::{}", field.name);
            let now = is.iter().find(|f| f.name == field.name && f.is_public);
            let Some(now) = now else {
                let reason = "users can no longer name the field";
                self.push(&at, Sides::removed(field), "field_removed", Major, reason);
                continue;
            };
            self.attributes(&at, field, now);
            let ty = |of: &Declaration| {
                let head = of.head();
                // Fields of tuples have no name in their head.
                if head.rest.is_empty() {
                    Head::parse(&format!("x: {}", of.signature), "x", &of.owner, &of.others).rest
                } else {
                    head.rest
                }
            };
            if ty(field) != ty(now) {
                let both = Sides::both(field, now);
                self.push(&at, both, "field_type_changed", Major, "the field has another type");
            }
        }
    }

    pub(super) fn variants(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let is_variant = |m: &&Declaration| m.kind == Some(NodeKind::Variant);
        self.discriminants(path, old, new);
        let list = |of: &Declaration| -> Vec<Declaration> {
            of.members.iter().filter(is_variant).cloned().collect()
        };
        self.order(path, old, new, &list(old), &list(new));
        let is_shown = |m: &&Declaration| is_variant(m) && !m.is_hidden();
        for was in old.members.iter().filter(is_shown) {
            let at = format!("{path}::{}", was.name);
            let Some(is) = new.members.iter().filter(is_shown).find(|m| m.name == was.name) else {
                let reason = "users can no longer name the variant";
                self.push(&at, Sides::removed(was), "variant_removed", Major, reason);
                continue;
            };
            self.attributes(&at, was, is);
            self.variant_fields(&at, old, new, was, is);
        }
        for is in new.members.iter().filter(is_variant) {
            if old.members.iter().filter(is_variant).any(|m| m.name == is.name) {
                continue;
            }
            let at = format!("{path}::{}", is.name);
            let sides = Sides::added(is);
            if old.is_non_exhaustive() || is.is_hidden() {
                self.push(&at, sides, "variant_added", Minor, "a new variant")
            } else {
                let reason = "a `match` without a wildcard no longer covers the enum";
                self.push(&at, sides, "exhaustive_enum_adds_variant", Major, reason);
            }
        }
    }

    fn variant_fields(
        &mut self,
        path: &str,
        old: &Declaration,
        new: &Declaration,
        was: &Declaration,
        is: &Declaration,
    ) {
        let form = |of: &Declaration| {
            let head: String = of.signature.chars().skip(of.name.len()).collect();
            head.trim_start().chars().next().filter(|c| matches!(c, '(' | '{'))
        };
        if form(was) != form(is) && !was.is_non_exhaustive() {
            let reason = "it is built and matched in another form: unit, tuple or named fields";
            let both = Sides::both(was, is);
            return self.push(path, both, "variant_form_changed", Major, reason);
        }
        let public = |of: &Declaration| -> Vec<Declaration> {
            let members = of.members.iter().cloned();
            members.map(|m| Declaration { is_public: true, ..m }).collect()
        };
        let (before, after) = (public(was), public(is));
        let shown = |fields: &[Declaration]| -> Vec<Declaration> {
            fields.iter().filter(|field| !field.is_hidden()).cloned().collect()
        };
        self.public_fields(path, &shown(&before), &shown(&after));
        let with_attrs = |of: &Declaration, variant: &Declaration| Declaration {
            attrs: of.attrs.clone(),
            ..variant.clone()
        };
        let (first, second) = (with_attrs(old, was), with_attrs(new, is));
        self.order(path, &first, &second, &before, &after);
        for field in &after {
            if !before.iter().any(|other| other.name == field.name) {
                let at = format!("{path}::{}", field.name);
                let sides = Sides::added(field);
                if was.is_non_exhaustive() {
                    self.push(&at, sides, "field_added", Minor, "a new field")
                } else {
                    let reason = "users could build and match the variant with all its fields";
                    self.push(&at, sides, "variant_adds_field", Major, reason);
                }
            }
        }
    }

    pub(super) fn trait_items(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        // By convention: a supertrait that users cannot name.
        let is_sealed = |of: &Declaration| of.signature.contains("Sealed");
        for was in old.members.iter().filter(|m| !m.is_hidden()) {
            let at = format!("{path}::{}", was.name);
            let same =
                |m: &&Declaration| m.name == was.name && m.kind == was.kind && !m.is_hidden();
            let Some(is) = new.members.iter().find(same) else {
                let reason = "users can no longer call or implement it";
                self.push(&at, Sides::removed(was), "trait_item_removed", Major, reason);
                continue;
            };
            if was.has_default && !is.has_default && !is_sealed(old) {
                let reason = "implementors have to give it";
                let both = Sides::both(was, is);
                self.push(&at, both, "trait_item_default_removed", Major, reason);
            }
            let qualifiers = |of: &Declaration| of.head().qualifiers;
            if qualifiers(was).contains("unsafe") && !qualifiers(is).contains("unsafe") {
                let reason = "implementors may no longer declare it `unsafe`";
                let both = Sides::both(was, is);
                self.push(&at, both, "trait_method_unsafe_removed", Major, reason);
            }
            let (had, has) = (was.target_features(), is.target_features());
            if has != had && has.is_subset(&had) && !is_sealed(old) {
                let reason = "implementors may have relied on the feature of the processor";
                let both = Sides::both(was, is);
                self.push(&at, both, "trait_method_target_feature_removed", Major, reason);
            }
            self.item(&at, was, is);
        }
        for is in &new.members {
            if old.members.iter().any(|m| m.name == is.name && m.kind == is.kind) {
                continue;
            }
            let at = format!("{path}::{}", is.name);
            let sides = Sides::added(is);
            if is.has_default || is_sealed(old) {
                let reason = "implementors need not give it";
                self.push(&at, sides, "trait_item_added", Minor, reason);
            } else {
                let reason = "implementors have to give it";
                self.push(&at, sides, "trait_item_without_default_added", Major, reason);
            }
        }
    }

    /// Public items of inherent impls.
    pub(super) fn associated(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let list = |of: &Declaration| -> Vec<Declaration> {
            let parts = [Some(NodeKind::Field), Some(NodeKind::Variant)];
            let members = of.members.iter().filter(|m| !parts.contains(&m.kind) && m.is_public);
            members.cloned().collect()
        };
        let (was, is) = (list(old), list(new));
        for before in &was {
            let at = format!("{path}::{}", before.name);
            let twins = is.iter().filter(|m| m.name == before.name);
            // Impls of several instances of a generic type may have a method of one name.
            match twins.clone().find(|m| m.signature == before.signature).or(twins.clone().next()) {
                Some(after) => self.item(&at, before, after),
                None => {
                    let reason = "users can no longer name it";
                    self.push(
                        &at,
                        Sides::removed(before),
                        "associated_item_removed",
                        Major,
                        reason,
                    );
                }
            }
        }
        for after in is.iter().filter(|m| !was.iter().any(|b| b.name == m.name)) {
            let at = format!("{path}::{}", after.name);
            self.push(&at, Sides::added(after), "associated_item_added", Minor, "a new name");
        }
    }
}

/// How a struct is built and matched.
#[derive(PartialEq)]
enum Form {
    Unit,
    Tuple,
    Named,
}

impl Form {
    fn new(of: &Declaration) -> Self {
        let first = of.members.iter().find(|member| member.kind == Some(NodeKind::Field));
        let is_numbered =
            |field: &Declaration| field.name.starts_with(|c: char| c.is_ascii_digit());
        match first {
            Some(field) if is_numbered(field) => Form::Tuple,
            Some(_) => Form::Named,
            None if of.signature.contains('(') => Form::Tuple,
            None if of.is_unit => Form::Unit,
            None => Form::Named,
        }
    }
}

/// The numbers of variants, in their order; none where a written value is no plain number.
fn values(of: &Declaration) -> Vec<(String, Option<i128>)> {
    let mut next = Some(0);
    let mut found = Vec::new();
    for variant in of.members.iter().filter(|m| m.kind == Some(NodeKind::Variant)) {
        if let Some((_, written)) = variant.signature.rsplit_once('=') {
            next = written.trim().replace('_', "").parse().ok();
        }
        found.push((variant.name.clone(), next));
        next = next.and_then(|value: i128| value.checked_add(1));
    }
    found
}
