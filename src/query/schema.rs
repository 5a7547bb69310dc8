//! The stored relations and the views, described for those who write queries.

use super::error::QueryError;
use super::views;
use asof_model::Hint;
use asof_store::{Relation, StoreError};
use asof_wire::{DataSource, SourceColumn};

/// Kind of a stored relation: `*name{column}`.
const RELATION: &str = "relation";
/// Kind of a view: `name[column, …]`, by position.
const VIEW: &str = "view";

/// Every relation, then every view, by name.
pub fn data_sources() -> Vec<DataSource> {
    Relation::all().map(of_relation).chain(views::all().values().map(of_view)).collect()
}

/// The relation or view of a name.
///
/// # Errors
/// [`QueryError::NoSource`], which lists the existing ones.
pub fn data_source(name: &str) -> Result<DataSource, QueryError> {
    let name = name.trim_start_matches('*');
    let relation = Relation::find(name).map(of_relation);
    relation.or_else(|| views::all().get(name).map(of_view)).ok_or_else(|| QueryError::NoSource {
        name: name.to_owned(),
        relations: relations(),
        views: listed(views::all().keys().map(String::as_str)),
    })
}

fn of_relation(relation: &Relation) -> DataSource {
    let column = |key| {
        move |column: &asof_store::Column| SourceColumn {
            name: column.name.to_owned(),
            kind: column.kind.to_owned(),
            key,
            doc: column.doc.clone(),
        }
    };
    let mut columns: Vec<SourceColumn> = relation.key.iter().map(column(true)).collect();
    if relation.versioned {
        columns.push(SourceColumn {
            name: "at".to_owned(),
            kind: "Validity".to_owned(),
            key: true,
            doc: "when the version begins; `@ $at` in its place reads one moment".to_owned(),
        });
    }
    columns.extend(relation.values.iter().map(column(false)));
    DataSource {
        name: relation.name.to_owned(),
        kind: RELATION.to_owned(),
        versioned: relation.versioned,
        doc: relation.doc.clone(),
        items: columns,
    }
}

fn of_view(view: &views::View) -> DataSource {
    let columns = view.columns.iter().zip(&view.types).enumerate();
    let columns = columns.map(|(at, (name, kind))| SourceColumn {
        name: name.clone(),
        kind: kind.clone(),
        key: at == 0,
        doc: String::new(),
    });
    DataSource {
        name: view.name.clone(),
        kind: VIEW.to_owned(),
        versioned: true,
        doc: view.doc.clone(),
        items: columns.collect(),
    }
}

fn relations() -> String {
    listed(Relation::all().map(|relation| relation.name))
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// How a view is written.
fn written(view: &views::View) -> String {
    format!(
        "`{}` is a view: it is written `{}[{}]`, without a `*`, with all its columns in this order, \
         and `_` for those that are not needed",
        view.name,
        view.name,
        listed(view.columns.iter().map(String::as_str))
    )
}

/// The view that a place in a script follows, as in `function{`.
fn view_before(script: &str, offset: usize) -> Option<&'static views::View> {
    let before = script.get(..offset)?.trim_end();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let name = before.rsplit(|c: char| !is_name(c)).next()?;
    views::all().get(name)
}

/// Adds to an error of a script about an unknown relation, view or column the existing ones.
pub(super) fn explain(error: StoreError, script: &str) -> StoreError {
    let StoreError::Query { query, message, span, excerpt, help } = error else { return error };
    let quoted: Vec<&str> = message.split('\'').skip(1).step_by(2).collect();
    let missing = match (message.as_str(), quoted.as_slice()) {
        (text, [name])
            if text.contains("Cannot find requested stored relation")
                && let Some(view) = views::all().get(*name) =>
        {
            Some(written(view))
        }
        (text, _)
            if text.contains("unexpected input")
                && let Some((offset, _)) = span
                && let Some(view) = view_before(script, offset) =>
        {
            Some(written(view))
        }
        (text, [_]) if text.contains("Cannot find requested stored relation") => {
            Some(format!("relations are {}", relations()))
        }
        (text, [relation, _]) if text.contains("does not have field") => Relation::find(relation)
            .map(|relation| {
                let columns = of_relation(relation).items;
                format!(
                    "columns of `{}` are {}",
                    relation.name,
                    listed(columns.iter().map(|column| column.name.as_str()))
                )
            }),
        (text, _) if text.contains("Requested rule") => Some(format!(
            "views are {}; a stored relation has a `*` in front",
            listed(views::all().keys().map(String::as_str))
        )),
        (text, _) if text.contains("Arity mismatch for rule application") => {
            let name = text.rsplit(' ').next().unwrap_or_default();
            views::all().get(name).map(written)
        }
        _ => None,
    };
    let help = match missing {
        Some(missing) => Some(Hint::DescribeSources(missing)),
        None => help,
    };
    StoreError::Query { query, message, span, excerpt, help }
}
