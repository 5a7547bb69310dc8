//! Calls whose arguments are values: the rules take all of their names as expressions, and use each. Such
//! a call is read as it is written: what else its expansion names is the rules' own.

use super::super::fragment::{Cursor, Token, tokens};
use super::super::macro_rules::expand_tokens;
use super::super::namespaces::MACROS;
use super::super::origins::Expansion;
use super::infer::InferenceContext;
use super::item_index::{Hit, ItemIndex};
use super::types::Def;
use asof_model::{CallTokens, HashSet};

/// Macros that call one another with the tokens that they are given.
const MAX_FORWARDS: u32 = 8;

/// Macros of the standard library that evaluate all of their arguments.
const EVALUATE: &[&str] = &[
    "assert", "assert_eq", "assert_ne", "dbg", "debug_assert", "debug_assert_eq",
    "debug_assert_ne", "eprint", "eprintln", "format", "format_args", "panic", "print", "println",
    "vec", "write", "writeln",
];

impl InferenceContext<'_, '_> {
    /// Whether the arguments of a call are values, by what it expands to.
    pub(super) fn takes_values(&mut self, expansion: &Expansion, call: &CallTokens) -> bool {
        let given = tokens(&call.text);
        // Types of the parameters of closures come from the rules.
        let mut before = "(";
        for token in &given {
            let begins = matches!(before, "(" | "," | "=" | "move" | "{" | ";" | "=>");
            if token.text == "|" || token.text == "||" && begins {
                return false;
            }
            before = token.text;
        }
        let world = self.p.world;
        let mut last = expansion.clone();
        for _ in 0..MAX_FORWARDS {
            let Some((def, inside)) = forwarded(world, &last.text) else { break };
            let (rules, krate) = (world.rules(def), world.crate_word(def, self.p.scope));
            let next = expand_tokens(rules, &inside, &krate, &mut self.budget);
            let Some(next) = next else { return false };
            last = Expansion { origins: next.origins.after(&last.origins), ..next };
        }
        let mut values = HashSet::default();
        gather(&tokens(&last.text), &last, &mut values);
        let mut names = given.iter().filter(|token| token.is_word());
        names.all(|name| name.at.is_some_and(|at| values.contains(&(call.at + at))))
    }
}

/// The macro that an expansion calls if it does nothing else, and what it gives to it. Only macros that
/// are named by their crate are looked up.
fn forwarded(world: &ItemIndex<'_>, text: &str) -> Option<(Def, CallTokens)> {
    let made = tokens(text);
    let [krate, path, name, mark, .., last] = made.as_slice() else { return None };
    let root = world.written_root(krate.text).filter(|_| path.text == "::" && mark.text == "!")?;
    let mut cursor = Cursor::new(&made);
    cursor.at = 4;
    let inside = cursor.group()?;
    let is_end = last.text == ";" && cursor.at + 1 == made.len();
    if !(cursor.done() || is_end) {
        return None;
    }
    let Hit::Defs(found) = world.lookup(root, name.text, MACROS, root) else { return None };
    let [(def, _)] = found.as_slice() else { return None };
    if world.rules(*def).is_empty() {
        return None;
    }
    let (first, last) = (inside.first()?, inside.last()?);
    let (at, end) = (first.at?, last.at? as usize + last.text.len());
    Some((*def, CallTokens { at, text: text.get(at as usize..end)?.into() }))
}

/// The places of the call's names that are evaluated.
fn gather(made: &[Token<'_>], expansion: &Expansion, values: &mut HashSet<u32>) {
    let mut cursor = Cursor::new(made);
    let mut before: [&str; 2] = ["", ""];
    while let Some(token) = cursor.peek() {
        let [name, mark] = before;
        if mark == "!" && !name.is_empty() && !EVALUATE.contains(&name) && cursor.group().is_some()
        {
            before = ["", ""];
            continue;
        }
        if let Some(at) = token.at.filter(|at| token.is_word() && expansion.origins.is_value(*at)) {
            values.insert(expansion.place(at));
        }
        cursor.next();
        before = [mark, token.text];
    }
}
