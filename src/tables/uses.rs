//! Uses and their places.

use std::collections::HashMap;
use std::sync::Arc;

use super::cell::Row;
use super::common::Common;
use super::error::TablesError;
use super::intervals::Tracker;
use super::symbol::Symbol;
use super::versions::{Versions, versions};
use asof_model::NodeId;
use asof_query::StoredUse;
use asof_store::Relation;

/// Rows of three tables.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub uses: Vec<Row>,
    pub occurrences: Vec<Row>,
    pub external: Vec<Row>,
}

/// Reads the uses, and names the external symbols that are their targets.
pub(super) fn read(common: &mut Common<'_>) -> Result<Uses, TablesError> {
    let store = common.reading.store;
    let by_source: Versions<NodeId, Vec<StoredUse>> = versions(
        store,
        "refs_by_source",
        common.span,
        |row| row.get("source"),
        |row| row.get("refs"),
    )?;
    let mut found = Uses { external: name_externals(common, &by_source)?, ..Uses::default() };
    let mut shared: HashMap<Box<str>, Arc<str>> = HashMap::new();
    for (source, of_source) in by_source {
        let source = common.symbols.need(source)?;
        let (mut uses, mut occurrences) = (Tracker::default(), Tracker::default());
        for (at, refs) in of_source {
            let (mut use_rows, mut occurrence_rows) = (Vec::new(), Vec::new());
            for one in refs.unwrap_or_default() {
                let target = common.symbols.need(one.target)?;
                let text = shared.entry(one.provenance);
                let provenance = Arc::clone(text.or_insert_with_key(|text| Arc::from(&**text)));
                let kind = one.kind.as_str();
                let mut row: Row = vec![
                    target.into(),
                    source.into(),
                    kind.into(),
                    provenance.into(),
                    one.confidence.into(),
                ];
                for [offset, line, column] in &one.occurrences.0 {
                    let mut row = row.clone();
                    row.extend([(*offset).into(), (*line).into(), (*column).into()]);
                    occurrence_rows.push(row);
                }
                let count = i64::try_from(one.occurrences.0.len()).unwrap_or(i64::MAX);
                row.extend([count.into(), one.condition.as_deref().into()]);
                use_rows.push(row);
            }
            uses.set(at, use_rows, &mut found.uses);
            occurrences.set(at, occurrence_rows, &mut found.occurrences);
        }
        uses.finish(&mut found.uses);
        occurrences.finish(&mut found.occurrences);
    }
    Ok(found)
}

/// Names the external symbols that are used, and returns their rows.
fn name_externals(
    common: &mut Common<'_>,
    by_source: &Versions<NodeId, Vec<StoredUse>>,
) -> Result<Vec<Row>, TablesError> {
    let relation = Relation::find("external_symbol").ok_or_else(|| TablesError::Fact {
        what: "relation",
        reason: "there is no relation `external_symbol`".to_owned(),
    })?;
    let mut texts: HashMap<NodeId, (String, bool)> = HashMap::new();
    for row in common.reading.store.versions(relation)?.iter() {
        texts.insert(row.get("id")?, (row.get("text")?, row.get("external")?));
    }
    let mut rows = Vec::new();
    let lists = by_source.values().flatten().filter_map(|(_, refs)| refs.as_ref());
    for one in lists.flatten() {
        if common.symbols.get(one.target).is_some() {
            continue;
        }
        let Some((text, known)) = texts.get(&one.target) else { continue };
        let package = if *known { text.split("::").next().unwrap_or_default() } else { "" };
        // A name that is not known to be external may be spelled like one that is.
        let symbol = Symbol {
            source: if *known { "external" } else { "unknown" }.into(),
            package: package.into(),
            id: text.as_str().into(),
        };
        let key = common.symbols.add(one.target, symbol)?;
        rows.push(vec![key.into(), text.as_str().into(), package.into(), (*known).into()]);
    }
    Ok(rows)
}
