//! Verifies everything stored: pages by their checksums and SQLite's integrity check, rows by the
//! column types of the schema.

use cozo::DataValue;

use super::database::Store;
use super::error::StoreError;
use super::file;
use super::rows::{Row, Rows};
use super::schema::{Column, Relation};
use super::value::Params;

/// Columns of [`Store::versions`]: the time of a version, and whether it asserts.
pub const VERSION_TIME: &str = "version_time";
pub const VERSION_HOLDS: &str = "version_holds";

impl Store {
    /// Reads every page: its checksum, and the structure of the trees. Fails with
    /// [`StoreError::Corrupt`] at the first fault.
    pub fn verify_pages(&self) -> Result<(), StoreError> {
        self.path().map_or(Ok(()), file::integrity)
    }

    /// Every row of a relation; of a versioned one every version, with the columns
    /// [`VERSION_TIME`] and [`VERSION_HOLDS`]. The script is made of the schema's own names.
    pub fn versions(&self, relation: &Relation) -> Result<Rows, StoreError> {
        let columns: Vec<&str> =
            relation.key.iter().chain(&relation.values).map(|c| c.name).collect();
        let (name, columns) = (relation.name, columns.join(", "));
        let script = if relation.versioned {
            format!(
                "?[{columns}, {VERSION_TIME}, {VERSION_HOLDS}] := *{name}{{{columns}, at}}, \
             {VERSION_TIME} = to_int(at), {VERSION_HOLDS} = to_bool(at)"
            )
        } else {
            format!("?[{columns}] := *{name}{{{columns}}}")
        };
        self.run(&script, &Params::new())
    }

    /// The first column of a row whose value has another type than its relation declares.
    pub fn misfit(relation: &Relation, row: &Row<'_>) -> Option<&'static str> {
        let holds = row.get::<bool>(VERSION_HOLDS).unwrap_or(true);
        let values = relation.values.iter().filter(|_| holds);
        relation
            .key
            .iter()
            .chain(values)
            .find(|column| !row.cell(column.name).is_ok_and(|cell| fits(column, cell.value())))
            .map(|column| column.name)
    }
}

fn fits(column: &Column, value: &DataValue) -> bool {
    let (kind, optional) = match column.kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (column.kind, false),
    };
    match value {
        DataValue::Null => optional,
        DataValue::Bool(_) => kind == "Bool",
        DataValue::Num(_) => kind == "Int" || kind == "Float",
        DataValue::Str(_) => kind == "String",
        DataValue::Bytes(_) => kind == "Bytes",
        DataValue::Uuid(_) => kind == "Uuid",
        DataValue::Json(_) => kind == "Json",
        DataValue::List(_) => kind.starts_with('['),
        _ => false,
    }
}
