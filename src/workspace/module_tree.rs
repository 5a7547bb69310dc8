//! Locates the file of a module by the rules of the compiler: pure functions on paths.
//!
//! The rules are those of `rustc_expand::module` and of the chapter "Modules" of the reference:
//! a `mod foo;` belongs beside a crate root, a `mod.rs` or a file that `#[path]` named, and below
//! a folder of the file's own name for every other file.

use super::paths;

/// Where the child modules of a module or inline block are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModDir {
    /// Folder relative to the root; `#[path]` outside inline modules starts here.
    dir: String,
    /// In a file `foo.rs` that is not a crate root and was not named by `#[path]`: `foo`.
    below: Option<String>,
}

/// A file that a `mod name;` may mean.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModFile {
    /// Relative to the root.
    pub path: String,
    /// Where the children of that file are looked for.
    pub dir: ModDir,
    /// Predicate of the `cfg_attr` that names the file; empty if none does.
    pub cfg: String,
    /// Whether it is `name/mod.rs`, the alternative to the candidate before it, `name.rs`.
    second: bool,
}

impl ModDir {
    /// The top of a crate root, a `mod.rs`, or a file that `#[path]` names: children are beside it.
    pub fn root(file: &str) -> Self {
        Self { dir: paths::parent(file).to_owned(), below: None }
    }

    /// The top of a module's file that is not a crate root. `via_path_attr`: `#[path]` named it.
    pub fn of_file(file: &str, via_path_attr: ViaPathAttr) -> Self {
        if via_path_attr == ViaPathAttr::Yes || paths::name(file) == "mod.rs" {
            return Self::root(file);
        }
        Self { below: Some(paths::stem(file).to_owned()), ..Self::root(file) }
    }

    /// Inside `mod name { … }`. A `#[path]` on it names the folder of its children.
    /// `None` if that leaves the root.
    pub fn inline(&self, name: &str, path_attr: Option<&str>) -> Option<Self> {
        let dir = match path_attr {
            Some(path) => paths::join(&self.dir, path)?,
            None => push(&self.children(), plain(name)),
        };
        Some(Self { dir, below: None })
    }

    /// Files that `mod name;` may mean, in the order of the compiler: one for each `cfg_attr`
    /// with a path as `(predicate, path)`, then that of the plain `#[path]`, else `name.rs` and
    /// `name/mod.rs`. Files that would be outside the root are left out.
    pub fn declared(
        &self,
        name: &str,
        path_attr: Option<&str>,
        cfg_paths: &[(String, String)],
    ) -> Vec<ModFile> {
        let mut out = Vec::with_capacity(cfg_paths.len() + 2);
        for (cfg, path) in cfg_paths {
            out.extend(self.at(path).map(|file| ModFile { cfg: cfg.clone(), ..file }));
        }
        match path_attr {
            Some(path) => out.extend(self.at(path)),
            None => {
                let base = push(&self.children(), plain(name));
                for (path, second) in
                    [(format!("{base}.rs"), false), (format!("{base}/mod.rs"), true)]
                {
                    let dir = Self::of_file(&path, ViaPathAttr::No);
                    out.push(ModFile { path, dir, cfg: String::new(), second });
                }
            }
        }
        out
    }

    fn at(&self, path: &str) -> Option<ModFile> {
        let path = paths::join(&self.dir, path)?;
        Some(ModFile { dir: Self::root(&path), path, cfg: String::new(), second: false })
    }

    /// Folder of children that are named by no `#[path]`.
    fn children(&self) -> String {
        match &self.below {
            Some(below) => push(&self.dir, below),
            None => self.dir.clone(),
        }
    }
}

/// Whether `#[path]`, plain or under `cfg_attr`, named a module's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViaPathAttr {
    Yes,
    No,
}

/// Those of `candidates` that exist, one for each way of naming: of `name.rs` and
/// `name/mod.rs` only the first (the compiler refuses both). Empty: the module's file is missing.
pub fn existing(candidates: Vec<ModFile>, exists: impl Fn(&str) -> bool) -> Vec<ModFile> {
    let mut out: Vec<ModFile> = Vec::with_capacity(candidates.len());
    let mut first_found = false;
    for file in candidates {
        let found = !(file.second && first_found) && exists(&file.path);
        first_found = found && !file.second;
        if found {
            out.push(file);
        }
    }
    out
}

fn push(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(file: &str) -> ModDir {
        ModDir::root(file)
    }

    fn file(file: &str) -> ModDir {
        ModDir::of_file(file, ViaPathAttr::No)
    }

    /// The candidates of a declaration without `cfg_attr`.
    fn check(dir: &ModDir, name: &str, path_attr: Option<&str>, expected: &[&str]) {
        let found = dir.declared(name, path_attr, &[]);
        let found: Vec<&str> = found.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(found, expected);
    }

    fn inline(dir: ModDir, name: &str) -> ModDir {
        dir.inline(name, None).unwrap()
    }

    #[test]
    fn beside_crate_roots_and_mod_rs() {
        check(&root("src/lib.rs"), "a", None, &["src/a.rs", "src/a/mod.rs"]);
        check(&root("tests/it.rs"), "common", None, &["tests/common.rs", "tests/common/mod.rs"]);
        check(&file("src/a/mod.rs"), "b", None, &["src/a/b.rs", "src/a/b/mod.rs"]);
        check(&root("main.rs"), "a", None, &["a.rs", "a/mod.rs"]);
    }

    #[test]
    fn below_the_name_of_other_files() {
        check(&file("src/a/b.rs"), "c", None, &["src/a/b/c.rs", "src/a/b/c/mod.rs"]);
        check(&file("b.rs"), "c", None, &["b/c.rs", "b/c/mod.rs"]);
    }

    #[test]
    fn raw_names_lose_their_mark() {
        check(&root("src/lib.rs"), "r#async", None, &["src/async.rs", "src/async/mod.rs"]);
        check(&inline(root("lib.rs"), "r#dyn"), "x", None, &["dyn/x.rs", "dyn/x/mod.rs"]);
    }

    #[test]
    fn inline_modules_are_folders() {
        let of_root = inline(inline(root("src/lib.rs"), "x"), "y");
        check(&of_root, "z", None, &["src/x/y/z.rs", "src/x/y/z/mod.rs"]);
        let of_file = inline(file("src/a.rs"), "x");
        check(&of_file, "z", None, &["src/a/x/z.rs", "src/a/x/z/mod.rs"]);
    }

    #[test]
    fn path_outside_inline_modules_starts_at_the_files_folder() {
        check(&root("src/lib.rs"), "c", Some("foo.rs"), &["src/foo.rs"]);
        check(&file("src/a/b.rs"), "c", Some("foo.rs"), &["src/a/foo.rs"]);
        check(&file("src/a/mod.rs"), "c", Some("../d/foo.rs"), &["src/d/foo.rs"]);
    }

    /// The two examples of the reference.
    #[test]
    fn path_inside_inline_modules_includes_their_names() {
        let of_file = inline(file("src/a/b.rs"), "inline");
        check(&of_file, "inner", Some("other.rs"), &["src/a/b/inline/other.rs"]);
        let of_mod = inline(file("src/a/mod.rs"), "inline");
        check(&of_mod, "inner", Some("other.rs"), &["src/a/inline/other.rs"]);
    }

    #[test]
    fn path_on_an_inline_module_is_its_folder() {
        let dir = root("src/lib.rs").inline("thread", Some("thread_files")).unwrap();
        check(&dir, "local", None, &["src/thread_files/local.rs", "src/thread_files/local/mod.rs"]);
        check(&dir, "local", Some("tls.rs"), &["src/thread_files/tls.rs"]);
        let dir = file("src/a.rs").inline("x", Some("other")).unwrap();
        check(&dir, "y", None, &["src/other/y.rs", "src/other/y/mod.rs"]);
    }

    #[test]
    fn a_file_named_by_path_has_its_children_beside_it() {
        let found = root("src/lib.rs").declared("c", Some("imp/foo.rs"), &[]);
        check(&found[0].dir, "d", None, &["src/imp/d.rs", "src/imp/d/mod.rs"]);
        assert_eq!(found[0].dir, ModDir::of_file("src/imp/foo.rs", ViaPathAttr::Yes));
    }

    #[test]
    fn nothing_leaves_the_root() {
        check(&root("src/lib.rs"), "c", Some("../../other.rs"), &[]);
        check(&root("src/lib.rs"), "c", Some("/etc/other.rs"), &[]);
        assert_eq!(root("src/lib.rs").inline("x", Some("../..")), None);
    }

    #[test]
    fn every_cfg_attr_is_a_candidate_and_of_two_names_the_first_counts() {
        let cfg =
            [("unix".to_owned(), "u.rs".to_owned()), ("windows".to_owned(), "w.rs".to_owned())];
        let found = |names: &[&str]| {
            let all = root("src/lib.rs").declared("sys", None, &cfg);
            existing(all, |path| names.contains(&path))
                .into_iter()
                .map(|file| (file.cfg, file.path))
                .collect::<Vec<_>>()
        };
        let pair = |cfg: &str, path: &str| (cfg.to_owned(), path.to_owned());
        assert_eq!(
            found(&["src/u.rs", "src/w.rs", "src/sys.rs", "src/sys/mod.rs"]),
            [pair("unix", "src/u.rs"), pair("windows", "src/w.rs"), pair("", "src/sys.rs")]
        );
        assert_eq!(
            found(&["src/w.rs", "src/sys/mod.rs"]),
            [pair("windows", "src/w.rs"), pair("", "src/sys/mod.rs")]
        );
        assert_eq!(found(&[]), []);
    }
}
