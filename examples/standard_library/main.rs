//! Makes the data file of the standard library from the toolchain's sources:
//!
//! `rustup component add rust-src && cargo run --example standard_library -- [--text FILE]`
//!
//! `core`, `alloc` and `std` are read as one crate `std`. Each public item is declared once, at its
//! shortest public path, and its other public paths are re-exports. What is left out: bodies,
//! documentation, private items, unstable functions and methods, parameters for allocators.
#![allow(clippy::indexing_slicing, clippy::expect_used, clippy::panic, clippy::string_slice)]

mod names;
mod read;
mod strip;
mod write;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use asof_resolve::standard;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(run)?;
    thread.join().map_err(|_| "the reader panicked")?
}

fn run() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut args = std::env::args().skip(1);
    let text_file = args.next().filter(|arg| arg == "--text").and_then(|_| args.next());
    let sysroot = PathBuf::from(output("rustc", &["--print", "sysroot"])?);
    let version = output("rustc", &["--version"])?;
    let version = version.split(' ').nth(1).ok_or("rustc has no version")?.to_owned();
    let sources = sysroot.join("lib/rustlib/src/rust/library");
    if !sources.is_dir() {
        return Err("no sources of the library: rustup component add rust-src".into());
    }
    let mut library = read::Library::default();
    for krate in ["core", "alloc", "std"] {
        library.read_crate(krate, &sources.join(krate).join("src"))?;
    }
    library.read_detection(&sources.join("std_detect/src/detect/arch"))?;
    let public = names::Public::new(&library);
    let text = write::text(&library, &public);
    if let Some(path) = text_file {
        std::fs::write(path, &text)?;
    }
    let facts = asof_syntax::parse_file_isolated("library.rs", text.as_bytes());
    for issue in facts.issues.iter().take(20) {
        eprintln!("{issue:?}");
    }
    let mut tree = asof_model::ItemTree::from_facts(&facts);
    for item in &mut tree.items {
        item.docs.clear();
    }
    let tree = asof_model::StoredTree::from(tree);
    let bytes = standard::write(&version, &tree)?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(standard::PATH);
    std::fs::write(&path, &bytes)?;
    eprintln!("Rust {version}: {} items, {} kB", tree.items.len(), bytes.len() / 1000);
    Ok(())
}

fn output(program: &str, args: &[&str]) -> Result<String, Box<dyn Error + Send + Sync>> {
    let output = Command::new(program).args(args).output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
