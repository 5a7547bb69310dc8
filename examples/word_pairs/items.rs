//! The words of the items of a crate, by field.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asof_model::{FileFacts, NodeKind, file_stem, identifier_parts};
use asof_search::{Field, Flags, Part, Term, Text, each_text, each_word, is_hidden, whole, words};
use asof_syntax::parse_file_isolated;

/// Larger files are tables.
const MAX_FILE: u64 = 400_000;

/// Items of a crate: of crates with more, one in so many is taken.
const MAX_ITEMS: usize = 4_000;

/// What is known of a term.
#[derive(Debug, Default)]
pub struct Known {
    /// Its forms, and how often each is found.
    pub forms: BTreeMap<String, u32>,
    /// Whether it is a word, not an identifier of several.
    pub is_word: bool,
}

/// Terms of a crate, numbered: an item has the numbers of its terms.
#[derive(Debug, Default)]
pub struct Terms {
    pub numbers: BTreeMap<Term, u32>,
    pub known: Vec<Known>,
}

impl Terms {
    fn number(&mut self, term: Term, part: Part, form: &str) -> u32 {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(term).or_insert(next);
        if number == next {
            self.known.push(Known::default());
        }
        if let Some(known) = self.known.get_mut(number as usize) {
            known.is_word |= part == Part::Word;
            match known.forms.get_mut(form) {
                Some(count) => *count += 1,
                None => drop(known.forms.insert(form.to_owned(), 1)),
            }
        }
        number
    }

    /// The terms of a text, in its order.
    fn words(&mut self, text: &str, kind: Text) -> Vec<u32> {
        let mut found = Vec::new();
        each_word(text, kind, |term, part, form| match part {
            Part::Word => found.push(self.number(term, part, form)),
            Part::Whole => {
                let form = identifier_parts(form).join(" ").to_lowercase();
                found.push(self.number(term, part, &form));
            }
        });
        found
    }

    /// The terms of a name: one of a single word is a whole identifier, too.
    fn of_name(&mut self, text: &str) -> Vec<u32> {
        let mut found = self.words(text, Text::Name);
        for word in words(text) {
            if identifier_parts(word).len() == 1 {
                let form = word.trim_matches('_').to_lowercase();
                let term = whole(word);
                if self.numbers.get(&term).is_none_or(|number| !found.contains(number)) {
                    found.push(self.number(term, Part::Whole, &form));
                }
            }
        }
        found
    }
}

/// An item, its words by field.
#[derive(Debug, Default)]
pub struct Item {
    pub file: usize,
    pub at: u32,
    pub parent: u32,
    pub kind: &'static str,
    pub is_trait_impl: bool,
    pub name: Vec<u32>,
    pub container: Vec<u32>,
    pub path: Vec<u32>,
    pub signature: Vec<u32>,
    pub first: Vec<u32>,
    pub rest: Vec<Vec<u32>>,
    pub example: Vec<u32>,
    pub body: BTreeMap<u32, u32>,
    pub comments: Vec<u32>,
}

/// The items of a crate in a folder.
pub fn read(root: &Path) -> (Terms, Vec<Item>) {
    let mut terms = Terms::default();
    let mut items = Vec::new();
    let mut files = Vec::new();
    rust_files(&root.join("src"), &mut files);
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let Ok(bytes) = std::fs::read(file) else { continue };
        let path = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let facts = parse_file_isolated(&path, &bytes);
        items_of(number, &facts, &mut terms, &mut items);
    }
    let step = items.len().div_ceil(MAX_ITEMS).max(1);
    (terms, items.into_iter().step_by(step).collect())
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if !path.ends_with("tests") && !path.ends_with("benches") {
                rust_files(&path, found);
            }
        } else if path.extension().is_some_and(|end| end == "rs")
            && entry.metadata().is_ok_and(|data| data.len() <= MAX_FILE)
        {
            found.push(path);
        }
    }
}

fn items_of(number: usize, facts: &FileFacts, terms: &mut Terms, items: &mut Vec<Item>) {
    let path: Vec<u32> = facts
        .path
        .trim_end_matches(".rs")
        .split('/')
        .flat_map(|part| terms.of_name(part))
        .collect();
    for (at, item) in (0u32..).zip(&facts.items) {
        let hidden = is_hidden(item.kind) || matches!(item.kind, NodeKind::Field);
        if hidden && at != 0 {
            continue;
        }
        let mut found = Item {
            file: number,
            at,
            parent: item.parent,
            kind: if at == 0 { "file" } else { item.kind.as_str() },
            path: path.clone(),
            ..Item::default()
        };
        let flags = each_text(facts, at, item, |field, text, kind| {
            let of_field = match field {
                Field::Name => return found.name = terms.of_name(text),
                Field::Docs => return docs(text, terms, &mut found),
                Field::Body => {
                    for term in terms.words(text, kind) {
                        *found.body.entry(term).or_default() += 1;
                    }
                    return;
                }
                Field::Container => &mut found.container,
                Field::Signature => &mut found.signature,
                Field::Comments => &mut found.comments,
                Field::Path => return,
            };
            of_field.extend(terms.words(text, kind));
        });
        if at == 0 {
            found.name = terms.of_name(file_stem(&facts.path));
        }
        found.is_trait_impl = flags.has(Flags::TRAIT_IMPL);
        if !flags.has(Flags::TEST) {
            items.push(found);
        }
    }
}

/// Documentation: its first sentence, the others, and its examples.
fn docs(text: &str, terms: &mut Terms, item: &mut Item) {
    let (mut prose, mut code, mut in_code) = (String::new(), String::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if in_code {
            code.push_str(line);
            code.push('\n');
        } else if line.trim_start().starts_with('#') {
            // A heading is a sentence.
            prose.push_str("\n\n");
            prose.push_str(line);
            prose.push_str("\n\n");
        } else {
            prose.push_str(line);
            prose.push('\n');
        }
    }
    item.example = terms.words(&code, Text::Prose);
    let mut sentences =
        sentences(&prose).into_iter().map(|sentence| terms.words(sentence, Text::Prose));
    item.first = sentences.next().unwrap_or_default();
    item.rest = sentences.filter(|terms| !terms.is_empty()).collect();
}

/// Sentences end with a full stop and a blank, or with an empty line.
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n") {
        let mut rest = paragraph.trim();
        while !rest.is_empty() {
            let ends = rest.match_indices(". ").chain(rest.match_indices(".\n")).map(|(at, _)| at);
            let end = ends.filter(|at| !is_abbreviation(rest, *at)).min();
            let (sentence, after) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
            found.push(sentence);
            rest = after.trim_start();
        }
    }
    found
}

fn is_abbreviation(text: &str, stop: usize) -> bool {
    let before = text.get(..stop).unwrap_or_default();
    ["e.g", "i.e", "etc", "vs"].iter().any(|short| before.ends_with(short))
}
