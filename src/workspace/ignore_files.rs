//! Ignore files: which entries of a folder a walk leaves out. Patterns are matched by the
//! `ignore` crate; the files are read here, through the tree, so that only plain files of a
//! limited size count, and nothing outside the root.

use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use super::error::issue;
use super::tree::{Entry, Kind, SourceTree, read_from, within};
use asof_model::{Issue, IssueKind};

/// Bytes of an ignore file.
const MAX_BYTES: u64 = 1 << 20;
/// Patterns of all ignore files of a walk.
const MAX_PATTERNS: usize = 50_000;

/// Limits of a pattern, in bytes and in braces: braces nest, and the matcher recurses.
const MAX_PATTERN: usize = 4096;
const MAX_BRACES: usize = 64;

/// Whether a pattern can be given to a matcher.
pub(super) fn is_tame(pattern: &str) -> bool {
    pattern.len() <= MAX_PATTERN && pattern.matches('{').count() <= MAX_BRACES
}

/// What ignore files say about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Ignored,
    /// Named by a pattern that begins with `!`: included even if it is hidden.
    Shown,
    Open,
}

/// Patterns that count in a folder: its own and those of the folders around it.
#[derive(Clone, Default)]
pub(super) struct Rules(Option<Rc<Layer>>);

struct Layer {
    around: Rules,
    /// Of `.ignore`, `.gitignore` and `.git/info/exclude`, in the order of precedence.
    own: [Gitignore; 3],
}

/// Reads ignore files within the budget of a walk.
pub(super) struct IgnoreFiles<'t> {
    tree: &'t dyn SourceTree,
    patterns: usize,
    pub(super) issues: Vec<Issue>,
}

impl<'t> IgnoreFiles<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree) -> Self {
        Self { tree, patterns: 0, issues: Vec::new() }
    }

    /// The rules within a folder with these entries; `around`: those of the folder around it.
    pub(super) fn rules(&mut self, around: &Rules, folder: &str, entries: &[Entry]) -> Rules {
        let has = |name: &str| {
            let at = entries.binary_search_by(|entry| entry.name.as_str().cmp(name)).ok();
            at.and_then(|at| entries.get(at)).map(|entry| entry.kind)
        };
        let is_there = |name: &str| {
            // A folder of that name is ignored; anything else that is not a file is an issue.
            !matches!(has(name), None | Some(Kind::Folder | Kind::Refused(_)))
        };
        let exclude = within(folder, ".git/info/exclude");
        let excludes = has(".git") == Some(Kind::Folder) && self.tree.look(&exclude).is_some();
        let mut read = |wanted: bool, path: String| {
            if wanted { self.file(folder, &path) } else { Gitignore::empty() }
        };
        let own = [
            read(is_there(".ignore"), within(folder, ".ignore")),
            read(is_there(".gitignore"), within(folder, ".gitignore")),
            read(excludes, exclude),
        ];
        if own.iter().all(Gitignore::is_empty) {
            around.clone()
        } else {
            Rules(Some(Rc::new(Layer { around: around.clone(), own })))
        }
    }

    fn file(&mut self, folder: &str, path: &str) -> Gitignore {
        let bytes = match read_from(self.tree, path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(issue) => {
                self.issues.push(issue);
                return Gitignore::empty();
            }
        };
        let mut complain =
            |message: String| self.issues.push(issue(path, IssueKind::Unreadable, message));
        let mut builder = GitignoreBuilder::new(folder);
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let Ok(line) = std::str::from_utf8(line) else {
                complain(format!("line {} is not UTF-8 and was ignored", at + 1));
                continue;
            };
            let line = line.strip_suffix('\r').unwrap_or(line);
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if !is_tame(line) {
                complain(format!("line {} is too long, or has too many braces", at + 1));
                continue;
            }
            self.patterns += 1;
            if self.patterns > MAX_PATTERNS {
                complain(format!(
                    "it is not used from line {} on: ignore files may have {MAX_PATTERNS} \
                     patterns together",
                    at + 1
                ));
                break;
            }
            // As in Git, a line that is not a pattern is skipped.
            let _ = builder.add_line(None, line);
        }
        match builder.build() {
            Ok(rules) => rules,
            Err(error) => {
                complain(format!("its patterns cannot be used: {error}"));
                Gitignore::empty()
            }
        }
    }
}

impl Rules {
    /// Of `.ignore` files the nearest that mentions it decides, then of `.gitignore`, then
    /// of `.git/info/exclude`.
    pub(super) fn verdict(&self, path: &str, is_folder: bool) -> Verdict {
        let path = Path::new(path);
        let mut found: [Match<&Glob>; 3] = [Match::None, Match::None, Match::None];
        let mut next = &self.0;
        while let Some(layer) = next {
            for (found, rules) in found.iter_mut().zip(&layer.own) {
                if found.is_none() {
                    *found = rules.matched(path, is_folder);
                }
            }
            next = &layer.around.0;
        }
        match found.into_iter().find(|found| !found.is_none()) {
            Some(Match::Ignore(_)) => Verdict::Ignored,
            Some(Match::Whitelist(_)) => Verdict::Shown,
            _ => Verdict::Open,
        }
    }
}
