//! Scores of items and files for a question: BM25F over the fields of items, BM25 over files, and
//! how well names fit. Sums over postings are the inner loop of a search, and are computed here;
//! `queries/search/rank.cozo` says how they are combined.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::dense::Near;
use super::file_terms::{Field, FileTerms, Flags, ItemTerms};
use super::question::Question;
use super::tags::TagIndex;
use super::terms::{Part, Term, Text, each_term};
use crate::model::NodeKind;

/// Weights of the fields, and how much a long field counts less.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// By field.
    pub field: [f64; 7],
    /// By field: 0, the length does not matter; 1, counts are divided by it.
    pub length: [f64; 7],
    /// How soon a further occurrence adds nothing.
    pub saturation: f64,
    /// The same for whole files.
    pub file_length: f64,
    /// The same for whole files.
    pub file_saturation: f64,
    /// By field, for whole files.
    pub file_field: [f64; 7],
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            //      name  container path sig  docs body comments
            field: [6.0, 3.0, 2.0, 1.5, 2.0, 1.0, 0.75],
            length: [0.3, 0.75, 0.3, 0.5, 0.5, 0.75, 0.6],
            saturation: 1.4,
            file_length: 0.4,
            file_saturation: 3.0,
            file_field: [3.0, 1.0, 8.0, 1.0, 1.5, 0.5, 1.0],
        }
    }
}

/// The stored terms of all files.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    pub(super) files: Vec<Arc<FileTerms>>,
    /// Items before each file.
    pub(super) bases: Vec<usize>,
    pub(super) items: usize,
    /// Mean length of each field.
    means: [f64; 7],
    /// Computed when it is first asked for.
    tags: OnceLock<TagIndex>,
}

/// Which items are looked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scope {
    /// Only these kinds; those with names if empty.
    pub kinds: BTreeSet<NodeKind>,
    /// For each file of the corpus, whether it is looked at; all if empty.
    pub files: Vec<bool>,
    /// Whether test code is left out.
    pub exclude_tests: bool,
}

impl Scope {
    fn allows(&self, file: usize, item: &ItemTerms) -> bool {
        let by_kind = match self.kinds.is_empty() {
            true => !is_hidden(item.kind),
            false => self.kinds.contains(&item.kind),
        };
        by_kind
            && self.files.get(file).copied().unwrap_or(true)
            && !(self.exclude_tests && item.flags.has(Flags::TEST))
    }
}

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
    /// Cosine of the angle between item and question; 0 if that is not known.
    pub dense: f64,
    /// Score of the file, 1 for the best.
    pub file_score: f64,
    /// Whether it shows a use: tests, benches and examples, as far as its file and the file's path
    /// say.
    pub is_aside: bool,
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
    /// Leaves what was found by vectors, and nothing that words say of it.
    pub fn by_vectors_alone(&mut self) {
        self.items.retain(|one| one.dense > 0.0);
        self.matched = self.items.len();
        for one in &mut self.items {
            let Candidate { lexical, name, name_fit, place, symbol, file_score, .. } = one;
            for feature in [lexical, name, name_fit, place, symbol, file_score] {
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

/// Whether a path is that of tests, as Cargo has them.
pub fn is_test_path(path: &str) -> bool {
    has_part(path, &["tests", "test"])
}

/// Whether a path is that of tests, benches or examples, which show a use.
pub fn is_aside_path(path: &str) -> bool {
    is_test_path(path) || has_part(path, &["benches", "bench", "examples"])
}

fn has_part(path: &str, names: &[&str]) -> bool {
    path.trim_end_matches(".rs").split('/').any(|part| names.contains(&part))
}

/// Kinds that are no answers unless they are asked for.
pub fn is_hidden(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Impl
            | NodeKind::MacroCall
            | NodeKind::ForeignMod
            | NodeKind::Unknown
            | NodeKind::Import
            | NodeKind::ExternCrate
    )
}

/// Sums over the postings of an item.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    lexical: f32,
    name: f32,
    name_words: f32,
    place: f32,
}

/// Sums over the postings of a file.
#[derive(Debug, Clone, Copy, Default)]
struct FileSums {
    lexical: f64,
    path: f64,
}

impl Corpus {
    /// A corpus of files in the order of their paths.
    pub fn new(files: Vec<Arc<FileTerms>>) -> Self {
        let mut corpus = Self { files, ..Self::default() };
        let mut sums = [0.0; 7];
        for file in &corpus.files {
            corpus.bases.push(corpus.items);
            corpus.items += file.items.len();
            for item in &file.items {
                for (sum, length) in sums.iter_mut().zip(item.lengths) {
                    *sum += f64::from(length);
                }
            }
        }
        corpus.means = sums.map(|sum| (sum / corpus.items.max(1) as f64).max(0.1));
        corpus
    }

    /// The files.
    pub fn files(&self) -> &[Arc<FileTerms>] {
        &self.files
    }

    /// The tags of all files.
    pub(super) fn tags(&self) -> &TagIndex {
        self.tags.get_or_init(|| TagIndex::new(&self.files))
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// The file and item of a candidate.
    pub fn item(&self, candidate: &Candidate) -> Option<(&FileTerms, &ItemTerms)> {
        let file: &FileTerms = self.files.get(candidate.file)?;
        Some((file, file.items.get(candidate.item)?))
    }

    /// Whether a scope allows an item.
    pub fn allows(&self, scope: &Scope, file: usize, item: usize) -> bool {
        let Some(terms) = self.files.get(file) else { return false };
        let Some(item) = terms.items.get(item) else { return false };
        scope.allows(file, item) && !(scope.exclude_tests && is_test_path(&terms.path))
    }

    /// The items and files that may answer a question, at most so many of each. `near`: items that
    /// are near it by their vectors, and are candidates too.
    pub fn candidates(
        &self,
        question: &Question,
        near: &[Near],
        scope: &Scope,
        weights: &Weights,
        limit: usize,
    ) -> Candidates {
        let mut items = vec![Sums::default(); self.items];
        let mut files = vec![FileSums::default(); self.files.len()];
        let mut total = 0.0;
        for term in &question.terms {
            let rarity =
                self.add(term.term, term.weight, term.own, weights, (&mut items, &mut files));
            if term.own {
                total += term.weight * rarity;
            }
        }
        let file_best = files.iter().map(|f| f.lexical).fold(1e-9, f64::max);
        let symbols = self.symbols(question);
        let mut cosines = vec![0.0f32; if near.is_empty() { 0 } else { self.items }];
        let mut has_near = vec![false; self.files.len()];
        for one in near {
            let at = self.bases.get(one.file).map(|base| base + one.item);
            if let Some(cosine) = at.and_then(|at| cosines.get_mut(at)) {
                *cosine = one.cosine.max(0.0);
            }
            has_near.get_mut(one.file).into_iter().for_each(|has| *has = true);
        }
        let total = if total > 0.0 { total } else { 1.0 };
        let mut found: Vec<Candidate> = Vec::new();
        let best = items.iter().map(|sums| sums.lexical).fold(1e-9, f32::max);
        for (number, (file, base)) in self.files.iter().zip(&self.bases).enumerate() {
            let file_sums = files.get(number).copied().unwrap_or_default();
            let is_aside = is_aside_path(&file.path);
            if scope.exclude_tests && is_test_path(&file.path) {
                continue;
            }
            for (at, item) in file.items.iter().enumerate() {
                let sums = items.get(base + at).copied().unwrap_or_default();
                let symbol = symbols.get(base + at).copied().unwrap_or_default();
                let dense = cosines.get(base + at).copied().unwrap_or_default();
                let is_found = sums.lexical > 0.0 || symbol > 0.0 || dense > 0.0;
                if !is_found || !scope.allows(number, item) {
                    continue;
                }
                let words = item.lengths.first().copied().unwrap_or_default().max(1);
                found.push(Candidate {
                    file: number,
                    item: at,
                    lexical: f64::from(sums.lexical / best),
                    name: f64::from(sums.name) / total,
                    name_fit: (f64::from(sums.name_words) / f64::from(words)).min(1.0),
                    place: (f64::from(sums.place) + file_sums.path) / total,
                    symbol: f64::from(symbol),
                    dense: f64::from(dense),
                    file_score: file_sums.lexical / file_best,
                    is_aside: is_aside || item.flags.has(Flags::TEST),
                });
            }
        }
        let matched = found.len();
        let order = |c: &Candidate| c.lexical + c.symbol + 0.2 * c.file_score + c.dense;
        found.sort_by(|a, b| {
            order(b).total_cmp(&order(a)).then((a.file, a.item).cmp(&(b.file, b.item)))
        });
        found.truncate(limit);
        let mut scored: Vec<FileScore> = files
            .iter()
            .enumerate()
            .filter(|(at, sums)| {
                let is_found = sums.lexical > 0.0 || has_near.get(*at).copied().unwrap_or(false);
                is_found && scope.files.get(*at).copied().unwrap_or(true)
            })
            .map(|(file, sums)| FileScore {
                file,
                lexical: sums.lexical / file_best,
                path: sums.path / total,
                stem_fit: self.stem_fit(file, question),
            })
            .collect();
        scored.sort_by(|a, b| b.lexical.total_cmp(&a.lexical).then(a.file.cmp(&b.file)));
        scored.truncate(limit);
        Candidates { items: found, files: scored, matched }
    }

    /// Share of the words of a file's own name that are in the question.
    fn stem_fit(&self, file: usize, question: &Question) -> f64 {
        let module = self.files.get(file).and_then(|file| file.items.first());
        let Some(module) = module.filter(|module| module.item == 0) else { return 0.0 };
        let (mut words, mut held) = (0.0, 0.0);
        each_term(&module.name, Text::Name, |term, part| {
            if part == Part::Word {
                words += 1.0;
                let asked = question.terms.iter().any(|have| have.own && have.term == term);
                held += f64::from(u8::from(asked));
            }
        });
        if words > 0.0 { held / words } else { 0.0 }
    }

    /// Adds the scores of a term. Gives its rarity (inverse document frequency).
    fn add(
        &self,
        term: Term,
        weight: f64,
        own: bool,
        weights: &Weights,
        (items, files): (&mut [Sums], &mut [FileSums]),
    ) -> f64 {
        let mut postings = Vec::new();
        let (mut frequency, mut in_files) = (0usize, 0usize);
        for (number, file) in self.files.iter().enumerate() {
            let before = postings.len();
            file.postings(term, |posting| {
                frequency += usize::from(posting.item.is_some());
                postings.push((number, posting));
            });
            in_files += usize::from(postings.len() > before);
        }
        let idf = |n: usize, all: usize| {
            (1.0 + (all as f64 - n as f64 + 0.5).max(0.5) / (n as f64 + 0.5)).ln()
        };
        let rarity = idf(frequency, self.items);
        let file_rarity = idf(in_files, self.files.len());
        let mut tally = 0.0;
        let mut last: Option<usize> = None;
        let mut in_path: (usize, f64) = (usize::MAX, 0.0);
        for (number, posting) in &postings {
            if last != Some(*number) {
                if let Some(last) = last {
                    self.finish(last, weight * file_rarity, tally, weights, files);
                }
                (last, tally) = (Some(*number), 0.0);
            }
            let count = |field: Field| {
                f64::from(posting.counts.get(field.index()).copied().unwrap_or_default())
            };
            if own {
                for (n, w) in posting.counts.iter().zip(weights.file_field) {
                    tally += w * f64::from(*n);
                }
            }
            let Some(item) = posting.item else {
                in_path = (*number, count(Field::Path));
                if let (true, Some(sums)) = (own, files.get_mut(*number)) {
                    sums.path += weight * rarity;
                }
                continue;
            };
            let (Some(base), Some(file)) = (self.bases.get(*number), self.files.get(*number))
            else {
                continue;
            };
            let Some(described) = file.items.get(item as usize) else { continue };
            let mut frequency = 0.0;
            // Related words are those of names.
            let fields = if own { Field::ALL.as_slice() } else { [Field::Name].as_slice() };
            for field in fields.iter().copied() {
                let f = field.index();
                let n = match field {
                    Field::Path if in_path.0 == *number => in_path.1,
                    field => count(field),
                };
                if n > 0.0 {
                    let [w, b, mean, length] = [
                        weights.field.get(f).copied().unwrap_or_default(),
                        weights.length.get(f).copied().unwrap_or_default(),
                        self.means.get(f).copied().unwrap_or(1.0),
                        f64::from(described.lengths.get(f).copied().unwrap_or_default()),
                    ];
                    frequency += w * n / (1.0 - b + b * length / mean);
                }
            }
            let score = weight * rarity * frequency / (weights.saturation + frequency);
            if let Some(sums) = items.get_mut(base + item as usize) {
                sums.lexical += score as f32;
                if count(Field::Name) > 0.0 {
                    sums.name_words += 1.0;
                    sums.name += if own { (weight * rarity) as f32 } else { 0.0 };
                } else if own && count(Field::Container) > 0.0 {
                    sums.place += (weight * rarity) as f32;
                }
            }
        }
        if let Some(last) = last {
            self.finish(last, weight * file_rarity, tally, weights, files);
        }
        rarity
    }

    /// Adds the score of a term to its file.
    fn finish(
        &self,
        file: usize,
        rarity: f64,
        tally: f64,
        weights: &Weights,
        files: &mut [FileSums],
    ) {
        let length = self.files.get(file).map_or(0, |f| f.items.len()) as f64;
        let mean = self.items as f64 / self.files.len().max(1) as f64;
        let b = weights.file_length;
        let frequency = tally / (1.0 - b + b * length / mean);
        if let Some(sums) = files.get_mut(file) {
            sums.lexical += rarity * frequency / (weights.file_saturation + frequency);
        }
    }
}
