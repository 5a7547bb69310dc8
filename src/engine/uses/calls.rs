//! Callers and callees of an item with the places of the calls, and paths of uses between items.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::direct::{GUESS, first};
use super::lineage::{add_lines, pair};
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::Texts;
use asof_model::{NodeId, OrNever, RefKind};
use asof_query::{PathSearch, Queries, SiteRow, UseFilter, UsePathRow};
use asof_wire::{
    Call, CallsResult, Direction, Guesses, ItemRef, LineageRequest, PathGap, PathRequest,
    PathResult, PathStep, Reached, Site, Snippets, Symbol, Tests, UsePath, UseRequest,
};

/// Maximum number of gaps in an answer.
const MAX_GAPS: usize = 20;

const IMPLICIT: &str = "trait methods that may be called without being named";
const GENERATED: &str = "calls of functions that a macro may define";

impl Snapshot<'_> {
    /// Callers or callees: the lineage by calls, up to `depth` steps, with the place of each call.
    /// Items reached only through guesses are counted apart.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn calls(
        &self,
        symbols: &[Symbol],
        direction: Direction,
        depth: u32,
        uses: &UseRequest,
    ) -> Result<CallsResult, EngineError> {
        let started = Instant::now();
        let symbols =
            &if direction.to_dependents() { self.asked(symbols, uses)? } else { symbols.to_vec() };
        let all = UseRequest { limit: None, guesses: Guesses::Show, ..uses.clone() };
        let sure = UseRequest { min_confidence: uses.min_confidence.max(GUESS), ..all.clone() };
        let ask = |uses: &UseRequest| {
            let uses = uses.clone();
            self.reached(symbols, &LineageRequest { direction, depth, breadth: None, uses })
        };
        let mut items = ask(&sure)?;
        let known: BTreeSet<NodeId> = items.iter().map(|item| item.item.id).collect();
        let mut guessed = if sure == all { Vec::new() } else { ask(&all)? };
        guessed.retain(|item| !known.contains(&item.item.id));
        for call in self.calls_among(symbols, direction, uses)? {
            let is_sure = call.confidence >= sure.min_confidence;
            if is_sure { items.push(call) } else { guessed.push(call) }
        }
        items.sort_by_key(|item| item.depth);
        let (guesses, guesses_left_out) = match uses.guesses {
            Guesses::Show => {
                let here = guessed.iter().filter(|item| item.other_condition.is_none()).count();
                items.extend(guessed);
                (here, 0)
            }
            Guesses::LeaveOut => (guessed.len(), guessed.len()),
        };
        items.sort_by_key(|item| item.other_condition.is_some());
        let other_conditions = items.iter().filter(|item| item.other_condition.is_some()).count();
        let pair = |item: &Reached| pair(direction, item.item.id, item.via);
        let kinds = if uses.use_kinds.is_empty() { RefKind::CALLS } else { &uses.use_kinds };
        let queries = Queries::at(self.store(), self.at);
        let total = items.len();
        items.truncate(uses.limit.unwrap_or(usize::MAX));
        add_lines(&queries, &mut items)?;
        let rows = self.sites(&queries, &items.iter().map(pair).collect(), kinds)?;
        let mut texts = Texts::new(self);
        let mut calls = Vec::with_capacity(items.len());
        for reached in items {
            let mut sites = Vec::new();
            for row in rows.get(&pair(&reached)).map_or(&[][..], Vec::as_slice) {
                let mut site = site(row);
                if uses.snippets == Snippets::Lines {
                    site.snippet = Some(texts.snippet(&site.file_path, site.line)?);
                }
                sites.push(site);
            }
            let mut sites = sites.into_iter();
            calls.push(Call { reached, site: sites.next(), more_sites: sites.collect() });
        }
        let certainty = if !direction.to_dependents() {
            None
        } else {
            let known = self.certainty_of_calls(symbols, &all, guesses_left_out)?;
            let calls = UseRequest { use_kinds: kinds.to_vec(), ..uses.clone() };
            Some(self.with_implementations_counted(symbols, &calls, known)?)
        };
        let mut answer = self.answer(started, calls, None);
        answer.truncated = answer.total < total;
        answer.total = total;
        Ok(CallsResult {
            symbol: first(symbols)?,
            symbols: symbols.to_vec(),
            direction,
            answer,
            guesses,
            guesses_left_out,
            other_conditions,
            certainty,
        })
    }

    /// The calls of a symbol by itself or by another one of them: what is recursive calls itself.
    fn calls_among(
        &self,
        symbols: &[Symbol],
        direction: Direction,
        uses: &UseRequest,
    ) -> Result<Vec<Reached>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let kinds = if uses.use_kinds.is_empty() { RefKind::CALLS } else { &uses.use_kinds };
        let mut found: Vec<Reached> = Vec::new();
        for row in queries.sites(&ids, &ids, kinds)? {
            let (id, via) = if direction.to_dependents() {
                (row.source, row.target)
            } else {
                (row.target, row.source)
            };
            let of = |id: NodeId| symbols.iter().find(|symbol| symbol.id == id);
            let (Some(symbol), Some(other)) = (of(id), of(via)) else { continue };
            let is_known = found.iter().any(|one| (one.item.id, one.via) == (id, via));
            if is_known || row.confidence < uses.min_confidence {
                continue;
            }
            found.push(Reached {
                depth: 1,
                item: ItemRef {
                    id,
                    kind: symbol.kind.clone(),
                    name: symbol.name.clone(),
                    path: symbol.path.clone(),
                },
                file_path: symbol.file_path.clone(),
                line: None,
                use_kind: row.use_kind,
                confidence: row.confidence,
                score: row.confidence,
                via,
                route: vec![other.path.clone(), symbol.path.clone()],
                other_condition: None,
                external: symbol.external,
                in_test: false,
                snippet: None,
            });
        }
        if uses.tests == Tests::Exclude {
            let tests: BTreeSet<NodeId> = queries
                .describe(&ids)?
                .iter()
                .filter(|one| one.in_test)
                .map(|one| one.id)
                .collect();
            found.retain(|one| !tests.contains(&one.item.id));
        }
        Ok(found)
    }

    /// The items of traits that these symbols implement, with the number of their calls: each of them
    /// may be one of the symbol, by `dyn` or a type parameter.
    ///
    /// # Errors
    /// The database failed.
    pub fn calls_by_trait(&self, symbols: &[Symbol]) -> Result<Vec<(String, usize)>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> = symbols.iter().map(|symbol| symbol.id).collect();
        let refs = queries.uses_of(&ids)?.into_iter().flat_map(|row| row.refs);
        let declared: BTreeSet<NodeId> =
            refs.filter(|one| one.kind == RefKind::Overrides).map(|one| one.target).collect();
        let mut found = Vec::new();
        for item in self.items(&declared.into_iter().collect::<Vec<_>>())? {
            let filter = UseFilter { kinds: RefKind::CALLS.to_vec(), min_confidence: GUESS };
            let counts = queries.use_counts(&[item.id], &filter, GUESS)?;
            let calls = counts.values().map(|count| count.places).sum();
            found.push((Symbol::from(&item).path, calls));
        }
        found.retain(|(_, calls)| *calls > 0);
        Ok(found)
    }

    /// The shortest paths of uses from any of `from` to any of `to`, most certain first. If there
    /// is no certain path, guesses and trait dispatch are followed too.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn use_paths(
        &self,
        from: &[Symbol],
        to: &[Symbol],
        request: &PathRequest,
    ) -> Result<PathResult, EngineError> {
        let started = Instant::now();
        let (start, goal) = (first(from)?, first(to)?);
        let (from, to) = (&self.with_same_text(from)?, &self.with_same_text(to)?);
        let ids = |symbols: &[Symbol]| symbols.iter().map(|s| s.id).collect::<Vec<NodeId>>();
        let (from_ids, to_ids) = (ids(from), ids(to));
        if from_ids.iter().any(|id| to_ids.contains(id)) {
            return Err(EngineError::BadRequest {
                what: format!("`{}` and `{}` are the same item", start.path, goal.path),
                hint: "give two different items".into(),
            });
        }
        let kinds = match request.use_kinds.as_slice() {
            [] => RefKind::CALLS.to_vec(),
            kinds => kinds.to_vec(),
        };
        let queries = Queries::at(self.store(), self.at);
        let search = |min_confidence, dispatch| PathSearch {
            uses: UseFilter { kinds: kinds.clone(), min_confidence },
            dispatch,
            depth: request.depth,
            limit: request.limit.saturating_add(1),
        };
        let mut rows = queries.use_paths(&from_ids, &to_ids, &search(GUESS, false))?;
        let sure = !rows.is_empty();
        if !sure {
            rows = queries.use_paths(&from_ids, &to_ids, &search(0.01, true))?;
        }
        let paths = self.steps(&queries, rows, &kinds, sure)?;
        let (mut gaps, mut reason) = (Vec::new(), None);
        if paths.is_empty() {
            gaps = self.path_gaps(&queries, &from_ids, &to_ids, &kinds)?;
            reason = self.why_not_proven(&queries, &gaps, request)?;
            gaps.retain(|gap| gap.reason != "farther");
            gaps.truncate(MAX_GAPS);
        }
        Ok(PathResult {
            from: from.clone(),
            to: to.clone(),
            proven: paths.is_empty() && reason.is_none(),
            answer: self.answer(started, paths, Some(request.limit as usize)),
            gaps,
            reason,
        })
    }

    /// The paths with the details of their steps.
    fn steps(
        &self,
        queries: &Queries<'_>,
        rows: Vec<UsePathRow>,
        kinds: &[RefKind],
        sure: bool,
    ) -> Result<Vec<UsePath>, EngineError> {
        let ids: BTreeSet<NodeId> = rows.iter().flat_map(|row| row.path.iter().copied()).collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let mut symbols: BTreeMap<NodeId, Symbol> =
            self.items(&ids)?.iter().map(|item| (item.id, Symbol::from(item))).collect();
        for row in Queries::external(self.store(), &ids)? {
            symbols.insert(row.id, Symbol::external(row.id, row.text, row.external));
        }
        let pairs = rows.iter().flat_map(|row| row.path.windows(2));
        let pairs = pairs.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))).collect();
        let sites = self.sites(queries, &pairs, kinds)?;
        let mut paths = Vec::with_capacity(rows.len());
        for row in rows {
            let mut steps = Vec::new();
            for pair in row.path.windows(2) {
                let [source, target] = pair else { continue };
                let (Some(from), Some(to)) = (symbols.get(source), symbols.get(target)) else {
                    continue;
                };
                let used = sites.get(&(*source, *target)).and_then(|rows| rows.first());
                steps.push(PathStep {
                    source: from.clone(),
                    target: to.clone(),
                    use_kind: used.map_or("dispatch", |used| used.use_kind.as_str()).to_owned(),
                    confidence: used.map(|used| used.confidence),
                    site: used.map(site),
                });
            }
            paths.push(UsePath { sure, steps });
        }
        Ok(paths)
    }

    /// The uses of each target by its source, a line once, the most certain first.
    fn sites(
        &self,
        queries: &Queries<'_>,
        pairs: &BTreeSet<(NodeId, NodeId)>,
        kinds: &[RefKind],
    ) -> Result<BTreeMap<(NodeId, NodeId), Vec<SiteRow>>, EngineError> {
        let sources: BTreeSet<NodeId> = pairs.iter().map(|(source, _)| *source).collect();
        let targets: BTreeSet<NodeId> = pairs.iter().map(|(_, target)| *target).collect();
        let (sources, targets): (Vec<_>, Vec<_>) =
            (sources.into_iter().collect(), targets.into_iter().collect());
        let mut sites: BTreeMap<_, Vec<SiteRow>> = BTreeMap::new();
        for row in queries.sites(&sources, &targets, kinds)? {
            let rows = sites.entry((row.source, row.target)).or_default();
            if rows.iter().all(|known| known.line != row.line) {
                rows.push(row);
            }
        }
        Ok(sites)
    }

    fn path_gaps(
        &self,
        queries: &Queries<'_>,
        from: &[NodeId],
        to: &[NodeId],
        kinds: &[RefKind],
    ) -> Result<Vec<PathGap>, EngineError> {
        let uses = UseFilter { kinds: kinds.to_vec(), min_confidence: 0.0 };
        let rows = queries.path_gaps(from, to, &uses)?;
        let ids: BTreeSet<NodeId> = rows.iter().map(|row| row.source).collect();
        let items = self.items(&ids.into_iter().collect::<Vec<_>>())?;
        let paths: BTreeMap<NodeId, String> =
            items.iter().map(|item| (item.id, Symbol::from(item).path)).collect();
        let gaps = rows.into_iter().map(|row| PathGap {
            source: paths.get(&row.source).cloned().or_never("a use is in an item"),
            reason: row.reason,
            text: row.text,
        });
        Ok(gaps.collect())
    }

    fn why_not_proven(
        &self,
        queries: &Queries<'_>,
        gaps: &[PathGap],
        request: &PathRequest,
    ) -> Result<Option<String>, EngineError> {
        let of = |reason: &str| gaps.iter().filter(|gap| gap.reason == reason).count();
        if of("farther") > 0 {
            return Ok(Some(format!(
                "there is a path, longer than the limit of {}",
                request.depth
            )));
        }
        let mut parts = Vec::new();
        for (reason, one, many) in [
            ("unresolved", "use that is not resolved", "uses that are not resolved"),
            ("value", "function that is passed as a value", "functions that are passed as values"),
            ("mention", "name in a macro", "names in macros"),
            ("implicit", "trait method that may be called without being named", IMPLICIT),
            ("generated", "call of a function that a macro may define", GENERATED),
        ] {
            match of(reason) {
                0 => {}
                1 => parts.push(format!("1 {one}")),
                n => parts.push(format!("{n} {many}")),
            }
        }
        if !parts.is_empty() {
            return Ok(Some(format!("{} may be part of a path", parts.join(", "))));
        }
        let partial = queries.partial_files()?;
        Ok(partial
            .first()
            .map(|file| format!("`{file}` does not parse: its uses are not all known")))
    }
}

fn site(used: &SiteRow) -> Site {
    Site { file_path: used.file_path.clone(), line: used.line, snippet: None }
}
