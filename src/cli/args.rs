//! The arguments of the command line: global options, and a variant for each command.

use clap::{Parser, Subcommand};

use asof_wire::{AstRequest, ListRequest};

use super::ask::{Ask, AskGraph};
use super::diagnostics::Requests;
use super::globals::Globals;
use super::{
    affected, agents, api, backup, cache, change_signature, code_context, completions, delete,
    deps, diff, diff_edges, edit, embed, export, file, gc, hotspots, impact, import, index,
    inspect, log, lsp, man, mcp, merge, project, quality, query, reach, refs, relocate, rename,
    resolve, review, search, serve, show, status, trace, unused, verify, watch,
};
use asof_surface::questions::items::OutlineRequest;
use asof_surface::questions::past::{BlameRequest, VersionsRequest};
use asof_surface::questions::uses::{
    CallersRequest, CallsRequest, DependencyRequest, ImplementationsRequest, ItemPathRequest,
};

const AFTER_HELP: &str = "\
Examples, in the repository of asof itself:
  asof index                                       index the workspace of this folder
  asof search 'how is a stale edit carried over'   items that answer a question
  asof show asof::When::parse                      its source, from the database
  asof outline asof::Database                      its members and impls
  asof context 'carry an edit over after a move'   files that a task is about, with snippets
  asof refs asof::Database                         who uses it?
  asof impact asof_store::Batch                   what may a change affect?
  asof history asof::When::parse                   its versions, across moves and renames
  asof diff HEAD~1..HEAD                           which items differ, and how
  asof query '?[name] := *package{name}'           run a query in CozoScript
  asof --at HEAD~1 inspect kinds                   any question, as of an earlier moment

Exit codes:
  0    success; an empty listing is an answer too
  1    no match
  2    invalid request: usage, or a path or script that does not parse
  3    several matches where one is needed
  4    another process is writing
  5    a file, the disk or the database failed
  6    a limit of time, memory or rows was reached
  7    stale: the code has changed since the edit was made; nothing was written
  8    the `--check` of an edit failed or changed an edited file, and every file was restored;
       or what `--check` of a question does not allow is there
  130  interrupted (Ctrl-C); no source file was changed";

/// A temporal code database for Rust: resolve paths, query code, go back in time.
#[derive(Debug, Parser)]
#[command(name = "asof", version, after_help = AFTER_HELP, propagate_version = false)]
#[command(subcommand_required = true, arg_required_else_help = true, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(visible_alias = "init")]
    Index(index::IndexArgs),
    #[command(visible_alias = "st")]
    Status(status::StatusArgs),
    Backup(backup::BackupArgs),
    Gc(gc::GcArgs),
    Cache(cache::CacheArgs),
    Watch(watch::WatchArgs),
    Embed(embed::EmbedArgs),
    #[command(visible_alias = "def")]
    Resolve(resolve::ResolveArgs),
    File(file::FileArgs),
    Inspect(inspect::InspectArgs),
    /// List the `cfg` conditions that items are compiled under
    ///
    /// In normal form, with the number of definitions that have each as their own, of those that
    /// are compiled under it by that and by everything that they are in, and of files with either.
    #[command(after_help = "Examples:
  asof cfg
  asof cfg --limit 5 --format json
  asof cfg --at HEAD~1")]
    Cfg(Ask<ListRequest>),
    Query(query::QueryArgs),
    #[command(visible_alias = "cat")]
    Show(show::ShowArgs),
    /// Outline a type, module, file or folder: members, impls and signatures with line numbers
    ///
    /// A type is shown with its impls, whichever file they are in. Submodules and trait impls show
    /// only their number of items unless `--depth` is given.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof outline asof::When
  asof outline src/lib.rs
  asof outline src/wire                  every file in the folder
  asof outline asof::model --depth 3     with the items of submodules")]
    Outline(Ask<OutlineRequest>),
    Api(api::ApiArgs),
    #[command(visible_aliases = ["references", "uses", "where-used"])]
    Refs(refs::RefsArgs),
    #[command(visible_alias = "find")]
    Search(search::SearchArgs),
    Context(code_context::ContextArgs),
    /// List what calls an item
    ///
    /// Each caller is listed once, with the lines of its calls. Calls on receivers of unknown type
    /// are guesses, listed only with `--guesses`. `asof lineage` follows other uses too.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof callers asof::When::parse
  asof callers asof::When::parse_range --depth 3 --exclude-tests
  asof callers asof::Database::open --guesses --format json")]
    Callers(Ask<CallersRequest>),
    /// List what an item calls
    ///
    /// Each callee is listed once, with the lines of its calls, functions of other crates included.
    /// Calls on receivers of unknown type are guesses, listed only with `--guesses`.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof callees asof::Database::open
  asof callees asof::When::parse_range --depth 2
  asof callees asof::When::parse --format json")]
    Callees(Ask<CallsRequest>),
    /// List what implements a trait: directly, by a generic impl, or by a derive
    ///
    /// The trait may be one of another crate (`std::fmt::Display`); its implementations outside of the
    /// workspace are not listed.
    #[command(
        visible_alias = "impls",
        after_help = "Examples, in the repository of asof itself:
  asof implementations asof_index::Progress
  asof implementations std::fmt::Display --exclude-tests
  asof implementations serde::Serialize --limit 5 --format json"
    )]
    Implementations(Ask<ImplementationsRequest>),
    Quality(quality::QualityArgs),
    Unused(unused::UnusedArgs),
    Reach(reach::ReachArgs),
    Deps(deps::DepsArgs),
    Hotspots(hotspots::HotspotsArgs),
    Verify(verify::VerifyArgs),
    /// Match syntax trees with a tree-sitter query
    ///
    /// A query is S-expressions with captures and the predicates #eq?, #match?, #any-of? and their
    /// negations (#not-eq?, …), or the name of a shipped one: functions, structs, enums, impls, errors.
    /// It matches syntax, not meaning: `asof refs` and `asof query` know what names resolve to.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof ast-query '(function_item name: (identifier) @name)'
  asof ast-query functions --file src/wire/moment.rs
  asof ast-query errors --path asof::When::parse_range
  asof ast-query '((identifier) @id (#match? @id \"^parse_\"))' --file 'src/**/*.rs'
  asof ast-query structs --at -1h --format json")]
    AstQuery(Ask<AstRequest>),
    Trace(trace::TraceArgs),
    /// Find a shortest path of calls from one item to another
    ///
    /// Each step is printed with the place of the call. If there is no certain path, calls on
    /// receivers of unknown type and the impls of trait items are followed too, and the answer says
    /// so. If there is no path at all, the answer says whether that is proven, or what may hide one.
    /// If an argument names several definitions, all of them are tried.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof path asof::When::parse_range asof::When::parse
  asof path asof::Database::undo_edit std::fs::remove_file --limit 3
  asof path asof::Database::snapshot asof::When --kind call,method_call,type")]
    Path(ItemPathRequest),
    Project(project::ProjectArgs),
    /// List what depends on an item, or what it depends on
    ///
    /// `downstream` lists what depends on the item, `upstream` what it depends on; `callers` and
    /// `callees` follow only calls. Each item is listed once, by the most certain of its shortest
    /// paths.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof lineage asof::When::parse --direction callers
  asof lineage asof::When --direction downstream --depth 2
  asof lineage asof::When::parse_range --direction upstream --kind call,method_call --format json
  asof lineage asof_store::Batch --limit 0 --format jsonl --fields depth,item.path
  asof lineage asof::When::parse_range --direction callees --graph svg > callees.svg")]
    Lineage(AskGraph<DependencyRequest>),
    Affected(affected::AffectedArgs),
    #[command(visible_alias = "dependents")]
    Impact(impact::ImpactArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    DiffEdges(diff_edges::DiffEdgesArgs),
    /// List the versions of an item, newest first, across moves and renames
    ///
    /// Classes of change: added, removed, moved, renamed, split off, merged in, signature, visibility,
    /// attributes, documentation, body, contents (only nested items changed), comments, format (only
    /// white space). For a change that came with a merge, the note lists the commits of the merged
    /// branch. A path that no longer exists is looked up in the past. A split ends the list;
    /// continue with the item that it names.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof index --history --max 10          import ten commits first
  asof history asof::When::parse
  asof history asof::Database --limit 5 --lines --format json
  asof history asof::When --at HEAD~1    as of an imported commit")]
    History(Ask<VersionsRequest>),
    Diff(diff::DiffArgs),
    Review(review::ReviewArgs),
    Merge(merge::MergeArgs),
    #[command(visible_alias = "revisions")]
    Log(log::LogArgs),
    #[command(visible_alias = "annotate")]
    /// Show who last changed each item of a file, when and how
    ///
    /// Comments, formatting, plain moves and changes to nested items do not count: the last other
    /// change is shown. Of a change that came with a merge, the commit of the merged branch is shown,
    /// and the merge in the note; both are read from the Git repository.
    #[command(after_help = "Examples, in the repository of asof itself:
  asof blame src/wire/moment.rs
  asof blame asof::When
  asof blame src/wire/moment.rs --first-parent     merges, not the commits that they merged
  asof blame src/wire/moment.rs --at -24h --format json")]
    Blame(Ask<BlameRequest>),
    Edit(edit::EditArgs),
    Rename(rename::RenameArgs),
    Move(relocate::MoveArgs),
    Delete(delete::DeleteArgs),
    ChangeSignature(change_signature::ChangeSignatureArgs),
    Mcp(mcp::McpArgs),
    Lsp(lsp::LspArgs),
    Agents(agents::AgentsArgs),
    Serve(serve::ServeArgs),
    Web(serve::WebArgs),
    #[command(alias = "completion")]
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    /// Runs one script for `asof query`, within the limits of this process
    #[command(name = "__query-worker", hide = true)]
    QueryWorker,
}

impl Command {
    /// Whether it answers a question: then a pager may show the answer, and `--fields` selects
    /// from it.
    pub fn is_question(&self) -> bool {
        match self {
            Self::Index(_)
            | Self::Backup(_)
            | Self::Gc(_)
            | Self::Cache(_)
            | Self::Watch(_)
            | Self::Embed(_)
            | Self::Export(_)
            | Self::Rename(_)
            | Self::Move(_)
            | Self::Delete(_)
            | Self::ChangeSignature(_)
            | Self::Mcp(_)
            | Self::Agents(_)
            | Self::Serve(_)
            | Self::Web(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::QueryWorker => false,
            Self::Edit(args) => args.is_question(),
            Self::Import(args) => args.is_question(),
            _ => true,
        }
    }

    /// Whether a server logs its requests.
    pub fn requests(&self) -> Requests {
        match self {
            Self::Mcp(args) => args.requests(),
            Self::Serve(args) => args.requests(),
            Self::Web(args) => args.requests(),
            _ => Requests::Leave,
        }
    }
}
