//! Quality: grades of functions, technical debt in comments, what became worse, and findings as
//! SARIF. Metrics are stored; scores are taken from the rows and never computed differently here.

mod change;
mod debt;
mod report;
mod rules;
mod sarif;

use std::collections::BTreeMap;

use super::database::Snapshot;
use super::error::EngineError;
use super::history::Scope;
use super::items::{PackageFiles, package_names};
use asof_model::Hint;
use asof_model::{NodeId, NodeKind, Severity};
use asof_query::{ItemQuality, MeasuredItem, Queries};
use asof_syntax::{Figures, GRADES, points};
use asof_wire::{QualityRequest, Tests};

/// A function with a score.
pub(super) struct Measured {
    pub row: MeasuredItem,
    pub figures: Figures,
    pub score: f64,
    pub grade: String,
}

/// The items that a request is about.
pub(super) struct Chosen {
    /// Functions with a score.
    pub functions: Vec<Measured>,
    /// Number of functions without one, because their bodies do not parse.
    pub not_parsed: usize,
    /// Items with technical debt, containers included.
    pub indebted: BTreeMap<NodeId, MeasuredItem>,
}

/// What a request restricts items to.
pub(super) struct Restriction<'r> {
    request: &'r QualityRequest,
    scope: Option<Scope>,
    package: Option<PackageFiles>,
}

impl Snapshot<'_> {
    /// Metrics of items by id. Items that are not measured are missing: those without a body, and
    /// all but functions, unless a comment in them admits technical debt.
    ///
    /// # Errors
    /// A failure of the database.
    pub fn quality_of(&self, ids: &[NodeId]) -> Result<BTreeMap<NodeId, ItemQuality>, EngineError> {
        let rows = Queries::at(self.store(), self.at).quality_of_items(ids)?;
        Ok(rows.into_iter().map(|row| (row.id, row)).collect())
    }

    fn restriction<'r>(
        &self,
        from: &Snapshot<'_>,
        request: &'r QualityRequest,
    ) -> Result<Restriction<'r>, EngineError> {
        let scope = request.path.as_ref().map(|path| self.scope(from, path)).transpose()?;
        let package = request.package.as_deref().map(|wanted| self.package_files(wanted));
        Ok(Restriction { request, scope, package: package.transpose()? })
    }

    fn package_files(&self, wanted: &str) -> Result<PackageFiles, EngineError> {
        let crates = Queries::at(self.store(), self.at).crates()?;
        PackageFiles::find(&crates, wanted).ok_or_else(|| {
            let names = package_names(&crates).into_iter().collect::<Vec<_>>().join(", ");
            let what = format!("no package `{wanted}` in the workspace");
            let hint = Hint::Advice(format!("the packages are: {names}"));
            EngineError::NotFound { what, hint }
        })
    }

    /// The items of a request at this moment.
    fn chosen(&self, restriction: &Restriction<'_>) -> Result<Chosen, EngineError> {
        let mut chosen = Chosen { functions: Vec::new(), not_parsed: 0, indebted: BTreeMap::new() };
        let mut indebted = Vec::new();
        for row in Queries::at(self.store(), self.at).measured()? {
            if !restriction.holds(row.kind, &row.canonical_path, &row.file_path, row.in_test) {
                continue;
            }
            if row.satd_count > 0 {
                indebted.push(row.clone());
            }
            match Measured::from_row(row) {
                Ok(function) => chosen.functions.push(function),
                Err(row) if is_function(row.kind) => chosen.not_parsed += 1,
                Err(_) => {}
            }
        }
        chosen.indebted = indebted.into_iter().map(|row| (row.id, row)).collect();
        Ok(chosen)
    }
}

impl Restriction<'_> {
    pub(super) fn holds(&self, kind: NodeKind, path: &str, file_path: &str, in_test: bool) -> bool {
        let request = self.request;
        request.kind.is_none_or(|wanted| wanted == kind)
            && (request.tests == Tests::Include || !in_test)
            && self.scope.as_ref().is_none_or(|scope| scope.covers(path, file_path))
            && self.package.as_ref().is_none_or(|package| package.holds(file_path))
    }
}

impl Measured {
    /// The row back if it has no score.
    fn from_row(row: MeasuredItem) -> Result<Self, MeasuredItem> {
        match (row.tdg_score, &row.tdg_grade, row.complexity, row.cognitive, row.nesting) {
            (Some(score), Some(grade), Some(cyclomatic), Some(cognitive), Some(nesting)) => {
                let figures = Figures {
                    cyclomatic,
                    cognitive,
                    code_lines: row.code_lines,
                    nesting,
                    parameters: row.parameters,
                    satd: row.satd.iter().map(debt_points).sum(),
                };
                Ok(Self { score, grade: grade.clone(), figures, row })
            }
            _ => Err(row),
        }
    }
}

fn is_function(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Function | NodeKind::Method)
}

/// Points of a stored marker: `[marker, severity, …]`.
fn debt_points(marker: &serde_json::Value) -> u32 {
    let severity = marker.get(1).and_then(serde_json::Value::as_str);
    Severity::ALL.into_iter().find(|one| Some(one.as_str()) == severity).map_or(0, points)
}

/// The least score of a grade.
pub(super) fn least_score(grade: &str) -> Result<f64, EngineError> {
    let known = GRADES.iter().find(|(name, _)| name.eq_ignore_ascii_case(grade));
    known.map(|(_, least)| *least).ok_or_else(|| {
        let names: Vec<&str> = GRADES.iter().map(|(name, _)| *name).collect();
        EngineError::BadRequest {
            what: format!("no grade `{grade}`"),
            hint: Hint::Advice(format!("grades are {}", names.join(", "))),
        }
    })
}
