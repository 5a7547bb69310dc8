//! The true answers to questions about callers, callees, uses and traits.

use super::forms::{caller, derived, implementors, implements_item, trait_of};
use super::subject::{clean, is_in};
use crate::cache::{Doubts, Known, Subject};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_oracle::{Ask, Fact, Structural, Weight, last_name};
use asof_query::Queries;
use asof_wire::{
    Caveat, Certainty, Direction, Guesses, Item, ItemRef, ResolveRequest, Symbol, UseRequest,
};

/// Uses below this confidence may be claimed or not.
const SURE: f64 = 0.95;

/// Derives that implement one trait each.
const STANDARD_DERIVES: [&str; 9] =
    ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

impl Snapshot<'_> {
    pub(super) fn traits(&self, item: &Item) -> Result<Known, EngineError> {
        let found = Queries::at(self.store(), self.at).implemented_traits(&[item.id])?;
        let mut facts = Vec::new();
        let mut doubts = doubts_about_traits();
        for one in &found {
            if let Some(derive) = &one.derive {
                // A derive under `cfg_attr` is there in some builds only.
                let sure = derive.starts_with("#[derive");
                for name in derived(derive) {
                    if !STANDARD_DERIVES.contains(&last_name(&name)) && doubts.all.is_none() {
                        doubts.all = Some(format!("`derive({name})` may implement more traits"));
                    }
                    facts.push(Fact::item(&name, sure));
                }
            } else if let Some(text) = trait_of(one.impl_path.as_deref(), &one.signature) {
                let bare = text.split('<').next().unwrap_or(&text).to_owned();
                facts.push(Fact { forms: vec![bare], ..Fact::item(&text, true) });
            }
        }
        Ok(Known::List(facts, doubts))
    }

    pub(super) fn implements(&self, item: &Item, wanted: &str) -> Result<Known, EngineError> {
        let Known::List(facts, doubts) = self.traits(item)? else {
            return Ok(Known::Unknown("no traits".to_owned()));
        };
        let meant = if wanted.contains('<') {
            Vec::new()
        } else {
            self.named(&ResolveRequest::new(clean(wanted)), &[NodeKind::Trait])?
        };
        for one in &meant {
            if self.has_impl(item, &one.symbol())? {
                return Ok(Known::YesNo(true));
            }
        }
        let is = |fact: &&Fact| {
            // `is it copy?` is asked in lower case.
            fact.is(wanted) || last_name(&fact.shown).eq_ignore_ascii_case(wanted)
        };
        if let Some(fact) = facts.iter().find(is) {
            return Ok(match fact.weight {
                Weight::Possible => Known::Unknown("in some builds only".to_owned()),
                _ => Known::YesNo(true),
            });
        }
        let name = last_name(clean(wanted));
        // The impl names the trait by another path, which may be of another trait.
        if wanted.contains("::")
            && let Some(fact) = facts.iter().find(|fact| last_name(clean(&fact.shown)) == name)
        {
            let shown = &fact.shown;
            let reason =
                format!("it implements `{shown}`: whether this is `{wanted}` is not known");
            return Ok(Known::Unknown(reason));
        }
        let is_lower = wanted.starts_with(|c: char| c.is_ascii_lowercase());
        let name = if is_lower && !wanted.contains("::") {
            format!("{}{}", name.get(..1).unwrap_or("").to_uppercase(), name.get(1..).unwrap_or(""))
        } else {
            name.to_owned()
        };
        if let Some(reason) = doubts.about(&name) {
            return Ok(Known::Unknown(reason));
        }
        let doubt = match meant.as_slice() {
            [Subject::Item(of)] => self.doubt_about_impls(&[of.id], &name, false)?,
            _ => self.doubt_about_impls(&[], &name, true)?,
        };
        Ok(doubt.map_or(Known::YesNo(false), Known::Unknown))
    }

    /// Whether a type has an impl of exactly this trait, by whatever name.
    fn has_impl(&self, item: &Item, of_trait: &Symbol) -> Result<bool, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let own = queries.implemented_traits(&[item.id])?;
        let own: Vec<NodeId> = own.iter().filter_map(|row| row.id).collect();
        if !of_trait.external {
            let rows = queries.implementations(&[of_trait.id], &of_trait.name, false)?;
            return Ok(rows.iter().any(|row| own.contains(&row.id)));
        }
        let use_kinds = vec![RefKind::Bound, RefKind::Attribute];
        let request = UseRequest { use_kinds, ..UseRequest::default() };
        let uses = self.where_used(std::slice::from_ref(of_trait), &request)?;
        // An impl has its trait's name in bounds, too.
        let rows = queries.implementations(&[], &of_trait.name, true)?;
        Ok(uses.answer.items.iter().any(|place| {
            let here = place.item.id == item.id || own.contains(&place.item.id);
            place.confidence >= SURE && here && rows.iter().any(|row| row.id == place.item.id)
        }))
    }

    pub(super) fn implementors(
        &self,
        asked: &Structural,
        symbol: &Symbol,
    ) -> Result<Known, EngineError> {
        if !symbol.external && symbol.kind != "trait" {
            return Ok(Known::Unknown(format!("`{}` is a {}", symbol.path, symbol.kind)));
        }
        let queries = Queries::at(self.store(), self.at);
        let traits: Vec<NodeId> = if symbol.external { Vec::new() } else { vec![symbol.id] };
        let rows = queries.implementations(&traits, &symbol.name, symbol.external)?;
        // `implementors of T in a.rs`: those elsewhere may be meant or not.
        let (facts, _) = implementors(rows, |ty, file| {
            asked.place.as_ref().is_some_and(|place| !is_in(ty, Some(file), place))
        });
        let doubt = self.doubt_about_impls(&traits, &symbol.name, symbol.external)?;
        Ok(Known::List(facts, doubt.map(Doubts::of_all).unwrap_or_default()))
    }

    /// Types that implement a trait that is not defined here; none at all may be one that nobody
    /// knows.
    pub(super) fn implementors_by_name(&self, name: &str) -> Result<Known, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let (facts, _) = implementors(queries.implementations(&[], name, true)?, |_, _| false);
        if facts.is_empty() {
            return Ok(Known::Unknown(format!("no item named `{name}`")));
        }
        let doubt = self.doubt_about_impls(&[], name, true)?;
        Ok(Known::List(facts, doubt.map(Doubts::of_all).unwrap_or_default()))
    }

    /// Why these traits, or any trait with this name, may have impls that are not listed.
    pub(super) fn doubt_about_impls(
        &self,
        traits: &[NodeId],
        name: &str,
        any: bool,
    ) -> Result<Option<String>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.implementations(traits, name, any)?;
        let (_, generic) = implementors(rows, |_, _| false);
        let mentions: u32 = queries.macro_mentions(name)?.into_iter().sum();
        Ok(match mentions {
            _ if generic => {
                Some(format!("a generic impl of `{name}` may be for types that it does not name"))
            }
            0 => None,
            _ => Some(format!("`{name}` is mentioned in macros, which may implement it")),
        })
    }

    /// Callers, or all items that use it.
    pub(super) fn users(&self, asked: &Structural, symbol: &Symbol) -> Result<Known, EngineError> {
        let symbols = [symbol.clone()];
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        // `callers of f in a.rs`: those elsewhere may be meant or not.
        let outside = |path: &str, file: Option<&str>| {
            asked.place.as_ref().is_some_and(|place| !is_in(path, file, place))
        };
        // What a macro makes is called by a name that its callers choose.
        let macro_of = |item: &ItemRef| {
            matches!(item.kind.as_str(), "macro" | "macro_call").then(|| item.path.clone())
        };
        let mut of_macro = None;
        let (mut facts, certainty) = if asked.ask == Ask::Callers {
            let found = self.calls(&symbols, Direction::Callers, 1, &request)?;
            of_macro = found.answer.items.iter().find_map(|call| macro_of(&call.reached.item));
            let facts = found.answer.items.into_iter().map(|call| {
                let (reached, path) = (&call.reached, &call.reached.item.path);
                let mut fact = caller(path, reached.confidence >= SURE);
                if fact.weight == Weight::Required && outside(path, reached.file_path.as_deref()) {
                    fact.weight = Weight::Optional;
                }
                fact
            });
            (facts.collect::<Vec<_>>(), found.certainty.unwrap_or_default())
        } else {
            let found = self.where_used(&symbols, &request)?;
            of_macro =
                of_macro.or(found.answer.items.iter().find_map(|place| macro_of(&place.item)));
            let mut facts: Vec<Fact> = Vec::new();
            for place in found.answer.items {
                let sure = place.confidence >= SURE;
                let mut new = caller(&place.item.path, sure);
                if sure && outside(&place.item.path, Some(&place.file_path)) {
                    new.weight = Weight::Optional;
                }
                match facts.iter_mut().find(|fact| fact.shown == new.shown) {
                    Some(fact) if new.weight == Weight::Required => fact.weight = new.weight,
                    Some(_) => {}
                    None => facts.push(new),
                }
            }
            (facts, found.certainty)
        };
        if asked.ask == Ask::Callers {
            facts.extend(self.recursion(symbol)?);
        }
        facts.sort_by(|a, b| a.shown.cmp(&b.shown));
        let doubts = match (of_macro, doubt(&certainty)) {
            (Some(path), _) => {
                Doubts::of_all(format!("`{path}` is a macro, and what it makes may be one"))
            }
            (None, Some(reason)) => self.doubts_about_users(symbol, reason)?,
            (None, None) => Doubts::default(),
        };
        Ok(Known::List(facts, doubts))
    }

    /// Only items with an unresolved use of the name may be users that are not known.
    fn doubts_about_users(&self, symbol: &Symbol, reason: String) -> Result<Doubts, EngineError> {
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        let symbols = [symbol.clone()];
        let unresolved = self.unresolved_uses(&symbols, &request)?;
        if unresolved.answer.items.is_empty() {
            return Ok(Doubts::of_all(reason));
        }
        // A macro's body is where the macro is called.
        if unresolved.answer.items.iter().any(|place| place.item.kind == "macro") {
            return Ok(Doubts::of_all(reason));
        }
        let names = unresolved.answer.items.into_iter().map(|place| place.item.name);
        Ok(Doubts { all: None, names: names.collect() })
    }

    pub(super) fn is_used(
        &self,
        asked: &Structural,
        symbol: &Symbol,
    ) -> Result<Known, EngineError> {
        let symbols = [symbol.clone()];
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        let found = self.where_used(&symbols, &request)?;
        let is_own = |id: NodeId| found.symbols.iter().any(|own| own.id == id);
        let all = || found.answer.items.iter().filter(|place| !is_own(place.item.id));
        let inside = |path: &str, file: &str| {
            asked.place.as_ref().is_none_or(|place| is_in(path, Some(file), place))
        };
        let others = || all().filter(|place| inside(&place.item.path, &place.file_path));
        let unused = asked.ask == Ask::IsUnused;
        if others().any(|place| place.confidence >= SURE) {
            return Ok(Known::YesNo(!unused));
        }
        if others().next().is_some() {
            return Ok(Known::Unknown("its uses are uncertain".to_owned()));
        }
        // The place may be that of the item, too.
        let defined_here = inside(&symbol.path, symbol.file_path.as_deref().unwrap_or_default());
        if let Some(elsewhere) = all().next().filter(|_| defined_here) {
            return Ok(Known::Unknown(format!("it is used in {}", elsewhere.file_path)));
        }
        if let Some(Caveat::Examples(places)) = &found.certainty.caveat {
            let places = places.join(", ");
            return Ok(Known::Unknown(format!("examples in documentation may use it: {places}")));
        }
        match doubt(&found.certainty) {
            Some(reason) => Ok(Known::Unknown(reason)),
            None => Ok(Known::YesNo(unused)),
        }
    }

    pub(super) fn callees(&self, item: &Item) -> Result<Known, EngineError> {
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        let symbols = [Symbol::from(item)];
        let found = self.calls(&symbols, Direction::Callees, 1, &request)?;
        let facts = found.answer.items.into_iter().map(|call| {
            let sure = call.reached.confidence >= SURE;
            let mut fact = caller(&call.reached.item.path, sure);
            let is_function = ["function", "method"].contains(&call.reached.item.kind.as_str());
            if sure && (call.reached.external || !is_function) {
                // Often left out of an answer: calls of other crates, constructors, macros.
                fact.weight = Weight::Optional;
            }
            fact
        });
        let mut facts: Vec<Fact> = facts.collect();
        facts.extend(self.recursion(&Symbol::from(item))?);
        facts.sort_by(|a, b| a.shown.cmp(&b.shown));
        Ok(Known::List(facts, Doubts::default()))
    }

    /// An item that calls itself: its lineage does not list it.
    fn recursion(&self, symbol: &Symbol) -> Result<Option<Fact>, EngineError> {
        let use_kinds = RefKind::CALLS.to_vec();
        let request = UseRequest { use_kinds, guesses: Guesses::Show, ..UseRequest::default() };
        let found = self.where_used(std::slice::from_ref(symbol), &request)?;
        let own = found.answer.items.iter().filter(|place| place.item.id == symbol.id);
        let surest = own.map(|place| place.confidence).reduce(f64::max);
        Ok(surest.map(|confidence| caller(&symbol.path, confidence >= SURE)))
    }

    pub(super) fn is_calling(&self, item: &Item, other: &str) -> Result<Known, EngineError> {
        let called = self
            .named(&ResolveRequest::new(clean(other)), &[NodeKind::Function, NodeKind::Method])?;
        if called.is_empty() {
            return Ok(Known::Unknown(format!("no item named `{other}`")));
        }
        let Known::List(facts, _) = self.callees(item)? else {
            return Ok(Known::Unknown("no calls".to_owned()));
        };
        let mut possible = false;
        for called in &called {
            let path = called.symbol().path;
            for fact in facts.iter().filter(|fact| fact.path.as_ref() == Some(&path)) {
                let external = matches!(called, Subject::External(_));
                if fact.weight != Weight::Possible || external {
                    return Ok(Known::YesNo(true));
                }
                possible = true;
            }
            let one =
                |fact: &&Fact| fact.path.as_ref().is_some_and(|it| implements_item(it, &path));
            if let Some(fact) = facts.iter().find(one) {
                let shown = &fact.shown;
                return Ok(Known::Unknown(format!("it calls `{shown}`, which implements it")));
            }
        }
        if possible {
            return Ok(Known::Unknown("the call is uncertain".to_owned()));
        }
        let name = clean(other).rsplit("::").next().unwrap_or(other);
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        for called in &called {
            let unresolved = self.unresolved_uses(&[called.symbol()], &request)?;
            if unresolved.answer.items.iter().any(|place| place.item.id == item.id) {
                return Ok(Known::Unknown(format!("an unresolved call of `{name}` may be it")));
            }
        }
        Ok(Known::YesNo(false))
    }
}

/// Blanket impls of the standard library implement traits for types that they do not name.
fn doubts_about_traits() -> Doubts {
    let auto = ["Send", "Sync", "Unpin", "Sized", "UnwindSafe", "RefUnwindSafe", "Any", "From"];
    let more = ["Into", "TryFrom", "TryInto", "ToOwned", "ToString", "Borrow", "BorrowMut"];
    let names = auto.iter().chain(&more).map(|&name| name.to_owned());
    Doubts { all: None, names: names.collect() }
}

fn doubt(certainty: &Certainty) -> Option<String> {
    // Examples in documentation are no items.
    let is_proven = certainty.proven || matches!(certainty.caveat, Some(Caveat::Examples(_)));
    (!is_proven).then(|| match certainty.unresolved_uses {
        0 => "the list of uses may be incomplete".to_owned(),
        1 => "an unresolved use of the name may be one of it".to_owned(),
        n => format!("{n} unresolved uses of the name may be uses of it"),
    })
}
