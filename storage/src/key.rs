//! The end of the key of a versioned row.

/// Last bytes of a versioned key: a tag, the time (inverted, big-endian), 0 if asserted.
pub(crate) const VALIDITY_TAG: u8 = 0x0c;
pub(crate) const VALIDITY_LEN: usize = 10;

/// A time as keys hold it: later times come first.
pub(crate) fn inverted(micros: i64) -> [u8; 8] {
    (!(micros.cast_unsigned() ^ (1 << 63))).to_be_bytes()
}

/// End of the key of a version that is asserted at this time.
pub fn asserted_at(micros: i64) -> [u8; VALIDITY_LEN] {
    let mut end = [0; VALIDITY_LEN];
    let [tag, time @ .., _] = &mut end;
    *tag = VALIDITY_TAG;
    time.copy_from_slice(&inverted(micros));
    end
}
