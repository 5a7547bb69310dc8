//! All rows of all tables, from the versions in a database.

use std::collections::BTreeMap;

use super::cell::Row;
use super::common::{Common, Reading};
use super::error::TablesError;
pub use super::intervals::OPEN;
use super::schema::{EXPORT, TABLES};
use super::versions::Span;
use super::{layouts, rows, uses};

/// The rows of each table, sorted.
#[derive(Debug, Default)]
pub struct Facts {
    pub tables: BTreeMap<&'static str, Vec<Row>>,
}

impl Facts {
    /// Reads everything up to the moment.
    ///
    /// # Errors
    /// The database cannot be read, or two symbols have one key.
    pub fn read(reading: &Reading<'_>) -> Result<Self, TablesError> {
        let floor = reading.floor.map_or(i64::MIN, |floor| floor.0);
        let mut common = Common::read(reading, Span { floor, at: reading.at.0 })?;
        let mut facts = Self::default();
        facts.tables.insert("definition", common.definitions()?);
        facts.tables.insert("place", layouts::places(&common)?);
        let uses = uses::read(&mut common)?;
        facts.tables.insert("external", uses.external);
        facts.tables.insert("use", uses.uses);
        facts.tables.insert("occurrence", uses.occurrences);
        facts.tables.insert("public_path", rows::public_paths(&common)?);
        facts.tables.insert("package", rows::packages(&common));
        facts.tables.insert("dependency", rows::dependencies(&common));
        facts.tables.insert("item_match", rows::item_matches(&common)?);
        facts.tables.insert("metric", rows::metrics(&common)?);
        facts.tables.insert("revision", rows::revisions(&common)?);
        facts.tables.insert("project", rows::project(&common)?);
        facts.tables.insert("symbol", common.symbol_rows(facts.table("external")));
        for rows in facts.tables.values_mut() {
            rows.sort_unstable();
            rows.dedup();
        }
        debug_assert!(TABLES.iter().all(|t| t.name == EXPORT || facts.tables.contains_key(t.name)));
        Ok(facts)
    }

    /// The rows of a table.
    pub fn table(&self, name: &str) -> &[Row] {
        self.tables.get(name).map(Vec::as_slice).unwrap_or_default()
    }
}
