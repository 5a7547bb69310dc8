//! Indexes in the form of SCIP: writes one of a workspace, imports those of other tools, and tells
//! where they disagree with our references. It never takes their word for an answer of its own.

mod compare;
mod diff;
mod export;
mod import;
mod ours;
mod symbols;
mod theirs;
