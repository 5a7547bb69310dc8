//! Changes the signature of one declaration: its head, and the names of its parameters in its body.

use super::cuts::{Bytes, Cut};
use super::head::Head;
use super::list::relist;
use super::locals::{LocalName, first_difference, local_names};
use super::parameter_plan::{From, Wanted, same_tokens};
use super::written::{Role, Writer};

/// What becomes of a declaration.
#[derive(Debug, Clone, Default)]
pub struct Declared {
    pub cuts: Vec<Cut>,
    /// Places of parameters' names in tokens that only a macro understands.
    pub in_tokens: Vec<u32>,
    /// Types that are written in another way than those of the function that was named.
    pub other_types: Vec<u32>,
    /// Whether the body uses a parameter that gets another type.
    pub uses_retyped: bool,
}

/// Why a declaration cannot have the signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undeclared {
    /// Its parameters are others.
    OtherParameters,
    /// The body uses a parameter that is removed, at these bytes.
    StillUsed(String, Vec<u32>),
    /// The body uses something else of a parameter's new name, at these bytes.
    Captured(String, Vec<u32>),
    /// A pattern among the parameters binds the name.
    Twice(String),
    /// A format string captures a parameter, and takes no `r#`.
    Raw(String),
    /// The body waits, at these bytes.
    Awaits(Vec<u32>),
}

/// The changes of one declaration. `writer` is that of the file's text; the function is at `bytes` of
/// it, with the head `head`, in bytes of the file. `named`: the head of the function that the changes
/// name parameters of.
pub fn declare(
    writer: &Writer<'_>,
    text: &str,
    bytes: Bytes,
    head: &Head,
    named: &Head,
    wanted: &Wanted,
) -> Result<Declared, Undeclared> {
    if head.params.len() != named.params.len() || head.has_receiver != named.has_receiver {
        return Err(Undeclared::OtherParameters);
    }
    let mut out = Declared::default();
    names(writer, text, bytes, head, named, wanted, &mut out)?;
    if wanted.to_async == Some(false) && !head.awaits.is_empty() {
        return Err(Undeclared::Awaits(head.awaits.clone()));
    }
    if wanted.changes_list() {
        let front = usize::from(head.has_receiver);
        let entries = wanted.entries(front, |name, ty, _| format!("{name}: {ty}"));
        let of = (head.list.inside.0 - 1, head.list.inside.1 + 1);
        out.cuts.extend(relist(text, &head.list, &entries, of));
    }
    for param in &wanted.params {
        let (Some(at), Some(ty)) = (param.place(), &param.ty) else { continue };
        let (Some(old), Some(named)) = (head.params.get(at), named.params.get(at)) else {
            continue;
        };
        if !same_tokens(&old.ty_text, &named.ty_text) {
            out.other_types.push(old.ty.0);
        }
        if old.ty_text != *ty {
            out.cuts.push(Cut::text(old.ty, ty, old.ty));
        }
    }
    if let Some(returns) = &wanted.returns {
        if !same_tokens(&head.returns_text, &named.returns_text) {
            out.other_types.push(head.returns.map_or(head.name, |(_, ty)| ty.0));
        }
        let behind = head.list.inside.1 + 1;
        let cut = match (head.returns, returns) {
            (Some((_, ty)), Some(new)) => Some((ty, new.clone())),
            (Some((all, _)), None) => Some(((behind, all.1), String::new())),
            (None, Some(new)) => Some(((behind, behind), format!(" -> {new}"))),
            (None, None) => None,
        };
        out.cuts.extend(cut.map(|(bytes, new)| Cut::text(bytes, new, bytes)));
    }
    out.cuts.extend(words(head, wanted));
    Ok(out)
}

/// The words in front of `fn`, from the first of them on: an item keeps the byte that it begins at.
fn words(head: &Head, wanted: &Wanted) -> Option<Cut> {
    let is = |to: Option<bool>, was: bool| to.unwrap_or(was);
    let all = [
        (is(wanted.to_const, head.is_const), "const"),
        (is(wanted.to_async, head.is_async), "async"),
        (is(wanted.to_unsafe, head.is_unsafe), "unsafe"),
        (head.is_safe, "safe"),
        (!head.abi.is_empty(), head.abi.as_str()),
        (true, "fn"),
    ];
    let changes = wanted.to_const.is_some_and(|to| to != head.is_const)
        || wanted.to_async.is_some_and(|to| to != head.is_async)
        || wanted.to_unsafe.is_some_and(|to| to != head.is_unsafe);
    let words: Vec<&str> = all.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    changes.then(|| Cut::text(head.words, words.join(" "), head.words))
}

/// The names of parameters in the body.
fn names(
    writer: &Writer<'_>,
    text: &str,
    bytes: Bytes,
    head: &Head,
    named: &Head,
    wanted: &Wanted,
    out: &mut Declared,
) -> Result<(), Undeclared> {
    let own = super::cuts::slice(text, bytes);
    let mut all = local_names(own).unwrap_or_default();
    for one in &mut all {
        one.at += bytes.0;
        one.binding = one.binding.map(|at| at + bytes.0);
    }
    let bound_in = |pat: Bytes| {
        move |one: &&LocalName| one.binding.is_some_and(|at| pat.0 <= at && at < pat.1)
    };
    let inside = |pat: Bytes, at: u32| pat.0 <= at && at < pat.1;
    for at in &wanted.removed {
        let Some(param) = head.params.get(*at) else { continue };
        let uses = all.iter().filter(bound_in(param.pat)).filter(|one| !inside(param.pat, one.at));
        let uses: Vec<u32> = uses.map(|one| one.at).collect();
        if !uses.is_empty() {
            return Err(Undeclared::StillUsed(param.pattern.clone(), uses));
        }
    }
    let mut renames: Vec<Cut> = Vec::new();
    for param in &wanted.params {
        match &param.from {
            From::New { name, .. } => {
                let bare = name.strip_prefix("r#").unwrap_or(name);
                let free = all.iter().filter(|one| one.name == bare && one.binding.is_none());
                let free: Vec<u32> = free.map(|one| one.at).collect();
                if !free.is_empty() {
                    return Err(Undeclared::Captured(name.clone(), free));
                }
                let stays = head
                    .params
                    .iter()
                    .enumerate()
                    .filter(|(at, other)| !wanted.removed.contains(at) && other.name.is_none());
                for (_, other) in stays {
                    if all.iter().filter(bound_in(other.pat)).any(|one| one.name == bare) {
                        return Err(Undeclared::Twice(name.clone()));
                    }
                }
            }
            From::Old(at) => {
                let (Some(old), Some(named)) = (head.params.get(*at), named.params.get(*at)) else {
                    continue;
                };
                let mine = || all.iter().filter(bound_in(old.pat));
                out.uses_retyped |=
                    param.ty.is_some() && mine().any(|one| !inside(old.pat, one.at));
                // An implementation may have another name, which is its own.
                let (Some(new), Some(name)) = (&param.name, &old.name) else { continue };
                if old.name != named.name {
                    continue;
                }
                for one in mine() {
                    let Some(written) = writer.rewrite(one.at, name, new, Role::Other) else {
                        continue;
                    };
                    if written.in_literal && new.written.starts_with("r#") {
                        return Err(Undeclared::Raw(new.written.clone()));
                    }
                    if !one.certain {
                        out.in_tokens.push(one.at);
                    }
                    let bytes = (written.start, written.end);
                    if !renames.iter().any(|other| other.of == bytes) {
                        renames.push(Cut::text(bytes, written.text, bytes));
                    }
                }
                // A declaration without a body.
                if !head.has_body && !renames.iter().any(|cut| inside(old.pat, cut.start)) {
                    renames.push(Cut::text(old.pat, new.written.clone(), old.pat));
                }
            }
        }
    }
    // The names must mean the variables that they meant.
    if !renames.is_empty() {
        let mut after = String::new();
        let mut at = bytes.0;
        renames.sort_by_key(|cut| cut.start);
        for flat in super::cuts::flatten(text, &renames) {
            after.push_str(super::cuts::slice(text, (at, flat.start)));
            after.push_str(&flat.text);
            at = flat.end;
        }
        after.push_str(super::cuts::slice(text, (at, bytes.1)));
        let before = local_names(own).unwrap_or_default();
        let after = local_names(&after).unwrap_or_default();
        if let Some(other) = first_difference(&before, &after) {
            let at = after.iter().position(|one| one == other).and_then(|at| all.get(at));
            return Err(Undeclared::Captured(
                other.name.clone(),
                at.map(|one| one.at).into_iter().collect(),
            ));
        }
    }
    out.cuts.append(&mut renames);
    Ok(())
}
