//! What is in files, read level by level for many files at once: the queries about one file or one item
//! find each place anew.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::identities::{ById, Ids};
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::{ItemFacts, Queries, StoredPlace, StoredUse};

/// What is in a file.
#[derive(Debug, Default)]
pub(crate) struct FileRows {
    /// By their places in the text, an item before those in it. What a module with a file of its own
    /// has is not among them.
    pub items: Vec<FileRow>,
    /// Of what the file is the body of, and of the items.
    pub uses: Vec<UsesFrom>,
}

/// An item in a file.
#[derive(Debug)]
pub(crate) struct FileRow {
    pub id: NodeId,
    pub kind: NodeKind,
    pub name: String,
    pub start_byte: u32,
    pub end_byte: u32,
    pub name_start: u32,
    /// Whether it has a text of its own.
    pub has_text: bool,
}

/// Where an item is in its file: lines from 1, bytes from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemPlace {
    pub start_line: u32,
    pub name_start: u32,
    pub name_line: u32,
}

impl ItemPlace {
    /// That of a module that is a file.
    pub const FILE: Self = Self { start_line: 1, name_start: 0, name_line: 1 };
}

/// What an item uses. Its places count from `start_byte`.
#[derive(Debug)]
pub(crate) struct UsesFrom {
    pub source: NodeId,
    pub start_byte: u32,
    pub refs: Vec<StoredUse>,
}

/// Several files.
#[derive(Debug, Default)]
pub(crate) struct ReadFiles {
    pub files: BTreeMap<String, FileRows>,
    /// Of the items in them.
    pub facts: Vec<ItemFacts>,
    /// Of those that are no files of their own.
    pub places: ById<ItemPlace>,
}

/// Where the coordinates of a container begin: bytes from 0, lines from 1.
#[derive(Debug, Clone)]
struct Frame {
    file: Rc<str>,
    byte: u32,
    line: u32,
}

/// Reads what is in files.
///
/// # Errors
/// The store failed.
pub(super) fn read_files(
    queries: &Queries<'_>,
    paths: &[&String],
) -> Result<ReadFiles, EngineError> {
    let mut found = ReadFiles::default();
    let mut frames: ById<Frame> = BTreeMap::new();
    for path in paths {
        found.files.insert((*path).clone(), FileRows::default());
    }
    for root in queries.file_roots(paths)? {
        frames.insert(root.id, Frame { file: root.file_path.into(), byte: 0, line: 1 });
    }
    let mut open: Vec<NodeId> = frames.keys().copied().collect();
    while !open.is_empty() {
        let mut level: ById<(Frame, StoredPlace)> = BTreeMap::new();
        for row in queries.places(&std::mem::take(&mut open))? {
            let Some(above) = frames.get(&row.owner_id) else { continue };
            level.extend(row.children.into_iter().map(|place| (place.id, (above.clone(), place))));
        }
        let facts = queries.item_facts(&level.keys().copied().collect::<Vec<_>>())?;
        let is_module = |one: &&ItemFacts| one.kind == NodeKind::Module;
        let modules = facts.iter().filter(is_module).map(|one| one.id);
        let modules: Vec<NodeId> = modules.collect();
        let elsewhere: Ids = queries.own_files(&modules)?.into_iter().collect();
        for facts in facts {
            let Some((above, place)) = level.remove(&facts.id) else { continue };
            let frame = Frame {
                file: Rc::clone(&above.file),
                byte: above.byte + place.start_byte,
                line: above.line + place.start_line,
            };
            let row = FileRow {
                id: facts.id,
                kind: facts.kind,
                name: facts.name.clone(),
                start_byte: frame.byte,
                end_byte: above.byte + place.end_byte,
                name_start: frame.byte + place.name_start,
                has_text: place.text_hash.is_some(),
            };
            found.facts.push(facts);
            if !elsewhere.contains(&row.id) {
                let place = ItemPlace {
                    start_line: frame.line,
                    name_start: row.name_start,
                    name_line: frame.line + place.name_line,
                };
                found.places.insert(row.id, place);
                open.push(row.id);
                frames.insert(row.id, frame);
            }
            if let Some(file) = found.files.get_mut(&*above.file) {
                file.items.push(row);
            }
        }
    }
    for file in found.files.values_mut() {
        file.items.sort_by_key(|row| (row.start_byte, std::cmp::Reverse(row.end_byte), row.id));
    }
    for row in queries.item_uses(&frames.keys().copied().collect::<Vec<_>>())? {
        let Some(frame) = frames.get(&row.source) else { continue };
        if let Some(file) = found.files.get_mut(&*frame.file) {
            file.uses.push(UsesFrom { source: row.source, start_byte: frame.byte, refs: row.refs });
        }
    }
    for file in found.files.values_mut() {
        file.uses.sort_by_key(|uses| (uses.start_byte, uses.source));
    }
    Ok(found)
}
