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

/// An argument that a tool takes from the request of its question.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub name: &'static str,
    /// What the name does not say; empty if it says all.
    pub doc: &'static str,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// As the request has it; a text if it has none of this name.
    Given,
    /// The same, and never left out.
    Required,
    /// `true` or left out, whatever the request has.
    Flag,
    Number,
}

/// An argument.
pub const fn arg(name: &'static str, doc: &'static str) -> Argument {
    Argument { name, doc, form: Form::Given }
}

/// An argument that the tool needs, though the request does not.
pub const fn required(name: &'static str, doc: &'static str) -> Argument {
    Argument { name, doc, form: Form::Required }
}

/// An argument that is `true` or left out.
pub const fn flag(name: &'static str, doc: &'static str) -> Argument {
    Argument { name, doc, form: Form::Flag }
}

/// An argument that the request has under another name, or not at all: an integer.
pub const fn number(name: &'static str, doc: &'static str) -> Argument {
    Argument { name, doc, form: Form::Number }
}

/// Schema of some fields of a request, and of arguments beside it.
pub fn chosen<'a, R: JsonSchema>(arguments: impl Iterator<Item = &'a Argument>) -> JsonObject {
    let mut all = input::<R>();
    let known = all.get("properties").and_then(Json::as_object).cloned().unwrap_or_default();
    let mut needed = all.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
    let mut chosen = JsonObject::new();
    for Argument { name, doc, form } in arguments {
        let plain = |kind: &str| JsonObject::from_iter([("type".to_owned(), kind.into())]);
        // Kinds of items: a long list says nothing to a model.
        let is_long = |field: &JsonObject| {
            let choices = field.get("enum").and_then(Json::as_array);
            choices.is_some_and(|choices| choices.len() > MOST_CHOICES)
        };
        let mut field = match (form, known.get(*name).and_then(Json::as_object)) {
            (Form::Flag, _) => plain("boolean"),
            (Form::Number, _) => plain("integer"),
            (_, Some(field)) if !is_long(field) => field.clone(),
            _ => plain("string"),
        };
        field.remove("description");
        if !doc.is_empty() {
            field.insert("description".to_owned(), (*doc).into());
        }
        if *form == Form::Required {
            needed.push((*name).into());
        }
        chosen.insert((*name).to_owned(), Json::Object(field));
    }
    needed.retain(|name| name.as_str().is_some_and(|name| chosen.contains_key(name)));
    all.remove("required");
    if !needed.is_empty() {
        all.insert("required".to_owned(), Json::Array(needed));
    }
    all.insert("properties".to_owned(), Json::Object(chosen));
    all
}

/// Names that are written out in a schema at most.
const MOST_CHOICES: usize = 12;

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
