//! Changes of one text that may be within each other: a call in an argument of a call that moves.

/// First byte and end.
pub type Bytes = (u32, u32);

/// Bytes that are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    pub start: u32,
    pub end: u32,
    pub pieces: Vec<Piece>,
    /// What the change belongs to: a call, a list of parameters, a name. It goes where these bytes go.
    pub of: Bytes,
}

/// A part of a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// Bytes of the text, with the changes that belong to them.
    Source(Bytes),
}

/// Bytes and their new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flat {
    pub start: u32,
    pub end: u32,
    pub text: String,
    /// Where the text comes from, if it is one of the old text, and what is replaced in it.
    pub carried: Option<(Bytes, Vec<Flat>)>,
}

impl Cut {
    pub fn text((start, end): Bytes, text: impl Into<String>, of: Bytes) -> Self {
        Self { start, end, pieces: vec![Piece::Text(text.into())], of }
    }

    /// These bytes are replaced by others of the text.
    pub fn source((start, end): Bytes, from: Bytes, of: Bytes) -> Self {
        Self { start, end, pieces: vec![Piece::Source(from)], of }
    }

    /// Whether a change of something else is within the bytes that this one replaces.
    fn holds(&self, other: &Cut) -> bool {
        self.start < self.end && self.of != other.of && within(other.of, (self.start, self.end))
    }
}

fn within(inner: Bytes, outer: Bytes) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// The changes as replacements that do not overlap, in order. Those within bytes that are dropped are
/// dropped with them.
pub fn flatten(text: &str, cuts: &[Cut]) -> Vec<Flat> {
    let mut cuts: Vec<&Cut> = cuts.iter().collect();
    sort(&mut cuts);
    apply(text, &cuts)
}

/// By place. Of insertions at one place, those that end something come first, the innermost first;
/// then those that begin something, the outermost first.
fn sort(cuts: &mut [&Cut]) {
    let len = |cut: &Cut| cut.of.1 - cut.of.0;
    cuts.sort_by_key(|cut| {
        let ends = cut.start == cut.end && cut.of.1 == cut.start && cut.of.0 < cut.of.1;
        let order = if ends { (0, len(cut)) } else { (1, u32::MAX - len(cut)) };
        (cut.start, cut.end, order)
    });
}

fn apply(text: &str, cuts: &[&Cut]) -> Vec<Flat> {
    let outer = cuts.iter().filter(|cut| !cuts.iter().any(|other| other.holds(cut)));
    let mut flat: Vec<Flat> = Vec::new();
    for cut in outer {
        let (new, carried) = rendered(text, cut, cuts);
        match flat
            .last_mut()
            .filter(|last| (last.start, last.end) == (cut.start, cut.end) && cut.start == cut.end)
        {
            Some(last) => last.text.push_str(&new),
            None => flat.push(Flat { start: cut.start, end: cut.end, text: new, carried }),
        }
    }
    flat
}

/// The new text of a change, and where it comes from.
fn rendered(text: &str, cut: &Cut, cuts: &[&Cut]) -> (String, Option<(Bytes, Vec<Flat>)>) {
    let mut out = String::new();
    let mut carried = None;
    for piece in &cut.pieces {
        let range = match piece {
            Piece::Text(text) => {
                out.push_str(text);
                continue;
            }
            Piece::Source(range) => *range,
        };
        let inside = cuts.iter().copied().filter(|one| one.of != cut.of && within(one.of, range));
        let flat = apply(text, &inside.collect::<Vec<&Cut>>());
        let mut at = range.0;
        for one in &flat {
            out.push_str(slice(text, (at, one.start)));
            out.push_str(&one.text);
            at = one.end;
        }
        out.push_str(slice(text, (at, range.1)));
        carried = Some((range, flat));
    }
    (out, carried.filter(|_| cut.pieces.len() == 1))
}

pub(super) fn slice(text: &str, (start, end): Bytes) -> &str {
    text.get(start as usize..end as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_go_where_their_bytes_go() {
        // `f(f(1, 2), 3)`: the arguments are exchanged in both.
        let text = "f(f(1, 2), 3);";
        let (outer, inner) = ((0, 13), (2, 9));
        let cuts = [
            Cut::source((2, 9), (11, 12), outer),
            Cut::source((11, 12), (2, 9), outer),
            Cut::source((4, 5), (7, 8), inner),
            Cut::source((7, 8), (4, 5), inner),
            Cut::text((9, 9), ".await", inner),
            Cut::text((13, 13), ".await", outer),
        ];
        let flat = flatten(text, &cuts);
        let mut out = text.to_owned();
        for one in flat.iter().rev() {
            out.replace_range(one.start as usize..one.end as usize, &one.text);
        }
        assert_eq!(out, "f(3, f(2, 1).await).await;");
        // A call in an argument that is dropped.
        let cuts = [Cut::text((2, 11), "", outer), Cut::text((4, 5), "9", inner)];
        assert_eq!(
            flatten(text, &cuts),
            [Flat { start: 2, end: 11, text: String::new(), carried: None }]
        );
        // At one place: what ends the inner, then what the outer adds.
        let cuts = [Cut::text((9, 9), ", 4", outer), Cut::text((9, 9), ".await", inner)];
        assert_eq!(flatten(text, &cuts)[0].text, ".await, 4");
    }
}
