//! Receivers of methods as they are declared.

use asof_model::{NodeKind, TreeItem};

/// Whether a method's receiver is neither `self` nor a reference to it.
pub fn has_wrapped_receiver(item: &TreeItem) -> bool {
    if item.kind != NodeKind::Method {
        return false;
    }
    let receiver = item.sig.split_once("(self:").map_or("Self", |(_, after)| after);
    let own = receiver.strip_prefix("&mut ").or_else(|| receiver.strip_prefix('&'));
    let behind = own.unwrap_or(receiver).strip_prefix("Self");
    !behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([',', ')']))
}
