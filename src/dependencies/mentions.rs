//! Finds the names of crates in a text: in paths, imports, attributes, the tokens of macros and code of
//! documentation, with the conditions around them.

use std::collections::{BTreeMap, BTreeSet};

use super::builtin::is_builtin;
use super::docs::code_blocks;
use super::tokens::Tokens;
use asof_model::Condition;
use asof_syntax::{Kind, LexToken, is_word_part};
use asof_wire::DependencyMention;

/// A place that names a crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The name of the crate.
    pub name: String,
    pub at: u32,
    /// What is named, from the crate on.
    pub item: String,
    pub how: DependencyMention,
    /// What the `cfg` attributes around the place in the text say.
    pub condition: Condition,
    /// Whether the text says that the place is compiled only for tests.
    pub in_test: bool,
}

/// What a text names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scanned {
    pub mentions: Vec<Mention>,
    /// Last names of the macros, derives and attributes that it may call.
    pub macros: BTreeSet<String>,
    /// Files that its documentation includes by `include_str!`, as written.
    pub documents: BTreeSet<String>,
    /// Whether it includes code by `include!`.
    pub includes: bool,
}

/// Finds each of the names in a text.
pub fn scan(text: &str, names: &BTreeSet<&str>) -> Scanned {
    let mut reader = Reader::new(text, names);
    reader.read(Around::default());
    reader.finish()
}

/// Finds each of the names in code of a document.
pub fn scan_document(text: &str, names: &BTreeSet<&str>, at: u32, around: &Condition) -> Scanned {
    let code = code_blocks(text);
    let mut found = scan(&code, names);
    for mention in &mut found.mentions {
        mention.at = at;
        mention.how = DependencyMention::DocTest;
        mention.in_test = true;
        mention.condition = mention.condition.and(around);
    }
    found
}

/// What tokens are part of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Code,
    /// Of a macro.
    Tokens,
    Attribute,
    /// Of a `cfg`.
    Predicate,
    Use,
    PubUse,
}

/// What is around a token.
#[derive(Debug, Clone, Default)]
struct Around {
    part: Part,
    condition: Condition,
    in_test: bool,
}

struct Scope {
    /// First token behind it.
    end: usize,
    around: Around,
}

struct Reader<'t> {
    names: &'t BTreeSet<&'t str>,
    tokens: Tokens<'t>,
    found: Scanned,
    /// New names of imports, with the old ones.
    aliases: BTreeMap<String, String>,
    /// Documentation that is read, and where it begins.
    docs: Option<(u32, String)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, names: &'t BTreeSet<&'t str>) -> Self {
        Self {
            names,
            tokens: Tokens::new(text),
            found: Scanned::default(),
            aliases: BTreeMap::new(),
            docs: None,
        }
    }

    fn finish(mut self) -> Scanned {
        let old = self.found.macros.iter().filter_map(|name| self.aliases.get(name)).cloned();
        let old: Vec<String> = old.collect();
        self.found.macros.extend(old);
        self.found
    }

    fn read(&mut self, outermost: Around) {
        let mut scopes = vec![Scope { end: usize::MAX, around: outermost }];
        // What attributes before an item say of it.
        let mut waiting: Option<Scope> = None;
        let mut at = 0;
        while let Some(token) = self.tokens.token(at) {
            while scopes.len() > 1 && scopes.last().is_some_and(|scope| scope.end <= at) {
                scopes.pop();
            }
            let around = scopes.last().map(|scope| scope.around.clone()).unwrap_or_default();
            if token.kind == Kind::Doc {
                self.push_doc(token);
                at += 1;
                continue;
            }
            let said = waiting.as_ref().map(|said| said.around.clone());
            let of_item = said.unwrap_or_else(|| around.clone());
            self.read_docs(&of_item.condition);
            if let Some(open) = self.attribute(at) {
                let end = self.tokens.behind(open);
                let inner = open > at + 1;
                let (said, arguments) = self.read_attribute(open, end, &of_item);
                scopes.push(Scope { end, around: arguments });
                if !inner {
                    waiting = Some(Scope { end, around: said });
                } else if let Some(outer) = scopes.iter_mut().rev().nth(1) {
                    outer.around = said;
                }
                at = open + 1;
                continue;
            }
            if let Some(said) = waiting.take_if(|said| said.end <= at) {
                scopes.push(Scope { end: self.tokens.end_of_item(at), around: said.around });
                continue;
            }
            if token.kind == Kind::Word {
                if let Some(scope) = self.read_word(at, &around) {
                    scopes.push(scope);
                }
            } else if token.kind == Kind::Literal
                && around.part == Part::Attribute
                && at.checked_sub(2).is_none_or(|key| self.tokens.word(key) != Some("feature"))
            {
                self.read_literal(token, &around);
            }
            at += 1;
        }
        self.read_docs(&Condition::default());
    }

    fn push_doc(&mut self, token: LexToken) {
        let text = self.tokens.written(token);
        let lines = text.trim_start_matches(['/', '!']);
        let (_, docs) = self.docs.get_or_insert((token.start, String::new()));
        if text.starts_with("/*") {
            let inside = text.trim_start_matches(['/', '*', '!']).trim_end_matches(['/', '*']);
            for line in inside.lines() {
                let line = line.trim_start();
                docs.push_str(line.strip_prefix('*').unwrap_or(line));
                docs.push('\n');
            }
        } else {
            docs.push_str(lines.strip_prefix(' ').unwrap_or(lines));
            docs.push('\n');
        }
    }

    fn read_docs(&mut self, around: &Condition) {
        let Some((at, docs)) = self.docs.take() else { return };
        let found = scan_document(&docs, self.names, at, around);
        self.found.mentions.extend(found.mentions);
        self.found.macros.extend(found.macros);
    }

    /// The bracket of an attribute that begins at a token.
    fn attribute(&self, at: usize) -> Option<usize> {
        if !self.tokens.is(at, b'#') {
            return None;
        }
        let open = if self.tokens.is(at + 1, b'!') { at + 2 } else { at + 1 };
        self.tokens.is(open, b'[').then_some(open)
    }

    /// What an attribute says of its item, and what is around its own tokens.
    fn read_attribute(&mut self, open: usize, end: usize, item: &Around) -> (Around, Around) {
        let mut said = item.clone();
        let mut inside = Around { part: Part::Attribute, ..item.clone() };
        let mut at = open + 1;
        if self.tokens.word(at) == Some("unsafe") && self.tokens.is(at + 1, b'(') {
            at += 2;
        }
        let (at, name) = self.read_attribute_name(at);
        let arguments = self.tokens.inside(at + 1);
        match name {
            "cfg" => {
                let condition = Condition::parse(arguments);
                said.condition = said.condition.and(&condition);
                said.in_test |= is_of_tests(&said.condition);
                inside.part = Part::Predicate;
            }
            "cfg_attr" => {
                let predicate = first_part(arguments);
                inside.condition = inside.condition.and(&Condition::parse(predicate));
                inside.in_test |= is_of_tests(&inside.condition);
                self.read_derives(at, end);
                // `cfg_attr(p, attribute(…))`
                let close = self.tokens.behind(at + 1);
                for inner in at + 2..close {
                    if self.tokens.is(inner - 1, b',') && self.tokens.word(inner).is_some() {
                        self.read_attribute_name(inner);
                    }
                }
            }
            "derive" => self.read_derives(at.saturating_sub(1), end),
            "doc" => {
                let included = (at..end).find(|at| self.tokens.word(*at) == Some("include_str"));
                let literal = included.and_then(|at| self.tokens.token(at + 3));
                if let Some(token) = literal.filter(|token| token.kind == Kind::Literal) {
                    let path = self.tokens.written(token).trim_matches(['r', '#', '"']);
                    self.found.documents.insert(path.to_owned());
                }
            }
            "test" | "bench" | "test_case" | "rstest" | "proptest" | "quickcheck" => {
                said.in_test = true;
            }
            _ => {}
        }
        (said, inside)
    }

    /// Names of derives in an attribute.
    fn read_derives(&mut self, from: usize, end: usize) {
        for at in from..end {
            if self.tokens.word(at) == Some("derive") && self.tokens.is(at + 1, b'(') {
                let close = self.tokens.behind(at + 1) - 1;
                let is_last = |at: &usize| !self.tokens.is_path_sep(at + 1);
                let words = (at + 2..close).filter(is_last).filter_map(|at| self.tokens.word(at));
                let words = words.filter(|word| !is_builtin(word)).map(str::to_owned);
                let words: Vec<String> = words.collect();
                self.found.macros.extend(words);
            }
        }
    }

    /// Reads the name of an attribute at a token. A name of the compiler may be that of a macro behind a
    /// path: `#[tokio::test]`.
    fn read_attribute_name(&mut self, at: usize) -> (usize, &'t str) {
        let mut at = at;
        let mut name = self.tokens.word(at).unwrap_or_default();
        let is_path = self.tokens.is_path_sep(at + 1);
        while self.tokens.is_path_sep(at + 1) {
            at += 3;
            name = self.tokens.word(at).unwrap_or_default();
        }
        if !name.is_empty() && (is_path || !is_builtin(name)) {
            self.found.macros.insert(name.to_owned());
        }
        (at, name)
    }

    /// Reads a word in code or tokens; the scope that it opens.
    fn read_word(&mut self, at: usize, around: &Around) -> Option<Scope> {
        let word = self.tokens.word(at)?;
        let within = |part, end| Some(Scope { end, around: Around { part, ..around.clone() } });
        let is_call = self.tokens.is(at + 1, b'!')
            && self.tokens.token(at + 1).is_some_and(|bang| !bang.glued);
        if is_call && word != "macro_rules" {
            self.found.includes |= word == "include";
            if !is_builtin(word) {
                self.found.macros.insert(word.to_owned());
            }
        }
        if self.names.contains(word) {
            self.read_name(at, word, around);
        }
        if is_call {
            let open = if self.tokens.word(at + 2).is_some() { at + 3 } else { at + 2 };
            let is_group = self.tokens.token(open).is_some_and(|token| token.kind == Kind::Open);
            return if is_group { within(Part::Tokens, self.tokens.behind(open)) } else { None };
        }
        let is_part = matches!(around.part, Part::Code | Part::Tokens);
        if word == "use" && is_part && !self.tokens.is(at + 1, b'<') {
            let end =
                (at..).find(|at| self.tokens.token(*at).is_none() || self.tokens.is(*at, b';'))?;
            self.read_aliases(at, end);
            let visible = at.checked_sub(1).is_some_and(|before| {
                self.tokens.word(before) == Some("pub")
                    || self.tokens.is(before, b')') && self.tokens.is_visibility(before)
            });
            return within(if visible { Part::PubUse } else { Part::Use }, end);
        }
        None
    }

    /// `old as new` in a `use`.
    fn read_aliases(&mut self, from: usize, end: usize) {
        for at in from..end {
            if self.tokens.word(at) == Some("as")
                && let Some(old) = at.checked_sub(1).and_then(|at| self.tokens.word(at))
                && let Some(new) = self.tokens.word(at + 1)
            {
                self.aliases.insert(new.to_owned(), old.to_owned());
            }
        }
    }

    fn read_name(&mut self, at: usize, name: &str, around: &Around) {
        let before = |n: usize| at.checked_sub(n);
        let is_field = before(1).is_some_and(|one| self.tokens.is(one, b'.'))
            && !before(2).is_some_and(|one| self.tokens.is(one, b'.'));
        // `::name` is the crate, `a::name` is not.
        let behind_sep = before(2).is_some_and(|sep| self.tokens.is_path_sep(sep));
        let behind_path = behind_sep
            && before(3).is_some_and(|one| {
                self.tokens.word(one).is_some_and(|word| !STARTS.contains(&word))
                    || self.tokens.is(one, b'>')
            });
        if is_field || behind_path {
            return;
        }
        let is_head = self.tokens.is_path_sep(at + 1);
        let is_extern = before(1).is_some_and(|one| self.tokens.word(one) == Some("crate"))
            && before(2).is_some_and(|one| self.tokens.word(one) == Some("extern"));
        let how = match around.part {
            _ if is_extern => DependencyMention::ExternCrate,
            Part::Use if self.tokens.is_head_of_use(at) => DependencyMention::Import,
            Part::PubUse if self.tokens.is_head_of_use(at) => DependencyMention::Reexport,
            Part::Code if is_head => DependencyMention::Path,
            Part::Attribute if is_head => DependencyMention::Attribute,
            // The name of the attribute itself is a helper of a derive, or imported.
            Part::Attribute if before(1).is_some_and(|one| self.tokens.is(one, b'[')) => return,
            Part::Attribute => DependencyMention::Attribute,
            Part::Tokens => DependencyMention::Tokens,
            Part::Use | Part::PubUse | Part::Code | Part::Predicate => return,
        };
        let items = if matches!(how, DependencyMention::Import | DependencyMention::Reexport) {
            self.tokens.leaves(at)
        } else {
            vec![self.tokens.path_from(at)]
        };
        self.push(name, at, items, how, around);
    }

    fn push(
        &mut self,
        name: &str,
        at: usize,
        items: Vec<String>,
        how: DependencyMention,
        around: &Around,
    ) {
        let start = self.tokens.token(at).map_or(0, |token| token.start);
        let mentions = items.into_iter().map(|item| Mention {
            name: name.to_owned(),
            at: start,
            item,
            how,
            condition: around.condition.clone(),
            in_test: around.in_test,
        });
        self.found.mentions.extend(mentions);
    }

    /// Names in the strings of an attribute: `#[serde(with = "a::b")]`.
    fn read_literal(&mut self, token: LexToken, around: &Around) {
        if token.doc {
            return;
        }
        let text = self.tokens.written(token).trim_matches('"');
        let is_path = |name: &str| text == name || has_word(text, name) && text.contains("::");
        let names: Vec<&str> = self.names.iter().copied().filter(|name| is_path(name)).collect();
        for name in names {
            let item = name.to_owned();
            self.found.mentions.push(Mention {
                name: name.to_owned(),
                at: token.start,
                item,
                how: DependencyMention::Attribute,
                condition: around.condition.clone(),
                in_test: around.in_test,
            });
        }
    }
}

/// Words before `::` that begin no path.
const STARTS: [&str; 12] =
    ["use", "in", "as", "return", "if", "match", "while", "else", "mut", "dyn", "impl", "for"];

/// Whether a name is a word of a text.
pub fn has_word(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + name.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(is_word_part) && !behind.is_some_and(is_word_part)
    })
}

/// The first part of a list between commas.
fn first_part(list: &str) -> &str {
    let mut depth = 0_usize;
    let mut in_text = false;
    for (at, c) in list.char_indices() {
        match c {
            '"' => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => depth = depth.saturating_sub(1),
            ',' if depth == 0 && !in_text => return list.get(..at).unwrap_or(list),
            _ => {}
        }
    }
    list
}

/// Whether a condition only holds where tests are compiled.
fn is_of_tests(condition: &Condition) -> bool {
    let needs_test = |all: Vec<String>| all.iter().any(|one| one == "test" || one == "doctest");
    condition.alternatives().all(needs_test)
}

#[cfg(test)]
mod tests;
