//! Squarified treemaps (Bruls, Huizing, van Wijk 2000): area for size, colour and letter for
//! quality. Two levels: what a folder contains, and what that contains.

use std::collections::BTreeMap;

use asof_syntax::GRADES;
use asof_wire::FileSummary;
use maud::{Markup, html};

use super::address::Links;
use super::parts;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
/// Entries of the outer level, and of each inner one; the rest is one area.
const OUTER: usize = 30;
const INNER: usize = 12;
/// Entries that a folder needs to be taken apart.
const FEWEST: usize = 6;
/// Size of an area below which nothing can be read in it.
const LEAST: f64 = 2_000.0;
/// Bytes of the areas; the smallest inner ones are left out.
const BYTES: usize = 80_000;
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
    let outer = taken_apart(&inside, below, OUTER);
    let sizes: Vec<f64> = outer.iter().map(|(_, node)| node.lines).collect();
    let areas = squarify(&sizes, Area { x: 0.0, y: 0.0, w: WIDTH, h: HEIGHT });
    let mut drawn = Vec::new();
    let mut inner = Vec::new();
    for ((name, node), area) in outer.iter().zip(&areas) {
        drawn.push(outer_area(&inside, below, name, node, *area, links, &mut inner));
    }
    inner.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let taken: usize = drawn.iter().map(|area| area.0.len()).sum();
    // They lie on the outer ones.
    let inner = inner.into_iter().map(|(_, area)| area);
    drawn.extend(parts::fitting(inner, BYTES.saturating_sub(taken)));
    html! {
        @if outer.is_empty() { p { "No files." } }
        @else {
            div .scroll role="region" aria-label="Treemap" tabindex="0" {
                svg .treemap viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="group"
                    aria-label="Files by lines; the letter is the grade of the mean score" {
                    @for area in &drawn { (area) }
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

/// What a folder contains, with the largest folders taken apart while one of them has most of the
/// lines.
fn taken_apart(files: &[&FileSummary], below: &str, most: usize) -> Vec<(String, Node)> {
    let mut found = entries(files, below, most);
    let total: f64 = found.iter().map(|(_, node)| node.lines).sum();
    while let Some((name, node)) = found.first()
        && name.ends_with('/')
        && node.lines > total * LARGE
    {
        // What does not fit is one entry, so that a folder of a hundred packages is taken apart, too.
        let free = (most + 1).saturating_sub(found.len());
        if free < FEWEST {
            break;
        }
        let inner = entries(files, name, free);
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

/// An area of the outer level; those in it are added to `inner`, with their sizes.
fn outer_area(
    files: &[&FileSummary],
    below: &str,
    name: &str,
    node: &Node,
    area: Area,
    links: &Links,
    inner: &mut Vec<(f64, Markup)>,
) -> Markup {
    let is_folder = name.ends_with('/');
    let inside = Area { x: area.x, y: area.y + LABEL, w: area.w, h: area.h - LABEL };
    let nested = is_folder && inside.h > 12.0 && inside.w > 12.0;
    if nested {
        let most = ((inside.w * inside.h / LEAST) as usize).clamp(1, INNER);
        let found = taken_apart(files, name, most);
        let sizes: Vec<f64> = found.iter().map(|(_, node)| node.lines).collect();
        for ((name, node), area) in found.iter().zip(squarify(&sizes, inside)) {
            let short = if name.is_empty() {
                "others"
            } else {
                name.trim_end_matches('/').rsplit('/').next().unwrap_or(name)
            };
            inner.push((area.w * area.h, cell(name, short, node, area, links, true)));
        }
    }
    let label = if name.is_empty() { "others" } else { name.get(below.len()..).unwrap_or(name) };
    cell(name, label, node, area, links, !nested)
}

/// An area; `filled` unless others lie on it.
fn cell(name: &str, label: &str, node: &Node, area: Area, links: &Links, filled: bool) -> Markup {
    let (class, letter) = grade(node.score());
    let lines = parts::count(node.lines as usize, "line");
    let score = node.score().map(|score| format!(", score {score:.0}")).unwrap_or_default();
    let place = if name.is_empty() { format!("{} others", node.files) } else { name.to_owned() };
    let said = format!("{place}: {lines}{score}");
    let letters = ((area.w - 8.0) / 6.6).max(0.0) as usize;
    let text = if filled { format!("{letter} {label}") } else { label.to_owned() };
    let shown = letters > 0 && area.h > 13.0;
    let text: String = text.chars().take(if shown { letters } else { 0 }).collect();
    let body = html! {
        title { (said) }
        rect class=(if filled { class } else { "outer" }) x=(fixed(area.x)) y=(fixed(area.y)) width=(fixed(area.w)) height=(fixed(area.h)) {}
        @if shown {
            text x=(fixed(area.x + 4.0)) y=(fixed(area.y + 12.0)) { (text) }
        }
    };
    if name.is_empty() {
        html! { g { (body) } }
    } else {
        html! { a href=(links.file(name.trim_end_matches('/'))) aria-label={ (text) " " (said) } { (body) } }
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
            out.push(if across {
                Area { x: free.x, y: free.y + along, w: thick, h: long }
            } else {
                Area { x: free.x + along, y: free.y, w: long, h: thick }
            });
            along += long;
        }
        if across {
            free.x += thick;
            free.w = (free.w - thick).max(0.0);
        } else {
            free.y += thick;
            free.h = (free.h - thick).max(0.0);
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

    fn file(path: String, lines: u32) -> FileSummary {
        FileSummary {
            file_path: path,
            lines,
            partial: false,
            functions: 1,
            code_lines: lines,
            score: Some(80.0),
            complexity: 1,
        }
    }

    #[test]
    fn a_folder_of_very_many_packages_is_taken_apart() {
        let name = |package: u32| format!("crates/package-{package}/src/lib.rs");
        let mut files: Vec<FileSummary> = (0..90).map(|at| file(name(at), 900 - at)).collect();
        files.push(file("scripts/a.rs".to_owned(), 10));
        let all: Vec<&FileSummary> = files.iter().collect();
        let outer = taken_apart(&all, "", OUTER);
        assert_eq!(outer.len(), OUTER);
        assert!(outer.iter().any(|(name, _)| name == "crates/package-0/"), "{outer:?}");
        let (lines, count) =
            outer.iter().fold((0.0, 0), |sum, (_, node)| (sum.0 + node.lines, sum.1 + node.files));
        assert_eq!((lines, count), (files.iter().map(|one| f64::from(one.lines)).sum(), 91));
    }

    #[test]
    fn very_long_paths_do_not_make_a_page_too_large() {
        let name = |at: u32| {
            format!("crates/{}-{}/{}.rs", "p".repeat(300), at % 40, "f".repeat(300 + at as usize))
        };
        let files: Vec<FileSummary> = (0..800).map(|at| file(name(at), 400)).collect();
        let map = of_files(&files, "", &Links::default()).into_string();
        assert!(map.len() < BYTES + 10_000, "{}", map.len());
    }

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
