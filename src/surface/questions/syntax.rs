//! Matches of syntax trees.

use asof_wire::{AstMatches, AstRequest};

use super::{Question, Request};
use crate::listing::Listing;
use crate::text::claims::{syntax_match, syntax_summary};

impl Request for AstRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.files.iter_mut().for_each(|path| *path = file(path));
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const AST_QUERY: Question<AstRequest, AstMatches> = Question::new(
    "/api/ast-query",
    "Matches of a tree-sitter query",
    |moment, request| Ok(moment.snapshot.ast_query(&request)?),
    Listing {
        columns: &[
            ("place", "{file_path}:{line}"),
            ("pattern", "{pattern}"),
            ("captures", "{captures}"),
        ],
        keys: "file_path line pattern captures captures.name captures.node captures.text \
               captures.start_byte captures.end_byte captures.start_line captures.start_column \
               captures.end_line",
    },
)
.pages(50)
.text(|found| found.answer.items.iter().map(syntax_match).collect())
.notes(|found, _| vec![syntax_summary(found)]);
