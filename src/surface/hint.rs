//! Hints of the library that all servers put in the same words.

use asof_model::Hint;

/// What the client of a server can do next. Hints that name a tool or an endpoint are the server's
/// own.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Advice(text) => text.clone(),
        Hint::DidYouMean(names) => format!("did you mean {}?", names.join(", or ")),
        Hint::NarrowById => "give the `id` of one of them".to_owned(),
        Hint::NarrowByText => "give in `has` a text that only the right one contains".to_owned(),
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
        Hint::NoBundle => "index without a bundle: `asof index` in a shell".to_owned(),
        Hint::MemoryLimit | Hint::MemoryExhausted => {
            "ask for fewer rows, or aggregate earlier".to_owned()
        }
        Hint::QueriesOnlyRead => "queries only read; `explain` shows the plan of one".to_owned(),
        Hint::AllowBroken => {
            "fix the code; `allow_broken` writes files that do not parse".to_owned()
        }
        Hint::DeleteWithGuesses => {
            "look at the places; `with_guesses` deletes it all the same".to_owned()
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
        Hint::ChooseModel => {
            "give the folder of a model with `asof embed --model DIR` in a shell".to_owned()
        }
        Hint::ImportIndex => "import one with `asof import scip FILE` in a shell".to_owned(),
        Hint::IndexedMoment => "make the index again".to_owned(),
        Hint::Embed => "make the vectors with `asof embed` in a shell".to_owned(),
        // Each interface has words of its own for these.
        Hint::Narrow(_)
        | Hint::NarrowField(_)
        | Hint::ListOutline
        | Hint::OutlineOf(_)
        | Hint::DescribeSources(_)
        | Hint::ListRevisions
        | Hint::ListFiles
        | Hint::ListProposals
        | Hint::ListQueries
        | Hint::DescribeFile
        | Hint::CheaperQuery
        | Hint::QueryParameters
        | Hint::RequestShapes
        | Hint::CopyFromSource
        | Hint::TakeSpan
        | Hint::PlanAgain
        | Hint::DenyProposal
        | Hint::NameTool
        | Hint::UndoOf(_) => String::new(),
    }
}
