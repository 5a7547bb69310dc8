//! Counts and lists in sentences.

use asof_model::Filter;

/// A count with its noun.
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
}

/// A number of bytes in the largest unit that leaves a number above one.
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match UNITS.into_iter().find(|(length, _)| bytes >= *length) {
        Some((length, unit)) => {
            let tenths = bytes / (length / 10);
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} B"),
    }
}

/// Filters that leave one of several matches each, in an interface's words.
pub fn alternatives(filters: &[Filter], word: impl Fn(&Filter) -> String) -> String {
    const SHOWN: usize = 5;
    let mut words: Vec<String> = filters.iter().take(SHOWN).map(word).collect();
    if filters.len() > SHOWN {
        words.push("…".to_owned());
    }
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// The first few of a list of names.
pub fn some(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let head = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => head,
        Some(more) => format!("{head} and {more} more"),
    }
}
