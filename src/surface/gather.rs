//! Collects the items of several paths, and the errors of the others.

use asof_engine::Snapshot;
use asof_model::Hint;
use asof_wire::{FailedPath, Item, SourceForm, Sources};

use super::problem::Problem;
use super::text::sentence;

/// Whether the source of a type is followed by its impl blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Impls {
    Show,
    LeaveOut,
}

impl Impls {
    /// Of a flag `with_impls`.
    pub fn with(show: bool) -> Self {
        if show { Self::Show } else { Self::LeaveOut }
    }
}

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

    /// The sources of the items, and of the impl blocks of types if asked for.
    ///
    /// # Errors
    /// No path has an item; a failure of the database.
    pub fn show(
        &mut self,
        snapshot: &Snapshot<'_>,
        impls: Impls,
        form: SourceForm,
        words: impl Fn(&Hint) -> String + Copy,
    ) -> Result<Sources, Problem> {
        if self.items.is_empty()
            && let Some(problem) = self.problem(words)
        {
            return Err(problem);
        }
        if impls == Impls::Show {
            self.items = snapshot.with_impls(&self.items)?;
        }
        let answer = snapshot.show_as(&self.items, form)?;
        Ok(Sources { answer, failed: self.failed(words) })
    }

    /// The paths without items, with hints in the words of a surface.
    fn failed(&self, words: impl Fn(&Hint) -> String) -> Vec<FailedPath> {
        let failed = self.failed.iter();
        failed
            .map(|(path, problem)| FailedPath {
                path: path.clone(),
                error: problem.clone().report(&words),
            })
            .collect()
    }

    /// The error of the paths without items; none if every path has some.
    fn problem(&self, words: impl Fn(&Hint) -> String) -> Option<Problem> {
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
