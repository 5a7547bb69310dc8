//! Files that code names relative to its own file: they are the same after a text or a file moved.

use super::manifests::manifests;
use super::places::place;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use crate::items::{read_text, source_texts};
use asof_edit::line_of;
use asof_refactor::{RelativeFile, join, relative_files};
use asof_syntax::{Kind, lex};
use asof_wire::{Doubt, Obligation, PlaceToLookAt};
use asof_workspace::parent_folder;

/// A text that goes from one file to another.
struct Moved<'a> {
    from: &'a str,
    to: &'a str,
    /// Text of the file, and the part that moves.
    text: &'a str,
    start: u32,
    end: u32,
}

pub(super) fn check(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    out: &mut Refactored,
) -> Result<(), Halt> {
    for path in out.moves.keys().chain(out.carried.iter().map(|text| &text.from.0)) {
        files.load(snapshot, path)?;
    }
    let (mut wrong, mut look_at, mut checked) = (Vec::new(), Vec::new(), 0);
    let whole = out.moves.iter().filter_map(|(from, to)| {
        let text = files.get(from)?.text.as_str();
        Some(Moved { from, to, text, start: 0, end: text.len() as u32 })
    });
    let parts = out.carried.iter().filter_map(|carried| {
        let (from, start, end) = &carried.from;
        let text = files.get(from)?.text.as_str();
        Some(Moved { from, to: &carried.to, text, start: *start, end: *end })
    });
    for moved in whole.chain(parts).filter(|moved| moved.from != moved.to) {
        let part = moved.text.get(moved.start as usize..moved.end as usize).unwrap_or_default();
        for file in relative_files(part) {
            checked += 1;
            match moved.judge(&file, out) {
                Judged::Same => {}
                Judged::Unknown(found) => look_at.push(found),
                Judged::Other(reason) => wrong.push(reason),
            }
        }
    }
    if !out.moves.is_empty() {
        checked += name_moved_files(snapshot, out, &mut look_at, &mut wrong)?;
    }
    out.wrong.append(&mut wrong);
    out.look_at.append(&mut look_at);
    out.check(Obligation::Files, checked);
    Ok(())
}

/// What becomes of a relative path.
enum Judged {
    Same,
    Unknown(PlaceToLookAt),
    Other(String),
}

impl Moved<'_> {
    fn judge(&self, file: &RelativeFile, out: &Refactored) -> Judged {
        let at = self.start + file.at;
        let Some(path) = &file.path else {
            return Judged::Unknown(place(self.from, self.text, at, Doubt::RelativeFile));
        };
        let before = join(parent_folder(self.from), path);
        let after = join(parent_folder(self.to), path);
        let follows = before.as_ref().and_then(|before| out.moves.get(before));
        if after.is_some() && after.as_ref() == follows.or(before.as_ref()) {
            return Judged::Same;
        }
        let (from, line) = (self.from, line_of(self.text, at));
        let outside = || "a file outside".to_owned();
        let (before, after) = (before.unwrap_or_else(outside), after.unwrap_or_else(outside));
        Judged::Other(format!("{from}:{line}: names {before}, would name {after}"))
    }
}

/// Other files and manifests that name a file which moves. Returns the number of files read.
fn name_moved_files(
    snapshot: &Snapshot<'_>,
    out: &Refactored,
    look_at: &mut Vec<PlaceToLookAt>,
    wrong: &mut Vec<String>,
) -> Result<usize, Halt> {
    let root = snapshot.database.need_root()?;
    let mut count = 0;
    let manifests = manifests(snapshot)?;
    for path in &manifests {
        let Some(text) = read_text(root, path) else { continue };
        count += 1;
        for (at, quoted) in quoted(&text) {
            let named = join(parent_folder(path), quoted);
            if let Some(named) = named.filter(|named| out.moves.contains_key(named)) {
                let line = line_of(&text, at);
                wrong.push(format!("{path}:{line}: names {named}, which moves"));
            }
        }
    }
    let below_manifest = |path: &str| {
        let folders = manifests.iter().map(|manifest| parent_folder(manifest));
        let inside = folders.filter(|folder| folder.is_empty() || path.starts_with(*folder));
        let longest = inside.map(str::len).max().unwrap_or_default();
        path.get(longest..).unwrap_or_default().trim_start_matches('/').to_owned()
    };
    let names: Vec<String> = out.moves.keys().map(|path| below_manifest(path)).collect();
    for (path, text) in source_texts(snapshot)? {
        count += 1;
        if !out.moves.contains_key(&path) {
            for file in relative_files(&text) {
                let named = file.path.and_then(|named| join(parent_folder(&path), &named));
                if let Some(named) = named.filter(|named| out.moves.contains_key(named)) {
                    let line = line_of(&text, file.at);
                    wrong.push(format!("{path}:{line}: names {named}, which moves"));
                }
            }
        }
        if !names.iter().any(|name| text.contains(name.as_str())) {
            continue;
        }
        for token in lex(&text, 0).iter().filter(|token| token.kind == Kind::Literal) {
            let literal = text.get(token.start as usize..token.end as usize).unwrap_or_default();
            if names.iter().any(|name| literal.contains(name.as_str())) {
                look_at.push(place(&path, &text, token.start, Doubt::FileName));
            }
        }
    }
    Ok(count)
}

/// What stands in quotes in the lines of a manifest, with its first byte.
fn quoted(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut at = 0;
    text.split(['"', '\'']).enumerate().filter_map(move |(number, part)| {
        let start = at as u32;
        at += part.len() + 1;
        (number % 2 == 1).then_some((start, part))
    })
}
