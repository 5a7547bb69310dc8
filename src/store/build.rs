//! Makes `schema.rs`, the list of the files of `schema/`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    println!("cargo::rerun-if-changed=schema");
    let home = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("schema.rs"), schema(&home.join("schema"))?)?;
    Ok(())
}

/// The list of schema files.
fn schema(folder: &Path) -> Result<String, Failure> {
    let mut out = String::from("pub(super) const FILES: &[(&str, &str)] = &[\n");
    for path in cozo_files(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).ok_or("not UTF-8")?;
        // A target directory may serve several checkouts.
        let path = format!("/schema/{name}");
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?})");
        writeln!(out, "    ({name:?}, include_str!({path})),")?;
    }
    out.push_str("];\n");
    Ok(out)
}

fn cozo_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder)? {
        found.push(file?.path());
    }
    found.retain(|path| path.extension().is_some_and(|e| e == "cozo"));
    found.sort();
    Ok(found)
}
