//! Random requests, each with what the oracle needs to judge its outcome.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use asof::{Database, Refresh, When};
use asof_edit::{
    CanonicalEdit, CreateFileEdit, DeleteEdit, DeleteFileEdit, Edit, EditRequest, InsertEdit, Part,
    Position, RenameFileEdit, SpliceEdit,
};
use asof_model::{NodeKind, RawHash, TrackingHash};
use asof_query::{FileItem, Queries};

use super::code;
use super::items::{Item, Kind, Parsed};
use crate::support::edits::Rng;

/// A file as it was when the request was made.
#[derive(Clone)]
pub struct Seen {
    pub bytes: Rc<[u8]>,
    pub parsed: Option<Rc<Parsed>>,
}

/// What an edit has to come to.
#[derive(Debug, Clone)]
pub enum Expect {
    /// The item, or a part of it, holds the code.
    Item {
        part: Part,
        key: String,
        code: String,
        flush: bool,
    },
    /// New documentation.
    Docs {
        key: String,
        lines: Vec<String>,
    },
    Splice {
        range: Range<usize>,
        replacement: String,
        keys: Vec<String>,
    },
    /// `marker`: the name of the new item. `key`: of the anchor; the file itself if empty.
    Insert {
        key: String,
        position: Position,
        code: String,
        marker: String,
    },
    Delete {
        key: String,
    },
    Create {
        code: String,
    },
    Remove,
    Rename {
        to: String,
    },
}

#[derive(Debug, Clone)]
pub struct Case {
    pub path: String,
    /// In the file as it was.
    pub range: Range<usize>,
    pub expect: Expect,
    /// Code that must be refused.
    pub bad: bool,
    /// A tracking hash was given, and it was that of the item.
    pub guarded: Option<bool>,
    /// Without its file, a path may mean several items.
    pub with_file: bool,
    /// Keys of the other items of the file that the path of the request means.
    pub twins: Vec<String>,
}

impl Case {
    pub fn key(&self) -> Option<&str> {
        match &self.expect {
            Expect::Item { key, .. }
            | Expect::Docs { key, .. }
            | Expect::Insert { key, .. }
            | Expect::Delete { key } => Some(key),
            _ => None,
        }
    }

    /// The same edit of another item.
    pub fn with_item(&self, other: &str) -> Self {
        let mut case = self.clone();
        match &mut case.expect {
            Expect::Item { key, .. }
            | Expect::Docs { key, .. }
            | Expect::Insert { key, .. }
            | Expect::Delete { key } => other.clone_into(key),
            _ => {}
        }
        case
    }

    pub const fn mode(&self) -> &'static str {
        match &self.expect {
            Expect::Item { part: Part::Signature, .. } => "signature",
            Expect::Item { part: Part::Body, .. } => "body",
            Expect::Item { .. } => "canonical",
            Expect::Docs { .. } => "docs",
            Expect::Splice { .. } => "splice",
            Expect::Insert { .. } => "insert",
            Expect::Delete { .. } => "delete",
            Expect::Create { .. } => "create_file",
            Expect::Remove => "delete_file",
            Expect::Rename { .. } => "rename_file",
        }
    }
}

pub struct Spec {
    pub request: EditRequest,
    pub cases: Vec<Case>,
}

/// An item with what the database calls it.
struct Named {
    bytes: Rc<[u8]>,
    item: Item,
    canon: String,
    kind: NodeKind,
    hash: TrackingHash,
    /// Other items of the file with the same path, by key.
    twins: Vec<(String, NodeKind)>,
}

impl Named {
    /// Those that a request of this kind, or of any, means too.
    fn twins(&self, kind: Option<NodeKind>) -> Vec<String> {
        let meant = self.twins.iter().filter(|(_, other)| kind.is_none_or(|kind| kind == *other));
        meant.map(|(key, _)| key.clone()).collect()
    }
}

pub struct Maker<'a> {
    pub rng: &'a mut Rng,
    pub database: &'a Database,
    pub files: &'a BTreeMap<String, Seen>,
    /// Number that makes names new.
    pub number: u64,
    /// Items that the database does not have where syn has them.
    pub unknown: Vec<String>,
    /// What the database has of a file.
    pub known: BTreeMap<String, Vec<FileItem>>,
}

impl Maker<'_> {
    pub fn make(&mut self) -> Option<Spec> {
        let count = match self.rng.below(10) {
            0..2 => 1,
            2..4 => 2 + self.rng.below(3),
            _ => 5 + self.rng.below(12),
        };
        let rust: Vec<String> =
            self.files.keys().filter(|path| path.ends_with(".rs")).cloned().collect();
        let few = 1 + self.rng.below(4);
        let mut chosen: Vec<String> = Vec::new();
        for _ in 0..few {
            let path = self.rng.pick(&rust)?.clone();
            // Files with something in them come more often.
            let items = |p: &String| self.files[p].parsed.as_ref().map_or(0, |f| f.items.len());
            let other = rust[self.rng.below(rust.len())].clone();
            chosen.push(if items(&other) > items(&path) { other } else { path });
        }
        let mut spec = Spec { request: EditRequest { edits: Vec::new() }, cases: Vec::new() };
        let mut taken: Vec<(String, Range<usize>)> = Vec::new();
        for _ in 0..count * 3 {
            if spec.cases.len() >= count {
                break;
            }
            let path = self.rng.pick(&chosen)?.clone();
            self.number += 1;
            let Some((edit, case, range)) = self.random_edit(&path) else { continue };
            let whole = matches!(case.expect, Expect::Remove | Expect::Rename { .. });
            let meets = taken.iter().any(|(p, r)| {
                *p == case.path && (whole || range.start <= r.end && r.start <= range.end)
            });
            // Now and then one that overlaps: it has to be refused.
            if meets && self.rng.below(400) != 0 {
                continue;
            }
            taken.push((case.path.clone(), range));
            spec.request.edits.push(edit);
            spec.cases.push(case);
        }
        (!spec.cases.is_empty()).then_some(spec)
    }

    /// An edit of a file, and the bytes that it takes.
    fn random_edit(&mut self, path: &str) -> Option<(Edit, Case, Range<usize>)> {
        match self.rng.below(100) {
            0..42 => self.canonical(path),
            42..67 => self.splice(path),
            67..83 => self.insert(path),
            83..96 => self.delete(path),
            _ => self.whole_file(path),
        }
    }

    /// An item of a file that its path means alone, with what the database calls it.
    fn item(&mut self, path: &str, which: impl Fn(&Item) -> bool) -> Option<Named> {
        let seen = self.files.get(path)?;
        let parsed = seen.parsed.as_ref()?;
        let fine = |i: &&Item| which(i) && parsed.with_key(&i.key).count() == 1;
        let items: Vec<&Item> = parsed.items.iter().filter(fine).collect();
        let item = (*self.rng.pick(&items)?).clone();
        if !self.known.contains_key(path) {
            let now = self.database.snapshot(&When::Newest, Refresh::Skip).unwrap();
            let queries = Queries::at(self.database.store(), now.at());
            self.known.insert(path.to_owned(), queries.file_items(path).unwrap());
        }
        let rows = &self.known[path];
        let at = |r: &FileItem| r.start_byte as usize..r.end_byte as usize;
        let Some(row) = rows.iter().find(|r| at(r) == item.range) else {
            self.unknown.push(format!("{path} {} {:?}", item.key, item.range));
            return None;
        };
        let (canon, kind) = (row.canonical_path.clone()?, row.kind);
        let same = rows.iter().filter(|r| r.canonical_path.as_ref() == Some(&canon));
        let twins = same.flat_map(|r| {
            let there = parsed.items.iter().filter(move |i| i.range == at(r));
            there.map(|i| (i.key.clone(), r.kind))
        });
        let twins = twins.filter(|(key, _)| *key != item.key).collect();
        let bytes = seen.bytes.clone();
        Some(Named { bytes, item, canon, kind, hash: row.tracking_hash, twins })
    }

    fn canonical(&mut self, path: &str) -> Option<(Edit, Case, Range<usize>)> {
        let with_kind = self.rng.below(2) == 0;
        let with_file = self.rng.below(8) != 0;
        let (choice, guard, bad) = (self.rng.below(10), self.rng.below(36), self.rng.below(50));
        let (form, number) = (self.rng.below(4), self.number);
        let named = self.item(path, |i| i.addressable && i.kind != Kind::Use)?;
        let Named { item, canon, kind, hash, .. } = &named;
        let text = std::str::from_utf8(&named.bytes).ok()?;
        let mut part = Part::Whole;
        let mut lines = Vec::new();
        let mut flush = true;
        let code;
        match choice {
            0 if item.signature.is_some() => {
                part = Part::Signature;
                code = code::signature(&item.name, number);
            }
            1 | 2 if item.body.is_some() => {
                part = Part::Body;
                let brace = text.as_bytes().get(item.body.as_ref()?.start) == Some(&b'{');
                code = code::body(brace, number);
            }
            3 => {
                part = Part::Docs;
                lines = (0..1 + form % 3).map(|n| format!("Says {number}, {n}.")).collect();
                code = lines.join("\n");
            }
            _ if form == 0 => {
                code = code::changed(text, item, number)?;
                flush = false;
            }
            _ => {
                let in_trait = item.signature.is_some() && item.body.is_none();
                code = code::new_item(item.kind, &item.name, number, in_trait)?;
            }
        }
        let mut code = code;
        let mut bad = bad == 0 && part == Part::Whole;
        if bad {
            match code::spoil(&code, item, self.rng.below(6)) {
                Some(spoilt) => code = spoilt,
                None => bad = false,
            }
        }
        let guarded = match guard {
            0 => Some(false),
            1..10 => Some(true),
            _ => None,
        };
        let (path, key, range) = (path.to_owned(), item.key.clone(), item.range.clone());
        let expected_tracking_hash = match guarded {
            Some(true) => Some(*hash),
            Some(false) => Some(other_hash(number)),
            None => None,
        };
        let expect = match part {
            Part::Docs => Expect::Docs { key, lines },
            part => Expect::Item { part, key, code: code.clone(), flush },
        };
        let edit = Edit::Canonical(CanonicalEdit {
            file_path: with_file.then(|| path.clone()),
            path: canon.clone(),
            kind: with_kind.then_some(*kind),
            has: None,
            find: None,
            all: false,
            part,
            code,
            expected_tracking_hash,
        });
        let twins = named.twins(with_kind.then_some(*kind));
        let case = Case { path, range: range.clone(), expect, bad, guarded, with_file, twins };
        Some((edit, case, range))
    }

    fn delete(&mut self, path: &str) -> Option<(Edit, Case, Range<usize>)> {
        let named = self.item(path, |i| i.addressable && i.kind != Kind::Use)?;
        let twins = named.twins(None);
        let Named { item, canon, .. } = named;
        let (range, key) = (item.range, item.key);
        let edit = Edit::Delete(DeleteEdit {
            path: canon,
            file_path: Some(path.to_owned()),
            kind: None,
            with_guesses: false,
            empty_modules: false,
            uses: None,
            has: None,
            expected_tracking_hash: None,
        });
        let expect = Expect::Delete { key };
        let (edit, case, range) = case(edit, path, expect, range);
        Some((edit, Case { twins, ..case }, range))
    }

    fn insert(&mut self, path: &str) -> Option<(Edit, Case, Range<usize>)> {
        let position = *self.rng.pick(&[
            Position::Before,
            Position::After,
            Position::After,
            Position::FirstChild,
            Position::LastChild,
        ])?;
        let inside = matches!(position, Position::FirstChild | Position::LastChild);
        let (number, form) = (self.number, self.rng.below(4));
        let named = self.item(path, |i| {
            if inside {
                i.addressable && i.inside.is_some() || i.kind == Kind::TraitImpl
            } else {
                i.addressable
            }
        })?;
        let twins = named.twins(Some(named.kind));
        let Named { item, canon, kind, .. } = named;
        let sort = match (inside, item.kind) {
            (true, Kind::Enum) => Kind::Variant,
            (true, Kind::Struct | Kind::Union | Kind::Variant) => Kind::Field,
            (true, Kind::Impl | Kind::TraitImpl) => Kind::Method,
            (true, Kind::Trait) => Kind::AssocConst,
            (true, _) => Kind::Fn,
            (false, Kind::Field | Kind::Variant) => item.kind,
            (false, Kind::Method | Kind::AssocConst | Kind::AssocType) => Kind::Method,
            (false, _) => Kind::Fn,
        };
        let marker = match sort {
            Kind::Variant => format!("Fz{number}"),
            _ => format!("fz_{number}"),
        };
        let code = code::inserted(sort, &marker, form);
        let (key, taken) = (item.key.clone(), item.range.clone());
        let range = match position {
            Position::Before | Position::After => taken.clone(),
            Position::FirstChild => item.inside.clone().map_or(taken.clone(), |r| r.start..r.start),
            Position::LastChild => item.inside.clone().map_or(taken.clone(), |r| r.end..r.end),
        };
        let edit = Edit::Insert(InsertEdit {
            anchor: canon,
            position,
            code: code.clone(),
            file_path: Some(path.to_owned()),
            kind: Some(kind),
            has: None,
        });
        let expect = Expect::Insert { key, position, code, marker };
        let (edit, case, range) = case(edit, path, expect, range);
        Some((edit, Case { twins, ..case }, range))
    }

    fn splice(&mut self, path: &str) -> Option<(Edit, Case, Range<usize>)> {
        let seen = self.files.get(path)?;
        let number = self.number;
        let text = std::str::from_utf8(&seen.bytes).ok()?;
        let parsed = seen.parsed.clone().unwrap_or_default();
        let item = self.rng.pick(&parsed.items);
        let sort = self.rng.below(28);
        let risky = sort >= 24 || item.is_none();
        let (range, replacement) = match (sort, item) {
            (0..8, Some(item)) => {
                let body = item.body.clone().filter(|b| text.as_bytes()[b.start] == b'{')?;
                (body.start + 1..body.start + 1, format!(" let _fz = {number}; "))
            }
            (8..13, Some(item)) => {
                let at = item.range.start;
                (at..at, format!("/* {number} */ "))
            }
            (13..20, Some(item)) => (item.body.clone()?, "{ /* gone */ }".to_owned()),
            (20..24, Some(item)) => {
                let old = text.get(item.range.clone())?;
                (item.range.clone(), format!("{old} /* é {number} */"))
            }
            (24..27, Some(item)) if item.addressable => {
                // A name, wherever it stands in the item.
                let inside = text.get(item.range.clone())?;
                let at = item.range.start + inside.find(item.name.as_str())?;
                (at..at + item.name.len(), item.name.clone() + "_z")
            }
            _ => {
                let mut at = self.rng.below(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                let mut end = (at + self.rng.below(12)).min(text.len());
                while !text.is_char_boundary(end) {
                    end += 1;
                }
                (at..end, self.rng.pick(&[" ", "", "}", "/*", "// x\n", "0", "\""])?.to_string())
            }
        };
        if seen.parsed.is_none() && self.rng.below(4) != 0 {
            return None;
        }
        let keys = parsed.around(&range).iter().map(|i| i.key.clone()).collect();
        let edit = Edit::Splice(SpliceEdit {
            file_path: path.to_owned(),
            expected_file_hash: RawHash::hash(&seen.bytes),
            start_byte: range.start as u32,
            end_byte: range.end as u32,
            replacement: replacement.clone(),
            namespace: None,
        });
        let expect = Expect::Splice { range: range.clone(), replacement, keys };
        let (edit, mut case, range) = case(edit, path, expect, range);
        case.bad = risky;
        Some((edit, case, range))
    }

    fn whole_file(&mut self, path: &str) -> Option<(Edit, Case, Range<usize>)> {
        let number = self.number;
        let folder = path.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
        let deeper = if self.rng.below(3) == 0 { format!("made_{number}/") } else { String::new() };
        let new = format!("{folder}{deeper}fz_{number}.rs");
        let seen = self.files.get(path)?;
        let bytes = seen.bytes.clone();
        let guard = (self.rng.below(2) == 0).then(|| RawHash::hash(&bytes));
        std::str::from_utf8(&bytes).ok()?;
        let made = self.files.keys().find(|p| p.contains("fz_")).cloned();
        let (edit, path, expect) = match (self.rng.below(4), made) {
            (0, Some(made)) => {
                let edit = Edit::DeleteFile(DeleteFileEdit {
                    file_path: made.clone(),
                    expected_file_hash: None,
                });
                (edit, made, Expect::Remove)
            }
            (1, _) => {
                let edit = Edit::RenameFile(RenameFileEdit {
                    file_path: Some(path.to_owned()),
                    path: None,
                    to: new.clone(),
                    expected_file_hash: guard,
                });
                (edit, path.to_owned(), Expect::Rename { to: new })
            }
            _ => {
                let code = format!("pub fn made_{number}() -> u64 {{\n    {number}\n}}\n");
                let edit =
                    Edit::CreateFile(CreateFileEdit { file_path: new.clone(), code: code.clone() });
                (edit, new, Expect::Create { code })
            }
        };
        Some(case(edit, &path, expect, 0..usize::MAX))
    }
}

fn case(edit: Edit, path: &str, expect: Expect, range: Range<usize>) -> (Edit, Case, Range<usize>) {
    let (path, taken) = (path.to_owned(), range.clone());
    let (bad, guarded, with_file, twins) = (false, None, true, Vec::new());
    let case = Case { path, range, expect, bad, guarded, with_file, twins };
    (edit, case, taken)
}

/// A hash that no item of the workspace has.
fn other_hash(number: u64) -> TrackingHash {
    let text = format!("fn never_{number}() {{}}");
    asof_syntax::parse_file("never.rs", text.as_bytes()).items[1].tracking_hash
}
