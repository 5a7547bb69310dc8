//! Patterns and literal text in the stored sources: each item with the lines in it that match.

use std::collections::BTreeMap;

use super::corpus::Loaded;
use super::filter;
use super::found::{Found, bad_query};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::NodeKind;
use asof_query::Queries;
use asof_search::{
    FileTerms, Flags, PatternError, TextSearch, is_hidden, is_test_path, within_limits,
};
use asof_wire::{LineMatch, SearchMode, SearchRequest};

/// Matching lines after which the search ends.
const MAX_LINES: usize = 10_000;

/// Characters of a line that are shown.
const MAX_SHOWN: usize = 200;

/// Items with matching lines: those with the most first.
pub(super) fn find(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    request: &SearchRequest,
    loaded: &Loaded,
) -> Result<(Vec<Found>, usize, Vec<String>), EngineError> {
    let search = pattern(request)?;
    let scope = filter::scope(queries, request, loaded)?;
    let mut by_item: BTreeMap<(usize, usize), Vec<LineMatch>> = BTreeMap::new();
    let mut left = MAX_LINES;
    for (number, file) in loaded.corpus.files().iter().enumerate() {
        let skipped = request.exclude_tests && is_test_path(&file.path);
        if skipped || !scope.files.get(number).copied().unwrap_or(true) {
            continue;
        }
        let text = snapshot.source_text(&file.path)?;
        for found in search.lines(&text.bytes) {
            let line = found.line as u32;
            let Some(item) = innermost(file, line, request) else { continue };
            if left == 0 {
                break;
            }
            left -= 1;
            by_item.entry((number, item)).or_default().push(LineMatch {
                line,
                column: found.start as u32 + 1,
                text: found.text.chars().take(MAX_SHOWN).collect(),
            });
        }
        if left == 0 {
            break;
        }
    }
    let most = by_item.values().map(Vec::len).max().unwrap_or(1) as f64;
    let found = by_item.into_iter().map(|((file, item), matches)| Found {
        file,
        item,
        score: matches.len() as f64 / most,
        features: Some(serde_json::json!({ "lines": matches.len() })),
        why: vec!["code".to_owned()],
        matches,
        rank_value: None,
    });
    let mut found: Vec<Found> = found.collect();
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then((a.file, a.item).cmp(&(b.file, b.item))));
    let mut notes = Vec::new();
    if left == 0 {
        notes.push(format!("only the first {MAX_LINES} matching lines are counted"));
    }
    let total = found.len();
    Ok((found, total, notes))
}

fn pattern(request: &SearchRequest) -> Result<TextSearch, EngineError> {
    let query = within_limits(&request.query).map_err(bad_query)?;
    let regex = request.mode != SearchMode::Literal;
    TextSearch::new(query, regex).map_err(unsearchable)
}

fn unsearchable(error: PatternError) -> EngineError {
    EngineError::BadRequest {
        what: error.to_string(),
        hint: Hint::advice("escape special characters, or search for literal text"),
    }
}

/// The innermost item that may answer at a line; none if filters leave out what is there.
fn innermost(file: &FileTerms, line: u32, request: &SearchRequest) -> Option<usize> {
    let fits = |kind: NodeKind| {
        if request.kinds.is_empty() {
            !is_hidden(kind) && !matches!(kind, NodeKind::Field | NodeKind::Variant)
        } else {
            request.kinds.contains(&kind)
        }
    };
    let holds = |at: &usize| {
        file.items
            .get(*at)
            .is_some_and(|item| item.start_line <= line && line <= item.end_line && fits(item.kind))
    };
    let at = (0..file.items.len()).rev().find(holds)?;
    let item = file.items.get(at)?;
    (!(request.exclude_tests && item.flags.has(Flags::TEST))).then_some(at)
}
