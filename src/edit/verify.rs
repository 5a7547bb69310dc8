//! Whether an edit changed only what it was about: the items of the new text, parsed anew, are
//! compared with those of the old.

use super::error::EditError;
use crate::model::{FileFacts, IssueKind, ItemFacts, NodeKind};

/// A range that an edit replaced, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    pub before: (u32, u32),
    pub after: (u32, u32),
    /// Kind that the one item in the range must have.
    pub becomes: Option<NodeKind>,
    /// Whether items may be cut.
    pub free: bool,
    /// What the edit is about, for messages.
    pub subject: String,
}

/// How an item lies to the ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lie {
    Inside,
    Around,
    Cut,
    Apart,
}

/// Compares the items outside the ranges, and the kinds of those inside.
///
/// # Errors
/// [`EditError::DoesNotParse`], [`EditError::WrongKind`], [`EditError::ChangesOthers`].
pub fn compare(
    before: &FileFacts,
    after: (&FileFacts, &str),
    touched: &[Touched],
) -> Result<(), EditError> {
    let (after, text) = after;
    if !before.partial
        && let Some(error) = does_not_parse(after, text)
    {
        return Err(error);
    }
    let old = outline(before, touched, |t| t.before);
    let new = outline(after, touched, |t| t.after);
    // A tolerant parser's items say nothing sure of a text that does not parse.
    let known = !before.partial && !after.partial;
    if known && let Some(items) = difference(&old, &new) {
        let subject = touched.first().map(|t| t.subject.clone()).unwrap_or_default();
        return Err(EditError::ChangesOthers { subject, items });
    }
    for range in touched {
        let Some(expected) = range.becomes else { continue };
        let tops = tops(after, range.after);
        let found: Vec<String> = tops.iter().map(|i| format!("{} `{}`", i.kind, i.name)).collect();
        if !matches!(tops.as_slice(), [item] if item.kind == expected) {
            let found = match found.is_empty() {
                true => "no item".to_owned(),
                false => found.join(", "),
            };
            return Err(EditError::WrongKind { canon: range.subject.clone(), expected, found });
        }
    }
    Ok(())
}

/// The outermost items within a range.
pub(super) fn tops(facts: &FileFacts, range: (u32, u32)) -> Vec<&ItemFacts> {
    let within = |item: &ItemFacts| lie(item, range) == Lie::Inside;
    let items = facts.items.iter().skip(1).filter(|item| within(item));
    items
        .filter(|item| {
            let parent = facts.items.get(item.parent as usize);
            item.parent == 0 || parent.is_none_or(|parent| !within(parent))
        })
        .collect()
}

fn lie(item: &ItemFacts, (start, end): (u32, u32)) -> Lie {
    let (from, to) = (item.span.start_byte, item.span.end_byte);
    if start <= from && to <= end {
        Lie::Inside
    } else if to <= start || end <= from {
        Lie::Apart
    } else if from <= start && end <= to {
        Lie::Around
    } else {
        Lie::Cut
    }
}

/// An item outside the ranges, as far as it must stay: what it is in, and all of it, if it is
/// apart from every range.
#[derive(Debug)]
struct Entry<'a> {
    /// Position of the parent in the outline.
    parent: usize,
    apart: Option<(NodeKind, &'a str, &'a str)>,
    /// For messages.
    item: &'a ItemFacts,
}

fn outline<'a>(
    facts: &'a FileFacts,
    touched: &[Touched],
    range: impl Fn(&Touched) -> (u32, u32),
) -> Vec<Entry<'a>> {
    let mut out: Vec<Entry<'a>> = Vec::new();
    let mut places = vec![0usize; facts.items.len()];
    for (at, item) in facts.items.iter().enumerate().skip(1) {
        let mut worst = Lie::Apart;
        for t in touched {
            let lie = match lie(item, range(t)) {
                Lie::Cut if t.free => Lie::Inside,
                lie => lie,
            };
            match (lie, worst) {
                (Lie::Inside, _) => worst = Lie::Inside,
                (Lie::Around, Lie::Apart) => worst = Lie::Around,
                (Lie::Cut, Lie::Apart | Lie::Around) => worst = Lie::Cut,
                _ => {}
            }
        }
        let parent = places.get(item.parent as usize).copied().unwrap_or(0);
        if worst == Lie::Inside {
            if let Some(place) = places.get_mut(at) {
                *place = parent;
            }
            continue;
        }
        let apart = match worst {
            Lie::Apart => Some((item.kind, item.name.as_str(), item.tracking_hash.as_str())),
            _ => None,
        };
        out.push(Entry { parent, apart, item });
        if let Some(place) = places.get_mut(at) {
            *place = out.len();
        }
    }
    out
}

/// Names of items that are not the same in both; none if all are.
fn difference(old: &[Entry<'_>], new: &[Entry<'_>]) -> Option<Vec<String>> {
    let same = |a: &Entry<'_>, b: &Entry<'_>| a.parent == b.parent && a.apart == b.apart;
    if old.len() == new.len() && old.iter().zip(new).all(|(a, b)| same(a, b)) {
        return None;
    }
    let name = |entry: &Entry<'_>| format!("{} `{}`", entry.item.kind, entry.item.name);
    let unlike = old.iter().zip(new).position(|(a, b)| !same(a, b));
    let from = unlike.unwrap_or(old.len().min(new.len()));
    let mut names: Vec<String> = old.iter().skip(from).take(3).map(name).collect();
    if names.is_empty() {
        names = new.iter().skip(from).take(3).map(name).collect();
    }
    Some(names)
}

/// Why a text does not parse; none if it does.
pub fn does_not_parse(after: &FileFacts, text: &str) -> Option<EditError> {
    if !after.partial {
        return None;
    }
    let broken = [IssueKind::Syntax, IssueKind::TooDeep];
    let issue = after.issues.iter().find(|issue| broken.contains(&issue.kind));
    let (message, span) = match issue {
        Some(issue) => (issue.message.clone(), issue.span),
        None => ("it is no Rust".to_owned(), None),
    };
    let excerpt = span.map(|span| excerpt(text, span.start_line)).unwrap_or_default();
    Some(EditError::DoesNotParse { file_path: after.path.clone(), message, excerpt })
}

/// The line with its number, as the text would be.
fn excerpt(text: &str, line: u32) -> String {
    let shown = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    format!("\n  {line:>5} | {shown}")
}
