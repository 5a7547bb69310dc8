//! A crate's sources, and the small changes of text that operations are made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use asof_model::{FileFacts, ItemFacts, NodeKind};
use asof_syntax::{TokenClass, code_tokens, parse_file};

use crate::rng::Rng;

/// Rust files by path, relative to the crate.
pub type Files = BTreeMap<String, String>;

/// An item as operations name it: it keeps its key while other items change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub file: String,
    pub kind: &'static str,
    pub name: String,
}

/// Copies manifests and Rust files of a crate into a folder.
pub fn copy(from: &Path, to: &Path) -> Files {
    let mut files = Files::new();
    let mut open = vec![from.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with('.') && name != "target" {
                open.push(path);
                continue;
            }
            let relative = path.strip_prefix(from).unwrap().to_string_lossy().into_owned();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if name.ends_with(".rs") {
                files.insert(relative.clone(), text.clone());
            } else if name != "Cargo.toml" {
                continue;
            }
            let target = to.join(&relative);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, text).unwrap();
        }
    }
    files
}

pub fn facts(path: &str, text: &str) -> FileFacts {
    parse_file(path, text.as_bytes())
}

/// Items of a file that operations work on: named, outside of bodies, and told apart by kind
/// and name within the file.
pub fn items(file: &str, text: &str) -> Vec<(Key, ItemFacts)> {
    let facts = facts(file, text);
    if facts.partial {
        return Vec::new();
    }
    let key = |item: &ItemFacts| Key {
        file: file.to_owned(),
        kind: item.kind.as_str(),
        name: item.name.clone(),
    };
    let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
    for item in facts.items.iter().skip(1) {
        *seen.entry(key(item)).or_default() += 1;
    }
    let worked = |item: &&ItemFacts| {
        let kind = matches!(
            item.kind,
            NodeKind::Function
                | NodeKind::Method
                | NodeKind::Struct
                | NodeKind::Enum
                | NodeKind::Trait
                | NodeKind::Const
                | NodeKind::Static
        );
        // Twins under several `cfg`s are one thing to a reader and two to everything else.
        kind && !item.in_body
            && item.cfg.is_empty()
            && item.name.len() > 1
            && seen.get(&key(item)) == Some(&1)
    };
    facts.items.iter().skip(1).filter(worked).map(|item| (key(item), item.clone())).collect()
}

pub fn find(files: &Files, key: &Key) -> Option<ItemFacts> {
    let text = files.get(&key.file)?;
    items(&key.file, text).into_iter().find(|(k, _)| k == key).map(|(_, item)| item)
}

/// Bytes of an item, with the blanks of its first line.
pub fn text_of<'a>(files: &'a Files, file: &str, item: &ItemFacts) -> &'a str {
    let text = files.get(file).map_or("", String::as_str);
    text.get(item.span.start_byte as usize..item.span.end_byte as usize).unwrap_or_default()
}

pub fn splice(files: &mut Files, file: &str, start: u32, end: u32, with: &str) {
    if let Some(text) = files.get_mut(file) {
        text.replace_range(start as usize..end as usize, with);
    }
}

/// Whether a file still parses.
pub fn parses(file: &str, text: &str) -> bool {
    !facts(file, text).partial
}

/// Replaces a word wherever it stands as a whole.
pub fn replace_word(text: &str, word: &str, with: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let part = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(at) = rest.find(word) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + word.len()..].chars().next();
        out.push_str(&rest[..at]);
        let whole = !before.is_some_and(part) && !after.is_some_and(part);
        out.push_str(if whole { with } else { word });
        rest = &rest[at + word.len()..];
    }
    out + rest
}

pub fn tokens(text: &str) -> Vec<&str> {
    code_tokens(text).into_iter().map(|token| token.text).collect()
}

/// Where the first brace of the code stands, which is not one of the documentation.
pub fn body_at(text: &str) -> Option<usize> {
    let brace = code_tokens(text).into_iter().find(|token| token.text == "{")?;
    Some(brace.text.as_ptr() as usize - text.as_ptr() as usize)
}

/// Share of the tokens that differ: 1 less the longest common sequence by the longer text.
pub fn edited(old: &str, new: &str) -> f64 {
    let (old, new) = (tokens(old), tokens(new));
    let longest = old.len().max(new.len()).max(1);
    let mut row = vec![0_usize; new.len() + 1];
    for a in &old {
        let mut diagonal = 0;
        for (at, b) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    1.0 - row[new.len()] as f64 / longest as f64
}

/// Words and statements of a crate, to edit with.
pub struct Pool {
    words: Vec<String>,
    statements: Vec<String>,
}

impl Pool {
    pub fn collect(files: &Files) -> Self {
        let (mut words, mut statements) = (BTreeSet::new(), BTreeSet::new());
        for text in files.values() {
            for token in code_tokens(text) {
                let lower = token.text.starts_with(|c: char| c.is_ascii_lowercase());
                if token.class == TokenClass::Word && lower && token.text.len() > 2 {
                    words.insert(token.text.to_owned());
                }
            }
            statements
                .extend(text.lines().map(str::trim).filter(|l| is_statement(l)).map(str::to_owned));
        }
        Self { words: words.into_iter().collect(), statements: statements.into_iter().collect() }
    }

    /// Edits the body of an item until this share of its tokens differs, as far as that goes
    /// without a syntax error: words replaced, statements added and taken out.
    pub fn edit(&self, text: &str, from: f64, to: f64, rng: &mut Rng) -> Option<String> {
        let aim = rng.share(from, to);
        let mut now = text.to_owned();
        for _ in 0..400 {
            let share = edited(text, &now);
            if share >= aim.max(from + 0.001) {
                return (share <= to).then_some(now);
            }
            let Some(next) = self.step(&now, rng) else { continue };
            // What stands in an impl is no item by itself: the name of a file tells nothing.
            let wrapped = format!("impl X {{\n{next}\n}}");
            if (parses("x.rs", &next) || parses("x.rs", &wrapped)) && edited(text, &next) <= to {
                now = next;
            }
        }
        None
    }

    fn step(&self, text: &str, rng: &mut Rng) -> Option<String> {
        let open = body_at(text)?;
        let (head, body) = text.split_at(open);
        let lines: Vec<&str> = body.split_inclusive('\n').collect();
        match rng.below(4) {
            0 => {
                let after: Vec<usize> =
                    (1..lines.len()).filter(|at| is_statement(lines[*at].trim())).collect();
                let at = *rng.pick(&after)?;
                let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
                lines.insert(at, format!("    {}\n", rng.pick(&self.statements)?));
                Some(format!("{head}{}", lines.concat()))
            }
            1 => {
                let whole: Vec<usize> =
                    (1..lines.len()).filter(|at| is_statement(lines[*at].trim())).collect();
                let at = *rng.pick(&whole)?;
                let mut lines = lines;
                lines.remove(at);
                Some(format!("{head}{}", lines.concat()))
            }
            _ => {
                let tokens = code_tokens(body);
                let lower = |t: &&asof_syntax::Token<'_>| {
                    t.class == TokenClass::Word
                        && t.text.starts_with(|c: char| c.is_ascii_lowercase())
                };
                let found: Vec<_> = tokens.iter().filter(lower).collect();
                let token = rng.pick(&found)?;
                let at = token.text.as_ptr() as usize - body.as_ptr() as usize;
                let mut body = body.to_owned();
                body.replace_range(at..at + token.text.len(), rng.pick(&self.words)?);
                Some(format!("{head}{body}"))
            }
        }
    }
}

/// A line that is one whole statement.
pub fn is_statement(line: &str) -> bool {
    let balanced = [('(', ')'), ('{', '}'), ('[', ']')]
        .iter()
        .all(|(open, close)| line.matches(*open).count() == line.matches(*close).count());
    let starts = line.starts_with(|c: char| c.is_ascii_lowercase() || c == '*');
    let other = [
        "pub ", "use ", "mod ", "const ", "static ", "type ", "return", "break", "continue",
        "extern ", "else", "fn ",
    ];
    line.ends_with(';')
        && balanced
        && starts
        && line.len() < 200
        && !other.iter().any(|word| line.starts_with(word))
}
