//! The changes between two interfaces, each with its class and its reason.

use std::collections::BTreeSet;

use super::head::{GenericKind, Head};
use super::interface::{Declaration, Interface};
use crate::model::NodeKind;
use crate::wire::{ApiChange, SemverLevel};

use SemverLevel::{Major, Minor, Patch};

/// The changes, by path.
pub fn compare(old: &Interface, new: &Interface) -> Vec<ApiChange> {
    let mut changes = Changes { found: Vec::new(), old, new };
    for ((path, space), was) in &old.items {
        match new.items.get(&(path.clone(), *space)) {
            Some(is) => changes.item(path, was, is),
            None => changes.push(
                path,
                (Some(was), None),
                "item_removed",
                Major,
                match was.kind {
                    None => "a re-export of another crate is gone",
                    Some(_) => "nothing has this public path any more",
                },
            ),
        }
    }
    for ((path, space), is) in &new.items {
        if !old.items.contains_key(&(path.clone(), *space)) {
            changes.push(path, (None, Some(is)), "item_added", Minor, "a new public path");
        }
    }
    let key = |change: &ApiChange| (change.path.clone(), change.rule.clone());
    changes.found.sort_by_key(key);
    // Types and values of one name: a tuple struct is compared once.
    changes.found.dedup_by_key(|change| key(change));
    changes.found
}

struct Changes<'a> {
    found: Vec<ApiChange>,
    old: &'a Interface,
    new: &'a Interface,
}

type Sides<'d> = (Option<&'d Declaration>, Option<&'d Declaration>);

impl Changes<'_> {
    fn push(
        &mut self,
        path: &str,
        (old, new): Sides<'_>,
        rule: &str,
        level: SemverLevel,
        reason: &str,
    ) {
        let shown = new.or(old);
        self.found.push(ApiChange {
            path: path.to_owned(),
            kind: shown
                .map_or("external", |d| d.kind.map_or("external", NodeKind::as_str))
                .to_owned(),
            rule: rule.to_owned(),
            level,
            reason: reason.to_owned(),
            old_signature: old.map(|d| d.signature.clone()),
            new_signature: new.map(|d| d.signature.clone()),
            file_path: shown.map(|d| d.file_path.clone()).unwrap_or_default(),
            line: shown.and_then(|d| d.line),
        });
    }

    fn item(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = (Some(old), Some(new));
        if old.kind != new.kind {
            let reason = "the path stands for another kind of item";
            return self.push(path, both, "kind_changed", Major, reason);
        }
        let Some(kind) = old.kind else {
            if old.signature != new.signature {
                let reason = "the path stands for another item of another crate";
                self.push(path, both, "reexport_changed", Major, reason);
            }
            return;
        };
        if old.cfg != new.cfg && old.cfg.is_empty() {
            let reason = "the item is only there under a `cfg`";
            self.push(path, both, "cfg_added", Major, reason);
        }
        self.attributes(path, old, new);
        let heads = (Head::of(&old.signature, &old.name), Head::of(&new.signature, &new.name));
        match kind {
            NodeKind::Function | NodeKind::Method => {
                self.qualifiers(path, both, &heads);
                self.function(path, both, &heads);
            }
            NodeKind::Struct | NodeKind::Union => {
                self.generics(path, both, &heads);
                self.fields(path, old, new);
            }
            NodeKind::Enum => {
                self.generics(path, both, &heads);
                self.variants(path, old, new);
            }
            NodeKind::Trait => {
                self.qualifiers(path, both, &heads);
                self.generics(path, both, &heads);
                self.supertraits(path, both, &heads);
                self.trait_items(path, old, new);
            }
            NodeKind::TypeAlias | NodeKind::AssocType => {
                self.generics(path, both, &heads);
                let reason = "the alias stands for another type";
                self.rest(path, both, &heads, "alias_target_changed", reason);
            }
            NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => {
                self.qualifiers(path, both, &heads);
                self.rest(path, both, &heads, "value_type_changed", "it has another type");
            }
            _ => {}
        }
        self.impls(path, old, new);
        if kind != NodeKind::Trait {
            self.associated(path, old, new);
        }
    }

    fn attributes(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = (Some(old), Some(new));
        match (old.is_non_exhaustive(), new.is_non_exhaustive()) {
            (false, true) => {
                let reason = "users can no longer build or match it exhaustively";
                self.push(path, both, "non_exhaustive_added", Major, reason);
            }
            (true, false) => {
                let reason = "users can build or match it exhaustively";
                self.push(path, both, "non_exhaustive_removed", Minor, reason);
            }
            _ => {}
        }
        let (was, is) = (old.repr(), new.repr());
        if was != is && !was.is_empty() {
            let reason = "users may rely on the documented representation";
            self.push(path, both, "repr_changed", Major, reason);
        } else if was != is {
            self.push(path, both, "repr_added", Minor, "the representation is now fixed");
        }
        for (name, rule) in [("must_use", "must_use_added"), ("deprecated", "deprecated_added")] {
            if !old.has_attr(name) && new.has_attr(name) {
                self.push(path, both, rule, Minor, "users may get a new warning");
            }
        }
    }

    fn qualifiers(&mut self, path: &str, both: Sides<'_>, (old, new): &(Head, Head)) {
        for gone in old.qualifiers.difference(&new.qualifiers) {
            let (level, reason) = match gone.as_str() {
                "unsafe" if both.0.is_some_and(|d| d.kind != Some(NodeKind::Trait)) => {
                    (Minor, "callers need no `unsafe` any more")
                }
                "const" => (Major, "it can no longer be used in constants"),
                "mut" => (Minor, "the static is no longer mutable"),
                _ => (Major, "it is declared in another way"),
            };
            self.push(path, both, &format!("{}_removed", rule_name(gone)), level, reason);
        }
        for come in new.qualifiers.difference(&old.qualifiers) {
            let (level, reason) = match come.as_str() {
                "const" => (Minor, "it can be used in constants"),
                "unsafe" => (Major, "users need `unsafe`"),
                _ => (Major, "it is declared in another way"),
            };
            self.push(path, both, &format!("{}_added", rule_name(come)), level, reason);
        }
    }

    fn function(&mut self, path: &str, both: Sides<'_>, heads: &(Head, Head)) {
        let (old, new) = heads;
        if old.params.len() != new.params.len() || old.receiver.is_some() != new.receiver.is_some()
        {
            let reason = "calls have another number of arguments";
            return self.push(path, both, "parameter_count_changed", Major, reason);
        }
        if old.receiver != new.receiver {
            let reason = "`self` has another type";
            self.push(path, both, "receiver_changed", Major, reason);
        }
        if old.params != new.params {
            let reason = "a parameter has another type; whether every old argument still fits \
                          cannot be known without a build";
            self.push(path, both, "parameter_type_changed", Major, reason);
        }
        if old.rest != new.rest {
            let reason = "it returns another type";
            self.push(path, both, "return_type_changed", Major, reason);
        }
        if old.arguments() != new.arguments() {
            let reason = "calls that name generic arguments have another number of them";
            self.push(path, both, "generic_parameter_count_changed", Major, reason);
            return;
        }
        self.bounds(path, both, heads);
    }

    fn bounds(&mut self, path: &str, both: Sides<'_>, (old, new): &(Head, Head)) {
        if !new.bounds.is_subset(&old.bounds) {
            let reason = "a bound is new: a type that was accepted may not be any more";
            self.push(path, both, "bound_added", Major, reason);
        } else if old.bounds != new.bounds {
            // Implementors of a trait item may write the bounds that it had.
            self.push(path, both, "bound_removed", Minor, "more types are accepted");
        }
    }

    fn generics(&mut self, path: &str, both: Sides<'_>, heads: &(Head, Head)) {
        let (old, new) = heads;
        let count = |head: &Head, kind| head.generics.iter().filter(|g| g.kind == kind).count();
        let lifetimes = [old, new].map(|head| count(head, GenericKind::Lifetime));
        let added = new.generics.iter().filter(|g| g.kind != GenericKind::Lifetime);
        let added: Vec<bool> = added.skip(old.arguments()).map(|g| g.has_default).collect();
        if lifetimes[0] != lifetimes[1]
            || new.arguments() < old.arguments()
            || added.iter().any(|has_default| !has_default)
        {
            let reason = "its generic parameters are others";
            return self.push(path, both, "generic_parameters_changed", Major, reason);
        }
        if !added.is_empty() {
            let reason = "a generic parameter with a default is new";
            self.push(path, both, "generic_parameter_added", Minor, reason);
        }
        self.bounds(path, both, heads);
    }

    fn supertraits(&mut self, path: &str, both: Sides<'_>, (old, new): &(Head, Head)) {
        let list = |head: &Head| -> BTreeSet<String> {
            let list = head.rest.trim_start_matches(':').split('+');
            list.map(|bound| bound.trim().to_owned()).filter(|b| !b.is_empty()).collect()
        };
        let (was, is) = (list(old), list(new));
        if !is.is_subset(&was) {
            let reason = "implementors need another trait";
            self.push(path, both, "supertrait_added", Major, reason);
        }
        if !was.is_subset(&is) {
            let reason = "users can no longer rely on the supertrait";
            self.push(path, both, "supertrait_removed", Major, reason);
        }
    }

    fn rest(
        &mut self,
        path: &str,
        both: Sides<'_>,
        (old, new): &(Head, Head),
        rule: &str,
        reason: &str,
    ) {
        if old.rest != new.rest {
            self.push(path, both, rule, Major, reason);
        }
    }

    fn fields(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let fields = |of: &Declaration| -> Vec<Declaration> {
            let fields = of.members.iter().filter(|m| m.kind == Some(NodeKind::Field));
            fields.cloned().collect()
        };
        let (was, is) = (fields(old), fields(new));
        let both = (Some(old), Some(new));
        let form = |of: &[Declaration]| {
            of.first().map(|f| f.name.starts_with(|c: char| c.is_ascii_digit()))
        };
        let is_open = was.iter().all(|f| f.is_public) && !old.is_non_exhaustive();
        if is_open && form(&was) != form(&is) {
            let reason = "it is built and matched in another form: unit, tuple or named fields";
            return self.push(path, both, "struct_form_changed", Major, reason);
        }
        self.public_fields(path, &was, &is);
        let added = is.iter().filter(|f| !was.iter().any(|w| w.name == f.name));
        for field in added {
            let at = format!("{path}::{}", field.name);
            match (is_open, field.is_public) {
                (true, _) => {
                    let reason = "users could build and match the type with all of its fields";
                    let rule = "constructible_struct_adds_field";
                    self.push(&at, (None, Some(field)), rule, Major, reason);
                }
                (false, true) => {
                    let reason = "a public field of a type that users cannot build";
                    self.push(&at, (None, Some(field)), "field_added", Minor, reason);
                }
                (false, false) => {}
            }
        }
        let hides =
            |f: &&Declaration| !f.is_public && was.iter().any(|w| w.name == f.name && w.is_public);
        // Public fields that became private are gone for users.
        debug_assert!(is.iter().filter(hides).count() <= was.len(), "each has one name");
    }

    /// Public fields that are gone or have another type.
    fn public_fields(&mut self, path: &str, was: &[Declaration], is: &[Declaration]) {
        for field in was.iter().filter(|f| f.is_public) {
            let at = format!("{path}::{}", field.name);
            let now = is.iter().find(|f| f.name == field.name && f.is_public);
            let Some(now) = now else {
                let reason = "users can no longer name the field";
                self.push(&at, (Some(field), None), "field_removed", Major, reason);
                continue;
            };
            let ty = |of: &Declaration| {
                let head = Head::of(&of.signature, &of.name);
                // Fields of tuples have no name in their head.
                match head.rest.is_empty() {
                    true => Head::of(&format!("x: {}", of.signature), "x").rest,
                    false => head.rest,
                }
            };
            if ty(field) != ty(now) {
                let both = (Some(field), Some(now));
                self.push(&at, both, "field_type_changed", Major, "the field has another type");
            }
        }
    }

    fn variants(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let is_variant = |m: &&Declaration| m.kind == Some(NodeKind::Variant);
        for was in old.members.iter().filter(is_variant) {
            let at = format!("{path}::{}", was.name);
            let Some(is) = new.members.iter().filter(is_variant).find(|m| m.name == was.name)
            else {
                let reason = "users can no longer name the variant";
                self.push(&at, (Some(was), None), "variant_removed", Major, reason);
                continue;
            };
            self.attributes(&at, was, is);
            self.variant_fields(&at, was, is);
        }
        for is in new.members.iter().filter(is_variant) {
            if old.members.iter().filter(is_variant).any(|m| m.name == is.name) {
                continue;
            }
            let at = format!("{path}::{}", is.name);
            let sides = (None, Some(is));
            match old.is_non_exhaustive() || is.is_hidden() {
                true => self.push(&at, sides, "variant_added", Minor, "a new variant"),
                false => {
                    let reason = "a `match` without a wildcard no longer covers the enum";
                    self.push(&at, sides, "exhaustive_enum_adds_variant", Major, reason);
                }
            }
        }
    }

    fn variant_fields(&mut self, path: &str, was: &Declaration, is: &Declaration) {
        let public = |of: &Declaration| -> Vec<Declaration> {
            let members = of.members.iter().cloned();
            members.map(|m| Declaration { is_public: true, ..m }).collect()
        };
        let (before, after) = (public(was), public(is));
        self.public_fields(path, &before, &after);
        for field in &after {
            if !before.iter().any(|other| other.name == field.name) {
                let at = format!("{path}::{}", field.name);
                let sides = (None, Some(field));
                match was.is_non_exhaustive() {
                    true => self.push(&at, sides, "field_added", Minor, "a new field"),
                    false => {
                        let reason = "users could build and match the variant with all its fields";
                        self.push(&at, sides, "variant_adds_field", Major, reason);
                    }
                }
            }
        }
    }

    fn trait_items(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        // By convention: a supertrait that users cannot name.
        let is_sealed = |of: &Declaration| of.signature.contains("Sealed");
        for was in &old.members {
            let at = format!("{path}::{}", was.name);
            let same = |m: &&Declaration| m.name == was.name && m.kind == was.kind;
            let Some(is) = new.members.iter().find(same) else {
                let reason = "users can no longer call or implement it";
                self.push(&at, (Some(was), None), "trait_item_removed", Major, reason);
                continue;
            };
            if was.has_default && !is.has_default && !is_sealed(old) {
                let reason = "implementors have to give it";
                let both = (Some(was), Some(is));
                self.push(&at, both, "trait_item_default_removed", Major, reason);
            }
            self.item(&at, was, is);
        }
        for is in &new.members {
            if old.members.iter().any(|m| m.name == is.name && m.kind == is.kind) {
                continue;
            }
            let at = format!("{path}::{}", is.name);
            let sides = (None, Some(is));
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
    fn associated(&mut self, path: &str, old: &Declaration, new: &Declaration) {
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
                    self.push(&at, (Some(before), None), "associated_item_removed", Major, reason);
                }
            }
        }
        for after in is.iter().filter(|m| !was.iter().any(|b| b.name == m.name)) {
            let at = format!("{path}::{}", after.name);
            self.push(&at, (None, Some(after)), "associated_item_added", Minor, "a new name");
        }
    }

    fn impls(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = (Some(old), Some(new));
        let named = |of: &Declaration| -> BTreeSet<String> {
            let impls = of.impls.iter().filter_map(|header| trait_of(header));
            impls.chain(of.derives()).collect()
        };
        let (was, is) = (named(old), named(new));
        for gone in was.difference(&is).filter(|t| !self.old.private_traits.contains(*t)) {
            let reason = format!("it no longer implements `{gone}`, as far as impls say it");
            self.push(path, both, &format!("impl_removed {gone}"), Major, &reason);
        }
        for come in is.difference(&was).filter(|t| !self.new.private_traits.contains(*t)) {
            let reason = format!("it implements `{come}`");
            self.push(path, both, &format!("impl_added {come}"), Minor, &reason);
        }
        debug_assert!(Patch < Minor && Minor < Major, "levels are ordered");
    }
}

/// `extern "C"` → `extern`.
fn rule_name(qualifier: &str) -> &str {
    qualifier.split(' ').next().unwrap_or(qualifier)
}

/// The last name of the trait that an impl with this header is of; none for an inherent impl and for
/// a negative one.
fn trait_of(header: &str) -> Option<String> {
    let tokens: Vec<&str> =
        crate::syntax::code_tokens(header).iter().map(|token| token.text).collect();
    let end = tokens.iter().position(|token| *token == "for")?;
    let mut depth = 0_i32;
    let mut name = None;
    for token in tokens.get(..end)? {
        match *token {
            "<" | "(" => depth += 1,
            ">" | ")" => depth -= 1,
            "!" => return None,
            word if depth == 0 && word.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                name = (!matches!(word, "impl" | "unsafe" | "const")).then(|| word.to_owned());
            }
            _ => {}
        }
    }
    name
}
