//! Tree-sitter queries over source text.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tree_sitter::{
    ParseOptions, Parser, Query, QueryCursor, QueryCursorOptions, QueryError, QueryErrorKind,
    StreamingIterator, Tree,
};

use asof_model::RawHash;

/// Longest query, bytes.
const MAX_QUERY: usize = 64 << 10;

/// Deepest nesting of a query. The library's parser of queries recurses.
const MAX_DEPTH: usize = 250;

/// Time for one file.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Bytes of text whose trees are kept.
const MAX_KEPT: usize = 32 << 20;

/// A query that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}\n  {text}\n  {marker}")]
pub struct SyntaxQueryError {
    /// Line of the query, from 1.
    pub line: usize,
    /// Column of that line, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
    text: String,
    marker: String,
}

/// A query in tree-sitter's language of S-expressions, for the grammar of Rust. The predicates
/// `#eq?`, `#match?`, `#any-of?` and their negations filter its matches.
#[derive(Debug)]
pub struct SyntaxQuery {
    query: Query,
    names: Vec<String>,
}

/// A part of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxCapture {
    /// Name of the capture, without `@`.
    pub name: String,
    /// Kind of the node in the grammar.
    pub node: String,
    pub start_byte: usize,
    pub end_byte: usize,
    /// From 0.
    pub start_row: usize,
    /// From 0, in bytes.
    pub start_column: usize,
    /// From 0.
    pub end_row: usize,
}

/// A match: its pattern in the query, from 0, and its captures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxMatch {
    pub pattern: usize,
    pub captures: Vec<SyntaxCapture>,
}

/// Matches of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyntaxMatches {
    pub matches: Vec<SyntaxMatch>,
    /// Whether the query gave up: it took too long, or had too many matches at a time.
    pub incomplete: bool,
}

impl SyntaxQuery {
    /// Reads a query.
    ///
    /// # Errors
    /// It is too long, nested too deeply, or wrong, with the place.
    pub fn new(text: &str) -> Result<Self, SyntaxQueryError> {
        let fail = |line, column, problem: String| Err(at(text, line, column, problem));
        if text.len() > MAX_QUERY {
            return fail(1, 1, format!("longer than {} kB", MAX_QUERY >> 10));
        }
        if let Some((line, column)) = too_deep(text) {
            return fail(line, column, format!("nested more than {MAX_DEPTH} deep"));
        }
        let query = match Query::new(&tree_sitter_rust::LANGUAGE.into(), text) {
            Ok(query) => query,
            Err(error) => {
                let problem = problem(&error);
                return fail(error.row + 1, error.column + 1, problem);
            }
        };
        for pattern in 0..query.pattern_count() {
            if let Some(predicate) = query.general_predicates(pattern).first() {
                let name = format!("#{}", predicate.operator);
                let (line, column) = place_of(text, &name);
                return fail(line, column, format!("unknown predicate `{name}`"));
            }
        }
        let names = query.capture_names().iter().map(|&name| name.to_owned()).collect();
        Ok(Self { query, names })
    }

    /// Runs it over a text, or over the part of it that a range of bytes names.
    pub fn run(
        &self,
        tree: &Tree,
        text: &[u8],
        within: Option<std::ops::Range<usize>>,
        limit: usize,
    ) -> SyntaxMatches {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(65_536);
        if let Some(range) = within.clone() {
            cursor.set_byte_range(range);
        }
        let started = Instant::now();
        let mut timed_out = false;
        let mut progress = |_: &tree_sitter::QueryCursorState| {
            timed_out = started.elapsed() > MAX_TIME;
            if timed_out { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let mut found = SyntaxMatches::default();
        let mut matches = cursor.matches_with_options(&self.query, tree.root_node(), text, options);
        while let Some(one) = matches.next() {
            let captures: Vec<SyntaxCapture> = one
                .captures()
                .iter()
                .map(|capture| SyntaxCapture {
                    name: self.names.get(capture.index as usize).cloned().unwrap_or_default(),
                    node: capture.node.kind().to_owned(),
                    start_byte: capture.node.start_byte(),
                    end_byte: capture.node.end_byte(),
                    start_row: capture.node.start_position().row,
                    start_column: capture.node.start_position().column,
                    end_row: capture.node.end_position().row,
                })
                .collect();
            // The library also gives matches that only touch the range.
            let inside = |capture: &SyntaxCapture| {
                within.as_ref().is_none_or(|range| {
                    range.start <= capture.start_byte && capture.end_byte <= range.end
                })
            };
            if captures.iter().all(inside) {
                if found.matches.len() == limit {
                    found.incomplete = true;
                    break;
                }
                found.matches.push(SyntaxMatch { pattern: one.pattern_index, captures });
            }
        }
        drop(matches);
        found.incomplete |= timed_out || cursor.did_exceed_match_limit();
        found
    }
}

/// Trees of texts that were parsed, by the hash of the text.
#[derive(Debug, Default)]
pub struct TreeCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    trees: BTreeMap<RawHash, (Arc<Tree>, usize)>,
    bytes: usize,
}

impl TreeCache {
    /// The tree of a text with this hash; `None` if the parser gave up.
    pub fn tree(&self, hash: RawHash, text: &[u8]) -> Option<Arc<Tree>> {
        if let Some((tree, _)) = self.kept().trees.get(&hash) {
            return Some(Arc::clone(tree));
        }
        let tree = Arc::new(parse(text)?);
        let mut kept = self.kept();
        if kept.bytes + text.len() > MAX_KEPT {
            *kept = Kept::default();
        }
        if kept.trees.insert(hash, (Arc::clone(&tree), text.len())).is_none() {
            kept.bytes += text.len();
        }
        Some(tree)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

pub(super) fn parse(text: &[u8]) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_rust::LANGUAGE.into()).ok()?;
    let started = Instant::now();
    let mut progress = |_: &tree_sitter::ParseState| {
        if started.elapsed() > MAX_TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}

/// The place where a query is nested too deeply, line and column from 1.
fn too_deep(text: &str) -> Option<(usize, usize)> {
    let (mut depth, mut quoted, mut escaped, mut comment) = (0usize, false, false, false);
    let (mut line, mut column) = (1, 0);
    for c in text.chars() {
        column += 1;
        match c {
            '\n' => {
                (line, column, comment) = (line + 1, 0, false);
            }
            _ if comment => {}
            '"' if !escaped => quoted = !quoted,
            ';' if !quoted => comment = true,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
        if depth > MAX_DEPTH {
            return Some((line, column));
        }
    }
    None
}

fn problem(error: &QueryError) -> String {
    let message = error.message.lines().next().unwrap_or_default().trim().trim_matches('"');
    match error.kind {
        QueryErrorKind::NodeType => format!("the grammar of Rust has no node `{message}`"),
        QueryErrorKind::Field => format!("the grammar of Rust has no field `{message}`"),
        QueryErrorKind::Capture => format!("no capture `@{message}` in this pattern"),
        QueryErrorKind::Structure => "no syntax tree can match this pattern".to_owned(),
        QueryErrorKind::Syntax => "a query cannot continue like this".to_owned(),
        _ => message.to_owned(),
    }
}

fn at(query: &str, line: usize, column: usize, problem: String) -> SyntaxQueryError {
    let text = query.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let from = column.saturating_sub(40);
    let text: String = text.chars().skip(from).take(80).collect();
    let marker = format!("{}^", " ".repeat(column.saturating_sub(from + 1)));
    SyntaxQueryError { line, column, problem, text, marker }
}

fn place_of(text: &str, part: &str) -> (usize, usize) {
    let at = text.find(part).unwrap_or(0);
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn a(x: u8) -> u8 { x }\nstruct B;\nfn c() { a(1); }\n";

    fn captured(query: &str, within: Option<std::ops::Range<usize>>) -> Vec<String> {
        let cache = TreeCache::default();
        let tree = cache.tree(RawHash::hash(TEXT.as_bytes()), TEXT.as_bytes()).unwrap();
        let found = SyntaxQuery::new(query).unwrap().run(&tree, TEXT.as_bytes(), within, 100);
        assert!(!found.incomplete);
        let captures = found.matches.into_iter().flat_map(|one| one.captures);
        captures
            .map(|c| format!("{} {}", c.name, TEXT.get(c.start_byte..c.end_byte).unwrap()))
            .collect()
    }

    #[test]
    fn captures_and_predicates() {
        let functions = "(function_item name: (identifier) @name)";
        assert_eq!(captured(functions, None), ["name a", "name c"]);
        assert_eq!(captured(functions, Some(24..52)), ["name c"]);
        let eq = r#"((function_item name: (identifier) @n) (#eq? @n "c"))"#;
        assert_eq!(captured(eq, None), ["n c"]);
        let matches = r#"((identifier) @i (#match? @i "^[ac]$"))"#;
        assert_eq!(captured(matches, None), ["i a", "i c", "i a"]);
    }

    #[test]
    fn errors_point_at_the_place() {
        let check = |query: &str, line, column, problem: &str| {
            let error = SyntaxQuery::new(query).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{error}");
            assert!(error.problem.contains(problem), "{error}");
        };
        check("(function_item\n  nam: (identifier))", 2, 3, "no field `nam`");
        check("(functio) @a", 1, 2, "no node `functio`");
        check("(function_item", 1, 15, "cannot continue");
        check("((identifier) @a (#frob? @a))", 1, 19, "unknown predicate `#frob?`");
        check(&"(".repeat(10_000), 1, 251, "nested");
        check(&"(".repeat(100_000), 1, 1, "longer");
    }

    #[test]
    fn a_text_is_parsed_once() {
        let cache = TreeCache::default();
        let hash = RawHash::hash(TEXT.as_bytes());
        let (first, second) = (cache.tree(hash, TEXT.as_bytes()), cache.tree(hash, b""));
        assert!(Arc::ptr_eq(&first.unwrap(), &second.unwrap()));
    }
}
