//! What holds of every program, whatever it asks.

use std::collections::BTreeSet;

use crate::library::uncommented;
use crate::params;
use crate::views::tokens;
use crate::{Cost, Library, Param, ParamType, Program};
use asof_model::Micros;
use asof_store::{Limits, Relation, Store, Value};

const AT: Micros = Micros(1_000);

fn sample(param: &Param) -> Value {
    if let Some(default) = params::default(param) {
        return default;
    }
    fn sample_value(kind: &ParamType) -> Value {
        match kind {
            ParamType::Bool => Value::Bool(true),
            ParamType::Int => Value::Int(7),
            ParamType::Float => Value::Float(0.5),
            ParamType::String => Value::Str("x".into()),
            ParamType::Uuid => Value::Uuid(uuid::Uuid::from_u128(7)),
            ParamType::Json | ParamType::Any => Value::Json(serde_json::json!({})),
            ParamType::List(inner) => Value::List(vec![sample_value(inner), sample_value(inner)]),
            ParamType::Optional(inner) => sample_value(inner),
        }
    }
    sample_value(&param.kind)
}

fn given(program: &Program) -> Vec<(String, Value)> {
    program.params.iter().map(|p| (p.name.clone(), sample(p))).collect()
}

#[test]
fn headers_fit_their_programs() {
    let library = Library::shipped();
    for (program, _) in library.list() {
        assert_eq!(params::check_defaults(program), Ok(()), "{}", program.name);
        for param in program.params.iter().filter(|param| param.name != "at") {
            let mention = format!("${}", param.name);
            assert!(program.text.contains(&mention), "{}: {mention} is not used", program.name);
        }
        // Views read `$at` too; what is no parameter is told by running the program.
        let declares = program.params.iter().any(|param| param.name == "at");
        assert!(declares || !program.text.contains("$at"), "{}: `at`", program.name);
    }
}

#[test]
fn no_text_spans_lines_so_none_loses_a_line_as_a_comment() {
    for (program, _) in Library::shipped().list() {
        let by_line: Vec<&str> = program.text.lines().flat_map(tokens).collect();
        assert_eq!(by_line, tokens(&program.text), "{}", program.name);
        assert_eq!(by_line, tokens(&uncommented(&program.text)), "{}", program.name);
    }
}

#[test]
fn every_program_runs_on_an_empty_store_and_has_the_columns_that_it_says() {
    let (store, library) = (Store::in_memory().unwrap(), Library::shipped());
    for (program, _) in library.list() {
        let rows = library.run(&store, &program.name, &given(program), AT, Limits::default());
        let rows = rows.unwrap_or_else(|e| panic!("{}: {e}", program.name));
        let says: Vec<&str> = program.columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(rows.headers(), says, "{}", program.name);
    }
}

/// Operations that read more of a versioned relation than the bound values lead to. The plan
/// lists what is read before the join that it is read for: only a join by a prefix of the key
/// reads by seeking.
fn unbounded(store: &Store, library: &Library, program: &Program) -> Vec<String> {
    let plan = library.explain(store, &program.name, &given(program), AT).unwrap();
    let versioned: BTreeSet<String> =
        Relation::all().filter(|r| r.versioned).map(|r| format!(":{}", r.name)).collect();
    let text = |row: &asof_store::Row<'_>, column: &str| -> String {
        row.get::<serde_json::Value>(column).unwrap().as_str().unwrap_or("").to_owned()
    };
    let steps: Vec<(String, String, String)> =
        plan.iter().map(|row| (text(&row, "rule"), text(&row, "op"), text(&row, "ref"))).collect();
    let mut found = Vec::new();
    for (at, (rule, op, of)) in steps.iter().enumerate() {
        let join = steps.get(at + 1).map_or("", |(_, op, _)| op.as_str());
        let seeks = join.starts_with("stored") && join.ends_with("prefix_join");
        // A load between two bounds of its first key column reads what lies between them.
        let filters =
            plan.iter().nth(at).unwrap().get::<serde_json::Value>("filters/expr").unwrap();
        let filters = filters.to_string();
        let ranged =
            program.cost == Cost::Bounded && filters.contains("ge(") && filters.contains("lt(");
        if ranged {
            continue;
        }
        if op.starts_with("load_stored") && versioned.contains(of) && !seeks {
            found.push(format!("{rule}: {op} {of}"));
        }
        if op.contains("stored") && op.contains("mat_join") {
            found.push(format!("{rule}: {op}"));
        }
    }
    found
}

#[test]
fn the_check_of_plans_sees_a_scan_and_a_materialised_join() {
    let (store, library) = (Store::in_memory().unwrap(), Library::shipped());
    let found = |name: &str| unbounded(&store, &library, library.get(name).unwrap().0);
    assert_eq!(found("inspect/kinds"), ["of: load_stored_with_validity :node"]);
    let mut user = library.clone();
    let folder = tempfile::tempdir().unwrap();
    let text = "# @name bad\n# @doc d\n# @param kind: String\n# @param at: Int\n# @column id: Uuid\n\
        # @cost seek\n?[id] := *file_mod{owner_id: id @ $at}, *node{id, kind: $kind @ $at}\n";
    std::fs::write(folder.path().join("bad.cozo"), text).unwrap();
    assert!(user.add_folder(folder.path()).is_empty());
    let found = unbounded(&store, &user, user.get("bad").unwrap().0);
    assert!(found.iter().any(|line| line.contains("stored_mat_join")), "{found:?}");
}

#[test]
fn every_plan_keeps_the_cost_that_its_header_says() {
    let (store, library) = (Store::in_memory().unwrap(), Library::shipped());
    let mut wrong = Vec::new();
    for (program, _) in library.list().filter(|(p, _)| p.cost != Cost::Scan) {
        for line in unbounded(&store, &library, program) {
            wrong.push(format!("{}: {line}", program.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_view_runs_with_its_first_column_bound_and_free() {
    let store = Store::in_memory().unwrap();
    for view in Library::views() {
        let columns = view.columns.join(", ");
        let first = view.columns.first().unwrap();
        let name = &view.name;
        let sample = if first == "file_path" {
            "'x'"
        } else {
            "to_uuid('00000000-0000-0000-0000-000000000007')"
        };
        for text in [
            format!("?[{columns}] := {name}[{columns}]"),
            format!("?[{columns}] := {first} = {sample}, {name}[{columns}]"),
        ] {
            let rows = Library::run_text(&store, &text, &[], AT, Limits::default());
            let rows = rows.unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(rows.headers(), view.columns, "{text}");
        }
    }
}

/// What a rule calls with bound variables is kept with all variables before it. A list that is taken
/// apart before would be kept once for each of its elements, which is quadratic in its length.
#[test]
fn no_rule_takes_a_list_apart_and_then_calls_a_rule() {
    let library = Library::shipped();
    let prelude = include_str!("../queries/prelude.cozo");
    let programs =
        library.list().map(|(program, _)| (program.name.as_str(), program.text.as_str()));
    let mut found = Vec::new();
    for (name, text) in programs.chain([("prelude", prelude)]) {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut apart = false;
        for line in lines {
            // A rule begins at the margin.
            let is_head = !line.starts_with(' ');
            apart &= !is_head;
            let rest = match line.split_once("chunks(") {
                Some((_, rest)) => {
                    apart = true;
                    rest
                }
                None => line,
            };
            let calls = rest.match_indices('[').any(|(at, _)| {
                let before = rest.get(..at).unwrap_or_default();
                before.ends_with(|c: char| c.is_ascii_lowercase() || c == '_')
            });
            if apart && calls {
                found.push(format!("{name}: {line}"));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
