//! The names of a file as the database keeps them: three numbers each.

use protobuf::{CodedInputStream, CodedOutputStream};

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
    let mut out = CodedOutputStream::vec(&mut bytes);
    let mut last = 0;
    for name in names {
        let roles = u32::from(name.defines) * DEFINES + u32::from(name.is_import) * IMPORTS;
        for number in [name.byte.checked_sub(last)?, name.symbol, roles] {
            out.write_raw_varint32(number).ok()?;
        }
        last = name.byte;
    }
    out.flush().ok()?;
    drop(out);
    Some(bytes)
}

/// Reads packed names, whose symbols are fewer than `symbols`. `None` if they are damaged.
pub fn unpack(bytes: &[u8], symbols: usize) -> Option<Vec<IndexedName>> {
    let mut stream = CodedInputStream::from_bytes(bytes);
    let mut names = Vec::new();
    let mut byte: u32 = 0;
    while !stream.eof().ok()? {
        byte = byte.checked_add(stream.read_raw_varint32().ok()?)?;
        let symbol = stream.read_raw_varint32().ok()?;
        let roles = stream.read_raw_varint32().ok()?;
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
