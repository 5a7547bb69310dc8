//! The technical debt grade: one score from 0 to 100, higher is better, and the grade it means.

use asof_model::{Metrics, Severity};

/// Grades by the least score of each, best first.
pub const GRADES: &[(&str, f64)] = &[
    ("A+", 95.0),
    ("A", 90.0),
    ("A-", 85.0),
    ("B+", 80.0),
    ("B", 75.0),
    ("B-", 70.0),
    ("C+", 65.0),
    ("C", 60.0),
    ("C-", 55.0),
    ("D", 50.0),
    ("F", 0.0),
];

/// The numbers that a score is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    pub cyclomatic: u32,
    pub cognitive: u32,
    pub code_lines: u32,
    pub nesting: u32,
    pub parameters: u32,
    /// Of all markers: [`points`].
    pub satd: u32,
}

/// A part of a score: how many of its points a figure costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Component {
    pub name: &'static str,
    pub value: u32,
    /// From 0 to `weight`.
    pub penalty: f64,
    pub weight: f64,
}

/// A score with its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Tdg {
    /// From 0 to 100, in tenths.
    pub score: f64,
    pub grade: &'static str,
    pub components: [Component; 6],
}

/// Points of a marker of technical debt.
pub const fn points(severity: Severity) -> u32 {
    match severity {
        Severity::Low => 1,
        Severity::Medium => 2,
        Severity::High => 3,
    }
}

impl Figures {
    /// The figures of an item; none where its body could not be parsed.
    pub fn from_metrics(metrics: &Metrics) -> Option<Self> {
        let complexity = metrics.complexity.as_ref()?;
        Some(Self {
            cyclomatic: complexity.cyclomatic,
            cognitive: complexity.cognitive,
            code_lines: metrics.code_lines,
            nesting: complexity.nesting,
            parameters: metrics.parameters,
            satd: metrics.satd.iter().map(|satd| points(satd.severity)).sum(),
        })
    }
}

/// 100 less the penalty of each figure. A penalty is 0 up to a figure that needs no excuse, and
/// rises linearly to its whole weight.
pub fn tdg(figures: &Figures) -> Tdg {
    let part = |name, value: u32, weight: f64, free: u32, full: u32| {
        let over = f64::from(value.saturating_sub(free)) / f64::from(full - free);
        Component { name, value, penalty: weight * over.min(1.0), weight }
    };
    let components = [
        part("cyclomatic", figures.cyclomatic, 25.0, 5, 30),
        part("cognitive", figures.cognitive, 25.0, 5, 50),
        part("code_lines", figures.code_lines, 15.0, 30, 200),
        part("nesting", figures.nesting, 15.0, 2, 7),
        part("parameters", figures.parameters, 10.0, 4, 10),
        part("satd", figures.satd, 10.0, 0, 6),
    ];
    let penalty: f64 = components.iter().map(|component| component.penalty).sum();
    let score = ((100.0 - penalty).clamp(0.0, 100.0) * 10.0).round() / 10.0;
    let reached = GRADES.iter().find(|(_, least)| score >= *least);
    Tdg { score, grade: reached.map_or("F", |(grade, _)| grade), components }
}
