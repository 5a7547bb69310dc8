//! What items reach: shortest paths of calls to a set of functions or of places in texts. A path is
//! certain if each of its steps is a use that certainly means what is next; through items of traits,
//! values, macros and guesses it is only possible. `docs/reach.md` has the rules.

mod between;
mod graph;
mod paths;
mod sets;
mod since;
mod starts;
mod texts;
mod walk;

use std::collections::BTreeSet;
use std::time::Instant;

use self::graph::{Graph, Node, Role};
use self::sets::{Members, NAMES, Set};
use self::walk::{Incoming, Tier, Ways, after};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{Hint, NodeId};
use asof_query::Queries;
use asof_wire::{ReachRequest, ReachResult, ResolveRequest};

/// What was found of a request, before paths are described.
struct Found {
    graph: Graph,
    /// The nodes that paths start from.
    starts: Vec<usize>,
    /// The ways to each set.
    ways: Vec<WaysToSet>,
    /// The nodes after which a call is not followed.
    open: Vec<bool>,
    unparsed: Vec<String>,
}

/// A start with its way to a set.
struct Start {
    number: usize,
    set: usize,
    tier: Tier,
}

/// The ways to one set, by tier.
struct WaysToSet([Ways; 4]);

impl WaysToSet {
    fn get(&self, tier: Tier) -> Option<&Ways> {
        let at = Tier::ALL.iter().position(|one| *one == tier)?;
        self.0.get(at)
    }

    /// The best tier that has a way from a node.
    fn best(&self, from: usize) -> Option<Tier> {
        let leads = |tier: &Tier| self.get(*tier).is_some_and(|ways| ways.leads(from));
        Tier::ALL.into_iter().find(leads)
    }
}

impl Snapshot<'_> {
    /// Items that reach a set, each with a shortest path: certain ones, then possible ones, then those
    /// under other conditions; each by path.
    ///
    /// # Errors
    /// No set, a set that nothing has the name of, an item or a package that does not exist; a failure
    /// of the database.
    pub fn reach_sets(&self, request: &ReachRequest) -> Result<ReachResult, EngineError> {
        let started = Instant::now();
        let found = self.find_ways(request)?;
        self.answer_reach(started, request, &found, |_| true)
    }

    /// The answer about those starts that are wanted.
    fn answer_reach(
        &self,
        started: Instant,
        request: &ReachRequest,
        found: &Found,
        is_wanted: impl Fn(&Start) -> bool,
    ) -> Result<ReachResult, EngineError> {
        let (mut certain, mut possible, mut other_conditions, mut open) = (0, 0, 0, 0);
        let mut listed: Vec<Start> = Vec::new();
        for number in found.starts.iter().copied() {
            let mut is_without = true;
            for (set, ways) in found.ways.iter().enumerate() {
                let Some(tier) = ways.best(number) else { continue };
                is_without = false;
                let start = Start { number, set, tier };
                if !is_wanted(&start) {
                    continue;
                }
                match tier {
                    Tier::Certain => certain += 1,
                    Tier::Possible => possible += 1,
                    Tier::CertainElsewhere | Tier::PossibleElsewhere => other_conditions += 1,
                }
                if tier.is_certain() || request.guesses {
                    listed.push(start);
                }
            }
            let is_open = found.open.get(number).copied().unwrap_or_default();
            open += usize::from(is_without && is_open);
        }
        let path = |start: &Start| found.graph.nodes.get(start.number).map(|node| &node.path);
        listed.sort_by(|a, b| (a.tier, path(a), a.set).cmp(&(b.tier, path(b), b.set)));
        let total = listed.len();
        listed.truncate(request.limit.unwrap_or(usize::MAX));
        let items = self.describe_paths(request, found, &listed)?;
        let all = after(&found.graph, &found.starts);
        let sum = |count: fn(&Node) -> usize| {
            all.iter().filter_map(|number| found.graph.nodes.get(*number)).map(count).sum()
        };
        let (unresolved, outside) = (sum(|node| node.unresolved), sum(|node| node.outside));
        let mut answer = self.answer(started, items, None);
        (answer.total, answer.truncated) = (total, answer.items.len() < total);
        Ok(ReachResult {
            starts: found.starts.len(),
            certain,
            possible,
            other_conditions,
            open,
            unresolved,
            outside,
            unparsed: found.unparsed.clone(),
            answer,
        })
    }

    /// The graph, where paths start, and the ways from there.
    fn find_ways(&self, request: &ReachRequest) -> Result<Found, EngineError> {
        let is_blocking = request.sets.iter().any(|word| Set::parse(word) == Set::Blocking);
        if request.sets.is_empty() {
            return Err(bad_request("no set is given"));
        }
        if is_blocking && request.sets.len() > 1 {
            return Err(bad_request("`blocking` is about async code, and cannot be combined"));
        }
        let mut members = Members::new(&request.sets);
        for (number, word) in request.sets.iter().enumerate() {
            if Set::parse(word) == Set::Path {
                self.know_path(&mut members, word, number)?;
            }
        }
        let ids = self.starts(request, is_blocking)?;
        let mut graph = Graph::load(self, &members, &ids)?;
        let mut unparsed = Vec::new();
        if members.has_hazards() {
            unparsed = graph.read_places(self, &members)?;
        }
        let wanted: BTreeSet<NodeId> = ids.into_iter().collect();
        let starts = if is_blocking {
            let mut found = graph.read_async_code(self)?;
            found.retain(|number| {
                graph.nodes.get(*number).is_some_and(|node| wanted.contains(&node.id))
            });
            found
        } else {
            let known = wanted.iter().filter_map(|id| graph.numbers.get(&(*id, Role::Body)));
            known.copied().collect()
        };
        graph.compare_conditions(self)?;
        let incoming = Incoming::new(&graph);
        let to_set =
            |set| WaysToSet(Tier::ALL.map(|tier| Ways::find(&graph, &incoming, tier, set)));
        let ways = (0..request.sets.len()).map(to_set).collect();
        let open = incoming.open(&graph);
        Ok(Found { graph, starts, ways, open, unparsed })
    }

    /// Adds the canonical paths of what a path names in the workspace. A path of another crate stands as
    /// it is.
    fn know_path(
        &self,
        members: &mut Members,
        word: &str,
        number: usize,
    ) -> Result<(), EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let path = word.trim_end_matches("::*");
        let items = self.resolve(&ResolveRequest::new(path))?;
        for item in items.items() {
            if let Some(path) = &item.path {
                members.add_path(path, number);
            }
        }
        let prefix = path.trim_start_matches("::").trim_end_matches('!');
        if !items.items().is_empty() || asof_index::is_in_standard_library(prefix) {
            return Ok(());
        }
        let used = queries.external_symbols_starting(prefix, 1_000)?;
        let is_used = used.iter().any(|one| one.external && members.find_name(&one.text).is_some());
        if is_used {
            return Ok(());
        }
        let name = prefix.split("::").next().unwrap_or(prefix).replace('-', "_");
        let mut dependencies = queries.dependencies()?.into_iter();
        if dependencies.any(|one| one.name.replace('-', "_") == name) {
            return Ok(());
        }
        let sets = NAMES.join(", ");
        Err(EngineError::NotFound {
            what: format!("no set, item or crate `{word}`"),
            hint: Hint::Advice(format!("sets are {sets}, and paths such as `std::env`")),
        })
    }
}

fn bad_request(what: &str) -> EngineError {
    let sets = NAMES.join(", ");
    let hint = Hint::Advice(format!("give one: {sets}, or a path such as `std::env`"));
    EngineError::BadRequest { what: what.to_owned(), hint }
}
