//! JSON as every surface sends it.

use serde_json::Value as Json;

/// Removes null fields of objects. Null elements of arrays stay.
pub fn without_nulls(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Json::Object(kept.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}
