//! Resolves the names of texts that are not on disk, in memory, with the newest state of all other
//! files. Nothing is written.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::error::IndexError;
use super::load_state::{resolved_state, with_texts};
use super::memory::Memory;
use super::resolved_state::ResolvedState;
use super::state::State;
use super::threads::pool;
use asof_model::{FileFacts, NodeId, NodeKind, RefKind, RefTarget};
use asof_resolve::{Libraries, LocalFacts};
use asof_store::Store;
use asof_workspace::SourceFolders;

/// See the module.
#[allow(missing_debug_implementations)]
pub struct UnsavedTexts {
    state: Arc<ResolvedState>,
    outside: Arc<Libraries>,
}

/// The names of a text.
#[derive(Debug, Default)]
pub struct TextNames {
    /// By index of the item in its facts; a file that is the body of several modules has each item
    /// once for each.
    pub items: Vec<TextItem>,
    /// In no order.
    pub uses: Vec<TextUse>,
    pub targets: BTreeMap<NodeId, TextTarget>,
}

/// A definition in a text.
#[derive(Debug)]
pub struct TextItem {
    pub index: u32,
    pub id: NodeId,
    /// Id of the item around it.
    pub parent: NodeId,
    /// Canonical path; none for items without one.
    pub path: Option<String>,
}

/// A use in a text.
#[derive(Debug)]
pub struct TextUse {
    /// First byte.
    pub at: u32,
    pub kind: RefKind,
    /// In percent.
    pub confidence: u8,
    pub target: NodeId,
}

/// What is used.
#[derive(Debug)]
pub enum TextTarget {
    Item {
        kind: NodeKind,
        /// Canonical path, or the name of an item without one.
        path: String,
        file_path: Option<String>,
    },
    /// By full path.
    External(String),
    /// As written.
    Unknown(String),
}

impl UnsavedTexts {
    /// These texts in the place of those that were indexed last.
    ///
    /// # Errors
    /// If the state cannot be read, or sources of dependencies went away.
    pub fn load(
        store: &Store,
        root: &Path,
        texts: &[&FileFacts],
        memory: Option<&Memory>,
    ) -> Result<Self, IndexError> {
        let state = State::load_without_files(store)?;
        let before = resolved_state(store, &state, memory)?;
        let folders = SourceFolders::find(root);
        let files: Vec<_> =
            texts.iter().map(|facts| (&*facts.path, &*facts.path, *facts)).collect();
        let state = with_texts(&before, &files, &[], &folders, memory)?;
        let outside = Arc::clone(before.dependencies(&folders, None)?);
        Ok(Self { state, outside })
    }

    /// What inference finds out about one of the texts beside its references.
    ///
    /// # Errors
    /// If no thread can be made.
    pub fn local_facts(&self, facts: &FileFacts) -> Result<LocalFacts, IndexError> {
        Ok(self.state.local_facts(facts, &self.outside, &pool(Some(1))?))
    }

    /// The names of one of the texts.
    ///
    /// # Errors
    /// If no thread can be made.
    pub fn names(&self, facts: &FileFacts) -> Result<TextNames, IndexError> {
        let side = self.state.side();
        let mut found = TextNames::default();
        let Some(file) = side.number_of(&facts.path) else { return Ok(found) };
        let instances = side.tree.instances.iter_enumerated();
        for (number, _) in instances.filter(|(_, instance)| instance.file == file) {
            for index in 0..facts.items.len() as u32 {
                let Some(node) = side.assembly.node_of(number, index) else { continue };
                let parent = node.parent.and_then(|at| side.assembly.nodes.get(at));
                found.items.push(TextItem {
                    index,
                    id: node.id,
                    parent: parent.map_or(node.id, |parent| parent.id),
                    path: (!node.path.is_empty()).then(|| node.path.clone()),
                });
            }
        }
        let references = self.state.references_of(facts, &self.outside, &pool(Some(1))?);
        for one in references {
            let start = side.node(one.source).and_then(|node| {
                let start = facts.items.get(node.item as usize)?.span.start_byte;
                (side.path_of(node) == Some(&*facts.path)).then_some(start)
            });
            let Some(start) = start else { continue };
            let target = one.target.id();
            found.uses.extend(one.occurrences.iter().map(|place| TextUse {
                at: start.saturating_add(place.offset),
                kind: one.kind,
                confidence: one.confidence,
                target,
            }));
            found.targets.entry(target).or_insert_with(|| match one.target {
                RefTarget::External(path) => TextTarget::External(path),
                RefTarget::Unknown(text) => TextTarget::Unknown(text),
                RefTarget::Node(id) => match side.node(id) {
                    Some(node) => TextTarget::Item {
                        kind: node.kind,
                        path: if node.path.is_empty() { &node.name } else { &node.path }.clone(),
                        file_path: side.path_of(node).map(str::to_owned),
                    },
                    None => TextTarget::Unknown(String::new()),
                },
            });
        }
        Ok(found)
    }
}
