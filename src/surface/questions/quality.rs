//! Quality of functions, and where it changes.

use asof_engine::Refresh;
use asof_model::NodeKind;
use asof_wire::{QualityLimits, QualityReport, QualityRequest, Tests, When};
use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{DependsOn, Moment, Question, Request};
use crate::listing::Listing;
use crate::problem::Problem;
use crate::target::find_place;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct GradesRequest {
    /// Only this item with its contents, this module, file or folder
    pub path: Option<String>,
    /// Only files of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Only items of this kind: function or method
    #[arg(long)]
    pub kind: Option<NodeKind>,
    /// Whether test code is included.
    #[serde(default, alias = "exclude_tests")]
    #[command(flatten)]
    pub tests: Tests,
    /// Also list what became worse and better since a moment, given as for `at`
    #[arg(long, value_parser = When::read, value_name = "WHEN", allow_hyphen_values = true)]
    pub since: Option<When>,
    #[serde(flatten)]
    #[command(flatten)]
    pub limits: QualityLimits,
    #[arg(skip)]
    pub limit: Option<usize>,
}

impl Request for GradesRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        find_place(&mut self.path, file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

impl From<GradesRequest> for QualityRequest {
    fn from(given: GradesRequest) -> Self {
        let GradesRequest { path, package, kind, tests, since: _, limits, limit } = given;
        Self { path, package, kind, tests, limits, limit }
    }
}

pub const QUALITY: Question<GradesRequest, QualityReport> = Question::new(
    "/api/quality",
    "Grades of functions, and the worst of them",
    quality,
    Listing {
        columns: &[
            ("grade", "{tdg_grade}"),
            ("score", "{tdg_score}"),
            ("path", "{path}"),
            ("place", "{file_path}:{line}"),
            ("complexity", "{complexity}"),
            ("cognitive", "{cognitive}"),
            ("nesting", "{nesting}"),
            ("lines", "{code_lines}"),
            ("parameters", "{parameters}"),
            ("debt", "{satd_count}"),
            ("time", "{big_o}"),
            ("kind", "{kind}"),
        ],
        keys: "id path kind file_path line end_line in_test tdg_score tdg_grade complexity \
               cognitive nesting parameters loc code_lines comment_lines big_o big_o_reason \
               satd_count components",
    },
)
.pages(10)
.depends_on(DependsOn::Moments(&["since"]));

fn quality(moment: &Moment<'_, '_>, given: GradesRequest) -> Result<QualityReport, Problem> {
    // The earlier moment comes second: NOW is brought up to date once.
    let since = given.since.as_ref();
    let since = since.map(|when| moment.database.snapshot(when, Refresh::Skip)).transpose()?;
    Ok(moment.snapshot.quality(&given.into(), since.as_ref())?)
}
