//! Converts a unified diff to edits of a text.

use asof_refactor::is_word;
use gen_lsp_types::TextEdit;

use crate::positions::{Encoding, Lines};
use crate::shift::Edit;

/// Lines of the old text that others replace: the first, the one after the last, and the new ones.
type Run = (usize, usize, String);

/// The edits of a diff of a text: each run of lines narrowed to the words that differ.
pub fn edits_of(diff: &str, old: &Lines, encoding: Encoding) -> Vec<TextEdit> {
    let mut edits = Edits { old, encoding, starts: starts(old.text()), found: Vec::new() };
    let mut line = 0;
    let mut run: Option<Run> = None;
    for one in diff.split_inclusive('\n') {
        if let Some(rest) = one.strip_prefix("@@ -") {
            edits.close(run.take());
            let first = rest.split([',', ' ']).next().and_then(|n| n.parse::<usize>().ok());
            line = first.unwrap_or(1).saturating_sub(1);
        } else if one.starts_with("---") || one.starts_with("+++") || one.starts_with('\\') {
            continue;
        } else if one.starts_with('-') {
            let open = run.get_or_insert_with(|| (line, line, String::new()));
            line += 1;
            open.1 = line;
        } else if let Some(new) = one.strip_prefix('+') {
            let open = run.get_or_insert_with(|| (line, line, String::new()));
            open.2.push_str(new.trim_end_matches('\n'));
            open.2.push('\n');
        } else {
            edits.close(run.take());
            line += 1;
        }
    }
    edits.close(run);
    edits.found
}

/// First bytes of the lines of a text.
fn starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

struct Edits<'t> {
    old: &'t Lines,
    encoding: Encoding,
    starts: Vec<usize>,
    found: Vec<TextEdit>,
}

impl Edits<'_> {
    fn close(&mut self, run: Option<Run>) {
        let Some((first, last, new)) = run else { return };
        let lines: Vec<&str> = new.split_inclusive('\n').collect();
        // As many lines as before: each is an edit of its own.
        if lines.len() == last - first {
            lines.iter().zip(first..).for_each(|(new, at)| self.narrow(at, at + 1, new))
        } else {
            self.narrow(first, last, &new)
        }
    }

    fn narrow(&mut self, first: usize, last: usize, new: &str) {
        let text = self.old.text();
        let start_of = |line: usize| self.starts.get(line).copied().unwrap_or(text.len());
        let (start, end) = (start_of(first), start_of(last));
        let was = text.get(start..end).unwrap_or_default();
        let Some(edit) = Edit::between(was, new) else { return };
        let (mut from, mut to) = (edit.start, edit.start + edit.old_len);
        let mut new_to = edit.start + edit.new_len;
        // What is before the edit is the same in both texts, and so is what is behind it.
        while from > 0 && (is_split(was, from) || is_split(new, from)) {
            from -= 1;
        }
        while (to as usize) < was.len() && (is_split(was, to) || is_split(new, new_to)) {
            to += 1;
            new_to += 1;
        }
        let new_text = new.get(from as usize..new_to as usize).unwrap_or_default().to_owned();
        let start = start as u32;
        let range = self.old.range(start + from, start + to, self.encoding);
        self.found.push(TextEdit { range, new_text });
    }
}

/// Whether a byte is within a character or a word.
fn is_split(text: &str, at: u32) -> bool {
    match text.split_at_checked(at as usize) {
        Some((before, behind)) => before.ends_with(is_word) && behind.starts_with(is_word),
        None => (at as usize) < text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_told_word_by_word() {
        let old = "a(eat);\nkeep\nb(eat, eat)\nlast";
        let diff = "--- a\n+++ b\n@@ -1,4 +1,5 @@\n-a(eat);\n+a(eating);\n keep\n-b(eat, eat)\n\
                    +b(größe, größe)\n last\n\\ No newline at end of file\n+new\n";
        let lines = Lines::new(old.into());
        let edits: Vec<String> = edits_of(diff, &lines, Encoding::Utf8)
            .iter()
            .map(|one| {
                let (start, end) = lines.bytes(one.range, Encoding::Utf8);
                format!("{}>{}", old.get(start as usize..end as usize).unwrap(), one.new_text)
            })
            .collect();
        assert_eq!(edits, ["eat>eating", "eat, eat>größe, größe", ">new\n"]);
    }
}
