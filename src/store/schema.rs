//! The relations, as `schema/*.cozo` declares them, embedded and parsed once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::error::StoreError;
use super::stored_rows::Type;

/// Version of what is stored. Raised whenever a change in `schema/` or in the form of the database
/// file changes that.
pub const SCHEMA_VERSION: &str = "13";

// `FILES`: names and texts of `schema/*.cozo`, in the order in which they are applied.
include!(concat!(env!("OUT_DIR"), "/schema.rs"));

/// A column of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    /// As written in the schema: `Uuid`, `String?`, `[[Any]]`.
    pub kind: &'static str,
    /// The same, parsed.
    pub(super) of_type: Type,
    /// What it means, where the schema says so.
    pub doc: String,
}

/// What the rows of a plain relation describe. This decides how they are handled when a database
/// becomes the history of another, and in `asof gc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowsOf {
    /// NOW: useless in a history.
    Now,
    /// A revision, at the time `at`: kept forever.
    Log,
    /// What a revision, at the time `at`, did to the state before it: dropped with that state.
    Step,
    /// Content by its hash or text, shared by versions.
    Content,
}

/// A relation as its schema file declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    pub name: &'static str,
    /// What it is for.
    pub doc: String,
    /// Key columns without the time.
    pub key: Vec<Column>,
    pub values: Vec<Column>,
    /// Whether its last key column is `at: Validity`.
    pub versioned: bool,
    /// `@rows`; every plain relation has it.
    pub rows: Option<RowsOf>,
    /// `@mirrors`: the relation whose rows it repeats in another order of keys. Every relation
    /// without values has it.
    pub mirrors: Option<&'static str>,
}

impl Relation {
    /// The relation of this name.
    pub fn find(name: &str) -> Option<&'static Relation> {
        relations().get(name)
    }

    /// Every relation, by name.
    pub fn all() -> impl Iterator<Item = &'static Relation> {
        relations().values()
    }

    pub(super) fn get(name: &str) -> Result<&'static Relation, StoreError> {
        Self::find(name).ok_or_else(|| StoreError::Row {
            relation: name.to_owned(),
            reason: "no such relation in the schema".to_owned(),
        })
    }

    /// Names of the key columns, the time included.
    pub(super) fn key_headers(&self) -> Vec<String> {
        let time = self.versioned.then_some("at");
        self.key.iter().map(|c| c.name).chain(time).map(str::to_owned).collect()
    }

    /// Names of all columns in the order of the schema, the time included.
    #[cfg(test)]
    fn headers(&self) -> Vec<String> {
        let mut headers = self.key_headers();
        headers.extend(self.values.iter().map(|c| c.name.to_owned()));
        headers
    }
}

fn relations() -> &'static BTreeMap<&'static str, Relation> {
    static RELATIONS: OnceLock<BTreeMap<&'static str, Relation>> = OnceLock::new();
    RELATIONS.get_or_init(|| {
        FILES
            .iter()
            .flat_map(|(_, text)| {
                let doc = comment_above(text);
                statements(text).filter_map(move |statement| parse_create(statement, &doc))
            })
            .map(|relation| (relation.name, relation))
            .collect()
    })
}

/// The statements of a schema file: each begins with `:` in the first column.
pub(super) fn statements(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut starts: Vec<usize> =
        text.match_indices("\n:").map(|(newline, _)| newline + 1).collect();
    if text.starts_with(':') {
        starts.insert(0, 0);
    }
    let ends: Vec<usize> = starts.iter().copied().skip(1).chain([text.len()]).collect();
    starts.into_iter().zip(ends).filter_map(move |(start, end)| text.get(start..end))
}

/// The comment that a schema file begins with.
fn comment_above(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Reads `:create name { columns => columns }`; `None` for other statements.
fn parse_create(statement: &'static str, doc: &str) -> Option<Relation> {
    let rest = statement.strip_prefix(":create ")?;
    let (name, body) = rest.split_once('{')?;
    let (body, _) = body.rsplit_once('}')?;
    let mut key = Vec::new();
    let mut values = Vec::new();
    let mut after_arrow = false;
    // Tags are in the comment behind the brace.
    let tag = |name: &str| {
        let mut words = body.lines().next().unwrap_or_default().split_whitespace();
        words.find(|word| *word == name).and_then(|_| words.next())
    };
    let rows = match tag("@rows") {
        Some("now") => Some(RowsOf::Now),
        Some("log") => Some(RowsOf::Log),
        Some("step") => Some(RowsOf::Step),
        Some("content") => Some(RowsOf::Content),
        _ => None,
    };
    for line in body.lines() {
        let (code, comment) = line.split_once('#').unwrap_or((line, ""));
        let mut line = code.trim();
        if let Some(rest) = line.strip_prefix("=>") {
            after_arrow = true;
            line = rest.trim();
        }
        let columns = if after_arrow { &mut values } else { &mut key };
        for column in line.split(',').map(str::trim).filter(|column| !column.is_empty()) {
            let (name, kind) = column.split_once(':')?;
            let (name, kind) = (name.trim(), kind.trim());
            // The time is no column of its own: it is taken off the key below.
            let of_type = Type::from_name(kind).unwrap_or(Type::Any);
            columns.push(Column { name, kind, of_type, doc: String::new() });
        }
        // A comment on its own line continues that of the column above.
        if let Some(column) = columns.last_mut().filter(|_| !comment.trim().is_empty()) {
            column.doc = format!("{} {}", column.doc, comment.trim()).trim().to_owned();
        }
    }
    let versioned =
        key.last().is_some_and(|column| column.name == "at" && column.kind == "Validity");
    if versioned {
        key.pop();
    }
    let (doc, mirrors) = (doc.to_owned(), tag("@mirrors"));
    Some(Relation { name: name.trim(), doc, key, values, versioned, rows, mirrors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_relation_says_what_its_rows_are() {
        for relation in Relation::all() {
            let name = relation.name;
            assert_eq!(relation.rows.is_none(), relation.versioned, "{name}: `@rows`");
            if matches!(relation.rows, Some(RowsOf::Log | RowsOf::Step)) {
                assert!(relation.headers().contains(&"at".to_owned()), "{name} has no `at`");
            }
            assert_eq!(
                relation.mirrors.is_some(),
                relation.values.is_empty(),
                "{name}: `@mirrors`"
            );
            let Some(mirrored) = relation.mirrors else { continue };
            let mirrored = Relation::find(mirrored).unwrap_or_else(|| panic!("no `{mirrored}`"));
            assert_eq!(mirrored.versioned, relation.versioned, "{name}");
            for column in &relation.key {
                let mut columns = mirrored.key.iter().chain(&mirrored.values);
                let known = columns.any(|c| (c.name, c.kind) == (column.name, column.kind));
                assert!(known || column.kind != "Uuid", "{name}: `{}`", column.name);
            }
        }
    }

    #[test]
    fn columns_come_out_in_order_with_their_types() {
        let node = Relation::find("node").unwrap();
        assert!(node.versioned);
        let column = |column: &Column| (column.name, column.kind);
        assert_eq!(node.key.iter().map(column).collect::<Vec<_>>(), [("id", "Uuid")]);
        assert_eq!(column(&node.values[2]), ("path", "String?"));
        assert_eq!(column(node.values.last().unwrap()), ("made", "Bool"));
        assert!(node.doc.starts_with("Definitions"));
        assert!(node.values[2].doc.starts_with("canonical path"), "{}", node.values[2].doc);
        let refs = &Relation::find("refs_by_source").unwrap().values[0];
        assert!(
            refs.doc.starts_with("[target, how]") && refs.doc.ends_with("from 0"),
            "{}",
            refs.doc
        );
        let revision = Relation::find("revision").unwrap();
        assert!(!revision.versioned);
        assert_eq!(revision.key[0].name, "at");
        assert_eq!(Relation::find("edge_in").unwrap().headers().last().unwrap(), "at");
        assert!(Relation::find("nothing").is_none());
    }

    #[test]
    fn every_statement_of_the_schema_declares_a_relation() {
        let statements: usize = FILES.iter().map(|(_, text)| statements(text).count()).sum();
        assert_eq!(statements, Relation::all().count());
        assert!(Relation::all().all(|r| !r.key.is_empty()));
    }
}
