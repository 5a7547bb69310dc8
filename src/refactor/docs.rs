//! Finds names in documentation: in links between items, and in the code of examples.

use std::ops::Range;
use std::sync::Arc;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::doc_text::{DocText, doc_texts};
use super::words::{is_word, path_start, words};

/// A name in documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocName {
    /// First byte of the name in the source.
    pub at: u32,
    /// The path that ends with it, as written; of a member, `.name`.
    pub path: String,
    pub place: DocPlace,
    /// Byte of the source where the block of code, or the documentation, begins.
    pub block: u32,
    /// The code of the block; empty for a link.
    pub code: Arc<str>,
    /// Whether a `use` declares it here.
    pub imported: bool,
}

/// Where in documentation a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocPlace {
    Link,
    Code,
}

/// Names of a source text's documentation that are `name`; prose is left out.
pub fn doc_names(text: &str, name: &str) -> Vec<DocName> {
    let texts = doc_texts(text);
    texts.iter().filter(|doc| doc.text.contains(name)).flat_map(|doc| names(doc, name)).collect()
}

/// The same of a document that is documentation as a whole: one that an item includes.
pub fn document_names(text: &str, name: &str) -> Vec<DocName> {
    names(&DocText::of_document(text), name)
}

/// The same of the code of a document that nothing includes: in spans, and in blocks of Rust.
pub fn code_names(text: &str, name: &str) -> Vec<DocName> {
    let mut found = document_names(text, name);
    found.retain(|one| one.place == DocPlace::Code);
    for (event, range) in Parser::new(text).into_offset_iter() {
        let Event::Code(_) = event else { continue };
        let Some(span) = text.get(range.clone()) else { continue };
        found.extend(words(span, name).map(|at| {
            let path = span.get(path_start(span, at)..at + name.len()).unwrap_or_default();
            let before = span.get(..path_start(span, at)).unwrap_or_default();
            let dot = if before.ends_with('.') { "." } else { "" };
            DocName {
                at: (range.start + at) as u32,
                path: format!("{dot}{path}"),
                place: DocPlace::Code,
                block: range.start as u32,
                code: span.into(),
                imported: false,
            }
        }));
    }
    found
}

/// A block of code in Markdown.
struct Block {
    range: Range<usize>,
    is_rust: bool,
}

/// Blocks in fences and by indentation, in lists and quotes too.
fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut is_rust = false;
    let mut range: Option<Range<usize>> = None;
    for (event, at) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                is_rust = match kind {
                    CodeBlockKind::Indented => true,
                    CodeBlockKind::Fenced(note) => is_test(&note),
                };
                range = None;
            }
            Event::Text(_) => {
                let open = range.get_or_insert(at.clone());
                open.end = at.end.max(open.end);
            }
            Event::End(TagEnd::CodeBlock) => {
                found.extend(range.take().map(|range| Block { range, is_rust }));
            }
            Event::Start(_) | Event::End(_) => range = None,
            _ => {}
        }
    }
    found
}

fn names(doc: &DocText, name: &str) -> Vec<DocName> {
    let text = doc.text.as_str();
    let blocks = blocks(text);
    let start = doc.source_byte(0);
    let mut found = Vec::new();
    for at in words(text, name) {
        let end = at + name.len();
        let block = blocks.iter().find(|block| block.range.contains(&at));
        let line_start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |n| n + 1);
        let line = text.get(line_start..).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default();
        let (from, to) = (at - line_start, end - line_start);
        let head = line.get(..path_start(line, from)).unwrap_or_default();
        let behind = line.get(to..).unwrap_or_default();
        let mut path = line.get(head.len()..to).unwrap_or_default().to_owned();
        let place = match block {
            Some(block) if !block.is_rust => continue,
            Some(_) => DocPlace::Code,
            None if is_link(head, behind) => DocPlace::Link,
            None => continue,
        };
        if head.ends_with('.') && !head.ends_with("..") {
            path = format!(".{path}");
        }
        let import = block.and_then(|block| import_before(text.get(block.range.start..at)?));
        if let Some(before) = import {
            path = format!("{}{name}", import_prefix(before));
        }
        found.push(DocName {
            at: doc.source_byte(at),
            path,
            place,
            block: block.map_or(start, |block| doc.source_byte(block.range.start)),
            code: block.and_then(|block| text.get(block.range.clone())).unwrap_or_default().into(),
            imported: import.is_some(),
        });
    }
    found
}

/// What a `use` declaration has before its end, if code ends in one.
fn import_before(code: &str) -> Option<&str> {
    let start = code.rfind(';').map_or(0, |end| end + 1);
    let statement = code.get(start..)?.trim_start_matches(['#', '>', '*']).trim_start();
    let statement = statement.strip_prefix("pub ").unwrap_or(statement);
    let last = statement.rfind("use ").filter(|at| {
        let before = statement.get(..*at).unwrap_or_default();
        before.is_empty() || before.ends_with(['\n', '{', ' ', '#'])
    })?;
    statement.get(last + 4..)
}

/// The path before a name of a `use` tree: the text in front of the name tells the groups around.
fn import_prefix(tree: &str) -> String {
    let mut around: Vec<String> = Vec::new();
    let mut own = String::new();
    for c in tree.chars() {
        match c {
            '{' => around.push(std::mem::take(&mut own)),
            '}' => _ = around.pop(),
            ',' => own.clear(),
            c if c.is_whitespace() || matches!(c, '#' | '>' | '*') => {}
            c => own.push(c),
        }
    }
    around.concat() + &own
}

/// Whether a block of code with this note is a test.
fn is_test(note: &str) -> bool {
    const RUST: [&str; 6] = ["rust", "no_run", "ignore", "should_panic", "compile_fail", "test"];
    let mut words = note.split([',', ' ']).filter(|word| !word.is_empty());
    words.all(|word| RUST.contains(&word) || word.starts_with("edition"))
}

/// Whether a path between these texts is that of a link: `[path]`, `` [`path()`] ``, `[text](path)`,
/// or of the definition of one, `[text]: path()`. Prose behind a definition makes it none (CommonMark,
/// "Link reference definitions"): `[note]: path is gone`.
fn is_link(head: &str, behind: &str) -> bool {
    let behind = behind.trim_start_matches(|c: char| is_word(c) || c == ':');
    let head = match head.rsplit_once('@') {
        Some((kind, "")) => kind.trim_end_matches(|c: char| c.is_alphanumeric()),
        _ => head,
    };
    let mut rest = behind;
    for part in ["()", "!", "{}", "`", ">"] {
        rest = rest.strip_prefix(part).unwrap_or(rest);
    }
    let ends = |closing: char| rest.starts_with(closing);
    let is_end = |rest: &str| {
        let title = rest.trim();
        title.is_empty() || rest.starts_with([' ', '\t']) && title.starts_with(['"', '\'', '('])
    };
    let opened = head.strip_suffix('`').unwrap_or(head);
    opened.ends_with('[') && ends(']')
        || head.ends_with("](") && (ends(')') || behind.starts_with('#'))
        || head.trim_end_matches([' ', '\t', '<', '`']).ends_with("]:")
            && (is_end(rest) || rest.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_code_are_found_and_prose_is_not() {
        let text = "\
//! See [`old`], [`a::old()`], [text](crate::old), [fn@old] and [old::b].
//! [it]: self::old
//!
//! [`call()`]: A::old()
//! [titled]: <crate::b::old> (A title)
//! [note]: old is prose.
//! Not old, `old`, [older] or (old).
//! ```
//! use demo::a::old;
//! old();
//! ```
//! ```text
//! old
//! ```
fn old() {}
/// [`old`]
fn g() { // [old]
}
";
        let found: Vec<(String, DocPlace, bool)> =
            doc_names(text, "old").into_iter().map(|n| (n.path, n.place, n.imported)).collect();
        let link = |path: &str| (path.to_owned(), DocPlace::Link, false);
        let expected = vec![
            link("old"),
            link("a::old"),
            link("crate::old"),
            link("old"),
            link("old"),
            link("self::old"),
            link("A::old"),
            link("crate::b::old"),
            ("demo::a::old".to_owned(), DocPlace::Code, true),
            ("old".to_owned(), DocPlace::Code, false),
            link("old"),
        ];
        assert_eq!(found, expected);
        for name in doc_names(text, "old") {
            assert!(text.get(name.at as usize..).unwrap().starts_with("old"));
        }
    }

    #[track_caller]
    fn check_code(text: &str, expected: &[&str]) {
        let found: Vec<String> = doc_names(text, "old").into_iter().map(|n| n.path).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn code_is_found_wherever_markdown_has_it() {
        check_code("/// * ```\n///   t::old();\n///   ```\nfn f() {}", &["t::old"]);
        check_code("/// > ```\n/// > s.old();\n/// > ```\nfn f() {}", &[".old"]);
        check_code("/// Text\n///\n///     old();\nfn f() {}", &["old"]);
        check_code("#[doc = \"```\\nold();\\n```\"] fn f() {}", &["old"]);
        check_code("/// ```\n/// use a::{b::{c, old}, d};\n/// ```\nfn f() {}", &["a::b::old"]);
        check_code("/// ```toml\n/// old = 1\n/// ```\nfn f() {}", &[]);
        let paths = |text: &str| -> Vec<String> {
            code_names(text, "old").into_iter().map(|one| one.path).collect()
        };
        assert_eq!(paths("`A::old()`, old, [old](x) and `a.old`\n"), ["A::old", ".old"]);
        let found = document_names("# T\n\n```rust\nuse t::old;\n```\n", "old");
        assert!(found.len() == 1 && found[0].imported);
    }
}
