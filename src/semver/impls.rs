//! Changes of the impls of traits for a type.

use std::collections::BTreeSet;

use super::compare::{Changes, Sides};
use super::head::Head;
use super::interface::{Declaration, Implementation};
use super::owner::Owner;
use super::tokens::unmarked;
use asof_wire::SemverLevel::{Major, Minor};

/// An impl of a trait, read.
struct Impl<'d> {
    declared: &'d Implementation,
    /// The trait's last name.
    name: String,
    of_trait: Vec<String>,
    self_type: Vec<String>,
    bounds: BTreeSet<String>,
}

impl<'d> Impl<'d> {
    /// None of an inherent impl and of a negative one.
    fn parse(declared: &'d Implementation) -> Option<Self> {
        let Owner { names, bounds, of_trait } = Owner::parse(&declared.header, &declared.others);
        let name = of_trait.first().filter(|first| *first != "!")?.clone();
        Some(Self { declared, name, of_trait, self_type: names.self_type, bounds })
    }

    /// Whether it is there for everything that another one is for, if its bounds hold.
    fn covers(&self, other: &Self) -> bool {
        fits(&self.of_trait, &other.of_trait) && fits(&self.self_type, &other.self_type)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.of_trait == other.of_trait && self.self_type == other.self_type
    }

    /// The trait with its arguments.
    fn shown(&self) -> String {
        // Names that mean something else are marked.
        let words: Vec<&str> = self.of_trait.iter().map(|word| unmarked(word)).collect();
        let text = words.join(" ");
        let spaced =
            [(" < ", "<"), (" >", ">"), (" ,", ","), ("& ", "&"), ("[ ", "["), (" ]", "]")];
        spaced.into_iter().fold(text, |text, (long, short)| text.replace(long, short))
    }
}

/// Whether words are those of a pattern, each parameter in it a type.
fn fits(pattern: &[String], words: &[String]) -> bool {
    let Some((first, pattern)) = pattern.split_first() else { return words.is_empty() };
    if first.trim_start_matches('\'').starts_with('^') {
        return (1..=words.len()).any(|end| {
            let (ty, rest) = words.split_at(end);
            is_balanced(ty) && fits(pattern, rest)
        });
    }
    words.split_first().is_some_and(|(word, rest)| word == first && fits(pattern, rest))
}

/// Whether words are one type: brackets are closed, and nothing parts it.
fn is_balanced(words: &[String]) -> bool {
    let mut depth = 0_i32;
    for word in words {
        match word.as_str() {
            "<" | "(" | "[" => depth += 1,
            ">" | ")" | "]" => depth -= 1,
            "," if depth == 0 => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

impl Changes<'_> {
    pub(super) fn impls(&mut self, path: &str, old: &Declaration, new: &Declaration) {
        let both = Sides::both(old, new);
        let was: Vec<Impl<'_>> = old.impls.iter().filter_map(Impl::parse).collect();
        let is: Vec<Impl<'_>> = new.impls.iter().filter_map(Impl::parse).collect();
        let names = |impls: &[Impl<'_>], of: &Declaration| -> BTreeSet<String> {
            impls.iter().map(|one| one.name.clone()).chain(of.derives()).collect()
        };
        let (had, has) = (names(&was, old), names(&is, new));
        let shown = |name: &&String, private: &BTreeSet<String>| !private.contains(unmarked(name));
        for gone in had.difference(&has).filter(|of| shown(of, &self.old.private_traits)) {
            let gone = unmarked(gone);
            let reason = format!("it no longer implements `{gone}`, as far as impls say it");
            self.push(path, both, &format!("impl_removed {gone}"), Major, &reason);
        }
        for come in has.difference(&had).filter(|of| shown(of, &self.new.private_traits)) {
            let come = unmarked(come);
            let reason = format!("it implements `{come}`");
            self.push(path, both, &format!("impl_added {come}"), Minor, &reason);
            if come == "Copy" {
                let reason =
                    "closures that are not `move` borrow its values instead of taking them";
                self.push(path, both, "copy_added", Major, reason);
            }
        }
        for one in new.impls.iter() {
            self.unknown_names(path, both, &one.header, &one.unknown);
        }
        for one in was.iter().filter(|one| shown(&&one.name, &self.old.private_traits)) {
            let others: Vec<&Impl<'_>> = is.iter().filter(|other| other.name == one.name).collect();
            let same: Vec<&Impl<'_>> =
                others.iter().copied().filter(|other| other.is_same(one)).collect();
            // Of impls under several `cfg`s, each is compared with that under the same one.
            let beside = |cfg: &str| {
                let same = same.iter().copied().filter(|other| other.declared.cfg == cfg);
                same.collect::<Vec<_>>()
            };
            let alike = [one.declared.cfg.as_str(), ""].map(beside);
            let alike = alike.into_iter().find(|alike| !alike.is_empty()).unwrap_or(same);
            if !alike.is_empty() {
                self.implementation(path, both, one, &alike);
            } else if !others.is_empty()
                && !others.iter().any(|other| other.covers(one))
                && !new.derives().contains(&one.name)
            {
                let gone = one.shown();
                let reason = format!("it no longer implements `{gone}`");
                self.push(path, both, &format!("impl_removed {gone}"), Major, &reason);
            }
        }
        for one in is.iter().filter(|one| had.contains(&one.name)) {
            let is_known = was.iter().any(|other| one.is_same(other));
            if !is_known
                && was.iter().any(|other| other.name == one.name)
                && shown(&&one.name, &self.new.private_traits)
            {
                let come = one.shown();
                let reason = format!("it implements `{come}`");
                self.push(path, both, &format!("impl_added {come}"), Minor, &reason);
            }
        }
    }

    /// Compares the bounds and types of an impl. `same`: those that are now for the same types.
    fn implementation(&mut self, path: &str, both: Sides<'_>, old: &Impl<'_>, same: &[&Impl<'_>]) {
        let shown = old.shown();
        if !same.iter().any(|one| one.bounds.is_subset(&old.bounds)) {
            let reason = format!("a bound is new: it implements `{shown}` for fewer types");
            self.push(path, both, &format!("impl_bound_added {shown}"), Major, &reason);
        }
        let rest = |signature: &str, name: &str, of: &Impl<'_>| {
            Head::parse(signature, name, &of.declared.header, &of.declared.others).rest
        };
        for (name, was) in &old.declared.types {
            let was = rest(was, name, old);
            let mut is = same.iter().filter_map(|one| Some((one, one.declared.types.get(name)?)));
            let is_there = same.iter().any(|one| one.declared.types.contains_key(name));
            if is_there && !is.any(|(one, is)| rest(is, name, one) == was) {
                let rule = format!("impl_type_changed {shown}::{name}");
                let reason = format!("`{name}` of `{shown}` is another type");
                self.push(path, both, &rule, Major, &reason);
            }
        }
    }
}
