//! Matches that one side adds and that lack a variant which the other side adds.

use std::collections::BTreeSet;

use super::sides::{Aligned, Beside};
use crate::error::EngineError;
use crate::review::Side;
use asof_merge::Expressions;
use asof_model::{NodeId, NodeKind};
use asof_review::Identity;
use asof_wire::{MergeConflictKind, SemanticConflict};

/// An enum with variants that one side does not have.
pub(super) struct Grown {
    path: String,
    /// Variants of the merge that the side has, too.
    known: BTreeSet<NodeId>,
    /// Names of the others.
    new: Vec<String>,
    new_ids: BTreeSet<NodeId>,
}

/// The enums of a file that have variants in the merge which a side does not have.
pub(super) fn grown_enums(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
) -> Result<Vec<Grown>, EngineError> {
    let rows = merge.items_in(path)?;
    let mut found = Vec::new();
    for (item, _) in rows.iter().filter(|(item, _)| item.kind == NodeKind::Enum) {
        let Some(earlier) = one.side.identities.earlier(item.id) else { continue };
        if one.side.item(earlier)?.is_none() {
            continue;
        }
        let mut grown = Grown {
            path: item.canonical_path.clone().unwrap_or_else(|| item.name.clone()),
            known: BTreeSet::new(),
            new: Vec::new(),
            new_ids: BTreeSet::new(),
        };
        let variants = rows.iter().filter(|(row, _)| row.kind == NodeKind::Variant);
        for (variant, _) in variants.filter(|(row, _)| row.parent_id == Some(item.id)) {
            let known = match one.side.identities.earlier(variant.id) {
                Some(earlier) => one.side.item(earlier)?.is_some(),
                None => false,
            };
            if known {
                grown.known.insert(variant.id);
            } else {
                grown.new.push(variant.name.clone());
                grown.new_ids.insert(variant.id);
            }
        }
        if !grown.new.is_empty() && !grown.known.is_empty() {
            found.push(grown);
        }
    }
    Ok(found)
}

/// The matches of a file that only one side has, and that named all variants there.
pub(super) fn find(
    one: &Beside<'_>,
    path: &str,
    file: &Aligned,
    other: Option<&Aligned>,
    expressions: &Expressions,
    enums: &[Grown],
) -> Vec<SemanticConflict> {
    let mut found = Vec::new();
    for each in expressions.matches.iter().filter(|one| !one.has_rest) {
        let is_own = file.back.place(each.at).is_some()
            && other.is_none_or(|other| other.back.place(each.at).is_none());
        if !is_own {
            continue;
        }
        let named: BTreeSet<NodeId> = each
            .names
            .iter()
            .flat_map(|byte| file.merged.text.uses.get(byte).into_iter().flatten())
            .filter_map(|one| match one.meaning.target {
                Identity::Later(id) => Some(id),
                Identity::Gone(_) => None,
            })
            .collect();
        for grown in enums {
            if grown.known.is_subset(&named) && grown.new_ids.is_disjoint(&named) {
                let new: Vec<String> = grown.new.iter().map(|name| format!("`{name}`")).collect();
                found.push(SemanticConflict {
                    file_path: path.to_owned(),
                    line: file.merged.text.line(each.at),
                    kind: MergeConflictKind::Exhaustiveness,
                    name: "match".to_owned(),
                    side: one.from,
                    was: format!("all variants of `{}`", grown.path),
                    is: new.join(" and "),
                });
            }
        }
    }
    found
}
