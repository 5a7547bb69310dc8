//! Dependencies between items, over any number of steps.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use super::direct::{first, use_filter};
use crate::database::{Edge, Snapshot, either};
use crate::error::EngineError;
use crate::items::Texts;
use asof_model::{NodeId, RefKind};
use asof_query::{Queries, QueryError, ReachedRow};
use asof_wire::{
    Direction, ImpactResult, ImpactSummary, ItemRef, LineageRequest, LineageResult, Reached,
    Snippets, Step, Symbol, Tests, UseRequest,
};

/// The best path to an item.
struct Best {
    depth: u32,
    via: NodeId,
    kind: RefKind,
    confidence: f64,
    score: f64,
    /// Condition of the first step on the way to it that the configuration does not have.
    other_condition: Option<String>,
}

/// What a lineage reaches.
struct Ways {
    /// The best path to each item.
    best: HashMap<NodeId, Best>,
    /// The steps of all walks.
    rows: Vec<ReachedRow>,
    /// Those that the configuration does not have.
    off: Off,
}

/// Uses, by source and target, that do not hold in the configuration, with their conditions.
type Off = BTreeMap<(NodeId, NodeId), String>;

/// What is in the items that a change is of.
#[derive(Debug, Default)]
struct Parts {
    /// Each with the item.
    whole: HashMap<NodeId, NodeId>,
}

impl Parts {
    fn load(queries: &Queries<'_>, items: &[NodeId]) -> Result<Self, EngineError> {
        let rows = queries.parts(items)?.into_iter();
        let rows = rows.filter(|row| !items.contains(&row.part));
        Ok(Self { whole: rows.map(|row| (row.part, row.id)).collect() })
    }

    fn ids(&self) -> Vec<NodeId> {
        let mut ids: Vec<NodeId> = self.whole.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// The ways with each part as the item that it is in.
    fn as_one(&self, mut ways: Ways) -> Ways {
        if self.whole.is_empty() {
            return ways;
        }
        let whole = |id: NodeId| self.whole.get(&id).copied().unwrap_or(id);
        let steps = ways.rows.iter().filter_map(|row| Some((row.id, row.via?)));
        let on: BTreeSet<(NodeId, NodeId)> = steps
            .filter(|step| !ways.off.contains_key(step))
            .map(|(source, target)| (source, whole(target)))
            .collect();
        let off = ways.off.into_iter();
        let off = off.map(|((source, target), condition)| ((source, whole(target)), condition));
        ways.off = off.filter(|(step, _)| !on.contains(step)).collect();
        ways.best.values_mut().for_each(|step| step.via = whole(step.via));
        for row in &mut ways.rows {
            row.via = row.via.map(whole);
        }
        ways
    }
}

/// Walks without the uses that were found not to hold. Each finds the next shortest paths, so it
/// ends early.
const MAX_WALKS: usize = 16;

impl Snapshot<'_> {
    /// What depends on symbols, or what they depend on, nearest first. Each item is listed once, by
    /// the most certain of its shortest paths.
    pub fn lineage(
        &self,
        symbols: &[Symbol],
        request: &LineageRequest,
    ) -> Result<LineageResult, EngineError> {
        let (mut result, _) = self.reach(symbols, request, Order::Nearest, Lines::OfNames)?;
        if request.direction.to_dependents() {
            result.certainty = Some(self.certainty(symbols, &request.uses, 0)?);
        }
        Ok(result)
    }

    /// A lineage whose items have no lines: finding the lines of thousands of items takes seconds,
    /// and a graph does not show them.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn lineage_graph(
        &self,
        symbols: &[Symbol],
        request: &LineageRequest,
    ) -> Result<LineageResult, EngineError> {
        Ok(self.reach(symbols, request, Order::Nearest, Lines::Without)?.0)
    }

    /// Only the items of a lineage, without lines.
    pub(crate) fn reached(
        &self,
        symbols: &[Symbol],
        request: &LineageRequest,
    ) -> Result<Vec<Reached>, EngineError> {
        let (result, _) = self.reach(symbols, request, Order::Nearest, Lines::Without)?;
        Ok(result.answer.items)
    }

    /// What a change to these would affect, most likely first. A change of an item may be one of
    /// anything in its text: uses of the fields of a struct, the variants of an enum or the items of
    /// a trait, an impl, a module or a function count as uses of it. An impl that depends on
    /// something passes that on to what is in it, whose `Self` it decides: of
    /// `impl S { fn get(&self) -> u8 { self.x } fn name() -> String }`, a change of `S` affects
    /// `get`, which reads a field, and `name`, which does not, and what calls them. Users of another
    /// type with such a method are not affected, and neither is what only has the type beside it in
    /// a module.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn impact(
        &self,
        symbols: &[Symbol],
        depth: u32,
        uses: &UseRequest,
    ) -> Result<ImpactResult, EngineError> {
        let direction = Direction::Downstream;
        let request = LineageRequest { direction, depth, breadth: None, uses: uses.clone() };
        let (mut lineage, summary) =
            self.reach(symbols, &request, Order::Likeliest, Lines::OfNames)?;
        lineage.certainty = Some(self.certainty(symbols, uses, 0)?);
        Ok(ImpactResult { lineage, summary })
    }

    fn reach(
        &self,
        symbols: &[Symbol],
        request: &LineageRequest,
        order: Order,
        lines: Lines,
    ) -> Result<(LineageResult, ImpactSummary), EngineError> {
        let started = Instant::now();
        let symbol = first(symbols)?;
        let queries = Queries::at(self.store(), self.at);
        let symbols = &if request.direction.to_dependents() {
            self.with_same_text(symbols)?
        } else {
            symbols.to_vec()
        };
        let asked: Vec<NodeId> = symbols.iter().map(|s| s.id).collect();
        let parts = match order {
            Order::Likeliest => Parts::load(&queries, &asked)?,
            Order::Nearest => Parts::default(),
        };
        let seeds: Vec<NodeId> = asked.iter().copied().chain(parts.ids()).collect();
        let filter = use_filter(&request.uses, &request.kinds());
        let walk = |off: &Off| {
            let off: Vec<(NodeId, NodeId)> = off.keys().copied().collect();
            match (request.direction.to_dependents(), order) {
                (false, _) => queries.upstream(&seeds, &filter, request.depth, &off),
                (true, Order::Nearest) => queries.downstream(&seeds, &filter, request.depth, &off),
                (true, Order::Likeliest) => {
                    queries.downstream_with_members(&seeds, &filter, request.depth, &off)
                }
            }
        };
        let ways = parts.as_one(self.best_ways_here(request.direction, walk)?);
        let Ways { best, rows, off } = ways;
        let mut ids: Vec<NodeId> = best.keys().copied().collect();
        ids.sort_unstable();
        let mut shown = self.describe_reached(&queries, symbols, &best, &ids)?;
        if request.uses.tests == Tests::Exclude {
            shown.retain(|item| !item.in_test);
        }
        order.sort(&mut shown);
        shown.sort_by_key(|item| item.other_condition.is_some());
        let other_conditions = shown.iter().filter(|item| item.other_condition.is_some()).count();
        let cut = request.breadth.is_some_and(|breadth| keep_breadth(&mut shown, breadth));
        let summary = summary(&shown);
        let total = shown.len();
        shown.truncate(request.uses.limit.unwrap_or(usize::MAX));
        if lines == Lines::OfNames {
            add_lines(&queries, &mut shown)?;
        }
        if request.uses.snippets == Snippets::Lines {
            let mut texts = Texts::new(self);
            for item in &mut shown {
                if let (Some(file), Some(line)) = (&item.file_path, item.line) {
                    item.snippet = Some(texts.snippet(file, line)?);
                }
            }
        }
        let mut answer = self.answer(started, shown, None);
        answer.truncated = cut || answer.total < total;
        answer.total = total;
        let edges = steps(&rows, &off, &answer.items, &asked, request.direction);
        let result = LineageResult {
            symbol,
            symbols: symbols.to_vec(),
            direction: request.direction,
            answer,
            freshness_state: self.basis.freshness_state,
            edges,
            other_conditions,
            certainty: None,
        };
        Ok((result, summary))
    }

    /// The best path to each item: one that the configuration has, if there is one.
    fn best_ways_here(
        &self,
        direction: Direction,
        walk: impl Fn(&Off) -> Result<Vec<ReachedRow>, QueryError>,
    ) -> Result<Ways, EngineError> {
        let everywhere = walk(&Off::new())?;
        let mut off = self.steps_off(&everywhere, direction)?;
        if off.is_empty() {
            return Ok(Ways { best: best_ways(&everywhere), rows: everywhere, off });
        }
        let mut here = Vec::new();
        for _ in 0..MAX_WALKS {
            here = walk(&off)?;
            let known = off.len();
            off.extend(self.steps_off(&here, direction)?);
            if off.len() == known {
                break;
            }
        }
        let mut best = best_ways(&here);
        let mut others: Vec<(NodeId, Best)> = best_ways(&everywhere).into_iter().collect();
        others.retain(|(id, _)| !best.contains_key(id));
        others.sort_by_key(|(id, step)| (step.depth, *id));
        let mut ways: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for row in &everywhere {
            ways.entry(row.id).or_default().extend(row.via);
        }
        for (id, mut step) in others {
            step.depth = best.get(&step.via).map_or(0, |before| before.depth) + 1;
            // Under the condition of any of its ways.
            let ways = ways.get(&id).into_iter().flatten();
            let conditions = ways.filter_map(|via| {
                let before = best.get(via).and_then(|before| before.other_condition.as_ref());
                before.or_else(|| off.get(&pair(direction, id, *via)))
            });
            step.other_condition = either(conditions);
            best.insert(id, step);
        }
        here.extend(everywhere);
        Ok(Ways { best, rows: here, off })
    }

    /// The steps all of whose uses the configuration does not have.
    fn steps_off(&self, rows: &[ReachedRow], direction: Direction) -> Result<Off, EngineError> {
        let steps = rows.iter().filter_map(|row| {
            let (source, target) = pair(direction, row.id, row.via?);
            Some(Edge { source, target, condition: row.condition.as_deref() })
        });
        let mut off = Off::new();
        let mut on = BTreeSet::new();
        for (edge, other) in steps.clone().zip(self.other_conditions(steps)?) {
            let pair = (edge.source, edge.target);
            match other {
                Some(condition) if !on.contains(&pair) => drop(off.insert(pair, condition)),
                Some(_) => {}
                None => {
                    on.insert(pair);
                    off.remove(&pair);
                }
            }
        }
        Ok(off)
    }

    fn describe_reached(
        &self,
        queries: &Queries<'_>,
        symbols: &[Symbol],
        best: &HashMap<NodeId, Best>,
        ids: &[NodeId],
    ) -> Result<Vec<Reached>, EngineError> {
        /// File and whether it is test code, for an item of the workspace.
        type Defined = Option<(String, bool)>;
        let mut found: BTreeMap<NodeId, (ItemRef, Defined)> = BTreeMap::new();
        for row in queries.target_names(ids)? {
            let defined = row.file_path.map(|file| (file, row.in_test));
            let item = match defined {
                Some(_) => ItemRef { id: row.id, kind: row.kind, name: row.name, path: row.path },
                None => {
                    let external = row.kind == "external";
                    let Symbol { id, kind, name, path, .. } =
                        Symbol::external(row.id, row.path, external);
                    ItemRef { id, kind, name, path }
                }
            };
            found.insert(item.id, (item, defined));
        }
        let seeds: HashMap<NodeId, &str> =
            symbols.iter().map(|s| (s.id, s.path.as_str())).collect();
        let way = |id: NodeId| {
            let mut path = Vec::new();
            let mut at = id;
            while let Some(step) = best.get(&at) {
                path.push(found.get(&at).map_or(String::new(), |(item, _)| item.path.clone()));
                at = step.via;
            }
            path.push(seeds.get(&at).map_or(String::new(), |path| (*path).to_owned()));
            path.reverse();
            path
        };
        let mut shown = Vec::with_capacity(ids.len());
        for id in ids {
            let (Some(step), Some((item, defined))) = (best.get(id), found.get(id)) else {
                continue;
            };
            shown.push(Reached {
                depth: step.depth,
                item: item.clone(),
                file_path: defined.as_ref().map(|(file, _)| file.clone()),
                line: None,
                use_kind: step.kind,
                confidence: step.confidence,
                score: step.score,
                via: step.via,
                route: way(*id),
                other_condition: step.other_condition.clone(),
                external: defined.is_none(),
                in_test: defined.as_ref().is_some_and(|(_, in_test)| *in_test),
                snippet: None,
            });
        }
        Ok(shown)
    }
}

/// The lines of the names of items of the workspace.
pub(super) fn add_lines(queries: &Queries<'_>, items: &mut [Reached]) -> Result<(), EngineError> {
    let ids: Vec<NodeId> =
        items.iter().filter(|one| !one.external).map(|one| one.item.id).collect();
    let lines = queries.describe(&ids)?.into_iter().map(|row| (row.id, row.name_line));
    let lines: HashMap<NodeId, u32> = lines.collect();
    for item in items {
        item.line = lines.get(&item.item.id).copied();
    }
    Ok(())
}

/// Whether the items of a lineage have the lines of their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    OfNames,
    Without,
}

/// Order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Nearest,
    /// Test code after the rest.
    Likeliest,
}

impl Order {
    fn sort(self, items: &mut [Reached]) {
        items.sort_by(|a, b| {
            let score = b.score.total_cmp(&a.score);
            let tie = || (a.item.path.as_str(), a.item.id).cmp(&(b.item.path.as_str(), b.item.id));
            match self {
                Self::Nearest => a.depth.cmp(&b.depth).then(score).then_with(tie),
                Self::Likeliest => {
                    a.in_test.cmp(&b.in_test).then(score).then(a.depth.cmp(&b.depth)).then_with(tie)
                }
            }
        });
    }
}

/// The most certain of the shortest paths to each item. Rows are sorted nearest first, so that the
/// score of the previous step is known.
fn best_ways(rows: &[ReachedRow]) -> HashMap<NodeId, Best> {
    let mut best: HashMap<NodeId, Best> = HashMap::new();
    for row in rows {
        let (Some(via), Some(kind), Some(confidence)) = (row.via, row.use_kind, row.confidence)
        else {
            continue;
        };
        let before = best.get(&via).map_or(2.0, |step| step.score);
        let score = before * confidence / 2.0;
        let known = best.get(&row.id);
        let better = known.is_none_or(|known| {
            score.total_cmp(&known.score).then_with(|| (known.via, known.kind).cmp(&(via, kind)))
                == std::cmp::Ordering::Greater
        });
        if better {
            let other_condition = None;
            let depth = row.depth;
            best.insert(row.id, Best { depth, via, kind, confidence, score, other_condition });
        }
    }
    best
}

/// Keeps at most this many items below each one, and nothing below dropped ones. Returns whether
/// any was dropped.
fn keep_breadth(items: &mut Vec<Reached>, breadth: usize) -> bool {
    let before = items.len();
    let mut below: HashMap<NodeId, usize> = HashMap::new();
    let mut gone: BTreeSet<NodeId> = BTreeSet::new();
    // The previous item is nearer, but may be listed later in an order by likelihood.
    let mut by_depth: Vec<&Reached> = items.iter().collect();
    by_depth.sort_by_key(|item| item.depth);
    for item in by_depth {
        let count = below.entry(item.via).or_default();
        *count += 1;
        if *count > breadth || gone.contains(&item.via) {
            gone.insert(item.item.id);
        }
    }
    items.retain(|item| !gone.contains(&item.item.id));
    items.len() < before
}

/// Source and target of the step between an item and the one before it.
pub(super) fn pair(direction: Direction, id: NodeId, via: NodeId) -> (NodeId, NodeId) {
    if direction.to_dependents() { (id, via) } else { (via, id) }
}

fn steps(
    rows: &[ReachedRow],
    off: &Off,
    shown: &[Reached],
    seeds: &[NodeId],
    direction: Direction,
) -> Vec<Step> {
    let inside: BTreeSet<NodeId> =
        shown.iter().map(|item| item.item.id).chain(seeds.iter().copied()).collect();
    let mut steps = Vec::new();
    let mut seen = BTreeSet::new();
    for row in rows {
        let (Some(via), Some(kind), Some(confidence)) = (row.via, row.use_kind, row.confidence)
        else {
            continue;
        };
        if !inside.contains(&via) || !inside.contains(&row.id) {
            continue;
        }
        let (source, target) = pair(direction, row.id, via);
        let other_condition = off.get(&(source, target)).cloned();
        let step = Step { source, target, use_kind: kind, confidence, other_condition };
        // Several walks find the same step.
        if off.is_empty() || seen.insert((source, target, kind, confidence.to_bits())) {
            steps.push(step);
        }
    }
    steps
}

fn summary(items: &[Reached]) -> ImpactSummary {
    ImpactSummary {
        direct: items.iter().filter(|item| item.depth == 1).count(),
        transitive: items.iter().filter(|item| item.depth > 1).count(),
        in_tests: items.iter().filter(|item| item.in_test).count(),
        files: items.iter().filter_map(|i| i.file_path.as_ref()).collect::<BTreeSet<_>>().len(),
        deepest: items.iter().map(|item| item.depth).max().unwrap_or_default(),
    }
}
