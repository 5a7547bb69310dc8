//! A resolved workspace in stored form.

use super::crate_maps::{CrateMaps, Input};
use super::scope::Scopes;
use asof_model::OrNever;

/// The stored form of crate maps and its scopes, which [`restored`] reads.
pub fn to_bytes(assembly: &CrateMaps, scopes: &Scopes<'_>) -> Vec<u8> {
    postcard::to_allocvec(&(assembly, scopes)).or_never("crate maps have a stored form")
}

/// The crate maps and scopes of this input as [`to_bytes`] wrote them; none if the bytes are not
/// those of a workspace.
pub fn restored<'a>(bytes: &'a [u8], input: Input<'a>) -> Option<(CrateMaps, Scopes<'a>)> {
    let (assembly, mut scopes): (CrateMaps, Scopes<'a>) = postcard::from_bytes(bytes).ok()?;
    scopes.restore(input, &assembly);
    let fits = assembly.nodes.is_sound() && assembly.nodes.instances() == input.instances.len();
    fits.then_some((assembly, scopes))
}
