//! The true answers to questions about items.

use std::collections::BTreeSet;

use super::Known;
use super::forms::{
    caller, derived, field, implementors, parameter, places, return_types, signatures, trait_of,
    variant,
};
use super::subject::{Subject, clean};
use crate::engine::api::{Hidden, Members};
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::model::{NodeId, NodeKind};
use crate::oracle::{Ask, Fact, Structural};
use crate::query::{OracleMember, Queries};
use crate::syntax;
use crate::wire::{Certainty, Direction, Guesses, Item, ResolveRequest, Symbol, UseRequest};

/// Uses below this confidence may be claimed or not.
const SURE: f64 = 0.95;

/// Why entries that are not among the facts may be true.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// About any entry.
    all: Option<String>,
    /// About these names only.
    names: BTreeSet<String>,
}

impl Doubts {
    fn of_all(reason: impl Into<String>) -> Self {
        Self { all: Some(reason.into()), names: BTreeSet::new() }
    }

    /// Why this entry may be true.
    pub fn about(&self, entry: &str) -> Option<String> {
        let name = entry.rsplit("::").next().unwrap_or(entry);
        let name = name.trim_end_matches("()").trim();
        let known = || self.names.contains(name).then(|| format!("`{name}` may be one of them"));
        self.all.clone().or_else(known)
    }

    /// Why there may be more entries.
    pub fn any(&self) -> Option<String> {
        let names = || (!self.names.is_empty()).then(|| "there may be more".to_owned());
        self.all.clone().or_else(names)
    }
}

impl Snapshot<'_> {
    /// The true answer for one item.
    pub(super) fn facts(
        &self,
        asked: &Structural,
        subject: &Subject,
    ) -> Result<Known, EngineError> {
        match (asked.ask, subject) {
            (Ask::Callers | Ask::Users, _) => self.users(asked.ask, &subject.symbol()),
            (Ask::IsUsed | Ask::IsUnused, _) => self.is_used(asked, &subject.symbol()),
            (Ask::Implementors, _) => self.implementors(&subject.symbol()),
            (_, Subject::External(symbol)) => {
                Ok(Known::Unknown(format!("`{}` is not defined in the workspace", symbol.path)))
            }
            (_, Subject::Item(item)) => self.facts_of(asked, item),
        }
    }

    fn facts_of(&self, asked: &Structural, item: &Item) -> Result<Known, EngineError> {
        let list = |facts| Ok(Known::List(facts, Doubts::default()));
        match asked.ask {
            Ask::Signature => Ok(Known::Code(signatures(item))),
            Ask::ReturnType => Ok(match syntax::signature_parts(&item.signature) {
                Some(parts) => Known::Code(return_types(&parts.output)),
                None => Known::Unknown(format!("`{}` is not a function", shown(item))),
            }),
            Ask::Parameters => match syntax::signature_parts(&item.signature) {
                Some(parts) => list(parts.inputs.iter().map(parameter).collect()),
                None => Ok(Known::Unknown(format!("`{}` is not a function", shown(item)))),
            },
            Ask::Fields => match item.kind {
                NodeKind::Struct | NodeKind::Union | NodeKind::Variant => {
                    list(self.members(item, &[NodeKind::Field])?.iter().map(field).collect())
                }
                _ => Ok(Known::Unknown(format!("a {} has no fields", item.kind))),
            },
            Ask::Variants => match item.kind {
                NodeKind::Enum => {
                    list(self.members(item, &[NodeKind::Variant])?.iter().map(variant).collect())
                }
                _ => Ok(Known::Unknown(format!("a {} has no variants", item.kind))),
            },
            Ask::Methods => self.methods(item),
            Ask::Traits => self.traits(item),
            Ask::Implements => self.implements(item, asked.other.as_deref().unwrap_or_default()),
            Ask::Callees => self.callees(item),
            Ask::Calls => self.is_calling(item, asked.other.as_deref().unwrap_or_default()),
            Ask::IsPublic => Ok(self.is_public(item)?.map_or_else(Known::Unknown, Known::YesNo)),
            Ask::IsPrivate => {
                let public = self.is_public(item)?.map(|public| !public);
                Ok(public.map_or_else(Known::Unknown, Known::YesNo))
            }
            Ask::Exports => self.exports(item),
            Ask::Place => Ok(Known::Code(places(item))),
            _ => Ok(Known::Unknown("this is not a question about one item".to_owned())),
        }
    }

    fn members(&self, item: &Item, kinds: &[NodeKind]) -> Result<Vec<OracleMember>, EngineError> {
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
        Ok(Queries::at(self.store(), self.at).oracle_members(&[item.id], &kinds)?)
    }

    /// Methods of the type's own impls, and those of trait impls, which need not be claimed.
    fn methods(&self, item: &Item) -> Result<Known, EngineError> {
        let found = self.members(item, &[NodeKind::Method])?;
        let queries = Queries::at(self.store(), self.at);
        let facts = found.iter().map(|method| Fact {
            forms: vec![method.name.clone(), method.signature.clone()],
            sure: method.trait_impl.is_none(),
            path: method.path.clone(),
            ..Fact::new(method.name.clone())
        });
        let mut doubts = Doubts::default();
        if item.kind != NodeKind::Trait {
            // Derives and traits of other crates bring methods that are not written here.
            let foreign = queries.implemented_traits(&[item.id])?;
            if foreign.iter().any(|one| one.derive.is_some()) {
                doubts.names = DERIVED.iter().map(|&name| name.to_owned()).collect();
            }
        }
        let known = self.unresolved_mentions(&item.name)?;
        if known > 0 && item.kind != NodeKind::Trait && self.has_macro_impls(&item.name)? {
            doubts.all = Some(format!("a macro call mentions `{}`", item.name));
        }
        Ok(Known::List(facts.collect(), doubts))
    }

    /// Number of unresolved uses of a name, macro bodies included.
    fn unresolved_mentions(&self, name: &str) -> Result<u64, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let found = queries.unresolved_uses(std::slice::from_ref(&name.to_owned()))?;
        Ok(found.iter().map(|one| one.uses).sum())
    }

    /// Whether macro calls in the place of items mention a name.
    fn has_macro_impls(&self, name: &str) -> Result<bool, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        Ok(queries.macro_mentions(name)?.into_iter().any(|mentions| mentions > 0))
    }

    fn traits(&self, item: &Item) -> Result<Known, EngineError> {
        let found = Queries::at(self.store(), self.at).implemented_traits(&[item.id])?;
        let mut facts = Vec::new();
        for one in &found {
            if let Some(derive) = &one.derive {
                facts.extend(derived(derive).into_iter().map(|name| Fact::item(&name, true)));
            } else if let Some(text) = trait_of(one.impl_path.as_deref(), &one.signature) {
                let bare = text.split('<').next().unwrap_or(&text).to_owned();
                facts.push(Fact { forms: vec![bare], ..Fact::item(&text, true) });
            }
        }
        Ok(Known::List(facts, self.doubts_about_traits()?))
    }

    /// Blanket impls and macros implement traits for types that they do not name.
    fn doubts_about_traits(&self) -> Result<Doubts, EngineError> {
        let auto = ["Send", "Sync", "Unpin", "Sized", "UnwindSafe", "RefUnwindSafe", "Any", "From"];
        let more = ["Into", "TryFrom", "TryInto", "ToOwned", "ToString", "Borrow", "BorrowMut"];
        let names = auto.iter().chain(&more).map(|&name| name.to_owned());
        Ok(Doubts { all: None, names: names.collect() })
    }

    fn implements(&self, item: &Item, wanted: &str) -> Result<Known, EngineError> {
        let Known::List(facts, doubts) = self.traits(item)? else {
            return Ok(Known::Unknown("no traits".to_owned()));
        };
        let claim = [wanted.to_owned()];
        let found = crate::oracle::compare(&claim, &facts, false, &|_| None);
        if !matches!(
            found,
            crate::wire::Verdict::HasFalsePositives { .. } | crate::wire::Verdict::Mismatch { .. }
        ) {
            return Ok(Known::YesNo(true));
        }
        let name = clean(wanted).rsplit("::").next().unwrap_or(wanted).to_owned();
        if let Some(reason) = doubts.about(&name) {
            return Ok(Known::Unknown(reason));
        }
        match self.implementors_of(&name)? {
            (_, Some(reason)) => Ok(Known::Unknown(reason)),
            _ => Ok(Known::YesNo(false)),
        }
    }

    fn implementors(&self, symbol: &Symbol) -> Result<Known, EngineError> {
        if !symbol.external && symbol.kind != "trait" {
            return Ok(Known::Unknown(format!("`{}` is a {}", symbol.path, symbol.kind)));
        }
        let queries = Queries::at(self.store(), self.at);
        let traits: Vec<NodeId> = if symbol.external { Vec::new() } else { vec![symbol.id] };
        let rows = queries.implementations(&traits, &symbol.name, symbol.external)?;
        let (facts, generic) = implementors(rows);
        let (_, doubt) = self.implementors_of(&symbol.name)?;
        let doubts = match (generic, doubt) {
            (true, _) => Doubts::of_all("a generic impl may be for types that it does not name"),
            (false, Some(reason)) => Doubts::of_all(reason),
            (false, None) => Doubts::default(),
        };
        Ok(Known::List(facts, doubts))
    }

    /// Impls of any trait with this name, and why there may be more.
    fn implementors_of(&self, name: &str) -> Result<(Vec<Fact>, Option<String>), EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let (facts, generic) = implementors(queries.implementations(&[], name, true)?);
        let mentions: u32 = queries.macro_mentions(name)?.into_iter().sum();
        let doubt = match mentions {
            _ if generic => Some(format!("a generic impl of `{name}` may be for it")),
            0 => None,
            _ => Some(format!("`{name}` is mentioned in macros, which may implement it")),
        };
        Ok((facts, doubt))
    }

    /// Callers, or all items that use it.
    fn users(&self, ask: Ask, symbol: &Symbol) -> Result<Known, EngineError> {
        let symbols = [symbol.clone()];
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        let (mut facts, certainty) = if ask == Ask::Callers {
            let found = self.calls(&symbols, Direction::Callers, 1, &request)?;
            let facts = found.answer.items.into_iter().map(|call| {
                let sure = call.reached.confidence >= SURE;
                caller(&call.reached.item.path, sure)
            });
            (facts.collect::<Vec<_>>(), found.certainty.unwrap_or_default())
        } else {
            let found = self.where_used(&symbols, &request)?;
            let mut facts: Vec<Fact> = Vec::new();
            for place in found.answer.items {
                let sure = place.confidence >= SURE;
                match facts.iter_mut().find(|fact| fact.shown == place.item.path) {
                    Some(fact) => fact.sure |= sure,
                    None => facts.push(caller(&place.item.path, sure)),
                }
            }
            (facts, found.certainty)
        };
        facts.sort_by(|a, b| a.shown.cmp(&b.shown));
        let doubts = match doubt(&certainty) {
            Some(reason) => self.doubts_about_users(symbol, reason)?,
            None => Doubts::default(),
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

    fn is_used(&self, asked: &Structural, symbol: &Symbol) -> Result<Known, EngineError> {
        let symbols = [symbol.clone()];
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        let found = self.where_used(&symbols, &request)?;
        let others = || found.answer.items.iter().filter(|place| place.item.id != symbol.id);
        let unused = asked.ask == Ask::IsUnused;
        if others().any(|place| place.confidence >= SURE) {
            return Ok(Known::YesNo(!unused));
        }
        if others().next().is_some() {
            return Ok(Known::Unknown("its uses are uncertain".to_owned()));
        }
        match doubt(&found.certainty) {
            Some(reason) => Ok(Known::Unknown(reason)),
            None => Ok(Known::YesNo(unused)),
        }
    }

    fn callees(&self, item: &Item) -> Result<Known, EngineError> {
        let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
        let symbols = [Symbol::from(item)];
        let found = self.calls(&symbols, Direction::Callees, 1, &request)?;
        let facts = found.answer.items.into_iter().map(|call| {
            // Calls of other crates are often left out of an answer.
            let sure = call.reached.confidence >= SURE && !call.reached.external;
            caller(&call.reached.item.path, sure)
        });
        let mut facts: Vec<Fact> = facts.collect();
        facts.sort_by(|a, b| a.shown.cmp(&b.shown));
        Ok(Known::List(facts, Doubts::default()))
    }

    fn is_calling(&self, item: &Item, other: &str) -> Result<Known, EngineError> {
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
                if fact.sure || external {
                    return Ok(Known::YesNo(true));
                }
                possible = true;
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

    /// Whether other crates can name it; or why that depends on what is meant.
    fn is_public(&self, item: &Item) -> Result<Result<bool, String>, EngineError> {
        if item.visibility != "pub" {
            return Ok(match item.kind {
                NodeKind::Variant
                | NodeKind::AssocType
                | NodeKind::AssocConst
                | NodeKind::Method
                | NodeKind::Macro
                    if item.visibility.is_empty() && self.is_inherited(item)? =>
                {
                    Err("its visibility is that of the item around it".to_owned())
                }
                _ => Ok(false),
            });
        }
        let root = item.root_id.into_iter().collect::<Vec<_>>();
        if root.is_empty() || self.libraries_among(&root)? != root {
            return Ok(Err("it is `pub` in a crate that is not a library".to_owned()));
        }
        let names = self.api(&root, Members::List, Hidden::List, None)?;
        let reachable = names.items.iter().any(|name| name.id == Some(item.id));
        Ok(match reachable {
            true => Ok(true),
            false => Err("it is `pub`, but no public path leads to it".to_owned()),
        })
    }

    /// Whether the visibility is that of a trait, an enum or an attribute.
    fn is_inherited(&self, item: &Item) -> Result<bool, EngineError> {
        let path = item.path.clone().unwrap_or_default();
        if item.kind == NodeKind::Method && !path.starts_with('<') {
            let parent = item.parent_id.into_iter().collect::<Vec<_>>();
            let parent = self.items(&parent)?;
            return Ok(parent.iter().any(|parent| parent.kind != NodeKind::Impl));
        }
        Ok(path.contains(" as ") || item.kind != NodeKind::Method)
    }

    fn exports(&self, item: &Item) -> Result<Known, EngineError> {
        let names = self.api(&[item.id], Members::LeaveOut, Hidden::List, None)?;
        let prefix = item.path.clone().unwrap_or_default();
        let facts = names.items.iter().filter_map(|name| {
            let rest = name.path.strip_prefix(&prefix)?.strip_prefix("::")?;
            // Items of its modules need not be listed.
            let sure = !rest.contains("::") && !name.hidden;
            Some(Fact { sure, path: Some(name.path.clone()), ..Fact::new(rest) })
        });
        Ok(Known::List(facts.collect(), Doubts::default()))
    }

    /// Items of some kinds in a module, a file, or the workspace; `None` without such a place.
    pub(super) fn items_of(
        &self,
        kinds: &[NodeKind],
        place: &str,
        file: Option<&str>,
    ) -> Result<Option<Known>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
        let file = match file {
            Some(file) => {
                let found = self.resolve_file(file)?;
                if found.is_none() {
                    return Ok(None);
                }
                found
            }
            None => None,
        };
        let mut rows = queries.oracle_items(&kinds, file.as_deref())?;
        if !place.is_empty() {
            let modules = self.named(&ResolveRequest::new(clean(place)), &[NodeKind::Module])?;
            let paths = modules.iter().filter_map(|module| match module {
                Subject::Item(item) if item.kind == NodeKind::Module => item.path.clone(),
                _ => None,
            });
            let paths: Vec<String> = paths.collect();
            if paths.is_empty() {
                return Ok(None);
            }
            rows.retain(|row| paths.iter().any(|path| is_below(&row.path, path)));
        }
        let facts = rows.iter().map(|row| Fact::item(&row.path, true)).collect();
        Ok(Some(Known::List(facts, Doubts::default())))
    }
}

/// Names that derives of the standard library bring.
const DERIVED: [&str; 12] = [
    "clone",
    "clone_from",
    "fmt",
    "eq",
    "ne",
    "partial_cmp",
    "cmp",
    "hash",
    "default",
    "lt",
    "le",
    "to_string",
];

fn is_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
}

fn shown(item: &Item) -> &str {
    item.path.as_deref().unwrap_or(&item.name)
}

fn doubt(certainty: &Certainty) -> Option<String> {
    (!certainty.proven).then(|| match certainty.unresolved_uses {
        0 => "the list of uses may be incomplete".to_owned(),
        n => format!("{n} unresolved uses of the name may be uses of it"),
    })
}
