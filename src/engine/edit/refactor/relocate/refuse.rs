//! Refusals of a move.

use crate::edit::target::Halt;

/// Makes a refusal of a reason.
pub(super) type Refuse<'a> = dyn Fn(String) -> Halt + 'a;
