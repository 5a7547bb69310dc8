//! Detects changed files by their metadata, before any is read.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use asof_model::SourceFile;

/// A file that changed this shortly before it was read may change again without a new time:
/// file systems store times in steps of up to some milliseconds.
const RACY_NS: i64 = 20_000_000;

/// The same for a time of whole seconds: some file systems have a resolution of one or two seconds.
const COARSE_NS: i64 = 2_000_000_000;

const SECOND_NS: i64 = 1_000_000_000;

/// How a file looked when it was last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStat {
    pub size: u64,
    pub modified_ns: i64,
    pub changed_ns: i64,
    pub inode: u64,
    /// Raw hash, printed.
    pub raw_hash: String,
    /// When it was read, nanoseconds since 1970.
    pub checked_ns: i64,
}

impl FileStat {
    /// A file as the walk found it, with the hash of what was read after that time.
    pub fn new(file: &SourceFile, raw_hash: String, checked_ns: i64) -> Self {
        let SourceFile { size, modified_ns, changed_ns, inode, .. } = *file;
        Self { size, modified_ns, changed_ns, inode, raw_hash, checked_ns }
    }

    /// The same, but not to be trusted: the file is read again, and counts as changed.
    #[must_use]
    pub fn distrusted(self) -> Self {
        Self { raw_hash: String::new(), checked_ns: 0, ..self }
    }

    /// The same, but its hash is compared at the next refresh, whatever the file looks like.
    #[must_use]
    pub fn unsettled(self) -> Self {
        // 0 stands for a file whose hash is not to be trusted either.
        Self { checked_ns: self.checked_ns.min(1), ..self }
    }

    /// Whether the walk found the file, but it was not read.
    pub fn is_without_hash(&self) -> bool {
        self.raw_hash.is_empty() && self.checked_ns != 0
    }

    /// Whether the file on disk is certainly the one that was read.
    pub fn vouches_for(&self, file: &SourceFile) -> bool {
        self.looks_like(&Self::new(file, String::new(), 0)) && self.is_settled()
    }

    /// Whether size, times and inode are the same.
    pub fn looks_like(&self, other: &Self) -> bool {
        let look = |stat: &Self| (stat.size, stat.modified_ns, stat.changed_ns, stat.inode);
        look(self) == look(other)
    }

    /// Whether a change after the file was read must have changed its metadata: its times are
    /// earlier than that.
    pub fn is_settled(&self) -> bool {
        let settled = |time: i64| {
            let step = if time % SECOND_NS == 0 { COARSE_NS } else { RACY_NS };
            time.saturating_add(step) < self.checked_ns
        };
        self.modified_ns != 0 && settled(self.modified_ns) && settled(self.changed_ns)
    }
}

/// Files to read: new ones, and those whose metadata differs from the known one.
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

    /// A file that settled long before it was read.
    fn file() -> SourceFile {
        SourceFile { changed_ns: 7, inode: 9, ..SourceFile::new("a.rs", 3, 5) }
    }

    fn read_at(file: &SourceFile, checked_ns: i64) -> FileStat {
        FileStat::new(file, String::new(), checked_ns)
    }

    #[test]
    fn a_stat_vouches_for_what_looks_the_same_in_everything() {
        let stat = read_at(&file(), 10 * SECOND_NS);
        assert!(stat.vouches_for(&file()));
        assert!(!stat.vouches_for(&SourceFile { size: 4, ..file() }));
        assert!(!stat.vouches_for(&SourceFile { modified_ns: 6, ..file() }));
        assert!(!stat.vouches_for(&SourceFile { changed_ns: 8, ..file() }));
        assert!(!stat.vouches_for(&SourceFile { inode: 8, ..file() }));
    }

    #[test]
    fn a_stat_vouches_only_for_what_was_old_when_it_was_read() {
        let late = 10 * SECOND_NS - 1;
        for racy in [
            SourceFile { modified_ns: late, ..file() },
            SourceFile { changed_ns: late, ..file() },
            // A file system that stores whole seconds.
            SourceFile { modified_ns: 9 * SECOND_NS, ..file() },
            SourceFile { modified_ns: 0, ..file() },
        ] {
            assert!(!read_at(&racy, 10 * SECOND_NS).vouches_for(&racy), "{racy:?}");
        }
        let settled = SourceFile { modified_ns: 9 * SECOND_NS + 1, ..file() };
        assert!(read_at(&settled, 10 * SECOND_NS).vouches_for(&settled));
    }

    #[test]
    fn new_changed_and_removed_files_are_distinguished() {
        let old = |size| read_at(&SourceFile::new("", size, 1), i64::MAX);
        let known = BTreeMap::from([("a.rs".to_owned(), old(1)), ("b.rs".to_owned(), old(1))]);
        let files = [SourceFile::new("a.rs", 2, 1), SourceFile::new("c.rs", 2, 1)];
        let found = suspects(&files, &known);
        assert_eq!(found.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["a.rs", "c.rs"]);
        assert_eq!(gone(&known, &[&files]), ["b.rs"]);
    }
}
