//! A commit gives what its checkout gives: the same files, links, packages and issues, for random
//! trees with links, ignore files, hidden files, caches and manifests.
//!
//! `ASOF_TREES=2000 ASOF_SEED=7 cargo test --test suite hostile::same` tries more.

use std::fs;
use std::path::Path;

use crate::support::repository::Repository;
use asof_workspace::{Commits, Disk, Git, SourceTree, layout_of, read_from, walk_tree};

/// A small generator: the sequence is the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    fn choose<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const FOLDERS: &[&str] = &[
    "", "src/", "src/a/", "sub/", "sub/src/", ".hidden/", "target/", "crates/x/", "crates/y/src/",
];
const NAMES: &[&str] =
    &["lib.rs", "main.rs", "a.rs", "mod.rs", "b.rs", "build.rs", ".c.rs", "notes.txt"];
const TARGETS: &[&str] = &[
    "a.rs",
    "../a.rs",
    "src",
    "../src/lib.rs",
    "gone.rs",
    "/etc/passwd",
    "../../x.rs",
    "./b.rs",
    "src/../src/a.rs",
    "loop.rs",
    ".",
    "..",
    "lib.rs/",
    "crates/x/Cargo.toml",
    "../link",
];
const PATTERNS: &[&str] = &[
    "*.rs\n!lib.rs\n",
    "/src/\n",
    "target\n",
    "b.rs\n",
    "!.hidden\n",
    "!.c.rs\n!/.hidden/\n",
    "sub/**/a.rs\n",
    "# none\n\n",
    "\u{feff}a.rs\n",
    "crates/*\n!crates/x\n",
    "a\u{20}\r\n[\n{\n",
];
const MANIFESTS: &[&str] = &[
    "[package]\nname = 'one'\n",
    "[package]\nname = 'two'\nedition = '2024'\nbuild = 'src/a.rs'\n[[bin]]\nname = 'b'\npath = 'src/b.rs'\n",
    "[workspace]\nmembers = ['crates/*', 'sub', '*/y', 'link/*', 'gone']\n[workspace.package]\nedition = '2021'\n",
    "[package]\nname = 'three'\nedition.workspace = true\n[dependencies]\nx = { path = '../x' }\n",
    "[package\n",
];
const CODE: &[&str] =
    &["", "mod a;\nmod b;\n", "#[path = \"../a.rs\"] mod up;\n", "pub fn f() {}\n"];
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";

/// Replaces what the work tree holds by something random.
fn scatter(root: &Path, random: &mut Random) {
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with(".git") {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            fs::remove_dir_all(path).unwrap()
        } else {
            fs::remove_file(path).unwrap()
        }
    }
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        // A link or file may be in the way: then the tree has none of it.
        if path.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok())
            && !path.is_symlink()
        {
            let _ = fs::write(path, text);
        }
    };
    let link = |path: &str, to: &str| {
        let path = root.join(path);
        if path.parent().is_some_and(|folder| fs::create_dir_all(folder).is_ok()) {
            let _ = std::os::unix::fs::symlink(to, path);
        }
    };
    if random.below(3) > 0 {
        write("Cargo.toml", random.choose(&MANIFESTS[..4]));
    }
    for _ in 0..random.below(5) {
        let name = random.choose(&[
            "link", "link.rs", "src", "sub", "a.rs", "loop.rs", "crates/x", "src/a.rs", "crates/z",
            ".gitignore", "Cargo.toml",
        ]);
        link(name, random.choose(TARGETS));
    }
    for _ in 0..random.below(14) {
        write(&format!("{}{}", random.choose(FOLDERS), random.choose(NAMES)), random.choose(CODE));
    }
    for _ in 0..random.below(4) {
        write(&format!("{}Cargo.toml", random.choose(FOLDERS)), random.choose(MANIFESTS));
    }
    for _ in 0..random.below(4) {
        let name = random.choose(&[".gitignore", ".ignore"]);
        write(&format!("{}{name}", random.choose(FOLDERS)), random.choose(PATTERNS));
    }
    if random.below(2) == 0 {
        let folder = random.choose(&["target/", "sub/", "crates/", ""]);
        write(&format!("{folder}CACHEDIR.TAG"), random.choose(&[TAG, "Signature: other\n"]));
    }
}

/// What a tree gives, as text; without sizes and times.
fn list_files(tree: &dyn SourceTree) -> String {
    let mut walk = walk_tree(tree).unwrap();
    let paths = |files: &[asof_model::SourceFile]| -> Vec<String> {
        files.iter().map(|file| format!("{} {}", file.path, file.size)).collect()
    };
    let (files, manifests) = (paths(&walk.files), paths(&walk.manifests));
    let seen = format!("{files:#?}\n{manifests:#?}\n{:#?}\n{:#?}", walk.links, walk.issues);
    // The place of a tree is no part of it.
    let layout = match layout_of(tree, &walk) {
        Ok(found) => format!("{found:#?}"),
        Err(error) => format!("{error:?}").split("path: ").next().unwrap().to_owned(),
    };
    walk.include(
        tree,
        ["link.rs", "src/a.rs", ".hidden/a.rs", "link/lib.rs", "crates/x/Cargo.toml"],
    );
    let read: Vec<_> = ["a.rs", "link.rs", "src/lib.rs", "link", "src/a/mod.rs", "loop.rs"]
        .iter()
        .map(|path| read_from(tree, path, 100))
        .collect();
    format!("{seen}\n{layout}\n{:?}\n{read:?}", paths(&walk.files))
}

#[test]
fn a_commit_gives_what_its_checkout_gives() {
    let number = |name: &str, or: u64| std::env::var(name).map_or(or, |n| n.parse().unwrap());
    let mut random = Random(number("ASOF_SEED", 1));
    let mut repo = Repository::new();
    // What the repository excludes is no part of a commit.
    fs::remove_file(repo.root.join(".git/info/exclude")).unwrap();
    let mut files = 0;
    for number in 0..number("ASOF_TREES", 60) {
        scatter(&repo.root, &mut random);
        // Ignored files are no part of a commit either: all that is there goes in.
        repo.git(&["add", "-A", "-f"]);
        let commit = repo.commit("random");
        // Of empty folders a commit knows nothing.
        repo.git(&["clean", "-fdxq"]);
        let git = Git::find(&repo.root).unwrap().unwrap();
        let commits = Commits::new(&git, &repo.root).unwrap();
        let virtual_tree = list_files(&commits.tree(&commit).unwrap());
        let on_disk = list_files(&Disk::open(&repo.root).unwrap());
        if virtual_tree != on_disk {
            let changes = similar::TextDiff::from_lines(&on_disk, &virtual_tree);
            panic!("tree {number}:\n{}", changes.unified_diff().context_radius(3));
        }
        files += on_disk.matches(".rs").count();
    }
    assert!(files > 100, "{files}");
}
