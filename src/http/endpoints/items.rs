//! Items and files: where they are, their source, their members.

use asof::model::{NodeId, NodeKind};
use asof::wire::{
    Answer, ApiItem, ErrorKind, FileMetadata, Hint, Item, OutlineEntry, Resolution, ResolveRequest,
    SourceForm, Sources,
};
use asof::{Hidden, Members, Snapshot};
use schemars::JsonSchema;
use serde::Deserialize;

use super::target::Target;
use crate::http::endpoint::{Endpoint, Moment};
use crate::http::hint;
use crate::surface::gather::{Gathered, Impls};
use crate::surface::problem::Problem;
use crate::surface::target;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::at_moment(
            "/api/resolve",
            "Find the definitions that a canonical or public path names",
            resolve,
        ),
        Endpoint::at_moment("/api/show", "Source of items, from the database", show).pages(50),
        Endpoint::at_moment("/api/outline", "Members of an item, or items of a file", outline)
            .pages(50),
        Endpoint::at_moment("/api/api", "What users of a library can name", api).pages(50),
        Endpoint::at_moment("/api/file", "What is known about a file", file),
    ]
}

fn resolve(moment: &Moment<'_>, target: Target) -> Result<Resolution, Problem> {
    let found = target.resolve_anywhere(&moment.snapshot)?;
    found.any()?;
    Ok(found)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ShowRequest {
    /// Paths of items (`crate::a::f`, `package::Type::method`, `<Type as Trait>::method`), or
    /// FILE:LINE or FILE:FIRST-LAST.
    paths: Vec<String>,
    /// Only items of this kind.
    kind: Option<NodeKind>,
    /// Only items in this file: relative to the root, or a path suffix.
    file_path: Option<String>,
    /// Only items that this package defines.
    package: Option<String>,
    /// Only the item with this id, or whose id starts with it.
    id: Option<String>,
    /// All matches instead of an error if there are several.
    #[serde(default)]
    all: bool,
    #[serde(default)]
    form: SourceForm,
    /// Also the impl blocks of each type.
    #[serde(default)]
    with_impls: bool,
}

impl ShowRequest {
    fn items(&self, snapshot: &Snapshot<'_>, path: &str) -> Result<Vec<Item>, Problem> {
        let item = ResolveRequest {
            path: path.to_owned(),
            kind: self.kind,
            file_path: self.file_path.clone(),
            package: self.package.clone(),
        };
        let all = self.all || item.is_range();
        let target = Target { item, id: self.id.clone() };
        let found = target.resolve_anywhere(snapshot)?;
        match all {
            true => Ok(found.any()?.to_vec()),
            false => Ok(vec![found.one()?.clone()]),
        }
    }
}

fn show(moment: &Moment<'_>, request: ShowRequest) -> Result<Sources, Problem> {
    let snapshot = &moment.snapshot;
    let mut gathered = Gathered::default();
    for path in &request.paths {
        gathered.add(path, request.items(snapshot, path));
    }
    let impls = Impls::with(request.with_impls);
    gathered.show(snapshot, impls, request.form, hint::words)
}

#[derive(Debug, Deserialize, JsonSchema)]
struct OutlineRequest {
    #[serde(flatten)]
    target: Target,
    /// Levels to list, submodules and trait impls included; without it 2, without those.
    depth: Option<u32>,
}

fn outline(moment: &Moment<'_>, request: OutlineRequest) -> Result<Answer<OutlineEntry>, Problem> {
    let snapshot = &moment.snapshot;
    let path = request.target.item.path.as_str();
    target::outline(snapshot, (path, path), request.depth, || {
        Ok(ids(&request.target.any(snapshot)?))
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ApiRequest {
    /// Path of a crate or module; every library without it.
    path: Option<String>,
    /// Only modules of this package.
    package: Option<String>,
    /// Public fields, variants, methods and items of traits too.
    #[serde(default)]
    members: bool,
    /// Without `#[doc(hidden)]` items.
    #[serde(default)]
    no_hidden: bool,
    limit: Option<usize>,
}

fn api(moment: &Moment<'_>, request: ApiRequest) -> Result<Answer<ApiItem>, Problem> {
    let snapshot = &moment.snapshot;
    let modules = match request.path {
        None => Vec::new(),
        Some(path) => {
            let item = ResolveRequest {
                path,
                kind: Some(NodeKind::Module),
                file_path: None,
                package: request.package,
            };
            let found = Target { item, id: None }.any(snapshot)?;
            snapshot.libraries_among(&ids(&found))?
        }
    };
    let members = if request.members { Members::List } else { Members::LeaveOut };
    let hidden = if request.no_hidden { Hidden::LeaveOut } else { Hidden::List };
    Ok(snapshot.api(&modules, members, hidden, request.limit)?)
}

fn ids(items: &[Item]) -> Vec<NodeId> {
    items.iter().map(|item| item.id).collect()
}

#[derive(Debug, Deserialize, JsonSchema)]
struct FileRequest {
    /// The file, relative to the root.
    path: String,
}

fn file(moment: &Moment<'_>, request: FileRequest) -> Result<Answer<FileMetadata>, Problem> {
    let answer = moment.snapshot.file(&request.path)?;
    match answer.items.iter().find(|file| !file.exists && !file.indexed) {
        None => Ok(answer),
        Some(file) => {
            let message = format!("no file {}", file.file_path);
            let hint = Hint::advice("paths are relative to the root of the workspace");
            Err(Problem::new(ErrorKind::NoMatch, message, hint))
        }
    }
}
