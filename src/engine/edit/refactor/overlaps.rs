//! Lets edits of one request change the same text: new code is taken as it is given, and a text that
//! moves takes along what others change in it. The proof compares every name in any case.

use std::collections::BTreeMap;

use crate::database::Snapshot;
use crate::edit::edit_target::{CarriedText, Resolved};
use crate::edit::target::{Files, Halt};
use asof_edit::{Edit, EditError, EditRequest, Splice};
use asof_model::ByteRange;
use asof_refactor::words;

/// What an edit does with a text, as far as others may change it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Puts a name in the place of another.
    Rename,
    /// Rewrites what it replaces: paths, calls, heads of functions.
    Rewrite,
    /// Replaces it by code that is given, or by nothing.
    Replace,
}

fn way(edit: &Edit) -> Way {
    match edit {
        Edit::Rename(_) => Way::Rename,
        Edit::Move(_) | Edit::ChangeSignature(_) => Way::Rewrite,
        _ => Way::Replace,
    }
}

/// Makes the splices of a request's edits disjoint, where it is known what they mean together. Those
/// that still overlap are refused later.
pub(in crate::edit) fn join_edits(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    request: &EditRequest,
    resolved: &mut [Resolved],
) -> Result<(), Halt> {
    let ways: Vec<Way> = request.edits.iter().map(way).collect();
    if ways.len() < 2 || ways.iter().all(|way| *way == Way::Replace) {
        return Ok(());
    }
    let all = |wanted: Way| {
        let numbers = ways.iter().enumerate().filter(move |(_, way)| **way == wanted);
        numbers.map(|(number, _)| number)
    };
    for renamer in all(Way::Rename) {
        all(Way::Replace).for_each(|other| leave_to(resolved, renamer, other));
    }
    for mover in all(Way::Rewrite) {
        carry_along(snapshot, files, resolved, mover)?;
    }
    for renamer in all(Way::Rename) {
        for other in all(Way::Rewrite) {
            rename_within(snapshot, files, resolved, renamer, other)?;
        }
    }
    Ok(())
}

/// All splices of an edit, by file.
fn splices(edit: &mut Resolved) -> impl Iterator<Item = (&str, &mut Vec<Splice>)> {
    let own = (edit.file_path.as_str(), &mut edit.change.splices);
    let elsewhere = edit.refactored.iter_mut().flat_map(|all| all.elsewhere.iter_mut());
    std::iter::once(own).chain(elsewhere.map(|(path, splices)| (path.as_str(), splices)))
}

fn range(splice: &Splice) -> ByteRange {
    ByteRange::new(splice.start, splice.end)
}

/// A rename leaves to other edits what they replace.
fn leave_to(resolved: &mut [Resolved], renamer: usize, other: usize) {
    let Some(replaced) = resolved.get(other).cloned() else { return };
    let Some(renamer) = resolved.get_mut(renamer) else { return };
    for (path, splices) in splices(renamer) {
        let replaced = replaced.splices_in(path);
        splices.retain(|name| {
            !replaced.iter().any(|one| one.start < one.end && range(one).covers(range(name)))
        });
    }
}

/// Puts the new name into what another edit rewrites, and into the imports that it adds.
fn rename_within(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    resolved: &mut [Resolved],
    renamer: usize,
    other: usize,
) -> Result<(), Halt> {
    let Some(renames) = resolved.get(renamer).cloned() else { return Ok(()) };
    let Some(rewrites) = resolved.get_mut(other) else { return Ok(()) };
    let Some(old) = renames.item.as_ref().map(|item| item.name.clone()) else { return Ok(()) };
    let mut done: BTreeMap<String, Vec<ByteRange>> = BTreeMap::new();
    for (path, splices) in splices(rewrites) {
        let loaded = files.loaded(snapshot, path)?;
        for splice in splices.iter_mut().filter(|splice| splice.start < splice.end) {
            let names: Vec<&Splice> = renames
                .splices_in(path)
                .iter()
                .filter(|name| range(splice).covers(range(name)))
                .collect();
            let Some(first) = names.first() else { continue };
            let alike = names.iter().all(|name| {
                name.text == first.text && range(name).slice(&loaded.text) == Some(&old)
            });
            if !alike || words(&splice.text, &old).count() != names.len() {
                continue;
            }
            splice.text = replace_words(&splice.text, &old, &first.text);
            done.entry(path.to_owned()).or_default().extend(names.iter().map(|name| range(name)));
        }
    }
    if let Some(new) = name_after(&renames, &old, files) {
        rename_imports(rewrites, &old, &new);
    }
    if let Some(renames) = resolved.get_mut(renamer) {
        for (path, splices) in splices(renames) {
            let Some(done) = done.get(path) else { continue };
            splices.retain(|name| !done.contains(&range(name)));
        }
    }
    Ok(())
}

/// What the rename writes in the place of the bare name.
fn name_after(renames: &Resolved, old: &str, files: &Files) -> Option<String> {
    let paths: Vec<&str> = renames.spliced_files().collect();
    paths.into_iter().find_map(|path| {
        let text = &files.get(path)?.text;
        let mut names = renames.splices_in(path).iter();
        names.find(|name| range(name).slice(text) == Some(old)).map(|name| name.text.clone())
    })
}

/// Imports that a move adds have the new name. The texts that it carries are renamed already; another
/// edit adds code that is given.
fn rename_imports(rewrites: &mut Resolved, old: &str, new: &str) {
    let Some(refactored) = rewrites.refactored.as_deref() else { return };
    if refactored.carried.is_empty() {
        return;
    }
    let carried: Vec<String> = refactored.carried.iter().map(|one| one.text.clone()).collect();
    let rename = |text: &str| {
        let first = carried.iter().filter_map(|one| text.find(one.as_str())).min();
        let (head, rest) = text.split_at(first.unwrap_or(text.len()));
        format!("{}{rest}", replace_words(head, old, new))
    };
    for (_, splices) in splices(rewrites) {
        for splice in splices.iter_mut().filter(|splice| splice.start == splice.end) {
            splice.text = rename(&splice.text);
        }
    }
    if let Some(refactored) = rewrites.refactored.as_deref_mut() {
        for text in refactored.created.values_mut() {
            *text = rename(text);
        }
    }
}

fn replace_words(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for start in words(text, old) {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str(new);
        at = start + old.len();
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Takes along what other edits change in the texts that an edit carries.
fn carry_along(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    resolved: &mut [Resolved],
    mover: usize,
) -> Result<(), Halt> {
    let carried = |one: &Resolved| one.refactored.as_ref().map(|all| all.carried.clone());
    let Some(texts) = resolved.get(mover).and_then(carried) else { return Ok(()) };
    for (at, text) in texts.into_iter().enumerate() {
        let (path, around) = (text.from.0.as_str(), ByteRange::new(text.from.1, text.from.2));
        let mut taken = Vec::new();
        for (_, one) in resolved.iter_mut().enumerate().filter(|(number, _)| *number != mover) {
            for (file, splices) in splices(one) {
                if file == path {
                    taken.extend(splices.extract_if(.., |splice| around.covers(range(splice))));
                }
            }
        }
        if taken.is_empty() {
            continue;
        }
        let source = &files.loaded(snapshot, path)?.text;
        let other = taken.first().map_or(mover, |splice| splice.edit);
        let Some(new) = with_changes(&text, taken, source) else {
            let (first, second) = (mover.min(other), mover.max(other));
            return Err(EditError::Overlap { file_path: path.to_owned(), first, second }.into());
        };
        let Some(refactored) = resolved.get_mut(mover).and_then(|one| one.refactored.as_mut())
        else {
            continue;
        };
        let (old_text, new_text) = (text.text.as_str(), new.text.as_str());
        if let Some(created) = refactored.created.get_mut(&text.to) {
            *created = created.replacen(old_text, new_text, 1);
        }
        if let Some(carried) = refactored.carried.get_mut(at) {
            *carried = new.clone();
        }
        let Some(one) = resolved.get_mut(mover) else { continue };
        for (_, splices) in splices(one).filter(|(file, _)| *file == text.to) {
            for splice in splices.iter_mut().filter(|splice| splice.start == text.at) {
                splice.text = splice.text.replacen(old_text, new_text, 1);
            }
        }
    }
    Ok(())
}

/// The carried text with more changes; where a change lies in what the move rewrites, the new name is
/// put there. `None` if it cannot be told what both mean together.
fn with_changes(text: &CarriedText, taken: Vec<Splice>, source: &str) -> Option<CarriedText> {
    let mut replaced = text.replaced.clone();
    for change in taken {
        replaced.retain(|own| own.start == own.end || !range(&change).covers(range(own)));
        let around = replaced
            .iter_mut()
            .find(|own| own.start < own.end && change.start < own.end && own.start < change.end);
        match around {
            None => replaced.push(change),
            Some(own) => {
                let old = range(&change).slice(source)?;
                if !range(own).covers(range(&change)) || words(&own.text, old).count() != 1 {
                    return None;
                }
                own.text = replace_words(&own.text, old, &change.text);
            }
        }
    }
    replaced.sort_by_key(|splice| (splice.start, splice.end));
    let mut out = String::new();
    let mut at = text.from.1;
    for splice in &replaced {
        out.push_str(source.get(at as usize..splice.start as usize)?);
        out.push_str(&splice.text);
        at = splice.end;
    }
    out.push_str(source.get(at as usize..text.from.2 as usize)?);
    Some(CarriedText { replaced, text: out, ..text.clone() })
}
