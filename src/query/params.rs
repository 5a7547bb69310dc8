//! Values of parameters: checked against the declared type, and read from text.

use serde_json::Value as Json;
use uuid::Uuid;

use super::error::QueryError;
use super::header::{Param, ParamType, Program};
use asof_model::Micros;
use asof_store::{Params, Value};

/// Values of a program's parameters: every declared one, and always `at`.
pub(super) fn bind(
    program: &Program,
    given: &[(String, Value)],
    at: Micros,
) -> Result<Params, QueryError> {
    for (name, _) in given {
        if name != "at" && !program.params.iter().any(|p| p.name == *name) {
            let have: Vec<&str> = program.params.iter().map(|p| p.name.as_str()).collect();
            return Err(QueryError::UnknownParam {
                query: program.name.clone(),
                param: name.clone(),
                have: if have.is_empty() { "none".to_owned() } else { have.join(", ") },
            });
        }
    }
    let mut params = Params::new();
    for param in program.params.iter().filter(|p| p.name != "at") {
        let value = match given.iter().rev().find(|(name, _)| *name == param.name) {
            Some((_, value)) => fit(&param.kind, value).ok_or_else(|| QueryError::ParamType {
                query: program.name.clone(),
                param: param.name.clone(),
                kind: param.kind.to_string(),
                found: shown(value),
            })?,
            None => default(param).ok_or_else(|| QueryError::MissingParam {
                query: program.name.clone(),
                param: param.name.clone(),
                kind: param.kind.to_string(),
            })?,
        };
        params.insert(&param.name, value);
    }
    params.insert("at", at);
    Ok(params)
}

/// The value of a parameter that is not given; `None` if there is none, or it is not of the
/// declared type, which [`check_defaults`] refuses.
pub(super) fn default(param: &Param) -> Option<Value> {
    from_text(&param.kind, param.default.as_deref()?)
}

/// Checks that every default has its declared type.
pub(super) fn check_defaults(program: &Program) -> Result<(), String> {
    let given = program.params.iter().filter_map(|p| Some((p, p.default.as_deref()?)));
    let wrong = given.into_iter().find(|(param, _)| default(param).is_none());
    wrong.map_or(Ok(()), |(param, text)| {
        Err(format!("the default of `{}` must be of type {}, got `{text}`", param.name, param.kind))
    })
}

/// The value as this type. A text is parsed unless the type is a text.
fn fit(kind: &ParamType, value: &Value) -> Option<Value> {
    match (kind, value) {
        (ParamType::Any, value) => Some(value.clone()),
        (ParamType::Optional(_), Value::Null) => Some(Value::Null),
        (ParamType::Optional(inner), value) => fit(inner, value),
        (ParamType::Bool, Value::Bool(_))
        | (ParamType::Int, Value::Int(_))
        | (ParamType::Float, Value::Float(_))
        | (ParamType::String, Value::Str(_))
        | (ParamType::Uuid, Value::Uuid(_))
        | (ParamType::Json, Value::Json(_)) => Some(value.clone()),
        (ParamType::Float, Value::Int(int)) => Some(Value::Float(*int as f64)),
        (ParamType::List(inner), Value::List(items)) => {
            items.iter().map(|item| fit(inner, item)).collect::<Option<Vec<_>>>().map(Value::List)
        }
        (_, Value::Str(text)) => from_text(kind, text),
        _ => None,
    }
}

/// A value from text, as a header's default or a command line gives it. Lists are JSON, or
/// separated by commas.
pub(super) fn from_text(kind: &ParamType, text: &str) -> Option<Value> {
    match kind {
        ParamType::Bool => text.parse().ok().map(Value::Bool),
        ParamType::Int => text.parse().ok().map(Value::Int),
        ParamType::Float => text.parse().ok().map(Value::Float),
        ParamType::String => Some(Value::Str(text.to_owned())),
        ParamType::Uuid => Uuid::parse_str(text).ok().map(Value::Uuid),
        ParamType::Json => serde_json::from_str(text).ok().map(Value::Json),
        ParamType::Any => serde_json::from_str(text).ok().map(Value::from_json),
        ParamType::Optional(_) if text == "null" => Some(Value::Null),
        ParamType::Optional(inner) => from_text(inner, text),
        ParamType::List(inner) => {
            if let Ok(Json::Array(items)) = serde_json::from_str::<Json>(text) {
                let items = items.into_iter().map(|item| fit(inner, &Value::from_json(item)));
                return items.collect::<Option<Vec<_>>>().map(Value::List);
            }
            if text.is_empty() {
                return Some(Value::List(Vec::new()));
            }
            let parts = text.split(',').map(|part| from_text(inner, part.trim()));
            parts.collect::<Option<Vec<_>>>().map(Value::List)
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Str(text) => text.chars().take(60).collect(),
        other => format!("{other:?}").chars().take(60).collect(),
    }
}
