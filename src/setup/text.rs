//! Adds an entry to the text of a client's file, and removes it again. Adding only inserts;
//! removing looks for the text that adding makes this one of, so that the one undoes the other to
//! the byte.

use super::entry::Entry;
use super::refusal::Refusal;
use super::{json, toml};

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// JSON, perhaps with comments and trailing commas.
    Json {
        /// Name of the object that has the servers.
        container: &'static str,
        /// Whether an entry says `"type": "stdio"`.
        is_typed: bool,
    },
    /// TOML, with a table for each server in `mcp_servers`.
    Toml,
}

/// What is left without the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// There is no entry.
    Nothing,
    /// The text without it.
    Entry(String),
    /// No file: this text is what an entry in a new file makes.
    File,
}

/// Byte order mark, which editors on Windows write.
const BOM: &str = "\u{feff}";

impl Syntax {
    /// The entry of a text.
    pub fn find(self, text: &str) -> Result<Option<Entry>, Refusal> {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        match self {
            _ if text.trim().is_empty() => Ok(None),
            Self::Json { container, .. } => json::find(text, container),
            Self::Toml => toml::find(text),
        }
    }

    /// A text with the entry; that of a new file without an old one. The old one has none.
    pub fn install(self, old: Option<&str>, entry: &Entry) -> Result<String, Refusal> {
        let fresh = match self {
            Self::Json { container, is_typed } => {
                json::fresh(container, &json::member(entry, is_typed))
            }
            Self::Toml => toml::block(entry, "\n"),
        };
        let Some(old) = old else { return Ok(format!("{fresh}\n")) };
        let (mark, old) = match old.strip_prefix(BOM) {
            Some(rest) => (BOM, rest),
            None => ("", old),
        };
        let new = match self {
            // Without the last line break, so that it is not taken for a new file.
            _ if old.trim().is_empty() => format!("{old}{fresh}"),
            Self::Json { container, is_typed } => {
                json::insert(old, container, &json::member(entry, is_typed), line_break(old))?
            }
            Self::Toml => toml::insert(old, entry, line_break(old))?,
        };
        let new = format!("{mark}{new}");
        match self.find(&new)? {
            Some(found) if found == *entry => Ok(new),
            _ => Err(Refusal::Entangled),
        }
    }

    /// A text without the entry.
    pub fn uninstall(self, text: &str) -> Result<Removal, Refusal> {
        let Some(entry) = self.find(text)? else { return Ok(Removal::Nothing) };
        let makes_this = |old: Option<&str>| {
            let new = self.install(old, &entry);
            new.is_ok_and(|new| new == text)
        };
        if makes_this(None) {
            return Ok(Removal::File);
        }
        let (mark, bare) = match text.strip_prefix(BOM) {
            Some(rest) => (BOM, rest),
            None => ("", text),
        };
        let blank = bare.len() - bare.trim_start().len();
        let mut candidates = vec![bare.get(..blank).unwrap_or_default().to_owned()];
        candidates.extend(match self {
            Self::Json { container, .. } => json::removals(bare, container)?,
            Self::Toml => toml::removals(bare, &entry, line_break(bare))?,
        });
        let candidates: Vec<String> =
            candidates.into_iter().map(|text| format!("{mark}{text}")).collect();
        if let Some(old) = candidates.iter().find(|old| makes_this(Some(old.as_str()))) {
            return Ok(Removal::Entry(old.clone()));
        }
        // Somebody has changed the file since: everything but the entry stays as it means.
        let is_left = |old: &&String| self.leaves(text, old);
        candidates.iter().find(is_left).cloned().map(Removal::Entry).ok_or(Refusal::Entangled)
    }

    /// Whether one text means what the other means without its entry.
    fn leaves(self, text: &str, old: &str) -> bool {
        let bare = |text: &str| text.strip_prefix(BOM).unwrap_or(text).to_owned();
        match self {
            Self::Json { container, .. } => json::leaves(&bare(text), &bare(old), container),
            Self::Toml => toml::leaves(&bare(text), &bare(old)),
        }
    }
}

/// The line break of a text: that of its first line.
fn line_break(text: &str) -> &'static str {
    match text.split_once('\n') {
        Some((line, _)) if line.ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
