//! Scores how much short texts resemble another: titles of commits and a task.

use std::collections::{BTreeMap, BTreeSet};

use super::terms::{Part, Term, Text, each_term};

/// Texts that share words with a task, by the share of the task's words that they have, by rarity
/// among the texts; the most alike first, equals in their order.
pub fn similar_texts(task: &str, texts: &[&str]) -> Vec<(usize, f64)> {
    let terms = |text: &str| {
        let mut found = BTreeSet::new();
        each_term(text, Text::Prose, |term, part| {
            if part == Part::Word {
                found.insert(term);
            }
        });
        found
    };
    let wanted = terms(task);
    let each: Vec<BTreeSet<Term>> = texts.iter().map(|text| terms(text)).collect();
    let mut with: BTreeMap<Term, usize> = BTreeMap::new();
    for term in each.iter().flatten().filter(|term| wanted.contains(term)) {
        *with.entry(*term).or_default() += 1;
    }
    let weight = |term: &Term| {
        let with = with.get(term).copied().unwrap_or_default() as f64;
        (1.0 + texts.len() as f64 / (with + 0.5)).ln()
    };
    let all: f64 = wanted.iter().map(weight).sum();
    let share = |(at, have): (usize, &BTreeSet<Term>)| {
        let shared: f64 = have.intersection(&wanted).map(weight).sum();
        (shared > 0.0).then(|| (at, shared / all))
    };
    let mut found: Vec<(usize, f64)> = each.iter().enumerate().filter_map(share).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_count_more() {
        let texts = ["Add a flag for colours", "Add a flag for widths", "Fix the parser", "Add x"];
        let found = similar_texts("add a colour flag", &texts);
        let order: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        assert_eq!(order, [0, 1, 3]);
        assert!((found[0].1 - 1.0).abs() < 1e-9, "{found:?}");
        assert!(similar_texts("nothing", &texts).is_empty());
    }
}
