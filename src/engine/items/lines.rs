//! Texts of files as of a snapshot, for the lines around a place.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_wire::{Location, Snippet};

/// Lines of a snippet before and after its place.
const CONTEXT_LINES: u32 = 2;

/// Texts of files with their lines.
pub(crate) struct Texts<'a> {
    snapshot: &'a Snapshot<'a>,
    files: BTreeMap<String, Text>,
}

struct Text {
    bytes: Arc<Vec<u8>>,
    /// First byte of each line.
    lines: Vec<usize>,
}

impl<'a> Texts<'a> {
    pub fn new(snapshot: &'a Snapshot<'a>) -> Self {
        Self { snapshot, files: BTreeMap::new() }
    }

    fn file(&mut self, path: &str) -> Result<&Text, EngineError> {
        if !self.files.contains_key(path) {
            let bytes = self.snapshot.source_text(path)?.bytes;
            let breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let lines = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
            self.files.insert(path.to_owned(), Text { bytes, lines });
        }
        self.files
            .get(path)
            .ok_or_else(|| EngineError::State { what: "text", reason: format!("{path} has none") })
    }

    /// The lines around a line.
    pub fn snippet(&mut self, path: &str, line: u32) -> Result<Snippet, EngineError> {
        let text = self.file(path)?;
        let first = line.saturating_sub(CONTEXT_LINES).max(1) as usize;
        let begin = text.lines.get(first - 1).copied().unwrap_or(text.bytes.len());
        let end_line = (line + CONTEXT_LINES) as usize;
        let end = text.lines.get(end_line).copied().unwrap_or(text.bytes.len());
        let bytes = text.bytes.get(begin..end).unwrap_or_default();
        let shown = String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned();
        let last = end_line.min(text.lines.len()) as u32;
        let location =
            Location { file_path: path.to_owned(), start_line: first as u32, end_line: last };
        Ok(Snippet { text: shown, location })
    }
}
