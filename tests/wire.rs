//! The wire types are what the command line prints: every JSON answer reads as its type and is
//! written the same again, null fields aside, and a change of a field shows in `tests/wire_fields.txt`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::cli;
use crate::support::tempdir;

use asof_wire::Answer;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

const LIB: &str = "\
/// Adds.
pub fn add(a: u32, b: u32) -> u32 { a + b }
pub fn twice(a: u32) -> u32 { add(a, a) }
macro_rules! sum { ($a:expr) => { add($a, 1) } }
pub fn more() -> u32 { sum!(1) + std::cmp::max(1, 2) }
";

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempdir());
        fs::create_dir(home.0.path().join("src")).unwrap();
        let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(home.0.path().join("Cargo.toml"), manifest).unwrap();
        fs::write(home.0.path().join("src/lib.rs"), LIB).unwrap();
        home
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    /// What a command prints, on standard output or, for an error, on standard error.
    fn json(&self, line: &str) -> Json {
        let args: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
        let output = cli::asof(self.root(), &args);
        let text = if output.stdout.is_empty() { cli::err(&output) } else { cli::out(&output) };
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{line}: {error}: {text}"))
    }

    /// A command whose answer is of this type, with nothing lost and nothing added.
    fn check<T: DeserializeOwned + Serialize>(&self, line: &str) -> T {
        let json = self.json(line);
        let answer: T = serde_json::from_value(json.clone())
            .unwrap_or_else(|error| panic!("{line}: {error}: {json}"));
        assert_eq!(without_nulls(serde_json::to_value(&answer).unwrap()), json, "{line}");
        answer
    }
}

/// As the command line prints it: fields of objects without a value are left out.
fn without_nulls(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            Json::Object(kept.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

#[test]
fn every_answer_is_of_its_type() {
    let home = Home::new();
    home.check::<asof_wire::IndexReport>("index");
    home.check::<asof_wire::Status>("status");
    home.check::<asof_wire::Verification>("status --verify");
    home.check::<asof_wire::Resolution>("resolve demo::add");
    home.check::<Answer<asof_wire::Shown>>("show demo::add");
    home.check::<Answer<asof_wire::FileMetadata>>("file src/lib.rs");
    home.check::<asof_wire::WhereUsedResult>("refs demo::add --snippets");
    home.check::<asof_wire::WhereUsedResult>("refs std::cmp::max");
    let lineage = home.check::<asof_wire::LineageResult>("lineage demo::add --direction callers");
    assert_eq!(lineage.direction, asof_wire::Direction::Callers);
    home.check::<asof_wire::ImpactResult>("impact demo::add");
    home.check::<asof_wire::CallsResult>("callers demo::add");
    home.check::<asof_wire::CallsResult>("callees demo::twice");
    home.check::<asof_wire::PathResult>("path demo::twice demo::add");
    home.check::<asof_wire::PathResult>("path demo::add demo::more");
    home.check::<Answer<asof_wire::OutlineEntry>>("outline crate");
    home.check::<Answer<asof_wire::ApiItem>>("api");
    let found = home.check::<asof_wire::SearchAnswer>("search add --explain --include-source");
    assert_eq!(found.results[0].canonical_path.as_deref(), Some("demo::add"));
    home.check::<asof_wire::SearchAnswer>("search add( --literal");
    home.check::<asof_wire::SearchFiles>("search add --files --explain");
    home.check::<asof_wire::SearchDocs>("search add --docs --explain --include-source");
    home.check::<asof_wire::QualityReport>("quality");
    home.check::<asof_wire::UnusedItems>("unused --guesses --public");
    home.check::<asof_wire::PackageDependencies>("deps");
    home.check::<asof_wire::UseSummary>("refs demo::add --summary");
    home.check::<asof_wire::ImplementationsResult>("implementations std::cmp::max");
    home.check::<asof_wire::CheckedClaim>("verify --query add's\u{a0}callers --answer twice");
    home.check::<asof_wire::AstMatches>("ast-query functions");
    home.check::<asof_wire::DataSources>("query --schema");
    home.check::<asof_wire::DataSource>("query --schema node");
    home.check::<Answer<asof_wire::OutlineItem>>("inspect at src/lib.rs 20");
    home.check::<Answer<asof_wire::ModuleFile>>("inspect modules crate");
    home.check::<Answer<asof_wire::RelationCount>>("inspect counts");
    home.check::<Answer<asof_wire::KindCount>>("inspect kinds");
    home.check::<Answer<asof_wire::IssueRow>>("inspect issues");
    home.check::<Answer<asof_wire::UnresolvedRow>>("inspect unresolved");
    let id = home.check::<asof_wire::Resolution>("inspect item demo::add").items()[0].id;
    home.check::<Answer<asof_wire::NodePresence>>(&format!("inspect node {id}"));
    home.check::<asof_wire::QueryList>("query --list");
    home.check::<asof_wire::QueryResult>("query --name resolve/by_name --param name=add");

    let request = r#"{"edits": [{"mode": "canonical", "path": "demo::add", "part": "body",
        "code": "{ b + a }"}]}"#;
    fs::write(home.root().join("edits.json"), request).unwrap();
    let plan = home.check::<asof_wire::EditSummary>("edit plan --file edits.json");
    let proposal = plan.proposal_id.unwrap();
    home.check::<asof_wire::ProposalDetails>(&format!("edit show {proposal}"));
    home.check::<asof_wire::EditSummary>(&format!("edit apply {proposal}"));
    home.check::<asof_wire::ProposalList>("edit list");
    home.check::<asof_wire::Log>("log");
    home.check::<asof_wire::History>("history demo::add --lines");
    let first = home.check::<asof_wire::Log>("log").answer.items.pop().unwrap().event.id;
    home.check::<asof_wire::Diff>(&format!("diff {first} NOW --patch"));
    home.check::<asof_wire::Blame>("blame src/lib.rs");
    home.check::<asof_wire::EditSummary>("edit undo");
    home.check::<asof_wire::BackupManifest>("backup create one.backup");
    home.check::<asof_wire::GcReport>("gc --keep-revisions 1");

    for line in ["resolve demo::ad", "edit apply zzzz", "query x", "refs"] {
        let json = home.json(line);
        if json.get("error").is_some() {
            home.check::<asof_wire::ErrorAnswer>(line);
        }
    }
    let stale = home.check::<asof_wire::ErrorAnswer>("edit show zzzz");
    assert_eq!(stale.error.kind, asof_model::ErrorKind::NoMatch);
}

#[test]
fn a_request_lists_the_fields_that_exist() {
    let error = serde_json::from_str::<asof_wire::ResolveRequest>(r#"{"path": "a", "file": "b"}"#);
    let said = error.unwrap_err().to_string();
    assert!(said.contains("unknown field `file`") && said.contains("`file_path`"), "{said}");
    let uses: asof_wire::UseRequest = serde_json::from_str(r#"{"min_confidence": 0.5}"#).unwrap();
    assert_eq!(uses, asof_wire::UseRequest { min_confidence: 0.5, ..Default::default() });
    let edit = r#"{"edits": [{"mode": "delete", "path": "a", "kin": "function"}]}"#;
    let said = serde_json::from_str::<asof_wire::EditRequest>(edit).unwrap_err().to_string();
    assert!(said.contains("unknown field `kin`") && said.contains("`kind`"), "{said}");
}

/// Fields of each type of the schemas, one type a line.
fn fields() -> String {
    fn add(types: &mut BTreeMap<String, BTreeSet<String>>, name: &str, schema: &Json) {
        for key in ["oneOf", "anyOf", "allOf"] {
            for part in schema[key].as_array().into_iter().flatten() {
                add(types, name, part);
            }
        }
        let fields = types.entry(name.to_owned()).or_default();
        let properties = schema["properties"].as_object();
        fields.extend(properties.into_iter().flatten().map(|(field, _)| field.clone()));
        let values = schema["enum"].as_array().into_iter().flatten().chain(schema.get("const"));
        fields.extend(values.filter_map(Json::as_str).map(|value| format!("={value}")));
    }
    let mut types = BTreeMap::new();
    for (name, schema) in asof_wire::schemas() {
        let schema = schema.to_value();
        add(&mut types, &name, &schema);
        for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
            add(&mut types, name, schema);
        }
    }
    types.retain(|_, fields| !fields.is_empty());
    let line = |(name, fields): (&String, &BTreeSet<String>)| {
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        format!("{name}: {}\n", fields.join(", "))
    };
    types.iter().map(line).collect()
}

/// To accept a change: `ASOF_ACCEPT=1 cargo test --test suite asof_wire::`.
#[test]
fn fields_of_the_wire_are_as_before() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire_fields.txt");
    let found = fields();
    if std::env::var_os("ASOF_ACCEPT").is_some() {
        fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(&path).unwrap());
}

#[test]
fn every_field_of_the_wire_is_described() {
    for (name, schema) in asof_wire::schemas() {
        let schema = schema.to_value();
        let defs = schema["$defs"].as_object().into_iter().flatten().map(|(n, s)| (n.as_str(), s));
        for (name, schema) in defs.chain([(name.as_str(), &schema)]) {
            for (field, of) in schema["properties"].as_object().into_iter().flatten() {
                assert!(of.get("description").is_some(), "{name}.{field} has no description");
            }
        }
    }
}
