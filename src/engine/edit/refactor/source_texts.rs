//! The source files of the workspace as texts.

use crate::database::Snapshot;
use crate::error::EngineError;

/// Path and text of each source file; files that cannot be read, or are no text, are left out.
pub(super) fn source_texts(
    snapshot: &Snapshot<'_>,
) -> Result<impl Iterator<Item = (String, String)>, EngineError> {
    let root = snapshot.database.need_root()?.to_owned();
    let paths = snapshot.file_paths()?.into_iter();
    Ok(paths.filter_map(move |path| {
        let text = read_text(&root, &path)?;
        Some((path, text))
    }))
}

/// The text of a file of the workspace.
pub(super) fn read_text(root: &std::path::Path, path: &str) -> Option<String> {
    let bytes = asof_workspace::read_file(root, path, asof_syntax::MAX_FILE_BYTES as u64).ok()?;
    String::from_utf8(bytes).ok()
}
