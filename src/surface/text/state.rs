//! The database as a whole, in words.

use asof_wire::{BackupManifest, BundleReport, Freshness, HistoryImport, Status, Verification};

use super::times::local;
use super::words::{plural, size, some};

/// What a database contains, and whether it is up to date.
pub fn status(found: &Status) -> String {
    let mut out = match (&found.basis.revision, &found.basis.at) {
        (Some(revision), Some(at)) => {
            let id: String = revision.to_string().chars().take(8).collect();
            let cause = found.cause.as_deref().unwrap_or("unknown cause");
            let at = local(at);
            format!("{}: revision {id} of {at} ({cause})\n", freshness(found))
        }
        _ => "nothing indexed yet\n".to_owned(),
    };
    let count = |number: u64, noun| plural(usize::try_from(number).unwrap_or(usize::MAX), noun);
    out.push_str(&format!(
        "{}, {}, {}\n",
        count(found.files, "file"),
        count(found.definitions, "item"),
        plural(found.revisions, "revision"),
    ));
    if let Some(database) = &found.database {
        out.push_str(&format!("{} in {database}\n", size(found.bytes)));
    }
    if let Some(known) = found.dependencies_known {
        let missing = match found.dependencies_missing {
            Some(missing) => format!(", the sources of {missing} more are missing"),
            None => String::new(),
        };
        let read = if known == 1 { "dependency" } else { "dependencies" };
        out.push_str(&format!("{known} {read} read{missing}\n"));
    }
    if found.issues > 0 {
        out.push_str(&format!(
            "{}: what could not be read or parsed\n",
            count(found.issues, "issue")
        ));
    }
    if let Some(moved) = found.moved_commits {
        let commits = plural(moved, "commit");
        out.push_str(&format!("{commits} at other times than Git's dates\n"));
    }
    if let Some(ahead) = found.ahead_of_clock_s {
        let seconds = plural(usize::try_from(ahead).unwrap_or(usize::MAX), "second");
        out.push_str(&format!("the newest revision is {seconds} later than the clock\n"));
    }
    if let Some(import) = &found.history_import {
        out.push_str(&format!("{}\n", history_import(import)));
    }
    out
}

fn freshness(found: &Status) -> String {
    let stale = &found.basis.stale_files;
    match found.basis.freshness_state {
        Freshness::Fresh => "up to date".to_owned(),
        Freshness::Stale if stale.is_empty() => "not up to date".to_owned(),
        Freshness::Stale => {
            let (files, differ) =
                (plural(stale.len(), "file"), if stale.len() == 1 { "s" } else { "" });
            format!("not up to date, {files} differ{differ} ({})", some(stale))
        }
        Freshness::Unknown => "not compared with files".to_owned(),
    }
}

/// How far an import of the history is.
pub fn history_import(import: &HistoryImport) -> String {
    let commits = match import.selected {
        Some(selected) => format!("{} of {}", import.imported, plural(selected, "commit")),
        None => plural(import.imported, "commit"),
    };
    let state = if import.is_running {
        "the import of the history is running"
    } else {
        "an import of the history was stopped, and the next one continues it"
    };
    format!("{state}: {commits}")
}

/// What a check of the database found.
pub fn verification(found: &Verification) -> String {
    let mut out = format!(
        "{}: {} rows and {} texts read, {}\n",
        if found.sound { "no damage" } else { "damaged" },
        found.rows,
        found.texts,
        size(found.bytes),
    );
    for finding in &found.findings {
        out.push_str(&format!("  {}  {}: {}\n", finding.check, finding.subject, finding.message));
    }
    let stale = &found.stale_files;
    if !stale.is_empty() {
        let files = plural(stale.len(), "file");
        out.push_str(&format!("{files} changed since the last index: {}\n", some(stale)));
    }
    out
}

/// What is done with a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackupStep {
    Created,
    Verified,
    Inspected,
    Restored,
}

/// What was done with a backup, and what is in it. `file`: as given.
pub fn backup(step: BackupStep, file: &str, manifest: &BackupManifest) -> String {
    let done = match step {
        BackupStep::Created => format!("created {file}"),
        BackupStep::Verified => format!("{file} is intact"),
        BackupStep::Inspected => format!("{file}, not verified"),
        BackupStep::Restored => format!("restored the database from {file}"),
    };
    let project = match &manifest.project {
        Some(project) => format!(" of {project}"),
        None => String::new(),
    };
    let newest = match manifest.created_from_revision {
        _ if manifest.bundle.is_some() => described(manifest),
        Some(at) => format!("newest revision {}", local(&asof_model::Micros(at).to_string())),
        None => "no revision".to_owned(),
    };
    let rows: u64 = manifest.row_counts.values().sum();
    format!(
        "{done}: {} for a database{project} of {}, {rows} rows, schema {}; {newest}\n",
        size(manifest.payload_len),
        size(manifest.database_len),
        manifest.schema_version,
    )
}

/// What was done to have a bundle.
pub fn bundle(report: &BundleReport) -> String {
    let BundleReport { file, is_new, removed, manifest } = report;
    let done = if *is_new { format!("created {file}") } else { format!("{file} is there") };
    let removed = match removed.len() {
        0 => String::new(),
        count => format!("; {} removed", plural(count, "other bundle")),
    };
    format!("{done}: {}, {}{removed}\n", size(manifest.payload_len), described(manifest))
}

/// What a bundle is of.
fn described(manifest: &BackupManifest) -> String {
    let Some(bundle) = &manifest.bundle else { return String::new() };
    let commit: String = bundle.commit.chars().take(12).collect();
    let folder = match bundle.folder.as_str() {
        "" => String::new(),
        folder => format!(", folder {folder}"),
    };
    let missing = match bundle.dependencies_missing {
        0 => String::new(),
        count => format!("; the sources of {count} were missing"),
    };
    let known = match bundle.dependencies_known {
        1 => "1 dependency".to_owned(),
        count => format!("{count} dependencies"),
    };
    format!("index of the commit {commit}{folder} with {known}{missing}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_imports_in_words() {
        let shown = [999, 1_000, 1_290_000, 25_000_000_000].map(size);
        assert_eq!(shown, ["999 B", "1.0 kB", "1.2 MB", "25.0 GB"]);
        let import = HistoryImport { imported: 1, selected: None, is_running: false };
        assert_eq!(
            history_import(&import),
            "an import of the history was stopped, and the next one continues it: 1 commit"
        );
        let import = HistoryImport { imported: 12, selected: Some(300), is_running: true };
        assert_eq!(
            history_import(&import),
            "the import of the history is running: 12 of 300 commits"
        );
    }
}
