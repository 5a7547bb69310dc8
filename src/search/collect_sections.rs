//! The stored terms of sections of documentation, in the format of those of items: a section is a
//! document whose name is its heading.

use super::collect::{Counts, kind_number};
use super::file_terms::{Document, Field, Flags, encode};
use super::terms::{Text, whole};
use asof_model::{NodeKind, Section};

/// The stored terms of a file's sections; `None` if it has none. [`super::ItemTerms::item`] is then
/// the index of the section.
pub fn collect_sections(path: &str, sections: &[Section]) -> Option<Vec<u8>> {
    if sections.is_empty() {
        return None;
    }
    let mut around = Counts::default();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    for part in stem.split('/') {
        around.text(Field::Path, part, Text::Name);
    }
    let documents: Vec<Document> = (0..).zip(sections).map(|(at, one)| document(at, one)).collect();
    Some(encode(&around.0, &documents, &[]))
}

fn document(at: u32, section: &Section) -> Document {
    let mut counts = Counts::default();
    if let Some((title, above)) = section.heading.split_last() {
        counts.text(Field::Name, title, Text::Prose);
        above.iter().for_each(|heading| counts.text(Field::Container, heading, Text::Prose));
    }
    counts.text(Field::Docs, &section.prose, Text::Prose);
    counts.text(Field::Body, &section.code, Text::Code);
    for path in &section.mentions {
        let name = path.rsplit("::").next().unwrap_or(path);
        counts.add(Field::Signature, whole(name));
    }
    Document {
        item: at,
        // It is to a document what a module is to a crate.
        kind: kind_number(NodeKind::Module),
        flags: Flags(0),
        lines: [section.start_line, section.start_line, section.end_line],
        name: section.title().to_owned(),
        terms: counts.0,
        vector: None,
    }
}

/// Whether a file lists what changed from release to release: it names everything, and explains
/// little.
pub fn is_release_notes(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    ["changelog", "changes", "releases", "release-notes", "history", "news"].contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::super::file_terms::FileTerms;
    use super::super::terms::term_of;
    use super::*;

    #[test]
    fn a_section_is_found_by_heading_text_code_and_what_it_mentions() {
        let section = Section {
            level: 2,
            heading: ["Guide".to_owned(), "Timer wheels".to_owned()].into(),
            start_line: 3,
            end_line: 9,
            prose: "Deadlines of a wheel.".to_owned(),
            code: "wheel.push(1)".to_owned(),
            mentions: vec!["crate::Wheel".to_owned()],
            ..Section::default()
        };
        let stored = collect_sections("docs/guide.md", &[section]).unwrap();
        let file = FileTerms::decode("docs/guide.md", stored).unwrap();
        let item = &file.items[0];
        assert_eq!((item.name.as_str(), item.start_line, item.end_line), ("Timer wheels", 3, 9));
        let of = |word: &str| {
            let terms = file.terms_of(0);
            let found = terms.iter().find(|(term, _)| *term == whole(word));
            found.map_or([0; 7], |(_, counts)| *counts)
        };
        // Name, container, path, signature, docs, body, comments; `wheel` is its own stem.
        assert_eq!(of("wheel"), [1, 0, 0, 1, 1, 1, 0]);
        let terms = file.terms_of(0);
        let above = terms.iter().find(|(term, _)| *term == term_of("guide")).unwrap();
        assert_eq!(above.1[Field::Container.index()], 1);
        assert_eq!(collect_sections("a.md", &[]), None);
        assert!(is_release_notes("a/CHANGELOG.md") && !is_release_notes("docs/guide.md"));
    }
}
