//! Proposals in the store.

use super::error::EditError;
use super::proposal::{Plan, Proposal};
use asof_query::{ProposalRow, Queries};
use asof_store::{Batch, Store, StoreError, Value};
use asof_wire::{EditRequest, ProposalStatus};

/// A plan longer than this cannot be read back.
const MAX_PLAN: usize = 256 << 20;

/// Adds the row of a proposal to a batch.
pub fn save(batch: &mut Batch, proposal: &Proposal) -> Result<(), EditError> {
    let plan = match proposal.status {
        // Final: its new texts are no longer needed.
        ProposalStatus::Denied | ProposalStatus::Undone => {
            json(&proposal.id, &proposal.plan.without_texts())?
        }
        _ => json(&proposal.id, &proposal.plan)?,
    };
    let damaged = |error: std::io::Error| broken(&proposal.id, &error);
    let plan = zstd::bulk::compress(&plan, 3).map_err(damaged)?;
    let request = json(&proposal.id, &proposal.request)?;
    let row: [Value; 11] = [
        proposal.id.as_str().into(),
        proposal.status.as_str().into(),
        proposal.created.into(),
        proposal.decided.map_or(Value::Null, Value::from),
        proposal.actor.as_deref().into(),
        proposal.reason.as_deref().into(),
        proposal.basis.map_or(Value::Null, Value::from),
        proposal.basis_at.into(),
        proposal.revision.map_or(Value::Null, Value::from),
        String::from_utf8_lossy(&request).into_owned().into(),
        Value::Bytes(plan),
    ];
    Ok(batch.put("proposal", row)?)
}

/// The proposal whose id starts with this; an empty id names none.
///
/// # Errors
/// [`EditError::NoProposal`], [`EditError::ManyProposals`], [`EditError::Damaged`].
pub fn find(store: &Store, id: &str) -> Result<Proposal, EditError> {
    let mut rows = match id.trim() {
        "" => Vec::new(),
        id => Queries::proposals_starting(store, id)?,
    };
    match rows.len() {
        0 => Err(EditError::NoProposal { id: id.to_owned() }),
        1 => rows.pop().map_or(Err(EditError::NoProposal { id: id.to_owned() }), read),
        _ => {
            let ids = rows.into_iter().map(|row| row.id).collect();
            Err(EditError::ManyProposals { id: id.to_owned(), ids })
        }
    }
}

/// Every proposal, newest first.
pub fn all(store: &Store) -> Result<Vec<Proposal>, EditError> {
    Queries::proposals_starting(store, "")?.into_iter().map(read).collect()
}

fn read(row: ProposalRow) -> Result<Proposal, EditError> {
    let damaged = |reason: &dyn std::fmt::Display| EditError::Damaged {
        id: row.id.clone(),
        reason: reason.to_string(),
    };
    let plan = zstd::bulk::decompress(&row.plan, MAX_PLAN).map_err(|e| damaged(&e))?;
    let plan: Plan = serde_json::from_slice(&plan).map_err(|e| damaged(&e))?;
    let request: EditRequest = serde_json::from_str(&row.request).map_err(|e| damaged(&e))?;
    let status =
        ProposalStatus::parse(&row.status).ok_or_else(|| damaged(&"its status is unknown"))?;
    Ok(Proposal {
        status,
        created: row.created,
        decided: row.decided,
        actor: row.actor.clone(),
        reason: row.reason.clone(),
        basis: row.basis,
        basis_at: row.basis_at,
        revision: row.revision,
        request,
        plan,
        id: row.id,
    })
}

fn json(id: &str, value: &impl serde::Serialize) -> Result<Vec<u8>, EditError> {
    serde_json::to_vec(value).map_err(|error| broken(id, &error))
}

fn broken(id: &str, error: &dyn std::fmt::Display) -> EditError {
    let (relation, reason) = ("proposal".to_owned(), format!("{id}: {error}"));
    StoreError::Row { relation, reason }.into()
}
