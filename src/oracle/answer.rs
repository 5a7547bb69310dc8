//! Reading claimed answers: lists, single pieces of code, numbers, yes and no.

use super::lines::without_numbering;
use super::names;

/// A claimed answer, as written.
#[derive(Debug, Clone, Copy)]
pub struct Claimed<'a> {
    text: &'a str,
}

/// Words with which a declaration begins.
const DECLARATIONS: [&str; 15] = [
    "pub",
    "fn",
    "async",
    "unsafe",
    "extern",
    "const",
    "static",
    "struct",
    "enum",
    "union",
    "trait",
    "type",
    "impl",
    "mod",
    "macro_rules",
];

impl<'a> Claimed<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text: text.trim() }
    }

    /// The answer as written.
    pub fn text(&self) -> &str {
        self.text
    }

    /// The lines of the answer that claim something: without fences, blank lines, and lines that
    /// only announce others.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.text.lines().filter(|line| !line.trim_start().starts_with("```"));
        let lines = lines.filter(|line| !line.trim().is_empty());
        let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        if lines.len() > 1 && lines.first().is_some_and(|line| announces(line)) {
            lines.remove(0);
        }
        match lines.as_slice() {
            [only] if is_none(only) => Vec::new(),
            _ => lines,
        }
    }

    /// Yes or no, if the answer begins with one of them or is a word that means it.
    pub fn yes_or_no(&self) -> Option<bool> {
        let word = self.text.trim_start_matches(['*', '_', '"']);
        let word = word.split(|c: char| !c.is_ascii_alphabetic()).next()?;
        match word.to_ascii_lowercase().as_str() {
            "yes" | "true" | "yep" | "correct" | "indeed" => Some(true),
            "no" | "false" | "nope" | "never" => Some(false),
            _ => None,
        }
    }

    /// The only number of the answer.
    pub fn number(&self) -> Option<u64> {
        let is_digit = |c: char| c.is_ascii_digit();
        let words = self.text.split(|c: char| c.is_whitespace() || matches!(c, '*' | '`'));
        let words = words.map(|word| word.trim_matches(['.', ',', '(', ')', ':', '!']));
        let mut numbers = words.filter(|word| !word.is_empty()).filter(|word| {
            word.chars().all(|c| is_digit(c) || c == ',' || c == '_') && word.contains(is_digit)
        });
        let number = numbers.next()?;
        if numbers.next().is_some() {
            return None;
        }
        number.replace([',', '_'], "").parse().ok()
    }

    /// The answer as a number and nothing else.
    pub fn bare_number(&self) -> Option<u64> {
        let is_number = self.text.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '_'));
        is_number.then(|| self.number()).flatten()
    }

    /// Pieces of code: what is between backticks or fences, else the answer itself from the word
    /// that begins a declaration on.
    pub fn code(&self) -> Vec<String> {
        let mut found = fenced(self.text);
        if found.is_empty() {
            found = backticked(self.text);
        }
        if found.is_empty() {
            let words = word_starts(self.text);
            let start = words.into_iter().find(|at| {
                let rest = self.text.get(*at..).unwrap_or_default();
                let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                word.is_some_and(|word| DECLARATIONS.contains(&word))
            });
            found.push(self.text.get(start.unwrap_or(0)..).unwrap_or_default().to_owned());
        }
        found.iter().map(|code| without_body(code)).collect()
    }

    /// The entries of a list: one in a line, or in one line with commas and `and`. `None` if the
    /// answer is a sentence that cannot be read as a list. `subject`: the item that the question
    /// is about, which a sentence may repeat.
    pub fn entries(&self, subject: &str) -> Option<Vec<String>> {
        if is_none(self.text) {
            return Some(Vec::new());
        }
        let lines = self.lines();
        let mut out = Vec::new();
        for line in &lines {
            out.extend(entries_of(line, lines.len() > 1, subject)?);
        }
        Some(out)
    }
}

/// Whether a line only says that something follows.
fn announces(line: &str) -> bool {
    line.trim_end_matches(['*', '_']).ends_with(':') && !without_numbering(line).starts_with('`')
        || line.trim_start().starts_with('#') && !line.contains("#[")
}

/// Whether a text says that there is nothing.
fn is_none(text: &str) -> bool {
    let text = text.trim().trim_matches(['.', '(', ')', '*', '`', '!', '"']).to_ascii_lowercase();
    matches!(
        text.as_str(),
        "" | "none" | "nothing" | "no one" | "nobody" | "nowhere" | "empty" | "n/a" | "[]"
    ) || ["there are none", "there are no ", "it has no ", "no callers", "no uses", "no fields"]
        .iter()
        .any(|start| text.starts_with(start))
        || ["no variants", "no methods", "no parameters", "no implementors", "no matches"]
            .iter()
            .any(|start| text.starts_with(start))
}

fn entries_of(line: &str, one_of_many: bool, subject: &str) -> Option<Vec<String>> {
    let bare = without_numbering(line);
    if line.contains('`') {
        let mut found = backticked(line);
        let begins = bare.starts_with('`') || without_numbering(line) != line.trim();
        if one_of_many && begins {
            // A list: the rest of each line explains its entry.
            found.truncate(1);
        }
        if found.len() > 1 && found.first().is_some_and(|first| names::same_code(first, subject)) {
            found.remove(0);
        }
        if !found.is_empty() {
            return Some(found);
        }
        return Some(vec![bare.to_owned()]);
    }
    let list = match bare.rsplit_once(" are: ").or_else(|| bare.rsplit_once(" is: ")) {
        Some((_, list)) => list,
        None if announces(bare) => return Some(Vec::new()),
        None => bare,
    };
    let entries: Vec<String> = split(list).into_iter().map(|entry| entry.to_owned()).collect();
    let is_name = |entry: &String| {
        let words = names::tokens(entry);
        // A type has punctuation where a sentence has blanks only.
        !entry.contains(char::is_whitespace)
            || words.iter().any(|t| "(:<&-*[{".contains(t.as_str()))
    };
    entries.iter().all(is_name).then_some(entries)
}

/// The parts of a list, at commas, semicolons and `and` outside brackets.
fn split(list: &str) -> Vec<&str> {
    let list = list.trim().trim_end_matches('.');
    let (mut out, mut depth, mut from) = (Vec::new(), 0i32, 0);
    let mut last = ' ';
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if last == '-' || last == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' | ';' if depth <= 0 => {
                out.push(list.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
        last = c;
    }
    out.push(list.get(from..).unwrap_or_default());
    let parts = out.into_iter().flat_map(|part| part.split(" and "));
    let parts = parts.map(|part| part.trim().strip_prefix("and ").unwrap_or(part.trim()));
    parts.map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn backticked(text: &str) -> Vec<String> {
    let parts = text.split('`').collect::<Vec<_>>();
    let code = parts.iter().enumerate().filter(|(at, _)| at % 2 == 1 && at + 1 < parts.len());
    code.map(|(_, code)| code.trim().to_owned()).filter(|code| !code.is_empty()).collect()
}

fn fenced(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            if inside {
                out.push(String::new());
            }
        } else if inside && let Some(last) = out.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    out.retain(|code| !code.trim().is_empty());
    out
}

/// A declaration without its body: up to the brace that opens it.
fn without_body(code: &str) -> String {
    let code = code.trim();
    let end = code.find(" {").or_else(|| code.find("{\n")).unwrap_or(code.len());
    code.get(..end).unwrap_or(code).trim().to_owned()
}

fn word_starts(text: &str) -> Vec<usize> {
    let mut before = ' ';
    let mut out = Vec::new();
    for (at, c) in text.char_indices() {
        if c.is_alphabetic() && !(before.is_alphanumeric() || before == '_') {
            out.push(at);
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, expected: &[&str]) {
        let entries = Claimed::new(answer).entries("subject").unwrap();
        assert_eq!(entries, expected, "{answer}");
    }

    #[test]
    fn lists_are_read_as_people_write_them() {
        check("a, b::c and d", &["a", "b::c", "d"]);
        check("`a`, `b` and `c`.", &["a", "b", "c"]);
        check("- a\n- b", &["a", "b"]);
        check("1. `a`: the first\n2. `b`: uses `c`", &["a", "b"]);
        check("The callers are:\n* a\n* b", &["a", "b"]);
        check("`subject` is called by `a` and `b`.", &["a", "b"]);
        check("x: u8, y: HashMap<String, u8>", &["x: u8", "y: HashMap<String, u8>"]);
        check("The fields are: x, y", &["x", "y"]);
        check("```rust\na\nb\n```", &["a", "b"]);
        check("None.", &[]);
    }

    #[test]
    fn sentences_are_not_lists() {
        let sentence = "It is called from the main loop of the program";
        assert_eq!(Claimed::new(sentence).entries(""), None);
    }

    #[test]
    fn numbers_and_yes_are_read() {
        assert_eq!(Claimed::new("There are 1,204 of them.").number(), Some(1204));
        assert_eq!(Claimed::new("3 or 4").number(), None);
        assert_eq!(Claimed::new("Yes, in `main`.").yes_or_no(), Some(true));
        assert_eq!(Claimed::new("**No**: it is unused").yes_or_no(), Some(false));
        assert_eq!(Claimed::new("Nothing").yes_or_no(), None);
    }

    #[test]
    fn code_is_found_in_prose() {
        let check = |answer: &str| {
            let code = Claimed::new(answer).code();
            assert_eq!(code, ["pub fn f(a: u8) -> u8"], "{answer}");
        };
        check("pub fn f(a: u8) -> u8 {");
        check("The signature is pub fn f(a: u8) -> u8");
        check("It is `pub fn f(a: u8) -> u8`.");
        check("```rust\npub fn f(a: u8) -> u8 {\n    1\n}\n```");
    }
}
