//! Formats only the items that an edit changed, with rustfmt.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::error::EditError;
use super::splice::{Splice, compose};
use asof_model::{ByteRange, FileFacts, ItemFacts, OrNever};

/// Formats the items in these ranges; returns the text and the new ranges. `folder` is where
/// rustfmt looks for its configuration.
///
/// The whole text goes through rustfmt, and of the result only the items in the ranges are
/// taken: the outermost ones there, or the innermost one around a range.
///
/// # Errors
/// [`EditError::Rustfmt`] if there is no rustfmt or it refuses the text.
pub fn format_items(
    facts: &FileFacts,
    text: &str,
    ranges: &[ByteRange],
    edition: &str,
    folder: &Path,
) -> Result<(String, Vec<ByteRange>), EditError> {
    let formatted = run(text, edition, folder)?;
    let after = asof_syntax::parse_file_isolated(&facts.path, formatted.as_bytes());
    let refuse = |reason: &str| EditError::Rustfmt { reason: reason.to_owned() };
    if after.partial || after.items.len() != facts.items.len() {
        return Err(refuse("its output has other items than its input"));
    }
    let mut splices: Vec<Splice> = Vec::new();
    for (number, range) in ranges.iter().enumerate() {
        for at in subjects(facts, *range) {
            let (Some(old), Some(new)) = (facts.items.get(at), after.items.get(at)) else {
                continue;
            };
            if old.kind != new.kind || old.name != new.name {
                return Err(refuse("its output has its items in another order"));
            }
            let new_text = slice(&formatted, new);
            let known = splices.iter().any(|s| s.start == old.span.start_byte);
            if !known && new_text != slice(text, old) {
                let (start, end) = (old.span.start_byte, old.span.end_byte);
                let text = new_text.to_owned();
                splices.push(Splice { start, end, text, edit: number });
            }
        }
    }
    let (out, _) = compose(&facts.path, text, &mut splices)?;
    let moved = |byte: u32| {
        let before = splices.iter().filter(|s| s.end <= byte);
        before.fold(i64::from(byte), |at, s| at + s.text.len() as i64 - i64::from(s.end - s.start))
    };
    let places = ranges
        .iter()
        .map(|range| ByteRange::new(moved(range.start) as u32, moved(range.end) as u32));
    Ok((out, places.collect()))
}

/// Items of a range: the outermost within, else the innermost around.
fn subjects(facts: &FileFacts, range: ByteRange) -> Vec<usize> {
    let items = || facts.items.iter().enumerate().skip(1);
    let within = |item: &ItemFacts| range.covers(item.span.bytes());
    let tops: Vec<usize> = items()
        .filter(|(_, item)| {
            let parent = facts.items.get(item.parent as usize);
            within(item) && (item.parent == 0 || !parent.is_some_and(within))
        })
        .map(|(at, _)| at)
        .collect();
    if !tops.is_empty() {
        return tops;
    }
    let around = items().filter(|(_, item)| item.span.bytes().covers(range));
    around.min_by_key(|(_, item)| item.span.len()).map(|(at, _)| at).into_iter().collect()
}

fn slice<'a>(text: &'a str, item: &ItemFacts) -> &'a str {
    text.get(item.span.start_byte as usize..item.span.end_byte as usize)
        .or_never("an item lies in its text")
}

fn run(text: &str, edition: &str, folder: &Path) -> Result<String, EditError> {
    let refuse = |reason: String| EditError::Rustfmt { reason };
    let mut child = Command::new("rustfmt")
        .args(["--emit", "stdout", "--quiet", "--edition", edition])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| refuse(format!("cannot run rustfmt: {error}")))?;
    let mut stdin = child.stdin.take();
    let text = text.to_owned();
    // Written while reading: both pipes may fill up.
    let writer = std::thread::spawn(move || {
        if let Some(pipe) = stdin.as_mut() {
            let _ = pipe.write_all(text.as_bytes());
        }
    });
    let output = child.wait_with_output().map_err(|error| refuse(error.to_string()))?;
    let _ = writer.join();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(refuse(said.lines().next().unwrap_or("it failed").to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|_| refuse("its output is not UTF-8".to_owned()))
}
