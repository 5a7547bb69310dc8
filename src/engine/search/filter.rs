//! Filters of a search, as the scope that candidates are looked for in.

use globset::{GlobBuilder, GlobMatcher};

use super::super::error::EngineError;
use super::corpus::Loaded;
use crate::query::Queries;
use crate::search::Scope;
use crate::wire::{Hint, RankBy, SearchRequest};

/// Whether a request filters or orders by more than the text.
pub(super) fn is_late(request: &SearchRequest) -> bool {
    request.rank_by != RankBy::Relevance
        || request.min_grade.is_some()
        || request.max_complexity.is_some()
}

/// The scope that a request allows.
pub(super) fn scope(
    queries: &Queries<'_>,
    request: &SearchRequest,
    loaded: &Loaded,
) -> Result<Scope, EngineError> {
    let mut scope = Scope {
        kinds: request.kinds.iter().copied().collect(),
        exclude_tests: request.exclude_tests,
        ..Scope::default()
    };
    if request.path.is_none() && request.package.is_none() {
        return Ok(scope);
    }
    let glob = request.path.as_deref().map(pattern).transpose()?;
    let folders = request.package.as_deref().map(|name| folders(queries, name)).transpose()?;
    for file in loaded.corpus.files() {
        let path = file.path.as_str();
        let by_path = glob.as_ref().is_none_or(|glob| glob.is_match(path));
        let by_package = folders.as_ref().is_none_or(|folders| folders.hold(path));
        scope.files.push(by_path && by_package);
    }
    if request.path.is_some() && !scope.files.contains(&true) {
        return Err(EngineError::NotFound {
            what: format!("no indexed file matches `{}`", request.path.as_deref().unwrap_or("")),
            hint: Hint::advice("give a folder, a file or a glob pattern such as `crates/*/src/**`"),
        });
    }
    Ok(scope)
}

/// A glob pattern, or a folder or file, which stands for what is below it.
struct Pattern {
    glob: GlobMatcher,
    folder: String,
}

impl Pattern {
    fn is_match(&self, path: &str) -> bool {
        let below = path.strip_prefix(&self.folder);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            || self.glob.is_match(path)
    }
}

fn pattern(text: &str) -> Result<Pattern, EngineError> {
    let glob = GlobBuilder::new(text).literal_separator(true).build();
    let glob = glob.map_err(|error| EngineError::BadRequest {
        what: format!("`{text}` is not a glob pattern: {}", error.kind()),
        hint: Hint::advice("for example `crates/*/src/**`"),
    })?;
    let folder = text.trim_start_matches("./").trim_end_matches('/').to_owned();
    Ok(Pattern { glob: glob.compile_matcher(), folder })
}

/// Folders of packages.
struct Folders {
    /// Of the packages that are asked for.
    own: Vec<String>,
    /// Of all packages, the deepest first.
    all: Vec<String>,
}

impl Folders {
    /// Whether a file belongs to one of the packages that are asked for.
    fn hold(&self, path: &str) -> bool {
        let below = |folder: &&String| {
            folder.is_empty()
                || path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        self.all.iter().find(below).is_some_and(|folder| self.own.contains(folder))
    }
}

fn folders(queries: &Queries<'_>, name: &str) -> Result<Folders, EngineError> {
    let folder = |manifest: &str| {
        manifest.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let crates = queries.crates()?;
    let of_name = crates.iter().filter(|one| one.package.as_deref() == Some(name));
    let own: Vec<String> = of_name.map(|one| folder(&one.manifest_path)).collect();
    if own.is_empty() {
        let mut names: Vec<&str> = crates.iter().filter_map(|one| one.package.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        names.sort_by_key(|have| strsim::levenshtein(have, name));
        names.truncate(3);
        return Err(EngineError::NotFound {
            what: format!("no package named `{name}`"),
            hint: Hint::DidYouMean(names.into_iter().map(str::to_owned).collect()),
        });
    }
    let mut all: Vec<String> = crates.iter().map(|one| folder(&one.manifest_path)).collect();
    all.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
    all.dedup();
    Ok(Folders { own, all })
}
