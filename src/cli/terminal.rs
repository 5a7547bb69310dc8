//! The terminal: whether there is one, its width, and the pager.

use std::io::{self, IsTerminal, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};

/// The pager of this process.
static PAGER: Mutex<Pager> = Mutex::new(Pager::Off);

#[derive(Debug)]
enum Pager {
    Off,
    /// Started by the first write, so that a command that fails early starts none.
    Wanted(PagerCommand),
    Running(Child),
}

/// A pager's program and arguments.
#[derive(Debug, PartialEq, Eq)]
struct PagerCommand {
    words: Vec<String>,
    /// Whether the user chose it; then a failure to start it causes a warning.
    chosen: bool,
}

impl PagerCommand {
    /// The first variable that is set decides; an empty one or `cat` means no pager.
    fn choose(variables: [Option<String>; 2]) -> Option<Self> {
        let chosen = variables.into_iter().flatten().next();
        let text = chosen.as_deref().unwrap_or("less");
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let plain = words.is_empty() || words == ["cat"];
        (!plain).then_some(Self { words, chosen: chosen.is_some() })
    }

    fn start(&self) -> io::Result<Child> {
        let (program, args) = self.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped());
        // As git: quit if it fits on one screen, keep colours, leave the screen as it was.
        if std::env::var_os("LESS").is_none() {
            command.env("LESS", "FRX");
        }
        let child = command.spawn()?;
        // Ctrl-C is for the pager. If a handler is already set, it does not end us either.
        let _ = ctrlc::set_handler(|| {});
        Ok(child)
    }
}

/// Sends further output through a pager, if standard output is a terminal.
pub fn use_pager() {
    if !io::stdout().is_terminal() {
        return;
    }
    let variables = ["ASOF_PAGER", "PAGER"].map(|name| std::env::var(name).ok());
    if let Some(command) = PagerCommand::choose(variables) {
        *pager() = Pager::Wanted(command);
    }
}

/// Waits until the user has left the pager.
pub fn leave_pager() {
    if let Pager::Running(mut child) = std::mem::replace(&mut *pager(), Pager::Off) {
        drop(child.stdin.take());
        let _ = child.wait();
    }
}

/// Writes to standard output or its pager, byte for byte.
///
/// # Errors
/// `BrokenPipe` if the reader has gone.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let mut pager = pager();
    if let Pager::Wanted(command) = &*pager {
        *pager = match command.start() {
            Ok(child) => Pager::Running(child),
            Err(error) => {
                if command.chosen {
                    let words = command.words.join(" ");
                    anstream::eprintln!("warning: cannot run the pager `{words}`: {error}");
                }
                Pager::Off
            }
        };
    }
    match &mut *pager {
        Pager::Running(Child { stdin: Some(stdin), .. }) => stdin.write_all(bytes),
        _ => {
            let mut out = io::stdout().lock();
            out.write_all(bytes)?;
            out.flush()
        }
    }
}

/// Writes text with styles, which are dropped if colours are off.
///
/// # Errors
/// As [`write`].
pub fn write_styled(text: &str) -> io::Result<()> {
    if shows_colours() {
        write(text.as_bytes())
    } else {
        write(strip_str(text).to_string().as_bytes())
    }
}

/// Writes a note: to standard error, or below the answer in a pager, which owns the terminal.
pub fn write_beside(line: &str) {
    let paged = matches!(*pager(), Pager::Running(_));
    if paged && io::stderr().is_terminal() {
        // If the pager was closed early, the note is not needed.
        let _ = write_styled(&format!("{line}\n"));
    } else {
        anstream::eprintln!("{line}");
    }
}

/// Whether standard output may have colours.
pub fn shows_colours() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Whether a person reads standard output.
pub fn is_read_by_a_person() -> bool {
    io::stdout().is_terminal()
}

/// Width of the terminal; `None` if standard output is not a terminal.
pub fn width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(width.0)).filter(|width| *width > 0)
}

fn pager() -> MutexGuard<'static, Pager> {
    PAGER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_chooses_the_pager() {
        let choose = |own: Option<&str>, shared: Option<&str>| {
            let found = PagerCommand::choose([own, shared].map(|v| v.map(str::to_owned)));
            found.map(|command| (command.words.join(" "), command.chosen))
        };
        assert_eq!(choose(None, None), Some(("less".to_owned(), false)));
        assert_eq!(choose(None, Some("more -d")), Some(("more -d".to_owned(), true)));
        assert_eq!(choose(Some("most"), Some("more")), Some(("most".to_owned(), true)));
        for off in ["", " ", "cat"] {
            assert_eq!(choose(Some(off), Some("more")), None);
        }
    }
}
