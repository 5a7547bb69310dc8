//! Runs the passes of resolution in their order.

use index_vec::index_vec;
use tracing::{debug_span, trace_span};

use super::correspondence::{Correspondence, EarlierState};
use super::crate_maps::{CrateMaps, Input};
use super::impl_targets::ImplTargets;
use super::scope::Scopes;
use super::{block_scopes, edges, identity, import_conditions, imports, paths};

/// Resolves a workspace: identities, then paths, then imports to a fixpoint, then what depends on
/// the types of impls.
pub fn assemble(input: Input<'_>) -> CrateMaps {
    assemble_with_scopes(input, None).0
}

/// [`assemble`], also returning the scopes, with which [`super::ItemIndex`] resolves uses. The result is
/// the same with an earlier state, of whose imports those are not followed again that lead where they
/// did.
pub fn assemble_with_scopes<'a>(
    input: Input<'a>,
    before: Option<EarlierState<'_>>,
) -> (CrateMaps, Scopes<'a>) {
    let _span = debug_span!("assemble", files = input.files.len()).entered();
    let mut assembly = trace_span!("identify").in_scope(|| identity::identify(&input));
    block_scopes::collect(&input, &mut assembly);
    trace_span!("paths").in_scope(|| paths::of_modules_and_items(&input, &mut assembly));
    let (mut scopes, leaves) = {
        let _span = trace_span!("imports").entered();
        let mut earlier = before.and_then(|before| Correspondence::new(before, input, &assembly));
        let after =
            earlier.as_mut().and_then(|earlier| imports::resolve_after(input, &assembly, earlier));
        let earlier = earlier.filter(|_| after.is_some());
        tracing::debug!(again = after.is_none(), "imports are followed");
        let (mut scopes, leaves) = after.unwrap_or_else(|| imports::resolve(input, &assembly));
        import_conditions::conditions(&assembly, &mut scopes, &leaves, earlier.as_ref());
        (scopes, leaves)
    };
    let mut targets = ImplTargets::new(&scopes);
    trace_span!("impls").in_scope(|| paths::of_impls(&input, &mut assembly, &mut targets));
    trace_span!("edges")
        .in_scope(|| edges::collect(&input, &mut assembly, &scopes, &mut targets, &leaves));
    scopes.import_targets = index_vec![Vec::new(); input.instances.len()];
    for leaf in leaves {
        if let Some(targets) = scopes.import_targets.get_mut(leaf.instance) {
            targets.push(leaf.target);
        }
    }
    (assembly, scopes)
}
