//! Tree-sitter queries over the sources of a snapshot.

use std::time::Instant;

use crate::cache::SourceText;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::OrNever;
use asof_query::SYNTAX_PATTERNS;
use asof_syntax::{SyntaxMatch, SyntaxQuery};
use asof_wire::{AstCapture, AstMatch, AstMatches, AstRequest, ResolveRequest};

/// Most matches of one file.
const MAX_MATCHES: usize = 100_000;

/// A place to search: a file, or a range of its bytes.
struct Place {
    text: SourceText,
    range: Option<std::ops::Range<usize>>,
}

impl Snapshot<'_> {
    /// Matches of a tree-sitter query in files, or in the items at a path.
    ///
    /// # Errors
    /// The query is wrong, with the place; no such file or item; a failure of the database.
    pub fn ast_query(&self, request: &AstRequest) -> Result<AstMatches, EngineError> {
        let started = Instant::now();
        let query = parse(&request.query)?;
        let places = self.places(request)?;
        let mut matches = Vec::new();
        let mut incomplete_files = Vec::new();
        for place in &places {
            let text = &place.text;
            let Some(tree) = self.database.trees.tree(text.hash, &text.bytes) else {
                incomplete_files.push(text.path.clone());
                continue;
            };
            let found = query.run(&tree, &text.bytes, place.range.clone(), MAX_MATCHES);
            if found.incomplete {
                incomplete_files.push(text.path.clone());
            }
            matches.extend(found.matches.into_iter().map(|one| in_file(one, text)));
        }
        let files = places.len();
        let answer = self.answer(started, matches, request.limit);
        Ok(AstMatches { answer, files, incomplete_files })
    }

    fn places(&self, request: &AstRequest) -> Result<Vec<Place>, EngineError> {
        let mut out = Vec::new();
        if let Some(path) = &request.path {
            let found = self.resolve(&ResolveRequest::new(path))?;
            if found.items().is_empty() {
                found.unique()?;
            }
            for item in found.items() {
                let range = item.span.start_byte as usize..item.span.end_byte as usize;
                let text = self.source_text(&item.file_path)?;
                out.push(Place { text, range: Some(range) });
            }
            return Ok(out);
        }
        let mut paths = Vec::new();
        match request.files.as_slice() {
            [] => paths = self.paths_matching(None)?,
            files => {
                for file in files {
                    paths.extend(self.paths_matching(Some(file))?);
                }
            }
        }
        paths.sort_unstable();
        paths.dedup();
        for path in paths {
            out.push(Place { text: self.source_text(&path)?, range: None });
        }
        Ok(out)
    }
}

fn parse(text: &str) -> Result<SyntaxQuery, EngineError> {
    let trimmed = text.trim();
    let is_name = !trimmed.is_empty() && trimmed.chars().all(|c| c.is_alphanumeric() || c == '_');
    let names = || SYNTAX_PATTERNS.map(|(name, _)| name).join(", ");
    let text = match SYNTAX_PATTERNS.iter().find(|(name, _)| *name == trimmed) {
        Some((_, text)) => text,
        None if is_name || trimmed.is_empty() => {
            return Err(EngineError::NotFound {
                what: format!("no query named `{trimmed}`"),
                hint: asof_model::Hint::Advice(format!(
                    "shipped queries are: {}; or write one: (function_item name: (identifier) @name)",
                    names()
                )),
            });
        }
        None => text,
    };
    SyntaxQuery::new(text).map_err(|error| EngineError::BadRequest {
        what: format!("the query is wrong at {error}"),
        hint: "`asof` uses the grammar of tree-sitter-rust".into(),
    })
}

fn in_file(found: SyntaxMatch, text: &SourceText) -> AstMatch {
    let mut captures: Vec<AstCapture> = found
        .captures
        .into_iter()
        .map(|capture| {
            let bytes = text.bytes.get(capture.start_byte..capture.end_byte);
            let bytes = bytes.or_never("a capture lies in its text");
            AstCapture {
                name: capture.name,
                node: capture.node,
                text: String::from_utf8_lossy(bytes).into_owned(),
                start_byte: capture.start_byte as u32,
                end_byte: capture.end_byte as u32,
                start_line: capture.start_row as u32 + 1,
                start_column: capture.start_column as u32 + 1,
                end_line: capture.end_row as u32 + 1,
            }
        })
        .collect();
    captures.sort_by_key(|capture| (capture.start_byte, std::cmp::Reverse(capture.end_byte)));
    let line = captures.first().map_or(0, |capture| capture.start_line);
    AstMatch { file_path: text.path.clone(), line, pattern: found.pattern as u32, captures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_query_can_be_read() {
        for (name, _) in SYNTAX_PATTERNS {
            parse(name).unwrap();
        }
        assert!(parse("nonsense").is_err());
    }
}
