//! Maps bytes between a text and its changed form, by the replaced ranges.

/// Bytes before and after, and what they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    pub before: (u32, u32),
    pub after: (u32, u32),
    pub kind: ReplacedKind,
}

/// What a replacement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplacedKind {
    /// The same use under another name: its meaning is compared.
    Name,
    /// Other code.
    Code,
}

/// The place of a byte of the old text: itself, or the start of the name that it is in; none in code
/// that is replaced.
pub(super) fn before(byte: u32, replaced: &[Replaced]) -> Option<u32> {
    let at = replaced.partition_point(|one| one.before.1 <= byte);
    match replaced.get(at).filter(|one| one.before.0 <= byte) {
        None => Some(byte),
        Some(one) if one.kind == ReplacedKind::Name => Some(one.before.0),
        Some(_) => None,
    }
}

/// The same place for a byte of the new text.
pub fn old_place(byte: u32, replaced: &[Replaced]) -> Option<u32> {
    let at = replaced.partition_point(|one| one.after.1 <= byte);
    match replaced.get(at).filter(|one| one.after.0 <= byte) {
        Some(one) if one.kind == ReplacedKind::Name => Some(one.before.0),
        Some(_) => None,
        None => Some(match at.checked_sub(1).and_then(|last| replaced.get(last)) {
            Some(last) => last.before.1 + byte.saturating_sub(last.after.1),
            None => byte,
        }),
    }
}

/// Where the text that begins at a byte of the old text begins in the new one; none if it is deleted,
/// or in the middle of other code.
pub(super) fn moved(byte: u32, replaced: &[Replaced]) -> Option<u32> {
    let at = replaced.partition_point(|one| one.before.1 <= byte);
    match replaced.get(at).filter(|one| one.before.0 <= byte) {
        Some(one) if one.kind == ReplacedKind::Name => Some(one.after.0),
        Some(one) => (one.before.0 == byte && one.after.0 < one.after.1).then_some(one.after.0),
        None => Some(match at.checked_sub(1).and_then(|last| replaced.get(last)) {
            Some(last) => last.after.1 + byte.saturating_sub(last.before.1),
            None => byte,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_old_text() {
        let name = |before, after| Replaced { before, after, kind: ReplacedKind::Name };
        // `ab = old;` and `ab = newer; …`.
        let replaced = [name((5, 8), (5, 10)), name((20, 23), (22, 27))];
        assert_eq!(before(6, &replaced), Some(5));
        assert_eq!(old_place(9, &replaced), Some(5));
        assert_eq!(before(12, &replaced), old_place(14, &replaced));
        assert_eq!(moved(12, &replaced), Some(14));
        assert_eq!(old_place(30, &replaced), Some(26));
        let code = [Replaced { before: (3, 3), after: (3, 9), kind: ReplacedKind::Code }];
        assert_eq!(
            (before(3, &code), old_place(4, &code), moved(3, &code)),
            (Some(3), None, Some(9))
        );
        let gone = [Replaced { before: (0, 5), after: (0, 0), kind: ReplacedKind::Code }];
        assert_eq!((moved(0, &gone), moved(5, &gone)), (None, Some(0)));
    }
}
