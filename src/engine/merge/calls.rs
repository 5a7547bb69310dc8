//! Calls that one side adds of functions to which the other side gives other parameters.

use std::collections::BTreeMap;

use super::sides::{Aligned, Beside};
use crate::error::EngineError;
use crate::review::Side;
use asof_merge::Expressions;
use asof_model::NodeKind;
use asof_review::Identity;
use asof_syntax::signature_parts;
use asof_wire::{MergeConflictKind, SemanticConflict};

/// Calls of a file that only one side has.
pub(super) fn find(
    one: &mut Beside<'_>,
    merge: &mut Side<'_>,
    path: &str,
    file: &Aligned,
    other: Option<&Aligned>,
    expressions: &Expressions,
) -> Result<Vec<SemanticConflict>, EngineError> {
    let mut found = Vec::new();
    for (byte, arguments) in own_calls(file, other, &expressions.calls) {
        let uses = file.merged.text.uses.get(&byte).into_iter().flatten();
        let targets = uses.filter(|one| one.is_certain).map(|one| one.meaning.target);
        for target in targets {
            let Identity::Later(id) = target else { continue };
            let Some(earlier) = one.side.identities.earlier(id) else { continue };
            let (Some(now), Some(was)) = (merge.item(id)?, one.side.item(earlier)?) else {
                continue;
            };
            let is_function = matches!(now.kind, NodeKind::Function | NodeKind::Method);
            let counts = count(&was.signature).zip(count(&now.signature));
            let Some((before, after)) = counts.filter(|(a, b)| is_function && a != b) else {
                continue;
            };
            let name = now.canonical_path.clone().unwrap_or_else(|| now.name.clone());
            found.push(SemanticConflict {
                file_path: path.to_owned(),
                line: file.merged.text.line(byte),
                kind: MergeConflictKind::Arguments,
                name,
                side: one.from,
                was: arguments.to_string(),
                is: format!("{after} in the place of {before}"),
            });
        }
    }
    Ok(found)
}

/// Calls that one side has and the other does not.
fn own_calls(
    file: &Aligned,
    other: Option<&Aligned>,
    calls: &BTreeMap<u32, usize>,
) -> Vec<(u32, usize)> {
    let is_own = |byte: &u32| {
        file.back.place(*byte).is_some()
            && other.is_none_or(|other| other.back.place(*byte).is_none())
    };
    calls.iter().filter(|(byte, _)| is_own(byte)).map(|(byte, n)| (*byte, *n)).collect()
}

/// Number of parameters in a head, `self` among them.
fn count(signature: &str) -> Option<usize> {
    signature_parts(signature).map(|parts| parts.inputs.len())
}
