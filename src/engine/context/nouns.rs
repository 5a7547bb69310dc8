//! What kind of thing a task asks for one more of: `add a new flag` asks for a flag.

use std::collections::{BTreeMap, BTreeSet};

/// Words that say that something is to come.
const VERBS: &[&str] =
    &["add", "adds", "adding", "another", "create", "implement", "introduce", "new", "support"];

/// Words that name no thing.
const EMPTY: &[&str] = &[
    "a", "all", "an", "and", "another", "as", "at", "by", "called", "for", "from", "in", "into",
    "is", "it", "like", "new", "of", "on", "one", "or", "our", "some", "support", "that", "the",
    "their", "this", "to", "which", "with",
];

/// Words that the authors of command-line tools use for the same thing.
const ALIKE: &[&[&str]] = &[
    &["flag", "option", "opt", "argument", "arg", "switch", "cli"],
    &["subcommand", "command", "cmd"],
    &["setting", "config", "configuration", "option", "preference"],
    &["lint", "rule", "check"],
    &["error", "failure"],
];

/// Words after the verb that may name the kind.
const MOST: usize = 12;

/// The things that a task names, in its order.
pub(super) struct Nouns {
    /// Rank of each name that an item for one may have, lower-case.
    ranks: BTreeMap<String, usize>,
    spellings: BTreeSet<String>,
    /// All words of the task.
    words: BTreeSet<String>,
}

impl Nouns {
    /// The nouns of a task; none if it does not ask for anything new.
    pub fn parse(task: &str) -> Option<Self> {
        let words: Vec<String> = words_in(task);
        let verb = words.iter().position(|word| VERBS.contains(&word.as_str()))?;
        let after: Vec<&String> = words.iter().skip(verb + 1).take(MOST).collect();
        let mut nouns = Self {
            ranks: BTreeMap::new(),
            spellings: BTreeSet::new(),
            words: words.iter().map(|word| singular(word).to_owned()).collect(),
        };
        for (at, word) in after.iter().enumerate() {
            if EMPTY.contains(&word.as_str()) {
                continue;
            }
            let one = singular(word);
            if let Some(next) = after.get(at + 1).filter(|next| !EMPTY.contains(&next.as_str())) {
                nouns.add(&format!("{}{}", capital(one), capital(singular(next))), 3 * at);
            }
            nouns.add(&capital(one), 3 * at + 1);
            let alike = ALIKE.iter().filter(|words| words.contains(&one));
            for other in alike.flat_map(|words| words.iter()).filter(|other| **other != one) {
                nouns.add(&capital(other), 3 * at + 2);
            }
        }
        (!nouns.ranks.is_empty()).then_some(nouns)
    }

    fn add(&mut self, name: &str, rank: usize) {
        let y = name.strip_suffix('y').map(|stem| format!("{stem}ies"));
        for spelling in [Some(name.to_owned()), Some(format!("{name}s")), y].into_iter().flatten() {
            self.ranks.entry(spelling.to_lowercase()).or_insert(rank);
            self.spellings.insert(spelling);
        }
    }

    /// Names that an item for one of the nouns may have.
    pub fn spellings(&self) -> impl Iterator<Item = &str> {
        self.spellings.iter().map(String::as_str)
    }

    /// How early the task names what an item is for; smaller is earlier.
    pub fn rank(&self, name: &str) -> usize {
        self.ranks.get(&name.to_lowercase()).copied().unwrap_or(usize::MAX)
    }

    /// Number of words of a name that the task has.
    pub fn shared_with(&self, name: &str) -> usize {
        words_in(name).iter().filter(|word| self.words.contains(singular(word))).count()
    }
}

/// Number of words of the second name that the first has.
pub(super) fn share_words(name: &str, other: &str) -> usize {
    let words: BTreeSet<String> = words_in(name).into_iter().collect();
    words_in(other).iter().filter(|word| words.contains(*word)).count()
}

/// The words of a text or a name in any case, in lower case.
pub(super) fn words_in(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = ' ';
    for c in text.chars().chain([' ']) {
        let begins = c.is_uppercase() && !before.is_uppercase();
        if (begins || !c.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words
}

fn singular(word: &str) -> &str {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s'));
    stem.unwrap_or(word)
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::{Nouns, share_words, words_in};

    #[test]
    fn a_task_names_what_it_asks_for() {
        let rank = |task: &str, name: &str| Nouns::parse(task).map(|nouns| nouns.rank(name));
        assert_eq!(rank("add a new flag to rg", "Flag"), rank("add a new flag", "Flags"));
        let task = "Add a new settings key for colors";
        assert!(rank(task, "SettingKey") < rank(task, "Setting"));
        assert!(rank(task, "Setting") < rank(task, "Color"));
        assert!(rank("add a flag", "Flag") < rank("add a flag", "Opts"));
        assert!(rank("add a flag", "Opts") < Some(usize::MAX));
        assert_eq!(rank("fix the flag", "Flag"), None);
        assert_eq!(rank("add", "Flag"), None);
    }

    #[test]
    fn names_are_words() {
        assert_eq!(words_in("--max-depth of HTTPServer"), ["max", "depth", "of", "httpserver"]);
        assert_eq!(share_words("test_max_depth", "MaxDepth"), 2);
    }
}
