//! Any manifests: packages and targets below the root, and nothing written.

use std::fs;
use std::path::{Component, Path};

use super::world;

pub fn run(data: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    // A neighbour that globs and paths must not reach.
    let outside = folder.path().join("outside");
    world::write_files(&outside);
    let root = folder.path().join("root");
    fs::create_dir(&root).unwrap();
    for (path, text) in world::files_in(data) {
        let path = root.join(path);
        // A file where a folder should be, or the other way round: the later one is left out.
        if fs::create_dir_all(path.parent().unwrap()).is_ok() {
            let _ = fs::write(path, text);
        }
    }
    let before = world::tree(folder.path());
    if let Ok(walk) = asof_workspace::walk(&root)
        && let Ok((layout, _)) = asof_workspace::layout(&root, &walk)
    {
        for package in &layout.packages {
            inside(&package.manifest_path);
            package.targets.iter().for_each(|target| inside(&target.root));
        }
        layout.manifests.keys().for_each(|path| inside(path));
    }
    assert!(before == world::tree(folder.path()), "reading manifests wrote something");
}

fn inside(path: &str) {
    let plain = Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
    assert!(plain, "{path} is not below the root");
}
