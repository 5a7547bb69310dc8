//! Finds imports of the old module that only the moved text needed.

use std::collections::BTreeSet;

use super::changes::Changes;
use super::destination::children;
use super::import_needs::Needed;
use super::mention::{has_word, is_mentioned};
use super::relocation::Relocation;
use super::subject::Subject;
use crate::database::Snapshot;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_index::{PathMeaning, Place, Viewpoint};
use asof_model::{ByteRange, Header, NodeId, NodeKind};
use asof_query::Queries;
use asof_refactor::{Pruned, without_names};
use asof_syntax::Scan;

impl Relocation<'_> {
    /// Takes the names out of the imports that nothing else needs.
    pub(super) fn remove_leftovers(
        &self,
        files: &mut Files,
        needed: &Needed,
        changes: &mut Changes,
    ) -> Result<(), Halt> {
        if needed.is_empty() {
            return Ok(());
        }
        let (view, subject) = (self.view, self.subject);
        let queries = self.queries();
        let others = other_files(view, &queries, subject)?;
        let mut other_texts = Vec::new();
        for path in &others {
            other_texts.push(files.loaded(self.snapshot, path)?.text.clone());
        }
        let rest = rest_of(self.snapshot, &queries, subject)?;
        let loaded = files.loaded(self.snapshot, &subject.file_path)?;
        let scan = Scan::new(&loaded.text);
        let facts = &loaded.facts;
        let everywhere = ByteRange::new(0, u32::MAX);
        let around = match subject.module_index {
            0 => everywhere,
            at => facts.items.get(at as usize).map_or(everywhere, |item| item.span.bytes()),
        };
        let gone: Vec<ByteRange> = subject.pieces.iter().map(|piece| piece.range).collect();
        let at = Place { module: subject.module, is_new: false };
        let mut unused = Vec::new();
        for (index, import) in children(facts, subject.module_index) {
            let Header::Import { leaves } = &import.header else { continue };
            if !import.visibility.is_empty() {
                continue;
            }
            let mut names = BTreeSet::new();
            for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                let meaning = view.meaning(at, &leaf.path.join("::"));
                let is_trait = needed.has_trait(&meaning);
                if !needed.names.contains(&leaf.name) && !is_trait {
                    continue;
                }
                let named = leaf.name != "_"
                    && (is_mentioned(loaded, &scan, &leaf.name, around, &gone)
                        || other_texts.iter().any(|text| has_word(text, &leaf.name)));
                if named || may_be_trait(&meaning, view) && rest.may_call(&meaning, view) {
                    continue;
                }
                names.insert(leaf.name.clone());
            }
            if !names.is_empty() {
                unused.push((index, names));
            }
        }
        for (index, names) in unused {
            let Some(import) = facts.items.get(index as usize) else { continue };
            let (start, end) = (import.span.start_byte, import.span.end_byte);
            let text = loaded.text.get(start as usize..end as usize).unwrap_or_default();
            let bytes = asof_refactor::imported_as(text, &names);
            match without_names(text, &bytes) {
                None => {}
                Some(Pruned::Nothing) => changes.drop_item(loaded, index),
                Some(Pruned::Without(ranges)) => {
                    for range in ranges {
                        let (from, to) = (start + range.start, start + range.end);
                        changes.replace(&subject.file_path, from, to, String::new());
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) fn may_be_trait(meaning: &PathMeaning, view: &Viewpoint) -> bool {
    match meaning {
        PathMeaning::Items(ids) => ids.iter().any(|id| view.kind(*id) == Some(NodeKind::Trait)),
        PathMeaning::Outside(path) => {
            path.rsplit("::").next().is_some_and(|name| name.starts_with(char::is_uppercase))
        }
        PathMeaning::Nothing => false,
    }
}

/// What the rest of the file of the old module calls.
struct Rest {
    targets: BTreeSet<NodeId>,
    outside: Vec<String>,
}

impl Rest {
    fn may_call(&self, of: &PathMeaning, view: &Viewpoint) -> bool {
        let unknown = self.outside.iter().any(|text| text.starts_with('.'));
        unknown
            || match of {
                PathMeaning::Items(ids) => self
                    .targets
                    .iter()
                    .any(|target| view.trait_of(*target).is_some_and(|of| ids.contains(&of))),
                PathMeaning::Outside(path) => {
                    let name = path.rsplit("::").next().unwrap_or_default();
                    let is = |text: &String| text.rsplit("::").nth(1) == Some(name);
                    self.outside.iter().any(is)
                }
                PathMeaning::Nothing => true,
            }
    }
}

fn rest_of(
    snapshot: &Snapshot<'_>,
    queries: &Queries<'_>,
    subject: &Subject,
) -> Result<Rest, EngineError> {
    let items = queries.file_items(&subject.file_path)?.into_iter().map(|item| item.id);
    let modules = queries.file_modules(&subject.file_path)?.into_iter().map(|module| module.id);
    let ids: Vec<NodeId> = items.chain(modules).filter(|id| !subject.ids.contains(id)).collect();
    let mut targets = BTreeSet::new();
    for uses in queries.uses_of(&ids)? {
        targets.extend(uses.refs.iter().map(|one| one.target));
    }
    let list: Vec<NodeId> = targets.iter().copied().collect();
    let outside = Queries::external(snapshot.store(), &list)?;
    Ok(Rest { targets, outside: outside.into_iter().map(|one| one.text).collect() })
}

/// Files of the modules in the old one.
fn other_files(
    view: &Viewpoint,
    queries: &Queries<'_>,
    subject: &Subject,
) -> Result<BTreeSet<String>, EngineError> {
    let below = view.below(subject.module);
    let files = queries.describe(&below)?.into_iter().map(|one| one.file_path);
    Ok(files.filter(|path| *path != subject.file_path).collect())
}
