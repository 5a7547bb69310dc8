//! What changes often: hot spots, coupled functions, owners. Decided by `queries/history`; here the
//! rows are restricted to a scope.

use std::time::Instant;

use super::Scope;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{Micros, NodeId, NodeKind};
use asof_query::Queries;
use asof_wire::{Answer, Coupled, Coupling, Hotspot, HotspotRequest, Owner, Tests};

/// Most items that a revision changed for it to say something about two of them.
const WIDEST: u32 = 30;

/// Fewest revisions that two functions have in common.
const LEAST: u32 = 3;

impl Snapshot<'_> {
    /// Functions that changed, by number of changes times complexity.
    ///
    /// # Errors
    /// No such path or moment, or a failure of the database.
    pub fn hotspots(&self, request: &HotspotRequest) -> Result<Answer<Hotspot>, EngineError> {
        let started = Instant::now();
        let scope = self.hotspot_scope(request)?;
        let mut rows =
            Queries::at(self.store(), self.at).hotspots(self.hotspots_since(request)?)?;
        rows.retain(|row| {
            (request.tests == Tests::Include || !row.in_test)
                && is_inside(&scope, &row.canonical_path, &row.file_path)
        });
        let items = rows.into_iter().map(|row| Hotspot {
            id: row.id,
            path: row.canonical_path,
            kind: row.kind,
            file_path: row.file_path,
            in_test: row.in_test,
            changes: row.changes,
            last: row.last.to_string(),
            complexity: row.complexity,
            cognitive: row.cognitive,
            code_lines: row.code_lines,
            score: row.score,
        });
        Ok(self.answer(started, items.collect(), request.limit))
    }

    /// Pairs of functions that the same revisions changed; with a path, one of the two is inside.
    ///
    /// # Errors
    /// No such path or moment, or a failure of the database.
    pub fn coupling(&self, request: &HotspotRequest) -> Result<Answer<Coupling>, EngineError> {
        let started = Instant::now();
        let scope = self.hotspot_scope(request)?;
        let since = self.hotspots_since(request)?;
        let tests = self.test_functions(request.tests)?;
        let mut rows = Queries::at(self.store(), self.at).coupling(since, WIDEST, LEAST)?;
        rows.retain(|row| {
            let inside = is_inside(&scope, &row.first_path, &row.first_file)
                || is_inside(&scope, &row.second_path, &row.second_file);
            inside && !tests.contains(&row.first_id) && !tests.contains(&row.second_id)
        });
        let items = rows.into_iter().map(|row| Coupling {
            first: Coupled { id: row.first_id, path: row.first_path, file_path: row.first_file },
            second: Coupled {
                id: row.second_id,
                path: row.second_path,
                file_path: row.second_file,
            },
            together: row.together,
            share: rounded(row.share),
        });
        Ok(self.answer(started, items.collect(), request.limit))
    }

    /// Who made the versions of functions.
    ///
    /// # Errors
    /// No such path or moment, or a failure of the database.
    pub fn ownership(&self, request: &HotspotRequest) -> Result<Answer<Owner>, EngineError> {
        let started = Instant::now();
        let scope = self.hotspot_scope(request)?;
        let queries = Queries::at(self.store(), self.at);
        let functions = queries.measured()?.into_iter().filter(|row| {
            matches!(row.kind, NodeKind::Function | NodeKind::Method)
                && (request.tests == Tests::Include || !row.in_test)
                && is_inside(&scope, &row.canonical_path, &row.file_path)
        });
        let ids: Vec<NodeId> = functions.map(|row| row.id).collect();
        // What was there when the history begins has no known author.
        let begin = Queries::history_start(self.store())?;
        let since = self.hotspots_since(request)?.max(begin.unwrap_or_default());
        let rows = queries.owners(&ids, since)?;
        let all: u32 = rows.iter().map(|row| row.versions).sum();
        let items = rows.into_iter().map(|row| Owner {
            actor: row.actor,
            versions: row.versions,
            share: rounded(f64::from(row.versions) / f64::from(all.max(1))),
            items: row.items,
            since: row.since.to_string(),
            last: row.last.to_string(),
        });
        Ok(self.answer(started, items.collect(), request.limit))
    }

    fn hotspots_since(&self, request: &HotspotRequest) -> Result<Micros, EngineError> {
        let since = request.since.as_ref().map(|when| self.time_of(when)).transpose()?;
        Ok(since.unwrap_or_default())
    }

    fn hotspot_scope(&self, request: &HotspotRequest) -> Result<Option<Scope>, EngineError> {
        self.need_history()?;
        request.path.as_ref().map(|path| self.scope(self, path)).transpose()
    }

    /// Functions that are left out because they are test code.
    fn test_functions(
        &self,
        tests: Tests,
    ) -> Result<std::collections::BTreeSet<NodeId>, EngineError> {
        if tests == Tests::Include {
            return Ok(Default::default());
        }
        let rows = Queries::at(self.store(), self.at).measured()?;
        Ok(rows.into_iter().filter(|row| row.in_test).map(|row| row.id).collect())
    }
}

/// A share in four digits: more say nothing.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

fn is_inside(scope: &Option<Scope>, path: &str, file_path: &str) -> bool {
    scope.as_ref().is_none_or(|scope| scope.covers(path, file_path))
}
