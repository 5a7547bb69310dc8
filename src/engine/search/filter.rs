//! Filters of a search, as the scope that candidates are looked for in.

use globset::{GlobBuilder, GlobMatcher};

use super::corpus::Loaded;
use crate::error::EngineError;
use crate::items::{PackageFiles, package_names};
use asof_model::Hint;
use asof_query::Queries;
use asof_search::Scope;
use asof_wire::{RankBy, SearchRequest};

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
    let package =
        request.package.as_deref().map(|name| package_files(queries, name)).transpose()?;
    for file in loaded.corpus.files() {
        let path = file.path.as_str();
        let by_path = glob.as_ref().is_none_or(|glob| glob.is_match(path));
        let by_package = package.as_ref().is_none_or(|package| package.holds(path));
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

/// The scope of sections of documentation that a request allows: kinds are those of items.
pub(super) fn scope_of_sections(
    queries: &Queries<'_>,
    request: &SearchRequest,
    loaded: &Loaded,
) -> Result<Scope, EngineError> {
    Ok(Scope { kinds: Default::default(), ..scope(queries, request, loaded)? })
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

fn package_files(queries: &Queries<'_>, name: &str) -> Result<PackageFiles, EngineError> {
    let crates = queries.crates()?;
    PackageFiles::find(&crates, name).ok_or_else(|| {
        let mut names: Vec<&str> = package_names(&crates).into_iter().collect();
        names.sort_by_key(|have| strsim::levenshtein(have, name));
        names.truncate(3);
        EngineError::NotFound {
            what: format!("no package named `{name}`"),
            hint: Hint::DidYouMean(names.into_iter().map(str::to_owned).collect()),
        }
    })
}
