//! Finds the declarations of a function: of a trait and its impls, and those under other
//! conditions.

use std::collections::BTreeSet;

use super::found::Found;
use super::wish::Wish;
use crate::database::Snapshot;
use crate::edit::refactor::group::Group;
use crate::edit::target::{Files, Halt};
use asof_edit::line_of;
use asof_model::{Attr, FileFacts, NodeKind};
use asof_refactor::{Undeclared, Writer, declare, head};
use asof_wire::Doubt;

/// Attributes that have nothing to do with the signature of their function.
const PLAIN: [&str; 12] = [
    "allow", "cfg", "cold", "deny", "deprecated", "doc", "expect", "forbid", "inline", "must_use",
    "track_caller", "warn",
];

/// Uses in tokens that only a macro understands have this confidence: most macros take expressions.
const IN_TOKENS: f64 = 0.9;

/// Adds the changes of every declaration.
pub(super) fn change(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    group: &Group,
    wish: &Wish<'_>,
    found: &mut Found,
) -> Result<(), Halt> {
    let wanted = wish.wanted;
    let mut done = BTreeSet::new();
    for item in &group.items {
        let path = item.file_path.as_str();
        if !done.insert((path, item.start_byte)) {
            continue;
        }
        let loaded = files.loaded(snapshot, path)?;
        let text = loaded.text.as_str();
        let bytes = (item.start_byte, item.end_byte);
        let own = text.get(bytes.0 as usize..bytes.1 as usize).unwrap_or_default();
        let here = |at: u32| format!("{path}:{}", line_of(text, at));
        let Some(head) = head(own).map(|head| head.shifted(bytes.0)) else {
            return Err(wish.refuse("a declaration does not parse", vec![here(bytes.0)]).into());
        };
        let writer = Writer::new(text, &loaded.facts.uses);
        let declared = declare(&writer, text, bytes, &head, wish.named, wanted);
        let declared = declared.map_err(|why| {
            let (reason, places) = reason(why, head.name);
            wish.refuse(reason, places.into_iter().map(here).collect())
        })?;
        let mut look_at = |at: u32, reason: Doubt, confidence: f64| {
            found.look_at(path, at, line_of(text, at), reason, confidence, true);
        };
        for at in &declared.in_tokens {
            look_at(*at, Doubt::Tokens, IN_TOKENS);
        }
        for at in &declared.other_types {
            look_at(*at, Doubt::OtherType, 1.0);
        }
        let is_plain = |name: &String| {
            PLAIN.contains(&name.as_str())
                || name.starts_with("clippy::")
                || name.starts_with("rustfmt::")
        };
        let outer = outer_attributes(&loaded.facts, bytes.0, bytes.1);
        if !head.attributes.iter().chain(&outer).all(is_plain) {
            look_at(head.name, Doubt::Attribute, 1.0);
        }
        if declared.uses_retyped || head.has_body && wanted.returns.is_some() {
            look_at(head.name, Doubt::Retyped, 1.0);
        }
        if head.has_body && wanted.to_unsafe == Some(false) {
            look_at(head.name, Doubt::WasUnsafe, 1.0);
        }
        if head.has_body && wanted.to_const == Some(true) {
            look_at(head.name, Doubt::Const, 1.0);
        }
        found.change(path, declared.cuts);
    }
    Ok(())
}

/// Names of the attributes of the trait or impl around a function.
fn outer_attributes(facts: &FileFacts, start: u32, end: u32) -> Vec<String> {
    let own = facts.items.iter().find(|item| {
        matches!(item.kind, NodeKind::Function | NodeKind::Method)
            && (item.span.start_byte, item.span.end_byte) == (start, end)
    });
    let around = own.and_then(|own| facts.items.get(own.parent as usize));
    let around = around.filter(|item| matches!(item.kind, NodeKind::Trait | NodeKind::Impl));
    let name = |attr: &Attr| {
        let text = attr.text.trim_start_matches(['#', '[', ' ']);
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        text.split(|c| !is_name(c)).next().unwrap_or_default().to_owned()
    };
    around.iter().flat_map(|item| &item.attrs).map(name).collect()
}

/// Why a declaration cannot have the signature, and the bytes of the places.
fn reason(why: Undeclared, name: u32) -> (String, Vec<u32>) {
    match why {
        Undeclared::OtherParameters => {
            ("a declaration has another number of parameters".to_owned(), vec![name])
        }
        Undeclared::StillUsed(param, places) => (format!("its body uses `{param}`"), places),
        Undeclared::Captured(param, places) => {
            (format!("`{param}` in its body means something else"), places)
        }
        Undeclared::Twice(param) => {
            (format!("two parameters would have the name `{param}`"), vec![name])
        }
        Undeclared::Raw(param) => {
            (format!("a format string captures it, and cannot name `{param}`"), vec![name])
        }
        Undeclared::Awaits(places) => ("its body waits".to_owned(), places),
    }
}
