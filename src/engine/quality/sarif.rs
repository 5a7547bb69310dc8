//! Findings as SARIF. Fingerprints are made of canonical path and rule, so that a finding stays the
//! same when its lines move.

use std::collections::BTreeMap;

use super::rules::{DEBT, RULES, Rule, broken, default_limits, or};
use super::{Measured, least_score};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::NodeKind;
use asof_wire::{
    DebtMarker, QualityRequest, SARIF_SCHEMA, SarifArtifact, SarifDriver, SarifLocation, SarifLog,
    SarifLogicalLocation, SarifPhysicalLocation, SarifRegion, SarifResult, SarifRun, SarifText,
    SarifTool,
};

/// Name of the fingerprint; its number changes with the way in which it is made.
const FINGERPRINT: &str = "canonicalPathAndRule/v1";

/// Where a finding is.
struct Place<'a> {
    path: &'a str,
    kind: NodeKind,
    file_path: &'a str,
    lines: (u32, u32),
}

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
                let place = Place { path, kind: item.kind, file_path, lines };
                results.push(result(rule, None, format!("`{path}`: {message}"), &place, ""));
            }
        }
        results.extend(debt.iter().map(of_debt));
        distinguish(&mut results);
        let driver = SarifDriver {
            name: "asof".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            semantic_version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: RULES.iter().map(Rule::to_sarif).collect(),
        };
        let run = SarifRun {
            tool: SarifTool { driver },
            column_kind: "unicodeCodePoints".to_owned(),
            results,
        };
        let (schema, version) = (SARIF_SCHEMA.to_owned(), "2.1.0".to_owned());
        Ok(SarifLog { schema, version, runs: vec![run] })
    }
}

fn of_debt(debt: &DebtMarker) -> SarifResult {
    let level = if debt.severity == "high" { Some("warning") } else { None };
    let place = Place {
        path: &debt.path,
        kind: debt.kind,
        file_path: &debt.file_path,
        lines: (debt.line, debt.line),
    };
    result(DEBT, level, debt.text.clone(), &place, &debt.text)
}

/// A finding. `of`: what tells it from others of the same item and rule.
fn result(
    rule: usize,
    level: Option<&str>,
    message: String,
    place: &Place<'_>,
    of: &str,
) -> SarifResult {
    let (id, usual) = RULES.get(rule).map_or(("", ""), |rule| (rule.id, rule.level));
    let mut fingerprint = format!("{} {id}", place.path);
    if !of.is_empty() {
        fingerprint.push_str(&format!(" {of}"));
    }
    SarifResult {
        rule_id: id.to_owned(),
        rule_index: rule,
        level: level.unwrap_or(usual).to_owned(),
        message: SarifText { text: message },
        locations: vec![SarifLocation {
            physical_location: SarifPhysicalLocation {
                artifact_location: SarifArtifact {
                    uri: encoded(place.file_path),
                    uri_base_id: "%SRCROOT%".to_owned(),
                },
                region: SarifRegion {
                    start_line: place.lines.0.max(1),
                    end_line: place.lines.1.max(1),
                },
            },
            logical_locations: vec![SarifLogicalLocation {
                fully_qualified_name: place.path.to_owned(),
                kind: match place.kind {
                    NodeKind::Function => "function",
                    NodeKind::Module => "module",
                    NodeKind::Method | NodeKind::Field | NodeKind::Variant => "member",
                    _ => "type",
                }
                .to_owned(),
            }],
        }],
        partial_fingerprints: BTreeMap::from([(FINGERPRINT.to_owned(), fingerprint)]),
    }
}

/// Items with the same path (under different `cfg`s) and equal comments have the same fingerprint:
/// from the second on, it gets a number.
fn distinguish(results: &mut [SarifResult]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for fingerprint in results.iter_mut().flat_map(|r| r.partial_fingerprints.values_mut()) {
        let times = seen.entry(fingerprint.clone()).or_default();
        *times += 1;
        if *times > 1 {
            fingerprint.push_str(&format!(" #{times}"));
        }
    }
}

/// A path as a relative URI.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let one =
        |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(one).collect()
}
