//! Edits: planned first, applied and undone by the proposal's id.

use asof_engine::{Database, EditOptions};
use asof_model::Hint;
use asof_wire::{
    ConfigurationRequest, EditRequest, EditSummary, ProposalDetails, ProposalList, ProposalRow,
    ProposalStatus,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::endpoint::{Ask, Effect, Endpoint};
use asof_surface::problem::Problem;

pub fn endpoints() -> Vec<Endpoint> {
    let reads = |endpoint: Endpoint| Endpoint { effect: Effect::Edits, ..endpoint };
    vec![
        Endpoint::of_database(
            "/api/edit/plan",
            "Check a request and keep it as a proposal; no source file is changed",
            plan,
        )
        .edits(),
        Endpoint::of_database("/api/edit/apply", "Apply a proposal, all of it or nothing", apply)
            .edits(),
        Endpoint::of_database(
            "/api/edit/undo",
            "Revert an applied proposal, keeping later changes to its files",
            undo,
        )
        .edits(),
        Endpoint::of_database("/api/edit/deny", "Reject a proposal for good", deny).edits(),
        reads(Endpoint::of_database("/api/edit/list", "Proposals, newest first", list).pages(50)),
        reads(Endpoint::of_database("/api/edit/show", "A proposal with its diff", show)),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
struct PlanRequest {
    #[serde(flatten)]
    request: EditRequest,
    /// Format only the changed items, with rustfmt.
    #[serde(default)]
    rustfmt: bool,
    /// Allow results that do not parse, and changes to other items.
    #[serde(default)]
    allow_broken: bool,
    /// Which of several definitions a path means.
    #[serde(default)]
    configuration: ConfigurationRequest,
    #[serde(flatten)]
    said: Said,
}

/// Recorded with the revision.
#[derive(Debug, Deserialize, JsonSchema)]
struct Said {
    /// Who makes the edit.
    actor: Option<String>,
    /// Why.
    reason: Option<String>,
}

impl Said {
    fn options(self, ask: &Ask) -> EditOptions {
        let actor = Some(self.actor.unwrap_or_else(|| ask.actor.clone()));
        EditOptions { actor, reason: self.reason, ..EditOptions::default() }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ChangeRequest {
    /// Id of a proposal, or its first letters.
    proposal_id: String,
    #[serde(flatten)]
    said: Said,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ProposalRequest {
    /// Id of a proposal, or its first letters.
    proposal_id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct ListRequest {
    /// Only proposals with this status.
    status: Option<ProposalStatus>,
}

/// The database; edits whose process died are settled first.
fn settled(ask: &Ask) -> Result<&Database, Problem> {
    ask.database.recover_edits()?;
    Ok(&ask.database)
}

fn plan(ask: &Ask, given: PlanRequest) -> Result<EditSummary, Problem> {
    if given.request.edits.is_empty() {
        let hint = Hint::RequestShapes;
        return Err(Problem::bad_request("`edits` is empty", hint));
    }
    let PlanRequest { rustfmt, allow_broken, configuration, .. } = given;
    let said = given.said.options(ask);
    let options = EditOptions { rustfmt, allow_broken, configuration, ..said };
    Ok(settled(ask)?.plan_edit(&given.request, &options)?)
}

fn apply(ask: &Ask, given: ChangeRequest) -> Result<EditSummary, Problem> {
    Ok(settled(ask)?.apply_edit(&given.proposal_id, &given.said.options(ask))?)
}

fn undo(ask: &Ask, given: ChangeRequest) -> Result<EditSummary, Problem> {
    Ok(settled(ask)?.undo_edit(Some(&given.proposal_id), &given.said.options(ask))?)
}

fn deny(ask: &Ask, given: ProposalRequest) -> Result<ProposalRow, Problem> {
    Ok(settled(ask)?.deny_edit(&given.proposal_id)?)
}

fn list(ask: &Ask, given: ListRequest) -> Result<ProposalList, Problem> {
    let items = settled(ask)?.proposals(given.status)?;
    Ok(ProposalList { total: items.len(), truncated: false, items })
}

fn show(ask: &Ask, given: ProposalRequest) -> Result<ProposalDetails, Problem> {
    let (proposal, summary) = settled(ask)?.proposal(&given.proposal_id)?;
    Ok(ProposalDetails { proposal, summary })
}
