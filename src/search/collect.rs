//! Computes the stored terms of a file from its facts: which text counts for which field.

use std::collections::BTreeMap;

use super::corpus::is_aside_path;
use super::file_terms::{Document, Field, Flags, encode};
use super::meaning::Direction;
use super::tags::{stands_alone, stored_tags};
use super::terms::{Term, Text, each_term, whole, words};
use asof_model::{FileFacts, Header, ItemFacts, NodeKind, OrNever, file_stem};

/// Containers that are looked at around an item.
const MAX_DEPTH: usize = 8;

/// The stored terms of a file whose facts have their texts.
pub fn collect(facts: &FileFacts) -> Vec<u8> {
    let mut path = Counts::default();
    for part in facts.path.trim_end_matches(".rs").split('/') {
        path.text(Field::Path, part, Text::Name);
    }
    let documents = (0u32..).zip(&facts.items).filter(|(_, item)| is_document(item.kind));
    let mut documents: Vec<Document> =
        documents.map(|(at, item)| document(facts, at, item)).collect();
    if !is_aside_path(&facts.path) {
        add_vectors(&path.0, &mut documents);
    }
    encode(&path.0, &documents, &stored_tags(facts))
}

/// Whether an item's own attributes, or those of an item around it, make it test code.
pub(super) fn is_test_code(facts: &FileFacts, at: u32) -> bool {
    let mut at = at;
    for _ in 0..MAX_DEPTH {
        let Some(item) = facts.items.get(at as usize) else { return false };
        if item.marks_test {
            return true;
        }
        if at == 0 {
            return false;
        }
        at = item.parent;
    }
    false
}

/// Imports repeat names of others, and have nothing to say of their own.
fn is_document(kind: NodeKind) -> bool {
    !matches!(kind, NodeKind::Import | NodeKind::ExternCrate)
}

fn document(facts: &FileFacts, at: u32, item: &ItemFacts) -> Document {
    let mut counts = Counts::default();
    let flags = each_text(facts, at, item, |field, text, kind| counts.text(field, text, kind));
    Document {
        item: at,
        kind: kind_number(item.kind),
        flags,
        lines: [item.span.start_line, item.name_line, item.span.end_line],
        name: match at {
            0 => file_stem(&facts.path).to_owned(),
            _ => item.name.clone(),
        },
        terms: counts.0,
        vector: None,
    }
}

/// Calls `add` with the texts of an item by field, those of the file's path excepted. Gives what
/// is known of the item from its file alone.
pub fn each_text(
    facts: &FileFacts,
    at: u32,
    item: &ItemFacts,
    mut add: impl FnMut(Field, &str, Text),
) -> Flags {
    let mut flags = 0;
    match (at, item.kind, &item.header) {
        // The path says the same.
        (0, _, _) => {}
        (_, NodeKind::Impl, Header::Impl { self_type, of_trait, .. }) => {
            for part in std::iter::once(self_type).chain(of_trait) {
                add(Field::Container, last(&part.path), Text::Name);
            }
        }
        _ => add(Field::Name, &item.name, Text::Name),
    }
    let mut around = if at == 0 { None } else { facts.items.get(item.parent as usize) };
    let mut is_test = item.marks_test;
    for depth in 0..MAX_DEPTH {
        let Some(container) = around else { break };
        is_test |= container.marks_test;
        if std::ptr::eq(container, facts.items.first().unwrap_or(container)) {
            break;
        }
        match &container.header {
            Header::Impl { self_type, of_trait, .. } => {
                add(Field::Container, last(&self_type.path), Text::Name);
                if let Some(of_trait) = of_trait {
                    add(Field::Container, last(&of_trait.path), Text::Name);
                    if depth == 0 {
                        flags |= Flags::TRAIT_IMPL;
                    }
                }
            }
            _ if container.kind == NodeKind::MacroCall => {}
            _ => add(Field::Container, &container.name, Text::Name),
        }
        around = facts.items.get(container.parent as usize);
    }
    add(Field::Signature, &item.signature, Text::Code);
    add(Field::Docs, &item.docs, Text::Prose);
    if let Some((_, text)) = &item.text {
        body(&String::from_utf8_lossy(text), &mut add);
    }
    flags |= if is_test { Flags::TEST } else { 0 };
    flags |= if item.visibility.starts_with("pub") { Flags::PUBLIC } else { 0 };
    flags |= if item.docs.is_empty() { 0 } else { Flags::DOCUMENTED };
    flags |= if item.in_body { Flags::IN_BODY } else { 0 };
    Flags(flags)
}

/// The vectors of items that are no tests, and that of the file, which is all of theirs and what is
/// said of it. The path counts as a field of each.
fn add_vectors(path: &BTreeMap<Term, [u16; 7]>, documents: &mut [Document]) {
    let Some((file, items)) = documents.split_first_mut() else { return };
    let path = Direction::of_terms(path);
    let with_path = |terms| Direction::of_terms(terms).and(&path);
    let mut inside = Direction::default();
    for document in items.iter_mut().filter(|document| has_meaning(document)) {
        let Some(direction) = with_path(&document.terms).unit() else { continue };
        document.vector = direction.stored();
        inside = inside.and(&direction);
    }
    let directions = [with_path(&file.terms), inside].map(|one| one.unit().unwrap_or_default());
    let [said, inside] = directions;
    file.vector = said.and(&inside).stored();
}

fn has_meaning(document: &Document) -> bool {
    let kind = NodeKind::ALL.get(usize::from(document.kind)).copied();
    kind.is_some_and(stands_alone) && !document.flags.has(Flags::TEST)
}

/// A body's code and its comments; documentation and attributes are not part of it.
fn body(text: &str, add: &mut impl FnMut(Field, &str, Text)) {
    for line in text.lines() {
        let line = line.trim_start();
        let is_docs =
            (line.starts_with("///") && !line.starts_with("////")) || line.starts_with("//!");
        if is_docs || line.starts_with("#[") || line.starts_with("#![") {
            continue;
        }
        // Two slashes after a colon are an address, not a comment.
        let comment = line
            .match_indices("//")
            .map(|(at, _)| at)
            .find(|at| !line.get(..*at).is_some_and(|before| before.ends_with(':')));
        let (code, comment) = match comment {
            Some(at) => line.split_at_checked(at).unwrap_or((line, "")),
            None => (line, ""),
        };
        add(Field::Body, code, Text::Code);
        add(Field::Comments, comment, Text::Prose);
    }
}

fn last(path: &[String]) -> &str {
    path.last().map_or("", String::as_str)
}

pub(super) fn kind_number(kind: NodeKind) -> u8 {
    NodeKind::ALL.iter().position(|k| *k == kind).or_never("`ALL` has every kind") as u8
}

/// How often terms are in each field.
#[derive(Debug, Default)]
pub(super) struct Counts(pub(super) BTreeMap<Term, [u16; 7]>);

impl Counts {
    pub(super) fn text(&mut self, field: Field, text: &str, kind: Text) {
        each_term(text, kind, |term, _| self.add(field, term));
        if matches!(field, Field::Name | Field::Path) {
            // A name of one word is a whole identifier, too.
            for word in words(text) {
                let whole = whole(word);
                if !self.0.contains_key(&whole) {
                    self.add(field, whole);
                }
            }
        }
    }

    pub(super) fn add(&mut self, field: Field, term: Term) {
        let counts = self.0.entry(term).or_default();
        if let Some(count) = counts.get_mut(field.index()) {
            *count = count.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::file_terms::FileTerms;
    use super::super::terms::{Part, term_of};
    use super::*;

    fn check(source: &str, item: &str, word: &str, expected: &[(Field, u16)]) {
        let facts = asof_syntax::parse_file("src/net/timer.rs", source.as_bytes());
        let file = FileTerms::decode("src/net/timer.rs", collect(&facts)).unwrap();
        let at = file.items.iter().position(|i| i.name == item).unwrap() as u32;
        let mut term = None;
        each_term(word, Text::Name, |found, part| {
            if term.is_none() || part == Part::Whole {
                term = Some(found);
            }
        });
        let found = file.terms_of(at).into_iter().find(|(t, _)| Some(*t) == term);
        let counts = found.map_or([0; 7], |(_, counts)| counts);
        let counts: Vec<(Field, u16)> =
            Field::ALL.into_iter().zip(counts).filter(|(_, n)| *n > 0).collect();
        assert_eq!(counts, expected, "{word} in {item}");
    }

    const SOURCE: &str = "
//! Timers.
struct Wheel { slots: u8 }
impl Drop for Wheel {
    /// Cancels deadlines.
    #[inline]
    fn drop(&mut self) {
        // wake the sleepers
        self.cancel_all(\"https://x.y/path\");
    }
}
#[cfg(test)]
mod tests { fn slow() {} }
";

    #[test]
    fn each_text_counts_for_its_field() {
        check(SOURCE, "drop", "wheel", &[(Field::Container, 1)]);
        check(SOURCE, "drop", "deadline", &[(Field::Docs, 1)]);
        check(SOURCE, "drop", "cancel", &[(Field::Docs, 1), (Field::Body, 1)]);
        check(SOURCE, "drop", "cancel_all", &[(Field::Body, 1)]);
        check(SOURCE, "drop", "sleeper", &[(Field::Comments, 1)]);
        check(SOURCE, "drop", "path", &[(Field::Body, 1)]);
        check(SOURCE, "drop", "inline", &[]);
        check(SOURCE, "timer", "timer", &[(Field::Docs, 1)]);
        check(
            SOURCE,
            "Wheel",
            "Wheel",
            &[(Field::Name, 1), (Field::Signature, 1), (Field::Body, 1)],
        );
    }

    #[test]
    fn flags_say_what_the_file_says() {
        let facts = asof_syntax::parse_file("src/net/timer.rs", SOURCE.as_bytes());
        let file = FileTerms::decode("src/net/timer.rs", collect(&facts)).unwrap();
        let flags = |name: &str| file.items.iter().find(|i| i.name == name).unwrap().flags.0;
        assert_eq!(flags("slow"), Flags::TEST);
        assert_eq!(flags("drop"), Flags::TRAIT_IMPL | Flags::DOCUMENTED | Flags::VECTOR);
        assert_eq!(flags("timer"), Flags::DOCUMENTED | Flags::VECTOR);
    }

    #[test]
    fn files_are_named_by_what_tells_them_apart() {
        let names = ["a/time/mod.rs", "time/src/lib.rs", "lib.rs", "x/heap.rs"].map(file_stem);
        assert_eq!(names, ["time", "time", "lib", "heap"]);
        assert_eq!(term_of("timers"), term_of("timer"));
    }
}
