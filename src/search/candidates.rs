//! Finds the items and files that may answer a question, with their features: scores by words
//! (`bm25`), nearness by meaning, and how well names fit.

use std::collections::BTreeSet;

use super::bm25::{FileSums, Sums, Weights};
use super::corpus::{Corpus, Scope, is_aside_path, is_test_path};
use super::file_terms::Flags;
use super::question::Question;
use super::terms::{Part, Text, each_term};

/// Items that are near enough to a question by meaning to be candidates.
const NEAREST: usize = 100;

/// An item that may answer the question. Scores are relative to the best of all.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Index of the file in the corpus.
    pub file: usize,
    /// Index in [`FileTerms::items`].
    pub item: usize,
    /// BM25F, 1 for the best item.
    pub lexical: f64,
    /// Share of the question's terms that the name has, by rarity.
    pub name: f64,
    /// Share of the name's words that are in the question.
    pub name_fit: f64,
    /// Share of the question's terms that container or path have, by rarity.
    pub place: f64,
    /// How well the name fits a name in the question: 1 if it is the same.
    pub symbol: f64,
    /// Share of the question's terms that the documentation has, by rarity.
    pub docs: f64,
    /// Cosine of the angle between item and question; 0 if that is not known.
    pub meaning: f64,
    /// The same of its file.
    pub file_meaning: f64,
    /// Whether it is among the nearest items by meaning.
    pub is_near: bool,
    /// Score of the file, 1 for the best.
    pub file_score: f64,
    /// Whether it shows a use: tests, benches and examples, as far as its file and the file's path
    /// say.
    pub is_aside: bool,
}

impl Candidate {
    /// A plain score: which candidates are looked at.
    pub fn plain(&self) -> f64 {
        1.15 * self.lexical + 3.0 * (self.symbol + self.meaning) + 0.6 * self.file_score
    }
}

/// A file that may answer the question.
#[derive(Debug, Clone, PartialEq)]
pub struct FileScore {
    /// Index of the file in the corpus.
    pub file: usize,
    /// BM25 of the whole file, 1 for the best.
    pub lexical: f64,
    /// Share of the question's terms that the path has, by rarity.
    pub path: f64,
    /// Share of the words of the file's own name that are in the question.
    pub stem_fit: f64,
    /// Cosine of the angle between the file as a whole and the question; 0 if that is not known.
    pub meaning: f64,
    /// The same for its nearest item.
    pub nearest: f64,
}

/// What may answer a question, the best by plain score first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Items.
    pub items: Vec<Candidate>,
    /// Files.
    pub files: Vec<FileScore>,
    /// Items that have a term of the question.
    pub matched: usize,
}

impl Candidates {
    /// Leaves what is near by meaning, and nothing that words say of it.
    pub fn by_meaning_alone(&mut self) {
        self.items.retain(|one| one.is_near);
        self.matched = self.items.len();
        for one in &mut self.items {
            let Candidate { lexical, name, name_fit, place, docs, symbol, file_score, .. } = one;
            for feature in [lexical, name, name_fit, place, docs, symbol, file_score] {
                *feature = 0.0;
            }
        }
        let files: BTreeSet<usize> = self.items.iter().map(|one| one.file).collect();
        self.files.retain(|one| files.contains(&one.file));
        for one in &mut self.files {
            (one.lexical, one.path, one.stem_fit) = (0.0, 0.0, 0.0);
        }
    }
}

impl Corpus {
    /// The items and files that may answer a question, at most so many of each. `cosines`: for each
    /// item, how near it is by meaning; none if that is not compared.
    pub fn candidates(
        &self,
        question: &Question,
        cosines: Option<&[f32]>,
        scope: &Scope,
        weights: &Weights,
        limit: usize,
    ) -> Candidates {
        let mut items = vec![Sums::default(); self.items];
        let mut files = vec![FileSums::default(); self.files.len()];
        let mut total = 0.0;
        for term in &question.terms {
            let rarity = self.add(term.term, term.weight, weights, &mut items, &mut files);
            total += term.weight * rarity;
        }
        let total = if total > 0.0 { total } else { 1.0 };
        let file_best = files.iter().map(|f| f.lexical).fold(1e-9, f64::max);
        let best = items.iter().map(|sums| sums.lexical).fold(1e-9, f32::max);
        let symbols = self.symbols(question);
        let cosines = cosines.unwrap_or_default();
        let least = self.least_near(cosines, scope);
        let mut found: Vec<Candidate> = Vec::new();
        let mut nearest = vec![0.0f32; self.files.len()];
        let mut has_near = vec![false; self.files.len()];
        for (number, (file, base)) in self.files.iter().zip(&self.bases).enumerate() {
            let file_sums = files.get(number).copied().unwrap_or_default();
            let is_aside = is_aside_path(&file.path);
            let file_meaning = cosines.get(*base).copied().unwrap_or_default().max(0.0);
            if scope.exclude_tests && is_test_path(&file.path) {
                continue;
            }
            for (at, item) in file.items.iter().enumerate() {
                let sums = items.get(base + at).copied().unwrap_or_default();
                let symbol = symbols.get(base + at).copied().unwrap_or_default();
                let cosine = cosines.get(base + at).copied().unwrap_or_default();
                let is_near = cosine >= least;
                let is_found = sums.lexical > 0.0 || symbol > 0.0 || is_near;
                if !(is_found || cosine > 0.0) || !scope.allows(number, item) {
                    continue;
                }
                if let Some(nearest) = nearest.get_mut(number) {
                    *nearest = nearest.max(cosine);
                }
                if !is_found {
                    continue;
                }
                has_near.get_mut(number).into_iter().for_each(|has| *has |= is_near);
                let words = item.lengths.first().copied().unwrap_or_default().max(1);
                found.push(Candidate {
                    file: number,
                    item: at,
                    lexical: f64::from(sums.lexical / best),
                    name: f64::from(sums.name) / total,
                    name_fit: (f64::from(sums.name_words) / f64::from(words)).min(1.0),
                    place: (f64::from(sums.place) + file_sums.path) / total,
                    docs: f64::from(sums.docs) / total,
                    symbol: f64::from(symbol),
                    meaning: f64::from(cosine.max(0.0)),
                    file_meaning: f64::from(file_meaning),
                    is_near,
                    file_score: file_sums.lexical / file_best,
                    is_aside: is_aside || item.flags.has(Flags::TEST),
                });
            }
        }
        let matched = found.len();
        found.sort_by(|a, b| {
            b.plain().total_cmp(&a.plain()).then((a.file, a.item).cmp(&(b.file, b.item)))
        });
        found.truncate(limit);
        let mut scored: Vec<FileScore> = files
            .iter()
            .enumerate()
            .filter(|(at, sums)| {
                let is_found = sums.lexical > 0.0 || has_near.get(*at).copied().unwrap_or(false);
                is_found && scope.files.get(*at).copied().unwrap_or(true)
            })
            .map(|(file, sums)| {
                let whole = self.bases.get(file).and_then(|base| cosines.get(*base));
                FileScore {
                    file,
                    lexical: sums.lexical / file_best,
                    path: sums.path / total,
                    stem_fit: self.stem_fit(file, question),
                    meaning: f64::from(whole.copied().unwrap_or_default().max(0.0)),
                    nearest: f64::from(nearest.get(file).copied().unwrap_or_default()),
                }
            })
            .collect();
        let order = |file: &FileScore| file.lexical + file.meaning + file.nearest;
        scored.sort_by(|a, b| order(b).total_cmp(&order(a)).then(a.file.cmp(&b.file)));
        scored.truncate(limit);
        Candidates { items: found, files: scored, matched }
    }

    /// The cosine of the last of the nearest items that are allowed.
    fn least_near(&self, cosines: &[f32], scope: &Scope) -> f32 {
        let mut allowed: Vec<f32> = Vec::new();
        for (number, (file, base)) in self.files.iter().zip(&self.bases).enumerate() {
            let of = cosines.get(*base..).unwrap_or_default();
            for (cosine, item) in of.iter().zip(&file.items) {
                if *cosine > 0.0 && scope.allows(number, item) {
                    allowed.push(*cosine);
                }
            }
        }
        let last = NEAREST.min(allowed.len());
        match last.checked_sub(1) {
            Some(last) => *allowed.select_nth_unstable_by(last, |a, b| b.total_cmp(a)).1,
            None => f32::INFINITY,
        }
    }

    /// Share of the words of a file's own name that are in the question.
    fn stem_fit(&self, file: usize, question: &Question) -> f64 {
        let module = self.files.get(file).and_then(|file| file.items.first());
        let Some(module) = module.filter(|module| module.item == 0) else { return 0.0 };
        let (mut words, mut held) = (0.0, 0.0);
        each_term(&module.name, Text::Name, |term, part| {
            if part == Part::Word {
                words += 1.0;
                let asked = question.terms.iter().any(|have| have.term == term);
                held += f64::from(u8::from(asked));
            }
        });
        if words > 0.0 { held / words } else { 0.0 }
    }
}
