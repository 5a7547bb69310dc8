//! Line endings: a side that changes those of a whole file changes no line.

/// How all lines of a text end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Lf,
    CrLf,
}

impl Ending {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// How all lines of a text end; none if not all do so.
    fn read(text: &str) -> Option<Self> {
        let lines = text.matches('\n').count();
        match text.matches("\r\n").count() {
            0 => Some(Self::Lf),
            all if all == lines => Some(Self::CrLf),
            _ => None,
        }
    }
}

/// The ending that the merge of three texts has; none if lines of one text end in both ways.
pub(super) fn merged_ending([base, ours, theirs]: [&str; 3]) -> Option<Ending> {
    let (base, ours, theirs) = (Ending::read(base)?, Ending::read(ours)?, Ending::read(theirs)?);
    Some(if ours == base { theirs } else { ours })
}

/// A text with `\n` at the end of each line.
pub(super) fn with_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// A text whose lines end in `\n`, with another ending.
pub(super) fn with_ending(text: &str, ending: Ending) -> String {
    match ending {
        Ending::Lf => text.to_owned(),
        Ending::CrLf => text.replace('\n', ending.as_str()),
    }
}
