//! The items that paths start from.

use std::collections::BTreeSet;

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::history::Scope;
use crate::items::{Hidden, Members, PackageFiles};
use asof_model::{Hint, NodeId, NodeKind};
use asof_query::{CrateRoot, Declared, Queries};
use asof_wire::{ReachRequest, ResolveRequest, Tests};

impl Snapshot<'_> {
    /// The items that paths start from.
    pub(super) fn starts(
        &self,
        request: &ReachRequest,
        is_blocking: bool,
    ) -> Result<Vec<NodeId>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let crates = queries.crates()?;
        let package = match &request.package {
            Some(wanted) => Some(super::super::find_package(&crates, wanted)?),
            None => None,
        };
        let is_wanted = |file_path: &str, in_test: bool| {
            (request.tests == Tests::Include || !in_test)
                && package.as_ref().is_none_or(|package: &PackageFiles| package.holds(file_path))
        };
        let declared = queries.declarations()?;
        let functions = declared.iter().filter(|item| {
            matches!(item.kind, NodeKind::Function | NodeKind::Method)
                && is_wanted(&item.file_path, item.in_test)
        });
        if !request.from.is_empty() {
            let mut found = BTreeSet::new();
            for path in &request.from {
                let place = self.find_place(path)?;
                let within = functions.clone().filter(|item| place.holds(item)).map(|item| item.id);
                let before = found.len();
                found.extend(within);
                if found.len() == before && request.tests == Tests::Include && package.is_none() {
                    return Err(EngineError::NotFound {
                        what: format!("no function in `{path}`"),
                        hint: Hint::Advice("give a function, or what has functions".to_owned()),
                    });
                }
            }
            return Ok(found.into_iter().collect());
        }
        if is_blocking {
            return Ok(functions.map(|item| item.id).collect());
        }
        let public = self.public_functions(&declared, &crates)?;
        Ok(functions.filter(|item| public.contains(&item.id)).map(|item| item.id).collect())
    }

    /// What a path to start from names.
    fn find_place(&self, path: &str) -> Result<Place, EngineError> {
        let request = ResolveRequest::new(path);
        if !path.contains("::") && request.place().is_none() {
            return Ok(Place::Scope(self.scope(self, path)?));
        }
        let found = self.resolve(&request)?;
        let is_function = |kind| matches!(kind, NodeKind::Function | NodeKind::Method);
        if !found.items().is_empty() && found.items().iter().all(|item| is_function(item.kind)) {
            return Ok(Place::Items(found.items().iter().map(|item| item.id).collect()));
        }
        Ok(Place::Scope(self.scope(self, path)?))
    }

    /// Functions that other crates can call, items of traits that public types implement, and each
    /// `main` of a binary.
    fn public_functions(
        &self,
        declared: &[Declared],
        crates: &[CrateRoot],
    ) -> Result<BTreeSet<NodeId>, EngineError> {
        let is_library =
            |one: &&CrateRoot| matches!(one.target_kind.as_str(), "lib" | "proc_macro");
        let libraries: Vec<NodeId> =
            crates.iter().filter(is_library).map(|one| one.root_id).collect();
        let mut found = BTreeSet::new();
        let mut types: BTreeSet<String> = BTreeSet::new();
        if !libraries.is_empty() {
            let api = self.api(&libraries, Members::List, Hidden::List, None)?;
            for item in api.items {
                found.extend(item.id);
                types.extend(item.canonical_path.filter(|_| item.id.is_some()));
            }
        }
        let binaries: BTreeSet<NodeId> =
            crates.iter().filter(|one| one.target_kind == "bin").map(|one| one.root_id).collect();
        for item in declared {
            let is_main = item.name == "main"
                && item.kind == NodeKind::Function
                && item.parent_id.is_some_and(|parent| binaries.contains(&parent));
            let implemented = item.path.as_deref().and_then(implementing_type);
            if is_main || implemented.is_some_and(|path| types.contains(path)) {
                found.insert(item.id);
            }
        }
        Ok(found)
    }
}

/// What a path to start from names.
enum Place {
    Items(BTreeSet<NodeId>),
    Scope(Scope),
}

impl Place {
    fn holds(&self, item: &Declared) -> bool {
        match self {
            Self::Items(ids) => ids.contains(&item.id),
            Self::Scope(scope) => {
                let path = item.path.as_deref();
                path.is_some_and(|path| scope.covers(path, &item.file_path))
            }
        }
    }
}

/// The path of the type that an item of a trait's impl is of: `a::T` of `<a::T as Trait>::m`.
fn implementing_type(path: &str) -> Option<&str> {
    let (own, _) = path.strip_prefix('<')?.split_once(" as ")?;
    own.split('<').next()
}
