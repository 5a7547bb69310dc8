//! The changes between two interfaces, each with its class and its reason.

use std::collections::BTreeSet;

use super::head::{Generic, GenericKind, Head};
use super::interface::{CompareOutside, Declaration, Interface};
use super::tokens::is_written;
use asof_model::NodeKind;
use asof_wire::SemverLevel::{Major, Minor, Patch};
use asof_wire::{ApiChange, SemverLevel};

/// The changes, by path. An interface has none against itself.
pub fn compare(old: &Interface, mut new: Interface, outside: CompareOutside<'_>) -> Vec<ApiChange> {
    new.compare_names(old, outside);
    let new = &new;
    let mut changes = Changes { found: Vec::new(), old, new };
    for ((path, space), was) in &old.items {
        match new.find(path, *space) {
            Some(is) => changes.alternatives(path, was, is),
            None => changes.push(
                path,
                Sides::removed(was),
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
        if old.find(path, *space).is_none() {
            changes.push(path, Sides::added(is), "item_added", Minor, "a new public path");
        }
    }
    let key = |change: &ApiChange| (change.path.clone(), change.rule.clone());
    changes.found.sort_by_key(key);
    // Types and values of one name: a tuple struct is compared once.
    changes.found.dedup_by_key(|change| key(change));
    changes.found
}

pub(super) struct Changes<'a> {
    found: Vec<ApiChange>,
    pub old: &'a Interface,
    pub new: &'a Interface,
}

/// A declaration in the two interfaces.
#[derive(Clone, Copy)]
pub(super) struct Sides<'d> {
    old: Option<&'d Declaration>,
    new: Option<&'d Declaration>,
}

impl<'d> Sides<'d> {
    pub(super) fn both(old: &'d Declaration, new: &'d Declaration) -> Self {
        Self { old: Some(old), new: Some(new) }
    }

    pub(super) fn added(new: &'d Declaration) -> Self {
        Self { old: None, new: Some(new) }
    }

    pub(super) fn removed(old: &'d Declaration) -> Self {
        Self { old: Some(old), new: None }
    }
}

/// The heads of a declaration in the two interfaces.
struct Heads {
    old: Head,
    new: Head,
}

impl Changes<'_> {
    pub(super) fn push(
        &mut self,
        path: &str,
        sides: Sides<'_>,
        rule: &str,
        level: SemverLevel,
        reason: &str,
    ) {
        let Sides { old, new } = sides;
        let shown = new.or(old);
        let told = match (old, new) {
            (Some(old), Some(new)) if rule.contains("chang") => new.tell_others(old),
            _ => String::new(),
        };
        self.found.push(ApiChange {
            path: path.to_owned(),
            kind: shown
                .map_or("external", |d| d.kind.map_or("external", NodeKind::as_str))
                .to_owned(),
            rule: rule.to_owned(),
            level,
            reason: format!("{reason}{told}"),
            old_signature: old.map(|d| d.signature.clone()),
            new_signature: new.map(|d| d.signature.clone()),
            file_path: shown.map(|d| d.file_path.clone()).unwrap_or_default(),
            line: shown.and_then(|d| d.line),
        });
    }

    /// Compares what a path stands for under each `cfg`: with the item of the same `cfg`, else with
    /// one that has no other.
    fn alternatives(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let (mut rest, mut left) = (Vec::new(), new.alternatives());
        for old in old.alternatives() {
            match left.iter().position(|new| new.cfg == old.cfg) {
                Some(at) => self.item(path, old, left.remove(at)),
                None => rest.push(old),
            }
        }
        let mut left = left.into_iter();
        for old in rest {
            let always = || new.alternatives().into_iter().find(|new| new.cfg.is_empty());
            match left.next().or_else(always) {
                Some(new) => self.item(path, old, new),
                None => {
                    let reason = "the item of this path under this `cfg` is gone";
                    self.push(path, Sides::removed(old), "alternative_removed", Major, reason);
                }
            }
        }
    }

    pub(super) fn item(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = Sides::both(old, new);
        let is_type = matches!(
            old.kind,
            Some(NodeKind::Struct | NodeKind::Enum | NodeKind::Union | NodeKind::Trait)
        );
        if is_type && new.kind == Some(NodeKind::TypeAlias) {
            let target = new.head().rest;
            let same = target.split(' ').find(|word| *word != "=") == Some(old.name.as_str());
            let (level, reason) = if same && !new.head().passes_parameters(&old.head()) {
                (Major, "the path is an alias that takes other parameters than the type did")
            } else if same {
                (Minor, "the path is an alias of a type of this name now")
            } else {
                (Major, "the path is an alias of a type of another name now")
            };
            return self.push(path, both, "became_alias", level, reason);
        }
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
        let heads = Heads { old: old.head(), new: new.head() };
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

    pub(super) fn attributes(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = Sides::both(old, new);
        self.unknown_names(path, both, &new.signature, &new.unknown);
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
        let narrows = |word: &String| word.starts_with("packed") || word.starts_with("align");
        if is.difference(&was).any(narrows) {
            let reason = "references to fields, or types around it, may no longer compile";
            self.push(path, both, "repr_narrowed", Major, reason);
        } else if was != is && !was.is_empty() {
            let reason = "users may rely on the documented representation";
            self.push(path, both, "repr_changed", Major, reason);
        } else if was != is {
            self.push(path, both, "repr_added", Minor, "the representation is now fixed");
        }
        if old.symbol().is_some() && old.symbol() != new.symbol() {
            let reason = "the linker knows it by another name";
            self.push(path, both, "export_name_changed", Major, reason);
        }
        let (was, is) = (old.target_features(), new.target_features());
        if !is.is_subset(&was) {
            let reason = "callers need more features of the processor";
            self.push(path, both, "target_feature_added", Major, reason);
        } else if was != is {
            let reason = "callers need fewer features of the processor";
            self.push(path, both, "target_feature_removed", Minor, reason);
        }
        if old.has_attr("must_use") && !new.has_attr("must_use") {
            self.push(path, both, "must_use_removed", Minor, "users lose a warning");
        }
        for (name, rule) in [("must_use", "must_use_added"), ("deprecated", "deprecated_added")] {
            if !old.has_attr(name) && new.has_attr(name) {
                self.push(path, both, rule, Minor, "users may get a new warning");
            }
        }
    }

    /// Notes the names of a head that cannot be compared.
    pub(super) fn unknown_names(
        &mut self,
        path: &str,
        both: Sides<'_>,
        head: &str,
        names: &BTreeSet<String>,
    ) {
        for name in names.iter().filter(|name| is_written(name, head)) {
            let reason = format!(
                "`{name}` cannot be compared: the sources of its crate were read at one of the \
                 moments only"
            );
            self.push(path, both, &format!("type_not_compared {name}"), Patch, &reason);
        }
    }

    fn qualifiers(&mut self, path: &str, both: Sides<'_>, heads: &Heads) {
        let Heads { old, new } = heads;
        // A function of an `extern` block is unsafe unless it is `safe`.
        if old.qualifiers.contains("safe") && !new.qualifiers.contains("safe") {
            self.push(path, both, "unsafe_added", Major, "users need `unsafe`");
        }
        if new.qualifiers.contains("safe") && !old.qualifiers.contains("safe") {
            let reason = "callers need no `unsafe` any more";
            self.push(path, both, "unsafe_removed", Minor, reason);
        }
        let is_safe = [old, new].iter().any(|head| head.qualifiers.contains("safe"));
        let is_told = |word: &&String| is_safe && matches!(word.as_str(), "safe" | "unsafe");
        for gone in old.qualifiers.difference(&new.qualifiers).filter(|word| !is_told(word)) {
            let (level, reason) = match gone.as_str() {
                "unsafe" if both.old.is_some_and(|d| d.kind != Some(NodeKind::Trait)) => {
                    (Minor, "callers need no `unsafe` any more")
                }
                "const" => (Major, "it can no longer be used in constants"),
                "mut" => (Major, "the static is no longer mutable"),
                _ => (Major, "it is declared in another way"),
            };
            self.push(path, both, &format!("{}_removed", rule_name(gone)), level, reason);
        }
        for come in new.qualifiers.difference(&old.qualifiers).filter(|word| !is_told(word)) {
            let (level, reason) = match come.as_str() {
                "const" => (Minor, "it can be used in constants"),
                "unsafe" => (Major, "users need `unsafe`"),
                _ => (Major, "it is declared in another way"),
            };
            self.push(path, both, &format!("{}_added", rule_name(come)), level, reason);
        }
    }

    fn function(&mut self, path: &str, both: Sides<'_>, heads: &Heads) {
        let Heads { old, new } = heads;
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
        if old.is_reordered(new) {
            let reason = "its generic parameters have another order";
            return self.push(path, both, "generic_parameters_reordered", Major, reason);
        }
        if old.arguments() != new.arguments() {
            let reason = "calls that name generic arguments have another number of them";
            self.push(path, both, "generic_parameter_count_changed", Major, reason);
            return;
        }
        self.bounds(path, both, heads);
    }

    fn bounds(&mut self, path: &str, both: Sides<'_>, heads: &Heads) {
        let Heads { old, new } = heads;
        // Those of a new parameter restrict nothing that was there.
        let is_old = |bound: &&String| {
            let number =
                bound.strip_prefix('$').and_then(|rest| rest.split(':').next()?.parse().ok());
            number.is_none_or(|number: usize| number < old.arguments())
        };
        if !new.bounds.iter().filter(is_old).all(|bound| old.bounds.contains(bound)) {
            let reason = "a bound is new: a type that was accepted may not be any more";
            self.push(path, both, "bound_added", Major, reason);
        } else if !old.bounds.is_subset(&new.bounds) {
            // Implementors of a trait item may write the bounds that it had.
            self.push(path, both, "bound_removed", Minor, "more types are accepted");
        }
    }

    fn generics(&mut self, path: &str, both: Sides<'_>, heads: &Heads) {
        let Heads { old, new } = heads;
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
        if old.is_reordered(new) {
            let reason = "its generic parameters have another order";
            return self.push(path, both, "generic_parameters_reordered", Major, reason);
        }
        let default_is_gone = |(was, is): (&Generic, &Generic)| was.has_default && !is.has_default;
        if old.generics.iter().zip(&new.generics).any(default_is_gone) {
            let reason = "a generic parameter has no default any more";
            self.push(path, both, "generic_default_removed", Major, reason);
        }
        if !added.is_empty() {
            let reason = "a generic parameter with a default is new";
            self.push(path, both, "generic_parameter_added", Minor, reason);
        }
        self.bounds(path, both, heads);
    }

    fn supertraits(&mut self, path: &str, both: Sides<'_>, heads: &Heads) {
        let Heads { old, new } = heads;
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

    fn rest(&mut self, path: &str, both: Sides<'_>, heads: &Heads, rule: &str, reason: &str) {
        if heads.old.rest != heads.new.rest {
            self.push(path, both, rule, Major, reason);
        }
    }
}

/// `extern "C"` → `extern`.
fn rule_name(qualifier: &str) -> &str {
    qualifier.split(' ').next().unwrap_or(qualifier)
}
