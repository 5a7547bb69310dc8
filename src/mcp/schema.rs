//! JSON Schemas of arguments and answers. Those of arguments are part of every session, so
//! whatever says nothing to a model is left out.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value as Json;

/// Schema of a tool's arguments, as short as it can be.
pub fn input<A: JsonSchema>() -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let mut schema = object(schema.to_value());
    // The tool has a description of its own.
    schema.remove("description");
    shorten(&mut schema);
    schema
}

/// Schema of some fields of a request: each with a name, a description, and whether it is a flag.
/// Names that the request does not have are texts, or [`NUMBERS`].
pub fn chosen<R: JsonSchema>(
    fields: impl Iterator<Item = (&'static str, &'static str, bool)>,
) -> JsonObject {
    let mut all = input::<R>();
    let known = all.get("properties").and_then(Json::as_object).cloned().unwrap_or_default();
    let mut chosen = JsonObject::new();
    for (name, doc, is_flag) in fields {
        let mut field = JsonObject::new();
        let choices = known.get(name).and_then(|field| field.get("enum")?.as_array());
        match known.get(name) {
            _ if is_flag => drop(field.insert("type".to_owned(), "boolean".into())),
            // Kinds of items: a long list says nothing to a model.
            Some(_) if choices.is_some_and(|choices| choices.len() > MOST_CHOICES) => {
                field.insert("type".to_owned(), "string".into());
            }
            Some(Json::Object(of)) => field = of.clone(),
            _ => {
                let kind = if NUMBERS.contains(&name) { "integer" } else { "string" };
                field.insert("type".to_owned(), kind.into());
            }
        }
        field.remove("description");
        if !doc.is_empty() {
            field.insert("description".to_owned(), doc.into());
        }
        chosen.insert(name.to_owned(), Json::Object(field));
    }
    if let Some(Json::Array(required)) = all.get_mut("required") {
        required.retain(|name| name.as_str().is_some_and(|name| chosen.contains_key(name)));
    }
    // A search without its words asks for nothing.
    if chosen.contains_key("query") {
        all.insert("required".to_owned(), Json::Array(vec!["query".into()]));
    }
    all.insert("properties".to_owned(), Json::Object(chosen));
    all
}

/// Names that are written out in a schema at most.
const MOST_CHOICES: usize = 12;

/// Those of them that are numbers.
const NUMBERS: [&str; 2] = ["max_tokens", "paths"];

/// Schema of a structured answer.
pub fn output<T: JsonSchema>() -> JsonObject {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    let mut schema = object(schema.to_value());
    // The protocol wants an object at the root, of several shapes too.
    schema.entry("type").or_insert_with(|| "object".into());
    plain_numbers(&mut schema);
    schema
}

/// Removes the formats of numbers: they are Rust's, and validators warn of each.
fn plain_numbers(schema: &mut JsonObject) {
    let is_rust = |format: &str| {
        ["int", "uint", "float", "double"].contains(&format.trim_end_matches(char::is_numeric))
    };
    if schema.get("format").and_then(Json::as_str).is_some_and(is_rust) {
        schema.remove("format");
    }
    for value in schema.values_mut() {
        match value {
            Json::Object(inner) => plain_numbers(inner),
            Json::Array(items) => {
                items.iter_mut().filter_map(Json::as_object_mut).for_each(plain_numbers);
            }
            _ => {}
        }
    }
}

fn object(schema: Json) -> JsonObject {
    match schema {
        Json::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}

fn shorten(schema: &mut JsonObject) {
    for key in ["title", "format", "minimum", "default", "additionalProperties"] {
        // A property may have such a name: those are in `properties`, whose values are objects.
        if !schema.get(key).is_some_and(Json::is_object) {
            schema.remove(key);
        }
    }
    not_null(schema);
    one_of_names(schema);
    for value in schema.values_mut() {
        match value {
            Json::Object(inner) => shorten(inner),
            Json::Array(items) => {
                items.iter_mut().filter_map(Json::as_object_mut).for_each(shorten);
            }
            _ => {}
        }
    }
}

/// An argument that is not required need not be null.
fn not_null(schema: &mut JsonObject) {
    if let Some(Json::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [one] = kinds.as_slice() {
            let one = one.clone();
            schema.insert("type".to_owned(), one);
        }
    }
    if let Some(Json::Array(names)) = schema.get_mut("enum") {
        names.retain(|name| !name.is_null());
    }
    let Some(Json::Array(choices)) = schema.get_mut("anyOf") else { return };
    choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
    if let [Json::Object(one)] = choices.as_slice() {
        let one = one.clone();
        schema.remove("anyOf");
        for (key, value) in one {
            schema.entry(key).or_insert(value);
        }
    }
}

/// Variants that are only names, each with a description of its own, are a list of names.
fn one_of_names(schema: &mut JsonObject) {
    let Some(Json::Array(choices)) = schema.get("oneOf") else { return };
    let names: Option<Vec<Json>> = choices
        .iter()
        .map(|choice| choice.get("const").filter(|name| name.is_string()).cloned())
        .collect();
    if let Some(names) = names {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), Json::Array(names));
    }
}
