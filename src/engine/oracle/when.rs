//! Checks claims about time: when an item changed, since when one calls another.

use std::sync::LazyLock;

use regex::Regex;

use super::subject::clean;
use super::{Checked, method};
use crate::cache::Known;
use crate::database::{Refresh, Snapshot};
use crate::error::EngineError;
use asof_model::Class;
use asof_model::ErrorKind;
use asof_oracle::{Ask, Change, Claimed, Structural, last_name};
use asof_wire::{Event, HistoryRequest, Merges, ResolveRequest, Verdict, Version, When};

static MOMENTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d\d-\d\d|[0-9a-f]{7,64})\b",
    )
    .ok()
});

/// Versions whose calls are compared.
const MAX_VERSIONS: usize = 300;

impl Snapshot<'_> {
    /// The versions of an item, newest first; or why they are not known.
    pub(super) fn versions(&self, path: &str) -> Result<Result<Vec<Version>, String>, EngineError> {
        let item = ResolveRequest::new(clean(path));
        match self.history(&HistoryRequest {
            item,
            merges: Merges::FirstParent,
            ..HistoryRequest::default()
        }) {
            Ok(history) => Ok(Ok(history.answer.items)),
            Err(error) if error.kind() == ErrorKind::Failure => Err(error),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    /// Checks when an item changed.
    pub(super) fn check_change(
        &self,
        asked: &Structural,
        change: Change,
        claimed: &Claimed<'_>,
    ) -> Result<Checked, EngineError> {
        let method = method(asked);
        let versions = match self.versions(&asked.subject)? {
            Ok(versions) => versions,
            Err(reason) => return Ok(Checked::unknown(reason, &method)),
        };
        let oldest_is_unknown = versions.last().is_some_and(|version| version.present_at_start);
        let known = versions.iter().filter(|version| !version.present_at_start);
        let is = |version: &&Version| match change {
            Change::Any => !version.classes.contains(&Class::Added),
            Change::Last => true,
            Change::Added => version.classes.contains(&Class::Added),
            Change::Removed => version.classes.contains(&Class::Removed),
        };
        let mut events: Vec<&Event> = known.filter(is).map(|version| &version.event).collect();
        if change != Change::Any {
            events.truncate(1);
        }
        if events.is_empty() {
            let reason = if oldest_is_unknown {
                "it was there when the history begins"
            } else {
                "the history has no such change"
            };
            return Ok(Checked::unknown(reason, &method));
        }
        let checked = compare(claimed, &events, oldest_is_unknown, &method);
        if change != Change::Added {
            return Ok(checked);
        }
        // Its present path may be younger than the item.
        let moved = || versions.iter().filter(|version| version.previous_path.is_some());
        let mut as_named = moved().map(|one| compare(claimed, &[&one.event], false, &method));
        if let Some(right) = as_named.find(|one| one.verdict.is_golden()) {
            return Ok(right);
        }
        let is_renamed = |one: &Version| {
            one.previous_path.as_deref().is_some_and(|old| last_name(old) != last_name(&one.path))
        };
        if checked.verdict.is_golden() && moved().any(is_renamed) {
            return Ok(Checked::unknown("it was added under another name", &method));
        }
        Ok(checked)
    }

    /// Checks since when one item calls another: the oldest of the versions that follow each other
    /// without a gap up to now.
    pub(super) fn check_since(
        &self,
        asked: &Structural,
        claimed: &Claimed<'_>,
    ) -> Result<Checked, EngineError> {
        let method = method(asked);
        let versions = match self.versions(&asked.subject)? {
            Ok(versions) => versions,
            Err(reason) => return Ok(Checked::unknown(reason, &method)),
        };
        let (mut since, mut later): (_, Option<Snapshot<'_>>) = (None, None);
        for version in versions.iter().take(MAX_VERSIONS) {
            let then = self.database.snapshot(&When::At(version.event.time), Refresh::Skip);
            let Ok(then) = then else { break };
            let calls =
                Structural { ask: Ask::Calls, subject: version.path.clone(), ..asked.clone() };
            let subjects = match then.subjects(&calls, None)? {
                Ok(subjects) => subjects,
                Err(_) => break,
            };
            let [subject] = subjects.as_slice() else { break };
            match then.facts(&calls, subject)? {
                Known::YesNo(true) => since = Some(version),
                Known::YesNo(false) => {
                    let same = later.map(|later| later.has_same_sources(&then)).transpose()?;
                    if same == Some(false) {
                        let reason = "other sources of dependencies could be read before";
                        return Ok(Checked::unknown(reason, &method));
                    }
                    break;
                }
                _ => return Ok(Checked::unknown("an earlier call is uncertain", &method)),
            }
            later = Some(then);
        }
        match since {
            None => Ok(Checked::unknown("it does not call it", &method)),
            Some(version) if version.present_at_start => {
                Ok(Checked::unknown("it already did when the history begins", &method))
            }
            Some(version) => Ok(compare(claimed, &[&version.event], false, &method)),
        }
    }
}

/// Compares the commits, revisions and dates in an answer with events.
fn compare(
    claimed: &Claimed<'_>,
    events: &[&Event],
    oldest_is_unknown: bool,
    method: &str,
) -> Checked {
    let truth: Vec<String> = events.iter().map(|event| shown(event)).collect();
    let text = asof_oracle::with_iso_dates(claimed.text()).to_ascii_lowercase();
    let moments: Vec<&str> = MOMENTS
        .as_ref()
        .map(|regex| regex.find_iter(&text).map(|found| found.as_str()).collect())
        .unwrap_or_default();
    if moments.is_empty() {
        let reason = "the answer names no commit, revision or date".to_owned();
        return Checked { truth, ..Checked::unknown(reason, method) };
    }
    let extra: Vec<String> = moments
        .iter()
        .filter(|moment| !events.iter().any(|event| is_at(event, moment)))
        .map(|&moment| moment.to_owned())
        .collect();
    let all = events.iter().all(|event| moments.iter().any(|moment| is_at(event, moment)));
    let verdict = match (extra.is_empty(), all) {
        (true, true) => Verdict::ExactMatch,
        (true, false) => Verdict::SubsetMatch { missing: truth.clone() },
        (false, _) if oldest_is_unknown && events.len() > 1 => {
            Verdict::CannotVerify { reason: "older changes are not in the history".to_owned() }
        }
        (false, true) => Verdict::HasFalsePositives { extra },
        (false, false) => Verdict::Mismatch { extra, missing: truth.clone() },
    };
    Checked { verdict, truth, method: method.to_owned() }
}

fn is_at(event: &Event, moment: &str) -> bool {
    event.commit.as_ref().is_some_and(|commit| commit.starts_with(moment))
        || event.id.to_string().starts_with(moment)
        || event.at.starts_with(moment)
}

/// A revision in one line.
pub(super) fn shown(event: &Event) -> String {
    let date = event.at.get(..10).unwrap_or(&event.at);
    let subject = event.message.as_deref().and_then(|text| text.lines().next());
    let message = subject.map(|text| format!(": {text}")).unwrap_or_default();
    match &event.commit {
        Some(commit) => {
            let short = commit.get(..12).unwrap_or(commit);
            format!("revision {} (commit {short}), {date}{message}", event.id)
        }
        None => format!("revision {} ({}), {date}{message}", event.id, event.cause),
    }
}
