//! Expands calls of `macro_rules!`: a matcher and transcriber on tokens, with limits. A call whose
//! rules do not match has no items and no value. Names that `paste!` and the like put together are
//! not found.

use super::fragment::{Cursor, Token, tokens, tokens_at};
use super::origins::Expansion;
use asof_model::{CallTokens, HashMap};

/// Tokens that one call among expressions may expand to, and one among items: these make more, and
/// pass documentation on often.
const MAX_TOKENS: usize = 20_000;
const MAX_ITEMS: usize = 200_000;

/// Steps of the matcher for one call.
const MAX_STEPS: usize = 100_000;

/// Steps of the matcher, and tokens of rules that are read, that cost as much as a token that is written.
const STEPS_A_TOKEN: usize = 4;
const RULE_TOKENS_A_STEP: usize = 8;

/// What a call among items expands to. `krate`: what `$crate` is written as. Takes what it costs
/// from the budget.
pub(super) fn expand_items(
    rules: &str,
    input: &str,
    krate: &str,
    budget: &mut usize,
) -> Option<String> {
    let limit = MAX_ITEMS.min(*budget);
    let expander = Expander {
        krate,
        limit,
        max_steps: STEPS_A_TOKEN.saturating_mul(limit),
        ..Expander::new()
    };
    expander.run(rules, &tokens(input), budget).map(|out| text_of(&out))
}

/// What a call expands to: the text of the first rule that matches. Limits are those of a maintainer's
/// tool, not those of a workspace.
pub fn expand_call(rules: &str, input: &str) -> Option<String> {
    let expander = Expander { limit: 100 * MAX_TOKENS, ..Expander::new() };
    let mut budget = usize::MAX;
    expander.run(rules, &tokens(input), &mut budget).map(|out| text_of(&out))
}

/// What a call whose tokens are looked at expands to. `krate`: what `$crate` is written as. Takes what
/// it costs from the budget.
pub(super) fn expand_tokens(
    rules: &str,
    input: &CallTokens,
    krate: &str,
    budget: &mut usize,
) -> Option<Expansion> {
    let expander = Expander {
        krate,
        grouped: true,
        limit: MAX_TOKENS.min(*budget),
        max_steps: MAX_STEPS.min(STEPS_A_TOKEN.saturating_mul(*budget)),
        ..Expander::new()
    };
    let out = expander.run(rules, &tokens_at(&input.text, input.at), budget)?;
    Some(Expansion { at: input.at, ..Expansion::from_tokens(&out) })
}

pub(super) fn text_of(tokens: &[Token<'_>]) -> String {
    Expansion::from_tokens(tokens).text
}

/// State of one expansion.
struct Expander<'a> {
    steps: usize,
    /// Tokens written.
    made: usize,
    limit: usize,
    max_steps: usize,
    krate: &'a str,
    /// Whether expressions of more than one token are written in parentheses.
    grouped: bool,
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

impl<'a> Expander<'a> {
    fn new() -> Self {
        Expander {
            steps: 0,
            made: 0,
            limit: MAX_TOKENS,
            max_steps: MAX_STEPS,
            krate: "crate",
            grouped: false,
        }
    }

    fn run(
        mut self,
        rules: &'a str,
        input: &[Token<'a>],
        budget: &mut usize,
    ) -> Option<Vec<Token<'a>>> {
        let body = tokens(rules);
        // Rules are matched anew for each call, and may be long.
        self.steps += body.len() / RULE_TOKENS_A_STEP;
        let out = self.expand(&body, input);
        *budget = budget.saturating_sub(self.made + self.steps / STEPS_A_TOKEN);
        out
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
            let mut bound = Bindings::default();
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
                    let mut one = Bindings::default();
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
                let mut found = found.to_vec();
                if fragment == "expr" {
                    found.iter_mut().for_each(|token| token.in_value = true);
                }
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
                out.push(token.of_rules());
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
