//! Cost grows with the size of a source, not with its square: measured by counts, which are the
//! same in every run. `cargo bench --bench growth` has the times.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    reason = "a test may fail"
)]

mod support;

use std::alloc::System;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};

use asof::{Database, EditOptions};
use asof_index::{Options, Silent, refresh};
use asof_model::Micros;
use asof_store::{Batch, Params, Store, Value};
use asof_wire::EditRequest;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use support::Copy;
use support::flat::{BODY, ITEM_TREE, SHAPES, Shape};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Both tests count what the whole process does, so only one of them runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Bytes that this process read from files, and how often it asked for some.
fn read_so_far() -> (u64, u64) {
    let told = fs::read_to_string("/proc/self/io").unwrap();
    let number = |name: &str| -> u64 {
        let line = told.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().parse().unwrap()
    };
    (number("rchar:"), number("syscr:"))
}

/// Bytes that do not compress.
fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    blake3::Hasher::new().update(&seed.to_le_bytes()).finalize_xof().fill(&mut bytes);
    bytes
}

/// The bug: a row as long as a file's layout can be was read as a whole by every search that passed
/// its key: 40,000 functions took 35 seconds.
#[test]
fn a_long_row_costs_its_neighbours_nothing() {
    const LONG: usize = 2 << 20;
    const ROWS: u64 = 2_000;
    let _alone = alone();
    let folder = support::tempdir();
    let store = Store::create(&folder.path().join("long.db")).unwrap();
    let key = |n: u64| blake3::hash(&n.to_le_bytes()).to_hex().to_string();
    let row = |batch: &mut Batch, key: String, value: Vec<u8>| {
        let len = Value::from(value.len() as i64);
        let whole = [Value::Null, 0.into()];
        let row = [Value::from(key), len].into_iter().chain(whole).chain([Value::Bytes(value)]);
        batch.put("text", row).unwrap();
    };
    let mut batch = Batch::new();
    for n in 0..5 {
        row(&mut batch, key(1_000_000 + n), noise(n, LONG));
    }
    (0..ROWS).for_each(|n| row(&mut batch, key(n), noise(n, 20)));
    store.commit(batch).unwrap();

    let (bytes, _) = read_so_far();
    let mut batch = Batch::new();
    (ROWS..2 * ROWS).for_each(|n| row(&mut batch, key(n), noise(n, 20)));
    store.commit(batch).unwrap();
    for n in (0..2 * ROWS).step_by(20) {
        let params = Params::new().with("hash", key(n).as_str());
        let found = store.run("?[source] := *text{hash: $hash, source}", &params).unwrap();
        assert_eq!(found.column::<Vec<u8>>("source").unwrap(), [noise(n, 20)]);
    }
    let (bytes, all) = (read_so_far().0 - bytes, 5 * LONG as u64);
    assert!(bytes < 2 * all, "{bytes} bytes were read for small rows beside {all} bytes");

    let params = Params::new().with("hash", key(1_000_002).as_str());
    let found = store.run("?[source] := *text{hash: $hash, source}", &params).unwrap();
    assert_eq!(found.column::<Vec<u8>>("source").unwrap(), [noise(2, LONG)]);
}

/// Allocations and allocated bytes of a cold index, a save of a body and a save of a name.
fn allocated(shape: &Shape, size: usize) -> [(usize, usize); 3] {
    let files = (shape.files)(size);
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let mut copy = Copy::with(&files);
    let store = Store::in_memory().unwrap();
    let mut at = 0;
    let mut run = |copy: &Copy| {
        at += 1;
        let options = Options { threads: Some(1), at: Some(Micros(at)), ..Options::default() };
        let before = ALLOCATOR.stats();
        refresh(&store, &copy.root, &options, &Silent).unwrap();
        let spent = ALLOCATOR.stats() - before;
        (spent.allocations + spent.reallocations, spent.bytes_allocated)
    };
    let cold = run(&copy);
    let path = files[0].0;
    copy.edit(path, BODY, &BODY.replace('0', "1"));
    let body = run(&copy);
    copy.edit(path, ITEM_TREE, &ITEM_TREE.replace('0', "1"));
    [cold, body, run(&copy)]
}

#[test]
fn no_shape_allocates_more_than_its_size_asks_for() {
    let _alone = alone();
    let mut steep = Vec::new();
    // `ASOF_SHAPE=globs` looks at one alone.
    let only = std::env::var("ASOF_SHAPE").ok();
    for shape in SHAPES.iter().filter(|shape| only.as_ref().is_none_or(|o| o == shape.name)) {
        let size = shape.size / 40;
        // What a process makes once, such as the part of the standard library that a shape needs,
        // belongs to no size.
        allocated(shape, 4);
        let runs = [size, 2 * size, 4 * size].map(|size| allocated(shape, size));
        for (at, what) in ["cold", "body", "name"].into_iter().enumerate() {
            let count = runs.map(|run| run[at].0 as f64);
            let bytes = runs.map(|run| run[at].1 as f64);
            for (unit, [a, b, c]) in [("allocations", count), ("bytes", bytes)] {
                // What is spent on the second half of twice the size, over that on the first:
                // 2 if the cost is linear, 4 if it is quadratic.
                let growth = (c - b) / (b - a).max(1.0);
                if growth > 2.8 && c > 2.0 * a {
                    steep.push(format!("{} ({what}): {unit} {a} {b} {c}", shape.name));
                }
            }
        }
    }
    assert!(steep.is_empty(), "{}", steep.join("\n"));
}

/// Files of modules that re-export everything of eleven others each, in circles.
fn globs(modules: usize) -> Vec<(String, String)> {
    let manifest = "[package]\nname = \"flat\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let root: String = (0..modules).map(|n| format!("pub mod m{n};\n")).collect();
    let mut files = vec![("src/lib.rs".to_owned(), root), ("Cargo.toml".into(), manifest.into())];
    for n in 0..modules {
        let globs = (0..11).map(|k| (n * 7 + k * 13 + 1) % modules);
        let globs: String = globs.map(|m| format!("pub use crate::m{m}::*;\n")).collect();
        files.push((format!("src/m{n}.rs"), format!("{globs}pub struct S{n};\n")));
    }
    files
}

/// The bug: whether an item is public was looked up among all public names. Of modules that re-export
/// each other's globs, each has the names of all.
#[test]
fn a_rename_among_globs_costs_what_these_do() {
    let _alone = alone();
    let allocated = |modules: usize| {
        let files = globs(modules);
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let copy = Copy::with(&files);
        let database = Database::create_or_open(&copy.root).unwrap();
        let request = r#"{"edits": [{"mode": "rename", "path": "flat::m0::S0", "to": "T"}]}"#;
        let request = EditRequest::parse(request).unwrap();
        let before = ALLOCATOR.stats();
        let done = database.try_edit(&request, &EditOptions::default()).unwrap();
        let spent = ALLOCATOR.stats() - before;
        assert!(done.warnings.iter().any(|one| one.contains("is public")), "{:?}", done.warnings);
        (spent.allocations + spent.reallocations) as f64
    };
    allocated(14);
    let [a, b, c] = [28, 56, 112].map(allocated);
    let growth = (c - b) / (b - a).max(1.0);
    assert!(growth < 2.8, "{growth}: {a} {b} {c} allocations");
}
