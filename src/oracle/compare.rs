//! Compares claimed entries with facts, and decides the verdict.

use super::names;
use asof_wire::Verdict;

/// How much a fact counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// An answer without it is incomplete.
    Required,
    /// The question can be understood so that it is left out.
    Optional,
    /// It is less than sure.
    Possible,
    /// It belongs to the answer, but what it stands for cannot be listed: without it, an answer is
    /// neither complete nor wrong.
    Open,
}

/// One entry of a true answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// As it is listed.
    pub shown: String,
    /// Other ways to write it: code that counts as equal.
    pub forms: Vec<String>,
    /// Canonical path, if it is an item; its end means it too.
    pub path: Option<String>,
    pub weight: Weight,
}

impl Fact {
    /// A required fact that is written in one way.
    pub fn new(shown: impl Into<String>) -> Self {
        Self { shown: shown.into(), forms: Vec::new(), path: None, weight: Weight::Required }
    }

    /// An item, by its path.
    pub fn item(path: &str, sure: bool) -> Self {
        let weight = if sure { Weight::Required } else { Weight::Possible };
        Self { path: Some(path.to_owned()), weight, ..Self::new(path) }
    }

    /// Whether a claimed entry means it.
    pub fn is(&self, claimed: &str) -> bool {
        names::same_code(claimed, &self.shown)
            || self.forms.iter().any(|form| names::same_code(claimed, form))
            || self.path.as_ref().is_some_and(|path| names::is_end_of(claimed, path))
    }

    fn is_exactly(&self, claimed: &str) -> bool {
        names::same_code(claimed, &self.shown)
    }
}

/// What a claimed entry is that is written like none of the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extra {
    /// Not true.
    Wrong,
    /// Another way to write these facts, by their paths.
    Is(Vec<String>),
    /// It may be true all the same.
    Unsure(String),
}

/// Says of a claimed entry that is written like none of the facts what it is.
pub type Look<'a, E> = dyn FnMut(&str, &[Fact]) -> Result<Extra, E> + 'a;

/// Compares claimed entries with facts. `complete`: whether the question asks for all of them.
/// `look` says of an entry that is written like none of the facts what it is: facts that are not
/// known never refute a claim.
///
/// # Errors
/// Those of `look`.
pub fn compare<E>(
    claimed: &[Vec<String>],
    facts: &[Fact],
    complete: bool,
    look: &mut Look<'_, E>,
) -> Result<Verdict, E> {
    let mut covered = vec![false; facts.len()];
    let (mut wrong, mut order, mut unsure) = (Vec::new(), Vec::new(), None);
    for forms in claimed {
        let fits = forms.iter().map(|entry| {
            let exact = positions(facts, |fact| fact.is_exactly(entry));
            if exact.is_empty() { positions(facts, |fact| fact.is(entry)) } else { exact }
        });
        let mut fits = fits.into_iter().find(|fits| !fits.is_empty()).unwrap_or_default();
        if fits.is_empty()
            && let Some(entry) = forms.last()
        {
            match look(entry, facts)? {
                Extra::Wrong => {}
                Extra::Unsure(reason) => {
                    unsure = unsure.or(Some(reason));
                    continue;
                }
                Extra::Is(paths) => {
                    let is = |path: &String| paths.contains(path);
                    fits = positions(facts, |fact| fact.path.as_ref().is_some_and(is));
                }
            }
            if fits.is_empty() {
                wrong.push(entry.clone());
            }
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
    let missing = facts.iter().zip(&covered);
    let missing = missing.filter(|(fact, covered)| fact.weight == Weight::Required && !**covered);
    let missing: Vec<String> = missing.map(|(fact, _)| fact.shown.clone()).collect();
    let mut open = facts.iter().zip(&covered);
    let open = open.find(|(fact, covered)| fact.weight == Weight::Open && !**covered);
    // Wrong entries refute the answer, whatever the others are.
    Ok(match (unsure, open) {
        (Some(reason), _) if wrong.is_empty() => Verdict::CannotVerify { reason },
        (_, Some((fact, _))) if wrong.is_empty() && missing.is_empty() => {
            Verdict::CannotVerify { reason: format!("`{}` belongs to the answer, too", fact.shown) }
        }
        _ => verdict(wrong, missing, &order, complete),
    })
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
    if claimed == truth {
        Verdict::ExactMatch
    } else {
        Verdict::Mismatch { extra: vec![word(claimed)], missing: vec![word(truth)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(claimed: &[&str], facts: &[&str], expected: &str) {
        let claimed: Vec<Vec<String>> = claimed.iter().map(|&text| vec![text.to_owned()]).collect();
        let facts: Vec<Fact> = facts
            .iter()
            .map(|fact| Fact::item(fact.trim_end_matches('?'), !fact.ends_with('?')))
            .collect();
        let verdict = compare::<()>(&claimed, &facts, true, &mut |_, _| Ok(Extra::Wrong)).unwrap();
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
        let unsure = |_: &str, _: &[Fact]| Ok::<_, ()>(Extra::Unsure("unresolved".to_owned()));
        let claimed = [vec!["h".to_owned()]];
        let verdict = compare(&claimed, &[], true, &mut unsure.clone()).unwrap();
        assert_eq!(verdict, Verdict::CannotVerify { reason: "unresolved".to_owned() });
    }

    #[test]
    fn what_cannot_be_listed_keeps_an_answer_open() {
        let facts = [Fact::item("x::A", true), Fact { weight: Weight::Open, ..Fact::new("F") }];
        let check = |claimed: &[&str], expected: &str| {
            let claimed: Vec<Vec<String>> =
                claimed.iter().map(|&text| vec![text.to_owned()]).collect();
            let wrong = &mut |_: &str, _: &[Fact]| Ok::<_, ()>(Extra::Wrong);
            assert_eq!(compare(&claimed, &facts, true, wrong).unwrap().name(), expected);
        };
        check(&["A"], "CannotVerify");
        check(&["A", "F"], "ExactMatch");
        check(&["F"], "HasFalseNegatives");
        check(&["A", "B"], "HasFalsePositives");
    }

    #[test]
    fn other_ways_to_write_a_fact_count() {
        let facts = [Fact::item("x::imp::f", true), Fact::item("x::g", true)];
        let claimed = [vec!["x::f".to_owned()], vec!["g".to_owned()]];
        let mut is = |_: &str, _: &[Fact]| Ok::<_, ()>(Extra::Is(vec!["x::imp::f".to_owned()]));
        assert_eq!(compare(&claimed, &facts, true, &mut is), Ok(Verdict::ExactMatch));
        let mut other = |_: &str, _: &[Fact]| Ok::<_, ()>(Extra::Is(vec!["y::f".to_owned()]));
        let verdict = compare(&claimed, &facts, true, &mut other).unwrap();
        assert_eq!(verdict.name(), "Mismatch");
    }
}
