//! Carries a draft over to the present bytes of its files, in memory: a refresh takes longer than a
//! file rests that another program keeps writing. It asks the database nothing about items, so what
//! it cannot tell from the texts alone is left to a new draft.

use super::draft::{Draft, compose};
use super::edit_target::Resolved;
use super::expect;
use super::options::EditOptions;
use super::target::Loaded;
use crate::database::Snapshot;
use asof_edit::{Edit, EditRequest, FileOp, FileView, InsertEdit, ItemEdit};
use asof_model::{FileFacts, ItemFacts, Micros, NodeKind, RawHash};

/// The draft for the files as they are now; `None` if a target has changed, or may have.
pub(super) fn carry(
    snapshot: &Snapshot<'_>,
    request: &EditRequest,
    options: &EditOptions,
    draft: Draft,
    planned_at: Micros,
) -> Option<Draft> {
    // Other files may have other uses by now.
    if request.refactors() {
        return None;
    }
    let Draft { plan: planned, mut files, operations, mut resolved } = draft;
    for file in &planned.files {
        let path = file.file_path.as_str();
        let now = read(snapshot, path);
        if now.as_ref().map(|(_, hash)| *hash) == file.before_hash {
            continue;
        }
        let (text, hash) = now.filter(|_| file.op == FileOp::Modify)?;
        let now = Loaded::new(path, text, hash);
        let then = files.get(path)?;
        if now.facts.partial && !then.facts.partial {
            return None;
        }
        for (number, one) in resolved.iter_mut().enumerate() {
            if one.file_path == path {
                let edit = request.edits.get(number)?;
                let mut there = follow(one, edit, number, then, &now)?;
                let before = planned.edits.get(number)?;
                there.moved |= expect::check(snapshot, &there, before, planned_at, edit).ok()?;
                *one = there;
            }
        }
        files.put(path, now);
    }
    let mut draft = Draft { plan: planned, files, operations, resolved };
    let warnings = std::mem::take(&mut draft.plan.warnings);
    let options = EditOptions {
        rustfmt: draft.plan.rustfmt,
        allow_broken: draft.plan.allow_broken,
        configuration: draft.plan.configuration.clone(),
        ..options.clone()
    };
    compose(snapshot, request, &options, &mut draft).ok()?;
    // Those about other files are the same.
    draft.plan.warnings.extend(warnings);
    draft.plan.tidy_warnings();
    Some(draft)
}

fn read(snapshot: &Snapshot<'_>, path: &str) -> Option<(String, RawHash)> {
    let root = snapshot.database.need_root().ok()?;
    let bytes = asof_workspace::read_file(root, path, asof_syntax::MAX_FILE_BYTES as u64).ok()?;
    let hash = RawHash::hash(&bytes);
    Some((String::from_utf8(bytes).ok()?, hash))
}

/// An edit of a file in its present text.
fn follow(
    one: &Resolved,
    edit: &Edit,
    number: usize,
    then: &Loaded,
    now: &Loaded,
) -> Option<Resolved> {
    let path = one.file_path.as_str();
    if matches!(edit, Edit::Splice(_)) {
        let [splice] = one.change.splices.as_slice() else { return None };
        let around = innermost(&then.facts, splice.start, splice.end)?;
        let place = same_item(&then.facts, &now.facts, around)?;
        let (old, new) = (item(&then.facts, around)?, item(&now.facts, place)?);
        if text(then, old) != text(now, new) {
            return None;
        }
        let moved = |byte: u32| byte - old.span.start_byte + new.span.start_byte;
        let (start, end) = (moved(splice.start), moved(splice.end));
        let splice = asof_edit::Splice { start, end, ..splice.clone() };
        return Some(Resolved::of_bytes(one.file_path.clone(), now, splice, one.moved));
    }
    let edit = ItemEdit::from_edit(edit)?;
    let index = one.index?;
    let place = match index {
        0 => 0,
        _ => same_item(&then.facts, &now.facts, index)?,
    };
    let (old, new) = (item(&then.facts, index)?, item(&now.facts, place)?);
    // An anchor was chosen by its text, which is not compared otherwise.
    if matches!(edit, ItemEdit::Insert(InsertEdit { has: Some(_), .. }))
        && text(then, old) != text(now, new)
    {
        return None;
    }
    if edit.expected_hash().is_some_and(|hash| *hash != new.tracking_hash) {
        return None;
    }
    let mut target = one.item.clone()?;
    // The declaration of a module is in another file than the module.
    if target.file_path == path && target.span == old.span {
        target.span = new.span;
    }
    let view = FileView::new(path, &now.text, &now.facts);
    let change = asof_edit::changes(&view, place, edit, number).ok()?;
    let expected = expect::expected(&target, place, now, &change.splices, edit);
    Some(Resolved {
        file_path: one.file_path.clone(),
        index: Some(place),
        item: Some(target),
        change,
        moved: one.moved,
        expected,
        refactored: None,
    })
}

/// The item of the new facts that is an item of the old ones: the only one in each that has its
/// kind, name and head, and whose containers have theirs.
fn same_item(then: &FileFacts, now: &FileFacts, index: u32) -> Option<u32> {
    let wanted = chain(then, index)?;
    let only = |facts: &FileFacts| {
        let last = |item: &ItemFacts| Some(&head(item)) == wanted.first();
        let all = facts.items.iter().enumerate().skip(1).filter(|(_, item)| last(item));
        let mut same =
            all.map(|(at, _)| at as u32).filter(|at| chain(facts, *at).as_ref() == Some(&wanted));
        let first = same.next()?;
        same.next().is_none().then_some(first)
    };
    only(then).filter(|at| *at == index)?;
    only(now)
}

type Head<'f> = (NodeKind, &'f str, &'f str, &'f str);

fn head(item: &ItemFacts) -> Head<'_> {
    // The signature of an impl is its header. That of another item is compared with its text, or
    // does not matter.
    let header = if item.kind == NodeKind::Impl { item.signature.as_str() } else { "" };
    (item.kind, &item.name, header, &item.cfg)
}

/// The heads of an item and of what holds it, outwards.
fn chain(facts: &FileFacts, index: u32) -> Option<Vec<Head<'_>>> {
    let mut heads = Vec::new();
    let mut at = index;
    while at != 0 {
        let item = item(facts, at)?;
        heads.push(head(item));
        // A parent comes before its children.
        at = Some(item.parent).filter(|parent| *parent < at)?;
    }
    Some(heads)
}

/// The smallest item that holds these bytes.
fn innermost(facts: &FileFacts, start: u32, end: u32) -> Option<u32> {
    let all = facts.items.iter().enumerate().skip(1);
    let around = all.filter(|(_, i)| {
        i.span.start_byte <= start && start < i.span.end_byte && end <= i.span.end_byte
    });
    let inner = around.min_by_key(|(at, i)| (i.span.len(), usize::MAX - at));
    inner.map(|(at, _)| at as u32)
}

fn item(facts: &FileFacts, index: u32) -> Option<&ItemFacts> {
    facts.items.get(index as usize)
}

fn text<'l>(loaded: &'l Loaded, item: &ItemFacts) -> &'l str {
    let (start, end) = (item.span.start_byte as usize, item.span.end_byte as usize);
    loaded.text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the first item of this name is in the other text.
    fn place(then: &str, name: &str, now: &str) -> Option<u32> {
        let parse = |text: &str| asof_syntax::parse_file_isolated("lib.rs", text.as_bytes());
        let (then, now) = (parse(then), parse(now));
        let index = then.items.iter().skip(1).position(|item| item.name == name).unwrap() as u32;
        let found = same_item(&then, &now, index + 1)?;
        Some(item(&now, found).unwrap().span.start_byte)
    }

    #[test]
    fn an_item_is_followed_if_there_is_one_that_it_can_be() {
        assert_eq!(place("fn a() {}\n", "a", "// First.\nfn a() {}\n"), Some(10));
        assert_eq!(place("fn a() {}\n", "a", "fn b() {}\n"), None);
        // Its containers are the same ones, not others with an item of its name.
        let one = "impl P<u8> {\n    fn k() {}\n}\nimpl P<char> {}\n";
        let other = "impl P<u8> {}\nimpl P<char> {\n    fn k() {}\n}\n";
        assert_eq!(place(one, "k", one), Some(17));
        assert_eq!(place(one, "k", other), None);
        assert_eq!(place("mod m {\n    fn a() {}\n}\n", "a", "fn a() {}\nmod m {}\n"), None);
        // Of two that are alike, nobody can say which.
        let two = "fn a() {}\nfn a() {}\n";
        assert_eq!(place(two, "a", two), None);
        assert_eq!(place("fn a() {}\n", "a", two), None);
        let twins = "#[cfg(unix)]\nfn a() {}\n#[cfg(windows)]\nfn a() {}\n";
        assert_eq!(place(twins, "a", &format!("\n{twins}")), Some(1));
    }
}
