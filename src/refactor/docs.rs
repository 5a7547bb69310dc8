//! Finds names in documentation: in links between items, and in the code of examples.

use super::words::{is_word, path_start, words};
use asof_syntax::{Kind, lex};

/// A name in documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocName {
    /// First byte of the name.
    pub at: u32,
    /// The path that ends with it, as written.
    pub path: String,
    /// What follows the path in a link: `()` of a function, `!` of a macro.
    pub place: DocPlace,
    /// Byte where the block of code, or the comment, begins.
    pub block: u32,
    /// Whether a `use` declares it here.
    pub imported: bool,
}

/// Where in documentation a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocPlace {
    Link,
    Code,
}

/// Names of a text's documentation that are `name`; prose is left out.
pub fn doc_names(text: &str, name: &str) -> Vec<DocName> {
    let mut found = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut last_end = 0u32;
    let bare = text.strip_prefix('\u{feff}').unwrap_or(text);
    for token in lex(text, text.len() - bare.len()) {
        if token.kind != Kind::Doc {
            continue;
        }
        let between = text.get(last_end as usize..token.start as usize).unwrap_or_default();
        if !between.trim().is_empty() {
            fence = None;
        }
        last_end = token.end;
        let comment = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        let mut start = token.start as usize;
        for line in comment.split_inclusive('\n') {
            let shown = line.trim_start().trim_start_matches(['/', '!', '*']).trim();
            if shown.starts_with("```") || shown.starts_with("~~~") {
                fence = match fence {
                    Some(_) => None,
                    None => Some(Fence {
                        block: start as u32,
                        is_rust: is_rust(shown.trim_start_matches(['`', '~'])),
                    }),
                };
            } else {
                let at = Line { text: line, start, fence };
                at.names(name, token.start, &mut found);
            }
            start += line.len();
        }
    }
    found
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    block: u32,
    is_rust: bool,
}

/// Whether a block of code with this note is a test.
fn is_rust(note: &str) -> bool {
    const RUST: [&str; 6] = ["rust", "no_run", "ignore", "should_panic", "compile_fail", "test"];
    let mut words = note.split([',', ' ']).filter(|word| !word.is_empty());
    words.all(|word| RUST.contains(&word) || word.starts_with("edition"))
}

struct Line<'a> {
    text: &'a str,
    start: usize,
    fence: Option<Fence>,
}

impl Line<'_> {
    fn names(&self, name: &str, comment: u32, found: &mut Vec<DocName>) {
        for at in words(self.text, name) {
            let end = at + name.len();
            let behind = self.text.get(end..).unwrap_or_default();
            let head = self.text.get(..path_start(self.text, at)).unwrap_or_default();
            let path = self.text.get(head.len()..end).unwrap_or_default().to_owned();
            let place = match self.fence {
                Some(fence) if !fence.is_rust => continue,
                Some(_) => DocPlace::Code,
                None if is_link(head, behind) => DocPlace::Link,
                None => continue,
            };
            let line = self.text.trim_start().trim_start_matches(['/', '!', '*', '#', ' ']);
            found.push(DocName {
                at: (self.start + at) as u32,
                path,
                place,
                block: self.fence.map_or(comment, |fence| fence.block),
                imported: line.starts_with("use ") || line.starts_with("pub use "),
            });
        }
    }
}

/// Whether a path between these texts is that of a link: `[path]`, `` [`path()`] ``, `[text](path)`.
fn is_link(head: &str, behind: &str) -> bool {
    let behind = behind.trim_start_matches(|c: char| is_word(c) || c == ':');
    let head = match head.rsplit_once('@') {
        Some((kind, "")) => kind.trim_end_matches(|c: char| c.is_alphanumeric()),
        _ => head,
    };
    let ends = |closing: char| {
        let mut rest = behind;
        for part in ["()", "!", "{}", "`"] {
            rest = rest.strip_prefix(part).unwrap_or(rest);
        }
        rest.starts_with(closing)
    };
    let opened = head.strip_suffix('`').unwrap_or(head);
    opened.ends_with('[') && ends(']')
        || head.ends_with("](") && (ends(')') || behind.starts_with('#'))
        || head.trim_end().ends_with("]:") && behind.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_code_are_found_and_prose_is_not() {
        let text = "\
//! See [`old`], [`a::old()`], [text](crate::old), [fn@old] and [old::b].
//! [it]: self::old
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
            ("demo::a::old".to_owned(), DocPlace::Code, true),
            ("old".to_owned(), DocPlace::Code, false),
            link("old"),
        ];
        assert_eq!(found, expected);
        for name in doc_names(text, "old") {
            assert!(text.get(name.at as usize..).unwrap().starts_with("old"));
        }
    }
}
