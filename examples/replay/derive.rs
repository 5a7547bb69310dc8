//! From two versions to the edits that lead from one to the other, item by item.

use asof_edit::{CreateFileEdit, DeleteFileEdit, Edit, Position, RenameFileEdit};
use asof_model::{Header, NodeKind};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::address::{Address, address};
use crate::blocks;
use crate::candidates::{self, bytes_of};
use crate::tree::{File, Tree};

/// One changed item with the edits that change it.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Kind of the item, and what happened to it.
    pub class: (String, &'static str),
    pub file: String,
    pub edits: Vec<Edit>,
    /// Bytes of the edits as JSON.
    pub bytes: usize,
    /// The same without `find`: only whole items and parts.
    pub bytes_parts: usize,
    /// Search/replace blocks for the same, marked and as JSON.
    pub blocks: (usize, usize),
    /// Items of the new version that must be there afterwards: key and hash.
    pub becomes: Vec<(String, String)>,
    /// Items that must be gone.
    pub leaves: Vec<(String, String)>,
    /// Why there is no edit.
    pub failed: Option<String>,
}

/// Files and declarations come first: paths follow them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Files,
    Items,
}

pub struct Derive<'a> {
    pub old: &'a Tree,
    pub new: &'a Tree,
    pub stage: Stage,
    pub with_find: bool,
    pub units: Vec<Unit>,
}

impl Derive<'_> {
    /// The units of all files.
    pub fn run(mut self) -> Vec<Unit> {
        if self.stage == Stage::Files {
            self.whole_files();
        }
        for (path, old) in &self.old.files {
            if let Some(new) = self.new.files.get(path) {
                if self.stage == Stage::Items {
                    self.head(old, 0, new, 0);
                }
                self.children(old, 0, new, 0);
            }
        }
        self.units
    }

    fn unit(&self, class: (String, &'static str), file: &str, edits: Option<Vec<Edit>>) -> Unit {
        let failed = edits.is_none().then(|| "no way to name it".to_owned());
        let edits = edits.unwrap_or_default();
        let bytes = edits.iter().map(bytes_of).sum();
        Unit {
            class,
            file: file.to_owned(),
            bytes,
            bytes_parts: bytes,
            edits,
            blocks: (0, 0),
            becomes: Vec::new(),
            leaves: Vec::new(),
            failed,
        }
    }

    fn whole_files(&mut self) {
        let gone: Vec<&File> =
            self.old.files.values().filter(|f| !self.new.files.contains_key(&f.path)).collect();
        let mut come: Vec<&File> =
            self.new.files.values().filter(|f| !self.old.files.contains_key(&f.path)).collect();
        for old in gone {
            let like = |new: &&File| similar::TextDiff::from_lines(&old.text, &new.text).ratio();
            let best = come.iter().map(like).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((at, ratio)) = best
                && ratio > 0.6
            {
                let new = come.remove(at);
                let (file_path, to) = (Some(old.path.clone()), new.path.clone());
                let edit = RenameFileEdit { file_path, path: None, to, expected_file_hash: None };
                let edit = Edit::RenameFile(edit);
                let mut unit = self.unit(("file".into(), "moved"), &old.path, Some(vec![edit]));
                // With blocks it is a new file and an old one to delete.
                unit.blocks = (old.text.len() + 80, old.text.len() + 80);
                self.units.push(unit);
                continue;
            }
            let leaves = items(old);
            let path = old.paths[0].as_ref();
            let declared = path.and_then(|path| self.declared_in(path));
            if declared.is_some_and(|file| self.new.files.contains_key(file)) {
                // Goes with its declaration.
                continue;
            }
            let file_path = old.path.clone();
            let edit = Edit::DeleteFile(DeleteFileEdit { file_path, expected_file_hash: None });
            let mut unit = self.unit(("file".into(), "removed"), &old.path, Some(vec![edit]));
            unit.leaves = leaves;
            unit.blocks = (unit.bytes, unit.bytes);
            self.units.push(unit);
        }
        for new in come {
            let (file_path, code) = (new.path.clone(), new.text.clone());
            let edit = Edit::CreateFile(CreateFileEdit { file_path, code });
            let mut unit = self.unit(("file".into(), "added"), &new.path, Some(vec![edit]));
            unit.becomes = items(new);
            unit.blocks = (new.text.len() + new.path.len() + 40, unit.bytes);
            self.units.push(unit);
        }
    }

    /// The file that declares the module of a path.
    fn declared_in(&self, path: &str) -> Option<&str> {
        let declares = |file: &&File| {
            (1..file.facts.items.len())
                .any(|at| file.is_declaration(at) && file.paths[at].as_deref() == Some(path))
        };
        self.old.files.values().find(declares).map(|file| file.path.as_str())
    }

    /// Items in two containers that are the same one.
    fn children(&mut self, old: &File, from: usize, new: &File, to: usize) {
        let (olds, news) = (old.children(from), new.children(to));
        let pairs = self.pairs(old, &olds, new, &news);
        for (a, b) in &pairs {
            self.changed(old, *a, new, *b);
        }
        let kept = |at: &usize| pairs.iter().find(|(a, _)| a == at).map(|(a, _)| *a);
        for at in &olds {
            if kept(at).is_none() {
                self.removed(old, *at);
            }
        }
        // Runs of new items, with the kept ones before and behind them.
        let mut before: Option<usize> = None;
        let mut at = 0;
        while at < news.len() {
            if let Some((a, _)) = pairs.iter().find(|(_, b)| *b == news[at]) {
                before = Some(*a);
                at += 1;
                continue;
            }
            let is_pair = |b: &usize| pairs.iter().any(|(_, paired)| paired == b);
            let declares = new.is_declaration(news[at]);
            let run: Vec<usize> = news[at..]
                .iter()
                .take_while(|b| !is_pair(b) && new.is_declaration(**b) == declares)
                .copied()
                .collect();
            at += run.len();
            let behind = news[at..].iter().find(|b| is_pair(b));
            let behind = behind.and_then(|b| pairs.iter().find(|(_, p)| p == b)).map(|(a, _)| *a);
            self.added(old, from, (before, behind), new, &run);
        }
    }

    /// Which items of two containers are the same, in the order of both.
    fn pairs(&self, old: &File, olds: &[usize], new: &File, news: &[usize]) -> Vec<(usize, usize)> {
        let key = |file: &File, at: usize| {
            let item = file.item(at);
            let head = match item.kind {
                NodeKind::Impl | NodeKind::MacroCall => item.signature.as_str(),
                _ => "",
            };
            format!("{} {} {} {head}", item.kind, item.name, item.cfg)
        };
        let a: Vec<String> = olds.iter().map(|at| key(old, *at)).collect();
        let b: Vec<String> = news.iter().map(|at| key(new, *at)).collect();
        let mut out = Vec::new();
        for op in capture_diff_slices(Algorithm::Patience, &a, &b) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    out.extend((0..len).map(|n| (olds[old_index + n], news[new_index + n])));
                }
                op => {
                    let mut from = op.new_range().start;
                    for a in op.old_range() {
                        let like = |b: &usize| alike((old, olds[a]), (new, news[*b]));
                        let end = op.new_range().end;
                        if let Some(b) = (from..end).find(like) {
                            out.push((olds[a], news[b]));
                            from = b + 1;
                        }
                    }
                }
            }
        }
        out.sort_unstable();
        out
    }

    fn changed(&mut self, old: &File, a: usize, new: &File, b: usize) {
        if old.text_of(a) == new.text_of(b) {
            return;
        }
        let declares = old.is_declaration(a) || new.is_declaration(b);
        if self.stage == Stage::Files && !declares {
            if is_container(old, a) && is_container(new, b) {
                self.children(old, a, new, b);
            }
            return;
        }
        if !declares && is_container(old, a) && is_container(new, b) {
            let first = self.units.len();
            self.head(old, a, new, b);
            self.children(old, a, new, b);
            let sum: usize = self.units[first..].iter().map(|unit| unit.bytes).sum();
            let failed = self.units[first..].iter().any(|unit| unit.failed.is_some());
            let place = (old.path.clone(), a);
            let whole = address(self.old, &place).map(|to| candidates::whole(&to, new.text_of(b)));
            if let Some(whole) = whole
                && self.units.len() > first
                && (failed || bytes_of(&whole) < sum)
            {
                let bytes = bytes_of(&whole);
                let count = self.units.len() - first;
                for unit in &mut self.units[first..] {
                    (unit.edits, unit.failed) = (Vec::new(), None);
                    unit.bytes = bytes / count;
                    unit.bytes_parts = unit.bytes;
                }
                self.units[first].edits = vec![whole];
            }
            return;
        }
        let place = (old.path.clone(), a);
        let found = match address(self.old, &place) {
            Some(to) => candidates::best(old, a, new, b, &to, self.with_find),
            None => None,
        };
        let class = (old.item(a).kind.to_string(), "changed");
        let unnamed = address(self.old, &place).is_none();
        let mut unit = self.unit(class, &old.path, found.as_ref().map(|f| f.edits.clone()));
        if let Some(found) = found {
            unit.bytes_parts = found.bytes_parts;
        } else if !unnamed {
            unit.failed = Some("no combination of parts".to_owned());
        }
        unit.becomes = with_inner(new, b);
        unit.blocks = changed_blocks(old, a, new, b);
        self.units.push(unit);
    }

    /// What a container has before its items: signature, documentation, attributes.
    fn head(&mut self, old: &File, a: usize, new: &File, b: usize) {
        let heads = candidates::heads(old, a, new, b);
        if heads.is_empty() {
            return;
        }
        let to = address(self.old, &(old.path.clone(), a));
        let edits = to.map(|to| candidates::head_edits(&to, old, a, &heads, self.with_find));
        let class = if a == 0 { "file head".into() } else { format!("{} head", old.item(a).kind) };
        let parts = edits.as_ref().map(|(_, parts)| *parts);
        let mut unit = self.unit((class, "changed"), &old.path, edits.map(|(edits, _)| edits));
        unit.bytes_parts = parts.unwrap_or_default();
        for (_, range, code) in &heads {
            let at = blocks::lines(&old.text, range.start, range.end);
            let before = &old.text[at.0..range.start];
            let after = &old.text[range.end..at.1];
            let lines = format!("{before}{code}{after}");
            let blocks = blocks::blocks(&old.text, at.0, at.1, &lines);
            unit.blocks.0 += blocks::marked(&old.path, &blocks);
            unit.blocks.1 += blocks::as_json(&old.path, &trimmed(&old.text, blocks));
        }
        self.units.push(unit);
    }

    fn removed(&mut self, old: &File, at: usize) {
        let declares = old.is_declaration(at);
        if (self.stage == Stage::Files) != declares {
            return;
        }
        let place = (old.path.clone(), at);
        if declares
            && let Some(file) = old.paths[at].as_ref().and_then(|path| self.old.file_of(path))
        {
            if self.new.files.contains_key(file) {
                let class = ("declaration whose file stays".to_owned(), "removed");
                self.units.push(self.unit(class, &old.path, None));
                return;
            }
            if self.old.has_nested(file) {
                // In a later round, when those are gone.
                return;
            }
        }
        let edits = address(self.old, &place).map(|to| vec![to.delete()]);
        let class = (old.item(at).kind.to_string(), "removed");
        let mut unit = self.unit(class, &old.path, edits);
        unit.leaves = with_inner(old, at);
        let span = old.item(at).span;
        let (from, to) = blocks::lines(&old.text, span.start_byte as usize, span.end_byte as usize);
        let blocks = blocks::blocks(&old.text, from, to, "");
        unit.blocks.0 = blocks::marked(&old.path, &blocks);
        unit.blocks.1 = blocks::as_json(&old.path, &trimmed(&old.text, blocks));
        self.units.push(unit);
    }

    fn added(
        &mut self,
        old: &File,
        container: usize,
        (before, behind): (Option<usize>, Option<usize>),
        new: &File,
        run: &[usize],
    ) {
        let declares = new.is_declaration(run[0]);
        if (self.stage == Stage::Files) != declares {
            return;
        }
        let (first, last) = (run[0], run[run.len() - 1]);
        let start = above_comments(new, first);
        let end = new.item(last).span.end_byte as usize;
        let code = candidates::flush(&new.text[start..end]);
        let at = |at: usize| address(self.old, &(old.path.clone(), at));
        let cheap = |to: &Address| to.has.is_none() && to.file_path.is_none();
        let after = before.and_then(at).map(|to| (to, Position::After));
        let front = behind.and_then(at).map(|to| (to, Position::Before));
        let inside = match (before, behind) {
            (_, None) => Some(Position::LastChild),
            (None, _) => Some(Position::FirstChild),
            _ => None,
        };
        let empty_macro = old.item(container).kind == NodeKind::MacroCall;
        let inside = inside.filter(|_| !empty_macro);
        let inside = inside.and_then(|p| Some((at(container)?, p)));
        let mut ways: Vec<(Address, Position)> =
            [after, front, inside].into_iter().flatten().collect();
        ways.sort_by_key(|(to, _)| !cheap(to));
        let edits = ways.first().map(|(to, position)| vec![to.insert(*position, code)]);
        let class = (new.item(first).kind.to_string(), "added");
        let mut unit = self.unit(class, &old.path, edits);
        unit.becomes = run.iter().flat_map(|at| with_inner(new, *at)).collect();
        let (from, to) = blocks::lines(&new.text, start, end);
        // Where it goes: behind the neighbour, or at the start of what it stands in.
        let place = match (before, behind) {
            (Some(at), _) => old.item(at).span.end_byte as usize,
            (None, Some(at)) => old.item(at).span.start_byte as usize,
            _ => (old.item(container).span.end_byte as usize).saturating_sub(1),
        };
        let (line, next) = blocks::lines(&old.text, place, place);
        let place = if before.is_some() { next } else { line };
        let blocks = blocks::blocks(&old.text, place, place, &new.text[from..to]);
        unit.blocks.0 = blocks::marked(&old.path, &blocks);
        unit.blocks.1 = blocks::as_json(&old.path, &trimmed(&old.text, blocks));
        // One edit, several items: each is a change.
        let count = run.len();
        let share = |n: usize| n / count;
        for (n, at) in run.iter().enumerate() {
            let mut one = unit.clone();
            one.class.0 = new.item(*at).kind.to_string();
            one.becomes = with_inner(new, *at);
            one.bytes = share(unit.bytes);
            one.bytes_parts = one.bytes;
            one.blocks = (share(unit.blocks.0), share(unit.blocks.1));
            if n > 0 {
                one.edits.clear();
            }
            self.units.push(one);
        }
    }
}

fn trimmed(scope: &str, blocks: Vec<blocks::Block>) -> Vec<blocks::Block> {
    blocks.into_iter().map(|block| blocks::trim(scope, block)).collect()
}

fn changed_blocks(old: &File, a: usize, new: &File, b: usize) -> (usize, usize) {
    let lines = |file: &File, at: usize| {
        let span = file.item(at).span;
        blocks::lines(&file.text, span.start_byte as usize, span.end_byte as usize)
    };
    let ((from, to), (c, d)) = (lines(old, a), lines(new, b));
    let blocks = blocks::blocks(&old.text, from, to, &new.text[c..d]);
    let marked = blocks::marked(&old.path, &blocks);
    (marked, blocks::as_json(&old.path, &trimmed(&old.text, blocks)))
}

/// The items of a file, as keys and hashes.
fn items(file: &File) -> Vec<(String, String)> {
    (1..file.facts.items.len()).flat_map(|at| read_derive(file, at)).collect()
}

fn read_derive(file: &File, at: usize) -> Option<(String, String)> {
    let item = file.item(at);
    (!item.in_body).then(|| (file.key(at), item.tracking_hash.to_string()))
}

fn with_inner(file: &File, at: usize) -> Vec<(String, String)> {
    let span = file.item(at).span;
    let within = |i: &usize| {
        let inner = file.item(*i).span;
        span.start_byte <= inner.start_byte && inner.end_byte <= span.end_byte
    };
    (1..file.facts.items.len()).filter(within).flat_map(|i| read_derive(file, i)).collect()
}

/// Whether the items within are edited one by one.
pub fn is_container(file: &File, at: usize) -> bool {
    let item = file.item(at);
    let in_braces = || file.text_of(at).ends_with('}') && item.kind != NodeKind::Variant;
    match item.kind {
        NodeKind::Impl | NodeKind::Trait | NodeKind::ForeignMod => true,
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union => in_braces(),
        NodeKind::Module => matches!(item.header, Header::Module { inline: true, .. }),
        NodeKind::MacroCall => {
            matches!(item.header, Header::MacroCall { items: true })
                && !file.children(at).is_empty()
        }
        _ => false,
    }
}

/// Whether one item may have become the other.
fn alike((old, a): (&File, usize), (new, b): (&File, usize)) -> bool {
    let (x, y) = (old.item(a), new.item(b));
    if x.kind != y.kind || old.is_declaration(a) != new.is_declaration(b) {
        return false;
    }
    if x.name == y.name && !x.name.is_empty() && x.kind != NodeKind::MacroCall {
        return true;
    }
    let (text, other) = (old.text_of(a), new.text_of(b));
    if text.contains('\n') && other.contains('\n') {
        similar::TextDiff::from_lines(text, other).ratio() > 0.5
    } else {
        similar::TextDiff::from_chars(text, other).ratio() > 0.6
    }
}

/// Ordinary comments directly above an item come with it.
fn above_comments(file: &File, at: usize) -> usize {
    let start = file.item(at).span.start_byte as usize;
    let mut from = file.text[..start].rfind('\n').map_or(0, |at| at + 1);
    if !file.text[from..start].trim().is_empty() {
        return start;
    }
    let mut out = start;
    while from > 0 {
        let above = file.text[..from - 1].rfind('\n').map_or(0, |at| at + 1);
        let line = file.text[above..from].trim_start();
        let plain = line.starts_with("//") && !line.starts_with("//!");
        if !plain || line.starts_with("///") {
            break;
        }
        out = above + file.text[above..from].len() - line.len();
        from = above;
    }
    out
}
