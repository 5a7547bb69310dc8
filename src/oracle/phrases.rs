//! The phrases in which people and models ask about code.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::lines::Counted;
use super::question::{Ask, Change, Question, Structural, TextPattern};
use super::quotes::{Quoted, masked, unmasked};
use crate::model::NodeKind;

/// Longer questions are not read.
const MAX_LEN: usize = 4_000;

/// `N` and `M` in a phrase: an item, with its kind before or after it.
const NAME: &str = r"(?:the |an? )?(?:(?P<KIND>KINDS) )?(?P<NAME>\x01\d+\x02|[a-z_][\w]*(?:::[\w]+)*(?:\(\)|!)?)(?: (?P<AFTER>KINDS))?";

const KINDS: &str = "associated functions?|functions?|fns?|methods?|structs?|enums?|unions?|traits?|type alias(?:es)?|types?|modules?|mods?|macros?|constants?|consts?|statics?|fields?|variants?|crates?|items?";

/// The phrases, most particular first. A blank stands for any white space; the whole question
/// must fit, after politeness, moment and file were taken off.
const PHRASES: &[(&str, Ask)] = &[
    // Time.
    (r"(?:since when|how long) (?:does|do|did|has|have) N call(?:s|ed)? M", Ask::SinceCalls),
    (r"when did N (?:start|begin) (?:to call|calling) M", Ask::SinceCalls),
    (r"when did N first call M", Ask::SinceCalls),
    (
        r"when (?:was|did) N (?:get )?(?:last|most recently) (?:change|changed|modified|updated|edited|touched)",
        Ask::Changed(Change::Last),
    ),
    (
        r"(?:what|which) (?:was the )?(?:last |latest |most recent )?commit (?:that )?(?:last )?(?:to )?(?:change|changed|modified|modify|touched|touch|updated|update) N",
        Ask::Changed(Change::Last),
    ),
    (
        r"when (?:was|did) N (?:get )?(?:change|changed|modified|updated|edited|touched)",
        Ask::Changed(Change::Any),
    ),
    (
        r"(?:when was|which commit|what commit) N (?:first )?(?:added|created|introduced|written)",
        Ask::Changed(Change::Added),
    ),
    (
        r"(?:which|what) (?:commit|revision) (?:added|created|introduced) N",
        Ask::Changed(Change::Added),
    ),
    (r"since when does N exist", Ask::Changed(Change::Added)),
    (r"when was N (?:removed|deleted|dropped)", Ask::Changed(Change::Removed)),
    (
        r"(?:which|what) (?:commit|revision) (?:removed|deleted|dropped) N",
        Ask::Changed(Change::Removed),
    ),
    // One item's declaration.
    (
        r"(?:ASK )?(?:full |exact |function |type )?(?:signature|declaration) (?:of|for) N",
        Ask::Signature,
    ),
    (r"(?:ASK )?N(?:'s)? (?:signature|declaration)", Ask::Signature),
    (r"how is N declared", Ask::Signature),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:names (?:and types )?of (?:the )?)?(?:parameters?|params?|arguments?|args?|inputs?) (?:and (?:their )?types )?(?:of|to|for|in) N",
        Ask::Parameters,
    ),
    (
        r"(?:what|which|how many) (?:parameters?|params?|arguments?|args?|inputs?) (?:does|do|did) N (?:take|accept|have|expect|need|require|receive)s?",
        Ask::Parameters,
    ),
    (
        r"what (?:does|did) N (?:take|accept)(?: as (?:parameters|arguments|input))?",
        Ask::Parameters,
    ),
    (r"(?:ASK )?N(?:'s)? (?:parameters|params|arguments|args)", Ask::Parameters),
    (r"(?:ASK )?(?:the )?return(?:ed)? types? (?:of|for) N", Ask::ReturnType),
    (r"what (?:type |types )?(?:does|did|do) N return", Ask::ReturnType),
    (r"what (?:type )?is returned (?:by|from) N", Ask::ReturnType),
    (r"(?:ASK )?N(?:'s)? return type", Ask::ReturnType),
    // Members.
    (r"(?:ASK )?(?:all )?(?:the )?(?:public )?(?:fields|members) (?:of|in|on) N", Ask::Fields),
    (r"(?:what|which|how many) fields? (?:does|do|did) N (?:have|contain|define)", Ask::Fields),
    (r"(?:ASK )?N(?:'s)? fields", Ask::Fields),
    (r"(?:ASK )?(?:all )?(?:the )?variants (?:of|in|on) N", Ask::Variants),
    (r"(?:what|which|how many) variants? (?:does|do|did) N (?:have|contain|define)", Ask::Variants),
    (r"(?:ASK )?N(?:'s)? variants", Ask::Variants),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:methods|associated functions) (?:of|in|on|for|defined on|defined by|that) N",
        Ask::Methods,
    ),
    (
        r"(?:what|which|how many) (?:methods?|associated functions?) (?:does|do|did) N (?:have|contain|define|provide|offer|declare|require)",
        Ask::Methods,
    ),
    (r"(?:what|which) methods are (?:defined|declared|available) (?:on|in|by) N", Ask::Methods),
    (r"(?:ASK )?N(?:'s)? methods", Ask::Methods),
    // Traits.
    (r"(?:what|which|how many) traits? (?:does|do|did) N implement", Ask::Traits),
    (
        r"(?:ASK )?(?:all )?(?:the )?traits (?:that are )?(?:implemented (?:by|for|on)|of) N",
        Ask::Traits,
    ),
    (r"(?:ASK )?(?:all )?(?:the )?traits (?:that )?N implements", Ask::Traits),
    (r"(?:does|do|did) N implement M", Ask::Implements),
    (r"is M implemented (?:by|for|on) N", Ask::Implements),
    (r"is there an impl(?:ementation)? of M for N", Ask::Implements),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:implement[eo]rs|implementations|impls) (?:of|for) N",
        Ask::Implementors,
    ),
    (
        r"(?:who|what|which types?|how many types|which structs?|what types?|which items?) implements? N",
        Ask::Implementors,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:types|structs|enums|items)(?: that)? (?:implement|implementing|which implement) N",
        Ask::Implementors,
    ),
    (r"(?:what|which types?) is N implemented (?:by|for|on)", Ask::Implementors),
    // Calls and uses.
    (r"(?:does|do|did) N (?:ever |directly )?call M", Ask::Calls),
    (r"(?:is|was) M (?:ever |directly )?called (?:by|from|in) N", Ask::Calls),
    (r"(?:ASK )?(?:all )?(?:the )?(?:direct )?callers (?:of|for) N", Ask::Callers),
    (
        r"(?:who|what|what code|(?:which|what|how many) (?:functions|methods|functions or methods|functions and methods|items|callers|places)) (?:directly )?calls? N",
        Ask::Callers,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:functions|methods|functions and methods|items|places)(?: that| which| where)? (?:directly )?(?:calls?|calling) N",
        Ask::Callers,
    ),
    (r"(?:where|by what|by which functions|by whom) (?:is|was) N called(?: from)?", Ask::Callers),
    (r"(?:what|which functions) is N called (?:by|from)", Ask::Callers),
    (r"(?:how many) callers does N have", Ask::Callers),
    (r"(?:ASK )?(?:all )?(?:the )?(?:direct )?callees (?:of|for) N", Ask::Callees),
    (
        r"(?:what|which functions|what functions|which methods|what methods|which functions and methods) (?:does|do|did) N (?:directly )?call",
        Ask::Callees,
    ),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:functions|methods|calls)(?: that are)? (?:called|made) (?:by|in|from) N",
        Ask::Callees,
    ),
    (r"(?:ASK )?(?:all )?(?:the )?(?:functions|methods)(?: that)? N calls", Ask::Callees),
    (
        r"(?:is|was) N (?:ever |still |actually )?(?:used|called|referenced|invoked)(?: anywhere| at all)?",
        Ask::IsUsed,
    ),
    (r"(?:does|did) (?:anything|anyone|any code|anybody) (?:use|call|reference) N", Ask::IsUsed),
    (r"are there (?:any )?(?:uses|usages|callers|references|calls) (?:of|to) N", Ask::IsUsed),
    (r"(?:is|was) N (?:unused|dead|dead code|not used|never used|never called)", Ask::IsUnused),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:items that use|users of|functions that use|functions using) N",
        Ask::Users,
    ),
    (r"(?:who|what|which items|which functions) uses? N", Ask::Users),
    (r"(?:where) (?:is|was) N used", Ask::Users),
    // Visibility and place.
    (
        r"(?:is|was) N (?:public|pub|exported|publicly visible|part of the public api)",
        Ask::IsPublic,
    ),
    (r"(?:is|was) N private", Ask::IsPrivate),
    (r"what (?:does|did) N (?:export|re-export|expose)", Ask::Exports),
    (
        r"(?:ASK )?(?:all )?(?:the )?(?:exports|public items|public interface|public api) (?:of|in|from) N",
        Ask::Exports,
    ),
    (r"what is exported (?:by|from) N", Ask::Exports),
    (
        r"(?:where|in which file|in what file) (?:is|was) N (?:defined|declared|implemented)",
        Ask::Place,
    ),
    (r"(?:which|what) file (?:defines|declares|contains|is) N(?: defined in| in)?", Ask::Place),
    // Lists of items.
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?(?:functions|fns)", Ask::Items(&[NodeKind::Function])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?structs", Ask::Items(&[NodeKind::Struct])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?enums", Ask::Items(&[NodeKind::Enum])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?traits", Ask::Items(&[NodeKind::Trait])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?constants", Ask::Items(&[NodeKind::Const])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?statics", Ask::Items(&[NodeKind::Static])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?type aliases", Ask::Items(&[NodeKind::TypeAlias])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?modules", Ask::Items(&[NodeKind::Module])),
    (r"(?:ASK )?(?:all )?(?:of )?(?:the )?macros", Ask::Items(&[NodeKind::Macro])),
];

/// What may come before a noun.
const ASK: &str = "(?:what is|what are|what was|what were|what's|which are|list|find|show|show me|give|give me|name|get|tell me|enumerate|print|return|identify|search for)(?: all)?(?: the)?";

static READ: LazyLock<Vec<(Regex, Ask)>> = LazyLock::new(|| {
    let name = |name: &str| {
        let pattern = NAME.replace("KINDS", KINDS);
        pattern
            .replace("<KIND>", &format!("<{name}_kind>"))
            .replace("<AFTER>", &format!("<{name}_after>"))
            .replace("<NAME>", &format!("<{name}>"))
    };
    let (n, m) = (name("n"), name("m"));
    let phrases = PHRASES.iter().filter_map(|(phrase, ask)| {
        let words: Vec<String> =
            phrase.replace("ASK", ASK).split(' ').map(|word| word.to_owned()).collect();
        let text = words.join(" ");
        let text = place(&text, 'N', &n);
        let text = place(&text, 'M', &m);
        Some((Regex::new(&format!("(?i)^{text}$")).ok()?, *ask))
    });
    phrases.collect()
});

/// Puts a pattern where a capital letter stands alone.
fn place(text: &str, letter: char, pattern: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let alone = !before.is_alphanumeric() && rest.peek().is_none_or(|c| !c.is_alphanumeric());
        match c == letter && alone && before != '\\' {
            true => out.push_str(pattern),
            false => out.push(c),
        }
        before = c;
    }
    out
}

macro_rules! regex {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($text).ok());
    };
}

regex!(
    SEMANTIC,
    r"(?i)\b(?:explain|why|describe|purpose|summari[sz]e|rationale|reason for|how does|how do|how is .* (?:used|work)|what happens|what does .* do|best|should)\b"
);
regex!(
    PATTERN,
    r"(?i)\b(?:find|list|show|search|grep|count|how many|lines?|occurrences?|matches|contain(?:s|ing)?|TODOs?|comments?)\b"
);
regex!(ALL, r"(?i)\b(?:all|every|each|count|how many|number of)\b");
regex!(
    COUNT,
    r"(?i)^(?:how many|count(?: all)?(?: of)?(?: the)?|what is the (?:number|count) of|number of|the number of)\s+"
);
regex!(
    FILE,
    r"(?i)\s+(?:in|of|inside|within|from)\s+(?:the\s+)?(?:file\s+)?(?P<file>\x01\d+\x02|[\w./-]+\.rs)$"
);
regex!(
    SCOPE,
    r"(?i)\s+(?:in|of|inside|within|from)\s+(?:the\s+)?(?:module\s+|mod\s+|crate\s+)?(?P<scope>\x01\d+\x02|[a-z_]\w*(?:::\w+)*)(?:\s+module)?$"
);
regex!(
    WHEN,
    r"(?i)\s+(?:at|in|as of|before|on|back in)\s+(?:the\s+)?(?:commit|tag|version|release|revision)?\s*(?P<when>v?\d+(?:\.\d+)+[\w.-]*|v\d+[\w.-]*|HEAD[~^\d]*|[0-9a-f]{7,40}|\d{4}-\d\d-\d\d\S*|yesterday|\S+ (?:days?|weeks?|months?|years?|hours?|minutes?) ago)$"
);
regex!(
    COMMIT,
    r"(?i)\s+(?:at|in|as of|before)\s+(?:the\s+)?(?:commit|tag|version|release|revision|branch)\s+(?P<when>\x01\d+\x02|\S+)$"
);
regex!(
    POLITE,
    r"(?i)^(?:please|hey|ok|okay|so|and|can you|could you|would you|tell me|i want to know|do you know)[ ,:]+"
);

fn is_match(regex: &Option<Regex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// Takes a part of a text off that a pattern names.
fn take(regex: &Option<Regex>, group: &str, text: &mut String) -> Option<String> {
    let found = regex.as_ref()?.captures(text)?;
    let taken = found.name(group)?.as_str().to_owned();
    let whole = found.get(0)?.range();
    text.replace_range(whole, "");
    Some(taken)
}

/// Reads a question.
pub fn read(question: &str) -> Question {
    if question.len() > MAX_LEN {
        return Question::Unreadable;
    }
    let (text, quoted) = masked(question);
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text = text.trim_end_matches(['?', '.', '!', ' ']).to_owned();
    while let Some(polite) = POLITE.as_ref().and_then(|regex| regex.find(&text)) {
        text.replace_range(polite.range(), "");
    }
    if is_match(&SEMANTIC, &text) {
        return Question::Semantic;
    }
    let unmask = |text: &str| unmasked(text, &quoted);
    let complete = is_match(&ALL, &text);
    let moment = take(&COMMIT, "when", &mut text).or_else(|| take(&WHEN, "when", &mut text));
    let moment = moment.map(|when| unmask(&when));
    // `of FILE` may be the subject, so the whole question comes first.
    let mut found = structural(&text);
    let mut file = None;
    if found.is_none() {
        let mut shorter = text.clone();
        let named = take(&FILE, "file", &mut shorter).map(|file| unmask(&file));
        if let Some(name) = named.filter(|name| name.ends_with(".rs")) {
            found = structural(&shorter);
            text = shorter;
            file = Some(name);
        } else if let Some(items) = items_in(&text) {
            found = Some(items);
        }
    }
    if let Some(mut found) = found {
        found.subject = unmask(&found.subject);
        found.other = found.other.map(|other| unmask(&other));
        found.file = file;
        found.moment = moment;
        return Question::Structural(found);
    }
    pattern(&text, &quoted, complete, file, moment).map_or(Question::Unreadable, Question::Pattern)
}

fn structural(text: &str) -> Option<Structural> {
    let count = is_match(&COUNT, text);
    // `how many fields does X have` fits as it is; `count the fields of X` without its verb.
    let rest = COUNT.as_ref().map(|regex| regex.replace(text, "").into_owned());
    let rest = rest.filter(|_| count);
    let texts = [Some(text.to_owned()), rest];
    texts.iter().flatten().find_map(|text| {
        READ.iter().find_map(|(phrase, ask)| {
            let found = phrase.captures(text)?;
            let group = |name: &str| found.name(name).map(|m| m.as_str().to_owned());
            let subject = group("n").unwrap_or_default();
            if matches!(subject.to_ascii_lowercase().as_str(), "it" | "this" | "that" | "them") {
                return None;
            }
            Some(Structural {
                ask: *ask,
                subject,
                kind: kind(&found, "n"),
                other: group("m"),
                count,
                file: None,
                moment: None,
            })
        })
    })
}

/// `list all structs in module m`.
fn items_in(text: &str) -> Option<Structural> {
    let mut text = text.to_owned();
    let scope = take(&SCOPE, "scope", &mut text)?;
    let found = structural(&text)?;
    let whole = ["workspace", "project", "repository", "repo", "codebase", "code"];
    let subject =
        if whole.contains(&scope.to_ascii_lowercase().as_str()) { String::new() } else { scope };
    matches!(found.ask, Ask::Items(_)).then_some(Structural { subject, ..found })
}

fn kind(found: &Captures<'_>, name: &str) -> Option<NodeKind> {
    let word = found.name(&format!("{name}_kind")).or(found.name(&format!("{name}_after")))?;
    let word = word.as_str().to_ascii_lowercase();
    Some(match word.trim_end_matches('s') {
        "method" | "associated function" => NodeKind::Method,
        "struct" => NodeKind::Struct,
        "enum" => NodeKind::Enum,
        "union" => NodeKind::Union,
        "trait" => NodeKind::Trait,
        "module" | "mod" => NodeKind::Module,
        "macro" => NodeKind::Macro,
        "field" => NodeKind::Field,
        "variant" => NodeKind::Variant,
        // People say function for method, and type for many things.
        _ => return None,
    })
}

fn pattern(
    text: &str,
    quoted: &[Quoted],
    complete: bool,
    file: Option<String>,
    moment: Option<String>,
) -> Option<TextPattern> {
    if !is_match(&PATTERN, text) {
        return None;
    }
    let upper = text.to_ascii_lowercase();
    let says_regex = ["regex", "regular expression", "pattern "].iter().any(|w| upper.contains(w));
    let first = quoted.first();
    let (pattern, slashes) = match first {
        Some(quoted) => (quoted.text.clone(), quoted.slashes),
        None => {
            // `find all TODO comments`: a marker in capitals.
            let marker = text.split(' ').find(|word| {
                let word = word.trim_end_matches('s');
                word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
            })?;
            (marker.trim_end_matches('s').to_owned(), false)
        }
    };
    let counted = match () {
        () if upper.contains("line") => Counted::Lines,
        () if ["occurrence", "matches", "times"].iter().any(|w| upper.contains(w)) => {
            Counted::Matches
        }
        () => Counted::Either,
    };
    let count = is_match(&COUNT, text) || upper.starts_with("how many");
    let regex = slashes || says_regex;
    Some(TextPattern { pattern, regex, count, counted, complete, file, moment })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, ask: Ask, subject: &str) {
        match read(question) {
            Question::Structural(found) => {
                assert_eq!((found.ask, found.subject.as_str()), (ask, subject), "{question}");
            }
            other => panic!("{question}: {other:?}"),
        }
    }

    #[test]
    fn every_phrase_is_a_pattern() {
        assert_eq!(READ.len(), PHRASES.len());
        for regex in [&SEMANTIC, &PATTERN, &ALL, &COUNT, &FILE, &SCOPE, &WHEN, &COMMIT, &POLITE] {
            assert!(regex.is_some());
        }
    }

    #[test]
    fn structural_questions_are_read() {
        check("What is the signature of `Foo::bar`?", Ask::Signature, "Foo::bar");
        check("signature of function parse", Ask::Signature, "parse");
        check("Show me the parameters of retry::next_delay", Ask::Parameters, "retry::next_delay");
        check("What arguments does parse take?", Ask::Parameters, "parse");
        check("what does the function `load` return", Ask::ReturnType, "load");
        check("List all fields of struct Config.", Ask::Fields, "Config");
        check("How many variants does the Error enum have?", Ask::Variants, "Error");
        check("which types implement Matcher", Ask::Implementors, "Matcher");
        check("implementors of the trait `Sink`", Ask::Implementors, "Sink");
        check("What traits does Config implement?", Ask::Traits, "Config");
        check("Who calls `search_path`?", Ask::Callers, "search_path");
        check("find all functions that call `walk`", Ask::Callers, "walk");
        check("What does `main` call?", Ask::Callees, "main");
        check("Is `helper` used anywhere?", Ask::IsUsed, "helper");
        check("is helper dead code?", Ask::IsUnused, "helper");
        check("Is Config::new public?", Ask::IsPublic, "Config::new");
        check("What does module config export?", Ask::Exports, "config");
        check("When did `parse` last change?", Ask::Changed(Change::Last), "parse");
        check("When was `parse` added?", Ask::Changed(Change::Added), "parse");
        check("Where is Config defined?", Ask::Place, "Config");
        check("list all structs in module config", Ask::Items(&[NodeKind::Struct]), "config");
        check("List all enums in the workspace", Ask::Items(&[NodeKind::Enum]), "");
        check("methods of `<&'a mut S as T>`", Ask::Methods, "<&'a mut S as T>");
    }

    #[test]
    fn two_items_and_moments_are_read() {
        let Question::Structural(found) = read("Does `a::f` call `b::g` in v1.0.2?") else {
            panic!()
        };
        assert_eq!(found.ask, Ask::Calls);
        assert_eq!((found.subject.as_str(), found.other.as_deref()), ("a::f", Some("b::g")));
        assert_eq!(found.moment.as_deref(), Some("v1.0.2"));
        let Question::Structural(found) = read("was `g` called by `f` at commit abc1234") else {
            panic!()
        };
        assert_eq!((found.subject.as_str(), found.other.as_deref()), ("f", Some("g")));
        let Question::Structural(found) = read("list all functions in src/main.rs") else {
            panic!()
        };
        assert_eq!(found.file.as_deref(), Some("src/main.rs"));
        let Question::Structural(found) = read("Since when does main call run?") else { panic!() };
        assert_eq!(found.ask, Ask::SinceCalls);
    }

    #[test]
    fn patterns_are_read() {
        let Question::Pattern(found) = read("Find all lines containing `unwrap()` in src/a.rs")
        else {
            panic!()
        };
        assert_eq!((found.pattern.as_str(), found.regex), ("unwrap()", false));
        assert_eq!(found.file.as_deref(), Some("src/a.rs"));
        assert!(found.complete && !found.count);
        let Question::Pattern(found) = read(r#"count the occurrences of "unsafe""#) else {
            panic!()
        };
        assert!(found.count);
        assert_eq!(found.counted, Counted::Matches);
        let Question::Pattern(found) = read(r"search for the regex `fn \w+_test`") else {
            panic!()
        };
        assert!(found.regex);
        let Question::Pattern(found) = read("find all TODO comments") else { panic!() };
        assert_eq!(found.pattern, "TODO");
    }

    #[test]
    fn explanations_are_semantic() {
        for text in ["Explain `f`", "Why does f call g?", "How does the retry policy work?"] {
            assert_eq!(read(text), Question::Semantic, "{text}");
        }
        assert_eq!(read("hello"), Question::Unreadable);
        assert_eq!(read(&"x".repeat(1 << 20)), Question::Unreadable);
    }
}
