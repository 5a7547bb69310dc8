//! Regions of a text under a `cfg` attribute.

/// Regions before a place that are left on the way to the one that contains it.
const MAX_LEFT: usize = 256;

/// A part of a text with a `cfg` attribute before it: an item, a statement, an arm, a field. Two of
/// a file are disjoint, or one contains the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// First byte, of the attributes.
    pub start: u32,
    /// The byte after its last one.
    pub end: u32,
    /// The predicate of all its attributes.
    pub cfg: Box<str>,
    /// The smallest region around it, an earlier one.
    pub within: Option<u32>,
}

impl Region {
    /// Index of the innermost of a file's regions around a byte.
    pub fn around(regions: &[Region], byte: u32) -> Option<usize> {
        let mut at = regions.partition_point(|region| region.start <= byte).checked_sub(1)?;
        for _ in 0..MAX_LEFT {
            let region = regions.get(at)?;
            if byte < region.end {
                return Some(at);
            }
            at = region.within? as usize;
        }
        None
    }
}
