//! What an item index has of a file: it depends on the definitions of the file and their signatures, and
//! on the numbers of names. States share it with the definitions.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::super::super::expand_items::PASSED;
use super::super::receivers::has_wrapped_receiver;
use super::super::sig;
use super::definition_table::Info;
use super::file_sigs::FileSigs;
use super::name_table::NewNames;
use crate::node_table::FileNodes;
use crate::numbers::{Numbers, Renumber};
use crate::refs::types::{Def, Name};
use asof_model::{FileUses, HashMap, Header, NodeKind, StoredTree};

/// See the module.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct FileItems {
    /// Of the definitions of the file, in their order.
    pub infos: Vec<Info>,
    /// Indices of generic parameters, by definition and name.
    pub generics: HashMap<(Def, Name), u32>,
    /// Functions of impls and traits.
    pub methods: Vec<(Name, Def)>,
    pub fields: Vec<(Name, Def)>,
    /// Names of items.
    pub names: Vec<Name>,
    /// Names of methods whose receiver is neither `self` nor `&self`.
    pub wrapped_receivers: Vec<Name>,
    pub impls: Vec<Def>,
    pub types: Vec<TypeItem>,
    pub macros: Vec<Def>,
    /// Crates that are declared with `#[macro_use]`.
    pub macro_crates: Vec<Def>,
    /// Calls that put items into modules, each with a module.
    pub suites: Vec<(Def, Def)>,
    /// With numbers for their names, once they are needed.
    #[serde(skip)]
    pub sigs: OnceLock<FileSigs>,
}

/// A struct, enum or union.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(in super::super) struct TypeItem {
    pub def: Def,
    pub in_body: bool,
}

impl FileItems {
    pub fn new(nodes: &FileNodes, tree: &StoredTree, names: &mut NewNames<'_>) -> Self {
        let mut file = FileItems::default();
        let declared = nodes.nodes.iter().zip(nodes.numbers()).map(|(node, def)| Info {
            name: names.number(&node.name),
            kind: node.kind,
            parent: node.parent.unwrap_or(def),
        });
        file.infos = declared.collect();
        for (info, def) in file.infos.iter().zip(nodes.numbers()) {
            // Names of crates come from manifests.
            if info.parent != def && !info.kind.is_anonymous() {
                file.names.push(info.name);
            }
            match info.kind {
                NodeKind::Method => file.methods.push((info.name, def)),
                NodeKind::Field => file.fields.push((info.name, def)),
                NodeKind::Impl => file.impls.push(def),
                NodeKind::Macro => file.macros.push(def),
                _ => {}
            }
        }
        let uses = signatures(tree);
        let sigs = FileSigs { uses: Arc::clone(uses), names: names.numbers(&uses.names) };
        for ((at, item), def) in tree.items.iter().enumerate().zip(&nodes.index) {
            let generics = sigs.generic_names(at).into_iter().zip(0..);
            for (name, number) in generics {
                file.generics.entry((*def, name)).or_insert(number);
            }
            if has_wrapped_receiver(item) {
                file.wrapped_receivers.push(names.number(&item.name));
            }
            match (item.kind, &item.header) {
                (NodeKind::Struct | NodeKind::Enum | NodeKind::Union, _) => {
                    file.types.push(TypeItem { def: *def, in_body: item.in_body });
                }
                (NodeKind::Module, _) if item.attrs.iter().any(|attr| attr == PASSED) => {
                    let call = nodes.index.get(item.parent as usize);
                    file.suites.extend(call.map(|call| (*call, *def)));
                }
                (_, Header::ExternCrate { macro_use: true, .. }) => file.macro_crates.push(*def),
                _ => {}
            }
        }
        file.sigs = sigs.into();
        file
    }
}

impl Renumber for FileItems {
    fn renumber(&self, numbers: &Numbers) -> Self {
        let def = |def: &Def| numbers.def(*def);
        let info = |info: &Info| Info { parent: def(&info.parent), ..*info };
        let named = |all: &[(Name, Def)]| all.iter().map(|(name, of)| (*name, def(of))).collect();
        let item = |item: &TypeItem| TypeItem { def: def(&item.def), ..*item };
        let generics = self.generics.iter();
        FileItems {
            infos: self.infos.iter().map(info).collect(),
            generics: generics.map(|((of, name), at)| ((def(of), *name), *at)).collect(),
            methods: named(&self.methods),
            fields: named(&self.fields),
            names: self.names.clone(),
            wrapped_receivers: self.wrapped_receivers.clone(),
            impls: self.impls.renumber(numbers),
            types: self.types.iter().map(item).collect(),
            macros: self.macros.renumber(numbers),
            macro_crates: self.macro_crates.renumber(numbers),
            suites: self.suites.iter().map(|(call, of)| (def(call), def(of))).collect(),
            sigs: self.sigs.clone(),
        }
    }
}

/// What the signatures of a file use.
pub(super) fn signatures(tree: &StoredTree) -> &Arc<FileUses> {
    tree.signatures(|tree| sig::read(&tree.items))
}
