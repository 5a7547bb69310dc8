//! Which declarations of a dependency there are: by what is known of a `cfg` predicate without a
//! build. The target is the same everywhere, so that every machine reads the same declarations.

/// Nesting of predicates that is followed.
const MAX_DEPTH: u32 = 32;

/// Names that are set for no ordinary build.
const NEVER: &[&str] = &[
    "test",
    "windows",
    "doc",
    "docsrs",
    "doctest",
    "miri",
    "loom",
    "fuzzing",
    "kani",
    "bootstrap",
    "doc_cfg",
    "docs_rs",
    "rustdoc",
    "proc_macro_span",
    "nightly",
    "coverage",
    "coverage_nightly",
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
    let mut reader = Reader { rest: cfg };
    !cfg.is_empty() && reader.predicate(MAX_DEPTH) == Some(false)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, mark: char) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn word(&mut self) -> &str {
        self.skip();
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn text(&mut self) -> Option<&str> {
        self.skip();
        let (text, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest;
        Some(text)
    }

    /// None if it is not known.
    fn predicate(&mut self, depth: u32) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        let name = self.word().to_owned();
        if self.take('(') {
            let mut all = Vec::new();
            while !self.rest.is_empty() && !self.take(')') {
                let before = self.rest.len();
                all.push(self.predicate(depth));
                self.take(',');
                if self.rest.len() == before {
                    return None;
                }
            }
            return match name.as_str() {
                "not" => all.first().copied().flatten().map(|value| !value),
                "all" if all.contains(&Some(false)) => Some(false),
                "all" => all.into_iter().collect::<Option<Vec<_>>>().map(|_| true),
                "any" if all.contains(&Some(true)) => Some(true),
                "any" => all.into_iter().collect::<Option<Vec<_>>>().map(|_| false),
                _ => None,
            };
        }
        if self.take('=') {
            let value = self.text()?;
            if name == "feature" {
                return Some(true);
            }
            let known = TARGET.iter().find(|(key, _)| *key == name);
            return known.map(|(_, set)| *set == value);
        }
        match name.as_str() {
            "unix" => Some(true),
            name if NEVER.contains(&name) => Some(false),
            _ => None,
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
