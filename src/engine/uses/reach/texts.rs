//! What the texts of items add to the graph: places that no name stands for, and when code runs.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use rayon::prelude::*;

use super::graph::{Graph, Hit, How, Node, Role, Step, has_qualifier};
use super::sets::Members;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{FileItem, Queries};
use asof_syntax::{Hazard, HazardKind, Hazards};

/// A file with its places and items.
struct FileTexts {
    path: String,
    hazards: Hazards,
    items: Vec<FileItem>,
}

impl Graph {
    /// Adds the places in the texts of all bodies. Returns the files whose operators could not be
    /// read.
    pub fn read_places(
        &mut self,
        snapshot: &Snapshot<'_>,
        members: &Members,
    ) -> Result<Vec<String>, EngineError> {
        let mut unparsed = Vec::new();
        let indexes = Indexes::find(snapshot)?;
        for file in self.read_files(snapshot)? {
            for (hazard, owners) in file.owners() {
                let Some(set) = members.find_hazard(hazard.kind) else { continue };
                for owner in owners {
                    self.add_place(owner, set, hazard, &file, indexes);
                }
            }
            if file.hazards.is_partial {
                unparsed.push(file.path);
            }
        }
        Ok(unparsed)
    }

    fn add_place(
        &mut self,
        owner: NodeId,
        set: usize,
        hazard: &Hazard,
        file: &FileTexts,
        indexes: Indexes,
    ) {
        let number = self.numbers.get(&(owner, Role::Body)).copied();
        let Some(node) = number.and_then(|number| self.nodes.get_mut(number)) else { return };
        let mut step = Step::of_text(Some(hazard.line));
        let what = match hazard.kind {
            HazardKind::Unsafe => "unsafe",
            HazardKind::Indexing => "indexing",
            HazardKind::Arithmetic => "arithmetic",
        };
        step.condition = file.condition_within(owner, hazard).map(Into::into);
        // Of which type the operands are, the text alone does not say.
        let is_macro = node.item.as_ref().is_some_and(|item| item.kind == NodeKind::Macro);
        step.is_certain = !is_macro
            && match hazard.kind {
                HazardKind::Unsafe => true,
                HazardKind::Indexing => indexes == Indexes::OfLibraries,
                HazardKind::Arithmetic => false,
            };
        if hazard.kind != HazardKind::Unsafe && calls_impl(node, hazard, file, owner) {
            return;
        }
        node.hits.push(Hit { set, what: what.to_owned(), target: owner, step });
    }

    /// Leaves out what runs on other threads, and adds the `async` blocks of functions that are not
    /// `async`. Returns the nodes of `async` code.
    pub fn read_async_code(&mut self, snapshot: &Snapshot<'_>) -> Result<Vec<usize>, EngineError> {
        let mut found = Vec::new();
        for file in self.read_files(snapshot)? {
            for item in &file.items {
                let Some(number) = self.numbers.get(&(item.id, Role::Body)).copied() else {
                    continue;
                };
                let within = |ranges: &[Range<u32>]| -> Vec<Range<u32>> {
                    let own = |range: &&Range<u32>| {
                        item.start_byte <= range.start && range.end <= item.end_byte
                    };
                    let relative = |range: &Range<u32>| {
                        range.start - item.start_byte..range.end - item.start_byte
                    };
                    ranges.iter().filter(own).map(relative).collect()
                };
                let Some(node) = self.nodes.get_mut(number) else { continue };
                let elsewhere = within(&file.hazards.elsewhere);
                if !elsewhere.is_empty() {
                    keep_places(node, |byte| !elsewhere.iter().any(|range| range.contains(&byte)));
                }
                let is_async = |node: &Node| {
                    let signature = node.item.as_ref().map(|item| item.signature.as_str());
                    signature.is_some_and(|signature| has_qualifier(signature, "async"))
                };
                let bodies = within(&file.hazards.async_bodies);
                if is_async(node) {
                    found.push(number);
                } else if !bodies.is_empty() {
                    let mut blocks = node.clone();
                    blocks.role = Role::AsyncBlocks;
                    keep_places(&mut blocks, |byte| {
                        bodies.iter().any(|range| range.contains(&byte))
                    });
                    found.push(self.nodes.len());
                    self.numbers.insert((item.id, Role::AsyncBlocks), self.nodes.len());
                    self.nodes.push(blocks);
                }
            }
        }
        Ok(found)
    }

    /// The files of all bodies.
    fn read_files(&self, snapshot: &Snapshot<'_>) -> Result<Vec<FileTexts>, EngineError> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let items = self.nodes.iter().filter_map(|node| node.item.as_ref());
        let paths: BTreeSet<&String> = items.map(|item| &item.file_path).collect();
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let items = queries.file_items(path)?;
            files.push((path.clone(), snapshot.source_text(path)?.bytes, items));
        }
        let read = |(path, bytes, items): (String, std::sync::Arc<Vec<u8>>, Vec<FileItem>)| {
            let text = String::from_utf8_lossy(&bytes);
            let hazards = asof_syntax::with_large_stack(|| asof_syntax::hazards(&text));
            let nothing = Hazards { is_partial: true, ..Hazards::default() };
            FileTexts { path, hazards: hazards.unwrap_or(nothing), items }
        };
        Ok(files.into_par_iter().map(read).collect())
    }
}

impl FileTexts {
    /// Each place with the innermost items around it that have a body; several where a file is the body
    /// of several modules.
    fn owners(&self) -> Vec<(&Hazard, Vec<NodeId>)> {
        let mut bodies: Vec<&FileItem> =
            self.items.iter().filter(|item| has_body(item.kind)).collect();
        bodies.sort_by_key(|item| (item.start_byte, std::cmp::Reverse(item.end_byte)));
        let mut open: Vec<&FileItem> = Vec::new();
        let mut bodies = bodies.into_iter().peekable();
        let mut found = Vec::with_capacity(self.hazards.places.len());
        for hazard in &self.hazards.places {
            while let Some(next) = bodies.next_if(|item| item.start_byte <= hazard.start) {
                while open.last().is_some_and(|last| last.end_byte <= next.start_byte) {
                    open.pop();
                }
                open.push(next);
            }
            while open.last().is_some_and(|last| last.end_byte <= hazard.start) {
                open.pop();
            }
            let Some(innermost) = open.last() else { continue };
            let same = |item: &&&FileItem| {
                (item.start_byte, item.end_byte) == (innermost.start_byte, innermost.end_byte)
            };
            found.push((hazard, open.iter().rev().take_while(same).map(|item| item.id).collect()));
        }
        found
    }

    /// The condition of a place beside that of the item around it.
    fn condition_within(&self, owner: NodeId, hazard: &Hazard) -> Option<String> {
        let own = self.items.iter().find(|item| item.id == owner)?;
        let within = hazard.cfg.iter().filter(|(start, _)| *start > own.name_start);
        within.map(|(_, cfg)| cfg.clone()).reduce(|all, one| format!("all({all}, {one})"))
    }
}

/// Whose types an index may be of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Indexes {
    OfLibraries,
    /// A type of the workspace has an impl of `Index` or `IndexMut`.
    OfWorkspace,
}

impl Indexes {
    fn find(snapshot: &Snapshot<'_>) -> Result<Self, EngineError> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let used = queries.external_symbols_starting("std::ops::Index", 100)?;
        let ids: Vec<NodeId> = used.into_iter().map(|one| one.id).collect();
        let has_impl = !queries.overrides(&ids)?.is_empty();
        Ok(if has_impl { Self::OfWorkspace } else { Self::OfLibraries })
    }
}

/// Keeps the places whose byte, from the start of the item, is wanted, and the steps that have any.
fn keep_places(node: &mut Node, is_wanted: impl Fn(u32) -> bool) {
    let keep = |step: &mut Step| {
        step.places.retain(|(byte, _)| is_wanted(*byte));
        !step.places.is_empty()
    };
    node.edges.retain_mut(|edge| keep(&mut edge.step));
    node.hits.retain_mut(|hit| keep(&mut hit.step));
}

/// Whether an operator calls an impl of the workspace, to which an edge leads.
fn calls_impl(node: &Node, hazard: &Hazard, file: &FileTexts, owner: NodeId) -> bool {
    let Some(own) = file.items.iter().find(|item| item.id == owner) else { return false };
    let byte = hazard.start.saturating_sub(own.start_byte);
    node.edges.iter().any(|edge| {
        edge.step.how == How::Use(RefKind::Implicit)
            && edge.step.places.iter().any(|(at, _)| *at == byte)
    })
}

fn has_body(kind: NodeKind) -> bool {
    kind.has_body() || matches!(kind, NodeKind::Macro | NodeKind::MacroCall)
}

/// The lines where items begin, of those whose steps are shown.
pub(super) fn first_lines(
    queries: &Queries<'_>,
    ids: &[NodeId],
) -> Result<HashMap<NodeId, (u32, u32)>, EngineError> {
    let rows = queries.describe(ids)?;
    Ok(rows.into_iter().map(|row| (row.id, (row.start_line, row.name_line))).collect())
}
