//! Which attributes and predicates make an item test code.

use crate::model::Attr;

/// Whether an item is test code by its own attributes or `cfg`, whatever it is nested in.
pub(super) fn marks_test(cfg: &str, attrs: &[Attr]) -> bool {
    needs_test(cfg) || attrs.iter().any(|attr| is_test(&attr.text))
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
