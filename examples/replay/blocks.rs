//! Search/replace blocks: the lines that differ, with lines around them until the searched text
//! is in its scope once.

use similar::{DiffOp, TextDiff};

/// A changed stretch of the old text, and the new text of it.
type Core = (usize, usize, String);

/// What is searched for, and what takes its place.
pub type Block = (String, String);

/// Blocks that turn `scope[from..to]` into `new`. The range lies at line ends of the scope.
pub fn blocks(scope: &str, from: usize, to: usize, new: &str) -> Vec<Block> {
    let old = &scope[from..to];
    let diff = TextDiff::from_lines(old, new);
    let starts = |text: &str| -> Vec<usize> {
        let ends = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        });
        std::iter::once(0).chain(ends).collect()
    };
    let (old_starts, new_starts) = (starts(old), starts(new));
    let mut cores: Vec<Core> = Vec::new();
    for op in diff.ops() {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (a, b) = (op.old_range(), op.new_range());
        let text = new[new_starts[b.start]..new_starts[b.end]].to_owned();
        cores.push((from + old_starts[a.start], from + old_starts[a.end], text));
    }
    let mut grown: Vec<(usize, usize, Vec<Core>)> = Vec::new();
    for core in cores {
        let (start, end) = grow(scope, core.0, core.1);
        match grown.last_mut() {
            Some(last) if start <= last.1 => {
                last.1 = last.1.max(end);
                last.2.push(core);
            }
            _ => grown.push((start, end, vec![core])),
        }
    }
    grown
        .into_iter()
        .map(|(start, end, cores)| {
            let mut text = String::new();
            let mut at = start;
            for (a, b, new) in cores {
                text.push_str(&scope[at..a]);
                text.push_str(&new);
                at = b;
            }
            text.push_str(&scope[at..end]);
            (scope[start..end].to_owned(), text)
        })
        .collect()
}

/// Lines below and above in turn, until the text is there once.
fn grow(scope: &str, mut start: usize, mut end: usize) -> (usize, usize) {
    let mut below = true;
    while !once(scope, &scope[start..end]) && (start > 0 || end < scope.len()) {
        if below && end < scope.len() || start == 0 {
            end += scope[end..].find('\n').map_or(scope.len() - end, |at| at + 1);
        } else {
            start = scope[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        }
        below = !below;
    }
    (start, end)
}

/// Whether a text that is not blank is there exactly once.
pub fn once(scope: &str, text: &str) -> bool {
    if text.trim().is_empty() {
        return false;
    }
    let Some(at) = scope.find(text) else { return false };
    let step = scope[at..].chars().next().map_or(1, char::len_utf8);
    !scope[at + step..].contains(text)
}

/// Blanks and line breaks that both sides begin or end with, cut off where the text stays unique.
pub fn trim(scope: &str, (old, new): Block) -> Block {
    let lead = |text: &str| text.len() - text.trim_start().len();
    let front = lead(&old).min(lead(&new));
    let front = if old[..front] == new[..front] { front } else { 0 };
    let (mut a, mut b) = (old[front..].to_owned(), new[front..].to_owned());
    let tail = |text: &str| text[text.trim_end().len()..].to_owned();
    if tail(&a) == tail(&b) {
        (a, b) = (a.trim_end().to_owned(), b.trim_end().to_owned());
    }
    if once(scope, &a) { (a, b) } else { (old, new) }
}

/// Bytes of blocks in the usual form: the path, three marks, and the two texts.
pub fn marked(path: &str, blocks: &[Block]) -> usize {
    let marks = "<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n".len();
    blocks.iter().map(|(old, new)| path.len() + 1 + marks + old.len() + new.len()).sum()
}

/// Bytes of the same as arguments of a tool.
pub fn as_json(path: &str, blocks: &[Block]) -> usize {
    let one = |(old, new): &Block| {
        serde_json::json!({ "path": path, "old": old, "new": new }).to_string().len()
    };
    blocks.iter().map(one).sum()
}

/// The range with the rest of its first and last line.
pub fn lines(text: &str, start: usize, end: usize) -> (usize, usize) {
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    (from, to)
}
