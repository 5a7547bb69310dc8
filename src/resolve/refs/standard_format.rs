//! The data file of the standard library: a line that names the format and the Rust version, then
//! the item tree, compressed. `examples/standard_library` makes it from the toolchain's sources.

use std::io;

use crate::model::ItemTree;

/// Where the file is in the repository.
pub const PATH: &str = "src/resolve/refs/standard/library.zst";

/// Raised when an older reader could not read the file.
const FORMAT: &str = "asof-standard-1";

/// More than the file ever expands to.
const MAX_BYTES: usize = 1 << 26;

const LEVEL: i32 = 19;

/// The bytes of the file.
pub fn write(version: &str, tree: &ItemTree) -> io::Result<Vec<u8>> {
    let mut bytes = format!("{FORMAT} {version}\n").into_bytes();
    bytes.extend(zstd::bulk::compress(&tree.to_bytes(), LEVEL)?);
    Ok(bytes)
}

/// The Rust version and the item tree; none if the bytes are damaged.
pub fn read(bytes: &[u8]) -> Option<(&str, ItemTree)> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let head = std::str::from_utf8(bytes.get(..end)?).ok()?;
    let version = head.strip_prefix(FORMAT)?.strip_prefix(' ')?;
    let tree = zstd::bulk::decompress(bytes.get(end + 1..)?, MAX_BYTES).ok()?;
    Some((version, ItemTree::from_bytes(&tree).ok()?))
}
