//! How long an answer may be: text and JSON end at 10 kB unless more was asked for, and say so.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::adapter::strip_str;
use clap::ArgMatches;
use clap::parser::ValueSource;
use serde_json::Value as Json;

/// Bytes of an answer, without colours. A longer one fills the context of an agent, and nobody
/// reads it.
const LONGEST: usize = 10_000;

/// A text of JSON that is not worth cutting, bytes.
const SHORT: usize = 200;

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

/// An answer with fewer entries and shorter texts if it is too long as `render` writes it. Then
/// `truncated` is set, and `cut` says how to get the rest.
pub fn shortened(mut answer: Json, render: impl Fn(&Json) -> String) -> Json {
    let length = render(&answer).len();
    if room().is_none() || length <= LONGEST {
        return answer;
    }
    // Other values have no place that would say it.
    let Some(fields) = answer.as_object_mut() else { return answer };
    fields.insert("truncated".to_owned(), true.into());
    fields.insert("cut".to_owned(), format!("`--full` prints all {length} bytes").into());
    loop {
        let excess = render(&answer).len().saturating_sub(LONGEST);
        if excess == 0 || !shorten(&mut answer, excess, Within::Object) {
            return answer;
        }
    }
}

/// What contains a value. Entries can be left out of a list, but not of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Object,
    List,
}

/// Takes about this many bytes away where most are; `false` if everything is short.
fn shorten(value: &mut Json, excess: usize, within: Within) -> bool {
    let length = |value: &Json| value.to_string().len();
    match value {
        Json::String(text) if text.len() > SHORT => {
            let most = text.len().saturating_sub(excess).saturating_sub(4).max(SHORT / 2);
            let kept = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
            let end = kept.rfind('\n').map_or(kept.len(), |at| at + 1);
            text.truncate(end);
            text.push('…');
            true
        }
        Json::Array(items) if within == Within::Object && items.len() > 1 => {
            let mut gone = 0;
            while gone < excess && items.len() > 1 {
                gone += items.pop().map_or(0, |item| length(&item) + 1);
            }
            true
        }
        Json::Array(items) => {
            let heaviest = items.iter_mut().max_by_key(|item| length(item));
            heaviest.is_some_and(|item| shorten(item, excess, Within::List))
        }
        Json::Object(fields) => {
            let mut fields: Vec<&mut Json> = fields.values_mut().collect();
            fields.sort_by_cached_key(|field| std::cmp::Reverse(length(field)));
            fields.into_iter().any(|field| shorten(field, excess, Within::Object))
        }
        _ => false,
    }
}

fn room() -> MutexGuard<'static, Option<Room>> {
    ROOM.lock().unwrap_or_else(PoisonError::into_inner)
}
