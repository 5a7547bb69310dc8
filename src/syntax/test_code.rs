//! Decides by attributes and predicates which items are test code.

use asof_model::{Attr, Flag, Predicate};

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
    // Most predicates do not mention it.
    cfg.contains("test") && Predicate::parse(cfg).is_some_and(|predicate| is_of_tests(&predicate))
}

fn is_of_tests(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::All(parts) => parts.iter().any(is_of_tests),
        Predicate::Any(parts) => parts.iter().all(is_of_tests) && !parts.is_empty(),
        Predicate::Not(_) => false,
        Predicate::Is(flag) => *flag == Flag::name("test"),
    }
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
