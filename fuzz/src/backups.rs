//! Damaged backups: refused, or restored to a database that can be queried. If a restore fails, the
//! previous database is unchanged.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use asof_store::{Store, backup};

use super::world;

/// An intact backup.
fn sound() -> &'static [u8] {
    static SOUND: OnceLock<Vec<u8>> = OnceLock::new();
    SOUND.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let database = world::write_database(folder.path());
        let out = folder.path().join("demo.backup");
        let store = Store::open(&database).unwrap();
        backup::create(&store, &out).unwrap();
        fs::read(out).unwrap()
    })
}

/// The first byte says what the rest is: a whole file, changes to a sound one, or changes to the
/// database within one, with lengths and hash set right.
pub fn run(data: &[u8]) {
    let Some((way, rest)) = data.split_first() else { return };
    let bytes = match way % 3 {
        0 => rest.to_vec(),
        1 => world::patched(sound(), rest),
        _ => repacked(rest),
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.backup");
    fs::write(&path, bytes).unwrap();
    let told = backup::inspect(&path).is_ok();
    let verified = backup::verify(&path).is_ok();
    assert!(told || !verified, "a backup is sound that says nothing of itself");
    let target = folder.path().join("target.db");
    fs::write(&target, b"").unwrap();
    let restored = backup::restore(&path, &target).is_ok();
    if restored {
        asks(&target)
    } else {
        assert_eq!(fs::read(&target).unwrap(), b"", "a failed restore changed something")
    }
    assert_eq!(restored, verified, "verify and restore differ");
}

fn asks(path: &Path) {
    if let Ok(store) = Store::open(path) {
        world::ask(&store);
    }
}

/// A backup of a changed database.
fn repacked(changes: &[u8]) -> Vec<u8> {
    let sound = sound();
    let lines: Vec<&[u8]> = sound.splitn(3, |byte| *byte == b'\n').collect();
    let mut manifest: serde_json::Value = serde_json::from_slice(lines[1]).unwrap();
    let database = zstd::stream::decode_all(lines[2]).unwrap();
    let payload = zstd::stream::encode_all(world::patched(&database, changes).as_slice(), 1);
    let payload = payload.unwrap();
    manifest["payload_len"] = payload.len().into();
    manifest["content_hash"] = blake3::hash(&payload).to_hex().to_string().into();
    let manifest = serde_json::to_vec(&manifest).unwrap();
    [lines[0], b"\n", &manifest, b"\n", &payload].concat()
}
