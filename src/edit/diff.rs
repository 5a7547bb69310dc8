//! Unified diffs.

use similar::{ChangeTag, TextDiff};

/// The unified diff of a file, three lines of context, with `a/` and `b/` before the paths, as
/// `git apply` takes it. `None` for a file that is not there.
pub fn unified(old_path: Option<&str>, old: &str, new_path: Option<&str>, new: &str) -> String {
    let name = |side: char, path: Option<&str>| match path {
        Some(path) => format!("{side}/{path}"),
        None => "/dev/null".to_owned(),
    };
    if old == new {
        return match (old_path, new_path) {
            (Some(from), Some(to)) if from != to => {
                format!("rename from {from}\nrename to {to}\n")
            }
            _ => String::new(),
        };
    }
    let mut config = TextDiff::configure();
    let config = config.timeout(std::time::Duration::from_secs(2));
    let diff = config.diff_lines(old, new);
    let (from, to) = (name('a', old_path), name('b', new_path));
    diff.unified_diff().context_radius(3).header(&from, &to).to_string()
}

/// A diff without file names between the expected and the present text.
pub fn between(expected: &str, found: &str) -> String {
    let diff = TextDiff::from_lines(expected, found);
    let mut out = String::new();
    for change in diff.iter_all_changes() {
        let mark = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        out.push(mark);
        out.push_str(change.value().trim_end_matches(['\n', '\r']));
        out.push('\n');
    }
    out
}
