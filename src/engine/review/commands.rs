//! The commands that would make what is proven.

use asof_model::NodeKind;
use asof_refactor::signature_command;
use asof_wire::{ProvenItem, SameCode, SignatureChange};

/// What became of the signature of a function.
#[derive(Debug)]
pub(super) struct NewSignature {
    /// The path of the function in the later state.
    pub path: String,
    /// In the order in which they apply.
    pub changes: Vec<SignatureChange>,
}

/// Renames, moves and changes of signatures as commands, in the order in which they are to be run.
pub(super) fn commands(proven: &[ProvenItem], signatures: &[NewSignature]) -> Vec<String> {
    let mut found = Vec::new();
    for one in proven {
        let item = &one.item;
        let Some(before) = &item.previous_path else { continue };
        let named = |path: &str| {
            path.rsplit_once("::").map(|(holder, name)| (holder.to_owned(), name.to_owned()))
        };
        let Some(((old_holder, old_name), (holder, name))) = named(before).zip(named(&item.path))
        else {
            continue;
        };
        // Members of impls of traits follow their traits, and members their types.
        if before.contains('<') || item.path.contains('<') || item.kind.is_anonymous() {
            continue;
        }
        if old_name != name && one.what.contains(&SameCode::Renamed) {
            found.push(format!("asof rename {before} {name}"));
        }
        let is_member = matches!(
            item.kind,
            NodeKind::Method
                | NodeKind::AssocConst
                | NodeKind::AssocType
                | NodeKind::Field
                | NodeKind::Variant
        );
        if old_holder != holder && one.what.contains(&SameCode::Moved) && !is_member {
            found.push(format!("asof move {old_holder}::{name} {holder}"));
        }
    }
    // The functions, and the types of new parameters, have their new names then.
    let change = |one: &NewSignature| signature_command(&one.path, &one.changes);
    found.extend(signatures.iter().filter_map(change));
    found
}
