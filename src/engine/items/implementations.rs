//! What implements a trait.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{Hint, NodeId, NodeKind};
use asof_query::{Queries, TraitImpl};
use asof_wire::{ImplKind, Implementation, ImplementationsResult, Symbol, Tests};

impl Snapshot<'_> {
    /// The impls of traits in the workspace and the types that derive them: those for one type, those
    /// with type parameters, those by a derive.
    ///
    /// # Errors
    /// A symbol that is no trait, or a failure of the database.
    pub fn trait_implementations(
        &self,
        symbols: &[Symbol],
        tests: Tests,
        limit: Option<usize>,
    ) -> Result<ImplementationsResult, EngineError> {
        let started = Instant::now();
        let traits: Vec<Symbol> = symbols.iter().filter(|one| may_be_trait(one)).cloned().collect();
        let traits = self.with_same_text(&traits)?;
        if let (Some(other), true) = (symbols.first(), traits.is_empty()) {
            return Err(EngineError::BadRequest {
                what: format!(
                    "`{}` is a {}, and only traits are implemented",
                    other.path, other.kind
                ),
                hint: Hint::advice("the outline of a type lists its impls"),
            });
        }
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> = traits.iter().map(|one| one.id).collect();
        let names: Vec<String> = traits.iter().map(|one| bare_name(&one.path).to_owned()).collect();
        let mut rows = queries.trait_impls(&ids, &names)?;
        rows.retain(|row| tests == Tests::Include || !row.in_test);
        rows.sort_by_cached_key(|row| (impl_kind(row), row.path.clone(), row.id));
        let count = |kind| rows.iter().filter(|row| impl_kind(row) == kind).count();
        let (direct, generic, derived) =
            (count(ImplKind::Direct), count(ImplKind::Generic), count(ImplKind::Derived));
        let total = rows.len();
        rows.truncate(limit.unwrap_or(usize::MAX));
        let of_rows =
            rows.iter().map(|row| row.id).chain(rows.iter().filter_map(|row| row.type_id));
        let described = queries.describe(&of_rows.collect::<Vec<_>>())?;
        let known: BTreeMap<NodeId, _> = described.iter().map(|item| (item.id, item)).collect();
        let items = rows.into_iter().map(|row| {
            let place = known.get(&row.id).ok_or_else(|| EngineError::State {
                what: "impl",
                reason: format!("{} has no place", row.id),
            })?;
            let kind = impl_kind(&row);
            let type_path = row
                .type_id
                .and_then(|id| known.get(&id))
                .and_then(|item| item.canonical_path.clone());
            Ok(Implementation {
                id: row.id,
                impl_kind: kind,
                type_path: type_path.unwrap_or_else(|| written_type(&row.path).to_owned()),
                signature: row.signature,
                file_path: row.file_path,
                line: place.name_line,
                in_test: row.in_test,
                made: row.made,
            })
        });
        let items = items.collect::<Result<Vec<_>, EngineError>>()?;
        let mut answer = self.answer(started, items, None);
        (answer.total, answer.truncated) = (total, answer.items.len() < total);
        Ok(ImplementationsResult { symbols: traits, direct, generic, derived, answer })
    }
}

/// Whether a symbol is a trait, or a name of another crate of which that is not known.
fn may_be_trait(symbol: &Symbol) -> bool {
    let is_trait =
        [NodeKind::Trait, NodeKind::TraitAlias].iter().any(|k| k.as_str() == symbol.kind);
    is_trait || symbol.external
}

fn impl_kind(row: &TraitImpl) -> ImplKind {
    if row.derived {
        ImplKind::Derived
    } else if row.generic {
        ImplKind::Generic
    } else {
        ImplKind::Direct
    }
}

fn bare_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The type of an impl by its path, `<Vec as Shape>`.
fn written_type(path: &str) -> &str {
    let inside = path.strip_prefix('<').unwrap_or(path);
    inside.split_once(" as ").map_or(inside, |(of, _)| of)
}
