//! Search: terms of identifiers and prose, the stored terms of each file, and their scores; in
//! `dense`, vectors of items; text search by line. It gives candidates with features, which
//! `queries/search/` combines into a ranking. It reads no source file, and knows no command line.

mod bm25;
mod candidates;
mod collect;
mod collect_sections;
mod completion;
mod corpus;
pub mod dense;
mod diversity;
mod error;
mod file_terms;
mod fusion;
mod intent;
mod matched_tags;
mod meaning;
mod mentions;
mod pattern;
mod question;
mod resemblance;
mod symbols;
mod tags;
mod terms;
mod tokens;
mod vocabulary;
mod words;

pub use bm25::Weights;
pub use candidates::{Candidate, Candidates, FileScore};
pub use collect::{collect, each_text};
pub use collect_sections::{collect_sections, is_release_notes};
pub use corpus::{Corpus, Scope, is_aside_path, is_hidden, is_test_path};
pub use diversity::diverse;
pub use error::SearchError;
pub use file_terms::{Field, FileTerms, Flags, ItemTerms};
pub use fusion::{RRF_K, reciprocal_rank_fusion};
pub use intent::{Intent, Keyword, Place};
pub use matched_tags::{MAX_TAGS, MatchedTag};
pub use meaning::Direction;
pub use pattern::{MatchedLine, PatternError, TextSearch};
pub use question::{MAX_QUERY_BYTES, QueryTerm, Question, Shape, within_limits};
pub use resemblance::similar_texts;
pub use terms::{Part, Term, Text, each_word, whole, words};
pub use tokens::{TOKENIZER, count_tokens, tokens_within};
pub use words::{DIMENSION, WordVector, WordVectors};
