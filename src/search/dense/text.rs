//! The text of an item that is embedded. A head in words says what its name and place say in
//! identifiers: models know prose better than code.

use super::super::collect::is_test_code;
use super::super::corpus::is_aside_path;
use super::super::file_terms::{Flags, ItemTerms};
use super::vectors::ContentHash;
use asof_model::identifier_parts;
use asof_model::{FileFacts, Header, ItemFacts, NodeKind, file_stem};

/// Bytes of a text that are kept: models read the first hundred words or so.
const MAX_BYTES: usize = 2000;

/// Part of the text that documentation may take.
const MAX_DOCS: usize = 600;

/// Version of the text, part of its hash.
const VERSION: &str = "1";

/// The text of an item, and what its vector is stored under.
#[derive(Debug, Clone, PartialEq)]
pub struct TextToEmbed {
    /// Index in the file's facts.
    pub item: u32,
    /// Hash of the text.
    pub hash: ContentHash,
    /// The text.
    pub text: String,
}

/// Whether an item of a file is embedded: functions, types, traits, macros and documented modules,
/// but not tests, benches and examples.
pub fn is_embedded(path: &str, item: &ItemTerms) -> bool {
    let documented = item.flags.has(Flags::DOCUMENTED);
    is_wanted(item.kind, documented) && !item.flags.has(Flags::TEST) && !is_aside_path(path)
}

fn is_wanted(kind: NodeKind, documented: bool) -> bool {
    match kind {
        NodeKind::Function
        | NodeKind::Method
        | NodeKind::Struct
        | NodeKind::Enum
        | NodeKind::Union
        | NodeKind::Trait
        | NodeKind::Macro => true,
        NodeKind::Module => documented,
        _ => false,
    }
}

/// The texts of a file whose facts have their texts: of the items that [`is_embedded`] names.
pub fn texts_to_embed(facts: &FileFacts) -> Vec<TextToEmbed> {
    if is_aside_path(&facts.path) {
        return Vec::new();
    }
    let wanted = |(at, item): &(u32, &ItemFacts)| {
        is_wanted(item.kind, !item.docs.is_empty()) && !is_test_code(facts, *at)
    };
    let items = (0u32..).zip(&facts.items).filter(wanted);
    items
        .map(|(at, item)| {
            let text = text(facts, at, item);
            TextToEmbed { item: at, hash: ContentHash::hash(VERSION, &text), text }
        })
        .collect()
}

fn text(facts: &FileFacts, at: u32, item: &ItemFacts) -> String {
    let mut out = match at {
        0 => split(file_stem(&facts.path)),
        _ => split(&item.name),
    };
    let container = facts.items.get(item.parent as usize).filter(|_| at > 0 && item.parent > 0);
    if let Some(container) = container {
        let name = match &container.header {
            Header::Impl { self_type, .. } => self_type.path.last().map_or("", String::as_str),
            _ => &container.name,
        };
        out.push_str(" in ");
        out.push_str(&split(name));
    }
    out.push_str(". module ");
    let folders = facts.path.trim_end_matches(".rs").split('/');
    let path: Vec<String> =
        folders.filter(|part| !matches!(*part, "src" | "crates")).map(split).collect();
    out.push_str(&path.join(" "));
    out.push_str(".\n");
    out.push_str(cut(&item.docs, MAX_DOCS));
    out.push('\n');
    out.push_str(&item.signature);
    out.push('\n');
    if let Some((_, source)) = &item.text {
        let source = String::from_utf8_lossy(source);
        let is_code = |line: &&str| {
            let line = line.trim_start();
            !(line.starts_with("///") || line.starts_with("//!") || line.starts_with("#["))
        };
        let lines: Vec<&str> = source.lines().filter(is_code).map(str::trim).collect();
        // The signature is there already.
        let body = lines.join("\n");
        let body = body.split_once('{').map_or("", |(_, body)| body);
        out.push_str(body);
    }
    let len = cut(&out, MAX_BYTES).len();
    out.truncate(len);
    out
}

/// The words of an identifier, in lower case.
fn split(identifier: &str) -> String {
    let words =
        identifier.split(|c: char| !c.is_alphanumeric() && c != '_').flat_map(identifier_parts);
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// The first bytes of a text, whole characters.
fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
pub struct RetryPolicy { max: u32 }
impl RetryPolicy {
    /// Waits longer each time.
    #[inline]
    pub fn nextDelay(&self, attempt: u32) -> u64 {
        1 << attempt
    }
}
#[test]
fn slow() {}
";

    fn texts(source: &str) -> Vec<TextToEmbed> {
        texts_to_embed(&asof_syntax::parse_file("src/net/retry.rs", source.as_bytes()))
    }

    #[test]
    fn names_become_words_and_tests_are_left_out() {
        let found: Vec<String> = texts(SOURCE).into_iter().map(|one| one.text).collect();
        assert_eq!(
            found,
            [
                "retry policy. module net retry.\n\npub struct RetryPolicy\n max: u32 }",
                "next delay in retry policy. module net retry.\nWaits longer each time.\n\
                 pub fn nextDelay(&self, attempt: u32) -> u64\n\n1 << attempt\n}",
            ]
        );
    }

    #[test]
    fn the_hash_follows_the_text() {
        let moved = SOURCE.replace("pub struct", "\n\npub struct");
        let changed = SOURCE.replace("1 << attempt", "2 << attempt");
        let hashes = |source: &str| texts(source).into_iter().map(|t| t.hash).collect::<Vec<_>>();
        assert_eq!(hashes(SOURCE), hashes(&moved));
        assert_eq!(hashes(SOURCE).first(), hashes(&changed).first());
        assert_ne!(hashes(SOURCE).last(), hashes(&changed).last());
    }
}
