//! `diff`: items that differ between two moments, which of them are proven to be the same code, which
//! tests they affect, how public interfaces differ, or what a merge would be.

use asof_engine::Refresh;
use asof_wire::{
    ApiDiff, Basis, ChangeImpact, Detail, Diff, DiffRequest, Guesses, MergePrediction,
    MergeRequest, Patch, Review, ReviewRequest,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::past::lines;
use super::target;
use crate::page::{Pager, Reply};
use crate::tool::{self, Call, Effect, Offered, Tool};
use crate::workspace::{refresh, when};
use asof_surface::problem::Problem;
use asof_surface::test_filter;
use asof_surface::text::change_impact::change_impact;
use asof_surface::text::plural;

pub const TOOL: Tool = Tool {
    name: "diff",
    title: "What changed",
    description: "Use to see which items were added, removed, changed, moved or renamed between \
                  two moments, with patches if wanted; e.g. since you began, or since a commit. \
                  Other modes: what is proven to be the same code (review), tests to run (tests), \
                  public interfaces (interface), what a merge would be (merge).",
    effect: Effect::Reads,
    offered: Offered::Always,
    input: tool::input::<Arguments>,
    output: tool::output::<Answer>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "the pager reads some")]
struct Arguments {
    /// Earlier moment, see `at` of show; a commit need not be imported
    from: String,
    /// Later moment; default NOW
    to: Option<String>,
    /// Only in this item, module, file or folder
    path: Option<String>,
    kind: Option<String>,
    /// Unified diff of each item
    #[serde(default)]
    patch: bool,
    /// Of merge, `from` is a branch or worktree. All but items are of the whole workspace
    #[serde(default)]
    mode: Mode,
    /// Also items that others imply
    #[serde(default)]
    all: bool,
    cursor: Option<String>,
    max_tokens: Option<u32>,
}

/// What is asked about two moments.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    #[default]
    Items,
    Review,
    Tests,
    Interface,
    Merge,
}

/// An answer of the tool.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Answer {
    Review(Box<Review>),
    Merge(Box<MergePrediction>),
    Tests(Box<ChangeImpact>),
    Interface(Box<ApiDiff>),
    Diff(Box<Diff>),
}

/// Proven items that a review lists.
const PROVEN: usize = 10;

/// Tests that the text lists.
const TESTS: usize = 50;

/// Changes of one package that the text lists.
const CHANGES: usize = 50;

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    let pager = Pager::new(call, TOOL.name, &given)?;
    let arguments: Arguments = tool::arguments(given)?;
    let patch = if arguments.patch { Patch::Unified } else { Patch::Without };
    let narrows = arguments.path.is_some() || arguments.kind.is_some() || arguments.all;
    if arguments.mode != Mode::Items && narrows {
        let hint = "leave out `path`, `kind` and `all`";
        return Err(Problem::bad_request("this mode is of all items", hint));
    }
    let database = call.workspace.database(call)?;
    if arguments.mode == Mode::Merge {
        let request = MergeRequest { theirs: arguments.from, ours: arguments.to };
        let found = database.merge_prediction(&request, &call.notifier)?;
        let basis = Basis::unknown(None, None);
        return pager.conflicts(&basis, &found, asof_surface::text::merge::prediction);
    }
    let (from, to) = (when(Some(&arguments.from))?, when(arguments.to.as_deref())?);
    refresh(call, &database, &to)?;
    let (free, notifier) = (Refresh::IfFree, &call.notifier);
    match arguments.mode {
        Mode::Review => {
            let request = ReviewRequest { patch };
            let mut found = database.review_between(&from, &to, free, &request, notifier)?;
            found.proven.truncate(PROVEN);
            let render = |found: &Review| asof_surface::text::review::review(found, Some(PROVEN));
            return pager.review(&found.basis.clone(), &found, render);
        }
        Mode::Tests => {
            let limit = Some(pager.limit());
            let found = database.impact_between(&from, &to, free, limit, notifier)?;
            return pager.list(&found.answer.basis.clone(), &found, |found: &ChangeImpact| {
                let commands = test_filter::cargo(&found.tests).join("\n");
                format!("{}\n{commands}\n", change_impact(found, Some(TESTS)))
            });
        }
        Mode::Interface => {
            let found = database.api_diff_between(&from, &to, free, None, notifier)?;
            let render = |found: &ApiDiff| asof_surface::text::api::diff(found, Some(CHANGES));
            return pager.list(&found.answer.basis.clone(), &found, render);
        }
        Mode::Items | Mode::Merge => {}
    }
    let request = DiffRequest {
        path: arguments.path,
        kind: arguments.kind.as_deref().map(target::kind).transpose()?,
        limit: Some(pager.limit()),
        detail: if arguments.all { Detail::All } else { Detail::Folded },
        patch,
        guesses: Guesses::LeaveOut,
    };
    let found = database.diff_between(&from, &to, free, &request, notifier)?;
    pager.list(&found.answer.basis.clone(), &found, text)
}

fn text(found: &Diff) -> String {
    let mut out = String::new();
    if found.answer.items.iter().any(|item| item.patch.is_some()) {
        for item in &found.answer.items {
            let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
            let was = item.previous_path.as_ref().map(|path| format!(" (was {path})"));
            let (kind, path, was) = (item.kind, &item.path, was.unwrap_or_default());
            out.push_str(&format!("# {kind} {path}{was}: {}\n", classes.join(", ")));
            out.push_str(item.patch.as_deref().unwrap_or_default());
        }
    } else {
        out = lines(found, &["what", "kind", "path", "file_path", "note"]);
    }
    let counts: Vec<String> =
        found.summary.iter().map(|(class, n)| format!("{n} {}", class.as_str())).collect();
    let total = match found.answer.total {
        0 => "no item differs".to_owned(),
        total => format!("{}: {}", plural(total, "item"), counts.join(", ")),
    };
    let folded = match found.folded {
        0 => String::new(),
        n => format!("; {n} more with `all`"),
    };
    let since = found.from.at.as_deref().unwrap_or_default();
    format!("{out}{total} since {since}{folded}\n")
}
