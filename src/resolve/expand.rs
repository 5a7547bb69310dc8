//! Calls of `macro_rules!`, expanded as far as names need it, among items and among expressions. A matcher and transcriber on tokens, with limits. A call whose rules do
//! not match has no items and no value.
//! Names that `paste!` and the like put together are not found.

use std::collections::HashMap;

use super::assembly::{Assembly, Input};
use super::fragment::{Cursor, Token, tokens};
use crate::model::{Header, NodeKind};

/// Calls in calls that are followed.
pub(super) const MAX_DEPTH: u32 = 16;

/// Tokens that one call may expand to.
const MAX_TOKENS: usize = 20_000;

/// The same of one call of another crate's macro: these make more, and pass documentation on often.
const MAX_OUTSIDE: usize = 200_000;

/// Steps of the matcher for one call.
const MAX_STEPS: usize = 100_000;

/// Steps of the matcher, and tokens of rules that are read, that cost as much as a token that is written.
const STEPS_A_TOKEN: usize = 4;
const RULE_TOKENS_A_STEP: usize = 8;

/// What a call makes.
#[derive(Debug)]
pub struct Expansion<'a> {
    /// Node of the call.
    pub call: u32,
    pub items: Vec<Made<'a>>,
    /// Whether it calls macros that are not known here.
    pub calls_others: bool,
}

/// Macros by their paths, for calls among items.
pub(super) trait Macros<'e> {
    /// The macro that a path means. `within`: the root of the crate whose macro wrote the path, of a
    /// call in an expansion.
    fn find(&self, path: &[&str], within: Option<u32>) -> Option<Found<'e>>;
}

/// A macro that was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'e> {
    pub rules: &'e str,
    /// What `$crate` is written as.
    pub krate: &'e str,
    pub root: u32,
}

/// What a call makes, with macros that are found by their paths. Takes what it costs from the
/// budget.
pub(super) fn expand_items<'e>(
    macros: &dyn Macros<'e>,
    path: &str,
    input: &'e str,
    budget: &mut usize,
) -> Vec<Made<'e>> {
    let (own, assembly) = (HashMap::new(), Assembly::default());
    let limit = MAX_OUTSIDE.min(*budget);
    let mut expander = Expander {
        others: Some(macros),
        limit,
        max_steps: STEPS_A_TOKEN * limit,
        ..Expander::new(&own, &assembly)
    };
    let path: Vec<&str> = path.split("::").map(str::trim).filter(|one| !one.is_empty()).collect();
    expander.call(&path, &tokens(input), 0);
    let cost = expander.made + expander.steps / STEPS_A_TOKEN;
    *budget = budget.saturating_sub(cost);
    expander.items
}

/// An item that a call makes.
#[derive(Debug)]
pub struct Made<'a> {
    pub kind: NodeKind,
    /// Empty for an impl and a `use`.
    pub name: &'a str,
    /// Its text; of a function the head, with an empty body.
    pub text: String,
}

/// The expansions of all calls among items, in the order of the calls.
pub(super) fn expand<'a>(
    input: Input<'a>,
    assembly: &Assembly,
    roots: &[u32],
) -> Vec<Expansion<'a>> {
    let mut macros: HashMap<&'a str, Vec<Rules<'a>>> = HashMap::new();
    let mut calls = Vec::new();
    for number in 0..input.instances.len() {
        let Some(index) = assembly.index.get(number) else { continue };
        let root = roots.get(number).copied().unwrap_or(0);
        for (item, &node) in input.item_tree(number).iter().zip(index) {
            match &item.header {
                _ if item.sig.is_empty() => {}
                Header::Macro { exported } => {
                    let module = assembly.node(node).map_or(0, |node| node.module);
                    let rules = Rules { root, module, exported: *exported, text: &item.sig };
                    macros.entry(&item.name).or_default().push(rules);
                }
                Header::MacroCall { items: false } => calls.push((node, root, item)),
                _ => {}
            }
        }
    }
    if macros.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (call, root, item) in calls {
        let module = assembly.node(call).map_or(0, |node| node.module);
        let name = item.name.rsplit("::").next().unwrap_or_default().trim();
        let mut expander = Expander { root, module, ..Expander::new(&macros, assembly) };
        expander.call(&[name], &tokens(&item.sig), 0);
        if !expander.items.is_empty() {
            let Expander { items, calls_others, .. } = expander;
            found.push(Expansion { call, items, calls_others });
        }
    }
    found
}

/// What a call expands to: the text of the first rule that matches. Limits are those of a maintainer's
/// tool, not those of a workspace.
pub fn expand_call(rules: &str, input: &str) -> Option<String> {
    let (macros, assembly) = (HashMap::new(), Assembly::default());
    let (body, input) = (tokens(rules), tokens(input));
    let limit = 100 * MAX_TOKENS;
    let mut expander = Expander { limit, ..Expander::new(&macros, &assembly) };
    let out = expander.expand(&body, &input)?;
    Some(text_of(&out))
}

/// What a call among expressions expands to. `krate`: what `$crate` is written as. Takes what it costs
/// from the budget.
pub(super) fn expand_value(
    rules: &str,
    input: &str,
    krate: &str,
    budget: &mut usize,
) -> Option<String> {
    let (macros, assembly) = (HashMap::new(), Assembly::default());
    let (body, input) = (tokens(rules), tokens(input));
    *budget = budget.saturating_sub(body.len() / RULE_TOKENS_A_STEP);
    let mut expander = Expander {
        krate,
        grouped: true,
        limit: MAX_TOKENS.min(*budget),
        max_steps: MAX_STEPS.min(STEPS_A_TOKEN * *budget),
        ..Expander::new(&macros, &assembly)
    };
    let out = expander.expand(&body, &input);
    let cost = expander.made + expander.steps / STEPS_A_TOKEN;
    *budget = budget.saturating_sub(cost);
    Some(text_of(&out?))
}

pub(super) fn text_of(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        text.push_str(token.text);
        // A lifetime's quote is a token of its own.
        if token.text != "'" && !token.is_joint() {
            text.push(' ');
        }
    }
    text
}

/// A macro.
#[derive(Debug, Clone, Copy)]
struct Rules<'a> {
    root: u32,
    module: u32,
    exported: bool,
    text: &'a str,
}

pub(super) struct Expander<'a, 'm> {
    macros: &'m HashMap<&'a str, Vec<Rules<'a>>>,
    /// In place of `macros`.
    others: Option<&'m dyn Macros<'a>>,
    assembly: &'m Assembly,
    root: u32,
    module: u32,
    steps: usize,
    made: usize,
    limit: usize,
    max_steps: usize,
    /// What `$crate` is written as.
    pub(super) krate: &'a str,
    /// Whether an expression that is passed on stays one operand.
    grouped: bool,
    pub(super) items: Vec<Made<'a>>,
    calls_others: bool,
    /// The root of the crate whose macro is expanded.
    pub(super) within: Option<u32>,
    /// Blocks around whose names nothing else sees.
    pub(super) hidden: u32,
}

/// What a variable of a macro matched.
#[derive(Debug, Clone)]
enum Bound<'a> {
    Tokens(Vec<Token<'a>>),
    /// An expression of more than one token.
    Expr(Vec<Token<'a>>),
    Repeated(Vec<Bindings<'a>>),
}

type Bindings<'a> = HashMap<&'a str, Bound<'a>>;

impl<'a, 'm> Expander<'a, 'm> {
    fn new(macros: &'m HashMap<&'a str, Vec<Rules<'a>>>, assembly: &'m Assembly) -> Self {
        Expander {
            macros,
            others: None,
            assembly,
            root: 0,
            module: 0,
            steps: 0,
            made: 0,
            limit: MAX_TOKENS,
            max_steps: MAX_STEPS,
            krate: "crate",
            grouped: false,
            items: Vec::new(),
            calls_others: false,
            within: None,
            hidden: 0,
        }
    }

    /// The macro of this name that a call here means: one of an enclosing module, else the only one
    /// of the crate, else the only exported one of the workspace.
    fn rules(&self, name: &str) -> Option<Rules<'a>> {
        let named = self.macros.get(name)?;
        let mut module = Some(self.module);
        while let Some(at) = module {
            let mut here = named.iter().filter(|rules| rules.module == at);
            if let Some(only) = here.next() {
                return here.next().is_none().then_some(*only);
            }
            let parent = self.assembly.node(at).and_then(|node| node.parent);
            module = parent.and_then(|parent| self.assembly.node(parent)).map(|node| node.module);
        }
        let own = named.iter().filter(|rules| rules.root == self.root);
        let all: Vec<_> = match own.clone().count() {
            0 => named.iter().filter(|rules| rules.exported).collect(),
            _ => own.collect(),
        };
        match all.as_slice() {
            [only] => Some(**only),
            _ => None,
        }
    }

    pub(super) fn call(&mut self, path: &[&str], input: &[Token<'a>], depth: u32) {
        let outer = (self.krate, self.within);
        if let Some(out) = self.expand_path(path, input, depth) {
            self.read(&out, depth);
        }
        (self.krate, self.within) = outer;
    }

    /// The tokens of a call; the macro's crate is the one around from here on.
    pub(super) fn expand_path(
        &mut self,
        path: &[&str],
        input: &[Token<'a>],
        depth: u32,
    ) -> Option<Vec<Token<'a>>> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let text = match self.others {
            Some(others) => {
                let found = others.find(path, self.within)?;
                (self.krate, self.within) = (found.krate, Some(found.root));
                found.rules
            }
            None => match self.rules(path.last()?) {
                Some(rules) => rules.text,
                None => {
                    self.calls_others = true;
                    return None;
                }
            },
        };
        let body = tokens(text);
        // Rules are matched anew for each call, and may be long.
        self.steps += body.len() / RULE_TOKENS_A_STEP;
        self.expand(&body, input)
    }

    /// The tokens of the first rule that matches.
    fn expand(&mut self, rules: &[Token<'a>], input: &[Token<'a>]) -> Option<Vec<Token<'a>>> {
        let mut at = Cursor::new(rules);
        while !at.done() {
            let matcher = at.group()?;
            if !at.take("=>") {
                return None;
            }
            let template = at.group()?;
            at.take(";");
            let mut bound = Bindings::new();
            let mut rest = Cursor::new(input);
            if self.matches(matcher, &mut rest, &mut bound) && rest.done() {
                let mut out = Vec::new();
                return self.transcribe(template, &bound, &[], &mut out).then_some(out);
            }
        }
        None
    }

    /// Matches the tokens at the cursor.
    fn matches(
        &mut self,
        pattern: &[Token<'a>],
        input: &mut Cursor<'_, 'a>,
        bound: &mut Bindings<'a>,
    ) -> bool {
        let mut at = Cursor::new(pattern);
        while !at.done() {
            self.steps += 1;
            if self.steps > self.max_steps {
                return false;
            }
            if let Some(repeated) = at.repetition() {
                let mut all = Vec::new();
                loop {
                    let start = input.at;
                    if repeated.separator.is_some_and(|mark| !all.is_empty() && !input.take(mark)) {
                        input.at = start;
                        break;
                    }
                    let mut one = Bindings::new();
                    let before = input.at;
                    if input.done()
                        || !self.matches(repeated.inside, input, &mut one)
                        || input.at == before
                    {
                        input.at = start;
                        break;
                    }
                    all.push(one);
                    if repeated.mark == "?" {
                        break;
                    }
                }
                if repeated.mark == "+" && all.is_empty() {
                    return false;
                }
                for name in variables(repeated.inside) {
                    let with = all.iter().filter(|one| one.contains_key(name)).cloned();
                    bound.insert(name, Bound::Repeated(with.collect()));
                }
                continue;
            }
            if let Some((name, fragment)) = at.variable() {
                let Some(found) = input.fragment(fragment) else { return false };
                let is_operand = !self.grouped || fragment != "expr" || found.len() < 2;
                let found = found.to_vec();
                let found = if is_operand { Bound::Tokens(found) } else { Bound::Expr(found) };
                bound.insert(name, found);
                continue;
            }
            match (at.group_with_bracket(), input.peek()) {
                (Some((bracket, inside)), Some(token)) if token.text == bracket => {
                    let Some(own) = input.group() else { return false };
                    let mut within = Cursor::new(own);
                    if !self.matches(inside, &mut within, bound) || !within.done() {
                        return false;
                    }
                }
                (Some(_), _) => return false,
                (None, _) => {
                    let Some(token) = at.next() else { return false };
                    if !input.take(token.text) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Writes what a rule expands to; `within`: the repetitions around.
    fn transcribe(
        &mut self,
        template: &[Token<'a>],
        bound: &Bindings<'a>,
        within: &[&Bindings<'a>],
        out: &mut Vec<Token<'a>>,
    ) -> bool {
        let mut at = Cursor::new(template);
        while !at.done() {
            self.made += 1;
            if self.made > self.limit {
                return false;
            }
            if let Some(repeated) = at.repetition() {
                let names = variables(repeated.inside);
                let lists = names.iter().filter_map(|name| {
                    let found = within.iter().rev().find_map(|one| one.get(name));
                    match found.or_else(|| bound.get(name))? {
                        Bound::Repeated(list) => Some(list),
                        Bound::Tokens(_) | Bound::Expr(_) => None,
                    }
                });
                let lists: Vec<&Vec<Bindings<'a>>> = lists.collect();
                let count = lists.iter().map(|list| list.len()).max().unwrap_or(0);
                for number in 0..count {
                    if number > 0
                        && let Some(mark) = repeated.separator
                    {
                        out.push(Token::plain(mark));
                    }
                    let mut inner = within.to_vec();
                    inner.extend(lists.iter().filter_map(|list| list.get(number)));
                    if !self.transcribe(repeated.inside, bound, &inner, out) {
                        return false;
                    }
                }
                continue;
            }
            if let Some(name) = at.used_variable() {
                let found = within.iter().rev().find_map(|one| one.get(name));
                match found.or_else(|| bound.get(name)) {
                    Some(Bound::Tokens(tokens)) => {
                        self.made += tokens.len();
                        out.extend(tokens.iter().copied());
                    }
                    Some(Bound::Expr(tokens)) => {
                        self.made += tokens.len() + 2;
                        out.push(Token::plain("("));
                        out.extend(tokens.iter().copied());
                        out.push(Token::plain(")"));
                    }
                    _ if name == "crate" => out.push(Token::plain(self.krate)),
                    // A variable of a macro that this one makes.
                    _ => out.extend([Token::plain("$"), Token::plain(name)]),
                }
                continue;
            }
            if let Some(token) = at.next() {
                out.push(token);
            }
        }
        true
    }
}

/// The variables in a pattern or template, those of repetitions included.
fn variables<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let pairs = tokens.windows(2);
    let named =
        pairs.filter(|pair| matches!(pair, [mark, name] if mark.text == "$" && name.is_word()));
    let mut names: Vec<&str> = named.filter_map(|pair| pair.get(1)).map(|name| name.text).collect();
    names.sort_unstable();
    names.dedup();
    names
}
