//! Checks claims about lines of text by searching the sources.

use super::Checked;
use super::subject::clean;
use crate::cache::Subject;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::ErrorKind;
use asof_model::NodeKind;
use asof_oracle::{Claimed, Hit, Hits, TextPattern};
use asof_search::{MatchedLine, PatternError, TextSearch};
use asof_wire::{ClaimRequest, ResolveRequest, Verdict};

/// Matching lines after which the search ends: an answer of so many cannot be checked.
const MAX_HITS: usize = 100_000;

const METHOD: &str = "text search";

/// What is searched.
#[derive(Debug, Default)]
struct Area {
    paths: Vec<String>,
    /// Only these lines, from 1.
    lines: Option<std::ops::RangeInclusive<u64>>,
    /// Files outside this folder may be meant or not.
    folder: Option<String>,
    /// Whether files of other languages are meant, too.
    others: bool,
}

impl Snapshot<'_> {
    pub(super) fn check_pattern(
        &self,
        request: &ClaimRequest,
        asked: &TextPattern,
        claimed: &Claimed<'_>,
    ) -> Result<Checked, EngineError> {
        let area = match self.area(asked.place.as_deref(), request.file_path.as_deref())? {
            Ok(area) => area,
            Err(reason) => return Ok(Checked::unknown(reason, METHOD)),
        };
        let hits = match self.matching_lines(asked, &area)? {
            Ok(hits) => hits,
            Err(reason) => return Ok(Checked::unknown(reason, METHOD)),
        };
        let reason = "only Rust code is searched, and other files may have it, too";
        let all = Hits {
            hits: &hits,
            counted: asked.counted,
            complete: asked.complete,
            doubt: (area.others && !asked.rust).then_some(reason),
        };
        let number = if asked.count { claimed.number() } else { claimed.bare_number() };
        let lines = || {
            let verdict = all.compare_lines(&claimed.lines());
            // The first line may be a match, though it looks as if it announced others.
            let every = || Some(all.compare_lines(&claimed.all_lines())).filter(Verdict::is_golden);
            if verdict.is_golden() { verdict } else { every().unwrap_or(verdict) }
        };
        let verdict = match number {
            Some(number) => match all.compare_count(number) {
                wrong if !wrong.is_golden() && !asked.count => {
                    Some(lines()).filter(Verdict::is_golden).unwrap_or(wrong)
                }
                verdict => verdict,
            },
            None if asked.count => {
                Verdict::CannotVerify { reason: "the answer cannot be read as a number".to_owned() }
            }
            None => lines(),
        };
        let truth = if asked.count {
            vec![hits.len().to_string()]
        } else {
            hits.iter().map(Hit::shown).collect()
        };
        Ok(Checked { verdict, truth, method: METHOD.to_owned() })
    }

    /// The matching lines, or why they are not known.
    fn matching_lines(
        &self,
        asked: &TextPattern,
        area: &Area,
    ) -> Result<Result<Vec<Hit>, String>, EngineError> {
        match self.search_lines(asked, area)? {
            Ok(hits) if hits.len() > MAX_HITS => {
                Ok(Err(format!("more than {MAX_HITS} lines match")))
            }
            Ok(hits) => Ok(Ok(hits)),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn search_lines(
        &self,
        asked: &TextPattern,
        area: &Area,
    ) -> Result<Result<Vec<Hit>, PatternError>, EngineError> {
        let search = match search(asked) {
            Ok(search) => search,
            Err(error) => return Ok(Err(error)),
        };
        let words = match asked.words.then(|| whole_words(asked)).transpose() {
            Ok(words) => words,
            Err(error) => return Ok(Err(error)),
        };
        let mut hits: Vec<Hit> = Vec::new();
        for path in &area.paths {
            let text = self.source_text(path)?;
            let mut found = search.lines(&text.bytes);
            if let Some(lines) = &area.lines {
                found.retain(|hit| lines.contains(&hit.line));
            }
            if found.is_empty() {
                continue;
            }
            let whole = words.as_ref().map(|words| words.lines(&text.bytes));
            let outside = area.folder.as_ref().is_some_and(|folder| !path.starts_with(folder));
            let is_part = |hit: &MatchedLine| {
                whole.as_ref().is_some_and(|whole| whole.iter().all(|one| one.line != hit.line))
            };
            hits.extend(found.into_iter().map(|hit| Hit {
                optional: outside || is_part(&hit) || asked.comments && !has_comment(&hit.text),
                file_path: path.clone(),
                line: hit.line,
                text: hit.text,
                matches: hit.matches,
            }));
            if hits.len() > MAX_HITS {
                break;
            }
        }
        Ok(Ok(hits))
    }

    /// What a question searches, or why that is not clear.
    fn area(
        &self,
        place: Option<&str>,
        file: Option<&str>,
    ) -> Result<Result<Area, String>, EngineError> {
        let others = |name: Option<&str>| name.is_none_or(|name| !name.ends_with(".rs"));
        let is_path = |name: &&str| name.contains(['/', '*', '.']);
        let named = match place {
            Some(name) if !is_path(&name) => {
                self.named(&ResolveRequest::new(clean(name)), &[NodeKind::Module])?
            }
            _ => Vec::new(),
        };
        let items = named.iter().filter_map(|subject| match subject {
            Subject::Item(item) => Some(item),
            Subject::External(_) => None,
        });
        let items: Vec<_> = items.collect();
        let paths = |filter| match self.paths_matching(filter) {
            Ok(paths) => Ok(Ok(paths)),
            Err(error) if error.kind() == ErrorKind::NoMatch => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        };
        match items.as_slice() {
            [] => {
                let filter = place.or(file);
                let others = others(filter);
                Ok(paths(filter)?.map(|paths| Area { paths, others, ..Area::default() }))
            }
            [item] if item.kind != NodeKind::Module => {
                let lines = u64::from(item.span.start_line)..=u64::from(item.span.end_line);
                let paths = vec![item.file_path.clone()];
                Ok(Ok(Area { paths, lines: Some(lines), ..Area::default() }))
            }
            [root, ..] if items.iter().all(|item| item.parent_id.is_none()) => {
                // A crate, with the tests and examples beside its sources.
                let folder = root.file_path.rsplit_once('/').map_or("", |(folder, _)| folder);
                let package = folder.strip_suffix("src").unwrap_or(folder).trim_end_matches('/');
                let filter = Some(package).filter(|package| !package.is_empty());
                let folder = Some(format!("{folder}/"));
                Ok(paths(filter)?.map(|paths| Area { paths, folder, lines: None, others: true }))
            }
            _ => {
                let place = place.unwrap_or_default();
                Ok(Err(format!("the lines of `{place}` are not known; name its file instead")))
            }
        }
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

/// Literal text as a regular expression, or the expression itself.
fn expression(asked: &TextPattern) -> String {
    if asked.regex { asked.pattern.clone() } else { regex::escape(&asked.pattern) }
}

fn search(asked: &TextPattern) -> Result<TextSearch, PatternError> {
    if asked.ignore_case {
        TextSearch::new(&format!("(?i:{})", expression(asked)), true)
    } else {
        TextSearch::new(&asked.pattern, asked.regex)
    }
}

fn whole_words(asked: &TextPattern) -> Result<TextSearch, PatternError> {
    let case = if asked.ignore_case { "(?i)" } else { "" };
    let pattern = format!(r"{case}\b{{start-half}}(?:{})\b{{end-half}}", expression(asked));
    TextSearch::new(&pattern, true)
}

fn has_comment(line: &str) -> bool {
    line.contains("//") || line.contains("/*") || line.trim_start().starts_with('*')
}
