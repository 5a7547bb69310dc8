//! What the attributes of an item say about uses that no code names.

/// What attributes mean for the question whether an item is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    /// The linker, the runtime or the test runner finds the item.
    pub is_entry: bool,
    /// It is there on purpose: `#[allow(dead_code)]`.
    pub is_allowed: bool,
    /// A macro that is not known may use it.
    pub is_doubtful: bool,
    pub is_exported_macro: bool,
}

impl Attributes {
    pub fn or(self, other: Self) -> Self {
        Self {
            is_entry: self.is_entry || other.is_entry,
            is_allowed: self.is_allowed || other.is_allowed,
            is_doubtful: self.is_doubtful || other.is_doubtful,
            is_exported_macro: self.is_exported_macro || other.is_exported_macro,
        }
    }
}

/// Attributes by which something other than code finds an item.
const ENTRIES: &[&str] = &[
    "alloc_error_handler",
    "bench",
    "ctor",
    "dtor",
    "export_name",
    "global_allocator",
    "link_section",
    "main",
    "no_mangle",
    "panic_handler",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "test",
    "used",
];

/// Attributes that use nothing: those of the compiler, and helpers of the derives below.
const INERT: &[&str] = &[
    "allow",
    "arg",
    "automatically_derived",
    "clap",
    "cold",
    "command",
    "default",
    "deny",
    "deprecated",
    "doc",
    "error",
    "expect",
    "forbid",
    "group",
    "ignore",
    "inline",
    "macro_export",
    "macro_use",
    "must_use",
    "non_exhaustive",
    "path",
    "repr",
    "schemars",
    "serde",
    "should_panic",
    "target_feature",
    "track_caller",
    "value",
    "warn",
];

/// Derives that only implement traits.
const DERIVES: &[&str] = &[
    "Args", "Clone", "Copy", "Debug", "Default", "Deserialize", "Eq", "Error", "Hash",
    "JsonSchema", "Ord", "Parser", "PartialEq", "PartialOrd", "Serialize", "Subcommand",
    "ValueEnum",
];

/// The lints that would report an unused item.
const LINTS: &[&str] = &["dead_code", "unused", "unused_macros"];

/// Reads an attribute as it is stored: in one line, `#[…]` or `#![…]`.
pub(super) fn read(text: &str) -> Attributes {
    let inside = text.trim_start_matches(['#', '!', ' ']);
    let inside = inside.strip_prefix('[').and_then(|inside| inside.strip_suffix(']'));
    let Some(inside) = inside else {
        return Attributes { is_doubtful: true, ..Attributes::default() };
    };
    // What a macro may do with all of a file is not asked of an inner attribute.
    let is_inner = text.starts_with("#!");
    let found = read_inside(inside.trim(), 0);
    Attributes { is_doubtful: found.is_doubtful && !is_inner, ..found }
}

fn read_inside(inside: &str, depth: u32) -> Attributes {
    let end = inside.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | ' ')));
    let (path, arguments) = inside.split_at(end.unwrap_or(inside.len()));
    let path = path.trim();
    let last = path.rsplit("::").next().unwrap_or(path).trim();
    let listed = arguments.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let mut found = Attributes::default();
    match (last, listed) {
        ("unsafe", Some(listed)) if depth < 4 => return read_inside(listed.trim(), depth + 1),
        ("cfg_attr", Some(listed)) if depth < 4 => {
            return parts(listed)
                .into_iter()
                .skip(1)
                .map(|part| read_inside(part, depth + 1))
                .fold(found, Attributes::or);
        }
        ("derive", Some(listed)) => {
            let is_known = |part: &str| {
                let name = part.rsplit("::").next().unwrap_or(part).trim();
                DERIVES.contains(&name)
            };
            found.is_doubtful = !parts(listed).into_iter().all(is_known);
        }
        ("allow" | "expect", Some(listed)) => {
            found.is_allowed = parts(listed).iter().any(|lint| LINTS.contains(lint));
        }
        _ => {
            found.is_entry = ENTRIES.contains(&last);
            found.is_exported_macro = last == "macro_export";
            let is_tool = path.starts_with("rustfmt") || path.starts_with("clippy");
            found.is_doubtful = !found.is_entry && !is_tool && !INERT.contains(&last);
        }
    }
    found
}

/// The parts of a list between commas, outside of parentheses and strings.
fn parts(list: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut from, mut depth, mut is_string, mut is_escaped) = (0, 0_usize, false, false);
    for (at, c) in list.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ if is_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(list.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    found.extend(list.get(from..));
    found.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_finds_items_allows_them_or_leaves_doubt() {
        let entry = Attributes { is_entry: true, ..Attributes::default() };
        let allowed = Attributes { is_allowed: true, ..Attributes::default() };
        let doubt = Attributes { is_doubtful: true, ..Attributes::default() };
        for (text, expected) in [
            ("#[test]", entry),
            ("#[tokio::test(flavor = \"x, y\")]", entry),
            ("#[unsafe(no_mangle)]", entry),
            ("#[cfg_attr(any(a, b), export_name = \"c\")]", entry),
            ("#![allow(unused, clippy::all)]", allowed),
            ("#[cfg_attr(not(test), expect(dead_code, reason = \"x\"))]", allowed),
            ("#[get(\"/\")]", doubt),
            ("#![feature(x)]", Attributes::default()),
            ("#[derive(Debug, serde::Serialize)]", Attributes::default()),
            ("#[derive(Debug, Component)]", doubt),
            ("#[serde(rename_all = \"x\")]", Attributes::default()),
            ("#[inline(always)]", Attributes::default()),
            ("#[rustfmt::skip]", Attributes::default()),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
