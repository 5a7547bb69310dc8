//! Quality: the counts, and what a score is made of.

use asof_wire::{QualityItem, QualitySummary};

use super::plural;

/// What costs a function points, the most costly first.
pub fn costs(item: &QualityItem) -> String {
    let mut parts: Vec<_> = item.components.iter().filter(|part| part.penalty > 0.0).collect();
    parts.sort_by(|a, b| b.penalty.total_cmp(&a.penalty));
    let costs = parts.iter().map(|part| format!("{} {} −{}", part.name, part.value, part.penalty));
    costs.collect::<Vec<_>>().join(", ")
}

/// The counts in a line.
pub fn summary(summary: &QualitySummary) -> String {
    let functions = plural(summary.functions, "function");
    let (Some(score), Some(complexity), Some([low, high])) =
        (summary.avg_score, summary.avg_complexity, summary.complexity_range)
    else {
        return format!("{functions} | Total SATD: {}", summary.total_satd);
    };
    let broken = match summary.not_parsed {
        0 => String::new(),
        n => format!(" | {n} without a score, because they do not parse"),
    };
    format!(
        "{functions} | Avg score: {score:.1} | Avg complexity: {complexity:.1} | Complexity: \
         {low}-{high} | Total SATD: {}{broken}",
        summary.total_satd
    )
}
