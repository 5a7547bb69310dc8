//! Builds the tables of an item index of what its files have.

use std::sync::{Arc, OnceLock};

use super::ItemIndex;
use super::definition_table::{DefinitionTable, Info};
use super::file_items::{FileItems, signatures};
use super::file_sigs::FileSigs;
use super::name_table::NameLayers;
use super::named_defs::{NameSet, NamedDefs};
use crate::ids::InstanceId;
use crate::refs::types::{Def, Name};
use crate::shared_files::SharedFiles;
use asof_model::NodeKind;
pub(in super::super) use asof_model::PRIMITIVES;

impl ItemIndex<'_> {
    /// Takes what each file has.
    pub(super) fn take(&mut self, files: SharedFiles<FileItems>, names: NameLayers) {
        let nodes = &self.workspace.assembly.nodes;
        let count = nodes.end().index();
        // Blocks are scopes, and no definitions, and some numbers nothing has: none is anything's parent.
        let unknown = |at| Info { name: Name::NONE, kind: NodeKind::Unknown, parent: Def::new(at) };
        let mut infos: Vec<Info> = Vec::with_capacity(count);
        for (number, file) in files.iter_enumerated() {
            let first = nodes.file(number).map_or(count, |file| file.first.index());
            infos.extend((infos.len()..first).map(unknown));
            infos.extend(&file.infos);
        }
        infos.extend((infos.len()..count).map(unknown));
        self.own = DefinitionTable::new(Def::new(0), infos);
        self.sigs.resize_with(count, OnceLock::new);
        self.methods = NamedDefs::new(files.iter().flat_map(|file| file.methods.iter().copied()));
        self.fields = NamedDefs::new(files.iter().flat_map(|file| file.fields.iter().copied()));
        let all = files.iter().flat_map(|file| file.names.iter().copied());
        self.item_names = NameSet::from_iter(all);
        let wrapped = files.iter().flat_map(|file| file.wrapped_receivers.iter().copied());
        self.wrapped_receivers = NameSet::from_iter(wrapped);
        for (call, module) in files.iter().flat_map(|file| &file.suites) {
            self.suites.entry(*call).or_default().push(*module);
        }
        (self.files, self.names) = (files, names);
    }

    /// Signatures of a file all of whose names have numbers.
    pub(super) fn signatures_of(&self, number: InstanceId) -> FileSigs {
        let input = self.workspace.input;
        let tree = input.instances.get(number).and_then(|instance| input.files.get(instance.file));
        let uses = tree.map(|(_, tree)| Arc::clone(signatures(tree))).unwrap_or_default();
        let names = uses.names.iter().map(|name| self.find_name(name).unwrap_or(Name::NONE));
        FileSigs { names: names.collect(), uses }
    }
}
