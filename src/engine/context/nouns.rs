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

/// Things that are fields of a struct of their name. Other structs have the name of one thing.
const FIELDS: &[&str] = &[
    "flag", "option", "opt", "argument", "arg", "switch", "cli", "setting", "config",
    "configuration", "preference", "parameter",
];

/// Words after the verb that may name the kind.
const MOST: usize = 12;

/// The things that a task names, in its order.
pub(super) struct Nouns {
    /// Rank of each name that an item for one may have, lower-case.
    ranks: BTreeMap<String, usize>,
    spellings: BTreeSet<String>,
    /// Those of structs whose fields may be meant, lower-case.
    structs: BTreeSet<String>,
    /// The words of the task that say something.
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
            structs: BTreeSet::new(),
            words: words
                .iter()
                .filter(|word| !VERBS.contains(&word.as_str()) && !EMPTY.contains(&word.as_str()))
                .map(|word| singular(word).to_owned())
                .collect(),
        };
        let has_fields = nouns.words.contains("field");
        for (at, word) in after.iter().enumerate() {
            if EMPTY.contains(&word.as_str()) {
                continue;
            }
            let one = singular(word);
            if let Some(next) = after.get(at + 1).filter(|next| !EMPTY.contains(&next.as_str())) {
                let next = singular(next);
                let is_struct = has_fields || FIELDS.contains(&next);
                nouns.add(&format!("{}{}", capital(one), capital(next)), 3 * at, is_struct);
            }
            let is_struct = has_fields || FIELDS.contains(&one);
            nouns.add(&capital(one), 3 * at + 1, is_struct);
            let alike = ALIKE.iter().filter(|words| words.contains(&one));
            for other in alike.flat_map(|words| words.iter()).filter(|other| **other != one) {
                nouns.add(&capital(other), 3 * at + 2, FIELDS.contains(other));
            }
        }
        (!nouns.ranks.is_empty()).then_some(nouns)
    }

    fn add(&mut self, name: &str, rank: usize, is_struct: bool) {
        let y = name.strip_suffix('y').map(|stem| format!("{stem}ies"));
        for spelling in [Some(name.to_owned()), Some(format!("{name}s")), y].into_iter().flatten() {
            self.ranks.entry(spelling.to_lowercase()).or_insert(rank);
            if is_struct {
                self.structs.insert(spelling.to_lowercase());
            }
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

    /// Whether the fields of a struct of this name may be meant.
    pub fn may_be_fields_of(&self, name: &str) -> bool {
        self.structs.contains(&name.to_lowercase())
    }

    /// The words of a name that the task has.
    pub fn shared_with(&self, name: &str) -> Vec<String> {
        let words = words_in(name).into_iter().map(|word| singular(&word).to_owned());
        words.filter(|word| self.words.contains(word)).collect()
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
        let fields = |task: &str, name: &str| {
            Nouns::parse(task).is_some_and(|nouns| nouns.may_be_fields_of(name))
        };
        assert!(fields("add a flag", "Opts") && fields("add a field to the report", "Report"));
        assert!(!fields("support a new file type", "Types"));
    }

    #[test]
    fn names_are_words() {
        assert_eq!(words_in("--max-depth of HTTPServer"), ["max", "depth", "of", "httpserver"]);
        assert_eq!(share_words("test_max_depth", "MaxDepth"), 2);
    }
}
