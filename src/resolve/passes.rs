//! The order of the passes of resolution.

use super::crate_maps::{CrateMaps, Input};
use super::scope::Scopes;
use super::{edges, identity, import_conditions, imports, paths};

/// Resolves a workspace: identities, then paths, then imports to a fixpoint, then what depends on
/// the types of impls.
pub fn assemble(input: Input<'_>) -> CrateMaps {
    assemble_with_scopes(input).0
}

/// [`assemble`], also returning the scopes, with which [`super::ItemIndex`] resolves uses.
pub fn assemble_with_scopes<'a>(input: Input<'a>) -> (CrateMaps, Scopes<'a>) {
    let mut assembly = identity::identify(&input);
    paths::of_modules_and_items(&input, &mut assembly);
    let (mut scopes, leaves) = imports::resolve(input, &assembly);
    import_conditions::conditions(&assembly, &mut scopes, &leaves);
    paths::of_impls(&input, &mut assembly, &scopes);
    edges::collect(&input, &mut assembly, &scopes, &leaves);
    (assembly, scopes)
}
