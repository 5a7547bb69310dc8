//! Maps bytes of an earlier text to a later one.

use asof_model::ByteRange;

/// A range of a text that was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    pub start: u32,
    pub old_len: u32,
    pub new_len: u32,
}

impl Edit {
    /// What differs between two texts, as one replacement.
    pub fn between(old: &str, new: &str) -> Option<Self> {
        if old == new {
            return None;
        }
        let same = |pair: &(u8, u8)| pair.0 == pair.1;
        let before = old.bytes().zip(new.bytes()).take_while(same).count();
        let most = old.len().min(new.len()) - before;
        let behind = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(same).count();
        Some(Self {
            start: before as u32,
            old_len: (old.len() - before - behind) as u32,
            new_len: (new.len() - before - behind) as u32,
        })
    }

    fn old_end(self) -> u32 {
        self.start + self.old_len
    }

    /// A byte of the old text; none if it was replaced.
    fn forward(self, byte: u32) -> Option<u32> {
        match byte {
            _ if byte < self.start => Some(byte),
            _ if byte >= self.old_end() => Some(byte - self.old_len + self.new_len),
            _ => None,
        }
    }

    /// The end of a range that begins earlier; one within what was replaced is at its end.
    fn forward_end(self, end: u32) -> u32 {
        match end {
            _ if end <= self.start => end,
            _ if end >= self.old_end() => end - self.old_len + self.new_len,
            _ => self.start + self.new_len,
        }
    }
}

/// Edits of a text, in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    pub fn push(&mut self, edit: Edit) {
        // What is typed or erased in one go is one edit.
        if let Some(last) = self.0.last_mut()
            && edit.start >= last.start
            && edit.old_end() <= last.start + last.new_len
        {
            last.new_len = last.new_len - edit.old_len + edit.new_len;
            return;
        }
        self.0.push(edit);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where a byte of the first text is in the last one.
    pub fn forward(&self, byte: u32) -> Option<u32> {
        self.0.iter().try_fold(byte, |byte, edit| edit.forward(byte))
    }

    /// A range of the first text in the last one; none if its first byte is gone.
    pub fn forward_range(&self, range: ByteRange) -> Option<ByteRange> {
        let new_start = self.forward(range.start)?;
        let new_end = self.0.iter().fold(range.end, |end, edit| edit.forward_end(end));
        Some(ByteRange::new(new_start, new_end.max(new_start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits(texts: &[&str]) -> Edits {
        let mut all = Edits::default();
        for pair in texts.windows(2) {
            all.0.extend(Edit::between(pair[0], pair[1]));
        }
        all
    }

    #[test]
    fn bytes_are_followed_through_edits() {
        let all = edits(&["one two three", "one X two three", "one X two 3", "two 3"]);
        assert_eq!(all.forward(4), Some(0));
        assert_eq!(all.forward(0), None);
        assert_eq!(all.forward(8), None);
        assert_eq!(all.forward_range(ByteRange::new(4, 13)), Some(ByteRange::new(0, 5)));
    }

    #[test]
    fn what_is_typed_in_one_go_is_one_edit() {
        let mut all = Edits::default();
        for at in 0..9 {
            all.push(Edit { start: 4 + at, old_len: 0, new_len: 1 });
        }
        all.push(Edit { start: 10, old_len: 2, new_len: 0 });
        assert_eq!(all.0, [Edit { start: 4, old_len: 0, new_len: 7 }]);
    }

    #[test]
    fn edits_between_texts_give_the_second() {
        for (old, new) in [("abab", "ab"), ("ab", "abab"), ("", "x"), ("x", ""), ("aXa", "aYYa")] {
            let edit = Edit::between(old, new).unwrap();
            let end = old.len() - edit.old_end() as usize;
            let start = edit.start as usize;
            let inserted = new.get(start..start + edit.new_len as usize).unwrap();
            let around = (old.get(..start).unwrap(), old.get(old.len() - end..).unwrap());
            let made = [around.0, inserted, around.1].concat();
            assert_eq!(made, new);
        }
    }
}
