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
Examples:
  asof index                               index the workspace of this folder
  asof resolve crate::config::Config       where is it defined?
  asof show tokio::sync::Mutex::lock       its source, from the database
  asof outline crate::config::Config       its members and impls
  asof api                                 what users of the library can name
  asof search 'how are options parsed'     items that answer a question
  asof context 'fix the login'             files that a task is about, with snippets
  asof refs crate::config::Config          who uses it?
  asof callers crate::config::load         who calls it, and where?
  asof history crate::config::Config       its versions, across moves and renames
  asof diff -1h NOW                        which items differ, and how
  asof quality --worst 5                   grades of functions, and the worst of them
  asof hotspots                            functions that change often and are complex
  asof edit apply --file edits.json        change items by path, all or nothing
  asof query '?[name] := *package{name}'   run a query in CozoScript
  asof --at -10min inspect counts          any command, as of ten minutes ago

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
