//! Findings of answers as SARIF, for code scanning.

use std::collections::BTreeMap;

use asof_model::NodeKind;
use asof_wire::{
    ApiDiff, PackageDependencies, ReachResult, Review, SarifFinding, SarifLog, SarifRule,
    SemverLevel, UnusedItems,
};

use crate::text::review::reason_line;

/// Items that are left to read, each once for each reason.
pub fn review(found: &Review) -> SarifLog {
    let mut rules = BTreeMap::new();
    let mut findings = Vec::new();
    for one in &found.read {
        for reason in &one.reasons {
            let rule = reason.reason.as_str();
            rules.entry(rule).or_insert_with(|| {
                let help = "The item is not proven to be the same code: see docs/review.md.";
                SarifRule::new(rule, &format!("left to read: {rule}"), help, "note")
            });
            let line = reason.line.unwrap_or(one.item.line);
            findings.push(SarifFinding {
                rule,
                level: "note",
                message: format!("`{}`: {}", one.item.path, reason_line(reason)),
                path: &one.item.path,
                kind: one.item.kind,
                file_path: &one.item.file_path,
                lines: (line, line),
                detail: &reason.what,
            });
        }
    }
    SarifLog::new(rules.into_values().collect(), findings)
}

/// Items that nothing uses; those that something uncertain may use are notes.
pub fn unused(found: &UnusedItems) -> SarifLog {
    let mut rules = BTreeMap::new();
    let mut findings = Vec::new();
    for one in &found.answer.items {
        let rule = one.reason.as_str();
        let level = if one.certain { "warning" } else { "note" };
        rules.entry(rule).or_insert_with(|| {
            let help = "Delete it, or mark it with `#[allow(dead_code)]` if it stays.";
            SarifRule::new(rule, &format!("unused: {}", rule.replace('_', " ")), help, level)
        });
        findings.push(SarifFinding {
            rule,
            level,
            message: format!("nothing uses `{}`", one.path),
            path: &one.path,
            kind: one.kind,
            file_path: &one.file_path,
            lines: (one.line, one.line),
            detail: "",
        });
    }
    SarifLog::new(rules.into_values().collect(), findings)
}

/// Items that reach a set; possible paths, and those under other conditions, are notes.
pub fn reach(found: &ReachResult) -> SarifLog {
    let mut rules = BTreeMap::new();
    let mut findings = Vec::new();
    for one in &found.answer.items {
        let rule = one.set.as_str();
        let is_certain = one.certain && one.other_condition.is_none();
        let level = if is_certain { "warning" } else { "note" };
        rules.entry(rule).or_insert_with(|| {
            let help = "The message has the steps of a shortest path: see docs/reach.md.";
            SarifRule::new(rule, &format!("reaches: {rule}"), help, "warning")
        });
        let verb = if one.certain { "reaches" } else { "may reach" };
        let steps: Vec<&str> = one.steps.iter().map(|step| step.target.as_str()).collect();
        findings.push(SarifFinding {
            rule,
            level,
            message: format!("`{}` {verb} {}", one.path, steps.join(" → ")),
            path: &one.path,
            kind: one.kind.parse().unwrap_or(NodeKind::Function),
            file_path: &one.file_path,
            lines: (one.line, one.line),
            detail: "",
        });
    }
    SarifLog::new(rules.into_values().collect(), findings)
}

/// Entries of manifests that should not be where they are; doubtful ones are notes.
pub fn dependencies(found: &PackageDependencies) -> SarifLog {
    let mut rules = BTreeMap::new();
    let mut findings = Vec::new();
    for one in &found.answer.items {
        let Some(finding) = one.finding else { continue };
        let rule = finding.as_str();
        let level = if one.certain { "warning" } else { "note" };
        rules.entry(rule).or_insert_with(|| {
            let help = "Remove the entry, or move it: see docs/deps.md.";
            SarifRule::new(rule, &format!("dependency: {}", rule.replace('_', " ")), help, level)
        });
        findings.push(SarifFinding {
            rule,
            level,
            message: format!("`{}`: {}", one.key, rule.replace('_', " ")),
            path: &one.key,
            kind: NodeKind::ExternCrate,
            file_path: &one.manifest_path,
            lines: (one.line, one.line),
            detail: one.table.as_str(),
        });
    }
    SarifLog::new(rules.into_values().collect(), findings)
}

/// Changes of public interfaces: errors where the version of the package does not allow them.
pub fn api(found: &ApiDiff) -> SarifLog {
    let mut rules = BTreeMap::new();
    let mut findings = Vec::new();
    for package in &found.answer.items {
        for change in &package.changes {
            let rule = change.rule.split(' ').next().unwrap_or(&change.rule);
            rules.entry(rule).or_insert_with(|| {
                let help = "By the semver rules of the Cargo book; see docs/diff.md.";
                let short = rule.replace('_', " ");
                SarifRule::new(rule, &short, help, "note")
            });
            let is_allowed = package.allowed.is_some_and(|allowed| change.level <= allowed);
            let level = match change.level {
                SemverLevel::Patch => "note",
                _ if is_allowed => "note",
                SemverLevel::Minor => "warning",
                SemverLevel::Major => "error",
            };
            let line = change.line.unwrap_or(1);
            findings.push(SarifFinding {
                rule,
                level,
                message: format!(
                    "`{}` ({}): {}",
                    change.path,
                    change.level.as_str(),
                    change.reason
                ),
                path: &change.path,
                kind: change.kind.parse().unwrap_or(NodeKind::Unknown),
                file_path: &change.file_path,
                lines: (line, line),
                detail: &change.rule,
            });
        }
    }
    SarifLog::new(rules.into_values().collect(), findings)
}
