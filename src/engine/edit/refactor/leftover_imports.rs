//! Finds the imports of a module that nothing needs any more when a text leaves it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::mention::{has_word, is_mentioned};
use super::relocate::children;
use crate::database::Snapshot;
use crate::edit::target::{Files, Halt, Loaded};
use crate::error::EngineError;
use asof_index::{PathMeaning, Place, Viewpoint};
use asof_model::{ByteRange, Header, NodeId, NodeKind, RefKind};
use asof_query::Queries;
use asof_refactor::{Pruned, imported_as, without_names};
use asof_syntax::Scan;

/// A text that leaves its module.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaving<'a> {
    pub file_path: &'a str,
    pub module: NodeId,
    /// The module in the facts of the file.
    pub module_index: u32,
    pub ranges: &'a [ByteRange],
    /// The items in it.
    pub ids: &'a BTreeSet<NodeId>,
}

/// An import in the facts of a file, and the names in it that nothing else needs.
#[derive(Debug)]
pub(super) struct Leftover {
    pub index: u32,
    pub names: BTreeSet<String>,
}

impl Leaving<'_> {
    /// Private imports whose names the text `needs`, and nothing else in the module and below it.
    pub(super) fn leftovers(
        &self,
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        needs: &dyn Fn(&str, &PathMeaning) -> bool,
    ) -> Result<Vec<Leftover>, Halt> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let mut other_texts = Vec::new();
        for path in self.files_below(view, &queries)? {
            let text = &files.loaded(snapshot, &path)?.text;
            if leads_out(text) {
                other_texts.push(text.clone());
            }
        }
        let rest = self.calls_of_rest(snapshot, &queries)?;
        let loaded = files.loaded(snapshot, self.file_path)?;
        let scan = Scan::new(&loaded.text);
        let facts = &loaded.facts;
        let everywhere = ByteRange::new(0, u32::MAX);
        let around = match self.module_index {
            0 => everywhere,
            at => facts.items.get(at as usize).map_or(everywhere, |item| item.span.bytes()),
        };
        // Names in a module below are others, unless it leads out of itself.
        let apart = children(facts, self.module_index).filter(|(_, item)| {
            let text = item.span.bytes().slice(&loaded.text);
            item.kind == NodeKind::Module && text.is_some_and(|text| !leads_out(text))
        });
        let apart: Vec<ByteRange> =
            apart.map(|(_, item)| item.span.bytes()).chain(self.ranges.iter().copied()).collect();
        let at = Place { module: self.module, is_new: false };
        let mut found = Vec::new();
        for (index, import) in children(facts, self.module_index) {
            let Header::Import { leaves } = &import.header else { continue };
            let leaves_too = self.ranges.iter().any(|range| range.covers(import.span.bytes()));
            if !import.visibility.is_empty() || leaves_too {
                continue;
            }
            let without_name = leaves.iter().filter(|leaf| leaf.name == "_").count();
            let mut names = BTreeSet::new();
            for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                // Which of several is meant, their name does not tell.
                let is_told_apart = leaf.name != "_" || without_name == 1;
                let meaning = view.meaning(at, &leaf.path.join("::"));
                if !is_told_apart || !needs(&leaf.name, &meaning) {
                    continue;
                }
                let is_named = leaf.name != "_"
                    && (is_mentioned(loaded, &scan, &leaf.name, around, &apart)
                        || other_texts.iter().any(|text| has_word(text, &leaf.name)));
                if is_named || may_be_trait(&meaning, view) && rest.may_call(&meaning, view) {
                    continue;
                }
                names.insert(leaf.name.clone());
            }
            if !names.is_empty() {
                found.push(Leftover { index, names });
            }
        }
        Ok(found)
    }

    /// What the rest of the file calls.
    fn calls_of_rest(
        &self,
        snapshot: &Snapshot<'_>,
        queries: &Queries<'_>,
    ) -> Result<Calls, EngineError> {
        let items = queries.file_items(self.file_path)?.into_iter().map(|item| item.id);
        let modules = queries.file_modules(self.file_path)?.into_iter().map(|module| module.id);
        let ids: Vec<NodeId> = items.chain(modules).filter(|id| !self.ids.contains(id)).collect();
        Calls::load(snapshot, queries, &ids)
    }

    /// Files of the modules in the module.
    fn files_below(
        &self,
        view: &Viewpoint,
        queries: &Queries<'_>,
    ) -> Result<BTreeSet<String>, EngineError> {
        let below = view.below(self.module);
        let files = queries.describe(&below)?.into_iter().map(|module| module.file_path);
        Ok(files.filter(|path| *path != self.file_path).collect())
    }
}

/// First bytes of names in the imports of a file.
pub(super) fn places(loaded: &Loaded, imports: Vec<Leftover>) -> BTreeSet<u32> {
    let mut bytes = BTreeSet::new();
    for Leftover { index, names } in imports {
        let Some(import) = loaded.facts.items.get(index as usize) else { continue };
        let text = import.span.bytes().slice(&loaded.text).unwrap_or_default();
        let start = import.span.start_byte;
        bytes.extend(imported_as(text, &names).into_iter().map(|byte| start + byte));
    }
    bytes
}

/// What is cut from an import: ranges of the file, or all of it.
#[derive(Debug)]
pub(super) enum Cut {
    Import(u32),
    Ranges(Vec<ByteRange>),
}

/// Cuts the names that begin at these bytes from the imports of a file, apart from those in a text
/// that is gone.
pub(super) fn cut_names(loaded: &Loaded, names: &BTreeSet<u32>, gone: &[ByteRange]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let imports = loaded.facts.items.iter().enumerate();
    for (at, import) in imports.filter(|(_, item)| item.kind == NodeKind::Import) {
        let range = import.span.bytes();
        let inside: BTreeSet<u32> =
            names.range(range.start..range.end).map(|byte| byte - range.start).collect();
        if inside.is_empty() || gone.iter().any(|gone| gone.covers(range)) {
            continue;
        }
        let text = range.slice(&loaded.text).unwrap_or_default();
        let absolute =
            |cut: Range<u32>| ByteRange::new(range.start + cut.start, range.start + cut.end);
        match without_names(text, &inside) {
            None => {}
            Some(Pruned::Nothing) => cuts.push(Cut::Import(at as u32)),
            Some(Pruned::Without(cut)) => {
                cuts.push(Cut::Ranges(cut.into_iter().map(absolute).collect()));
            }
        }
    }
    cuts
}

/// Whether the text of a module can name what is in a module around it.
fn leads_out(text: &str) -> bool {
    has_word(text, "super") || has_word(text, "crate")
}

/// What some items use, as far as it tells which traits they need.
#[derive(Debug)]
pub(super) struct Calls {
    targets: BTreeSet<NodeId>,
    outside: Vec<String>,
}

impl Calls {
    pub(super) fn load(
        snapshot: &Snapshot<'_>,
        queries: &Queries<'_>,
        ids: &[NodeId],
    ) -> Result<Self, EngineError> {
        let mut targets = BTreeSet::new();
        for uses in queries.uses_of(ids)? {
            // What an impl defines needs its trait by name only.
            let calls = uses.refs.iter().filter(|used| used.kind != RefKind::Overrides);
            targets.extend(calls.map(|used| used.target));
        }
        let list: Vec<NodeId> = targets.iter().copied().collect();
        let outside = Queries::external(snapshot.store(), &list)?;
        Ok(Self { targets, outside: outside.into_iter().map(|name| name.text).collect() })
    }

    /// Whether an item of the trait is called.
    pub(super) fn call(&self, meaning: &PathMeaning, view: &Viewpoint) -> bool {
        match meaning {
            PathMeaning::Items(ids) => self
                .targets
                .iter()
                .any(|target| view.trait_of(*target).is_some_and(|of| ids.contains(&of))),
            PathMeaning::Outside(path) => {
                let name = path.rsplit("::").next().unwrap_or_default();
                self.outside.iter().any(|text| text.rsplit("::").nth(1) == Some(name))
            }
            PathMeaning::Nothing => false,
        }
    }

    /// The same, or it cannot be told: a method is called on a receiver of unknown type.
    fn may_call(&self, meaning: &PathMeaning, view: &Viewpoint) -> bool {
        self.outside.iter().any(|text| text.starts_with('.'))
            || *meaning == PathMeaning::Nothing
            || self.call(meaning, view)
    }
}

/// Whether a path may mean a trait: of one from outside, its name is all that is known.
pub(super) fn may_be_trait(meaning: &PathMeaning, view: &Viewpoint) -> bool {
    match meaning {
        PathMeaning::Items(ids) => ids.iter().any(|id| view.kind(*id) == Some(NodeKind::Trait)),
        PathMeaning::Outside(path) => {
            path.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase))
        }
        PathMeaning::Nothing => false,
    }
}
