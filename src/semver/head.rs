//! The head of a declaration, split into what is compared. Types are compared by their tokens, with
//! paths cut to their last name, because `use` declarations decide how long a path has to be, and
//! with generic parameters by their position, because their names mean nothing to users.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::NodeKind;
use asof_syntax::code_tokens;

/// A generic parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Generic {
    pub kind: GenericKind,
    pub name: String,
    pub has_default: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GenericKind {
    Lifetime,
    Type,
    Const,
}

/// A head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// `const`, `unsafe`, `extern "C"`. An `async` function is one that returns `impl Future`.
    pub qualifiers: BTreeSet<String>,
    pub generics: Vec<Generic>,
    /// Bounds of generic parameters and `where` predicates, each `left : bound`.
    pub bounds: BTreeSet<String>,
    /// Of a function: `self` as written.
    pub receiver: Option<String>,
    /// Of a function: the types of the other parameters.
    pub params: Vec<String>,
    /// Of a function: the returned type. Of other items: what follows the name, generics and bounds:
    /// supertraits, the type of a constant or field, the target of an alias.
    pub rest: String,
}

type Tokens<'a> = [&'a str];

impl Head {
    /// Splits the head of a declaration with this name.
    pub(super) fn parse(signature: &str, name: &str) -> Self {
        let tokens: Vec<&str> = code_tokens(signature).iter().map(|token| token.text).collect();
        let tokens = without_visibility(&tokens);
        let mut head = Self::default();
        let bare = |token: &&str| token.strip_prefix("r#").unwrap_or(token) == name;
        let at = tokens.iter().position(bare).unwrap_or(tokens.len());
        let (before, after) = (tokens.get(..at), tokens.get(at + 1..));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let mut words = before.iter().peekable();
        while let Some(word) = words.next() {
            match *word {
                "const" if words.peek().is_none() => {}
                "const" | "async" | "unsafe" | "mut" | "auto" => {
                    head.qualifiers.insert((*word).to_owned());
                }
                "extern" => {
                    let abi = words.next_if(|word| word.starts_with('"')).copied();
                    head.qualifiers.insert(format!("extern {}", abi.unwrap_or("\"C\"")));
                }
                _ => {}
            }
        }
        let mut names = BTreeMap::new();
        let mut rest = after;
        if rest.first() == Some(&"<") {
            let end = closing(rest, 0);
            let list = rest.get(1..end).unwrap_or_default();
            head.take_generics(list, &mut names);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        let is_function = before.contains(&"fn");
        if is_function && rest.first() == Some(&"(") {
            let end = closing(rest, 0);
            head.take_params(rest.get(1..end).unwrap_or_default(), &names);
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        let bounds = rest.iter().position(|token| *token == "where").unwrap_or(rest.len());
        let predicates = rest.get(bounds + 1..).unwrap_or_default();
        for predicate in split(predicates, ",") {
            head.take_bounds(predicate, &names);
        }
        let mut rest = rest.get(..bounds).unwrap_or_default();
        if matches!(before.last(), Some(&("const" | "static" | "mut"))) {
            // The value of a constant is no part of its type.
            rest = rest.get(..top(rest, "=").unwrap_or(rest.len())).unwrap_or_default();
        }
        head.rest = plain(rest, &names);
        if head.qualifiers.remove("async") {
            let output = head.rest.strip_prefix("- > ").unwrap_or("( )");
            head.rest = format!("- > impl Future < Output = {output} >");
        }
        head
    }

    fn take_generics<'t>(&mut self, list: &Tokens<'t>, names: &mut BTreeMap<&'t str, String>) {
        let params = split(list, ",");
        for (at, param) in params.iter().enumerate() {
            let name = param.iter().find(|token| **token != "const");
            names.extend(name.map(|name| (*name, format!("${at}"))));
        }
        for param in params {
            let kind = match param.first() {
                Some(first) if first.starts_with('\'') => GenericKind::Lifetime,
                Some(&"const") => GenericKind::Const,
                _ => GenericKind::Type,
            };
            let default = top(param, "=");
            let name = param.iter().find(|token| **token != "const");
            let name = name.map(|name| (*name).to_owned()).unwrap_or_default();
            self.generics.push(Generic { kind, name, has_default: default.is_some() });
            let param = param.get(..default.unwrap_or(param.len())).unwrap_or_default();
            match kind {
                GenericKind::Const => _ = self.bounds.insert(plain(param, names)),
                _ => self.take_bounds(param, names),
            }
        }
    }

    fn take_bounds(&mut self, predicate: &Tokens<'_>, names: &BTreeMap<&str, String>) {
        let Some(colon) = top(predicate, ":") else { return };
        let left = plain(predicate.get(..colon).unwrap_or_default(), names);
        for bound in split(predicate.get(colon + 1..).unwrap_or_default(), "+") {
            self.bounds.insert(format!("{left}: {}", plain(bound, names)));
        }
    }

    fn take_params(&mut self, list: &Tokens<'_>, names: &BTreeMap<&str, String>) {
        for (at, param) in split(list, ",").into_iter().enumerate() {
            let colon = top(param, ":");
            let own = param.get(..colon.unwrap_or(param.len())).unwrap_or_default();
            if at == 0 && own.contains(&"self") {
                let of_type = param.iter().filter(|token| **token != "mut" || own.contains(&"&"));
                let of_type: Vec<&str> = of_type.copied().collect();
                self.receiver = Some(plain(&of_type, names));
                continue;
            }
            let ty = colon.map_or(param, |colon| param.get(colon + 1..).unwrap_or_default());
            self.params.push(plain(ty, names));
        }
    }

    /// Whether the generic parameters that callers can give are the same ones in another order, as
    /// far as their names tell.
    pub(super) fn is_reordered(&self, other: &Self) -> bool {
        let names = |head: &Self| -> Vec<String> {
            let given = head.generics.iter().filter(|g| g.kind != GenericKind::Lifetime);
            given.map(|generic| generic.name.clone()).collect()
        };
        let (mut was, mut is) = (names(self), names(other));
        if was == is {
            return false;
        }
        was.sort();
        is.sort();
        was == is
    }

    /// Number of generic parameters that callers can give.
    pub(super) fn arguments(&self) -> usize {
        self.generics.iter().filter(|generic| generic.kind != GenericKind::Lifetime).count()
    }
}

/// Whether the item of a trait with this text has a default.
pub fn has_default(kind: NodeKind, text: &str) -> bool {
    let tokens: Vec<&str> = code_tokens(text).iter().map(|token| token.text).collect();
    match kind {
        NodeKind::Method | NodeKind::Function => tokens.last() == Some(&"}"),
        _ => {
            let end = tokens.strip_suffix(&[";"]).unwrap_or(&tokens);
            top(end, "=").is_some()
        }
    }
}

fn without_visibility<'a, 't>(tokens: &'a Tokens<'t>) -> &'a Tokens<'t> {
    match tokens {
        ["pub", "(", ..] if matches!(tokens.get(2), Some(&("crate" | "super" | "self" | "in"))) => {
            tokens.get(closing(tokens, 1) + 1..).unwrap_or_default()
        }
        ["pub", rest @ ..] => rest,
        all => all,
    }
}

/// Index of the bracket that closes the one at `open`; the end of the tokens without one.
fn closing(tokens: &Tokens<'_>, open: usize) -> usize {
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        let arrow = at > 0 && matches!(tokens.get(at - 1), Some(&("-" | "=")));
        match *token {
            "(" | "[" | "{" | "<" => depth += 1,
            ">" if arrow => {}
            ")" | "]" | "}" | ">" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Index of a token outside of brackets; `:` is not a half of `::`.
fn top(tokens: &Tokens<'_>, wanted: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match *token {
            "(" | "[" | "{" | "<" => at = closing(tokens, at),
            ":" if tokens.get(at + 1) == Some(&":") => at += 1,
            token if token == wanted => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn split<'a, 't>(tokens: &'a Tokens<'t>, by: &str) -> Vec<&'a Tokens<'t>> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let Some(at) = top(rest, by) {
        parts.extend(rest.get(..at));
        rest = rest.get(at + 1..).unwrap_or_default();
    }
    parts.push(rest);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Tokens as text, paths cut to their last name, generic parameters by their position.
fn plain(tokens: &Tokens<'_>, names: &BTreeMap<&str, String>) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_word = token.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_segment = is_word && tokens.get(at + 1..at + 3) == Some(&[":", ":"]);
        let is_start = *token == ":" && tokens.get(at + 1) == Some(&":");
        let of_generic = names.contains_key(token) || *token == "Self";
        if is_segment && !of_generic {
            at += 3;
        } else if is_start && words.last().is_none_or(|last| last != ">") {
            at += 2;
        } else {
            words.push(names.get(token).cloned().unwrap_or_else(|| (*token).to_owned()));
            at += 1;
        }
    }
    // A comma before a closing bracket means nothing.
    let mut text = words.join(" ");
    for (long, short) in [(", )", ")"), (", >", ">"), (", ]", "]")] {
        text = text.replace(long, short);
    }
    text
}
