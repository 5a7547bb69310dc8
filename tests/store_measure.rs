//! Figures of the store, on request:
//! `cargo test --test suite store_measure:: -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use asof_model::{Micros, RawHash};
use asof_store::{Batch, Params, Store, Value, backup};
use serde_json::json;
use uuid::Uuid;

use crate::support::tempdir;

const NODES: u128 = 50_000;

fn id(n: u128) -> Value {
    Uuid::new_v5(&Uuid::NAMESPACE_OID, &n.to_be_bytes()).into()
}

/// Nodes with their lookups by name and path: 150,000 rows.
fn batch() -> Batch {
    let mut batch = Batch::new();
    let at = Micros(1_700_000_000_000_000);
    for n in 0..NODES {
        let name = format!("function_name_{n}");
        let path = format!("crate::module_{}::{name}", n % 100);
        let hash = RawHash::hash(&n.to_be_bytes());
        let param = Value::list(["1", "argument", "&Type"]);
        let row = [
            Value::from("function"),
            name.as_str().into(),
            path.as_str().into(),
            id(n % 100),
            id(n % 100),
            format!("src/module_{}.rs", n % 100).into(),
            "pub(crate)".into(),
            format!("pub(crate) fn {name}(argument: &Type) -> Result<Output, Error>").into(),
            "Does a thing that is worth a sentence of documentation.".into(),
            "".into(),
            hash.into(),
            hash.into(),
            Value::List(vec![]),
            Value::List(vec![]),
            Value::List(vec![param]),
            Value::Json(json!({"is": "none"})),
            hash.into(),
        ];
        batch.assert("node", at, [id(n)], row).unwrap();
        batch.assert("node_by_name", at, [name.into(), id(n)], []).unwrap();
        batch.assert("node_by_path", at, [path.into(), id(n)], []).unwrap();
    }
    batch
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.unwrap_or("unknown").trim().to_owned()
}

fn median(mut run: impl FnMut(u128)) -> Duration {
    let mut times: Vec<Duration> = (0..201)
        .map(|n| {
            let begin = Instant::now();
            run(n);
            begin.elapsed()
        })
        .collect();
    times.sort();
    times[100]
}

#[test]
#[ignore = "a measurement"]
fn figures() {
    let dir = tempdir();
    let path = dir.path().join("db");
    let begin = Instant::now();
    let store = Store::create(&path).unwrap();
    println!("create           {:?}", begin.elapsed());
    println!("memory           {} before", memory());
    let batch = batch();
    let rows = batch.len();
    println!("memory           {} with a batch of {rows} rows", memory());
    let begin = Instant::now();
    store.commit(batch).unwrap();
    let time = begin.elapsed();
    println!("memory           {} after its commit", memory());
    println!("write            {:.0} rows/s", rows as f64 / time.as_secs_f64());
    let at = Params::new().with("at", Micros(i64::MAX));
    let begin = Instant::now();
    store.run("?[count(id)] := *node{id, name @ $at}", &at).unwrap();
    println!("scan at $at      {:?} a row", begin.elapsed() / NODES as u32);
    let point = "?[name, path] := *node{id: $id, name, path @ $at}";
    let time = median(|n| {
        assert_eq!(store.run(point, &at.clone().with("id", id(n * 97))).unwrap().len(), 1)
    });
    println!("point read       {time:?}");
    let time = median(|n| {
        let mut batch = Batch::new();
        batch.put("meta", ["key".into(), n.to_string().into()]).unwrap();
        store.commit(batch).unwrap();
    });
    println!("one-row commit   {time:?}");
    let begin = Instant::now();
    let manifest = backup::create(&store, &dir.path().join("backup")).unwrap();
    println!(
        "backup           {:?}, {} bytes of {}",
        begin.elapsed(),
        manifest.payload_len,
        manifest.database_len
    );
    let begin = Instant::now();
    backup::verify(&dir.path().join("backup")).unwrap();
    println!("verify           {:?}", begin.elapsed());
    drop(store);
    println!(
        "file             {} bytes a row",
        std::fs::metadata(&path).unwrap().len() / rows as u64
    );
    let time = median(|_| drop(Store::open(&path).unwrap()));
    println!("open             {time:?}");
}
