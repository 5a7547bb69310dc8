//! Runs queries of users: scripts, and stored programs by name.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::database::{Database, STATE_DIR, Snapshot};
use crate::error::EngineError;
use asof_model::Micros;
use asof_query::{Library, Moments, ProgramSource, QueryError, UnknownMoment};
use asof_store::{Limits, Rows, Value};
use asof_wire::{QueryRequest, QueryResult, Script, When};

impl Database {
    /// Shipped queries and those in `.asof/queries`, with the problems of the latter.
    pub fn library(&self) -> (Library, Vec<QueryError>) {
        let mut library = Library::shipped();
        let folder: Option<PathBuf> = self.root().map(|root| root.join(STATE_DIR).join("queries"));
        let problems = match folder {
            Some(folder) => library.add_folder(&folder),
            None => Vec::new(),
        };
        (library, problems)
    }
}

impl Snapshot<'_> {
    /// Runs a query within its limits. The engine enforces the limits of time and memory; callers
    /// that run untrusted scripts should use a separate process.
    pub fn query(&self, request: &QueryRequest) -> Result<QueryResult, EngineError> {
        let started = Instant::now();
        let (library, problems) = self.database.library();
        let limits = Limits {
            time: Duration::from_millis(request.time_ms),
            memory_bytes: request.memory_bytes,
            rows: request.rows,
        };
        let given: Vec<(String, Value)> = request
            .params
            .iter()
            .map(|(name, value)| (name.clone(), Value::from_json(value.clone())))
            .collect();
        let store = self.store();
        let moments = match &request.script {
            Script::Text(text) => self.moments(text)?,
            Script::Name(name) => match library.get(name) {
                Ok((program, ProgramSource::User)) => self.moments(&program.text)?,
                _ => self.at.into(),
            },
        };
        let mut rows: Rows = match (&request.script, request.explain) {
            (Script::Text(text), false) => Library::run_text(store, text, &given, moments, limits)?,
            (Script::Text(text), true) => Library::explain_text(store, text, &given, moments)?,
            (Script::Name(name), explain) => {
                // A broken user file is reported when it is requested.
                if library.get(name).is_err()
                    && let Some(problem) = problems.into_iter().next()
                {
                    return Err(problem.into());
                }
                if explain {
                    library.explain(store, name, &given, moments)?
                } else {
                    library.run(store, name, &given, moments, limits)?
                }
            }
        };
        rows.limit(request.rows);
        Ok(QueryResult {
            basis: self.basis.clone(),
            source: self.origin,
            truncated: rows.truncated(),
            total: rows.len(),
            headers: rows.headers().to_vec(),
            items: rows.to_json(),
            ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// The moments that a script names after `@`, in any form that [`When::parse`] reads. An
    /// unknown moment is reported at its place in the script.
    fn moments(&self, script: &str) -> Result<Moments, EngineError> {
        let mut moments = Moments::from(self.at);
        for name in Library::names_of_moments(script) {
            let moment = match self.moment_named(&name) {
                Ok(at) => Ok(at),
                Err(error @ (EngineError::NoRevision { .. } | EngineError::Moment(_))) => {
                    Err(UnknownMoment { message: error.to_string(), hint: error.hint() })
                }
                Err(error) => return Err(error),
            };
            moments.named.insert(name, moment);
        }
        Ok(moments)
    }

    fn moment_named(&self, name: &str) -> Result<Micros, EngineError> {
        // A database without revisions has no rows at any moment.
        let (_, at) = self.database.revision(&When::parse(name)?)?;
        let at = at.unwrap_or(self.at);
        match self.floor {
            Some(floor) if at < floor => Err(EngineError::dropped(at, floor)),
            _ => Ok(at),
        }
    }
}
