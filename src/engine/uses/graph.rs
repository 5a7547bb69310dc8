//! Lineages as graphs, in DOT, Mermaid or SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use asof_model::NodeId;
use asof_wire::{LineageResult, WhereUsedResult};

/// Boxes in columns by distance, with arrows from an item to what it uses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    nodes: Vec<GraphNode>,
    /// From, to, label; indices into `nodes`.
    edges: Vec<(usize, usize, String)>,
}

#[derive(Debug, Clone, PartialEq)]
struct GraphNode {
    label: String,
    kind: String,
    /// Distance from the symbol, negative for what it depends on.
    column: i64,
    external: bool,
}

impl From<&LineageResult> for Graph {
    fn from(result: &LineageResult) -> Self {
        let mut graph = Self::default();
        let mut index: BTreeMap<NodeId, usize> = BTreeMap::new();
        for symbol in &result.symbols {
            index.insert(symbol.id, graph.nodes.len());
            graph.add(&symbol.path, &symbol.kind, 0, symbol.external);
        }
        for item in &result.answer.items {
            index.insert(item.item.id, graph.nodes.len());
            graph.add(&item.item.path, &item.item.kind, i64::from(item.depth), item.external);
        }
        let mut edges: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for step in &result.edges {
            if let (Some(from), Some(to)) = (index.get(&step.source), index.get(&step.target)) {
                edges.entry((*from, *to)).or_default().push(step.use_kind.as_str());
            }
        }
        graph.connect(edges);
        graph
    }
}

impl From<&WhereUsedResult> for Graph {
    fn from(result: &WhereUsedResult) -> Self {
        let mut graph = Self::default();
        let mut index: BTreeMap<NodeId, usize> = BTreeMap::new();
        for symbol in &result.symbols {
            index.insert(symbol.id, graph.nodes.len());
            graph.add(&symbol.path, &symbol.kind, 0, symbol.external);
        }
        let mut edges: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for item in &result.answer.items {
            let from = *index.entry(item.item.id).or_insert_with(|| {
                graph.add(&item.item.path, &item.item.kind, 1, false);
                graph.nodes.len() - 1
            });
            if let Some(to) = index.get(&item.target) {
                edges.entry((from, *to)).or_default().push(item.use_kind.as_str());
            }
        }
        graph.connect(edges);
        graph
    }
}

impl Graph {
    fn add(&mut self, label: &str, kind: &str, column: i64, external: bool) {
        let (label, kind) = (label.to_owned(), kind.to_owned());
        self.nodes.push(GraphNode { label, kind, column, external });
    }

    fn connect(&mut self, edges: BTreeMap<(usize, usize), Vec<&str>>) {
        for ((from, to), mut kinds) in edges {
            kinds.sort_unstable();
            kinds.dedup();
            self.edges.push((from, to, kinds.join(", ")));
        }
    }

    /// In DOT, for Graphviz.
    pub fn dot(&self) -> String {
        let mut out = String::from("digraph asof {\n  rankdir=LR;\n  node [shape=box];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let style = match (node.column, node.external) {
                (0, _) => ", style=bold",
                (_, true) => ", style=dashed",
                _ => "",
            };
            let label = dot_text(&format!("{}\n{}", node.label, node.kind));
            let _ = writeln!(out, "  n{number} [label=\"{label}\"{style}];");
        }
        for (from, to, label) in &self.edges {
            let _ = writeln!(out, "  n{from} -> n{to} [label=\"{}\"];", dot_text(label));
        }
        out.push_str("}\n");
        out
    }

    /// In Mermaid.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart LR\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let label = mermaid_text(&node.label);
            let _ = writeln!(out, "  n{number}[\"{label}<br/><i>{}</i>\"]", node.kind);
        }
        for (from, to, label) in &self.edges {
            let _ = writeln!(out, "  n{from} -->|{}| n{to}", mermaid_text(label));
        }
        for (number, node) in self.nodes.iter().enumerate() {
            match (node.column, node.external) {
                (0, _) => out.push_str(&format!("  style n{number} stroke-width:3px\n")),
                (_, true) => out.push_str(&format!("  style n{number} stroke-dasharray:4\n")),
                _ => {}
            }
        }
        out
    }

    /// As SVG: one column per distance, ordered so that few arrows cross.
    pub fn svg(&self) -> String {
        let columns = self.columns();
        let placed = place(&columns, self);
        let width = placed.iter().map(|p| p.x + p.w).max().unwrap_or_default() + MARGIN;
        let height = placed.iter().map(|p| p.y + BOX_HEIGHT).max().unwrap_or_default() + MARGIN;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, monospace\" \
             font-size=\"12\">\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">\
             <path d=\"M0 0 L8 4 L0 8 z\" fill=\"#666\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        for (from, to, label) in &self.edges {
            if let (Some(from), Some(to)) = (placed.get(*from), placed.get(*to)) {
                out.push_str(&arrow(from, to, label));
            }
        }
        for (node, at) in self.nodes.iter().zip(&placed) {
            out.push_str(&boxed(node, at));
        }
        out.push_str("</svg>\n");
        out
    }

    /// Nodes by column, each column ordered by its neighbours.
    fn columns(&self) -> Vec<Vec<usize>> {
        let mut columns: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            columns.entry(node.column).or_default().push(number);
        }
        let mut columns: Vec<Vec<usize>> = columns.into_values().collect();
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (from, to, _) in &self.edges {
            for (a, b) in [(*from, *to), (*to, *from)] {
                if let Some(list) = near.get_mut(a) {
                    list.push(b);
                }
            }
        }
        let mut rank = vec![0usize; self.nodes.len()];
        for _ in 0..4 {
            for column in &mut columns {
                let mean = |node: usize| {
                    let list = near.get(node).map_or(&[][..], Vec::as_slice);
                    let sum: usize = list.iter().filter_map(|n| rank.get(*n)).sum();
                    // A resolution of a thousandth of a rank is enough.
                    if list.is_empty() { 0 } else { sum * 1_000 / list.len() }
                };
                let mut keyed: Vec<(usize, usize)> =
                    column.iter().map(|n| (mean(*n), *n)).collect();
                keyed.sort_unstable();
                *column = keyed.into_iter().map(|(_, node)| node).collect();
                for (place, node) in column.iter().enumerate() {
                    if let Some(slot) = rank.get_mut(*node) {
                        *slot = place;
                    }
                }
            }
        }
        columns
    }
}

const MARGIN: i64 = 16;
const BOX_HEIGHT: i64 = 38;
const ROW: i64 = 54;
const GAP: i64 = 110;
/// Approximate width of a letter.
const LETTER: i64 = 7;
/// Maximum length of a label; the full text is its title.
const LETTERS: usize = 48;

#[derive(Debug, Clone, Copy, Default)]
struct Placed {
    x: i64,
    y: i64,
    w: i64,
}

fn place(columns: &[Vec<usize>], graph: &Graph) -> Vec<Placed> {
    let mut placed = vec![Placed::default(); graph.nodes.len()];
    let tallest = columns.iter().map(Vec::len).max().unwrap_or_default() as i64;
    let mut x = MARGIN;
    for column in columns {
        let letters = column.iter().filter_map(|n| graph.nodes.get(*n));
        let letters = letters.map(|node| shortened(&node.label).chars().count()).max();
        let w = letters.unwrap_or_default() as i64 * LETTER + 20;
        let above = (tallest - column.len() as i64) * ROW / 2;
        for (row, node) in column.iter().enumerate() {
            if let Some(slot) = placed.get_mut(*node) {
                *slot = Placed { x, y: MARGIN + above + row as i64 * ROW, w };
            }
        }
        x += w + GAP;
    }
    placed
}

fn arrow(from: &Placed, to: &Placed, label: &str) -> String {
    let (y1, y2) = (from.y + BOX_HEIGHT / 2, to.y + BOX_HEIGHT / 2);
    let (x1, x2, bend) = match from.x.cmp(&to.x) {
        std::cmp::Ordering::Less => (from.x + from.w, to.x, GAP / 2),
        std::cmp::Ordering::Greater => (from.x, to.x + to.w, -GAP / 2),
        std::cmp::Ordering::Equal => (from.x + from.w, to.x + to.w, GAP / 2),
    };
    let (c1, c2) = if from.x == to.x { (x1 + bend, x2 + bend) } else { (x1 + bend, x2 - bend) };
    format!(
        "<path d=\"M{x1} {y1} C{c1} {y1} {c2} {y2} {x2} {y2}\" fill=\"none\" stroke=\"#888\" \
         marker-end=\"url(#a)\"><title>{}</title></path>\n",
        xml_text(label)
    )
}

fn boxed(node: &GraphNode, at: &Placed) -> String {
    let (fill, dash, stroke) = match (node.column, node.external) {
        (0, _) => ("#fff3cd", "", "#b8860b"),
        (_, true) => ("#f4f4f4", " stroke-dasharray=\"4\"", "#999"),
        _ => ("#eef5ff", "", "#5b8bd0"),
    };
    let Placed { x, y, w } = *at;
    format!(
        "<g><title>{} {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{BOX_HEIGHT}\" \
         rx=\"5\" fill=\"{fill}\" stroke=\"{stroke}\"{dash}/>\
         <text x=\"{tx}\" y=\"{ty}\">{}</text>\
         <text x=\"{tx}\" y=\"{ky}\" fill=\"#777\" font-size=\"10\">{}</text></g>\n",
        xml_text(&node.kind),
        xml_text(&node.label),
        xml_text(&shortened(&node.label)),
        xml_text(&node.kind),
        tx = x + 10,
        ty = y + 17,
        ky = y + 31,
    )
}

/// The end of a long path, which says more than its start.
fn shortened(label: &str) -> String {
    let letters = label.chars().count();
    match letters.checked_sub(LETTERS) {
        None | Some(0) => label.to_owned(),
        Some(more) => format!("…{}", label.chars().skip(more + 1).collect::<String>()),
    }
}

fn dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn mermaid_text(text: &str) -> String {
    xml_text(text).replace('|', "&#124;").replace('`', "&#96;")
}

fn xml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML does not allow other control characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
