//! How complete an answer about uses is: a name in a macro body, or a call on a receiver of unknown
//! type, may be a use that the answer lacks.

use std::collections::BTreeSet;

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::docs::{self, Named};
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{CrateRoot, Described, Queries, StoredUse, UseFilter};
use asof_wire::{
    Caveat, Certainty, Implementations, Snippets, Symbol, UseRequest, WhereUsedResult,
};

impl Snapshot<'_> {
    /// Unresolved uses of the bare names of these symbols, each with its place.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn unresolved_uses(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        super::direct::first(symbols)?;
        let names = Queries::at(self.store(), self.at).unresolved_uses(&bare_names(symbols))?;
        let mut found: Vec<Symbol> =
            names.into_iter().map(|name| Symbol::external(name.id, name.text, false)).collect();
        if found.is_empty() {
            // The answer is empty, but still about the requested symbols.
            found = symbols.iter().filter(|symbol| symbol.kind == UNKNOWN).cloned().collect();
        }
        self.where_used_or_none(symbols, &found, request)
    }

    /// What is unknown about the uses of these symbols, if so many guesses are not listed.
    pub(crate) fn certainty(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
        guesses_left_out: usize,
    ) -> Result<Certainty, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let names = queries.unresolved_uses(&bare_names(symbols))?;
        let unresolved_uses = names.iter().map(|name| name.uses).sum();
        let caveat = match symbols {
            _ if unresolved_uses > 0 => Some(Caveat::UnresolvedUses),
            _ if request.is_filtered() => Some(Caveat::Filtered),
            _ if guesses_left_out > 0 => Some(Caveat::Guesses(guesses_left_out)),
            [symbol, ..] if is_unknown(symbol) => Some(Caveat::UnknownName(symbol.path.clone())),
            _ if symbols.iter().any(of_trait_impl) => Some(Caveat::TraitItem),
            _ => match queries.partial_files()?.as_slice() {
                [] => self.examples(symbols)?,
                [first, ..] => Some(Caveat::Unparsed(first.clone())),
            },
        };
        let proven = caveat.is_none();
        Ok(Certainty { unresolved_uses, proven, caveat, ..Certainty::default() })
    }

    /// The places in examples of documentation that may use these. An example is a crate of its own,
    /// so it can only name what is public in a library: `fn helper` never, `pub fn helper` also if a
    /// private module has it, since another one may re-export it. Documents are read as they are now.
    fn examples(&self, symbols: &[Symbol]) -> Result<Option<Caveat>, EngineError> {
        if self.database.root.is_none() {
            return Ok(None);
        }
        let queries = Queries::at(self.store(), self.at);
        let is_library = |krate: &CrateRoot| krate.target_kind == "lib";
        let libraries: BTreeSet<NodeId> =
            queries.crates()?.into_iter().filter(is_library).map(|krate| krate.root_id).collect();
        let ids: BTreeSet<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let items = queries.describe(&ids.iter().copied().collect::<Vec<_>>())?;
        let parents: Vec<NodeId> = items.iter().filter_map(|item| item.parent_id).collect();
        let parents = queries.describe(&parents)?;
        let is_public = |item: &Described| {
            let parent = parents.iter().find(|parent| Some(parent.id) == item.parent_id);
            // Items of a trait and variants are as visible as what they are in.
            let of = parent.filter(|of| matches!(of.kind, NodeKind::Trait | NodeKind::Enum));
            item.kind == NodeKind::Macro || of.unwrap_or(item).visibility == "pub"
        };
        let is_nameable = |item: &Described| libraries.contains(&item.root_id) && is_public(item);
        let items: Vec<Described> = items.into_iter().filter(is_nameable).collect();
        let Some(name) = items.first().map(|item| item.name.clone()) else { return Ok(None) };
        let places = docs::examples(self, Named { ids: &ids, items: &items }, &name)?;
        let mut places: Vec<String> =
            places.iter().map(|place| format!("{}:{}", place.file_path, place.line)).collect();
        places.sort_unstable();
        places.dedup();
        Ok(Some(places).filter(|places| !places.is_empty()).map(Caveat::Examples))
    }

    /// `known`, with the number of uses that lead to items that implement these symbols: calls on a
    /// receiver of a known type mean the item of its impl.
    pub(super) fn with_implementations_counted(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
        known: Certainty,
    ) -> Result<Certainty, EngineError> {
        let implementations = self.implementations(symbols)?;
        if request.implementations == Implementations::Show || implementations.is_empty() {
            return Ok(known);
        }
        let request = UseRequest { limit: Some(0), snippets: Snippets::None, ..request.clone() };
        let found = self.where_used_or_none(&implementations, &implementations, &request)?;
        let implementation_uses = found.answer.total;
        if implementation_uses == 0 {
            return Ok(known);
        }
        let caveat = match known.caveat {
            None | Some(Caveat::OtherUses(_)) => Caveat::ImplementationUses(implementation_uses),
            Some(other) => other,
        };
        Ok(Certainty { implementation_uses, proven: false, caveat: Some(caveat), ..known })
    }

    /// The items that implement these symbols and are not among them.
    fn implementations(&self, symbols: &[Symbol]) -> Result<Vec<Symbol>, EngineError> {
        let targets: Vec<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let queries = Queries::at(self.store(), self.at);
        let users: BTreeSet<NodeId> =
            queries.users_of(&targets)?.into_iter().map(|user| user.source).collect();
        let users: Vec<NodeId> = users.into_iter().filter(|id| !targets.contains(id)).collect();
        let mut ids = Vec::new();
        for row in queries.uses_of(&users)? {
            let refs: Vec<StoredUse> = row.refs;
            let overrides =
                |one: &StoredUse| one.kind == RefKind::Overrides && targets.contains(&one.target);
            if refs.iter().any(overrides) {
                ids.push(row.source);
            }
        }
        Ok(self.items(&ids)?.iter().map(Symbol::from).collect())
    }

    /// The symbols that a request is about: these and what has the text of one of them, and the items
    /// that implement them if asked for.
    pub(crate) fn asked(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<Vec<Symbol>, EngineError> {
        let mut all = self.with_same_text(symbols)?;
        if request.implementations == Implementations::Show {
            let implementations = self.implementations(&all)?;
            all.extend(implementations);
        }
        Ok(all)
    }

    /// What is unknown about the callers of these symbols: other uses may lead to calls, too.
    pub(super) fn certainty_of_calls(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
        guesses_left_out: usize,
    ) -> Result<Certainty, EngineError> {
        let known = self.certainty(symbols, request, guesses_left_out)?;
        if !known.proven {
            return Ok(known);
        }
        let other = |kind: &RefKind| !RefKind::CALLS.contains(kind) && *kind != RefKind::Use;
        let kinds = RefKind::LISTED.iter().copied().filter(other).collect();
        let ids: Vec<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let filter = UseFilter { kinds, min_confidence: 0.0 };
        let others = Queries::at(self.store(), self.at).use_counts(&ids, &filter, 0.0)?;
        let others: usize = others.values().map(|count| count.places).sum();
        Ok(match others {
            0 => known,
            n => Certainty { proven: false, caveat: Some(Caveat::OtherUses(n)), ..known },
        })
    }
}

/// Kind of a symbol without a known definition.
const UNKNOWN: &str = "unknown";

fn is_unknown(symbol: &Symbol) -> bool {
    symbol.kind == UNKNOWN
}

/// Whether it is an item of a trait impl.
fn of_trait_impl(symbol: &Symbol) -> bool {
    !symbol.external && symbol.path.starts_with('<') && symbol.path.contains(" as ")
}

/// Names of symbols with a known definition.
fn bare_names(symbols: &[Symbol]) -> Vec<String> {
    let known = symbols.iter().filter(|symbol| !is_unknown(symbol));
    let mut names: Vec<String> = known.map(|symbol| symbol.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}
