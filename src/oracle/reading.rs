//! Reads questions about code.

use std::sync::LazyLock;

use regex::{Regex, bytes};

use super::dates::with_iso_dates;
use super::phrases::{ASK, PHRASES};
use super::question::{Ask, Member, Question, Structural};
use super::quotes::{masked, unmasked};
use super::text_question;
use asof_model::NodeKind;

/// Longer questions are not read.
const MAX_LEN: usize = 4_000;

/// Without Unicode they compile in a fraction of the time.
static READ: LazyLock<Vec<(bytes::Regex, Ask)>> = LazyLock::new(|| {
    let phrases = PHRASES.iter().filter_map(|(phrase, ask)| {
        let text = phrase.replace("ASK", ASK);
        let text = place(&text, 'N', "(?P<n>.+?)");
        let text = place(&text, 'M', "(?P<m>.+?)");
        let regex = bytes::RegexBuilder::new(&format!("^{text}$")).unicode(false).build();
        Some((regex.ok()?, *ask))
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
        if c == letter && alone && before != '\\' {
            out.push_str(pattern)
        } else {
            out.push(c)
        }
        before = c;
    }
    out
}

regex!(
    SEMANTIC,
    r"(?i)\b(?:explain|why|describe|purpose|summari[sz]e|rationale|reason for|how does|how do|how is .* (?:used|work)|what happens|what does .* do|best|should)\b"
);
regex!(ALL, r"(?i)\b(?:all|every|each|count|how many|number of)\b");
regex!(
    COUNT,
    r"(?i)^(?:how many|count(?: all)?(?: of)?(?: the)?|(?:what is |what's )?(?:the )?(?:total )?(?:number|count) of(?: the)?)\s+"
);
regex!(
    FILE,
    r"(?i)\s+(?:in|of|inside|within|from)\s+(?:the\s+)?(?:file\s+)?(?P<file>\x01\d+\x02|[\w./-]+\.rs)$"
);
regex!(
    THERE,
    r"(?i)(?P<there>(?:\s+(?:are|is)(?:\s+there)?|\s+exist)?(?:\s+defined|\s+declared|\s+found)?)$"
);
regex!(
    SCOPE,
    r"(?i)\s+(?:(?:are\s+|is\s+)?(?:there\s+|defined\s+|declared\s+)?(?:in|of|inside|within|from|by)\s+(?:the\s+)?(?:module\s+|mod\s+|crate\s+|package\s+)?(?P<scope>\x01\d+\x02|[a-z_]\w*(?:::\w+)*)(?:\s+(?:module|crate|package))?(?:\s+(?:have|define|declare|contain))?|does\s+(?:the\s+)?(?:module\s+|crate\s+|file\s+)?(?P<of>\x01\d+\x02|[\w./-]+(?:::\w+)*)(?:\s+(?:module|crate))?\s+(?:have|define|declare|contain))$"
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
    r"(?i)^(?:please|hey|hi|hello|ok|okay|so|and|now|then|quick question|question|can you|could you|would you|can you please|could you please|tell me|i want to know|i need|i'd like to know|i would like to know|do you know|remind me|let me know|i need to know|for me|exactly|in this (?:crate|repo|repository|codebase|workspace|project))[ ,:]+"
);
regex!(
    POLITE_END,
    r"(?i)[ ,]+(?:please|for me|exactly|right now|currently|at the moment|in total|again|in (?:the|this|our) (?:whole |entire )?(?:codebase|code base|repo|repository|workspace|project)|if any|here|(?:with|and) (?:their |its )?types?|overall|thanks|thank you)$"
);

pub(super) fn is_match(regex: &Option<Regex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// Takes a part of a text off that a pattern names.
fn take(regex: &Option<Regex>, groups: &[&str], text: &mut String) -> Option<String> {
    let found = regex.as_ref()?.captures(text)?;
    let taken = groups.iter().find_map(|group| found.name(group))?.as_str().to_owned();
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
    let text = with_iso_dates(&text);
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = |text: &mut String| {
        let len = text.trim_end_matches(['?', '.', '!', ' ', ':', ',']).len();
        text.truncate(len);
    };
    end(&mut text);
    let before = text.clone();
    while let Some(polite) = POLITE.as_ref().and_then(|regex| regex.find(&text)) {
        text.replace_range(polite.range(), "");
    }
    while let Some(polite) = POLITE_END.as_ref().and_then(|regex| regex.find(&text)) {
        text.replace_range(polite.range(), "");
        end(&mut text);
    }
    // `In a.rs, which …`
    if let Some((place, rest)) = text.split_once(", ")
        && let Some(place) = place.strip_prefix("in ").or(place.strip_prefix("In "))
    {
        text = format!("{rest} in {place}");
    }
    let begins = text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("the "));
    if begins {
        text.replace_range(..4, "");
    }
    if is_match(&SEMANTIC, &text) {
        return Question::Semantic;
    }
    let unmask = |text: &str| unmasked(text, &quoted);
    let complete = is_match(&ALL, &before);
    let moment = take(&COMMIT, &["when"], &mut text).or_else(|| take(&WHEN, &["when"], &mut text));
    let moment = moment.map(|when| unmask(&when));
    // `of FILE` may be the subject, so the whole question comes first.
    let mut found = structural(&text);
    if found.is_none() {
        let mut shorter = text.clone();
        let named = take(&FILE, &["file"], &mut shorter).map(|file| unmask(&file));
        if let Some(name) = named.filter(|name| name.ends_with(".rs")) {
            found = structural(&shorter).or_else(|| {
                take(&THERE, &["there"], &mut shorter)?;
                structural(&shorter)
            });
            if let Some(found) = &mut found {
                match found.ask {
                    Ask::Items(_) => found.file = Some(name),
                    _ => found.place = Some(name),
                }
            }
        } else if let Some(items) = items_in(&text, &unmask) {
            found = Some(items);
        } else if take(&THERE, &["there"], &mut shorter).is_some_and(|there| !there.is_empty()) {
            // `how many structs are there`
            found = structural(&shorter).filter(|found| matches!(found.ask, Ask::Items(_)));
        }
    }
    if let Some(mut found) = found {
        found.subject = unmask(&found.subject);
        found.other = found.other.map(|other| unmask(&other));
        found.place = found.place.map(|place| unmask(&place));
        found.moment = moment;
        return Question::Structural(found);
    }
    let pattern = text_question::read(&text, &quoted, complete, moment);
    pattern.map_or(Question::Unreadable, Question::Pattern)
}

/// What a question about items asks.
fn structural(text: &str) -> Option<Structural> {
    let count = is_match(&COUNT, text);
    // `how many fields does X have` fits as it is; `count the fields of X` without its verb.
    let rest = COUNT.as_ref().map(|regex| regex.replace(text, "").into_owned());
    let rest = rest.filter(|_| count);
    [Some(text.to_owned()), rest].iter().flatten().find_map(|text| {
        let lower = text.to_ascii_lowercase();
        READ.iter().find_map(|(phrase, ask)| {
            understood(*ask, &phrase.captures(lower.as_bytes())?, text, count)
        })
    })
}

fn understood(
    ask: Ask,
    found: &bytes::Captures<'_>,
    text: &str,
    count: bool,
) -> Option<Structural> {
    // The phrase fits the text in lower case, which has the same places.
    let group = |name: &str| found.name(name).and_then(|m| text.get(m.range()));
    let subject = match group("n") {
        Some(words) => named(words)?,
        None => Named::default(),
    };
    let other = match group("m") {
        Some(words) if ask == Ask::Returns => Some(words.to_owned()),
        Some(words) => {
            let other = named(words)?;
            // A place of the second item: `Type::name`, as far as it is a path.
            Some(match other.place.filter(|place| !place.contains(['/', '.'])) {
                Some(place) => format!("{place}::{}", other.name),
                None => other.name,
            })
        }
        None => group("trait").or(group("is")).map(str::to_owned),
    };
    let member = group("member").or(group("functions")).map(|word| match word {
        "field" => Member::Field,
        "variant" => Member::Variant,
        "parameter" | "argument" => Member::Parameter,
        word if word.starts_with("associated") => Member::Function,
        _ => Member::Method,
    });
    Some(Structural {
        ask,
        subject: subject.name,
        kind: subject.kind,
        other,
        place: subject.place,
        public: found.name("public").is_some(),
        member,
        count: count && !ask.is_yes_or_no(),
        file: None,
        moment: None,
    })
}

/// `list all structs in module m`.
fn items_in(text: &str, unmask: &dyn Fn(&str) -> String) -> Option<Structural> {
    let mut text = text.to_owned();
    let scope = unmask(&take(&SCOPE, &["scope", "of"], &mut text)?);
    let found = structural(&text).filter(|found| matches!(found.ask, Ask::Items(_)))?;
    let whole = ["workspace", "project", "repository", "repo", "codebase", "code"];
    let (subject, file) = match scope {
        scope if whole.contains(&scope.to_ascii_lowercase().as_str()) => (String::new(), None),
        scope if scope.ends_with(".rs") => (String::new(), Some(scope)),
        scope => (scope, None),
    };
    Some(Structural { subject, file, ..found })
}

/// The words that name an item.
#[derive(Debug, Default)]
struct Named {
    name: String,
    kind: Option<NodeKind>,
    place: Option<String>,
}

/// Words before a name that say nothing.
const ARTICLES: [&str; 12] =
    ["the", "a", "an", "any", "our", "this", "all", "of", "called", "named", "existing", "pub"];

/// Words that are no names.
const PRONOUNS: [&str; 27] = [
    "lifetime", "generic", "default", "it", "this", "that", "them", "there", "anything",
    "everything", "which", "what", "code", "one", "nothing", "i", "you", "we", "they", "rust",
    "each", "is", "are", "does", "do", "has", "have",
];

/// Reads `the struct X in file.rs`, `X (in the crate y)`, `the method X of Y`, `Y's method X`.
fn named(words: &str) -> Option<Named> {
    let trimmed = words.split(' ').map(|word| {
        let word = word.strip_prefix('(').unwrap_or(word).trim_end_matches(',');
        if word.ends_with("()") { word } else { word.strip_suffix(')').unwrap_or(word) }
    });
    let mut words: Vec<&str> = trimmed.filter(|word| !word.is_empty()).collect();
    let mut out = Named::default();
    let is_preposition =
        |word: &str| matches!(word, "in" | "from" | "of" | "inside" | "within" | "on" | "for");
    if let Some(at) = words.iter().position(|word| is_preposition(word)).filter(|at| *at > 0) {
        let mut place = words.split_off(at);
        place.remove(0);
        let defined = ["defined", "declared", "implemented", "located"];
        words.pop_if(|word| defined.contains(word));
        out.place = Some(bare(place, &mut None)?);
    }
    // `Type's method name`
    if let [owner, .., _] = words.as_slice()
        && let Some(owner) = owner.strip_suffix("'s")
        && out.place.is_none()
    {
        out.place = Some(owner.to_owned());
        words.remove(0);
    }
    out.name = bare(words, &mut out.kind)?;
    Some(out)
}

/// The only word that is a name, without articles and the words for its kind.
fn bare(mut words: Vec<&str>, kind: &mut Option<NodeKind>) -> Option<String> {
    loop {
        let [first, rest @ ..] = words.as_slice() else { return None };
        if rest.is_empty() {
            break;
        }
        let lower = first.to_ascii_lowercase();
        let two = rest.first().map(|second| format!("{lower} {second}"));
        if let Some(found) = two.as_deref().and_then(kind_of).filter(|_| rest.len() > 1) {
            *kind = kind.or(found);
            words.drain(..2);
        } else if let Some(found) = kind_of(&lower) {
            *kind = kind.or(found);
            words.remove(0);
        } else if ARTICLES.contains(&lower.as_str()) {
            words.remove(0);
        } else if let Some(found) = words.last().and_then(|last| kind_of(last)) {
            *kind = kind.or(found);
            words.pop();
        } else {
            return None;
        }
    }
    let [name] = words.as_slice() else { return None };
    let is_mark = name.starts_with('\u{1}');
    let starts = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '<' | '&'));
    let fits = |c: char| c.is_alphanumeric() || "_:<>()!&'*[],./-".contains(c);
    let is_name =
        starts && name.chars().all(fits) && !PRONOUNS.contains(name) && kind_of(name).is_none();
    (is_mark || is_name).then(|| (*name).to_owned())
}

/// The kind that a word means; `Some(None)` if it means several.
fn kind_of(word: &str) -> Option<Option<NodeKind>> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "method" | "associated function" => Some(NodeKind::Method),
        "struct" => Some(NodeKind::Struct),
        "enum" => Some(NodeKind::Enum),
        "union" => Some(NodeKind::Union),
        "trait" => Some(NodeKind::Trait),
        "module" | "mod" => Some(NodeKind::Module),
        "macro" => Some(NodeKind::Macro),
        "field" => Some(NodeKind::Field),
        "variant" => Some(NodeKind::Variant),
        // People say function for method, and type for many things.
        "function" | "fn" | "type" | "type alia" | "type aliase" | "constant" | "const"
        | "static" | "crate" | "item" | "package" | "file" => None,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::lines::Counted;
    use super::super::question::Change;
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
        let regexes = [&SEMANTIC, &ALL, &COUNT, &FILE, &THERE, &SCOPE, &WHEN, &COMMIT, &POLITE];
        assert!(regexes.into_iter().chain([&POLITE_END]).all(|regex| regex.is_some()));
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
        check("How many enums are there in the workspace?", Ask::Items(&[NodeKind::Enum]), "");
        check("how many enums are in this project", Ask::Items(&[NodeKind::Enum]), "");
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
        assert_eq!(found.place.as_deref(), Some("src/a.rs"));
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
    fn conditions_that_are_not_understood_are_not_ignored() {
        for text in [
            "find all lines containing `x` but not in tests",
            "find the first line containing `x`",
            "list all `unsafe` blocks",
            "who calls `f` indirectly?",
            "which fields of Config are never read?",
            "does f have a lifetime parameter?",
        ] {
            assert_eq!(read(text), Question::Unreadable, "{text}");
        }
    }

    #[test]
    fn places_are_read() {
        let check = |question: &str, subject: &str, place: &str| match read(question) {
            Question::Structural(found) => {
                let found = (found.subject.as_str(), found.place.as_deref());
                assert_eq!(found, (subject, Some(place)), "{question}");
            }
            other => panic!("{question}: {other:?}"),
        };
        check("What does `run` in src/main.rs call?", "run", "src/main.rs");
        check("In `src/a.rs`, who calls f?", "f", "src/a.rs");
        check("signature of the method `new` of struct `Foo`", "new", "Foo");
        check("What is the return type of Foo's `new` method?", "new", "Foo");
        check("fields of `Config` in the crate demo", "Config", "demo");
        check("who calls f (in src/a.rs)?", "f", "src/a.rs");
    }

    #[test]
    fn members_are_read() {
        check("does `Foo` have a field named `bar`?", Ask::Has, "Foo");
        check("is there a method `bar` on Foo?", Ask::Has, "Foo");
        check("Is `f` async?", Ask::Is, "f");
        check("is Foo Copy?", Ask::Implements, "Foo");
        check("does f return a Result?", Ask::Returns, "f");
        check("what is the type of the field bar of Foo?", Ask::TypeOf, "Foo");
        check("give me Foo::new's signature", Ask::Signature, "Foo::new");
        check("is f recursive?", Ask::CallsItself, "f");
        check("What implements the trait Default?", Ask::Implementors, "Default");
        check("Can you tell me which functions call `f`, please?", Ask::Callers, "f");
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
