//! What a database keeps in memory between questions: plain data that the questions fill and read.
//! No question is here.

mod answers;
mod contexts;
mod corpus;
mod dependencies;
mod matches;
mod sources;
mod totals;
mod truths;
mod vectors;

pub(super) use answers::{AnswerCache, Weigh};
pub(super) use contexts::ContextCache;
pub(super) use corpus::{CorpusCache, KeptCorpus, SearchedState};
pub(super) use dependencies::DependencyCache;
pub(super) use matches::MatchCache;
pub(super) use sources::{KeptTexts, SourceCache, SourceText};
pub(super) use totals::TotalsCache;
pub(super) use truths::{Doubts, Known, Subject, Truth, TruthCache};
pub(super) use vectors::{DenseState, Vectors};
