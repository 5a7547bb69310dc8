//! Predicates of `cfg` attributes as written.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Nesting that is followed.
const MAX_DEPTH: u32 = 32;

/// What a configuration sets or does not set: `unix`, `feature = "full"`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Flag {
    pub key: String,
    /// None for a name alone.
    pub value: Option<String>,
}

/// A predicate: `true` is `All` of nothing, `false` is `Any` of nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Predicate {
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
    Not(Box<Predicate>),
    Is(Flag),
}

impl Flag {
    /// A name alone.
    pub fn name(key: &str) -> Self {
        Flag { key: key.to_owned(), value: None }
    }

    /// Bytes of its name and value.
    pub(super) fn size(&self) -> usize {
        self.key.len() + self.value.as_ref().map_or(0, String::len)
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{} = \"{value}\"", self.key),
            None => f.write_str(&self.key),
        }
    }
}

impl Predicate {
    /// Reads the text between the parentheses of `cfg(…)`; none if it is nested too deeply, or is
    /// not of this form (`version("1.80")`, values with escapes).
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let found = reader.predicate(MAX_DEPTH)?;
        reader.take(',');
        reader.skip();
        reader.rest.is_empty().then_some(found)
    }

    /// Whether it holds, given which flags are set; none if that depends on unknown ones.
    pub fn holds(&self, is_set: &dyn Fn(&Flag) -> Option<bool>) -> Option<bool> {
        let until = |parts: &[Predicate], decides: bool| {
            let mut all_known = true;
            for part in parts {
                match part.holds(is_set) {
                    Some(value) if value == decides => return Some(decides),
                    found => all_known &= found.is_some(),
                }
            }
            all_known.then_some(!decides)
        };
        match self {
            Predicate::All(parts) => until(parts, false),
            Predicate::Any(parts) => until(parts, true),
            Predicate::Not(part) => part.holds(is_set).map(|value| !value),
            Predicate::Is(flag) => is_set(flag),
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, mark: char) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn word(&mut self) -> &'t str {
        self.skip();
        self.rest = self.rest.strip_prefix("r#").unwrap_or(self.rest);
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn text(&mut self) -> Option<&'t str> {
        self.skip();
        let (text, rest) = self.rest.strip_prefix('"')?.split_once('"')?;
        self.rest = rest;
        (!text.contains('\\')).then_some(text)
    }

    fn predicate(&mut self, depth: u32) -> Option<Predicate> {
        let depth = depth.checked_sub(1)?;
        let name = self.word();
        if name.is_empty() {
            return None;
        }
        if self.take('(') {
            let mut parts = Vec::new();
            while !self.take(')') {
                parts.push(self.predicate(depth)?);
                if !self.take(',') {
                    self.take(')').then_some(())?;
                    break;
                }
            }
            return match name {
                "all" => Some(Predicate::All(parts)),
                "any" => Some(Predicate::Any(parts)),
                "not" => {
                    let only = parts.pop()?;
                    parts.is_empty().then(|| Predicate::Not(Box::new(only)))
                }
                _ => None,
            };
        }
        if self.take('=') {
            let value = self.text()?.to_owned();
            return Some(Predicate::Is(Flag { key: name.to_owned(), value: Some(value) }));
        }
        Some(match name {
            "true" => Predicate::All(Vec::new()),
            "false" => Predicate::Any(Vec::new()),
            name => Predicate::Is(Flag::name(name)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_predicate_is_not_read() {
        for text in [
            "", "all(", "any(=", ")", "not()", "not(a, b)", "a b", "a = b", "a = \"b",
            "a = \"\\n\"", "version(\"1\")", "all(a b)", "all(,)", "a,,", "\u{0}",
        ] {
            assert_eq!(Predicate::parse(text), None, "{text}");
        }
        assert_eq!(Predicate::parse(&"not(".repeat(100_000)), None);
        let deep = format!("{}a{}", "not(".repeat(100), ")".repeat(100));
        assert_eq!(Predicate::parse(&deep), None);
    }

    #[test]
    fn predicates_are_read_however_they_are_spaced() {
        let is = |key: &str| Predicate::Is(Flag::name(key));
        let feature = Flag { key: "feature".to_owned(), value: Some("a, )b".to_owned()) };
        let expected = Predicate::All(vec![
            Predicate::Not(Box::new(is("test"))),
            Predicate::Any(vec![Predicate::Is(feature), is("unix")]),
            Predicate::All(Vec::new()),
        ]);
        for text in [
            "all(not(test), any(feature = \"a, )b\", unix), true)",
            " all ( not( test ,),any(feature=\"a, )b\",r#unix,) , true , ) , ",
        ] {
            assert_eq!(Predicate::parse(text), Some(expected.clone()), "{text}");
        }
    }

    #[test]
    fn what_decides_is_enough() {
        let set = |flag: &Flag| match flag.key.as_str() {
            "on" => Some(true),
            "off" => Some(false),
            _ => None,
        };
        for (text, expected) in [
            ("all(x, off)", Some(false)),
            ("all(x, on)", None),
            ("any(x, on)", Some(true)),
            ("any(x, off)", None),
            ("not(x)", None),
            ("not(all(off, x))", Some(true)),
            ("true", Some(true)),
            ("any()", Some(false)),
        ] {
            assert_eq!(Predicate::parse(text).unwrap().holds(&set), expected, "{text}");
        }
    }
}
