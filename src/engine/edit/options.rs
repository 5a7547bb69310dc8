//! Options of edits.

use super::check::Check;
use asof_wire::ConfigurationRequest;

/// Options of planning and applying.
#[derive(Debug, Clone, Default)]
pub struct EditOptions {
    /// Who edits; recorded with the proposal and the revision.
    pub actor: Option<String>,
    /// Why; recorded with the proposal and the revision.
    pub reason: Option<String>,
    /// Whether to format the changed items with rustfmt.
    pub rustfmt: bool,
    /// Whether to write results that do not parse.
    pub allow_broken: bool,
    /// The configuration that says which of several definitions a path means. That of a proposal is
    /// kept with it.
    pub configuration: ConfigurationRequest,
    /// Check that must succeed after the files are written; if it fails or changes one of them,
    /// they are restored.
    pub check: Option<Check>,
}
