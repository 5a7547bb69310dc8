//! The command line as a whole: all commands.

use clap::{Parser, Subcommand};

use super::globals::Globals;
use super::{
    agents, api, ast_query, backup, blame, cache, callers, code_context, completions, diff,
    diff_edges, edit, embed, export, file, gc, history, hotspots, impact, import, index, inspect,
    lineage, log, man, mcp, outline, path, project, quality, query, refs, resolve, search, serve,
    show, status, trace, verify, watch,
};

const AFTER_HELP: &str = "\
Examples, in the repository of asof itself:
  asof index                                       index the workspace of this folder
  asof search 'how is a stale edit carried over'   items that answer a question
  asof show asof::When::parse                      its source, from the database
  asof outline asof::Database                      its members and impls
  asof context 'carry an edit over after a move'   files that a task is about, with snippets
  asof refs asof::Database                         who uses it?
  asof impact asof::store::Batch                   what may a change affect?
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
  8    the `--check` command failed or changed an edited file; every file was restored
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
    Query(query::QueryArgs),
    #[command(visible_alias = "cat")]
    Show(show::ShowArgs),
    Outline(outline::OutlineArgs),
    Api(api::ApiArgs),
    #[command(visible_aliases = ["references", "uses", "where-used"])]
    Refs(refs::RefsArgs),
    #[command(visible_alias = "find")]
    Search(search::SearchArgs),
    Context(code_context::ContextArgs),
    Callers(callers::CallersArgs),
    Callees(callers::CalleesArgs),
    Quality(quality::QualityArgs),
    Hotspots(hotspots::HotspotsArgs),
    Verify(verify::VerifyArgs),
    AstQuery(ast_query::AstQueryArgs),
    Trace(trace::TraceArgs),
    Path(path::PathArgs),
    Project(project::ProjectArgs),
    Lineage(lineage::LineageArgs),
    #[command(visible_alias = "dependents")]
    Impact(impact::ImpactArgs),
    Export(export::ExportArgs),
    Import(import::ImportArgs),
    DiffEdges(diff_edges::DiffEdgesArgs),
    History(history::HistoryArgs),
    Diff(diff::DiffArgs),
    #[command(visible_alias = "revisions")]
    Log(log::LogArgs),
    #[command(visible_alias = "annotate")]
    Blame(blame::BlameArgs),
    Edit(edit::EditArgs),
    Mcp(mcp::McpArgs),
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
}
