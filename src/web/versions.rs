//! The versions of an item over all time, also those after the moment of the page.

use asof_engine::{EngineError, Snapshot};
use asof_model::ErrorKind;
use asof_model::Micros;
use asof_wire::{HistoryRequest, ResolveRequest, Version};

use super::address::{Links, encoded};
use super::visit::Visit;
use super::{parts, time_bar::Here};
use asof_surface::problem::Problem;

/// How often an item that became another is followed.
const MOST_NAMES: usize = 16;

/// Versions of an item, newest first.
#[derive(Debug, Default)]
pub struct Versions(pub Vec<Version>);

impl Versions {
    /// The versions of the item that has or had this path, across moves and renames in both
    /// directions. None if the path never named an item.
    ///
    /// # Errors
    /// The store failed.
    pub fn load(visit: &Visit<'_>, path: &str, id: Option<&str>) -> Result<Self, Problem> {
        let newest = visit.newest()?;
        let here = versions(visit.snapshot, path, id)?;
        let mut all = versions(&newest, path, id)?;
        // Another item may have this path now.
        let is_same = |all: &[Version]| match here.first() {
            Some(version) => {
                all.iter().any(|one| one.event.id == version.event.id && one.id == version.id)
            }
            None => true,
        };
        if !is_same(&all) {
            all.clone_from(&here);
        }
        for _ in 0..MOST_NAMES {
            let Some(became) = all.first().and_then(|version| version.to.clone()) else { break };
            let next = versions(&newest, &became, None)?;
            if !is_same(&next) {
                break;
            }
            all = next;
        }
        Ok(Self(all))
    }

    /// The version that holds at a time, as an index.
    pub fn at(&self, at: Micros) -> Option<usize> {
        self.0.iter().position(|version| version.event.time <= at)
    }

    /// What the bar of time shows of them.
    pub fn here(&self, at: Micros, subject: &'static str, path: &str) -> Here {
        let now = self.at(at);
        let link = |index: Option<usize>| {
            let version = index.and_then(|index| self.0.get(index))?;
            Some(address(version))
        };
        Here {
            marks: self.0.iter().map(|version| version.event.time).collect(),
            subject,
            older: link(now.map(|now| now + 1)),
            newer: link(match now {
                Some(now) => now.checked_sub(1),
                None => self.0.len().checked_sub(1),
            }),
            path: path.to_owned(),
            compared: None,
        }
    }
}

impl Versions {
    /// What the bar of time shows on the graph of an item: its versions lead to graphs.
    pub fn here_for(&self, visit: &Visit<'_>, kind: &str, path: &str) -> Here {
        let at = visit.snapshot.at();
        let now = self.at(at);
        let link = |index: Option<usize>| {
            let version = index.and_then(|index| self.0.get(index))?;
            let links = Links::new(Some(parts::name_of(&version.event)));
            Some(links.to(&format!("/graph/{kind}/{}", encoded(&version.path))))
        };
        Here {
            older: link(now.map(|now| now + 1)),
            newer: link(match now {
                Some(now) => now.checked_sub(1),
                None => self.0.len().checked_sub(1),
            }),
            ..self.here(at, "version", path)
        }
    }
}

/// The page of a version.
pub fn address(version: &Version) -> String {
    let links = Links::new(Some(parts::name_of(&version.event)));
    if version.path.contains("::") || version.kind == asof_model::NodeKind::Module {
        links.item(&version.path)
    } else {
        links.item_by_id(&version.path, version.id)
    }
}

fn versions(
    snapshot: &Snapshot<'_>,
    path: &str,
    id: Option<&str>,
) -> Result<Vec<Version>, Problem> {
    let item = ResolveRequest::new(path);
    let request = HistoryRequest { item, id: id.map(str::to_owned), ..HistoryRequest::default() };
    match snapshot.history(&request) {
        Ok(history) => Ok(history.answer.items),
        Err(error) => match EngineError::kind(&error) {
            ErrorKind::NoMatch | ErrorKind::Ambiguous | ErrorKind::BadRequest => Ok(Vec::new()),
            _ => Err(error.into()),
        },
    }
}
