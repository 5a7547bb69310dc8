//! Findings as SARIF.

use super::rules::{DEBT, RULES, Rule, broken, default_limits, or};
use super::{Measured, least_score};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_wire::{DebtMarker, QualityRequest, SarifFinding, SarifLog};

impl Snapshot<'_> {
    /// Every function beyond a limit and every comment that admits debt, as a SARIF log. Limits that
    /// are not given have defaults.
    ///
    /// # Errors
    /// As [`Snapshot::quality`].
    pub fn quality_sarif(&self, request: &QualityRequest) -> Result<SarifLog, EngineError> {
        let limits = or(&request.limits, default_limits());
        let least = limits.min_grade.as_deref().map(least_score).transpose()?;
        let chosen = self.chosen(&self.restriction(self, request)?)?;
        let debt = self.debt(&chosen)?;
        let mut findings: Vec<(Measured, Vec<(usize, String)>)> = chosen
            .functions
            .into_iter()
            .map(|item| {
                let rules = broken(&item, &limits, least);
                (item, rules)
            })
            .filter(|(_, rules)| !rules.is_empty())
            .collect();
        let rules: Vec<_> = findings.iter_mut().map(|(_, rules)| std::mem::take(rules)).collect();
        let items = self.with_places(findings.into_iter().map(|(item, _)| item).collect())?;
        let mut results = Vec::new();
        for (item, rules) in items.iter().zip(rules) {
            let (path, file_path) = (item.path.as_str(), item.file_path.as_str());
            let lines = (item.line, item.end_line);
            for (rule, message) in rules {
                let Some(rule) = RULES.get(rule) else { continue };
                results.push(SarifFinding {
                    rule: rule.id,
                    level: rule.level,
                    message: format!("`{path}`: {message}"),
                    path,
                    kind: item.kind,
                    file_path,
                    lines,
                    detail: "",
                });
            }
        }
        results.extend(debt.iter().map(of_debt));
        Ok(SarifLog::new(RULES.iter().map(Rule::to_sarif).collect(), results))
    }
}

fn of_debt(debt: &DebtMarker) -> SarifFinding<'_> {
    let rule = &RULES[DEBT];
    SarifFinding {
        rule: rule.id,
        level: if debt.severity == "high" { "warning" } else { rule.level },
        message: debt.text.clone(),
        path: &debt.path,
        kind: debt.kind,
        file_path: &debt.file_path,
        lines: (debt.line, debt.line),
        detail: &debt.text,
    }
}
