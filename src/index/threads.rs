//! The thread pool for parsing, with large stacks.

use super::error::IndexError;

/// A pool whose threads can parse anything within the limits of `syntax`. `None`: as many threads
/// as there are cores.
pub(super) fn pool(threads: Option<usize>) -> Result<rayon::ThreadPool, IndexError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(asof_syntax::STACK_BYTES)
        .thread_name(|n| format!("parse-{n}"))
        .build()
        .map_err(|e| IndexError::Threads { reason: e.to_string() })
}
