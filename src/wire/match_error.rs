//! Errors of paths that must have one definition.

use asof_model::Hint;

use super::resolve::{Item, Resolution};

/// A path that does not mean exactly one definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// No definition.
    #[error("{what}")]
    NotFound { what: String, hint: Hint },
    /// Several definitions, a line each.
    #[error("{what}:\n  {}", candidates.join("\n  "))]
    Ambiguous { what: String, hint: Hint, candidates: Vec<String> },
}

impl Resolution {
    /// The only definition; no match and several matches are errors with a hint.
    pub fn unique(&self) -> Result<&Item, MatchError> {
        match self.items() {
            [item] => Ok(item),
            [] => Err(MatchError::NotFound { what: self.describe(), hint: self.hint() }),
            many => Err(MatchError::Ambiguous {
                what: format!("`{}` means {} definitions", self.query, many.len()),
                hint: self.hint(),
                candidates: many.iter().map(Self::line).collect(),
            }),
        }
    }

    /// The definitions, at least one; no match is an error with a hint.
    pub fn any(&self) -> Result<&[Item], MatchError> {
        match self.unique() {
            Ok(_) | Err(MatchError::Ambiguous { .. }) => Ok(self.items()),
            Err(error) => Err(error),
        }
    }

    /// A candidate in one line: kind, path, place, condition.
    pub fn line(item: &Item) -> String {
        let path = item.path.as_deref().unwrap_or(&item.name);
        let cfg = item.condition.as_deref().unwrap_or(&item.cfg);
        let cfg = if cfg.is_empty() { String::new() } else { format!(" cfg({cfg})") };
        format!("{} {path} {}:{}{cfg}", item.kind, item.file_path, item.span.start_line)
    }

    fn describe(&self) -> String {
        let none = match &self.failed_segment {
            Some(segment) if *segment != self.query => {
                format!("no item named `{}`: `{segment}` was not found", self.query)
            }
            _ => format!("no item named `{}`", self.query),
        };
        // What is new in a file that was not indexed again is missing here.
        match self.answer.basis.stale_files.as_slice() {
            [] => none,
            [file] => format!("{none} (`{file}` has changed since it was indexed)"),
            [file, others @ ..] => format!(
                "{none} (`{file}` and {} more have changed since they were indexed)",
                others.len()
            ),
        }
    }

    fn hint(&self) -> Hint {
        // Names that are alike would be those of other things.
        if self.items().is_empty() && self.query.trim_start_matches("::").starts_with("std::") {
            let advice = "items of the standard library are not indexed; uses of them are";
            return Hint::Advice(advice.to_owned());
        }
        match (&self.disambiguator, self.suggestions.as_slice()) {
            (Some(_), _) => Hint::Narrow(self.filters()),
            (None, []) => Hint::ListOutline,
            (None, suggestions) => Hint::DidYouMean(suggestions.to_vec()),
        }
    }
}
