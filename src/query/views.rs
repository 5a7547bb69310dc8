//! The views of `queries/prelude.cozo`: finds those that a script needs, directly or through
//! others. This scans tokens; the engine parses.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::error::QueryError;

const PRELUDE: &str = include_str!("queries/prelude.cozo");

/// A logical view: a rule that any program may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    pub name: String,
    /// By position.
    pub columns: Vec<String>,
    /// Types of the columns, as in the schema.
    pub types: Vec<String>,
    pub doc: String,
    text: String,
    needs: BTreeSet<String>,
}

/// Every view, by name.
pub(super) fn all() -> &'static BTreeMap<String, View> {
    static VIEWS: LazyLock<BTreeMap<String, View>> = LazyLock::new(|| parse(&expanded(PRELUDE)));
    &VIEWS
}

/// Appends the views that a text uses, directly or through others. They come after it, so that
/// positions in messages are valid in the text. Fails if a rule of the text has the name of a view
/// that another view needs.
pub(super) fn complete(text: &str) -> Result<String, QueryError> {
    let views = all();
    let mut mentioned = Mentions::parse(text);
    let mut wanted: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<(String, Option<String>)> =
        std::mem::take(&mut mentioned.used).into_iter().map(|name| (name, None)).collect();
    while let Some((name, needed_by)) = open.pop() {
        let Some(view) = views.get(&name) else { continue };
        if mentioned.defined.contains(&name) {
            match needed_by {
                None => continue,
                Some(needed_by) => return Err(QueryError::Shadowed { rule: name, needed_by }),
            }
        }
        if wanted.insert(&view.name) {
            open.extend(view.needs.iter().map(|need| (need.clone(), Some(name.clone()))));
        }
    }
    let mut full = text.to_owned();
    // The engine reads `null` and `true` before a line that begins with a word as variables.
    if !wanted.is_empty() && tokens(text).last().is_some_and(|last| *last != ";") {
        full.push_str("\n;");
    }
    for view in wanted.into_iter().filter_map(|name| views.get(name)) {
        full.push('\n');
        full.push_str(&view.text);
    }
    Ok(full)
}

/// The prelude with its templates written out: a block with `@each` lines stands for one view
/// for each of them.
fn expanded(prelude: &str) -> String {
    let mut out = String::new();
    for block in prelude.split("\n\n") {
        let (mut words, mut template) = (Vec::new(), String::new());
        for line in block.lines() {
            match line.strip_prefix("# @each ").and_then(|word| word.split_once("  ")) {
                Some(word) => words.push(word),
                None => template.extend([line, "\n"]),
            }
        }
        if words.is_empty() {
            out.push_str(&template);
        }
        for (word, doc) in words {
            out.push_str(&template.replace("$each", word).replace("$doc", doc));
        }
    }
    out
}

fn parse(prelude: &str) -> BTreeMap<String, View> {
    let mut views: BTreeMap<String, View> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in prelude.lines() {
        if let Some(head) = line.strip_prefix("# @view ") {
            let (head, doc) = head.split_once("  ").unwrap_or((head, ""));
            let (name, columns) = head.split_once(':').unwrap_or((head, ""));
            let (columns, types) = columns.split(',').map(column).unzip();
            let view = View {
                name: name.trim().to_owned(),
                columns,
                types,
                doc: doc.trim().to_owned(),
                text: String::new(),
                needs: BTreeSet::new(),
            };
            current = Some(view.name.clone());
            views.insert(view.name.clone(), view);
        } else if !line.starts_with('#')
            && let Some(view) = current.as_ref().and_then(|name| views.get_mut(name))
        {
            view.text.push_str(line);
            view.text.push('\n');
        }
    }
    let known: BTreeMap<String, String> = match views.get("item") {
        Some(item) => item.columns.iter().cloned().zip(item.types.iter().cloned()).collect(),
        None => BTreeMap::new(),
    };
    for view in views.values_mut() {
        for (name, kind) in view.columns.iter().zip(&mut view.types) {
            if kind.is_empty() {
                *kind = known.get(name).cloned().unwrap_or_default();
            }
        }
    }
    let names: BTreeSet<String> = views.keys().cloned().collect();
    for view in views.values_mut() {
        let used = Mentions::parse(&view.text).used;
        view.needs = used.intersection(&names).filter(|n| **n != view.name).cloned().collect();
    }
    views
}

/// Name and type of a column; the type is empty if the header leaves it out.
fn column(text: &str) -> (String, String) {
    let (name, kind) = text.split_once(':').unwrap_or((text, ""));
    (name.trim().to_owned(), kind.trim().to_owned())
}

/// Names before a `[` in a text: of rules that it applies, and of rules that it defines.
#[derive(Debug, Default, PartialEq, Eq)]
struct Mentions {
    used: BTreeSet<String>,
    defined: BTreeSet<String>,
}

impl Mentions {
    fn parse(text: &str) -> Self {
        let tokens = tokens(text);
        let mut mentions = Self::default();
        for (at, token) in tokens.iter().enumerate() {
            let is_rule = token.starts_with(|c: char| c.is_alphabetic())
                && tokens.get(at + 1).is_some_and(|t| *t == "[")
                && at.checked_sub(1).and_then(|p| tokens.get(p)).is_none_or(|t| *t != "*");
            if !is_rule {
                continue;
            }
            let mut depth = 0usize;
            let end = tokens.iter().enumerate().skip(at + 1).find_map(|(place, token)| {
                match *token {
                    "[" => depth += 1,
                    "]" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                (depth == 0).then_some(place)
            });
            let after = |n: usize| end.and_then(|e| tokens.get(e + n)).copied();
            match (after(1), after(2)) {
                (Some(":"), Some("=")) | (Some("<"), Some("-" | "~")) => {
                    mentions.defined.insert((*token).to_owned());
                }
                _ => {
                    mentions.used.insert((*token).to_owned());
                }
            }
        }
        mentions
    }
}

/// Words and single symbols, without comments and quoted texts.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let width = first.len_utf8();
        let taken = match first {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' | '\'' => quoted(rest, first),
            '_' if rest.trim_start_matches('_').starts_with('"') => raw(rest),
            c if c.is_alphanumeric() || c == '_' || c == '$' => {
                let end = rest
                    .char_indices()
                    .skip(1)
                    .find(|(_, c)| !(c.is_alphanumeric() || *c == '_' || *c == '.'))
                    .map_or(rest.len(), |(at, _)| at);
                tokens.push(rest.get(..end).unwrap_or(""));
                end
            }
            c if c.is_whitespace() => width,
            _ => {
                tokens.push(rest.get(..width).unwrap_or(""));
                width
            }
        };
        rest = rest.get(taken..).unwrap_or("");
    }
    tokens
}

fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// `__"…"__`: as many underscores behind as before.
fn raw(text: &str) -> usize {
    let marks = text.len() - text.trim_start_matches('_').len();
    let close = format!("\"{}", "_".repeat(marks));
    let body = marks + 1;
    text.get(body..).and_then(|t| t.find(&close)).map_or(text.len(), |at| body + at + close.len())
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gets_the_views_that_it_mentions_and_no_other() {
        let full = complete("?[id] := function[id, n, p, t, v, s, f, a, b, c, d]").unwrap();
        for view in ["\nfunction[", "\nspan[", "\norigin[", "\nplaced["] {
            assert!(full.contains(view), "{view}");
        }
        assert!(!full.contains("\nmethod[") && !full.contains("\nlaid_out["));
        let plain =
            "?[a] := *function[a, b] # span[x]\n, b = 'span[y]', c = _\"span[z]\"_ /* span[] */";
        assert_eq!(complete(plain).unwrap(), plain);
    }

    #[test]
    fn every_kind_of_item_has_its_view() {
        for kind in asof_model::NodeKind::ALL {
            let view = all().get(kind.as_str()).unwrap_or_else(|| panic!("no view `{kind}`"));
            assert!(view.text.contains(&format!("['{kind}']")) && !view.doc.is_empty(), "{kind}");
        }
    }

    #[test]
    fn a_rule_of_ones_own_wins_unless_a_view_needs_the_name() {
        let own = "span[a] <- [[1]]\n?[a] := span[a]";
        assert_eq!(complete(own).unwrap(), own);
        let clash = format!("{own}, function[a, n, p, t, v, s, f, b, c, d, e]");
        assert!(
            matches!(complete(&clash), Err(QueryError::Shadowed { rule, .. }) if rule == "span")
        );
    }

    #[test]
    fn unfinished_texts_end() {
        for text in ["'", "\"a", "/* /*", "_\"", "a[", "a[[", "#", "$", "é["] {
            let _ = complete(text);
        }
    }
}
