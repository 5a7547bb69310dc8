//! Edits: planned first, applied and undone by the proposal's id.

use asof_engine::{Database, EditOptions, EngineError, Refresh};
use asof_model::{Span, TrackingHash};
use asof_wire::When;
use asof_wire::{
    EditRequest, EditSummary, ProposalDetails, ProposalList, ProposalRow, ProposalStatus,
    ResolveRequest,
};
use rmcp::model::JsonObject;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::page::{self, Reply, basis_line};
use crate::schema;
use crate::tool::{self, Call, Effect, Offered, Tool};
use asof_surface::problem::Problem;
use asof_surface::text;

pub const PLAN: Tool = Tool {
    name: "plan_code_edit",
    title: "Plan an edit",
    description: "Use to change code: checks edits of items by path and keeps them as a proposal, \
                  without touching a file. Answers with its id, the diff and warnings; \
                  apply_code_edit writes it.",
    effect: Effect::Proposes,
    offered: Offered::Always,
    input: tool::input::<PlanArguments>,
    output: schema::output::<EditSummary>,
    run: plan,
};

pub const APPLY: Tool = Tool {
    name: "apply_code_edit",
    title: "Apply an edit",
    description: "Use after plan_code_edit to write a proposal to disk, all files or none. \
                  Answers with the new spans and hashes.",
    effect: Effect::Writes,
    offered: Offered::Always,
    input: tool::input::<ProposalArguments>,
    output: schema::output::<Edited>,
    run: apply,
};

pub const UNDO: Tool = Tool {
    name: "undo_code_edit",
    title: "Undo an edit",
    description: "Use to take back an applied proposal; later edits elsewhere in its files stay.",
    effect: Effect::Writes,
    offered: Offered::Always,
    input: tool::input::<ProposalArguments>,
    output: schema::output::<Edited>,
    run: undo,
};

pub const LIST: Tool = Tool {
    name: "list_code_edits",
    title: "List edits",
    description: "Use to find the id of a proposal: the newest 50, or one in full.",
    effect: Effect::Proposes,
    offered: Offered::OnRequest,
    input: tool::input::<ListArguments>,
    output: list_output,
    run: list,
};

pub const DENY: Tool = Tool {
    name: "deny_code_edit",
    title: "Reject an edit",
    description: "Use to reject a planned proposal for good.",
    effect: Effect::Proposes,
    offered: Offered::OnRequest,
    input: tool::input::<ProposalArguments>,
    output: schema::output::<ProposalRow>,
    run: deny,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanArguments {
    #[schemars(schema_with = "edits")]
    edits: Vec<Json>,
    /// Recorded with the revision
    reason: Option<String>,
    /// Format the changed items
    #[serde(default)]
    rustfmt: bool,
    /// Write files that do not parse
    #[serde(default)]
    allow_broken: bool,
    /// Of several definitions, the one it has
    #[serde(default)]
    configuration: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ProposalArguments {
    proposal_id: String,
    /// Recorded with the revision
    reason: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    /// Show this one in full
    proposal_id: Option<String>,
}

/// An edit that was applied or undone.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Edited {
    #[serde(flatten)]
    summary: EditSummary,
    /// The items of the edits as they are now; without those that no longer exist under their
    /// path.
    items: Vec<ItemNow>,
}

/// An item after an edit.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct ItemNow {
    path: String,
    file_path: String,
    span: Span,
    tracking_hash: TrackingHash,
}

/// Proposals that are listed.
const LISTED: usize = 50;

/// All modes but that of manifests, whose entries `asof deps` finds.
fn offered_modes() -> Vec<&'static str> {
    asof_wire::Edit::MODES.into_iter().filter(|mode| *mode != "manifest").collect()
}

/// The shapes of an edit in one object: a schema of each mode would be five times as long.
fn edits(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "description": "All are applied, or none. canonical: code replaces the item at path, its \
            part, or the text find in it. insert: code goes to position of the item anchor. \
            delete: path; uses = if_unused or with_uses refuses an item in use. rename: path gets \
            the name to at every use, local the one of a variable in it. move: path goes to the module \
            to. change_signature: changes of the function at path and its calls, in order, each one \
            of add {name, type, value, before}, remove, rename {from, to}, retype {name, type}, \
            order, returns, async, unsafe, const. splice: bytes of file_path. create_file: \
            file_path, code. rename_file: \
            file_path, to. delete_file: file_path.",
        "items": {
            "type": "object",
            "required": ["mode"],
            "properties": {
                "mode": {"enum": offered_modes()},
                "path": {"type": "string"},
                "part": {"enum": ["whole", "signature", "body", "docs", "attributes"]},
                "find": {"type": "string", "description": "occurs once, or with all"},
                "all": {"type": "boolean"},
                "code": {"type": "string"},
                "anchor": {"type": "string"},
                "position": {"enum": ["before", "after", "first_child", "last_child"]},
                "file_path": {"type": "string"},
                "kind": {"type": "string"},
                "has": {"type": "string", "description": "text of the right one of several items"},
                "expected_tracking_hash": {"type": "string"},
                "expected_file_hash": {"type": "string"},
                "start_byte": {"type": "integer"},
                "end_byte": {"type": "integer"},
                "replacement": {"type": "string"},
                "to": {"type": "string"},
                "local": {"type": "string"},
                "keep_old": {"type": "boolean"},
                "include_guesses": {"type": "number"},
                "changes": {"type": "array", "items": {"type": "object"}},
                "uses": {"enum": ["if_unused", "with_uses"]},
                "with_guesses": {"type": "boolean"},
                "empty_modules": {"type": "boolean"}
            }
        }
    })
}

fn options(call: &Call, reason: Option<String>) -> EditOptions {
    EditOptions { actor: Some(call.client.clone()), reason, ..EditOptions::default() }
}

fn plan(call: &Call, given: Json) -> Result<Reply, Problem> {
    let arguments: PlanArguments = tool::arguments(given)?;
    let database = open(call)?;
    let request = serde_json::json!({ "edits": arguments.edits }).to_string();
    let request = EditRequest::parse(&request).map_err(EngineError::from)?;
    let options = EditOptions {
        rustfmt: arguments.rustfmt,
        allow_broken: arguments.allow_broken,
        configuration: arguments.configuration.parse().map_err(EngineError::from)?,
        ..options(call, arguments.reason)
    };
    let (planned, cut) = brief(database.plan_edit(&request, &options)?);
    page::whole(&planned, |planned| format!("{}{}", summary(planned), without_diffs(cut)))
}

/// A summary whose diffs are not longer than an answer may be, and the number of those that are left
/// out.
fn brief(mut summary: EditSummary) -> (EditSummary, usize) {
    let cut = text::edits::shorten_diffs(&mut summary.files, text::edits::DIFFS / 2);
    (summary, cut)
}

fn without_diffs(cut: usize) -> String {
    match cut {
        0 => String::new(),
        cut => format!("{} without their diffs\n", text::plural(cut, "file")),
    }
}

fn apply(call: &Call, given: Json) -> Result<Reply, Problem> {
    let arguments: ProposalArguments = tool::arguments(given)?;
    let options = options(call, arguments.reason);
    let database = open(call)?;
    let done = database.apply_edit(&arguments.proposal_id, &options)?;
    page::whole(&edited(&database, done)?, |done| applied(&done.summary, &done.items))
}

fn undo(call: &Call, given: Json) -> Result<Reply, Problem> {
    let arguments: ProposalArguments = tool::arguments(given)?;
    let options = options(call, arguments.reason);
    let database = open(call)?;
    let done = database.undo_edit(Some(&arguments.proposal_id), &options)?;
    page::whole(&edited(&database, done)?, |done| applied(&done.summary, &done.items))
}

fn list(call: &Call, given: Json) -> Result<Reply, Problem> {
    let arguments: ListArguments = tool::arguments(given)?;
    let database = open(call)?;
    if let Some(id) = arguments.proposal_id {
        let (proposal, summary) = database.proposal(&id)?;
        let details = ProposalDetails { proposal, summary };
        return page::whole(&details, |details| self::summary(&details.summary));
    }
    let mut items = database.proposals(None)?;
    let total = items.len();
    items.truncate(LISTED);
    let list = ProposalList { total, truncated: total > items.len(), items };
    page::whole(&list, |list| {
        let mut out: String = list.items.iter().map(row).collect();
        if list.truncated {
            out.push_str(&format!("… the newest {} of {}\n", list.items.len(), list.total));
        }
        if list.items.is_empty() {
            out.push_str("no proposals\n");
        }
        out
    })
}

fn list_output() -> JsonObject {
    #[derive(JsonSchema)]
    #[schemars(untagged)]
    #[allow(dead_code, reason = "only its schema is used")]
    enum Proposals {
        List(ProposalList),
        One(Box<ProposalDetails>),
    }
    schema::output::<Proposals>()
}

fn deny(call: &Call, given: Json) -> Result<Reply, Problem> {
    let arguments: ProposalArguments = tool::arguments(given)?;
    page::whole(&open(call)?.deny_edit(&arguments.proposal_id)?, row)
}

/// Adds the items of an edit, read back from the database.
fn edited(database: &Database, summary: EditSummary) -> Result<Edited, Problem> {
    let (summary, _) = brief(summary);
    let snapshot = database.snapshot(&When::Newest, Refresh::Skip)?;
    let mut items = Vec::new();
    for edit in summary.edits.iter().filter(|edit| edit.kind.is_some()) {
        let after = edit.path_after.as_ref().filter(|_| summary.applied);
        let path = after.unwrap_or(&edit.path);
        let request = ResolveRequest { kind: edit.kind, ..ResolveRequest::new(path) };
        if let [item] = snapshot.resolve(&request)?.items() {
            items.push(ItemNow {
                path: path.clone(),
                file_path: item.file_path.clone(),
                span: item.span,
                tracking_hash: item.tracking_hash,
            });
        }
    }
    Ok(Edited { summary, items })
}

/// The database; edits whose process died are settled first.
fn open(call: &Call) -> Result<std::sync::Arc<Database>, Problem> {
    let database = call.workspace.database(call)?;
    database.recover_edits()?;
    Ok(database)
}

fn row(row: &ProposalRow) -> String {
    let (id, status, created) = (&row.proposal_id, row.status.as_str(), &row.created);
    let actor = row.actor.as_deref().unwrap_or_default();
    let reason = row.reason.as_deref().unwrap_or_default();
    format!("{id} {status} {created} {actor} {}  {reason}\n", text::some(&row.edits))
}

/// A plan: what would change.
fn summary(summary: &EditSummary) -> String {
    let diffs: String = summary.files.iter().map(|file| file.diff.as_str()).collect();
    format!("{diffs}{}", applied(summary, &[]))
}

/// What was written, with the places and hashes that the next edit needs.
fn applied(summary: &EditSummary, items: &[ItemNow]) -> String {
    let mut out = text::edits::summary(summary);
    for item in items {
        let (path, file, hash) = (&item.path, &item.file_path, &item.tracking_hash);
        let span = &item.span;
        let lines = format!("{}-{}", span.start_line, span.end_line);
        let bytes = format!("{}..{}", span.start_byte, span.end_byte);
        out.push_str(&format!("now {path} {file}:{lines} bytes {bytes} tracking_hash {hash}\n"));
    }
    let written = matches!(summary.status, ProposalStatus::Applied | ProposalStatus::Undone);
    for file in summary.files.iter().filter(|_| written) {
        let hash = file.after_hash.map_or_else(|| "removed".to_owned(), |hash| hash.to_string());
        out.push_str(&format!("{} file_hash {hash}\n", file.file_path));
    }
    for warning in &summary.warnings {
        out.push_str(&format!("warning: {warning}\n"));
    }
    out.push_str(&basis_line(&summary.basis));
    out
}
