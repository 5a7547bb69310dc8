//! The relations, as `schema/*.cozo` declares them, embedded and parsed once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::error::StoreError;

/// Version of what is stored. Raised whenever a file of `schema/` changes that, or the form of the
/// database file does.
pub const SCHEMA_VERSION: &str = "4";

macro_rules! schema_files {
    ($($name:literal)*) => {
        /// File names and texts, in the order in which they are applied.
        pub(super) const FILES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../schema/", $name))),)*
        ];
    };
}

schema_files! {
    "10_meta.cozo"
    "11_revision.cozo"
    "12_text.cozo"
    "13_file_stat.cozo"
    "14_item_tree.cozo"
    "15_fingerprint.cozo"
    "16_changes.cozo"
    "17_git_commit.cozo"
    "18_git_ref.cozo"
    "19_item_match.cozo"
    "20_package.cozo"
    "21_target.cozo"
    "22_target_by_crate.cozo"
    "30_file.cozo"
    "31_module.cozo"
    "32_file_mod.cozo"
    "33_mod_by_file.cozo"
    "40_node.cozo"
    "41_layout.cozo"
    "42_node_by_name.cozo"
    "43_node_by_path.cozo"
    "50_edge.cozo"
    "51_edge_in.cozo"
    "52_unresolved.cozo"
    "53_unresolved_by_text.cozo"
    "54_refs_by_source.cozo"
    "55_refs_by_target.cozo"
    "56_external_symbol.cozo"
    "57_external_symbol_by_text.cozo"
    "60_issue.cozo"
    "70_proposal.cozo"
}

/// A column of a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    /// As written in the schema: `Uuid`, `String?`, `[[Any]]`.
    pub kind: &'static str,
    /// What it means, where the schema says so.
    pub doc: String,
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
    pub(super) fn headers(&self) -> Vec<String> {
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
            columns.push(Column { name: name.trim(), kind: kind.trim(), doc: String::new() });
        }
        // A comment on a line of its own goes on with that of the column above.
        if let Some(column) = columns.last_mut().filter(|_| !comment.trim().is_empty()) {
            column.doc = format!("{} {}", column.doc, comment.trim()).trim().to_owned();
        }
    }
    let versioned =
        key.last().is_some_and(|column| column.name == "at" && column.kind == "Validity");
    if versioned {
        key.pop();
    }
    Some(Relation { name: name.trim(), doc: doc.to_owned(), key, values, versioned })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_files_are_those_of_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/schema");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".cozo"))
            .collect();
        names.sort();
        assert_eq!(names, FILES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }

    #[test]
    fn columns_come_out_in_order_with_their_types() {
        let node = Relation::find("node").unwrap();
        assert!(node.versioned);
        let column = |column: &Column| (column.name, column.kind);
        assert_eq!(node.key.iter().map(column).collect::<Vec<_>>(), [("id", "Uuid")]);
        assert_eq!(column(&node.values[2]), ("path", "String?"));
        assert_eq!(column(node.values.last().unwrap()), ("text_hash", "String?"));
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
