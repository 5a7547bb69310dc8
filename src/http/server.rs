//! The life of a server: listening, updates, shutdown.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use asof_index::Silent;
use asof_model::{ErrorKind, Hint};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::guard::Guard;
use super::metrics::Metrics;
use super::options::{Access, Api, Event, Options};
use super::router::{MAX_BODY, Offer, router};
use super::session::Sessions;
use super::shared::Shared;
use super::token::Token;
use asof_surface::problem::Problem;
use asof_surface::watch::{self, Watched};
use asof_surface::workspace::Workspace;

/// Requests that are worked on at a time; others wait.
const AT_ONCE: usize = 8;
/// Threads for these, and for those that nobody waits for any more.
const THREADS: usize = AT_ONCE + 4;
/// Connections at a time; others wait in the system's queue.
const CONNECTIONS: usize = 256;
/// How long the head of a request may take to arrive; idle connections are closed after it.
const HEAD: Duration = Duration::from_secs(30);
/// How long requests may go on after a signal to stop, and then until their threads end.
const GRACE: Duration = Duration::from_secs(10);
const LEAVE: Duration = Duration::from_secs(2);
/// Pause after a connection that could not be accepted: too many open files pass.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until SIGINT or SIGTERM; a second one ends at once.
pub fn serve(options: Options, mut tell: impl FnMut(Event)) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(THREADS)
        .enable_all()
        .build()?;
    let done = runtime.block_on(run(options, &mut tell));
    runtime.shutdown_timeout(LEAVE);
    done
}

async fn run(options: Options, tell: &mut impl FnMut(Event)) -> anyhow::Result<()> {
    let loopback = options.address.ip().is_loopback();
    if options.access == Access::Everybody && !loopback {
        let message = format!("{} is not a loopback address", options.address.ip());
        let hint =
            Hint::advice("other machines may ask only with the token: leave out `--no-auth`");
        return Err(Problem::bad_request(message, hint).into());
    }
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let listener = TcpListener::bind(options.address).await.map_err(|error| {
        let message = format!("cannot listen on {}", options.address);
        let hint = "another program may use the port; `--port 0` takes a free one";
        let problem = Problem::new(ErrorKind::Failure, message, hint);
        Problem { causes: vec![error.to_string()], ..problem }
    })?;
    let address = listener.local_addr()?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut updates = match options.api {
        Some(_) => Some(Updates::begin(&options.workspace, &stop)),
        None => None,
    };
    if let Some(updates) = &mut updates {
        tokio::select! {
            started = updates.started() => started?,
            () = stopped(&mut interrupt, &mut terminate) => {
                stop.store(true, Ordering::Relaxed);
                return Err(interrupted().into());
            }
        }
    }
    let token = match options.access {
        Access::Token => Some(token(&options.workspace, &stop).await?),
        Access::Everybody => None,
    };
    let path = token.as_ref().map(|token| token.path.clone());
    let free = Arc::new(Semaphore::new(AT_ONCE));
    let workspace = Arc::clone(&options.workspace);
    let (trace, metrics) = (options.mcp.trace.clone(), Metrics::default());
    let shared = Arc::new(Shared { workspace, free: Arc::clone(&free), metrics, trace });
    let (mcp, end_sessions) = asof_mcp::sessions(options.mcp, free, MAX_BODY);
    let api = options.api.map(|api| api == Api::Edits);
    let sessions = Sessions::new(address.port());
    let page = api.map(|_| match &token {
        Some(_) => format!("http://{address}/login?code={}", sessions.code()),
        None => format!("http://{address}/"),
    });
    let pages = api.is_some();
    let guard = Arc::new(Guard { token, loopback, names: options.names, sessions, pages });
    let router = router(&shared, guard, Offer { api, mcp });

    tell(Event::Listening { address, token: path, page });
    let connections = Connections::new(router);
    let end = loop {
        tokio::select! {
            connection = connections.accept(&listener) => match connection {
                Ok((stream, permit)) => connections.serve(stream, permit),
                Err(error) => {
                    tell(Event::Warning(format!("cannot accept a connection: {error}")));
                    tokio::time::sleep(PAUSE).await;
                }
            },
            update = next(&mut updates) => match update {
                Update::Event(event) => {
                    if matches!(event, Event::Updated(_)) {
                        shared.metrics.updated();
                    }
                    tell(event);
                }
                Update::Started => {}
                Update::Ended(end) => break end,
            },
            () = stopped(&mut interrupt, &mut terminate) => break Ok(()),
        }
    };
    drop(listener);
    tell(Event::Stopping);
    end_sessions();
    tokio::select! {
        () = connections.running.shutdown() => {}
        () = tokio::time::sleep(GRACE) => {}
        () = stopped(&mut interrupt, &mut terminate) => {}
    }
    stop.store(true, Ordering::Relaxed);
    end
}

/// The token of a workspace. It has a database first: its folder is ignored by Git.
async fn token(workspace: &Arc<Workspace>, stop: &Arc<AtomicBool>) -> anyhow::Result<Token> {
    let (workspace, stop) = (Arc::clone(workspace), Arc::clone(stop));
    let opened = tokio::task::spawn_blocking(move || workspace.database(&stop, &Silent)).await?;
    let database = opened?;
    let root = database.root().ok_or_else(|| Problem::internal("a database without files"))?;
    Ok(Token::load(root)?)
}

/// Waits for a signal to stop.
async fn stopped(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

fn interrupted() -> Problem {
    Problem::new(ErrorKind::Interrupted, "interrupted", "")
}

struct Connections {
    service: TowerToHyperService<Router>,
    free: Arc<Semaphore>,
    running: GracefulShutdown,
}

impl Connections {
    fn new(router: Router) -> Self {
        Self {
            service: TowerToHyperService::new(router),
            free: Arc::new(Semaphore::new(CONNECTIONS)),
            running: GracefulShutdown::new(),
        }
    }

    async fn accept(
        &self,
        listener: &TcpListener,
    ) -> anyhow::Result<(TcpStream, OwnedSemaphorePermit)> {
        let permit = Arc::clone(&self.free).acquire_owned().await?;
        let (stream, _) = listener.accept().await?;
        Ok((stream, permit))
    }

    fn serve(&self, stream: TcpStream, permit: OwnedSemaphorePermit) {
        // Answers are small: each is sent at once.
        let _ = stream.set_nodelay(true);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), self.service.clone());
        let connection = self.running.watcher().watch(connection);
        tokio::spawn(async move {
            // A client that leaves is no failure of the server.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// What the thread that updates the database reports.
enum Update {
    /// The database is up to date for the first time.
    Started,
    Event(Event),
    Ended(anyhow::Result<()>),
}

/// Updates of the database, on a thread of their own.
struct Updates(mpsc::UnboundedReceiver<Update>);

impl Updates {
    fn begin(workspace: &Arc<Workspace>, stop: &Arc<AtomicBool>) -> Self {
        let (send, receive) = mpsc::unbounded_channel();
        let (workspace, stop) = (Arc::clone(workspace), Arc::clone(stop));
        thread::spawn(move || {
            let watched = Watched { workspace: &workspace, stop, memory: || None };
            let end = watch::watch(&watched, &mut |event| {
                // The receiver is gone only at the very end.
                let _ = send.send(match event {
                    watch::Event::Started { .. } => Update::Started,
                    watch::Event::Updated(report) => {
                        Update::Event(Event::Updated(Box::new(report.clone())))
                    }
                    watch::Event::Warning(text) => Update::Event(Event::Warning(text.to_owned())),
                });
                Ok(())
            });
            let _ = send.send(Update::Ended(end));
        });
        Self(receive)
    }

    /// Waits for the first update.
    async fn started(&mut self) -> anyhow::Result<()> {
        match self.0.recv().await {
            Some(Update::Started | Update::Event(_)) => Ok(()),
            Some(Update::Ended(end)) => end.and(Err(interrupted().into())),
            None => Err(Problem::internal("the database is no longer updated").into()),
        }
    }
}

/// The next update; never without any.
async fn next(updates: &mut Option<Updates>) -> Update {
    match updates {
        None => std::future::pending().await,
        Some(updates) => updates.0.recv().await.unwrap_or_else(|| {
            let problem = Problem::internal("the database is no longer updated");
            Update::Ended(Err(problem.into()))
        }),
    }
}
