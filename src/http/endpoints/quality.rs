//! Quality of functions, and where it changes.

use asof::Refresh;
use asof::model::NodeKind;
use asof::wire::{HotspotRequest, QualityLimits, QualityReport, QualityRequest, Tests, When};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::endpoint::{DependsOn, Endpoint, Moment};
use crate::surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment("/api/quality", "Grades of functions, and the worst of them", quality)
            .pages(10)
            .depends_on(DependsOn::Moments(&["since"])),
        Endpoint::at_moment(
            "/api/hotspots",
            "Functions that change often and are complex",
            |moment, given: HotspotRequest| Ok(moment.snapshot.hotspots(&given)?),
        )
        .pages(50)
        .depends_on(DependsOn::Moments(&["since"])),
        Endpoint::at_moment(
            "/api/hotspots/pairs",
            "Functions that the same revisions changed",
            |moment, given: HotspotRequest| Ok(moment.snapshot.coupling(&given)?),
        )
        .pages(50)
        .depends_on(DependsOn::Moments(&["since"])),
        Endpoint::at_moment(
            "/api/hotspots/owners",
            "Who made the versions of functions",
            |moment, given: HotspotRequest| Ok(moment.snapshot.ownership(&given)?),
        )
        .pages(50)
        .depends_on(DependsOn::Moments(&["since"])),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Request {
    /// Only this item with its contents, this module, file or folder.
    path: Option<String>,
    /// Only files of this package.
    package: Option<String>,
    /// Only items of this kind.
    kind: Option<NodeKind>,
    /// Whether test code is included.
    #[serde(default)]
    tests: Tests,
    /// Also what became worse and better since this moment.
    since: Option<When>,
    #[serde(flatten)]
    limits: QualityLimits,
    limit: Option<usize>,
}

fn quality(moment: &Moment<'_>, given: Request) -> Result<QualityReport, Problem> {
    let Request { path, package, kind, tests, since, limits, limit } = given;
    let request = QualityRequest { path, package, kind, tests, limits, limit };
    let since = since.map(|when| moment.ask.database.snapshot(&when, Refresh::Skip)).transpose()?;
    Ok(moment.snapshot.quality(&request, since.as_ref())?)
}
