//! Hints of the library in the words of MCP: names of tools and arguments.

use asof::wire::{Certainty, Filter, Hint};

use crate::surface::text::uses::{FEW, caveat};

/// What the model can do next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Advice(text) => text.clone(),
        Hint::DidYouMean(names) => format!("did you mean {}?", names.join(", or ")),
        Hint::Narrow(filter) | Hint::NarrowField(filter) => argument(filter),
        Hint::NarrowById => "give the `id` of one of them".to_owned(),
        Hint::NarrowByText => "give in `has` a text that only the right one contains".to_owned(),
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
            "bind more columns, look at the plan with `explain`, or raise `timeout_s`".to_owned()
        }
        Hint::MemoryLimit | Hint::MemoryExhausted => {
            "ask for fewer rows, or aggregate earlier".to_owned()
        }
        Hint::QueriesOnlyRead => "queries only read; `explain` shows the plan of one".to_owned(),
        Hint::QueryParameters => "give parameters in `params`, by name".to_owned(),
        Hint::RequestShapes => "see the schema of `edits`".to_owned(),
        Hint::AllowBroken => {
            "fix the code; `allow_broken` writes files that do not parse".to_owned()
        }
        Hint::CopyFromSource => {
            "copy it from the answer of `show`, blanks and line breaks included".to_owned()
        }
        Hint::TakeSpan => "`resolve` (with `--all-tools`) has the byte offsets of items; `find` in a canonical edit \
             needs none".to_owned(),
        Hint::PlanAgain => {
            "look at the present code with `show`, and plan the edit again".to_owned()
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
        Hint::DenyProposal => "plan the edit again".to_owned(),
        Hint::ChooseModel => {
            "give the folder of a model with `asof embed --model DIR` in a shell".to_owned()
        }
        Hint::Embed => "make the vectors with `asof embed` in a shell".to_owned(),
        Hint::UndoOf(actors) => format!(
            "edits of {} are applied: give the `proposal_id` of one (`list_code_edits`)",
            actors.join(", ")
        ),
        // A hint that this version has no words for.
        _ => String::new(),
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
        (n, 0) => format!("no use found; {n} unresolved uses of this name may mean it: {why}\n"),
        (n, _) => format!("{n} more uses of this name are unresolved: {why}\n"),
    }
}

/// Says in words why a list of uses may be incomplete, and how to see more.
pub fn explain(certainty: &mut Certainty) {
    let listing = || "relation `unresolved` lists them".to_owned();
    certainty.hint = certainty.caveat.as_ref().map(|why| caveat(why, listing));
}
