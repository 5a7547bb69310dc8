//! The standard library: the public declarations of `core`, `alloc` and `std`, as one crate, in a
//! data file: a line with the format, the Rust version and a hash, then compressed tables.
//! `examples/standard_library` makes it from the toolchain's sources.

use index_vec::IndexSlice;
use std::collections::BTreeMap;
use std::io;
use std::sync::OnceLock;

use super::library::tables::{self, Tables};
use super::library::{Keep, Library, compile};
use crate::crate_maps::{Crate, Input, Instance};
use crate::ids::{CrateId, FileId};
use asof_model::{OrNever, RawHash, StoredTree, Target, TargetKind};

/// Where the file is in the repository.
pub const PATH: &str = "src/resolve/refs/standard/library.zst";

/// Raised when an older reader could not read the file.
const FORMAT: &str = "asof-standard-2";

/// More than the file ever expands to.
const MAX_BYTES: usize = 1 << 26;

const LEVEL: i32 = 19;

const STORED: &[u8] = include_bytes!("standard/library.zst");

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// Loads the library on a thread of its own, if it will be needed soon.
pub fn prepare() {
    // Without a thread it is loaded when it is needed.
    let _ = std::thread::Builder::new().name("std".to_owned()).spawn(standard);
}

/// Format, Rust version and hash of the standard library that names are resolved with.
pub fn library_version() -> &'static str {
    head(STORED).or_never("the library of this program has a head")
}

/// What names are resolved with: the standard library and the rules. With others, the same texts may
/// have other references.
pub fn names_version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    VERSION.get_or_init(|| format!("{} rules {}", library_version(), super::rules::RULES))
}

/// The library, read once per process.
pub(super) fn standard() -> &'static Library {
    LIBRARY.get_or_init(|| {
        Library::new(read(STORED).or_never("the library of this program is intact"))
    })
}

/// The bytes of the file for the declarations of a crate `std`, all in one file.
///
/// # Errors
/// If they cannot be compressed.
pub fn write(version: &str, tree: &StoredTree) -> io::Result<Vec<u8>> {
    let target = Target {
        kind: TargetKind::Lib,
        name: "std".to_owned(),
        crate_name: "std".to_owned(),
        root: "std".to_owned(),
        edition: "2024".to_owned(),
    };
    let data = tables::to_bytes(&compile(
        Input {
            packages: IndexSlice::new(&[]),
            crates: IndexSlice::new(&[Crate { package: None, target }]),
            files: IndexSlice::new(&[("std", tree)]),
            instances: IndexSlice::new(&[Instance {
                file: FileId::new(0),
                krate: CrateId::new(0),
                declared_in: None,
                variant: None,
                cfg: String::new(),
                made: None,
            }]),
            repeats: &BTreeMap::new(),
        },
        Keep::All,
    ));
    let hash = RawHash::hash(&data).to_string();
    let mut bytes = format!("{FORMAT} {version} {hash}\n").into_bytes();
    bytes.extend(zstd::bulk::compress(&data, LEVEL)?);
    Ok(bytes)
}

/// Format, Rust version and hash: names that were resolved with another library may mean
/// something else.
pub(super) fn head(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(bytes.get(..end)?).ok()?;
    head.starts_with(FORMAT).then_some(head)
}

/// The tables; none if the bytes are damaged.
pub(super) fn read(bytes: &[u8]) -> Option<Tables> {
    let head = head(bytes)?;
    let data = zstd::bulk::decompress(bytes.get(head.len() + 1..)?, MAX_BYTES).ok()?;
    tables::from_bytes(&data)
}
