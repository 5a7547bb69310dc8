//! Measurements of an item's own text, without the items nested in it.

/// What is measured of an item. Functions with a body have metrics, and any item with
/// self-admitted technical debt in its own comments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metrics {
    /// Physical lines, from the first one after documentation and attributes.
    pub loc: u32,
    /// Lines with code among them.
    pub code_lines: u32,
    /// Lines with a comment, documentation included.
    pub comment_lines: u32,
    /// Parameters of a function, the receiver included.
    pub parameters: u32,
    /// Of functions whose body could be parsed.
    pub complexity: Option<Complexity>,
    /// Self-admitted technical debt, in the order of the text.
    pub satd: Vec<Satd>,
}

/// What is measured on the syntax tree of a function's body. `docs/quality.md` defines it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Complexity {
    /// Decisions plus one (McCabe).
    pub cyclomatic: u32,
    /// Cognitive complexity (SonarSource), adapted to Rust.
    pub cognitive: u32,
    /// Depth of the deepest control structure.
    pub nesting: u32,
    /// An estimate of the running time: `O(n log n)`.
    pub big_o: String,
    /// What the estimate rests on; empty for `O(1)`.
    pub big_o_reason: String,
}

/// A comment that admits technical debt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Satd {
    /// `TODO`, `FIXME`, …, in upper case.
    pub marker: &'static str,
    pub severity: Severity,
    /// Offset of the marker in the item's own text, in bytes.
    pub byte: u32,
    /// Line of the marker in the item's own text, from 0.
    pub line: u32,
    /// The line of the comment from the marker on.
    pub text: String,
}

crate::named! {
    /// How much a marker admits.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Severity {
        /// Something is left to do.
        Low => "low",
        /// Something is done badly.
        Medium => "medium",
        /// Something is wrong.
        High => "high",
    }
}
