//! What the database contains.

use asof_engine::UndefinedNames;
use asof_model::NodeId;
use asof_model::{ErrorKind, Hint};
use asof_wire::{
    Answer, Condition, IssueRow, KindCount, ListRequest, ModuleFile, NodePresence, OutlineItem,
    RelationCount, UnresolvedRow,
};
use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Question, Request};
use crate::listing::Listing;
use crate::problem::Problem;
use crate::target::Target;

pub const MODULES: Question<Target, Answer<ModuleFile>> = Question::new(
    "/api/inspect/modules",
    "Files of a module",
    |moment, target: Target| {
        let answer = moment.snapshot.module_files(&target.any(moment.snapshot)?)?;
        if answer.items.is_empty() {
            let message = format!("`{}` is not a module", target.item.path);
            let hint = Hint::advice("`resolve` gives the file of other items");
            return Err(Problem::new(ErrorKind::NoMatch, message, hint));
        }
        Ok(answer)
    },
    Listing {
        columns: &[
            ("module", "{module_path}"),
            ("kind", "{module_kind}"),
            ("file", "{file_path}"),
            ("id", "{id}"),
        ],
        keys: "id module_path module_kind file_path namespace tracking_hash",
    },
)
.pages(50);

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct NodesRequest {
    /// Ids of nodes
    #[arg(required = true)]
    ids: Vec<NodeId>,
}

impl Request for NodesRequest {}

pub const NODES: Question<NodesRequest, Answer<NodePresence>> = Question::new(
    "/api/inspect/nodes",
    "Whether nodes exist, with their hash and span",
    |moment, request: NodesRequest| Ok(moment.snapshot.nodes(&request.ids)?),
    Listing {
        columns: &[
            ("id", "{id}"),
            ("present", "{present}"),
            ("kind", "{kind}"),
            ("place", "{file_path}:{span/start_line}-{span/end_line}"),
            ("tracking", "{tracking_hash}"),
        ],
        keys: "id present kind tracking_hash file_path span span.start_byte span.end_byte \
               span.start_line span.end_line",
    },
)
.pages(50);

/// A request without parameters.
#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct Nothing {}

impl Request for Nothing {}

pub const COUNTS: Question<Nothing, Answer<RelationCount>> = Question::new(
    "/api/inspect/counts",
    "Number of rows of each relation",
    |moment, _| Ok(moment.snapshot.counts()?),
    Listing { columns: &[("relation", "{relation}"), ("rows", "{rows}")], keys: "" },
);

pub const KINDS: Question<Nothing, Answer<KindCount>> = Question::new(
    "/api/inspect/kinds",
    "Number of definitions by kind",
    |moment, _| Ok(moment.snapshot.kinds()?),
    Listing { columns: &[("kind", "{kind}"), ("definitions", "{definitions}")], keys: "" },
);

impl Request for ListRequest {
    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const CONDITIONS: Question<ListRequest, Answer<Condition>> = Question::new(
    "/api/cfg",
    "Conditions that items are compiled under",
    |moment, request: ListRequest| Ok(moment.snapshot.conditions(request.limit)?),
    Listing {
        columns: &[
            ("definitions", "{definitions}"),
            ("effective", "{effective}"),
            ("files", "{files}"),
            ("condition", "{condition}"),
        ],
        keys: "condition definitions effective files",
    },
)
.pages(50);

pub const ISSUES: Question<ListRequest, Answer<IssueRow>> = Question::new(
    "/api/inspect/issues",
    "What could not be read or parsed",
    |moment, request: ListRequest| Ok(moment.snapshot.issues(request.limit)?),
    Listing {
        columns: &[
            ("kind", "{kind}"),
            ("place", "{file_path}:{span/start_line}"),
            ("message", "{message}"),
        ],
        keys: "file_path kind message span span.start_byte span.end_byte span.start_line \
               span.end_line",
    },
)
.pages(50);

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct NamesRequest {
    /// List names of dependencies and standard crates instead
    #[serde(default)]
    #[arg(long)]
    external: bool,
    #[arg(skip)]
    limit: Option<usize>,
}

impl Request for NamesRequest {
    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const UNRESOLVED: Question<NamesRequest, Answer<UnresolvedRow>> = Question::new(
    "/api/inspect/unresolved",
    "Names that could not be resolved",
    |moment, request: NamesRequest| {
        let names =
            if request.external { UndefinedNames::External } else { UndefinedNames::Unknown };
        Ok(moment.snapshot.unresolved(names, request.limit)?)
    },
    Listing {
        columns: &[
            ("kind", "{kind}"),
            ("text", "{text}"),
            ("in", "{source_path}"),
            ("file", "{file_path}"),
        ],
        keys: "text kind name source_path file_path external",
    },
)
.pages(50);

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct ByteRequest {
    /// The file, relative to the root
    #[arg(value_name = "FILE")]
    file_path: String,
    /// Offset in bytes, from 0
    byte: u32,
}

impl Request for ByteRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.file_path = file(&self.file_path);
    }
}

pub const AROUND: Question<ByteRequest, Answer<OutlineItem>> = Question::new(
    "/api/inspect/at",
    "The items around a byte of a file, innermost first",
    |moment, request: ByteRequest| Ok(moment.snapshot.item_at(&request.file_path, request.byte)?),
    Listing {
        columns: &[
            ("kind", "{kind}"),
            ("path", "{path}"),
            ("lines", "{span/start_line}-{span/end_line}"),
            ("cfg", "{cfg}"),
            ("signature", "{signature}"),
        ],
        keys: "id parent_id kind name path signature cfg tracking_hash span \
               span.start_byte span.end_byte span.start_line span.end_line",
    },
);
