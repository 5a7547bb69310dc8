//! Hints of the library in the words of MCP: names of tools and arguments.

use asof::wire::{Certainty, Filter, Hint};

use crate::surface::hint as server;
use crate::surface::text::uses::{FEW, Lacking, caveat, unresolved};

/// What the model can do next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Narrow(filter) | Hint::NarrowField(filter) => argument(filter),
        Hint::ListOutline => "`outline` with path `crate` lists the items of a crate".to_owned(),
        Hint::OutlineOf(file) => format!("`outline` of `{file}` lists its items with lines"),
        Hint::DescribeSources(names) => {
            format!("{names}; the resource `asof://schema` describes them")
        }
        Hint::ListRevisions => "moments are NOW, RFC 3339 times, ages such as -10min, revision \
             ids, and Git commits, branches and tags after `asof index --history`"
            .to_owned(),
        Hint::ListFiles => {
            "`query` with script `?[path] := *file{path}` lists the files".to_owned()
        }
        Hint::ListProposals => "`list_code_edits` lists the proposals".to_owned(),
        Hint::ListQueries => "`query` without arguments lists the named queries".to_owned(),
        Hint::DescribeFile => "only indexed Rust files have items".to_owned(),
        Hint::CheaperQuery => {
            "bind more columns, look at the plan with `explain`, or raise `timeout_s`".to_owned()
        }
        Hint::QueryParameters => "give parameters in `params`, by name".to_owned(),
        Hint::RequestShapes => "see the schema of `edits`".to_owned(),
        Hint::CopyFromSource => {
            "copy it from the answer of `show`, blanks and line breaks included".to_owned()
        }
        Hint::TakeSpan => "`resolve` (with `--all-tools`) has the byte offsets of items; `find` in a canonical edit \
             needs none".to_owned(),
        Hint::PlanAgain => {
            "look at the present code with `show`, and plan the edit again".to_owned()
        }
        Hint::DenyProposal => "plan the edit again".to_owned(),
        Hint::UndoOf(actors) => format!(
            "edits of {} are applied: give the `proposal_id` of one (`list_code_edits`)",
            actors.join(", ")
        ),
        other => server::words(other),
    }
}

/// A filter as an argument.
pub fn argument(filter: &Filter) -> String {
    match filter {
        Filter::Kind(kind) => format!("add `\"kind\": \"{kind}\"`"),
        Filter::FilePath(file) => format!("add `\"file_path\": \"{file}\"`"),
        Filter::Path(path) => format!("give the whole path: `{path}`"),
        Filter::Id(id) => format!("give the id of one of them: `\"id\": \"{id}\"`"),
    }
}

/// Whether a list of uses is complete: nothing for one that is long or sure.
pub fn certainty(known: &Certainty, total: usize) -> String {
    let why = known.hint.as_deref().unwrap_or_default();
    match (known.unresolved_uses, total) {
        (_, total) if total > FEW => String::new(),
        (0, 0) if known.proven => "no use in the workspace: proven\n".to_owned(),
        (0, 0) => format!("no use found; not proven: {why}\n"),
        (0, _) => String::new(),
        (n, 0) => format!("no use found, but {}: {why}\n", unresolved(n)),
        (n, _) => format!("{}: {why}\n", unresolved(n)),
    }
}

/// Says in words why a list of uses may be incomplete, and how to see more.
pub fn explain(certainty: &mut Certainty) {
    let listing = |lacking| match lacking {
        Lacking::Unresolved => "relation `unresolved` lists them".to_owned(),
        Lacking::Guesses => "`where_used` with `guesses` lists them".to_owned(),
        Lacking::Other => "`where_used` lists them".to_owned(),
        Lacking::Implementations => "`implementations` lists them".to_owned(),
    };
    certainty.hint = certainty.caveat.as_ref().map(|why| caveat(why, listing));
}
