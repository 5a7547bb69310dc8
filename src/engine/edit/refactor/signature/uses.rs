//! Finds the calls of a function, and its other uses.

use std::collections::{BTreeMap, BTreeSet};

use super::found::Found;
use super::wish::Wish;
use crate::database::Snapshot;
use crate::edit::refactor::group::Group;
use crate::edit::refactor::other_files;
use crate::edit::refactor::uses::{self, Names, Place, REWRITTEN};
use crate::edit::target::{Files, Halt, Loaded};
use crate::error::EngineError;
use crate::items::{WrittenPaths, docs};
use asof_edit::line_of;
use asof_refactor::{
    Argument, Callee, DocPlace, From, Head, Meant, NewName, Remark, Role, Wanted, Writer, calls,
    recall, same_tokens,
};
use asof_syntax::Scan;
use asof_wire::{Doubt, Item};

/// Adds the changes of every call, and lists the other uses.
pub(super) fn change(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    item: &Item,
    wish: &Wish<'_>,
    include: Option<f64>,
    found: &mut Found,
) -> Result<(), Halt> {
    let least = include.unwrap_or(REWRITTEN);
    let new = NewName { bare: item.name.clone(), written: item.name.clone() };
    let names = Names { old: &item.name, new: &new, kind: item.kind, keep_old: false };
    let mut places = uses::places(snapshot, group, names)?;
    uses::unparsed(snapshot, names.old, &mut places)?;
    for place in uses::detached(snapshot, group)? {
        let (byte, line) = (place.byte, place.line);
        found.look_at(&place.file_path, byte, line, place.reason, place.confidence, true);
    }
    for used in docs::uses(snapshot, group, names.old)? {
        let text = &files.loaded(snapshot, &used.file_path)?.text;
        let behind = text.get(used.byte as usize + names.old.len()..).unwrap_or_default();
        let has_alias = behind.trim_start().starts_with("as ");
        if used.place == DocPlace::Code && (!used.imported || has_alias) {
            let (byte, line) = (used.byte, line_of(text, used.byte));
            let (path, confidence) = (&used.file_path, used.confidence);
            found.look_at(path, byte, line, Doubt::Documentation, confidence, false);
        }
    }
    let included = docs::included(snapshot, group, names.old)?;
    for place in other_files::places(snapshot, names.old)?.into_iter().chain(included) {
        let (byte, line) = (place.byte, place.line);
        found.look_at(&place.file_path, byte, line, place.reason, place.confidence, false);
    }
    let meant = group.meant(snapshot, item.kind)?;
    let mut paths = WrittenPaths::new(snapshot);
    for (path, places) in places {
        let loaded = files.loaded(snapshot, &path)?;
        let own = own_names(group, &path, loaded);
        let scan = Scan::new(&loaded.text);
        let writer = Writer::new(&loaded.text, &loaded.facts.uses);
        let file = File { path: &path, loaded, scan, writer, own, meant };
        file.change(places, wish, least, &mut paths, group, found)?;
    }
    Ok(())
}

/// First bytes of the names of the functions, where they are declared.
fn own_names(group: &Group, path: &str, loaded: &Loaded) -> BTreeSet<u32> {
    let scan = Scan::new(&loaded.text);
    let items = group.items.iter().filter(|item| item.file_path == path);
    items.filter_map(|item| Some(scan.word_at(item.name_start)?.0.start)).collect()
}

struct File<'a> {
    path: &'a str,
    loaded: &'a Loaded,
    scan: Scan<'a>,
    writer: Writer<'a>,
    own: BTreeSet<u32>,
    meant: Meant,
}

impl File<'_> {
    fn change(
        &self,
        places: BTreeMap<u32, Place>,
        wish: &Wish<'_>,
        least: f64,
        paths: &mut WrittenPaths<'_>,
        group: &Group,
        found: &mut Found,
    ) -> Result<(), EngineError> {
        let (named, wanted) = (wish.named, wish.wanted);
        let name = group.items.first().map(|item| item.name.as_str()).unwrap_or_default();
        // One name may be known by several bytes: `r#name`.
        let mut by_name: BTreeMap<u32, (Place, &str)> = BTreeMap::new();
        for (byte, place) in places {
            let Some((token, word)) = self.scan.word_at(byte) else { continue };
            if word.is_empty() {
                self.in_text(byte, name, place, paths, group, found)?;
                continue;
            }
            let there = by_name.entry(token.start).or_insert((place, word));
            if there.0.confidence < place.confidence {
                *there = (place, word);
            }
        }
        by_name.retain(|at, (place, word)| {
            // What a macro call makes is not written at it.
            let is_macro = *word != name && self.follows(*at, b'!');
            let is_meant = place.confidence > 0.0
                || uses::may_be_meant(self.loaded, &self.writer, *at, self.meant);
            !self.own.contains(at) && !place.is_import && !is_macro && is_meant
        });
        let names: BTreeSet<u32> = by_name.keys().copied().collect();
        let calls = calls(&self.loaded.text, &names);
        for (at, (place, _)) in by_name {
            let sure = place.confidence >= least;
            let Some(call) = calls.get(&at) else {
                self.not_called(at, place, sure, named, found);
                continue;
            };
            if !sure {
                if fits(call.list.items.len(), call.is_method, named) {
                    self.look_at(at, place.doubt, place.confidence, false, found);
                }
                continue;
            }
            let is_own = call.around.function.is_some_and(|at| self.own.contains(&at));
            let callee = Callee {
                wanted,
                has_receiver: named.has_receiver,
                params: named.params.len(),
                loses_generics: loses_generics(named, wanted),
                is_own,
            };
            let recalled = recall(&self.loaded.text, call, callee);
            let rewritten = !recalled.cuts.is_empty();
            if place.confidence < 1.0 {
                self.look_at(at, place.doubt, place.confidence, rewritten, found);
            }
            for (byte, remark) in recalled.remarks {
                self.look_at(byte, doubt(remark), place.confidence, rewritten, found);
            }
            found.change(self.path, recalled.cuts);
        }
        Ok(())
    }

    /// A name that is not that of a call in code.
    fn not_called(&self, at: u32, place: Place, sure: bool, named: &Head, found: &mut Found) {
        // A field is no function, and a call with other arguments is that of another one.
        if place.role == Role::Field || !sure && !self.may_be_called(at, named) {
            return;
        }
        let is_unread = matches!(
            place.doubt,
            Doubt::MacroRules | Doubt::Expansion | Doubt::Unparsed | Doubt::Tokens
        );
        let reason = if self.loaded.facts.partial {
            Doubt::Unparsed
        } else if is_unread && place.confidence < 1.0 {
            place.doubt
        } else if self.follows(at, b'(') {
            Doubt::Tokens
        } else if sure {
            Doubt::Value
        } else {
            place.doubt
        };
        self.look_at(at, reason, place.confidence, false, found);
    }

    /// A name in a literal: of an attribute that takes a path, or a mere text.
    fn in_text(
        &self,
        byte: u32,
        name: &str,
        place: Place,
        paths: &mut WrittenPaths<'_>,
        group: &Group,
        found: &mut Found,
    ) -> Result<(), EngineError> {
        let Loaded { text, facts, .. } = self.loaded;
        let means = place.confidence >= 1.0
            || uses::is_in_attribute(facts, text, byte)
                && match self.writer.path_in_literal(byte, name) {
                    Some(path) => paths.mean(self.path, byte, &path, &group.ids)?,
                    None => false,
                };
        if means {
            self.look_at(byte, Doubt::Value, 1.0, false, found);
        }
        Ok(())
    }

    /// Whether what is written behind a name may be the arguments of the function.
    fn may_be_called(&self, at: u32, named: &Head) -> bool {
        let Some((token, _)) = self.scan.word_at(at) else { return false };
        let is_method = self.scan.token_before(token.start).is_some_and(|(_, byte)| byte == b'.');
        let count = self.scan.token_behind(token.end).filter(|(_, byte)| *byte == b'(').and_then(
            |(open, _)| {
                let end = self.scan.call_at(at).end.saturating_sub(1);
                Argument::count(self.loaded.text.get(open.end as usize..end as usize)?)
            },
        );
        count.is_none_or(|count| fits(count, is_method, named))
    }

    /// Whether a byte follows the name at a byte, and generic arguments, if there are some.
    fn follows(&self, at: u32, wanted: u8) -> bool {
        let Some((token, _)) = self.scan.word_at(at) else { return false };
        let end = self.scan.call_at(at).end;
        let behind = self.loaded.text.get(token.end as usize..end as usize).unwrap_or_default();
        match wanted {
            b'(' => behind.ends_with(')'),
            _ => self.scan.token_behind(token.end).is_some_and(|(_, byte)| byte == wanted),
        }
    }

    fn look_at(&self, at: u32, reason: Doubt, confidence: f64, rewritten: bool, found: &mut Found) {
        let line = line_of(&self.loaded.text, at);
        found.look_at(self.path, at, line, reason, confidence, rewritten);
    }
}

/// Whether a call has as many arguments as the function has parameters: others mean something else.
fn fits(arguments: usize, is_method: bool, named: &Head) -> bool {
    let front = usize::from(named.has_receiver && !is_method);
    arguments == named.params.len() + front && (named.has_receiver || !is_method)
}

/// Whether a type parameter is in no type of a parameter any more.
pub(super) fn loses_generics(named: &Head, wanted: &Wanted) -> bool {
    let mut lost = BTreeSet::new();
    let mut stay = BTreeSet::new();
    let mut types = Vec::new();
    for at in &wanted.removed {
        lost.extend(named.params.get(*at).iter().flat_map(|one| &one.generics));
    }
    for param in &wanted.params {
        let old = param.place().and_then(|at| named.params.get(at));
        let generics = old.iter().flat_map(|one| &one.generics);
        match (&param.ty, &param.from) {
            (Some(ty), _) => {
                lost.extend(generics);
                types.push(ty);
            }
            (None, From::New { ty, .. }) => types.push(ty),
            (None, From::Old(_)) => stay.extend(generics),
        }
    }
    let has = |ty: &&String, name: &str| {
        ty.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| same_tokens(word, name))
    };
    lost.iter().any(|name| !stay.contains(*name) && !types.iter().any(|ty| has(ty, name)))
}

fn doubt(remark: Remark) -> Doubt {
    match remark {
        Remark::Arguments => Doubt::Arguments,
        Remark::Evaluation => Doubt::Evaluation,
        Remark::Inference => Doubt::Inference,
        Remark::Retyped | Remark::Result => Doubt::Retyped,
        Remark::NotAsync => Doubt::NotAsync,
        Remark::Recursion => Doubt::Recursion,
        Remark::NotAwaited => Doubt::NotAwaited,
        Remark::Unsafe => Doubt::Unsafe,
        Remark::Const => Doubt::Const,
    }
}
