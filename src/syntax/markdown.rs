//! Parses Markdown into sections. Headings are those that a renderer would show as headings of the
//! document: not those in code blocks, quotes or lists, and not the front matter.

use std::collections::BTreeSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::mention::{named_path, qualified_paths};
use asof_model::{FileFacts, ItemFacts, NodeKind, Section, Sections, file_stem};

/// Larger documents are not read: 4 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 4 << 20;

/// Sections of a document; the last one has the rest.
pub const MAX_SECTIONS: usize = 10_000;

/// Characters of a heading that are kept.
const MAX_HEADING: usize = 200;

/// Block quotes and lists around a line. Parsers need time for each of them on each line.
const MAX_NESTING: usize = 200;

/// The sections of a Markdown text. Text without a heading is one section; blank text has none.
pub fn sections(text: &str) -> Sections {
    sections_in(text, Place::Document)
}

/// Where a text is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A Markdown file: a plain word in backticks may be a command or a file name.
    Document,
    /// The documentation of a module: a plain word in backticks is an item.
    Module,
}

fn sections_in(text: &str, place: Place) -> Sections {
    let from = front_matter(text);
    let Some(body) = text.get(from..) else { return Sections::default() };
    let lines = LineStarts::new(text);
    let body = &without_nesting(body);
    let mut builder = Builder { text, lines, found: Sections::default(), path: Vec::new() };
    let mut open = Open { start: from, ..Open::default() };
    let mut containers = 0usize;
    let mut in_code = false;
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if containers == 0 => {
                if builder.is_full() {
                    builder.found.cut = true;
                    continue;
                }
                let start = from + range.start;
                let next = Open { start, level: level as u8, is_heading: true, ..Open::default() };
                builder.close(std::mem::replace(&mut open, next), start);
            }
            Event::End(TagEnd::Heading(_)) => {
                open.is_heading = false;
                open.prose.push('\n');
            }
            Event::Start(Tag::BlockQuote(_) | Tag::List(_)) => containers += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => {
                containers = containers.saturating_sub(1);
            }
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { dest_url, .. }) => open.qualified(&dest_url),
            Event::Text(text) if in_code => {
                open.qualified(&text);
                open.code.push_str(&text);
            }
            Event::Text(text) => open.text(&text),
            Event::Code(text) => {
                let is_plain = text.bytes().all(|byte| byte.is_ascii_lowercase());
                if place == Place::Module || !is_plain {
                    open.mentions.extend(named_path(&text));
                }
                open.text(&text);
            }
            Event::SoftBreak | Event::HardBreak => open.text("\n"),
            Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                open.prose.push('\n');
            }
            _ => {}
        }
    }
    builder.close(open, text.len());
    builder.found
}

/// The documentation of the modules of a file: that of the file itself, of inline modules, and of
/// declarations of modules.
pub fn doc_sections(facts: &FileFacts) -> Vec<Section> {
    let modules = (0..).zip(&facts.items).filter(|(at, item)| {
        (*at == 0usize || item.kind == NodeKind::Module) && !item.docs.trim().is_empty()
    });
    let mut found = Vec::new();
    for (at, item) in modules {
        let name = if at == 0 { file_stem(&facts.path) } else { item.name.as_str() };
        let lines = doc_lines(item);
        let line = |n: u32| {
            let known = lines.get((n as usize).saturating_sub(1));
            known.copied().unwrap_or(item.span.start_line)
        };
        for mut section in sections_in(&item.docs, Place::Module).list {
            section.heading.insert(0, name.to_owned());
            section.start_line = line(section.start_line);
            section.end_line = line(section.end_line).max(section.start_line);
            found.push(section);
        }
    }
    found
}

/// Lines of an item's documentation in its file, if it is written in comments.
fn doc_lines(item: &ItemFacts) -> Vec<u32> {
    let Some((_, text)) = &item.text else { return Vec::new() };
    let text = String::from_utf8_lossy(text);
    let mut found = Vec::new();
    let (mut in_block, mut has_begun) = (false, false);
    for (number, line) in (item.span.start_line..).zip(text.lines()) {
        let line = line.trim_start();
        let is_comment = |mark: &str, not: &str| line.starts_with(mark) && !line.starts_with(not);
        if line.starts_with("//!") || is_comment("///", "////") {
            found.push(number);
            continue;
        }
        let begins =
            line.starts_with("/*!") || (is_comment("/**", "/***") && !line.starts_with("/**/"));
        if !in_block && !begins {
            continue;
        }
        has_begun &= in_block;
        let content = line.get(if in_block { 0 } else { 3 }..).unwrap_or_default();
        let (content, ends) = match content.find("*/") {
            Some(at) => (content.get(..at).unwrap_or_default(), true),
            None => (content, false),
        };
        // Blank lines at the beginning of a block are not part of the documentation.
        has_begun |= !content.trim_matches(|c: char| c == '*' || c.is_whitespace()).is_empty();
        if has_begun {
            found.push(number);
        }
        in_block = !ends;
    }
    found
}

/// Where the text after a byte order mark and a front matter begins.
fn front_matter(text: &str) -> usize {
    let mark = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    let Some(rest) = text.get(mark..) else { return 0 };
    let mut at = mark;
    let mut fence = "";
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        at += line.len();
        let line = line.trim_end();
        match number {
            0 if line == "---" || line == "+++" => fence = line,
            0 => return mark,
            _ if line == fence || (fence == "---" && line == "...") => return at,
            _ => {}
        }
    }
    mark
}

/// The text with markers of quotes and lists that are nested too deeply blanked, byte for byte.
fn without_nesting(text: &str) -> std::borrow::Cow<'_, str> {
    let is_marker = |byte: &u8| matches!(byte, b'>' | b'-' | b'+' | b'*');
    let markers = |line: &str| {
        let front = line.bytes().take_while(|byte| byte.is_ascii_whitespace() || is_marker(byte));
        front.filter(is_marker).count()
    };
    if text.lines().all(|line| markers(line) <= MAX_NESTING) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut left = MAX_NESTING;
        let mut in_front = markers(line) > MAX_NESTING;
        for c in line.chars() {
            let marker = u8::try_from(c).is_ok_and(|byte| is_marker(&byte));
            in_front &= marker || c.is_ascii_whitespace();
            let keep = !in_front || !marker || left > 0;
            left = left.saturating_sub(usize::from(in_front && marker));
            out.push(if keep { c } else { ' ' });
        }
    }
    out.into()
}

/// The section that is being read.
#[derive(Default)]
struct Open {
    start: usize,
    level: u8,
    is_heading: bool,
    title: String,
    prose: String,
    code: String,
    mentions: Vec<String>,
}

impl Open {
    fn text(&mut self, text: &str) {
        self.qualified(text);
        if self.is_heading {
            self.title.push_str(if text == "\n" { " " } else { text });
        } else {
            self.prose.push_str(text);
        }
    }

    fn qualified(&mut self, text: &str) {
        self.mentions.extend(qualified_paths(text));
    }
}

struct Builder<'t> {
    text: &'t str,
    lines: LineStarts,
    found: Sections,
    /// Headings around the next section, with their levels.
    path: Vec<(u8, String)>,
}

impl Builder<'_> {
    fn is_full(&self) -> bool {
        self.found.list.len() + 1 >= MAX_SECTIONS
    }

    fn close(&mut self, open: Open, end: usize) {
        let Range { start, end } = open.start..end.max(open.start);
        let source = self.text.get(start..end).unwrap_or_default();
        if source.trim().is_empty() {
            return;
        }
        if open.level > 0 {
            self.path.retain(|(level, _)| *level < open.level);
            self.path.push((open.level, open.title.trim().chars().take(MAX_HEADING).collect()));
        }
        let blank = source.len() - source.trim_start().len();
        let source = source.trim_end();
        let mut seen = BTreeSet::new();
        let mentions = open.mentions.into_iter().filter(|path| seen.insert(path.clone()));
        self.found.list.push(Section {
            level: open.level,
            heading: self.path.iter().map(|(_, title)| title.clone()).collect(),
            start_line: self.lines.of_byte(start + blank),
            end_line: self.lines.of_byte((start + source.len()).saturating_sub(1)),
            source: source.trim_start_matches(['\r', '\n']).to_owned(),
            prose: open.prose,
            code: open.code,
            mentions: mentions.collect(),
        });
    }
}

/// First byte of each line.
struct LineStarts(Vec<usize>);

impl LineStarts {
    fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect())
    }

    /// Line of a byte, from 1.
    fn of_byte(&self, at: usize) -> u32 {
        self.0.partition_point(|start| *start <= at) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Level, headings and lines of each section.
    fn check(text: &str, expected: &[(u8, &str, u32, u32)]) {
        let found = sections(text);
        let found: Vec<(u8, String, u32, u32)> = found
            .list
            .iter()
            .map(|s| (s.level, s.heading.join(" > "), s.start_line, s.end_line))
            .collect();
        let found: Vec<(u8, &str, u32, u32)> = found
            .iter()
            .map(|(level, path, from, to)| (*level, path.as_str(), *from, *to))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn headings_begin_sections() {
        check("", &[]);
        check(" \n\n", &[]);
        check("\nOnly text.\n", &[(0, "", 2, 2)]);
        check(
            "Before.\n\n# A\nx\n## B\n\ny\n\n### C\n## D\n# E",
            &[
                (0, "", 1, 1),
                (1, "A", 3, 4),
                (2, "A > B", 5, 7),
                (3, "A > B > C", 9, 9),
                (2, "A > D", 10, 10),
                (1, "E", 11, 11),
            ],
        );
        check(
            "Title\n=====\ntext\n\nPart `two`\n---\n",
            &[(1, "Title", 1, 3), (2, "Title > Part two", 5, 6)],
        );
        check("#### Deep\n# Top\n", &[(4, "Deep", 1, 1), (1, "Top", 2, 2)]);
        check("# A\r\ntext\r\n\r\n# B\r\n", &[(1, "A", 1, 2), (1, "B", 4, 4)]);
    }

    #[test]
    fn code_quotes_lists_and_front_matter_have_no_headings() {
        check("# A\n```\n# no\n```\n    # no\n> # no\n\n- # no\n", &[(1, "A", 1, 8)]);
        check("---\ntitle: x\n# no\n---\n# A\n", &[(1, "A", 5, 5)]);
        check("\u{feff}+++\nx = 1\n+++\n\ntext\n", &[(0, "", 5, 5)]);
        // Without an end it is text.
        check("---\n# A\n", &[(0, "", 1, 1), (1, "A", 2, 2)]);
    }

    #[test]
    fn each_text_counts_for_its_part() {
        let text = "# The `Wheel`\nCall [`push`](crate::Wheel::push), not tokio::spawn::<T>().\n\
                    ```rust\nuse std::fs;\nlet x = 1;\n```\nIn `a b`, `push` and `pop()`.\n";
        let found = sections(text).list.remove(0);
        assert_eq!(found.heading, ["The Wheel"]);
        assert_eq!(found.code, "use std::fs;\nlet x = 1;\n");
        assert!(found.prose.contains("not tokio::spawn") && !found.prose.contains("let x"));
        assert_eq!(
            found.mentions,
            ["Wheel", "crate::Wheel::push", "tokio::spawn", "std::fs", "pop"]
        );
    }

    #[test]
    fn documentation_of_modules_has_the_lines_of_its_file() {
        let text = "// Licence.\n\n//! Timers.\n//!\n//! # Use\n//! Call it.\n\nfn f() {}\n\n\
                    /// Slots.\npub mod slots {\n    //! More.\n    fn g() {}\n}\n";
        let facts = crate::parse_file("src/timer.rs", text.as_bytes());
        let found: Vec<(String, u32, u32)> = doc_sections(&facts)
            .into_iter()
            .map(|s| (s.heading.join(" > "), s.start_line, s.end_line))
            .collect();
        let found: Vec<(&str, u32, u32)> =
            found.iter().map(|(path, from, to)| (path.as_str(), *from, *to)).collect();
        assert_eq!(found, [("timer", 3, 3), ("timer > Use", 5, 6), ("slots", 10, 12)]);

        let text = "/*!\n\nTimers and `slots`.\n\n# Use\n*/\nfn f() {}\n";
        let found = doc_sections(&crate::parse_file("src/timer.rs", text.as_bytes()));
        let lines: Vec<(u32, u32)> = found.iter().map(|s| (s.start_line, s.end_line)).collect();
        assert_eq!(lines, [(3, 3), (5, 5)]);
        assert_eq!(found[0].mentions, ["slots"]);
    }

    #[test]
    fn hostile_texts_take_little_time() {
        let deep = format!("{}x\n", "> ".repeat(100_000));
        let shapes = [
            format!("{} deep\n", "#".repeat(10_000)),
            [deep, "> y\n".repeat(10_000)].concat(),
            "- ".repeat(100_000),
            "# a\n".repeat(20_000),
            "[".repeat(100_000),
            "*a _b ".repeat(50_000),
            "`".repeat(100_000),
            "<!--".repeat(50_000),
            (0..2_000).map(|n| format!("{}- x\n", " ".repeat(2 * n))).collect(),
            ["| a ".repeat(20_000), "|-".repeat(20_000), "| b\n".repeat(2_000)].join("\n"),
        ];
        for shape in shapes {
            let started = std::time::Instant::now();
            let found = sections(&shape);
            assert!(found.list.len() <= MAX_SECTIONS);
            let start: String = shape.chars().take(12).collect();
            assert!(started.elapsed().as_secs() < 10, "{start}: {:?}", started.elapsed());
        }
        let many = sections(&"# a\n".repeat(20_000));
        assert!(many.cut);
        assert_eq!(many.list.last().map(|section| section.end_line), Some(20_000));
    }
}
