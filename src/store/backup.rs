//! Backups: one file with a database and a description of it.
//!
//! Layout: the line `asof-backup`, a line of JSON (the [`BackupManifest`]), and the database as one
//! zstd frame. A bundle is a backup whose manifest says of which commit the database is the index. Nothing in it depends on the time or place of the database: equal states give
//! equal bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::database::Store;
use super::error::StoreError;
use super::schema::{Relation, SCHEMA_VERSION};
use super::value::Params;
use super::{file, lock};
use asof_files::plain::{Links, Unread};
use asof_files::state::Scratch;
use asof_wire::{BackupManifest, Bundle};

const MAGIC: &str = "asof-backup\n";
/// Version of the layout.
const FORMAT: u32 = 1;
const LEVEL: i32 = 3;
/// Bytes of the manifest's line.
const MAX_MANIFEST: u64 = 1 << 20;
/// A database may always have this size…
const SMALL_DATABASE: u64 = 16 << 20;
/// …and otherwise at most this many times the size of its payload.
const MAX_RATIO: u64 = 100;
/// How long a restore waits for a writer, and for readers of the old database.
const PATIENCE: Duration = Duration::from_secs(5);

/// Writes a backup of a database's committed state. Others may read and write meanwhile.
/// Fails with [`StoreError::Exists`] if `out` exists.
pub fn create(store: &Store, out: &Path) -> Result<BackupManifest, StoreError> {
    write(store, out, None)
}

/// Writes a backup as [`create`] does, of a database that is the index of a commit.
pub fn create_bundle(
    store: &Store,
    out: &Path,
    bundle: Bundle,
) -> Result<BackupManifest, StoreError> {
    write(store, out, Some(bundle))
}

fn write(store: &Store, out: &Path, bundle: Option<Bundle>) -> Result<BackupManifest, StoreError> {
    if out.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: out.to_owned() });
    }
    let Some((database, access)) = store.source() else {
        return Err(refuse(out, "a database in memory cannot be backed up"));
    };
    let folder = file::folder_of(out);
    let dir = Scratch::new(folder, "backup")?;
    let copy = dir.join("database");
    file::copy(database, access, &copy)?;
    let mut manifest = BackupManifest { bundle, ..describe(&copy)? };
    let packed = dir.join("payload");
    pack(&copy, &packed, &mut manifest).map_err(|err| StoreError::io("write", out, err))?;
    let finished = dir.join("finished");
    File::create_new(&finished)
        .and_then(|mut file| assemble(&manifest, &packed, &mut file))
        .map_err(|err| StoreError::io("write", out, err))?;
    asof_files::state::publish(&finished, out).map_err(|err| match err.kind() {
        io::ErrorKind::AlreadyExists => StoreError::Exists { path: out.to_owned() },
        _ => StoreError::io("write", out, err),
    })?;
    sync_folder(folder);
    Ok(manifest)
}

/// Reads the manifest of a backup without verifying its payload.
pub fn inspect(path: &Path) -> Result<BackupManifest, StoreError> {
    open(path).map(|(manifest, _)| manifest)
}

/// Verifies a backup in full: lengths, hash, every page of the database, row counts.
pub fn verify(path: &Path) -> Result<BackupManifest, StoreError> {
    let dir = Scratch::new(&std::env::temp_dir(), "verify")?;
    unpack(path, &dir.join("database"))
}

/// Replaces the database at `target` by that of a backup, or creates it. The backup is checked in
/// full before the old database is touched, and moved into place by one rename. Fails with
/// [`StoreError::Backup`], [`StoreError::SchemaVersion`] or, while others read or write the old
/// database, with [`StoreError::Locked`].
pub fn restore(path: &Path, target: &Path) -> Result<BackupManifest, StoreError> {
    let folder = file::folder_of(target);
    if !folder.is_dir() {
        return Err(StoreError::Missing { path: folder.to_owned() });
    }
    file::check_plain(target)?;
    inspect(path)?;
    let _lock = lock::acquire(target, PATIENCE)?;
    let dir = Scratch::new(folder, "restore")?;
    let fresh = dir.join("database");
    let manifest = unpack(path, &fresh)?;
    file::settle(&fresh)?;
    File::open(&fresh)
        .and_then(|file| file.sync_all())
        .map_err(|err| StoreError::io("write", &fresh, err))?;
    clear_log(target)?;
    std::fs::rename(&fresh, target).map_err(|err| StoreError::io("write", target, err))?;
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(file::beside(target, suffix));
    }
    sync_folder(folder);
    Ok(manifest)
}

/// Creates a database from that of a backup, which is checked in full. `change` adapts the database
/// before it is at its path. Fails with [`StoreError::Exists`] if there is something at the path, and
/// otherwise as [`restore`].
pub fn create_database<E: From<StoreError>>(
    path: &Path,
    target: &Path,
    change: impl FnOnce(&Store) -> Result<(), E>,
) -> Result<BackupManifest, E> {
    if target.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: target.to_owned() }.into());
    }
    inspect(path)?;
    let dir = Scratch::new(file::folder_of(target), "create").map_err(StoreError::from)?;
    let fresh = dir.join("database");
    let manifest = unpack(path, &fresh)?;
    file::settle(&fresh)?;
    change(&Store::open(&fresh)?)?;
    file::settle(&fresh)?;
    file::publish(&fresh, target)?;
    Ok(manifest)
}

/// Whether a file begins as a backup does, of whatever version, intact or not.
pub fn is_backup(path: &Path) -> bool {
    let Ok(file) = asof_files::plain::open(path, Links::Refuse) else { return false };
    let mut magic = Vec::new();
    let read = file.take(MAGIC.len() as u64).read_to_end(&mut magic);
    read.is_ok() && magic == MAGIC.as_bytes()
}

/// Makes sure that there is no log beside the old database: SQLite would replay it into the new
/// one. The log of an intact database is checkpointed; that of a damaged one is kept as
/// `<db>.damaged-wal`.
fn clear_log(target: &Path) -> Result<(), StoreError> {
    if !target.exists() && !file::beside(target, "-wal").exists() {
        return Ok(());
    }
    let begin = std::time::Instant::now();
    loop {
        let settled = file::Opened::check(target).and_then(|_open| file::settle(target));
        match settled {
            Ok(()) => return Ok(()),
            Err(StoreError::Locked { .. }) if begin.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(StoreError::Locked { path, pid, .. }) => {
                return Err(StoreError::Locked { path, pid, waited: begin.elapsed() });
            }
            Err(StoreError::Io { action, path, source }) => {
                return Err(StoreError::Io { action, path, source });
            }
            Err(_) => break,
        }
    }
    let log = file::beside(target, "-wal");
    match std::fs::rename(&log, file::beside(target, ".damaged-wal")) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => Err(StoreError::io("move", &log, err)),
        _ => Ok(()),
    }
}

/// The manifest of a database, without the fields about the payload.
fn describe(database: &Path) -> Result<BackupManifest, StoreError> {
    let store = Store::open_read_only(database)?;
    let meta = store.run("?[key, value] := *meta{key, value}", &Params::new())?;
    let meta: BTreeMap<String, String> =
        meta.column("key")?.into_iter().zip(meta.column::<String>("value")?).collect();
    let newest = store.run("?[max(at)] := *revision{at}", &Params::new())?;
    let newest = newest.column::<Option<i64>>("max(at)")?.pop().flatten();
    let get = |key: &str| meta.get(key).cloned();
    Ok(BackupManifest {
        format: FORMAT,
        schema_version: SCHEMA_VERSION.to_owned(),
        tool_version: get("tool_version"),
        namespace: get("namespace"),
        project: get("project"),
        created_from_revision: newest,
        row_counts: count(&store)?,
        database_len: std::fs::metadata(database)
            .map_err(|err| StoreError::io("read", database, err))?
            .len(),
        payload: "zstd".to_owned(),
        payload_len: 0,
        content_hash: String::new(),
        bundle: None,
    })
}

/// Rows of each relation, all versions counted.
fn count(store: &Store) -> Result<BTreeMap<String, u64>, StoreError> {
    Relation::all()
        .filter_map(|relation| relation.key.first().map(|column| (relation.name, column.name)))
        .map(|(relation, column)| {
            let script = format!("?[count({column})] := *{relation}{{{column}}}");
            let rows = store.run(&script, &Params::new())?;
            let counted = rows.column::<u64>(&format!("count({column})"))?.pop();
            Ok((relation.to_owned(), counted.unwrap_or(0)))
        })
        .collect()
}

/// Compresses a database, and enters the payload's length and hash into the manifest.
fn pack(database: &Path, packed: &Path, manifest: &mut BackupManifest) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(BufWriter::new(File::create(packed)?), LEVEL)?;
    encoder.set_pledged_src_size(Some(manifest.database_len))?;
    encoder.include_contentsize(true)?;
    io::copy(&mut File::open(database)?, &mut encoder)?;
    encoder.finish()?.into_inner()?.sync_data()?;
    let mut hasher = blake3::Hasher::new();
    manifest.payload_len = io::copy(&mut File::open(packed)?, &mut hasher)?;
    manifest.content_hash = hasher.finalize().to_hex().to_string();
    Ok(())
}

fn assemble(manifest: &BackupManifest, packed: &Path, out: &mut File) -> io::Result<()> {
    let mut writer = BufWriter::new(out);
    writer.write_all(MAGIC.as_bytes())?;
    serde_json::to_writer(&mut writer, manifest)?;
    writer.write_all(b"\n")?;
    io::copy(&mut File::open(packed)?, &mut writer)?;
    writer.into_inner()?.sync_all()
}

/// Reads and checks the manifest; the reader is then at the payload.
fn open(path: &Path) -> Result<(BackupManifest, BufReader<File>), StoreError> {
    let failed = |err| StoreError::io("read", path, err);
    let file = asof_files::plain::open(path, Links::Follow).map_err(|error| match error {
        Unread::Io(error) => failed(error),
        other => refuse(path, &other.to_string()),
    })?;
    let meta = file.metadata().map_err(failed)?;
    let mut reader = BufReader::new(file);
    let mut magic = Vec::new();
    (&mut reader).take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(failed)?;
    if magic != MAGIC.as_bytes() {
        return Err(refuse(path, if meta.len() == 0 { "empty" } else { "not a backup of asof" }));
    }
    let mut line = Vec::new();
    (&mut reader).take(MAX_MANIFEST).read_until(b'\n', &mut line).map_err(failed)?;
    if line.pop() != Some(b'\n') {
        return Err(refuse(path, "the manifest is cut off"));
    }
    let json: serde_json::Value = serde_json::from_slice(&line)
        .map_err(|err| refuse(path, &format!("the manifest is not JSON: {err}")))?;
    if json.get("format").and_then(serde_json::Value::as_u64) != Some(u64::from(FORMAT)) {
        let found = json.get("format").map(ToString::to_string).unwrap_or_default();
        return Err(refuse(path, &format!("format {found}, expected {FORMAT}")));
    }
    let manifest: BackupManifest = serde_json::from_value(json)
        .map_err(|err| refuse(path, &format!("the manifest is damaged: {err}")))?;
    if manifest.schema_version != SCHEMA_VERSION {
        return Err(StoreError::SchemaVersion {
            found: manifest.schema_version,
            expected: SCHEMA_VERSION.to_owned(),
        });
    }
    let header = (MAGIC.len() + line.len() + 1) as u64;
    if meta.len().checked_sub(header) != Some(manifest.payload_len) {
        let len = meta.len();
        let declared = manifest.payload_len;
        return Err(refuse(
            path,
            &format!("the file has {len} bytes, which does not fit a payload of {declared}"),
        ));
    }
    let most = SMALL_DATABASE.max(manifest.payload_len.saturating_mul(MAX_RATIO));
    if manifest.payload != "zstd" || manifest.database_len > most {
        return Err(refuse(path, "the payload is not in a known form or is too large"));
    }
    Ok((manifest, reader))
}

/// Decompresses a backup's database to a new file, and checks everything that the manifest says.
fn unpack(path: &Path, database: &Path) -> Result<BackupManifest, StoreError> {
    let (manifest, mut reader) = open(path)?;
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut reader, &mut hasher).map_err(|err| StoreError::io("read", path, err))?;
    if hasher.finalize().to_hex().as_str() != manifest.content_hash {
        return Err(refuse(path, "the content hash differs: the file is damaged"));
    }
    let (_, reader) = open(path)?;
    let broken = |err: io::Error| match err.kind() {
        io::ErrorKind::StorageFull => StoreError::io("write", database, err),
        _ => refuse(path, &format!("the payload cannot be decompressed: {err}")),
    };
    let decoder = zstd::Decoder::with_buffer(reader).map_err(broken)?;
    let mut out = File::create(database).map_err(|err| StoreError::io("write", database, err))?;
    // Reads one byte more than declared, to notice a longer one.
    let len = io::copy(&mut decoder.take(manifest.database_len + 1), &mut out).map_err(broken)?;
    if len != manifest.database_len {
        return Err(refuse(path, "the length of the database differs from the manifest"));
    }
    drop(out);
    let inside = |err: StoreError| match err {
        full @ StoreError::Full { .. } => full,
        other => refuse(path, &format!("the database inside: {other}")),
    };
    file::integrity(database).map_err(inside)?;
    let found = describe(database).map_err(inside)?;
    if found.row_counts != manifest.row_counts {
        return Err(refuse(path, "the row counts differ from the manifest"));
    }
    Ok(manifest)
}

/// Makes a rename durable, where the system can.
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

fn refuse(path: &Path, reason: &str) -> StoreError {
    StoreError::Backup { path: PathBuf::from(path), reason: reason.to_owned() }
}
