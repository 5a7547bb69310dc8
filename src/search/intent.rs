//! Intents: tasks in words, with their keywords, and how much of them a file has.

use super::corpus::Corpus;
use super::error::SearchError;
use super::file_terms::FileTerms;
use super::question::{Question, within_limits};
use super::terms::{Term, term_of, whole, words};
use super::vocabulary::{is_stop_word, is_task_word, is_weak_word};
use asof_model::identifier_parts;

/// Keywords that are looked for; the first ones of a longer intent.
const MAX_KEYWORDS: usize = 32;

/// Weight of an identifier as a whole, beside its words.
const WHOLE: f64 = 0.5;

/// A word of an intent.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyword {
    /// In lower case.
    pub word: String,
    /// What it has in common with other forms of the word.
    pub term: Term,
    /// How much it counts.
    pub weight: f64,
}

/// A task in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Intent {
    /// The words that say what the task is about, in their order, each once.
    pub keywords: Vec<Keyword>,
    /// The same as a question to search for.
    pub question: String,
}

/// A keyword in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index of the keyword.
    pub keyword: usize,
    /// Bytes before it.
    pub column: usize,
}

impl Intent {
    /// Reads an intent. Words such as `fix` and `bug`, which say what kind of task it is, count
    /// only if there are no others.
    ///
    /// # Errors
    /// One that is empty, too long, or without a keyword.
    pub fn parse(text: &str) -> Result<Self, SearchError> {
        let text = within_limits(text.trim())?;
        let mut keywords = keywords(text, |word| is_weak(word) || is_task_word(word));
        let mut question: Vec<&str> = text.split_whitespace().collect();
        if keywords.is_empty() {
            keywords = self::keywords(text, is_weak);
        } else {
            question.retain(|word| {
                let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
                !is_task_word(&plain)
            });
        }
        if keywords.is_empty() {
            return Err(SearchError::NoWords(text.chars().take(60).collect()));
        }
        let question = question.join(" ");
        // Both refuse the same texts.
        Question::parse(&question)?;
        Ok(Self { keywords, question })
    }

    /// Where keywords are in a line, from left to right.
    pub fn places(&self, line: &str) -> Vec<Place> {
        let mut found = Vec::new();
        for word in words(line) {
            let column = offset(line, word);
            let position = |term: Term| self.keywords.iter().position(|k| k.term == term);
            if let Some(keyword) = position(whole(word)) {
                found.push(Place { keyword, column });
                continue;
            }
            for part in identifier_parts(word) {
                if let Some(keyword) = position(term_of(&part.to_lowercase())) {
                    found.push(Place { keyword, column: column + offset(word, part) });
                }
            }
        }
        found
    }
}

/// Whether a word says nothing by itself: `the`, `with`.
fn is_weak(word: &str) -> bool {
    is_stop_word(word) || is_weak_word(word)
}

/// Bytes of a text before a part of it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

fn keywords(text: &str, is_left_out: impl Fn(&str) -> bool) -> Vec<Keyword> {
    let mut found: Vec<Keyword> = Vec::new();
    let mut add = |word: String, term: Term, weight: f64| {
        let known = found.iter().any(|known| known.term == term || known.word == word);
        if !known && found.len() < MAX_KEYWORDS {
            found.push(Keyword { word, term, weight });
        }
    };
    for word in words(text) {
        let lower = word.to_lowercase();
        let parts = identifier_parts(word);
        if parts.len() > 1 {
            add(lower, whole(word), WHOLE);
        } else if is_left_out(&lower) {
            continue;
        }
        for part in parts {
            let lower = part.to_lowercase();
            let digits = lower.bytes().all(|byte| byte.is_ascii_digit());
            if lower.chars().count() < 2 || digits || is_weak(&lower) {
                continue;
            }
            let term = term_of(&lower);
            add(lower, term, 1.0);
        }
    }
    found
}

impl Corpus {
    /// How much each keyword counts: its weight, by rarity. One that no file has is the rarest.
    pub fn keyword_weights(&self, intent: &Intent) -> Vec<f64> {
        let all = self.files().len() as f64;
        let weight = |keyword: &Keyword| {
            let with = self.files().iter().filter(|file| file.has_keyword(keyword)).count() as f64;
            keyword.weight * (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
        };
        intent.keywords.iter().map(weight).collect()
    }

    /// For each file, the share of the keywords that it has, by their weights: half of it for the
    /// file as a whole, its stored tags included, half for the item that has the most.
    pub fn coverage(&self, intent: &Intent, weights: &[f64]) -> Vec<f64> {
        let total: f64 = weights.iter().sum();
        let total = if total > 0.0 { total } else { 1.0 };
        self.files().iter().map(|file| file.coverage(intent, weights) / total).collect()
    }
}

impl FileTerms {
    fn has_keyword(&self, keyword: &Keyword) -> bool {
        self.has(keyword.term) || self.tags.contains(&keyword.word)
    }

    /// Sum of the weights of the keywords that it has: the mean of file and best item.
    fn coverage(&self, intent: &Intent, weights: &[f64]) -> f64 {
        let mut whole = 0.0;
        let mut items = vec![0.0; self.items.len()];
        for (keyword, weight) in intent.keywords.iter().zip(weights) {
            if !self.has_keyword(keyword) {
                continue;
            }
            whole += weight;
            let mut in_path = false;
            self.postings(keyword.term, |posting| match posting.item {
                // The path belongs to all items, and comes first.
                None => {
                    in_path = true;
                    items.iter_mut().for_each(|sum| *sum += weight);
                }
                Some(item) => {
                    if let (false, Some(sum)) = (in_path, items.get_mut(item as usize)) {
                        *sum += weight;
                    }
                }
            });
        }
        (whole + items.into_iter().fold(0.0, f64::max)) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let intent = Intent::parse(text).unwrap();
        let words: Vec<&str> = intent.keywords.iter().map(|k| k.word.as_str()).collect();
        assert_eq!(words, expected, "{text}");
    }

    #[test]
    fn keywords_say_what_a_task_is_about() {
        check("fix the auth bug in login", &["auth", "login"]);
        check(
            "Please add retries to `HttpClient::send_all`",
            &["retries", "httpclient", "http", "client", "send_all", "send"],
        );
        check("fix the bug", &["fix", "bug"]);
        let question = Intent::parse("fix the bug in JoinSet!").unwrap().question;
        assert_eq!(question, "the in JoinSet!");
    }

    #[test]
    fn what_has_no_keyword_is_an_error() {
        assert_eq!(Intent::parse(" "), Err(SearchError::Empty));
        assert_eq!(
            Intent::parse("what is the"),
            Err(SearchError::NoWords("what is the".to_owned()))
        );
        let long = "login ".repeat(20_000);
        assert!(matches!(Intent::parse(&long), Err(SearchError::TooLong { .. })));
    }

    #[test]
    fn keywords_are_found_in_identifiers() {
        let intent = Intent::parse("login of join_set").unwrap();
        let found: Vec<(&str, usize)> = intent
            .places("  let JoinSet = logins.user_login(joins);")
            .into_iter()
            .map(|place| (intent.keywords[place.keyword].word.as_str(), place.column))
            .collect();
        assert_eq!(found, [("join_set", 6), ("login", 16), ("login", 28), ("join", 34)]);
    }
}
