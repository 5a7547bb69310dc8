//! How long an answer may be: text ends at 10 kB unless more was asked for, and says so. JSON is for
//! programs, which get what they ask for.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_str;
use clap::ArgMatches;
use clap::parser::ValueSource;

/// Bytes of an answer, without colours. A longer one fills the context of an agent, and nobody
/// reads it.
const LONGEST: usize = 10_000;

/// Options that say how much is wanted.
const SIZES: [&str; 3] = ["limit", "worst", "token_budget"];

/// A longer line of text is cut, bytes: it was not written by a person.
const LONG_LINE: usize = 1_000;

/// The room of this process for text; none if it is endless.
static ROOM: Mutex<Option<Room>> = Mutex::new(None);

#[derive(Debug, Clone, Copy)]
struct Room {
    left: usize,
    is_over: bool,
    /// What was left out.
    lines: usize,
    bytes: usize,
}

/// Ends answers of this process at 10 kB.
pub fn bound() {
    *room() = Some(Room { left: LONGEST, is_over: false, lines: 0, bytes: 0 });
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

/// The part of a text that still fits, in whole lines. The rest is counted.
pub fn fitting(text: &str) -> String {
    let mut room = room();
    let Some(room) = &mut *room else { return text.to_owned() };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let plain = strip_str(line).to_string();
        let is_long = plain.len() > LONG_LINE;
        let length = if is_long { LONG_LINE + 4 } else { plain.len() };
        if room.is_over || length > room.left {
            room.is_over = true;
            room.lines += 1;
            room.bytes += plain.len();
            continue;
        }
        room.left -= length;
        if is_long {
            let part = plain.get(..plain.floor_char_boundary(LONG_LINE)).unwrap_or_default();
            out.push_str(&format!("{part}…\n"));
            room.bytes += plain.len() - part.len();
        } else {
            out.push_str(line);
        }
    }
    out
}

/// What was left out of the text, and how to see it.
pub fn left_out() -> Option<String> {
    let Room { lines, bytes, .. } = (*room()).filter(|room| room.bytes > 0)?;
    let lines = match lines {
        0 => String::new(),
        lines => format!("{} and ", super::output::plural(lines, "line")),
    };
    Some(format!("… {lines}{} more; `--full` shows all", super::output::plural(bytes, "byte")))
}

fn room() -> MutexGuard<'static, Option<Room>> {
    ROOM.lock().unwrap_or_else(PoisonError::into_inner)
}
