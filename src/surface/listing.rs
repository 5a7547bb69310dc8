//! Columns of an answer's items as a table.

/// A column: its heading, and a template with JSON paths in braces.
pub type Column = (&'static str, &'static str);

/// A kind of listing.
#[derive(Debug, Clone, Copy)]
pub struct Listing<'a> {
    pub columns: &'a [Column],
    /// The keys that its items may have in JSON, separated by spaces; nested ones have a dot.
    /// Empty: the keys of the actual items.
    pub keys: &'a str,
}

impl<'a> From<&'a [Column]> for Listing<'a> {
    fn from(columns: &'a [Column]) -> Self {
        Self { columns, keys: "" }
    }
}

impl<'a, const N: usize> From<&'a [Column; N]> for Listing<'a> {
    fn from(columns: &'a [Column; N]) -> Self {
        Self::from(columns.as_slice())
    }
}

impl<'a> From<&'a Vec<Column>> for Listing<'a> {
    fn from(columns: &'a Vec<Column>) -> Self {
        Self::from(columns.as_slice())
    }
}
