//! The outcome of a refresh: its report, its revision row, and the metadata of its files.

use std::collections::BTreeMap;

use super::documents::Documents;
use super::error::IndexError;
use super::options::{Cause, Options};
use super::parse::Parsed;
use super::revision::{RevisionMeta, revision};
use super::state::{self, BASE, NAMESPACE, State};
use super::stats::FileStat;
use super::write::Writer;
use asof_model::{Namespace, RawHash, is_document};
use asof_store::StoreError;
use asof_wire::IndexReport;
use asof_workspace::{SourceTree, Walk};

/// What a refresh has read, once its rows are made.
pub(super) struct Outcome<'a> {
    pub tree: &'a dyn SourceTree,
    pub options: &'a Options,
    pub state: &'a State,
    pub documents: &'a Documents,
    pub walk: &'a Walk,
    pub parsed: &'a Parsed,
    /// Files that were indexed and are not there any more.
    pub gone: &'a [String],
}

impl Outcome<'_> {
    /// Writes the metadata of the files, and returns the number of rows. `manifests`: their hashes,
    /// and a time before they were read.
    pub fn write_stats(
        &self,
        manifests: &BTreeMap<String, RawHash>,
        checked_ns: i64,
        writer: &mut Writer,
    ) -> Result<usize, StoreError> {
        let mut rows = 0;
        let of_manifests = self.walk.manifests.iter().map(|file| {
            let hash = manifests.get(&file.path).map_or(String::new(), |h| h.to_string());
            (file.path.as_str(), FileStat::new(file, hash, checked_ns))
        });
        let stats = self.parsed.stats.iter().chain(&self.documents.stats);
        let stats = stats.map(|(path, stat)| (path.as_str(), stat.clone()));
        for (path, stat) in stats.chain(of_manifests) {
            let old = self.state.stats.get(path);
            let stands = |old: &FileStat| {
                old.looks_like(&stat) && old.is_settled() && old.raw_hash == stat.raw_hash
            };
            if old.is_some_and(stands) {
                continue;
            }
            writer.batch.put("file_stat", state::stat_row(path, &stat))?;
            rows += 1;
        }
        for path in self.gone.iter().chain(self.parsed.unreadable.keys()) {
            if self.state.stats.contains_key(path) {
                writer.batch.remove("file_stat", [path.as_str().into()])?;
                rows += 1;
            }
        }
        Ok(rows)
    }

    /// What changed, without the revision and the written rows.
    pub fn report(&self, writer: &Writer) -> IndexReport {
        let gone = self.gone.iter().filter(|p| p.ends_with(".rs") || is_document(p));
        let mut report = IndexReport {
            at: self.state.at,
            files: self.walk.files.len(),
            documents: self.walk.documents.len(),
            parsed: self.parsed.facts.len(),
            added: self.documents.added.clone(),
            changed: self.documents.changed.clone(),
            removed: gone.cloned().collect(),
            issues: writer.issues.len(),
            ..IndexReport::default()
        };
        for (path, facts) in &self.parsed.facts {
            report.lines += u64::from(facts.lines);
            match self.state.stats.get(path) {
                None => report.added.push(path.clone()),
                Some(old) if old.raw_hash != facts.raw_hash.as_str() => {
                    report.changed.push(path.clone());
                }
                Some(_) => {}
            }
            for item in &facts.items {
                *report.items.entry(item.kind.to_string()).or_default() += 1;
            }
        }
        report.added.sort_unstable();
        report.changed.sort_unstable();
        report.rows.extend((self.parsed.texts > 0).then(|| ("text".to_owned(), self.parsed.texts)));
        report
    }

    /// Adds the row of the revision; in a first run, also what the database is about.
    pub fn write_revision(
        &self,
        report: &mut IndexReport,
        project: &str,
        namespace: Namespace,
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let is_first = self.state.at.is_none();
        let options = self.options;
        let stamp = writer.stamp;
        let versioned = writer.versioned_len();
        let cause = if options.rebuild { "rebuild" } else { options.cause.as_str() };
        if !is_first {
            writer.changes()?;
        }
        let files = report.added.len() + report.changed.len() + report.removed.len();
        let batch = &mut writer.batch;
        let said = RevisionMeta {
            actor: options.actor.as_deref(),
            message: options.message.as_deref(),
            commit: options.commit.as_deref(),
        };
        report.revision = Some(revision(batch, namespace, stamp, cause, said, [files, versioned])?);
        report.at = Some(stamp.at);
        if is_first {
            batch.put("meta", [NAMESPACE.into(), namespace.to_string().into()])?;
            batch.put("meta", ["project".into(), project.into()])?;
            let version = env!("CARGO_PKG_VERSION");
            batch.put("meta", ["tool_version".into(), version.into()])?;
            if options.cause == Cause::Scan
                && let Some(head) = state::head(&self.tree.place())
            {
                batch.put("meta", [BASE.into(), head.into()])?;
            }
        }
        Ok(())
    }
}
