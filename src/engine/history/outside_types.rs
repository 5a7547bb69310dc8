//! Compares types of other crates between two moments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_index::IndexError;
use asof_query::Queries;
use asof_semver::Sameness;

/// What is known of the dependencies at two moments.
///
/// A type is what its definition is, not the path by which it is named: `futures::stream::BoxStream`
/// is `futures_core::stream::BoxStream`. Only the sources of `futures` say so. A trap: where they were
/// read at one of the moments only, the path there is that of the definition, and at the other one as
/// it is written, though nothing changed.
pub(super) struct OutsideTypes<'s, 'd> {
    later: &'s Snapshot<'d>,
    /// Leads to the sources of dependencies.
    root: Option<&'s Path>,
    /// Names of the crates that were read, earlier and later.
    read: [BTreeSet<String>; 2],
    compared: BTreeMap<(String, String), Sameness>,
    failure: Option<EngineError>,
}

impl<'s, 'd> OutsideTypes<'s, 'd> {
    pub(super) fn new(
        earlier: &Snapshot<'_>,
        later: &'s Snapshot<'d>,
        root: Option<&'s Path>,
    ) -> Result<Self, EngineError> {
        let read = [crates_read(earlier)?, crates_read(later)?];
        Ok(OutsideTypes { later, root, read, compared: BTreeMap::new(), failure: None })
    }

    /// Compares the paths of two types, each as it is named at its moment.
    pub(super) fn compare(&mut self, old: &str, new: &str) -> Sameness {
        let pair = (old.to_owned(), new.to_owned());
        if let Some(known) = self.compared.get(&pair) {
            return *known;
        }
        let found = match self.definition(old).and_then(|was| Ok((was, self.definition(new)?))) {
            Ok((was, is)) if was == is => Sameness::Same,
            Ok(_) if [old, new].iter().all(|path| self.is_read_alike(path)) => Sameness::Other,
            Ok(_) => Sameness::Unknown,
            Err(error) => {
                self.failure.get_or_insert(error);
                Sameness::Unknown
            }
        };
        self.compared.insert(pair, found);
        found
    }

    /// # Errors
    /// What failed in a comparison.
    pub(super) fn finish(self) -> Result<(), EngineError> {
        self.failure.map_or(Ok(()), Err)
    }

    /// The crate that defines a type and the type's name there, as far as the sources of the later
    /// moment tell; else the crate that the path names.
    fn definition(&self, path: &str) -> Result<(String, String), EngineError> {
        let found = self.root.map(|root| asof_index::path_outside(self.later.store(), root, path));
        let found = match found.transpose() {
            // Without its sources, a crate is what it is called.
            Err(IndexError::Dependency { .. }) => None,
            found => found?.flatten(),
        };
        let (krate, path) = match found {
            Some((krate, path)) => (krate.name.replace('-', "_"), path),
            None => (krate_of(path).to_owned(), path.to_owned()),
        };
        let name = path.rsplit("::").next().unwrap_or(&path);
        Ok((krate, name.to_owned()))
    }

    /// Whether the sources of a path's crate were read at both moments, or at none.
    fn is_read_alike(&self, path: &str) -> bool {
        let [earlier, later] = &self.read;
        earlier.contains(krate_of(path)) == later.contains(krate_of(path))
    }
}

fn krate_of(path: &str) -> &str {
    path.split("::").next().unwrap_or(path)
}

/// The names of the crates whose sources were read.
fn crates_read(snapshot: &Snapshot<'_>) -> Result<BTreeSet<String>, EngineError> {
    let all = Queries::at(snapshot.store(), snapshot.at()).dependencies()?.into_iter();
    let read = all.filter(|one| one.is_known);
    Ok(read.flat_map(|one| [one.called, vec![one.name.replace('-', "_")]].concat()).collect())
}
