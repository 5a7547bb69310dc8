//! An intent: a task in words, its keywords, and how much of them a file has.

use super::candidates::Corpus;
use super::error::SearchError;
use super::question::{MAX_QUERY_BYTES, Question};
use super::terms::{Term, parts, term_of, whole, words};
use super::vocabulary::{is_stop_word, is_task_word, is_weak_word};

/// Keywords that are looked for; the first ones of a longer intent.
const MAX_KEYWORDS: usize = 32;

/// Weight of words such as `with` and `into`.
const WEAK: f64 = 0.3;

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
        let text = text.trim();
        if text.is_empty() {
            return Err(SearchError::Empty);
        }
        if text.len() > MAX_QUERY_BYTES {
            return Err(SearchError::TooLong { len: text.len(), limit: MAX_QUERY_BYTES });
        }
        let mut keywords = keywords(text, |word| is_stop_word(word) || is_task_word(word));
        let mut question: Vec<&str> = text.split_whitespace().collect();
        if keywords.is_empty() {
            keywords = self::keywords(text, is_stop_word);
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
            for part in parts(word) {
                if let Some(keyword) = position(term_of(&part.to_lowercase())) {
                    found.push(Place { keyword, column: column + offset(word, part) });
                }
            }
        }
        found
    }
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
        let parts = parts(word);
        if parts.len() > 1 {
            add(lower, whole(word), WHOLE);
        } else if is_left_out(&lower) {
            continue;
        }
        for part in parts {
            let lower = part.to_lowercase();
            let digits = lower.bytes().all(|byte| byte.is_ascii_digit());
            if lower.chars().count() < 2 || digits || is_stop_word(&lower) {
                continue;
            }
            let weight = if is_weak_word(&lower) { WEAK } else { 1.0 };
            let term = term_of(&lower);
            add(lower, term, weight);
        }
    }
    found
}

impl Corpus {
    /// For each file, the share of the keywords that it has, by rarity: half of it for the file
    /// as a whole, half for the item that has the most.
    pub fn coverage(&self, intent: &Intent) -> Vec<f64> {
        let count = self.files().len();
        let mut of_file = vec![0.0; count];
        let mut of_items: Vec<Vec<f64>> =
            self.files().iter().map(|file| vec![0.0; file.items.len()]).collect();
        let mut total = 0.0;
        for keyword in &intent.keywords {
            let with: Vec<usize> = (0..count)
                .filter(|at| self.files().get(*at).is_some_and(|f| f.has(keyword.term)))
                .collect();
            let n = with.len() as f64;
            let rarity = (1.0 + (count as f64 - n + 0.5) / (n + 0.5)).ln();
            let weight = keyword.weight * rarity;
            total += weight;
            for at in with {
                let (Some(file), Some(sum), Some(items)) =
                    (self.files().get(at), of_file.get_mut(at), of_items.get_mut(at))
                else {
                    continue;
                };
                *sum += weight;
                let mut in_path = false;
                file.postings(keyword.term, |posting| match posting.item {
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
        }
        let total = if total > 0.0 { total } else { 1.0 };
        let best = |items: &Vec<f64>| items.iter().copied().fold(0.0, f64::max);
        of_file
            .iter()
            .zip(&of_items)
            .map(|(sum, items)| (sum + best(items)) / (2.0 * total))
            .collect()
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
