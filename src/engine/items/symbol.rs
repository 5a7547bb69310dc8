//! Resolves a path that a user typed to symbols: definitions, and external names that the workspace
//! uses.

use std::collections::BTreeSet;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_query::{ExternalSymbolUse, Queries};
use asof_wire::{MatchError, ResolveRequest, Symbol};

/// Maximum number of external symbols for a path that ends in `*`.
const MAX_EXTERNAL: i64 = 1_000;

/// Maximum number of external symbols that are compared with a path which none of them has.
const MAX_NAMES: i64 = 100_000;

impl Snapshot<'_> {
    /// Resolves a path as a target of uses. Definitions of the workspace come first; then names of
    /// dependencies and standard crates by their full path (`std::fs::read`), all names below a
    /// path (`std::fs::*`), and names without a known definition, as written (`.len`).
    ///
    /// # Errors
    /// No match, with suggestions; or the text is not a path.
    pub fn symbols(&self, request: &ResolveRequest) -> Result<Vec<Symbol>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let text = request.path.trim();
        if let Some(prefix) = text.strip_suffix('*')
            && (prefix.ends_with("::") || prefix == ".")
        {
            let found = queries.external_symbols_starting(prefix, MAX_EXTERNAL)?;
            if !found.is_empty() {
                return Ok(found.into_iter().map(in_use).collect());
            }
            return Err(EngineError::NotFound {
                what: format!("no external symbol in use begins with `{prefix}`"),
                hint: "a path that ends in `*` matches only names of other crates".into(),
            });
        }
        if text.starts_with('.') {
            return exactly(&queries, text)?.map(|found| vec![found]).ok_or_else(|| {
                EngineError::NotFound {
                    what: format!("no use of an unknown `{text}`"),
                    hint: "give the type too: `Type::method`".into(),
                }
            });
        }
        let found = self.resolve(request)?;
        if !found.items().is_empty() {
            return Ok(found.items().iter().map(Symbol::from).collect());
        }
        if let Some(external) = exactly(&queries, text)? {
            return Ok(vec![external]);
        }
        let other = self.by_other_names(&queries, text)?;
        if !other.is_empty() {
            return Ok(other);
        }
        let suggestions = queries.external_symbols_starting(text, 5)?;
        if suggestions.is_empty()
            && let Some(error) = not_in_use(&queries, text)?
        {
            return Err(error);
        }
        match (found.unique(), suggestions.is_empty()) {
            (Err(MatchError::NotFound { what, .. }), false) => Err(EngineError::NotFound {
                what,
                hint: Hint::DidYouMean(suggestions.into_iter().map(|one| one.text).collect()),
            }),
            (Err(error), _) => Err(error.into()),
            (Ok(item), _) => Ok(vec![Symbol::from(item)]),
        }
    }
}

impl Snapshot<'_> {
    /// The names in use of another crate's item that has several public paths. Each use has one of
    /// them.
    fn by_other_names(
        &self,
        queries: &Queries<'_>,
        text: &str,
    ) -> Result<Vec<Symbol>, EngineError> {
        let path = text.trim_start_matches("::");
        if !path.contains("::") {
            return Ok(Vec::new());
        }
        let used = queries.external_symbols_starting("", MAX_NAMES)?;
        let names = used.iter().filter(|one| one.external).map(|one| one.text.as_str());
        let root = self.database.root.as_deref();
        let same: BTreeSet<&str> =
            asof_index::same_outside(self.store(), root, path, names)?.into_iter().collect();
        let same = used.iter().filter(|one| same.contains(one.text.as_str()));
        Ok(same.cloned().map(in_use).collect())
    }
}

/// The error for a path of another crate of which names are used, but not this one.
fn not_in_use(queries: &Queries<'_>, text: &str) -> Result<Option<EngineError>, EngineError> {
    let path = text.trim_start_matches("::");
    let Some((krate, rest)) = path.split_once("::") else { return Ok(None) };
    if !queries.roots(krate)?.is_empty() {
        return Ok(None);
    }
    let used = queries.external_symbols_starting(&format!("{krate}::"), MAX_EXTERNAL)?;
    if used.is_empty() {
        return Ok(None);
    }
    let name = rest.rsplit("::").next().unwrap_or(rest);
    let mut alike: Vec<String> = used.into_iter().map(|one| one.text).collect();
    alike.retain(|text| text.rsplit("::").next() == Some(name));
    alike.truncate(5);
    let hint = if alike.is_empty() {
        Hint::Advice(format!("`{krate}::*` lists what is used of `{krate}`"))
    } else {
        Hint::DidYouMean(alike)
    };
    Ok(Some(EngineError::NotFound { what: format!("no use of `{path}`"), hint }))
}

fn in_use(found: ExternalSymbolUse) -> Symbol {
    Symbol::external(found.id, found.text, found.external)
}

/// The external name with exactly this text, if it is used at that time.
fn exactly(queries: &Queries<'_>, text: &str) -> Result<Option<Symbol>, EngineError> {
    let text = text.trim_start_matches("::");
    let found = queries.external_symbols_starting(text, 2)?;
    Ok(found.into_iter().find(|one| one.text == text).map(in_use))
}
