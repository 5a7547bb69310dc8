//! Documents: Markdown files. They have no part in names, so a changed document replaces its own
//! rows and no others.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::content::Columns;
use super::error::IndexError;
use super::parse::pack;
use super::state;
use super::stats::{FileStat, now_ns, suspects};
use super::write::Writer;
use asof_model::{Issue, IssueKind, Micros, RawHash, Section, SourceFile, TextHash};
use asof_store::{Store, Value};
use asof_syntax::{MAX_DOCUMENT_BYTES, MAX_SECTIONS};
use asof_workspace::{SourceTree, read_from};

/// Documents that were read.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// Paths of new ones.
    pub added: Vec<String>,
    /// Paths of those whose text differs.
    pub changed: Vec<String>,
    /// What is to be written.
    news: BTreeMap<String, News>,
    /// Metadata of all that were looked at. One that cannot be read has no hash.
    pub stats: BTreeMap<String, FileStat>,
}

#[derive(Debug)]
struct News {
    /// What it says; none if it cannot be read.
    content: Option<Content>,
    issues: Vec<Issue>,
}

#[derive(Debug)]
struct Content {
    bytes: Vec<u8>,
    raw_hash: RawHash,
    sections: Vec<Section>,
}

/// Which documents are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those whose metadata differs.
    Suspects,
    /// All; their rows are written if their text differs.
    All,
    /// All, and the rows of all are made anew.
    Rebuild,
}

impl Documents {
    /// Reads documents.
    pub fn read(
        tree: &dyn SourceTree,
        files: &[SourceFile],
        known: &BTreeMap<String, FileStat>,
        scope: Scope,
    ) -> Self {
        let files = match scope {
            Scope::Suspects => suspects(files, known),
            Scope::All | Scope::Rebuild => files.iter().collect(),
        };
        let one = |file: &&SourceFile| {
            let known = known.get(&file.path).filter(|_| scope != Scope::Rebuild);
            (file.path.clone(), read(tree, file, known))
        };
        let mut found = Self::default();
        for (path, (stat, news)) in files.par_iter().map(one).collect::<Vec<_>>() {
            match known.get(&path) {
                None => found.added.push(path.clone()),
                Some(old) if old.raw_hash != stat.raw_hash => found.changed.push(path.clone()),
                Some(_) => {}
            }
            found.stats.insert(path.clone(), stat);
            found.news.extend(news.map(|news| (path, news)));
        }
        found
    }

    /// Adds the rows of what changed to those that a run writes. `gone`: documents that are no longer
    /// there.
    pub fn write<'g>(
        &mut self,
        store: &Store,
        at: Option<Micros>,
        gone: impl Iterator<Item = &'g String>,
        writer: &mut Writer,
    ) -> Result<(), IndexError> {
        let gone: Vec<String> = gone.cloned().collect();
        if gone.is_empty() && self.news.is_empty() {
            return Ok(());
        }
        let paths: Vec<String> = self.news.keys().chain(&gone).cloned().collect();
        let stored = match at {
            Some(at) => state::document_rows(store, at, &paths)?,
            None => BTreeMap::new(),
        };
        for path in gone {
            writer.remove_issues(&path);
            remove(&path, stored.get(&path), writer)?;
        }
        for (path, news) in std::mem::take(&mut self.news) {
            let issues: Vec<&Issue> = news.issues.iter().collect();
            writer.issues(0, Some(&path), &issues);
            let old = stored.get(&path);
            let Some(content) = news.content else {
                remove(&path, old, writer)?;
                continue;
            };
            match asof_search::collect_sections(&path, &content.sections) {
                Some(terms) => {
                    let row = [path.as_str().into(), Value::Bytes(terms)];
                    writer.batch.put("section_terms", row)?;
                }
                None => writer.batch.remove("section_terms", [path.as_str().into()])?,
            }
            let text_hash = TextHash::hash(&content.bytes);
            let row = columns(&content, text_hash);
            if old != Some(&row) {
                writer.text(pack(text_hash, &content.bytes)?);
                if let Some(old) = old.and_then(|old| old.get(TEXT_HASH)) {
                    writer.replaces_text(old, &text_hash.into());
                }
                writer.batch.assert("document", writer.at, [path.as_str().into()], row)?;
            }
        }
        Ok(())
    }
}

/// Removes the rows of a document.
fn remove(path: &str, old: Option<&Columns>, writer: &mut Writer) -> Result<(), IndexError> {
    if let Some(old) = old {
        writer.batch.retract("document", writer.at, [path.into()], old.iter().cloned())?;
    }
    writer.batch.remove("section_terms", [path.into()])?;
    Ok(())
}

/// Index of the hash of the text in [`columns`].
const TEXT_HASH: usize = 1;

fn columns(content: &Content, text_hash: TextHash) -> Columns {
    let lines = content.bytes.split_inclusive(|byte| *byte == b'\n').count();
    let sections = content.sections.iter().map(|section| {
        Value::List(vec![
            i64::from(section.level).into(),
            section.title().into(),
            section.start_line.into(),
            section.end_line.into(),
        ])
    });
    vec![
        content.raw_hash.into(),
        text_hash.into(),
        (content.bytes.len() as i64).into(),
        (lines as i64).into(),
        Value::List(sections.collect()),
    ]
}

fn read(
    tree: &dyn SourceTree,
    file: &SourceFile,
    known: Option<&FileStat>,
) -> (FileStat, Option<News>) {
    let checked_ns = now_ns();
    let issue =
        |kind, message: String| Issue { file_path: file.path.clone(), kind, message, span: None };
    let unreadable = |hash: String, issue: Issue| {
        let news = News { content: None, issues: vec![issue] };
        (FileStat::new(file, hash, checked_ns), Some(news))
    };
    let bytes = match read_from(tree, &file.path, MAX_DOCUMENT_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(issue) => return unreadable(String::new(), issue),
    };
    let raw_hash = RawHash::hash(&bytes);
    let stat = FileStat::new(file, raw_hash.to_string(), checked_ns);
    if known.is_some_and(|known| known.raw_hash == raw_hash.as_str()) {
        return (stat, None);
    }
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("not UTF-8 from byte {} on", error.valid_up_to());
            return unreadable(raw_hash.to_string(), issue(IssueKind::NotUtf8, message));
        }
    };
    let found = asof_syntax::sections(text);
    let message = || format!("more than {MAX_SECTIONS} headings; the last section has the rest");
    let issues = found.cut.then(|| issue(IssueKind::TooLarge, message())).into_iter().collect();
    let content = Content { raw_hash, sections: found.list, bytes };
    (stat, Some(News { content: Some(content), issues }))
}
