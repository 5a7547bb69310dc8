//! The OpenAPI 3.1 document, from the table of endpoints.
//!
//! The types already have JSON Schemas, and those of OpenAPI 3.1 are JSON Schemas of the same
//! draft, so the document is the table in another form. `utoipa` would need a second derive on
//! every type, and `aide` handlers of its own kind; both are more than this file.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json, json};

use super::answer::ProblemDetails;
use super::endpoint::{Effect, Endpoint, MAX_LIMIT, Method};
use super::parameters::parameters;

/// The document.
pub fn document(endpoints: &[Endpoint], is_protected: bool) -> Json {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    settings.meta_schema = None;
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for endpoint in endpoints {
        let method = match endpoint.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        paths.insert(
            endpoint.path.to_owned(),
            json!({ method: operation(endpoint, &mut generator) }),
        );
    }
    paths.insert(
        "/healthz".to_owned(),
        json!({ "get": {
            "operationId": "healthz",
            "summary": "Whether the server runs",
            "security": [],
            "responses": responses(&json!({
                "description": "It runs.",
                "content": { "text/plain": { "schema": { "type": "string" } } }
            }), &mut generator),
        }}),
    );
    paths.insert(
        "/metrics".to_owned(),
        json!({ "get": {
            "operationId": "metrics",
            "summary": "Metrics of the server, for Prometheus",
            "responses": responses(&json!({
                "description": "Metrics in the OpenMetrics text format.",
                "content": { "application/openmetrics-text": { "schema": { "type": "string" } } }
            }), &mut generator),
        }}),
    );
    let mut schemas = generator.take_definitions(true);
    // Unknown fields of a body are refused.
    for endpoint in endpoints.iter().filter(|endpoint| endpoint.method == Method::Post) {
        let name = (endpoint.request)(&mut generator).get("$ref").and_then(name_of_reference);
        if let Some(fields) = name.and_then(|name| schemas.get_mut(&name)?.as_object_mut()) {
            fields.insert("additionalProperties".to_owned(), false.into());
        }
    }
    let token = json!({ "token": { "type": "http", "scheme": "bearer" } });
    let (schemes, security) =
        if is_protected { (token, json!([{ "token": [] }])) } else { (json!({}), json!([])) };
    json!({
        "openapi": "3.1.0",
        "x-json-version": asof_wire::JSON_VERSION,
        "info": {
            "title": "asof",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Code facts of a Rust workspace, as it is on disk now and at earlier \
                revisions. Answers are those of the command line with `--format json`.",
        },
        "paths": paths,
        "security": security,
        "components": { "schemas": schemas, "securitySchemes": schemes },
    })
}

fn name_of_reference(reference: &Json) -> Option<String> {
    reference.as_str()?.rsplit('/').next().map(str::to_owned)
}

fn operation(endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Json {
    let mut operation = Map::new();
    let mut set = |name: &str, value: Json| operation.insert(name.to_owned(), value);
    set(
        "operationId",
        endpoint.path.trim_start_matches("/api").trim_matches('/').replace('/', "_").into(),
    );
    set("summary", endpoint.summary.into());
    if endpoint.effect == Effect::Edits {
        set("description", "Only with `--allow-edits`.".into());
    }
    let mut query = match endpoint.method {
        Method::Get => own_parameters(endpoint),
        Method::Post => {
            let schema = (endpoint.request)(generator);
            let content = json!({ "application/json": { "schema": schema } });
            set("requestBody", json!({ "required": true, "content": content }));
            Vec::new()
        }
    };
    if endpoint.is_about_a_moment() {
        let schema = json!({
            "type": "string", "minLength": 1,
            "description": "The moment of the answer: NOW (the default), a time (RFC 3339), a \
                date, an age such as -1h, a revision id, or a Git commit, branch or tag."
        });
        query.push(parameter("at", false, schema));
        let schema = json!({
            "type": "string",
            "description": "The configuration of the answer, as the arguments of a command: \
                `--no-default-features --features rt,net`, `--all-features`, \
                `--target x86_64-pc-windows-msvc`, `--cfg loom`, `--any-cfg`."
        });
        query.push(parameter("configuration", false, schema));
    }
    if let Some(pages) = endpoint.pages {
        let schema = json!({
            "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": pages.default,
            "description": "Items of the page at most."
        });
        query.push(parameter("limit", false, schema));
        let schema = json!({
            "type": "integer", "minimum": 0, "maximum": u32::MAX, "default": 0,
            "description": "Items before the page; the header `Link` leads to the next one."
        });
        query.push(parameter("offset", false, schema));
    }
    set("parameters", query.into());
    let success = json!({
        "description": "The answer.",
        "headers": headers(endpoint),
        "content": { "application/json": { "schema": (endpoint.answer)(generator) } }
    });
    set("responses", responses(&success, generator));
    Json::Object(operation)
}

fn own_parameters(endpoint: &Endpoint) -> Vec<Json> {
    let mut own = parameters(endpoint);
    own.retain(|parameter| endpoint.pages.is_none() || parameter.name != "limit");
    own.into_iter().map(|own| parameter(&own.name, own.required, own.schema)).collect()
}

fn parameter(name: &str, required: bool, mut schema: Json) -> Json {
    let fields = schema.as_object_mut();
    let description = fields.and_then(|fields| fields.remove("description"));
    let description = description.unwrap_or_else(|| "".into());
    json!({
        "name": name,
        "in": "query",
        "required": required,
        "description": description,
        "schema": schema,
    })
}

fn headers(endpoint: &Endpoint) -> Json {
    let mut headers = Map::new();
    let mut text = |name: &str, description: &str| {
        let schema = json!({ "description": description, "schema": { "type": "string" } });
        headers.insert(name.to_owned(), schema);
    };
    if endpoint.is_about_a_moment() {
        text("ETag", "The revision that the answer is based on.");
    }
    if endpoint.pages.is_some() {
        text("Link", "The next page, at the same revision.");
    }
    Json::Object(headers)
}

fn responses(success: &Json, generator: &mut SchemaGenerator) -> Json {
    let problem = generator.subschema_for::<ProblemDetails>();
    json!({
        "200": success,
        "304": { "description": "The answer is still that of `If-None-Match`." },
        "default": {
            "description": "An error.",
            "content": { "application/problem+json": { "schema": problem } }
        }
    })
}
