//! The report: grades, the functions with the lowest scores, technical debt.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Instant;

use super::rules::broken;
use super::{Chosen, Measured, least_score};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, Severity};
use asof_query::Queries;
use asof_syntax::{GRADES, tdg};
use asof_wire::{
    GradeCount, QualityComponent, QualityItem, QualityLimits, QualityReport, QualityRequest,
    QualitySummary,
};

impl Snapshot<'_> {
    /// Grades of all functions of a request, those with the lowest scores, and technical debt. With
    /// limits, only functions beyond one of them are listed. With an earlier snapshot, also what
    /// changed since.
    ///
    /// # Errors
    /// A path that names nothing, a package or grade that does not exist, an earlier moment that is
    /// later; a failure of the database.
    pub fn quality(
        &self,
        request: &QualityRequest,
        since: Option<&Snapshot<'_>>,
    ) -> Result<QualityReport, EngineError> {
        let started = Instant::now();
        let least = request.limits.min_grade.as_deref().map(least_score).transpose()?;
        let restriction = self.restriction(since.unwrap_or(self), request)?;
        let chosen = self.chosen(&restriction)?;
        let changes = match since {
            Some(from) => Some(self.quality_changes(from, &restriction)?),
            None => None,
        };
        let summary = summary(&chosen);
        let mut satd = self.debt(&chosen)?;
        let rank = |severity: &str| Severity::ALL.iter().position(|one| one.as_str() == severity);
        satd.sort_by_key(|debt| Reverse(rank(&debt.severity)));
        satd.truncate(request.limit.unwrap_or(usize::MAX));
        let mut listed = chosen.functions;
        if request.limits != QualityLimits::default() {
            listed.retain(|item| !broken(item, &request.limits, least).is_empty());
        }
        listed.sort_by(|a, b| {
            let key = |item: &Measured| {
                (Reverse(item.figures.cyclomatic), Reverse(item.figures.code_lines))
            };
            let by_path = || a.row.canonical_path.cmp(&b.row.canonical_path);
            a.score
                .total_cmp(&b.score)
                .then(key(a).cmp(&key(b)))
                .then_with(by_path)
                .then(a.row.id.cmp(&b.row.id))
        });
        let total = listed.len();
        listed.truncate(request.limit.unwrap_or(usize::MAX));
        let mut answer = self.answer(started, self.with_places(listed)?, None);
        (answer.total, answer.truncated) = (total, answer.items.len() < total);
        Ok(QualityReport { summary, satd, changes, answer })
    }

    /// Functions with their lines.
    pub(super) fn with_places(
        &self,
        listed: Vec<Measured>,
    ) -> Result<Vec<QualityItem>, EngineError> {
        let ids: Vec<NodeId> = listed.iter().map(|item| item.row.id).collect();
        let described = Queries::at(self.store(), self.at).describe(&ids)?;
        let lines: BTreeMap<NodeId, (u32, u32)> =
            described.iter().map(|item| (item.id, (item.name_line, item.end_line))).collect();
        let with_place = |item: Measured| {
            let place = lines.get(&item.row.id).copied();
            let (line, end_line) = place.ok_or_else(|| EngineError::State {
                what: "metric",
                reason: format!("its item {} has no row", item.row.id),
            })?;
            Ok(QualityItem {
                id: item.row.id,
                path: item.row.canonical_path,
                kind: item.row.kind,
                file_path: item.row.file_path,
                line,
                end_line,
                in_test: item.row.in_test,
                tdg_score: item.score,
                tdg_grade: item.grade,
                complexity: item.figures.cyclomatic,
                cognitive: item.figures.cognitive,
                nesting: item.figures.nesting,
                parameters: item.figures.parameters,
                loc: item.row.loc,
                code_lines: item.row.code_lines,
                comment_lines: item.row.comment_lines,
                big_o: item.row.big_o.unwrap_or_default(),
                big_o_reason: item.row.big_o_reason.unwrap_or_default(),
                satd_count: item.row.satd_count,
                components: tdg(&item.figures)
                    .components
                    .iter()
                    .map(|part| QualityComponent {
                        name: part.name.to_owned(),
                        value: part.value,
                        penalty: (part.penalty * 10.0).round() / 10.0,
                        weight: part.weight,
                    })
                    .collect(),
            })
        };
        listed.into_iter().map(with_place).collect()
    }
}

/// Counts over all chosen items.
pub(super) fn summary(chosen: &Chosen) -> QualitySummary {
    let functions = &chosen.functions;
    let count = |grade: &str| functions.iter().filter(|item| item.grade == grade).count();
    let grades = GRADES.iter().map(|(grade, _)| (*grade, count(grade))).filter(|(_, n)| *n > 0);
    let mean = |of: &dyn Fn(&Measured) -> f64| {
        let sum: f64 = functions.iter().map(of).sum();
        (!functions.is_empty()).then(|| (sum / functions.len() as f64 * 100.0).round() / 100.0)
    };
    let complexity = || functions.iter().map(|item| item.figures.cyclomatic);
    QualitySummary {
        functions: functions.len(),
        not_parsed: chosen.not_parsed,
        grades: grades
            .map(|(grade, functions)| GradeCount { grade: grade.to_owned(), functions })
            .collect(),
        avg_score: mean(&|item| item.score),
        avg_complexity: mean(&|item| f64::from(item.figures.cyclomatic)),
        complexity_range: complexity().min().zip(complexity().max()).map(|(a, b)| [a, b]),
        code_lines: functions.iter().map(|item| u64::from(item.figures.code_lines)).sum(),
        total_satd: chosen.indebted.values().map(|row| row.satd_count as usize).sum(),
    }
}
