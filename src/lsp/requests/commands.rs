//! Commands about the past and about consequences, and the code actions that offer them.
//!
//! Each command takes an object `{ "uri", "id" }` or `{ "uri", "position" }`, and answers with an
//! object: `text` for people, and what a client with code for it can show. With `"show": true`, as
//! in actions and lenses, other clients show it, too.

use anstream::adapter::strip_str;
use asof_engine::Refresh;
use asof_index::Silent;
use asof_model::NodeId;
use asof_wire::When;
use asof_wire::{DiffRequest, Item, Patch, Spans, Symbol, UseRequest};
use gen_lsp_types::{
    CodeActionKind, CodeActionParams, CodeActionTriggerKind, ExecuteCommandParams, Position, Uri,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::hover::{describe_version, history_request};
use super::show::show;
use crate::places::Document;
use crate::session::{Call, Failure, snapshot};
use crate::source::Meaning;
use crate::view::View;
use asof_surface::test_filter;
use asof_surface::text::change_impact::change_impact;
use asof_surface::text::uses;

/// The commands, and how an action names them.
const TITLES: [(&str, &str); 5] = [
    ("asof.history", "History of this item"),
    ("asof.showAt", "Show this file as it was"),
    ("asof.diffItem", "Last change of this item"),
    ("asof.impact", "What a change to this item affects"),
    ("asof.testsAffected", "Tests to run for what is not committed"),
];

pub const COMMANDS: [&str; 5] = [TITLES[0].0, TITLES[1].0, TITLES[2].0, TITLES[3].0, TITLES[4].0];

/// What the actions are.
pub const KIND: CodeActionKind = CodeActionKind::Source;

/// Versions that a history lists.
const VERSIONS: usize = 50;
/// Steps that a change is followed.
const DEPTH: u32 = 5;
/// Items and tests that are listed.
const LISTED: usize = 100;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    uri: Uri,
    #[serde(default)]
    id: Option<NodeId>,
    #[serde(default)]
    position: Option<Position>,
    /// A revision, time or age: of `showAt`, and the earlier one of `diffItem` and `testsAffected`.
    #[serde(default)]
    at: Option<String>,
    /// Whether the client shows the answer as a document.
    #[serde(default)]
    show: bool,
}

/// Those on the item at a place. Only who asks gets them: they are possible everywhere, and a client
/// that looks for them by itself would mark each line.
pub fn actions(call: &Call, params: CodeActionParams) -> Result<Vec<Json>, Failure> {
    let context = &params.context;
    let is_automatic = context.trigger_kind == Some(CodeActionTriggerKind::Automatic);
    let holds = |kind: &CodeActionKind| [KIND, CodeActionKind::Empty].contains(kind);
    if is_automatic || context.only.as_ref().is_some_and(|only| !only.iter().any(holds)) {
        return Ok(Vec::new());
    }
    let uri = &params.text_document.uri;
    let found =
        View::with_document(call, uri, |view, path| item_at(view, path, params.range.start))?;
    let Some(Some(id)) = found else { return Ok(Vec::new()) };
    let arguments = json!([{ "uri": uri, "id": id, "position": params.range.start, "show": true }]);
    let action = |(command, title): (&str, &str)| {
        let command = json!({ "title": title, "command": command, "arguments": arguments });
        json!({ "title": format!("asof: {title}"), "kind": KIND, "command": command })
    };
    Ok(TITLES.into_iter().map(action).collect())
}

pub fn execute(call: &Call, params: ExecuteCommandParams) -> Result<Json, Failure> {
    let given = params.arguments.unwrap_or_default().into_iter().next();
    let given = given.ok_or_else(|| Failure::Invalid("an argument with a `uri`".to_owned()))?;
    let given: Arguments =
        serde_json::from_value(given).map_err(|error| Failure::Invalid(error.to_string()))?;
    let command = params.command.as_str();
    let answer = match command {
        "asof.history" => of_item(call, &given, history),
        "asof.showAt" => show_at(call, &given),
        "asof.diffItem" => of_item(call, &given, diff_item),
        "asof.impact" => of_item(call, &given, impact),
        "asof.testsAffected" => tests_affected(call, &given),
        other => Err(Failure::Invalid(format!("no command `{other}`"))),
    }?;
    if given.show {
        show(call, command, &answer)?;
    }
    Ok(answer)
}

fn of_item(
    call: &Call,
    given: &Arguments,
    ask: fn(&View<'_>, &Item, &Arguments) -> Result<Json, Failure>,
) -> Result<Json, Failure> {
    let found = View::with_document(call, &given.uri, |view, path| {
        let item = item(view, path, given)?;
        ask(view, &item, given)
    })?;
    found.ok_or_else(|| Failure::Invalid("the document is of no workspace".to_owned()))
}

/// The item that the name at a position means, or else the one around it.
fn item_at(view: &View<'_>, path: &str, at: Position) -> Result<Option<NodeId>, Failure> {
    let source = view.source(path)?;
    let byte = source.lines.byte(at, view.call.session.encoding);
    let named =
        source.name_at(byte).and_then(|name| source.meanings(name).iter().find_map(Meaning::id));
    Ok(named.or_else(|| source.item_around(byte).map(|item| item.id)))
}

fn item(view: &View<'_>, path: &str, given: &Arguments) -> Result<Item, Failure> {
    let id = match (given.id, given.position) {
        (Some(id), _) => Some(id),
        (None, Some(position)) => item_at(view, path, position)?,
        (None, None) => None,
    };
    let Some(id) = id else {
        return Err(Failure::Invalid("there is no item at this place".to_owned()));
    };
    let found = view.snapshot.items(&[id])?.into_iter().next();
    found.ok_or_else(|| {
        Failure::Refused("this item is not saved yet: save the file first".to_owned())
    })
}

/// Versions of an item, each with the document of that time.
fn history(view: &View<'_>, item: &Item, _: &Arguments) -> Result<Json, Failure> {
    let found = view.snapshot.history(&history_request(item, VERSIONS, Spans::With))?;
    let mut text = format!("{}\n", found.query);
    let mut versions = Vec::new();
    for one in &found.answer.items {
        let classes: Vec<&str> = one.classes.iter().map(|class| class.as_str()).collect();
        text.push_str(&format!("{}  {}\n", describe_version(one), classes.join(", ")));
        let message = one.event.message.as_deref().and_then(|message| message.lines().next());
        text.extend(message.map(|message| format!("    {message}\n")));
        let document = Document {
            path: view.folder.root.join(&one.file_path),
            revision: Some(one.event.id.to_string()),
        };
        versions.push(json!({
            "at": one.event.at, "revision": one.event.id, "commit": one.event.commit,
            "actor": one.event.actor, "message": one.event.message, "path": one.path,
            "classes": classes, "uri": document.uri(),
            "line": one.span.map(|span| span.start_line.saturating_sub(1)),
        }));
    }
    Ok(json!({ "text": text, "versions": versions, "total": found.answer.total }))
}

/// The name of a document as it was.
fn show_at(call: &Call, given: &Arguments) -> Result<Json, Failure> {
    let invalid = |reason: &str| Failure::Invalid(reason.to_owned());
    let at = given.at.as_deref().unwrap_or("HEAD");
    let Some(place) = call.place(&given.uri) else {
        return Err(invalid("the document is of no workspace"));
    };
    let document = Document { revision: Some(at.to_owned()), ..place.document };
    let uri = document.uri();
    // An error now, not when the document is opened; and the revision by its id, which stays the same
    // and has no capitals, which some clients do not keep.
    let found = View::with_document(call, &uri, |view, path| {
        view.lines(path)?;
        let item = view.spots(&given.id.into_iter().collect::<Vec<_>>())?.into_iter().next();
        let line = item.filter(|(item, _)| item.file_path == path);
        Ok((view.snapshot.basis().revision, line.map(|(_, spot)| spot.name.start.line)))
    })?;
    let (revision, line) = found.unwrap_or_default();
    let uri = match revision {
        Some(id) => Document { revision: Some(id.to_string()), ..document }.uri(),
        None => uri,
    };
    Ok(json!({ "uri": uri, "line": line, "text": uri.0 }))
}

/// What the last change of an item was, or what changed since a moment.
fn diff_item(view: &View<'_>, item: &Item, given: &Arguments) -> Result<Json, Failure> {
    let from = match &given.at {
        Some(at) => When::parse(at).map_err(|error| Failure::Invalid(error.to_string()))?,
        None => {
            let versions =
                view.snapshot.history(&history_request(item, VERSIONS, Spans::With))?.answer.items;
            match versions.get(1) {
                Some(before) => When::Revision(before.event.id),
                None => return Ok(json!({ "text": "there is one version only", "items": [] })),
            }
        }
    };
    let earlier = snapshot(view.database, &from)?;
    let path = item.path.clone().unwrap_or_else(|| item.name.clone());
    let request = DiffRequest { path: Some(path), patch: Patch::Unified, ..DiffRequest::default() };
    let found = view.snapshot.diff(&earlier, &request)?.answer;
    let patches = found.items.iter().filter_map(|one| one.patch.as_deref());
    let text: Vec<&str> = patches.collect();
    Ok(json!({ "text": text.join("\n"), "items": found.items }))
}

fn impact(view: &View<'_>, item: &Item, _: &Arguments) -> Result<Json, Failure> {
    let uses = UseRequest { limit: Some(LISTED), ..UseRequest::default() };
    let found = view.snapshot.impact(&[Symbol::from(item)], DEPTH, &uses)?;
    Ok(json!({
        "text": strip_str(&uses::impact(&found)).to_string(),
        "items": found.lineage.answer.items,
        "summary": found.summary,
    }))
}

/// The tests that changes since a moment affect: since the last commit unless another is given.
fn tests_affected(call: &Call, given: &Arguments) -> Result<Json, Failure> {
    let from = When::parse(given.at.as_deref().unwrap_or("HEAD"));
    let from = from.map_err(|error| Failure::Invalid(error.to_string()))?;
    let found = View::with_document(call, &given.uri, |view, _| {
        let (database, limit) = (view.database, Some(LISTED));
        Ok(database.impact_between(&from, &When::Now, Refresh::IfFree, limit, &Silent)?)
    })?;
    let found =
        found.ok_or_else(|| Failure::Invalid("the document is of no workspace".to_owned()))?;
    let commands = test_filter::cargo(&found.tests);
    let text = change_impact(&found, Some(LISTED));
    let text = format!("{}\n{}", strip_str(&text), commands.join("\n"));
    Ok(json!({ "text": text, "commands": commands, "tests": found.tests }))
}

#[derive(Debug, Deserialize)]
pub struct ContentParams {
    uri: Uri,
}

/// The text of a document of the past.
pub fn content(call: &Call, params: ContentParams) -> Result<Json, Failure> {
    let text = View::with_document(call, &params.uri, |view, path| view.lines(path))?;
    let lines = text.ok_or_else(|| Failure::Invalid(format!("no document {}", params.uri.0)))?;
    Ok(json!({ "text": &**lines.text() }))
}
