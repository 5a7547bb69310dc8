//! The documents that a client has open.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use asof_engine::UnsavedText;
use asof_model::{Micros, RawHash};
use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};

use super::places::Document as Place;
use super::positions::{Encoding, Lines};
use super::shift::{Edit, Edits};
use super::source::Source;

/// A document as it is open.
#[derive(Debug)]
pub struct Document {
    pub version: i32,
    pub lines: Lines,
    pub raw_hash: RawHash,
    parsed: OnceLock<Option<UnsavedText>>,
    recovered: OnceLock<UnsavedText>,
    /// What was last known of an earlier text that parsed, and the edits since.
    pub good: Mutex<Good>,
}

/// What is known of a document's names.
#[derive(Debug, Clone, Default)]
pub struct Good {
    pub source: Option<Arc<Source>>,
    /// From the text of the source to that of the document.
    pub edits: Edits,
    /// Time of the revision that the names were resolved with.
    pub at: Option<Micros>,
}

impl Document {
    fn new(version: i32, lines: Lines, good: Good) -> Self {
        Self {
            version,
            raw_hash: RawHash::hash(lines.text().as_bytes()),
            lines,
            parsed: OnceLock::new(),
            recovered: OnceLock::new(),
            good: Mutex::new(good),
        }
    }

    /// The text, parsed once; none if it does not parse.
    pub fn parsed(&self, path: &str) -> Option<&UnsavedText> {
        self.parsed.get_or_init(|| UnsavedText::parse(path, self.lines.text())).as_ref()
    }

    /// What is found in a text that does not parse.
    pub fn recovered(&self, path: &str) -> &UnsavedText {
        self.recovered.get_or_init(|| UnsavedText::recover(path, self.lines.text()))
    }

    pub fn good(&self) -> Good {
        self.good.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what the names of exactly this text mean.
    pub fn is_known(&self, source: &Arc<Source>, at: Micros) {
        let mut good = self.good.lock().unwrap_or_else(PoisonError::into_inner);
        *good = Good { source: Some(Arc::clone(source)), edits: Edits::default(), at: Some(at) };
    }
}

/// All open documents at one moment, by what their names mean: clients write one name in several ways.
#[derive(Debug, Clone, Default)]
pub struct Documents(Arc<HashMap<Place, Arc<Document>>>);

/// The file that a name means, with links resolved.
fn key(uri: &Uri) -> Option<Place> {
    let place = Place::from_uri(uri)?;
    let path = std::fs::canonicalize(&place.path).unwrap_or(place.path);
    Some(Place { path, revision: place.revision })
}

impl Documents {
    /// An open document of the newest state; `path` has no links.
    pub fn at(&self, path: &Path) -> Option<&Arc<Document>> {
        self.0.get(&Place { path: path.to_owned(), revision: None })
    }

    pub fn get(&self, uri: &Uri) -> Option<&Arc<Document>> {
        self.0.get(&key(uri)?)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Place, &Arc<Document>)> {
        self.0.iter()
    }

    /// A document that is no file of a workspace stays unknown.
    pub fn open(&mut self, uri: &Uri, version: i32, text: &str) {
        let Some(key) = key(uri) else { return };
        let document = Document::new(version, Lines::new(text.into()), Good::default());
        Arc::make_mut(&mut self.0).insert(key, Arc::new(document));
    }

    pub fn close(&mut self, uri: &Uri) {
        if let Some(key) = key(uri) {
            Arc::make_mut(&mut self.0).remove(&key);
        }
    }

    /// Applies the changes of a client, in order. A document that is not open stays so.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let Some(key) = key(uri) else { return };
        let Some(document) = self.0.get(&key) else { return };
        let mut lines = document.lines.clone();
        let mut good = document.good();
        for change in changes {
            let (edit, text) = match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    (Edit::between(lines.text(), &whole.text), whole.text)
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let (start, end) = lines.bytes(part.range, encoding);
                    let mut text = lines.text().to_string();
                    text.replace_range(start as usize..end as usize, &part.text);
                    let new_len = part.text.len() as u32;
                    (Some(Edit { start, old_len: end - start, new_len }), text)
                }
            };
            edit.into_iter().for_each(|edit| good.edits.push(edit));
            lines = Lines::new(text.into());
        }
        let document = Document::new(version, lines, good);
        Arc::make_mut(&mut self.0).insert(key, Arc::new(document));
    }
}
