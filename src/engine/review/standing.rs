//! Where an item stands: its crate, its condition, what it is in, and who sees it.

use super::pair::reason;
use super::side::Side;
use super::sides::{Both, Sides};
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::ItemFacts;
use asof_review::compare;
use asof_wire::{ReadReason, ReasonToRead};

/// Reasons because an item stands elsewhere.
pub(super) fn reasons(
    sides: &mut Sides<'_>,
    both: &Both<'_>,
) -> Result<Vec<ReasonToRead>, EngineError> {
    let mut found = Vec::new();
    let (was, is) = (&both.old_item, &both.new_item);
    let roots = [sides.old.identity(was.root_id), sides.new.identity(is.root_id)];
    if roots[0] != roots[1] {
        found.push(reason(ReadReason::Crate, "it is in another crate"));
    }
    let (before, after) = (sides.old.condition(was.id)?, sides.new.condition(is.id)?);
    if before != after || was.cfg != is.cfg || was.in_test != is.in_test {
        let named = |text: &str| {
            if text.is_empty() { "always".to_owned() } else { format!("under `{text}`") }
        };
        let what = format!("it is compiled {}, and was {}", named(&after), named(&before));
        found.push(reason(ReadReason::Condition, &what));
    }
    found.extend(symbol(sides, was, is)?);
    found.extend(container(sides, was, is)?);
    found.extend(visibility(sides, was, is)?);
    Ok(found)
}

/// What an extern block declares is found by its name.
fn symbol(
    sides: &mut Sides<'_>,
    was: &ItemFacts,
    is: &ItemFacts,
) -> Result<Option<ReasonToRead>, EngineError> {
    let parent = match is.parent_id.filter(|_| was.name != is.name) {
        Some(parent) => sides.new.item(parent)?,
        None => None,
    };
    let is_foreign = parent.is_some_and(|parent| parent.kind == NodeKind::ForeignMod);
    Ok(is_foreign.then(|| reason(ReadReason::Name, "it is a symbol of another library")))
}

/// Members belong to an impl, a trait or a type, which has to be the same one.
fn container(
    sides: &mut Sides<'_>,
    was: &ItemFacts,
    is: &ItemFacts,
) -> Result<Option<ReasonToRead>, EngineError> {
    let holder = |side: &mut Side<'_>, item: &ItemFacts| match item.parent_id {
        Some(parent) => side.item(parent),
        None => Ok(None),
    };
    let (old, new) = (holder(&mut sides.old, was)?, holder(&mut sides.new, is)?);
    let (Some(old), Some(new)) = (old, new) else { return Ok(None) };
    let is_scope = |item: &ItemFacts| {
        matches!(item.kind, NodeKind::Module | NodeKind::Function | NodeKind::Method)
    };
    if is_scope(&old) && is_scope(&new) {
        return Ok(None);
    }
    if sides.old.identity(old.id) == sides.new.identity(new.id) {
        return Ok(None);
    }
    let same_head = old.kind == new.kind
        && match (sides.old.form(old.id)?, sides.new.form(new.id)?) {
            (Some(old), Some(new)) => compare(&old.form, &new.form).is_empty(),
            _ => false,
        };
    Ok((!same_head).then(|| {
        let name = new.canonical_path.as_deref().unwrap_or(&new.name);
        reason(ReadReason::Container, &format!("it is in `{name}`, which is another one"))
    }))
}

/// The module in which an item is visible if it has a visibility; none if everywhere, or in a path.
fn visible_within(
    side: &mut Side<'_>,
    item: &ItemFacts,
    visibility: &str,
) -> Result<Option<NodeId>, EngineError> {
    let module = match item.kind {
        // A module is visible in the one that declares it.
        NodeKind::Module => above(side, item.id)?.unwrap_or(item.module_id),
        _ => item.module_id,
    };
    Ok(match visibility {
        "" | "pub(self)" => Some(module),
        "pub(crate)" | "crate" => Some(item.root_id),
        "pub(super)" => Some(above(side, module)?.unwrap_or(item.root_id)),
        _ => None,
    })
}

/// The module around a module.
fn above(side: &mut Side<'_>, module: NodeId) -> Result<Option<NodeId>, EngineError> {
    let parent = side.item(module)?.and_then(|module| module.parent_id);
    match parent {
        Some(parent) => Ok(side.item(parent)?.map(|parent| parent.module_id)),
        None => Ok(None),
    }
}

fn is_within(side: &mut Side<'_>, module: NodeId, scope: NodeId) -> Result<bool, EngineError> {
    let mut at = Some(module);
    while let Some(module) = at {
        if module == scope {
            return Ok(true);
        }
        at = above(side, module)?;
    }
    Ok(false)
}

/// Whether something that uses an item could not see it with the visibility that it had.
fn is_needed(sides: &mut Sides<'_>, is: &ItemFacts, before: &str) -> Result<bool, EngineError> {
    let side = &mut sides.new;
    let Some(scope) = visible_within(side, is, before)? else { return Ok(false) };
    let users: Vec<NodeId> =
        side.queries.users_of(&[is.id])?.into_iter().map(|user| user.source).collect();
    side.know(&users)?;
    for user in users {
        let Some(user) = side.item(user)? else { continue };
        if !is_within(side, user.module_id, scope)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Who sees an item. Within a crate, what is visible to more than before because something uses it
/// there is the same code: all names are compared.
fn visibility(
    sides: &mut Sides<'_>,
    was: &ItemFacts,
    is: &ItemFacts,
) -> Result<Option<ReasonToRead>, EngineError> {
    let text = |item: &ItemFacts| item.visibility.split_whitespace().collect::<String>();
    let (before, after) = (text(was), text(is));
    let same_module = sides.old.identity(was.module_id) == sides.new.identity(is.module_id);
    let is_free = |text: &str| text.is_empty() || text == "pub";
    if before == after && (same_module || is_free(&before)) {
        return Ok(None);
    }
    let old = visible_within(&mut sides.old, was, &before)?.map(|id| sides.old.identity(id));
    let new = visible_within(&mut sides.new, is, &after)?.map(|id| sides.new.identity(id));
    if old.is_some() && old == new || new.is_some() && is_needed(sides, is, &before)? {
        return Ok(None);
    }
    let named =
        |text: &str| if text.is_empty() { "private".to_owned() } else { format!("`{text}`") };
    let what = if before == after {
        format!("{} means another module here", named(&after))
    } else {
        format!("it is {}, and was {}", named(&after), named(&before))
    };
    Ok(Some(reason(ReadReason::Visibility, &what)))
}
