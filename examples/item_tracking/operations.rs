//! Operations on a crate, with what is true of them.

use std::collections::BTreeSet;

use asof_model::NodeKind;

use crate::code::{
    Files, Key, Pool, edited, facts, items, parses, replace_word, splice, text_of, tokens,
};
use crate::rng::Rng;

/// What was done to an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    Rename,
    Move,
    /// To the impl of another type, in another file.
    MoveMethod,
    /// A type with its impls.
    MoveType,
    MoveFile,
    MoveEdit10,
    MoveEdit20,
    MoveEdit30,
    MoveEdit40,
    MoveMethodEdit20,
    RenameEdit20,
    MoveRenameEdit20,
    Split,
    Merge,
    Signature,
    Body,
    /// A function of another crate is new.
    Add,
    /// An item of this crate is new, that was taken out of it before the first commit.
    AddOwn,
    Delete,
    /// One item of a file is gone, and another of that file is new: `AddOwn` and `Delete` in
    /// one place.
    Replace,
}

impl Op {
    /// Shares of the tokens between which its edit lies.
    const fn shares(self) -> Option<(f64, f64)> {
        match self {
            Self::MoveEdit10 => Some((0.05, 0.10)),
            Self::MoveEdit20 => Some((0.10, 0.20)),
            Self::MoveEdit30 => Some((0.20, 0.30)),
            Self::MoveEdit40 => Some((0.30, 0.40)),
            Self::MoveMethodEdit20 | Self::RenameEdit20 | Self::MoveRenameEdit20 => {
                Some((0.05, 0.20))
            }
            _ => None,
        }
    }
}

pub const ALL: &[(Op, usize)] = &[
    (Op::Rename, 5),
    (Op::Move, 5),
    (Op::MoveMethod, 3),
    (Op::MoveType, 2),
    (Op::MoveFile, 1),
    (Op::MoveEdit10, 3),
    (Op::MoveEdit20, 3),
    (Op::MoveEdit30, 3),
    (Op::MoveEdit40, 3),
    (Op::MoveMethodEdit20, 3),
    (Op::RenameEdit20, 3),
    (Op::MoveRenameEdit20, 2),
    (Op::Split, 3),
    (Op::Merge, 3),
    (Op::Signature, 3),
    (Op::Body, 4),
    (Op::Add, 3),
    (Op::AddOwn, 3),
    (Op::Delete, 4),
    (Op::Replace, 3),
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

/// An item that was taken out of the crate.
#[derive(Debug, Clone)]
pub struct Held {
    pub key: Key,
    pub text: String,
}

/// What an operation may touch.
pub struct Scene<'a> {
    pub files: &'a mut Files,
    /// Functions of another crate, to add.
    pub donors: &'a [String],
    /// Of these, added before.
    pub added: &'a mut BTreeSet<String>,
    /// Items of this crate that it never had, to add.
    pub held: &'a mut Vec<Held>,
    pub pool: &'a Pool,
    /// Items that an operation of this commit touched.
    pub used: BTreeSet<Key>,
    pub serial: &'a mut usize,
}

impl Scene<'_> {
    /// Does it to some item; what is true then. `None`: it found nothing to work on.
    pub fn apply(&mut self, op: Op, rng: &mut Rng) -> Option<Vec<Truth>> {
        // Not every item that is drawn fits, and not every edit reaches its share.
        (0..6).find_map(|_| self.attempt(op, rng))
    }

    fn attempt(&mut self, op: Op, rng: &mut Rng) -> Option<Vec<Truth>> {
        let saved = self.files.clone();
        let used = self.used.clone();
        let done = match op {
            Op::Rename | Op::RenameEdit20 => self.rename(op, rng),
            Op::Move
            | Op::MoveEdit10
            | Op::MoveEdit20
            | Op::MoveEdit30
            | Op::MoveEdit40
            | Op::MoveRenameEdit20 => self.relocate(op, rng),
            Op::MoveMethod | Op::MoveMethodEdit20 => self.move_method(op, rng),
            Op::MoveType => self.move_type(rng),
            Op::MoveFile => self.move_file(rng),
            Op::Split => self.split(rng),
            Op::Merge => self.merge(rng),
            Op::Signature => self.signature(rng),
            Op::Body => self.body(rng),
            Op::Add => self.add(rng),
            Op::AddOwn => self.add_own(rng, |_| true),
            Op::Delete => self.delete(rng, |_| true),
            Op::Replace => self.replace(rng),
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

    pub fn fresh(&mut self, stem: &str) -> String {
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
    pub fn choose(
        &mut self,
        rng: &mut Rng,
        fits: impl Fn(&asof_model::ItemFacts, &str) -> bool,
    ) -> Option<(Key, asof_model::ItemFacts)> {
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

    pub fn other_file(&mut self, rng: &mut Rng, key: &Key) -> Option<String> {
        let home = key.file.rsplit_once("src/").map_or("", |(home, _)| home).to_owned();
        let fits = |path: &&String| {
            **path != key.file
                && path.starts_with(&home)
                && path.contains("src/")
                && !self
                    .files
                    .get(*path)
                    .is_some_and(|t| facts(path, t).items.iter().any(|i| i.name == key.name))
        };
        let paths: Vec<String> = self.files.keys().filter(fits).cloned().collect();
        rng.pick(&paths).cloned()
    }

    pub fn append(&mut self, file: &str, text: &str) {
        if let Some(all) = self.files.get_mut(file) {
            if !all.ends_with('\n') {
                all.push('\n');
            }
            all.push_str(&format!("\n{text}\n"));
        }
    }

    pub fn cut(&mut self, file: &str, start: u32, end: u32) {
        splice(self.files, file, start, end, "");
    }

    /// Names that only one item of the crate has, and that are no method of the library.
    fn is_unique(&self, name: &str) -> bool {
        let all = self.files.iter().flat_map(|(path, text)| facts(path, text).items);
        name.len() > 4 && all.filter(|item| item.name == name).count() == 1
    }

    fn rename(&mut self, op: Op, rng: &mut Rng) -> Option<Vec<Truth>> {
        let edit = op.shares();
        let (key, item) = self.choose(rng, |item, text| match edit {
            Some(_) => is_code(item) && tokens(text).len() >= 20,
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
        let new = Key { name, ..key.clone() };
        self.used.insert(new.clone());
        let mut truths = vec![Truth { op, old: Some(key), new: Some(new) }];
        truths.extend(inside.into_iter().map(|k| Truth { op, old: Some(k.clone()), new: Some(k) }));
        Some(truths)
    }

    fn has_members(&self, key: &Key) -> bool {
        let impls = [format!("impl {}", key.name), format!("for {}", key.name)];
        key.kind == "trait"
            || self.files.get(&key.file).is_some_and(|t| impls.iter().any(|i| t.contains(i)))
    }

    /// Methods of a type or trait, in its file, that no operation touched.
    fn members(&mut self, key: &Key) -> Vec<Key> {
        let Some(text) = self.files.get(&key.file) else { return Vec::new() };
        let file = facts(&key.file, text);
        let of = |at: u32| -> bool {
            let Some(holder) = file.items.get(at as usize) else { return false };
            match &holder.header {
                asof_model::Header::Impl { self_type, .. } => {
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
            .filter(|(key, item)| {
                inside.contains(&item.span.start_byte) && !self.used.contains(key)
            })
            .map(|(key, _)| key)
            .collect();
        self.used.extend(found.iter().cloned());
        found
    }

    fn relocate(&mut self, op: Op, rng: &mut Rng) -> Option<Vec<Truth>> {
        let edit = op.shares();
        let (key, item) = self.choose(rng, |item, text| match edit {
            Some(_) => is_free(item) && tokens(text).len() >= 20,
            None => is_free(item),
        })?;
        if matches!(item.kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Trait)
            && self.has_members(&key)
        {
            return None;
        }
        let to = self.other_file(rng, &key)?;
        let old = text_of(self.files, &key.file, &item).to_owned();
        let mut text = old.clone();
        if let Some((from, most)) = edit {
            text = self.pool.edit(&text, from, most, rng)?;
        }
        let rename = op == Op::MoveRenameEdit20;
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

    /// A method to the impl of another type, in another file.
    fn move_method(&mut self, op: Op, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) = self
            .choose(rng, |item, text| item.kind == NodeKind::Method && tokens(text).len() >= 20)?;
        let to = self.other_file(rng, &key)?;
        let target = self.files.get(&to)?;
        let impls: Vec<u32> = facts(&to, target)
            .items
            .iter()
            .filter(|i| i.kind == NodeKind::Impl && i.parent == 0 && !i.in_body)
            .filter(|i| !i.name.contains(" for "))
            .map(|i| i.span.end_byte)
            .collect();
        let end = *rng.pick(&impls)?;
        let mut text = text_of(self.files, &key.file, &item).to_owned();
        if let Some((from, most)) = op.shares() {
            text = self.pool.edit(&text, from, most, rng)?;
        }
        self.cut(&key.file, item.span.start_byte, item.span.end_byte);
        splice(self.files, &to, end - 1, end - 1, &format!("\n    {text}\n"));
        let new = Key { file: to, ..key.clone() };
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
            if let asof_model::Header::Impl { self_type, .. } = &other.header
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
        if inside.iter().any(|k| *k != key && !members.contains(k)) {
            // One of them was changed by another operation of this commit.
            return None;
        }
        let target = self.files.get(&to)?;
        let taken: BTreeSet<(&str, String)> =
            facts(&to, target).items.into_iter().map(|i| (i.kind.as_str(), i.name)).collect();
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
}

/// Whether an item stands directly in its file.
pub fn is_free(item: &asof_model::ItemFacts) -> bool {
    item.parent == 0
}

pub fn is_code(item: &asof_model::ItemFacts) -> bool {
    matches!(item.kind, NodeKind::Function | NodeKind::Method)
}
