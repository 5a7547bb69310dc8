//! A move: what goes where. The files beside this one say what follows from it.

use super::changes::Changes;
use super::destination::Destination;
use super::refuse::Refuse;
use super::subject::Subject;
use super::text::{Style, path_from};
use crate::database::Snapshot;
use asof_index::Viewpoint;
use asof_model::NodeId;
use asof_query::Queries;

/// See the module.
#[derive(Clone, Copy)]
pub(super) struct Relocation<'a> {
    pub snapshot: &'a Snapshot<'a>,
    pub view: &'a Viewpoint,
    pub subject: &'a Subject,
    pub to: &'a Destination,
    /// Uses with at least this confidence are rewritten.
    pub least: f64,
    pub refuse: &'a Refuse<'a>,
    /// Of the edit in its request.
    pub number: usize,
}

impl<'a> Relocation<'a> {
    pub(super) fn queries(&self) -> Queries<'a> {
        Queries::at(self.snapshot.store(), self.snapshot.at)
    }

    /// Whether a module is the one that something moves to.
    pub(super) fn is_there(&self, module: NodeId) -> bool {
        module == self.to.place.module && !self.to.place.is_new
    }

    /// Whether a place moves.
    pub(super) fn moves(&self, file_path: &str, byte: u32, module: NodeId) -> bool {
        self.subject.holds(file_path, byte)
            || self.subject.is_module() && self.subject.ids.contains(&module)
    }

    /// Path of a module that moves, or of the module that what moves goes to.
    pub(super) fn path_there(&self, path: &str) -> String {
        let own = self.subject.items.first().and_then(|item| item.path.as_deref());
        let behind = own.filter(|_| self.subject.is_module());
        match behind.and_then(|own| path.strip_prefix(own)) {
            Some(rest) => format!("{}::{}{rest}", self.to.path, self.subject.name()),
            None => self.to.path.clone(),
        }
    }

    /// A canonical path as code in the new module writes it.
    pub(super) fn written_there(&self, path: &str, style: Style) -> String {
        path_from(self.view, &self.to.path, self.to.place, path, style)
    }

    /// Replaces a text, where it is or in what is carried.
    pub(super) fn put(
        &self,
        file_path: &str,
        start: u32,
        end: u32,
        text: String,
        changes: &mut Changes,
    ) {
        if self.subject.holds(file_path, start) {
            changes.within(start, end, text)
        } else {
            changes.replace(file_path, start, end, text)
        }
    }
}
