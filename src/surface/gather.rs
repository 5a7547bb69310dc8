//! Items at several paths: those that were found, and why others were not.

use asof::wire::{FailedPath, Hint, Item};

use super::problem::Problem;
use super::text::sentence;

/// Items at several paths, each once.
#[derive(Debug, Default)]
pub struct Gathered {
    pub items: Vec<Item>,
    failed: Vec<(String, Problem)>,
}

impl Gathered {
    /// Adds what a path led to.
    pub fn add(&mut self, path: &str, found: Result<Vec<Item>, Problem>) {
        match found {
            Ok(found) => {
                for item in found {
                    if self.items.iter().all(|known| known.id != item.id) {
                        self.items.push(item);
                    }
                }
            }
            Err(problem) => self.failed.push((path.to_owned(), problem)),
        }
    }

    /// The paths without items, with hints in the words of a surface.
    pub fn failed(&self, words: impl Fn(&Hint) -> String) -> Vec<FailedPath> {
        let failed = self.failed.iter();
        failed
            .map(|(path, problem)| FailedPath {
                path: path.clone(),
                error: problem.clone().report(&words),
            })
            .collect()
    }

    /// The error of the paths without items; none if every path has some.
    pub fn problem(&self, words: impl Fn(&Hint) -> String) -> Option<Problem> {
        match self.failed.as_slice() {
            [] => None,
            [(_, problem)] => Some(problem.clone()),
            [(_, first), ..] => {
                let message = format!("{} paths could not be answered", self.failed.len());
                let failed = self.failed(words);
                let causes = failed.iter().map(|failed| sentence(&failed.error)).collect();
                Some(Problem { causes, ..Problem::new(first.kind, message, Hint::ListOutline) })
            }
        }
    }
}
