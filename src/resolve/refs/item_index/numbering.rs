//! Builds an item index: numbers for definitions and names, lookups of children, signatures.

use std::sync::Arc;

use rayon::prelude::*;

use super::super::receivers::has_wrapped_receiver;
use super::super::{lower, sig};
use super::ItemIndex;
use super::definition_table::{DefinitionTable, Info};
use super::file_sigs::FileSigs;
use crate::ids::FileId;
use crate::refs::types::{Def, Name};
pub(in super::super) use asof_model::PRIMITIVES;
use asof_model::{FileUses, NodeKind, StoredTree};

impl<'a> ItemIndex<'a> {
    pub(super) fn number_definitions(&mut self) {
        let nodes = &self.workspace.assembly.nodes;
        let count = nodes.end().index();
        // About half of the items have a name that no other has.
        self.names.reserve(count / 2);
        // Blocks are scopes, and no definitions, and some numbers nothing has: none is anything's parent.
        let unnamed = self.number("");
        let unknown = |at| Info { name: unnamed, kind: NodeKind::Unknown, parent: Def::new(at) };
        let mut infos: Vec<Info> = (0..count).map(unknown).collect();
        for (def, node) in nodes.iter_enumerated() {
            let name = self.number(&node.name);
            if let Some(info) = infos.get_mut(def.index()) {
                *info = Info { name, kind: node.kind, parent: node.parent.unwrap_or(def) };
            }
        }
        self.own = DefinitionTable::new(Def::new(0), infos);
        for (def, info) in self.own.defs().zip(self.own.infos()) {
            // Names of crates come from manifests.
            if info.parent != def && !info.kind.is_anonymous() {
                self.item_names.insert(info.name);
            }
            let table = match info.kind {
                NodeKind::Method => &mut self.methods,
                NodeKind::Field => &mut self.fields,
                _ => continue,
            };
            table.entry(info.name).or_default().push(def);
        }
    }

    pub(super) fn place_generics(&mut self) {
        for def in self.own_defs() {
            for (at, name) in lower::generic_names(self, def).into_iter().enumerate() {
                self.generics.entry((def, name)).or_insert(at as u32);
            }
        }
    }

    pub(super) fn read_signatures(&mut self) {
        let files: Vec<&'a StoredTree> =
            self.workspace.input.files.iter().map(|(_, item_tree)| *item_tree).collect();
        let read: Vec<&'a Arc<FileUses>> = files.par_iter().map(|tree| signatures(tree)).collect();
        self.workspace.sigs = read.into_iter().map(|read| self.numbered(read).into()).collect();
        let wrapped =
            files.iter().flat_map(|tree| &tree.items).filter(|item| has_wrapped_receiver(item));
        self.wrapped_receivers = wrapped.filter_map(|item| self.find_name(&item.name)).collect();
    }

    /// Signatures of a file all of whose names have numbers.
    pub(super) fn signatures_of(&self, file: FileId) -> FileSigs {
        let tree = self.workspace.input.files.get(file).map(|(_, tree)| *tree);
        let uses = tree.map(|tree| Arc::clone(signatures(tree))).unwrap_or_default();
        let names = uses.names.iter().map(|name| self.find_name(name).unwrap_or(Name::NONE));
        FileSigs { names: names.collect(), uses }
    }

    fn numbered(&mut self, uses: &'a Arc<FileUses>) -> FileSigs {
        let names = uses.names.iter().map(|name| self.number(name)).collect();
        FileSigs { uses: Arc::clone(uses), names }
    }

    fn number(&mut self, text: &'a str) -> Name {
        self.names.number(text, |text| self.library.names().find(text))
    }
}

/// What the signatures of a file use.
fn signatures(tree: &StoredTree) -> &Arc<FileUses> {
    tree.signatures(|tree| sig::read(&tree.items))
}
