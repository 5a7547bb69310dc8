//! A database file with changed bytes: the answers are right, or errors.

use std::fs;
use std::sync::OnceLock;

use asof_store::Store;

use super::world;

type Answers = Vec<Result<String, ()>>;

fn sound() -> &'static (Vec<u8>, Answers) {
    static SOUND: OnceLock<(Vec<u8>, Answers)> = OnceLock::new();
    SOUND.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = world::write_database(folder.path());
        // A backup is a file on its own, without a log.
        let out = folder.path().join("demo.backup");
        let store = Store::open(&path).unwrap();
        asof_store::backup::create(&store, &out).unwrap();
        let alone = folder.path().join("alone.db");
        asof_store::backup::restore(&out, &alone).unwrap();
        (fs::read(alone).unwrap(), world::ask(&store))
    })
}

/// The first two bytes cut the file, the rest changes it.
pub fn run(data: &[u8]) {
    let Some(([a, b], changes)) = data.split_first_chunk::<2>() else { return };
    let (bytes, answers) = sound();
    let mut changed = world::patched(bytes, changes);
    let cut = usize::from(u16::from_le_bytes([*a, *b])) * 64;
    changed.truncate(changed.len().saturating_sub(cut).max(1));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.db");
    fs::write(&path, &changed).unwrap();
    if let Ok(store) = Store::open(&path) {
        let found = world::ask(&store);
        for (found, right) in found.iter().zip(answers) {
            assert!(found.is_err() || found == right, "a wrong answer: {found:?}");
        }
    }
}
