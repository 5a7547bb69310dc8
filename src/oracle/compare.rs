//! From claimed entries and facts to a verdict.

use super::names;
use crate::wire::Verdict;

/// One entry of a true answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// As it is listed.
    pub shown: String,
    /// Other ways to write it: code that counts as equal.
    pub forms: Vec<String>,
    /// Canonical path, if it is an item; its end means it too.
    pub path: Option<String>,
    /// Whether an answer without it is wrong. A fact that is less than sure may be claimed or not.
    pub sure: bool,
}

impl Fact {
    /// A sure fact that is written in one way.
    pub fn new(shown: impl Into<String>) -> Self {
        Self { shown: shown.into(), forms: Vec::new(), path: None, sure: true }
    }

    /// An item, by its path.
    pub fn item(path: &str, sure: bool) -> Self {
        Self { path: Some(path.to_owned()), sure, ..Self::new(path) }
    }

    fn is(&self, claimed: &str) -> bool {
        names::same_code(claimed, &self.shown)
            || self.forms.iter().any(|form| names::same_code(claimed, form))
            || self.path.as_ref().is_some_and(|path| names::is_end_of(claimed, path))
    }

    fn is_exactly(&self, claimed: &str) -> bool {
        names::same_code(claimed, &self.shown)
    }
}

/// Why claims that are not among the facts may still be true.
pub type Doubt<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Compares claimed entries with facts. `complete`: whether the question asks for all of them.
/// `doubt` says of an entry that is not a fact why it may be true all the same: facts that are not
/// known never refute a claim.
pub fn compare(claimed: &[String], facts: &[Fact], complete: bool, doubt: Doubt<'_>) -> Verdict {
    let mut covered = vec![false; facts.len()];
    let mut extra = Vec::new();
    let mut order = Vec::new();
    for entry in claimed {
        let exact: Vec<usize> = positions(facts, |fact| fact.is_exactly(entry));
        let fits = if exact.is_empty() { positions(facts, |fact| fact.is(entry)) } else { exact };
        if fits.is_empty() {
            extra.push(entry.clone());
        }
        for at in fits {
            if let Some(covered) = covered.get_mut(at)
                && !*covered
            {
                *covered = true;
                order.push(at);
            }
        }
    }
    let missing = facts.iter().zip(&covered).filter(|(fact, covered)| fact.sure && !**covered);
    let missing: Vec<String> = missing.map(|(fact, _)| fact.shown.clone()).collect();
    if let Some(reason) = extra.iter().find_map(|entry| doubt(entry)) {
        return Verdict::CannotVerify { reason };
    }
    verdict(extra, missing, &order, complete)
}

/// `order`: the positions of the claimed facts, as claimed.
pub(super) fn verdict(
    extra: Vec<String>,
    missing: Vec<String>,
    order: &[usize],
    complete: bool,
) -> Verdict {
    match (extra.is_empty(), missing.is_empty()) {
        (true, true) if order.is_sorted() => Verdict::ExactMatch,
        (true, true) => Verdict::UnorderedMatch,
        (true, false) if complete || order.is_empty() => Verdict::HasFalseNegatives { missing },
        (true, false) => Verdict::SubsetMatch { missing },
        (false, true) => Verdict::HasFalsePositives { extra },
        (false, false) => Verdict::Mismatch { extra, missing },
    }
}

fn positions(facts: &[Fact], is: impl Fn(&Fact) -> bool) -> Vec<usize> {
    facts.iter().enumerate().filter(|(_, fact)| is(fact)).map(|(at, _)| at).collect()
}

/// Compares a yes or no.
pub fn compare_yes_no(claimed: bool, truth: bool) -> Verdict {
    let word = |yes| if yes { "yes" } else { "no" }.to_owned();
    match claimed == truth {
        true => Verdict::ExactMatch,
        false => Verdict::Mismatch { extra: vec![word(claimed)], missing: vec![word(truth)] },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(claimed: &[&str], facts: &[&str], expected: &str) {
        let claimed: Vec<String> = claimed.iter().map(|&text| text.to_owned()).collect();
        let facts: Vec<Fact> = facts
            .iter()
            .map(|fact| Fact::item(fact.trim_end_matches('?'), !fact.ends_with('?')))
            .collect();
        let verdict = compare(&claimed, &facts, true, &|_| None);
        assert_eq!(serde_json::to_string(&verdict).unwrap(), expected, "{claimed:?}");
    }

    #[test]
    fn lists_are_compared_by_what_they_mean() {
        check(&["a::f", "b::g"], &["x::a::f", "x::b::g"], r#""ExactMatch""#);
        check(&["g", "f"], &["x::a::f", "x::b::g"], r#""UnorderedMatch""#);
        check(&["f"], &["x::a::f", "x::g"], r#"{"HasFalseNegatives":{"missing":["x::g"]}}"#);
        check(&["f", "h"], &["x::a::f"], r#"{"HasFalsePositives":{"extra":["h"]}}"#);
        check(&["h"], &["x::f"], r#"{"Mismatch":{"extra":["h"],"missing":["x::f"]}}"#);
        check(&[], &[], r#""ExactMatch""#);
    }

    #[test]
    fn a_name_that_several_items_have_means_all_of_them() {
        check(&["new"], &["x::A::new", "x::B::new"], r#""ExactMatch""#);
        check(
            &["x::A::new"],
            &["x::A::new", "x::B::new"],
            r#"{"HasFalseNegatives":{"missing":["x::B::new"]}}"#,
        );
    }

    #[test]
    fn what_is_not_sure_may_be_claimed_or_not() {
        check(&["f"], &["x::f", "x::g?"], r#""ExactMatch""#);
        check(&["f", "g"], &["x::f", "x::g?"], r#""ExactMatch""#);
        let verdict = compare(&["h".to_owned()], &[], true, &|_| Some("unresolved".to_owned()));
        assert_eq!(verdict, Verdict::CannotVerify { reason: "unresolved".to_owned() });
    }
}
