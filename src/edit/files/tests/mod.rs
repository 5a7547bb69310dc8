//! A small workspace, and crashes and interference at every point.

mod deaths;
mod failures;
mod paths;
mod races;
mod recovery;
mod writing;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use asof_model::RawHash;

/// Paths with permission bits and bytes; folders have no bytes.
pub type Picture = BTreeMap<String, (u32, Option<Vec<u8>>)>;

pub struct Space {
    _dir: TempDir,
    pub root: PathBuf,
    pub state: PathBuf,
}

impl Space {
    /// `src/a.rs`, `src/b.rs`, `src/deep/c.rs`, `main.rs` and `script.rs`, the last executable.
    pub fn new() -> Self {
        // In memory where the system has such a folder: thousands of these are made.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let root = dir.path().join("workspace");
        fs::create_dir_all(root.join("src/deep")).unwrap();
        let space = Self { state: root.join(".asof"), root, _dir: dir };
        fs::create_dir(&space.state).unwrap();
        space.put("src/a.rs", "fn a() {}\n");
        space.put("src/b.rs", "\u{feff}fn b() {}\r\n");
        space.put("src/deep/c.rs", "fn c() {}");
        space.put("main.rs", "fn main() {}\n");
        space.put("script.rs", "fn script() {}\n");
        fs::set_permissions(space.at("script.rs"), PermissionsExt::from_mode(0o750)).unwrap();
        space
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn put(&self, path: &str, text: &str) {
        fs::write(self.at(path), text).unwrap();
    }

    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub fn modify(&self, path: &str, text: &str) -> FileChange {
        let before = Some(RawHash::hash(&fs::read(self.at(path)).unwrap()));
        let after = Some(text.as_bytes().to_vec());
        FileChange { path: path.into(), before, after, ..FileChange::default() }
    }

    pub fn delete(&self, path: &str) -> FileChange {
        FileChange { after: None, ..self.modify(path, "") }
    }

    pub fn create(&self, path: &str, text: &str) -> FileChange {
        FileChange {
            before: None,
            after: Some(text.into()),
            path: path.into(),
            ..FileChange::default()
        }
    }

    pub fn apply(&self, id: &str, changes: Vec<FileChange>) -> Result<Done, FilesError> {
        self.apply_then(id, changes, || Ok(()))
    }

    pub fn apply_then(
        &self,
        id: &str,
        changes: Vec<FileChange>,
        mut after_write: impl FnMut() -> Result<(), FilesError>,
    ) -> Result<Done, FilesError> {
        let tx = Transaction { id: id.into(), changes };
        apply(&self.root, &self.state, &tx, AfterWrite::Any(&mut after_write))
    }

    pub fn undo(&self, of: &str, id: &str) -> Result<Done, FilesError> {
        undo(&self.root, &self.state, of, id, &[])
    }

    pub fn recover(&self) -> Result<Vec<Recovered>, FilesError> {
        recover(&self.root, &self.state)
    }

    /// Everything but our state.
    pub fn picture(&self) -> Picture {
        let mut picture = Picture::new();
        let skip = self.state.clone();
        fn walk(root: &Path, dir: &Path, skip: &Path, picture: &mut Picture) {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path == skip {
                    continue;
                }
                let meta = fs::symlink_metadata(&path).unwrap();
                let bytes = meta.is_file().then(|| fs::read(&path).unwrap());
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                picture.insert(name, (meta.permissions().mode() & 0o7777, bytes));
                if meta.is_dir() {
                    walk(root, &path, skip, picture);
                }
            }
        }
        walk(&self.root, &self.root, &skip, &mut picture);
        picture
    }

    /// Names in the journal.
    pub fn journals(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.state.join("journal")) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// No temporary file anywhere.
    pub fn assert_tidy(&self) {
        let left: Vec<String> =
            self.picture().into_keys().filter(|path| path.contains(".asof-")).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// Two changed, one deleted, one moved into a new folder with its rights, one only checked.
    pub fn mixed(&self) -> Vec<FileChange> {
        let moved = FileChange {
            mode_from: Some("script.rs".into()),
            ..self.create("src/new/inner/script.rs", "fn script() {}\n")
        };
        vec![
            self.modify("src/a.rs", "fn a() { 1 }\n"),
            self.modify("src/b.rs", "\u{feff}fn b() { 2 }\r\n"),
            self.modify("main.rs", "fn main() {}\n"),
            self.delete("src/deep/c.rs"),
            moved,
            self.delete("script.rs"),
        ]
    }
}

/// Ends the hooks of a test.
pub struct Hooked;

impl Drop for Hooked {
    fn drop(&mut self) {
        fault::clear();
    }
}

/// Runs `act` the nth time that this point is passed.
pub fn at_point(point: &str, nth: usize, act: impl Fn() -> io::Result<()> + 'static) -> Hooked {
    let (point, mut passed) = (point.to_owned(), 0);
    fault::hook(move |name| {
        passed += usize::from(name == point);
        if name == point && passed == nth { act() } else { Ok(()) }
    });
    Hooked
}

/// Points that this passes, in order, each with the number of times that it was passed before.
pub fn points(job: impl FnOnce()) -> Vec<(String, usize)> {
    use std::cell::RefCell;
    use std::rc::Rc;
    let trace: Rc<RefCell<Vec<(String, usize)>>> = Rc::default();
    let seen = Rc::clone(&trace);
    fault::hook(move |name| {
        let mut seen = seen.borrow_mut();
        let nth = seen.iter().filter(|(it, _)| it == name).count() + 1;
        seen.push((name.to_owned(), nth));
        Ok(())
    });
    job();
    fault::clear();
    trace.take()
}

/// Ends the job at a point, as by `kill -9`: nothing of it runs afterwards. Returns whether it did.
pub fn dies<T>(point: &str, time: usize, job: impl FnOnce() -> T) -> bool {
    let hooked = at_point(point, time, || resume_unwind(Box::new("dead")));
    let died = catch_unwind(AssertUnwindSafe(job)).is_err();
    drop(hooked);
    fault::clear();
    died
}
