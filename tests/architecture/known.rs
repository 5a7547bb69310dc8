//! Circles of files that are still there. Their files call each other recursively, as a syntax tree
//! is nested: expressions, patterns and bodies; names, signatures and impls; macro calls and what is
//! in them. So these three stay. This list may only shrink: a circle that is broken, or loses a
//! file, is taken out, and none is added. Break a new one by moving what both files need into the
//! lower file, or into one below both.

pub(super) const CIRCLES: &[&[&str]] = &[
    &[
        "resolve/refs/exprs.rs",
        "resolve/refs/implicit.rs",
        "resolve/refs/infer.rs",
        "resolve/refs/pats.rs",
    ],
    &[
        "resolve/refs/cfg_duplicates.rs",
        "resolve/refs/item_index.rs",
        "resolve/refs/item_index/libraries.rs",
        "resolve/refs/item_index/traits_in_scope.rs",
        "resolve/refs/lower.rs",
        "resolve/refs/paths.rs",
    ],
    &["syntax/macros.rs", "syntax/walk.rs"],
];
