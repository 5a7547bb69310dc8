//! Every behaviour of the engine that we rely on, through our own interface only. Another
//! version of the engine, or another engine, has to pass this.

use asof::model::Micros;
use asof::store::{Batch, Params, Store, StoreError, Value};
use uuid::Uuid;

fn text(s: &str) -> Value {
    Value::from(s)
}

fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

fn name_of(store: &Store, name: &str, at: i64) -> Vec<Uuid> {
    let params = Params::new().with("name", name).with("at", at);
    let rows = store.run("?[id] := *node_by_name{name: $name, id @ $at}", &params).unwrap();
    rows.column("id").unwrap()
}

#[test]
fn every_kind_of_store_passes_the_first_steps() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("db");
    assert!(matches!(Store::open(&path), Err(StoreError::Missing { .. })));
    for store in [Store::in_memory().unwrap(), Store::create(&path).unwrap()] {
        let mut batch = Batch::new();
        batch.assert("node_by_name", Micros(10), [text("a"), id(1).into()], []).unwrap();
        batch.assert("node_by_name", Micros(20), [text("a"), id(2).into()], []).unwrap();
        batch.retract("node_by_name", Micros(30), [text("a"), id(1).into()], []).unwrap();
        assert_eq!(store.commit(batch).unwrap().total(), 3);
        assert_eq!(name_of(&store, "a", 9), Vec::<Uuid>::new());
        assert_eq!(name_of(&store, "a", 10), [id(1)]);
        assert_eq!(name_of(&store, "a", 29), [id(1), id(2)]);
        assert_eq!(name_of(&store, "a", 30), [id(2)]);
    }
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(name_of(&store, "a", i64::MAX), [id(2)]);
    assert!(matches!(store.commit(Batch::new()), Err(StoreError::ReadOnly)));
    assert!(matches!(Store::create(&path), Err(StoreError::Exists { .. })));
}
