//! Graphs as SVG: columns by distance, rows so that few lines cross.

use asof_engine::{Layout, Sizes};
use maud::{Markup, html};

/// Whether a box or line exists at both moments of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fate {
    #[default]
    Same,
    /// Only at the later one.
    Appeared,
    /// Only at the earlier one.
    Vanished,
}

impl Fate {
    const fn class(self) -> &'static str {
        match self {
            Self::Same => "",
            Self::Appeared => "appeared",
            Self::Vanished => "vanished",
        }
    }

    const fn sign(self) -> &'static str {
        match self {
            Self::Same => "",
            Self::Appeared => "+ ",
            Self::Vanished => "− ",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Node {
    pub label: String,
    /// Kind or size, said after the label.
    pub note: String,
    pub href: String,
    /// Distance from the start.
    pub column: u32,
    pub fate: Fate,
}

/// From one node to another, both as indices.
#[derive(Debug, Clone)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub note: String,
    pub fate: Fate,
}

impl Node {
    /// About how many bytes of a page it takes.
    pub fn bytes(&self) -> usize {
        260 + 3 * self.label.len() + 2 * self.note.len() + self.href.len()
    }

    /// What is written in the box, then the whole of it.
    fn spoken(&self) -> String {
        let (sign, short) = (self.fate.sign(), SIZES.shortened(&self.label));
        if short == self.label {
            format!("{sign}{short} {}", self.note)
        } else {
            format!("{sign}{short} {} {}", self.label, self.note)
        }
    }
}

impl Edge {
    /// About how many bytes of a page it takes.
    pub fn bytes(&self) -> usize {
        150 + self.note.len()
    }
}

#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

const SIZES: Sizes = Sizes {
    margin: 8,
    height: 20,
    row: 26,
    gap: 70,
    letter: 7,
    letters: 34,
    // Room for a sign, too.
    padding: 26,
    most_above: 6 * 26,
};

impl Graph {
    pub fn svg(&self, title: &str) -> Markup {
        let boxes = self.nodes.iter().map(|node| (i64::from(node.column), node.label.as_str()));
        let lines = self.edges.iter().map(|edge| (edge.from, edge.to));
        let layout = Layout::new(SIZES, boxes, lines);
        let (width, height) = (layout.width, layout.rows * SIZES.row + 2 * SIZES.margin);
        html! {
            div .scroll role="region" aria-label=(title) tabindex="0" {
                svg .graph width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="group" aria-label=(title) {
                    defs { marker #arrow viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse" { path d="M0 0 L8 4 L0 8 z" {} } }
                    @for edge in &self.edges {
                        path class={ "edge " (edge.fate.class()) } d=(curve(layout.curve(edge.from, edge.to))) marker-end="url(#arrow)" {
                            title { (edge.fate.sign()) (edge.note) }
                        }
                    }
                    @for (node, place) in self.nodes.iter().zip(&layout.places) {
                        a href=(node.href) aria-label=(node.spoken()) class={ "node " (node.fate.class()) @if node.column == 0 { " root" } } {
                            title { (node.label) " " (node.note) }
                            rect x=(place.x) y=(place.y) width=(place.w) height=(SIZES.height) rx="4" {}
                            text x=(place.x + 6) y=(place.y + 14) { (node.fate.sign()) (SIZES.shortened(&node.label)) }
                        }
                    }
                }
            }
        }
    }
}

fn curve(points: [(i64, i64); 4]) -> String {
    let [(x1, y1), (c1, _), (c2, _), (x2, y2)] = points;
    format!("M{x1} {y1}C{c1} {y1} {c2} {y2} {x2} {y2}")
}
