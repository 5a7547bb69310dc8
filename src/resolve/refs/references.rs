//! Collects the references of files from those of their items.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::super::nowhere::OrNowhere;
use super::infer::{InferenceContext, NAME};
use super::item_index::ItemIndex;
use super::paths::{ResolvedName, Target};
use super::reads::{self, Reads};
use super::regions::Regions;
use super::rules::Rule;
use super::trace;
use super::types::{Def, Name};
use crate::ids::{ConditionId, FileId, InstanceId};
use asof_model::{
    Condition, FileUses, Flags, HashMap, Header, ItemUses, NodeId, NodeKind, Occurrence, RefKind,
    RefTarget, Reference,
};

/// Files whose references are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Source<'u> {
    /// Index into [`super::super::Input::files`].
    pub file: FileId,
    pub uses: &'u FileUses,
    /// Numbers of the items that are wanted; all if there are none.
    pub only: Option<&'u BTreeSet<u32>>,
}

/// What some items use.
#[derive(Debug, Default)]
pub struct References {
    /// Sorted, without duplicates.
    pub list: Vec<Reference>,
    /// What was read for each item, by the item that its text belongs to.
    pub reads: HashMap<NodeId, Reads>,
}

impl References {
    fn merge(mut self, more: References) -> References {
        self.list.extend(more.list);
        for (item, reads) in more.reads {
            self.reads.entry(item).or_default().add(reads);
        }
        self
    }
}

/// An item of a file as the body of a module.
pub(super) struct ItemOfFile<'u> {
    /// Number of the item that its text belongs to.
    pub owner: u32,
    pub item: &'u ItemUses,
    pub def: Def,
    /// Whether it is a module in a file of its own.
    pub is_declared: bool,
}

impl ItemIndex<'_> {
    /// The references of these files: sorted, without duplicates, the same for any number of
    /// threads. A file that is the body of several modules has the references of each.
    ///
    /// The references of an item depend on its own text, on the item trees of the workspace and on
    /// the packages, and on nothing else: not on other bodies, not on which other items are
    /// wanted. So after an edit that leaves all item trees unchanged, those of the changed
    /// items are enough. After a change of item trees, the references of an item can differ only if
    /// a name that was added, removed or changed is among [`FileUses::mentioned`] of its file, is
    /// that of an item of an impl in it, or is the name of something through whose type a
    /// mentioned name is reached. The first two are quick to check; to be exact, resolve all.
    pub fn references(&self, sources: &[Source<'_>]) -> Vec<Reference> {
        self.references_with_reads(sources).list
    }

    /// The same, with what was read for each item.
    pub fn references_with_reads(&self, sources: &[Source<'_>]) -> References {
        let span = tracing::debug_span!("references", files = sources.len());
        let _entered = span.enter();
        // Other threads do not know what is entered here.
        let of_file = |source: &Source<'_>| {
            let path = self.input().files.get(source.file).map_or("", |(path, _)| path);
            tracing::trace_span!(parent: &span, "file", path).in_scope(|| self.of_file(source))
        };
        let mut all =
            sources.par_iter().map(of_file).reduce(References::default, References::merge);
        all.list.par_sort_unstable();
        all.list.dedup();
        all
    }

    fn of_file(&self, source: &Source<'_>) -> References {
        let uses = source.uses;
        let names = self.names_of(uses);
        let mut all = References::default();
        for &instance in self.instances_of(source.file) {
            self.of_instance(source, &names, instance, &mut all);
        }
        all
    }

    fn of_instance(
        &self,
        source: &Source<'_>,
        names: &[Name],
        instance: InstanceId,
        all: &mut References,
    ) {
        let uses = source.uses;
        let index = self.index(instance);
        let regions = Regions::new(uses);
        let mut founds: Vec<(u32, ResolvedName)> = Vec::new();
        let mut caches: HashMap<(Def, Option<Def>), _> = HashMap::default();
        for ItemOfFile { owner, item, def, is_declared } in self.items_of(source, instance) {
            let (found, reads) = self.record_reads(def, || {
                let mut body = InferenceContext::new(self, uses, names, def);
                if let Some(name) = item.declares.filter(|_| is_declared) {
                    body.p.note(RefKind::Path, Target::Def(def), Rule::Path, name);
                }
                let scope = (body.p.scope, self.suite_of(def));
                body.p.cache = caches.remove(&scope).unwrap_or_default();
                body.item(def, item);
                for mention in uses.mentions(item.mentions) {
                    body.p.mention(mention.name, "", mention.at);
                }
                caches.insert(scope, std::mem::take(&mut body.p.cache));
                body.into_found()
            });
            if let Some(node) = index.get(owner as usize).and_then(|owner| self.node(*owner)) {
                all.reads.entry(node.id).or_default().add(reads);
            }
            founds.extend(found.map(|mut found| {
                if found.at == NAME {
                    found.at = item.span.start_byte;
                }
                found.region = regions.around(found.at);
                (owner, found)
            }));
        }
        founds.sort_unstable();
        founds.dedup();
        self.group((uses, &regions), index, &founds, &mut all.list);
    }

    /// Runs with what it reads recorded, as keys that are the same in every state.
    ///
    /// Impls are read through the types that they are for. Those for types of other crates are not
    /// recorded: another impl for one of them concerns those who mention what it names.
    fn record_reads<T>(&self, item: Def, run: impl FnOnce() -> T) -> (T, Reads) {
        let (result, recorder) = reads::record(run);
        let mut keys: Vec<u32> = Vec::with_capacity(recorder.defs.len() + recorder.names.len());
        keys.extend(recorder.is_cut.then_some(reads::ANYTHING));
        keys.extend((recorder.has_made && !recorder.has_unread).then_some(reads::MADE));
        keys.extend(recorder.words.into_iter().map(reads::word));
        let around: Vec<Def> = std::iter::successors(Some(item), |def| self.parent(*def)).collect();
        let is_kept = |def: &Def| self.kind(*def) != NodeKind::Impl || around.contains(def);
        for def in recorder.defs.into_iter().filter(is_kept) {
            for one in self.each_of(def).iter().filter(|one| !self.is_library(**one)) {
                let group = [*one].into_iter().chain(self.twins.others(*one));
                keys.extend(group.filter_map(|def| Some(Reads::definition(self.node(def)?.id))));
            }
        }
        let key = |(module, hash, from)| Some(reads::in_module(self.node(module)?.id, hash, from));
        keys.extend(recorder.names.into_iter().filter_map(key));
        (result, Reads::from_keys(keys))
    }

    /// The items of a file as the body of a module.
    pub(super) fn items_of<'u>(
        &self,
        source: &Source<'u>,
        instance: InstanceId,
    ) -> Vec<ItemOfFile<'u>> {
        let uses = source.uses;
        let index = self.index(instance);
        let parents = self.input().item_tree(instance);
        let mut all = Vec::with_capacity(uses.items.len());
        // The file's item is the module's, whose declaration may be elsewhere.
        for (at, item) in uses.items.iter().enumerate().skip(1) {
            // Fields and variants belong to the item that contains their text.
            let mut owner = at;
            while uses.items.get(owner).is_some_and(|item| !item.own_text) && owner > 0 {
                let parent = parents.get(owner).map(|item| item.parent);
                owner = parent.or_nowhere("what an item uses is beside the item") as usize;
            }
            let declared = parents
                .get(at)
                .filter(|item| matches!(item.header, Header::Module { inline: false, .. }));
            if let Some(item) = declared {
                // `mod m;` is text of the enclosing module.
                owner = item.parent as usize;
            }
            let owner = owner as u32;
            if source.only.is_none_or(|only| only.contains(&owner))
                && let Some(&def) = index.get(at)
            {
                all.push(ItemOfFile { owner, item, def, is_declared: declared.is_some() });
            }
        }
        all
    }

    fn group(
        &self,
        (uses, regions): (&FileUses, &Regions<'_>),
        index: &[Def],
        founds: &[(u32, ResolvedName)],
        all: &mut Vec<Reference>,
    ) {
        let same = |a: &(u32, ResolvedName), b: &(u32, ResolvedName)| {
            (a.0, a.1.kind, &a.1.target, a.1.rule, a.1.several, a.1.under, a.1.region)
                == (b.0, b.1.kind, &b.1.target, b.1.rule, b.1.several, b.1.under, b.1.region)
        };
        let mut known: HashMap<(ConditionId, ConditionId, u32), Option<Condition>> =
            HashMap::default();
        for chunk in founds.chunk_by(same) {
            let Some((owner, first)) = chunk.first() else { continue };
            let own = index.get(*owner as usize).and_then(|def| Some((*def, self.node(*def)?)));
            let (Some((owner, node)), Some(item)) = (own, uses.items.get(*owner as usize)) else {
                continue;
            };
            let key = (node.condition, first.under, first.region);
            let condition = known.entry(key).or_insert_with(|| {
                let conditions = self.conditions();
                let own = regions.condition(first.region).and(&self.condition(first.under));
                let source = conditions.get(node.condition);
                (source.and(&own) != *source).then_some(own)
            });
            let source = self.conditions().get(node.condition);
            if let Some(own) = &condition
                && (self.excludes_under(owner, &first.target, own) || is_nowhere(source, own))
            {
                trace::left_out(self, (uses, first), own);
                continue;
            }
            let target = match &first.target {
                Target::Def(def) if self.is_library(*def) => {
                    RefTarget::External(self.library_name(*def))
                }
                Target::Def(def) => match self.node(*def) {
                    Some(node) => RefTarget::Node(node.id),
                    None => continue,
                },
                Target::External(path) => RefTarget::External(path.to_string()),
                Target::Unknown(text) => RefTarget::Unknown(text.to_string()),
            };
            for (_, found) in chunk {
                trace::resolved(self, (uses, found), node, condition.as_ref());
            }
            all.push(Reference {
                source: node.id,
                kind: first.kind,
                target,
                provenance: first.rule.as_str(),
                confidence: first.rule.confidence(first.several as usize),
                condition: condition.as_ref().map(|condition| condition.to_string().into()),
                occurrences: chunk
                    .iter()
                    .map(|(_, found)| place(uses, item.span.start_byte, found.at))
                    .collect(),
            });
        }
    }
}

/// Whether no build has a part of a definition's text, though it may have the definition.
fn is_nowhere(source: &Condition, own: &Condition) -> bool {
    !source.is_never() && (own.is_never() || source.contradicts(own, Flags::All))
}

/// A byte of the file as a position in an item.
fn place(uses: &FileUses, start: u32, at: u32) -> Occurrence {
    let line = |byte: u32| uses.lines.partition_point(|first| *first <= byte).saturating_sub(1);
    let (from, to) = (line(start), line(at));
    let first = uses.lines.get(to).copied().unwrap_or(0);
    Occurrence {
        offset: at.saturating_sub(start),
        line: (to - from.min(to)) as u32,
        column: if from == to { at.saturating_sub(start) } else { at.saturating_sub(first) },
    }
}
