//! Search, and code for a task.

use asof_wire::{
    CheckedClaim, ClaimRequest, CodeContext, CodeContextRequest, SearchAnswer, SearchDocs,
    SearchFiles, SearchRequest,
};

use super::{DependsOn, Question, Request};
use crate::listing::Listing;

impl Request for SearchRequest {
    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const SEARCH: Question<SearchRequest, SearchAnswer> = Question::new(
    "/api/search",
    "Items that answer a question",
    |moment, request| Ok(moment.snapshot.search(&request)?),
    Listing {
        columns: &[
            ("score", "{relevance_score}"),
            ("kind", "{kind}"),
            ("path", "{canonical_path}"),
            ("place", "{file_path}:{line}"),
            ("why", "{why}"),
            ("grade", "{tdg_grade}"),
            ("complexity", "{complexity}"),
            ("signature", "{signature}"),
        ],
        keys: "id file_path function_name canonical_path kind signature doc_comment start_line \
               end_line line language tdg_score tdg_grade complexity cognitive big_o satd_count \
               loc relevance_score why in_test other_condition alike rank_value matches source \
               features",
    },
)
.pages_of("results", 10);

pub const SEARCH_FILES: Question<SearchRequest, SearchFiles> = Question::new(
    "/api/search/files",
    "Files that answer a question",
    |moment, request| Ok(moment.snapshot.search_files(&request)?),
    Listing {
        columns: &[("score", "{relevance_score}"), ("file", "{file_path}"), ("items", "{items}")],
        keys: "file_path relevance_score items why features",
    },
)
.pages_of("results", 10);

pub const SEARCH_DOCS: Question<SearchRequest, SearchDocs> = Question::new(
    "/api/search/docs",
    "Items and sections of documentation that answer a question",
    |moment, request| Ok(moment.snapshot.search_docs(&request)?),
    Listing {
        columns: &[
            ("tag", "{tag}"),
            ("score", "{relevance_score}"),
            ("kind", "{kind}"),
            ("path", "{path}"),
            ("place", "{file_path}:{line}"),
            ("grade", "{tdg_grade}"),
        ],
        keys: "tag file_path heading level start_line end_line language excerpt mentions id \
               function_name canonical_path kind signature doc_comment line tdg_score tdg_grade \
               complexity cognitive big_o satd_count loc relevance_score why in_test other_condition \
               alike source features doc_backlinks path",
    },
)
.pages_of("results", 10);

impl Request for CodeContextRequest {}

/// How recently items changed depends on the clock.
pub const CODE_CONTEXT: Question<CodeContextRequest, CodeContext> = Question::new(
    "/api/context/code",
    "Code up to a number of tokens",
    |moment, request| Ok(moment.snapshot.code_context(&request)?),
    Listing {
        columns: &[
            ("score", "{relevance_score}"),
            ("kind", "{kind}"),
            ("path", "{path}"),
            ("place", "{file_path}:{start_line}-{end_line}"),
            ("form", "{form}"),
            ("tokens", "{tokens}"),
        ],
        keys: "id path kind file_path start_line end_line form text tokens relevance_score \
               other_condition",
    },
)
.depends_on(DependsOn::More);

impl Request for ClaimRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.file_path = self.file_path.as_deref().map(file);
    }
}

/// A question may name another moment.
pub const VERIFY: Question<ClaimRequest, CheckedClaim> = Question::new(
    "/api/verify",
    "Whether a claimed answer is right",
    |moment, claim| Ok(moment.snapshot.check_claim(&claim)?),
    Listing { columns: &[], keys: "" },
)
.depends_on(DependsOn::More);
