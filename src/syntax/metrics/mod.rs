//! Metrics of items: complexity on the syntax tree, lines and technical debt on the tokens, and the
//! score made of them. All are pure functions of an item's own text; `docs/quality.md` defines them.

mod complexity;
mod lines;
mod satd;
mod tdg;
mod work;

#[cfg(test)]
mod tests;

pub(super) use complexity::{Scope, complexity};
pub(super) use lines::measure;
pub use tdg::{Component, Figures, GRADES, Tdg, points, tdg};
