//! Which files changed, told by size and time before any is read.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::model::SourceFile;

/// A file that changed this shortly before it was read may change again without a new time:
/// file systems keep times in steps of up to some milliseconds.
const RACY_NS: i64 = 20_000_000;

/// How a file looked when it was last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStat {
    pub size: u64,
    pub modified_ns: i64,
    /// Printed raw hash.
    pub raw_hash: String,
    /// When it was read, nanoseconds since 1970.
    pub checked_ns: i64,
}

impl FileStat {
    /// Whether the file on disk must be the one that was read.
    pub fn vouches_for(&self, file: &SourceFile) -> bool {
        self.size == file.size
            && self.modified_ns == file.modified_ns
            && self.modified_ns != 0
            && self.modified_ns.saturating_add(RACY_NS) < self.checked_ns
    }
}

/// Files that are new, or of another size or time than is known: to be read.
pub fn suspects<'a>(
    files: &'a [SourceFile],
    known: &BTreeMap<String, FileStat>,
) -> Vec<&'a SourceFile> {
    files
        .iter()
        .filter(|file| !known.get(&file.path).is_some_and(|stat| stat.vouches_for(file)))
        .collect()
}

/// Known files that are in none of these lists, each sorted by path.
pub fn gone(known: &BTreeMap<String, FileStat>, lists: &[&[SourceFile]]) -> Vec<String> {
    let is_there = |list: &&[SourceFile], path: &str| {
        list.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    };
    known.keys().filter(|path| !lists.iter().any(|list| is_there(list, path))).cloned().collect()
}

/// Nanoseconds since 1970.
pub fn now_ns() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| i64::try_from(d.as_nanos()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_vouches_only_for_what_was_old_when_it_was_read() {
        let stat = |modified_ns, checked_ns| FileStat {
            size: 3,
            modified_ns,
            raw_hash: String::new(),
            checked_ns,
        };
        let file = |size, modified_ns| SourceFile { path: "a.rs".into(), size, modified_ns };
        assert!(stat(5, 1_000_000_000).vouches_for(&file(3, 5)));
        assert!(!stat(5, 1_000_000_000).vouches_for(&file(4, 5)));
        assert!(!stat(5, 1_000_000_000).vouches_for(&file(3, 6)));
        assert!(!stat(999_999_999, 1_000_000_000).vouches_for(&file(3, 999_999_999)));
        assert!(!stat(0, 1_000_000_000).vouches_for(&file(3, 0)));
    }

    #[test]
    fn new_changed_and_gone_are_told_apart() {
        let old =
            |size| FileStat { size, modified_ns: 1, raw_hash: String::new(), checked_ns: i64::MAX };
        let known = BTreeMap::from([("a.rs".to_owned(), old(1)), ("b.rs".to_owned(), old(1))]);
        let files = [
            SourceFile { path: "a.rs".into(), size: 2, modified_ns: 1 },
            SourceFile { path: "c.rs".into(), size: 2, modified_ns: 1 },
        ];
        let found = suspects(&files, &known);
        assert_eq!(found.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["a.rs", "c.rs"]);
        assert_eq!(gone(&known, &[&files]), ["b.rs"]);
    }
}
