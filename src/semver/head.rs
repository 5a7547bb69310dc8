//! The head of a declaration, split into what is compared. Types are compared by their tokens, with
//! paths cut to their last name, because `use` declarations decide how long a path has to be; with
//! names marked that mean something else; and with generic parameters by their position, because
//! their names mean nothing to users.

use std::collections::BTreeSet;

use super::bounds::{take_bounds, take_sized};
use super::owner::Owner;
use super::tokens::{Names, Tokens, closing, plain, split, top, without_visibility};
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

impl Head {
    /// Splits the head of a declaration with this name. `owner`: the header of what it is a member of,
    /// if it is one; `others`: names that mean something else than in the other declaration.
    pub(super) fn parse(
        signature: &str,
        name: &str,
        owner: &str,
        others: &BTreeSet<String>,
    ) -> Self {
        let owner = Owner::parse(owner, others);
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
                "const" | "async" | "unsafe" | "safe" | "mut" | "auto" => {
                    head.qualifiers.insert((*word).to_owned());
                }
                "extern" => {
                    let abi = words.next_if(|word| word.starts_with('"')).copied();
                    head.qualifiers.insert(format!("extern {}", abi.unwrap_or("\"C\"")));
                }
                _ => {}
            }
        }
        let mut names = owner.names.clone();
        names.add_others(others);
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
        head.bounds.extend(owner.bounds.iter().cloned());
        let arguments = head.arguments();
        take_sized(&mut head.bounds, arguments, '$');
        if head.qualifiers.remove("async") {
            let output = head.rest.strip_prefix("- > ").unwrap_or("( )");
            head.rest = format!("- > impl Future < Output = {output} >");
        }
        head
    }

    fn take_generics<'t>(&mut self, list: &Tokens<'t>, names: &mut Names<'t>) {
        let params = split(list, ",");
        names.add_generics(&params, '$');
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

    fn take_bounds(&mut self, predicate: &Tokens<'_>, names: &Names<'_>) {
        take_bounds(&mut self.bounds, predicate, names);
    }

    fn take_params(&mut self, list: &Tokens<'_>, names: &Names<'_>) {
        for (at, param) in split(list, ",").into_iter().enumerate() {
            let colon = top(param, ":");
            let own = param.get(..colon.unwrap_or(param.len())).unwrap_or_default();
            if at == 0 && own.contains(&"self") {
                let of_type = param.iter().filter(|token| **token != "mut" || own.contains(&"&"));
                let of_type: Vec<&str> = of_type.copied().collect();
                self.receiver = Some(short_receiver(&plain(&of_type, names)));
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

    /// Whether the head of an alias passes its own parameters on, all and in their order, to a type
    /// with as many as `other` has.
    pub(super) fn passes_parameters(&self, other: &Self) -> bool {
        let kinds = |head: &Self| head.generics.iter().map(|g| g.kind).collect::<Vec<_>>();
        let words: Vec<&str> = self.rest.split(' ').collect();
        let open = words.iter().position(|word| *word == "<");
        let close = words.iter().rposition(|word| *word == ">");
        let given = match open.zip(close) {
            Some((open, close)) => words.get(open + 1..close).unwrap_or_default(),
            None => &[],
        };
        let given: Vec<&str> = given.iter().copied().filter(|word| *word != ",").collect();
        let (mut lifetimes, mut others) = (0_usize, 0_usize);
        let in_order = given.iter().all(|word| {
            if word.starts_with('\'') {
                lifetimes += 1;
                return true;
            }
            others += 1;
            *word == format!("${}", others - 1)
        });
        let count = |kind: GenericKind| self.generics.iter().filter(|g| g.kind == kind).count();
        in_order
            && kinds(self) == kinds(other)
            && lifetimes == count(GenericKind::Lifetime)
            && others == self.arguments()
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

/// `self: &Self` is `&self`.
fn short_receiver(receiver: &str) -> String {
    let plain = receiver.strip_prefix("self : ").and_then(|ty| ty.strip_suffix("Self"));
    let is_reference = |word: &str| matches!(word, "&" | "mut") || word.starts_with('\'');
    match plain {
        Some(before) if before.split_whitespace().all(is_reference) => format!("{before}self"),
        _ => receiver.to_owned(),
    }
}
