//! Renames an item or a variable, after the change is proven.

use std::collections::BTreeMap;

use asof_engine::{EditOptions, EngineError, unnamed_reason};
use asof_model::{NodeId, NodeKind};
use asof_refactor::{BadName, NewName};
use asof_wire::{Edit, EditRequest, EditSummary, FileOp, Item, RenameEdit};
use gen_lsp_types::{MessageType, PrepareRenameParams, RenameParams, TextEdit};
use serde_json::{Value as Json, json};

use super::edits::edits_of;
use super::named::at_name;
use crate::positions::Encoding;
use crate::session::{Call, Failure};
use crate::source::{Meaning, Name, Source};
use crate::view::View;

/// What can be renamed.
enum Renamed {
    Item(Box<Item>),
    /// A variable or parameter of the item around it.
    Local {
        name: String,
        /// Line and column of what binds it, from 1.
        place: (u32, u32),
        around: Box<Item>,
    },
}

/// What a name stands for, or why it cannot be renamed.
fn renamed(view: &View<'_>, source: &Source, name: Name) -> Result<Renamed, Failure> {
    let refuse = |reason: &str| Failure::Refused(reason.to_owned());
    if view.revision.is_some() {
        return Err(refuse("the past cannot be changed"));
    }
    if !view.unsaved_sources()?.is_empty() {
        return Err(refuse("there are unsaved changes: save all files first"));
    }
    let meanings = source.meanings(name);
    if let Some(Meaning::Local(local)) = meanings.first() {
        let binding = local.binding.unwrap_or(local.at);
        let around = source.item_around(binding).map(|item| item.id);
        let items = view.snapshot.items(&around.into_iter().collect::<Vec<_>>())?;
        let around = items.into_iter().next();
        let around = around.ok_or_else(|| refuse("the item around the name is not indexed"))?;
        if local.name == "self" {
            return Err(refuse("`self` has no other name"));
        }
        let bound = source.lines.position(binding, Encoding::Utf8);
        let place = (bound.line + 1, bound.character + 1);
        return Ok(Renamed::Local { name: local.name.clone(), place, around: Box::new(around) });
    }
    let sure = |meaning: &Meaning<'_>| match meaning {
        Meaning::Item { confidence, .. } => *confidence >= 0.9,
        _ => true,
    };
    let ids: Vec<NodeId> =
        meanings.iter().filter(|one| sure(one)).filter_map(Meaning::id).collect();
    let items = view.snapshot.items(&ids)?;
    let Some((item, others)) = items.split_first() else {
        return Err(refuse("it is not certain what this name means"));
    };
    // Definitions of one item under several conditions are renamed together.
    if others.iter().any(|other| (other.kind, &other.path) != (item.kind, &item.path)) {
        return Err(refuse("this name means several items"));
    }
    match item.kind {
        NodeKind::Impl => Err(refuse("an impl has no name")),
        _ if let Some(reason) = unnamed_reason(item) => Err(Failure::Refused(reason)),
        NodeKind::Module
            if !view.call.session.abilities.renames_files && view.has_own_file(item)? =>
        {
            Err(refuse(
                "the file of the module moves with its name, and this client moves no files: use \
                 `asof rename PATH NEW`",
            ))
        }
        _ => Ok(Renamed::Item(Box::new(item.clone()))),
    }
}

pub fn prepare(call: &Call, params: PrepareRenameParams) -> Result<Json, Failure> {
    let encoding = call.session.encoding;
    let at = &params.text_document_position_params;
    let found = at_name(call, at, |view, _, source, name| {
        let placeholder = match renamed(view, source, name)? {
            Renamed::Item(item) => item.name.clone(),
            Renamed::Local { name, .. } => name,
        };
        let range = source.lines.range(name.start, name.end, encoding);
        Ok(json!({ "range": range, "placeholder": placeholder }))
    })?;
    Ok(found.unwrap_or(Json::Null))
}

pub fn rename(call: &Call, params: RenameParams) -> Result<Json, Failure> {
    let at = &params.text_document_position_params;
    let found = at_name(call, at, |view, _, source, name| {
        let (item, local) = match renamed(view, source, name)? {
            Renamed::Item(item) => (item, None),
            Renamed::Local { name, place: (line, column), around } => {
                (around, Some(format!("{name}:{line}:{column}")))
            }
        };
        let plan = |file_path| {
            let edit = Edit::Rename(RenameEdit {
                path: item.path.clone().unwrap_or_else(|| item.name.clone()),
                to: as_name(&params.new_name),
                file_path,
                kind: Some(item.kind),
                has: None,
                local: local.clone(),
                keep_old: false,
                include_guesses: None,
            });
            let request = EditRequest { edits: vec![edit] };
            view.database.try_edit(&request, &EditOptions::default())
        };
        let plan = match plan(None) {
            // Others of this path are not the same item under other conditions.
            Err(EngineError::Ambiguous { .. }) => plan(Some(item.file_path.clone()))?,
            plan => plan?,
        };
        tell_doubts(call, &plan);
        changes(view, &plan)
    })?;
    Ok(found.unwrap_or(Json::Null))
}

/// A keyword is a name with `r#` (Rust reference, "Raw identifiers").
fn as_name(text: &str) -> String {
    match NewName::parse(text) {
        Err(BadName::Keyword(word)) => format!("r#{word}"),
        _ => text.to_owned(),
    }
}

/// Places that nothing is certain about are told, not hidden.
fn tell_doubts(call: &Call, plan: &EditSummary) {
    let Some(proof) = plan.proof.as_ref().filter(|proof| !proof.proven) else { return };
    let places: Vec<String> = proof
        .look_at
        .iter()
        .take(10)
        .map(|one| format!("{}:{}", one.file_path, one.line))
        .collect();
    let more = proof.look_at.len().saturating_sub(places.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let message = format!("asof: look at {}{more} after this rename", places.join(", "));
    call.session.client.show(MessageType::Warning, &message);
}

/// The edits of a plan, as the client applies them: first those of texts, by their old names.
fn changes(view: &View<'_>, plan: &EditSummary) -> Result<Json, Failure> {
    let abilities = view.call.session.abilities;
    let mut by_uri: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    let mut moves = Vec::new();
    for file in &plan.files {
        let uri = view.uri(&file.file_path);
        match &file.op {
            FileOp::Modify => {}
            FileOp::RenameTo { to } if abilities.renames_files => {
                let (old, new) = (&uri, view.uri(to));
                moves.push(json!({ "kind": "rename", "oldUri": old, "newUri": new }));
            }
            FileOp::RenameFrom { .. } if abilities.renames_files => continue,
            _ => {
                let reason =
                    "files change their places with this rename: use `asof rename PATH NEW`";
                return Err(Failure::Refused(reason.to_owned()));
            }
        }
        let old = view.lines(&file.file_path)?;
        let edits = edits_of(&file.diff, &old, view.call.session.encoding);
        if !edits.is_empty() {
            by_uri.insert(uri.0, edits);
        }
    }
    Ok(if !abilities.document_changes && moves.is_empty() {
        json!({ "changes": by_uri })
    } else {
        let version = |uri: &String| {
            let open = view.call.documents.get(&gen_lsp_types::Uri(uri.clone()));
            open.map(|document| document.version)
        };
        let texts = by_uri.iter().map(|(uri, edits)| {
            let document = json!({ "uri": uri, "version": version(uri) });
            json!({ "textDocument": document, "edits": edits })
        });
        json!({ "documentChanges": texts.chain(moves).collect::<Vec<Json>>() })
    })
}
