//! Graphs as SVG: columns by distance, rows so that few lines cross.

use std::collections::BTreeMap;

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
        let (sign, short) = (self.fate.sign(), shortened(&self.label));
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

const ROW: usize = 26;
const BOX: usize = 20;
const GAP: usize = 70;
const MARGIN: usize = 8;
/// Width of a letter, and letters of a label at most.
const LETTER: usize = 7;
const LETTERS: usize = 34;

#[derive(Debug, Clone, Copy, Default)]
struct Place {
    x: usize,
    y: usize,
    w: usize,
}

impl Graph {
    pub fn svg(&self, title: &str) -> Markup {
        let columns = self.columns();
        let (places, width, height) = self.place(&columns);
        let at = |index: usize| places.get(index).copied().unwrap_or_default();
        html! {
            div .scroll role="region" aria-label=(title) tabindex="0" {
                svg .graph width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="group" aria-label=(title) {
                    defs { marker #arrow viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse" { path d="M0 0 L8 4 L0 8 z" {} } }
                    @for edge in &self.edges {
                        path class={ "edge " (edge.fate.class()) } d=(curve(at(edge.from), at(edge.to))) marker-end="url(#arrow)" {
                            title { (edge.fate.sign()) (edge.note) }
                        }
                    }
                    @for (node, place) in self.nodes.iter().zip(&places) {
                        a href=(node.href) aria-label=(node.spoken()) class={ "node " (node.fate.class()) @if node.column == 0 { " root" } } {
                            title { (node.label) " " (node.note) }
                            rect x=(place.x) y=(place.y) width=(place.w) height=(BOX) rx="4" {}
                            text x=(place.x + 6) y=(place.y + 14) { (node.fate.sign()) (shortened(&node.label)) }
                        }
                    }
                }
            }
        }
    }

    /// Nodes by column, each near its neighbours.
    fn columns(&self) -> Vec<Vec<usize>> {
        let mut columns: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, node) in self.nodes.iter().enumerate() {
            columns.entry(node.column).or_default().push(index);
        }
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            for (a, b) in [(edge.from, edge.to), (edge.to, edge.from)] {
                if let Some(list) = near.get_mut(a) {
                    list.push(b);
                }
            }
        }
        let mut rank = vec![0usize; self.nodes.len()];
        let mut columns: Vec<Vec<usize>> = columns.into_values().collect();
        for _ in 0..4 {
            for column in &mut columns {
                column.sort_by_cached_key(|node| {
                    let list = near.get(*node).map_or(&[][..], Vec::as_slice);
                    let sum: usize = list.iter().filter_map(|other| rank.get(*other)).sum();
                    // A thousandth of a row is near enough.
                    (sum * 1_000 / list.len().max(1), *node)
                });
                for (row, node) in column.iter().enumerate() {
                    if let Some(slot) = rank.get_mut(*node) {
                        *slot = row;
                    }
                }
            }
        }
        columns
    }

    fn place(&self, columns: &[Vec<usize>]) -> (Vec<Place>, usize, usize) {
        let mut places = vec![Place::default(); self.nodes.len()];
        let tallest = columns.iter().map(Vec::len).max().unwrap_or_default();
        let mut x = MARGIN;
        for column in columns {
            let letters = column.iter().filter_map(|node| self.nodes.get(*node));
            let letters = letters.map(|node| shortened(&node.label).chars().count() + 2).max();
            let w = letters.unwrap_or_default() * LETTER + 12;
            // A short column beside a long one stays in view.
            let above = ((tallest - column.len()) * ROW / 2).min(6 * ROW);
            for (row, node) in column.iter().enumerate() {
                if let Some(slot) = places.get_mut(*node) {
                    *slot = Place { x, y: MARGIN + above + row * ROW, w };
                }
            }
            x += w + GAP;
        }
        (places, (x + MARGIN).saturating_sub(GAP), tallest * ROW + 2 * MARGIN)
    }
}

fn curve(from: Place, to: Place) -> String {
    let (y1, y2) = (from.y + BOX / 2, to.y + BOX / 2);
    let (x1, x2, bend) = match from.x.cmp(&to.x) {
        std::cmp::Ordering::Less => (from.x + from.w, to.x, GAP as i64 / 2),
        std::cmp::Ordering::Greater => (from.x, to.x + to.w, -(GAP as i64) / 2),
        std::cmp::Ordering::Equal => (from.x + from.w, to.x + to.w, GAP as i64 / 2),
    };
    let (x1, x2) = (x1 as i64, x2 as i64);
    let second = if from.x == to.x { x2 + bend } else { x2 - bend };
    format!("M{x1} {y1}C{} {y1} {second} {y2} {x2} {y2}", x1 + bend)
}

/// The end of a long path, which says more than its beginning.
fn shortened(label: &str) -> String {
    match label.chars().count().checked_sub(LETTERS) {
        None | Some(0) => label.to_owned(),
        Some(more) => format!("…{}", label.chars().skip(more + 1).collect::<String>()),
    }
}
