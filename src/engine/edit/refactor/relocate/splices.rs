//! Turns the changes of a move into splices: the text in its new place, imports, and nothing that
//! overlaps.

use std::collections::{BTreeMap, BTreeSet};

use super::changes::{Changes, Texts};
use super::destination::{self, children};
use super::relocation::Relocation;
use crate::edit::edit_target::{CarriedText, Refactored};
use crate::edit::target::{Files, Halt, Loaded};
use asof_edit::{EditError, FileView, Splice};
use asof_model::{ByteRange, FileFacts, Header, ItemFacts, NodeId, NodeKind};
use asof_refactor::reindented;
use asof_syntax::Scan;
use asof_wire::Position;

/// The text of a piece in its new place, and what was replaced in it.
struct Moved {
    range: ByteRange,
    text: String,
    replaced: Vec<Splice>,
}

impl Relocation<'_> {
    /// Writes the changes to the files.
    pub(super) fn write(
        &self,
        files: &mut Files,
        module: &str,
        changes: &mut Changes,
        out: &mut Refactored,
    ) -> Result<(), Halt> {
        let mut by_file: BTreeMap<String, Vec<Splice>> = BTreeMap::new();
        let indent = self.indent(files)?;
        let moved = self.moved(files, &indent, changes)?;
        let code: Vec<&str> = moved.iter().map(|one| one.text.as_str()).collect();
        let newline = match files.get(&self.to.file_path) {
            Some(loaded) if loaded.text.contains("\r\n") => "\r\n",
            _ => "\n",
        };
        let code = code.join(&format!("{newline}{newline}{indent}"));
        let mut imports: Vec<&(String, String)> = changes.there.iter().collect();
        imports.sort_by_key(|(before, path)| (group(path), path, before));
        let imports: Vec<String> =
            imports.into_iter().map(|(before, path)| format!("{before}use {path};")).collect();
        let at = match self.to.index {
            None => {
                let head = if imports.is_empty() {
                    String::new()
                } else {
                    format!("{}\n\n", imports.join("\n"))
                };
                out.created.insert(self.to.file_path.clone(), format!("{head}{code}\n"));
                0
            }
            Some(index) => {
                let loaded = files.loaded(self.snapshot, &self.to.file_path)?;
                let is_empty = children(&loaded.facts, index).next().is_none();
                let code = if is_empty && !imports.is_empty() {
                    let lines = imports.join(&format!("{newline}{indent}"));
                    format!("{lines}{newline}{newline}{indent}{code}")
                } else {
                    code
                };
                let splice = self.insertion(loaded, index, &code)?;
                let at = splice.start;
                let list = by_file.entry(self.to.file_path.clone()).or_default();
                if !imports.is_empty() && !is_empty {
                    list.push(self.imports(loaded, index, &imports, changes)?);
                }
                list.push(splice);
                at
            }
        };
        for one in moved {
            out.carried.push(CarriedText {
                from: (self.subject.file_path.clone(), one.range.start, one.range.end),
                replaced: one.replaced,
                to: self.to.file_path.clone(),
                at,
                text: one.text,
            });
        }
        if let Some((path, splice)) = self.to.declaration(files, module, self.number)? {
            by_file.entry(path).or_default().push(splice);
        }
        for (module, lines) in std::mem::take(&mut changes.elsewhere) {
            let (path, splice) = self.imports_of(files, module, &lines, changes)?;
            by_file.entry(path).or_default().push(splice);
        }
        for (path, texts) in &changes.outer {
            by_file.entry(path.clone()).or_default().extend(self.splices(texts));
        }
        let lines = self.subject.pieces.iter().map(|piece| Splice {
            start: piece.lines.start,
            end: piece.lines.end,
            text: String::new(),
            edit: self.number,
        });
        by_file.entry(self.subject.file_path.clone()).or_default().extend(lines);
        for (path, splices) in &mut by_file {
            let loaded = files.loaded(self.snapshot, path)?;
            join(&loaded.text, splices);
        }
        out.elsewhere = by_file;
        Ok(())
    }

    fn splices(&self, texts: &Texts) -> Vec<Splice> {
        let one = |((start, end), text): (&(u32, u32), &String)| Splice {
            start: *start,
            end: *end,
            text: text.clone(),
            edit: self.number,
        };
        texts.iter().map(one).collect()
    }

    /// Indentation of the items of the new module.
    fn indent(&self, files: &mut Files) -> Result<String, Halt> {
        let Some(index) = self.to.index else { return Ok(String::new()) };
        let loaded = files.loaded(self.snapshot, &self.to.file_path)?;
        if let Some((_, child)) = children(&loaded.facts, index).next() {
            return Ok(asof_edit::indent_at(&loaded.text, child.span.start_byte).to_owned());
        }
        let own = loaded.facts.items.get(index as usize).filter(|_| index > 0);
        let deeper = own.map(|item| {
            format!("{}    ", asof_edit::indent_at(&loaded.text, item.span.start_byte))
        });
        Ok(deeper.unwrap_or_default())
    }

    fn moved(
        &self,
        files: &mut Files,
        indent: &str,
        changes: &Changes,
    ) -> Result<Vec<Moved>, Halt> {
        let loaded = files.loaded(self.snapshot, &self.subject.file_path)?;
        let scan = Scan::new(&loaded.text);
        let one = |piece: &super::subject::Piece| {
            let range = piece.range;
            let old = asof_edit::indent_at(&loaded.text, range.start);
            let blanks = reindented(&loaded.text, &scan, range.start, range.end, old, indent);
            let mut replaced: Vec<Splice> = self
                .splices(&blanks.into_iter().map(|(from, to, text)| ((from, to), text)).collect());
            let inside = changes.inner.range((range.start, 0)..(range.end, 0));
            replaced.extend(inside.map(|((start, end), text)| Splice {
                start: *start,
                end: *end,
                text: text.clone(),
                edit: self.number,
            }));
            replaced.sort_by_key(|splice| (splice.start, splice.end));
            let kept = |from: u32, to: u32| {
                let text = loaded.text.get(from as usize..to as usize);
                text.ok_or_else(|| EditError::internal("changes of what moves do not overlap"))
            };
            let mut text = String::new();
            let mut at = range.start;
            for splice in &replaced {
                text.push_str(kept(at, splice.start)?);
                text.push_str(&splice.text);
                at = splice.end;
            }
            text.push_str(kept(at, range.end)?);
            Ok(Moved { range, text, replaced })
        };
        self.subject.pieces.iter().map(one).collect()
    }

    /// The text at the end of the new module, in front of its tests.
    fn insertion(&self, loaded: &Loaded, index: u32, code: &str) -> Result<Splice, Halt> {
        let file = FileView::new(&self.to.file_path, &loaded.text, &loaded.facts);
        let is_declaration =
            |item: &ItemFacts| matches!(item.header, Header::Module { inline: false, .. });
        let last = if self.subject.is_declared() {
            children(&loaded.facts, index).filter(|(_, item)| is_declaration(item)).last()
        } else {
            None
        };
        let last = last.or_else(|| children(&loaded.facts, index).last());
        let (anchor, position) = match last {
            Some((at, item)) if item.kind == NodeKind::Module && item.marks_test => {
                (at, Position::Before)
            }
            Some((at, _)) => (at, Position::After),
            None => (index, Position::LastChild),
        };
        let (at, text) = asof_edit::insertion(&file, anchor, &self.to.path, position, code)?;
        Ok(Splice { start: at, end: at, text, edit: self.number })
    }

    fn imports_of(
        &self,
        files: &mut Files,
        module: NodeId,
        lines: &BTreeSet<(String, String)>,
        changes: &Changes,
    ) -> Result<(String, Splice), Halt> {
        let (described, index) = destination::place_of(self.snapshot, files, module, self.refuse)?;
        let loaded = files.loaded(self.snapshot, &described.file_path)?;
        let line = |(visibility, path): &(String, String)| match visibility.as_str() {
            "" => format!("use {path};"),
            visibility => format!("{visibility} use {path};"),
        };
        let lines: Vec<String> = lines.iter().map(line).collect();
        let splice = self.imports(loaded, index, &lines, changes)?;
        Ok((described.file_path, splice))
    }

    /// Imports behind those of a module.
    fn imports(
        &self,
        loaded: &Loaded,
        index: u32,
        lines: &[String],
        changes: &Changes,
    ) -> Result<Splice, Halt> {
        let path = loaded.facts.path.as_str();
        let file = FileView::new(path, &loaded.text, &loaded.facts);
        let gone = changes.outer.get(path);
        let is_gone = |start: u32| {
            gone.is_some_and(|texts| {
                texts
                    .iter()
                    .any(|((from, to), text)| text.is_empty() && *from <= start && start < *to)
            })
        };
        let code = lines.join("\n");
        let (anchor, position) = match last_import(&loaded.facts, index, &is_gone) {
            Some(at) => (at, Position::After),
            None => match children(&loaded.facts, index).find(|(_, item)| {
                !self.subject.holds(path, item.span.start_byte) && !is_gone(item.span.start_byte)
            }) {
                Some((first, _)) => (first, Position::Before),
                None => (index, Position::FirstChild),
            },
        };
        let (at, text) = asof_edit::insertion(&file, anchor, path, position, &code)?;
        Ok(Splice { start: at, end: at, text, edit: self.number })
    }
}

/// Imports of the standard library come first, those of the crate last.
fn group(path: &str) -> u8 {
    match path.split("::").next().unwrap_or_default() {
        "std" | "core" | "alloc" => 0,
        "crate" | "self" | "super" => 2,
        _ => 1,
    }
}

/// The last import at the beginning of a module.
fn last_import(facts: &FileFacts, index: u32, is_gone: &dyn Fn(u32) -> bool) -> Option<u32> {
    let head = children(facts, index).take_while(|(_, item)| {
        matches!(item.kind, NodeKind::Import | NodeKind::ExternCrate)
            || matches!(
                item.header,
                Header::Module { inline: false, .. } | Header::MacroCall { .. }
            )
    });
    let imports = head.filter(|(_, item)| {
        item.kind == NodeKind::Import && item.cfg.is_empty() && !is_gone(item.span.start_byte)
    });
    imports.last().map(|(at, _)| at)
}

/// Joins deletions that overlap, and puts what would be inserted into one in its place.
fn join(text: &str, splices: &mut Vec<Splice>) {
    splices.sort_by_key(|splice| (splice.start, splice.end));
    let mut out: Vec<Splice> = Vec::with_capacity(splices.len());
    for splice in splices.drain(..) {
        let Some(last) = out.last_mut().filter(|last| splice.start < last.end) else {
            out.push(splice);
            continue;
        };
        let is_insertion = splice.start == splice.end;
        if is_insertion {
            let indent = asof_edit::indent_at(text, last.end.saturating_sub(1)).to_owned();
            let line = splice.text.trim();
            let end = if last.text.is_empty() || last.text.ends_with('\n') { "" } else { "\n" };
            last.text = format!("{}{end}{indent}{line}\n", last.text);
        } else {
            last.end = last.end.max(splice.end);
            last.text.push_str(&splice.text);
        }
    }
    *splices = out;
}
