//! The Tree-sitter queries that are shipped with the program.

/// Name and text of each file of `queries/ast`.
pub const SYNTAX_PATTERNS: [(&str, &str); 5] = [
    ("enums", include_str!("queries/ast/enums.scm")),
    ("errors", include_str!("queries/ast/errors.scm")),
    ("functions", include_str!("queries/ast/functions.scm")),
    ("impls", include_str!("queries/ast/impls.scm")),
    ("structs", include_str!("queries/ast/structs.scm")),
];
