//! Find references, and highlight them in a document.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use asof_model::{ByteRange, NodeId, NodeKind, RefKind};
use asof_syntax::code_tokens;
use asof_wire::{Guesses, Item, ResolveRequest, Symbol, UseRequest};
use gen_lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Location, MessageType,
    ReferenceParams,
};
use serde_json::{Value as Json, json};

use super::named::at_name;
use crate::positions::Lines;
use crate::session::{Call, Failure};
use crate::source::{Meaning, Name, Source};
use crate::spot::{Spot, sort};
use crate::view::View;

/// Places of a partial answer.
const PART: usize = 200;

/// A keyword at the beginning of a path, and an impl that has an item of a trait, use it without its
/// name.
const NAMED: fn(RefKind) -> bool =
    |kind| !matches!(kind, RefKind::Keyword | RefKind::Overrides | RefKind::Implicit);

pub fn references(call: &Call, params: ReferenceParams) -> Result<Json, Failure> {
    let with_definition = params.context.include_declaration;
    let at = &params.text_document_position_params;
    let found = at_name(call, at, |view, path, source, name| {
        let mut places = Places::default();
        let mut left_out = 0;
        if with_definition {
            places.spots.extend(view.definitions(path, source, name)?);
        }
        let meanings = source.meanings(name);
        for meaning in &meanings {
            match meaning {
                Meaning::Local(local) => {
                    if let Some(binding) = local.binding {
                        locals(view, path, source, binding, with_definition, &mut places);
                    }
                }
                Meaning::Definition(_) | Meaning::Item { .. } => {
                    let id = meaning.id();
                    let items = view.snapshot.items(&id.into_iter().collect::<Vec<_>>())?;
                    let own = items.len();
                    let items = view.with_implementing(items)?;
                    let others: Vec<NodeId> = items.iter().skip(own).map(|item| item.id).collect();
                    places.spots.extend(view.spots(&others)?.into_iter().map(|(_, spot)| spot));
                    let symbols: Vec<Symbol> = items.iter().map(Symbol::from).collect();
                    left_out += of_symbols(view, &symbols, &mut places)?;
                    // Of an item that no saved file has, unsaved ones may.
                    if let Some(id) = id.filter(|_| items.is_empty()) {
                        for (path, source) in view.unsaved_sources()? {
                            add_unsaved(view, &path, &source, id, &mut places);
                        }
                    }
                    for item in items.iter().filter(|item| is_type(item.kind)) {
                        called_self(view, item, &mut places)?;
                    }
                }
                Meaning::External { target, .. } => {
                    let symbols = view.snapshot.symbols(&ResolveRequest::new(&target.path))?;
                    left_out += of_symbols(view, &symbols, &mut places)?;
                }
            }
        }
        if left_out > 0 {
            let message = format!(
                "asof: {left_out} more uses are guesses (a receiver of unknown type) and are left \
                 out; the setting `guesses` shows them"
            );
            call.session.client.log(MessageType::Info, &message);
        }
        Ok(places.locations())
    })?;
    let found = found.unwrap_or_default();
    let Some(token) = params.partial_result_params.partial_result_token else {
        return Ok(json!(found));
    };
    for part in found.chunks(PART) {
        call.go_on()?;
        call.session.client.notify("$/progress", json!({ "token": token, "value": part }));
    }
    // All of it was told.
    Ok(json!([]))
}

/// Distinct places, in the order of files and texts.
#[derive(Default)]
struct Places {
    spots: Vec<Spot>,
}

impl Places {
    /// Adds the name at a byte.
    fn add(&mut self, view: &View<'_>, path: &str, lines: &Lines, byte: u32) {
        self.spots.push(view.spot_at(path, lines, byte, ByteRange::new(byte, byte)));
    }

    fn locations(mut self) -> Vec<Location> {
        sort(&mut self.spots);
        self.spots.iter().map(Spot::location).collect()
    }
}

/// Adds the uses of symbols; returns how many were left out because they are guesses.
fn of_symbols(view: &View<'_>, symbols: &[Symbol], places: &mut Places) -> Result<usize, Failure> {
    if symbols.is_empty() {
        return Ok(0);
    }
    let guesses =
        if view.call.session.settings.guesses { Guesses::Show } else { Guesses::LeaveOut };
    let request = UseRequest { guesses, ..UseRequest::default() };
    let found = view.snapshot.uses(symbols, &request)?;
    // With those of the same text.
    let symbols = &found.symbols;
    let mut files: BTreeMap<&str, Option<Lines>> = BTreeMap::new();
    for one in found.answer.items.iter().filter(|one| NAMED(one.use_kind)) {
        view.call.go_on()?;
        let path = one.file_path.as_str();
        let lines = match files.get(path) {
            Some(known) => known.clone(),
            None => {
                let known = match view.unsaved_source_of(path)? {
                    // Its uses are those of the open text.
                    Some(source) => {
                        for symbol in symbols {
                            add_unsaved(view, path, &source, symbol.id, places);
                        }
                        None
                    }
                    None => Some(view.lines(path)?),
                };
                files.insert(path, known.clone());
                known
            }
        };
        if let Some(lines) = lines {
            places.add(view, path, &lines, one.byte);
        }
    }
    for (path, source) in view.unsaved_sources()? {
        if !files.contains_key(path.as_str()) {
            for symbol in symbols {
                add_unsaved(view, &path, &source, symbol.id, places);
            }
        }
    }
    Ok(found.guesses_left_out)
}

fn is_type(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union)
}

/// `Self` in the impls of a type means it, too.
fn called_self(view: &View<'_>, item: &Item, places: &mut Places) -> Result<(), Failure> {
    let all = view.snapshot.with_impls(std::slice::from_ref(item))?;
    let mut files: BTreeSet<&str> = all.iter().skip(1).map(|one| one.file_path.as_str()).collect();
    files.insert(&item.file_path);
    let ids: BTreeSet<NodeId> = all.iter().map(|one| one.id).collect();
    for path in files {
        view.call.go_on()?;
        let source = view.source(path)?;
        let text = source.text();
        for own in source.items.iter().filter(|one| ids.contains(&one.id)) {
            let (start, end) = (own.span.start_byte, own.span.end_byte);
            let slice = text.get(start as usize..end as usize).unwrap_or_default();
            for token in code_tokens(slice).iter().filter(|token| token.text == "Self") {
                let at = token.text.as_ptr() as usize - slice.as_ptr() as usize;
                let byte = start + at as u32;
                places.add(view, path, &source.lines, byte);
            }
        }
    }
    Ok(())
}

fn add_unsaved(view: &View<'_>, path: &str, source: &Arc<Source>, id: NodeId, places: &mut Places) {
    let guesses = view.call.session.settings.guesses;
    let uses = source.uses_of(id).filter(|one| NAMED(one.use_kind));
    for one in uses.filter(|one| guesses || one.confidence >= 0.5) {
        places.add(view, path, &source.lines, one.start);
    }
}

fn locals(
    view: &View<'_>,
    path: &str,
    source: &Source,
    binding: u32,
    with_definition: bool,
    places: &mut Places,
) {
    for local in source.locals().iter().filter(|local| local.binding == Some(binding)) {
        if local.at != binding || with_definition {
            places.add(view, path, &source.lines, local.at);
        }
    }
}

/// The places of a document that mean the same.
pub fn highlights(
    call: &Call,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let at = &params.text_document_position_params;
    at_name(call, at, |view, path, source, name| {
        let mut found: BTreeMap<u32, DocumentHighlightKind> = BTreeMap::new();
        for meaning in source.meanings(name) {
            if let Meaning::Local(local) = &meaning {
                let same = |one: &&asof_refactor::LocalName| one.binding == local.binding;
                for one in source.locals().iter().filter(same) {
                    let kind = if Some(one.at) == one.binding {
                        DocumentHighlightKind::Write
                    } else {
                        DocumentHighlightKind::Read
                    };
                    found.insert(one.at, kind);
                }
            }
            let mut ids: Vec<NodeId> = target(&meaning).into_iter().collect();
            // Nothing else is asked of the database: this is a request for each move of a cursor.
            if meaning.is_associated() {
                let items = view.with_implementing(view.snapshot.items(&ids)?)?;
                ids.extend(items.iter().skip(1).map(|item| item.id));
            }
            for id in ids {
                let uses = source.uses_of(id).filter(|one| NAMED(one.use_kind));
                found.extend(uses.map(|one| (one.start, DocumentHighlightKind::Read)));
                for item in source.items.iter().filter(|item| item.id == id) {
                    let is_written = source.is_named(source.name_from(item.name_start), &item.name);
                    let is_field = item.name.starts_with(|c: char| c.is_ascii_digit());
                    // The field of a tuple has no name where it is declared.
                    let at = if is_field {
                        None
                    } else if is_written {
                        Some(item.name_start)
                    } else {
                        view.made_at(path, id, item.span.bytes(), &item.name)?
                    };
                    found.extend(at.map(|at| (at, DocumentHighlightKind::Write)));
                }
            }
        }
        let highlight = |(start, kind)| {
            let Name { start, end } = source.name_from(start);
            let range = source.lines.range(start, end, call.session.encoding);
            DocumentHighlight { range, kind: Some(kind) }
        };
        Ok(found.into_iter().map(highlight).collect())
    })
}

fn target(meaning: &Meaning<'_>) -> Option<NodeId> {
    match meaning {
        Meaning::External { target, .. } => Some(target.id),
        other => other.id(),
    }
}
