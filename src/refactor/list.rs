//! Edits lists in parentheses: parameters and arguments with their commas, comments and line
//! breaks.

use super::cuts::{Bytes, Cut, slice};
use asof_syntax::{Kind, lex};

/// A list as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct List {
    /// Between the parentheses.
    pub inside: Bytes,
    /// The elements, in order.
    pub items: Vec<Bytes>,
}

/// An element of the list that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// The element that had this place.
    Old(usize),
    New(String),
}

/// What makes a list another one. Elements that keep their order among those that stay keep their
/// bytes; what is between them stays where it is. `of`: what the list belongs to.
pub fn relist(text: &str, list: &List, wanted: &[Entry], of: Bytes) -> Vec<Cut> {
    let layout = Layout { text, list, of };
    let mut kept: Vec<usize> = wanted.iter().filter_map(old).collect();
    kept.sort_unstable();
    if kept.is_empty() {
        return layout.anew(wanted);
    }
    let mut cuts = Vec::new();
    // The kept elements take the places of kept ones, in their new order.
    for (place, element) in kept.iter().zip(wanted.iter().filter_map(old)) {
        if *place != element
            && let (Some(place), Some(from)) = (list.items.get(*place), list.items.get(element))
        {
            cuts.push(Cut::source(*place, *from, of));
        }
    }
    layout.remove(&kept, &mut cuts);
    layout.insert(&kept, wanted, &mut cuts);
    cuts
}

fn old(entry: &Entry) -> Option<usize> {
    match entry {
        Entry::Old(at) => Some(*at),
        Entry::New(_) => None,
    }
}

struct Layout<'a> {
    text: &'a str,
    list: &'a List,
    of: Bytes,
}

impl Layout<'_> {
    /// A list of which no element stays.
    fn anew(&self, wanted: &[Entry]) -> Vec<Cut> {
        let new: Vec<&str> = wanted.iter().filter_map(new).collect();
        let new = new.join(", ");
        let (open, close) = self.list.inside;
        let (Some(first), Some(last)) = (self.list.items.first(), self.list.items.last()) else {
            return if new.is_empty() {
                Vec::new()
            } else {
                vec![Cut::text((close, close), new, self.of)]
            };
        };
        let end = self.comma(last.1, close).map_or(last.1, |comma| comma + 1);
        let outside =
            format!("{}{}", slice(self.text, (open, first.0)), slice(self.text, (end, close)));
        let range = if outside.trim().is_empty() { (open, close) } else { (first.0, end) };
        vec![Cut::text(range, new, self.of)]
    }

    fn remove(&self, kept: &[usize], cuts: &mut Vec<Cut>) {
        let items = &self.list.items;
        let cut = |range: Bytes, cuts: &mut Vec<Cut>| {
            if range.0 < range.1 {
                cuts.push(Cut::text(range, "", self.of));
            }
        };
        let Some((first, last)) = kept.first().zip(kept.last()) else { return };
        // Up to the next one that stays.
        let before: Vec<usize> = (0..*last).filter(|at| !kept.contains(at)).collect();
        for at in before {
            if let (Some(from), Some(to)) = (items.get(at), items.get(at + 1)) {
                cut((from.0, to.0), cuts);
            }
        }
        debug_assert!(first <= last);
        let (Some(stays), Some(gone), Some(end)) =
            (items.get(*last), items.get(last + 1), items.last())
        else {
            return;
        };
        // At the end: with the comma in front, or that behind.
        let Some(comma) = self.comma(stays.1, gone.0) else { return };
        let behind = comma + 1 + self.trimmed((comma + 1, gone.0)).len() as u32;
        match self.comma(end.1, self.list.inside.1) {
            Some(closing) => cut((behind, self.line_comment(closing + 1)), cuts),
            None if self.trimmed((stays.1, comma)).is_empty() && behind == comma + 1 => {
                cut((stays.1, end.1), cuts);
            }
            None => {
                cut((comma, comma + 1), cuts);
                cut((behind, end.1), cuts);
            }
        }
    }

    fn insert(&self, kept: &[usize], wanted: &[Entry], cuts: &mut Vec<Cut>) {
        // The place that each entry of the list has among those that stay.
        let mut places = kept.iter();
        let mut passed: Option<usize> = None;
        for entry in wanted {
            let Some(new) = new(entry) else {
                passed = places.next().copied();
                continue;
            };
            let next = places.as_slice().first().and_then(|at| self.list.items.get(*at));
            let last = passed.and_then(|at| self.list.items.get(at));
            match (next, last) {
                (Some(next), _) => {
                    let between = self.line_of(next.0).unwrap_or_else(|| " ".to_owned());
                    cuts.push(Cut::text((next.0, next.0), format!("{new},{between}"), self.of));
                }
                (None, Some(last)) => cuts.push(self.appended(*last, passed, new)),
                (None, None) => {}
            }
        }
    }

    /// A new last element, behind one that stays.
    fn appended(&self, last: Bytes, place: Option<usize>, new: &str) -> Cut {
        let line = self.line_of(last.0);
        let is_last = place.is_some_and(|at| at + 1 == self.list.items.len());
        if let (Some(line), true, Some(comma)) =
            (&line, is_last, self.comma(last.1, self.list.inside.1))
        {
            // The comment on the line of an element stays there.
            let at = self.line_comment(comma + 1);
            if at > comma + 1 {
                return Cut::text((at, at), format!("{line}{new},"), self.of);
            }
        }
        let between = line.unwrap_or_else(|| " ".to_owned());
        Cut::text((last.1, last.1), format!(",{between}{new}"), self.of)
    }

    /// The end of the comment that follows a comma in its line; otherwise the byte behind the comma.
    fn line_comment(&self, behind: u32) -> u32 {
        let rest = slice(self.text, (behind, self.list.inside.1));
        let rest = rest.split('\n').next().unwrap_or_default().trim_end();
        behind + if rest.trim_start().starts_with("//") { rest.len() as u32 } else { 0 }
    }

    /// The line break and blanks before a byte, if nothing else of its line is before it.
    fn line_of(&self, byte: u32) -> Option<String> {
        let before = slice(self.text, (self.list.inside.0, byte));
        let line = before.rfind('\n')?;
        let blanks = before.get(line + 1..)?;
        let newline = if before.get(..line)?.ends_with('\r') { "\r\n" } else { "\n" };
        blanks.trim().is_empty().then(|| format!("{newline}{blanks}"))
    }

    /// The first comma between two bytes that is no part of a comment.
    fn comma(&self, from: u32, to: u32) -> Option<u32> {
        let tokens = lex(slice(self.text, (from, to)), 0);
        let comma = tokens.iter().find(|token| token.kind == Kind::Punct && token.byte == b',')?;
        Some(from + comma.start)
    }

    fn trimmed(&self, range: Bytes) -> &str {
        slice(self.text, range).trim_end()
    }
}

fn new(entry: &Entry) -> Option<&str> {
    match entry {
        Entry::New(text) => Some(text),
        Entry::Old(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cuts::flatten;
    use super::*;

    /// `wanted`: places of old elements, and texts.
    #[track_caller]
    fn check(text: &str, wanted: &str, expected: &str) {
        let open = text.find('(').unwrap() as u32 + 1;
        let call: syn::ExprCall = syn::parse_str(text).unwrap();
        use syn::spanned::Spanned;
        let bytes = |arg: &syn::Expr| {
            let range = arg.span().byte_range();
            (range.start as u32, range.end as u32)
        };
        let close = text.rfind(')').unwrap() as u32;
        let list = List { inside: (open, close), items: call.args.iter().map(bytes).collect() };
        let entry = |text: &str| match text.parse() {
            Ok(at) => Entry::Old(at),
            Err(_) => Entry::New(text.to_owned()),
        };
        let wanted: Vec<Entry> = wanted.split_whitespace().map(entry).collect();
        let cuts = relist(text, &list, &wanted, (0, text.len() as u32));
        let mut out = text.to_owned();
        for one in flatten(text, &cuts).iter().rev() {
            out.replace_range(one.start as usize..one.end as usize, &one.text);
        }
        assert_eq!(out, expected);
    }

    #[test]
    fn elements_are_added() {
        check("f()", "x", "f(x)");
        check("f( /* a */ )", "x", "f( /* a */ x)");
        check("f(a)", "0 x", "f(a, x)");
        check("f(a)", "x 0", "f(x, a)");
        check("f(a, b,)", "0 1 x", "f(a, b, x,)");
        check("f(a, b)", "0 x y 1", "f(a, x, y, b)");
        check("f(\n    a,\n    b,\n)", "0 1 x", "f(\n    a,\n    b,\n    x,\n)");
        check("f(\n    a,\n    b // b\n)", "x 0 1", "f(\n    x,\n    a,\n    b // b\n)");
        check("f(\n    a,\n    b, // b\n)", "0 1 x", "f(\n    a,\n    b, // b\n    x,\n)");
        check("f(a, |x| {\n    x\n})", "0 1 x", "f(a, |x| {\n    x\n}, x)");
    }

    #[test]
    fn elements_are_removed() {
        check("f(a)", "", "f()");
        check("f(a, b)", "0", "f(a)");
        check("f(a, b)", "1", "f(b)");
        check("f(a, b, c,)", "0 2", "f(a, c,)");
        check("f(a, b,)", "0", "f(a,)");
        check("f(a, b,)", "", "f()");
        check("f(a, /* b */ b)", "0", "f(a /* b */)");
        check("f(\n    a, // a\n    b, // b\n)", "0", "f(\n    a, // a\n)");
        check("f(\n    a,\n    b,\n)", "1", "f(\n    b,\n)");
        check("f(\n    a,\n    b,\n    c,\n)", "0", "f(\n    a,\n)");
        check("f(\n    a,\n    b,\n)", "", "f()");
    }

    #[test]
    fn elements_change_places() {
        check("f(a, /* 2 */ b)", "1 0", "f(b, /* 2 */ a)");
        check("f(a, b, c)", "2 0", "f(c, a)");
        check("f(a, b, c)", "2 x 1", "f(c, x, b)");
        check("f(\n    a,\n    b,\n)", "1 x 0", "f(\n    b,\n    x,\n    a,\n)");
    }
}
