//! An estimate of running time from loops, recursion and known calls. It knows no types and no
//! data: it says how the code looks, not how it runs.

use std::fmt;

/// A power of n times a power of log n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Work {
    power: u8,
    logs: u8,
}

impl Work {
    pub(super) const LOG: Work = Work { power: 0, logs: 1 };
    pub(super) const LINEAR: Work = Work { power: 1, logs: 0 };
    const SORT: Work = Work { power: 1, logs: 1 };

    fn times(self, other: Work) -> Work {
        Work {
            power: self.power.saturating_add(other.power),
            logs: self.logs.saturating_add(other.logs),
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = |n: u8, of: &str| match n {
            0 => String::new(),
            1 => of.to_owned(),
            _ => format!("{of}^{n}"),
        };
        match (power(self.power, "n"), power(self.logs, "log n")) {
            (n, log) if n.is_empty() && log.is_empty() => f.write_str("O(1)"),
            (n, log) if log.is_empty() => write!(f, "O({n})"),
            (n, log) if n.is_empty() => write!(f, "O({log})"),
            (n, log) => write!(f, "O({n} {log})"),
        }
    }
}

/// How often a body is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// A number of times that the code states.
    Constant,
    /// A loop over n elements, or until a condition holds.
    Loop,
    /// A loop that multiplies or divides what it counts.
    Halving,
    /// A chain of iterator adapters that is consumed.
    Iterator,
}

/// The most expensive part of a body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Part {
    work: Work,
    loops: u8,
    halving: u8,
    iterators: u8,
    call: Option<&'static str>,
}

impl Part {
    /// A call that is known to do more than constant work.
    pub(super) fn of_call(name: &str) -> Option<Self> {
        let (name, work) = *KNOWN.iter().find(|(known, _)| *known == name)?;
        Some(Self { work, call: Some(name), ..Self::default() })
    }

    pub(super) fn repeated(mut self, repeat: Repeat) -> Self {
        let (count, by) = match repeat {
            Repeat::Constant => return self,
            Repeat::Loop => (&mut self.loops, Work::LINEAR),
            Repeat::Halving => (&mut self.halving, Work::LOG),
            Repeat::Iterator => (&mut self.iterators, Work::LINEAR),
        };
        *count = count.saturating_add(1);
        self.work = self.work.times(by);
        self
    }

    /// The more expensive of two.
    pub(super) fn or(self, other: Self) -> Self {
        if other.work > self.work { other } else { self }
    }

    fn reason(&self) -> String {
        let mut parts = Vec::new();
        if let Some(call) = self.call {
            parts.push(format!("`{call}`"));
        }
        for (count, name) in [
            (self.iterators, "iterator chain"),
            (self.halving, "loop that halves"),
            (self.loops, "loop"),
        ] {
            match count {
                0 => {}
                1 => parts.push(name.to_owned()),
                n => parts.push(format!(
                    "{n} nested {}s",
                    name.replacen("loop that", "loops that", 1).trim_end_matches('s')
                )),
            }
        }
        parts.join(" in ")
    }
}

/// Direct recursion in a body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Recursion {
    pub calls: u32,
    /// Whether a call is in a loop.
    pub in_loop: bool,
    /// Whether a call passes a parameter less a constant.
    pub decreases: bool,
    /// Whether a call passes a half or another fraction.
    pub divides: bool,
}

/// The estimate and its reason.
pub(super) fn estimate(part: Part, recursion: Recursion) -> (String, String) {
    let Recursion { calls, in_loop, decreases, divides } = recursion;
    let several = calls > 1 || in_loop;
    let with_part = |text: &str| match part.reason() {
        reason if reason.is_empty() => text.to_owned(),
        reason => format!("{text}; {reason}"),
    };
    if calls == 0 {
        return (part.work.to_string(), part.reason());
    }
    if decreases && several {
        return ("O(2^n)".to_owned(), with_part("several recursive calls with a smaller argument"));
    }
    let (work, reason) = match (divides, several) {
        (true, false) => (part.work.times(Work::LOG), "recursion on a fraction"),
        (true, true) if part.work >= Work::LINEAR => {
            (part.work.times(Work::LOG), "recursion on fractions")
        }
        (true, true) => (Work::LINEAR, "recursion on fractions"),
        // One call for each part of a structure: the loop over the parts is in the n.
        (false, _) if in_loop => (part.work.max(Work::LINEAR), "recursion over parts"),
        (false, _) => (part.work.times(Work::LINEAR), "recursion"),
    };
    (work.to_string(), with_part(reason))
}

/// Calls of the standard library whose names say what they cost.
const KNOWN: &[(&str, Work)] = &[
    ("binary_search", Work::LOG),
    ("binary_search_by", Work::LOG),
    ("binary_search_by_key", Work::LOG),
    ("partition_point", Work::LOG),
    ("sort", Work::SORT),
    ("sort_by", Work::SORT),
    ("sort_by_key", Work::SORT),
    ("sort_by_cached_key", Work::SORT),
    ("sort_unstable", Work::SORT),
    ("sort_unstable_by", Work::SORT),
    ("sort_unstable_by_key", Work::SORT),
    ("select_nth_unstable", Work::LINEAR),
    ("retain", Work::LINEAR),
    ("retain_mut", Work::LINEAR),
    ("dedup", Work::LINEAR),
    ("dedup_by", Work::LINEAR),
    ("dedup_by_key", Work::LINEAR),
    ("reverse", Work::LINEAR),
    ("extend_from_slice", Work::LINEAR),
    ("read_to_end", Work::LINEAR),
    ("read_to_string", Work::LINEAR),
];

/// Methods that give an iterator over n elements.
pub(super) fn produces(name: &str) -> bool {
    matches!(
        name,
        "iter"
            | "iter_mut"
            | "into_iter"
            | "chars"
            | "char_indices"
            | "bytes"
            | "lines"
            | "split"
            | "splitn"
            | "split_whitespace"
            | "split_terminator"
            | "keys"
            | "values"
            | "values_mut"
            | "into_keys"
            | "into_values"
            | "drain"
            | "windows"
            | "chunks"
            | "chunks_exact"
            | "matches"
            | "match_indices"
            | "enumerate"
            | "zip"
            | "filter_map"
            | "flat_map"
            | "par_iter"
            | "into_par_iter"
    )
}

/// Methods that take all elements of an iterator, or look for one.
pub(super) fn consumes(name: &str) -> bool {
    matches!(
        name,
        "all"
            | "any"
            | "collect"
            | "count"
            | "eq"
            | "find"
            | "find_map"
            | "fold"
            | "for_each"
            | "last"
            | "max"
            | "max_by"
            | "max_by_key"
            | "min"
            | "min_by"
            | "min_by_key"
            | "partition"
            | "position"
            | "product"
            | "reduce"
            | "rposition"
            | "sum"
            | "try_fold"
            | "try_for_each"
            | "unzip"
    )
}
