//! Any text as an ad-hoc script: refused or answered within its limits, and nothing is written.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use asof_index::{Options, Silent, refresh};
use asof_store::{Limits, Params, Store};

use super::world;

/// Time that a script may take, guard and parser included.
const MOST: Duration = Duration::from_secs(10);

pub fn run(data: &[u8]) {
    static STORE: OnceLock<(Store, Vec<Result<String, ()>>)> = OnceLock::new();
    let (store, before) = STORE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        world::write_files(folder.path());
        let store = Store::in_memory().unwrap();
        let options = Options { threads: Some(1), ..Options::default() };
        refresh(&store, folder.path(), &options, &Silent).unwrap();
        let before = world::ask(&store);
        assert!(before.iter().all(Result::is_ok), "{before:?}");
        (store, before)
    });
    let Ok(script) = std::str::from_utf8(data) else { return };
    let limits = Limits { time: Duration::from_millis(500), memory_bytes: 64 << 20, rows: 100 };
    let begin = Instant::now();
    if let Ok(rows) = store.run_bounded(script, &Params::new().with("at", i64::MAX >> 11), limits) {
        assert!(rows.len() <= 100);
    }
    assert!(begin.elapsed() < MOST, "{:?}", begin.elapsed());
    assert!(*before == world::ask(store), "the script wrote something");
}
