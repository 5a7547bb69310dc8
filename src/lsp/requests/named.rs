//! Finds the name at a position, for requests about it.

use gen_lsp_types::TextDocumentPositionParams;

use crate::session::{Call, Failure};
use crate::source::{Name, Source};
use crate::view::View;

/// Asks about the name at a position; none if there is none.
pub fn at_name<T>(
    call: &Call,
    at: &TextDocumentPositionParams,
    ask: impl FnOnce(&View<'_>, &str, &Source, Name) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let found = View::with_document(call, &at.text_document.uri, |view, path| {
        let source = view.source(path)?;
        let byte = source.lines.byte(at.position, call.session.encoding);
        match source.name_at(byte) {
            Some(name) => ask(view, path, &source, name).map(Some),
            None => Ok(None),
        }
    })?;
    Ok(found.flatten())
}
