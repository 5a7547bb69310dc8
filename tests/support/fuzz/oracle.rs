//! Whether an applied edit changed what it was for, and nothing else.

use std::ops::Range;

use asof_edit::{Part, Position};
use asof_model::Span;
use asof_wire::{EditStatus, EditedItem};

use super::items::{Item, Parsed, tokens};
use super::requests::{Case, Expect, Seen};

/// One file that an edit changed: bytes before and after, and what was planned with.
pub struct Changed<'a> {
    pub path: &'a str,
    pub before: &'a [u8],
    pub after: &'a [u8],
    pub planned: &'a Seen,
    /// Whether the plan was made from [`Changed::planned`].
    pub known: bool,
}

type Found = Result<(), String>;

fn bytes_of(span: Option<Span>) -> Result<Range<usize>, String> {
    let span = span.ok_or("an edit without a span")?;
    Ok(span.start_byte as usize..span.end_byte as usize)
}

fn text<'a>(bytes: &'a [u8], range: &Range<usize>) -> Result<&'a str, String> {
    let part = bytes.get(range.clone()).ok_or_else(|| format!("no bytes {range:?}"))?;
    std::str::from_utf8(part).map_err(|_| format!("bytes {range:?} cut a character"))
}

/// Text without blanks: what must stay when code is fitted to its place.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Judges the edits of one file.
pub fn judge(file: &Changed<'_>, cases: &[(&Case, &EditedItem)]) -> Found {
    let mut spans = Vec::new();
    for (_, edited) in cases {
        spans.push((bytes_of(edited.span_before)?, bytes_of(edited.span_after)?));
    }
    outside(file, &spans)?;
    let before = Parsed::parse(file.before);
    let after = Parsed::parse(file.after);
    if before.is_some() && after.is_none() {
        return Err("the result does not parse".to_owned());
    }
    if let (Some(before), Some(after)) = (&before, &after) {
        let beside =
            |case: &Case| matches!(case.expect, Expect::Splice { .. } | Expect::Docs { .. });
        let beside: Vec<bool> = cases.iter().map(|(case, _)| beside(case)).collect();
        check_other_items(before, after, &spans, &beside)?;
    }
    let describe = |what: String, (case, edited): &(&Case, &EditedItem)| {
        format!("{} of {}: {what}", case.mode(), edited.path)
    };
    let mut meant = Vec::new();
    for both in cases {
        let case = of_present(file, both.0, before.as_ref());
        meant.push(case.map_err(|what| describe(what, both))?);
    }
    let names = cases.iter().filter_map(|(case, _)| match &case.expect {
        Expect::Insert { marker, .. } => Some(marker.as_str()),
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    let spliced = cases.iter().any(|(case, _)| matches!(case.expect, Expect::Splice { .. }));
    let deleted = cases.iter().any(|(case, _)| matches!(case.expect, Expect::Delete { .. }));
    for ((both, case), (old, new)) in cases.iter().zip(&meant).zip(&spans) {
        let (names, before, after) = (&names, before.as_ref(), after.as_ref());
        let all = &spans;
        let place = Place { file, names, spliced, deleted, old, new, before, after, all };
        place.judge(case, both.1).map_err(|what| describe(what, both))?;
        as_guarded(file, (both.0, case), before).map_err(|what| describe(what, both))?;
    }
    Ok(())
}

/// The edit, of the item that its path means in the text that was edited. A path that means several
/// items of the planned text has to be refused; but while the other process is at work, the plan
/// may be made from a text that has lost all but one of them, and then it means that one.
fn of_present(file: &Changed<'_>, case: &Case, before: Option<&Parsed>) -> Result<Case, String> {
    let (Some(key), false) = (case.key(), case.twins.is_empty()) else {
        return Ok(case.clone());
    };
    if file.known {
        return Err(format!("it was applied, and its path means {:?} too", case.twins));
    }
    let Some(before) = before else { return Ok(case.clone()) };
    let all = std::iter::once(key).chain(case.twins.iter().map(String::as_str));
    let there: Vec<&str> = all.filter(|key| before.with_key(key).next().is_some()).collect();
    match there.as_slice() {
        [one] => Ok(case.with_item(one)),
        there => Err(format!("it was applied, and its path means {there:?}")),
    }
}

/// An edit with the tracking hash of its item replaced one of the same tokens.
fn as_guarded(
    file: &Changed<'_>,
    (planned, meant): (&Case, &Case),
    before: Option<&Parsed>,
) -> Found {
    let (Some(true), Some(planned), Some(now)) = (planned.guarded, planned.key(), meant.key())
    else {
        return Ok(());
    };
    let of = |parsed: Option<&Parsed>, key: &str, bytes: &[u8]| {
        let item = parsed?.item(key)?;
        tokens(text(bytes, &item.range).ok()?)
    };
    let was = of(file.planned.parsed.as_deref(), planned, &file.planned.bytes);
    let now = of(before, now, file.before);
    if was.is_some() && now.is_some() && was != now {
        Err("it was applied against its tracking hash".to_owned())
    } else {
        Ok(())
    }
}

/// Every byte outside the spans is as it was.
fn outside(file: &Changed<'_>, spans: &[(Range<usize>, Range<usize>)]) -> Found {
    let mut order: Vec<_> = spans.to_vec();
    order.sort_by_key(|(old, new)| (old.start, new.start, old.end));
    let (mut from, mut to) = (0, 0);
    let ends = (file.before.len()..file.before.len(), file.after.len()..file.after.len());
    for (old, new) in order.iter().chain([&ends]) {
        let kept = file.before.get(from..old.start);
        if kept.is_none() || kept != file.after.get(to..new.start) {
            return Err(format!(
                "bytes {from}..{} are not those at {to}..{}",
                old.start, new.start
            ));
        }
        (from, to) = (old.end, new.end);
    }
    Ok(())
}

/// Items apart from every span are as many, of the same kinds and names, and moved as the bytes
/// did. A splice or documentation may become part of the item `beside` it.
fn check_other_items(
    before: &Parsed,
    after: &Parsed,
    spans: &[(Range<usize>, Range<usize>)],
    beside: &[bool],
) -> Found {
    let shift = |at: usize| moved(spans, at) as i64;
    // What goes in at one place counts as one.
    let meets = |a: usize, b: usize| {
        let ((old, new), (next, then)) = (&spans[a], &spans[b]);
        old.end == next.start && new.end == then.start
            || next.end == old.start && then.end == new.start
    };
    let near = |at: usize| (0..spans.len()).any(|other| beside[other] && meets(at, other));
    let beside: Vec<bool> = (0..spans.len()).map(|at| beside[at] || near(at)).collect();
    let apart = |item: &Item, spans: &[&Range<usize>]| {
        spans.iter().zip(&beside).all(|(s, beside)| {
            let gap = usize::from(*beside);
            item.range.end + gap <= s.start || s.end + gap <= item.range.start
        })
    };
    let (olds, news): (Vec<_>, Vec<_>) = spans.iter().map(|(old, new)| (old, new)).unzip();
    let old = before.items.iter().filter(|i| apart(i, &olds));
    let mut old = old.map(|i| (i.kind, i.name.as_str(), shift(i.range.start), i.range.len()));
    let new = after.items.iter().filter(|i| apart(i, &news));
    let mut new = new.map(|i| (i.kind, i.name.as_str(), i.range.start as i64, i.range.len()));
    loop {
        match (old.next(), new.next()) {
            (None, None) => return Ok(()),
            (a, b) if a == b => {}
            (a, b) => return Err(format!("another item was {a:?} and is {b:?}")),
        }
    }
}

/// Where a byte is after the edits, those at its place being in front of it.
fn moved(spans: &[(Range<usize>, Range<usize>)], at: usize) -> usize {
    let done = spans.iter().filter(|(old, _)| old.end <= at);
    let moved = done.fold(at as i64, |at, (old, new)| at + new.len() as i64 - old.len() as i64);
    usize::try_from(moved).unwrap()
}

struct Place<'a> {
    file: &'a Changed<'a>,
    /// Names of the new items of the request.
    names: &'a [&'a str],
    /// Whether bytes are replaced too, which may give items other names, or open a comment.
    spliced: bool,
    /// Whether items are removed.
    deleted: bool,
    old: &'a Range<usize>,
    new: &'a Range<usize>,
    before: Option<&'a Parsed>,
    after: Option<&'a Parsed>,
    /// All edits of the file.
    all: &'a [(Range<usize>, Range<usize>)],
}

impl Place<'_> {
    fn judge(&self, case: &Case, edited: &EditedItem) -> Found {
        if case.bad && !matches!(case.expect, Expect::Splice { .. }) {
            return Err("it was applied, and had to be refused".to_owned());
        }
        if case.guarded == Some(false) {
            return Err("it was applied against its tracking hash".to_owned());
        }
        self.label(case, edited)?;
        match &case.expect {
            Expect::Item { part, key, code, flush } => self.item(*part, key, code, *flush),
            Expect::Docs { key, lines } => self.docs(key, lines),
            Expect::Splice { range, replacement, keys } => self.splice(range, replacement, keys),
            Expect::Insert { key, position, code, marker } => {
                self.insert(key, *position, code, marker)
            }
            Expect::Delete { key } => self.delete(key),
            Expect::Create { .. } | Expect::Remove | Expect::Rename { .. } => Ok(()),
        }
    }

    /// Whether it says `rebased` if and only if its place has moved.
    fn label(&self, case: &Case, edited: &EditedItem) -> Found {
        let same = *self.file.before == *self.file.planned.bytes;
        let known = self.file.known || matches!(case.expect, Expect::Splice { .. });
        match edited.status {
            EditStatus::Rebased if same && self.file.known => {
                return Err("it says rebased, and the file was as planned".to_owned());
            }
            EditStatus::Rebased | EditStatus::Applied => {}
            EditStatus::Unchanged
                if self.file.before.get(self.old.clone())
                    == self.file.after.get(self.new.clone()) =>
            {
                return Ok(());
            }
            other => return Err(format!("its status is {}", other.as_str())),
        }
        let planned = self.file.planned.parsed.as_deref();
        let moved = match (planned, self.before, case.key()) {
            (Some(planned), Some(before), Some(key))
                if !matches!(case.expect, Expect::Insert { .. }) =>
            {
                let start = |parsed: &Parsed| parsed.item(key).map(|item| item.range.start);
                start(planned) != start(before)
            }
            _ => matches!(case.expect, Expect::Splice { .. }) && *self.old != case.range,
        };
        if moved && known && edited.status != EditStatus::Rebased {
            return Err("it was carried over, and does not say so".to_owned());
        }
        Ok(())
    }

    /// The item of the planned text and of the text that was edited: one text, if the edit was
    /// made for the first.
    fn same_item(&self, key: &str) -> Result<Option<(&Item, &Item)>, String> {
        let planned = self.file.planned.parsed.as_deref().and_then(|p| p.item(key));
        let planned = planned.ok_or("the item was not in the planned text")?;
        let Some(before) = self.before else { return Ok(None) };
        let now = before.item(key).ok_or("the item is not in the text that was edited")?;
        let was = text(&self.file.planned.bytes, &planned.range)?;
        if self.file.known && was != text(self.file.before, &now.range)? {
            return Err("the item had changed since it was planned".to_owned());
        }
        Ok(Some((planned, now)))
    }

    fn item(&self, part: Part, key: &str, code: &str, flush: bool) -> Found {
        let range = |item: &Item| match part {
            Part::Signature => item.signature.clone(),
            Part::Body => item.body.clone(),
            Part::Whole | Part::Docs | Part::Attributes | Part::Declaration => {
                Some(item.range.clone())
            }
        };
        match self.same_item(key)? {
            Some((_, now)) => {
                let right = range(now).ok_or("no such part in the text that was edited")?;
                if right != *self.old {
                    return Err(format!("it replaced {:?}, the item lies at {right:?}", self.old));
                }
            }
            // Planned from a text that syn does not read, of which nothing is known.
            None if !self.file.known => {}
            None => {
                let planned = self.file.planned.parsed.as_deref().and_then(|p| p.item(key));
                let was = planned.and_then(range).ok_or("no such part")?;
                let was = text(&self.file.planned.bytes, &was)?;
                if text(self.file.before, self.old)? != was {
                    return Err("it replaced another text than the item's".to_owned());
                }
            }
        }
        self.holds(code, part, flush)
    }

    /// The span holds the code, fitted: the same tokens, and for code that came flush left each
    /// line behind the blanks of the place.
    fn holds(&self, code: &str, part: Part, flush: bool) -> Found {
        let new = text(self.file.after, self.new)?;
        let code = code.trim().trim_end_matches(',');
        let plain = new.trim_end_matches(',');
        let wanted = [code.to_owned(), format!("{{{code}}}")];
        let braced = usize::from(part == Part::Body && squeezed(plain) != squeezed(code));
        let wanted = wanted.get(braced).map_or("", String::as_str);
        if squeezed(plain) != squeezed(wanted) {
            return Err(format!("the span holds {new:?}, not {code:?}"));
        }
        if !wanted.contains("/**") && tokens(plain) != tokens(wanted) {
            return Err(format!("other tokens: {new:?}, not {code:?}"));
        }
        if !flush || braced == 1 {
            return Ok(());
        }
        let before = text(self.file.before, &(0..self.old.start))?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let indent: String = line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
        let whole = String::from_utf8_lossy(self.file.before);
        let end = match whole.find('\n') {
            Some(at) if whole[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let lines = code.lines().enumerate().map(|(at, line)| match (at, line) {
            (0, line) => line.to_owned(),
            (_, "") => String::new(),
            (_, line) => format!("{indent}{line}"),
        });
        let exact = lines.collect::<Vec<_>>().join(end);
        if plain != exact {
            return Err(format!("fitted to {new:?}, not {exact:?}"));
        }
        Ok(())
    }

    fn docs(&self, key: &str, lines: &[String]) -> Found {
        let Some((_, now)) = self.same_item(key)? else { return Ok(()) };
        let after = self.after.ok_or("the result does not parse")?;
        let Some(then) = after.item(key) else {
            return if self.spliced { Ok(()) } else { Err("the item is gone".to_owned()) };
        };
        let wanted: Vec<String> = lines.iter().map(|line| format!("\" {line}\"")).collect();
        if then.docs != wanted && !self.spliced {
            return Err(format!("the documentation is {:?}, not {wanted:?}", then.docs));
        }
        if self.old.start < now.range.start || now.range.end < self.old.end {
            return Err(format!("it changed {:?}, the item lies at {:?}", self.old, now.range));
        }
        let rest = |bytes: &[u8], item: &Item| {
            let end =
                item.signature.clone().or(item.body.clone()).map_or(item.range.end, |r| r.end);
            text(bytes, &(end.saturating_sub(1)..item.range.end)).map(str::to_owned)
        };
        let alone =
            self.file.before.len() + self.new.len() == self.file.after.len() + self.old.len();
        if alone && rest(self.file.before, now)? != rest(self.file.after, then)?
            || now.attributes != then.attributes
            || now.kind != then.kind
        {
            return Err("more than the documentation changed".to_owned());
        }
        Ok(())
    }

    fn splice(&self, range: &Range<usize>, replacement: &str, keys: &[String]) -> Found {
        if text(self.file.after, self.new)? != replacement {
            return Err("the span does not hold the replacement".to_owned());
        }
        let planned = &self.file.planned;
        if *self.file.before == *planned.bytes {
            return if self.old == range {
                Ok(())
            } else {
                Err(format!("it replaced {:?}, not {range:?}", self.old))
            };
        }
        let (Some(was), Some(now)) = (planned.parsed.as_deref(), self.before) else {
            let old = text(&planned.bytes, range)?;
            return if text(self.file.before, self.old)? == old {
                Ok(())
            } else {
                Err("it replaced other bytes than those of the request".to_owned())
            };
        };
        let text = |item: &Item| {
            // Of twins none is known by its name: the text around the bytes has to tell.
            let lead = range.start - item.range.start;
            let start = self.old.start.checked_sub(lead)?;
            let here = self.file.before.get(start..start + item.range.len())?;
            (Some(here) == planned.bytes.get(item.range.clone())).then_some(())
        };
        let twins: Vec<&Item> = was.around(range);
        let twins =
            twins.iter().filter(|i| was.item(&i.key).is_none() || now.item(&i.key).is_none());
        let carried = keys.iter().any(|key| {
            let (Some(a), Some(b)) = (was.item(key), now.item(key)) else { return false };
            let start = b.range.start + range.start - a.range.start;
            planned.bytes.get(a.range.clone()) == self.file.before.get(b.range.clone())
                && *self.old == (start..start + range.len())
        });
        let carried = carried || twins.filter_map(|item| text(item)).next().is_some();
        if carried { Ok(()) } else { Err(format!("carried over to {:?}", self.old)) }
    }

    fn insert(&self, key: &str, position: Position, code: &str, marker: &str) -> Found {
        if !self.old.is_empty() {
            return Err("an insertion replaced bytes".to_owned());
        }
        let new = text(self.file.after, self.new)?;
        let comma = |text: &str| squeezed(text).trim_matches(',').to_owned();
        if comma(new) != comma(code) {
            return Err(format!("inserted {new:?}, not {code:?}"));
        }
        let (Some(before), Some(after)) = (self.before, self.after) else { return Ok(()) };
        let Some(was) = before.item(key) else {
            return Err("the anchor is not in the text that was edited".to_owned());
        };
        let named = after.items.iter().position(|i| i.key == key);
        // A splice may have given its name to another item: then its place tells which it is.
        let start = moved(self.all, was.range.start);
        // The new item may be where the anchor was, if that is removed.
        let there = |i: &Item| {
            i.kind == was.kind && i.range.start == start && !self.names.contains(&i.name.as_str())
        };
        let anchor = if self.spliced { after.items.iter().position(there) } else { named };
        let Some(anchor) = anchor else {
            let fine = self.spliced || self.deleted;
            return if fine { Ok(()) } else { Err("the anchor is gone".to_owned()) };
        };
        let key = after.items[anchor].key.as_str();
        let at = after.items.iter().position(|i| i.name == marker);
        let at = at.ok_or_else(|| format!("there is no {marker}"))?;
        let inside = matches!(position, Position::FirstChild | Position::LastChild);
        let parent = if inside { Some(anchor) } else { after.items[anchor].parent };
        if after.items[at].parent != parent {
            return Err(format!("{marker} went into another item"));
        }
        // Others of the same request may stand between.
        let of = |i: &&Item| {
            i.parent == parent && (i.name == marker || !self.names.contains(&i.name.as_str()))
        };
        let line: Vec<&str> = after.items.iter().filter(of).map(|i| i.key.as_str()).collect();
        let place = line.iter().position(|k| *k == after.items[at].key).unwrap_or(0);
        let beside = |at: Option<usize>| at.and_then(|at| line.get(at)).copied() == Some(key);
        let right = match position {
            Position::Before => beside(Some(place + 1)),
            Position::After => beside(place.checked_sub(1)),
            Position::FirstChild => place == 0,
            Position::LastChild => place + 1 == line.len(),
        };
        if right { Ok(()) } else { Err(format!("{marker} stands at {place} of {line:?}")) }
    }

    fn delete(&self, key: &str) -> Found {
        if !self.new.is_empty() {
            return Err("a deletion wrote bytes".to_owned());
        }
        let removed = text(self.file.before, self.old)?;
        let range = match self.same_item(key)? {
            Some((_, now)) => now.range.clone(),
            None if !self.file.known => return Ok(()),
            None => {
                let planned = self.file.planned.parsed.as_deref().and_then(|p| p.item(key));
                let planned = planned.ok_or("no such item")?;
                let was = text(&self.file.planned.bytes, &planned.range)?;
                let at = removed.find(was).ok_or("it removed another text than the item's")?;
                self.old.start + at..self.old.start + at + was.len()
            }
        };
        if range.start < self.old.start || self.old.end < range.end {
            return Err(format!("it removed {:?}, the item lies at {range:?}", self.old));
        }
        let above = text(self.file.before, &(self.old.start..range.start))?;
        let below = text(self.file.before, &(range.end..self.old.end))?;
        // A comment before the comma goes with it.
        let comma = matches!(tokens(below).as_deref(), Some("" | ","));
        if !above.trim().is_empty() || !comma {
            return Err(format!("it removed {above:?} and {below:?} too"));
        }
        if let Some(after) = self.after
            && after.item(key).is_some()
            && !self.spliced
        {
            return Err("the item is still there".to_owned());
        }
        Ok(())
    }
}
