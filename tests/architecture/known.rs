//! Circles of files that are still there. This list may only shrink: a circle that is broken, or
//! loses a file, is taken out, and none is added. Break a new one by moving what both files need
//! into the lower file, or into one below both.

pub(super) const CIRCLES: &[&[&str]] = &[
    &[
        "item_tracking/bag.rs",
        "item_tracking/call_sites.rs",
        "item_tracking/flow.rs",
        "item_tracking/item_matches.rs",
        "item_tracking/matching.rs",
        "item_tracking/similarity.rs",
    ],
    &["query/generated.rs", "query/library.rs", "query/queries.rs", "query/stored_use.rs"],
    &[
        "resolve/assembly.rs",
        "resolve/bindings.rs",
        "resolve/crates.rs",
        "resolve/edges.rs",
        "resolve/expand.rs",
        "resolve/identity.rs",
        "resolve/imports.rs",
        "resolve/paths.rs",
        "resolve/scope.rs",
    ],
    &[
        "resolve/refs/body.rs",
        "resolve/refs/exprs.rs",
        "resolve/refs/implicit.rs",
        "resolve/refs/pats.rs",
    ],
    &[
        "resolve/refs/cfg_duplicates.rs",
        "resolve/refs/impls.rs",
        "resolve/refs/lower.rs",
        "resolve/refs/made.rs",
        "resolve/refs/paths.rs",
        "resolve/refs/world.rs",
        "resolve/refs/world/libraries.rs",
        "resolve/refs/world/scoped.rs",
    ],
    &["resolve/refs/dependencies.rs", "resolve/refs/library/crates.rs"],
    &["search/candidates.rs", "search/intent.rs", "search/tags.rs"],
    &["syntax/macros.rs", "syntax/walk.rs"],
];
