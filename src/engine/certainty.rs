//! What an answer about uses cannot know: a name in a macro's body, or a call on a receiver whose
//! type is not known, may be a use that the answer does not have.

use serde::Serialize;

use super::database::Snapshot;
use super::error::EngineError;
use super::symbol::Symbol;
use super::uses::{UseRequest, WhereUsedResult};
use crate::query::Queries;

/// Whether a list of uses is all there is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Certainty {
    /// Uses of the bare name that are not resolved, those in bodies of macros included.
    pub unresolved_uses: u64,
    /// Whether the workspace has no other use: nothing was filtered out, no use of the name is
    /// unresolved, every file parsed, and no call goes through a trait.
    pub proven: bool,
    /// What to do next where it is not proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Snapshot<'_> {
    /// Uses of the bare names of these that are not resolved, each with its place.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn unresolved_uses(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        super::uses::first(symbols)?;
        let names = Queries::at(self.store(), self.at).unresolved_uses(&bare_names(symbols))?;
        let mut found: Vec<Symbol> =
            names.into_iter().map(|name| Symbol::external(name.id, name.text, false)).collect();
        if found.is_empty() {
            // The answer is empty, and is about what was asked for.
            found = symbols.iter().filter(|symbol| symbol.kind == UNKNOWN).cloned().collect();
        }
        self.where_used_or_none(symbols, &found, request)
    }

    /// What is not known about the uses of these.
    pub(super) fn certainty(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<Certainty, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let names = queries.unresolved_uses(&bare_names(symbols))?;
        let unresolved_uses = names.iter().map(|name| name.uses).sum();
        let hint = match symbols {
            _ if unresolved_uses > 0 => Some(listing(symbols)),
            _ if request.is_filtered() => Some("leave the filters out to see every use".to_owned()),
            [symbol, ..] if is_unknown(symbol) => Some(format!(
                "nothing explains `{}`: any item of that name may be meant",
                symbol.path
            )),
            _ if symbols.iter().any(of_trait_impl) => {
                Some("calls through the trait are uses of the trait's item".to_owned())
            }
            _ => match queries.partial_files()?.as_slice() {
                [] => None,
                [first, ..] => {
                    Some(format!("`{first}` does not parse: its uses are not all known"))
                }
            },
        };
        Ok(Certainty { unresolved_uses, proven: hint.is_none(), hint })
    }
}

/// Kind of a symbol that nothing explains.
const UNKNOWN: &str = "unknown";

fn is_unknown(symbol: &Symbol) -> bool {
    symbol.kind == UNKNOWN
}

/// Whether it is an item of a trait's impl.
fn of_trait_impl(symbol: &Symbol) -> bool {
    !symbol.external && symbol.path.starts_with('<') && symbol.path.contains(" as ")
}

/// Names of those that something explains.
fn bare_names(symbols: &[Symbol]) -> Vec<String> {
    let known = symbols.iter().filter(|symbol| !is_unknown(symbol));
    let mut names: Vec<String> = known.map(|symbol| symbol.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The command that lists them.
fn listing(symbols: &[Symbol]) -> String {
    let path = symbols.first().map_or("", |symbol| symbol.path.as_str());
    let plain = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
    let path = if plain { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) };
    match symbols.len() {
        0 | 1 => format!("`asof refs {path} --unresolved` lists them"),
        _ => format!("`asof refs {path} --unresolved --all` lists them"),
    }
}
