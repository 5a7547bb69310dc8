//! The standard library as inference knows it: the public declarations of `core`, `alloc` and
//! `std`, as one crate. `examples/standard_library` reads them from the toolchain's sources.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::super::assembly::{Assembly, Crate, Input, Instance, assemble_with_scopes};
use super::super::scope::Scopes;
use super::standard_format;
use crate::model::{FileUses, ItemTree, Target, TargetKind};

const STORED: &[u8] = include_bytes!("standard/library.zst");

static ITEM_TREE: OnceLock<ItemTree> = OnceLock::new();
static PARTS: OnceLock<Parts> = OnceLock::new();
static ASSEMBLED: OnceLock<Standard> = OnceLock::new();

#[derive(Debug)]
struct Parts {
    crates: Vec<Crate>,
    files: Vec<(&'static str, &'static ItemTree)>,
    instances: Vec<Instance>,
    repeats: BTreeSet<(usize, u32)>,
}

/// The library, assembled once per process.
#[derive(Debug)]
pub(super) struct Standard {
    item_tree: &'static ItemTree,
    assembly: Assembly,
    scopes: Scopes<'static>,
    sigs: Arc<FileUses>,
    names: Vec<&'static str>,
}

impl Standard {
    pub(super) fn item_tree(&self) -> &'static ItemTree {
        self.item_tree
    }

    pub(super) fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Signatures of its items, and the names that they are written with.
    pub(super) fn sigs(&self) -> (Arc<FileUses>, &[&'static str]) {
        (Arc::clone(&self.sigs), &self.names)
    }

    pub(super) fn scopes(&self) -> &Scopes<'static> {
        &self.scopes
    }
}

/// Loads the library on a thread of its own, if it will be needed soon.
pub fn prepare() {
    // Without a thread it is loaded when it is needed.
    let _ = std::thread::Builder::new().name("std".to_owned()).spawn(standard);
}

pub(super) fn standard() -> &'static Standard {
    // A test reads it. If it were damaged, the library would be unknown.
    let item_tree = ITEM_TREE
        .get_or_init(|| standard_format::read(STORED).map(|(_, tree)| tree).unwrap_or_default());
    let parts = PARTS.get_or_init(|| Parts {
        crates: vec![Crate {
            package: None,
            target: Target {
                kind: TargetKind::Lib,
                name: "std".to_owned(),
                crate_name: "std".to_owned(),
                root: "std".to_owned(),
                edition: "2024".to_owned(),
            },
        }],
        files: vec![("std", item_tree)],
        instances: vec![Instance { file: 0, krate: 0, declared_in: None, variant: None }],
        repeats: BTreeSet::new(),
    });
    ASSEMBLED.get_or_init(|| {
        let (assembly, scopes) = assemble_with_scopes(Input {
            packages: &[],
            crates: &parts.crates,
            files: &parts.files,
            instances: &parts.instances,
            repeats: &parts.repeats,
        });
        let (sigs, names) = super::sig::read(&item_tree.items);
        Standard { item_tree, assembly, scopes, sigs: Arc::new(sigs), names }
    })
}
