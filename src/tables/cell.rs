//! Values of tables.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value of a column. Doubles are compared by `total_cmp`, so that rows are a set.
#[derive(Debug, Clone)]
pub enum Cell {
    Null,
    Bool(bool),
    Long(i64),
    Double(f64),
    Text(Arc<str>),
}

/// A row of a table, in the order of its columns.
pub type Row = Vec<Cell>;

impl Cell {
    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Long(_) => 2,
            Self::Double(_) => 3,
            Self::Text(_) => 4,
        }
    }

    /// A whole number; none for other values.
    pub fn as_long(&self) -> Option<i64> {
        match self {
            Self::Long(long) => Some(*long),
            _ => None,
        }
    }

    /// A text; none for other values.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::Long(a), Self::Long(b)) => a.cmp(b),
            (Self::Double(a), Self::Double(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

impl Hash for Cell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Null => state.write_u8(0),
            Self::Bool(b) => b.hash(state),
            Self::Long(long) => long.hash(state),
            Self::Double(double) => double.to_bits().hash(state),
            Self::Text(text) => text.hash(state),
        }
    }
}

macro_rules! into_cell {
    ($($from:ty => |$x:ident| $to:expr;)*) => {$(
        impl From<$from> for Cell {
            fn from($x: $from) -> Self { $to }
        }
    )*};
}

into_cell! {
    bool => |x| Cell::Bool(x);
    i64 => |x| Cell::Long(x);
    u32 => |x| Cell::Long(i64::from(x));
    f64 => |x| Cell::Double(x);
    &str => |x| Cell::Text(x.into());
    String => |x| Cell::Text(x.into());
    Arc<str> => |x| Cell::Text(x);
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(x: Option<T>) -> Self {
        x.map_or(Cell::Null, Into::into)
    }
}
