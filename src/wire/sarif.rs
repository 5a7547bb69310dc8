//! The part of SARIF 2.1.0 that findings need. The crate `serde-sarif` has all of it, but
//! generates it at build time with a second regex engine and two older versions of `syn`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Address of the schema.
pub const SARIF_SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A SARIF log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifLog {
    /// Address of the schema.
    #[serde(rename = "$schema")]
    pub schema: String,
    /// `2.1.0`.
    pub version: String,
    /// One run.
    pub runs: Vec<SarifRun>,
}

/// A run of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifRun {
    /// The tool with its rules.
    pub tool: SarifTool,
    /// `utf16CodeUnits` or `unicodeCodePoints`.
    pub column_kind: String,
    /// The findings.
    pub results: Vec<SarifResult>,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifTool {
    /// Its only component.
    pub driver: SarifDriver,
}

/// Name and rules of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifDriver {
    /// `asof`.
    pub name: String,
    /// Version of the tool.
    pub version: String,
    /// The same, as a semantic version.
    pub semantic_version: String,
    /// Every rule that was checked.
    pub rules: Vec<SarifRule>,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifRule {
    /// Id: `quality/cognitive`.
    pub id: String,
    /// What it forbids, in a sentence.
    pub short_description: SarifText,
    /// Why, and what to do about a finding.
    pub help: SarifText,
    /// Level of its findings.
    pub default_configuration: SarifLevel,
}

/// A text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifText {
    /// The text.
    pub text: String,
}

/// A level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifLevel {
    /// `error`, `warning` or `note`.
    pub level: String,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult {
    /// Id of the rule.
    pub rule_id: String,
    /// Index of the rule in the driver's list.
    pub rule_index: usize,
    /// `error`, `warning` or `note`.
    pub level: String,
    /// What was found.
    pub message: SarifText,
    /// Its only place.
    pub locations: Vec<SarifLocation>,
    /// What identifies the finding in every revision: the canonical path and the rule.
    pub partial_fingerprints: BTreeMap<String, String>,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifLocation {
    /// File and lines.
    pub physical_location: SarifPhysicalLocation,
    /// The item.
    pub logical_locations: Vec<SarifLogicalLocation>,
}

/// File and lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifPhysicalLocation {
    /// The file.
    pub artifact_location: SarifArtifact,
    /// The lines.
    pub region: SarifRegion,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifArtifact {
    /// Relative to the root, percent-encoded.
    pub uri: String,
    /// `%SRCROOT%`: the root of the workspace.
    pub uri_base_id: String,
}

/// Lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifRegion {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// An item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SarifLogicalLocation {
    /// Canonical path.
    pub fully_qualified_name: String,
    /// `function`, `module`, `type` or `member`.
    pub kind: String,
}
