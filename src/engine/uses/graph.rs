//! Lineages as graphs, in DOT, Mermaid or SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::layers::{Layout, Place, Sizes};
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
        let boxes = self.nodes.iter().map(|node| (node.column, node.label.as_str()));
        let lines = self.edges.iter().map(|(from, to, _)| (*from, *to));
        let layout = Layout::new(SIZES, boxes, lines);
        let width = layout.width;
        let height = SIZES.margin * 2 + layout.rows * SIZES.row - (SIZES.row - SIZES.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, monospace\" \
             font-size=\"12\">\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\">\
             <path d=\"M0 0 L8 4 L0 8 z\" fill=\"#666\"/></marker></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        for (from, to, label) in &self.edges {
            out.push_str(&arrow(&layout.curve(*from, *to), label));
        }
        for (node, at) in self.nodes.iter().zip(&layout.places) {
            out.push_str(&boxed(node, at));
        }
        out.push_str("</svg>\n");
        out
    }
}

const SIZES: Sizes = Sizes {
    margin: 16,
    height: 38,
    row: 54,
    gap: 110,
    letter: 7,
    // The full text is the title.
    letters: 48,
    padding: 20,
    most_above: i64::MAX,
};

fn arrow(curve: &[(i64, i64); 4], label: &str) -> String {
    let [(x1, y1), (c1, _), (c2, _), (x2, y2)] = curve;
    format!(
        "<path d=\"M{x1} {y1} C{c1} {y1} {c2} {y2} {x2} {y2}\" fill=\"none\" stroke=\"#888\" \
         marker-end=\"url(#a)\"><title>{}</title></path>\n",
        xml_text(label)
    )
}

fn boxed(node: &GraphNode, at: &Place) -> String {
    let (fill, dash, stroke) = match (node.column, node.external) {
        (0, _) => ("#fff3cd", "", "#b8860b"),
        (_, true) => ("#f4f4f4", " stroke-dasharray=\"4\"", "#999"),
        _ => ("#eef5ff", "", "#5b8bd0"),
    };
    let Place { x, y, w } = *at;
    let height = SIZES.height;
    format!(
        "<g><title>{} {}</title><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{height}\" \
         rx=\"5\" fill=\"{fill}\" stroke=\"{stroke}\"{dash}/>\
         <text x=\"{tx}\" y=\"{ty}\">{}</text>\
         <text x=\"{tx}\" y=\"{ky}\" fill=\"#777\" font-size=\"10\">{}</text></g>\n",
        xml_text(&node.kind),
        xml_text(&node.label),
        xml_text(&SIZES.shortened(&node.label)),
        xml_text(&node.kind),
        tx = x + 10,
        ty = y + 17,
        ky = y + 31,
    )
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
