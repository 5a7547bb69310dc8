//! The header of what a declaration is a member of: a type, a trait or an impl.

use std::collections::BTreeSet;

use super::bounds::{take_bounds, take_sized};
use super::tokens::{Names, Tokens, closing, plain, split, top, without_visibility};
use asof_syntax::code_tokens;

/// Marks of generic parameters of owners and of impls.
const MARK: char = '^';

/// What a header says to the members.
#[derive(Debug, Default)]
pub(super) struct Owner<'t> {
    /// Generic parameters of a type or trait by position, those of an impl by their first place in
    /// the type that it is for; and the type.
    pub names: Names<'t>,
    /// Of an inherent impl: what must hold for its members to be there.
    pub bounds: BTreeSet<String>,
    /// Of a trait's impl: the words of the trait, with its arguments.
    pub of_trait: Vec<String>,
}

impl<'t> Owner<'t> {
    pub(super) fn parse(header: &'t str, others: &'t BTreeSet<String>) -> Self {
        let tokens: Vec<&str> = code_tokens(header).iter().map(|token| token.text).collect();
        let tokens = without_visibility(&tokens);
        let is_mark =
            |token: &&str| matches!(*token, "impl" | "struct" | "enum" | "union" | "trait");
        let Some(at) = tokens.iter().position(is_mark) else { return Self::default() };
        let after = tokens.get(at + 1..).unwrap_or_default();
        match tokens.get(at) {
            Some(&"impl") => Self::of_impl(after, others),
            Some(&"trait") => {
                Self { names: Self::of_type(after).names.without_self(), ..Self::default() }
            }
            _ => Self::of_type(after),
        }
    }

    fn of_type(tokens: &Tokens<'t>) -> Self {
        let mut owner = Self::default();
        let Some((name, rest)) = tokens.split_first() else { return owner };
        let params = generics(rest);
        owner.names.add_generics(&params, MARK);
        let own = params.iter().filter_map(|param| param.iter().find(|token| **token != "const"));
        let own: Vec<&str> = own.copied().collect();
        let mut words = vec![(*name).to_owned()];
        if !own.is_empty() {
            words.extend(plain(&tokens_of_list(&own), &owner.names).split(' ').map(str::to_owned));
        }
        owner.names.self_type = words;
        owner
    }

    fn of_impl(tokens: &Tokens<'t>, others: &'t BTreeSet<String>) -> Self {
        let mut owner = Self::default();
        owner.names.add_others(others);
        let params = generics(tokens);
        let start = if tokens.first() == Some(&"<") { closing(tokens, 0) + 1 } else { 0 };
        let rest = tokens.get(start..).unwrap_or_default();
        let end = rest.iter().position(|token| *token == "where").unwrap_or(rest.len());
        let predicates = rest.get(end + 1..).unwrap_or_default();
        let head = rest.get(..end).unwrap_or_default();
        let (of_trait, of_type) = match top(head, "for") {
            Some(at) => (head.get(..at), head.get(at + 1..)),
            None => (None, Some(head)),
        };
        let (of_trait, of_type) = (of_trait.unwrap_or_default(), of_type.unwrap_or_default());
        // The order of the parameters means nothing.
        let place = |param: &&Tokens<'t>| {
            let name = param.iter().find(|token| **token != "const");
            let mut all = of_type.iter().chain(of_trait).chain(predicates);
            all.position(|token| Some(token) == name).unwrap_or(usize::MAX)
        };
        let mut sorted = params.clone();
        sorted.sort_by_key(place);
        owner.names.add_generics(&sorted, MARK);
        for param in params.iter().copied().chain(split(predicates, ",")) {
            if param.first() != Some(&"const") {
                take_bounds(&mut owner.bounds, param, &owner.names);
            }
        }
        let is_type =
            |param: &&&Tokens<'t>| param.first().is_some_and(|first| !first.starts_with('\''));
        take_sized(&mut owner.bounds, params.iter().filter(is_type).count(), MARK);
        let words = |tokens: &Tokens<'t>, names: &Names<'t>| -> Vec<String> {
            plain(tokens, names)
                .split(' ')
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let self_type = words(of_type, &owner.names);
        owner.of_trait = words(of_trait, &owner.names);
        if owner.of_trait.is_empty() && !is_of_parameters(&self_type) {
            owner.bounds.insert(format!("Self: {}", self_type.join(" ")));
        }
        owner.names.self_type = self_type;
        owner
    }
}

/// The generic parameters that tokens begin with.
fn generics<'a, 't>(tokens: &'a Tokens<'t>) -> Vec<&'a Tokens<'t>> {
    if tokens.first() != Some(&"<") {
        return Vec::new();
    }
    let list = split(tokens.get(1..closing(tokens, 0)).unwrap_or_default(), ",");
    let without_default = |param: &'a Tokens<'t>| {
        param.get(..top(param, "=").unwrap_or(param.len())).unwrap_or_default()
    };
    list.into_iter().map(without_default).collect()
}

/// `<A, B>`.
fn tokens_of_list<'t>(names: &[&'t str]) -> Vec<&'t str> {
    let mut tokens = vec!["<"];
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            tokens.push(",");
        }
        tokens.push(name);
    }
    tokens.push(">");
    tokens
}

/// Whether a type has no arguments but parameters, each once.
fn is_of_parameters(words: &[String]) -> bool {
    let args = words.iter().skip(1).filter(|word| !matches!(word.as_str(), "<" | "," | ">"));
    let args: Vec<&String> = args.collect();
    let distinct: BTreeSet<&String> = args.iter().copied().collect();
    let is_parameter = |word: &&String| word.trim_start_matches('\'').starts_with(MARK);
    distinct.len() == args.len() && args.iter().all(is_parameter)
}
