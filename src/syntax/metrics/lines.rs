//! Lines of code and comments, and technical debt in comments, of every item's own text: one sweep
//! over tokens and comments.

use super::super::lexer::{Kind, block_comment_len};
use super::super::source::Source;
use super::satd;
use asof_model::{ItemFacts, Metrics, NodeKind, Satd};

/// What is counted of an item.
#[derive(Clone, Default)]
struct Own {
    code: u32,
    comments: u32,
    /// Line after the last one that was counted, from 1.
    code_until: u32,
    comments_until: u32,
    /// Bytes and line breaks of nested items so far, and the lines that they begin or continue on.
    nested_bytes: u32,
    nested_breaks: u32,
    nested_lines: u32,
    satd: Vec<Satd>,
}

struct Sweep<'a, 's> {
    source: &'a Source<'s>,
    items: &'a [ItemFacts],
    /// Innermost item last.
    open: Vec<usize>,
    next: usize,
    own: Vec<Own>,
    /// Index of the line of the last byte that was asked for, from 0.
    line: usize,
}

/// Enters lines and technical debt into the metrics of the items. `heads`: the first byte of each
/// item after documentation and attributes.
pub(in super::super) fn measure(source: &Source<'_>, items: &mut [ItemFacts], heads: &[u32]) {
    let own = vec![Own::default(); items.len()];
    let mut sweep = Sweep { source, items, open: Vec::new(), next: 0, own, line: 0 };
    let mut behind = source.prelude as u32;
    for token in &source.tokens {
        sweep.comments(behind, token.start);
        behind = token.end;
        match token.kind {
            Kind::Doc => sweep.comment(token.start, token.end),
            _ => sweep.code(token.start, token.end, heads),
        }
    }
    sweep.comments(behind, source.text.len() as u32);
    sweep.close(u32::MAX);
    let counted = sweep.own;
    for ((item, own), head) in items.iter_mut().zip(counted).zip(heads) {
        if item.metrics.is_none() && own.satd.is_empty() {
            continue;
        }
        let lines = item.span.end_line.saturating_sub(source.line(*head)) + 1;
        let is_function = matches!(item.kind, NodeKind::Function | NodeKind::Method);
        let metrics = item.metrics.get_or_insert_with(|| Box::new(Metrics::default()));
        metrics.loc = lines.saturating_sub(own.nested_lines).max(own.code);
        metrics.code_lines = own.code;
        metrics.comment_lines = own.comments;
        metrics.parameters = if is_function { item.params.len() as u32 } else { 0 };
        metrics.satd = own.satd;
    }
}

impl Sweep<'_, '_> {
    /// The innermost item with a text of its own around this byte.
    fn owner(&mut self, byte: u32) -> Option<usize> {
        self.close(byte);
        while let Some(item) = self.items.get(self.next).filter(|i| i.span.start_byte <= byte) {
            if item.text.is_some() && item.span.end_byte > byte {
                self.open.push(self.next);
            }
            self.next += 1;
        }
        self.open.last().copied()
    }

    /// Leaves the items that end before this byte.
    fn close(&mut self, byte: u32) {
        while let Some(&last) = self.open.last()
            && let Some(item) = self.items.get(last)
            && item.span.end_byte <= byte
        {
            self.open.pop();
            let around = self.open.last().and_then(|around| self.own.get_mut(*around));
            if let Some(around) = around {
                let breaks = item.span.end_line - item.span.start_line;
                around.nested_bytes += item.span.end_byte - item.span.start_byte;
                around.nested_breaks += breaks;
                around.nested_lines += breaks + 1;
            }
        }
    }

    /// Line of a byte, from 1. Bytes are asked for in ascending order, nearly.
    fn line(&mut self, byte: u32) -> u32 {
        let lines = self.source.line_starts();
        while self.line > 0 && lines.get(self.line).is_some_and(|start| *start > byte) {
            self.line -= 1;
        }
        while lines.get(self.line + 1).is_some_and(|start| *start <= byte) {
            self.line += 1;
        }
        self.line as u32 + 1
    }

    fn code(&mut self, start: u32, end: u32, heads: &[u32]) {
        let Some(owner) = self.owner(start) else { return };
        if heads.get(owner).is_some_and(|head| start < *head) {
            return;
        }
        let (first, last) = (self.line(start), self.line(end.saturating_sub(1).max(start)));
        if let Some(own) = self.own.get_mut(owner) {
            own.code += (last + 1).saturating_sub(first.max(own.code_until));
            own.code_until = own.code_until.max(last + 1);
        }
    }

    fn comment(&mut self, start: u32, end: u32) {
        let Some(owner) = self.owner(start) else { return };
        let (first, last) = (self.line(start), self.line(end.saturating_sub(1).max(start)));
        let found = satd::find(self.source.slice(start, end));
        let origin = self
            .items
            .get(owner)
            .map_or((0, 0), |item| (item.span.start_byte, item.span.start_line));
        let places: Vec<u32> = found.iter().map(|one| self.line(start + one.at as u32)).collect();
        let Some(own) = self.own.get_mut(owner) else { return };
        own.comments += (last + 1).saturating_sub(first.max(own.comments_until));
        own.comments_until = own.comments_until.max(last + 1);
        own.satd.extend(found.into_iter().zip(places).map(|(one, line)| Satd {
            marker: one.marker,
            severity: one.severity,
            byte: start + one.at as u32 - origin.0 - own.nested_bytes,
            line: line - origin.1 - own.nested_breaks,
            text: one.text,
        }));
    }

    /// Comments between two tokens, where nothing else but blanks is.
    fn comments(&mut self, from: u32, to: u32) {
        let gap = self.source.slice(from, to);
        let mut at = 0;
        while let Some(found) = gap.get(at..).and_then(|rest| rest.find('/')) {
            let start = at + found;
            let Some(rest) = gap.get(start..) else { return };
            let len = comment_len(rest);
            self.comment(from + start as u32, from + (start + len) as u32);
            at = start + len;
        }
    }
}

/// Length of the comment that a text begins with; at least 1.
fn comment_len(text: &str) -> usize {
    if !text.starts_with("/*") {
        return text.find('\n').unwrap_or(text.len()).max(1);
    }
    block_comment_len(text.as_bytes())
}
