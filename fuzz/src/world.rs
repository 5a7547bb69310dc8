//! What the targets share: a small workspace, questions about it, and files described by inputs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use asof_index::{Options, Silent, refresh};
use asof_store::{Params, Store};

/// Files of a small workspace with something of each kind.
pub const FILES: [(&str, &str); 3] = [
    ("Cargo.toml", "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
    (
        "src/lib.rs",
        "//! A demo.\nmod shape;\npub use shape::{Shape, area};\n\n/// Twice.\npub fn twice(s: &Shape) -> f64 {\n    2.0 * area(s)\n}\n",
    ),
    (
        "src/shape.rs",
        "pub enum Shape {\n    Dot,\n    Square { side: f64 },\n}\n\nimpl Shape {\n    pub fn new() -> Self {\n        Shape::Dot\n    }\n}\n\npub fn area(s: &Shape) -> f64 {\n    match s {\n        Shape::Dot => 0.0,\n        Shape::Square { side } => side * side,\n    }\n}\n",
    ),
];

/// Writes [`FILES`] below a folder.
pub fn write_files(root: &Path) {
    for (path, text) in FILES {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// A database file of [`FILES`].
pub fn write_database(folder: &Path) -> PathBuf {
    let root = folder.join("demo");
    write_files(&root);
    let path = folder.join("demo.db");
    let store = Store::create(&path).unwrap();
    let options = Options { threads: Some(1), ..Options::default() };
    refresh(&store, &root, &options, &Silent).unwrap();
    path
}

/// Questions that read every kind of row, with scans and seeks.
pub const QUESTIONS: [&str; 9] = [
    "?[key, value] := *meta{key, value}",
    "?[at, cause] := *revision{at, cause}",
    "?[id, name, header, attrs, params] := *node{id, name, header, attrs, params @ 'NOW'}",
    "?[id, children] := *layout{owner_id: id, children @ 'NOW'}",
    "?[path, id] := *node_by_path{path, id @ 'NOW'}, path == 'demo::shape::area'",
    "?[a, k, b] := *edge{source: a, kind: k, target: b @ 'NOW'}",
    "?[a, refs] := *refs_by_source{source: a, refs @ 'NOW'}",
    "?[hash, len, source] := *text{hash, len, source}",
    "?[path, data] := *item_tree{path, data}",
];

/// The answers, or that there are none.
pub fn ask(store: &Store) -> Vec<Result<String, ()>> {
    let answer = |question: &&str| match store.run(question, &Params::new()) {
        Ok(rows) => Ok(format!("{:?}", rows.to_json())),
        Err(_) => Err(()),
    };
    QUESTIONS.iter().map(answer).collect()
}

/// Every file below a folder with its bytes; links by their targets.
pub fn tree(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn below(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            if meta.is_symlink() {
                let to = fs::read_link(&path).unwrap();
                found.insert(path, to.into_os_string().into_encoded_bytes());
            } else if meta.is_dir() {
                below(&path, found);
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, bytes);
            }
        }
    }
    let mut found = BTreeMap::new();
    below(root, &mut found);
    found
}

/// Files that an input names by lines `//- path`, relative and below the root.
pub fn files_in(data: &[u8]) -> Vec<(PathBuf, Vec<u8>)> {
    const MAX_FILES: usize = 32;
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        if let Some(name) = line.strip_prefix(b"//- ") {
            let name = String::from_utf8_lossy(name.trim_ascii()).replace('\0', "");
            let plain = Path::new(&name).components().all(|c| matches!(c, Component::Normal(_)));
            if files.len() == MAX_FILES {
                break;
            }
            let fine = plain && !name.is_empty() && name.len() < 200;
            files.push((if fine { name.into() } else { "Cargo.toml".into() }, Vec::new()));
        } else if let Some((_, text)) = files.last_mut() {
            text.extend_from_slice(line);
        }
    }
    files
}

/// Changes to some bytes: groups of three bytes of an offset and one of the new value, as far as
/// the input goes.
pub fn patched(bytes: &[u8], data: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for change in data.chunks_exact(4) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        let len = out.len().max(1);
        if let Some(byte) = out.get_mut(at % len) {
            *byte ^= change[3].max(1);
        }
    }
    out
}
