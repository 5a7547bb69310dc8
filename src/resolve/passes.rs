//! Runs the passes of resolution in their order.

use std::sync::Arc;

use asof_model::HashSet;
use tracing::{debug_span, trace_span};

use super::bindings::PathTarget;
use super::correspondence::Correspondence;
use super::crate_maps::{CrateMaps, Input};
use super::earlier_state::EarlierState;
use super::edge_table::FileEdges;
use super::ids::InstanceId;
use super::impl_targets::ImplTargets;
use super::numbers::Numbers;
use super::scope::Scopes;
use super::shared_files::Shared;
use super::{edges, identity, import_conditions, imports, paths};

/// Resolves a workspace: identities with paths, then imports to a fixpoint, then what depends on
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
    let numbers = before.and_then(|before| Some((before, Numbers::new(before, &input)?)));
    let Some((before, numbers)) = numbers else { return assemble_alike(input, before, true) };
    let _span = trace_span!("renumber").entered();
    let was = numbers.input(&before.input, &input);
    let renumbered = Input {
        crates: &was.crates,
        instances: &was.instances,
        repeats: &was.repeats,
        ..before.input
    };
    let maps = numbers.maps(before.assembly);
    let scopes = before.scopes.renumber(&numbers, renumbered, &maps);
    drop(_span);
    let before = EarlierState { input: renumbered, assembly: &maps, scopes: &scopes };
    assemble_alike(input, Some(before), false)
}

/// [`assemble_with_scopes`], where files and crates have the numbers that they had. `has_ids`: whether the
/// earlier state is asked for numbers by id, too.
fn assemble_alike<'a>(
    input: Input<'a>,
    before: Option<EarlierState<'_>>,
    has_ids: bool,
) -> (CrateMaps, Scopes<'a>) {
    let mut assembly = trace_span!("identify").in_scope(|| identity::identify(&input, before));
    let (scopes, shared) = {
        let _span = trace_span!("imports").entered();
        let mut earlier = before.and_then(|before| Correspondence::new(before, input, &assembly));
        let after =
            earlier.as_mut().and_then(|earlier| imports::resolve_after(input, &assembly, earlier));
        let earlier = earlier.filter(|_| after.is_some());
        tracing::debug!(again = after.is_none(), "imports are followed");
        let (mut scopes, leaves) = after.unwrap_or_else(|| imports::resolve(input, &assembly));
        let names =
            import_conditions::conditions(&assembly, &mut scopes, &leaves, earlier.as_ref());
        let shared = |number| shared_edges(earlier.as_ref()?, &scopes, &names, number);
        let shared: Vec<Option<Arc<Shared<FileEdges>>>> =
            input.instances.indices().map(shared).collect();
        let count = |is: &dyn Fn(InstanceId) -> bool| {
            input.instances.indices().filter(|number| is(*number)).count()
        };
        tracing::debug!(
            instances = input.instances.len(),
            definitions = count(&|n| earlier.as_ref().is_some_and(|of| of.is_shared(n))),
            closed = count(&|n| scopes.is_closed(n)),
            followed = leaves.iter().filter(|leaf| !leaf.is_known).count(),
            imports = leaves.len(),
            edges = shared.iter().flatten().count(),
            "shared with the state before",
        );
        (scopes, shared)
    };
    let mut targets = ImplTargets::new(&scopes);
    let others = input.instances.indices().zip(&shared);
    let others = others.filter(|(_, shared)| shared.is_none()).map(|(number, _)| number);
    trace_span!("impls").in_scope(|| {
        others
            .clone()
            .for_each(|number| paths::of_impls(&input, &mut assembly, &mut targets, number));
    });
    let _span = trace_span!("edges").entered();
    for (number, shared) in input.instances.indices().zip(&shared) {
        let file = match shared {
            Some(shared) => Arc::clone(shared),
            None => {
                Arc::new(edges::collect(&input, &assembly, &scopes, &mut targets, number).into())
            }
        };
        assembly.edges.0.push(file);
    }
    if let Some(before) = before {
        assembly.edges.0.share(&before.assembly.edges.0);
        if has_ids {
            assembly.nodes.take_ids(&before.assembly.nodes);
        }
    }
    (assembly, scopes)
}

/// The edges of a file in an earlier state, if its imports and impls lead where they did. `names`: hashes of
/// those that may mean something else.
fn shared_edges(
    earlier: &Correspondence<'_>,
    scopes: &Scopes<'_>,
    names: &HashSet<u32>,
    number: InstanceId,
) -> Option<Arc<Shared<FileEdges>>> {
    let before = earlier.before;
    let then = before.assembly.edges.0.get(number)?;
    let leads_to = |def| earlier.is_in_place(def);
    let is_same = earlier.is_shared(number)
        && scopes.shares(before.scopes, number)
        && scopes.file_of(number)?.targets.iter().flat_map(PathTarget::nodes).all(leads_to)
        && !then.mentions.may_have(names);
    is_same.then(|| Arc::clone(then))
}
