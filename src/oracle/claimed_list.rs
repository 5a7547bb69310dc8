//! Reading claimed lists: bullets, tables, JSON, commas, sentences.

use regex::Regex;
use serde_json::Value as Json;

use super::lines::without_numbering;
use super::names::{self, has_negation, is_prose};
use super::wording::{announces, backticked, is_none};

/// A claimed list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// The entries, each in the ways in which it can be read: as written first.
    pub entries: Vec<Vec<String>>,
    /// Whether these entries are what is claimed. A sentence may mention other things, too.
    pub certain: bool,
}

/// How the entries of a list are written.
#[derive(Debug, Clone, Copy)]
pub struct Form<'a> {
    /// The item that the question is about, which a sentence may repeat.
    pub subject: &'a str,
    /// Whether entries are names with types: fields and parameters.
    pub typed: bool,
    /// Whether entries are functions, which may be written with their parameters.
    pub calls: bool,
}

// Between entries of one list in a sentence.
regex!(
    BETWEEN,
    r"^(?:[\s,;&/]|\band\b|\bor\b|\bplus\b|\balso\b|\bthen\b|\bthe\b|\bas well as\b)*$"
);
// Between a name and its type.
regex!(TYPE_OF, r"^\s*(?::|\(|,?\s*(?:which is )?of type|is an?)\s*$");
// Before a place that only explains an entry.
regex!(
    PLACE,
    r"(?:\b(?:in|at|from|within|inside|file|module|see|on)|\()\s*(?:the\s+|file\s+|module\s+)*$"
);
// Where an explanation begins.
regex!(EXPLAINS, r"\s+(?:-|–|—|//|#|=>|:)\s+|\s+(?:in|at|on|from|of type|which|that|is|are)\s+");
// The end of the words that come before a list in a sentence.
regex!(
    LEADS,
    r"(?i)\b(?:are|is|by|has|have|in|implements?|calls?|invokes?|takes?|accepts?|exports?|following|functions?|methods?|fields?|variants?|parameters?|arguments?|types?|traits?|callers?|callees?|structs?|enums?|modules?|constants?|namely|named|called|contains?|defines?|items?)(?: named| called)?:?\s+(?:only |both |just |the )*"
);
regex!(TYPED, r"^([\w#]+)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|of type (.+))$");

fn is_match(regex: &Option<Regex>, text: &str) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(text))
}

/// Reads a list; `None` if the answer is a text that cannot be read as one. `lines`: those of the
/// answer that claim something.
pub(super) fn read(text: &str, lines: &[String], form: Form<'_>) -> Option<Listed> {
    if is_none(text) {
        return Some(Listed { entries: Vec::new(), certain: true });
    }
    if let Some(entries) = json(text, form) {
        return Some(Listed { entries, certain: true });
    }
    if let Some(entries) = table(lines, form) {
        return Some(Listed { entries, certain: true });
    }
    if let Some(listed) = bullets(lines, form) {
        return Some(listed);
    }
    let mut out = Listed { entries: Vec::new(), certain: true };
    for line in lines {
        let found = one_line(line, form)?;
        out.certain &= found.certain;
        out.entries.extend(found.entries);
    }
    Some(out)
}

/// A JSON value: an array of texts or objects, an object of names and types, or an object around
/// such an array.
fn json(text: &str, form: Form<'_>) -> Option<Vec<Vec<String>>> {
    let text = text.trim().strip_prefix("```json").unwrap_or(text);
    let text = text.trim().trim_start_matches("```").trim_end_matches("```").trim();
    if !text.starts_with(['[', '{']) {
        return None;
    }
    let value: Json = serde_json::from_str(text).ok()?;
    let list = match &value {
        Json::Array(list) => list,
        Json::Object(map) => match map.values().collect::<Vec<_>>().as_slice() {
            [Json::Array(list)] => list,
            values if form.typed && values.iter().all(|value| value.is_string()) => {
                let typed = |(name, ty): (&String, &Json)| {
                    vec![format!("{name}: {}", ty.as_str().unwrap_or_default())]
                };
                return Some(map.iter().map(typed).collect());
            }
            _ => return None,
        },
        _ => return None,
    };
    list.iter().map(|value| json_entry(value, form)).collect()
}

fn json_entry(value: &Json, form: Form<'_>) -> Option<Vec<String>> {
    if let Json::String(text) = value {
        return Some(forms(text, form));
    }
    let text = |keys: &[&str]| {
        keys.iter().find_map(|key| value.get(key).and_then(Json::as_str)).map(str::to_owned)
    };
    let names = [
        "path", "name", "function", "method", "caller", "callee", "field", "variant", "parameter",
        "item", "trait", "struct", "enum", "signature",
    ];
    let name = text(&names)?;
    match text(&["type", "ty"]).filter(|_| form.typed) {
        Some(ty) => Some(vec![format!("{name}: {ty}")]),
        None => Some(vec![name]),
    }
}

/// A Markdown table: the first column, with the column of types if there is one.
fn table(lines: &[String], form: Form<'_>) -> Option<Vec<Vec<String>>> {
    let cells = |line: &str| -> Option<Vec<String>> {
        let row = line.trim().strip_prefix('|')?.trim_end_matches('|');
        Some(row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect())
    };
    let rows: Vec<Vec<String>> = lines.iter().filter_map(|line| cells(line)).collect();
    let rule = |row: &Vec<String>| row.iter().all(|cell| cell.starts_with([':', '-']));
    let [head, second, rest @ ..] = rows.as_slice() else { return None };
    if !rule(second) {
        return None;
    }
    let is_type = |cell: &String| cell.to_ascii_lowercase().contains("type");
    let types = head.iter().position(is_type).filter(|at| form.typed && *at > 0);
    let entry = |row: &Vec<String>| {
        let name = row.first().cloned().unwrap_or_default();
        match types.and_then(|at| row.get(at)) {
            Some(ty) => vec![format!("{name}: {ty}")],
            None => forms(&name, form),
        }
    };
    Some(rest.iter().map(entry).collect())
}

/// A list with bullets or numbers; lines that explain are left out.
fn bullets(lines: &[String], form: Form<'_>) -> Option<Listed> {
    let is_bullet = |line: &&String| without_marker(line).is_some();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(is_bullet).map(|line| indent(line)).min()?;
    let (mut out, mut begun) = (Listed { entries: Vec::new(), certain: true }, false);
    for line in lines {
        match without_marker(line).filter(|_| indent(line) == least) {
            Some(rest) => {
                begun = true;
                out.certain &= !line_denies(rest);
                match names_in(rest) {
                    Some(names) => out.entries.extend(names.into_iter().map(|name| vec![name])),
                    None => out.entries.push(forms(rest, form)),
                }
            }
            // What is below an entry explains it; what follows the list may add to it.
            None if indent(line) > least => {}
            None if begun || !announces(line) => {
                out.certain &= is_prose(line) && !line.contains('`') && !has_negation(line);
            }
            None => {}
        }
    }
    Some(out)
}

/// Whether what explains an entry says that it is none.
fn line_denies(rest: &str) -> bool {
    is_prose(rest) && has_negation(rest) && rest.contains(" not ")
}

/// Several names in one entry: `a, b`.
fn names_in(entry: &str) -> Option<Vec<String>> {
    let parts = split(entry);
    let is_name = |part: &&str| {
        let part = part.trim_matches('`');
        !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
    };
    let all = parts.len() > 1 && parts.iter().all(is_name);
    all.then(|| parts.iter().map(|part| part.trim_matches('`').to_owned()).collect())
}

/// A line without its bullet or number; `None` if it has none.
fn without_marker(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.len() < line.len() {
        rest.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(' '))
    } else {
        ["- ", "* ", "• ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet))
    };
    rest.map(str::trim)
}

/// The ways in which an entry can be read.
fn forms(entry: &str, form: Form<'_>) -> Vec<String> {
    let entry = entry.trim().trim_end_matches(['.', ',', ';']);
    let plain = entry.replace("**", "").replace("__", "");
    let entry = if entry.starts_with("**") || entry.starts_with("__`") { &plain } else { entry };
    if entry.starts_with('`') {
        let mut parts = entry.splitn(3, '`').skip(1);
        let (name, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if form.typed
            && let Some(ty) = type_after(rest)
        {
            return vec![format!("{}: {ty}", name.trim())];
        }
        let mut out = vec![name.trim().to_owned()];
        out.extend(called(name, form));
        return out;
    }
    let mut out = vec![entry.to_owned()];
    if form.typed
        && let Some(found) = TYPED.as_ref().and_then(|regex| regex.captures(entry))
    {
        let ty = found.get(2).or(found.get(3)).map_or("", |ty| ty.as_str());
        if !is_prose(ty) {
            let name = found.get(1).map_or("", |name| name.as_str());
            return vec![format!("{name}: {}", ty.trim_matches('`'))];
        }
    }
    if let Some(found) = EXPLAINS.as_ref().and_then(|regex| regex.find(entry)) {
        out.extend(entry.get(..found.start()).map(|name| name.trim().to_owned()));
    }
    let explained = |at: usize, len: usize| {
        let rest = entry.get(at + len..).unwrap_or_default();
        is_prose(rest) || rest.contains(".rs")
    };
    if let Some(at) = entry.find(": ").filter(|at| explained(*at, 2)) {
        out.extend(entry.get(..at).map(|name| name.trim().to_owned()));
    }
    if let Some(at) = entry.find(" (").filter(|at| explained(*at, 2) || !form.typed) {
        out.extend(entry.get(..at).map(|name| name.trim().to_owned()));
    }
    out.extend(called(entry, form));
    // `src/main.rs:12: name`
    if let Some((_, rest)) = entry.split_once(".rs:") {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
        out.push(rest.trim().trim_matches('`').to_owned());
    }
    out.retain(|form| !form.is_empty() && !is_prose(form));
    if out.is_empty() {
        out.push(entry.to_owned());
    }
    out
}

/// The name of a function that is written with its parameters: `name(a: u8)`.
fn called(entry: &str, form: Form<'_>) -> Option<String> {
    let (name, _) = entry.trim().split_once('(').filter(|_| form.calls)?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
    (is_name && !name.is_empty()).then(|| name.to_owned())
}

/// The type that follows a name in backticks: `` `name`: `Type` ``, `` `name` (Type) ``.
fn type_after(rest: &str) -> Option<String> {
    let (gap, ty) = match rest.split_once('`') {
        Some((gap, after)) if is_match(&TYPE_OF, gap) => (gap, after.split('`').next()?),
        Some(_) => return None,
        None => {
            let ty = rest.trim_start().strip_prefix([':', '('])?;
            (":", ty.split(" - ").next()?.split(" — ").next()?.trim_end_matches(')'))
        }
    };
    let ty = ty.trim();
    (!gap.is_empty() && !ty.is_empty() && !is_prose(ty)).then(|| ty.to_owned())
}

/// The entries of a line without a bullet.
fn one_line(line: &str, form: Form<'_>) -> Option<Listed> {
    let bare = line.trim().replace("**", "");
    let bare = without_numbering(&bare);
    if line.contains('`') && !backticked(line).is_empty() {
        return Some(sentence(line.trim(), form));
    }
    let list = match bare.rsplit_once(": ").filter(|(before, _)| is_prose(before)) {
        Some((_, list)) => list,
        None if announces(bare) => return Some(Listed { entries: Vec::new(), certain: true }),
        None => bare,
    };
    let mut parts = split(list);
    if let Some(first) = parts.first_mut()
        && is_prose(first)
        && let Some(lead) = LEADS.as_ref().and_then(|regex| regex.find_iter(first).last())
    {
        let rest = first.get(lead.end()..).unwrap_or(first);
        *first = rest;
    }
    let entries: Vec<Vec<String>> = parts.iter().map(|part| forms(part, form)).collect();
    let read = entries.iter().flatten().all(|entry| !is_prose(entry));
    // A single word that is not code may be anything.
    let listed = Listed { entries, certain: !(is_prose(bare) && has_negation(bare)) };
    read.then_some(listed)
}

/// The pieces of code in a sentence, as a list.
fn sentence(line: &str, form: Form<'_>) -> Listed {
    let parts: Vec<&str> = line.split('`').collect();
    let mut entries: Vec<String> = Vec::new();
    let (mut certain, mut gap) = (!has_negation(line), String::new());
    let mut runs = 0;
    for (at, part) in parts.iter().enumerate() {
        if at % 2 == 0 || at + 1 == parts.len() {
            gap.push_str(part);
            continue;
        }
        let piece = part.trim();
        let next = parts.get(at + 1).copied().unwrap_or_default();
        let follows = !is_match(&BETWEEN, next) || next.trim().is_empty();
        let is_subject = !form.subject.is_empty()
            && (names::same_code(piece, form.subject)
                || names::is_end_of(piece, form.subject)
                || names::is_end_of(form.subject, piece));
        let is_place = piece.ends_with(".rs") || piece.contains(".rs:") || piece.contains('/');
        let is_last = at + 2 >= parts.len();
        if is_place && is_match(&PLACE, &gap) {
            // Where an entry is.
            gap.clear();
            continue;
        }
        if entries.is_empty() && is_subject && follows && !is_last {
            gap.clear();
            continue;
        }
        if form.typed
            && is_match(&TYPE_OF, &gap)
            && let Some(name) = entries.last_mut()
            && !name.contains(':')
        {
            name.push_str(": ");
            name.push_str(piece);
            gap.clear();
            continue;
        }
        if entries.is_empty() || !is_match(&BETWEEN, gap.trim_start_matches(')')) {
            runs += 1;
        }
        entries.push(piece.to_owned());
        gap.clear();
    }
    let tail = gap.trim_start_matches(')').trim_start();
    certain &= runs <= 1 && !tail.starts_with("and ") && !tail.starts_with(", ");
    Listed { entries: entries.into_iter().map(|entry| vec![entry]).collect(), certain }
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

#[cfg(test)]
mod tests {
    use super::super::Claimed;
    use super::*;

    fn check(answer: &str, typed: bool, expected: &[&str], certain: bool) {
        let form = Form { subject: "subject", typed, calls: !typed };
        let found = Claimed::new(answer).entries(form).unwrap();
        let names: Vec<&str> = found.entries.iter().map(|e| e.last().unwrap().as_str()).collect();
        assert_eq!((names.as_slice(), found.certain), (expected, certain), "{answer}");
    }

    #[test]
    fn lists_are_read_as_people_write_them() {
        for (answer, expected) in [
            ("a, b::c and d", &["a", "b::c", "d"][..]),
            ("`a`, `b` and `c`.", &["a", "b", "c"]),
            ("- a\n- b", &["a", "b"]),
            ("1. `a`: the first\n2. `b`: uses `c`", &["a", "b"]),
            ("The callers are:\n* a\n* b", &["a", "b"]),
            ("`subject` is called by `a` and `b`.", &["a", "b"]),
            ("```rust\na\nb\n```", &["a", "b"]),
            ("None.", &[]),
            ("[\"a\", \"b\"]", &["a", "b"]),
            ("{\"callers\": [{\"name\": \"a\", \"line\": 3}]}", &["a"]),
            ("subject has the methods a(), b() and c().", &["a", "b", "c"]),
            ("- `a(self, x: u8)`: the first\n- b(&self)", &["a", "b"]),
            ("Two functions call it:\n\n- **a** (in src/x.rs)\n- b - the other", &["a", "b"]),
            ("- a\n  - in src/x.rs\n- b", &["a", "b"]),
            ("`a` in `src/x.rs` and `b` in `src/y.rs`", &["a", "b"]),
            ("src/x.rs:12: a\nsrc/y.rs:3: b", &["a", "b"]),
            ("It is called by a and b.", &["a", "b"]),
        ] {
            check(answer, false, expected, true);
        }
    }

    #[test]
    fn types_belong_to_their_names() {
        for answer in [
            "x: u8, y: Map<String, u8>",
            "- `x`: `u8`\n- `y`: `Map<String, u8>` - the map",
            "- `x: u8` is one\n- `y: Map<String, u8>`",
            "x (u8), y (Map<String, u8>)",
            "`subject` takes `x` (`u8`) and `y` (`Map<String, u8>`).",
            "`x` of type `u8` and `y` of type `Map<String, u8>`",
            "{\"x\": \"u8\", \"y\": \"Map<String, u8>\"}",
            "| Field | Type |\n|---|---|\n| `x` | `u8` |\n| `y` | `Map<String, u8>` |",
        ] {
            check(answer, true, &["x: u8", "y: Map<String, u8>"], true);
        }
        check("The fields are: x, y", true, &["x", "y"], true);
        check("- x: the first of them\n- y: the second one", true, &["x", "y"], true);
    }

    #[test]
    fn sentences_that_mention_more_are_not_certain() {
        check("`subject` has `a` and `b`, both of type `u8`.", true, &["a", "b", "u8"], false);
        check("`a`, but not `b`", false, &["a", "b"], false);
        check("- `a`\n- `b`\nNote that `c` does not call it.", false, &["a", "b"], false);
        let sentence = "It is called from the main loop of the program";
        assert_eq!(
            Claimed::new(sentence).entries(Form { subject: "", typed: false, calls: true }),
            None
        );
    }
}
