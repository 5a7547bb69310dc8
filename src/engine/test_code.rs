//! Which code is there for tests only.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value as Json;

use super::error::EngineError;
use crate::model::NodeId;
use crate::query::{Queries, TestContextRow};

/// Ids asked for at a time.
const CHUNK: usize = 2_000;

/// Those of the items that are code of tests: below `#[test]` or the like, under a `cfg` that
/// only tests satisfy, or in a target of tests or benches.
pub(super) fn in_tests(
    queries: &Queries<'_>,
    ids: &[NodeId],
) -> Result<BTreeSet<NodeId>, EngineError> {
    let mut found = BTreeSet::new();
    // Most items share what they stand in.
    let mut known: HashMap<NodeId, bool> = HashMap::new();
    for part in ids.chunks(CHUNK) {
        for row in queries.test_context(part)? {
            if *known.entry(row.above).or_insert_with(|| says_test(&row)) {
                found.insert(row.id);
            }
        }
    }
    Ok(found)
}

fn says_test(row: &TestContextRow) -> bool {
    matches!(row.target_kind.as_deref(), Some("test" | "bench"))
        || needs_test(&row.cfg)
        || row.attrs.iter().any(|attr| attr.get(1).and_then(Json::as_str).is_some_and(is_test))
}

/// `#[test]`, `#[tokio::test(…)]`, `#[bench]`, `#[test_case(…)]`, `#[rstest]`.
fn is_test(attr: &str) -> bool {
    let inner = attr.trim_start_matches("#![").trim_start_matches("#[");
    let path = inner.split(['(', '=', ']']).next().unwrap_or_default().trim();
    let last = path.rsplit("::").next().unwrap_or_default().trim();
    matches!(last, "test" | "bench" | "test_case" | "rstest" | "proptest" | "quickcheck")
}

/// Whether a predicate can only hold where `test` does.
fn needs_test(cfg: &str) -> bool {
    let cfg = cfg.trim();
    if cfg == "test" {
        return true;
    }
    let inside = |name: &str| {
        cfg.strip_prefix(name)?.trim_start().strip_prefix('(')?.trim_end().strip_suffix(')')
    };
    if let Some(list) = inside("all") {
        return parts(list).any(needs_test);
    }
    match inside("any") {
        Some(list) => parts(list).all(needs_test) && !list.trim().is_empty(),
        None => false,
    }
}

/// Members of a list, split at commas outside of brackets and strings.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let mut quoted = false;
    list.split(move |c| {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => return true,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_that_only_tests_satisfy() {
        for cfg in ["test", "all(test, unix)", "all(unix, any(test, all(test, x = \"a,)\")))"] {
            assert!(needs_test(cfg), "{cfg}");
        }
        for cfg in
            ["", "unix", "not(test)", "any(test, feature = \"x\")", "all(not(test))", "any()"]
        {
            assert!(!needs_test(cfg), "{cfg}");
        }
    }

    #[test]
    fn attributes_of_tests() {
        for attr in ["#[test]", "#[tokio::test]", "#[tokio::test(flavor = \"x\")]", "#[bench]"] {
            assert!(is_test(attr), "{attr}");
        }
        assert!(!is_test("#[test_util]") && !is_test("#[inline]"));
    }
}
