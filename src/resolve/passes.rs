//! The order of the passes of resolution.

use tracing::{debug_span, trace_span};

use super::assembly::{Assembly, Input};
use super::scope::Scopes;
use super::{edges, identity, imports, imports_under, paths};

/// Resolves a workspace: identities, then paths, then imports to a fixpoint, then what depends on
/// the types of impls.
pub fn assemble(input: Input<'_>) -> Assembly {
    assemble_with_scopes(input).0
}

/// [`assemble`], also returning the scopes, with which [`super::World`] resolves uses.
pub fn assemble_with_scopes<'a>(input: Input<'a>) -> (Assembly, Scopes<'a>) {
    let _span = debug_span!("assemble", files = input.files.len()).entered();
    let mut assembly = trace_span!("identify").in_scope(|| identity::identify(&input));
    trace_span!("paths").in_scope(|| paths::of_modules_and_items(&input, &mut assembly));
    let (mut scopes, leaves) =
        trace_span!("imports").in_scope(|| imports::resolve(input, &assembly));
    imports_under::conditions(&assembly, &mut scopes, &leaves);
    trace_span!("impls").in_scope(|| paths::of_impls(&input, &mut assembly, &scopes));
    trace_span!("edges").in_scope(|| edges::collect(&input, &mut assembly, &scopes, &leaves));
    (assembly, scopes)
}
