//! Items and files: where they are, what they contain, what other crates can name.

use asof_engine::{EngineError, Hidden, Members};
use asof_model::{ErrorKind, Hint};
use asof_model::{NodeId, NodeKind};
use asof_wire::{
    Answer, ApiItem, FileMetadata, Item, OutlineEntry, Resolution, ResolveRequest, SourceForm,
    Sources,
};
use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Moment, Question, Request};
use crate::gather::{Gathered, Impls};
use crate::listing::Listing;
use crate::problem::Problem;
use crate::target::{self, Target};
use crate::text::{self, plural};

impl Request for Target {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        Self::find_files(self, file);
    }
}

pub const RESOLVE: Question<Target, Resolution> = Question::new(
    "/api/resolve",
    "Find the definitions that a canonical or public path names",
    |moment, target: Target| {
        let found = target.resolve_anywhere(moment.snapshot)?;
        found.any()?;
        Ok(found)
    },
    ITEM,
);

/// Columns and fields of a list of items.
pub const ITEM: Listing<'_> = Listing {
    columns: &[
        ("kind", "{kind}"),
        ("path", "{path}"),
        ("place", "{file_path}:{span/start_line}-{span/end_line}"),
        ("cfg", "{cfg}"),
        ("signature", "{signature}"),
    ],
    keys: "id kind name path file_path file_hash tracking_hash shape_hash span \
           span.start_byte span.end_byte span.start_line span.end_line line namespace module_path \
           visibility signature cfg docs dependency dependency.name dependency.version \
           dependency.source",
};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct ShowRequest {
    /// Paths of items (crate::a::f, package::Type::method, <Type as Trait>::method), or FILE:LINE,
    /// FILE:FIRST-LAST; or whole files
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<String>,
    /// Only items of this kind: function, struct, method, …
    #[arg(long)]
    pub kind: Option<NodeKind>,
    /// Only items in this file: relative to the root, absolute, or the end of a path
    #[arg(long = "file", value_name = "FILE")]
    pub file_path: Option<String>,
    /// Only items of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Only the item with this id, or whose id starts with it
    #[arg(long)]
    pub id: Option<String>,
    /// Show all matches instead of failing when there are several
    #[serde(default)]
    #[arg(long)]
    pub all: bool,
    #[serde(default)]
    #[arg(skip)]
    pub form: SourceForm,
    /// Also show the impl blocks of each type
    #[serde(default)]
    #[arg(long)]
    pub with_impls: bool,
}

impl Request for ShowRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        for path in &mut self.paths {
            let mut target = Target::new(path);
            target.find_files(file);
            *path = if target::is_file(path) { file(path) } else { target.item.path };
        }
        self.file_path = self.file_path.as_deref().map(file);
    }
}

pub const SHOW: Question<ShowRequest, Sources> =
    Question::new("/api/show", "Source of items, from the database", show, ITEM).pages(50);

fn show(moment: &Moment<'_, '_>, request: ShowRequest) -> Result<Sources, Problem> {
    let mut gathered = Gathered::default();
    for path in &request.paths {
        gathered.add(path, shown(moment, &request, path));
    }
    let impls = Impls::with(request.with_impls);
    gathered.show(moment.snapshot, impls, request.form, moment.words.hint)
}

/// The items of one of the paths.
fn shown(moment: &Moment<'_, '_>, request: &ShowRequest, path: &str) -> Result<Vec<Item>, Problem> {
    if target::is_file(path) {
        return Ok(vec![moment.snapshot.file_module(path)?]);
    }
    let item = ResolveRequest {
        path: path.to_owned(),
        kind: request.kind,
        file_path: request.file_path.clone(),
        package: request.package.clone(),
    };
    let all = request.all || item.is_range();
    let found = Target { item, id: request.id.clone() }.resolve_anywhere(moment.snapshot)?;
    if all { Ok(found.any()?.to_vec()) } else { Ok(vec![found.unique()?.clone()]) }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[command(mut_arg("path", |path| path.help(
    "Path of the item, a file or a folder: crate::Type, crate::module, src/lib.rs, src"
)))]
pub struct OutlineRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub target: Target,
    /// Number of levels to show, submodules and trait impls included [default: 2, without those;
    /// of a folder 1]
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// The path as that of a file.
    #[serde(skip)]
    #[arg(skip)]
    place: Option<String>,
    #[serde(default)]
    #[schemars(skip)]
    #[arg(skip)]
    limit: Option<usize>,
}

impl Request for OutlineRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.place = Some(file(&self.target.item.path));
        self.target.find_files(file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const OUTLINE: Question<OutlineRequest, Answer<OutlineEntry>> = Question::new(
    "/api/outline",
    "Members of an item, or items of a file",
    outline,
    Listing {
        columns: &[
            ("depth", "{depth}"),
            ("kind", "{kind}"),
            ("name", "{name}"),
            ("place", "{file_path}:{line}-{end_line}"),
            ("cfg", "{cfg}"),
            ("signature", "{signature}"),
        ],
        keys: "id parent_id depth kind name path visibility signature cfg file_path line \
               end_line children tracking_hash",
    },
)
.pages(50)
.text(|found| text::outline(&found.items));

fn outline(
    moment: &Moment<'_, '_>,
    request: OutlineRequest,
) -> Result<Answer<OutlineEntry>, Problem> {
    let path = request.target.item.path.as_str();
    let place = request.place.as_deref().unwrap_or(path);
    let outside = || -> Result<Option<Answer<OutlineEntry>>, EngineError> {
        if !path.contains("::") {
            return Ok(None);
        }
        let found = request.target.resolve_anywhere(moment.snapshot)?;
        moment.snapshot.outline_of_dependency(&found, request.depth)
    };
    let mut found = target::outline(moment.snapshot, path, place, request.depth, || {
        Ok::<_, Problem>(ids(&request.target.any(moment.snapshot)?))
    })
    .or_else(|error| outside()?.ok_or(error))?;
    found.cut(request.limit);
    Ok(found)
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct ApiRequest {
    /// Path of a crate or module; every library without it
    pub path: Option<String>,
    /// Only modules of this package
    #[arg(long)]
    pub package: Option<String>,
    /// List public fields, variants, methods and items of traits too
    #[serde(default)]
    #[arg(long)]
    pub members: bool,
    /// Leave out `#[doc(hidden)]` items
    #[serde(default)]
    #[arg(long)]
    pub no_hidden: bool,
    #[arg(skip)]
    pub limit: Option<usize>,
}

impl Request for ApiRequest {
    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const API: Question<ApiRequest, Answer<ApiItem>> = Question::new(
    "/api/api",
    "What users of a library can name",
    api,
    Listing {
        columns: &[
            ("path", "{path}"),
            ("kind", "{kind}"),
            ("signature", "{signature}"),
            ("place", "{file_path}:{line}"),
            ("cfg", "{cfg}"),
            ("hidden", "{hidden}"),
            ("re-exported", "{reexported}"),
        ],
        keys: "path kind signature id canonical_path file_path line cfg hidden reexported \
               other_paths",
    },
)
.pages(50)
.text(text::api)
.notes(|found, _| vec![plural(found.total, "item")]);

fn api(moment: &Moment<'_, '_>, request: ApiRequest) -> Result<Answer<ApiItem>, Problem> {
    let snapshot = moment.snapshot;
    let modules = match &request.path {
        None => Vec::new(),
        Some(path) => {
            let (kind, package) = (Some(NodeKind::Module), request.package.clone());
            let item = ResolveRequest { kind, package, ..ResolveRequest::new(path) };
            let found = Target { item, id: None }.any(snapshot);
            if found.is_err() && !Target::new(path).resolve(snapshot)?.items().is_empty() {
                let hint = Hint::advice("`outline` shows the members of other items");
                let message = format!("`{path}` is not a module");
                return Err(Problem::new(ErrorKind::NoMatch, message, hint));
            }
            snapshot.libraries_among(&ids(&found?))?
        }
    };
    let members = if request.members { Members::List } else { Members::LeaveOut };
    let hidden = if request.no_hidden { Hidden::LeaveOut } else { Hidden::List };
    Ok(snapshot.api(&modules, members, hidden, request.limit)?)
}

fn ids(items: &[Item]) -> Vec<NodeId> {
    items.iter().map(|item| item.id).collect()
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct FileRequest {
    /// The file, relative to the root
    pub path: String,
}

impl Request for FileRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.path = file(&self.path);
    }
}

pub const FILE: Question<FileRequest, Answer<FileMetadata>> = Question::new(
    "/api/file",
    "What is known about a file",
    file,
    Listing { columns: &[], keys: "" },
);

fn file(moment: &Moment<'_, '_>, request: FileRequest) -> Result<Answer<FileMetadata>, Problem> {
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
