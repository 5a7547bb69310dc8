//! Resolves the names in unsaved texts of an editor.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::browse::Places;
use crate::database::{Database, Snapshot};
use crate::error::EngineError;
use asof_index::{LocalFacts, TextTarget, UnsavedTexts};
use asof_model::{FileFacts, NodeId, RawHash};
use asof_wire::{FileSource, LinkTarget, SourceItem};

/// A text of a file, parsed.
#[derive(Debug, Clone)]
pub struct UnsavedText {
    facts: Arc<FileFacts>,
    text: Arc<str>,
}

impl UnsavedText {
    /// Parses a text; `path` is that of its file, relative to the root. None if it does not parse.
    pub fn parse(path: &str, text: &Arc<str>) -> Option<Self> {
        let facts = Arc::new(asof_syntax::parse_whole(path, text.as_bytes())?);
        Some(Self { facts, text: Arc::clone(text) })
    }

    /// What is found in a text that does not parse.
    pub fn recover(path: &str, text: &Arc<str>) -> Self {
        let facts = Arc::new(asof_syntax::parse_file_isolated(path, text.as_bytes()));
        Self { facts, text: Arc::clone(text) }
    }

    pub fn path(&self) -> &str {
        &self.facts.path
    }

    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub fn raw_hash(&self) -> RawHash {
        self.facts.raw_hash
    }
}

/// Unsaved texts with their names resolved.
#[allow(missing_debug_implementations)]
pub struct Unsaved {
    names: UnsavedTexts,
    texts: Vec<UnsavedText>,
}

impl Database {
    /// Resolves the names of texts, with the newest state of all other files. Nothing is written.
    ///
    /// # Errors
    /// The database failed.
    pub fn unsaved(&self, texts: Vec<UnsavedText>) -> Result<Unsaved, EngineError> {
        let facts: Vec<&FileFacts> = texts.iter().map(|text| &*text.facts).collect();
        let memory = Some(self.memory());
        let names = UnsavedTexts::load(self.store(), self.need_root()?, &facts, memory)?;
        Ok(Unsaved { names, texts })
    }
}

impl Unsaved {
    /// What inference finds out about a text beside its references; none if it is not among them.
    ///
    /// # Errors
    /// No thread can be made.
    pub fn local_facts(&self, path: &str) -> Result<Option<LocalFacts>, EngineError> {
        let text = self.texts.iter().find(|text| text.path() == path);
        Ok(text.map(|text| self.names.local_facts(&text.facts)).transpose()?)
    }
}

impl Snapshot<'_> {
    /// Hash of the bytes of an indexed file.
    ///
    /// # Errors
    /// The store failed.
    pub fn file_hash(&self, path: &str) -> Result<Option<RawHash>, EngineError> {
        Ok(self.source_files()?.get(path).copied())
    }

    /// Text of an indexed file; bytes that are not UTF-8 are replaced.
    ///
    /// # Errors
    /// The file is not indexed, or the store failed.
    pub fn file_text(&self, path: &str) -> Result<Arc<str>, EngineError> {
        let bytes = self.source_text(path)?.bytes;
        Ok(String::from_utf8_lossy(&bytes).into())
    }

    /// What inference finds out about an indexed file beside its references, by the newest state; none
    /// if the file does not parse.
    ///
    /// # Errors
    /// The file is not indexed, or the store failed.
    pub(crate) fn local_facts(&self, path: &str) -> Result<Option<LocalFacts>, EngineError> {
        let text = self.file_text(path)?;
        let Some(text) = UnsavedText::parse(path, &text) else { return Ok(None) };
        self.database.unsaved(vec![text])?.local_facts(path)
    }

    /// As [`Snapshot::file_source`], of an unsaved text; none if it is not among them.
    ///
    /// # Errors
    /// The store failed.
    pub fn unsaved_source(
        &self,
        unsaved: &Unsaved,
        path: &str,
    ) -> Result<Option<FileSource>, EngineError> {
        let Some(text) = unsaved.texts.iter().find(|text| text.path() == path) else {
            return Ok(None);
        };
        let found = unsaved.names.names(&text.facts)?;
        let items = found.items.iter().filter_map(|item| {
            let facts = text.facts.items.get(item.index as usize).filter(|_| item.index > 0)?;
            Some(SourceItem {
                id: item.id,
                parent_id: item.parent,
                kind: facts.kind,
                name: facts.name.clone(),
                path: item.path.clone(),
                span: facts.span,
                name_start: facts.name_start,
                line: facts.name_line,
            })
        });
        let mut items: Vec<SourceItem> = items.collect();
        items.sort_by_key(|item| {
            (item.span.start_byte, std::cmp::Reverse(item.span.end_byte), item.id)
        });
        let numbers: BTreeMap<NodeId, usize> =
            found.targets.keys().enumerate().map(|(number, id)| (*id, number)).collect();
        let mut places = Places::default();
        for one in &found.uses {
            places.add(one.at, (one.kind, f64::from(one.confidence) / 100.0, one.target));
        }
        let links = places.links(&numbers);
        let target = |(id, target): (NodeId, TextTarget)| match target {
            TextTarget::Item { kind, path, file_path } => {
                LinkTarget { id, kind: kind.as_str().to_owned(), path, file_path }
            }
            TextTarget::External(path) => {
                LinkTarget { id, kind: "external".to_owned(), path, file_path: None }
            }
            TextTarget::Unknown(path) => {
                LinkTarget { id, kind: "unknown".to_owned(), path, file_path: None }
            }
        };
        Ok(Some(FileSource {
            file_path: path.to_owned(),
            text: text.text.to_string(),
            partial: text.facts.partial,
            items,
            links,
            targets: found.targets.into_iter().map(target).collect(),
        }))
    }
}
