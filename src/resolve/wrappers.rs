//! Macros that put `#[cfg]` before the items that they are given: `cfg_rt! { … }`.

use serde::{Deserialize, Serialize};

use super::fragment::{Cursor, Token, tokens};
use super::ids::CrateId;
use asof_model::{HashMap, Header, TreeItem};

/// A macro by example, and its predicate if it is a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MacroPredicate {
    name: String,
    predicate: Option<String>,
}

/// What the macros of a file say about conditions of items.
pub(super) fn macro_predicates(items: &[TreeItem]) -> Vec<MacroPredicate> {
    let macros = items.iter().filter(|item| matches!(item.header, Header::Macro { .. }));
    let read = |item: &TreeItem| MacroPredicate {
        name: item.name.clone(),
        predicate: predicate(&item.sig),
    };
    macros.map(read).collect()
}

/// Wrappers of a workspace, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Wrappers {
    /// For each macro of a name: its crate, and its predicate if it is a wrapper.
    macros: HashMap<String, Vec<(CrateId, Option<String>)>>,
}

impl Wrappers {
    /// From the macros of all files, each with its crate.
    pub(super) fn new<'f, M: AsRef<[MacroPredicate]> + 'f>(
        files: impl Iterator<Item = (CrateId, &'f M)> + Clone,
    ) -> Self {
        let all = || {
            files
                .clone()
                .flat_map(|(krate, macros)| macros.as_ref().iter().map(move |one| (krate, one)))
        };
        let wrappers = all().filter(|(_, one)| one.predicate.is_some());
        let mut macros: HashMap<String, Vec<(CrateId, Option<String>)>> =
            wrappers.map(|(_, one)| (one.name.clone(), Vec::new())).collect();
        for (krate, one) in all() {
            if let Some(known) = macros.get_mut(&one.name) {
                known.push((krate, one.predicate.clone()));
            }
        }
        Wrappers { macros }
    }

    /// The predicate that a call gives to its items, if every macro of this name that it may mean
    /// gives the same: those of its crate, else those of others.
    pub(super) fn predicate(&self, krate: CrateId, call: &str) -> Option<&str> {
        let name = call.rsplit("::").next().unwrap_or_default().trim();
        let known = self.macros.get(name)?;
        let own = known.iter().any(|(of, _)| *of == krate);
        let mut all = known.iter().filter(|(of, _)| !own || *of == krate);
        let first = all.next()?.1.as_deref()?;
        all.all(|(_, other)| other.as_deref() == Some(first)).then_some(first)
    }
}

/// The predicate of the rules of a macro, if each writes nothing but its items with attributes
/// before them, under the same `cfg`.
fn predicate(rules: &str) -> Option<String> {
    if !rules.contains("cfg") {
        return None;
    }
    let all = tokens(rules);
    let mut at = Cursor::new(&all);
    let mut found: Option<String> = None;
    while !at.done() {
        at.group_with_bracket()?;
        at.take("=>").then_some(())?;
        let (_, template) = at.group_with_bracket()?;
        at.take(";");
        let one = of_template(template)?;
        match &found {
            Some(known) if *known != one => return None,
            _ => found = Some(one),
        }
    }
    found
}

/// `$( #[cfg(predicate)] $item )*`, with any attributes.
fn of_template(template: &[Token<'_>]) -> Option<String> {
    let mut at = Cursor::new(template);
    let inside = match at.repetition() {
        Some(repeated) if at.done() => repeated.inside,
        Some(_) => return None,
        None => template,
    };
    let mut at = Cursor::new(inside);
    let mut all = Vec::new();
    while at.take("#") {
        let (_, attribute) = at.group_with_bracket()?;
        let mut attribute = Cursor::new(attribute);
        if attribute.take("cfg") {
            let (_, predicate) = attribute.group_with_bracket()?;
            all.push(written(predicate));
        }
    }
    let is_item = at.take("$") && at.next().is_some_and(|token| token.is_word()) && at.done();
    match all.as_slice() {
        _ if !is_item => None,
        [] => None,
        [one] => Some(one.clone()),
        all => Some(format!("all({})", all.join(", "))),
    }
}

fn written(tokens: &[Token<'_>]) -> String {
    let texts: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::predicate;

    #[track_caller]
    fn check(rules: &str, expected: Option<&str>) {
        assert_eq!(predicate(rules).as_deref(), expected, "{rules}");
    }

    #[test]
    fn wrappers_write_cfg_before_what_they_are_given() {
        let rt = Some("feature = \"rt\"");
        check("($($item:item)*) => { $(#[cfg(feature = \"rt\")] $item)* }", rt);
        check(
            "($($item:item)*) => { $(#[cfg(feature = \"rt\")] #[cfg_attr(docsrs, doc(cfg(x)))] $item)* };",
            rt,
        );
        check("($item:item) => { #[cfg(unix)] #[cfg(b)] $item }", Some("all(unix, b)"));
        check("(a) => { #[cfg(a)] $a } ; (b) => { #[cfg(a)] $b }", Some("a"));
    }

    #[test]
    fn other_macros_are_no_wrappers() {
        for rules in [
            "",
            "($($item:item)*) => { $($item)* }",
            "($a:item) => { #[cfg(a)] $a fn f() {} }",
            "(a) => { #[cfg(a)] $a } ; (b) => { #[cfg(b)] $b }",
            "(a) => { #[cfg(a)] fn f() {} }",
            "(a) => { #[cfg(a) $a }",
            "cfg",
            "( => cfg",
        ] {
            check(rules, None);
        }
    }
}
