//! The part of SARIF 2.1.0 that findings need. The crate `serde-sarif` has all of it, but
//! generates it at build time with a second regex engine and two older versions of `syn`.

use std::collections::BTreeMap;

use asof_model::NodeKind;
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

/// Name of the fingerprint; its number changes with the way in which it is made.
const FINGERPRINT: &str = "canonicalPathAndRule/v1";

/// What is found at an item, for [`SarifLog::new`].
#[derive(Debug, Clone)]
pub struct SarifFinding<'a> {
    /// Id of the rule.
    pub rule: &'a str,
    /// `error`, `warning` or `note`.
    pub level: &'a str,
    pub message: String,
    /// Canonical path of the item.
    pub path: &'a str,
    pub kind: NodeKind,
    /// File, relative to the root.
    pub file_path: &'a str,
    /// First and last line, from 1.
    pub lines: (u32, u32),
    /// What tells it from others of the same item and rule; may be empty.
    pub detail: &'a str,
}

impl SarifLog {
    /// A log of findings. Fingerprints are made of canonical path and rule, so that a finding stays
    /// the same when its lines move.
    pub fn new<'a>(
        rules: Vec<SarifRule>,
        findings: impl IntoIterator<Item = SarifFinding<'a>>,
    ) -> Self {
        let result = |finding: SarifFinding<'a>| {
            let index = rules.iter().position(|rule| rule.id == finding.rule);
            SarifResult::new(finding, index.unwrap_or_default())
        };
        let mut results: Vec<SarifResult> = findings.into_iter().map(result).collect();
        distinguish(&mut results);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let driver = SarifDriver {
            name: "asof".to_owned(),
            semantic_version: version.clone(),
            version,
            rules,
        };
        let run = SarifRun {
            tool: SarifTool { driver },
            column_kind: "unicodeCodePoints".to_owned(),
            results,
        };
        Self { schema: SARIF_SCHEMA.to_owned(), version: "2.1.0".to_owned(), runs: vec![run] }
    }
}

impl SarifRule {
    /// A rule. `level`: what its findings are unless they say otherwise.
    pub fn new(id: &str, short: &str, help: &str, level: &str) -> Self {
        let text = |text: &str| SarifText { text: text.to_owned() };
        Self {
            id: id.to_owned(),
            short_description: text(short),
            help: text(help),
            default_configuration: SarifLevel { level: level.to_owned() },
        }
    }
}

impl SarifResult {
    fn new(finding: SarifFinding<'_>, rule_index: usize) -> Self {
        let SarifFinding { rule, level, message, path, kind, file_path, lines, detail } = finding;
        let mut fingerprint = format!("{path} {rule}");
        if !detail.is_empty() {
            fingerprint.push_str(&format!(" {detail}"));
        }
        Self {
            rule_id: rule.to_owned(),
            rule_index,
            level: level.to_owned(),
            message: SarifText { text: message },
            locations: vec![SarifLocation {
                physical_location: SarifPhysicalLocation {
                    artifact_location: SarifArtifact {
                        uri: encoded(file_path),
                        uri_base_id: "%SRCROOT%".to_owned(),
                    },
                    region: SarifRegion {
                        start_line: lines.0.max(1),
                        end_line: lines.1.max(lines.0).max(1),
                    },
                },
                logical_locations: vec![SarifLogicalLocation {
                    fully_qualified_name: path.to_owned(),
                    kind: match kind {
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
