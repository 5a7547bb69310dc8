//! Places of items in saved and unsaved texts.

use asof_model::{NodeId, NodeKind};
use asof_wire::{Item, SourceItem};

use super::session::Failure;
use super::source::Source;
use super::spot::Spot;
use super::view::View;

/// See the module.
#[derive(Debug)]
pub struct Placed {
    pub id: NodeId,
    pub kind: NodeKind,
    pub name: String,
    /// Canonical path.
    pub path: Option<String>,
    pub spot: Spot,
}

impl View<'_> {
    /// Items by their ids, in this order: as they were indexed, or as an open text has them.
    pub fn placed(&self, ids: &[NodeId]) -> Result<Vec<Placed>, Failure> {
        let mut found: Vec<Placed> = self
            .spots(ids)?
            .into_iter()
            .map(|(item, spot)| {
                let (id, kind, name, path) = (item.id, item.kind, item.name, item.path);
                Placed { id, kind, name, path, spot }
            })
            .collect();
        if found.len() == ids.len() {
            return Ok(found);
        }
        for (path, source) in self.unsaved_sources()? {
            for item in source.items.iter().filter(|item| ids.contains(&item.id)) {
                if !found.iter().any(|one| one.id == item.id) {
                    found.push(self.placed_in(&path, &source, item));
                }
            }
        }
        found.sort_by_key(|one| ids.iter().position(|id| *id == one.id));
        Ok(found)
    }

    /// The place of an impl with the type that it is for as its name: clients show that.
    pub fn at_self_type(&self, item: &Item, spot: Spot) -> Result<Spot, Failure> {
        let source = self.source(&item.file_path)?;
        let here = source.items.iter().find(|one| one.id == item.id);
        let Some(own) = here.and_then(|here| source.implementing_type(here)) else {
            return Ok(spot);
        };
        let name = source.lines.range(own.start, own.end, self.call.session.encoding);
        Ok(Spot { name, ..spot })
    }

    /// An item of a text.
    pub fn placed_in(&self, path: &str, source: &Source, item: &SourceItem) -> Placed {
        let span = item.span.bytes();
        Placed {
            id: item.id,
            kind: item.kind,
            name: item.name.clone(),
            path: item.path.clone(),
            spot: self.spot_at(path, &source.lines, item.name_start, span),
        }
    }
}
