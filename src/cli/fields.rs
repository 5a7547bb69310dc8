//! `--fields`: selects fields of the items of a listing.

use asof_surface::problem::Problem;
use serde_json::{Map, Value as Json};

pub use asof_surface::listing::Listing;

/// A requested field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field<'a> {
    Column(&'a str, &'a str),
    Key(&'a str),
}

/// Precedence of a name that is both a column and a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefer {
    /// In output for people.
    Columns,
    /// In output for programs.
    Keys,
}

/// The fields of these names.
///
/// # Errors
/// A usage error that lists the fields, if a name is unknown.
pub fn select<'a>(
    listing: &Listing<'a>,
    names: &'a [String],
    items: &[Json],
    prefer: Prefer,
) -> Result<Vec<Field<'a>>, Problem> {
    let keys = match listing.keys {
        "" => keys_of(items),
        keys => keys.split_whitespace().map(str::to_owned).collect(),
    };
    let select = |name: &'a String| {
        let column = listing.columns.iter().find(|(header, _)| header == name);
        let column = column.map(|(header, template)| Field::Column(header, template));
        let key = keys.contains(name).then_some(Field::Key(name.as_str()));
        let found = match prefer {
            Prefer::Columns => column.or(key),
            Prefer::Keys => key.or(column),
        };
        found.ok_or_else(|| unknown_field(listing, name, &keys))
    };
    names.iter().map(select).collect()
}

fn unknown_field(listing: &Listing<'_>, name: &str, keys: &[String]) -> Problem {
    let mut all: Vec<&str> = listing.columns.iter().map(|(header, _)| *header).collect();
    for key in keys {
        if !all.contains(&key.as_str()) {
            all.push(key);
        }
    }
    unknown(name, &all)
}

/// Error for an unknown field, with the known ones.
pub fn unknown(name: &str, fields: &[&str]) -> Problem {
    Problem::bad_request(
        format!("no field `{name}`"),
        format!("the fields are {}", fields.join(", ")),
    )
}

/// Keys of the items and their nested objects, in order.
fn keys_of(items: &[Json]) -> Vec<String> {
    fn add(prefix: &str, item: &Json, keys: &mut Vec<String>) {
        for (key, value) in item.as_object().into_iter().flatten() {
            let key = format!("{prefix}{key}");
            if !keys.contains(&key) {
                keys.push(key.clone());
            }
            add(&format!("{key}."), value, keys);
        }
    }
    let mut keys = Vec::new();
    for item in items {
        add("", item, &mut keys);
    }
    keys
}

impl Field<'_> {
    /// Its heading.
    pub fn name(&self) -> &str {
        match self {
            Self::Column(name, _) | Self::Key(name) => name,
        }
    }

    /// Its text in a cell.
    pub fn text(&self, item: &Json) -> String {
        match self {
            Self::Column(_, template) => fill(template, item),
            Self::Key(key) => match get(item, key) {
                Some(Json::Array(items)) => items.iter().map(scalar).collect::<Vec<_>>().join(", "),
                value => value.map(scalar).unwrap_or_default(),
            },
        }
    }
}

/// The item reduced to these fields, each in its original position.
pub fn project(fields: &[Field<'_>], item: &Json) -> Json {
    let mut out = Map::new();
    for field in fields {
        match field {
            Field::Column(name, template) => {
                out.insert((*name).to_owned(), fill(template, item).into());
            }
            Field::Key(key) => {
                if let Some(value) = get(item, key) {
                    put(&mut out, key, value.clone());
                }
            }
        }
    }
    Json::Object(out)
}

fn get<'j>(item: &'j Json, key: &str) -> Option<&'j Json> {
    key.split('.').try_fold(item, |value, part| value.get(part))
}

fn put(out: &mut Map<String, Json>, key: &str, value: Json) {
    match key.split_once('.') {
        None => {
            out.insert(key.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = out.entry(first).or_insert_with(|| Json::Object(Map::new()));
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
    }
}

/// Fills a template such as `{file_path}:{span/start_line}` from an object. Missing values are
/// empty; if the first value is missing, the whole result is empty.
pub fn fill(template: &str, item: &Json) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((path, after)) = after.split_once('}') else { break };
        let value = item.pointer(&format!("/{path}")).map(scalar).unwrap_or_default();
        if value.is_empty() && out.is_empty() && !path.is_empty() {
            return String::new();
        }
        if !value.is_empty() {
            out.push_str(before);
            out.push_str(&value);
        }
        rest = after;
    }
    out
}

/// A value in a cell.
pub fn scalar(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(items) if items.iter().all(Json::is_string) => {
            items.iter().filter_map(Json::as_str).collect::<Vec<_>>().join("::")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_takes_what_there_is() {
        let item = serde_json::json!({ "a": { "b": 3 }, "c": "x", "none": null });
        assert_eq!(fill("{c}:{a/b}", &item), "x:3");
        assert_eq!(fill("{none}:{a/b}", &item), "");
        assert_eq!(fill("{c}:{none}", &item), "x");
    }

    #[test]
    fn fields_are_columns_and_keys() {
        let listing = Listing { columns: &[("place", "{file}:{line}")], keys: "file a.b" };
        let item = serde_json::json!({ "file": "x.rs", "line": 3, "a": { "b": 1, "c": 2 } });
        let names = ["a.b", "place"].map(str::to_owned);
        let fields = select(&listing, &names, &[], Prefer::Keys).unwrap();
        let projected = project(&fields, &item);
        assert_eq!(projected, serde_json::json!({ "a": { "b": 1 }, "place": "x.rs:3" }));
        let none = select(&listing, &["line".to_owned()], &[], Prefer::Keys).unwrap_err();
        assert_eq!(
            (
                super::super::hint::words(&none.hint).as_str(),
                super::super::failure::exit_code(none.kind)
            ),
            ("the fields are place, file, a.b", 2)
        );
    }
}
