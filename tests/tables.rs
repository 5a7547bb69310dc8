//! Tables of an export equal the database at every revision. `tests/tables/run` reads the same
//! tables with DuckDB and Delta readers.

use crate::support;
use crate::support::tempdir;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::Path;

use asof::{Database, EngineError, GcMode, Keep, Refresh, TablesRequest, When};
use asof_index::{Options, Silent};
use asof_model::Micros;
use asof_query::{Queries, run};
use asof_store::{Params, Relation, Store};
use asof_wire::TablesReport;
use asof_workspace::Selection;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value as Json, json};
use support::backups::{registry, restored};
use support::repository::Repository;

/// A row by the names of its columns.
type Row = BTreeMap<String, Json>;

fn export(database: &Database, folder: &Path, delta: bool) -> Result<TablesReport, EngineError> {
    let snapshot = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
    snapshot.export_tables(&TablesRequest { folder, project: Some("demo"), source: None, delta })
}

fn file_rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let value = |field: &Field| match field {
        Field::Null => Json::Null,
        Field::Bool(b) => json!(b),
        Field::Long(long) => json!(long),
        Field::Double(double) => json!(double),
        Field::Str(text) => json!(text),
        other => panic!("{other:?}"),
    };
    let row = |row: parquet::record::Row| {
        row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
    };
    reader.get_row_iter(None).unwrap().map(|r| row(r.unwrap())).collect()
}

/// The rows of each table, as the newest listing says.
struct Tables(HashMap<String, Vec<Row>>);

impl Tables {
    fn read(folder: &Path) -> Self {
        let listings = folder.join("export/project=demo");
        let mut names: Vec<_> =
            fs::read_dir(listings).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        let mut tables: HashMap<String, Vec<Row>> = HashMap::new();
        for file in file_rows(names.last().unwrap()) {
            let rows = tables.entry(file["table"].as_str().unwrap().to_owned()).or_default();
            if file["table"] != "export" {
                let found = file_rows(&folder.join(file["path"].as_str().unwrap()));
                assert_eq!(json!(found.len()), file["rows"], "{file:?}");
                rows.extend(found);
            }
        }
        Self(tables)
    }

    fn all(&self, table: &str) -> &[Row] {
        self.0.get(table).map(Vec::as_slice).unwrap_or_default()
    }

    /// These columns of what holds at a moment, sorted. Symbols are shown as ids or texts.
    fn at(&self, table: &str, at: i64, columns: &[&str]) -> Vec<Json> {
        let symbols: HashMap<i64, Json> = self
            .all("symbol")
            .iter()
            .map(|row| {
                let shown = if row["id"].is_null() { &row["path"] } else { &row["id"] };
                (row["symbol"].as_i64().unwrap(), shown.clone())
            })
            .collect();
        let holds = |row: &&Row| {
            row["valid_from"].as_i64().unwrap() <= at && at < row["valid_to"].as_i64().unwrap()
        };
        let value = |row: &Row, column: &&str| match (*column, &row[*column]) {
            ("symbol" | "source" | "target" | "parent", Json::Number(key)) => {
                symbols[&key.as_i64().unwrap()].clone()
            }
            (_, value) => value.clone(),
        };
        let rows = self.all(table).iter().filter(holds);
        sorted(rows.map(|row| columns.iter().map(|column| value(row, column)).collect()))
    }
}

fn sorted(rows: impl Iterator<Item = Json>) -> Vec<Json> {
    let mut rows: Vec<Json> = rows.collect();
    rows.sort_by_cached_key(Json::to_string);
    rows
}

/// Columns of a relation at a moment.
fn stored(store: &Store, relation: &str, at: i64, columns: &[&str]) -> Vec<Json> {
    let rows = store.rows_at(relation, Micros(at)).unwrap();
    let row = |row: asof_store::Row<'_>| -> Json {
        columns.iter().map(|column| row.cell(column).unwrap().to_json()).collect()
    };
    sorted(rows.iter().map(row))
}

fn program(store: &Store, name: &str, at: i64, columns: &[&str]) -> Vec<Json> {
    let rows = run(store, name, Params::new().with("at", Micros(at))).unwrap();
    let row = |row: asof_store::Row<'_>| -> Json {
        columns.iter().map(|column| row.cell(column).unwrap().to_json()).collect()
    };
    sorted(rows.iter().map(row))
}

fn revisions(store: &Store) -> Vec<i64> {
    let all = Queries::revisions_between(store, Micros(i64::MIN), Micros(i64::MAX)).unwrap();
    all.iter().map(|revision| revision.at.0).collect()
}

#[track_caller]
fn check(database: &Database, folder: &Path) {
    let tables = Tables::read(folder);
    let store = database.store();
    let revisions = revisions(store);
    let floor = database.floor().unwrap().map_or(i64::MIN, |floor| floor.0);
    assert_eq!(tables.all("revision").len(), revisions.len());
    assert!(!revisions.is_empty());
    for at in revisions.into_iter().filter(|at| *at >= floor) {
        check_moment(database, &tables, at);
    }
}

fn check_moment(database: &Database, tables: &Tables, at: i64) {
    let store = database.store();
    let columns =
        ["kind", "name", "path", "file_path", "visibility", "signature", "cfg", "in_test"];
    let node = |first: &'static str, last: &'static str| {
        let mut all = vec![first, last, "tracking_hash"];
        all.extend(columns);
        all
    };
    assert_eq!(
        tables.at("definition", at, &node("symbol", "parent")),
        stored(store, "node", at, &node("id", "parent_id")),
        "definitions at {at}"
    );
    let named: BTreeSet<String> =
        program(store, "export/defs", at, &["id"]).iter().map(|r| r[0].to_string()).collect();
    let columns = ["file_path", "start_byte", "end_byte", "start_line", "end_line", "name_line"];
    let mut places = tables.at("place", at, &[&["symbol"], columns.as_slice()].concat());
    places.retain(|row| named.contains(&row[0].to_string()));
    assert_eq!(
        places,
        program(store, "export/defs", at, &[&["id"], columns.as_slice()].concat()),
        "places at {at}"
    );
    assert_eq!(
        tables.at("place", at, &["symbol", "start_line", "start_column"]),
        program(store, "export/starts", at, &["id", "start_line", "start_column"]),
        "starts at {at}"
    );
    let texts: HashMap<String, Json> = store
        .versions(Relation::find("external_symbol").unwrap())
        .unwrap()
        .iter()
        .map(|row| (row.get::<Json>("id").unwrap().to_string(), row.get("text").unwrap()))
        .collect();
    let (mut uses, mut occurrences) = (Vec::new(), Vec::new());
    for row in stored(store, "refs_by_source", at, &["source", "refs"]) {
        for one in row[1].as_array().unwrap() {
            let (target, how) = (&one[0], &one[1]);
            let target = texts.get(&target.to_string()).unwrap_or(target);
            let confidence = how[2].as_f64().unwrap() / 100.0;
            uses.push(json!([target, row[0], how[0], how[1], confidence, how[3], how[5]]));
            for place in how[4].as_array().unwrap().chunks(3) {
                occurrences.push(json!([target, row[0], how[0], place[0], place[1], place[2]]));
            }
        }
    }
    let columns = ["target", "source", "kind", "provenance", "confidence", "count", "condition"];
    assert_eq!(tables.at("use", at, &columns), sorted(uses.into_iter()), "uses at {at}");
    let columns = ["target", "source", "kind", "offset", "line", "column"];
    let found = tables.at("occurrence", at, &columns);
    assert_eq!(found, sorted(occurrences.into_iter()), "occurrences at {at}");
    let columns = ["loc", "cyclomatic", "big_o", "tdg_grade"];
    assert_eq!(
        tables.at("metric", at, &[&["symbol"], columns.as_slice()].concat()),
        stored(store, "metric", at, &[&["id"], columns.as_slice()].concat()),
        "metrics at {at}"
    );
    assert_eq!(
        tables.at("package", at, &["package", "version", "edition", "manifest_path"]),
        stored(store, "package", at, &["name", "version", "edition", "manifest_path"]),
        "packages at {at}"
    );
    let depends = stored(store, "package", at, &["name", "dependencies"]);
    let depends = depends.iter().flat_map(|row| {
        row[1].as_array().unwrap().iter().map(|pair| json!([row[0], pair[0], pair[1]]))
    });
    assert_eq!(
        tables.at("dependency", at, &["package", "name", "dependency"]),
        sorted(depends),
        "dependencies at {at}"
    );
    let roots: Vec<_> = Queries::at(store, Micros(at))
        .crates()
        .unwrap()
        .into_iter()
        .filter(|c| matches!(c.target_kind.as_str(), "lib" | "proc_macro"))
        .map(|c| c.root_id)
        .collect();
    let names = if roots.is_empty() {
        Vec::new()
    } else {
        Queries::at(store, Micros(at)).public_names(&roots, false, &[]).unwrap()
    };
    let names = names.into_iter().map(|name| {
        json!([format!("{}::{}", name.module_path, name.name), name.id, name.kind, name.hidden])
    });
    let mut names = sorted(names);
    names.dedup();
    let mut found = tables.at("public_path", at, &["path", "symbol", "kind", "hidden"]);
    found.dedup();
    assert_eq!(found, names, "public paths at {at}");
}

/// A repository whose uses, packages, places and public paths change.
fn past() -> (Repository, Database) {
    let (mut repo, _) = Repository::scripted();
    let manifest = |version: &str, more: &str| {
        format!("[package]\nname = \"demo\"\nversion = \"{version}\"\nedition = \"2021\"\n{more}")
    };
    repo.write("Cargo.toml", &manifest("0.2.0", "[dependencies]\nlog = \"0.4\"\n"));
    repo.write("Cargo.lock", LOCK);
    repo.write("src/lib.rs", "pub mod a;\npub use a::f;\n\npub fn top() { f(); log::info!(\"x\"); std::fs::read(\"y\").unwrap(); }\n");
    repo.write(
        "src/a.rs",
        "pub fn f() -> u8 { g(); 2 }\npub fn g() {}\npub struct S { pub x: u8 }\n",
    );
    let _ = fs::remove_dir_all(repo.root.join("src/a"));
    repo.commit("uses");
    repo.write("src/a.rs", "// down\npub fn g() {}\npub fn f() -> u8 { 2 }\npub struct S { pub x: u8 }\nmod inner { pub fn deep() { super::g(); } }\n");
    repo.commit("no more use of g; places move");
    repo.write("Cargo.toml", &manifest("0.3.0", "[dependencies]\nlog = \"0.4\"\n"));
    repo.write("Cargo.lock", &LOCK.replace("0.4.20", "0.4.22"));
    repo.write("src/lib.rs", "mod a;\n#[path = \"a.rs\"]\npub mod again;\npub use a::{f as renamed, S};\npub fn top() { renamed(); }\n");
    repo.commit("a file twice, another name, another version");
    repo.write(
        "src/a.rs",
        "pub fn f() -> u8 { g(); 2 }\npub fn g() {}\npub struct S { pub x: u8 }\n",
    );
    repo.commit("as it was");
    let database = Database::create_or_open(&repo.root).unwrap();
    database.import_history(&Selection::default(), &Options::default(), &Silent).unwrap();
    database.refresh(&Options::default(), &Silent).unwrap();
    (repo, database)
}

const LOCK: &str = "version = 4\n\n[[package]]\nname = \"demo\"\nversion = \"0.2.0\"\ndependencies = [\"log\"]\n\n[[package]]\nname = \"log\"\nversion = \"0.4.20\"\nsource = \"registry+https://github.com/rust-lang/crates.io-index\"\n";

#[test]
fn tables_of_every_fixture_equal_its_database() {
    for entry in registry() {
        let ready = restored(entry["fixture"].as_str().unwrap());
        let folder = tempdir();
        export(&ready.database, folder.path(), false).unwrap();
        check(&ready.database, folder.path());
    }
}

#[test]
fn tables_of_a_history_equal_the_database_at_every_revision() {
    let (repo, database) = past();
    let once = tempdir();
    let report = export(&database, once.path(), true).unwrap();
    assert!(!report.from_scratch && report.bytes == report.new_bytes, "{report:?}");
    check(&database, once.path());
    let tables = Tables::read(once.path());
    let mut locked: Vec<&Json> = tables.all("dependency").iter().map(|d| &d["version"]).collect();
    locked.sort_by_key(|version| version.to_string());
    assert_eq!(locked, [&json!("0.4.20"), &json!("0.4.22")]);

    // Export after export, with an edit between: the same rows.
    let again = export(&database, once.path(), false).unwrap();
    assert!(again.unchanged && again.new_bytes == 0 && again.delta, "{again:?}");
    for n in 0..3 {
        repo.write(
            "src/a.rs",
            &format!("pub fn f() -> u8 {{ {n} }}\n{}pub fn g() {{ f(); }}\n", "\n".repeat(n)),
        );
        database.refresh(&Options::default(), &Silent).unwrap();
        let report = export(&database, once.path(), false).unwrap();
        assert!(!report.unchanged && !report.from_scratch, "{report:?}");
        let small: Vec<_> = report.tables.iter().filter(|t| t.table == "dependency").collect();
        assert_eq!(small[0].new_bytes, 0, "nothing depends on a body");
        check(&database, once.path());
    }
    let fresh = tempdir();
    export(&database, fresh.path(), false).unwrap();
    let (one, other) = (Tables::read(once.path()), Tables::read(fresh.path()));
    for (table, rows) in &one.0 {
        let text = |rows: &[Row]| sorted(rows.iter().map(|row| json!(row)));
        assert_eq!(text(rows), text(other.all(table)), "{table}");
    }

    // A floor is another past: every file is written again.
    database.gc(Keep::Revisions(3), GcMode::Drop).unwrap();
    let report = export(&database, once.path(), false).unwrap();
    assert!(report.from_scratch, "{report:?}");
    check(&database, once.path());
}

#[test]
fn of_two_exports_at_once_one_wins_and_the_other_leaves_nothing() {
    for delta in [false, true] {
        let (_repo, database) = past();
        let folder = tempdir();
        let results: Vec<_> = std::thread::scope(|scope| {
            let run =
                || export(&database, folder.path(), delta).map(|_| ()).map_err(|e| e.to_string());
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(results.iter().any(Result::is_ok), "{results:?}");
        for error in results.iter().filter_map(|r| r.as_ref().err()) {
            assert_eq!(error, "another export of project `demo` was finished first");
        }
        check(&database, folder.path());
        let mut listed = BTreeSet::new();
        for row in
            file_rows(&folder.path().join("export/project=demo/00000000000000000001.parquet"))
        {
            listed.insert(row["path"].as_str().unwrap().to_owned());
        }
        // What the losers wrote is gone.
        for table in ["definition", "use", "place"] {
            for entry in fs::read_dir(folder.path().join(table).join("project=demo")).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                let path = format!("{table}/project=demo/{name}");
                assert!(listed.contains(&path), "{path}: {results:?}");
            }
        }
    }
}

#[test]
fn a_folder_that_is_not_ours_is_refused() {
    let ready = restored("plain");
    let folder = tempdir();
    export(&ready.database, folder.path(), false).unwrap();
    let error = export(&ready.database, folder.path(), true).unwrap_err();
    assert!(error.to_string().contains("without Delta logs"), "{error}");
    let listing = folder.path().join("export/project=demo/00000000000000000002.parquet");
    fs::write(&listing, "not a listing").unwrap();
    let error = export(&ready.database, folder.path(), false).unwrap_err();
    assert!(error.to_string().starts_with("cannot read"), "{error}");
}
