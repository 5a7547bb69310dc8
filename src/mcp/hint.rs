//! Hints of the library in the words of MCP: names of tools and arguments.

use asof_model::{Filter, Hint};
use asof_wire::{Item, Resolution, Symbol};

use asof_surface::hint as server;
use asof_surface::text::alternatives;
use asof_surface::text::uses::Lacking;
use asof_surface::words::Words;

pub const WORDS: Words = Words {
    hint: words,
    wrong_id: "leave out `id`",
    candidate,
    choose: |filters| {
        let each = alternatives(filters, argument);
        let each = if each.is_empty() { each } else { format!("{each}; or ") };
        format!("{each}add `\"all\": true` for all of them")
    },
    lists,
    argument: str::to_owned,
};

/// What the model can do next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Narrow(filters) | Hint::NarrowField(filters) => alternatives(filters, argument),
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
        Filter::Id(id) => format!("give `\"id\": \"{id}\"`"),
    }
}

/// A candidate in a line, with its id.
pub fn candidate(item: &Item) -> String {
    format!("{} id {}", Resolution::line(item), item.id)
}

/// How to list what a list of uses lacks.
fn lists(_: &[Symbol], lacking: Lacking) -> String {
    match lacking {
        Lacking::Unresolved => "relation `unresolved` lists them".to_owned(),
        Lacking::Guesses => "`where_used` with `guesses` lists them".to_owned(),
        Lacking::Other => "`where_used` lists them".to_owned(),
        Lacking::Implementations => "`implementations` lists them".to_owned(),
    }
}
