//! Paths in a text that moves which begin with `self` or `super`, in tokens that nothing reads.

use std::collections::BTreeSet;

use super::places::place;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use crate::error::EngineError;
use asof_model::{NodeId, RefKind};
use asof_query::Queries;
use asof_syntax::{Kind, lex};
use asof_wire::{Doubt, Obligation};

/// Macros that say where they are.
const SAYING_WHERE: [&str; 4] = ["column", "file", "line", "module_path"];

/// Lists them, and warns of macros that print where they are.
pub(in super::super) fn check_relative_paths(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let ids: Vec<NodeId> = out.ids.iter().copied().collect();
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let described = queries.describe(&ids).map_err(EngineError::from)?;
    let mut known: BTreeSet<(String, u32)> = BTreeSet::new();
    for uses in queries.uses_of(&ids).map_err(EngineError::from)? {
        let Some(source) = described.iter().find(|one| one.id == uses.source) else { continue };
        let keywords = uses.refs.iter().filter(|used| used.kind == RefKind::Keyword);
        let offsets = keywords.flat_map(|used| used.occurrences.0.iter().map(|[at, ..]| *at));
        known.extend(offsets.map(|at| (source.file_path.clone(), source.start_byte + at)));
    }
    let (mut found, mut checked) = (Vec::new(), 0);
    for carried in &out.carried {
        let (path, start, end) = &carried.from;
        let loaded = files.loaded(snapshot, path)?;
        let text = loaded.text.get(*start as usize..*end as usize).unwrap_or_default();
        let tokens = lex(text, 0);
        for (at, token) in tokens.iter().enumerate() {
            let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
            let is_mark = |ahead: usize, byte: u8| {
                tokens
                    .get(at + ahead)
                    .is_some_and(|next| next.byte == byte && next.kind != Kind::Word)
            };
            let byte = start + token.start;
            if SAYING_WHERE.contains(&word) && is_mark(1, b'!') {
                let line = asof_edit::line_of(&loaded.text, byte);
                out.warnings.push(format!("`{word}!` prints where it is, at {path}:{line}"));
            }
            let is_path = matches!(word, "self" | "super") && is_mark(1, b':') && is_mark(2, b':');
            if token.doc || !is_path {
                continue;
            }
            checked += 1;
            let is_rewritten =
                carried.replaced.iter().any(|one| one.start <= byte && byte < one.end);
            let follows = at > 0 && tokens.get(at - 1).is_some_and(|before| before.byte == b':');
            if !is_rewritten && !follows && !known.contains(&(path.clone(), byte)) {
                found.push(place(path, &loaded.text, byte, Doubt::Tokens));
            }
        }
    }
    out.look_at.append(&mut found);
    out.check(Obligation::Names, checked);
    Ok(())
}
