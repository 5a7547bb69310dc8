//! What the database contains.

use asof::UndefinedNames;
use asof::model::NodeId;
use asof::wire::{
    Answer, ErrorKind, Hint, IssueRow, KindCount, ModuleFile, NodePresence, OutlineItem,
    RelationCount, Status, UnresolvedRow, When,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::target::Target;
use crate::http::endpoint::{Ask, Endpoint, Moment};
use crate::surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::of_database("/api/status", "State of the database", status),
        Endpoint::at_moment("/api/inspect/modules", "Files of a module", modules).pages(50),
        Endpoint::at_moment(
            "/api/inspect/nodes",
            "Whether nodes exist, with their hash and span",
            nodes,
        )
        .pages(50),
        Endpoint::at_moment("/api/inspect/counts", "Number of rows of each relation", counts),
        Endpoint::at_moment("/api/inspect/kinds", "Number of definitions by kind", kinds),
        Endpoint::at_moment("/api/inspect/issues", "What could not be read or parsed", issues)
            .pages(50),
        Endpoint::at_moment(
            "/api/inspect/unresolved",
            "Names that could not be resolved",
            unresolved,
        )
        .pages(50),
        Endpoint::at_moment(
            "/api/inspect/at",
            "The items around a byte of a file, innermost first",
            around,
        ),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
struct StatusRequest {
    /// State as of this moment.
    #[serde(default)]
    at: When,
}

fn status(ask: &Ask, request: StatusRequest) -> Result<Status, Problem> {
    Ok(ask.database.status_at(&request.at)?)
}

fn modules(moment: &Moment<'_>, target: Target) -> Result<Answer<ModuleFile>, Problem> {
    let answer = moment.snapshot.module_files(&target.any(&moment.snapshot)?)?;
    if answer.items.is_empty() {
        let message = format!("`{}` is not a module", target.item.path);
        let hint = Hint::advice("`/api/resolve` gives the file of other items");
        return Err(Problem::new(ErrorKind::NoMatch, message, hint));
    }
    Ok(answer)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct NodesRequest {
    /// Ids of nodes.
    ids: Vec<NodeId>,
}

fn nodes(moment: &Moment<'_>, request: NodesRequest) -> Result<Answer<NodePresence>, Problem> {
    Ok(moment.snapshot.nodes(&request.ids)?)
}

/// A request without parameters.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Nothing {}

fn counts(moment: &Moment<'_>, _: Nothing) -> Result<Answer<RelationCount>, Problem> {
    Ok(moment.snapshot.counts()?)
}

fn kinds(moment: &Moment<'_>, _: Nothing) -> Result<Answer<KindCount>, Problem> {
    Ok(moment.snapshot.kinds()?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ListRequest {
    limit: Option<usize>,
}

fn issues(moment: &Moment<'_>, request: ListRequest) -> Result<Answer<IssueRow>, Problem> {
    Ok(moment.snapshot.issues(request.limit)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct NamesRequest {
    /// Names of dependencies and standard crates instead.
    #[serde(default)]
    external: bool,
    limit: Option<usize>,
}

fn unresolved(
    moment: &Moment<'_>,
    request: NamesRequest,
) -> Result<Answer<UnresolvedRow>, Problem> {
    let names = match request.external {
        true => UndefinedNames::External,
        false => UndefinedNames::Unknown,
    };
    Ok(moment.snapshot.unresolved(names, request.limit)?)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ByteRequest {
    /// The file, relative to the root.
    file_path: String,
    /// Offset in bytes, from 0.
    byte: u32,
}

fn around(moment: &Moment<'_>, request: ByteRequest) -> Result<Answer<OutlineItem>, Problem> {
    Ok(moment.snapshot.item_at(&request.file_path, request.byte)?)
}
