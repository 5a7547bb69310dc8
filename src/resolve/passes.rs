//! Runs the passes of resolution in their order.

use tracing::{debug_span, trace_span};

use super::crate_maps::{CrateMaps, Input};
use super::scope::Scopes;
use super::{block_scopes, edges, identity, import_conditions, imports, paths};

/// Resolves a workspace: identities, then paths, then imports to a fixpoint, then what depends on
/// the types of impls.
pub fn assemble(input: Input<'_>) -> CrateMaps {
    assemble_with_scopes(input).0
}

/// [`assemble`], also returning the scopes, with which [`super::ItemIndex`] resolves uses.
pub fn assemble_with_scopes<'a>(input: Input<'a>) -> (CrateMaps, Scopes<'a>) {
    let _span = debug_span!("assemble", files = input.files.len()).entered();
    let mut assembly = trace_span!("identify").in_scope(|| identity::identify(&input));
    block_scopes::collect(&input, &mut assembly);
    trace_span!("paths").in_scope(|| paths::of_modules_and_items(&input, &mut assembly));
    let (mut scopes, leaves) =
        trace_span!("imports").in_scope(|| imports::resolve(input, &assembly));
    import_conditions::conditions(&assembly, &mut scopes, &leaves);
    trace_span!("impls").in_scope(|| paths::of_impls(&input, &mut assembly, &scopes));
    trace_span!("edges").in_scope(|| edges::collect(&input, &mut assembly, &scopes, &leaves));
    (assembly, scopes)
}
