//! Go to definition, declaration, type definition and implementation.

use asof_model::{NodeId, NodeKind, PRIMITIVES};
use gen_lsp_types::{
    DeclarationParams, DefinitionParams, ImplementationParams, LocationLink,
    TextDocumentPositionParams, TypeDefinitionParams,
};
use serde_json::{Value as Json, json};

use super::named::at_name;
use crate::session::{Call, Failure};
use crate::source::{Meaning, Name, Source};
use crate::spot::{Spot, sort};
use crate::view::View;

pub fn definition(call: &Call, params: DefinitionParams) -> Result<Json, Failure> {
    answered(call, &params.text_document_position_params, |view, path, source, name| {
        view.definitions(path, source, source.renamed_by(name).unwrap_or(name))
    })
}

/// The item of the trait that an item of an impl implements; `mod name;` of a module in a file of its
/// own; else the definition.
pub fn declaration(call: &Call, params: DeclarationParams) -> Result<Json, Failure> {
    answered(call, &params.text_document_position_params, |view, path, source, name| {
        let ids: Vec<NodeId> = source.meanings(name).iter().filter_map(Meaning::id).collect();
        let mut found = Vec::new();
        for item in view.snapshot.items(&ids)? {
            found.extend(view.of_traits(item.id)?);
            if item.kind == NodeKind::Module {
                found.extend(view.declared_module(&item)?);
            }
        }
        if found.is_empty() { view.definitions(path, source, name) } else { Ok(found) }
    })
}

/// The types of the value that a name stands for, as far as inference knows them. Else those that are
/// written where the name is defined: of a field, parameter or variable, of a const; what a function
/// returns. A type is its own.
pub fn type_definition(call: &Call, params: TypeDefinitionParams) -> Result<Json, Failure> {
    answered(call, &params.text_document_position_params, |view, path, source, name| {
        let mut found = view.types_at(path, source, name.start)?;
        if !found.is_empty() {
            return Ok(found);
        }
        for meaning in source.meanings(name) {
            match meaning {
                Meaning::Local(local) => {
                    let Some(at) = local.binding else { continue };
                    let types = view.types_at(path, source, at)?;
                    if !types.is_empty() {
                        found.extend(types);
                        continue;
                    }
                    let bound = source.name_from(at);
                    found.extend(types_after(view, path, source, bound.end, u32::MAX, ":")?);
                }
                Meaning::Definition(_) | Meaning::Item { .. } => {
                    let Some(id) = meaning.id() else { continue };
                    found.extend(types_of(view, path, source, id)?);
                }
                Meaning::External { .. } => {}
            }
        }
        Ok(found)
    })
}

/// The types in the declaration of an item, of a text that may not be saved.
fn types_of(
    view: &View<'_>,
    path: &str,
    source: &Source,
    id: NodeId,
) -> Result<Vec<Spot>, Failure> {
    let Some(here) = source.items.iter().find(|one| one.id == id) else {
        let Some(item) = view.snapshot.items(&[id])?.into_iter().next() else {
            return Ok(Vec::new());
        };
        let source = view.source(&item.file_path)?;
        return if source.items.iter().any(|one| one.id == id) {
            types_of(view, &item.file_path, &source, id)
        } else {
            Ok(Vec::new())
        };
    };
    let span = here.span.bytes();
    let before = match here.kind {
        NodeKind::Field | NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => ":",
        NodeKind::Function | NodeKind::Method => "->",
        kind if kind.is_anonymous() => return Ok(Vec::new()),
        _ => return Ok(vec![view.spot_at(path, &source.lines, here.name_start, span)]),
    };
    let name = source.name_from(here.name_start);
    types_after(view, path, source, name.end, span.end, before)
}

/// The types after a mark that follows a name, in the same declaration.
fn types_after(
    view: &View<'_>,
    path: &str,
    source: &Source,
    from: u32,
    to: u32,
    mark: &str,
) -> Result<Vec<Spot>, Failure> {
    let text = source.text();
    let to = (to as usize).min(text.len());
    let rest = text.get(from as usize..to).unwrap_or_default();
    // Of a function, the mark comes after the parameters; else it is next.
    let begin = match mark {
        "->" => rest.split('{').next().and_then(|head| head.find(mark)),
        _ => rest.find(mark).filter(|at| rest.get(..*at).is_some_and(|gap| gap.trim().is_empty())),
    };
    let Some(begin) = begin else { return Ok(Vec::new()) };
    let first = from + begin as u32 + mark.len() as u32;
    let declared = text.get(first as usize..to).unwrap_or_default();
    let last = first + type_len(declared) as u32;
    let mut found: Vec<Spot> = Vec::new();
    for start in source.types_between(first, last) {
        found.extend(view.definitions(path, source, source.name_from(start))?);
    }
    found.dedup();
    Ok(found)
}

/// Length of a type at the beginning of a text.
fn type_len(text: &str) -> usize {
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            '>' if before == '-' => {}
            ')' | ']' | '>' if depth == 0 => return at,
            ')' | ']' | '>' => depth -= 1,
            ',' | ';' | '=' | '{' | '|' if depth == 0 => return at,
            _ => {}
        }
        before = c;
    }
    text.len()
}

/// The impls of a trait or of a type, also under its other names; the items that implement one of a
/// trait.
pub fn implementation(call: &Call, params: ImplementationParams) -> Result<Json, Failure> {
    answered(call, &params.text_document_position_params, |view, _, source, name| {
        let meanings = source.meanings(name);
        let mut impls = Vec::new();
        let mut found = Vec::new();
        for meaning in &meanings {
            if let Meaning::External { target, .. } = meaning {
                impls.extend(view.snapshot.impls_of_outside(&target.path)?);
            }
        }
        let ids: Vec<NodeId> = meanings.iter().filter_map(Meaning::id).collect();
        for item in view.snapshot.items(&ids)? {
            match item.kind {
                NodeKind::Trait => impls.extend(view.snapshot.impls_of_trait(&item)?),
                NodeKind::Method | NodeKind::AssocConst | NodeKind::AssocType => {
                    let ids = view.implementing(&item)?;
                    found.extend(view.spots(&ids)?.into_iter().map(|(_, spot)| spot));
                }
                _ => {
                    let all = view.snapshot.with_aliases(&item)?;
                    let own: Vec<NodeId> = all.iter().map(|one| one.id).collect();
                    let all = view.snapshot.with_impls(&all)?.into_iter().map(|one| one.id);
                    impls.extend(all.filter(|id| !own.contains(id)));
                }
            }
        }
        let text = source.written(name);
        if meanings.is_empty() && PRIMITIVES.contains(&text) {
            impls.extend(view.snapshot.impls_of_outside(text)?);
        }
        for (item, spot) in view.spots(&impls)? {
            found.push(view.at_self_type(&item, spot)?);
        }
        sort(&mut found);
        Ok(found)
    })
}

/// Places as the client wants them.
fn answered(
    call: &Call,
    at: &TextDocumentPositionParams,
    ask: impl FnOnce(&View<'_>, &str, &Source, Name) -> Result<Vec<Spot>, Failure>,
) -> Result<Json, Failure> {
    let encoding = call.session.encoding;
    let found = at_name(call, at, |view, path, source, name| {
        let origin = source.lines.range(name.start, name.end, encoding);
        let spots = ask(view, path, source, name)?;
        Ok(if call.session.abilities.links {
            json!(spots.into_iter().map(|spot| link(spot, origin)).collect::<Vec<_>>())
        } else {
            json!(spots.iter().map(Spot::location).collect::<Vec<_>>())
        })
    })?;
    Ok(found.unwrap_or(Json::Null))
}

fn link(spot: Spot, origin: gen_lsp_types::Range) -> LocationLink {
    LocationLink {
        origin_selection_range: Some(origin),
        target_uri: spot.uri,
        target_range: spot.whole,
        target_selection_range: spot.name,
    }
}
