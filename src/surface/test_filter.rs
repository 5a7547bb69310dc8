//! The tests that a change affects as filters of test runners. A filter may select more tests than
//! it is made for, such as the cases of a parametrised test, never fewer.

use asof_wire::{AffectedTest, AffectedTests};

/// Longest command that names tests, in bytes, so that it can be pasted and read.
const MAX_COMMAND: usize = 500;

/// Commands of `cargo test`, to be run one after the other, the nearest tests first; none if no
/// test is affected.
pub fn cargo(tests: &AffectedTests) -> Vec<String> {
    if !tests.run_everything.is_empty() {
        return vec!["cargo test --workspace".to_owned()];
    }
    let mut commands: Vec<String> = by_target(&tests.selected)
        .into_iter()
        .flat_map(|((package, kind, target), names)| {
            let which = match kind {
                "lib" | "proc_macro" => "--lib".to_owned(),
                kind => format!("--{kind} {target}"),
            };
            let command = format!("cargo test --package {package} {which}");
            match names {
                Some(names) => naming(&format!("{command} --"), &names),
                None => vec![command],
            }
        })
        .collect();
    commands.extend(
        tests.doc_tests.iter().map(|package| format!("cargo test --package {package} --doc")),
    );
    commands
}

/// A command with names after it, as often as it takes to keep each short.
fn naming(command: &str, names: &[&str]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for name in names {
        match commands.last_mut() {
            Some(last) if last.len() + 1 + name.len() <= MAX_COMMAND => {
                last.push(' ');
                last.push_str(name);
            }
            _ => commands.push(format!("{command} {name}")),
        }
    }
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
    if parts.is_empty() { "none()".to_owned() } else { parts.join(" | ") }
}

/// Package, kind and name of a crate.
type Target<'a> = (&'a str, &'a str, &'a str);

/// The names of the tests of each crate, the crate with the first test first; `None` for all of
/// them.
fn by_target(tests: &[AffectedTest]) -> Vec<(Target<'_>, Option<Vec<&str>>)> {
    let mut found: Vec<(Target<'_>, Option<Vec<&str>>)> = Vec::new();
    for test in tests {
        let target = (test.package.as_str(), test.target_kind.as_str(), test.target.as_str());
        let name = test.name.as_deref();
        match (found.iter_mut().find(|(known, _)| *known == target), name) {
            (Some((_, Some(names))), Some(name)) => names.push(name),
            (Some((_, names)), _) => *names = None,
            (None, name) => found.push((target, name.map(|name| vec![name]))),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affected(target: &str, name: Option<&str>, depth: u32) -> AffectedTest {
        AffectedTest {
            package: "demo".to_owned(),
            target_kind: "test".to_owned(),
            target: target.to_owned(),
            name: name.map(str::to_owned),
            is_module: false,
            depth,
            file_path: String::new(),
        }
    }

    #[test]
    fn commands_are_short_and_name_every_test_once() {
        let names: Vec<String> = (0..100).map(|n| format!("some_module::test_{n:03}")).collect();
        let mut selected = vec![affected("near", Some("first"), 1), affected("all", None, 2)];
        selected.extend(names.iter().map(|name| affected("far", Some(name), 3)));
        let commands = cargo(&AffectedTests { selected, ..AffectedTests::default() });
        assert_eq!(commands[0], "cargo test --package demo --test near -- first");
        assert_eq!(commands[1], "cargo test --package demo --test all");
        let far = "cargo test --package demo --test far -- ";
        let mut named = Vec::new();
        for command in &commands[2..] {
            assert!(command.len() <= MAX_COMMAND, "{command}");
            named.extend(command.strip_prefix(far).unwrap().split(' '));
        }
        assert_eq!(named, names);
        assert!(commands.len() > 4 && commands.len() < 10, "{}", commands.len());
    }

    #[test]
    fn a_name_that_is_longer_than_a_command_is_named_alone() {
        let long = "a".repeat(2 * MAX_COMMAND);
        let selected = vec![affected("far", Some(&long), 1), affected("far", Some("b"), 1)];
        let commands = cargo(&AffectedTests { selected, ..AffectedTests::default() });
        let far = "cargo test --package demo --test far --";
        assert_eq!(commands, [format!("{far} {long}"), format!("{far} b")]);
    }
}
