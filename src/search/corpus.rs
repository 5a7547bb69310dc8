//! The stored terms of a workspace in memory, and which of its items a search looks at.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::file_terms::{FileTerms, Flags, ItemTerms};
use super::meaning::{Direction, cosine};
use super::tags::TagIndex;
use asof_model::NodeKind;

/// The stored terms of all files.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    pub(super) files: Vec<Arc<FileTerms>>,
    /// Items before each file.
    pub(super) bases: Vec<usize>,
    pub(super) items: usize,
    /// Mean length of each field.
    pub(super) means: [f64; 7],
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
    pub(super) fn allows(&self, file: usize, item: &ItemTerms) -> bool {
        let by_kind = if self.kinds.is_empty() {
            !is_hidden(item.kind)
        } else {
            self.kinds.contains(&item.kind)
        };
        by_kind
            && self.files.get(file).copied().unwrap_or(true)
            && !(self.exclude_tests && item.flags.has(Flags::TEST))
    }
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

    /// The number of an item among all, by file and item.
    pub fn number(&self, file: usize, item: usize) -> Option<usize> {
        self.bases.get(file).map(|base| base + item)
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.items == 0
    }

    /// A file, and an item of it.
    pub fn item(&self, file: usize, item: usize) -> Option<(&FileTerms, &ItemTerms)> {
        let file: &FileTerms = self.files.get(file)?;
        Some((file, file.items.get(item)?))
    }

    /// For each item, the cosine of the angle between it and a question; 0 if the item has no vector.
    pub fn cosines(&self, question: &Direction) -> Vec<f32> {
        let Some(asked) = question.stored() else { return vec![0.0; self.items] };
        let mut cosines = Vec::with_capacity(self.items);
        for file in &self.files {
            let of = |item| file.vector(item).map_or(0.0, |stored| cosine(&asked, stored));
            cosines.extend(file.items.iter().map(of));
        }
        cosines
    }
}

/// Whether a path is that of tests, as Cargo has them.
pub fn is_test_path(path: &str) -> bool {
    has_part(path, &["tests", "test"])
}

/// Whether a path is that of tests, benches or examples, which show a use, or of what only these
/// need: a folder such as `test-support`.
pub fn is_aside_path(path: &str) -> bool {
    const ASIDE: &[&str] = &["test", "tests", "testing", "testsuite", "testutil", "mock", "mocks"];
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let is_aside = |word: &str| ASIDE.contains(&word.to_ascii_lowercase().as_str());
    is_test_path(path)
        || has_part(path, &["benches", "bench", "examples"])
        || folders.split(['/', '-', '_']).any(is_aside)
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
