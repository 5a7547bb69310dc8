//! The tests that a change affects as filters of test runners. A filter may select more tests than
//! it is made for, such as the cases of a parametrised test, never fewer.

use std::collections::BTreeMap;

use asof::wire::{AffectedTest, AffectedTests};

/// Commands of `cargo test`, to be run one after the other; none if no test is affected.
pub fn cargo(tests: &AffectedTests) -> Vec<String> {
    if !tests.run_everything.is_empty() {
        return vec!["cargo test --workspace".to_owned()];
    }
    let mut commands: Vec<String> = by_target(&tests.selected)
        .into_iter()
        .map(|((package, kind, target), names)| {
            let which = match kind {
                "lib" | "proc_macro" => "--lib".to_owned(),
                kind => format!("--{kind} {target}"),
            };
            let filter = match names {
                Some(names) => format!(" -- {}", names.join(" ")),
                None => String::new(),
            };
            format!("cargo test --package {package} {which}{filter}")
        })
        .collect();
    commands.extend(
        tests.doc_tests.iter().map(|package| format!("cargo test --package {package} --doc")),
    );
    commands
}

/// An expression for `cargo nextest run --filterset`. It does not run documentation tests.
pub fn nextest(tests: &AffectedTests) -> String {
    if !tests.run_everything.is_empty() {
        return "all()".to_owned();
    }
    let parts: Vec<String> = by_target(&tests.selected)
        .into_iter()
        .map(|((package, kind, target), names)| {
            let kind = kind.replace('_', "-");
            let mut part = format!("package(={package}) & kind({kind})");
            if !matches!(kind.as_str(), "lib" | "proc-macro") {
                part.push_str(&format!(" & binary(={target})"));
            }
            if let Some(names) = names {
                part.push_str(&format!(" & test(/^({})(::|$)/)", names.join("|")));
            }
            format!("({part})")
        })
        .collect();
    match parts.is_empty() {
        true => "none()".to_owned(),
        false => parts.join(" | "),
    }
}

/// Package, kind and name of a crate.
type Target<'a> = (&'a str, &'a str, &'a str);

/// The names of the tests of each crate; `None` for all of them.
fn by_target(tests: &[AffectedTest]) -> BTreeMap<Target<'_>, Option<Vec<&str>>> {
    let mut found: BTreeMap<Target<'_>, Option<Vec<&str>>> = BTreeMap::new();
    for test in tests {
        let target = (test.package.as_str(), test.target_kind.as_str(), test.target.as_str());
        let names = found.entry(target).or_insert_with(|| Some(Vec::new()));
        match (&test.name, names.as_mut()) {
            (Some(name), Some(names)) => names.push(name),
            _ => *names = None,
        }
    }
    found
}
