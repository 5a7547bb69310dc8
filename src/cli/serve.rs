//! `asof serve` and `asof web`: start the HTTP server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::context::Context;
use super::diagnostics::Requests;
use super::index;
use super::output;
use super::start::StartArgs;
use asof_http::{Access, Api, Event};
use asof_surface::workspace::Index;

/// Serve the workspace over HTTP, and keep its database up to date while files change
///
/// Pages for browsers are at `/`. There is an endpoint for each command that reads, with the
/// JSON of `--format json`; `/openapi.json` describes them. MCP is at `/mcp`. Requests need the
/// token in `.asof/http-token`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof serve                             on http://127.0.0.1:7878
  asof serve --port 0 --log              on a free port, with a line for each request
  asof serve --allow-edits               with endpoints that plan, apply and undo edits")]
pub struct ServeArgs {
    #[command(flatten)]
    listen: ListenArgs,
    /// Offer endpoints and tools that write source files: plan, apply and undo edits
    #[arg(long)]
    allow_edits: bool,
    /// Offer every MCP tool, not only the few that agents need most
    #[arg(long)]
    all_tools: bool,
    #[command(flatten)]
    start: StartArgs,
    /// Add each request and the tokens of its answer to a file, for `asof trace`
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
const PORT: u16 = 7878;

/// Where and for whom to listen.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub struct ListenArgs {
    /// Address to listen on; others than loopback always need the token [default: 127.0.0.1]
    #[arg(long, value_name = "IP")]
    bind: Option<IpAddr>,
    /// Port to listen on; 0 takes a free one [default: 7878]
    #[arg(short, long, value_name = "PORT")]
    port: Option<u16>,
    /// Answer without the token; on a loopback address only
    #[arg(long)]
    no_auth: bool,
    /// Also answer requests to this host name; repeatable
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Log each request to standard error
    #[arg(long)]
    log: bool,
}

impl ServeArgs {
    pub fn requests(&self) -> Requests {
        self.listen.requests()
    }
}

impl WebArgs {
    pub fn requests(&self) -> Requests {
        self.serve.requests()
    }
}

impl ListenArgs {
    pub fn requests(&self) -> Requests {
        if self.log { Requests::Log } else { Requests::Leave }
    }

    /// Serves until a signal to stop.
    pub fn serve(
        &self,
        context: &Context,
        api: Option<Api>,
        mcp: asof_mcp::Options,
        browser: Browser,
    ) -> anyhow::Result<()> {
        let options = asof_http::Options {
            workspace: Arc::clone(&mcp.workspace),
            api,
            mcp,
            address: SocketAddr::new(self.bind.unwrap_or(LOOPBACK), self.port.unwrap_or(PORT)),
            access: if self.no_auth { Access::Everybody } else { Access::Token },
            names: self.allow_host.clone(),
        };
        asof_http::serve(options, |event| match event {
            Event::Listening { address, token, page } => {
                let token = token.map(|path| format!("; the token is in {}", path.display()));
                let token = token.unwrap_or_default();
                context.note(&format!("listening on http://{address}{token}; Ctrl-C stops"));
                if let (Browser::Open, Some(page)) = (browser, page)
                    && let Err(error) = open::that_detached(&page)
                {
                    output::warn(context, &format!("no browser opens ({error}); go to {page}"));
                }
            }
            Event::Updated(report) => context.note(&index::headline(&report)),
            Event::Warning(text) => output::warn_again(context, &text),
            Event::Stopping => context.note("stopping"),
        })
    }
}

/// Whether a browser is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    Open,
    Leave,
}

pub fn run(context: &Context, args: &ServeArgs) -> anyhow::Result<()> {
    start(context, args, Browser::Leave)
}

fn start(context: &Context, args: &ServeArgs, browser: Browser) -> anyhow::Result<()> {
    let root = context.noted_root();
    let edits = args.allow_edits;
    let mcp = asof_mcp::Options {
        workspace: Arc::new(args.start.workspace(context, root, Index::IfMissing)),
        offer: asof_mcp::Offer { all: args.all_tools, edits },
        structured: asof_mcp::Structured::Without,
        trace: output::trace(context, args.trace.as_deref())?,
    };
    let api = if edits { Api::Edits } else { Api::Reading };
    args.listen.serve(context, Some(api), mcp, browser)
}

/// Explore the workspace and its history in a browser
///
/// The same as `asof serve`, but opens the browser, already signed in. If none opens, it prints an
/// address that signs in once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  asof web                               opens the browser
  asof web --port 0                      on a free port
  asof web --allow-edits                 with buttons that apply, deny and undo planned edits")]
pub struct WebArgs {
    #[command(flatten)]
    serve: ServeArgs,
}

pub fn run_web(context: &Context, args: &WebArgs) -> anyhow::Result<()> {
    start(context, &args.serve, Browser::Open)
}
