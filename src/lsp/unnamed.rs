//! Places that lead somewhere without being names: operators of ranges, names of included files.

use std::path::Path;

use asof_refactor::{Lead, join, unnamed_place};
use asof_syntax::Wanted;
use gen_lsp_types::Range;

use super::places;
use super::source::{Meaning, Name, Source};
use super::spot::Spot;
use super::view::View;

impl View<'_> {
    /// Where a place leads that is no name.
    pub fn unnamed(&self, path: &str, source: &Source, place: Name) -> Option<Spot> {
        match unnamed_place(source.text(), place.start)?.1 {
            Lead::Type(path) => {
                self.call.session.standard(path, Wanted::Item).map(|item| item.spot)
            }
            Lead::File { path: file, macro_at } => {
                let meanings = source.meanings(source.name_from(macro_at));
                if meanings.iter().any(|meaning| matches!(meaning, Meaning::Item { .. })) {
                    return None;
                }
                let folder = Path::new(path).parent()?.to_str()?;
                let place = self.folder.root.join(join(folder, &file)?);
                let place =
                    Some(place).filter(|place| self.revision.is_none() && place.is_file())?;
                let document = places::Document { path: place, revision: None };
                let uri = document.uri();
                Some(Spot { uri, name: Range::default(), whole: Range::default() })
            }
        }
    }
}
