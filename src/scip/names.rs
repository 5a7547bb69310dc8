//! Packs the names of a file for the database, as three numbers each.

const DEFINES: u32 = 1;
const IMPORTS: u32 = 2;

/// A name of a file, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexedName {
    /// Offset in the file; of a use without its `r#`.
    pub byte: u32,
    /// Index in the list of symbols.
    pub symbol: u32,
    pub defines: bool,
    pub is_import: bool,
}

/// Packs names, which are in order of their bytes. `None` if they are not.
pub fn pack(names: &[IndexedName]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for name in names {
        let roles = u32::from(name.defines) * DEFINES + u32::from(name.is_import) * IMPORTS;
        for number in [name.byte.checked_sub(last)?, name.symbol, roles] {
            prost::encode_length_delimiter(number as usize, &mut bytes).ok()?;
        }
        last = name.byte;
    }
    Some(bytes)
}

/// Reads packed names, whose symbols are fewer than `symbols`. `None` if they are damaged.
pub fn unpack(bytes: &[u8], symbols: usize) -> Option<Vec<IndexedName>> {
    let number = |rest: &mut &[u8]| u32::try_from(prost::decode_length_delimiter(rest).ok()?).ok();
    let mut rest = bytes;
    let mut names = Vec::new();
    let mut byte: u32 = 0;
    while !rest.is_empty() {
        byte = byte.checked_add(number(&mut rest)?)?;
        let symbol = number(&mut rest)?;
        let roles = number(&mut rest)?;
        if symbol as usize >= symbols {
            return None;
        }
        let (defines, is_import) = (roles & DEFINES != 0, roles & IMPORTS != 0);
        names.push(IndexedName { byte, symbol, defines, is_import });
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_names_come_back_and_damaged_ones_do_not() {
        let name =
            |byte, symbol, defines, is_import| IndexedName { byte, symbol, defines, is_import };
        let names = [name(0, 0, true, false), name(3, 1, false, true), name(3, 0, false, false)];
        let bytes = pack(&names).unwrap();
        assert_eq!(unpack(&bytes, 2).unwrap(), names);
        assert_eq!(unpack(&bytes, 1), None);
        assert_eq!(unpack(bytes.get(..bytes.len() - 1).unwrap(), 2), None);
        assert_eq!(unpack(&[255, 255, 255, 255, 15, 0, 0, 1, 0, 0], 2), None);
        assert_eq!(unpack(&[], 0).unwrap(), []);
        assert_eq!(pack(&[name(3, 0, false, false), name(2, 0, false, false)]), None);
    }
}
