//! Entries in JSON with comments. Texts are only cut and joined at positions that the parser
//! gives: whatever else they have stays as it is.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value as Json;

use super::entry::{Entry, NAME};
use super::refusal::Refusal;

/// Indentation where a file has none yet.
const INDENT: &str = "  ";

fn parse(text: &str) -> Result<Object<'_>, Refusal> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options)
        .map_err(|error| Refusal::Syntax(error.to_string()))?;
    match parsed.value {
        Some(Value::Object(object)) => Ok(object),
        Some(_) => Err(Refusal::Shape("it is not an object".to_owned())),
        None => Err(Refusal::Shape("it has only comments".to_owned())),
    }
}

/// The property of this name, which no other has.
fn property<'o, 'a>(
    object: &'o Object<'a>,
    name: &str,
) -> Result<Option<&'o ObjectProp<'a>>, Refusal> {
    let mut found = object.properties.iter().filter(|property| property.name.as_str() == name);
    match (found.next(), found.next()) {
        (one, None) => Ok(one),
        (_, Some(_)) => Err(Refusal::Shape(format!("it has several `{name}`"))),
    }
}

/// The object that has the servers.
fn servers<'o, 'a>(
    root: &'o Object<'a>,
    container: &str,
) -> Result<Option<&'o Object<'a>>, Refusal> {
    match property(root, container)?.map(|property| &property.value) {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(_) => Err(Refusal::Shape(format!("its `{container}` is not an object"))),
    }
}

/// The entry of a text.
pub fn find(text: &str, container: &str) -> Result<Option<Entry>, Refusal> {
    let root = parse(text)?;
    let Some(servers) = servers(&root, container)? else { return Ok(None) };
    let Some(entry) = property(servers, NAME)? else { return Ok(None) };
    let entry = Json::from(entry.value.clone());
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let args = entry.get("args").and_then(Json::as_array).into_iter().flatten();
    Ok(Some(Entry {
        command: entry.get("command").and_then(text).unwrap_or_default(),
        args: args.filter_map(text).collect(),
    }))
}

/// The text of a new file, without its last line break.
pub fn fresh(container: &str, member: &str) -> String {
    format!("{{\n{INDENT}\"{container}\": {{\n{INDENT}{INDENT}{member}\n{INDENT}}}\n}}")
}

/// The entry as a member of an object, in a line.
pub fn member(entry: &Entry, is_typed: bool) -> String {
    let quoted = |text: &str| Json::from(text).to_string();
    let args: Vec<String> = entry.args.iter().map(|arg| quoted(arg)).collect();
    let kind = if is_typed { "\"type\": \"stdio\", " } else { "" };
    let command = quoted(&entry.command);
    format!("\"{NAME}\": {{ {kind}\"command\": {command}, \"args\": [{}] }}", args.join(", "))
}

/// A text with the entry.
pub fn insert(text: &str, container: &str, member: &str, line: &str) -> Result<String, Refusal> {
    let root = parse(text)?;
    if let Some(servers) = servers(&root, container)? {
        return append(text, servers, member, line);
    }
    let object = match indent(text, &root) {
        Some(indent) => {
            let step = if indent.is_empty() { INDENT } else { indent };
            format!("{{{line}{indent}{step}{member}{line}{indent}}}")
        }
        // Unlike an entry in an object that was empty: no blanks there.
        None => format!("{{ {member} }}"),
    };
    append(text, &root, &format!("\"{container}\": {object}"), line)
}

/// Adds a member at the end of an object. An empty object keeps what it has behind the member.
fn append(text: &str, object: &Object<'_>, member: &str, line: &str) -> Result<String, Refusal> {
    let Some(last) = object.properties.last() else {
        return splice(text, object.start() + 1, member);
    };
    let gap = Gap::after(text, last.end(), object.end())?;
    let comma = if gap.comma.is_some() { "," } else { "" };
    let text_with = match indent(text, object) {
        Some(indent) => splice(text, gap.line_end, &format!("{line}{indent}{member}{comma}"))?,
        None => {
            let at = gap.comma.map_or(last.end(), |comma| comma + 1);
            splice(text, at, &format!(" {member}{comma}"))?
        }
    };
    match gap.comma {
        Some(_) => Ok(text_with),
        None => splice(&text_with, last.end(), ","),
    }
}

/// What follows a member.
struct Gap {
    /// Position of the comma.
    comma: Option<usize>,
    /// Behind the comma and comments of the same line.
    line_end: usize,
}

impl Gap {
    fn after(text: &str, from: usize, to: usize) -> Result<Self, Refusal> {
        let mut gap = Self { comma: None, line_end: from };
        let mut at = from;
        let mut is_same_line = true;
        let rest = |at: usize| text.get(at..to).ok_or(Refusal::Entangled);
        while let Some(next) = rest(at)?.chars().next() {
            let left = rest(at)?;
            let length = match next {
                ',' if gap.comma.is_none() => {
                    gap.comma = Some(at);
                    // A comma of a later line takes the entry there.
                    is_same_line = true;
                    gap.line_end = at + 1;
                    1
                }
                '/' => {
                    let length = comment(left).ok_or(Refusal::Entangled)?;
                    let is_one_line = !left.get(..length).unwrap_or_default().contains('\n');
                    if is_same_line && is_one_line {
                        gap.line_end = at + length;
                    }
                    is_same_line &= is_one_line;
                    length
                }
                '\n' => {
                    is_same_line = false;
                    1
                }
                other if other.is_whitespace() => other.len_utf8(),
                _ => break,
            };
            at += length;
        }
        Ok(gap)
    }
}

/// Length of the comment at the beginning of a text, without the line break.
fn comment(text: &str) -> Option<usize> {
    match text.get(..2)? {
        "//" => {
            let line = text.split('\n').next()?;
            Some(line.strip_suffix('\r').unwrap_or(line).len())
        }
        "/*" => text.get(2..)?.find("*/").map(|end| end + 4),
        _ => None,
    }
}

/// Indentation of the members of an object; none if the last is on the line of what is before it.
fn indent<'t>(text: &'t str, object: &Object<'_>) -> Option<&'t str> {
    let last = object.properties.last()?;
    let before = text.get(..last.start())?;
    let line = before.rsplit_once('\n').map(|(_, line)| line)?;
    line.chars().all(|c| c == ' ' || c == '\t').then_some(line)
}

fn splice(text: &str, at: usize, insert: &str) -> Result<String, Refusal> {
    let (before, after) = text.split_at_checked(at).ok_or(Refusal::Entangled)?;
    Ok(format!("{before}{insert}{after}"))
}

/// The texts that a text may be without its entry, the likeliest first: some do not parse.
pub fn removals(text: &str, container: &str) -> Result<Vec<String>, Refusal> {
    let root = parse(text)?;
    let mut texts = Vec::new();
    if let Some(servers) = servers(&root, container)? {
        texts.extend(without(text, servers, NAME));
        if servers.properties.len() == 1 {
            texts.extend(without(text, &root, container));
        }
    }
    Ok(texts)
}

/// The ways to remove a member: with the blanks before it or not, with the comma before or after.
fn without(text: &str, object: &Object<'_>, name: &str) -> Vec<String> {
    let members = &object.properties;
    let Some(at) = members.iter().position(|property| property.name.as_str() == name) else {
        return Vec::new();
    };
    let Some(member) = members.get(at) else { return Vec::new() };
    let before = at.checked_sub(1).and_then(|before| members.get(before));
    let comma_before = before
        .and_then(|before| Gap::after(text, before.end(), member.start()).ok())
        .and_then(|gap| gap.comma);
    let comma_after = text.get(member.end()..).filter(|rest| rest.starts_with(','));
    let ends = comma_after.map(|_| (member.end() + 1, None)).into_iter();
    let ends = ends.chain(comma_before.map(|comma| (member.end(), Some(comma))));
    let ends: Vec<_> = ends.chain([(member.end(), None)]).collect();
    let mut texts = Vec::new();
    for start in starts(text, member.start()) {
        for (end, comma) in &ends {
            let parts = match comma {
                Some(comma) => [0..*comma, comma + 1..start, *end..text.len()],
                None => [0..0, 0..start, *end..text.len()],
            };
            let parts: Option<Vec<&str>> = parts.into_iter().map(|part| text.get(part)).collect();
            texts.extend(parts.map(|parts| parts.concat()));
        }
    }
    texts
}

/// Where what goes with a member may begin: at the end of the line before, behind that line's
/// break, or at the member.
fn starts(text: &str, member: usize) -> Vec<usize> {
    let before = text.get(..member).unwrap_or_default();
    let line = before.trim_end_matches([' ', '\t']);
    let above = line.strip_suffix('\n').unwrap_or(line);
    let above = above.strip_suffix('\r').unwrap_or(above);
    vec![above.len(), line.len(), member]
}

/// Whether one text has the values of the other without its entry.
pub fn leaves(text: &str, old: &str, container: &str) -> bool {
    let value = |text: &str| parse(text).ok().map(|root| Json::from(Value::Object(root)));
    let (Some(mut expected), Some(found)) = (value(text), value(old)) else { return false };
    if let Some(servers) = expected.get_mut(container).and_then(Json::as_object_mut) {
        servers.remove(NAME);
    }
    expected == found
}
