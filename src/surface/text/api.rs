//! Text of the differences between public interfaces.

use super::plural;
use asof_wire::{ApiChange, ApiDiff, PackageApi};

/// Each package with its changes, the most severe first, at most so many.
pub fn diff(found: &ApiDiff, limit: Option<usize>) -> String {
    found.answer.items.iter().map(|one| package(one, limit)).collect()
}

fn package(package: &PackageApi, limit: Option<usize>) -> String {
    let bold = anstyle::Style::new().bold();
    let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "-".to_owned());
    let versions = if package.old_version == package.new_version {
        version(&package.new_version)
    } else {
        format!("{} → {}", version(&package.old_version), version(&package.new_version))
    };
    let verdict = match (package.changes.is_empty(), package.sufficient, package.allowed) {
        (true, ..) => "no changes".to_owned(),
        (_, true, _) => format!("{} changes", package.required.as_str()),
        (_, false, None) => format!("{} changes, and no new version", package.required.as_str()),
        (_, false, Some(allowed)) => format!(
            "{} changes, and the version allows {}",
            package.required.as_str(),
            allowed.as_str()
        ),
    };
    let mut out = format!("{bold}{} {versions}{bold:#}: {verdict}\n", package.package);
    let mut changes: Vec<&ApiChange> = package.changes.iter().collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.level));
    let shown = limit.unwrap_or(changes.len());
    out.extend(changes.iter().take(shown).map(|change| line(change)));
    if changes.len() > shown {
        out.push_str(&format!("  … {} more\n", changes.len() - shown));
    }
    if package.hidden_changes > 0 {
        let changes = plural(package.hidden_changes, "change");
        out.push_str(&format!("  {changes} to hidden items left out\n"));
    }
    out
}

fn line(change: &ApiChange) -> String {
    let dim = anstyle::Style::new().dimmed();
    let place = match change.line {
        Some(line) => format!("  {}:{line}", change.file_path),
        None => String::new(),
    };
    let head = format!(
        "  {:5} {}  {} {}: {}{dim}{place}{dim:#}\n",
        change.level.as_str(),
        change.rule,
        change.kind,
        change.path,
        change.reason
    );
    let both = change.old_signature.as_ref().zip(change.new_signature.as_ref());
    match both.filter(|(old, new)| old != new) {
        Some((old, new)) => format!("{head}        - {old}\n        + {new}\n"),
        None => head,
    }
}
