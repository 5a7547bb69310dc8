//! The source files of the workspace as texts.

use crate::database::Snapshot;
use crate::error::EngineError;

/// Path and indexed text of each source file, read once for all questions about a moment; files that
/// are no text are left out.
pub(super) fn source_texts(
    snapshot: &Snapshot<'_>,
) -> Result<impl Iterator<Item = (String, String)>, EngineError> {
    let paths = snapshot.file_paths()?.into_iter();
    Ok(paths.filter_map(|path| {
        let text = snapshot.source_text(&path).ok()?;
        Some((path, String::from_utf8(text.bytes.to_vec()).ok()?))
    }))
}

/// The text of a file of the workspace.
pub(super) fn read_text(root: &std::path::Path, path: &str) -> Option<String> {
    let bytes = asof_workspace::read_file(root, path, asof_syntax::MAX_FILE_BYTES as u64).ok()?;
    String::from_utf8(bytes).ok()
}
