//! Values that cross the boundary into the store: rows to write and parameters of queries.

use std::collections::BTreeMap;

use cozo::{DataValue, JsonData, Num, UuidWrapper};
use uuid::Uuid;

use asof_model::{
    Micros, Namespace, NodeId, NodeKind, RawHash, RevisionId, ShapeHash, TextHash, TrackingHash,
};

/// A value of a column or parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
    Bytes(Vec<u8>),
    Uuid(Uuid),
    List(Vec<Value>),
    Json(serde_json::Value),
}

impl Value {
    /// A list of these.
    pub fn list<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }

    /// A value from JSON: whole numbers as `Int`, arrays as `List`, objects as `Json`.
    pub fn from_json(json: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Null => Self::Null,
            Json::Bool(b) => Self::Bool(b),
            Json::Number(n) => match n.as_i64() {
                Some(int) => Self::Int(int),
                None => Self::Float(n.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(s) => Self::Str(s),
            Json::Array(items) => Self::List(items.into_iter().map(Self::from_json).collect()),
            object @ Json::Object(_) => Self::Json(object),
        }
    }

    /// The value of a cell; `None` for types that only the engine creates (sets, vectors, times).
    pub(super) fn from_engine(value: &DataValue) -> Option<Self> {
        Some(match value {
            DataValue::Null => Self::Null,
            DataValue::Bool(b) => Self::Bool(*b),
            DataValue::Num(Num::Int(i)) => Self::Int(*i),
            DataValue::Num(Num::Float(f)) => Self::Float(*f),
            DataValue::Str(s) => Self::Str(s.to_string()),
            DataValue::Bytes(b) => Self::Bytes(b.clone()),
            DataValue::Uuid(u) => Self::Uuid(u.0),
            DataValue::List(items) => {
                Self::List(items.iter().map(Self::from_engine).collect::<Option<_>>()?)
            }
            DataValue::Json(JsonData(json)) => Self::Json(json.clone()),
            _ => return None,
        })
    }

    pub(super) fn into_engine(self) -> DataValue {
        match self {
            Self::Null => DataValue::Null,
            Self::Bool(b) => DataValue::Bool(b),
            Self::Int(i) => DataValue::Num(Num::Int(i)),
            Self::Float(f) => DataValue::Num(Num::Float(f)),
            Self::Str(s) => DataValue::Str(s.into()),
            Self::Bytes(b) => DataValue::Bytes(b),
            Self::Uuid(u) => DataValue::Uuid(UuidWrapper(u)),
            Self::List(items) => {
                DataValue::List(items.into_iter().map(Self::into_engine).collect())
            }
            Self::Json(json) => DataValue::Json(JsonData(json)),
        }
    }
}

macro_rules! into_value {
    ($($from:ty => |$x:ident| $to:expr;)*) => {$(
        impl From<$from> for Value {
            fn from($x: $from) -> Self { $to }
        }
    )*};
}

into_value! {
    bool => |x| Value::Bool(x);
    i64 => |x| Value::Int(x);
    i32 => |x| Value::Int(i64::from(x));
    u32 => |x| Value::Int(i64::from(x));
    f64 => |x| Value::Float(x);
    String => |x| Value::Str(x);
    &str => |x| Value::Str(x.to_owned());
    Uuid => |x| Value::Uuid(x);
    NodeId => |x| Value::Uuid(x.0);
    RevisionId => |x| Value::Uuid(x.0);
    Namespace => |x| Value::Uuid(x.0);
    Micros => |x| Value::Int(x.0);
    NodeKind => |x| Value::Str(x.as_str().to_owned());
    RawHash => |x| Value::Str(x.as_str().to_owned());
    TrackingHash => |x| Value::Str(x.as_str().to_owned());
    ShapeHash => |x| Value::Str(x.as_str().to_owned());
    TextHash => |x| Value::Str(x.as_str().to_owned());
    serde_json::Value => |x| Value::Json(x);
    Vec<Value> => |x| Value::List(x);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(x: Option<T>) -> Self {
        x.map_or(Value::Null, Into::into)
    }
}

/// Named parameters of a script: `$name` in its text.
#[derive(Debug, Clone, Default)]
pub struct Params(pub(super) BTreeMap<String, DataValue>);

impl Params {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more parameter; a second value for a name replaces the first.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.insert(name, value);
        self
    }

    /// Adds or replaces a parameter.
    pub fn insert(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into().into_engine());
    }
}

impl<K: Into<String>> FromIterator<(K, Value)> for Params {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(iter: I) -> Self {
        Self(iter.into_iter().map(|(name, value)| (name.into(), value.into_engine())).collect())
    }
}
