//! The command `asof`.

mod cli;
mod http;
mod mcp;
mod setup;
mod surface;
mod web;

use std::process::ExitCode;

/// Indexing allocates much and in small pieces: a fifth of its time went into the system's
/// allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
