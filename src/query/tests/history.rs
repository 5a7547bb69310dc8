//! What the programs of `queries/history` answer.

use super::fixture::{AT, Facts, id};
use crate::{LogFilter, Queries};
use asof_model::{Micros, Namespace, NodeId, RevisionId, TextHash};
use asof_store::{Batch, Store, Value};

const LATER: Micros = Micros(2_000);
const LAST: Micros = Micros(3_000);

pub(super) fn revision(batch: &mut Batch, at: Micros, cause: &str, actor: Option<&str>) {
    let id = RevisionId::at(Namespace::of_project("test"), at.0);
    let commit = (cause == "commit").then_some(("Add a retry", "c0ffee"));
    let row: [Value; 9] = [
        at.into(),
        id.into(),
        cause.into(),
        actor.into(),
        commit.map(|(message, _)| message).into(),
        commit.map(|(_, hash)| hash).into(),
        1.into(),
        2.into(),
        Value::Null,
    ];
    batch.put("revision", row).unwrap();
}

pub(super) fn node(key: &str, signature: &str) -> [Value; 19] {
    let hash = asof_model::TrackingHash::hash(signature.as_bytes());
    [
        "function".into(),
        key.rsplit("::").next().unwrap().into(),
        key.into(),
        id("a").into(),
        id("a").into(),
        "a/src/lib.rs".into(),
        "pub".into(),
        signature.into(),
        "".into(),
        "".into(),
        hash.into(),
        asof_model::ShapeHash::hash(signature.as_bytes()).into(),
        Value::List(vec![Value::List(vec![id("attr").into(), "#[inline]".into()])]),
        Value::List(vec![]),
        Value::List(vec![]),
        Value::Json(serde_json::json!({"is": "none"})),
        TextHash::hash(signature.as_bytes()).into(),
        false.into(),
        false.into(),
    ]
}

/// A function that comes first, changes, and goes; another that comes when it goes.
fn store() -> Store {
    let mut facts = Facts::default();
    facts.krate("a", "a/src/lib.rs");
    let batch = facts.batch();
    let (one, two) = ("a::one", "a::two");
    let name = |batch: &mut Batch, at, key: &str, yes: bool| {
        let short: Value = key.rsplit("::").next().unwrap().into();
        for (relation, text) in [("node_by_path", key.into()), ("node_by_name", short)] {
            let key = [text, id(key).into()];
            if yes {
                batch.assert(relation, at, key, []).unwrap()
            } else {
                batch.retract(relation, at, key, []).unwrap()
            }
        }
    };
    batch.assert("node", AT, [id(one).into()], node(one, "fn one()")).unwrap();
    name(batch, AT, one, true);
    batch.assert("node", LATER, [id(one).into()], node(one, "fn one(x: u8)")).unwrap();
    batch.retract("node", LAST, [id(one).into()], node(one, "fn one(x: u8)")).unwrap();
    name(batch, LAST, one, false);
    batch.assert("node", LAST, [id(two).into()], node(two, "fn two(x: u8)")).unwrap();
    name(batch, LAST, two, true);
    revision(batch, AT, "scan", None);
    revision(batch, LATER, "edit", Some("ada"));
    revision(batch, LAST, "scan", Some("bob"));
    let list = |keys: &[&str]| Value::list(keys.iter().map(|key| id(key)));
    let rows = [(LATER, [&[][..], &[], &[one]]), (LAST, [&[two], &[one], &["a"]])];
    for (at, lists) in rows {
        let lists = lists.map(list);
        batch.put("changes", [Value::from(at)].into_iter().chain(lists)).unwrap();
    }
    let hash = TextHash::hash(b"fn one()");
    let text: [Value; 5] =
        [hash.into(), 8.into(), Value::Null, 0.into(), Value::Bytes(b"packed".to_vec())];
    batch.put("text", text).unwrap();
    facts.store()
}

#[test]
fn versions_tell_what_was_and_when_it_ended() {
    let store = store();
    let told = |at: Micros, keys: &[&str]| -> Vec<(i64, bool, String)> {
        let ids: Vec<NodeId> = keys.iter().map(|key| id(key)).collect();
        let rows = Queries::at(&store, at).versions(&ids).unwrap();
        rows.into_iter().map(|v| (v.since.0, v.asserted, v.signature)).collect()
    };
    let one = |at, yes, signature: &str| (at, yes, signature.to_owned());
    let first = [one(2_000, true, "fn one(x: u8)"), one(1_000, true, "fn one()")];
    assert_eq!(told(LATER, &["a::one"]), first);
    let all = told(LAST, &["a::one"]);
    assert_eq!(all[0], one(3_000, false, "fn one(x: u8)"));
    assert_eq!(all[1..], first);
    assert_eq!(told(Micros(999), &["a::one"]), []);
    assert_eq!(told(LAST, &["a::one", "a::two", "a::three"]).len(), 4);
}

#[test]
fn states_are_those_of_the_time() {
    let store = store();
    let ids = [id("a::one"), id("a::two"), id("no")];
    let told = |at| -> Vec<String> {
        let rows = Queries::at(&store, at).states(&ids).unwrap();
        rows.into_iter().map(|state| state.signature).collect()
    };
    assert_eq!(told(AT), ["fn one()"]);
    assert_eq!(told(Micros(2_999)), ["fn one(x: u8)"]);
    assert_eq!(told(LAST), ["fn two(x: u8)"]);
    let state = Queries::at(&store, AT).states(&ids).unwrap().remove(0);
    assert_eq!(state.canonical_path.as_deref(), Some("a::one"));
    assert_eq!(state.attrs[0][1], "#[inline]");
    assert_eq!(state.text_hash, Some(TextHash::hash(b"fn one()")));
}

#[test]
fn changes_are_those_between_and_at() {
    let store = store();
    let between = |from: i64, to: i64| -> Vec<i64> {
        let rows = Queries::changes_between(&store, Micros(from), Micros(to)).unwrap();
        rows.into_iter().map(|changes| changes.at.0).collect()
    };
    assert_eq!(between(1_000, 3_000), [2_000, 3_000]);
    assert_eq!(between(2_000, 3_000), [3_000]);
    assert_eq!(between(1_000, 2_999), [2_000]);
    let rows = Queries::changes_at(&store, &[AT, LAST]).unwrap();
    assert_eq!(rows.len(), 1, "the first revision lists nothing");
    assert_eq!(rows[0].added, [id("a::two")]);
    assert_eq!((&rows[0].removed, &rows[0].changed), (&vec![id("a::one")], &vec![id("a")]));
}

#[test]
fn the_log_keeps_to_its_filters() {
    let store = store();
    let told = |filter: &LogFilter, limit| -> Vec<i64> {
        let rows = Queries::at(&store, LAST).log(filter, limit).unwrap();
        rows.into_iter().map(|revision| revision.at.0).collect()
    };
    let all = LogFilter::default();
    assert_eq!(told(&all, 9), [3_000, 2_000, 1_000]);
    assert_eq!(told(&all, 2), [3_000, 2_000]);
    assert_eq!(told(&LogFilter { since: Some(LATER), ..all.clone() }, 9), [3_000, 2_000]);
    assert_eq!(told(&LogFilter { until: Some(LATER), ..all.clone() }, 9), [2_000, 1_000]);
    assert_eq!(told(&LogFilter { actor: Some("ada".into()), ..all.clone() }, 9), [2_000]);
    assert_eq!(told(&LogFilter { cause: Some("scan".into()), ..all.clone() }, 9), [3_000, 1_000]);
    let past = Queries::at(&store, LATER).log(&all, 9).unwrap();
    assert_eq!(past.len(), 2, "the log of a moment knows nothing later");
    let revisions = Queries::revisions_at(&store, &[AT, LAST, Micros(7)]).unwrap();
    assert_eq!(revisions.iter().map(|r| r.at.0).collect::<Vec<_>>(), [3_000, 1_000]);
}

#[test]
fn what_is_gone_is_found_by_path_and_by_name() {
    let store = store();
    let ask = Queries::at(&store, LAST);
    let found = ask.ever_at_path("a::one").unwrap();
    assert_eq!((found[0].id, found[0].last, found[0].present), (id("a::one"), LAST, false));
    assert!(Queries::at(&store, LATER).ever_at_path("a::one").unwrap()[0].present);
    let found = ask.ever_of_name("one").unwrap();
    assert_eq!(found[0].canonical_path.as_deref(), Some("a::one"));
    assert!(!found[0].present && found.len() == 1);
    assert!(ask.ever_at_path("a::none").unwrap().is_empty());
    assert!(ask.ever_of_name("none").unwrap().is_empty());
}

#[test]
fn files_and_texts_are_found_by_their_keys() {
    let store = store();
    let ask = Queries::at(&store, LAST);
    assert_eq!(ask.file_times("a/src/lib.rs", "a/src/lib.rs\0").unwrap(), [AT]);
    assert_eq!(ask.file_times("a/", "a0").unwrap(), [AT]);
    assert!(ask.file_times("b/", "b0").unwrap().is_empty());
    let hashes = [TextHash::hash(b"fn one()"), TextHash::hash(b"none")];
    let texts = Queries::texts_by_hash(&store, &hashes).unwrap();
    assert_eq!(texts.len(), 1);
    assert_eq!((texts[0].hash, texts[0].source.as_slice()), (hashes[0], &b"packed"[..]));
}
