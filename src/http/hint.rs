//! Hints of the library in the words of HTTP: endpoints and parameters.

use asof::wire::{Certainty, Filter, Hint};

use crate::surface::text::uses::caveat;

/// What the client can do next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Advice(text) => text.clone(),
        Hint::DidYouMean(names) => format!("did you mean {}?", names.join(", or ")),
        Hint::Narrow(filter) | Hint::NarrowField(filter) => parameter(filter),
        Hint::NarrowById => "give the `id` of one of them".to_owned(),
        Hint::NarrowByText => "give in `has` a text that only the right one contains".to_owned(),
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
        Hint::ImportHistory(name) => format!(
            "`asof index --history {}` in a shell imports it with the commits before it",
            name.as_deref().unwrap_or("NAME")
        ),
        Hint::ImportOtherCommits => "`git fsck` shows what is wrong with the repository".to_owned(),
        Hint::IndexWithoutHistory => "`asof index` in a shell indexes the files".to_owned(),
        Hint::Index | Hint::IndexOrRestore => {
            "create a database with `asof index` in a shell".to_owned()
        }
        Hint::Rebuild | Hint::RestoreOrRebuild | Hint::OtherVersion | Hint::RetryOrRebuild => {
            "if it persists, run `asof index --rebuild` in a shell".to_owned()
        }
        Hint::StartOver => "the clock was wrong for long: move `.asof/asof.db` away, then run \
             `asof index --rebuild` in a shell"
            .to_owned(),
        Hint::FewerThreads => "try again when the machine is less busy".to_owned(),
        Hint::VerifyBackup => "check the backup with `asof backup verify FILE`".to_owned(),
        Hint::CheaperQuery => {
            "bind more columns, look at the plan with `explain`, or raise `time_ms`".to_owned()
        }
        Hint::MemoryLimit | Hint::MemoryExhausted => {
            "ask for fewer rows, or aggregate earlier".to_owned()
        }
        Hint::QueriesOnlyRead => "queries only read; `explain` shows the plan of one".to_owned(),
        Hint::QueryParameters => {
            "give parameters in `params`, as pairs of name and value".to_owned()
        }
        Hint::RequestShapes => "`/openapi.json` has the schema of an edit".to_owned(),
        Hint::AllowBroken => {
            "fix the code; `allow_broken` writes files that do not parse".to_owned()
        }
        Hint::CopyFromSource => {
            "copy it from the answer of `/api/show`, blanks and line breaks included".to_owned()
        }
        Hint::TakeSpan => {
            "take byte offsets from `/api/resolve`, at character boundaries".to_owned()
        }
        Hint::PlanAgain => {
            "look at the present code with `/api/show`, and plan the edit again".to_owned()
        }
        Hint::FixOrSkipCheck => "every file is as it was before the edit; fix the code".to_owned(),
        Hint::CheckOnlyLooks(_) => {
            "every file of the edit is as it was; use a check that changes no file".to_owned()
        }
        Hint::InstallRustfmt => "install rustfmt, or leave out `rustfmt`".to_owned(),
        Hint::NotKept => {
            "only the newest edits can be undone; plan an edit back, or use version control"
                .to_owned()
        }
        Hint::DenyProposal => "deny it with `/api/edit/deny` and plan it again".to_owned(),
        Hint::UndoOf(actors) => format!(
            "edits of {} are applied: give the `proposal_id` of one (`/api/edit/list`)",
            actors.join(", ")
        ),
        // A hint that this version has no words for.
        _ => String::new(),
    }
}

/// A filter as a parameter.
pub fn parameter(filter: &Filter) -> String {
    match filter {
        Filter::Kind(kind) => format!("add `kind={kind}`"),
        Filter::FilePath(file) => format!("add `file_path={file}`"),
        Filter::Path(path) => format!("give the whole path: `{path}`"),
        Filter::Id(id) => format!("give the id of one of them: `id={id}`"),
    }
}

/// Says in words why a list of uses may be incomplete, and how to see more.
pub fn explain(certainty: &mut Certainty) {
    let listing = || "`/api/refs` with `unresolved=true` lists them".to_owned();
    certainty.hint = certainty.caveat.as_ref().map(|why| caveat(why, listing));
}
