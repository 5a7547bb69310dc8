//! Counts and lists in sentences.

/// A count with its noun.
pub fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("{count} {noun}") } else { format!("{count} {noun}s") }
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
