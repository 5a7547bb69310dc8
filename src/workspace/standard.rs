//! The sources of the standard library, as rustup keeps them (component `rust-src`).

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use asof_files::plain::Links;

/// Where they are within a toolchain.
const LIBRARY: &str = "lib/rustlib/src/rust/library";
/// Its crates, in the order in which a path that begins with `std` is looked for.
const CRATES: [&str; 3] = ["std", "alloc", "core"];
/// Longest file that is read.
const MAX_BYTES: u64 = 4 << 20;
/// Files of a module that are searched.
const MAX_FILES: usize = 200;

/// Folders whose items no path leads to: of `nonpoison` are unstable twins of what `poison` has.
const NOT_SEARCHED: [&str; 3] = ["tests", "benches", "nonpoison"];

/// The sources of one toolchain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandardSources {
    library: PathBuf,
}

impl StandardSources {
    /// Those of the default toolchain of this user; else of the newest stable one; else of any.
    /// `RUSTUP_HOME` and `RUSTUP_TOOLCHAIN` are honoured. No program is run.
    pub fn find() -> Option<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = || set("HOME").map(|home| PathBuf::from(home).join(".rustup"));
        let rustup = set("RUSTUP_HOME").map(PathBuf::from).or_else(home)?;
        let chosen = set("RUSTUP_TOOLCHAIN").and_then(|name| name.into_string().ok());
        Self::within(&rustup, chosen.or_else(|| default_toolchain(&rustup)).as_deref())
    }

    fn within(rustup: &Path, chosen: Option<&str>) -> Option<Self> {
        let toolchains = fs::read_dir(rustup.join("toolchains")).ok()?;
        let mut found: Vec<(bool, bool, String, PathBuf)> = toolchains
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let name = entry.file_name().into_string().ok()?;
                let library = entry.path().join(LIBRARY);
                let is_chosen = chosen.is_some_and(|chosen| name.starts_with(chosen));
                library.join("core/src/lib.rs").is_file().then_some((
                    is_chosen,
                    name.starts_with("stable"),
                    name,
                    library,
                ))
            })
            .collect();
        found.sort();
        found.pop().map(|(.., library)| Self { library })
    }

    /// Whether a path is one of the standard library.
    pub fn has(&self, path: &[&str]) -> bool {
        path.first().is_some_and(|first| CRATES.contains(first))
    }

    /// A file by its path below the folder of the library.
    pub fn file(&self, path: &str) -> PathBuf {
        self.library.join(path)
    }

    /// The files in which a macro of the root of one of the crates may be declared.
    pub fn of_macro<'p>(&self, name: &'p str) -> Vec<(PathBuf, Vec<&'p str>)> {
        let files = ["macros.rs", "macros/mod.rs", "lib.rs"];
        let all = CRATES.into_iter().flat_map(|krate| {
            files.map(|file| (self.library.join(krate).join("src").join(file), vec![name]))
        });
        all.collect()
    }

    /// The files in which the item of a path may be declared, the likeliest first, each with the
    /// segments of the path that are left to be found in it. None are left of a module.
    pub fn candidates<'p>(&self, path: &[&'p str]) -> Vec<(PathBuf, Vec<&'p str>)> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        if !CRATES.contains(first) {
            return Vec::new();
        }
        let crates = std::iter::once(*first).chain(CRATES.into_iter().filter(|one| one != first));
        let mut exact = Vec::new();
        let mut around = Vec::new();
        for krate in crates {
            let source = self.library.join(krate).join("src");
            let found = candidates_in(&source, rest);
            // What is at the root of these crates is not declared in other files.
            if found.exact.1.len() < rest.len() {
                around.extend(found.around());
            }
            exact.push(found.exact);
        }
        // Names of folders are parts of names of modules: `btree_map` is in `btree/map`.
        let words: Vec<&str> = rest.iter().flat_map(|segment| segment.split('_')).collect();
        around.sort_by_cached_key(|(file, _)| {
            let inside = file.strip_prefix(&self.library).unwrap_or(file).with_extension("");
            let is_part = |part: &&OsStr| words.iter().any(|word| part == word);
            std::cmp::Reverse(inside.iter().filter(is_part).count())
        });
        exact.extend(around);
        exact
    }
}

/// Where the item of a path may be declared in the sources of a crate.
#[derive(Debug)]
pub struct Candidates<'p> {
    /// The file of the deepest module of the path, and what is left of it.
    pub exact: (PathBuf, Vec<&'p str>),
    folder: PathBuf,
}

/// `path` begins below the crate, whose root file is `lib.rs` in the folder `source`.
pub fn candidates_in<'p>(source: &Path, path: &[&'p str]) -> Candidates<'p> {
    let (file, folder, left) = descend(source, path);
    Candidates { exact: (file, left.to_vec()), folder }
}

impl<'p> Candidates<'p> {
    /// The other files of the module: it may bring what they declare.
    pub fn around(&self) -> impl Iterator<Item = (PathBuf, Vec<&'p str>)> + use<'p> {
        let (exact, left) = &self.exact;
        let mut files = if left.is_empty() { Vec::new() } else { files_below(&self.folder) };
        files.retain(|file| file != exact);
        // A part of a path may name what is brought from elsewhere, so only its end counts: the name,
        // with its type if it has one.
        let owner = left.len().checked_sub(2).and_then(|at| left.get(at));
        let has_owner = owner.is_some_and(|one| !one.starts_with(|c: char| c.is_lowercase()));
        let of = if has_owner { 2 } else { 1 };
        let end = left.get(left.len().saturating_sub(of)..).unwrap_or(left).to_vec();
        files.into_iter().map(move |file| (file, end.clone()))
    }
}

fn default_toolchain(rustup: &Path) -> Option<String> {
    let settings = read(&rustup.join("settings.toml"))?;
    let settings: toml::Table = settings.parse().ok()?;
    settings.get("default_toolchain")?.as_str().map(str::to_owned)
}

/// Text of one of these files.
pub fn read(path: &Path) -> Option<String> {
    asof_files::plain::read_text(path, MAX_BYTES, Links::Follow).ok()
}

/// The file of the deepest module that a path leads to, its folder, and what is left of the path.
fn descend<'s, 'p>(source: &Path, path: &'s [&'p str]) -> (PathBuf, PathBuf, &'s [&'p str]) {
    let (mut file, mut folder, mut left) = (source.join("lib.rs"), source.to_owned(), path);
    while let Some((name, rest)) = left.split_first() {
        let beside = folder.join(format!("{name}.rs"));
        let inside = folder.join(name).join("mod.rs");
        let next = [beside, inside].into_iter().find(|file| file.is_file());
        let Some(next) = next else { break };
        (file, folder, left) = (next, folder.join(name), rest);
    }
    (file, folder, left)
}

fn is_searched(folder: &OsStr) -> bool {
    !NOT_SEARCHED.iter().any(|name| folder == *name)
}

/// Rust files of a folder and those below it, in the order of their paths.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && is_searched(&entry.file_name()) => open.push(path),
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|e| e == "rs") => {
                    found.push(path);
                }
                _ => {}
            }
        }
        if found.len() > MAX_FILES {
            break;
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    #[test]
    fn the_chosen_toolchain_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["1.90-x", "nightly-x", "stable-x"] {
            write(folder.path(), &format!("toolchains/{name}/{LIBRARY}/core/src/lib.rs"));
        }
        let name = |chosen| {
            let found = StandardSources::within(folder.path(), chosen).unwrap();
            let inside = found.library.strip_prefix(folder.path().join("toolchains")).unwrap();
            inside.iter().next().unwrap().to_str().unwrap().to_owned()
        };
        assert_eq!(name(None), "stable-x");
        assert_eq!(name(Some("nightly")), "nightly-x");
        assert_eq!(name(Some("1.90-x")), "1.90-x");
        assert_eq!(StandardSources::within(&folder.path().join("toolchains"), None), None);
    }

    #[test]
    fn a_path_is_looked_for_where_its_modules_are() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().to_owned();
        for file in
            ["std/src/lib.rs", "std/src/io/mod.rs", "std/src/io/error.rs", "core/src/lib.rs"]
        {
            write(&library, file);
        }
        let sources = StandardSources { library: library.clone() };
        let found: Vec<(String, Vec<&str>)> = sources
            .candidates(&["std", "io", "Error", "new"])
            .into_iter()
            .filter(|(file, _)| file.is_file())
            .map(|(file, left)| (file.strip_prefix(&library).unwrap().display().to_string(), left))
            .collect();
        let left = vec!["Error", "new"];
        assert_eq!(found[0], ("std/src/io/mod.rs".to_owned(), left.clone()));
        assert!(found.contains(&("std/src/io/error.rs".to_owned(), left)));
        assert_eq!(sources.candidates(&["serde", "Serialize"]), []);
    }
}
