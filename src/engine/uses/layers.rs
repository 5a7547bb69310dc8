//! Layouts of layered graphs: a column for each distance, ordered so that few lines cross.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use asof_model::OrNever;

/// Sizes of a picture.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    pub margin: i64,
    /// Height of a box.
    pub height: i64,
    /// From one row to the next.
    pub row: i64,
    /// Between two columns.
    pub gap: i64,
    /// Width of a letter, about, and letters of a label at most.
    pub letter: i64,
    pub letters: usize,
    /// Width of a box beside its label.
    pub padding: i64,
    /// How far a short column is moved down beside a long one at most.
    pub most_above: i64,
}

/// Where a box is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    pub x: i64,
    pub y: i64,
    pub w: i64,
}

/// The places of a graph's boxes.
#[derive(Debug)]
pub struct Layout {
    sizes: Sizes,
    pub places: Vec<Place>,
    pub width: i64,
    /// Of the tallest column.
    pub rows: i64,
}

impl Sizes {
    /// The end of a long path, which says more than its beginning.
    pub fn shortened(&self, label: &str) -> String {
        match label.chars().count().checked_sub(self.letters) {
            None | Some(0) => label.to_owned(),
            Some(more) => format!("…{}", label.chars().skip(more + 1).collect::<String>()),
        }
    }
}

impl Layout {
    /// Places boxes, given by their columns and labels, with lines between them, given by indices.
    pub fn new<'a>(
        sizes: Sizes,
        boxes: impl Iterator<Item = (i64, &'a str)>,
        lines: impl Iterator<Item = (usize, usize)>,
    ) -> Self {
        let (columns, labels): (Vec<i64>, Vec<&str>) = boxes.unzip();
        let columns = ordered(&columns, lines);
        let mut places = vec![Place::default(); labels.len()];
        let tallest = columns.iter().map(Vec::len).max().unwrap_or_default() as i64;
        let mut x = sizes.margin;
        for column in &columns {
            let letters = column.iter().filter_map(|node| labels.get(*node));
            let letters = letters.map(|label| label.chars().count().min(sizes.letters)).max();
            let w = letters.unwrap_or_default() as i64 * sizes.letter + sizes.padding;
            let above = (tallest - column.len() as i64) * sizes.row / 2;
            let y = sizes.margin + above.min(sizes.most_above);
            for (row, node) in (0..).zip(column) {
                if let Some(slot) = places.get_mut(*node) {
                    *slot = Place { x, y: y + row * sizes.row, w };
                }
            }
            x += w + sizes.gap;
        }
        let width = (x + sizes.margin - sizes.gap).max(0);
        Self { sizes, places, width, rows: tallest }
    }

    /// The points of a line's Bézier curve.
    pub fn curve(&self, from: usize, to: usize) -> [(i64, i64); 4] {
        let [from, to] =
            [from, to].map(|at| self.places.get(at).copied().or_never("a line joins placed nodes"));
        let (y1, y2) = (from.y + self.sizes.height / 2, to.y + self.sizes.height / 2);
        let (x1, x2, bend) = match from.x.cmp(&to.x) {
            Ordering::Less => (from.x + from.w, to.x, self.sizes.gap / 2),
            Ordering::Greater => (from.x, to.x + to.w, -self.sizes.gap / 2),
            Ordering::Equal => (from.x + from.w, to.x + to.w, self.sizes.gap / 2),
        };
        let second = if from.x == to.x { x2 + bend } else { x2 - bend };
        [(x1, y1), (x1 + bend, y1), (second, y2), (x2, y2)]
    }
}

/// Boxes by column, each near its neighbours.
fn ordered(columns: &[i64], lines: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<usize>> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); columns.len()];
    for (from, to) in lines {
        for (a, b) in [(from, to), (to, from)] {
            if let Some(list) = near.get_mut(a) {
                list.push(b);
            }
        }
    }
    let mut rank = vec![0usize; columns.len()];
    let mut by_column: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (index, column) in columns.iter().enumerate() {
        by_column.entry(*column).or_default().push(index);
    }
    let mut ordered: Vec<Vec<usize>> = by_column.into_values().collect();
    for _ in 0..4 {
        for column in &mut ordered {
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
    ordered
}
