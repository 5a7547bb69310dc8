//! Squarified treemaps (Bruls, Huizing, van Wijk 2000): area for size, colour and letter for
//! quality. Two levels: what a folder contains, and what that contains.

use std::collections::BTreeMap;

use asof::syntax::GRADES;
use asof::wire::FileSummary;
use maud::{Markup, html};

use super::address::Links;
use super::parts;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
/// Entries of the outer level, and of each inner one; the rest is one area.
const OUTER: usize = 30;
const INNER: usize = 12;
/// Share of the lines above which a folder is taken apart.
const LARGE: f64 = 0.3;
/// Height of the label of an outer area.
const LABEL: f64 = 16.0;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Area {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

/// A file or folder, summed up.
#[derive(Debug, Default, Clone)]
struct Node {
    lines: f64,
    code_lines: f64,
    points: f64,
    files: usize,
}

impl Node {
    fn add(&mut self, file: &FileSummary) {
        self.lines += f64::from(file.lines.max(1));
        self.code_lines += f64::from(file.code_lines);
        self.points += file.score.unwrap_or_default() * f64::from(file.code_lines);
        self.files += 1;
    }

    fn score(&self) -> Option<f64> {
        (self.code_lines > 0.0).then(|| self.points / self.code_lines)
    }
}

/// The files below a folder, which ends in `/` unless it is the root.
pub fn of_files(files: &[FileSummary], below: &str, links: &Links) -> Markup {
    let inside: Vec<&FileSummary> =
        files.iter().filter(|file| file.file_path.starts_with(below)).collect();
    let outer = outer_entries(&inside, below);
    let sizes: Vec<f64> = outer.iter().map(|(_, node)| node.lines).collect();
    let areas = squarify(&sizes, Area { x: 0.0, y: 0.0, w: WIDTH, h: HEIGHT });
    html! {
        @if outer.is_empty() { p { "No files." } }
        @else {
            div .scroll role="region" aria-label="Treemap" tabindex="0" {
                svg .treemap viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group"
                    aria-label="Files by lines; the letter is the grade of the mean score" {
                    @for ((name, node), area) in outer.iter().zip(&areas) {
                        (outer_area(&inside, below, name, node, *area, links))
                    }
                }
            }
            p .legend {
                "Area: lines. Colour and letter: grade of the mean score, "
                @for (grade, least) in GRADES.iter().filter(|(grade, _)| !grade.ends_with('-') && *grade != "A") {
                    span class={ "grade " (self::grade(Some(*least)).0) } { (grade) } " from " (least) " "
                }
                "; – without functions."
            }
        }
    }
}

/// The class of an area and the grade of its score.
fn grade(score: Option<f64>) -> (&'static str, &'static str) {
    let Some(score) = score else { return ("q-none", "–") };
    let found = GRADES.iter().find(|(_, least)| score >= *least);
    let grade = found.map_or("F", |(grade, _)| *grade);
    match grade {
        "A+" => ("q-top", grade),
        _ => (parts::grade_class(grade), grade),
    }
}

/// The areas of the outer level: what the folder contains, with the largest folders taken apart
/// while one of them has most of the lines.
fn outer_entries(files: &[&FileSummary], below: &str) -> Vec<(String, Node)> {
    let mut found = entries(files, below, OUTER);
    let total: f64 = found.iter().map(|(_, node)| node.lines).sum();
    while let Some((name, node)) = found.first()
        && name.ends_with('/')
        && node.lines > total * LARGE
    {
        let inner = entries(files, name, OUTER);
        if found.len() + inner.len() > OUTER + 1 {
            break;
        }
        found.remove(0);
        found.extend(inner);
        found.sort_by(|a, b| b.1.lines.total_cmp(&a.1.lines).then_with(|| a.0.cmp(&b.0)));
    }
    found
}

/// What is directly below a folder, the largest first; what does not fit is one entry without a
/// name.
fn entries(files: &[&FileSummary], below: &str, most: usize) -> Vec<(String, Node)> {
    let mut found: BTreeMap<String, Node> = BTreeMap::new();
    for file in files.iter().filter(|file| file.file_path.starts_with(below)) {
        let rest = file.file_path.get(below.len()..).unwrap_or_default();
        let name = rest.split_inclusive('/').next().unwrap_or_default();
        found.entry(format!("{below}{name}")).or_default().add(file);
    }
    let mut found: Vec<(String, Node)> = found.into_iter().collect();
    found.sort_by(|a, b| b.1.lines.total_cmp(&a.1.lines).then_with(|| a.0.cmp(&b.0)));
    // A folder in a folder and nothing else is one step.
    if let [(only, _)] = found.as_slice()
        && only.ends_with('/')
        && !only.is_empty()
    {
        let only = only.clone();
        return entries(files, &only, most);
    }
    if found.len() > most {
        let mut rest = Node::default();
        for (_, node) in found.drain(most - 1..) {
            rest.lines += node.lines;
            rest.code_lines += node.code_lines;
            rest.points += node.points;
            rest.files += node.files;
        }
        found.push((String::new(), rest));
    }
    found
}

fn outer_area(
    files: &[&FileSummary],
    below: &str,
    name: &str,
    node: &Node,
    area: Area,
    links: &Links,
) -> Markup {
    let is_folder = name.ends_with('/');
    let inside = Area { x: area.x, y: area.y + LABEL, w: area.w, h: area.h - LABEL };
    let nested = is_folder && inside.h > 12.0 && inside.w > 12.0;
    let inner = if nested { entries(files, name, INNER) } else { Vec::new() };
    let sizes: Vec<f64> = inner.iter().map(|(_, node)| node.lines).collect();
    let areas = squarify(&sizes, inside);
    let label = if name.is_empty() { "others" } else { name.get(below.len()..).unwrap_or(name) };
    html! {
        (cell(name, label, node, area, links, !nested))
        @for ((name, node), area) in inner.iter().zip(&areas) {
            @let short = if name.is_empty() { "others" } else { name.trim_end_matches('/').rsplit('/').next().unwrap_or(name) };
            (cell(name, short, node, *area, links, true))
        }
    }
}

/// An area; `filled` unless others lie on it.
fn cell(name: &str, label: &str, node: &Node, area: Area, links: &Links, filled: bool) -> Markup {
    let (class, letter) = grade(node.score());
    let lines = parts::count(node.lines as usize, "line");
    let score = node.score().map(|score| format!(", score {score:.0}")).unwrap_or_default();
    let place = if name.is_empty() { format!("{} others", node.files) } else { name.to_owned() };
    let said = format!("{place}: {lines}{score}");
    let letters = ((area.w - 8.0) / 6.6).max(0.0) as usize;
    let text = match filled {
        true => format!("{letter} {label}"),
        false => label.to_owned(),
    };
    let shown = letters > 0 && area.h > 13.0;
    let text: String = text.chars().take(if shown { letters } else { 0 }).collect();
    let body = html! {
        title { (said) }
        rect class=(if filled { class } else { "outer" }) x=(fixed(area.x)) y=(fixed(area.y)) width=(fixed(area.w)) height=(fixed(area.h)) {}
        @if shown {
            text x=(fixed(area.x + 4.0)) y=(fixed(area.y + 12.0)) { (text) }
        }
    };
    match name.is_empty() {
        true => html! { g { (body) } },
        false => {
            html! { a href=(links.file(name.trim_end_matches('/'))) aria-label={ (text) " " (said) } { (body) } }
        }
    }
}

fn fixed(value: f64) -> String {
    format!("{value:.1}")
}

/// Places areas of these sizes, the largest first, with sides as equal as they can be.
fn squarify(sizes: &[f64], mut free: Area) -> Vec<Area> {
    let total: f64 = sizes.iter().sum();
    let mut out = Vec::with_capacity(sizes.len());
    if total <= 0.0 || free.w <= 0.0 || free.h <= 0.0 {
        return vec![free; sizes.len()];
    }
    let scale = free.w * free.h / total;
    let mut rest: &[f64] = sizes;
    while !rest.is_empty() {
        let side = free.w.min(free.h);
        let mut count = 1;
        while count < rest.len()
            && worst(rest.get(..=count), side, scale) <= worst(rest.get(..count), side, scale)
        {
            count += 1;
        }
        let (row, next) = rest.split_at(count);
        let sum: f64 = row.iter().sum::<f64>() * scale;
        let across = free.w >= free.h;
        let thick = if side > 0.0 { sum / side } else { 0.0 };
        let mut along = 0.0;
        for size in row {
            let long = if thick > 0.0 { size * scale / thick } else { 0.0 };
            out.push(match across {
                true => Area { x: free.x, y: free.y + along, w: thick, h: long },
                false => Area { x: free.x + along, y: free.y, w: long, h: thick },
            });
            along += long;
        }
        match across {
            true => {
                free.x += thick;
                free.w = (free.w - thick).max(0.0);
            }
            false => {
                free.y += thick;
                free.h = (free.h - thick).max(0.0);
            }
        }
        rest = next;
    }
    out
}

/// The worst ratio of sides in a row along a side.
fn worst(row: Option<&[f64]>, side: f64, scale: f64) -> f64 {
    let row = row.unwrap_or_default();
    let sum: f64 = row.iter().sum::<f64>() * scale;
    let ratio = |size: &f64| {
        let area = size * scale;
        (side * side * area / (sum * sum)).max(sum * sum / (side * side * area))
    };
    row.iter().map(ratio).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_fill_the_space_and_do_not_overlap() {
        let sizes = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0];
        let space = Area { x: 0.0, y: 0.0, w: 6.0, h: 4.0 };
        let areas = squarify(&sizes, space);
        for (size, area) in sizes.iter().zip(&areas) {
            assert!((area.w * area.h - size).abs() < 1e-9, "{area:?}");
            assert!(area.x >= -1e-9 && area.x + area.w <= 6.0 + 1e-9, "{area:?}");
            assert!(area.y >= -1e-9 && area.y + area.h <= 4.0 + 1e-9, "{area:?}");
            // The example of the paper.
            assert!(area.w / area.h < 3.1 && area.h / area.w < 3.1, "{area:?}");
        }
        for (at, a) in areas.iter().enumerate() {
            for b in &areas[at + 1..] {
                let apart = a.x + a.w <= b.x + 1e-9
                    || b.x + b.w <= a.x + 1e-9
                    || a.y + a.h <= b.y + 1e-9
                    || b.y + b.h <= a.y + 1e-9;
                assert!(apart, "{a:?} {b:?}");
            }
        }
        assert_eq!(squarify(&[], space), []);
    }
}
