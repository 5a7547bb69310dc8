//! Finds the name at a position, for requests about it.

use gen_lsp_types::TextDocumentPositionParams;

use crate::session::{Call, Failure};
use crate::source::{Name, Source};
use crate::view::View;

/// Asks about the name at a position, or what a link of documentation names there; none if there is
/// neither.
pub fn at_name<T>(
    call: &Call,
    at: &TextDocumentPositionParams,
    ask: impl FnOnce(&View<'_>, &str, &Source, Name) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let found = View::with_document(call, &at.text_document.uri, |view, path| {
        let source = view.source(path)?;
        let byte = source.lines.byte(at.position, call.session.encoding);
        let name = source.name_at(byte);
        if let Some(name) = name
            && let Some(source) = view.explained(path, &source, name)?
        {
            return ask(view, path, &source, name).map(Some);
        }
        let is_code = name.is_some_and(|name| !source.meanings(name).is_empty());
        if !is_code && let Some((source, name)) = view.documented(path, &source, byte)? {
            return ask(view, path, &source, name).map(Some);
        }
        name.map(|name| ask(view, path, &source, name)).transpose()
    })?;
    Ok(found.flatten())
}
