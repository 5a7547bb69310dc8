//! Wire types: requests and answers, each once. The library takes and returns them, and the
//! command line prints them.

mod search;

pub use search::{
    FileHit, Grades, Hit, LineMatch, RankBy, SearchAnswer, SearchFiles, SearchMode, SearchRequest, Summary,
};
