//! Claims about lines of text.

use super::Checked;
use crate::engine::database::Snapshot;
use crate::engine::error::EngineError;
use crate::oracle::{self, Claimed, Hit, TextPattern};
use crate::search::TextSearch;
use crate::wire::{ClaimRequest, ErrorKind, Verdict};

/// Matching lines after which the search ends: an answer of so many cannot be checked.
const MAX_HITS: usize = 100_000;

const METHOD: &str = "text search";

impl Snapshot<'_> {
    pub(super) fn check_pattern(
        &self,
        request: &ClaimRequest,
        asked: &TextPattern,
        claimed: &Claimed<'_>,
    ) -> Result<Checked, EngineError> {
        let filter = asked.file.as_deref().or(request.file_path.as_deref());
        let paths = match self.paths_matching(filter) {
            Ok(paths) => paths,
            Err(error) if error.kind() == ErrorKind::NoMatch => {
                return Ok(Checked::unknown(error.to_string(), METHOD));
            }
            Err(error) => return Err(error),
        };
        let mut search = match TextSearch::new(&asked.pattern, asked.regex) {
            Ok(search) => search,
            Err(error) => return Ok(Checked::unknown(error.to_string(), METHOD)),
        };
        let mut hits: Vec<Hit> = Vec::new();
        for path in paths {
            let text = self.source_text(&path)?;
            match search.lines(&text.bytes) {
                Ok(found) => hits.extend(found.into_iter().map(|found| Hit {
                    file_path: path.clone(),
                    line: found.line,
                    text: found.text,
                    matches: found.matches,
                })),
                Err(error) => return Ok(Checked::unknown(error.to_string(), METHOD)),
            }
            if hits.len() > MAX_HITS {
                let reason = format!("more than {MAX_HITS} lines match");
                return Ok(Checked::unknown(reason, METHOD));
            }
        }
        let number = if asked.count { claimed.number() } else { claimed.bare_number() };
        let verdict = match number {
            Some(number) => oracle::compare_count(number, &hits, asked.counted),
            None if asked.count => {
                Verdict::CannotVerify { reason: "the answer cannot be read as a number".to_owned() }
            }
            None => oracle::compare_lines(&claimed.lines(), &hits, asked.complete),
        };
        let truth = match asked.count {
            true => vec![hits.len().to_string()],
            false => hits.iter().map(Hit::shown).collect(),
        };
        Ok(Checked { verdict, truth, method: METHOD.to_owned() })
    }

    /// The one file that a text names.
    pub(super) fn resolve_file(&self, text: &str) -> Result<Option<String>, EngineError> {
        match self.paths_matching(Some(text)) {
            Ok(paths) => Ok(match paths.as_slice() {
                [one] => Some(one.clone()),
                _ => None,
            }),
            Err(error) if error.kind() == ErrorKind::NoMatch => Ok(None),
            Err(error) => Err(error),
        }
    }
}
