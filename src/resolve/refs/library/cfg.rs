//! Decides which declarations of a dependency exist, by what is known of a `cfg` predicate without
//! a build. The target is the same everywhere, so that every machine reads the same declarations.

use asof_model::{Flag, Predicate};

/// Names that are set for no ordinary build.
const NEVER: &[&str] = &[
    "test", "windows", "doc", "docsrs", "doctest", "miri", "loom", "fuzzing", "kani", "bootstrap",
    "doc_cfg", "docs_rs", "rustdoc", "proc_macro_span", "nightly", "coverage", "coverage_nightly",
];

/// What keys are set to: 64-bit Linux.
const TARGET: &[(&str, &str)] = &[
    ("target_os", "linux"),
    ("target_family", "unix"),
    ("target_arch", "x86_64"),
    ("target_pointer_width", "64"),
    ("target_endian", "little"),
    ("target_env", "gnu"),
    ("target_vendor", "unknown"),
    ("panic", "unwind"),
];

/// Whether a declaration is surely left out. Features are taken to be on: which are, depends on the
/// whole workspace, and a name of one that is off cannot be used.
pub(super) fn is_left_out(cfg: &str) -> bool {
    let predicate = Some(cfg).filter(|cfg| !cfg.is_empty()).and_then(Predicate::parse);
    predicate.is_some_and(|predicate| predicate.holds(&is_set) == Some(false))
}

/// None if it is not known.
fn is_set(flag: &Flag) -> Option<bool> {
    match (flag.key.as_str(), flag.value.as_deref()) {
        ("feature", Some(_)) => Some(true),
        ("unix", None) => Some(true),
        (name, None) => NEVER.contains(&name).then_some(false),
        (key, Some(value)) => {
            let known = TARGET.iter().find(|(known, _)| *known == key);
            known.map(|(_, set)| *set == value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_left_out;

    #[test]
    fn only_what_is_sure_is_left_out() {
        let out = [
            "windows",
            "test",
            "not(unix)",
            "all(unix, windows)",
            "all(unknown, test)",
            "any(windows, target_os = \"macos\")",
            "not(feature = \"std\")",
            "not(any(unix, unknown))",
        ];
        for cfg in out {
            assert!(is_left_out(cfg), "{cfg}");
        }
        let kept = [
            "",
            "unix",
            "unknown",
            "not(unknown)",
            "any(unknown, windows)",
            "all(unknown, unix)",
            "feature = \"std\"",
            "target_os = \"linux\"",
            "other = \"x\"",
            "all(",
            "any(=",
            ")",
            "not(not(not(",
        ];
        for cfg in kept {
            assert!(!is_left_out(cfg), "{cfg}");
        }
        assert!(!is_left_out(&"not(".repeat(100_000)));
    }
}
