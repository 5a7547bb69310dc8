//! `show`: the source of items.

use asof_engine::{EngineError, Open, Snapshot};
use asof_model::NodeId;
use asof_model::{ErrorKind, Hint};
use asof_wire::{Item, Resolution, ResolveRequest, SourceForm, Sources};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::hint;
use crate::page::{Pager, Reply};
use crate::tool::{self, Call, Effect, Offered, Tool};
use asof_surface::gather::{Gathered, Impls};
use asof_surface::problem::Problem;
use asof_surface::target::{Target, is_file};

pub const TOOL: Tool = Tool {
    name: "show",
    title: "Show source",
    description: "Use instead of reading a file when you need the code of one or several items: \
                  their exact source, now or at an earlier revision.",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<Sources>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// One or several: crate::a::f, Type::method, <T as Trait>::m, src/a.rs:42 or src/a.rs:42-50 (the items there), src/a.rs
    #[serde(alias = "paths")]
    path: Paths,
    #[serde(default)]
    form: SourceForm,
    /// Also the impl blocks of types
    #[serde(default)]
    with_impls: bool,
    /// A moment: -2h, RFC 3339, revision id, git commit, branch or tag; default NOW
    at: Option<String>,
    configuration: Option<String>,
    /// From the previous answer
    cursor: Option<String>,
    /// Up to 10000; default 4000
    max_tokens: Option<u32>,
}

/// A path, or several.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Paths {
    Single(String),
    Several(Vec<String>),
}

impl Paths {
    fn all(&self) -> &[String] {
        match self {
            Self::Single(path) => std::slice::from_ref(path),
            Self::Several(paths) => paths,
        }
    }
}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let paths = arguments.path.all();
    if paths.is_empty() {
        return Err(Problem::from(EngineError::BadRequest {
            what: "`path` is empty".to_owned(),
            hint: "name at least one item: {\"path\": \"crate::a::f\"}".into(),
        }));
    }
    let mut gathered = Gathered::default();
    for path in paths {
        gathered.add(path, anywhere(snapshot, path, arguments.form));
    }
    let impls = Impls::with(arguments.with_impls);
    pager.sources(gathered.show(snapshot, impls, arguments.form, hint::words)?)
}

/// Every item that a path means, of dependencies too.
fn anywhere(snapshot: &Snapshot<'_>, path: &str, form: SourceForm) -> Result<Vec<Item>, Problem> {
    if is_file(path) {
        return meant(snapshot, path);
    }
    let found = Target::new(path).resolve_anywhere(snapshot)?.any()?.to_vec();
    if found.len() > MANY && form != SourceForm::Signature && !ResolveRequest::new(path).is_range()
    {
        let mut matches: Vec<String> = found.iter().take(LISTED).map(Resolution::line).collect();
        if found.len() > LISTED {
            matches.push(format!("and {} more", found.len() - LISTED));
        }
        let message = format!("{} items have this name:\n  {}", found.len(), matches.join("\n  "));
        let hint = Hint::advice("give the path of those that you mean");
        return Err(Problem::new(ErrorKind::Ambiguous, message, hint));
    }
    Ok(found)
}

/// Matches of one path, above which they are listed without their sources.
const MANY: usize = 4;
/// Matches that such a list has.
const LISTED: usize = 30;

/// Every item of the workspace that a path means.
pub fn meant(snapshot: &Snapshot<'_>, path: &str) -> Result<Vec<Item>, Problem> {
    if is_file(path) {
        let outline = snapshot.file_outline(path, 0, Open::Members)?;
        let ids: Vec<NodeId> = outline.items.iter().map(|entry| entry.id).take(1).collect();
        return Ok(snapshot.items(&ids)?);
    }
    Ok(Target::new(path).resolve(snapshot)?.any()?.to_vec())
}
