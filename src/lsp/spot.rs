//! Places in documents, in a client's form.

use std::cmp::Ordering;
use std::path::Path;

use asof_engine::DeclaredItem;
use asof_model::ByteRange;
use asof_workspace::read_declared;
use gen_lsp_types::{Location, Range, Uri};

use super::places::file_uri;
use super::positions::{Encoding, Lines};
use super::source::{Name, name_at};

/// Where something is: the name, and everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    pub uri: Uri,
    pub name: Range,
    pub whole: Range,
}

impl Spot {
    /// Of files and texts.
    pub fn order(&self, other: &Self) -> Ordering {
        let key = |spot: &Self| (spot.name.start, spot.name.end);
        self.uri.0.cmp(&other.uri.0).then_with(|| key(self).cmp(&key(other)))
    }

    pub fn location(&self) -> Location {
        Location { uri: self.uri.clone(), range: self.name }
    }
}

/// In the order of files and texts, each place once.
pub fn sort(spots: &mut Vec<Spot>) {
    spots.sort_by(Spot::order);
    spots.dedup_by(|a, b| a.uri == b.uri && a.name == b.name);
}

/// An item of another crate.
#[derive(Debug, Clone)]
pub struct Outside {
    pub spot: Spot,
    /// Without its body.
    pub head: String,
    pub docs: String,
}

impl Outside {
    pub fn new(found: DeclaredItem, encoding: Encoding) -> Self {
        let (head, docs) = (found.head(), found.docs());
        let DeclaredItem { file, text, at } = found;
        let uri = file_uri(&file);
        let spot = match at {
            Some(at) => spot_in(
                &Lines::new(text.into()),
                uri,
                at.name,
                ByteRange::new(at.start, at.end),
                encoding,
            ),
            None => Spot { uri, name: Range::default(), whole: Range::default() },
        };
        Self { spot, head, docs }
    }
}

/// The place of a name in a file on disk; none if it cannot be read.
pub fn spot_in_file(file: &Path, whole: ByteRange, name: u32, encoding: Encoding) -> Option<Spot> {
    let text = read_declared(file)?;
    Some(spot_in(&Lines::new(text.into()), file_uri(file), name, whole, encoding))
}

/// The place of a name in a text; `whole` is widened to hold it.
pub fn spot_in(lines: &Lines, uri: Uri, name: u32, whole: ByteRange, encoding: Encoding) -> Spot {
    let name = name_in(lines, name);
    let (start, end) = (whole.start.min(name.start), whole.end.max(name.end));
    Spot {
        uri,
        name: lines.range(name.start, name.end, encoding),
        whole: lines.range(start, end, encoding),
    }
}

fn name_in(lines: &Lines, start: u32) -> Name {
    let text = lines.text();
    name_at(text, start).filter(|name| name.start <= start).unwrap_or(Name { start, end: start })
}
