//! Named points at which tests kill the process or make a step fail. Release builds have none.
//!
//! `ASOF_FAULT=after-step:2` kills the process when it passes `after-step` the second time;
//! `ASOF_FAULT=no-exchange` makes the file system one without atomic exchange. Several are
//! separated by commas.

#[cfg(debug_assertions)]
pub(super) use active::{forced, point};

#[cfg(not(debug_assertions))]
pub(super) fn point(_: &str) -> std::io::Result<()> {
    Ok(())
}

#[cfg(not(debug_assertions))]
pub(super) fn forced(_: &str) -> bool {
    false
}

#[cfg(debug_assertions)]
mod active {
    use std::cell::RefCell;
    use std::collections::HashMap;
    use std::io;

    use rustix::process::{Signal, getpid, kill_process};

    type Hook = Box<dyn FnMut(&str) -> io::Result<()>>;

    thread_local! {
        static PASSED: RefCell<HashMap<String, usize>> = RefCell::default();
        static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
    }

    fn orders() -> String {
        std::env::var("ASOF_FAULT").unwrap_or_default()
    }

    /// Ends the process here if the environment says so; fails if the test's hook does.
    pub fn point(name: &str) -> io::Result<()> {
        let count = PASSED.with_borrow_mut(|passed| {
            let count = passed.entry(name.to_owned()).or_default();
            *count += 1;
            *count
        });
        for order in orders().split(',') {
            let (at, nth) = order.split_once(':').unwrap_or((order, "1"));
            if at == name && nth.parse() == Ok(count) {
                let _ = kill_process(getpid(), Signal::KILL);
            }
        }
        // Removed while it runs: it may itself use files.
        let Some(mut hook) = HOOK.take() else { return Ok(()) };
        let result = hook(name);
        HOOK.set(Some(hook));
        result
    }

    /// Whether the environment requests this behaviour.
    pub fn forced(name: &str) -> bool {
        orders().split(',').any(|order| order == name)
            || FORCED.with_borrow(|forced| forced.iter().any(|it| it == name))
    }

    thread_local! {
        static FORCED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    /// Calls a hook at every point that this thread passes.
    #[cfg(test)]
    pub fn hook(hook: impl FnMut(&str) -> io::Result<()> + 'static) {
        HOOK.set(Some(Box::new(hook)));
    }

    /// Ends hook and forced behaviours of this thread.
    #[cfg(test)]
    pub fn clear() {
        HOOK.set(None);
        FORCED.take();
    }

    /// Requests a behaviour in this thread.
    #[cfg(test)]
    pub fn force(name: &str) {
        FORCED.with_borrow_mut(|forced| forced.push(name.to_owned()));
    }
}

#[cfg(all(test, debug_assertions))]
pub(super) use active::{clear, force, hook};
