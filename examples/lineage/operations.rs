//! Operations on a crate, with what is true of them.

use std::collections::BTreeSet;

use asof::model::NodeKind;

use crate::code::{
    Files, Key, Pool, edited, facts, find, is_statement, items, parses, replace_word, splice,
    text_of, tokens,
};
use crate::rng::Rng;

/// What was done to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    Rename,
    Move,
    MoveType,
    MoveFile,
    MoveEdit20,
    MoveEdit40,
    RenameEdit20,
    MoveRenameEdit20,
    Split,
    Merge,
    Signature,
    Body,
    Add,
    Delete,
}

pub const ALL: &[(Op, usize)] = &[
    (Op::Rename, 5),
    (Op::Move, 5),
    (Op::MoveType, 2),
    (Op::MoveFile, 1),
    (Op::MoveEdit20, 5),
    (Op::MoveEdit40, 5),
    (Op::RenameEdit20, 3),
    (Op::MoveRenameEdit20, 2),
    (Op::Split, 3),
    (Op::Merge, 3),
    (Op::Signature, 3),
    (Op::Body, 4),
    (Op::Add, 5),
    (Op::Delete, 5),
];

/// A claim about one item across a commit.
#[derive(Debug, Clone)]
pub struct Truth {
    pub op: Op,
    /// What it was; none if it is new. Of a split, the item that it was a part of.
    pub old: Option<Key>,
    /// What it is; none if it is gone. Of a merge, the item that it went into.
    pub new: Option<Key>,
}

/// What an operation may touch.
pub struct Scene<'a> {
    pub files: &'a mut Files,
    /// Functions of another crate, to add.
    pub donors: &'a [String],
    pub pool: &'a Pool,
    /// Items that an operation of this commit touched.
    pub used: BTreeSet<Key>,
    pub serial: &'a mut usize,
}

impl Scene<'_> {
    /// Does it to some item; what is true then. `None`: it found nothing to work on.
    pub fn apply(&mut self, op: Op, rng: &mut Rng) -> Option<Vec<Truth>> {
        let saved = self.files.clone();
        let used = self.used.clone();
        let done = match op {
            Op::Rename => self.rename(rng, None),
            Op::RenameEdit20 => self.rename(rng, Some((0.05, 0.20))),
            Op::Move => self.relocate(op, rng, None, false),
            Op::MoveEdit20 => self.relocate(op, rng, Some((0.05, 0.20)), false),
            Op::MoveEdit40 => self.relocate(op, rng, Some((0.20, 0.40)), false),
            Op::MoveRenameEdit20 => self.relocate(op, rng, Some((0.05, 0.20)), true),
            Op::MoveType => self.move_type(rng),
            Op::MoveFile => self.move_file(rng),
            Op::Split => self.split(rng),
            Op::Merge => self.merge(rng),
            Op::Signature => self.signature(rng),
            Op::Body => self.body(rng),
            Op::Add => self.add(rng),
            Op::Delete => self.delete(rng),
        };
        let whole = self
            .files
            .iter()
            .all(|(path, text)| saved.get(path) == Some(text) || parses(path, text));
        if done.is_none() || !whole {
            *self.files = saved;
            self.used = used;
            return None;
        }
        done
    }

    fn fresh(&mut self, stem: &str) -> String {
        *self.serial += 1;
        let upper = stem.starts_with(|c: char| c.is_ascii_uppercase());
        let shout = stem.chars().all(|c| !c.is_ascii_lowercase());
        match (upper, shout) {
            (true, true) => format!("{stem}_N{}", self.serial),
            (true, false) => {
                format!("Fresh{}{}", self.serial, stem.chars().take(3).collect::<String>())
            }
            _ => format!("fresh{}_{}", self.serial, stem.chars().take(3).collect::<String>()),
        }
    }

    /// An item that no operation touched, of this sort.
    fn choose(
        &mut self,
        rng: &mut Rng,
        fits: impl Fn(&asof::model::ItemFacts, &str) -> bool,
    ) -> Option<(Key, asof::model::ItemFacts)> {
        let paths: Vec<String> =
            self.files.keys().filter(|p| p.contains("src/")).cloned().collect();
        for _ in 0..40 {
            let file = rng.pick(&paths)?;
            let text = self.files.get(file)?;
            let found: Vec<_> = items(file, text)
                .into_iter()
                .filter(|(key, item)| {
                    !self.used.contains(key) && fits(item, text_of(self.files, file, item))
                })
                .collect();
            if let Some((key, item)) = rng.pick(&found) {
                self.used.insert(key.clone());
                return Some((key.clone(), item.clone()));
            }
        }
        None
    }

    fn other_file(&mut self, rng: &mut Rng, key: &Key) -> Option<String> {
        let home = key.file.rsplit_once("src/").map_or("", |(home, _)| home).to_owned();
        let fits = |path: &&String| {
            **path != key.file
                && path.starts_with(&home)
                && path.contains("src/")
                && !self
                    .files
                    .get(*path)
                    .is_some_and(|t| items(path, t).iter().any(|(k, _)| k.name == key.name))
        };
        let paths: Vec<String> = self.files.keys().filter(fits).cloned().collect();
        rng.pick(&paths).cloned()
    }

    fn append(&mut self, file: &str, text: &str) {
        if let Some(all) = self.files.get_mut(file) {
            if !all.ends_with('\n') {
                all.push('\n');
            }
            all.push_str(&format!("\n{text}\n"));
        }
    }

    fn cut(&mut self, file: &str, start: u32, end: u32) {
        splice(self.files, file, start, end, "");
    }

    /// Names that only one item of the crate has, and that are no method of the library.
    fn is_unique(&self, name: &str) -> bool {
        let all = self.files.iter().flat_map(|(path, text)| facts(path, text).items);
        name.len() > 4 && all.filter(|item| item.name == name).count() == 1
    }

    fn rename(&mut self, rng: &mut Rng, edit: Option<(f64, f64)>) -> Option<Vec<Truth>> {
        let (key, item) = self.choose(rng, |item, text| match edit {
            Some(_) => {
                is_free_code(item) || item.kind == NodeKind::Method && tokens(text).len() >= 30
            }
            None => true,
        })?;
        if !self.is_unique(&key.name) {
            return None;
        }
        let inside: Vec<Key> = self.members(&key);
        let name = self.fresh(&key.name);
        let mut text = text_of(self.files, &key.file, &item).to_owned();
        if let Some((from, to)) = edit {
            text = self.pool.edit(&text, from, to, rng)?;
            if !tokens(&text).contains(&key.name.as_str()) {
                return None;
            }
        }
        splice(self.files, &key.file, item.span.start_byte, item.span.end_byte, &text);
        for all in self.files.values_mut() {
            if all.contains(&key.name) {
                *all = replace_word(all, &key.name, &name);
            }
        }
        let op = if edit.is_some() { Op::RenameEdit20 } else { Op::Rename };
        let new = Key { name, ..key.clone() };
        self.used.insert(new.clone());
        let mut truths = vec![Truth { op, old: Some(key), new: Some(new) }];
        truths.extend(inside.into_iter().map(|k| Truth { op, old: Some(k.clone()), new: Some(k) }));
        Some(truths)
    }

    /// Methods of a type or trait, in its file.
    fn members(&mut self, key: &Key) -> Vec<Key> {
        let Some(text) = self.files.get(&key.file) else { return Vec::new() };
        let file = facts(&key.file, text);
        let of = |at: u32| -> bool {
            let Some(holder) = file.items.get(at as usize) else { return false };
            match &holder.header {
                asof::model::Header::Impl { self_type, .. } => {
                    self_type.path.last() == Some(&key.name)
                }
                _ => {
                    holder.kind == NodeKind::Trait && holder.name == key.name && key.kind == "trait"
                }
            }
        };
        let inside: BTreeSet<u32> =
            file.items.iter().skip(1).filter(|i| of(i.parent)).map(|i| i.span.start_byte).collect();
        let found: Vec<Key> = items(&key.file, text)
            .into_iter()
            .filter(|(_, item)| inside.contains(&item.span.start_byte))
            .map(|(key, _)| key)
            .collect();
        self.used.extend(found.iter().cloned());
        found
    }

    fn relocate(
        &mut self,
        op: Op,
        rng: &mut Rng,
        edit: Option<(f64, f64)>,
        rename: bool,
    ) -> Option<Vec<Truth>> {
        let (key, item) = self.choose(rng, |item, text| match edit {
            Some(_) => is_free_code(item) && tokens(text).len() >= 20,
            None => is_free(item),
        })?;
        if matches!(item.kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Trait)
            && !self.members(&key).is_empty()
        {
            return None;
        }
        let to = self.other_file(rng, &key)?;
        let old = text_of(self.files, &key.file, &item).to_owned();
        let mut text = old.clone();
        if let Some((from, most)) = edit {
            text = self.pool.edit(&text, from, most, rng)?;
        }
        let name = if rename { self.fresh(&key.name) } else { key.name.clone() };
        text = replace_word(&text, &key.name, &name);
        if let Some((from, most)) = edit {
            let share = edited(&old, &replace_word(&text, &name, &key.name));
            if share < from || share > most {
                return None;
            }
        }
        self.cut(&key.file, item.span.start_byte, item.span.end_byte);
        self.append(&to, &text);
        let new = Key { file: to, name, ..key.clone() };
        self.used.insert(new.clone());
        Some(vec![Truth { op, old: Some(key), new: Some(new) }])
    }

    /// A type with its impls.
    fn move_type(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) = self.choose(rng, |item, _| {
            is_free(item) && matches!(item.kind, NodeKind::Struct | NodeKind::Enum)
        })?;
        let to = self.other_file(rng, &key)?;
        let mut members = self.members(&key);
        let text = self.files.get(&key.file)?;
        let file = facts(&key.file, text);
        let mut spans = vec![(item.span.start_byte, item.span.end_byte)];
        for other in &file.items {
            if let asof::model::Header::Impl { self_type, .. } = &other.header
                && self_type.path == [key.name.clone()]
                && other.parent == 0
            {
                spans.push((other.span.start_byte, other.span.end_byte));
            }
        }
        let inside: BTreeSet<Key> = items(&key.file, text)
            .into_iter()
            .filter(|(_, i)| {
                spans.iter().any(|s| s.0 <= i.span.start_byte && i.span.end_byte <= s.1)
            })
            .map(|(key, _)| key)
            .collect();
        members.retain(|key| inside.contains(key));
        let target = self.files.get(&to)?;
        let taken: BTreeSet<(&str, String)> =
            items(&to, target).into_iter().map(|(k, _)| (k.kind, k.name)).collect();
        if members.iter().any(|k| taken.contains(&(k.kind, k.name.clone()))) {
            return None;
        }
        spans.sort_unstable();
        let parts: Vec<String> =
            spans.iter().map(|(from, to)| text[*from as usize..*to as usize].to_owned()).collect();
        for (from, end) in spans.iter().rev() {
            self.cut(&key.file, *from, *end);
        }
        self.append(&to, &parts.join("\n\n"));
        let keys = std::iter::once(key).chain(members);
        let truths: Vec<Truth> = keys
            .map(|old| Truth {
                op: Op::MoveType,
                new: Some(Key { file: to.clone(), ..old.clone() }),
                old: Some(old),
            })
            .collect();
        self.used.extend(truths.iter().filter_map(|t| t.new.clone()));
        Some(truths)
    }

    /// A module's file under another name.
    fn move_file(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let plain = |path: &&String| {
            path.contains("src/")
                && !["lib.rs", "main.rs", "mod.rs"].iter().any(|end| path.ends_with(end))
                && !self
                    .files
                    .keys()
                    .any(|other| other.starts_with(&format!("{}/", path.trim_end_matches(".rs"))))
                && !self.used.iter().any(|key| key.file == **path)
        };
        let paths: Vec<String> = self.files.keys().filter(plain).cloned().collect();
        let path = rng.pick(&paths)?.clone();
        let (folder, name) = path.trim_end_matches(".rs").rsplit_once('/')?;
        let declared = |path: &&String, text: &String| {
            path.rsplit_once('/').is_some_and(|(f, _)| f == folder)
                && text.contains(&format!("mod {name};"))
        };
        let holder = self.files.iter().find(|(path, text)| declared(path, text))?.0.clone();
        let new_name = self.fresh(name);
        let to = format!("{folder}/{new_name}.rs");
        let moved: Vec<Key> =
            items(&path, self.files.get(&path)?).into_iter().map(|(k, _)| k).collect();
        let text = self.files.remove(&path)?;
        self.files.insert(to.clone(), text);
        let holder = self.files.get_mut(&holder)?;
        *holder = holder.replace(&format!("mod {name};"), &format!("mod {new_name};"));
        let truths: Vec<Truth> = moved
            .into_iter()
            .map(|old| Truth {
                op: Op::MoveFile,
                new: Some(Key { file: to.clone(), ..old.clone() }),
                old: Some(old),
            })
            .collect();
        for key in truths.iter().flat_map(|t| [&t.old, &t.new]).flatten() {
            self.used.insert(key.clone());
        }
        Some(truths)
    }

    fn split(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let statements = |text: &str| text.lines().filter(|l| is_statement(l.trim())).count();
        let (key, item) = self.choose(rng, |item, text| {
            item.kind == NodeKind::Function && is_free(item) && statements(text) >= 6
        })?;
        let text = text_of(self.files, &key.file, &item).to_owned();
        let lines: Vec<&str> = text.lines().collect();
        // The longest run of whole statements, at most two thirds of the function.
        let mut best = (0, 0);
        let mut from = None;
        for at in 1..=lines.len() {
            let whole = lines.get(at).is_some_and(|l| is_statement(l.trim()));
            match (whole, from) {
                (true, None) => from = Some(at),
                (false, Some(start)) => {
                    if at - start > best.1 - best.0 {
                        best = (start, at);
                    }
                    from = None;
                }
                _ => {}
            }
        }
        let (start, end) = best;
        if end - start < 4 || 3 * (end - start) > 2 * lines.len() {
            return None;
        }
        let name = self.fresh(&key.name);
        let part = lines[start..end].join("\n");
        if tokens(&part).len() < 25 {
            return None;
        }
        let rest =
            [&lines[..start], &[&*format!("    {name}();")], &lines[end..]].concat().join("\n");
        let drawn = format!("fn {name}() {{\n{part}\n}}");
        splice(
            self.files,
            &key.file,
            item.span.start_byte,
            item.span.end_byte,
            &format!("{rest}\n\n{drawn}"),
        );
        let new = Key { name, ..key.clone() };
        self.used.insert(new.clone());
        Some(vec![Truth { op: Op::Split, old: Some(key), new: Some(new) }])
    }

    fn merge(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (from, gone) = self.choose(rng, |item, text| {
            item.kind == NodeKind::Function && is_free(item) && tokens(text).len() >= 30
        })?;
        let body = text_of(self.files, &from.file, &gone);
        let body = body.get(body.find('{')?..)?.to_owned();
        let (into, _) = self.choose(rng, |item, text| {
            item.kind == NodeKind::Function && is_free(item) && text.ends_with('}')
        })?;
        self.cut(&from.file, gone.span.start_byte, gone.span.end_byte);
        let taker = find(self.files, &into)?;
        let text = text_of(self.files, &into.file, &taker).to_owned();
        let open = text.find('{')? as u32 + 1;
        let at = taker.span.start_byte + open;
        splice(self.files, &into.file, at, at, &format!("\n    let _ = {body};"));
        Some(vec![Truth { op: Op::Merge, old: Some(from), new: Some(into) }])
    }

    fn signature(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) = self.choose(rng, |item, _| item.kind == NodeKind::Function)?;
        let text = text_of(self.files, &key.file, &item);
        let at = text.find(&format!("fn {}", key.name))? + key.name.len() + 3;
        let open = at + text.get(at..)?.find('(')? + 1;
        let comma = if item.params.is_empty() { "" } else { ", " };
        let at = item.span.start_byte + open as u32;
        splice(self.files, &key.file, at, at, &format!("added: u32{comma}"));
        Some(vec![Truth { op: Op::Signature, old: Some(key.clone()), new: Some(key) }])
    }

    fn body(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) =
            self.choose(rng, |item, text| is_code(item) && tokens(text).len() >= 20)?;
        let text = text_of(self.files, &key.file, &item).to_owned();
        let new = self.pool.edit(&text, 0.05, 0.40, rng)?;
        splice(self.files, &key.file, item.span.start_byte, item.span.end_byte, &new);
        Some(vec![Truth { op: Op::Body, old: Some(key.clone()), new: Some(key) }])
    }

    fn add(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let paths: Vec<String> =
            self.files.keys().filter(|p| p.contains("src/")).cloned().collect();
        let file = rng.pick(&paths)?.clone();
        let donor = rng.pick(self.donors)?.clone();
        let found = items("donor.rs", &donor);
        let (of, _) = found.first()?;
        let name = self.fresh(&of.name);
        let text = replace_word(&donor, &of.name, &name);
        self.append(&file, &text);
        let new = Key { file, kind: of.kind, name };
        self.used.insert(new.clone());
        Some(vec![Truth { op: Op::Add, old: None, new: Some(new) }])
    }

    fn delete(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) = self.choose(rng, |item, _| is_free_code(item))?;
        self.cut(&key.file, item.span.start_byte, item.span.end_byte);
        Some(vec![Truth { op: Op::Delete, old: Some(key), new: None }])
    }
}

/// Whether an item stands directly in its file.
fn is_free(item: &asof::model::ItemFacts) -> bool {
    item.parent == 0
}

fn is_code(item: &asof::model::ItemFacts) -> bool {
    matches!(item.kind, NodeKind::Function | NodeKind::Method)
}

fn is_free_code(item: &asof::model::ItemFacts) -> bool {
    is_free(item) && is_code(item)
}
