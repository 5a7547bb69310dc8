//! Collects the changes of a move.

use std::collections::{BTreeMap, BTreeSet};

use crate::edit::target::Loaded;
use asof_edit::FileView;
use asof_index::Viewpoint;
use asof_model::NodeId;
use asof_wire::{Doubt, PlaceToLookAt};

/// Bytes and their replacements.
pub(super) type Texts = BTreeMap<(u32, u32), String>;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// In the text that moves.
    pub inner: Texts,
    /// In the rest, by file.
    pub outer: BTreeMap<String, Texts>,
    /// Imports of the new module: what is written before them, and their paths.
    pub there: BTreeSet<(String, String)>,
    /// Macros of textual scope that the text calls, and first bytes of their names in it.
    pub textual_macros: BTreeSet<(NodeId, u32)>,
    /// Traits that the new module imports.
    pub traits: BTreeSet<NodeId>,
    /// Imports of other modules: their visibilities and paths.
    pub elsewhere: BTreeMap<NodeId, BTreeSet<(String, String)>>,
    /// Other items that the new module has to see.
    pub needed: BTreeSet<NodeId>,
    /// Modules that have to see an item that moves; none: everywhere.
    pub users: BTreeMap<NodeId, BTreeSet<Option<NodeId>>>,
    /// Modules that make values of a type by its fields.
    pub makers: BTreeMap<NodeId, BTreeSet<Option<NodeId>>>,
    /// Modules from which a path leads through the new module.
    pub passers: BTreeSet<NodeId>,
    /// The same, of those that see the old module, which is around the new one.
    pub near: BTreeSet<NodeId>,
    pub look_at: Vec<PlaceToLookAt>,
    pub warnings: Vec<String>,
}

impl Changes {
    pub(super) fn within(&mut self, start: u32, end: u32, text: String) {
        self.inner.insert((start, end), text);
    }

    pub(super) fn replace(&mut self, file_path: &str, start: u32, end: u32, text: String) {
        self.outer.entry(file_path.to_owned()).or_default().insert((start, end), text);
    }

    pub(super) fn import_there(&mut self, attributes: String, path: String) {
        self.there.insert((attributes, path));
    }

    pub(super) fn import(&mut self, module: NodeId, visibility: &str, path: String) {
        self.elsewhere.entry(module).or_default().insert((visibility.to_owned(), path));
    }

    pub(super) fn must_see(&mut self, item: NodeId) {
        self.needed.insert(item);
    }

    pub(super) fn subject_seen_by(&mut self, named: &BTreeSet<NodeId>, module: Option<NodeId>) {
        for id in named {
            self.is_seen_by(*id, module);
        }
    }

    /// Deletes an item of a file with its lines.
    pub(super) fn drop_item(&mut self, loaded: &Loaded, index: u32) {
        let path = loaded.facts.path.as_str();
        let file = FileView::new(path, &loaded.text, &loaded.facts);
        let deleted = asof_edit::delete(&file, index, 0);
        for splice in deleted.splices {
            self.replace(path, splice.start, splice.end, String::new());
        }
    }

    pub(super) fn is_seen_by(&mut self, item: NodeId, module: Option<NodeId>) {
        self.users.entry(item).or_default().insert(module);
    }

    /// A name of which it is not known how the new module can have it.
    pub(super) fn unknown(&mut self, loaded: &Loaded, byte: u32) {
        self.doubt(&loaded.facts.path, &loaded.text, byte, Doubt::Unresolved, 0.0, false);
    }

    pub(super) fn doubt(
        &mut self,
        file_path: &str,
        text: &str,
        byte: u32,
        reason: Doubt,
        confidence: f64,
        rewritten: bool,
    ) {
        self.look_at.push(PlaceToLookAt {
            file_path: file_path.to_owned(),
            line: asof_edit::line_of(text, byte),
            byte,
            reason,
            confidence,
            rewritten,
        });
    }

    /// Says what was made visible to more than before.
    pub(super) fn widened(&mut self, view: &Viewpoint, item: NodeId, visibility: &str) {
        let path = view.path(item).unwrap_or_default();
        self.warnings.push(format!("`{path}` becomes `{visibility}`"));
    }
}
