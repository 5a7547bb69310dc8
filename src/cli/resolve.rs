//! `asof resolve`, and the arguments by which other commands name an item.

use asof::model::NodeKind;
use asof::wire::{Resolution, ResolveRequest};
use asof::{EngineError, Snapshot};
use clap::Args;

use super::context::Context;
use super::failure::{Failure, Kind};
use super::globals::Format;
use super::hint;
use super::output::{self, Listing};
use crate::surface::target::Target;
use crate::surface::text;

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

/// Find the definition that a canonical or public path names
///
/// The canonical path and the exact file are tried first. If nothing matches, public paths through
/// re-exports, path suffixes and file name suffixes match too, and the answer says `relaxed`. A path
/// that leads to a dependency gives its item there, with the version.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof resolve asof::When
  asof resolve asof::When::parse --kind method
  asof resolve '<asof::When as Display>::fmt'
  asof resolve asof::When::parse --file src/wire/moment.rs --at -1h")]
pub struct ResolveArgs {
    #[command(flatten)]
    pub item: ItemArgs,
}

/// How an item is named.
#[derive(Debug, Args)]
pub struct ItemArgs {
    /// Path of the item: crate::a::f, package::Type::method, <Type as Trait>::method, or a place:
    /// src/a.rs:42
    pub path: String,
    #[command(flatten)]
    pub filter: Filter,
}

/// Filters that tell items with the same path apart.
#[derive(Debug, Clone, Args)]
pub struct Filter {
    /// Only items of this kind: function, struct, method, …
    #[arg(long, value_parser = kind)]
    pub kind: Option<NodeKind>,
    /// Only items in this file
    #[arg(long)]
    pub file: Option<String>,
    /// Only items of this package
    #[arg(long)]
    pub package: Option<String>,
    /// Only the item with this id, or whose id starts with it
    #[arg(long)]
    pub id: Option<String>,
}

/// Parses an item kind.
pub fn kind(text: &str) -> Result<NodeKind, String> {
    text.parse().map_err(|error: asof::model::UnknownKind| error.to_string())
}

impl ItemArgs {
    /// Items at a path, optionally of a kind and a package.
    pub fn new(path: &str, kind: Option<NodeKind>, package: Option<String>) -> Self {
        Self { path: path.to_owned(), filter: Filter { kind, file: None, package, id: None } }
    }

    /// Finds the items.
    pub fn resolve(
        &self,
        context: &Context,
        snapshot: &Snapshot<'_>,
    ) -> Result<Resolution, EngineError> {
        self.target(context).resolve(snapshot)
    }

    /// Finds the items; without any in the workspace, those in its dependencies.
    pub fn resolve_anywhere(
        &self,
        context: &Context,
        snapshot: &Snapshot<'_>,
    ) -> Result<Resolution, EngineError> {
        self.target(context).resolve_anywhere(snapshot)
    }

    fn target(&self, context: &Context) -> Target {
        let request = ResolveRequest {
            kind: self.filter.kind,
            package: self.filter.package.clone(),
            ..context.item(&self.path, self.filter.file.as_deref())
        };
        Target { request, id: self.filter.id.clone() }
    }
}

pub fn run(context: &Context, args: &ResolveArgs) -> anyhow::Result<()> {
    let database = context.database_at()?;
    let snapshot = context.snapshot(&database)?;
    let found = args.item.resolve_anywhere(context, &snapshot)?;
    if context.is_prose() && found.items().len() == 1 {
        describe(context, &found)?;
    } else if !found.items().is_empty() || context.format() == Format::Json {
        let mut columns = ITEM.columns.to_vec();
        if found.items().len() > 1 {
            columns.push(("id", "{id}"));
        }
        output::listing(context, &found, Listing { columns: &columns, keys: ITEM.keys })?;
    }
    match found.one() {
        Ok(_) => Ok(()),
        Err(error) => Err(without_candidates(error)),
    }
}

/// The error without the list that is on standard output already.
pub fn without_candidates(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Ambiguous { what, hint, .. } => {
            Failure::new(Kind::Ambiguous, what, hint::words(&hint)).into()
        }
        other => other.into(),
    }
}

/// One item in full.
fn describe(context: &Context, found: &Resolution) -> anyhow::Result<()> {
    for item in found.items() {
        output::print(&text::item(item))?;
    }
    let mode = serde_json::to_value(found.mode)?;
    context.note(&format!("found by {} match", output::scalar(&mode)));
    output::basis(context, &serde_json::to_value(&found.answer)?)
}
