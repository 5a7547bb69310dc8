//! Finds the last revision at which a refuted answer was true.

use std::time::{Duration, Instant};

use super::Checked;
use super::when::shown;
use crate::database::{Refresh, Snapshot};
use crate::error::EngineError;
use asof_model::Micros;
use asof_oracle::{Ask, Claimed, Structural};
use asof_wire::{ClaimRequest, Event, LogRequest, Verdict, When};

/// Earlier states that are tried.
const MAX_STATES: usize = 200;

/// Time for that.
const MAX_TIME: Duration = Duration::from_secs(2);

impl Snapshot<'_> {
    /// Whether the question is about an item that exists no longer.
    pub(super) fn is_gone(
        &self,
        checked: &Checked,
        asked: &Structural,
    ) -> Result<bool, EngineError> {
        let Verdict::CannotVerify { .. } = &checked.verdict else { return Ok(false) };
        let timed = matches!(asked.ask, Ask::Changed(_) | Ask::SinceCalls | Ask::Items(_));
        Ok(!timed && self.subjects(asked, asked.file.as_deref())?.is_err())
    }

    /// When a refuted answer was last true, in words. Of a question whose answer only the item's
    /// own text decides, the states before each of its changes are tried; of others, those before
    /// the newest revisions.
    pub(super) fn was_true(
        &self,
        request: &ClaimRequest,
        asked: &Structural,
        claimed: &Claimed<'_>,
    ) -> Result<Option<String>, EngineError> {
        if matches!(asked.ask, Ask::Changed(_) | Ask::SinceCalls) {
            return Ok(None);
        }
        let log = LogRequest { limit: Some(2), ..LogRequest::default() };
        if self.log(&log)?.answer.items.len() < 2 {
            // There is no earlier state.
            return Ok(None);
        }
        let started = Instant::now();
        for (event, path) in self.earlier(asked)? {
            if started.elapsed() > MAX_TIME {
                return Ok(Some(format!("true at no moment since {}", event.at)));
            }
            let before = When::At(Micros(event.time.0.saturating_sub(1)));
            let Ok(then) = self.database.snapshot(&before, Refresh::Skip) else { break };
            let asked = Structural { subject: path, ..asked.clone() };
            let checked = then.check_structural(request, &asked, claimed)?;
            if checked.verdict.is_golden() {
                return Ok(Some(format!("was true until {}", shown(&event))));
            }
        }
        Ok(None)
    }

    /// Revisions that may have changed the answer, newest first, each with the item's path before.
    fn earlier(&self, asked: &Structural) -> Result<Vec<(Event, String)>, EngineError> {
        if asked.ask.is_local()
            && let Ok(versions) = self.versions(&asked.subject)?
        {
            let earlier = versions.into_iter().filter(|version| !version.present_at_start);
            let earlier = earlier.map(|version| {
                let path = version.previous_path.unwrap_or(version.path);
                (version.event, path)
            });
            return Ok(earlier.take(MAX_STATES).collect());
        }
        let log = LogRequest { limit: Some(MAX_STATES), ..LogRequest::default() };
        let log = self.log(&log)?;
        let events = log.answer.items.into_iter().map(|operation| operation.event);
        Ok(events.map(|event| (event, asked.subject.clone())).collect())
    }
}
