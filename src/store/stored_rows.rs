//! Rows of a batch in the form in which they are stored, encoded once. The engine takes no part in
//! writing, so the types of columns are checked here.

use asof_storage::ValueWriter;

use super::value::Value;

/// The type of a column, as its relation declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Type {
    Any,
    Bool,
    Int,
    Float,
    Str,
    Bytes,
    Uuid,
    Json,
    List(Box<Type>),
    /// Null, or a value of this type.
    Optional(Box<Type>),
}

impl Type {
    /// A type in the words of a schema: `Uuid`, `String?`, `[[Any?]]`. `None` for others, among
    /// them the time, which is not written as a value.
    pub fn from_name(kind: &str) -> Option<Self> {
        if let Some(kind) = kind.strip_suffix('?') {
            return Self::from_name(kind).map(Box::new).map(Self::Optional);
        }
        if let Some(item) = kind.strip_prefix('[') {
            return Self::from_name(item.strip_suffix(']')?).map(Box::new).map(Self::List);
        }
        Some(match kind {
            "Any" => Self::Any,
            "Bool" => Self::Bool,
            "Int" => Self::Int,
            "Float" => Self::Float,
            "String" => Self::Str,
            "Bytes" => Self::Bytes,
            "Uuid" => Self::Uuid,
            "Json" => Self::Json,
            _ => return None,
        })
    }

    /// Whether a column of this type can have this value.
    pub fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Optional(_), Value::Null) => true,
            (Self::Optional(kind), value) => kind.accepts(value),
            (Self::Any, value) => !matches!(value, Value::Null),
            (Self::List(kind), Value::List(items)) => items.iter().all(|item| kind.accepts(item)),
            (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Float, Value::Float(_) | Value::Int(_))
            | (Self::Str, Value::Str(_))
            | (Self::Bytes, Value::Bytes(_))
            | (Self::Uuid, Value::Uuid(_))
            | (Self::Json, Value::Json(_)) => true,
            _ => false,
        }
    }
}

/// Appends a column, of the key or after it.
pub(super) fn push<W: ValueWriter>(out: &mut W, kind: &Type, value: &Value) {
    match value {
        Value::Null => out.null(),
        Value::Bool(value) => out.bool(*value),
        Value::Int(value) if is_float(kind) => out.float(*value as f64),
        Value::Int(value) => out.int(*value),
        Value::Float(value) => out.float(*value),
        Value::Str(value) => out.text(value),
        Value::Bytes(value) => out.bytes(value),
        Value::Uuid(value) => out.uuid(*value.as_bytes()),
        Value::List(items) => out.list(items, |out, item| push(out, item_of(kind), item)),
        Value::Json(value) => out.json(value),
    }
}

/// A column of this type has fractions, so a whole number is written as one.
fn is_float(kind: &Type) -> bool {
    match kind {
        Type::Float => true,
        Type::Optional(kind) => is_float(kind),
        _ => false,
    }
}

fn item_of(kind: &Type) -> &Type {
    match kind {
        Type::List(item) => item,
        Type::Optional(kind) => item_of(kind),
        _ => &Type::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Relation;

    #[test]
    fn every_column_of_the_schema_has_a_type() {
        for relation in Relation::all() {
            for column in relation.key.iter().chain(&relation.values) {
                assert!(
                    Type::from_name(column.kind).is_some(),
                    "{}: {}",
                    relation.name,
                    column.kind
                );
            }
        }
        assert_eq!(Type::from_name("Validity"), None);
        assert_eq!(Type::from_name("[Int"), None);
    }

    #[track_caller]
    fn check(kind: &str, yes: &[Value], no: &[Value]) {
        let kind = Type::from_name(kind).unwrap();
        for (values, expected) in [(yes, true), (no, false)] {
            values.iter().for_each(|value| assert_eq!(kind.accepts(value), expected, "{value:?}"));
        }
    }

    #[test]
    fn a_column_accepts_its_type_alone() {
        let text = || Value::from("a");
        check("String", &[text()], &[Value::Null, 1i64.into(), Value::Bytes(vec![1])]);
        check("String?", &[text(), Value::Null], &[1i64.into()]);
        check("Float", &[1i64.into(), 0.5.into()], &[text()]);
        check("Int", &[1i64.into()], &[0.5.into(), true.into()]);
        check("Json", &[Value::Json(serde_json::Value::Null)], &[Value::Null, text()]);
        let list = |items: Vec<Value>| Value::List(items);
        check(
            "[[Any?]]",
            &[list(vec![]), list(vec![list(vec![text(), Value::Null, 1i64.into()])])],
            &[list(vec![text()]), text()],
        );
    }
}
