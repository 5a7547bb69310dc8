//! Whole relations, by name: for dumps, comparisons and exports.

use super::database::Store;
use super::error::StoreError;
use super::rows::Rows;
use super::schema::Relation;
use super::value::Params;
use asof_model::Micros;

impl Store {
    /// Every row of a versioned relation as of a time, sorted by key; the column of time is left
    /// out. The script is made of the schema's own names. Fails for relations that are unknown
    /// or plain.
    pub fn rows_at(&self, relation: &str, at: Micros) -> Result<Rows, StoreError> {
        let relation = Relation::get(relation)?;
        if !relation.versioned {
            return Err(StoreError::Row {
                relation: relation.name.to_owned(),
                reason: "the relation is plain".to_owned(),
            });
        }
        let columns: Vec<&str> =
            relation.key.iter().chain(&relation.values).map(|c| c.name).collect();
        let columns = columns.join(", ");
        let script = format!("?[{columns}] := *{}{{{columns} @ $at}}", relation.name);
        self.run(&script, &Params::new().with("at", at))
    }
}
