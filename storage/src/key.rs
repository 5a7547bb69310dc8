//! The end of the key of a versioned row.

/// Last bytes of a versioned key: a tag, the time (inverted, big-endian), 0 if asserted.
pub(crate) const VALIDITY_TAG: u8 = 0x0c;
pub(crate) const VALIDITY_LEN: usize = 10;

/// A time as keys hold it: later times come first.
pub(crate) fn inverted(micros: i64) -> [u8; 8] {
    (!(micros.cast_unsigned() ^ (1 << 63))).to_be_bytes()
}

/// End of the key of a version that is asserted at this time.
pub(crate) fn asserted_at(micros: i64) -> [u8; VALIDITY_LEN] {
    let mut end = [0; VALIDITY_LEN];
    let [tag, time @ .., _] = &mut end;
    *tag = VALIDITY_TAG;
    time.copy_from_slice(&inverted(micros));
    end
}

/// The time at the end of a versioned key, inverted as [`inverted`] does, and 0 if it asserts.
pub(crate) fn time_of(key: &[u8]) -> Option<([u8; 8], u8)> {
    match key.last_chunk::<VALIDITY_LEN>() {
        Some(&[VALIDITY_TAG, a, b, c, d, e, f, g, h, end]) => Some(([a, b, c, d, e, f, g, h], end)),
        _ => None,
    }
}

/// The key of a versioned row without its time. No key of a plain row ends as that of a versioned
/// one does and has another one beside it that differs only in the end.
pub(crate) fn fact_of(key: &[u8]) -> Option<&[u8]> {
    match key.split_last_chunk::<VALIDITY_LEN>() {
        Some((fact, [VALIDITY_TAG, .., 0 | 1])) => Some(fact),
        _ => None,
    }
}
