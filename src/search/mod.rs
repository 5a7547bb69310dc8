//! Search: terms of identifiers and prose, the stored terms of each file, and their scores; in
//! `dense`, vectors of items; text search by line. It gives candidates with features, which
//! `queries/search/` combines into a ranking. It reads no source file, and knows no command line.

mod candidates;
mod collect;
mod collect_sections;
mod completion;
pub mod dense;
mod diversity;
mod error;
mod file_terms;
mod fusion;
mod intent;
mod matched_tags;
mod mentioning;
mod pattern;
mod question;
mod symbols;
mod tags;
mod terms;
mod tokens;
mod vocabulary;

pub use candidates::{
    Candidate, Candidates, Corpus, FileScore, Scope, Weights, is_aside_path, is_hidden,
    is_test_path,
};
pub use collect::collect;
pub use collect_sections::{collect_sections, is_release_notes};
pub use diversity::diverse;
pub use error::SearchError;
pub use file_terms::{Field, FileTerms, Flags, ItemTerms};
pub use fusion::{RRF_K, reciprocal_rank_fusion};
pub use intent::{Intent, Keyword, Place};
pub use matched_tags::{MAX_TAGS, MatchedTag};
pub use pattern::{MatchedLine, PatternError, TextSearch};
pub use question::{MAX_QUERY_BYTES, QueryTerm, Question, Shape, within_limits};
pub use terms::Term;
pub use tokens::{TOKENIZER, count_tokens, tokens_within};
