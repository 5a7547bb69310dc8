//! Differences of sorted lists, in one pass over both.

/// What only the first of two lists has, by key. Both are sorted by it; of those with one key, the
/// first counts.
pub(super) fn only_in_first<'a, T, K: Ord>(
    first: &'a [T],
    second: &'a [T],
    key: impl Fn(&'a T) -> K,
) -> Vec<&'a T> {
    let mut found: Vec<&T> = Vec::new();
    let mut others = second.iter().peekable();
    let mut last: Option<K> = None;
    for one in first {
        let own = key(one);
        if last.as_ref() == Some(&own) {
            continue;
        }
        while others.next_if(|other| key(other) < own).is_some() {}
        if others.peek().is_none_or(|other| key(other) != own) {
            found.push(one);
        }
        last = Some(own);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn differences_are_those_of_sets(
            mut a in proptest::collection::vec(0u8..20, 0..30),
            mut b in proptest::collection::vec(0u8..20, 0..30),
        ) {
            a.sort();
            b.sort();
            let sets = [&a, &b].map(|list| list.iter().copied().collect::<BTreeSet<u8>>());
            let found: Vec<u8> = only_in_first(&a, &b, |one| *one).into_iter().copied().collect();
            let expected: Vec<u8> = sets[0].difference(&sets[1]).copied().collect();
            prop_assert_eq!(found, expected);
        }
    }
}
