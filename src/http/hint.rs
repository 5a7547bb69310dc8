//! Hints of the library in the words of HTTP: endpoints and parameters.

use asof_model::{Filter, Hint};
use asof_wire::{Resolution, Symbol};

use asof_surface::hint as server;
use asof_surface::text::alternatives;
use asof_surface::text::uses::Lacking;
use asof_surface::words::Words;

pub const WORDS: Words = Words {
    hint: words,
    wrong_id: "leave `id` out to list the matches",
    candidate: Resolution::line,
    choose: |filters| {
        let each = alternatives(filters, parameter);
        let each = if each.is_empty() { each } else { format!("{each}; or ") };
        format!("{each}add `all=true` for all of them")
    },
    lists,
    argument: str::to_owned,
};

/// What the client can do next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Narrow(filters) | Hint::NarrowField(filters) => alternatives(filters, parameter),
        Hint::ListOutline => "`/api/outline?path=crate` lists the items of a crate".to_owned(),
        Hint::OutlineOf(file) => {
            format!("`/api/outline` with path `{file}` lists its items with their lines")
        }
        Hint::DescribeSources(names) => format!("{names}; `/api/schema` lists them"),
        Hint::ListRevisions => "`/api/log` lists the revisions; Git commits, branches and tags \
             are known after `asof index --history` in a shell"
            .to_owned(),
        Hint::ListFiles => {
            "`/api/query` with the script `?[path] := *file{path}` lists the files".to_owned()
        }
        Hint::ListProposals => "`/api/edit/list` lists the proposals".to_owned(),
        Hint::ListQueries => "`/api/queries` lists the queries".to_owned(),
        Hint::DescribeFile => {
            "only indexed Rust files have items; `/api/file` describes one".to_owned()
        }
        Hint::CheaperQuery => {
            "bind more columns, look at the plan with `explain`, or raise `time_ms`".to_owned()
        }
        Hint::QueryParameters => {
            "give parameters in `params`, as pairs of name and value".to_owned()
        }
        Hint::RequestShapes => "`/openapi.json` has the schema of an edit".to_owned(),
        Hint::CopyFromSource => {
            "copy it from the answer of `/api/show`, blanks and line breaks included".to_owned()
        }
        Hint::TakeSpan => {
            "take byte offsets from `/api/resolve`, at character boundaries".to_owned()
        }
        Hint::PlanAgain => {
            "look at the present code with `/api/show`, and plan the edit again".to_owned()
        }
        Hint::DenyProposal => "deny it with `/api/edit/deny` and plan it again".to_owned(),
        Hint::UndoOf(actors) => format!(
            "edits of {} are applied: give the `proposal_id` of one (`/api/edit/list`)",
            actors.join(", ")
        ),
        other => server::words(other),
    }
}

/// A filter as a parameter.
pub fn parameter(filter: &Filter) -> String {
    match filter {
        Filter::Kind(kind) => format!("add `kind={kind}`"),
        Filter::FilePath(file) => format!("add `file_path={file}`"),
        Filter::Path(path) => format!("give the whole path: `{path}`"),
        Filter::Id(id) => format!("give `id={id}`"),
    }
}

/// How to list what a list of uses lacks.
fn lists(_: &[Symbol], lacking: Lacking) -> String {
    match lacking {
        Lacking::Unresolved => "`/api/refs` with `unresolved=true` lists them".to_owned(),
        Lacking::Guesses => "`/api/refs` with `guesses=show` lists them".to_owned(),
        Lacking::Other => "`/api/refs` lists them".to_owned(),
        Lacking::Implementations => "`/api/refs` with `implementations=show` lists them".to_owned(),
    }
}
