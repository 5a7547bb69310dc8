//! Hints of the library in the words of the command line: the only place that turns them into
//! commands and options.

use asof_model::{Filter, Hint};
use asof_wire::{Resolution, Symbol};

use asof_surface::text::alternatives;
use asof_surface::text::uses::Lacking;
use asof_surface::words::Words;

pub const WORDS: Words = Words {
    hint: words,
    wrong_id: "leave `--id` out to list the matches",
    candidate: Resolution::line,
    choose: |filters| {
        let option = |filter: &Filter| option(filter).replace("--kind", "--item-kind");
        let each = alternatives(filters, option);
        match each.as_str() {
            "" => "add `--all` for all of them".to_owned(),
            _ => format!("add {each}; or `--all` for all of them"),
        }
    },
    lists: listing,
    argument: |name| format!("--{name}"),
};

/// What the user can type next.
pub fn words(hint: &Hint) -> String {
    match hint {
        Hint::Advice(text) => text.clone(),
        Hint::DidYouMean(names) => format!("did you mean {}?", names.join(", or ")),
        Hint::Narrow(filters) => format!("add {}", alternatives(filters, option)),
        Hint::NarrowField(filters) => alternatives(filters, field),
        Hint::NarrowById => "add the id of one of them: `--id …`".to_owned(),
        Hint::NarrowByText => "give in `has` a text that only the right one contains".to_owned(),
        Hint::ListOutline => "`asof inspect outline crate` lists the items of a crate".to_owned(),
        Hint::OutlineOf(file) => {
            format!("`asof outline {file}` lists the items of the file with their lines")
        }
        Hint::DescribeSources(names) => format!("{names}; `asof query --schema` describes them"),
        Hint::ListRevisions => "`asof log` lists the revisions; Git commits, branches and tags \
             are known after `asof index --history`"
            .to_owned(),
        Hint::ListFiles => {
            "`asof query '?[path] := *file{path}'` lists the indexed files".to_owned()
        }
        Hint::ListProposals => "`asof edit list` lists the proposals".to_owned(),
        Hint::ListQueries => "`asof query --list` lists the queries".to_owned(),
        Hint::DescribeFile => {
            "only indexed Rust files have items; `asof file FILE` describes one".to_owned()
        }
        Hint::ImportHistory(name) => format!(
            "`asof index --history {}` imports it with the commits before it",
            name.as_deref().unwrap_or("NAME")
        ),
        Hint::ImportOtherCommits => "`git fsck` shows what is wrong with the repository; \
             `asof index --history A..B` imports commits that do not need the object"
            .to_owned(),
        Hint::IndexWithoutHistory => {
            "`asof index` without `--history` indexes the files".to_owned()
        }
        Hint::Index => "create one with `asof index`".to_owned(),
        Hint::IndexOrRestore => {
            "restore a backup with `asof backup restore FILE`, or create a new one with \
             `asof index`"
                .to_owned()
        }
        Hint::Rebuild => "index from scratch: `asof index --rebuild`".to_owned(),
        Hint::RestoreOrRebuild => {
            "restore a backup with `asof backup restore FILE`, or run `asof index --rebuild`"
                .to_owned()
        }
        Hint::OtherVersion => {
            "run `asof index --rebuild`, or use the version of asof that created it".to_owned()
        }
        Hint::RetryOrRebuild => {
            "try again; if it persists, run `asof index --rebuild` and report it".to_owned()
        }
        Hint::StartOver => "the clock was wrong for long: move `.asof/asof.db` away, then run \
             `asof index --rebuild`"
            .to_owned(),
        Hint::FewerThreads => "try fewer threads: `--threads 1`".to_owned(),
        Hint::VerifyBackup => "check the file with `asof backup verify FILE`".to_owned(),
        Hint::NoBundle => "`--fallback` parses every file where no bundle fits; `asof backup \
             bundle DIR` makes one of HEAD"
            .to_owned(),
        Hint::CheaperQuery => {
            "bind more columns, look at `--explain`, or raise `--timeout`".to_owned()
        }
        Hint::MemoryLimit => {
            "ask for fewer rows, aggregate earlier, or raise `--memory`".to_owned()
        }
        Hint::MemoryExhausted => "it may have needed more memory than available: lower \
             `--memory`, or request less"
            .to_owned(),
        Hint::QueriesOnlyRead => {
            "ad-hoc queries only read; for the plan of a query, use `--explain`".to_owned()
        }
        Hint::QueryParameters => {
            "give parameters as `--param name=value`; lists as JSON".to_owned()
        }
        Hint::RequestShapes => "`asof edit plan --help` shows the shapes of a request".to_owned(),
        Hint::AllowBroken => {
            "fix the code; `--allow-broken` writes files that do not parse".to_owned()
        }
        Hint::CopyFromSource => "copy it from the output of `asof show PATH`, blanks and line \
             breaks included"
            .to_owned(),
        Hint::TakeSpan => {
            "take byte offsets from `asof resolve PATH`, at character boundaries".to_owned()
        }
        Hint::PlanAgain => "look at the present code (`asof show PATH`), and plan the edit \
             again with `asof edit plan --file FILE`"
            .to_owned(),
        Hint::DeleteWithGuesses => {
            "look at the places; `--with-guesses` deletes it all the same".to_owned()
        }
        Hint::FixOrSkipCheck => "every file is as it was before the edit; fix the code, raise \
             `--check-timeout`, or leave out `--check`"
            .to_owned(),
        Hint::CheckOnlyLooks(kept) => {
            let kept = kept.as_ref().map(|kept| format!("; what the check wrote is in {kept}"));
            format!(
                "every file of the edit is as it was before; use a check that changes no file, \
                 and format with `--rustfmt` or afterwards{}",
                kept.unwrap_or_default()
            )
        }
        Hint::InstallRustfmt => "install rustfmt, or leave out `--rustfmt`".to_owned(),
        Hint::NotKept => "undo keeps the newest 256 edits, up to 64 MiB and what `asof gc` \
             leaves; plan an edit back, or use version control"
            .to_owned(),
        Hint::DenyProposal => "deny it with `asof edit deny ID` and plan it again".to_owned(),
        Hint::ChooseModel => "give the folder of a model with `asof embed --model DIR`, or in \
             ASOF_MODEL; with a network, `asof embed --download` fetches one"
            .to_owned(),
        Hint::ImportIndex => "import one with `asof import scip FILE`".to_owned(),
        Hint::IndexedMoment => {
            "name the moment whose texts the index was made of with `--at`, or make it again"
                .to_owned()
        }
        Hint::NameTool => "name one of them with `--tool`".to_owned(),
        Hint::Embed => "make the vectors with `asof embed`".to_owned(),
        Hint::UndoOf(actors) => format!(
            "edits of {} are applied: give the id of one (`asof edit list`), or its actor with \
             `--actor`",
            actors.join(", ")
        ),
    }
}

/// A filter as an option of `asof resolve`.
pub fn option(filter: &Filter) -> String {
    match filter {
        Filter::Kind(kind) => format!("`--kind {kind}`"),
        Filter::FilePath(file) => format!("`--file {file}`"),
        Filter::Path(path) => format!("the rest of the path: `{path}`"),
        Filter::Id(id) => format!("`--id {id}`"),
    }
}

/// A filter as a field of an edit.
fn field(filter: &Filter) -> String {
    match filter {
        Filter::Kind(kind) => format!("add `\"kind\": \"{kind}\"`"),
        Filter::FilePath(file) => format!("add `\"file_path\": \"{file}\"`"),
        Filter::Path(path) => format!("give the whole path: `{path}`"),
        Filter::Id(_) => words(&Hint::NarrowByText),
    }
}

/// The command that lists what an answer lacks.
fn listing(symbols: &[Symbol], lacking: Lacking) -> String {
    let path = symbols.first().map_or("", |symbol| symbol.path.as_str());
    let plain = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
    let path = if plain { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) };
    let all = if symbols.len() > 1 { " --all" } else { "" };
    let option = match lacking {
        Lacking::Unresolved => " --unresolved",
        Lacking::Guesses => " --guesses",
        Lacking::Other => "",
        Lacking::Implementations => " --implementations",
    };
    format!("`asof refs {path}{option}{all}` lists them")
}
