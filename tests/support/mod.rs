//! What the tests of the indexer share: copies of fixtures, and everything that a database
//! holds as sorted text.
#![allow(dead_code, reason = "each test uses its own part")]

pub mod backups;
pub mod cli;
pub mod demo;
pub mod edit_demo;
pub mod edits;
pub mod flat;
pub mod fuzz;
pub mod kills;
pub mod meanings;
pub mod repository;
pub mod scip;
pub mod shell;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use asof_index::{IndexError, Options, Silent, refresh};
use asof_model::Micros;
use asof_store::{Params, Relation, Store};
use asof_wire::{IndexReport, Phase};
use tempfile::TempDir;

/// What this program calls one of its ignored tests, to run it alone as a process of its own.
/// `module` is the `module_path!()` of the test.
pub fn this_test(module: &str, test: &str) -> String {
    let name = match module.split_once("::") {
        Some((_, module)) => format!("{module}::{test}"),
        None => test.to_owned(),
    };
    // A name that does not exist runs nothing, and succeeds.
    let listed = Command::new(std::env::current_exe().unwrap())
        .args(["--list", "--ignored", "--exact", &name])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&listed.stdout).contains(&name), "no test `{name}`");
    name
}

/// A folder in memory where that is possible: a commit waits for the disk, and most tests are about
/// something else. `TMPDIR` names another place.
pub fn tempdir() -> TempDir {
    static IN_MEMORY: LazyLock<bool> =
        LazyLock::new(|| std::env::var_os("TMPDIR").is_none() && has_memory());
    if *IN_MEMORY { tempfile::tempdir_in(MEMORY) } else { tempfile::tempdir() }.unwrap()
}

const MEMORY: &str = "/dev/shm";

/// Tests run scripts in their folders, and containers often have 64 MB of memory for files.
#[cfg(target_os = "linux")]
fn has_memory() -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(MEMORY).is_ok_and(|disk| {
        let free = disk.f_bavail * disk.f_frsize;
        free > 2 << 30 && !disk.f_flag.contains(StatVfsMountFlags::NOEXEC)
    })
}

#[cfg(not(target_os = "linux"))]
fn has_memory() -> bool {
    false
}

/// Fixtures, by folder.
pub const FIXTURES: [&str; 5] = ["modules", "cfg", "reexports", "targets", "plain"];

/// Relation → its rows as JSON.
pub type Dump = BTreeMap<String, BTreeSet<String>>;

/// A copy of a workspace in a folder of its own. Times of files are given, not taken.
pub struct Copy {
    pub root: PathBuf,
    /// Seconds since 1970 of the last file time given.
    clock: u64,
    _folder: TempDir,
}

impl Copy {
    pub fn of_fixture(name: &str) -> Self {
        Self::from_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name))
    }

    pub fn from_folder(from: &Path) -> Self {
        let mut copy = Self::empty();
        copy_tree(from, &copy.root);
        copy.age();
        copy
    }

    /// Moves the workspace into another folder; where it lies then.
    pub fn into_root(self, folder: &Path) -> PathBuf {
        let to = folder.join("moved");
        fs::rename(&self.root, &to).unwrap();
        to
    }

    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let mut copy = Self::empty();
        for (path, text) in files {
            copy.write(path, text);
        }
        copy
    }

    pub fn empty() -> Self {
        let folder = tempdir();
        let root = folder.path().join("ws");
        fs::create_dir(&root).unwrap();
        Self { root, clock: 1_600_000_000, _folder: folder }
    }

    /// Gives every file an old time of its own.
    fn age(&mut self) {
        for path in files(&self.root) {
            self.touch(&path);
        }
    }

    /// A new, old time: the file is known to be settled.
    pub fn touch(&mut self, path: &str) {
        self.clock += 1;
        self.set_time(path, UNIX_EPOCH + Duration::from_secs(self.clock));
    }

    /// A time that vouches for nothing, the same for every call.
    pub fn touch_racy(&self, path: &str) {
        self.set_time(path, UNIX_EPOCH + Duration::from_secs(9_000_000_000));
    }

    fn set_time(&self, path: &str, time: SystemTime) {
        let path = self.root.join(path);
        if path.is_file() {
            fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
        }
    }

    pub fn write(&mut self, path: &str, text: impl AsRef<[u8]>) {
        let full = self.root.join(path);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        if full.is_symlink() {
            fs::remove_file(&full).unwrap();
        }
        fs::write(full, text).unwrap();
        self.touch(path);
    }

    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.root.join(path)).unwrap_or_default()
    }

    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.read(path)).unwrap()
    }

    pub fn edit(&mut self, path: &str, from: &str, to: &str) {
        let text = self.text(path);
        assert!(text.contains(from), "{path} has no {from:?}");
        self.write(path, text.replacen(from, to, 1));
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).unwrap();
    }

    pub fn rename(&mut self, from: &str, to: &str) {
        let full = self.root.join(to);
        fs::create_dir_all(full.parent().unwrap()).unwrap();
        fs::rename(self.root.join(from), full).unwrap();
    }
}

pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if name == ".git" || name == "target" {
            continue;
        }
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            copy_tree(&entry.path(), &to.join(name));
        } else if kind.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            std::os::unix::fs::symlink(target, to.join(name)).unwrap();
        } else {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

/// Every file below a folder, relative to it, sorted.
pub fn files(root: &Path) -> Vec<String> {
    fn below(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                below(root, &path, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    let mut found = Vec::new();
    below(root, root, &mut found);
    found.sort();
    found
}

pub fn options() -> Options {
    Options { threads: Some(1), ..Options::default() }
}

pub fn try_index(store: &Store, root: &Path) -> Result<IndexReport, IndexError> {
    refresh(store, root, &options(), &Silent)
}

pub fn index(store: &Store, root: &Path) -> IndexReport {
    try_index(store, root).unwrap()
}

/// A new database in memory of what lies below `root`.
pub fn fresh(root: &Path) -> Store {
    let store = Store::in_memory().unwrap();
    index(&store, root);
    store
}

/// Whether a run resolved the names of the whole workspace.
pub fn was_wide(report: &IndexReport) -> bool {
    report.phases.iter().any(|(phase, _)| *phase == Phase::Resolve)
}

pub fn newest(store: &Store) -> Micros {
    let script = r#"?[value] := *meta{key: "newest", value}"#;
    let found = store.run(script, &Params::new()).unwrap().column::<String>("value").unwrap();
    Micros(found[0].parse().unwrap())
}

/// The rows of every versioned relation at a time.
pub fn dump_at(store: &Store, at: Micros) -> Dump {
    let namespace = store
        .run(r#"?[value] := *meta{key: "namespace", value}"#, &Params::new())
        .unwrap()
        .column::<String>("value")
        .unwrap();
    let mut dump = Dump::new();
    for relation in Relation::all().filter(|relation| relation.versioned) {
        let columns = relation.key.iter().chain(&relation.values).map(|column| column.name);
        let columns = columns.collect::<Vec<_>>().join(", ");
        let script = format!("?[{columns}] := *{}{{{columns} @ $at}}", relation.name);
        let rows = store.run(&script, &Params::new().with("at", at)).unwrap();
        let rows = rows.to_json().into_iter().map(|row| {
            let row = serde_json::Value::from(row).to_string();
            // It is that of the first run, whatever the project is called now.
            row.replace(&namespace[0], "namespace")
        });
        dump.insert(relation.name.to_owned(), rows.collect());
    }
    dump
}

/// [`dump_at`] the newest revision, and the mirrors of NOW without times.
pub fn dump(store: &Store) -> Dump {
    let mut dump = dump_at(store, newest(store));
    let rows = store.run("?[path, data] := *item_tree{path, data}", &Params::new()).unwrap();
    let item_trees = rows.iter().map(|row| {
        let data: Vec<u8> = row.get("data").unwrap();
        let json = zstd::stream::decode_all(data.as_slice()).unwrap();
        format!("{} {}", row.get::<String>("path").unwrap(), String::from_utf8(json).unwrap())
    });
    dump.insert("item_tree".to_owned(), item_trees.collect());
    for (relation, column) in
        [("search_terms", "terms"), ("section_terms", "terms"), ("reads", "reads")]
    {
        let script = format!("?[path, {column}] := *{relation}{{path, {column}}}");
        let rows = store.run(&script, &Params::new()).unwrap().to_json();
        let rows = rows.into_iter().map(|row| serde_json::Value::from(row).to_string());
        dump.insert(relation.to_owned(), rows.collect());
    }
    let script = "?[path, size, raw_hash] := *file_stat{path, size, raw_hash}";
    let rows = store.run(script, &Params::new()).unwrap().to_json();
    let rows = rows.into_iter().map(|row| serde_json::Value::from(row).to_string());
    dump.insert("file_stat".to_owned(), rows.collect());
    dump
}

/// Rows that only one of two databases has, `-` for the first and `+` for the second; empty if
/// there are none.
pub fn differences(first: &Dump, second: &Dump) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    let empty = BTreeSet::new();
    for name in first.keys().chain(second.keys()).collect::<BTreeSet<_>>() {
        let (a, b) = (first.get(name).unwrap_or(&empty), second.get(name).unwrap_or(&empty));
        for row in a.difference(b) {
            writeln!(out, "- {name} {row}").unwrap();
        }
        for row in b.difference(a) {
            writeln!(out, "+ {name} {row}").unwrap();
        }
    }
    out
}

/// Every stored text by hash, unpacked.
pub fn texts(store: &Store) -> BTreeMap<String, Vec<u8>> {
    let script = "?[hash, len, base, steps, source] := *text{hash, len, base, steps, source}";
    let rows = store.run(script, &Params::new()).unwrap();
    let lens: Vec<usize> = rows.column("len").unwrap();
    let hashes: Vec<String> = rows.column("hash").unwrap();
    let unpacked = asof_index::unpack_texts(store, rows.decode().unwrap()).unwrap();
    for (hash, len) in hashes.iter().zip(lens) {
        assert_eq!(unpacked[&hash.parse().unwrap()].len(), len, "length of text {hash}");
    }
    unpacked.into_iter().map(|(hash, text)| (hash.to_string(), text)).collect()
}

/// Everything by which the database differs from a new one of the same files; empty if nothing.
pub fn differences_from_fresh(store: &Store, root: &Path) -> String {
    let new = fresh(root);
    let mut out = differences(&dump(store), &dump(&new));
    let names = |store: &Store| -> BTreeSet<String> {
        let script = "?[id, text, external] := *external_symbol{id, text, external}, *external_symbol_by_text{text, id}";
        let rows = store.run(script, &Params::new()).unwrap().to_json();
        rows.into_iter().map(|row| serde_json::Value::from(row).to_string()).collect()
    };
    for name in names(&new).difference(&names(store)) {
        out.push_str(&format!("+ outside {name}\n"));
    }
    let have = texts(store);
    for (hash, text) in texts(&new) {
        if have.get(&hash) != Some(&text) {
            out.push_str(&format!("+ text {hash} {}\n", String::from_utf8_lossy(&text)));
        }
    }
    out
}
