//! Makes `storage/src/dictionary.bin`, with which the values of rows are compressed, from rows of
//! databases.
//!
//! `cargo run --release -p asof-storage --example row_dictionary -- DATABASE… > dictionary.bin`
//!
//! The same databases give the same bytes. Another dictionary is another form of the database: raise
//! `SCHEMA_VERSION`, and change the hash in the test of `storage/src/large.rs`. What this version was
//! made of is in `docs/format.md`.

use std::error::Error;
use std::io::Write;
use std::path::Path;

/// Bytes of the dictionary: four times as many save no more than 2 % of references, and nothing of
/// other rows.
const SIZE: usize = 16 << 10;

/// Samples of each database, evenly spread over its rows.
const SAMPLES: usize = 10_000;

/// Bytes of a sample: zstd looks at the beginning of long ones only.
const LENGTH: std::ops::Range<usize> = 64..16_384;

fn main() -> Result<(), Box<dyn Error>> {
    let mut samples: Vec<Vec<u8>> = Vec::new();
    for path in std::env::args().skip(1) {
        let mut rows = asof_storage::values(Path::new(&path))?;
        rows.retain(|value| LENGTH.contains(&value.len()));
        let step = rows.len().div_ceil(SAMPLES).max(1);
        samples.extend(rows.into_iter().step_by(step));
    }
    let dictionary = zstd::dict::from_samples(&samples, SIZE)?;
    std::io::stdout().write_all(&dictionary)?;
    Ok(())
}
