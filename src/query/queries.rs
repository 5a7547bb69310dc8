//! Queries with typed results. Most methods are generated from the headers of the programs; those
//! with structured arguments are here.

use std::collections::{BTreeMap, HashMap};

use super::error::QueryError;
use super::library::run;
use super::rows::{
    AffectedRow, PathGapRow, ReachedRow, Revision, SeesRow, SiteRow, UsePathRow, UseRow,
};
use super::stored_use::StoredUse;
use asof_model::{Micros, NodeId, RefKind};
use asof_store::{FromRow, Params, Rows, Store, Value};

/// The store as of one time: all answers of a value are from one snapshot.
#[derive(Debug, Clone, Copy)]
pub struct Queries<'a> {
    store: &'a Store,
    at: Micros,
}

/// Number of places in a file that use something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UseCount {
    pub places: usize,
    /// Those of them that are guesses.
    pub guesses: usize,
}

/// A request for uses.
#[derive(Debug, Clone, PartialEq)]
pub struct UseFilter {
    pub kinds: Vec<RefKind>,
    /// From 0 to 1.
    pub min_confidence: f64,
}

impl UseFilter {
    fn given(&self) -> [(&'static str, Value); 2] {
        let kinds = self.kinds.iter().map(|kind| kind.as_str());
        [("kinds", Value::list(kinds)), ("min_confidence", self.min_confidence.into())]
    }
}

/// A request for paths of uses.
#[derive(Debug, Clone, PartialEq)]
pub struct PathSearch {
    pub uses: UseFilter,
    /// Whether to follow from a trait item to those of its impls.
    pub dispatch: bool,
    /// Maximum number of steps.
    pub depth: u32,
    /// Maximum number of paths between two items.
    pub limit: u32,
}

/// A request for revisions.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    /// At or after.
    pub since: Option<Micros>,
    /// At or before.
    pub until: Option<Micros>,
    pub actor: Option<String>,
    pub cause: Option<String>,
}

impl<'a> Queries<'a> {
    /// The store as of this time.
    pub fn at(store: &'a Store, at: Micros) -> Self {
        Self { store, at }
    }

    /// The store that is asked.
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// The time of the answers.
    pub fn time(&self) -> Micros {
        self.at
    }

    pub(super) fn rows(&self, name: &str, given: &[(&str, Value)]) -> Result<Rows, QueryError> {
        let mut params = Params::new().with("at", self.at);
        for (name, value) in given {
            params.insert(name, value.clone());
        }
        Ok(run(self.store, name, params)?)
    }

    pub(super) fn ask<T: FromRow>(
        &self,
        name: &str,
        given: &[(&str, Value)],
    ) -> Result<Vec<T>, QueryError> {
        Ok(self.rows(name, given)?.decode()?)
    }

    /// What a change of items may affect directly, the step that counts first. `changed`: whether
    /// they changed themselves.
    pub fn affected(
        &self,
        seeds: &[NodeId],
        changed: bool,
        sees: &[SeesRow],
    ) -> Result<Vec<AffectedRow>, QueryError> {
        let pair = |row: &SeesRow| Value::list([row.manifest.as_str(), row.other.as_str()]);
        let sees = Value::List(sees.iter().map(pair).collect());
        let seeds = Value::list(seeds.iter().copied());
        self.ask(
            "impact/affected",
            &[("seeds", seeds), ("changed", changed.into()), ("sees", sees)],
        )
    }

    /// Every use of the targets.
    pub fn where_used(
        &self,
        targets: &[NodeId],
        filter: &UseFilter,
    ) -> Result<Vec<UseRow>, QueryError> {
        let [kinds, min] = filter.given();
        let targets = ("targets", Value::list(targets.iter().copied()));
        self.ask("edges/where_used", &[targets, kinds, min])
    }

    /// How many places use the targets, by file, and how many of them are guesses: uses of less
    /// than `guess`, but more than 0. It finds no lines, so that it stays fast for items that half of
    /// a workspace uses.
    pub fn use_counts(
        &self,
        targets: &[NodeId],
        filter: &UseFilter,
        guess: f64,
    ) -> Result<BTreeMap<String, UseCount>, QueryError> {
        let users = self.users_of(targets)?;
        let mut sources: Vec<NodeId> = users.iter().map(|row| row.source).collect();
        sources.sort_unstable();
        sources.dedup();
        let uses = self.uses_of(&sources)?.into_iter().map(|row| (row.source, row.refs));
        let uses: HashMap<NodeId, Vec<StoredUse>> = uses.collect();
        let mut counts: BTreeMap<String, UseCount> = BTreeMap::new();
        for user in users {
            let refs = uses.get(&user.source).map_or(&[][..], Vec::as_slice);
            let wanted = refs.iter().filter(|one| {
                one.target == user.target
                    && filter.kinds.contains(&one.kind)
                    && one.confidence >= filter.min_confidence
            });
            let mut count = UseCount::default();
            for one in wanted {
                let places = one.occurrences.0.len();
                count.places += places;
                if one.confidence > 0.0 && one.confidence < guess {
                    count.guesses += places;
                }
            }
            if count.places > 0 {
                let of_file = counts.entry(user.file_path).or_default();
                of_file.places += count.places;
                of_file.guesses += count.guesses;
            }
        }
        Ok(counts)
    }

    /// Every use of the targets in some files.
    pub fn uses_in_files(
        &self,
        targets: &[NodeId],
        files: &[&str],
        filter: &UseFilter,
    ) -> Result<Vec<UseRow>, QueryError> {
        let [kinds, min] = filter.given();
        let targets = ("targets", Value::list(targets.iter().copied()));
        let files = ("files", Value::list(files.iter().copied()));
        self.ask("edges/uses_in_files", &[targets, files, kinds, min])
    }

    /// What depends on seeds, transitively: up to `depth` steps, without the uses in `off`, which are
    /// given by source and target.
    pub fn downstream(
        &self,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
        off: &[(NodeId, NodeId)],
    ) -> Result<Vec<ReachedRow>, QueryError> {
        self.walk_uses("edges/downstream", seeds, filter, depth, off, &[("members", false.into())])
    }

    /// [`Self::downstream`] with the items of each impl that depends on something.
    pub fn downstream_with_members(
        &self,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
        off: &[(NodeId, NodeId)],
    ) -> Result<Vec<ReachedRow>, QueryError> {
        let members = ("members", Value::from(true));
        self.walk_uses("edges/downstream", seeds, filter, depth, off, &[members])
    }

    /// What seeds depend on, as [`Self::downstream`].
    pub fn upstream(
        &self,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
        off: &[(NodeId, NodeId)],
    ) -> Result<Vec<ReachedRow>, QueryError> {
        self.walk_uses("edges/upstream", seeds, filter, depth, off, &[])
    }

    fn walk_uses(
        &self,
        program: &str,
        seeds: &[NodeId],
        filter: &UseFilter,
        depth: u32,
        off: &[(NodeId, NodeId)],
        further: &[(&str, Value)],
    ) -> Result<Vec<ReachedRow>, QueryError> {
        let [kinds, min] = filter.given();
        let seeds = ("seeds", Value::list(seeds.iter().copied()));
        let pair = |(source, target): &(NodeId, NodeId)| (format!("{source}{target}"), true.into());
        let off: serde_json::Map<String, serde_json::Value> = off.iter().map(pair).collect();
        let off = if off.is_empty() { Value::Null } else { Value::Json(off.into()) };
        let off = ("off", off);
        let given = [seeds, kinds, min, ("depth", depth.into()), off];
        self.ask(program, &[&given[..], further].concat())
    }

    /// The shortest paths of uses between items, the most certain first.
    pub fn use_paths(
        &self,
        from: &[NodeId],
        to: &[NodeId],
        search: &PathSearch,
    ) -> Result<Vec<UsePathRow>, QueryError> {
        let [kinds, min] = search.uses.given();
        let given = [
            ("from", Value::list(from.iter().copied())),
            ("to", Value::list(to.iter().copied())),
            kinds,
            min,
            ("dispatch", search.dispatch.into()),
            ("depth", search.depth.into()),
            ("limit", search.limit.into()),
        ];
        self.ask("edges/paths", &given)
    }

    /// The lines with uses of targets in sources, the most certain kind first.
    pub fn sites(
        &self,
        sources: &[NodeId],
        targets: &[NodeId],
        kinds: &[RefKind],
    ) -> Result<Vec<SiteRow>, QueryError> {
        let given = [
            ("sources", Value::list(sources.iter().copied())),
            ("targets", Value::list(targets.iter().copied())),
            ("kinds", Value::list(kinds.iter().map(|kind| kind.as_str()))),
        ];
        self.ask("edges/sites", &given)
    }

    /// What may hide a path from some items to others.
    pub fn path_gaps(
        &self,
        from: &[NodeId],
        to: &[NodeId],
        uses: &UseFilter,
    ) -> Result<Vec<PathGapRow>, QueryError> {
        let [kinds, _] = uses.given();
        let from = ("from", Value::list(from.iter().copied()));
        self.ask("edges/path_gaps", &[from, ("to", Value::list(to.iter().copied())), kinds])
    }

    /// Revisions, newest first.
    pub fn log(&self, filter: &LogFilter, limit: i64) -> Result<Vec<Revision>, QueryError> {
        let given = [
            ("since", filter.since.unwrap_or(Micros(i64::MIN)).into()),
            ("until", filter.until.unwrap_or(Micros(i64::MAX)).min(self.time()).into()),
            ("actor", filter.actor.as_deref().into()),
            ("cause", filter.cause.as_deref().into()),
            ("limit", limit.into()),
        ];
        self.ask("history/log", &given)
    }
}
