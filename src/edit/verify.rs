//! Checks that an edit changed only its target: the items of the new text are compared with those
//! of the old.

use super::alone;
use super::change::Reach;
use super::error::EditError;
use super::splice_ranges::{Lie, Touched, lie, tops};
use super::view::FileView;
use asof_model::{ByteRange, FileFacts, IssueKind, ItemFacts, NodeKind, OrNever};
use asof_syntax::Scan;

/// Compares the items outside the ranges, the kinds of those inside, and the parts that are
/// changed.
///
/// # Errors
/// [`EditError::DoesNotParse`], [`EditError::WrongKind`], [`EditError::ChangesOthers`],
/// [`EditError::NotAlone`].
pub fn compare(
    old: &FileView<'_>,
    new: &FileView<'_>,
    touched: &[Touched],
) -> Result<(), EditError> {
    let (before, after, text) = (old.facts, new.facts, new.text);
    if !before.partial
        && let Some(error) = does_not_parse(after, text)
    {
        return Err(error);
    }
    let chains = chains(touched);
    let pairs = || touched.iter().zip(&chains);
    let olds = pairs().map(|(t, chain)| {
        let near = t.inner.map(|inner| Near::new(&old.scan, t.before, inner.0.item));
        Ranges { range: t.before, chain: chain.0, reach: t.reach, near }
    });
    let news = pairs().map(|(t, chain)| {
        let near = t.inner.map(|inner| Near::new(&new.scan, t.after, inner.1.item));
        Ranges { range: t.after, chain: chain.1, reach: t.reach, near }
    });
    let outlines =
        (outline(before, &olds.collect::<Vec<_>>()), outline(after, &news.collect::<Vec<_>>()));
    // If a text does not parse, the items of the tolerant parser prove nothing.
    let known = !before.partial && !after.partial;
    if known && let Some((items, first)) = difference(&outlines.0, &outlines.1) {
        let far = |t: &&Touched| match first {
            First::Old(item) => distance(t.before, item),
            First::New(item) => distance(t.after, item),
        };
        let subject = touched.iter().min_by_key(far).map(|t| t.subject.clone());
        return Err(EditError::ChangesOthers { subject: subject.unwrap_or_default(), items });
    }
    for range in touched {
        let tops = tops(after, range.after);
        let name = |item: &&ItemFacts| format!("{} `{}`", item.kind, item.name);
        let found: Vec<String> = tops.iter().map(name).collect();
        if range.reach == Reach::Beside && known && !tops.is_empty() {
            let (subject, items) = (range.subject.clone(), found);
            return Err(EditError::ChangesOthers { subject, items });
        }
        let Some(expected) = range.becomes else { continue };
        if !matches!(tops.as_slice(), [item] if item.kind == expected) {
            let found = if found.is_empty() { "no item".to_owned() } else { found.join(", ") };
            return Err(EditError::WrongKind { canon: range.subject.clone(), expected, found });
        }
    }
    touched.iter().try_for_each(|t| alone::closed(old, new, t))?;
    if known {
        touched.iter().try_for_each(|t| alone::same_part(old, new, t))?;
        alone::same_rest(old, new, touched)?;
    }
    Ok(())
}

/// A range of one of the two texts, and what else the edit may change.
#[derive(Debug)]
struct Ranges {
    range: ByteRange,
    /// Its union with the ranges that touch it.
    chain: ByteRange,
    reach: Reach,
    near: Option<Near>,
}

/// The tokens next to a range, within the item of which the edit changes a part. Between them and
/// the range are only blanks and comments, so an item that begins or ends there may gain
/// documentation or attributes from the range, or lose them to it.
#[derive(Debug, Clone, Copy)]
struct Near {
    within: ByteRange,
    /// End of the last token before the range.
    before: Option<u32>,
    /// Start of the first token after it.
    behind: Option<u32>,
}

impl Near {
    fn new(scan: &Scan<'_>, range: ByteRange, within: ByteRange) -> Self {
        Self {
            within,
            before: scan.token_before(range.start).map(|(token, _)| token.end),
            behind: scan.token_behind(range.end).map(|(token, _)| token.start),
        }
    }

    fn holds(&self, item: &ItemFacts) -> bool {
        let (from, to) = (item.span.start_byte, item.span.end_byte);
        let within = self.within.covers(item.span.bytes());
        within && (self.behind == Some(from) || self.before == Some(to))
    }
}

/// Position of an item relative to an edit. An item that the edit may change counts as inside, one
/// whose own documentation and attributes it may change as around.
fn lie_to(item: &ItemFacts, ranges: &Ranges) -> Lie {
    let (from, to) = (item.span.start_byte, item.span.end_byte);
    let (range, chain) = (ranges.range, ranges.chain);
    let ends = [range.start, range.end, chain.start, chain.end];
    let meets = ends.contains(&from) || ends.contains(&to);
    match (lie(item, range), ranges.reach) {
        (Lie::Apart | Lie::Around, Reach::Cut) if meets => Lie::Inside,
        (Lie::Cut, Reach::Cut) => Lie::Inside,
        (Lie::Apart, Reach::Within | Reach::Beside)
            if ranges.near.is_some_and(|near| near.holds(item)) =>
        {
            Lie::Around
        }
        (lie, _) => lie,
    }
}

/// For each range its union with the ranges that touch it: of several insertions at one position,
/// only one is next to the item after them.
fn chains(touched: &[Touched]) -> Vec<(ByteRange, ByteRange)> {
    let mut out: Vec<(ByteRange, ByteRange)> = Vec::with_capacity(touched.len());
    let mut first = 0;
    for (at, t) in touched.iter().enumerate() {
        let adjoins = out
            .last()
            .is_some_and(|(old, new)| old.end == t.before.start && new.end == t.after.start);
        if !adjoins {
            first = at;
        }
        let (old_start, new_start) = out
            .get(first)
            .map_or((t.before.start, t.after.start), |(old, new)| (old.start, new.start));
        out.push((t.before, t.after));
        for (old, new) in out.iter_mut().skip(first) {
            *old = ByteRange::new(old_start, t.before.end);
            *new = ByteRange::new(new_start, t.after.end);
        }
    }
    out
}

/// Bytes between an item and a range.
fn distance(range: ByteRange, item: &ItemFacts) -> u32 {
    let (from, to) = (item.span.start_byte, item.span.end_byte);
    from.saturating_sub(range.end).max(range.start.saturating_sub(to))
}

/// An item of the old or of the new text.
#[derive(Debug, Clone, Copy)]
enum First<'a> {
    Old(&'a ItemFacts),
    New(&'a ItemFacts),
}

/// What must not change in an item outside the ranges: its parent and, if it does not touch a
/// range, its contents.
#[derive(Debug)]
struct Entry<'a> {
    /// Position of the parent in the outline.
    parent: usize,
    apart: Option<(NodeKind, &'a str, &'a str)>,
    /// For messages.
    item: &'a ItemFacts,
}

fn outline<'a>(facts: &'a FileFacts, ranges: &[Ranges]) -> Vec<Entry<'a>> {
    let mut out: Vec<Entry<'a>> = Vec::new();
    let mut places = vec![0usize; facts.items.len()];
    for (at, item) in facts.items.iter().enumerate().skip(1) {
        let mut worst = Lie::Apart;
        for ranges in ranges {
            match (lie_to(item, ranges), worst) {
                (Lie::Inside, _) => worst = Lie::Inside,
                (Lie::Around, Lie::Apart) => worst = Lie::Around,
                (Lie::Cut, Lie::Apart | Lie::Around) => worst = Lie::Cut,
                _ => {}
            }
        }
        let parent =
            places.get(item.parent as usize).copied().or_never("an item comes after its parent");
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

/// Names of items that differ, with the first of them; `None` if all are equal.
fn difference<'a>(old: &[Entry<'a>], new: &[Entry<'a>]) -> Option<(Vec<String>, First<'a>)> {
    let same = |a: &Entry<'_>, b: &Entry<'_>| a.parent == b.parent && a.apart == b.apart;
    if old.len() == new.len() && old.iter().zip(new).all(|(a, b)| same(a, b)) {
        return None;
    }
    let name = |entry: &Entry<'_>| format!("{} `{}`", entry.item.kind, entry.item.name);
    let unlike = old.iter().zip(new).position(|(a, b)| !same(a, b));
    let from = unlike.unwrap_or(old.len().min(new.len()));
    let (rest, near) = match (old.get(from), new.get(from)) {
        (Some(first), _) => (old.get(from..), First::Old(first.item)),
        (None, Some(first)) => (new.get(from..), First::New(first.item)),
        (None, None) => return None,
    };
    Some((rest.unwrap_or_default().iter().take(3).map(name).collect(), near))
}

/// Why a text does not parse; `None` if it does.
pub fn does_not_parse(after: &FileFacts, text: &str) -> Option<EditError> {
    if !after.partial {
        return None;
    }
    let broken = [IssueKind::Syntax, IssueKind::TooDeep];
    let issue = after.issues.iter().find(|issue| broken.contains(&issue.kind));
    let (message, span) = match issue {
        Some(issue) => (issue.message.clone(), issue.span),
        None => ("it is not Rust".to_owned(), None),
    };
    let excerpt = span.map(|span| excerpt(text, span.start_line)).unwrap_or_default();
    Some(EditError::DoesNotParse { file_path: after.path.clone(), message, excerpt })
}

/// The line with its number, in the new text.
fn excerpt(text: &str, line: u32) -> String {
    let shown = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    format!("\n  {line:>5} | {shown}")
}
