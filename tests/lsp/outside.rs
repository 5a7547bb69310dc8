//! Names of other crates lead into their sources.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::client::Client;
use super::demo::write;
use super::session::{find, shown};

use crate::support::tempdir;

const LOCK: &str = "version = 4\n\
    [[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"dep\"]\n\
    [[package]]\nname = \"dep\"\nversion = \"1.0.0\"\n\
    source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
    checksum = \"00\"\ndependencies = [\"dep_derive\"]\n\
    [[package]]\nname = \"dep_derive\"\nversion = \"1.0.0\"\n\
    source = \"registry+https://github.com/rust-lang/crates.io-index\"\nchecksum = \"00\"\n";

const LIB: &str = "use dep::{Pack, start};\n\
    #[derive(Pack)]\n\
    pub struct Parcel {\n    #[pack(skip)]\n    pub size: u8,\n}\n\
    pub fn f() -> u8 {\n    start();\n    dep::ready() + dep::spawn()\n}\n\
    pub struct Own;\n\
    impl dep::Turn for Own {\n    type Into = u8;\n    fn turn(&self) {}\n}\n";

/// A workspace with the sources of a dependency in a folder of its own.
fn workspace() -> TempDir {
    let folder = tempdir();
    let manifest = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
        [dependencies]\ndep = \"1\"\n";
    let derive =
        "[package]\nname = \"dep_derive\"\nversion = \"1.0.0\"\n[lib]\nproc-macro = true\n";
    for (file, text) in [
        ("Cargo.toml", manifest),
        ("Cargo.lock", LOCK),
        (".cargo/config.toml", "[source.vendored]\ndirectory = \"vendor\"\n"),
        (".gitignore", ".asof\nvendor\n"),
        ("src/lib.rs", LIB),
        ("vendor/dep/.cargo-checksum.json", "{}"),
        ("vendor/dep/Cargo.toml", "[package]\nname = \"dep\"\nversion = \"1.0.0\"\n"),
        (
            "vendor/dep/src/lib.rs",
            "pub use dep_derive::Pack;\npub trait Pack {}\nmod on;\nmod off;\nmod inner;\n\
             macro_rules! cfg_on { ($($i:item)*) => { $( #[cfg(feature = \"on\")] $i )* } }\n\
             macro_rules! cfg_off { ($($i:item)*) => { $( #[cfg(not(feature = \"on\"))] $i )* } }\n\
             cfg_on! { pub use on::start; }\ncfg_off! { pub use off::start; }\n\
             pub use inner::{spawn::spawn, ready::ready};\n\
             pub trait Turn { type Into; fn turn(&self); }\n",
        ),
        ("vendor/dep/src/on.rs", "pub fn start() {}\n"),
        ("vendor/dep/src/off.rs", "\npub fn start() {}\n"),
        ("vendor/dep/src/inner/mod.rs", "pub mod ready;\npub mod spawn;\nfn spawn() {}\n"),
        ("vendor/dep/src/inner/ready.rs", "\npub fn ready() -> u8 { 1 }\n"),
        ("vendor/dep/src/inner/spawn.rs", "crate::cfg_on! {\n    pub fn spawn() -> u8 { 1 }\n}\n"),
        ("vendor/dep_derive/.cargo-checksum.json", "{}"),
        ("vendor/dep_derive/Cargo.toml", derive),
        (
            "vendor/dep_derive/src/lib.rs",
            "#[proc_macro_derive(Pack, attributes(pack))]\n\
             pub fn derive_pack(input: proc_macro::TokenStream) -> proc_macro::TokenStream { input }\n",
        ),
    ] {
        write(folder.path(), file, text);
    }
    folder
}

#[track_caller]
fn check(client: &mut Client, root: &Path, text: &str, nth: usize, expected: &str) {
    let found = client.at("definition", &root.join("src/lib.rs"), find(LIB, text, nth));
    let found = shown(root, &found);
    let place = found.first().and_then(|first| first.rsplit_once(':'));
    assert_eq!(place.map(|(line, _column)| line), Some(expected), "{text}");
}

#[test]
fn names_of_a_dependency_lead_into_its_sources() {
    let folder = workspace();
    let root = folder.path();
    let mut client = Client::session(root, "utf-8", json!({}));
    for (text, nth, expected) in [
        ("Pack", 1, "vendor/dep_derive/src/lib.rs:2"),
        ("pack", 0, "vendor/dep_derive/src/lib.rs:2"),
        ("start", 1, "vendor/dep/src/on.rs:1"),
        ("ready", 0, "vendor/dep/src/inner/ready.rs:2"),
        ("spawn", 0, "vendor/dep/src/inner/spawn.rs:2"),
        ("Turn", 0, "vendor/dep/src/lib.rs:11"),
        ("Into", 0, "vendor/dep/src/lib.rs:11"),
        ("turn", 0, "src/lib.rs:14"),
    ] {
        check(&mut client, root, text, nth, expected);
    }
    let at = find(LIB, "turn", 0);
    let found = client.at("declaration", &root.join("src/lib.rs"), at);
    assert!(found[0]["uri"].as_str().unwrap().ends_with("vendor/dep/src/lib.rs"), "{found}");
    assert_eq!(client.quit(), Some(0));
}
