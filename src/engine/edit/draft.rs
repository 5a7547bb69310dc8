//! Turns a request into a plan: the target of each edit, the new text of each file, and a check
//! that nothing else changes.

use std::collections::{BTreeMap, BTreeSet};

use super::choose::{self, Target};
use super::edit_target::{Resolved, part_of};
use super::executed_files;
use super::expect;
use super::operations::{self, Operations};
use super::options::EditOptions;
use super::refactor;
use super::target::{self, Files, Halt};
use super::use_warnings::{self, ChangedFile};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_edit::{
    CanonicalEdit, Edit, EditError, EditRequest, FileOp, FileView, Hunk, ItemEdit, Manner, Part,
    Patch, Plan, PlannedEdit, PlannedFile, Position, Splice, SpliceEdit, Touched,
};
use asof_model::{ByteRange, FileFacts, Micros, RawHash, Span};
use asof_query::Queries;
use asof_wire::Item;

/// A plan, and what it was made from.
#[derive(Debug)]
pub(super) struct Draft {
    pub plan: Plan,
    pub files: Files,
    pub operations: Operations,
    pub resolved: Vec<Resolved>,
}

/// Plans a request at a snapshot. With `earlier`, each target must be as it was for that plan, at
/// that time.
pub(super) fn draft(
    snapshot: &Snapshot<'_>,
    request: &EditRequest,
    options: &EditOptions,
    mut files: Files,
    earlier: Option<(&Plan, Micros)>,
) -> Result<Draft, Halt> {
    if request.refactors() && options.rustfmt {
        let reason = "a change of every use is written as it is: leave out `rustfmt`".to_owned();
        return Err(EditError::Malformed { reason }.into());
    }
    let request = &*refactor::with_empty_modules(snapshot, &mut files, request)?;
    let mut operations = Operations::default();
    let deleted = deleted_items(snapshot, &mut files, request);
    let mut resolved = Vec::with_capacity(request.edits.len());
    for (number, edit) in request.edits.iter().enumerate() {
        let before = earlier.and_then(|(plan, at)| Some((plan.edits.get(number)?, at)));
        let found = resolve(snapshot, &mut files, &mut operations, edit, &deleted, number);
        let found = match before {
            None => found,
            Some((before, at)) => found.map_err(|halt| since(halt, before)).and_then(|mut one| {
                one.moved |= expect::check(snapshot, &one, before, at, edit)?;
                Ok(one)
            }),
        };
        resolved.push(found.map_err(|halt| in_edit(halt, request, number))?);
    }
    refactor::prune_imports(snapshot, &mut files, request, &mut resolved)?;
    refactor::join_edits(snapshot, &mut files, request, &mut resolved)?;
    let mut draft = Draft { plan: Plan::default(), files, operations, resolved };
    let changed = compose(snapshot, request, options, &mut draft)?;
    if request.refactors() {
        refactor::prove(snapshot, &draft.files, &draft.resolved, &changed, &mut draft.plan)?;
    } else {
        use_warnings::warn(snapshot, &draft.files, &changed, &mut draft.plan)?;
    }
    executed_files::warn(snapshot, &mut draft.plan)?;
    draft.plan.tidy_warnings();
    Ok(draft)
}

/// The plan of a draft whose targets are known: the new text of each file, checked.
pub(super) fn compose(
    snapshot: &Snapshot<'_>,
    request: &EditRequest,
    options: &EditOptions,
    draft: &mut Draft,
) -> Result<Vec<ChangedFile>, Halt> {
    let mut plan = Plan {
        rustfmt: options.rustfmt,
        allow_broken: options.allow_broken,
        configuration: options.configuration.clone(),
        ..Plan::default()
    };
    let Draft { files, operations: whole, resolved, .. } = draft;
    whole.refuse_conflicts(resolved)?;
    refuse_rivals(request, resolved)?;
    let paths: BTreeSet<&str> = resolved.iter().flat_map(Resolved::spliced_files).collect();
    let mut spans: BTreeMap<usize, (Span, Span)> = BTreeMap::new();
    let mut changed = Vec::new();
    for path in paths {
        let (file, change) = change_file(snapshot, files, path, resolved, &mut plan, &mut spans)?;
        plan.files.push(file);
        changed.push(change);
    }
    for one in resolved.iter().filter_map(|one| one.refactored.as_deref()) {
        for (from, to) in &one.moves {
            let Some(loaded) = files.get(from) else {
                return Err(Halt::Again { file_path: from.clone() });
            };
            operations::move_file(&mut plan, from, to, &loaded.text, loaded.hash);
        }
    }
    for (path, text) in
        resolved.iter().filter_map(|one| one.refactored.as_deref()).flat_map(|one| &one.created)
    {
        operations::create_file(&mut plan, path, text)?;
    }
    whole.plan(&mut plan)?;
    if plan.files.iter().all(|f| f.op == FileOp::Modify && f.before_hash == f.after_hash) {
        return Err(EditError::NoChange.into());
    }
    plan.files.retain(|f| f.op != FileOp::Modify || f.before_hash != f.after_hash);
    plan.files.sort_by(|a, b| a.file_path.cmp(&b.file_path));
    for (number, (edit, one)) in request.edits.iter().zip(resolved).enumerate() {
        let spans = spans.get(&number);
        let same = !one.change.splices.is_empty() && one.is_same();
        let path = one.item.as_ref().and_then(|item| item.path.clone());
        plan.edits.push(PlannedEdit {
            path_after: path.as_deref().and_then(|path| edit.path_after(path)),
            path: path.unwrap_or_else(|| one.file_path.clone()),
            kind: one.item.as_ref().map(|item| item.kind),
            mode: edit.mode().to_owned(),
            file_path: one.file_path.clone(),
            span_before: spans.map(|(before, _)| *before),
            span_after: spans.map(|(_, after)| *after),
            moved: one.moved,
            same,
            expected: one.expected.clone(),
        });
    }
    draft.plan = plan;
    Ok(changed)
}

/// Refuses two edits of one item where one replaces it: new documentation goes in front of an item,
/// and would not overlap with its replacement.
fn refuse_rivals(request: &EditRequest, resolved: &[Resolved]) -> Result<(), EditError> {
    let all = || request.edits.iter().zip(resolved).enumerate();
    for (first, (edit, one)) in all() {
        for (second, (other_edit, other)) in all().skip(first + 1) {
            let same = one.expected.id.is_some() && one.expected.id == other.expected.id;
            // Occurrences within an item are compared by their bytes, as are the uses of one.
            let beside = |edit: &Edit| {
                matches!(
                    edit,
                    Edit::Insert(_)
                        | Edit::Canonical(CanonicalEdit { find: Some(_), .. })
                        | Edit::Rename(_)
                        | Edit::Move(_)
                        | Edit::ChangeSignature(_)
                )
            };
            if !same || one.file_path != other.file_path || beside(edit) || beside(other_edit) {
                continue;
            }
            let (part, other_part) = (part_of(edit), part_of(other_edit));
            if part == other_part || part == Part::Whole || other_part == Part::Whole {
                let file_path = one.file_path.clone();
                return Err(EditError::Overlap { file_path, first, second });
            }
        }
    }
    Ok(())
}

/// Adds to an error which edit of the request it is about, if there are several.
fn in_edit(halt: Halt, request: &EditRequest, number: usize) -> Halt {
    let (Some(edit), true) = (request.edits.get(number), request.edits.len() > 1) else {
        return halt;
    };
    let field = match edit {
        Edit::Insert(_) => ".anchor",
        Edit::Canonical(_)
        | Edit::Delete(_)
        | Edit::Rename(_)
        | Edit::Move(_)
        | Edit::ChangeSignature(_) => ".path",
        _ => "",
    };
    let named = |what: String| format!("edits[{number}]{field}: {what}");
    match halt {
        Halt::Error(EngineError::Edit(error)) => error.of_edit(number).into(),
        Halt::Error(EngineError::NotFound { what, hint }) => {
            EngineError::NotFound { what: named(what), hint }.into()
        }
        Halt::Error(EngineError::Ambiguous { what, hint, candidates }) => {
            EngineError::Ambiguous { what: named(what), hint, candidates }.into()
        }
        halt => halt,
    }
}

/// A target that was found before and is not found now is stale, not unknown.
fn since(halt: Halt, before: &PlannedEdit) -> Halt {
    match halt {
        Halt::Error(EngineError::NotFound { .. }) => {
            expect::gone(before, "the item is gone since the edit was planned").into()
        }
        Halt::Error(EngineError::Ambiguous { .. }) => {
            expect::gone(before, "the path matches several items since the edit was planned").into()
        }
        // In a file that no longer parses, only a part of an item may be found.
        Halt::Error(EngineError::Edit(EditError::NoPart { .. } | EditError::NoChildren { .. })) => {
            expect::gone(before, "the item is no longer complete since the edit was planned").into()
        }
        Halt::Error(EngineError::Edit(EditError::Find { .. })) => {
            let reason = "the text to find is no longer in the item since the edit was planned";
            expect::gone(before, reason).into()
        }
        Halt::Error(EngineError::Edit(EditError::FindMany { .. })) => {
            let reason = "the text to find occurs several times since the edit was planned";
            expect::gone(before, reason).into()
        }
        halt => halt,
    }
}

/// The target of one edit, and its splices.
fn resolve(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    operations: &mut Operations,
    edit: &Edit,
    deleted: &[Item],
    number: usize,
) -> Result<Resolved, Halt> {
    match edit {
        Edit::Splice(edit) => splice(snapshot, files, edit, number),
        Edit::Rename(edit) => refactor::rename(snapshot, files, edit, number),
        Edit::Move(edit) => refactor::relocate(snapshot, files, edit, number),
        Edit::ChangeSignature(edit) => refactor::change_signature(snapshot, files, edit, number),
        Edit::CreateFile(edit) => operations.create(snapshot, edit, number),
        Edit::RenameFile(edit) => operations.rename(snapshot, files, edit, number),
        Edit::DeleteFile(edit) => operations.delete(snapshot, edit, number),
        Edit::Manifest(edit) => operations.edit_manifest(snapshot, edit, number),
        Edit::Canonical(edit) => {
            of_item(snapshot, files, operations, ItemEdit::Canonical(edit), number)
        }
        Edit::Insert(edit) => of_item(snapshot, files, operations, ItemEdit::Insert(edit), number),
        Edit::Delete(edit) => {
            let mut own = of_item(snapshot, files, operations, ItemEdit::Delete(edit), number)?;
            refactor::delete(snapshot, files, &mut own, edit, deleted)?;
            Ok(own)
        }
    }
}

/// The items that a request deletes. One that is not found is an error of its own edit.
fn deleted_items(snapshot: &Snapshot<'_>, files: &mut Files, request: &EditRequest) -> Vec<Item> {
    let deletions = request.edits.iter().filter_map(|edit| match edit {
        Edit::Delete(edit) => Some(Target::from_edit(ItemEdit::Delete(edit))),
        _ => None,
    });
    deletions.filter_map(|target| choose::item(snapshot, files, target).ok()).collect()
}

/// The target and splices of an edit of one item.
fn of_item(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    operations: &mut Operations,
    edit: ItemEdit<'_>,
    number: usize,
) -> Result<Resolved, Halt> {
    let item = choose::item(snapshot, files, Target::from_edit(edit))?;
    files.load(snapshot, &item.file_path)?;
    target::expect_hash(snapshot, &item, edit.expected_hash())?;
    let mut index = target::index_of(snapshot, files, &item)?;
    if index == 0 && matches!(edit, ItemEdit::Delete(_)) {
        return operations.delete_module(snapshot, files, &item, number);
    }
    let mut file_path = item.file_path.clone();
    if index == 0
        && is_about_declaration(edit)
        && let Some(place) = target::declaration(snapshot, files, &item)?
    {
        (file_path, index) = place;
    }
    let Some(loaded) = files.get(&file_path) else {
        return Err(Halt::Again { file_path });
    };
    let view = FileView::new(&file_path, &loaded.text, &loaded.facts);
    let change = asof_edit::changes(&view, index, edit, number)?;
    let expected = expect::expected(&item, index, loaded, &change.splices, edit);
    let (item, index) = (Some(item), Some(index));
    Ok(Resolved { file_path, index, item, change, moved: false, expected, refactored: None })
}

/// Whether an edit of a module in its own file targets its `mod name;`.
fn is_about_declaration(edit: ItemEdit<'_>) -> bool {
    match edit {
        ItemEdit::Insert(edit) => matches!(edit.position, Position::Before | Position::After),
        ItemEdit::Canonical(edit) => matches!(edit.part, Part::Signature | Part::Declaration),
        ItemEdit::Delete(_) => false,
    }
}

fn splice(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    edit: &SpliceEdit,
    number: usize,
) -> Result<Resolved, Halt> {
    let SpliceEdit { file_path, replacement, namespace, .. } = edit;
    let file_path = target::relative(snapshot, file_path)?;
    if let Some(given) = namespace {
        let crates = Queries::at(snapshot.store(), snapshot.at);
        let modules = crates.file_modules(&file_path).map_err(EngineError::from)?;
        let found: Vec<String> = modules.iter().map(|m| m.namespace.to_string()).collect();
        if !found.contains(given) {
            let found = found.first().cloned().unwrap_or_default();
            return Err(EditError::OtherProject { given: given.clone(), found }.into());
        }
    }
    files.load(snapshot, &file_path)?;
    let Some(loaded) = files.get(&file_path) else {
        return Err(Halt::Again { file_path });
    };
    let (start, end, moved) = target::splice_range(snapshot, loaded, edit, &file_path)?;
    let splice = Splice { start, end, text: replacement.clone(), edit: number };
    Ok(Resolved::of_bytes(file_path, loaded, splice, moved))
}

/// The new text of one file, checked.
fn change_file(
    snapshot: &Snapshot<'_>,
    files: &Files,
    path: &str,
    resolved: &[Resolved],
    plan: &mut Plan,
    spans: &mut BTreeMap<usize, (Span, Span)>,
) -> Result<(PlannedFile, ChangedFile), Halt> {
    let Some(loaded) = files.get(path) else {
        return Err(Halt::Again { file_path: path.to_owned() });
    };
    let mut splices: Vec<Splice> =
        resolved.iter().flat_map(|one| one.splices_in(path).iter().cloned()).collect();
    let manner =
        |number: usize| resolved.get(number).map_or(Manner::Bytes, |one| one.change.manner);
    asof_edit::settle(path, &mut splices, manner)?;
    let (mut text, mut places) = asof_edit::compose(path, &loaded.text, &mut splices)?;
    let mut facts = asof_syntax::parse_file_isolated(path, text.as_bytes());
    let touched = asof_edit::touched(&splices, &places, |number| {
        let one = resolved.get(number)?;
        let subject = one.item.as_ref().map_or(path, |i| i.path.as_deref().unwrap_or(&i.name));
        Some((&one.change, subject))
    });
    let views =
        (FileView::new(path, &loaded.text, &loaded.facts), FileView::new(path, &text, &facts));
    match asof_edit::compare(&views.0, &views.1, &touched) {
        Ok(()) => {}
        Err(error) if plan.allow_broken && is_about_the_result(&error) => {
            plan.warnings.push(error.to_string());
        }
        Err(error) if resolved.len() > 1 => {
            let broken = facts.issues.first().and_then(|issue| issue.span);
            let number = match &error {
                EditError::DoesNotParse { .. } => broken.and_then(|span| {
                    let holds = |place: &ByteRange| {
                        place.start <= span.start_byte && span.start_byte <= place.end
                    };
                    splices.get(places.iter().position(holds)?).map(|splice| splice.edit)
                }),
                EditError::ChangesOthers { subject, .. }
                | EditError::NotAlone { subject, .. }
                | EditError::WrongKind { canon: subject, .. } => {
                    only(splices.iter().zip(&touched).filter(|(_, one)| one.subject == *subject))
                }
                _ => None,
            };
            return Err(match number {
                Some(number) => error.of_edit(number).into(),
                None => error.into(),
            });
        }
        Err(error) => return Err(error.into()),
    }
    if loaded.facts.partial {
        plan.warnings.push(format!("{path} did not parse before the edit either"));
    }
    if plan.rustfmt {
        let folder = snapshot.database.need_root()?.join(path);
        let folder = folder.parent().unwrap_or(&folder);
        let edition = edition(snapshot, path)?;
        let formatted = asof_edit::format_items(&facts, &text, &places, &edition, folder)?;
        (text, places) = formatted;
        facts = asof_syntax::parse_file_isolated(path, text.as_bytes());
    }
    for (splice, place) in splices.iter().zip(&places) {
        let Some(one) = resolved.get(splice.edit) else { continue };
        if one.file_path != path {
            continue;
        }
        let before = span_of(&loaded.text, splice.start, splice.end);
        let after = span_of(&text, place.start, place.end);
        let whole = |old: &(Span, Span)| (join(old.0, before), join(old.1, after));
        let both = spans.get(&splice.edit).map_or((before, after), whole);
        spans.insert(splice.edit, both);
        warn(one, &loaded.facts, &facts, *place, &mut plan.warnings);
    }
    let hunks = splices.iter().map(|splice| Hunk {
        at: splice.start.into(),
        old: (splice.end - splice.start).into(),
        new: splice.text.len() as u64,
    });
    // rustfmt may have changed more.
    let patch = Some(Patch::new(hunks));
    let patch = patch.filter(|patch| patch.leads(loaded.text.as_bytes(), text.as_bytes()));
    let diff = asof_edit::unified(Some(path), &loaded.text, Some(path), &text);
    let change = ChangedFile { file_path: path.to_owned(), after: facts, splices };
    let file = PlannedFile {
        file_path: path.to_owned(),
        op: FileOp::Modify,
        before_hash: Some(loaded.hash),
        after_hash: Some(RawHash::hash(text.as_bytes())),
        after: Some(text),
        patch,
        diff,
    };
    Ok((file, change))
}

/// The edit that all of these belong to; `None` if there are several.
fn only<'a>(mut of: impl Iterator<Item = (&'a Splice, &'a Touched)>) -> Option<usize> {
    let first = of.next()?.0.edit;
    of.all(|(splice, _)| splice.edit == first).then_some(first)
}

fn is_about_the_result(error: &EditError) -> bool {
    matches!(error, EditError::DoesNotParse { .. } | EditError::ChangesOthers { .. })
}

/// Warnings about what the user may not have intended.
fn warn(
    one: &Resolved,
    before: &FileFacts,
    after: &FileFacts,
    place: ByteRange,
    warnings: &mut Vec<String>,
) {
    let Some(item) = &one.item else { return };
    let path = item.path.as_deref().unwrap_or(&item.name);
    let around = |facts: &FileFacts| {
        let items = || facts.items.iter().skip(1).filter(|i| i.kind == item.kind);
        // What is replaced is the item or a part of it; items in it are others.
        let outside = items().filter(|i| i.span.bytes().covers(place)).min_by_key(|i| i.span.len());
        let inside =
            || items().filter(|i| place.covers(i.span.bytes())).max_by_key(|i| i.span.len());
        outside.or_else(inside).cloned()
    };
    if one.change.becomes.is_none() && one.expected.own_text.is_none() {
        return;
    }
    let old = before.items.iter().find(|i| i.span == item.span && i.kind == item.kind);
    let (Some(old), Some(new)) = (old, around(after)) else { return };
    if !old.docs.is_empty() && new.docs.is_empty() {
        warnings.push(format!("`{path}` loses its documentation"));
    }
    if !old.attrs.is_empty() && new.attrs.is_empty() || !old.cfg.is_empty() && new.cfg.is_empty() {
        warnings.push(format!("`{path}` loses its attributes"));
    }
}

/// The edition with which rustc parses a file.
fn edition(snapshot: &Snapshot<'_>, path: &str) -> Result<String, EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let modules = queries.file_modules(path)?;
    let crates = queries.crates()?;
    let of = |root| crates.iter().find(|c| c.root_id == root).map(|c| c.edition.clone());
    Ok(modules.iter().find_map(|m| of(m.root_id)).unwrap_or_else(|| "2021".to_owned()))
}

fn span_of(text: &str, start: u32, end: u32) -> Span {
    Span {
        start_byte: start,
        end_byte: end,
        start_line: asof_edit::line_of(text, start),
        end_line: asof_edit::line_of(text, end.saturating_sub(1).max(start)),
    }
}

fn join(a: Span, b: Span) -> Span {
    Span {
        start_byte: a.start_byte.min(b.start_byte),
        end_byte: a.end_byte.max(b.end_byte),
        start_line: a.start_line.min(b.start_line),
        end_line: a.end_line.max(b.end_line),
    }
}
