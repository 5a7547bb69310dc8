//! The names in the rules of a `macro_rules!` macro: which words the matchers match literally, and
//! which names the transcribers leave to the place of the call. Names of items are not hygienic
//! (Reference, "Hygiene"): a plain name in a transcriber is looked up where the macro is called.

use std::collections::BTreeSet;

use asof_model::is_keyword;
use asof_syntax::{Kind, LexToken, lex};

/// Words behind which an item is declared.
const DECLARING: [&str; 9] =
    ["fn", "struct", "enum", "union", "trait", "type", "mod", "const", "static"];

/// What the rules of a macro do with names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MacroRules {
    /// Words that a matcher has, which are no variables.
    pub literals: BTreeSet<String>,
    /// Names that are looked up where the macro is called: the first ones of paths. `$crate::a` and
    /// `::a` are not.
    pub names: BTreeSet<String>,
    /// Macros that are looked up where the macro is called.
    pub macros: BTreeSet<String>,
    /// Names of items that the rules declare, and of imports.
    pub declared: BTreeSet<String>,
    /// Whether they import by a glob.
    pub has_glob: bool,
}

impl MacroRules {
    /// Reads the text of a macro: `macro_rules! name { … }` with what is in front of it.
    pub fn read(text: &str) -> Self {
        let tokens = Tokens { text, all: &lex(text, 0) };
        let mut rules = Self::default();
        let heads = 0..tokens.all.len();
        let Some(head) = heads.into_iter().find(|at| tokens.word(*at) == "macro_rules") else {
            return rules;
        };
        let Some(body) = tokens.group(head + 3) else { return rules };
        let mut at = body.start;
        while at < body.end {
            let Some(matcher) = tokens.group(at) else { break };
            rules.read_matcher(tokens, matcher.clone());
            // `) =>`.
            let Some(transcriber) = tokens.group(matcher.end + 3) else { break };
            rules.read_transcriber(tokens, transcriber.clone());
            at = transcriber.end + 1;
            if tokens.byte(at) == b';' {
                at += 1;
            }
        }
        rules
    }

    fn read_matcher(&mut self, tokens: Tokens<'_, '_>, range: std::ops::Range<usize>) {
        for at in range {
            let word = tokens.word(at);
            let is_variable = tokens.byte_before(at, 1) == b'$';
            let is_fragment =
                tokens.byte_before(at, 1) == b':' && tokens.byte_before(at, 3) == b'$';
            if !word.is_empty() && !is_variable && !is_fragment {
                self.literals.insert(word.to_owned());
            }
        }
    }

    fn read_transcriber(&mut self, tokens: Tokens<'_, '_>, range: std::ops::Range<usize>) {
        let mut import: Option<usize> = None;
        for at in range {
            let word = tokens.word(at);
            match word {
                "use" => import = Some(at),
                "" => {
                    match tokens.byte(at) {
                        b';' => import = None,
                        b'*' if import.is_some() => self.has_glob = true,
                        _ => {}
                    }
                    continue;
                }
                _ => {}
            }
            let leads = tokens.byte(at + 1) == b':' && tokens.byte(at + 2) == b':';
            if is_keyword(word) && !(leads && matches!(word, "self" | "super" | "Self")) {
                continue;
            }
            let (last, second) = (tokens.byte_before(at, 1), tokens.byte_before(at, 2));
            if last == b'$' || last == b'.' && second != b'.' {
                continue;
            }
            if import.is_some() && tokens.ends_import(at) {
                self.declared.insert(word.to_owned());
            }
            let before = at.checked_sub(1).map_or("", |before| tokens.word(before));
            if DECLARING.contains(&before) || before == "mut" && tokens.word(at - 2) == "static" {
                self.declared.insert(word.to_owned());
                continue;
            }
            if last == b':' && second == b':' {
                continue;
            }
            if tokens.byte(at + 1) == b'!' && tokens.group(at + 2).is_some() {
                self.macros.insert(word.to_owned());
                continue;
            }
            self.names.insert(word.to_owned());
        }
    }
}

/// A `macro_rules!` macro of a text.
#[derive(Debug, Clone)]
pub struct MacroDefinition {
    pub name: String,
    pub rules: MacroRules,
    /// From `macro_rules` to the end of the rules, bytes.
    pub range: std::ops::Range<u32>,
}

/// The `macro_rules!` macros of a text.
pub fn macro_definitions(text: &str) -> Vec<MacroDefinition> {
    let all = lex(text, 0);
    let tokens = Tokens { text, all: &all };
    let heads = (0..all.len()).filter(|at| tokens.word(*at) == "macro_rules");
    let found = heads.filter_map(|head| {
        let name = tokens.word(head + 2);
        let start = all.get(head)?.start;
        let end = all.get(tokens.group(head + 3)?.end)?.end;
        let rules = MacroRules::read(text.get(start as usize..end as usize)?);
        Some(MacroDefinition { name: name.to_owned(), rules, range: start..end })
    });
    found.collect()
}

/// A call of a macro in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MacroCall<'t> {
    /// The last name of its path, and its first byte.
    pub name: &'t str,
    pub name_at: u32,
    /// The tokens in the brackets, bytes.
    pub arguments: std::ops::Range<u32>,
    /// Number of parts between commas, the empty one behind the last left out.
    pub count: usize,
}

/// The calls of macros in a text, those in the arguments of others included; no definitions.
pub fn macro_calls(text: &str) -> Vec<MacroCall<'_>> {
    let all = lex(text, 0);
    let tokens = Tokens { text, all: &all };
    let mut found = Vec::new();
    for at in 0..all.len() {
        let name = tokens.word(at);
        if name.is_empty() || is_keyword(name) || name == "macro_rules" {
            continue;
        }
        if tokens.byte(at + 1) != b'!' || tokens.byte_before(at, 1) == b'$' {
            continue;
        }
        let (Some(group), Some(own)) = (tokens.group(at + 2), all.get(at)) else { continue };
        let end = all.get(group.end).map_or(text.len() as u32, |close| close.start);
        let start = all.get(at + 2).map_or(end, |open| open.end);
        let count = tokens.parts(group);
        found.push(MacroCall { name, name_at: own.start, arguments: start..end, count });
    }
    found
}

/// The tokens of a text.
#[derive(Clone, Copy)]
struct Tokens<'t, 'a> {
    text: &'t str,
    all: &'a [LexToken],
}

impl<'t> Tokens<'t, '_> {
    /// The word at an index, without `r#`; empty if there is none.
    fn word(self, at: usize) -> &'t str {
        let token = self.all.get(at).filter(|token| token.kind == Kind::Word && !token.doc);
        let text = token.and_then(|one| self.text.get(one.start as usize..one.end as usize));
        let text = text.unwrap_or_default();
        text.strip_prefix("r#").unwrap_or(text)
    }

    /// The first byte of a token that is no word or literal; 0 if it is one.
    fn byte(self, at: usize) -> u8 {
        let is_mark =
            |token: &&LexToken| matches!(token.kind, Kind::Punct | Kind::Open | Kind::Close);
        self.all.get(at).filter(is_mark).map_or(0, |token| token.byte)
    }

    fn byte_before(self, at: usize, back: usize) -> u8 {
        at.checked_sub(back).map_or(0, |at| self.byte(at))
    }

    /// Indexes of the tokens in the brackets that open at an index.
    fn group(self, at: usize) -> Option<std::ops::Range<usize>> {
        let open = self.all.get(at).filter(|token| token.kind == Kind::Open)?;
        let mate = open.mate as usize;
        (mate > at).then_some(at + 1..mate)
    }

    /// Number of parts between commas in a group.
    fn parts(self, group: std::ops::Range<usize>) -> usize {
        let (mut at, mut count, mut is_open) = (group.start, 0, false);
        while at < group.end {
            if self.byte(at) == b',' {
                is_open = false;
            } else if !is_open {
                (is_open, count) = (true, count + 1);
            }
            at = self.group(at).map_or(at + 1, |inner| inner.end + 1);
        }
        count
    }

    /// Whether a name of an import is one that it brings in.
    fn ends_import(self, at: usize) -> bool {
        matches!(self.byte(at + 1), b';' | b',' | b'}')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(set: &BTreeSet<String>) -> String {
        set.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(text: &str, literals: &str, names: &str, declared: &str) {
        let rules = MacroRules::read(text);
        let found = (words(&rules.literals), words(&rules.names), words(&rules.declared));
        let expected = (literals.to_owned(), names.to_owned(), declared.to_owned());
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn rules_leave_plain_names_to_the_place_of_the_call() {
        check("macro_rules! m { () => { helper() } }", "", "helper", "");
        check("macro_rules! m { ($e:expr) => { $crate::a::b($e).c() } }", "", "", "");
        check("macro_rules! m { (y) => { 1 }; ($e:expr) => { a::b($e) } }", "y", "a", "");
        check("#[macro_export] macro_rules! m (() => { fn new() {} });", "", "", "new");
        check(
            "macro_rules! m { ($i:ident) => { struct $i; static mut X: u8 = 0; } }",
            "",
            "u8",
            "X",
        );
        check("macro_rules! m { () => { use a::{b, c as d}; } }", "", "a b c d", "b d");
        check("macro_rules! m [ [] => [ 0..n ] ];", "", "n", "");
        check("macro_rules! m { () => { super::a::b() + crate::c() } }", "", "super", "");
        let rules = MacroRules::read("macro_rules! m { () => { use a::*; n!(); std::n!() } }");
        assert!(rules.has_glob);
        assert_eq!(words(&rules.macros), "n");
        check("fn no_macro() {}", "", "", "");
        check("macro_rules! broken { (", "", "", "");
    }

    #[test]
    fn calls_have_names_and_arguments() {
        let text =
            "fn f() { a::m!(x, n![y]); if !z {} } macro_rules! d { ($m:ident) => { $m!() } }";
        let found: Vec<(&str, &str)> = macro_calls(text)
            .into_iter()
            .map(|call| {
                let range = call.arguments.start as usize..call.arguments.end as usize;
                (call.name, text.get(range).unwrap())
            })
            .collect();
        assert_eq!(found, [("m", "x, n![y]"), ("n", "y")]);
    }
}
