//! What depends on an item, or what it depends on, as a graph by distance; also what appeared and
//! vanished since another moment.

use std::collections::{BTreeMap, BTreeSet};

use asof_engine::{EngineError, Snapshot};
use asof_model::NodeId;
use asof_model::{ErrorKind, Hint};
use asof_wire::{Direction, LineageRequest, LineageResult, ResolveRequest, Symbol, UseRequest};
use maud::{Markup, html};

use crate::address::{Links, encoded};
use crate::graph::{Edge, Fate, Graph, Node};
use crate::versions::Versions;
use crate::visit::{Content, Visit};
use crate::{layout, parts, time_bar};
use asof_surface::problem::Problem;

/// Nodes of a view at most.
const NODES: usize = 300;
/// Items that are read; those beyond the nodes of a view are collapsed by module.
const ITEMS: usize = 5_000;
/// Lines between the boxes of a view at most; more cannot be told apart.
const EDGES: usize = 600;
const DEPTH: usize = 3;

/// The graphs: name in the address, direction, title.
const KINDS: &[(&str, Direction, &str)] = &[
    ("impact", Direction::Downstream, "What a change may affect"),
    ("upstream", Direction::Upstream, "What it depends on"),
    ("callers", Direction::Callers, "What calls it"),
    ("callees", Direction::Callees, "What it calls"),
];

pub fn page(visit: &Visit<'_>, rest: &str) -> Result<Content, Problem> {
    let (kind, path) = rest.split_once('/').unwrap_or((rest, ""));
    let Some((_, direction, said)) = KINDS.iter().find(|(name, _, _)| *name == kind) else {
        let hint = Hint::advice("the graphs are impact, upstream, callers, callees and modules");
        return Err(Problem::new(ErrorKind::NoMatch, format!("no graph `{kind}`"), hint));
    };
    let depth = visit.request.number("depth").unwrap_or(DEPTH).clamp(1, 64);
    let symbols = match visit.snapshot.symbols(&ResolveRequest::new(path)) {
        Ok(symbols) => symbols,
        Err(error) if error.kind() == ErrorKind::NoMatch => {
            return elsewhere(visit, kind, path, error);
        }
        Err(error) => return Err(error.into()),
    };
    let found = lineage(visit.snapshot, &symbols, *direction, depth)?;
    let since = visit.request.get("since").map(|text| visit.moment(text)).transpose()?;
    let earlier = match &since {
        Some(since) => earlier(since, path, *direction, depth)?,
        None => None,
    };
    let wanted = visit.request.get("group") == Some("module");
    let all = Parts::new(&found, earlier.as_ref());
    let grouped = wanted || all.items.len() > NODES;
    let links = visit.links();
    let mut graph = if grouped { all.by_module(&links) } else { all.by_item(&links) };
    let versions = Versions::load(visit, path, None)?;
    let bar = time_bar::bar(visit, &versions.here_for(visit, kind, path))?;
    let room = layout::room(&bar);
    let list = list(&found, room / 5, &links);
    let left_out = cut(&mut graph, room.saturating_sub(list.0.len()));
    let title = format!("{said}: {path}");
    let main = html! {
        nav .path aria-label="Path" { a href=(links.item(path)) { (path) } }
        h1 { (said) }
        (form(visit, kind, path, depth, wanted))
        p .facts {
            (parts::count(found.answer.total, "item")) " within " (parts::count(depth, "step"))
            @if grouped { ", by module" @if !wanted { " because they are more than " (NODES) } }
            @if found.answer.truncated { "; only the nearest " (found.answer.items.len()) " are counted" }
            @if left_out > 0 { "; " (parts::count(left_out, "line or box")) " left out" }
            "."
            @if since.is_some() && earlier.is_none() { " The item did not exist then." }
            (parts::other_sources(visit, since.as_ref())?)
            @if earlier.is_some() { " " span .appeared { "+ appeared" } " " span .vanished { "− vanished" } " since then." }
        }
        (graph.svg(&title))
        (list)
    };
    layout::page_under(visit, &title, &bar, &main)
}

/// The graph of an item that has another path at this moment, or does not exist then.
fn elsewhere(
    visit: &Visit<'_>,
    kind: &str,
    path: &str,
    error: EngineError,
) -> Result<Content, Problem> {
    let versions = Versions::load(visit, path, None)?;
    if versions.0.is_empty() {
        return Err(error.into());
    }
    let then = versions.at(visit.snapshot.at()).and_then(|index| versions.0.get(index));
    if let Some(then) = then.filter(|then| then.to.is_none() && then.path != path) {
        let query: Vec<(&str, &str)> =
            visit.request.query.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        let page = format!("/graph/{kind}/{}", encoded(&then.path));
        return Ok(Content::Redirect(visit.links().with(&page, &query)));
    }
    let main = html! {
        nav .path aria-label="Path" { a href=(visit.links().item(path)) { (path) } }
        h1 { code { (path) } }
        p .problem role="alert" { "This item does not exist at this moment. The marks above are where it changed." }
    };
    layout::page(visit, path, &versions.here_for(visit, kind, path), &main)
}

fn lineage(
    snapshot: &Snapshot<'_>,
    symbols: &[Symbol],
    direction: Direction,
    depth: usize,
) -> Result<LineageResult, EngineError> {
    let uses = UseRequest { limit: Some(ITEMS), min_confidence: 0.5, ..UseRequest::default() };
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    snapshot.lineage_graph(symbols, &LineageRequest { direction, depth, breadth: None, uses })
}

/// The same at an earlier moment; none if the item did not exist.
fn earlier(
    since: &Snapshot<'_>,
    path: &str,
    direction: Direction,
    depth: usize,
) -> Result<Option<LineageResult>, Problem> {
    match since.symbols(&ResolveRequest::new(path)) {
        Ok(symbols) => Ok(Some(lineage(since, &symbols, direction, depth)?)),
        Err(error) if error.kind() == ErrorKind::NoMatch => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn form(visit: &Visit<'_>, kind: &str, path: &str, depth: usize, grouped: bool) -> Markup {
    let links = visit.links();
    let page = |kind: &str| links.to(&format!("/graph/{kind}/{}", encoded(path)));
    html! {
        nav .kinds aria-label="Graphs" {
            @for (name, _, said) in KINDS { a href=(page(name)) aria-current=[(*name == kind).then_some("page")] { (said) } " " }
        }
        form .filter {
            label { "Steps " input type="number" name="depth" min="1" max="64" value=(depth); }
            label { " compared with " input name="since" value=[visit.request.get("since")] placeholder="moment"; }
            label { " " input type="checkbox" name="group" value="module" checked[grouped]; " by module" }
            @if let Some(at) = links.at() { input type="hidden" name="at" value=(at); }
            " " button { "Show" }
        }
    }
}

/// An item of either moment.
struct Part {
    path: String,
    kind: String,
    module: String,
    depth: u32,
    external: bool,
    fate: Fate,
}

/// Items and lines of both moments.
#[derive(Default)]
struct Parts {
    items: BTreeMap<NodeId, Part>,
    edges: BTreeMap<(NodeId, NodeId), (Fate, BTreeSet<&'static str>)>,
}

impl Parts {
    fn new(now: &LineageResult, earlier: Option<&LineageResult>) -> Self {
        let mut all = Self::default();
        all.add(now, if earlier.is_some() { Fate::Appeared } else { Fate::Same });
        if let Some(earlier) = earlier {
            all.add(earlier, Fate::Vanished);
        }
        all
    }

    /// What is there already, of the later moment, is at both.
    fn add(&mut self, found: &LineageResult, fate: Fate) {
        let mut item = |id: NodeId, part: Part| {
            self.items.entry(id).and_modify(|known| known.fate = Fate::Same).or_insert(part);
        };
        for symbol in &found.symbols {
            item(
                symbol.id,
                Part {
                    path: symbol.path.clone(),
                    kind: symbol.kind.clone(),
                    module: symbol.file_path.clone().unwrap_or_else(|| outside(&symbol.path)),
                    depth: 0,
                    external: symbol.external,
                    fate,
                },
            );
        }
        for one in &found.answer.items {
            item(
                one.item.id,
                Part {
                    path: one.item.path.clone(),
                    kind: one.item.kind.clone(),
                    module: one.file_path.clone().unwrap_or_else(|| outside(&one.item.path)),
                    depth: one.depth,
                    external: one.external,
                    fate,
                },
            );
        }
        let known: BTreeSet<(NodeId, NodeId)> = self.edges.keys().copied().collect();
        for step in &found.edges {
            let pair = (step.source, step.target);
            let edge = self.edges.entry(pair).or_insert_with(|| (fate, BTreeSet::new()));
            if known.contains(&pair) {
                edge.0 = Fate::Same;
            }
            edge.1.insert(step.use_kind.as_str());
        }
    }

    fn by_item(&self, links: &Links) -> Graph {
        let index: BTreeMap<NodeId, usize> =
            self.items.keys().enumerate().map(|(at, id)| (*id, at)).collect();
        let nodes = self.items.iter().map(|(id, part)| Node {
            label: part.path.clone(),
            note: part.kind.replace('_', " "),
            href: if part.path.contains("::") || part.external {
                links.item(&part.path)
            } else {
                links.item_by_id(&part.path, *id)
            },
            column: part.depth,
            fate: part.fate,
        });
        let edges = self.edges.iter().filter_map(|((from, to), (fate, kinds))| {
            let kinds: Vec<&str> = kinds.iter().copied().collect();
            Some(Edge {
                from: *index.get(from)?,
                to: *index.get(to)?,
                note: kinds.join(", "),
                fate: *fate,
            })
        });
        Graph { nodes: nodes.collect(), edges: edges.collect() }
    }

    /// One box for each module: a file, or another crate.
    fn by_module(&self, links: &Links) -> Graph {
        let mut modules: BTreeMap<&str, (u32, usize, Fate)> = BTreeMap::new();
        for part in self.items.values() {
            let module = modules.entry(&part.module).or_insert((part.depth, 0, part.fate));
            module.0 = module.0.min(part.depth);
            module.1 += 1;
            if module.2 != part.fate {
                module.2 = Fate::Same;
            }
        }
        let index: BTreeMap<&str, usize> =
            modules.keys().enumerate().map(|(at, module)| (*module, at)).collect();
        let place = |id: &NodeId| index.get(self.items.get(id)?.module.as_str()).copied();
        let mut between: BTreeMap<(usize, usize), (Fate, usize)> = BTreeMap::new();
        for ((from, to), (fate, _)) in &self.edges {
            let (Some(from), Some(to)) = (place(from), place(to)) else { continue };
            if from != to {
                let edge = between.entry((from, to)).or_insert((*fate, 0));
                edge.1 += 1;
                if edge.0 != *fate {
                    edge.0 = Fate::Same;
                }
            }
        }
        let nodes = modules.iter().map(|(module, (depth, items, fate))| Node {
            label: (*module).to_owned(),
            note: parts::count(*items, "item"),
            href: if module.ends_with(".rs") { links.file(module) } else { links.item(module) },
            column: *depth,
            fate: *fate,
        });
        let edges = between.into_iter().map(|((from, to), (fate, uses))| Edge {
            from,
            to,
            note: parts::count(uses, "use"),
            fate,
        });
        Graph { nodes: nodes.collect(), edges: edges.collect() }
    }
}

/// The crate of a name that the workspace does not define.
fn outside(path: &str) -> String {
    path.split("::").next().unwrap_or(path).to_owned()
}

/// Leaves out the farthest boxes and then lines, beyond what a view and `room` bytes hold; says how
/// many.
fn cut(graph: &mut Graph, room: usize) -> usize {
    let mut left_out = 0;
    let longest = graph.nodes.iter().map(Node::bytes).max().unwrap_or(1);
    let most = (room * 2 / 3 / longest).clamp(1, NODES);
    if graph.nodes.len() > most {
        let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
        order.sort_by_key(|at| graph.nodes.get(*at).map(|node| node.column));
        let kept: BTreeMap<usize, usize> =
            order.into_iter().take(most).enumerate().map(|(new, old)| (old, new)).collect();
        left_out += graph.nodes.len() - most;
        let mut nodes: Vec<(usize, Node)> = std::mem::take(&mut graph.nodes)
            .into_iter()
            .enumerate()
            .filter_map(|(old, node)| Some((*kept.get(&old)?, node)))
            .collect();
        nodes.sort_by_key(|(new, _)| *new);
        graph.nodes = nodes.into_iter().map(|(_, node)| node).collect();
        graph.edges.retain_mut(|edge| match (kept.get(&edge.from), kept.get(&edge.to)) {
            (Some(from), Some(to)) => {
                (edge.from, edge.to) = (*from, *to);
                true
            }
            _ => false,
        });
    }
    let nodes: usize = graph.nodes.iter().map(Node::bytes).sum();
    let mut left = room.saturating_sub(nodes);
    let fits = |edge: &&Edge| {
        let before = left;
        left = left.saturating_sub(edge.bytes());
        before >= edge.bytes()
    };
    let edges = graph.edges.iter().take(EDGES).take_while(fits).count();
    left_out += graph.edges.len() - edges;
    graph.edges.truncate(edges);
    left_out
}

/// The nearest items as text, which says the same without a picture.
fn list(found: &LineageResult, room: usize, links: &Links) -> Markup {
    let shown = found.answer.items.iter().take(100).map(|one| html! { li {
        (one.depth) " " (parts::kind(&one.item.kind)) " "
        a href=(links.item_or_id((one.item.path.contains("::") || one.external).then_some(one.item.path.as_str()), &one.item.path, one.item.id)) { (one.item.path) }
        " " span .class { (one.use_kind.as_str().replace('_', " ")) }
        (parts::confidence(one.confidence))
        (parts::under(one.other_condition.as_deref()))
    } });
    let shown = parts::fitting(shown, room);
    html! {
        details {
            summary { "As a list" }
            ol .uses { @for one in &shown { (one) } }
            @if found.answer.total > shown.len() { p { "… and " (found.answer.total - shown.len()) " more" } }
        }
    }
}
