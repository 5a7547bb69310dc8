//! Features are unified: what one entry asks for, all users of the crate get (The Cargo Book,
//! "Feature unification").

use std::collections::BTreeSet;

use super::entry::Entry;

/// Whether something may rely on features that only this entry asks for. `others`: entries of the
/// workspace for the same package; `is_shared`: whether a crate outside of the workspace depends on it.
///
/// A published crate asks for the features that it needs, so it relies on default features of its own.
pub fn features_needed(entry: &Entry, others: &[&Entry], is_shared: bool) -> bool {
    let own = asked(entry);
    let relies = |other: &&Entry| !own.is_subset(&asked(other));
    others.iter().any(relies) || is_shared && !entry.features.is_empty()
}

/// The features that an entry asks for.
fn asked(entry: &Entry) -> BTreeSet<&str> {
    let default = entry.default_features.then_some("default");
    entry.features.iter().map(String::as_str).chain(default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_entry_may_rely_on_what_is_asked_here() {
        let entry = |features: &[&str], default_features| Entry {
            features: features.iter().map(|one| (*one).to_owned()).collect(),
            default_features,
            ..Entry::default()
        };
        let own = entry(&["derive"], true);
        assert!(!features_needed(&own, &[], false));
        assert!(features_needed(&own, &[], true));
        assert!(!features_needed(&entry(&[], true), &[], true));
        assert!(!features_needed(&own, &[&entry(&["derive", "rc"], true)], false));
        assert!(features_needed(&own, &[&entry(&["derive"], false)], false));
        assert!(features_needed(&own, &[&entry(&[], true)], false));
    }
}
