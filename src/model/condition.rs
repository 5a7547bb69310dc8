//! Presence conditions: `cfg` predicates in normal form.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::predicate::{Flag, Predicate};

/// Flags of all alternatives together; beyond, a predicate is kept as written.
const MAX_FLAGS: usize = 256;

/// Alternatives; as above.
const MAX_ALTERNATIVES: usize = 64;

/// Pairs of alternatives that are joined for one predicate; as above.
const MAX_PAIRS: usize = 1_024;

/// Bytes of these flags; as above.
const MAX_BYTES: usize = 2_000;

/// Bytes of a predicate that is kept as written.
const MAX_TEXT: usize = 500;

/// Flags of two conditions, multiplied, up to which these are compared.
const MAX_COMPARED: usize = 4_096;

/// By which flags conditions are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flags {
    All,
    /// Those that every crate of a build has alike.
    OfTarget,
    /// These, and those that all crates of a package have alike.
    OfPackage,
}

impl Flags {
    fn count(self, flag: &Flag) -> bool {
        match self {
            Flags::All => true,
            Flags::OfTarget => is_of_target(flag),
            Flags::OfPackage => !(flag.value.is_none() && OF_CRATE.contains(&flag.key.as_str())),
        }
    }
}

/// Flags that Cargo sets for some crates of a package only.
const OF_CRATE: &[&str] = &["test", "doc", "doctest", "proc_macro"];

/// A flag that has to be set, or not set.
type Literal = (Flag, bool);

/// Literals that have to hold together; sorted.
type Alternative = Vec<Literal>;

/// A presence condition: one of several alternatives holds, and what is not known as well.
///
/// No two alternatives cover each other, and none contradicts itself, so the same text always gives
/// the same condition. Its size is bounded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Condition {
    /// Sorted. None at all: it never holds. One without literals: it always does.
    alternatives: Vec<Alternative>,
    /// What is not read has to hold as well: too large, or no predicate that is known.
    unread: Option<String>,
}

impl Default for Condition {
    fn default() -> Self {
        Condition { alternatives: vec![Vec::new()], unread: None }
    }
}

impl Condition {
    /// The condition of a predicate as written; an empty text always holds.
    pub fn parse(text: &str) -> Self {
        if text.is_empty() {
            return Condition::default();
        }
        match Predicate::parse(text).and_then(|read| alternatives(&read, true, &mut { MAX_PAIRS }))
        {
            Some(alternatives) => Condition { alternatives, unread: None },
            None => Condition { unread: Some(cut(text.to_owned())), ..Condition::default() },
        }
    }

    /// Whether it holds in every configuration.
    pub fn is_always(&self) -> bool {
        self.unread.is_none() && self.alternatives.iter().any(Vec::is_empty)
    }

    /// Whether it holds in none, as far as is known.
    pub fn is_never(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Whether its alternatives say all of it.
    pub fn is_whole(&self) -> bool {
        self.unread.is_none()
    }

    /// What has to hold together in each of the alternatives, as predicates.
    pub fn alternatives(&self) -> impl Iterator<Item = Vec<String>> {
        self.alternatives.iter().map(|all| all.iter().map(literal).collect())
    }

    /// Both hold.
    pub fn and(&self, other: &Condition) -> Condition {
        let unread = match (&self.unread, &other.unread) {
            (Some(a), Some(b)) if a != b => Some(cut(format!("all({a}, {b})"))),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        match both(&self.alternatives, &other.alternatives, &mut { MAX_PAIRS }) {
            Some(alternatives) => Condition { alternatives, unread },
            None => {
                let rest = Condition { unread: None, ..other.clone() }.to_string();
                let unread = match unread {
                    Some(unread) => format!("all({unread}, {rest})"),
                    None => rest,
                };
                Condition { alternatives: self.alternatives.clone(), unread: Some(cut(unread)) }
            }
        }
    }

    /// One of them holds.
    pub fn or(&self, other: &Condition) -> Condition {
        let all = [self.alternatives.as_slice(), other.alternatives.as_slice()].concat();
        let unread = match (&self.unread, &other.unread) {
            (None, None) => None,
            _ => Some(cut(format!("any({self}, {other})"))),
        };
        match normal(all) {
            Some(alternatives) => Condition { alternatives, unread },
            None => {
                let unread = Some(cut(format!("any({self}, {other})")));
                Condition { unread, ..Condition::default() }
            }
        }
    }

    /// What it says of these flags alone: it holds wherever the whole does.
    pub fn only(&self, flags: Flags) -> Condition {
        let part = |all: &Alternative| -> Alternative {
            all.iter().filter(|(flag, _)| flags.count(flag)).cloned().collect()
        };
        let kept = normal(self.alternatives.iter().map(part).collect());
        kept.map_or_else(Condition::default, |alternatives| Condition {
            alternatives,
            unread: None,
        })
    }

    /// Whether no configuration has both. Yes is sure; no may only mean that it is not known.
    pub fn contradicts(&self, other: &Condition, by: Flags) -> bool {
        let size = |of: &Condition| of.alternatives.iter().map(Vec::len).sum::<usize>();
        if size(self).saturating_mul(size(other)) > MAX_COMPARED {
            return false;
        }
        let all = |a: &Alternative| other.alternatives.iter().all(|b| exclude(a, b, by));
        self.alternatives.iter().all(all)
    }

    /// Whether it holds, given which flags are set; none if that is not known.
    pub fn holds(&self, is_set: &dyn Fn(&Flag) -> Option<bool>) -> Option<bool> {
        let mut known = true;
        for all in &self.alternatives {
            let mut holds = Some(true);
            for (flag, sign) in all {
                match is_set(flag) {
                    Some(value) if value == *sign => {}
                    Some(_) => {
                        holds = Some(false);
                        break;
                    }
                    None => holds = None,
                }
            }
            match holds {
                Some(true) => return self.is_whole().then_some(true),
                found => known &= found.is_some(),
            }
        }
        known.then_some(false)
    }
}

impl fmt::Display for Condition {
    /// As a predicate; what is not read, as written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alternative = |all: &Alternative| match all.as_slice() {
            [] => "true".to_owned(),
            [one] => literal(one),
            all => format!("all({})", all.iter().map(literal).collect::<Vec<_>>().join(", ")),
        };
        let known = match self.alternatives.as_slice() {
            [] => "false".to_owned(),
            [one] => alternative(one),
            any => format!("any({})", any.iter().map(alternative).collect::<Vec<_>>().join(", ")),
        };
        match &self.unread {
            None => f.write_str(&known),
            Some(unread) if known == "true" => f.write_str(unread),
            Some(unread) => write!(f, "all({known}, {unread})"),
        }
    }
}

fn literal((flag, sign): &Literal) -> String {
    if *sign { flag.to_string() } else { format!("not({flag})") }
}

fn cut(mut text: String) -> String {
    if text.len() > MAX_TEXT {
        text.truncate(text.floor_char_boundary(MAX_TEXT));
        text.push('…');
    }
    text
}

/// Alternatives of a predicate, or of its contrary; none if they are too many. `pairs`: how many may
/// still be joined.
fn alternatives(predicate: &Predicate, sign: bool, pairs: &mut usize) -> Option<Vec<Alternative>> {
    match (predicate, sign) {
        (Predicate::Not(part), _) => alternatives(part, !sign, pairs),
        (Predicate::All(parts), true) | (Predicate::Any(parts), false) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                all = both(&all, &alternatives(part, sign, pairs)?, pairs)?;
            }
            Some(all)
        }
        (Predicate::All(parts), false) | (Predicate::Any(parts), true) => {
            let mut any = Vec::new();
            for part in parts {
                any.extend(alternatives(part, sign, pairs)?);
                if any.len() > 2 * MAX_ALTERNATIVES {
                    any = normal(any)?;
                }
            }
            normal(any)
        }
        (Predicate::Is(flag), _) => normal(vec![vec![(canonical(flag), sign)]]),
    }
}

/// `target_family = "unix"` is `unix`.
fn canonical(flag: &Flag) -> Flag {
    match flag.value.as_deref() {
        Some(family @ ("unix" | "windows")) if flag.key == "target_family" => Flag::name(family),
        _ => flag.clone(),
    }
}

fn both(a: &[Alternative], b: &[Alternative], pairs: &mut usize) -> Option<Vec<Alternative>> {
    // What one of them leaves as it is needs no work.
    match (a, b) {
        ([one], _) if one.is_empty() => return Some(b.to_vec()),
        (_, [one]) if one.is_empty() => return Some(a.to_vec()),
        _ => {}
    }
    *pairs = pairs.checked_sub(a.len() * b.len())?;
    let mut all = Vec::new();
    for x in a {
        for y in b.iter().filter(|y| !exclude(x, y, Flags::All)) {
            let mut joined = [x.as_slice(), y.as_slice()].concat();
            joined.sort_unstable();
            joined.dedup();
            all.push(joined);
        }
        if all.len() > 2 * MAX_ALTERNATIVES {
            all = normal(all)?;
        }
    }
    normal(all)
}

/// Sorted, without alternatives that another one covers and literals that do not matter beside
/// another one; none if they are too many.
fn normal(mut all: Vec<Alternative>) -> Option<Vec<Alternative>> {
    loop {
        all.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        all.dedup();
        let mut kept: Vec<Alternative> = Vec::new();
        for one in all {
            if !kept.iter().any(|shorter| shorter.iter().all(|x| one.binary_search(x).is_ok())) {
                kept.push(one);
            }
            if kept.len() > MAX_ALTERNATIVES {
                return None;
            }
        }
        let flags = kept.iter().flatten();
        let bytes = flags.clone().map(|(flag, _)| flag.size()).sum::<usize>();
        if flags.count() > MAX_FLAGS || bytes > MAX_BYTES {
            return None;
        }
        all = kept;
        let Some((one, joined)) = joinable(&all) else { break };
        if let Some(slot) = all.get_mut(one) {
            *slot = joined;
        }
    }
    all.sort_unstable();
    Some(all)
}

/// An alternative with a literal that does not matter, since another alternative holds if all but this
/// one do; and what is left of it.
fn joinable(all: &[Alternative]) -> Option<(usize, Alternative)> {
    for (at, one) in all.iter().enumerate() {
        for other in all.iter().filter(|other| other.len() <= one.len()) {
            let mut missing = other.iter().filter(|x| one.binary_search(x).is_err());
            if let (Some((flag, sign)), None) = (missing.next(), missing.next())
                && let Ok(found) = one.binary_search(&(flag.clone(), !sign))
            {
                let mut left = one.clone();
                left.remove(found);
                return Some((at, left));
            }
        }
    }
    None
}

/// Whether two alternatives never hold together, by these flags.
fn exclude(a: &Alternative, b: &Alternative, by: Flags) -> bool {
    let counts = |one: &&Literal| by.count(&one.0);
    a.iter().filter(counts).any(|x| b.iter().filter(counts).any(|y| opposite(x, y)))
}

/// Keys with one value in each configuration. A target may be of several families.
const SINGLE: &[&str] = &[
    "target_os",
    "target_arch",
    "target_env",
    "target_pointer_width",
    "target_endian",
    "target_vendor",
    "panic",
];

/// Operating systems whose targets are of the family `unix`.
const UNIX: &[&str] = &[
    "aix", "android", "dragonfly", "freebsd", "fuchsia", "haiku", "illumos", "ios", "linux",
    "macos", "netbsd", "openbsd", "redox", "solaris", "tvos", "visionos", "watchos",
];

/// Whether the target sets a flag, and not the package or the crate that is compiled.
fn is_of_target(flag: &Flag) -> bool {
    match flag.value {
        Some(_) => flag.key.starts_with("target_"),
        None => matches!(flag.key.as_str(), "unix" | "windows"),
    }
}

/// Whether two literals never hold together.
fn opposite((a, is): &Literal, (b, other): &Literal) -> bool {
    if a == b {
        return is != other;
    }
    match (is, other) {
        (true, true) => {
            let values = a.key == b.key && SINGLE.contains(&a.key.as_str());
            let families = family(a).zip(family(b)).is_some_and(|(a, b)| a != b);
            values || families || not_windows(a, b) || not_windows(b, a)
        }
        (true, false) => implies(a, b),
        (false, true) => implies(b, a),
        (false, false) => false,
    }
}

/// `windows`, and the name of another operating system.
fn not_windows(a: &Flag, b: &Flag) -> bool {
    *a == Flag::name("windows") && b.key == "target_os" && b.value.as_deref() != Some("windows")
}

/// Whether the first cannot be set without the second, which is another one.
fn implies(a: &Flag, b: &Flag) -> bool {
    let of_family = b.value.is_none() && family(a) == Some(b.key.as_str());
    let windows = *a == Flag::name("windows")
        && b.key == "target_os"
        && b.value.as_deref() == Some("windows");
    of_family || windows
}

/// The family of the targets that have a flag, if that is known.
fn family(flag: &Flag) -> Option<&'static str> {
    match (flag.key.as_str(), flag.value.as_deref()) {
        ("unix", None) => Some("unix"),
        ("windows", None) | ("target_os", Some("windows")) => Some("windows"),
        ("target_os", Some(os)) if UNIX.contains(&os) => Some("unix"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
