//! The subject of a move: an item with what belongs to it.

use std::collections::{BTreeMap, BTreeSet};

use super::refuse::Refuse;
use crate::database::Snapshot;
use crate::edit::target::{self, Files, Halt};
use crate::error::EngineError;
use asof_edit::FileView;
use asof_index::Viewpoint;
use asof_model::{ByteRange, FileFacts, NodeId, NodeKind};
use asof_query::{Described, Queries};
use asof_wire::Item;

/// See the module.
#[derive(Debug)]
pub(super) struct Subject {
    /// The items that are named; several if they are variants under other conditions.
    pub items: Vec<Item>,
    /// These, their impls, and everything in them.
    pub ids: BTreeSet<NodeId>,
    pub all: Vec<Described>,
    pub file_path: String,
    /// The module that they are in.
    pub module: NodeId,
    /// That module in the facts of the file.
    pub module_index: u32,
    pub pieces: Vec<Piece>,
    /// The items of the pieces in the facts of the file.
    pub places: BTreeMap<NodeId, u32>,
}

/// Text that moves as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// The item with the comments that belong to it.
    pub range: ByteRange,
    /// The lines to delete.
    pub lines: ByteRange,
}

impl Subject {
    pub(super) fn load(
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        items: Vec<Item>,
        refuse: &Refuse<'_>,
    ) -> Result<Self, Halt> {
        let Some(first) = items.first() else { return Err(refuse("there is none".to_owned())) };
        refuse_unmovable(first, refuse)?;
        if first.kind == NodeKind::Module {
            return Self::of_module(snapshot, files, view, items, refuse);
        }
        let file_path = first.file_path.clone();
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let parent = queries.describe(&[first.id]).map_err(EngineError::from)?.pop();
        let parent = parent.and_then(|own| own.parent_id);
        let is_module = |id: &NodeId| view.kind(*id) == Some(NodeKind::Module);
        let Some(module) = parent.filter(is_module) else {
            return Err(refuse("it is in the body of a function, or of another item".to_owned()));
        };
        let modules = queries.file_modules(&file_path).map_err(EngineError::from)?;
        if modules.len() > 1 {
            return Err(refuse(format!("{file_path} is the body of several modules")));
        }
        files.load(snapshot, &file_path)?;
        let mut indices = BTreeSet::new();
        for item in &items {
            indices.insert(target::index_of(snapshot, files, item)?);
        }
        let loaded = files.loaded(snapshot, &file_path)?;
        let facts = &loaded.facts;
        let module_index = indices
            .first()
            .and_then(|at| facts.items.get(*at as usize))
            .map_or(0, |item| item.parent);
        let described = queries.file_items(&file_path).map_err(EngineError::from)?;
        let by_place: BTreeMap<(u32, u32, NodeKind), NodeId> = described
            .iter()
            .map(|one| ((one.start_byte, one.end_byte, one.kind), one.id))
            .collect();
        let id_of = |at: u32| {
            let item = facts.items.get(at as usize)?;
            by_place.get(&(item.span.start_byte, item.span.end_byte, item.kind)).copied()
        };
        let named: BTreeSet<NodeId> = items.iter().map(|item| item.id).collect();
        indices.extend(impls_of(view, facts, module_index, &named, &id_of));
        let file = FileView::new(&file_path, &loaded.text, facts);
        let mut pieces = Vec::new();
        let mut places = BTreeMap::new();
        for at in &indices {
            let (range, lines) = asof_edit::excision(&file, *at);
            pieces.push(Piece { range, lines });
            places.extend(facts.items.iter().enumerate().filter_map(|(inner, item)| {
                let inside = range.covers(item.span.bytes());
                let id = (inside && inner > 0).then(|| id_of(inner as u32)).flatten()?;
                Some((id, inner as u32))
            }));
        }
        let ids: BTreeSet<NodeId> = named.into_iter().chain(places.keys().copied()).collect();
        let list: Vec<NodeId> = ids.iter().copied().collect();
        let all = queries.describe(&list).map_err(EngineError::from)?;
        if let Some(call) = all.iter().find(|one| one.kind == NodeKind::MacroCall) {
            let line = call.start_line;
            return Err(refuse(format!("it has a macro call among its items, in line {line}")));
        }
        Ok(Self { items, ids, all, file_path, module, module_index, pieces, places })
    }

    /// A module: its declaration is carried, and its files move.
    fn of_module(
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        items: Vec<Item>,
        refuse: &Refuse<'_>,
    ) -> Result<Self, Halt> {
        let [item] = items.as_slice() else {
            return Err(refuse("the module has several declarations".to_owned()));
        };
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let own = queries.describe(&[item.id]).map_err(EngineError::from)?.pop();
        let Some(module) = own.and_then(|own| own.parent_id) else {
            return Err(refuse("it is a crate".to_owned()));
        };
        files.load(snapshot, &item.file_path)?;
        let (file_path, index) = match target::index_of(snapshot, files, item)? {
            0 => target::declaration(snapshot, files, item)?
                .ok_or_else(|| refuse("it is a crate".to_owned()))?,
            index => (item.file_path.clone(), index),
        };
        for path in [&file_path, &item.file_path] {
            if queries.file_modules(path).map_err(EngineError::from)?.len() > 1 {
                return Err(refuse(format!("{path} is the body of several modules")));
            }
        }
        let loaded = files.loaded(snapshot, &file_path)?;
        let file = FileView::new(&file_path, &loaded.text, &loaded.facts);
        let (range, lines) = asof_edit::excision(&file, index);
        let module_index = loaded.facts.items.get(index as usize).map_or(0, |item| item.parent);
        let ids = view.within(item.id);
        let list: Vec<NodeId> = ids.iter().copied().collect();
        let all = queries.describe(&list).map_err(EngineError::from)?;
        let places = BTreeMap::from([(item.id, index)]);
        let pieces = vec![Piece { range, lines }];
        Ok(Self { items, ids, all, file_path, module, module_index, pieces, places })
    }

    /// Whether it is a module in files of its own.
    pub(super) fn is_declared(&self) -> bool {
        let piece = self.pieces.first();
        self.is_module()
            && self.items.first().is_some_and(|item| {
                item.file_path != self.file_path
                    || piece.is_some_and(|piece| item.span.end_byte > piece.range.end)
            })
    }

    /// Whether it is a module.
    pub(super) fn is_module(&self) -> bool {
        self.items.first().is_some_and(|item| item.kind == NodeKind::Module)
    }

    /// Whether a byte of a file is in the text that moves.
    pub(super) fn holds(&self, file_path: &str, byte: u32) -> bool {
        self.file_path == file_path && self.pieces.iter().any(|piece| piece.range.contains(byte))
    }

    /// The name of the items.
    pub(super) fn name(&self) -> &str {
        self.items.first().map_or("", |item| item.name.as_str())
    }

    /// The same, described.
    pub(super) fn described(&self) -> Vec<Described> {
        let named = self.named();
        self.all.iter().filter(|one| named.contains(&one.id)).cloned().collect()
    }

    /// The items that a path of the module leads to.
    pub(super) fn named(&self) -> BTreeSet<NodeId> {
        self.items.iter().map(|item| item.id).collect()
    }
}

fn refuse_unmovable(item: &Item, refuse: &Refuse<'_>) -> Result<(), Halt> {
    let reason = match item.kind {
        NodeKind::Macro => "where a macro can be used depends on where it is defined in the text",
        NodeKind::Field
        | NodeKind::Variant
        | NodeKind::Method
        | NodeKind::AssocType
        | NodeKind::AssocConst => "it belongs to the item that it is in",
        kind if kind.is_anonymous() => "it has no name; the impls of a type move with it",
        NodeKind::ExternCrate => "it is the name of a crate",
        NodeKind::Function if item.name == "main" && item.module_path.len() == 1 => {
            "a program begins with it"
        }
        _ if item.made => "a macro call makes it",
        _ => return Ok(()),
    };
    Err(refuse(reason.to_owned()))
}

/// The impls of these types in the same module.
fn impls_of(
    view: &Viewpoint,
    facts: &FileFacts,
    module_index: u32,
    types: &BTreeSet<NodeId>,
    id_of: &dyn Fn(u32) -> Option<NodeId>,
) -> Vec<u32> {
    let siblings = facts.items.iter().enumerate().skip(1);
    let impls = siblings
        .filter(|(_, item)| {
            item.kind == NodeKind::Impl && item.parent == module_index && !item.in_body
        })
        .filter_map(|(at, _)| Some((at as u32, id_of(at as u32)?)));
    let is_mine = |id: NodeId| view.self_type(id).is_some_and(|of| types.contains(&of));
    impls.into_iter().filter(|(_, id)| is_mine(*id)).map(|(at, _)| at).collect()
}
