//! Files that a text names relative to the file that it is in: `include!`, `include_str!`,
//! `include_bytes!`, and `#[path = "…"]` (Reference, "The `path` attribute").

use asof_syntax::{Kind, lex};

use super::macro_rules::macro_calls;

/// A file that is named by a path relative to the folder of the source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelativeFile {
    /// First byte of the path, or of the name of the macro.
    pub at: u32,
    /// As written; none if it is no literal.
    pub path: Option<String>,
}

const INCLUDING: [&str; 3] = ["include", "include_str", "include_bytes"];

/// Variables of paths that are absolute.
const ABSOLUTE: [&str; 2] = ["\"CARGO_MANIFEST_DIR\"", "\"OUT_DIR\""];

/// The relative files of a text; absolute paths are left out.
pub fn relative_files(text: &str) -> Vec<RelativeFile> {
    let mut found = Vec::new();
    for call in macro_calls(text).into_iter().filter(|call| INCLUDING.contains(&call.name)) {
        let (start, end) = (call.arguments.start as usize, call.arguments.end as usize);
        let argument = text.get(start..end).unwrap_or_default();
        let argument = argument.trim().trim_end_matches(',').trim_end();
        match literal(argument) {
            Some(path) if path.starts_with('/') => {}
            Some(path) => found.push(RelativeFile { at: call.name_at, path: Some(path) }),
            None if ABSOLUTE.iter().any(|name| argument.contains(name)) => {}
            None => found.push(RelativeFile { at: call.name_at, path: None }),
        }
    }
    let tokens = lex(text, 0);
    for window in tokens.windows(3) {
        let [name, equals, value] = window else { continue };
        let is_path = text.get(name.start as usize..name.end as usize) == Some("path");
        if !is_path || equals.byte != b'=' || value.kind != Kind::Literal {
            continue;
        }
        let before = text.get(..name.start as usize).unwrap_or_default().trim_end();
        let is_attribute = before.ends_with('[')
            || before.ends_with([',', '('])
                && before
                    .rfind("#[")
                    .is_some_and(|at| !before.get(at..).unwrap_or_default().contains(']'));
        let path = text.get(value.start as usize..value.end as usize).and_then(literal);
        if let Some(path) = path.filter(|path| is_attribute && !path.starts_with('/')) {
            found.push(RelativeFile { at: value.start, path: Some(path) });
        }
    }
    found
}

fn literal(text: &str) -> Option<String> {
    syn::parse_str::<syn::LitStr>(text).ok().map(|literal| literal.value())
}

/// The path of a file that a text in `folder` names; none if it leads out of the root.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_relative_to_the_file_are_found() {
        let text = "\
#![doc = include_str!(\"../a.md\")]
#[path = \"x/y.rs\"] mod m;
#[cfg_attr(unix, path = \"u.rs\")] mod n;
const A: &[u8] = include_bytes!(r\"b.bin\");
const B: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/c\"));
const C: &str = include_str!(concat!(\"d\", \".txt\"));
fn f() { let path = \"no\"; }
";
        let found: Vec<Option<String>> =
            relative_files(text).into_iter().map(|file| file.path).collect();
        let path = |text: &str| Some(text.to_owned());
        assert_eq!(found, [path("../a.md"), path("b.bin"), None, path("x/y.rs"), path("u.rs")]);
        assert_eq!(join("src/a", "../b/./c.txt").as_deref(), Some("src/b/c.txt"));
        assert_eq!(join("src", "../../c"), None);
    }
}
