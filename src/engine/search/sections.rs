//! Sections of documentation: their text as of a snapshot, and their ranking.

use super::corpus::Loaded;
use super::rank::ranked;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_index::{IndexError, unpack_texts};
use asof_model::{Section, file_stem, is_document};
use asof_query::Queries;
use asof_search::{Question, Scope, Weights, is_release_notes};
use asof_store::{Params, Value};

/// A section that was found.
#[derive(Debug, Clone)]
pub(super) struct FoundSection {
    /// Index of the file in the corpus of sections.
    pub file: usize,
    /// Index of the section in the file.
    pub section: usize,
    pub score: f64,
    pub features: serde_json::Value,
}

/// Weights of the fields of sections: heading, headings above, path, what is mentioned, text, code.
fn weights() -> Weights {
    Weights {
        //      name container path mentions text code comments
        field: [4.0, 2.0, 1.5, 2.0, 1.0, 0.4, 0.0],
        length: [0.3, 0.5, 0.3, 0.5, 0.75, 0.75, 0.0],
        file_field: [2.0, 0.5, 4.0, 1.0, 0.5, 0.25, 0.0],
        ..Weights::default()
    }
}

impl Snapshot<'_> {
    /// The sections of a file.
    pub(super) fn sections_of(
        &self,
        queries: &Queries<'_>,
        path: &str,
    ) -> Result<Vec<Section>, EngineError> {
        if !is_document(path) {
            let bytes = self.source_text(path)?.bytes;
            let parse = || asof_syntax::doc_sections(&asof_syntax::parse_file(path, &bytes));
            let sections = asof_syntax::with_large_stack(parse);
            let mut sections = sections.ok_or_else(|| IndexError::Threads {
                reason: format!("{path} could not be parsed"),
            })?;
            self.name_module(queries, path, &mut sections)?;
            return Ok(sections);
        }
        let Some(row) = queries.document_text(path)? else { return Ok(Vec::new()) };
        let hash = row.hash;
        let bytes = unpack_texts(self.store(), vec![row])?.remove(&hash);
        let bytes = bytes.ok_or_else(|| EngineError::State {
            what: "text",
            reason: format!("{path} has none"),
        })?;
        Ok(asof_syntax::sections(&String::from_utf8_lossy(&bytes)).list)
    }

    /// Replaces the name of a file by that of its module, which is not known from the file alone.
    fn name_module(
        &self,
        queries: &Queries<'_>,
        path: &str,
        sections: &mut [Section],
    ) -> Result<(), EngineError> {
        let module = queries.file_modules(path)?.into_iter().map(|module| module.id).min();
        let Some(module) = queries.found_items(&module.map_or(vec![], |id| vec![id]))?.pop() else {
            return Ok(());
        };
        let first = sections.iter_mut().filter_map(|section| section.heading.first_mut());
        for name in first.filter(|name| *name == file_stem(path)) {
            name.clone_from(&module.name);
        }
        Ok(())
    }

    /// The sections that answer a question, the best first, and how many match at all.
    pub(super) fn rank_sections(
        &self,
        question: &Question,
        scope: &Scope,
        loaded: &Loaded,
        pool: usize,
    ) -> Result<(Vec<FoundSection>, usize), EngineError> {
        let found = loaded.corpus.candidates(question, None, scope, &weights(), pool);
        let mut rows = Vec::new();
        for (number, one) in found.items.iter().enumerate() {
            let Some((file, _)) = loaded.corpus.item(one.file, one.item) else { continue };
            rows.push(Value::List(vec![
                Value::Int(number as i64),
                is_release_notes(&file.path).into(),
                one.is_aside.into(),
                one.lexical.into(),
                one.name.into(),
                one.name_fit.into(),
                one.place.into(),
                one.symbol.into(),
                one.file_score.into(),
            ]));
        }
        let params = Params::new().with("sections", Value::List(rows));
        let rows = ranked(self, "search/rank_sections", params, question)?;
        let mut sections = Vec::with_capacity(rows.len());
        for row in rows.iter() {
            let number: usize = row.get("number")?;
            let Some(one) = found.items.get(number) else { continue };
            let Some((_, item)) = loaded.corpus.item(one.file, one.item) else { continue };
            sections.push(FoundSection {
                file: one.file,
                section: item.item as usize,
                score: row.get("score")?,
                features: row.get("features")?,
            });
        }
        Ok((sections, found.matched))
    }
}
