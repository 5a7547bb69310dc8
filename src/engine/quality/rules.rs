//! Rules that a function can break, and their findings.

use super::Measured;
use asof_wire::{QualityLimits, SarifRule};

/// A rule about a figure of a function.
pub(super) struct Rule {
    pub id: &'static str,
    pub short: &'static str,
    pub help: &'static str,
    pub level: &'static str,
}

/// Rules in the order of [`QualityLimits`], and that of technical debt last.
pub(super) const RULES: [Rule; 7] = [
    Rule {
        id: "quality/grade",
        short: "The technical debt grade is below the limit.",
        help: "The score combines complexity, length, nesting, parameters and admitted debt. \
               Reduce the component with the largest penalty first.",
        level: "warning",
    },
    Rule {
        id: "quality/cyclomatic",
        short: "The function has too many independent paths.",
        help: "Each decision adds a path that a test has to take. Move branches into functions of \
               their own, or replace them by a table.",
        level: "warning",
    },
    Rule {
        id: "quality/cognitive",
        short: "The function is too hard to read.",
        help: "Nested control structures cost most. Return early, and move the body of a loop or \
               branch into a function with a name.",
        level: "warning",
    },
    Rule {
        id: "quality/length",
        short: "The function is too long.",
        help: "Lines with code count, comments and blank lines do not. Split the function where its \
               steps could have names.",
        level: "warning",
    },
    Rule {
        id: "quality/nesting",
        short: "Control structures are nested too deeply.",
        help: "Return or continue early, use `let … else`, or move the inner part into a function.",
        level: "warning",
    },
    Rule {
        id: "quality/parameters",
        short: "The function has too many parameters.",
        help: "Group parameters that belong together in a struct. The receiver counts.",
        level: "warning",
    },
    Rule {
        id: "quality/debt",
        short: "A comment admits technical debt.",
        help: "Do what the comment asks for, or turn it into an issue and remove it. FIXME and BUG \
               are warnings; HACK, XXX, WORKAROUND, KLUDGE and TODO are notes.",
        level: "note",
    },
];

/// Index of the rule about debt.
pub(super) const DEBT: usize = 6;

/// What a report in SARIF checks unless it is told otherwise: McCabe's upper limit for complexity
/// with a reason, and the limits of Clippy's lints.
pub(super) fn default_limits() -> QualityLimits {
    QualityLimits {
        min_grade: Some("C".to_owned()),
        max_complexity: Some(15),
        max_cognitive: Some(25),
        max_lines: Some(100),
        max_nesting: Some(5),
        max_parameters: Some(7),
    }
}

/// Limits, those that are not given taken from others.
pub(super) fn or(limits: &QualityLimits, others: QualityLimits) -> QualityLimits {
    QualityLimits {
        min_grade: limits.min_grade.clone().or(others.min_grade),
        max_complexity: limits.max_complexity.or(others.max_complexity),
        max_cognitive: limits.max_cognitive.or(others.max_cognitive),
        max_lines: limits.max_lines.or(others.max_lines),
        max_nesting: limits.max_nesting.or(others.max_nesting),
        max_parameters: limits.max_parameters.or(others.max_parameters),
    }
}

/// The rules that a function breaks: index and message. `least`: score of the lowest grade that is
/// accepted.
pub(super) fn broken(
    item: &Measured,
    limits: &QualityLimits,
    least: Option<f64>,
) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    if let (Some(least), Some(grade)) = (least, &limits.min_grade)
        && item.score < least
    {
        let (score, own) = (item.score, &item.grade);
        found.push((0, format!("grade {own} ({score}) is below {grade}")));
    }
    let figures = item.figures;
    for (rule, value, limit, name) in [
        (1, figures.cyclomatic, limits.max_complexity, "cyclomatic complexity"),
        (2, figures.cognitive, limits.max_cognitive, "cognitive complexity"),
        (3, figures.code_lines, limits.max_lines, "number of lines with code"),
        (4, figures.nesting, limits.max_nesting, "nesting depth"),
        (5, figures.parameters, limits.max_parameters, "number of parameters"),
    ] {
        if let Some(limit) = limit.filter(|limit| value > *limit) {
            found.push((rule, format!("{name} {value} is above {limit}")));
        }
    }
    found
}

impl Rule {
    pub(super) fn to_sarif(&self) -> SarifRule {
        SarifRule::new(self.id, self.short, self.help, self.level)
    }
}
