//! The packages and targets that a difference can reach, as arguments of Cargo and as expressions of
//! nextest.

use std::collections::BTreeMap;

use asof_wire::{AffectedPackage, AffectedTarget};

/// `-p` for each package; none if there is none.
pub fn cargo_packages(found: &[AffectedPackage]) -> Option<String> {
    let specs: Vec<&str> = found.iter().map(|package| package.spec.as_str()).collect();
    (!specs.is_empty()).then(|| format!("-p {}", specs.join(" -p ")))
}

/// The arguments of one `cargo test` each. Packages with the same targets share a line; those that are
/// selected as a whole come first.
pub fn cargo_tests(found: &[AffectedPackage]) -> Vec<String> {
    let mut lines: BTreeMap<(bool, Vec<String>), Vec<&str>> = BTreeMap::new();
    for package in found {
        if package.is_whole {
            lines.entry((false, Vec::new())).or_default().push(&package.spec);
            continue;
        }
        let targets = target_arguments(&package.targets);
        if !targets.is_empty() {
            lines.entry((true, targets)).or_default().push(&package.spec);
        }
        if package.targets.iter().any(|target| target.kind == "doc" && target.is_tested) {
            lines.entry((true, vec!["--doc".to_owned()])).or_default().push(&package.spec);
        }
    }
    let line = |((_, targets), specs): (&(bool, Vec<String>), &Vec<&str>)| {
        let packages = format!("-p {}", specs.join(" -p "));
        std::iter::once(packages).chain(targets.iter().cloned()).collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(line).collect()
}

fn target_arguments(targets: &[AffectedTarget]) -> Vec<String> {
    let tested = targets.iter().filter(|target| target.is_tested && target.kind != "doc");
    // Cargo refuses a target by name if it needs features that are not enabled, and passes over it
    // otherwise.
    if tested.clone().any(|target| target.needs_features) {
        return vec!["--tests".to_owned()];
    }
    let arguments = tested.map(|target| match target.kind.as_str() {
        "lib" | "proc_macro" => "--lib".to_owned(),
        kind => format!("--{kind} {}", target.name),
    });
    arguments.collect()
}

/// Packages as an expression for `cargo nextest run --filterset`.
pub fn nextest_packages(found: &[AffectedPackage]) -> String {
    union(found.iter().map(|package| format!("package(={})", package.package)).collect())
}

/// Targets as such an expression. It does not run documentation tests.
pub fn nextest_tests(found: &[AffectedPackage]) -> String {
    let mut parts = Vec::new();
    for AffectedPackage { package, is_whole, targets, .. } in found {
        if *is_whole {
            parts.push(format!("package(={package})"));
            continue;
        }
        let tested = targets.iter().filter(|target| target.is_tested && target.kind != "doc");
        parts.extend(tested.map(|target| {
            let kind = target.kind.replace('_', "-");
            let mut part = format!("package(={package}) & kind({kind})");
            if !matches!(kind.as_str(), "lib" | "proc-macro") {
                part.push_str(&format!(" & binary(={})", target.name));
            }
            format!("({part})")
        }));
    }
    union(parts)
}

fn union(parts: Vec<String>) -> String {
    if parts.is_empty() { "none()".to_owned() } else { parts.join(" | ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, is_whole: bool, targets: &[(&str, &str)]) -> AffectedPackage {
        let target = |(kind, name): &(&str, &str)| AffectedTarget {
            kind: (*kind).to_owned(),
            name: (*name).to_owned(),
            is_tested: *kind != "bench",
            needs_features: name.ends_with("_net"),
            reason: None,
        };
        AffectedPackage {
            package: name.to_owned(),
            spec: name.to_owned(),
            manifest_path: format!("{name}/Cargo.toml"),
            is_whole,
            reasons: Vec::new(),
            targets: targets.iter().map(target).collect(),
        }
    }

    #[test]
    fn packages_with_the_same_targets_share_a_line() {
        let found = [
            package("a", false, &[("lib", "a"), ("doc", "a")]),
            package("b", true, &[("lib", "b"), ("test", "x")]),
            package("c", false, &[("proc_macro", "c"), ("doc", "c")]),
            package("d", false, &[("bin", "d"), ("test", "x"), ("example", "e"), ("bench", "y")]),
            package("e", true, &[("lib", "e")]),
            package("f", false, &[("bench", "y")]),
            package("g", false, &[("lib", "g"), ("test", "over_net")]),
        ];
        assert_eq!(cargo_packages(&found).unwrap(), "-p a -p b -p c -p d -p e -p f -p g");
        assert_eq!(
            cargo_tests(&found),
            [
                "-p b -p e",
                "-p d --bin d --test x --example e",
                "-p a -p c --doc",
                "-p a -p c --lib",
                "-p g --tests",
            ]
        );
        assert_eq!(
            nextest_tests(found.get(..4).unwrap()),
            "(package(=a) & kind(lib)) | package(=b) | (package(=c) & kind(proc-macro)) \
             | (package(=d) & kind(bin) & binary(=d)) | (package(=d) & kind(test) & binary(=x)) \
             | (package(=d) & kind(example) & binary(=e))"
        );
    }

    #[test]
    fn nothing_is_no_argument_and_an_expression_of_nothing() {
        assert_eq!((cargo_packages(&[]), cargo_tests(&[])), (None, Vec::new()));
        assert_eq!((nextest_packages(&[]), nextest_tests(&[])), ("none()".into(), "none()".into()));
    }
}
