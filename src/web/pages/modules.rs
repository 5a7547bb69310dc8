//! Which modules depend on which others, as a matrix, with those in a circle marked.

use std::collections::{BTreeMap, BTreeSet};

use asof_wire::ModuleGraph;
use maud::{Markup, html};

use crate::address::Links;
use crate::visit::{Content, Visit};
use crate::{layout, parts};
use asof_surface::problem::Problem;

/// Rows and columns of a matrix at most.
const SHOWN: usize = 40;
/// Less certain uses do not count.
const CONFIDENCE: f64 = 0.5;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let links = visit.links();
    let graph = visit.snapshot.module_graph(CONFIDENCE)?;
    let below = visit.request.get("below").unwrap_or_default();
    let groups = Groups::new(&graph, below);
    let cycles: BTreeSet<usize> = graph.modules.iter().filter_map(|module| module.cycle).collect();
    let since = visit.request.get("since").map(|text| visit.moment(text)).transpose()?;
    let earlier = match &since {
        Some(since) => Some(pairs(&since.module_graph(CONFIDENCE)?)),
        None => None,
    };
    let main = html! {
        h1 { "Modules" @if !below.is_empty() { " of " code { (below) } } }
        p {
            (parts::count(graph.modules.len(), "module")) ", " (parts::count(graph.edges.len(), "dependency").replace("dependencys", "dependencies")) ", "
            (parts::count(cycles.len(), "cycle")) ". A row uses the columns; the figure counts pairs of items. "
            @if !below.is_empty() { a href=(links.to("/graph/modules")) { "All crates" } }
        }
        form .filter action="/graph/modules" {
            label { "Compared with " input name="since" value=[visit.request.get("since")] placeholder="moment"; }
            @if !below.is_empty() { input type="hidden" name="below" value=(below); }
            @if let Some(at) = links.at() { input type="hidden" name="at" value=(at); }
            " " button { "Show" }
        }
        (matrix(&groups, &links))
        (cycle_list(&graph, &cycles, &links))
        (parts::other_sources(visit, since.as_ref())?)
        @if let Some(earlier) = &earlier { (changed(earlier, &pairs(&graph))) }
    };
    layout::page(visit, "Modules", &Default::default(), &main)
}

/// Modules, summed up so that they fit into a matrix.
struct Groups {
    names: Vec<String>,
    /// Whether a group contains more than one module.
    wide: Vec<bool>,
    in_cycle: Vec<bool>,
    uses: BTreeMap<(usize, usize), u32>,
    left_out: usize,
}

impl Groups {
    /// The modules below a path, by as many segments as fit.
    fn new(graph: &ModuleGraph, below: &str) -> Self {
        let prefix = format!("{below}::");
        let inside = |path: &str| below.is_empty() || path == below || path.starts_with(&prefix);
        let inner: Vec<&str> =
            graph.modules.iter().map(|module| module.path.as_str()).filter(|p| inside(p)).collect();
        let deepest = inner.iter().map(|path| path.matches("::").count() + 1).max().unwrap_or(1);
        let at_depth = |depth: usize| -> BTreeSet<String> {
            inner.iter().map(|path| first_segments(path, depth)).collect()
        };
        let depth = (1..=deepest).rev().find(|depth| at_depth(*depth).len() <= SHOWN);
        let depth =
            depth.unwrap_or(if below.is_empty() { 1 } else { below.matches("::").count() + 2 });
        let all = at_depth(depth);
        let left_out = all.len().saturating_sub(SHOWN);
        // Of too many, those with the most uses.
        let mut size: BTreeMap<String, u32> = all.into_iter().map(|name| (name, 0)).collect();
        let name_of = |at: usize| {
            let module = graph.modules.get(at).filter(|module| inside(&module.path))?;
            Some(first_segments(&module.path, depth))
        };
        for edge in &graph.edges {
            if let (Some(from), Some(to)) = (name_of(edge.from), name_of(edge.to))
                && from != to
            {
                for name in [from, to] {
                    *size.entry(name).or_default() += edge.uses;
                }
            }
        }
        let mut largest: Vec<(String, u32)> = size.into_iter().collect();
        largest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        largest.truncate(SHOWN);
        let names: BTreeSet<String> = largest.into_iter().map(|(name, _)| name).collect();
        let names: Vec<String> = names.into_iter().collect();
        let index: BTreeMap<&str, usize> =
            names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let group = |at: usize| {
            let module = graph.modules.get(at).filter(|module| inside(&module.path))?;
            index.get(first_segments(&module.path, depth).as_str()).copied()
        };
        let mut uses: BTreeMap<(usize, usize), u32> = BTreeMap::new();
        for edge in &graph.edges {
            if let (Some(from), Some(to)) = (group(edge.from), group(edge.to))
                && from != to
            {
                *uses.entry((from, to)).or_default() += edge.uses;
            }
        }
        let mut members = vec![0usize; names.len()];
        let mut in_cycle = vec![false; names.len()];
        for (at, module) in graph.modules.iter().enumerate() {
            let Some(group) = group(at) else { continue };
            if let Some(slot) = members.get_mut(group) {
                *slot += 1;
            }
            if let Some(slot) = in_cycle.get_mut(group) {
                *slot |= module.cycle.is_some();
            }
        }
        let wide = members.into_iter().map(|count| count > 1).collect();
        Self { names, wide, in_cycle, uses, left_out }
    }
}

fn first_segments(path: &str, depth: usize) -> String {
    path.split("::").take(depth).collect::<Vec<_>>().join("::")
}

fn matrix(groups: &Groups, links: &Links) -> Markup {
    let short = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    html! {
        @if groups.names.len() < 2 { p { "No module uses another here." } }
        @else {
            div .scroll role="region" aria-label="Dependencies of modules" tabindex="0" {
                table .matrix {
                    thead { tr {
                        th scope="col" { "uses" }
                        @for (at, name) in groups.names.iter().enumerate() {
                            th scope="col" { abbr title=(name) { span { (at + 1) } span .hidden { " " (short(name)) } } }
                        }
                    } }
                    tbody { @for (row, name) in groups.names.iter().enumerate() { tr {
                        th scope="row" {
                            (row + 1) " "
                            @if groups.wide.get(row) == Some(&true) { a href=(links.with("/graph/modules", &[("below", name)])) { (name) } }
                            @else { a href=(links.item(name)) { (name) } }
                            @if groups.in_cycle.get(row) == Some(&true) { " " span .cycle title="part of a cycle" { "⟳" } }
                        }
                        @for column in 0..groups.names.len() {
                            @match groups.uses.get(&(row, column)) {
                                Some(uses) => { td .both[groups.uses.contains_key(&(column, row))] { (uses) } }
                                None if row == column => { td .self { "·" } }
                                None => { td {} }
                            }
                        }
                    } } }
                }
            }
            @if groups.left_out > 0 { p { (groups.left_out) " more with fewer uses do not fit." } }
            p .legend { "⟳ part of a cycle. Framed figures: both use each other." }
        }
    }
}

fn cycle_list(graph: &ModuleGraph, cycles: &BTreeSet<usize>, links: &Links) -> Markup {
    html! {
        @if !cycles.is_empty() {
            h2 { "Cycles" }
            ol .uses { @for cycle in cycles.iter().take(50) { li {
                @for module in graph.modules.iter().filter(|module| module.cycle == Some(*cycle)).take(60) {
                    a href=(links.item(&module.path)) { (module.path) } " "
                }
            } } }
        }
    }
}

fn pairs(graph: &ModuleGraph) -> BTreeSet<(String, String)> {
    let name = |at: usize| graph.modules.get(at).map(|module| module.path.clone());
    graph.edges.iter().filter_map(|edge| Some((name(edge.from)?, name(edge.to)?))).collect()
}

fn changed(earlier: &BTreeSet<(String, String)>, now: &BTreeSet<(String, String)>) -> Markup {
    let list = |sign: &str, class: &str, found: Vec<&(String, String)>| {
        html! {
            @for (from, to) in found.iter().take(200) { li class=(class) { (sign) " " (from) " → " (to) } }
            @if found.len() > 200 { li { "… and " (found.len() - 200) " more" } }
        }
    };
    html! {
        h2 { "Since then" }
        ul .uses {
            (list("+", "appeared", now.difference(earlier).collect()))
            (list("−", "vanished", earlier.difference(now).collect()))
        }
        @if earlier == now { p { "The same modules use each other." } }
    }
}
