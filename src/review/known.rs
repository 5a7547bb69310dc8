//! Macros and attributes of which is known what they do with the text of their tokens.

/// Macros of the standard library that take expressions, and read no text but that of formats.
const EXPRESSIONS: &[&str] = &[
    "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne",
    "eprint", "eprintln", "format", "format_args", "matches", "panic", "print", "println", "todo",
    "unimplemented", "unreachable", "vec", "write", "writeln",
];

/// Macros of the standard library that read files, by paths relative to the source.
const FILES: &[&str] = &["include", "include_bytes", "include_str"];

/// Macros and functions of the standard library that tell where code is, or names of types.
const PLACES: &[&str] = &[
    "any::TypeId::of",
    "any::type_name",
    "any::type_name_of_val",
    "column",
    "file",
    "line",
    "module_path",
    "panic::Location::caller",
];

/// Crates whose macros note the module that they are called in.
const LOGS: &[&str] = &["defmt", "log", "tracing"];

/// Attributes that say something to the compiler or its tools, and make no code of the text of names.
const PLAIN: &[&str] = &[
    "allow",
    "automatically_derived",
    "bench",
    "cfg",
    "cold",
    "crate_name",
    "crate_type",
    "default",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "feature",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "macro_export",
    "macro_use",
    "must_use",
    "no_implicit_prelude",
    "no_main",
    "no_std",
    "non_exhaustive",
    "panic_handler",
    "path",
    "recursion_limit",
    "repr",
    "should_panic",
    "target_feature",
    "test",
    "track_caller",
    "type_length_limit",
    "warn",
];

/// Attributes whose tools or macros are known to make no code of the text of names.
const PLAIN_PATHS: &[&str] = &["async_trait", "clippy", "rustdoc", "rustfmt", "tokio"];

/// Derives that make code of the shape of a type, and not of its names.
const SHAPES: &[&str] =
    &["Clone", "Copy", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Derives that make texts of the names of a type, its fields and variants, and not of other tokens.
const NAMES: &[&str] = &["Debug", "Deserialize", "Serialize"];

/// Attributes by which others find an item under its name.
const SYMBOLS: &[&str] = &["export_name", "no_mangle", "link_section"];

/// What an attribute may read of the item that it is before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttributeReads {
    /// Nothing that a new name of something changes.
    Nothing,
    /// The names of the item, its fields and variants.
    Names,
    /// Any token.
    Tokens,
}

/// What is known of a macro.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MacroReads {
    /// It evaluates expressions.
    Expressions,
    /// It may read any token.
    Tokens,
}

/// A path of the standard library without its crate.
fn standard(path: &str) -> Option<&str> {
    ["std::", "core::", "alloc::"].iter().find_map(|krate| path.strip_prefix(krate))
}

pub(super) fn macro_reads(path: Option<&str>) -> MacroReads {
    match path.and_then(standard) {
        Some(name) if EXPRESSIONS.contains(&name) => MacroReads::Expressions,
        _ => MacroReads::Tokens,
    }
}

/// Whether something of another crate tells where code is, or how a type is called.
pub(super) fn tells_place(path: &str) -> bool {
    let krate = path.split("::").next().unwrap_or_default();
    standard(path).is_some_and(|name| PLACES.contains(&name)) || LOGS.contains(&krate)
}

/// Whether a macro reads a file by its path.
pub(super) fn reads_file(path: &str) -> bool {
    standard(path).is_some_and(|name| FILES.contains(&name))
}

/// Whether a word is that of an attribute of the language.
pub(super) fn is_plain_attribute(word: &str) -> bool {
    PLAIN.contains(&word)
}

/// What an attribute as it is written may read.
pub fn attribute_reads(text: &str) -> AttributeReads {
    let text = text.trim_start_matches(['#', '!', '[', ' ']);
    let text = text.strip_prefix("unsafe(").unwrap_or(text).trim_start();
    let end =
        text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let first = path.split("::").next().unwrap_or_default();
    if path == "derive" {
        let names = rest.trim_matches(|c: char| !c.is_alphanumeric()).split(',');
        let reads =
            names.map(|name| derive_reads(name.trim().rsplit("::").next().unwrap_or_default()));
        return reads.max().unwrap_or(AttributeReads::Nothing);
    }
    if path == "cfg_attr" {
        let inside = rest.trim_start_matches([' ', '(']).trim_end_matches([' ', ')', ']']);
        let reads = arguments(inside).into_iter().skip(1).map(attribute_reads);
        return reads.max().unwrap_or(AttributeReads::Nothing);
    }
    if SYMBOLS.contains(&path) {
        return AttributeReads::Names;
    }
    let is_plain = PLAIN.contains(&path) || path != first && PLAIN_PATHS.contains(&first);
    if is_plain || path == "async_trait" { AttributeReads::Nothing } else { AttributeReads::Tokens }
}

/// The arguments of a list, without those of lists in it.
fn arguments(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(text.get(start..));
    found
}

fn derive_reads(name: &str) -> AttributeReads {
    if name.is_empty() || SHAPES.contains(&name) {
        AttributeReads::Nothing
    } else if NAMES.contains(&name) {
        AttributeReads::Names
    } else {
        AttributeReads::Tokens
    }
}

/// Words that have no meaning of their own as names.
pub(super) fn is_keyword(text: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "Self", "_", "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else",
        "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod",
        "move", "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait",
        "true", "type", "union", "unsafe", "use", "where", "while", "yield",
    ];
    KEYWORDS.contains(&text)
}
