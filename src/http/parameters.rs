//! From the query string to the JSON object that the same request would be in a body: each value
//! is read as the type that the parameter has in its schema.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json};

use super::endpoint::Endpoint;
use asof_surface::problem::Problem;

/// A parameter of a query string.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub required: bool,
    /// Its schema, without references and null.
    pub schema: Json,
}

/// The parameters of an endpoint's request, by name; of one in a body, its fields.
pub fn parameters(endpoint: &Endpoint) -> Vec<Parameter> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    let mut generator = settings.into_generator();
    let schema = (endpoint.request)(&mut generator).to_value();
    let required = schema.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
    let properties = schema.get("properties").and_then(Json::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| Parameter {
            name: name.clone(),
            required: required.iter().any(|required| required == name),
            schema: without_null(schema.clone()),
        })
        .collect()
}

/// A parameter that is not required is left out, never null.
fn without_null(mut schema: Json) -> Json {
    let Some(fields) = schema.as_object_mut() else { return schema };
    if fields.get("default").is_some_and(Json::is_null) {
        fields.remove("default");
    }
    if let Some(Json::Array(kinds)) = fields.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [one] = kinds.as_slice() {
            let one = one.clone();
            fields.insert("type".to_owned(), one);
        }
    }
    if let Some(Json::Array(names)) = fields.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    if let Some(Json::Array(choices)) = fields.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [Json::Object(one)] = choices.as_slice() {
            let one = one.clone();
            fields.remove("anyOf");
            for (name, value) in one {
                fields.entry(name).or_insert(value);
            }
        }
    }
    schema
}

/// Reads the pairs of a query string.
///
/// # Errors
/// An unknown parameter, one that is given twice and is no list, or a value of another type.
pub fn read(parameters: &[Parameter], pairs: &[(String, String)]) -> Result<Json, Problem> {
    let mut object = Map::new();
    for (name, text) in pairs {
        let parameter = known(parameters, name)?;
        match kind(&parameter.schema) {
            "array" => {
                let item = parameter.schema.get("items").unwrap_or(&Json::Null);
                let value = value(name, kind(item), text)?;
                if let Json::Array(items) =
                    object.entry(name.clone()).or_insert_with(|| Json::Array(Vec::new()))
                {
                    items.push(value);
                }
            }
            kind => {
                if object.insert(name.clone(), value(name, kind, text)?).is_some() {
                    return Err(Problem::bad_request(
                        format!("`{name}` is given twice"),
                        "give it once",
                    ));
                }
            }
        }
    }
    Ok(Json::Object(object))
}

/// Checks that a body has no other fields than these: a misspelled guard must not go unchecked.
///
/// # Errors
/// An unknown field.
pub fn check(parameters: &[Parameter], body: &Json) -> Result<(), Problem> {
    let mut fields = body.as_object().into_iter().flatten();
    fields.try_for_each(|(name, _)| known(parameters, name).map(drop))
}

fn known<'p>(parameters: &'p [Parameter], name: &str) -> Result<&'p Parameter, Problem> {
    parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
        let names: Vec<&str> = parameters.iter().map(|known| known.name.as_str()).collect();
        let message = format!("unknown parameter `{name}`");
        Problem::bad_request(message, format!("the parameters are: {}", names.join(", ")))
    })
}

fn kind(schema: &Json) -> &str {
    schema.get("type").and_then(Json::as_str).unwrap_or("string")
}

fn value(name: &str, kind: &str, text: &str) -> Result<Json, Problem> {
    let read = match kind {
        "integer" => text.parse::<u64>().ok().map(Json::from),
        "number" => text.parse::<f64>().ok().and_then(serde_json::Number::from_f64).map(Json::from),
        "boolean" => text.parse::<bool>().ok().map(Json::from),
        _ => Some(Json::from(text)),
    };
    read.ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        let expected = match kind {
            "boolean" => "true or false",
            "number" => "a number",
            _ => "an integer from 0",
        };
        Problem::bad_request(format!("`{name}` must be {expected}, got `{shown}`"), "")
    })
}
