//! How long an answer may be: text ends at 10 kB unless more was asked for, and says so. JSON is for
//! programs, which get what they ask for.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_str;
use clap::ArgMatches;
use clap::parser::ValueSource;

use asof_surface::text::plural;

/// Bytes of an answer, without colours. A longer one fills the context of an agent, and nobody
/// reads it.
const LONGEST: usize = 10_000;

/// Options that say how much is wanted.
const SIZES: [&str; 3] = ["limit", "worst", "token_budget"];

/// A longer line of text is cut, bytes: it was not written by a person.
const LONG_LINE: usize = 1_000;

/// How much text an answer may have, and what did not fit.
#[derive(Debug)]
pub struct TextLimit {
    /// `None` if all is printed. Threads of a command may share the context.
    room: Mutex<Option<Room>>,
}

#[derive(Debug)]
struct Room {
    left: usize,
    is_over: bool,
    /// What was left out.
    lines: usize,
    bytes: usize,
}

impl TextLimit {
    /// No limit: all is printed.
    pub fn endless() -> Self {
        Self { room: Mutex::new(None) }
    }

    /// 10 kB.
    pub fn bounded() -> Self {
        let room = Room { left: LONGEST, is_over: false, lines: 0, bytes: 0 };
        Self { room: Mutex::new(Some(room)) }
    }

    /// The part of a text that still fits, in whole lines. The rest is counted.
    pub fn shorten(&self, text: &str) -> String {
        match &mut *self.room() {
            Some(room) => room.shorten(text),
            None => text.to_owned(),
        }
    }

    /// What was left out of the text, and how to see it.
    pub fn left_out(&self) -> Option<String> {
        let room = self.room();
        let Room { lines, bytes, .. } = room.as_ref().filter(|room| room.bytes > 0)?;
        let lines = match lines {
            0 => String::new(),
            lines => format!("{} and ", plural(*lines, "line")),
        };
        Some(format!("… {lines}{} more; `--full` shows all", plural(*bytes, "byte")))
    }

    fn room(&self) -> MutexGuard<'_, Option<Room>> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Room {
    fn shorten(&mut self, text: &str) -> String {
        let mut out = String::new();
        for line in text.split_inclusive('\n') {
            let plain = strip_str(line).to_string();
            let is_long = plain.len() > LONG_LINE;
            let length = if is_long { LONG_LINE + 4 } else { plain.len() };
            if self.is_over || length > self.left {
                self.is_over = true;
                self.lines += 1;
                self.bytes += plain.len();
                continue;
            }
            self.left -= length;
            if is_long {
                let part = plain.get(..plain.floor_char_boundary(LONG_LINE)).unwrap_or_default();
                out.push_str(&format!("{part}…\n"));
                self.bytes += plain.len() - part.len();
            } else {
                out.push_str(line);
            }
        }
        out
    }
}

/// Whether an option of the command says how much is wanted.
pub fn is_requested(matches: &ArgMatches) -> bool {
    let Some((_, command)) = matches.subcommand() else { return false };
    let given = |name: &&str| {
        command.try_contains_id(name).is_ok()
            && command.value_source(name) == Some(ValueSource::CommandLine)
    };
    SIZES.iter().any(given) || is_requested(command)
}
