//! Places that lead somewhere without being names: operators of ranges, names of included files.

use std::path::Path;

use asof_refactor::{Lead, unnamed_place};
use asof_syntax::Wanted;
use gen_lsp_types::Range;

use super::places;
use super::source::{Name, Source};
use super::spot::Spot;
use super::view::View;

impl View<'_> {
    /// Where a place leads that is no name.
    pub fn unnamed(&self, path: &str, source: &Source, place: Name) -> Option<Spot> {
        match unnamed_place(source.text(), place.start)?.1 {
            Lead::Type(path) => {
                self.call.session.standard(path, Wanted::Item).map(|item| item.spot)
            }
            Lead::File(file) => {
                let folder = Path::new(path).parent()?;
                let place = self.folder.root.join(folder).join(file);
                let place = place.canonicalize().ok().filter(|_| self.revision.is_none())?;
                let document = places::Document { path: place, revision: None };
                let uri = document.uri();
                Some(Spot { uri, name: Range::default(), whole: Range::default() })
            }
        }
    }
}
