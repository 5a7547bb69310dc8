//! Results of queries, decoded by column name.

use std::cell::Cell as Cursor;

use cozo::{DataValue, Num};
use serde_json::Value as Json;
use uuid::Uuid;

use super::error::StoreError;
use super::value::Value;
use asof_model::{
    Micros, Namespace, NodeId, NodeKind, RawHash, RefKind, RevisionId, ShapeHash, TextHash,
    TrackingHash,
};

/// The rows of a result, in the order of the query.
#[derive(Debug)]
pub struct Rows {
    pub(super) query: String,
    pub(super) headers: Vec<String>,
    pub(super) rows: Vec<Vec<DataValue>>,
    pub(super) truncated: bool,
}

impl Rows {
    /// Names of the columns.
    pub fn headers(&self) -> &[String] {
        &self.headers
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether a limit truncated the rows.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// Keeps at most this many rows; a result that loses some is truncated.
    pub fn limit(&mut self, rows: usize) {
        self.truncated |= self.rows.len() > rows;
        self.rows.truncate(rows);
    }

    /// The rows one by one.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.rows.iter().map(|values| Row { rows: self, values, cursor: Cursor::new(0) })
    }

    /// Every row as a `T`; fails at the first that is not.
    pub fn decode<T: FromRow>(&self) -> Result<Vec<T>, StoreError> {
        self.iter().map(|row| T::from_row(&row)).collect()
    }

    /// The first row as a `T`, or `None` without rows.
    pub fn first<T: FromRow>(&self) -> Result<Option<T>, StoreError> {
        self.iter().next().map(|row| T::from_row(&row)).transpose()
    }

    /// One column of every row.
    pub fn column<T: FromCell>(&self, name: &str) -> Result<Vec<T>, StoreError> {
        self.iter().map(|row| row.get(name)).collect()
    }

    /// The cells of every row as JSON, in the order of the headers.
    pub fn to_json(&self) -> Vec<Vec<Json>> {
        self.rows.iter().map(|row| row.iter().map(|v| Cell(v).to_json()).collect()).collect()
    }
}

/// A row of a result.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    rows: &'a Rows,
    values: &'a [DataValue],
    /// Where the next name is looked up first: decoders read in the order of the columns.
    cursor: Cursor<usize>,
}

impl<'a> Row<'a> {
    /// The cell of this column, decoded. Fails if the column does not exist or has
    /// another type.
    pub fn get<T: FromCell>(&self, column: &str) -> Result<T, StoreError> {
        let cell = self.cell(column)?;
        T::from_cell(cell).ok_or_else(|| StoreError::Cell {
            query: self.rows.query.clone(),
            column: column.to_owned(),
            expected: T::expected(),
            found: cell.describe(),
        })
    }

    /// The cell of this column as it is. Fails if the column does not exist.
    pub fn cell(&self, column: &str) -> Result<Cell<'a>, StoreError> {
        let headers = &self.rows.headers;
        let guess = self.cursor.get();
        let index = match headers.get(guess) {
            Some(name) if name == column => Some(guess),
            _ => headers.iter().position(|name| name == column),
        };
        match index.and_then(|index| self.values.get(index).map(|value| (index, value))) {
            Some((index, value)) => {
                self.cursor.set(index + 1);
                Ok(Cell(value))
            }
            None => Err(StoreError::NoColumn {
                query: self.rows.query.clone(),
                column: column.to_owned(),
                have: headers.clone(),
            }),
        }
    }
}

/// A value of a result, borrowed.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a>(&'a DataValue);

impl<'a> Cell<'a> {
    pub(super) fn value(self) -> &'a DataValue {
        self.0
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        matches!(self.0, DataValue::Null)
    }

    pub fn as_bool(self) -> Option<bool> {
        match self.0 {
            DataValue::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// A whole number; of a validity, its time in microseconds.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            DataValue::Num(Num::Int(i)) => Some(*i),
            DataValue::Validity(validity) => Some(validity.timestamp.0.0),
            _ => None,
        }
    }

    /// A number.
    pub fn as_f64(self) -> Option<f64> {
        match self.0 {
            DataValue::Num(Num::Int(i)) => Some(*i as f64),
            DataValue::Num(Num::Float(f)) => Some(*f),
            _ => None,
        }
    }

    pub fn as_str(self) -> Option<&'a str> {
        match self.0 {
            DataValue::Str(s) => Some(s),
            _ => None,
        }
    }

    pub fn as_bytes(self) -> Option<&'a [u8]> {
        match self.0 {
            DataValue::Bytes(b) => Some(b),
            _ => None,
        }
    }

    pub fn as_uuid(self) -> Option<Uuid> {
        match self.0 {
            DataValue::Uuid(u) => Some(u.0),
            _ => None,
        }
    }

    /// Elements of a list.
    pub fn as_list(self) -> Option<impl ExactSizeIterator<Item = Cell<'a>>> {
        match self.0 {
            DataValue::List(items) => Some(items.iter().map(Cell)),
            _ => None,
        }
    }

    /// A value of a `Json` column, borrowed.
    pub fn as_json(self) -> Option<&'a Json> {
        match self.0 {
            DataValue::Json(json) => Some(&json.0),
            _ => None,
        }
    }

    /// As JSON: identifiers as text, bytes as hexadecimal text, a validity as
    /// `[microseconds, asserted]`, numbers that JSON does not have as null.
    pub fn to_json(self) -> Json {
        match self.0 {
            DataValue::Null | DataValue::Bot => Json::Null,
            DataValue::Bool(b) => Json::Bool(*b),
            DataValue::Num(Num::Int(i)) => Json::from(*i),
            DataValue::Num(Num::Float(f)) => Json::from(*f),
            DataValue::Str(s) => Json::from(s.as_str()),
            DataValue::Bytes(bytes) => {
                Json::from(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>())
            }
            DataValue::Uuid(u) => Json::from(u.0.to_string()),
            DataValue::List(items) => items.iter().map(|v| Cell(v).to_json()).collect(),
            DataValue::Set(items) => items.iter().map(|v| Cell(v).to_json()).collect(),
            DataValue::Json(json) => json.0.clone(),
            DataValue::Validity(validity) => {
                Json::from(vec![Json::from(validity.timestamp.0.0), validity.is_assert.0.into()])
            }
            DataValue::Vec(cozo::Vector::F32(a)) => {
                a.iter().map(|x| Json::from(f64::from(*x))).collect()
            }
            DataValue::Vec(cozo::Vector::F64(a)) => a.iter().map(|x| Json::from(*x)).collect(),
            DataValue::Regex(regex) => Json::from(regex.0.as_str()),
        }
    }

    /// Its type and the beginning of its value.
    fn describe(self) -> String {
        let kind = match self.0 {
            DataValue::Null => return "null".to_owned(),
            DataValue::Bool(_) => "bool",
            DataValue::Num(Num::Int(_)) => "int",
            DataValue::Num(Num::Float(_)) => "float",
            DataValue::Str(_) => "string",
            DataValue::Bytes(bytes) => return format!("{} bytes", bytes.len()),
            DataValue::Uuid(_) => "uuid",
            DataValue::List(_) | DataValue::Set(_) => "list",
            DataValue::Json(_) => "json",
            DataValue::Validity(_) => "validity",
            DataValue::Vec(_) => return "vector".to_owned(),
            DataValue::Regex(_) | DataValue::Bot => return "an internal value".to_owned(),
        };
        let text: String = self.to_json().to_string().chars().take(60).collect();
        format!("{kind} {text}")
    }
}

/// A type that a row decodes into.
pub trait FromRow: Sized {
    /// Decodes a row by the names of its columns.
    fn from_row(row: &Row<'_>) -> Result<Self, StoreError>;
}

/// A type that a cell decodes into.
pub trait FromCell: Sized {
    /// The decoded value, or `None` if the cell has another type.
    fn from_cell(cell: Cell<'_>) -> Option<Self>;
    /// The expected type, for messages.
    fn expected() -> String;
}

impl FromCell for Value {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        Value::from_engine(cell.0)
    }
    fn expected() -> String {
        "a value that can be stored".to_owned()
    }
}

macro_rules! from_cell {
    ($($to:ty, $expected:literal => |$cell:ident| $decode:expr;)*) => {$(
        impl FromCell for $to {
            fn from_cell($cell: Cell<'_>) -> Option<Self> { $decode }
            fn expected() -> String { $expected.to_owned() }
        }
    )*};
}

from_cell! {
    bool, "bool" => |c| c.as_bool();
    i64, "int" => |c| c.as_i64();
    u32, "int of 32 bits" => |c| c.as_i64().and_then(|i| u32::try_from(i).ok());
    u64, "int from 0" => |c| c.as_i64().and_then(|i| u64::try_from(i).ok());
    usize, "int from 0" => |c| c.as_i64().and_then(|i| usize::try_from(i).ok());
    f64, "float" => |c| c.as_f64();
    String, "string" => |c| c.as_str().map(str::to_owned);
    Vec<u8>, "bytes" => |c| c.as_bytes().map(<[u8]>::to_vec);
    Uuid, "uuid" => |c| c.as_uuid();
    NodeId, "uuid" => |c| c.as_uuid().map(NodeId);
    RevisionId, "uuid" => |c| c.as_uuid().map(RevisionId);
    Namespace, "uuid" => |c| c.as_uuid().map(Namespace);
    Micros, "int (microseconds)" => |c| c.as_i64().map(Micros);
    RefKind, "kind of use" => |c| c.as_str().and_then(|s| s.parse().ok());
    NodeKind, "kind of node" => |c| c.as_str().and_then(|s| s.parse().ok());
    RawHash, "hash" => |c| c.as_str().and_then(|s| s.parse().ok());
    TrackingHash, "hash" => |c| c.as_str().and_then(|s| s.parse().ok());
    ShapeHash, "hash" => |c| c.as_str().and_then(|s| s.parse().ok());
    TextHash, "hash" => |c| c.as_str().and_then(|s| s.parse().ok());
    Json, "anything" => |c| Some(c.to_json());
}

impl<T: FromCell> FromCell for Option<T> {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        if cell.is_null() { Some(None) } else { T::from_cell(cell).map(Some) }
    }
    fn expected() -> String {
        format!("{} or null", T::expected())
    }
}

/// A type whose lists decode if all of their elements do. (`Vec<u8>` is bytes.)
pub trait ListElement: FromCell {}

impl<T: ListElement> FromCell for Vec<T> {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        cell.as_list()?.map(T::from_cell).collect()
    }
    fn expected() -> String {
        format!("list of {}", T::expected())
    }
}

macro_rules! list_elements {
    ($($item:ty),*) => {$(impl ListElement for $item {})*};
}

list_elements!(
    bool,
    i64,
    u32,
    u64,
    usize,
    f64,
    String,
    Uuid,
    NodeId,
    NodeKind,
    Json,
    Vec<u32>,
    Vec<i64>,
    Vec<String>,
    Vec<Json>,
    Option<String>
);
