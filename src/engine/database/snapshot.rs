//! Snapshots: a database at one moment, and which moment a request means.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::handle::Database;
use crate::error::EngineError;
use asof_index::{Options, Silent};
use asof_model::{Configuration, Micros, RevisionId};
use asof_model::{ErrorKind, Hint};
use asof_query::Queries;
use asof_store::{Params, Store};
use asof_wire::{Answer, AnswerSource, Basis, ConfigurationRequest, Freshness, When};

/// How long a question waits at most for another process that writes, if it need not be fresh.
const MOMENT: Duration = Duration::from_millis(250);

impl Database {
    /// The database at one moment, for queries.
    pub fn snapshot(&self, when: &When, refresh: Refresh) -> Result<Snapshot<'_>, EngineError> {
        let _span = tracing::debug_span!("snapshot", ?when, ?refresh).entered();
        if let Some(hash) = &self.commit {
            return self.of_commit_only(hash);
        }
        let mut freshness = (Freshness::Unknown, Vec::new());
        let mut note = None;
        if *when == When::Now && self.root.is_some() {
            match self.refresh_for(refresh)? {
                Refreshed::Done => freshness.0 = Freshness::Fresh,
                Refreshed::Not(reason) => {
                    let stale = asof_index::stale_files(&self.store, self.need_root()?)?;
                    let state = if stale.is_empty() { Freshness::Fresh } else { Freshness::Stale };
                    if let (Freshness::Stale, Some(reason)) = (state, reason) {
                        note = Some(format!("NOW could not be updated: {reason}"));
                    }
                    freshness = (state, stale);
                }
            }
        }
        let (revision, at) = self.revision(when)?;
        let floor = self.floor()?;
        if let (Some(at), Some(floor)) = (at, floor)
            && at < floor
        {
            return Err(EngineError::dropped(at, floor));
        }
        let mut basis = Basis::unknown(revision, at);
        (basis.freshness_state, basis.stale_files) = freshness;
        basis.note = note;
        let origin = match when {
            When::Now | When::Newest => AnswerSource::Now,
            When::At(_) | When::Ago(_) | When::Revision(_) | When::Named(_) => AnswerSource::AsOf,
        };
        Ok(self.at_moment(at.unwrap_or(Micros(0)), floor, basis, origin))
    }

    fn at_moment(
        &self,
        at: Micros,
        floor: Option<Micros>,
        basis: Basis,
        origin: AnswerSource,
    ) -> Snapshot<'_> {
        let request = ConfigurationRequest::default();
        let configuration = OnceLock::new();
        Snapshot { database: self, at, floor, basis, origin, request, configuration }
    }

    /// The only moment of a database of one commit.
    fn of_commit_only(&self, hash: &str) -> Result<Snapshot<'_>, EngineError> {
        let (_, at) = self.revision(&When::Newest)?;
        let mut basis = Basis::unknown(None, at);
        basis.note = Some(format!(
            "the commit {hash} is not imported: this is what its files say, without a history"
        ));
        let origin = AnswerSource::AsOf;
        Ok(self.at_moment(at.unwrap_or(Micros(0)), None, basis, origin))
    }

    /// Updates NOW for a query, if that is wanted and possible.
    fn refresh_for(&self, refresh: Refresh) -> Result<Refreshed, EngineError> {
        let lock_wait = match refresh {
            Refresh::Skip => return Ok(Refreshed::Not(None)),
            Refresh::First => Options::default().lock_wait,
            Refresh::IfFree => MOMENT,
        };
        if let Some(reason) = self.store.why_read_only() {
            return Ok(Refreshed::Not(Some(reason.to_string())));
        }
        match self.refresh(&Options { lock_wait, ..Options::default() }, &Silent) {
            Ok(_) => Ok(Refreshed::Done),
            Err(error) if refresh == Refresh::IfFree && error.kind() == ErrorKind::Locked => {
                Ok(Refreshed::Not(Some("another process is writing".to_owned())))
            }
            Err(error) => Err(error),
        }
    }

    /// The moment this long ago.
    ///
    /// The clock may be behind the newest revisions: it was ahead when they were written, or is
    /// wrong now. Their times then do not give an age; but a revision written while the clock was
    /// behind an earlier one also stores the clock's time.
    ///
    /// # Errors
    /// It is unknown which of these revisions existed at that moment.
    pub(crate) fn moment(&self, ago: i64) -> Result<Micros, EngineError> {
        let clock = Micros::now();
        let moment = Micros(clock.0.saturating_sub(ago));
        let after = Micros(clock.0.saturating_add(1));
        let ahead = Queries::revisions_between(&self.store, after, Micros(i64::MAX))?;
        let Some(oldest) = ahead.first() else { return Ok(moment) };
        for revision in ahead.iter().rev() {
            match revision.clock {
                Some(written) if written <= moment => return Ok(revision.at),
                Some(written) if written <= clock => {}
                _ => break,
            }
        }
        let before = Micros(oldest.at.0.saturating_sub(1));
        let last =
            asof_query::run(&self.store, "history/newest_at", Params::new().with("at", before))?;
        let last: Option<Micros> = last.iter().next().map(|row| row.get("at")).transpose()?;
        // Later revisions follow the last one that is not ahead of the clock.
        if last.is_some_and(|last| moment < last)
            || ahead.iter().all(|revision| revision.clock.is_some_and(|c| moment < c && c <= clock))
        {
            return Ok(moment);
        }
        Err(EngineError::NoRevision {
            text: format!("-{:#}", jiff::SignedDuration::from_micros(ago)),
            reason: format!(
                "revisions since {} lie after the clock, which says {clock}: how old they are is \
                 not known",
                oldest.at
            ),
            hint: Hint::ListRevisions,
        })
    }

    pub(crate) fn revision(
        &self,
        when: &When,
    ) -> Result<(Option<RevisionId>, Option<Micros>), EngineError> {
        let (program, params, text) = match when {
            When::Now | When::Newest => ("history/newest", Params::new(), "NOW".to_owned()),
            When::At(at) => ("history/newest_at", Params::new().with("at", *at), at.to_string()),
            When::Revision(id) => {
                ("history/revision", Params::new().with("id", *id), id.to_string())
            }
            When::Named(name) => {
                let (id, at) = self.named(name)?;
                return Ok((Some(id), Some(at)));
            }
            When::Ago(micros) => return self.revision(&When::At(self.moment(*micros)?)),
        };
        let rows = asof_query::run(&self.store, program, params)?;
        match rows.iter().next() {
            Some(row) => Ok((Some(row.get("id")?), Some(row.get("at")?))),
            None if matches!(when, When::Now | When::Newest) => Ok((None, None)),
            None => Err(EngineError::NoRevision {
                text,
                reason: "the database has no revision from that time".to_owned(),
                hint: Hint::ListRevisions,
            }),
        }
    }
}

/// Whether NOW is updated from the files on disk before it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// Update it first.
    First,
    /// Update it, unless another process keeps the write lock for longer than a moment: the
    /// answer is then based on the newest revision, and says so.
    IfFree,
    /// Read it as it is: the basis of each answer lists the files that differ.
    Skip,
}

/// What a refresh before a question came to.
enum Refreshed {
    Done,
    /// Why it was not made, if it was wanted.
    Not(Option<String>),
}

/// A database at one moment: all answers of a snapshot have the same basis.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(crate) database: &'a Database,
    pub(crate) at: Micros,
    /// Time before which versions were dropped, if any were.
    pub(crate) floor: Option<Micros>,
    pub(crate) basis: Basis,
    pub(crate) origin: AnswerSource,
    /// The configuration of the questions.
    pub(crate) request: ConfigurationRequest,
    /// What that comes to, once it was needed.
    pub(super) configuration: OnceLock<Configuration>,
}

impl Snapshot<'_> {
    /// The time that every query is run at.
    pub fn at(&self) -> Micros {
        self.at
    }

    /// Where the answers come from.
    pub fn source(&self) -> AnswerSource {
        self.origin
    }

    /// The basis of the answers.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    pub(crate) fn store(&self) -> &Store {
        &self.database.store
    }

    pub(crate) fn params(&self) -> Params {
        Params::new().with("at", self.at)
    }

    /// Time of the newest revision.
    pub(crate) fn newest(&self) -> Result<Option<Micros>, EngineError> {
        let rows = asof_query::run(self.store(), "meta/get", Params::new().with("key", "newest"))?;
        let text: Option<String> = rows.iter().next().map(|r| r.get("value")).transpose()?;
        let time = text.map(|text| {
            let unread = |_| EngineError::State {
                what: "time of the newest revision",
                reason: text.clone(),
            };
            text.parse().map(Micros).map_err(unread)
        });
        time.transpose()
    }

    /// Truncates a list to the limit; `items` should contain one more if there are more.
    pub(crate) fn answer<T>(
        &self,
        started: Instant,
        items: Vec<T>,
        limit: Option<usize>,
    ) -> Answer<T> {
        let mut answer = Answer {
            basis: self.basis.clone(),
            source: self.origin,
            truncated: false,
            total: items.len(),
            items,
            ms: started.elapsed().as_secs_f64() * 1e3,
        };
        answer.cut(limit);
        answer
    }
}
