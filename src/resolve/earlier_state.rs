//! A state that another one is resolved after.

use super::crate_maps::{CrateMaps, Input};
use super::ids::InstanceId;
use super::scope::Scopes;

/// An earlier state of the workspace, resolved.
#[derive(Debug, Clone, Copy)]
pub struct EarlierState<'b> {
    pub input: Input<'b>,
    pub assembly: &'b CrateMaps,
    pub scopes: &'b Scopes<'b>,
}

/// Repeated declarations of an instance.
pub(super) fn repeats(input: &Input<'_>, number: InstanceId) -> impl Iterator<Item = (u32, u32)> {
    let all = input.repeats.range((number, 0)..=(number, u32::MAX));
    all.map(|((_, repeat), first)| (*repeat, *first))
}
