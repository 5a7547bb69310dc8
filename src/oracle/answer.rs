//! Reading claimed answers: lists, single pieces of code, numbers, yes and no.

use regex::Regex;

use super::claimed_list::{self, Form, Listed};
use super::names::{self, has_negation, is_prose};
use super::wording::{announces, backticked, is_none};

/// A claimed answer, as written.
#[derive(Debug, Clone, Copy)]
pub struct Claimed<'a> {
    text: &'a str,
}

/// Words with which a declaration begins.
const DECLARATIONS: [&str; 15] = [
    "pub", "fn", "async", "unsafe", "extern", "const", "static", "struct", "enum", "union",
    "trait", "type", "impl", "mod", "macro_rules",
];

const NUMBER_WORDS: [&str; 21] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
];

/// What is counted.
const NOUNS: &str = "fields?|variants?|methods?|functions?|parameters?|params?|arguments?|args?|callers?|callees?|types?|traits?|implementors?|implementations?|impls?|structs?|enums?|modules?|macros?|constants?|statics?|items?|lines?|occurrences?|matches|match|times?|files?|places?|entries|calls?|users?|instances?|hits?|results?";

regex!(COUNTED, &format!(r"(?i)\b([\d,_]*\d|[a-z]+)(?: [a-z-]+)?[ -](?:{NOUNS})\b"));
// Numbers that say where, not how many.
regex!(
    WHERE,
    r"(?i)\blines? \d[\d, ]*(?:and \d+)?|\bin (?:\d+|[a-z]+) files?|\S*\.rs\S*|\bv?\d+\.\d[\d.]*"
);
regex!(
    UNSURE,
    r"(?i)\b(?:no idea|no way|no information|not sure|not certain|not clear|unclear|cannot|can't|unknown|depends?|maybe|perhaps|probably|possibly|might|yes and no|likely|i think|unable)\b"
);
regex!(NEGATIVE, r"(?i)\b(?:not|never|no|nothing|nobody|none|nowhere|without|neither)\b|n't\b");
regex!(
    LEADS_TO_CODE,
    r"(?i)(?:\breturns?|\breturn type(?: of \S+)? is|\bis|\bof type|\byields|:|->)\s+(?:an? |the )?(?:type )?"
);

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
        let mut lines = self.all_lines();
        if lines.len() > 1 && lines.first().is_some_and(|line| announces(line)) {
            lines.remove(0);
        }
        match lines.as_slice() {
            [only] if is_none(only) => Vec::new(),
            _ => lines,
        }
    }

    /// The lines of the answer without fences and blank lines.
    pub fn all_lines(&self) -> Vec<String> {
        let lines = self.text.lines().filter(|line| !line.trim_start().starts_with("```"));
        let lines = lines.filter(|line| !line.trim().is_empty());
        lines.map(|line| line.trim_end().to_owned()).collect()
    }

    /// Yes or no: what the answer begins with, or what its first sentence says in one of these
    /// words. `yes`: words of a sentence that affirms, `no`: of one that denies.
    pub fn yes_or_no(&self, yes: &[&str], no: &[&str]) -> Option<bool> {
        let first = self.text.split(['\n', '.', ';']).next().unwrap_or_default();
        if is_match(&UNSURE, first) {
            return None;
        }
        let word = self.text.trim_start_matches(['*', '_', '"', '`']);
        let (word, rest) =
            word.split_at(word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len()));
        let rest = rest.trim_start_matches(['*', '_']).trim_start();
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '`');
        let goes_on = ["it ", "the ", "this ", "they "].iter().any(|word| rest.starts_with(word));
        match word.to_ascii_lowercase().as_str() {
            "yes" | "true" | "yep" | "yeah" | "correct" | "indeed" => return Some(true),
            "false" | "nope" | "never" => return Some(false),
            "no" if ends || goes_on => return Some(false),
            _ => {}
        }
        let parts: Vec<&str> = self.text.split('`').collect();
        let prose = parts.iter().step_by(2).copied().collect::<Vec<_>>().join("x");
        let prose = prose.split(['\n', '.', ';']).next().unwrap_or_default().to_ascii_lowercase();
        let says = |words: &[&str]| {
            prose
                .split(|c: char| !c.is_alphanumeric() && c != '(' && c != ')' && c != '_')
                .any(|word| words.contains(&word))
        };
        let said = match (says(yes), says(no)) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        match NEGATIVE.as_ref().map_or(2, |regex| regex.find_iter(&prose).count()) {
            0 => Some(said),
            1 => Some(!said),
            _ => None,
        }
    }

    /// The number that the answer claims: the only one, or the only one that counts something.
    pub fn number(&self) -> Option<u64> {
        if is_none(self.text) {
            return Some(0);
        }
        let prose: String = if self.text.contains(char::is_whitespace) {
            self.text.split('`').step_by(2).collect::<Vec<_>>().join("x")
        } else {
            self.text.trim_matches('`').to_owned()
        };
        let regex = WHERE.as_ref()?;
        let prose = regex.replace_all(&prose, " ");
        let one = |mut numbers: Vec<u64>| {
            numbers.dedup();
            match numbers.as_slice() {
                [one] => Some(*one),
                _ => None,
            }
        };
        let counted = COUNTED.as_ref()?.captures_iter(&prose);
        let counted: Vec<u64> =
            counted.filter_map(|found| number_of(found.get(1)?.as_str())).collect();
        if !counted.is_empty() {
            return one(counted);
        }
        let words = prose.split(|c: char| c.is_whitespace() || matches!(c, '*' | '`'));
        let words = words.map(|word| word.trim_matches(['.', ',', '(', ')', ':', '!', '"']));
        one(words.filter_map(number_of).collect())
    }

    /// The answer as a number and nothing else.
    pub fn bare_number(&self) -> Option<u64> {
        let is_number = self.text.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '_'));
        is_number.then(|| number_of(self.text)).flatten()
    }

    /// Pieces of code that may be what is claimed: what is between backticks or fences, else the
    /// answer itself, or its end. `None` if it is a sentence without such a piece. `subject`: the
    /// item that the question is about, which a sentence may repeat.
    pub fn code(&self, subject: &str) -> Option<Vec<String>> {
        let mut found = fenced(self.text);
        if found.is_empty() {
            found = backticked(self.text);
        }
        if found.len() > 1 {
            let first = found.iter().find(|code| !names::is_end_of(code, subject)).cloned();
            found.retain(|code| !names::is_end_of(code, subject));
            if found.is_empty() {
                found.extend(first);
            }
        }
        if found.is_empty() {
            let words = word_starts(self.text);
            let start = words.into_iter().find(|at| {
                let rest = self.text.get(*at..).unwrap_or_default();
                let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
                word.is_some_and(|word| DECLARATIONS.contains(&word))
            });
            let code = self.text.get(start.unwrap_or(0)..).unwrap_or_default();
            let code = if !is_prose(code) {
                code
            } else {
                let lead = LEADS_TO_CODE.as_ref()?.find_iter(self.text).last()?;
                self.text.get(lead.end()..).filter(|code| !is_prose(code))?
            };
            found.push(code.to_owned());
        }
        Some(found.iter().map(|code| without_body(code)).collect())
    }

    /// Whether the answer has words that deny, or speak of another time.
    pub fn denies(&self) -> bool {
        is_prose(self.text) && has_negation(self.text)
    }

    /// The entries of a list. `None` if the answer is a sentence that cannot be read as one.
    pub fn entries(&self, form: Form<'_>) -> Option<Listed> {
        claimed_list::read(self.text, &self.all_lines(), form)
    }
}

fn is_match(regex: &Option<Regex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}

fn number_of(word: &str) -> Option<u64> {
    let is_digits = word.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '_');
    if is_digits && word.contains(|c: char| c.is_ascii_digit()) {
        return word.replace([',', '_'], "").parse().ok();
    }
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "no" => Some(0),
        "once" | "single" => Some(1),
        "twice" => Some(2),
        word => NUMBER_WORDS.iter().position(|one| *one == word).map(|at| at as u64),
    }
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

    #[test]
    fn numbers_are_read() {
        let check = |answer: &str, expected: Option<u64>| {
            assert_eq!(Claimed::new(answer).number(), expected, "{answer}");
        };
        check("There are 1,204 of them.", Some(1204));
        check("3 or 4", None);
        check("Two", Some(2));
        check("It occurs exactly once.", Some(1));
        check("`subject` has two fields: `0` and `1`", Some(2));
        check("There are 3 matches in 2 files.", Some(3));
        check("One match, on line 595", Some(1));
        check("It has no fields.", Some(0));
        check("2 public fields and 3 private fields", None);
        check("many", None);
    }

    #[test]
    fn yes_and_no_are_read() {
        let check = |answer: &str, expected: Option<bool>| {
            let found = Claimed::new(answer).yes_or_no(&["used", "called"], &["unused", "dead"]);
            assert_eq!(found, expected, "{answer}");
        };
        check("Yes, in `main`.", Some(true));
        check("**No**: it is unused", Some(false));
        check("No", Some(false));
        check("No idea", None);
        check("Yes and no", None);
        check("Nothing", None);
        check("It is used in `main`.", Some(true));
        check("`f` is never called.", Some(false));
        check("`f` is dead code.", Some(false));
        check("It's not unused.", Some(true));
        check("It is used by `never`.", Some(true));
    }

    #[test]
    fn code_is_found_in_prose() {
        let check = |answer: &str| {
            let code = Claimed::new(answer).code("f").unwrap();
            assert_eq!(code, ["pub fn f(a: u8) -> u8"], "{answer}");
        };
        check("pub fn f(a: u8) -> u8 {");
        check("The signature is pub fn f(a: u8) -> u8");
        check("It is `pub fn f(a: u8) -> u8`.");
        check("The signature of `f` is `pub fn f(a: u8) -> u8`.");
        check("```rust\npub fn f(a: u8) -> u8 {\n    1\n}\n```");
        assert_eq!(Claimed::new("It returns Vec<u8>.").code("f").unwrap(), ["Vec<u8>."]);
        assert_eq!(Claimed::new("It returns the sum of all").code("f"), None);
    }
}
